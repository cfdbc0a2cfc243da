// SPDX-License-Identifier: Apache-2.0
/// One contactless reader as a pure value: its state and its next action. Each event is a method that returns a
/// ``ReaderAction``; ``TapReader`` carries the action out and reports the result as the next event.
///
/// It knows no transport, kernel, clock or task. A state represents an expected event and holds the data that are
/// needed when it occurs. An event that the state does not expect returns ``ReaderAction/Operation/unexpected`` and
/// changes nothing. Requests of the app are accepted, or refused, in every state.
struct ReaderStateMachine: Sendable {
    enum State: Sendable, Equatable {
        /// No activity is in progress. A tap may be parked, and a payment may wait for its PIN.
        case idle
        /// The activity is accepted; its task has not begun.
        case starting(Activity)

        // A tap
        case preparing(TapRecord)
        case beginningSession(TapRecord)
        case announcing(KernelRun)
        /// The card of an earlier payment may still lie on the reader. Until the field is empty, the messages of the
        /// kernel's first poll are not shown, and no card is read. `isAsked`: the display asks for the removal.
        indirect case emptyingField(KernelRun, KernelReport, isAsked: Bool)
        /// The kernel is processing a reply.
        case computing(KernelRun)
        case waitingForCard(KernelRun)
        case exchanging(KernelRun)
        /// The kernel waits for a time to pass.
        case pausing(KernelRun)
        /// A poll is being abandoned: the field is switched off first, as the kernel requested with it.
        case leavingPoll(KernelRun, CancelReason)
        indirect case findingLimit(KernelRun, KernelReport, Outcome)
        /// The card is held while the app decides about the total.
        case changingAmount(KernelRun)
        indirect case settlingField(KernelEnd)
        indirect case showing(TapOutcome)

        // A prelude
        indirect case preparingPrelude(PreludeRun)
        indirect case waitingForPrelude(PreludeRun)
        indirect case holdingPrelude(PreludeRun)
        /// The kernel restarts with the total that the prelude gave.
        indirect case pricing(KernelRun, PreludeEnd)
        /// The card must be removed before the kernel gets it.
        case leavingCard(KernelRun)
        indirect case closingPrelude(PreludeOutcome)

        // The journal
        case consultingJournal(TapRecord)
        indirect case sealing(Sealing)
        indirect case writing(Writing)
        indirect case lookingUp(Conversation)

        // An authorisation
        indirect case collectingPIN(Conversation)
        indirect case askingIssuer(Conversation)
        /// The answer was lost: the value is the result that applies unless the host reports one.
        indirect case askingStatus(Conversation, OnlineResult)
        indirect case reversing(PendingReversal)

        /// The field of a parked tap is being switched off.
        indirect case releasingField(Release)
    }

    /// A request of the app that a task carries out; one at a time.
    enum Activity: Sendable, Equatable {
        case read(TapRecord)
        case complete(Reply)
        indirect case authorize(Conversation)
        /// The app does not supply the PIN.
        indirect case giveUp(Conversation)
        /// Abandons the parked tap and the payment that waits for its PIN.
        case release
        /// A prelude without a payment.
        indirect case hold(PreludeRun)
    }

    /// The next step once the field of a parked tap is off.
    enum Release: Sendable, Equatable {
        case read(TapRecord)
        case conclude(Conversation, AuthorizationResult.Ending)
        case release
    }

    /// The options that affect decisions.
    struct Policy: Sendable {
        var returnsImmediately = true
        var hasPINPad = true
        var cardTimeout: Duration?
        var waitsForEmptyField = false
        var issuerUpdateTimeout = Duration.seconds(10)
        var pinDeadline = Duration.seconds(55)
        var maximumPINRequests = 3
        var reversalAttempts = 2
        var keepsApprovals = false
        var authorizationDeadline = Duration.seconds(30)
        var hasJournal = false
        var hasSealer = false
        var offline: OfflinePolicy?
        var takesCardApprovals = false

        /// A card may approve by itself.
        var isOffline: Bool { offline != nil || takesCardApprovals }
    }

    let policy: Policy
    var preparation: PreparationStateMachine
    var state = State.idle
    /// Why the current activity is being cancelled; `nil` if it is not.
    var interruption: CancelReason?
    /// A tap whose kernel waits. It is abandoned by a read that begins, by `cancel()`, by a departure, and by the end
    /// of its own authorisation.
    var parked: ParkedTap?
    /// A payment for which the app has to supply a PIN.
    var challenge: Conversation?
    /// The last payment that has ended.
    var settled: LastResult?
    /// A journalled tap that was read and not authorised yet.
    var unfinished: ReconciliationKey?

