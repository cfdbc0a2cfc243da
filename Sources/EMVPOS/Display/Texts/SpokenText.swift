// SPDX-License-Identifier: Apache-2.0
extension TextKey {
    /// The key of the text that is spoken instead of this one, if an app sets it: `spoken.message.15`.
    public var spoken: TextKey { TextKey("spoken." + rawValue) }
}

extension TextCatalogue {
    /// The words of a screen reader or a voice for a text: an app's own under ``TextKey/spoken``, otherwise the text
    /// itself. `nil` only if no language has the key.
    public func spoken(_ key: TextKey, in language: Language) -> PromptText? {
        // A text in this language takes precedence over a spoken form in another one.
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
    /// The words of a screen reader or a voice for a result, in the order of the screen: headline, total, details of
    /// the problem.
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
    /// The spoken form of a prompt: the message, the total or the amount that the kernel asks to show, and the note on
    /// the total. `nil` if nothing is shown.
    ///
    /// During PIN entry speak only the message: amounts may be spoken, but entered digits never.
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
    /// True if the cue has a tone in addition to lights.
    public var hasTone: Bool {
        switch self {
        case .cardRead, .alert: true
        case .none, .steady, .ready: false
        }
    }

    /// "Card may be removed" has a tone with every status; every displayed message has a cue.
    init(_ message: Message, _ status: UIRequest.Status, isShown: Bool) {
        switch (message, status) {
        // Before a payment: the card of the previous sale is still in the field.
        case (.removeCard, .notReady): self = .alert
        case (.cardReadOK, _), (.removeCard, _), (_, .cardRead): self = .cardRead
        case (_, .processingError), (.processingError, _), (.notAuthorised, _), (.oneCardOnly, _): self = .alert
        case (_, .readyToRead): self = .ready
        default: self = isShown ? .steady : .none
        }
    }
}

/// Joins the parts of a spoken text.
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
