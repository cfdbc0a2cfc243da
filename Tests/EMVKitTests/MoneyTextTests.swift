// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
@testable import EMVKernel
@testable import EMVKit
@testable import EMVPOS

/// Amounts in the notation of a language and its region.
@Suite struct MoneyTextTests {
    /// Spaces as `_`, narrow ones as `~`, isolates as `<` and `>`.
    private func shown(_ text: String) -> String {
        [("\u{A0}", "_"), ("\u{202F}", "~"), ("\u{2066}", "<"), ("\u{2069}", ">")].reduce(text) {
            $0.replacingOccurrences(of: $1.0, with: $1.1)
        }
    }

    private func money(_ minorUnits: UInt64, _ code: String) -> Money {
        Money(minorUnits: minorUnits, currency: Currency(code: code)!)
    }

    @Test(arguments: [
        ("en", "1,234,567.89_EUR", "€1,234,567.89"), ("de", "1.234.567,89_EUR", "1.234.567,89_€"),
        ("fr", "1~234~567,89_EUR", "1~234~567,89_€"), ("es", "1.234.567,89_EUR", "1.234.567,89_€"),
        ("it", "1.234.567,89_EUR", "1.234.567,89_€"), ("nl", "1.234.567,89_EUR", "€_1.234.567,89"),
        ("ja", "1,234,567.89_EUR", "€1,234,567.89"), ("zh", "1,234,567.89_EUR", "€1,234,567.89"),
        ("pt", "1_234_567,89_EUR", "1_234_567,89_€"), ("pt-BR", "EUR_1.234.567,89", "€_1.234.567,89"),
        ("pl", "1_234_567,89_EUR", "1_234_567,89_€"), ("sv", "1_234_567,89_EUR", "1_234_567,89_€"),
        ("nb", "1_234_567,89_EUR", "1_234_567,89_€"), ("da", "1.234.567,89_EUR", "1.234.567,89_€"),
        ("fi", "1_234_567,89_EUR", "1_234_567,89_€"), ("cs", "1_234_567,89_EUR", "1_234_567,89_€"),
        ("tr", "1.234.567,89_EUR", "€1.234.567,89"), ("ar", "<1,234,567.89_EUR>", "<1,234,567.89_€>"),
        ("zh-Hant-TW", "1,234,567.89_EUR", "€1,234,567.89"),
        ("de-CH", "EUR_1’234’567.89", "€_1’234’567.89"),
        ("it-CH", "EUR_1’234’567.89", "€_1’234’567.89"), ("fr-CH", "1~234~567.89_EUR", "1~234~567.89_€"),
        ("de-AT", "1_234_567,89_EUR", "€_1_234_567,89"), ("en-IN", "12,34,567.89_EUR", "€12,34,567.89"),
        ("es-MX", "1,234,567.89_EUR", "€1,234,567.89"), ("ar-MA", "<1.234.567,89_EUR>", "<1.234.567,89_€>"),
        ("hu", "1,234,567.89_EUR", "€1,234,567.89"),
    ])
    func anAmountIsWrittenAsInItsLanguageAndRegion(_ tag: String, _ code: String, _ sign: String) {
        let language = Language(rawValue: tag)
        #expect(shown(money(123_456_789, "EUR").text(in: language)) == code)
        #expect(shown(money(123_456_789, "EUR").text(in: language, style: .sign)) == sign)
    }

    @Test(arguments: [
        ("es", "1234,56_EUR"), ("pl", "1234,56_EUR"), ("pt", "1234,56_EUR"), ("de", "1.234,56_EUR"),
        ("es-MX", "1,234.56_EUR"),
    ])
    func fourDigitsStayTogetherWhereTheyDo(_ tag: String, _ text: String) {
        #expect(shown(money(123_456, "EUR").text(in: Language(rawValue: tag))) == text)
    }

