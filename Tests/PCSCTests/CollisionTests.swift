// SPDX-License-Identifier: Apache-2.0
import EMVKit
import EMVSimulator
import Foundation
import Testing

@testable import EMVPCSC

/// Two cards: on readers that report them, and on other readers, which receive no command for this.
@Suite struct CollisionTests {
    private static let identiv = "Identiv uTrust 3700 F CL Reader 00 00"
    private static let acs = "ACS ACR122U PICC Interface 00 00"
    private static let others = [
        "Virtual PCD 00 00", "SpringCard H663 Series 00 00", "ACS ACR1222 3S PICC Reader 00 00",
        "ACS ACR1252 Dual Reader PICC 0", "ACS ACR1281 1S Dual Reader 00 01",
        "HID Global OMNIKEY 5022 Smart Card Reader 0", "Identive Identive CLOUD 4510 F Contactless + SAM Reader 00 00",
    ]
    private static let list: Bytes = [0xFF, 0x00, 0x00, 0x00, 0x04, 0xD4, 0x4A, 0x02, 0x00]

    private func service(_ reader: String) -> FakeService {
        FakeService([
            ReaderState(name: reader, rawValue: 0x1_0000 | ReaderState.present, atr: CardServer.contactless)
        ])
    }

    private func transport(_ service: FakeService, looks: Bool = true) async throws -> PCSCTransport {
        let transport = PCSCTransport(
            .contactless, options: .init(looksForTwoCards: looks), functions: service.functions)
        if let fault = await transport.open() { throw fault }
        return transport
    }

    private static let poll = Poll(timeout: .seconds(20))

    @Test func aReaderThatSeesTwoCardsIsBelieved() async throws {
        let service = service(CollisionTests.identiv)
        service.change { $0.answers = [[0xE4]: [0x01]] }
        let transport = try await transport(service)
        #expect(await transport.waitForCard(CollisionTests.poll) == .collision)
        // While both cards are present nothing happens, and the reader is asked at most four times a second.
        #expect(await transport.waitForCard(CollisionTests.poll) == .nothing)
        #expect(service.change { $0.escapes.count } <= 82)
        service.change { $0.answers = [[0xE4]: [0x00]] }
        #expect(await transport.waitForCard(CollisionTests.poll) == .collisionCleared)
        #expect(await transport.waitForCard(CollisionTests.poll) == .card)
        #expect(await transport.transceive([0, 0xA4, 4, 0]) == .response([0x90, 0x00], elapsed: .nanoseconds(1000)))
        #expect(service.change { $0.escapes.allSatisfy { $0 == [0xE4] } })
    }

