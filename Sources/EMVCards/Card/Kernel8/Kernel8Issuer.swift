// SPDX-License-Identifier: Apache-2.0
// The issuer of Kernel 8's cards. Book E, which defines the cryptogram of these cards, was not available. Keys and
// message are those on which independent implementations agree: EMV Book 2's option C and common session key over AES,
// CMAC over the recommended objects and the whole Issuer Application Data with the IAD-MAC in place. The simulator's
// own choices are the layout of the issuer's data, the issuer's answer, and that the cryptogram of a card whose IAD-MAC
// is not copied covers the data alone. They replace the schemes' own definitions; a terminal cannot detect the
// difference.
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
    ///   - value: returns a data object in the given number of bytes.
    static func make(
        _ application: CardApplication, counter: UInt16, issuerData: [UInt8], value: (UInt32, Int) -> [UInt8]
    ) -> [UInt8] {
        let rule = rule(issuerDataLength: issuerData.count)
        let message = rule.coveredTags.flatMap { value($0.tag.rawValue, $0.length) } + issuerData
        let key = rule.key(application.cardKeys.cryptogram, counter: counter, number: [])
        return rule.cryptogram(key, message: message)
    }
}
