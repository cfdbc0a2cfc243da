// SPDX-License-Identifier: Apache-2.0
/// A merchant's key pair for passes in simulated wallets. Test keys only: computations take variable time.
public struct SimulatedPassKey: Sendable, Hashable {
    let key: P256PrivateKey

    /// Derives the key from a name: equal names give equal keys.
    public init(name: String) { key = P256PrivateKey(P256.scalar(from: Array(name.utf8))) }

    /// - Parameter privateKey: 32 bytes; `nil` if they are not a private key of P-256.
    public init?(privateKey: [UInt8]) {
        guard privateKey.count == 32 else { return nil }
        let scalar = Number256(privateKey)
        guard !scalar.isZero, scalar < P256.order else { return nil }
        key = P256PrivateKey(scalar)
    }

    /// 32 bytes.
    public var privateKey: [UInt8] { key.scalar.bytes }
    /// 33 bytes, as in a pass or a wallet's list of merchants.
    public var publicKey: [UInt8] { key.point.compressed }
    /// The four bytes that identify the key in a VAS cryptogram.
    public var identifier: [UInt8] { Self.identifier(of: publicKey) }

    static func identifier(of publicKey: [UInt8]) -> [UInt8] {
        Array(SHA256.hash(Array(publicKey.dropFirst())).prefix(4))
    }
}
