// SPDX-License-Identifier: Apache-2.0
/// An authorisation: from a read to the issuer and back, including the kernel's decision about the answer. A payment
/// that may have been sent ends as approved, declined, reversed or unknown.
extension ReaderStateMachine {
    // MARK: - Requests of the app

    /// - Parameters:
    ///   - isCancelled: the caller is cancelled.
    ///   - isOfCharge: the call is part of the charge in progress.
    mutating func authorizationRequested(
        _ read: CardRead, _ means: Means, pin: EncryptedPINBlock? = nil, isCancelled: Bool = false,
        isOfCharge: Bool = false
    ) -> ReaderAction {
        guard isIdle, isOfCharge || !isReserved else { return refuse(.readerBusy, read) }
        guard let conversation = Conversation(read, means, pin: pin) else { return refuse(.authorizationNotPossible) }
        let key = conversation.key
        guard !read.isSimulated || means.authorizer.acceptsSimulatedReads else {
            return repeated(.failed([Problem(.simulatedRead)]))
        }
        if let settled, settled.key == key {
            // Another read of this key is another payment, or a forged one.
            return settled.isFor(read) ? repeated(settled.result) : refuse(.authorizationNotPossible)
        }
        if let challenge, challenge.key == key, let handedOver = challenge.handedOver {
            return challenge.read == read
                ? repeated(.pinRequested(handedOver)) : refuse(.authorizationNotPossible)
        }
        // The result is no longer remembered. Asking again could turn it into a failure if the host cannot be reached.
        if !policy.hasJournal, mayBeBooked.contains(key) { return repeated(.unknown(key)) }
        // The journal is consulted first, even for a decision by the card itself.
        if policy.hasJournal {
            return isCancelled ? refuse(.cancelledByProgram, read) : accept(.authorize(conversation))
        }
        switch read.authorization {
        case .approvedOffline:
            guard read.outcome.status == .approved else { return refuse(.authorizationNotPossible) }
            if read.isDelayed { return settle(conversation, .accepted(conversation.deferred)) }
            return settle(conversation, .approved(Approval(origin: .card, responseCode: "Y1")))
        case .declined:
            return settle(conversation, .declined(Decline(reason: read.declineReason)))
        case .onlineRequired: break
        }
        guard !isCancelled else { return refuse(.cancelledByProgram, read) }
        return accept(.authorize(conversation))
    }

    /// The app supplies the PIN that was requested.
    mutating func pinBrought(_ read: CardRead, _ answered: PINChallenge, _ pin: EncryptedPINBlock) -> ReaderAction {
        guard isIdle, !isReserved else { return refuse(.readerBusy, read) }
        guard var conversation = challenge, conversation.read == read, conversation.handedOver == answered else {
            return refuse(.nothingToComplete, read)
        }
        challenge = nil
        conversation.pin = pin
        return accept(.authorize(conversation))
    }

    /// The app supplies no PIN.
    mutating func giveUpRequested(_ read: CardRead) -> ReaderAction {
        guard isIdle, !isReserved else { return refuse(.readerBusy, read) }
        guard let conversation = challenge, conversation.read == read else { return refuse(.nothingToComplete, read) }
        challenge = nil
        return accept(.giveUp(conversation))
    }

    /// Answers a call that changes nothing: no issuer is asked, and the display stays as it is.
    private mutating func repeated(_ result: AuthorizationResult.Ending) -> ReaderAction {
        publish(.authorized(result.name))
        return act(.finish(.authorization(result)))
    }

    /// - Parameter read: the read of the call; if it may already be approved, the refusal does not deny it.
    private mutating func refuse(_ code: Problem.Code, _ read: CardRead? = nil) -> ReaderAction {
        if let read, let key = read.key, mayBeApproved(read) {
            if let settled, settled.key == key { return repeated(settled.result) }
            if let challenge, challenge.read == read, let wanted = challenge.handedOver {
                return repeated(.pinRequested(wanted))
            }
            return repeated(.unknown(key))
        }
        return repeated(.failed([Problem(code)]))
    }

