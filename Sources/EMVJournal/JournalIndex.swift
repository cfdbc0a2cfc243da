// SPDX-License-Identifier: Apache-2.0
#if Journal
import EMVKit
import GRDB

/// The state of the journal in memory: the open payments, the last event, and the rows of the recent payments. It is a
/// value, so a commit that fails leaves it unchanged.
struct JournalIndex {
    struct Opened {
        var tap: JournaledTap
        let identifier: Int64
    }

    /// A process since the last start of its machine.
    private struct Run: Hashable {
        let run: String
        let boot: String

        init(_ moment: JournalMoment) {
            run = moment.run
            boot = moment.boot
        }
    }

    /// The result of one commit to the file.
    struct Commit {
        let entries: [JournalEntry]
        let tap: JournaledTap
        let identifier: Int64
        let isNew: Bool
        let isRecent: Bool
        /// The identifier of the process in its table.
        fileprivate let run: Int64
        /// The hash of the chain after the last entry.
        let link: Bytes
    }

    /// Every payment that is not closed.
    private(set) var open: [ReconciliationKey: Opened] = [:]
    private(set) var head: (number: UInt64, link: Bytes, moment: JournalMoment?) = (0, JournalStore.genesis, nil)
    var counter: UInt32 = 0
    private(set) var lastContact: JournalMoment?
    private(set) var recent = RecentTaps()
    private var runs: [Run: Int64] = [:]
    private var nextIdentifier: Int64 = 1

    /// Creates the index of an empty journal.
    init() {}

    /// Reads and checks the last events and every open payment; a small journal is checked as a whole.
    ///
    /// - Parameters:
    ///   - checked: the number of events to check at the end.
    ///   - compare: receives the number of the last event in the file, before any of it is used.
    init(_ db: Database, checked: Int, compare: (UInt64) throws -> Void) throws {
        recent = try RecentTaps(db)
        if let last = try JournalStore.head(db) { head = (last.entry.number, last.link, last.entry.moment) }
        let isSmall = head.number <= UInt64(clamping: checked)
        if isSmall { try JournalStore.checkPages(db) }
        try JournalStore.check(from: try JournalStore.first(head.number, checked, db), db)
        try compare(head.number)
        for identifier in try JournalStore.open(db) {
            let tap = try JournalStore.checked(identifier, recent, db)
            if open[tap.key] == nil { open[tap.key] = Opened(tap: tap, identifier: identifier) }
        }
        if isSmall {
            _ = try JournalStore.checkRecent(recent, db)
            _ = try JournalStore.checkOld(recent, db)
        }
        nextIdentifier = try JournalStore.nextIdentifier(db)
        counter = try JournalStore.fact("counter", UInt32.self, db) ?? 0
        lastContact = try JournalStore.fact("contact", JournalMoment.self, db)
    }

    /// The open payments, the oldest first.
    var opened: [JournaledTap] { open.values.sorted { $0.identifier < $1.identifier }.map(\.tap) }

    func identifier(_ key: ReconciliationKey, _ db: Database) throws -> Int64? {
        try open[key]?.identifier ?? JournalStore.identifier(key, recent, db)
    }

    /// Writes entries of one payment to the file. The index itself does not change.
    ///
    /// - Parameters:
    ///   - tap: the payment after these entries.
    ///   - known: its identifier; `nil` for a new payment.
    func put(_ entries: [JournalEntry], _ tap: JournaledTap, _ known: Int64?, _ db: Database) throws -> Commit {
        let isNew = known == nil, identifier = known ?? nextIdentifier
        let isRecent = isNew || recent.taps[identifier] != nil
        let moment = entries[0].moment
        let run = try runs[Run(moment)] ?? JournalStore.run(moment, db)
        try JournalStore.put(tap, identifier, isRecent: isRecent, wasOpen: open[tap.key] != nil, db)
        var numbers = isRecent ? recent.taps[identifier]?.numbers ?? [] : nil
        var link = head.link
        for entry in entries {
            link = try JournalStore.insert(entry, tap: identifier, isRecent: isRecent, run: run, after: link, db)
            numbers?.append(entry.number)
            if case .erased(let part) = entry.event {
                try JournalStore.erase(part, ofTap: identifier, numbers, db)
            }
        }
        if isNew { try JournalStore.set("counter", JournalRules.later(tap.intent.counter, counter), db) }
        if let contact = JournalIndex.contact(entries) { try JournalStore.set("contact", contact, db) }
        return Commit(
            entries: entries, tap: tap, identifier: identifier, isNew: isNew, isRecent: isRecent, run: run, link: link)
    }

    /// Adds a commit that is on the disk.
    mutating func add(_ commit: Commit) {
        let tap = commit.tap
        for entry in commit.entries {
            runs[Run(entry.moment)] = commit.run
            head = (entry.number, commit.link, entry.moment)
            guard commit.isRecent else { continue }
            recent.add(
                entry.number, to: commit.identifier, entry.moment.elapsed,
                RecentTaps.Tap(key: tap.key, sale: tap.sale?.rawValue, original: tap.intent.followUp?.original.rawValue)
            )
        }
        if commit.isNew {
            counter = JournalRules.later(tap.intent.counter, counter)
            nextIdentifier += 1
        }
        if let contact = JournalIndex.contact(commit.entries) { lastContact = contact }
        open[tap.key] = tap.isOpen ? Opened(tap: tap, identifier: commit.identifier) : nil
    }

    /// Removes a payment whose events have moved out of the recent ones.
    mutating func remove(_ identifier: Int64) { recent.remove(identifier) }

    /// The last time that a host was reached.
    private static func contact(_ entries: [JournalEntry]) -> JournalMoment? {
        entries.last { JournalRules.isContact($0.event) }?.moment
    }
}
#endif
