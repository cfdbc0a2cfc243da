// SPDX-License-Identifier: Apache-2.0
/// A payment to be made with a card. The amount is final, or the estimate to be authorised: the card signs exactly this
/// amount, unless ``amountChange`` changes it.
public struct PaymentRequest: Sendable, Hashable {
    public enum Kind: Sendable, Hashable {
        case purchase
        case cash
        /// A purchase that includes this much cash back; in the amount's currency.
        case cashBack(Money)
        case refund
    }

    public enum PaymentCycle: String, Sendable, Hashable, CaseIterable, Codable {
        case weekly, monthly, yearly
    }

    /// Whether the amount is final, an estimate, or part of a series.
    public enum Terms: Sendable, Hashable {
        /// The amount that will be charged.
        case final
        /// An estimate: this amount is authorised in advance, the amount charged later may be lower.
        case estimated
        /// The first payment of a series without a fixed end.
        case membership(PaymentCycle)
        /// The first payment of an instalment plan with this number of payments, each of this amount.
        case installment(PaymentCycle, amount: Money, payments: Int)
    }

    public internal(set) var amount: Money
    public var kind: Kind
    public var terms: Terms
    /// The key of this tap; `nil`: the reader makes one at every read, and reports it before the field is on
    /// (``TapEvent/started(_:)``). Set a key to store it before the tap. Use a new one for every tap (``renewed()``),
    /// because a read with the key of an earlier tap fails. A key is used up once `.started` was published, regardless
    /// of the ending; a read that was rejected before that leaves it unused.
    public var key: ReconciliationKey?
    /// The order that is paid. With a journal, an order that is paid, or possibly paid by an open tap, accepts no
    /// further tap unless ``due`` leaves an amount to pay.
    public var sale: SaleReference?
    /// The maximum price of the whole sale, if it is paid in parts; `nil`: this amount.
    public var due: Money?
    /// `true` accepts a partial approval (``Approval/approvedAmount``); otherwise it is reversed.
    public var acceptsPartialApproval: Bool = false
    /// Application identifiers of 5 to 16 bytes that take precedence over the card's own order, the first before the
    /// second. Those that the card lacks are skipped.
    public var preferredApplications: [Bytes] = []
    /// Countries whose cards are accepted; `nil`: all.
    public var supportedIssuerCountries: SupportedCountries?
    /// The payee, for the prompt and the card (9F4E); `nil`: the one in the reader's options.
    public var merchant: Merchant?
    /// The lines that make up the amount.
    public var bill: Bill?
    /// `false`: the host cannot be reached now, and the app knows it. Kernel 4 then makes no online request: payments
    /// that are not approved offline are declined, or continue with the contact chip. The other kernels' specifications
    /// have no such case; they decide as always. A ``VerificationRequest`` asks no host and has no such property.
    public var onlineAvailable: Bool = true
    /// Further data objects of the terminal for this transaction.
    public var data: DataObjects = [:]
    /// How long to wait for a card; `nil`: the time in the reader's options.
    public var timeout: Duration?
    /// Date and time of the transaction; `nil`: the reader's clock.
    public var moment: LocalTime?
    /// Tag 9F41; `nil`: the reader counts.
    public var counter: UInt32?
    /// Asks the app for another total when the card is known; `nil`: the requested amount is charged.
    public var amountChange: AmountChange?

    public init(
        amount: Money, kind: Kind = .purchase, terms: Terms = .final, key: ReconciliationKey? = nil,
        sale: SaleReference? = nil, due: Money? = nil, timeout: Duration? = nil, moment: LocalTime? = nil
    ) {
        self.amount = amount
        self.kind = kind
        self.terms = terms
        self.key = key
        self.sale = sale
        self.due = due
        self.timeout = timeout
        self.moment = moment
    }

    /// A payment of the bill's total; with a pending line it is an estimate.
    public init(_ bill: Bill, kind: Kind = .purchase, merchant: Merchant? = nil, key: ReconciliationKey? = nil) {
        self.init(amount: bill.total, kind: kind, terms: bill.isPending ? .estimated : .final, key: key)
        self.merchant = merchant
        self.bill = bill
    }

    /// Returns a copy of this payment for another tap, with a new key.
    public func renewed() -> PaymentRequest {
        var request = self
        request.key = ReconciliationKey()
        return request
    }

    /// Returns whether another total needs a new tap: only if it is higher than the amount that the card signed, or in
    /// another currency. A lower one is captured or refunded (``FollowUp``) without the card.
    public func needsNewTap(for total: Money) -> Bool {
        total.currency != amount.currency || total.minorUnits > amount.minorUnits
    }

