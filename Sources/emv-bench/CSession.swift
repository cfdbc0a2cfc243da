// SPDX-License-Identifier: Apache-2.0
import EMVBenchC
import EMVKit

/// Runs the C session alone over a prepared dialogue.
@safe final class CSession {
    private let bench: OpaquePointer
    private let dialogue: Dialogue

    static let phaseNames = ["select", "options", "records", "authentication", "decision"]

    init(_ dialogue: Dialogue) throws {
        guard let bench = unsafe emv_bench_open() else { throw BenchFailure("no memory") }
        unsafe self.bench = bench
        self.dialogue = dialogue
        guard fill() else { throw BenchFailure("\(dialogue.scenario.name): too large for the C bench") }
        let result = unsafe emv_bench_check(bench)
        try examine(result)
    }

    deinit {
        unsafe emv_bench_close(bench)
    }

    /// Returns the nanoseconds of each tap.
    func run(taps: Int) throws -> [UInt64] {
        var times = [UInt64](repeating: 0, count: taps)
        try examine(unsafe emv_bench_run(bench, &times, taps))
        return times
    }

    /// Returns the allocations of one tap in this thread, or `nil` if they cannot be counted.
    func allocations() throws -> Int? {
        var time: [UInt64] = [0]
        emv_bench_allocations_begin()
        let result = unsafe emv_bench_run(bench, &time, 1)
        let count = emv_bench_allocations_end()
        try examine(result)
        return count < 0 ? nil : Int(count)
    }

    /// Returns the median time of each phase, in nanoseconds.
    func phases(taps: Int) throws -> [Double] {
        let count = Int(EMV_BENCH_PHASES)
        var times = [UInt64](repeating: 0, count: taps * count)
        try examine(unsafe emv_bench_phases(bench, &times, taps))
        return (0..<count).map { phase in
            let sorted = stride(from: phase, to: times.count, by: count).map { times[$0] }.sorted()
            return Double(sorted[sorted.count / 2])
        }
    }

    /// Returns the nanoseconds of one tap with certificate work done while the card answers, and those of that work.
    func workAhead(taps: Int, keys: Bool) throws -> (tap: Int, work: Int) {
        let least = unsafe emv_bench_work_ahead(bench, taps, keys)
        guard UInt32(least.fault) == EMV_BENCH_OK.rawValue else {
            throw BenchFailure("\(dialogue.scenario.name): ends otherwise with work ahead (\(least.fault))")
        }
        return (Int(least.tap_ns), Int(least.work_ns))
    }

    /// Returns the nanoseconds of one tap when this many sessions run in turn.
    func scale(sessions: Int, threads: Int) throws -> Double {
        let ns = unsafe emv_bench_scale(bench, sessions, threads, max(2, min(2000, 20_000 / sessions)))
        guard ns >= 0 else {
            throw BenchFailure("\(dialogue.scenario.name): \(sessions) sessions: no memory, or a tap ended otherwise")
        }
        return ns
    }

    /// Replaces this dialogue's certificate chain with that of `oda-chain-3`.
    func useChain() throws {
        guard unsafe emv_bench_use_chain(bench) else {
            throw BenchFailure("\(dialogue.scenario.name): the certificate chain does not verify")
        }
    }

