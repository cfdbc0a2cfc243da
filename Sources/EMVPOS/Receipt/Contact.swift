// SPDX-License-Identifier: Apache-2.0
extension ReceiptDelivery {
    /// A telephone number for a receipt, converted from typed text to `+493012345678` (E.164).
    public struct PhoneNumber: Sendable, Hashable, Codable, CustomStringConvertible {
        /// The region of a number without a country code.
        public struct Region: Sendable, Hashable {
            /// Digits without `+`.
            public var callingCode: String
            /// Dropped from the front of a national number; empty: nothing is dropped.
            public var trunkPrefix: String

            public init(callingCode: String, trunkPrefix: String) {
                self.callingCode = callingCode
                self.trunkPrefix = trunkPrefix
            }

            public static let germany = Region(callingCode: "49", trunkPrefix: "0")
            public static let france = Region(callingCode: "33", trunkPrefix: "0")
            public static let unitedKingdom = Region(callingCode: "44", trunkPrefix: "0")
            public static let netherlands = Region(callingCode: "31", trunkPrefix: "0")
            public static let spain = Region(callingCode: "34", trunkPrefix: "")
            /// The leading 0 belongs to the number.
            public static let italy = Region(callingCode: "39", trunkPrefix: "")
            public static let japan = Region(callingCode: "81", trunkPrefix: "0")
            public static let china = Region(callingCode: "86", trunkPrefix: "0")
            public static let northAmerica = Region(callingCode: "1", trunkPrefix: "1")
        }

        public let description: String

        /// Reads a number with or without country code, spaces, dashes, dots, brackets, `00` for `+`, `(0)` after the
        /// country code, wide digits.
        public init?(typed text: String, region: Region) {
            var plain = TypedText.plain(text)
            // +44 (0)20 …: the bracketed prefix is only for calls inside the country. In Italy it belongs to the
            // number.
            let isInternational = plain.contains("+") || plain.hasPrefix("00")
            let digits = plain.filter { $0.isNumber || $0 == "+" }
            let isItalian = digits.hasPrefix("+39") || digits.hasPrefix("0039")
            if isInternational, !isItalian { plain = plain.replacing("(0)", with: "") }
            var number = String(plain.filter { !" -./()\u{2010}\u{2011}\u{2012}\u{2013}\u{00A0}".contains($0) })
            if number.hasPrefix("tel:") { number.removeFirst(4) }
            if number.hasPrefix("00") { number = "+" + number.dropFirst(2) }
            if number.hasPrefix("+") {
                number.removeFirst()
                // +49 (0)30 …: the bracketed prefix is only for calls inside the country.
                let national = region.callingCode + region.trunkPrefix
                if plain.contains("(\(region.trunkPrefix))"), number.hasPrefix(national) {
                    number = region.callingCode + number.dropFirst(national.count)
                }
            } else {
                if !region.trunkPrefix.isEmpty, number.hasPrefix(region.trunkPrefix) {
                    number.removeFirst(region.trunkPrefix.count)
                }
                number = region.callingCode + number
            }
            guard (8...15).contains(number.utf8.count), number.first != "0",
                number.utf8.allSatisfy({ (0x30...0x39).contains($0) })
            else { return nil }
            description = "+" + number
        }
    }
}

extension ReceiptDelivery {
    /// A postal code as it is typed, in upper case and with single spaces.
    public struct PostalCode: Sendable, Hashable, Codable, CustomStringConvertible {
        public let description: String

        public init?(typed text: String) {
            let words = TypedText.plain(text).uppercased().split { $0.isWhitespace }
            let code = words.joined(separator: " ")
            guard (3...10).contains(code.count), code.contains(where: { $0.isNumber }),
                code.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == " " || $0 == "-") })
            else { return nil }
            description = code
        }

        private init(checked code: String) { description = code }

        /// A code of the United States: five digits, or nine of which the last four do not matter.
        public static func us(_ text: String) -> ReceiptDelivery.PostalCode? {
            let plain = TypedText.plain(text)
            let digits = plain.filter { !$0.isWhitespace && $0 != "-" }
            guard digits.count == 5 || digits.count == 9, digits.allSatisfy({ $0.isASCII && $0.isNumber }) else {
                return nil
            }
            return ReceiptDelivery.PostalCode(checked: String(digits.prefix(5)))
        }

        /// The first five digits of a code of the United States.
        public var zip5: String { String(description.prefix(5)) }
    }
}

extension ReceiptDelivery {
    /// An address for a receipt by e-mail.
    public struct EmailAddress: Sendable, Hashable, Codable, CustomStringConvertible {
        public let description: String

        /// Ignores spaces around the address, `mailto:`, wide characters and capitals in the domain.
        public init?(typed text: String) {
            var address = TypedText.plain(text).filter { !$0.isWhitespace }
            if address.lowercased().hasPrefix("mailto:") { address.removeFirst(7) }
            let parts = address.split(separator: "@", omittingEmptySubsequences: false)
            guard parts.count == 2, !parts[0].isEmpty, parts[0].count <= 64, address.count <= 254 else { return nil }
            let domain = parts[1].lowercased()
            let labels = domain.split(separator: ".", omittingEmptySubsequences: false)
            guard labels.count >= 2, labels.allSatisfy({ !$0.isEmpty && !$0.hasPrefix("-") && !$0.hasSuffix("-") }),
                domain.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "." || $0 == "-" }),
                parts[0].allSatisfy({ $0.isLetter || $0.isNumber || ".!#$%&'*+/=?^_`{|}~-".contains($0) })
            else { return nil }
            description = parts[0] + "@" + domain
        }
    }
}

/// Converts typographic variants that keyboards produce to plain characters.
enum TypedText {
    /// Converts full-width characters and spaces to their plain forms, and removes spaces at both ends.
    static func plain(_ text: String) -> String {
        let scalars = text.unicodeScalars.map { scalar -> Unicode.Scalar in
            switch scalar.value {
            case 0xFF01...0xFF5E: Unicode.Scalar(scalar.value - 0xFEE0) ?? scalar
            case 0x3000, 0x00A0, 0x202F: " "
            case 0x2212, 0x30FC: "-"
            case 0xFFE5: "¥"
            default: scalar
            }
        }
        let plain = String(String.UnicodeScalarView(scalars))
        var trimmed = plain.drop { $0.isWhitespace }
        while trimmed.last?.isWhitespace == true { trimmed.removeLast() }
        return String(trimmed)
    }
}
