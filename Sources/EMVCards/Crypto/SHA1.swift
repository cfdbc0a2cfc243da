// SPDX-License-Identifier: Apache-2.0
/// SHA-1 (FIPS 180-4), because EMV certificates use it. Do not use it for anything else.
package enum SHA1 {
    package static func hash(_ message: [UInt8]) -> [UInt8] {
        HashBlocks.hash(message, from: initial, schedule: 80, compress)
    }

    private static func compress(_ state: inout [UInt32], _ schedule: inout [UInt32]) {
        for word in 16..<80 {
            schedule[word] = rotate(
                schedule[word - 3] ^ schedule[word - 8] ^ schedule[word - 14] ^ schedule[word - 16], by: 1)
        }
        var (a, b, c, d, e) = (state[0], state[1], state[2], state[3], state[4])
        for round in 0..<80 {
            let mixed: UInt32
            let constant: UInt32
            switch round {
            case ..<20: (mixed, constant) = ((b & c) | (~b & d), 0x5A82_7999)
            case ..<40: (mixed, constant) = (b ^ c ^ d, 0x6ED9_EBA1)
            case ..<60: (mixed, constant) = ((b & c) | (b & d) | (c & d), 0x8F1B_BCDC)
            default: (mixed, constant) = (b ^ c ^ d, 0xCA62_C1D6)
            }
            let next = rotate(a, by: 5) &+ mixed &+ e &+ constant &+ schedule[round]
            (a, b, c, d, e) = (next, a, rotate(b, by: 30), c, d)
        }
        state[0] &+= a
        state[1] &+= b
        state[2] &+= c
        state[3] &+= d
        state[4] &+= e
    }

    private static func rotate(_ value: UInt32, by count: UInt32) -> UInt32 {
        value << count | value >> (32 - count)
    }

    /// The state before the first block (FIPS 180-4, 5.3.1).
    private static let initial: [UInt32] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0]
}
