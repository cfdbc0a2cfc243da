// SPDX-License-Identifier: Apache-2.0
import EMVPOS
import EMVCards

/// Kernel 2, with one reader for all scenarios: CDA, relay resistance, on-device CVM, mag-stripe mode, torn recovery,
/// data storage.
extension Scenario {
    static let k2: [Scenario] = [
        mastercard(
            "k2-cda-online", "online with a combined signature; keys of 1408, 1152 and 896 bits, e = 3",
            card: "mcOnline",
            outcome: .onlineRequest),
        mastercard(
            "k2-cda-offline", "approved offline with a combined signature", card: "mcOffline",
            outcome: .approved),
        mastercard(
            "k2-cda-max", "approved offline; keys of 1984, 1976 and 1640 bits, e = 3", card: "mcOfflineMax",
            outcome: .approved),
        mastercard("k2-no-cda", "online without a signature", card: "mcNoCDA", outcome: .onlineRequest),
        mastercard("k2-magstripe", "mag-stripe mode, both tracks", card: "mcStripe", outcome: .onlineRequest),
        mastercard("k2-rrp", "relay resistance, then approved offline", card: "mcRelay", outcome: .approved),
        mastercard(
            "k2-torn", "the answer with the cryptogram is lost, and recovered: two presentments", card: "mcTorn",
            loses: 0xAE,
            outcome: .approved),
        mastercard(
            "k2-phone", "a phone wants its holder first: two presentments", card: "mcPhone", amount: 6000,
            outcome: .onlineRequest, cvm: .cdcvm),
        mastercard(
            "k2-balance", "balance read before and after the approval", card: "mcBalance",
            data: [0xDF8104: [], 0xDF8105: []],
            outcome: .approved),
        mastercard(
            "k2-decline", "declined by the card", card: "mcDeclineDevice", tap: .declined, outcome: .declined),
        mastercard(
            "k2-limit", "amount above the kernel's limit", card: "mcOnline", amount: 30001, tap: .limitExceeded,
            outcome: .endApplication, cvm: .notApplicable),
        mastercard(
            "k2-online-pin", "online with an online PIN", card: "mcOnlinePIN", amount: 6000,
            tap: .onlinePINRequired,
            outcome: .onlineRequest, cvm: .onlinePIN),
        mastercard(
            "k2-ids", "data storage written, then approved offline", card: "mcStorage",
            data: [
                0x9F5C: [1, 2, 3, 4, 5, 6, 7, 8], 0xDF60: Bytes(repeating: 0, count: 8), 0xDF62: [0x80],
                0xDF63: Bytes(repeating: 0xA5, count: 32), 0xDF8108: [0x40], 0xDF8109: Bytes(repeating: 9, count: 8),
                0xDF810A: [0xE0],
            ],
            outcome: .approved),
    ]

    private static func mastercard(
        _ name: String, _ summary: String, card profile: String, amount: UInt64 = 1250, data: DataObjects = [:],
        loses: UInt8? = nil, tap: TapName = .success, outcome: Outcome.Status, cvm: Outcome.CVM = .none
    ) -> Scenario {
        Scenario(
            name, summary, card: profile, at: reader, amount: amount, data: data, loses: loses,
            Expectation(tap: tap, outcome: outcome, cvm: cvm))
    }

    /// Twelve combinations; the card's application is the first of them. Limits are data objects of the kernel, because
    /// the C session does not translate them.
    private static var reader: Configuration {
        var data = Configuration.mastercardReader
        for (tag, digits) in [
            (0xDF8123, [0x01, 0x00, 0x00]), (0xDF8124, [0x03, 0x00, 0x00]), (0xDF8125, [0x03, 0x00, 0x00]),
            (0xDF8126, [0x00, 0x50, 0x00]),
        ]
            as [(Tag, Bytes)]
        {
            data[tag] = [0, 0, 0] + digits
        }
        let own: [Bytes] = [
            [0xA0, 0, 0, 0, 0x04, 0x10, 0x10], [0xA0, 0, 0, 0, 0x04, 0x30, 0x60], [0xA0, 0, 0, 0, 0x04, 0x22, 0x03],
        ]
        let others = (1...9).map { Bytes([0xA0, 0, 0, 0, 0x04, 0x99, $0]) }
        return Configuration(
            terminal: terminal,
            combinations: (own + others).map {
                Combination(aid: $0, kernel: 2, transactionTypes: [.purchase, .refund], data: data)
            },
            caKeys: keys(CardAuthority.visaRID, CardAuthority.mastercardRID))
    }
}
