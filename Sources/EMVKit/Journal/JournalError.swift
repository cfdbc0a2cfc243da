// SPDX-License-Identifier: Apache-2.0
/// Why nothing was journalled. Never holds card data.
public enum JournalError: Error, Sendable, Hashable {
    /// Another process has it.
    case inUse(by: String)
    /// The storage is full.
    case full
    /// The event of this number is not what was written.
    case damaged(at: UInt64)
    /// The storage around the events is not what was written: where, what is wrong, and what was expected.
    case unreadable(String)
    /// Written by a later version of this program, with this schema.
    case newerSchema(Int)
    /// The file is older than its owner's record: it was restored from a backup, and what happened since is missing.
    case restored
    /// ``Journal/open()`` comes first.
    case notOpen
    /// What the storage said.
    case unavailable(String)

    /// The key has begun a tap before.
    case keyUsed(ReconciliationKey)
    /// The payment does not take this event now.
    case outOfOrder(JournaledTap.State)
    /// No payment has this key.
    case unknownKey(ReconciliationKey)
    /// The sale is paid.
    case saleSettled(SaleReference)
    /// Another payment of the sale is open, and may be paid; or a refund or void is, and leaves open what is to pay.
    case saleOpen(ReconciliationKey)
    /// A payment of more than is left to pay of the sale.
    case beyondSale(left: Money)
    /// A refund of more than was paid of the sale and not given back.
    case beyondPaid(left: Money)
    /// A limit of payments that the host is told later.
    case limit(OfflineLimits.Rule)
    /// The payment does not take this follow-up.
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

    /// The request is at fault, not the journal.
    var isOfRequest: Bool {
        switch self {
        case .keyUsed, .saleSettled, .saleOpen, .beyondSale, .beyondPaid, .followUpRefused, .unknownKey: true
        case .inUse, .full, .damaged, .unreadable, .newerSchema, .restored, .notOpen, .unavailable, .outOfOrder, .limit:
            false
        }
    }

    /// The events of the payment are at fault, or the request.
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

/// What is open and owed in a journal.
public struct JournalStanding: Sendable, Hashable {
    public struct Sum: Sendable, Hashable {
        public private(set) var count = 0
        /// By currency.
        public private(set) var amounts: [Currency: UInt64] = [:]

        public init() {}

        public mutating func add(_ amount: Money) {
            count += 1
            let (sum, isOver) = amounts[amount.currency, default: 0].addingReportingOverflow(amount.minorUnits)
            amounts[amount.currency] = isOver ? .max : sum
        }
    }

    /// May stand at the host: requests without an answer, reversals without a confirmation.
    public var unresolved = Sum()
    /// Of these, payments that were open when the journal was restored or copied. The host is asked about them, and
    /// nothing is reversed. ``Settlement/withdraw(_:)`` and ``Settlement/writeOff(_:by:reason:)`` decide what the host
    /// does not tell. Show them with the text of ``Problem/Code/journalRestored``.
    public var restored = Sum()
    /// Authorisations that wait for the host.
    public var deferred = Sum()
    /// Approvals of cards, and follow-ups, that the host does not have yet.
    public var unreported = Sum()
    /// Records that the host cannot take.
    public var setAside = Sum()
    /// Approvals that the app has not acknowledged.
    public var unacknowledged = Sum()
    /// Payments and follow-ups whose end, whatever it is, the app has not acknowledged.
    public var untold = 0
    /// Of what the host is owed and can take; `nil`: nothing.
    public var oldest: Duration?
    /// Since the host's last answer; `nil`: none yet.
    public var sinceHost: Duration?
    /// No new payment fits into the storage.
    public var isFull = false
    /// When this was found; `nil`: never.
    public var now: JournalMoment?
    /// Keys that open what is sealed here: they must not go before it is drained.
    public var keysInUse: Set<Bytes> = []

    public init() {}

    /// Nothing is open, owed or untold: the app may be removed, or its user may sign out.
    public var isSettled: Bool {
        untold == 0 && [unresolved, deferred, unreported, setAside, unacknowledged].allSatisfy { $0.count == 0 }
    }
}

extension JournalError: ExplainedError {
    public var recoverySuggestion: String { problem.recoverySuggestion }
}
