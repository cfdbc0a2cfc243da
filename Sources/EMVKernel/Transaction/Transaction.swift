// SPDX-License-Identifier: Apache-2.0
/// Tag 9C.
public struct TransactionType: RawRepresentable, Sendable, Hashable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let purchase = TransactionType(rawValue: 0x00)
    public static let cash = TransactionType(rawValue: 0x01)
    public static let cashBack = TransactionType(rawValue: 0x09)
    public static let refund = TransactionType(rawValue: 0x20)
}

extension TransactionType: CustomStringConvertible {
    public var description: String { Hex.string(CollectionOfOne(rawValue)) }
}

/// Where unpredictable numbers come from.
public enum RandomSource: Sendable, Hashable {
    /// The system's generator.
    case system
    /// A byte stream, read four bytes at a time and in order. When it runs out, the session asks for more; it never
    /// makes up bytes.
    case fixed(Bytes)
}

/// One payment, as the kernel sees it.
public struct Transaction: Sendable, Hashable {
    public var type: TransactionType
    /// Minor units, up to 12 digits.
    public var amount: UInt64
    /// Cash back, in minor units.
    public var amountOther: UInt64 = 0
    /// ISO 4217 numeric code, for example 978.
    public var currency: UInt16
    /// Decimal digits of the currency, 0 to 4.
    public var exponent: UInt8
    public var date: CalendarDate
    public var time: TimeOfDay
    /// Tag 9F41, up to 8 digits.
    public var counter: UInt32
    public var random: RandomSource
    /// Further data objects of the terminal for this transaction.
    public var data: DataObjects = [:]
    /// Offset of local time from UTC in minutes, −840 to 840; positive if ahead. Only Kernel 8 uses it, because its
    /// certificates have dates in UTC (Book C-8, B.1 and B.2).
    public var utcOffset: Int = 0
    /// Application identifiers of 5 to 16 bytes that take precedence over the card's own order, the first before the
    /// second. Those that the card lacks are skipped.
    public var preferredApplications: [Bytes] = []
    /// Autorun: begins at Start B; indicators are zero and the TTQ is as configured.
    public var startsAtB: Bool = false
    /// `false`: the host cannot be reached now, and the reader knows it. Kernel 4 informs the card and makes no online
    /// request (Book C-4, 4.3.1.3, 10.2.1 and 11.2.6.2.2); the other kernels decide as always.
    public var onlineAvailable: Bool = true
    /// How long the session waits for an amount, which it then asks for after each final SELECT
    /// (``Question/Kind-swift.enum/amount``); `nil`: it does not ask.
    public var amountDeadline: Duration?

    public init(
        type: TransactionType = .purchase, amount: UInt64, currency: UInt16, exponent: UInt8 = 2, date: CalendarDate,
        time: TimeOfDay = .midnight, counter: UInt32 = 1, random: RandomSource = .system
    ) {
        self.type = type
        self.amount = amount
        self.currency = currency
        self.exponent = exponent
        self.date = date
        self.time = time
        self.counter = counter
        self.random = random
    }
}
