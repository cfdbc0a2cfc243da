// SPDX-License-Identifier: Apache-2.0
import EMVSimulator
import TestData
import Testing
@testable import EMVKernel
@testable import EMVKit
@testable import EMVPOS

/// Inputs for a state machine under test.
enum Sample {
    static let key = ReconciliationKey(rawValue: "key")!
    static let otherKey = ReconciliationKey(rawValue: "other")!
    static let means = Means(authorizer: SimulatedAuthorizer(), pinPad: SimulatedPINPad(), accessibility: false)
    static let meansWithoutPad = Means(authorizer: SimulatedAuthorizer(), pinPad: nil, accessibility: false)
    static let pin = SimulatedPINPad.block()!
    static let approval = Approval(code: "123456", issuerData: [0x8A: Array("00".utf8)])
    static let select: Bytes = [0x00, 0xA4, 0x04, 0x00]

    static func record(
        _ key: ReconciliationKey = key, countries: SupportedCountries? = nil, change: AmountChange? = nil
    ) -> TapRecord {
        let request = with(PaymentRequest(amount: eur(1250), key: key)) {
            $0.supportedIssuerCountries = countries
            $0.amountChange = change
        }
        return TapRecord(key: key, purpose: .payment(request), moment: noon)
    }

    static func outcome(
        _ status: Outcome.Status, start: Outcome.Start = .notApplicable,
        on condition: Outcome.OnlineResponse = .notApplicable, removalTimeout: Duration? = nil
    ) -> Outcome {
        with(Outcome(status: status, start: start, cvm: .none)) {
            $0.onlineResponse = condition
            $0.removalTimeout = removalTimeout
        }
    }

    static func read(_ outcome: Outcome = Sample.outcome(.onlineRequest), _ key: ReconciliationKey = key) -> CardRead {
        CardRead(authorization: .onlineRequired, outcome: outcome, tap: record(key))
    }

    static func run(_ key: ReconciliationKey = key) -> KernelRun {
        KernelRun(tap: Tap(record(key, change: change)), purpose: .tap)
    }

    static let change = AmountChange(upTo: eur(2000)) { _ in nil }

    static func conversation(_ key: ReconciliationKey = key, attempt: Int = 0) -> Conversation {
        var conversation = Conversation(read(outcome(.onlineRequest), key), means)!
        conversation.attempt = attempt
        return conversation
    }

    static func parked(
        _ key: ReconciliationKey = key, _ status: Outcome.Status = .onlineRequest, keepsField: Bool = false
    ) -> ParkedTap {
        ParkedTap(tap: Tap(record(key)), status: status, onlineResponse: .any, keepsField: keepsField)
    }

    static let stored = StoredRead(
        authorization: .onlineRequired, cvm: .none, maskedPAN: nil, clearRecord: CardData([]),
        payload: SealedPayload(scheme: "test", keyIdentifier: [1], ciphertext: [2]),
        fingerprint: Fingerprint(rawValue: "key:00"))

    static let prelude = PreludeHandle(SilentPrelude(), sendsAnnotations: true)

    static func reversal(_ conversation: Conversation) -> Reversal {
        Reversal(key: conversation.key, reason: .timedOut, amount: eur(1250), moment: noon)
    }

    static func pending(_ successor: PendingReversal.Successor, _ conversation: Conversation) -> PendingReversal {
        PendingReversal(
            conversation: conversation, reversal: reversal(conversation), problems: [Problem(.authorizationTimedOut)],
            attemptsLeft: 1, successor: successor)
    }

    /// A machine whose reader is prepared.
    static func machine(_ change: (inout ReaderStateMachine.Policy) -> Void = { _ in }) -> ReaderStateMachine {
        var preparation = PreparationStateMachine()
        _ = preparation.began(isChecked: true)
        _ = preparation.configurationChecked(nil, isNew: false)
        _ = preparation.readerOpened(nil)
        var policy = ReaderStateMachine.Policy()
        policy.takesCardApprovals = true
        change(&policy)
        return ReaderStateMachine(policy: policy, preparation: preparation)
    }
}

extension ReaderAction {
    init(_ effects: Effect..., then operation: Operation) {
        self.init(effects: effects, operation: operation)
    }

    /// The action without its prompts.
    var quiet: ReaderAction {
        let effects = effects.filter { if case .show = $0 { false } else { true } }
        return ReaderAction(effects: effects, operation: operation)
    }

    var prompts: [Message] {
        effects.compactMap { if case .show(let draft) = $0 { draft.request.message } else { nil } }
    }
}

/// The machine alone, transition by transition.
@Suite struct ReaderStateMachineTests {
    private typealias Step = ReaderAction

    /// Runs from a request to the first command.
    private func exchanging(
        _ machine: inout ReaderStateMachine, _ record: TapRecord = Sample.record(), from report: KernelReport? = nil
    ) {
        _ = machine.readRequested(record)
        _ = machine.started()
        _ = machine.prepared()
        _ = machine.sessionBegan()
        _ = machine.tapAnnounced(report ?? KernelReport(step: .poll(Poll()), presentations: 0))
        _ = machine.cardArrived(.card)
        _ = machine.stepTaken(KernelReport(step: .send(Sample.select)))
    }

    private func park(_ machine: inout ReaderStateMachine, _ outcome: Outcome, _ key: ReconciliationKey = Sample.key) {
        exchanging(&machine, Sample.record(key))
        _ = machine.exchanged(.response([0x90, 0x00], elapsed: nil))
        if case .fieldOff = machine.stepTaken(KernelReport(step: .parked(outcome))).operation {
            _ = machine.fieldSwitchedOff()
        }
    }

    private static let waits = Sample.outcome(.onlineRequest, start: .b, on: .any)
    private static let waitsAtD = Sample.outcome(.onlineRequest, start: .d, on: .any)

    // MARK: A tap

