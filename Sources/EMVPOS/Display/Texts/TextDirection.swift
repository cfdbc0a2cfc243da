// SPDX-License-Identifier: Apache-2.0
extension Language {
    /// True if the language is written from right to left: paragraphs start at the right, and amounts, account numbers
    /// and codes in them need isolates.
    public var isRightToLeft: Bool {
        let tag = LanguageTag(rawValue)
        if let script = tag.script { return TextDirection.rightToLeftScripts.contains(script) }
        return TextDirection.rightToLeftLanguages.contains(tag.language)
    }
}

/// Marks of the bidirectional algorithm (Unicode Annex 9). Texts are stored in logical order; displays and printers
/// shape and order them.
public enum TextDirection {
    static let rightToLeftLanguages: Set<String> = ["ar", "fa", "he", "iw", "ji", "ku", "ps", "ur", "yi"]
    static let rightToLeftScripts: Set<String> = ["Arab", "Hebr", "Thaa", "Syrc"]

    /// Puts text that runs from left to right, such as an amount, an account number or a code, in an isolate (U+2066,
    /// U+2069) if the language around it is written from right to left; otherwise returns it unchanged.
    public static func isolated(_ text: String, in language: Language) -> String {
        language.isRightToLeft ? "\u{2066}\(text)\u{2069}" : text
    }

    /// Makes a line run from right to left, regardless of its first letters (U+200F). It occupies no column.
    static let rightToLeftMark = "\u{200F}"

    /// Removes marks that change the direction, because marks in a text from outside could move the amounts next to it.
    static func unmarked(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.filter { !isMark($0) }))
    }

    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true
        default: false
        }
    }

    /// Returns true if the text has a letter of a script that is written from right to left.
    static func hasRightToLeftLetter(_ text: String) -> Bool {
        text.unicodeScalars.contains {
            (0x0590...0x08FF).contains($0.value) && $0.properties.isAlphabetic
                || (0xFB1D...0xFDFF).contains($0.value) || (0xFE70...0xFEFC).contains($0.value)
        }
    }
}
