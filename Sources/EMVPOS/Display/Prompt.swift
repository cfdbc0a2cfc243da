// SPDX-License-Identifier: Apache-2.0
/// What a display shows to the cardholder.
public struct Prompt: Sendable, Hashable {
    /// Lights and tone that go with it.
    public enum Cue: Sendable, Hashable, CaseIterable {
        /// Nothing is shown.
        case none
        /// Lights alone: something is under way or has ended.
        case steady
        case ready
        /// The card may be removed: always with a tone.
        case cardRead
        /// With a tone.
        case alert
    }

    public var message: Message
    public var status: UIRequest.Status
    /// Of the text: the message's own, or another that takes its place (``Prelude``).
    public var key: TextKey
    /// `nil`: nothing is to be shown.
    public var text: PromptText?
    /// For a screen reader or a voice: the text, or what an app has it say instead (``TextKey/spoken``).
    public var spokenText: PromptText?
    /// Of the text: the card's preferred one once that is known.
    public var language: Language
    /// Shown at least so long.
    public var hold: Duration
    /// An amount or a balance that the kernel wants shown.
    public var amount: UIRequest.Value?
    /// What is to be paid; `nil` without a payment.
    public var total: Money?
    /// What is paid another day, where nothing is due now.
    public var later: DueLater?
    /// What the total is, where it is not final: pending, or paid again every month.
    public var note: PromptText?
    /// Who is paid, and through whom.
    public var merchant: String?
    public var cue: Cue

    public init(
        _ request: UIRequest, texts: TextCatalogue = TextCatalogue(), payment: PaymentRequest? = nil,
        verification: VerificationRequest? = nil
    ) {
        message = request.message
        status = request.status
        language = texts.language(preferred: request.language)
        key = .message(request.message)
        text = texts.text(.message(request.message), in: language)
        hold = request.hold
        amount = request.value
        later = verification?.later
        total = payment?.amount ?? later.map { Money(minorUnits: 0, currency: $0.amount.currency) }
        note = (payment?.noteKey ?? later.map { _ in TextKey("amount.later") }).flatMap { [language] in
            texts.text($0, in: language)
        }
        merchant = payment?.merchant?.displayName
        spokenText = texts.spoken(.message(request.message), in: language)
        cue = Cue(request.message, request.status, isShown: text != nil)
    }
}

extension UIRequest {
    /// With the card's own preference (5F2D) where the kernel named none.
    package func preferring(_ preference: Bytes?) -> UIRequest {
        guard language.isEmpty, let preference else { return self }
        var request = self
        request.language = String(decoding: preference, as: UTF8.self)
        return request
    }
}
