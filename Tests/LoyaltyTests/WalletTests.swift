// SPDX-License-Identifier: Apache-2.0
#if Loyalty
import Crypto
import EMVSimulator
import Foundation
import TestData
import Testing

@testable import EMVKernel
@testable import EMVKit
@testable import EMVLoyalty
@testable import EMVPOS

/// A simulated phone with a dialogue, without a reader.
private actor Holder {
    private(set) var phone: WalletPhone<VirtualCard>
    private(set) var answers: [Bytes] = []

    init(_ phone: WalletPhone<VirtualCard>) { self.phone = phone }

    func send(_ command: Bytes) -> PreludeAnswer {
        switch phone.exchange(command) {
        case .response(let bytes, _):
            answers.append(bytes)
            return .response(bytes)
        case .timeout: return .fault(.timeout)
        case .transmissionError: return .fault(.transmission)
        case .protocolError: return .fault(.protocol)
        case .removed: return .fault(.removed)
        }
    }

    func fieldOff() { phone.reset() }
}

private let noonOfPhones = NamedPhones.noon
private let club = NamedPhones.club
private let points = NamedPhones.points

/// The keys of a merchant who reads the named phones.
enum NamedPhones {
    /// The time of their clocks.
    static let noon: Int64 = 978_307_200 + 816_955_200
    static let club = programme("club", WalletProfile.passType)
    static let points = collector("points", WalletProfile.collector)

    static func context(
        _ freshness: Freshness = .standard, passKey: SimulatedPassKey = WalletProfile.clubKey,
        collectorKey: SimulatedPassKey = WalletProfile.collectorKey
    ) throws -> LoyaltyContext {
        var keys = LoyaltyKeys()
        try keys.add(SecretBytes(passKey.privateKey), for: club)
        try keys.add(SecretBytes(collectorKey.privateKey), for: points)
        return LoyaltyContext(passKeys: keys, signer: keys, freshness: freshness, now: { noon })
    }
}

private func context(
    _ freshness: Freshness = .standard, passKey: SimulatedPassKey = WalletProfile.clubKey,
    collectorKey: SimulatedPassKey = WalletProfile.collectorKey
) throws -> LoyaltyContext {
    try NamedPhones.context(freshness, passKey: passKey, collectorKey: collectorKey)
}

/// The result of a phone and a request, with everything that a tap runs except its reader.
private func converse(
    _ holder: Holder, _ programmes: [LoyaltyProgramme] = [club, points], _ purpose: LoyaltyPurpose = .andPayment,
    with context: LoyaltyContext
) async throws -> (outcomes: [PassOutcome], end: PreludeEnd.Next) {
    let tap = LoyaltyTap(try LoyaltyRequest(programmes), purpose, context, timer: SimulatedClock())
    await tap.hold(PreludeCard(exchange: { await holder.send($0) }))
    return (await tap.result().entries.map(\.outcome), await tap.end(after: []).next)
}

private func text(_ outcome: PassOutcome) -> String? {
    if case .read(let value) = outcome { value.text } else { nil }
}

/// Row Y1: wallets written from the protocols alone, and keys that really decrypt.
@Suite struct SimulatedWalletTests {
    private static let expected: [(phone: String, first: PassOutcomeName, second: PassOutcomeName)] = [
        ("walletVAS", .read, .none), ("walletVASSeveral", .read, .none), ("walletVASOldKey", .sealed, .none),
        ("walletVASEmpty", .none, .none), ("walletVASLocked", .locked, .none),
        ("walletVASAsking", .chooseOnDevice, .none), ("walletVASMagStripe", .read, .none),
        ("walletVASNoCard", .read, .none), ("walletVASDrops", .locked, .none),
        ("walletSmartTap", .none, .read), ("walletSmartTapSkip", .none, .read), ("walletSmartTapParts", .none, .read),
        ("walletSmartTapEmpty", .none, .none), ("walletSmartTapChoose", .none, .chooseOnDevice),
        ("walletSmartTapLocked", .none, .locked), ("walletSmartTapNotReady", .none, .read),
        ("walletSmartTapAgain", .none, .read), ("walletSmartTapStranger", .none, .refused),
        ("walletSmartTapMagStripe", .none, .read), ("walletOther", .none, .none), ("walletNone", .none, .none),
    ]

