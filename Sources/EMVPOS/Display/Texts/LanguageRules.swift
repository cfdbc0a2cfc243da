// SPDX-License-Identifier: Apache-2.0
/// Words of one language that neither a noun phrase nor an imperative holds, only a sentence or a courtesy, and words
/// that speak of payment.
struct LanguageRules: Sendable {
    /// Whole words, as written inside a sentence; a word in lower case also matches its capitalised form.
    var sentence: Set<String>
    var payment: Set<String>
    /// Nouns are capitalised, so capitals are not an indication.
    var capitalisesNouns = false
    /// Spaces do not separate words: the lists hold parts of a text.
    var isUnspaced = false
    /// Longer words that contain a word of the list but have another meaning.
    var exceptions: [String] = []

    func sentenceWord(in text: String) -> String? { match(sentence, text) }

    func paymentWord(in text: String) -> String? { match(payment, text.lowercased()) }

    private func match(_ list: Set<String>, _ text: String) -> String? {
        if isUnspaced {
            let text = exceptions.reduce(text) { $0.replacing($1, with: "") }
            return list.sorted().first { text.contains($0) }
        }
        return LanguageRules.words(text).first {
            list.contains($0) || list.contains($0.lowercased()) && $0.hasPrefixCapital
        }
    }

    /// A capital that starts a word after the first, unless the whole word is an abbreviation or a name.
    func titleCaseWord(in text: String, names: Set<String>) -> String? {
        guard !capitalisesNouns, !isUnspaced else { return nil }
        return LanguageRules.words(text).dropFirst().first {
            $0.hasPrefixCapital && $0.dropFirst().contains { $0.isLowercase } && !names.contains($0)
        }
    }

    static func words(_ text: String) -> [String] {
        text.split { !$0.isLetter && !$0.isNumber && $0 != "'" && $0 != "’" }.map(String.init)
    }

    static func of(_ language: Language) -> LanguageRules {
        language.fallbacks.lazy.compactMap { rules[$0] ?? further[$0] }.first
            ?? LanguageRules(sentence: [], payment: [], capitalisesNouns: true)
    }

    private static let rules: [Language: LanguageRules] = [
        .english: LanguageRules(
            sentence: [
                "you", "your", "we", "our", "I", "they", "please", "is", "are", "was", "were", "has", "have", "had",
                "can",
                "cannot", "can't", "could", "must", "should", "will", "would", "don't", "doesn't", "isn't", "it's",
                "sorry",
            ],
            payment: ["pay", "payment", "paying", "charge", "purchase", "tap", "checkout"]),
        .german: LanguageRules(
            sentence: [
                "Sie", "Ihr", "Ihre", "Ihren", "Ihrem", "Ihrer", "bitte", "wir", "unser", "ist", "sind", "war", "waren",
                "wurde",
                "wurden", "wird", "hat", "haben", "kann", "können", "konnte", "muss", "müssen", "darf", "soll",
                "leider",
            ],
            payment: ["zahlen", "zahlung", "bezahlen", "bezahlung", "kauf", "kasse"], capitalisesNouns: true),
        .french: LanguageRules(
            sentence: [
                "vous", "votre", "vos", "nous", "notre", "veuillez", "merci", "est", "sont", "était", "ont", "peut",
                "peuvent",
                "doit", "doivent", "sera", "désolé",
            ],
            payment: ["payer", "paiement", "achat", "encaissement", "règlement"]),
        .spanish: LanguageRules(
            sentence: [
                "usted", "su", "sus", "tu", "nosotros", "favor", "es", "está", "están", "son", "fue", "ha", "han",
                "puede",
                "pueden", "debe", "deben", "será",
            ],
            payment: ["pagar", "pago", "compra", "cobro", "cobrar"]),
        .italian: LanguageRules(
            sentence: [
                "lei", "suo", "sua", "suoi", "noi", "prego", "favore", "è", "sono", "era", "ha", "hanno", "può",
                "possono",
                "deve", "devono", "sarà",
            ],
            payment: ["pagare", "pagamento", "acquisto", "incasso"]),
        .dutch: LanguageRules(
            sentence: [
                "u", "uw", "je", "jij", "jouw", "wij", "ons", "alstublieft", "is", "zijn", "was", "waren", "wordt",
                "worden",
                "heeft", "hebben", "kan", "kunnen", "moet", "moeten", "zal", "helaas",
            ],
            payment: ["betalen", "betaling", "aankoop", "kassa", "afrekenen"]),
        .japanese: LanguageRules(
            sentence: [
                "ください", "下さい", "です", "ます", "ません", "でした",
                "ました", "あなた", "お客様",
            ],
            payment: ["支払", "決済", "購入", "会計"], isUnspaced: true),
        .chinese: LanguageRules(
            sentence: ["请", "您", "你", "我们", "谢谢", "抱歉"],
            payment: ["支付", "付款", "购买", "结账", "消费"], isUnspaced: true,
            exceptions: ["请求", "申请"]),
    ]
}

extension String {
    fileprivate var hasPrefixCapital: Bool { first?.isUppercase == true }
}
