// SPDX-License-Identifier: Apache-2.0
import EMVSimulator

/// The simulator's random numbers from a seed, for tests that use no card: a failure can be reproduced.
public typealias SeededRandom = EMVSimulator.SeededRandom

extension SeededRandom {
    public mutating func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) }
    }
}
