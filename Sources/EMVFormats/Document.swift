// SPDX-License-Identifier: Apache-2.0
import EMVKernel

/// A document being read: its name and its bytes, so that errors can name the place.
package struct Document {
    let file: String
    let bytes: [UInt8]
    let root: JSON
    /// Offsets of the members and elements that are skipped as if they were absent.
    var passedOver: Set<Int> = []

    package init(_ bytes: [UInt8], file: String) throws(FormatError) {
        self.file = file
        self.bytes = bytes
        do throws(JSONReader.Failure) {
            root = try JSONReader.read(bytes)
        } catch {
            throw Document.error(bytes, file, "", error.offset, error.expected, error.found)
        }
    }

    package func node() -> Node {
        Node(json: root, path: "", document: self)
    }

    func error(_ path: String, _ offset: Int, expected: String, found: String) -> FormatError {
        Document.error(bytes, file, path, offset, expected, found)
    }

    private static func error(
        _ bytes: [UInt8], _ file: String, _ path: String, _ offset: Int, _ expected: String, _ found: String
    ) -> FormatError {
        let before = bytes[..<min(offset, bytes.count)]
        let line = before.reduce(1) { $1 == 0x0A ? $0 + 1 : $0 }
        let start = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
        return FormatError(
            file: file, path: PrintableText.shown(path), line: line, column: before.count - start + 1,
            expected: PrintableText.shown(expected), found: PrintableText.shown(found))
    }
}

extension JSON {
    /// ``kind`` for a place where hex was expected: the number of bytes, or why it is not hex.
    var hexKind: String {
        guard case .string(let text) = value else { return kind }
        if let bytes = Hex.bytes(text) { return bytes.count == 1 ? "1 byte" : "\(bytes.count) bytes" }
        let isHex = text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x41...0x46).contains($0 & ~0x20) }
        return isHex ? "an odd number of digits, \(text.utf8.count)" : "\(kind) with other characters than hex digits"
    }
}

