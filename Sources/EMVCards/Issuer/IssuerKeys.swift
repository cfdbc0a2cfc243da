// SPDX-License-Identifier: Apache-2.0
/// An issuer's master keys for one range of cards. All belong to the same cipher.
public struct IssuerKeys: Sendable, Hashable {
    /// For cryptograms and their answers.
    public var cryptogram: CardKey
    /// For MACs of script commands.
    public var integrity: CardKey
    /// For enciphered data of script commands.
    public var confidentiality: CardKey
    public var derivation: KeyDerivation

    public init(
        cryptogram: CardKey, integrity: CardKey, confidentiality: CardKey, derivation: KeyDerivation = .optionA
    ) {
        self.cryptogram = cryptogram
        self.integrity = integrity
        self.confidentiality = confidentiality
        self.derivation = derivation
    }

    /// Derives the keys of one card; nil if derivation and cipher do not match.
    func card(pan: String, sequence: UInt8) -> IssuerKeys? {
        guard let first = derivation.cardKey(master: cryptogram, pan: pan, sequence: sequence),
            let second = derivation.cardKey(master: integrity, pan: pan, sequence: sequence),
            let third = derivation.cardKey(master: confidentiality, pan: pan, sequence: sequence)
        else { return nil }
        return IssuerKeys(cryptogram: first, integrity: second, confidentiality: third, derivation: derivation)
    }
}

extension CardApplication {
    /// The master keys that this card's issuer derived the card's keys from.
    public var issuerKeys: IssuerKeys {
        let algorithm: KeyAlgorithm = derivation == .optionC ? .aes : .tripleDES
        let make = { (bytes: [UInt8]) in
            algorithm == .aes ? CardKey(aes: bytes) : CardKey(tripleDES: bytes)
        }
        return IssuerKeys(
            cryptogram: make(masterKey), integrity: make(integrityMasterKey),
            confidentiality: make(confidentialityMasterKey),
            derivation: derivation)
    }

    var issuerScheme: IssuerScheme { scheme.behaviour.issuer }

    /// The card's own keys.
    var cardKeys: IssuerKeys {
        guard let keys = issuerKeys.card(pan: pan, sequence: sequenceByte) else {
            preconditionFailure("a simulated card's PAN has 1 to 19 digits")
        }
        return keys
    }
}
