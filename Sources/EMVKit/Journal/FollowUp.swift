// SPDX-License-Identifier: Apache-2.0
/// An operation on a payment after it was approved. It has a separate key and is journalled as a tap is; the host books
/// it once, however often it is sent. A refund without an original is a ``PaymentRequest`` of kind refund.
public struct FollowUp: Sendable, Hashable, Codable {
    public enum Action: Sendable, Hashable, Codable {
        /// Captures the final amount of an estimate.
        ///
        /// - Parameter tip: the part of the amount that is the tip.
        case capture(Money, tip: Money?)
        /// Adds this amount to the authorised amount.
        case increment(Money)
        /// Takes the payment back with all increments that the host has accepted, before anything was captured. It
        /// waits for increments that are on their way to the host. An increment that the host rejected does not delay
        /// it, and is not sent again while the void counts: no more is authorised than the void takes back.
        case void
        case refund(Money)
    }

    public let original: ReconciliationKey
    public let key: ReconciliationKey
    public let action: Action

    public init(_ action: Action, of original: ReconciliationKey, key: ReconciliationKey = ReconciliationKey()) {
        self.action = action
        self.original = original
        self.key = key
    }

    /// Why a payment refuses a follow-up.
    public enum Refusal: String, Sendable, Hashable, CaseIterable {
        /// The amount is more than was paid and not given back.
        case abovePaid
        /// The amount is more than was authorised plus the tip that the journal allows.
        case aboveAuthorized
        /// The payment was voided, or is about to be.
        case voided
        /// The payment was not approved, is not an estimate, or was captured or refunded before; or the amount is zero.
        case notPossible
    }

    public var kind: FinancialRecord.Kind {
        switch action {
        case .capture: .capture
        case .increment: .increment
        case .void: .void
        case .refund: .refund
        }
    }

    public var tip: Money? {
        if case .capture(_, let tip) = action { tip } else { nil }
    }

    /// - Parameters:
    ///   - original: the payment, which a void takes back completely.
    ///   - followUps: all follow-ups of the payment.
    func amount(of original: JournaledTap, _ followUps: [JournaledTap]) -> Money {
        switch action {
        case .capture(let amount, _), .increment(let amount), .refund(let amount): amount
        case .void: original.approvedAmount.incremented(by: followUps)
        }
    }
}

extension FollowUp {
    /// The sums of a payment and its follow-ups.
    struct Sums {
        /// The authorised amount, with increments that the host has accepted.
        var authorized: UInt64 = 0
        /// Tips in addition to the authorised amount.
        var tips: UInt64 = 0
        /// Amounts that are captured, or to be captured.
        var captured: UInt64 = 0
        /// Amounts that are refunded, or to be refunded.
        var refunded: UInt64 = 0
        var isVoid = false
        let isEstimated: Bool

        init(_ original: JournaledTap, _ followUps: [JournaledTap]) {
            isEstimated = original.intent.isEstimated
            authorized = original.approvedAmount.minorUnits
            // No sum overflows: each is far below the largest amount.
            for tap in followUps where tap.countsAsPaid {
                switch tap.intent.followUp?.action {
                case .capture(_, let tip)?:
                    captured += tap.amount.minorUnits
                    tips += tip?.minorUnits ?? 0
                case .increment?:
                    if case .approved = tap.result { authorized += tap.approvedAmount.minorUnits }
                case .refund?: refunded += tap.amount.minorUnits
                case .void?: isVoid = true
                case nil: break
                }
            }
            // A final amount is captured with its authorisation.
            if !isEstimated { captured = authorized }
        }

        /// Returns why the payment refuses a follow-up, or `nil` if it accepts it.
        ///
        /// - Parameter allowedTip: in minor units, in addition to the authorised amount.
        func refusal(of followUp: FollowUp, allowedTip: UInt64) -> Refusal? {
            guard !isVoid else { return .voided }
            let amounts = 1...Money.maximum
            switch followUp.action {
            case .capture(let amount, let tip):
                let tip = tip?.minorUnits ?? 0
                guard isEstimated, amounts.contains(amount.minorUnits), tip <= amount.minorUnits else {
                    return .notPossible
                }
                let most = authorized + min(allowedTip, Money.maximum, tips + tip)
                return captured + amount.minorUnits <= most ? nil : .aboveAuthorized
            case .increment(let amount):
                guard isEstimated, captured == 0, amounts.contains(amount.minorUnits) else { return .notPossible }
                return authorized + amount.minorUnits <= Money.maximum ? nil : .notPossible
            case .void: return refunded == 0 && (!isEstimated || captured == 0) ? nil : .notPossible
            case .refund(let amount):
                guard amounts.contains(amount.minorUnits) else { return .notPossible }
                return refunded + amount.minorUnits <= captured ? nil : .abovePaid
            }
        }
    }
}

extension Money {
    /// Returns this amount plus all increments that the host has accepted.
    func incremented(by followUps: [JournaledTap]) -> Money {
        let increments = followUps.filter { $0.intent.followUp?.kind == .increment && $0.isAccepted }
        let sum = increments.reduce(minorUnits) { $0 + $1.approvedAmount.minorUnits }
        return Money(minorUnits: sum, currency: currency)
    }
}

extension JournaledTap {
    /// Whether this follow-up prevents the reversal of an approved payment: the host has accepted it, or may. An
    /// increment that the host has accepted is reversed with its payment, and one that it rejected is not sent again.
    var keepsOriginal: Bool {
        guard let kind = intent.followUp?.kind, countsAsPaid else { return false }
        return kind != .increment || !isAccepted && state != .setAside
    }

    /// A void that the host has accepted, or will be sent.
    var isCountingVoid: Bool { intent.followUp?.kind == .void && countsAsPaid }

    /// A follow-up after which the estimate is finished.
    var endsOriginal: Bool {
        (intent.followUp?.kind == .capture || intent.followUp?.kind == .void) && isAccepted
    }

    /// The host has accepted it.
    var isAccepted: Bool {
        guard state == .approved || state == .closed, case .approved = result else { return false }
        return true
    }
}
