// SPDX-License-Identifier: Apache-2.0
/// The work of a settlement on one payment, from looking it up to its end.
enum SettlementWork: Sendable, Hashable {
    /// Closes, looks up or reverses an abandoned payment.
    case settle(ReconciliationKey)
    /// Sends the host the record that it is owed.
    case deliver(ReconciliationKey)
    /// Sends the host once more a record that it rejected.
    case retry(ReconciliationKey)
    /// Takes back a payment that was accepted without the host.
    case withdraw(ReconciliationKey)
    /// Reverses an estimate for which nothing was captured in time.
    case expire(ReconciliationKey)

    var key: ReconciliationKey {
        switch self {
        case .settle(let key), .deliver(let key), .retry(let key), .withdraw(let key), .expire(let key): key
        }
    }
}

/// The next action of a settlement: the answer of ``SettlementStateMachine`` to an event, as a value that tests
/// compare. Only ``Settlement`` carries it out.
struct SettlementAction: Sendable, Equatable {
    /// Published at once and in this order, before the operation begins.
    var events: [SettlementEvent] = []
    var operation: Operation

    /// An operation that the state machine waits for; its result is the next event. If the journal fails, the event is
    /// ``SettlementStateMachine/failed(_:)``.
    enum Operation: Sendable, Equatable {
        /// Looks a payment up, until ``SettlementStateMachine/found(_:)``.
        case find(ReconciliationKey)
        /// Looks up the result of a payment, and its sale, until ``SettlementStateMachine/settledFound(_:)``.
        case findSettled(ReconciliationKey)
        /// Looks up the follow-ups of a payment, until ``SettlementStateMachine/followUpsFound(_:)``.
        case findFollowUps(ReconciliationKey)
        /// Writes events, until ``SettlementStateMachine/written()``.
        case append([JournalEvent], ReconciliationKey)
        /// Closes a payment if the app has its final result and nothing can follow, until
        /// ``SettlementStateMachine/closed()``.
        case closeIfOver(ReconciliationKey)
        /// Closes an estimate if the app has its final result and it is captured, until
        /// ``SettlementStateMachine/closed()``.
        case closeIfCaptured(ReconciliationKey)
        /// Asks the host for the status, until ``SettlementStateMachine/statusAnswered(_:)``.
        case askStatus(ReconciliationKey)
        /// Sends a reversal, until ``SettlementStateMachine/reversed(_:)``.
        case reverse(Reversal)
        /// Delivers a record, until ``SettlementStateMachine/delivered(_:)``.
        case deliver(FinancialRecord)
        case finish(Ending)
        /// The state does not wait for this event: a defect of the caller. State and events are unchanged.
        case unexpected
    }

    enum Ending: Sendable, Equatable {
        /// - Parameter settled: the payment's current result; `nil` if nothing was done.
        case settled(Settled?)
        /// A delivery has ended. One that failed waits in the schedule.
        case delivered(isHostThere: Bool, isSetAside: Bool)
        case failed(JournalError)
    }
}
