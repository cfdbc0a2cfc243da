// SPDX-License-Identifier: Apache-2.0
import EMVKit
import EMVSimulator
import Foundation
import TestWaiting
import Testing

@Suite(.timeLimit(.minutes(30))) struct AuthorizingTests {
    private struct Payment {
        let reader: TapReader
        let session: ReaderSession
        let read: CardRead
    }

    private func payment(
        _ card: String = "online", amount: UInt64 = 1250, configuration: Configuration = .simulator(),
        pace: SimulatedClock = SimulatedClock(),
        _ change: (inout TapReader.Options) -> Void = { _ in }
    ) async throws -> Payment {
        let reader = tapReader(SimulatedReader(try #require(CardProfile.named(card))), configuration: configuration) {
            $0.timer = pace
            change(&$0)
        }
        let session = try await reader.prepare()
        let outcome = await session.read(PaymentRequest(amount: eur(amount)))
        return Payment(reader: reader, session: session, read: try #require(outcome.read, "\(outcome)"))
    }

    private func waitForRequest(_ host: SimulatedAuthorizer) async throws {
        try await waitUntil("the host to be asked") { await !host.requests.isEmpty }
    }

    // MARK: Results

    @Test("C4, C6, G1: an authorisation is announced, its result shown")
    func approvalIsAnnouncedAndShown() async throws {
        let payment = try await payment()
        let host = SimulatedAuthorizer(.approve, card: CardProfile.named("online"))
        let events = collect(payment.reader.events(), until: isAuthorized)
        let result = await payment.session.authorize(payment.read, with: host)
        guard case .approved(let approval) = result.ending else { Issue.record("\(result)"); return }
        #expect(approval.origin == .issuer)
        #expect(result.problems.isEmpty && result.alternatives.isEmpty)
        let seen = await events.value
        let asking = try #require(seen.firstIndex(of: .authorizing))
        let shown = try #require(
            seen.lastIndex { if case .prompt(let prompt) = $0 { prompt.message == .approved } else { false } })
        #expect(asking < shown)
        #expect(seen.last == .authorized(.approved))
        #expect(await host.ledger == [try #require(payment.read.key): .approved])
    }

    @Test(
        "C7: a refusal is precise for the merchant and vague for the customer",
        arguments: [
            ("51", Problem.Code.insufficientFunds), ("59", .suspectedFraud), ("55", .incorrectPIN),
            ("54", .cardExpired), ("43", .cardLostOrStolen),
            ("57", .cardNotPermitted), ("61", .issuerLimitExceeded), ("75", .pinAttemptsExceeded),
            ("91", .issuerUnavailable), ("05", .issuerDeclined),
        ])
    func refusalsAreForTheMerchant(_ code: String, _ expected: Problem.Code) async throws {
        let payment = try await payment()
        let result = await payment.session.authorize(payment.read, with: SimulatedAuthorizer(.decline(code)))
        guard case .declined(let decline) = result.ending else { Issue.record("\(result)"); return }
        #expect(result.problems.map(\.code) == [expected])
        #expect(decline.problem.detail == "response code \(code)")
        #expect(!result.alternatives.isEmpty)
        if [.insufficientFunds, .suspectedFraud, .cardLostOrStolen].contains(expected) {
            #expect(decline.customerDescription == Problem(.issuerDeclined).description)
        }
        #expect(result.prompt(for: payment.read).message == .notAuthorised)
    }

    @Test func anApprovalOfTheCardAsksNobody() async throws {
        let payment = try await payment("fdda")
        let host = SimulatedAuthorizer(.decline("05"))
        #expect(
            await payment.session.authorize(payment.read, with: host)
                == .approved(Approval(origin: .card, responseCode: "Y1")))
        #expect(await host.requests.isEmpty)
    }

    @Test func aCardThatDeclinedIsNotAuthorised() async throws {
        let payment = try await payment("decline")
        let host = SimulatedAuthorizer()
        #expect(await payment.session.authorize(payment.read, with: host) == .declined(Decline(reason: .card)))
        #expect(await host.requests.isEmpty)
    }

    @Test("Asking twice for one tap books once, and gives the same result")
    func oneTapIsAuthorisedOnce() async throws {
        let payment = try await payment()
        let host = SimulatedAuthorizer()
        let first = await payment.session.authorize(payment.read, with: host)
        #expect(await payment.session.authorize(payment.read, with: host) == first)
        #expect(await host.requests.count == 1)
    }

    @Test("E7: a host that was not reached leaves the tap as it was, and may be asked again")
    func whatWasNotSentMayBeSentAgain() async throws {
        let payment = try await payment()
        let result = await payment.session.authorize(payment.read, with: SimulatedAuthorizer(.unreachable))
        #expect(result == .failed([Problem(.hostUnreachable)]))
        #expect(await payment.session.authorize(payment.read, with: SimulatedAuthorizer()).name == .approved)
    }

    // MARK: Deadlines and interruptions

    @Test("F1: an authoriser has 30 seconds; then the payment is reversed")
    func deadlineAsksForAReversal() async throws {
        let clock = SimulatedClock()
        let payment = try await payment(pace: clock)
        let host = SimulatedAuthorizer(.timeOut)
        let result = Task { await payment.session.authorize(payment.read, with: host) }
        try await waitForRequest(host)
        try await waitUntilSomeoneSleeps(clock)
        await clock.advance(by: .milliseconds(29_999))
        #expect(await host.reversals.isEmpty)
        await clock.advance(by: .milliseconds(1))
        #expect(await result.value == .reversed([Problem(.authorizationTimedOut)]))
        #expect(await host.reversals.map(\.reason) == [.timedOut])
        #expect(await host.ledger[try #require(payment.read.key)] == .reversed)
    }

    @Test("E13: a lost answer is reversed")
    func lostAnswersAreReversed() async throws {
        let payment = try await payment()
        let host = SimulatedAuthorizer(.loseAnswer)
        #expect(
            await payment.session.authorize(payment.read, with: host) == .reversed([Problem(.authorizationAnswerLost)]))
        #expect(await host.reversals.map(\.reason) == [.answerLost])
    }

    @Test("E13: where no reversal is confirmed the result is unknown, by a key that existed before the tap")
    func unknownHasAKeyFromBeforeTheTap() async throws {
        let reader = tapReader(SimulatedReader(.online)) { $0.reversalAttempts = 3 }
        let events = collect(reader.events(), until: isFinished)
        let session = try await reader.prepare()
        let read = try #require(await session.read(PaymentRequest(amount: eur(1250))).read)
        let host = SimulatedAuthorizer(.loseAnswer, confirmsReversals: false)
        let result = await session.authorize(read, with: host)
        guard case .unknown(let key) = result.ending else { Issue.record("\(result)"); return }
        let seen = await events.value
        let (started, field) = (seen.firstIndex(of: .started(key)), seen.firstIndex(of: .waitingForCard))
        #expect(try #require(started) < #require(field))
        #expect(await host.reversals.count == 3)
        #expect(result.alternatives.first == .askHost)
    }

    @Test("E13, E14: whoever interrupts, a payment that has left is reversed and the reader is idle")
    func interruptionsAreReversed() async throws {
        for byTask in [false, true] {
            let payment = try await payment()
            let host = SimulatedAuthorizer(.timeOut)
            let result = Task { await payment.session.authorize(payment.read, with: host) }
            try await waitForRequest(host)
            if byTask { result.cancel() } else { await payment.session.cancel() }
            let problems = await result.value.problems
            #expect(problems.map(\.code) == [.authorizationInterrupted])
            #expect(problems.first?.underlying.map(\.code) == [byTask ? .cancelledByProgram : .cancelledByPerson])
            #expect(await host.reversals.map(\.reason) == [.interrupted])
            #expect(await payment.session.read(PaymentRequest(amount: eur(1250))).name == .success)
        }
    }

    @Test func nothingElseHappensWhileAnIssuerIsAsked() async throws {
        let payment = try await payment()
        let host = SimulatedAuthorizer(.timeOut)
        let result = Task { await payment.session.authorize(payment.read, with: host) }
        try await waitForRequest(host)
        #expect(await payment.session.read(PaymentRequest(amount: eur(1250))) == .failed(.busy))
        #expect(await payment.session.authorize(payment.read, with: host) == .unknown(payment.read.key!))
        await payment.session.cancel()
        _ = await result.value
    }

    // MARK: A PIN for the issuer

    @Test("C11, C12: a PIN that the issuer wants replaces its answer, and the issuer is asked anew")
    func issuerPINReplacesTheResult() async throws {
        let payment = try await payment()
        let host = SimulatedAuthorizer(.requestPIN(times: 2))
        let pad = SimulatedPINPad()
        let events = collect(payment.reader.events(), until: isAuthorized)
        let result = await payment.session.authorize(payment.read, with: host, pinPad: pad, accessibility: true)
        #expect(result.name == .approved)
        let requests = await host.requests
        #expect(requests.map(\.attempt) == [1, 2, 3])
        #expect(requests.map { $0.pin != nil } == [false, true, true])
        #expect(Set(requests.map(\.key)).count == 1)
        let asked = await pad.requests
        #expect(asked.map(\.attempt) == [1, 2])
        #expect(asked.allSatisfy { $0.accessibility && $0.amount == eur(1250) })
        let states = await events.value.filter { [.authorizing, .pinEntry].contains($0) }
        #expect(states == [.authorizing, .pinEntry, .authorizing, .pinEntry, .authorizing])
    }

    @Test("C12: an issuer may ask so often and no more")
    func issuerPINsAreBounded() async throws {
        let payment = try await payment { $0.maximumPINRequests = 2 }
        let host = SimulatedAuthorizer(.requestPIN(times: 99))
        let pad = SimulatedPINPad()
        let result = await payment.session.authorize(payment.read, with: host, pinPad: pad)
        #expect(result == .reversed([Problem(.pinAttemptsExceeded)]))
        #expect(await pad.requests.count == 2)
        #expect(await host.reversals.map(\.reason) == [.pinMissing])
    }

    @Test(
        "C11: no PIN, no payment",
        arguments: [
            (SimulatedPINPad.Entry.bypassed, Problem.Code.pinBypassed), (.cancelled, .pinCancelled),
            (.timedOut, .pinTimedOut), (.broken, .pinPadFailed),
        ])
    func missingPINsAreReversed(_ entry: SimulatedPINPad.Entry, _ code: Problem.Code) async throws {
        let payment = try await payment()
        let host = SimulatedAuthorizer(.requestPIN(times: 1))
        let result = await payment.session.authorize(payment.read, with: host, pinPad: SimulatedPINPad([entry]))
        #expect(result.name == .reversed)
        #expect(result.problems.map(\.code) == [code])
        #expect(await host.reversals.map(\.reason) == [.pinMissing])
        #expect(await host.ledger[try #require(payment.read.key)] == .reversed)
    }

    @Test("C11, F1: the deadline of a PIN is the host's, else the options'")
    func pinHasADeadline() async throws {
        let clock = SimulatedClock()
        let payment = try await payment(pace: clock)
        let pad = SimulatedPINPad([.nobody])
        let result = Task {
            await payment.session.authorize(payment.read, with: SimulatedAuthorizer(.requestPIN(times: 1)), pinPad: pad)
        }
        try await waitUntil("the PIN pad to be asked") { await !pad.requests.isEmpty }
        #expect(await pad.requests.first?.timeout == .seconds(55))
        let passing = Task {
            while !Task.isCancelled {
                await clock.advance(by: .seconds(55))
                await Task.yield()
            }
        }
        #expect(await result.value.problems.map(\.code) == [.pinTimedOut])
        passing.cancel()
    }

    @Test("C11: an issuer's own deadline for the PIN goes before the options'")
    func issuersDeadlineOfAPINCounts() async throws {
        let clock = SimulatedClock()
        let payment = try await payment(pace: clock)
        let pad = SimulatedPINPad([.nobody])
        let host = SimulatedAuthorizer(.decision(.pinRequested(PINChallenge(id: "1", deadline: .seconds(7)))))
        let result = Task { await payment.session.authorize(payment.read, with: host, pinPad: pad) }
        try await waitUntil("the PIN pad to be asked") { await !pad.requests.isEmpty }
        #expect(await pad.requests.first?.timeout == .seconds(7))
        var seconds = 0
        while seconds < 50, await host.reversals.isEmpty {
            await clock.advance(by: .seconds(1))
            seconds += 1
            for _ in 0..<200 { await Task.yield() }
        }
        #expect((7..<50).contains(seconds))
        await payment.session.cancel()
        #expect(await result.value.problems.map(\.code) == [.pinTimedOut])
        #expect(await host.reversals.map(\.reason) == [.pinMissing])
    }

    @Test(
        "E13: a second request that fails leaves the first open, which is reversed or unknown",
        arguments: [true, false])
    func failureOfASecondRequestReversesTheFirst(_ confirms: Bool) async throws {
        for withPad in [true, false] {
            let payment = try await payment()
            let host = SimulatedAuthorizer(.inTurn([.requestPIN(times: 1), .unreachable]), confirmsReversals: confirms)
            var result = await payment.session.authorize(
                payment.read, with: host, pinPad: withPad ? SimulatedPINPad() : nil)
            if case .pinRequested(let challenge) = result.ending, let block = SimulatedPINPad.block() {
                result = await payment.session.authorize(payment.read, answering: challenge, with: block)
            }
            let key = try #require(payment.read.key)
            #expect(result == (confirms ? .reversed([Problem(.hostUnreachable)]) : .unknown(key)))
            #expect(await host.reversals.first?.reason == .pinMissing)
            #expect(await host.ledger[key] == (confirms ? .reversed : .open))
            // The payment is settled: another attempt needs another tap.
            #expect(await payment.session.authorize(payment.read, with: SimulatedAuthorizer()) == result)
        }
    }

    @Test(
        "E13: whatever a host answers, a failure leaves nothing open or booked; unknown where a reversal failed"
    )
    func failuresLeaveNothingOpen() async throws {
        let words: [SimulatedAuthorizer.Answer] = [
            .approve, .decline("51"), .requestPIN(times: 9), .unreachable, .loseAnswer,
        ]
        var random = SeededRandom(seed: 14)
        for round in 0..<150 {
            let answers = (0..<3).map { _ in words.randomElement(using: &random)! }
            let confirms = Bool.random(using: &random), withPad = Bool.random(using: &random)
            let payment = try await payment()
            let host = SimulatedAuthorizer(.inTurn(answers), confirmsReversals: confirms)
            var result = await payment.session.authorize(
                payment.read, with: host, pinPad: withPad ? SimulatedPINPad() : nil)
            while case .pinRequested(let challenge) = result.ending {
                #expect(!withPad)
                result = await payment.session.authorize(
                    payment.read, answering: challenge, with: try #require(SimulatedPINPad.block()))
            }
            let booked = await host.ledger[try #require(payment.read.key)]
            let label: Comment = "round \(round): \(answers), \(confirms), \(result)"
            switch result.ending {
            case .approved: #expect(booked == .approved, label)
            case .declined: #expect(booked == .declined, label)
            case .failed, .reversed: #expect(booked == nil || booked == .reversed, label)
            case .unknown: #expect(!confirms, label)
            case .pinRequested, .accepted: Issue.record(label)
            }
        }
    }

    @Test("C11: without a PIN pad the app brings the PIN")
    func appBringsThePIN() async throws {
        let payment = try await payment()
        let host = SimulatedAuthorizer(.requestPIN(times: 1))
        let first = await payment.session.authorize(payment.read, with: host)
        guard case .pinRequested(let challenge) = first.ending else { Issue.record("\(first)"); return }
        #expect(await payment.session.authorize(payment.read, with: host) == first)
        let block = try #require(SimulatedPINPad.block())
        #expect(
            await payment.session.authorize(payment.read, answering: PINChallenge(id: "other"), with: block)
                == first)
        #expect(await payment.session.authorize(payment.read, answering: challenge, with: block).name == .approved)
        #expect(await host.requests.last?.pin == block)
        #expect(await host.requests.last?.challenge == challenge)
        // Nothing is left to give up, and the approval is kept.
        #expect(await payment.session.giveUp(payment.read).name == .approved)
    }

    @Test("E13: a PIN that nobody brings is given up by the app, by cancel, and by the next read")
    func openChallengesAreGivenUp() async throws {
        for way in 0..<3 {
            let payment = try await payment()
            let host = SimulatedAuthorizer(.requestPIN(times: 1))
            _ = await payment.session.authorize(payment.read, with: host)
            switch way {
            case 0: #expect(await payment.session.giveUp(payment.read) == .reversed([Problem(.pinCancelled)]))
            case 1: await payment.session.cancel()
            default: #expect(await payment.session.read(PaymentRequest(amount: eur(1250))).name == .success)
            }
            #expect(await host.reversals.map(\.reason) == [.pinMissing])
            #expect(await payment.session.authorize(payment.read, with: host).name == .reversed)
        }
    }

    @Test("E13: a challenge whose reversal is not confirmed is never left silently")
    func unresolvedChallengesAreTold() async throws {
        let payment = try await payment()
        let host = SimulatedAuthorizer(.requestPIN(times: 1), confirmsReversals: false)
        _ = await payment.session.authorize(payment.read, with: host)
        let key = try #require(payment.read.key)
        let events = collect(payment.reader.events()) { $0 == .unresolved(key) }
        await payment.session.cancel()
        #expect(await events.value.last == .unresolved(key))
        #expect(await payment.session.authorize(payment.read, with: host) == .unknown(key))
    }

    @Test("E13: of an earlier payment that may be booked its own key is told, and never what became of a later one")
    func anEarlierPaymentIsNotAnsweredWithALaterOne() async throws {
        let payment = try await payment()
        let key = try #require(payment.read.key)
        let lost = SimulatedAuthorizer(.loseAnswer, confirmsReversals: false)
        #expect(await payment.session.authorize(payment.read, with: lost) == .unknown(key))
        let later = try #require(await payment.session.read(PaymentRequest(amount: eur(1250))).read)
        #expect(await payment.session.authorize(later, with: SimulatedAuthorizer()).name == .approved)
        #expect(await payment.session.giveUp(payment.read) == .unknown(key))
        #expect(await payment.session.giveUp(later).name == .approved)
    }

    // MARK: A PIN for the card

    @Test("C1, A11: a PIN that the card wants goes with the first request")
    func cardPINGoesWithTheRequest() async throws {
        let payment = try await payment("onlinePIN")
        let host = SimulatedAuthorizer()
        #expect(await payment.session.authorize(payment.read, with: host) == .failed([Problem(.pinPadMissing)]))
        #expect(await host.requests.isEmpty)
        #expect(
            await payment.session.authorize(payment.read, with: host, pinPad: SimulatedPINPad([.cancelled])).problems
                .map(\.code) == [.pinCancelled])
        #expect(await host.requests.isEmpty)
        #expect(await host.reversals.isEmpty)
        #expect(await payment.session.authorize(payment.read, with: host, pinPad: SimulatedPINPad()).name == .approved)
        #expect(await host.requests.map { $0.pin != nil } == [true])
    }

    @Test("C13, C14: without a PIN pad there is a partial read, from which no payment can be made")
    func fallbackCannotBeAuthorised() async throws {
        let reader = tapReader(SimulatedReader(.onlinePIN)) { $0.hasPINPad = false }
        let outcome = await reader.read(PaymentRequest(amount: eur(1250)))
        guard case .onlinePINUnavailable(let fallback) = outcome else { Issue.record("\(outcome)"); return }
        #expect(fallback.maskedPAN != nil)
        #expect(fallback.tap?.key != nil)
        for tag in [Tag(integerLiteral: 0x9F26), 0x9F27, 0x9F10, 0x57, 0x9F37, 0x9F36] {
            #expect(fallback.partialData[tag] == nil)
        }
        #expect(outcome.alternatives.contains(.paymentLink))
        #expect(outcome.alternatives.first == .otherInterface(.chip))
    }

    @Test("A PIN block is opaque, and shows itself nowhere")
    func pinBlocksAreOpaque() throws {
        let block = try #require(EncryptedPINBlock([1, 2, 3, 4, 5, 6, 7, 8], format: .iso0, keySerialNumber: [9]))
        var dumped = ""
        dump(block, to: &dumped)
        for text in ["\(block)", String(reflecting: block), dumped] {
            #expect(!text.contains("2, 3") && !text.contains("0203"))
        }
        #expect(EncryptedPINBlock([1, 2, 3], format: .iso0) == nil)
        #expect(EncryptedPINBlock([UInt8](repeating: 0, count: 8), format: .iso4) == nil)
        #expect(EncryptedPINBlock([UInt8](repeating: 0, count: 16), format: .iso4) != nil)
    }

    // MARK: Back to the card

    static let updating = Configuration.simulator(ttq: [0x36, 0x00, 0xC0, 0x00])

    @Test("The issuer's data go back to a card whose kernel asks for them (Start B)")
    func issuerDataReturnToTheCard() async throws {
        let card = try #require(CardProfile.named("issuerUpdate"))
        let recorder = Recorder(SimulatedReader(card))
        let reader = tapReader(recorder, configuration: AuthorizingTests.updating)
        let session = try await reader.prepare()
        let read = try #require(await session.read(PaymentRequest(amount: eur(1250))).read)
        let before = await recorder.commands.count
        let result = await session.authorize(read, with: SimulatedAuthorizer(.approve, card: card))
        #expect(result.name == .approved)
        let later = await recorder.commands.dropFirst(before)
        #expect(later.contains { $0.starts(with: [0x00, 0x82]) }, "\(later.map { Hex.string($0) })")
        #expect(await recorder.polls.last?.timeout == .seconds(10))
    }

    @Test("A card that does not come back for the issuer's data changes nothing about the approval")
    func approvalStandsWithoutTheCard() async throws {
        let card = try #require(CardProfile.named("issuerUpdate"))
        let transport = SimulatedReader(card)
        let reader = tapReader(transport, configuration: AuthorizingTests.updating)
        let session = try await reader.prepare()
        let read = try #require(await session.read(PaymentRequest(amount: eur(1250))).read)
        await transport.present(EmptyField())
        #expect(await session.authorize(read, with: SimulatedAuthorizer(.approve, card: card)).name == .approved)
        #expect(await reader.read(PaymentRequest(amount: eur(1250), timeout: .seconds(1))) == .cancelled(.timedOut))
    }

    @Test("A8: the amounts of the simulated host give every answer")
    func everyAnswerByItsAmount() async throws {
        for (amount, name) in [
            (UInt64(1250), AuthorizationName.approved), (4151, .declined), (4200, .failed), (4400, .reversed),
        ] {
            let payment = try await payment(amount: amount)
            #expect(
                await payment.session.authorize(payment.read, with: SimulatedAuthorizer(.byAmount)).name == name,
                "\(amount)")
        }
        let wanted = try await payment(amount: SimulatedTap.issuerPIN.amount)
        #expect(await wanted.session.authorize(wanted.read, with: SimulatedAuthorizer(.byAmount)).name == .pinRequested)
    }

    @Test(
        "F5, F6, H4: a success has no problems; a failure without problems still says what may be done next"
    )
    func statusAndProblemsAgree() {
        #expect(AuthorizationResult.approved(Approval()).problems.isEmpty)
        #expect(AuthorizationResult.failed([]).problems.isEmpty)
        #expect(!AuthorizationResult.failed([]).alternatives.isEmpty)
        let two = AuthorizationResult.failed([Problem(.hostRejected), Problem(.issuerUnavailable)])
        #expect(two.problems.map(\.code) == [.hostRejected, .issuerUnavailable])
    }
}
