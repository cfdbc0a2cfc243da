// SPDX-License-Identifier: Apache-2.0
import EMVKit
import Testing

@testable import EMVCards
@testable import EMVSimulator

/// Every tap of every Mastercard is cut at every step, and the card is presented again.
@Suite struct MastercardTornTests {
    /// How a step is cut: the command never arrives, or its response is lost, in all ways that a link has.
    static let cuts: [FaultPlan.Fault] = [.drop, .loseResponse, .remove, .removeAfter, .transmissionError]

    typealias Cut = FaultyCard<Witness<VirtualCard>>

    /// Balance and data to write: taps of cards that have them reach every wait after the cryptogram.
    static let data: DataObjects = [
        0xDF8104: [], 0xDF8105: [], 0xFF8103: [0x9F, 0x75, 0x01, 0xAA],
    ]

    private func commands(of name: String, _ pos: MastercardPOS) throws -> Int {
        var card = MastercardPOS.card(name)
        return try pos.tap(&card, ReaderMemory()).commands.count
    }

    /// For each approved counter the card itself must have approved, and only once.
    private struct Books {
        var approved: [Bytes] = []

        mutating func enter(_ tap: MastercardPOS.Tap, _ card: Cut, _ place: String) {
            guard tap.outcome.status == .approved else { return }
            let counter = tap[0x9F36] ?? []
            #expect(card.card.approvals.contains(counter), "\(place): the card never approved \(counter)")
            #expect(!approved.contains(counter), "\(place): approved twice on one cryptogram")
            approved.append(counter)
        }
    }

    private static let recovering = ["mcTorn", "mcTornRelay", "mcTornBalance", "mcStorageTorn"]

    /// The tap continues with the second presentment: the card's cryptograms and the approvals agree.
    @Test(arguments: MastercardPOS.names)
    func aCutTapThatGoesOnIsApprovedOnce(name: String) throws {
        guard !["mcPhoneAcknowledge", "mcPhoneWallet"].contains(name) else { return }  // never end on their own
        var pos = MastercardPOS()
        pos.transaction = MastercardPOS.sale(12_50, Self.data)
        let steps = try commands(of: name, pos)
        for step in 1...steps {
            for cut in Self.recovering.contains(name) ? Self.cuts : [.drop, .removeAfter] {
                let place = "\(name), \(cut) at \(step)"
                var card = Cut(Witness(MastercardPOS.card(name)), FaultPlan(at: step, cut))
                let reader = ReaderMemory()
                var books = Books()
                let tap = try pos.tap(&card, reader)
                #expect(!tap.gaveUp && tap.outcome.status != .none, "\(place)")
                #expect(tap.outcome.reason != .internal, "\(place)")
                books.enter(tap, card, place)
                guard Self.recovering.contains(name) else { continue }
                #expect(tap.outcome.status == .approved, "\(place)")
                #expect(card.card.approvals.count == 1, "\(place): the card spent twice")
                #expect(reader.tornTransactions == 0, "\(place): the log is cleared")
            }
        }
    }

    /// The tap is given up when the card is requested again, and a new sale with equal data begins: it uses the first
    /// cryptogram.
    @Test(arguments: [
        "mcTorn", "mcTornOnline", "mcTornNoCDA", "mcTornRelay", "mcTornBalance", "mcStorageTorn", "mcOffline",
    ])
    func aCutTapThatIsGivenUpIsRecoveredByTheNext(name: String) throws {
        var pos = MastercardPOS()
        pos.transaction = MastercardPOS.sale(12_50, Self.data)
        let steps = try commands(of: name, pos)
        let recovers = name != "mcOffline"
        for step in 1...steps {
            for cut in Self.cuts {
                let place = "\(name), \(cut) at \(step)"
                var card = Cut(Witness(MastercardPOS.card(name)), FaultPlan(at: step, cut))
                let reader = ReaderMemory()
                var books = Books()
                pos.patience = 1
                let first = try pos.tap(&card, reader)
                books.enter(first, card, place)
                let lost = first.gaveUp && first.commands.last?[1] == 0xAE
                #expect(reader.tornTransactions == (lost && recovers ? 1 : 0), "\(place)")
                guard first.gaveUp else { continue }

                pos.patience = .max
                let second = try pos.tap(&card, reader)
                books.enter(second, card, place)
                #expect(reader.tornTransactions == 0, "\(place)")
                #expect(second.count(0xD0) == (lost && recovers ? 1 : 0), "\(place)")
                if recovers { #expect(card.card.given.count == 1, "\(place): one cryptogram for one sale") }
                #expect(
                    second.outcome.status
                        == (name.hasSuffix("Online") || name == "mcTornNoCDA" ? .onlineRequest : .approved), "\(place)")
            }
        }
    }

