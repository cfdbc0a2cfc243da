// SPDX-License-Identifier: Apache-2.0
/// Every text of EMVKit in eighteen languages, and the app's own texts, which take precedence.
///
/// ```swift
/// var texts = TextCatalogue()
/// texts[.message(.presentCard), .english] = try PromptText("Card or phone here")
/// texts.text(.message(.presentCard), in: .english)
/// ```
public struct TextCatalogue: Sendable, Hashable {
    private var own: [Language: [TextKey: PromptText]] = [:]
    /// The POS's own language: used if the catalogue has none of the card's preferred languages.
    public var language: Language

    public init(language: Language = .english) {
        self.language = language
    }

    /// An app's own text, used instead of the built-in one; assigning `nil` restores the built-in text.
    public subscript(key: TextKey, language: Language) -> PromptText? {
        get { own[language]?[key] ?? TextTables.text(key, language) }
        set { own[language, default: [:]][key] = newValue }
    }

    /// Returns a text in a language; `nil` only if no language has the key. It is searched for, in this order, in the
    /// language and its ``Language/fallbacks``, in the POS's own language and its fallbacks, in English, in any other
    /// language. Within each, an app's own texts take precedence over the built-in ones.
    public func text(_ key: TextKey, in language: Language) -> PromptText? {
        if let text = own[language]?[key] { return text }
        return text(key, near: language) ?? text(key, near: self.language) ?? self[key, .english]
            ?? languages.lazy.compactMap { self[key, $0] }.first
    }

    private func text(_ key: TextKey, near language: Language) -> PromptText? {
        let languages = language.fallbacks
        return languages.lazy.compactMap { own[$0]?[key] }.first
            ?? languages.lazy.compactMap { TextTables.text(key, $0) }.first
    }

    /// A text in the POS's own language.
    public func text(_ key: TextKey) -> PromptText? {
        text(key, in: language)
    }

    /// The language for a cardholder whose card has this preference (5F2D, for example `deen`).
    public func language(preferred: some StringProtocol) -> Language {
        Language.chosen(by: preferred, among: languages, otherwise: language)
    }

    /// The language for a person with this preference, most preferred first: from the settings of an app, a browser, or
    /// `LANG`.
    public func language(preferred: [Language]) -> Language {
        Language.chosen(from: preferred, among: languages, otherwise: language)
    }

    /// The languages with a text, built-in ones first.
    public var languages: [Language] {
        let added = own.filter { !$0.value.isEmpty && !Language.builtIn.contains($0.key) }.keys
        return Language.builtIn + added.sorted { $0.rawValue < $1.rawValue }
    }

    /// Every key of the built-in tables, sorted.
    public static var keys: [TextKey] { TextTables.keys }

    /// The built-in table of a language; empty if there is no such table.
    public static func builtIn(_ language: Language) -> [TextKey: String] { TextTables.table(language) }
}

extension TextCatalogue {
    /// A flaw of one text of a table.
    public struct Issue: Sendable, Hashable {
        public var key: TextKey
        public var language: Language
        public var flaw: PromptText.Flaw

        public init(key: TextKey, language: Language, flaw: PromptText.Flaw) {
            self.key = key
            self.language = language
            self.flaw = flaw
        }
    }
}

extension TextCatalogue.Issue: CustomStringConvertible {
    public var description: String { "\(language) \(key): the text \(flaw)" }
}

extension TextCatalogue {
    /// The flaws of the texts of a language, including an app's own, sorted by key. A key that neither the language nor
    /// its ``Language/fallbacks`` have is missing, because it would be shown in another language. A text wider than its
    /// ``TextKey/Kind`` allows, or whose names in braces differ from those of the English text, is listed too.
    public func issues(in language: Language) -> [TextCatalogue.Issue] {
        let chain = language.fallbacks.reversed()
        var table: [TextKey: String] = [:]
        for language in chain { for (key, text) in TextTables.table(language) { table[key] = text } }
        for language in chain { for (key, text) in own[language] ?? [:] { table[key] = text.description } }
        var issues = TextCatalogue.issues(table, language: language, expecting: TextTables.keys)
        for (key, text) in table {
            guard let english = self[key, .english] else { continue }
            let names = TextPlaceholders.names(in: text)
            for name in names.symmetricDifference(TextPlaceholders.names(in: english.description)).sorted() {
                issues.append(TextCatalogue.Issue(key: key, language: language, flaw: .placeholder(name)))
            }
        }
        return TextCatalogue.sorted(issues)
    }

    /// Checks a table of any app: each text by itself, and that no expected key is missing.
    ///
    /// - Parameters:
    ///   - expected: keys that the table must have.
    ///   - names: words that may be capitalised anywhere, such as the name of a shop.
    public static func issues(
        _ table: [TextKey: String], language: Language, expecting expected: [TextKey] = [], names: Set<String> = []
    ) -> [TextCatalogue.Issue] {
        var issues = expected.filter { table[$0] == nil }.map {
            TextCatalogue.Issue(key: $0, language: language, flaw: .missing)
        }
        for (key, text) in table {
            issues += flaws(text, key: key, language: language, names: names).map {
                TextCatalogue.Issue(key: key, language: language, flaw: $0)
            }
        }
        return sorted(issues)
    }

    private static func sorted(_ issues: [TextCatalogue.Issue]) -> [TextCatalogue.Issue] {
        issues.sorted { ($0.key.rawValue, $0.flaw.description) < ($1.key.rawValue, $1.flaw.description) }
    }

    /// Returns the flaws of one text.
    public static func flaws(
        _ text: String, key: TextKey = TextKey(""), language: Language, names: Set<String> = []
    ) -> [PromptText.Flaw] {
        var flaws: [PromptText.Flaw] = []
        if let flaw = PromptText.flaw(of: text) { flaws.append(flaw) }
        let columns = DisplayWidth.columns(text)
        if let limit = TextKey.Kind(key)?.maximumColumns, columns > limit {
            flaws.append(.tooWide(columns, limit: limit))
        }
        let rules = LanguageRules.of(language)
        if let word = rules.sentenceWord(in: text) { flaws.append(.sentence(word)) }
        if let word = rules.titleCaseWord(in: text, names: names) { flaws.append(.titleCase(word)) }
        if key.rawValue.hasPrefix("loyalty."), let word = rules.paymentWord(in: text) {
            flaws.append(.paymentWord(word))
        }
        return flaws
    }
}
