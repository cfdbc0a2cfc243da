// SPDX-License-Identifier: Apache-2.0
/// The next action of a reader: the answer of ``ReaderStateMachine`` to an event, as a value that tests compare. Only
/// ``TapReader`` carries it out.
struct ReaderAction: Sendable, Equatable {
    /// Carried out at once and in this order, before the operation begins.
    var effects: [Effect] = []
    var operation = Operation.none

    var isRun: Bool { if case .run = operation { true } else { false } }

    /// An effect that needs no time and has no answer.
    enum Effect: Sendable, Equatable {
        case publish(TapEvent)
        case show(PromptDraft)
        /// Wipes the kernel's session and stops the removal timer.
        case dropSession
        /// Runs until ``ReaderStateMachine/removalTimePassed(_:)`` (Book A 8.1.1.21).
        case startRemovalTimer(ReconciliationKey, Duration)
        case stopRemovalTimer
        /// Runs until ``ReaderStateMachine/promptTimePassed(_:)``.
        case startPromptTimer(tap: Int, Duration)
    }

    /// An operation that the state machine waits for; its result is the next event.
    enum Operation: Sendable, Equatable {
        /// No operation: the event was a notification.
        case none
        /// Returns the ending to the caller; in an activity, ends it.
        indirect case finish(Ending)
        /// Runs the accepted activity in a separate task, beginning with ``ReaderStateMachine/started()``.
        case run
        /// Cancels the current activity and waits for its end.
        case cancelActivity

        case prepare
        /// - Parameter isOnlineOnly: no card may approve by itself.
        case beginSession(TapRecord, isOnlineOnly: Bool = false)
        /// Replaces the current session with a new one that has this session's configuration.
        case beginAgain(TapRecord)
        /// Notifies the transport of the tap.
        case announce(TapRecord)
        case waitForCard(Poll)
        /// Lends the card to the prelude until it ends.
        case holdPrelude(PreludeHandle)
        case exchange(Bytes)
        case sleep(Duration)
        /// Switches the field off for this time.
        case fieldOff(Duration)
        case findLimit(LimitQuery)
        /// Asks the app, which may change the total.
        indirect case askAmount(AmountChange, AmountChange.Question)

        /// Sends the reply to the kernel; a kernel that does not accept the reply is abandoned, because it would wait
        /// for ever.
        case reply(Reply)
        /// Sends the reply to the kernel, if the kernel accepts it.
        case replyIfTaken(Reply)
        /// Notifies the kernel of a card, after the removal or the cleared collision that it may still wait for.
        case replyCard
        /// Sends the reply to a parked kernel.
        case resume(Reply)
        /// Gives the valid amount to a session that asks for it.
        case giveAmount(Money)

        // The journal; a cancellation does not end these operations
        case consultJournal(TapRecord)
        indirect case seal(CardRead)
        case append([JournalEvent], ReconciliationKey, OfflineLimits?)
        case lookUp(ReconciliationKey)

        indirect case askIssuer(AuthorizationRequest, Means)
        case askStatus(ReconciliationKey, Means)
        indirect case collectPIN(PINRequest, Means)
        /// A cancellation does not end this operation.
        indirect case reverse(Reversal, Means)

        /// The state does not wait for this event: a defect of the caller. State and effects are unchanged.
        case unexpected
    }

    /// The value that a call of the reader returns.
    enum Ending: Sendable, Equatable {
        case tap(TapOutcome)
        case authorization(AuthorizationResult.Ending)
        case prelude(PreludeOutcome)
        /// No tap is parked and no payment is open.
        case released
    }

    /// The combinations among which to look for the limit that blocks an amount.
    enum LimitQuery: Sendable, Equatable {
        case all
        /// The combinations for applications that the card offers.
        case offered([Bytes])
    }
}

/// A message to show, without its texts: those are looked up only if somebody listens.
struct PromptDraft: Sendable, Equatable {
    let request: UIRequest
    /// The payment or verification that the prompt is about.
    var purpose: TapRecord.Purpose?
    /// Replaces the message's own text, if the catalogue has it.
    var key: TextKey?

    func prompt(_ texts: TextCatalogue) -> Prompt {
        var payment: PaymentRequest?
        var verification: VerificationRequest?
        switch purpose {
        case .payment(let request): payment = request
        case .verification(let request): verification = request
        case nil: break
        }
        var prompt = Prompt(request, texts: texts, payment: payment, verification: verification)
        guard let key, let text = texts.text(key, in: prompt.language) else { return prompt }
        (prompt.key, prompt.text) = (key, text)
        prompt.spokenText = texts.spoken(key, in: prompt.language)
        return prompt
    }
}

/// A reader's event, before its texts are looked up.
enum TapNotice: Sendable {
    case event(TapEvent)
    case prompt(PromptDraft)

    var isState: Bool {
        switch self {
        case .event(let event): event.isState
        case .prompt: true
        }
    }

    func event(_ texts: TextCatalogue) -> TapEvent {
        switch self {
        case .event(let event): event
        case .prompt(let draft): .prompt(draft.prompt(texts))
        }
    }
}

/// The state of the kernel after a reply.
struct KernelReport: Sendable, Equatable {
    var step: Step
    var messages: [UIRequest] = []
    /// The data that the card has sent in the clear so far.
    var presented = Presented()
    /// The number of presentments so far; 1 at the first card.
    var presentations = 1
    /// A Field Off Request that came with this step (Book B 3.5.1.2).
    var fieldOff: Duration?
}
