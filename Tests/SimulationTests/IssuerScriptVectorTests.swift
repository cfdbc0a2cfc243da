// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import EMVCards
@testable import EMVSimulator

/// Issuer scripts made by an independent implementation (Tests/Vectors/issuer-scripts.json names it and describes how).
private struct ScriptVectors: Decodable {
    struct Group: Decodable {
        let scheme, messaging: String
        let tests: [Script]
    }

    struct Script: Decodable {
        let name: String
        /// The keys for cryptograms, MACs and encipherment.
        let masterKeys: [String]
        let pan, sequence, counter, cryptogram: String
        let commands: [Command]

        /// The card for which the script was made.
        var application: CardApplication {
            var application = CardProfile.named("issuerUpdate")!.application
            application.pan = pan
            application.sequence = UInt8(sequence)
            application.masterKey = [UInt8](hex: masterKeys[0])
            application.integrityMasterKey = [UInt8](hex: masterKeys[1])
            application.confidentialityMasterKey = [UInt8](hex: masterKeys[2])
            return application
        }
    }

    struct Command: Decodable {
        let command, apdu: String
        let tag, value, pin, current: String?

        var inTheClear: IssuerScript.Command? {
            switch command {
            case "blockApplication": .blockApplication
            case "unblockApplication": .unblockApplication
            case "blockCard": .blockCard
            case "unblockPIN": .unblockPIN
            case "put": .put(tag: UInt16(tag ?? "", radix: 16) ?? 0, value: [UInt8](hex: value ?? ""))
            case "changePIN": .changePIN(pin ?? "", current: current)
            default: nil
            }
        }
    }

    let groups: [Group]

    static func read() throws -> ScriptVectors {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../Vectors/issuer-scripts.json").standardizedFileURL
        return try JSONDecoder().decode(ScriptVectors.self, from: Data(contentsOf: file))
    }

    static let messaging: [String: SecureMessaging] = [
        "visa": .visa, "visaCommon": .visaCommon, "mastercard": .mastercard, "interac": .interac,
    ]

    /// Every script with its secure messaging format.
    static func scripts() throws -> [(SecureMessaging, Script)] {
        try read().groups.flatMap { group in
            let messaging = try #require(Self.messaging[group.messaging])
            return group.tests.map { (messaging, $0) }
        }
    }
}

@Suite struct IssuerScriptVectorTests {
    /// The issuer's side builds each command byte for byte.
    @Test func theIssuersCommandsAreThoseOfTheIndependentImplementation() throws {
        var compared = 0
        for (messaging, script) in try ScriptVectors.scripts() {
            var channel = SecureChannel(
                script.application.cardKeys, messaging, counter: UInt16(script.counter, radix: 16)!,
                cryptogram: [UInt8](hex: script.cryptogram))
            for (place, command) in script.commands.enumerated() {
                let inTheClear = try #require(command.inTheClear)
                let bytes = inTheClear.protected(&channel)
                #expect(bytes?.hex == command.apdu, "\(script.name), command \(place + 1): \(command.command)")
                compared += 1
            }
        }
        #expect(compared == 133)
    }

    /// The card's side performs the commands and then holds the values that they set.
    @Test func theCardPerformsTheCommandsOfTheIndependentImplementation() throws {
        for (messaging, script) in try ScriptVectors.scripts() {
            var receiver = ScriptReceiver(
                script.application, messaging, writable: VisaApplication.writable,
                counter: UInt16(script.counter, radix: 16)!, cryptogram: [UInt8](hex: script.cryptogram))
            for (place, command) in script.commands.enumerated() {
                let label: Comment = "\(script.name), command \(place + 1): \(command.command)"
                var updates = CardUpdates()
                updates.pin = command.current
                let apdu = try #require(CommandAPDU([UInt8](hex: command.apdu)))
                #expect(receiver.perform(apdu, &updates) == .success, label)
                var expected = CardUpdates()
                expected.pin = command.current
                switch try #require(command.inTheClear) {
                case .blockApplication: expected.blockedApplications = [script.application.selectionName]
                case .unblockApplication: break
                case .blockCard: expected.isCardBlocked = true
                case .unblockPIN: expected.pinUnblocks = 1
                case .put(let tag, let value): expected.data[UInt32(tag)] = value
                case .changePIN(let pin, _): expected.pin = pin
                case .updateRecord(let file, let record, let value):
                    expected.records[CardUpdates.Record(file: file, number: record)] = value
                }
                #expect(updates == expected, label)
            }
        }
    }

    /// An M/Chip card expects each command in sequence: a repeated command, or one after an omission, is refused.
    @Test func mChipCommandsStandAtTheirPlace() throws {
        for (messaging, script) in try ScriptVectors.scripts() where messaging == .mastercard {
            let first = try #require(CommandAPDU([UInt8](hex: script.commands[0].apdu)))
            let second = try #require(CommandAPDU([UInt8](hex: script.commands[1].apdu)))
            let fresh = ScriptReceiver(
                script.application, messaging, writable: VisaApplication.writable,
                counter: UInt16(script.counter, radix: 16)!, cryptogram: [UInt8](hex: script.cryptogram))
            var updates = CardUpdates()
            var leftOut = fresh
            #expect(leftOut.perform(second, &updates) == .securityMessagingWrong, "\(script.name)")
            var repeated = fresh
            #expect(repeated.perform(first, &updates) == .success)
            #expect(repeated.perform(first, &updates) == .securityMessagingWrong, "\(script.name)")
            #expect(repeated.perform(second, &updates) == .success, "a refused command changes nothing")
        }
    }
}