    @Test func aTapFromRequestToRest() {
        var machine = Sample.machine()
        let record = Sample.record(), ready = KernelReport(step: .poll(Poll()), presentations: 0)
        #expect(machine.readRequested(record) == Step(then: .run))
        #expect(machine.started() == Step(then: .prepare))
        #expect(machine.prepared() == Step(then: .beginSession(record)))
        #expect(machine.sessionBegan() == Step(.publish(.started(Sample.key)), then: .announce(record)))
        #expect(machine.tapAnnounced(ready) == Step(.publish(.waitingForCard), then: .waitForCard(Poll())))
        #expect(machine.cardArrived(.card) == Step(.publish(.cardDetected), then: .replyCard))
        let send = KernelReport(step: .send(Sample.select))
        #expect(machine.stepTaken(send) == Step(then: .exchange(Sample.select)))
        let exchange = Exchange.response([0x6A, 0x82], elapsed: .milliseconds(3))
        let reply = Reply.response([0x6A, 0x82], elapsed: .milliseconds(3))
        #expect(machine.exchanged(exchange) == Step(then: .reply(reply)))
        #expect(machine.stepTaken(KernelReport(step: .work)) == Step(then: .reply(.carryOn)))
        let approved = Sample.outcome(.approved)
        #expect(machine.stepTaken(KernelReport(step: .done(approved))) == Step(then: .fieldOff(.zero)))
        let read = CardRead(authorization: .approvedOffline, outcome: approved, tap: record)
        #expect(
            machine.fieldSwitchedOff()
                == Step(
                    .publish(.promptFinished), .dropSession, .publish(.finished(.success)), .publish(.ready),
                    then: .finish(.tap(.success(read)))))
        #expect(machine.isIdle && machine.counter == 2)
    }

    @Test func aRequestIsRefusedBeforeItBegins() {
        var machine = Sample.machine()
        func refused(_ failure: TapOutcome) -> Step {
            Step(.publish(.finished(failure.name)), .publish(.ready), then: .finish(.tap(failure)))
        }
        #expect(machine.readRequested(Sample.record(), generation: 7) == refused(.failed(.notPrepared)))
        #expect(machine.readRequested(Sample.record(), isCancelled: true) == refused(.cancelled(.taskCancelled)))
        let expired = PrepareError.configurationExpired(testDay)
        #expect(machine.readRequested(Sample.record(), expired: expired) == refused(.failed(.preparation(expired))))
        machine.usedKeys.insert(Sample.key)
        guard case .finish(.tap(.failed(.refused(.keyUsed)))) = machine.readRequested(Sample.record()).operation else {
            Issue.record("a key of an earlier tap")
            return
        }
        #expect(machine.isIdle && machine.counter == 1)
    }

    @Test func aReaderThatCannotBePreparedKeepsTheParkedTap() {
        var machine = Sample.machine()
        machine.parked = Sample.parked(Sample.otherKey, keepsField: true)
        _ = machine.readRequested(Sample.record())
        _ = machine.started()
        let error = PrepareError.reader(ReaderFault(.noReader, "none"))
        #expect(machine.prepared(error).operation == .finish(.tap(.failed(.preparation(error)))))
        #expect(machine.parked == Sample.parked(Sample.otherKey, keepsField: true))
        _ = machine.readRequested(Sample.record())
        _ = machine.started()
        #expect(machine.prepared() == Step(then: .fieldOff(.zero)))
        #expect(machine.fieldSwitchedOff() == Step(.dropSession, then: .beginSession(Sample.record())))
    }

    @Test func whatAnAntennaSaysReachesTheKernel() {
        let events: [(CardEvent, Step)] = [
            (.card, Step(.publish(.cardDetected), then: .replyCard)),
            (.collision, Step(.publish(.severalCards), then: .reply(.collision))),
            (.collisionCleared, Step(then: .replyIfTaken(.collisionCleared))),
            (.removed, Step(then: .replyIfTaken(.removed))),
            (.fault(.protocol), Step(then: .reply(.fault(.protocol)))),
            (.nothing, Step(then: .fieldOff(.zero))),
            (
                .readerGone,
                Step(
                    .publish(.promptFinished), .dropSession, .publish(.finished(.cancelled)),
                    .publish(.readerDetached), then: .finish(.tap(.cancelled(.readerDetached))))
            ),
        ]
        for (event, action) in events {
            var machine = Sample.machine()
            machine.state = .waitingForCard(Sample.run())
            #expect(machine.cardArrived(event) == action, "\(event)")
            #expect((machine.preparation.generation == nil) == (event == .readerGone))
        }
    }

    @Test func aPollFollowsTheRequestAndTheKernel() {
        var machine = Sample.machine { $0.cardTimeout = .seconds(9) }
        _ = machine.readRequested(Sample.record())
        _ = machine.started()
        _ = machine.prepared()
        _ = machine.sessionBegan()
        let first = KernelReport(step: .poll(Poll()), presentations: 0)
        let wait = Poll(timeout: .seconds(9))
        #expect(machine.tapAnnounced(first) == Step(.publish(.waitingForCard), then: .waitForCard(wait)))
        _ = machine.cardArrived(.card)
        let poll = Poll(removalFirst: true, fieldOff: .milliseconds(1300))
        let message = UIRequest(message: .seePhone, status: .processingError, hold: .milliseconds(13))
        let again = KernelReport(
            step: .poll(poll), messages: [message], presentations: 1, fieldOff: .milliseconds(1300))
        let action = machine.stepTaken(again)
        #expect(action.prompts == [.seePhone])
        let next = Poll(removalFirst: true, fieldOff: .milliseconds(1300), timeout: .seconds(9))
        #expect(action.quiet == Step(.publish(.presentAgain), then: .waitForCard(next)))
        #expect(machine.run?.tap.phonePrompt == .shown)
        _ = machine.cardArrived(.card)
        #expect(machine.run?.tap.phonePrompt == .before)
    }

    @Test func aQuestionIsATimeOrNothing() {
        for (question, action) in [
            (Question(kind: .kernel, deadline: .seconds(1)), Step(then: .sleep(.seconds(1)))),
            (Question(kind: .kernel), Step(then: .reply(.deadlinePassed))),
            (Question(kind: .kernel, bytes: [1], deadline: .seconds(1)), Step(then: .reply(.deadlinePassed))),
            (Question(kind: .random), Step(then: .fieldOff(.zero))),
        ] {
            var machine = Sample.machine()
            machine.state = .computing(Sample.run())
            #expect(machine.stepTaken(KernelReport(step: .ask(question))) == action)
            if case .sleep = action.operation {
                #expect(machine.timePassed() == Step(then: .reply(.deadlinePassed)))
            }
        }
    }

    @Test func anInterruptionEndsTheTapButNotItsOutcome() {
        var machine = Sample.machine()
        exchanging(&machine)
        #expect(machine.endRequested(.requested) == Step(then: .cancelActivity))
        // A response that completes the tap counts.
        _ = machine.exchanged(.response([0x90, 0x00], elapsed: nil))
        var decided = machine
        _ = decided.stepTaken(KernelReport(step: .done(Sample.outcome(.approved))))
        guard case .finish(.tap(.success)) = decided.fieldSwitchedOff().operation else {
            Issue.record("an outcome that was there")
            return
        }
        #expect(machine.stepTaken(KernelReport(step: .send(Sample.select))) == Step(then: .fieldOff(.zero)))
        #expect(machine.fieldSwitchedOff().operation == .finish(.tap(.cancelled(.requested))))
    }

    @Test func aFieldOffRequestOfAPollIsCarriedOutWhenNobodyPolls() {
        var machine = Sample.machine()
        machine.state = .computing(Sample.run())
        machine.taskCancelled()
        let hold = Duration.milliseconds(1300)
        let report = KernelReport(step: .poll(Poll(fieldOff: hold)), fieldOff: hold)
        #expect(machine.stepTaken(report) == Step(then: .fieldOff(hold)))
        #expect(machine.fieldSwitchedOff() == Step(then: .fieldOff(.zero)))
        #expect(machine.fieldSwitchedOff().operation == .finish(.tap(.cancelled(.taskCancelled))))
    }

    @Test func aRequestedReasonGoesBeforeACancelledTaskAndTheFirstBeforeTheNext() {
        var machine = Sample.machine()
        _ = machine.readRequested(Sample.record())
        machine.taskCancelled()
        #expect(machine.interruption == .taskCancelled)
        _ = machine.endRequested(.suspended)
        _ = machine.endRequested(.requested)
        machine.taskCancelled()
        #expect(machine.interruption == .suspended)
        #expect(machine.started().operation == .finish(.tap(.cancelled(.suspended))))
        _ = machine.readRequested(Sample.record())
        #expect(machine.interruption == nil)
    }

    @Test func theFieldStaysForStartDAlone() {
        let hold = Duration.milliseconds(500)
        for (outcome, request, off) in [
            (ReaderStateMachineTests.waits, nil, .zero), (ReaderStateMachineTests.waitsAtD, hold, hold),
            (ReaderStateMachineTests.waitsAtD, nil, nil),
        ] as [(Outcome, Duration?, Duration?)] {
            var machine = Sample.machine()
            machine.state = .computing(Sample.run())
            let action = machine.stepTaken(KernelReport(step: .parked(outcome), fieldOff: request))
            if let off { #expect(action == Step(then: .fieldOff(off))) }
            if off != nil { _ = machine.fieldSwitchedOff() }
            #expect(machine.isIdle && machine.parked?.keepsField == (off == nil))
        }
    }

    @Test func theLimitIsNamed() {
        let limit = LimitRule.transactionLimit(eur(1000))
        let none = Outcome(status: .endApplication, reason: .noCommonApplication)
        let blocked = Outcome(status: .tryAnotherInterface, reason: .notAllowed)
        let cases: [(Outcome, ReaderAction.LimitQuery, LimitRule?, TapOutcome)] = [
            (none, .offered([]), nil, .unsupportedNetwork(NetworkMismatch())),
            (none, .offered([]), limit, .limitExceeded(limit)), (blocked, .all, limit, .limitExceeded(limit)),
            (blocked, .all, nil, .limitExceeded(.other)),
        ]
        for (outcome, query, rule, ending) in cases {
            var machine = Sample.machine()
            machine.state = .computing(Sample.run())
            #expect(machine.stepTaken(KernelReport(step: .done(outcome))) == Step(then: .findLimit(query)))
            #expect(machine.limitFound(rule) == Step(then: .fieldOff(.zero)))
            #expect(machine.fieldSwitchedOff().operation == .finish(.tap(ending)))
        }
    }

    @Test func theAmountIsAskedForEachSelectionFromTheRequest() {
        var machine = Sample.machine()
        exchanging(&machine, Sample.record(change: Sample.change))
        let name: Bytes = [0xA0, 0x00, 0x00, 0x00, 0x03, 0x10, 0x10]
        let question = Question(kind: .amount, bytes: [0x4F, 0x07] + name, deadline: .seconds(1))
        for (answer, amount, isShown) in [
            (.value(AmountChange.Total(eur(1300))), 1300, true), (.value(AmountChange.Total(eur(2001))), 1250, false),
            (.value(nil), 1250, false), (.deadlinePassed, 1250, false), (.value(.init(eur(1250))), 1250, false),
            (.value(.init(eur(900))), 900, true),
        ] as [(Race<AmountChange.Total?>, UInt64, Bool)] {
            _ = machine.exchanged(.response([0x90, 0x00], elapsed: nil))
            let asked = machine.stepTaken(KernelReport(step: .ask(question)))
            guard case .askAmount(Sample.change, let told) = asked.operation else { Issue.record("\(asked)"); return }
            #expect(told.request.amount == eur(1250) && told.application == name && told.key == Sample.key)
            let given = machine.amountAnswered(answer)
            #expect(given.operation == .giveAmount(eur(amount)))
            #expect(given.prompts.count == (isShown ? 1 : 0))
            #expect(machine.run?.tap.record.request?.amount == eur(amount))
            #expect(machine.run?.tap.changedAmount == (amount == 1250 ? nil : eur(amount)))
            _ = machine.stepTaken(KernelReport(step: .send(Sample.select)))
        }
        // The reader looks among the rows of the card's application for the limit that forbids the amount.
        _ = machine.exchanged(.response([0x90, 0x00], elapsed: nil))
        let blocked = Outcome(status: .tryAnotherInterface, reason: .notAllowed)
        #expect(
            machine.stepTaken(KernelReport(step: .done(blocked))).operation == .findLimit(.offered([name])))
    }

    @Test func aSessionThatWasNotToAskForTheAmountIsToldThatNothingComes() {
        var machine = Sample.machine()
        exchanging(&machine)
        _ = machine.exchanged(.response([0x90, 0x00], elapsed: nil))
        let asked = machine.stepTaken(KernelReport(step: .ask(Question(kind: .amount))))
        #expect(asked == Step(then: .reply(.deadlinePassed)))
    }

    @Test func aCardOfACountryThatIsNotTakenIsLeftAtOnce() throws {
        var machine = Sample.machine()
        let countries = SupportedCountries([try #require(Country(code: "DE"))])
        exchanging(&machine, Sample.record(countries: countries))
        _ = machine.exchanged(.response([0x6F, 0x00, 0x90, 0x00], elapsed: nil))
        _ = machine.stepTaken(KernelReport(step: .send(Sample.select)))
        let response = Exchange.response([0x6F, 0x00, 0x90, 0x00], elapsed: nil)
        guard case .reply(.response) = machine.exchanged(response).operation else {
            Issue.record("the kernel gets the response")
            return
        }
        let name: Bytes = [0xA0, 0x00, 0x00, 0x00, 0x03, 0x10, 0x10]
        let french = Presented(names: [name], objects: [0x5F28: [0x02, 0x50]])
        let france = try #require(Country(code: "FR"))
        let ending = TapOutcome.unsupportedNetwork(NetworkMismatch(.issuerCountry(france), offered: [name]))
        // The tap ends here for every next step of the kernel, its own end included, and none of its messages is shown.
        for step in [.send(Sample.select), .work, .poll(Poll()), .done(Sample.outcome(.declined))] as [EMVKit.Step] {
            var left = machine
            let report = KernelReport(
                step: step, messages: [UIRequest(message: .notAuthorised, status: .readyToRead)], presented: french)
            #expect(left.stepTaken(report) == Step(then: .fieldOff(.zero)))
            #expect(left.fieldSwitchedOff().operation == .finish(.tap(ending)))
        }
        let german = Presented(names: [name], objects: [0x5F28: [0x02, 0x76]])
        let report = KernelReport(step: .send(Sample.select), presented: german)
        #expect(machine.stepTaken(report) == Step(then: .exchange(Sample.select)))
    }

    @Test func theLastMessageIsShownForItsTime() {
        let hold = Duration.milliseconds(700)
        let message = UIRequest(message: .approved, status: .idle, hold: hold)
        let report = KernelReport(step: .done(Sample.outcome(.approved)), messages: [message])
        for isImmediate in [true, false] {
            for isCancelled in [true, false] {
                var machine = Sample.machine { $0.returnsImmediately = isImmediate }
                machine.state = .computing(Sample.run())
                if isCancelled { machine.taskCancelled() }
                _ = machine.stepTaken(report)
                let action = machine.fieldSwitchedOff()
                let timer = Step.Effect.startPromptTimer(tap: 1, hold)
                #expect(action.effects.contains(timer) == isImmediate)
                #expect((action.operation == .sleep(hold)) == (!isImmediate && !isCancelled))
                #expect(action.effects.contains(.publish(.promptFinished)) == (!isImmediate && isCancelled))
                if case .sleep = action.operation {
                    #expect(machine.timePassed().effects.first == .publish(.promptFinished))
                }
                #expect(machine.isIdle)
                let passed = Step(.publish(.promptFinished), then: .none)
                #expect(machine.promptTimePassed(1) == passed)
                #expect(machine.promptTimePassed(2) == Step(then: .none))
                machine.state = .waitingForCard(Sample.run())
                #expect(machine.promptTimePassed(1) == Step(then: .none))
                machine.state = .askingIssuer(Sample.conversation())
                #expect(machine.promptTimePassed(1) == passed)
            }
        }
    }

    // MARK: A parked tap

    @Test func aParkedTapIsCompletedOnce() throws {
        var machine = Sample.machine()
        #expect(machine.completion(.unableToGoOnline, removalTimedOut: false) == nil)
        park(&machine, ReaderStateMachineTests.waits)
        let reply = try #require(machine.completion(.response([:]), removalTimedOut: true))
        #expect(reply == .online([:], removalTimedOut: true))
        let refused = Step(.publish(.finished(.failed)), then: .finish(.tap(.failed(.nothingToComplete))))
        #expect(machine.completionRequested(reply, isTaken: false, generation: 1) == refused)
        let unprepared = Step(.publish(.finished(.failed)), then: .finish(.tap(.failed(.notPrepared))))
        #expect(machine.completionRequested(reply, isTaken: true, generation: 2) == unprepared)
        #expect(
            machine.completionRequested(reply, isTaken: true, generation: 1) == Step(.stopRemovalTimer, then: .run))
        #expect(machine.started() == Step(then: .resume(reply)))
        #expect(machine.parked == nil)
        _ = machine.stepTaken(KernelReport(step: .done(Sample.outcome(.approved))))
        #expect(machine.fieldSwitchedOff().effects.contains(.dropSession))
        #expect(machine.completionRequested(reply, isTaken: true, generation: 1) == refused)
    }

    @Test("P5: after Request Online PIN the kernel tells an issuer's answer from a PIN (C-4 12.2.2.2)")
    func anAnswerAfterAPINIsAnAnswer() {
        var machine = Sample.machine()
        machine.parked = Sample.parked(Sample.key, .requestOnlinePIN)
        #expect(machine.completion(.response([:]), removalTimedOut: false) == .online([:]))
        #expect(machine.completion(.pinNotCaptured, removalTimedOut: false) == .pin(captured: false))
        #expect(machine.completion(.unableToGoOnline, removalTimedOut: false) == .online(nil))
    }

    @Test func theRemovalTimeOutIsOfTheParkedTap() {
        var machine = Sample.machine()
        let outcome = Sample.outcome(.onlineRequest, start: .b, on: .any, removalTimeout: .seconds(5))
        exchanging(&machine)
        _ = machine.exchanged(.response([0x90, 0x00], elapsed: nil))
        _ = machine.stepTaken(KernelReport(step: .parked(outcome)))
        let timer = Step.Effect.startRemovalTimer(Sample.key, .seconds(5))
        #expect(machine.fieldSwitchedOff().effects.first == timer)
        #expect(machine.removalTimePassed(Sample.otherKey) == Step(then: .none))
        let late = machine.removalTimePassed(Sample.key)
        #expect(late.prompts == [.cardReadOK] && late.quiet == Step(.publish(.cardRead), then: .none))
        #expect(machine.completion(.response([:]), removalTimedOut: false) == .online([:], removalTimedOut: true))
    }

    @Test func cancelAtRestGivesUpWhatWaits() {
        var machine = Sample.machine()
        #expect(machine.endRequested(.requested) == Step(then: .none))
        park(&machine, ReaderStateMachineTests.waits)
        #expect(machine.endRequested(.requested) == Step(.dropSession, then: .none))
        park(&machine, ReaderStateMachineTests.waitsAtD, Sample.otherKey)
        machine.challenge = Sample.conversation()
        #expect(machine.endRequested(.requested) == Step(then: .run))
        #expect(machine.started() == Step(then: .fieldOff(.zero)))
        let action = machine.fieldSwitchedOff()
        guard case .reverse(let reversal, Sample.means) = action.operation else { Issue.record("\(action)"); return }
        #expect(reversal.key == Sample.key && reversal.reason == .pinMissing && action.effects == [.dropSession])
        #expect(machine.reversed(false).operation == .reverse(reversal.repeated, Sample.means))
        #expect(machine.reversed(false) == Step(.publish(.unresolved(Sample.key)), then: .finish(.released)))
        #expect(machine.settled?.result == .unknown(Sample.key))
        #expect(machine.isIdle && machine.parked == nil && machine.challenge == nil)
    }

    @Test func departuresEndAPreparation() {
        var machine = Sample.machine()
        #expect(machine.departed(.readerDetached) == Step(.publish(.readerDetached), then: .none))
        #expect(machine.departed(.notReady) == Step(then: .none))
        #expect(machine.readRequested(Sample.record(), generation: 1).effects.last == .publish(.notReady))
    }

    // MARK: An authorisation

    private func ask(_ conversation: Conversation) -> Step.Operation {
        .askIssuer(conversation.request, conversation.means)
    }

    @Test func anApprovalOfTheIssuer() {
        var machine = Sample.machine()
        let read = Sample.read(), conversation = Sample.conversation(attempt: 1)
        #expect(machine.authorizationRequested(read, Sample.means) == Step(then: .run))
        #expect(machine.started() == Step(.publish(.authorizing), then: ask(conversation)))
        let result = AuthorizationResult.Ending.approved(Sample.approval)
        let end = machine.issuerAnswered(.value(.approved(Sample.approval)))
        #expect(end.prompts == [.approved])
        #expect(
            end.quiet
                == Step(
                    .publish(.authorized(.approved)), .publish(.ready), then: .finish(.authorization(result))))
        let repeated = Step(.publish(.authorized(.approved)), then: .finish(.authorization(result)))
        #expect(machine.authorizationRequested(read, Sample.means) == repeated)
        let forged = Sample.read(Sample.outcome(.approved))
        let refused = AuthorizationResult.Ending.failed([Problem(.authorizationNotPossible)])
        #expect(machine.authorizationRequested(forged, Sample.means).operation == .finish(.authorization(refused)))
    }

    @Test func theKernelIsToldAndMayOverrule() {
        var approval = Sample.approval
        approval.cardAnswer = nil
        let reason = Problem(.issuerAnswerRefused, detail: "response code 00")
        let other = Problem(.otherInterfaceWanted)
        let cases: [(Outcome.Status, reversed: [Problem]?, AuthorizationResult.Ending)] = [
            (.approved, nil, .approved(approval)), (.endApplication, nil, .approved(approval)),
            (
                .declined, [reason],
                .declined(Decline(reason: .issuerAnswerRefused, responseCode: "00"))
            ),
            (.tryAnotherInterface, [other], .reversed([other])),
        ]
        for (status, problems, result) in cases {
            var machine = Sample.machine()
            park(&machine, ReaderStateMachineTests.waits)
            _ = machine.authorizationRequested(Sample.read(), Sample.means)
            _ = machine.started()
            let told = Step(.stopRemovalTimer, then: .resume(.online(Sample.approval.issuerData)))
            #expect(machine.issuerAnswered(.value(.approved(Sample.approval))) == told)
            #expect(machine.parked == nil)
            _ = machine.stepTaken(KernelReport(step: .done(Sample.outcome(status))))
            var last = machine.fieldSwitchedOff()
            #expect(last.effects.first == .dropSession)
            if problems != nil {
                guard case .reverse(let reversal, _) = last.operation else { Issue.record("\(last)"); continue }
                #expect(reversal.reason == .cardRefused)
                var lost = machine
                _ = lost.reversed(false)
                #expect(lost.reversed(false).operation == .finish(.authorization(.unknown(Sample.key))))
                last = machine.reversed(true)
            }
            guard case .finish(.authorization(let ended)) = last.operation else { Issue.record("\(last)"); continue }
            #expect(ended.name == result.name && ended.problems.map(\.code) == result.problems.map(\.code))
        }
    }

    @Test func anAnswerThatDoesNotComeIsReversedWhereItMayHaveLeft() {
        let none = Problem(.hostUnreachable)
        let answers: [(Race<IssuerDecision?>, Reversal.Reason?, [Problem.Code])] = [
            (.value(.failed([none])), nil, [.hostUnreachable]),
            (.value(nil), .answerLost, [.authorizationAnswerLost]),
            (.deadlinePassed, .timedOut, [.authorizationTimedOut]),
            (.cancelled, .interrupted, [.authorizationInterrupted]),
        ]
        for (answer, reason, codes) in answers {
            var machine = Sample.machine()
            _ = machine.authorizationRequested(Sample.read(), Sample.means)
            _ = machine.started()
            var action = machine.issuerAnswered(answer)
            if let reason {
                let reversal = Reversal(key: Sample.key, reason: reason, amount: eur(1250), moment: noon)
                #expect(action == Step(then: .reverse(reversal, Sample.means)))
                action = machine.reversed(true)
            }
            guard case .finish(.authorization(let result)) = action.operation else {
                Issue.record("\(action)")
                continue
            }
            #expect(result.name == (reason == nil ? .failed : .reversed) && result.problems.map(\.code) == codes)
            // Another try is possible only if nothing may have been booked.
            let again = machine.authorizationRequested(Sample.read(), Sample.means)
            #expect((again.operation == .run) == (reason == nil))
        }
    }

    @Test func aKernelWithoutAnAnswerMayApprove() {
        for isConfirmed in [true, false] {
            var machine = Sample.machine { $0.reversalAttempts = 1 }
            park(&machine, ReaderStateMachineTests.waits)
            _ = machine.authorizationRequested(Sample.read(), Sample.means)
            _ = machine.started()
            #expect(machine.issuerAnswered(.value(nil)) == Step(.stopRemovalTimer, then: .resume(.online(nil))))
            _ = machine.stepTaken(KernelReport(step: .done(Sample.outcome(.approved))))
            guard case .reverse = machine.fieldSwitchedOff().operation else { Issue.record("not reversed"); return }
            let result: AuthorizationResult.Ending =
                isConfirmed ? .approved(Approval(origin: .card, responseCode: "Y3")) : .unknown(Sample.key)
            #expect(machine.reversed(isConfirmed).operation == .finish(.authorization(result)))
        }
    }

    @Test func nothingIsApprovedWithoutItsIssuerUnlessThatIsDeclared() {
        for hasJournal in [false, true] {
            var machine = Sample.machine {
                $0.takesCardApprovals = false
                $0.hasJournal = hasJournal
                $0.hasSealer = true
            }
            machine.state = .computing(Sample.run())
            let action = machine.stepTaken(KernelReport(step: .done(Sample.outcome(.approved))))
            #expect(action.prompts == [.processingError])
            var last = machine.fieldSwitchedOff()
            if case .append(let events, _, _) = last.operation {
                #expect(events == [.closed])
                last = machine.journaled()
            }
            guard case .finish(.tap(.failed(.journal))) = last.operation else {
                Issue.record("a card's approval: \(last)")
                return
            }
        }
        // A kernel that continues without an answer cannot approve, either.
        var machine = Sample.machine { $0.takesCardApprovals = false }
        park(&machine, ReaderStateMachineTests.waits)
        _ = machine.authorizationRequested(Sample.read(), Sample.means)
        _ = machine.started()
        _ = machine.issuerAnswered(.value(.failed([Problem(.hostUnreachable)])))
        _ = machine.stepTaken(KernelReport(step: .done(Sample.outcome(.approved))))
        let failed = AuthorizationResult.Ending.failed([Problem(.hostUnreachable)])
        #expect(machine.fieldSwitchedOff().operation == .finish(.authorization(failed)))
    }

    @Test("P9: an approval whose answer was lost is kept where the host tells of it")
    func theHostIsAskedBeforeAnApprovalIsReversed() {
        let decline = Decline(reason: .issuer, responseCode: "05")
        let cases: [(Race<HostStatus?>, AuthorizationResult.Ending?)] = [
            (.value(.approved(Sample.approval)), .approved(Sample.approval)),
            (.value(.declined(decline)), .declined(decline)), (.value(.reversed), nil), (.value(.neverSeen), nil),
            (.value(.inProgress), nil), (.value(.unsupported), nil), (.value(nil), nil), (.deadlinePassed, nil),
            (.cancelled, nil),
        ]
        for lost in [Race<IssuerDecision?>.value(nil), .deadlinePassed] {
            for (status, result) in cases {
                var machine = Sample.machine { $0.keepsApprovals = true }
                _ = machine.authorizationRequested(Sample.read(), Sample.means)
                _ = machine.started()
                #expect(machine.issuerAnswered(lost) == Step(then: .askStatus(Sample.key, Sample.means)))
                if case .cancelled = status { machine.taskCancelled() }
                let action = machine.statusAnswered(status)
                if let result {
                    #expect(action.operation == .finish(.authorization(result)))
                } else if case .reverse = action.operation {
                } else {
                    Issue.record("\(status): \(action)")
                }
            }
        }
    }

    @Test func thePINOfTheCardGoesWithTheRequest() {
        var outcome = Sample.outcome(.onlineRequest)
        outcome.cvm = .onlinePIN
        let read = Sample.read(outcome)
        var machine = Sample.machine()
        _ = machine.authorizationRequested(read, Sample.meansWithoutPad)
        let missing = AuthorizationResult.Ending.failed([Problem(.pinPadMissing)])
        #expect(machine.started().operation == .finish(.authorization(missing)))
        _ = machine.authorizationRequested(read, Sample.means)
        let request = PINRequest(
            reason: .card, amount: eur(1250), timeout: .seconds(55), card: read.dataRecord)
        let pad = machine.started()
        #expect(pad.prompts == [.enterPIN])
        #expect(pad.quiet == Step(.publish(.pinEntry), then: .collectPIN(request, Sample.means)))
        var refused = machine
        let cancelled = AuthorizationResult.Ending.failed([Problem(.pinCancelled)])
        #expect(refused.pinCollected(.value(.cancelled)).operation == .finish(.authorization(cancelled)))
        let sent = machine.pinCollected(.value(.entered(Sample.pin)))
        #expect(sent.effects == [.publish(.pinEntryFinished), .publish(.authorizing)])
        guard case .askIssuer(let first, _) = sent.operation else { Issue.record("\(sent)"); return }
        #expect(first.pin == Sample.pin && first.attempt == 1)
    }

    @Test func aChallengeIsAnsweredByThePINPadOrTheApp() {
        let challenge = PINChallenge(id: "1", deadline: .seconds(20))
        for hasPad in [true, false] {
            var machine = Sample.machine()
            let means = hasPad ? Sample.means : Sample.meansWithoutPad, read = Sample.read()
            _ = machine.authorizationRequested(read, means)
            _ = machine.started()
            let action = machine.issuerAnswered(.value(.pinRequested(challenge)))
            let sent: Step
            if hasPad {
                guard case .collectPIN(let request, means) = action.operation else { Issue.record("\(action)"); return }
                #expect(request.reason == .issuer(challenge) && request.timeout == .seconds(20))
                sent = machine.pinCollected(.value(.entered(Sample.pin)))
            } else {
                #expect(action.operation == .finish(.authorization(.pinRequested(challenge))))
                let repeated = machine.authorizationRequested(read, means)
                #expect(repeated.operation == .finish(.authorization(.pinRequested(challenge))))
                // A different read with this key is another payment or a forgery.
                var outcome = Sample.outcome(.onlineRequest)
                outcome.receipt.toggle()
                let refused = AuthorizationResult.Ending.failed([Problem(.authorizationNotPossible)])
                #expect(
                    machine.authorizationRequested(Sample.read(outcome), means).operation
                        == .finish(.authorization(refused)))
                let wrong = PINChallenge(id: "2")
                let still = AuthorizationResult.Ending.pinRequested(challenge)
                #expect(machine.pinBrought(read, wrong, Sample.pin).operation == .finish(.authorization(still)))
                #expect(machine.pinBrought(read, challenge, Sample.pin) == Step(then: .run))
                sent = machine.started()
            }
            guard case .askIssuer(let request, _) = sent.operation else { Issue.record("\(sent)"); return }
            #expect(request.attempt == 2 && request.pin == Sample.pin && request.challenge == challenge)
        }
    }

    @Test func aChallengeThatNobodyAnswersIsReversed() {
        var machine = Sample.machine { $0.maximumPINRequests = 1 }
        _ = machine.authorizationRequested(Sample.read(), Sample.means)
        _ = machine.started()
        _ = machine.issuerAnswered(.value(.pinRequested(PINChallenge(id: "1"))))
        var timedOut = machine
        guard case .reverse(let reversal, _) = timedOut.pinCollected(.deadlinePassed).operation else {
            Issue.record("not reversed")
            return
        }
        #expect(reversal.reason == .pinMissing)
        let result = AuthorizationResult.Ending.reversed([Problem(.pinTimedOut)])
        #expect(timedOut.reversed(true).operation == .finish(.authorization(result)))
        _ = machine.pinCollected(.value(.entered(Sample.pin)))
        guard case .reverse = machine.issuerAnswered(.value(.pinRequested(PINChallenge(id: "2")))).operation else {
            Issue.record("more PINs than allowed")
            return
        }
        let exceeded = AuthorizationResult.Ending.reversed([Problem(.pinAttemptsExceeded)])
        #expect(machine.reversed(true).operation == .finish(.authorization(exceeded)))
    }

    @Test func aNewActivityReversesThePaymentThatWaitsForItsPINFirst() {
        let other = Sample.read(Sample.outcome(.onlineRequest), Sample.otherKey)
        for isRead in [true, false] {
            var machine = Sample.machine()
            machine.challenge = Sample.conversation(attempt: 1)
            if isRead {
                _ = machine.readRequested(Sample.record(Sample.otherKey))
            } else {
                _ = machine.authorizationRequested(other, Sample.means)
            }
            guard case .reverse(let reversal, _) = machine.started().operation else { Issue.record("kept"); return }
            #expect(reversal.key == Sample.key && machine.challenge == nil)
            let next = machine.reversed(true)
            if isRead {
                #expect(next == Step(then: .prepare))
            } else {
                guard case .askIssuer(let request, _) = next.operation else { Issue.record("\(next)"); return }
                #expect(request.key == Sample.otherKey)
            }
            #expect(machine.settled?.key == Sample.key)
        }
    }

    @Test func theKernelsPINIsRequestedOnce() {
        var machine = Sample.machine()
        park(&machine, ReaderStateMachineTests.waitsAtD)
        _ = machine.authorizationRequested(Sample.read(), Sample.means)
        _ = machine.started()
        _ = machine.issuerAnswered(.value(.approved(Sample.approval)))
        let wants = Sample.outcome(.requestOnlinePIN, start: .d, on: .any)
        guard case .collectPIN = machine.stepTaken(KernelReport(step: .parked(wants))).operation else {
            Issue.record("no PIN")
            return
        }
        #expect(machine.parked?.status == .requestOnlinePIN)
        _ = machine.pinCollected(.value(.entered(Sample.pin)))
        let told = machine.issuerAnswered(.value(.approved(Sample.approval)))
        #expect(told.operation == .resume(.online(Sample.approval.issuerData)))
        // If the kernel asks again, it gets no answer, and the issuer's approval is kept.
        #expect(machine.stepTaken(KernelReport(step: .parked(wants))) == Step(then: .fieldOff(.zero)))
        let end = machine.fieldSwitchedOff()
        #expect(end.effects.first == .dropSession)
        var verified = Sample.approval
        verified.isPINVerified = true
        #expect(end.operation == .finish(.authorization(.approved(verified))))
    }

    @Test func theParkedTapOfAnotherPaymentIsLeftAlone() {
        var machine = Sample.machine()
        park(&machine, ReaderStateMachineTests.waitsAtD, Sample.otherKey)
        let parked = machine.parked
        _ = machine.authorizationRequested(Sample.read(), Sample.means)
        _ = machine.started()
        let end = machine.issuerAnswered(.value(.approved(Sample.approval)))
        #expect(!end.effects.contains(.stopRemovalTimer) && !end.effects.contains(.dropSession))
        #expect(end.operation == .finish(.authorization(.approved(Sample.approval))))
        #expect(machine.parked == parked && machine.parked?.keepsField == true)
    }

    // MARK: A defect

    @Test func aDefectEndsWithoutAnApproval() {
        var machine = Sample.machine()
        machine.state = .exchanging(Sample.run())
        #expect(machine.failed().operation == .finish(.tap(.failed(.internal))))
        for attempt in [0, 1] {
            machine = Sample.machine()
            machine.state = .collectingPIN(Sample.conversation(attempt: attempt))
            let result: AuthorizationResult.Ending =
                attempt == 0 ? .failed([Problem(.kernelDefect)]) : .unknown(Sample.key)
            #expect(machine.failed().operation == .finish(.authorization(result)))
        }
        machine = Sample.machine()
        machine.state = .reversing(Sample.pending(.read(Sample.record(Sample.otherKey)), Sample.conversation()))
        let action = machine.failed()
        #expect(action.effects.contains(.publish(.unresolved(Sample.key))))
        #expect(action.operation == .finish(.tap(.failed(.internal))))
    }
}