    /// Returns whether a request of this read was sent or is about to be sent, or the card has approved it by itself.
    func mayBeApproved(_ read: CardRead) -> Bool {
        guard let key = read.key else { return false }
        if let settled, settled.key == key { return settled.isFor(read) && !settled.result.effect.isCertainlyNothing }
        return mayBeBooked.contains(key) || conversation?.key == key || challenge?.key == key
            || read.authorization == .approvedOffline && read.outcome.status == .approved
    }

    // MARK: - The PIN

    /// Collects the PIN before the issuer is asked; a PIN that the card or the kernel requests is sent with the
    /// request.
    mutating func converse(_ start: Conversation) -> ReaderAction {
        guard !policy.hasJournal || start.isLookedUp else { return lookUp(start) }
        var conversation = start
        if kernelWaitsForPIN(conversation) { conversation.kernelAskedForPIN = true }
        guard !conversation.hasLeft, conversation.read.wantsPIN, conversation.pin == nil else {
            return ask(conversation)
        }
        guard conversation.means.pinPad != nil else { return retryable(conversation, [Problem(.pinPadMissing)]) }
        return collectPIN(.card, conversation)
    }

    private mutating func collectPIN(_ reason: PINRequest.Reason, _ start: Conversation) -> ReaderAction {
        var conversation = start
        var deadline = policy.pinDeadline
        if case .issuer(let challenge) = reason, let own = challenge.deadline { deadline = own }
        conversation.entries += 1
        let means = conversation.means
        let request = PINRequest(
            reason: reason, amount: conversation.amount, attempt: conversation.entries,
            accessibility: means.accessibility && means.pinPad?.supportsAccessibility == true, timeout: deadline,
            card: conversation.read.dataRecord)
        prompt(UIRequest(message: .enterPIN, status: .idle), conversation.read)
        publish(.pinEntry)
        state = .collectingPIN(conversation)
        return act(.collectPIN(request, means))
    }

    mutating func pinCollected(_ entry: Race<PINEntry>) -> ReaderAction {
        guard case .collectingPIN(var conversation) = state else { return act(.unexpected) }
        publish(.pinEntryFinished)
        let problems: [Problem]
        switch entry {
        case .value(.entered(let block)):
            conversation.pin = block
            return ask(conversation)
        case .value(let other): problems = other.problems
        case .deadlinePassed: problems = PINEntry.timedOut.problems
        case .cancelled: problems = PINEntry.cancelled.problems
        }
        if conversation.hasLeft {
            return interruption == nil ? endWithoutPIN(conversation, problems) : interrupt(conversation)
        }
        if let interruption { return retryable(conversation, [Problem(interruption.code)]) }
        guard kernelWaitsForPIN(conversation) else { return retryable(conversation, problems) }
        return notifyKernel(conversation, .nothingSent(problems))
    }

    /// The issuer requests a PIN; without a challenge, the kernel requests it (Request Online PIN).
    private mutating func pinWanted(_ challenge: PINChallenge?, _ start: Conversation) -> ReaderAction {
        var conversation = start
        if kernelWaitsForPIN(conversation) { conversation.kernelAskedForPIN = true }
        conversation.challenges += 1
        conversation.challenge = challenge
        conversation.pin = nil
        guard conversation.challenges <= policy.maximumPINRequests else {
            return endWithoutPIN(conversation, [Problem(.pinAttemptsExceeded)])
        }
        return write([.challenged], to: conversation.key, .want(conversation))
    }

    mutating func collectWantedPIN(_ conversation: Conversation) -> ReaderAction {
        guard conversation.means.pinPad != nil else { return handOver(conversation) }
        return collectPIN(conversation.challenge.map { .issuer($0) } ?? .card, conversation)
    }

