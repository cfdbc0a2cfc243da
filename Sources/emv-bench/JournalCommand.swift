// SPDX-License-Identifier: Apache-2.0
#if Tools && Journal
import ArgumentParser
import EMVJournal
import EMVKit
import Foundation

struct JournalCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "journal",
        abstract: "Shows the open payments of a journal and checks it, or measures a new one.",
        discussion: """
            With a file: only reads, also while a POS uses the journal. With --measure: creates a journal in the \
            directory, and times bare syncs, commits and taps in the same run, then opening and checking.

            Examples:
              emv-bench journal till.sqlite
              emv-bench journal --measure /tmp
              emv-bench journal --measure /tmp --taps 2000 --closed 54000
            """)

    @Argument(help: ArgumentHelp("A journal.", valueName: "file"))
    var file: String?

    @Option(help: ArgumentHelp("Measures a new journal in this directory.", valueName: "directory"))
    var measure: String?

    @Option(help: ArgumentHelp("Taps that are measured.", valueName: "n"))
    var taps = 1000

    @Option(help: ArgumentHelp("Closed taps that are there when it is opened.", valueName: "n"))
    var closed = 0

    func run() async throws {
        if let file { try await show(file) }
        if let measure { try await JournalMeasurement(directory: measure, taps: taps, closed: closed).run() }
        guard file != nil || measure != nil else {
            throw ValidationError("name a journal file, or measure a new journal: --measure DIR")
        }
    }

    private func show(_ file: String) async throws {
        guard access(file, R_OK) == 0 else {
            throw BenchFailure("cannot open \(file): \(unsafe String(cString: strerror(errno)).lowercased())")
        }
        let journal = SQLiteJournal(path: file, options: SQLiteJournal.Options(isReadOnly: true))
        do {
            let open = try await journal.open(), standing = try await journal.standing()
            for (name, sum) in [
                ("unresolved", standing.unresolved), ("restored, for a person to decide", standing.restored),
                ("deferred", standing.deferred),
                ("unreported", standing.unreported), ("set aside", standing.setAside),
                ("not acknowledged", standing.unacknowledged),
            ] {
                let amounts = sum.amounts.map { "\(Money(minorUnits: $0.value, currency: $0.key))" }.sorted()
                print("\(name): \(sum.count)\(amounts.isEmpty ? "" : " (" + amounts.joined(separator: ", ") + ")")")
            }
            if let oldest = standing.oldest { print("oldest: \(oldest.components.seconds) s") }
            for tap in open { print("\(tap.key) \(tap.state.rawValue) \(tap.amount)") }
            print("checked: \(try await journal.verify()) events, nothing is wrong")
        } catch JournalError.unreadable(let what) {
            // This line names the file.
            print(what)
            throw ExitCode(1)
        } catch {
            print("\(file): \(error)")
            throw ExitCode(1)
        }
    }
}

/// Measures the journal for its limits (Conformance/journal.md).
private struct JournalMeasurement {
    let directory: String
    let taps: Int
    let closed: Int

    func run() async throws {
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        report("4 KiB write and sync, bare", try bare())
        try await measure("synced", synchronous: 2)
        try await measure("without syncs", synchronous: 0)
        try await start()
    }

    private func bare() throws -> [Double] {
        let path = directory + "/bare", block = [UInt8](repeating: 7, count: 4096)
        let file = unsafe open(path, O_RDWR | O_CREAT | O_TRUNC, 0o600)
        guard file >= 0 else { throw ValidationError("cannot write to \(directory)") }
        defer {
            close(file)
            try? FileManager.default.removeItem(atPath: path)
        }
        return (0..<taps).map { _ in
            time {
                _ = unsafe write(file, block, block.count)
                #if canImport(Darwin)
                _ = fcntl(file, F_FULLFSYNC)
                #else
                _ = fdatasync(file)
                #endif
            }
        }
    }

    /// Makes four commits for each tap, as for one that is approved online.
    private func measure(_ name: String, synchronous: Int) async throws {
        let journal = try await fresh(SQLiteJournal.Knobs(synchronous: synchronous))
        var commits: [Double] = [], whole: [Double] = []
        for number in 0..<taps {
            var sum = 0.0
            for (key, events) in JournalMeasurement.tap(number) {
                let clock = ContinuousClock(), start = clock.now
                try await journal.append(events, to: key)
                let passed = (clock.now - start) / .milliseconds(1)
                commits.append(passed)
                sum += passed
            }
            whole.append(sum)
        }
        await journal.close()
        report("commit, \(name)", commits)
        report("tap of four commits, \(name)", whole)
    }

    private func start() async throws {
        let journal = try await fresh(SQLiteJournal.Knobs(synchronous: 0))
        for number in 0..<max(closed, 1) {
            for (key, events) in JournalMeasurement.tap(number) { try await journal.append(events, to: key) }
            // `Settlement.run` does this when nothing else is due.
            if number % 16 == 15 { try await journal.maintain() }
        }
        await journal.close()
        let size = (try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? 0
        let again = SQLiteJournal(path: path)
        let clock = ContinuousClock(), first = clock.now
        _ = try await again.open()
        let opened = clock.now
        let events = try await again.verify()
        let checked = clock.now
        await again.close()
        print("\(max(closed, 1)) closed taps: \(size / 1024) KiB, \(events) events")
        report("open and check the end", [(opened - first) / .milliseconds(1)])
        report("check everything", [(checked - opened) / .milliseconds(1)])
    }

    private var path: String { directory + "/journal.sqlite" }

    private func fresh(_ knobs: SQLiteJournal.Knobs) async throws -> SQLiteJournal {
        for ending in ["", "-wal", "-shm", ".owner", ".ballast"] {
            try? FileManager.default.removeItem(atPath: path + ending)
        }
        let journal = SQLiteJournal(path: path, options: SQLiteJournal.Options(), knobs: knobs)
        _ = try await journal.open()
        return journal
    }

    private static func tap(_ number: Int) -> [(ReconciliationKey, [JournalEvent])] {
        let key = ReconciliationKey(), amount = Money(minorUnits: UInt64(100 + number % 10_000), currency: .eur)
        let record = Bytes(repeating: 0x5A, count: 180)
        let clear = CardData([0x9F, 0x26, 0x08] + record.prefix(8) + [0x9F, 0x10, 0x81, 0xA0] + record.prefix(160))
        let payload = SealedPayload(scheme: "measured", keyIdentifier: [1], ciphertext: Bytes(repeating: 1, count: 200))
        let read = StoredRead(
            authorization: .onlineRequired, cvm: .none, maskedPAN: nil, clearRecord: clear, payload: payload)
        return [
            (key, [.began(TapIntent(amount: amount, counter: UInt32(number + 1), moment: .now()))]),
            (key, [.read(read), .asking(attempt: 1, deadline: .seconds(30))]),
            (key, [.answered(.approved(Approval(code: "123456"))), .erased(.payload)]),
            (key, [.acknowledged, .closed]),
        ]
    }

    private func time(_ work: () -> Void) -> Double {
        let clock = ContinuousClock()
        return clock.measure(work) / .milliseconds(1)
    }

    private func report(_ name: String, _ times: [Double]) {
        let sorted = times.sorted()
        func at(_ part: Double) -> String {
            String(format: "%.3f", sorted[min(sorted.count - 1, Int(Double(sorted.count) * part))])
        }
        let figures = times.count == 1 ? "\(at(0)) ms" : "p50 \(at(0.5)) p95 \(at(0.95)) p99 \(at(0.99)) ms"
        print("\(name): \(figures)")
    }
}
#endif
