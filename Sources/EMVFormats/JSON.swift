// SPDX-License-Identifier: Apache-2.0
/// A JSON value with the place where it began. Numbers keep their text, so that nothing is rounded.
package struct JSON {
    package enum Value {
        case object([Member])
        case array([JSON])
        case string(String)
        case number(String)
        case bool(Bool)
        case null
    }

    package struct Member {
        var name: String
        var nameOffset: Int
        var value: JSON
    }

    package var value: Value
    /// Byte offset in the document.
    var offset: Int

    package init(_ value: Value, offset: Int = 0) {
        self.value = value
        self.offset = offset
    }

    /// The kind of the value, for a message. Never its text or digits, which may be account data.
    var kind: String {
        switch value {
        case .object: "an object"
        case .array: "an array"
        case .string(let text): text.utf8.count == 1 ? "a string of 1 byte" : "a string of \(text.utf8.count) bytes"
        case .number(let text): JSON.kind(ofNumber: text)
        case .bool(let value): value ? "true" : "false"
        case .null: "null"
        }
    }

    private static func kind(ofNumber text: String) -> String {
        if text.utf8.contains(where: { ".eE".utf8.contains($0) }) { return "a number with a point or an exponent" }
        let digits = text.utf8.filter { (0x30...0x39).contains($0) }.count
        return (text.utf8.first == 0x2D ? "a negative number of " : "a number of ")
            + (digits == 1 ? "1 digit" : "\(digits) digits")
    }
}

/// A strict reader of JSON (RFC 8259): accepts any bytes, returns a value or one error. Names may not be repeated
/// within an object.
struct JSONReader {
    struct Failure: Error {
        var offset: Int
        var expected: String
        var found: String
    }

    static let maximumDepth = 32
    private static let aPair = "a pair of surrogates, \\uD800 to \\uDBFF and \\uDC00 to \\uDFFF"
    private static let aValue = "a value: an object, an array, a string, a number, true, false or null"

    private let bytes: [UInt8]
    private var at = 0

    static func read(_ bytes: [UInt8]) throws(Failure) -> JSON {
        if let offset = invalidUTF8(bytes) {
            throw Failure(offset: offset, expected: "text in UTF-8", found: "a byte that is not")
        }
        var reader = JSONReader(bytes: bytes)
        let value = try reader.value(depth: 0)
        reader.skipSpace()
        guard reader.at == bytes.count else { throw reader.failure("the end of the document") }
        return value
    }

    private init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    private var peek: UInt8? { at < bytes.count ? bytes[at] : nil }

    private func failure(_ expected: String, found: String? = nil) -> Failure {
        Failure(offset: at, expected: expected, found: found ?? kind(of: peek))
    }

