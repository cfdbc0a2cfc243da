// SPDX-License-Identifier: Apache-2.0
import Testing
@testable import EMVKernel
@testable import EMVKit
@testable import EMVPOS

/// Every state with every event: this table lists the event that each state waits for, and all others are refused.
@Suite struct ReaderStateTableTests {
    private enum Event: String, CaseIterable {
        case started, prepared, sessionBegan, tapAnnounced, stepTaken, cardArrived, exchanged, timePassed
        case fieldSwitchedOff, limitFound, issuerAnswered, statusAnswered, pinCollected, reversed
        case journalConsulted, sealed, journaled, tapFound, amountAnswered, preludeHeld, begunAgain

        func happen(to machine: inout ReaderStateMachine) -> ReaderAction {
            let report = KernelReport(step: .done(Sample.outcome(.approved)))
            return switch self {
            case .started: machine.started()
            case .prepared: machine.prepared()
            case .sessionBegan: machine.sessionBegan()
            case .tapAnnounced: machine.tapAnnounced(report)
            case .stepTaken: machine.stepTaken(report)
            case .cardArrived: machine.cardArrived(.card)
            case .exchanged: machine.exchanged(.response([0x90, 0x00], elapsed: nil))
            case .timePassed: machine.timePassed()
            case .fieldSwitchedOff: machine.fieldSwitchedOff()
            case .limitFound: machine.limitFound(nil)
            case .issuerAnswered: machine.issuerAnswered(.value(.approved(Sample.approval)))
            case .statusAnswered: machine.statusAnswered(.value(.neverSeen))
            case .pinCollected: machine.pinCollected(.value(.entered(Sample.pin)))
            case .reversed: machine.reversed(true)
            case .journalConsulted: machine.journalConsulted(.success(.init(counter: 7, isOnlineOnly: true)))
            case .sealed: machine.sealed(Sample.stored)
            case .journaled: machine.journaled()
            case .tapFound: machine.tapFound(.success(nil))
            case .amountAnswered: machine.amountAnswered(.value(AmountChange.Total(eur(1300))))
            case .preludeHeld: machine.preludeHeld(PreludeEnd(.payment))
            case .begunAgain: machine.begunAgain(.success(report))
            }
        }
    }

    /// Deliberately exhaustive: a new state must be added here and below.
    private func awaited(in state: ReaderStateMachine.State) -> Event? {
        switch state {
        case .idle: nil
        case .starting: .started
        case .preparing, .preparingPrelude: .prepared
        case .beginningSession: .sessionBegan
        case .announcing: .tapAnnounced
        case .computing: .stepTaken
        case .emptyingField, .waitingForCard, .waitingForPrelude, .leavingCard: .cardArrived
        case .holdingPrelude: .preludeHeld
        case .pricing: .begunAgain
        case .exchanging: .exchanged
        case .pausing, .showing: .timePassed
        case .leavingPoll, .settlingField, .releasingField, .closingPrelude: .fieldSwitchedOff
        case .findingLimit: .limitFound
        case .collectingPIN: .pinCollected
        case .askingIssuer: .issuerAnswered
        case .askingStatus: .statusAnswered
        case .reversing: .reversed
        case .consultingJournal: .journalConsulted
        case .sealing: .sealed
        case .writing: .journaled
        case .lookingUp: .tapFound
        case .changingAmount: .amountAnswered
        }
    }

