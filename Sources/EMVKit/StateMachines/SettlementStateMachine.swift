// SPDX-License-Identifier: Apache-2.0
/// Decides how a payment is settled: closed, looked up at the host, reversed, delivered or taken back. A pure value
/// without I/O, clock or task; ``Settlement`` carries out its actions. It works on one payment at a time.
/// ``SettlementPass`` selects the payments.
///
/// Every action at a host is journalled first: each reversal follows its `reversing`, each delivery its `forwarding`.
struct SettlementStateMachine: Sendable, Equatable {
    /// The event that the machine waits for, with the payment as it was found.
    enum State: Sendable, Equatable {
        case idle
        case finding
        /// The payment that is followed up.
        case findingOriginal(JournaledTap)
        /// All follow-ups of that payment.
        case findingSiblings(JournaledTap, of: JournaledTap)
        /// The follow-ups of a payment that is to be reversed.
        case findingFollowUps(JournaledTap)
        case askingStatus(JournaledTap)
        case writing(Successor)
        case reversing(JournaledTap)
        case delivering(JournaledTap)
        /// The record has reached this end, and the payment may be over.
        case closing(JournaledTap, JournalEvent)
        /// The payment is looked up again, to be reported.
        case telling(Told)
        /// The estimate that was captured is being closed.
        case closingOriginal
    }

    /// The next step once events are written.
    enum Successor: Sendable, Equatable {
        case reverse(JournaledTap, Reversal)
        case deliver(JournaledTap, FinancialRecord)
        case end(JournaledTap, JournalEvent)
        case close(JournaledTap, JournalEvent)
        case tell
    }

    /// The next step once the app knows the payment's result.
    enum Told: Sendable, Equatable {
        case settled
        case delivered(isSetAside: Bool)
        /// The host has taken a follow-up of this payment.
        case followed(ReconciliationKey)
    }

    var state = State.idle
    /// The work on the payment; `nil` when idle.
    var work: SettlementWork?
    var schedule: SettlementSchedule
    private var acceptsSimulatedReads = false
    private var spread = 0.0
    private var events: [SettlementEvent] = []

    init(_ policy: SettlementPolicy) { schedule = SettlementSchedule(policy) }

    private var policy: SettlementPolicy { schedule.policy }

    // MARK: - Beginning

    /// - Parameters:
    ///   - acceptsSimulatedReads: see ``Authorizer/acceptsSimulatedReads``.
    ///   - spread: a random number, -1 to 1, for the pause after a failure.
    mutating func requested(
        _ work: SettlementWork, acceptsSimulatedReads: Bool, spread: Double
    ) -> SettlementAction {
        guard state == .idle else { return act(.unexpected) }
        self.work = work
        self.acceptsSimulatedReads = acceptsSimulatedReads
        self.spread = spread
        return act(.find(work.key), .finding)
    }

    mutating func found(_ tap: JournaledTap?) -> SettlementAction {
        switch (state, work) {
        case (.finding, let work?): return begin(work, tap)
        case (.findingOriginal(let followUp), _):
            guard let tap, tap.intent.isEstimated else { return attempt(followUp) }
            return act(.findFollowUps(tap.key), .findingSiblings(followUp, of: tap))
        default: return act(.unexpected)
        }
    }

    /// - Parameter settled: the payment's current result; `nil` if the payment is in progress.
    mutating func settledFound(_ settled: Settled?) -> SettlementAction {
        guard case .telling(let told) = state, let work else { return act(.unexpected) }
        return tell(settled, told, work)
    }

    mutating func followUpsFound(_ followUps: [JournaledTap]) -> SettlementAction {
        switch (state, work) {
        case (.findingFollowUps(let tap), .expire?):
            let isKept = followUps.contains(where: \.keepsOriginal)
            return isKept ? finish(.settled(nil)) : reverse(tap, .notCaptured, followUps)
        case (.findingFollowUps(let tap), .withdraw?): return reverse(tap, .withdrawn, followUps)
        case (.findingFollowUps(let tap), _):
            return reverse(tap, tap.reversalReason ?? .answerLost, followUps)
        case (.findingSiblings(let tap, let original), _): return deliver(tap, original, followUps)
        default: return act(.unexpected)
        }
    }

