// SPDX-License-Identifier: Apache-2.0
/// The Application Transaction Counters of a card that an issuer still accepts: new ones, and late ones that it has not
/// seen.
public struct CounterWindow: Sendable, Hashable {
    /// How far a counter may exceed the highest one: transactions that never reached the issuer.
    public var ahead: UInt16
    /// How far a counter may be below the highest one: offline transactions that arrive late.
    public var behind: UInt16

    /// The highest counter so far; nil for a new card.
    public private(set) var highest: UInt16?
    private var seen: Set<UInt16> = []

    public init(ahead: UInt16 = 1000, behind: UInt16 = 100) {
        self.ahead = ahead
        self.behind = behind
    }

    enum Judgement: Sendable, Hashable { case new, seen, outside }

    func judge(_ counter: UInt16) -> Judgement {
        guard let highest else { return .new }
        if counter > highest { return counter - highest <= ahead ? .new : .outside }
        if highest - counter > behind { return .outside }
        return seen.contains(counter) ? .seen : .new
    }

    /// Records a counter whose cryptogram was right.
    mutating func take(_ counter: UInt16) {
        let top = max(highest ?? counter, counter)
        highest = top
        seen.insert(counter)
        let lowest = top - min(top, behind)
        seen = seen.filter { $0 >= lowest }
    }
}
