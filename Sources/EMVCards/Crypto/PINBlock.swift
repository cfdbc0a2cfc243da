// SPDX-License-Identifier: Apache-2.0
/// The formats of a PIN block (ISO 9564-1), for an issuer's host and its tests.
///
/// A terminal does not use them: PIN blocks are built in its PIN pad, and the program never sees a digit.
public enum PINBlock: UInt8, Sendable, Hashable, CaseIterable {
    /// Bound to the account number, filled with F.
    case format0 = 0
    /// Without account number, filled at random.
    case format1 = 1
    /// For a card, filled with F.
    case format2 = 2
    /// Bound to the account number, filled with random letters.
    case format3 = 3
    /// Bound to the account number in the encipherment, for AES.
    case format4 = 4

    /// Returns the plaintext block: 8 bytes, 16 for format 4.
    ///
    /// - Parameters:
    ///   - pin: 4 to 12 digits.
    ///   - pan: of formats 0 and 3, digits.
    ///   - fill: random values that hide equal PINs: nibbles for formats 1 and 3, 8 bytes for format 4.
    /// - Returns: nil if the PIN has another length or other characters than digits.
    public func block(pin: String, pan: String = "", fill: [UInt8] = []) -> [UInt8]? {
        let digits = pin.utf8.map { $0 &- 0x30 }
        guard (4...12).contains(digits.count), digits.allSatisfy({ $0 < 10 }) else { return nil }
        let open = 14 - digits.count
        let filling: [UInt8]
        switch self {
        case .format0, .format2: filling = [UInt8](repeating: 0xF, count: open)
        case .format4: filling = [UInt8](repeating: 0xA, count: open)
        case .format1, .format3:
            guard fill.count >= open else { return nil }
            filling = fill.prefix(open).map { self == .format3 ? 0xA + $0 % 6 : $0 & 0xF }
        }
        let plain = [UInt8](nibbles: [rawValue, UInt8(digits.count)] + digits + filling)
        switch self {
        case .format0, .format3: return zip(plain, Self.account(pan)).map { $0 ^ $1 }
        case .format4: return fill.count < 8 ? nil : plain + fill.prefix(8)
        case .format1, .format2: return plain
        }
    }

    /// Returns the PIN of a plaintext block, or nil if the block has no PIN in this format.
    public func pin(in block: [UInt8], pan: String = "") -> String? {
        guard block.count == (self == .format4 ? 16 : 8) else { return nil }
        let bound = self == .format0 || self == .format3
        let plain = bound ? zip(block, Self.account(pan)).map { $0 ^ $1 } : Array(block.prefix(8))
        let nibbles = plain.flatMap { [$0 >> 4, $0 & 0xF] }
        let count = Int(nibbles[1])
        guard nibbles[0] == rawValue, (4...12).contains(count) else { return nil }
        let digits = nibbles[2..<2 + count]
        let filling = nibbles[(2 + count)...]
        let isFilled =
            switch self {
            case .format0, .format2: filling.allSatisfy { $0 == 0xF }
            case .format3: filling.allSatisfy { $0 >= 0xA }
            case .format4: filling.allSatisfy { $0 == 0xA }
            case .format1: true
            }
        guard isFilled, digits.allSatisfy({ $0 < 10 }) else { return nil }
        return String(decoding: digits.map { $0 + 0x30 }, as: UTF8.self)
    }

    /// The 12 digits of an account number before its check digit, right-justified in 8 bytes.
    private static func account(_ pan: String) -> [UInt8] {
        let digits = pan.utf8.dropLast().suffix(12).map { $0 & 0xF }
        return [UInt8](nibbles: [UInt8](repeating: 0, count: 16 - digits.count) + digits)
    }
}

// MARK: - Format 4

extension PINBlock {
    /// Returns the account number as format 4 codes it: the number of digits beyond 12, the digits, zeros.
    ///
    /// - Parameter pan: at most 19 digits; shorter numbers are padded on the left to 12 digits with zeros.
    public static func accountField(_ pan: String) -> [UInt8]? {
        let digits = pan.utf8.map { $0 &- 0x30 }
        guard (1...19).contains(digits.count), digits.allSatisfy({ $0 < 10 }) else { return nil }
        let padded = [UInt8](repeating: 0, count: max(0, 12 - digits.count)) + digits
        return [UInt8](nibbles: [UInt8(padded.count - 12)] + padded + [UInt8](repeating: 0, count: 31 - padded.count))
    }

    /// Enciphers a block of format 4.
    ///
    /// - Parameters:
    ///   - block: 16 bytes.
    ///   - key: AES.
    public static func encipher(_ block: [UInt8], pan: String, key: CardKey) -> [UInt8]? {
        guard key.algorithm == .aes, block.count == 16, let account = accountField(pan) else { return nil }
        return key.encrypt(zip(key.encrypt(block), account).map { $0 ^ $1 })
    }

    /// Returns the PIN of an enciphered block of format 4.
    public static func pin(inEnciphered block: [UInt8], pan: String, key: CardKey) -> String? {
        guard key.algorithm == .aes, block.count == 16, let account = accountField(pan) else { return nil }
        let inner = zip(key.decryptChained(block), account).map { $0 ^ $1 }
        return PINBlock.format4.pin(in: key.decryptChained(inner))
    }
}
