// SPDX-License-Identifier: Apache-2.0
/// One DES key with its sixteen round keys (FIPS 46-3). Neither branches nor addresses depend on key or data.
package struct DES: Sendable, Hashable {
    private var roundKeys: [UInt64]

    /// Parity bits of the key are ignored.
    package init(key: UInt64) {
        let permuted = Self.select(key, Tables.permutedChoice1)
        var left = UInt32(truncatingIfNeeded: permuted >> 28)
        var right = UInt32(truncatingIfNeeded: permuted & 0x0FFF_FFFF)
        roundKeys = Tables.rotations.map { count in
            left = Self.rotate28(left, by: count)
            right = Self.rotate28(right, by: count)
            return Self.select(UInt64(left) << 28 | UInt64(right), Tables.permutedChoice2)
        }
    }

    package func encrypt(_ block: UInt64) -> UInt64 { run(block, from: 0, by: 1) }

    package func decrypt(_ block: UInt64) -> UInt64 { run(block, from: 15, by: -1) }

    /// Overwrites the round keys. The key must not be used afterwards.
    package mutating func wipe() {
        for index in roundKeys.indices { roundKeys[index] = 0 }
    }

    private func run(_ block: UInt64, from first: Int, by step: Int) -> UInt64 {
        let start = Self.initialPermutation(block)
        var left = UInt32(truncatingIfNeeded: start >> 32)
        var right = UInt32(truncatingIfNeeded: start)
        for round in 0..<16 {
            (left, right) = (right, left ^ Self.mix(right, roundKeys[first + step * round]))
        }
        return Self.finalPermutation(UInt64(right) << 32 | UInt64(left))
    }

    /// The round function: expansion, key, substitution boxes, permutation. The six input bits of a box are adjacent in
    /// the half, with wrap-around; each of its four output bits is written directly to its position after the
    /// permutation.
    private static func mix(_ half: UInt32, _ key: UInt64) -> UInt32 {
        var result: UInt32 = 0
        var bit = 0
        var box: UInt32 = 0
        while box < 8 {
            let shift = (5 &+ 4 &* box) & 31
            let six = UInt64((half &<< shift | half &>> (32 &- shift)) & 0x3F) ^ (key &>> UInt64(42 &- 6 &* box) & 0x3F)
            let end = bit &+ 4
            while bit < end {
                result |= UInt32(truncatingIfNeeded: Tables.truth[bit] &>> six & 1) &<< Tables.places[bit]
                bit &+= 1
            }
            box &+= 1
        }
        return result
    }

    /// IP, as exchanges of bits between the halves.
    private static func initialPermutation(_ block: UInt64) -> UInt64 {
        var (left, right) = (UInt32(truncatingIfNeeded: block >> 32), UInt32(truncatingIfNeeded: block))
        exchange(&left, &right, by: 4, 0x0F0F_0F0F)
        exchange(&left, &right, by: 16, 0x0000_FFFF)
        exchange(&right, &left, by: 2, 0x3333_3333)
        exchange(&right, &left, by: 8, 0x00FF_00FF)
        exchange(&left, &right, by: 1, 0x5555_5555)
        return UInt64(left) << 32 | UInt64(right)
    }

    /// The inverse of IP: its exchanges in reverse order.
    private static func finalPermutation(_ block: UInt64) -> UInt64 {
        var (left, right) = (UInt32(truncatingIfNeeded: block >> 32), UInt32(truncatingIfNeeded: block))
        exchange(&left, &right, by: 1, 0x5555_5555)
        exchange(&right, &left, by: 8, 0x00FF_00FF)
        exchange(&right, &left, by: 2, 0x3333_3333)
        exchange(&left, &right, by: 16, 0x0000_FFFF)
        exchange(&left, &right, by: 4, 0x0F0F_0F0F)
        return UInt64(left) << 32 | UInt64(right)
    }

    /// Exchanges the bits of `first` under the mask, shifted left by `count`, with those of `second` under the mask.
    private static func exchange(_ first: inout UInt32, _ second: inout UInt32, by count: UInt32, _ mask: UInt32) {
        let difference = (first >> count ^ second) & mask
        second ^= difference
        first ^= difference << count
    }

    /// Returns the bits selected by the table; the first becomes the most significant.
    private static func select(_ value: UInt64, _ shifts: [UInt64]) -> UInt64 {
        var result: UInt64 = 0
        var index = 0
        let count = shifts.count
        while index < count {
            result = result &<< 1 | value &>> shifts[index] & 1
            index &+= 1
        }
        return result
    }

    private static func rotate28(_ value: UInt32, by count: UInt32) -> UInt32 {
        (value << count | value >> (28 - count)) & 0x0FFF_FFFF
    }
}

extension DES {
    private enum Tables {
        /// The four output bits of each box, the most significant first, as a function of the six input bits: bit n of
        /// a word is the output for input n. A shift of such a word runs in constant time; a table look-up does not.
        static let truth: [UInt64] = boxes.flatMap { box in
            (0..<4).map { bit in
                (0..<64).reduce(UInt64(0)) { word, six in
                    let place = 16 * ((six >> 4 & 2) | (six & 1)) + (six >> 1 & 0xF)
                    return word | UInt64(box[place] >> UInt8(3 - bit) & 1) << UInt64(six)
                }
            }
        }

        static let rotations: [UInt32] = [1, 1, 2, 2, 2, 2, 2, 2, 1, 2, 2, 2, 2, 2, 2, 1]

        /// Left shift that moves an output bit of the boxes to its position after the permutation.
        static let places: [UInt32] = (1...32).map { bit in 31 - UInt32(permutation.firstIndex(of: bit)!) }