/// The events published and the entries written on the way, starting from given states.
@Suite struct ReaderStateEffectTests {
    private func machine(
        _ state: ReaderStateMachine.State, hasJournal: Bool = false
    ) -> ReaderStateMachine {
        var machine = Sample.machine { $0.hasJournal = hasJournal }
        machine.state = state
        return machine
    }

    @Test func aCardThatIsWaitedForIsAnnounced() {
        let alone = PreludeRun(handle: Sample.prelude)
        var prelude = machine(.waitingForPrelude(alone))
        #expect(prelude.cardArrived(.card) == ReaderAction(.publish(.cardDetected), then: .holdPrelude(Sample.prelude)))
        var several = machine(.waitingForPrelude(alone))
        #expect(several.cardArrived(.collision).effects == [.publish(.severalCards), .publish(.waitingForCard)])
        // Before a payment: with a transport that cannot detect removals, the card is reported at once.
        var leaving = machine(.leavingCard(Sample.run()))
        #expect(leaving.cardArrived(.card) == ReaderAction(.publish(.cardDetected), then: .replyCard))
    }

    @Test func aReaderThatGoesAwayBeforeAPaymentSaysSo() {
        for event in [CardEvent.readerGone, .nothing] {
            var machine = machine(.leavingCard(Sample.run()))
            var last = machine.cardArrived(event)
            if case .fieldOff = last.operation { last = machine.fieldSwitchedOff() }
            let reason: CancelReason = event == .readerGone ? .readerDetached : .cardLeft
            #expect(last.operation == .finish(.tap(.cancelled(reason))), "\(event)")
            #expect((machine.preparation.generation == nil) == (event == .readerGone), "\(event)")
        }
        var alone = machine(.waitingForPrelude(PreludeRun(handle: Sample.prelude)))
        #expect(alone.cardArrived(.readerGone).operation == .finish(.prelude(.cancelled(.readerDetached))))
    }

