// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
@testable import EMVKernel
@testable import EMVKit
@testable import EMVPOS

/// Rows E10 to E12, D6 of Conformance/pos.md.
@Suite struct PromptTextTests {
    @Test(arguments: [
        (PromptText.Flaw.empty, "is empty"), (.tooLong(129), "has 129 characters, 128 at most"),
        (.endsInPunctuation("."), "ends in \".\", expected no ending punctuation"),
        (.surroundingSpace, "begins or ends in a space"), (.controlCharacter(0x1B), "holds the control character U+1B"),
        (.beginsInLowerCase("a"), "begins with \"a\", expected a capital"),
        (.allCapitals, "is all capitals, expected sentence case"),
        (.titleCase("Card"), "capitalises \"Card\", expected sentence case"),
        (.sentence("please"), "holds \"please\", expected a noun phrase or a short instruction"),
        (.paymentWord("paid"), "of loyalty holds the payment word \"paid\""),
        (.tooWide(41, limit: 40), "is 41 columns wide, 40 at most"),
        (.placeholder("amount"), "differs from English in the placeholder {amount}"), (.missing, "is missing"),
    ])
    func aFlawCompletesTheSentence(_ flaw: PromptText.Flaw, _ description: String) {
        #expect(flaw.description == description)
    }

    @Test func anApostropheIsInsideAWord() {
        #expect(LanguageRules.words("l’addition, d'été: 2 x") == ["l’addition", "d'été", "2", "x"])
    }

    @Test func thePlaceOfAnAntennaIsAPlace() {
        for antenna in MerchantEducation.Antenna.allCases {
            #expect(TextKey.Kind(antenna.textKey) == .place, "\(antenna)")
        }
    }

    @Test func aTextOfOneLineWithoutEndingPunctuationIsTaken() throws {
        for text in [
            "Present card", "PIN required", "3 tries left", "カードをかざす", "已批准", "Karte (Chip)",
        ] {
            #expect(try PromptText(text).description == text)
        }
    }

    @Test func exactlyTheFirst128GraphemeClustersFit() throws {
        let family = "👩‍👩‍👧‍👦"
        #expect(try PromptText(String(repeating: family, count: 128)).description.count == 128)
        #expect(throws: PromptText.Flaw.tooLong(129)) { try PromptText(String(repeating: family, count: 129)) }
        #expect(throws: PromptText.Flaw.tooLong(129)) { try PromptText("A" + String(repeating: "a", count: 128)) }
    }

    @Test(arguments: [
        ("", PromptText.Flaw.empty), (" Card", .surroundingSpace), ("Card ", .surroundingSpace),
        ("Card.", .endsInPunctuation(".")),
        ("Card!", .endsInPunctuation("!")), ("Card?", .endsInPunctuation("?")), ("Card…", .endsInPunctuation("…")),
        ("Card:", .endsInPunctuation(":")), ("カード。", .endsInPunctuation("。")),
        ("卡片！", .endsInPunctuation("！")), ("البطاقة؟", .endsInPunctuation("؟")),
        ("card", .beginsInLowerCase("c")), ("éclair", .beginsInLowerCase("é")), ("PRESENT CARD", .allCapitals),
        ("Card\nagain", .controlCharacter(0x0A)), ("Card\u{1B}[2J", .controlCharacter(0x1B)),
        ("Card\u{202E}x", .controlCharacter(0x202E)),
        ("Card\u{2028}x", .controlCharacter(0x2028)),
    ])
    func aFlawIsNamed(_ text: String, _ flaw: PromptText.Flaw) {
        #expect(throws: flaw) { try PromptText(text) }
        #expect(PromptText.flaw(of: text) == flaw)
        #expect(!flaw.description.isEmpty)
    }

