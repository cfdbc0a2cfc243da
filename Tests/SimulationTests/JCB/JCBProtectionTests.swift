// SPDX-License-Identifier: Apache-2.0
import EMVKit
import Testing

@testable import EMVCards
@testable import EMVSimulator

/// The rows of Kernel 5 in Conformance/attacks.md, played by a relay that modifies or a lying card, in every profile.
@Suite struct JCBProtectionTests {
    private static let legacy: Bytes = [0xB6, 0x00, 0x40, 0x00]
    private static let updating: Bytes = [0x36, 0x00, 0xC0, 0x00]
    private static let withoutPIN: Bytes = [0x32, 0x00, 0x40, 0x00]

    /// The rule against offline approvals is not the reason for any refusal here.
    private static func pos(
        _ profile: Protection.Profile, ttq: Bytes = [0x36, 0x00, 0x40, 0x00], amount: UInt64 = 60_00,
        _ change: (inout Combination) -> Void = { _ in }
    ) -> JCBPOS {
        JCBPOS(profile, ttq: ttq, amount: amount, offline: .enforce, change)
    }

    // MARK: A04, A08: unprotected verification

    private static let stripped = CardEdit(.options, .response(.clearBits(0x82, [0x01, 0x00])))

    /// A04: the profile's CDA bit is cleared: the status is unprotected, and counts for nothing above the limit.
    @Test func aClaimInTheClearMakesWayForThePIN() throws {
        for (name, book, finding) in [
            ("k5-cvm-signature", "onlineRequest signature", Findings.cvmFromPlainData),
            ("k5-cvm-phone", "onlineRequest cdcvm", .cdcvmUnauthenticated),
        ] {
            for profile in Protection.Profile.allCases {
                let tap = try Self.pos(profile).tap(name, [Self.stripped])
                #expect(tap.summary == (profile == .book ? book : "onlineRequest onlinePIN"), "\(name), \(profile)")
                #expect(tap.outcome.findings.contains(.odaStripped))
                #expect(profile != .book || tap.outcome.findings.contains(finding))
                // The PIN cannot be requested: declined beyond the book.
                let without = try Self.pos(profile, ttq: Self.withoutPIN).tap(name, [Self.stripped])
                #expect(without.summary == (profile == .book ? book : "declined"))
                // Below the limit a signature is accepted, because no verification is required at all.
                let small = try Self.pos(profile, amount: 12_50).tap("k5-cvm-signature", [Self.stripped])
                #expect(small.summary == "onlineRequest signature")
            }
        }
    }

    /// A04: no verification at all is refused above the limit in every profile (3.8.3.3).
    @Test(arguments: Protection.Profile.allCases)
    func noVerificationIsRefusedAboveTheLimit(profile: Protection.Profile) throws {
        let nothing = CardEdit(.cryptogram, .response(.replace(0x9F50, [0x00])))
        #expect(try Self.pos(profile).tap("k5-online-no-cda", [nothing]).summary == "declined")
        // If the status is signed, the change is detected.
        #expect(try Self.pos(profile, amount: 12_50).tap("k5-cvm-pin", [nothing]).summary == "declined")
    }

    /// A04: with damaged certificates the default action codes decline before a cryptogram. With codes of zero the book
    /// requests a cryptogram and declines; strict never requests it.
    @Test(arguments: Protection.Profile.allCases)
    func spoiltCertificatesAreDeclined(profile: Protection.Profile) throws {
        let spoilt: [CardEdit] = [
            CardEdit(.every, .response(.remove(0x9F46))), CardEdit(.every, .response(.remove(0x90))),
            CardEdit(.every, .response(.replace(0x8F, [0xEE]))), CardEdit(.every, .response(.replace(0x9F32, [0x01]))),
            CardEdit(.every, .response(.replace(0x9F4A, [0x82, 0x95]))),
        ]
        for (index, edit) in spoilt.enumerated() {
            for name in ["k5-offline", "k5-online"] {
                #expect(
                    try Self.pos(profile, amount: 12_50).tap(name, [edit]).summary == "declined", "\(index), \(name)")
                let lax = try Self.pos(profile, amount: 12_50) { $0.kernel.jcb?.tacDenial = [0, 0, 0, 0, 0] }
                    .tap(name, [edit])
                #expect(lax.summary == "declined", "\(index), \(name)")
                if index < 3 { #expect(lax.count(0xAE) == (profile == .strict ? 0 : 1), "\(index), \(name)") }
            }
        }
    }

