// SPDX-License-Identifier: Apache-2.0
import EMVKit

/// A PC/SC error code, with its meaning and its fix.
public struct PCSCError: Error, Sendable, Hashable {
    /// The number in PC/SC, for example `0x8010000C`.
    public let code: UInt32

    public init(code: UInt32) {
        self.code = code
    }

    /// The name in the headers; empty for a code that they do not define.
    public var name: String { PCSCError.table[code]?.name ?? "" }

    /// A description of the error for people.
    public var explanation: String {
        PCSCError.table[code]?.explanation ?? "PC/SC answered a code that its headers do not have"
    }

    /// The fix, if one is known.
    public var remedy: String? { PCSCError.table[code]?.remedy }

    /// The meaning of the error for a kernel or for the host.
    public enum Meaning: Sendable, Hashable {
        /// The link to the card failed: the kernel handles it.
        case link(LinkFault)
        /// The reader or the service failed: the host has to act.
        case reader(ReaderFault.Code)
        /// A wait was cancelled or timed out, which is not a fault.
        case interrupted
    }

    /// The meaning of this code. An unknown code ends a tap as a failed reader does; it never counts as success.
    public var meaning: Meaning { PCSCError.table[code]?.meaning ?? .reader(.failed) }

    /// The error as a fault for `TapReader`.
    public var readerFault: ReaderFault {
        let fault: ReaderFault.Code = if case .reader(let code) = meaning { code } else { .failed }
        return ReaderFault(fault, description)
    }

    /// Every code in the headers.
    public static var knownCodes: [UInt32] { table.keys.sorted() }
}

extension PCSCError: CustomStringConvertible {
    public var description: String {
        let digits = String(code, radix: 16, uppercase: true)
        let text = name.isEmpty ? "\(explanation) (\(digits))" : "\(explanation) (\(name), \(digits))"
        return remedy.map { "\(text). \($0)" } ?? text
    }
}

extension PCSCError {
    static let success: UInt32 = 0
    static let invalidHandle: UInt32 = 0x8010_0003
    static let cancelled: UInt32 = 0x8010_0002
    /// The code for a call that did not return in time.
    static let waitedTooLong: UInt32 = 0x8010_0007
    static let insufficientBuffer: UInt32 = 0x8010_0008
    static let unknownReader: UInt32 = 0x8010_0009
    static let timeout: UInt32 = 0x8010_000A
    static let sharingViolation: UInt32 = 0x8010_000B
    static let noCard: UInt32 = 0x8010_000C
    static let protocolMismatch: UInt32 = 0x8010_000F
    static let commError: UInt32 = 0x8010_0013
    static let noService: UInt32 = 0x8010_001D
    static let serviceStopped: UInt32 = 0x8010_001E
    static let unsupportedFeature: UInt32 = 0x8010_001F
    static let noReaders: UInt32 = 0x8010_002E
    static let removed: UInt32 = 0x8010_0069

    /// Whether the context is no longer valid: pcscd stopped, was restarted, or never ran.
    var isServiceLoss: Bool {
        [
            PCSCError.invalidHandle, PCSCError.commError, PCSCError.noService, PCSCError.serviceStopped,
            PCSCError.waitedTooLong, 0x8010_0001,
            0x8010_0014, 0x8010_0018,
        ]
        .contains(code)
    }

    private struct Row: Sendable {
        let name: String
        let meaning: Meaning
        let explanation: String
        let remedy: String?

        init(_ name: String, _ meaning: Meaning, _ explanation: String, _ remedy: String? = nil) {
            self.name = name
            self.meaning = meaning
            self.explanation = explanation
            self.remedy = remedy
        }
    }

    private static let startService = "Start it: sudo systemctl enable --now pcscd.socket (or: sudo pcscd)"
    private static let restart = "Restart pcscd; emv-bench readers prints the command"
    private static let replug = "Unplug the reader and plug it in again"
    private static let closeOther = "Close the other program that uses the card"

