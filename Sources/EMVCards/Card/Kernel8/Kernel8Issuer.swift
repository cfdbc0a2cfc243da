// SPDX-License-Identifier: Apache-2.0
// The issuer of Kernel 8's cards. Book E, which says what the cryptogram of such a card is, was not to be had: keys and
// message are those that independent implementations agree on (EMV Book 2's option C and common session key over AES,
// CMAC over the recommended objects and the whole Issuer Application Data with the IAD-MAC in place). That a card whose
// IAD-MAC is not copied is bound by its data alone, how the data are laid out, and how the issuer answers stand in for
// the schemes' own; no terminal can tell.
import EMVKernel

extension IssuerScheme {
    public static let kernel8 = IssuerScheme("kernel8") { data in
        guard data.count == 32, data[0] == 0x06, data[2] == 0x12 else { return nil }
        return Kernel8Cryptogram.rule(issuerDataLength: data.count)
    }
}

enum Kernel8Cryptogram {
    static func rule(issuerDataLength: Int) -> CryptogramRule {
        var rule = CryptogramRule(
            sessionKey: .common, issuerData: [0..<issuerDataLength], response: .second, messaging: .commonCore)
        rule.algorithm = .aes
        return rule
    }

    /// - Parameters:
    ///   - issuerData: with the IAD-MAC in place.
    ///   - value: a data object in that many bytes.
    static func make(
        _ application: CardApplication, counter: UInt16, issuerData: [UInt8], value: (UInt32, Int) -> [UInt8]
    ) -> [UInt8] {
        let rule = rule(issuerDataLength: issuerData.count)
        let message = rule.coveredTags.flatMap { value($0.tag.rawValue, $0.length) } + issuerData
        let key = rule.key(application.cardKeys.cryptogram, counter: counter, number: [])
        return rule.cryptogram(key, message: message)
    }
}