    @Test func everyNamedPhoneComesToItsOutcome() async throws {
        #expect(Set(Self.expected.map(\.phone)) == Set(WalletProfile.profiles.keys))
        for (name, first, second) in Self.expected {
            let holder = Holder(WalletProfile.named(name)!.phone)
            let (outcomes, _) = try await converse(holder, with: try context())
            #expect(outcomes.map(\.name) == [first, second], "\(name)")
            for case .read(let value) in outcomes where name != "walletSmartTapParts" {
                #expect(value.text == WalletProfile.passMessage, "\(name)")
            }
            let complaints = await holder.phone.wallet.complaints
            #expect(complaints == (name == "walletSmartTapStranger" ? ["unknown merchant or key version"] : []))
        }
    }

    /// In addition to the phones above: sign-up, a flaw, and an unrequested object.
    @Test func everyOutcomeThereIsComesFromASimulatedWallet() async throws {
        var names = Set(Self.expected.flatMap { [$0.first, $0.second] })
        let offering = programme("club", WalletProfile.passType, signUp: "https://club.example/join")
        let empty = Holder(WalletProfile.named("walletVASEmpty")!.phone)
        names.insert(try await converse(empty, [offering], with: try context()).outcomes[0].name)
        guard case .vas(let wallet) = await empty.phone.wallet else { return }
        #expect(wallet.signUps == ["https://club.example/join"])
        let two = Holder(WalletProfile.named("walletSmartTap")!.phone)
        let other = collector("other", 77)
        names.insert(try await converse(two, [points, other], with: try context()).outcomes[1].name)
        names.formUnion(try await flawed(.offCurve).map(\.name))
        #expect(names == Set(PassOutcomeName.allCases))
    }

    @Test func aLongPassIsJoinedFromItsParts() async throws {
        let holder = Holder(WalletProfile.named("walletSmartTapParts")!.phone)
        let (outcomes, _) = try await converse(holder, with: try context())
        guard case .read(let value) = outcomes[1] else { Issue.record("not read"); return }
        #expect(value.bytes.count == 1100)
        let more = await holder.phone.walletCommands.filter { $0.starts(with: [0x90, 0xC0]) }
        #expect(more.count == 4)
    }

    /// Two passes, two keys, in the requested order; the wallet reports no error.
    @Test func severalPassesAreReadInOneTap() async throws {
        let coffee = programme("coffee", WalletProfile.secondPassType)
        var keys = LoyaltyKeys()
        try keys.add(SecretBytes(WalletProfile.clubKey.privateKey), for: club)
        try keys.add(SecretBytes(WalletProfile.coffeeKey.privateKey), for: coffee)
        let context = LoyaltyContext(passKeys: keys, now: { noonOfPhones })
        let holder = Holder(WalletProfile.named("walletVASSeveral")!.phone)
        let (outcomes, _) = try await converse(holder, [club, coffee], with: context)
        #expect(outcomes.map { text($0) } == [WalletProfile.passMessage, "COFFEE-7"])
        #expect(await holder.phone.wallet.complaints == [])
        let alone = Holder(WalletProfile.named("walletVASSeveral")!.phone)
        // A second POS, because this one has already seen the cryptogram, which the phone computes again byte for byte.
        let other = LoyaltyContext(passKeys: keys, now: { noonOfPhones })
        let (one, _) = try await converse(alone, [club, coffee], .passOnly, with: other)
        #expect(one.map(\.name) == [.read, .notAsked])
        #expect(await alone.phone.wallet.complaints == [])
    }

