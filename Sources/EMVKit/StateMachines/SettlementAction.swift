// SPDX-License-Identifier: Apache-2.0
/// What a settlement does with one payment, from looking it up to its end.
enum SettlementWork: Sendable, Hashable {
    /// Closes, looks up or reverses a payment that nobody works on any more.
    case settle(ReconciliationKey)
    /// Sends the host the record that it is owed.
    case deliver(ReconciliationKey)
    /// Sends the host a record once more that it could not take.
    case retry(ReconciliationKey)
    /// Takes back a payment that was accepted without the host.
    case withdraw(ReconciliationKey)
    /// Reverses an estimate of which nothing was captured in time.
    case expire(ReconciliationKey)

    var key: ReconciliationKey {
        switch self {
        case .settle(let key), .deliver(let key), .retry(let key), .withdraw(let key), .expire(let key): key
        }
    }
}

/// What a settlement does next: the answer of ``SettlementStateMachine`` to an event, a value that tests compare. Only
/// ``Settlement`` carries it out.
struct SettlementAction: Sendable, Equatable {
    /// Published at once and in this order, before the operation begins.
    var events: [SettlementEvent] = []
    var operation: Operation

    /// What the state machine waits for; its result is the next event. Where the journal fails, that is
    /// ``SettlementStateMachine/failed(_:)``.
    enum Operation: Sendable, Equatable {
        /// Looks a payment up, until ``SettlementStateMachine/found(_:)``.
        case find(ReconciliationKey)
        /// Looks up how a payment stands, and its sale, until ``SettlementStateMachine/settledFound(_:)``.
        case findSettled(ReconciliationKey)
        /// Looks up what follows a payment, until ``SettlementStateMachine/followUpsFound(_:)``.
        case findFollowUps(ReconciliationKey)
        /// Until ``SettlementStateMachine/written()``.
        case append([JournalEvent], ReconciliationKey)
        /// Closes a payment if the app has its end and nothing can follow, until ``SettlementStateMachine/closed()``.
        case closeIfOver(ReconciliationKey)
        /// Closes an estimate if the app has its end and it is captured, until ``SettlementStateMachine/closed()``.
        case closeIfCaptured(ReconciliationKey)
        /// Until ``SettlementStateMachine/statusAnswered(_:)``.
        case askStatus(ReconciliationKey)
        /// Until ``SettlementStateMachine/reversed(_:)``.
        case reverse(Reversal)
        /// Until ``SettlementStateMachine/delivered(_:)``.
        case deliver(FinancialRecord)
        case finish(Ending)
        /// The state does not wait for this event: a defect of the caller. State and events are as before.
        case unexpected
    }

    enum Ending: Sendable, Equatable {
        /// - Parameter settled: how the payment stands now; `nil`: nothing was done.
        case settled(Settled?)
        /// A delivery has ended. One that failed waits in the schedule.
        case delivered(isHostThere: Bool, isSetAside: Bool)
        case failed(JournalError)
    }
}
