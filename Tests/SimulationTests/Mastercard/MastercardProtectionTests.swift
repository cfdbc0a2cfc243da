// SPDX-License-Identifier: Apache-2.0
import EMVKit
import Testing

@testable import EMVCards
@testable import EMVSimulator

/// The rows of Kernel 2 in Conformance/attacks.md, played by a relay that modifies or a lying card, in every profile.
@Suite struct MastercardProtectionTests {
    private static let bookCodes: DataObjects = [
        0xDF8120: [0x84, 0, 0, 0, 0x0C], 0xDF8121: [0x84, 0, 0, 0, 0x0C], 0xDF8122: [0x84, 0, 0, 0, 0x0C],
    ]
    private static let zeroCodes: DataObjects = [
        0xDF8120: [0, 0, 0, 0, 0], 0xDF8121: [0, 0, 0, 0, 0], 0xDF8122: [0, 0, 0, 0, 0],
    ]

    private func pos(
        _ profile: Protection.Profile, _ mastercard: DataObjects = [:], amount: UInt64 = 12_50
    ) -> MastercardPOS {
        var pos = MastercardPOS()
        // The offline approval setting of the profile is not the reason for any refusal here.
        pos.configuration = .simulator(
            mastercard: mastercard, protection: Protection(profile: profile, offline: .enforce))
        pos.transaction = MastercardPOS.sale(amount)
        return pos
    }

    private static let refused: Set<Outcome.Status> = [.declined, .tryAnotherInterface, .endApplication]

    // MARK: A04: forced authentication failures, rewritten CVM List

    /// A signature, or no verification if the terminal supports that, and no issuer action codes.
    private static let rewritten: [CardEdit] = [
        CardEdit(.every, .response(.replace(0x8E, [0, 0, 0, 0, 0, 0, 0, 0, 0x1E, 0x03, 0x1F, 0x03]))),
        CardEdit(.every, .response(.replace(0x9F0D, [0, 0, 0, 0, 0]))),
        CardEdit(.every, .response(.replace(0x9F0E, [0, 0, 0, 0, 0]))),
        CardEdit(.every, .response(.replace(0x9F0F, [0, 0, 0, 0, 0]))),
    ]
    private static let failures: [String: CardEdit] = [
        "unknown index": CardEdit(.every, .response(.replace(0x8F, [0xEE]))),
        "no index": CardEdit(.every, .response(.remove(0x8F))),
        "no issuer certificate": CardEdit(.every, .response(.remove(0x90))),
        "no card certificate": CardEdit(.every, .response(.remove(0x9F46))),
        "tag list": CardEdit(.every, .response(.replace(0x9F4A, [0x82, 0x95]))),
    ]

    @Test(arguments: Protection.Profile.allCases)
    func inducedFailureIsDeniedByTheBooksActionCodes(profile: Protection.Profile) throws {
        for (what, edit) in Self.failures {
            for edits in [[edit], [edit] + Self.rewritten] {
                for name in ["mcOffline", "mcOnline"] {
                    let tap = try pos(profile, Self.bookCodes, amount: 60_00).tap(name, edits)
                    #expect(Self.refused.contains(tap.outcome.status), "\(profile), \(what), \(name)")
                    #expect(what != "tag list" || tap.outcome.errorIndication.l2 == 0x06)
                }
            }
        }
    }

