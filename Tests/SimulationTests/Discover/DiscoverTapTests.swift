// SPDX-License-Identifier: Apache-2.0
import EMVKit
import Testing

@testable import EMVCards
@testable import EMVSimulator

/// Discover cards with reader, Kernel 6 and issuer. The expected results follow from Book C-6 and from the card, not
/// from the kernel's behaviour.
@Suite struct DiscoverTapTests {
    /// 12.50 at an ordinary reader: nothing required, everything offered. The book's results, and those in which the
    /// guarded profile differs.
    static let plain: [String: [String]] = [
        "approved none": [
            "dpasBalance", "dpasNoCVMOffline", "dpasOffline", "dpasOfflineF4", "dpasOfflineFile12", "dpasOfflineMax",
            "dpasOfflineSpread", "dpasExpired", "dpasNoCash", "dpasRegardless",
        ],
        // A device's claim alone requires nothing below the limit (F3-12.2).
        "onlineRequest none": [
            "dpasCDCVM", "dpasCDCVMFailed", "dpasDiners", "dpasExpiredOnline", "dpasFuture", "dpasNoCVM",
            "dpasNoCommonCVM", "dpasOfflineLimit",
            "dpasOnline", "dpasOnlineRecords", "dpasOnlineResults", "dpasPhone", "dpasStripe", "dpasStripeCode",
            "dpasStripeTrack2", "dpasUpdate", "dpasWrongSignatureOnline",
        ],
        "onlineRequest onlinePIN": ["dpasOnlinePIN"],
        "onlineRequest signature": ["dpasSignature"],
        "declined notApplicable": [
            "dpasDecline", "dpasExpiredDecline", "dpasForeign", "dpasOtherData", "dpasUndefinedType",
            "dpasUnknownCA", "dpasWrongSignature",
        ],
        "tryAnotherInterface notApplicable": ["dpasNoPDOL", "dpasRefuses", "dpasWrongSignatureContact"],
        "tryAgain notApplicable": ["dpasPhoneForever"],
        // Select Next without a further application; a TC without a signature, Track 2 twice: Processing Error.
        "endApplication notApplicable": ["dpasShortPDOL", "dpasUnsigned", "dpasRepeated"],
    ]

    static func lead(
        _ name: String, _ configuration: Configuration, amount: UInt64 = 1250, taps: Int = 1
    ) throws -> Outcome {
        var card = VirtualCard(CardProfile.named(name)!)
        let checked = try CheckedConfiguration(configuration)
        var session = try KernelSession(
            checked,
            Transaction(
                amount: amount, currency: 978, date: TapThroughTests.moment.date, time: TapThroughTests.moment.time,
                random: .fixed(Bytes((0..<48).map { UInt8($0 * 5 + 1) }))))
        var presented = 0
        for _ in 0..<100 {
            switch session.kind {
            case .poll:
                guard presented < taps else { return session.outcome }
                presented += 1
                card.reset()
                for before in [Reply.removed, .collisionCleared] where session.takes(before) { session.advance(before) }
                session.advance(.card)
            case .send: session.advance(.response(card.respond(to: session.command), elapsed: .milliseconds(8)))
            case .ask: session.advance(.deadlinePassed)
            case .work: session.advance(.carryOn)
            case .parked, .done: return session.outcome
            }
        }
        return session.outcome
    }

    static func configuration(
        _ profile: Protection.Profile = .book, ttq: Bytes = [0x36, 0x00, 0x40, 0x00]
    ) -> Configuration {
        var protection = Protection()
        protection.profile = profile
        var configuration = Configuration.simulator(ttq: ttq, protection: protection)
        configuration.combinations.removeAll { $0.kernel.id != 6 }
        if ttq[0] & 0x80 != 0 {
            var zip = configuration.combinations[0]
            zip.aid = [0xA0, 0, 0, 0x03, 0x24, 0x10, 0x10]
            configuration.combinations.append(zip)
        }
        return configuration
    }

    static func words(_ outcome: Outcome) -> String { "\(outcome.status) \(outcome.cvm)" }

    @Test(arguments: DiscoverBehaviour.profiles.map(\.name).filter { !$0.hasPrefix("zip") })
    func profilesLeadWhereTheTableSays(name: String) throws {
        let expected = Self.plain.first { $0.value.contains(name) }?.key
        #expect(Self.words(try Self.lead(name, Self.configuration())) == expected)
    }

    @Test(arguments: [
        // Above the CVM limit of 50.00.
        ("dpasOnline", "onlineRequest onlinePIN"), ("dpasSignature", "onlineRequest signature"),
        ("dpasNoCVM", "onlineRequest none"), ("dpasNoCommonCVM", "tryAnotherInterface notApplicable"),
        ("dpasCDCVM", "onlineRequest cdcvm"), ("dpasCDCVMFailed", "onlineRequest signature"),
        ("dpasOffline", "onlineRequest onlinePIN"), ("dpasNoCVMOffline", "approved none"),
        ("dpasPhone", "tryAgain notApplicable"),
    ])
    func verificationRequiredLeadsElsewhere(name: String, expected: String) throws {
        #expect(Self.words(try Self.lead(name, Self.configuration(), amount: 6000)) == expected)
    }