    private mutating func begin(_ work: SettlementWork, _ tap: JournaledTap?) -> SettlementAction {
        switch work {
        case .settle: return tap.map { settle($0) } ?? finish(.settled(nil))
        case .deliver, .retry:
            guard let tap else { return finish(.delivered(isHostThere: true, isSetAside: false)) }
            let isRetry = if case .retry = work { true } else { false }
            return deliver(tap, isRetry: isRetry)
        case .withdraw(let key): return tap.map { withdraw($0) } ?? finish(.failed(.unknownKey(key)))
        case .expire:
            guard let tap, tap.state == .approved else { return finish(.settled(nil)) }
            return act(.findFollowUps(tap.key), .findingFollowUps(tap))
        }
    }

    // MARK: - Abandoned payments

    private mutating func settle(_ tap: JournaledTap) -> SettlementAction {
        switch tap.state {
        case _ where tap.isHeld: act(.askStatus(tap.key), .askingStatus(tap))
        case .began, .read: write(tap.closing, to: tap.key, .tell)
        case .asking: act(.askStatus(tap.key), .askingStatus(tap))
        case .challenged: reverse(tap, .pinMissing)
        case .reversing where tap.wasApproved: reverseApproved(tap, tap.reversalReason ?? .answerLost)
        case .reversing: reverse(tap, tap.reversalReason ?? .answerLost)
        case .approved, .declined, .reversed, .queued, .forwarding, .setAside, .withdrawn, .writtenOff, .closed:
            finish(.settled(nil))
        }
    }

    /// - Parameter status: `nil` if the host did not answer.
    mutating func statusAnswered(_ status: HostStatus?) -> SettlementAction {
        guard case .askingStatus(let tap) = state else { return act(.unexpected) }
        schedule.hostAnswered(status != nil)
        if tap.isHeld { return resolveHeld(tap, status) }
        return tap.state == .asking ? resolve(tap, status) : decide(tap, status)
    }

    /// Settles a payment that was open when its journal was restored or copied: only the host knows its later events.
    /// An approval may have been shown to the customer, so it is kept, whatever the policy. Nothing is reversed.
    private mutating func resolveHeld(_ tap: JournaledTap, _ status: HostStatus?) -> SettlementAction {
        let isReversing = tap.state == .reversing
        let end: [JournalEvent]
        switch status {
        case .approved(let approval)? where !isReversing && approval.isWithin(tap.amount):
            end = [.answered(.approved(approval))]
        case .declined(let decline)? where !isReversing: end = [.answered(.declined(decline))]
        case .declined?, .reversed?: end = isReversing ? [.reversed] : [.reversing(.answerLost), .reversed]
        // A request that the host has not seen may still be on its way.
        case .approved?, .neverSeen?, .inProgress?, .unsupported?, nil:
            if schedule.failures[tap.key] == nil { events.append(.restored(tap.key)) }
            fail(tap.key)
            return act(.findSettled(tap.key), .telling(.settled))
        }
        schedule.succeeded(tap.key)
        return write(end + tap.closing.dropFirst(), to: tap.key, .tell)
    }

    /// Settles a request whose answer was lost. If the host has not seen the request, that proves nothing: it may still
    /// be on its way.
    private mutating func resolve(_ tap: JournaledTap, _ status: HostStatus?) -> SettlementAction {
        switch status {
        // Nobody is present to decide whether a part is enough.
        case .approved(let approval)? where policy.keepsApprovals && approval.isOf(tap.amount):
            write([.answered(.approved(approval)), .erased(.account)], to: tap.key, .tell)
        case .declined(let decline)?:
            write([.answered(.declined(decline)), .erased(.account)], to: tap.key, .tell)
        case .reversed?: write([.reversing(.answerLost), .reversed, .erased(.account)], to: tap.key, .tell)
        case .approved?, .neverSeen?, .inProgress?, .unsupported?, nil: reverse(tap, .answerLost)
        }
    }

