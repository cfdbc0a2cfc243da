// SPDX-License-Identifier: Apache-2.0
#if Journal
/// Writes the journal's values as JSON, in one pass through their `Encodable` conformances, because a payment waits for
/// it. Reading is left to `JSONDecoder`. It knows no Foundation types, which EMVKit does not use. Members are written
/// in the order in which a type encodes them.
enum JournalText {
    static func of(_ value: some Encodable) throws -> String {
        let writer = Writer()
        try writer.value(value, at: [])
        writer.close(to: 0)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    /// Containers are open from the outermost to the innermost. Writing into one closes the containers inside it.
    fileprivate final class Writer {
        private(set) var bytes: [UInt8] = []
        private var open: [(end: UInt8, isEmpty: Bool)] = []

        init() { bytes.reserveCapacity(1024) }

        /// - Returns: the number of open containers.
        func begin(_ start: UInt8, _ end: UInt8) -> Int {
            bytes.append(start)
            open.append((end, true))
            return open.count
        }

        func close(to depth: Int) {
            while open.count > depth { bytes.append(open.removeLast().end) }
        }

        /// Prepares for a member or an element of the container at this depth.
        func next(in depth: Int) {
            close(to: depth)
            if !open[depth - 1].isEmpty { bytes.append(0x2C) }
            open[depth - 1].isEmpty = false
        }

        func key(_ key: some CodingKey, in depth: Int) {
            next(in: depth)
            text(key.stringValue)
            bytes.append(0x3A)
        }

        func word(_ word: StaticString) {
            unsafe bytes.append(contentsOf: UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount))
        }

        func text(_ text: String) {
            bytes.append(0x22)
            if text.utf8.contains(where: Writer.isEscaped) {
                for byte in text.utf8 { escaped(byte) }
            } else {
                bytes.append(contentsOf: text.utf8)
            }
            bytes.append(0x22)
        }

        private static func isEscaped(_ byte: UInt8) -> Bool { byte < 0x20 || byte == 0x22 || byte == 0x5C }

        private func escaped(_ byte: UInt8) {
            switch byte {
            case 0x22, 0x5C:
                bytes.append(0x5C)
                bytes.append(byte)
            case 0..<0x20:
                word("\\u00")
                for digit in [byte >> 4, byte & 0x0F] { bytes.append(digit < 10 ? 0x30 + digit : 0x57 + digit) }
            default: bytes.append(byte)
            }
        }

        func truth(_ value: Bool) { word(value ? "true" : "false") }

        func number(_ value: some BinaryInteger) { bytes.append(contentsOf: String(value).utf8) }

        func floating(_ value: some BinaryFloatingPoint, at path: () -> [any CodingKey]) throws {
            guard value.isFinite else {
                throw EncodingError.invalidValue(
                    value, EncodingError.Context(codingPath: path(), debugDescription: "no number of JSON"))
            }
            bytes.append(contentsOf: Double(value).description.utf8)
        }

        /// Writes a value that consists of other values. Text, numbers and Booleans encode themselves as single values.
        func value(_ value: some Encodable, at path: [any CodingKey]) throws {
            let before = bytes.count
            try value.encode(to: TextEncoder(self, path))
            // The value encoded nothing.
            if bytes.count == before { _ = begin(0x7B, 0x7D) }
        }
    }

    fileprivate final class TextEncoder: Encoder {
        let codingPath: [any CodingKey]
        var userInfo: [CodingUserInfoKey: Any] { [:] }
        private let writer: Writer
        /// The depth of this value's container.
        private var depth: Int?

        init(_ writer: Writer, _ path: [any CodingKey]) {
            self.writer = writer
            codingPath = path
        }

        private func begin(_ start: UInt8, _ end: UInt8) -> Int {
            let depth = depth ?? writer.begin(start, end)
            self.depth = depth
            return depth
        }

        func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
            KeyedEncodingContainer(Members(writer: writer, depth: begin(0x7B, 0x7D), codingPath: codingPath))
        }

        func unkeyedContainer() -> any UnkeyedEncodingContainer {
            Elements(writer: writer, depth: begin(0x5B, 0x5D), codingPath: codingPath)
        }

