// SPDX-License-Identifier: Apache-2.0
// A POS in a separate process, for tests that kill it. Its journal and its host's ledger are files of the given
// directory. The file `told` in it has a line for each result that was reported to the app.
//
//   journal-pos pay TAP DIRECTORY        one payment of `Payment.all`
//   journal-pos live SEED DIRECTORY      up to four random sales from a seed
//   journal-pos write COUNT DIRECTORY    COUNT payments as events without a reader; marks each commit in the record
//   journal-pos fill 0 DIRECTORY         payments until the storage is full, and again when there is space
//   journal-pos hold COUNT DIRECTORY     opens the journal, reports it, journals COUNT payments, waits for the end of
//                                        its input
//   journal-pos pair NUMBER DIRECTORY    one payment of `Pair`
//   journal-pos accounts COUNT DIRECTORY COUNT payments with every named card; the file `secrets` lists, in hexadecimal
//                                        lines, the data that must not be in any file of the journal
//   journal-pos year DAYS DIRECTORY      days of 300 payments each, of which half a year's are kept
//   journal-pos look 0 DIRECTORY         reads the journal of another process, reports it, waits for the end of its
//                                        input
//   journal-pos clock 0 DIRECTORY        the time of the machine since its start, in milliseconds
//   journal-pos sales SEED DIRECTORY     three operations on each of some sales; is killed after every few, and
//                                        continues at the same place
//   journal-pos sweep TAP DIRECTORY      repeats the payment, with the fault at each of its calls in turn
//
// JOURNAL_FAULT="KIND NUMBER [ERROR]" is the injected fault, JOURNAL_KILL="before|after NUMBER" the append at which the
// process ends, JOURNAL_RECORD the file for its system calls, JOURNAL_RECENT the number of events that stay recent,
// JOURNAL_CANARY=1 the settings that are known to lose commits.
#if Journal
import EMVJournal
import EMVKit
import EMVSimulator
import Foundation
import JournalFaults
import TestData

@main struct JournalPOS {
    static func main() async throws {
        let words = CommandLine.arguments
        guard words.count == 4, let number = UInt64(words[2]) else { exit(64) }
        let directory = words[3], environment = ProcessInfo.processInfo.environment
        begin(environment)
        var options = SQLiteJournal.Options(), knobs = SQLiteJournal.Knobs()
        if environment["JOURNAL_CANARY"] == "1" { knobs.setsTooEarly = true }
        if let recent = environment["JOURNAL_RECENT"].flatMap(Int.init) { knobs.recent = recent }
        if words[1] == "look" { options.isReadOnly = true }
        let journal = SQLiteJournal(path: directory + "/journal.sqlite", options: options, knobs: knobs)
        switch words[1] {
        case "pay": try await POS(directory, journal).pay(Payment.all[Int(number)])
        case "live": try await POS(directory, journal).live(number)
        case "write": try await write(Int(number), journal)
        case "fill": try await fill(directory, journal)
        case "hold": try await hold(Int(number), journal)
        case "pair": try await Pair(Int(number)).pay(directory, Deadly(journal, environment["JOURNAL_KILL"] ?? ""))
        case "accounts": try await accounts(Int(number), directory, journal)
        case "year": try await Year(Int(number), directory).run()
        case "look": try await look(journal)
        case "clock": say("uptime \(JournalClock.system.now().uptime)")
        case "sales": try await Sales(number, directory, journal).run()
        case "sweep": try await Sweep(Int(number), directory, environment).run()
        default: exit(64)
        }
        say("calls \(journal_faults_calls()) syncs \(journal_faults_syncs())")
    }

    static func say(_ text: String) { FileHandle.standardOutput.write(Data((text + "\n").utf8)) }

    static func fault(_ environment: [String: String]) -> (kind: journal_fault, at: UInt64, error: Int32) {
        let words = (environment["JOURNAL_FAULT"] ?? "").split(separator: " ").map(String.init)
        let kinds = [
            "kill": JOURNAL_FAULT_KILL, "torn": JOURNAL_FAULT_KILL_TORN, "fail": JOURNAL_FAULT_FAIL,
            "failFrom": JOURNAL_FAULT_FAIL_FROM, "sync": JOURNAL_FAULT_KILL_SYNC, "synced": JOURNAL_FAULT_KILL_SYNCED,
        ]
        let kind = words.first.flatMap { kinds[$0] } ?? JOURNAL_FAULT_NONE
        let at = words.count > 1 ? UInt64(words[1]) ?? 0 : 0
        return (kind, at, words.count > 2 ? Int32(words[2]) ?? 5 : 5)
    }

