// SPDX-License-Identifier: Apache-2.0
// The issuer of UnionPay cards: selects the rule of a cryptogram. Conformance/issuer-cryptography.md names its source.
internal import EMVTripleDES

extension IssuerScheme {
    public static let unionPay = IssuerScheme("unionPay") { data in
        guard data.count >= 8, data[0] == 0x07, data[2] == 0x01 else { return nil }
        return CryptogramRule(sessionKey: .unionPay, issuerData: [3..<7], response: .first, messaging: .mastercard)
    }
}

extension ApplicationCryptogram {
    /// The session key: counter and inverted counter, enciphered with the card's key.
    private func unionPaySessionKey(counter: UInt16) -> [UInt8] {
        let cipher = TripleDES(key: cardKey)
        return cipher.encrypt(UInt64(counter)).bigEndianBytes + cipher.encrypt(UInt64(~counter)).bigEndianBytes
    }

    func unionPayCryptogram(counter: UInt16, data: [UInt8]) -> [UInt8] {
        TripleDES(key: unionPaySessionKey(counter: counter)).mac(data, padding: .marked)
    }

    func unionPayResponse(counter: UInt16, cryptogram: [UInt8], code: [UInt8]) -> [UInt8] {
        let block = UInt64(bigEndian: cryptogram) ^ UInt64(bigEndian: code + [0, 0, 0, 0, 0, 0])
        return TripleDES(key: unionPaySessionKey(counter: counter)).encrypt(block).bigEndianBytes
    }
}

extension UnionPayBehaviour {
    func authenticationData(
        for application: CardApplication, cryptogram: [UInt8], counter: UInt16, responseCode: String
    ) -> [UInt8] {
        let code = Array(responseCode.utf8.prefix(2))
        let keys = ApplicationCryptogram(application)
        return keys.unionPayResponse(counter: counter, cryptogram: cryptogram, code: code) + code
    }
}
