// SPDX-License-Identifier: Apache-2.0
#if Tools
import ArgumentParser
import EMVBenchC
import EMVDecoder
import EMVFormats
import EMVKit
import EMVLoyalty
import EMVPCSC
import EMVPN532
import EMVPage
import EMVSimulator
import Foundation

#if Kernel8
import EMVSecureChannel
#endif

struct Tap: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Takes one card on a PC/SC reader, or on a PN532 at a serial line.",
        discussion: """
            Without --config: a demonstration configuration, online only and without CA keys. Account numbers are \
            masked. Ctrl-C ends the tap with an outcome and its recording. Exit status: 0 the card led to an outcome, \
            1 no card came or the tap was broken off, 2 no reader or unusable input. Passes are asked for with \
            --loyalty; what they say is shown and recorded only with --include-passes. Commercial reading takes the \
            approval of the wallets' makers.
            """)

    @Option(help: ArgumentHelp("12.50; needed wherever a payment may follow.", valueName: "amount"))
    var amount: String?

    @Option(help: ArgumentHelp("Three letters.", valueName: "code"))
    var currency = "EUR"

    @Option(
        help: ArgumentHelp(
            "Name of the reader, a part of it, or its USB port (usb:1-2.4, as readers shows it).", valueName: "name"))
    var reader: String?

    @Flag(
        name: .customLong("two-cards"),
        help: "Asks a PC/SC reader for several cards, where its maker documents how. A PN532 always looks.")
    var looksForTwoCards = false

    @Option(help: ArgumentHelp("Serial line of a PN532 (mode HSU), instead of PC/SC.", valueName: "path"))
    var pn532: String?

    @Option(help: ArgumentHelp("A virtual card, emv-card/1, instead of a reader.", valueName: "file"))
    var file: String?

    @Option(help: ArgumentHelp("Configuration, emv-configuration/1.", valueName: "file"))
    var config: String?

    @Option(help: ArgumentHelp("Seconds to wait for a card.", valueName: "s"))
    var timeout = 30.0

    @Option(
        help: ArgumentHelp("Writes a trace, emv-trace/1, without account number and track data.", valueName: "file"))
    var record: String?

    @Option(
        help: ArgumentHelp(
            "Writes a page that opens on the tap, without account number and track data.", valueName: "file"))
    var html: String?

    @Option(help: ArgumentHelp("The page that Scripts/web builds; \(TapPage.usualPath).", valueName: "file"))
    var page: String?

    @Flag(name: .customLong("include-pan"), help: "Leaves account number and track data in the trace and in the page.")
    var includesPAN = false

    @Option(help: ArgumentHelp("Passes to ask for, emv-loyalty/1.", valueName: "file"))
    var loyalty: String?

    @Option(
        name: .customLong("loyalty-key"),
        help: ArgumentHelp(
            "Private key of a programme in a PEM file; as often as there are keys.", valueName: "id=file"))
    var loyaltyKeys: [String] = []

    @Flag(name: .customLong("include-passes"), help: "Shows what passes say, and leaves it in the trace.")
    var includesPasses = false

    @Option(
        name: .customLong("repeat"),
        help: ArgumentHelp("Taps one after another, with one memory of the reader.", valueName: "n"))
    var repeats = 1

    @Flag(help: "One JSON object on standard output.")
    var json = false

    func validate() throws {
        guard (1...1000).contains(repeats) else { throw ValidationError("--repeat: expected 1 to 1000") }
        guard repeats == 1 || record == nil && html == nil else {
            throw ValidationError("--record and --html: expected one tap, without --repeat")
        }
        guard loyalty != nil || loyaltyKeys.isEmpty else {
            throw ValidationError("--loyalty-key: expected --loyalty with it")
        }
        guard loyalty != nil || !includesPasses else {
            throw ValidationError("--include-passes: expected --loyalty with it")
        }
        guard loyalty != nil || amount != nil else { throw ValidationError("expected --amount") }
        try TapPage.check(
            html: html, page: page, others: ["--record": record, "--config": config, "--loyalty": loyalty])
        guard timeout > 0, timeout <= 86400 else { throw ValidationError("--timeout: expected seconds, up to 86400") }
        guard !includesPAN || record != nil || html != nil else {
            throw ValidationError("--include-pan: expected --record or --html with it")
        }
        guard reader == nil || pn532 == nil else {
            throw ValidationError("--reader names a PC/SC reader: expected it without --pn532")
        }
        guard file == nil || reader == nil && pn532 == nil else {
            throw ValidationError("--file names a virtual card: expected it without --reader and --pn532")
        }
        _ = try money()
    }

    private func money() throws -> Money {
        guard let currency = Currency(code: currency) else {
            throw ValidationError("--currency: expected three letters of ISO 4217, not \"\(currency)\"")
        }
        guard let amount else { return Money(minorUnits: 0, currency: currency) }
        guard let money = Money(amount, currency: currency) else {
            throw ValidationError("--amount: expected \(Tap.example(currency)), not \"\(amount)\"")
        }
        return money
    }

    /// An amount with the decimals of the currency.
    static func example(_ currency: Currency) -> String {
        currency.exponent == 0 ? "1250" : "12." + String("50000".prefix(Int(currency.exponent)))
    }

    func run() async throws {
        let end =
            if let file {
                try await onVirtualCard(file)
            } else if let pn532 {
                try await onSerialLine(pn532)
            } else {
                try await onPCSC()
            }
        guard end.isSuccess else { throw ExitCode(1) }
    }

    /// The result of a tap.
    struct End: Sendable, Hashable {
        let outcome: TapOutcome
        /// Whether only passes were requested, or one replaced the payment: the outcome is then "cancelled", although
        /// nobody cancelled it.
        var isOfPasses = false

        /// Whether a card or a phone led to an outcome.
        var isSuccess: Bool {
            switch outcome {
            case .cancelled, .failed: isOfPasses
            default: true
            }
        }
    }

    private func onVirtualCard(_ path: String) async throws -> End {
        let document = try CardDocument(contentsOf: path)
        return try await take(SimulatedReader(document.presentation)) { "virtual card \(document.profile.name)" }
    }

    private func onSerialLine(_ path: String) async throws -> End {
        let chip = PN532Transport(port: path)
        return try await take(chip) {
            (chip.name ?? path) + (await chip.firmware.map { " (firmware \($0))" } ?? "")
        }
    }

    private func onPCSC() async throws -> End {
        let pcsc = PCSCTransport(
            reader.map { .named($0) } ?? .contactless, options: .init(looksForTwoCards: looksForTwoCards))
        return try await take(pcsc) {
            let candidates = await pcsc.candidates
            return candidates.map { "\($0.name) (\($0.explanation))" }.joined(separator: ", or ")
        } used: {
            await pcsc.readerName
        }
    }

    /// Makes one tap on a reader: prints prompts as they come, then the result.
    ///
    /// - Parameters:
    ///   - timer: measures the time of dialogues and messages.
    ///   - name: returns the watched readers and why they are watched, once they are open.
    ///   - used: returns the reader that had the card.
    func take<Reader: CardTransport & Actor>(
        _ reader: Reader, timer: any Clock<Duration> = ContinuousClock(), name: () async -> String,
        used: () async -> String? = { nil }
    ) async throws -> End {
        let passes = try loyalty.map { try PassRequest(contentsOf: $0, keys: loyaltyKeys) }
        guard amount != nil || passes?.document.rule == nil else {
            throw BenchFailure("--amount: expected it, since the rule of \(loyalty ?? "") lets a payment follow")
        }
        let configuration = try loadConfiguration()
        let money = try money()
        let file = try record.map { try OutputFile($0, isPrivate: true) }
        let page = try html.map {
            (try TapPage(path: self.page ?? TapPage.usualPath), try OutputFile($0, isPrivate: true))
        }
        var generator = SystemRandomNumberGenerator()
        let random = (0..<256).map { _ in UInt8.random(in: 0...255, using: &generator) }
        let moment = LocalTime.now()

        let transport = TimedTransport(reader)
        // This tool books nothing: it reads even a card that already lies on the reader, and only shows the decision.
        var options = TapReader.Options.ofTools
        if repeats == 1 { options.random = .fixed(random) }
        options.timer = timer
        let tapReader = TapReader(
            transport, configuration: configuration, secrets: Self.secrets, options: options)
        do {
            _ = try await tapReader.prepare()
        } catch {
            throw BenchFailure(pn532 == nil ? "\(error)\nemv-bench readers looks for the cause" : "\(error)")
        }
        let name = printable(await name())
        if !json { say("Reader: \(name)" + (amount == nil ? "" : "\nAmount: \(money)")) }
        let interruption = Interruption { Task { await tapReader.cancel() } }
        defer { interruption.end() }
        var reports: [TapReport] = [], end: End?
        for number in 1...repeats {
            if repeats > 1, !json { say("Tap \(number) of \(repeats)") }
            let events = tapReader.events()
            let talking = talk(events)
            var request = PaymentRequest(
                amount: money, timeout: .seconds(timeout), moment: number == 1 ? moment : .now())
            request.counter = UInt32(number)
            let (last, found) = await Self.read(tapReader, request, passes, .seconds(timeout))
            let outcome = last.outcome
            end = last
            // A read of passes alone ends without a final event: the events so far are printed at once.
            if let passes, passes.document.rule == nil {
                try? await Task.sleep(for: .milliseconds(50))
                talking.cancel()
            }
            let (log, inField) = await transport.take()
            reports.append(
                TapReport(
                    reader: printable(await used() ?? name), money: money, outcome: outcome,
                    isOfPasses: last.isOfPasses,
                    messages: await talking.value, log: log, inField: inField,
                    passes: passes.map { PassReport($0, found, includesPasses: includesPasses) }))
            let transaction = Transaction(
                type: .purchase, amount: money.minorUnits, currency: money.currency.numeric,
                exponent: money.currency.exponent,
                date: moment.date, time: moment.time, counter: UInt32(number), random: .fixed(random))
            reports[reports.count - 1].explain(configuration, transaction, Self.secrets)
            if !json, let report = reports.last { print(report.text) }
            if case .failed = outcome { break }
        }
        if json { print(TapReport.json(reports).text) }
        guard let report = reports.last, let end else { throw BenchFailure("no tap was made") }
        if file != nil || page != nil {
            let transaction = Transaction(
                type: .purchase, amount: money.minorUnits, currency: money.currency.numeric,
                exponent: money.currency.exponent,
                date: moment.date, time: moment.time, counter: 1, random: .fixed(random))
            var trace = report.trace(configuration, transaction)
            if !includesPAN {
                trace = trace.redacted()
                let expected = trace.expectation
                trace.recorded = Trace.Recorded(
                    tap: end.outcome.name, outcome: expected.outcome, cvm: expected.cvm)
            }
            if !includesPasses { trace = trace.withoutPasses() }
            try file?.write(trace.json)
            if let (page, file) = page { try file.write(page.text(trace)) }
        }
        return end
    }

    /// Prints prompts as they come; returns their messages.
    private func talk(_ events: AsyncStream<TapEvent>) -> Task<[String], Never> {
        Task { [json] in
            var texts: [String] = []
            for await event in events {
                if case .finished = event { break }
                if case .cardInUse(let fault) = event, !json { say("  \(printable(fault.explanation))") }
                guard case .prompt(let prompt) = event, let text = prompt.text else { continue }
                texts.append(prompt.key == .message(prompt.message) ? "\(prompt.message)" : prompt.key.rawValue)
                if !json { say("  \(prompt.message) \(text)") }
            }
            return texts
        }
    }

    /// Makes one tap and returns it with the results of the passes. If a pass replaced the payment, or only passes were
    /// requested, the payment is cancelled as requested.
    static func read(
        _ reader: TapReader, _ payment: PaymentRequest, _ passes: PassRequest?, _ timeout: Duration
    ) async -> (End, LoyaltyResult) {
        guard let passes else { return (End(outcome: await reader.read(payment)), LoyaltyResult([])) }
        let ofPasses = End(outcome: .cancelled(.requested), isOfPasses: true)
        guard let rule = passes.document.rule else {
            switch await reader.read(passes.document.request, with: passes.context, waiting: timeout) {
            case .finished(let result): return (ofPasses, result)
            case .cancelled(let reason): return (End(outcome: .cancelled(reason)), LoyaltyResult([]))
            case .failed(let failure): return (End(outcome: .failed(failure)), LoyaltyResult([]))
            }
        }
        let (outcome, result) = await reader.read(
            payment, loyalty: passes.document.request, rule, with: passes.context)
        return (outcome.map { End(outcome: $0) } ?? ofPasses, result)
    }

    /// Prints at once, even to a pipe.
    private func say(_ text: String) {
        print(text)
        _ = emv_bench_flush()
    }

    /// The cryptography for real cards: never the simulator's.
    private static var secrets: SecretCrypto? {
        #if Kernel8
        .swiftCrypto
        #else
        nil
        #endif
    }

    private func loadConfiguration() throws -> Configuration {
        guard let config else {
            if file != nil {
                complain("Note: the simulator's configuration, with the CA keys of virtual cards.")
                return .simulator(secrets: Self.secrets)
            }
            complain(
                "Note: demonstration configuration: every application known here, online only, no CA keys, "
                    + "protection profile book."
            )
            return .tapDemonstration
        }
        do {
            let configuration = try Configuration(contentsOf: config)
            _ = try CheckedConfiguration(configuration, secrets: Self.secrets)
            return configuration
        } catch let error as ConfigurationError where error.field == .secretCrypto {
            throw BenchFailure(
                "\(config): Kernel 8 needs a build with its trait: "
                    + "swift run -c release --traits Tools,Kernel8 emv-bench tap")
        } catch let error as ConfigurationError {
            throw BenchFailure("\(config): \(error)")
        } catch {
            throw BenchFailure("\(error)")
        }
    }
}

