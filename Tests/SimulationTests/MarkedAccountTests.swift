// SPDX-License-Identifier: Apache-2.0
import EMVFormats
import Foundation
import Testing

@testable import EMVCards
@testable import EMVKernel
@testable import EMVKit
@testable import EMVPOS
@testable import EMVSimulator

/// An account number that no other test uses, and every form in which it could appear.
///
/// Masks show its first six and last four digits; the digits between must never appear.
struct MarkedAccount {
    static let pan = "4929135792468013"
    static let discretionary = "0098765432"

    static func card(_ name: String) -> VirtualCard {
        var profile = CardProfile.named(name)!
        profile.application.pan = pan
        profile.application.discretionaryData = discretionary
        return VirtualCard(profile)
    }

    /// Byte sequences that reveal the number or the discretionary data, as stored in memory or in text.
    static let needles: [[UInt8]] = {
        let middle = Array(pan.dropFirst(6).dropLast(4))
        var needles = [Array(String(middle).utf8), Array(pan.utf8), Array(discretionary.utf8)]
        // Packed digits, in both alignments.
        for digits in [pan, discretionary] {
            let nibbles = digits.utf8.map { $0 & 0xF }
            for start in 0...1 {
                needles.append(
                    stride(from: start, to: nibbles.count - 1, by: 2).map { nibbles[$0] << 4 | nibbles[$0 + 1] })
            }
        }
        // The output of an encoder that writes arrays of numbers, or base 64 in any of its three alignments.
        let packed: [UInt8] = [0x13, 0x57, 0x92, 0x46]
        for separator in [", ", ",", ",\n"] {
            needles.append(Array(packed.map(String.init).joined(separator: separator).utf8))
        }
        for shift in 0..<3 {
            let text = Data([UInt8](repeating: 0, count: shift) + packed + [0x80, 0x13]).base64EncodedString()
            needles.append(Array(text.utf8.dropFirst(4 * min(shift, 1)).prefix(4)))
        }
        return needles.filter { $0.count >= 4 }
    }()

    static func find(in bytes: UnsafeRawBufferPointer) -> [UInt8]? {
        for needle in needles where bytes.count >= needle.count {
            var start = 0
            while start <= bytes.count - needle.count {
                if bytes[start] == needle[0], (1..<needle.count).allSatisfy({ bytes[start + $0] == needle[$0] }) {
                    return needle
                }
                start += 1
            }
        }
        return nil
    }

    static func find(in text: String) -> [UInt8]? { Array(text.utf8).withUnsafeBytes { find(in: $0) } }
    static func find(in bytes: [UInt8]) -> [UInt8]? { bytes.withUnsafeBytes { find(in: $0) } }

    /// Every text that standard facilities produce from a value.
    static func renderings(_ value: Any) -> String {
        var text = "\(value)\n" + String(reflecting: value) + "\n" + String(describing: value) + "\n"
        dump(value, to: &text)
        text += "\(Mirror(reflecting: value).children.map { "\($0)" })"
        guard let encodable = value as? any Encodable else { return text }
        let json = JSONEncoder()
        json.outputFormatting = [.prettyPrinted]
        for data in [try? json.encode(encodable), try? JSONEncoder().encode(encodable)] {
            text += data.map { String(decoding: $0, as: UTF8.self) } ?? ""
        }
        let list = PropertyListEncoder()
        list.outputFormat = .xml
        text += (try? list.encode(encodable)).map { String(decoding: $0, as: UTF8.self) } ?? ""
        return text
    }
}

@Suite struct MarkedAccountTests {
    /// Cards for both kernels, every kind of ending, verification, relay, torn transactions, mag-stripe mode.
    static let cards = [
        "online", "fdda", "decline", "onlineCVN22", "issuerUpdate", "onlinePIN", "missingTrack2", "wrongSignature",
        "mcOnline",
        "mcOffline", "mcDecline", "mcStripe", "mcTorn", "mcStorage", "mcCommonCoreAES", "mcMissingCryptogram",
    ]

