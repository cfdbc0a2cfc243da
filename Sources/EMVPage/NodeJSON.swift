// SPDX-License-Identifier: Apache-2.0
import EMVDecoder
import EMVFormats
import EMVKit

/// A tree of data objects for programs.
struct NodeJSON {
    let decoder: DataObjectDecoder
    /// `nil`: account numbers are shown.
    let mask: AccountMask?

    /// - Parameters:
    ///   - scheme: whose names the tags have; `nil`: not known.
    ///   - applicationName: the application that the last SELECT names.
    ///   - kernel: the kernel that has read the card; `nil`: not known.
    init(_ mask: AccountMask?, scheme: PaymentScheme? = nil, applicationName: Bytes? = nil, kernel: KernelID? = nil) {
        self.mask = mask
        var decoder = DataObjectDecoder(
            showsPAN: mask == nil, scheme: scheme ?? applicationName.flatMap { PaymentScheme(aid: $0) })
        decoder.applicationName = applicationName
        if let kernel, EngineNames.isBuiltIn(kernel) { decoder.kernel = kernel.bytes.first }
        self.decoder = decoder
    }

    /// The objects, behind a fault as far as they can be read.
    func tree(_ bytes: some Collection<UInt8>) -> OutputJSON {
        NodeJSON.nodes(masked(decoder.decode(Bytes(bytes))))
    }

    /// A response in full.
    ///
    /// - Parameters:
    ///   - record: the values of a log's record, which is not TLV.
    ///   - lacksStatus: the last two bytes are data, too.
    func response(_ bytes: Bytes, record: DataObjects? = nil, lacksStatus: Bool = false) -> OutputJSON {
        let body = lacksStatus ? bytes[...] : bytes.dropLast(2)
        let status = bytes[body.endIndex...]
        if let record {
            return .object([
                ("hex", .string(objects(body) + Hex.string(status))), ("status", .string(Hex.string(status))),
                ("tree", tree(record.encoded)), ("fault", .null),
            ])
        }
        let decoded = masked(decoder.decode(Bytes(body)))
        let shownStatus = lacksStatus ? "" : mask?.status(of: bytes) ?? Hex.string(status)
        return .object([
            ("hex", .string(objects(body) + shownStatus)),
            ("status", lacksStatus ? .null : .string(shownStatus)),
            ("tree", NodeJSON.nodes(decoded)),
            ("fault", body.isEmpty ? .null : NodeJSON.fault(decoded.fault)),
        ])
    }

    /// Data objects in hex.
    func objects(_ bytes: some Collection<UInt8>) -> String { mask?.objects(bytes) ?? Hex.string(bytes) }

    func hex(ofCommand command: Bytes) -> String { mask?.command(command) ?? Hex.string(command) }

    func command(_ command: Bytes, _ lists: DataLists) -> OutputJSON {
        .object([
            ("hex", .string(hex(ofCommand: command))),
            ("name", .string(CommandName.text(command))),
            ("tree", tree(lists.objects(of: command).encoded)),
        ])
    }

    /// The lines of a command or of an answer: its bytes, then its tree.
    func lines(_ bytes: Bytes, hex: String, _ sign: String) -> [String] {
        let decoded = masked(decoder.decode(bytes))
        let tree = bytes.isEmpty ? [] : decoded.lines + (decoded.fault.map { ["\($0)"] } ?? [])
        return ["  " + sign + " " + hex] + tree.map { "      " + $0 }
    }

    private func masked(_ data: DecodedData) -> DecodedData { mask.map { data.masked($0) } ?? data }

    static func fault(_ fault: DecodedData.Fault?) -> OutputJSON {
        guard let fault else { return .null }
        return .object([("position", .integer(fault.position)), ("message", .string(fault.message))])
    }

    /// Objects, or the records of a wallet for passes.
    private static func nodes(_ data: DecodedData) -> OutputJSON {
        .array(data.objects.map { json($0) } + data.records.map { json($0) })
    }

    /// A record has the keys of an object.
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

extension DecodedData {
    /// Without the account numbers that a mask knows, in whatever object they are, and without names and the card's
    /// certificate, which holds the number.
    package func masked(_ mask: AccountMask) -> DecodedData {
        var data = self
        data.objects = objects.map { $0.masked(mask) }
        data.records = records.map { $0.masked(mask) }
        data.issuer = issuer.map { mask.text($0) }
        return data
    }
}

extension DecodedObject {
    private static let leftOut: Set<UInt32> = [0x5F20, 0x9F0B, 0x9F46]