extension Configuration {
    /// Every application of the built-in kernels, always online. Profile `book`: this tool examines a card and approves
    /// nothing, and the rules beyond the specification report their findings.
    static var tapDemonstration: Configuration {
        let applications: [(String, KernelID, Bytes)] = [
            ("Visa", 3, [0xA0, 0, 0, 0, 0x03, 0x10, 0x10]), ("Visa Electron", 3, [0xA0, 0, 0, 0, 0x03, 0x20, 0x10]),
            ("V PAY", 3, [0xA0, 0, 0, 0, 0x03, 0x20, 0x20]), ("Plus", 3, [0xA0, 0, 0, 0, 0x03, 0x80, 0x10]),
            ("Visa common debit", 3, [0xA0, 0, 0, 0, 0x98, 0x08, 0x40]),
            ("Mastercard", 2, [0xA0, 0, 0, 0, 0x04, 0x10, 0x10]), ("Maestro", 2, [0xA0, 0, 0, 0, 0x04, 0x30, 0x60]),
            ("Mastercard common debit", 2, [0xA0, 0, 0, 0, 0x04, 0x22, 0x03]),
            ("American Express", 4, [0xA0, 0, 0, 0, 0x25, 0x01]),
            ("Discover", 6, [0xA0, 0, 0, 0x01, 0x52, 0x30, 0x10]),
            ("Discover Zip", 6, [0xA0, 0, 0, 0x03, 0x24, 0x10, 0x10]),
            ("JCB", 5, [0xA0, 0, 0, 0, 0x65, 0x10, 0x10]),
            ("UnionPay debit", 7, [0xA0, 0, 0, 0x03, 0x33, 0x01, 0x01, 0x01]),
            ("UnionPay credit", 7, [0xA0, 0, 0, 0x03, 0x33, 0x01, 0x01, 0x02]),
            ("UnionPay quasi credit", 7, [0xA0, 0, 0, 0x03, 0x33, 0x01, 0x01, 0x03]),
        ]
        // Maestro has no mag-stripe mode, and online PIN is its only verification.
        var maestro = mastercardOnline
        maestro[0xDF8118] = [0x40]
        maestro[0xDF811B] = [0xA0]
        let data: [KernelID: DataObjects] = [
            0: maestro, 2: mastercardOnline, 4: americanExpressOnline, 6: [0x9F09: [0x00, 0x01]],
        ]
        var configuration = Configuration(
            terminal: [
                0x9F1A: [0x02, 0x76], 0x9F35: [0x21], 0x9F33: [0xE0, 0x68, 0xC8],
                0x9F40: [0x60, 0x00, 0xB0, 0xA0, 0x01],
                0x9F15: [0x59, 0x99], 0x9F1E: Array("EMVKIT01".utf8), 0x9F4E: Array("EMVKIT".utf8),
            ],
            combinations: [], caKeys: [], protection: Protection(profile: .book))
        // Floor limit 0: every amount goes online.
        configuration.combinations = applications.map { name, kernel, aid in
            Combination(
                aid: aid, kernel: CombinationKernel(id: kernel), name: name, transactionTypes: [.purchase],
                limits: Limits(floor: 0, cvmRequired: 5000),
                ttq: [2, 4, 5].contains(kernel) ? nil : [0x36, 0x00, 0x40, 0x00],
                data: data[kernel == 2 && name == "Maestro" ? 0 : kernel] ?? [:])
        }
        // Without CA keys: no offline data authentication is requested; both modes and every verification are
        // supported.
        let jcb = CombinationKernel.JCBOptions(
            combinationOptions: [0x03, 0x00], terminalInterchangeProfile: [0x70, 0x00, 0x00])
        for row in configuration.combinations.indices where configuration.combinations[row].kernel.id == 5 {
            configuration.combinations[row].kernel = .jcb(jcb)
        }
        return configuration
    }
}

