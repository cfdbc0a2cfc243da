// SPDX-License-Identifier: Apache-2.0
import EMVKit
import EMVPCSC
import EMVSimulator
import Foundation
import Testing

/// `emv-bench tap`, `readers` and `card` from the command line, on the real stack.
@Suite(.serialized, .enabled(if: Sandbox.isThere, Sandbox.missing), .timeLimit(.minutes(10)))
struct ToolTests {
    /// A running program, with its output.
    private struct Program {
        let process = Process()
        private let output: URL

        init(_ arguments: [String], showsErrors: Bool = false, program: String? = nil) throws {
            output = FileManager.default.temporaryDirectory.appendingPathComponent("emv-bench-\(UUID().uuidString).txt")
            try #require(FileManager.default.createFile(atPath: output.path, contents: nil))
            process.executableURL = try program.map { URL(fileURLWithPath: $0) } ?? Sandbox.bench()
            process.arguments = arguments
            let file = try FileHandle(forWritingTo: output)
            process.standardOutput = file
            process.standardError = showsErrors ? file : FileHandle.nullDevice
            try process.run()
        }

        func soFar() throws -> String { try String(contentsOf: output, encoding: .utf8) }

        func end() async throws -> (status: Int32, text: String) {
            while process.isRunning { try await Task.sleep(for: .milliseconds(5)) }
            defer { try? FileManager.default.removeItem(at: output) }
            return (process.terminationStatus, try String(contentsOf: output, encoding: .utf8))
        }

    }

