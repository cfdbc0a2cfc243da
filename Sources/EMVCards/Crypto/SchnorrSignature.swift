// SPDX-License-Identifier: Apache-2.0
/// EC-SDSA over P-256 with SHA-256 and x coordinates only (Book C-8, 8.4): R and S, 32 bytes each. Book C-8 defines the
/// verification; signing is derived from it.
enum SchnorrSignature {
    /// - Parameter nonce: k, between 0 and the order; nil derives it from key and message, so that signatures are
    ///   repeatable.
    static func sign(_ message: [UInt8], with key: P256PrivateKey, nonce: Number256? = nil) -> [UInt8] {
        var candidate = nonce ?? P256.scalar(from: key.scalar.bytes + SHA256.hash(message))
        while true {
            if let signature = sign(message, key, candidate) { return signature }
            precondition(nonce == nil, "this nonce gives no signature")
            candidate = P256.scalar(from: candidate.bytes)
        }
    }

    private static func sign(_ message: [UInt8], _ key: P256PrivateKey, _ nonce: Number256) -> [UInt8]? {
        guard let point = P256.generator.multiplied(by: nonce) else { return nil }
        let hash = SHA256.hash(point.x.bytes + message)
        let r = P256.scalars.reduce(Number256(hash))
        let s = P256.scalars.add(P256.scalars.reduce(nonce), P256.product(r, key.scalar))
        return r.isZero || s.isZero ? nil : hash + s.bytes
    }

    static func verify(_ signature: [UInt8], _ message: [UInt8], by signer: P256.Point) -> Bool {
        guard signature.count == 64 else { return false }
        let hash = Array(signature.prefix(32))
        let r = P256.scalars.reduce(Number256(hash))
        let s = Number256(Array(signature.suffix(32)))
        guard !r.isZero, !s.isZero, s < P256.order else { return false }
        let negated = P256.scalars.subtract(.zero, r)
        guard let point = P256.generator.combined(s, negated, signer) else { return false }
        return SHA256.hash(point.x.bytes + message) == hash
    }
}
