#if Tools
import EMVBenchC
import EMVKit

/// Runs scenarios in layers.
struct Runner {
    let taps: Int
    let warmup: Int
    let progress: Progress

    /// Taps of the pass that times phases.
    private static let phaseTaps = 501

    func measure(_ scenario: Scenario, _ layers: [Layer]) async throws -> [Measurement] {
        let configuration = try CheckedConfiguration(scenario.configuration)
        let dialogue = try Dialogue(recording: scenario, configuration)
        var measurements: [Measurement] = []
        for layer in layers {
            progress.show("\(scenario.name), \(layer.rawValue)")
            switch layer {
            case .c: measurements.append(try measureC(dialogue))
            case .swift: measurements.append(try measureSwift(dialogue, configuration))
            case .reader: measurements.append(try await measureReader(dialogue))
            }
        }
        return measurements
    }

    private func measureC(_ dialogue: Dialogue) throws -> Measurement {
        let session = try CSession(dialogue)
        if warmup > 0 { _ = try session.run(taps: warmup) }
        let times = try session.run(taps: taps)
        let allocations = try session.allocations()
        let phases = try session.phases(taps: Runner.phaseTaps)
        let ahead = try session.workAhead(taps: Runner.phaseTaps, keys: false)
        let keys = try session.workAhead(taps: Runner.phaseTaps, keys: true)
        return Measurement(
            dialogue: dialogue, layer: .c, taps: taps, times: Percentiles(times), allocations: allocations,
            phases: Array(zip(CSession.phaseNames, phases)), ahead: (ahead.tap, ahead.work, keys.tap))
    }

    private func measureSwift(_ dialogue: Dialogue, _ configuration: CheckedConfiguration) throws -> Measurement {
        let transaction = dialogue.scenario.transaction
        let replies = dialogue.exchanges.map(\.reply)
        let memory = SessionMemory()
        let reader = ReaderMemory()
        func tap() throws -> Outcome { try swiftTap(configuration, transaction, replies, memory, reader) }

        for _ in 0..<max(warmup, 1) { try dialogue.scenario.check(Scenario.Expectation(try tap())) }
        var times = [UInt64](repeating: 0, count: taps)
        for index in 0..<taps {
            let begin = emv_bench_now()
            let outcome = try tap()
            times[index] = emv_bench_now() - begin
            guard outcome.status == dialogue.scenario.expected.outcome else {
                throw BenchFailure("\(dialogue.scenario.name): a timed tap ended as \(outcome.status.rawValue)")
            }
        }
        var fewest: Int64 = .max
        for _ in 0..<5 {
            emv_bench_allocations_begin()
            let outcome = try tap()
            fewest = min(fewest, emv_bench_allocations_end())
            _ = outcome.status
        }
        return Measurement(
            dialogue: dialogue, layer: .swift, taps: taps, times: Percentiles(times),
            allocations: fewest < 0 ? nil : Int(fewest), phases: [], ahead: nil)
    }

    /// Begins, answers to the end, reads the outcome and wipes.
    @inline(never)
    private func swiftTap(
        _ configuration: CheckedConfiguration, _ transaction: Transaction, _ replies: [Reply], _ memory: SessionMemory,
        _ reader: ReaderMemory
    ) throws -> Outcome {
        var session = try KernelSession(configuration, transaction, memory: memory, reader: reader)
        var answered = 0
        while true {
            switch session.kind {
            case .poll: session.advance(session.poll.removalFirst && session.takes(.removed) ? .removed : .card)
            case .send:
                let size = session.withCommand { $0.count }
                guard size > 0, answered < replies.count else { throw BenchFailure("more commands than were recorded") }
                session.advance(replies[answered])
                answered += 1
            case .work: session.advance(.carryOn)
            case .parked: session.advance(.abandon)
            case .ask: throw BenchFailure("the kernel asks for what no scenario has")
            case .done: return session.outcome
            }
        }
    }

    private func measureReader(_ dialogue: Dialogue) async throws -> Measurement {
        let scenario = dialogue.scenario
        let reader = TapReader(
            PreparedCard(dialogue.exchanges), configuration: scenario.configuration,
            options: TapReader.Options(random: .fixed(Scenario.random)))
        let session = try await reader.prepare()
        let transaction = scenario.transaction
        let request = PaymentRequest(
            amount: Money(minorUnits: transaction.amount, currency: .eur), data: transaction.data,
            moment: LocalTime(date: transaction.date, time: transaction.time), counter: transaction.counter)
        func tap() async throws -> UInt64 {
            let begin = emv_bench_now()
            let outcome = await session.read(request)
            let time = emv_bench_now() - begin
            guard outcome.name == scenario.expected.tap else {
                throw BenchFailure("\(scenario.name): TapReader ended as \(outcome.name.rawValue)")
            }
            return time
        }

        for _ in 0..<max(warmup, 1) { _ = try await tap() }
        var times = [UInt64](repeating: 0, count: taps)
        for index in 0..<taps { times[index] = try await tap() }
        var fewest: Int64 = .max
        for _ in 0..<9 {
            emv_bench_allocations_begin()
            _ = try await tap()
            fewest = min(fewest, emv_bench_allocations_end())
        }
        return Measurement(
            dialogue: dialogue, layer: .reader, taps: taps, times: Percentiles(times),
            allocations: fewest < 0 ? nil : Int(fewest), phases: [], ahead: nil)
    }

    /// Other libraries, as far as they are installed.
    static func peers(budget: UInt32, progress: Progress) -> [PeerMeasurement] {
        (0..<emv_bench_peer_count()).compactMap { index in
            let library = unsafe String(cString: emv_bench_peer_library(index))
            let operation = unsafe String(cString: emv_bench_peer_operation(index))
            progress.show("\(library), \(operation)")
            let ns = emv_bench_peer_run(index, budget)
            return ns < 0 ? nil : PeerMeasurement(library: library, operation: operation, ns: ns)
        }
    }

    /// The single functions; the chain is that of `k3-fdda`.
    static func micro(budget: UInt32, progress: Progress) throws -> [MicroMeasurement] {
        if let scenario = Scenario.all.first(where: { $0.name == "k3-fdda" }) {
            let configuration = try CheckedConfiguration(scenario.configuration)
            try CSession(try Dialogue(recording: scenario, configuration)).useChain()
        }
        return try (0..<emv_bench_micro_count()).map { index in
            let name = unsafe String(cString: emv_bench_micro_name(index))
            progress.show(name)
            var allocations: Int64 = -1
            let ns = unsafe emv_bench_micro_run(index, budget, &allocations)
            guard ns >= 0 else { throw BenchFailure("\(name): the operation failed") }
            return MicroMeasurement(name: name, ns: ns, allocations: allocations < 0 ? nil : Int(allocations))
        }
    }
}
#endif
