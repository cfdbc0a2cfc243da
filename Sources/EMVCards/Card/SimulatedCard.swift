// SPDX-License-Identifier: Apache-2.0
/// A card that answers each command with a complete response and never fails.
public protocol SimulatedCard: CardPresentation {
    /// Returns the response with its status word, at least two bytes, for any command.
    mutating func respond(to command: [UInt8]) -> [UInt8]

    /// The field goes off: the card loses all state that it does not keep without power.
    mutating func reset()
}

extension SimulatedCard {
    /// Reports one card in the field.
    public mutating func poll() -> CardPresence { .one }

    public mutating func exchange(_ command: [UInt8]) -> CardReply {
        .response(respond(to: command), milliseconds: 0)
    }
}
