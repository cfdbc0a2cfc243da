// SPDX-License-Identifier: Apache-2.0
/// Why nothing was journalled. It never contains card data.
public enum JournalError: Error, Sendable, Hashable {
    /// Another process has locked the journal.
    case inUse(by: String)
    /// The storage is full.
    case full
    /// The stored event with this number differs from the one that was written.
    case damaged(at: UInt64)
    /// The storage around the events differs from what the journal wrote: the text states where, the fault, and the
    /// expected value.
    case unreadable(String)
    /// A later version of this program wrote the journal, with this schema.
    case newerSchema(Int)
    /// The file is older than its owner's record: it was restored from a backup, and later events are missing.
    case restored
    /// ``Journal/open()`` must be called first.
    case notOpen
    /// The storage's error message.
    case unavailable(String)

    /// A tap has begun with this key before.
    case keyUsed(ReconciliationKey)
    /// The payment's state does not allow this event.
    case outOfOrder(JournaledTap.State)
    /// No payment has this key.
    case unknownKey(ReconciliationKey)
    /// The sale is already paid.
    case saleSettled(SaleReference)
    /// Another payment of the sale is open and may be paid; or a refund or void is open, so the amount left to pay is
    /// not known.
    case saleOpen(ReconciliationKey)
    /// The payment is for more than is left to pay of the sale.
    case beyondSale(left: Money)
    /// The refund is for more than was paid of the sale and not given back.
    case beyondPaid(left: Money)
    /// A limit of payments that the host is notified of later.
    case limit(OfflineLimits.Rule)
    /// The payment refuses this follow-up.
    case followUpRefused(FollowUp.Refusal, of: ReconciliationKey)
}

extension JournalError {
    public var problem: Problem {
        switch self {
        case .inUse: Problem(.journalInUse)
        case .full: Problem(.journalFull)
        case .damaged(let number): Problem(.journalDamaged, detail: "event \(number) is not what was written")
        case .unreadable(let what): Problem(.journalDamaged, detail: what)
        case .newerSchema(let number): Problem(.journalDamaged, detail: "schema \(number) of a later version")
        case .restored: Problem(.journalRestored)
        case .notOpen: Problem(.journalFailed, detail: "not open")
        case .unavailable(let reason): Problem(.journalFailed, detail: reason)
        case .keyUsed(let key): Problem(.keyUsed, detail: key.description)
        case .outOfOrder(let state): Problem(.journalFailed, detail: "out of order: \(state.rawValue)")
        case .unknownKey(let key): Problem(.journalFailed, detail: "unknown key \(key)")
        case .saleSettled(let sale): Problem(.saleSettled, detail: sale.description)
        case .saleOpen(let key): Problem(.saleOpen, detail: key.description)
        case .limit(let rule): Problem(rule.code, detail: rule.rawValue)
        case .beyondSale(let left): Problem(.amountAboveDue, amount: left)
        case .beyondPaid(let left): Problem(.refundAbovePaid, amount: left)
        case .followUpRefused(let refusal, let key): Problem(refusal.code, detail: "payment \(key)")
        }
    }

    /// The error is caused by the request, not by the journal.
    var isOfRequest: Bool {
        switch self {
        case .keyUsed, .saleSettled, .saleOpen, .beyondSale, .beyondPaid, .followUpRefused, .unknownKey: true
        case .inUse, .full, .damaged, .unreadable, .newerSchema, .restored, .notOpen, .unavailable, .outOfOrder, .limit:
            false
        }
    }

    /// The error is caused by the payment's events or by the request.
    var isOfPayment: Bool {
        if case .outOfOrder = self { true } else { isOfRequest }
    }
}

extension FollowUp.Refusal {
    fileprivate var code: Problem.Code {
        switch self {
        case .abovePaid: .refundAbovePaid
        case .aboveAuthorized: .captureAboveAuthorized
        case .voided: .alreadyVoided
        case .notPossible: .followUpNotPossible
        }
    }
}

extension JournalError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .inUse(let owner): "The journal is in use by \(owner)"
        default: problem.detail.map { "\(problem): \($0)" } ?? problem.description
        }
    }
}

/// The open and owed sums of a journal.
public struct JournalStanding: Sendable, Hashable {
    public struct Sum: Sendable, Hashable {
        public private(set) var count = 0
        /// The amounts by currency, in minor units.
        public private(set) var amounts: [Currency: UInt64] = [:]

        public init() {}

        public mutating func add(_ amount: Money) {
            count += 1
            let (sum, isOver) = amounts[amount.currency, default: 0].addingReportingOverflow(amount.minorUnits)
            amounts[amount.currency] = isOver ? .max : sum
        }
    }

    /// Payments that may be booked at the host: requests without an answer, reversals without a confirmation.
    public var unresolved = Sum()
    /// Those of ``unresolved`` that were open when the journal was restored or copied. The host is asked about them,
    /// and nothing is reversed. ``Settlement/withdraw(_:)`` and ``Settlement/writeOff(_:by:reason:)`` decide the cases
    /// that the host does not report. Show them with the text of ``Problem/Code/journalRestored``.
    public var restored = Sum()
    /// Authorisations that wait for the host.
    public var deferred = Sum()
    /// Approvals of cards, and follow-ups, that the host does not have yet.
    public var unreported = Sum()
    /// Records that the host rejects.
    public var setAside = Sum()
    /// Approvals that the app has not acknowledged.
    public var unacknowledged = Sum()
    /// The number of payments and follow-ups whose final result the app has not acknowledged.
    public var untold = 0
    /// Age of the oldest record that the host is owed and can accept; `nil` if there is no such record.
    public var oldest: Duration?
    /// Time since the host's last answer; `nil` if it has not answered yet.
    public var sinceHost: Duration?
    /// The storage has no space for a new payment.
    public var isFull = false
    /// The time of this standing; `nil` if it was never determined.
    public var now: JournalMoment?
    /// Keys that open payloads sealed here: they must not be deleted before the journal is drained.
    public var keysInUse: Set<Bytes> = []

    public init() {}

    /// Nothing is open, owed or unacknowledged: the app may be removed, or its user may sign out.
    public var isSettled: Bool {
        untold == 0 && [unresolved, deferred, unreported, setAside, unacknowledged].allSatisfy { $0.count == 0 }
    }
}

extension JournalError: ExplainedError {
    public var recoverySuggestion: String { problem.recoverySuggestion }
}
