// SPDX-License-Identifier: Apache-2.0
#if Tools
import EMVKit

/// A run as one self-contained page: an overview, then for each scenario the timeline of the tap, the parts of the
/// kernel's share, the histogram of every layer and the budgets of Book A; at the end the single functions. It has no
/// script, no font, and loads nothing from a network.
struct Page {
    let report: Report
    /// kbit/s, and carrier periods of an elementary time unit: the rate that every card supports.
    let rate = AirTime.rates[0]

    var html: String {
        let names = report.measurements.reduce(into: [String]()) {
            if !$0.contains($1.dialogue.scenario.name) { $0.append($1.dialogue.scenario.name) }
        }
        let scenarios = names.map { name in report.measurements.filter { $0.dialogue.scenario.name == name } }
        return """
            <!DOCTYPE html>
            <html lang="en"><head><meta charset="utf-8">\
            <meta name="viewport" content="width=device-width,initial-scale=1">
            <title>emv-bench: the time of a tap</title><style>\(Page.style)</style></head><body>
            <header><h1>The time of a tap</h1>
            <p>The kernel is measured; the air is calculated by ISO/IEC 14443 type A at \(rate.0) kbit/s. \
            How long a card computes nobody publishes: \
            nothing is assumed, and what Book A leaves it is told.</p>
            </header>
            \(overview(scenarios))
            \(scenarios.map(section).joined(separator: "\n"))
            \(functions)
            <footer>A session occupies \(Page.grouped(report.sessionBytes)) bytes. \
            Figures drift with the machine: compare the fastest, and ratios within one run.</footer>
            </body></html>

            """
    }

    // MARK: Overview

    private func overview(_ scenarios: [[Measurement]]) -> String {
        guard scenarios.count > 1 else { return "" }
        let longest = Double(scenarios.map { $0[0].times.min }.max() ?? 1)
        let rows = scenarios.map { rows -> String in
            let row = rows[0], scenario = row.dialogue.scenario
            let tariffs = row.dialogue.tariffs(periods: rate.1, phases: row.phases)
            let share = Page.percent(Double(row.times.min), of: max(longest, 1))
            return """
                <tr><td><a href="#\(HTMLText.escaped(scenario.name))">\(HTMLText.escaped(scenario.name))</a></td>\
                <td class="wide text">\(HTMLText.escaped(scenario.summary))</td>\
                <td>\(row.dialogue.exchanges.count)</td>\
                <td class="meter"><i class="c4" style="width:\(share)"></i></td>\
                <td>\(Page.microseconds(Double(row.times.min)))</td>\
                <td class="wide">\(fixed(tariffs.map(\.readerSum).max() ?? 0, 1))</td>\
                <td>\(fixed(tariffs.map(\.leftToCard).min() ?? 0, 0))</td></tr>
                """
        }
        return """
            <section id="overview"><table><thead><tr>\
            <th>scenario</th><th class="wide text">what happens</th><th>commands</th>\
            <th colspan="2">kernel, µs (\(Page.title(of: scenarios[0][0].layer)), fastest)</th>\
            <th class="wide">reader, ms</th><th>card may take, ms</th></tr></thead><tbody>
            \(rows.joined(separator: "\n"))
            </tbody></table></section>
            """
    }

    // MARK: One scenario

    /// `rows`: one scenario in one layer or several.
    private func section(_ rows: [Measurement]) -> String {
        let dialogue = rows[0].dialogue
        let phased = rows.first { !$0.phases.isEmpty }, name = HTMLText.escaped(dialogue.scenario.name)
        return """
            <section id="\(name)"><h2>\(name)</h2>
            <p>\(Page.sentence(dialogue.scenario.summary)) \
            Ends as <em>\(HTMLText.escaped(dialogue.result.tap.rawValue))</em>.</p>
            \(facts(rows[0]))
            <h3>Along the time</h3>\(timeline(dialogue))
            <h3>Milliseconds against the budgets of Book A, 10</h3>\(budgets(dialogue, phased?.phases ?? []))
            \(phased.map(kernel) ?? "")
            <h3>How the taps spread</h3>\(rows.map(histogram).joined())
            </section>
            """
    }

