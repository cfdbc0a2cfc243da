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
            Without a subcommand: the built-in scenarios on virtual cards, then single functions. \
            See emv-bench help run for --scenario, --taps, --warmup, --layer, --list and --json.
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
        abstract: "Runs the built-in scenarios on virtual cards, then single functions (the default).",
        discussion: """
            Every scenario is checked: one that ends otherwise than it must is an error, never a number. \
            Allocations are counted on Linux with glibc only.
            """)

    @Option(
        name: .customLong("scenario"), parsing: .upToNextOption,
        help: ArgumentHelp("Run only these scenarios.", valueName: "name"))
    var scenarios: [String] = []

    @Option(help: ArgumentHelp("Timed taps of each scenario and layer.", valueName: "n"))
    var taps = 5000

    @Option(help: ArgumentHelp("Taps before the clock counts.", valueName: "n"))
    var warmup = 200

    @Option(help: ArgumentHelp("Milliseconds for each single function; 0: none is run.", valueName: "ms"))
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

    func validate() throws {
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
                "--scenario: no scenario \(unknown.map { "\"\($0)\"" }.joined(separator: ", ")); known: "
                    + names.joined(separator: ", "))
        }
    }

    func run() async throws {
        let chosen = scenarios.isEmpty ? Scenario.all : Scenario.all.filter { scenarios.contains($0.name) }
        let passes = scenarios.isEmpty ? PassScenario.all : PassScenario.all.filter { scenarios.contains($0.name) }
        if list { return printList(chosen, passes) }
        #if DEBUG
        complain("Note: this is a debug build; its figures say nothing.")
        #endif
        let page = try html.map { try OutputFile($0) }
        let earlier = try compare.map { try Comparison.Earlier($0) }
        let progress = Progress()
        let runner = Runner(taps: taps, warmup: warmup, progress: progress)
        let layers = Layer(rawValue: layer).map { [$0] } ?? Layer.allCases
        var report = Report()
        do {
            report.measurements = try await runner.measure(chosen, layers)
            for scenario in passes {
                progress.show("\(scenario.name), dialogue")
                report.passes.append(try await PassMeasurement(scenario, taps: taps))
            }
            if scenarios.isEmpty, functionTime > 0 {
                (report.micro, report.peers) = try Runner.functions(budget: functionTime, progress: progress)
            }
        } catch {
            progress.clear()
            throw BenchFailure("\(error)")
        }
        progress.clear()
        print(json ? report.json.text : report.text)
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
              pcsc-spy | emv-bench decode -
            """)

    @Argument(help: ArgumentHelp("Hex digits, a file with hex or a log, or - for standard input.", valueName: "hex"))
    var hex: [String] = []

    @Flag(name: .customLong("show-pan"), help: "Show account numbers, track data and names.")
    var showsPAN = false

    func validate() throws {
        guard !hex.isEmpty else { throw ValidationError("expected hex digits, or - for standard input") }
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
        if hex == ["-"] {
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
