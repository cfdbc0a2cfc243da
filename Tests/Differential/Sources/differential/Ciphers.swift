// SPDX-License-Identifier: Apache-2.0
// DES (FIPS 46-3) with two keys, and AES with a key of 128 bits (FIPS 197), one block each, bit by bit. For OWHF2.

enum TripleDES {
    /// Numbers of bits, the first is 1: two digits each.
    private static func table(_ text: String) -> [Int] {
        text.split(separator: " ").map { Int($0)! }
    }
    private static let initial = table(
        "58 50 42 34 26 18 10 2 60 52 44 36 28 20 12 4 62 54 46 38 30 22 14 6 64 56 48 40 32 24 16 8 "
            + "57 49 41 33 25 17 9 1 59 51 43 35 27 19 11 3 61 53 45 37 29 21 13 5 63 55 47 39 31 23 15 7")
    private static let permutation = table(
        "16 7 20 21 29 12 28 17 1 15 23 26 5 18 31 10 2 8 24 14 32 27 3 9 19 13 30 6 22 11 4 25")
    private static let choice1 = table(
        "57 49 41 33 25 17 9 1 58 50 42 34 26 18 10 2 59 51 43 35 27 19 11 3 60 52 44 36 "
            + "63 55 47 39 31 23 15 7 62 54 46 38 30 22 14 6 61 53 45 37 29 21 13 5 28 20 12 4")
    private static let choice2 = table(
        "14 17 11 24 1 5 3 28 15 6 21 10 23 19 12 4 26 8 16 7 27 20 13 2 "
            + "41 52 31 37 47 55 30 40 51 45 33 48 44 49 39 56 34 53 46 42 50 36 29 32")
    private static let shifts = [1, 1, 2, 2, 2, 2, 2, 2, 1, 2, 2, 2, 2, 2, 2, 1]
    private static let boxes: [[Int]] = [
        "E4D12FB83A6C5907" + "0F74E2D1A6CB9538" + "41E8D62BFC973A50" + "FC8249175B3EA06D",
        "F18E6B34972DC05A" + "3D47F28EC01A69B5" + "0E7BA4D158C6932F" + "D8A13F42B67C05E9",
        "A09E63F51DC7B428" + "D709346A285ECBF1" + "D6498F30B12C5AE7" + "1AD069874FE3B52C",
        "7DE3069A1285BC4F" + "D8B56F03472C1AE9" + "A690CB7DF13E5284" + "3F06A1D8945BC72E",
        "2C417AB6853FD0E9" + "EB2C47D150FA3986" + "421BAD78F9C5630E" + "B8C71E2D6F09A453",
        "C1AF92680D34E75B" + "AF427C9561DE0B38" + "9EF528C3704A1DB6" + "432C95FABE17608D",
        "4B2EF08D3C975A61" + "D0B7491AE35C2F86" + "14BDC37EAF680592" + "6BD814A7950FE23C",
        "D2846FB1A93E50C7" + "1FD8A374C56B0E92" + "7B419CE206ADF358" + "21E74A8DFC90356B",
    ].map { $0.map { $0.hexDigitValue! } }

    private static func pick(_ bits: [UInt8], _ table: [Int]) -> [UInt8] { table.map { bits[$0 - 1] } }

    private static func bits(_ bytes: Bytes) -> [UInt8] {
        bytes.flatMap { byte in (0..<8).map { byte >> UInt8(7 - $0) & 1 } }
    }

    private static func keys(_ key: Bytes) -> [[UInt8]] {
        let chosen = pick(bits(key), choice1)
        var (c, d) = (Array(chosen[0..<28]), Array(chosen[28...]))
        return shifts.map { shift in
            c = Array(c[shift...] + c[..<shift])
            d = Array(d[shift...] + d[..<shift])
            return pick(c + d, choice2)
        }
    }

    private static func round(_ half: [UInt8], _ key: [UInt8]) -> [UInt8] {
        var out: [UInt8] = []
        for box in 0..<8 {
            let six = (0..<6).map { half[(4 * box + $0 + 31) % 32] ^ key[6 * box + $0] }
            let line = Int(six[0] << 1 | six[5])
            let column = Int(six[1] << 3 | six[2] << 2 | six[3] << 1 | six[4])
            let value = boxes[box][16 * line + column]
            for shift in [3, 2, 1, 0] { out.append(UInt8(value >> shift & 1)) }
        }
        return pick(out, permutation)
    }

    private static func block(_ input: [UInt8], _ keys: [[UInt8]]) -> [UInt8] {
        let start = pick(input, initial)
        var (left, right) = (Array(start[0..<32]), Array(start[32...]))
        for key in keys {
            let mixed = zip(left, round(right, key)).map { $0 ^ $1 }
            (left, right) = (right, mixed)
        }
        let end = right + left
        var out = [UInt8](repeating: 0, count: 64)
        for (i, place) in initial.enumerated() { out[place - 1] = end[i] }
        return out
    }

    static func encrypt(_ message: Bytes, _ first: Bytes, _ second: Bytes) -> Bytes {
        let (own, other) = (keys(first), Array(keys(second).reversed()))
        let out = block(block(block(bits(message), own), other), own)
        return (0..<8).map { i in out[8 * i..<8 * i + 8].reduce(0) { $0 << 1 | $1 } }
    }
}

enum AES128 {
    private static func double(_ x: UInt8) -> UInt8 { x << 1 ^ (x & 0x80 != 0 ? 0x1B : 0) }

    private static func product(_ a: UInt8, _ b: UInt8) -> UInt8 {
        var (x, y, out) = (a, b, UInt8(0))
        while y != 0 {
            if y & 1 == 1 { out ^= x }
            x = double(x)
            y >>= 1
        }
        return out
    }

    private static let substitution: [UInt8] = (0...255).map { value in
        let x = UInt8(value)
        let inverse = x == 0 ? 0 : (1...255).map { UInt8($0) }.first { product(x, $0) == 1 }!
        var out: UInt8 = 0x63
        for turn in 0..<5 { out ^= inverse << UInt8(turn) | (turn == 0 ? 0 : inverse >> UInt8(8 - turn)) }
        return out
    }

    static func encrypt(_ message: Bytes, _ key: Bytes) -> Bytes {
        var words = (0..<4).map { Array(key[4 * $0..<4 * $0 + 4]) }
        var constant: UInt8 = 1
        for i in 4..<44 {
            var word = words[i - 1]
            if i % 4 == 0 {
                word = [word[1], word[2], word[3], word[0]].map { substitution[Int($0)] }
                word[0] ^= constant
                constant = double(constant)
            }
            words.append(zip(words[i - 4], word).map { $0 ^ $1 })
        }
        func add(_ state: Bytes, _ round: Int) -> Bytes {
            zip(state, words[4 * round..<4 * round + 4].flatMap { $0 }).map { $0 ^ $1 }
        }
        var state = add(message, 0)
        for round in 1...10 {
            state = state.map { substitution[Int($0)] }
            state = (0..<16).map { state[(($0 / 4 + $0 % 4) % 4) * 4 + $0 % 4] }
            if round < 10 {
                var mixed = state
                for column in 0..<4 {
                    for line in 0..<4 {
                        let at = { (k: Int) in state[4 * column + (line + k) % 4] }
                        mixed[4 * column + line] = product(at(0), 2) ^ product(at(1), 3) ^ at(2) ^ at(3)
                    }
                }
                state = mixed
            }
            state = add(state, round)
        }
        return state
    }
}