    private static let states: [ReaderStateMachine.State] = {
        let record = Sample.record(), run = Sample.run(), conversation = Sample.conversation(attempt: 1)
        let other = Sample.conversation(Sample.otherKey), failed = AuthorizationResult.Ending.failed([])
        let issuer = KernelRun(tap: run.tap, purpose: .issuer(conversation, .approved(Sample.approval)))
        let outcome = Outcome(status: .endApplication, reason: .noCommonApplication)
        let end = KernelEnd(
            run: run, outcome: .cancelled(.requested), kernel: nil, isParked: false, keepsField: false)
        let told = KernelEnd(
            run: issuer, outcome: .failed(.internal), kernel: nil, isParked: false, keepsField: false)
        let successors: [PendingReversal.Successor] = [
            .read(record), .authorize(other), .release, .conclude, .decline(Decline(reason: .card)), .kernel(nil),
        ]
        var states: [ReaderStateMachine.State] = [
            .idle, .starting(.read(record)), .starting(.complete(.online([:]))), .starting(.authorize(conversation)),
            .starting(.giveUp(conversation)), .starting(.release), .preparing(record), .beginningSession(record),
            .showing(.cancelled(.requested)), .collectingPIN(conversation), .askingIssuer(conversation),
            .askingStatus(conversation, .noAnswer(reversal: .answerLost, [])),
            .releasingField(.read(record)), .releasingField(.conclude(conversation, failed)),
            .releasingField(.release), .settlingField(end), .settlingField(told),
        ]
        let first = KernelReport(step: .poll(Poll()), presentations: 0)
        for run in [run, issuer] {
            states += [
                .announcing(run), .emptyingField(run, first, isAsked: false), .emptyingField(run, first, isAsked: true),
                .computing(run), .waitingForCard(run), .exchanging(run), .pausing(run),
                .leavingPoll(run, .requested), .changingAmount(run), .leavingCard(run),
                .findingLimit(run, KernelReport(step: .done(outcome)), outcome),
                .holdingPrelude(PreludeRun(handle: Sample.prelude, kernel: run)), .pricing(run, PreludeEnd(.payment)),
            ]
        }
        let alone = PreludeRun(handle: Sample.prelude)
        states += [
            .starting(.hold(alone)), .preparingPrelude(alone), .waitingForPrelude(alone), .holdingPrelude(alone),
            .closingPrelude(.held), .closingPrelude(.cancelled(.timedOut)),
        ]
        let approved = KernelEnd(
            run: run, outcome: .success(Sample.read()), kernel: nil, isParked: false, keepsField: false)
        let pending = successors.map { Sample.pending($0, conversation) }
        let writings: [ReaderStateMachine.Writing.Successor] =
            [
                .consult(record), .begin(record), .settle(approved, fieldOff: nil),
                .showLast(.cancelled(.requested), hold: .zero), .ask(conversation), .want(conversation),
                .conclude(conversation, failed), .retry(conversation, []), .deferPayment(conversation, []),
            ] + pending.map { .reverse($0) } + pending.map { .follow($0, failed) }
        states += [
            .consultingJournal(record), .sealing(.ask(conversation)),
            .sealing(.settle(approved, fieldOff: nil, Sample.read())), .lookingUp(conversation),
        ]
        states += writings.map { .writing(.init(key: Sample.key, events: [.closed], successor: $0)) }
        return states + pending.map { .reversing($0) }
    }()

    private func machine(_ state: ReaderStateMachine.State) -> ReaderStateMachine {
        var machine = Sample.machine()
        switch state {
        case .consultingJournal, .sealing, .writing, .lookingUp: machine = Sample.machine { $0.hasJournal = true }
        default: break
        }
        machine.state = state
        switch state {
        // A running kernel is not parked.
        case .starting(.complete), .starting(.release), .releasingField: machine.parked = Sample.parked()
        default: break
        }
        return machine
    }

    private func isSame(_ one: ReaderStateMachine, _ other: ReaderStateMachine) -> Bool {
        one.state == other.state && one.parked == other.parked && one.challenge == other.challenge
            && one.settled == other.settled && one.preparation == other.preparation
            && one.counter == other.counter && one.endedTaps == other.endedTaps && one.usedKeys == other.usedKeys
            && one.interruption == other.interruption && one.prelude == other.prelude
    }

    @Test func aStateTakesWhatItWaitsForAndNothingElse() {
        var taken: Set<Event> = []
        for state in ReaderStateTableTests.states {
            for event in Event.allCases {
                let before = machine(state)
                var after = before
                let action = event.happen(to: &after)
                if event == awaited(in: state) {
                    taken.insert(event)
                    #expect(action.operation != .unexpected && action.operation != .none, "\(state) \(event)")
                    #expect(after.state != state, "\(state) \(event)")
                } else {
                    #expect(action == ReaderAction(effects: [], operation: .unexpected), "\(state) \(event)")
                    #expect(isSame(before, after), "\(state) \(event)")
                }
            }
        }
        #expect(taken.count == Event.allCases.count)
    }

