// SPDX-License-Identifier: Apache-2.0
#if Tools
import ArgumentParser
import EMVBenchC
import EMVKit
import EMVPage

struct Scale: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Many sessions in one process, each a step further in turn: a kernel in a server.",
        discussion:
            "Shows the time of a tap, of the fastest round, for 1 session up to --sessions, then with more threads.")

    @Option(help: ArgumentHelp("The scenario that every session runs.", valueName: "name"))
    var scenario = "k3-fdda"

    @Option(help: ArgumentHelp("Sessions at once, 1 to 1000000; each takes 8 KiB.", valueName: "n"))
    var sessions = 100_000

    @Option(help: ArgumentHelp("Threads of the last row, 1 to 64.", valueName: "n"))
    var threads = 2

    func validate() throws {
        guard (1...1_000_000).contains(sessions) else {
            throw ValidationError("--sessions: expected 1 to 1000000, not \(sessions)")
        }
        guard (1...64).contains(threads), threads <= sessions else {
            throw ValidationError("--threads: expected 1 to 64 and no more than sessions, not \(threads)")
        }
        let known = Scenario.all.filter(\.runsInC).map(\.name)
        guard known.contains(scenario) else {
            throw ValidationError("--scenario: no scenario \"\(scenario)\"; known: " + known.joined(separator: ", "))
        }
    }

    func run() throws {
        guard let chosen = Scenario.all.first(where: { $0.name == scenario }) else { return }
        let session = try CSession(try Dialogue(recording: chosen, try CheckedConfiguration(chosen.configuration)))
        var table = Table(["sessions", "threads", "µs per tap", "MB"])
        var counts = [1]
        while counts[counts.count - 1] * 10 < sessions { counts.append(counts[counts.count - 1] * 10) }
        for (count, threads) in counts.map({ ($0, 1) }) + [(sessions, 1), (sessions, threads)] {
            let ns = try session.scale(sessions: count, threads: threads)
            table.add([
                "\(count)", "\(threads)", fixed(ns / 1000, 2),
                fixed(Double(count * emv_bench_session_size()) / 1_000_000, 1),
            ])
        }
        print(table.text)
    }
}
#endif
