// SPDX-License-Identifier: Apache-2.0
extension Receipt {
    /// Columns of a printer.
    public enum Width: Int, Sendable, Hashable, CaseIterable {
        case columns32 = 32
        case columns40 = 40
        case columns48 = 48
    }

    public enum Copy: Sendable, Hashable, CaseIterable {
        case customer
        /// With what only the merchant and the log are told, and a line to sign on where a signature was asked for.
        case merchant
    }

    /// The receipt as lines of at most so many columns; wide characters take two.
    ///
    /// Lines are in logical order. In a language from right to left each begins with U+200F, its start is the right
    /// edge, and amounts, account numbers and codes stand in isolates (U+2066 to U+2069); the printer, or its driver,
    /// shapes and orders them. These marks take no column.
    public func lines(
        _ width: Width = .columns32, in language: Language = .english, copy: Copy = .customer,
        texts: TextCatalogue = TextCatalogue()
    ) -> [String] {
        var page = ReceiptPage(columns: width.rawValue, language: language, texts: texts)
        head(&page, copy)
        amounts(&page)
        page.rule()
        cardLines(&page)
        decision(&page, copy)
        if copy == .merchant, verification == .signature, isSigned {
            page.blank()
            page.blank()
            page.fill("_")
            page.center(page.text("receipt.signature"))
        }
        return page.lines
    }

    /// The lines, each ended.
    public func text(
        _ width: Width = .columns32, in language: Language = .english, copy: Copy = .customer,
        texts: TextCatalogue = TextCatalogue()
    ) -> String {
        lines(width, in: language, copy: copy, texts: texts).map { $0 + "\n" }.joined()
    }

    private func head(_ page: inout ReceiptPage, _ copy: Copy) {
        page.center(merchant.name)
        if let city = merchant.city { page.center(city) }
        if let via = merchant.via { page.pair("receipt.via", via) }
        page.blank()
        page.center(page.text("receipt.\(kind.rawValue)"))
        page.center(page.text(copy == .customer ? "receipt.customerCopy" : "receipt.merchantCopy"))
        page.row(page.date(moment.date), "\(moment.time)")
        if let identifier = merchant.identifier { page.pair("receipt.merchant", identifier) }
        if let terminal { page.pair("receipt.terminal", terminal) }
        if let counter { page.pair("receipt.sequence", String(counter)) }
        if let reference { page.pair("receipt.reference", reference) }
        page.rule()
    }

    /// By a cardholder who is there.
    private var isSigned: Bool {
        switch result {
        case .approved, .approvedOffline, .accepted: true
        case .declined, .approvedLater, .declinedLater, .notCompleted, .unknown, .verified: false
        }
    }

    private func amounts(_ page: inout ReceiptPage) {
        for line in lines {
            let amount = line.minorUnits.map { page.number($0, total.currency) } ?? page.text("amount.pending")
            page.row(line.label, amount)
        }
        if let cashBack { page.pair("amount.cashBack", page.money(cashBack)) }
        if kind != .verification || total.minorUnits > 0 { page.pair("amount.total", page.money(total)) }
        if let note { page.center(page.text(note.rawValue)) }
    }

    private func cardLines(_ page: inout ReceiptPage) {
        if let card { page.pair("receipt.card", card.description) }
        if let cardSequence { page.pair("receipt.cardSequence", cardSequence) }
        page.pair("receipt.entry", page.text("receipt.contactless"))
        if let applicationLabel, !applicationLabel.isEmpty { page.pair("receipt.application", applicationLabel) }
        if !applicationIdentifier.isEmpty { page.row("AID", applicationIdentifier) }
        if let verificationResults { page.row("TVR", verificationResults) }
        if let statusInformation { page.row("TSI", statusInformation) }
        if let transactionCounter { page.row("ATC", String(transactionCounter)) }
        if let cryptogram {
            page.row(page.text("receipt.cryptogram"), "\(cryptogram.kind.rawValue) \(cryptogram.value)")
        }
        if let verification, verification != .notApplicable {
            page.pair("receipt.verified", page.text("receipt.cvm.\(verification.rawValue)"))
        }
    }