extension Configuration {
    /// Kernel 4 with EMV and mag-stripe mode, a contact chip and every verification method; there are no CA keys, so
    /// that nothing is authenticated offline (9F33).
    private static var americanExpressOnline: DataObjects {
        [
            0x9F09: [0x00, 0x01], 0x9F33: [0xE0, 0x68, 0x00], 0x9F6D: [0xC0], 0x9F6E: [0xDC, 0xE0, 0x00, 0x03],
        ]
    }
}

extension Configuration {
    /// Kernel 2 on an online-only reader without CA keys: CDA is not requested (DF811F), and a card is not denied for
    /// results that a reader without keys cannot have (DF8121). Verification as for the other kernels: none below the
    /// limit, online PIN or signature above it (DF8118, DF8119, DF811E, DF812C), or on the device (DF811B). There is no
    /// relay resistance, because the time of a card cannot be measured through PC/SC.
    private static var mastercardOnline: DataObjects {
        [
            0x9F09: [0x00, 0x02], 0x9F6D: [0x00, 0x01], 0xDF8117: [0x00], 0xDF8118: [0x60], 0xDF8119: [0x08],
            0xDF811B: [0x20],
            0xDF811E: [0x20], 0xDF811F: [0x00], 0xDF812C: [0x00], 0xDF8120: [0xFF, 0xFF, 0xFF, 0xFF, 0xFF],
            0xDF8121: [0x00, 0x00, 0x00, 0x00, 0x00], 0xDF8122: [0xFF, 0xFF, 0xFF, 0xFF, 0xFF],
        ]
    }
}

