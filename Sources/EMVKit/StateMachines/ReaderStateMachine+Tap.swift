// SPDX-License-Identifier: Apache-2.0
/// Handles a tap, from the request until the reader is idle again.
extension ReaderStateMachine {
    /// Prepares a tap. A payment that waited for its PIN has already been given up.
    mutating func prepareTap(_ record: TapRecord) -> ReaderAction {
        if let interruption { return finishTap(.cancelled(interruption)) }
        state = .preparing(record)
        return act(.prepare)
    }

    /// The parked tap is abandoned only now: a reader that cannot be prepared keeps it.
    mutating func prepared(_ error: PrepareError? = nil) -> ReaderAction {
        if case .preparingPrelude(let prelude) = state { return prepared(prelude, error) }
        guard case .preparing(let record) = state else { return act(.unexpected) }
        if let error { return finishTap(interruption.map { .cancelled($0) } ?? .failed(.preparation(error))) }
        return release(.read(record))
    }

    /// - Parameter isOnlineOnly: no card may approve by itself.
    mutating func beginSession(_ record: TapRecord, isOnlineOnly: Bool = false) -> ReaderAction {
        state = .beginningSession(record)
        return act(.beginSession(record, isOnlineOnly: isOnlineOnly))
    }

    /// - Parameter error: why there is no session.
    mutating func sessionBegan(_ error: ConfigurationError? = nil) -> ReaderAction {
        guard case .beginningSession(let record) = state else { return act(.unexpected) }
        if let error { return finishTap(.failed(.invalidRequest(error))) }
        guard policy.hasJournal, let intent = TapIntent(record) else { return beginTap(record) }
        return write([.began(intent)], to: record.key, .begin(record))
    }

    /// Begins the tap. From here on the key is used up.
    mutating func beginTap(_ record: TapRecord) -> ReaderAction {
        count(record)
        publish(.started(record.key))
        let tap = Tap(record, timeout: record.timeout ?? policy.cardTimeout)
        state = .announcing(KernelRun(tap: tap, purpose: .tap))
        return act(.announce(record))
    }

    /// - Parameter report: the kernel's first step.
    mutating func tapAnnounced(_ report: KernelReport) -> ReaderAction {
        guard case .announcing(let run) = state else { return act(.unexpected) }
        guard policy.waitsForEmptyField, !isFieldEmpty, run.tap.record.isPayment, interruption == nil,
            case .poll = report.step
        else { return take(report, run) }
        return waitForEmptyField(run, report, isAsked: false)
    }

    // MARK: - The card of the previous sale

    /// How long to check the field before the display asks for the removal, so that nothing flashes if the field is
    /// empty.
    static let removalGrace = Duration.milliseconds(750)

    private mutating func waitForEmptyField(
        _ start: KernelRun, _ report: KernelReport, isAsked: Bool
    ) -> ReaderAction {
        var run = start, timeout = start.tap.timeout
        if isAsked {
            let request = run.tap.note(UIRequest(message: .removeCard, status: .notReady))
            prompt(request, run.tap)
        } else {
            timeout = min(timeout ?? ReaderStateMachine.removalGrace, ReaderStateMachine.removalGrace)
        }
        state = .emptyingField(run, report, isAsked: isAsked)
        return act(.waitForCard(Poll(removalFirst: true, timeout: timeout)))
    }

    private mutating func fieldLookedAt(
        _ event: CardEvent, _ start: KernelRun, _ report: KernelReport, isAsked: Bool
    ) -> ReaderAction {
        if event == .readerGone { return readerGone(start) }
        if let interruption { return end(start, .cancelled(interruption)) }
        switch event {
        case .nothing where !isAsked: return waitForEmptyField(start, report, isAsked: true)
        case .nothing, .readerGone: return end(start, .cancelled(.cardLeft))
        case .removed, .collisionCleared: return take(report, start)
        // Whichever program keeps the card, the card has to leave.
        case .inUse where !isAsked: return waitForEmptyField(start, report, isAsked: true)
        case .inUse(let fault): return end(start, .failed(.reader(fault)))
        case .card, .collision, .fault:
            // The transport does not report removals: the kernel handles the event.
            guard case .poll(let poll) = report.step else { return act(.unexpected) }
            var run = start
            run.tap.presented = report.presented
            for message in report.messages.map({ run.tap.note($0) }) { show(message, run) }
            _ = beginWait(poll, report.presentations, &run)
            return cardArrived(event)
        }
    }

    // MARK: - The kernel

