// SPDX-License-Identifier: Apache-2.0
// The issuer of JCB cards. Book C-5 fixes nothing of a cryptogram, and the scheme's key derivation, what its cryptogram
// covers and the layout of its issuer's data are not public. Here it is EMV's common session key and MAC (Book 2,
// A1.3 and 8.1) over the ten objects that Book 2 recommends (Table 26) and all of the issuer's data, answered by
// method 1 (8.2.1), with M/Chip's secure messaging for scripts. All of it stands in for the scheme's own; no terminal
// can tell. What a terminal verifies, the signature, is wholly public (Book 2, 6.6).
internal import EMVTripleDES

/// Issuer Application Data of a JCB card as the simulator writes them: 8 bytes, the length that Legacy Mode has (Book
/// C-5, Table 4-3), in the layout that public readers of such data know.
enum JCBIssuerData {
    static let version: UInt8 = 0x01
    static let size = 8
}

extension IssuerScheme {
    public static let jcb = IssuerScheme("jcb") { data in
        guard data.count == JCBIssuerData.size, data[0] == 0x07, data[2] == JCBIssuerData.version, data[3] == 0x04
        else { return nil }
        return CryptogramRule(
            sessionKey: .common, issuerData: [0..<JCBIssuerData.size], response: .first, messaging: .mastercard)
    }
}

extension ApplicationCryptogram {
    /// `value` gives a data object in that many bytes.
    func jcbCryptogram(counter: UInt16, issuerData: [UInt8], value: (UInt32, Int) -> [UInt8]) -> [UInt8] {
        let key = Self.commonSessionKey(cardKey, seed: counter.bigEndianBytes)
        return TripleDES(key: key).mac(Self.recommendedInput(value: value) + issuerData, padding: .marked)
    }
}

extension JCBBehaviour {
    /// Response method 1 with the session key of the cryptogram, then the code.
    func authenticationData(
        for application: CardApplication, cryptogram: [UInt8], counter: UInt16, responseCode: String
    ) -> [UInt8] {
        let code = Array(responseCode.utf8.prefix(2))
        let key = application.cardKeys.cryptogram.sessionKey(diversifiedBy: counter.bigEndianBytes)
        return ResponseMethod.first(key, cryptogram, code: code) + code
    }
}
