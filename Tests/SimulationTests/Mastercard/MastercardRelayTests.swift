// SPDX-License-Identifier: Apache-2.0
import EMVKit
import Testing

@testable import EMVCards
@testable import EMVSimulator

/// Relay resistance refuses an inserted delay and accepts the honest card.
@Suite struct MastercardRelayTests {
    /// TVR byte 5 of a card with bounds of 4 to 10 ms, and the number of attempts. The reader adds 5 ms of grace and
    /// 4.2 ms of transmission.
    static let late: UInt8 = 0x04, far: UInt8 = 0x08, performed: UInt8 = 0x02

    struct Row: Sendable, CustomTestStringConvertible {
        let milliseconds: [Double]
        /// TVR byte 5; nil: the card is faster than possible.
        let verification: UInt8?
        let attempts: Int
        var testDescription: String { "\(milliseconds)" }
    }

    static let rows: [Row] = [
        Row(milliseconds: [6.2], verification: performed, attempts: 1),
        Row(milliseconds: [8], verification: performed, attempts: 1),
        Row(milliseconds: [14.2], verification: performed, attempts: 1),
        Row(milliseconds: [19.2], verification: performed, attempts: 1),
        Row(milliseconds: [19.29], verification: performed, attempts: 1),
        Row(milliseconds: [19.3, 8], verification: performed, attempts: 2),
        Row(milliseconds: [21, 21, 8], verification: performed, attempts: 3),
        Row(milliseconds: [21, 21, 21], verification: performed | late, attempts: 3),
        Row(milliseconds: [500, 500, 38.2], verification: performed | late, attempts: 3),
        Row(milliseconds: [500, 500, 38.3], verification: performed | late | far, attempts: 3),
        Row(milliseconds: [40, 40, 40], verification: performed | late | far, attempts: 3),
        Row(milliseconds: [6_600, 6_600, 6_600], verification: performed | late | far, attempts: 3),
        Row(milliseconds: [4_000_000], verification: performed | late | far, attempts: 3),
        Row(milliseconds: [6.1], verification: nil, attempts: 1),
        Row(milliseconds: [3], verification: nil, attempts: 1),
        Row(milliseconds: [21, 3], verification: nil, attempts: 2),
    ]

    private func pos(
        _ profile: Protection.Profile = .guarded, denial: Bytes = [0x04, 0, 0, 0, 0x0C]
    ) -> MastercardPOS {
        var pos = MastercardPOS()
        pos.configuration = .simulator(
            mastercard: [0xDF8121: denial], protection: Protection(profile: profile, offline: .enforce))
        return pos
    }

    private func check(_ tap: MastercardPOS.Tap, _ row: Row, _ place: String) {
        #expect(tap.count(0xEA) == row.attempts, "\(place)")
        guard let verification = row.verification else {
            #expect(tap.outcome.status == .endApplication && tap.outcome.errorIndication.l2 == 0x06, "\(place)")
            return
        }
        #expect(tap.terminalVerification?.last == verification, "\(place)")
        let passes = verification & 0x0C == 0
        #expect((tap.outcome.status == .approved) == passes, "\(place)")
        #expect(passes || tap.outcome.status == .tryAnotherInterface, "\(place)")
    }

    @Test(arguments: rows)
    func everyTimingHasItsVerdict(row: Row) throws {
        for profile in Protection.Profile.allCases {
            var card = MastercardPOS.card("mcRelay")
            var pos = pos(profile)
            pos.clock = { attempt, _ in
                .microseconds(Int(row.milliseconds[min(attempt, row.milliseconds.count - 1)] * 1000))
            }
            check(try pos.tap(&card), row, "\(profile), \(row.milliseconds)")
        }
    }

    /// A relay that only passes bytes on still adds time.
    @Test(arguments: [(0.0, true), (2, true), (5, true), (6, true), (10, true), (12, false), (31, false), (500, false)])
    func aRelaysOwnTimeIsSeen(delay: Double, passes: Bool) throws {
        for profile in Protection.Profile.allCases {
            let tap = try pos(profile).tap("mcRelay", [CardEdit(.relayResistance, .delay(milliseconds: delay))])
            #expect((tap.outcome.status == .approved) == passes, "\(profile), \(delay) ms")
            #expect(tap.count(0xEA) == (passes ? 1 : 3), "\(profile), \(delay) ms")
        }
    }

