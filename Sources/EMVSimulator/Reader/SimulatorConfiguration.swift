// SPDX-License-Identifier: Apache-2.0
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
    /// A till in Germany that takes the simulated Visa, Mastercard and Maestro cards: euro, Terminal Type 22, online and offline.
    ///
    /// - Parameters:
    ///   - limits: of every combination, in minor units; by default 300.00 a transaction, 100.00 offline, CVM from 50.00.
    ///   - ttq: Terminal Transaction Qualifiers of Visa; by default EMV mode, contact chip, online PIN and signature, CDCVM.
    ///   - mastercard: data objects of Kernel 2 that replace those of ``mastercardReader``, or stand beside them.
    ///   - protection: by default `guarded`.
    public static func simulator(
        limits: Limits = Limits(transaction: 30_000, floor: 10_000, cvmRequired: 5_000),
        ttq: Bytes = [0x36, 0x00, 0x40, 0x00],
        mastercard: DataObjects = [:],
        protection: Protection = Protection()
    ) -> Configuration {
        let types: [TransactionType] = [.purchase, .cash, .cashBack, .refund]
        var reader = mastercardReader
        // `strict` demands that a failed CDA denies.
        if protection.profile == .strict { reader[0xDF8121] = [0x04, 0x00, 0x00, 0x00, 0x0C] }
        for element in mastercard.elements { reader[element.tag] = element.value }
        var maestro = reader
        // Online PIN is its only verification, and it has no mag-stripe mode.
        maestro[0xDF8118] = [0x40]
        maestro[0xDF811B] = reader[0xDF811B].map { [$0[0] | 0x80] }
        return Configuration(
            terminal: [
                0x9F1A: [0x02, 0x76], 0x9F35: [0x22], 0x9F33: [0xE0, 0xB8, 0xC8],
                0x9F40: [0x60, 0x00, 0xB0, 0xA0, 0x01],
                0x9F15: [0x59, 0x99],
            ],
            combinations: [
                Combination(
                    aid: [0xA0, 0, 0, 0, 0x03, 0x10, 0x10], kernel: 3, name: "Visa",
                    transactionTypes: types, limits: limits, ttq: ttq),
                Combination(
                    aid: [0xA0, 0, 0, 0, 0x04, 0x10, 0x10], kernel: 2, name: "Mastercard",
                    transactionTypes: types, limits: limits, data: reader),
                Combination(
                    aid: [0xA0, 0, 0, 0, 0x04, 0x30, 0x60], kernel: 2, name: "Maestro",
                    transactionTypes: types, limits: limits, data: maestro),
            ],
            caKeys: CardAuthority.publicKeys.map(CAKey.init),
            protection: protection)
    }

    /// What the simulated till configures Kernel 2 with: both modes, relay resistance, on-device CVM, CDA, two torn transactions, data storage.
    /// Action codes deny a card that was late. What was not authenticated goes online, a card of an authority that this reader has no key of
    /// included; a signature that is false ends the tap whatever they say.
    public static var mastercardReader: DataObjects {
        [
            0xDF8117: [0x60], 0xDF8118: [0x60], 0xDF8119: [0x08], 0xDF811B: [0x30], 0xDF811F: [0x08],
            0xDF811E: [0x20], 0xDF812C: [0x00], 0xDF811D: [0x02], 0xDF810D: [0x02],
            0xDF8120: [0xF4, 0x50, 0x84, 0x80, 0x0C], 0xDF8121: [0x00, 0x00, 0x00, 0x00, 0x0C],
            0xDF8122: [0xF4, 0x50, 0x84, 0x80, 0x0C],
        ]
    }
}