    @Test func anUnlockedPhonePaysInItsSecondTap() throws {
        #expect(
            Self.words(try Self.lead("dpasPhone", Self.configuration(), amount: 6000, taps: 2)) == "onlineRequest cdcvm"
        )
    }

    /// A card that requires no verification above the limit: the reader asks for a PIN and an ARQC nevertheless,
    /// because the PDOL is unsigned (A35).
    @Test func guardedAsksForAPINWhereUnsignedDataSayNone() throws {
        #expect(
            Self.words(try Self.lead("dpasNoCVM", Self.configuration(.guarded), amount: 6000))
                == "onlineRequest onlinePIN")
        #expect(
            Self.words(try Self.lead("dpasNoCVMOffline", Self.configuration(.guarded), amount: 6000))
                == "onlineRequest onlinePIN"
        )
    }

    // MARK: Tracks

    /// In MS modes the issuer accepts the filled track once, and rejects any change of a digit.
    @Test(arguments: ["dpasStripeCode", "dpasStripeTrack2", "zip"])
    func theIssuerTakesTheFilledTracks(name: String) throws {
        let outcome = try Self.lead(name, Self.configuration(ttq: [0xB6, 0x00, 0x40, 0x00]))
        #expect(outcome.status == .onlineRequest)
        let record = try #require(outcome.dataRecord)
        let issuer = SimulatedIssuer(CardProfile.named(name)!.application)
        let track2 = try #require(record[0x57])
        #expect(issuer.acceptsTrack(track2, counter: 0x0015))
        #expect(!issuer.acceptsTrack(track2, counter: 0x0016))
        if let track1 = record[0x56] {
            #expect(issuer.acceptsTrack(track1, counter: 0x0015))
            #expect(!issuer.acceptsTrack(Array(track1.dropLast()), counter: 0x0015))
        } else {
            #expect(name == "dpasStripeTrack2")
        }
        var host = IssuerHost(cards: CardProfile.named(name)!.applications)
        let digits = try #require(ChipData(outcome).messageFields().track2)
        try host.accept(track2: digits)
        #expect(throws: IssuerHost.Refusal.replayed) { try host.accept(track2: digits) }
    }

    @Test func strictTakesNoTrackWithoutACode() throws {
        let strict = Self.configuration(.strict, ttq: [0x96, 0x00, 0x40, 0x00])
        #expect(Self.words(try Self.lead("zipStatic", strict)) == "endApplication notApplicable")
    }

    // MARK: The issuer's answer

    /// The card is presented again for its scripts, performs them, and shows the values they wrote.
    @Test(arguments: ["performed", "wrong MAC", "not writable"])
    func scriptsArePerformedWhenTheCardComesBack(how: String) throws {
        let profile = CardProfile.named("dpasUpdate")!
        var card = VirtualCard(profile)
        let checked = try CheckedConfiguration(Self.configuration(ttq: [0x36, 0x00, 0xC0, 0x00]))
        var session = try KernelSession(
            checked,
            Transaction(
                amount: 1250, currency: 978, date: TapThroughTests.moment.date, time: TapThroughTests.moment.time))
        func drive() {
            for _ in 0..<60 {
                switch session.kind {
                case .poll:
                    card.reset()
                    for before in [Reply.removed, .collisionCleared] where session.takes(before) {
                        session.advance(before)
                    }
                    session.advance(.card)
                case .send: session.advance(.response(card.respond(to: session.command), elapsed: .milliseconds(8)))
                case .ask: session.advance(.deadlinePassed)
                case .work: session.advance(.carryOn)
                case .parked, .done: return
                }
            }
        }
        drive()
        #expect(session.kind == .parked)
        var host = IssuerHost(cards: profile.applications)
        let accepted = try #require(try host.accept(IssuerMessage(ChipData(session.outcome))))
        let tag: UInt16 = how == "not writable" ? 0x9F7F : 0x9F58
        var answer = accepted.answer(
            after: IssuerScript([
                .updateRecord(file: 11, record: 1, value: [0x70, 0x03, 0xDF, 0x01, 0x00]),
                .put(tag: tag, value: [0x07]), .blockApplication,
            ]))
        // The last byte of the second command's MAC: 86, its length 14, and 5 + 9 bytes.
        if how == "wrong MAC" {
            var script = try #require(answer[0x72])
            let first = 2 + Int(script[1])
            script[first + 2 + Int(script[first + 1]) - 1] ^= 0x01
            answer[0x72] = script
        }
        session.advance(.online(answer, removalTimedOut: false))
        drive()
        #expect(session.kind == .done && session.outcome.status == .endApplication)
        #expect(card.updates.records[CardUpdates.Record(file: 11, number: 1)] == [0x70, 0x03, 0xDF, 0x01, 0x00])
        #expect(card.updates.data[0x9F58] == (how == "performed" ? [0x07] : nil))
        #expect(card.updates.blockedApplications.count == (how == "performed" ? 1 : 0))
        // Book C-6, 3.10: TVR byte 5 bit 6, and bit 7 if the card returned 6982.
        let results = try #require(session.outcome.discretionary?[0x95])
        #expect(results[4] & 0x60 == ["performed": 0x00, "wrong MAC": 0x60, "not writable": 0x20][how])
    }
}
