// SPDX-License-Identifier: Apache-2.0
import EMVDecoder
import EMVFormats
import EMVPOS

/// A tree of data objects for programs.
struct NodeJSON {
    let decoder: DataObjectDecoder
    /// `nil`: account numbers are shown.
    let mask: AccountMask?

    /// - Parameters:
    ///   - scheme: the scheme whose names the tags have; `nil`: not known.
    ///   - applicationName: the application in the last SELECT.
    ///   - kernel: the kernel that read the card; `nil`: not known.
    ///   - isOfMaskedLog: masked digits were read as 0.
    init(
        _ mask: AccountMask?, scheme: PaymentScheme? = nil, applicationName: Bytes? = nil, kernel: KernelID? = nil,
        isOfMaskedLog: Bool = false
    ) {
        self.mask = mask
        var decoder = DataObjectDecoder(
            showsPAN: mask == nil, scheme: scheme ?? applicationName.flatMap { PaymentScheme(aid: $0) })
        decoder.applicationName = applicationName
        decoder.isOfMaskedLog = isOfMaskedLog
        if let kernel, EngineNames.isBuiltIn(kernel) { decoder.kernel = kernel.bytes.first }
        self.decoder = decoder
    }

    /// The objects; objects after a fault are included as far as they can be read.
    func tree(_ bytes: some Collection<UInt8>) -> OutputJSON {
        NodeJSON.nodes(masked(decoder.decode(Bytes(bytes))))
    }

    /// A response in full.
    ///
    /// - Parameters:
    ///   - record: the values of a log's record, which is not TLV.
    ///   - lacksStatus: the last two bytes are data too.
    ///   - before: the first part of this response's data, from earlier answers.
    ///   - isPlain: the last two bytes are a status word, regardless of the data.
    ///   - isNumber: the data are not objects.
    func response(
        _ bytes: Bytes, record: DataObjects? = nil, lacksStatus: Bool = false, before: Bytes = [],
        isPlain: Bool = false, isNumber: Bool = false
    ) -> OutputJSON {
        let body = lacksStatus ? bytes[...] : bytes.dropLast(2)
        if let record {
            return .object([
                ("hex", .string(objects(body) + self.status(of: bytes))), ("status", .string(self.status(of: bytes))),
                ("tree", tree(record.encoded)), ("fault", .null),
            ])
        }
        let decoded = masked(decoder.decode(isNumber ? [] : before + body))
        let shownStatus =
            lacksStatus ? "" : isPlain ? Hex.string(bytes.suffix(2)) : self.status(of: before + bytes)
        return .object([
            ("hex", .string((isNumber ? hex(body) : objects(body, before: before)) + shownStatus)),
            ("status", lacksStatus ? .null : .string(shownStatus)),
            ("tree", NodeJSON.nodes(decoded)),
            ("fault", body.isEmpty || isNumber ? .null : NodeJSON.fault(decoded.fault)),
        ])
    }

    /// Data objects in hex.
    func objects(_ bytes: some Collection<UInt8>) -> String { mask?.objects(bytes) ?? Hex.string(bytes) }

    /// The second part of data objects in hex.
    func objects(_ bytes: some Collection<UInt8>, before: Bytes) -> String {
        String(objects(before + bytes).dropFirst(2 * before.count))
    }

    /// The status word of an answer.
    func status(of answer: Bytes) -> String { mask?.status(of: answer) ?? Hex.string(answer.suffix(2)) }

    /// Any value in hex.
    func hex(_ bytes: some Collection<UInt8>) -> String { mask?.text(Hex.string(bytes)) ?? Hex.string(bytes) }

    /// The label of the card's application; `nil` if a mask hides a part of it.
    func label(_ lists: DataLists) -> String? {
        guard let label = lists.label else { return nil }
        let hex = Hex.string(label)
        return mask.map { $0.shown(0x50, hex) == hex } ?? true ? String(decoding: label, as: UTF8.self) : nil
    }

    func hex(ofCommand command: Bytes, _ reading: CommandReading) -> String {
        mask?.command(command, reading) ?? AccountMask.withoutPIN(command)
    }

    func command(_ command: Bytes, _ reading: CommandReading) -> OutputJSON {
        .object([
            ("hex", .string(hex(ofCommand: command, reading))),
            ("name", .string(CommandName.text(command))),
            ("tree", tree(reading.encoded)),
        ])
    }

    /// The lines of a command or of an answer: its bytes, then its tree.
    func lines(_ bytes: Bytes, hex: String, _ sign: String) -> [String] {
        let decoded = masked(decoder.decode(bytes))
        let tree = bytes.isEmpty ? [] : decoded.lines + (decoded.fault.map { ["\($0)"] } ?? [])
        return ["  " + sign + " " + hex] + tree.map { "      " + $0 }
    }

    func masked(_ data: DecodedData) -> DecodedData { mask.map { data.masked($0) } ?? data }

