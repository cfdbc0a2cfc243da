// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// The documents next to the schemas have exactly one row per key. A default in the schema is also in the row.
@Suite struct FormatDocumentTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
        "../../Schemas"
    ).standardizedFileURL

    private static func schema(_ name: String) throws -> [String: Any] {
        let data = try Data(contentsOf: folder.appendingPathComponent("\(name).schema.json"))
        return try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    }

    /// The second cell of each row, by the key in its first.
    private static func rows(_ name: String) throws -> [String: String] {
        let text = try String(contentsOf: folder.appendingPathComponent("\(name).md"), encoding: .utf8)
        var rows: [String: String] = [:]
        for line in text.components(separatedBy: "\n") where line.hasPrefix("| `") {
            let cells = line.components(separatedBy: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            let key = cells[1].trimmingCharacters(in: CharacterSet(charactersIn: "`"))
            #expect(rows[key] == nil, "\(name): \(key) stands twice")
            rows[key] = cells[2]
        }
        return rows
    }

    /// Every key below `object` with its default. Objects that another part of the document describes are skipped.
    private static func keys(
        _ object: Any?, _ path: String, leavingOut others: Set<String> = []
    ) -> [String: Any?] {
        guard let object = object as? [String: Any] else { return [:] }
        var found: [String: Any?] = [:]
        for (name, value) in object["properties"] as? [String: Any] ?? [:] {
            let key = path.isEmpty ? name : "\(path).\(name)"
            found[key] = (value as? [String: Any])?["default"]
            if !others.contains(key) {
                found.merge(keys(value, key, leavingOut: others)) { one, _ in one }
            }
        }
        found.merge(keys(object["items"], path + "[]", leavingOut: others)) { one, _ in one }
        for one in object["oneOf"] as? [Any] ?? [] {
            found.merge(keys(one, path, leavingOut: others)) { one, _ in one }
        }
        return found
    }

    private static func compare(_ name: String, _ wanted: [String: Any?]) throws {
        let rows = try rows(name)
        #expect(Set(wanted.keys).subtracting(rows.keys).sorted() == [], "\(name).md has no row for these keys")
        #expect(Set(rows.keys).subtracting(wanted.keys).sorted() == [], "\(name).schema.json has no such keys")
        for (key, standard) in wanted {
            guard let standard, let row = rows[key] else { continue }
            // A JSON true may arrive as a number.
            let texts = ["\(standard)"] + ((standard as? Bool).map { ["\($0)"] } ?? [])
            #expect(
                texts.contains { row.contains("`\($0)`") }, "\(name).md, \(key): the default is \(standard)")
        }
    }

    @Test func everyKeyOfAConfigurationHasItsRow() throws {
        let schema = try Self.schema("emv-configuration-1")
        var wanted = Self.keys(schema, "")
        for (name, definition) in schema["$defs"] as? [String: Any] ?? [:] where name != "objects" {
            wanted.merge(Self.keys(definition, name)) { one, _ in one }
        }
        #expect(wanted.count > 90)
        try Self.compare("emv-configuration-1", wanted)
    }

    @Test func everyKeyOfATraceHasItsRow() throws {
        let schema = try Self.schema("emv-trace-1")
        let wanted = Self.keys(schema, "", leavingOut: ["configuration", "exchanges[].sale"])
        for key in ["loyalty", "expect.loyalty", "exchanges[].prelude", "recorded.differences[].found"] {
            #expect(wanted.keys.contains(key), "\(key)")
        }
        #expect(wanted.count > 50)
        try Self.compare("emv-trace-1", wanted)
    }

    /// A case has keys of an application, which have their rows there.
    @Test func everyKeyOfACardHasItsRow() throws {
        let schema = try Self.schema("emv-card-1")
        var wanted = Self.keys(schema, "")
        for (name, definition) in schema["$defs"] as? [String: Any] ?? [:] where name != "then" {
            wanted.merge(Self.keys(definition, name)) { one, _ in one }
        }
        #expect(wanted.count > 190, "\(wanted.count)")
        try Self.compare("emv-card-1", wanted)
    }

    /// Keys that the trace document leaves to the configuration's document are equal in both schemas.
    @Test func aTraceHasTheKeysOfAConfiguration() throws {
        let trace = try Self.schema("emv-trace-1"), configuration = try Self.schema("emv-configuration-1")
        let properties = try #require(trace["properties"] as? [String: Any])
        let inside = Set(Self.keys(properties["configuration"], "").keys)
        #expect(
            Set(Self.keys(configuration, "").keys).subtracting(inside).isSubset(of: ["format", "version", "validFrom"]))
        #expect(inside.subtracting(Self.keys(configuration, "").keys) == [])
    }
}
