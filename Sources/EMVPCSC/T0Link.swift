// SPDX-License-Identifier: Apache-2.0
import EMVKit

/// The part of T=0 below a kernel: after 61xx the data is fetched with GET RESPONSE, after 6Cxx the command is repeated
/// with the given length. Over T=1, and so over every contactless card, commands and responses pass unchanged.
struct T0Link {
    private let speaksT0: Bool
    private let instructionClass: UInt8
    private var pending: Bytes?
    private var last: Bytes = []
    private var body: Bytes = []
    private var rounds = 0
    /// `nil` until the card has answered completely.
    private(set) var response: Bytes?

    /// The most parts of a response; the longest response needs fewer.
    private static let limit = 300

    init(_ command: Bytes, speaksT0: Bool) {
        self.speaksT0 = speaksT0
        instructionClass = command.first ?? 0
        pending = speaksT0 ? T0Link.transport(command) : command
    }

    /// The next command for the reader; `nil` when there is none.
    mutating func next() -> Bytes? {
        guard let command = pending, rounds < T0Link.limit else { return nil }
        pending = nil
        last = command
        rounds += 1
        return command
    }

    mutating func received(_ part: ArraySlice<UInt8>) {
        guard speaksT0 else {
            response = Bytes(part)
            return
        }
        let (data, status) = (part.dropLast(2), Bytes(part.suffix(2)))
        switch status[0] {
        case 0x61:
            body += data
            pending = [instructionClass, 0xC0, 0x00, 0x00, status[1]]
        case 0x6C where data.isEmpty && last.count == 5 && last[4] != status[1]:
            pending = last.dropLast() + [status[1]]
        default:
            response = body + data + status
        }
    }

    /// The command in the form that T=0 transmits: a case 1 command gets a third parameter, a case 4 command loses its
    /// Le, which GET RESPONSE replaces. `nil` for extended lengths, which T=0 does not support.
    private static func transport(_ command: Bytes) -> Bytes? {
        if command.count == 4 { return command + [0] }
        guard command.count > 5 else { return command.count == 5 ? command : nil }
        let end = 5 + Int(command[4])
        guard command[4] != 0, command.count == end || command.count == end + 1 else { return nil }
        return Bytes(command.prefix(end))
    }
}
