// SPDX-License-Identifier: Apache-2.0
#if Tools
import ArgumentParser
import EMVBenchC
import EMVDecoder
import EMVFormats
import EMVKit
import EMVPage
import Foundation

@main
struct EMVBench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "emv-bench",
        abstract: "Measures and examines the contactless kernel.",
        discussion: """
            Without a subcommand: taps one virtual card of each scheme and prints the time per tap, in seconds.

            Examples:
              emv-bench
              emv-bench --full --html run.html
              emv-bench decode 9F270180
            """,
        version: SupportReport.libraryVersion,
        subcommands: [
            Run.self, Scale.self, Replay.self, Tap.self, Readers.self, Card.self, Decode.self,
            ConfigurationCommand.self,
        ] + optional,
        defaultSubcommand: Run.self)

    /// The commands that a trait adds.
    private static var optional: [any ParsableCommand.Type] {
        #if Journal
        [JournalCommand.self]
        #else
        []
        #endif
    }

    /// Exit status: 0 success, 1 the examined item is not as expected, 2 unusable input, a mistake in the call, or lost
    /// output.
    static func main() async {
        do {
            try checkSubcommand(CommandLine.arguments.dropFirst().first)
            var command = try parseAsRoot()
            if var asynchronous = command as? any AsyncParsableCommand {
                try await asynchronous.run()
            } else {
                try command.run()
            }
            finish(0)
        } catch let code as ExitCode {
            finish(code.rawValue)
        } catch {
            guard exitCode(for: error) != .success else {
                print(fullMessage(for: error))
                finish(0)
            }
            let failure = error is BenchFailure || error is HexText.Fault
            complain(failure ? "Error: \(error)" : withoutAccountNumbers(fullMessage(for: error)))
            finish(2)
        }
    }

    /// A word that is no subcommand would be an argument of the default one, whose error would not name it.
    private static func checkSubcommand(_ word: String?) throws {
        guard let word, !word.hasPrefix("-") else { return }
        let names = configuration.subcommands.map { $0.configuration.commandName ?? "\($0)".lowercased() }
        guard !(names + ["help"]).contains(word) else { return }
        let options = ["compare": "--compare FILE", "html": "--html FILE", "scenario": "--scenario NAME"]
        let flags = ["list", "json", "full"]
        if let option = options[word] ?? (flags.contains(word) ? "--\(word)" : nil) {
            throw BenchFailure("no subcommand \"\(word)\"; did you mean run \(option)?")
        }
        throw BenchFailure(
            withoutAccountNumbers("no subcommand \"\(word)\"; \(Suggestions.text(for: word, in: names))\n")
                + "known: \(names.joined(separator: ", "))")
    }

    /// Lost output is an error, unless the reader of the pipe has closed it: it needs no more.
    private static func finish(_ status: Int32) -> Never {
        let fault = emv_bench_flush()
        guard fault != 0, fault != EPIPE else { emv_bench_end(status) }
        let reason = unsafe String(cString: strerror(fault))
        complain("Error: standard output: not everything could be written: \(reason)")
        emv_bench_end(2)
    }
}

extension Layer {
    /// `all` or one of the layers.
    static let choices = allCases.map(\.rawValue) + ["all"]
}

