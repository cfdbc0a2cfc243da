// SPDX-License-Identifier: Apache-2.0
/// A currency of ISO 4217.
public struct Currency: Sendable, Hashable {
    /// Three letters.
    public let code: String
    /// ISO 4217 numeric code, for example 978.
    public let numeric: UInt16
    /// Decimal digits, 0 to 4.
    public let exponent: UInt8

    public static let eur = Currency(code: "EUR", numeric: 978, exponent: 2)
    public static let usd = Currency(code: "USD", numeric: 840, exponent: 2)
    public static let gbp = Currency(code: "GBP", numeric: 826, exponent: 2)
    public static let jpy = Currency(code: "JPY", numeric: 392, exponent: 0)

    /// Creates a currency that the table lacks.
    public init(code: String, numeric: UInt16, exponent: UInt8) {
        self.code = code
        self.numeric = numeric
        self.exponent = exponent
    }

    /// Finds a currency by its three letters, upper or lower case.
    public init?(code: String) {
        let wanted = code.uppercased()
        guard let row = Currency.table.first(where: { $0.0 == wanted }) else { return nil }
        self.init(code: row.0, numeric: row.1, exponent: row.2)
    }

    public init?(numeric: UInt16) {
        guard let row = Currency.table.first(where: { $0.1 == numeric }) else { return nil }
        self.init(code: row.0, numeric: row.1, exponent: row.2)
    }

    /// Every currency of the table.
    public static var all: [Currency] {
        table.map { Currency(code: $0.0, numeric: $0.1, exponent: $0.2) }
    }

    private static let table: [(String, UInt16, UInt8)] = [
        ("AED", 784, 2), ("AFN", 971, 2), ("ALL", 8, 2), ("AMD", 51, 2), ("AOA", 973, 2), ("ARS", 32, 2),
        ("AUD", 36, 2), ("AWG", 533, 2), ("AZN", 944, 2), ("BAM", 977, 2), ("BBD", 52, 2), ("BDT", 50, 2),
        ("BGN", 975, 2), ("BHD", 48, 3), ("BIF", 108, 0), ("BMD", 60, 2), ("BND", 96, 2), ("BOB", 68, 2),
        ("BOV", 984, 2), ("BRL", 986, 2), ("BSD", 44, 2), ("BTN", 64, 2), ("BWP", 72, 2), ("BYN", 933, 2),
        ("BZD", 84, 2), ("CAD", 124, 2), ("CDF", 976, 2), ("CHE", 947, 2), ("CHF", 756, 2), ("CHW", 948, 2),
        ("CLF", 990, 4), ("CLP", 152, 0), ("CNY", 156, 2), ("COP", 170, 2), ("COU", 970, 2), ("CRC", 188, 2),
        ("CUC", 931, 2), ("CUP", 192, 2), ("CVE", 132, 2), ("CZK", 203, 2), ("DJF", 262, 0), ("DKK", 208, 2),
        ("DOP", 214, 2), ("DZD", 12, 2), ("EGP", 818, 2), ("ERN", 232, 2), ("ETB", 230, 2), ("EUR", 978, 2),
        ("FJD", 242, 2), ("FKP", 238, 2), ("GBP", 826, 2), ("GEL", 981, 2), ("GHS", 936, 2), ("GIP", 292, 2),
        ("GMD", 270, 2), ("GNF", 324, 0), ("GTQ", 320, 2), ("GYD", 328, 2), ("HKD", 344, 2), ("HNL", 340, 2),
        ("HRK", 191, 2), ("HTG", 332, 2), ("HUF", 348, 2), ("IDR", 360, 2), ("ILS", 376, 2), ("INR", 356, 2),
        ("IQD", 368, 3), ("IRR", 364, 2), ("ISK", 352, 0), ("JMD", 388, 2), ("JOD", 400, 3), ("JPY", 392, 0),
        ("KES", 404, 2), ("KGS", 417, 2), ("KHR", 116, 2), ("KMF", 174, 0), ("KPW", 408, 2), ("KRW", 410, 0),
        ("KWD", 414, 3), ("KYD", 136, 2), ("KZT", 398, 2), ("LAK", 418, 2), ("LBP", 422, 2), ("LKR", 144, 2),
        ("LRD", 430, 2), ("LSL", 426, 2), ("LYD", 434, 3), ("MAD", 504, 2), ("MDL", 498, 2), ("MGA", 969, 2),
        ("MKD", 807, 2), ("MMK", 104, 2), ("MNT", 496, 2), ("MOP", 446, 2), ("MRU", 929, 2), ("MUR", 480, 2),
        ("MVR", 462, 2), ("MWK", 454, 2), ("MXN", 484, 2), ("MXV", 979, 2), ("MYR", 458, 2), ("MZN", 943, 2),
        ("NAD", 516, 2), ("NGN", 566, 2), ("NIO", 558, 2), ("NOK", 578, 2), ("NPR", 524, 2), ("NZD", 554, 2),
        ("OMR", 512, 3), ("PAB", 590, 2), ("PEN", 604, 2), ("PGK", 598, 2), ("PHP", 608, 2), ("PKR", 586, 2),
        ("PLN", 985, 2), ("PYG", 600, 0), ("QAR", 634, 2), ("RON", 946, 2), ("RSD", 941, 2), ("RUB", 643, 2),
        ("RWF", 646, 0), ("SAR", 682, 2), ("SBD", 90, 2), ("SCR", 690, 2), ("SDG", 938, 2), ("SEK", 752, 2),
        ("SGD", 702, 2), ("SHP", 654, 2), ("SLE", 925, 2), ("SLL", 694, 2), ("SOS", 706, 2), ("SRD", 968, 2),
        ("SSP", 728, 2), ("STN", 930, 2), ("SVC", 222, 2), ("SYP", 760, 2), ("SZL", 748, 2), ("THB", 764, 2),
        ("TJS", 972, 2), ("TMT", 934, 2), ("TND", 788, 3), ("TOP", 776, 2), ("TRY", 949, 2), ("TTD", 780, 2),
        ("TWD", 901, 2), ("TZS", 834, 2), ("UAH", 980, 2), ("UGX", 800, 0), ("USD", 840, 2), ("USN", 997, 2),
        ("UYI", 940, 0), ("UYU", 858, 2), ("UYW", 927, 4), ("UZS", 860, 2), ("VED", 926, 2), ("VES", 928, 2),
        ("VND", 704, 0), ("VUV", 548, 0), ("WST", 882, 2), ("XAF", 950, 0), ("XCD", 951, 2), ("XCG", 532, 2),
        ("XOF", 952, 0), ("XPF", 953, 0), ("YER", 886, 2), ("ZAR", 710, 2), ("ZMW", 967, 2), ("ZWG", 924, 2),
        ("ZWL", 932, 2),
    ]
}

