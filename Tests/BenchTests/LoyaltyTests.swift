// SPDX-License-Identifier: Apache-2.0
import EMVFormats
import EMVKit
import EMVLoyalty
import EMVPage
import EMVSimulator
import Foundation
import TestData
import TestWaiting
import Testing

@testable import emv_bench

/// Passes in `emv-bench tap` and `replay`, with the code of the commands themselves except PC/SC.
@Suite struct PassToolTests {
    private struct Folder {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("emv-bench-\(UUID().uuidString)")
        init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }
        func write(_ name: String, _ text: String) throws -> String {
            let path = url.appendingPathComponent(name).path
            try Data(text.utf8).write(to: URL(fileURLWithPath: path))
            return path
        }
        func path(_ name: String) -> String { url.appendingPathComponent(name).path }
        func remove() { try? FileManager.default.removeItem(at: url) }
    }

    static func document(_ rule: String) -> String {
        """
        { "format": "emv-loyalty/1", "rule": "\(rule)", "timeoutMs": 5000, "programmes": [
          { "id": "club", "name": "Club", "apple": { "passType": "\(WalletProfile.passType)" } },
          { "id": "points", "name": "Points", "google": \
        { "collector": \(WalletProfile.collector), "keyVersion": 1, "kinds": ["loyalty"] } } ] }
        """
    }

    /// A private key in SEC 1, without its public half.
    static func pem(_ key: SimulatedPassKey) -> String {
        let head: [UInt8] = [0x30, 0x31, 0x02, 0x01, 0x01, 0x04, 0x20]
        let curve: [UInt8] = [0xA0, 0x0A, 0x06, 0x08, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07]
        let text = Data(head + key.privateKey + curve).base64EncodedString(options: [.lineLength64Characters])
        return "-----BEGIN EC PRIVATE KEY-----\n\(text)\n-----END EC PRIVATE KEY-----\n"
    }

    private static let secret = Bytes(WalletProfile.passMessage.utf8)

    /// Runs one tap of a named phone; returns the recorded trace. The reader's clock does not advance: the only time
    /// that passes is the duration of the phone's answers.
    private func tap(
        _ phone: String, _ rule: String, _ folder: Folder, _ more: [String] = [], milliseconds: Double = 0
    ) async throws -> (outcome: TapOutcome, trace: Trace) {
        let arguments =
            ["--amount", "12.50", "--json", "--timeout", "5", "--record", folder.path("trace.json")]
            + ["--loyalty", try folder.write("loyalty.json", Self.document(rule))] + more
        let tap = try #require(try Tap.parseAsRoot(arguments) as? Tap)
        var presented = try #require(WalletProfile.named(phone)).with(clock: .system).phone
        presented.milliseconds = milliseconds
        let reader = SimulatedReader(presented)
        let end = try await tap.take(reader, timer: SimulatedClock()) { "a simulated phone" }
        #expect(end.isSuccess)
        return (end.outcome, try Trace(contentsOf: folder.path("trace.json")))
    }

    private func preludes(_ trace: Trace) -> [[Trace.Item]] {
        trace.items.compactMap { if case .prelude(let items) = $0 { items } else { nil } }
    }

    @Test(arguments: ["walletVAS", "walletVASEmpty", "walletVASLocked", "walletOther", "walletNone"])
    func aTapWithPassesIsRecordedAndReplays(_ phone: String) async throws {
        let folder = try Folder()
        defer { folder.remove() }
        let (outcome, trace) = try await tap(phone, "andPayment", folder)
        #expect(outcome.name == .success)
        #expect(preludes(trace).count == 1 && trace.loyalty != nil)
        let expected = [
            "walletVAS": "sealed", "walletVASEmpty": "none", "walletVASLocked": "locked", "walletOther": "none",
            "walletNone": "none",
        ]
        #expect(trace.expectation.loyalty["club"] == expected[phone])
        let payment = trace.items.count { if case .exchange = $0 { true } else { false } }
        #expect(trace.expectation.apdus == payment)
        // As written, and as the command reads it again.
        #expect(try Trace(json: Array(trace.json.utf8)) == trace)
        #expect(try TraceReplay(trace).run().differences == [])
        #expect(try PassReplay.differences(trace) == [])
    }

    @Test func whatWasRecordedOtherwiseIsADifference() async throws {
        let folder = try Folder()
        defer { folder.remove() }
        let trace = try await tap("walletVAS", "andPayment", folder).trace
        var other = trace
        other.expectation.loyalty["club"] = "locked"
        #expect(try PassReplay.differences(other).map(\.place) == ["expect.loyalty.club"])
        other = trace
        other.loyalty = trace.loyalty?.replacingOccurrences(of: WalletProfile.passType, with: "pass.com.example.other")
        #expect(try PassReplay.differences(other).map(\.place) == ["exchanges[0].prelude[1].c"])
        other = trace
        other.loyalty = nil
        #expect(throws: BenchFailure.self) { try PassReplay.differences(other) }
        other.loyalty = "{\"format\": \"emv-loyalty/1\", \"programmes\": [{}]}"
        #expect(throws: BenchFailure.self) { try PassReplay.differences(other) }
    }

    /// The pass replaces the payment: the kernel sends no command, and the command does not fail.
    @Test func aPassInsteadOfAPaymentEndsTheTap() async throws {
        let folder = try Folder()
        defer { folder.remove() }
        let (outcome, trace) = try await tap("walletVAS", "insteadOfPayment", folder)
        #expect(outcome == .cancelled(.requested) && trace.items.count == 1 && trace.expectation.apdus == 0)
        #expect(try TraceReplay(trace).run().differences == [])
        #expect(try PassReplay.differences(trace) == [])
        let alone = try await tap("walletVAS", "passOnly", folder)
        #expect(alone.outcome == .cancelled(.requested) && preludes(alone.trace).count == 1)
        let paid = try await tap("walletVASEmpty", "insteadOfPayment", folder)
        #expect(paid.outcome.name == .success)
    }

    /// A tap that was interrupted is reported as interrupted, even if passes were requested: only a pass makes it a
    /// success.
    @Test(arguments: ["passOnly", "insteadOfPayment", "andPayment"])
    func aTapThatIsBrokenOffIsNoSuccess(_ rule: String) async throws {
        let folder = try Folder()
        defer { folder.remove() }
        let passes = try PassRequest(contentsOf: try folder.write("loyalty.json", Self.document(rule)), keys: [])
        let reader = TapReader(SimulatedReader(EmptyField(), pace: .real), configuration: .simulator())
        _ = try await reader.prepare()
        let payment = PaymentRequest(amount: Money(minorUnits: 1250, currency: .eur), timeout: .seconds(600))
        let events = reader.events()
        let call = Task { await Tap.read(reader, payment, passes, .seconds(600)) }
        for await event in events { if case .waitingForCard = event { break } }
        await reader.cancel()
        let (end, result) = await call.value
        #expect(end == Tap.End(outcome: .cancelled(.requested)) && !end.isSuccess && !result.hasPass)
        #expect(Tap.End(outcome: .cancelled(.requested), isOfPasses: true).isSuccess)
        #expect(!Tap.End(outcome: .cancelled(.timedOut)).isSuccess && !Tap.End(outcome: .failed(.busy)).isSuccess)
    }

    private func passes(_ folder: Folder, _ rule: String) throws -> PassRequest {
        try PassRequest(contentsOf: try folder.write("loyalty.json", Self.document(rule)), keys: [])
    }

    private func report(
        _ passes: PassRequest, _ end: Tap.End, _ result: LoyaltyResult, messages: [String] = []
    ) -> TapReport {
        TapReport(
            reader: "a simulated phone", money: Money(minorUnits: 0, currency: .eur), outcome: end.outcome,
            isOfPasses: end.isOfPasses, messages: messages, log: [], inField: .zero,
            passes: PassReport(passes, result, includesPasses: true))
    }

    /// The tap is not reported as cancelled, and no second tap is requested for a pass that was read. The next step
    /// depends on the pass, and so do the display's messages.
    @Test(arguments: ["passOnly", "insteadOfPayment"]) func aPassAloneIsNoCancelledTap(_ rule: String) async throws {
        let folder = try Folder()
        defer { folder.remove() }
        let passes = try passes(folder, rule)
        var shown: Set<TextKey> = [], next: Set<String> = []
        let phones = rule == "passOnly" ? ["walletVAS", "walletVASEmpty", "walletVASLocked"] : ["walletVAS"]
        for phone in phones {
            let transport = SimulatedReader(try #require(WalletProfile.named(phone)).with(clock: .system).phone)
            // The pass is opened in time on any machine, however slow.
            let reader = TapReader(
                transport, configuration: .simulator(), options: TapReader.Options(timer: SimulatedClock()))
            let events = reader.events()
            let payment = PaymentRequest(amount: Money(minorUnits: 1250, currency: .eur))
            let (end, result) = await Tap.read(reader, payment, passes, .seconds(5))
            #expect(end.isSuccess && end.isOfPasses)
            let report = report(passes, end, result)
            next.insert(report.nextStep)
            let text = report.text + TapReport.json([report]).text
            #expect(!text.contains("cancelled") && !text.contains("tap again") && text.contains("passes"), "\(text)")
            for await event in events {
                guard case .prompt(let prompt) = event, prompt.key.rawValue.hasPrefix("loyalty") else { continue }
                if prompt.key.rawValue == "loyalty.present" { continue }
                shown.insert(prompt.key)
                break
            }
        }
        #expect(shown.count == phones.count && next.count == phones.count)
        let cancelled = report(passes, Tap.End(outcome: .cancelled(.timedOut)), LoyaltyResult([]))
        #expect(cancelled.text.contains("cancelled") && cancelled.nextStep == "tap again")
    }

    /// Bytes differ from a text with these digits, and a control character is escaped once.
    @Test func aValueSaysWhatItIs() throws {
        let folder = try Folder()
        defer { folder.remove() }
        let passes = try passes(folder, "passOnly")
        func json(_ value: PassValue) -> String {
            let entry = LoyaltyResult.Entry(passes.document.request.programmes[0].id, .read(value))
            let end = Tap.End(outcome: .cancelled(.requested), isOfPasses: true)
            let report = report(passes, end, LoyaltyResult([entry]))
            return TapReport.json([report]).text.filter { !$0.isWhitespace }
        }
        let bytes = json(PassValue(bytes: Bytes("abc".utf8), text: nil))
        let text = json(PassValue(bytes: Bytes("616263".utf8), text: "616263"))
        #expect(bytes.contains(#""value":"616263","encoding":"hex""#))
        #expect(text.contains(#""value":"616263","encoding":"text""#))
        let control = json(PassValue(bytes: [0x61, 0x01], text: "a\u{01}"))
        #expect(control.contains(#""value":"a\u0001""#), "\(control)")
    }

    /// Cryptogram, token and the phone's key are in a trace only if requested.
    @Test func aTraceIsWithoutWhatPassesSay() async throws {
        let folder = try Folder()
        defer { folder.remove() }
        let masked = try await tap("walletVAS", "andPayment", folder).trace
        let shown = try await tap("walletVAS", "andPayment", folder, ["--include-passes"]).trace
        func cryptogram(_ trace: Trace) throws -> Bytes {
            guard case .exchange(_, let response, _)? = preludes(trace).first?.last else { return [] }
            var tree = TLVTree(response.dropLast(2))
            while let (object, _) = tree.next() { if object.tag == 0x9F27 { return Bytes(object.value) } }
            return []
        }
        #expect(try cryptogram(masked).count == 68 && cryptogram(masked).allSatisfy { $0 == 0 })
        #expect(try !cryptogram(shown).allSatisfy { $0 == 0 })
        #expect(masked.isRedacted && masked.recorded?.tap == masked.expectation.tap)
    }

    /// The page of a replay and the file saved from it do not contain them, either.
    @Test func aReplaysPageIsWithoutWhatPassesSay() async throws {
        let folder = try Folder()
        defer { folder.remove() }
        let whole = try await tap("walletVAS", "andPayment", folder, ["--include-passes", "--include-pan"]).trace
        let page = try folder.write(
            "emv.html", #"<html><script type="application/json" id="tap"></script></html>"#)
        for includes in [false, true] {
            let html = folder.path("\(includes).html")
            let arguments = [folder.path("trace.json"), "--html", html, "--page", page]
            let replay = try #require(
                try Replay.parseAsRoot(arguments + (includes ? ["--include-passes"] : [])) as? Replay)
            try await replay.run()
            let text = try String(contentsOfFile: html, encoding: .utf8)
            let inside = try #require(text.components(separatedBy: "id=\"tap\">").last).replacingOccurrences(
                of: "</script></html>", with: "")
            let written = try Trace(json: Array(inside.utf8))
            #expect(preludes(written) == preludes(includes ? whole : whole.withoutPasses()))
        }
        #expect(preludes(whole) != preludes(whole.withoutPasses()))
        for shows in [false, true] {
            let request: [String: Any] = ["call": "replay", "trace": whole.json, "showsPAN": shows]
            let text = PageEngine.answer(Bytes(try JSONSerialization.data(withJSONObject: request)))
            let answer = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
            let saved = try Trace(json: Bytes(try #require(answer["trace"] as? String).utf8))
            #expect(preludes(saved) == preludes(whole.withoutPasses()))
        }
    }

    @Test func whatIsAskedForWronglyIsSaid() throws {
        let folder = try Folder()
        defer { folder.remove() }
        let file = try folder.write("loyalty.json", Self.document("andPayment"))
        for wrong in [
            ["--include-passes", "--amount", "1"], ["--loyalty-key", "a=b", "--amount", "1"], [],
            ["--amount", "1", "--repeat", "0"], ["--amount", "1", "--repeat", "2", "--record", folder.path("t")],
        ] {
            #expect(throws: (any Error).self) { try Tap.parseAsRoot(wrong) }
        }
        for key in ["club", "nobody=\(file)", "club=\(folder.path("missing"))", "club=\(file)"] {
            #expect(throws: BenchFailure.self) { try PassRequest(contentsOf: file, keys: [key]) }
        }
        #expect(throws: BenchFailure.self) { try PassRequest(contentsOf: folder.path("missing"), keys: []) }
    }

    @Test func aPaymentNeedsAnAmountAndAPassAloneDoesNot() async throws {
        let folder = try Folder()
        defer { folder.remove() }
        for (rule, isRead) in [("andPayment", false), ("passOnly", true)] {
            let file = try folder.write("loyalty.json", Self.document(rule))
            let tap = try #require(
                try Tap.parseAsRoot(["--loyalty", file, "--json", "--timeout", "5"]) as? Tap)
            let reader = SimulatedReader(try #require(WalletProfile.named("walletVAS")).phone)
            let outcome = try? await tap.take(reader, timer: SimulatedClock()) { "a simulated phone" }
            #expect((outcome != nil) == isRead, "\(rule)")
        }
    }

    #if Loyalty
    /// With keys: both wallets' passes are opened, and the trace is replayed without keys.
    @Test(arguments: ["walletVAS", "walletSmartTap", "walletSmartTapParts", "walletSmartTapNotReady"])
    func keysOpenPassesAndATraceHasNone(_ phone: String) async throws {
        let folder = try Folder()
        defer { folder.remove() }
        let keys = [
            "--loyalty-key", "club=" + (try folder.write("club.pem", Self.pem(WalletProfile.clubKey))),
            "--loyalty-key", "points=" + (try folder.write("points.pem", Self.pem(WalletProfile.collectorKey))),
        ]
        let id = phone == "walletVAS" ? "club" : "points"
        for more in [[], ["--include-passes"]] {
            let (outcome, trace) = try await tap(phone, "andPayment", folder, keys + more)
            #expect(outcome.name == .success)
            #expect(trace.expectation.loyalty[id] == "read", "\(more)")
            #expect(try TraceReplay(trace).run().differences == [])
            #expect(try PassReplay.differences(trace) == [])
            #expect(try Trace(json: Array(trace.json.utf8)) == trace)
        }
    }

    /// The time is up at each exchange in turn: the commands sent until then are replayed, for both wallets.
    @Test(arguments: ["walletVAS", "walletSmartTapParts"])
    func aDialogueThatTheTimeCutsOffReplays(_ phone: String) async throws {
        let folder = try Folder()
        defer { folder.remove() }
        let keys = [
            "--loyalty-key", "points=" + (try folder.write("points.pem", Self.pem(WalletProfile.collectorKey))),
        ]
        // The document allows 5 seconds.
        for (milliseconds, sent) in [(5000.0, 1), (2600, 2), (1700, 3), (1300, 4)] {
            let (outcome, trace) = try await tap(phone, "andPayment", folder, keys, milliseconds: milliseconds)
            #expect(outcome.name == .success)
            let count = phone == "walletVAS" ? min(sent, 2) : sent
            #expect(preludes(trace).map(\.count) == [count], "\(milliseconds)")
            let asked = phone == "walletVAS" ? "club" : "points"
            let isCut = phone != "walletVAS" || sent == 1
            #expect((trace.expectation.loyalty[asked] == "notAsked") == isCut, "\(milliseconds)")
            #expect(try PassReplay.differences(trace) == [], "\(milliseconds)")
            guard asked == "points", sent == 2 else { continue }
            // The dialogue also fits a pass whose key failed, but not a locked phone.
            var other = trace
            other.expectation.loyalty["points"] = "unreadable"
            #expect(try PassReplay.differences(other) == [])
            other.expectation.loyalty["points"] = "locked"
            #expect(try PassReplay.differences(other).map(\.place) == ["expect.loyalty.points"])
        }
    }
    #endif
}

/// Row Y3: every scenario of emv-bench at its own reader, with wallets and without.
@Suite struct ScenarioPassTests {
    /// Records the bytes to and from the card.
    private actor Recorder: CardTransport {
        private let reader: SimulatedReader
        private(set) var exchanges: [[Bytes]] = []
        init(_ presentation: any CardPresentation) { reader = SimulatedReader(presentation) }
        func open() async -> ReaderFault? { await reader.open() }
        func waitForCard(_ poll: Poll) async -> CardEvent { await reader.waitForCard(poll) }
        func transceive(_ command: Bytes) async -> Exchange {
            let exchange = await reader.transceive(command)
            if !WalletSelection.isOfDialogue(command) {
                if case .response(let bytes, _) = exchange {
                    exchanges.append([command, bytes])
                } else {
                    exchanges.append([command])
                }
            }
            return exchange
        }
        func fieldOff() async { await reader.fieldOff() }
        func fieldOff(for hold: Duration) async { await reader.fieldOff(for: hold) }
    }

    private func run(
        _ scenario: Scenario, _ presentation: any CardPresentation, _ passes: LoyaltyRequest?
    ) async throws -> (TapOutcome, [[Bytes]]) {
        let recorder = Recorder(presentation)
        let reader = TapReader(
            recorder, configuration: scenario.configuration, secrets: scenario.secrets,
            options: with(
                TapReader.Options(random: .fixed(scenario.random), timer: DeadlineClock { $0 != passes?.timeout })
            ) { $0.openDeadline = nil })
        let transaction = scenario.transaction
        let request = with(
            PaymentRequest(
                amount: Money(minorUnits: transaction.amount, currency: .eur), key: ReconciliationKey(rawValue: "one"),
                moment: LocalTime(date: transaction.date, time: transaction.time))
        ) {
            $0.data = transaction.data
            $0.counter = transaction.counter
        }
        guard let passes else { return (await reader.read(request), await recorder.exchanges) }
        let (outcome, result) = await reader.read(request, loyalty: passes, .andPayment)
        #expect(result.entries.count == passes.programmes.count)
        return (try #require(outcome), await recorder.exchanges)
    }

    @Test(arguments: Scenario.all.map(\.name))
    func everyScenarioPaysTheSameBehindAWallet(_ name: String) async throws {
        let scenario = try #require(Scenario.all.first { $0.name == name })
        let passes = try LoyaltyDocument(json: Array(PassToolTests.document("andPayment").utf8)).request
        let card = VirtualCard(try #require(CardProfile.named(scenario.profile)))
        let plain = try await run(scenario, card, nil)
        for phone in ["walletVAS", "walletVASLocked", "walletOther"] {
            let wallet = try #require(WalletProfile.named(phone)).wallet
            let found = try await run(scenario, WalletPhone(wallet, card: card), passes)
            #expect(found.0 == plain.0 && found.1 == plain.1, "\(phone)")
        }
    }
}