    private static func begin(_ environment: [String: String]) {
        if CommandLine.arguments[1] == "sweep" { return }
        let fault = Self.fault(environment)
        journal_faults_begin("journal.sqlite", fault.kind, fault.at, fault.error, environment["JOURNAL_RECORD"])
    }

    /// Four commits per payment, with an account that is erased at the end.
    private static func write(_ count: Int, _ journal: SQLiteJournal) async throws {
        _ = try await journal.open()
        var events: UInt64 = 0
        for number in 0..<count {
            for (key, step) in Sample.payment(number) {
                try await journal.append(step, to: key)
                events += UInt64(step.count)
                journal_faults_mark(events)
            }
            if number % 8 == 7 { try await journal.maintain() }
        }
    }

    private static func look(_ journal: SQLiteJournal) async throws {
        _ = try await journal.open()
        try await journal.reading {
            say("reading")
            while readLine() != nil {}
        }
    }

    /// An obstructing file is removed when the storage is full.
    private static func fill(_ directory: String, _ journal: SQLiteJournal) async throws {
        let filler = directory + "/filler"
        _ = FileManager.default.createFile(atPath: filler, contents: Data(repeating: 1, count: 150_000))
        _ = try await journal.open()
        var number = 0
        // The first payment stays open until no new one begins.
        let open = Sample.payment(100_000)
        try await journal.append(open[0].1, to: open[0].0)
        while number < 5_000, try await isTaken(number, journal) { number += 1 }
        say("full at began \(number)")
        for (key, step) in open.dropFirst() { try await journal.append(step, to: key) }
        say("ended, full: \(try await journal.standing().isFull)")
        try FileManager.default.removeItem(atPath: filler)
        for (key, step) in Sample.payment(number + 1) { try await journal.append(step, to: key) }
        say("begins again, full: \(try await journal.standing().isFull)")
        say("verified \(try await journal.verify())")
    }

    /// A payment is refused before it has begun.
    private static func isTaken(_ number: Int, _ journal: SQLiteJournal) async throws -> Bool {
        let steps = Sample.payment(number)
        do {
            try await journal.append(steps[0].1, to: steps[0].0)
        } catch JournalError.full {
            return false
        }
        for step in steps.dropFirst() { try await journal.append(step.1, to: step.0) }
        return true
    }

    private static func accounts(_ count: Int, _ directory: String, _ journal: SQLiteJournal) async throws {
        let pos = try await POS(directory, journal), pad = RecordingPINPad()
        // Cards that this POS knows.
        let known = POS.configuration.combinations.map(\.aid)
        let profiles = CardProfile.profiles.values
            .filter { profile in known.contains { profile.application.aid.starts(with: $0) } }
            .sorted { $0.name < $1.name }
        var secrets: Set<Bytes> = [], payments = 0
        for number in 0..<count {
            await pos.host.meet(number % 5 == 4 ? [.unreachable] : [])
            if number % 3 == 0 { await pos.host.answer([.requestPIN]) }
            let read = try await pos.sell(SimulatedReader(profiles[number % profiles.count]), pad, number)
            guard let read else { continue }
            payments += 1
            let track = read.dataRecord[0x57] ?? read.dataRecord[0x9F6B]
            for value in [track, read.dataRecord[0x5F20], read.dataRecord[0x56]] {
                if let value { secrets.insert(value) }
            }
            let digits = (read.dataRecord[0x5A] ?? track ?? []).flatMap { [$0 >> 4, $0 & 0x0F] }.prefix { $0 < 10 }
            if digits.count >= 12 { secrets.insert(digits.map { $0 + 0x30 }) }
        }
        for block in await pad.blocks { secrets.insert(block) }
        let lines = secrets.map { $0.map { byte in String(format: "%02x", byte) }.joined() }
        try Data(lines.joined(separator: "\n").utf8).write(to: URL(fileURLWithPath: directory + "/secrets"))
        say("payments \(payments) pins \(await pad.blocks.count)")
        // The process is killed here, so that the log remains as in a running process.
        kill(getpid(), SIGKILL)
    }

