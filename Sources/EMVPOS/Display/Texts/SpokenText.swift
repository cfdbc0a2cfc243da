// SPDX-License-Identifier: Apache-2.0
extension TextKey {
    /// What is spoken instead of this text, where an app sets it: `spoken.message.15`.
    public var spoken: TextKey { TextKey("spoken." + rawValue) }
}

extension TextCatalogue {
    /// What a screen reader or a voice says for a text: an app's own under ``TextKey/spoken``, else the text itself.
    /// `nil` only where no language has the key.
    public func spoken(_ key: TextKey, in language: Language) -> PromptText? {
        // The text of a key in the language goes before a spoken form in another one.
        for candidate in language.fallbacks {
            if let text = self[key.spoken, candidate] { return text }
        }
        return text(key, in: language)
    }

    /// Several texts and an amount as one utterance, with the pauses of the language: `Approved, 12.50 euros`.
    public func spoken(_ keys: [TextKey], amount: Money? = nil, in language: Language) -> String {
        let texts = keys.compactMap { spoken($0, in: language)?.description }
        return Utterance.joined(texts + [amount.map { $0.spoken(in: language) }].compactMap { $0 }, in: language)
    }
}

extension Presentation {
    /// What a screen reader or a voice says of a result, in the order of the screen: headline, total, what exactly is
    /// wrong.
    ///
    /// - Parameter language: `nil`: the POS's own.
    public func spoken(_ texts: TextCatalogue = TextCatalogue(), in language: Language? = nil) -> String {
        let language = language ?? texts.language
        let parts = [
            texts.spoken(headline, in: language)?.description, total?.spoken(in: language),
            hostMessage?.description ?? detail.flatMap { texts.spoken($0, in: language)?.description },
        ]
        return Utterance.joined(parts.compactMap { $0 }, in: language)
    }
}

extension Prompt {
    /// What is spoken of a prompt: the message, the total or the amount that the kernel wants shown, and what the total
    /// is. `nil` where nothing is shown.
    ///
    /// It is not to be spoken during PIN entry beyond the message itself: amounts are, entered digits never are.
    public var spoken: String? {
        guard let spokenText else { return nil }
        let value = amount.flatMap { value in
            Currency(numeric: value.currency).map { Money(minorUnits: value.amount, currency: $0) }
        }
        let parts = [
            spokenText.description, (total ?? value)?.spoken(in: language), total == nil ? nil : note?.description,
        ]
        return Utterance.joined(parts.compactMap { $0 }, in: language)
    }
}

extension Prompt.Cue {
    /// A tone belongs to it, besides lights.
    public var hasTone: Bool {
        switch self {
        case .cardRead, .alert: true
        case .none, .steady, .ready: false
        }
    }

    /// "Card may be removed" is a tone, whatever the status says; whatever is shown has a cue.
    init(_ message: Message, _ status: UIRequest.Status, isShown: Bool) {
        switch (message, status) {
        // Before a payment: the card of the sale before is still there.
        case (.removeCard, .notReady): self = .alert
        case (.cardReadOK, _), (.removeCard, _), (_, .cardRead): self = .cardRead
        case (_, .processingError), (.processingError, _), (.notAuthorised, _), (.oneCardOnly, _): self = .alert
        case (_, .readyToRead): self = .ready
        default: self = isShown ? .steady : .none
        }
    }
}

/// Parts of what is spoken.
enum Utterance {
    static func joined(_ parts: [String], in language: Language) -> String {
        parts.joined(separator: comma(language))
    }

    /// A short pause.
    private static func comma(_ language: Language) -> String {
        for candidate in language.fallbacks {
            switch candidate {
            case .japanese: return "、"
            case .chinese, .traditionalChinese: return "，"
            case .arabic: return "، "
            default: continue
            }
        }
        return ", "
    }
}
