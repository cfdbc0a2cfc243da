// SPDX-License-Identifier: Apache-2.0
extension Receipt {
    /// The number of columns of a printer.
    public enum Width: Int, Sendable, Hashable, CaseIterable {
        case columns32 = 32
        case columns40 = 40
        case columns48 = 48
    }

    public enum Copy: Sendable, Hashable, CaseIterable {
        case customer
        /// With the data that only the merchant and the log get, and a line to sign on if a signature was requested.
        case merchant
    }

    /// The receipt as lines of at most this many columns; wide characters occupy two.
    ///
    /// Lines are in logical order. In a language from right to left each line begins with U+200F, its start is the
    /// right edge, and amounts, account numbers and codes are enclosed in isolates (U+2066 to U+2069); the printer, or
    /// its driver, shapes and orders them. These marks occupy no column.
    ///
    /// - Parameter codePage: the code page of a printer that accepts bytes: the lines then contain only its characters,
    ///   in English if it cannot print the language. `nil`: the printer accepts Unicode.
    public func lines(
        _ width: Width = .columns32, in language: Language = .english, copy: Copy = .customer,
        texts: TextCatalogue = TextCatalogue(), codePage: CodePage? = nil
    ) -> [String] {
        let printed = codePage?.receipt(self) ?? self
        let language = codePage?.language(language, texts) ?? language
        var page = ReceiptPage(columns: width.rawValue, language: language)
        for element in printed.elements(in: language, copy: copy, texts: texts) {
            page.add(codePage.map { element.printed(on: $0) } ?? element)
        }
        return page.lines
    }

    /// The lines, each with a line end.
    public func text(
        _ width: Width = .columns32, in language: Language = .english, copy: Copy = .customer,
        texts: TextCatalogue = TextCatalogue(), codePage: CodePage? = nil
    ) -> String {
        lines(width, in: language, copy: copy, texts: texts, codePage: codePage).map { $0 + "\n" }.joined()
    }
}

/// The lines of a receipt that is being built.
private struct ReceiptPage {
    let columns: Int
    let language: Language
    private(set) var lines: [String] = []

    init(columns: Int, language: Language) {
        self.columns = columns
        self.language = language
    }

    mutating func add(_ element: Receipt.Element) {
        switch element {
        case .heading(let text), .centered(let text), .result(let text): center(text)
        case .row(let label, let value), .total(let label, let value), .detail(let label, let value):
            row(label, value)
        case .signature(let label):
            blank()
            blank()
            fill("_")
            center(label)
        case .blank: blank()
        case .rule: fill("-")
        }
    }

    private mutating func blank() { lines.append("") }
    private mutating func fill(_ character: Character) { lines.append(String(repeating: character, count: columns)) }

    private mutating func center(_ text: String) {
        for line in DisplayWidth.wrapped(PrintableText.undirected(text), columns: columns) {
            add(String(repeating: " ", count: (columns - DisplayWidth.columns(line)) / 2) + directed(line))
        }
    }

    /// A label at the start of the line and its value at its end; on separate lines if they do not fit on one.
    private mutating func row(_ label: String, _ value: String) {
        let label = PrintableText.undirected(label)
        let value = PrintableText.undirected(value)
        let space = columns - DisplayWidth.columns(label) - DisplayWidth.columns(value)
        if space >= 1 {
            add(directed(label) + String(repeating: " ", count: space) + directed(value))
            return
        }
        let wrapped = DisplayWidth.wrapped(label, columns: columns)
        if let last = wrapped.last, DisplayWidth.columns(last) + 1 + DisplayWidth.columns(value) <= columns {
            for line in wrapped.dropLast() { add(directed(line)) }
            row(last, value)
            return
        }
        for line in wrapped { add(directed(line)) }
        for line in DisplayWidth.wrapped(value, columns: columns) {
            add(String(repeating: " ", count: columns - DisplayWidth.columns(line)) + directed(line))
        }
    }

    /// Non-breaking spaces in amounts are printed as plain spaces, because few code pages have them. A line in a
    /// right-to-left script starts with its direction mark.
    private mutating func add(_ line: String) {
        let plain = String(line.map { $0 == "\u{A0}" || $0 == "\u{202F}" ? " " : $0 })
        lines.append(language.isRightToLeft ? TextDirection.rightToLeftMark + plain : plain)
    }

    /// Puts amounts, account numbers, codes and names in other letters in isolates within text from right to left.
    private func directed(_ text: String) -> String {
        guard language.isRightToLeft, !text.isEmpty, !TextDirection.hasRightToLeftLetter(text) else { return text }
        return TextDirection.isolated(text, in: language)
    }
}
