// SPDX-License-Identifier: Apache-2.0
import EMVPOS
import EMVCards

/// Kernel 7.
extension Scenario {
    static let k7: [Scenario] = [
        unionPay("k7-online", "online, no records", card: "upOnline", outcome: .onlineRequest),
        unionPay("k7-online-records", "online with a record to read", card: "upOnlineRecords", outcome: .onlineRequest),
        unionPay(
            "k7-online-oda", "a transit gate: online with a signature (format 95)", card: "upTransit", ttq: 0x37,
            outcome: .onlineRequest),
        unionPay(
            "k7-fdda", "approved offline; keys of 1408, 1152 and 896 bits, e = 3", card: "upOffline", floor: 10000,
            outcome: .approved),
        unionPay(
            "k7-fdda-max", "approved offline; keys of 1984, 1976 and 1640 bits, e = 3", card: "upOfflineMax",
            floor: 10000, outcome: .approved),
        unionPay("k7-decline", "declined by the card", card: "upDecline", tap: .declined, outcome: .declined),
        unionPay(
            "k7-limit", "amount at the contactless limit: no card is asked", card: "upOnline", amount: 30000,
            tap: .limitExceeded, outcome: .tryAnotherInterface),
        unionPay(
            "k7-see-phone", "a phone wants its holder first: two presentments", card: "upPhone", amount: 6000,
            outcome: .onlineRequest, cvm: .cdcvm),
        unionPay(
            "k7-online-pin", "online with an online PIN", card: "upOnlinePIN", amount: 6000, tap: .onlinePINRequired,
            outcome: .onlineRequest, cvm: .onlinePIN),
        unionPay(
            "k7-signature", "online with a signature on paper", card: "upSignature", amount: 6000,
            outcome: .onlineRequest, cvm: .signature),
        unionPay(
            "k7-expired", "approved by a card that has expired: reading stops at the date", card: "upExpired",
            floor: 10000, tap: .declined, outcome: .declined),
        unionPay(
            "k7-wrong-signature", "approved with a signature that does not verify: declined",
            card: "upWrongSignature", floor: 10000, tap: .declined, outcome: .declined),
    ]

    private static func unionPay(
        _ name: String, _ summary: String, card profile: String, amount: UInt64 = 1250, floor: UInt64 = 0,
        ttq: UInt8 = 0x36, tap: TapName = .success, outcome: Outcome.Status, cvm: Outcome.CVM = .notApplicable
    ) -> Scenario {
        Scenario(
            name, summary, card: profile, at: unionPayReader(floor: floor, ttq: ttq), amount: amount,
            Expectation(tap: tap, outcome: outcome, cvm: cvm))
    }

    /// Twelve combinations; the card's application is the second of them.
    private static func unionPayReader(floor: UInt64, ttq: UInt8) -> Configuration {
        let own: [Bytes] = (1...3).map { [0xA0, 0, 0, 0x03, 0x33, 0x01, 0x01, $0] }
        let others: [Bytes] = (1...9).map { [0xA0, 0, 0, 0x03, 0x33, 0x99, 0x01, $0] }
        return Configuration(
            terminal: terminal,
            combinations: (own + others).map {
                Combination(
                    aid: $0, kernel: .unionPay(.init(odaForOnline: ttq & 0x01 != 0)),
                    transactionTypes: [.purchase, .refund],
                    limits: Limits(transaction: 30000, floor: floor, cvmRequired: 5000), ttq: [ttq, 0x00, 0x40, 0x00])
            },
            caKeys: keys(CardAuthority.unionPayRID))
    }
}
