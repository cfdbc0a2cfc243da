// SPDX-License-Identifier: Apache-2.0
#if Tools
import EMVBenchC
import EMVKit
import EMVPage
#if Kernel8
import EMVSecureChannel
#endif

/// Runs scenarios in layers.
///
/// Other processes disturb the machine from time to time, so no row is measured in one piece: all scenarios and layers
/// take turns in many short rounds over the whole run, and each has its share of the quiet moments.
struct Runner {
    let taps: Int
    let warmup: Int
    let progress: Progress

    /// The number of taps in the run that measures phases.
    private static let phaseTaps = 501
    private static let rounds = 20
    /// Taps before the measurement in each round, because another scenario has filled the caches.
    private static let roundWarmup = 5

    /// A scenario in a layer, ready to run.
    private struct Bench {
        let dialogue: Dialogue
        let layer: Layer
        /// Runs this many taps and checks them; returns the nanoseconds of each.
        let run: (Int) async throws -> [UInt64]
        /// Takes the times of all rounds and adds the remaining measurements.
        let finish: ([UInt64]) async throws -> Measurement
    }

    func measure(_ scenarios: [Scenario], _ layers: [Layer]) async throws -> [Measurement] {
        var benches: [Bench] = []
        for scenario in scenarios {
            progress.show("Preparing  \(scenario.name)")
            let configuration = try CheckedConfiguration(scenario.configuration, secrets: scenario.measuredSecrets)
            let dialogue = try Dialogue(recording: scenario, configuration)
            for layer in layers where layer != .c || scenario.runsInC {
                switch layer {
                case .c: benches.append(try benchC(dialogue))
                case .swift: benches.append(benchSwift(dialogue, configuration))
                case .reader: benches.append(try await benchReader(dialogue))
                }
            }
        }
        for bench in benches where warmup > 0 { _ = try await bench.run(min(warmup, taps(of: bench))) }
        var times = [[UInt64]](repeating: [], count: benches.count)
        for index in times.indices { times[index].reserveCapacity(taps) }
        let rounds = min(Runner.rounds, taps)
        let turns = Double(rounds * benches.count)
        for round in 0..<rounds {
            for (index, bench) in benches.enumerated() {
                let taps = taps(of: bench)
                let share = taps * (round + 1) / rounds - taps * round / rounds
                guard share > 0 else { continue }
                progress.show(
                    "Tapping  round \(round + 1)/\(rounds)  \(bench.dialogue.scenario.name)",
                    done: Double(round * benches.count + index) / turns)
                if warmup > 0, bench.dialogue.scenario.secrets == nil {
                    _ = try await bench.run(min(warmup, Runner.roundWarmup))
                }
                times[index] += try await bench.run(share)
            }
        }
        var measurements: [Measurement] = []
        for (index, bench) in benches.enumerated() {
            progress.show("Counting allocations  \(bench.dialogue.scenario.name), \(bench.layer.rawValue)")
            measurements.append(try await bench.finish(times[index]))
        }
        return measurements
    }

    private func taps(of bench: Bench) -> Int {
        #if Kernel8
        taps
        #else
        bench.dialogue.scenario.secrets == nil ? taps : min(taps, Scenario.tapsWithSecrets)
        #endif
    }

    // MARK: Layers

    private func benchC(_ dialogue: Dialogue) throws -> Bench {
        let session = try CSession(dialogue)
        return Bench(dialogue: dialogue, layer: .c, run: { try session.run(taps: $0) }) { times in
            let allocations = try session.allocations()
            let phases = try session.phases(taps: Runner.phaseTaps)
            let ahead = try session.workAhead(taps: Runner.phaseTaps, keys: false)
            let keys = try session.workAhead(taps: Runner.phaseTaps, keys: true)
            return Measurement(
                dialogue: dialogue, layer: .c, taps: times.count, times: Percentiles(times), allocations: allocations,
                phases: Array(zip(CSession.phaseNames, phases)), ahead: (ahead.tap, ahead.work, keys.tap))
        }
    }

    private func benchSwift(_ dialogue: Dialogue, _ configuration: CheckedConfiguration) -> Bench {
        let scenario = dialogue.scenario
        let transaction = scenario.transaction
        let replies = dialogue.exchanges.map(\.reply)
        let memory = SessionMemory()
        let reader = ReaderMemory()
        func run(_ taps: Int) throws -> [UInt64] {
            var times = [UInt64](repeating: 0, count: taps)
            for index in times.indices {
                let begin = emv_bench_now()
                let outcome = try swiftTap(configuration, transaction, replies, memory, reader)
                times[index] = emv_bench_now() - begin
                guard outcome.status == scenario.expected.outcome else {
                    throw BenchFailure("\(scenario.name): a timed tap ended as \(outcome.status.rawValue)")
                }
            }
            return times
        }
        return Bench(dialogue: dialogue, layer: .swift, run: run) { times in
            let outcome = try swiftTap(configuration, transaction, replies, memory, reader)
            try scenario.check(Scenario.Expectation(outcome))
            emv_bench_allocations_begin()
            let again = try swiftTap(configuration, transaction, replies, memory, reader)
            let count = emv_bench_allocations_end()
            try scenario.check(Scenario.Expectation(again))
            return Measurement(
                dialogue: dialogue, layer: .swift, taps: times.count, times: Percentiles(times),
                allocations: count < 0 ? nil : Int(count), phases: [], ahead: nil)
        }
    }

