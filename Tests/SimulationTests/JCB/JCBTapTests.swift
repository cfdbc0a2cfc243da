// SPDX-License-Identifier: Apache-2.0
import EMVKit
import Testing

@testable import EMVCards
@testable import EMVSimulator

/// JCB cards with Kernel 5 and issuer. The expected results follow from Book C-5 and from the card, not from the
/// kernel's behaviour.
@Suite struct JCBTapTests {
    /// A floor limit of 100.00, and 12.50: at an ordinary reader, in EMV Mode alone, by the book.
    static let plain: [String: [String]] = [
        "approved none": [
            "k5-offline", "k5-offline-max", "k5-offline-f4", "k5-offline-spread", "k5-offline-file12", "k5-limit",
            "k5-balance", "k5-long-lengths", "k5-device", "k5-transit", "k5-torn", "k5-torn-no-echo", "k5-regardless",
            "k5-unsigned-list",
        ],
        // Because of the dates the default Terminal Action Codes go online (Annex D).
        "onlineRequest none": [
            "k5-online", "k5-offline-limit", "k5-online-no-cda", "k5-format-1", "k5-cvm-none", "k5-cvm-auto",
            "k5-torn-online", "k5-torn-no-cda", "k5-two-presentments", "k5-hold", "k5-expired", "k5-future",
        ],
        "onlineRequest signature": ["k5-cvm-signature"],
        "onlineRequest onlinePIN": ["k5-cvm-pin", "k5-hold-pin"],
        "onlineRequest cdcvm": ["k5-cvm-phone", "k5-see-phone"],
        "declined": [
            "k5-decline", "k5-auc", "k5-wrong-signature", "k5-wrong-signature-online", "k5-other-data",
            "k5-other-number", "k5-other-type", "k5-unsigned", "k5-unknown-ca", "k5-no-certificate",
            "k5-undefined-type",
        ],
        "tryAnotherInterface": ["k5-insert"],
        // Select Next without a further application.
        "unreadable": [
            "k5-legacy", "k5-legacy-pin", "k5-downgraded", "k5-refuses", "k5-no-pdol", "k5-no-track", "k5-repeated",
        ],
    ]

    static let names = JCBBehaviour.profiles.map(\.name)

    /// Differences from the book. Strict approves nothing offline, so it requests an online cryptogram; the card that
    /// approves regardless is declined (3.8.1.11).
    private static func expected(_ name: String, _ profile: Protection.Profile) -> String? {
        let book = plain.first { $0.value.contains(name) }?.key
        switch (profile, name) {
        case (.guarded, "k5-unsigned-list"): return "onlineRequest none"
        case (.strict, "k5-regardless"): return "declined"
        case (.strict, _) where book == "approved none": return "onlineRequest none"
        default: return book
        }
    }

    @Test(arguments: names, Protection.Profile.allCases)
    func profilesLeadWhereTheTableSays(name: String, profile: Protection.Profile) throws {
        #expect(try JCBPOS(profile).tap(name).summary == Self.expected(name, profile))
    }

    /// Above the CVM limit of 50.00.
    @Test(arguments: [
        ("k5-online", "onlineRequest onlinePIN"), ("k5-offline", "onlineRequest onlinePIN"),
        ("k5-online-no-cda", "onlineRequest onlinePIN"), ("k5-cvm-signature", "onlineRequest signature"),
        ("k5-cvm-none", "declined"), ("k5-cvm-phone", "onlineRequest cdcvm"), ("k5-cvm-auto", "onlineRequest cdcvm"),
        ("k5-see-phone", "onlineRequest cdcvm"), ("k5-cvm-pin", "onlineRequest onlinePIN"),
    ])
    func verificationRequiredLeadsElsewhere(name: String, expected: String) throws {
        for profile in Protection.Profile.allCases {
            #expect(try JCBPOS(profile, amount: 60_00).tap(name).summary == expected, "\(profile)")
        }
    }