    /// The search works; otherwise the tests below would prove nothing.
    @Test func theSearchFindsEveryForm() {
        let track = MarkedAccount.card("online").profile.application.track2Object.value
        #expect(MarkedAccount.find(in: track) != nil)
        #expect(MarkedAccount.find(in: track.hex) != nil)
        #expect(MarkedAccount.find(in: track.hex.lowercased()) != nil)
        #expect(MarkedAccount.find(in: "\(track)") != nil)
        for shift in 0..<3 {
            #expect(
                MarkedAccount.find(in: Data([UInt8](repeating: 7, count: shift) + track).base64EncodedString()) != nil,
                "\(shift)")
        }
        #expect(MarkedAccount.find(in: "492913******8013") == nil)
        #expect(MarkedAccount.renderings(track).contains("\(track[0])"))
    }

    /// Outcome, read, extraction, message: described, dumped, mirrored, encoded.
    @Test(arguments: cards)
    func nothingThatAnAppHoldsShowsIt(name: String) async throws {
        let reader = TapReader(SimulatedReader(MarkedAccount.card(name)), configuration: IssuerTap.configuration())
        let events = reader.events()
        let session = try await reader.prepare()
        let request = PaymentRequest(amount: Money(minorUnits: 12_50, currency: .eur), moment: TapThroughTests.moment)
        let outcome = await session.read(request)
        var values: [Any] = [outcome, request, reader, session]
        switch outcome {
        case .success(let read), .declined(let read), .onlinePINRequired(let read):
            let chip = ChipData(read)
            values += [read, read.outcome, read.dataRecord, read.discretionary, chip, chip.messageFields()]
            if let chip = chip.accountNumber { values.append(chip) }
            if let track = chip.track2 { values.append(track) }
            if let field = try? chip.dataSet() { values.append(field) }
            if let message = try? IssuerMessage(chip) { values.append(message) }
        default: break
        }
        await session.cancel()
        for value in values {
            #expect(MarkedAccount.find(in: MarkedAccount.renderings(value)) == nil, "\(name): \(type(of: value))")
        }
        for await event in events {
            #expect(MarkedAccount.find(in: MarkedAccount.renderings(event)) == nil)
            if event == .ready { break }
        }
    }

    /// The session's memory contains no card data after the tap, whatever its final state.
    @Test(arguments: cards)
    func theSessionsMemoryIsWiped(name: String) async throws {
        let memory = SessionMemory()
        var card = MarkedAccount.card(name)
        var found = false
        do {
            let configuration = try CheckedConfiguration(IssuerTap.configuration())
            var session = try KernelSession(configuration, IssuerTap.transaction(), memory: memory)
            var steps = 0
            while session.kind != .done, session.kind != .parked, steps < 200 {
                steps += 1
                Self.answer(&session, &card)
            }
            found = memory.withUnsafeBytes { MarkedAccount.find(in: $0) } != nil
        }
        // The data were there while the session lived; otherwise the test would prove nothing.
        if !["missingTrack2", "mcMissingCryptogram"].contains(name) { #expect(found, "\(name)") }
        #expect(memory.withUnsafeBytes { MarkedAccount.find(in: $0) } == nil, "\(name)")
    }

    private static func answer(_ session: inout KernelSession, _ card: inout VirtualCard) {
        switch session.kind {
        case .poll:
            card.reset()
            for before in [Reply.removed, .collisionCleared] where session.takes(before) { session.advance(before) }
            session.advance(.card)
        case .send: session.advance(.response(card.respond(to: session.command), elapsed: .milliseconds(8)))
        case .ask: session.advance(.deadlinePassed)
        case .work: session.advance(.carryOn)
        case .parked, .done: break
        }
    }

    /// The reader's own session memory, after tap and answer.
    @Test(arguments: ["online", "issuerUpdate", "mcOnline", "mcStripe"])
    func theReadersSessionMemoryIsWiped(name: String) async throws {
        let reader = TapReader(SimulatedReader(MarkedAccount.card(name)), configuration: IssuerTap.configuration())
        let session = try await reader.prepare()
        let request = PaymentRequest(amount: Money(minorUnits: 12_50, currency: .eur), moment: TapThroughTests.moment)
        _ = await session.read(request)
        await session.cancel()
        #expect(await reader.findMarkedAccount() == nil)
    }

    /// A redacted trace.
    @Test func aRedactedTraceDoesNotShowIt() throws {
        var card = MarkedAccount.card("fdda")
        let configuration = IssuerTap.configuration()
        let checked = try CheckedConfiguration(configuration)
        let transaction = IssuerTap.transaction(.fixed(Array(0..<64)))
        var session = try KernelSession(checked, transaction)
        var items: [Trace.Item] = []
        while session.kind != .done, session.kind != .parked, items.count < 100 {
            if session.kind == .send {
                let command = session.command
                let response = card.respond(to: command)
                items.append(.exchange(command: command, response: response, elapsed: .milliseconds(8)))
                session.advance(.response(response, elapsed: .milliseconds(8)))
            } else {
                Self.answer(&session, &card)
            }
        }
        let trace = Trace(
            name: "marked", source: "test", configuration: configuration, transaction: transaction, items: items)
        #expect(MarkedAccount.find(in: trace.json) != nil)
        #expect(MarkedAccount.find(in: trace.redacted().json) == nil)
        #expect(MarkedAccount.find(in: MarkedAccount.renderings(trace)) == nil)
    }

    /// The output of a process during taps and prints. It runs as a separate process whose streams are observed,
    /// because other tests write to the streams of this one at the same time.
    @Test func standardOutputAndErrorDoNotShowIt() async throws {
        let ended = try #require(
            await #expect(
                processExitsWith: .success, observing: [\.standardOutputContent, \.standardErrorContent]
            ) {
                for name in ["online", "decline", "mcOnline", "missingTrack2"] {
                    let reader = TapReader(
                        SimulatedReader(MarkedAccount.card(name)), configuration: IssuerTap.configuration())
                    let session = try await reader.prepare()
                    let request = PaymentRequest(
                        amount: Money(minorUnits: 12_50, currency: .eur), moment: TapThroughTests.moment)
                    let outcome = await session.read(request)
                    print(outcome)
                    debugPrint(outcome)
                    dump(outcome)
                    dump(reader)
                    FileHandle.standardError.write(Data("\(outcome)\n".utf8))
                    await session.cancel()
                }
            })
        for written in [ended.standardOutputContent, ended.standardErrorContent] {
            #expect(written.count > 400)
            #expect(written.withUnsafeBytes { MarkedAccount.find(in: $0) } == nil)
        }
    }
}

extension TapReader {
    /// Searches the memory of its sessions.
    fileprivate func findMarkedAccount() -> [UInt8]? { memory.withUnsafeBytes { MarkedAccount.find(in: $0) } }
}
