// SPDX-License-Identifier: Apache-2.0
#if Journal
import EMVKit
import Foundation
import GRDB
import GRDBSQLite

/// The tables of a journal and the reads and writes on them. The rules are in `JournalRules`.
///
/// `events` and `recentEvents` are the journal. Each row holds a hash over the previous row and digests of its own
/// values, so that erasing values leaves the chain intact. A payment is written to `recentEvents`, a small table
/// without an index, so that every commit is short; `openPayments` lists the open ones among them. Later, when no
/// payment is waiting, a closed payment moves to `events`, and `taps`, a projection with indexes, makes it searchable.
/// All events of a payment are in one of the two tables. `pruned` links the chain across events that were
/// deleted.
enum JournalStore {
    static let schema = 2

    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        // The name of a migration is the number of its schema.
        migrator.registerMigration("\(schema)") { db in
            try db.execute(
                sql: """
                    CREATE TABLE runs (
                        id INTEGER PRIMARY KEY, run TEXT NOT NULL, boot TEXT NOT NULL, UNIQUE (run, boot));
                    CREATE TABLE taps (
                        id INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT NOT NULL UNIQUE, sale TEXT, original TEXT,
                        isOpen INTEGER NOT NULL, hasCard INTEGER NOT NULL, changed INTEGER NOT NULL);
                    CREATE INDEX tapsOfSale ON taps (sale) WHERE sale IS NOT NULL;
                    CREATE INDEX followUps ON taps (original) WHERE original IS NOT NULL;
                    CREATE INDEX openTaps ON taps (id) WHERE isOpen;
                    CREATE INDEX closedTaps ON taps (changed) WHERE NOT isOpen;
                    CREATE TABLE events (
                        number INTEGER PRIMARY KEY, tap INTEGER NOT NULL REFERENCES taps (id),
                        run INTEGER NOT NULL REFERENCES runs (id), wall INTEGER NOT NULL, uptime INTEGER NOT NULL,
                        elapsed INTEGER NOT NULL, body TEXT NOT NULL, payload TEXT, payloadDigest BLOB,
                        fingerprint TEXT, fingerprintDigest BLOB, link BLOB NOT NULL);
                    CREATE INDEX eventsOfTap ON events (tap);
                    CREATE TABLE pruned (
                        first INTEGER PRIMARY KEY, last INTEGER NOT NULL, before BLOB NOT NULL, after BLOB NOT NULL);
                    CREATE TABLE spent (key BLOB PRIMARY KEY) WITHOUT ROWID;
                    CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
                    CREATE TABLE recentEvents (
                        number INTEGER PRIMARY KEY, tap INTEGER NOT NULL, run INTEGER NOT NULL, wall INTEGER NOT NULL,
                        uptime INTEGER NOT NULL, elapsed INTEGER NOT NULL, body TEXT NOT NULL, payload TEXT,
                        payloadDigest BLOB, fingerprint TEXT, fingerprintDigest BLOB, link BLOB NOT NULL,
                        key TEXT NOT NULL, sale TEXT, original TEXT);
                    CREATE TABLE openPayments (tap INTEGER PRIMARY KEY, original TEXT);
                    """)
        }
        return migrator
    }

    static let genesis = Bytes(repeating: 0, count: 32)

    /// An event as its row holds it.
    struct Row {
        let entry: JournalEntry
        let tap: Int64
        let link: Bytes
        let payloadDigest: Bytes?
        let fingerprintDigest: Bytes?
        let body: String
        let payload: String?

        /// Whether every value that was not erased is unchanged.
        func isIntact(after before: Bytes) -> Bool {
            let fingerprint = JournalStore.fingerprint(of: entry.event)
            if let payload, payloadDigest != ChainHash.hash(Bytes(payload.utf8)) { return false }
            if let fingerprint, fingerprintDigest != ChainHash.hash(Bytes(fingerprint.utf8)) { return false }
            return link == JournalStore.link(after: before, entry, body, payloadDigest, fingerprintDigest)
        }
    }

    // MARK: - The chain

    static func link(
        after before: Bytes, _ entry: JournalEntry, _ body: String, _ payload: Bytes?, _ fingerprint: Bytes?
    ) -> Bytes {
        let moment = entry.moment
        var bytes = Bytes()
        bytes.reserveCapacity(320)
        bytes += before
        bytes.append(bigEndian: entry.number)
        for text in [entry.key.rawValue, moment.run, moment.boot] {
            bytes.append(bigEndian: UInt64(text.utf8.count))
            bytes += text.utf8
        }
        for number in [moment.wall, moment.uptime, moment.elapsed] {
            bytes.append(bigEndian: UInt64(bitPattern: number))
        }
        bytes += ChainHash.hash(Bytes(body.utf8))
        bytes += payload ?? genesis
        bytes += fingerprint ?? genesis
        return ChainHash.hash(bytes)
    }

    // MARK: - Transactions

    /// Uses cached statements: preparing two statements for every commit costs more than some of the writes.
    static func transaction<Value>(_ db: Database, _ work: () throws -> Value) throws -> Value {
        try db.cachedStatement(sql: "BEGIN IMMEDIATE TRANSACTION").execute()
        do {
            let value = try work()
            try db.cachedStatement(sql: "COMMIT TRANSACTION").execute()
            return value
        } catch {
            // Some errors have already rolled it back.
            try? db.rollback()
            throw error
        }
    }

    /// The hash before an event; `nil` if there is no such event.
    static func link(before number: UInt64, _ db: Database) throws -> Bytes? {
        guard number > 1 else { return genesis }
        for table in ["recentEvents", "events"] {
            if let link = try Data.fetchOne(
                db.cachedStatement(sql: "SELECT link FROM \(table) WHERE number = ?"), arguments: [number - 1])
            {
                return Bytes(link)
            }
        }
        return try Data.fetchOne(
            db.cachedStatement(sql: "SELECT after FROM pruned WHERE last = ?"), arguments: [number - 1]
        ).map { Bytes($0) }
    }

    // MARK: - Events

    /// The columns that `ofOld` and `ofRecent` select, in this order. Rows are read by position, because a read by name
    /// searches the columns every time.
    fileprivate enum Column: Int {
        case number, key, tap, run, boot, wall, uptime, elapsed, body, payload, payloadDigest, fingerprint
        case fingerprintDigest, link
    }

    private static let ofOld = """
        SELECT events.number AS number, taps.key AS key, events.tap AS tap, runs.run AS run, runs.boot AS boot,
        events.wall AS wall, events.uptime AS uptime, events.elapsed AS elapsed, events.body AS body,
        events.payload AS payload, events.payloadDigest AS payloadDigest, events.fingerprint AS fingerprint,
        events.fingerprintDigest AS fingerprintDigest, events.link AS link
        FROM events LEFT JOIN taps ON taps.id = events.tap LEFT JOIN runs ON runs.id = events.run
        """
    private static let ofRecent = """
        SELECT number, key, tap, runs.run AS run, runs.boot AS boot, wall, uptime, elapsed, body, payload,
        payloadDigest, fingerprint, fingerprintDigest, link
        FROM recentEvents LEFT JOIN runs ON runs.id = recentEvents.run
        """

    static func rows(after number: UInt64, limit: Int, _ db: Database) throws -> [Row] {
        let after = Int64(clamping: number)
        let statement = try db.cachedStatement(
            sql: "\(ofOld) WHERE events.number > ? UNION ALL \(ofRecent) WHERE number > ? ORDER BY number LIMIT ?")
        return try GRDB.Row.fetchAll(statement, arguments: [after, after, Int64(limit)]).map(Row.init(_:))
    }

    static func rows(ofTap tap: Int64, _ recent: RecentTaps, _ db: Database) throws -> [Row] {
        if let numbers = recent.taps[tap]?.numbers { return try rows(numbers, db) }
        let statement = try db.cachedStatement(sql: ofOld + " WHERE events.tap = ? ORDER BY events.number")
        return try GRDB.Row.fetchAll(statement, arguments: [tap]).map(Row.init(_:))
    }

    private static func rows(_ numbers: [UInt64], _ db: Database) throws -> [Row] {
        let statement = try db.cachedStatement(sql: ofRecent + " WHERE number = ?")
        return try numbers.map { number in
            guard let row = try GRDB.Row.fetchOne(statement, arguments: [Int64(number)]) else {
                throw JournalError.damaged(at: number)
            }
            return try Row(row)
        }
    }

    static func head(_ db: Database) throws -> Row? {
        let statement = try db.cachedStatement(
            sql: "\(ofOld) UNION ALL \(ofRecent) ORDER BY number DESC LIMIT 1")
        return try GRDB.Row.fetchOne(statement).map(Row.init(_:))
    }

    /// - Parameter isRecent: whether the payment is still in `recentEvents`.
    /// - Returns: the hash of the event.
    static func insert(
        _ entry: JournalEntry, tap: Int64, isRecent: Bool, run: Int64, after before: Bytes, _ db: Database
    ) throws -> Bytes {
        var payload: String?
        if case .read(let read) = entry.event { payload = try read.payload.map { try JournalText.of($0) } }
        let fingerprint = fingerprint(of: entry.event)
        let body = try JournalText.of(stripped(entry.event))
        let payloadDigest = payload.map { ChainHash.hash(Bytes($0.utf8)) }
        let fingerprintDigest = fingerprint.map { ChainHash.hash(Bytes($0.utf8)) }
        let link = link(after: before, entry, body, payloadDigest, fingerprintDigest)
        let values: StatementArguments = [
            Int64(entry.number), tap, run, entry.moment.wall, entry.moment.uptime, entry.moment.elapsed, body,
            payload, payloadDigest.map { Data($0) }, fingerprint, fingerprintDigest.map { Data($0) }, Data(link),
        ]
        if isRecent {
            var intent: TapIntent?
            if case .began(let began) = entry.event { intent = began }
            try db.cachedStatement(sql: "INSERT INTO recentEvents VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
                .execute(
                    arguments: values + [
                        entry.key.rawValue, intent?.sale?.rawValue, intent?.followUp?.original.rawValue,
                    ])
        } else {
            try db.cachedStatement(sql: "INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)").execute(
                arguments: values)
        }
        return link
    }

    /// - Parameter numbers: the numbers of its events if the payment is recent.
    static func erase(
        _ part: JournalEvent.Erasure, ofTap tap: Int64, _ numbers: [UInt64]?, _ db: Database
    ) throws {
        let columns =
            switch part {
            case .payload: "payload = NULL"
            case .fingerprint: "fingerprint = NULL"
            case .account: "payload = NULL, fingerprint = NULL"
            }
        let condition = "(payloadDigest NOTNULL OR fingerprintDigest NOTNULL)"
        guard let numbers else {
            return try db.cachedStatement(sql: "UPDATE events SET \(columns) WHERE tap = ? AND \(condition)").execute(
                arguments: [tap])
        }
        let statement = try db.cachedStatement(
            sql: "UPDATE recentEvents SET \(columns) WHERE number = ? AND \(condition)")
        for number in numbers { try statement.execute(arguments: [Int64(number)]) }
    }

    private static func stripped(_ event: JournalEvent) -> JournalEvent {
        guard case .read(let read) = event else { return event }
        return .read(read.with(nil, nil))
    }

    fileprivate static func fingerprint(of event: JournalEvent) -> String? {
        if case .read(let read) = event { read.fingerprint?.rawValue } else { nil }
    }

    private static let encoder: JSONEncoder = {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return encoder
    }()
    private static let decoder = JSONDecoder()

    static func text(_ value: some Encodable) throws -> String {
        String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    static func value<Value: Decodable>(_ type: Value.Type, _ text: String) throws -> Value {
        try decoder.decode(type, from: Data(text.utf8))
    }

    fileprivate static func event(_ body: String, _ payload: String?, _ fingerprint: String?) throws -> JournalEvent {
        let event = try value(JournalEvent.self, body)
        guard case .read(let read) = event else { return event }
        return .read(
            read.with(
                try payload.map { try value(SealedPayload.self, $0) }, fingerprint.map { Fingerprint(rawValue: $0) }))
    }

    // MARK: - Payments

    static func identifier(_ key: ReconciliationKey, _ recent: RecentTaps, _ db: Database) throws -> Int64? {
        if let identifier = recent.identifier(key) { return identifier }
        return try Int64.fetchOne(
            db.cachedStatement(sql: "SELECT id FROM taps WHERE key = ?"), arguments: [key.rawValue])
    }

    static func open(_ db: Database) throws -> [Int64] {
        try Int64.fetchAll(db, sql: "SELECT id FROM taps WHERE isOpen UNION SELECT tap FROM openPayments ORDER BY 1")
    }

    /// The identifier for a new payment. No payment has ever had it.
    static func nextIdentifier(_ db: Database) throws -> Int64 {
        let last = try Int64.fetchOne(
            db,
            sql: """
                SELECT MAX(COALESCE((SELECT seq FROM sqlite_sequence WHERE name = 'taps'), 0),
                COALESCE((SELECT MAX(tap) FROM recentEvents), 0))
                """)
        return (last ?? 0) + 1
    }

    static func taps(of sale: String, _ recent: RecentTaps, _ db: Database) throws -> [JournaledTap] {
        try taps("sale", sale, recent.ofSale(sale), recent, db)
    }

    static func taps(after original: String, _ recent: RecentTaps, _ db: Database) throws -> [JournaledTap] {
        try taps("original", original, recent.after(original), recent, db)
    }

    private static func taps(
        _ column: String, _ value: String, _ more: [Int64], _ recent: RecentTaps, _ db: Database
    ) throws -> [JournaledTap] {
        let old = try Int64.fetchAll(
            db.cachedStatement(sql: "SELECT id FROM taps WHERE \(column) = ?"), arguments: [value])
        return try (old + more).sorted().map { try tap($0, recent, db) }
    }

    /// Rebuilds a payment from its events alone.
    static func tap(_ identifier: Int64, _ recent: RecentTaps, _ db: Database) throws -> JournaledTap {
        try tap(rows(ofTap: identifier, recent, db), identifier)
    }

    private static func tap(_ rows: [Row], _ identifier: Int64) throws -> JournaledTap {
        var context = JournalRules.Context()
        for row in rows {
            do throws(JournalError) {
                context.tap = try JournalRules.folded(
                    [row.entry.event], to: row.entry.key, at: row.entry.moment, context)
            } catch {
                throw JournalError.damaged(at: row.entry.number)
            }
        }
        guard let tap = context.tap else {
            throw JournalError.unreadable("payment \(identifier): no events")
        }
        return tap
    }

    /// Writes the row by which a moved payment is found.
    private static func put(_ tap: JournaledTap, _ identifier: Int64, _ db: Database) throws {
        try db.cachedStatement(sql: "UPDATE taps SET isOpen = ?, hasCard = ?, changed = ? WHERE id = ?").execute(
            arguments: [tap.isOpen, tap.read != nil, tap.changed.elapsed, identifier])
    }

    /// Updates the row by which the payment is found to the payment's new state.
    ///
    /// - Parameter wasOpen: whether the payment is written as an open one.
    static func put(_ tap: JournaledTap, _ identifier: Int64, isRecent: Bool, wasOpen: Bool, _ db: Database) throws {
        guard isRecent else { return try put(tap, identifier, db) }
        if tap.isOpen, !wasOpen {
            try db.cachedStatement(sql: "INSERT INTO openPayments VALUES (?, ?)").execute(
                arguments: [identifier, tap.intent.followUp?.original.rawValue])
        } else if !tap.isOpen, wasOpen {
            try db.cachedStatement(sql: "DELETE FROM openPayments WHERE tap = ?").execute(arguments: [identifier])
        }
    }

    static func isSpent(_ key: ReconciliationKey, _ db: Database) throws -> Bool {
        try Bool.fetchOne(
            db.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM spent WHERE key = ?)"), arguments: [short(key)])
            ?? false
    }

    private static func short(_ key: ReconciliationKey) -> Data {
        Data(ChainHash.hash(Bytes(key.rawValue.utf8)).prefix(16))
    }

    static func run(_ moment: JournalMoment, _ db: Database) throws -> Int64 {
        let arguments: StatementArguments = [moment.run, moment.boot]
        if let known = try Int64.fetchOne(
            db.cachedStatement(sql: "SELECT id FROM runs WHERE run = ? AND boot = ?"), arguments: arguments)
        {
            return known
        }
        try db.execute(sql: "INSERT INTO runs (run, boot) VALUES (?, ?)", arguments: arguments)
        return db.lastInsertedRowID
    }

    static func fact<Value: Decodable>(_ name: String, _ type: Value.Type, _ db: Database) throws -> Value? {
        try String.fetchOne(
            db.cachedStatement(sql: "SELECT value FROM facts WHERE name = ?"), arguments: [name]
        ).map { try value(type, $0) }
    }

    static func set(_ name: String, _ value: some Encodable, _ db: Database) throws {
        try db.cachedStatement(sql: "INSERT OR REPLACE INTO facts VALUES (?, ?)").execute(
            arguments: [name, try JournalText.of(value)])
    }

    /// Removes the last commit, which belongs to one payment, as if it had never been written.
    static func drop(after number: UInt64, ofTap tap: Int64, _ recent: RecentTaps, _ db: Database) throws {
        for table in ["events", "recentEvents"] {
            try db.execute(sql: "DELETE FROM \(table) WHERE number > ?", arguments: [Int64(number)])
        }
        guard let numbers = recent.taps[tap]?.numbers else {
            return try put(self.tap(tap, recent, db), tap, db)
        }
        try db.execute(sql: "DELETE FROM openPayments WHERE tap = ?", arguments: [tap])
        let rest = try rows(numbers.filter { $0 <= number }, db)
        if !rest.isEmpty {
            try put(self.tap(rest, tap), tap, isRecent: true, wasOpen: false, db)
        }
    }

    // MARK: - Moving

    /// Moves a closed payment out of the recent ones, to the table where indexes find it.
    static func move(_ identifier: Int64, _ recent: RecentTaps, _ db: Database) throws {
        let rows = try rows(ofTap: identifier, recent, db), tap = try tap(rows, identifier)
        try db.cachedStatement(
            sql: "INSERT INTO taps (id, key, sale, original, isOpen, hasCard, changed) VALUES (?, ?, ?, ?, ?, ?, ?)"
        ).execute(
            arguments: [
                identifier, tap.key.rawValue, tap.sale?.rawValue, tap.intent.followUp?.original.rawValue, tap.isOpen,
                tap.read != nil, tap.changed.elapsed,
            ])
        for row in rows {
            let number = Int64(row.entry.number)
            try db.cachedStatement(
                sql: """
                    INSERT INTO events SELECT number, tap, run, wall, uptime, elapsed, body, payload, payloadDigest,
                    fingerprint, fingerprintDigest, link FROM recentEvents WHERE number = ?
                    """
            ).execute(arguments: [number])
            try db.cachedStatement(sql: "DELETE FROM recentEvents WHERE number = ?").execute(arguments: [number])
        }
    }

    // MARK: - Forgetting

    /// Closed payments that were last changed before the given times and are not recent. A payment with an open
    /// follow-up is kept, and so is the last event.
    static func old(card: Int64, without: Int64, head: UInt64, limit: Int, _ db: Database) throws -> [Int64] {
        try Int64.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT id FROM taps WHERE NOT isOpen AND (changed <= ? OR NOT hasCard AND changed <= ?)
                    AND NOT EXISTS (SELECT 1 FROM taps AS later WHERE later.original = taps.key AND later.isOpen)
                    AND NOT EXISTS (SELECT 1 FROM openPayments WHERE openPayments.original = taps.key)
                    AND NOT EXISTS (SELECT 1 FROM events WHERE events.tap = taps.id AND events.number = ?)
                    ORDER BY changed LIMIT ?
                    """), arguments: [card, without, Int64(head), limit])
    }

    static func prune(_ identifier: Int64, _ db: Database) throws {
        for row in try rows(ofTap: identifier, RecentTaps(), db) {
            let number = row.entry.number
            guard let before = try link(before: number, db) else { throw JournalError.damaged(at: number) }
            try db.execute(
                sql: "UPDATE pruned SET last = ?, after = ? WHERE last = ?",
                arguments: [Int64(number), Data(row.link), Int64(number) - 1])
            if db.changesCount == 0 {
                try db.execute(
                    sql: "INSERT INTO pruned VALUES (?, ?, ?, ?)",
                    arguments: [Int64(number), Int64(number), Data(before), Data(row.link)])
            }
            // This gap may touch the next one; they are then merged.
            if let next = try GRDB.Row.fetchOne(
                db, sql: "SELECT last, after FROM pruned WHERE first = ?", arguments: [Int64(number) + 1])
            {
                try db.execute(sql: "DELETE FROM pruned WHERE first = ?", arguments: [Int64(number) + 1])
                try db.execute(
                    sql: "UPDATE pruned SET last = ?, after = ? WHERE last = ?",
                    arguments: [next.safe("last", Int64.self), next.safe("after", Data.self), Int64(number)])
            }
            try db.execute(sql: "DELETE FROM events WHERE number = ?", arguments: [Int64(number)])
        }
        if let key = try String.fetchOne(db, sql: "SELECT key FROM taps WHERE id = ?", arguments: [identifier]),
            let key = ReconciliationKey(rawValue: key)
        {
            try db.execute(sql: "INSERT OR IGNORE INTO spent VALUES (?)", arguments: [short(key)])
        }
        try db.execute(sql: "DELETE FROM taps WHERE id = ?", arguments: [identifier])
    }

    // MARK: - Checking

    static func refuseNewer(_ queue: DatabaseQueue) throws {
        let newest = try queue.read { db in try migrator.appliedIdentifiers(db).compactMap { Int($0) }.max() }
        if let newest, newest > schema { throw JournalError.newerSchema(newest) }
    }

    /// Checks pages and indexes.
    static func checkPages(_ db: Database) throws {
        let found = try String.fetchOne(db, sql: "PRAGMA integrity_check(1)") ?? "no answer"
        guard found == "ok" else { throw JournalError.unreadable("pages: \(found)") }
    }

    /// The first of the last `count` events.
    static func first(_ head: UInt64, _ count: Int, _ db: Database) throws -> UInt64 {
        guard head > UInt64(clamping: count) else { return 1 }
        return head - UInt64(clamping: count) + 1
    }

    /// Throws if the journal was restored from a backup: it ends before its stamp, or its event at the stamp differs.
    static func compare(_ stamp: OwnerFile.Stamp?, _ head: UInt64, _ db: Database) throws {
        guard let stamp else {
            if head > 0 { throw JournalError.restored }
            return
        }
        guard stamp.number <= head, try link(before: stamp.number + 1, db) == stamp.link else {
            throw JournalError.restored
        }
    }

    /// Checks the hash chain from an event on, at most `limit` events.
    ///
    /// - Returns: the last event that was checked; `nil` if there are no more.
    @discardableResult
    static func check(from first: UInt64, limit: Int = .max, _ db: Database) throws -> UInt64? {
        // The event before the first may lie in a gap that ends later.
        var last = first - 1
        if let gap = try Int64.fetchOne(
            db, sql: "SELECT last FROM pruned WHERE first <= ? AND last >= ?", arguments: [Int64(last), Int64(last)])
        {
            last = UInt64(gap)
        }
        guard var before = try link(before: last + 1, db) else { throw JournalError.damaged(at: first) }
        var left = limit
        while true {
            let count = min(left, 1_000), rows = try rows(after: last, limit: count, db)
            for row in rows {
                let number = row.entry.number
                if number != last + 1 {
                    guard
                        let gap = try GRDB.Row.fetchOne(
                            db, sql: "SELECT * FROM pruned WHERE first = ? AND last = ?",
                            arguments: [Int64(last) + 1, Int64(number) - 1]),
                        gap.safe("before", Data.self).map({ Bytes($0) }) == before,
                        let after = gap.safe("after", Data.self)
                    else { throw JournalError.damaged(at: last + 1) }
                    before = Bytes(after)
                }
                guard row.isIntact(after: before) else { throw JournalError.damaged(at: number) }
                before = row.link
                last = number
            }
            if rows.count < count { return nil }
            left -= count
            if left == 0 { return last }
        }
    }

    /// Checks one payment: its rows, and that its key, its sale and its original payment lead to it.
    static func checked(_ identifier: Int64, _ recent: RecentTaps, _ db: Database) throws -> JournaledTap {
        let rows = try rows(ofTap: identifier, recent, db), tap = try tap(rows, identifier)
        var last: Row?
        for row in rows {
            let number = row.entry.number
            let before = last?.entry.number == number - 1 ? last?.link : try link(before: number, db)
            guard let before, row.isIntact(after: before) else { throw JournalError.damaged(at: number) }
            last = row
        }
        try checkErasure(rows)
        guard try self.identifier(tap.key, recent, db) == identifier else {
            throw JournalError.unreadable("payment \(identifier): not found by its key")
        }
        if let found = recent.taps[identifier],
            found.sale != tap.sale?.rawValue || found.original != tap.intent.followUp?.original.rawValue
        {
            throw JournalError.unreadable("table recentEvents, payment \(identifier): not what its events say")
        }
        return tap
    }

    /// Throws if a value is missing without an event that records its erasure.
    private static func checkErasure(_ rows: [Row]) throws {
        let parts = Set(
            rows.compactMap { row -> JournalEvent.Erasure? in
                if case .erased(let part) = row.entry.event { part } else { nil }
            })
        for row in rows {
            if row.payloadDigest != nil, row.payload == nil, parts.isDisjoint(with: [.payload, .account]) {
                throw JournalError.damaged(at: row.entry.number)
            }
            let fingerprint = fingerprint(of: row.entry.event)
            if row.fingerprintDigest != nil, fingerprint == nil, parts.isDisjoint(with: [.fingerprint, .account]) {
                throw JournalError.damaged(at: row.entry.number)
            }
        }
    }

    /// Checks that the rows by which recent payments are found match their events, for at most `limit` payments after
    /// one of them.
    ///
    /// - Returns: the last payment that was checked; `nil` if there are no more.
    static func checkRecent(
        after first: Int64 = .min, limit: Int = .max, _ recent: RecentTaps, _ db: Database
    ) throws -> Int64? {
        let rest = recent.taps.keys.filter { $0 > first }.sorted(), some = rest.prefix(limit)
        let last = some.count < rest.count ? some.last : nil
        var open: [Int64: String?] = [:], found: [Int64: String?] = [:]
        for identifier in some {
            let tap = try checked(identifier, recent, db)
            if tap.isOpen { open[identifier] = .some(tap.intent.followUp?.original.rawValue) }
        }
        let rows = try GRDB.Row.fetchAll(
            db, sql: "SELECT tap, original FROM openPayments WHERE tap > ? AND tap <= ?",
            arguments: [first, last ?? .max])
        for row in rows {
            if let tap = row.safe("tap", Int64.self) { found[tap] = .some(row.safe("original", String.self)) }
        }
        guard found == open else { throw JournalError.unreadable("table openPayments: not what the events say") }
        return last
    }

    /// Like `checkRecent`, for payments that have moved.
    static func checkOld(
        after first: Int64 = .min, limit: Int = .max, _ recent: RecentTaps, _ db: Database
    ) throws -> Int64? {
        let some = try Int64.fetchAll(
            db, sql: "SELECT id FROM taps WHERE id > ? ORDER BY id LIMIT ?", arguments: [first, limit])
        for identifier in some {
            let tap = try checked(identifier, recent, db)
            let row = try GRDB.Row.fetchOne(db, sql: "SELECT * FROM taps WHERE id = ?", arguments: [identifier])
            let isSame =
                row.map {
                    $0.safe("key", String.self) == tap.key.rawValue
                        && $0.safe("sale", String.self) == tap.sale?.rawValue
                        && $0.safe("original", String.self) == tap.intent.followUp?.original.rawValue
                        && $0.safe("isOpen", Bool.self) == tap.isOpen
                        && $0.safe("hasCard", Bool.self) == (tap.read != nil)
                        && $0.safe("changed", Int64.self) == tap.changed.elapsed
                } ?? false
            guard isSame, recent.taps[identifier] == nil else {
                throw JournalError.unreadable("table taps, row \(identifier): not what its events say")
            }
        }
        return some.count < limit ? nil : some.last
    }

    /// Moves all of the write-ahead log into the file and truncates the log.
    ///
    /// - Parameter patience: the time limit, in seconds, that other uses of this connection have.
    /// - Returns: whether the log is empty. It is not while another process reads from it.
    static func emptyLog(_ patience: Double, _ db: Database) throws -> Bool {
        unsafe sqlite3_busy_timeout(db.sqliteConnection, 0)
        defer { unsafe sqlite3_busy_timeout(db.sqliteConnection, Int32(patience * 1000)) }
        do {
            _ = try db.checkpoint(.truncate)
            return true
        } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
            return false
        }
    }

    static func steps(_ db: Database) -> Int {
        var steps = 0, next = unsafe sqlite3_next_stmt(db.sqliteConnection, nil)
        while let statement = unsafe next {
            steps += Int(unsafe sqlite3_stmt_status(statement, SQLITE_STMTSTATUS_VM_STEP, 0))
            unsafe next = unsafe sqlite3_next_stmt(db.sqliteConnection, statement)
        }
        return steps
    }

    static func count(_ db: Database) throws -> Int {
        try Int.fetchOne(db, sql: "SELECT (SELECT COUNT(*) FROM events) + (SELECT COUNT(*) FROM recentEvents)") ?? 0
    }
}

extension GRDB.Row {
    /// Returns `nil` also for a value of another type, and for a missing column: damage can cause both.
    func safe<Value: DatabaseValueConvertible>(_ column: String, _ type: Value.Type) -> Value? {
        guard hasColumn(column) else { return nil }
        return Value.fromDatabaseValue(self[column] as DatabaseValue)
    }

    /// Returns `nil` also for a value of another type.
    fileprivate func safe<Value: DatabaseValueConvertible>(
        _ column: JournalStore.Column, _ type: Value.Type
    ) -> Value? {
        Value.fromDatabaseValue(self[column.rawValue] as DatabaseValue)
    }
}

extension JournalStore.Row {
    fileprivate init(_ row: GRDB.Row) throws {
        guard let number = row.safe(.number, Int64.self).flatMap({ UInt64(exactly: $0) }), number > 0 else {
            throw JournalError.unreadable("table events: a row without a number")
        }
        do {
            guard let key = row.safe(.key, String.self).flatMap({ ReconciliationKey(rawValue: $0) }),
                let wall = row.safe(.wall, Int64.self), let uptime = row.safe(.uptime, Int64.self),
                let elapsed = row.safe(.elapsed, Int64.self), let run = row.safe(.run, String.self),
                let boot = row.safe(.boot, String.self), let body = row.safe(.body, String.self),
                let link = row.safe(.link, Data.self)
            else { throw JournalError.damaged(at: number) }
            let payload = row.safe(.payload, String.self)
            let event = try JournalStore.event(body, payload, row.safe(.fingerprint, String.self))
            entry = JournalEntry(
                number: number, key: key,
                moment: JournalMoment(wall: wall, boot: boot, uptime: uptime, elapsed: elapsed, run: run), event: event)
            tap = row.safe(.tap, Int64.self) ?? 0
            self.link = Bytes(link)
            payloadDigest = row.safe(.payloadDigest, Data.self).map { Bytes($0) }
            fingerprintDigest = row.safe(.fingerprintDigest, Data.self).map { Bytes($0) }
            self.body = body
            self.payload = payload
        } catch {
            throw JournalError.damaged(at: number)
        }
    }
}
#endif
