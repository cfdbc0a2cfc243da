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

    /// The ten data objects that most cryptograms cover, in their order (Book 2, Table 26).
    static func recommendedInput(value: (UInt32, Int) -> [UInt8]) -> [UInt8] {
        let objects: [(UInt32, Int)] = [
            (0x9F02, 6), (0x9F03, 6), (0x9F1A, 2), (0x95, 5), (0x5F2A, 2), (0x9A, 3), (0x9C, 1), (0x9F37, 4),
            (0x82, 2), (0x9F36, 2),
        ]
        return objects.flatMap(value)
    }

    /// What a Visa cryptogram covers. `value` gives a data object in that many bytes.
    static func input(_ version: CryptogramVersion, value: (UInt32, Int) -> [UInt8]) -> [UInt8] {
        let issuerData = value(0x9F10, 0)
        if version == .cvn17 {
            return value(0x9F02, 6) + value(0x9F37, 4) + value(0x9F36, 2) + issuerData.dropFirst(4).prefix(1)
        }
        return recommendedInput(value: value)
            + (version == .cvn10 ? Array(issuerData.dropFirst(3).prefix(4)) : issuerData)
    }

    /// The key that makes this transaction's cryptogram.
    func sessionKey(_ version: CryptogramVersion, counter: UInt16) -> [UInt8] {
        switch version {
        case .cvn10, .cvn17: cardKey
        case .cvn18, .cvn22: Self.commonSessionKey(cardKey, seed: counter.bigEndianBytes)
        }
    }

    func cryptogram(_ version: CryptogramVersion, counter: UInt16, data: [UInt8]) -> [UInt8] {
        let key = TripleDES(key: sessionKey(version, counter: counter))
        switch version {
        case .cvn10, .cvn17: return key.mac(data, padding: .zeros)
        case .cvn18, .cvn22: return key.mac(data, padding: .marked)
        }
    }

    /// The issuer's answer by method 1 (Book 2, 8.2.1): 8 bytes.
    func responseCryptogram(
        _ version: CryptogramVersion, counter: UInt16, cryptogram: [UInt8], responseCode: [UInt8]
    ) -> [UInt8] {
        let block = UInt64(bigEndian: cryptogram) ^ UInt64(bigEndian: responseCode + [0, 0, 0, 0, 0, 0])
        return TripleDES(key: sessionKey(version, counter: counter)).encrypt(block).bigEndianBytes
    }

    /// The issuer's answer by method 2 (Book 2, 8.2.2): 4 bytes.
    func responseCryptogram(
        _ version: CryptogramVersion, counter: UInt16, cryptogram: [UInt8], statusUpdate: [UInt8]
    ) -> [UInt8] {
        let key = TripleDES(key: sessionKey(version, counter: counter))
        return Array(key.mac(cryptogram + statusUpdate, padding: .marked).prefix(4))
    }

    /// Book 2, A1.3. The seed's third byte is the derivation's own; what is missing of eight bytes is zeros.
    static func commonSessionKey(_ key: [UInt8], seed: [UInt8]) -> [UInt8] {
        CardKey(tripleDES: key).sessionKey(diversifiedBy: seed).bytes
    }
}

/// How a card makes its cryptogram, by Visa's cryptogram version number.
public enum CryptogramVersion: UInt8, Sendable, Hashable, CaseIterable {
    /// Over ten data objects with the card's own key.
    case cvn10 = 0x0A
    /// Over amount, unpredictable number, counter and one byte of the issuer's data, with the card's own key.
    case cvn17 = 0x11
    /// As `cvn10` with the whole issuer application data, a session key and marked padding.
    case cvn18 = 0x12
    /// As `cvn18` with issuer application data of 32 bytes, and scripts with session keys over the cryptogram.
    case cvn22 = 0x22
}