    /// Asks the app for the PIN.
    private mutating func handOver(_ start: Conversation) -> ReaderAction {
        var conversation = start
        let handedOver = conversation.challenge ?? PINChallenge(id: "")
        conversation.handedOver = handedOver
        challenge = conversation
        prompt(UIRequest(message: .enterPIN, status: .idle), conversation.read)
        publish(.authorized(.pinRequested))
        publish(.ready)
        return finish(.authorization(.pinRequested(handedOver)))
    }

    /// Ends the wait for a PIN that the issuer or the kernel requested after a request and that was not entered. A
    /// kernel that asked is notified once (Book A 8.1.1.24; C-4 12.2.2.2).
    mutating func endWithoutPIN(_ start: Conversation, _ problems: [Problem]) -> ReaderAction {
        var conversation = start
        conversation.pin = nil
        if kernelWaitsForPIN(conversation) { return notifyKernel(conversation, .noPIN(problems)) }
        return reverse(conversation, .pinMissing, problems, .conclude)
    }

    // MARK: - The issuer

    /// Asks the issuer. With a journal, the read and the request are journalled first.
    mutating func ask(_ conversation: Conversation) -> ReaderAction {
        guard policy.hasJournal else { return send(conversation) }
        if let interruption {
            guard !conversation.hasLeft else { return interrupt(conversation) }
            return retryable(conversation, [Problem(interruption.code)])
        }
        guard let stored = conversation.stored else {
            state = .sealing(.ask(conversation))
            return act(.seal(conversation.read))
        }
        let attempt = conversation.earlierRequests + conversation.attempt + 1
        let asking = JournalEvent.asking(attempt: attempt, deadline: policy.authorizationDeadline)
        var events = conversation.changedAmount.map { [JournalEvent.changed($0)] } ?? []
        events += conversation.isStored ? [asking] : [.read(stored), asking]
        var written = conversation
        written.isStored = true
        written.changedAmount = nil
        return write(events, to: conversation.key, .ask(written))
    }

    mutating func send(_ start: Conversation) -> ReaderAction {
        var conversation = start
        conversation.attempt += 1
        mayBeBooked.insert(conversation.key)
        publish(.authorizing)
        state = .askingIssuer(conversation)
        return act(.askIssuer(conversation.request, conversation.means))
    }

    /// - Parameter answer: its value is `nil` if the authoriser failed, so that the result of the request is not known.
    mutating func issuerAnswered(_ answer: Race<IssuerDecision?>) -> ReaderAction {
        guard case .askingIssuer(let conversation) = state else { return act(.unexpected) }
        switch answer {
        case .value(.approved(let approval)): return notifyKernel(conversation, .approved(approval))
        case .value(.declined(let decline)): return notifyKernel(conversation, .declined(decline))
        case .value(.chipRequested(let code, let data)):
            let decline = Decline(reason: .chipRequested, responseCode: code, issuerData: data)
            return notifyKernel(conversation, .declined(decline))
        case .value(.pinRequested(let challenge)):
            // The kernel receives a challenge only if it contains data for the kernel.
            guard !challenge.issuerData.isEmpty else { return pinWanted(challenge, conversation) }
            return notifyKernel(conversation, .challenged(challenge))
        case .value(.failed(let problems)):
            // The first request left nothing at the host. A later one leaves open the request for which the issuer
            // wanted a PIN.
            let reversal = conversation.attempt > 1 ? Reversal.Reason.pinMissing : nil
            return notifyKernel(conversation, .noAnswer(reversal: reversal, problems))
        case .value(nil): return answerLost(conversation, .answerLost, .authorizationAnswerLost)
        case .deadlinePassed: return answerLost(conversation, .timedOut, .authorizationTimedOut)
        case .cancelled: return interrupt(conversation)
        }
    }