    /// A method that the reader does not support is refused (3.8.3.4); a card that can choose uses its next method.
    @Test func aReaderWithoutPINDeclinesThePIN() throws {
        let withoutPIN = JCBPOS(ttq: [0x32, 0x00, 0x40, 0x00], amount: 60_00)
        #expect(try withoutPIN.tap("k5-online").summary == "onlineRequest signature")
        #expect(try withoutPIN.tap("k5-cvm-pin").summary == "declined")
        let bare = JCBPOS(ttq: [0x20, 0x00, 0x00, 0x00], amount: 60_00)
        #expect(try bare.tap("k5-cvm-auto").summary == "declined")
    }

    @Test(arguments: Protection.Profile.allCases)
    func legacyModeIsForReadersThatHaveIt(profile: Protection.Profile) throws {
        let both: Bytes = [0xB6, 0x00, 0x40, 0x00]
        #expect(try JCBPOS(profile, ttq: both).tap("k5-legacy").summary == "onlineRequest none")
        #expect(try JCBPOS(profile, ttq: both, amount: 60_00).tap("k5-legacy").summary == "onlineRequest onlinePIN")
        #expect(try JCBPOS(profile, ttq: both, amount: 60_00).tap("k5-legacy-pin").summary == "onlineRequest onlinePIN")
        #expect(try JCBPOS(profile, ttq: both, amount: 300_00).tap("k5-legacy").summary == "limitExceeded")
        // An EMV card is still processed in EMV Mode.
        #expect(try JCBPOS(profile, ttq: both).tap("k5-online").summary == "onlineRequest none")
        var forbidden = JCBPOS(profile, ttq: both)
        forbidden.configuration.protection.legacyMode = .off
        #expect(try forbidden.tap("k5-legacy").summary == "unreadable")
    }

    /// 3.8.3.5, .6: after the cryptogram, at amount >= limit; a phone has a separate limit.
    @Test func limitsBiteAtTheirAmount() throws {
        #expect(try JCBPOS(amount: 299_99).tap("k5-limit").summary == "onlineRequest onlinePIN")
        #expect(try JCBPOS(amount: 300_00).tap("k5-limit").summary == "limitExceeded")
        let device = { (row: inout Combination) in row.limits.cdcvmTransaction = 500_00 }
        #expect(try JCBPOS(amount: 499_99, device).tap("k5-cvm-phone").summary == "onlineRequest cdcvm")
        #expect(try JCBPOS(amount: 500_00, device).tap("k5-cvm-phone").summary == "limitExceeded")
    }

    /// 3.4.1.4, 3.7.1.6: no cryptogram is requested without the CA key or without a certificate.
    @Test(arguments: ["k5-unknown-ca", "k5-no-certificate", "k5-auc"])
    func aDeclineBeforeTheCryptogramAsksForNone(name: String) throws {
        #expect(try JCBPOS().tap(name).count(0xAE) == 0)
        #expect(try JCBPOS().tap("k5-wrong-signature").count(0xAE) == 1)
    }

    /// The card's data reach the data record, and its balance reaches the display.
    @Test func whatTheCardGivesReachesItsPlace() throws {
        let device = try JCBPOS().tap("k5-device")
        #expect(device[0x9F6E] == [0x23, 0x06, 0x00, 0x00] && device[0x9F7C] == [0x01, 0x02, 0x03, 0x04])
        let balance = try JCBPOS().tap("k5-balance")
        #expect(balance.outcome.status == .approved)
        #expect(balance.outcome.uiOnOutcome?.value?.amount == 123_45 - 12_50)
        #expect(balance[0x9F5F] == nil)
        // 17 before the outcome's (3.8.1.13).
        #expect(balance.messages.map(\.rawValue) == [0x15, 0x17, 0x03])
    }

