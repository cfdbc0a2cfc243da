// SPDX-License-Identifier: Apache-2.0
/// A value as one text that is the same for equal values: members by name, sets and dictionaries sorted. What redacts
/// itself stays redacted.
enum CanonicalText {
    static func of(_ value: Any) -> String {
        if let text = value as? String { return "\(text.utf8.count):\(text)" }
        if let bytes = value as? Bytes { return "x" + Hex.string(bytes) }
        // Data objects redact themselves; those of a configuration are the terminal's.
        if let objects = value as? DataObjects { return "t" + Hex.string(objects.encoded) }
        let mirror = Mirror(reflecting: value)
        let parts = mirror.children.map { child in (child.label.map { $0 + "=" } ?? "") + of(child.value) }
        switch mirror.displayStyle {
        case .collection, .tuple: return "[" + parts.joined(separator: ",") + "]"
        case .set, .dictionary: return "[" + parts.sorted().joined(separator: ",") + "]"
        case .optional: return parts.first ?? "-"
        case .struct, .class, .enum: return parts.isEmpty ? "\(value)" : "{" + parts.joined(separator: ",") + "}"
        default: return "\(value)"
        }
    }
}
