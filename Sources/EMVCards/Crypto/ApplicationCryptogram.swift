// SPDX-License-Identifier: Apache-2.0
internal import EMVTripleDES

/// Keys and cryptograms of a card and its issuer (EMV Book 2, 8.1 and annex A1; triple DES).
struct ApplicationCryptogram: Sendable {

    /// The card's own key, derived from the issuer's master key (Book 2, A1.4).
    let cardKey: [UInt8]

    init(masterKey: [UInt8], pan: String, sequence: UInt8, derivation: KeyDerivation = .optionA) {
        let master = CardKey(tripleDES: masterKey)
        guard let key = derivation.cardKey(master: master, pan: pan, sequence: sequence) else {
            preconditionFailure("a simulated card has a PAN of 1 to 19 digits and triple-DES keys")
        }
        cardKey = key.bytes
    }

    init(_ application: CardApplication) {
        self.init(
            masterKey: application.masterKey, pan: application.pan, sequence: application.sequenceByte,
            derivation: application.derivation)
    }

    /// The ten data objects that most cryptograms cover, in their order (Book 2, Table 26).
    static func recommendedInput(value: (UInt32, Int) -> [UInt8]) -> [UInt8] {
        let objects: [(UInt32, Int)] = [
            (0x9F02, 6), (0x9F03, 6), (0x9F1A, 2), (0x95, 5), (0x5F2A, 2), (0x9A, 3), (0x9C, 1), (0x9F37, 4),
            (0x82, 2), (0x9F36, 2),
        ]
        return objects.flatMap(value)
    }

    /// Derives the common session key (Book 2, A1.3). The derivation sets the seed's third byte; a seed shorter than
    /// eight bytes is padded with zeros.
    static func commonSessionKey(_ key: [UInt8], seed: [UInt8]) -> [UInt8] {
        CardKey(tripleDES: key).sessionKey(diversifiedBy: seed).bytes
    }
}
