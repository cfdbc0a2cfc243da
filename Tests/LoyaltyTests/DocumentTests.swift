// SPDX-License-Identifier: Apache-2.0
import EMVFormats
import EMVKit
import EMVLoyalty
import EMVSimulator
import Foundation
import Testing

/// `emv-loyalty/1`: the reader, its errors with their positions, and the published schema.
@Suite struct LoyaltyDocumentTests {
    private static let whole = """
        { "format": "emv-loyalty/1", "rule": "insteadOfPayment", "timeoutMs": 300,
          "programmes": [
            { "id": "club", "name": "Club", "apple": { "passType": "pass.com.example.club" },
              "signUp": "https://example.com/club", "signUpOnly": true },
            { "id": "points", "google": { "collector": 20180608, "keyVersion": 1, "kinds": ["loyalty", "offer"] } } ] }
        """

    /// A document with these programmes.
    private static func of(_ programmes: String) -> String {
        #"{ "format": "emv-loyalty/1", "programmes": [ "# + programmes + " ] }"
    }

    private func read(_ text: String) throws(FormatError) -> LoyaltyDocument {
        try LoyaltyDocument(json: Bytes(text.utf8), file: "club.json")
    }

    @Test func aDocumentIsRead() throws {
        let document = try read(Self.whole)
        #expect(document.rule == .insteadOfPayment && document.request.timeout == .milliseconds(300))
        let (club, points) = (document.request.programmes[0], document.request.programmes[1])
        #expect(club.wallet == .passType("pass.com.example.club") && club.signUpOnly && club.name == "Club")
        #expect(club.signUp?.description == "https://example.com/club")
        #expect(points.wallet == .collector(20_180_608, keyVersion: 1, kinds: [.loyalty, .offer]))
        #expect(points.name == "points" && points.signUp == nil)
    }

