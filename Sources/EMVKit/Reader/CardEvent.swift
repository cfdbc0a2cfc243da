// SPDX-License-Identifier: Apache-2.0
/// An event while the reader waits for a card.
public enum CardEvent: Sendable, Hashable {
    /// One card is in the field and activated.
    case card
    /// Several cards are in the field.
    case collision
    /// After a collision, at most one card is left, and polling continues.
    case collisionCleared
    /// The card has left the field, if `Poll.removalFirst` asked for it.
    case removed
    /// The link failed while the card was activated.
    case fault(LinkFault)
    /// Another program keeps the card that is present. This is reported after some seconds, once in a tap, and again if
    /// it is still true at the time-out. The reader reports it (``TapEvent/cardInUse(_:)``) and continues to wait.
    case inUse(ReaderFault)
    /// Nothing happened until the time-out, or the task was cancelled.
    case nothing
    /// The reader was disconnected.
    case readerGone
}

/// The result of one command.
public enum Exchange: Sendable, Hashable {
    /// Body and status word, and the time from command sent to response received if the reader measures it.
    case response(Bytes, elapsed: Duration?)
    case fault(LinkFault)
    case readerGone
}

extension Exchange: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Describes the exchange without the card's data.
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

/// A fault of a reader.
public struct ReaderFault: Error, Sendable, Hashable {
    public enum Code: String, Sendable, Hashable, CaseIterable {
        case noReader, noService, inUse, unsupported, failed
    }

    public var code: Code
    /// An explanation for a person, with the remedy if it is known.
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