    // MARK: - Reversing

    /// An estimate is reversed with its increments.
    private mutating func reverseApproved(_ tap: JournaledTap, _ reason: Reversal.Reason) -> SettlementAction {
        tap.intent.isEstimated ? act(.findFollowUps(tap.key), .findingFollowUps(tap)) : reverse(tap, reason)
    }

    /// - Parameter followUps: of an approved estimate.
    private mutating func reverse(
        _ tap: JournaledTap, _ reason: Reversal.Reason, _ followUps: [JournaledTap] = []
    ) -> SettlementAction {
        // A reversal that a person orders for a restored payment is a new reversal, not a repeat.
        let isRepeat = tap.state == .reversing && !tap.isRestored
        let reversal = Reversal(
            key: tap.key, reason: reason, amount: tap.amount.incremented(by: followUps), moment: tap.intent.moment,
            attempt: (schedule.failures[tap.key] ?? (isRepeat ? 1 : 0)) + 1, read: tap.read)
        guard !isRepeat else { return act(.reverse(reversal), .reversing(tap)) }
        return write([.reversing(reason)], to: tap.key, .reverse(tap, reversal))
    }

    /// - Parameter isConfirmed: the host has the reversal.
    mutating func reversed(_ isConfirmed: Bool) -> SettlementAction {
        guard case .reversing(let tap) = state else { return act(.unexpected) }
        guard isConfirmed else {
            schedule.hostAnswered(false)
            fail(tap.key)
            return act(.findSettled(tap.key), .telling(.settled))
        }
        schedule.succeeded(tap.key)
        return write([.reversed] + tap.closing.dropFirst(), to: tap.key, .tell)
    }

    private mutating func withdraw(_ tap: JournaledTap) -> SettlementAction {
        switch tap.state {
        case .queued where tap.queuedAs != .offlineApproval:
            return write([.withdrawn] + (tap.read == nil ? [] : [.erased(.account)]), to: tap.key, .tell)
        case .forwarding where tap.queuedAs == .deferredAuthorization: return reverse(tap, .withdrawn)
        // The host does not report the result, and a person has decided.
        case _ where tap.isHeld:
            schedule.succeeded(tap.key)
            return tap.wasApproved ? reverseApproved(tap, .withdrawn) : reverse(tap, .withdrawn)
        // The journal refuses this if the payment is followed up.
        case .approved where tap.queuedAs == .deferredAuthorization: return reverseApproved(tap, .withdrawn)
        default: return finish(.failed(.outOfOrder(tap.state)))
        }
    }

    // MARK: - Delivering

    private mutating func deliver(_ tap: JournaledTap, isRetry: Bool) -> SettlementAction {
        guard tap.state == .queued || tap.state == .forwarding || isRetry && tap.state == .setAside else {
            return finish(.delivered(isHostThere: true, isSetAside: tap.state == .setAside))
        }
        guard let followUp = tap.intent.followUp else { return attempt(tap) }
        let dependsOnOthers =
            switch followUp.action {
            case .refund, .void: true
            case .increment: tap.state == .setAside
            case .capture: false
            }
        return dependsOnOthers ? act(.find(followUp.original), .findingOriginal(tap)) : attempt(tap)
    }

    /// - Parameter followUps: all follow-ups of the original, an estimate.
    private mutating func deliver(
        _ tap: JournaledTap, _ original: JournaledTap, _ followUps: [JournaledTap]
    ) -> SettlementAction {
        guard let followUp = tap.intent.followUp else { return attempt(tap) }
        switch followUp.action {
        case .refund where isBeyondCaptures(tap, original, followUps):
            return write(
                [.forwarding(attempt: tap.deliveries + 1)], to: tap.key,
                .end(tap, .setAside("more than was captured")))
        // If the host accepted it now, the increment would stay on hold, because nothing takes it back any more.
        case .increment where original.state != .approved || followUps.contains(where: \.isCountingVoid):
            let isVoided = followUps.contains(where: \.isCountingVoid)
            return finish(.failed(.followUpRefused(isVoided ? .voided : .notPossible, of: original.key)))
        // The host may have accepted increments since the void was journalled. Once the void is sent, no increment
        // follows.
        case .void:
            let change = JournalEvent.changed(followUp.amount(of: original, followUps))
            var changed = tap
            guard change != .changed(tap.amount), (try? changed.apply(change, at: tap.changed)) != nil else {
                return attempt(tap)
            }
            return send(changed, [change])
        case .refund, .increment, .capture: return attempt(tap)
        }
    }

