// SPDX-License-Identifier: Apache-2.0
/// What a session asks for next.
public enum Step: Sendable, Hashable {
    /// Switch the field on and wait for a card.
    case poll(Poll)
    /// Send this command.
    case send(Bytes)
    /// Something is asked of the terminal.
    case ask(Question)
    /// Show what is queued now, then reply ``Reply/carryOn``.
    case work
    /// An outcome is given and a restart may follow: ``Reply/online(_:removalTimedOut:)``, ``Reply/pin(captured:_:)``
    /// or ``Reply/abandon``.
    case parked(Outcome)
    /// An outcome is given; the session is wiped but for it.
    case done(Outcome)

    public enum Kind: Sendable, Hashable, CaseIterable {
        case poll, send, ask, work, parked, done
    }

    public var kind: Kind {
        switch self {
        case .poll: .poll
        case .send: .send
        case .ask: .ask
        case .work: .work
        case .parked: .parked
        case .done: .done
        }
    }
}

/// How to wait for a card.
public struct Poll: Sendable, Hashable {
    /// Wait until the card has left the field and reply ``Reply/removed``; the next step asks for a card.
    public var removalFirst: Bool
    /// First switch the field off for so long (Book B 3.5.1.2); `nil`: no request.
    public var fieldOff: Duration?
    /// Give up after so long; `nil`: wait for ever.
    public var timeout: Duration?
    /// A frame to send between the polls, complete with its checksum, so that a phone brings forward what is wanted of
    /// it; `nil`: none. Set only where ``CardTransport/sendsPollingFrames`` says that the reader can.
    public var annotation: Bytes?

    public init(
        removalFirst: Bool = false, fieldOff: Duration? = nil, timeout: Duration? = nil, annotation: Bytes? = nil
    ) {
        self.removalFirst = removalFirst
        self.fieldOff = fieldOff
        self.timeout = timeout
        self.annotation = annotation
    }
}

/// What a card says of itself to everybody: what may be shown, and by what a card may be refused. No account data.
/// Each presentment empties it, and responses fill it.
public struct Presented: Sendable, Hashable {
    /// Names (4F) that the directory lists, in its order. None after an issuer's answer.
    public var names: [Bytes]
    /// Of the application that was selected last: label (50, 9F12, 9F11), languages (5F2D) and country (5F28, 5F55,
    /// 5F56) as its FCI has them; 5F28 of a record where the FCI has none.
    public var objects: DataObjects

    public init(names: [Bytes] = [], objects: DataObjects = [:]) {
        self.names = names
        self.objects = objects
    }
}

public struct Question: Sendable, Hashable {
    public enum Kind: Sendable, Hashable {
        /// 4 to 68 fresh random bytes.
        case random
        /// A question of a kernel, in its own terms.
        case kernel
        /// An application was selected, and its kernel has not begun: `bytes` are data objects of the card (4F, 50,
        /// 9F12, 9F0A, 42, 9F0C, 5F2D, 5F55, 5F56, 5F28 as far as it has them). Reply ``Reply/data(_:)`` with 9F02,
        /// 9F03 or both, empty for the amounts of the transaction, which hold after ``Reply/deadlinePassed``, too.
        /// Asked where ``Transaction/amountDeadline`` says so.
        case amount
    }

    public var kind: Kind
    public var bytes: Bytes
    public var deadline: Duration?

    /// The last answer did not suffice: nothing is asked anew, and the deadline goes on from the question.
    public var isRunning: Bool

    public init(kind: Kind, bytes: Bytes = [], deadline: Duration? = nil, isRunning: Bool = false) {
        self.kind = kind
        self.bytes = bytes
        self.deadline = deadline
        self.isRunning = isRunning
    }
}

/// A fault of the link to the card (L1).
public enum LinkFault: String, Error, Sendable, Hashable, CaseIterable {
    case timeout
    case transmission
    case `protocol`
    /// The card was pulled. To a kernel it is an L1 time-out.
    case removed
}

/// What happened, in answer to a step.
public enum Reply: Sendable, Hashable {
    /// Body and status word; `elapsed` from command sent to response received, where it was measured.
    case response(Bytes, elapsed: Duration? = nil)
    case fault(LinkFault)
    /// One card is in the field and activated.
    case card
    /// Several cards.
    case collision
    case collisionCleared
    /// The card that had to go is gone.
    case removed
    /// The answer to a question.
    case data(Bytes)
    case deadlinePassed
    /// The terminal stops the transaction.
    case stop
    /// What was queued is shown.
    case carryOn
    /// Data objects of the issuer's answer (8A, 91, 71, 72), which may bring none; `nil`: no answer came.
    case online(DataObjects?, removalTimedOut: Bool = false)
    /// PIN entry has ended; data objects as for `online`, or empty. Where the issuer has answered the request that
    /// carried the PIN, reply `online`.
    case pin(captured: Bool, DataObjects = [:])
    /// Wipe and be done; a parked outcome stays.
    case abandon

    /// What the issuer answered; `nil`: nothing, or the reply is of another kind.
    package var issuerData: DataObjects? {
        switch self {
        case .online(let data, _): data
        case .pin(_, let data): data
        default: nil
        }
    }
}
