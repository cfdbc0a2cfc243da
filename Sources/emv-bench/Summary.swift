// SPDX-License-Identifier: Apache-2.0
#if Tools
import EMVBenchC
import EMVKit
import EMVPage
import Foundation

/// What a run without options prints: one or two taps of each scheme, in 24 lines of at most 79 columns.
struct Summary {
    /// The rows: what a reader of the summary calls the card, and the scenario.
    private static let rows = [
        ("Visa", "k3-online"), ("Visa, signed", "k3-fdda"), ("Mastercard", "k2-cda-online"), ("Amex", "k4-cda-online"),
        ("JCB", "k5-cda-online"), ("Discover", "k6-cda"), ("UnionPay", "k7-online"), ("Any, C-8", "k8-online"),
    ]

    static let scenarios = rows.compactMap { row in Scenario.all.first { $0.name == row.1 } }

    private let measurements: [Measurement]
    private let sessionBytes: Int
    private let taps: Int
    private let seconds: Double

    init(_ report: Report, taps: Int, nanoseconds: UInt64) {
        measurements = report.measurements
        sessionBytes = report.sessionBytes
        self.taps = taps
        seconds = Double(nanoseconds) / 1_000_000_000
    }

    private func measurement(_ name: String, _ layer: Layer) -> Measurement? {
        measurements.first { $0.dialogue.scenario.name == name && $0.layer == layer }
    }

    var text: String {
        var lines = [
            head, "",
            "Median of one tap                       kernel    Swift    reader        air",
            "                                          in C  session    in app  106 kbit/s",
            "                              APDUs         µs       µs        µs          ms",
        ]
        for (label, name) in Summary.rows {
            guard let any = measurements.first(where: { $0.dialogue.scenario.name == name }) else { continue }
            let times = Layer.allCases.map { layer in
                measurement(name, layer).map { fixed(Double($0.times.p50) / 1000, layer == .reader ? 1 : 2) } ?? "-"
            }
            let air = AirTime.milliseconds(any.dialogue.exchanges, periods: AirTime.rates[0].1)
            lines.append(
                padded(label, 14) + padded(name, 14) + leading("\(any.dialogue.exchanges.count)", 7)
                    + leading(times[0], 11) + leading(times[1], 9) + leading(times[2], 10) + leading(fixed(air, 1), 12))
        }
        lines +=
            [""] + remarks + [
                "", "--full           all taps, percentiles, phases, functions (about 3 min)",
                "--json           for programs            --html FILE  one page, with graphs",
                "--compare OLD    what became slower      --scenario   one tap; --list names all",
                "Also: emv-bench decode | replay | tap | readers | configuration check",
            ]
        return lines.joined(separator: "\n")
    }

    private var head: String {
        let processors = ProcessInfo.processInfo.activeProcessorCount
        let end = ", \(processors) cores. \(grouped(taps)) taps each in \(fixed(seconds, 1)) s."
        let begin = SupportReport.libraryVersion + ", "
        return begin + Summary.processor.prefix(79 - begin.count - end.count) + end
    }

    private var remarks: [String] {
        let names = Set(measurements.map(\.dialogue.scenario.name)).count
        let inC = measurements.filter { $0.layer == .c }
        var lines: [String] = []
        let allocations = inC.compactMap(\.allocations).reduce(0, +)
        let counted = inC.contains { $0.allocations != nil }
        lines.append(
            "All \(names) ended as they must. "
                + (counted ? "C allocates \(allocations == 0 ? "nothing" : "\(allocations) times"); a" : "A")
                + " session takes \(grouped(sessionBytes)) bytes.")
        let rate = AirTime.rates[0].1
        let reader = measurements.flatMap { row in
            row.dialogue.tariffs(periods: rate, phases: row.phases).map(\.readerSum)
        }.max()
        if let reader {
            lines.append(
                "Slowest reader time: \(fixed(reader, 1)) ms of the \(fixed(Tariffs.readerBudget, 0)) ms that Book A, "
                    + "10.2 allows.")
        }
        let shares = inC.map { row in
            Double(row.times.p50) / 10_000 / AirTime.milliseconds(row.dialogue.exchanges, periods: rate)
        }
        if let share = shares.max() {
            lines.append("The kernel in C takes at most \(fixed(share, 2)) % of the time on the air.")
        }
        if measurements.contains(where: { $0.dialogue.scenario.secrets != nil }) {
            lines.append(Scenario.secretsRemark)
        }
        return lines
    }

    /// The processor's name where the system tells it, else its architecture.
    private static var processor: String {
        if let text = FileManager.default.contents(atPath: "/proc/cpuinfo") {
            for line in String(decoding: text, as: UTF8.self).split(separator: "\n") where line.hasPrefix("model name")
            {
                if let name = line.split(separator: ":", maxSplits: 1).last {
                    return name.split(separator: " ").joined(separator: " ")
                }
            }
        }
        #if arch(arm64)
        return "arm64"
        #elseif arch(x86_64)
        return "x86-64"
        #else
        return "unknown processor"
        #endif
    }

    private func grouped(_ number: Int) -> String {
        number < 1000 ? "\(number)" : "\(number / 1000)," + String("\(1000 + number % 1000)".dropFirst())
    }

    private func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }

    private func leading(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.count)) + text
    }
}
#endif