    /// Returns whether a refund of an estimate exceeds the amount that the host has captured, because it refused a
    /// capture after the refund was journalled.
    private func isBeyondCaptures(
        _ refund: JournaledTap, _ original: JournaledTap, _ followUps: [JournaledTap]
    ) -> Bool {
        guard let followUp = refund.intent.followUp else { return false }
        let others = followUps.filter { $0.key != refund.key && $0.isAccepted }
        return FollowUp.Sums(original, others).refusal(of: followUp, allowedTip: 0) != nil
    }

    /// Delivers a record. If the host already holds it undecided, the host is asked for the status first.
    private mutating func attempt(_ tap: JournaledTap) -> SettlementAction {
        guard schedule.undecided.contains(tap.key) else { return send(tap) }
        return act(.askStatus(tap.key), .askingStatus(tap))
    }

    private mutating func decide(_ tap: JournaledTap, _ status: HostStatus?) -> SettlementAction {
        switch status {
        case .approved(let approval)?: return take(.accepted(approval), of: tap)
        case .declined(let decline)?: return take(.refused(decline), of: tap)
        case .inProgress?: return postpone(tap)
        case .neverSeen?, .reversed?, .unsupported?:
            schedule.isUnknown(tap.key)
            return send(tap)
        case nil: return postpone(tap, isHostThere: false)
        }
    }

    /// - Parameter changes: events that are written with the attempt.
    private mutating func send(_ tap: JournaledTap, _ changes: [JournalEvent] = []) -> SettlementAction {
        let attempt = tap.deliveries + 1
        guard let record = tap.record(attempt: attempt) else {
            return finish(.delivered(isHostThere: true, isSetAside: false))
        }
        let isRefused = tap.read?.isSimulated == true && !acceptsSimulatedReads
        return write(
            changes + [.forwarding(attempt: attempt)], to: tap.key,
            isRefused ? .end(tap, .setAside("simulated card")) : .deliver(tap, record))
    }

    /// - Parameter delivery: `nil` if the host did not answer.
    mutating func delivered(_ delivery: Delivery?) -> SettlementAction {
        guard case .delivering(let tap) = state else { return act(.unexpected) }
        guard let delivery else { return postpone(tap, isHostThere: false) }
        return take(delivery, of: tap)
    }

    private mutating func take(_ delivery: Delivery, of tap: JournaledTap) -> SettlementAction {
        switch delivery {
        case .accepted(let approval):
            if let part = approval.approvedAmount, !approval.isWithin(tap.amount) {
                return end(tap, .setAside("approved: \(part)"))
            }
            return end(tap, .forwarded(.approved(approval)))
        case .expired:
            guard tap.queuedAs != .offlineApproval else { return end(tap, .setAside("expired")) }
            return end(tap, .forwarded(.declined(Decline(reason: .expired))))
        case .received:
            guard tap.queuedAs != .deferredAuthorization else {
                schedule.isUndecided(tap.key)
                return postpone(tap)
            }
            let code = tap.queuedAs == .offlineApproval ? tap.offlineResponse : "00"
            let origin: Approval.Origin = tap.queuedAs == .offlineApproval ? .card : .issuer
            return end(tap, .forwarded(.approved(Approval(origin: origin, responseCode: code))))
        case .refused(let decline):
            // The goods were handed over on the card's approval, so a person has to check the record.
            guard tap.queuedAs != .offlineApproval else {
                let code = decline.responseCode.map { ", " + SettlementStateMachine.cleaned($0) } ?? ""
                return end(tap, .setAside("refused" + code))
            }
            return end(tap, .forwarded(.declined(decline)))
        case .retryLater(let after): return postpone(tap, wait: after)
        case .malformed(let reason): return end(tap, .setAside(SettlementStateMachine.cleaned(reason)))
        }
    }