    /// If approvals are kept, the host is asked before anything is reversed.
    private mutating func answerLost(
        _ conversation: Conversation, _ reason: Reversal.Reason, _ code: Problem.Code
    ) -> ReaderAction {
        let result = OnlineResult.noAnswer(reversal: reason, [Problem(code)])
        guard policy.keepsApprovals else { return notifyKernel(conversation, result) }
        state = .askingStatus(conversation, result)
        return act(.askStatus(conversation.key, conversation.means))
    }

    /// Without a decision the answer is lost: a request that the host has not seen may still be on its way.
    mutating func statusAnswered(_ answer: Race<HostStatus?>) -> ReaderAction {
        guard case .askingStatus(let conversation, let lost) = state else { return act(.unexpected) }
        switch answer {
        case .value(.approved(let approval)): return notifyKernel(conversation, .approved(approval))
        case .value(.declined(let decline)): return notifyKernel(conversation, .declined(decline))
        case .value(.reversed), .value(.neverSeen), .value(.inProgress), .value(.unsupported), .value(nil),
            .deadlinePassed:
            return notifyKernel(conversation, lost)
        case .cancelled: return interrupt(conversation)
        }
    }

    // MARK: - The kernel

    private func kernelWaitsForPIN(_ conversation: Conversation) -> Bool {
        parked?.key == conversation.key && parked?.status == .requestOnlinePIN
    }

    /// Notifies the kernel of the result of the online request, if it continues with it (Book A 8.1.1.22, 8.1.1.24).
    /// Once the issuer has decided, a cancellation or a card that does not come back changes nothing.
    private mutating func notifyKernel(_ conversation: Conversation, _ result: OnlineResult) -> ReaderAction {
        guard let parked, parked.key == conversation.key else { return kernelAnswered(conversation, result, nil) }
        let data = result.data(for: conversation.read), goesOn = parked.goesOn(with: data)
        // Issuer data that were cut or omitted would change the issuer's answer, so the answer counts as lost.
        if goesOn, let problem = Problem.ofIssuerData(data) {
            return notifyKernel(conversation, .noAnswer(reversal: .answerLost, [problem]))
        }
        order(.stopRemovalTimer)
        guard goesOn else { return kernelAnswered(conversation, result, nil) }
        let isForPIN = parked.status == .requestOnlinePIN
        let reply: Reply =
            isForPIN && result.isWithoutPIN
            ? .pin(captured: false) : .online(data, removalTimedOut: parked.removalTimedOut)
        self.parked = nil
        var run = KernelRun(tap: parked.tap, purpose: .issuer(conversation, result))
        run.tap.timeout = policy.issuerUpdateTimeout
        return compute(run, .resume(reply))
    }

    /// - Parameter kernel: `nil` if the kernel was abandoned.
    mutating func kernelAnswered(
        _ conversation: Conversation, _ result: OnlineResult, after kernel: Outcome?
    ) -> ReaderAction {
        guard let kernel, kernel.status != .onlineRequest else {
            let none = KernelVerdict(status: .none, interface: .notApplicable, answer: nil)
            return kernelAnswered(conversation, result, none)
        }
        let isRecord = kernel.status == .approved && !result.isAnswer
        let answer = isRecord ? kernel.dataRecord : kernel.discretionary
        let verdict = KernelVerdict(status: kernel.status, interface: kernel.alternateInterface, answer: answer)
        return kernelAnswered(conversation, result, verdict)
    }

    /// - Parameter verdict: `nil` if the kernel was not notified.
    private mutating func kernelAnswered(
        _ conversation: Conversation, _ result: OnlineResult, _ verdict: KernelVerdict?
    ) -> ReaderAction {
        let wantsPIN = verdict?.status == .requestOnlinePIN && !conversation.kernelAskedForPIN
        switch result {
        case .approved, .declined:
            if wantsPIN { return pinWanted(nil, conversation) }
            return decide(conversation, result, verdict)
        case .challenged(let challenge):
            switch verdict?.status {
            case .declined, .tryAnotherInterface: return refused(conversation, verdict, nil)
            default: return pinWanted(challenge, conversation)
            }
        case .noAnswer(let reversal?, let problems):
            return reverse(conversation, reversal, problems, .kernel(verdict))
        case .noAnswer(nil, let problems):
            guard verdict != nil else { return unsent(conversation, problems) }
            // The kernel has ended with this result: this tap cannot be authorised again.
            return concludeUnreached(conversation, verdict, problems, after: .unsent)
        case .nothingSent(let problems): return conclude(conversation, .failed(problems), [.closed, .erased(.account)])
        case .noPIN(let problems): return reverse(conversation, .pinMissing, problems, .conclude)
        }
    }

