// SPDX-License-Identifier: Apache-2.0
/// A relay between reader and card that modifies commands and responses, as in the published attacks.
///
/// ```swift
/// var relay = ManInTheMiddle(VirtualCard(card), [
///     .init(.options, .response(.clearBits(0x9F6C, [0x80, 0x00]))),
///     .init(.options, .response(.setBits(0x9F6C, [0x00, 0x80]))),
/// ])
/// ```
public struct ManInTheMiddle<Card: CardPresentation>: CardPresentation {
    public private(set) var card: Card
    public let edits: [CardEdit]
    private var recordsRead = 0
    private var commandCount = 0
    /// PDOL of the selected application, needed to find data objects in a command.
    private var dataList: [UInt8] = []

    /// Edits are applied in their order.
    public init(_ card: Card, _ edits: [CardEdit]) {
        self.card = card
        self.edits = edits
    }

    public mutating func poll() -> CardPresence { card.poll() }

    public mutating func reset() {
        recordsRead = 0
        dataList = []
        card.reset()
    }

    public mutating func exchange(_ command: [UInt8]) -> CardReply {
        let moment = CardExchange(command, recordsRead: recordsRead)
        if case .record(let number) = moment { recordsRead = number }
        commandCount += 1
        let number = CardExchange.number(commandCount)
        let edits = edits.filter { $0.moment == moment || $0.moment == number || $0.moment == .every }

        var sent = command
        for edit in edits {
            if case .command(let change) = edit.action { sent = change.applied(to: sent, list: dataList) }
        }
        for edit in edits {
            switch edit.action {
            case .answer(let bytes): return .response(bytes, milliseconds: 0)
            case .drop: return .timeout
            default: continue
            }
        }
        var reply = card.exchange(sent)
        for edit in edits {
            guard case .response(let bytes, let milliseconds) = reply else { return reply }
            switch edit.action {
            case .response(let change):
                reply = .response(change.applied(to: bytes), milliseconds: milliseconds)
            case .delay(let more): reply = .response(bytes, milliseconds: milliseconds + more)
            default: continue
            }
        }
        if moment == .selection, case .response(let bytes, _) = reply { dataList = Self.list(bytes) }
        return reply
    }

    /// Returns the Processing Options Data Object List of an answer to SELECT.
    private static func list(_ response: [UInt8]) -> [UInt8] {
        var pending = DataObject.parse(response.dropLast(2)) ?? []
        while let object = pending.popLast() {
            if object.tag == 0x9F38 { return object.value }
            if object.isTemplate { pending += DataObject.parse(object.value) ?? [] }
        }
        return []
    }
}

/// The position of a command in a tap.
public enum CardExchange: Sendable, Hashable {
    /// SELECT of the directory.
    case directory
    /// SELECT of an application.
    case selection
    /// GET PROCESSING OPTIONS.
    case options
    /// READ RECORD, counted from 1 in each presentment.
    case record(Int)
    /// GENERATE AC, RECOVER AC or COMPUTE CRYPTOGRAPHIC CHECKSUM.
    case cryptogram
    /// EXCHANGE RELAY RESISTANCE DATA.
    case relayResistance
    /// Anything else.
    case other
    /// Any command, by its number: commands count from 1 over all presentments.
    case number(Int)
    /// Every command, for an edit that applies wherever it can.
    case every

    init(_ command: [UInt8], recordsRead: Int) {
        guard command.count >= 2 else {
            self = .other
            return
        }
        switch command[1] {
        case 0xA4: self = CommandAPDU(command)?.data == VirtualCard.directoryName ? .directory : .selection
        case 0xA8: self = .options
        case 0xB2: self = .record(recordsRead + 1)
        case 0xAE, 0xD0, 0x2A: self = .cryptogram
        case 0xEA: self = .relayResistance
        default: self = .other
        }
    }
}

/// One change that a relay makes.
public struct CardEdit: Sendable, Hashable {
    public var moment: CardExchange
    public var action: Action

    public init(_ moment: CardExchange, _ action: Action) {
        self.moment = moment
        self.action = action
    }

    public enum Action: Sendable, Hashable {
        case command(CommandChange)
        case response(ResponseChange)
        /// Answers without sending the command to the card.
        case answer([UInt8])
        case drop
        case delay(milliseconds: Double)
    }

    /// A change of the command before it reaches the card. Data objects are found through the application's PDOL.
    public enum CommandChange: Sendable, Hashable {
        case setBits(UInt32, [UInt8])
        case clearBits(UInt32, [UInt8])
        /// Replaces the value, up to the shorter of the two lengths.
        case replace(UInt32, [UInt8])
        case raw([UInt8])
        /// Inverts bits of one byte at a fixed position; a shorter command is unchanged.
        case flip(byte: Int, mask: UInt8)
    }

