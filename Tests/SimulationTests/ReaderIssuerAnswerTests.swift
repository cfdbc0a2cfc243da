// SPDX-License-Identifier: Apache-2.0
import EMVKit
import EMVSimulator
import Testing

/// How a reader with virtual cards handles the issuer's answer (Book B 3.3.2.1, 3.3.3.5; Book A 8.1.1.22; Book C-3
/// chapter 6).
@Suite(.timeLimit(.minutes(30))) struct ReaderIssuerAnswerTests {
    /// Records the commands.
    private actor Listener: CardTransport {
        private let reader: SimulatedReader
        private(set) var commands: [Bytes] = []

        init(_ card: any CardPresentation) { reader = SimulatedReader(card) }

        func waitForCard(_ poll: Poll) async -> CardEvent { await reader.waitForCard(poll) }
        func fieldOff() async { await reader.fieldOff() }
        func fieldOff(for hold: Duration) async { await reader.fieldOff(for: hold) }
        func transceive(_ command: Bytes) async -> Exchange {
            commands.append(command)
            return await reader.transceive(command)
        }

        /// Class and instruction of the commands after the first `count`; for SELECT, its name.
        func heads(after count: Int) -> [String] {
            commands.dropFirst(count).map { Hex.string($0[1] == 0xA4 ? $0.dropFirst(5).dropLast() : $0.prefix(2)) }
        }
    }

    private static let visa = "A0000000031010"

    /// Two applications that accept the issuer's answer; the first shows no PDOL when it is presented again for it.
    private static let forgetful: CardProfile = {
        var first = CardApplication(), second = CardApplication()
        first.visa.qualifiers = [0x00, 0x40]
        second.visa.qualifiers = [0x00, 0x40]
        first.flaws = [.missingPDOLLater]
        second.aid += [0x02]
        second.priority = 2
        return CardProfile(name: "forgetful", summary: "", applications: [first, second])
    }()

    private func sale(
        _ card: any CardPresentation, _ profile: Protection.Profile
    ) async throws -> (Listener, TapReader, ReaderSession, CardRead) {
        let listener = Listener(card)
        let configuration = Configuration.simulator(
            ttq: [0x36, 0x00, 0xC0, 0x00], protection: Protection(profile: profile))
        let reader = TapReader(listener, configuration: configuration)
        let session = try await reader.prepare()
        let outcome = await session.read(PaymentRequest(amount: Money(minorUnits: 1250, currency: .eur)))
        guard case .success(let read) = outcome else { throw Failure(outcome: outcome) }
        return (listener, reader, session, read)
    }

    private struct Failure: Error { let outcome: TapOutcome }

    @Test(
        "It reaches no other application than the one that asked, in any profile",
        arguments: [Protection.Profile.book, .guarded, .strict])
    func answerReachesNoOtherApplication(_ profile: Protection.Profile) async throws {
        let card = ReaderIssuerAnswerTests.forgetful
        let (listener, _, session, read) = try await sale(VirtualCard(card), profile)
        let before = await listener.commands.count
        let result = await session.authorize(read, with: SimulatedAuthorizer(card: card))
        #expect(result.name == .approved)
        #expect(await listener.heads(after: before) == [ReaderIssuerAnswerTests.visa])
    }

    @Test(
        "Link faults of the first presentment leave the card its second one: whoever is invited is served",
        arguments: [Protection.Profile.book, .guarded, .strict])
    func invitedCardIsServed(_ profile: Protection.Profile) async throws {
        let card = try #require(CardProfile.named("issuerUpdate"))
        let faulty = FaultyCard(VirtualCard(card), FaultPlan([1: [.drop], 2: [.drop]]))
        let (listener, reader, session, read) = try await sale(faulty, profile)
        let before = await listener.commands.count, events = reader.events()
        #expect(await session.authorize(read, with: SimulatedAuthorizer(card: card)).name == .approved)
        #expect(await listener.heads(after: before) == [ReaderIssuerAnswerTests.visa, "0082"])
        var messages: [Message] = []
        for await event in events {
            if case .prompt(let prompt) = event { messages.append(prompt.message) }
            if event == .authorized(.approved) { break }
        }
        #expect(messages.contains(.presentAgain) && !messages.contains(.tryAnotherCard), "\(messages)")
    }

    @Test(
        "Without issuer data Kernel 3 requests no second presentment: unable to go online, empty or lost answer"
    )
    func onlyIssuerDataBringTheCardBack() async throws {
        let card = try #require(CardProfile.named("issuerUpdate"))
        let cases: [(SimulatedAuthorizer.Answer, AuthorizationName)] = [
            (.decision(.approved(Approval())), .approved), (.decline("51"), .declined), (.unreachable, .failed),
            (.loseAnswer, .reversed),
        ]
        for (answer, name) in cases {
            let (listener, _, session, read) = try await sale(VirtualCard(card), .guarded)
            let before = await listener.commands.count
            let host = SimulatedAuthorizer(answer)
            #expect(await session.authorize(read, with: host).name == name)
            #expect(await listener.commands.count == before)
            #expect(await host.reversals.count == (answer == .loseAnswer ? 1 : 0))
        }
    }

    @Test("An issuer that wants a PIN first: the card gets the answer to the request that the PIN went with, once")
    func cardGetsTheLastAnswer() async throws {
        let card = try #require(CardProfile.named("issuerUpdate"))
        let (listener, _, session, read) = try await sale(VirtualCard(card), .guarded)
        let before = await listener.commands.count
        let host = SimulatedAuthorizer(.requestPIN(times: 1), card: card)
        #expect(await session.authorize(read, with: host, pinPad: SimulatedPINPad()).name == .approved)
        #expect(await host.requests.map { $0.pin != nil } == [false, true])
        #expect(await listener.heads(after: before) == [ReaderIssuerAnswerTests.visa, "0082"])
    }
}
