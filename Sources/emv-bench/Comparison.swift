// SPDX-License-Identifier: Apache-2.0
#if Tools
import Foundation

/// Compares this run with an earlier one and accounts for noise. The machine as a whole may be faster or slower than in
/// the earlier run: the median of all ratios is taken as this drift and divided out. A row differs if the remaining
/// change exceeds both 5 % and three times the spread of all rows.
struct Comparison {
    struct Row {
        let name: String
        let before, after: Double
        /// The change without the machine's drift.
        let change: Double
        let differs: Bool
    }

    let rows: [Row]
    /// The time ratio of the whole machine, this run to the earlier one.
    let drift: Double
    let threshold: Double
    let missing: [String]

    var isSlower: Bool { rows.contains { $0.differs && $0.change > 0 } }

    /// The figures of an earlier run, read before this run starts.
    struct Earlier {
        let path: String
        fileprivate let figures: [String: Double]

        init(_ path: String) throws {
            self.path = path
            let bytes = try InputFile.bytes(path)
            guard let object = try? JSONSerialization.jsonObject(with: Data(bytes)) else {
                throw BenchFailure("\(path): expected JSON")
            }
            figures = try Comparison.figures(object, path)
        }
    }

    init(_ report: Report, with earlier: Earlier) throws {
        let (before, path) = (earlier.figures, earlier.path)
        let after = try Comparison.figures(JSONSerialization.jsonObject(with: Data(report.json.text.utf8)), "this run")
        let common = after.keys.filter { before[$0] != nil }.sorted()
        guard !common.isEmpty else { throw BenchFailure("\(path): has no scenario, layer or function of this run") }
        let ratios = common.map { after[$0]! / before[$0]! }
        let drift = Comparison.median(ratios)
        let spread = Comparison.median(ratios.map { abs($0 / drift - 1) })
        let threshold = max(0.05, 3 * spread)
        rows = zip(common, ratios).map { name, ratio in
            Row(
                name: name, before: before[name]!, after: after[name]!, change: ratio / drift - 1,
                differs: abs(ratio / drift - 1) > threshold)
        }
        self.drift = drift
        self.threshold = threshold
        missing = Set(before.keys).symmetricDifference(after.keys).sorted()
    }

    /// The fastest tap of each scenario and layer, and each single function, in nanoseconds.
    private static func figures(_ object: Any, _ place: String) throws -> [String: Double] {
        guard let run = object as? [String: Any], run["format"] as? String == "emv-bench/1" else {
            throw BenchFailure("\(place): expected the JSON of a run, \"format\": \"emv-bench/1\"")
        }
        var figures: [String: Double] = [:]
        for row in run["scenarios"] as? [[String: Any]] ?? [] {
            guard let name = row["name"] as? String, let layer = row["layer"] as? String,
                let ns = row["ns"] as? [String: Any],
                let least = (ns["min"] as? NSNumber)?.doubleValue, least > 0
            else { throw BenchFailure("\(place): a scenario without name, layer or ns.min") }
            figures["\(name), \(layer)"] = least
        }
        for row in run["micro"] as? [[String: Any]] ?? [] {
            guard let name = row["name"] as? String, let ns = (row["ns"] as? NSNumber)?.doubleValue, ns > 0 else {
                throw BenchFailure("\(place): a function without name or ns")
            }
            figures[name] = ns
        }
        return figures
    }

    private static func median(_ values: [Double]) -> Double {
        let sorted = values.sorted()
        let middle = sorted.count / 2
        return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
    }

    var text: String {
        var table = Table(["against the earlier run", "ns then", "now", "change", "verdict"])
        for row in rows {
            let verdict = !row.differs ? "same" : row.change > 0 ? "SLOWER" : "faster"
            table.add([row.name, fixed(row.before, 0), fixed(row.after, 0), fixed(row.change * 100, 1) + " %", verdict])
        }
        var lines = [
            table.text,
            "The machine as a whole: " + fixed(drift * 100, 1) + " % of the earlier run's time, divided out. Below "
                + fixed(threshold * 100, 1) + " % is noise.",
        ]
        if !missing.isEmpty { lines.append("Not in both runs: " + missing.joined(separator: "; ")) }
        return lines.joined(separator: "\n")
    }
}
#endif
