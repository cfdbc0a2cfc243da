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
            random: .fixed(Scenario.random))
    }
}

extension Scenario {
    static let all: [Scenario] = [
        Scenario("k3-online", "online, no records", card: "online", outcome: .onlineRequest),
        Scenario("k3-online-records", "online with a record to read", card: "onlineRecords", outcome: .onlineRequest),
        Scenario(
            "k3-online-oda", "online with a signature the reader asked for", card: "onlineODA", ttq: 0x37,
            outcome: .onlineRequest),
        Scenario(
            "k3-fdda", "approved offline; keys of 1408, 1152 and 896 bits, e = 3", card: "fdda", floor: 10000,
            outcome: .approved),
        Scenario(
            "k3-fdda-max", "approved offline; keys of 1984, 1976 and 1640 bits, e = 3", card: "fddaMax", floor: 10000,
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
            "k3-wrong-signature", "approved with a signature that does not verify: declined", card: "wrongSignature",
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
    ]

    private init(
        _ name: String, _ summary: String, card profile: String, amount: UInt64 = 1250, floor: UInt64 = 0,
        ttq: UInt8 = 0x36, tap: TapName = .success, outcome: Outcome.Status, cvm: Outcome.CVM = .none
    ) {
        self.name = name
        self.summary = summary
        self.profile = profile
        self.amount = amount
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
            terminal: [
                0x9F1A: [0x02, 0x76], 0x9F35: [0x22], 0x9F33: [0xE0, 0xB8, 0xC8], 0x9F40: [0x60, 0x00, 0xB0, 0xA0, 0x01],
                0x9F15: [0x59, 0x99], 0x9F4E: Array("BENCH".utf8),
            ],
            combinations: aids.map { aid in
                Combination(
                    aid: aid, kernel: 3, transactionTypes: [.purchase, .refund], limits: limits,
                    ttq: [ttq, 0x00, 0x40, 0x00])
            },
            caKeys: CardAuthority.publicKeys.map { key in
                CAKey(
                    rid: key.rid, index: key.index, exponent: key.exponent.reduce(0) { $0 << 8 | UInt32($1) },
                    modulus: key.modulus, sha1: key.sha1, expires: CalendarDate(key.expires))
            })
    }
}