/// The result of a tap, for people and for programs.
struct TapReport {
    let reader: String
    let money: Money
    let outcome: TapOutcome
    /// Whether only passes were requested, or one replaced the payment: the outcome then has no meaning.
    var isOfPasses = false
    let messages: [String]
    let log: [TimedEvent]
    let inField: Duration
    /// `nil` if no passes were requested.
    var passes: PassReport?
    /// The kernel's reason for the outcome; `nil` if the outcome does not come from a kernel.
    var why: Reason?

    /// Replays the tap for the kernel's decisions, which give the reason.
    mutating func explain(_ configuration: Configuration, _ transaction: Transaction, _ secrets: SecretCrypto?) {
        if isOfPasses { return }
        switch outcome {
        case .cancelled, .failed: return
        default: break
        }
        let trace = trace(configuration, transaction)
        var steps: [ReplayStep] = []
        guard let replay = try? TraceReplay(trace, secrets: secrets),
            let report = try? replay.run(observer: { steps.append($0) }), report.tap == outcome.name
        else { return }
        why = Reason(trace, steps, report)
    }

    /// Book A, 10.1 and 10.2: a transaction should need the card for at most half a second; the reader's share is 100
    /// ms.
    static let fieldBudget = 500.0
    static let readerBudget = 100.0

