// SPDX-License-Identifier: Apache-2.0
import EMVKit

/// Why an exchange with the chip or a card failed, with its fix.
public enum PN532Error: Error, Sendable, Hashable {
    /// The chip returned this error status (UM0701-02, 7.1), 1 to 63.
    case status(UInt8)
    /// There was no answer within the time limit.
    case noAnswer
    /// Frames arrive damaged, even after a repeat request.
    case damaged
    /// The chip did not understand a command (an error frame).
    case refused
    /// The answer does not fit the command.
    case malformed
    /// The byte stream has ended.
    case streamEnded
    /// The task was cancelled.
    case cancelled

    /// A description of the error for people.
    public var explanation: String {
        switch self {
        case .status(let code):
            PN532Error.statuses[code]?.0 ?? "the chip reports an error that its manual does not have"
        case .noAnswer: "the PN532 does not answer"
        case .damaged: "the frames of the PN532 arrive damaged"
        case .refused: "the PN532 does not know the command"
        case .malformed: "the PN532 answers something else than was asked"
        case .streamEnded: "the connection to the PN532 has ended"
        case .cancelled: "the exchange was cancelled"
        }
    }

    /// The fix, if one is known.
    public var remedy: String? {
        switch self {
        case .status(0x0A): "Nothing metal may lie on the antenna"
        case .status(0x0D): "Let the board cool down, and take metal off its antenna"
        case .status(0x2D): "Check the board's supply: it needs 5 V or 3.3 V as it says, and 150 mA"
        case .noAnswer:
            "Set the board's switches to HSU (both off), connect its TX to RX and its RX to TX, and turn its power off "
                + "and on. On a Raspberry Pi: sudo raspi-config, Interface Options, Serial Port: no login shell, "
                + "hardware enabled"
        case .damaged: "Use shorter wires and one common ground; check the speed of the line (115,200 bit/s)"
        case .refused, .malformed: "Check that the chip is a PN532"
        case .streamEnded: "Plug the adapter in again"
        case .status, .cancelled: nil
        }
    }

    public enum Meaning: Sendable, Hashable {
        /// The link to the card failed: the kernel handles it.
        case link(LinkFault)
        /// The reader failed: the host has to act.
        case reader(ReaderFault.Code)
        /// The operation was interrupted, which is not a fault.
        case interrupted
    }

    /// The meaning of the error for a kernel or for the host. An unknown status never counts as success.
    public var meaning: Meaning {
        switch self {
        case .status(let code): PN532Error.statuses[code]?.1 ?? .link(.protocol)
        // This applies to an exchange; a chip that does not answer another command is lost.
        case .noAnswer: .link(.timeout)
        case .damaged: .link(.transmission)
        case .refused, .malformed: .link(.protocol)
        case .streamEnded: .reader(.noReader)
        case .cancelled: .interrupted
        }
    }

    private static let statuses: [UInt8: (String, Meaning)] = [
        0x01: ("the card did not answer in time", .link(.timeout)),
        0x02: ("a checksum of the card's answer is wrong", .link(.transmission)),
        0x03: ("a parity bit of the card's answer is wrong", .link(.transmission)),
        0x04: ("the card sent a wrong number of bits during anticollision", .link(.transmission)),
        0x05: ("the card's answer is not framed properly", .link(.transmission)),
        0x06: ("bits of several cards collided", .link(.transmission)),
        0x07: ("the chip's buffer is too small", .link(.protocol)),
        0x09: ("the chip's buffer for the field overflowed", .link(.protocol)),
        0x0A: ("the other side did not switch its field on in time", .reader(.failed)),
        0x0B: ("the card breaks the protocol", .link(.protocol)),
        0x0D: ("the chip is too hot and has switched its antenna off", .reader(.failed)),
        0x0E: ("the chip's buffer overflowed", .link(.protocol)),
        0x10: ("a parameter is not valid", .link(.protocol)),
        0x13: ("the card's data have not the form of their protocol", .link(.protocol)),
        0x23: ("a check byte of the card's UID is wrong", .link(.transmission)),
        0x25: ("the card is not in the state for this command", .link(.transmission)),
        0x26: ("the chip does not do this in this configuration", .link(.protocol)),
        0x27: ("the card was not activated", .link(.removed)),
        0x29: ("the card was released", .link(.removed)),
        0x2A: ("another card is there", .link(.removed)),
        0x2B: ("the card disappeared", .link(.removed)),
        0x2D: ("the antenna draws too much current", .reader(.failed)),
    ]

    /// Every known status.
    static var knownStatuses: [UInt8] { statuses.keys.sorted() }

    var readerFault: ReaderFault {
        let fault: ReaderFault.Code = if case .reader(let code) = meaning { code } else { .failed }
        return ReaderFault(fault, description)
    }
}

extension PN532Error: CustomStringConvertible {
    public var description: String {
        let capital = explanation.prefix(1).uppercased() + explanation.dropFirst()
        var text = capital
        if case .status(let code) = self { text += " (status \(String(code, radix: 16, uppercase: true)))" }
        return remedy.map { "\(text). \($0)" } ?? text
    }
}
