// SPDX-License-Identifier: Apache-2.0
extension Money {
    /// The amount as people of a language write it, with the currency's letters: `1.234,50 EUR` in German.
    public func text(in language: Language) -> String { text(in: language, style: .code) }

    /// Reads what people type: with or without the currency, either decimal mark, separators of thousands, spaces.
    ///
    /// Three digits after a single mark may be a group or a slip: `12.505` in EUR is 12,505 or 12.50 with a digit too
    /// many. Only the language tells, or a currency without decimals. `nil` where two readings are left, or none.
    ///
    /// - Parameter language: of the person who types, whose marks then decide; `nil`: not known.
    public init?(typed text: String, currency: Currency, language: Language? = nil) {
        var digits = TypedText.plain(TextDirection.unmarked(text))
        digits.removeAll { $0.isWhitespace || $0 == "'" || $0 == "’" }
        for name in [currency.code, currency.code.lowercased()] where digits.hasPrefix(name) {
            digits.removeFirst(name.count)
        }
        for name in [currency.code, currency.code.lowercased()] where digits.hasSuffix(name) {
            digits.removeLast(name.count)
        }
        for sign in CurrencySign.all[currency.code] ?? [] {
            if digits.hasPrefix(sign) { digits.removeFirst(sign.count) }
            if digits.hasSuffix(sign) { digits.removeLast(sign.count) }
        }
        guard let plain = AmountText.plain(digits, exponent: Int(currency.exponent), language: language) else {
            return nil
        }
        self.init(plain, currency: currency)
    }
}

/// Digits and their separators.
enum AmountText {
    /// To digits with at most one point.
    static func plain(_ text: String, exponent: Int, language: Language? = nil) -> String? {
        let marks = text.filter { $0 == "." || $0 == "," }
        guard let last = marks.last else { return text }
        let parts = text.split(separator: last, omittingEmptySubsequences: false)
        if Set(marks).count == 2 {
            // The last mark is the decimal one, and stands once; the other separates thousands.
            let other: Character = last == "." ? "," : "."
            guard parts.count == 2, !parts[1].contains(other) else { return nil }
            return grouped(parts[0].split(separator: other, omittingEmptySubsequences: false)).map {
                $0 + "." + parts[1]
            }
        }
        if parts.count > 2 { return grouped(parts) }
        if parts[1].count == 3 {
            if exponent == 0 { return grouped(parts) }
            guard let language else { return nil }
            guard String(last) == MoneyFormat.of(language).decimal else { return grouped(parts) }
            if exponent != 3 { return nil }
        }
        return parts[0] + "." + parts[1]
    }

    private static func grouped(_ parts: [Substring]) -> String? {
        guard let first = parts.first, (1...3).contains(first.count), first != "0",
            parts.dropFirst().allSatisfy({ $0.count == 3 })
        else { return nil }
        return parts.joined()
    }
}