    /// A locked phone that is asked for three passes reports it in its last answer only.
    @Test func everyPassOfALockedPhoneIsLocked() async throws {
        let programmes = [club, programme("b", "pass.b"), programme("c", "pass.c")]
        let holder = Holder(WalletProfile.named("walletVASLocked")!.phone)
        let (outcomes, _) = try await converse(holder, programmes, with: try context())
        #expect(outcomes == [.locked, .locked, .locked])
        await holder.fieldOff()
        let (again, _) = try await converse(holder, programmes, with: try context())
        #expect(again.map(\.name) == [.read, .none, .none])
    }

    @Test func theOwnerChoosesAndTheNextTapReads() async throws {
        for name in ["walletSmartTapChoose", "walletSmartTapLocked"] {
            let holder = Holder(WalletProfile.named(name)!.phone)
            _ = try await converse(holder, with: try context())
            await holder.fieldOff()
            let (outcomes, _) = try await converse(holder, with: try context())
            #expect(text(outcomes[1]) == WalletProfile.passMessage, "\(name)")
            #expect(await holder.phone.wallet.complaints == [])
        }
    }

    /// Row Y4 with wallets: 91xx never leads to a payment, whatever the rule.
    @Test func aPhoneThatIsNotReadyIsPresentedAgain() async throws {
        for (purpose, end) in [
            (LoyaltyPurpose.andPayment, PreludeEnd.Next.presentAgain), (.insteadOfPayment, .stop),
            (.passOnly, .payment),
        ] {
            let holder = Holder(WalletProfile.named("walletSmartTapNotReady")!.phone)
            let found = try await converse(holder, [points], purpose, with: try context())
            #expect(found.end == end && found.outcomes.map(\.name) == [.read], "\(purpose)")
        }
    }

    /// The nonce may be in either place, and a phone may refuse the second SELECT.
    @Test(arguments: [SmartTapWallet.Directory.NoncePlace.short, .long, .both], [true, false])
    func aNonceOfTheDirectoryServesWhereTheSecondSelectGivesNone(
        _ place: SmartTapWallet.Directory.NoncePlace, _ answers: Bool
    ) async throws {
        for entry in [SmartTapWallet.Directory.EntryPlace.proprietary, .outer, .missing] {
            var wallet = SmartTapWallet(
                [.init(of: WalletProfile.collector, "CLUB")],
                [.init(WalletProfile.collector, WalletProfile.collectorKey)])
            wallet.directory.nonce = place
            wallet.directory.entry = entry
            wallet.answersSecondSelect = answers
            let holder = Holder(WalletPhone(.smartTap(wallet), card: VirtualCard(.named("online")!)))
            let (outcomes, _) = try await converse(holder, [points], with: try context())
            #expect(text(outcomes[0]) == "CLUB", "\(entry)")
            #expect(await holder.phone.wallet.complaints == [])
        }
    }

    @Test func everyWritingOfAValueIsRead() async throws {
        let writings: [(SmartTapWallet.Pass.Writing, String?)] = [
            (.text, "CLUB"), (.textIn("en"), "CLUB"), (.format(0), "CLUB"), (.format(1), "CLUB"), (.format(2), "CLUB"),
            (.format(4), nil), (.format(5), nil),
        ]
        for (writing, expected) in writings {
            var wallet = SmartTapWallet(
                [.init(of: WalletProfile.collector, "CLUB")],
                [.init(WalletProfile.collector, WalletProfile.collectorKey)])
            wallet.passes[0].writing = writing
            wallet.sendsCustomer = true
            let holder = Holder(WalletPhone(.smartTap(wallet), card: VirtualCard(.named("online")!)))
            let (outcomes, _) = try await converse(holder, [points], with: try context())
            guard case .read(let value) = outcomes[0] else { Issue.record("\(writing)"); continue }
            #expect(value.bytes == Bytes("CLUB".utf8) && value.text == expected, "\(writing)")
        }
    }

    // MARK: - Wrong keys (row Y11)

