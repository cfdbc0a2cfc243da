// SPDX-License-Identifier: Apache-2.0
/// What is paid another day, with the card that is kept now (row I7). None of it is charged with this tap: the total is
/// zero.
public struct DueLater: Sendable, Hashable, Codable {
    public var amount: Money
    /// When; `nil`: it is not known yet.
    public var day: CalendarDate?

    public init(_ amount: Money, on day: CalendarDate? = nil) {
        self.amount = amount
        self.day = day
    }
}
