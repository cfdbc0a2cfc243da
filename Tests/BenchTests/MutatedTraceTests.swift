// SPDX-License-Identifier: Apache-2.0
import EMVFormats
import Foundation
import Testing

/// Masked digits stay masked, however a relay changes the responses.
@Suite struct MutatedTraceTests {
    /// The search works; otherwise the tests below would prove nothing.
    @Test func theSearchFindsTheAccountNumber() throws {
        let name = try #require(MutatedTrace.names.first { $0.hasPrefix("k3-") })
        let whole = try MutatedTrace(name, seed: nil)
        let account = MutatedTrace.marked("4761739001010119")
        #expect(MutatedTrace.names.count > 150 && whole.shows(whole.trace.json))
        let middle = String(account.dropFirst(5).prefix(8))
        let spread = middle.map { "3\($0)" }.joined()
        let packed = String(decoding: [0x05, 0x79, 0x24, 0x68, 0x01] as [UInt8], as: UTF8.self)
        for text in [middle, "A" + middle + "F", spread, "1 " + middle.map { "\($0) " }.joined(), packed] {
            #expect(whole.shows(text), "\(text)")
        }
        for text in ["476173******" + account.suffix(4), "\(middle.prefix(7))A\(middle.suffix(1))"] {
            #expect(!whole.shows(text), "\(text)")
        }
    }

    /// Responses with a wrong tag, length, bit, end or template: no output shows the number. EMV_MODEL_RUNS sets the
    /// number of runs, EMV_MODEL_SEED the first seed.
    @Test func noOutputShowsTheAccountNumber() throws {
        func setting(_ name: String) -> UInt64? { ProcessInfo.processInfo.environment[name].flatMap { UInt64($0) } }
        let first = setting("EMV_MODEL_SEED") ?? 1
        let names = MutatedTrace.names
        for seed in first..<first + (setting("EMV_MODEL_RUNS") ?? 50) {
            let name = names[Int(seed % UInt64(names.count))]
            let leaks = try MutatedTrace(name, seed: seed).leaks()
            #expect(leaks == [], "\(name), seed \(seed)")
        }
    }
}
