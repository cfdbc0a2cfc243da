// SPDX-License-Identifier: Apache-2.0
/// A journal that lasts as long as its process: for tests and demonstrations, where losing everything at a crash is
/// acceptable.
public actor MemoryJournal: Journal {
    private let clock: JournalClock
    private var book: JournalBook

    /// Creates an empty journal.
    ///
    /// - Parameters:
    ///   - clock: gives each event its time.
    ///   - allowedTip: how much more than the authorised amount may be captured, in minor units.
    public init(clock: JournalClock = .system, allowedTip: UInt64 = 0) {
        self.clock = clock
        book = JournalBook(allowedTip: allowedTip)
    }

    /// Creates a journal from the events that an earlier one left at a restart, in order.
    public init(
        _ entries: [JournalEntry], clock: JournalClock = .system, allowedTip: UInt64 = 0
    ) throws(JournalError) {
        self.clock = clock
        book = try JournalBook(entries, allowedTip: allowedTip)
    }

    public func open() -> [JournaledTap] { book.open }

    public func append(
        _ events: [JournalEvent], to key: ReconciliationKey, within limits: OfflineLimits?
    ) throws(JournalError) {
        try book.append(events, to: key, at: clock.now(), within: limits)
    }

    public func tap(_ key: ReconciliationKey) -> JournaledTap? { book.taps[key] }

    public func taps(of sale: SaleReference) -> [JournaledTap] { book.taps(of: sale) }

    public func followUps(of key: ReconciliationKey) -> [JournaledTap] { book.followUps(of: key) }

    public func standing() -> JournalStanding { book.standing(at: clock.now()) }

    public func nextCounter(from first: UInt32) -> UInt32 { book.nextCounter(from: first) }

    public func entries(after number: UInt64, limit: Int) -> [JournalEntry] {
        book.entries(after: number, limit: limit)
    }
}

extension MemoryJournal: CustomReflectable {
    public nonisolated var customMirror: Mirror { Mirror(self, children: [], displayStyle: .class) }
}

/// A whole journal as a value: all events and the payments that result from them.
struct JournalBook: Sendable {
    private let allowedTip: UInt64
    /// Identifies this opening of the journal.
    private let run = ReconciliationKey().rawValue
    private(set) var entries: [JournalEntry] = []
    private(set) var taps: [ReconciliationKey: JournaledTap] = [:]
    /// The keys of open payments, in the order in which they began.
    private var openKeys: [ReconciliationKey] = []
    private var sales: [SaleReference: [ReconciliationKey]] = [:]
    private var followUps: [ReconciliationKey: [ReconciliationKey]] = [:]
    /// The index of each key's `read` event.
    private var reads: [ReconciliationKey: Int] = [:]
    private var counter: UInt32 = 0
    private var lastContact: JournalMoment?

    init(allowedTip: UInt64 = 0) { self.allowedTip = allowedTip }

    /// Refuses events that no journal could have written in this order.
    init(_ entries: [JournalEntry], allowedTip: UInt64 = 0) throws(JournalError) {
        self.allowedTip = allowedTip
        for entry in entries {
            guard entry.number == (self.entries.last?.number ?? entry.number - 1) + 1 else {
                throw .damaged(at: entry.number)
            }
            var context = JournalRules.Context()
            context.tap = taps[entry.key]
            let tap: JournaledTap
            do throws(JournalError) {
                tap = try JournalRules.folded([entry.event], to: entry.key, at: entry.moment, context)
            } catch {
                throw .damaged(at: entry.number)
            }
            keep(tap, [entry])
        }
    }

    mutating func append(
        _ events: [JournalEvent], to key: ReconciliationKey, at reading: JournalClock.Reading,
        within limits: OfflineLimits?
    ) throws(JournalError) {
        let last = entries.last
        let moment = JournalMoment(reading, after: last?.moment, run: run)
        let tap = try JournalRules.applied(
            events, to: key, at: moment, within: limits, context(events, key, moment, limits != nil))
        var written = events
        if let jump = moment.clockJump(since: last?.moment) { written.append(.clockJumped(seconds: jump)) }
        let first = (last?.number ?? 0) + 1
        keep(
            tap,
            written.enumerated().map {
                JournalEntry(number: first + UInt64($0.offset), key: key, moment: moment, event: $0.element)
            })
        for event in events { if case .erased(let part) = event { erase(part, of: key) } }
    }

    private func context(
        _ events: [JournalEvent], _ key: ReconciliationKey, _ moment: JournalMoment, _ isLimited: Bool
    ) -> JournalRules.Context {
        var context = JournalRules.Context()
        context.tap = taps[key]
        context.allowedTip = allowedTip
        context.ofSale = JournalRules.sale(events, taps[key]).map { taps(of: $0) } ?? []
        if let original = JournalRules.original(events, key, taps[key]) {
            context.original = taps[original]
            context.followUps = followUps(of: original)
        }
        if isLimited {
            let open = open
            context.open = open
            context.standing = JournalRules.standing(of: open, now: moment, lastContact: lastContact)
        }
        return context
    }

    private mutating func keep(_ tap: JournaledTap, _ new: [JournalEntry]) {
        if taps[tap.key] == nil {
            openKeys.append(tap.key)
            if let sale = tap.sale { sales[sale, default: []].append(tap.key) }
            if let original = tap.intent.followUp?.original { followUps[original, default: []].append(tap.key) }
            counter = JournalRules.later(tap.intent.counter, counter)
        }
        if !tap.isOpen { openKeys.removeAll { $0 == tap.key } }
        taps[tap.key] = tap
        if let place = new.firstIndex(where: { $0.event.name == .read }) { reads[tap.key] = entries.count + place }
        entries += new
        if let contact = new.last(where: { JournalRules.isContact($0.event) }) { lastContact = contact.moment }
    }

    /// Erased data are also removed from the list of events.
    private mutating func erase(_ part: JournalEvent.Erasure, of key: ReconciliationKey) {
        guard let place = reads[key], case .read(var read) = entries[place].event else { return }
        read.erase(part)
        entries[place] = JournalEntry(
            number: entries[place].number, key: key, moment: entries[place].moment, event: .read(read))
    }

    var open: [JournaledTap] { openKeys.compactMap { taps[$0] } }

    func taps(of sale: SaleReference) -> [JournaledTap] { (sales[sale] ?? []).compactMap { taps[$0] } }

    func followUps(of key: ReconciliationKey) -> [JournaledTap] { (followUps[key] ?? []).compactMap { taps[$0] } }

    func standing(at reading: JournalClock.Reading) -> JournalStanding {
        let now = JournalMoment(reading, after: entries.last?.moment, run: run)
        return JournalRules.standing(of: open, now: now, lastContact: lastContact)
    }

    mutating func nextCounter(from first: UInt32) -> UInt32 {
        counter = counter == 0 ? min(max(first, 1), JournalRules.lastCounter) : JournalRules.counter(after: counter)
        return counter
    }

    /// Event numbers have no gaps.
    func entries(after number: UInt64, limit: Int) -> [JournalEntry] {
        guard let first = entries.first?.number else { return [] }
        return Array(entries.dropFirst(number < first ? 0 : Int(number - first) + 1).prefix(limit))
    }
}
