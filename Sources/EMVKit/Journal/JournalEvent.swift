// SPDX-License-Identifier: Apache-2.0
/// What a payment was to be, before a card was there.
public struct TapIntent: Sendable, Hashable, Codable {
    public let sale: SaleReference?
    public let kind: Receipt.Kind
    public let amount: Money
    /// What the amount may become during the tap; `nil`: no more than `amount`.
    public var ceiling: Money?
    public let cashBack: Money?
    /// What the whole sale costs at most; `nil`: this amount.
    public let due: Money?
    /// The amount is an estimate: what is taken is said later.
    public var isEstimated: Bool = false
    /// Tag 9F41; 0 for a follow-up, which has none.
    public let counter: UInt32
    public let moment: LocalTime
    /// It is no tap: it follows another payment.
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

    /// `nil` for a verification, which is no payment.
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
    /// What a host decided about a payment.
    public enum StoredResult: Sendable, Hashable, Codable {
        case approved(Approval)
        case declined(Decline)
    }
}

/// Something that happened to a payment. A tap's life is the list of its events; ``JournaledTap`` is what they come to.
public enum JournalEvent: Sendable, Hashable, Codable {
    /// A card is about to be asked for.
    case began(TapIntent)
    /// The amount became another one: during the tap, or of a void by increments that the host accepted before it.
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
    /// What may stand at the host is about to be reversed.
    case reversing(Reversal.Reason)
    /// The host has confirmed a reversal.
    case reversed
    /// An answer that came when the payment was being reversed already.
    case answeredLate(JournaledTap.StoredResult)
    /// The host is to be told, or asked, later.
    case queued(FinancialRecord.Kind)
    /// The record is about to leave.
    case forwarding(attempt: Int)
    /// What the host made of it.
    case forwarded(JournaledTap.StoredResult)
    /// The host cannot take the record: a person has to look at it.
    case setAside(String)
    /// Taken back before it was sent.
    case withdrawn
    /// Given up by a person.
    case writtenOff(by: String, reason: String)
    /// The app has stored the result.
    case acknowledged
    /// All that a receipt says, so that it can be printed again.
    case receipted(Receipt)
    /// Nothing follows.
    case closed
    case erased(Erasure)
    /// The wall clock was found turned by so many seconds.
    case clockJumped(seconds: Int64)
    /// The journal was found restored or copied: what has happened to the payment since is not in it.
    case restored

    /// What of a read is erased.
    public enum Erasure: String, Sendable, Hashable, Codable, CaseIterable {
        case payload, fingerprint
        /// Both.
        case account
    }

    /// The word for an event, in logs and tables.
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

/// An event as a journal keeps it.
public struct JournalEntry: Sendable, Hashable, Codable {
    /// Counts the events of a journal, from 1.
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
