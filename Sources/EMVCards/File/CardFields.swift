// SPDX-License-Identifier: Apache-2.0
// How cards are read from and written to files (emv-card/1). A type names its keys once, in `visit`; reading, writing
// and the list of permitted keys all follow from that function, so that they cannot disagree. Nothing here knows a key
// or a scheme: CardDocument.swift and ApplicationFields.swift have the common keys, each scheme's directory its own.
// No Codable and no reflection, which Embedded Swift lacks.
import EMVFormats
import EMVKernel

/// A type with keys in a file.
protocol CardFielded: Equatable {
    /// Passes each field of `value` with its key to `fields`. `base` has the values of absent keys.
    static func visit(_ fields: inout CardFields, _ value: inout Self, _ base: Self) throws(FormatError)
}

/// The fields of one object of a file, while they are read, written or listed.
struct CardFields {
    private enum Work {
        case listing
        case reading(ObjectNode)
        /// `complete`: fields that equal the base's are written too.
        case writing(complete: Bool)
    }

    private let work: Work
    private var names: [String] = []
    private var written = ObjectWriter()

    private init(_ work: Work) { self.work = work }

    /// Reads an object. Absent keys leave `value` as it is.
    static func read<Value: CardFielded>(_ node: Node, _ value: inout Value) throws(FormatError) {
        let base = value
        var copy = value
        var listing = CardFields(.listing)
        try Value.visit(&listing, &copy, base)
        var reading = CardFields(.reading(try node.object(listing.names, showsClosest: true)))
        try Value.visit(&reading, &value, base)
    }

    /// Writes the fields that differ from those of `base`, or all fields if `complete`.
    static func write<Value: CardFielded>(_ value: Value, _ base: Value, complete: Bool) -> JSON {
        var writing = CardFields(.writing(complete: complete))
        var copy = value
        // Writing has nothing that it could reject.
        try? Value.visit(&writing, &copy, base)
        return writing.written.json
    }

    mutating func callAsFunction<Value: Equatable>(
        _ name: String, _ value: inout Value, _ base: Value, _ form: CardValue<Value>
    ) throws(FormatError) {
        switch work {
        case .listing: names.append(name)
        case .reading(let object): if let node = object[name] { value = try form.read(node) }
        case .writing(let complete): if complete || value != base { written.put(name, form.write(value)) }
        }
    }

    /// A field that `null` leaves out.
    mutating func orNull<Value: Equatable>(
        _ name: String, _ value: inout Value?, _ base: Value?, _ form: CardValue<Value>
    ) throws(FormatError) {
        try self(name, &value, base, form.orNull)
    }

    /// An object whose absent keys have the values of `base`.
    mutating func part<Part: CardFielded>(
        _ name: String, _ value: inout Part, _ base: Part
    ) throws(FormatError) {
        switch work {
        case .listing: names.append(name)
        case .reading(let object): if let node = object[name] { try CardFields.read(node, &value) }
        case .writing(let complete):
            if complete || value != base { written.put(name, CardFields.write(value, base, complete: complete)) }
        }
    }

    /// An object that `null` leaves out. Absent keys have the values of `standard` if the base has no such object.
    mutating func partOrNull<Part: CardFielded>(
        _ name: String, _ value: inout Part?, _ base: Part?, else standard: Part
    ) throws(FormatError) {
        switch work {
        case .listing: names.append(name)
        case .reading(let object):
            guard let node = object[name] else { return }
            guard !node.isNull else {
                value = nil
                return
            }
            var part = value ?? standard
            try CardFields.read(node, &part)
            value = part
        case .writing(let complete):
            guard complete || value != base else { return }
            written.put(
                name, value.map { CardFields.write($0, base ?? standard, complete: complete) } ?? JSON(.null))
        }
    }

    /// Rejects the file unless the condition is met. The error is at this key, or at the object if the key is absent.
    func require(_ isMet: Bool, at name: String, _ expected: String, found: String? = nil) throws(FormatError) {
        guard case .reading(let object) = work, !isMet else { return }
        throw (object[name] ?? object.node).expected(expected, found: found)
    }

    var isReading: Bool { if case .reading = work { true } else { false } }

