// SPDX-License-Identifier: Apache-2.0
import Benchmark
import EMVBenchC
import EMVKit

// What a number here means is in ../../README.md.

extension BenchmarkMetric {
    /// Calls for memory of one operation, counted by a malloc of our own (the harness's own count reads 0).
    static var allocations: BenchmarkMetric { .custom("allocations") }
    /// The fastest of a batch as a part of a fixed loop's time on the same core a moment before: the machine's own
    /// drift is divided out.
    static var ofReference: BenchmarkMetric { .custom("thousandthsOfReference") }
    /// The fastest of a batch in hundredths of the C session's, of which a batch runs a moment before.
    static var ofC: BenchmarkMetric { .custom("percentOfC") }
}

/// 1000 turns of a shift register, each waiting for the last: about 2.4 µs at 2.5 GHz, and no compiler or cache has a
/// say in it.
@inline(never)
private func reference(_ start: UInt64) -> UInt64 {
    var word = start
    for _ in 0..<1000 {
        word ^= word << 13
        word ^= word >> 7
        word ^= word << 17
    }
    return word
}

/// Nanoseconds, the fastest of 200.
private func referenceTime() -> UInt64 {
    // Each call takes what the last gave, so that none can be left out.
    var word = emv_bench_now() | 1
    let least = fastest(200) { word = reference(word) }
    blackHole(word)
    return least
}

private func fastest(_ count: Int, _ operation: () throws -> Void) rethrows -> UInt64 {
    var least = UInt64.max
    for _ in 0..<count {
        let begin = emv_bench_now()
        try operation()
        least = min(least, emv_bench_now() - begin)
    }
    return max(least, 1)
}

private func thousandths(_ ns: Double) -> Int { Int((1000 * ns / Double(referenceTime())).rounded()) }

/// A scenario, recorded, in each layer.
private final class Taps {
    let scenario: Scenario
    let configuration: CheckedConfiguration
    let dialogue: Dialogue
    let c: CSession
    private let replies: [Reply]
    private let memory = SessionMemory()
    private let reader = ReaderMemory()

    static let perBatch = 1000

    init(_ name: String) throws {
        guard let scenario = Scenario.all.first(where: { $0.name == name }) else {
            throw BenchFailure("no scenario \(name)")
        }
        self.scenario = scenario
        configuration = try CheckedConfiguration(scenario.configuration)
        dialogue = try Dialogue(recording: scenario, configuration)
        c = try CSession(dialogue)
        replies = dialogue.exchanges.map(\.reply)
    }

    func fastestInC() throws -> UInt64 { max(try c.run(taps: Taps.perBatch).min() ?? 1, 1) }

    func tap() throws -> Outcome { try swiftTap(configuration, scenario.transaction, replies, memory, reader) }

    func allocationsInSwift() throws -> Int {
        emv_bench_allocations_begin()
        let outcome = try tap()
        let count = emv_bench_allocations_end()
        try scenario.check(Scenario.Expectation(outcome))
        return Int(count)
    }

    func readerSession() async throws -> (ReaderSession, PaymentRequest) {
        let reader = TapReader(
            PreparedCard(dialogue.exchanges), configuration: scenario.configuration,
            options: TapReader.Options(random: .fixed(Scenario.random)))
        let transaction = scenario.transaction
        let request = PaymentRequest(
            amount: Money(minorUnits: transaction.amount, currency: .eur), data: transaction.data,
            moment: LocalTime(date: transaction.date, time: transaction.time), counter: transaction.counter)
        return (try await reader.prepare(), request)
    }
}

