extension TapRecord {
    /// What contradicts itself in the request, before anybody is asked for a card; in order.
    var requestProblems: [Problem] {
        switch purpose {
        case .payment(let request): request.validate()
        case .verification(let request): request.validate()
        }
    }

    var supportedIssuerCountries: SupportedCountries? {
        switch purpose {
        case .payment(let request): request.supportedIssuerCountries
        case .verification(let request): request.supportedIssuerCountries
        }
    }

    /// The transaction the kernel is given. A verification is one of amount zero.
    func transaction(random: RandomSource) -> Transaction {
        switch purpose {
        case .payment(let request):
            var other: UInt64 = 0
            if case .cashBack(let part) = request.kind { other = part.minorUnits }
            return Transaction(
                type: request.kind.type, amount: request.amount.minorUnits, amountOther: other,
                currency: request.amount.currency.numeric, exponent: request.amount.currency.exponent, date: moment.date,
                time: moment.time, counter: counter, random: random, data: request.data)
        case .verification(let request):
            return Transaction(
                amount: 0, currency: request.currency.numeric, exponent: request.currency.exponent, date: moment.date,
                time: moment.time, counter: counter, random: random, data: request.data)
        }
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
