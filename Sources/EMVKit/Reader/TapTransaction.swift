// SPDX-License-Identifier: Apache-2.0
extension TapRecord {
    /// Creates a new tap and fills in the values that the request leaves open.
    init(_ purpose: Purpose, counter: UInt32, moment: () -> LocalTime) {
        switch purpose {
        case .payment(let request):
            self.init(
                key: request.key ?? ReconciliationKey(), purpose: purpose, moment: request.moment ?? moment(),
                counter: request.counter ?? counter)
        case .verification(let request):
            self.init(
                key: request.key ?? ReconciliationKey(), purpose: purpose, moment: request.moment ?? moment(),
                counter: request.counter ?? counter)
        }
    }

    /// Returns the tap with this merchant, unless the request names one.
    func paid(to payee: Merchant?) -> TapRecord {
        guard let payee, case .payment(var request) = purpose, request.merchant == nil else { return self }
        request.merchant = payee
        return paying(request)
    }

    /// Returns the tap with this payment instead of its own.
    func paying(_ request: PaymentRequest) -> TapRecord {
        var record = self
        record.purpose = .payment(request)
        return record
    }

    func presenting(_ presented: DataObjects) -> TapRecord {
        var record = self
        record.presented = presented
        return record
    }

    var timeout: Duration? {
        switch purpose {
        case .payment(let request): request.timeout
        case .verification(let request): request.timeout
        }
    }

    /// The currency of the payment, or of the verification.
    var currency: Currency {
        switch purpose {
        case .payment(let request): request.amount.currency
        case .verification(let request): request.currency
        }
    }

    /// The contradictions in the request, found before a card is requested, in order.
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

    /// Returns the transaction for the kernel. A verification is a transaction of amount zero.
    ///
    /// - Parameter autorun: of the configuration. A payment of its type and amount begins at Start B (Book A 8.1.1.6);
    ///   any other goes through pre-processing.
    func transaction(random: RandomSource, autorun: Autorun? = nil) -> Transaction {
        switch purpose {
        case .payment(let request):
            var transaction = Transaction(
                type: request.kind.type, amount: request.amount.minorUnits,
                currency: request.amount.currency.numeric, exponent: request.amount.currency.exponent,
                date: moment.date, time: moment.time, counter: counter, random: random)
            if case .cashBack(let part) = request.kind { transaction.amountOther = part.minorUnits }
            transaction.data = request.data
            if request.data[0x9F4E] == nil, let name = request.merchant?.nameAndLocation {
                transaction.data[0x9F4E] = name
            }
            transaction.utcOffset = moment.utcOffset
            transaction.preferredApplications = request.preferredApplications
            transaction.startsAtB = autorun == Autorun(type: request.kind.type, amount: request.amount.minorUnits)
            transaction.onlineAvailable = request.onlineAvailable
            transaction.amountDeadline = request.amountChange?.deadline
            return transaction
        case .verification(let request):
            var transaction = Transaction(
                amount: 0, currency: request.currency.numeric, exponent: request.currency.exponent, date: moment.date,
                time: moment.time, counter: counter, random: random)
            transaction.data = request.data
            transaction.utcOffset = moment.utcOffset
            transaction.preferredApplications = request.preferredApplications
            return transaction
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