    @Test func anotherMerchantsKeyReadsNothing() async throws {
        let other = SimulatedPassKey(name: "another merchant")
        let vas = Holder(WalletProfile.named("walletVAS")!.phone)
        #expect(try await converse(vas, with: try context(passKey: other)).outcomes.map(\.name) == [.sealed, .none])
        let smartTap = Holder(WalletProfile.named("walletSmartTap")!.phone)
        let (outcomes, _) = try await converse(smartTap, with: try context(collectorKey: other))
        #expect(outcomes[1] == .refused(WalletStatus(rawValue: 0x9500)))
        #expect(await smartTap.phone.wallet.complaints == ["signature"])
    }

    // MARK: - Flaws (row Y12)

    private func flawed(_ flaw: VASFlaw, taps: Int = 1) async throws -> [PassOutcome] {
        var wallet = VASWallet([.init(WalletProfile.passType, "member", for: WalletProfile.clubKey)])
        wallet.flaws = [flaw]
        let holder = Holder(WalletPhone(.vas(wallet), card: VirtualCard(.named("online")!)))
        let context = try context()
        var outcomes: [PassOutcome] = []
        for _ in 0..<taps {
            outcomes = try await converse(holder, [club], with: context).outcomes
            await holder.fieldOff()
        }
        return outcomes
    }

    private static let vasFlaws: [VASFlaw: PassOutcome] = [
        .otherVersion: .unreadable(.unsupportedVersion), .offCurve: .unreadable(.notAuthentic),
        .zeroX: .unreadable(.notAuthentic), .largeX: .unreadable(.notAuthentic),
        .otherKey: .unreadable(.notAuthentic), .changedCryptogram: .unreadable(.notAuthentic),
        .truncatedCryptogram: .unreadable(.malformed(.passAnswer)),
        .emptyCryptogram: .unreadable(.malformed(.passAnswer)),
        .missingCryptogram: .unreadable(.malformed(.passAnswer)),
        .duplicateCryptogram: .unreadable(.malformed(.passAnswer)),
        .missingTemplate: .unreadable(.malformed(.passAnswer)), .lyingLength: .unreadable(.malformed(.passAnswer)),
        .truncatedAnswer: .unreadable(.malformed(.passAnswer)), .longMessage: .unreadable(.malformed(.passAnswer)),
        .shortPlain: .unreadable(.malformed(.passAnswer)), .replayedCryptogram: .unreadable(.repeated),
        .pastTime: .unreadable(.fromPast), .futureTime: .unreadable(.fromFuture),
    ]

    @Test(arguments: VASFlaw.allCases) func eachFlawOfAVASWalletHasOneOutcome(_ flaw: VASFlaw) async throws {
        let outcome = try await flawed(flaw, taps: flaw == .replayedCryptogram ? 2 : 1)[0]
        switch flaw {
        case .otherKeyIdentifier: #expect(outcome.name == .sealed)
        case .emptyMessage: #expect(text(outcome) == "")
        default: #expect(outcome == Self.vasFlaws[flaw], "\(flaw)")
        }
    }

    private static let smartTapFlaws: [SmartTapFlaw: PassOutcome] = [
        .otherVersions: .unreadable(.unsupportedVersion), .shortNonce: .unreadable(.malformed(.selection)),
        .offCurve: .unreadable(.notAuthentic), .infinity: .unreadable(.malformed(.session)),
        .missingDeviceKey: .unreadable(.malformed(.session)), .otherSession: .unreadable(.malformed(.session)),
        .otherSequence: .refused(WalletStatus(rawValue: 0x9402)), .sessionStatus: .unreadable(.session(8)),
        .changedCode: .unreadable(.notAuthentic), .changedCipher: .unreadable(.notAuthentic),
        .changedVector: .unreadable(.notAuthentic), .compressed: .unreadable(.compressed),
        .plain: .unreadable(.notEncrypted), .shortBundle: .unreadable(.malformed(.records)),
        .missingBundle: PassOutcome.none, .endless: .unreadable(.tooLong), .huge: .unreadable(.tooLong),
        .lyingLength: .unreadable(.malformed(.records)), .nested: .unreadable(.malformed(.pass)),
        .duplicateDeviceKey: .unreadable(.malformed(.records)),
        .chunked: .unreadable(.malformed(.pass)), .otherKind: PassOutcome.none,
    ]

