// SPDX-License-Identifier: Apache-2.0
// The issuer of JCB cards. Book C-5 does not define the cryptogram. The scheme's key derivation, the data that its
// cryptogram covers and the layout of its issuer's data are not public. The simulator uses EMV's common session key and
// MAC (Book 2, A1.3 and 8.1) over the ten objects that Book 2 recommends (Table 26) and all of the issuer's data,
// response method 1 (8.2.1), and M/Chip's secure messaging for scripts. They replace the scheme's own algorithms; a
// terminal cannot detect the difference. Terminals verify only the signature, and its definition is entirely public
// (Book 2, 6.6).
internal import EMVTripleDES

/// Issuer Application Data of a JCB card as the simulator writes them: 8 bytes, the length in Legacy Mode (Book C-5,
/// Table 4-3), in the layout that public parsers of such data use.
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
    /// `value` returns a data object in the given number of bytes.
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