    private static func hold(_ count: Int, _ journal: SQLiteJournal) async throws {
        do {
            _ = try await journal.open()
            for number in 0..<count {
                for (key, step) in Sample.payment(number) { try await journal.append(step, to: key) }
            }
            say("open")
        } catch JournalError.inUse(let owner) {
            say("in use by \(owner)")
        }
        while readLine() != nil {}
        await journal.close()
    }
}

/// Operations on sales in a random order from a seed, one of each sale in turn. The file `done` has a byte for each
/// finished operation. The process is killed after every few.
struct Sales {
    private let seed: UInt64
    private let path: String
    private let journal: SQLiteJournal

    init(_ seed: UInt64, _ directory: String, _ journal: SQLiteJournal) {
        self.seed = seed
        path = directory + "/done"
        self.journal = journal
    }

    func run() async throws {
        var random = SeededRandom(seed: seed)
        let orders = (0..<12).map { _ in SaleModel.orders.randomElement(using: &random)! }
        let steps = (0..<3).flatMap { place in orders.indices.map { ($0, orders[$0][place]) } }
        var models = orders.indices.map { SaleModel(SaleReference(rawValue: "order-\($0)")!) }
        if !FileManager.default.fileExists(atPath: path) {
            _ = FileManager.default.createFile(atPath: path, contents: nil)
        }
        let file = FileHandle(forUpdatingAtPath: path)!, done = Int(try file.seekToEnd())
        for (sale, step) in steps.prefix(done) { models[sale].pass(step) }
        var chance = SeededRandom(seed: seed &* 1_000 &+ UInt64(done))
        let end = done + Int.random(in: 1...4, using: &chance)
        _ = try await journal.open()
        for (number, (sale, step)) in steps.enumerated().dropFirst(done) {
            if number == end { kill(getpid(), SIGKILL) }
            let agrees = try await models[sale].take(step, journal)
            if !agrees { JournalPOS.say("wrong: \(step) of \(orders[sale])") }
            file.write(Data([1]))
        }
        for (model, order) in zip(models, orders) {
            let account = try await model.account(journal)
            let other = try await SaleModel.account(model.sale, after: order, MemoryJournal())
            if account != other { JournalPOS.say("wrong: \(order) comes to \(account), not to \(other)") }
        }
        JournalPOS.say("operations \(steps.count)")
    }
}

/// Every kind of tap with every answer of a host.
struct Pair {
    private static let answers: [(SimulatedHost.Answer, SimulatedHost.Fault)] = [
        (.approve, .none), (.decline("51"), .none), (.requestPIN, .none), (.approve, .unreachable), (.approve, .late),
        (.approve, .loseAnswer),
    ]
    private let tap: SimulatedTap
    private let answer: (SimulatedHost.Answer, SimulatedHost.Fault)

    init(_ number: Int) {
        tap = SimulatedTap.allCases[number / Pair.answers.count]
        answer = Pair.answers[number % Pair.answers.count]
    }

    func pay(_ directory: String, _ journal: Deadly) async throws {
        let pos = try await POS(directory, journal)
        await pos.host.answer([answer.0])
        await pos.host.meet([answer.1])
        let field = Field(SimulatedReader(tap))
        try await pos.payAndTell(tap, tap.amount, field)
        JournalPOS.say(
            "asked \(await pos.host.requests.count + pos.host.lateCount) appends \(await journal.count) "
                + "field \(await field.calls)")
    }
}

/// A reader that counts writes to the journal's files, and syncs, between the first command to a card and the last
/// response.
actor Field: CardTransport {
    private let reader: SimulatedReader
    private var first: UInt64?
    private(set) var calls: UInt64 = 0
    nonisolated var isSimulated: Bool { true }

    init(_ reader: SimulatedReader) { self.reader = reader }

    private func count() -> UInt64 { journal_faults_calls() + journal_faults_syncs() }

    func transceive(_ command: Bytes) async -> Exchange {
        let before = first ?? count()
        first = before
        let exchange = await reader.transceive(command)
        calls = count() - before
        return exchange
    }

    func open() async -> ReaderFault? { await reader.open() }
    func begin(_ tap: TapRecord) async { await reader.begin(tap) }
    func waitForCard(_ poll: Poll) async -> CardEvent { await reader.waitForCard(poll) }
    func fieldOff() async { await reader.fieldOff() }
    func fieldOff(for hold: Duration) async { await reader.fieldOff(for: hold) }
}

