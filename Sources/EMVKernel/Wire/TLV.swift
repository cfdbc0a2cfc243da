// SPDX-License-Identifier: Apache-2.0
/// Why bytes are not valid BER-TLV. The rules match those of the kernel's codec.
public enum TLVError: Error, Hashable, Sendable {
    /// The bytes end inside a tag.
    case truncatedTag
    /// A tag of more than four bytes.
    case longTag
    /// The bytes end before or inside a length.
    case truncatedLength
    /// Length byte 80.
    case indefiniteLength
    /// A length of more than four bytes.
    case longLength
    /// The value would end after its parent.
    case truncatedValue
    /// Nested deeper than ``TLVReader/maximumDepth``.
    case tooDeep
}

/// One data object, in place: it shares the storage it was read from.
public struct TLV: Sendable, Hashable {
    public let tag: Tag
    /// Bit 6 of the first tag byte, as received.
    public let isConstructed: Bool
    public let value: ArraySlice<UInt8>
    /// Tag, length and value as received.
    public let whole: ArraySlice<UInt8>

    /// The objects inside; empty for a primitive object.
    public var children: TLVReader {
        TLVReader(isConstructed ? value : value[value.endIndex...])
    }
}

/// Iterates over sibling data objects. `00` and `FF` between objects are skipped.
///
/// After the end or the first error ``next()`` returns `nil`; ``error`` holds the error.
public struct TLVReader: Sendable, Sequence, IteratorProtocol {
    /// Maximum nesting depth; the outermost objects are at depth 1.
    public static let maximumDepth = 8

    private let bytes: ArraySlice<UInt8>
    /// Start of the next object, or of the first error, as an index of the given slice.
    public private(set) var position: Int
    public private(set) var error: TLVError?

    public init(_ bytes: Bytes) {
        self.init(bytes[...])
    }

    public init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        position = bytes.startIndex
    }

    public mutating func next() -> TLV? {
        guard error == nil else { return nil }
        while position < bytes.endIndex, bytes[position] == 0x00 || bytes[position] == 0xFF { position += 1 }
        guard position < bytes.endIndex else { return nil }
        do throws(TLVError) {
            return try read()
        } catch {
            self.error = error
            return nil
        }
    }

    /// Returns the first sibling with this tag; `nil` if there is none, or if an error precedes it.
    public func first(_ tag: Tag) -> TLV? {
        var reader = self
        while let object = reader.next() {
            if object.tag == tag { return object }
        }
        return nil
    }

    private mutating func read() throws(TLVError) -> TLV {
        let first = position
        let tag = try readTag()
        let length = try readLength()
        // Compared as unsigned numbers: Int has 32 bits on some platforms, and a length may have 32 bits too.
        guard length <= UInt32(clamping: bytes.endIndex - position) else { throw .truncatedValue }
        let value = bytes[position..<(position + Int(length))]
        position = value.endIndex
        return TLV(tag: tag, isConstructed: bytes[first] & 0x20 != 0, value: value, whole: bytes[first..<position])
    }

    private mutating func readTag() throws(TLVError) -> Tag {
        var at = position
        var number = UInt32(bytes[at])
        at += 1
        if number & 0x1F == 0x1F {
            var size = 1
            repeat {
                guard size < 4 else { throw .longTag }
                guard at < bytes.endIndex else { throw .truncatedTag }
                number = number << 8 | UInt32(bytes[at])
                at += 1
                size += 1
            } while number & 0x80 != 0
        }
        position = at
        return Tag(unchecked: number)
    }

    private mutating func readLength() throws(TLVError) -> UInt32 {
        var at = position
        guard at < bytes.endIndex else { throw .truncatedLength }
        let first = bytes[at]
        at += 1
        var number = UInt32(first)
        if first >= 0x80 {
            let count = Int(first & 0x7F)
            guard count != 0 else { throw .indefiniteLength }
            guard count <= 4 else { throw .longLength }
            guard count <= bytes.endIndex - at else { throw .truncatedLength }
            number = bytes[at..<(at + count)].reduce(0) { $0 << 8 | UInt32($1) }
            at += count
        }
        position = at
        return number
    }
}

/// Iterates over a whole tree in document order, parents before children.
public struct TLVTree: Sendable, Sequence, IteratorProtocol {
    private var levels: [TLVReader]
    public private(set) var error: TLVError?

    public init(_ bytes: Bytes) {
        self.init(bytes[...])
    }

    public init(_ bytes: ArraySlice<UInt8>) {
        levels = [TLVReader(bytes)]
    }

    /// The next object and its depth; `nil` at the end or at the first error.
    public mutating func next() -> (object: TLV, depth: Int)? {
        guard error == nil else { return nil }
        while let depth = levels.indices.last {
            guard let object = levels[depth].next() else {
                error = levels[depth].error
                if error != nil { return nil }
                levels.removeLast()
                continue
            }
            if object.isConstructed, !object.value.isEmpty {
                guard levels.count < TLVReader.maximumDepth else {
                    error = .tooDeep
                    return nil
                }
                levels.append(object.children)
            }
            return (object, depth + 1)
        }
        return nil
    }

    /// Throws the first error of the whole tree.
    public static func check(_ bytes: Bytes) throws(TLVError) {
        var tree = TLVTree(bytes)
        while tree.next() != nil {}
        if let error = tree.error { throw error }
    }
}

extension TLVError: ExplainedError {
    public var description: String {
        switch self {
        case .truncatedTag: "The bytes end inside a tag"
        case .longTag: "A tag has more than four bytes"
        case .truncatedLength: "The bytes end before or inside a length"
        case .indefiniteLength: "A length is indefinite"
        case .longLength: "A length has more than four bytes"
        case .truncatedValue: "A value would end after its parent"
        case .tooDeep: "Data objects are nested too deep"
        }
    }

    public var recoverySuggestion: String {
        switch self {
        case .truncatedTag, .truncatedLength, .truncatedValue: "Supply the whole data object"
        case .longTag, .indefiniteLength, .longLength, .tooDeep: "Encode the data objects as in EMV Book 3, Annex B"
        }
    }
}