    /// A08: 30 means that no verification was performed; only the book profile treats it as a verified device.
    @Test func nothingPerformedIsNoVerification() throws {
        let nothing = CardEdit(.cryptogram, .response(.replace(0x9F50, [0x30])))
        for profile in Protection.Profile.allCases {
            let tap = try Self.pos(profile).tap("k5-online-no-cda", [nothing])
            #expect(tap.summary == (profile == .book ? "onlineRequest cdcvm" : "declined"))
            let signed = try Self.pos(profile).tap("k5-cvm-none") { $0.jcb.verification = .stated(0x30) }
            #expect(signed.summary == (profile == .book ? "onlineRequest cdcvm" : "declined"))
        }
    }

    /// A08: a device that is not authenticated raises no limit.
    @Test func anUnprovenDeviceRaisesNoLimit() throws {
        let claim = CardEdit(.cryptogram, .response(.replace(0x9F50, [0x31])))
        for profile in Protection.Profile.allCases {
            let pos = Self.pos(profile, amount: 400_00) { $0.limits.cdcvmTransaction = 900_00 }
            #expect(try pos.tap("k5-cvm-phone").summary == "onlineRequest cdcvm")
            let tap = try pos.tap("k5-online-no-cda", [claim])
            #expect(tap.summary == (profile == .book ? "onlineRequest cdcvm" : "limitExceeded"))
        }
    }

    // MARK: A05, A27: Legacy Mode

    /// A05: conditions are ignored, so a signature listed before the PIN has precedence; strict chooses the PIN.
    @Test func aRewrittenListLeadsToThePINInStrict() throws {
        let rewritten = CardEdit(
            .every, .response(.replace(0x8E, [0, 0, 0, 0, 0, 0, 0, 0, 0x1E, 0x03, 0x02, 0x00])))
        for profile in Protection.Profile.allCases {
            let tap = try Self.pos(profile, ttq: Self.legacy).tap("k5-legacy", [rewritten])
            #expect(tap.summary == (profile == .strict ? "onlineRequest onlinePIN" : "onlineRequest signature"))
            let none = CardEdit(.every, .response(.replace(0x8E, [0, 0, 0, 0, 0, 0, 0, 0, 0x1F, 0x03])))
            #expect(try Self.pos(profile, ttq: Self.legacy).tap("k5-legacy", [none]).summary == "declined")
        }
    }

    /// A27: an EMV card in Legacy Mode.
    @Test func anEMVCardInLegacyModeIsVerifiedByPIN() throws {
        for profile in Protection.Profile.allCases {
            // The default configuration does not have this mode.
            #expect(try Self.pos(profile).tap("k5-downgraded").summary == "unreadable")
            let small = try Self.pos(profile, ttq: Self.legacy, amount: 12_50).tap("k5-downgraded")
            #expect(small.summary == "onlineRequest none" && small.outcome.findings.contains(.modeDowngrade))
            let large = try Self.pos(profile, ttq: Self.legacy).tap("k5-downgraded")
            #expect(large.summary == (profile == .book ? "onlineRequest signature" : "onlineRequest onlinePIN"))
            var forbidden = Self.pos(profile, ttq: Self.legacy)
            forbidden.configuration.protection.legacyMode = .off
            #expect(try forbidden.tap("k5-downgraded").summary == "unreadable")
        }
    }

    /// A27: 9F52 is removed from an EMV card's PDOL: without Legacy Mode the tap ends; with it the card's response does
    /// not belong to that mode.
    @Test(arguments: Protection.Profile.allCases)
    func anEditedPDOLLeadsNowhere(profile: Protection.Profile) throws {
        let list = CardEdit(.selection, .response(.replace(0x9F38, [0x9F, 0x53, 0x03, 0x9F, 0x02, 0x06])))
        // The card receives the data that it requested.
        let told: [UInt8] = [0x02, 0x72, 0, 0, 0, 0, 0, 0, 0x12, 0x50, 0x09, 0x78, 0x01, 0x06, 0x0B, 0x10]
        let command = CardEdit(.options, .command(.raw([0x80, 0xA8, 0, 0, 0x12, 0x83, 0x10] + told + [0x00])))
        #expect(try Self.pos(profile).tap("k5-offline", [list, command]).summary == "unreadable")
        let both = try Self.pos(profile, ttq: Self.legacy).tap("k5-offline", [list, command])
        #expect(both.summary == "declined" && both.count(0xAE) == 1)
    }

