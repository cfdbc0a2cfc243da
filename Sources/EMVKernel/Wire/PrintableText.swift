// SPDX-License-Identifier: Apache-2.0
/// Shows names and texts from outside so that they neither break the line nor change the direction of the text around
/// them (Unicode Annex 9).
package enum PrintableText {
    /// Whether a code point breaks the line or turns the direction of its neighbours. No name contains one.
    package static func disturbs(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .privateUse: true
        default: (0x202A...0x202E).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value)
        }
    }

    /// Returns the text with the number of each code point that ``disturbs(_:)`` in its place: `U+202E`.
    package static func shown(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: disturbs) else { return text }
        return text.unicodeScalars.map { disturbs($0) ? code(of: $0) : String($0) }.joined()
    }

    package static func code(of scalar: Unicode.Scalar) -> String {
        "U+" + String(repeating: "0", count: max(0, 4 - String(scalar.value, radix: 16).count))
            + String(scalar.value, radix: 16, uppercase: true)
    }
}
