// SPDX-License-Identifier: Apache-2.0
import EMVKit
import TestData
import Testing

@testable import EMVCards
@testable import EMVSimulator

/// American Express cards with reader, Kernel 4 and issuer. The expected results follow from Book C-4 and from the
/// card, not from the kernel's behaviour; they include the results of the stricter protection profiles.
@Suite struct AmericanExpressTapTests {
    typealias Profile = Protection.Profile

    /// 12.50 at a reader of EMV mode with contact chip, online PIN, signature, Mobile CVM, SDA and CDA.
    static let plain: [String: [String]] = [
        "approved none": [
            "amexOffline", "amexOfflineF4", "amexOfflineFile12", "amexOfflineMax", "amexOfflineSDA",
            "amexOfflineSpread", "amexPhoneOffline", "amexRegardless",
        ],
        "approved signature": ["amexSignatureOffline"],
        "onlineRequest none": [
            "amexBoth", "amexEnhanced", "amexEnhancedAndType", "amexExpired", "amexFuture", "amexMember", "amexNoCVM",
            "amexNoDelay", "amexNoList", "amexOfflineLimit", "amexOnline", "amexOnlineFormat1", "amexOnlinePlain",
            "amexPhone", "amexPhoneBlocked", "amexUnsigned", "amexWrongStatic",
        ],
        "onlineRequest onlinePIN": ["amexOnlinePIN", "amexOnlinePINOffline", "amexVerifiedSet"],
        "onlineRequest signature": ["amexSignature", "amexSignatureUnsigned"],
        "onlineRequest cdcvm": ["amexWatch", "amexWatchPlain"],
        "declined notApplicable": [
            "amexDeclineNoContact", "amexRegardlessUnsigned", "amexUndefinedType", "amexWrongSignatureOffline",
        ],
        // An AAC, a limit of the card's set, a signature that does not verify, a wrong format; a card with mag-stripe
        // mode only at this reader.
        "tryAnotherInterface notApplicable": [
            "amexDecline", "amexFailCVM", "amexForeign", "amexLimit", "amexNoCryptogram", "amexNoSignature",
            "amexOtherData", "amexOtherType", "amexStripe", "amexStripeDecline", "amexStripeLongPAN",
            "amexStripeNoName",
            "amexStripeOtherCounter", "amexStripeRegardless", "amexStripeSigned", "amexUnknownCA", "amexWrongFormat",
            "amexWrongSignature",
        ],
        "tryAgain notApplicable": ["amexPhone6984", "amexPhoneFailed"],
        "endApplication notApplicable": [
            "amexAbsentRecord", "amexLimitNoContact", "amexNoAccount", "amexNoPDOL", "amexOddList", "amexRefuses",
            "amexRepeated", "amexStripePhone", "amexWrongFormatNoContact",
        ],
    ]

    /// Results that differ in `guarded` and `strict`: `guarded` approves nothing without a combined signature, `strict`
    /// approves nothing offline (attacks.md, A07 and A09).
    static let guardedPlain = ["amexOfflineSDA": "onlineRequest none"]
    static let strictPlain: [String: String] = {
        let asked = plain["approved none"]!.filter { $0 != "amexRegardless" }
        var ends = Dictionary(uniqueKeysWithValues: asked.map { ($0, "onlineRequest none") })
        ends["amexSignatureOffline"] = "onlineRequest signature"
        ends["amexRegardless"] = "declined notApplicable"
        // Signed static data that do not verify end the payment.
        ends["amexWrongStatic"] = "declined notApplicable"
        return ends
    }()

    static func configuration(
        _ profile: Profile = .book, ttq: Bytes = [0x36, 0x00, 0x40, 0x00], data: DataObjects = [:]
    ) -> Configuration {
        var configuration = Configuration.simulator(
            ttq: ttq, data: [4: data], protection: Protection(profile: profile))
        configuration.combinations.removeAll { $0.kernel.id != 4 }
        return configuration
    }

