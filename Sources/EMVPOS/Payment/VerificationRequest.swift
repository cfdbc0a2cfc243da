// SPDX-License-Identifier: Apache-2.0
/// Reads a card without an amount: to find a sale, to store a card for later, to check it. It never yields an approval
/// and asks no host, so ``PaymentRequest/onlineAvailable`` does not apply: the card is not informed that the host
/// cannot be reached, because it might then request the contact chip. The permanent setting of a configuration
/// (``CombinationKernel/AmericanExpressOptions/onlineAvailable``) applies here too.
public struct VerificationRequest: Sendable, Hashable {
    public enum Reason: String, Sendable, Hashable, CaseIterable, Codable {
        /// Find a past payment of this card.
        case lookUp
        /// Store the card for later payments.
        case storeCard
        /// Check that it is genuine, or identify its holder.
        case verify
        /// Find the payment that is to be refunded; the refund itself is a ``PaymentRequest``.
        case refund
        /// Keep the card until the tab is paid.
        case openTab
    }

    public var reason: Reason
    public var currency: Currency
    /// The amount to be paid on another day with the stored card (``Reason/storeCard``); nothing is charged now.
    public var later: DueLater?
    /// See ``PaymentRequest/key``.
    public var key: ReconciliationKey?
    public var preferredApplications: [Bytes] = []
    public var supportedIssuerCountries: SupportedCountries?
    /// Further data objects of the terminal for this read.
    public var data: DataObjects = [:]
    /// How long to wait for a card; `nil`: the time in the reader's options.
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

    /// Returns the contradictions in the request, in order, before a card is requested.
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