/// A journal whose process ends before or after an append.
actor Deadly: Journal {
    private let journal: SQLiteJournal
    private let isBefore: Bool
    private let at: Int
    private(set) var count = 0

    init(_ journal: SQLiteJournal, _ kill: String) {
        self.journal = journal
        let words = kill.split(separator: " ")
        isBefore = words.first == "before"
        at = words.count > 1 ? Int(words[1]) ?? 0 : 0
    }

    private func end() { kill(getpid(), SIGKILL) }

    func append(
        _ events: [JournalEvent], to key: ReconciliationKey, within limits: OfflineLimits?
    ) async throws(JournalError) {
        count += 1
        let number = count
        if number == at, isBefore { end() }
        try await journal.append(events, to: key, within: limits)
        if number == at { end() }
    }

    func open() async throws(JournalError) -> [JournaledTap] { try await journal.open() }
    func tap(_ key: ReconciliationKey) async throws(JournalError) -> JournaledTap? { try await journal.tap(key) }
    func taps(of sale: SaleReference) async throws(JournalError) -> [JournaledTap] { try await journal.taps(of: sale) }
    func standing() async throws(JournalError) -> JournalStanding { try await journal.standing() }
    func nextCounter(from first: UInt32) async throws(JournalError) -> UInt32 {
        try await journal.nextCounter(from: first)
    }
    func entries(after number: UInt64, limit: Int) async throws(JournalError) -> [JournalEntry] {
        try await journal.entries(after: number, limit: limit)
    }
}

/// Days of payments, with a retention of 180/365 of them, and the cost of each commit: calls that change a file, and
/// bytes. Processor time is reported, too, but other processes on the machine can disturb it.
struct Year {
    private let days: Int
    private let path: String

    init(_ days: Int, _ directory: String) {
        self.days = days
        path = directory + "/journal.sqlite"
    }

    private final class Time: @unchecked Sendable {
        // Written only between calls of the journal.
        nonisolated(unsafe) var seconds: Int64 = 0
    }

    func run() async throws {
        let time = Time()
        let retention = Int64(days) * 180 / 365
        let options = SQLiteJournal.Options(
            retention: .seconds(retention * 86_400), ballast: 0,
            clock: JournalClock {
                JournalClock.Reading(wall: 1_700_000_000 + time.seconds, boot: "one", uptime: time.seconds * 1000)
            })
        let journal = SQLiteJournal(path: path, options: options, knobs: SQLiteJournal.Knobs(synchronous: 0))
        _ = try await journal.open()
        var commits: [(time: UInt64, calls: UInt64, bytes: UInt64, isCheckpoint: Bool)] = []
        var whole = (calls: UInt64(0), bytes: UInt64(0))
        for day in 0..<days {
            for number in 0..<300 {
                time.seconds += 288
                // Keys and sales in their default form: unordered, which is the most expensive case for an index.
                for (key, events) in Sample.payment(day * 300 + number, anywhere: true) {
                    let calls = journal_faults_calls(), bytes = journal_faults_bytes(), main = journal_faults_main()
                    let start = now()
                    try await journal.append(events, to: key)
                    commits.append(
                        (
                            now() - start, journal_faults_calls() - calls, journal_faults_bytes() - bytes,
                            journal_faults_main() > main
                        ))
                }
            }
            // As in `Settlement.run` when nothing else is due.
            let before = (journal_faults_calls(), journal_faults_bytes())
            for _ in 0..<40 { try await journal.maintain() }
            whole.calls += journal_faults_calls() - before.0
            whole.bytes += journal_faults_bytes() - before.1
        }
        let kept = try await journal.entries().filter { $0.event.name == .began }.count
        let size = (try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? 0
        let usual = commits.filter { !$0.isCheckpoint }
        let times = usual.map(\.time).sorted(), calls = usual.map(\.calls).sorted(), bytes = usual.map(\.bytes).sorted()
        let middle = calls[calls.count / 2]
        JournalPOS.say(
            """
            payments \(days * 300) kept \(kept) bytes \(size) commits \(commits.count) \
            checkpoints \(commits.count - usual.count) median_us \(times[times.count / 2] / 1000) \
            p99_us \(times[times.count * 99 / 100] / 1000) longest_us \(times.last! / 1000) \
            median_calls \(middle) most_calls \(calls.last!) over_calls \(calls.filter { $0 > 3 * middle }.count) \
            median_bytes \(bytes[bytes.count / 2]) most_bytes \(bytes.last!) \
            all_bytes \(commits.reduce(0) { $0 + $1.bytes }) maintenance_calls \(whole.calls) \
            maintenance_bytes \(whole.bytes)
            """)
    }

    private func now() -> UInt64 { clock_gettime_nsec() }

    private func clock_gettime_nsec() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}

/// Records the blocks that it returned.
actor RecordingPINPad: PINPad {
    nonisolated let supportsAccessibility = true
    private(set) var blocks: [Bytes] = []

    func collectPIN(_ request: PINRequest) async -> PINEntry {
        guard let block = SimulatedPINPad.block() else { return .failed([]) }
        blocks.append(block.bytes)
        return .entered(block)
    }
}

/// One payment with a fault at each of its system calls in turn. After each fault the process could end, in which case
/// its remains are settled separately; or it continues: the failed journal is opened again, and sells.
struct Sweep {
    private let payment: Int
    private let directory: String
    private let fault: (kind: journal_fault, at: UInt64, error: Int32)