    /// Whatever a broken clock measures, the tap ends, and it does not pass if its time is unknown: not measured, zero,
    /// backwards, at the end of its scale.
    @Test(arguments: [nil, .zero, .milliseconds(-8), .seconds(4_295), .seconds(1_000_000_000)] as [Duration?])
    func aClockThatJumpsPassesNobody(elapsed: Duration?) throws {
        for name in ["mcRelay", "mcRelayOnline"] {
            for least in [0, 40] as [UInt16] {
                var profile = CardProfile.named(name)!
                profile.application.mastercard.relayResistance = RelayResistance(minimumTime: least)
                var card = VirtualCard(profile)
                var pos = pos()
                pos.clock = { _, _ in elapsed }
                let tap = try pos.tap(&card)
                #expect(tap.count(0xEA) == 3)
                #expect(tap.outcome.status == .tryAnotherInterface)
                #expect(tap.terminalVerification?.last == 0x0E)
            }
        }
    }

    @Test func everyAttemptHasANumberOfItsOwnAndTheLastIsTheTransactions() throws {
        let tap = try pos().tap("mcRelaySlowOnce")
        let entropies = tap.commands.filter { $0[1] == 0xEA }.map { Array($0[5..<9]) }
        #expect(entropies.count == 2 && entropies[0] != entropies[1])
        #expect(tap[0x9F37] == entropies[1])
        let cryptogram = try #require(tap.commands.first { $0[1] == 0xAE })
        #expect(cryptogram.containsSequence(entropies[1]))
    }

    /// attacks.md, A24: the action codes decide in `book` and `guarded`; `strict` and the `relay` setting decline.
    @Test func withoutADenyingActionCodeStrictDeclinesAndTheOthersGoOnline() throws {
        for (protection, result) in [
            (Protection(profile: .book), "onlineRequest none"), (Protection(), "onlineRequest none"),
            (Protection(relay: .declined), "tryAnotherInterface"),
            (Protection(profile: .strict), "tryAnotherInterface"),
            (Protection(profile: .strict, relay: .book), "onlineRequest none"),
            (Protection(relay: .off), "approved none"),
        ] {
            var pos = MastercardPOS()
            pos.configuration = .simulator(mastercard: [0xDF8121: [0x04, 0, 0, 0, 0]], protection: protection)
            let tap = try pos.tap("mcRelaySlow")
            #expect(tap.summary == result, "\(protection.profile), \(protection.relay)")
            #expect(tap.count(0xEA) == (protection.relay == .off ? 0 : 3))
        }
    }

    /// attacks.md, A25 a: the card's bit is cleared on the way. Only a reader that requires relay resistance detects
    /// it; the issuer does in any case.
    @Test func aStrippedBitIsRefusedWhereRelayResistanceIsRequired() throws {
        let strip = [CardEdit(.options, .response(.clearBits(0x82, [0x00, 0x01])))]
        for (protection, amount, result) in [
            (Protection(), 12_50, false), (Protection(relay: .required), 12_50, false),
            (Protection(relay: .required), 60_00, true),
        ] as [(Protection, UInt64, Bool)] {
            var pos = MastercardPOS()
            pos.configuration = .simulator(protection: protection)
            pos.transaction = MastercardPOS.sale(amount)
            let tap = try pos.tap("mcRelayNoCDA", strip)
            #expect((tap.summary == "tryAnotherInterface") == result, "\(protection.relay) for \(amount)")
            #expect(tap.outcome.status != .approved)
        }
        // The AIP is certified, so for a card that signs the change is detected.
        #expect(try MastercardPOS().tap("mcRelay", strip).summary == "unreadable")
    }

