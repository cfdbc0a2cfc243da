// SPDX-License-Identifier: Apache-2.0
import EMVKernel

/// What is wrong with a file: where, and what was expected there.
public struct FormatError: Error, Hashable, Sendable {
    /// The file as it was named to the reader; empty for bytes without a name.
    public var file: String
    /// The place in the document, for example `combinations[2].limits.floor`; empty for the document itself.
    public var path: String
    /// One-based; a column counts bytes.
    public var line: Int
    public var column: Int
    /// What was expected, with its unit, length, range or allowed values.
    public var expected: String
    /// The kind and length of what was found: never its value, which may be a key's or an account's.
    public var found: String

    public init(
        file: String = "", path: String = "", line: Int = 1, column: Int = 1, expected: String, found: String
    ) {
        self.file = file
        self.path = path
        self.line = line
        self.column = column
        self.expected = expected
        self.found = found
    }

    public var message: String { "expected \(expected), found \(found)" }
}

extension FormatError: CustomStringConvertible {
    /// `visa.json:12:7: combinations[2].limits.floor: expected an amount in minor units, a whole number from 0 to
    /// 999999999999, found a string of 1 byte`.
    public var description: String {
        let place = path.isEmpty ? "" : " \(path):"
        return "\(file.isEmpty ? "<input>" : file):\(line):\(column):\(place) \(message)"
    }
}