    private func object(_ text: String) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    }

    private static let tap = [
        "tap", "--amount", "12.50", "--currency", "EUR", "--reader", Sandbox.reader, "--timeout", "20",
    ]

    private func card(_ name: String) throws -> VirtualCard { VirtualCard(try #require(CardProfile.named(name))) }

    // MARK: tap

    @Test func tapShowsOutcomeIssuerDataTimelineAndBudget() async throws {
        try await Sandbox.settle()
        let (ended, visit) = try await Sandbox.with(try card("onlineRecords")) {
            try await Program(ToolTests.tap).end()
        }
        #expect(ended.status == 0)
        for part in [
            "Reader: \(Sandbox.reader)", "Outcome: success", "For the issuer", "9F26", "kernel", "transport", "card",
            "SELECT directory",
            "GET PROCESSING OPTIONS", "READ RECORD", "of 500 ms (Book A)", "of 100 ms (Book A)",
        ] {
            #expect(ended.text.contains(part), "\(part)")
        }
        let rows = ended.text.split(separator: "\n").filter { $0.hasSuffix(" 9000") }
        #expect(rows.count == visit.commands)
    }

    @Test func tapWritesOneObject() async throws {
        try await Sandbox.settle()
        let (ended, visit) = try await Sandbox.with(try card("onlineRecords"), CardServer(delay: .milliseconds(10))) {
            try await Program(ToolTests.tap + ["--json"]).end()
        }
        let tap = try #require(try object(ended.text)["tap"] as? [String: Any])
        #expect(ended.status == 0 && tap["tap"] as? String == "success" && tap["outcome"] as? String == "onlineRequest")
        let timeline = try #require(tap["timeline"] as? [[String: Any]])
        #expect(timeline.count == visit.commands)
        var reader = 0.0
        for row in timeline {
            let parts = try ["kernelMs", "transportMs", "cardMs"].map { try #require(row[$0] as? Double) }
            #expect(parts.allSatisfy { $0 >= 0 } && parts[2] >= 10)
            reader += parts[0] + parts[1]
        }
        #expect(abs(reader - (tap["readerMs"] as? Double ?? -1)) < 0.01)
        #expect(tap["budgetMs"] as? [String: Double] == ["field": 500, "reader": 100])
    }

    /// All information, for people and for programs.
    @Test func tapTellsWhatItKnows() async throws {
        try await Sandbox.settle()
        let (text, _) = try await Sandbox.with(try card("onlineRecords")) { try await Program(ToolTests.tap).end() }
        #expect(text.text.contains("Reader: \(Sandbox.reader) (as named)"))
        #expect(text.text.contains("Outcome: success, onlineRequired"))
        #expect(text.text.contains("Next: ask the issuer for authorisation"))
        let (json, _) = try await Sandbox.with(try card("onlineRecords")) {
            try await Program(ToolTests.tap + ["--json"]).end()
        }
        let tap = try #require(try object(json.text)["tap"] as? [String: Any])
        #expect(tap["reason"] as? String == "onlineRequired" && tap["authorization"] as? String == "onlineRequired")
        #expect((tap["aid"] as? String)?.hasPrefix("A0000000031010") == true)
        #expect(tap["label"] is String && tap["next"] is String)
        let timeline = try #require(tap["timeline"] as? [[String: Any]])
        #expect(timeline.allSatisfy { $0["status"] as? String == "9000" && $0["fault"] is NSNull })
        let (other, _) = try await Sandbox.with(try card("unknownScheme")) {
            try await Program(ToolTests.tap + ["--json"]).end()
        }
        let refused = try #require(try object(other.text)["tap"] as? [String: Any])
        #expect(refused["reason"] as? String == "noCommonApplication")
        #expect((refused["offered"] as? [String])?.isEmpty == false)
    }

    /// Prompts reach a pipe or a file as they occur, and Ctrl-C ends the tap with an outcome and its recording.
    @Test func anInterruptedTapHasAnOutcomeAndItsRecording() async throws {
        try await Sandbox.settle()
        let record = FileManager.default.temporaryDirectory.appendingPathComponent("tap-\(UUID().uuidString).json")
        defer { try? FileManager.default.removeItem(at: record) }
        let program = try Program(ToolTests.tap + ["--record", record.path])
        while try !program.soFar().contains("  15 ") { try await Task.sleep(for: .milliseconds(5)) }
        program.process.interrupt()
        let ended = try await program.end()
        #expect(ended.status == 1 && ended.text.contains("Outcome: cancelled, requested"))
        let trace = try object(String(contentsOf: record, encoding: .utf8))
        #expect(trace["format"] as? String == "emv-trace/1")
    }

    @Test(arguments: [("EUR", "12.50"), ("JPY", "1250"), ("KWD", "12.500")])
    func theAmountsHintHasTheCurrencysDecimals(currency: String, hint: String) async throws {
        let program = try Program(["tap", "--amount", "x", "--currency", currency], showsErrors: true)
        let ended = try await program.end()
        #expect(ended.status == 2 && ended.text.contains("expected \(hint), not"))
    }

    /// A request that is refused before the field is on ends the program, too.
    @Test func tapOfNothingEnds() async throws {
        try await Sandbox.settle()
        let ended = try await Program(["tap", "--amount", "0", "--reader", Sandbox.reader]).end()
        #expect(ended.status == 1 && ended.text.contains("Outcome: failed"))
    }

    /// Each program has exclusive access to the card until its tap is over.
    @Test func twoProcessesTakeTurns() async throws {
        try await Sandbox.settle()
        let (ended, visit) = try await Sandbox.with(try card("online"), CardServer(delay: .milliseconds(50))) {
            let both = try [Program(ToolTests.tap + ["--json"]), Program(ToolTests.tap + ["--json"])]
            return try await [both[0].end(), both[1].end()].map { [String($0.status), $0.text] }
        }
        for program in ended {
            #expect(program[0] == "0" && program[1].contains("\"success\""))
        }
        #expect(visit.commands % 2 == 0)
    }

    // MARK: readers

    private func diagnosis() async throws -> (status: Int32, readers: Int, findings: [String: String]) {
        let (status, text) = try await Program(["readers", "--json"]).end()
        let object = try object(text)
        let findings = try #require(object["findings"] as? [[String: String]])
        let pairs = findings.compactMap { row in row["code"].map { ($0, row["remedy"] ?? "") } }
        return (status, (object["readers"] as? [Any])?.count ?? -1, Dictionary(pairs) { first, _ in first })
    }

    @Test func readersIsADoctor() async throws {
        try await Sandbox.settle()
        let well = try await diagnosis()
        #expect(well.readers == 2)
        #expect((well.status == 0) == well.findings.isEmpty)
        try Sandbox.daemon("stop")
        let stopped = try await diagnosis()
        #expect(stopped.status == 1 && stopped.readers == 0)
        #expect(stopped.findings["serviceStopped"]?.contains("pcscd") == true)
        let failed = try await Program(ToolTests.tap).end()
        #expect(failed.status == 2)
        try Sandbox.daemon("start")
        _ = try await Sandbox.withReaders("none") {
            let none = try await diagnosis()
            #expect(none.status == 1 && none.readers == 0 && !none.findings.isEmpty)
            #expect(none.findings["serviceStopped"] == nil)
        }
    }

    // MARK: card

    @Test func cardServesAnyProgram() async throws {
        try await Sandbox.settle()
        let program = try Program(["card", "--profile", "online", "--delay", "20"])
        let transport = try await Sandbox.connected()
        let directory: Bytes = [0x00, 0xA4, 0x04, 0x00, 0x0E] + Array("2PAY.SYS.DDF01".utf8) + [0x00]
        for _ in 0..<3 {
            guard case .response(let bytes, let elapsed?) = await transport.transceive(directory) else {
                Issue.record("no answer")
                break
            }
            #expect(bytes.first == 0x6F && bytes.suffix(2) == [0x90, 0x00] && elapsed >= .milliseconds(20))
        }
        await transport.fieldOff()
        // The card is served again to another daemon.
        try Sandbox.daemon("kill")
        try Sandbox.daemon("start")
        #expect(await transport.open() == nil)
        #expect(await transport.waitForCard(Poll(timeout: .seconds(20))) == .card)
        #expect(await transport.transceive(directory).bytes?.first == 0x6F)
        await transport.close()
        program.process.terminate()
        _ = try await program.end()
    }

    /// The reader answers with the lengths that it supports; the command does not reach the card.
    @Test func theReaderAnswersForTheUID() async throws {
        try await Sandbox.settle()
        let server = CardServer(diesAt: 1)
        let (_, visit) = try await Sandbox.with(lengthCard, server) {
            let transport = try await Sandbox.connected()
            for length in [0x00, 0x04] as Bytes {
                #expect(await transport.transceive([0xFF, 0xCA, 0, 0, length]).bytes == server.uid + [0x90, 0x00])
            }
            #expect(await transport.transceive([0xFF, 0xCA, 0, 0, 7]).bytes == [0x6C, 0x04])
            #expect(await transport.transceive([0xFF, 0xCA, 1, 0, 0]).bytes == [0x6A, 0x81])
            #expect(await transport.transceive([0xFF, 0xCA, 0, 0]).bytes == [0x67, 0x00])
            await transport.close()
        }
        #expect(visit.commands == 0)
    }

    /// A third-party program reads the card.
    @Test func openscReadsTheCard() async throws {
        let tool = "/usr/bin/opensc-tool"
        guard FileManager.default.isExecutableFile(atPath: tool) else {
            print("skipped: opensc is not installed")
            return
        }
        try await Sandbox.settle()
        let directory = "00:A4:04:00:0E:32:50:41:59:2E:53:59:53:2E:44:44:46:30:31:00"
        let (ended, visit) = try await Sandbox.with(try card("online")) {
            try await Program(
                ["--reader", Sandbox.reader, "--wait", "-s", "FF:CA:00:00:00", "-s", directory], program: tool
            ).end()
        }
        #expect(ended.status == 0 && ended.text.contains("08 12 34 56"))
        #expect(ended.text.contains("6F ") && ended.text.contains("SW1=0x90, SW2=0x00"))
        #expect(visit.commands >= 1)
    }

    /// A reader program from PyPI, `emv` 1.0.14 with pyscard: `EMV_PYTHON` may name the Python that has both.
    @Test(
        arguments: [("mcOnline", "MASTERCARD", "5555555555554444"), ("online", "VISA", nil)]
            as [(String, String, String?)])
    func pypisReaderReadsTheCard(profile: String, label: String, account: String?) async throws {
        let python = ProcessInfo.processInfo.environment["EMV_PYTHON"] ?? "/usr/bin/python3"
        let program = "from emv.command.client import run; run()"
        guard FileManager.default.isExecutableFile(atPath: python),
            try await Program(["-c", "import emv.command.client"], program: python).end().status == 0
        else {
            print("skipped: PyPI's emv and pyscard are not installed (EMV_PYTHON names the Python that has them)")
            return
        }
        func run(_ arguments: String...) async throws -> (status: Int32, text: String, commands: Int) {
            try await Sandbox.settle()
            let (ended, visit) = try await Sandbox.with(try card(profile)) {
                // The program does not wait for a card.
                let transport = try await Sandbox.connected()
                await transport.close()
                return try await Program(["-c", program] + arguments, program: python).end()
            }
            return (ended.status, ended.text, visit.commands)
        }
        let list = try await run("listapps")
        #expect(list.status == 0 && list.text.contains("\"\(label)\"") && list.commands >= 3)
        // The program sends no PDOL data, which a Visa card requires.
        guard let account else { return }
        let data = try await run("appdata", "0")
        #expect(data.status == 0 && data.text.contains(account) && data.text.contains("49/12/31"))
    }

    /// Each profile of every kernel, through driver and daemon: directory and first application equal those in memory.
    @Test func everyProfileAnswersThroughTheReader() async throws {
        try await Sandbox.settle()
        let names = CardProfile.profiles.keys.sorted()
        #expect(names.count > 400)
        let deck = Deck(cards: try names.map { VirtualCard(try #require(CardProfile.named($0))) })
        var memory = deck
        _ = try await Sandbox.with(deck) {
            let transport = try await Sandbox.connected()
            for (index, name) in names.enumerated() {
                let turn: Bytes = [0x80, 0x7F, UInt8(index >> 8), UInt8(index & 0xFF)]
                #expect(await transport.transceive(turn).bytes == [0x90, 0x00])
                _ = memory.respond(to: turn)
                let profile = try #require(CardProfile.named(name))
                let application = profile.applications.first?.aid ?? []
                for command in [
                    [0x00, 0xA4, 0x04, 0x00, 0x0E] + Array("2PAY.SYS.DDF01".utf8) + [0x00],
                    [0x00, 0xA4, 0x04, 0x00, UInt8(application.count)] + application + [0x00],
                ] as [Bytes] {
                    let expected = memory.respond(to: command)
                    #expect(await transport.transceive(command).bytes == expected, "\(name)")
                }
            }
            await transport.close()
        }
    }

    /// One tap of each kernel equals the tap in memory, Kernel 8 with its secrets.
    @Test(arguments: [
        "mcOnline", "online", "amexOnline", "k5-online", "dpasOnline", "upOnline", "k8Offline", "k8OnlineLocal",
    ])
    func aCardOfEveryKernelIsTapped(profile: String) async throws {
        let card = try card(profile)
        func tap(_ transport: any CardTransport) async throws -> TapOutcome {
            let random = TapReader.Options(
                waitsForEmptyField: false, random: .fixed((0..<255).map { 0x51 &+ 0x25 &* $0 }))
            let secrets = SecretCrypto.simulatorVariableTime
            let reader = TapReader(
                transport, configuration: .simulator(secrets: secrets), secrets: secrets, options: random)
            return try await reader.prepare().read(StackTests.request(key: ReconciliationKey(rawValue: profile)))
        }
        let expected = try await tap(Unmarked(card))
        try await Sandbox.settle()
        let (found, _) = try await Sandbox.with(card) {
            try await tap(PCSCTransport(.named(Sandbox.reader)))
        }
        #expect(found == expected)
        #expect(found.name == .success, "\(found.name) \(found)")
    }

    /// Cards of every scheme, and of each kernel.
    @Test func cardServesEveryProfile() async throws {
        let (status, text) = try await Program(["card", "--list"]).end()
        let names = Set(text.split(separator: "\n").compactMap { $0.split(separator: " ").first.map(String.init) })
        #expect(status == 0 && names == Set(CardProfile.profiles.keys).union(WalletProfile.profiles.keys))
        for kernel in ["mc", "online", "amex", "k5-", "dpas", "up", "k8"] {
            #expect(names.contains { $0.hasPrefix(kernel) }, "\(kernel)")
        }
    }

    /// A phone with a pass over the real stack: the wallet's commands, then the payment's, in one tap.
    @Test func tapReadsThePassOfAServedPhone() async throws {
        try await Sandbox.settle()
        let folder = FileManager.default.temporaryDirectory
        let file = folder.appendingPathComponent("loyalty-\(UUID().uuidString).json")
        defer { try? FileManager.default.removeItem(at: file) }
        let document = """
            { "format": "emv-loyalty/1", "rule": "andPayment", "timeoutMs": 5000, "programmes": [
              { "id": "club", "apple": { "passType": "\(WalletProfile.passType)" } } ] }
            """
        try Data(document.utf8).write(to: file)
        let phone = try #require(WalletProfile.named("walletVAS")).with(clock: .system).phone
        let (ended, visit) = try await Sandbox.with(phone) {
            try await Program(ToolTests.tap + ["--loyalty", file.path, "--json"]).end()
        }
        let tap = try #require(try object(ended.text)["tap"] as? [String: Any])
        #expect(ended.status == 0 && tap["tap"] as? String == "success")
        let passes = try #require(tap["loyalty"] as? [[String: Any]])
        // No key was given, so the pass is sealed and not shown.
        #expect(passes.compactMap { $0["outcome"] as? String } == ["sealed"])
        #expect(passes.first?["value"] == nil && passes.first?["id"] as? String == "club")
        #expect(visit.card.walletCommands.count == 2 && visit.card.wallet.complaints == [])
        let names = (tap["timeline"] as? [[String: Any]])?.compactMap { $0["command"] as? String }
        #expect(names?.prefix(3) == ["SELECT wallet", "GET VAS DATA", "SELECT directory"])
    }

    @Test func cardServesAPhone() async throws {
        try await Sandbox.settle()
        let program = try Program(["card", "--profile", "walletSmartTap"])
        let transport = try await Sandbox.connected()
        let directory: Bytes = [0x00, 0xA4, 0x04, 0x00, 0x0A] + Array("OSE.VAS.01".utf8) + [0x00]
        let answer = await transport.transceive(directory).bytes
        #expect(answer?.first == 0x6F && answer?.suffix(2) == [0x90, 0x00])
        await transport.close()
        program.process.terminate()
        _ = try await program.end()
    }

    @Test func cardDiesAsPlanned() async throws {
        try await Sandbox.settle()
        let program = try Program(["card", "--profile", "online", "--die-at", "2"])
        let transport = try await Sandbox.connected()
        #expect(await transport.transceive([0x00, 0xA4, 0x04, 0x00]).bytes != nil)
        guard case .fault = await transport.transceive([0x00, 0xA4, 0x04, 0x00]) else {
            Issue.record("a card that died answered")
            return
        }
        #expect(try await program.end().status == 0)
        await transport.close()
        try await Sandbox.settle()
    }
}

/// Many cards in one: 80 7F and a number select the next one.
private struct Deck: SimulatedCard {
    var cards: [VirtualCard]
    private var current = 0

    init(cards: [VirtualCard]) { self.cards = cards }

    mutating func respond(to command: [UInt8]) -> [UInt8] {
        guard command.starts(with: [0x80, 0x7F]), command.count == 4 else {
            return cards[current].respond(to: command)
        }
        current = Int(command[2]) << 8 | Int(command[3])
        cards[current].reset()
        return [0x90, 0x00]
    }

    mutating func reset() { cards[current].reset() }
}
