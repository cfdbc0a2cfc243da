// SPDX-License-Identifier: Apache-2.0
import EMVFormats
import EMVKit
import EMVSimulator
import TestData
import Testing

/// Damaged files are read or rejected with a position, and nothing else happens. Seeded: every run uses equal files.
@Suite struct FormatFuzzTests {
    private static let words = [
        "null", "true", "-1", "1e999", "18446744073709551616", "\"\"", "{}", "[]", "\"\\ud800\"", "\"A0\"", "\"9F02\"",
        "{", "}", "]", ",", ":", "\u{0}", "\\",
    ].map { Array($0.utf8) }

    private static func damaged(_ bytes: Bytes, _ random: inout SeededRandom) -> Bytes {
        var bytes = bytes
        for _ in 0..<Int.random(in: 1...3, using: &random) where !bytes.isEmpty {
            let at = Int.random(in: 0..<bytes.count, using: &random)
            switch Int.random(in: 0..<6, using: &random) {
            case 0: bytes[at] = .random(in: 0...255, using: &random)
            case 1: bytes.remove(at: at)
            case 2: bytes.insert(.random(in: 0x20...0x7E, using: &random), at: at)
            case 3: bytes.removeSubrange(at..<min(bytes.count, at + 12))
            case 4: bytes.insert(contentsOf: words.randomElement(using: &random)!, at: at)
            default: bytes.insert(contentsOf: bytes[at..<min(bytes.count, at + 40)], at: at)
            }
        }
        return bytes
    }

    /// The configuration has few keys, so that most damage hits something other than a modulus.
    private static var configuration: Configuration {
        var configuration = Configuration.simulator()
        configuration.caKeys = Array(configuration.caKeys.prefix(2))
        return configuration
    }

    private static var trace: Trace {
        let sale = with(
            Transaction(
                amount: 1250, currency: 978, date: CalendarDate(year: 2026, month: 11, day: 21)!,
                random: .fixed([1, 2, 3, 4]))
        ) { $0.data = [0x9F7C: [1]] }
        return Trace(
            name: "fuzz", configuration: configuration, transaction: sale,
            items: [
                .exchange(command: [0, 0xA4, 4, 0, 0], response: [0x6A, 0x82], elapsed: .milliseconds(3)),
                .fault(command: [0, 0xB2, 1, 0x0C, 0], .timeout),
                .tap(2), .collision, .online([0x8A: [0x30, 0x30]]), .terminalData([0x9F53: [0x52]]),
                .online(nil), .pin(captured: true), .dataExchange([0x5A: []]), .stop, .deadline, .removed, .sale(sale),
            ],
            expectation: with(
                Trace.Expectation(tap: .unreadable, apdus: 2, data: [Trace.Datum(tag: 0x9F26, value: nil)])
            ) {
                $0.start = .b
                $0.alternateInterface = .magstripe
                $0.receipt = true
                $0.removalTimeout = 7
                $0.fieldOff = .some(nil)
                $0.hold = .some(.zero)
                $0.valueQualifier = .balance
                $0.value = .some(1)
                $0.restartMessage = .some(nil)
            })
    }

    @Test func damagedConfigurationsAreReadOrRefusedWithAPlace() {
        var random = SeededRandom(seed: 1)
        let original = Bytes(Self.configuration.json.utf8)
        var refused = 0
        for _ in 0..<2000 {
            do throws(FormatError) {
                let read = try Configuration(json: Self.damaged(original, &random))
                _ = try? CheckedConfiguration(read)
            } catch {
                refused += 1
                #expect(error.line >= 1 && error.column >= 1 && !error.message.isEmpty)
            }
        }
        #expect(refused > 1000)
    }

    @Test func damagedTracesAreReadOrRefusedAndReplaysEnd() {
        var random = SeededRandom(seed: 2)
        let original = Bytes(Self.trace.json.utf8)
        var refused = 0
        for _ in 0..<2000 {
            do throws(FormatError) {
                let read = try Trace(json: Self.damaged(original, &random))
                if let replay = try? TraceReplay(read) { _ = try? replay.run() }
            } catch {
                refused += 1
                #expect(error.line >= 1 && error.column >= 1 && !error.message.isEmpty)
            }
        }
        #expect(refused > 1000)
    }
}
