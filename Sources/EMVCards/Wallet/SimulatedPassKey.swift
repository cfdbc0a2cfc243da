// SPDX-License-Identifier: Apache-2.0
/// A merchant's key pair for passes at simulated wallets. Test keys only: it is computed with in variable time.
public struct SimulatedPassKey: Sendable, Hashable {
    let key: P256PrivateKey

    /// The key of a name, always the same.
    public init(name: String) { key = P256PrivateKey(P256.scalar(from: Array(name.utf8))) }

    /// - Parameter privateKey: 32 bytes; `nil` where that is no private key of P-256.
    public init?(privateKey: [UInt8]) {
        guard privateKey.count == 32 else { return nil }
        let scalar = Number256(privateKey)
        guard !scalar.isZero, scalar < P256.order else { return nil }
        key = P256PrivateKey(scalar)
    }

    /// 32 bytes.
    public var privateKey: [UInt8] { key.scalar.bytes }
    /// 33 bytes: what a pass, or a wallet's list of merchants, has of it.
    public var publicKey: [UInt8] { key.point.compressed }
    /// The four bytes by which a VAS cryptogram names it.
    public var identifier: [UInt8] { Self.identifier(of: publicKey) }

    static func identifier(of publicKey: [UInt8]) -> [UInt8] {
        Array(SHA256.hash(Array(publicKey.dropFirst())).prefix(4))
    }
}
