// SPDX-License-Identifier: Apache-2.0
import EMVKernel

extension CAKey {
    /// The public key of a simulated certification authority. Its private half is public.
    public init(_ material: CAKeyMaterial) {
        let exponent = material.exponent.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        self.init(
            rid: material.rid, index: material.index, exponent: exponent, modulus: material.modulus,
            sha1: material.sha1, expires: nil, isTest: true)
    }

    /// The public elliptic-curve key of a simulated certification authority. Its private half is public.
    public init(_ material: EllipticCAKeyMaterial) {
        self.init(
            rid: material.rid, index: material.index,
            curve: Curve(suite: material.suite, x: material.x, y: material.y, sha256: material.sha256), isTest: true)
    }
}

/// The simulated POS's settings for the combinations of every scheme.
struct SimulatedTerminal {
    var transactionTypes: [TransactionType]
    var limits: Limits
    /// Terminal Transaction Qualifiers, for the kernels that have them.
    var ttq: Bytes
    /// Data objects that replace those of the scheme's configuration or are added to them.
    var data: [KernelID: DataObjects]
    var protection: Protection
    /// Whether an implementation of the secret cryptography is available.
    var hasSecrets = false
}

extension Configuration {
    /// A POS in Germany that accepts the cards of every simulated scheme: Terminal Type 22, online and offline.
    ///
    /// - Parameters:
    ///   - currency: the currency of payments, by default euro. A payment in another one is refused
    ///     (`Problem.Code.currencyNotConfigured`).
    ///   - limits: of every combination, in minor units; by default 300.00 per transaction, 100.00 offline, CVM from
    ///     50.00. The number of minor units is the same in every currency (30,000 yen), so that the amounts of
    ///     ``SimulatedTap`` have the same result in each.
    ///   - ttq: Terminal Transaction Qualifiers of the kernels that have them; by default EMV mode, contact chip,
    ///     online PIN and signature, CDCVM.
    ///   - data: data objects of a kernel that replace those of its configuration or are added to them.
    ///   - protection: by default `guarded`.
    ///   - secrets: the reader's cryptography for Kernel 8. With it the POS accepts Kernel 8's cards, and cards of
    ///     every scheme that offer Kernel 8 in addition to the scheme's own kernel, and has the elliptic-curve keys. By
    ///     default nil: no combination uses Kernel 8. The secrets do not become part of the configuration: pass them to
    ///     the reader too.
    public static func simulator(
        currency: Currency = .eur,
        limits: Limits = Limits(transaction: 30_000, floor: 10_000, cvmRequired: 5_000),
        ttq: Bytes = [0x36, 0x00, 0x40, 0x00],
        data: [KernelID: DataObjects] = [:],
        protection: Protection = Protection(),
        secrets: SecretCrypto? = nil
    ) -> Configuration {
        let terminal = SimulatedTerminal(
            transactionTypes: [.purchase, .cash, .cashBack, .refund], limits: limits, ttq: ttq, data: data,
            protection: protection, hasSecrets: secrets != nil)
        return Configuration(
            terminal: [
                0x9F1A: [0x02, 0x76], 0x9F35: [0x22], 0x9F33: [0xE0, 0xB8, 0xC8],
                0x9F40: [0x60, 0x00, 0xB0, 0xA0, 0x01],
                0x9F15: [0x59, 0x99],
            ],
            combinations: Schemes.cards.flatMap { $0.combinations(at: terminal) }.map { combination in
                var combination = combination
                combination.currency = currency.numeric
                return combination
            },
            caKeys: CardAuthority.publicKeys.map { CAKey($0) }
                + (secrets == nil ? [] : CardAuthority.ellipticKeys.map { CAKey($0) }),
            protection: protection)
    }
}