    mutating func stepTaken(_ report: KernelReport) -> ReaderAction {
        guard case .computing(let run) = state else { return act(.unexpected) }
        return take(report, run)
    }

    mutating func compute(_ run: KernelRun, _ operation: ReaderAction.Operation) -> ReaderAction {
        state = .computing(run)
        return act(operation)
    }

    /// Handles the kernel's step. An outcome counts even if the tap was cancelled meanwhile.
    mutating func take(_ report: KernelReport, _ start: KernelRun) -> ReaderAction {
        var run = start
        run.tap.presented = report.presented
        if let refused = run.tap.refusedCountry { return end(run, refused, report) }
        let isEnd = report.step.kind == .parked || report.step.kind == .done
        let holds = isEnd && isJournaled(run)
        if isEnd { run.held = [] }
        for message in report.messages where !run.tap.repeats(message) {
            let noted = run.tap.note(message)
            if holds { run.held.append(noted) } else { show(noted, run) }
        }
        switch report.step {
        case .parked(let outcome), .done(let outcome): return conclude(run, report, outcome)
        case .poll, .send, .ask, .work: break
        }
        if let interruption {
            // A Field Off Request that came with this poll is carried out although no poll follows.
            if case .poll = report.step, let hold = report.fieldOff {
                state = .leavingPoll(run, interruption)
                return act(.fieldOff(hold))
            }
            return end(run, .cancelled(interruption))
        }
        switch report.step {
        case .poll(let poll): return waitForCard(poll, report.presentations, run)
        case .send(let command):
            state = .exchanging(run)
            return act(.exchange(command))
        case .ask(let question): return answer(question, run)
        case .work, .parked, .done: return compute(run, .reply(.carryOn))
        }
    }

    /// The result of this tap is journalled before it is shown.
    private func isJournaled(_ run: KernelRun) -> Bool { policy.hasJournal && run.tap.record.isPayment }

    mutating func showHeld(_ run: inout KernelRun) {
        for message in run.held { show(message, run) }
        run.held = []
    }

    /// With a journal, an approval is shown once it is written: the card's at the end of the tap, the issuer's as the
    /// result of the authorisation.
    private mutating func show(_ request: UIRequest, _ run: KernelRun) {
        let isApproval = request.message == .approved || request.message == .approvedSign
        if !isApproval || run.isApprovalWritten || !isJournaled(run) {
            prompt(request, run.tap)
        }
        if request.status == .cardRead { publish(.cardRead) }
    }

    private mutating func waitForCard(_ start: Poll, _ presentations: Int, _ run: KernelRun) -> ReaderAction {
        var run = run
        return act(.waitForCard(beginWait(start, presentations, &run)))
    }

    private mutating func beginWait(_ start: Poll, _ presentations: Int, _ run: inout KernelRun) -> Poll {
        var poll = start
        poll.timeout = run.tap.timeout
        if run.isOfTap { poll.annotation = prelude?.annotation }
        if presentations > run.tap.announcedTaps {
            run.tap.announcedTaps = presentations
            publish(.presentAgain)
        }
        if !poll.removalFirst { publish(.waitingForCard) }
        state = .waitingForCard(run)
        return poll
    }

    /// Answers a question of the kernel. A question without data is a time to wait (Kernel 2, after a failed checksum);
    /// any other cannot be answered here and causes no wait.
    private mutating func answer(_ question: Question, _ run: KernelRun) -> ReaderAction {
        switch question.kind {
        case .random: return end(run, .failed(.noRandom))
        case .amount: return askAmount(question, run)
        case .kernel: break
        }
        guard question.bytes.isEmpty, let deadline = question.deadline else {
            return compute(run, .reply(.deadlinePassed))
        }
        state = .pausing(run)
        return act(.sleep(deadline))
    }

    // MARK: - The amount

    private mutating func askAmount(_ question: Question, _ start: KernelRun) -> ReaderAction {
        guard let request = start.tap.base, let change = request.amountChange else {
            return compute(start, .reply(.deadlinePassed))
        }
        var run = start
        let objects = (try? DataObjects(tlv: question.bytes)) ?? [:]
        run.tap.record = run.tap.record.paying(request)
        run.tap.priced = objects[0x4F]
        state = .changingAmount(run)
        let asked = AmountChange.Question(run.tap.key, request, objects, run.tap.presented.objects)
        return act(.askAmount(change, asked))
    }

