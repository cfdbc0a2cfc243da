// SPDX-License-Identifier: Apache-2.0
/// How amounts are written in a language, and in a region if it differs: always with Western digits, following the
/// conventions of CLDR, but not compared with its data.
///
/// | tag | example | |
/// |---|---|---|
/// | `en`, `ja`, `zh`, `zh-Hant`, `ar` | `1,234.50 EUR` | all others that are not named here, too |
/// | `en-IN` | `12,34,567.50 INR` | |
/// | `de`, `it`, `nl`, `da`, `tr` | `1.234,50 EUR` | |
/// | `es`, `pt`, `pl` | `1234,50 EUR` | groups from five digits on; `pt` and `pl` with a space |
/// | `es-MX`, `es-US`, `es-419` | `1,234.50 MXN` | |
/// | `pt-BR` | `BRL 1.234,50` | code first |
/// | `fr`, `sv`, `nb`, `fi`, `cs`, `de-AT` | `1 234,50 EUR` | the space is narrow in French |
/// | `de-CH`, `it-CH`, `de-LI` | `CHF 1’234.50` | code first |
/// | `fr-CH` | `1 234.50 CHF` | |
/// | `ar-DZ`, `ar-LY`, `ar-MA`, `ar-TN` | `1.234,50 MAD` | |
struct MoneyFormat: Sendable, Hashable {
    var decimal = "."
    var group = ","
    /// Minimum number of digits before the decimal mark for grouping.
    var groupsFrom = 4
    /// The second group and all others: three digits, or two in India.
    var laterGroup = 3
    /// True if the code or the sign precedes the number.
    var isCodeFirst = false
    var isSignFirst = true
    /// True if there is no space between a sign, such as €, and the number.
    var isSignClose = true

    static let space = "\u{A0}"

    private static func comma(_ group: String, from: Int = 4) -> MoneyFormat {
        MoneyFormat(decimal: ",", group: group, groupsFrom: from, isSignFirst: false, isSignClose: false)
    }

    private static let swiss = MoneyFormat(group: "’", isCodeFirst: true, isSignClose: false)
    private static let indian = MoneyFormat(laterGroup: 2)

    private static let formats: [Language: MoneyFormat] = {
        var formats: [Language: MoneyFormat] = [
            .english: MoneyFormat(), .japanese: MoneyFormat(), .chinese: MoneyFormat(),
            .traditionalChinese: MoneyFormat(), .arabic: MoneyFormat(isSignFirst: false, isSignClose: false),
            .german: comma("."), .italian: comma("."), .danish: comma("."), .spanish: comma(".", from: 5),
            .french: comma("\u{202F}"), .swedish: comma(space), .norwegian: comma(space), .finnish: comma(space),
            .czech: comma(space), .polish: comma(space, from: 5), .portuguese: comma(space, from: 5),
            .dutch: MoneyFormat(decimal: ",", group: ".", isSignClose: false),
            .turkish: MoneyFormat(decimal: ",", group: "."),
            .brazilianPortuguese: MoneyFormat(decimal: ",", group: ".", isCodeFirst: true, isSignClose: false),
        ]
        let regions: [(String, MoneyFormat)] = [
            ("de-CH", swiss), ("it-CH", swiss), ("de-LI", swiss),
            ("fr-CH", MoneyFormat(group: "\u{202F}", isSignFirst: false, isSignClose: false)),
            ("de-AT", MoneyFormat(decimal: ",", group: space, isSignClose: false)),
            ("en-IN", indian), ("es-MX", MoneyFormat()), ("es-US", MoneyFormat()), ("es-419", MoneyFormat()),
        ]
        for (tag, format) in regions { formats[Language(rawValue: tag)] = format }
        for region in ["DZ", "LY", "MA", "TN"] { formats[Language(rawValue: "ar-" + region)] = comma(".") }
        return formats
    }()

    static func of(_ language: Language) -> MoneyFormat {
        language.fallbacks.lazy.compactMap { formats[$0] }.first ?? MoneyFormat()
    }

    /// True if amounts in this language are written differently in this region.
    static func differs(_ language: Language) -> Bool { formats[language] != nil }

    func number(_ minorUnits: Int64, exponent: UInt8, isGrouped: Bool = true) -> String {
        var digits = String(minorUnits.magnitude)
        let places = Int(exponent)
        if digits.utf8.count <= places {
            digits = String(repeating: "0", count: places + 1 - digits.utf8.count) + digits
        }
        var whole = Array(digits.dropLast(places))
        if isGrouped, whole.count >= groupsFrom {
            var at = whole.count - 3
            while at > 0 {
                whole.insert(contentsOf: Array(group), at: at)
                at -= laterGroup
            }
        }
        return (minorUnits < 0 ? "-" : "") + String(whole) + (places > 0 ? decimal + digits.suffix(places) : "")
    }
}

extension Money {
    /// How the currency is written.
    public enum CurrencyStyle: Sendable, Hashable, CaseIterable {
        /// The letters of ISO 4217: `1.234,50 EUR`.
        case code
        /// The sign, if the currency has its own sign in that language, otherwise the letters: `1.234,50 €`.
        case sign
    }

    /// The amount as people of a language, and of its region, write it: `1.234,50 EUR` for `de`, `CHF 1’234.50` for
    /// `de-CH`.
    ///
    /// Digits are 0 to 9 in every language. Spaces are non-breaking (U+00A0, U+202F). In a language that is written
    /// from right to left the amount is enclosed in an isolate (U+2066 to U+2069), so that text around it does not move
    /// its parts.
    public func text(in language: Language, style: CurrencyStyle) -> String {
        let format = MoneyFormat.of(language)
        let number = format.number(Int64(clamping: minorUnits), exponent: currency.exponent)
        let sign = style == .sign ? CurrencySign.of(currency.code, language) : nil
        let isFirst = sign == nil ? format.isCodeFirst : format.isSignFirst
        let gap = sign.map { format.isSignClose && $0.last?.isLetter == false } == true ? "" : MoneyFormat.space
        let name = sign ?? currency.code
        return TextDirection.isolated(isFirst ? name + gap + number : number + gap + name, in: language)
    }
}

/// Signs of currencies. A sign that several currencies share is used only for the currency of the region.
enum CurrencySign {
    static let all: [String: [String]] = [
        "EUR": ["€"], "USD": ["US$", "$"], "GBP": ["£"], "JPY": ["JP¥", "¥", "￥"], "CNY": ["CN¥", "¥", "￥"],
        "INR": ["₹"], "KRW": ["₩"], "PLN": ["zł"], "SEK": ["kr"], "NOK": ["kr"], "DKK": ["kr."], "CZK": ["Kč"],
        "TRY": ["₺"], "BRL": ["R$"], "TWD": ["NT$", "$"], "HKD": ["HK$"], "CAD": ["CA$"], "AUD": ["A$"],
        "MXN": ["MX$"],
    ]

    /// Languages in which a shared sign needs no country before it.
    private static let home: [String: Set<Language>] = [
        "USD": [.english], "JPY": [.japanese], "CNY": [.chinese], "TWD": [.traditionalChinese], "SEK": [.swedish],
        "NOK": [.norwegian], "DKK": [.danish],
    ]

    static func of(_ code: String, _ language: Language) -> String? {
        guard let signs = all[code] else { return nil }
        guard let home = home[code] else { return signs[0] }
        let isHome = language.fallbacks.contains(where: home.contains)
        if isHome { return signs.count > 1 ? signs[1] : signs[0] }
        return signs.count > 1 ? signs[0] : nil
    }
}
