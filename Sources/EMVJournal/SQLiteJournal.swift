// SPDX-License-Identifier: Apache-2.0
#if Journal
public import EMVKit

import Foundation
import GRDB

/// A journal in a file. Once ``append(_:to:within:)`` has returned, its events survive the death of the process and a
/// power cut, provided the storage keeps the data that it reports as synced.
///
/// SQLite runs in WAL mode with a sync for every commit. Next to the file are SQLite's own files (`-wal`, `-shm`),
/// `.owner`, which one process at a time holds, `.mark`, which reveals copied files, and `.ballast`, reserved space
/// that is freed when the storage is full. Move and delete them together. Account data is stored only sealed.
public actor SQLiteJournal: Journal {
    public struct Options: Sendable {
        /// The amount that may be captured in excess of the authorised one, in minor units.
        public var allowedTip: UInt64
        /// How long a closed payment can be looked up, refunded and counted with its sale. Its key is never accepted
        /// again, even later.
        public var retention: Duration
        /// The retention of a tap without a card.
        public var retentionWithoutCard: Duration
        /// Bytes of storage reserved for payments that have begun; 0 reserves nothing.
        public var ballast: Int
        /// Events at the end of the journal that ``SQLiteJournal/open()`` checks; the whole chain is checked once
        /// afterwards, in small parts, when nothing else is due.
        public var checked: Int
        /// Opens the journal for reading, even while another process owns it: does not lock it and writes nothing.
        public var isReadOnly: Bool
        /// Set this for one start after a person has restored the journal, or the whole machine, from a backup: later
        /// events are missing, and a person compares the journal with the host. The first ``SQLiteJournal/open()`` then
        /// accepts a file that is older than its owner's record, and no payment that is open at that time is reversed
        /// automatically (`JournaledTap.isRestored`). Copied files are treated like this without the option.
        /// Do not leave it set: after a crash it would hold back payments that nobody restored.
        public var takesRestored: Bool
        public var clock: JournalClock

        public init(
            allowedTip: UInt64 = 0, retention: Duration = .seconds(180 * 86_400),
            retentionWithoutCard: Duration = .seconds(7 * 86_400), ballast: Int = 256 * 1024, checked: Int = 1_000,
            isReadOnly: Bool = false, takesRestored: Bool = false, clock: JournalClock = .system
        ) {
            self.allowedTip = allowedTip
            self.retention = retention
            self.retentionWithoutCard = retentionWithoutCard
            self.ballast = ballast
            self.checked = checked
            self.isReadOnly = isReadOnly
            self.takesRestored = takesRestored
            self.clock = clock
        }
    }

    /// Settings that only tests and measurements change.
    package struct Knobs: Sendable {
        /// Sets the pragmas before GRDB does, which changes them again while it opens. For the test that must fail.
        package var setsTooEarly: Bool
        package var synchronous: Int
        /// The number of events at the end of the journal whose payments are not moved yet.
        package var recent: Int
        /// How long to wait for another process to open or leave the journal, in seconds.
        package var patience: Double

        package init(
            setsTooEarly: Bool = false, synchronous: Int = 2, recent: Int = 1_000, patience: Double = 5
        ) {
            self.setsTooEarly = setsTooEarly
            self.synchronous = synchronous
            self.recent = recent
            self.patience = patience
        }
    }

    public nonisolated let path: String
    /// The path without symbolic links, as of the last opening. The files next to the journal are named after it, so
    /// that the journal has one owner whichever path it is opened by.
    private var file: String
    private let options: Options
    private let knobs: Knobs
    private let executor: QueueExecutor
    private let cards = CardCount()
    /// The identifier of this opening.
    private let run = ReconciliationKey().rawValue

    private var owner: OwnerFile?
    private var queue: DatabaseQueue?
    /// The error of a failed write: nothing more is written until the file has been opened and checked again.
    private var failure: JournalError?
    /// A commit for which no append has returned yet.
    private var attempted: (before: OwnerFile.Stamp, last: OwnerFile.Stamp)?
    private var isFull = false
    private var isErased = false
    /// The event at which the check of the whole chain continues; `nil` when it is complete.
    private var unchecked: UInt64? = 1

    private var index = JournalIndex()

    /// Creates a journal without opening it.
    ///
    /// - Parameters:
    ///   - path: the path of a file in an existing directory. The first ``open()`` creates the file. A symbolic link
    ///     names the journal that it leads to; a journal must have no hard links.
    ///   - options: retention, reserved space, checks and the clock.
    public init(path: String, options: Options = Options()) {
        self.init(path: path, options: options, knobs: Knobs())
    }

    package init(path: String, options: Options, knobs: Knobs) {
        self.path = path
        file = path
        self.options = options
        self.knobs = knobs
        executor = QueueExecutor("EMVJournal")
    }

    public nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    private var mark: MarkFile { MarkFile(path: file + ".mark") }
    private var ballast: Ballast { Ballast(path: file + ".ballast", size: options.ballast) }

    // MARK: - Opening

    /// Takes ownership of the journal, checks its end and every open payment, and returns the open payments. A later
    /// call returns them again, and reopens the file if a write has failed.
    public func open() throws(JournalError) -> [JournaledTap] {
        if queue == nil || failure != nil || options.isReadOnly {
            try guarded { try self.reopen() }
        }
        return index.opened
    }

    /// Gives up ownership of the journal. Later calls throw `JournalError.notOpen`.
    public func close() {
        try? queue?.close()
        queue = nil
        owner = nil
        index = JournalIndex()
    }

    /// Renames an unreadable journal and the files next to it, so that a new one can begin. None of its content is
    /// used; the payments in it have to be settled by hand.
    ///
    /// - Returns: the new path.
    public static func setAside(_ path: String) throws(JournalError) -> String {
        let path = realPath(of: path)
        let owner = try OwnerFile(path + ".owner")
        var number = 1
        while FileManager.default.fileExists(atPath: "\(path).damaged-\(number)") { number += 1 }
        let aside = "\(path).damaged-\(number)"
        do {
            for ending in ["", "-wal", "-shm", ".owner", ".mark"]
            where FileManager.default.fileExists(atPath: path + ending) {
                try FileManager.default.moveItem(atPath: path + ending, toPath: aside + ending)
            }
        } catch {
            throw .unavailable("cannot rename: \(error.localizedDescription)")
        }
        withExtendedLifetime(owner) {}
        return aside
    }

    private func reopen() throws {
        var isRestored = false
        if options.isReadOnly {
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            try JournalStore.refuseNewer(queue)
            self.queue = queue
        } else {
            try queue?.close()
            queue = nil
            file = owner == nil ? realPath(of: path) : file
            let isNew = !FileManager.default.fileExists(atPath: file)
            let owner = try self.owner ?? OwnerFile(file + ".owner")
            isRestored = self.owner == nil && (options.takesRestored || owner.isCopied(mark))
            if isNew {
                try owner.put(OwnerFile.Stamp(number: 0, link: JournalStore.genesis))
                try owner.sync()
                try makePrivate(file)
            }
            let queue = try DatabaseQueue(path: file, configuration: configuration)
            try queue.writeWithoutTransaction { db in try self.set(db) }
            try JournalStore.refuseNewer(queue)
            try migrate(queue)
            if isNew { try syncDirectory(of: file) }
            self.owner = owner
            self.queue = queue
            excludeFromBackups()
        }
        failure = nil
        attempted = nil
        unchecked = 1
        do {
            try load()
            if isRestored { try markRestored() } else { try settleUnpromised() }
            owner?.clearDoubt()
            try owner?.reset(OwnerFile.Stamp(number: index.head.number, link: index.head.link))
            owner?.make(mark)
            if !options.isReadOnly { try moveLeftOver() }
        } catch {
            // An unreadable journal is never written to.
            if !options.isReadOnly { close() }
            throw error
        }
        isFull = !options.isReadOnly && !ballast.restore()
    }

    /// Migrates completely or not at all; the reserved space covers it.
    private func migrate(_ queue: DatabaseQueue) throws {
        do {
            try JournalStore.migrator.migrate(queue)
        } catch let error as DatabaseError where error.resultCode == .SQLITE_FULL && ballast.isThere {
            ballast.release()
            try JournalStore.migrator.migrate(queue)
        }
    }

    private var configuration: GRDB.Configuration {
        var configuration = GRDB.Configuration()
        configuration.label = "EMVJournal"
        configuration.readonly = options.isReadOnly
        configuration.journalMode = options.isReadOnly ? .default : .wal
        configuration.busyMode = .timeout(knobs.patience)
        configuration.observesSuspensionNotifications = false
        let setsTooEarly = knobs.setsTooEarly
        configuration.prepareDatabase { db in
            // This must be set before the first page is written.
            if !db.configuration.readonly { try db.execute(sql: "PRAGMA auto_vacuum = INCREMENTAL") }
            if setsTooEarly { try db.execute(sql: "PRAGMA synchronous = FULL") }
        }
        return configuration
    }

    /// Sets the pragmas and reads them back. GRDB itself sets `synchronous = NORMAL` when it turns the write-ahead log
    /// on, after `prepareDatabase`.
    private nonisolated func set(_ db: Database) throws {
        guard !knobs.setsTooEarly else { return }
        var settings: [(String, Int)] = [
            ("synchronous", knobs.synchronous), ("foreign_keys", 1), ("secure_delete", 1),
        ]
        #if canImport(Darwin)
        settings += [("fullfsync", 1), ("checkpoint_fullfsync", 1)]
        #endif
        for (name, value) in settings {
            try db.execute(sql: "PRAGMA \(name) = \(value)")
            guard try Int.fetchOne(db, sql: "PRAGMA \(name)") == value else {
                throw JournalError.unavailable("SQLite does not take \(name) = \(value)")
            }
        }
        guard try String.fetchOne(db, sql: "PRAGMA journal_mode") == "wal" else {
            throw JournalError.unavailable("SQLite has no write-ahead log here")
        }
    }

    private func load() throws {
        guard let queue else { throw JournalError.notOpen }
        let stamp = owner?.stamp, options = options
        index = try queue.read { db in
            try JournalIndex(db, checked: options.checked) { number in
                if !options.isReadOnly, !options.takesRestored { try JournalStore.compare(stamp, number, db) }
            }
        }
    }

    /// Marks the open payments of a restored journal. Later events are missing, so no open payment is reversed on this
    /// journal's evidence alone. A copied file with nothing to reverse is treated like a moved one.
    private func markRestored() throws {
        for tap in index.opened where tap.isReversible && !tap.isRestored { try write([.restored], tap.key, nil) }
    }

    /// Handles a last commit for which no append returned: the write failed, or the process ended before the stamp. The
    /// caller may have acted on the failure. An unpromised approval is therefore reversed until the host confirms it,
    /// because the caller may have reversed it. An erasure is kept, since it states a fact. Any other commit is
    /// removed, including the import of a payment whose events continue after its approval.
    private func settleUnpromised() throws {
        guard let queue, let promised = promised() else { return }
        let rows = try queue.read { db in try JournalStore.rows(after: promised, limit: .max, db) }
        guard let last = rows.last, rows.allSatisfy({ $0.tap == last.tap && $0.entry.moment == last.entry.moment })
        else { return }
        let events = rows.map(\.entry.event)
        let isApproval = events.contains { if case .answered(.approved) = $0 { true } else { false } }
        if isApproval, index.open[last.entry.key]?.tap.state == .approved {
            try write([.reversing(.notJournaled)], last.entry.key, nil)
        } else if !events.contains(where: { $0.name == .erased }) {
            try queue.write { db in try JournalStore.drop(after: promised, ofTap: last.tap, self.index.recent, db) }
            try load()
        }
    }

    /// The last event for which an append returned; `nil` if that applies to all, or if it cannot be known. The stamp
    /// is exact until the machine restarts, since it is written before an append returns; after a restart it may be too
    /// old.
    private func promised() -> UInt64? {
        guard let owner else { return nil }
        if let doubt = owner.doubt, doubt.last.number == index.head.number, doubt.last.link == index.head.link {
            return doubt.before.number
        }
        guard let stamp = owner.stamp, stamp.number < index.head.number,
            index.head.moment?.boot == options.clock.now().boot
        else {
            return nil
        }
        return stamp.number
    }

    private func excludeFromBackups() {
        #if canImport(Darwin)
        for ending in ["", "-wal", "-shm", ".owner", ".mark", ".ballast"] {
            var url = URL(fileURLWithPath: file + ending)
            var values = URLResourceValues()
            values.isExcludedFromBackup = true
            try? url.setResourceValues(values)
        }
        #endif
    }

    // MARK: - Journal

    public func append(
        _ events: [JournalEvent], to key: ReconciliationKey, within limits: OfflineLimits?
    ) throws(JournalError) {
        if options.isReadOnly { throw .unavailable("read only") }
        if let failure { throw failure }
        let isBeginning = events.first?.name == .began
        if isFull, isBeginning { isFull = !ballast.restore() }
        do throws(JournalError) {
            do throws(JournalError) {
                try guarded { try self.write(events, key, limits) }
            } catch .full where !(isBeginning && isFull) {
                // A payment that has begun must be able to finish.
                isFull = true
                guard ballast.isThere, options.ballast > 0 else { throw .full }
                ballast.release()
                if isBeginning { throw .full }
                try guarded { try self.write(events, key, limits) }
            }
        } catch {
            fail(error)
            throw error
        }
    }

    /// After a storage failure the content of the file is unknown: nothing is appended until ``open()`` has read it
    /// again.
    private func fail(_ error: JournalError) {
        switch error {
        case .unavailable, .damaged, .unreadable:
            failure = error
            // The log may hold the complete commit all the same, and the next process would find it.
            if let attempted { owner?.doubt(attempted.last, after: attempted.before) }
        case .inUse, .full, .newerSchema, .restored, .notOpen, .keyUsed, .outOfOrder, .unknownKey, .saleSettled,
            .saleOpen, .beyondSale, .beyondPaid, .limit, .followUpRefused:
            break
        }
    }

    public func tap(_ key: ReconciliationKey) throws(JournalError) -> JournaledTap? {
        if let opened = index.open[key] { return opened.tap }
        return try reading { db, recent in
            try JournalStore.identifier(key, recent, db).map { try JournalStore.tap($0, recent, db) }
        }
    }

    public func taps(of sale: SaleReference) throws(JournalError) -> [JournaledTap] {
        try reading { db, recent in try JournalStore.taps(of: sale.rawValue, recent, db) }
    }

    public func followUps(of key: ReconciliationKey) throws(JournalError) -> [JournaledTap] {
        try reading { db, recent in try JournalStore.taps(after: key.rawValue, recent, db) }
    }

    public func standing() throws(JournalError) -> JournalStanding {
        guard queue != nil else { throw .notOpen }
        let now = JournalMoment(options.clock.now(), after: index.head.moment, run: run)
        var standing = JournalRules.standing(of: index.opened, now: now, lastContact: index.lastContact)
        standing.isFull = isFull
        return standing
    }

    public func nextCounter(from first: UInt32) throws(JournalError) -> UInt32 {
        guard queue != nil else { throw .notOpen }
        index.counter =
            index.counter == 0
            ? min(max(first, 1), JournalRules.lastCounter) : JournalRules.counter(after: index.counter)
        return index.counter
    }

    public func entries(after number: UInt64, limit: Int) throws(JournalError) -> [JournalEntry] {
        try reading { db in try JournalStore.rows(after: number, limit: limit, db).map(\.entry) }
    }

    // MARK: - Writing

    private func write(_ events: [JournalEvent], _ key: ReconciliationKey, _ limits: OfflineLimits?) throws {
        let moment = JournalMoment(options.clock.now(), after: index.head.moment, run: run)
        var written = events
        if let jump = moment.clockJump(since: index.head.moment) { written.append(.clockJumped(seconds: jump)) }
        let entries = written.enumerated().map {
            JournalEntry(number: index.head.number + 1 + UInt64($0.offset), key: key, moment: moment, event: $0.element)
        }
        try commit(entries) { db, known in
            let context = try self.context(events, key, known, moment, limits, db)
            return try JournalRules.applied(events, to: key, at: moment, within: limits, context)
        }
    }

    /// Writes one transaction and its stamp. The same transaction reads the data that the rules need. The index changes
    /// once the commit is on the disk.
    ///
    /// - Parameter applied: returns the payment after the events and receives its identifier if it is known. It throws
    ///   if the events are rejected; nothing has been written then.
    private func commit(_ entries: [JournalEntry], _ applied: (Database, Int64?) throws -> JournaledTap) throws {
        guard let queue else { throw JournalError.notOpen }
        guard let last = entries.last else { return }
        var written: JournalIndex.Commit?
        attempted = nil
        do {
            let commit = try transaction(queue) { db in
                let known = try index.identifier(last.key, db)
                let commit = try index.put(entries, applied(db, known), known, db)
                written = commit
                return commit
            }
            try owner?.put(OwnerFile.Stamp(number: last.number, link: commit.link))
            index.add(commit)
        } catch {
            if let written {
                attempted = (
                    OwnerFile.Stamp(number: index.head.number, link: index.head.link),
                    OwnerFile.Stamp(number: last.number, link: written.link)
                )
            }
            throw error
        }
        if entries.contains(where: { $0.event.name == .erased }) { isErased = true }
    }

    private func transaction<Value>(_ queue: DatabaseQueue, _ work: (Database) throws -> Value) throws -> Value {
        try queue.writeWithoutTransaction { db in try JournalStore.transaction(db) { try work(db) } }
    }

    private func context(
        _ events: [JournalEvent], _ key: ReconciliationKey, _ known: Int64?, _ moment: JournalMoment,
        _ limits: OfflineLimits?, _ db: Database
    ) throws -> JournalRules.Context {
        var context = JournalRules.Context()
        context.tap = try index.open[key]?.tap ?? known.map { try JournalStore.tap($0, index.recent, db) }
        context.allowedTip = options.allowedTip
        if events.first?.name == .began, context.tap == nil, try JournalStore.isSpent(key, db) {
            throw JournalError.keyUsed(key)
        }
        if let sale = JournalRules.sale(events, context.tap) {
            context.ofSale = try JournalStore.taps(of: sale.rawValue, index.recent, db)
        }
        if let original = JournalRules.original(events, key, context.tap) {
            context.original = try JournalStore.identifier(original, index.recent, db).map {
                try JournalStore.tap($0, index.recent, db)
            }
            context.followUps = try JournalStore.taps(after: original.rawValue, index.recent, db)
        }
        if limits != nil {
            context.open = index.opened
            context.standing = JournalRules.standing(of: index.opened, now: moment, lastContact: index.lastContact)
        }
        context.standing.isFull = isFull
        return context
    }

    /// Writes events as a restart finds them in another journal, for tests.
    package func load(_ entries: [JournalEntry]) throws(JournalError) {
        _ = try open()
        for entry in entries {
            var context = JournalRules.Context()
            context.tap = try tap(entry.key)
            let tap: JournaledTap
            do throws(JournalError) {
                tap = try JournalRules.folded([entry.event], to: entry.key, at: entry.moment, context)
            } catch {
                throw JournalError.damaged(at: entry.number)
            }
            let numbered = JournalEntry(
                number: index.head.number + 1, key: entry.key, moment: entry.moment, event: entry.event)
            try guarded { try self.commit([numbered]) { _, _ in tap } }
        }
    }

    // MARK: - What can wait

    /// Moves closed payments to the indexed tables, erases the last copies of erased data, deletes payments older than
    /// the retention, frees space, and checks the whole chain once, in small steps. Does nothing while a card is
    /// present or a host has not answered; a payment may run between two steps. A reader that waits for a card does not
    /// delay the maintenance.
    public func maintain() async throws(JournalError) {
        for step in Step.allCases {
            guard queue != nil, !options.isReadOnly, failure == nil, !isBusy else { return }
            do throws(JournalError) {
                try take(step)
            } catch .full {
                isFull = true
            } catch {
                if step != .check { fail(error) }
                throw error
            }
            await Task.yield()
        }
    }

    /// The steps of the maintenance. Each is short, since a card may arrive meanwhile.
    private enum Step: CaseIterable {
        case restoreBallast, move, forget, emptyLog, check
    }

    private func take(_ step: Step) throws(JournalError) {
        switch step {
        case .restoreBallast: if isFull { isFull = !ballast.restore() }
        case .move: try guarded { try self.moveSome(self.movable(), 16) }
        case .forget: try guarded { try self.forget() }
        case .emptyLog: if isErased { try emptyLog() }
        case .check:
            guard let from = unchecked else { return }
            unchecked = try reading { db in try JournalStore.check(from: from, limit: 500, db) }.map { $0 + 1 }
        }
    }

    /// Whether a card is being talked to or a host has not answered.
    private var isBusy: Bool {
        cards.isThere
            || index.open.values.contains {
                ($0.tap.state == .asking || $0.tap.state == .challenged) && !$0.tap.isRestored
                    && $0.tap.changed.run == run
            }
    }

    public nonisolated func cardIsPresent(_ isPresent: Bool) { cards.note(isPresent) }

    /// Checks every event, every page, and that the search tables match the events. It works in small parts, so that
    /// the process that owns the journal is not held up.
    ///
    /// - Returns: the number of events.
    @discardableResult
    public func verify() async throws(JournalError) -> Int { try await verify(by: 500) { await Task.yield() } }

    /// - Parameter pause: called after each part, while no read is in progress.
    package func verify(by limit: Int, _ pause: @Sendable () async -> Void) async throws(JournalError) -> Int {
        try reading { db in try JournalStore.checkPages(db) }
        await pause()
        var last: UInt64? = 0
        while let from = last {
            last = try reading { db in try JournalStore.check(from: from + 1, limit: limit, db) }
            await pause()
        }
        // Payments move from the recent table to the old one meanwhile, so this order misses none.
        var recent: Int64? = .min, old: Int64? = .min
        while let first = recent {
            recent = try reading { db, taps in try JournalStore.checkRecent(after: first, limit: limit, taps, db) }
            await pause()
        }
        while let first = old {
            old = try reading { db, taps in try JournalStore.checkOld(after: first, limit: limit, taps, db) }
            await pause()
        }
        return try reading { db in try JournalStore.count(db) }
    }

    /// Closed payments that are not among the last events, or are older than a day.
    private func movable() -> [Int64] {
        guard let moment = index.head.moment else { return [] }
        let yesterday = JournalMoment(options.clock.now(), after: moment, run: run).elapsed - 86_400_000
        let last = index.head.number - min(index.head.number, UInt64(clamping: knobs.recent))
        return index.recent.taps.filter { _, tap in
            index.open[tap.key] == nil && (tap.numbers.last ?? 0 <= last || tap.elapsed <= yesterday)
        }.keys.sorted()
    }

    private func moveSome(_ identifiers: [Int64], _ limit: Int) throws {
        let some = identifiers.prefix(limit)
        guard let queue, !some.isEmpty else { return }
        try queue.write { db in
            for identifier in some { try JournalStore.move(identifier, self.index.recent, db) }
        }
        for identifier in some { index.remove(identifier) }
    }

    /// Moves a few closed payments at each opening, so that the recent table stays small even in a journal that nobody
    /// maintains.
    private func moveLeftOver() throws {
        guard index.recent.count > 8_192 else { return }
        let all = movable()
        for start in stride(from: 0, to: min(all.count, 1_024), by: 128) {
            do {
                try moveSome(Array(all[start...]), 128)
            } catch let error as DatabaseError where error.resultCode == .SQLITE_FULL {
                return
            }
        }
    }

    /// Deletes a few old payments.
    private func forget() throws {
        guard let queue, let moment = index.head.moment else { return }
        let now = JournalMoment(options.clock.now(), after: moment, run: run).elapsed
        let card = now - milliseconds(options.retention), without = now - milliseconds(options.retentionWithoutCard)
        let head = index.head.number
        let count = try queue.write { db in
            let old = try JournalStore.old(card: card, without: without, head: head, limit: 16, db)
            for identifier in old { try JournalStore.prune(identifier, db) }
            return old.count
        }
        guard count > 0 else { return }
        try queue.writeWithoutTransaction { db in try db.execute(sql: "PRAGMA incremental_vacuum(64)") }
    }

    /// Empties the write-ahead log, which still holds erased data. If another process is reading from it, the log is
    /// emptied at a later time instead of waiting.
    private func emptyLog() throws(JournalError) {
        guard let queue else { return }
        isErased = try !guarded {
            try queue.writeWithoutTransaction { db in try JournalStore.emptyLog(knobs.patience, db) }
        }
    }

    // MARK: - For tests

    /// Holds a transaction open while `work` runs.
    package func reading(while work: @Sendable () -> Void) throws(JournalError) {
        try reading { db in
            _ = try JournalStore.count(db)
            work()
        }
    }

    /// Whether the write-ahead log can be emptied now.
    func emptiesLog() throws(JournalError) -> Bool {
        isErased = true
        try emptyLog()
        return !isErased
    }

    func settings(_ names: [String]) throws(JournalError) -> [Int?] {
        try reading { db in try names.map { try Int.fetchOne(db, sql: "PRAGMA \($0)") } }
    }

    /// The number of steps of SQLite's virtual machine, over every cached statement.
    func steps() throws(JournalError) -> Int {
        guard let queue else { throw .notOpen }
        return try guarded { try queue.read { db in JournalStore.steps(db) } }
    }

    func numbers(_ statement: String) throws(JournalError) -> [Int] {
        try reading { db in try Int.fetchAll(db, sql: statement) }
    }

    func execute(_ statement: String) throws(JournalError) {
        guard let queue else { throw .notOpen }
        try guarded { try queue.writeWithoutTransaction { db in try db.execute(sql: statement) } }
    }

    // MARK: - Errors

    private static let expected = "expected an SQLite database as a journal left it"

    private func reading<Value>(_ work: (Database) throws -> Value) throws(JournalError) -> Value {
        guard let queue else { throw .notOpen }
        return try guarded { try queue.read(work) }
    }

    private func reading<Value>(_ work: (Database, RecentTaps) throws -> Value) throws(JournalError) -> Value {
        // Another process may have moved the recent payments.
        try reading { db in try work(db, options.isReadOnly ? RecentTaps(db) : index.recent) }
    }

    private func guarded<Value>(_ work: () throws -> Value) throws(JournalError) -> Value {
        do {
            return try work()
        } catch JournalError.unreadable(let what) where !what.hasPrefix(path) {
            throw .unreadable("\(path): \(what); \(Self.expected)")
        } catch let error as JournalError {
            throw error
        } catch let error as DatabaseError {
            switch error.resultCode {
            case .SQLITE_FULL: throw .full
            // There is no space for the file that its processes share.
            case _ where error.extendedResultCode == .SQLITE_IOERR_SHMSIZE: throw .full
            case .SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_MISMATCH:
                let code = error.extendedResultCode.rawValue
                throw .unreadable("\(path): \(error.message ?? "damaged") (SQLite error \(code)); \(Self.expected)")
            // The statement is left out: it could contain any data.
            default:
                throw .unavailable(
                    "\(path): SQLite error \(error.extendedResultCode.rawValue): \(error.message ?? "")")
            }
        } catch {
            // The error's text is left out: it could contain stored data.
            throw .unreadable("\(path): a value of another type than was written; \(Self.expected)")
        }
    }
}

private func milliseconds(_ duration: Duration) -> Int64 {
    duration.components.seconds.multipliedReportingOverflow(by: 1000).partialValue
}

extension SQLiteJournal: CustomReflectable {
    public nonisolated var customMirror: Mirror { Mirror(self, children: [], displayStyle: .class) }
}
#else
@available(*, unavailable, message: "enable the trait Journal: .package(…, traits: [\"Journal\"])")
public struct SQLiteJournal {}
#endif
