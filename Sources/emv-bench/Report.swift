// SPDX-License-Identifier: Apache-2.0
#if Tools
import EMVBenchC

/// The results of a run, for people and for programs.
struct Report {
    var measurements: [Measurement] = []
    var passes: [PassMeasurement] = []
    var micro: [MicroMeasurement] = []
    var peers: [PeerMeasurement] = []
    let sessionBytes = emv_bench_session_size()

    var json: JSON {
        .object([
            ("format", .string("emv-bench/1")),
            ("scenarios", .array(measurements.map(\.json))),
            ("passes", .array(passes.map(\.json))),
            ("micro", .array(micro.map(\.json))),
            ("peers", .array(peers.map(\.json))),
            ("session", .object([("bytes", .integer(sessionBytes))])),
        ])
    }

    var text: String {
        var parts: [String] = []
        for layer in Layer.allCases {
            let rows = measurements.filter { $0.layer == layer }
            if !rows.isEmpty { parts.append(title(of: layer) + "\n\n" + times(rows)) }
        }
        if let any = measurements.first {
            let rows = measurements.filter { $0.layer == any.layer }
            parts.append(
                "What a tap is made of; at least so long on the air "
                    + "(ISO/IEC 14443 type A, the card's own time apart)\n\n"
                    + dialogues(rows))
        }
        let phased = measurements.filter { !$0.phases.isEmpty }
        if !phased.isEmpty { parts.append(budgets(phased)) }
        if !phased.isEmpty {
            parts.append("Share of each phase in the C session, timed in a pass of their own\n\n" + shares(phased))
        }
        if !passes.isEmpty { parts.append(PassMeasurement.text(passes)) }
        if !micro.isEmpty { parts.append("Single functions, the fastest batch\n\n" + functions) }
        parts.append("A session occupies \(sessionBytes) bytes.")
        return parts.joined(separator: "\n\n")
    }

    private func title(of layer: Layer) -> String {
        switch layer {
        case .c: "The C session alone, µs per tap"
        case .swift: "KernelSession, µs per tap"
        case .reader: "TapReader with a card in memory, µs per tap"
        }
    }

    private func times(_ rows: [Measurement]) -> String {
        var table = Table(["scenario", "min", "p50", "p90", "p99", "p99.9", "max", "allocations", "tap"])
        for row in rows {
            let times = row.times
            let columns = [times.min, times.p50, times.p90, times.p99, times.p999, times.max]
            table.add(
                [row.dialogue.scenario.name] + columns.map { fixed(Double($0) / 1000, 2) }
                    + [row.allocations.map { "\($0)" } ?? "-", row.dialogue.result.tap.rawValue])
        }
        return table.text
    }

    private func dialogues(_ rows: [Measurement]) -> String {
        var table = Table(
            ["scenario", "APDUs", "needed", "bytes sent", "received"] + AirTime.rates.map { "ms at \($0.0) kbit/s" })
        for row in rows {
            let dialogue = row.dialogue
            table.add(
                [
                    dialogue.scenario.name, "\(dialogue.exchanges.count)", "\(dialogue.fewestExchanges)",
                    "\(dialogue.bytesSent)", "\(dialogue.bytesReceived)",
                ]
                    + AirTime.rates.map { fixed(AirTime.milliseconds(dialogue.exchanges, periods: $0.1), 2) })
        }
        return table.text
    }

    /// The budgets at the slowest and the fastest rate.
    private func budgets(_ rows: [Measurement]) -> String {
        let rates = [AirTime.rates[0], AirTime.rates[AirTime.rates.count - 1]]
        var table = Table(
            ["scenario"] + rates.flatMap { ["reader at \($0.0)", "card may take"] } + [
                "µs ahead", "µs left", "with keys",
            ])
        for row in rows {
            let tariffs = rates.map { row.dialogue.tariffs(periods: $0.1, phases: row.phases) }
            let ahead =
                row.ahead.map { [$0.work, $0.tap, $0.keys].map { fixed(Double($0) / 1000, 2) } } ?? ["-", "-", "-"]
            table.add(
                [row.dialogue.scenario.name]
                    + tariffs.flatMap {
                        [fixed($0.map(\.readerSum).max() ?? 0, 2), fixed($0.map(\.leftToCard).min() ?? 0, 1)]
                    } + ahead)
        }
        return
            "Milliseconds of the reader (Book A, 10.2: at most 100), and what the card may compute for within 500 "
            + "(10.1), at kbit/s, of the presentment with most and least; then kernel time that is done "
            + "while the card answers, what is left of the tap, and the same with issuer keys of earlier taps\n\n"
            + table.text
    }

    private func shares(_ rows: [Measurement]) -> String {
        var table = Table(["scenario"] + rows[0].phases.map(\.name))
        for row in rows {
            let sum = row.phases.reduce(0) { $0 + $1.ns }
            table.add(
                [row.dialogue.scenario.name] + row.phases.map { sum > 0 ? fixed($0.ns / sum * 100, 1) + " %" : "-" })
        }
        return table.text
    }

    private var functions: String {
        let libraries = peers.reduce(into: [String]()) { if !$0.contains($1.library) { $0.append($1.library) } }
        var table = Table(["function", "ns", "allocations"] + libraries.map { $0 + ", ns" })
        for row in micro {
            let others = libraries.map { library in
                peers.first { $0.library == library && $0.operation == row.name }.map { fixed($0.ns, 1) } ?? ""
            }
            table.add([row.name, fixed(row.ns, 1), row.allocations.map { "\($0)" } ?? "-"] + others)
        }
        return table.text
    }
}
#endif
