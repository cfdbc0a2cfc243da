// SPDX-License-Identifier: Apache-2.0
/// Tips or donations offered before the tap: no amount, some fixed amounts, and one to type. The choice is made before
/// the total is signed.
public struct SuggestedAmounts: Sendable, Hashable {
    public enum Choice: Sendable, Hashable {
        case none
        /// `percent` of the price, if the amount was derived from one.
        case amount(Money, percent: Int?)
        /// Typed by the person.
        case other
    }

    /// In display order: no amount first, another amount last.
    public let choices: [Choice]

    /// Amounts in another currency than the first, zeros and repetitions are left out.
    public init(_ amounts: [Money]) {
        var kept: [Money] = []
        for amount in amounts
        where amount.minorUnits > 0 && amount.currency == amounts[0].currency && !kept.contains(amount) {
            kept.append(amount)
        }
        choices = [.none] + kept.map { .amount($0, percent: nil) } + [.other]
    }

    /// Percentages of a price, rounded half up to a multiple of `step` minor units. An amount that rounds to zero, or
    /// equals the one before it, is left out.
    public init(percentages: [Int], of price: Money, roundedTo step: UInt64 = 1) {
        var kept: [(Money, Int)] = []
        for percent in percentages where percent > 0 && percent <= 100 && step > 0 {
            let (product, isOver) = price.minorUnits.multipliedReportingOverflow(by: UInt64(percent))
            guard !isOver, price.minorUnits <= Money.maximum, step <= Money.maximum else { continue }
            let units = (product + 50 * step) / (100 * step) * step
            let part = Money(minorUnits: units, currency: price.currency)
            if units > 0, !kept.contains(where: { $0.0 == part }) { kept.append((part, percent)) }
        }
        choices = [.none] + kept.map { .amount($0.0, percent: $0.1) } + [.other]
    }
}
