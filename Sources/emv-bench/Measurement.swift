#if Tools
import EMVBenchC
import EMVKit
import Histogram

enum Layer: String, CaseIterable, Sendable {
    /// The C session alone.
    case c
    /// `KernelSession`.
    case swift
    /// `TapReader` over a card in memory.
    case reader
}

/// What one scenario costs in one layer.
struct Measurement: Sendable {
    let dialogue: Dialogue
    let layer: Layer
    let taps: Int
    let times: Percentiles
    /// Of one tap; nil where they cannot be counted.
    let allocations: Int?
    /// Nanoseconds of each phase, measured in the C session; empty in the other layers, which cannot be cut so finely.
    let phases: [(name: String, ns: Double)]

    var json: JSON {
        let scenario = dialogue.scenario
        return .object([
            ("name", .string(scenario.name)), ("kernel", .string(scenario.kernel)), ("layer", .string(layer.rawValue)),
            ("tap", .string(dialogue.result.tap.rawValue)), ("outcome", .string(dialogue.result.outcome.rawValue)),
            ("taps", .integer(taps)), ("ns", times.json), ("apdus", .integer(dialogue.exchanges.count)),
            ("bytesSent", .integer(dialogue.bytesSent)), ("bytesReceived", .integer(dialogue.bytesReceived)),
            ("allocations", .optional(allocations)),
            ("phases", .object(phases.map { ($0.name, .rounded($0.ns, digits: 0)) })),
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

/// Nanoseconds.
struct Percentiles: Sendable {
    let min, p50, p90, p99, p999, max: UInt64

    init(_ times: [UInt64]) {
        var histogram = Histogram<UInt64>(
            lowestDiscernibleValue: 1, highestTrackableValue: 60_000_000_000, numberOfSignificantValueDigits: .three)
        for time in times { histogram.record(time) }
        min = times.min() ?? 0
        max = times.max() ?? 0
        // A histogram answers with the upper end of a bucket: never beyond what was measured.
        let top = max
        func percentile(_ rank: Double) -> UInt64 { Swift.min(histogram.valueAtPercentile(rank), top) }
        p50 = percentile(50)
        p90 = percentile(90)
        p99 = percentile(99)
        p999 = percentile(99.9)
    }

    var json: JSON {
        .object(
            [("min", min), ("p50", p50), ("p90", p90), ("p99", p99), ("p999", p999), ("max", max)]
                .map { ($0.0, .integer(Int($0.1))) })
    }
}

/// One of the single functions.
struct MicroMeasurement: Sendable {
    let name: String
    let ns: Double
    let allocations: Int?

    var json: JSON {
        .object([
            ("name", .string(name)), ("ns", .rounded(ns, digits: 1)), ("allocations", .optional(allocations)),
        ])
    }
}
#endif
