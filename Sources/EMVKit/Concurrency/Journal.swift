// SPDX-License-Identifier: Apache-2.0
/// Stores the events of payments, so that money and records agree after a crash, a power cut or a lost network.
///
/// With ``TapReader/Options/journal`` a reader writes to it before anything acts on the written events; ``Settlement``
/// settles open payments. A value that ``append(_:to:within:)`` returns is on stable storage, if the journal has any:
/// ``MemoryJournal`` does not.
public protocol Journal: Sendable {
    /// Returns the open payments in the order in which they began. The first call locks the journal for this process; a
    /// later call returns the current list.
    func open() async throws(JournalError) -> [JournaledTap]

    /// Writes all events or no event. Refuses an event that does not fit the payment's state, a key that has begun
    /// before, a sale that is already paid, a follow-up of more than the payment leaves, the reversal of an approved
    /// payment that is followed up, and an event that exceeds the limits.
    ///
    /// - Parameters:
    ///   - events: in the order in which they happened.
    ///   - key: of the payment.
    ///   - limits: for payments that the host is notified of later; checked in the same step as the write.
    func append(
        _ events: [JournalEvent], to key: ReconciliationKey, within limits: OfflineLimits?
    ) async throws(JournalError)

    func tap(_ key: ReconciliationKey) async throws(JournalError) -> JournaledTap?

    /// Returns the payments of a sale, in the order in which they began.
    func taps(of sale: SaleReference) async throws(JournalError) -> [JournaledTap]

    /// Returns the follow-ups of a payment, open or closed, in the order in which they began. The default
    /// implementation reads every event.
    func followUps(of key: ReconciliationKey) async throws(JournalError) -> [JournaledTap]

    /// Returns the sums that are open and owed: for limits, for a screen, for "may the app be removed?".
    func standing() async throws(JournalError) -> JournalStanding

    /// Returns a Transaction Sequence Counter (9F41) that no earlier call returned, in any process: 1 to 99,999,999,
    /// then 1 again.
    ///
    /// - Parameter first: the first counter of a journal in which nothing has begun.
    func nextCounter(from first: UInt32) async throws(JournalError) -> UInt32

    /// Returns at most `limit` events after the event with this number, in order.
    func entries(after number: UInt64, limit: Int) async throws(JournalError) -> [JournalEntry]

    /// Does the work that can wait: erases the last copies, deletes old data, checks the storage. ``Settlement/run()``
    /// calls it when nothing else is due. It does nothing while a card is present or a host is asked. The default
    /// implementation does nothing.
    func maintain() async throws(JournalError)

    /// Called when a reader starts or stops talking to a card: alternately, for each reader that uses the journal.
    /// Returns at once. The default implementation does nothing.
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

    /// Returns every event after the event with this number, in order.
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
    /// Returns the state of a payment and its sale; `nil` while the payment is in progress.
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
