// SPDX-License-Identifier: Apache-2.0
/// A payment as its events left it: a pure value. Only ``apply(_:at:)`` changes it.
public struct JournaledTap: Sendable, Hashable {
    public enum State: String, Sendable, Hashable, CaseIterable, Codable {
        /// The card is, or was, requested; nothing was sent.
        case began
        /// The card is read; nothing is booked at the host.
        case read
        /// A request may have reached the host.
        case asking
        /// The host waits for a PIN.
        case challenged
        case approved
        case declined
        /// The host has not confirmed the reversal yet.
        case reversing
        case reversed
        /// The host is owed a record, and the record was not sent.
        case queued
        /// The record may have reached the host.
        case forwarding
        /// The host rejects the record.
        case setAside
        /// The payment was taken back before it was sent.
        case withdrawn
        case writtenOff
        /// No event follows.
        case closed
    }

    public let key: ReconciliationKey
    public let intent: TapIntent
    /// When it began.
    public let began: JournalMoment
    public private(set) var state = State.began
    /// When the last event was journalled.
    public private(set) var changed: JournalMoment
    public private(set) var amount: Money
    public private(set) var read: StoredRead?
    public private(set) var result: JournaledTap.StoredResult?
    /// When the host decided.
    public private(set) var decided: JournalMoment?
    /// An answer that arrived after the reversal had begun; it is ignored.
    public private(set) var lateResult: JournaledTap.StoredResult?
    public private(set) var reversalReason: Reversal.Reason?
    /// Requests that may have reached the host.
    public private(set) var attempts = 0
    /// One of these requests carried a PIN: the card asked for it, or the host had waited for it.
    public private(set) var isPINSent = false
    /// The number of these requests that certainly did not reach the host.
    public private(set) var unsent = 0
    /// The time limit of the last request.
    public private(set) var deadline: Duration?
    /// The kind of record that the host is, or was, to be notified of later.
    public private(set) var queuedAs: FinancialRecord.Kind?
    public private(set) var queuedAt: JournalMoment?
    /// The number of attempts to deliver the record.
    public private(set) var deliveries = 0
    /// The payment was approved at some time, whatever happened to it later.
    public private(set) var wasApproved = false
    /// Why the host rejects the record.
    public private(set) var setAsideReason: String?
    /// A person has given it up; the host's booking of it is not known.
    public private(set) var isWrittenOff = false
    /// It was open when its journal was restored or copied. It is not reversed automatically; a person has to do that.
    public private(set) var isRestored = false
    /// The app has stored the current result.
    public private(set) var isAcknowledged = false
    public private(set) var receipt: Receipt?

    /// Creates a payment from the first event of its key.
    public init(_ key: ReconciliationKey, _ intent: TapIntent, at moment: JournalMoment) {
        self.key = key
        self.intent = intent
        began = moment
        changed = moment
        amount = intent.amount
    }

    public var sale: SaleReference? { intent.sale }

    /// Applies an event. Refuses an event that the state does not allow, and one that contradicts known data.
    public mutating func apply(_ event: JournalEvent, at moment: JournalMoment) throws(JournalError) {
        guard let next = successor(event) else { throw .outOfOrder(state) }
        if event.name == .asking, state == .challenged || read?.cvm == .onlinePIN { isPINSent = true }
        state = next
        changed = moment
        note(event, at: moment)
    }

    // MARK: - Applying events