    /// An app's view of a tap: the scheme, the issuer's data in their layout, the device, the name on the receipt.
    @Test func anAppReadsWhatItIs() async throws {
        let card = VirtualCard(CardProfile.named("k5-device")!)
        let read = try #require(try await IssuerTap.read(card, configuration: JCBPOS().configuration))
        let chip = ChipData(read)
        #expect(chip.scheme == .jcb && chip.mode == .emv && chip.kernel == 5)
        #expect(chip.issuerApplicationData?.format == .jcb && chip.issuerApplicationData?.version == 0x01)
        #expect(chip.issuerApplicationData?.firstCryptogram == chip.cryptogramType)
        #expect(chip.formFactor?.deviceCode == 0x03)
        let receipt = Receipt(
            read, result: .approved, total: Money(minorUnits: 12_50, currency: .eur), merchant: Merchant("Shop"),
            moment: TapThroughTests.moment)
        #expect(receipt.applicationLabel == "JCB" && receipt.applicationIdentifier == "A0000000651010")
    }

    // MARK: Transit

    private static let agent = Bytes(repeating: 0xA1, count: 16)
    private static let related = Bytes((1...50).map { UInt8($0) })

    /// The card receives the gate's data and signs them, and no verification is required whatever it claims.
    @Test(arguments: Protection.Profile.allCases)
    func aGateGivesItsDataAndAsksForNoVerification(profile: Protection.Profile) throws {
        let gate = JCBPOS(profile, ttq: [0x37, 0x00, 0x40, 0x00]) { row in
            row.kernel.jcb?.transitAgent = Self.agent
            row.kernel.jcb?.transitData = Self.related
        }
        let tap = try gate.tap("k5-transit")
        #expect(tap.summary == (profile == .strict ? "onlineRequest none" : "approved none"))
        #expect(tap[0x9F34] == [0x1F, 0x00, 0x02])
        let command = try #require(tap.commands.first { $0[1] == 0xAE })
        #expect(Array(command.dropLast().suffix(66)) == Self.agent + Self.related)
        #expect(try gate.tap("k5-cvm-signature")[0x9F34] == [0x1F, 0x00, 0x02])
    }

    /// 3.7.1.3: a listed account is declined at a gate, before a cryptogram; elsewhere the default action codes send it
    /// online (Annex D).
    @Test func aGateDeclinesAListedAccount() throws {
        for (ttq, expected) in [(0x37, "declined"), (0x36, "onlineRequest none")] as [(UInt8, String)] {
            var pos = JCBPOS(ttq: [ttq, 0x00, 0x40, 0x00]) { row in row.kernel.jcb?.combinationOptions = [0x32, 0x00] }
            #expect(try pos.tap("k5-transit").summary == "approved none")
            pos.configuration.exceptions = [ExceptionEntry(pan: [0x35, 0x30, 0x11, 0x13, 0x33, 0x30, 0x00, 0x00])]
            #expect(try pos.tap("k5-transit").summary == expected)
        }
    }

    // MARK: Torn taps

    /// The response to GENERATE AC is lost; the card repeats it, and nothing is paid twice.
    @Test(arguments: Protection.Profile.allCases)
    func aTornTapIsRecoveredAtTheNext(profile: Protection.Profile) throws {
        for name in ["k5-torn", "k5-torn-online"] {
            let pos = JCBPOS(profile)
            let lost = FaultPlan(at: try pos.cryptogramExchange(of: name), .loseResponse)
            var card = FaultyCard(VirtualCard(CardProfile.named(name)!), lost)
            let tap = try pos.tap(&card)
            #expect(tap.summary == Self.expected(name, profile))
            #expect(tap.count(0xDF) == 1 && tap.count(0xAE) == 1 && tap.presentments == 2)
            #expect(card.card.transactionCounter == 0x0015)
            let last: UInt8 = tap.outcome.status == .approved ? 0x03 : 0x1B
            #expect(tap.messages.map(\.rawValue) == [0x15, 0x21, 0x21, 0x17, last])
            // The record is that of the torn GENERATE AC, and the issuer accepts it.
            var host = IssuerHost(cards: card.card.profile.applications)
            try host.accept(IssuerMessage(ChipData(tap.outcome)))
            if name == "k5-torn", profile != .strict {
                #expect(tap.outcome.uiOnOutcome?.value?.amount == 500_00 - 12_50)
                // The next sale is an ordinary one, and the balance was reduced once.
                let next = try pos.tap(&card)
                #expect(next.count(0xDF) == 0 && next.outcome.uiOnOutcome?.value?.amount == 500_00 - 25_00)
            }
        }
    }