        static let permutation: [UInt8] = [
            16, 7, 20, 21, 29, 12, 28, 17, 1, 15, 23, 26, 5, 18, 31, 10,
            2, 8, 24, 14, 32, 27, 3, 9, 19, 13, 30, 6, 22, 11, 4, 25,
        ]

        static let permutedChoice1 = shifts(
            width: 64,
            [
                57, 49, 41, 33, 25, 17, 9, 1, 58, 50, 42, 34, 26, 18, 10, 2, 59, 51, 43, 35, 27, 19, 11, 3, 60, 52, 44,
                36,
                63, 55, 47, 39, 31, 23, 15, 7, 62, 54, 46, 38, 30, 22, 14, 6, 61, 53, 45, 37, 29, 21, 13, 5, 28, 20, 12,
                4,
            ])

        static let permutedChoice2 = shifts(
            width: 56,
            [
                14, 17, 11, 24, 1, 5, 3, 28, 15, 6, 21, 10, 23, 19, 12, 4, 26, 8, 16, 7, 27, 20, 13, 2,
                41, 52, 31, 37, 47, 55, 30, 40, 51, 45, 33, 48, 44, 49, 39, 56, 34, 53, 46, 42, 50, 36, 29, 32,
            ])

        /// Converts the standard's bit numbers, counted from 1 at the most significant bit, to right shifts of a
        /// `width`-bit value.
        private static func shifts(width: UInt64, _ numbers: [UInt64]) -> [UInt64] { numbers.map { width - $0 } }

        static let boxes: [[UInt8]] = [
            [
                14, 4, 13, 1, 2, 15, 11, 8, 3, 10, 6, 12, 5, 9, 0, 7,
                0, 15, 7, 4, 14, 2, 13, 1, 10, 6, 12, 11, 9, 5, 3, 8,
                4, 1, 14, 8, 13, 6, 2, 11, 15, 12, 9, 7, 3, 10, 5, 0,
                15, 12, 8, 2, 4, 9, 1, 7, 5, 11, 3, 14, 10, 0, 6, 13,
            ],
            [
                15, 1, 8, 14, 6, 11, 3, 4, 9, 7, 2, 13, 12, 0, 5, 10,
                3, 13, 4, 7, 15, 2, 8, 14, 12, 0, 1, 10, 6, 9, 11, 5,
                0, 14, 7, 11, 10, 4, 13, 1, 5, 8, 12, 6, 9, 3, 2, 15,
                13, 8, 10, 1, 3, 15, 4, 2, 11, 6, 7, 12, 0, 5, 14, 9,
            ],
            [
                10, 0, 9, 14, 6, 3, 15, 5, 1, 13, 12, 7, 11, 4, 2, 8,
                13, 7, 0, 9, 3, 4, 6, 10, 2, 8, 5, 14, 12, 11, 15, 1,
                13, 6, 4, 9, 8, 15, 3, 0, 11, 1, 2, 12, 5, 10, 14, 7,
                1, 10, 13, 0, 6, 9, 8, 7, 4, 15, 14, 3, 11, 5, 2, 12,
            ],
            [
                7, 13, 14, 3, 0, 6, 9, 10, 1, 2, 8, 5, 11, 12, 4, 15,
                13, 8, 11, 5, 6, 15, 0, 3, 4, 7, 2, 12, 1, 10, 14, 9,
                10, 6, 9, 0, 12, 11, 7, 13, 15, 1, 3, 14, 5, 2, 8, 4,
                3, 15, 0, 6, 10, 1, 13, 8, 9, 4, 5, 11, 12, 7, 2, 14,
            ],
            [
                2, 12, 4, 1, 7, 10, 11, 6, 8, 5, 3, 15, 13, 0, 14, 9,
                14, 11, 2, 12, 4, 7, 13, 1, 5, 0, 15, 10, 3, 9, 8, 6,
                4, 2, 1, 11, 10, 13, 7, 8, 15, 9, 12, 5, 6, 3, 0, 14,
                11, 8, 12, 7, 1, 14, 2, 13, 6, 15, 0, 9, 10, 4, 5, 3,
            ],
            [
                12, 1, 10, 15, 9, 2, 6, 8, 0, 13, 3, 4, 14, 7, 5, 11,
                10, 15, 4, 2, 7, 12, 9, 5, 6, 1, 13, 14, 0, 11, 3, 8,
                9, 14, 15, 5, 2, 8, 12, 3, 7, 0, 4, 10, 1, 13, 11, 6,
                4, 3, 2, 12, 9, 5, 15, 10, 11, 14, 1, 7, 6, 0, 8, 13,
            ],
            [
                4, 11, 2, 14, 15, 0, 8, 13, 3, 12, 9, 7, 5, 10, 6, 1,
                13, 0, 11, 7, 4, 9, 1, 10, 14, 3, 5, 12, 2, 15, 8, 6,
                1, 4, 11, 13, 12, 3, 7, 14, 10, 15, 6, 8, 0, 5, 9, 2,
                6, 11, 13, 8, 1, 4, 10, 7, 9, 5, 0, 15, 14, 2, 3, 12,
            ],
            [
                13, 2, 8, 4, 6, 15, 11, 1, 10, 9, 3, 14, 5, 0, 12, 7,
                1, 15, 13, 8, 10, 3, 7, 4, 12, 5, 6, 11, 0, 14, 9, 2,
                7, 11, 4, 1, 9, 12, 14, 2, 0, 6, 10, 13, 15, 3, 5, 8,
                2, 1, 14, 7, 4, 10, 8, 13, 15, 12, 9, 0, 3, 5, 6, 11,
            ],
        ]
    }
}
