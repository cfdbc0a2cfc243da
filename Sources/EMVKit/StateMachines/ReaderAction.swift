// SPDX-License-Identifier: Apache-2.0
/// What a reader does next: the answer of ``ReaderStateMachine`` to an event, a value that tests compare. Only
/// ``TapReader`` carries it out.
struct ReaderAction: Sendable, Equatable {
    /// At once and in this order, before the operation begins.
    var effects: [Effect] = []
    var operation = Operation.none

    /// What takes no time and has no answer.
    enum Effect: Sendable, Equatable {
        case publish(TapEvent)
        /// Wipes the kernel's session and stops the removal timer.
        case dropSession
        /// Until ``ReaderStateMachine/removalTimePassed(_:)`` (Book A 8.1.1.21).
        case startRemovalTimer(ReconciliationKey, Duration)
        case stopRemovalTimer
        /// Until ``ReaderStateMachine/promptTimePassed(_:)``.
        case startPromptTimer(tap: Int, Duration)
    }

    /// What the state machine waits for; its result is the next event.
    enum Operation: Sendable, Equatable {
        /// Nothing: the event was a notice.
        case none
        /// The caller's answer; in an activity, its end.
        case finish(Ending)
        /// Runs the accepted activity in a task of its own, beginning with ``ReaderStateMachine/started()``.
        case run
        /// Cancels the activity under way and waits for its end.
        case cancelActivity

        case prepare
        /// - Parameter isOnlineOnly: no card may approve by itself.
        case beginSession(TapRecord, isOnlineOnly: Bool = false)
        /// In place of the session that there is, with the same configuration.
        case beginAgain(TapRecord)
        /// Tells the transport of the tap.
        case announce(TapRecord)
        case waitForCard(Poll)
        /// The card is the prelude's until that ends.
        case holdPrelude(PreludeHandle)
        case exchange(Bytes)
        case sleep(Duration)
        /// The field goes off and stays off for so long.
        case fieldOff(Duration)
        case findLimit(LimitQuery)
        /// The app, which may make the total another one.
        case askAmount(AmountChange, AmountChange.Question)

        /// To the kernel; one that does not take the reply is abandoned, since it would wait for ever.
        case reply(Reply)
        /// To the kernel, if it takes it.
        case replyIfTaken(Reply)
        /// A card is there: to the kernel, after the removal or the cleared collision that it may still wait for.
        case replyCard
        /// To a parked kernel.
        case resume(Reply)
        /// To a session that asks for it: the amount that holds.
        case giveAmount(Money)

        // The journal; not ended by a cancellation
        case consultJournal(TapRecord)
        case seal(CardRead)
        case append([JournalEvent], ReconciliationKey, OfflineLimits?)
        case lookUp(ReconciliationKey)

        case askIssuer(AuthorizationRequest, Means)
        case askStatus(ReconciliationKey, Means)
        case collectPIN(PINRequest, Means)
        /// Not ended by a cancellation.
        case reverse(Reversal, Means)

        /// The event is none that this state waits for: a defect of the caller. State and effects are as before.
        case unexpected
    }

    /// What a call of the reader returns.
    enum Ending: Sendable, Equatable {
        case tap(TapOutcome)
        case authorization(AuthorizationResult.Ending)
        case prelude(PreludeOutcome)
        /// Nothing is parked and nothing open.
        case released
    }

    /// Among which combinations the limit is looked for that keeps an amount from being taken.
    enum LimitQuery: Sendable, Equatable {
        case all
        /// Those for applications that the card offers.
        case offered([Bytes])
    }
}

/// Where the kernel stands after a reply.
struct KernelReport: Sendable, Equatable {
    var step: Step
    var messages: [UIRequest] = []
    /// What the card said to everybody by now.
    var presented = Presented()
    /// So far; 1 at the first card.
    var presentations = 1
    /// A Field Off Request that came with this step (Book B 3.5.1.2).
    var fieldOff: Duration?
}
