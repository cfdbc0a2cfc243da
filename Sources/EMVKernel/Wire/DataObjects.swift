// SPDX-License-Identifier: Apache-2.0
/// Data objects by tag, in the order in which they were added. Each tag occurs once, except the issuer's script
/// templates (71 and 72), which may be repeated (EMV Book 3, 10.10).
public struct DataObjects: Sendable, Hashable {
    public struct Element: Sendable, Hashable {
        public let tag: Tag
        public let value: Bytes

        public init(_ tag: Tag, _ value: Bytes) {
            self.tag = tag
            self.value = value
        }
    }

    public private(set) var elements: [Element] = []

    public init() {}

    /// Reads the outermost objects of well-formed TLV. Script templates (71 and 72) are all kept, in order; for any
    /// other repeated tag the last value counts.
    public init(tlv bytes: Bytes) throws(TLVError) {
        try TLVTree.check(bytes)
        for object in TLVReader(bytes) { put(object.tag, Bytes(object.value)) }
    }

    /// Adds an object at the end, or replaces the value of a tag that may not be repeated.
    public mutating func put(_ tag: Tag, _ value: Bytes) {
        if DataObjects.mayRepeat(tag) { elements.append(Element(tag, value)) } else { self[tag] = value }
    }

    /// True for the issuer's script templates.
    public static func mayRepeat(_ tag: Tag) -> Bool { tag == 0x71 || tag == 0x72 }

    /// Every value of a tag, in order.
    public func all(_ tag: Tag) -> [Bytes] {
        elements.filter { $0.tag == tag }.map { $0.value }
    }

    public var isEmpty: Bool { elements.isEmpty }

    /// The first value of a tag; assigning replaces all of them, `nil` removes them.
    public subscript(tag: Tag) -> Bytes? {
        get { elements.first { $0.tag == tag }?.value }
        set {
            let place = elements.firstIndex { $0.tag == tag }
            switch (place, newValue) {
            case (let place?, let value?):
                elements[place] = Element(tag, value)
                if DataObjects.mayRepeat(tag) { removeRepeats(of: tag, after: place) }
            case (nil, let value?): elements.append(Element(tag, value))
            case (_?, nil): elements.removeAll { $0.tag == tag }
            case (nil, nil): break
            }
        }
    }

    private mutating func removeRepeats(of tag: Tag, after place: Int) {
        elements = elements.enumerated().filter { $0.offset <= place || $0.element.tag != tag }.map { $0.element }
    }

    /// The objects as TLV, each with the shortest length.
    public var encoded: Bytes {
        var bytes = Bytes()
        for element in elements { DataObjects.append(element.tag, element.value, to: &bytes) }
        return bytes
    }

    static func append(_ tag: Tag, _ value: Bytes, to bytes: inout Bytes) {
        bytes += tag.bytes
        if value.count < 0x80 {
            bytes.append(UInt8(value.count))
        } else {
            let length = Tag.bigEndian(value.count)
            bytes.append(0x80 | UInt8(length.count))
            bytes += length
        }
        bytes += value
    }
}

extension DataObjects: ExpressibleByDictionaryLiteral {
    /// Traps if a tag is given twice.
    public init(dictionaryLiteral pairs: (Tag, Bytes)...) {
        for (tag, value) in pairs {
            precondition(self[tag] == nil, "a tag is given twice")
            self[tag] = value
        }
    }
}

extension DataObjects: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Tags and lengths only, because values may be cardholder data.
    public var description: String {
        "[" + elements.map { "\($0.tag): \($0.value.count) bytes" }.joined(separator: ", ") + "]"
    }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}

extension DataObjects.Element: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "\(tag): \(value.count) bytes" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}

extension Tag {
    /// The shortest big-endian form of a positive number.
    static func bigEndian(_ number: Int) -> Bytes {
        var bytes = Bytes()
        var rest = number
        while rest > 0 {
            bytes.insert(UInt8(truncatingIfNeeded: rest), at: 0)
            rest >>= 8
        }
        return bytes
    }
}
