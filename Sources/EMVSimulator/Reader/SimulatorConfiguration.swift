import EMVKit

extension CAKey {
    /// The public key of a simulated certification authority. Its private half is public.
    public init(_ material: CAKeyMaterial) {
        let exponent = material.exponent.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        self.init(
            rid: material.rid, index: material.index, exponent: exponent, modulus: material.modulus,
            sha1: material.sha1, expires: nil, isTest: true)
    }
}

extension Configuration {
    /// A till in Germany that takes the simulated Visa cards: euro, Terminal Type 22, online and offline.
    ///
    /// - Parameters:
    ///   - limits: of the Visa combination, in minor units; by default 300.00 a transaction, 100.00 offline, CVM from 50.00.
    ///   - ttq: Terminal Transaction Qualifiers; by default EMV mode, contact chip, online PIN and signature, CDCVM.
    ///   - protection: by default `guarded`.
    public static func simulator(
        limits: Limits = Limits(transaction: 30_000, floor: 10_000, cvmRequired: 5_000),
        ttq: Bytes = [0x36, 0x00, 0x40, 0x00],
        protection: Protection = Protection()
    ) -> Configuration {
        Configuration(
            terminal: [
                0x9F1A: [0x02, 0x76], 0x9F35: [0x22], 0x9F33: [0xE0, 0xB8, 0xC8], 0x9F40: [0x60, 0x00, 0xB0, 0xA0, 0x01],
                0x9F15: [0x59, 0x99],
            ],
            combinations: [
                Combination(
                    aid: [0xA0, 0, 0, 0, 0x03, 0x10, 0x10], kernel: 3, name: "Visa",
                    transactionTypes: [.purchase, .cash, .cashBack, .refund], limits: limits, ttq: ttq)
            ],
            caKeys: CardAuthority.publicKeys.map(CAKey.init),
            protection: protection)
    }
}