    @Test func withoutActionCodesTheListOfUnprovenDataDecidesInTheBookOnly() throws {
        let edits = [Self.failures["unknown index"]!] + Self.rewritten
        var tap = try pos(.book, Self.zeroCodes, amount: 60_00).tap("mcOnline", edits)
        #expect(tap.summary == "onlineRequest signature")
        #expect(tap.outcome.findings.contains(.cvmFromPlainData))
        #expect(tap.outcome.findings.contains(.caKeyMissing))
        tap = try pos(.guarded, Self.zeroCodes, amount: 60_00).tap("mcOnline", edits)
        #expect(tap.summary == "onlineRequest onlinePIN")
        // Strict requires the configuration to deny a failed CDA, and otherwise declines on its own.
        #expect(throws: ConfigurationError.self) {
            try pos(.strict, Self.zeroCodes, amount: 60_00).tap("mcOnline", edits)
        }
        tap = try pos(.strict, amount: 60_00).tap("mcOnline", edits)
        #expect(Self.refused.contains(tap.outcome.status))
    }

    /// A15, A04: an expired CA key counts as missing before CDA is requested; the book profile only reports it.
    @Test(arguments: Protection.Profile.allCases)
    func anExpiredCAKeyIsNoKey(profile: Protection.Profile) throws {
        var codes = Self.zeroCodes
        if profile == .strict { codes[0xDF8121] = [0x04, 0, 0, 0, 0] }
        var reader = pos(profile, codes)
        for index in reader.configuration.caKeys.indices {
            reader.configuration.caKeys[index].expires = CalendarDate(year: 2020, month: 1, day: 1)
        }
        let tap = try reader.tap("mcOnline")
        #expect(tap.outcome.findings.contains(.caKeyExpired) && !tap.outcome.findings.contains(.caKeyMissing))
        if profile == .strict {
            #expect(Self.refused.contains(tap.outcome.status))
        } else {
            #expect(tap.outcome.status == .onlineRequest, "a card that goes online is not lost")
        }
    }

    /// The AIP's CDA bit is cleared, so CDA is not performed instead of failing. The issuer sees another cryptogram;
    /// the POS does not rely on that.
    @Test func aCardMadeToLookUnableToSignGetsNoEasierVerification() throws {
        let edits = [CardEdit(.options, .response(.clearBits(0x82, [0x01, 0x00])))] + Self.rewritten
        var tap = try pos(.book, Self.zeroCodes, amount: 60_00).tap("mcOffline", edits)
        #expect(tap.summary == "onlineRequest signature" || tap.summary == "approved signature")
        #expect(tap.outcome.findings.contains(.cvmFromPlainData))
        tap = try pos(.guarded, Self.zeroCodes, amount: 60_00).tap("mcOffline", edits)
        #expect(tap.summary == "onlineRequest onlinePIN")
        tap = try pos(.strict, amount: 60_00).tap("mcOffline", edits)
        #expect(Self.refused.contains(tap.outcome.status))
    }

    /// A27: certificates are present although the AIP bit for them is not set. This is reported in every profile, and
    /// never occurs with an honest card.
    @Test(arguments: Protection.Profile.allCases) func certificatesWithoutTheirBitAreReported(
        profile: Protection.Profile
    ) throws {
        let strip = [CardEdit(.options, .response(.clearBits(0x82, [0x01, 0x00])))]
        for name in ["mcOffline", "mcOnline"] {
            #expect(try pos(profile).tap(name, strip).outcome.findings.contains(.odaStripped), "\(name)")
            #expect(try !pos(profile).tap(name).outcome.findings.contains(.odaStripped), "\(name)")
        }
        #expect(try !pos(profile).tap("mcNoCDA").outcome.findings.contains(.odaStripped))
    }

    /// Without an online PIN pad there is no stronger method: declined above the limit.
    @Test func withoutAStrongerMethodUnprovenDataAreDeclined() throws {
        let reader: DataObjects = [0xDF8118: [0x20], 0xDF8121: [0, 0, 0, 0, 0]]
        let tap = try pos(.guarded, reader, amount: 60_00).tap("mcNoCDA", Self.rewritten)
        #expect(Self.refused.contains(tap.outcome.status))
        #expect(tap.outcome.reason == .protection)
    }

    // MARK: A05: CVM Lists

    @Test func noCVMListLeadsToAnythingButOnlinePINSignatureOrNothing() throws {
        let lists: [Bytes?] = [
            nil, [0x01, 0x00], [0x41, 0x00, 0x1F, 0x00], [0x04, 0x00], [0x43, 0x03, 0x45, 0x03, 0x1F, 0x03],
            [0x20, 0x00], [0x7F, 0x00], [0x3F, 0x00],
            [0x42, 0x06, 0x1F, 0x00], [0x1F, 0x07], [0x00, 0x00], [0x1F, 0x0A], [0x5E, 0x03, 0x42, 0x00],
            Bytes(repeating: 0x41, count: 200),
        ]
        for profile in Protection.Profile.allCases {
            for list in lists {
                for amount in [12_50, 50_00, 50_01, 60_00] as [UInt64] {
                    var card = CardProfile.named("mcOnline")!
                    card.application.mastercard.verificationList = list.map { Bytes(repeating: 0xFF, count: 8) + $0 }
                    var virtual = VirtualCard(card)
                    let tap = try pos(profile, amount: amount).tap(&virtual)
                    guard let results = tap[0x9F34] else { continue }
                    #expect([0x3F, 0x1F, 0x1E, 0x02].contains(results[0] & 0x3F) || results[2] == 1, "\(results)")
                    #expect(![.cdcvm].contains(tap.outcome.cvm))
                }
            }
        }
    }

    @Test(arguments: [1, 9, 11])
    func anOddCVMListEnds(count: Int) throws {
        let tap = try pos(.guarded).tap(
            "mcNoCDA", [CardEdit(.every, .response(.replace(0x8E, Bytes(repeating: 0, count: count))))])
        #expect(tap.outcome.status == .endApplication)
    }

    // MARK: A07, A09, A13: offline approval

    /// Copied records without a key never lead to an offline approval, whatever the AIP claims, not even in the book
    /// profile. Only mcStubbornOffline may be approved, and only with its own AIP.
    @Test(arguments: Protection.Profile.allCases)
    func withoutASignatureOfThisTapNothingIsApproved(profile: Protection.Profile) throws {
        for name in [
            "mcNoCDAOffline", "mcMissingSignature", "mcReplayedSignature", "mcWrongSignature", "mcDifferingData",
            "mcStubbornOffline",
        ] {
            for bits: Bytes in [[0x00, 0x00], [0x01, 0x00], [0x20, 0x00], [0x40, 0x00]] {
                let tap = try pos(profile).tap(name, [CardEdit(.options, .response(.setBits(0x82, bits)))])
                let honest =
                    name == "mcStubbornOffline" && bits == [0x00, 0x00]
                    || name == "mcStubbornOffline" && bits == [0x01, 0x00]
                #expect(tap.outcome.status != .approved || honest, "\(profile), \(name), \(bits)")
            }
        }
    }

    /// An unprotected claim that the device verified its holder.
    @Test func aForgedDeviceIsNotTrustedWithoutASignature() throws {
        let edits = [
            CardEdit(.options, .response(.setBits(0x82, [0x02, 0x00]))),
            CardEdit(.cryptogram, .response(.insert(0xDF4B, [0x00, 0x10, 0x00]))),
            CardEdit(.selection, .response(.insert(0x9F6E, [0x02, 0x76, 0x00, 0x00, 0x30, 0x31]))),
        ]
        #expect(try pos(.guarded, amount: 60_00).tap("mcNoCDA", edits).summary == "onlineRequest onlinePIN")
        #expect(Self.refused.contains(try pos(.strict, amount: 60_00).tap("mcNoCDA", edits).outcome.status))
        let book = try pos(.book, amount: 60_00).tap("mcNoCDA", edits)
        #expect(book.outcome.findings.contains(.cvmFromPlainData))
        // The AIP of a card that signs is certified: the claim ends the tap.
        #expect(try pos(.guarded, amount: 60_00).tap("mcOnline", edits).summary == "unreadable")
    }

    @Test(arguments: Protection.Profile.allCases)
    func offlineApprovalIsOffInStrictAndByTheKnob(profile: Protection.Profile) throws {
        var pos = MastercardPOS()
        pos.configuration = .simulator(protection: Protection(profile: profile))
        #expect(try pos.tap("mcOffline").summary == (profile == .strict ? "onlineRequest none" : "approved none"))
        pos.configuration = .simulator(protection: Protection(profile: profile, offline: .off))
        #expect(try pos.tap("mcOffline").summary == "onlineRequest none")
        // An offline-only terminal cannot go online.
        pos.configuration.terminal[0x9F35] = [0x23]
        #expect(Self.refused.contains(try pos.tap("mcOffline").outcome.status))
    }

    /// Every bit of the response with the cryptogram: changing it prevents the approval.
    @Test func noBitOfAnApprovalCanBeChanged() throws {
        let pos = pos(.book)
        var card = MastercardPOS.card("mcOffline")
        let steps = try pos.tap(&card).commands.count
        for byte in 0..<180 {
            var faulty = FaultyCard(
                MastercardPOS.card("mcOffline"), FaultPlan(at: steps, .flip(byte: byte, bit: 1 + byte % 8)))
            let tap = try pos.tap(&faulty)
            #expect(tap.outcome.status != .approved, "byte \(byte)")
        }
    }

    // MARK: A10: types of cryptograms

    @Test(arguments: Protection.Profile.allCases)
    func aTypeThatWasNotAskedForOrNotSignedEnds(profile: Protection.Profile) throws {
        for name in ["mcOnline", "mcOffline", "mcNoCDA", "mcDecline"] {
            for type in [0x00, 0x40, 0x80, 0xC0] as Bytes {
                let tap = try pos(profile).tap(name, [CardEdit(.cryptogram, .response(.replace(0x9F27, [type])))])
                let honest = try pos(profile).tap(name)
                if tap.outcome.status == .approved { #expect(name == "mcOffline" && type == 0x40) }
                if honest.outcome.status == .onlineRequest, name != "mcNoCDA", type != 0x80 {
                    #expect(Self.refused.contains(tap.outcome.status))
                }
            }
        }
        // An approval although the reader requested to go online.
        let asked = try pos(profile, amount: 60_00).tap("mcStubbornOffline")
        #expect(asked.outcome.status == .endApplication)
        #expect(asked.outcome.errorIndication.l2 == 0x06)
    }

    // MARK: A03, A17, A18: changed accounts and records

    @Test func everyAccountNumberMustBeTheSame() throws {
        let other: Bytes = [
            0x52, 0x00, 0x82, 0x82, 0x82, 0x82, 0x82, 0x10, 0xD4, 0x91, 0x22, 0x01, 0x00, 0x00, 0x01, 0x23, 0x45,
        ]
        for profile in Protection.Profile.allCases {
            for edit in [
                CardEdit(.every, .response(.replace(0x57, other))),
                CardEdit(.every, .response(.replace(0x5A, Array(other.prefix(8))))),
            ] {
                let tap = try pos(profile).tap("mcNoCDA", [edit])
                #expect(tap.outcome.findings.contains(.panMismatch))
                #expect((tap.outcome.status == .endApplication) == (profile != .book))
                #expect(try pos(profile).tap("mcOffline", [edit]).outcome.status != .approved)
            }
            // Both tracks of mag-stripe mode.
            let track = Array("B5200828282828210^SIMULATED/CARD^49122010000000000000000".utf8)
            let stripe = try withMagStripe(profile).tap(
                "mcStripe", [CardEdit(.every, .response(.replace(0x56, track)))])
            #expect((stripe.outcome.status == .endApplication) == (profile != .book), "\(profile)")
        }
    }

    @Test func anAccountOfAnotherBrandIsRefused() throws {
        for name in ["mcNoCDA", "mcStripe"] {
            var profile = CardProfile.named(name)!
            profile.application.pan = "4111111111111111"
            for protection in Protection.Profile.allCases {
                var card = VirtualCard(profile)
                let tap = try withMagStripe(protection).tap(&card)
                #expect(tap.outcome.findings.contains(.brandMismatch))
                #expect((tap.outcome.status == .endApplication) == (protection != .book), "\(protection), \(name)")
            }
        }
    }

    @Test func anExceptionListIsUsedInBothModes() throws {
        for name in ["mcOnline", "mcStripe"] {
            var pos = pos(.guarded)
            pos.configuration.exceptions = [ExceptionEntry(pan: [0x55, 0x55, 0x55, 0x55, 0x55, 0x55, 0x44, 0x44])]
            #expect([.declined, .tryAnotherInterface].contains(try pos.tap(name).outcome.status), "\(name)")
        }
    }

    @Test func aRecordListedTwiceEndsUnlessByTheBook() throws {
        let twice = CardEdit(.options, .response(.replace(0x94, [0x10, 0x01, 0x01, 0x00, 0x10, 0x01, 0x01, 0x00])))
        for profile in Protection.Profile.allCases {
            let tap = try pos(profile).tap("mcNoCDA", [twice])
            #expect(tap.outcome.findings.contains(.recordRepeated))
            if profile != .book { #expect(tap.outcome.status == .endApplication && tap.outcome.reason == .protection) }
        }
    }

    /// The coverage differs from the certificate's: records are removed from it or added to it.
    @Test func otherCoverageThanTheIssuersFails() throws {
        var card = MastercardPOS.card("mcOffline")
        _ = card.respond(to: [UInt8](hex: "00A4040007A000000004101000"))
        let options = card.respond(to: [UInt8](hex: "80A8000002830000"))
        let locator = try #require(
            PlainTerminal.find(0x77, in: options.dropLast(2)).flatMap { PlainTerminal.find(0x94, in: $0) })
        var uncovered = locator
        for entry in stride(from: 3, to: uncovered.count, by: 4) { uncovered[entry] = 0 }
        var covered = locator
        for entry in stride(from: 3, to: covered.count, by: 4) {
            covered[entry] = covered[entry - 1] - covered[entry - 2] + 1
        }
        for changed in [uncovered, covered] {
            let tap = try pos(.book).tap("mcOffline", [CardEdit(.options, .response(.replace(0x94, changed)))])
            #expect(tap.outcome.errorIndication.l2 == 0x02, "CAM failed")
        }
    }

    // MARK: A19, A30: changed commands, and unwanted approvals

    @Test func whatTheCardWasToldInsteadDoesNotVerify() throws {
        // CDOL1 begins with the amounts: 5 bytes of header, then 9F02, 9F03, 9F1A, 95, 5F2A, 9A, 9C.
        for place in [10, 16, 18, 23, 25, 28, 29] {
            var card = Liar(card: MastercardPOS.card("mcOffline"), place: place)
            let tap = try pos(.book).tap(&card)
            #expect(tap.outcome.status == .endApplication, "byte \(place)")
            #expect(tap.outcome.errorIndication.l2 == 0x02)
        }
    }

    /// Changes one byte of GENERATE AC on its way to the card.
    private struct Liar: CardPresentation {
        var card: VirtualCard
        let place: Int
        mutating func poll() -> CardPresence { card.poll() }
        mutating func reset() { card.reset() }
        mutating func exchange(_ command: [UInt8]) -> CardReply {
            var command = command
            if command[1] == 0xAE { command[place] ^= 0x01 }
            return card.exchange(command)
        }
    }

    @Test func refundsAndZeroAreNeverApprovedByTheCard() throws {
        for profile in [Protection.Profile.guarded, .strict] {
            var pos = pos(profile)
            pos.transaction = MastercardPOS.sale(type: .refund)
            #expect(try pos.tap("mcOffline").outcome.status == .onlineRequest)
            pos.transaction = MastercardPOS.sale(0)
            #expect(try pos.tap("mcOffline").outcome.status == .onlineRequest)
            pos.configuration.combinations[1].zeroAmount = .offlineAllowed
            #expect(try pos.tap("mcOffline").outcome.status == .approved)
            pos.configuration.combinations[1].zeroAmount = .notAllowed
            #expect(try pos.tap("mcOffline").summary == "limitExceeded" || pos.configuration.combinations.count > 1)
        }
    }

    // MARK: A22, A23: the reader's data

    /// The reader's objects in a card's response end the tap or are ignored, and change nothing.
    @Test func theReadersObjectsAreNeverWritten() throws {
        let objects: [(UInt32, Bytes)] = [
            (0x9F37, [1, 2, 3, 4]), (0x9F02, [0, 0, 0, 0, 0, 1]), (0x5F2A, [0x08, 0x40]), (0x95, [0, 0, 0, 0, 0]),
            (0x9F33, [0xE0, 0xF8, 0xC8]),
            (0x9F35, [0x26]), (0x9F1A, [0x08, 0x40]), (0x9A, [0x20, 0x01, 0x01]), (0x9C, [0x20]),
            (0x9F34, [0x1F, 0, 2]), (0x9F7E, [0x03]),
            (0x9F7C, Bytes(repeating: 0, count: 20)), (0x9F09, [0x00, 0x02]), (0x9F6D, [0x00, 0x01]),
            (0x9F6A, [0, 0, 0, 1]),
            (0xDF8120, [0, 0, 0, 0, 0]), (0xDF8121, [0, 0, 0, 0, 0]), (0xDF8122, [0, 0, 0, 0, 0]),
            (0xDF8123, Bytes(repeating: 0x99, count: 6)),
            (0xDF8126, Bytes(repeating: 0x99, count: 6)), (0xDF811B, [0x00]), (0xDF8118, [0x08]), (0xDF811F, [0x00]),
            (0xDF8131, [0x00]),
            (0xDF8101, Bytes(repeating: 0, count: 8)), (0xDF8110, [0x00]), (0xDF61, Bytes(repeating: 0, count: 8)),
        ]
        for name in ["mcNoCDA", "mcOffline", "mcStripe"] {
            let honest = try pos(.guarded).tap(name)
            for (tag, value) in objects {
                for moment in [CardExchange.selection, .options, .record(1), .cryptogram] {
                    for profile in [Protection.Profile.book, .guarded] {
                        let tap = try pos(profile).tap(name, [CardEdit(moment, .response(.insert(tag, value)))])
                        let place = "\(profile), \(name), \(String(tag, radix: 16)) at \(moment)"
                        if tap.outcome.status == honest.outcome.status {
                            for mine in [
                                0x9F37, 0x9F02, 0x5F2A, 0x95, 0x9F33, 0x9F35, 0x9F1A, 0x9A, 0x9C, 0x9F34, 0x9F6D,
                            ] as [EMVKit.Tag] {
                                #expect(tap[mine] == honest[mine], "\(place)")
                            }
                        } else {
                            #expect(
                                Self.refused.contains(tap.outcome.status) || tap.outcome.status == .selectNext,
                                "\(place)")
                        }
                    }
                }
            }
        }
    }

    /// Lists that request the card's own data, the reader's configuration or earlier data receive zeros.
    @Test func noListGetsCardDataOrConfiguration() throws {
        let wanted: [DataRequest] = [
            .init(0x5A, 8), .init(0x57, 16), .init(0x9F4B, 32), .init(0xDF8124, 6), .init(0xDF8121, 5), .init(0x8C, 16),
            .init(0xDF8113, 4),
        ]
        var card = CardProfile.named("mcTornNoCDA")!
        card.application.pdol = wanted
        card.application.mastercard.dataList = wanted + [.init(0x9F37, 4)]
        var virtual = VirtualCard(card)
        let tap = try pos(.guarded).tap(&virtual)
        let count = wanted.reduce(0) { $0 + Int($1.length) }
        let options = try #require(tap.commands.first { $0[1] == 0xA8 })
        #expect(options[7..<(7 + count)].allSatisfy { $0 == 0 })
        let cryptogram = try #require(tap.commands.first { $0[1] == 0xAE })
        #expect(cryptogram[5..<(5 + count)].allSatisfy { $0 == 0 })
        #expect(Array(cryptogram[(5 + count)..<(9 + count)]) == tap[0x9F37])
    }

    // MARK: A26: mag-stripe mode

    @Test func magStripeModeMustBeAskedFor() throws {
        for profile in Protection.Profile.allCases {
            var pos = pos(profile)
            pos.configuration.combinations[1].data[0xDF811B] = nil
            let tap = try pos.tap("mcStripe")
            #expect((tap.outcome.status == .onlineRequest) == (profile == .book))
            #expect(profile == .book || tap.outcome.errorIndication.l2 == 0x07)
        }
        var pos = pos(.guarded)
        pos.configuration.protection.magStripeMode = .off
        #expect(try pos.tap("mcStripe").outcome.errorIndication.l2 == 0x07)
        #expect(try pos.tap("mcBothModes").outcome.status == .approved)
    }

    /// In `strict` only if the combination's own protection enables it; the reader's setting is ignored (A34).
    @Test func strictAsksForMagStripeModeByCombination() throws {
        var pos = pos(.strict)
        #expect(try pos.tap("mcStripe").outcome.errorIndication.l2 == 0x07)
        pos.configuration.protection.magStripeMode = .enforce
        #expect(try pos.tap("mcStripe").outcome.errorIndication.l2 == 0x07)
        #expect(try withMagStripe(.strict).tap("mcStripe").outcome.status == .onlineRequest)
    }

    private func withMagStripe(_ profile: Protection.Profile) -> MastercardPOS {
        var pos = pos(profile)
        pos.configuration.combinations[1].protection = pos.configuration.protection
        pos.configuration.combinations[1].protection?.magStripeMode = .enforce
        return pos
    }

    /// A clone that holds an answer for every number with so few digits.
    @Test(arguments: [(UInt8?.none, 3, false), (nil, 4, true), (5, 4, false), (3, 3, true), (8, 4, false)])
    func numbersMustHaveEnoughDigits(least: UInt8?, digits: Int, passes: Bool) throws {
        for profile in Protection.Profile.allCases {
            var pos = withMagStripe(profile)
            pos.configuration.combinations[1].protection?.minUNDigits = least
            let tap = try pos.tap(digits == 3 ? "mcStripeShort" : "mcStripe")
            #expect((tap.outcome.status == .onlineRequest) == (passes || profile == .book), "\(profile)")
            #expect(tap.count(0x2A) == (tap.outcome.status == .onlineRequest ? 1 : 0), "a card refused is not asked")
        }
    }

    /// A chip card disguised as a mag-stripe card.
    @Test func aDowngradedCardIsSeenInStrict() throws {
        for profile in Protection.Profile.allCases {
            let tap = try withMagStripe(profile).tap(
                "mcBothModes", [CardEdit(.options, .response(.clearBits(0x82, [0x00, 0x80])))])
            #expect((tap.outcome.status == .endApplication) == (profile == .strict), "\(profile)")
            #expect(tap.outcome.status != .approved)
        }
    }

    // MARK: A29: cards that change

    /// All card data in a record come from one activation.
    @Test func nothingOfTheFirstPresentmentSurvives() throws {
        struct Swap: CardPresentation {
            var first = MastercardPOS.card("mcPhoneAlways"), second: VirtualCard
            var presented = 0
            mutating func poll() -> CardPresence { .one }
            mutating func reset() {
                presented += 1
                first.reset()
                second.reset()
            }
            mutating func exchange(_ command: [UInt8]) -> CardReply {
                presented < 2 ? first.exchange(command) : second.exchange(command)
            }
        }
        var other = CardProfile.named("mcOnline")!
        other.application.pan = "5200828282828210"
        other.application.sequence = nil
        var swap = Swap(second: VirtualCard(other))
        let tap = try pos(.guarded).tap(&swap)
        #expect(tap.summary == "onlineRequest none")
        #expect(tap[0x5A] == [0x52, 0x00, 0x82, 0x82, 0x82, 0x82, 0x82, 0x10])
        #expect(tap[0x5F34] == nil)
        #expect(tap.outcome.discretionary?[0x9F6E] == nil)
    }

    /// Every fault plan leads to one outcome, and an approval is based on a cryptogram that the card generated and that
    /// is used once.
    @Test(arguments: 0..<150)
    func everyFaultPlanEndsInOneOutcome(seed: Int) throws {
        let name = MastercardPOS.names[seed % MastercardPOS.names.count]
        guard !["mcPhoneAcknowledge", "mcPhoneWallet"].contains(name) else { return }
        var card = MastercardTornTests.Cut(Witness(MastercardPOS.card(name)), FaultPlan(seed: UInt64(seed)))
        let tap = try pos(.guarded).tap(&card, ReaderMemory())
        #expect(tap.outcome.status != .none && tap.outcome.reason != .internal)
        if tap.outcome.status == .approved { #expect(card.card.approvals.contains(tap[0x9F36] ?? [])) }
    }
}
