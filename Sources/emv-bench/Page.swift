#if Tools
/// A run as one page that needs nothing else: for each scenario the tap along its time, the histogram, and the budgets of Book A.
struct Page {
    let report: Report
    /// kbit/s, and carrier periods of an elementary time unit.
    private let rate = AirTime.rates[0]

    var html: String {
        let parts = report.measurements.filter { $0.layer == .c }.map(section)
        return """
            <!DOCTYPE html>
            <html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
            <title>emv-bench</title><style>\(Page.style)</style></head><body>
            <h1>Time of a tap</h1>
            <p>Kernel time measured in the C session; air time by ISO/IEC 14443 type A at \(rate.0) kbit/s; the card's own time as modelled.
            Colours: <b class="c1">commands</b> <b class="c2">card</b> <b class="c3">responses</b> <b class="c4">reader</b>
            <b class="c5">after the last response</b> (Book A, 10.2).</p>
            \(parts.joined(separator: "\n"))
            \(functions)
            </body></html>

            """
    }

    private static let style = """
        body{font:15px/1.5 system-ui,sans-serif;max-width:62em;margin:2em auto;padding:0 1em;color:#222}
        section{border-top:1px solid #ccc;margin-top:2em}h2{margin-bottom:0}svg{width:100%;display:block;margin:.4em 0}
        text{font:11px system-ui,sans-serif;fill:#333}table{border-collapse:collapse}td,th{padding:.1em .8em;text-align:right}
        td:first-child,th:first-child{text-align:left}b{padding:0 .4em;color:#fff;font-weight:500}
        .c1{background:#1b6ca8;fill:#1b6ca8}.c2{background:#777;fill:#999}.c3{background:#3a9d5d;fill:#3a9d5d}
        .c4{background:#c8702a;fill:#c8702a}.c5{background:#a83250;fill:#a83250}.over{fill:#c00}
        """

    private func section(_ row: Measurement) -> String {
        let name = Page.escaped(row.dialogue.scenario.name)
        let summary = Page.escaped(row.dialogue.scenario.summary)
        let tariffs = Tariffs(row.dialogue.exchanges, periods: rate.1, phases: row.phases)
        return """
            <section id="\(name)"><h2>\(name)</h2><p>\(summary). \(row.dialogue.exchanges.count) commands, \
            \(row.dialogue.fewestExchanges) needed; kernel \(fixed(Double(row.times.p50) / 1000, 2)) µs (median).</p>
            \(timeline(row.dialogue))\(budget("reader, of 100 ms", tariffs.readerSum, Tariffs.readerBudget))\
            \(budget("card in the field, of 500 ms", tariffs.sum, Tariffs.fieldBudget))\(histogram(row))</section>
            """
    }

    /// One bar for each exchange, one after the other, on a common scale.
    private func timeline(_ dialogue: Dialogue) -> String {
        let millisecond = AirTime.carrier / 1000
        let rows = dialogue.exchanges.map { exchange in
            (
                name: Page.name(of: exchange.command),
                parts: [
                    AirTime.message(exchange.command.count, rate.1) / millisecond, Tariffs.cardDelay(exchange.command),
                    AirTime.message(exchange.response.count, rate.1) / millisecond, AirTime.cardToReader / millisecond,
                ]
            )
        }
        let whole = max(rows.reduce(0) { $0 + $1.parts.reduce(0, +) }, 0.001)
        var at = 0.0
        var shapes = ""
        for (index, row) in rows.enumerated() {
            for (part, width) in row.parts.enumerated() {
                shapes += "<rect class=\"c\(part + 1)\" x=\"\(fixed(150 + at / whole * 800, 1))\" y=\"\(index * 18 + 3)\""
                    + " width=\"\(fixed(width / whole * 800, 1))\" height=\"12\"/>"
                at += width
            }
            shapes += "<text x=\"0\" y=\"\(index * 18 + 13)\">\(row.name)</text>"
        }
        return "<svg viewBox=\"0 0 960 \(max(rows.count, 1) * 18 + 4)\" role=\"img\" aria-label=\"timeline\">\(shapes)</svg>"
    }

    private func budget(_ label: String, _ used: Double, _ limit: Double) -> String {
        let width = min(used / limit, 1) * 800
        return "<svg viewBox=\"0 0 960 20\" role=\"img\" aria-label=\"budget\"><rect x=\"150\" y=\"3\" width=\"800\" height=\"12\" fill=\"#eee\"/>"
            + "<rect class=\"\(used > limit ? "over" : "c4")\" x=\"150\" y=\"3\" width=\"\(fixed(width, 1))\" height=\"12\"/>"
            + "<text x=\"0\" y=\"13\">\(label)</text><text x=\"\(fixed(min(width + 155, 880), 1))\" y=\"13\">\(fixed(used, 1)) ms</text></svg>"
    }

    private func histogram(_ row: Measurement) -> String {
        let bars = row.times.histogram
        let highest = Double(max(bars.map(\.count).max() ?? 1, 1))
        let width = 800.0 / Double(max(bars.count, 1))
        let shapes = bars.enumerated().map { index, bar in
            let height = Double(bar.count) / highest * 60
            return "<rect class=\"c1\" x=\"\(fixed(150 + Double(index) * width, 1))\" y=\"\(fixed(62 - height, 1))\""
                + " width=\"\(fixed(width * 0.9, 1))\" height=\"\(fixed(height, 1))\"/>"
        }
        let ends = "<text x=\"150\" y=\"76\">\(fixed(Double(row.times.min) / 1000, 2)) µs</text>"
            + "<text x=\"900\" y=\"76\">\(fixed(Double(row.times.p999) / 1000, 2)) µs</text>"
        return "<svg viewBox=\"0 0 960 80\" role=\"img\" aria-label=\"histogram\">\(shapes.joined())\(ends)"
            + "<text x=\"0\" y=\"40\">kernel, \(row.taps) taps</text></svg>"
    }

    private var functions: String {
        guard !report.micro.isEmpty else { return "" }
        let rows = report.micro.map { row -> String in
            let peers = report.peers.filter { $0.operation == row.name }.map { "\($0.library) \(fixed($0.ns, 0))" }
            return "<tr><td>\(Page.escaped(row.name))</td><td>\(fixed(row.ns, 1))</td><td>\(peers.joined(separator: ", "))</td></tr>"
        }
        return "<section id=\"functions\"><h2>Single functions</h2><table><tr><th>function</th><th>ns</th><th>others, ns</th></tr>"
            + rows.joined() + "</table></section>"
    }

    private static func name(of command: [UInt8]) -> String {
        switch command.count > 1 ? command[1] : 0 {
        case 0xA4: command.count > 12 && command[5] == 0x32 ? "SELECT directory" : "SELECT application"
        case 0xA8: "GET PROCESSING OPTIONS"
        case 0xB2: "READ RECORD"
        case 0xAE: "GENERATE AC"
        case 0x2A: "COMPUTE CHECKSUM"
        case 0xEA: "EXCHANGE RELAY DATA"
        case 0xCA: "GET DATA"
        default: "command"
        }
    }

    private static func escaped(_ text: String) -> String {
        text.reduce(into: "") { html, character in
            switch character {
            case "<": html += "&lt;"
            case ">": html += "&gt;"
            case "&": html += "&amp;"
            case "\"": html += "&quot;"
            default: html.append(character)
            }
        }
    }
}
#endif