    var isComplete: Bool { if case .writing(let complete) = work { complete } else { false } }

    /// Rejects a key with an error better than that of an unknown key.
    mutating func reject(_ name: String, expected: String) throws(FormatError) {
        if case .listing = work { names.append(name) }
        try require(node(name) == nil, at: name, expected, found: "\"\(name)\"")
    }

    /// The value of a key while reading; nil if it is absent.
    func node(_ name: String) -> Node? {
        guard case .reading(let object) = work else { return nil }
        return object[name]
    }
}

/// The form of one value in a file.
struct CardValue<Value: Equatable> {
    let read: (Node) throws(FormatError) -> Value
    let write: (Value) -> JSON

    var orNull: CardValue<Value?> {
        CardValue<Value?>(
            read: { node throws(FormatError) in node.isNull ? nil : try read(node) },
            write: { $0.map(write) ?? JSON(.null) })
    }

    var inArray: CardValue<[Value]> {
        CardValue<[Value]>(
            read: { node throws(FormatError) in
                var values: [Value] = []
                for element in try node.elements() { values.append(try read(element)) }
                return values
            },
            write: { JSON(.array($0.map(write))) })
    }
}

extension CardValue where Value == Bool {
    static var flag: CardValue {
        CardValue(read: { node throws(FormatError) in try node.bool() }, write: { JSON(.bool($0)) })
    }
}

extension CardValue where Value == String {
    /// One line of text of this many bytes.
    static func text(_ sizes: ClosedRange<Int>) -> CardValue {
        CardValue(
            read: { node throws(FormatError) in
                let text = try node.name()
                guard sizes.contains(text.utf8.count) else {
                    throw node.expected("\(sizes.lowerBound) to \(sizes.upperBound) bytes of text")
                }
                return text
            }, write: { JSON(.string($0)) })
    }

    /// Decimal digits.
    static func digits(_ sizes: ClosedRange<Int>) -> CardValue {
        CardValue(
            read: { node throws(FormatError) in
                let text = try node.string()
                guard sizes.contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
                    let size =
                        sizes.lowerBound == sizes.upperBound
                        ? "\(sizes.lowerBound)" : "\(sizes.lowerBound) to \(sizes.upperBound)"
                    throw node.expected("\(size) decimal digits in a string")
                }
                return text
            }, write: { JSON(.string($0)) })
    }

    /// A date as six digits, YYMMDD.
    static var date: CardValue {
        CardValue(
            read: { node throws(FormatError) in
                let text = try digits(6...6).read(node)
                let parts = stride(from: 0, to: 6, by: 2).map { Int(text.dropFirst($0).prefix(2)) ?? 0 }
                guard (1...12).contains(parts[1]), (1...31).contains(parts[2]) else {
                    throw node.expected("a date YYMMDD", found: "six digits that are not a date")
                }
                return text
            }, write: { JSON(.string($0)) })
    }
}

extension CardValue where Value == [UInt8] {
    static func hex(_ sizes: ClosedRange<Int>) -> CardValue {
        CardValue(
            read: { node throws(FormatError) in try node.hex(sizes) }, write: { JSON(.string(Hex.string($0))) })
    }

    static func hex(_ size: Int) -> CardValue { hex(size...size) }
}

extension CardValue where Value == UInt8 {
    static var byte: CardValue {
        CardValue(read: { node throws(FormatError) in try node.byte() }, write: { JSON(.string(Hex.string([$0]))) })
    }
}

extension CardValue where Value == StatusWord {
    static var status: CardValue {
        CardValue(
            read: { node throws(FormatError) in
                let bytes = try node.hex(2...2)
                return StatusWord(rawValue: UInt16(bytes[0]) << 8 | UInt16(bytes[1]))
            }, write: { JSON(.string(Hex.string($0.bytes))) })
    }
}

extension CardValue where Value: FixedWidthInteger {
    /// A whole number; `what` describes it with its unit.
    static func number(_ range: ClosedRange<UInt64>, _ what: String) -> CardValue {
        CardValue(
            read: { node throws(FormatError) in Value(truncatingIfNeeded: try node.integer(range, what)) },
            write: { JSON(.number("\(UInt64(truncatingIfNeeded: $0))")) })
    }
}

