// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
@testable import EMVKernel
@testable import EMVKit
@testable import EMVPOS

/// Row I11: every prompt and every result has a spoken form, and every prompt a cue.
@Suite struct SpokenTextTests {
    @Test(arguments: Language.builtIn)
    func everyPromptHasASpokenFormAndACue(_ language: Language) {
        let total = Money(minorUnits: 1250, currency: .eur)
        for byte in UInt8.min...UInt8.max {
            for status in UIRequest.Status.allCases {
                var request = UIRequest(message: Message(rawValue: byte), status: status)
                request.language = ""
                let prompt = Prompt(
                    request, texts: TextCatalogue(language: language), payment: PaymentRequest(amount: total))
                #expect((prompt.spoken == nil) == (prompt.text == nil))
                guard let text = prompt.text, let spoken = prompt.spoken else { continue }
                #expect(spoken.hasPrefix(text.description) && spoken.hasSuffix(total.spoken(in: language)))
                #expect(prompt.cue != .none)
                let mayBeRemoved = [.cardReadOK, .removeCard].contains(prompt.message) || status == .cardRead
                // An alert asks for the removal of a card that was left from the previous payment.
                let isLeft = prompt.message == .removeCard && status == .notReady
                #expect(!mayBeRemoved || prompt.cue == (isLeft ? .alert : .cardRead))
            }
        }
        #expect(Prompt.Cue.allCases.filter(\.hasTone) == [.cardRead, .alert])
    }

    @Test(arguments: Language.builtIn)
    func everyResultHasASpokenForm(_ language: Language) {
        let texts = TextCatalogue(language: language)
        let total = Money(minorUnits: 1250, currency: .eur)
        for ending in Presentation.Ending.allCases {
            for problem in [nil] + Problem.Code.allCases.map({ Problem($0) }) {
                let presentation = Presentation(ending, problem: problem, total: total)
                let spoken = presentation.spoken(texts, in: language)
                let headline = texts.text(presentation.headline, in: language)?.description
                #expect(headline.map(spoken.hasPrefix) == true && spoken.contains(total.spoken(in: language)))
                if let detail = presentation.detail {
                    #expect(texts.text(detail, in: language).map { spoken.hasSuffix($0.description) } == true)
                }
            }
        }
    }

    @Test func anAppMayHaveSomethingElseSaid() throws {
        var texts = TextCatalogue()
        let key = TextKey.message(.enterPIN)
        texts[key.spoken, .english] = try PromptText("Enter your code on the keypad")
        #expect(texts.spoken(key, in: .english)?.description == "Enter your code on the keypad")
        #expect(texts.spoken(key, in: .german)?.description == "PIN eingeben")
        #expect(texts.spoken(key, in: Language(rawValue: "hu"))?.description == "Enter PIN")
        let total = Money(minorUnits: 100, currency: .eur)
        #expect(texts.spoken([key, .message(.welcome)], amount: total, in: .japanese).hasSuffix("、1ユーロ"))
        let arabic = texts.spoken([.message(.approved)], amount: total, in: .arabic)
        #expect(arabic == "تمت الموافقة، 1 يورو")
    }
}

/// Amounts in spoken form.
@Suite struct SpokenAmountTests {
    @Test(arguments: [
        ("en", 100, "EUR", "1 euro"), ("en", 1250, "EUR", "12.50 euros"), ("en", 123_456_700, "EUR", "1234567 euros"),
        ("en", 50, "EUR", "0.50 euros"), ("de", 1250, "EUR", "12,50 Euro"), ("de-CH", 1250, "CHF", "12.50 Franken"),
        ("fr", 150, "EUR", "1,50 euro"), ("fr", 200, "EUR", "2 euros"), ("es", 100, "MXN", "1 peso mexicano"),
        ("it", 200, "GBP", "2 sterline"), ("nl", 200, "EUR", "2 euro"), ("nl", 100, "GBP", "1 Brits pond"),
        ("nl", 200, "GBP", "2 Britse pond"), ("ja", 1234, "JPY", "1234円"),
        ("zh", 500, "CNY", "5元"), ("zh-TW", 500, "TWD", "5元"), ("pt", 150, "BRL", "1,50 reais"),
        ("pt-BR", 150, "BRL", "1,50 real"), ("pt-BR", 200, "BRL", "2 reais"), ("pl", 100, "PLN", "1 złoty"),
        ("pl", 200, "PLN", "2 złote"), ("pl", 500, "PLN", "5 złotych"), ("pl", 1200, "PLN", "12 złotych"),
        ("pl", 2200, "PLN", "22 złote"), ("pl", 250, "PLN", "2,50 złotego"), ("sv", 200, "SEK", "2 kronor"),
        ("nb", 100, "NOK", "1 krone"), ("da", 150, "DKK", "1,50 krone"), ("da", 250, "DKK", "2,50 kroner"),
        ("fi", 100, "EUR", "1 euro"), ("fi", 150, "EUR", "1,50 euroa"), ("cs", 200, "CZK", "2 koruny"),
        ("cs", 500, "CZK", "5 korun"), ("cs", 550, "CZK", "5,50 koruny"), ("tr", 500, "TRY", "5 lira"),
        ("ar", 300, "SAR", "3 ريالات"),
        ("ar", 1100, "SAR", "11 ريالًا"), ("ar", 10_000, "SAR", "100 ريال"),
        ("ar", 250, "SAR", "2.50 ريال"), ("de", 1234, "BHD", "1,234 BHD"), ("hu", 100, "EUR", "1 EUR"),
    ])
    func anAmountIsSpokenWithTheNameOfItsCurrency(_ tag: String, _ minorUnits: UInt64, _ code: String, _ text: String) {
        #expect(
            Money(minorUnits: minorUnits, currency: Currency(code: code)!).spoken(in: Language(rawValue: tag)) == text)
    }

    /// As many plural forms as the language's rule can select, or a single form for all.
    @Test(arguments: Language.builtIn)
    func everyLanguageNamesTheMainCurrenciesInEachForm(_ language: Language) throws {
        let names = try #require(CurrencyNames.names[language])
        for code in ["EUR", "USD", "GBP", "CHF", "JPY"] { #expect(names[code] != nil, "\(code)") }
        let rule = PluralRule.of(language)
        let asked = (0...200).flatMap { [rule.index(whole: $0, isWhole: true), rule.index(whole: $0, isWhole: false)] }
        for (code, forms) in names {
            #expect(Currency(code: code) != nil, "\(code)")
            #expect(forms.count == 1 || forms.count == Set(asked).count, "\(code)")
        }
    }
}
