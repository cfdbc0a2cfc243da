// SPDX-License-Identifier: Apache-2.0
/// What happens at a reader, as it happens.
public enum TapEvent: Sendable, Hashable {
    case notReady
    /// 0 to 1; `nil` where the progress is not known.
    case preparing(fraction: Double?)
    /// Prepared and idle.
    case ready
    /// A tap begins; the field is still off. Whoever stores the key now can settle the tap later, whatever happens.
    case started(ReconciliationKey)
    /// The field is on; a card may be presented.
    case waitingForCard
    case cardDetected
    /// Several cards are in the field.
    case severalCards
    /// Another program keeps the card that is there: who, and what frees it. The tap waits on.
    case cardInUse(ReaderFault)
    /// Something to show.
    case prompt(Prompt)
    /// The card may be removed.
    case cardRead
    /// The card is to be presented once more; the prompt before says how.
    case presentAgain
    /// The last message was shown for its time; what comes next may take its place.
    case promptFinished
    /// A read ended so, or a completion: once for every call, also for one that ended before it began.
    case finished(TapName)
    /// The issuer is asked; how long it takes is not known.
    case authorizing
    /// A PIN is to be entered now. Nothing may be shown from which the cardholder could be recognised.
    case pinEntry
    case pinEntryFinished
    /// An authorisation ended so: once for every call.
    case authorized(AuthorizationName)
    /// A payment that an issuer was asked about was given up, and its reversal is not confirmed: ask the host by this
    /// key.
    case unresolved(ReconciliationKey)
    case readerDetached
    /// From now on taps are taken with another configuration (``TapReader/adopt(_:lastDay:)``).
    case adopted(Configuration.Identity)
}

extension TapEvent {
    /// It says how things stand, and so is told to listeners that come later. How a call ended is followed by how the
    /// reader stands.
    var isState: Bool {
        switch self {
        case .promptFinished, .unresolved, .finished, .authorized, .adopted: false
        default: true
        }
    }
}