    /// The recovery is cut as well, or the next cryptogram if there was nothing to recover.
    @Test(arguments: ["mcTorn", "mcTornOnline", "mcTornRelay", "mcTornBalance"])
    func aCutRecoveryIsTriedAgain(name: String) throws {
        var pos = MastercardPOS()
        var whole = MastercardPOS.card(name)
        let steps = try pos.tap(&whole, ReaderMemory()).instructions.firstIndex(of: 0xAE)! + 1
        pos.patience = .max
        for first in Self.cuts {
            for second in Self.cuts {
                for later in [0, 1] {
                    let place = "\(name): \(first), then \(second) at \(later)"
                    var card = Cut(
                        Witness(MastercardPOS.card(name)), FaultPlan([steps: [first], 2 * steps + later: [second]]))
                    let reader = ReaderMemory()
                    let tap = try pos.tap(&card, reader)
                    #expect(tap.presentments <= 3, "\(place)")
                    #expect(tap.outcome.status == (name == "mcTornOnline" ? .onlineRequest : .approved), "\(place)")
                    #expect(card.card.given.count == 1, "\(place): one cryptogram for one sale")
                    #expect(tap[0x9F36] == card.card.given.first?.counter, "\(place)")
                    #expect(reader.tornTransactions == 0, "\(place)")
                }
            }
        }
    }

    /// A tap abandoned while the cryptogram is being generated is torn, too, whoever abandons it: the card may have
    /// counted it.
    @Test func anAbandonedCryptogramIsRecovered() throws {
        var card = Witness(MastercardPOS.card("mcTorn"))
        let reader = ReaderMemory()
        let pos = MastercardPOS()
        do {
            var session = try KernelSession(pos.checked(), pos.transaction, reader: reader)
            while session.kind != .done {
                switch session.step {
                case .poll: session.advance(.card)
                case .send(let command):
                    guard case .response(let bytes, _) = card.exchange(command) else { continue }
                    if command[1] == 0xAE {
                        #expect(reader.tornTransactions == 0)
                        session.advance(.abandon)
                    } else {
                        session.advance(.response(bytes))
                    }
                default: session.advance(.carryOn)
                }
            }
            #expect(session.outcome.reason == .abandoned)
        }
        #expect(reader.tornTransactions == 1)
        let tap = try pos.tap(&card, reader)
        #expect(tap.outcome.status == .approved)
        #expect(card.approvals.count == 1)
        #expect(card.recoveries == 1)
    }

    /// Dropping a session abandons it.
    @Test(arguments: [false, true])
    func aDroppedSessionIsRecovered(answered: Bool) throws {
        var card = Witness(MastercardPOS.card("mcTorn"))
        let reader = ReaderMemory()
        let pos = MastercardPOS()
        func dropAtTheCryptogram() throws {
            var session = try KernelSession(pos.checked(), pos.transaction, reader: reader)
            while session.kind != .work {
                switch session.step {
                case .poll: session.advance(.card)
                case .send(let command):
                    guard case .response(let bytes, _) = card.exchange(command) else { continue }
                    if command[1] == 0xAE, !answered { return }
                    session.advance(.response(bytes))
                default: return
                }
            }
        }
        try dropAtTheCryptogram()
        #expect(reader.tornTransactions == 1)
        #expect(try pos.tap(&card, reader).outcome.status == .approved)
        #expect(card.approvals.count == 1)
    }