extension CardValue where Value == UInt64 {
    /// Minor units, at most twelve digits.
    static var amount: CardValue { number(0...999_999_999_999, "an amount in minor units") }
}

extension CardValue where Value == Double {
    /// Milliseconds, exact to the microsecond.
    static var milliseconds: CardValue {
        CardValue(
            read: { node throws(FormatError) in
                (try node.number(upTo: 600_000, "a time in milliseconds") * 1000).rounded() / 1000
            },
            write: {
                let microseconds = Int64(($0 * 1000).rounded())
                let rest = String(microseconds % 1000)
                let zeros = String(repeating: "0", count: 3 - rest.utf8.count)
                let whole = "\(microseconds / 1000)"
                return JSON(.number(microseconds % 1000 == 0 ? whole : whole + "." + zeros + rest))
            })
    }
}

extension CardValue where Value: RawRepresentable & CaseIterable, Value.RawValue == String {
    static var choice: CardValue {
        CardValue(
            read: { node throws(FormatError) in
                let name = try node.name(of: Value.allCases.map { $0.rawValue }, "a name")
                guard let value = Value(rawValue: name) else { throw node.expected("a name") }
                return value
            }, write: { JSON(.string($0.rawValue)) })
    }
}

extension CardValue {
    static func choice(_ names: KeyValuePairs<String, Value>) -> CardValue {
        CardValue(
            read: { node throws(FormatError) in try node.choice(names) },
            write: { value in JSON(.string(names.first { $0.value == value }?.key ?? "")) })
    }

    /// An array of names, each once.
    static func set<Element: Hashable & CaseIterable & RawRepresentable>() -> CardValue
    where Value == Set<Element>, Element.RawValue == String {
        CardValue(
            read: { node throws(FormatError) in
                var values: Set<Element> = []
                for element in try node.elements() {
                    guard values.insert(try CardValue<Element>.choice.read(element)).inserted else {
                        throw element.expected("each name once", found: "a name again")
                    }
                }
                return values
            },
            write: { values in
                JSON(.array(Element.allCases.filter { values.contains($0) }.map { JSON(.string($0.rawValue)) }))
            })
    }
}

extension CardValue where Value == UInt32 {
    static var tag: CardValue {
        CardValue(
            read: { node throws(FormatError) in
                guard let tag = Tag(try node.string()) else { throw node.expected("a tag of 1 to 4 bytes in hex") }
                return tag.rawValue
            }, write: { JSON(.string(Hex.string(DataObject.tagBytes($0)))) })
    }
}

extension CardValue where Value == [DataRequest] {
    /// A data object list in hex: tags with lengths.
    static var list: CardValue {
        CardValue(
            read: { node throws(FormatError) in
                guard let list = [DataRequest](list: try node.hex(0...252)) else {
                    throw node.expected("a data object list: tags, each with a length of one byte, in hex")
                }
                guard list.dataLength <= 247 else {
                    throw node.expected(
                        "a list that asks for at most 247 bytes", found: "one that asks for \(list.dataLength)")
                }
                return list
            }, write: { JSON(.string(Hex.string($0.bytes))) })
    }
}

extension [DataRequest] {
    /// Two numbers of Book C-5 (Annex B) that are not valid tags: this list treats them as tags of two bytes.
    private static let irregular: [UInt8] = [0x83, 0x84]

    fileprivate init?(list: [UInt8]) {
        self = []
        var at = 0
        while at < list.count {
            var tag = UInt32(list[at])
            guard tag != 0 else { return nil }
            at += 1
            if tag & 0x1F == 0x1F {
                repeat {
                    guard at < list.count, tag < 0x0100_0000 else { return nil }
                    tag = tag << 8 | UInt32(list[at])
                    at += 1
                } while list[at - 1] & 0x80 != 0 && !(tag >> 8 == 0xDF && Self.irregular.contains(list[at - 1]))
            }
            guard at < list.count, list[at] < 0x80 || tag == 0x9E || list[at] <= 0xF7 else { return nil }
            append(DataRequest(tag, list[at]))
            at += 1
        }
    }
}
