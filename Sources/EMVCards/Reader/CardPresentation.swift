// SPDX-License-Identifier: Apache-2.0
/// The objects in a simulated reader's field: one card, two, a failing one, or a script. A transport owns one of these.
public protocol CardPresentation: Sendable {
    /// Returns the state of the field. Every call is one polling loop.
    mutating func poll() -> CardPresence

    mutating func exchange(_ command: [UInt8]) -> CardReply

    /// The field goes off.
    mutating func reset()
}

/// The result of a polling loop.
public enum CardPresence: Sendable, Hashable {
    case none
    case one
    /// More than one card answers.
    case collision
}

/// The result of one command.
public enum CardReply: Sendable, Hashable {
    /// The response with its status word, and its response time. The call itself takes no time: a reader adds the time
    /// to its clock.
    case response([UInt8], milliseconds: Double)
    case timeout
    case transmissionError
    case protocolError
    /// The card has left the field.
    case removed
}