    static func fault(_ fault: DecodedData.Fault?) -> OutputJSON {
        guard let fault else { return .null }
        return .object([("position", .integer(fault.position)), ("message", .string(fault.message))])
    }

    /// Objects, or the records of a wallet for passes.
    private static func nodes(_ data: DecodedData) -> OutputJSON {
        .array(data.objects.map { json($0) } + data.records.map { json($0) })
    }

    /// A record has the keys of an object, so that both are shown alike.
    static func json(_ record: DecodedRecord) -> OutputJSON {
        .object([
            ("tag", .string(record.type)), ("name", .string(record.name)), ("length", .integer(record.length)),
            ("available", .integer(record.length)), ("constructed", .bool(!record.children.isEmpty)),
            ("value", .string(record.value)), ("text", .null),
            ("masked", .bool(record.isMasked)), ("meanings", .strings(record.meanings)),
            ("children", .array(record.children.map { json($0) })),
        ])
    }

    static func json(_ object: DecodedObject) -> OutputJSON {
        .object([
            ("tag", .string(object.tag.description)), ("name", .string(object.name)),
            ("length", .integer(object.length)), ("available", .integer(object.available)),
            ("constructed", .bool(object.isConstructed)),
            ("value", .string(object.value)), ("text", .optional(object.text)),
            ("masked", .bool(object.isMasked)), ("meanings", .strings(object.meanings)),
            ("children", .array(object.children.map { json($0) })),
        ])
    }
}

extension AccountMask {
    /// A command in hex; values that a list requests are masked according to their tags.
    func command(_ command: Bytes, _ reading: CommandReading) -> String {
        let star = UInt8(ascii: "*")
        var text = Array(self.command(command).utf8)
        var place = 2 * reading.start
        for object in reading.objects {
            let one = objects(([object.tag: object.value] as DataObjects).encoded)
            for digit in one.utf8.suffix(2 * object.value.count) {
                if digit == star { text[place] = star }
                place += 1
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}

extension DecodedData {
    /// Masks the account numbers that a mask knows, in every object.
    package func masked(_ mask: AccountMask) -> DecodedData {
        var data = self
        data.objects = objects.map { $0.masked(mask) }
        data.records = records.map { $0.masked(mask) }
        data.issuer = issuer.map { mask.text($0) }
        return data
    }
}

extension DecodedObject {
    fileprivate func masked(_ mask: AccountMask) -> DecodedObject {
        var object = self
        object.children = children.map { $0.masked(mask) }
        object.meanings = meanings.map { mask.text($0) }
        if !isMasked { object.value = isConstructed ? mask.text(value) : mask.shown(tag, value) }
        guard object.value != value else { return object }
        // Other texts of the object could reveal hidden digits.
        object.isMasked = true
        object.text = nil
        object.meanings = []
        object.children = []
        return object
    }
}

extension DecodedRecord {
    fileprivate func masked(_ mask: AccountMask) -> DecodedRecord {
        var record = self
        record.value = mask.text(value)
        if record.value != value { record.isMasked = true }
        record.children = children.map { $0.masked(mask) }
        return record
    }
}

/// Commands by their names in the books.
enum CommandName {
    static func text(_ command: Bytes) -> String {
        guard command.count >= 4 else { return "" }
        switch command[1] {
        case 0xA4:
            let name = command.count > 5 ? command.dropFirst(5).prefix(Int(command[4])) : []
            return name.elementsEqual("2PAY.SYS.DDF01".utf8) ? "SELECT directory" : "SELECT"
        case 0xA8: return "GET PROCESSING OPTIONS"
        case 0xB2: return "READ RECORD \(command[3] >> 3)/\(command[2])"
        case 0xAE: return "GENERATE AC"
        case 0xCA: return "GET DATA " + Hex.string(command[2...3])
        case 0xDA: return "PUT DATA " + Hex.string(command[2...3])
        case 0x2A: return "COMPUTE CRYPTOGRAPHIC CHECKSUM"
        case 0xEA: return "EXCHANGE RELAY RESISTANCE DATA"
        case 0xD0: return "RECOVER AC"
        case 0x82: return "EXTERNAL AUTHENTICATE"
        case 0x88: return "INTERNAL AUTHENTICATE"
        case 0x84: return "GET CHALLENGE"
        case 0x20: return "VERIFY"
        case 0x24: return command[0] & 0x80 != 0 ? "PIN CHANGE/UNBLOCK" : "CHANGE REFERENCE DATA"
        case 0x2C: return "RESET RETRY COUNTER"
        case 0x16: return "CARD BLOCK"
        case 0x18: return "APPLICATION UNBLOCK"
        case 0x1E: return "APPLICATION BLOCK"
        case 0xB0: return "READ BINARY"
        case 0xD6: return "UPDATE BINARY"
        case 0xDC: return "UPDATE RECORD"
        case 0xC0: return "GET RESPONSE"
        case 0xDF: return "ECHO"
        case 0xE1: return "READ DATA"
        case 0xE2: return "WRITE DATA"
        default: return Hex.string(command.prefix(4))
        }
    }
}