    private var rows: [TimedExchange] {
        log.compactMap { if case .exchange(let row) = $0 { row } else { nil } }
    }

    private var read: CardRead? {
        switch outcome {
        case .success(let read), .declined(let read), .onlinePINRequired(let read): read
        default: nil
        }
    }

    /// Masks the account numbers of the tap.
    private var mask: AccountMask {
        var mask = AccountMask()
        for row in rows {
            if case .response(let bytes, _) = row.exchange { mask.learn(bytes, to: row.command) }
        }
        return mask
    }

    private func sum(_ part: (TimedExchange) -> Duration) -> Double {
        rows.reduce(0) { $0 + milliseconds(part($1)) }
    }

    // MARK: For people

    var text: String {
        var parts = ["Outcome: \(outcomeName)" + (reason.map { ", " + $0 } ?? "")]
        if let why { parts.append("Why: " + why.lines.joined(separator: "\n     ")) }
        if let passes { parts.append(passes.text) }
        if !inFieldReaders.isEmpty { parts.append("Reader: \(inFieldReaders)") }
        if !offered.isEmpty {
            parts.append("The card offers: " + offered.map { Hex.string($0) }.joined(separator: ", "))
        }
        if !refusals.isEmpty {
            parts.append(
                "The card answered: "
                    + refusals.map { "\($0.status) to \($0.command)" }.joined(separator: ", "))
        }
        parts.append("Next: \(nextStep)")
        if let read {
            parts.append(receipt(read))
            let lines = DataObjectDecoder().decode(read.dataRecord.bytes).masked(mask).lines
            parts.append("For the issuer\n" + lines.map { "  " + $0 }.joined(separator: "\n"))
        }
        if !rows.isEmpty { parts.append(timeline + "\n\n" + budget) }
        return parts.joined(separator: "\n\n")
    }

