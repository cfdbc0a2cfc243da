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
                "Commands of a tap, and its least time on the air without the card's computing (ISO/IEC 14443 type A)\n"
                    + "sent, received: bytes; 106, 424, 848: milliseconds at that rate in kbit/s\n\n" + dialogues(rows))
        }
        let phased = measurements.filter { !$0.phases.isEmpty }
        if !phased.isEmpty { parts.append(budgets(phased)) }
        if !phased.isEmpty {
            parts.append("Share of each phase in the C session, timed in runs of its own\n\n" + shares(phased))
        }
        if !passes.isEmpty { parts.append(PassMeasurement.text(passes)) }
        if !micro.isEmpty {
            parts.append("Single functions, ns of the fastest batch, beside other libraries\n\n" + functions)
        }
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
        var table = Table(["scenario", "min", "p50", "p90", "p99", "p99.9", "max", "allocs"])
        for row in rows {
            let times = row.times
            let columns = [times.min, times.p50, times.p90, times.p99, times.p999, times.max]
            table.add(
                [row.dialogue.scenario.name] + columns.map { fixed(Double($0) / 1000, 2) }
                    + [row.allocations.map { "\($0)" } ?? "-"])
        }
        return table.text
    }

    private func dialogues(_ rows: [Measurement]) -> String {
        var table = Table(
            ["scenario", "APDUs", "needed", "sent", "received"] + AirTime.rates.map(\.0))
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
            ["scenario"] + rates.flatMap { ["reader \($0.0)", "card \($0.0)"] } + ["ahead", "left", "with keys"])
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
            "Time budget of the longest presentment\n"
            + "reader: ms of the reader at that rate in kbit/s (Book A, 10.2: at most 100)\n"
            + "card: ms that the card may compute within the 500 ms of Book A, 10.1\n"
            + "ahead: µs of kernel time while the card answers; left: µs of the rest\n"
            + "with keys: left, with issuer keys that earlier taps verified\n\n" + table.text
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
        var table = Table(["function", "ns", "allocs"] + libraries)
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
