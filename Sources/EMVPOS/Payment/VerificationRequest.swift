// SPDX-License-Identifier: Apache-2.0
/// Reading a card without an amount: to find a sale, to keep a card for later, to check it. It never yields an
/// approval, and no host is asked: whether the line is up (``PaymentRequest/onlineAvailable``) changes nothing of it,
/// and a card is not told that it is down, lest it send the read to the contact chip. What a configuration says of the
/// line for good (``CombinationKernel/AmericanExpressOptions/onlineAvailable``) holds here too.
public struct VerificationRequest: Sendable, Hashable {
    public enum Reason: String, Sendable, Hashable, CaseIterable, Codable {
        /// Find a past payment of this card.
        case lookUp
        /// Keep the card for later payments.
        case storeCard
        /// Check that it is genuine, or whose it is.
        case verify
        /// Find the payment that is to be refunded; the refund itself is a ``PaymentRequest``.
        case refund
        /// Keep the card until the tab is paid.
        case openTab
    }

    public var reason: Reason
    public var currency: Currency
    /// What is paid another day with the card that is kept (``Reason/storeCard``); nothing of it is charged now.
    public var later: DueLater?
    /// See ``PaymentRequest/key``.
    public var key: ReconciliationKey?
    public var preferredApplications: [Bytes] = []
    public var supportedIssuerCountries: SupportedCountries?
    /// Further data objects of the terminal for this read.
    public var data: DataObjects = [:]
    /// How long to wait for a card; `nil`: as the reader's options say.
    public var timeout: Duration?
    /// `nil`: the reader's clock.
    public var moment: LocalTime?
    /// Tag 9F41; `nil`: the reader counts.
    public var counter: UInt32?

    public init(
        reason: Reason, currency: Currency, later: DueLater? = nil, key: ReconciliationKey? = nil,
        timeout: Duration? = nil, moment: LocalTime? = nil
    ) {
        self.reason = reason
        self.currency = currency
        self.later = later
        self.key = key
        self.timeout = timeout
        self.moment = moment
    }

    /// What contradicts itself, before anybody is asked for a card; in order.
    public func validate() -> [Problem] {
        var problems = Problem.ofCurrency(currency)
        if let later {
            if later.amount.currency != currency { problems.append(Problem(.currencyConflict, input: .later)) }
            if later.amount.minorUnits == 0 { problems.append(Problem(.amountZero, input: .later)) }
            if later.amount.minorUnits > Money.maximum { problems.append(Problem(.amountTooLarge, input: .later)) }
        }
        return problems + Problem.ofPreferences(preferredApplications)
    }
}
