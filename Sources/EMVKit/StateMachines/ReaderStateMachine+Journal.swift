// SPDX-License-Identifier: Apache-2.0
/// Writes events to the journal before the reader acts. Without a journal none of these states is entered.
///
/// | before | events |
/// |---|---|
/// | the field is switched on | `began` |
/// | an approval or a refusal of the card is shown | `changed`, if it did, and `read` with `queued` or `answered` |
/// | a request is sent | `changed`, if it did, and `read` with `asking` |
/// | an answer is shown or returned | `answered`, `challenged`, `queued` or `unsent` |
/// | the first reversal is sent | `reversing` |
/// | the step after a reversal | `reversed` |
/// | the end of a tap without a card | `closed` |
///
/// Nothing is written between the first command to a card and the last.
extension ReaderStateMachine {
    /// Events that are being written, and the next step.
    struct Writing: Sendable, Equatable {
        let key: ReconciliationKey
        let events: [JournalEvent]
        var limits: OfflineLimits?
        let successor: Successor

        enum Successor: Sendable, Equatable {
            // A tap
            /// The previous tap is abandoned for good.
            case consult(TapRecord)
            case begin(TapRecord)
            case settle(KernelEnd, fieldOff: Duration?)
            case showLast(TapOutcome, hold: Duration)

            // An authorisation
            case ask(Conversation)
            case want(Conversation)
            case reverse(PendingReversal)
            case follow(PendingReversal, AuthorizationResult.Ending)
            case conclude(Conversation, AuthorizationResult.Ending)
            case retry(Conversation, [Problem])
            /// The payment is not deferred if it exceeds the limits.
            case deferPayment(Conversation, [Problem])
        }
    }

    /// A card whose account is being sealed, and the next step.
    enum Sealing: Sendable, Equatable {
        case ask(Conversation)
        case settle(KernelEnd, fieldOff: Duration?, CardRead)
    }

    /// The journal's answer before a tap.
    struct Consultation: Sendable, Equatable {
        var counter: UInt32
        /// The card must ask for its issuer, because an approval by the card could not be reported.
        var isOnlineOnly: Bool
    }

    mutating func write(
        _ events: [JournalEvent], to key: ReconciliationKey, within limits: OfflineLimits? = nil,
        _ successor: Writing.Successor
    ) -> ReaderAction {
        let writing = Writing(key: key, events: events, limits: limits, successor: successor)
        guard policy.hasJournal, !events.isEmpty else { return written(writing, nil) }
        state = .writing(writing)
        return act(.append(events, key, limits))
    }

    /// - Parameter error: why nothing was written.
    mutating func journaled(_ error: JournalError? = nil) -> ReaderAction {
        guard case .writing(let writing) = state else { return act(.unexpected) }
        return written(writing, error)
    }

    private mutating func written(_ writing: Writing, _ error: JournalError?) -> ReaderAction {
        let problems = error.map { [$0.problem] }
        switch writing.successor {
        case .consult(let record): return consult(record)
        case .begin(let record):
            guard let error else { return beginTap(record) }
            order(.dropSession)
            return finishTap(.failed(error.isOfRequest ? .refused(error) : .journal(error)))
        case .settle(let end, let fieldOff): return settleWritten(end, fieldOff, error)
        case .showLast(let outcome, let hold): return showLast(outcome, for: hold)
        case .ask(let conversation):
            guard let problems else { return send(conversation) }
            return notSent(conversation, problems)
        case .want(let conversation):
            guard let problems else { return collectWantedPIN(conversation) }
            return endWithoutPIN(conversation, problems)
        case .reverse(let pending): return sendReversal(pending)
        case .follow(let pending, let result): return follow(pending, result)
        case .conclude(let conversation, let result):
            guard let problems, case .approved(let approval) = result else { return leave(conversation, result) }
            // An approval that is not journalled does not count.
            guard approval.origin == .card else { return reverse(conversation, .notJournaled, problems, .conclude) }
            let undone = AuthorizationResult.Ending(undone: problems, after: writing.events)
            guard case .limit? = error else { return leave(conversation, undone) }
            return write(
                ReaderStateMachine.refusal(writing.events), to: conversation.key, .conclude(conversation, undone))
        case .retry(let conversation, let problems): return retryable(conversation, problems)
        case .deferPayment(let conversation, let before):
            guard let error else { return leave(conversation, .accepted(conversation.deferred)) }
            // The limit only matters without a connection; the display has to name it in that case.
            return write([.unsent], to: conversation.key, .retry(conversation, [error.problem] + before))
        }
    }

    // MARK: - Before a tap

