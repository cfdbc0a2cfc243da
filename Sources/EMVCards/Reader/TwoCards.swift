// SPDX-License-Identifier: Apache-2.0
/// Two cards in the field until the second is taken away, after some polling loops.
public struct TwoCards<First: CardPresentation, Second: CardPresentation>: CardPresentation {
    public private(set) var first: First
    public private(set) var second: Second
    private var collidingPolls: Int

    /// - Parameter collidingPolls: polling loops that find both; then the second is taken away.
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

    /// Nothing can be understood while both answer.
    public mutating func exchange(_ command: [UInt8]) -> CardReply {
        collidingPolls > 0 ? .transmissionError : first.exchange(command)
    }

    public mutating func reset() {
        first.reset()
        second.reset()
    }
}