    /// If no prompt pointed to the phone, a tap that fails in its first presentment is not a locked phone.
    @Test func aPhoneIsLockedOnlyWhereItWasShown() {
        let record = Sample.record()
        func isLocked(_ tap: Tap, _ reason: Outcome.Reason) -> Bool? {
            let outcome = Outcome(status: .endApplication, reason: reason)
            guard case .unreadable(let failure) = tap.ending(outcome, limit: .other, hasPINPad: true) else {
                return nil
            }
            return failure.deviceLocked
        }
        var tap = Tap(record)
        #expect(isLocked(tap, .tooManyTaps) == false && isLocked(tap, .link) == false)
        _ = tap.note(UIRequest(message: .seePhone, status: .processing))
        #expect(isLocked(tap, .tooManyTaps) == true && isLocked(tap, .link) == true)
        tap.phonePrompt = .before
        #expect(isLocked(tap, .tooManyTaps) == true && isLocked(tap, .link) == false)
        tap.lastFault = .timeout
        #expect(isLocked(tap, .tooManyTaps) == false)
    }

    /// Once the card is back, the prompt to look at the phone counts for the earlier presentment.
    @Test func aCardThatComesBackHasSeenThePhone() {
        for (shown, then) in [(Tap.PhonePrompt.none, Tap.PhonePrompt.none), (.before, .none), (.shown, .before)] {
            var run = Sample.run()
            run.tap.phonePrompt = shown
            var machine = machine(.waitingForCard(run))
            _ = machine.cardArrived(.card)
            #expect(machine.run?.tap.phonePrompt == then)
        }
    }