    private func fill() -> Bool {
        let scenario = dialogue.scenario
        let configuration = scenario.configuration
        let terminal = configuration.terminal.encoded
        var filled = unsafe emv_bench_terminal(bench, terminal, terminal.count)
        for row in configuration.combinations {
            let types = row.transactionTypes.map(\.rawValue)
            let all = [
                row.limits.transaction, row.limits.floor, row.limits.terminalFloor, row.limits.cvmRequired,
                row.limits.cdcvmTransaction,
            ]
            let ttq = row.ttq ?? [], data = row.data.encoded
            let present = all.enumerated().reduce(UInt8(0)) { $1.element == nil ? $0 : $0 | 1 << UInt8($1.offset) }
            filled =
                unsafe filled
                && emv_bench_combination(
                    bench, row.aid, row.aid.count, row.kernel.id.number ?? 0, types, types.count, all.map { $0 ?? 0 },
                    present, ttq, ttq.count, data, data.count)
            if let options = row.kernel.jcb {
                filled =
                    unsafe filled
                    && emv_bench_kernel_5(bench, options.combinationOptions, options.terminalInterchangeProfile)
            }
        }
        for key in configuration.caKeys where key.curve == nil {
            filled =
                unsafe filled
                && emv_bench_ca_key(
                    bench, key.rid, key.index, key.exponent, key.modulus, key.modulus.count, key.sha1 ?? [])
        }
        for exchange in dialogue.exchanges {
            filled =
                unsafe filled
                && emv_bench_exchange(
                    bench, exchange.command, exchange.command.count, exchange.response, exchange.response.count,
                    exchange.microseconds)
        }
        return filled && fillTransaction(scenario.transaction)
    }

    private func fillTransaction(_ transaction: Transaction) -> Bool {
        guard case .fixed(let random) = transaction.random else { return false }
        let date = [transaction.date.year % 100, transaction.date.month, transaction.date.day].map(packed)
        let time = [transaction.time.hour, transaction.time.minute, transaction.time.second].map(packed)
        let currency =
            UInt16(packed(Int(transaction.currency) / 100)) << 8 | UInt16(packed(Int(transaction.currency) % 100))
        let data = transaction.data.encoded
        return unsafe emv_bench_transaction(
            bench, transaction.type.rawValue, transaction.amount, currency, date, time, random, random.count, data,
            data.count)
    }

    private func packed(_ number: Int) -> UInt8 { UInt8(number / 10 * 16 + number % 10) }

    private func examine(_ result: emv_bench_result) throws {
        let name = dialogue.scenario.name
        let what: String
        switch UInt32(result.fault) {
        case EMV_BENCH_OK.rawValue:
            guard CSession.status(result.status) == dialogue.scenario.expected.outcome else {
                throw BenchFailure("\(name): the C session ended with status \(result.status)")
            }
            return
        case EMV_BENCH_BAD_CONFIGURATION.rawValue: what = "refuses the configuration"
        case EMV_BENCH_BAD_TRANSACTION.rawValue: what = "refuses the transaction"
        case EMV_BENCH_OTHER_COMMAND.rawValue:
            what = "sends \(sentCommand), not \(recordedCommand(Int(result.detail))), as command"
        case EMV_BENCH_TOO_MANY_COMMANDS.rawValue: what = "sends more commands than were recorded"
        case EMV_BENCH_TOO_FEW_COMMANDS.rawValue: what = "sends fewer commands than were recorded"
        case EMV_BENCH_UNEXPECTED_STEP.rawValue: what = "asks for what no scenario has"
        case EMV_BENCH_OTHER_OUTCOME.rawValue: what = "ended a tap otherwise than the first"
        default: what = "has no memory"
        }
        throw BenchFailure("\(name): the C session \(what) (\(result.detail))")
    }

    private var sentCommand: String {
        var bytes = Bytes(repeating: 0, count: 300)
        let count = unsafe emv_bench_command(bench, &bytes, bytes.count)
        return Hex.string(bytes.prefix(count))
    }

    private func recordedCommand(_ index: Int) -> String {
        dialogue.exchanges.indices.contains(index) ? Hex.string(dialogue.exchanges[index].command) : "none"
    }

    /// The C interface's codes of outcomes.
    private static func status(_ code: UInt8) -> Outcome.Status? {
        switch code {
        case 0x10: .approved
        case 0x20: .declined
        case 0x30: .onlineRequest
        case 0x34: .requestOnlinePIN
        case 0x40: .endApplication
        case 0x50: .selectNext
        case 0x60: .tryAnotherInterface
        case 0x70: .tryAgain
        default: nil
        }
    }
}
