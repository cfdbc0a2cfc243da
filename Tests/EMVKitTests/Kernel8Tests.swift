// SPDX-License-Identifier: Apache-2.0
import EMVFormats
import EMVSimulator
import Foundation
import Testing

@testable import EMVKernel
@testable import EMVKit
@testable import EMVPOS

/// The configuration of Kernel 8 from Swift and from a file; IndependentTraceTests checks the kernel with cards.
@Suite struct Kernel8Tests {
    private static func trace() throws -> Trace {
        try IndependentTraceTests.trace("k8-offline-rsa")
    }

    /// One combination of Kernel 8, a CA key on the curve and one of RSA.
    private static func configuration() throws -> Configuration { try trace().configuration }

    private func refusal(
        secrets: SecretCrypto? = testSecrets, _ change: (inout Configuration) -> Void
    ) throws -> ConfigurationError {
        var configuration = try Kernel8Tests.configuration()
        change(&configuration)
        let error = #expect(throws: ConfigurationError.self) {
            try CheckedConfiguration(configuration, secrets: secrets)
        }
        return try #require(error)
    }

    @Test func withoutSecretCryptographyItIsRefusedByName() throws {
        let error = try refusal(secrets: nil) { _ in }
        #expect(error.section == .combination && error.row == 0)
        #expect(error.field == .secretCrypto && error.reason == .missing && error.tag == nil && error.option == nil)
        #expect(
            error.description
                == "combinations[0] (Kernel 8, F0000008080101), secret cryptography: "
                + "expected a SecretCrypto, which Kernel 8 requires, found none")
    }

    @Test func aReaderWithoutSecretCryptographyIsNotReady() async throws {
        let configuration = try Kernel8Tests.configuration()
        let without = TapReader(SimulatedReader(.online), configuration: configuration)
        let error = await #expect(throws: PrepareError.self) { try await without.prepare() }
        guard case .configuration(let refused)? = error else { Issue.record("\(String(describing: error))"); return }
        #expect(refused.field == .secretCrypto)
        let ready = TapReader(SimulatedReader(.online), configuration: configuration, secrets: testSecrets)
        _ = try await ready.prepare()
    }

    @Test func aPointOffTheCurveIsRefusedByTheNameOfItsKey() throws {
        let error = try refusal {
            // The RSA row comes first, so that rows of the two kinds are counted separately.
            $0.caKeys.reverse()
            $0.caKeys[1].curve?.y[31] ^= 1
            $0.caKeys[1].curve?.sha256 = nil
        }
        #expect(error.section == .caKey && error.row == 1 && error.field == .point && error.reason == .badValue)
        #expect(
            error.description
                == "caKeys[1] (RID F000000808, index 01), point: "
                + "expected a point of the curve P-256, found x and y of none")
    }

    @Test func aKeyOfRSAIsNamedByItsPlaceAmongAllKeys() throws {
        let error = try refusal { $0.caKeys[1].sha1?[0] ^= 1 }
        #expect(error.section == .caKey && error.row == 1 && error.field == .checksum)
        #expect(
            error.description
                == "caKeys[1] (RID F000000808, index E1), SHA-1: "
                + "expected the SHA-1 of RID, index, modulus and exponent, found another one")
    }

    @Test func aCheckSumOfACurveKeyIsCompared() throws {
        let error = try refusal { $0.caKeys[0].curve?.sha256?[0] ^= 1 }
        #expect(error.row == 0 && error.field == .checksum256 && error.reason == .badChecksum)
        #expect(
            error.description
                == "caKeys[0] (RID F000000808, index 01), SHA-256: "
                + "expected the SHA-256 of RID, index, suite, x and y, found another one")
    }

    @Test func lengthsAndRepetitionsOfCurveKeysAreNamed() throws {
        #expect(try refusal { $0.caKeys[0].curve?.x.removeLast() }.field == .point)
        #expect(try refusal { $0.caKeys[0].curve?.sha256?.removeLast() }.field == .checksum256)
        #expect(try refusal { $0.caKeys[0].rid = [1] }.field == .rid)
        let twice = try refusal { $0.caKeys.append($0.caKeys[0]) }
        #expect(twice.section == .caKey && twice.row == 2 && twice.field == .index && twice.reason == .duplicate)
    }

    @Test func aKeyOfAnotherSuiteIsKept() throws {
        var configuration = try Kernel8Tests.configuration()
        configuration.caKeys.append(
            CAKey(rid: [0xF0, 0, 0, 8, 8], index: 2, curve: CAKey.Curve(suite: 0x11, x: [1], y: [2])))
        #expect(try CheckedConfiguration(configuration, secrets: testSecrets).configuration == configuration)
        #expect(try Configuration(json: Array(configuration.json.utf8)) == configuration)
    }

    @Test func limitsAreTheKernelsOwnAndGivenOnce() throws {
        let twice = try refusal { $0.combinations[0].limits.cvmRequired = 5000 }
        #expect(twice.field == .limits && twice.tag == 0x9F820E && twice.reason == .conflict)
        #expect(try refusal { $0.combinations[0].limits.terminalFloor = 1 }.field == .limits)
        #expect(try refusal { $0.combinations[0].limits.cdcvmTransaction = 1 }.field == .limits)
        #expect(try refusal { $0.combinations[0].ttq = [0, 0, 0, 0] }.field == .ttq)

        var configuration = try Kernel8Tests.configuration()
        configuration.combinations[0].data[0x9F820D] = nil
        configuration.combinations[0].data[0x9F820E] = nil
        configuration.combinations[0].limits = Limits(transaction: 90_000, floor: 10_000, cvmRequired: 5_000)
        _ = try CheckedConfiguration(configuration, secrets: testSecrets)
        let trace = try Kernel8Tests.trace()
        var same = trace
        same.configuration.combinations[0].limits = Limits(floor: 10_000, cvmRequired: 5_000)
        same.configuration.combinations[0].data = configuration.combinations[0].data
        #expect(try TraceReplay(same, secrets: testSecrets).run().differences == [])
    }

    @Test func tooManyObjectsThatTheBookDoesNotListAreRefused() throws {
        let error = try refusal {
            for number: UInt32 in 0..<9 { $0.combinations[0].data[Tag(rawValue: 0xDF8401 + number)!] = [] }
        }
        #expect(error.section == .combination && error.field == .data && error.reason == .tooMany)
    }

    @Test func theOffsetFromUTCHasItsRange() throws {
        let trace = try Kernel8Tests.trace()
        let configuration = try CheckedConfiguration(trace.configuration, secrets: testSecrets)
        for (offset, allowed) in [(-841, false), (-840, true), (840, true), (841, false), (100_000, false)] {
            var transaction = trace.transaction
            transaction.utcOffset = offset
            if allowed {
                _ = try KernelSession(configuration, transaction)
            } else {
                let error = #expect(throws: ConfigurationError.self) {
                    _ = try KernelSession(configuration, transaction)
                }
                #expect(error?.section == .transaction && error?.field == .time)
            }
        }
    }

    @Test func memoryGrowsWithKernel8Alone() throws {
        let memory = SessionMemory()
        let trace = try Kernel8Tests.trace()
        do {
            let session = try KernelSession(
                CheckedConfiguration(workingConfiguration()), trace.transaction, memory: memory)
            #expect(session.kind == .poll)
        }
        #expect(memory.withUnsafeBytes { $0.count } == 8192)
        do {
            let session = try KernelSession(
                CheckedConfiguration(trace.configuration, secrets: testSecrets), trace.transaction, memory: memory)
            #expect(session.kind == .poll)
        }
        #expect((8193...10_240).contains(memory.withUnsafeBytes { $0.count }))
    }

    /// The kernel draws a key pair and a number from the system's random bytes without asking for them, and a new key
    /// for each tap.
    @Test func theKernelDrawsANewKeyForEachTap() throws {
        let trace = try Kernel8Tests.trace()
        let configuration = try CheckedConfiguration(trace.configuration, secrets: testSecrets)
        var commands: [Bytes] = []
        for _ in 0..<2 {
            var transaction = trace.transaction
            transaction.random = .system
            var session = try KernelSession(configuration, transaction)
            session.advance(.card)
            for case .exchange(_, let response, _) in trace.items.prefix(2) { session.advance(.response(response)) }
            #expect(session.kind == .send)
            commands.append(session.command)
        }
        #expect(commands.allSatisfy { $0.starts(with: [0x80, 0xA8]) && $0.count > 69 })
        #expect(commands[0] != commands[1])
    }

    @Test func optionsStandInTheirObject() throws {
        let text = """
            { "format": "emv-configuration/1", "combinations": [ { "aid": "F0000008080101", "kernel": 8,
              "kernel8": { "relayLatencyMicroseconds": 250, "dataExchange": false } } ] }
            """
        let configuration = try Configuration(json: Array(text.utf8))
        let options = CombinationKernel.Kernel8Options(relayLatencyMicroseconds: 250, dataExchange: false)
        #expect(configuration.combinations[0].kernel == .kernel8(options))
        #expect(try Configuration(json: Array(configuration.json.utf8)) == configuration)
        #expect(CombinationKernel(8).kernel8 == CombinationKernel.Kernel8Options())

        let wrong = [
            ("\"relayLatencyMicroseconds\": 250", "\"relayLatencyMicroseconds\": 4294967296", "4294967295"),
            ("\"kernel\": 8", "\"kernel\": 7", "expected a combination of Kernel 8, found one of Kernel 7"),
            (
                "\"aid\"", "\"ttq\": \"00000000\", \"aid\"",
                "expected no \"ttq\" with Kernel 8, found a string of 8 bytes"
            ),
            ("\"dataExchange\"", "\"exchange\"", "found the unknown key \"exchange\""),
        ]
        for (from, to, said) in wrong {
            let changed = text.replacingOccurrences(of: from, with: to)
            let error = #expect(throws: FormatError.self) { try Configuration(json: Array(changed.utf8)) }
            #expect(error?.description.contains(said) == true, "\(to)")
        }
    }

    @Test func curveKeysAreReadToTheLetter() throws {
        func read(_ row: String) throws -> Configuration {
            try Configuration(json: Array("{ \"format\": \"emv-configuration/1\", \"caKeys\": [ \(row) ] }".utf8))
        }
        let x = String(repeating: "AB", count: 32)
        let head = "\"rid\": \"F000000808\", \"index\": \"01\""
        let key = try read("{ \(head), \"suite\": \"10\", \"x\": \"\(x)\", \"y\": \"\(x)\" }").caKeys[0]
        #expect(key.curve == CAKey.Curve(x: Hex.bytes(x)!, y: Hex.bytes(x)!) && key.modulus.isEmpty)
        for row in [
            "{ \(head), \"suite\": \"10\", \"x\": \"\(x)\" }", "{ \(head), \"x\": \"\(x)\", \"y\": \"\(x)\" }",
            "{ \(head), \"suite\": \"10\", \"x\": \"AB\", \"y\": \"\(x)\" }",
            "{ \(head), \"suite\": \"10\", \"x\": \"\(x)\", \"y\": \"\(x)\", \"exponent\": \"03\" }",
            "{ \(head), \"suite\": \"10\", \"x\": \"\(x)\", \"y\": \"\(x)\", \"sha256\": \"AB\" }",
        ] {
            #expect(throws: FormatError.self, "\(row)") { try read(row) }
        }
    }

    @Test func aLocalTimeKeepsItsOffset() throws {
        let day = CalendarDate(year: 2026, month: 11, day: 21)!
        for (offset, text) in [(0, ""), (60, "+01:00"), (-150, "-02:30"), (840, "+14:00")] {
            let moment = LocalTime(date: day, time: .midnight, utcOffset: offset)
            let encoded = try JSONEncoder().encode([moment])
            #expect(String(decoding: encoded, as: UTF8.self) == "[\"2026-11-21T00:00:00\(text)\"]")
            #expect(try JSONDecoder().decode([LocalTime].self, from: encoded) == [moment])
        }
        for text in ["Z", "+1:00", "+01:60", "+14:01", "+0100", "*01:00", "+aa:bb", "+01:00 "] {
            #expect(LocalTime("2026-11-21T00:00:00\(text)") == nil, "\(text)")
        }
    }
}
