// SPDX-License-Identifier: Apache-2.0
/// Keeps what happened to payments, so that money and memory agree after a crash, a power cut or a lost network.
///
/// ``TapReader/Options/journal`` makes a reader write to it before anything acts on what is written; ``Settlement``
/// settles what is open. A value that ``append(_:to:within:)`` returns is on stable storage, as far as the journal has
/// any: ``MemoryJournal`` has none.
public protocol Journal: Sendable {
    /// What is not closed, in order of beginning. The first call takes the journal for this process alone; a later one
    /// answers the same of the present.
    func open() async throws(JournalError) -> [JournaledTap]

    /// All or none. Refuses an event that the payment's state does not take, a key that has begun before, a sale that
    /// is paid, a follow-up of more than there is, the reversal of an approved payment that is followed up, and what
    /// goes beyond the limits.
    ///
    /// - Parameter limits: of payments that the host is told later; checked together with the writing.
    func append(
        _ events: [JournalEvent], to key: ReconciliationKey, within limits: OfflineLimits?
    ) async throws(JournalError)

    func tap(_ key: ReconciliationKey) async throws(JournalError) -> JournaledTap?

    /// In order of beginning.
    func taps(of sale: SaleReference) async throws(JournalError) -> [JournaledTap]

    /// What follows a payment, closed or not, in order of beginning. Without an implementation every event is read.
    func followUps(of key: ReconciliationKey) async throws(JournalError) -> [JournaledTap]

    /// What is open and owed: for limits, for a screen, for "may the app be removed?".
    func standing() async throws(JournalError) -> JournalStanding

    /// A Transaction Sequence Counter (9F41) that no earlier call gave, of no earlier process either: 1 to 99,999,999,
    /// and 1 again.
    ///
    /// - Parameter first: of a journal in which nothing has begun.
    func nextCounter(from first: UInt32) async throws(JournalError) -> UInt32

    /// At most `limit` events after the one of this number, in order.
    func entries(after number: UInt64, limit: Int) async throws(JournalError) -> [JournalEntry]

    /// What can wait: erasing the last copies, forgetting what is old, checking. ``Settlement/run()`` calls it when
    /// nothing else is due; it does nothing while a card is there or a host is asked. Without an implementation it does
    /// nothing.
    func maintain() async throws(JournalError)

    /// A reader tells that it talks to a card from now on, or does no more: in turn, for each reader that has the
    /// journal. Returns at once. Without an implementation it does nothing.
    func cardIsPresent(_ isPresent: Bool)
}

extension Journal {
    public func maintain() async throws(JournalError) {}

    public func followUps(of key: ReconciliationKey) async throws(JournalError) -> [JournaledTap] {
        var found: [JournaledTap] = []
        for entry in try await entries() {
            guard case .began(let intent) = entry.event, intent.followUp?.original == key,
                let tap = try await tap(entry.key)
            else { continue }
            found.append(tap)
        }
        return found
    }

    public func cardIsPresent(_ isPresent: Bool) {}

    public func append(_ events: [JournalEvent], to key: ReconciliationKey) async throws(JournalError) {
        try await append(events, to: key, within: nil)
    }

    /// Every event after the one of this number, in order.
    public func entries(after number: UInt64 = 0) async throws(JournalError) -> [JournalEntry] {
        var all: [JournalEntry] = []
        while true {
            let next = try await entries(after: all.last?.number ?? number, limit: 1_000)
            all += next
            if next.count < 1_000 { return all }
        }
    }
}

extension Journal {
    /// How a payment stands, and its sale; `nil` while the payment goes on.
    func settled(_ tap: JournaledTap) async throws(JournalError) -> Settled? {
        var related = [tap], original: JournaledTap?
        if let followUp = tap.intent.followUp { original = try await self.tap(followUp.original) }
        if let sale = tap.sale {
            related = try await taps(of: sale)
        } else if tap.isAccepted, tap.intent.followUp == nil {
            related += try await followUps(of: tap.key)
        }
        return Settled(tap, related: related, of: original)
    }

    /// See ``JournalTotals``.
    public func totals(
        after first: UInt64 = 0, through last: UInt64 = .max
    ) async throws(JournalError) -> JournalTotals {
        try JournalTotals(try await entries(), after: first, through: last)
    }
}