    /// The last card was seen to leave. False at first, because the reader may already hold a card.
    var isFieldEmpty = false

    /// The prelude of the current read, until its first card has arrived.
    var prelude: PreludeHandle?

    /// A charge is in progress: nothing else may begin between its tap and its authorisation.
    var isReserved = false
    /// The charge was given a PIN pad.
    var isPadGiven = false
    /// Payments that a host was asked about and that are not known to be refused or reversed: the answer to a call
    /// about one of them never claims that it is certainly not approved.
    var mayBeBooked = UsedKeys()

    /// Tag 9F41 of the next tap.
    private(set) var counter: UInt32
    var usedKeys = UsedKeys()
    /// Counts the taps that ended, so that a timer of an earlier one is recognised.
    var endedTaps = 0
    /// Collected until the event returns.
    private var effects: [ReaderAction.Effect] = []

    init(policy: Policy = Policy(), preparation: PreparationStateMachine = .init(), firstCounter: UInt32 = 1) {
        self.policy = policy
        self.preparation = preparation
        counter = firstCounter
    }

    var isIdle: Bool { if case .idle = state { true } else { false } }

    // MARK: - Requests of the app

    /// - Parameters:
    ///   - unfit: why the configuration does not support such a request.
    ///   - generation: of the calling session; `nil` means any current preparation.
    ///   - expired: why the configuration may no longer be used.
    ///   - isCancelled: the caller is cancelled.
    ///   - isOfCharge: the call is part of the charge in progress.
    ///   - prelude: gets the first card before the kernel does.
    mutating func readRequested(
        _ record: TapRecord, unfit: Problem? = nil, generation: Int? = nil, expired: PrepareError? = nil,
        isCancelled: Bool = false,
        isOfCharge: Bool = false, prelude: PreludeHandle? = nil
    ) -> ReaderAction {
        guard isIdle, isOfCharge || !isReserved else { return refuseTap(.busy) }
        if let generation, generation != preparation.generation { return finishTap(.failed(.notPrepared)) }
        if isCancelled { return finishTap(.cancelled(.taskCancelled)) }
        var problems = record.requestProblems
        if let unfit { problems.append(unfit) }
        if !problems.isEmpty { return finishTap(.failed(.invalid(problems))) }
        // The host treats two requests of one key as one: this payment would get the answer of another.
        if usedKeys.contains(record.key) {
            return finishTap(.failed(.refused(.keyUsed(record.key))))
        }
        if let expired { return finishTap(.failed(.preparation(expired))) }
        self.prelude = prelude
        return accept(.read(record))
    }

    /// Returns the reply that gives an issuer's answer to the parked kernel; `nil` if no kernel waits.
    func completion(_ answer: IssuerAnswer, removalTimedOut: Bool) -> Reply? {
        guard let parked else { return nil }
        let isLate = removalTimedOut || parked.removalTimedOut
        return switch answer {
        case .response(let data): .online(data, removalTimedOut: isLate)
        case .unableToGoOnline: .online(nil, removalTimedOut: isLate)
        case .pinNotCaptured: .pin(captured: false)
        }
    }

    /// - Parameters:
    ///   - reply: from ``completion(_:removalTimedOut:)``.
    ///   - isTaken: whether the parked kernel accepts it.
    mutating func completionRequested(_ reply: Reply?, isTaken: Bool, generation: Int) -> ReaderAction {
        guard isIdle, !isReserved else { return refuseTap(.busy) }
        guard generation == preparation.generation else { return refuseTap(.notPrepared) }
        // With a journal, an answer whose request was not journalled first could not be recovered.
        guard !policy.hasJournal else { return refuseTap(.nothingToComplete) }
        guard parked != nil, let reply else { return refuseTap(.nothingToComplete) }
        if let problem = Problem.ofIssuerData(reply.issuerData) { return refuseTap(.invalid([problem])) }
        guard isTaken else { return refuseTap(.nothingToComplete) }
        effects.append(.stopRemovalTimer)
        return accept(.complete(reply))
    }

    /// Ends the current activity; without one, ends a waiting tap or payment.
    mutating func endRequested(_ reason: CancelReason) -> ReaderAction {
        guard isIdle else {
            if interruption == nil || interruption == .taskCancelled { interruption = reason }
            return act(.cancelActivity)
        }
        if parked?.keepsField == true || challenge != nil { return accept(.release) }
        dropParked()
        return act(.none)
    }

    /// Handles the departure of the reader or the app.
    ///
    /// - Parameter event: the reader's state afterwards.
    mutating func departed(_ event: TapEvent) -> ReaderAction {
        isFieldEmpty = false
        if preparation.departed() { publish(event) }
        return act(.none)
    }