    /// Closes a tap of this reader that was read and never authorised: it can no longer be authorised.
    mutating func consultJournal(_ record: TapRecord) -> ReaderAction {
        guard policy.hasJournal, record.isPayment else {
            return beginSession(record, isOnlineOnly: record.isPayment && !policy.isOffline)
        }
        if let left = unfinished {
            unfinished = nil
            return write([.closed, .erased(.account)], to: left, .consult(record))
        }
        return consult(record)
    }

    private mutating func consult(_ record: TapRecord) -> ReaderAction {
        state = .consultingJournal(record)
        return act(.consultJournal(record))
    }

    mutating func journalConsulted(_ answer: Result<Consultation, JournalError>) -> ReaderAction {
        guard case .consultingJournal(let record) = state else { return act(.unexpected) }
        switch answer {
        case .failure(let error): return finishTap(.failed(.journal(error)))
        case .success(let consultation):
            return beginSession(
                record.counting(consultation.counter), isOnlineOnly: consultation.isOnlineOnly)
        }
    }

    // MARK: - The end of a tap

    /// Journals a decision by the card itself before anyone sees it.
    mutating func settle(_ end: KernelEnd, _ fieldOff: Duration?) -> ReaderAction {
        guard end.run.isOfTap, end.run.tap.record.isPayment else {
            return settleWritten(end, fieldOff, nil)
        }
        switch end.outcome {
        case .success(let read) where read.authorization == .approvedOffline && !policy.isOffline:
            return settleWritten(end, fieldOff, .unavailable("payments without connection are not accepted"))
        case _ where !policy.hasJournal: return settleWritten(end, fieldOff, nil)
        case .success(let read) where read.authorization == .approvedOffline:
            guard policy.hasSealer else {
                return settleWritten(end, fieldOff, .unavailable("nobody seals the account"))
            }
            state = .sealing(.settle(end, fieldOff: fieldOff, read))
            return act(.seal(read))
        case .declined(let read):
            let stored = StoredRead(read)
            let decline = Decline(reason: read.declineReason)
            return write(
                end.run.tap.changes + [.read(stored), .answered(.declined(decline))], to: end.run.tap.key,
                .settle(end, fieldOff: fieldOff))
        default: return settleWritten(end, fieldOff, nil)
        }
    }

    /// - Parameter stored: `nil` if the account could not be sealed.
    mutating func sealed(_ stored: StoredRead?) -> ReaderAction {
        guard case .sealing(let sealing) = state else { return act(.unexpected) }
        switch sealing {
        case .ask(var conversation):
            guard let stored else { return notSent(conversation, [Problem(.journalFailed, detail: "sealing")]) }
            conversation.stored = stored
            return ask(conversation)
        case .settle(let end, let fieldOff, let read):
            guard let stored else { return settleWritten(end, fieldOff, .unavailable("sealing failed")) }
            let kind: FinancialRecord.Kind = read.isDelayed ? .deferredAuthorization : .offlineApproval
            return write(
                end.run.tap.changes + [.read(stored), .queued(kind)], to: end.run.tap.key,
                within: policy.offline?.limits, .settle(end, fieldOff: fieldOff))
        }
    }

    /// Shows the messages of the last step, which were held back until now. An approval that could not be journalled
    /// becomes a failure; a refusal stays a refusal.
    private mutating func settleWritten(
        _ start: KernelEnd, _ fieldOff: Duration?, _ error: JournalError?
    ) -> ReaderAction {
        var end = start
        if let error, case .success = end.outcome {
            end.outcome = .failed(.journal(error))
            end.run.held = []
            let request = UIRequest(message: .processingError, status: .processingError)
            end.run.tap.shown = request.message
            prompt(request, end.run.tap)
            publish(.cardRead)
        } else {
            if case .success(let read) = end.outcome, end.run.isOfTap {
                end.run.isApprovalWritten = read.authorization == .approvedOffline
            }
            showHeld(&end.run)
        }
        return switchOff(end, fieldOff)
    }

    /// Ends the tap. A tap that cannot continue is closed in the journal. Nothing depends on that event, so nothing is
    /// lost if the journal fails now.
    mutating func closeWritten(_ end: KernelEnd, hold: Duration) -> ReaderAction {
        guard policy.hasJournal, end.run.tap.record.isPayment else { return showLast(end.outcome, for: hold) }
        switch end.outcome {
        case .success(let read) where read.authorization == .approvedOffline: break
        case .declined: break
        case .success, .onlinePINRequired: unfinished = end.run.tap.key
        default: return write([.closed], to: end.run.tap.key, .showLast(end.outcome, hold: hold))
        }
        return showLast(end.outcome, for: hold)
    }

    // MARK: - Before an authorisation