    /// Returns the state after an event; `nil` if the event is not allowed. In addition to the table it checks the
    /// event's content.
    private func successor(_ event: JournalEvent) -> State? {
        guard let next = JournaledTap.edges[state]?[event.name] else { return nil }
        switch event {
        // A void's amount grows by the increments that the host accepted before it.
        case .changed(let amount) where state == .queued || state == .forwarding:
            return intent.followUp?.kind == .void && amount.currency == intent.amount.currency ? next : nil
        case .changed(let amount):
            let ceiling = intent.ceiling ?? intent.amount
            guard amount.currency == ceiling.currency, amount.minorUnits <= ceiling.minorUnits else { return nil }
            return next
        case .answered(let result), .forwarded(let result):
            // A declining card asks no host; an approval by the card is queued for the host instead.
            if state == .read || state == .reversed, case .approved = result { return nil }
            return state == .challenged && !isRestored ? nil : result.state
        // A person decides the cases that the journal cannot know.
        case .writtenOff where state == .asking || state == .challenged: return isRestored ? next : nil
        case .reversing where state == .reversing: return isRestored ? next : nil
        case .asking(let attempt, _): return attempt == attempts + 1 ? next : nil
        case .forwarding(let attempt): return attempt == deliveries + 1 ? next : nil
        case .queued(let kind): return takes(kind) ? next : nil
        case .reversing where state == .forwarding:
            return queuedAs == .deferredAuthorization ? next : nil
        case .read where read != nil, .acknowledged where isAcknowledged: return nil
        case .erased where state == .closed || read != nil: return next
        case .erased: return nil
        default: return next
        }
    }

    /// Returns whether a record of this kind is allowed in the current state.
    private func takes(_ kind: FinancialRecord.Kind) -> Bool {
        switch kind {
        case .deferredAuthorization:
            state == .asking && attempts == unsent + 1 || state == .read && attempts == 0 && read?.isDelayed == true
        case .offlineApproval:
            state == .reversed || state == .read && (attempts > 0 || read?.isApprovedByCard == true)
        case .capture, .increment, .refund, .void: state == .began && intent.followUp?.kind == kind
        }
    }

    private mutating func note(_ event: JournalEvent, at moment: JournalMoment) {
        switch event {
        case .changed(let amount): self.amount = amount
        case .read(let read): self.read = read
        case .asking(let attempt, let deadline):
            attempts = attempt
            self.deadline = deadline
        case .answered(let result):
            self.result = result
            decided = moment
            if case .approved = result { wasApproved = true }
            isAcknowledged = false
        case .forwarded(let result):
            // If the app knows of an approval by the card, the host's acceptance of it is not news.
            let isApproved = if case .approved = result { true } else { false }
            let isKnown = isApproved && queuedAs == .offlineApproval
            if isApproved { wasApproved = true }
            self.result = result
            decided = moment
            isAcknowledged = isAcknowledged && isKnown
        case .answeredLate(let result): lateResult = result
        case .reversing(let reason):
            reversalReason = reason
            result = nil
            isAcknowledged = false
            isRestored = false
        case .restored: isRestored = true
        case .reversed: isAcknowledged = false
        case .queued(let kind):
            queuedAs = kind
            queuedAt = moment
        case .forwarding(let attempt): deliveries = attempt
        case .setAside(let reason):
            setAsideReason = reason
            isAcknowledged = false
        case .withdrawn: isAcknowledged = false
        case .writtenOff:
            isWrittenOff = true
            isAcknowledged = false
        case .acknowledged: isAcknowledged = true
        case .receipted(let receipt): self.receipt = receipt
        case .erased(let part): read?.erase(part)
        case .unsent: unsent += 1
        case .began, .challenged, .closed, .clockJumped: break
        }
    }

    // MARK: - Transitions

