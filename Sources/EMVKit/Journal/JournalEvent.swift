// SPDX-License-Identifier: Apache-2.0
/// The intended payment, before a card is present.
public struct TapIntent: Sendable, Hashable, Codable {
    public let sale: SaleReference?
    public let kind: Receipt.Kind
    public let amount: Money
    /// The highest amount that the payment may reach during the tap; `nil` means `amount`.
    public var ceiling: Money?
    public let cashBack: Money?
    /// The highest total of the whole sale; `nil` means this amount.
    public let due: Money?
    /// The amount is an estimate: the final amount is captured later.
    public var isEstimated: Bool = false
    /// Tag 9F41; 0 for a follow-up, which has no counter.
    public let counter: UInt32
    public let moment: LocalTime
    /// The follow-up, if this is not a tap but follows another payment.
    public let followUp: FollowUp?

    public init(
        sale: SaleReference? = nil, kind: Receipt.Kind = .purchase, amount: Money, cashBack: Money? = nil,
        due: Money? = nil, counter: UInt32, moment: LocalTime, followUp: FollowUp? = nil
    ) {
        self.sale = sale
        self.kind = kind
        self.amount = amount
        self.cashBack = cashBack
        self.due = due
        self.counter = counter
        self.moment = moment
        self.followUp = followUp
    }

    /// Returns `nil` for a verification, which is not a payment.
    init?(_ record: TapRecord) {
        guard let request = record.request else { return nil }
        var cashBack: Money?
        if case .cashBack(let part) = request.kind { cashBack = part }
        self.init(
            sale: request.sale, kind: Receipt.Kind(request.kind), amount: request.amount, cashBack: cashBack,
            due: request.due, counter: record.counter, moment: record.moment)
        ceiling = request.mostAmount == request.amount ? nil : request.mostAmount
        isEstimated = request.terms == .estimated
    }
}

extension JournaledTap {
    /// A host's decision about a payment.
    public enum StoredResult: Sendable, Hashable, Codable {
        case approved(Approval)
        case declined(Decline)
    }
}

/// An event of a payment. The history of a tap is the list of its events; ``JournaledTap`` is the state that results
/// from them.
public enum JournalEvent: Sendable, Hashable, Codable {
    /// A card is about to be requested.
    case began(TapIntent)
    /// The amount has changed: during the tap, or for a void because the host accepted increments before it.
    case changed(Money)
    /// The card has given its cryptogram.
    case read(StoredRead)
    /// A request is about to leave; from now on it may have reached the host.
    case asking(attempt: Int, deadline: Duration)
    /// It certainly did not reach the host.
    case unsent
    /// The issuer, or the kernel, wants a PIN; the host keeps the payment open.
    case challenged
    case answered(JournaledTap.StoredResult)
    /// A payment that may be booked at the host is about to be reversed.
    case reversing(Reversal.Reason)
    /// The host has confirmed a reversal.
    case reversed
    /// An answer arrived when the payment was already being reversed.
    case answeredLate(JournaledTap.StoredResult)
    /// The host is to be notified, or asked, later.
    case queued(FinancialRecord.Kind)
    /// The record is about to leave.
    case forwarding(attempt: Int)
    /// The host's answer to the record.
    case forwarded(JournaledTap.StoredResult)
    /// The host rejects the record: a person has to check it.
    case setAside(String)
    /// The payment was taken back before it was sent.
    case withdrawn
    /// A person gave the payment up.
    case writtenOff(by: String, reason: String)
    /// The app has stored the result.
    case acknowledged
    /// The full content of a receipt, so that it can be printed again.
    case receipted(Receipt)
    /// No event follows.
    case closed
    case erased(Erasure)
    /// The wall clock was found changed by this number of seconds.
    case clockJumped(seconds: Int64)
    /// The journal was found restored or copied: later events of the payment are missing.
    case restored

    /// The part of a read that is erased.
    public enum Erasure: String, Sendable, Hashable, Codable, CaseIterable {
        case payload, fingerprint
        /// Both parts.
        case account
    }

    /// The name of an event, in logs and tables.
    public enum Name: String, Sendable, Hashable, CaseIterable, Codable {
        case began, changed, read, asking, unsent, challenged, answered, reversing, reversed, answeredLate, queued
        case forwarding, forwarded, setAside, withdrawn, writtenOff, acknowledged, receipted, closed, erased
        case clockJumped, restored
    }

    public var name: Name {
        switch self {
        case .began: .began
        case .changed: .changed
        case .read: .read
        case .asking: .asking
        case .unsent: .unsent
        case .challenged: .challenged
        case .answered: .answered
        case .reversing: .reversing
        case .reversed: .reversed
        case .answeredLate: .answeredLate
        case .queued: .queued
        case .forwarding: .forwarding
        case .forwarded: .forwarded
        case .setAside: .setAside
        case .withdrawn: .withdrawn
        case .writtenOff: .writtenOff
        case .acknowledged: .acknowledged
        case .receipted: .receipted
        case .closed: .closed
        case .erased: .erased
        case .clockJumped: .clockJumped
        case .restored: .restored
        }
    }
}

/// An event as a journal stores it.
public struct JournalEntry: Sendable, Hashable, Codable {
    /// The event's number in the journal, from 1.
    public let number: UInt64
    public let key: ReconciliationKey
    public let moment: JournalMoment
    public let event: JournalEvent

    public init(number: UInt64, key: ReconciliationKey, moment: JournalMoment, event: JournalEvent) {
        self.number = number
        self.key = key
        self.moment = moment
        self.event = event
    }
}
