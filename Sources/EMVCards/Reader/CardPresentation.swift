// SPDX-License-Identifier: Apache-2.0
/// What stands before a simulated reader: one card, two, a failing one, a script. A transport owns one of these.
public protocol CardPresentation: Sendable {
    /// What is in the field. Every call is one polling loop.
    mutating func poll() -> CardPresence

    mutating func exchange(_ command: [UInt8]) -> CardReply

    /// The field goes off.
    mutating func reset()
}

/// What polling finds.
public enum CardPresence: Sendable, Hashable {
    case none
    case one
    /// More than one card answers.
    case collision
}

/// What becomes of one command.
public enum CardReply: Sendable, Hashable {
    /// The response with its status word, and the time it took. No time passes here: a reader adds it to its clock.
    case response([UInt8], milliseconds: Double)
    case timeout
    case transmissionError
    case protocolError
    /// The card has left the field.
    case removed
}