    /// A missing PIN is the reason for the reversal, whatever happens after it.
    @Test func aPINThatWillNotComeIsTheReason() {
        let challenge = PINChallenge(id: "1"), read = Sample.read()
        var machine = Sample.machine()
        _ = machine.authorizationRequested(read, Sample.meansWithoutPad)
        _ = machine.started()
        _ = machine.issuerAnswered(.value(.pinRequested(challenge)))
        _ = machine.giveUpRequested(read)
        guard case .reverse(let reversal, _) = machine.started().operation else { Issue.record("not reversed"); return }
        #expect(reversal.reason == .pinMissing)
        let ended = AuthorizationResult.Ending.reversed([Problem(.pinCancelled)])
        #expect(machine.reversed(true).operation == .finish(.authorization(ended)))
    }

    /// The reader knows exactly the keys of the last 10,000 taps.
    @Test func theOldestKeyIsForgotten() {
        var used = UsedKeys()
        let keys = (0...10_000).map { ReconciliationKey(rawValue: "tap-\($0)")! }
        for key in keys.dropLast() { used.insert(key) }
        #expect(used.contains(keys[0]) && used.contains(keys[9_999]))
        used.insert(keys[10_000])
        #expect(!used.contains(keys[0]) && used.contains(keys[1]) && used.contains(keys[10_000]))
    }

