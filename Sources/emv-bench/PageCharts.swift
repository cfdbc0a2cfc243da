// SPDX-License-Identifier: Apache-2.0
#if Tools
import EMVKit

/// The charts of a page. Elements are placed by percentage, so that they fit every width.
extension Page {
    /// The five tariff categories of Book A, 10.2, in the order of the colours c1 to c5.
    private static let categories = ["command", "card, at least", "response", "reader", "after the last response"]

    // MARK: Timeline

    /// One row for each exchange, in order, on a common scale.
    func timeline(_ dialogue: Dialogue) -> String {
        let rows = dialogue.exchanges.map(parts)
        let whole = rows.reduce(0) { $0 + $1.reduce(0, +) }
        guard whole > 0 else { return "<p class=\"none\">No command is sent.</p>" }
        var at = 0.0
        var presentments = 0
        var lines = ""
        for (exchange, row) in zip(dialogue.exchanges, rows) {
            if Dialogue.isDirectory(exchange.command) {
                presentments += 1
                if presentments > 1 {
                    lines += "<div class=\"again\">the card comes back: presentment \(presentments)</div>"
                }
            }
            var bars = ""
            for (part, width) in row.enumerated() where width > 0 {
                bars += """
                    <i class="c\(part + 1)" \
                    style="left:\(Page.percent(at, of: whole));width:\(Page.percent(width, of: whole))" \
                    title="\(Page.categories[part]) \(fixed(width, 2)) ms"></i>
                    """
                at += width
            }
            let lost = exchange.response.isEmpty ? " <small>lost</small>" : ""
            lines += Page.line(Page.name(of: exchange.command) + lost, bars, fixed(row.reduce(0, +), 1))
        }
        return Page.figure("timeline", lines + Page.axis(whole) + Page.legend(Page.categories.prefix(4), "c"))
    }

    /// The milliseconds of the parts: command, card, response, reader.
    private func parts(of exchange: Dialogue.Exchange) -> [Double] {
        let millisecond = AirTime.carrier / 1000
        let heard = exchange.response.isEmpty ? 0 : AirTime.message(exchange.response.count, rate.1) / millisecond
        return [
            AirTime.message(exchange.command.count, rate.1) / millisecond,
            AirTime.readerToCard / millisecond, heard, AirTime.cardToReader / millisecond,
        ]
    }

    /// Four to nine ticks at round milliseconds; none so near the end that its label would leave the page.
    private static func axis(_ whole: Double) -> String {
        let step = [1.0, 2, 5, 10, 20, 50, 100, 200, 500].first { whole / $0 <= 9 } ?? 1000
        var ticks = ""
        var at = 0.0
        while at <= whole * 0.92 {
            ticks += "<span style=\"left:\(percent(at, of: whole))\">\(fixed(at, 0))</span>"
            at += step
        }
        return "<div class=\"row axis\"><span></span><span class=\"ticks\">\(ticks)</span><span>ms</span></div>"
    }

    // MARK: Budgets

    /// Book A's budgets apply to one presentment: if the card is presented again, each presentment has its own bars.
    /// The kernel's time counts in the last one.
    func budgets(_ dialogue: Dialogue, _ phases: [(name: String, ns: Double)]) -> String {
        let presentments = dialogue.tariffs(periods: rate.1, phases: phases)
        let lines = presentments.enumerated().map { index, tariffs -> String in
            let reader = [(1, tariffs.commands), (4, tariffs.reader), (5, tariffs.afterLast)]
            let all = [
                (1, tariffs.commands), (2, tariffs.card), (3, tariffs.responses), (4, tariffs.reader),
                (5, tariffs.afterLast),
            ]
            let which = presentments.count > 1 ? ", presentment \(index + 1)" : ""
            return Page.budget("reader" + which, reader, Tariffs.readerBudget)
                + Page.budget("all but the card" + which, all, Tariffs.fieldBudget)
        }
        return Page.figure("budget", lines.joined())
    }

    private static func budget(_ label: String, _ parts: [(Int, Double)], _ limit: Double) -> String {
        let used = parts.reduce(0) { $0 + $1.1 }
        let scale = max(used, limit)
        var at = 0.0
        var bars = ""
        for (part, width) in parts {
            bars +=
                "<i class=\"c\(part)\" style=\"left:\(percent(at, of: scale));width:\(percent(width, of: scale))\""
                + " title=\"\(categories[part - 1]) \(fixed(width, 2)) ms\"></i>"
            at += width
        }
        if used > limit { bars += "<b style=\"left:\(percent(limit, of: scale))\"></b>" }
        let verdict = used > limit ? " class=\"over\"" : ""
        return line(label, bars, "<span\(verdict)>\(fixed(used, 1)) of \(fixed(limit, 0))</span>")
    }

