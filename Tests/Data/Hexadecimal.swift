// SPDX-License-Identifier: Apache-2.0
/// Bytes from hexadecimal digits; white space is allowed between them.
public func hex(_ text: String) -> [UInt8] {
    let digits = text.filter { !$0.isWhitespace }.map { character -> UInt8 in
        guard let digit = character.hexDigitValue else { preconditionFailure("not hexadecimal: \(text)") }
        return UInt8(digit)
    }
    precondition(digits.count.isMultiple(of: 2), "half a byte: \(text)")
    return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
}

/// Hexadecimal digits in upper case, without separators.
public func hexText(_ bytes: some Sequence<UInt8>) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }.joined()
}

/// A data object in BER-TLV with the shortest form of the length; the tag as in the books.
public func dataObject(_ tag: UInt32, _ value: [UInt8]) -> [UInt8] {
    let name = withUnsafeBytes(of: tag.bigEndian) { [UInt8]($0.drop { $0 == 0 }) }
    switch value.count {
    case ..<0x80: return name + [UInt8(value.count)] + value
    case ..<0x100: return name + [0x81, UInt8(value.count)] + value
    default: return name + [0x82, UInt8(value.count >> 8), UInt8(value.count & 0xFF)] + value
    }
}
