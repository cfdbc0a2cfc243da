// SPDX-License-Identifier: Apache-2.0
internal import EMVTripleDES

/// SHA-1 (FIPS 180-4), because EMV certificates are built on it. Nothing else may use it.
enum SHA1 {
    static func hash(_ message: [UInt8]) -> [UInt8] {
        var state: [UInt32] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0]
        var padded = message
        padded.append(0x80)
        while padded.count % 64 != 56 { padded.append(0) }
        padded += (UInt64(message.count) * 8).bigEndianBytes

        var schedule = [UInt32](repeating: 0, count: 80)
        for start in stride(from: 0, to: padded.count, by: 64) {
            for word in 0..<16 {
                let at = start + 4 * word
                schedule[word] =
                    UInt32(padded[at]) << 24 | UInt32(padded[at + 1]) << 16
                    | UInt32(padded[at + 2]) << 8 | UInt32(padded[at + 3])
            }
            compress(&state, &schedule)
        }
        return state.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> UInt32(24 - 8 * $0)) } }
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
}
