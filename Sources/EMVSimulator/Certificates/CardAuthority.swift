/// A certification authority's public key, as a terminal is configured with it. It verifies simulated cards only.
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

/// The certification authorities of the simulator: one key each.
public struct CardAuthority: Sendable {
    public let publicKey: CAKeyMaterial
    let key: RSAPrivateKey

    /// Visa's RID, under which all simulated cards are issued.
    public static let visaRID: [UInt8] = [0xA0, 0x00, 0x00, 0x00, 0x03]

    /// Every authority: the CA keys to configure so that each named profile verifies, unless it is made to fail.
    public static let all: [CardAuthority] = [
        authority1152e3, authority1152f4, authority1408e3, authority1408f4, authority1984e3, authority1984f4,
    ]

    /// The public keys of `all`.
    public static var publicKeys: [CAKeyMaterial] { all.map(\.publicKey) }

    static let authority1152e3 = CardAuthority(index: 0xF1, key: TestKeys.authority1152e3)
    static let authority1152f4 = CardAuthority(index: 0xF2, key: TestKeys.authority1152f4)
    static let authority1408e3 = CardAuthority(index: 0xF3, key: TestKeys.authority1408e3)
    static let authority1408f4 = CardAuthority(index: 0xF4, key: TestKeys.authority1408f4)
    static let authority1984e3 = CardAuthority(index: 0xF5, key: TestKeys.authority1984e3)
    static let authority1984f4 = CardAuthority(index: 0xF6, key: TestKeys.authority1984f4)

    private init(index: UInt8, key: RSAPrivateKey) {
        self.key = key
        publicKey = CAKeyMaterial(
            rid: Self.visaRID,
            index: index,
            exponent: key.exponentBytes,
            modulus: key.modulus,
            sha1: SHA1.hash(Self.visaRID + [index] + key.modulus + key.exponentBytes),
            expires: "2049-12-31")
    }
}