    // MARK: The journal

    /// A card's approval is shown after it has been written; if the write fails, an error is shown instead.
    @Test func anApprovalIsShownWhereItIsWritten() {
        let outcome = Sample.outcome(.approved)
        let read = CardRead(authorization: .approvedOffline, outcome: outcome, tap: Sample.record())
        var run = Sample.run()
        run.held = [UIRequest(message: .approved, status: .cardRead)]
        let end = KernelEnd(run: run, outcome: .success(read), kernel: outcome, isParked: false, keepsField: false)
        let state = ReaderStateMachine.State.writing(
            .init(key: Sample.key, events: [.queued(.offlineApproval)], successor: .settle(end, fieldOff: nil)))
        var written = machine(state, hasJournal: true)
        let shown = written.journaled()
        #expect(shown.prompts == [.approved] && shown.effects.contains(.publish(.cardRead)))
        var failed = machine(state, hasJournal: true)
        let error = failed.journaled(.full)
        #expect(error.prompts == [.processingError] && error.effects.contains(.publish(.cardRead)))
    }

    /// Messages other than an approval are shown at once, even with a journal.
    @Test func whatIsNoApprovalDoesNotWaitForTheJournal() {
        for hasJournal in [true, false] {
            for message in [Message.presentCard, .seePhone, .cardReadOK, .notAuthorised] {
                var machine = machine(.computing(Sample.run()), hasJournal: hasJournal)
                let shown = UIRequest(message: message, status: .readyToRead)
                let action = machine.stepTaken(KernelReport(step: .poll(Poll()), messages: [shown]))
                #expect(action.prompts == [message], "\(message)")
            }
            var approving = machine(.computing(Sample.run()), hasJournal: hasJournal)
            let approval = UIRequest(message: .approved, status: .cardRead)
            let action = approving.stepTaken(KernelReport(step: .poll(Poll()), messages: [approval]))
            #expect(action.prompts == (hasJournal ? [] : [.approved]))
        }
    }