    /// The reader that had the card; empty if none did.
    private var inFieldReaders: String { log.isEmpty ? "" : reader }

    /// A read of passes alone was not cancelled.
    private var outcomeName: String { isOfPasses ? "passes" : outcome.name.rawValue }

    /// Why the tap ended as it did.
    var reason: String? {
        if isOfPasses { return nil }
        return switch outcome {
        case .success(let read), .declined(let read), .onlinePINRequired(let read): read.authorization.rawValue
        case .verified, .onlinePINUnavailable: nil
        case .unreadable(let failure):
            failure.reason.rawValue + (failure.linkFault.map { ", link \($0.rawValue)" } ?? "")
                + (failure.deviceLocked ? ", the phone stayed locked" : "")
        case .unsupportedNetwork(let mismatch): "\(mismatch.cause)"
        case .limitExceeded(let rule): "\(rule)"
        case .tryAnotherInterface(let interface): "\(interface)"
        case .cancelled(let reason): reason.rawValue
        case .failed(let failure): "\(failure)"
        }
    }

    var offered: [Bytes] {
        if case .unsupportedNetwork(let mismatch) = outcome { mismatch.offered } else { [] }
    }

    /// The answers other than 9000 with their commands, if the tap did not succeed.
    var refusals: [(command: String, status: String)] {
        if case .success = outcome { return [] }
        return rows.compactMap { row in
            row.status.flatMap { $0 == "9000" ? nil : (TapReport.name(row.command), $0) }
        }
    }