    /// A change of the response before it reaches the reader. Objects are found at any depth; the lengths of the
    /// templates around them are corrected.
    public enum ResponseChange: Sendable, Hashable {
        case setBits(UInt32, [UInt8])
        case clearBits(UInt32, [UInt8])
        case replace(UInt32, [UInt8])
        case remove(UInt32)
        /// Appends an object to the outer template.
        case insert(UInt32, [UInt8])
        /// Repeats every occurrence directly after itself.
        case duplicate(UInt32)
        /// The whole response with its status word; lengths are not corrected.
        case raw([UInt8])
        case statusWord(StatusWord)
        /// Inverts bits of one byte at a fixed position; a shorter response is unchanged.
        case flip(byte: Int, mask: UInt8)
    }
}

extension [UInt8] {
    fileprivate func flipped(_ place: Int, _ mask: UInt8) -> [UInt8] {
        guard indices.contains(place) else { return self }
        var changed = self
        changed[place] ^= mask
        return changed
    }
}

extension CardEdit.CommandChange {
    func applied(to command: [UInt8], list: [UInt8]) -> [UInt8] {
        switch self {
        case .raw(let bytes): return bytes
        case .flip(let place, let mask): return command.flipped(place, mask)
        case .setBits(let tag, let mask): return changing(command, tag, list, mask) { $0 | $1 }
        case .clearBits(let tag, let mask): return changing(command, tag, list, mask) { $0 & ~$1 }
        case .replace(let tag, let value): return changing(command, tag, list, value) { $1 }
        }
    }

    private func changing(
        _ command: [UInt8], _ tag: UInt32, _ list: [UInt8], _ operand: [UInt8], _ change: (UInt8, UInt8) -> UInt8
    ) -> [UInt8] {
        guard command.count > 6, let place = place(of: tag, in: list) else { return command }
        // The first object is preceded by header, Lc, template 83 and its length.
        let start = command[6] == 0x81 ? 8 : 7
        var changed = command
        for (at, byte) in zip((start + place.offset)..., operand.prefix(place.count)) where at < changed.count {
            changed[at] = change(changed[at], byte)
        }
        return changed
    }

    private func place(of wanted: UInt32, in list: [UInt8]) -> (offset: Int, count: Int)? {
        var at = 0
        var offset = 0
        while at < list.count {
            var tag = UInt32(list[at])
            at += 1
            if tag & 0x1F == 0x1F {
                repeat {
                    guard at < list.count, tag < 0x0100_0000 else { return nil }
                    tag = tag << 8 | UInt32(list[at])
                    at += 1
                } while list[at - 1] & 0x80 != 0
            }
            guard at < list.count else { return nil }
            if tag == wanted { return (offset, Int(list[at])) }
            offset += Int(list[at])
            at += 1
        }
        return nil
    }
}

extension CardEdit.ResponseChange {
    /// A response that does not consist of data objects is forwarded unchanged.
    func applied(to response: [UInt8]) -> [UInt8] {
        if case .raw(let bytes) = self { return bytes }
        if case .flip(let place, let mask) = self { return response.flipped(place, mask) }
        guard response.count >= 2 else { return response }
        let body = Array(response.dropLast(2))
        if case .statusWord(let status) = self { return body + status.bytes }
        guard var objects = DataObject.parse(body) else { return response }
        if case .insert(let tag, let value) = self {
            guard !objects.isEmpty else { return response }
            objects[objects.count - 1].value += DataObject(tag, value).bytes
        } else {
            objects = edited(objects, depth: 0)
        }
        return objects.flatMap { $0.bytes } + response.suffix(2)
    }

    private func edited(_ objects: [DataObject], depth: Int) -> [DataObject] {
        objects.flatMap { object -> [DataObject] in
            if object.isTemplate, depth < 8, let inner = DataObject.parse(object.value) {
                return changed(DataObject(object.tag, edited(inner, depth: depth + 1)))
            }
            return changed(object)
        }
    }

    private func changed(_ object: DataObject) -> [DataObject] {
        switch self {
        case .setBits(object.tag, let mask): [masked(object, mask) { $0 | $1 }]
        case .clearBits(object.tag, let mask): [masked(object, mask) { $0 & ~$1 }]
        case .replace(object.tag, let value): [DataObject(object.tag, value)]
        case .remove(object.tag): []
        case .duplicate(object.tag): [object, object]
        default: [object]
        }
    }

    private func masked(_ object: DataObject, _ mask: [UInt8], _ change: (UInt8, UInt8) -> UInt8) -> DataObject {
        var value = object.value
        for (index, byte) in mask.prefix(value.count).enumerated() { value[index] = change(value[index], byte) }
        return DataObject(object.tag, value)
    }
}