    /// attacks.md, A20: another sale never ends with the torn sale's cryptogram, except in profile `book`.
    @Test(arguments: Protection.Profile.allCases)
    func anotherSaleGetsACryptogramOfItsOwn(profile: Protection.Profile) throws {
        var pos = MastercardPOS(profile)
        pos.configuration = .simulator(protection: Protection(profile: profile, offline: .enforce))
        // One of the sales uses another currency.
        for row in pos.configuration.combinations.indices { pos.configuration.combinations[row].currency = nil }
        let sales = [
            MastercardPOS.sale(13_00), MastercardPOS.sale(12_50, type: .cash),
            {
                var sale = MastercardPOS.sale(12_50); sale.currency = 840; return sale
            }(),
            {
                var sale = MastercardPOS.sale(12_50, type: .cashBack); sale.amountOther = 1_00; return sale
            }(),
        ]
        for sale in sales {
            var card = Witness(MastercardPOS.card("mcTornOnline"))
            let reader = ReaderMemory()
            try tear(&card, reader, pos)
            var other = pos
            other.transaction = sale
            let tap = try other.tap(&card, reader)
            #expect(tap.count(0xD0) == (profile == .book ? 1 : 0))
            #expect(card.given.count == (profile == .book ? 1 : 2))
            if profile != .book {
                #expect(tap[0x9F36] == card.given.last?.counter)
                #expect(tap[0x9C] == [sale.type.rawValue])
            }
        }
    }

    /// FF8101; its first byte is filler to a TLV reader.
    private func reportsTornRecord(_ tap: MastercardPOS.Tap) -> Bool { tornRecords(of: tap) > 0 }

    private func tornRecords(of tap: MastercardPOS.Tap) -> Int {
        let bytes = tap.outcome.discretionary?.bytes ?? []
        return bytes.indices.dropLast(2).count { bytes[$0] == 0xFF && bytes[$0 + 1] == 0x81 && bytes[$0 + 2] == 0x01 }
    }

    private func tear(_ card: inout Witness<VirtualCard>, _ reader: ReaderMemory, _ pos: MastercardPOS) throws {
        var first = pos
        first.patience = 1
        var cut = FaultyCard(card, FaultPlan(at: try commands(of: card.card.profile.name, pos), .loseResponse))
        #expect(try first.tap(&cut, reader).gaveUp)
        card = cut.card
    }

    /// Records age: after 120 seconds outside `book`, after the kernel's own lifetime in it.
    @Test(arguments: [
        (Protection.Profile.guarded, 120, true), (.guarded, 121, false), (.book, 300, true), (.book, 301, false),
    ])
    func recordsAge(profile: Protection.Profile, seconds: Int, recovers: Bool) throws {
        var pos = MastercardPOS()
        pos.configuration = .simulator(protection: Protection(profile: profile))
        var card = Witness(MastercardPOS.card("mcTorn"))
        let reader = ReaderMemory()
        try tear(&card, reader, pos)
        pos.transaction.time = TimeOfDay(hour: 12, minute: seconds / 60, second: seconds % 60)!
        let tap = try pos.tap(&card, reader)
        #expect(tap.count(0xD0) == (recovers ? 1 : 0))
        #expect(reportsTornRecord(tap) == !recovers, "what left the log is reported")
        #expect(reader.tornTransactions == 0)
    }

    /// If the clock was set back, every record is too old, because its age is unknown.
    @Test func aRecordFromTheFutureIsNotRecovered() throws {
        var pos = MastercardPOS()
        var card = Witness(MastercardPOS.card("mcTorn"))
        let reader = ReaderMemory()
        try tear(&card, reader, pos)
        pos.transaction.time = TimeOfDay(hour: 11, minute: 59, second: 59)!
        #expect(try pos.tap(&card, reader).count(0xD0) == 0)
    }

    @Test func theKnobsSwitchRecoveryOffAndShortenIt() throws {
        for (protection, recovers) in [
            (Protection(torn: .off), false), (Protection(tornLifetime: 30), false),
            (Protection(tornLifetime: 60), true),
            (Protection(profile: .book, torn: .sameSale), true),
        ] {
            var pos = MastercardPOS()
            pos.configuration = .simulator(protection: protection)
            var card = Witness(MastercardPOS.card("mcTorn"))
            let reader = ReaderMemory()
            try tear(&card, reader, pos)
            #expect(reader.tornTransactions == (protection.torn == .off ? 0 : 1))
            pos.transaction.time = TimeOfDay(hour: 12, minute: 1, second: 0)!
            #expect(try pos.tap(&card, reader).count(0xD0) == (recovers ? 1 : 0))
        }
    }

