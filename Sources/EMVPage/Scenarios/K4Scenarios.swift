// SPDX-License-Identifier: Apache-2.0
import EMVPOS
import EMVCards

/// Kernel 4.
extension Scenario {
    static let k4: [Scenario] = [
        amex(
            "k4-cda-online", "online with a combined signature; keys of 1408, 1152 and 896 bits, e = 3",
            card: "amexOnline", outcome: .onlineRequest),
        amex(
            "k4-cda-offline", "approved offline with a combined signature", card: "amexOffline", floor: 10000,
            outcome: .approved),
        amex(
            "k4-cda-max", "approved offline; keys of 1984, 1976 and 1640 bits, e = 3", card: "amexOfflineMax",
            floor: 10000, outcome: .approved),
        amex("k4-online", "online without a signature", card: "amexOnlinePlain", outcome: .onlineRequest),
        amex(
            "k4-magstripe", "mag-stripe mode, both tracks", card: "amexStripe", stripe: true, outcome: .onlineRequest),
        amex(
            "k4-magstripe-cda", "mag-stripe mode with a combined signature", card: "amexStripeSigned", stripe: true,
            outcome: .onlineRequest),
        amex(
            "k4-decline", "declined by the card", card: "amexDeclineNoContact", tap: .declined, outcome: .declined,
            cvm: .notApplicable),
        amex(
            "k4-contact", "declined by a card that has a contact chip", card: "amexDecline", tap: .tryAnotherInterface,
            outcome: .tryAnotherInterface, cvm: .notApplicable),
        amex(
            "k4-limit", "amount at the contactless limit: no card is asked", card: "amexOnline", amount: 30000,
            tap: .limitExceeded, outcome: .tryAnotherInterface, cvm: .notApplicable),
        amex(
            "k4-see-phone", "a phone wants its holder first: two presentments", card: "amexPhone", amount: 6000,
            outcome: .onlineRequest, cvm: .cdcvm),
        amex(
            "k4-online-pin", "online with an online PIN", card: "amexOnlinePIN", amount: 6000,
            tap: .onlinePINRequired, outcome: .onlineRequest, cvm: .onlinePIN),
        amex(
            "k4-signature", "online with a signature on paper", card: "amexSignature", amount: 6000,
            outcome: .onlineRequest, cvm: .signature),
        amex(
            "k4-delayed", "delayed authorisation: approved with a combined signature", card: "amexOnline",
            delayed: true, outcome: .approved),
        amex(
            "k4-wrong-signature", "approved with a signature that does not verify: declined",
            card: "amexWrongSignatureOffline", floor: 10000, tap: .declined, outcome: .declined, cvm: .notApplicable),
    ]

    private static func amex(
        _ name: String, _ summary: String, card profile: String, amount: UInt64 = 1250, floor: UInt64 = 0,
        stripe: Bool = false, delayed: Bool = false, tap: TapName = .success, outcome: Outcome.Status,
        cvm: Outcome.CVM = .none
    ) -> Scenario {
        let enhanced: Bytes = [stripe ? 0xDC : 0x9C, 0xE0, 0x00, delayed ? 0x43 : 0x03]
        return Scenario(
            name, summary, card: profile, at: amexReader(floor: floor, enhanced: enhanced), amount: amount,
            Expectation(tap: tap, outcome: outcome, cvm: cvm))
    }

    /// Twelve combinations; the card's application is the first of them.
    private static func amexReader(floor: UInt64, enhanced: Bytes) -> Configuration {
        let aids: [Bytes] =
            [[0xA0, 0, 0, 0, 0x25, 0x01]] + (0x20...0x2A).map { Bytes([0xA0, 0, 0, 0, 0x25, 0x99, $0]) }
        var data = terminal
        data[0x9F09] = [0x00, 0x01]
        data[0x9F6D] = [0xC0]
        data[0x9F6E] = enhanced
        return Configuration(
            terminal: data,
            combinations: aids.map {
                Combination(
                    aid: $0, kernel: .americanExpress(), transactionTypes: [.purchase, .refund],
                    limits: Limits(transaction: 30000, floor: floor, cvmRequired: 5000))
            },
            caKeys: keys(CardAuthority.americanExpressRID))
    }
}
