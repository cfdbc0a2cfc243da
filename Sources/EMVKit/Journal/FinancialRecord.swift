// SPDX-License-Identifier: Apache-2.0
/// What a host is told, or asked, after the cardholder has gone.
public struct FinancialRecord: Sendable, Hashable, Codable {
    public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
        /// An authorisation request that could not be sent when the card was there, at the merchant's risk.
        case deferredAuthorization
        /// The card approved by itself (TC, response code `Y1`, or `Y3` where no answer came).
        case offlineApproval
        /// The final amount of an estimate.
        case capture
        /// More than was authorised.
        case increment
        case refund
        /// The whole payment is taken back.
        case void
    }

    public let kind: Kind
    /// The same for every repeat: a host books it once.
    public let key: ReconciliationKey
    /// The payment that it follows; `nil` for a tap's own record.
    public let original: ReconciliationKey?
    /// 1 for the first; grows with every repeat.
    public let attempt: Int
    public let amount: Money
    /// Of the amount, where it is told apart.
    public let tip: Money?
    public let payment: Receipt.Kind
    /// Of the tap, or of the follow-up.
    public let moment: LocalTime
    /// Tag 9F41; 0 for a follow-up.
    public let counter: UInt32
    /// `nil` for a follow-up: the host has the card of the original.
    public let read: StoredRead?
    /// EMV Book 4, Annex A6.
    public let responseCode: String?

    /// The host may have it already.
    public var isRepeat: Bool { attempt > 1 }
}

/// What a host made of a record.
public enum Delivery: Sendable, Hashable {
    case accepted(Approval)
    case refused(Decline)
    /// It has the record and decides nothing: an advice.
    case received
    /// It will not decide any more: the record came too late.
    case expired
    /// Not now: after so long, or when the next attempt is due.
    case retryLater(after: Duration?)
    /// It cannot take this record, and will not: why, for the log. Never card data.
    case malformed(String)
}

/// What a host knows of a key.
public enum HostStatus: Sendable, Hashable {
    /// Nothing. A request may still be on its way.
    case neverSeen
    case inProgress
    case approved(Approval)
    case declined(Decline)
    case reversed
    /// It cannot be asked.
    case unsupported
}

extension JournaledTap {
    /// What the host is owed; `nil`: nothing.
    ///
    /// - Parameter attempt: of the delivery.
    public func record(attempt: Int) -> FinancialRecord? {
        guard let kind = queuedAs else { return nil }
        return FinancialRecord(
            kind: kind, key: key, original: intent.followUp?.original, attempt: attempt, amount: amount,
            tip: intent.followUp?.tip, payment: intent.kind, moment: intent.moment, counter: intent.counter,
            read: read,
            responseCode: kind == .offlineApproval ? offlineResponse : nil)
    }
}
