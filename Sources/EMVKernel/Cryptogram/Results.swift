// SPDX-License-Identifier: Apache-2.0
/// Terminal verification results (tag 95), five bytes.
public struct TerminalVerificationResults: Sendable, Hashable, CustomStringConvertible {
    /// The five bytes as a number; byte 1 is in bits 40 to 33.
    public let rawValue: UInt64

    public init(_ bytes: some Collection<UInt8>) {
        rawValue = bytes.prefix(5).reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// Returns true if the bit is set: byte counted from 1, bit 8 is the highest.
    public func isSet(byte: Int, bit: Int) -> Bool {
        guard (1...5).contains(byte), (1...8).contains(bit) else { return false }
        return rawValue >> UInt64((5 - byte) * 8 + bit - 1) & 1 == 1
    }

    public var bytes: Bytes { (0..<5).reversed().map { UInt8(truncatingIfNeeded: rawValue >> UInt64(8 * $0)) } }
    public var description: String { Hex.string(bytes) }
}

/// Results of the cardholder verification (tag 9F34; EMV Book 3, C3 and Book 4, A4).
public struct CVMResults: Sendable, Hashable {
    public enum Result: UInt8, Sendable, Hashable, CaseIterable {
        case unknown, failed, successful
    }

    /// The code as the card wrote it, with bit 7 (apply the next rule if this one fails).
    public let code: UInt8
    public let condition: UInt8
    public let resultCode: UInt8
    /// `nil`: a reserved code.
    public var result: Result? { Result(rawValue: resultCode) }
    /// The code without bits 8 and 7.
    public var method: UInt8 { code & 0x3F }

    init(_ bytes: ArraySlice<UInt8>) {
        let first = bytes.startIndex
        code = bytes[first]
        condition = bytes[first + 1]
        resultCode = bytes[first + 2]
    }
}

/// The kind of device that was tapped: 9F6E of Visa, Mastercard and JCB, 9F67 of Amex.
public struct FormFactor: Sendable, Hashable {
    /// As received.
    public let bytes: ArraySlice<UInt8>
    public let scheme: PaymentScheme
    /// `false`: the scheme does not define the coding, or not for this length; only ``bytes`` are set.
    public internal(set) var isKnown = false
    /// Visa and JCB: the code of the device, bits 5 to 1 of the first byte.
    public internal(set) var deviceCode: UInt8?
    /// Mastercard: two characters.
    public internal(set) var deviceType: String?
    /// Mastercard: ISO 3166, as digits.
    public internal(set) var country: String?
    /// Mastercard: unique identifier; 0 means no proprietary data.
    public internal(set) var identifier: UInt16?
    /// Mastercard.
    public internal(set) var proprietary: ArraySlice<UInt8>
    /// Visa and JCB, bit by bit.
    public internal(set) var fields: [BitField] = []

    public init(_ bytes: ArraySlice<UInt8>, scheme: PaymentScheme) {
        self.bytes = bytes
        self.scheme = scheme
        proprietary = bytes[bytes.endIndex...]
        CryptogramBridge.read(&self)
    }
}
