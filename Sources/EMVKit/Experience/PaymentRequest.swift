/// What to take from a card. The amount is final: it is signed as it stands here.
public struct PaymentRequest: Sendable, Hashable {
    public enum Kind: Sendable, Hashable {
        case purchase
        case cash
        /// A purchase of which this part is paid out; same currency.
        case cashBack(Money)
        case refund
    }

    public var amount: Money
    public var kind: Kind
    /// Further data objects of the terminal for this transaction.
    public var data: DataObjects
    /// How long to wait for a card; `nil`: for ever.
    public var timeout: Duration?
    /// Date and time of the transaction; `nil`: the reader's clock.
    public var moment: LocalTime?
    /// Tag 9F41; `nil`: the reader counts.
    public var counter: UInt32?

    public init(
        amount: Money, kind: Kind = .purchase, data: DataObjects = [:], timeout: Duration? = nil,
        moment: LocalTime? = nil, counter: UInt32? = nil
    ) {
        self.amount = amount
        self.kind = kind
        self.data = data
        self.timeout = timeout
        self.moment = moment
        self.counter = counter
    }

    /// The transaction the kernel is given; throws where the request contradicts itself.
    func transaction(counter: UInt32, moment: LocalTime, random: RandomSource) throws(ConfigurationError) -> Transaction {
        var other: UInt64 = 0
        if case .cashBack(let money) = kind {
            guard money.currency == amount.currency else {
                throw ConfigurationError(section: .transaction, field: .currency, reason: .conflict)
            }
            guard money.minorUnits <= amount.minorUnits else {
                throw ConfigurationError(section: .transaction, field: .amount, reason: .conflict)
            }
            other = money.minorUnits
        }
        return Transaction(
            type: kind.type, amount: amount.minorUnits, amountOther: other, currency: amount.currency.numeric,
            exponent: amount.currency.exponent, date: moment.date, time: moment.time, counter: counter, random: random,
            data: data)
    }
}

extension PaymentRequest.Kind {
    var type: TransactionType {
        switch self {
        case .purchase: .purchase
        case .cash: .cash
        case .cashBack: .cashBack
        case .refund: .refund
        }
    }
}

/// What the issuer, or the PIN pad before it, answered.
public enum IssuerAnswer: Sendable, Hashable {
    /// Data objects of the issuer: 8A, 91, 71, 72.
    case response(DataObjects)
    case unableToGoOnline
    /// The PIN was captured; it travels to the issuer as an encrypted block, never through here.
    case pinCaptured
}
