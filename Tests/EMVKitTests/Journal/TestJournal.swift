// SPDX-License-Identifier: Apache-2.0
import EMVJournal
import Foundation
import Testing
@testable import EMVKernel
@testable import EMVKit
@testable import EMVPOS

/// The kind of journal for a test: with the trait Journal every test of ``EveryJournal`` runs twice, in memory and in a
/// file.
enum JournalKind: String, Sendable {
    case memory, file
    @TaskLocal static var current = JournalKind.memory

    static var all: [JournalKind] {
        #if Journal
        [.memory, .file]
        #else
        [.memory]
        #endif
    }
}

struct EveryJournal: SuiteTrait, TestTrait, TestScoping {
    var isRecursive: Bool { true }

    func provideScope(
        for test: Test, testCase: Test.Case?, performing body: @Sendable () async throws -> Void
    ) async throws {
        for kind in JournalKind.all { try await JournalKind.$current.withValue(kind) { try await body() } }
    }
}

extension Trait where Self == EveryJournal {
    static var everyJournal: EveryJournal { EveryJournal() }
}

/// A journal of the test's kind, with the calls of ``MemoryJournal``.
struct TestJournal: Journal {
    private let base: any Journal
    private let clock: JournalClock
    private let allowedTip: UInt64

    init(clock: JournalClock = .system, allowedTip: UInt64 = 0) {
        self.clock = clock
        self.allowedTip = allowedTip
        #if Journal
        if JournalKind.current == .file {
            base = FileJournal([], clock, allowedTip)
            return
        }
        #endif
        base = MemoryJournal(clock: clock, allowedTip: allowedTip)
    }

    init(_ entries: [JournalEntry], clock: JournalClock = .system, allowedTip: UInt64 = 0) throws(JournalError) {
        let memory = try MemoryJournal(entries, clock: clock, allowedTip: allowedTip)
        self.clock = clock
        self.allowedTip = allowedTip
        #if Journal
        if JournalKind.current == .file {
            base = FileJournal(entries, clock, allowedTip)
            return
        }
        #endif
        base = memory
    }

    private init(_ base: any Journal, _ clock: JournalClock, _ allowedTip: UInt64) {
        self.base = base
        self.clock = clock
        self.allowedTip = allowedTip
    }

    /// The journal as the next process finds it, in the same file if there is one. This journal ended without closing
    /// anything: drop it.
    func restarted() async throws -> TestJournal {
        #if Journal
        if let file = base as? FileJournal { return TestJournal(file.restarted(), clock, allowedTip) }
        #endif
        let memory = try MemoryJournal(try await base.entries(), clock: clock, allowedTip: allowedTip)
        return TestJournal(memory, clock, allowedTip)
    }

    /// An error here is an error of the test.
    private func sure<Value>(_ work: () async throws(JournalError) -> Value, or none: Value) async -> Value {
        do throws(JournalError) {
            return try await work()
        } catch {
            Issue.record("\(JournalKind.current): \(error)")
            return none
        }
    }

    func open() async -> [JournaledTap] {
        await sure({ () async throws(JournalError) in try await base.open() }, or: [])
    }

    func append(
        _ events: [JournalEvent], to key: ReconciliationKey, within limits: OfflineLimits?
    ) async throws(JournalError) { try await base.append(events, to: key, within: limits) }

    func tap(_ key: ReconciliationKey) async -> JournaledTap? {
        await sure({ () async throws(JournalError) in try await base.tap(key) }, or: nil)
    }

    func taps(of sale: SaleReference) async -> [JournaledTap] {
        await sure({ () async throws(JournalError) in try await base.taps(of: sale) }, or: [])
    }

    func followUps(of key: ReconciliationKey) async -> [JournaledTap] {
        await sure({ () async throws(JournalError) in try await base.followUps(of: key) }, or: [])
    }

    func standing() async -> JournalStanding {
        await sure({ () async throws(JournalError) in try await base.standing() }, or: JournalStanding())
    }

