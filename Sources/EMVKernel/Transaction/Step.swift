// SPDX-License-Identifier: Apache-2.0
/// A request from a session to its caller.
public enum Step: Sendable, Hashable {
    /// Switch the field on and wait for a card.
    case poll(Poll)
    /// Send this command.
    case send(Bytes)
    /// Ask the terminal this question.
    case ask(Question)
    /// Show the queued messages now, then reply ``Reply/carryOn``.
    case work
    /// The outcome is available and a restart may follow: ``Reply/online(_:removalTimedOut:)``,
    /// ``Reply/pin(captured:_:)`` or ``Reply/abandon``.
    case parked(Outcome)
    /// The outcome is final; everything else in the session is wiped.
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
    /// First switch the field off for this long (Book B 3.5.1.2); `nil`: no request.
    public var fieldOff: Duration?
    /// Give up after this time; `nil`: wait for ever.
    public var timeout: Duration?
    /// A frame to send between the polls, complete with its checksum, which makes a phone present the card or pass that
    /// is wanted; `nil`: no frame. Set only if ``CardTransport/sendsPollingFrames`` is true for the reader.
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

/// Data that a card gives to any reader. An app may display them, or refuse a card by them. They contain no account
/// data. They are cleared at each presentment and filled from the responses.
public struct Presented: Sendable, Hashable {
    /// Names (4F) that the directory lists, in its order. Empty after an issuer's answer.
    public var names: [Bytes]
    /// Objects of the application that was selected last: label (50, 9F12, 9F11), languages (5F2D) and country (5F28,
    /// 5F55, 5F56) from its FCI; 5F28 from a record if the FCI lacks it.
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
        /// The amount, after an application was selected and before its kernel begins: `bytes` are data objects of the
        /// card (4F, 50, 9F12, 9F0A, 42, 9F0C, 5F2D, 5F55, 5F56, 5F28 as far as it has them). Reply ``Reply/data(_:)``
        /// with 9F02, 9F03 or both; an empty reply, or ``Reply/deadlinePassed``, keeps the transaction's amounts. Asked
        /// only if ``Transaction/amountDeadline`` is set.
        case amount
    }

    public var kind: Kind
    public var bytes: Bytes
    public var deadline: Duration?

    /// True if the last answer was not sufficient: the question is not repeated, and its deadline keeps running.
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
    /// The card was removed. The kernel treats it as an L1 time-out.
    case removed
}

/// An event that answers a step.
public enum Reply: Sendable, Hashable {
    /// Body and status word; `elapsed` from command sent to response received, if it was measured.
    case response(Bytes, elapsed: Duration? = nil)
    case fault(LinkFault)
    /// One card is in the field and activated.
    case card
    /// Several cards.
    case collision
    case collisionCleared
    /// The card that had to be removed has left the field.
    case removed
    /// The answer to a question.
    case data(Bytes)
    case deadlinePassed
    /// The terminal stops the transaction.
    case stop
    /// The queued messages are shown.
    case carryOn
    /// Data objects of the issuer's answer (8A, 91, 71, 72), possibly none of them; `nil`: no answer came.
    case online(DataObjects?, removalTimedOut: Bool = false)
    /// PIN entry has ended; data objects as for `online`, or empty. If the issuer has answered the request that carried
    /// the PIN, reply `online`.
    case pin(captured: Bool, DataObjects = [:])
    /// Wipe and end; a parked outcome is kept.
    case abandon

    /// Data objects of the issuer's answer; `nil` if there is no answer or the reply is of another kind.
    package var issuerData: DataObjects? {
        switch self {
        case .online(let data, _): data
        case .pin(_, let data): data
        default: nil
        }
    }
}