    /// 3.13.2: a card that has nothing to repeat is processed as a new tap. This card pays twice; its issuer sees both
    /// payments.
    @Test(arguments: Protection.Profile.allCases)
    func withoutAnAnswerToEchoTheTapIsAnOrdinaryOne(profile: Protection.Profile) throws {
        let pos = JCBPOS(profile)
        let lost = FaultPlan(at: try pos.cryptogramExchange(of: "k5-torn-no-echo"), .loseResponse)
        var card = FaultyCard(VirtualCard(CardProfile.named("k5-torn-no-echo")!), lost)
        let tap = try pos.tap(&card)
        #expect(tap.summary == Self.expected("k5-torn-no-echo", profile))
        #expect(tap.count(0xDF) == 1 && tap.count(0xAE) == 2 && card.card.transactionCounter == 0x0016)
    }

    /// A command that never reached the card leaves nothing to repeat, either.
    @Test func aCardThatHeardNothingRepeatsNothing() throws {
        let pos = JCBPOS()
        var card = FaultyCard(
            VirtualCard(CardProfile.named("k5-torn")!),
            FaultPlan(at: try pos.cryptogramExchange(of: "k5-torn"), .drop))
        let tap = try pos.tap(&card)
        #expect(tap.summary == "approved none" && tap.count(0xDF) == 1 && tap.count(0xAE) == 2)
        #expect(tap.outcome.uiOnOutcome?.value?.amount == 500_00 - 12_50)
    }

    /// The context is used once: after a torn recovery the next tap is an ordinary one (3.13.7).
    @Test(arguments: 1...3)
    func aTornRecoveryIsNotRecoveredAgain(after: Int) throws {
        let pos = JCBPOS()
        let torn = try pos.cryptogramExchange(of: "k5-torn")
        // After PPSE and SELECT: ECHO, GET PROCESSING OPTIONS, a record.
        var card = FaultyCard(
            VirtualCard(CardProfile.named("k5-torn")!),
            FaultPlan([torn: [.loseResponse], torn + 2 + after: [.loseResponse]]))
        let tap = try pos.tap(&card)
        #expect(tap.summary == "approved none")
        #expect(tap.count(0xDF) == 1 && tap.count(0xAE) == 2 && tap.presentments == 3)
    }

    /// Recovery works only within the transaction, and only if it is enabled.
    @Test func theContextEndsWithItsTransaction() throws {
        var pos = JCBPOS()
        let lost = FaultPlan(at: try pos.cryptogramExchange(of: "k5-torn"), .loseResponse)
        let memory = ReaderMemory()
        pos.patience = 1
        var card = FaultyCard(VirtualCard(CardProfile.named("k5-torn")!), lost)
        #expect(try pos.tap(&card, memory).outcome.status == .endApplication)
        pos.patience = 6
        let next = try pos.tap(&card, memory)
        #expect(next.summary == "approved none" && next.count(0xDF) == 0)

        pos.configuration.protection.torn = .off
        var other = FaultyCard(VirtualCard(CardProfile.named("k5-torn")!), lost)
        let off = try pos.tap(&other)
        #expect(off.count(0xDF) == 0 && off.count(0xAE) == 2)
    }

    // MARK: The issuer's answer

    private static let updating: Bytes = [0x36, 0x00, 0xC0, 0x00]