    mutating func lookUp(_ conversation: Conversation) -> ReaderAction {
        state = .lookingUp(conversation)
        return act(.lookUp(conversation.key))
    }

    /// Returns or authorises only the journalled result of this read.
    mutating func tapFound(_ answer: Result<JournaledTap?, JournalError>) -> ReaderAction {
        guard case .lookingUp(var conversation) = state else { return act(.unexpected) }
        guard case .success(let found) = answer else {
            if mayBeBooked.contains(conversation.key) || conversation.read.authorization == .approvedOffline {
                return answered(.unknown(conversation.key))
            }
            if case .failure(let error) = answer { return answered(.failed([error.problem])) }
            return answered(.failed([Problem(.journalFailed)]))
        }
        guard let tap = found, tap.read?.isOf(conversation.read) != false else { return refused() }
        let isOnline = conversation.read.authorization == .onlineRequired
        conversation.isLookedUp = true
        switch tap.state {
        case .began, .read:
            guard isOnline else { return refused() }
            conversation.changedAmount = conversation.amount == tap.amount ? nil : conversation.amount
            conversation.stored = tap.read
            conversation.isStored = tap.read != nil
            conversation.earlierRequests = tap.attempts
            return interruption.map { answered(.failed([Problem($0.code)])) } ?? converse(conversation)
        case .queued, .forwarding:
            guard tap.queuedAs != .offlineApproval else {
                return leave(conversation, .approved(Approval(origin: .card, responseCode: tap.offlineResponse)))
            }
            return answered(.accepted(conversation.deferred))
        case .closed where tap.isWrittenOff: return answered(.unknown(tap.key))
        case .approved, .declined, .closed:
            guard let result = tap.result else { return refused() }
            // The card itself made the journalled decision: it is shown as the result of this payment.
            return isOnline
                ? answered(AuthorizationResult.Ending(result)) : leave(conversation, AuthorizationResult.Ending(result))
        // It may be booked at the host, or the host is owed a record.
        case .reversing, .asking, .challenged, .setAside, .writtenOff: return answered(.unknown(tap.key))
        case .reversed, .withdrawn: return refused()
        }
    }

    private mutating func refused() -> ReaderAction { answered(.failed([Problem(.authorizationNotPossible)])) }

    /// Returns a known result again; the display stays as it is.
    private mutating func answered(_ result: AuthorizationResult.Ending) -> ReaderAction {
        publish(.authorized(result.name))
        publish(standing)
        return finish(.authorization(result))
    }

    /// The request cannot be journalled, so it is not sent.
    private mutating func notSent(_ start: Conversation, _ problems: [Problem]) -> ReaderAction {
        guard start.hasLeft else { return retryable(start, problems) }
        return reverse(start, .pinMissing, problems, .conclude)
    }

    // MARK: - After an answer

    /// Nothing was sent, and no kernel has decided: this tap may be authorised again, or deferred.
    mutating func unsent(_ conversation: Conversation, _ problems: [Problem]) -> ReaderAction {
        let deferral = Deferral(conversation, problems)
        guard policy.hasJournal, let offline = policy.offline, deferral.isAllowed(by: offline) else {
            return write([.unsent], to: conversation.key, .retry(conversation, problems))
        }
        return write(
            [.queued(.deferredAuthorization)], to: conversation.key, within: offline.limits,
            .deferPayment(conversation, problems))
    }
}

extension AuthorizationResult.Ending {
    init(_ stored: JournaledTap.StoredResult) {
        switch stored {
        case .approved(let approval): self = .approved(approval)
        case .declined(let decline): self = .declined(decline)
        }
    }
}

extension Tap {
    /// The change of the amount, written before the card's cryptogram.
    fileprivate var changes: [JournalEvent] { changedAmount.map { [.changed($0)] } ?? [] }
}

extension Deferral {
    fileprivate init(_ conversation: Conversation, _ problems: [Problem]) {
        let read = conversation.read
        let name = read.outcome.applicationName
        self.init(
            problems: problems.map(\.code), attempts: conversation.attempt,
            kind: Receipt.Kind(conversation.payment.kind), wantsPIN: read.wantsPIN,
            hasPIN: conversation.pin != nil, isChallenged: conversation.challenges > 0,
            application: name.isEmpty ? read.dataRecord[0x84] ?? read.dataRecord[0x9F06] ?? [] : name,
            isSealed: conversation.stored?.payload != nil, hasFingerprint: conversation.stored?.fingerprint != nil,
            findings: read.outcome.findings)
    }
}

extension TapRecord {
    /// Returns the tap with the next counter, unless the app set one.
    fileprivate func counting(_ next: UInt32) -> TapRecord {
        guard request?.counter == nil else { return self }
        var record = self
        record.counter = next
        return record
    }
}
