// SPDX-License-Identifier: Apache-2.0
/// The built-in texts. One file a language: a line is a key, a space, the text.
enum TextTables {
    /// Lines of a language, and its translations of the remedies of problems: English, ` = `, translation.
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
        default: nil
        }
    }

    private static let tables: [Language: [TextKey: String]] = Dictionary(
        uniqueKeysWithValues: Language.builtIn.map { ($0, assembled($0)) })

    static let keys: [TextKey] = table(.english).keys.sorted { $0.rawValue < $1.rawValue }

    static func table(_ language: Language) -> [TextKey: String] { tables[language] ?? [:] }

    static func text(_ key: TextKey, _ language: Language) -> PromptText? {
        tables[language]?[key].map { PromptText(checked: $0) }
    }

    private static func assembled(_ language: Language) -> [TextKey: String] {
        guard let sources = sources(language) else { return [:] }
        var table: [TextKey: String] = [:]
        for (key, text) in pairs(sources.texts, separator: " ") { table[TextKey(key)] = text }
        var remedies: [String: String] = [:]
        for (english, text) in pairs(sources.remedies, separator: " = ") { remedies[english] = text }
        for code in Problem.Code.allCases {
            let problem = Problem(code)
            let english = problem.recoverySuggestion
            if language == .english { table[problem.textKey] = problem.description }
            table[problem.remedyKey] = language == .english ? english : remedies[english]
        }
        return table
    }

    /// Keys and texts, line by line, a key that stands twice twice.
    static func pairs(_ lines: String, separator: String) -> [(String, String)] {
        lines.split(separator: "\n").compactMap { line in
            guard let range = line.firstRange(of: separator) else { return nil }
            return (String(line.prefix(upTo: range.lowerBound)), String(line.suffix(from: range.upperBound)))
        }
    }

    /// Keys that a language's file has twice, or that its lines hold without a text.
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
    /// The text of what is wrong.
    public var textKey: TextKey { TextKey("problem.\(code.rawValue)") }
    /// The text of what resolves it.
    public var remedyKey: TextKey { TextKey("problem.\(code.rawValue).remedy") }
}
