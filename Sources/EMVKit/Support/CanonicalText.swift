// SPDX-License-Identifier: Apache-2.0
/// Converts a value to a text that is identical for equal values: members by name, sets and dictionaries sorted. Values
/// that redact themselves stay redacted.
enum CanonicalText {
    static func of(_ value: Any) -> String {
        var text = ""
        append(value, to: &text)
        return text
    }

    /// Returns the text made by reflecting `value` itself; special cases apply only to its contents.
    static func reflecting(_ value: Any) -> String {
        var text = ""
        appendParts(of: value, to: &text)
        return text
    }

    private static func append(_ value: Any, to text: inout String) {
        switch value {
        case let string as String: text += "\(string.utf8.count):\(string)"
        case let bytes as Bytes: append(bytes, to: &text)
        // Data objects redact themselves in descriptions, but those of a configuration are the terminal's own.
        case let objects as DataObjects: text += "t" + Hex.string(objects.encoded)
        // Half of a configuration consists of key rows, and reflection is slow.
        case let key as CAKey: append(key, to: &text)
        default: appendParts(of: value, to: &text)
        }
    }

    private static func append(_ bytes: Bytes, to text: inout String) { text += "x" + Hex.string(bytes) }

    private static func append(_ key: CAKey, to text: inout String) {
        text += "{rid="
        append(key.rid, to: &text)
        text += ",index=\(key.index),exponent=\(key.exponent),modulus="
        append(key.modulus, to: &text)
        for (name, part) in [("sha1", key.sha1 as Any), ("expires", key.expires as Any)] {
            text += ",\(name)="
            append(part, to: &text)
        }
        text += ",isTest=\(key.isTest),curve="
        append(key.curve as Any, to: &text)
        text += "}"
    }

    private static func appendParts(of value: Any, to text: inout String) {
        let mirror = Mirror(reflecting: value)
        switch mirror.displayStyle {
        case .collection, .tuple: append(mirror.children, between: "[", "]", to: &text)
        case .set, .dictionary:
            text += "[" + mirror.children.map { child in of(child.value) }.sorted().joined(separator: ",") + "]"
        case .optional where mirror.children.isEmpty: text += "-"
        case .optional: append(mirror.children, between: "", "", to: &text)
        case .struct, .class, .enum:
            if mirror.children.isEmpty {
                text += "\(value)"
            } else {
                append(mirror.children, between: "{", "}", to: &text)
            }
        default: text += "\(value)"
        }
    }

    private static func append(
        _ children: Mirror.Children, between first: String, _ last: String, to text: inout String
    ) {
        text += first
        var isFirst = true
        for child in children {
            if !isFirst { text += "," }
            isFirst = false
            if let label = child.label {
                text += label
                text += "="
            }
            append(child.value, to: &text)
        }
        text += last
    }
}
