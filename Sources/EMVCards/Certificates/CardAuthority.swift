// SPDX-License-Identifier: Apache-2.0
/// A certification authority's public key, for the configuration of a terminal. It verifies simulated cards only.
public struct CAKeyMaterial: Sendable, Hashable {
    /// Registered Application Provider Identifier, 5 bytes.
    public let rid: [UInt8]
    public let index: UInt8
    /// 03 or 010001.
    public let exponent: [UInt8]
    public let modulus: [UInt8]
    /// SHA-1 over RID, index, modulus and exponent.
    public let sha1: [UInt8]
    /// The last day, as "YYYY-MM-DD".
    public let expires: String
}

/// The certification authorities of the simulator: six keys, each used by every scheme with a different index.
public struct CardAuthority: Sendable {
    public let publicKey: CAKeyMaterial
    let key: RSAPrivateKey

    /// Every authority. With their CA keys configured, each named profile verifies, unless it is made to fail.
    public static let all: [CardAuthority] = Schemes.cards.flatMap { $0.authorities }

    /// The public keys of `all`.
    public static var publicKeys: [CAKeyMaterial] { all.map { $0.publicKey } }

    /// Selects one of the six keys; in the order of their indexes.
    enum Number: Int, Sendable {
        case e3Of1152, f4Of1152, e3Of1408, f4Of1408, e3Of1984, f4Of1984
    }

    /// Returns the authority of a scheme, or of the first scheme if no scheme has this RID.
    static func authority(_ number: Number, rid: [UInt8]) -> CardAuthority {
        let scheme = Schemes.cards.first { $0.rid == rid } ?? Schemes.cards[0]
        return scheme.authorities[number.rawValue]
    }

    /// The six authorities of one scheme.
    static func authorities(rid: [UInt8], firstIndex: UInt8) -> [CardAuthority] {
        let keys = [
            TestKeys.authority1152e3, TestKeys.authority1152f4, TestKeys.authority1408e3, TestKeys.authority1408f4,
            TestKeys.authority1984e3, TestKeys.authority1984f4,
        ]
        return keys.enumerated().map { CardAuthority(rid: rid, index: firstIndex + UInt8($0.offset), key: $0.element) }
    }

    private init(rid: [UInt8], index: UInt8, key: RSAPrivateKey) {
        self.key = key
        publicKey = CAKeyMaterial(
            rid: rid,
            index: index,
            exponent: key.exponentBytes,
            modulus: key.modulus,
            sha1: SHA1.hash(rid + [index] + key.modulus + key.exponentBytes),
            expires: "2049-12-31")
    }
}