/// Tolerances beside the values in Thresholds/; each percentile but p90 is looked at by nobody.
private var tolerances: [BenchmarkMetric: BenchmarkThresholds] {
    [
        .allocations: BenchmarkThresholds(absolute: [.p90: 0]),
        .ofReference: BenchmarkThresholds(relative: [.p90: 25]),
        .ofC: BenchmarkThresholds(absolute: [.p90: 9]),
        .wallClock: BenchmarkThresholds(relative: [.p90: 400]),
    ]
}
private var readerTolerances: [BenchmarkMetric: BenchmarkThresholds] {
    [
        .allocations: BenchmarkThresholds(relative: [.p90: 15]),
        .wallClock: BenchmarkThresholds(relative: [.p90: 400]),
    ]
}

private func configuration(
    _ metrics: [BenchmarkMetric], _ thresholds: [BenchmarkMetric: BenchmarkThresholds] = tolerances
) -> Benchmark.Configuration {
    Benchmark.Configuration(
        metrics: metrics, timeUnits: .microseconds, warmupIterations: 2, maxDuration: .seconds(2), maxIterations: 20,
        thresholds: thresholds.filter { metrics.contains($0.key) })
}

private func registerFunctions() throws {
    try Taps("k3-fdda").c.useChain()
    let names = [
        "tlv-walk-rec180", "tlv-store-rec180", "dol-build", "dataset-extract", "rsa-1984-e3-prepared",
        "rsa-1984-e65537", "oda-chain-3", "sha256-256",
    ]
    for index in 0..<emv_bench_micro_count() {
        let name = unsafe String(cString: emv_bench_micro_name(index))
        guard names.contains(name) else { continue }
        Benchmark(name, configuration: configuration([.allocations, .ofReference])) { benchmark in
            var allocations: Int64 = 0
            let ns = unsafe emv_bench_micro_run(index, 20, &allocations)
            guard ns > 0 else { throw BenchFailure("\(name): the operation failed") }
            benchmark.measurement(.ofReference, thousandths(ns))
            benchmark.measurement(.allocations, Int(allocations))
        }
    }
}

private func registerTaps(_ name: String) throws {
    let taps = try Taps(name)
    Benchmark("\(name)-c", configuration: configuration([.wallClock, .allocations, .ofReference])) { benchmark in
        benchmark.startMeasurement()
        let fastest = try taps.fastestInC()
        benchmark.stopMeasurement()
        benchmark.measurement(.ofReference, thousandths(Double(fastest)))
        benchmark.measurement(.allocations, try taps.c.allocations() ?? -1)
    }
    Benchmark("\(name)-KernelSession", configuration: configuration([.wallClock, .allocations, .ofC])) { benchmark in
        let inC = try taps.fastestInC()
        benchmark.startMeasurement()
        let inSwift = try fastest(Taps.perBatch) { blackHole(try taps.tap()) }
        benchmark.stopMeasurement()
        benchmark.measurement(.ofC, Int((100 * Double(inSwift) / Double(inC)).rounded()))
        benchmark.measurement(.allocations, try taps.allocationsInSwift())
    }
    Benchmark("\(name)-TapReader", configuration: configuration([.wallClock, .allocations], readerTolerances)) {
        benchmark in
        let (session, request) = try await taps.readerSession()
        var fewest = Int64.max
        for _ in 0..<20 { _ = await session.read(request) }
        benchmark.startMeasurement()
        for _ in 0..<Taps.perBatch / 10 { blackHole(await session.read(request)) }
        benchmark.stopMeasurement()
        for _ in 0..<9 {
            emv_bench_all_allocations_begin()
            let outcome = await session.read(request)
            fewest = min(fewest, emv_bench_all_allocations_end())
            guard outcome.name == taps.scenario.expected.tap else {
                throw BenchFailure("\(name): TapReader ended as \(outcome.name.rawValue)")
            }
        }
        benchmark.measurement(.allocations, Int(fewest))
    }
}

let benchmarks: @Sendable () -> Void = {
    do {
        try registerFunctions()
        for name in ["k3-online", "k3-fdda", "k2-cda-online"] { try registerTaps(name) }
    } catch {
        fatalError("\(error)")
    }
}