    init(_ payment: Int, _ directory: String, _ environment: [String: String]) {
        self.payment = payment
        self.directory = directory
        fault = JournalPOS.fault(environment)
    }

    func run() async throws {
        var call: UInt64 = 0, isReached = true
        while isReached {
            call += 1
            let place = directory + "/\(call)"
            try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
            isReached = try await meet(call, place)
            try FileManager.default.removeItem(atPath: place)
        }
        JournalPOS.say("met \(call - 1)")
    }

    private func journal(_ place: String, clock: JournalClock = .system) -> SQLiteJournal {
        SQLiteJournal(path: place + "/journal.sqlite", options: SQLiteJournal.Options(ballast: 16_384, clock: clock))
    }

    private func meet(_ call: UInt64, _ place: String) async throws -> Bool {
        // The first payment's journal is created while calls fail.
        if payment > 0 {
            let first = journal(place)
            _ = try await first.open()
            await first.close()
        }
        journal_faults_begin("journal.sqlite", fault.kind, call, fault.error, nil)
        let file = journal(place), watched = WatchedJournal(file)
        let pos = try await POS(place, watched)
        try? await pos.pay(Payment.all[payment])
        let isReached = journal_faults_calls() >= call
        journal_faults_begin("", JOURNAL_FAULT_NONE, 0, 0, nil)
        let ended = try copy(place, "ended"), restarted = try copy(place, "restarted")
        tell(call, "ended", try await Agreement.problems(ended, journal(ended)))
        // A storage that accepts no writes cannot record the failure.
        if fault.kind == JOURNAL_FAULT_FAIL {
            let clock = JournalClock {
                JournalClock.Reading(wall: JournalClock.system.now().wall + 60, boot: "next", uptime: 1)
            }
            tell(call, "restarted", try await Agreement.problems(restarted, journal(restarted, clock: clock)))
        }
        if await watched.wentOn { tell(call, "went on", ["something was written after a write had failed"]) }
        _ = try await watched.open()
        try await pos.pay(Payment.all[0])
        await file.close()
        tell(call, "went on", try await Agreement.problems(place, journal(place)))
        return isReached
    }

    /// Copies the files as the end of the process leaves them.
    private func copy(_ place: String, _ name: String) throws -> String {
        let files = FileManager.default, image = place + "/" + name
        try files.createDirectory(atPath: image, withIntermediateDirectories: true)
        for name in ["journal.sqlite", "journal.sqlite-wal", "journal.sqlite.owner", "host", "told"]
        where files.fileExists(atPath: place + "/" + name) {
            try files.copyItem(atPath: place + "/" + name, toPath: image + "/" + name)
        }
        // The original file, because a process that has ended is not a backup.
        let mark = "/journal.sqlite.mark"
        if files.fileExists(atPath: place + mark) { try files.linkItem(atPath: place + mark, toPath: image + mark) }
        return image
    }