struct Run: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Measures taps of virtual cards (the default).",
        discussion: """
            Without options: one or two cards of each scheme, a summary of 24 lines. With --full: every scenario, \
            passes and single functions, as tables. Every tap is checked: one that ends otherwise than it must is an \
            error, never a number. Allocations are counted on Linux with glibc only.

            Examples:
              emv-bench --scenario k3-online k2-cda-online
              emv-bench --full --json >run.json
              emv-bench --full --compare run.json
            """)

    @Option(
        name: .customLong("scenario"), parsing: .upToNextOption,
        help: ArgumentHelp("Run only these scenarios.", valueName: "name"))
    var scenarios: [String] = []

    @Flag(help: "All scenarios, percentiles, phases and functions (about 3 minutes).")
    var full = false

    @Option(
        name: .customLong("taps"),
        help: ArgumentHelp("Timed taps of each scenario and layer: 1000 for the summary, else 5000.", valueName: "n"))
    var givenTaps: Int?

    @Option(help: ArgumentHelp("Taps before the clock counts.", valueName: "n"))
    var warmup = 200

    @Option(help: ArgumentHelp("Milliseconds for each single function of --full; 0: none is run.", valueName: "ms"))
    var functionTime: UInt32 = 300

    @Option(help: ArgumentHelp("c, swift, reader or all.", valueName: "layer"))
    var layer = "all"

    @Flag(help: "List the scenarios.")
    var list = false

    @Flag(help: "One JSON object on standard output.")
    var json = false

    @Option(
        help: ArgumentHelp(
            "The JSON of an earlier run to compare with; exit status 1 if something became slower.", valueName: "file"))
    var compare: String?

    @Option(help: ArgumentHelp("Write the run as one page for a browser.", valueName: "file"))
    var html: String?

    private var taps: Int { givenTaps ?? (isSummary ? 1000 : 5000) }
    private var isSummary: Bool { !full && scenarios.isEmpty }

    func validate() throws {
        guard !full || scenarios.isEmpty else {
            throw ValidationError("--full runs every scenario: give it without --scenario, or --scenario alone")
        }
        guard taps > 0 else { throw ValidationError("--taps: expected a number above 0, not \(taps)") }
        guard taps <= 10_000_000 else { throw ValidationError("--taps: expected at most 10000000, not \(taps)") }
        guard warmup >= 0, warmup <= 10_000_000 else {
            throw ValidationError("--warmup: expected 0 to 10000000, not \(warmup)")
        }
        guard functionTime <= 60_000 else {
            throw ValidationError("--function-time: expected 0 to 60000 milliseconds, not \(functionTime)")
        }
        guard Layer.choices.contains(layer) else {
            throw ValidationError(
                "--layer: no layer \"\(layer)\"; expected one of: " + Layer.choices.joined(separator: ", "))
        }
        let names = Scenario.all.map(\.name) + PassScenario.all.map(\.name)
        let known = Set(names)
        let unknown = scenarios.filter { !known.contains($0) }
        guard unknown.isEmpty else {
            throw ValidationError(
                unknown.map { "--scenario: no scenario \"\($0)\"; \(Suggestions.text(for: $0, in: names))" }
                    .joined(separator: "\n") + "\nemv-bench --list shows all \(names.count)")
        }
    }

    func run() async throws {
        let every = full || list && scenarios.isEmpty
        let chosen =
            every ? Scenario.all : isSummary ? Summary.scenarios : Scenario.all.filter { scenarios.contains($0.name) }
        let passes = every ? PassScenario.all : PassScenario.all.filter { scenarios.contains($0.name) }
        if list { return printList(chosen, passes) }
        #if DEBUG
        complain("Note: this is a debug build; its figures say nothing.")
        #endif
        let page = try html.map { try OutputFile($0) }
        let earlier = try compare.map { try Comparison.Earlier($0) }
        let progress = Progress(isLong: full)
        let start = emv_bench_now()
        let runner = Runner(taps: taps, warmup: warmup, progress: progress)
        let layers = Layer(rawValue: layer).map { [$0] } ?? Layer.allCases
        var report = Report()
        do {
            report.measurements = try await runner.measure(chosen, layers)
            for scenario in passes {
                progress.show("\(scenario.name), dialogue")
                report.passes.append(try await PassMeasurement(scenario, taps: taps))
            }
            if full, functionTime > 0 {
                (report.micro, report.peers) = try Runner.functions(budget: functionTime, progress: progress)
            }
        } catch {
            progress.clear()
            throw BenchFailure("\(error)")
        }
        progress.clear()
        let summary = Summary(report, taps: taps, nanoseconds: emv_bench_now() - start)
        print(json ? report.json.text : isSummary ? summary.text : report.text)
        try page?.write(Page(report: report).html)
        if let earlier {
            let comparison = try Comparison(report, with: earlier)
            if json { complain(comparison.text) } else { print("\n" + comparison.text) }
            if comparison.isSlower { throw ExitCode(1) }
        }
    }

    private func printList(_ chosen: [Scenario], _ passes: [PassScenario]) {
        if json {
            let rows =
                chosen.map { scenario in
                    JSON.object([
                        ("name", .string(scenario.name)), ("kernel", .string(scenario.kernel)),
                        ("summary", .string(scenario.summary)),
                    ])
                }
                + passes.map { scenario in
                    JSON.object([("name", .string(scenario.name)), ("summary", .string(scenario.summary))])
                }
            print(JSON.object([("format", .string("emv-bench/1")), ("list", .array(rows))]).text)
            return
        }
        let rows = chosen.map { ($0.name, $0.summary) } + passes.map { ($0.name, $0.summary) }
        let width = rows.map(\.0.count).max() ?? 0
        for (name, summary) in rows { print(name + String(repeating: " ", count: width + 2 - name.count) + summary) }
    }
}

struct Decode: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Shows data objects or a log of APDUs as trees with names and meanings.",
        discussion: """
            Reads what the page reads: hex as programs print it, and logs of commands and answers in many forms. \
            Account numbers, track data, names and the card's certificate are masked.

            Examples:
              emv-bench decode 9F270180
              emv-bench decode tap.log
              pcsc-spy | emv-bench decode
            """)

    @Argument(help: ArgumentHelp("Hex digits, a file with hex or a log, or - for standard input.", valueName: "hex"))
    var hex: [String] = []

    @Flag(name: .customLong("show-pan"), help: "Show account numbers, track data and names.")
    var showsPAN = false

    func validate() throws {
        guard !hex.isEmpty || isatty(STDIN_FILENO) == 0 else {
            throw ValidationError("expected hex digits, a file, or data through a pipe")
        }
    }

    func run() throws {
        switch PastedText(try text()) {
        case .data(let bytes, let isMasked):
            let decoded = PastedText.tree(bytes, isMasked: isMasked, showsPAN: showsPAN)
            for line in decoded.lines { print(line) }
            if isMasked { print("masked digits are read as 0") }
            if decoded.fault != nil {
                throw BenchFailure(decoded.faults.map(\.description).joined(separator: "\n"))
            }
        case .log(let log):
            for line in log.lines(showsPAN: showsPAN) { print(line) }
        case .trace: throw BenchFailure("this is a trace: use emv-bench replay FILE")
        case .configuration: throw BenchFailure("this is a configuration: use emv-bench configuration check FILE")
        case .unusable(let why): throw BenchFailure(why)
        }
    }

    private func text() throws -> String {
        if hex == ["-"] || hex.isEmpty {
            return String(decoding: FileHandle.standardInput.readDataToEndOfFile(), as: UTF8.self)
        }
        if hex.count == 1, let file = FileManager.default.contents(atPath: hex[0]) {
            return String(decoding: file, as: UTF8.self)
        }
        return hex.joined(separator: " ")
    }
}
#else
@main
struct EMVBench {
    static func main() {
        print("emv-bench was built without the package trait Tools, which brings its commands: build with it.")
    }
}
#endif
