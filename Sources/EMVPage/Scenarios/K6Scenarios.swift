// SPDX-License-Identifier: Apache-2.0
import EMVPOS
import EMVCards

/// Kernel 6.
extension Scenario {
    static let k6: [Scenario] = [
        discover("k6-online", "online, no records", card: "dpasOnline", outcome: .onlineRequest),
        discover(
            "k6-online-records", "online with a record to read", card: "dpasOnlineRecords", outcome: .onlineRequest),
        discover(
            "k6-cda", "approved offline with a combined signature; keys of 1408, 1152 and 896 bits, e = 3",
            card: "dpasOffline", floor: 10000, outcome: .approved),
        discover(
            "k6-cda-max", "approved offline; keys of 1984, 1976 and 1640 bits, e = 3", card: "dpasOfflineMax",
            floor: 10000, outcome: .approved),
        discover(
            "k6-decline", "declined by the card", card: "dpasDecline", tap: .declined, outcome: .declined,
            cvm: .notApplicable),
        discover(
            "k6-limit", "amount at the contactless limit: no card is asked", card: "dpasOnline", amount: 30000,
            tap: .limitExceeded, outcome: .tryAnotherInterface, cvm: .notApplicable),
        discover(
            "k6-see-phone", "a phone wants its holder first: two presentments", card: "dpasPhone", amount: 6000,
            outcome: .onlineRequest, cvm: .cdcvm),
        discover(
            "k6-online-pin", "online with an online PIN", card: "dpasOnlinePIN", amount: 6000,
            tap: .onlinePINRequired, outcome: .onlineRequest, cvm: .onlinePIN),
        discover(
            "k6-signature", "online with a signature on paper", card: "dpasSignature", amount: 6000,
            outcome: .onlineRequest, cvm: .signature),
        discover(
            "k6-magstripe", "MS Mode, both tracks with a dynamic code", card: "dpasStripeCode", ttq: 0xB6,
            outcome: .onlineRequest, cvm: .notApplicable),
        discover(
            "k6-zip", "Legacy MS Mode, both tracks with a dynamic code", card: "zip", ttq: 0xB6,
            outcome: .onlineRequest, cvm: .notApplicable),
        discover(
            "k6-expired", "approved by a card that has expired and wants that declined", card: "dpasExpiredDecline",
            floor: 10000, tap: .declined, outcome: .declined, cvm: .notApplicable),
        discover(
            "k6-wrong-signature", "approved with a signature that does not verify: declined",
            card: "dpasWrongSignature", floor: 10000, tap: .declined, outcome: .declined, cvm: .notApplicable),
    ]

    private static func discover(
        _ name: String, _ summary: String, card profile: String, amount: UInt64 = 1250, floor: UInt64 = 0,
        ttq: UInt8 = 0x36, tap: TapName = .success, outcome: Outcome.Status, cvm: Outcome.CVM = .none
    ) -> Scenario {
        Scenario(
            name, summary, card: profile, at: discoverReader(floor: floor, ttq: ttq), amount: amount,
            Expectation(tap: tap, outcome: outcome, cvm: cvm))
    }

    /// Twelve combinations; the card's application is among the first two.
    private static func discoverReader(floor: UInt64, ttq: UInt8) -> Configuration {
        var aids: [Bytes] = [[0xA0, 0, 0, 0x01, 0x52, 0x30, 0x10]]
        if ttq & 0x80 != 0 { aids.append([0xA0, 0, 0, 0x03, 0x24, 0x10, 0x10]) }
        aids += (0x20...0x2A).map { [0xA0, 0, 0, 0x01, 0x52, 0x99, $0] }
        var data = terminal
        data[0x9F09] = [0x00, 0x01]
        data[0x9F1E] = Array("BENCHK06".utf8)
        return Configuration(
            terminal: data,
            combinations: aids.prefix(12).map {
                Combination(
                    aid: $0, kernel: .discover(), transactionTypes: [.purchase, .refund],
                    limits: Limits(transaction: 30000, floor: floor, cvmRequired: 5000), ttq: [ttq, 0x00, 0x40, 0x00])
            },
            caKeys: keys(CardAuthority.discoverRID))
    }
}
