// SPDX-License-Identifier: Apache-2.0
import EMVSimulator

/// The simulator's numbers from a seed, for tests that know no card: a failure comes again.
public typealias SeededRandom = EMVSimulator.SeededRandom

extension SeededRandom {
    public mutating func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) }
    }
}