    private func decision(_ page: inout ReceiptPage, _ copy: Copy) {
        if let authorizationCode, !authorizationCode.isEmpty {
            page.pair("receipt.authorizationCode", authorizationCode)
        }
        // Why an issuer refused is for the merchant alone.
        if let responseCode, copy == .merchant || result != .declined && result != .declinedLater {
            page.pair("receipt.responseCode", responseCode)
        }
        page.blank()
        page.center(page.text(result == .verified ? "receipt.verifiedCard" : "receipt.\(result.rawValue)"))
    }
}

/// Lines of a receipt under way.
private struct ReceiptPage {
    let columns: Int
    let language: Language
    let texts: TextCatalogue
    private(set) var lines: [String] = []

    init(columns: Int, language: Language, texts: TextCatalogue) {
        self.columns = columns
        self.language = language
        self.texts = texts
    }

    func text(_ key: String) -> String { texts.text(TextKey(key), in: language)?.description ?? key }
    func money(_ money: Money) -> String { money.text(in: language) }

    func number(_ minorUnits: Int64, _ currency: Currency) -> String {
        let format = MoneyFormat.of(language)
        let number = format.number(minorUnits, exponent: currency.exponent)
        return format.isCodeFirst
            ? currency.code + MoneyFormat.space + number : number + MoneyFormat.space + currency.code
    }

    func date(_ date: CalendarDate) -> String {
        let parts = "\(date)".split(separator: "-").map(String.init)
        for language in language.fallbacks {
            switch language {
            case .german, .polish, .czech, .finnish, .norwegian, .danish, .turkish:
                return parts.reversed().joined(separator: ".")
            case .french, .spanish, .italian, .portuguese, .arabic: return parts.reversed().joined(separator: "/")
            case .dutch: return parts.reversed().joined(separator: "-")
            case .japanese, .chinese, .traditionalChinese: return parts.joined(separator: "/")
            default: continue
            }
        }
        return "\(date)"
    }

    mutating func blank() { lines.append("") }
    mutating func rule() { fill("-") }
    mutating func fill(_ character: Character) { lines.append(String(repeating: character, count: columns)) }

    mutating func center(_ text: String) {
        for line in DisplayWidth.wrapped(clean(text), columns: columns) {
            add(String(repeating: " ", count: (columns - DisplayWidth.columns(line)) / 2) + directed(line))
        }
    }

    mutating func pair(_ key: String, _ value: String) { row(text(key), value) }

    /// A label at the start of the line and its value at its end; on lines of their own where one does not hold both.
    mutating func row(_ label: String, _ value: String) {
        let label = clean(label)
        let value = clean(value)
        let space = columns - DisplayWidth.columns(label) - DisplayWidth.columns(value)
        if space >= 1 {
            add(directed(label) + String(repeating: " ", count: space) + directed(value))
            return
        }
        let wrapped = DisplayWidth.wrapped(label, columns: columns)
        if let last = wrapped.last, wrapped.count > 1,
            DisplayWidth.columns(last) + 1 + DisplayWidth.columns(value) <= columns
        {
            for line in wrapped.dropLast() { add(directed(line)) }
            row(last, value)
            return
        }
        for line in wrapped { add(directed(line)) }
        for line in DisplayWidth.wrapped(value, columns: columns) {
            add(String(repeating: " ", count: columns - DisplayWidth.columns(line)) + directed(line))
        }
    }

    /// Spaces that kept an amount on its line are plain ones on paper: few code pages have others. A line of a script
    /// from right to left says so at its start.
    private mutating func add(_ line: String) {
        let plain = String(line.map { $0 == "\u{A0}" || $0 == "\u{202F}" ? " " : $0 })
        lines.append(language.isRightToLeft ? TextDirection.rightToLeftMark + plain : plain)
    }

    /// Amounts, account numbers and codes, and names in other letters, in isolates between text from right to left.
    private func directed(_ text: String) -> String {
        guard language.isRightToLeft, !text.isEmpty, !TextDirection.hasRightToLeftLetter(text) else { return text }
        return TextDirection.isolated(text, in: language)
    }

    /// No control character, and no mark that turns the direction, reaches a printer, whoever wrote it.
    private func clean(_ text: String) -> String {
        String(
            TextDirection.unmarked(text).map { character in
                character.unicodeScalars.contains {
                    [.control, .lineSeparator, .paragraphSeparator].contains($0.properties.generalCategory)
                } ? " " : character
            })
    }
}
