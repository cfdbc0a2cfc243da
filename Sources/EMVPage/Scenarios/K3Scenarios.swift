// SPDX-License-Identifier: Apache-2.0
import EMVPOS
import EMVCards

/// Kernel 3.
extension Scenario {
    static let k3: [Scenario] = [
        visa("k3-online", "online, no records", card: "online", outcome: .onlineRequest),
        visa(
            "k3-online-records", "online with a record to read", card: "onlineRecords", outcome: .onlineRequest),
        visa(
            "k3-online-oda", "online with a signature the reader asked for", card: "onlineODA", ttq: 0x37,
            outcome: .onlineRequest),
        visa(
            "k3-fdda", "approved offline; keys of 1408, 1152 and 896 bits, e = 3", card: "fdda", floor: 10000,
            outcome: .approved),
        visa(
            "k3-fdda-max", "approved offline; keys of 1984, 1976 and 1640 bits, e = 3", card: "fddaMax",
            floor: 10000,
            outcome: .approved),
        visa("k3-decline", "declined by the card", card: "decline", tap: .declined, outcome: .declined),
        visa(
            "k3-limit", "amount at the contactless limit: no card is asked", card: "online", amount: 30000,
            tap: .limitExceeded, outcome: .tryAnotherInterface, cvm: .notApplicable),
        visa(
            "k3-see-phone", "a phone wants its holder first: two presentments", card: "cdcvmPhone", amount: 6000,
            outcome: .onlineRequest, cvm: .cdcvm),
        visa(
            "k3-online-pin", "online with an online PIN", card: "onlinePIN", amount: 6000, tap: .onlinePINRequired,
            outcome: .onlineRequest, cvm: .onlinePIN),
        visa(
            "k3-signature", "online with a signature on paper", card: "signature", amount: 6000,
            outcome: .onlineRequest, cvm: .signature),
        visa(
            "k3-cdcvm", "online, verified on the device", card: "cdcvm", amount: 6000, outcome: .onlineRequest,
            cvm: .cdcvm),
        visa(
            "k3-expired", "approved by a card that has expired: declined", card: "expired", floor: 10000,
            tap: .declined, outcome: .declined),
        visa(
            "k3-wrong-signature", "approved with a signature that does not verify: declined",
            card: "wrongSignature",
            floor: 10000, tap: .declined, outcome: .declined),
        visa(
            "k3-try-another", "the card wants another interface", card: "tryAnotherInterface",
            tap: .tryAnotherInterface, outcome: .tryAnotherInterface, cvm: .notApplicable),
        visa(
            "k3-select-next", "the first application refuses, the second goes online", card: "nextApplication",
            outcome: .onlineRequest),
        visa(
            "k3-unsupported", "no application in common", card: "unknownScheme", tap: .unsupportedNetwork,
            outcome: .endApplication, cvm: .notApplicable),
    ]

    private static func visa(
        _ name: String, _ summary: String, card profile: String, amount: UInt64 = 1250, floor: UInt64 = 0,
        ttq: UInt8 = 0x36, tap: TapName = .success, outcome: Outcome.Status, cvm: Outcome.CVM = .none
    ) -> Scenario {
        Scenario(
            name, summary, card: profile, at: configuration(floor: floor, ttq: ttq), amount: amount,
            Expectation(tap: tap, outcome: outcome, cvm: cvm))
    }

    /// Twelve combinations; the card's application is the first of them.
    private static func configuration(floor: UInt64, ttq: UInt8) -> Configuration {
        let aids: [Bytes] = [
            [0xA0, 0, 0, 0, 0x03, 0x10, 0x10], [0xA0, 0, 0, 0, 0x03, 0x20, 0x10], [0xA0, 0, 0, 0, 0x03, 0x20, 0x20],
            [0xA0, 0, 0, 0, 0x03, 0x30, 0x10], [0xA0, 0, 0, 0, 0x03, 0x40, 0x10], [0xA0, 0, 0, 0, 0x03, 0x50, 0x10],
            [0xA0, 0, 0, 0, 0x03, 0x60, 0x10], [0xA0, 0, 0, 0, 0x03, 0x60, 0x20], [0xA0, 0, 0, 0, 0x03, 0x80, 0x02],
            [0xA0, 0, 0, 0, 0x03, 0x80, 0x10], [0xA0, 0, 0, 0, 0x98, 0x08, 0x40], [0xA0, 0, 0, 0, 0x98, 0x08, 0x48],
        ]
        let limits = Limits(transaction: 30000, floor: floor, cvmRequired: 5000)
        return Configuration(
            terminal: terminal,
            combinations: aids.map { aid in
                Combination(
                    aid: aid, kernel: 3, transactionTypes: [.purchase, .refund], limits: limits,
                    ttq: [ttq, 0x00, 0x40, 0x00])
            },
            caKeys: keys(CardAuthority.visaRID, CardAuthority.mastercardRID))
    }
}
