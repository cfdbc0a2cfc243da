// SPDX-License-Identifier: Apache-2.0
internal import EMVTripleDES

/// An RSA key with its private half, for simulated cards and authorities only. Variable time, without padding.
struct RSAPrivateKey: Sendable, Hashable {
    /// 3 or 65537.
    let exponent: UInt32
    /// Most significant byte first, as long as the key.
    let modulus: [UInt8]

    private let p: Montgomery
    private let q: Montgomery
    private let exponentP: [UInt64]
    private let exponentQ: [UInt64]
    private let coefficient: [UInt64]

    /// All values in hexadecimal, named as in PKCS #1.
    ///
    /// - Precondition: `p` and `q` are equally long, and the numbers belong together.
    @inline(never)
    init(
        exponent: UInt32, modulus: String, p: String, q: String, exponentP: String, exponentQ: String,
        coefficient: String
    ) {
        self.exponent = exponent
        self.modulus = [UInt8](hex: modulus)
        let limbs = [UInt64](bigEndian: [UInt8](hex: p)).count
        self.p = Montgomery(modulus: [UInt64](bigEndian: [UInt8](hex: p)))
        self.q = Montgomery(modulus: [UInt64](bigEndian: [UInt8](hex: q)))
        self.exponentP = [UInt64](bigEndian: [UInt8](hex: exponentP), count: limbs)
        self.exponentQ = [UInt64](bigEndian: [UInt8](hex: exponentQ), count: limbs)
        self.coefficient = [UInt64](bigEndian: [UInt8](hex: coefficient), count: limbs)
        precondition(self.p.modulus.count == self.q.modulus.count, "the primes are equally long")
    }

    /// The exponent as in certificates: one byte for 3, three for 65537.
    var exponentBytes: [UInt8] { exponent == 3 ? [3] : [1, 0, 1] }

    /// The private operation on a block of the modulus' length, by the Chinese remainder theorem.
    ///
    /// - Precondition: `block` is as long as the modulus and smaller than it.
    func sign(_ block: [UInt8]) -> [UInt8] {
        precondition(block.count == modulus.count, "a block is as long as the modulus")
        let message = [UInt64](bigEndian: block)
        let atP = p.power(message, exponentP)
        let atQ = q.power(message, exponentQ)
        let step = p.product(p.difference(atP, atQ), coefficient)
        return Self.combine(atQ, step, q.modulus).bigEndianBytes(count: modulus.count)
    }

    /// base + step·factor
    private static func combine(_ base: [UInt64], _ step: [UInt64], _ factor: [UInt64]) -> [UInt64] {
        var result = base + [UInt64](repeating: 0, count: step.count)
        for (offset, limb) in step.enumerated() {
            var carry: UInt64 = 0
            for (index, other) in factor.enumerated() {
                let product = limb.multipliedFullWidth(by: other)
                let (x, first) = product.low.addingReportingOverflow(carry)
                let (y, second) = x.addingReportingOverflow(result[offset + index])
                result[offset + index] = y
                carry = product.high &+ (first ? 1 : 0) &+ (second ? 1 : 0)
            }
            var index = offset + factor.count
            while carry != 0, index < result.count {
                let (x, overflow) = result[index].addingReportingOverflow(carry)
                result[index] = x
                carry = overflow ? 1 : 0
                index += 1
            }
        }
        return result
    }
}

extension [UInt64] {
    /// Limbs, least significant first, of a number given most significant byte first; padded to `count` limbs.
    init(bigEndian bytes: [UInt8], count: Int = 0) {
        self = []
        var end = bytes.count
        while end > 0 {
            let start = Swift.max(0, end - 8)
            append(UInt64(bigEndian: bytes[start..<end]))
            end = start
        }
        while self.count < count { append(0) }
    }

    /// Most significant byte first, the lowest `count` bytes.
    func bigEndianBytes(count: Int) -> [UInt8] {
        let all = reversed().flatMap { $0.bigEndianBytes }
        return [UInt8](repeating: 0, count: Swift.max(0, count - all.count)) + all.suffix(count)
    }
}