/// One value of a document, with its place.
package struct Node {
    package let json: JSON
    let path: String
    let document: Document

    /// Creates every error of a value: the expected value, and the value found, unless its kind and length are enough.
    package func expected(_ what: String, found: String? = nil) -> FormatError {
        document.error(path, json.offset, expected: what, found: found ?? json.kind)
    }

    /// The error of an object that lacks a required key.
    package func missing(_ key: String) -> FormatError {
        expected("the key \(key)", found: "an object without it")
    }

    package var isNull: Bool { if case .null = json.value { true } else { false } }

    package func string() throws(FormatError) -> String {
        guard case .string(let text) = json.value else { throw expected("a string") }
        return text
    }

    /// A name for people: one line, without marks that change its direction.
    package func name() throws(FormatError) -> String {
        let text = try string()
        guard let scalar = text.unicodeScalars.first(where: PrintableText.disturbs) else { return text }
        throw expected("one line of text", found: "\(PrintableText.code(of: scalar)) in it")
    }

    package func bool() throws(FormatError) -> Bool {
        guard case .bool(let value) = json.value else { throw expected("true or false") }
        return value
    }

    /// A whole number in the range, exactly. `what` describes it with its unit: `an amount in minor units`.
    package func integer(_ range: ClosedRange<UInt64>, _ what: String) throws(FormatError) -> UInt64 {
        guard case .number(let text) = json.value, let number = UInt64(text), range.contains(number) else {
            throw expected("\(what), a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// Like ``integer(_:_:)``, with a sign.
    func signed(_ range: ClosedRange<Int64>, _ what: String) throws(FormatError) -> Int64 {
        guard case .number(let text) = json.value, let number = Int64(text), range.contains(number) else {
            throw expected("\(what), a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// A number from 0 to `limit`; `what` describes it with its unit.
    package func number(upTo limit: Double, _ what: String) throws(FormatError) -> Double {
        guard case .number(let text) = json.value, let number = Double(text), (0...limit).contains(number) else {
            throw expected("\(what), a number from 0 to \(Int64(limit))")
        }
        return number
    }

    package func hex(_ sizes: ClosedRange<Int>) throws(FormatError) -> Bytes {
        guard case .string(let text) = json.value, let bytes = Hex.bytes(text), sizes.contains(bytes.count) else {
            throw expected("hex of \(Shown.size(sizes))", found: json.hexKind)
        }
        return bytes
    }

    /// Reads a name that is a tag; a tag that already occurred is an error.
    package func tag(_ name: String, isNew: (Tag) -> Bool) throws(FormatError) -> Tag {
        guard let tag = Tag(name) else {
            throw expected("a tag of 1 to 4 bytes in hex as the key", found: "a key \(Shown.key(name))")
        }
        guard isNew(tag) else { throw expected("each tag once", found: "\(tag) again") }
        return tag
    }

    package func byte() throws(FormatError) -> UInt8 {
        try hex(1...1)[0]
    }

    package func choice<Choice>(_ choices: KeyValuePairs<String, Choice>) throws(FormatError) -> Choice {
        let names = choices.map { "\"\($0.key)\"" }.joined(separator: ", ")
        guard case .string(let text) = json.value, let found = choices.first(where: { $0.key == text }) else {
            throw expected("one of \(names)")
        }
        return found.value
    }

    /// One of many names; the error lists those that look like the name found. If none does, it lists them all, unless
    /// they are too many.
    package func name(of known: [String], _ what: String) throws(FormatError) -> String {
        guard case .string(let text) = json.value else { throw expected(what) }
        guard !known.contains(text) else { return text }
        let close = Shown.closest(to: text, in: known)
        guard close.count <= 60 else { throw expected(what) }
        throw expected("\(what), one of " + close.map { "\"\($0)\"" }.joined(separator: ", "))
    }

    package func elements() throws(FormatError) -> [Node] {
        guard case .array(let values) = json.value else { throw expected("an array") }
        return values.enumerated().compactMap { index, value in
            document.passedOver.contains(value.offset)
                ? nil : Node(json: value, path: "\(path)[\(index)]", document: document)
        }
    }

    package func members() throws(FormatError) -> [(name: String, node: Node)] {
        guard case .object(let members) = json.value else { throw expected("an object") }
        return present(members).map { ($0.name, Node(json: $0.value, path: place(of: $0.name), document: document)) }
    }

    private func present(_ members: [JSON.Member]) -> [JSON.Member] {
        let passedOver = document.passedOver
        guard !passedOver.isEmpty else { return members }
        return members.filter { !passedOver.contains($0.nameOffset) && !passedOver.contains($0.value.offset) }
    }

    private func place(of name: String) -> String {
        path.isEmpty ? Shown.step(name) : "\(path).\(Shown.step(name))"
    }

    /// The members of an object whose names are all known.
    ///
    /// - Parameter showsClosest: an unknown name's error lists only the names that look like it, if there are any.
    package func object(_ known: [String], showsClosest: Bool = false) throws(FormatError) -> ObjectNode {
        guard case .object(let members) = json.value else { throw expected("an object") }
        if let stranger = present(members).first(where: { !known.contains($0.name) }) {
            let shown = showsClosest ? Shown.closest(to: stranger.name, in: known) : known
            let names = shown.map { "\"\($0)\"" }.joined(separator: ", ")
            throw document.error(
                place(of: stranger.name), stranger.nameOffset, expected: "one of the keys \(names)",
                found: "the unknown key \(Shown.key(stranger.name))")
        }
        return ObjectNode(node: self, members: try self.members())
    }

    /// Data objects by tag.
    func dataObjects(leavingOut names: Set<String> = []) throws(FormatError) -> DataObjects {
        var objects = DataObjects()
        for (name, node) in try members() where !names.contains(name) {
            let tag = try node.tag(name) { objects[$0] == nil }
            objects[tag] = try node.hex(0...65535)
        }
        return objects
    }

    /// The issuer's answer: data objects by tag, with an array of values for a script template that occurs several
    /// times. An answer longer than a kernel accepts is an error.
    func answer() throws(FormatError) -> DataObjects {
        var objects = DataObjects()
        for (name, node) in try members() {
            let tag = try node.tag(name) { objects[$0] == nil }
            guard case .array = node.json.value else {
                objects[tag] = try node.hex(0...65535)
                continue
            }
            guard DataObjects.mayRepeat(tag) else {
                throw node.expected("one value in hex: only the tags 71 and 72 may have an array of them")
            }
            let values = try node.elements()
            guard !values.isEmpty else { throw node.expected("an array of 1 value or more", found: "an empty one") }
            for value in values { objects.put(tag, try value.hex(0...65535)) }
        }
        let size = objects.encoded.count
        guard size <= KernelSession.issuerDataLimit else {
            throw expected(
                "at most \(KernelSession.issuerDataLimit) bytes of data objects, tags and lengths counted",
                found: "\(size) bytes")
        }
        return objects
    }

    func date() throws(FormatError) -> CalendarDate {
        guard case .string(let text) = json.value, let date = CalendarDate(text) else {
            throw expected("a date, year, month and day like \"2026-11-21\"")
        }
        return date
    }

    func transactionType() throws(FormatError) -> TransactionType {
        TransactionType(rawValue: try byte())
    }
}

/// An object whose keys are known.
package struct ObjectNode {
    package let node: Node
    let members: [(name: String, node: Node)]

    package subscript(name: String) -> Node? {
        members.first { $0.name == name }?.node
    }

    package func required(_ name: String) throws(FormatError) -> Node {
        guard let member = self[name] else { throw node.missing("\"\(name)\"") }
        return member
    }

    /// The value of a key, or `standard` if it is absent.
    package func value<Value>(
        _ name: String, or standard: Value, _ read: (Node) throws(FormatError) -> Value
    ) throws(FormatError) -> Value {
        guard let member = self[name] else { return standard }
        return try read(member)
    }

    package func optional<Value>(
        _ name: String, _ read: (Node) throws(FormatError) -> Value
    ) throws(FormatError) -> Value? {
        guard let member = self[name] else { return nil }
        return try read(member)
    }

    package func list<Value>(_ name: String, _ read: (Node) throws(FormatError) -> Value) throws(FormatError) -> [Value]
    {
        guard let member = self[name] else { return [] }
        var values: [Value] = []
        for element in try member.elements() { values.append(try read(element)) }
        return values
    }

    package func format(_ wanted: String, required: Bool) throws(FormatError) {
        guard let member = self["format"] else {
            if required { throw node.missing("\"format\" with \"\(wanted)\"") }
            return
        }
        guard case .string(wanted) = member.json.value else { throw member.expected("\"\(wanted)\"") }
    }
}
