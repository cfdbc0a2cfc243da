// SPDX-License-Identifier: Apache-2.0
/// Hexadecimal text without separators.
public enum Hex {
    /// Upper case, two digits a byte.
    public static func string(_ bytes: some Collection<UInt8>) -> String {
        let count = bytes.count
        return unsafe String(unsafeUninitializedCapacity: count * 2) { text in
            guard let text = text.baseAddress else { return 0 }
            // The buffer is sized by `count`. A collection whose `count` is wrong traps here, in every build.
            let isWritten: Void? = bytes.withContiguousStorageIfAvailable { bytes in
                precondition(bytes.count == count, "a collection that counts itself otherwise than its storage")
                unsafe write(bytes, to: text)
            }
            if isWritten == nil {
                let bytes = Bytes(bytes)
                precondition(bytes.count == count, "a collection that counts itself otherwise than its elements")
                unsafe bytes.withUnsafeBufferPointer { unsafe write($0, to: text) }
            }
            return count * 2
        }
    }

    /// Upper case, 16 digits a number.
    package static func string(_ numbers: (UInt64, UInt64)) -> String {
        unsafe String(unsafeUninitializedCapacity: 32) { text in
            for place in 0..<16 {
                let shift = UInt64(60 - 4 * place)
                unsafe text[place] = digit(UInt8(truncatingIfNeeded: numbers.0 >> shift) & 0x0F)
                unsafe text[place + 16] = digit(UInt8(truncatingIfNeeded: numbers.1 >> shift) & 0x0F)
            }
            return 32
        }
    }

    /// Pointers keep this fast without optimisation too; it is half of the work of a configuration's fingerprint.
    private static func write(_ bytes: UnsafeBufferPointer<UInt8>, to text: UnsafeMutablePointer<UInt8>) {
        guard var from = bytes.baseAddress else { return }
        let end = unsafe from + bytes.count
        var to = unsafe text
        while unsafe from < end {
            unsafe to.pointee = digit(from.pointee >> 4)
            unsafe (to + 1).pointee = digit(from.pointee & 0x0F)
            unsafe to += 2
            unsafe from += 1
        }
    }

    /// Returns `nil` for an odd number of digits or any other character. Accepts upper and lower case; empty text gives
    /// no bytes.
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
