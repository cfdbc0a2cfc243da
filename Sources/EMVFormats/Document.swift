// SPDX-License-Identifier: Apache-2.0
import EMVKit

/// A document being read: its name and its bytes, for errors that say where.
package struct Document {
    let file: String
    let bytes: [UInt8]
    let root: JSON
    /// Where members and elements begin that are passed over, as if they were not there.
    var passedOver: Set<Int> = []

    package init(_ bytes: [UInt8], file: String) throws(FormatError) {
        self.file = file
        self.bytes = bytes
        do throws(JSONReader.Failure) {
            root = try JSONReader.read(bytes)
        } catch {
            throw Document.error(bytes, file, "", error.offset, error.message)
        }
    }

    package func node() -> Node {
        Node(json: root, path: "", document: self)
    }

    func error(_ path: String, _ offset: Int, _ message: String) -> FormatError {
        Document.error(bytes, file, path, offset, message)
    }

    private static func error(
        _ bytes: [UInt8], _ file: String, _ path: String, _ offset: Int, _ message: String
    ) -> FormatError {
        let before = bytes[..<min(offset, bytes.count)]
        let line = before.reduce(1) { $1 == 0x0A ? $0 + 1 : $0 }
        let start = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
        return FormatError(
            file: file, path: TextDirection.shown(path), line: line, column: before.count - start + 1,
            message: TextDirection.shown(message))
    }
}

/// One value of a document, and where it stands.
package struct Node {
    let json: JSON
    let path: String
    let document: Document

    package func error(_ message: String) -> FormatError {
        document.error(path, json.offset, message)
    }

    func expected(_ what: String) -> FormatError {
        error("expected \(what), found \(json.kind)")
    }

    package var isNull: Bool { if case .null = json.value { true } else { false } }

    package func string() throws(FormatError) -> String {
        guard case .string(let text) = json.value else { throw expected("a string") }
        return text
    }

    /// A name that people read: one line, without marks that turn its direction.
    package func name() throws(FormatError) -> String {
        let text = try string()
        guard let scalar = text.unicodeScalars.first(where: TextDirection.disturbs) else { return text }
        throw error("expected one line of text, found \(TextDirection.code(of: scalar)) in it")
    }

    package func bool() throws(FormatError) -> Bool {
        guard case .bool(let value) = json.value else { throw expected("true or false") }
        return value
    }

    /// A whole number in the range, exactly.
    package func integer(_ range: ClosedRange<UInt64>) throws(FormatError) -> UInt64 {
        guard case .number(let text) = json.value, let number = UInt64(text), range.contains(number) else {
            throw expected("a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// As ``integer(_:)``, with a sign.
    func signed(_ range: ClosedRange<Int64>) throws(FormatError) -> Int64 {
        guard case .number(let text) = json.value, let number = Int64(text), range.contains(number) else {
            throw expected("a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    package func number() throws(FormatError) -> Double {
        guard case .number(let text) = json.value, let number = Double(text), number.isFinite, number >= 0 else {
            throw expected("a number, 0 or more")
        }
        return number
    }

    package func hex(_ sizes: ClosedRange<Int>) throws(FormatError) -> Bytes {
        let size =
            sizes.lowerBound == sizes.upperBound ? "\(sizes.lowerBound)" : "\(sizes.lowerBound) to \(sizes.upperBound)"
        guard case .string(let text) = json.value, let bytes = Hex.bytes(text) else {
            throw expected("hex of \(size) bytes")
        }
        guard sizes.contains(bytes.count) else {
            throw error("expected hex of \(size) bytes, found \(bytes.count) bytes")
        }
        return bytes
    }

    func byte() throws(FormatError) -> UInt8 {
        try hex(1...1)[0]
    }

    package func choice<Choice>(_ choices: KeyValuePairs<String, Choice>) throws(FormatError) -> Choice {
        let names = choices.map { "\"\($0.key)\"" }.joined(separator: ", ")
        guard case .string(let text) = json.value, let found = choices.first(where: { $0.key == text }) else {
            throw expected("one of \(names)")
        }
        return found.value
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
    package func object(_ known: [String]) throws(FormatError) -> ObjectNode {
        guard case .object(let members) = json.value else { throw expected("an object") }
        if let stranger = present(members).first(where: { !known.contains($0.name) }) {
            let names = known.map { "\"\($0)\"" }.joined(separator: ", ")
            throw document.error(
                place(of: stranger.name), stranger.nameOffset,
                "unknown key \(Shown.key(stranger.name)); expected one of \(names)")
        }
        return ObjectNode(node: self, members: try self.members())
    }

    /// Data objects by tag.
    func dataObjects(leavingOut names: Set<String> = []) throws(FormatError) -> DataObjects {
        var objects = DataObjects()
        for (name, node) in try members() where !names.contains(name) {
            guard let tag = Tag(name) else { throw node.error("expected a tag of one to four bytes in hex as the key") }
            guard objects[tag] == nil else { throw node.error("expected each tag once") }
            objects[tag] = try node.hex(0...65535)
        }
        return objects
    }

    /// The issuer's answer: data objects by tag, an array of values for a script template that comes several times. A
    /// longer one than a kernel takes is refused.
    func answer() throws(FormatError) -> DataObjects {
        var objects = DataObjects()
        for (name, node) in try members() {
            guard let tag = Tag(name) else { throw node.error("expected a tag of one to four bytes in hex as the key") }
            guard objects[tag] == nil else { throw node.error("expected each tag once") }
            guard case .array = node.json.value else {
                objects[tag] = try node.hex(0...65535)
                continue
            }
            guard DataObjects.mayRepeat(tag) else {
                throw node.error("expected an array of values for the tags 71 and 72 alone")
            }
            let values = try node.elements()
            guard !values.isEmpty else { throw node.error("expected one or more values") }
            for value in values { objects.put(tag, try value.hex(0...65535)) }
        }
        guard objects.encoded.count <= KernelSession.issuerDataLimit else {
            throw error("expected at most \(KernelSession.issuerDataLimit) bytes of data objects")
        }
        return objects
    }

    func date() throws(FormatError) -> CalendarDate {
        guard case .string(let text) = json.value, let date = CalendarDate(text) else {
            throw expected("a date like \"2026-11-21\"")
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
        guard let member = self[name] else { throw node.error("expected the key \"\(name)\"") }
        return member
    }

    /// The value of a key, or `standard` where it is absent.
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
            if required { throw node.error("expected the key \"format\" with \"\(wanted)\"") }
            return
        }
        guard case .string(wanted) = member.json.value else { throw member.expected("\"\(wanted)\"") }
    }
}
