// SPDX-License-Identifier: Apache-2.0
// The issuer of Discover cards. Book C-6 states which part of the issuer's data a cryptogram covers (D.3), but not the
// key derivation or the other input. The simulator uses EMV's common session key and MAC (Book 2, A1.3 and 8.1) over
// the data that D-PAS cards request from the terminal. They replace the scheme's own algorithms; a terminal cannot
// detect the difference.
internal import EMVTripleDES

extension IssuerScheme {
    public static let discover = IssuerScheme("discover") { data in
        guard data.count >= 10, let version = DPASCryptogramVersion(rawValue: data[1]) else { return nil }
        let covered = version == .whole ? 0..<data.count : 2..<10
        var rule = CryptogramRule(
            sessionKey: .common, issuerData: [covered], response: .first, messaging: .mastercard)
        rule.input = .withoutTerminalResults
        return rule
    }
}

extension ApplicationCryptogram {
    /// `value` returns a data object in the given number of bytes.
    func dpasCryptogram(
        _ version: DPASCryptogramVersion, counter: UInt16, issuerData: [UInt8], value: (UInt32, Int) -> [UInt8]
    ) -> [UInt8] {
        let objects: [(UInt32, Int)] = [
            (0x9F02, 6), (0x9F03, 6), (0x9F1A, 2), (0x5F2A, 2), (0x9A, 3), (0x9C, 1), (0x9F37, 4), (0x82, 2),
            (0x9F36, 2),
        ]
        let covered = version == .whole ? issuerData : Array(issuerData[2..<10])
        let key = Self.commonSessionKey(cardKey, seed: counter.bigEndianBytes)
        return TripleDES(key: key).mac(objects.flatMap(value) + covered, padding: .marked)
    }

    func dpasResponse(counter: UInt16, cryptogram: [UInt8], code: [UInt8]) -> [UInt8] {
        let key = Self.commonSessionKey(cardKey, seed: counter.bigEndianBytes)
        let block = UInt64(bigEndian: cryptogram) ^ UInt64(bigEndian: code + [0, 0, 0, 0, 0, 0])
        return TripleDES(key: key).encrypt(block).bigEndianBytes
    }
}

extension DiscoverBehaviour {
    func authenticationData(
        for application: CardApplication, cryptogram: [UInt8], counter: UInt16, responseCode: String
    ) -> [UInt8] {
        let code = Array(responseCode.utf8.prefix(2))
        return ApplicationCryptogram(application).dpasResponse(counter: counter, cryptogram: cryptogram, code: code)
            + code
    }
}