    /// A25: relay resistance counts as not performed if no signature covers it.
    @Test func relayResistanceWithoutASignatureDoesNotCountWhereItIsRequired() throws {
        var pos = MastercardPOS()
        pos.configuration = .simulator(protection: Protection(relay: .required))
        pos.transaction = MastercardPOS.sale(60_00)
        #expect(try pos.tap("mcRelayNoCDA").summary == "tryAnotherInterface")
        #expect(try pos.tap("mcRelayOnline").summary == "onlineRequest onlinePIN")
    }

    /// A25 b: a card's claim to need much time is accepted up to 30 ms outside `book`.
    @Test(arguments: [
        (Protection.Profile.book, UInt8?.none, true), (.guarded, nil, false), (.strict, nil, false),
        (.guarded, 100, true),
    ])
    func aCardMayNotClaimToNeedForEver(profile: Protection.Profile, ceiling: UInt8?, passes: Bool) throws {
        var card = CardProfile.named("mcRelay")!
        card.application.mastercard.relayResistance = RelayResistance(
            minimumTime: 500, maximumTime: 2_000, milliseconds: [60])
        var pos = MastercardPOS()
        pos.configuration = .simulator(
            protection: Protection(profile: profile, offline: .enforce, relayMaxCardTime: ceiling))
        var virtual = VirtualCard(card)
        #expect((try pos.tap(&virtual).outcome.status == .approved) == passes)
    }

    /// A25 b to d: times or entropy are edited, or someone else answers: the signature covers the card's own values.
    @Test func editedExchangesFailTheSignature() throws {
        let honest: [UInt8] = [0x80, 0x0A, 1, 2, 3, 4, 0x00, 0x28, 0x00, 0x64, 0x00, 0x18, 0x90, 0x00]
        for profile in Protection.Profile.allCases {
            for edit in [
                CardEdit(.relayResistance, .answer(honest)), CardEdit(.relayResistance, .response(.raw(honest))),
            ] {
                var pos = pos(profile)
                pos.clock = { _, _ in .milliseconds(8) }
                let tap = try pos.tap("mcRelay", [edit])
                #expect(tap.summary == "unreadable", "\(profile)")
                #expect(tap.outcome.errorIndication.l2 == 0x02, "CAM failed")
            }
        }
    }

    /// The link's latency is subtracted. It is configured, or measured for this reader, and the measured value has
    /// precedence.
    @Test func theLinksLatencyIsTakenOff() throws {
        for (configured, measured, passes) in [
            (nil, nil, false), (12_000, nil, true), (nil, 12_000, true), (50_000, 12_000, true), (12_000, 1, false),
        ] as [(UInt32?, UInt32?, Bool)] {
            var pos = MastercardPOS()
            pos.configuration = .simulator(protection: Protection(relayLatency: configured))
            pos.clock = { _, _ in .milliseconds(20) }
            let reader = ReaderMemory()
            reader.linkLatency = measured ?? 0
            var card = MastercardPOS.card("mcRelay")
            let tap = try pos.tap(&card, reader)
            #expect(
                (tap.outcome.status == .approved) == passes,
                "\(String(describing: configured)), \(String(describing: measured))")
        }
        // Too much is subtracted: the card appears faster than possible.
        var pos = MastercardPOS()
        pos.configuration = .simulator(protection: Protection(relayLatency: 50_000))
        #expect(try pos.tap("mcRelay").summary == "unreadable")
    }

    /// Without a signature track 2 reports it to the issuer.
    @Test func anUnsignedExchangeIsToldInTrack2() throws {
        let tap = try pos().tap("mcRelayNoCDA")
        let track = try #require(tap[0x57])
        let answer = try #require(tap.outcome.discretionary)
        #expect(answer[0xDF8115] == [0, 0, 0, 0, 0, 0xFF])
        let digits = track.flatMap { [$0 >> 4, $0 & 15] }
        let discretionary = Array(digits[24..<37])
        #expect(discretionary[0] == 0, "no CA key index")
        #expect(discretionary[1] == 0, "no retry")
        #expect(Array(discretionary[10..<13]) == [0, 0, 3], "3.8 ms")
    }
}