        func singleValueContainer() -> any SingleValueEncodingContainer {
            Single(writer: writer, codingPath: codingPath)
        }
    }

    private struct Members<Key: CodingKey>: KeyedEncodingContainerProtocol {
        let writer: Writer
        let depth: Int
        let codingPath: [any CodingKey]

        mutating func encodeNil(forKey key: Key) {
            writer.key(key, in: depth)
            writer.word("null")
        }

        mutating func encode(_ value: String, forKey key: Key) {
            writer.key(key, in: depth)
            writer.text(value)
        }

        mutating func encode(_ value: Bool, forKey key: Key) {
            writer.key(key, in: depth)
            writer.truth(value)
        }

        mutating func encode(_ value: some BinaryInteger & Encodable, forKey key: Key) {
            writer.key(key, in: depth)
            writer.number(value)
        }

        mutating func encode(_ value: some BinaryFloatingPoint & Encodable, forKey key: Key) throws {
            writer.key(key, in: depth)
            try writer.floating(value, at: { codingPath + [key] })
        }

        mutating func encode(_ value: some Encodable, forKey key: Key) throws {
            writer.key(key, in: depth)
            try writer.value(value, at: codingPath + [key])
        }

        mutating func nestedContainer<Nested: CodingKey>(
            keyedBy type: Nested.Type, forKey key: Key
        ) -> KeyedEncodingContainer<Nested> {
            writer.key(key, in: depth)
            let depth = writer.begin(0x7B, 0x7D)
            return KeyedEncodingContainer(Members<Nested>(writer: writer, depth: depth, codingPath: codingPath + [key]))
        }

        mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
            writer.key(key, in: depth)
            return Elements(writer: writer, depth: writer.begin(0x5B, 0x5D), codingPath: codingPath + [key])
        }

        mutating func superEncoder() -> any Encoder { superEncoder(forKey: Key(stringValue: "super")!) }

        mutating func superEncoder(forKey key: Key) -> any Encoder {
            writer.key(key, in: depth)
            return TextEncoder(writer, codingPath + [key])
        }
    }

    private struct Elements: UnkeyedEncodingContainer {
        let writer: Writer
        let depth: Int
        let codingPath: [any CodingKey]
        private(set) var count = 0

        init(writer: Writer, depth: Int, codingPath: [any CodingKey]) {
            self.writer = writer
            self.depth = depth
            self.codingPath = codingPath
        }

        private mutating func next() {
            writer.next(in: depth)
            count += 1
        }

        mutating func encodeNil() {
            next()
            writer.word("null")
        }

        mutating func encode(_ value: String) {
            next()
            writer.text(value)
        }

        mutating func encode(_ value: Bool) {
            next()
            writer.truth(value)
        }

        mutating func encode(_ value: some BinaryInteger & Encodable) {
            next()
            writer.number(value)
        }

        mutating func encode(_ value: some BinaryFloatingPoint & Encodable) throws {
            next()
            try writer.floating(value, at: { codingPath })
        }

        mutating func encode(_ value: some Encodable) throws {
            next()
            try writer.value(value, at: codingPath)
        }

        mutating func nestedContainer<Nested: CodingKey>(
            keyedBy type: Nested.Type
        ) -> KeyedEncodingContainer<Nested> {
            next()
            let depth = writer.begin(0x7B, 0x7D)
            return KeyedEncodingContainer(Members<Nested>(writer: writer, depth: depth, codingPath: codingPath))
        }

        mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
            next()
            return Elements(writer: writer, depth: writer.begin(0x5B, 0x5D), codingPath: codingPath)
        }

        mutating func superEncoder() -> any Encoder {
            next()
            return TextEncoder(writer, codingPath)
        }
    }

    private struct Single: SingleValueEncodingContainer {
        let writer: Writer
        let codingPath: [any CodingKey]

        mutating func encodeNil() { writer.word("null") }

        mutating func encode(_ value: String) { writer.text(value) }

        mutating func encode(_ value: Bool) { writer.truth(value) }

        mutating func encode(_ value: some BinaryInteger & Encodable) { writer.number(value) }

        mutating func encode(_ value: some BinaryFloatingPoint & Encodable) throws {
            try writer.floating(value, at: { codingPath })
        }

        mutating func encode(_ value: some Encodable) throws { try writer.value(value, at: codingPath) }
    }
}
#endif
