// SPDX-License-Identifier: Apache-2.0
/// A notification or request to a host after the cardholder has left.
public struct FinancialRecord: Sendable, Hashable, Codable {
    public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
        /// An authorisation request that could not be sent while the card was present, at the merchant's risk.
        case deferredAuthorization
        /// The card approved by itself (TC, response code `Y1`, or `Y3` if no answer came).
        case offlineApproval
        /// The final amount of an estimate.
        case capture
        /// An amount in addition to the authorised amount.
        case increment
        case refund
        /// The whole payment is taken back.
        case void
    }

    public let kind: Kind
    /// Identical in every repeat: a host books it once.
    public let key: ReconciliationKey
    /// The payment that it follows; `nil` for a tap's own record.
    public let original: ReconciliationKey?
    /// 1 for the first attempt; each repeat adds one.
    public let attempt: Int
    public let amount: Money
    /// The part of the amount that is the tip, if it is stated separately.
    public let tip: Money?
    public let payment: Receipt.Kind
    /// The time of the tap, or of the follow-up.
    public let moment: LocalTime
    /// Tag 9F41; 0 for a follow-up.
    public let counter: UInt32
    /// `nil` for a follow-up: the host has the card of the original.
    public let read: StoredRead?
    /// EMV Book 4, Annex A6.
    public let responseCode: String?

    /// The host may already have it.
    public var isRepeat: Bool { attempt > 1 }
}

/// The host's answer to a record.
public enum Delivery: Sendable, Hashable {
    case accepted(Approval)
    case refused(Decline)
    /// It has the record and makes no decision, as for an advice.
    case received
    /// It will no longer decide: the record came too late.
    case expired
    /// Not now: retry after this time, or when the next attempt is due.
    case retryLater(after: Duration?)
    /// It cannot accept this record, now or later; the text gives the reason, for the log. Never card data.
    case malformed(String)
}

/// The status of a key at the host.
public enum HostStatus: Sendable, Hashable {
    /// The host has no request of this key. One may still be on its way.
    case neverSeen
    case inProgress
    case approved(Approval)
    case declined(Decline)
    case reversed
    /// The host cannot be asked.
    case unsupported
}

extension JournaledTap {
    /// Returns the record that the host is owed; `nil` if there is no such record.
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
