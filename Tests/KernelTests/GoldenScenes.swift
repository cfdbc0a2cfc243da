// SPDX-License-Identifier: Apache-2.0
// Which taps are golden: every named card of the simulator at a till, and at tills and sales that lead elsewhere.
import EMVKit

@testable import EMVSimulator

/// A card, a till and a sale. Played by `GoldenRecorder`.
struct GoldenScene {
    var name: String
    var reader: String
    var transaction: Transaction
    var card: any CardPresentation
    /// The reader remembers the scene before this one.
    var keepsMemory = false
    /// Given where the session parks.
    var online: DataObjects?
    /// Answers to questions of a kernel, in order; then the deadline passes.
    var answers: [Bytes] = []
}

enum GoldenScenes {
    static let profiles: [(name: String, profile: Protection.Profile)] = [
        ("guarded", .guarded), ("book", .book), ("strict", .strict),
    ]
    static let random: Bytes = (0..<32).map { UInt8(truncatingIfNeeded: 0x51 &+ 0x25 &* $0) }

    static func sale(
        _ amount: UInt64 = 1250, type: TransactionType = .purchase, other: UInt64 = 0, data: DataObjects = [:],
        counter: UInt32 = 1,
        minute: Int = 0
    ) -> Transaction {
        Transaction(
            type: type, amount: amount, amountOther: other, currency: 978, exponent: 2,
            date: CalendarDate(year: 2026, month: 11, day: 21)!,
            time: TimeOfDay(hour: 12, minute: minute, second: 0)!, counter: counter, random: .fixed(random), data: data)
    }

    // MARK: Tills

    static let terminal: DataObjects = [
        0x9F1A: [0x02, 0x76], 0x9F35: [0x22], 0x9F33: [0xE0, 0xB8, 0xC8], 0x9F40: [0x60, 0x00, 0xB0, 0xA0, 0x01],
        0x9F15: [0x59, 0x99],
        0x9F4E: Array("GOLDEN".utf8),
    ]

    /// Action codes and limits of a till that takes Mastercard; `changes` win.
    static func mastercard(_ changes: DataObjects = [:]) -> DataObjects {
        var data: DataObjects = [
            0xDF8117: [0x60], 0xDF8118: [0x60], 0xDF8119: [0x08], 0xDF811A: [0x9F, 0x6A, 0x04], 0xDF811B: [0x30],
            0xDF811C: [0x01, 0x2C],
            0xDF811D: [0x02], 0xDF811E: [0x20], 0xDF811F: [0x08], 0xDF812C: [0x10], 0xDF8120: [0, 0, 0, 0, 0],
            0xDF8121: [0, 0, 0, 0, 0],
            0xDF8122: [0, 0, 0, 0, 0], 0xDF8123: [0, 0, 0, 1, 0, 0], 0xDF8124: [0, 0, 0, 3, 0, 0],
            0xDF8125: [0, 0, 0, 5, 0, 0],
            0xDF8126: [0, 0, 0, 0, 0x50, 0], 0xDF8127: [0x01, 0xF4], 0xDF812D: [0, 0, 0x13], 0x9F6D: [0, 1],
            0x9F09: [0, 2], 0xDF8132: [0, 0x14],
            0xDF8133: [0, 0x32], 0xDF8134: [0, 0x12], 0xDF8135: [0, 0x18], 0xDF8136: [1, 0x2C], 0xDF8137: [0x32],
        ]
        for change in changes.elements { data[change.tag] = change.value }
        return data
    }

    static func configuration(
        _ profile: Protection.Profile, limits: Limits = Limits(transaction: 30_000, floor: 10_000, cvmRequired: 5_000),
        ttq: Bytes = [0x36, 0x00, 0x40, 0x00], mastercard changes: DataObjects = [:]
    ) -> Configuration {
        let visa: [Bytes] = [[0xA0, 0, 0, 0, 0x03, 0x10, 0x10], [0xA0, 0, 0, 0, 0x03, 0x20, 0x10]]
        let other: [Bytes] = [[0xA0, 0, 0, 0, 0x04, 0x10, 0x10], [0xA0, 0, 0, 0, 0x04, 0x30, 0x60]]
        let types: [TransactionType] = [.purchase, .cash, .cashBack, .refund]
        var data = mastercard(changes)
        // Strict wants a failed CDA denied (SECURITY.md, A04).
        if profile == .strict { data[0xDF8121] = [0x04, 0, 0, 0, 0] }
        return Configuration(
            terminal: terminal,
            combinations: visa.map {
                Combination(aid: $0, kernel: 3, transactionTypes: types, limits: limits, statusCheck: true, ttq: ttq)
            }
                + other.map { Combination(aid: $0, kernel: 2, transactionTypes: types, data: data) },
            caKeys: CardAuthority.publicKeys.map { CAKey($0) },
            revoked: [Revocation(rid: CardAuthority.visaRID, index: 0xF3, serial: [0x00, 0x00, 0xAA])],
            protection: Protection(profile: profile))
    }

