// SPDX-License-Identifier: Apache-2.0
/// The built-in texts, one file per language. A line consists of a key, a space and the text.
enum TextTables {
    /// The lines of a language, and its translations of the remedies of problems: English, ` = `, translation.
    private static func sources(_ language: Language) -> (texts: String, remedies: String)? {
        switch language {
        case .english: (english, "")
        case .german: (german, germanRemedies)
        case .french: (french, frenchRemedies)
        case .spanish: (spanish, spanishRemedies)
        case .italian: (italian, italianRemedies)
        case .dutch: (dutch, dutchRemedies)
        case .japanese: (japanese, japaneseRemedies)
        case .chinese: (chinese, chineseRemedies)
        case .portuguese: (portuguese, portugueseRemedies)
        case .brazilianPortuguese: (brazilianPortuguese, brazilianPortugueseRemedies)
        case .polish: (polish, polishRemedies)
        case .swedish: (swedish, swedishRemedies)
        case .norwegian: (norwegian, norwegianRemedies)
        case .danish: (danish, danishRemedies)
        case .finnish: (finnish, finnishRemedies)
        case .czech: (czech, czechRemedies)
        case .turkish: (turkish, turkishRemedies)
        case .arabic: (arabic, arabicRemedies)
        case .traditionalChinese: (traditionalChinese, traditionalChineseRemedies)
        default: nil
        }
    }

    static let keys: [TextKey] = table(.english).keys.sorted { $0.rawValue < $1.rawValue }

    /// The table of exactly this language, empty if there is no such table; read from its lines when it is first used.
    static func table(_ language: Language) -> [TextKey: String] {
        switch language {
        case .english: Assembled.english
        case .german: Assembled.german
        case .french: Assembled.french
        case .spanish: Assembled.spanish
        case .italian: Assembled.italian
        case .dutch: Assembled.dutch
        case .japanese: Assembled.japanese
        case .chinese: Assembled.chinese
        case .portuguese: Assembled.portuguese
        case .brazilianPortuguese: Assembled.brazilianPortuguese
        case .polish: Assembled.polish
        case .swedish: Assembled.swedish
        case .norwegian: Assembled.norwegian
        case .danish: Assembled.danish
        case .finnish: Assembled.finnish
        case .czech: Assembled.czech
        case .turkish: Assembled.turkish
        case .arabic: Assembled.arabic
        case .traditionalChinese: Assembled.traditionalChinese
        default: [:]
        }
    }

    private enum Assembled {
        static let english = assembled(.english)
        static let german = assembled(.german)
        static let french = assembled(.french)
        static let spanish = assembled(.spanish)
        static let italian = assembled(.italian)
        static let dutch = assembled(.dutch)
        static let japanese = assembled(.japanese)
        static let chinese = assembled(.chinese)
        static let portuguese = assembled(.portuguese)
        static let brazilianPortuguese = assembled(.brazilianPortuguese)
        static let polish = assembled(.polish)
        static let swedish = assembled(.swedish)
        static let norwegian = assembled(.norwegian)
        static let danish = assembled(.danish)
        static let finnish = assembled(.finnish)
        static let czech = assembled(.czech)
        static let turkish = assembled(.turkish)
        static let arabic = assembled(.arabic)
        static let traditionalChinese = assembled(.traditionalChinese)
    }

    static func text(_ key: TextKey, _ language: Language) -> PromptText? {
        table(language)[key].map { PromptText(checked: $0) }
    }

    private static func assembled(_ language: Language) -> [TextKey: String] {
        guard let sources = sources(language) else { return [:] }
        // A variant has only the texts that differ.
        var table = language == .brazilianPortuguese ? table(.portuguese) : [:]
        for (key, text) in pairs(sources.texts, separator: " ") { table[TextKey(key)] = text }
        var remedies: [String: String] = [:]
        for (english, text) in pairs(sources.remedies, separator: " = ") { remedies[english] = text }
        for code in Problem.Code.allCases {
            let problem = Problem(code)
            let english = problem.recoverySuggestion
            if language == .english { table[problem.textKey] = problem.description }
            if let remedy = language == .english ? english : remedies[english] { table[problem.remedyKey] = remedy }
        }
        return table
    }

    /// Keys and texts, line by line; a repeated key is returned repeatedly.
    static func pairs(_ lines: String, separator: String) -> [(String, String)] {
        lines.split(separator: "\n").compactMap { line in
            guard let range = line.firstRange(of: separator) else { return nil }
            return (String(line.prefix(upTo: range.lowerBound)), String(line.suffix(from: range.upperBound)))
        }
    }

    /// Keys that occur twice in a language's file, or that have no text there.
    static func doubled(_ language: Language) -> [String] {
        guard let sources = sources(language) else { return [] }
        return [(sources.texts, " "), (sources.remedies, " = ")].flatMap { lines, separator in
            let pairs = pairs(lines, separator: separator)
            let broken = lines.split(separator: "\n").count == pairs.count ? [] : ["a line without \"\(separator)\""]
            return broken + Dictionary(grouping: pairs, by: { $0.0 }).filter { $0.value.count > 1 }.keys.sorted()
        }
    }
}

extension Problem {
    /// The key of the text that describes the problem.
    public var textKey: TextKey { TextKey("problem.\(code.rawValue)") }
    /// The key of the text that states the next step.
    public var remedyKey: TextKey { TextKey("problem.\(code.rawValue).remedy") }
}

extension Message {
    /// The built-in English text; empty if the message displays nothing. ``TextCatalogue`` has the other languages.
    public var text: String {
        TextTables.text(.message(self), .english)?.description ?? ""
    }
}
