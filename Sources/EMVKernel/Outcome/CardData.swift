// SPDX-License-Identifier: Apache-2.0
/// Data objects from a card. They never appear in a description, a debugger's mirror, a log or an encoder; ask for a
/// tag or for the bytes to get them.
public struct CardData: Sendable, Hashable {
    private let store: WipedBytes

    /// The data objects as TLV, in the kernel's order. Cardholder data in the clear: handle accordingly. They are
    /// overwritten when the last copy of this value is released, unless other code still holds the array.
    public var bytes: Bytes { unsafe store.bytes }

    public init(_ bytes: consuming Bytes) {
        store = WipedBytes(bytes)
    }

    /// The value of an outermost data object.
    public subscript(tag: Tag) -> Bytes? {
        TLVReader(bytes).first(tag).map { Bytes($0.value) }
    }

    /// Tags of the outermost data objects, in order.
    public var tags: [Tag] {
        TLVReader(bytes).map { $0.tag }
    }

    /// The account number masked: at most the first six and the last four digits.
    public var maskedPAN: MaskedPAN? {
        (value(of: 0x57) ?? value(of: 0x9F6B)).flatMap { MaskedPAN(track2: $0) }
            ?? value(of: 0x5A).flatMap { MaskedPAN(pan: $0) }
    }

    /// Returns the value in place.
    package func value(of tag: Tag) -> ArraySlice<UInt8>? {
        TLVReader(bytes).first(tag)?.value
    }
}

/// An array that is overwritten when its last owner releases it. If other code holds the array, its copy is not
/// changed.
private final class WipedBytes: Sendable, Hashable {
    // Only the last owner writes it.
    nonisolated(unsafe) private(set) var bytes: Bytes

    init(_ bytes: consuming Bytes) { unsafe self.bytes = bytes }

    deinit { unsafe bytes.wipe() }

    static func == (one: WipedBytes, other: WipedBytes) -> Bool { unsafe one.bytes == other.bytes }
    func hash(into hasher: inout Hasher) { unsafe hasher.combine(bytes) }
}

extension CardData: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Tags and lengths only.
    public var description: String {
        "[" + TLVReader(bytes).map { "\($0.tag): \($0.value.count) bytes" }.joined(separator: ", ") + "]"
    }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}

/// An account number of which at most the first six and the last four digits are kept.
public struct MaskedPAN: Sendable, Hashable, CustomStringConvertible {
    /// Asterisks replace the omitted digits.
    public let description: String
    public var lastFour: String { String(description.suffix(4)) }

    init?(track2 bytes: ArraySlice<UInt8>) {
        self.init(bytes, upTo: 0xD)
    }

    init?(pan bytes: ArraySlice<UInt8>) {
        self.init(bytes, upTo: 0xF)
    }

    /// Works digit by digit, so that no array of digits is left in memory.
    private init?(_ bytes: ArraySlice<UInt8>, upTo end: UInt8) {
        var count = 0
        while count < 2 * bytes.count, bytes.nibble(count) != end { count += 1 }
        guard (8...19).contains(count), (0..<count).allSatisfy({ bytes.nibble($0) < 10 }) else { return nil }
        let shown = count >= 14 ? 6 : 0
        var text = ""
        for place in 0..<count {
            text += place < shown || place >= count - 4 ? "\(bytes.nibble(place))" : "*"
        }
        description = text
    }

    /// Reads its own text: digits, of which at most the first six and the last four show, and an asterisk for each of
    /// the others.
    public init?(_ text: some StringProtocol) {
        let characters = Array(text.utf8)
        guard (8...19).contains(characters.count) else { return nil }
        let hidden = characters.dropFirst(characters.first == 0x2A ? 0 : 6).dropLast(4)
        let shown = characters.count - hidden.count
        guard !hidden.isEmpty, hidden.allSatisfy({ $0 == 0x2A }), shown == 4 || characters.count >= 14,
            characters.filter({ (0x30...0x39).contains($0) }).count == shown
        else { return nil }
        description = String(text)
    }

    /// A copy that shows only the last four digits, as on receipts.
    public var lastFourOnly: MaskedPAN {
        MaskedPAN(hiding: description)
    }

    private init(hiding text: String) {
        description = String(repeating: "*", count: text.count - 4) + text.suffix(4)
    }
}

extension ArraySlice where Element == UInt8 {
    /// The first half of the first byte is nibble 0.
    package func nibble(_ place: Int) -> UInt8 {
        let byte = self[startIndex + place / 2]
        return place.isMultiple(of: 2) ? byte >> 4 : byte & 0x0F
    }
}

#if !hasFeature(Embedded)
extension CardData: Encodable {
    /// Encodes tags, each with the number of its bytes; never a value.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: TagKey.self)
        for object in TLVReader(bytes) { try container.encode(object.value.count, forKey: TagKey(object.tag)) }
    }

    private struct TagKey: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(_ tag: Tag) { stringValue = tag.description }
        init?(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
}

extension MaskedPAN: Codable {
    /// Rejects a number that shows more digits than allowed.
    public init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard let masked = MaskedPAN(text) else {
            throw DecodingError.dataCorrupted(
                .init(
                    codingPath: decoder.codingPath,
                    debugDescription: "expected a masked account number, at most six and four digits shown"))
        }
        self = masked
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
#endif
