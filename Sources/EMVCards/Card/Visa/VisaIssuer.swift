// SPDX-License-Identifier: Apache-2.0
// The issuer of Visa cards: selects the rule of a cryptogram, and answers it.

extension IssuerScheme {
    public static let visa = IssuerScheme("visa") { CryptogramRule(visa: $0) }
}

extension CryptogramRule {
    fileprivate init?(visa data: [UInt8]) {
        guard data.count >= 7 else { return nil }
        switch (data[0], data[0] == 0x1F ? data[1] : data[2]) {
        case (0x06, 0x0A):
            self.init(sessionKey: .card, issuerData: [3..<7], response: .first, messaging: .visa)
            isMarked = false
        case (0x06, 0x11):
            self.init(sessionKey: .card, issuerData: [4..<5], response: .first, messaging: .visa)
            input = .short
            isMarked = false
        case (0x06, 0x12):
            self.init(sessionKey: .common, issuerData: [0..<data.count], response: .second, messaging: .visa)
        case (0x1F, 0x22) where data.count == 32:
            self.init(sessionKey: .common, issuerData: [0..<32], response: .second, messaging: .visaCommon)
        default: return nil
        }
    }
}

extension VisaBehaviour {
    func authenticationData(
        for application: CardApplication, cryptogram: [UInt8], counter: UInt16, responseCode: String
    ) -> [UInt8] {
        let keys = ApplicationCryptogram(application)
        switch self.cryptogram {
        case .cvn10, .cvn17:
            let code = Array(responseCode.utf8.prefix(2))
            let answer = keys.responseCryptogram(
                self.cryptogram, counter: counter, cryptogram: cryptogram, responseCode: code)
            return answer + code
        case .cvn18, .cvn22:
            let update: [UInt8] = [0x00, responseCode == "00" ? 0x80 : 0x00, 0x00, 0x00]
            let answer = keys.responseCryptogram(
                self.cryptogram, counter: counter, cryptogram: cryptogram, statusUpdate: update)
            return answer + update
        }
    }

    /// Returns whether `data` (91) is the issuer's answer to this cryptogram.
    func isIssuers(
        _ data: [UInt8], for application: CardApplication, cryptogram: [UInt8], counter: UInt16
    ) -> Bool {
        let keys = ApplicationCryptogram(application)
        switch self.cryptogram {
        case .cvn10, .cvn17:
            guard data.count == 10 else { return false }
            let answer = keys.responseCryptogram(
                self.cryptogram, counter: counter, cryptogram: cryptogram, responseCode: Array(data.suffix(2)))
            return answer == Array(data.prefix(8))
        case .cvn18, .cvn22:
            guard (8...16).contains(data.count) else { return false }
            let answer = keys.responseCryptogram(
                self.cryptogram, counter: counter, cryptogram: cryptogram, statusUpdate: Array(data.dropFirst(4)))
            return answer == Array(data.prefix(4))
        }
    }
}