    /// Mag-stripe mode in addition to EMV mode.
    static func striped(_ profile: Profile) -> Configuration {
        var configuration = configuration(profile, ttq: [0xB6, 0x00, 0x40, 0x00])
        if profile == .strict {
            var own = Protection(profile: .strict)
            own.magStripeMode = .enforce
            for place in configuration.combinations.indices { configuration.combinations[place].protection = own }
        }
        return configuration
    }

    /// 9F6E byte 4 bit 7: a delayed authorisation terminal.
    static func delayed(_ profile: Profile) -> Configuration {
        configuration(profile, data: [0x9F6E: [0xDC, 0xE0, 0x00, 0x43]])
    }

    static let profiles: [Profile] = [.book, .guarded, .strict]

    static func lead(
        _ card: any CardPresentation, _ configuration: Configuration, amount: UInt64 = 1250,
        type: TransactionType = .purchase, online: Bool = true, taps: Int = 1
    ) throws -> Outcome {
        var card = card
        var session = try KernelSession(
            CheckedConfiguration(configuration),
            with(
                Transaction(
                    type: type, amount: amount, currency: 978, date: TapThroughTests.moment.date,
                    time: TapThroughTests.moment.time, random: .fixed(Bytes((0..<48).map { UInt8($0 * 5 + 1) })))
            ) { $0.onlineAvailable = online })
        var presented = 0
        for _ in 0..<200 {
            switch session.kind {
            case .poll:
                guard presented < taps else { return session.outcome }
                presented += 1
                card.reset()
                for before in [Reply.removed, .collisionCleared] where session.takes(before) { session.advance(before) }
                session.advance(.card)
            case .send:
                guard case .response(let bytes, _) = card.exchange(session.command) else { return session.outcome }
                session.advance(.response(bytes, elapsed: .milliseconds(8)))
            case .ask: session.advance(.deadlinePassed)
            case .work: session.advance(.carryOn)
            case .parked, .done: return session.outcome
            }
        }
        return session.outcome
    }

    static func card(_ name: String) -> VirtualCard { VirtualCard(CardProfile.named(name)!) }

    static func words(_ outcome: Outcome) -> String { "\(outcome.status) \(outcome.cvm)" }

    private func end(
        _ name: String, _ configuration: Configuration, amount: UInt64 = 1250, online: Bool = true, taps: Int = 1
    ) throws -> String {
        Self.words(try Self.lead(Self.card(name), configuration, amount: amount, online: online, taps: taps))
    }

    // MARK: Ordinary readers

    @Test func everyProfileLeadsSomewhere() {
        #expect(Self.plain.values.flatMap(\.self).sorted() == AmericanExpressBehaviour.profiles.map(\.name).sorted())
    }

    @Test(arguments: AmericanExpressBehaviour.profiles.map(\.name))
    func profilesLeadWhereTheTableSays(name: String) throws {
        let book = Self.plain.first { $0.value.contains(name) }?.key
        #expect(try end(name, Self.configuration()) == book)
        #expect(try end(name, Self.configuration(.guarded)) == Self.guardedPlain[name] ?? book)
        #expect(try end(name, Self.configuration(.strict)) == Self.strictPlain[name] ?? book)
    }