    // MARK: R12: endless restarts

    /// R12: a phone that always asks its holder: after three restarts the tap ends with a message and without a record.
    @Test(arguments: Protection.Profile.allCases)
    func seePhoneForEverEnds(profile: Protection.Profile) throws {
        let tap = try Self.pos(profile).tap("k5-cvm-phone") { $0.jcb.cryptogramRefusal = .seePhone }
        #expect(tap.presentments == 4 && tap.count(0xAE) == 4)
        #expect(tap.outcome.status == .endApplication && tap.outcome.reason == .tooManyTaps)
        #expect(tap.outcome.dataRecord == nil && tap.outcome.uiOnOutcome?.message == .tryAnotherCard)
        #expect(tap.summary == "unreadable" && tap.messages.contains(.seePhone))
    }

    // MARK: A09, A30: unwanted approvals

    /// A09: without a floor limit there is no offline approval beyond the book.
    @Test func withoutAFloorLimitNothingIsApproved() throws {
        for profile in Protection.Profile.allCases {
            let pos = Self.pos(profile, amount: 12_50) { $0.limits.floor = nil }
            #expect(try pos.tap("k5-offline").summary == (profile == .book ? "approved none" : "onlineRequest none"))
            // A card that approves regardless is refused if an online cryptogram was requested.
            #expect(try pos.tap("k5-regardless").summary == (profile == .book ? "approved none" : "declined"))
            var offline = pos
            offline.configuration.terminal[0x9F35] = [0x23]
            #expect(try offline.tap("k5-offline").summary == (profile == .book ? "approved none" : "declined"))
        }
    }

    /// A30: a zero amount, a status check of one unit of the currency, and a refund.
    @Test func zeroStatusCheckAndRefundAreNotApprovedByTheCard() throws {
        for profile in Protection.Profile.allCases {
            let zero = try Self.pos(profile, amount: 0).tap("k5-offline")
            #expect(zero.summary == (profile == .book ? "approved none" : "onlineRequest none"))
            // 3.5.3.1: a status check goes online in every profile.
            let check = Self.pos(profile, amount: 1_00) { $0.kernel.jcb?.combinationOptions = [0x62, 0x00] }
            #expect(try check.tap("k5-offline").summary == "onlineRequest none")
            var refund = Self.pos(profile, amount: 12_50)
            refund.type = .refund
            let refunded = try refund.tap("k5-offline")
            #expect(refunded.outcome.status == .declined && refunded.count(0xAE) == 0 && refunded[0x57] != nil)
        }
    }

    // MARK: A10, A12: the cryptogram

    /// A10: any type other than the card's; a TC for an ARQC.
    @Test(arguments: Protection.Profile.allCases)
    func aTypeThatWasNotAskedForOrNotSignedIsDeclined(profile: Protection.Profile) throws {
        for type in [0x00, 0x40, 0x80, 0xC0] as [UInt8] {
            let edit = CardEdit(.cryptogram, .response(.replace(0x9F27, [type])))
            for name in ["k5-offline", "k5-online", "k5-online-no-cda"] {
                let honest: UInt8 = name == "k5-offline" ? 0x40 : 0x80
                let tap = try Self.pos(profile, amount: 12_50).tap(name, [edit])
                #expect((tap.summary == "declined") == (type != honest), "\(name), \(type)")
            }
        }
        // A TC although an online cryptogram was requested, with a valid signature.
        let above = try Self.pos(profile, amount: 150_00).tap("k5-regardless")
        #expect(above.summary == "declined" && above.commands.last?[2] == 0x90)
    }

    /// A10: after the issuer's refusal a card cannot approve; after the issuer's approval it may still decline.
    @Test(arguments: Protection.Profile.allCases)
    func theSecondCryptogramOnlyLowers(profile: Protection.Profile) throws {
        for (code, shown, expected) in [
            ("05", 0x40, Outcome.Status.declined), ("00", 0x00, .declined), ("00", 0x40, .approved),
            ("00", 0x80, .declined),
        ] as [(String, UInt8, Outcome.Status)] {
            let card = VirtualCard(CardProfile.named("k5-hold")!)
            var pos = Self.pos(profile, ttq: Self.updating, amount: 12_50)
            pos.issuer = { Self.answer($0, of: card.profile, code: code) }
            var relay = AfterFirst(card) { reply in
                CardEdit.ResponseChange.replace(0x9F27, [shown]).applied(to: reply)
            }
            #expect(try pos.tap(&relay).outcome.status == expected, "\(code) \(shown)")
        }
    }

