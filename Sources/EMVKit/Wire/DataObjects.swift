/// Data objects by tag, each at most once, in the order they were added.
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

    /// Reads the outermost objects of well-formed TLV; of a repeated tag the last counts.
    public init(tlv bytes: Bytes) throws(TLVError) {
        try TLVTree.check(bytes)
        for object in TLVReader(bytes) { self[object.tag] = Bytes(object.value) }
    }

    public var isEmpty: Bool { elements.isEmpty }

    /// The value of a tag; assigning `nil` removes it.
    public subscript(tag: Tag) -> Bytes? {
        get { elements.first { $0.tag == tag }?.value }
        set {
            let place = elements.firstIndex { $0.tag == tag }
            switch (place, newValue) {
            case (let place?, let value?): elements[place] = Element(tag, value)
            case (nil, let value?): elements.append(Element(tag, value))
            case (let place?, nil): elements.remove(at: place)
            case (nil, nil): break
            }
        }
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
    /// Traps on a tag given twice.
    public init(dictionaryLiteral pairs: (Tag, Bytes)...) {
        for (tag, value) in pairs {
            precondition(self[tag] == nil, "a tag is given twice")
            self[tag] = value
        }
    }
}

extension DataObjects: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Tags and lengths only: values may be those of a cardholder.
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