    /// Above the CVM limit of 50.00: the book's result, and the results of the other two profiles.
    @Test(arguments: [
        ("amexOnline", ["onlineRequest onlinePIN"]), ("amexOnlinePIN", ["onlineRequest onlinePIN"]),
        ("amexEnhanced", ["onlineRequest onlinePIN"]), ("amexOffline", ["onlineRequest onlinePIN"]),
        ("amexSignature", ["onlineRequest signature"]),
        ("amexSignatureOffline", ["approved signature", "approved signature", "onlineRequest signature"]),
        ("amexNoCVM", ["tryAnotherInterface notApplicable"]), ("amexFailCVM", ["tryAnotherInterface notApplicable"]),
        ("amexNoList", ["onlineRequest none", "onlineRequest onlinePIN", "onlineRequest onlinePIN"]),
        (
            "amexOnlinePlain",
            ["onlineRequest onlinePIN", "onlineRequest onlinePIN", "tryAnotherInterface notApplicable"]
        ),
        ("amexPhone", ["tryAgain notApplicable", "tryAgain notApplicable", "onlineRequest signature"]),
        ("amexPhoneFailed", ["tryAgain notApplicable", "tryAgain notApplicable", "onlineRequest signature"]),
        ("amexPhoneBlocked", ["onlineRequest signature"]),
        ("amexWatch", ["onlineRequest cdcvm", "onlineRequest cdcvm", "onlineRequest signature"]),
        ("amexOddList", ["endApplication notApplicable"]),
    ])
    func verificationRequiredLeadsElsewhere(name: String, ends: [String]) throws {
        for (profile, place) in zip(Self.profiles, 0...) {
            let expected = ends[min(place, ends.count - 1)]
            #expect(try end(name, Self.configuration(profile), amount: 6000) == expected, "\(profile)")
        }
    }

    @Test(arguments: [
        ("amexPhone", 6000, "onlineRequest cdcvm"), ("amexPhoneOffline", 6000, "approved cdcvm"),
        ("amexPhone6984", 1250, "onlineRequest none"), ("amexPhoneFailed", 6000, "onlineRequest signature"),
        ("amexPhoneFailed", 1250, "onlineRequest none"),
    ])
    func phonesPayInTheirSecondTap(name: String, amount: UInt64, expected: String) throws {
        #expect(try end(name, Self.configuration(), amount: amount, taps: 2) == expected)
    }

    /// A01: above the limit strict never accepts a phone's own verification; the next rule of the CVM List applies.
    @Test func strictAsksTheCardForASignatureOnPaper() throws {
        #expect(try end("amexPhone", Self.configuration(.strict), amount: 6000, taps: 2) == "onlineRequest signature")
    }

    @Test func membershipAndPhoneReachTheDiscretionaryData() throws {
        let member = try Self.lead(Self.card("amexMember"), Self.configuration())
        #expect(member.discretionary?[0x9F5A] == Array("CLUB".utf8))
        #expect(member.discretionary?[0x9F5B] == Array("M-0001234567".utf8))
        let phone = try Self.lead(Self.card("amexWatch"), Self.configuration())
        #expect(phone.discretionary?[0x9F71] == [0x01, 0x03, 0x02])
        #expect(member.discretionary?[0x9F71] == nil)
    }

    // MARK: Mag-stripe mode

