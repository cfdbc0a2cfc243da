// SPDX-License-Identifier: Apache-2.0
extension Money {
    /// The amount as it is written in a language, with the currency's letters: `1.234,50 EUR` in German.
    public func text(in language: Language) -> String { text(in: language, style: .code) }

    /// Reads typed amounts: with or without the currency, with either decimal mark, thousands separators, spaces,
    /// digits of any script with the Arabic marks (U+066B, U+066C), and `.50`. The output of ``text(in:style:)`` is
    /// always read as the original amount if its language is given.
    ///
    /// Three digits after a single mark may be a group or a typing error: `12.505` in EUR is 12,505, or 12.50 with one
    /// digit too many. The language decides, or a currency without decimals. Returns `nil` if two readings remain, or
    /// no reading.
    ///
    /// - Parameter language: the language of the person who types, whose decimal mark and separator apply; `nil`: not
    ///   known.
    public init?(typed text: String, currency: Currency, language: Language? = nil) {
        var amount = AmountText.westernDigits(TypedText.plain(TextDirection.unmarked(text)))
        amount.removeAll { $0.isWhitespace || $0 == "'" || $0 == "’" || $0 == "\u{66C}" }
        amount = CurrencySign.removed(currency.code, from: amount)
        guard let plain = AmountText.plain(amount, exponent: Int(currency.exponent), language: language) else {
            return nil
        }
        self.init(plain, currency: currency)
    }
}

extension CurrencySign {
    /// Removes the currency's letters or sign, in either case, at one end or both.
    fileprivate static func removed(_ code: String, from text: String) -> String {
        // The longest name first: "kr." before "kr", "US$" before "$".
        var names = [code] + (all[code] ?? []) + (code == "ISK" ? ["kr", "kr."] : [])
        for sign in all[code] ?? [] {
            if sign.last == "." { names.append(String(sign.dropLast())) }
            if sign.count > 1, let symbol = sign.last, symbol.isCurrencySymbol { names.append(String(symbol)) }
        }
        names.sort { $0.count > $1.count }
        var rest = text[...]
        if let name = names.first(where: { rest.prefix($0.count).lowercased() == $0.lowercased() }) {
            rest = rest.dropFirst(name.count)
        }
        if let name = names.first(where: { rest.suffix($0.count).lowercased() == $0.lowercased() }) {
            rest = rest.dropLast(name.count)
        }
        return String(rest)
    }
}

/// Reads digits and their separators.
enum AmountText {
    /// Converts decimal digits of every script (general category Nd) to 0 to 9.
    static func westernDigits(_ text: String) -> String {
        var western = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            guard scalar.properties.generalCategory == .decimalNumber, let value = scalar.properties.numericValue,
                let digit = Unicode.Scalar(0x30 + UInt32(value))
            else {
                western.append(scalar)
                continue
            }
            western.append(digit)
        }
        return String(western)
    }

    /// Returns digits with at most one point, and at least one digit on each side of it.
    static func plain(_ text: String, exponent: Int, language: Language? = nil) -> String? {
        let laterGroup = language.map { MoneyFormat.of($0).laterGroup } ?? 3
        // U+066B is a decimal mark in every language.
        let arabic = text.split(separator: "\u{66B}", omittingEmptySubsequences: false)
        if arabic.count == 2 {
            guard let whole = whole(arabic[0], laterGroup) else { return nil }
            return joined(whole, arabic[1])
        }
        let marks = text.filter { $0 == "." || $0 == "," }
        guard let last = marks.last else { return text }
        let parts = text.split(separator: last, omittingEmptySubsequences: false)
        if Set(marks).count == 2 {
            // The last mark is the decimal mark and occurs once; the other mark separates thousands.
            guard parts.count == 2, let whole = whole(parts[0], laterGroup) else { return nil }
            return joined(whole, parts[1])
        }
        if parts.count > 2 { return grouped(parts, laterGroup) }
        if parts[1].count == 3 {
            if exponent == 0 { return grouped(parts, laterGroup) }
            guard let language else { return nil }
            guard String(last) == MoneyFormat.of(language).decimal else { return grouped(parts, laterGroup) }
            if exponent != 3 { return nil }
        }
        return joined(String(parts[0]), parts[1])
    }

    private static func joined(_ whole: String, _ decimals: Substring) -> String {
        (whole.isEmpty ? "0" : whole) + "." + decimals
    }

    /// Digits before a decimal mark, grouped by one kind of mark or ungrouped.
    private static func whole(_ text: Substring, _ laterGroup: Int) -> String? {
        guard let mark = text.first(where: { $0 == "." || $0 == "," }) else { return String(text) }
        return grouped(text.split(separator: mark, omittingEmptySubsequences: false), laterGroup)
    }

    /// Groups of three digits; in India only the last one has three, and the others have two.
    private static func grouped(_ parts: [Substring], _ laterGroup: Int) -> String? {
        guard let first = parts.first, let last = parts.last, parts.count > 1, first != "0", last.count == 3 else {
            return nil
        }
        let middle = parts.dropFirst().dropLast()
        guard
            [3, laterGroup].contains(where: { size in
                (1...size).contains(first.count) && middle.allSatisfy { $0.count == size }
            })
        else { return nil }
        return parts.joined()
    }
}
