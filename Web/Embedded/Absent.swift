// SPDX-License-Identifier: Apache-2.0
// What Embedded Swift does not have and EMVKit names: coding, reflection, three functions of strings. Protocols without
// requirements and functions of the same meaning stand in for them, so that no conformance needs a mark. Compiled into
// the modules of this package alone.

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
    /// The first place where `text` stands.
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