    @Test(arguments: [
        ("amexStripe", "onlineRequest none"), ("amexStripeSigned", "onlineRequest none"),
        ("amexStripePhone", "onlineRequest none"), ("amexBoth", "onlineRequest none"),
        ("amexStripeOtherCounter", "endApplication notApplicable"),
        ("amexStripeNoName", "endApplication notApplicable"),
        ("amexStripeLongPAN", "endApplication notApplicable"), ("amexStripeRegardless", "declined notApplicable"),
        ("amexStripeDecline", "tryAnotherInterface notApplicable"),
    ])
    func stripesLeadWhereTheBookSays(name: String, expected: String) throws {
        for profile in Self.profiles { #expect(try end(name, Self.striped(profile)) == expected, "\(profile)") }
    }

    /// The issuer accepts the tracks once, and rejects any change of a digit; the number is one of the 61 months up to
    /// the effective date.
    @Test(arguments: ["amexStripe", "amexStripeSigned", "amexStripePhone"])
    func theIssuerTakesTheTracks(name: String) throws {
        let outcome = try Self.lead(Self.card(name), Self.striped(.book))
        let record = try #require(outcome.dataRecord)
        let issuer = SimulatedIssuer(CardProfile.named(name)!.application)
        let track1 = try #require(record[0x56]), track2 = try #require(record[0x9F6B])
        #expect(track1.count == 62 && track2.count == 39)
        for track in [track1, track2] {
            #expect(issuer.acceptsTrack(track, counter: 0x0015))
            #expect(!issuer.acceptsTrack(track, counter: 0x0016))
            #expect(!issuer.acceptsTrack(Array(track.dropLast()), counter: 0x0015))
            // Every digit after the name; the name is not verified.
            for place in track.indices where (0x30...0x39).contains(track[place]) {
                var other = track
                other[place] ^= 0x01
                #expect(!issuer.acceptsTrack(other, counter: 0x0015), "\(place)")
            }
        }
        let number = String(decoding: track2[24..<28], as: UTF8.self)
        #expect((1001...1501).contains(Int(number)!) && (1...12).contains(Int(number)! % 100))
        var host = IssuerHost(cards: CardProfile.named(name)!.applications)
        let message = try IssuerMessage(ChipData(outcome))
        #expect(message.chip == nil && message.fields.accountNumber == "378282246310005")
        try host.accept(message)
        #expect(throws: IssuerHost.Refusal.replayed) { try host.accept(message) }
    }

    // MARK: Delayed authorisation and the line

    @Test(arguments: [
        ("amexOnline", ["approved none", "approved none", "declined notApplicable"]),
        ("amexOffline", ["approved none", "approved none", "declined notApplicable"]),
        (
            "amexOfflineSDA",
            ["approved none", "tryAnotherInterface notApplicable", "declined notApplicable"]
        ),
        (
            "amexOnlinePlain",
            ["tryAnotherInterface notApplicable", "tryAnotherInterface notApplicable", "declined notApplicable"]
        ),
        ("amexNoDelay", ["declined notApplicable"]), ("amexDecline", ["declined notApplicable"]),
    ])
    func delayedAuthorisationNeedsAuthentication(name: String, ends: [String]) throws {
        for (profile, place) in zip(Self.profiles, 0...) {
            #expect(try end(name, Self.delayed(profile)) == ends[min(place, ends.count - 1)], "\(profile)")
        }
    }

    @Test("What is approved before its issuer has seen it is accepted, owed to the host, and never called approved")
    func delayedAuthorisationsAreAccepted() async throws {
        let card = try #require(CardProfile.named("amexOnline"))
        let journal = MemoryJournal(), host = SimulatedHost()
        let amounts = OfflineLimits.Amounts(
            perTap: Money(minorUnits: 5000, currency: .eur), perCard: 5000, total: 5000)
        var options = TapReader.Options.ofTools
        options.sealer = SimulatedSealer()
        options.fingerprints = SimulatedSealer()
        for kept in [journal, nil] {
            options.journal = kept
            options.offline =
                kept == nil ? nil : OfflinePolicy(limits: OfflineLimits(amounts: [amounts], sinceHost: nil))
            let reader = TapReader(
                SimulatedReader(card), configuration: Self.delayed(.book), options: options)
            let session = try await reader.prepare()
            let outcome = await session.read(PaymentRequest(amount: Money(minorUnits: 1250, currency: .eur)))
            guard case .success(let read) = outcome else {
                Issue.record("\(outcome)")
                return
            }
            #expect(read.isDelayed)
            #expect(Presentation.Ending(outcome) == .accepted)
            #expect(Receipt(read, merchant: Merchant("Shop"))?.result == .accepted)
            let result = await session.authorize(read, with: host)
            #expect(result.name == .accepted)
            #expect(Receipt(read, result, merchant: Merchant("Shop"))?.responseCode == nil)
        }
        let tap = try #require(await journal.open().first)
        #expect(tap.state == .queued && tap.queuedAs == .deferredAuthorization)
        let standing = await journal.standing()
        #expect(standing.deferred.count == 1 && standing.unreported.count == 0)
        await host.answer([.decline("51")])
        let settlement = Settlement(journal, with: host)
        _ = await settlement.forwardNow()
        let settled = try #require(try await settlement.settled(tap.key))
        #expect(settled.ending.name == .declined && settled.isAfterTheFact)
        #expect(await host.records.map(\.kind) == [.deferredAuthorization])
        #expect(await host.records.first?.responseCode == nil)
    }

    /// Whether the terminal is online for this transaction (C-4, 4.3.1.3): a card that requests 9F6E is informed; other
    /// cards are not asked for an ARQC.
    @Test(arguments: [
        ("amexOffline", "approved none", "approved none"),
        ("amexOnline", "tryAnotherInterface notApplicable", "onlineRequest none"),
        ("amexUnsigned", "tryAnotherInterface notApplicable", "onlineRequest none"),
        ("amexEnhanced", "tryAnotherInterface notApplicable", "onlineRequest none"),
        ("amexDeclineNoContact", "declined notApplicable", "declined notApplicable"),
    ])
    func theLineCountsForOneTransaction(name: String, without: String, with: String) throws {
        let configuration = Self.configuration()
        #expect(try end(name, configuration, online: false) == without)
        #expect(try end(name, configuration) == with)
        var down = configuration
        down.combinations[0].kernel.americanExpress?.onlineAvailable = false
        #expect(try end(name, down) == without)
    }

    /// The app's request states whether the terminal is online.
    @Test(arguments: [true, false]) func aRequestSaysWhetherTheLineIsUp(up: Bool) async throws {
        let reader = TapReader(SimulatedReader(Self.card("amexUnsigned")), configuration: Self.configuration())
        let session = try await reader.prepare()
        var request = with(
            PaymentRequest(amount: Money(minorUnits: 1250, currency: .eur), moment: TapThroughTests.moment)
        ) { $0.onlineAvailable = up }
        let outcome = await session.read(request)
        #expect(outcome.name == (up ? .success : .tryAnotherInterface))
        request.onlineAvailable.toggle()
        #expect(request.renewed().onlineAvailable == !up)
    }

    /// A read without an amount asks no host: the card is told that the terminal is online (9F6E, byte 3), and read. In
    /// a configuration without a connection the terminal is always offline.
    @Test(arguments: ["amexEnhanced", "amexUnsigned"], [true, false])
    func aVerificationNeedsNoLine(name: String, up: Bool) async throws {
        var configuration = Self.configuration()
        configuration.combinations[0].kernel.americanExpress?.onlineAvailable = up
        let reader = TapReader(SimulatedReader(Self.card(name)), configuration: configuration)
        let session = try await reader.prepare()
        let outcome = await session.read(
            VerificationRequest(reason: .verify, currency: .eur, moment: TapThroughTests.moment))
        #expect(outcome.name == (up ? .verified : .tryAnotherInterface))
    }

    // MARK: The issuer's answer

    /// Runs a session that goes online, with a reply for each time it waits. Returns the outcome at each wait and at
    /// the end.
    private func answered(
        _ name: String, _ replies: [Reply], contact: Bool = true, amount: UInt64 = 1250
    ) throws -> [String] {
        let ttq: Bytes = contact ? [0x36, 0x00, 0x40, 0x00] : [0x26, 0x00, 0x40, 0x00]
        var card = Self.card(name)
        var session = try KernelSession(
            CheckedConfiguration(Self.configuration(ttq: ttq)),
            Transaction(
                amount: amount, currency: 978, date: TapThroughTests.moment.date, time: TapThroughTests.moment.time))
        var left = replies
        var ends: [String] = []
        for _ in 0..<60 {
            switch session.kind {
            case .poll: session.advance(.card)
            case .send: session.advance(.response(card.respond(to: session.command), elapsed: .milliseconds(8)))
            case .ask: session.advance(.deadlinePassed)
            case .work: session.advance(.carryOn)
            case .parked:
                ends.append(Self.words(session.outcome))
                guard !left.isEmpty else { return ends }
                session.advance(left.removeFirst())
            case .done: return ends + [Self.words(session.outcome)]
            }
        }
        return ends
    }

    @Test(arguments: [
        ("00", "approved none"), ("08", "approved none"), ("10", "approved none"), ("11", "approved none"),
        ("05", "declined notApplicable"), ("12", "tryAnotherInterface notApplicable"),
        ("13", "requestOnlinePIN onlinePIN"),
    ])
    func theIssuersCodeDecides(code: String, expected: String) throws {
        let ends = try answered("amexOnline", [.online([0x8A: Array(code.utf8)], removalTimedOut: false)])
        #expect(ends == ["onlineRequest none", expected])
    }

    /// 12.2.2: without contact chip 12 declines; after a requested PIN only an approval or a decline follows.
    @Test func aPINThatTheIssuerAsksForIsTheLastWord() throws {
        func answer(_ code: String) -> Reply { .online([0x8A: Array(code.utf8)], removalTimedOut: false) }
        #expect(try answered("amexOnline", [answer("12")], contact: false).last == "declined notApplicable")
        let asked = ["onlineRequest none", "requestOnlinePIN onlinePIN"]
        #expect(try answered("amexOnline", [answer("13"), answer("00")]) == asked + ["approved onlinePIN"])
        for code in ["12", "13", "05"] {
            #expect(
                try answered("amexOnline", [answer("13"), answer(code)]) == asked + ["declined notApplicable"])
        }
        // The list has no rule for an online PIN: another interface.
        #expect(
            try answered("amexSignature", [answer("13")])
                == ["onlineRequest signature", "tryAnotherInterface notApplicable"])
    }

    /// Commands that Book C-4 never sends, although the card supports them: scripts and a second cryptogram after the
    /// issuer's answer.
    @Test(arguments: ["approves", "declines", "another issuer"])
    func aTerminalThatStaysGetsScriptsAndASecondCryptogram(how: String) throws {
        let profile = CardProfile.named("amexOnlinePlain")!
        var card = VirtualCard(profile)
        let terminal = PlainTerminal()
        _ = terminal.tap(&card)
        func send(_ command: [UInt8]) -> [UInt8] { card.respond(to: command) }
        func generate(_ type: UInt8, _ list: [DataRequest], _ answer: [UInt8] = []) -> [UInt8] {
            let data = answer + terminal.fill(list.bytes)
            return send([0x80, 0xAE, type, 0x00, UInt8(data.count)] + data + [0x00])
        }
        let first = generate(0x80, .expresspay)
        let template = try #require(DataObject.parse(first.dropLast(2))?.first)
        let objects = try #require(DataObject.parse(template.value))
        var host = IssuerHost(cards: profile.applications)
        var chip = DataObjects()
        for object in objects { chip[EMVKit.Tag(rawValue: object.tag)!] = object.value }
        for request in [DataRequest].expresspay {
            chip[EMVKit.Tag(rawValue: request.tag)!] = terminal.value(request.tag)
        }
        chip[0x82] = [0x18, 0x80]
        let accepted = try host.accept(pan: profile.application.pan, sequence: 1, chip: chip)
        let code = how == "declines" ? "05" : "00"
        var answer = accepted.answer(
            code: code, after: IssuerScript([.put(tag: 0x9F58, value: [0x07]), .blockApplication]))
        let script = try #require(answer[0x72])
        for command in (DataObject.parse(script) ?? []).filter({ $0.tag == 0x86 }) {
            #expect(send(command.value) == StatusWord.success.bytes)
        }
        #expect(card.updates.data[0x9F58] == [0x07] && card.updates.blockedApplications.count == 1)

        if how == "another issuer" { answer[0x91]![0] ^= 0x01 }
        let second = generate(0x40, .expresspay, Array(code.utf8) + answer[0x91]!)
        #expect(second.suffix(2) == [0x90, 0x00])
        let outer = try #require(DataObject.parse(second.dropLast(2))?.first)
        let type = try #require(DataObject.parse(outer.value)?.first)
        #expect(type == DataObject(0x9F27, [how == "approves" ? 0x40 : 0x00]))
        // One of them is sufficient.
        #expect(
            generate(0x40, .expresspay, Array(code.utf8) + answer[0x91]!) == StatusWord.conditionsNotSatisfied.bytes)
    }
}
