// SPDX-License-Identifier: Apache-2.0
// Golden taps that Kernel 2 alone has: data storage, data exchange, torn transactions.
import EMVKit

@testable import EMVSimulator

extension GoldenScenes {
    /// Action codes and limits of a reader that takes Mastercard; `changes` win.
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

    static let storage: DataObjects = [
        0xDF811B: [0x30], 0x9F5C: [1, 2, 3, 4, 5, 6, 7, 8], 0xDF8108: [0x40], 0xDF810A: [0x40],
        0xDF60: Bytes(repeating: 0, count: 8),
        0xDF61: [1, 1, 2, 3, 5, 8, 13, 21], 0xDF62: [0x80], 0xDF63: [0xCA, 0xFE], 0xDF8109: [9, 8, 7, 6, 5, 4, 3, 2],
        0xDF810D: [0x02, 0x00], 0xDF8110: [0x01],
    ]

    // MARK: Scenes

    static var storageAndExchange: [GoldenScene] {
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
    static var torn: [GoldenScene] {
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