    /// Uses the app's total. If it is not allowed, the amount of the request is kept.
    mutating func amountAnswered(_ answer: Race<AmountChange.Total?>) -> ReaderAction {
        guard case .changingAmount(var run) = state, let request = run.tap.base else { return act(.unexpected) }
        if let interruption { return end(run, .cancelled(interruption)) }
        var holds = request
        if case .value(let total?) = answer, let changed = request.changed(to: total), changed.amount != request.amount
        {
            holds = changed
            run.tap.record = run.tap.record.paying(changed)
            prompt(UIRequest(message: run.tap.shown ?? .presentCard, status: .processing), run.tap)
        }
        return compute(run, .giveAmount(holds.amount))
    }

    // MARK: - The card

    mutating func cardArrived(_ event: CardEvent) -> ReaderAction {
        switch state {
        case .emptyingField(let run, let report, let isAsked):
            noteField(event)
            return fieldLookedAt(event, run, report, isAsked: isAsked)
        case .waitingForCard, .waitingForPrelude, .leavingCard: noteField(event)
        default: return act(.unexpected)
        }
        if let action = cardArrivedForPrelude(event) { return action }
        guard case .waitingForCard(var run) = state else { return act(.unexpected) }
        if event == .readerGone { return readerGone(run) }
        if let interruption { return end(run, .cancelled(interruption)) }
        let held = run.tap.held
        run.tap.held = nil
        switch event {
        case .inUse(let fault):
            guard held == nil else { return end(run, .failed(.reader(fault))) }
            run.tap.held = fault
            publish(.cardInUse(fault))
            state = .waitingForCard(run)
            return act(.waitForCard(Poll(timeout: run.tap.timeout)))
        case .card:
            publish(.cardDetected)
            run.tap.phonePrompt = run.tap.phonePrompt == .shown ? .before : .none
            if let prelude = takePrelude(run) { return hold(prelude) }
            return compute(run, .replyCard)
        case .collision:
            publish(.severalCards)
            return compute(run, .reply(.collision))
        case .collisionCleared: return compute(run, .replyIfTaken(.collisionCleared))
        case .removed: return compute(run, .replyIfTaken(.removed))
        case .fault(let fault):
            run.tap.lastFault = fault
            return compute(run, .reply(.fault(fault)))
        case .nothing, .readerGone: return end(run, .cancelled(.timedOut))
        }
    }

    /// Only a poll for a removal proves that the reader is empty; a broken link does not.
    private mutating func noteField(_ event: CardEvent) {
        switch event {
        case .removed: isFieldEmpty = true
        case .card, .collision, .collisionCleared, .fault, .inUse, .readerGone: isFieldEmpty = false
        case .nothing: break
        }
    }

    mutating func exchanged(_ exchange: Exchange) -> ReaderAction {
        guard case .exchanging(var run) = state else { return act(.unexpected) }
        switch exchange {
        case .response(let bytes, let elapsed):
            run.tap.lastFault = nil
            return compute(run, .reply(.response(bytes, elapsed: elapsed)))
        case .fault(let fault):
            if let interruption { return end(run, .cancelled(interruption)) }
            run.tap.lastFault = fault
            return compute(run, .reply(.fault(fault)))
        case .readerGone: return readerGone(run)
        }
    }

    /// Ends a wait: the kernel's time, or the display time of a message.
    mutating func timePassed() -> ReaderAction {
        switch state {
        case .pausing(let run):
            if let interruption { return end(run, .cancelled(interruption)) }
            return compute(run, .reply(.deadlinePassed))
        case .showing(let outcome):
            publish(.promptFinished)
            return closeTap(outcome)
        default: return act(.unexpected)
        }
    }

    mutating func readerGone(_ run: KernelRun) -> ReaderAction {
        preparation.lost()
        return end(run, .cancelled(.readerDetached))
    }

    // MARK: - The outcome

    private mutating func conclude(_ start: KernelRun, _ report: KernelReport, _ outcome: Outcome) -> ReaderAction {
        var run = start
        run.tap.record = run.tap.record.presenting(run.tap.presented.objects)
        if outcome.reason == .notAllowed {
            state = .findingLimit(run, report, outcome)
            return act(.findLimit(run.tap.priced.map { .offered([$0]) } ?? .all))
        }
        let ending = run.tap.ending(outcome, limit: .other, hasPINPad: policy.hasPINPad || isPadGiven)
        // A network that is accepted, but not for this amount, is distinguished from one that is not accepted at all.
        if case .unsupportedNetwork(let mismatch) = ending, mismatch.cause == .noCommonApplication {
            state = .findingLimit(run, report, outcome)
            return act(.findLimit(.offered(run.tap.presented.names)))
        }
        return end(run, ending, report, outcome)
    }

