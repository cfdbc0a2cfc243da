// SPDX-License-Identifier: Apache-2.0
/// Faults and the exchanges in which they occur. Exchanges count from 1 over all presentments.
public struct FaultPlan: Sendable, Hashable {
    public var faults: [Int: [Fault]]
    /// Polling loops, from 1, that find two cards.
    public var collisions: Set<Int>

    public enum Fault: Sendable, Hashable {
        /// The card does not receive the command.
        case drop
        /// The card receives the command, but its response is lost.
        case loseResponse
        /// Only this many bytes of the response arrive.
        case truncate(Int)
        /// One bit of the response is inverted. The byte counts from 0, the bit from 1 at the right; a byte beyond the
        /// end counts from the start again.
        case flip(byte: Int, bit: Int)
        /// These bytes arrive instead of the response.
        case replace([UInt8])
        /// The response arrives later.
        case delay(milliseconds: Double)
        case transmissionError
        case protocolError
        /// The card leaves the field before it receives the command, and stays away until it is presented again.
        case remove
        /// As `remove`, but after the card has received the command.
        case removeAfter
    }

    public init(_ faults: [Int: [Fault]] = [:], collisions: Set<Int> = []) {
        self.faults = faults
        self.collisions = collisions
    }

    /// One fault at one exchange.
    public init(at exchange: Int, _ fault: Fault) { self.init([exchange: [fault]]) }

    /// A random plan with up to `count` faults within the first `exchanges`. Equal seeds give equal plans.
    public init(seed: UInt64, exchanges: Int = 12, count: Int = 2) {
        self.init()
        var random = SeededRandom(seed: seed)
        guard exchanges > 0, count > 0 else { return }
        for _ in 0..<Int.random(in: 1...count, using: &random) {
            let fault = Fault.random(using: &random)
            faults[Int.random(in: 1...exchanges, using: &random), default: []].append(fault)
        }
        if Int.random(in: 0..<8, using: &random) == 0 { collisions = [Int.random(in: 1...2, using: &random)] }
    }
}

extension FaultPlan.Fault {
    static func random(using random: inout SeededRandom) -> Self {
        switch Int.random(in: 0..<10, using: &random) {
        case 0: .drop
        case 1: .loseResponse
        case 2: .truncate(Int.random(in: 0...64, using: &random))
        case 3: .replace((0..<Int.random(in: 0...40, using: &random)).map { _ in .random(in: 0...255, using: &random) })
        case 4: .delay(milliseconds: Double(Int.random(in: 1...3000, using: &random)))
        case 5: .transmissionError
        case 6: .protocolError
        case 7: .remove
        case 8: .removeAfter
        default: .flip(byte: .random(in: 0...255, using: &random), bit: .random(in: 1...8, using: &random))
        }
    }
}

/// Random numbers that are determined by a seed (SplitMix64). Not for values that must be unpredictable.
public struct SeededRandom: RandomNumberGenerator, Sendable, Hashable {
    private var state: UInt64

    public init(seed: UInt64) { state = seed }

    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