    // MARK: - The activity

    mutating func started() -> ReaderAction {
        guard case .starting(let activity) = state else { return act(.unexpected) }
        switch activity {
        case .read(let record):
            if let challenge { return reverse(challenge, before: .read(record)) }
            return prepareTap(record)
        case .authorize(let conversation):
            if let challenge { return reverse(challenge, before: .authorize(conversation)) }
            return converse(conversation)
        case .giveUp(let conversation):
            return endWithoutPIN(conversation, [Problem(.pinCancelled)])
        case .release:
            return release(.release)
        case .hold(let prelude): return prepare(prelude)
        case .complete(let reply):
            guard let parked else { return act(.unexpected) }
            self.parked = nil
            return compute(KernelRun(tap: parked.tap, purpose: .tap), .resume(reply))
        }
    }

    /// Handles the cancellation of the activity's task, perhaps by its caller.
    mutating func taskCancelled() {
        guard !isIdle, interruption == nil else { return }
        interruption = .taskCancelled
    }

    mutating func fieldSwitchedOff() -> ReaderAction {
        switch state {
        case .releasingField(let next):
            dropParked()
            return released(next)
        case .settlingField(let end): return fieldSettled(end)
        case .leavingPoll(let run, let reason): return end(run, .cancelled(reason))
        case .closingPrelude(let outcome): return finishPrelude(outcome)
        default: return act(.unexpected)
        }
    }

    /// Handles a defect: the current activity ends without an approval. Money may have moved if a request was sent.
    mutating func failed() -> ReaderAction {
        let conversation = conversation, isTap = isTap
        parked = nil
        effects.append(.dropSession)
        if case .reversing(let pending) = state, pending.conversation.key != conversation?.key {
            noteReversal(of: pending.conversation, .unknown(pending.conversation.key))
        }
        if let conversation {
            let result: AuthorizationResult.Ending =
                conversation.hasLeft ? .unknown(conversation.key) : .failed([Problem(.kernelDefect)])
            return settle(conversation, result)
        }
        if isPreludeAlone { return finishPrelude(.failed(.internal)) }
        return isTap ? finishTap(.failed(.internal)) : finish(.released)
    }

    // MARK: - Timers

    mutating func removalTimePassed(_ key: ReconciliationKey) -> ReaderAction {
        guard var parked, parked.key == key else { return act(.none) }
        parked.removalTimedOut = true
        self.parked = parked
        prompt(UIRequest(message: .cardReadOK, status: .cardRead), parked.tap)
        publish(.cardRead)
        return act(.none)
    }

    /// The last message of a tap was shown for its time. The display may already belong to the next tap.
    mutating func promptTimePassed(_ tap: Int) -> ReaderAction {
        if tap == endedTaps, isIdle || !hasSession { publish(.promptFinished) }
        return act(.none)
    }

    // MARK: - Shared by several activities

    mutating func accept(_ activity: Activity) -> ReaderAction {
        state = .starting(activity)
        interruption = nil
        return act(.run)
    }

    /// Abandons a parked tap and switches the field off if it was left on.
    mutating func release(_ next: Release) -> ReaderAction {
        if parked?.keepsField == true {
            state = .releasingField(next)
            return act(.fieldOff(.zero))
        }
        dropParked()
        return released(next)
    }

    private mutating func released(_ next: Release) -> ReaderAction {
        switch next {
        case .read(let record): return consultJournal(record)
        case .conclude(let conversation, let result): return settle(conversation, result)
        case .release:
            if let challenge { return reverse(challenge, before: .release) }
            return finish(.released)
        }
    }

    mutating func dropParked() {
        guard parked != nil else { return }
        parked = nil
        effects.append(.dropSession)
    }

    mutating func finish(_ ending: ReaderAction.Ending) -> ReaderAction {
        state = .idle
        return act(.finish(ending))
    }

    /// Sends the last events of a read or a completion: its ending, then the reader's state.
    mutating func finishTap(_ outcome: TapOutcome) -> ReaderAction {
        prelude = nil
        publish(.finished(outcome.name))
        publish(outcome == .cancelled(.readerDetached) ? .readerDetached : standing)
        return finish(.tap(outcome))
    }

    /// Answers a call that changes nothing: the reader's state is not reported again.
    private mutating func refuseTap(_ failure: TapFailure) -> ReaderAction {
        publish(.finished(.failed))
        return act(.finish(.tap(.failed(failure))))
    }

    var standing: TapEvent { preparation.generation == nil ? .notReady : .ready }

