// SPDX-License-Identifier: Apache-2.0
/// A JSON value that keeps the order of its keys.
package enum OutputJSON {
    case null
    case bool(Bool)
    case integer(Int)
    /// A number by its digits, or another document.
    case raw(String)
    case string(String)
    case array([OutputJSON])
    case object([(String, OutputJSON)])

    package var text: String {
        switch self {
        case .null: "null"
        case .bool(let value): value ? "true" : "false"
        case .integer(let value): "\(value)"
        case .raw(let text): text
        case .string(let value): OutputJSON.quoted(value)
        case .array(let values): "[" + values.map { $0.text }.joined(separator: ",") + "]"
        case .object(let pairs):
            "{" + pairs.map { OutputJSON.quoted($0.0) + ":" + $0.1.text }.joined(separator: ",") + "}"
        }
    }

    /// `nil` becomes null.
    package static func optional(_ value: Int?) -> OutputJSON { value.map { .integer($0) } ?? .null }

    /// `nil` becomes null.
    package static func optional(_ value: String?) -> OutputJSON { value.map { .string($0) } ?? .null }

    package static func strings(_ values: [String]) -> OutputJSON { .array(values.map { .string($0) }) }

    private static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case "\n": quoted += "\\n"
            case "\t": quoted += "\\t"
            case "\r": quoted += "\\r"
            case _ where scalar.value < 0x20:
                let hex = String(scalar.value, radix: 16)
                quoted += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}