    static let readers: [(name: String, configuration: Configuration)] =
        profiles.map {
            (
                $0.name,
                configuration($0.profile, mastercard: $0.profile == .strict ? [0xDF8121: [0x04, 0, 0, 0, 0]] : [:])
            )
        } + [
            (
                "online-only",
                configuration(
                    .guarded, ttq: [0x36, 0x80, 0xC0, 0x00],
                    mastercard: [0xDF8122: [0xFF, 0xFF, 0xFF, 0xFF, 0xFF], 0xDF8123: [0, 0, 0, 0, 0, 0]])
            ),
            (
                "device-limit",
                configuration(
                    .guarded,
                    limits: Limits(transaction: 20_000, floor: 10_000, cvmRequired: 5_000, cdcvmTransaction: 90_000))
            ),
            (
                "no-device",
                configuration(
                    .book, ttq: [0x32, 0x00, 0x00, 0x00],
                    mastercard: [0xDF811B: [0x10], 0xDF8118: [0x20], 0xDF811E: [0x10]])
            ),
            ("storage", configuration(.guarded, mastercard: storage)),
            (
                "exchange",
                configuration(
                    .guarded,
                    mastercard: [
                        0xDF8112: [0x9F, 0x50, 0x9F, 0x75], 0xDF8110: [0x00], 0x9F7C: Bytes(repeating: 0x4D, count: 20),
                    ])
            ),
            (
                "denial",
                configuration(
                    .book,
                    mastercard: [
                        0xDF8121: [0xFF, 0xFF, 0xFF, 0xFF, 0xFF], 0xDF811F: [0x00], 0xDF811B: [0xB0],
                    ])
            ),
        ]

    static let storage: DataObjects = [
        0xDF811B: [0x30], 0x9F5C: [1, 2, 3, 4, 5, 6, 7, 8], 0xDF8108: [0x40], 0xDF810A: [0x40],
        0xDF60: Bytes(repeating: 0, count: 8),
        0xDF61: [1, 1, 2, 3, 5, 8, 13, 21], 0xDF62: [0x80], 0xDF63: [0xCA, 0xFE], 0xDF8109: [9, 8, 7, 6, 5, 4, 3, 2],
        0xDF810D: [0x02, 0x00], 0xDF8110: [0x01],
    ]

    // MARK: Scenes

    static var all: [GoldenScene] { named + sales + storageAndExchange + torn + faults + relayed + issuer }

    private static func scene(
        _ kind: String, _ card: String, _ reader: String, _ sale: Transaction = sale(), online: DataObjects? = nil,
        answers: [Bytes] = []
    ) -> GoldenScene {
        GoldenScene(
            name: "\(kind)/\(card)/\(reader)", reader: reader, transaction: sale,
            card: VirtualCard(CardProfile.named(card)!), online: online,
            answers: answers)
    }

    static let cards = CardProfile.profiles.keys.sorted()

    private static var named: [GoldenScene] {
        cards.flatMap { card in profiles.map { scene("plain", card, $0.name) } }
    }

    private static var sales: [GoldenScene] {
        let offline = [
            "fdda", "fddaMax", "mcOffline", "mcOfflineMax", "mcOfflineSmallF4", "cdcvmPhoneOffline", "mcPhoneOffline",
            "signatureOffline",
        ]
        let chosen =
            cards.filter { $0.hasPrefix("mc") } + [
                "online", "onlineODA", "fdda", "cdcvm", "cdcvmSigned", "cdcvmPhone", "cdcvmPhoneOffline", "onlinePIN",
                "signature", "signatureOffline",
                "noCVM", "noCVMContact", "ctqAbsent", "ctqAbsentOffline", "tryAnotherInterface", "phoneLocked",
                "seePhoneForever",
            ]
        return chosen.flatMap { card in
            [
                scene("above-cvm-limit", card, "guarded", sale(6000)),
                scene("above-cvm-limit", card, "no-device", sale(6000)),
                scene("above-cvm-limit", card, "strict", sale(6000)),
            ]
        }
            + (offline + [
                "cash", "noCash", "noCashContact", "domesticCash", "foreign", "mcDomestic", "mcNoCVM", "online",
            ]).flatMap { card in
                [
                    scene("cash", card, "guarded", sale(type: .cash)),
                    scene("cash-back", card, "guarded", sale(4000, type: .cashBack, other: 1000)),
                    scene("refund", card, "book", sale(type: .refund)),
                    scene("refund", card, "guarded", sale(type: .refund)),
                    scene("zero", card, "guarded", sale(0)), scene("above-floor", card, "guarded", sale(20_000)),
                    scene("online-only", card, "online-only"),
                    scene("device-limit", card, "device-limit", sale(50_000)),
                    scene("at-limit", card, "guarded", sale(30_000)), scene("denial", card, "denial"),
                ]
            }
    }

