// SPDX-License-Identifier: Apache-2.0
import EMVKernel
internal import EMVTripleDES

/// Commands of an issuer to a card (EMV Book 3, 10.10), before they are protected for one transaction.
public struct IssuerScript: Sendable, Hashable {
    /// Issuer Script Identifier (9F18), 4 bytes; nil leaves it out.
    public var identifier: [UInt8]?
    public var commands: [Command]

    public enum Command: Sendable, Hashable {
        /// APPLICATION BLOCK.
        case blockApplication
        /// APPLICATION UNBLOCK.
        case unblockApplication
        /// CARD BLOCK.
        case blockCard
        /// PIN CHANGE: a new PIN, bound to the current one if it is given (Visa).
        case changePIN(String, current: String? = nil)
        /// PIN UNBLOCK: resets the PIN try counter.
        case unblockPIN
        /// PUT DATA.
        case put(tag: UInt16, value: [UInt8])
        /// UPDATE RECORD in one of the issuer's own files (SFI 11 to 20), if the scheme's cards support the command.
        case updateRecord(file: UInt8, record: UInt8, value: [UInt8])
    }

    public init(_ commands: [Command], identifier: [UInt8]? = nil) {
        self.commands = commands
        self.identifier = identifier
    }

    /// Returns the value of a script template. Commands with invalid data (a PIN with other characters than digits) are
    /// left out.
    func value(_ channel: inout SecureChannel) -> [UInt8] {
        var bytes = identifier.map { DataObject(0x9F18, $0).bytes } ?? []
        for command in commands {
            if let protected = command.protected(&channel) { bytes += DataObject(0x86, protected).bytes }
        }
        return bytes
    }
}

extension IssuerScript: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The number of commands only, because one may contain a PIN.
    public var description: String { "script of \(commands.count) commands" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}

extension IssuerScript.Command {
    func protected(_ channel: inout SecureChannel) -> [UInt8]? {
        switch self {
        case .blockApplication: return channel.protect([0x1E, 0x00, 0x00], data: [], enciphered: false)
        case .unblockApplication: return channel.protect([0x18, 0x00, 0x00], data: [], enciphered: false)
        case .blockCard: return channel.protect([0x16, 0x00, 0x00], data: [], enciphered: false)
        case .unblockPIN: return channel.protect([0x24, 0x00, 0x00], data: [], enciphered: false)
        case .put(let tag, let value):
            return channel.protect([0xDA] + tag.bigEndianBytes, data: value, enciphered: false)
        case .updateRecord(let file, let record, let value):
            return channel.protect([0xDC, record, file << 3 | 0x04], data: value, enciphered: false)
        case .changePIN(let pin, let current):
            let isVisa = channel.messaging.hasVisaPINBlock(withCurrentPIN: current != nil)
            let block =
                isVisa ? channel.cryptogramKey.visaPINChange(pin, current: current) : PINBlock.format2.block(pin: pin)
            guard let block else { return nil }
            let bound = isVisa && current != nil
            return channel.protect([0x24, 0x00, bound ? 0x01 : 0x02], data: block, enciphered: true)
        }
    }
}

extension IssuerScript.Command: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Without PINs and values.
    public var description: String {
        switch self {
        case .blockApplication: "block application"
        case .unblockApplication: "unblock application"
        case .blockCard: "block card"
        case .unblockPIN: "unblock PIN"
        case .changePIN: "change PIN"
        case .put(let tag, let value): "put \(tag.bigEndianBytes.hex): \(value.count) bytes"
        case .updateRecord(let file, let record, let value):
            "update file \(file), record \(record): \(value.count) bytes"
        }
    }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .enum) }
}