    /// The kind of a character, for a message: a letter or digit may belong to an account.
    private func kind(of byte: UInt8?) -> String {
        guard let byte else { return "the end of the document" }
        return switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): "a digit"
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"): "a letter"
        case UInt8(ascii: "\""): "a double quote"
        case 0x20: "a space"
        case 0x00..<0x20, 0x7F: "a control character"
        case 0x00..<0x80: "\"\(Character(Unicode.Scalar(byte)))\""
        default: "a character outside ASCII"
        }
    }

    private mutating func skipSpace() {
        while let byte = peek, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D { at += 1 }
    }

    private mutating func value(depth: Int) throws(Failure) -> JSON {
        skipSpace()
        guard depth < JSONReader.maximumDepth else {
            throw failure("at most \(JSONReader.maximumDepth) levels of nesting", found: "one more")
        }
        let start = at
        guard let byte = peek else { throw failure(JSONReader.aValue) }
        switch byte {
        case UInt8(ascii: "{"): return JSON(.object(try object(depth: depth)), offset: start)
        case UInt8(ascii: "["): return JSON(.array(try array(depth: depth)), offset: start)
        case UInt8(ascii: "\""): return JSON(.string(try string()), offset: start)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return JSON(.number(try number()), offset: start)
        case UInt8(ascii: "t"): return JSON(.bool(try word("true", true)), offset: start)
        case UInt8(ascii: "f"): return JSON(.bool(try word("false", false)), offset: start)
        case UInt8(ascii: "n"): return JSON(try word("null", .null), offset: start)
        default: throw failure(JSONReader.aValue)
        }
    }

    private mutating func word<Result>(_ text: String, _ result: Result) throws(Failure) -> Result {
        guard bytes[at...].starts(with: text.utf8) else { throw failure(JSONReader.aValue, found: "another word") }
        at += text.utf8.count
        return result
    }

    private mutating func object(depth: Int) throws(Failure) -> [JSON.Member] {
        at += 1
        var members: [JSON.Member] = []
        var names: Set<String> = []
        skipSpace()
        if take("}") { return members }
        repeat {
            skipSpace()
            let start = at
            guard peek == UInt8(ascii: "\"") else { throw failure("a name in double quotes") }
            let name = try string()
            guard names.insert(name).inserted else {
                throw Failure(
                    offset: start, expected: "each name once", found: "the key \(Shown.key(name)) again")
            }
            skipSpace()
            guard take(":") else { throw failure("\":\" after a name") }
            members.append(JSON.Member(name: name, nameOffset: start, value: try value(depth: depth + 1)))
            skipSpace()
        } while take(",")
        guard take("}") else { throw failure("\",\" or \"}\"") }
        return members
    }

    private mutating func array(depth: Int) throws(Failure) -> [JSON] {
        at += 1
        var values: [JSON] = []
        skipSpace()
        if take("]") { return values }
        repeat {
            values.append(try value(depth: depth + 1))
            skipSpace()
        } while take(",")
        guard take("]") else { throw failure("\",\" or \"]\"") }
        return values
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard peek == UInt8(ascii: character) else { return false }
        at += 1
        return true
    }

    private mutating func number() throws(Failure) -> String {
        let start = at
        if peek == UInt8(ascii: "-") { at += 1 }
        if peek == UInt8(ascii: "0") {
            at += 1
        } else if digits() == 0 {
            throw failure("a digit")
        }
        if peek == UInt8(ascii: ".") {
            at += 1
            if digits() == 0 { throw failure("a digit after the point") }
        }
        if peek == UInt8(ascii: "e") || peek == UInt8(ascii: "E") {
            at += 1
            if peek == UInt8(ascii: "+") || peek == UInt8(ascii: "-") { at += 1 }
            if digits() == 0 { throw failure("a digit in the exponent") }
        }
        if let byte = peek, (0x30...0x39).contains(byte) {
            throw failure("a number without leading zeros", found: "one with them")
        }
        return String(decoding: bytes[start..<at], as: UTF8.self)
    }

    private mutating func digits() -> Int {
        let start = at
        while let byte = peek, (0x30...0x39).contains(byte) { at += 1 }
        return at - start
    }

    private mutating func string() throws(Failure) -> String {
        at += 1
        var text: [UInt8] = []
        while let byte = peek {
            switch byte {
            case UInt8(ascii: "\""):
                at += 1
                return String(decoding: text, as: UTF8.self)
            case UInt8(ascii: "\\"):
                at += 1
                text += String(Character(try escape())).utf8
            case 0x00..<0x20:
                throw failure("a string without control characters")
            default:
                text.append(byte)
                at += 1
            }
        }
        throw failure("the closing quote of a string")
    }

    private mutating func escape() throws(Failure) -> Unicode.Scalar {
        guard let byte = peek else { throw failure("a character after \"\\\"") }
        let simple: [UInt8: Unicode.Scalar] = [
            0x22: "\"", 0x5C: "\\", 0x2F: "/", 0x62: "\u{8}", 0x66: "\u{C}", 0x6E: "\n", 0x72: "\r", 0x74: "\t",
        ]
        if let scalar = simple[byte] {
            at += 1
            return scalar
        }
        guard byte == UInt8(ascii: "u") else {
            throw failure("one of \\\", \\\\, \\/, \\b, \\f, \\n, \\r, \\t and \\u")
        }
        at += 1
        let first = try unit()
        if let scalar = Unicode.Scalar(first) { return scalar }
        guard (0xD800..<0xDC00).contains(first), bytes[at...].starts(with: "\\u".utf8) else {
            throw failure(JSONReader.aPair, found: "half of one")
        }
        at += 2
        let second = try unit()
        guard (0xDC00..<0xE000).contains(second),
            let scalar = Unicode.Scalar(0x10000 + (UInt32(first) - 0xD800) << 10 + (UInt32(second) - 0xDC00))
        else { throw failure(JSONReader.aPair, found: "half of one") }
        return scalar
    }

    private mutating func unit() throws(Failure) -> UInt16 {
        guard bytes.count - at >= 4 else {
            throw failure("four hex digits after \\u", found: "the end of the document")
        }
        var unit: UInt16 = 0
        for byte in bytes[at..<(at + 4)] {
            guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue, byte < 0x80 else {
                throw failure("four hex digits after \\u", found: "another character")
            }
            unit = unit << 4 | UInt16(digit)
        }
        at += 4
        return unit
    }

    /// Returns the position of the first invalid UTF-8.
    private static func invalidUTF8(_ bytes: [UInt8]) -> Int? {
        var decoder = UTF8()
        var source = bytes.makeIterator()
        var offset = 0
        while true {
            switch decoder.decode(&source) {
            case .scalarValue(let scalar): offset += UTF8.width(scalar)
            case .emptyInput: return nil
            case .error: return offset
            }
        }
    }
}

extension JSON {
    /// Writes nested objects on separate lines, two spaces per level; short objects on one line.
    package func text(indent: Int = 0) -> String {
        switch value {
        case .null: return "null"
        case .bool(let value): return value ? "true" : "false"
        case .number(let text): return text
        case .string(let text): return JSON.quoted(text)
        case .array(let values):
            if values.allSatisfy({ $0.isPlain }) { return "[" + values.map { $0.text() }.joined(separator: ", ") + "]" }
            return JSON.block("[", values.map { $0.text(indent: indent + 1) }, "]", indent)
        case .object(let members):
            if members.allSatisfy({ $0.value.isPlain }), members.count <= 4 {
                return "{" + members.map { " \(JSON.quoted($0.name)): \($0.value.text())" }.joined(separator: ",")
                    + " }"
            }
            return JSON.block(
                "{", members.map { "\(JSON.quoted($0.name)): \($0.value.text(indent: indent + 1))" }, "}", indent)
        }
    }

    private var isPlain: Bool {
        switch value {
        case .null, .bool, .number, .string: true
        case .array(let values): values.isEmpty
        case .object(let members): members.isEmpty
        }
    }

    private static func block(_ open: String, _ lines: [String], _ close: String, _ indent: Int) -> String {
        let space = String(repeating: "  ", count: indent)
        return open + "\n" + lines.map { space + "  " + $0 }.joined(separator: ",\n") + "\n" + space + close
    }

    private static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case "\u{0}"..<"\u{20}":
                let hex = String(scalar.value, radix: 16)
                quoted += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}