    /// - Parameter rule: the limit that blocks the amount; `nil` if no limit does.
    mutating func limitFound(_ rule: LimitRule?) -> ReaderAction {
        guard case .findingLimit(let run, let report, let outcome) = state else { return act(.unexpected) }
        guard outcome.reason != .notAllowed else {
            let ending = run.tap.ending(outcome, limit: rule ?? .other, hasPINPad: policy.hasPINPad || isPadGiven)
            return end(run, ending, report, outcome)
        }
        let mismatch = TapOutcome.unsupportedNetwork(NetworkMismatch(offered: run.tap.presented.names))
        return end(run, rule.map { .limitExceeded($0) } ?? mismatch, report, outcome)
    }

    /// Ends the tap and leaves the kernel in its current state; it may have reached an outcome with its last step.
    mutating func end(_ run: KernelRun, _ ending: TapOutcome, _ report: KernelReport? = nil) -> ReaderAction {
        switch report?.step {
        case .parked(let outcome), .done(let outcome): settleField(run, ending, report?.fieldOff, outcome, false)
        default: settleField(run, ending, nil, nil, false)
        }
    }

    private mutating func end(
        _ run: KernelRun, _ ending: TapOutcome, _ report: KernelReport, _ outcome: Outcome
    ) -> ReaderAction {
        var isParked = report.step.kind == .parked
        if run.isOfTap {
            switch ending {
            case .success, .onlinePINRequired: break
            default: isParked = false
            }
        }
        return settleField(run, ending, report.fieldOff, outcome, isParked)
    }

    /// Keeps the field on for a kernel that restarts at D (Book A, Table 6-2). Otherwise it is switched off for the
    /// time that the kernel requested (Book B 3.5.1.2).
    private mutating func settleField(
        _ run: KernelRun, _ ending: TapOutcome, _ request: Duration?, _ kernel: Outcome?, _ isParked: Bool
    ) -> ReaderAction {
        let keepsField = isParked && kernel?.start == .d && request == nil
        let end = KernelEnd(run: run, outcome: ending, kernel: kernel, isParked: isParked, keepsField: keepsField)
        return settle(end, request)
    }

    mutating func switchOff(_ end: KernelEnd, _ request: Duration?) -> ReaderAction {
        let isGone = end.run.isOfTap && end.outcome == .cancelled(.readerDetached)
        if end.keepsField || isGone { return fieldSettled(end) }
        state = .settlingField(end)
        return act(.fieldOff(request ?? .zero))
    }

    mutating func fieldSettled(_ end: KernelEnd) -> ReaderAction {
        var tap = end.run.tap
        let hold = tap.hold
        if end.isParked, let kernel = end.kernel {
            if end.run.isOfTap { tap.hold = .zero }
            parked = ParkedTap(
                tap: tap, status: kernel.status, onlineResponse: kernel.onlineResponse, keepsField: end.keepsField)
            if let timeout = kernel.removalTimeout { order(.startRemovalTimer(tap.key, timeout)) }
        }
        switch end.run.purpose {
        case .tap:
            showEnding(end.outcome, tap)
            return closeWritten(end, hold: hold)
        case .issuer(let conversation, let result):
            if !end.isParked { order(.dropSession) }
            return kernelAnswered(conversation, result, after: end.kernel)
        }
    }

    /// Replaces the invitation on the display after a tap without a result, because polling has stopped.
    private mutating func showEnding(_ outcome: TapOutcome, _ tap: Tap) {
        if case .success = outcome { return }
        let ending = Presentation(outcome)
        guard let shown = tap.shown, ending.mark == .notCompleted, !ending.agrees(with: shown) else { return }
        prompt(outcome.lastRequest, tap)
    }

    /// Waits until the last message was shown for its time, or lets a timer do so.
    mutating func showLast(_ outcome: TapOutcome, for hold: Duration) -> ReaderAction {
        endedTaps += 1
        guard hold > .zero else {
            publish(.promptFinished)
            return closeTap(outcome)
        }
        guard policy.returnsImmediately else {
            if interruption == nil {
                state = .showing(outcome)
                return act(.sleep(hold))
            }
            publish(.promptFinished)
            return closeTap(outcome)
        }
        order(.startPromptTimer(tap: endedTaps, hold))
        return closeTap(outcome)
    }

    private mutating func closeTap(_ outcome: TapOutcome) -> ReaderAction {
        if parked == nil { order(.dropSession) }
        return finishTap(outcome)
    }
}
