// SPDX-License-Identifier: Apache-2.0
// Which taps are golden: every named card of the simulator at an ordinary reader, and at readers and transactions that
// lead elsewhere.
import EMVKit

@testable import EMVSimulator

/// A card, a reader and a transaction. Played by `GoldenRecorder`.
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

/// Scenes that are recorded together, with their readers. A further kernel brings a set of its own, so that no other
/// kernel's file changes.
struct GoldenSet {
    /// Of all its taps; nil parts them by the kernel that a tap's outcome names.
    let file: String?
    let readers: [(name: String, configuration: Configuration)]
    let scenes: [GoldenScene]

    static var all: [GoldenSet] {
        [
            GoldenScenes.kernels2And3, GoldenScenes.kernel6, GoldenScenes.kernel7, GoldenScenes.kernel4,
            GoldenScenes.kernel5, GoldenScenes.kernel8,
        ]
    }
}

/// The scenes of Entry Point and Kernels 2 and 3.
enum GoldenScenes {
    static var kernels2And3: GoldenSet { GoldenSet(file: nil, readers: readers, scenes: all) }

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

    // MARK: Readers

    static let terminal: DataObjects = [
        0x9F1A: [0x02, 0x76], 0x9F35: [0x22], 0x9F33: [0xE0, 0xB8, 0xC8], 0x9F40: [0x60, 0x00, 0xB0, 0xA0, 0x01],
        0x9F15: [0x59, 0x99],
        0x9F4E: Array("GOLDEN".utf8),
    ]

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
            caKeys: (VisaBehaviour.authorities + MastercardBehaviour.authorities).map { CAKey($0.publicKey) },
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

    // MARK: Scenes

    private static var all: [GoldenScene] { named + sales + storageAndExchange + torn + faults + relayed + issuer }

    static func scene(
        _ kind: String, _ card: String, _ reader: String, _ sale: Transaction = sale(), online: DataObjects? = nil,
        answers: [Bytes] = []
    ) -> GoldenScene {
        GoldenScene(
            name: "\(kind)/\(card)/\(reader)", reader: reader, transaction: sale,
            card: VirtualCard(CardProfile.named(card)!), online: online,
            answers: answers)
    }

    /// Cards of Visa and Mastercard alone.
    static let cards = CardProfile.profiles.values.filter {
        $0.applications.allSatisfy {
            $0.scheme.behaviour(as: VisaBehaviour.self) != nil
                || $0.scheme.behaviour(as: MastercardBehaviour.self) != nil
        }
    }.map(\.name).sorted()

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

    /// A relay that modifies what it passes on.
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
                        card: ManInTheMiddle(VirtualCard(CardProfile.named(name)!), [edit.1]))
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
