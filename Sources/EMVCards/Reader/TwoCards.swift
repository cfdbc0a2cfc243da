// SPDX-License-Identifier: Apache-2.0
/// Two cards in the field. The second is removed after some polling loops.
public struct TwoCards<First: CardPresentation, Second: CardPresentation>: CardPresentation {
    public private(set) var first: First
    public private(set) var second: Second
    private var collidingPolls: Int

    /// - Parameter collidingPolls: number of polling loops that find both cards; after them the second is removed.
    public init(_ first: First, _ second: Second, collidingPolls: Int = 1) {
        self.first = first
        self.second = second
        self.collidingPolls = collidingPolls
    }

    public mutating func poll() -> CardPresence {
        guard collidingPolls > 0 else { return first.poll() }
        collidingPolls -= 1
        return .collision
    }

    /// No command can be exchanged while both cards answer.
    public mutating func exchange(_ command: [UInt8]) -> CardReply {
        collidingPolls > 0 ? .transmissionError : first.exchange(command)
    }

    public mutating func reset() {
        first.reset()
        second.reset()
    }
}
