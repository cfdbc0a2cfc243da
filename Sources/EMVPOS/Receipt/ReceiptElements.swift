// SPDX-License-Identifier: Apache-2.0
extension Receipt {
    /// One element of a receipt, for apps that do their own layout. Texts are in logical order and without direction
    /// marks.
    public enum Element: Sendable, Hashable {
        /// The payee.
        case heading(String)
        case centered(String)
        case row(String, String)
        case total(String, String)
        /// Data by which a card organisation finds the payment: identifiers, results, the cryptogram.
        case detail(String, String)
        /// The result.
        case result(String)
        /// A line to sign on, and the text below it.
        case signature(String)
        case blank, rule
    }

    /// The elements of the receipt, in order. Every layout of EMVKit is made from them.
    public func elements(
        in language: Language = .english, copy: Copy = .customer, texts: TextCatalogue = TextCatalogue()
    ) -> [Element] {
        var content = ReceiptContent(language: language, texts: texts)
        head(&content, copy)
        amounts(&content, copy)
        content.elements.append(.rule)
        cardLines(&content)
        decision(&content, copy)
        if copy == .merchant, verification == .signature, isSigned {
            content.elements.append(.signature(content.text("receipt.signature")))
        }
        return content.elements
    }

    private func head(_ content: inout ReceiptContent, _ copy: Copy) {
        content.elements.append(.heading(merchant.name))
        if let city = merchant.city { content.elements.append(.centered(city)) }
        if let via = merchant.via { content.pair("receipt.via", via) }
        content.elements.append(.blank)
        content.center("receipt.\(kind.rawValue)")
        content.center(copy == .customer ? "receipt.customerCopy" : "receipt.merchantCopy")
        content.elements.append(.row(moment.date.text(in: content.language), "\(moment.time)"))
        if let identifier = merchant.identifier { content.pair("receipt.merchant", identifier) }
        if let terminal { content.pair("receipt.terminal", terminal) }
        if let counter { content.pair("receipt.sequence", String(counter)) }
        if let reference { content.pair("receipt.reference", reference) }
        if let original { content.pair("receipt.original", original) }
        content.elements.append(.rule)
    }

    /// True if a cardholder who is present signs it.
    var isSigned: Bool {
        switch result {
        case .approved, .approvedOffline, .accepted: true
        case .declined, .approvedLater, .declinedLater, .notCompleted, .unknown, .verified: false
        }
    }

    private func amounts(_ content: inout ReceiptContent, _ copy: Copy) {
        for line in lines {
            let amount = line.minorUnits.map { content.number($0, total.currency) } ?? content.text("amount.pending")
            content.elements.append(.row(line.label(in: content.language, texts: content.texts), amount))
        }
        if let cashBack { content.pair("amount.cashBack", content.money(cashBack)) }
        if kind != .verification || total.minorUnits > 0 || later != nil {
            content.elements.append(.total(content.text("amount.total"), content.money(total)))
        }
        if let approvedAmount, let amountDue {
            content.pair("amount.approved", content.money(approvedAmount))
            content.pair("amount.due", content.money(amountDue))
        }
        if copy == .customer, let balance { content.pair("amount.balance", content.money(balance)) }
        if let later {
            content.pair("amount.later", content.money(later.amount))
            if let day = later.day { content.pair("amount.later.day", day.text(in: content.language)) }
        }
        if let note { content.center(note.rawValue) }
    }

    private func cardLines(_ content: inout ReceiptContent) {
        if let card { content.pair("receipt.card", card.description) }
        if let cardSequence { content.pair("receipt.cardSequence", cardSequence) }
        if original == nil { content.pair("receipt.entry", content.text("receipt.contactless")) }
        if let applicationLabel, !applicationLabel.isEmpty { content.pair("receipt.application", applicationLabel) }
        if !applicationIdentifier.isEmpty { content.elements.append(.detail("AID", applicationIdentifier)) }
        if let verificationResults { content.elements.append(.detail("TVR", verificationResults)) }
        if let statusInformation { content.elements.append(.detail("TSI", statusInformation)) }
        if let transactionCounter { content.elements.append(.detail("ATC", String(transactionCounter))) }
        if let cryptogram {
            let value = "\(cryptogram.kind.rawValue) \(cryptogram.value)"
            content.elements.append(.detail(content.text("receipt.cryptogram"), value))
        }
        if let verification, ![Outcome.CVM.none, .notApplicable].contains(verification) {
            content.pair("receipt.verified", content.text("receipt.cvm.\(verification.rawValue)"))
        }
    }

    private func decision(_ content: inout ReceiptContent, _ copy: Copy) {
        if let authorizationCode, !authorizationCode.isEmpty {
            content.pair("receipt.authorizationCode", authorizationCode)
        }
        // The issuer's reason for a refusal is only for the merchant.
        if let responseCode, copy == .merchant || result != .declined && result != .declinedLater {
            content.pair("receipt.responseCode", responseCode)
        }
        content.elements.append(.blank)
        let key = result == .verified ? "receipt.verifiedCard" : "receipt.\(result.rawValue)"
        content.elements.append(.result(content.text(key)))
        if let effect { content.center(effect) }
    }

    /// The result's effect on the customer's money, if it is certain and the result does not already state it.
    private var effect: String? {
        switch result {
        case .declined, .declinedLater, .notCompleted:
            switch kind {
            case .refund: "receipt.nothingRefunded"
            // The original payment is not changed.
            case .void: nil
            case .purchase, .cash, .cashBack, .verification, .capture, .increment: "receipt.nothingCharged"
            }
        case .approved, .approvedLater:
            note == TextKey("amount.preauthorization") || note == TextKey("amount.pending")
                ? "receipt.notYetCharged" : nil
        case .approvedOffline, .accepted, .unknown, .verified: nil
        }
    }
}

/// The elements of a receipt that is being built.
private struct ReceiptContent {
    let language: Language
    let texts: TextCatalogue
    var elements: [Receipt.Element] = []

    init(language: Language, texts: TextCatalogue) {
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

    mutating func center(_ key: String) { elements.append(.centered(text(key))) }
    mutating func pair(_ key: String, _ value: String) { elements.append(.row(text(key), value)) }
}

extension CalendarDate {
    /// The date in digits, as the language writes it; ISO 8601 if the language has no convention here.
    public func text(in language: Language) -> String {
        let parts = "\(self)".split(separator: "-").map(String.init)
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
        return "\(self)"
    }
}
