// SPDX-License-Identifier: Apache-2.0
#if Tools
import ArgumentParser
import EMVBenchC
import EMVDecoder
import EMVFormats
import EMVKit
import EMVPage
import EMVSimulator

struct Replay: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Replays traces and checks what they expect.",
        discussion: """
            Exit status: 0 all met, 1 some not, 2 unusable file. Account numbers are masked in differences. \
            With --taps the replay is repeated and timed, comparison included; Kernel 8 computes with the \
            simulator's arithmetic, which is slow.

            Examples:
              emv-bench replay tap.json
              emv-bench replay --steps tap.json
              emv-bench replay --html report.html tap.json
            """)

    @Argument(help: ArgumentHelp("Files in the format emv-trace/1.", valueName: "file"))
    var files: [String] = []

    @Flag(help: "One JSON object on standard output.")
    var json = false

    @Flag(help: "Each step: what waits, what answers, what is shown and decided, with the clause.")
    var steps = false

    @Option(help: ArgumentHelp("Replays of each trace, timed.", valueName: "n"))
    var taps: Int?

    @Option(
        help: ArgumentHelp(
            "Writes a page that opens on the one trace, without account number and track data.", valueName: "file"))
    var html: String?

    @Option(help: ArgumentHelp("The page that Scripts/web builds; \(TapPage.usualPath).", valueName: "file"))
    var page: String?

    @Flag(name: .customLong("include-pan"), help: "Leaves account number and track data in the page.")
    var includesPAN = false

    @Flag(name: .customLong("include-passes"), help: "Leaves what passes say in the page.")
    var includesPasses = false

    func validate() throws {
        guard !files.isEmpty else { throw ValidationError("expected one or more files") }
        guard taps.map({ (1...10_000_000).contains($0) }) ?? true else {
            throw ValidationError("--taps: expected 1 to 10000000")
        }
        guard html == nil || files.count == 1 else { throw ValidationError("--html: expected one trace") }
        guard !includesPAN || html != nil else { throw ValidationError("--include-pan: expected --html with it") }
        guard !includesPasses || html != nil else {
            throw ValidationError("--include-passes: expected --html with it")
        }
        try TapPage.check(html: html, page: page, others: ["the trace": files.first])
    }

    func run() async throws {
        let page = try html.map { path in
            (try TapPage(path: self.page ?? TapPage.usualPath), try OutputFile(path, isPrivate: true))
        }
        let results = files.map(replay)
        if let (page, file) = page { try write(results, page, file) }
        if json {
            print(ReplayJSON.document(results.map(\.json)).text)
        } else {
            for result in results { print(result.text) }
        }
        for case .unusable(let file, let why) in results { complain("Error: \(file): \(why)") }
        let status = results.map(\.exitStatus).max() ?? 0
        if status != 0 { throw ExitCode(Int32(status)) }
    }

    /// A trace that cannot be replayed is reported and has no page.
    private func write(_ results: [ReplayResult], _ page: TapPage, _ file: OutputFile) throws {
        guard case .replayed(let path, _, let report, _, _, _)? = results.first else { return }
        var trace = try Trace(contentsOf: path)
        if !includesPAN { trace = trace.redacted(after: report) }
        if !includesPasses { trace = trace.withoutPasses() }
        try file.write(page.text(trace))
    }

    private func replay(_ file: String) -> ReplayResult {
        do {
            let bytes = try InputFile.bytes(file)
            if let other = InputFile.other(than: "emv-trace/1", bytes) { return .unusable(file, "this is \(other)") }
            let trace = try Trace(json: bytes, file: file)
            let replay = try TraceReplay(trace, secrets: .simulatorVariableTime)
            let memory = SessionMemory()
            var story: [ReplayStep] = []
            var report = try replay.run(memory: memory, observer: { story.append($0) })
            let reason = Reason(trace, story, report)
            let told = steps ? ReplayStory(story, AccountMask(trace)) : nil
            let passes = try PassReplay.differences(trace)
            guard let taps else {
                report.differences += passes
                return .replayed(file, trace, report, reason, nil, told)
            }
            var times = [UInt64](repeating: 0, count: taps)
            for index in 0..<taps {
                let begin = emv_bench_now()
                let again = try replay.run(memory: memory)
                times[index] = emv_bench_now() - begin
                guard again == report else { return .unusable(file, "two replays of it differ") }
            }
            report.differences += passes
            return .replayed(file, trace, report, reason, Percentiles(times), told)
        } catch let error as FormatError {
            return .unusable(file, ReplayJSON.withoutFile(error))
        } catch {
            let why = "\(error)"
            return .unusable(file, why.hasPrefix(file + ": ") ? String(why.dropFirst(file.count + 2)) : why)
        }
    }
}

enum ReplayResult {
    case replayed(_ file: String, _ trace: Trace, ReplayReport, Reason, Percentiles?, ReplayStory?)
    case unusable(_ file: String, _ why: String)

    var exitStatus: Int {
        switch self {
        case .replayed(_, _, let report, _, _, _): report.isMet ? 0 : 1
        case .unusable: 2
        }
    }

    var text: String {
        switch self {
        case .unusable(let file, _): return "\(file): unusable"
        case .replayed(let file, let trace, let report, let reason, let times, let story):
            let count = "\(report.commands) \(report.commands == 1 ? "APDU" : "APDUs")"
            let end = "\(report.tap.rawValue) (\(report.outcome.status.rawValue)), \(count)"
            let isEmpty = trace.items.isEmpty && trace.expectation == Trace.Expectation()
            let verdict = report.isMet ? isEmpty ? "nothing to check" : "as expected" : "not as expected"
            var lines = ["\(file): \(verdict): \(end)"]
            lines += reason.lines.map { "  " + $0 }
            let findings = report.outcome.findings.names
            if !findings.isEmpty { lines.append("  findings: " + findings.joined(separator: ", ")) }
            if let times {
                let columns = [times.min, times.p50, times.p99].map { fixed(Double($0) / 1000, 2) }
                lines.append("  µs: min \(columns[0]), p50 \(columns[1]), p99 \(columns[2])")
            }
            if let story { lines += story.lines.map { "  " + $0 } }
            if let first = report.differences.first { lines += ReplayResult.sideBySide(first) }
            if report.differences.count > 1 { lines.append("  and \(report.differences.count - 1) more") }
            return lines.joined(separator: "\n")
        }
    }

    var json: JSON {
        switch self {
        case .unusable(let file, let why): ReplayJSON.unusable(file, why)
        case .replayed(let file, let trace, let report, let reason, let times, let story):
            ReplayJSON.replayed(
                file, trace.name, report, reason, story, measured: times.map { [("ns", $0.json)] } ?? [])
        }
    }

    /// Both values, with a mark below the first character that differs.
    private static func sideBySide(_ difference: ReplayReport.Difference) -> [String] {
        let (expected, found) = (difference.maskedExpected, difference.maskedFound)
        let same = zip(expected, found).prefix { $0 == $1 }.count
        return [
            "  \(difference.place)", "    expected  \(expected)", "    found     \(found)",
            "              " + String(repeating: " ", count: same) + "^",
        ]
    }
}

#endif
