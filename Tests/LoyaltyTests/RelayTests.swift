// SPDX-License-Identifier: Apache-2.0
#if Loyalty
import EMVSimulator
import Foundation
import TestData
import Testing

@testable import EMVKernel
@testable import EMVKit
@testable import EMVLoyalty
@testable import EMVPOS

/// A relay between phone and reader that changes bytes in both directions. Either side detects changes of protected
/// data; the unprotected fields are listed here and in Conformance/pos-data.md.
@Suite struct RelayTests {
    private typealias Relay = ManInTheMiddle<WalletPhone<VirtualCard>>

    /// The request with the most fields: with an address, and before a payment.
    private static let programmes = [
        programme("club", WalletProfile.passType, signUp: "https://club.example/join"), NamedPhones.points,
    ]

    /// Reads passes and a payment through a relay.
    private func tap(
        _ name: String, _ edits: [CardEdit] = []
    ) async throws -> (payment: TapOutcome?, passes: [PassOutcome], recorder: TapRecorder) {
        let recorder = TapRecorder(Relay(WalletProfile.named(name)!.phone, edits))
        let (payment, passes) = await reader(recorder).read(
            payment(), loyalty: try LoyaltyRequest(Self.programmes), .andPayment,
            with: try NamedPhones.context(.unsafeUnlimited))
        return (payment, passes.entries.map(\.outcome), recorder)
    }

    private func value(_ outcomes: [PassOutcome]) -> Bytes? {
        for case .read(let value) in outcomes { return value.bytes }
        return nil
    }

    /// Changes a bit in each byte of each command and of each answer. The payment that follows always equals the one
    /// without passes, and no other pass is read.
    ///
    /// - Returns: the fields in which neither side detected a change: the pass is read as without it.
    private func changeEverything(_ name: String) async throws -> (commands: Set<String>, answers: Set<String>) {
        let plain = TapRecorder(VirtualCard(.named("online")!))
        let expected = await paymentTrace(await reader(plain).read(payment()), plain)
        let clean = try await tap(name)
        let right = try #require(value(clean.passes))
        let count = await clean.recorder.walletCommands.count
        let exchanges = zip(await clean.recorder.commands, await clean.recorder.responses).prefix(count)
        var commands: Set<String> = [], answers: Set<String> = [], changed = 0, twice = 0
        for (place, exchange) in exchanges.enumerated() {
            for isCommand in [true, false] {
                let bytes = isCommand ? exchange.0 : exchange.1
                for at in bytes.indices {
                    let mask = UInt8(1) << UInt8(at % 8)
                    let action: CardEdit.Action =
                        isCommand ? .command(.flip(byte: at, mask: mask)) : .response(.flip(byte: at, mask: mask))
                    let found = try await tap(name, [CardEdit(.number(place + 1), action)])
                    let words = "exchange \(place), command \(isCommand), byte \(at)"
                    changed += 1
                    if await found.recorder.log.count(where: { $0 == "poll" }) == 1 {
                        let trace = await paymentTrace(try #require(found.payment), found.recorder)
                        #expect(trace == expected, "\(words)")
                    } else {
                        // A status word 91xx means that the phone is not ready: it is presented again, and pays.
                        twice += 1
                        #expect(found.payment?.name == .success, "\(words)")
                    }
                    guard let read = value(found.passes) else { continue }
                    #expect(read == right, "\(words)")
                    if isCommand {
                        // Signatures vary in length.
                        let sent = await found.recorder.commands[place]
                        if sent.indices.contains(at) { commands.insert(AirField.name(ofCommand: sent, at)) }
                    } else {
                        answers.insert(AirField.name(ofAnswer: bytes, to: exchange.0, at))
                    }
                }
            }
        }
        #expect(changed > 200 && twice < 5)
        return (commands, answers)
    }

    /// The cryptogram under the merchant's key is bound to the phone's key, the pass type and every byte of the
    /// cryptogram.
    @Test func aRelayChangesOfAVASPassOnlyWhatNothingProtects() async throws {
        let (commands, answers) = try await changeEverything("walletVAS")
        #expect(commands.isSuperset(of: ["VAS 9F26", "VAS 9F29"]))
        #expect(commands.isSubset(of: ["header", "Le", "VAS 9F26", "VAS 9F29", "VAS head of 9F29"]), "\(commands)")
        #expect(answers.isSuperset(of: ["selection 9F23", "selection 9F24"]))
        #expect(answers.allSatisfy { $0.hasPrefix("selection") || $0 == "VAS head of 9F2A" }, "\(answers)")
    }

    /// The merchant's signature covers nonces, collector and key, and the bundle's key is derived from all of these.
    @Test func aRelayChangesOfASmartTapPassOnlyWhatNothingProtects() async throws {
        let (commands, answers) = try await changeEverything("walletSmartTap")
        #expect(commands.contains("Smart Tap pcr"))
        // A phone may read a record's header as it likes; the signature covers the values.
        let plain: Set = ["header", "Le", "Smart Tap pcr", "Smart Tap str"]
        #expect(commands.allSatisfy { plain.contains($0) || $0.hasPrefix("Smart Tap head of") }, "\(commands)")
        #expect(answers.isSuperset(of: ["selection C1", "selection DF62", "Smart Tap ses", "status word"]))
        let free: Set = [
            "second selection", "second selection head of mdn", "Smart Tap ses", "Smart Tap reb", "status word",
        ]
        #expect(answers.allSatisfy { $0.hasPrefix("selection") || free.contains($0) }, "\(answers)")
    }

    /// A relay can offer the phone its own address, and neither side can detect it.
    @Test func aRelayMayOfferAnAddressOfItsOwn() throws {
        let command = VASCommand(
            passType: Digest.sha256(WalletProfile.passType.utf8), signUp: SignUpURL("https://club.example/join"),
            purpose: .andPayment)
        let place = try #require(command.bytes.indices.first { command.bytes[$0...].starts(with: Bytes("club".utf8)) })
        let change = CardEdit(.number(2), .command(.flip(byte: place + 3, mask: 0x01)))
        var relay = Relay(WalletProfile.named("walletVAS")!.phone, [change])
        _ = relay.exchange(WalletSelection.command)
        guard case .response(let answer, _) = relay.exchange(command.bytes), case .vas(let wallet) = relay.card.wallet
        else { Issue.record("no answer"); return }
        #expect(answer.suffix(2) == [0x90, 0x00])
        #expect(wallet.signUps == ["https://cluc.example/join"])
    }
}

/// The field to which a byte of the dialogue belongs, in readable form.
private enum AirField {
    static func name(ofCommand command: Bytes, _ place: Int) -> String {
        if place == command.count - 1 { return "Le" }
        guard place >= 5 else { return "header" }
        if command[1] == 0xA4 { return "name" }
        if command[0] == 0x80 { return "VAS " + objects(command[5..<(command.count - 1)], place) }
        return "Smart Tap " + records(command[5..<(command.count - 1)], place)
    }