    /// Returns the contradictions in the request, in order, before a card is requested.
    public func validate() -> [Problem] {
        var problems = Problem.ofCurrency(amount.currency)
        if amount.minorUnits == 0 { problems.append(Problem(.amountZero)) }
        if amount.minorUnits > Money.maximum { problems.append(Problem(.amountTooLarge)) }
        if case .cashBack(let part) = kind {
            if part.currency != amount.currency { problems.append(Problem(.currencyConflict, input: .cashBack)) }
            if part.minorUnits == 0 { problems.append(Problem(.cashBackZero)) }
            if part.currency == amount.currency, part.minorUnits > amount.minorUnits {
                problems.append(Problem(.cashBackAboveAmount, amount: amount))
            }
        }
        if let due {
            if due.currency != amount.currency { problems.append(Problem(.currencyConflict, input: .due)) }
            if due.currency == amount.currency, due.minorUnits < mostAmount.minorUnits {
                let input: Problem.Input = due.minorUnits < amount.minorUnits ? .amount : .ceiling
                problems.append(Problem(.amountAboveDue, amount: due, input: input))
            }
        }
        if let ceiling = amountChange?.ceiling {
            if ceiling.currency != amount.currency { problems.append(Problem(.currencyConflict, input: .ceiling)) }
            if ceiling.minorUnits > Money.maximum { problems.append(Problem(.amountTooLarge, input: .ceiling)) }
        }
        if case .installment(_, let part, _) = terms, part.currency != amount.currency {
            problems.append(Problem(.currencyConflict, input: .installment))
        }
        if let bill {
            if bill.total.currency != amount.currency { problems.append(Problem(.currencyConflict, input: .lines)) }
            if bill.total != amount { problems.append(Problem(.lineItemsMismatch, amount: bill.total)) }
            // An amount with a pending line is not final.
            if bill.isPending, terms == .final {
                problems.append(Problem(.lineItemsMismatch, detail: "a line is pending"))
            }
        }
        return problems + Problem.ofPreferences(preferredApplications)
    }
}

extension PaymentRequest {
    /// The text next to the amount; `nil` for a final amount.
    public var noteKey: TextKey? {
        switch terms {
        case .final: nil
        case .estimated: TextKey(bill?.isPending == true ? "amount.pending" : "amount.preauthorization")
        case .membership(let cycle): TextKey("amount.membership.\(cycle.rawValue)")
        case .installment(let cycle, _, _): TextKey("amount.installment.\(cycle.rawValue)")
        }
    }
}

extension Problem {
    static func ofCurrency(_ currency: Currency) -> [Problem] {
        guard (1...999).contains(currency.numeric), currency.exponent <= 4 else {
            return [Problem(.currencyInvalid, detail: "\(currency.numeric), \(currency.exponent) decimals")]
        }
        return []
    }

    static func ofPreferences(_ preferred: [Bytes]) -> [Problem] {
        preferred.enumerated().filter { !(5...16).contains($0.element.count) }.map {
            Problem(
                .preferredApplicationInvalid, detail: Hex.string($0.element), input: .preferredApplication($0.offset))
        }
    }

    /// Returns a problem if issuer data exceed the kernel's limit; otherwise `nil`.
    package static func ofIssuerData(_ data: DataObjects?) -> Problem? {
        guard let size = data?.encoded.count, size > KernelSession.issuerDataLimit else { return nil }
        return Problem(.issuerDataTooLong, detail: "\(size) bytes, at most \(KernelSession.issuerDataLimit)")
    }
}

/// Which cards are accepted, by the country of their issuer (5F28, 5F55, 5F56).
public struct SupportedCountries: Sendable, Hashable {
    /// The decision for a card that does not state its country.
    public enum Unknown: String, Sendable, Hashable, CaseIterable, Codable {
        case accept, refuse
    }

    public var countries: Set<Country>
    public var unknown: Unknown

    public init(_ countries: Set<Country>, unknown: Unknown = .accept) {
        self.countries = countries
        self.unknown = unknown
    }
}

/// The result of asking the issuer.
public enum IssuerAnswer: Sendable, Hashable {
    /// Data objects of the issuer: 8A, 91, 71, 72, up to ``KernelSession/issuerDataLimit`` bytes; empty: an answer
    /// without data objects. After Request Online PIN it is the answer to the request that carried the PIN; the PIN is
    /// sent as an encrypted block and never passes through here.
    case response(DataObjects)
    /// No answer came.
    case unableToGoOnline
    /// After Request Online PIN: the cardholder entered no PIN, and no request was sent.
    case pinNotCaptured
}
