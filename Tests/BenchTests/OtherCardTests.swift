// SPDX-License-Identifier: Apache-2.0
import EMVFormats
import EMVKit
import EMVSimulator
import Foundation
import TestData
import Testing

@testable import emv_bench

/// `emv-bench tap` without a configuration accepts any Visa and any Mastercard that goes online. The cards come from
/// the independent traces, and another implementation issued them.
struct OtherCardTests {
    /// Cards with one application that went online in one presentment, whether card or reader decided so.
    static let cards: [String] = {
        let all = IndependentTraces.file("k2-traces").names + IndependentTraces.file("k3-traces").names
        return all.filter { !$0.hasPrefix("k2-then-k3") }.filter { name in
            guard let trace = try? Trace(json: IndependentTraces.all.json(name)) else { return false }
            return trace.expectation.outcome == .onlineRequest
                && trace.items.allSatisfy { if case .exchange = $0 { true } else { false } }
        }
    }()

    private func card(_ name: String) throws -> OtherCard {
        OtherCard(try Trace(json: IndependentTraces.all.json(name)))
    }

    @Test func thereAreCardsOfBothKernels() {
        #expect(OtherCardTests.cards.filter { $0.hasPrefix("k2-") }.count >= 25)
        #expect(OtherCardTests.cards.filter { $0.hasPrefix("k3-") }.count >= 10)
    }

    /// Runs the code of the command itself, except for PC/SC; the recorded trace replays.
    @Test(arguments: cards)
    func theDemonstrationTakesTheCardOnline(_ name: String) async throws {
        let card = try card(name)
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("emv-bench-\(UUID().uuidString).json")
            .path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let tap = try #require(
            try Tap.parseAsRoot(["--amount", "12.50", "--json", "--timeout", "5", "--record", path, "--include-pan"])
                as? Tap)
        let outcome = try await tap.take(card) { "a card of another implementation" }.outcome
        #expect(await card.asksForCDA == false)
        let read: CardRead? =
            switch outcome {
            case .success(let read), .onlinePINRequired(let read): read
            default: nil
            }
        #expect(read?.authorization == .onlineRequired, "\(name): \(outcome.name.rawValue)")
        #expect(read?.outcome.status == .onlineRequest)
        let trace = try Trace(contentsOf: path)
        #expect(try TraceReplay(trace).run().differences == [])
    }

    /// The simulator's reader has no keys for these cards; it does not decline them for that reason.
    @Test(arguments: cards.filter { $0.hasPrefix("k2-cda-unknown") || $0.hasPrefix("k2-no-cda-f") })
    func theSimulatorsReaderTakesTheCardOnline(_ name: String) async throws {
        let reader = TapReader(
            try card(name), configuration: .simulator(limits: Limits(transaction: 30_000, floor: 0, cvmRequired: 5_000))
        )
        let session = try await reader.prepare()
        let outcome = await session.read(
            PaymentRequest(amount: Money(minorUnits: 1250, currency: .eur), timeout: .seconds(5)))
        guard case .success(let read) = outcome else {
            Issue.record("\(name): \(outcome.name.rawValue)")
            return
        }
        #expect(read.authorization == .onlineRequired)
    }
}

/// The card of a trace, as far as one dialogue defines it: its files are the trace's responses, and it makes a
/// cryptogram without a signature for any requested type.
actor OtherCard: CardTransport {
    private let answers: [(command: Bytes, response: Bytes)]
    private var hasCome = false
    private(set) var asksForCDA = false

    init(_ trace: Trace) {
        answers = trace.items.compactMap { item in
            if case .exchange(let command, let response, _) = item { (command, response) } else { nil }
        }
    }

    func waitForCard(_ poll: Poll) async -> CardEvent {
        guard !hasCome else { return poll.removalFirst ? .removed : .nothing }
        hasCome = true
        return .card
    }

    func fieldOff() async {}

    func transceive(_ command: Bytes) async -> Exchange {
        .response(answer(command), elapsed: .milliseconds(5))
    }

    private func answer(_ command: Bytes) -> Bytes {
        switch command[1] {
        case 0xAE: return cryptogram(command)
        case 0xA4: return answers.first { $0.command.dropLast() == command.dropLast() }?.response ?? [0x6A, 0x82]
        case 0xA8, 0x2A: return answers.first { $0.command[1] == command[1] }?.response ?? [0x69, 0x85]
        default: return answers.first { $0.command.prefix(4) == command.prefix(4) }?.response ?? [0x6A, 0x88]
        }
    }

    /// GENERATE AC (EMV Book 3, 6.5.5): cryptogram information data, counter, cryptogram, and the issuer application
    /// data of the trace's card.
    private func cryptogram(_ command: Bytes) -> Bytes {
        if command[2] & 0x10 != 0 {
            asksForCDA = true
            return [0x69, 0x85]
        }
        let given: Bytes = answers.first { $0.command[1] == 0xAE }?.response ?? []
        if given.first == 0x80 { return given }
        var data: DataObjects = [0x9F27: [command[2] & 0xC0], 0x9F36: [0x00, 0x21], 0x9F26: [1, 2, 3, 4, 5, 6, 7, 8]]
        var tree = TLVTree(given.dropLast(2))
        while let (object, _) = tree.next() {
            if object.tag == 0x9F10 { data[0x9F10] = Bytes(object.value) }
        }
        return [0x77, UInt8(data.encoded.count)] + data.encoded + [0x90, 0x00]
    }
}
