// SPDX-License-Identifier: Apache-2.0
/// What screen readers and speech output say: whole texts in one language, amounts without separators of thousands,
/// which are heard as pauses.
extension Money {
    /// `1250,50 EUR` in German: digits, the decimal mark of the language, and the currency's letters, which speech
    /// output reads as its name.
    public func spoken(in language: Language) -> String {
        let mark = AmountText.decimal(11, exponent: 1, language: language).dropFirst().dropLast()
        let places = Int(currency.exponent)
        var digits = String(minorUnits)
        if digits.utf8.count <= places {
            digits = String(repeating: "0", count: places + 1 - digits.utf8.count) + digits
        }
        let whole = digits.dropLast(places)
        return whole + (places > 0 ? mark + digits.suffix(places) : "") + " " + currency.code
    }
}

extension Prompt {
    /// For speech output: text, total and note; `nil` where nothing is shown.
    public var spoken: String? {
        guard let text else { return nil }
        return Spoken.joined([text.description, total?.spoken(in: language), note?.description], language)
    }
}

extension Presentation {
    /// For speech output, in the order of the screen: headline, total, what exactly is wrong.
    ///
    /// - Parameter language: `nil`: the POS's own.
    public func spoken(_ texts: TextCatalogue = TextCatalogue(), in language: Language? = nil) -> String {
        let language = language ?? texts.language
        return Spoken.joined(
            [
                texts.text(headline, in: language)?.description, total?.spoken(in: language),
                hostMessage?.description ?? detail.flatMap { texts.text($0, in: language)?.description },
            ], language)
    }
}

enum Spoken {
    static func joined(_ parts: [String?], _ language: Language) -> String {
        let comma =
            switch language {
            case .japanese: "、"
            case .chinese: "，"
            default: ", "
            }
        return parts.compactMap { $0 }.joined(separator: comma)
    }
}