    private static func answer(_ outcome: Outcome, of profile: CardProfile, code: String = "00") -> DataObjects? {
        var host = IssuerHost(cards: profile.applications)
        return (try? host.accept(IssuerMessage(ChipData(outcome))))?.answer(code: code)
    }

    /// A12: a cryptogram outside the signature breaks the signed data; the recovered cryptogram counts.
    @Test(arguments: Protection.Profile.allCases)
    func noBitOfASignedAnswerCanBeChanged(profile: Protection.Profile) throws {
        let beside = CardEdit(.cryptogram, .response(.insert(0x9F26, [1, 2, 3, 4, 5, 6, 7, 8])))
        #expect(try Self.pos(profile, amount: 12_50).tap("k5-offline", [beside]).summary == "declined")
        let honest = try Self.pos(profile, amount: 12_50).tap("k5-offline")
        #expect(honest.summary == "approved none")
        var host = IssuerHost(cards: CardProfile.named("k5-offline")!.applications)
        try host.accept(IssuerMessage(ChipData(honest.outcome)))
        for (tag, value) in [
            (0x9F36, [0x00, 0x16]), (0x9F10, [0x07, 0x01, 0x01, 0x04, 0xA0, 0, 0, 0]), (0x9F50, [0x31]),
        ] as [(UInt32, [UInt8])] {
            let edit = CardEdit(.cryptogram, .response(.replace(tag, value)))
            #expect(try Self.pos(profile, amount: 12_50).tap("k5-offline", [edit]).summary == "declined")
        }
    }

    // MARK: A17, A22: the card's data

    /// A17: 5A differs from Track 2, or is missing.
    @Test func anotherAccountIsReportedAndEndsBeyondTheBook() throws {
        let other = CardEdit(.record(1), .response(.replace(0x5A, [0x35, 0x66, 0x00, 0x20, 0x20, 0x36, 0x05, 0x05])))
        let missing = CardEdit(.record(1), .response(.remove(0x5A)))
        for profile in Protection.Profile.allCases {
            let tap = try Self.pos(profile, amount: 12_50).tap("k5-online-no-cda", [other])
            #expect(tap.summary == (profile == .book ? "onlineRequest none" : "unreadable"))
            #expect(tap.outcome.findings.contains(.panMismatch))
            let without = try Self.pos(profile, amount: 12_50).tap("k5-online-no-cda", [missing])
            #expect(without.summary == (profile == .book ? "onlineRequest none" : "unreadable"))
        }
    }

    /// A22: the terminal's data are never overwritten.
    @Test(arguments: Protection.Profile.allCases)
    func theReadersObjectsAreNeverWritten(profile: Protection.Profile) throws {
        for (tag, value) in [
            (0x9F37, [0, 0, 0, 0]), (0x95, [0, 0, 0, 0, 0]), (0x9F53, [0, 0, 0]), (0x9F52, [0]),
            (0x9F34, [0x01, 0, 2]),
        ] as [(UInt32, [UInt8])] {
            let edit = CardEdit(.record(1), .response(.insert(tag, value)))
            let tap = try Self.pos(profile).tap("k5-online-no-cda", [edit])
            #expect(tap.summary == "onlineRequest onlinePIN" && tap.outcome.findings.contains(.terminalTagFromCard))
            #expect(tap[0x9F37] == [0x01, 0x06, 0x0B, 0x10] && tap[0x9F34] == [0x02, 0x00, 0x00])
            var host = IssuerHost(cards: CardProfile.named("k5-online-no-cda")!.applications)
            try host.accept(IssuerMessage(ChipData(tap.outcome)))
        }
    }

    // MARK: A18, A19: coverage of a signature

