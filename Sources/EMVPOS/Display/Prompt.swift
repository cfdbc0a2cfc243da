// SPDX-License-Identifier: Apache-2.0
/// The content of the cardholder's display.
public struct Prompt: Sendable, Hashable {
    /// Lights and tone for it.
    public enum Cue: Sendable, Hashable, CaseIterable {
        /// Nothing is shown.
        case none
        /// Lights only: an activity is in progress or has ended.
        case steady
        case ready
        /// The card may be removed. Always with a tone.
        case cardRead
        /// With a tone.
        case alert
    }

    public var message: Message
    public var status: UIRequest.Status
    /// The key of the text: the message's own, or a replacement (``Prelude``).
    public var key: TextKey
    /// `nil`: nothing is shown.
    public var text: PromptText?
    /// For a screen reader or a voice: the text, or the app's spoken replacement (``TextKey/spoken``).
    public var spokenText: PromptText?
    /// The language of the text: the card's preferred one once it is known.
    public var language: Language
    /// Minimum time for which it is shown.
    public var hold: Duration
    /// An amount or a balance that the kernel asks to show.
    public var amount: UIRequest.Value?
    /// The amount to pay; `nil` without a payment.
    public var total: Money?
    /// The amount to be paid on another day, if nothing is due now.
    public var later: DueLater?
    /// A note on a total that is not final: pending, or paid again every month.
    public var note: PromptText?
    /// The name of the merchant, and of the intermediary if there is one.
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
    /// Adds the card's own preference (5F2D) if the kernel named no language.
    package func preferring(_ preference: Bytes?) -> UIRequest {
        guard language.isEmpty, let preference else { return self }
        var request = self
        request.language = String(decoding: preference, as: UTF8.self)
        return request
    }
}