    @Test func whatIsLeftOutHasItsStandard() throws {
        let document = try read(#"{ "format": "emv-loyalty/1", "programmes": [] }"#)
        #expect(document.rule == .andPayment && document.request.timeout == nil && document.request.programmes.isEmpty)
        #expect(try read(#"{ "format": "emv-loyalty/1", "rule": "passOnly", "programmes": [] }"#).rule == nil)
    }

    @Test func whatIsWrittenIsRead() throws {
        for text in [Self.whole, #"{ "format": "emv-loyalty/1", "rule": "passOnly", "programmes": [] }"#] {
            let document = try read(text)
            #expect(try read(document.json) == document)
        }
    }

    @Test(
        "an error says where and what was expected",
        arguments: [
            (#"{ "programmes": [] }"#, "", "format"),
            (#"{ "format": "emv-loyalty/2", "programmes": [] }"#, "format", "emv-loyalty/1"),
            (#"{ "format": "emv-loyalty/1" }"#, "", "programmes"),
            (#"{ "format": "emv-loyalty/1", "programmes": [], "key": 1 }"#, "key", "key"),
            (#"{ "format": "emv-loyalty/1", "programmes": [], "timeoutMs": 9 }"#, "timeoutMs", "10"),
            (#"{ "format": "emv-loyalty/1", "programmes": [], "rule": "x" }"#, "rule", "passOnly"),
            (Self.of(#"{ "id": "a" }"#), "programmes[0]", "apple"),
            (
                Self.of(#"{ "id": "a", "apple": { "passType": "club" } }"#),
                "programmes[0]", "pass.com.example.club"
            ),
            (
                Self.of(#"{ "id": "a", "apple": { "passType": "pass.x" }, "google": {} }"#),
                "programmes[0].google", "found both"
            ),
            (
                Self.of(#"{ "id": "a", "apple": { "passType": "pass.x", "key": "" } }"#),
                "programmes[0].apple.key", "key"
            ),
            (
                Self.of(#"{ "id": "a", "google": { "collector": 0, "keyVersion": 1, "kinds": ["offer"] } }"#),
                "programmes[0].google.collector", "1"
            ),
            (
                Self.of(#"{ "id": "a", "google": { "collector": 1, "keyVersion": 1, "kinds": ["all"] } }"#),
                "programmes[0].google.kinds[0]", "loyalty"
            ),
            (
                Self.of(
                    #"{ "id": "a", "apple": { "passType": "pass.x" } }, "#
                        + #"{ "id": "a", "apple": { "passType": "pass.y" } }"#),
                "programmes[1]", "once"
            ),
            (
                Self.of(#"{ "id": "a", "apple": { "passType": "pass.x" }, "signUp": "http://x" }"#),
                "programmes[0].signUp", "https"
            ),
        ])
    func anErrorSaysWhere(text: String, path: String, word: String) {
        do {
            _ = try read(text)
            Issue.record("read")
        } catch {
            #expect(error.path == path && error.message.contains(word) && error.file == "club.json", "\(error)")
        }
    }

    @Test func aMissingFileIsNamed() {
        #expect(throws: FormatError(file: "/nowhere.json", expected: "a readable file", found: "none")) {
            try LoyaltyDocument(contentsOf: "/nowhere.json")
        }
    }

    // MARK: The schema

    private static func schema() -> [String: Any] {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../..")
        let file = root.appendingPathComponent("Schemas/emv-loyalty-1.schema.json")
        let object = (try? Data(contentsOf: file)).flatMap { try? JSONSerialization.jsonObject(with: $0) }
        return object as? [String: Any] ?? [:]
    }

    /// Rules that a schema cannot express.
    private func isOfMeaning(_ error: FormatError) -> Bool { error.message.contains("expected each id once") }

    @Test("reader and schema take the same documents, of which 20,000 are damaged at random")
    func theSchemaIsTheReader() throws {
        let schema = Self.schema(), values = Self.values
        #expect(!schema.isEmpty)
        let original = try JSONSerialization.jsonObject(with: Data(Self.whole.utf8))
        var random = SeededRandom(seed: 0x10)
        var taken = 0, refused = 0
        for _ in 0..<20_000 {
            var damaged = original
            for _ in 0..<Int.random(in: 1...3, using: &random) { damaged = damage(damaged, values, &random) }
            guard JSONSerialization.isValidJSONObject(damaged) else { continue }
            let data = try JSONSerialization.data(withJSONObject: damaged)
            let isValid = Schema(root: schema).takes(damaged, schema)
            do {
                _ = try LoyaltyDocument(json: Bytes(data))
                taken += 1
                #expect(isValid, "only the reader takes \(String(decoding: data, as: UTF8.self))")
            } catch {
                refused += 1
                if !isOfMeaning(error) {
                    #expect(!isValid, "only the schema takes \(String(decoding: data, as: UTF8.self)): \(error)")
                }
            }
        }
        #expect(taken > 500 && refused > 5_000, "\(taken) \(refused)")
    }

    private static var values: [Any] {
        [
            true, false, 0, 1, 10, 9, 10_000, 10_001, 4_294_967_295, 4_294_967_296, -1, 1.5, "", "x", "pass.a", "pass.",
            "pass.a b", "https://a", "https://", "https:///a", "http://a", "andPayment", "passOnly", "loyalty", "all",
            [Any](), ["offer"], [String: Any](), ["passType": "pass.x"], "https://" + String(repeating: "a", count: 57),
        ]
    }
    private static let names = [
        "format", "rule", "timeoutMs", "programmes", "id", "name", "apple", "google", "signUp", "signUpOnly",
        "passType",
        "collector", "keyVersion", "kinds", "key",
    ]

    private func damage(_ value: Any, _ values: [Any], _ random: inout SeededRandom) -> Any {
        if Int.random(in: 0..<4, using: &random) == 0 { return values.randomElement(using: &random)! }
        if var object = value as? [String: Any] {
            let name =
                Int.random(in: 0..<4, using: &random) == 0
                ? Self.names.randomElement(using: &random)! : object.keys.sorted().randomElement(using: &random) ?? "id"
            switch Int.random(in: 0..<3, using: &random) {
            case 0: object[name] = nil
            case 1: object[name] = values.randomElement(using: &random)!
            default: object[name] = object[name].map { damage($0, values, &random) }
            }
            return object
        }
        if var array = value as? [Any], !array.isEmpty {
            let index = Int.random(in: 0..<array.count, using: &random)
            switch Int.random(in: 0..<3, using: &random) {
            case 0: array.remove(at: index)
            case 1: array.append(array[index])
            default: array[index] = damage(array[index], values, &random)
            }
            return array
        }
        return values.randomElement(using: &random)!
    }
}

/// The subset of JSON Schema that the published schema uses; an unknown keyword is a failure.
private struct Schema {
    let root: [String: Any]

    func takes(_ value: Any, _ schema: [String: Any]) -> Bool {
        schema.allSatisfy { word, rule in
            switch word {
            case "$schema", "$id", "$defs", "title", "description", "default", "then": true
            case "$ref": takes(value, definition(rule))
            case "type": isType(value, rule as? String ?? "")
            case "const": isEqual(value, rule)
            case "enum": (rule as? [Any] ?? []).contains { isEqual(value, $0) }
            case "required": hasAll(value, rule as? [String] ?? [])
            case "additionalProperties": hasOnly(value, schema["properties"] as? [String: Any] ?? [:])
            case "properties": fits(value, rule as? [String: [String: Any]] ?? [:])
            case "minimum": number(value).map { $0 >= (rule as? Double ?? 0) } ?? true
            case "maximum": number(value).map { $0 <= (rule as? Double ?? 0) } ?? true
            case "minLength": (value as? String).map { $0.unicodeScalars.count >= (rule as? Int ?? 0) } ?? true
            case "maxLength": (value as? String).map { $0.unicodeScalars.count <= (rule as? Int ?? 0) } ?? true
            case "pattern":
                (value as? String).map { $0.range(of: rule as? String ?? "", options: .regularExpression) != nil }
                    ?? true
            case "items": (value as? [Any] ?? []).allSatisfy { takes($0, rule as? [String: Any] ?? [:]) }
            case "minItems": (value as? [Any]).map { $0.count >= (rule as? Int ?? 0) } ?? true
            case "maxItems": (value as? [Any]).map { $0.count <= (rule as? Int ?? 0) } ?? true
            case "oneOf": (rule as? [[String: Any]] ?? []).filter { takes(value, $0) }.count == 1
            case "anyOf": (rule as? [[String: Any]] ?? []).contains { takes(value, $0) }
            case "not": !takes(value, rule as? [String: Any] ?? [:])
            case "if":
                !takes(value, rule as? [String: Any] ?? [:])
                    || takes(value, schema["then"] as? [String: Any] ?? [:])
            default: unknown(word)
            }
        }
    }

    private func unknown(_ word: String) -> Bool {
        Issue.record("the word \(word)")
        return false
    }

    private func definition(_ reference: Any) -> [String: Any] {
        let name = (reference as? String ?? "").split(separator: "/").last.map(String.init) ?? ""
        return (root["$defs"] as? [String: [String: Any]] ?? [:])[name] ?? ["unknown": name]
    }

    private func isBoolean(_ value: Any) -> Bool {
        (value as? NSNumber).map { String(cString: $0.objCType) == "c" } ?? (value is Bool)
    }
    private func number(_ value: Any) -> Double? { isBoolean(value) ? nil : (value as? NSNumber)?.doubleValue }

    private func isType(_ value: Any, _ type: String) -> Bool {
        switch type {
        case "object": value is [String: Any]
        case "array": value is [Any]
        case "string": value is String
        case "boolean": isBoolean(value)
        case "integer": number(value).map { $0 == $0.rounded() } ?? false
        default: false
        }
    }

    private func isEqual(_ one: Any, _ other: Any) -> Bool {
        if let one = one as? String { return one == other as? String }
        return isBoolean(one) && isBoolean(other) && one as? Bool == other as? Bool
    }

    private func hasAll(_ value: Any, _ names: [String]) -> Bool {
        guard let object = value as? [String: Any] else { return true }
        return names.allSatisfy { object[$0] != nil }
    }

    private func hasOnly(_ value: Any, _ properties: [String: Any]) -> Bool {
        guard let object = value as? [String: Any] else { return true }
        return object.keys.allSatisfy { properties[$0] != nil }
    }

    private func fits(_ value: Any, _ properties: [String: [String: Any]]) -> Bool {
        guard let object = value as? [String: Any] else { return true }
        return properties.allSatisfy { name, schema in object[name].map { takes($0, schema) } ?? true }
    }
}