    @Test func decodingChecksTheText() throws {
        let decoder = JSONDecoder()
        #expect(
            try decoder.decode([PromptText].self, from: Data(#"["Present card"]"#.utf8)).first?.description
                == "Present card")
        #expect(throws: DecodingError.self) {
            try decoder.decode([PromptText].self, from: Data(#"["Present card."]"#.utf8))
        }
    }

    @Test func aSentenceIsToldFromANounPhrase() {
        let sentences: [(Language, String)] = [
            (.english, "Please present card"), (.english, "You can remove the card"),
            (.german, "Bitte Karte vorhalten"),
            (.german, "Karte kann entfernt werden"), (.french, "Veuillez présenter la carte"),
            (.spanish, "La tarjeta está caducada"),
            (.italian, "La carta è scaduta"), (.dutch, "Uw kaart aanbieden"),
            (.japanese, "カードをかざしてください"), (.chinese, "请出示卡片"),
            (.portuguese, "O cartão está caducado"), (.brazilianPortuguese, "Por favor aproxime o cartão"),
            (.polish, "Proszę zbliżyć kartę"),
            (.swedish, "Vänligen visa kortet"), (.norwegian, "Du kan fjerne kortet"),
            (.danish, "Kortet er udløbet"), (.finnish, "Kortti on vanhentunut"), (.czech, "Přiložte prosím kartu"),
            (.turkish, "Lütfen kartı okutun"), (.arabic, "يرجى تقريب البطاقة"),
            (.traditionalChinese, "請感應卡片"),
        ]
        #expect(Set(sentences.map(\.0)) == Set(Language.builtIn))
        for (language, text) in sentences {
            let flaws = TextCatalogue.flaws(text, language: language)
            #expect(flaws.contains { if case .sentence = $0 { true } else { false } }, "\(text)")
        }
        #expect(TextCatalogue.flaws("请求与配置冲突", language: .chinese).isEmpty)
    }

    @Test func titleCaseIsFoundWhereNounsAreSmall() {
        #expect(TextCatalogue.flaws("Present Card", language: .english) == [.titleCase("Card")])
        #expect(TextCatalogue.flaws("Saisir le Code PIN", language: .french) == [.titleCase("Code")])
        #expect(TextCatalogue.flaws("Enter PIN", language: .english).isEmpty)
        #expect(TextCatalogue.flaws("Karte oder Telefon", language: .german).isEmpty)
        #expect(TextCatalogue.flaws("Card of Mira", language: .english, names: ["Mira"]).isEmpty)
    }
}

@Suite struct TextCatalogueTests {
    /// Every message of Book A that has a text.
    private static let messages: [UInt8] = [
        0x03, 0x07, 0x09, 0x0F, 0x10, 0x14, 0x15, 0x16, 0x17, 0x18, 0x19, 0x1A, 0x1B, 0x1C, 0x1D, 0x20, 0x21,
    ]

    @Test(arguments: Language.builtIn)
    func everyTextOfEveryLanguagePassesTheLint(_ language: Language) {
        #expect(TextCatalogue().issues(in: language).map(\.description) == [])
        #expect(TextTables.doubled(language) == [])
    }

    @Test(arguments: Language.builtIn)
    func everyLanguageHasEveryKeyAndNoOther(_ language: Language) {
        #expect(Set(TextCatalogue.builtIn(language).keys) == Set(TextCatalogue.keys))
    }

    /// Finds texts left in English by mistake; single words, such as Total, may be equal.
    @Test(arguments: Language.builtIn.dropFirst())
    func noLongTextIsLeftInEnglish(_ language: Language) {
        let english = TextCatalogue.builtIn(.english)
        for (key, text) in TextCatalogue.builtIn(language) where text.contains(" ") {
            #expect(text != english[key], "\(key)")
        }
    }

    /// Two problems with equal texts could not be told apart.
    @Test(arguments: Language.builtIn)
    func everyProblemHasATextOfItsOwn(_ language: Language) {
        var seen: [String: Problem.Code] = [:]
        for code in Problem.Code.allCases {
            guard let text = TextCatalogue.builtIn(language)[Problem(code).textKey] else {
                Issue.record("\(code)"); continue
            }
            #expect(seen[text] == nil, "\(language): \(code) reads like \(seen[text].map { "\($0)" } ?? "")")
            seen[text] = code
        }
    }

    /// One receipt can show any two amounts, for example the amount due and a line whose amount is pending.
    @Test(arguments: Language.builtIn)
    func everyAmountHasATextOfItsOwn(_ language: Language) {
        let amounts = TextCatalogue.builtIn(language).filter { $0.key.rawValue.hasPrefix("amount.") }
        let shared = Dictionary(grouping: amounts, by: \.value).filter { $0.value.count > 1 }
        #expect(shared.isEmpty, "\(language): \(shared.keys.sorted())")
    }

    @Test(arguments: Language.builtIn)
    func everyMessageOfTheBookHasAText(_ language: Language) {
        for byte in UInt8.min...UInt8.max {
            let text = TextCatalogue.builtIn(language)[.message(Message(rawValue: byte))]
            #expect((text != nil) == TextCatalogueTests.messages.contains(byte), "\(byte)")
        }
    }

    /// A problem's remedy exists in each language, without falling back to another.
    @Test(arguments: Language.builtIn)
    func everyRemedyStandsInItsLanguage(_ language: Language) {
        for code in Problem.Code.allCases {
            let problem = Problem(code)
            let text = TextTables.text(problem.remedyKey, language)?.description
            let english: String = problem.recoverySuggestion
            #expect(text != nil && (text == english) == (language == .english), "\(code)")
        }
    }

    /// Each language has its own table: no other language has this text.
    @Test func everyLanguageSpeaksItself() {
        let declined: [(Language, String)] = [
            (.english, "Not authorised"), (.german, "Nicht genehmigt"), (.french, "Non autorisé"),
            (.spanish, "No autorizado"), (.italian, "Non autorizzato"), (.dutch, "Niet geautoriseerd"),
            (.japanese, "承認不可"), (.chinese, "未获授权"), (.portuguese, "Não autorizado"),
            (.brazilianPortuguese, "Não autorizado"), (.polish, "Brak autoryzacji"), (.swedish, "Medges ej"),
            (.norwegian, "Ikke godkjent"), (.danish, "Ikke godkendt"), (.finnish, "Ei hyväksytty"),
            (.czech, "Neschváleno"), (.turkish, "Onaylanmadı"), (.arabic, "غير مصرح به"),
            (.traditionalChinese, "未獲授權"),
        ]
        #expect(Set(declined.map(\.0)) == Set(Language.builtIn))
        for (language, text) in declined {
            #expect(TextCatalogue().text(.message(.notAuthorised), in: language)?.description == text, "\(language)")
        }
    }

    /// A second statement of the number of columns in each place.
    @Test func everyPlaceHasItsWidth() {
        let columns: [TextKey.Kind: Int] = [
            .message: 64, .headline: 48, .button: 40, .progress: 32, .amount: 32, .receipt: 40, .loyalty: 32,
            .enrollment: 64, .problem: 64, .title: 40, .step: 96, .place: 48,
        ]
        for kind in TextKey.Kind.allCases { #expect(kind.maximumColumns == columns[kind], "\(kind)") }
    }

    @Test func whatIsMissingSaysSo() {
        #expect(PromptText.Flaw.missing.description == "is missing")
        #expect(Message.approved.text == "Approved" && Message(rawValue: 0xEE).text.isEmpty)
    }

    /// Row D6, and trademarks that others must not use for their payments.
    @Test(arguments: Language.builtIn)
    func noTextNamesATrademarkAndNoLoyaltyTextSpeaksOfPayment(_ language: Language) {
        let marks = [
            "apple", "google", "tap to pay", "visa", "mastercard", "girocard", "iphone", "paypass", "paywave", "emv",
        ]
        for (key, text) in TextCatalogue.builtIn(language) {
            let words = text.lowercased().split { !$0.isLetter }
            // In Swedish, to present is "visa".
            for mark in marks where !(language == .swedish && mark == "visa") {
                #expect(!" \(words.joined(separator: " ")) ".contains(" \(mark) "), "\(key)")
            }
        }
        let words: [Language: String] = [
            .english: "Payment card", .german: "Zahlung", .french: "Carte de paiement", .spanish: "Tarjeta de pago",
            .italian: "Carta di pagamento", .dutch: "Betaling", .japanese: "支払いカード", .chinese: "付款卡",
            .portuguese: "Cartão de pagamento", .brazilianPortuguese: "Cartão de pagamento",
            .polish: "Karta płatnicza",
            .swedish: "Betalkort", .norwegian: "Betalingskort", .danish: "Betalingskort", .finnish: "Maksukortti",
            .czech: "Platební karta", .turkish: "Ödeme kartı", .arabic: "بطاقة الدفع",
            .traditionalChinese: "付款卡",
        ]
        let table = [TextKey("loyalty.mine"): words[language]!]
        #expect(
            TextCatalogue.issues(table, language: language).contains {
                if case .paymentWord = $0.flaw { true } else { false }
            })
    }

    /// Rows B9 and D3: a button that reads a card without an amount does not mention payment.
    @Test(arguments: Language.builtIn)
    func everyRequestHasALabelAndOnlyPaymentsSpeakOfPaying(_ language: Language) {
        let table = TextCatalogue.builtIn(language)
        let money = Money(minorUnits: 100, currency: .eur)
        let payments = [PaymentRequest.Kind.purchase, .cash, .cashBack(money), .refund].map {
            PaymentRequest(amount: money, kind: $0).labelKey
        }
        let reads = VerificationRequest.Reason.allCases.map(\.labelKey)
        #expect(Set(payments + reads) == Set(table.keys.filter { $0.rawValue.hasPrefix("label.") }))
        for key in reads + [TextKey("loyalty.label")] {
            // The loyalty check knows the vocabulary of payment.
            let flaws = TextCatalogue.flaws(table[key] ?? "", key: TextKey("loyalty.x"), language: language)
            #expect(flaws == [], "\(key)")
        }
    }

    @Test func ownTextsGoBeforeTheBuiltInOnesAndMayAddALanguage() throws {
        var texts = TextCatalogue()
        let hungarian = Language(rawValue: "HU")
        texts[.message(.presentCard), .english] = try PromptText("Card or phone here")
        texts[.message(.presentCard), hungarian] = try PromptText("Érintse ide a kártyát")
        #expect(texts.text(.message(.presentCard))?.description == "Card or phone here")
        #expect(texts.text(.message(.presentCard), in: hungarian)?.description == "Érintse ide a kártyát")
        #expect(texts.text(.message(.removeCard), in: hungarian) == texts.text(.message(.removeCard), in: .english))
        #expect(texts.language(preferred: "hu") == hungarian)
        texts[.message(.presentCard), .english] = nil
        #expect(
            texts.text(.message(.presentCard))?.description == TextCatalogue.builtIn(.english)[.message(.presentCard)])
        #expect(texts.text(TextKey("no.such.key")) == nil)
    }

    @Test func aLanguageOfAnAppIsToldWhatItLacks() throws {
        var texts = TextCatalogue()
        let hungarian = Language(rawValue: "hu")
        texts[.message(.presentCard), hungarian] = try PromptText("Érintse ide a kártyát")
        let issues = texts.issues(in: hungarian)
        #expect(Set(issues.map(\.key)) == Set(TextCatalogue.keys).subtracting([.message(.presentCard)]))
        #expect(issues.allSatisfy { $0.flaw == .missing })
        // A region has every text of its language.
        texts[.message(.presentCard), Language(rawValue: "de-CH")] = try PromptText("Karte hinhalten")
        #expect(texts.issues(in: Language(rawValue: "de-CH")) == [])
        #expect(texts.issues(in: Language(rawValue: "de-AT")) == [])
    }

    @Test func aTextThatDoesNotFitItsPlaceOrItsValuesIsNamed() throws {
        var texts = TextCatalogue()
        let hello = TextKey("shop.hello")
        texts[hello, .english] = try PromptText("Hello {name}, table {table}")
        texts[hello, .german] = try PromptText("Tisch {table} für {gast}")
        #expect(texts.issues(in: .german).map(\.flaw) == [.placeholder("gast"), .placeholder("name")])
        let help = TextKey("alternative.help")
        texts[hello, .german] = try PromptText("{name} an Tisch {table}")
        texts[help, .german] = try PromptText(String(repeating: "Hilfe", count: 8))
        #expect(texts.issues(in: .german) == [])
        texts[help, .german] = try PromptText(String(repeating: "Hilfe", count: 8) + "n")
        #expect(texts.issues(in: .german).map(\.flaw) == [.tooWide(41, limit: 40)])
        #expect(TextCatalogue.flaws(String(repeating: "説", count: 21), key: help, language: .japanese) != [])
        #expect(TextCatalogue.flaws(String(repeating: "説", count: 20), key: help, language: .japanese) == [])
        #expect(TextPlaceholders.names(in: "{a} {b}{c} {open") == ["a", "b", "c"])
        #expect(TextCatalogue.keys.allSatisfy { TextKey.Kind($0) != nil })
    }

    @Test func theLintFindsWhatIsMissingFromAnAppsTable() {
        let issues = TextCatalogue.issues(
            [TextKey("shop.hello"): "Hello."], language: .english,
            expecting: [TextKey("shop.hello"), TextKey("shop.bye")])
        #expect(issues.map(\.flaw) == [.missing, .endsInPunctuation(".")])
        #expect(issues[1].description == "en shop.hello: the text ends in \".\", expected no ending punctuation")
    }

    /// EMV Book 4, 11.1: the card's first available language is used.
    @Test func theCardsFirstLanguageThatIsHereIsSpoken() {
        var texts = TextCatalogue(language: .dutch)
        #expect(texts.language(preferred: "deen") == .german)
        #expect(texts.language(preferred: "hufr") == .french)
        #expect(texts.language(preferred: "FR") == .french)
        #expect(texts.language(preferred: "") == .dutch)
        #expect(texts.language(preferred: "hu") == .dutch)
        #expect(texts.language(preferred: "d") == .dutch)
        #expect(texts.language(preferred: "9Ade") == .dutch)
        #expect(Language.preferences("deenfresitxx") == [.german, .english, .french, .spanish])
        #expect(Language.preferences("azza").map(\.rawValue) == ["az", "za"])
        for other in ["d`", "d{", "d@", "d["] { #expect(Language.preferences(other + "de") == [], "\(other)") }
        texts.language = .italian
        #expect(texts.language(preferred: "\u{0}\u{0}") == .italian)
    }
}

/// Rows A5 and A9 to A11.
@Suite struct MerchantEducationTests {
    @Test func theTutorialCoversCardsDevicesPINAndAccessibility() {
        let topics = MerchantEducation.topics()
        #expect(topics.map(\.id) == MerchantEducation.Topic.Identifier.allCases)
        for identifier in [MerchantEducation.Topic.Identifier.card, .device, .pin, .accessibility, .start] {
            #expect(topics.contains { $0.id == identifier })
        }
        #expect(!MerchantEducation.topics(hasPINPad: false).contains { $0.id == .pin || $0.id == .accessibility })
        #expect(MerchantEducation.topics(supportsAccessibility: false).map(\.id).contains(.pin))
        #expect(!MerchantEducation.topics(supportsAccessibility: false).map(\.id).contains(.accessibility))
    }

    @Test(arguments: Language.builtIn, MerchantEducation.Antenna.allCases)
    func everyStepHasItsTextAndSaysWhereTheAntennaIs(_ language: Language, _ antenna: MerchantEducation.Antenna) {
        let table = TextCatalogue.builtIn(language)
        var used: Set<TextKey> = []
        for topic in MerchantEducation.topics(antenna: antenna) {
            #expect(table[topic.title] != nil, "\(topic.title)")
            used.insert(topic.title)
            for step in topic.steps {
                #expect(table[step.text] != nil, "\(step.text)")
                if let place = step.place { #expect(table[place] != nil && place == antenna.textKey) }
                used.insert(step.text)
            }
            #expect(topic.steps.contains { $0.place != nil } == [.card, .device].contains(topic.id))
        }
        #expect(used == Set(table.keys.filter { $0.rawValue.hasPrefix("education.") }))
    }

    @Test func aTutorialSurvivesCoding() throws {
        let topics = MerchantEducation.topics(antenna: .display)
        #expect(try JSONDecoder().decode([MerchantEducation.Topic].self, from: JSONEncoder().encode(topics)) == topics)
    }

    /// Row A5.
    @Test func whoIsNoAdministratorReadsSo() {
        #expect(TextCatalogue().text(TextKey("enrollment.adminRequired"))?.description.contains("dministrator") == true)
    }
}
