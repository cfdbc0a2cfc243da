// SPDX-License-Identifier: Apache-2.0
internal import EMVTripleDES

/// The algorithm of a card's cryptogram, by Visa's cryptogram version number.
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

extension ApplicationCryptogram {
    /// Returns the input of a Visa cryptogram. `value` returns a data object in the given number of bytes.
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
}
