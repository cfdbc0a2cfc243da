// SPDX-License-Identifier: Apache-2.0
/// Lets the app fix another total when it is known which card is there, before the card signs it: a surcharge or a
/// discount by network, product or country (``PaymentRequest/amountChange``). Without a closure it is a ceiling alone,
/// for a total that a ``Prelude`` gives (``PreludeEnd/total``).
///
/// It is asked once for every application that is selected, while the card is in the field, so the answer has to come
/// from memory. The amount of the request holds where the answer is `nil`, comes late or is no total that it may give:
/// zero, another currency, above ``ceiling``, above what is due, below the cash back, or with a bill that adds up to
/// another total. The limits of the configuration are judged again (Book B 3.1); a total that they do not allow ends
/// the tap as ``TapOutcome/limitExceeded(_:)``.
///
/// Another currency is no change: its rate needs the holder's choice. Cancel the tap, offer it, and read anew.
public struct AmountChange: Sendable, Hashable {
    /// What the total may become at most; `nil`: it may only become lower. A journal has it before the card is asked
    /// for.
    public var ceiling: Money?
    /// How long the app may take, with the card held in the field.
    public var deadline: Duration
    package let decision: Decision

    /// - Parameters:
    ///   - ceiling: what the total may become at most; `nil`: it may only become lower.
    ///   - deadline: how long `decide` may take, 1 ms or more; then the amount of the request holds.
    ///   - decide: answers the total to take; `nil`: that of the request. One value of this type is equal to its copies
    ///     alone.
    public init(
        upTo ceiling: Money? = nil, within deadline: Duration = .milliseconds(200),
        _ decide: @escaping @Sendable (Question) async -> Total?
    ) {
        self.ceiling = ceiling
        self.deadline = deadline
        decision = Decision(decide)
    }

    /// A handle: equal to itself only.
    package final class Decision: Sendable, Hashable {
        package let decide: @Sendable (Question) async -> Total?

        init(_ decide: @escaping @Sendable (Question) async -> Total?) { self.decide = decide }

        package static func == (one: Decision, other: Decision) -> Bool { one === other }
        package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
    }
}

extension AmountChange {
    /// What is to be taken instead.
    public struct Total: Sendable, Hashable {
        public var amount: Money
        /// The lines behind it; `nil`: those of the request, or its amount, and a discount or a surcharge that makes
        /// up the difference.
        public var bill: Bill?

        public init(_ amount: Money) { self.amount = amount }

        public init(_ bill: Bill) {
            amount = bill.total
            self.bill = bill
        }
    }

    /// What a card says of itself before it is asked to pay: unauthenticated, and no account data.
    public struct Question: Sendable, Hashable {
        public let key: ReconciliationKey
        /// As it was asked for: with the amount that holds if nothing is changed, which a ``Prelude`` may have set.
        public let request: PaymentRequest
        /// The application that was selected (4F).
        public let application: Bytes
        /// Its network, and what may be shown of it.
        public let scheme: PaymentScheme?
        public let card: CardSummary
        /// By its Application Selection Registered Proprietary Data (9F0A).
        public let product: CardProduct
        /// Issuer Identification Number: six digits (42) or eight (9F0C); `nil`: the card does not say.
        public let issuerNumber: String?

        /// - Parameter objects: of the core's question (`CEMV_ASK_AMOUNT`).
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

        /// At most so many digits from the left, with fillers behind.
        private static func digits(_ bytes: Bytes?, _ most: Int) -> String? {
            guard let bytes else { return nil }
            let digits = Hex.string(bytes).prefix(most).prefix { $0.isNumber }
            let rest = Hex.string(bytes).dropFirst(digits.count)
            return digits.count >= 6 && rest.allSatisfy { $0 == "F" } ? String(digits) : nil
        }
    }
}

/// What a card is, as its issuer says where a rule asks for it: (EU) 2015/751, article 10, wants it readable.
public enum CardProduct: String, Sendable, Hashable, CaseIterable, Codable {
    case debit, credit, commercial, prepaid
    /// The card does not say, or in a way that is not known.
    case unknown

    /// From Application Selection Registered Proprietary Data (9F0A): a list of identifier (2 bytes), length and value
    /// (Book B 3.3.1.2), of which 0001 begins with the product. The books leave its coding to whoever registered it;
    /// these values are the ones in use: 01 debit, 02 credit, 03 commercial, 04 prepaid.
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
    /// The most that may be taken: the amount, or what it may become.
    public var mostAmount: Money {
        guard let ceiling = amountChange?.ceiling, ceiling.currency == amount.currency,
            ceiling.minorUnits > amount.minorUnits
        else { return amount }
        return ceiling
    }

    /// With another total, which is final; `nil` where that may not be taken.
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

    /// What makes this amount another total, in words of the receipt's language.
    private func bill(for total: Money) -> Bill? {
        let before = bill?.lines ?? [LineItem(.item, minorUnits: Int64(clamping: amount.minorUnits))]
        let difference = Int64(clamping: total.minorUnits) - Int64(clamping: amount.minorUnits)
        guard difference != 0 else { return bill }
        return try? Bill(
            before + [LineItem(difference < 0 ? .discount : .charge, minorUnits: difference)], total: total)
    }
}

extension Money {
    /// As 9F02 has it: n 12.
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
