#if Tools
import EMVBenchC

/// What a run found, for people and for programs.
struct Report {
    var measurements: [Measurement] = []
    var micro: [MicroMeasurement] = []

    var json: JSON {
        .object([
            ("format", .string("emv-bench/1")),
            ("scenarios", .array(measurements.map(\.json))),
            ("micro", .array(micro.map(\.json))),
            ("session", .object([("bytes", .integer(emv_bench_session_size()))])),
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
                "What a tap is made of; at least so long on the air (ISO/IEC 14443 type A, the card's own time apart)\n\n"
                    + dialogues(rows))
        }
        let phased = measurements.filter { !$0.phases.isEmpty }
        if !phased.isEmpty { parts.append("Share of each phase in the C session, timed in a pass of their own\n\n" + shares(phased)) }
        if !micro.isEmpty { parts.append("Single functions, the fastest batch\n\n" + functions) }
        parts.append("A session occupies \(emv_bench_session_size()) bytes.")
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
        var table = Table(["scenario", "APDUs", "bytes sent", "received"] + AirTime.rates.map { "ms at \($0.0) kbit/s" })
        for row in rows {
            let dialogue = row.dialogue
            table.add(
                [dialogue.scenario.name, "\(dialogue.exchanges.count)", "\(dialogue.bytesSent)", "\(dialogue.bytesReceived)"]
                    + AirTime.rates.map { fixed(AirTime.milliseconds(dialogue.exchanges, periods: $0.1), 2) })
        }
        return table.text
    }

    private func shares(_ rows: [Measurement]) -> String {
        var table = Table(["scenario"] + rows[0].phases.map(\.name))
        for row in rows {
            let sum = row.phases.reduce(0) { $0 + $1.ns }
            table.add([row.dialogue.scenario.name] + row.phases.map { sum > 0 ? fixed($0.ns / sum * 100, 1) + " %" : "-" })
        }
        return table.text
    }

    private var functions: String {
        var table = Table(["function", "ns", "allocations"])
        for row in micro { table.add([row.name, fixed(row.ns, 1), row.allocations.map { "\($0)" } ?? "-"]) }
        return table.text
    }
}
#endif
