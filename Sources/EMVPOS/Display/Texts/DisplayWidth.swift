// SPDX-License-Identifier: Apache-2.0
/// The number of columns that a text occupies on a display or a printer of fixed width.
public enum DisplayWidth {
    /// Columns of a text: two for wide East Asian characters and pictures, none for combining marks, one for all other
    /// characters.
    public static func columns(_ text: some StringProtocol) -> Int {
        text.reduce(0) { $0 + columns($1) }
    }

    public static func columns(_ character: Character) -> Int {
        let scalars = character.unicodeScalars
        let sum = scalars.reduce(0) { $0 + columns($1) }
        // An emoji made of several joined emoji.
        return sum > 2 && scalars.first?.properties.isEmoji == true ? 2 : sum
    }

    private static func columns(_ scalar: Unicode.Scalar) -> Int {
        // Hangul vowels and finals join the consonant before them.
        if (0x1160...0x11FF).contains(scalar.value) { return 0 }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .control: return 0
        default: return wide.contains { $0.contains(scalar.value) } ? 2 : 1
        }
    }

    /// Wide and full-width ranges of the East Asian Width property (Unicode Annex 11), and pictures.
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA000...0xA4CF,
        0xA960...0xA97C,
        0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6,
        0x1F300...0x1F64F,
        0x1F680...0x1F6FF, 0x1F900...0x1F9FF, 0x20000...0x3FFFD,
    ]

    /// Returns the longest beginning of a text that fits.
    static func prefix(_ text: String, columns limit: Int) -> String {
        var used = 0
        return String(
            text.prefix { character in
                used += columns(character)
                return used <= limit
            })
    }

    /// Breaks a text into lines of at most this many columns: at spaces, and between any two wide characters.
    static func wrapped(_ text: String, columns limit: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        for word in pieces(text) {
            if columns(line) + columns(word) <= limit {
                line += word
                continue
            }
            if !line.isEmpty { lines.append(line) }
            var rest = word.hasPrefix(" ") ? String(word.dropFirst()) : word
            while columns(rest) > limit {
                let part = prefix(rest, columns: limit)
                lines.append(part)
                rest = String(rest.dropFirst(part.count))
            }
            line = rest
        }
        if !line.isEmpty || lines.isEmpty { lines.append(line) }
        return lines
    }

    /// Splits a text into words, each with the space before it; every wide character is a separate piece.
    private static func pieces(_ text: String) -> [String] {
        var pieces: [String] = []
        for character in text {
            if character == " " || columns(character) == 2 || pieces.isEmpty {
                pieces.append(String(character))
            } else if let last = pieces.last?.last, columns(last) == 2 {
                pieces.append(String(character))
            } else {
                pieces[pieces.count - 1].append(character)
            }
        }
        return pieces
    }
}
