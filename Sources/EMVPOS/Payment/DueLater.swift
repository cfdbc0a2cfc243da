// SPDX-License-Identifier: Apache-2.0
/// An amount to be paid on another day with the card that is stored now (row I7). Nothing is charged with this tap: the
/// total is zero.
public struct DueLater: Sendable, Hashable, Codable {
    public var amount: Money
    /// The day of the payment; `nil`: not known yet.
    public var day: CalendarDate?

    public init(_ amount: Money, on day: CalendarDate? = nil) {
        self.amount = amount
        self.day = day
    }
}
