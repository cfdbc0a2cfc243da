// SPDX-License-Identifier: Apache-2.0
import EMVKit
import Testing

@testable import EMVCards
@testable import EMVSimulator

/// The rows of Kernel 8 in Conformance/attacks.md: relays that modify, and cards that no honest issuer made, in the
/// three profiles.
@Suite struct Kernel8AttackTests {
    private static let profiles: [Protection.Profile] = [.book, .guarded, .strict]
    private static let approved = ["approved none", "approved none", "onlineRequest none"]

    /// Plays the attack in the profiles book, guarded, strict; the last expected result applies to the remaining
    /// profiles.
    @discardableResult
    private static func leads(
        _ card: any CardPresentation, to expected: [String], reporting findings: [Findings] = [],
        amount: UInt64 = 12_50, terminalType: UInt8 = 0x22, line: SourceLocation = #_sourceLocation,
        _ change: (inout Combination) -> Void = { _ in }
    ) throws -> [Kernel8POS.Tap] {
        try profiles.enumerated().map { place, profile in
            var pos = Kernel8POS(profile, amount: amount, change)
            pos.configuration.terminal[0x9F35] = [terminalType]
            let tap = try tap(card, at: pos)
            #expect(
                tap.summary == expected[min(place, expected.count - 1)], "\(profile)", sourceLocation: line)
            if !findings.isEmpty {
                let wanted = findings[min(place, findings.count - 1)]
                #expect(
                    tap.outcome.findings.isSuperset(of: wanted), "\(profile): \(tap.outcome.findings)",
                    sourceLocation: line)
            }
            return tap
        }
    }

    private static func tap(_ card: any CardPresentation, at pos: Kernel8POS) throws -> Kernel8POS.Tap {
        func play(_ card: some CardPresentation) throws -> Kernel8POS.Tap {
            var card = card
            return try pos.tap(&card)
        }
        return try play(card)
    }

    private static func relay(_ name: String, _ edits: CardEdit...) -> ManInTheMiddle<VirtualCard> {
        ManInTheMiddle(AttackScene.card(name), edits)
    }

    /// There are no false findings.
    @Test(arguments: [
        "k8Online", "k8OnlineLocal", "k8Version1", "k8Offline", "k8OfflineRSA", "k8Relay", "k8OnlinePIN", "k8CDCVM",
        "k8PlainRecords", "k8ExtendedData", "k8SignedList", "k8Envelopes",
    ])
    func honestCardsRaiseNoSuspicion(card: String) throws {
        for profile in Self.profiles {
            let memory = ReaderMemory()
            var honest = VirtualCard(try #require(CardProfile.named(card)))
            for seed: UInt8 in 1...3 {
                var pos = Kernel8POS(profile)
                pos.seed = seed
                #expect(try pos.tap(&honest, memory).outcome.findings.subtracting(.testKey).isEmpty)
            }
        }
    }

    // MARK: The channel

    /// A28 d: a blinded key that is not a point or has the wrong length opens no channel (4.2 e, C.11).
    @Test(arguments: ["k8OffCurve", "k8ShortKeyData"])
    func aKeyOffTheCurveOpensNoChannel(card: String) throws {
        let taps = try Self.leads(AttackScene.card(card), to: ["unreadable"])
        for tap in taps { #expect(tap.error[1] == 0x10 && tap.count(0xB2) == 0 && tap.count(0xAE) == 0) }
        // The relay may write any value, but only points are accepted.
        for x in [[UInt8](repeating: 0xFF, count: 32), [UInt8](repeating: 0, count: 31) + [1]] {
            let edit = CardEdit(.options, .response(.replace(0x9F8103, x + [UInt8](repeating: 0, count: 32))))
            for tap in try Self.leads(Self.relay("k8Offline", edit), to: ["unreadable"]) {
                #expect(tap.error[1] == 0x10)
            }
        }
    }

    /// A28 a: a relay with its own keys towards both sides reads everything. The kernel's MAC over the kernel's data
    /// differs from the card's: with local authentication the blinding fails, without it the issuer declines.
    @Test func aRelayWithKeysOfItsOwnIsFoundByTheIssuerOrByTheBlinding() throws {
        let denial: (inout Combination) -> Void = { $0.data[0x9F820B] = [0x00, 0x00, 0x00, 0x00, 0x40] }
        let profile = try #require(CardProfile.named("k8Online"))
        let taps = try Self.leads(
            ChannelRelay(VirtualCard(profile)), to: ["onlineRequest none"], terminalType: 0x21, denial)
        for tap in taps {
            var host = IssuerHost(cards: profile.applications)
            #expect(throws: IssuerHost.Refusal.wrongCryptogram) {
                try host.accept(IssuerMessage(ChipData(tap.outcome)))
            }
        }
        let certified = try #require(CardProfile.named("k8Offline"))
        for tap in try Self.leads(ChannelRelay(VirtualCard(certified)), to: ["declined"]) {
            // The relay has read the account nevertheless: privacy protects against eavesdroppers (attacks.md).
            #expect(tap[0x5A] == [0x67, 0x88, 0x88, 0, 0, 0, 0, 0x18])
        }
    }

    /// A relay can remain undetected only if it merely passes data on. This test shows that the relay works.
    @Test func theRelayWithKeysOfItsOwnSpeaksTheProtocol() throws {
        var relay = ChannelRelay(VirtualCard(try #require(CardProfile.named("k8Offline"))))
        let tap = try Kernel8POS().tap(&relay)
        // No MAC failed: the decision ends the tap, by TVR byte 1 b3.
        #expect(tap.summary == "declined" && tap.error[1] == 0)
    }

    /// r = 1 reveals the card's key; the payment is not affected.
    @Test func aCardThatShowsItsKeyIsReported() throws {
        try Self.leads(AttackScene.card("k8BlindingOne"), to: Self.approved, reporting: [.cardKeyExposed])
        for tap in try Self.leads(AttackScene.card("k8BlindingRepeated"), to: Self.approved) {
            #expect(!tap.outcome.findings.contains(.cardKeyExposed))
        }
    }

    /// A blinded key appears again although the kernel's key has changed.
    @Test func aBlindedKeyThatReturnsIsReported() throws {
        for profile in Self.profiles {
            let memory = ReaderMemory()
            var card = AttackScene.card("k8BlindingRepeated")
            var pos = Kernel8POS(profile)
            #expect(try !pos.tap(&card, memory).outcome.findings.contains(.cardKeyRepeated))
            // The kernel's own key is repeated, so the repetition is the kernel's doing.
            #expect(try !pos.tap(&card, memory).outcome.findings.contains(.cardKeyRepeated))
            pos.seed = 2
            let again = try pos.tap(&card, memory)
            #expect(again.outcome.findings.contains(.cardKeyRepeated))
            #expect(again.summary == (profile == .strict ? "onlineRequest none" : "approved none"))
            // Eight taps later the key is forgotten.
            var other = AttackScene.card("k8Offline")
            for seed: UInt8 in 3...10 {
                pos.seed = seed
                #expect(try !pos.tap(&other, memory).outcome.findings.contains(.cardKeyRepeated))
            }
            pos.seed = 11
            #expect(try !pos.tap(&card, memory).outcome.findings.contains(.cardKeyRepeated))
        }
    }

    /// A28 e: two records under one counter are not read, because the kernel's counter advances with each record.
    @Test func aCounterUsedTwiceIsNotRead() throws {
        for tap in try Self.leads(AttackScene.card("k8RepeatedCounter"), to: ["unreadable"]) {
            #expect(tap.count(0xAE) == 0)
        }
    }

    // MARK: Coverage of the MACs

    /// A02, A10, A19, A25, A28 f: any bit of either side's data, except in a list that defines its own meaning (A35,
    /// A36).
    @Test func whatWasToldOtherwiseFailsTheMAC() throws {
        let edits: [CardEdit] = [
            // Local authentication, offline capability and relay resistance are removed from the profile.
            CardEdit(.options, .response(.clearBits(0x82, [0x01, 0x00]))),
            CardEdit(.options, .response(.clearBits(0x82, [0x00, 0x08]))),
            CardEdit(.options, .response(.clearBits(0x82, [0x00, 0x01]))),
            // The type, the verification, the counter.
            CardEdit(.cryptogram, .response(.replace(0x9F27, [0x40]))),
            CardEdit(.cryptogram, .response(.replace(0x9F27, [0x00]))),
            CardEdit(.cryptogram, .response(.replace(0x9F8102, [0x03]))),
            CardEdit(.cryptogram, .response(.insert(0x9F8108, [0x2F, 0x00]))),
            CardEdit(.cryptogram, .response(.insert(0x9F8104, [0, 0, 0, 0, 0]))),
            CardEdit(.cryptogram, .response(.replace(0x9F26, [1, 2, 3, 4, 5, 6, 7, 8]))),
            // The qualifier as the card receives it: no local authentication, no RSA.
            CardEdit(.options, .command(.clearBits(0x9F2B, [0x00, 0x80]))),
            CardEdit(.options, .command(.replace(0x9F2B, [0x02, 0x80, 0x00, 0x10, 0xFF, 0xFF]))),
        ]
        for (index, edit) in edits.enumerated() {
            // Replacing a type by itself changes nothing.
            let name = index == 3 ? "k8OfflineLimit" : "k8Relay"
            for tap in try Self.leads(Self.relay(name, edit), to: ["unreadable"]) {
                #expect(tap.error[1] == 0x13, "\(index)")
            }
        }
        // The data of GENERATE AC: amount, Terminal Risk Management Data.
        for place in [5, 30] {
            for tap in try Self.leads(TellsOtherwise(AttackScene.card("k8Offline"), place), to: ["unreadable"]) {
                #expect(tap.error[1] == 0x13)
            }
        }
    }

    /// A22: the card cannot set the terminal's data.
    @Test func anObjectOfTheTerminalsEndsTheTap() throws {
        try Self.leads(
            AttackScene.card("k8TerminalObject"), to: ["unreadable"], reporting: [.terminalTagFromCard])
        let edit = CardEdit(.options, .response(.insert(0x9F8204, [0, 0, 0, 0, 0, 0])))
        try Self.leads(Self.relay("k8Offline", edit), to: ["unreadable"], reporting: [.terminalTagFromCard])
    }

    /// A28 c: the MAC's position must lie within the issuer's data, and its computation must not overflow.
    @Test(arguments: [25, 31, 0xF8, 0xFF] as [UInt8])
    func anOffsetPastTheEndEndsTheTap(offset: UInt8) throws {
        let edit = CardEdit(.cryptogram, .response(.replace(0x9F8107, [offset])))
        for tap in try Self.leads(Self.relay("k8OffsetOfCard", edit), to: ["unreadable"]) {
            #expect(tap.error[1] == 0x06)
        }
    }

    /// If a card omits the IAD-MAC from its data, the MAC must reach the acquirer separately.
    @Test func theMACReachesTheAcquirerApart() throws {
        let taps = try Self.leads(
            AttackScene.card("k8MACApart"), to: Self.approved, reporting: [.acBindingNotSent])
        for tap in taps { #expect(tap[0x9F8109]?.count == 8) }
        for tap in try Self.leads(AttackScene.card("k8Offline"), to: Self.approved) {
            #expect(!tap.outcome.findings.contains(.acBindingNotSent))
        }
    }

    // MARK: The cardholder, above the CVM limit

    /// A36: CDOL1 is relabelled in the response to GET PROCESSING OPTIONS, so that the card reads the date as the
    /// reader's offers, or finds no offers. If no MAC covers the list, an online PIN replaces the card's verification;
    /// otherwise the MAC fails.
    @Test(arguments: ["k8OpenList", "k8SignedList", "k8OnlineLocal"])
    func aRelabelledListLowersNoVerification(card: String) throws {
        let list = [DataRequest].kernel8Cryptogram
        let place = try #require(list.firstIndex { $0.tag == 0x9F1D })
        for (label, requests, end) in [
            ("the date", [DataRequest(0x9A, 3), DataRequest(0xDF7F, 5)], "onlineRequest signature"),
            ("nothing", [DataRequest(0xDF7F, 8)], "onlineRequest notApplicable"),
        ] {
            let told = list[..<place] + requests + list[(place + 1)...]
            let edit = CardEdit(.options, .response(.replace(0x8C, Array(told).bytes)))
            let covered = card != "k8OpenList"
            let online = AttackScene.card(card) { $0.disposition = .online }
            let taps = try Self.leads(
                ManInTheMiddle(online, [edit]), to: covered ? ["unreadable"] : [end, "onlineRequest onlinePIN"],
                reporting: covered ? [] : [.listUnsigned], amount: 60_00)
            // The EDA-MAC fails; if the record repeats a list that differs from the response's, parsing fails.
            for tap in taps where covered { #expect([0x04, 0x13].contains(tap.error[1]), "\(label)") }
        }
    }

    /// Honest cards above the limit: an online PIN replaces unprotected data, and the issuer accepts it.
    @Test(arguments: ["k8Signature", "k8CVMFailed", "k8CVMNotApplicable"])
    func theIssuerAcceptsThePINInstead(name: String) throws {
        let profile = try #require(CardProfile.named(name))
        let open = AttackScene.card(name) { $0.kernel8.extendedTags = [] }
        let end = name == "k8Signature" ? "onlineRequest signature" : "onlineRequest notApplicable"
        for tap in try Self.leads(open, to: [end, "onlineRequest onlinePIN"], amount: 60_00) {
            var host = IssuerHost(cards: profile.applications)
            try host.accept(IssuerMessage(ChipData(tap.outcome)))
        }
    }

    /// A37: a version 1 card whose IAD-MAC is not verified. Its decision and the amount can be edited.
    @Test func whatNobodyChecksIsNotBelieved() throws {
        let apart = AttackScene.card("k8Version1") {
            $0.kernel8.issuerDataMAC = .apart
            $0.disposition = .online
        }
        let decision = CardEdit(.cryptogram, .response(.replace(0x9F8102, [0x01])))
        try Self.leads(
            ManInTheMiddle(apart, [decision]), to: ["onlineRequest signature", "onlineRequest onlinePIN"],
            reporting: [.acBindingNotSent], amount: 60_00)
        let approving = AttackScene.card("k8Version1") { $0.kernel8.issuerDataMAC = .apart }
        try Self.leads(
            TellsOtherwise(approving, 5), to: ["approved none", "onlineRequest none"], reporting: [.acBindingNotSent])
        // If the issuer's data contain the MAC, it fails.
        for tap in try Self.leads(TellsOtherwise(AttackScene.card("k8Version1"), 5), to: ["unreadable"]) {
            #expect(tap.error[1] == 0x13)
        }
    }

    // MARK: Objects in the wrong response (4.2 oo)

    /// A Restart Indicator or a Card TVR in the response to GET PROCESSING OPTIONS, which no MAC covers: it has an
    /// effect in the book profile only. It is reported in every profile.
    @Test func whatNoMACCoversDoesNotAct() throws {
        let restart = CardEdit(.options, .response(.insert(0x9F8108, [0x31, 0x00])))
        let declining = Self.relay("k8Decline", restart)
        try Self.leads(declining, to: ["tryAnotherInterface", "declined"], reporting: [.unboundObject])
        let results = CardEdit(.options, .response(.insert(0x9F8104, [0x00, 0x20, 0x00, 0x00, 0x00])))
        let taps = try Self.leads(
            Self.relay("k8OnlineLocal", results), to: ["onlineRequest none"], reporting: [.unboundObject])
        #expect(taps.map { $0[0x95]?[1] } == [0x20, 0x00, 0x00])
        // The card sends these objects in the right response.
        for tap in try Self.leads(AttackScene.card("k8CardResults"), to: ["onlineRequest none"]) {
            #expect(tap[0x95]?[1] == 0x20 && !tap.outcome.findings.contains(.unboundObject))
        }
        let type = CardEdit(.options, .response(.insert(0x9F27, [0x40])))
        try Self.leads(
            Self.relay("k8Offline", type), to: ["approved none", "approved none", "unreadable"],
            reporting: [.unboundObject])
    }

    // MARK: Local authentication

    /// A03: with another RID in 84 no CA key is found; the mismatch alone leads to a denial, too.
    @Test func anotherNameIsNotAuthenticated() throws {
        let name: [UInt8] = [0xA0, 0, 0, 0, 0x03, 0x10, 0x10]
        let edit = CardEdit(.selection, .response(.replace(0x84, name)))
        try Self.leads(Self.relay("k8Offline", edit), to: ["declined"])
        let lax: (inout Combination) -> Void = { $0.data[0x9F820B] = [0x84, 0x00, 0x00, 0x00, 0x00] }
        for (place, tap) in try Self.leads(Self.relay("k8Offline", edit), to: ["declined"], lax).enumerated() {
            // In the book profile the key of that RID is looked up, and the certificate names another one.
            #expect(tap.outcome.findings.contains(.caKeyMissing) == (place != 0))
        }
    }

    /// Certificates or blinding that do not verify: declined by the action codes, which must not permit anything else.
    @Test(arguments: [
        "k8UnknownCA", "k8OtherIssuer", "k8IssuerSignature", "k8CardSignature", "k8CardHash", "k8ForeignBlinding",
        "k8UnsignedKey", "k8Expired", "k8CardExpired", "k8Revoked", "k8NoKeys",
    ])
    func withoutLocalAuthenticationNothingIsApproved(card: String) throws {
        try Self.leads(AttackScene.card(card), to: ["declined"])
        let lax: (inout Combination) -> Void = {
            $0.data[0x9F820B] = [0x00, 0x00, 0x00, 0x00, 0x40]
            $0.data[0x9F820C] = [0x00, 0x00, 0x00, 0x80, 0x4C]
        }
        // In the book profile such codes approve; the guarded profile rejects them in the configuration.
        #expect(try Kernel8POS(.book, lax).tap(card).summary == "approved none")
        for profile: Protection.Profile in [.guarded, .strict] {
            let error = #expect(throws: ConfigurationError.self) { try Kernel8POS(profile, lax).tap(card) }
            #expect(error?.tag == 0x9F820B && error?.field == .data)
        }
    }

    /// A28 b: a Card TVR cannot clear a bit that the kernel keeps; a mask that permits it is rejected beyond the book.
    @Test func theCardClearsNoneOfTheKernelsBits() throws {
        let liar = AttackScene.card("k8ForeignBlinding") { $0.kernel8.results = [0x00, 0x20, 0x00, 0x00, 0x00] }
        let reporting: (inout Combination) -> Void = { $0.data[0x9F8209] = [0x38, 0x00] }
        for tap in try Self.leads(liar, to: ["declined"], reporting) {
            #expect(tap[0x95]?.prefix(2) == [0x04, 0x20])
        }
        let open: (inout Combination) -> Void = { $0.data[0x9F821A] = [0x00, 0x00, 0x00, 0x00, 0x00] }
        #expect(try Self.tap(liar, at: Kernel8POS(.book, open)).summary == "approved none")
        for profile: Protection.Profile in [.guarded, .strict] {
            let error = #expect(throws: ConfigurationError.self) {
                try Self.tap(liar, at: Kernel8POS(profile, open))
            }
            #expect(error?.tag == 0x9F821A)
        }
    }

    /// A17: the unprotected account number is changed: the certificate's hash no longer matches, and the kernel's MAC
    /// covers that hash.
    @Test func anotherAccountFailsTheMAC() throws {
        let edit = CardEdit(.every, .response(.replace(0x5A, [0x67, 0x88, 0x88, 0, 0, 0, 0, 0x26])))
        let taps = try Self.leads(Self.relay("k8PlainRecords", edit), to: ["unreadable"])
        #expect(taps.map { $0.error[1] } == [0x13, 0x06, 0x06])
        for tap in taps { #expect(tap.outcome.findings.contains(.panMismatch)) }
    }

    /// A list names one object again and again: the space for the collected data is bounded.
    @Test func aListThatRepeatsItselfEndsTheTap() throws {
        let card = AttackScene.card("k8ExtendedData") {
            $0.kernel8.authenticatedData = [UInt8](repeating: 0xA5, count: 128)
            $0.kernel8.extendedTags = [UInt32](repeating: 0x9F8106, count: 60)
        }
        for tap in try Self.leads(card, to: ["unreadable"]) { #expect(tap.error[1] == 0x06) }
    }

    // MARK: Decisions

    /// A10: an approval although less was requested ends the tap (29.20).
    @Test func anApprovalThatNobodyAskedForIsNone() throws {
        try Self.leads(
            AttackScene.card("k8Regardless"), to: ["unreadable"], amount: 200_00)
        try Self.leads(AttackScene.card("k8UndefinedType"), to: ["unreadable"])
    }

    /// A09, A30: the card alone does not approve zero amounts and refunds.
    @Test func amountsOfZeroAreNotApproved() throws {
        try Self.leads(
            AttackScene.card("k8Offline"), to: ["approved none", "onlineRequest none"], amount: 0)
    }

    /// 4.2 n: an offline-only terminal requests a TC and gets an ARQC: the book does not resolve this case.
    @Test func whoeverCannotGoOnlineDeclines() throws {
        try Self.leads(
            AttackScene.card("k8OfflineLimit"), to: ["onlineRequest none", "declined"], terminalType: 0x23)
        // The negative control: an offline approval succeeds, except in strict, which approves nothing offline.
        try Self.leads(
            AttackScene.card("k8Offline"), to: ["approved none", "approved none", "declined"], terminalType: 0x23)
    }

    /// A24: a late card goes online, and strict declines it; at an offline-only terminal the book profile approves.
    @Test func aLateCardIsNotApproved() throws {
        let slow = CardEdit(.relayResistance, .delay(milliseconds: 40))
        try Self.leads(Self.relay("k8Relay", slow), to: ["onlineRequest none", "onlineRequest none", "declined"])
        try Self.leads(Self.relay("k8Relay", slow), to: ["approved none", "declined"], terminalType: 0x23)
        try Self.leads(
            AttackScene.card("k8Relay"), to: ["approved none", "approved none", "declined"], terminalType: 0x23)
        // A response faster than possible does not come from a card (21.18).
        let card = AttackScene.card("k8Relay") { $0.kernel8.relay = RelayResistance(milliseconds: [2]) }
        try Self.leads(card, to: ["unreadable"])
    }

    /// A25: `requireRrp` declines a card without relay resistance above the CVM limit, and accepts a card that has it.
    @Test func relayResistanceCanBeRequired() throws {
        for (card, has) in [("k8OnlineLocal", false), ("k8Relay", true)] {
            for rule in Protection.Relay.allCases {
                var pos = Kernel8POS(.guarded, amount: 60_00)
                pos.configuration.protection.relay = rule
                let outcome = try Self.tap(AttackScene.card(card), at: pos).outcome
                let isDeclined = rule == .required && !has
                #expect(outcome.status == (isDeclined ? .declined : .onlineRequest), "\(card), \(rule)")
            }
        }
    }

    /// Restarts are limited beyond the book.
    @Test func restartsEnd() throws {
        let taps = try Self.leads(AttackScene.card("k8RestartForever"), to: ["unreadable", "declined"])
        #expect(taps.map(\.presentments) == [4, 3, 3])
        for tap in taps.dropFirst() { #expect(tap.outcome.reason == .protection) }
    }
}

/// A relay with one key pair towards the kernel and another towards the card: it deciphers, can read the data,
/// enciphers them again, and computes every MAC for which the channel's keys suffice.
private struct ChannelRelay: CardPresentation {
    private var card: VirtualCard
    private let own = P256PrivateKey(name: "relay")
    private let blinded = P256PrivateKey(name: "relay, blinded")
    private var towardsCard: Kernel8SessionKeys?
    private var towardsKernel: Kernel8SessionKeys?
    private var counter: UInt16 = 0x8001
    private var pdolValues: [UInt8] = []
    private var known: [DataObject] = []
    private var signed: [UInt8] = []

    init(_ card: VirtualCard) { self.card = card }

    mutating func poll() -> CardPresence { card.poll() }
    mutating func reset() { self = ChannelRelay(card.after { $0.reset() }) }

    mutating func exchange(_ command: [UInt8]) -> CardReply {
        switch command[1] {
        case 0xA8: return .response(options(command), milliseconds: 1)
        case 0xB2: return .response(record(command), milliseconds: 1)
        case 0xAE: return .response(cryptogram(command), milliseconds: 1)
        default: return card.exchange(command)
        }
    }

    private static func inner(_ response: [UInt8]) -> [DataObject] {
        (DataObject.parse(Array(response.dropLast(2)))?.first).flatMap { DataObject.parse($0.value) } ?? []
    }

    private func value(_ tag: UInt32) -> [UInt8] { known.first { $0.tag == tag }?.value ?? [] }

    private var extended: [UInt8] {
        Kernel8Listener.tags(value(0x9F810A)).flatMap { DataObject($0, value($0)).bytes }
    }

    private static func answer(_ objects: [DataObject]) -> [UInt8] {
        DataObject(0x77, objects).bytes + StatusWord.success.bytes
    }

    private mutating func options(_ command: [UInt8]) -> [UInt8] {
        pdolValues = DataObject.parse(Array(command[5..<command.count - 1]))?.first?.value ?? []
        guard let kernel = P256.Point(Array(pdolValues.prefix(64))) else { return [0x6A, 0x80] }
        let told = DataObject(0x83, own.point.bytes + pdolValues.dropFirst(64)).bytes
        var objects = Self.inner(card.respond(to: Array(command[0..<5]) + told + [0x00]))
        guard let place = objects.firstIndex(where: { $0.tag == 0x9F8103 }),
            let point = P256.Point(x: Array(objects[place].value.prefix(32))),
            let cards = point.multiplied(by: own.scalar), let kernels = kernel.multiplied(by: blinded.scalar)
        else { return [0x6A, 0x80] }
        towardsCard = Kernel8SessionKeys(shared: cards.x.bytes)
        let keys = Kernel8SessionKeys(shared: kernels.x.bytes)
        towardsKernel = keys
        objects[place].value =
            blinded.point.x.bytes + keys.confidentiality.counterMode(Number256.one.bytes, counter: 0x8000)
        known = objects
        return Self.answer(objects)
    }

    private mutating func record(_ command: [UInt8]) -> [UInt8] {
        let response = card.respond(to: command)
        guard let template = DataObject.parse(Array(response.dropLast(2)))?.first, template.tag == 0xDA,
            let towardsCard, let towardsKernel
        else { return response }
        let plain = towardsCard.confidentiality.counterMode(template.value, counter: counter)
        let hidden = towardsKernel.confidentiality.counterMode(plain, counter: counter)
        counter += 1
        known += DataObject.parse(plain) ?? []
        let locator = value(0x94)
        for entry in stride(from: 0, to: locator.count, by: 4)
        where locator[entry] >> 3 == command[3] >> 3 && command[2] < locator[entry + 1] + locator[entry + 3] {
            signed += plain
        }
        return DataObject(0xDA, hidden).bytes + StatusWord.success.bytes
    }

    private mutating func cryptogram(_ command: [UInt8]) -> [UInt8] {
        var objects = Self.inner(card.respond(to: command))
        guard let towardsKernel, let place = objects.firstIndex(where: { $0.tag == 0x9F8105 }),
            let cryptogram = objects.first(where: { $0.tag == 0x9F26 })
        else { return [0x69, 0x85] }
        known += objects
        let mac = towardsKernel.issuerDataMAC(
            of: Kernel8MACInput(
                pdolValues: pdolValues, cdolData: Array(command[5..<command.count - 1]),
                objects: objects.filter { ![0x9F26, 0x9F8105].contains($0.tag) }.flatMap(\.bytes),
                dataHash: SHA256.hash(signed + extended + value(0x82))))
        objects[place].value = towardsKernel.authenticationMAC(cryptogram: cryptogram.value, bound: mac)
        return Self.answer(objects)
    }
}

extension VirtualCard {
    fileprivate func after(_ change: (inout VirtualCard) -> Void) -> VirtualCard {
        var card = self
        change(&card)
        return card
    }
}

/// Changes the data of GENERATE AC on the way to the card.
private struct TellsOtherwise: CardPresentation {
    private var card: VirtualCard
    private let place: Int

    /// - Parameter place: index of the changed byte in CDOL1 Related Data.
    init(_ card: VirtualCard, _ place: Int) {
        self.card = card
        self.place = place
    }

    mutating func poll() -> CardPresence { card.poll() }
    mutating func reset() { card.reset() }

    mutating func exchange(_ command: [UInt8]) -> CardReply {
        var command = command
        if command[1] == 0xAE { command[5 + place] ^= 0x40 }
        return card.exchange(command)
    }
}
