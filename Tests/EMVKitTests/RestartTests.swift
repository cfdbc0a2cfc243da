// SPDX-License-Identifier: Apache-2.0
import CEMV
import EMVSimulator
import TestWaiting
import Testing
@testable import EMVKernel
@testable import EMVKit
@testable import EMVPOS

/// The reader's behaviour after a kernel requests a restart: Book A 8.1.1.21, 22 and 24, Tables 6-2 to 6-5.
@Suite(.timeLimit(.minutes(30))) struct RestartTests {
    private typealias Activation = PlayedKernel.Activation

    private struct Payment {
        let transport: SimulatedReader
        let recorder: Recorder
        let reader: TapReader
        let session: ReaderSession
        let read: CardRead

        /// The kernel's inputs after its first activation, in order.
        var told: [PlayedKernel.Activation] {
            get async {
                await recorder.commands.compactMap { PlayedKernel.Activation(command: $0) }.dropFirst().map { $0 }
            }
        }
    }

    private func payment(
        _ card: PlayedCard, clock: any Clock<Duration> = ContinuousClock(), pace: SimulatedReader.Pace = .instant,
        _ change: (inout TapReader.Options) -> Void = { _ in }
    ) async throws -> Payment {
        let transport = SimulatedReader(card, pace: pace), recorder = Recorder(transport)
        var options = settings(change)
        options.timer = clock
        let reader = TapReader(recorder, checked: try PlayedKernel.configuration(), options: options)
        let session = try await reader.prepare()
        let outcome = await session.read(PaymentRequest(amount: eur(1250)))
        return Payment(
            transport: transport, recorder: recorder, reader: reader, session: session,
            read: try #require(outcome.read, "\(outcome)"))
    }

    private static func online(
        _ start: cemv_start = CEMV_START_D, _ condition: cemv_online_response = CEMV_ONLINE_RESPONSE_ANY,
        fieldOff: UInt8? = nil,
        removalTimeout: UInt8 = 0
    ) -> Bytes {
        PlayedKernel.ending(
            CEMV_OUTCOME_ONLINE_REQUEST, start: start, on: condition, fieldOff: fieldOff, removalTimeout: removalTimeout
        )
    }

    private static let approved = PlayedKernel.ending(CEMV_OUTCOME_APPROVED)
    private static let wantsPIN = PlayedKernel.ending(
        CEMV_OUTCOME_REQUEST_ONLINE_PIN, start: CEMV_START_D, on: CEMV_ONLINE_RESPONSE_ANY, cvm: CEMV_CVM_ONLINE_PIN)
    private static let code: DataObjects = [0x8A: Array("00".utf8)]
    private static let authentication: DataObjects = [0x8A: Array("00".utf8), 0x91: [1, 2, 3, 4, 5, 6, 7, 8]]

    // MARK: The field

    @Test("Start D: the field stays on until the answer was given (Table 6-2); every other ending switches it off")
    func startDKeepsTheField() async throws {
        let cases: [(Bytes, stays: Bool)] = [
            (RestartTests.online(), true), (RestartTests.online(removalTimeout: 50), true),
            (RestartTests.online(fieldOff: 0), false),
            (RestartTests.online(CEMV_START_B, removalTimeout: 50), false), (RestartTests.online(CEMV_START_NA), false),
            (RestartTests.approved, false),
        ]
        for (ending, stays) in cases {
            let payment = try await payment(PlayedCard(ending, RestartTests.approved))
            #expect(await payment.transport.isFieldOn == stays, "\(ending)")
            _ = await payment.session.authorize(payment.read, with: SimulatedAuthorizer())
            #expect(await !payment.transport.isFieldOn, "\(ending)")
        }
    }

    @Test(
        "A Field Off Request is carried out once, with its outcome, final or not (Book B 3.5.1.2)"
    )
    func fieldGoesOffOnce() async throws {
        let hold = Duration.milliseconds(1300)
        for ending in [
            PlayedKernel.ending(CEMV_OUTCOME_APPROVED, fieldOff: 13),
            PlayedKernel.ending(CEMV_OUTCOME_DECLINED, fieldOff: 13),
        ] {
            #expect(try await payment(PlayedCard(ending)).transport.fieldHolds == [hold])
        }
        let parked = try await payment(
            PlayedCard(RestartTests.online(CEMV_START_B, fieldOff: 13), RestartTests.approved))
        #expect(await parked.transport.fieldHolds == [hold])
        for ending in [
            RestartTests.approved, PlayedKernel.ending(CEMV_OUTCOME_APPROVED, fieldOff: 0),
            RestartTests.online(CEMV_START_B),
        ] {
            #expect(try await payment(PlayedCard(ending)).transport.fieldHolds == [])
        }
        let again = PlayedKernel.ending(CEMV_OUTCOME_TRY_AGAIN, start: CEMV_START_B, fieldOff: 13)
        #expect(try await payment(PlayedCard(again, RestartTests.approved)).transport.fieldHolds == [hold])
    }

    @Test(
        "A restart carries out no Field Off Request again: after the issuer's answer, after removal"
    )
    func fieldGoesOffOnceBeforeARestart() async throws {
        let hold = Duration.milliseconds(1300)
        let parked = try await payment(
            PlayedCard(RestartTests.online(CEMV_START_B, fieldOff: 13), RestartTests.approved))
        #expect(await parked.session.authorize(parked.read, with: SimulatedAuthorizer()).name == .approved)
        #expect(await parked.transport.fieldHolds == [hold])
        let again = PlayedKernel.ending(CEMV_OUTCOME_END_APPLICATION, start: CEMV_START_B, fieldOff: 13)
        #expect(try await payment(PlayedCard(again, RestartTests.approved)).transport.fieldHolds == [hold])
    }

    @Test(
        "The next tap keeps the field off for the rest of the hold time, even if the last one was cancelled"
    )
    func nextTapWaitsForTheField() async throws {
        let clock = ContinuousClock(), hold = Duration.milliseconds(500)
        let start = clock.now
        let ended = try await payment(
            PlayedCard(PlayedKernel.ending(CEMV_OUTCOME_APPROVED, fieldOff: 5), RestartTests.approved), pace: .real)
        #expect(await ended.session.read(PaymentRequest(amount: eur(1250))).name == .success)
        #expect(clock.now - start > hold)

        let transport = SimulatedReader(
            PlayedCard(
                PlayedKernel.ending(CEMV_OUTCOME_TRY_AGAIN, start: CEMV_START_B, fieldOff: 5), RestartTests.approved),
            pace: .real)
        let reader = TapReader(transport, checked: try PlayedKernel.configuration(), options: settings())
        let began = clock.now
        let read = Task { await reader.read(PaymentRequest(amount: eur(1250))) }
        try await waitUntil("the field to be held off") { await !transport.fieldHolds.isEmpty }
        read.cancel()
        #expect(await read.value == .cancelled(.taskCancelled))
        #expect(await reader.read(PaymentRequest(amount: eur(1250))).name == .success)
        #expect(clock.now - began > hold)
        #expect(await transport.fieldHolds == [hold])
    }

    // MARK: The answer

    @Test(
        "Any: an answer, one without data and none restart the kernel; without 8A it gets the decision (8.1.1.22)",
        arguments: [true, false])
    func threeAnswersAreThreeThings(_ startsAtD: Bool) async throws {
        let start = startsAtD ? CEMV_START_D : CEMV_START_B, at = startsAtD ? Outcome.Start.d : .b
        let cases: [(SimulatedAuthorizer.Answer, Activation, AuthorizationName, [Reversal.Reason])] = [
            (
                .decision(.approved(Approval(issuerData: RestartTests.code))),
                Activation(start: at, isAnswered: true, data: RestartTests.code), .approved, []
            ),
            (
                .decision(.approved(Approval())), Activation(start: at, isAnswered: true, data: RestartTests.code),
                .approved, []
            ),
            (
                .decision(.declined(Decline(reason: .insufficientFunds, responseCode: "51"))),
                Activation(start: at, isAnswered: true, data: [0x8A: Array("05".utf8)]), .declined, []
            ),
            (.unreachable, Activation(start: at, isAnswered: true, unableToGoOnline: true), .failed, []),
            (.loseAnswer, Activation(start: at, isAnswered: true, unableToGoOnline: true), .reversed, [.answerLost]),
            (.timeOut, Activation(start: at, isAnswered: true, unableToGoOnline: true), .reversed, [.timedOut]),
        ]
        for (answer, told, name, reversals) in cases {
            let card = PlayedCard(
                RestartTests.online(start),
                PlayedKernel.ending(name == .approved ? CEMV_OUTCOME_APPROVED : CEMV_OUTCOME_DECLINED))
            let clock = DeadlineClock()
            let payment = try await payment(card, clock: clock)
            let host = SimulatedAuthorizer(answer)
            // Only this answer leaves a deadline running.
            if answer == .timeOut { await clock.letDeadlinePass() }
            let result = await payment.session.authorize(payment.read, with: host)
            #expect(result.name == name, "\(answer): \(result)")
            #expect(await payment.told == [told], "\(answer)")
            #expect(await host.reversals.map(\.reason) == reversals, "\(answer)")
            // The payment is over: the kernel is not asked a second time.
            #expect(await payment.session.authorize(payment.read, with: SimulatedAuthorizer()) == result)
        }
    }

    @Test(
        "EMV Data: only 91, 71 or 72 restarts the kernel; where nothing was sent the same tap may be authorised again")
    func dataRestartWhereDataIsAskedFor() async throws {
        let card = PlayedCard(RestartTests.online(CEMV_START_B, CEMV_ONLINE_RESPONSE_EMV_DATA), RestartTests.approved)
        for (data, restarts) in [(RestartTests.code, false), ([:], false), (RestartTests.authentication, true)]
            as [(DataObjects, Bool)]
        {
            let payment = try await payment(card)
            #expect(
                await payment.session.authorize(payment.read, with: SimulatedAuthorizer(.unreachable)).name == .failed)
            #expect(await payment.told.isEmpty)
            let host = SimulatedAuthorizer(.decision(.approved(Approval(issuerData: data))))
            #expect(await payment.session.authorize(payment.read, with: host).name == .approved)
            #expect(await payment.told == (restarts ? [Activation(start: .b, isAnswered: true, data: data)] : []))
        }
    }

    @Test("The kernel's last word: a refusal reverses an approval and is never left approved (Table 6-4)")
    func kernelOverrulesTheIssuer() async throws {
        let approve = SimulatedAuthorizer.Answer.decision(.approved(Approval())),
            decline = SimulatedAuthorizer.Answer.decline("51")
        let unreachable = SimulatedAuthorizer.Answer.unreachable
        let cases:
            [(SimulatedAuthorizer.Answer, cemv_outcome_status, AuthorizationName, Problem.Code?, isReversed: Bool)] = [
                (approve, CEMV_OUTCOME_APPROVED, .approved, nil, false),
                (approve, CEMV_OUTCOME_END_APPLICATION, .approved, nil, false),
                (approve, CEMV_OUTCOME_DECLINED, .declined, .issuerAnswerRefused, true),
                (approve, CEMV_OUTCOME_TRY_ANOTHER_INTERFACE, .reversed, .otherInterfaceWanted, true),
                (decline, CEMV_OUTCOME_APPROVED, .declined, .insufficientFunds, false),
                (decline, CEMV_OUTCOME_DECLINED, .declined, .insufficientFunds, false),
                (decline, CEMV_OUTCOME_TRY_ANOTHER_INTERFACE, .reversed, .otherInterfaceWanted, false),
                (unreachable, CEMV_OUTCOME_APPROVED, .approved, nil, false),
                (unreachable, CEMV_OUTCOME_DECLINED, .failed, .hostUnreachable, false),
                (unreachable, CEMV_OUTCOME_TRY_ANOTHER_INTERFACE, .failed, .otherInterfaceWanted, false),
            ]
        for (answer, status, name, problem, isReversed) in cases {
            for confirms in [true, false] {
                let payment = try await payment(PlayedCard(RestartTests.online(), PlayedKernel.ending(status)))
                let host = SimulatedAuthorizer(answer, confirmsReversals: confirms)
                let result = await payment.session.authorize(payment.read, with: host)
                let label: Comment = "\(answer) \(status.rawValue)"
                #expect(
                    await host.reversals.map(\.reason)
                        == Array(repeating: .cardRefused, count: isReversed ? (confirms ? 1 : 2) : 0), label)
                guard confirms || !isReversed else {
                    #expect(result == .unknown(try #require(payment.read.key)), label)
                    continue
                }
                #expect(result.name == name && result.problems.first?.code == problem, label)
                if isReversed { #expect(await host.ledger[try #require(payment.read.key)] == .reversed, label) }
                if case .approved(let approval) = result.ending {
                    #expect(approval.responseCode == (answer == unreachable ? "Y3" : "00"), label)
                    #expect((approval.origin == .card) == (answer == unreachable), label)
                }
            }
        }
    }

    @Test("An approval of the kernel alone, after an answer was lost, stands only where the reversal is confirmed")
    func offlineApprovalNeedsTheReversal() async throws {
        for confirms in [true, false] {
            let payment = try await payment(PlayedCard(RestartTests.online(), RestartTests.approved))
            let result = await payment.session.authorize(
                payment.read, with: SimulatedAuthorizer(.loseAnswer, confirmsReversals: confirms))
            #expect(result.name == (confirms ? .approved : .unknown))
        }
    }

    @Test("L24, L28: what a kernel approves unreached is owed to the host: sealed and within limits, or it is none")
    func unreachedApprovalsAreOwed() async throws {
        let none = OfflineLimits(amounts: [])
        let cases: [(isSealed: Bool, OfflinePolicy?, AuthorizationName, JournaledTap.State)] = [
            (true, nil, .approved, .queued), (true, OfflinePolicy(limits: .ofTests), .approved, .queued),
            (false, nil, .failed, .closed), (true, OfflinePolicy(limits: none), .failed, .closed),
        ]
        for (isSealed, policy, name, state) in cases {
            for answer in [SimulatedAuthorizer.Answer.unreachable, .loseAnswer] {
                let journal = MemoryJournal()
                let payment = try await payment(PlayedCard(RestartTests.online(), RestartTests.approved)) {
                    $0.journal = journal
                    $0.sealer = isSealed ? SimulatedSealer() : nil
                    $0.fingerprints = isSealed ? SimulatedSealer() : nil
                    $0.offline = policy
                }
                let key = try #require(payment.read.key)
                let result = await payment.session.authorize(payment.read, with: SimulatedAuthorizer(answer))
                let label: Comment = "\(isSealed) \(name) \(answer)"
                let isUndone = name == .failed && answer == .loseAnswer
                #expect(result.name == (isUndone ? .reversed : name), label)
                // A reversal is reported until the app knows of it.
                let isReversed = answer == .loseAnswer && state == .closed
                let tap = try #require(await journal.tap(key))
                #expect(tap.state == (isReversed ? .reversed : state), label)
                #expect(tap.read?.payload == nil || state == .queued, label)
                guard state == .queued else { continue }
                // A repeated question, even from a process that has no memory of it, returns the card's approval, for
                // which no answer exists.
                let settlement = Settlement(journal, with: SimulatedHost())
                guard case .approved(let approval)? = try await settlement.settled(key)?.ending else {
                    Issue.record(label)
                    continue
                }
                #expect(approval.responseCode == "Y3" && approval.origin == .card)
            }
        }
    }

    @Test("A kernel that ends without its issuer ends the tap: nothing of the account stays, the sale goes on")
    func anUnreachedEndIsAnEnd() async throws {
        let journal = MemoryJournal(), sale = try #require(SaleReference(rawValue: "order-1"))
        let transport = SimulatedReader(
            PlayedCard(RestartTests.online(), PlayedKernel.ending(CEMV_OUTCOME_DECLINED), RestartTests.approved))
        let options = settings {
            $0.journal = journal
            $0.sealer = SimulatedSealer()
        }
        let reader = TapReader(transport, checked: try PlayedKernel.configuration(), options: options)
        let session = try await reader.prepare()
        var request = PaymentRequest(amount: eur(1250))
        request.sale = sale
        let outcome = await session.read(request), read = try #require(outcome.read)
        let host = SimulatedAuthorizer(.unreachable)
        #expect(await session.authorize(read, with: host).problems.map(\.code) == [.hostUnreachable])
        let key = try #require(read.key), tap = try #require(await journal.tap(key))
        #expect(tap.state == .closed && tap.read?.payload == nil)
        #expect(await session.read(request).name == .success, "another card for the same sale")
    }

    // MARK: Request Online PIN

    @Test(
        "An online PIN that the kernel requests goes with a second request and is answered once (Book A 8.1.1.24)"
    )
    func kernelsPINGoesWithTheSecondRequest() async throws {
        let endings: [(cemv_outcome_status, AuthorizationName)] = [
            (CEMV_OUTCOME_APPROVED, .approved), (CEMV_OUTCOME_END_APPLICATION, .approved),
            (CEMV_OUTCOME_DECLINED, .declined),
            (CEMV_OUTCOME_REQUEST_ONLINE_PIN, .approved),
        ]
        let wanted = Decline(reason: .issuer, responseCode: "13", issuerData: [0x8A: Array("13".utf8)])
        for (status, name) in endings {
            for byChallenge in [true, false] {
                let third = PlayedKernel.ending(
                    status, start: status == CEMV_OUTCOME_REQUEST_ONLINE_PIN ? CEMV_START_D : CEMV_START_NA,
                    on: status == CEMV_OUTCOME_REQUEST_ONLINE_PIN ? CEMV_ONLINE_RESPONSE_ANY : CEMV_ONLINE_RESPONSE_NA)
                let payment = try await payment(PlayedCard(RestartTests.online(), RestartTests.wantsPIN, third))
                let first: IssuerDecision =
                    byChallenge
                    ? .pinRequested(PINChallenge(id: "1", issuerData: wanted.issuerData)) : .declined(wanted)
                let host = SimulatedAuthorizer(
                    .inTurn([.decision(first), .decision(.approved(Approval(issuerData: RestartTests.code)))]))
                let pad = SimulatedPINPad()
                let result = await payment.session.authorize(payment.read, with: host, pinPad: pad)
                #expect(result.name == name, "\(status.rawValue)")
                #expect(await host.requests.map(\.attempt) == [1, 2])
                #expect(await host.requests.map { $0.pin != nil } == [false, true])
                #expect(await host.requests.allSatisfy { $0.read.dataRecord == payment.read.dataRecord })
                #expect(await pad.requests.count == 1)
                #expect(
                    await payment.told == [
                        Activation(start: .d, isAnswered: true, data: wanted.issuerData),
                        Activation(start: .d, isAnswered: true, data: RestartTests.code),
                    ])
                #expect(await host.reversals.map(\.reason) == (name == .declined ? [.cardRefused] : []))
            }
        }
    }

    @Test(
        "A PIN that does not come is told to the kernel that asked for it, and what left is reversed",
        arguments: [0, 1, 2])
    func missingPINIsToldToTheKernel(_ way: Int) async throws {
        let payment = try await payment(
            PlayedCard(RestartTests.online(), RestartTests.wantsPIN, PlayedKernel.ending(CEMV_OUTCOME_DECLINED)))
        let host = SimulatedAuthorizer(.decline("13"))
        let result: AuthorizationResult
        if way == 0 {
            result = await payment.session.authorize(payment.read, with: host, pinPad: SimulatedPINPad([.cancelled]))
        } else {
            let first = await payment.session.authorize(payment.read, with: host)
            #expect(first == .pinRequested(PINChallenge(id: "")))
            #expect(await payment.transport.isFieldOn)
            if way == 1 {
                result = await payment.session.giveUp(payment.read)
            } else {
                let block = try #require(SimulatedPINPad.block())
                result = await payment.session.authorize(payment.read, answering: PINChallenge(id: ""), with: block)
            }
        }
        let told = await payment.told
        #expect(told.count == 2 && told.last?.pinNotCaptured == (way != 2))
        #expect(await !payment.transport.isFieldOn)
        if way == 2 {
            #expect(result.name == .declined)
            #expect(await host.requests.count == 2)
        } else {
            #expect(result == .reversed([Problem(.pinCancelled)]))
            #expect(await host.reversals.map(\.reason) == [.pinMissing])
            #expect(await host.requests.count == 1)
        }
    }

    @Test(
        "A kernel that requests the PIN first gets the answer to the request that carried it, or none"
    )
    func firstOutcomeMayAskForThePIN() async throws {
        let entered = try await payment(PlayedCard(RestartTests.wantsPIN, RestartTests.approved))
        let host = SimulatedAuthorizer(.decision(.approved(Approval(issuerData: RestartTests.code))))
        #expect(await entered.session.authorize(entered.read, with: host) == .failed([Problem(.pinPadMissing)]))
        #expect(await entered.told.isEmpty)
        #expect(await entered.session.authorize(entered.read, with: host, pinPad: SimulatedPINPad()).name == .approved)
        #expect(await host.requests.map { $0.pin != nil } == [true])
        #expect(await entered.told == [Activation(start: .d, isAnswered: true, data: RestartTests.code)])

        let missing = try await payment(PlayedCard(RestartTests.wantsPIN, PlayedKernel.ending(CEMV_OUTCOME_DECLINED)))
        let unasked = SimulatedAuthorizer()
        let result = await missing.session.authorize(missing.read, with: unasked, pinPad: SimulatedPINPad([.bypassed]))
        #expect(result == .failed([Problem(.pinBypassed)]))
        #expect(await missing.told == [Activation(start: .d, isAnswered: true, pinNotCaptured: true)])
        #expect(await unasked.requests.isEmpty)
        #expect(await unasked.reversals.isEmpty)
    }

    @Test("A program without an authoriser gives the same three answers, and says that there is no PIN")
    func completionsAreThreeThings() async throws {
        let cases: [(IssuerAnswer, Activation)] = [
            (.response(RestartTests.code), Activation(start: .d, isAnswered: true, data: RestartTests.code)),
            (.response([:]), Activation(start: .d, isAnswered: true)),
            (.unableToGoOnline, Activation(start: .d, isAnswered: true, unableToGoOnline: true)),
        ]
        for (answer, told) in cases {
            let payment = try await payment(PlayedCard(RestartTests.online(), RestartTests.approved))
            #expect(await payment.session.complete(answer).name == .success)
            #expect(await payment.told == [told])
        }
        let payment = try await payment(PlayedCard(RestartTests.wantsPIN, PlayedKernel.ending(CEMV_OUTCOME_DECLINED)))
        #expect(await payment.session.complete(.pinNotCaptured).name == .declined)
        #expect(await payment.told == [Activation(start: .d, isAnswered: true, pinNotCaptured: true)])
    }

    // MARK: Long answers

    /// 8A, and a template 71 that fills the answer to this size.
    private static func answer(of size: Int) -> DataObjects {
        var data = code
        data[0x71] = Bytes((0..<(size - data.encoded.count - 4)).map { UInt8(truncatingIfNeeded: $0 * 7) })
        return data
    }

    @Test("The longest answer is told whole; a longer one is refused with its reason, and the tap waits on")
    func answersHaveABound() async throws {
        let limit = KernelSession.issuerDataLimit
        let longest = RestartTests.answer(of: limit), tooLong = RestartTests.answer(of: limit + 1)
        #expect(limit == 1024 && longest.encoded.count == limit && tooLong.encoded.count == limit + 1)
        let payment = try await payment(PlayedCard(RestartTests.online(), RestartTests.approved))
        let problem = Problem(.issuerDataTooLong, detail: "1025 bytes, at most 1024")
        #expect(await payment.session.complete(.response(tooLong)) == .failed(.invalid([problem])))
        #expect(await payment.told.isEmpty)
        let told = await payment.session.complete(.response(longest))
        #expect(told.name == .success, "\(told.problems)")
        #expect(await payment.told == [Activation(start: .d, isAnswered: true, data: longest)])
    }

    @Test("An authoriser's answer that is too long counts as none: the payment is reversed, and the reason is named")
    func tooLongAnswersAreReversed() async throws {
        let tooLong = RestartTests.answer(of: KernelSession.issuerDataLimit + 1)
        let decisions: [IssuerDecision] = [
            .approved(Approval(issuerData: tooLong)),
            .declined(Decline(reason: .issuer, responseCode: "05", issuerData: tooLong)),
            .pinRequested(PINChallenge(id: "1", issuerData: tooLong)),
        ]
        for decision in decisions {
            let payment = try await payment(
                PlayedCard(RestartTests.online(), PlayedKernel.ending(CEMV_OUTCOME_DECLINED)))
            let host = SimulatedAuthorizer(.decision(decision))
            let result = await payment.session.authorize(payment.read, with: host)
            #expect(result.name == .reversed && result.problems.map(\.code) == [.issuerDataTooLong])
            #expect(await host.reversals.map(\.reason) == [.answerLost])
            #expect(await payment.told == [Activation(start: .d, isAnswered: true, unableToGoOnline: true)])
        }
        let payment = try await payment(PlayedCard(RestartTests.online(CEMV_START_NA)))
        let host = SimulatedAuthorizer(.decision(decisions[0]))
        #expect(await payment.session.authorize(payment.read, with: host).name == .approved, "no kernel waits for it")
    }

    // MARK: Removal time-out

    @Test(
        "The removal time-out shows message 17 and is told to the kernel; an answer in time stops it (8.1.1.21)",
        arguments: [true, false])
    func removalTimeOut(_ isLate: Bool) async throws {
        let clock = SimulatedClock()
        let payment = try await payment(
            PlayedCard(RestartTests.online(removalTimeout: 50), RestartTests.approved), clock: clock)
        try await waitUntil("somebody to sleep") { await clock.sleeperCount > 0 }
        let events = payment.reader.events()
        await clock.advance(by: .milliseconds(isLate ? 5000 : 4999))
        if isLate {
            var shown: Prompt?
            for await event in events {
                if case .prompt(let prompt) = event { shown = prompt }
                if event == .cardRead { break }
            }
            #expect(shown?.message == .cardReadOK && shown?.status == .cardRead)
        }
        #expect(await payment.session.authorize(payment.read, with: SimulatedAuthorizer()).name == .approved)
        #expect(await payment.told.map(\.removalTimedOut) == [isLate])
        try await waitUntil("nobody to sleep") { await clock.sleeperCount == 0 }
    }

    // MARK: Autorun

    @Test("A payment of the type and amount of autorun begins at Start B, any other at Start A (8.1.1.6)")
    func autorunBeginsAtB() async throws {
        let checked = try PlayedKernel.configuration(autorun: Autorun(type: .purchase, amount: 500))
        for (amount, kind, start) in [(500, .purchase, .b), (501, .purchase, .a), (500, .refund, .a)]
            as [(UInt64, PaymentRequest.Kind, Outcome.Start)]
        {
            let recorder = Recorder(SimulatedReader(PlayedCard(RestartTests.approved)))
            let reader = TapReader(recorder, checked: checked, options: settings())
            #expect(await reader.read(PaymentRequest(amount: eur(amount), kind: kind)).name == .success)
            #expect(
                await recorder.commands.compactMap { PlayedKernel.Activation(command: $0)?.start } == [start],
                "\(amount)")
        }
        // There is no pre-processing: the simulated POS's limit is ignored, and its TTQ reaches the card as configured.
        var configuration = Configuration.simulator()
        configuration.autorun = Autorun(amount: 40_000)
        let recorder = Recorder(SimulatedReader(.online))
        let outcome = await tapReader(recorder, configuration: configuration).read(PaymentRequest(amount: eur(40_000)))
        #expect(outcome.name != .limitExceeded)
        let options = try #require(await recorder.commands.first { $0.starts(with: [0x80, 0xA8]) })
        #expect(Hex.string(options).contains("36004000"))
        #expect(
            await tapReader(SimulatedReader(.online)).read(PaymentRequest(amount: eur(40_000))).name == .limitExceeded)
    }
}
