// SPDX-License-Identifier: Apache-2.0
// ECDSA over P-256 with SHA-256 (FIPS 186-4, 6.4), and points in their compressed form (SEC 1, 2.3), by which a
// simulated wallet authenticates a reader. Test keys only.

enum ECDSA {
    /// - Parameter signature: SEQUENCE of two INTEGERs in DER, without trailing bytes.
    static func verify(_ signature: [UInt8], _ message: [UInt8], by signer: P256.Point) -> Bool {
        guard let (r, s) = numbers(signature), !r.isZero, !s.isZero, r < P256.order, s < P256.order else {
            return false
        }
        let hash = P256.scalars.reduce(Number256(SHA256.hash(message)))
        let inverse = P256.scalars.decode(P256.scalars.invert(P256.scalars.encode(s)))
        let point = P256.generator.combined(P256.product(hash, inverse), P256.product(r, inverse), signer)
        return point.map { P256.scalars.reduce($0.x) == r } ?? false
    }

    private static func numbers(_ signature: [UInt8]) -> (Number256, Number256)? {
        guard signature.count >= 2, signature[0] == 0x30, Int(signature[1]) == signature.count - 2 else { return nil }
        var at = 2
        guard let r = number(signature, &at), let s = number(signature, &at), at == signature.count else { return nil }
        return (r, s)
    }

    /// Parses a non-negative number in the fewest bytes.
    private static func number(_ bytes: [UInt8], _ at: inout Int) -> Number256? {
        guard at + 2 <= bytes.count, bytes[at] == 0x02 else { return nil }
        let count = Int(bytes[at + 1])
        guard count >= 1, count <= bytes.count - at - 2 else { return nil }
        var digits = Array(bytes[at + 2..<at + 2 + count])
        at += 2 + count
        guard digits[0] < 0x80 else { return nil }
        if digits[0] == 0, digits.count > 1 {
            guard digits[1] >= 0x80 else { return nil }
            digits.removeFirst()
        }
        guard digits.count <= 32 else { return nil }
        return Number256([UInt8](repeating: 0, count: 32 - digits.count) + digits)
    }
}

extension P256.Point {
    /// A point from 33 bytes: 02 or 03 by the parity of y, and x. Nil if they are not a point.
    init?(compressed bytes: [UInt8]) {
        guard bytes.count == 33, bytes[0] == 0x02 || bytes[0] == 0x03,
            let point = P256.Point(x: Array(bytes.dropFirst()))
        else { return nil }
        let isWanted = UInt8(point.y.w0 & 1) == bytes[0] & 1
        self.init(isWanted ? point.bytes : point.x.bytes + P256.field.modulus.subtracting(point.y).difference.bytes)
    }

    var compressed: [UInt8] { [0x02 | UInt8(y.w0 & 1)] + x.bytes }
}