    func nextCounter(from first: UInt32) async -> UInt32 {
        await sure({ () async throws(JournalError) in try await base.nextCounter(from: first) }, or: 0)
    }

    func entries(after number: UInt64, limit: Int) async -> [JournalEntry] {
        await sure({ () async throws(JournalError) in try await base.entries(after: number, limit: limit) }, or: [])
    }

    func maintain() async throws(JournalError) { try await base.maintain() }
    func cardIsPresent(_ isPresent: Bool) { base.cardIsPresent(isPresent) }
}

#if Journal
/// A journal in a file that is removed with it. Every access reads the current file.
private actor FileJournal: Journal {
    /// Removed with the last journal in it.
    private final class Directory: Sendable {
        let url: URL

        /// Removed at the end of the process, together with journals whose readers a test leaves waiting.
        private static let root: URL = {
            let memory = URL(fileURLWithPath: "/dev/shm")
            let isWritable = FileManager.default.isWritableFile(atPath: memory.path)
            atexit { try? FileManager.default.removeItem(at: Directory.root) }
            return (isWritable ? memory : FileManager.default.temporaryDirectory)
                .appendingPathComponent("journals-\(ReconciliationKey().rawValue)")
        }()

        init() {
            url = Directory.root.appendingPathComponent("\(ReconciliationKey().rawValue)")
            try! FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        }

        deinit { try? FileManager.default.removeItem(at: url) }
    }

    private let directory: Directory
    private let options: SQLiteJournal.Options
    private let journal: SQLiteJournal
    private var entries: [JournalEntry]
    private var isOpen = false

    init(_ entries: [JournalEntry], _ clock: JournalClock, _ allowedTip: UInt64) {
        self.init(Directory(), entries, SQLiteJournal.Options(allowedTip: allowedTip, ballast: 0, clock: clock))
    }

    private init(_ directory: Directory, _ entries: [JournalEntry], _ options: SQLiteJournal.Options) {
        self.directory = directory
        self.options = options
        self.entries = entries
        journal = SQLiteJournal(path: directory.url.appendingPathComponent("journal").path, options: options)
    }

    nonisolated func restarted() -> FileJournal { FileJournal(directory, [], options) }

    /// Several calls may arrive before the first has opened the file: all wait in this actor.
    private func opened() async throws(JournalError) -> SQLiteJournal {
        if !isOpen {
            isOpen = true
            var isLeft = false
            for _ in 0..<2_000 where !isLeft {
                do throws(JournalError) {
                    try await journal.load(entries)
                    isLeft = true
                } catch .inUse {
                    // The earlier journal, which has been dropped, may still hold it.
                    try? await Task.sleep(for: .milliseconds(1))
                }
            }
            entries = []
        }
        return journal
    }

    func open() async throws(JournalError) -> [JournaledTap] { try await opened().open() }
    func append(
        _ events: [JournalEvent], to key: ReconciliationKey, within limits: OfflineLimits?
    ) async throws(JournalError) { try await opened().append(events, to: key, within: limits) }
    func tap(_ key: ReconciliationKey) async throws(JournalError) -> JournaledTap? { try await opened().tap(key) }
    func taps(of sale: SaleReference) async throws(JournalError) -> [JournaledTap] { try await opened().taps(of: sale) }
    func followUps(of key: ReconciliationKey) async throws(JournalError) -> [JournaledTap] {
        try await opened().followUps(of: key)
    }
    func standing() async throws(JournalError) -> JournalStanding { try await opened().standing() }
    func nextCounter(from first: UInt32) async throws(JournalError) -> UInt32 {
        try await opened().nextCounter(from: first)
    }
    func entries(after number: UInt64, limit: Int) async throws(JournalError) -> [JournalEntry] {
        try await opened().entries(after: number, limit: limit)
    }
    func maintain() async throws(JournalError) { try await opened().maintain() }
    nonisolated func cardIsPresent(_ isPresent: Bool) { journal.cardIsPresent(isPresent) }
}
#endif
