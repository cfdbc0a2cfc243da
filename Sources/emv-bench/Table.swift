// SPDX-License-Identifier: Apache-2.0
/// A table with aligned columns: the first to the left, all others to the right.
struct Table {
    private var rows: [[String]] = []

    init(_ header: [String]) { rows = [header] }

    mutating func add(_ row: [String]) { rows.append(row) }

    var text: String {
        let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        var lines = rows.map { row in
            row.indices.map { column in
                let padding = String(repeating: " ", count: widths[column] - row[column].count)
                return column == 0 ? row[column] + padding : padding + row[column]
            }.joined(separator: "  ")
        }
        lines.insert(String(repeating: "-", count: widths.reduce(0, +) + 2 * (widths.count - 1)), at: 1)
        return lines.joined(separator: "\n")
    }
}

/// A number with the given number of digits behind the decimal point, for people.
func fixed(_ value: Double, _ digits: Int) -> String {
    let scale = (0..<digits).reduce(1) { product, _ in product * 10 }
    let scaled = Int((value * Double(scale)).rounded())
    guard digits > 0 else { return "\(scaled)" }
    let fraction = String(abs(scaled) % scale)
    return (scaled < 0 ? "-" : "") + "\(abs(scaled) / scale)."
        + String(repeating: "0", count: digits - fraction.count) + fraction
}