    /// Completes an authorisation that the issuer has decided; the kernel may refuse an approval.
    private mutating func decide(
        _ conversation: Conversation, _ result: OnlineResult, _ verdict: KernelVerdict?
    ) -> ReaderAction {
        switch (result, verdict?.status) {
        case (.approved(let approval), .declined), (.approved(let approval), .tryAnotherInterface):
            return refused(conversation, verdict, approval.responseCode)
        case (.approved(var approval), _):
            if let part = approval.approvedAmount, !conversation.takes(part) {
                return reverse(
                    conversation, .approvedInPart, [Problem(.approvedInPart, amount: part)], .conclude)
            }
            if approval.approvedAmount == conversation.amount { approval.approvedAmount = nil }
            approval.cardAnswer = verdict?.answer
            approval.isPINVerified = conversation.pin != nil
            return conclude(conversation, .approved(approval), answered(.approved(approval)))
        case (.declined(let decline), .tryAnotherInterface) where decline.reason != .chipRequested:
            let problems = [Problem(verdict?.interface), decline.problem]
            return conclude(conversation, .reversed(problems), answered(.declined(decline)))
        case (.declined(let decline), _):
            return conclude(conversation, .declined(decline), answered(.declined(decline)))
        default: return act(.unexpected)
        }
    }

    /// The host has decided and no longer needs the account.
    private func answered(_ result: JournaledTap.StoredResult) -> [JournalEvent] {
        [.answered(result), .erased(.account)]
    }

    /// The kernel overrules the issuer (Book A, Table 6-4): a booking at the host is reversed.
    private mutating func refused(
        _ conversation: Conversation, _ verdict: KernelVerdict?, _ code: String?
    ) -> ReaderAction {
        if verdict?.status == .tryAnotherInterface {
            return reverse(conversation, .cardRefused, [Problem(verdict?.interface)], .conclude)
        }
        let decline = Decline(reason: .issuerAnswerRefused, responseCode: code)
        return reverse(conversation, .cardRefused, [decline.problem], .decline(decline))
    }

    // MARK: - Reversals

    private mutating func interrupt(_ conversation: Conversation) -> ReaderAction {
        let cause = Problem((interruption ?? .taskCancelled).code)
        return reverse(
            conversation, .interrupted, [Problem(.authorizationInterrupted, underlying: [cause])], .conclude)
    }

    /// Reverses a payment whose issuer still waits for a PIN that was not entered.
    mutating func reverse(
        _ conversation: Conversation, before successor: PendingReversal.Successor
    ) -> ReaderAction {
        challenge = nil
        return reverse(conversation, .pinMissing, [Problem(.pinCancelled)], successor)
    }

    mutating func reverse(
        _ conversation: Conversation, _ reason: Reversal.Reason, _ problems: [Problem],
        _ successor: PendingReversal.Successor
    ) -> ReaderAction {
        let pending = PendingReversal(
            conversation: conversation, reversal: conversation.reversal(reason), problems: problems,
            attemptsLeft: max(1, policy.reversalAttempts), successor: successor)
        return write([.reversing(reason)], to: conversation.key, .reverse(pending))
    }

    /// The reversal is sent even if it could not be journalled: recovery reverses once more.
    mutating func sendReversal(_ pending: PendingReversal) -> ReaderAction {
        state = .reversing(pending)
        return act(.reverse(pending.reversal, pending.conversation.means))
    }