    private func tell(_ call: UInt64, _ end: String, _ problems: [String]) {
        for problem in problems { JournalPOS.say("wrong: payment \(payment) call \(call) \(end): \(problem)") }
    }
}

/// Records whether a write failed, and whether another one was accepted before the journal was opened again.
actor WatchedJournal: Journal {
    private let journal: SQLiteJournal
    private var hasFailed = false
    private(set) var wentOn = false

    init(_ journal: SQLiteJournal) { self.journal = journal }

    func open() async throws(JournalError) -> [JournaledTap] {
        let open = try await journal.open()
        hasFailed = false
        return open
    }

    func append(
        _ events: [JournalEvent], to key: ReconciliationKey, within limits: OfflineLimits?
    ) async throws(JournalError) {
        let hadFailed = hasFailed
        do throws(JournalError) {
            try await journal.append(events, to: key, within: limits)
        } catch .unavailable(let reason) {
            hasFailed = true
            throw .unavailable(reason)
        }
        if hadFailed { wentOn = true }
    }

    func tap(_ key: ReconciliationKey) async throws(JournalError) -> JournaledTap? { try await journal.tap(key) }
    func taps(of sale: SaleReference) async throws(JournalError) -> [JournaledTap] { try await journal.taps(of: sale) }
    func standing() async throws(JournalError) -> JournalStanding { try await journal.standing() }
    func nextCounter(from first: UInt32) async throws(JournalError) -> UInt32 {
        try await journal.nextCounter(from: first)
    }
    func entries(after number: UInt64, limit: Int) async throws(JournalError) -> [JournalEntry] {
        try await journal.entries(after: number, limit: limit)
    }
}

/// Settles everything that is open, and then checks that host, journal and the results reported to the app agree.
enum Agreement {
    static func problems(_ directory: String, _ journal: SQLiteJournal) async throws -> [String] {
        var problems: [String] = []
        do {
            _ = try await journal.open()
            try await journal.verify()
            let host = try SimulatedHost(path: directory + "/host")
            let settlement = Settlement(journal, with: host, policy: SettlementPolicy(jitter: 0), timer: StillClock())
            let recovered = try await settlement.recover()
            await host.deliverLate()
            _ = await settlement.forwardNow()
            let booked = await host.booked
            for difference in try await journal.totals().differences(from: booked) { problems.append("\(difference)") }
            for settled in recovered where settled.ending.name == .approved && booked[settled.key] == nil {
                problems.append("\(settled.key) is told as approved and not booked")
            }
            for (key, word) in told(directory) {
                let tap = try await journal.tap(key)
                if tap == nil { problems.append("\(key) was \(word) and is not known") }
                if word == "approved", booked[key] == nil { problems.append("\(key) was approved and is not booked") }
                if word == "failed" || word == "declined", booked[key] != nil {
                    problems.append("\(key) was \(word) and is booked")
                }
            }
            for key in booked.keys where try await journal.tap(key) == nil { problems.append("\(key) is not known") }
            for tap in try await journal.open() where tap.isToTell { try await settlement.acknowledge(tap.key) }
            let standing = try await journal.standing()
            if !standing.isSettled { problems.append("not settled: \(standing)") }
            try await journal.maintain()
            try await journal.verify()
        } catch {
            problems.append("\(error)")
        }
        await journal.close()
        return problems
    }

    private static func told(_ directory: String) -> [(ReconciliationKey, String)] {
        let text = (try? String(contentsOfFile: directory + "/told", encoding: .utf8)) ?? ""
        return text.split(separator: "\n").compactMap { line in
            let words = line.split(separator: " ").map { String($0) }
            return ReconciliationKey(rawValue: words[0]).map { ($0, words[1]) }
        }
    }
}

/// The steps of a payment.
struct Payment {
    let tap: SimulatedTap
    var answers: [SimulatedHost.Answer] = []
    var faults: [SimulatedHost.Fault] = []