    @Test(arguments: SmartTapFlaw.allCases)
    func eachFlawOfASmartTapWalletHasOneOutcome(_ flaw: SmartTapFlaw) async throws {
        var wallet = SmartTapWallet(
            [.init(of: WalletProfile.collector, "CLUB")], [.init(WalletProfile.collector, WalletProfile.collectorKey)])
        wallet.flaws = [flaw]
        let holder = Holder(WalletPhone(.smartTap(wallet), card: VirtualCard(.named("online")!)))
        let (outcomes, _) = try await converse(holder, [points], with: try context())
        switch flaw {
        // The first of two passes counts.
        case .twoPasses: #expect(text(outcomes[0]) == "CLUB")
        case .unknownFormat: #expect(outcomes[0].name == .read && text(outcomes[0]) == nil)
        case .emptyValue: #expect(text(outcomes[0]) == "")
        default: #expect(outcomes[0] == Self.smartTapFlaws[flaw], "\(flaw)")
        }
    }
}

/// A recorded dialogue, to be repeated with other answers: the reader's key, nonce and signature are fixed.
struct RecordedDialogue {
    var answers: [Bytes] = []
    let key: SmartTapKey
    private(set) var signature = Bytes()

    /// Records a dialogue with a simulated phone.
    init(_ phone: WalletPhone<VirtualCard>) throws {
        let terminal = SimulatedPassKey(name: "terminal")
        key = SmartTapKey(
            key: try P256.KeyAgreement.PrivateKey(rawRepresentation: terminal.privateKey), session: Bytes(1...8),
            nonce: Bytes(0x40...0x5F))
        let signer = try P256.Signing.PrivateKey(rawRepresentation: WalletProfile.collectorKey.privateKey)
        var phone = phone, made = Bytes(), answers: [Bytes] = []
        _ = try run { command in
            guard case .response(let bytes, _) = phone.exchange(command) else { return nil }
            answers.append(bytes)
            return bytes
        } sign: { bytes in
            made = Bytes(try signer.signature(for: bytes).derRepresentation)
            return made
        }
        self.answers = answers
        signature = made
    }

    /// The result of the dialogue with these answers.
    func outcomes(_ answers: [Bytes], _ context: LoyaltyContext) async throws -> [PassOutcome] {
        var left = answers[...]
        let dialogue = try run { _ in
            left.popFirst() ?? [0x6F, 0x00]
        } sign: { _ in
            signature
        }
        var outcomes: [PassOutcome] = []
        for (finding, programme) in zip(dialogue.findings, [club, points]) {
            switch finding {
            case .bundle(let bundle): outcomes.append(key.open(bundle))
            case .outcome(.sealed(let pass)): outcomes.append(await context.open(pass, of: programme.id))
            case .outcome(let outcome): outcomes.append(outcome)
            }
        }
        return outcomes
    }

    private func run(
        _ exchange: (Bytes) throws -> Bytes?, sign: (Bytes) throws -> Bytes
    ) throws -> WalletDialogue {
        var dialogue = WalletDialogue(try LoyaltyRequest([club, points]), .andPayment, terminal: key.terminal)
        var step = dialogue.next(nil)
        for _ in 0..<64 {
            switch step {
            case .send(let command):
                step = dialogue.next(try exchange(command).map { .response($0) } ?? .fault(.timeout))
            case .sign(let bytes): step = dialogue.next(.signature(try sign(bytes)))
            case .finished: return dialogue
            }
        }
        Issue.record("a dialogue without an end")
        return dialogue
    }
}

/// Rows Y7 and Y12: the phone's answers are changed on the way.
@Suite struct ChangedAnswerTests {
    private static let phones = ["walletVAS", "walletSmartTap", "walletSmartTapParts"]

