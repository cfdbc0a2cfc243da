// SPDX-License-Identifier: Apache-2.0
/// A card as a program sees it: a command in, a complete response out.
public protocol SimulatedCard: CardPresentation {
    /// The response with its status word, at least two bytes, whatever the command is.
    mutating func respond(to command: [UInt8]) -> [UInt8]

    /// The field goes off: everything is forgotten that a card forgets without power.
    mutating func reset()
}

extension SimulatedCard {
    /// An ordinary card is there, alone, and never fails.
    public mutating func poll() -> CardPresence { .one }

    public mutating func exchange(_ command: [UInt8]) -> CardReply {
        .response(respond(to: command), milliseconds: 0)
    }
}