    static let all: [Payment] = [
        Payment(tap: .online, answers: [.approve]), Payment(tap: .approve), Payment(tap: .decline),
        Payment(tap: .noCard), Payment(tap: .online, answers: [.decline("51")]),
        Payment(tap: .online, answers: [.requestPIN, .approve]), Payment(tap: .online, faults: [.unreachable]),
        Payment(tap: .online, faults: [.loseAnswer]), Payment(tap: .online, faults: [.loseRequest]),
        Payment(tap: .online, faults: [.late]), Payment(tap: .onlinePIN, answers: [.approve]),
        Payment(tap: .online, faults: [.loseAnswer, .loseRequest, .loseAnswer]),
        Payment(tap: .online, faults: [.twice, .twice]),
    ]
}

/// Events of payments without a reader.
enum Sample {
    /// - Parameter anywhere: key and sale look random; otherwise the key counts, and there is no sale.
    static func payment(_ number: Int, anywhere: Bool = false) -> [(ReconciliationKey, [JournalEvent])] {
        let key = ReconciliationKey(rawValue: anywhere ? scattered(number, 1) : "payment-\(number)")!
        let sale = anywhere ? SaleReference(rawValue: scattered(number, 2)) : nil
        let moment = LocalTime.now()
        let amount = Money(minorUnits: UInt64(100 + number), currency: .eur)
        let read = StoredRead(
            authorization: .onlineRequired, cvm: .none, maskedPAN: nil,
            clearRecord: CardData([0x9F, 0x26, 0x02, UInt8(truncatingIfNeeded: number >> 8), UInt8(number & 0xFF)]),
            payload: SealedPayload(
                scheme: "test", keyIdentifier: [1],
                ciphertext: Bytes("sealed \(number) ".utf8) + Bytes(repeating: 7, count: 200)),
            fingerprint: Fingerprint(rawValue: "card \(number)"))
        return [
            (key, [.began(TapIntent(sale: sale, amount: amount, counter: UInt32(number + 1), moment: moment))]),
            (key, [.read(read), .asking(attempt: 1, deadline: .seconds(30))]),
            (key, [.answered(.approved(Approval(code: "\(number)")))]),
            (key, [.acknowledged, .closed, .erased(.account)]),
        ]
    }

    /// 32 hex digits that differ for each number (splitmix64).
    private static func scattered(_ number: Int, _ kind: UInt64) -> String {
        [kind, kind + 2].map { half in
            var value = (UInt64(number) &* 4 &+ half) &* 0x9E37_79B9_7F4A_7C15
            value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
            value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
            let text = String(value ^ value >> 31, radix: 16, uppercase: true)
            return String(repeating: "0", count: 16 - text.count) + text
        }.joined()
    }
}

struct POS {
    let journal: any Journal
    let host: SimulatedHost
    let settlement: Settlement
    private let told: FileHandle

    /// Cards of every scheme, and of Kernel 8.
    static let configuration = Configuration.simulator(secrets: .simulatorVariableTime)

    init(_ directory: String, _ journal: any Journal) async throws {
        self.journal = journal
        host = try SimulatedHost(path: directory + "/host")
        settlement = Settlement(journal, with: host, policy: SettlementPolicy(jitter: 0), timer: StillClock())
        let path = directory + "/told"
        if !FileManager.default.fileExists(atPath: path) {
            _ = FileManager.default.createFile(atPath: path, contents: nil)
        }
        told = FileHandle(forWritingAtPath: path)!
        try told.seekToEnd()
    }

    func pay(_ payment: Payment) async throws {
        await host.answer(payment.answers)
        await host.meet(payment.faults)
        try await payAndTell(payment.tap, 1250)
    }

    func payAndTell(_ tap: SimulatedTap, _ amount: UInt64, _ transport: (any CardTransport)? = nil) async throws {
        guard let (key, result) = try await sell(transport ?? SimulatedReader(tap), amount, nil, policy) else { return }
        tell(key, result)
        // Refused while it is still being reversed.
        try? await settlement.acknowledge(key)
    }

    /// - Returns: the read.
    func sell(_ transport: SimulatedReader, _ pad: RecordingPINPad, _ number: Int) async throws -> CardRead? {
        // Some cards are never read.
        let session = try await reader(transport, policy, timer: ContinuousClock()).prepare()
        let request = PaymentRequest(
            amount: Money(minorUnits: UInt64(1_000 + number), currency: .eur), timeout: .milliseconds(200))
        let read: CardRead
        switch await session.read(request) {
        case .success(let card), .onlinePINRequired(let card): read = card
        case .declined(let card): return card
        default: return nil
        }
        if let key = read.key { tell(key, await session.authorize(read, with: host, pinPad: pad)) }
        return read
    }