    private static let table: [UInt32: Row] = [
        0x8010_0001: Row(
            "SCARD_F_INTERNAL_ERROR", .reader(.failed), "PC/SC failed inside",
            restart),
        0x8010_0002: Row("SCARD_E_CANCELLED", .interrupted, "The wait was cancelled"),
        0x8010_0003: Row(
            "SCARD_E_INVALID_HANDLE", .reader(.noService), "The connection to pcscd is no longer valid",
            "Prepare the reader again"),
        0x8010_0004: Row("SCARD_E_INVALID_PARAMETER", .link(.protocol), "A parameter is not valid"),
        0x8010_0005: Row("SCARD_E_INVALID_TARGET", .reader(.failed), "The registry of PC/SC is damaged"),
        0x8010_0006: Row("SCARD_E_NO_MEMORY", .reader(.failed), "There is not enough memory"),
        0x8010_0007: Row(
            "SCARD_F_WAITED_TOO_LONG", .link(.timeout), "PC/SC did not answer in time",
            "Unplug the reader and plug it in again. If that does not help, restart pcscd; emv-bench readers "
                + "prints the command"),
        0x8010_0008: Row("SCARD_E_INSUFFICIENT_BUFFER", .link(.protocol), "The data is longer than an extended APDU"),
        0x8010_0009: Row("SCARD_E_UNKNOWN_READER", .reader(.noReader), "There is no reader of this name", replug),
        0x8010_000A: Row("SCARD_E_TIMEOUT", .link(.timeout), "The time ran out"),
        0x8010_000B: Row("SCARD_E_SHARING_VIOLATION", .reader(.inUse), "Another program uses the card", closeOther),
        0x8010_000C: Row("SCARD_E_NO_SMARTCARD", .link(.removed), "There is no card"),
        0x8010_000D: Row("SCARD_E_UNKNOWN_CARD", .link(.transmission), "The card is not known"),
        0x8010_000E: Row("SCARD_E_CANT_DISPOSE", .reader(.failed), "The card cannot be left as wanted"),
        0x8010_000F: Row(
            "SCARD_E_PROTO_MISMATCH", .link(.protocol), "The card does not speak the protocol that was asked for",
            "Another program may have fixed it to T=0 or T=1: close it, then take the card away and present it again"),
        0x8010_0010: Row("SCARD_E_NOT_READY", .link(.transmission), "Reader or card is not ready"),
        0x8010_0011: Row("SCARD_E_INVALID_VALUE", .link(.protocol), "A value is not valid"),
        0x8010_0012: Row("SCARD_E_SYSTEM_CANCELLED", .reader(.noService), "The system ends"),
        0x8010_0013: Row("SCARD_F_COMM_ERROR", .reader(.noService), "The connection to pcscd broke", startService),
        0x8010_0014: Row(
            "SCARD_F_UNKNOWN_ERROR", .reader(.failed), "PC/SC failed for a reason it does not know", replug),
        0x8010_0015: Row("SCARD_E_INVALID_ATR", .link(.transmission), "The card's answer to reset is malformed"),
        0x8010_0016: Row("SCARD_E_NOT_TRANSACTED", .link(.transmission), "The exchange with the card failed"),
        0x8010_0017: Row("SCARD_E_READER_UNAVAILABLE", .reader(.noReader), "The reader is not available", replug),
        0x8010_0018: Row("SCARD_P_SHUTDOWN", .reader(.noService), "PC/SC is shutting down", startService),
        0x8010_0019: Row("SCARD_E_PCI_TOO_SMALL", .link(.protocol), "The protocol header is too small"),
        0x8010_001A: Row(
            "SCARD_E_READER_UNSUPPORTED", .reader(.unsupported), "The driver does not support the reader",
            "Install its driver: sudo apt install libccid libacsccid1"),
        0x8010_001B: Row("SCARD_E_DUPLICATE_READER", .reader(.failed), "Two readers have the same name", replug),
        0x8010_001C: Row("SCARD_E_CARD_UNSUPPORTED", .link(.protocol), "The reader does not support the card"),
        0x8010_001D: Row(
            "SCARD_E_NO_SERVICE", .reader(.noService), "pcscd is not running or not installed", startService),
        0x8010_001E: Row(
            "SCARD_E_SERVICE_STOPPED", .reader(.noService),
            "pcscd has stopped, or its protocol has another version than the library's",
            "Start it, or install pcscd and libpcsclite of one version; emv-bench readers tells which"),
        0x8010_001F: Row(
            "SCARD_E_UNSUPPORTED_FEATURE", .reader(.unsupported), "Reader or driver does not have this function"),
        0x8010_0020: Row("SCARD_E_ICC_INSTALLATION", .reader(.failed), "No provider is installed for the card"),
        0x8010_0021: Row("SCARD_E_ICC_CREATEORDER", .reader(.failed), "The order of creation is not supported"),
        0x8010_0023: Row("SCARD_E_DIR_NOT_FOUND", .link(.protocol), "The card has no such directory"),
        0x8010_0024: Row("SCARD_E_FILE_NOT_FOUND", .link(.protocol), "The card has no such file"),
        0x8010_0025: Row("SCARD_E_NO_DIR", .link(.protocol), "The path is not a directory of the card"),
        0x8010_0026: Row("SCARD_E_NO_FILE", .link(.protocol), "The path is not a file of the card"),
        0x8010_0027: Row("SCARD_E_NO_ACCESS", .link(.protocol), "Access to the file is denied"),
        0x8010_0028: Row("SCARD_E_WRITE_TOO_MANY", .link(.protocol), "More was written than the card can hold"),
        0x8010_0029: Row("SCARD_E_BAD_SEEK", .link(.protocol), "A position in a file is not valid"),
        0x8010_002A: Row("SCARD_E_INVALID_CHV", .link(.protocol), "The PIN is wrong"),
        0x8010_002B: Row(
            "SCARD_E_UNKNOWN_RES_MNG", .reader(.failed), "The resource manager answered a code it does not have"),
        0x8010_002C: Row("SCARD_E_NO_SUCH_CERTIFICATE", .link(.protocol), "There is no such certificate"),
        0x8010_002D: Row("SCARD_E_CERTIFICATE_UNAVAILABLE", .link(.protocol), "The certificate cannot be had"),
        0x8010_002E: Row(
            "SCARD_E_NO_READERS_AVAILABLE", .reader(.noReader), "There is no reader",
            "Plug one in; emv-bench readers says what keeps it from being seen"),
        0x8010_002F: Row("SCARD_E_COMM_DATA_LOST", .link(.transmission), "Data was lost between reader and card"),
        0x8010_0030: Row("SCARD_E_NO_KEY_CONTAINER", .link(.protocol), "There is no such key container"),
        0x8010_0031: Row("SCARD_E_SERVER_TOO_BUSY", .reader(.failed), "PC/SC is too busy", "Try again"),
        0x8010_0065: Row(
            "SCARD_W_UNSUPPORTED_CARD", .link(.transmission),
            "The reader cannot talk to the card: its answer to reset asks for something else"),
        0x8010_0066: Row(
            "SCARD_W_UNRESPONSIVE_CARD", .link(.transmission), "The card does not answer the reset",
            "Present it again, flat and for longer"),
        0x8010_0067: Row("SCARD_W_UNPOWERED_CARD", .link(.transmission), "The card has no power"),
        0x8010_0068: Row("SCARD_W_RESET_CARD", .link(.transmission), "Another program reset the card", closeOther),
        0x8010_0069: Row("SCARD_W_REMOVED_CARD", .link(.removed), "The card was removed"),
        0x8010_006A: Row(
            "SCARD_W_SECURITY_VIOLATION", .reader(.noService), "This user may not use pcscd",
            """
            Allow it by a polkit rule for org.debian.pcsc-lite.access_pcsc and org.debian.pcsc-lite.access_card; \
            emv-bench readers prints one
            """),
        0x8010_006B: Row("SCARD_W_WRONG_CHV", .link(.protocol), "The PIN is wrong"),
        0x8010_006C: Row("SCARD_W_CHV_BLOCKED", .link(.protocol), "The PIN is blocked"),
        0x8010_006D: Row("SCARD_W_EOF", .link(.protocol), "The end of a file was reached"),
        0x8010_006E: Row("SCARD_W_CANCELLED_BY_USER", .interrupted, "The user cancelled"),
        0x8010_006F: Row("SCARD_W_CARD_NOT_AUTHENTICATED", .link(.protocol), "The card was not authenticated"),
    ]
}