    @Test func aSharedSignIsUsedOnlyAtHome() {
        #expect(money(100, "USD").text(in: .english, style: .sign) == "$1.00")
        #expect(shown(money(100, "USD").text(in: .german, style: .sign)) == "1,00_US$")
        #expect(money(100, "TWD").text(in: .traditionalChinese, style: .sign) == "$1.00")
        #expect(shown(money(100, "DKK").text(in: .danish, style: .sign)) == "1,00_kr.")
        #expect(shown(money(100, "DKK").text(in: .norwegian, style: .sign)) == "1,00_DKK")
        #expect(shown(money(100, "BRL").text(in: .brazilianPortuguese, style: .sign)) == "R$_1,00")
        #expect(shown(money(100, "CHF").text(in: Language(rawValue: "de-CH"), style: .sign)) == "CHF_1.00")
        #expect(money(100, "TRY").text(in: .turkish, style: .sign) == "₺1,00")
    }

    /// Four digits are not grouped in Spain, Poland and Portugal; five are grouped everywhere.
    @Test func aGroupBeginsWhereTheLanguageBeginsIt() {
        for (tag, four, five) in [
            ("es", "1234,56_EUR", "12.345,67_EUR"), ("pl", "1234,56_EUR", "12_345,67_EUR"),
            ("pt", "1234,56_EUR", "12_345,67_EUR"), ("de", "1.234,56_EUR", "12.345,67_EUR"),
            ("fi", "1_234,56_EUR", "12_345,67_EUR"), ("en", "1,234.56_EUR", "12,345.67_EUR"),
        ] {
            let language = Language(rawValue: tag)
            #expect(shown(money(123_456, "EUR").text(in: language)) == four, "\(tag)")
            #expect(shown(money(1_234_567, "EUR").text(in: language)) == five, "\(tag)")
        }
    }

    /// Languages with texts, and every region that writes amounts differently.
    private static let languages =
        Language.builtIn
        + [
            "en-IN", "de-CH", "it-CH", "de-LI", "fr-CH", "de-AT", "es-MX", "es-US", "es-419", "ar-DZ", "ar-LY", "ar-MA",
            "ar-TN", "hu",
        ].map(Language.init(rawValue:))

    @Test("P11: what is written can be typed again, in every language, currency and style", arguments: languages)
    func whatIsWrittenReadsAsTheSameAmount(_ language: Language) {
        let few: [UInt64] = [0, 5, 1250, 123_456, 123_456_789]
        var many = few + [50, 99_999]
        var power: UInt64 = 1
        while power <= 100_000_000_000 {
            many += [power, 7 * power, 10 * power - 1]
            power *= 10
        }
        for currency in Currency.all {
            // One currency for each number of decimals.
            for minorUnits in ["EUR", "JPY", "BHD", "CLF"].contains(currency.code) ? many : few {
                for style in Money.CurrencyStyle.allCases {
                    let money = Money(minorUnits: minorUnits, currency: currency)
                    let text = money.text(in: language, style: style)
                    let typed = Money(typed: text, currency: currency, language: language)
                    if typed != money { Issue.record("\(shown(text)): \(String(describing: typed))") }
                    // Without a language only three decimals, which may be a group, are ambiguous.
                    if currency.exponent != 3, language.rawValue != "en-IN" {
                        let typed = Money(typed: text, currency: currency)
                        if typed != money { Issue.record("\(shown(text)): \(String(describing: typed))") }
                    }
                }
            }
        }
    }

    @Test("P11: an Indian amount has its groups, and no others")
    func indianGroupsAreRead() {
        func typed(_ text: String, _ language: String? = "en-IN") -> UInt64? {
            Money(typed: text, currency: Currency(code: "INR")!, language: language.map(Language.init(rawValue:)))?
                .minorUnits
        }
        #expect(typed("1,00,000.00") == 10_000_000 && typed("₹12,34,567.50") == 123_456_750)
        #expect(typed("12,34,567") == 123_456_700 && typed("100,000.00") == 10_000_000)
        #expect(typed("1,00,00") == nil && typed("123,45,678") == nil && typed("1,000,00.00") == nil)
        #expect(typed("1,00,000.00", "en") == nil && typed("1,00,000.00", nil) == nil)
    }

