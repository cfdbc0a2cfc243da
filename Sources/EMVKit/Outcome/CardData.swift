// SPDX-License-Identifier: Apache-2.0
/// Data objects that came from a card. They never show in a description, a debugger's mirror, a log or an encoder;
/// whoever needs them asks for a tag or for the bytes.
public struct CardData: Sendable, Hashable {
    /// The data objects as TLV, in the kernel's order. Cardholder data in the clear: handle accordingly.
    public let bytes: Bytes

    public init(_ bytes: Bytes) {
        self.bytes = bytes
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
        (self[0x57] ?? self[0x9F6B]).flatMap { MaskedPAN(track2: $0) } ?? self[0x5A].flatMap { MaskedPAN(pan: $0) }
    }
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
    /// Asterisks stand for the digits left out.
    public let description: String
    public var lastFour: String { String(description.suffix(4)) }

    init?(track2 bytes: Bytes) {
        self.init(nibbles: MaskedPAN.nibbles(bytes).prefix { $0 != 0xD })
    }

    init?(pan bytes: Bytes) {
        self.init(nibbles: MaskedPAN.nibbles(bytes).prefix { $0 != 0xF })
    }

    private init?(nibbles: some Sequence<UInt8>) {
        let digits = Bytes(nibbles)
        guard (8...19).contains(digits.count), digits.allSatisfy({ $0 < 10 }) else { return nil }
        let shown = digits.count >= 14 ? 6 : 0
        var text = ""
        for (place, digit) in digits.enumerated() {
            text += place < shown || place >= digits.count - 4 ? "\(digit)" : "*"
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

    /// With the last four digits only, as receipts have it.
    public var lastFourOnly: MaskedPAN {
        MaskedPAN(hiding: description)
    }

    private init(hiding text: String) {
        description = String(repeating: "*", count: text.count - 4) + text.suffix(4)
    }

    private static func nibbles(_ bytes: Bytes) -> [UInt8] {
        bytes.flatMap { [$0 >> 4, $0 & 0x0F] }
    }
}
