// SPDX-License-Identifier: Apache-2.0
import EMVKit
import Testing

@testable import EMVCards
@testable import EMVSimulator

/// Kernel 8 cards with kernel and issuer. The expected results follow from Book C-8 and from the card, not from the
/// kernel's behaviour; they include the results of the stricter protection profiles.
@Suite struct Kernel8TapTests {
    /// 12.50 at a terminal of type 22 with the action codes of Table A.38, CVM limit 50.00, floor limit 100.00.
    static let plain: [String: [String]] = [
        "approved none": [
            "k8BlindingOne", "k8BlindingRepeated", "k8EnvelopeMAC", "k8Envelopes", "k8ExtendedData", "k8MACApart",
            "k8Offline", "k8OfflineRSA", "k8OffsetOfCard", "k8OpenList", "k8Phone", "k8PlainIssuer", "k8PlainRecords",
            "k8Regardless", "k8Relay", "k8RelayRetry", "k8SignedList", "k8Spread", "k8Version1", "k8WriteMAC",
        ],
        "approved cdcvm": ["k8CDCVM"],
        // Above the card's limit; late (21.23, TAC Online byte 5); cards that cannot approve offline.
        "onlineRequest none": [
            "k8CardResults", "k8OfflineLimit", "k8OnlineLocal", "k8RelayLate", "k8RestartOnce",
        ],
        "onlineRequest onlinePIN": ["k8OnlinePIN"],
        "onlineRequest signature": ["k8Signature"],
        "onlineRequest notApplicable": ["k8CVMFailed", "k8CVMNotApplicable", "k8CVMUnknown"],
        // Local authentication not performed (TVR byte 1 b8) or failed (b3): TAC Denial.
        "declined": [
            "k8CardExpired", "k8CardHash", "k8CardSignature", "k8Decline", "k8Expired", "k8FieldOff",
            "k8ForeignBlinding", "k8IssuerSignature", "k8NoKeys", "k8Online", "k8OtherIssuer", "k8Revoked",
            "k8UnknownCA", "k8UnsignedKey",
        ],
        "tryAnotherInterface": ["k8OtherInterface"],
        "unreadable": [
            "k8DamagedRecord", "k8NoAIP", "k8NoAccount", "k8NoCardCertificate", "k8NoCryptogram", "k8NoDecision",
            "k8NoEDAMAC", "k8NoIndex", "k8NoIssuerCertificate", "k8NoIssuerData", "k8NoSuite", "k8NoTemplate",
            "k8OffCurve", "k8Refuses", "k8RefusesCryptogram", "k8RepeatedCounter", "k8ShortKeyData",
            // Endless by the book (2930.2): the reader's own limit of restarts ends it.
            "k8RestartForever",
            "k8TerminalObject", "k8UndefinedType", "k8UnevenAFL", "k8Version0", "k8WrongEDAMAC", "k8WrongIADMAC",
            "k8WrongOffset",
        ],
    ]

    /// Results that differ in `guarded`: restarts are limited, and a list that is not signed leads to no approval
    /// (A35).
    static let guarded = ["k8OpenList": "onlineRequest none", "k8RestartForever": "declined"]

    /// Results that differ in `strict`: nothing is approved offline (attacks.md, A07), a late card does not go online
    /// (A24), and an approval that was not requested is ignored by this kernel (29.20).
    static let strict: [String: String] = {
        var ends = Dictionary(uniqueKeysWithValues: plain["approved none"]!.map { ($0, "onlineRequest none") })
        ends["k8CDCVM"] = "onlineRequest cdcvm"
        ends["k8Regardless"] = "unreadable"
        ends["k8RelayLate"] = "declined"
        ends["k8RestartForever"] = "declined"
        return ends
    }()

    static let expected: [(card: String, end: String)] = plain.flatMap { end, cards in cards.map { ($0, end) } }

    @Test func everyCardOfKernel8StandsInTheTable() {
        #expect(Self.expected.map(\.card).sorted() == CardProfile.kernel8.map(\.name).sorted())
    }

    @Test(arguments: expected.map(\.card).sorted())
    func theKernelLeadsWhereTheTableSays(card: String) throws {
        let end = try #require(Self.expected.first { $0.card == card }).end
        for profile in Protection.Profile.allCases {
            let tap = try Kernel8POS(profile).tap(card)
            let own = profile == .guarded ? Self.guarded[card] : profile == .strict ? Self.strict[card] : nil
            #expect(tap.summary == own ?? end, "\(profile)")
        }
    }

