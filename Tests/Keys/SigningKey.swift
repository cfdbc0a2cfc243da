// SPDX-License-Identifier: Apache-2.0
import BigInt
import Foundation

/// An RSA key whose private half is public, for signing test certificates, with the exponents 3 and 65537 where its
/// primes suit them.
public struct SigningKey: Sendable {
    private let p: BigUInt, q: BigUInt, inverse: BigUInt
    /// Of each public exponent the private ones modulo p - 1 and q - 1.
    private let exponents: [UInt32: (p: BigUInt, q: BigUInt)]
    public let modulus: [UInt8]

    /// - Parameters: the primes in hexadecimal digits.
    public init(_ p: String, _ q: String) {
        let (p, q) = (BigUInt(p, radix: 16)!, BigUInt(q, radix: 16)!)
        (self.p, self.q, inverse) = (p, q, q.inverse(p)!)
        modulus = [UInt8]((p * q).serialize())
        var exponents: [UInt32: (p: BigUInt, q: BigUInt)] = [:]
        for exponent in [3, 65537] as [UInt32] {
            guard let first = BigUInt(exponent).inverse(p - 1), let second = BigUInt(exponent).inverse(q - 1) else {
                continue
            }
            exponents[exponent] = (first, second)
        }
        self.exponents = exponents
    }

    public var size: Int { modulus.count }

    /// block ^ d mod p * q. What was signed before is remembered: many tests ask for the same certificates, thousands
    /// of times.
    public func sign(_ block: [UInt8], exponent: UInt32) -> [UInt8] {
        let request = Request(modulus: modulus, exponent: exponent, block: block)
        if let known = Self.signed.value(of: request) { return known }
        let signature = compute(block, exponent: exponent)
        Self.signed.remember(signature, of: request)
        return signature
    }

    /// By the Chinese remainder theorem.
    private func compute(_ block: [UInt8], exponent: UInt32) -> [UInt8] {
        guard let own = exponents[exponent] else { preconditionFailure("a key that does not suit \(exponent)") }
        let x = BigUInt(Data(block))
        let a = (x % p).power(own.p, modulus: p)
        let b = (x % q).power(own.q, modulus: q)
        let h = ((a + p - b % p) * inverse) % p
        let signature = [UInt8]((b + h * q).serialize())
        return [UInt8](repeating: 0, count: size - signature.count) + signature
    }

    private struct Request: Hashable {
        let modulus: [UInt8], exponent: UInt32, block: [UInt8]
    }

    private final class Memory: Sendable {
        private let lock = NSLock()
        nonisolated(unsafe) private var known: [Request: [UInt8]] = [:]

        func value(of request: Request) -> [UInt8]? { lock.withLock { known[request] } }
        func remember(_ signature: [UInt8], of request: Request) { lock.withLock { known[request] = signature } }
    }

    private static let signed = Memory()
}
