// SPDX-License-Identifier: Apache-2.0
/// A message of the user interface (Book A, Table 9-1).
public struct Message: RawRepresentable, Sendable, Hashable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The displayed text stays; the request carries only a status (Book C-7, 4.5.3.1).
    public static let unchanged = Message(rawValue: 0x00)
    public static let approved = Message(rawValue: 0x03)
    public static let notAuthorised = Message(rawValue: 0x07)
    public static let enterPIN = Message(rawValue: 0x09)
    public static let processingError = Message(rawValue: 0x0F)
    public static let removeCard = Message(rawValue: 0x10)
    public static let welcome = Message(rawValue: 0x14)
    public static let presentCard = Message(rawValue: 0x15)
    public static let processing = Message(rawValue: 0x16)
    public static let cardReadOK = Message(rawValue: 0x17)
    public static let insertOrSwipe = Message(rawValue: 0x18)
    public static let oneCardOnly = Message(rawValue: 0x19)
    public static let approvedSign = Message(rawValue: 0x1A)
    public static let authorising = Message(rawValue: 0x1B)
    public static let tryAnotherCard = Message(rawValue: 0x1C)
    public static let insertCard = Message(rawValue: 0x1D)
    public static let clearDisplay = Message(rawValue: 0x1E)
    public static let seePhone = Message(rawValue: 0x20)
    public static let presentAgain = Message(rawValue: 0x21)
}

extension Message: CustomStringConvertible {
    /// The identifier, two hex digits.
    public var description: String { Hex.string(CollectionOfOne(rawValue)) }
}

/// A request to show a message on a display (Book A, 7.1).
public struct UIRequest: Sendable, Hashable {
    public enum Status: Sendable, Hashable, CaseIterable {
        case notReady, idle, readyToRead, processing, cardRead, processingError, notApplicable
    }

    public enum Qualifier: Sendable, Hashable, CaseIterable {
        case amount, balance
    }

    public struct Value: Sendable, Hashable {
        public var qualifier: Qualifier
        /// Minor units.
        public var amount: UInt64
        /// ISO 4217 numeric code.
        public var currency: UInt16

        public init(qualifier: Qualifier, amount: UInt64, currency: UInt16) {
            self.qualifier = qualifier
            self.amount = amount
            self.currency = currency
        }
    }

    public var message: Message
    public var status: Status
    /// Minimum time for which the message is shown.
    public var hold: Duration
    public var value: Value?
    /// Language preference of the card (5F2D): up to four ISO 639 codes, for example `deen`; empty if unknown.
    public var language: String

    public init(message: Message, status: Status, hold: Duration = .zero, value: Value? = nil, language: String = "") {
        self.message = message
        self.status = status
        self.hold = hold
        self.value = value
        self.language = language
    }
}
