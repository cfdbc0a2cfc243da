// SPDX-License-Identifier: Apache-2.0
import EMVPOS
import EMVCards

/// Kernel 5.
extension Scenario {
    static let k5: [Scenario] = [
        jcb(
            "k5-cda-online", "online with a combined signature; keys of 1408, 1152 and 896 bits, e = 3",
            card: "k5-online", outcome: .onlineRequest),
        jcb(
            "k5-cda-offline", "approved offline; keys of 1408, 1152 and 896 bits, e = 3", card: "k5-offline",
            floor: 10000, outcome: .approved),
        jcb(
            "k5-cda-max", "approved offline; keys of 1984, 1976 and 1640 bits, e = 3", card: "k5-offline-max",
            floor: 10000, outcome: .approved),
        jcb("k5-no-cda", "online without a signature", card: "k5-online-no-cda", outcome: .onlineRequest),
        jcb("k5-legacy", "Legacy Mode", card: "k5-legacy", outcome: .onlineRequest),
        jcb(
            "k5-legacy-pin", "Legacy Mode, online PIN from the CVM List", card: "k5-legacy-pin", amount: 6000,
            tap: .onlinePINRequired, outcome: .onlineRequest, cvm: .onlinePIN),
        jcb(
            "k5-decline", "declined by the card", card: "k5-decline", tap: .declined, outcome: .declined,
            cvm: .notApplicable),
        jcb(
            "k5-limit", "amount at the contactless limit: known after the cryptogram", card: "k5-limit", amount: 30000,
            tap: .limitExceeded, outcome: .endApplication, cvm: .notApplicable),
        jcb(
            "k5-see-phone", "a phone wants its holder first: two presentments", card: "k5-see-phone",
            outcome: .onlineRequest, cvm: .cdcvm),
        jcb(
            "k5-online-pin", "online with an online PIN", card: "k5-cvm-pin", amount: 6000, tap: .onlinePINRequired,
            outcome: .onlineRequest, cvm: .onlinePIN),
        jcb(
            "k5-signature", "online with a signature on paper", card: "k5-cvm-signature", amount: 6000,
            outcome: .onlineRequest, cvm: .signature),
        jcb(
            "k5-torn", "the answer to GENERATE AC is lost, recovered with ECHO in the next presentment",
            card: "k5-torn", floor: 10000, loses: 0xAE, outcome: .approved),
        jcb(
            "k5-insert", "wants the contact chip when it is asked for a cryptogram", card: "k5-insert",
            tap: .tryAnotherInterface, outcome: .tryAnotherInterface, cvm: .notApplicable),
        jcb(
            "k5-expired", "goes online because the card has expired", card: "k5-expired", floor: 10000,
            outcome: .onlineRequest),
        jcb(
            "k5-wrong-signature", "approved with a signature that does not verify: declined",
            card: "k5-wrong-signature", floor: 10000, tap: .declined, outcome: .declined, cvm: .notApplicable),
        jcb(
            "k5-unknown-ca", "an authority that nobody has: declined before a cryptogram is asked for",
            card: "k5-unknown-ca", floor: 10000, tap: .declined, outcome: .declined, cvm: .notApplicable),
    ]

    private static func jcb(
        _ name: String, _ summary: String, card profile: String, amount: UInt64 = 1250, floor: UInt64 = 0,
        loses: UInt8? = nil, tap: TapName = .success, outcome: Outcome.Status, cvm: Outcome.CVM = .none
    ) -> Scenario {
        Scenario(
            name, summary, card: profile, at: jcbReader(floor: floor), amount: amount, loses: loses,
            Expectation(tap: tap, outcome: outcome, cvm: cvm))
    }

    /// Twelve combinations; the card's application is the first. Both modes, every verification.
    private static func jcbReader(floor: UInt64) -> Configuration {
        let options = CombinationKernel.JCBOptions(
            combinationOptions: [0x23, 0x00], terminalInterchangeProfile: [0x72, 0x00, 0x00])
        let aids: [Bytes] =
            [[0xA0, 0, 0, 0, 0x65, 0x10, 0x10]] + (0x20...0x2A).map { [0xA0, 0, 0, 0, 0x65, 0x99, $0] }
        return Configuration(
            terminal: terminal,
            combinations: aids.map {
                Combination(
                    aid: $0, kernel: .jcb(options), transactionTypes: [.purchase, .refund],
                    limits: Limits(transaction: 30000, floor: floor, cvmRequired: 5000))
            },
            caKeys: keys(CardAuthority.jcbRID))
    }
}