    // MARK: Phases

    func phases(_ row: Measurement) -> String {
        let whole = max(row.phases.reduce(0) { $0 + $1.ns }, 1)
        var at = 0.0
        var bars = ""
        for (index, phase) in row.phases.enumerated() {
            bars += """
                <i class="p\(index + 1)" \
                style="left:\(Page.percent(at, of: whole));width:\(Page.percent(phase.ns, of: whole))" \
                title="\(HTMLText.escaped(phase.name)) \(Page.microseconds(phase.ns)) µs"></i>
                """
            at += phase.ns
        }
        let words = row.phases.map { "\(HTMLText.escaped($0.name)) \(Page.microseconds($0.ns)) µs" }
        return Page.figure("phases", "<div class=\"track thick\">\(bars)</div>" + Page.legend(words[...], "p"))
    }

    // MARK: Histogram

    func histogram(_ row: Measurement) -> String {
        let bars = row.times.histogram
        let highest = Double(max(bars.map(\.count).max() ?? 1, 1))
        let shapes = bars.enumerated().map { index, bar in
            let height = Double(bar.count) / highest * 60
            return
                "<rect x=\"\(index * 10)\" y=\"\(fixed(60 - height, 2))\" width=\"9\" height=\"\(fixed(height, 2))\"/>"
        }
        let times = row.times
        let ranks = [
            ("half within", times.p50), ("90 %", times.p90), ("99 %", times.p99), ("99.9 %", times.p999),
            ("slowest", times.max),
        ]
        let allocations = row.allocations.map { ", \($0) allocations" } ?? ""
        let caption = "\(Page.title(of: row.layer)), \(Page.grouped(row.taps)) taps\(allocations)"
        let graph =
            "<svg viewBox=\"0 0 \(max(bars.count, 1) * 10) 60\" preserveAspectRatio=\"none\" aria-hidden=\"true\">"
            + "\(shapes.joined())</svg>"
        let ends =
            "<div class=\"ends\"><span>\(Page.microseconds(Double(times.min))) µs</span>"
            + "<span>\(Page.microseconds(Double(Swift.min(times.p99, 3 * times.p50)))) µs</span></div>"
        let words = ranks.map { "\($0.0) \(Page.microseconds(Double($0.1)))" }.joined(separator: " · ")
        return Page.figure(
            "histogram", "<figcaption>\(caption)</figcaption>\(graph)\(ends)<p class=\"ranks\">\(words) µs</p>")
    }

    // MARK: Pieces

    private static func figure(_ label: String, _ content: String) -> String {
        "<figure aria-label=\"\(label)\">\(content)</figure>"
    }

    private static func line(_ name: String, _ bars: String, _ value: String) -> String {
        "<div class=\"row\"><span class=\"name\">\(name)</span>"
            + "<span class=\"track\">\(bars)</span><span class=\"value\">\(value)</span></div>"
    }

    private static func legend(_ words: ArraySlice<String>, _ colour: Character) -> String {
        "<ul>" + words.enumerated().map { "<li><i class=\"\(colour)\($0.offset + 1)\"></i>\($0.element)</li>" }.joined()
            + "</ul>"
    }

    /// The name of a command in the specification; for a record, with file and number.
    private static func name(of command: Bytes) -> String {
        switch command.count > 3 ? command[1] : 0 {
        case 0xA4: Dialogue.isDirectory(command) ? "SELECT directory" : "SELECT application"
        case 0xA8: "GET PROCESSING OPTIONS"
        case 0xB2: "READ RECORD \(command[3] >> 3).\(command[2])"
        case 0xAE: "GENERATE AC"
        case 0x2A: "COMPUTE CRYPTOGRAPHIC CHECKSUM"
        case 0xEA: "EXCHANGE RELAY RESISTANCE DATA"
        case 0xCA: "GET DATA"
        case 0xD0: "RECOVER AC"
        case 0xDA: "PUT DATA"
        default: "command"
        }
    }
}
#endif