    static func name(ofAnswer answer: Bytes, to command: Bytes, _ place: Int) -> String {
        if place >= answer.count - 2 { return "status word" }
        let body = answer[..<(answer.count - 2)]
        if command == WalletSelection.command { return "selection " + objects(body, place) }
        if command[0] == 0x80 { return "VAS " + objects(body, place) }
        // Two version bytes precede the message of the second SELECT.
        if command[1] == 0xA4 {
            return place < 4 ? "second selection" : "second selection " + records(body[4...], place)
        }
        return "Smart Tap " + records(body, place)
    }

    /// The tag of the innermost object whose value contains the byte.
    private static func objects(_ bytes: ArraySlice<UInt8>, _ place: Int) -> String {
        for object in TLVReader(bytes) where object.whole.indices.contains(place) {
            guard object.value.indices.contains(place) else { return "head of \(object.tag)" }
            return object.isConstructed ? objects(object.value, place) : object.tag.description
        }
        return "structure"
    }

    /// The name of the innermost record whose payload contains the byte.
    private static func records(_ bytes: ArraySlice<UInt8>, _ place: Int) -> String {
        var at = bytes.startIndex
        while at + 3 <= bytes.endIndex {
            let isShort = bytes[at] & 0x10 != 0, isNamed = bytes[at] & 0x08 != 0
            let head = at + 2 + (isShort ? 1 : 4) + (isNamed ? 1 : 0)
            guard head <= bytes.endIndex else { break }
            let type = Int(bytes[at + 1]), named = isNamed ? Int(bytes[head - 1]) : 0
            let size = bytes[(at + 2)..<(at + 2 + (isShort ? 1 : 4))].reduce(0) { $0 << 8 | Int($1) }
            let start = head + type + named
            guard start + size <= bytes.endIndex else { break }
            let name = String(decoding: bytes[head..<(head + type)], as: UTF8.self)
            if (at..<start).contains(place) { return "head of \(name)" }
            if (start..<(start + size)).contains(place) {
                let prefix = ["ngr": 2, "srq": 2, "cpr": 70, "nrs": 0, "srs": 0, "mer": 0, "slr": 0][name]
                guard let prefix, place >= start + prefix else { return name }
                return records(bytes[(start + prefix)..<(start + size)], place)
            }
            at = start + size
        }
        return "structure"
    }
}

/// Row Y7: each dialogue with a wallet is damaged somewhere, and a payment follows it.
@Suite struct DamagedDialogueTests {
    /// Damages the wallet's answers, and leaves the card's unchanged.
    private struct DamagedPhone: CardPresentation {
        var phone: Phone
        var generator: SeededRandom