    @Test func aPaymentThatIsNotJournalledIsRefusedAloud() {
        var machine = machine(.lookingUp(Sample.conversation()), hasJournal: true)
        let refused = AuthorizationResult.Ending.failed([Problem(.authorizationNotPossible)])
        #expect(
            machine.tapFound(.success(nil))
                == ReaderAction(
                    .publish(.authorized(.failed)), .publish(.ready), then: .finish(.authorization(refused))))
    }

    /// If the journal cannot be read, the reader does not know what may be booked.
    @Test func withoutItsJournalAPaymentIsUnknownWhereItMayBeBooked() throws {
        let conversation = Sample.conversation()
        var fresh = machine(.lookingUp(conversation), hasJournal: true)
        #expect(
            fresh.tapFound(.failure(.full)).operation
                == .finish(.authorization(.failed([JournalError.full.problem]))))
        var asked = machine(.lookingUp(conversation), hasJournal: true)
        asked.mayBeBooked.insert(Sample.key)
        #expect(asked.tapFound(.failure(.full)).operation == .finish(.authorization(.unknown(Sample.key))))
        let offline = CardRead(
            authorization: .approvedOffline, outcome: Sample.outcome(.approved), tap: Sample.record())
        let own = try #require(Conversation(offline, Sample.means))
        var approved = machine(.lookingUp(own), hasJournal: true)
        #expect(approved.tapFound(.failure(.full)).operation == .finish(.authorization(.unknown(Sample.key))))
    }

    /// The journal entries for a confirmed reversal, for each kind of work that waited for it.
    @Test func aReversalIsWrittenAsOne() {
        let conversation = Sample.conversation(attempt: 1), decline = Decline(reason: .card)
        let over: [JournalEvent] = [.reversed, .erased(.account)]
        let successors: [(PendingReversal.Successor, [JournalEvent])] = [
            (.read(Sample.record(Sample.otherKey)), over), (.release, over), (.conclude, over),
            (.authorize(Sample.conversation(Sample.otherKey)), over),
            (.decline(decline), [.reversed, .answered(.declined(decline)), .erased(.account)]),
        ]
        for (successor, events) in successors {
            var machine = machine(.reversing(Sample.pending(successor, conversation)), hasJournal: true)
            guard case .append(let written, let key, _) = machine.reversed(true).operation else {
                Issue.record("\(successor): nothing is written")
                continue
            }
            #expect(written == events && key == Sample.key, "\(successor)")
        }
    }
}
