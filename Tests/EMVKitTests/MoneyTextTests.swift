// SPDX-License-Identifier: Apache-2.0
@testable import EMVKit
import Foundation
import Testing

/// Amounts as a language and its region write them.
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

    /// Four digits stand together in Spain, Poland and Portugal; five are grouped everywhere.
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

    /// What is written can be typed again, in every language and style.
    @Test(arguments: Language.builtIn + ["de-CH", "fr-CH", "de-AT", "es-MX", "ar-MA"].map(Language.init(rawValue:)))
    func whatIsWrittenReadsAsTheSameAmount(_ language: Language) {
        for code in ["EUR", "USD", "JPY", "CHF", "PLN", "TRY", "BRL", "TWD", "DKK"] {
            for minorUnits: UInt64 in [0, 5, 1250, 99_999, 123_456, 123_456_789, 999_999_999_999] {
                for style in Money.CurrencyStyle.allCases {
                    let money = money(minorUnits, code)
                    let text = money.text(in: language, style: style)
                    #expect(Money(typed: text, currency: money.currency) == money, "\(shown(text))")
                }
            }
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