    /// A18, A19: a CDOL1 that no signature covers, and lists without the number or the amount.
    @Test func aSignatureThatCoversTooLittleApprovesNothing() throws {
        let withoutAmount: (inout CardApplication) -> Void = { application in
            application.pdol = [.init(0x9F52, 1), .init(0x9F53, 3)]
            application.jcb.dataList.removeAll { $0.tag == 0x9F02 }
        }
        let withoutNumber: (inout CardApplication) -> Void = { application in
            application.pdol = [.init(0x9F52, 1), .init(0x9F53, 3)]
            application.jcb.dataList.removeAll { $0.tag == 0x9F37 }
        }
        let unsigned: (inout CardApplication) -> Void = { $0.jcb.hasUnsignedList = true }
        for (index, change) in [withoutAmount, withoutNumber, unsigned].enumerated() {
            for profile in Protection.Profile.allCases {
                // Without the number the card cannot sign it, so CDA fails (Book 2, 6.6.2).
                let never = index == 1
                let approved = try Self.pos(profile, amount: 12_50).tap("k5-offline", changed: change)
                let book = profile == .book ? "approved none" : "onlineRequest none"
                #expect(approved.summary == (never ? "declined" : book), "\(index)")
                let online = try Self.pos(profile, amount: 12_50).tap("k5-online", changed: change)
                #expect(online.summary == (never ? "declined" : "onlineRequest none"), "\(index)")
                if !never {
                    #expect(approved.outcome.findings.contains(.acBindingNotSent))
                    #expect(online.outcome.findings.contains(.acBindingNotSent))
                }
            }
        }
    }

    /// A18: coverage is reduced, or a record is listed twice.
    @Test(arguments: Protection.Profile.allCases)
    func anEditedLocatorLeadsNowhere(profile: Protection.Profile) throws {
        let honest: [UInt8] = [0x08, 0x01, 0x01, 0x01, 0x10, 0x01, 0x01, 0x00, 0x18, 0x01, 0x01, 0x00]
        var uncovered = honest
        uncovered[3] = 0x00
        let same = CardEdit(.options, .response(.replace(0x94, honest)))
        #expect(try Self.pos(profile, amount: 12_50).tap("k5-offline", [same]).summary == "approved none")
        let edit = CardEdit(.options, .response(.replace(0x94, uncovered)))
        #expect(try Self.pos(profile, amount: 12_50).tap("k5-offline", [edit]).summary == "declined")
        let twice = CardEdit(.options, .response(.replace(0x94, honest + [0x08, 0x01, 0x01, 0x00])))
        #expect(try Self.pos(profile, amount: 12_50).tap("k5-offline", [twice]).summary == "unreadable")
    }

    /// A19: data changed on the way to the card do not verify.
    @Test(arguments: Protection.Profile.allCases)
    func whatTheCardWasToldInsteadDoesNotVerify(profile: Protection.Profile) throws {
        for (tag, value) in [(0x9F02, [0, 0, 0, 0, 0, 1]), (0x9F37, [9, 9, 9, 9]), (0x9F53, [0, 0, 0])]
            as [(UInt32, [UInt8])]
        {
            let edit = CardEdit(.options, .command(.replace(tag, value)))
            #expect(try Self.pos(profile, amount: 12_50).tap("k5-offline", [edit]).summary == "declined")
            #expect(try Self.pos(profile, amount: 12_50).tap("k5-online", [edit]).summary == "declined")
        }
    }

    // MARK: A20: torn taps

    /// A20: the response to ECHO comes from another card: Track 2 decides in the book profile, and the signature in
    /// every profile.
    @Test(arguments: Protection.Profile.allCases)
    func anotherCardsAnswerIsNotRecovered(profile: Protection.Profile) throws {
        let pos = Self.pos(profile, amount: 12_50)
        var thief = CardProfile.named("k5-torn")!
        thief.application.pan = "3566002020360505"
        for (profileOfSecond, isSameAccount) in [(thief, false), (CardProfile.named("k5-torn")!, true)] {
            // This card holds a response from an earlier sale.
            var earlier = pos
            earlier.patience = 1
            earlier.amount = 1_00
            let lost = FaultPlan(at: try pos.cryptogramExchange(of: "k5-torn"), .loseResponse)
            var second = FaultyCard(VirtualCard(profileOfSecond), lost)
            _ = try earlier.tap(&second)
            var cards = Replaced(FaultyCard(VirtualCard(CardProfile.named("k5-torn")!), lost), by: second.card)
            let tap = try pos.tap(&cards)
            #expect(tap.count(0xDF) == 1 && tap.count(0xAE) == 1)
            // 3.13.5.4, then 3.8.2.1: the hash covers the torn tap's data and number.
            #expect(tap.outcome.status == (isSameAccount ? .declined : .endApplication))
        }
    }

