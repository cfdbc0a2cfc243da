// SPDX-License-Identifier: Apache-2.0
// The issuer of American Express cards. Book C-4 states which data a cryptogram of each version covers (2.1.2), but not
// the key derivation or the padding. The simulator uses EMV's option A, common session key and MAC (Book 2, A1.3, A1.4
// and 8.1), and response method 1 for the answer. They replace the scheme's own algorithms; a terminal cannot detect
// the difference.
internal import EMVTripleDES

/// The data that a cryptogram covers, coded in byte 3 of Issuer Application Data.
enum ExpresspayCryptogramVersion: UInt8, Sendable, Hashable, CaseIterable {
    /// The objects of CDOL1 of EMV mode, AIP, counter, Card Verification Results.
    case emv = 0x01
    /// Unpredictable number, counter, Card Verification Results.
    case magneticStripe = 0x02
}

extension IssuerScheme {
    public static let americanExpress = IssuerScheme("americanExpress") { data in
        guard data.count >= 7, data[0] == 0x06, data[3] == 0x03,
            let version = ExpresspayCryptogramVersion(rawValue: data[2])
        else { return nil }
        var rule = CryptogramRule(
            sessionKey: .common, issuerData: [3..<7], response: .first, messaging: .mastercard)
        if version == .magneticStripe { rule.input = .number }
        return rule
    }
}

extension ApplicationCryptogram {
    /// - Parameters:
    ///   - results: Card Verification Results with their length.
    ///   - value: returns a data object in the given number of bytes.
    func expresspayCryptogram(
        _ version: ExpresspayCryptogramVersion, counter: UInt16, results: [UInt8], value: (UInt32, Int) -> [UInt8]
    ) -> [UInt8] {
        let data: [UInt8] =
            switch version {
            case .emv: Self.recommendedInput(value: value)
            case .magneticStripe: value(0x9F37, 4) + counter.bigEndianBytes
            }
        let key = Self.commonSessionKey(cardKey, seed: counter.bigEndianBytes)
        return TripleDES(key: key).mac(data + results, padding: .marked)
    }
}

extension AmericanExpressBehaviour {
    /// Issuer Authentication Data (91): response method 1 with the session key.
    static func response(
        of application: CardApplication, cryptogram: [UInt8], counter: UInt16, code: [UInt8]
    ) -> [UInt8] {
        let cardKey = ApplicationCryptogram(application).cardKey
        let key = ApplicationCryptogram.commonSessionKey(cardKey, seed: counter.bigEndianBytes)
        let block = UInt64(bigEndian: cryptogram) ^ UInt64(bigEndian: code + [0, 0, 0, 0, 0, 0])
        return TripleDES(key: key).encrypt(block).bigEndianBytes + code
    }

    func authenticationData(
        for application: CardApplication, cryptogram: [UInt8], counter: UInt16, responseCode: String
    ) -> [UInt8] {
        Self.response(
            of: application, cryptogram: cryptogram, counter: counter, code: Array(responseCode.utf8.prefix(2)))
    }
}
