// SPDX-License-Identifier: Apache-2.0
// Declarations that EMVKit uses and Embedded Swift lacks: coding, reflection, three functions of strings. Protocols
// without requirements and functions with equal behaviour replace them, so that no conformance needs a condition.
// Compiled only into the modules of this package.

public protocol Encodable {}
public protocol Decodable {}
public typealias Codable = Decodable & Encodable
public protocol CodingKey {}
public protocol CustomReflectable {}

public struct Mirror {
    public enum DisplayStyle { case `struct`, `class`, `enum` }

    public init<Subject>(_ subject: Subject, children: [Never], displayStyle: DisplayStyle) {}
}

extension StringProtocol {
    /// The first occurrence of `text`.
    public func firstRange(of text: String) -> Range<Index>? {
        var start = startIndex
        while start < endIndex {
            if self[start...].hasPrefix(text) { return start..<index(start, offsetBy: text.count) }
            formIndex(after: &start)
        }
        return nil
    }

    public func contains(_ text: String) -> Bool { text.isEmpty || firstRange(of: text) != nil }

    public func replacing(_ text: String, with other: String) -> String {
        var result = "", rest = self[...]
        while !text.isEmpty, let range = rest.firstRange(of: text) {
            result += rest[..<range.lowerBound]
            result += other
            rest = rest[range.upperBound...]
        }
        return result + rest
    }
}
