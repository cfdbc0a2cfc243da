// SPDX-License-Identifier: Apache-2.0
/// AES for simulated cards only (FIPS 197). Table look-ups depend on the key, so timing reveals it: never use it for a
/// key that protects anything.
struct AES: Sendable, Hashable {
    private let roundKeys: [[UInt8]]

    /// - Precondition: `key` has 16, 24 or 32 bytes.
    init(key: [UInt8]) {
        precondition([16, 24, 32].contains(key.count), "an AES key has 16, 24 or 32 bytes")
        let words = key.count / 4
        let total = 4 * (words + 7)
        var schedule = stride(from: 0, to: key.count, by: 4).map { Array(key[$0..<$0 + 4]) }
        var constant: UInt8 = 1
        for index in words..<total {
            var word = schedule[index - 1]
            if index.isMultiple(of: words) {
                word = [word[1], word[2], word[3], word[0]].map { Self.box[Int($0)] }
                word[0] ^= constant
                constant = Self.doubled(constant)
            } else if words > 6, index % words == 4 {
                word = word.map { Self.box[Int($0)] }
            }
            schedule.append(zip(schedule[index - words], word).map { $0 ^ $1 })
        }
        roundKeys = stride(from: 0, to: total, by: 4).map { Array(schedule[$0..<$0 + 4].joined()) }
    }

    /// - Precondition: `block` has 16 bytes.
    func encrypt(_ block: [UInt8]) -> [UInt8] {
        precondition(block.count == 16, "an AES block has 16 bytes")
        var state = block
        Self.add(roundKeys[0], to: &state)
        for round in 1..<roundKeys.count {
            // Substitution and row shift: row r of column c comes from column c + r.
            state = (0..<16).map { Self.box[Int(state[($0 + 4 * ($0 % 4)) % 16])] }
            if round < roundKeys.count - 1 { Self.mixColumns(&state, by: [2, 3, 1, 1]) }
            Self.add(roundKeys[round], to: &state)
        }
        return state
    }

    /// - Precondition: `block` has 16 bytes.
    func decrypt(_ block: [UInt8]) -> [UInt8] {
        precondition(block.count == 16, "an AES block has 16 bytes")
        var state = block
        for round in (1..<roundKeys.count).reversed() {
            Self.add(roundKeys[round], to: &state)
            if round < roundKeys.count - 1 { Self.mixColumns(&state, by: [14, 11, 13, 9]) }
            state = (0..<16).map { Self.inverseBox[Int(state[($0 + 12 * ($0 % 4)) % 16])] }
        }
        Self.add(roundKeys[0], to: &state)
        return state
    }

    /// Enciphers with cipher block chaining; the initialisation vector is zero.
    ///
    /// - Precondition: `bytes` is whole blocks.
    func encryptChained(_ bytes: [UInt8]) -> [UInt8] {
        var chain = [UInt8](repeating: 0, count: 16)
        return Self.blocks(bytes).flatMap { block in
            chain = encrypt(Self.sum(chain, block))
            return chain
        }
    }

    /// Reverses `encryptChained`.
    ///
    /// - Precondition: `bytes` is whole blocks.
    func decryptChained(_ bytes: [UInt8]) -> [UInt8] {
        var chain = [UInt8](repeating: 0, count: 16)
        return Self.blocks(bytes).flatMap { block in
            defer { chain = block }
            return Self.sum(decrypt(block), chain)
        }
    }

    /// CMAC (ISO/IEC 9797-1 algorithm 5), 16 bytes.
    func cipherMAC(_ message: [UInt8]) -> [UInt8] {
        let whole = !message.isEmpty && message.count.isMultiple(of: 16)
        var padded = message
        if !whole { padded.append(0x80) }
        while !padded.count.isMultiple(of: 16) { padded.append(0) }
        var mask = Self.subkey(encrypt([UInt8](repeating: 0, count: 16)))
        if !whole { mask = Self.subkey(mask) }
        var blocks = Self.blocks(padded)
        blocks[blocks.count - 1] = Self.sum(blocks[blocks.count - 1], mask)
        return blocks.reduce([UInt8](repeating: 0, count: 16)) { encrypt(Self.sum($0, $1)) }
    }

    /// Multiplication by x in the field of CMAC's subkeys.
    private static func subkey(_ block: [UInt8]) -> [UInt8] {
        var shifted = zip(block, block.dropFirst() + [0]).map { $0 << 1 | $1 >> 7 }
        if block[0] & 0x80 != 0 { shifted[15] ^= 0x87 }
        return shifted
    }

    private static func blocks(_ bytes: [UInt8]) -> [[UInt8]] {
        precondition(bytes.count.isMultiple(of: 16), "AES takes whole blocks of 16 bytes")
        return stride(from: 0, to: bytes.count, by: 16).map { Array(bytes[$0..<$0 + 16]) }
    }

    private static func sum(_ one: [UInt8], _ other: [UInt8]) -> [UInt8] { zip(one, other).map { $0 ^ $1 } }

    private static func add(_ key: [UInt8], to state: inout [UInt8]) {
        for index in 0..<16 { state[index] ^= key[index] }
    }

    private static func mixColumns(_ state: inout [UInt8], by factors: [UInt8]) {
        for start in stride(from: 0, to: 16, by: 4) {
            let column = Array(state[start..<start + 4])
            for row in 0..<4 {
                state[start + row] = (0..<4).reduce(0) { $0 ^ product(factors[($1 + 4 - row) % 4], column[$1]) }
            }
        }
    }

    // MARK: The field of 256 elements

    private static func doubled(_ value: UInt8) -> UInt8 { value << 1 ^ (value & 0x80 == 0 ? 0 : 0x1B) }

    private static func product(_ one: UInt8, _ other: UInt8) -> UInt8 {
        var (sum, power, rest) = (UInt8(0), other, one)
        while rest != 0 {
            if rest & 1 != 0 { sum ^= power }
            power = doubled(power)
            rest >>= 1
        }
        return sum
    }

    /// The substitution box: inverse, then FIPS 197's affine map.
    private static let box: [UInt8] = (0...255).map { value in
        let inverse = (1...255).map { UInt8($0) }.first { product($0, UInt8(value)) == 1 } ?? 0
        return (0..<5).reduce(0x63) { $0 ^ (inverse << UInt8($1) | (inverse >> (8 - UInt8($1)))) }
    }

    private static let inverseBox: [UInt8] = {
        var inverse = [UInt8](repeating: 0, count: 256)
        for (value, substitute) in box.enumerated() { inverse[Int(substitute)] = UInt8(value) }
        return inverse
    }()
}
