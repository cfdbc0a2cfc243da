// SPDX-License-Identifier: Apache-2.0
#if DEBUG
/// A deliberate fault in the fold of events, or in the order in which events are written: for tests that count how many
/// of these the checks of the journal detect. One task, and the tasks that it starts, runs with the fault.
///
/// Builds without `DEBUG` have neither this type nor the three places that ask for it: `JournaledTap.successor`,
/// `JournaledTap.apply`, and `Journal.write`.
package enum JournalMutation: Sendable, Hashable {
    /// The state refuses an event that it takes.
    case withoutEdge(JournaledTap.State, JournalEvent.Name)
    /// The event leads to another state; also where the state refuses it.
    case edge(JournaledTap.State, JournalEvent.Name, to: JournaledTap.State)
    /// Only the table decides about this event.
    case unguarded(JournalEvent.Name)
    /// The event changes the state and nothing else.
    case unnoted(JournalEvent.Name)

    /// What is written with this event as the deciding one.
    case write(JournalEvent.Name, Order)

    package enum Order: String, Sendable, Hashable, CaseIterable {
        /// Never written; goes on as if it were.
        case omitted
        /// Goes on at once, and writes it together with what is written next.
        case delayed
        /// Goes on although the write failed.
        case unchecked
        /// One write for each event.
        case divided
        /// Limits are not checked.
        case unlimited
    }

    @TaskLocal package static var current: JournalMutation?
    /// What `delayed` holds back.
    @TaskLocal package static var delayed = DelayedWrites()

    package actor DelayedWrites {
        private var writes: [(events: [JournalEvent], key: ReconciliationKey, limits: OfflineLimits?)] = []

        package init() {}

        func add(_ events: [JournalEvent], _ key: ReconciliationKey, _ limits: OfflineLimits?) {
            writes.append((events, key, limits))
        }

        func write(to journal: some Journal) async {
            let due = writes
            writes = []
            for write in due { try? await journal.append(write.events, to: write.key, within: write.limits) }
        }
    }

    fileprivate func write(
        _ events: [JournalEvent], _ key: ReconciliationKey, _ limits: OfflineLimits?, to journal: some Journal
    ) async throws(JournalError) {
        await JournalMutation.delayed.write(to: journal)
        guard case .write(let name, let order) = self, JournalMutation.deciding(events) == name else {
            return try await journal.append(events, to: key, within: limits)
        }
        switch order {
        case .omitted: break
        case .delayed: await JournalMutation.delayed.add(events, key, limits)
        case .unchecked: try? await journal.append(events, to: key, within: limits)
        case .divided: for event in events { try await journal.append([event], to: key, within: limits) }
        case .unlimited: try await journal.append(events, to: key, within: nil)
        }
    }

    /// The event by which a write is named: what is read of a card goes with what is done about it.
    package static func deciding(_ events: [JournalEvent]) -> JournalEvent.Name? {
        events.map(\.name).first { $0 != .read && $0 != .receipted }
    }
}
#endif

extension Journal {
    /// Every write of a reader and of ``Settlement``.
    func write(
        _ events: [JournalEvent], to key: ReconciliationKey, within limits: OfflineLimits? = nil
    ) async throws(JournalError) {
        #if DEBUG
        if let mutation = JournalMutation.current { return try await mutation.write(events, key, limits, to: self) }
        #endif
        try await append(events, to: key, within: limits)
    }
}
