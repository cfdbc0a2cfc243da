// SPDX-License-Identifier: Apache-2.0
import EMVKit

/// What T=0 does below a kernel: 61xx is fetched with GET RESPONSE, 6Cxx is asked again with the length it names.
/// Over T=1, and so over every contactless card, a command and its response pass untouched.
struct T0Link {
    private let speaksT0: Bool
    private let instructionClass: UInt8
    private var pending: Bytes?
    private var last: Bytes = []
    private var body: Bytes = []
    private var rounds = 0
    /// `nil` until the card has answered completely, and where it never does.
    private(set) var response: Bytes?

    /// More parts than the longest response has.
    private static let limit = 300

    init(_ command: Bytes, speaksT0: Bool) {
        self.speaksT0 = speaksT0
        instructionClass = command.first ?? 0
        pending = speaksT0 ? T0Link.transport(command) : command
    }

    /// What goes to the reader next; `nil` at the end.
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

    /// The command as T=0 sends it: a case 1 command has a third parameter, a case 4 command leaves its Le to GET
    /// RESPONSE. `nil` for extended lengths, which T=0 does not have.
    private static func transport(_ command: Bytes) -> Bytes? {
        if command.count == 4 { return command + [0] }
        guard command.count > 5 else { return command.count == 5 ? command : nil }
        let end = 5 + Int(command[4])
        guard command[4] != 0, command.count == end || command.count == end + 1 else { return nil }
        return Bytes(command.prefix(end))
    }
}
