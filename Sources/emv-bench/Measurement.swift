// SPDX-License-Identifier: Apache-2.0
#if Tools
import EMVBenchC
import EMVKit
import Histogram

enum Layer: String, CaseIterable, Sendable {
    /// The C session alone.
    case c
    /// `KernelSession`.
    case swift
    /// `TapReader` with a card in memory.
    case reader
}

/// The cost of one scenario in one layer.
struct Measurement: Sendable {
    let dialogue: Dialogue
    let layer: Layer
    let taps: Int
    let times: Percentiles
    /// The allocations of one tap; nil if they cannot be counted.
    let allocations: Int?
    /// Nanoseconds of each phase, measured in the C session; empty in the other layers, which cannot be split this
    /// finely.
    let phases: [(name: String, ns: Double)]
    /// Nanoseconds of a tap whose certificate work is done while the card answers, of that work, and of such a tap with
    /// the keys of earlier taps. C only.
    let ahead: (tap: Int, work: Int, keys: Int)?

    var json: JSON {
        let scenario = dialogue.scenario
        return .object([
            ("name", .string(scenario.name)), ("kernel", .string(scenario.kernel)), ("layer", .string(layer.rawValue)),
            ("tap", .string(dialogue.result.tap.rawValue)), ("outcome", .string(dialogue.result.outcome.rawValue)),
            ("taps", .integer(taps)), ("ns", times.json), ("apdus", .integer(dialogue.exchanges.count)),
            ("bytesSent", .integer(dialogue.bytesSent)), ("bytesReceived", .integer(dialogue.bytesReceived)),
            ("allocations", .optional(allocations)),
            ("phases", .object(phases.map { ($0.name, .rounded($0.ns, digits: 0)) })),
            ("fewestApdus", .integer(dialogue.fewestExchanges)),
            (
                "aheadNs",
                ahead.map {
                    .object([("tap", .integer($0.tap)), ("work", .integer($0.work)), ("keys", .integer($0.keys))])
                } ?? .null
            ),
            (
                "tariffsMs",
                .object(
                    AirTime.rates.map { rate in
                        (rate.0, .array(dialogue.tariffs(periods: rate.1, phases: phases).map(\.json)))
                    })
            ),
            (
                "airtimeMs",
                .object(
                    AirTime.rates.map { rate in
                        (rate.0, .rounded(AirTime.milliseconds(dialogue.exchanges, periods: rate.1), digits: 3))
                    })
            ),
        ])
    }
}

/// Statistics of times, in nanoseconds.
struct Percentiles: Sendable {
    let min, p50, p90, p99, p999, max: UInt64
    /// The number of taps by time, in steps of equal width, from the fastest to the 99th percentile or to three times
    /// the median, whichever is less.
    let histogram: [(from: UInt64, count: Int)]

    init(_ times: [UInt64]) {
        var histogram = Histogram<UInt64>(
            lowestDiscernibleValue: 1, highestTrackableValue: 60_000_000_000, numberOfSignificantValueDigits: .three)
        for time in times { histogram.record(time) }
        min = times.min() ?? 0
        max = times.max() ?? 0
        // A histogram reports the upper end of a bucket, which must not exceed the largest measured time.
        let top = max
        func percentile(_ rank: Double) -> UInt64 { Swift.min(histogram.valueAtPercentile(rank), top) }
        p50 = percentile(50)
        p90 = percentile(90)
        p99 = percentile(99)
        p999 = percentile(99.9)
        self.histogram = Percentiles.bars(times, from: min, to: Swift.min(p99, 3 * p50))
    }

    private static func bars(_ times: [UInt64], from least: UInt64, to most: UInt64) -> [(from: UInt64, count: Int)] {
        let width = Swift.max(1, (most - least) / 40 + 1)
        var counts = [Int](repeating: 0, count: Int((most - least) / width) + 1)
        for time in times where time <= most { counts[Int((time - least) / width)] += 1 }
        return counts.enumerated().map { (least + UInt64($0.offset) * width, $0.element) }
    }

    var json: JSON {
        .object(
            [("min", min), ("p50", p50), ("p90", p90), ("p99", p99), ("p999", p999), ("max", max)]
                .map { ($0.0, .integer(Int($0.1))) })
    }
}

/// The time of an equivalent function in another library.
struct PeerMeasurement: Sendable {
    let library: String
    let operation: String
    var ns: Double

    var json: JSON {
        .object([("library", .string(library)), ("name", .string(operation)), ("ns", .rounded(ns, digits: 1))])
    }
}

/// The time of a single function.
struct MicroMeasurement: Sendable {
    let name: String
    var ns: Double
    var allocations: Int?

    var json: JSON {
        .object([
            ("name", .string(name)), ("ns", .rounded(ns, digits: 1)), ("allocations", .optional(allocations)),
        ])
    }
}
#endif
