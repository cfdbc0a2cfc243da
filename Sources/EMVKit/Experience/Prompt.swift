/// What a display shows to the cardholder.
public struct Prompt: Sendable, Hashable {
    /// Lights and tone that go with it.
    public enum Cue: Sendable, Hashable, CaseIterable {
        case none, ready, cardRead, alert
    }

    public var message: Message
    public var status: UIRequest.Status
    public var text: Text
    /// Shown at least so long.
    public var hold: Duration
    public var amount: UIRequest.Value?
    public var cue: Cue

    /// A text for a small display: at most 128 characters, without ending punctuation.
    public struct Text: Sendable, Hashable, CustomStringConvertible {
        public let description: String

        public init?(_ text: String) {
            guard text.count <= 128, !text.hasSuffix("."), !text.hasSuffix("!"), !text.hasSuffix("?") else { return nil }
            description = text
        }

        init(_ message: Message) {
            description = message.text
        }
    }

    public init(_ request: UIRequest) {
        message = request.message
        status = request.status
        text = Text(request.message)
        hold = request.hold
        amount = request.value
        cue =
            switch request.status {
            case .readyToRead: .ready
            case .cardRead: .cardRead
            case .processingError: .alert
            case .notReady, .idle, .processing, .notApplicable: .none
            }
    }
}

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
    /// Something to show.
    case prompt(Prompt)
    /// The card may be removed.
    case cardRead
    /// The card is to be presented once more; the prompt before says how.
    case presentAgain
    /// The last message was shown for its time; what comes next may take its place.
    case promptFinished
    /// A tap ended so.
    case finished(TapName)
    /// The issuer is asked; how long it takes is not known.
    case authorizing
    /// A PIN is to be entered now. Nothing may be shown from which the cardholder could be recognised.
    case pinEntry
    case pinEntryFinished
    /// An authorisation ended so.
    case authorized(AuthorizationName)
    case readerDetached
}