    @Test func requestsAreRefusedWhileSomethingIsUnderWay() {
        let read = Sample.read(), challenge = PINChallenge(id: "1")
        let denied = ReaderAction(
            .publish(.authorized(.unknown)), then: .finish(.authorization(.unknown(read.key!))))
        let busyTap = ReaderAction(.publish(.finished(.failed)), then: .finish(.tap(.failed(.busy))))
        let busy = ReaderAction(
            .publish(.authorized(.failed)), then: .finish(.authorization(.failed([Problem(.readerBusy)]))))
        for state in ReaderStateTableTests.states where state != .idle {
            let before = machine(state)
            var after = before
            #expect(after.readRequested(Sample.record(Sample.otherKey)) == busyTap)
            #expect(after.completionRequested(.online([:]), isTaken: true, generation: 1) == busyTap)
            #expect(
                after.preludeRequested(PreludeRun(handle: Sample.prelude))
                    == ReaderAction(then: .finish(.prelude(.failed(.busy)))))
            // A call for the payment in progress returns unknown, because it may yet be booked; others find the
            // reader busy.
            let refusal = before.conversation?.key == read.key ? denied : busy
            #expect(after.authorizationRequested(read, Sample.means) == refusal)
            #expect(after.pinBrought(read, challenge, Sample.pin) == refusal)
            #expect(after.giveUpRequested(read) == refusal)
            #expect(isSame(before, after), "\(state)")
            #expect(after.endRequested(.requested) == ReaderAction(then: .cancelActivity))
            #expect(after.state == state && after.interruption == .requested)
            #expect(after.departed(.notReady) == ReaderAction(.publish(.notReady), then: .none))
            #expect(after.state == state && after.preparation.generation == nil)
            _ = after.promptTimePassed(7)
            _ = after.removalTimePassed(Sample.otherKey)
            #expect(after.state == state && after.parked == before.parked)
        }
    }

    private enum Caller { case tap, authorization, prelude, nobody }

    private func caller(of pending: PendingReversal) -> Caller {
        switch pending.successor {
        case .read: .tap
        case .authorize, .conclude, .decline, .kernel: .authorization
        case .release: .nobody
        }
    }

    private func caller(of run: KernelRun) -> Caller { run.purpose == .tap ? .tap : .authorization }

    /// The caller that waits for the end of the current activity. Deliberately exhaustive.
    private func caller(in state: ReaderStateMachine.State) -> Caller {
        switch state {
        case .idle, .starting(.release), .releasingField(.release): .nobody
        case .starting(.read), .starting(.complete), .preparing, .beginningSession, .showing, .consultingJournal,
            .releasingField(.read):
            .tap
        case .starting(.authorize), .starting(.giveUp), .collectingPIN, .askingIssuer, .askingStatus, .lookingUp,
            .releasingField(.conclude):
            .authorization
        case .starting(.hold), .preparingPrelude, .waitingForPrelude, .closingPrelude: .prelude
        case .holdingPrelude(let prelude): prelude.kernel.map(caller) ?? .prelude
        case .announcing(let run), .emptyingField(let run, _, _), .computing(let run), .waitingForCard(let run),
            .exchanging(let run),
            .pausing(let run), .leavingPoll(let run, _), .changingAmount(let run), .leavingCard(let run),
            .findingLimit(let run, _, _), .pricing(let run, _):
            caller(of: run)
        case .settlingField(let end): caller(of: end.run)
        case .sealing(.settle(let end, _, _)): caller(of: end.run)
        case .sealing(.ask): .authorization
        case .reversing(let pending): caller(of: pending)
        case .writing(let writing):
            switch writing.successor {
            case .consult, .begin, .showLast: .tap
            case .settle(let end, _): caller(of: end.run)
            case .ask, .want, .conclude, .retry, .deferPayment: .authorization
            case .reverse(let pending), .follow(let pending, _): caller(of: pending)
            }
        }
    }

    @Test func whoeverCalledIsToldOfADefect() {
        for state in ReaderStateTableTests.states {
            var machine = machine(state)
            guard case .finish(let ending) = machine.failed().operation else { Issue.record("\(state)"); continue }
            let told: Caller =
                switch ending {
                case .tap: .tap
                case .authorization: .authorization
                case .prelude: .prelude
                case .released: .nobody
                }
            #expect(told == caller(in: state), "\(state)")
        }
    }

    @Test func everyStateComesToAnEndAfterADefect() {
        for state in ReaderStateTableTests.states {
            var machine = machine(state)
            let action = machine.failed()
            guard case .finish(let ending) = action.operation else { Issue.record("\(state): \(action)"); continue }
            switch ending {
            case .tap(let outcome): #expect(outcome == .failed(.internal), "\(state)")
            case .authorization(let result): #expect([.failed, .unknown].contains(result.name), "\(state)")
            case .prelude(let outcome): #expect(outcome == .failed(.internal), "\(state)")
            case .released: break
            }
            #expect(machine.isIdle && machine.parked == nil && action.effects.contains(.dropSession), "\(state)")
        }
    }

    // MARK: The preparation

    private enum PreparationEvent: CaseIterable {
        case began, configurationChecked, keysChecked, readerOpened, enrollmentAnswered

        func happen(to machine: inout PreparationStateMachine, fails: Bool) -> PreparationStateMachine.Action {
            let error: PrepareError? = fails ? .caKeysMissing([]) : nil
            return switch self {
            case .began: machine.began(isChecked: false)
            case .configurationChecked: machine.configurationChecked(error, isNew: true)
            case .keysChecked: machine.keysChecked(error)
            case .readerOpened: machine.readerOpened(fails ? ReaderFault(.noReader, "none") : nil)
            case .enrollmentAnswered:
                machine.enrollmentAnswered(fails ? .revoked : .accepted(PreparationSample.enrollment))
            }
        }
    }

    @Test func aPreparationTakesItsStepsInOrder() {
        var path = PreparationStateMachine(requiresCAKeys: true, hasEnrollment: true)
        for (index, event) in PreparationEvent.allCases.enumerated() {
            for other in PreparationEvent.allCases where other != event {
                let before = path
                #expect(other.happen(to: &path, fails: false).operation == .unexpected, "\(other) for \(event)")
                #expect(path == before)
            }
            if index > 0 {
                var failing = path
                let action = event.happen(to: &failing, fails: true)
                guard case .finish(let end) = action.operation else { Issue.record("\(action)"); continue }
                #expect(end.error != nil && failing.state == .unprepared && action.events.last == .notReady)
                var gone = path
                _ = gone.failed()
                #expect(gone.state == .unprepared)
            }
            _ = event.happen(to: &path, fails: false)
        }
        #expect(path.state == .prepared(generation: 1))
        #expect(path.requested() == .finish(generation: 1))
    }

    @Test func progressIsToldWhereItIsKnown() {
        let all: [(isChecked: Bool, hasEnrollment: Bool, [TapEvent])] = [
            (false, false, [.preparing(fraction: 0), .preparing(fraction: 0.5), .ready]),
            (true, false, [.preparing(fraction: nil), .ready]),
            (true, true, [.preparing(fraction: 0), .preparing(fraction: 0.5), .ready]),
        ]
        for (isChecked, hasEnrollment, events) in all {
            var machine = PreparationStateMachine(hasEnrollment: hasEnrollment)
            var told = machine.began(isChecked: isChecked).events
            told += machine.configurationChecked(nil, isNew: !isChecked).events
            told += machine.readerOpened(nil).events
            if hasEnrollment { told += machine.enrollmentAnswered(.accepted(PreparationSample.enrollment)).events }
            #expect(told == events)
        }
    }

    @Test func aDepartureMakesAPreparationVoid() {
        var machine = PreparationStateMachine()
        #expect(machine.requested() == .begin)
        _ = machine.began(isChecked: true)
        let early = machine.departures
        #expect(machine.requested() == .wait)
        let wasPrepared = machine.departed()
        #expect(!wasPrepared)
        let late = machine.departures
        _ = machine.configurationChecked(nil, isNew: false)
        guard case .finish(let end) = machine.readerOpened(nil).operation else { Issue.record("no end"); return }
        guard case .fail(.reader(let fault)) = machine.ended(end, asked: early) else { Issue.record("shared"); return }
        #expect(fault.code == .noReader)
        // A caller that arrived after the departure starts the next preparation.
        #expect(machine.ended(end, asked: late) == .begin)
        _ = machine.began(isChecked: true)
        _ = machine.configurationChecked(nil, isNew: false)
        guard case .finish(let next) = machine.readerOpened(nil).operation else { Issue.record("no end"); return }
        #expect(machine.ended(next, asked: late) == .finish(generation: 1))
        let isLost = machine.lost(), isLostAgain = machine.lost()
        #expect(isLost && !isLostAgain)
        guard case .fail(.reader(let gone)) = machine.ended(next, asked: late) else {
            Issue.record("lost since")
            return
        }
        #expect(gone.code == .noReader)
    }
}

private enum PreparationSample {
    static let enrollment = EnrollmentRecord(
        merchant: MerchantID(rawValue: "shop"), termsVersion: "1", acceptedBy: "anna",
        acceptedAt: "2026-11-21T12:00:00", signature: [])
}
