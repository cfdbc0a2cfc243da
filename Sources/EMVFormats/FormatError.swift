// SPDX-License-Identifier: Apache-2.0
import EMVKernel

/// An error in a file: its place, and the value expected there.
public struct FormatError: Error, Hashable, Sendable {
    /// The file's name as the caller gave it; empty for bytes without a name.
    public var file: String
    /// The place in the document, for example `combinations[2].limits.floor`; empty for the document itself.
    public var path: String
    /// One-based; a column counts bytes.
    public var line: Int
    public var column: Int
    /// The expected value, with its unit, length, range or allowed values.
    public var expected: String
    /// The kind and length of the value found: never the value, which may belong to a key or an account.
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
