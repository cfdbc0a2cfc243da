// SPDX-License-Identifier: Apache-2.0
/// A language of texts, by its ISO 639 code of two letters.
public struct Language: RawRepresentable, Sendable, Hashable {
    /// Lower case.
    public let rawValue: String

    public init(rawValue: String) {
        self.rawValue = rawValue.lowercased()
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

    /// The languages with a built-in table.
    public static let builtIn: [Language] = [
        .english, .german, .french, .spanish, .italian, .dutch, .japanese, .chinese,
    ]

    /// The languages of a language preference (5F2D), the preferred one first: up to four codes of two letters without
    /// separator, for example `deen`. What follows the first malformed code is not read.
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

    /// The language to speak to a cardholder in: the first of the card's that the POS has, else the POS's own
    /// (EMV Book 4, 11.1, without asking the cardholder).
    public static func chosen(
        by preference: some StringProtocol, among available: [Language], otherwise own: Language
    ) -> Language {
        preferences(preference).first { available.contains($0) } ?? own
    }
}

extension Language: CustomStringConvertible {
    public var description: String { rawValue }
}

extension Language: Codable {}
