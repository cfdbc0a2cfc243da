// SPDX-License-Identifier: Apache-2.0
// The issuer of Mastercard cards: selects the rule of a cryptogram.

extension IssuerScheme {
    public static let mastercard = IssuerScheme("mastercard") { CryptogramRule(mastercard: $0) }
}

extension CryptogramRule {
    fileprivate init?(mastercard data: [UInt8]) {
        guard [18, 20, 26, 28].contains(data.count), data[1] >> 3 == 0x02 else { return nil }
        let counters = 10..<(data.count >= 26 ? 26 : 18)
        let covered = [2..<8] + (data[1] & 1 == 0 ? [] : [counters])
        switch data[1] >> 1 & 0x03 {
        case 0:
            self.init(sessionKey: .mastercard, issuerData: covered, response: .first, messaging: .mastercard)
            answersWithCardKey = true
        case 1:
            let tree = SessionKey.tree(height: 8, branches: 4)
            self.init(sessionKey: tree, issuerData: covered, response: .first, messaging: .mastercard)
        case 2: self.init(sessionKey: .common, issuerData: covered, response: .first, messaging: .mastercard)
        default: return nil
        }
        hasBinaryCode = true
    }
}
