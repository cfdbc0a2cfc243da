// SPDX-License-Identifier: Apache-2.0
/// Bytes as they go over the air.
public typealias Bytes = [UInt8]

/// A BER tag of one to four bytes, written as the books write it: `0x9F02`, `0x6F`, `0xDF8129`.
public struct Tag: RawRepresentable, Hashable, Sendable, Comparable, ExpressibleByIntegerLiteral {
    public let rawValue: UInt32

    /// Fails if the number is not the encoding of a tag of one to four bytes.
    public init?(rawValue: UInt32) {
        guard Tag.isValid(rawValue) else { return nil }
        self.rawValue = rawValue
    }

    /// Traps if the literal is not a tag.
    public init(integerLiteral value: UInt32) {
        precondition(Tag.isValid(value), "not a BER tag")
        rawValue = value
    }

    /// For a tag read from bytes: such a number encodes as exactly the bytes it was read from, except for leading
    /// zeros.
    init(unchecked value: UInt32) {
        rawValue = value
    }

    /// Number of bytes of its encoding.
    public var size: Int {
        rawValue > 0xFF_FFFF ? 4 : rawValue > 0xFFFF ? 3 : rawValue > 0xFF ? 2 : 1
    }

    /// Bit 6 of the first byte: the value holds data objects.
    public var isConstructed: Bool {
        rawValue >> (8 * UInt32(size - 1)) & 0x20 != 0
    }

    public var bytes: Bytes {
        (0..<size).reversed().map { UInt8(truncatingIfNeeded: rawValue >> (8 * UInt32($0))) }
    }

    public static func < (left: Tag, right: Tag) -> Bool { left.rawValue < right.rawValue }

    /// Runs for every tag literal, so it builds no array of bytes.
    private static func isValid(_ number: UInt32) -> Bool {
        let size = Tag(unchecked: number).size
        let first = number >> (8 * UInt32(size - 1))
        guard number != 0 else { return false }
        if size == 1 { return first & 0x1F != 0x1F }
        guard first & 0x1F == 0x1F, number & 0x80 == 0 else { return false }
        var place = 1
        while place < size - 1 {
            guard number >> (8 * UInt32(place)) & 0x80 != 0 else { return false }
            place += 1
        }
        return true
    }
}

extension Tag: CustomStringConvertible {
    /// Hex without separators, for example `9F02`.
    public var description: String { Hex.string(bytes) }

    /// Reads the form of ``description``, in upper or lower case.
    public init?(_ hex: some StringProtocol) {
        guard let bytes = Hex.bytes(hex), (1...4).contains(bytes.count) else { return nil }
        let number = bytes.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        self.init(rawValue: number)
        guard size == bytes.count else { return nil }
    }
}