    private static var storageAndExchange: [GoldenScene] {
        let cards =
            cards.filter { $0.hasPrefix("mcStorage") } + [
                "mcEnvelopes", "mcOffline", "mcBalance", "mcStripe", "mcBothModes", "mcPDOL", "mcTorn", "mcRelay",
            ]
        let balance: DataObjects = [0xDF8104: [], 0xDF8105: []]
        let go: Bytes = [0xDF, 0x81, 0x10, 0x01, 0x01]
        let write: Bytes =
            go + [
                0xFF, 0x81, 0x02, 0x06, 0x9F, 0x75, 0x03, 0xAA, 0xBB, 0xCC, 0xFF, 0x81, 0x03, 0x06, 0x9F, 0x77, 0x03,
                0x11, 0x22, 0x33,
            ]
        return cards.flatMap { card in
            [
                scene("storage", card, "storage"),
                scene("exchange", card, "exchange", sale(data: balance), answers: [go]),
                scene("exchange-silent", card, "exchange"),
                scene("exchange-write", card, "exchange", sale(data: balance), answers: [write]),
                scene(
                    "storage-exchange", card, "storage", sale(data: [0xDF8110: [0x00], 0xDF8112: [0x9F, 0x50]]),
                    answers: [write]),
            ]
        }
    }

    /// The answer to the cryptogram command is lost; the card comes back, for the same sale and for another.
    private static var torn: [GoldenScene] {
        [
            "mcTorn", "mcTornOnline", "mcTornNoCDA", "mcTornRelay", "mcTornBalance", "mcStorageTorn", "mcOffline",
            "mcStripe",
        ].flatMap { name in
            [FaultPlan.Fault.removeAfter, .drop].enumerated().flatMap { index, fault -> [GoldenScene] in
                let card = VirtualCard(CardProfile.named(name)!)
                let reader = name.hasPrefix("mcStorage") ? "storage" : "guarded"
                func part(_ part: String, _ card: any CardPresentation, _ sale: Transaction, kept: Bool) -> GoldenScene
                {
                    GoldenScene(
                        name: "torn-\(index)-\(part)/\(name)/\(reader)", reader: reader, transaction: sale, card: card,
                        keepsMemory: kept)
                }
                return [
                    part("one-tap", TornCard(card, fault), sale(), kept: false),
                    part("lost", TornCard(card, fault, isForGood: true), sale(), kept: false),
                    part("other-amount", card, sale(99_00, counter: 2, minute: 1), kept: true),
                    part("lost-again", TornCard(card, fault, isForGood: true), sale(), kept: false),
                    part("too-late", card, sale(counter: 2, minute: 59), kept: true),
                ]
            }
        }
    }

    private static var faults: [GoldenScene] {
        let cards = [
            "fdda", "online", "nextApplication", "twoApplications", "mcOffline", "mcStripe", "mcRelay", "mcAndVisa",
            "mcBalance",
        ]
        let kinds: [FaultPlan.Fault] = [
            .drop, .loseResponse, .truncate(1), .truncate(9), .replace([0x69, 0x85]), .replace([0x6A, 0x83]),
            .transmissionError, .protocolError, .remove, .removeAfter, .replace([0x90, 0x00]),
        ]
        return cards.flatMap { name in
            (1...7).flatMap { exchange in
                kinds.enumerated().map { index, fault in
                    GoldenScene(
                        name: "fault-\(index)-at-\(exchange)/\(name)/guarded", reader: "guarded", transaction: sale(),
                        card: FaultyCard(VirtualCard(CardProfile.named(name)!), FaultPlan(at: exchange, fault)))
                }
            }
        }
            + cards.map { name in
                GoldenScene(
                    name: "collision/\(name)/guarded", reader: "guarded", transaction: sale(),
                    card: FaultyCard(VirtualCard(CardProfile.named(name)!), FaultPlan([:], collisions: [1, 2])))
            }
    }