        mutating func poll() -> CardPresence { phone.poll() }
        mutating func reset() { phone.reset() }

        mutating func exchange(_ command: [UInt8]) -> CardReply {
            let reply = phone.exchange(command)
            guard TapRecorder.isOfWallet(command), case .response(let bytes, _) = reply else { return reply }
            switch Int.random(in: 0..<16, using: &generator) {
            case 0: return [.timeout, .transmissionError, .protocolError][Int.random(in: 0...2, using: &generator)]
            case 1: return response(generator.bytes(Int.random(in: 0...300, using: &generator)))
            case 2: return response(bytes + bytes)
            case 3:
                let other = HostileAnswers.right.randomElement(using: &generator)!
                return response(bytes.dropLast(2) + other.suffix(2))
            case 4...6: return HostileAnswers.damaged(bytes, &generator, oneIn: 1)
            default: return reply
            }
        }
    }

    /// Wallets that finish if nothing is damaged: with a published pass, and with a pass encrypted for this tap, whole
    /// and in parts. EMV_MODEL_RUNS sets the number of runs, EMV_MODEL_SEED the first seed.
    @Test func eachDamagedDialogueLeavesThePaymentAsItIs() async throws {
        let environment = ProcessInfo.processInfo.environment
        let runs = environment["EMV_MODEL_RUNS"].flatMap { UInt64($0) } ?? 500
        let first = environment["EMV_MODEL_SEED"].flatMap { UInt64($0) } ?? 1
        let plain = TapRecorder(VirtualCard(.named("online")!))
        let expected = await paymentTrace(await reader(plain).read(payment()), plain)
        let club = programme("club", VASVectors.passType), points = collector("points", SmartTapVectors.collector)
        var keys = LoyaltyKeys()
        try keys.add(SecretBytes(VASVectors.privateKey), for: club)
        try keys.add(SecretBytes(SmartTapVectors.longTermKey), for: points)
        let context = LoyaltyContext(passKeys: keys, signer: keys, freshness: .unsafeUnlimited)
        let request = try LoyaltyRequest([club, programme("other"), points])
        var passes = 0, faults = 0, twice = 0
        for seed in first..<(first + runs) {
            let wallets: [any HandMadeWallet] = [
                PassTypeWallet.withPass, CollectorWallet(), CollectorWallet(partSize: 30),
            ]
            let phone = DamagedPhone(phone: Phone(wallets[Int(seed % 3)]), generator: SeededRandom(seed: seed))
            let recorder = TapRecorder(phone)
            let (outcome, result) = await reader(recorder).read(
                payment(), loyalty: request, .andPayment, with: context)
            #expect(result.entries.count == 3, "seed \(seed)")
            passes += result.hasPass ? 1 : 0
            faults += result.entries.contains { $0.outcome.name == .unreadable } ? 1 : 0
            for case .read(let value) in result.entries.map(\.outcome) {
                #expect([VASVectors.message, "1234567890"].contains(value.text), "seed \(seed): a pass of nobody")
            }
            guard await recorder.log.count(where: { $0 == "poll" }) == 1 else {
                // A damaged status word may mean that the phone is not ready to pay.
                twice += 1
                #expect(outcome?.name == .success, "seed \(seed)")
                continue
            }
            let found = await paymentTrace(try #require(outcome), recorder)
            #expect(found == expected, "seed \(seed)")
        }
        // Some dialogues remain intact, many do not.
        #expect(passes > Int(runs) / 10 && faults > Int(runs) / 10 && twice < Int(runs) / 10)
        if runs > 1_000 { print("damaged dialogues: \(runs), passes \(passes), faults \(faults), twice \(twice)") }
    }
}
#endif