    /// The payment is certainly not approved if the host has confirmed the reversal; otherwise it is unknown.
    mutating func reversed(_ isConfirmed: Bool) -> ReaderAction {
        guard case .reversing(var pending) = state else { return act(.unexpected) }
        let conversation = pending.conversation
        pending.attemptsLeft -= 1
        if !isConfirmed, pending.attemptsLeft > 0 {
            pending.reversal = pending.reversal.repeated
            return sendReversal(pending)
        }
        guard isConfirmed else {
            let unknown = AuthorizationResult.Ending.unknown(conversation.key)
            switch pending.successor {
            case .read, .authorize, .release: return follow(pending, unknown)
            case .conclude, .decline, .kernel: return conclude(conversation, unknown, [])
            }
        }
        let undone = AuthorizationResult.Ending.reversed(pending.problems),
            over: [JournalEvent] = [.reversed, .erased(.account)]
        switch pending.successor {
        case .read, .authorize, .release: return write(over, to: conversation.key, .follow(pending, undone))
        case .conclude: return conclude(conversation, undone, over)
        case .decline(let decline):
            return conclude(conversation, .declined(decline), [.reversed] + answered(.declined(decline)))
        case .kernel(let verdict):
            return concludeUnreached(conversation, verdict, pending.problems, after: .reversed)
        }
    }

    /// The issuer gave no answer, and nothing is open at the host, so the kernel's verdict applies. The host has to be
    /// notified of its approval. If nobody could do that, because there is no account or a limit is exceeded, it does
    /// not count as an approval.
    private mutating func concludeUnreached(
        _ conversation: Conversation, _ verdict: KernelVerdict?, _ problems: [Problem], after event: JournalEvent
    ) -> ReaderAction {
        let owed = [event, .queued(.offlineApproval)]
        let result = AuthorizationResult.Ending(verdict, problems, after: owed)
        guard result.isApproved else {
            return conclude(conversation, result, ReaderStateMachine.refusal(owed))
        }
        guard policy.isOffline else {
            return conclude(
                conversation, AuthorizationResult.Ending(undone: problems, after: owed),
                ReaderStateMachine.refusal(owed))
        }
        guard !policy.hasJournal || policy.hasSealer else {
            let error = JournalError.unavailable("nobody seals the account")
            return conclude(
                conversation, AuthorizationResult.Ending(undone: problems + [error.problem], after: owed),
                ReaderStateMachine.refusal(owed))
        }
        return write(
            owed, to: conversation.key, within: policy.offline?.limits, .conclude(conversation, result))
    }

    /// Returns the events to write instead of a card approval that the host would have to be notified of. A reversed
    /// payment stays open until the app knows of it; a payment that was never sent is closed.
    static func refusal(_ owed: [JournalEvent]) -> [JournalEvent] {
        let events = Array(owed.dropLast())
        return events + (events == [.reversed] ? [] : [.closed]) + [.erased(.account)]
    }

    /// The abandoned payment is reversed, or unknown: continues with the activity that waited for it.
    mutating func follow(_ pending: PendingReversal, _ result: AuthorizationResult.Ending) -> ReaderAction {
        noteReversal(of: pending.conversation, result)
        switch pending.successor {
        case .read(let record): return prepareTap(record)
        case .authorize(let next): return converse(next)
        case .release, .conclude, .decline, .kernel: return finish(.released)
        }
    }

    mutating func noteReversal(of conversation: Conversation, _ result: AuthorizationResult.Ending) {
        note(conversation, result)
        if case .unknown(let key) = result { publish(.unresolved(key)) }
    }

    // MARK: - The end

    /// Nothing is open at the host: this tap may be authorised again.
    mutating func retryable(_ conversation: Conversation, _ problems: [Problem]) -> ReaderAction {
        mayBeBooked.remove(conversation.key)
        return finishAuthorization(.failed(problems), of: conversation.read)
    }