    @Test("P11: digits of every script are digits, with the Arabic marks")
    func digitsOfEveryScriptAreRead() {
        let zeros = (0...0x10FFFF).compactMap { Unicode.Scalar(UInt32($0)) }.filter {
            $0.properties.generalCategory == .decimalNumber && $0.properties.numericValue == 0
        }
        #expect(zeros.count > 50)
        for zero in zeros {
            func own(_ text: String) -> String {
                String(
                    String.UnicodeScalarView(
                        text.unicodeScalars.map { scalar in
                            ("0"..."9").contains(scalar) ? Unicode.Scalar(zero.value + scalar.value - 0x30)! : scalar
                        }))
            }
            #expect(Money(typed: own("1,234.56"), currency: .eur)?.minorUnits == 123_456, "\(zero)")
            #expect(Money(typed: own("1\u{66C}234\u{66B}56"), currency: .eur)?.minorUnits == 123_456, "\(zero)")
            #expect(Money(typed: own("78"), currency: .eur)?.minorUnits == 7_800, "\(zero)")
        }
        for (text, minorUnits) in [
            ("١٬٢٣٤", 123_400), ("١٢٫٥", 1_250), ("٫٥٠", 50),
            ("١,٢٣٤٫٥٠", 123_450), ("١٬٢٣٤٬٥٦٧", 123_456_700),
        ] {
            #expect(Money(typed: text, currency: .eur, language: .arabic)?.minorUnits == UInt64(minorUnits), "\(text)")
            #expect(Money(typed: text, currency: .eur)?.minorUnits == UInt64(minorUnits), "\(text)")
        }
        for text in ["٫", "١٫٢٫٣", "١٫٢٣٤", "١.٢,٣٫٤", "١٫٢.٣", "١٫", "½", "一", "²"] {
            #expect(Money(typed: text, currency: .eur, language: .arabic) == nil, "\(text)")
        }
    }

    @Test("P11: an amount below one, and the signs that people type")
    func shortFormsAreRead() {
        for (text, code, minorUnits) in [
            (".50", "EUR", 50), (",5", "EUR", 50), ("$.99", "USD", 99), (".500", "BHD", 500), ("50 kr", "DKK", 5_000),
            ("50 kr.", "DKK", 5_000), ("Kr 50,00", "NOK", 5_000), ("50 KR", "SEK", 5_000), ("50 kr", "ISK", 50),
            ("$50", "MXN", 5_000), ("A$50", "AUD", 5_000), ("Eur 50", "EUR", 5_000), ("50 ZŁ", "PLN", 5_000),
        ] {
            let money = Money(typed: text, currency: Currency(code: code)!, language: .english)
            #expect(
                (money?.minorUnits ?? Money(typed: text, currency: Currency(code: code)!)?.minorUnits)
                    == UInt64(minorUnits), "\(text)")
        }
        for text in [".", ",", ".5.0", ".500", "kr", "50 kr", "--.5"] {
            #expect(Money(typed: text, currency: .eur) == nil, "\(text)")
        }
    }

    /// EMV Book 4, 11.1, names no region: amounts at a POS in Switzerland are Swiss in all its languages.
    @Test func aCardsLanguageIsGivenTheRegionOfThePOSWhereAmountsDiffer() {
        func chosen(_ card: String, at own: String) -> String {
            TextCatalogue(language: Language(rawValue: own)).language(preferred: card).rawValue
        }
        #expect(chosen("fr", at: "de-CH") == "fr-CH")
        #expect(chosen("it", at: "de-CH") == "it-CH")
        #expect(chosen("en", at: "de-CH") == "en")
        #expect(chosen("fr", at: "de-DE") == "fr")
    }
}