    private func benchReader(_ dialogue: Dialogue) async throws -> Bench {
        let scenario = dialogue.scenario
        // Only the tap is measured, without the check for an empty field before it.
        var options = TapReader.Options.ofTools
        options.random = .fixed(scenario.random)
        let reader = TapReader(
            PreparedCard(dialogue.exchanges), configuration: scenario.configuration,
            secrets: scenario.measuredSecrets, options: options)
        let session = try await reader.prepare()
        let transaction = scenario.transaction
        var payment = PaymentRequest(
            amount: Money(minorUnits: transaction.amount, currency: .eur),
            moment: LocalTime(date: transaction.date, time: transaction.time))
        payment.data = transaction.data
        payment.counter = transaction.counter
        let request = payment
        @Sendable func tap() async throws -> UInt64 {
            let begin = emv_bench_now()
            let outcome = await session.read(request)
            let time = emv_bench_now() - begin
            guard outcome.name == scenario.expected.tap else {
                throw BenchFailure("\(scenario.name): TapReader ended as \(outcome.name.rawValue)")
            }
            return time
        }
        func run(_ taps: Int) async throws -> [UInt64] {
            var times = [UInt64](repeating: 0, count: taps)
            for index in times.indices { times[index] = try await tap() }
            return times
        }
        return Bench(dialogue: dialogue, layer: .reader, run: run) { times in
            // A tap changes threads, so the allocations of all threads are counted; the fewest of several counts are
            // used.
            var fewest: Int64 = .max
            for _ in 0..<9 {
                emv_bench_all_allocations_begin()
                _ = try await tap()
                fewest = min(fewest, emv_bench_all_allocations_end())
            }
            return Measurement(
                dialogue: dialogue, layer: .reader, taps: times.count, times: Percentiles(times),
                allocations: fewest < 0 ? nil : Int(fewest), phases: [], ahead: nil)
        }
    }

    // MARK: Single functions

    /// Measures the functions of this library and of other installed libraries in turn, `budget` milliseconds for each.
    /// The chain is that of `k3-fdda`.
    static func functions(budget: UInt32, progress: Progress) throws -> ([MicroMeasurement], [PeerMeasurement]) {
        if let scenario = Scenario.all.first(where: { $0.name == "k3-fdda" }) {
            let configuration = try CheckedConfiguration(scenario.configuration)
            try CSession(try Dialogue(recording: scenario, configuration)).useChain()
        }
        let share = max(budget / UInt32(rounds), 1)
        var micro = (0..<emv_bench_micro_count()).map {
            unsafe MicroMeasurement(name: String(cString: emv_bench_micro_name($0)), ns: .infinity, allocations: nil)
        }
        var peers = (0..<emv_bench_peer_count()).map {
            unsafe PeerMeasurement(
                library: String(cString: emv_bench_peer_library($0)),
                operation: String(cString: emv_bench_peer_operation($0)), ns: .infinity)
        }
        for round in 0..<rounds {
            progress.show("Functions  round \(round + 1)/\(rounds)", done: Double(round) / Double(rounds))
            for index in micro.indices {
                var allocations: Int64 = -1
                let ns = unsafe emv_bench_micro_run(index, share, &allocations)
                guard ns >= 0 else { throw BenchFailure("\(micro[index].name): the operation failed") }
                micro[index].ns = min(micro[index].ns, ns)
                if allocations >= 0 {
                    micro[index].allocations = min(micro[index].allocations ?? .max, Int(allocations))
                }
            }
            for index in peers.indices {
                let ns = emv_bench_peer_run(index, share)
                peers[index].ns = ns < 0 ? -1 : min(peers[index].ns, ns)
            }
        }
        return (micro, peers.filter { $0.ns >= 0 })
    }
}

extension Scenario {
    /// What computes with Kernel 8's secrets: the library that a product uses, or without the trait Kernel8 the
    /// simulator's arithmetic, which is much slower.
    var measuredSecrets: SecretCrypto? {
        #if Kernel8
        secrets == nil ? nil : .swiftCrypto
        #else
        secrets
        #endif
    }

    static var secretsRemark: String {
        #if Kernel8
        "Kernel 8 computes with swift-crypto, as in a product."
        #else
        "Kernel 8: \(tapsWithSecrets) taps, the simulator's arithmetic; trait Kernel8: swift-crypto."
        #endif
    }
}
#endif