    /// - Parameter events: are journalled before anyone sees the result.
    private mutating func conclude(
        _ conversation: Conversation, _ result: AuthorizationResult.Ending, _ events: [JournalEvent]
    ) -> ReaderAction {
        write(events, to: conversation.key, .conclude(conversation, result))
    }

    mutating func leave(_ conversation: Conversation, _ result: AuthorizationResult.Ending) -> ReaderAction {
        guard parked?.key == conversation.key else { return settle(conversation, result) }
        return release(.conclude(conversation, result))
    }

    /// Sets the result of this tap. Every later call for it gets this result.
    mutating func settle(_ conversation: Conversation, _ result: AuthorizationResult.Ending) -> ReaderAction {
        note(conversation, result)
        return finishAuthorization(result, of: conversation.read)
    }

    private mutating func note(_ conversation: Conversation, _ result: AuthorizationResult.Ending) {
        settled = LastResult(conversation.key, conversation.read, result)
        if result.effect.isCertainlyNothing { mayBeBooked.remove(conversation.key) }
        if unfinished == conversation.key { unfinished = nil }
    }

    private mutating func finishAuthorization(_ result: AuthorizationResult.Ending, of read: CardRead) -> ReaderAction {
        prompt(result.message(for: read), read)
        publish(.authorized(result.name))
        publish(standing)
        return finish(.authorization(result))
    }

    private mutating func prompt(_ request: UIRequest, _ read: CardRead) {
        let preferring = request.preferring(read.tap?.presented[0x5F2D])
        order(.show(PromptDraft(request: preferring, purpose: read.tap?.purpose)))
    }
}

extension Conversation {
    /// Returns whether the app accepts the approval of a part. An approval of more than the requested amount is not
    /// accepted.
    fileprivate func takes(_ part: Money) -> Bool {
        guard part.currency == amount.currency, part.minorUnits > 0, part.minorUnits <= amount.minorUnits else {
            return false
        }
        return part == amount || payment.acceptsPartialApproval
    }
}

extension OnlineResult {
    /// Returns the data objects for the kernel, possibly empty; `nil` if no answer came.
    func data(for read: CardRead) -> DataObjects? {
        switch self {
        case .approved(let approval): approval.issuerData.forKernel(read, isApproved: true)
        case .declined(let decline): decline.issuerData.forKernel(read, isApproved: false)
        case .challenged(let challenge): challenge.issuerData.forKernel(read, isApproved: nil)
        case .noAnswer: nil
        case .nothingSent, .noPIN: [:]
        }
    }

    var isAnswer: Bool { if case .noAnswer = self { false } else { true } }

    /// The requested PIN was not entered. Every other result is the issuer's answer, also to a request with the PIN.
    var isWithoutPIN: Bool {
        switch self {
        case .nothingSent, .noPIN: true
        case .approved, .declined, .challenged, .noAnswer: false
        }
    }
}

extension AuthorizationResult.Ending {
    fileprivate var isApproved: Bool { if case .approved = self { true } else { false } }

    /// Creates the ending for a payment without an answer and with nothing open at the host: unable to go online. The
    /// kernel may still have decided (Book A 8.1.1.22).
    fileprivate init(_ verdict: KernelVerdict?, _ problems: [Problem], after events: [JournalEvent]) {
        switch verdict?.status {
        case .approved:
            var approval = Approval(origin: .card, responseCode: "Y3")
            approval.cardAnswer = verdict?.answer
            self = .approved(approval)
        case .tryAnotherInterface: self.init(undone: [Problem(verdict?.interface)] + problems, after: events)
        default: self.init(undone: problems, after: events)
        }
    }

    /// Creates the ending for a payment that is not booked: reversed if a request was sent, otherwise failed.
    init(undone problems: [Problem], after events: [JournalEvent]) {
        self = events.contains(.reversed) ? .reversed(problems) : .failed(problems)
    }
}
