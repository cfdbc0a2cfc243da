// SPDX-License-Identifier: Apache-2.0
/// Hexadecimal text without separators.
public enum Hex {
    /// Upper case, two digits a byte.
    public static func string(_ bytes: some Collection<UInt8>) -> String {
        unsafe String(unsafeUninitializedCapacity: bytes.count * 2) { buffer in
            var at = 0
            for byte in bytes {
                unsafe buffer[at] = digit(byte >> 4)
                unsafe buffer[at + 1] = digit(byte & 0x0F)
                at += 2
            }
            return at
        }
    }

    /// `nil` for an odd number of digits or any other character. Upper or lower case; empty text is no bytes.
    public static func bytes(_ text: some StringProtocol) -> Bytes? {
        var bytes = Bytes()
        bytes.reserveCapacity(text.utf8.count / 2)
        var high: UInt8?
        for character in text.utf8 {
            guard let value = value(character) else { return nil }
            if let upper = high {
                bytes.append(upper << 4 | value)
                high = nil
            } else {
                high = value
            }
        }
        return high == nil ? bytes : nil
    }

    private static func digit(_ nibble: UInt8) -> UInt8 {
        nibble < 10 ? 0x30 + nibble : 0x37 + nibble
    }

    private static func value(_ character: UInt8) -> UInt8? {
        switch character {
        case 0x30...0x39: character - 0x30
        case 0x41...0x46: character - 0x37
        case 0x61...0x66: character - 0x57
        default: nil
        }
    }
}