    private mutating func postpone(
        _ tap: JournaledTap, wait: Duration? = nil, isHostThere: Bool = true
    ) -> SettlementAction {
        fail(tap.key, wait: wait)
        return finish(.delivered(isHostThere: isHostThere, isSetAside: false))
    }

    /// Ends a delivery. The host no longer needs the account once it has decided.
    private mutating func end(_ tap: JournaledTap, _ event: JournalEvent) -> SettlementAction {
        schedule.succeeded(tap.key)
        var events = [event]
        if event.name == .forwarded, tap.read != nil {
            events.append(.erased(tap.queuedAs == .deferredAuthorization ? .payload : .account))
        }
        return write(events, to: tap.key, .close(tap, event))
    }

    mutating func closed() -> SettlementAction {
        switch state {
        case .closing(let tap, let event):
            var told = Told.delivered(isSetAside: event.name == .setAside)
            if case .forwarded(.approved) = event, let followUp = tap.intent.followUp {
                told = .followed(followUp.original)
            }
            return act(.findSettled(tap.key), .telling(told))
        case .closingOriginal: return finish(.delivered(isHostThere: true, isSetAside: false))
        default: return act(.unexpected)
        }
    }

    /// Masks the digits of a number in a host's message from the seventh on, because the number could be an account
    /// number. Only letters end a number, so digits in groups count together.
    private static func cleaned(_ text: String) -> String {
        var shown = "", digits = 0
        for scalar in text.prefix(128).unicodeScalars {
            let isDigit = scalar.properties.numericType != nil
            switch scalar.properties.generalCategory {
            case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .otherLetter: digits = 0
            default: break
            }
            if isDigit { digits += 1 }
            shown.unicodeScalars.append(isDigit && digits > 6 ? "*" : scalar)
        }
        return shown
    }

    // MARK: - Ending

    /// - Parameter settled: the result of the payment; `nil` if it is not known, or the payment is in progress.
    private mutating func tell(_ settled: Settled?, _ told: Told, _ work: SettlementWork) -> SettlementAction {
        // It is not news that an abandoned payment is still unknown.
        let isSilent = if case .settle = work { settled?.ending == .unknown } else { false }
        if let settled, !isSilent { events.append(.settled(settled)) }
        switch told {
        case .settled: return finish(.settled(settled))
        case .delivered(let isSetAside): return finish(.delivered(isHostThere: true, isSetAside: isSetAside))
        case .followed(let original): return act(.closeIfCaptured(original), .closingOriginal)
        }
    }

    mutating func written() -> SettlementAction {
        guard case .writing(let successor) = state, let work else { return act(.unexpected) }
        return switch successor {
        case .reverse(let tap, let reversal): act(.reverse(reversal), .reversing(tap))
        case .deliver(let tap, let record): act(.deliver(record), .delivering(tap))
        case .end(let tap, let event): end(tap, event)
        case .close(let tap, let event): act(.closeIfOver(tap.key), .closing(tap, event))
        case .tell: act(.findSettled(work.key), .telling(.settled))
        }
    }

    /// Handles an error of the journal. Actions at the host that were already done stay open in the journal, and are
    /// repeated.
    mutating func failed(_ error: JournalError) -> SettlementAction {
        guard let work else { return finish(.failed(error)) }
        switch (state, work) {
        // The result is reported to the app at the next start.
        case (.telling(let told), .deliver), (.telling(let told), .retry), (.telling(let told), .withdraw),
            (.telling(let told), .expire):
            return tell(nil, told, work)
        case (_, .settle):
            events.append(.journalFailed(error))
            return finish(.settled(nil))
        case (_, .deliver(let key)), (_, .retry(let key)):
            if state == .closingOriginal { schedule.soughtCaptured(false) }
            events.append(.journalFailed(error))
            fail(key)
            return finish(.delivered(isHostThere: true, isSetAside: false))
        case (_, .withdraw): return finish(.failed(error))
        case (_, .expire):
            // The estimate is captured, or about to be.
            if case .followUpRefused = error { return finish(.settled(nil)) }
            events.append(.journalFailed(error))
            return finish(.settled(nil))
        }
    }

