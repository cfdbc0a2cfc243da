// SPDX-License-Identifier: Apache-2.0
/// A language of texts, by its BCP 47 tag: `de`, `pt-BR`, `zh-Hant-TW`.
///
/// A tag without texts uses those of its ``fallbacks``.
public struct Language: RawRepresentable, Sendable, Hashable {
    /// In canonical case: language in lower case, script capitalised, region in upper case.
    public let rawValue: String

    /// Accepts any case and the form of operating systems: `de_CH.UTF-8` becomes `de-CH`.
    public init(rawValue: String) {
        self.rawValue = LanguageTag.canonical(rawValue)
    }

    public static let english = Language(rawValue: "en")
    public static let german = Language(rawValue: "de")
    public static let french = Language(rawValue: "fr")
    public static let spanish = Language(rawValue: "es")
    public static let italian = Language(rawValue: "it")
    public static let dutch = Language(rawValue: "nl")
    public static let japanese = Language(rawValue: "ja")
    /// Simplified characters.
    public static let chinese = Language(rawValue: "zh")

    /// European Portuguese; ``brazilianPortuguese`` has other words where Brazil's differ.
    public static let portuguese = Language(rawValue: "pt")
    public static let brazilianPortuguese = Language(rawValue: "pt-BR")
    public static let polish = Language(rawValue: "pl")
    public static let swedish = Language(rawValue: "sv")
    /// Bokmål; also used for `no`, and for `nn` unless it has texts.
    public static let norwegian = Language(rawValue: "nb")
    public static let danish = Language(rawValue: "da")
    public static let finnish = Language(rawValue: "fi")
    public static let czech = Language(rawValue: "cs")
    public static let turkish = Language(rawValue: "tr")
    /// Written from right to left.
    public static let arabic = Language(rawValue: "ar")
    /// Traditional characters, with the wording of Taiwan.
    public static let traditionalChinese = Language(rawValue: "zh-Hant")

    /// The languages with a built-in table: eighteen, and Brazilian Portuguese.
    public static let builtIn: [Language] = [
        .english, .german, .french, .spanish, .italian, .dutch, .japanese, .chinese, .portuguese, .brazilianPortuguese,
        .polish, .swedish, .norwegian, .danish, .finnish, .czech, .turkish, .arabic, .traditionalChinese,
    ]

    /// The languages of a language preference (5F2D), the preferred one first: up to four codes of two letters without
    /// separator, for example `deen`. Reading stops at the first malformed code.
    public static func preferences(_ text: some StringProtocol) -> [Language] {
        var languages: [Language] = []
        var rest = Array(text.utf8)[...]
        while languages.count < 4, rest.count >= 2 {
            let code = rest.prefix(2).map { $0 | 0x20 }
            guard code.allSatisfy({ (0x61...0x7A).contains($0) }) else { break }
            languages.append(Language(rawValue: String(decoding: code, as: UTF8.self)))
            rest = rest.dropFirst(2)
        }
        return languages
    }

    /// The language for a cardholder: the first of the card's languages that the POS has, otherwise the POS's own (EMV
    /// Book 4, 11.1, without asking the cardholder).
    ///
    /// A card names only languages, never a script or a region. If a card's language is the POS's own language, the
    /// POS's tag is used: a card that prefers `zh` gets traditional characters at a POS set to `zh-Hant`. Otherwise
    /// each of the card's languages is looked up with its ``fallbacks``, and is given the POS's region if amounts are
    /// written differently there: French at a POS set to `de-CH` is `fr-CH`.
    public static func chosen(
        by preference: some StringProtocol, among available: [Language], otherwise own: Language
    ) -> Language {
        for preferred in preferences(preference) {
            if preferred.rawValue == LanguageTag(own.rawValue).language { return own }
            if let found = preferred.fallbacks.first(where: available.contains) {
                guard let region = LanguageTag(own.rawValue).region else { return found }
                let regional = Language(rawValue: found.rawValue + "-" + region)
                return MoneyFormat.differs(regional) ? regional : found
            }
        }
        return own
    }

    /// The first of several languages, such as a person's settings, that has texts itself or through its ``fallbacks``.
    /// Its region is kept, because it determines how amounts are written. Without such a language, the POS's own.
    public static func chosen(
        from preferred: [Language], among available: [Language], otherwise own: Language
    ) -> Language {
        preferred.first { $0.fallbacks.contains(where: available.contains) } ?? own
    }
}

extension Language: CustomStringConvertible {
    public var description: String { rawValue }
}

extension Language: Codable {}