    /// Only the phone can make a readable pass: a changed answer gives either the value of the unchanged one or no
    /// pass.
    private func holds(_ outcomes: [PassOutcome], _ clean: [PassOutcome]) -> Bool {
        zip(outcomes, clean).allSatisfy { outcome, clean in
            guard case .read(let value) = outcome else { return true }
            guard case .read(let right) = clean else { return false }
            return value == right
        }
    }

    @Test(arguments: phones) func everyByteOfEveryAnswerIsChanged(_ name: String) async throws {
        let dialogue = try RecordedDialogue(WalletProfile.named(name)!.phone)
        let context = try context(.unsafeUnlimited)
        let clean = try await dialogue.outcomes(dialogue.answers, context)
        #expect(clean.contains { $0.name == .read })
        var changed = 0, lost = 0
        for (place, answer) in dialogue.answers.enumerated() {
            for at in answer.indices {
                for mask: UInt8 in [0x01, 0x80] {
                    var answers = dialogue.answers
                    answers[place][at] ^= mask
                    let outcomes = try await dialogue.outcomes(answers, context)
                    #expect(holds(outcomes, clean), "answer \(place), byte \(at), mask \(mask)")
                    changed += 1
                    if outcomes != clean { lost += 1 }
                }
            }
        }
        #expect(changed > 200 && lost > changed / 2)
    }

    @Test(arguments: phones) func everyTruncationReadsNothing(_ name: String) async throws {
        let dialogue = try RecordedDialogue(WalletProfile.named(name)!.phone)
        let context = try context(.unsafeUnlimited)
        for (place, answer) in dialogue.answers.enumerated() {
            for count in answer.indices {
                var answers = dialogue.answers
                answers[place] = Bytes(answer.prefix(count))
                let outcomes = try await dialogue.outcomes(answers, context)
                #expect(!outcomes.contains { $0.isPass }, "answer \(place), \(count) bytes")
            }
        }
    }

    /// Flipped, removed and doubled bytes, swapped and repeated answers. EMV_MODEL_RUNS sets the number of runs,
    /// EMV_MODEL_SEED the first seed.
    @Test(arguments: phones) func mutatedDialoguesReadNothingElse(_ name: String) async throws {
        let dialogue = try RecordedDialogue(WalletProfile.named(name)!.phone)
        let context = try context(.unsafeUnlimited)
        let clean = try await dialogue.outcomes(dialogue.answers, context)
        let environment = ProcessInfo.processInfo.environment
        let runs = environment["EMV_MODEL_RUNS"].flatMap { UInt64($0) } ?? 2_000
        let first = environment["EMV_MODEL_SEED"].flatMap { UInt64($0) } ?? 1
        for seed in first..<(first + runs) {
            var generator = SeededRandom(seed: seed)
            var answers = dialogue.answers
            for _ in 0..<Int.random(in: 1...3, using: &generator) {
                let place = Int.random(in: answers.indices, using: &generator)
                switch Int.random(in: 0..<6, using: &generator) {
                case 0: answers.swapAt(place, Int.random(in: answers.indices, using: &generator))
                case 1: answers.insert(answers[place], at: place)
                default:
                    guard case .response(let bytes, _) = HostileAnswers.damaged(answers[place], &generator, oneIn: 1)
                    else { continue }
                    answers[place] = bytes
                }
            }
            #expect(holds(try await dialogue.outcomes(answers, context), clean), "seed \(seed)")
        }
    }

    /// If a relay asks the phone for another pass, or answers with one, nothing is read.
    @Test func aRelayThatExchangesPassesIsFound() async throws {
        let dialogue = try RecordedDialogue(WalletProfile.named("walletVAS")!.phone)
        // The phone's other pass under this key: the pass name is part of the cryptogram's key.
        var other = WalletProfile.named("walletVASSeveral")!
        guard case .vas(var wallet) = other.wallet else { return }
        wallet.passes[0].passType = WalletProfile.secondPassType
        other.wallet = .vas(wallet)
        var phone = other.phone
        _ = phone.exchange(WalletSelection.command)
        let asked = VASCommand(passType: Digest.sha256(WalletProfile.secondPassType.utf8), purpose: .andPayment)
        guard case .response(let answer, _) = phone.exchange(asked.bytes) else { return }
        var answers = dialogue.answers
        #expect(answer.suffix(2) == [0x90, 0x00])
        answers[1] = answer
        let outcomes = try await dialogue.outcomes(answers, try context(.unsafeUnlimited))
        #expect(outcomes[0] == .unreadable(.notAuthentic))
    }

