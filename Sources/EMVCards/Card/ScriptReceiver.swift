// SPDX-License-Identifier: Apache-2.0
import EMVKernel

/// The changes that issuer scripts made to a card.
public struct CardUpdates: Sendable, Hashable {
    /// CARD BLOCK was performed: every SELECT is rejected.
    public internal(set) var isCardBlocked = false
    /// Applications by name that APPLICATION BLOCK has invalidated: they answer SELECT with 6283.
    public internal(set) var blockedApplications: Set<[UInt8]> = []
    /// The PIN that the last PIN CHANGE set.
    public internal(set) var pin: String?
    /// Number of times that the PIN try counter was reset.
    public internal(set) var pinUnblocks = 0
    /// The values that PUT DATA wrote, by tag.
    public internal(set) var data: [UInt32: [UInt8]] = [:]
    /// The records that UPDATE RECORD wrote.
    public internal(set) var records: [Record: [UInt8]] = [:]

    /// A record of a file.
    public struct Record: Sendable, Hashable {
        /// Short File Identifier, 11 to 20: the issuer's own files.
        public let file: UInt8
        public let number: UInt8

        public init(file: UInt8, number: UInt8) {
            self.file = file
            self.number = number
        }
    }
}

extension CardUpdates: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Without PIN and values.
    public var description: String {
        "card blocked: \(isCardBlocked), applications blocked: \(blockedApplications.count), "
            + "PIN changed: \(pin != nil), data objects written: \(data.count), "
            + "records written: \(records.count)"
    }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}

/// The card's end of issuer scripts in one transaction. Every command requires the issuer's MAC.
struct ScriptReceiver: Sendable {
    private let application: CardApplication
    private var channel: SecureChannel

    /// Data objects that PUT DATA may write, with their lengths in bytes.
    private let writable: [UInt32: Int]

    /// - Parameters:
    ///   - writable: data objects that PUT DATA may write, with their lengths in bytes.
    ///   - counter: of the transaction that the issuer answers.
    ///   - cryptogram: of the same transaction.
    init(
        _ application: CardApplication, _ messaging: SecureMessaging, writable: [UInt32: Int], counter: UInt16,
        cryptogram: [UInt8]
    ) {
        self.application = application
        self.writable = writable
        channel = SecureChannel(application.cardKeys, messaging, counter: counter, cryptogram: cryptogram)
    }

    mutating func perform(_ command: CommandAPDU, _ updates: inout CardUpdates) -> StatusWord {
        switch command.instruction {
        case 0x16, 0x18, 0x1E:
            guard command.p1 == 0, command.p2 == 0 else { return .wrongParameters }
            guard channel.open(command, length: 0, enciphered: false) == [] else { return .securityMessagingWrong }
            block(command.instruction, &updates)
            return .success
        case 0x24: return changePIN(command, &updates)
        case 0xDA:
            let tag = UInt32(command.p1) << 8 | UInt32(command.p2)
            guard let length = writable[tag] else { return .referencedDataNotFound }
            guard let value = channel.open(command, length: length, enciphered: false) else {
                return .securityMessagingWrong
            }
            guard value.count == length else { return .wrongData }
            updates.data[tag] = value
            return .success
        case 0xDC: return updateRecord(command, &updates)
        default: return .instructionNotSupported
        }
    }

    private func block(_ instruction: UInt8, _ updates: inout CardUpdates) {
        switch instruction {
        case 0x16: updates.isCardBlocked = true
        case 0x18: updates.blockedApplications.remove(application.selectionName)
        default: updates.blockedApplications.insert(application.selectionName)
        }
    }

    /// Updates a record in one of the issuer's own files, which no transaction reads.
    private mutating func updateRecord(_ command: CommandAPDU, _ updates: inout CardUpdates) -> StatusWord {
        let file = command.p2 >> 3
        guard command.p1 != 0, command.p2 & 0x07 == 0x04 else { return .wrongParameters }
        guard (11...20).contains(file) else { return .fileNotFound }
        // The issuer sends MACs of 8 bytes.
        guard command.data.count > 8 else { return .wrongData }
        guard let record = channel.open(command, length: command.data.count - 8, enciphered: false) else {
            return .securityMessagingWrong
        }
        updates.records[CardUpdates.Record(file: file, number: command.p1)] = record
        return .success
    }

    private mutating func changePIN(_ command: CommandAPDU, _ updates: inout CardUpdates) -> StatusWord {
        guard command.p1 == 0, command.p2 <= 2 else { return .wrongParameters }
        if command.p2 == 0 {
            guard channel.open(command, length: 0, enciphered: false) == [] else { return .securityMessagingWrong }
            updates.pinUnblocks += 1
            return .success
        }
        let length = channel.messaging.pinDataLength(blockSize: channel.cryptogramKey.algorithm.blockSize)
        guard let data = channel.open(command, length: length, enciphered: true) else { return .securityMessagingWrong }
        let current = command.p2 == 1 ? updates.pin : nil
        if command.p2 == 1, current == nil { return .conditionsNotSatisfied }
        let isVisa = channel.messaging.hasVisaPINBlock(withCurrentPIN: current != nil)
        let pin =
            isVisa
            ? channel.cryptogramKey.visaPIN(in: data, current: current)
            : PINBlock.format2.pin(in: Array(data.prefix(8)))
        guard let pin else { return .wrongData }
        updates.pin = pin
        return .success
    }
}

extension CardKey {
    /// Reverses `visaPINChange`.
    func visaPIN(in block: [UInt8], current: String?) -> String? {
        guard block.count == 8 else { return nil }
        let old = (current ?? "").utf8.map { $0 & 0xF }
        let oldBytes = [UInt8](nibbles: old + [UInt8](repeating: 0, count: 16 - old.count))
        let own: [UInt8] = [0, 0, 0, 0] + bytes[4..<8]
        let plain = (0..<8).map { block[$0] ^ own[$0] ^ oldBytes[$0] }
        // Format 2 except for its first digit.
        return PINBlock.format2.pin(in: [plain[0] | 0x20] + plain.dropFirst())
    }
}

/// The cryptogram that an issuer answers.
struct OnlineCryptogram: Sendable, Hashable {
    let counter: UInt16
    let value: [UInt8]
}