    /// A20: the recovered response is checked like a first response.
    @Test(arguments: Protection.Profile.allCases)
    func aRecoveredAnswerIsVerifiedAsAnyOther(profile: Protection.Profile) throws {
        let pos = Self.pos(profile, amount: 12_50)
        let edits: [CardEdit.ResponseChange] = [
            .replace(0x9F27, [0x80]), .replace(0x9F50, [0x31]), .remove(0x9F4B), .raw([0x90, 0x00]),
            .raw([0x77, 0x03, 0x9F, 0x27, 0x00, 0x90, 0x00]),
        ]
        for edit in edits {
            let lost = FaultPlan(at: try pos.cryptogramExchange(of: "k5-torn"), .loseResponse)
            var card = ManInTheMiddle(
                FaultyCard(VirtualCard(CardProfile.named("k5-torn")!), lost), [CardEdit(.other, .response(edit))])
            let tap = try pos.tap(&card)
            #expect(tap.count(0xDF) == 1 && tap.summary == "declined")
        }
    }

    /// A20: without a signature only Track 2 ties the response to the card, so strict does not recover it. Above the
    /// limit the requirements of the torn tap still apply.
    @Test func withoutASignatureStrictRecoversNothing() throws {
        for profile in Protection.Profile.allCases {
            let pos = Self.pos(profile)
            let lost = FaultPlan(at: try pos.cryptogramExchange(of: "k5-torn-no-cda"), .loseResponse)
            var card = FaultyCard(VirtualCard(CardProfile.named("k5-torn-no-cda")!), lost)
            let tap = try pos.tap(&card)
            #expect(tap.count(0xDF) == (profile == .strict ? 0 : 1) && tap.summary == "onlineRequest onlinePIN")
            guard profile != .strict else { continue }
            var relay = ManInTheMiddle(
                FaultyCard(VirtualCard(CardProfile.named("k5-torn-no-cda")!), lost),
                [CardEdit(.other, .response(.replace(0x9F50, [0x00])))])
            #expect(try pos.tap(&relay).summary == "declined")
        }
    }

    // MARK: A29: another card at the second presentment

    /// A29: another card is presented the second time.
    @Test func anotherCardGetsNoSecondCryptogram() throws {
        for profile in Protection.Profile.allCases {
            let name = "k5-two-presentments"
            let first = VirtualCard(CardProfile.named(name)!)
            var pos = Self.pos(profile, ttq: Self.updating, amount: 12_50)
            // Another card of the scheme that also waits for its issuer.
            var second = VirtualCard(CardProfile.named(name)!, transactionCounter: 0x0100)
            _ = try pos.tap(&second)
            pos.issuer = { Self.answer($0, of: first.profile) }
            var cards = Replaced(first, by: second)
            let tap = try pos.tap(&cards)
            // The first card's issuer data do not belong to it: it declines, under its own counter.
            #expect(tap.count(0xAE) == 2)
            #expect(tap.outcome.status == (profile == .book ? .declined : .endApplication))
            #expect(tap.outcome.status != .declined || tap[0x9F36] == [0x01, 0x01])
        }
    }
}

/// Switches to another card at the second presentment.
private struct Replaced<First: CardPresentation, Second: CardPresentation>: CardPresentation {
    private var first: First
    private var second: Second
    private var polls = 0

    init(_ first: First, by second: Second) {
        self.first = first
        self.second = second
    }

    mutating func poll() -> CardPresence {
        polls += 1
        return polls == 1 ? first.poll() : second.poll()
    }

    mutating func exchange(_ command: [UInt8]) -> CardReply {
        polls <= 1 ? first.exchange(command) : second.exchange(command)
    }

    mutating func reset() {
        first.reset()
        second.reset()
    }
}

/// Changes the response to each GENERATE AC except the first.
private struct AfterFirst<Card: CardPresentation>: CardPresentation {
    private var card: Card
    private let change: @Sendable ([UInt8]) -> [UInt8]
    private var cryptograms = 0

    init(_ card: Card, _ change: @escaping @Sendable ([UInt8]) -> [UInt8]) {
        self.card = card
        self.change = change
    }

    mutating func poll() -> CardPresence { card.poll() }
    mutating func reset() { card.reset() }

    mutating func exchange(_ command: [UInt8]) -> CardReply {
        let reply = card.exchange(command)
        guard command.count > 1, command[1] == 0xAE, case .response(let bytes, let milliseconds) = reply else {
            return reply
        }
        cryptograms += 1
        return cryptograms == 1 ? reply : .response(change(bytes), milliseconds: milliseconds)
    }
}