    /// The next step for a POS.
    var nextStep: String {
        if isOfPasses, let passes { return passes.nextStep }
        return switch outcome {
        case .success(let read):
            switch read.authorization {
            case .onlineRequired: "ask the issuer for authorisation"
            default: "hand over the goods; nothing is to be asked"
            }
        case .verified: "nothing: the card was only read"
        case .declined: "another card, or another way to pay"
        case .unreadable: "present the card again, or another one"
        case .unsupportedNetwork: "a card of another network"
        case .limitExceeded: "insert the card, or another way to pay"
        case .onlinePINRequired: "take the PIN, then ask the issuer"
        case .onlinePINUnavailable: "insert the card: its PIN is wanted, and there is no PIN pad"
        case .tryAnotherInterface: "insert or swipe the card"
        case .cancelled(.readerDetached), .failed: "emv-bench readers looks for the cause"
        case .cancelled: "tap again"
        }
    }

    private func receipt(_ read: CardRead) -> String {
        var lines = ["Receipt", "  amount         \(money)"]
        lines.append("  card           \(read.maskedPAN?.description ?? "-")")
        lines.append(
            "  application    \(Hex.string(read.outcome.applicationName))" + (label(read).map { ", \($0)" } ?? ""))
        lines.append("  authorisation  \(read.authorization.rawValue)")
        lines.append("  verification   \(read.cvm.rawValue)")
        if let cryptogram = read.dataRecord[0x9F26] { lines.append("  cryptogram     \(Hex.string(cryptogram))") }
        return lines.joined(separator: "\n")
    }

    /// The card's name for its application, printable.
    private func label(_ read: CardRead) -> String? {
        read.card.label.isEmpty ? nil : printable(read.card.label)
    }

    private var timeline: String {
        var table = Table(["APDU, ms", "kernel", "transport", "card", "sent", "received", "status"])
        for row in rows {
            var received = "-"
            if case .response(let bytes, _) = row.exchange { received = "\(bytes.count)" }
            let status = row.status ?? TapReport.fault(row.exchange) ?? ""
            table.add(
                [TapReport.name(row.command)]
                    + [row.kernel, row.transport, row.card].map { fixed(milliseconds($0), 3) }
                    + ["\(row.command.count)", received, status])
        }
        return table.text
    }

    private static func fault(_ exchange: Exchange) -> String? {
        switch exchange {
        case .response: nil
        case .fault(let fault): fault.rawValue
        case .readerGone: "reader gone"
        }
    }

    private var budget: String {
        let own = sum(\.kernel) + sum(\.transport)
        return """
            Card in field  \(fixed(milliseconds(inField), 1)) ms of \(fixed(TapReport.fieldBudget, 0)) ms (Book A)
            Reader         \(fixed(own, 3)) ms of \(fixed(TapReport.readerBudget, 0)) ms (Book A), kernel and transport
            Card           \(fixed(sum(\.card), 1)) ms, with driver and reader, which cannot be told apart
            """
    }

    private static func name(_ command: Bytes) -> String {
        guard command.count >= 4 else { return Hex.string(command) }
        return switch command[1] {
        case 0xA4 where WalletSelection.isOfDialogue(command): "SELECT wallet"
        case 0xA4: command.contains(0x32) && command.count == 20 ? "SELECT directory" : "SELECT"
        case 0xCA where WalletSelection.isOfDialogue(command): "GET VAS DATA"
        case 0x53 where command[0] == 0x90: "NEGOTIATE"
        case 0x50 where command[0] == 0x90: "GET DATA"
        case 0xC0 where command[0] == 0x90: "GET MORE"
        case 0xA8: "GET PROCESSING OPTIONS"
        case 0xB2: "READ RECORD \(command[3] >> 3)/\(command[2])"
        case 0xAE: "GENERATE AC"
        case 0xCA: "GET DATA \(Hex.string(command[2...3]))"
        case 0x2A: "COMPUTE CRYPTOGRAPHIC CHECKSUM"
        case 0xEA: "EXCHANGE RELAY RESISTANCE DATA"
        case 0x82: "EXTERNAL AUTHENTICATE"
        default: Hex.string(command.prefix(4))
        }
    }

    // MARK: For programs

    /// One tap is an object, several are a list.
    static func json(_ reports: [TapReport]) -> JSON {
        let taps = reports.map(\.json)
        if taps.count == 1 { return .object([("format", .string("emv-bench/1")), ("tap", taps[0])]) }
        return .object([("format", .string("emv-bench/1")), ("taps", .array(taps))])
    }

