// SPDX-License-Identifier: Apache-2.0
/// A text for a small display or a receipt: one line, at most 128 characters, sentence case, no ending punctuation.
///
/// ```swift
/// let text = try PromptText("Card near the reader symbol")
/// ```
///
/// A problem is a noun phrase; a button and a next step are imperatives, in the form that the buttons of the language
/// have. ``TextCatalogue/issues(in:)``, which knows the language, finds sentences and courtesies.
public struct PromptText: Sendable, Hashable {
    /// Extended grapheme clusters.
    public static let maximumLength = 128

    public let description: String

    /// Throws the flaw of the text.
    public init(_ text: String) throws(PromptText.Flaw) {
        if let flaw = PromptText.flaw(of: text) { throw flaw }
        description = text
    }

    /// A text of the built-in tables, which the tests have checked.
    init(checked text: String) {
        description = text
    }

    /// Returns the first flaw that can be found without knowing the language, or `nil`.
    public static func flaw(of text: String) -> PromptText.Flaw? {
        guard let first = text.first, let last = text.last else { return .empty }
        if let scalar = text.unicodeScalars.first(where: PrintableText.disturbs) {
            return .controlCharacter(scalar.value)
        }
        if first.isWhitespace || last.isWhitespace { return .surroundingSpace }
        guard text.count <= maximumLength else { return .tooLong(text.count) }
        if endings.contains(last) { return .endsInPunctuation(last) }
        if first.isCased, !first.isUppercase { return .beginsInLowerCase(first) }
        let letters = text.filter { $0.isCased }
        if letters.count > 6, letters.allSatisfy({ $0.isUppercase }) { return .allCapitals }
        return nil
    }

    private static let endings: Set<Character> = [
        ".", "!", "?", "…", ":", ";", ",", "。", "！", "？", "．", "｡", "：", "；", "，", "、",
        "،", "؛", "؟", "‽", "¿", "¡", "-", "–", "—",
    ]
}

extension PromptText: CustomStringConvertible {}

extension PromptText {
    /// A flaw of a text.
    public enum Flaw: Error, Sendable, Hashable {
        case empty
        /// Characters of the text; 128 are allowed.
        case tooLong(Int)
        case endsInPunctuation(Character)
        case surroundingSpace
        /// Code point of a line break, another control character or a mark that changes the writing direction.
        case controlCharacter(UInt32)
        case beginsInLowerCase(Character)
        case allCapitals
        /// A capital inside the text that neither starts a name the caller allows nor an abbreviation.
        case titleCase(String)
        /// A word that occurs in neither a noun phrase nor an imperative: a pronoun, an auxiliary verb, a courtesy.
        case sentence(String)
        /// A word about payment in a text of loyalty, which is not a payment.
        case paymentWord(String)
        /// Columns of the text, and the number that its kind allows.
        case tooWide(Int, limit: Int)
        /// The English text has this name in braces and this text lacks it, or vice versa.
        case placeholder(String)
        /// The table of this language lacks the key.
        case missing
    }
}

extension PromptText.Flaw: CustomStringConvertible {
    /// Completes "The text …".
    public var description: String {
        switch self {
        case .empty: "is empty"
        case .tooLong(let count): "has \(count) characters, 128 at most"
        case .endsInPunctuation(let character): "ends in \"\(character)\", expected no ending punctuation"
        case .surroundingSpace: "begins or ends in a space"
        case .controlCharacter(let code): "holds the control character U+\(String(code, radix: 16, uppercase: true))"
        case .beginsInLowerCase(let character): "begins with \"\(character)\", expected a capital"
        case .allCapitals: "is all capitals, expected sentence case"
        case .titleCase(let word): "capitalises \"\(word)\", expected sentence case"
        case .sentence(let word): "holds \"\(word)\", expected a noun phrase or a short instruction"
        case .paymentWord(let word): "of loyalty holds the payment word \"\(word)\""
        case .tooWide(let columns, let limit): "is \(columns) columns wide, \(limit) at most"
        case .placeholder(let name): "differs from English in the placeholder {\(name)}"
        case .missing: "is missing"
        }
    }
}

#if !hasFeature(Embedded)
extension PromptText: Codable {
    public init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        if let flaw = PromptText.flaw(of: text) {
            throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: "Text \(flaw)"))
        }
        description = text
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
#endif

extension PromptText.Flaw: ExplainedError {
    public var recoverySuggestion: String {
        switch self {
        case .empty, .missing: "Add a text for this key"
        case .tooLong: "Shorten the text to at most 128 characters"
        case .endsInPunctuation: "Remove the last character"
        case .surroundingSpace: "Remove the spaces around the text"
        case .controlCharacter: "Use one line without control characters"
        case .beginsInLowerCase: "Begin with a capital"
        case .allCapitals, .titleCase: "Use sentence case, with capitals for names and abbreviations alone"
        case .sentence: "Use a noun phrase or a short instruction"
        case .paymentWord: "Use words of loyalty alone"
        case .tooWide: "Shorten the text"
        case .placeholder: "Use the same placeholders as in English"
        }
    }
}
