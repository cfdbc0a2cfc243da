// SPDX-License-Identifier: Apache-2.0
import EMVKit
import EMVSimulator
import Foundation
import TestData
import Testing

@testable import EMVLoyalty

/// Passes at a reader, with payments and without.
@Suite struct LoyaltyTapTests {
    private let club = programme("club", signUp: "https://club.example")

    private func request(_ programmes: [LoyaltyProgramme]? = nil) throws -> LoyaltyRequest {
        try LoyaltyRequest(programmes ?? [club])
    }

    // MARK: - A pass alone (row Y2)

    @Test func aPassAloneIsNoPayment() async throws {
        let recorder = TapRecorder(Phone(PassTypeWallet.withPass))
        let events = Mutexed<[TapEvent]>([])
        let reader = reader(recorder)
        let stream = reader.events()
        let listening = Task { for await event in stream { await events.append(event) } }
        let outcome = await reader.read(try request())
        #expect(outcome.result?["club"]?.name == .sealed)
        let commands = await recorder.commands
        #expect(commands.count == 2 && !commands.contains { TapRecorder.isOfPayment($0) })
        #expect(await recorder.log.last == "off")
        listening.cancel()
        _ = await listening.value
        #expect(await !events.value.contains { if case .started = $0 { true } else { false } })
    }

    @Test func nothingOfAPassAloneIsJournalled() async throws {
        let journal = MemoryJournal()
        let recorder = TapRecorder(Phone(PassTypeWallet.withPass))
        let reader = reader(recorder) { $0.journal = journal }
        #expect(await reader.read(try request()).result?.hasPass == true)
        #expect(try await journal.entries(after: 0).isEmpty)
    }

    @Test func everyOutcomeOfAPassAloneHasItsText() async throws {
        let cases: [(any HandMadeWallet, PassOutcomeName, String)] = [
            (PassTypeWallet.withPass, .sealed, "loyalty.read"), (PassTypeWallet(0x6287), .locked, "loyalty.unlock"),
            (PassTypeWallet(0x6984), .chooseOnDevice, "loyalty.choose"),
            (PassTypeWallet(0x6A83), .signUpOffered, "loyalty.signUp"),
            (PassTypeWallet(0x6A80), .refused, "loyalty.failed"),
            (PassTypeWallet([response([0x90, 0x00])]), .unreadable, "loyalty.failed"),
            (NoWallet(), PassOutcomeName.none, "loyalty.none"),
        ]
        for (wallet, name, key) in cases {
            let reader = reader(TapRecorder(Phone(wallet)))
            let stream = reader.events()
            let prompts = Task {
                var prompts: [Prompt] = []
                for await event in stream {
                    if case .prompt(let prompt) = event { prompts.append(prompt) }
                    if case .cardRead = event { break }
                }
                return prompts
            }
            let outcome = await reader.read(try request())
            #expect(outcome.result?["club"]?.name == name)
            let texts = await prompts.value.map(\.text)
            #expect(texts == ["loyalty.present", key].map { TextCatalogue().text(TextKey($0)) }, "\(name)")
        }
    }

    @Test func aReadOfPassesEndsWhereNoPhoneComes() async throws {
        let alone = reader(SimulatedReader(.noCard))
        #expect(await alone.read(try request()) == .cancelled(.timedOut))
        let gone = SimulatedReader(.online)
        await gone.detach()
        guard case .failed(.preparation) = await reader(gone).read(try request()) else {
            Issue.record("read"); return
        }
        let recorder = TapRecorder(Phone(PassTypeWallet.withPass))
        #expect(await reader(recorder).read(try request([])) == .finished(LoyaltyResult([])))
        #expect(await recorder.log == [])
    }

    // MARK: - With a payment (rows Y3 and Y4)