    /// The log has room for two: the third tear drops the oldest and reports it.
    @Test func aFullLogReportsWhatItDrops() throws {
        let pos = MastercardPOS()
        let reader = ReaderMemory()
        var cards = ["5555555555554444", "5105105105105100", "5200828282828210"].map { pan in
            var profile = CardProfile.named("mcTorn")!
            profile.application.pan = pan
            return Witness(VirtualCard(profile))
        }
        var dropped: [Bool] = []
        for index in cards.indices {
            var first = pos
            first.patience = 1
            var cut = FaultyCard(cards[index], FaultPlan(at: try commands(of: "mcTorn", pos), .loseResponse))
            dropped.append(reportsTornRecord(try first.tap(&cut, reader)))
            cards[index] = cut.card
        }
        #expect(dropped == [false, false, true])
        #expect(reader.tornTransactions == 2)
        // The first card's record is gone, so that card pays again. The others are recovered.
        for (index, count) in [(0, 2), (1, 1), (2, 1)] {
            #expect(try pos.tap(&cards[index], reader).outcome.status == .approved)
            #expect(cards[index].approvals.count == count)
        }
    }

    /// The log became smaller, a record is too old, and another tap tears: both removed records are reported in full in
    /// one outcome.
    @Test func twoRecordsThatLeaveTheLogAreBothReported() throws {
        var pos = MastercardPOS()
        pos.configuration = .simulator(mastercard: [0xDF811D: [3]])
        let reader = ReaderMemory()
        var torn: [[UInt8]] = []
        for pan in ["5555555555554444", "5105105105105100", "5200828282828210", "5454545454545454"] {
            var profile = CardProfile.named("mcTorn")!
            profile.application.pan = pan
            if torn.count == 3 {
                pos.configuration = .simulator(mastercard: [0xDF811D: [2]])
                pos.transaction.time = TimeOfDay(hour: 12, minute: 2, second: 1)!
            }
            var first = pos
            first.patience = 1
            var cut = FaultyCard(VirtualCard(profile), FaultPlan(at: try commands(of: "mcTorn", pos), .loseResponse))
            let tap = try first.tap(&cut, reader)
            #expect(tornRecords(of: tap) == (torn.count == 3 ? 2 : 0))
            if torn.count == 3 {
                let told = tap.outcome.discretionary?.bytes ?? []
                for (index, pan) in torn.enumerated() {
                    #expect(told.containsSequence(pan) == (index < 2), "record \(index)")
                }
            }
            torn.append(
                [UInt8](
                    stride(from: 0, to: 16, by: 2).map { at in
                        let digits = Array(pan.utf8)
                        return (digits[at] - 48) << 4 | (digits[at + 1] - 48)
                    }))
        }
        #expect(reader.tornTransactions == 2)
    }

    /// A recovered cryptogram is only as good as its signature: without one it never approves outside `book`.
    @Test(arguments: Protection.Profile.allCases)
    func aRecoveredCryptogramWithoutASignatureIsNoApproval(profile: Protection.Profile) throws {
        var pos = MastercardPOS()
        pos.configuration = .simulator(protection: Protection(profile: profile, offline: .enforce))
        var card = Witness(MastercardPOS.card("mcTorn"))
        let reader = ReaderMemory()
        try tear(&card, reader, pos)
        let forged: CardEdit.ResponseChange = .raw(
            [
                0x77, 0x16, 0x9F, 0x27, 0x01, 0x40, 0x9F, 0x36, 0x02, 0x00, 0x15, 0x9F, 0x26, 0x08, 1, 2, 3, 4, 5, 6, 7,
                8, 0x90, 0x00,
            ])
        var relay = ManInTheMiddle(card, [CardEdit(.cryptogram, .response(forged))])
        let tap = try pos.tap(&relay, reader)
        #expect(tap.count(0xD0) == 1)
        #expect(tap.outcome.status != .approved)
    }
}