    /// The events that each state accepts, and the next state. `answered` and `forwarded` lead to `approved` or
    /// `declined` depending on their content; the table names the first. `successor(_:)` has the conditions.
    static let edges: [State: [JournalEvent.Name: State]] = [
        .began: [.changed: .began, .read: .read, .queued: .queued, .closed: .closed, .clockJumped: .began],
        .read: [
            .changed: .read, .asking: .asking, .queued: .queued, .answered: .declined, .closed: .closed,
            .clockJumped: .read,
        ],
        .asking: [
            .unsent: .read, .challenged: .challenged, .answered: .approved, .reversing: .reversing,
            .queued: .queued, .writtenOff: .writtenOff, .receipted: .asking, .clockJumped: .asking,
            .restored: .asking,
        ],
        .challenged: [
            .asking: .asking, .answered: .approved, .reversing: .reversing, .writtenOff: .writtenOff,
            .receipted: .challenged, .clockJumped: .challenged, .restored: .challenged,
        ],
        .approved: [
            .reversing: .reversing, .acknowledged: .approved, .receipted: .approved, .closed: .closed,
            .erased: .approved, .clockJumped: .approved, .restored: .approved,
        ],
        .declined: [
            .acknowledged: .declined, .receipted: .declined, .closed: .closed, .erased: .declined,
            .clockJumped: .declined,
        ],
        .reversing: [
            .reversing: .reversing, .reversed: .reversed, .answeredLate: .reversing, .writtenOff: .writtenOff,
            .receipted: .reversing, .clockJumped: .reversing, .restored: .reversing,
        ],
        .reversed: [
            .answeredLate: .reversed, .answered: .declined, .queued: .queued, .acknowledged: .reversed,
            .receipted: .reversed, .closed: .closed, .erased: .reversed, .clockJumped: .reversed,
        ],
        .queued: [
            .changed: .queued, .forwarding: .forwarding, .withdrawn: .withdrawn, .writtenOff: .writtenOff,
            .acknowledged: .queued, .receipted: .queued, .clockJumped: .queued,
        ],
        .forwarding: [
            .changed: .forwarding, .forwarding: .forwarding, .forwarded: .approved, .setAside: .setAside,
            .reversing: .reversing, .writtenOff: .writtenOff, .acknowledged: .forwarding,
            .receipted: .forwarding, .clockJumped: .forwarding,
        ],
        .setAside: [
            .forwarding: .forwarding, .writtenOff: .writtenOff, .acknowledged: .setAside, .receipted: .setAside,
            .clockJumped: .setAside,
        ],
        .withdrawn: [
            .acknowledged: .withdrawn, .receipted: .withdrawn, .closed: .closed, .erased: .withdrawn,
            .clockJumped: .withdrawn,
        ],
        .writtenOff: [
            .acknowledged: .writtenOff, .receipted: .writtenOff, .closed: .closed, .erased: .writtenOff,
            .clockJumped: .writtenOff,
        ],
        .closed: [.erased: .closed, .answeredLate: .closed, .clockJumped: .closed],
    ]
}

extension StoredRead {
    fileprivate var isApprovedByCard: Bool { authorization == .approvedOffline && !isDelayed }
}

extension JournaledTap.StoredResult {
    fileprivate var state: JournaledTap.State {
        switch self {
        case .approved: .approved
        case .declined: .declined
        }
    }
}

extension JournaledTap {
    public var isOpen: Bool { state != .closed }

    /// It may be booked at the host, and the booking is not known.
    public var isUnresolved: Bool {
        switch state {
        case .asking, .challenged, .reversing: true
        default: false
        }
    }

    /// An approved estimate. This ends when it is captured or taken back.
    var mayBeCaptured: Bool { state == .approved && intent.isEstimated && intent.followUp == nil }

    /// A settlement may reverse it automatically, now or later.
    package var isReversible: Bool { isUnresolved || mayBeCaptured }

    /// Its journal was restored or copied before the result was known: only the host or a person decides.
    var isHeld: Bool { isRestored && isUnresolved }

    /// The host is owed a record.
    public var isOwed: Bool { state == .queued || state == .forwarding || state == .setAside }

    /// A final result that the app receives until it acknowledges it.
    public var isToTell: Bool {
        guard !isAcknowledged else { return false }
        switch state {
        case .approved, .declined, .reversed, .queued, .forwarding, .setAside, .withdrawn, .writtenOff: return true
        case .began, .read, .asking, .challenged, .reversing, .closed: return false
        }
    }

    /// Money was taken, or may be.
    public var countsAsPaid: Bool {
        switch state {
        case .began, .read, .asking, .challenged, .reversing, .queued, .forwarding, .setAside: return true
        case .approved: return true
        case .closed: if case .approved = result { return true } else { return false }
        case .declined, .reversed, .withdrawn, .writtenOff: return false
        }
    }

    /// The approved amount, which may be less than the requested one.
    public var approvedAmount: Money {
        if case .approved(let approval) = result, let part = approval.approvedAmount { return part }
        return amount
    }
}

extension JournaledTap: CustomStringConvertible {
    public var description: String { "\(key) \(state.rawValue)" }
}
