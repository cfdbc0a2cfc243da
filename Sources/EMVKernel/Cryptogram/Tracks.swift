// SPDX-License-Identifier: Apache-2.0
/// An account number. It never appears in a description, a mirror or an encoder; read ``digits`` to get it.
public struct AccountNumber: Sendable, Hashable {
    /// In the clear: handle accordingly.
    public let digits: String

    /// 1 to 19 decimal digits.
    public init?(digits: String) {
        guard (1...19).contains(digits.utf8.count), digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        self.digits = digits
    }

    /// True if the check digit is right (ISO/IEC 7812-1).
    public var hasValidCheckDigit: Bool {
        let sum = digits.utf8.reversed().enumerated().reduce(0) { sum, element in
            let digit = Int(element.element) - 0x30
            let doubled = element.offset % 2 == 0 ? digit : 2 * digit
            return sum + (doubled > 9 ? doubled - 9 : doubled)
        }
        return sum % 10 == 0
    }

    /// At most the first six and the last four digits.
    public var masked: String {
        let shown = digits.count >= 14 ? 6 : 0
        return String(digits.enumerated().map { $0.offset < shown || $0.offset >= digits.count - 4 ? $0.element : "*" })
    }
}

extension AccountNumber: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { masked }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}

/// A year without its century and a month, as tracks and ISO 8583 field 14 write them.
public struct ExpiryMonth: Sendable, Hashable, CustomStringConvertible {
    /// 0 to 99.
    public let year: Int
    /// As received: a card may give a number that is not a month.
    public let month: Int

    public init?(yymm: String) {
        guard yymm.utf8.count == 4, let number = Int(yymm), number >= 0 else { return nil }
        year = number / 100
        month = number % 100
    }

    /// YYMM.
    public var description: String { ExpiryMonth.two(year) + ExpiryMonth.two(month) }

    private static func two(_ number: Int) -> String { (number < 10 ? "0" : "") + "\(number)" }
}

/// Why bytes are not a valid track.
public enum TrackProblem: UInt8, Sendable, Hashable, CaseIterable {
    case empty = 1
    case tooLong
    /// Track 1: not structure B.
    case badStart
    case badAccountNumber
    case noSeparator
    case badName
    case badExpiry
    case badServiceCode
    case badDiscretionary
}

/// Track 2 or its equivalent (57, 9F6B), as packed digits or as characters between sentinels. After a fault it holds
/// the fields read before it. It redacts itself.
public struct Track2: Sendable, Hashable {
    public internal(set) var problem: TrackProblem?
    public internal(set) var accountNumber: AccountNumber?
    public internal(set) var expiry: ExpiryMonth?
    /// Three digits.
    public internal(set) var serviceCode: String?
    /// In the clear: it may hold verification values.
    public internal(set) var discretionary = ""
    let bytes: ArraySlice<UInt8>

    public init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        CryptogramBridge.read(&self)
    }

    public init(_ bytes: Bytes) {
        self.init(bytes[...])
    }

    /// Returns the whole track as text, with `=` or `D` as the separator and without padding. In the clear: handle
    /// accordingly.
    public func text(separator: Character = "=") -> String {
        CryptogramBridge.text(of: self, separator: separator)
    }
}

/// Track 1 (56), structure B. After a fault it holds the fields read before it. It redacts itself.
public struct Track1: Sendable, Hashable {
    public internal(set) var problem: TrackProblem?
    public internal(set) var accountNumber: AccountNumber?
    public internal(set) var name = ""
    public internal(set) var expiry: ExpiryMonth?
    public internal(set) var serviceCode: String?
    public internal(set) var discretionary = ""
    let bytes: ArraySlice<UInt8>

    public init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        CryptogramBridge.read(&self)
    }

    public init(_ bytes: Bytes) {
        self.init(bytes[...])
    }
}

extension Track2: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String {
        "track 2 of \(accountNumber?.masked ?? "no account")" + (problem.map { ", \($0)" } ?? "")
    }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}

extension Track1: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String {
        "track 1 of \(accountNumber?.masked ?? "no account")" + (problem.map { ", \($0)" } ?? "")
    }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}

#if !hasFeature(Embedded)
/// Encodes the masked number.
extension AccountNumber: Encodable {
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(masked)
    }
}
#endif