    /// Computing ahead changes no byte and no result.
    @Test(arguments: expected.map(\.card).sorted())
    func computingAheadChangesNothing(card: String) throws {
        var pos = Kernel8POS(.guarded)
        let plain = try pos.tap(card)
        pos.worksAhead = true
        let ahead = try pos.tap(card)
        #expect(ahead.exchanges.map(\.command) == plain.exchanges.map(\.command))
        #expect(ahead.outcome == plain.outcome && ahead.messages == plain.messages)
    }

    // MARK: The issuer

    /// S27: the card may be removed once its answer has been read, before the terminal has checked any MAC, so a wrong
    /// MAC ends the tap after the message (28.14). With envelopes to write the card has to stay.
    @Test(arguments: ["k8Offline", "k8OfflineRSA", "k8Version1", "k8Decline", "k8WrongEDAMAC", "k8WrongIADMAC"])
    func theCardMayGoBeforeItsMACsAreChecked(card: String) throws {
        let tap = try Kernel8POS().tap(card)
        #expect(tap.early.count == 1)
        let early = try #require(tap.early.first)
        #expect(early.after == 0xAE && early.messages.map(\.message) == [.clearDisplay])
        #expect(early.messages.map(\.status) == [.cardRead])
        #expect(tap.messages.count(where: { $0 == .clearDisplay }) == 1)
        let writing = try Self.exchanging(write: [0x11: [1]]).tap("k8Envelopes")
        #expect(writing.early.allSatisfy { $0.messages.isEmpty } && writing.messages.contains(.clearDisplay))
    }