    private var json: JSON {
        var pairs: [(String, JSON)] = [
            ("reader", .string(reader)), ("tap", .string(outcomeName)),
            ("amount", .integer(Int(money.minorUnits))), ("currency", .string(money.currency.code)),
            ("messages", .array(messages.map { .string($0) })),
            ("reason", reason.map { .string($0) } ?? .null), ("next", .string(nextStep)),
        ]
        if let why { pairs.append(("why", ReplayJSON.why(why))) }
        if !offered.isEmpty { pairs.append(("offered", .array(offered.map { .string(Hex.string($0)) }))) }
        if outcome.name != .success {
            pairs.append(
                (
                    "statusWords",
                    .array(
                        refusals.map {
                            .object([("command", .string($0.command)), ("status", .string($0.status))])
                        })
                ))
        }
        if let read {
            pairs.append(("outcome", .string(read.outcome.status.rawValue)))
            pairs.append(("authorization", .string(read.authorization.rawValue)))
            pairs.append(("aid", .string(Hex.string(read.outcome.applicationName))))
            pairs.append(("label", label(read).map { .string($0) } ?? .null))
            pairs.append(("cvm", .string(read.cvm.rawValue)))
            pairs.append(("pan", read.maskedPAN.map { .string($0.description) } ?? .null))
            let mask = mask
            pairs.append(
                (
                    "data",
                    .object(
                        read.dataRecord.tags.map { tag in
                            (tag.description, .string(mask.shown(tag, Hex.string(read.dataRecord[tag] ?? []))))
                        })
                ))
        }
        pairs.append(
            (
                "timeline",
                .array(
                    rows.map { row in
                        .object([
                            ("command", .string(TapReport.name(row.command))), ("kernelMs", ms(row.kernel)),
                            ("transportMs", ms(row.transport)), ("cardMs", ms(row.card)),
                            ("status", row.status.map { .string($0) } ?? .null),
                            ("fault", TapReport.fault(row.exchange).map { .string($0) } ?? .null),
                        ])
                    })
            ))
        pairs.append(("fieldMs", ms(inField)))
        pairs.append(("readerMs", .rounded(sum(\.kernel) + sum(\.transport), digits: 4)))
        pairs.append(
            (
                "budgetMs",
                .object([("field", .number(TapReport.fieldBudget)), ("reader", .number(TapReport.readerBudget))])
            ))
        if let passes { pairs.append(("loyalty", passes.json)) }
        return .object(pairs)
    }

    private func ms(_ duration: Duration) -> JSON { .rounded(milliseconds(duration), digits: 4) }

    private func milliseconds(_ duration: Duration) -> Double { duration / .milliseconds(1) }

    // MARK: For replay

    func trace(_ configuration: Configuration, _ transaction: Transaction) -> Trace {
        var items: [Trace.Item] = []
        for event in log {
            switch event {
            case .presentment(let number):
                if number > 1 { items.append(.tap(number)) }
            case .collision: items.append(.collision)
            case .exchange(let row):
                let item: Trace.Item =
                    switch row.exchange {
                    case .response(let bytes, let elapsed):
                        .exchange(command: row.command, response: bytes, elapsed: elapsed)
                    case .fault(let fault): .fault(command: row.command, fault)
                    case .readerGone: .fault(command: row.command, .removed)
                    }
                guard passes != nil, WalletSelection.isOfDialogue(row.command) else {
                    items.append(item)
                    continue
                }
                var exchanges = [item]
                if case .prelude(let before)? = items.last {
                    exchanges = before + exchanges
                    items.removeLast()
                }
                items.append(.prelude(exchanges))
            }
        }
        var expectation = Trace.Expectation(
            tap: outcome.name, outcome: read?.outcome.status, cvm: read?.cvm,
            apdus: rows.count { passes == nil || !WalletSelection.isOfDialogue($0.command) })
        expectation.loyalty = passes?.names ?? [:]
        return Trace(
            name: "tap", source: "emv-bench tap on \(reader)", configuration: configuration, transaction: transaction,
            items: items, expectation: expectation, loyalty: passes?.document.json)
    }
}
#endif