    /// Both ways of passing on the issuer's answer: scripts before and after, a second cryptogram, and a balance.
    @Test(arguments: ["k5-two-presentments", "k5-hold", "k5-hold-pin"], Protection.Profile.allCases)
    func theCardTakesItsIssuersAnswer(name: String, profile: Protection.Profile) throws {
        for (code, approves) in [("00", true), ("05", false)] {
            let card = VirtualCard(CardProfile.named(name)!)
            var pos = JCBPOS(profile, ttq: Self.updating)
            pos.issuer = { outcome in
                var host = IssuerHost(cards: card.profile.applications)
                let request = try? host.accept(IssuerMessage(ChipData(outcome)))
                return request?.answer(
                    code: code, before: IssuerScript([.put(tag: 0x9F5F, value: [0, 0, 0, 0, 0x70, 0])]),
                    after: IssuerScript([.unblockPIN]))
            }
            var presented = card
            let tap = try pos.tap(&presented)
            #expect(tap.outcome.status == (approves ? .approved : .declined))
            #expect(tap.count(0xAE) == 2 && tap.count(0xDA) == 1 && tap.count(0x24) == 1)
            #expect(tap.presentments == (name == "k5-two-presentments" ? 2 : 1))
            #expect(presented.updates.data[0x9F5F] == [0, 0, 0, 0, 0x70, 0] && presented.updates.pinUnblocks == 1)
            #expect(tap.outcome.uiOnOutcome?.value?.amount == (approves ? 70_00 - 12_50 : 70_00))
            #expect(tap[0x9F27] == [approves ? 0x40 : 0x00])
            // TVR byte 5 bits 6 and 5: no command failed.
            #expect(tap[0x95].map { $0[4] & 0x30 } == 0x00)
            if approves {
                // The second cryptogram is the card's, too.
                #expect(SimulatedIssuer(card.profile.application).accepts(Self.tags(tap.outcome)))
                #expect(tap.outcome.cvm == (name == "k5-hold-pin" ? .notApplicable : .none))
            }
        }
    }

    private static func tags(_ outcome: Outcome) -> [UInt32: [UInt8]] {
        guard let record = outcome.dataRecord else { return [:] }
        return Dictionary(uniqueKeysWithValues: record.tags.map { ($0.rawValue, record[$0]!) })
    }

    /// Data not from the issuer have no effect: a wrong MAC is reported in the TVR, a wrong authentication lowers the
    /// second cryptogram.
    @Test func whatIsNotTheIssuersDoesNothing() throws {
        let profile = CardProfile.named("k5-hold")!
        for damage in [0x71, 0x72, 0x91] as [EMVKit.Tag] {
            var pos = JCBPOS(ttq: Self.updating)
            pos.issuer = { outcome in
                var host = IssuerHost(cards: profile.applications)
                let request = try? host.accept(IssuerMessage(ChipData(outcome)))
                var answer = request?.answer(
                    before: IssuerScript([.put(tag: 0x9F5F, value: [0, 0, 0, 0, 0x70, 0])]),
                    after: IssuerScript([.unblockPIN]))
                guard var value = answer?[damage] else { return nil }
                value[damage == 0x91 ? 0 : value.count - 1] ^= 0x01
                answer?[damage] = value
                return answer
            }
            var card = VirtualCard(profile)
            let tap = try pos.tap(&card)
            let failed = try #require(tap[0x95])[4] & 0x30
            switch damage {
            case 0x71:
                // The commands of a transaction are chained: after a wrong one the next ones fail.
                #expect(tap.outcome.status == .approved && card.updates.data.isEmpty && failed == 0x30)
            case 0x72:
                #expect(tap.outcome.status == .approved && card.updates.pinUnblocks == 0 && failed == 0x10)
            default:
                #expect(tap.outcome.status == .declined && tap[0x9F27] == [0x00] && failed == 0x00)
            }
        }
    }

    /// 3.10: a reader without issuer update does not ask for the card again, and shows that the card was read.
    @Test func aReaderWithoutIssuerUpdateGoesOnlineAsEver() throws {
        let plain = try JCBPOS().tap("k5-hold")
        #expect(plain.summary == "onlineRequest none" && plain.messages.map(\.rawValue) == [0x15, 0x17, 0x1B])
        // If the card is held in the field, the display does not ask to remove it (3.8.1.13).
        let held = try JCBPOS(ttq: Self.updating).tap("k5-hold")
        #expect(!held.messages.map(\.rawValue).contains(0x17))
    }
}
