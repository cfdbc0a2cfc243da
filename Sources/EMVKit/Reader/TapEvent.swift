// SPDX-License-Identifier: Apache-2.0
/// The events of a reader, as they happen.
public enum TapEvent: Sendable, Hashable {
    case notReady
    /// The progress from 0 to 1; `nil` if it is not known.
    case preparing(fraction: Double?)
    /// The reader is prepared and idle.
    case ready
    /// A tap begins; the field is still off. An app that stores the key now can settle the tap later, whatever happens.
    case started(ReconciliationKey)
    /// The field is on; a card may be presented.
    case waitingForCard
    case cardDetected
    /// Several cards are in the field.
    case severalCards
    /// Another program keeps the card that is present: the fault names it, and the remedy. The tap continues to wait.
    case cardInUse(ReaderFault)
    /// Something to show.
    indirect case prompt(Prompt)
    /// The card may be removed.
    case cardRead
    /// The card is to be presented once more; the previous prompt explains how.
    case presentAgain
    /// The last message was shown for its time; the next message may replace it.
    case promptFinished
    /// A read or a completion ended with this outcome. Sent once for every call, also for one that ended before it
    /// began.
    case finished(TapName)
    /// The issuer is being asked; the duration is not known.
    case authorizing
    /// A PIN is to be entered now. The screen must not identify the cardholder.
    case pinEntry
    case pinEntryFinished
    /// An authorisation ended with this result. Sent once for every call.
    case authorized(AuthorizationName)
    /// A payment that an issuer was asked about was given up, and its reversal is not confirmed: ask the host by this
    /// key.
    case unresolved(ReconciliationKey)
    case readerDetached
    /// From now on taps use another configuration (``TapReader/adopt(_:lastDay:)``).
    case adopted(Configuration.Identity)
}

extension TapEvent {
    /// Whether the event describes the current state, so that later listeners receive it too. The event that ends a
    /// call is followed by one that describes the reader's state.
    var isState: Bool {
        switch self {
        case .promptFinished, .unresolved, .finished, .authorized, .adopted: false
        default: true
        }
    }
}
