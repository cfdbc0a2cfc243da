// SPDX-License-Identifier: Apache-2.0
/// What happened while waiting for a card.
public enum CardEvent: Sendable, Hashable {
    /// One card is in the field and activated.
    case card
    /// Several cards are in the field.
    case collision
    /// After a collision: at most one card is left, and polling goes on.
    case collisionCleared
    /// The card has left the field, where `Poll.removalFirst` asked for it.
    case removed
    /// The link failed while the card was activated.
    case fault(LinkFault)
    /// A card is there that another program keeps: after some seconds, once in a tap, and again where it is still so
    /// when the time is out. The reader says so (``TapEvent/cardInUse(_:)``) and waits on.
    case inUse(ReaderFault)
    /// Nothing happened until the time-out, or the task was cancelled.
    case nothing
    /// The reader is no longer there.
    case readerGone
}

/// What came of one command.
public enum Exchange: Sendable, Hashable {
    /// Body and status word, and the time from command sent to response received where the reader measures it.
    case response(Bytes, elapsed: Duration?)
    case fault(LinkFault)
    case readerGone
}

extension Exchange: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Never what the card said.
    public var description: String {
        switch self {
        case .response(let bytes, _): "response (\(bytes.count) bytes)"
        case .fault(let fault): "fault \(fault.rawValue)"
        case .readerGone: "reader gone"
        }
    }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .enum) }
}

/// What is wrong with a reader.
public struct ReaderFault: Error, Sendable, Hashable {
    public enum Code: String, Sendable, Hashable, CaseIterable {
        case noReader, noService, inUse, unsupported, failed
    }

    public var code: Code
    /// For a person, with the remedy where it is known.
    public var explanation: String

    public init(_ code: Code, _ explanation: String) {
        self.code = code
        self.explanation = explanation
    }
}

extension ReaderFault: CustomStringConvertible {
    public var description: String { explanation }
}

extension ReaderFault: ExplainedError {
    public var recoverySuggestion: String { problem.recoverySuggestion }
}
