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

    /// The same of a key on a curve.
    public init(_ material: EllipticCAKeyMaterial) {
        self.init(
            rid: material.rid, index: material.index,
            curve: Curve(suite: material.suite, x: material.x, y: material.y, sha256: material.sha256), isTest: true)
    }
}

/// What every scheme's combinations at the simulated POS are made of.
struct SimulatedTerminal {
    var transactionTypes: [TransactionType]
    var limits: Limits
    /// Terminal Transaction Qualifiers, for the kernels that have them.
    var ttq: Bytes
    /// Data objects that replace those that a scheme configures its kernel with, or stand beside them.
    var data: [KernelID: DataObjects]
    var protection: Protection
    /// Whether kernels that compute with secrets have what they need.
    var hasSecrets = false
}

extension Configuration {
    /// A POS in Germany that takes every simulated scheme's cards: Terminal Type 22, online and offline.
    ///
    /// - Parameters:
    ///   - currency: what is paid in, by default euro. A payment in another one is refused
    ///     (`Problem.Code.currencyNotConfigured`).
    ///   - limits: of every combination, in minor units; by default 300.00 a transaction, 100.00 offline, CVM from
    ///     50.00, and as many minor units in every currency (30,000 yen), so that the amounts of ``SimulatedTap`` go
    ///     the same way in each.
    ///   - ttq: Terminal Transaction Qualifiers of the kernels that have them; by default EMV mode, contact chip,
    ///     online PIN and signature, CDCVM.
    ///   - data: data objects of a kernel that replace those it is configured with, or stand beside them.
    ///   - protection: by default `guarded`.
    ///   - secrets: what the reader is given for Kernel 8; with it the POS takes Kernel 8's cards, and cards of every
    ///     scheme that name Kernel 8 beside the scheme's own kernel, and has the keys on the curve. By default none:
    ///     no combination is Kernel 8's. It does not become part of the configuration: give the same to the reader.
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