    private func kernel(_ row: Measurement) -> String {
        let sum = row.phases.reduce(0) { $0 + $1.ns }
        return "<h3>What the kernel does, \(Page.microseconds(sum)) µs with clocks inside</h3>" + phases(row)
    }

    private func facts(_ row: Measurement) -> String {
        let dialogue = row.dialogue
        var facts = [
            ("kernel, fastest", Page.microseconds(Double(row.times.min)) + " µs"),
            ("median", Page.microseconds(Double(row.times.p50)) + " µs"),
            ("commands", "\(dialogue.exchanges.count), needed \(dialogue.fewestExchanges)"),
            ("bytes there and back", "\(dialogue.bytesSent) + \(dialogue.bytesReceived)"),
        ]
        if let count = row.allocations { facts.append(("allocations", "\(count)")) }
        if let ahead = row.ahead, ahead.work > 100 {
            facts.append(("of it while the card answers", Page.microseconds(Double(ahead.work)) + " µs"))
        }
        let rates = AirTime.rates.map { fixed(AirTime.milliseconds(dialogue.exchanges, periods: $0.1), 0) }.joined(
            separator: " / ")
        facts.append(("ms on the air at \(AirTime.rates.map(\.0).joined(separator: " / "))", rates))
        return "<dl>" + facts.map { "<div><dt>\($0.0)</dt><dd>\($0.1)</dd></div>" }.joined() + "</dl>"
    }

    // MARK: Single functions

    private var functions: String {
        guard !report.micro.isEmpty else { return "" }
        let libraries = report.peers.reduce(into: [String]()) { if !$0.contains($1.library) { $0.append($1.library) } }
        let rows = report.micro.map { row -> String in
            let peers = libraries.map { library -> String in
                guard let peer = report.peers.first(where: { $0.library == library && $0.operation == row.name }) else {
                    return "<td></td>"
                }
                return "<td>\(Page.grouped(Int(peer.ns.rounded())))<small>\(fixed(row.ns / peer.ns, 2)) ×</small></td>"
            }
            let ours = row.ns < 100 ? fixed(row.ns, 1) : Page.grouped(Int(row.ns.rounded()))
            return "<tr><td>\(HTMLText.escaped(row.name))</td><td>\(ours)</td>\(peers.joined())</tr>"
        }
        let beside = "; beside other libraries in the same run, our time as a multiple of theirs."
        let others = libraries.map { "<th>\(HTMLText.escaped($0))</th>" }.joined()
        return """
            <section id="functions"><h2>Single functions</h2>
            <p>Nanoseconds in the fastest batch\(libraries.isEmpty ? "." : beside)</p>
            <table><thead><tr><th>function</th><th>ours</th>\(others)</tr></thead><tbody>
            \(rows.joined(separator: "\n"))
            </tbody></table></section>
            """
    }

    // MARK: Words and numbers

    static func title(of layer: Layer) -> String {
        switch layer {
        case .c: "the C session"
        case .swift: "KernelSession"
        case .reader: "TapReader"
        }
    }

    /// Nanoseconds as microseconds, with three significant digits.
    static func microseconds(_ ns: Double) -> String { fixed(ns / 1000, ns < 10_000 ? 2 : ns < 100_000 ? 1 : 0) }

    static func percent(_ part: Double, of whole: Double) -> String {
        fixed(min(max(part / whole, 0), 1) * 100, 3) + "%"
    }

    /// The number with a thin space before every three digits.
    static func grouped(_ number: Int) -> String {
        let digits = String(number)
        return digits.enumerated().reduce(into: "") { text, digit in
            if digit.offset > 0, (digits.count - digit.offset) % 3 == 0 { text += "\u{202F}" }
            text.append(digit.element)
        }
    }

    /// The text as a sentence.
    private static func sentence(_ text: String) -> String {
        HTMLText.escaped(text.prefix(1).uppercased() + text.dropFirst()) + "."
    }
}
#endif
