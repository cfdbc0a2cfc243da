// SPDX-License-Identifier: Apache-2.0
/// What to take from a card. The amount is final, or the estimate that is authorised: it is signed as it stands here,
/// unless ``amountChange`` makes it another one.
public struct PaymentRequest: Sendable, Hashable {
    public enum Kind: Sendable, Hashable {
        case purchase
        case cash
        /// A purchase of which this part is paid out; same currency.
        case cashBack(Money)
        case refund
    }

    public enum PaymentCycle: String, Sendable, Hashable, CaseIterable, Codable {
        case weekly, monthly, yearly
    }

    /// What the amount is.
    public enum Terms: Sendable, Hashable {
        /// What will be taken.
        case final
        /// An estimate: this much is authorised beforehand, what is taken later may be less.
        case estimated
        /// The first of payments that go on until they are ended.
        case membership(PaymentCycle)
        /// The first of so many payments, each of this amount.
        case installment(PaymentCycle, amount: Money, payments: Int)
    }

    public internal(set) var amount: Money
    public var kind: Kind
    public var terms: Terms
    /// Names this tap; `nil`: the reader makes one at every read, and tells it before the field is on
    /// (``TapEvent/started(_:)``). Give one to have it stored before the tap; a new one for every tap
    /// (``renewed()``), since a read with the key of an earlier tap fails. A key is used up once `.started` was
    /// published, whatever the ending; a read that was refused before leaves it free.
    public var key: ReconciliationKey?
    /// The order that is paid. With a journal, one that is paid, or may be by a tap that is open, takes no further tap
    /// unless ``due`` leaves something to pay.
    public var sale: SaleReference?
    /// What the whole sale costs at most, where it is paid in parts; `nil`: this amount.
    public var due: Money?
    /// Takes an approval of a part (``Approval/approvedAmount``); otherwise it is reversed.
    public var acceptsPartialApproval: Bool = false
    /// Application identifiers of 5 to 16 bytes that go before the card's own order, the first before the second. Those
    /// the card lacks are passed over.
    public var preferredApplications: [Bytes] = []
    /// Countries whose cards are taken; `nil`: all.
    public var supportedIssuerCountries: SupportedCountries?
    /// Who is paid, for the prompt and the card (9F4E); `nil`: as the reader's options say.
    public var merchant: Merchant?
    /// The lines behind the amount.
    public var bill: Bill?
    /// `false`: the host cannot be reached now, and the app knows it. Kernel 4 then makes no online request: what is
    /// not approved offline is declined, or goes to the contact chip. The books of the other kernels know no line that
    /// is down; they decide as always. A ``VerificationRequest`` asks no host and has no such property.
    public var onlineAvailable: Bool = true
    /// Further data objects of the terminal for this transaction.
    public var data: DataObjects = [:]
    /// How long to wait for a card; `nil`: as the reader's options say.
    public var timeout: Duration?
    /// Date and time of the transaction; `nil`: the reader's clock.
    public var moment: LocalTime?
    /// Tag 9F41; `nil`: the reader counts.
    public var counter: UInt32?
    /// Asks the app for another total when the card is known; `nil`: the amount is taken as it stands.
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

    /// The total of a bill; with a pending line it is an estimate.
    public init(_ bill: Bill, kind: Kind = .purchase, merchant: Merchant? = nil, key: ReconciliationKey? = nil) {
        self.init(amount: bill.total, kind: kind, terms: bill.isPending ? .estimated : .final, key: key)
        self.merchant = merchant
        self.bill = bill
    }

    /// The same payment for another tap: with a new key.
    public func renewed() -> PaymentRequest {
        var request = self
        request.key = ReconciliationKey()
        return request
    }

    /// The card has signed this amount: another total needs a new tap only where it is higher, or in another currency.
    /// A lower one is captured or refunded (``FollowUp``) without the card.
    public func needsNewTap(for total: Money) -> Bool {
        total.currency != amount.currency || total.minorUnits > amount.minorUnits
    }

    /// What contradicts itself, before anybody is asked for a card; in order.
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
            // A pending line makes no final amount.
            if bill.isPending, terms == .final {
                problems.append(Problem(.lineItemsMismatch, detail: "a line is pending"))
            }
        }
        return problems + Problem.ofPreferences(preferredApplications)
    }
}

extension PaymentRequest {
    /// The text that goes with the amount; `nil` for a final one.
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

    /// More of an issuer's data than a kernel takes; `nil`: no more.
    package static func ofIssuerData(_ data: DataObjects?) -> Problem? {
        guard let size = data?.encoded.count, size > KernelSession.issuerDataLimit else { return nil }
        return Problem(.issuerDataTooLong, detail: "\(size) bytes, at most \(KernelSession.issuerDataLimit)")
    }
}

/// Which cards are taken, by the country of their issuer (5F28, 5F55, 5F56).
public struct SupportedCountries: Sendable, Hashable {
    /// What is done with a card that does not say.
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

/// What came of asking the issuer.
public enum IssuerAnswer: Sendable, Hashable {
    /// Data objects of the issuer: 8A, 91, 71, 72, up to ``KernelSession/issuerDataLimit`` bytes; empty: an answer
    /// without any. After Request Online PIN the answer to the request that the PIN went with; the PIN travels as an
    /// encrypted block, never through here.
    case response(DataObjects)
    /// No answer came.
    case unableToGoOnline
    /// After Request Online PIN: the cardholder entered none, and no request was sent.
    case pinNotCaptured
}
