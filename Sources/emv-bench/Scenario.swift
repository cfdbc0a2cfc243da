// SPDX-License-Identifier: Apache-2.0
import EMVKit
import EMVSimulator

/// A card, a sale and what must come of it. A run that ends otherwise is an error, never a number.
struct Scenario: Sendable {
    let name: String
    let summary: String
    /// A named profile of the simulator.
    let profile: String
    /// Minor units of the euro.
    let amount: UInt64
    let configuration: Configuration
    /// Data objects of the terminal for this sale.
    let data: DataObjects
    /// Instruction whose first answer is lost.
    let loses: UInt8?
    let expected: Expectation

    var kernel: String { String(name.prefix { $0 != "-" }) }

    struct Expectation: Sendable, Hashable {
        let tap: TapName
        let outcome: Outcome.Status
        let cvm: Outcome.CVM
    }

    static let transactionDate = CalendarDate("2026-11-21")
    static let transactionTime = TimeOfDay("12:00:00")
    /// Unpredictable numbers, four bytes each. Fixed, so that the card's answers can be prepared.
    static let random: Bytes = (0..<32).map { UInt8(truncatingIfNeeded: 0x51 &+ 0x25 &* $0) }

    var transaction: Transaction {
        guard let date = Scenario.transactionDate, let time = Scenario.transactionTime else {
            preconditionFailure("the fixed date is a date")
        }
        return Transaction(
            type: .purchase, amount: amount, currency: 978, exponent: 2, date: date, time: time, counter: 1,
            random: .fixed(Scenario.random), data: data)
    }
}

extension Scenario {
    static let all: [Scenario] =
        [
            Scenario("k3-online", "online, no records", card: "online", outcome: .onlineRequest),
            Scenario(
                "k3-online-records", "online with a record to read", card: "onlineRecords", outcome: .onlineRequest),
            Scenario(
                "k3-online-oda", "online with a signature the reader asked for", card: "onlineODA", ttq: 0x37,
                outcome: .onlineRequest),
            Scenario(
                "k3-fdda", "approved offline; keys of 1408, 1152 and 896 bits, e = 3", card: "fdda", floor: 10000,
                outcome: .approved),
            Scenario(
                "k3-fdda-max", "approved offline; keys of 1984, 1976 and 1640 bits, e = 3", card: "fddaMax",
                floor: 10000,
                outcome: .approved),
            Scenario("k3-decline", "declined by the card", card: "decline", tap: .declined, outcome: .declined),
            Scenario(
                "k3-limit", "amount at the contactless limit: no card is asked", card: "online", amount: 30000,
                tap: .limitExceeded, outcome: .tryAnotherInterface, cvm: .notApplicable),
            Scenario(
                "k3-see-phone", "a phone wants its holder first: two presentments", card: "cdcvmPhone", amount: 6000,
                outcome: .onlineRequest, cvm: .cdcvm),
            Scenario(
                "k3-online-pin", "online with an online PIN", card: "onlinePIN", amount: 6000, tap: .onlinePINRequired,
                outcome: .onlineRequest, cvm: .onlinePIN),
            Scenario(
                "k3-signature", "online with a signature on paper", card: "signature", amount: 6000,
                outcome: .onlineRequest, cvm: .signature),
            Scenario(
                "k3-cdcvm", "online, verified on the device", card: "cdcvm", amount: 6000, outcome: .onlineRequest,
                cvm: .cdcvm),
            Scenario(
                "k3-expired", "approved by a card that has expired: declined", card: "expired", floor: 10000,
                tap: .declined, outcome: .declined),
            Scenario(
                "k3-wrong-signature", "approved with a signature that does not verify: declined",
                card: "wrongSignature",
                floor: 10000, tap: .declined, outcome: .declined),
            Scenario(
                "k3-try-another", "the card wants another interface", card: "tryAnotherInterface",
                tap: .tryAnotherInterface, outcome: .tryAnotherInterface, cvm: .notApplicable),
            Scenario(
                "k3-select-next", "the first application refuses, the second goes online", card: "nextApplication",
                outcome: .onlineRequest),
            Scenario(
                "k3-unsupported", "no application in common", card: "unknownScheme", tap: .unsupportedNetwork,
                outcome: .endApplication, cvm: .notApplicable),
        ] + kernel2