    fileprivate func masked(_ mask: AccountMask) -> DecodedObject {
        var object = self
        if !value.isEmpty, DecodedObject.leftOut.contains(tag.rawValue) {
            object.value = "(masked)"
        } else if !isMasked {
            object.value = mask.shown(tag, value)
        }
        if object.value != value { object.isMasked = true }
        if object.isMasked { object.text = nil }
        object.meanings = meanings.map { mask.text($0) }
        object.children = children.map { $0.masked(mask) }
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
        case 0xC0: return "GET RESPONSE"
        case 0xDF: return "ECHO"
        case 0xE1: return "READ DATA"
        case 0xE2: return "WRITE DATA"
        default: return Hex.string(command.prefix(4))
        }
    }
}

/// The data object lists that a card has given, by which the data of its commands have their tags.
struct DataLists {
    private var lists = DataObjects()
    private var cryptograms = 0

    private static let tags: Set<Tag> = [0x9F38, 0x8C, 0x8D, 0x9F49, 0x9F69, 0x50, 0x9F4D, 0x9F4F]

    /// As the card's application names itself.
    var label: String? { lists[0x50].map { String(decoding: $0, as: UTF8.self) } }

    /// Notes what an answer brings. A selection begins anew.
    mutating func learn(_ command: Bytes, _ response: Bytes) {
        if command.count > 1, command[1] == 0xA4 { self = DataLists() }
        if command.count > 1, command[1] == 0xAE { cryptograms += 1 }
        var tree = TLVTree(Bytes(response.dropLast(2)))
        while let (object, _) = tree.next() {
            if DataLists.tags.contains(object.tag) { lists[object.tag] = Bytes(object.value) }
        }
    }

    /// The values of a record of the transaction log, which has them one after the other without tags (Book 3, annex
    /// D); `nil` for any other answer. Empty where the format is not known or does not fit.
    ///
    /// - Parameter format: the card's Log Format, where another answer of the dialogue has it.
    func logRecord(_ command: Bytes, _ response: Bytes, format: Bytes?) -> DataObjects? {
        guard command.count > 3, command[1] == 0xB2, response.count > 2, response[0] != 0x70,
            let entry = lists[0x9F4D], entry.count == 2, command[3] >> 3 == entry[0]
        else { return nil }
        return DataLists.split(response.dropLast(2), lists[0x9F4F] ?? format ?? [])
    }

    /// The Log Format in an answer of GET DATA.
    static func logFormat(_ response: Bytes) -> Bytes? {
        var reader = TLVReader(Bytes(response.dropLast(2)))
        guard let object = reader.next(), object.tag == 0x9F4F else { return nil }
        return Bytes(object.value)
    }

    /// What a command's data are; empty where that is not known.
    func objects(of command: Bytes) -> DataObjects {
        guard command.count > 5 else { return DataObjects() }
        let data = command.dropFirst(5).prefix(Int(command[4]))
        switch command[1] {
        case 0xA4: return [0x84: Bytes(data)]
        case 0xA8:
            var reader = TLVReader(data)
            guard let template = reader.next(), template.tag == 0x83, let list = lists[0x9F38] else {
                return DataObjects()
            }
            return DataLists.split(template.value, list)
        case 0xAE: return DataLists.split(data, lists[cryptograms > 0 ? 0x8D : 0x8C] ?? [])
        case 0x2A: return DataLists.split(data, lists[0x9F69] ?? [0x9F, 0x6A, 0x04])
        case 0x88: return DataLists.split(data, lists[0x9F49] ?? [0x9F, 0x37, 0x04])
        default: return DataObjects()
        }
    }

    /// Values by a list of tags and lengths; empty where their lengths do not agree.
    private static func split(_ values: ArraySlice<UInt8>, _ list: Bytes) -> DataObjects {
        var objects = DataObjects(), values = values
        var at = 0
        while at < list.count {
            var number = UInt32(list[at])
            at += 1
            if number & 0x1F == 0x1F {
                repeat {
                    guard at < list.count, number <= 0xFF_FFFF else { return DataObjects() }
                    number = number << 8 | UInt32(list[at])
                    at += 1
                } while list[at - 1] & 0x80 != 0
            }
            guard at < list.count, let tag = Tag(rawValue: number), Int(list[at]) <= values.count else {
                return DataObjects()
            }
            objects[tag] = Bytes(values.prefix(Int(list[at])))
            values = values.dropFirst(Int(list[at]))
            at += 1
        }
        return values.isEmpty ? objects : DataObjects()
    }
}