    /// All the simulator's taps, with and without passes: equal commands, equal answers, equal outcome.
    @Test(arguments: SimulatedTap.allCases)
    func aPaymentIsTheSameWithPassesAndWithout(_ tap: SimulatedTap) async throws {
        let wallets: [any HandMadeWallet] = [
            NoWallet(), PassTypeWallet.withPass, PassTypeWallet(0x6A83), PassTypeWallet(0x6287),
            PassTypeWallet([.timeout]), PassTypeWallet([.removed]), ScriptedWallet([.transmissionError]),
            ScriptedWallet([response(SmartTapVectors.selected), response([0x6A, 0x82])]), ScriptedWallet([]),
        ]
        let plain = TapRecorder(tap.presentation)
        let without = await reader(plain).read(payment(tap.amount))
        let expected = await paymentTrace(without, plain)
        for (number, wallet) in wallets.enumerated() {
            let recorder = TapRecorder(Phone(wallet, tap.presentation))
            let (outcome, result) = await reader(recorder).read(
                payment(tap.amount), loyalty: try request([club, collector("points")]), .andPayment,
                with: anyTime())
            let found = await paymentTrace(try #require(outcome), recorder)
            #expect(found == expected, "\(tap), wallet \(number)")
            #expect(result.entries.count == 2)
        }
    }

    /// Every card of the simulator, including those of emv-bench's scenarios.
    @Test(arguments: CardProfile.profiles.keys.sorted())
    func everyCardPaysTheSameAfterAWallet(_ name: String) async throws {
        // Kernel 2 waits after a failed checksum; the dialogue's own time never passes.
        let limit = Duration.milliseconds(299)
        func passing(_ transport: any CardTransport) -> TapReader {
            reader(transport) {
                $0.timer = PassingClock(but: limit)
                // The opening would otherwise compete with a clock on which time passes at once.
                $0.openDeadline = nil
            }
        }
        func request(_ programmes: [LoyaltyProgramme]) throws -> LoyaltyRequest {
            try LoyaltyRequest(programmes, timeout: limit)
        }
        let card = VirtualCard(try #require(CardProfile.named(name)))
        let plain = TapRecorder(Phone(NoWallet(), card))
        let expected = await paymentTrace(await passing(plain).read(payment()), plain)
        #expect(!expected.commands.isEmpty)
        for wallet in [PassTypeWallet.withPass, PassTypeWallet([.timeout])] {
            let recorder = TapRecorder(Phone(wallet, card))
            let (outcome, _) = await passing(recorder).read(
                payment(), loyalty: try request([club]), .andPayment, with: anyTime())
            let found = await paymentTrace(try #require(outcome), recorder)
            #expect(found == expected)
        }
        // A card without a wallet receives one command more than without passes.
        let bare = TapRecorder(card)
        let (outcome, result) = await passing(bare).read(
            payment(), loyalty: try request([club, collector("points")]), .andPayment, with: anyTime())
        #expect(await paymentTrace(try #require(outcome), bare) == expected)
        #expect(await bare.walletCommands == [WalletSelection.command])
        #expect(result["club"] == PassOutcome.none)
    }

    @Test func withoutProgrammesNothingIsAskedFor() async throws {
        let recorder = TapRecorder(Phone(PassTypeWallet.withPass))
        let (outcome, result) = await reader(recorder).read(payment(), loyalty: try request([]), .andPayment)
        #expect(outcome?.name == .success && result.entries.isEmpty)
        #expect(await recorder.walletCommands.isEmpty)
        // A POS without passes does not differ, either.
        _ = await reader(recorder).read(payment(1251))
        #expect(await recorder.walletCommands.isEmpty)
    }

    /// Row Y4: the rule, the wallet's answers, whether a payment follows.
    @Test func aPassTakesThePlaceOfAPaymentWhereTheRuleSaysSo() async throws {
        let wallets: [(any HandMadeWallet, isPass: Bool)] = [
            (PassTypeWallet.withPass, true), (PassTypeWallet(0x6A83), false), (PassTypeWallet(0x6287), false),
            (PassTypeWallet(0x6984), false), (PassTypeWallet(0x6A80), false), (PassTypeWallet([.timeout]), false),
            (PassTypeWallet([response([0x90, 0x00])]), false), (NoWallet(), false),
        ]
        for (number, (wallet, isPass)) in wallets.enumerated() {
            for rule in LoyaltyRule.allCases {
                let recorder = TapRecorder(Phone(wallet))
                let (outcome, result) = await reader(recorder).read(
                    payment(), loyalty: try request(), rule, with: anyTime())
                let stops = rule == .insteadOfPayment && isPass
                #expect((outcome == nil) == stops, "\(rule), wallet \(number)")
                #expect(await recorder.paymentCommands.isEmpty == stops)
                #expect(result.hasPass == isPass)
                if !stops { #expect(outcome?.name == .success) }
            }
        }
    }

    @Test func theModeStandsInFrameAndCommand() async throws {
        for (rule, mode) in [(LoyaltyRule.andPayment, UInt8(1)), (.insteadOfPayment, 0)] {
            let simulated = SimulatedReader(Phone(PassTypeWallet(0x6A83)))
            _ = await reader(simulated).read(payment(), loyalty: try request(), rule)
            #expect(await simulated.pollingFrames == [PollingFrame.bytes(rule.purpose)])
            #expect(PollingFrame.bytes(rule.purpose)[4] == mode)
        }
        let simulated = SimulatedReader(Phone(PassTypeWallet(0x6A83)))
        let alone = reader(simulated)
        _ = await alone.read(try request())
        #expect(await simulated.pollingFrames == [PollingFrame.bytes(.passOnly)])
        _ = await alone.read(payment())
        #expect(await simulated.pollingFrames.count == 1)
    }

    @Test func aChargeTakesPassesToo() async throws {
        let authorizer = SimulatedAuthorizer()
        let recorder = TapRecorder(Phone(PassTypeWallet.withPass))
        let (charge, passes) = await reader(recorder).charge(
            payment(), loyalty: try request(), .andPayment, context: anyTime(), with: authorizer)
        #expect(charge?.name == .approved && passes.hasPass)
        await recorder.present(Phone(PassTypeWallet.withPass))
        let next = reader(recorder)
        let (none, other) = await next.charge(
            payment(99), loyalty: try request(), .insteadOfPayment, context: anyTime(), with: authorizer)
        #expect(none == nil && other.hasPass)
        await recorder.present(Phone(PassTypeWallet.withPass))
        let (plain, empty) = await next.charge(
            payment(98), loyalty: try request([]), .insteadOfPayment, with: authorizer)
        #expect(plain?.name == .approved && empty.entries.isEmpty)
        await recorder.present(Phone(PassTypeWallet(0x6A83)))
        let (read, _) = await next.read(payment(97), loyalty: try request(), .andPayment, with: anyTime())
        #expect(read?.name == .success)
        await recorder.present(Phone(PassTypeWallet(0x6A83)))
        #expect(await next.read(try request()).result?["club"] == .signUpOffered)
    }

    // MARK: - A pass never affects a payment (rows Y7 and Y8)

    /// A broken link leaves the field on; the card's next tap is payment only.
    @Test func afterABrokenLinkThePaymentComesFirst() async throws {
        let faults = [CardReply.timeout, .transmissionError, .protocolError, .removed]
        for (fault, rule) in faults.flatMap({ fault in LoyaltyRule.allCases.map { (fault, $0) } }) {
            let pulled = FaultyCard(VirtualCard(.named("online")!), FaultPlan(at: 1, .remove))
            let recorder = TapRecorder(Phone(PassTypeWallet([fault]), pulled))
            let (outcome, result) = await reader(recorder).read(
                payment(), loyalty: try request([club, programme("other")]), rule, with: anyTime())
            #expect(outcome?.name == .success)
            #expect(result.entries.map(\.outcome.name) == [.unreadable, .notAsked])
            #expect(await recorder.walletCommands.count == 2)
            let log = await recorder.log
            // Selection, pass, and immediately the payment's own directory: no field command between them.
            #expect(log.prefix(4).allSatisfy { !$0.hasPrefix("off") } && TapRecorder.isOfPayment(Hex.bytes(log[3])!))
            #expect(log.filter { $0 == "poll" }.count == 2)
        }
    }

    /// Row Y13: before a payment the display belongs to the payment, and none of its messages is delayed. The result
    /// contains the owner's next step, which the app can show then.
    @Test func whatTheOwnerHasToDoStandsInTheResultOfAPayment() async throws {
        let cases: [(any HandMadeWallet, String)] = [
            (PassTypeWallet(0x6287), "loyalty.unlock"), (PassTypeWallet(0x6984), "loyalty.choose"),
            (PassTypeWallet(0x6A83), "loyalty.signUp"), (PassTypeWallet.withPass, "loyalty.read"),
            (NoWallet(), "loyalty.none"), (PassTypeWallet(0x6A80), "loyalty.failed"),
        ]
        for (wallet, key) in cases {
            let reader = reader(TapRecorder(Phone(wallet)))
            let stream = reader.events()
            let shown = Task {
                var texts: [PromptText] = []
                for await event in stream {
                    if case .prompt(let prompt) = event, let text = prompt.text { texts.append(text) }
                    if case .finished = event { break }
                }
                return texts
            }
            let (outcome, result) = await reader.read(payment(), loyalty: try request(), .andPayment, with: anyTime())
            #expect(outcome?.name == .success && result.textKey == TextKey(key))
            let own = TextCatalogue.builtIn(.english).keys.filter { $0.rawValue.hasPrefix("loyalty.") }
            let texts = own.map { TextCatalogue().text($0) }
            #expect(await !shown.value.contains { texts.contains($0) }, "\(key)")
        }
        let both = LoyaltyResult([.init("a", .signUpOffered), .init("b", .locked), .init("c", .notAsked(.oneAlone))])
        #expect(both.textKey == TextKey("loyalty.unlock") && LoyaltyResult([]).textKey == nil)
    }

    /// The card reports the dialogue's duration: no clock is read.
    @Test func aSlowWalletGivesWayToThePayment() async throws {
        let slow = PassTypeWallet([response([0x6A, 0x83], milliseconds: 150)])
        let recorder = TapRecorder(Phone(slow))
        let programmes = (0..<6).map { programme("p\($0)") }
        let (outcome, result) = await reader(recorder).read(
            payment(), loyalty: try request(programmes), .andPayment, with: anyTime())
        #expect(outcome?.name == .success)
        // 1 ms for the selection, then 150 each: the third command begins at 301.
        #expect(
            result.entries.map(\.outcome)
                == [PassOutcome.none, .none] + Array(repeating: .notAsked(.outOfTime), count: 4))
        let quick = try LoyaltyRequest(programmes, timeout: .milliseconds(10))
        let second = TapRecorder(Phone(slow))
        let (_, less) = await reader(second).read(payment(), loyalty: quick, .andPayment, with: anyTime())
        #expect(less.entries.map(\.outcome.name) == [.none] + Array(repeating: .notAsked, count: 5))
    }

    @Test func whoeverPresentsNothingWasNotAsked() async throws {
        let (outcome, result) = await reader(SimulatedReader(.noCard)).read(
            payment(), loyalty: try request([club, collector("points")]), .andPayment)
        #expect(outcome == .cancelled(.timedOut))
        #expect(result["club"] == .notAsked(.noPhone))
        #expect(result["points"]?.name == .notAsked)
        #expect(result["stranger"] == nil)
    }

    /// Random answers to every command at a reader: the payment equals the one without passes.
    @Test func hostileWalletsNeverHarmAPayment() async throws {
        let plain = TapRecorder(Phone(NoWallet()))
        let expected = await paymentTrace(await reader(plain).read(payment()), plain)
        let runs = ProcessInfo.processInfo.environment["EMV_MODEL_RUNS"].flatMap { Int($0) } ?? 1_000
        let first = ProcessInfo.processInfo.environment["EMV_MODEL_SEED"].flatMap { UInt64($0) } ?? 1
        let request = try request([club, programme("b"), collector("points")])
        for seed in first..<(first + UInt64(runs)) {
            var generator = SeededRandom(seed: seed)
            let recorder = TapRecorder(Phone(ScriptedWallet(HostileAnswers.replies(&generator))))
            let (outcome, result) = await reader(recorder).read(
                payment(), loyalty: request, .andPayment, with: anyTime())
            let found = await paymentTrace(try #require(outcome), recorder)
            #expect(found == expected, "seed \(seed)")
            #expect(result.entries.count == 3, "seed \(seed)")
            #expect(await recorder.walletCommands.count <= 3 + 4 + SmartTapDialogue.maximumParts, "seed \(seed)")
        }
    }
}

/// Answers of a malicious wallet: valid ones, damaged ones, and random bytes.
enum HostileAnswers {
    static let right: [Bytes] = [
        VASVectors.selected, SmartTapVectors.selected, SmartTapVectors.selectedAgain, SmartTapVectors.negotiated(),
        SmartTapVectors.data() + [0x90, 0x00], SmartTapVectors.data() + [0x91, 0x00], [0x91, 0x00], [0x92, 0x01],
        VASVectors.answer(VASVectors.cryptogram), VASVectors.answer(VASVectors.blanked), [0x90, 0x00], [0x6A, 0x82],
        [0x62, 0x87], [0x6A, 0x83], [0x93, 0x02], [0x95, 0x00],
    ]

    static func replies(_ generator: inout SeededRandom) -> [CardReply] {
        // The first answer determines how far a dialogue gets; in most cases it comes from one of the two wallets.
        var replies = [damaged(right[Int.random(in: 0...1, using: &generator)], &generator, oneIn: 4)]
        for _ in 0..<Int.random(in: 0...24, using: &generator) {
            switch Int.random(in: 0..<12, using: &generator) {
            case 0:
                let faults: [CardReply] = [.timeout, .transmissionError, .protocolError, .removed]
                replies.append(faults.randomElement(using: &generator)!)
            case 1: replies.append(response(generator.bytes(Int.random(in: 0...300, using: &generator))))
            default: replies.append(damaged(right.randomElement(using: &generator)!, &generator, oneIn: 2))
            }
        }
        return replies
    }

    static func damaged(_ bytes: Bytes, _ generator: inout SeededRandom, oneIn: Int) -> CardReply {
        var bytes = bytes
        guard Int.random(in: 0..<oneIn, using: &generator) == 0, !bytes.isEmpty else { return response(bytes) }
        switch Int.random(in: 0..<4, using: &generator) {
        case 0:
            let place = Int.random(in: 0..<bytes.count, using: &generator)
            bytes[place] ^= 1 << UInt8.random(in: 0...7, using: &generator)
        case 1: bytes = Bytes(bytes.prefix(Int.random(in: 0..<bytes.count, using: &generator)))
        case 2: bytes.insert(contentsOf: bytes.prefix(40), at: Int.random(in: 0..<bytes.count, using: &generator))
        default:
            bytes[Int.random(in: 0..<bytes.count, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
        }
        return response(bytes)
    }
}

/// Values that several tasks write.
actor Mutexed<Value: Sendable> {
    private(set) var value: Value
    init(_ value: Value) { self.value = value }
}

extension Mutexed where Value == [TapEvent] {
    func append(_ event: TapEvent) { value.append(event) }
}

/// A hundred thousand dialogues with damage, without a reader.
@Suite struct HostileDialogueTests {
    @Test func everyDialogueEndsWithAnOutcomeForEachProgramme() throws {
        let request = try LoyaltyRequest([programme("a"), programme("b", signUp: "https://b.example"), collector("g")])
        var names: Set<PassOutcomeName> = [], bundles = 0
        for seed in 1...100_000 as ClosedRange<UInt64> {
            var generator = SeededRandom(seed: seed)
            var left = HostileAnswers.replies(&generator)[...]
            var dialogue = WalletDialogue(request, .andPayment, terminal: SmartTapVectors.terminal)
            var step = dialogue.next(nil), count = 0
            while step != .finished, count < 100 {
                count += 1
                switch step {
                case .sign: step = dialogue.next(.signature(SmartTapVectors.signature))
                case .finished: break
                case .send:
                    switch left.popFirst() ?? response([0x6F, 0x00]) {
                    case .response(let bytes, _): step = dialogue.next(.response(bytes))
                    case .timeout: step = dialogue.next(.fault(.timeout))
                    case .transmissionError: step = dialogue.next(.fault(.transmission))
                    case .protocolError: step = dialogue.next(.fault(.protocol))
                    case .removed: step = dialogue.next(.fault(.removed))
                    }
                }
            }
            guard step == .finished, dialogue.findings.count == 3 else {
                Issue.record("seed \(seed): \(step) after \(count)"); return
            }
            for finding in dialogue.findings {
                switch finding {
                case .outcome(let outcome): names.insert(outcome.name)
                case .bundle: bundles += 1
                }
            }
        }
        // Sign-up requires a pass type with a URL; the second one has it.
        #expect(names == Set(PassOutcomeName.allCases).subtracting([.read]) && bundles > 0)
    }
}

/// Row Y13.
@Suite struct LoyaltyTextTests {
    @Test(arguments: Language.builtIn)
    func everyOutcomeHasATextThatDoesNotSpeakOfPayment(_ language: Language) {
        let value = PassValue(bytes: [], text: nil)
        let sealed = SealedPass(passType: VASVectors.passTypeHash, cryptogram: VASVectors.cryptogram)!
        let outcomes: [PassOutcome] = [
            .read(value), .sealed(sealed), .none, .locked, .chooseOnDevice, .signUpOffered,
            .refused(WalletStatus(rawValue: 0x9400)), .unreadable(.tooLong), .notAsked(.noPhone),
        ]
        #expect(Set(outcomes.map(\.name)) == Set(PassOutcomeName.allCases))
        let table = TextCatalogue.builtIn(language)
        let keys = Set(outcomes.map(\.textKey)).union(["loyalty.present", "loyalty.again"].map { TextKey($0) })
        for key in keys {
            #expect(TextCatalogue.flaws(table[key] ?? "", key: key, language: language) == [], "\(key)")
        }
        let all = table.keys.filter { $0.rawValue.hasPrefix("loyalty.") }
        #expect(keys.union([TextKey("loyalty.label")]) == Set(all))
    }
}

/// Row Y9.
@Suite struct LoyaltyPrivacyTests {
    @Test func whatAPassSaysStandsNowhere() async throws {
        let secret = VASVectors.message, code = Hex.string(VASVectors.cryptogram.suffix(20))
        let value = PassValue(bytes: Bytes(secret.utf8), text: secret, kind: .loyalty, made: VASVectors.made)
        let sealed = SealedPass(passType: VASVectors.passTypeHash, cryptogram: VASVectors.cryptogram)!
        let outcomes: [PassOutcome] = [.read(value), .sealed(sealed)]
        let result = LoyaltyResult(outcomes.map { LoyaltyResult.Entry("club", $0) })
        let bundle = EncryptedBundle(
            data: SmartTapVectors.bundle, deviceKey: SmartTapVectors.devicePublicKey, signed: [], signature: [],
            kinds: [.loyalty])
        let all: [Any] = [
            value, sealed, outcomes, result, LoyaltyOutcome.finished(result), Finding.bundle(bundle),
            Finding.outcome(.read(value)), DialogueAnswer.response(Bytes(secret.utf8)), [value: 1], bundle,
        ]
        for one in all {
            var dumped = ""
            dump(one, to: &dumped)
            for text in ["\(one)", String(reflecting: one), dumped] {
                #expect(!text.contains(secret) && !text.contains(code), "\(text)")
                #expect(!text.contains("54, 100, 49") && !text.contains("141, 226"), "\(text)")
            }
        }
    }

    /// Support report, receipt and card data contain nothing about a pass.
    @Test func nothingOfAPassIsInReportsOrReceipts() async throws {
        let recorder = TapRecorder(Phone(PassTypeWallet.withPass))
        let reader = reader(recorder)
        let (outcome, result) = await reader.read(
            payment(), loyalty: try LoyaltyRequest([programme("club")]), .andPayment, with: anyTime())
        guard case .success(let read)? = outcome, case .sealed(let pass)? = result["club"] else {
            Issue.record("not read"); return
        }
        let report = await reader.supportReport(.success(read))
        let receipt = Receipt(read, nil, merchant: Merchant("Shop"))
        let texts = [
            "\(report)", String(decoding: try JSONEncoder().encode(report), as: UTF8.self), "\(read)",
            String(describing: receipt), Hex.string(read.dataRecord.bytes), Hex.string(read.discretionary.bytes),
        ]
        for text in texts {
            #expect(!text.uppercased().contains(Hex.string(pass.cryptogram.suffix(16))))
            #expect(!text.contains("loyalty") && !text.contains("club"))
        }
    }
}

extension Mutexed {
    func set(_ value: Value) { self.value = value }
}

extension Mutexed where Value == String {
    func add(_ text: String) { value += text }
}