    private mutating func fail(_ key: ReconciliationKey, wait: Duration? = nil) {
        if let event = schedule.failed(key, wait: wait, spread: spread) { events.append(event) }
    }

    private mutating func write(
        _ events: [JournalEvent], to key: ReconciliationKey, _ successor: Successor
    ) -> SettlementAction {
        act(.append(events, key), .writing(successor))
    }

    private mutating func finish(_ ending: SettlementAction.Ending) -> SettlementAction {
        work = nil
        return act(.finish(ending), .idle)
    }

    private mutating func act(_ operation: SettlementAction.Operation, _ next: State? = nil) -> SettlementAction {
        if let next { state = next }
        defer { events = [] }
        return SettlementAction(events: events, operation: operation)
    }
}

// MARK: - The events that a payment still needs

extension JournaledTap {
    /// The events that close a payment. Nothing follows, and the account is no longer needed.
    var closing: [JournalEvent] {
        let hasAccount = read?.payload != nil || read?.fingerprint != nil
        return hasAccount ? [.closed, .erased(.account)] : [.closed]
    }

    /// Whether the payment is over once the app has its result.
    var isOver: Bool {
        switch state {
        case .approved: !intent.isEstimated && read?.fingerprint == nil
        case .declined, .reversed: read?.fingerprint == nil
        case .withdrawn, .writtenOff: true
        case .began, .read, .asking, .challenged, .reversing, .queued, .forwarding, .setAside, .closed: false
        }
    }

    /// Returns the events to write when the app acknowledges a payment.
    ///
    /// - Parameters:
    ///   - receipt: to be printed again later.
    ///   - isKnown: whether the app has the current result.
    ///   - followUps: of an estimate that ``mayBeCaptured``.
    func acknowledging(_ receipt: Receipt?, isKnown: Bool, _ followUps: [JournaledTap]) -> [JournalEvent] {
        let kept: [JournalEvent] = receipt.map { [.receipted($0)] } ?? []
        switch state {
        case .closed: return []
        // Nothing was sent.
        case .began, .read: return closing
        // The result is not final; the final one is reported when it arrives.
        case .asking, .challenged, .reversing: return kept
        case .approved, .declined, .reversed, .queued, .forwarding, .setAside, .withdrawn, .writtenOff:
            guard isKnown else { return kept }
            let isLast = isOver || mayBeCaptured && followUps.contains(where: \.endsOriginal)
            return kept + (isAcknowledged ? [] : [.acknowledged]) + (isLast ? closing : [])
        }
    }

    /// Returns the events to write before a payment is handed over to another device: from then on it may have reached
    /// the host.
    ///
    /// - Parameter isLeft: see ``SettlementSchedule/isLeft(_:_:)``.
    func handingOver(isLeft: Bool) -> [JournalEvent] {
        switch state {
        case .queued: [.forwarding(attempt: deliveries + 1)]
        // The payment may be paid: only the host, or a person, can settle it.
        case _ where isHeld: []
        case .asking where isLeft: [.reversing(.answerLost)]
        case .challenged where isLeft: [.reversing(.pinMissing)]
        default: []
        }
    }
}

extension Approval {
    /// Returns whether the approval covers the full amount.
    fileprivate func isOf(_ amount: Money) -> Bool { approvedAmount.map { $0 == amount } ?? true }

    /// Returns whether the approved amount is more than zero and at most the requested amount.
    fileprivate func isWithin(_ amount: Money) -> Bool {
        guard let part = approvedAmount else { return true }
        return part.currency == amount.currency && (1...max(1, amount.minorUnits)).contains(part.minorUnits)
    }
}