    /// Smart Tap binds the data to this tap: an answer from an earlier tap is rejected.
    @Test func anAnswerOfAnEarlierTapIsFound() async throws {
        var wallet = SmartTapWallet(
            [.init(of: WalletProfile.collector, "EARLIER")],
            [.init(WalletProfile.collector, WalletProfile.collectorKey)])
        wallet.seed = Array("another presentment".utf8)
        let earlier = try RecordedDialogue(WalletPhone(.smartTap(wallet), card: VirtualCard(.named("online")!)))
        let now = try RecordedDialogue(WalletProfile.named("walletSmartTap")!.phone)
        var answers = now.answers
        answers[3] = earlier.answers[3]
        let outcomes = try await now.outcomes(answers, try context())
        #expect(outcomes[1] == .unreadable(.notAuthentic))
    }
}

/// Rows Y3 and Y7 with wallets at a reader.
@Suite struct WalletPaymentTests {
    private static let phones = [
        "walletVAS", "walletVASLocked", "walletVASEmpty", "walletSmartTap", "walletSmartTapParts",
        "walletSmartTapChoose",
        "walletSmartTapStranger", "walletOther",
    ]

    private func phone(_ name: String, _ card: some CardPresentation) -> any CardPresentation {
        WalletPhone(WalletProfile.named(name)!.wallet, card: card)
    }

