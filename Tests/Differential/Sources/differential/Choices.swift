// SPDX-License-Identifier: Apache-2.0
// The source of every decision of a random tap: a seeded stream, or a list given for a replay. The choices are
// recorded, so a tap is a list of small numbers that can be shortened. 0 is always the ordinary case.

/// SplitMix64 (Steele, Lea and Flood, 2014).
struct SplitMix {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ z >> 30) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ z >> 27) &* 0x94D0_49BB_1331_11EB
        return z ^ z >> 31
    }
}

final class Choices {
    private var random: SplitMix?
    private let given: [Int]
    private(set) var drawn: [Int] = []

    /// Tap `number` of a run.
    init(seed: UInt64, tap number: UInt64) {
        var first = SplitMix(state: seed)
        random = SplitMix(state: first.next() ^ number &* 0xD134_2543_DE82_EF95)
        given = []
    }

    /// Choices from a list; 0 after its end.
    init(_ list: [Int]) { given = list }

    /// One of `weights.count` cases, as often as their weights say.
    func pick(_ weights: [Int]) -> Int {
        var choice = 0
        if var stream = random {
            let sum = weights.reduce(0, +)
            var rest = Int(stream.next() % UInt64(sum))
            random = stream
            while rest >= weights[choice] {
                rest -= weights[choice]
                choice += 1
            }
        } else if drawn.count < given.count {
            choice = given[drawn.count] % weights.count
        }
        drawn.append(choice)
        return choice
    }

    /// Below `count`, all equally likely.
    func below(_ count: Int) -> Int {
        var choice = 0
        if var stream = random {
            choice = Int(stream.next() % UInt64(count))
            random = stream
        } else if drawn.count < given.count {
            choice = given[drawn.count] % count
        }
        drawn.append(choice)
        return choice
    }

    /// True in `permille` of a thousand cases.
    func rarely(_ permille: Int) -> Bool { pick([1000 - permille, permille]) == 1 }

    func one<T>(_ items: [T]) -> T { items[below(items.count)] }

    /// The first is the ordinary one; the others share a probability of `permille`.
    func mostly<T>(_ ordinary: T, _ others: [T], _ permille: Int) -> T {
        rarely(permille) ? one(others) : ordinary
    }

    /// Any bytes, equally likely at each place; drawn as one choice.
    func bytes(_ count: Int) -> Bytes {
        var stream = SplitMix(state: UInt64(below(1 << 20)))
        return (0..<count).map { _ in UInt8(truncatingIfNeeded: stream.next()) }
    }
}