extension Currency: CustomStringConvertible {
    public var description: String { code }
}

/// An amount in minor units of a currency: 12.50 EUR is `Money(minorUnits: 1250, currency: .eur)`.
public struct Money: Sendable, Hashable {
    public var minorUnits: UInt64
    public var currency: Currency

    public init(minorUnits: UInt64, currency: Currency) {
        self.minorUnits = minorUnits
        self.currency = currency
    }

    /// Reads `12.50`: digits, and at most as many decimals as the currency has, after a point.
    public init?(_ text: String, currency: Currency) {
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        let decimals = parts.count == 2 ? parts[1] : ""
        guard let whole = parts.first, !whole.isEmpty, whole.utf8.count <= 12,
            parts.count == 1 || !decimals.isEmpty, decimals.utf8.count <= Int(currency.exponent),
            (whole + decimals).utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let digits = UInt64(whole + decimals)
        else { return nil }
        let amount = (decimals.utf8.count..<Int(currency.exponent)).reduce(digits) { number, _ in number * 10 }
        guard amount <= Money.maximum else { return nil }
        self.init(minorUnits: amount, currency: currency)
    }

    /// Twelve digits.
    package static let maximum: UInt64 = 999_999_999_999
}

extension Money: CustomStringConvertible {
    /// `12.50 EUR`.
    public var description: String {
        let places = Int(currency.exponent)
        var digits = String(minorUnits)
        guard places > 0 else { return digits + " " + currency.code }
        if digits.utf8.count <= places {
            digits = String(repeating: "0", count: places + 1 - digits.utf8.count) + digits
        }
        return digits.dropLast(places) + "." + digits.suffix(places) + " " + currency.code
    }
}

extension Transaction {
    /// Returns an amount in this currency; `nil` if the table lacks the currency.
    func money(_ minorUnits: UInt64) -> Money? {
        Currency(numeric: currency).map {
            Money(minorUnits: minorUnits, currency: Currency(code: $0.code, numeric: $0.numeric, exponent: exponent))
        }
    }
}

extension Money: Codable {}

#if !hasFeature(Embedded)
extension Currency: Codable {
    private enum Key: String, CodingKey {
        case code, numeric, exponent
    }

    /// Decodes three letters, or an object with `code`, `numeric` and `exponent` for a currency that the table lacks.
    public init(from decoder: any Decoder) throws {
        if let code = try? decoder.singleValueContainer().decode(String.self) {
            guard let currency = Currency(code: code) else {
                throw DecodingError.dataCorrupted(
                    .init(
                        codingPath: decoder.codingPath,
                        debugDescription: "expected a currency of ISO 4217, not \"\(code)\""))
            }
            self = currency
            return
        }
        let container = try decoder.container(keyedBy: Key.self)
        self.init(
            code: try container.decode(String.self, forKey: .code),
            numeric: try container.decode(UInt16.self, forKey: .numeric),
            exponent: try container.decode(UInt8.self, forKey: .exponent))
        guard exponent <= 4, numeric <= 999 else {
            throw DecodingError.dataCorruptedError(
                forKey: .exponent, in: container,
                debugDescription: "expected an exponent of 0 to 4 and a number of three digits")
        }
    }

    public func encode(to encoder: any Encoder) throws {
        if Currency(code: code) == self {
            var container = encoder.singleValueContainer()
            try container.encode(code)
        } else {
            var container = encoder.container(keyedBy: Key.self)
            try container.encode(code, forKey: .code)
            try container.encode(numeric, forKey: .numeric)
            try container.encode(exponent, forKey: .exponent)
        }
    }
}
#endif
