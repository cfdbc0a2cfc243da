// SPDX-License-Identifier: Apache-2.0
internal import EMVTripleDES

// Galois/Counter Mode (NIST SP 800-38D) and counter mode with a whole block as counter, for simulated wallets. The
// field multiplication works bit by bit: it is slow, and its time depends on the operands. Test keys only.

extension AES {
    /// Length of the tag after a ciphertext, in bytes.
    static let galoisTagLength = 16

    /// Returns ciphertext and tag.
    ///
    /// - Parameter nonce: any length except zero.
    func galoisSeal(_ plain: [UInt8], nonce: [UInt8], additional: [UInt8] = []) -> [UInt8] {
        let first = firstCounter(nonce)
        let cipher = counterMode(plain, from: Self.next(first))
        return cipher + tag(cipher, additional, first)
    }

    /// Returns the plaintext, or nil if the tag is wrong.
    func galoisOpen(_ sealed: [UInt8], nonce: [UInt8], additional: [UInt8] = []) -> [UInt8]? {
        guard sealed.count >= Self.galoisTagLength else { return nil }
        let cipher = Array(sealed.dropLast(Self.galoisTagLength))
        let first = firstCounter(nonce)
        guard tag(cipher, additional, first) == Array(sealed.suffix(Self.galoisTagLength)) else { return nil }
        return counterMode(cipher, from: Self.next(first))
    }

    /// Enciphers and deciphers. The last four bytes of the block are the counter.
    ///
    /// - Parameter block: 16 bytes, the first counter.
    func counterMode(_ bytes: [UInt8], from block: [UInt8]) -> [UInt8] {
        var block = block
        var result: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 16) {
            result += zip(bytes[start..<min(start + 16, bytes.count)], encrypt(block)).map { $0 ^ $1 }
            block = Self.next(block)
        }
        return result
    }

    private static func next(_ block: [UInt8]) -> [UInt8] {
        var block = block
        for index in (12..<16).reversed() {
            block[index] &+= 1
            if block[index] != 0 { break }
        }
        return block
    }

    private func tag(_ cipher: [UInt8], _ additional: [UInt8], _ first: [UInt8]) -> [UInt8] {
        let hash = galoisHash([additional, cipher], lengths: (additional.count, cipher.count))
        return zip(hash, encrypt(first)).map { $0 ^ $1 }
    }

    /// A nonce of 12 bytes is followed by the number one; any other length is hashed (SP 800-38D, 7.1).
    private func firstCounter(_ nonce: [UInt8]) -> [UInt8] {
        nonce.count == 12 ? nonce + [0, 0, 0, 1] : galoisHash([nonce], lengths: (0, nonce.count))
    }

    /// Each part is padded to whole blocks; lengths are in bytes.
    private func galoisHash(_ parts: [[UInt8]], lengths: (Int, Int)) -> [UInt8] {
        let key = GaloisElement(encrypt([UInt8](repeating: 0, count: 16)))
        var message = parts.flatMap { $0 + [UInt8](repeating: 0, count: (16 - $0.count % 16) % 16) }
        message += (UInt64(lengths.0) * 8).bigEndianBytes + (UInt64(lengths.1) * 8).bigEndianBytes
        var sum = GaloisElement(high: 0, low: 0)
        for start in stride(from: 0, to: message.count, by: 16) {
            let block = GaloisElement(Array(message[start..<start + 16]))
            sum = GaloisElement(high: sum.high ^ block.high, low: sum.low ^ block.low).multiplied(by: key)
        }
        return sum.high.bigEndianBytes + sum.low.bigEndianBytes
    }
}

/// An element of the field of 2 to the power of 128 (SP 800-38D, 6.3): the leftmost bit is the coefficient of 1.
private struct GaloisElement {
    let high: UInt64
    let low: UInt64

    init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    init(_ block: [UInt8]) {
        high = block[0..<8].reduce(0) { $0 << 8 | UInt64($1) }
        low = block[8..<16].reduce(0) { $0 << 8 | UInt64($1) }
    }

    func multiplied(by other: GaloisElement) -> GaloisElement {
        var (productHigh, productLow): (UInt64, UInt64) = (0, 0)
        var (shiftedHigh, shiftedLow) = (other.high, other.low)
        for bit in 0..<128 {
            let word = bit < 64 ? high : low
            if word >> UInt64(63 - bit % 64) & 1 == 1 {
                productHigh ^= shiftedHigh
                productLow ^= shiftedLow
            }
            let carry = shiftedLow & 1
            shiftedLow = shiftedLow >> 1 | shiftedHigh << 63
            shiftedHigh >>= 1
            if carry == 1 { shiftedHigh ^= 0xE100_0000_0000_0000 }
        }
        return GaloisElement(high: productHigh, low: productLow)
    }
}
