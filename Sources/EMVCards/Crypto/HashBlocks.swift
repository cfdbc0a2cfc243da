// SPDX-License-Identifier: Apache-2.0
internal import EMVTripleDES

/// The common part of SHA-1 and SHA-256 (FIPS 180-4, 5 and 6): the padding, and blocks of 64 bytes as big-endian words.
enum HashBlocks {
    /// - Parameters:
    ///   - initial: the state before the first block.
    ///   - count: words of the message schedule.
    ///   - compress: processes one block, whose words are the first 16 of the schedule, into the state.
    static func hash(
        _ message: [UInt8], from initial: [UInt32], schedule count: Int,
        _ compress: (inout [UInt32], inout [UInt32]) -> Void
    ) -> [UInt8] {
        var state = initial
        var padded = message
        padded.append(0x80)
        while padded.count % 64 != 56 { padded.append(0) }
        padded += (UInt64(message.count) * 8).bigEndianBytes

        var schedule = [UInt32](repeating: 0, count: count)
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
}