    private static func host(_ card: String) throws -> IssuerHost {
        IssuerHost(cards: try #require(CardProfile.named(card)).applications)
    }

    /// Whatever the outcome, if there is a data record, its cryptogram convinces the issuer: kernel and card computed
    /// equal IAD-MACs and agree on the position.
    @Test(arguments: expected.map(\.card).sorted())
    func theIssuerAcceptsWhatTheKernelMadeOfIt(card: String) throws {
        let tap = try Kernel8POS().tap(card)
        guard tap.outcome.dataRecord != nil else {
            #expect(["unreadable"].contains(tap.summary))
            return
        }
        var host = try Self.host(card)
        let accepted = try host.accept(IssuerMessage(ChipData(tap.outcome)))
        #expect(accepted?.cryptogram == tap[0x9F26])
    }

    /// The issuer rejects a change of any bit that the cryptogram covers, including the inserted IAD-MAC.
    @Test(arguments: ["k8Version1", "k8Offline", "k8OfflineRSA", "k8OffsetOfCard", "k8Relay", "k8OnlinePIN"])
    func anyOtherBitIsRefusedByTheIssuer(card: String) throws {
        let tap = try Kernel8POS().tap(card)
        let application = try #require(CardProfile.named(card)).application
        let tags = try #require(tap.outcome.dataRecord).tags.map(\.rawValue)
        var record: [UInt32: [UInt8]] = [:]
        for tag in tags { record[tag] = tap[try #require(Tag(rawValue: tag))] }
        #expect(SimulatedIssuer(application).accepts(record))
        for tag: UInt32 in [0x9F02, 0x9F03, 0x9F1A, 0x95, 0x5F2A, 0x9A, 0x9C, 0x9F37, 0x82, 0x9F36, 0x9F10] {
            var changed = record
            let value = try #require(record[tag])
            changed[tag] = value.dropLast() + [value[value.count - 1] ^ 0x01]
            #expect(!SimulatedIssuer(application).accepts(changed), "\(tag)")
        }
    }

    // MARK: Version, certificates, records

    /// In version 1 the EDA-MAC covers the issuer's data instead of the IAD-MAC (1.6, 28.14): if a relay changes the
    /// version, each card fails at the MAC.
    @Test(arguments: [("k8Version1", 2), ("k8Offline", 1)] as [(String, UInt8)])
    func theVersionDecidesWhatIsBound(card: String, other: UInt8) throws {
        let relay = CardEdit(.selection, .response(.replace(0x9F2C, [other, 0, 0xFF, 0xFF, 0, 0, 0])))
        let tap = try Kernel8POS().tap(card, [relay])
        #expect(tap.summary == "unreadable" && tap.error[1] == 0x13)
    }

    /// RSA certificates count if the reader supports them (9F8209 b6).
    @Test func certificatesOfRSAAreAnOption() throws {
        let without = Kernel8POS { $0.data[0x9F8209] = [0x18, 0x00] }
        #expect(try without.tap("k8OfflineRSA").summary == "declined")
        #expect(try without.tap("k8Offline").summary == "approved none")
        let tap = try Kernel8POS().tap("k8OfflineRSA")
        #expect(tap.summary == "approved none" && tap[0x95]?.first == 0)
    }

    /// Records are in DA or in 70, depending on the card; in both cases the data record has the account.
    @Test(
        arguments: [("k8Offline", [0xDA]), ("k8PlainRecords", [0x70]), ("k8PlainIssuer", [0xDA, 0x70])]
            as [(String, Set<UInt8>)])
    func encipheredAndPlainRecordsAreRead(card: String, templates: Set<UInt8>) throws {
        let tap = try Kernel8POS().tap(card)
        let records = tap.exchanges.filter { $0.command[1] == 0xB2 }
        #expect(Set(records.map { $0.response[0] }) == templates)
        #expect(tap[0x5A] == [0x67, 0x88, 0x88, 0, 0, 0, 0, 0x18])
    }

    /// The kernel uses another key and another number in every tap, and the ciphertext differs.
    @Test func nothingOfOneTapIsOfUseInAnother() throws {
        var card = VirtualCard(try #require(CardProfile.named("k8Offline")))
        var pos = Kernel8POS()
        let first = try pos.tap(&card)
        pos.seed = 2
        let second = try pos.tap(&card)
        for instruction: UInt8 in [0xA8, 0xAE] {
            #expect(first.commands(instruction) != second.commands(instruction))
        }
        let records = [first, second].map { tap in
            tap.exchanges.filter { $0.command[1] == 0xB2 }.map(\.response)
        }
        #expect(Set(records[0]).isDisjoint(with: records[1]) && records[0].count == 3)
        #expect(first[0x9F26] != second[0x9F26])
    }

    // MARK: Relay resistance

    @Test(
        arguments: [
            // Card, commands, TVR byte 5 (format and result), whether the limit is exceeded.
            ("k8Relay", 1, 0x82, false), ("k8RelayRetry", 2, 0x82, false), ("k8RelayLate", 3, 0x8E, true),
            ("k8Offline", 0, 0x81, false),
        ] as [(String, Int, UInt8, Bool)])
    func distanceIsMeasured(card: String, commands: Int, results: UInt8, exceeds: Bool) throws {
        let tap = try Kernel8POS().tap(card)
        #expect(tap.count(0xEA) == commands && tap[0x95]?.last == results)
        #expect(tap.outcome.discretionary?[0x9F810C].map { $0 != [0, 0] } == exceeds)
        // Each attempt has a new number, and the cryptogram covers the last one (2021.11).
        let numbers = tap.commands(0xEA).map { Array($0[5..<9]) }
        #expect(Set(numbers).count == commands && (numbers.isEmpty || numbers.last == tap[0x9F37]))
        #expect(try Kernel8POS { $0.data[0x9F8209] = [0x28, 0x00] }.tap(card).count(0xEA) == 0)
    }

    // MARK: Envelopes

    /// Tags To Read, and a series of envelopes.
    private static func exchanging(read: [UInt8] = [], write: [UInt8: [UInt8]] = [:]) -> Kernel8POS {
        var pos = Kernel8POS()
        if !read.isEmpty { pos.data[0x9F8203] = read.flatMap { [0x9F, 0x81, $0] } }
        let envelopes = write.sorted { $0.key < $1.key }.map { DataObject(0x9F8100 | UInt32($0.key), $0.value) }
        if !envelopes.isEmpty { pos.data[0xBF8104] = envelopes.flatMap(\.bytes) }
        return pos
    }

    @Test func envelopesAreReadThroughTheChannel() throws {
        let tap = try Self.exchanging(read: [0x11, 0x1A]).tap("k8Envelopes")
        #expect(tap.summary == "approved none" && tap.count(0x32) == 2)
        // The terminal receives the plain text; on the air it is enciphered.
        let sent = tap.sent.flatMap { DataObject.parse($0) ?? [] }
        #expect(sent.first { $0.tag == 0x9F8111 }?.value == [1, 2, 3, 4])
        #expect(sent.first { $0.tag == 0x9F811A }?.value == [UInt8](repeating: 0xA5, count: 100))
        let answer = try #require(tap.exchanges.last { $0.command[1] == 0x32 }?.response)
        #expect(answer.count == 104 + 8 + 2 && answer.count { $0 == 0xA5 } < 20)
        var host = try Self.host("k8Envelopes")
        try host.accept(IssuerMessage(ChipData(tap.outcome)))
    }

    /// A bad MAC spoils only this envelope (C.56), but also the counters: the card has counted, the kernel has not.
    @Test func anEnvelopeThatIsNotAuthenticIsNotTaken() throws {
        let tap = try Self.exchanging(read: [0x11]).tap("k8EnvelopeMAC") { $0.kernel8.encryption = .nothing }
        #expect(tap.summary == "approved none" && tap.count(0x32) == 1)
        #expect(!tap.sent.flatMap { DataObject.parse($0) ?? [] }.contains { $0.tag == 0x9F8111 })
        let hidden = try Self.exchanging(read: [0x11]).tap("k8EnvelopeMAC")
        #expect(hidden.summary == "unreadable")
    }

    @Test func envelopesAreWrittenAndReadAgain() throws {
        var card = VirtualCard(try #require(CardProfile.named("k8Envelopes")))
        var pos = Self.exchanging(write: [0x11: [9, 8, 7], 0x12: [UInt8](repeating: 0x5A, count: 60)])
        let written = try pos.tap(&card)
        #expect(written.summary == "approved none")
        // 80 announces more envelopes, 00 is the last; GENERATE AC has announced them.
        #expect(written.commands(0x34).map { $0[3] } == [0x80, 0x00])
        #expect(written.commands(0xAE).map { $0[3] } == [0x80])
        pos = Self.exchanging(read: [0x11, 0x12])
        pos.seed = 2
        let sent = try pos.tap(&card).sent.flatMap { DataObject.parse($0) ?? [] }
        #expect(sent.first { $0.tag == 0x9F8111 }?.value == [9, 8, 7])
        #expect(sent.first { $0.tag == 0x9F8112 }?.value == [UInt8](repeating: 0x5A, count: 60))
    }

    /// The first error ends writing and does not change the outcome (30.4); after a failed local authentication nothing
    /// is written.
    @Test func writingStopsAtTheFirstTrouble() throws {
        let two: [UInt8: [UInt8]] = [0x11: [1], 0x12: [2]]
        let spoilt = try Self.exchanging(write: two).tap("k8WriteMAC")
        #expect(spoilt.summary == "approved none" && spoilt.count(0x34) == 1)
        let failed = try Self.exchanging(write: two).tap("k8ForeignBlinding") { $0.kernel8.envelopes = [0x11: []] }
        #expect(failed.summary == "declined" && failed.count(0x34) == 0)
    }

    /// A reader without the implementation option does not take part in data exchange.
    @Test func withoutDataExchangeNothingIsReadOrWritten() throws {
        var pos = Self.exchanging(read: [0x11], write: [0x12: [1]])
        for row in pos.configuration.combinations.indices {
            pos.configuration.combinations[row].kernel = .kernel8(.init(dataExchange: false))
        }
        let tap = try pos.tap("k8Envelopes")
        #expect(tap.summary == "approved none" && tap.count(0x32) == 0 && tap.count(0x34) == 0)
        #expect(tap.sent.isEmpty)
    }

    // MARK: Verification

    /// Above the limit the reader does not offer "no verification" (…425.8), and states so in TRMD and capabilities.
    @Test(arguments: [
        ("k8Offline", "approved onlinePIN"), ("k8CDCVM", "approved cdcvm"), ("k8Phone", "approved cdcvm"),
        ("k8OnlineLocal", "onlineRequest onlinePIN"), ("k8Signature", "onlineRequest signature"),
        ("k8CVMFailed", "onlineRequest notApplicable"),
    ])
    func aboveTheLimitTheCardVerifies(card: String, end: String) throws {
        let tap = try Kernel8POS(amount: 60_00).tap(card)
        // An online PIN turns it into an online request: TAC Online has TVR byte 3 b3.
        #expect(tap.summary == (end == "approved onlinePIN" ? "onlineRequest onlinePIN" : end))
        #expect(tap.outcome.receipt && tap[0x9F33] == [0xE0, 0x64, 0x10])
        #expect(tap.presentments == (card == "k8Phone" ? 2 : 1))
        var host = try Self.host(card)
        try host.accept(IssuerMessage(ChipData(tap.outcome)))
    }

    @Test func aPhoneIsSentBackToItsHolder() throws {
        let tap = try Kernel8POS(amount: 60_00).tap("k8Phone")
        #expect(tap.messages.contains(.seePhone) && tap.presentments == 2)
    }

    /// With TapReader and everything that an app uses.
    @Test(arguments: [
        ("k8Offline", "approved none"), ("k8OfflineRSA", "approved none"), ("k8OnlineLocal", "onlineRequest none"),
        ("k8OnlinePIN", "onlineRequest onlinePIN"), ("k8Decline", "declined"), ("k8Online", "declined"),
        ("k8Refuses", "unreadable"), ("k8OtherInterface", "tryAnotherInterface"), ("k8NoSuite", "unreadable"),
    ])
    func aReaderTapsTheCards(card: String, end: String) async throws {
        let reader = TapReader(
            SimulatedReader(try #require(CardProfile.named(card))),
            configuration: .simulator(secrets: .simulatorVariableTime), secrets: .simulatorVariableTime,
            options: .ofTools)
        let session = try await reader.prepare()
        let outcome = await session.read(
            PaymentRequest(amount: Money(minorUnits: 1250, currency: .eur), moment: TapThroughTests.moment))
        #expect(TapThroughTests.describe(outcome) == end)
    }

    // MARK: Selection

    private static let beside = ["k8AndMastercard", "k8FallsBack", "k8FallsBackVersion"]

    /// A POS that goes online without local authentication: its terminal cannot approve (type 21).
    private static func selecting(_ change: (inout Combination) -> Void = { _ in }) -> Kernel8POS {
        var pos = Kernel8POS(.guarded, only: false) {
            $0.data[0x9F820B] = [0x00, 0x00, 0x00, 0x00, 0x40]
            change(&$0)
        }
        pos.configuration.terminal[0x9F35] = [0x21]
        return pos
    }

    /// If the first entry names Kernel 8, Kernel 8 processes it; a card that refuses it there is read with its scheme's
    /// own kernel.
    @Test(arguments: [("k8AndMastercard", 8, 1), ("k8FallsBack", 2, 2), ("k8FallsBackVersion", 2, 2)])
    func entriesThatNameKernel8ComeFirst(card: String, kernel: UInt8, selections: Int) throws {
        let tap = try Self.selecting().tap(card)
        #expect(tap.outcome.kernel?.number == kernel && tap.summary == "onlineRequest none")
        #expect(tap.commands(0xA4).count == selections + 1)
        var host = try Self.host(card)
        try host.accept(IssuerMessage(ChipData(tap.outcome)))
    }

    /// A POS without Kernel 8 reads these cards with the older kernel and never selects the other name.
    @Test(arguments: beside)
    func aReaderWithoutKernel8TakesTheOlderKernel(card: String) throws {
        var pos = Self.selecting()
        pos.configuration.combinations.removeAll { $0.kernel.id == 8 }
        let tap = try pos.tap(card)
        #expect(tap.outcome.kernel?.number == 2 && tap.summary == "onlineRequest none")
        #expect(tap.commands(0xA4).count == 2)
        // Its own cards have Kernel 8 only, so they are an unsupported network.
        #expect(try pos.tap("k8Offline").summary == "unsupportedNetwork")
    }

    /// A POS with Kernel 8 only reads just the new application.
    @Test func aReaderOfKernel8AloneHasNothingToFallBackOn() throws {
        var pos = Self.selecting()
        pos.configuration.combinations.removeAll { $0.kernel.id != 8 }
        #expect(try pos.tap("k8AndMastercard").summary == "onlineRequest none")
        #expect(try pos.tap("k8FallsBack").summary == "unreadable")
        // The older application names no kernel, so its RID's default kernel is meant (Book B, Table 3-6), which this
        // POS lacks.
        #expect(try pos.tap("mcOnline").summary == "unsupportedNetwork")
    }

    /// The entry's priority decides, not the kernel's number (Book B, 3.3.2.6).
    @Test func theCardsPriorityDecides() throws {
        let pos = Self.selecting()
        var profile = try #require(CardProfile.named("k8AndMastercard"))
        profile.applications[0].priority = 2
        profile.applications[1].priority = 1
        var card = VirtualCard(profile)
        #expect(try pos.tap(&card).outcome.kernel?.number == 2)
    }
}
