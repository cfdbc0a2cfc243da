// SPDX-License-Identifier: Apache-2.0
// JSON of the formats: a reader for the values in configurations and transactions, and a writer on one line.

indirect enum JSON {
    case null
    case bool(Bool)
    case number(String)
    case string(String)
    case array([JSON])
    case object([(String, JSON)])

    subscript(name: String) -> JSON? {
        guard case .object(let members) = self else { return nil }
        for member in members where member.0 == name { return member.1 }
        return nil
    }
    var text: String? {
        if case .string(let text) = self { return text }
        return nil
    }
    var bytes: Bytes? { text.flatMap { unhex($0) } }
    var integer: UInt64? {
        if case .number(let text) = self { return UInt64(text) }
        return nil
    }
    var truth: Bool? {
        if case .bool(let value) = self { return value }
        return nil
    }
    var list: [JSON] {
        if case .array(let items) = self { return items }
        return []
    }
    var members: [(String, JSON)] {
        if case .object(let members) = self { return members }
        return []
    }

    var line: String {
        switch self {
        case .null: return "null"
        case .bool(let value): return value ? "true" : "false"
        case .number(let text): return text
        case .string(let text): return "\"" + text + "\""
        case .array(let items): return "[" + items.map(\.line).joined(separator: ",") + "]"
        case .object(let members):
            return "{" + members.map { "\"\($0.0)\":\($0.1.line)" }.joined(separator: ",") + "}"
        }
    }
}

func hexText(_ bytes: Bytes) -> JSON { .string(hex(bytes)) }

/// The whole text as one value; `nil` if it is malformed. Escapes stay as written: the formats do not need them.
func readJSON(_ text: String) -> JSON? {
    let bytes = Array(text.utf8)
    var at = 0

    func skip() {
        while at < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[at]) { at += 1 }
    }
    func quoted() -> String? {
        guard at < bytes.count, bytes[at] == 0x22 else { return nil }
        at += 1
        let start = at
        while at < bytes.count, bytes[at] != 0x22 { at += bytes[at] == 0x5C ? 2 : 1 }
        guard at < bytes.count else { return nil }
        at += 1
        return String(decoding: bytes[start..<at - 1], as: UTF8.self)
    }
    func value() -> JSON? {
        skip()
        guard at < bytes.count else { return nil }
        switch bytes[at] {
        case 0x7B:
            at += 1
            var members: [(String, JSON)] = []
            skip()
            while at < bytes.count, bytes[at] != 0x7D {
                guard let name = quoted() else { return nil }
                skip()
                guard at < bytes.count, bytes[at] == 0x3A else { return nil }
                at += 1
                guard let member = value() else { return nil }
                members.append((name, member))
                skip()
                if at < bytes.count, bytes[at] == 0x2C { at += 1 }
                skip()
            }
            at += 1
            return .object(members)
        case 0x5B:
            at += 1
            var items: [JSON] = []
            skip()
            while at < bytes.count, bytes[at] != 0x5D {
                guard let item = value() else { return nil }
                items.append(item)
                skip()
                if at < bytes.count, bytes[at] == 0x2C { at += 1 }
                skip()
            }
            at += 1
            return .array(items)
        case 0x22: return quoted().map { .string($0) }
        default:
            let start = at
            while at < bytes.count, ![0x2C, 0x5D, 0x7D, 0x20, 0x0A, 0x0D, 0x09].contains(bytes[at]) { at += 1 }
            let word = String(decoding: bytes[start..<at], as: UTF8.self)
            if word == "null" { return .null }
            if word == "true" { return .bool(true) }
            if word == "false" { return .bool(false) }
            return word.isEmpty ? nil : .number(word)
        }
    }
    return value()
}