    /// All with the same reader: CDA, relay resistance, on-device CVM, mag-stripe mode, torn recovery, data storage.
    private static let kernel2: [Scenario] = [
        Scenario(
            "k2-cda-online", "online with a combined signature; keys of 1408, 1152 and 896 bits, e = 3",
            mastercard: "mcOnline",
            outcome: .onlineRequest),
        Scenario(
            "k2-cda-offline", "approved offline with a combined signature", mastercard: "mcOffline", outcome: .approved),
        Scenario(
            "k2-cda-max", "approved offline; keys of 1984, 1976 and 1640 bits, e = 3", mastercard: "mcOfflineMax",
            outcome: .approved),
        Scenario("k2-no-cda", "online without a signature", mastercard: "mcNoCDA", outcome: .onlineRequest),
        Scenario("k2-magstripe", "mag-stripe mode, both tracks", mastercard: "mcStripe", outcome: .onlineRequest),
        Scenario("k2-rrp", "relay resistance, then approved offline", mastercard: "mcRelay", outcome: .approved),
        Scenario(
            "k2-torn", "the answer with the cryptogram is lost, and recovered: two presentments", mastercard: "mcTorn",
            loses: 0xAE,
            outcome: .approved),
        Scenario(
            "k2-phone", "a phone wants its holder first: two presentments", mastercard: "mcPhone", amount: 6000,
            outcome: .onlineRequest, cvm: .cdcvm),
        Scenario(
            "k2-balance", "balance read before and after the approval", mastercard: "mcBalance",
            data: [0xDF8104: [], 0xDF8105: []],
            outcome: .approved),
        Scenario(
            "k2-decline", "declined by the card", mastercard: "mcDeclineDevice", tap: .declined, outcome: .declined),
        Scenario(
            "k2-limit", "amount above the kernel's limit", mastercard: "mcOnline", amount: 30001, tap: .limitExceeded,
            outcome: .endApplication, cvm: .notApplicable),
        Scenario(
            "k2-online-pin", "online with an online PIN", mastercard: "mcOnlinePIN", amount: 6000,
            tap: .onlinePINRequired,
            outcome: .onlineRequest, cvm: .onlinePIN),
        Scenario(
            "k2-ids", "data storage written, then approved offline", mastercard: "mcStorage",
            data: [
                0x9F5C: [1, 2, 3, 4, 5, 6, 7, 8], 0xDF60: Bytes(repeating: 0, count: 8), 0xDF62: [0x80],
                0xDF63: Bytes(repeating: 0xA5, count: 32), 0xDF8108: [0x40], 0xDF8109: Bytes(repeating: 9, count: 8),
                0xDF810A: [0xE0],
            ],
            outcome: .approved),
    ]

    private init(
        _ name: String, _ summary: String, mastercard profile: String, amount: UInt64 = 1250, data: DataObjects = [:],
        loses: UInt8? = nil, tap: TapName = .success, outcome: Outcome.Status, cvm: Outcome.CVM = .none
    ) {
        self.name = name
        self.summary = summary
        self.profile = profile
        self.amount = amount
        self.data = data
        self.loses = loses
        configuration = Scenario.mastercardConfiguration
        expected = Expectation(tap: tap, outcome: outcome, cvm: cvm)
    }

    private init(
        _ name: String, _ summary: String, card profile: String, amount: UInt64 = 1250, floor: UInt64 = 0,
        ttq: UInt8 = 0x36, tap: TapName = .success, outcome: Outcome.Status, cvm: Outcome.CVM = .none
    ) {
        self.name = name
        self.summary = summary
        self.profile = profile
        self.amount = amount
        data = [:]
        loses = nil
        configuration = Scenario.configuration(floor: floor, ttq: ttq)
        expected = Expectation(tap: tap, outcome: outcome, cvm: cvm)
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
            caKeys: keys)
    }

    /// The same for Mastercard. Limits are data objects of the kernel: the C session has nobody to translate them.
    private static var mastercardConfiguration: Configuration {
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
            caKeys: keys)
    }

    private static let terminal: DataObjects = [
        0x9F1A: [0x02, 0x76], 0x9F35: [0x22], 0x9F33: [0xE0, 0xB8, 0xC8], 0x9F40: [0x60, 0x00, 0xB0, 0xA0, 0x01],
        0x9F15: [0x59, 0x99], 0x9F4E: Array("BENCH".utf8),
    ]

    private static var keys: [CAKey] {
        CardAuthority.publicKeys.map { key in
            CAKey(
                rid: key.rid, index: key.index, exponent: key.exponent.reduce(0) { $0 << 8 | UInt32($1) },
                modulus: key.modulus, sha1: key.sha1, expires: CalendarDate(key.expires))
        }
    }
}