    private func reader(
        _ transport: any CardTransport, _ policy: OfflinePolicy?, timer: any Clock<Duration> = StillClock()
    ) -> TapReader {
        var options = with(TapReader.Options(cardTimeout: .seconds(1))) { $0.hasPINPad = true }
        options.journal = journal
        options.sealer = SimulatedSealer()
        options.fingerprints = SimulatedSealer()
        options.offline = policy
        options.timer = timer
        return TapReader(
            transport, configuration: Self.configuration, secrets: .simulatorVariableTime, options: options)
    }

    /// Runs up to four random sales from a seed, after settling the remains of an earlier process.
    func live(_ seed: UInt64) async throws {
        var random = SeededRandom(seed: seed)
        let faults = (0..<Int.random(in: 0...6, using: &random)).map { _ in
            SimulatedHost.Fault.allCases.randomElement(using: &random)!
        }
        let answers: [SimulatedHost.Answer] = [
            .approve, .approve, .decline("51"), .requestPIN, .approvePart(Money(minorUnits: 100, currency: .eur)),
        ]
        let next = (0..<3).map { _ in answers.randomElement(using: &random)! }
        await host.meet(faults)
        await host.answer(next)
        for settled in try await settlement.recover() where settled.ending != .unknown {
            try? await settlement.acknowledge(settled.key)
        }
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            let taps: [SimulatedTap] = [.online, .online, .online, .approve, .decline, .onlinePIN, .noCard]
            let tap = taps.randomElement(using: &random)!, amount = UInt64.random(in: 200...4_000, using: &random)
            let sale = SaleReference(rawValue: "order-\(Int.random(in: 0..<40, using: &random))")
            let isDoubled = Int.random(in: 0..<5, using: &random) == 0
            let policy = Int.random(in: 0..<3, using: &random) == 0 ? nil : policy
            let isAcknowledged = Bool.random(using: &random), forwards = Int.random(in: 0..<3, using: &random) == 0
            let delivers = Int.random(in: 0..<3, using: &random) == 0
            async let other = again(isDoubled, tap, amount, sale, policy)
            let one = try await sell(SimulatedReader(tap), amount, sale, policy)
            for case (let key, let result)? in [one, try await other] {
                tell(key, result)
                if isAcknowledged { try? await settlement.acknowledge(key) }
            }
            if forwards { _ = await settlement.forwardNow() }
            if delivers { await host.deliverLate() }
        }
    }

    private let policy = OfflinePolicy(
        limits: OfflineLimits(
            amounts: [
                OfflineLimits.Amounts(
                    perTap: Money(minorUnits: 20_000, currency: .eur), perCard: 30_000, total: 100_000)
            ], countPerCard: 2, count: 10, sinceHost: nil))

    private func again(
        _ isDoubled: Bool, _ tap: SimulatedTap, _ amount: UInt64, _ sale: SaleReference?, _ policy: OfflinePolicy?
    ) async throws -> (ReconciliationKey, AuthorizationResult)? {
        isDoubled ? try await sell(SimulatedReader(tap), amount, sale, policy) : nil
    }

    private func sell(
        _ transport: any CardTransport, _ amount: UInt64, _ sale: SaleReference?, _ policy: OfflinePolicy?
    ) async throws -> (ReconciliationKey, AuthorizationResult)? {
        let session = try await reader(transport, policy).prepare()
        var request = PaymentRequest(amount: Money(minorUnits: amount, currency: .eur), timeout: .seconds(1))
        request.sale = sale
        let read: CardRead
        switch await session.read(request) {
        case .success(let card), .onlinePINRequired(let card): read = card
        default: return nil
        }
        guard let key = read.key else { return nil }
        return (key, await session.authorize(read, with: host, pinPad: SimulatedPINPad()))
    }

    private func tell(_ key: ReconciliationKey, _ result: AuthorizationResult) {
        told.write(Data("\(key) \(result.name.rawValue)\n".utf8))
    }
}

/// A clock that never advances.
struct StillClock: Clock {
    typealias Instant = ContinuousClock.Instant
    var now: Instant { ContinuousClock.now }
    var minimumResolution: Duration { .zero }
    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        while true { try await Task.sleep(for: .seconds(3600)) }
    }
}

#else
@main struct JournalPOS {
    static func main() { print("built without the trait Journal") }
}
#endif
