// SPDX-License-Identifier: Apache-2.0
/// Text inside a page: a browser shows it and never runs it. All HTML of the package is escaped here.
///
/// Both functions read Unicode scalars, as an HTML parser does. In a `Character`, `<` may follow a scalar that prepends
/// (U+0600, U+0D4E) or precede one that extends, and would not compare equal to `"<"`.
package enum HTMLText {
    /// Text for an element's content, or for the value of an attribute in either kind of quotation marks.
    package static func escaped(_ text: String) -> String {
        var escaped = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped.append(contentsOf: "&amp;".unicodeScalars)
            case "<": escaped.append(contentsOf: "&lt;".unicodeScalars)
            case ">": escaped.append(contentsOf: "&gt;".unicodeScalars)
            case "\"": escaped.append(contentsOf: "&quot;".unicodeScalars)
            case "'": escaped.append(contentsOf: "&#39;".unicodeScalars)
            default: escaped.append(scalar)
            }
        }
        return String(escaped)
    }

    /// JSON for a `script` element. Only a string of JSON can hold `<`, so an equivalent escape replaces it, and
    /// nothing in the JSON can end the element.
    package static func escaped(json: String) -> String {
        var escaped = String.UnicodeScalarView()
        for scalar in json.unicodeScalars {
            if scalar == "<" {
                escaped.append(contentsOf: #"\u003c"#.unicodeScalars)
            } else {
                escaped.append(scalar)
            }
        }
        return String(escaped)
    }
}