    @Test(arguments: SimulatedTap.allCases)
    func aPaymentIsTheSameBehindAWallet(_ tap: SimulatedTap) async throws {
        // An empty field has no phone, either, and a disconnected reader asks no phone.
        guard tap != .noCard, tap != .readerLost else { return }
        let plain = TapRecorder(tap.presentation)
        let expected = await paymentTrace(await reader(plain).read(payment(tap.amount)), plain)
        for name in Self.phones {
            let recorder = TapRecorder(phone(name, tap.presentation))
            let (outcome, result) = await reader(recorder).read(
                payment(tap.amount), loyalty: try LoyaltyRequest([club, points]), .andPayment, with: try context())
            let found = await paymentTrace(try #require(outcome), recorder)
            #expect(found == expected, "\(tap), \(name)")
            #expect(result.entries.count == 2)
        }
    }

    /// Mag-stripe mode cards in a phone with both wallets.
    @Test func magStripePaysTheSame() async throws {
        for name in ["walletVASMagStripe", "walletSmartTapMagStripe"] {
            let card = VirtualCard(WalletProfile.named(name)!.card)
            let plain = TapRecorder(card)
            let expected = await paymentTrace(await reader(plain).read(payment()), plain)
            #expect(expected.outcome.name == .success)
            let recorder = TapRecorder(phone(name, card))
            let (outcome, result) = await reader(recorder).read(
                payment(), loyalty: try LoyaltyRequest([club, points]), .andPayment, with: try context())
            let found = await paymentTrace(try #require(outcome), recorder)
            #expect(found == expected, "\(name)")
            #expect(result.hasPass)
        }
    }

    /// Exactly the commands of the two protocols: the entry point and a command for each pass type; the entry point,
    /// selection, negotiation, data and each further part. The payment's own commands equal those without passes.
    @Test func aTapWithAPassTakesNoCommandMoreThanTheProtocolsAsk() async throws {
        let card = VirtualCard(.named("online")!)
        let plain = TapRecorder(card)
        _ = await reader(plain).read(payment())
        let coffee = programme("coffee", WalletProfile.secondPassType)
        let expected: [(String, [LoyaltyProgramme], [Bytes])] = [
            ("walletNone", [club, points], [[0x00, 0xA4]]),
            ("walletVAS", [club, points], [[0x00, 0xA4], [0x80, 0xCA]]),
            ("walletVASSeveral", [club, coffee], [[0x00, 0xA4], [0x80, 0xCA], [0x80, 0xCA]]),
            ("walletSmartTap", [club, points], [[0x00, 0xA4], [0x00, 0xA4], [0x90, 0x53], [0x90, 0x50]]),
            (
                "walletSmartTapParts", [points],
                [[0x00, 0xA4], [0x00, 0xA4], [0x90, 0x53], [0x90, 0x50]] + Array(repeating: [0x90, 0xC0], count: 4)
            ),
        ]
        for (name, programmes, commands) in expected {
            let recorder = TapRecorder(phone(name, card))
            let (outcome, _) = await reader(recorder).read(
                payment(), loyalty: try LoyaltyRequest(programmes), .andPayment, with: try context())
            #expect(outcome?.name == .success)
            #expect(await recorder.walletCommands.map { Bytes($0.prefix(2)) } == commands, "\(name)")
            #expect(await recorder.paymentCommands == plain.commands, "\(name)")
        }
    }

    /// Each fault at each exchange of the dialogue.
    @Test(arguments: ["walletVAS", "walletVASLocked", "walletSmartTap", "walletSmartTapParts"])
    func eachFaultAtEachExchangeLeavesThePaymentAsItIs(_ name: String) async throws {
        let card = VirtualCard(.named("online")!)
        let plain = TapRecorder(card)
        let expected = await paymentTrace(await reader(plain).read(payment()), plain)
        let counting = TapRecorder(phone(name, card))
        let request = try LoyaltyRequest([club, points])
        _ = await reader(counting).read(payment(), loyalty: request, .andPayment, with: try context())
        let count = await counting.walletCommands.count
        #expect(count >= 2)
        let faults: [FaultPlan.Fault] = [
            .drop, .loseResponse, .transmissionError, .protocolError, .truncate(0), .truncate(1), .truncate(7),
            .replace([]), .replace([0x90, 0x00]), .replace([UInt8](repeating: 0xFF, count: 258)),
            .flip(byte: 3, bit: 1),
        ]
        for exchange in 1...count {
            for fault in faults {
                let faulty = FaultyCard(
                    WalletPhone(WalletProfile.named(name)!.wallet, card: card), FaultPlan(at: exchange, fault))
                let recorder = TapRecorder(faulty)
                let (outcome, _) = await reader(recorder).read(
                    payment(), loyalty: request, .andPayment, with: try context())
                let found = await paymentTrace(try #require(outcome), recorder)
                #expect(found == expected, "\(name), exchange \(exchange), \(fault)")
            }
            // A phone that is removed is presented again, and pays then.
            let gone = FaultyCard(
                WalletPhone(WalletProfile.named(name)!.wallet, card: card), FaultPlan(at: exchange, .remove))
            let (outcome, _) = await reader(TapRecorder(gone)).read(
                payment(), loyalty: request, .andPayment, with: try context())
            #expect(outcome?.name == .success, "\(name), removed at \(exchange)")
        }
    }

    /// A pass read from either wallet replaces the payment; a phone without a pass pays.
    @Test func aReadPassStopsThePaymentWhereTheRuleSaysSo() async throws {
        for (name, pays) in [("walletVAS", false), ("walletVASEmpty", true), ("walletSmartTap", false)] {
            let recorder = TapRecorder(phone(name, VirtualCard(.named("online")!)))
            let (outcome, result) = await reader(recorder).read(
                payment(), loyalty: try LoyaltyRequest([club, points]), .insteadOfPayment, with: try context())
            #expect((outcome != nil) == pays && result.hasPass != pays, "\(name)")
            #expect(await recorder.paymentCommands.isEmpty != pays)
        }
    }
}
#endif
