// SPDX-License-Identifier: Apache-2.0
/// Lets the app set another total once the card is known, before the card signs the amount: a surcharge or a discount
/// by network, product or country (``PaymentRequest/amountChange``). Without a closure it is only a ceiling, for a
/// total that a ``Prelude`` supplies (``PreludeEnd/total``).
///
/// The closure is called once for every selected application, while the card is in the field, so the answer must come
/// from memory. The requested amount is kept if the answer is `nil`, late or not an allowed total: zero, in another
/// currency, above ``ceiling``, above the amount due, below the cash back, or with a bill that adds up to another
/// total. The limits of the configuration are checked again (Book B 3.1); a total that they do not allow ends the tap
/// as ``TapOutcome/limitExceeded(_:)``.
///
/// The currency cannot be changed here, because the cardholder must agree to the exchange rate. Cancel the tap, offer
/// the currency, and read the card again.
public struct AmountChange: Sendable, Hashable {
    /// The maximum total; `nil`: the total can only become lower. A journal stores it before the card is requested.
    public var ceiling: Money?
    /// Maximum time for the app's answer, while the card is held in the field.
    public var deadline: Duration
    package let decision: Decision

    /// - Parameters:
    ///   - ceiling: the maximum total; `nil`: the total can only become lower.
    ///   - deadline: maximum time for `decide`, 1 ms or more; after it the requested amount is kept.
    ///   - decide: returns the new total; `nil`: the requested amount is kept. A value of this type is equal only to
    ///     its copies.
    public init(
        upTo ceiling: Money? = nil, within deadline: Duration = .milliseconds(200),
        _ decide: @escaping @Sendable (Question) async -> Total?
    ) {
        self.ceiling = ceiling
        self.deadline = deadline
        decision = Decision(decide)
    }

    /// A handle, equal only to itself.
    package final class Decision: Sendable, Hashable {
        package let decide: @Sendable (Question) async -> Total?

        init(_ decide: @escaping @Sendable (Question) async -> Total?) { self.decide = decide }

        package static func == (one: Decision, other: Decision) -> Bool { one === other }
        package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
    }
}

extension AmountChange {
    /// The new total.
    public struct Total: Sendable, Hashable {
        public var amount: Money
        /// The lines that make up the total; `nil`: those of the request, or its amount, and a discount or a surcharge
        /// for the difference.
        public var bill: Bill?

        public init(_ amount: Money) { self.amount = amount }

        public init(_ bill: Bill) {
            amount = bill.total
            self.bill = bill
        }
    }

    /// The card's data before it is asked to pay: not authenticated, and without account data.
    public struct Question: Sendable, Hashable {
        public let key: ReconciliationKey
        /// The request, with the amount that is kept if nothing is changed; a ``Prelude`` may have set this amount.
        public let request: PaymentRequest
        /// The application that was selected (4F).
        public let application: Bytes
        /// The application's network, and its data for display.
        public let scheme: PaymentScheme?
        public let card: CardSummary
        /// The product according to the Application Selection Registered Proprietary Data (9F0A).
        public let product: CardProduct
        /// Issuer Identification Number: six digits (42) or eight (9F0C); `nil`: the card does not supply it.
        public let issuerNumber: String?

        /// - Parameter objects: the objects of the core's question (`CEMV_ASK_AMOUNT`).
        package init(
            _ key: ReconciliationKey, _ request: PaymentRequest, _ objects: DataObjects, _ presented: DataObjects
        ) {
            self.key = key
            self.request = request
            application = objects[0x4F] ?? []
            scheme = PaymentScheme(aid: application)
            card = CardSummary(Outcome(status: .none, applicationName: application), presented)
            product = CardProduct(registered: objects[0x9F0A] ?? [])
            issuerNumber = Question.digits(objects[0x9F0C], 8) ?? Question.digits(objects[0x42], 6)
        }

        /// Returns at most this many digits from the left, followed only by fillers.
        private static func digits(_ bytes: Bytes?, _ most: Int) -> String? {
            guard let bytes else { return nil }
            let digits = Hex.string(bytes).prefix(most).prefix { $0.isNumber }
            let rest = Hex.string(bytes).dropFirst(digits.count)
            return digits.count >= 6 && rest.allSatisfy { $0 == "F" } ? String(digits) : nil
        }
    }
}

/// The kind of card product, as the issuer states it where a law requires it: (EU) 2015/751, article 10, requires it to
/// be readable.
public enum CardProduct: String, Sendable, Hashable, CaseIterable, Codable {
    case debit, credit, commercial, prepaid
    /// The card does not supply it, or in an unknown coding.
    case unknown

    /// Reads Application Selection Registered Proprietary Data (9F0A): a list of identifier (2 bytes), length and value
    /// (Book B 3.3.1.2). The value of identifier 0001 begins with the product. The specification leaves the coding to
    /// the registrant; these values are in use: 01 debit, 02 credit, 03 commercial, 04 prepaid.
    public init(registered: Bytes) {
        self = .unknown
        var rest = registered[...]
        var found = CardProduct.unknown
        while !rest.isEmpty {
            guard rest.count >= 3 else { return }
            let head = Bytes(rest.prefix(3)), value = rest.dropFirst(3).prefix(Int(head[2]))
            guard value.count == Int(head[2]) else { return }
            if head[0] == 0, head[1] == 1, found == .unknown, let product = value.first {
                found = CardProduct(code: product)
            }
            rest = rest.dropFirst(3 + value.count)
        }
        self = found
    }

    private init(code: UInt8) {
        switch code {
        case 1: self = .debit
        case 2: self = .credit
        case 3: self = .commercial
        case 4: self = .prepaid
        default: self = .unknown
        }
    }
}

extension PaymentRequest {
    /// The highest amount that may be charged: the amount, or the ceiling of its change.
    public var mostAmount: Money {
        guard let ceiling = amountChange?.ceiling, ceiling.currency == amount.currency,
            ceiling.minorUnits > amount.minorUnits
        else { return amount }
        return ceiling
    }

    /// Returns the request with another total, which is final; `nil` if this total is not allowed.
    package func changed(to total: AmountChange.Total) -> PaymentRequest? {
        guard total.amount.currency == amount.currency, total.amount.minorUnits <= mostAmount.minorUnits else {
            return nil
        }
        var request = self
        request.amount = total.amount
        request.bill = total.bill ?? bill(for: total.amount)
        request.amountChange = nil
        return request.validate().isEmpty ? request : nil
    }

    /// Returns a bill for another total; the difference is a line in the receipt's language.
    private func bill(for total: Money) -> Bill? {
        let before = bill?.lines ?? [LineItem(.item, minorUnits: Int64(clamping: amount.minorUnits))]
        let difference = Int64(clamping: total.minorUnits) - Int64(clamping: amount.minorUnits)
        guard difference != 0 else { return bill }
        return try? Bill(
            before + [LineItem(difference < 0 ? .discount : .charge, minorUnits: difference)], total: total)
    }
}

extension Money {
    /// The amount as 9F02 codes it: n 12.
    package var numeric: Bytes {
        var rest = minorUnits
        var digits = Bytes(repeating: 0, count: 6)
        for index in digits.indices.reversed() {
            digits[index] = UInt8(rest / 10 % 10) << 4 | UInt8(rest % 10)
            rest /= 100
        }
        return digits
    }
}