    /// A relay that edits what it passes on.
    private static var relayed: [GoldenScene] {
        let edits: [(String, CardEdit)] = [
            ("claims-cdcvm", CardEdit(.options, .response(.setBits(0x9F6C, [0x00, 0x80])))),
            ("drops-pin", CardEdit(.options, .response(.clearBits(0x9F6C, [0x80, 0x00])))),
            ("drops-signature", CardEdit(.options, .response(.remove(0x9F4B)))),
            ("type-as-tc", CardEdit(.options, .response(.replace(0x9F27, [0x40])))),
            ("type-as-tc", CardEdit(.cryptogram, .response(.replace(0x9F27, [0x40])))),
            ("no-type", CardEdit(.options, .response(.remove(0x9F27)))),
            ("type-as-aac", CardEdit(.cryptogram, .response(.replace(0x9F27, [0x00])))),
            ("terminal-data", CardEdit(.options, .response(.insert(0x9F02, [0, 0, 0, 0, 0, 1])))),
            ("terminal-data", CardEdit(.record(1), .response(.insert(0x9F37, [0, 0, 0, 0])))),
            ("static-profile", CardEdit(.options, .response(.clearBits(0x82, [0x20, 0x00])))),
            (
                "other-account",
                CardEdit(.record(1), .response(.replace(0x5A, [0x41, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x29])))
            ),
            (
                "other-track",
                CardEdit(
                    .options,
                    .response(.replace(0x57, [0x40, 0x12, 0x88, 0x88, 0x88, 0x88, 0x18, 0x81, 0xD4, 0x91, 0x22, 0x01])))
            ),
            ("other-tag-list", CardEdit(.every, .response(.replace(0x9F4A, [0x82, 0x9F, 0x36])))),
            ("twice", CardEdit(.options, .response(.duplicate(0x82)))),
            ("unknown-authority", CardEdit(.every, .response(.replace(0x8F, [0x77])))),
            ("exponent-one", CardEdit(.every, .response(.replace(0x9F32, [1])))),
            ("no-relay-resistance", CardEdit(.options, .response(.clearBits(0x82, [0x00, 0x01])))),
            ("slow", CardEdit(.relayResistance, .delay(milliseconds: 60))),
            ("empty-list", CardEdit(.every, .response(.replace(0x8E, [0, 0, 0, 0, 0, 0, 0, 0])))),
            ("other-cdol", CardEdit(.every, .response(.replace(0x8C, [0x9F, 0x02, 0x06])))),
        ]
        return ["fdda", "cdcvmSigned", "onlinePIN", "onlineODA", "mcOffline", "mcOnlinePIN", "mcRelay"].flatMap {
            name in
            edits.enumerated().flatMap { index, edit in
                profiles.map { profile in
                    GoldenScene(
                        name: "relayed-\(index)-\(edit.0)/\(name)/\(profile.name)", reader: profile.name,
                        transaction: sale(6000),
                        card: CardInTheMiddle(VirtualCard(CardProfile.named(name)!), [edit.1]))
                }
            }
        }
    }

    private static var issuer: [GoldenScene] {
        ["issuerUpdate", "online", "mcOnline"].flatMap { card in
            [
                [:] as DataObjects, [0x8A: [0x30, 0x30], 0x91: [1, 2, 3, 4, 5, 6, 7, 8, 0x30, 0x30]],
                [0x8A: [0x30, 0x35], 0x72: [0x9F, 0x18, 4, 0, 0, 0, 1, 0x86, 5, 0x84, 0x1E, 0, 0, 0]],
            ]
            .enumerated().map { index, answer in
                var scene = scene("issuer-\(index)", card, "online-only")
                scene.online = answer
                return scene
            }
        }
    }
}

/// Loses what a card says to GENERATE AC, RECOVER AC or COMPUTE CRYPTOGRAPHIC CHECKSUM: the first time, or every time.
struct TornCard: CardPresentation {
    var card: VirtualCard
    let fault: FaultPlan.Fault
    let isForGood: Bool
    private var isTorn = false

    init(_ card: VirtualCard, _ fault: FaultPlan.Fault, isForGood: Bool = false) {
        self.card = card
        self.fault = fault
        self.isForGood = isForGood
    }

    mutating func poll() -> CardPresence { card.poll() }
    mutating func reset() { card.reset() }

    mutating func exchange(_ command: [UInt8]) -> CardReply {
        guard command.count > 1, [0xAE, 0xD0, 0x2A].contains(command[1]), isForGood || !isTorn else {
            return card.exchange(command)
        }
        isTorn = true
        if fault == .drop { return .timeout }
        _ = card.exchange(command)
        return .removed
    }
}