    mutating func count(_ record: TapRecord) {
        counter = counter >= 99_999_999 ? 1 : counter + 1
        usedKeys.insert(record.key)
    }

    mutating func publish(_ event: TapEvent) {
        effects.append(.publish(event))
    }

    mutating func order(_ effect: ReaderAction.Effect) {
        effects.append(effect)
    }

    mutating func act(_ operation: ReaderAction.Operation) -> ReaderAction {
        defer { effects = [] }
        return ReaderAction(effects: effects, operation: operation)
    }

    /// Takes back an action's array, so that the next effects use its memory.
    mutating func reuse(_ carriedOut: inout [ReaderAction.Effect]) {
        carriedOut.removeAll(keepingCapacity: true)
        if effects.isEmpty { swap(&effects, &carriedOut) }
    }

    /// Shows a message in the card's language once that is known, with the amount and the merchant.
    mutating func prompt(_ request: UIRequest, _ tap: Tap) {
        let preferring = request.preferring(tap.presented.objects[0x5F2D])
        effects.append(.show(PromptDraft(request: preferring, purpose: tap.record.purpose)))
    }
}

// MARK: - The subject of a state

extension ReaderStateMachine {
    /// The subject of a state, independent of the awaited event.
    enum Subject: Sendable {
        /// No tap or payment; perhaps a prelude without a payment.
        case none
        /// A read or a completion whose kernel is not running.
        case tap
        case kernel(KernelRun)
        /// A payment that is being authorised.
        case payment(Conversation)
        case reversal(PendingReversal)
    }

    /// The running kernel; `nil` if it is parked or does not exist.
    var run: KernelRun? {
        if case .kernel(let run) = state.subject { run } else { nil }
    }

    /// The payment that is being authorised.
    var conversation: Conversation? {
        switch state.subject {
        case .kernel(let run): if case .issuer(let conversation, _) = run.purpose { conversation } else { nil }
        case .payment(let conversation): conversation
        case .reversal(let pending): pending.ofActivity
        case .none, .tap: nil
        }
    }

    /// A read or a completion is in progress.
    private var isTap: Bool {
        switch state.subject {
        case .tap: true
        case .kernel(let run): run.isOfTap
        case .reversal(let pending): pending.isBeforeRead
        case .none, .payment: false
        }
    }

    /// The kernel has a session.
    private var hasSession: Bool {
        if case .showing = state { return true }
        if case .writing(let writing) = state, case .begin = writing.successor { return true }
        return parked != nil || run != nil
    }
}

extension ReaderStateMachine.State {
    var subject: ReaderStateMachine.Subject {
        switch self {
        case .idle, .preparingPrelude, .waitingForPrelude, .closingPrelude: .none
        case .starting(let activity): activity.subject
        case .preparing, .beginningSession, .showing, .consultingJournal: .tap
        case .announcing(let run), .emptyingField(let run, _, _), .computing(let run), .waitingForCard(let run),
            .exchanging(let run), .pausing(let run), .leavingPoll(let run, _), .findingLimit(let run, _, _),
            .changingAmount(let run), .leavingCard(let run), .pricing(let run, _):
            .kernel(run)
        case .holdingPrelude(let prelude): prelude.kernel.map { .kernel($0) } ?? .none
        case .settlingField(let end), .sealing(.settle(let end, _, _)): .kernel(end.run)
        case .collectingPIN(let conversation), .askingIssuer(let conversation), .askingStatus(let conversation, _),
            .lookingUp(let conversation), .sealing(.ask(let conversation)):
            .payment(conversation)
        case .reversing(let pending): .reversal(pending)
        case .writing(let writing): writing.successor.subject
        case .releasingField(.read): .tap
        case .releasingField(.conclude(let conversation, _)): .payment(conversation)
        case .releasingField(.release): .none
        }
    }
}

extension ReaderStateMachine.Activity {
    fileprivate var subject: ReaderStateMachine.Subject {
        switch self {
        case .read, .complete: .tap
        case .authorize(let conversation), .giveUp(let conversation): .payment(conversation)
        case .release, .hold: .none
        }
    }
}

extension ReaderStateMachine.Writing.Successor {
    fileprivate var subject: ReaderStateMachine.Subject {
        switch self {
        case .consult, .begin, .showLast: .tap
        case .settle(let end, _): .kernel(end.run)
        case .ask(let conversation), .want(let conversation), .conclude(let conversation, _),
            .retry(let conversation, _), .deferPayment(let conversation, _):
            .payment(conversation)
        case .reverse(let pending), .follow(let pending, _): .reversal(pending)
        }
    }
}