    /// The tap ends as with every reader that detects two cards, and requests a single card.
    @Test func twoCardsThatStayEndAsAtAnyReader() async throws {
        func tap(_ transport: any CardTransport) async throws -> (outcome: TapOutcome, messages: [String]) {
            let options = TapReader.Options(
                waitsForEmptyField: false, random: .fixed((0..<64).map { 0x51 &+ 0x25 &* $0 }))
            let reader = TapReader(transport, configuration: .simulator(), options: options)
            let events = reader.events()
            let talk = Task {
                var messages: [String] = []
                for await event in events {
                    if case .prompt(let prompt) = event { messages.append("\(prompt.message)") }
                    if case .finished = event { break }
                }
                return messages
            }
            var request = StackTests.request(key: ReconciliationKey(rawValue: "two"))
            request.timeout = .seconds(5)
            let outcome = try await reader.prepare().read(request)
            return (outcome, await talk.value)
        }
        let service = service(CollisionTests.identiv)
        service.change { $0.answers = [[0xE4]: [0x01]] }
        let transport = PCSCTransport(
            .contactless, options: .init(looksForTwoCards: true), functions: service.functions)
        let found = try await tap(transport)
        let card = VirtualCard(try #require(CardProfile.named("online")))
        let expected = try await tap(SimulatedReader(TwoCards(card, card, collidingPolls: .max)))
        #expect(found.outcome == expected.outcome && found.messages == expected.messages)
        #expect(found.messages.contains("19"))
    }

    @Test func bothCardsGone() async throws {
        let service = service(CollisionTests.identiv)
        service.change { $0.answers = [[0xE4]: [0x01]] }
        let transport = try await transport(service)
        #expect(await transport.waitForCard(CollisionTests.poll) == .collision)
        service.change { state in
            state.readers = [ReaderState(name: CollisionTests.identiv, rawValue: 0x2_0000 | ReaderState.empty)]
        }
        #expect(await transport.waitForCard(CollisionTests.poll) == .collisionCleared)
        #expect(await transport.waitForCard(CollisionTests.poll) == .nothing)
    }

    /// The chip of an ACR122U is asked after the field was off, and the card is connected again.
    @Test func anACR122ListsItsCards() async throws {
        let service = service(CollisionTests.acs)
        let model = try #require(ReaderModel(readerName: CollisionTests.acs))
        let one: Bytes = [0xD5, 0x4B, 0x01, 1, 0, 4, 0x20, 4, 8, 1, 2, 3, 5, 0x78, 0x80, 0x70, 2, 0x90, 0x00]
        let done: Bytes = [0xD5, 0x33, 0x90, 0x00]
        service.change {
            $0.answers = [model.antennaOff: done, model.antennaOn: done, CollisionTests.list: one]
        }
        let transport = try await transport(service)
        #expect(await transport.waitForCard(CollisionTests.poll) == .card)
        #expect(service.change { $0.escapes } == [model.antennaOff, model.antennaOn, CollisionTests.list])
        #expect(service.change { $0.disconnected } == [CardConnection.Disposition.reset.rawValue])
        #expect(service.count("connect") == 2)
        await transport.fieldOff()
        service.change { $0.answers[CollisionTests.list] = [0xD5, 0x4B, 0x02, 1, 0, 4, 0x90, 0x00] }
        #expect(await transport.waitForCard(CollisionTests.poll) == .collision)
    }

    /// Any other answer of a reader is not a collision; a reader that refuses is not asked again.
    @Test(arguments: [nil, [], [0x02], [0x01, 0x00], [0x6A, 0x81], [0xD5, 0x4B, 0x02]] as [Bytes?])
    func otherAnswersAreNoCollision(answer: Bytes?) async throws {
        for (reader, command) in [(CollisionTests.identiv, [0xE4]), (CollisionTests.acs, CollisionTests.list)] {
            let service = service(reader)
            if let answer { service.change { $0.answers = [command: answer] } }
            let transport = try await transport(service)
            #expect(await transport.waitForCard(CollisionTests.poll) == .card)
            let count = service.change { $0.escapes.count }
            #expect(count >= 1)
            #expect(await transport.waitForCard(CollisionTests.poll) == .card)
            if answer == nil { #expect(service.change { $0.escapes.count } == count) }
        }
    }

    @Test func nobodyElseIsAsked() async throws {
        for name in CollisionTests.others {
            #expect(CollisionQuery(readerName: name) == nil, "\(name)")
            let service = service(name)
            let transport = try await transport(service)
            #expect(await transport.waitForCard(CollisionTests.poll) == .card)
            #expect(service.change { $0.escapes.isEmpty }, "\(name)")
        }
        for name in [CollisionTests.identiv, CollisionTests.acs] {
            let service = service(name)
            let transport = try await transport(service, looks: false)
            #expect(await transport.waitForCard(CollisionTests.poll) == .card)
            #expect(service.change { $0.escapes.isEmpty }, "\(name)")
        }
    }

    /// Sends a command, and requests a polling frame.
    private struct Asking: Prelude {
        var annotation: Bytes? { [0x6A, 0x01, 0x00, 0x00, 0x02, 0xE4, 0xD2] }
        var limit: Duration { .seconds(30) }
        var invitation: TextKey? { nil }
        func hold(_ card: PreludeCard) async { _ = await card.send([0x00, 0xA4, 0x04, 0x00]) }
        func end(after answers: [PreludeAnswer]) -> PreludeEnd { PreludeEnd(.payment) }
    }

    /// Row Y14: no reader is known to send polling frames through PC/SC, so no reader receives a command for one.
    @Test func noReaderIsSentACommandForAPollingFrame() async throws {
        for name in CollisionTests.others + [CollisionTests.identiv, CollisionTests.acs] {
            let service = service(name)
            let transport = try await transport(service, looks: false)
            #expect(!transport.sendsPollingFrames)
            let reader = TapReader(transport, configuration: .simulator(), options: .cardIsThere)
            #expect(await reader.hold(Asking()) == .held, "\(name)")
            #expect(service.count("transmit") == 1, "\(name)")
            #expect(service.change { $0.escapes.isEmpty }, "\(name)")
        }
    }
}

/// The collision tests on a real pcscd, with a scripted reader.
@Suite(.serialized, .enabled(if: Sandbox.isThere, Sandbox.missing), .timeLimit(.minutes(10)))
struct CollisionOnTheStackTests {
    @Test func twoCardsEndAsTwoCards() async throws {
        try ReaderTests.Script.reset()
        try await Sandbox.withReaders("pair") {
            let transport = PCSCTransport(.named("uTrust 3700"), options: .init(looksForTwoCards: true))
            #expect(await transport.open() == nil)
            try ReaderTests.Script.set("answer", [0x01], reader: 1)
            try ReaderTests.Script.set("atr", CardServer.contactless, reader: 1)
            #expect(await transport.waitForCard(Poll(timeout: .seconds(10))) == .collision)
            try ReaderTests.Script.set("answer", [0x00], reader: 1)
            #expect(await transport.waitForCard(Poll(timeout: .seconds(10))) == .collisionCleared)
            #expect(await transport.waitForCard(Poll(timeout: .seconds(10))) == .card)
            #expect(await transport.transceive([0, 0xA4, 4, 0]).bytes == [0x90, 0x00])
            await transport.close()
        }
        try ReaderTests.Script.reset()
    }
}
