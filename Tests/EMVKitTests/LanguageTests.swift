// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
@testable import EMVKernel
@testable import EMVKit
@testable import EMVPOS

/// BCP 47 tags (RFC 5646, RFC 4647) and their fallbacks.
@Suite struct LanguageTests {
    private func language(_ tag: String) -> Language { Language(rawValue: tag) }

    @Test(arguments: [
        ("DE", "de"), ("de_CH.UTF-8", "de-CH"), ("ca_ES@valencia", "ca-ES"), ("zh-hANT-tw", "zh-Hant-TW"),
        ("PT-br", "pt-BR"), ("es-419", "es-419"), ("de-1901", "de-1901"), ("en-US-u-CA-gregory", "en-US-u-ca-gregory"),
        ("C", "c"), ("", ""), ("sl-rozaj-biske", "sl-rozaj-biske"),
    ])
    func aTagIsKeptInItsUsualCase(_ written: String, _ canonical: String) throws {
        #expect(language(written).rawValue == canonical)
        let json = try JSONEncoder().encode([written])
        #expect(try JSONDecoder().decode([Language].self, from: json) == [language(canonical)])
    }

    /// A script has four letters; variants, which are longer or contain a digit, are skipped.
    @Test func thePartsOfATagAreToldApart() {
        for (text, script, region) in [
            ("sl-rozaj", nil, nil), ("sl-rozaj-IT", nil, "IT"), ("de-1901-DE", nil, "DE"), ("zh-Hant-TW", "Hant", "TW"),
            ("es-419", nil, "419"), ("sr-Latn", "Latn", nil), ("de-DE-1901", nil, "DE"), ("abc-def", nil, nil),
        ] as [(String, String?, String?)] {
            let tag = LanguageTag(text)
            #expect(tag.script == script && tag.region == region, "\(text)")
        }
    }

    @Test(arguments: [
        ("de", ["de"]), ("de-CH", ["de-CH", "de"]),
        (
            "de-Latn-CH-1996",
            [
                "de-Latn-CH-1996", "de-Latn-CH", "de-Latn",
                "de-CH", "de",
            ]
        ),
        ("pt-BR", ["pt-BR", "pt"]), ("pt-AO", ["pt-AO", "pt"]), ("nb", ["nb", "no"]), ("no", ["no", "nb"]),
        ("nn-NO", ["nn-NO", "nn", "no", "nb"]), ("zh-CN", ["zh-CN", "zh"]),
        ("zh-Hans-SG", ["zh-Hans-SG", "zh-Hans", "zh-SG", "zh"]), ("zh-TW", ["zh-TW", "zh-Hant-TW", "zh-Hant"]),
        ("zh-Hant-HK", ["zh-Hant-HK", "zh-HK", "zh-Hant"]), ("yue-HK", ["yue-HK", "zh-Hant-HK", "zh-HK", "zh-Hant"]),
        ("cmn", ["cmn", "zh"]), ("iw", ["iw", "he"]), ("en-a-bbb", ["en-a-bbb", "en"]),
        ("de-CH-1996", ["de-CH-1996", "de-CH", "de"]),
    ])
    func everyTagHasItsFallbacks(_ tag: String, _ fallbacks: [String]) {
        #expect(language(tag).fallbacks.map(\.rawValue) == fallbacks)
    }

    /// Every tag resolves to a language that its reader understands, and always to some language.
    @Test(arguments: [
        ("de-CH", Language.german), ("pt-BR", .brazilianPortuguese), ("pt-PT", .portuguese), ("pt-MZ", .portuguese),
        ("no", .norwegian), ("nn", .norwegian), ("nb-NO", .norwegian), ("zh-TW", .traditionalChinese),
        ("zh-Hant", .traditionalChinese), ("zh-Hans-CN", .chinese), ("zh", .chinese), ("ar-EG", .arabic),
        ("fr_CA.UTF-8", .french), ("hu", .dutch), ("", .dutch), ("C", .dutch), ("x-private", .dutch),
    ])
    func aTextIsFoundForEveryTag(_ tag: String, _ read: Language) {
        let texts = TextCatalogue(language: .dutch)
        for key in TextCatalogue.keys {
            #expect(texts.text(key, in: language(tag))?.description == TextCatalogue.builtIn(read)[key], "\(key)")
        }
    }

    /// A POS in an untranslated language uses English; a key with only one other language uses that.
    @Test func theLastResortIsEnglishThenAnyText() throws {
        var texts = TextCatalogue(language: language("hu-HU"))
        #expect(texts.text(.message(.presentCard))?.description == "Present card")
        texts[TextKey("shop.hello"), .french] = try PromptText("Bonjour")
        #expect(texts.text(TextKey("shop.hello"), in: .german)?.description == "Bonjour")
        texts[TextKey("shop.hello"), language("hu")] = try PromptText("Jó napot")
        #expect(texts.text(TextKey("shop.hello"), in: .german)?.description == "Jó napot")
    }

    @Test func anAppsTextOfALanguageGoesBeforeTheBuiltInOneOfItsRegion() throws {
        var texts = TextCatalogue(language: .brazilianPortuguese)
        texts[.message(.presentCard), .portuguese] = try PromptText("Cartão aqui")
        #expect(texts.text(.message(.presentCard))?.description == "Cartão aqui")
        texts[.message(.presentCard), .brazilianPortuguese] = try PromptText("Cartão ou celular aqui")
        #expect(texts.text(.message(.presentCard))?.description == "Cartão ou celular aqui")
        #expect(texts.text(.message(.presentCard), in: .portuguese)?.description == "Cartão aqui")
    }

    /// EMV Book 4, 11.1: 5F2D has two letters for each language, so no script and no region.
    @Test func aCardsLanguageMeetsTheScriptAndRegionOfThePOS() {
        func chosen(_ card: String, at own: String) -> String {
            TextCatalogue(language: language(own)).language(preferred: card).rawValue
        }
        #expect(chosen("zh", at: "zh-Hant") == "zh-Hant")
        #expect(chosen("zh", at: "zh-TW") == "zh-TW")
        #expect(chosen("zh", at: "de") == "zh")
        #expect(chosen("pt", at: "pt-BR") == "pt-BR")
        #expect(chosen("pt", at: "de") == "pt")
        #expect(chosen("deen", at: "de-CH") == "de-CH")
        #expect(chosen("no", at: "en") == "nb")
        #expect(chosen("nn", at: "en") == "nb")
        #expect(chosen("nb", at: "en") == "nb")
        #expect(chosen("huar", at: "en") == "ar")
        #expect(chosen("hu", at: "de-CH") == "de-CH")
    }

    @Test func aPersonsSettingsKeepTheirRegion() {
        let texts = TextCatalogue(language: .dutch)
        #expect(texts.language(preferred: [language("hu-HU"), language("de-CH"), .french]) == language("de-CH"))
        #expect(texts.language(preferred: [language("zh-TW")]) == language("zh-TW"))
        #expect(texts.language(preferred: [language("hu")]) == .dutch)
        #expect(texts.language(preferred: [Language]()) == .dutch)
    }

    /// A text that Brazil's table repeats from Portugal's would hide later changes of it.
    @Test func theTableOfBrazilHasOnlyWhatDiffers() {
        for (key, text) in TextTables.pairs(TextTables.brazilianPortuguese, separator: " ") {
            #expect(TextCatalogue.builtIn(.portuguese)[TextKey(key)] != text, "\(key)")
        }
        #expect(TextCatalogue.builtIn(.brazilianPortuguese) != TextCatalogue.builtIn(.portuguese))
    }
}
