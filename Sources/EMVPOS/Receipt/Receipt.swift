// SPDX-License-Identifier: Apache-2.0
/// What a receipt says, for approvals and declines: everything EMV asks for (Book 4, 11.4; Book A, 5.5.7), never a full
/// account number.
///
/// ```swift
/// let receipt = Receipt(read, total: amount, approval: approval, merchant: merchant, moment: .now())
/// print(receipt.text(.columns32, in: .german))
/// ```
public struct Receipt: Sendable, Hashable, Codable {
    public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
        case purchase, cash, cashBack, refund, verification
        /// What follows a payment without its card, as a ``FollowUp`` of that name; a refund is one, too.
        case capture, increment, void
    }

    public enum Result: String, Sendable, Hashable, Codable, CaseIterable {
        case approved, approvedOffline, declined
        /// Accepted although no host has seen it: not an approval.
        case accepted
        /// What became of an accepted payment.
        case approvedLater, declinedLater
        /// Never sent, or taken back after its answer was lost: nothing is charged.
        case notCompleted
        /// Neither an answer nor a confirmed reversal.
        case unknown
        /// A card read without an amount.
        case verified
    }

    /// The cryptogram of the card and what it says.
    public struct Cryptogram: Sendable, Hashable, Codable {
        public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
            case tc = "TC"
            case arqc = "ARQC"
            case aac = "AAC"
        }

        public var kind: Kind
        /// Hex digits.
        public var value: String

        public init(kind: Kind, value: String) {
            self.kind = kind
            self.value = value
        }
    }

    public var merchant: Merchant
    public var kind: Kind
    public var result: Result
    /// What was asked for. All of it is charged, held or given back, unless ``approvedAmount`` is a part of it.
    public var total: Money
    /// The part that was approved; `nil`: the whole total.
    public var approvedAmount: Money?
    /// What is left on a prepaid card: for the customer's copy.
    public var balance: Money?
    public var cashBack: Money?
    public var lines: [LineItem]
    /// What is paid another day, besides the total.
    public var later: DueLater?
    /// What the total is, where it is not final: pending, preauthorised, or paid again.
    public var note: TextKey?
    public var moment: LocalTime
    /// Identifier of the terminal at the acquirer (9F1C).
    public var terminal: String?
    /// Transaction sequence counter (9F41).
    public var counter: UInt32?
    /// The host's reference, or the key the payment is known by.
    public var reference: String?
    /// The ``reference`` of the payment that this receipt follows: a refund, a void, a capture or an increment of it.
    /// `nil`: the card was there. The card data are then those of that payment.
    public var original: String?
    /// The last four digits of the account number; asterisks stand for the others.
    public package(set) var card: MaskedPAN?
    /// Sequence number of the card (5F34).
    public var cardSequence: String?
    /// Identifier of the application (AID), hex digits.
    public var applicationIdentifier: String
    /// The preferred name (9F12) or the label (50) of the application, fit to print.
    public package(set) var applicationLabel: String?
    public var cryptogram: Cryptogram?
    /// Application transaction counter (9F36).
    public var transactionCounter: Int?
    /// Terminal Verification Results (95), hex digits; `nil` where the kernel does not fill them.
    public var verificationResults: String?
    /// Transaction Status Information (9B), hex digits, where there is any.
    public var statusInformation: String?
    /// How the cardholder was verified; `nil`: not at all, as with a decline. A PIN only where one was entered and the
    /// issuer approved it, whether the card, the kernel or the issuer asked for it.
    public var verification: Outcome.CVM?
    public var authorizationCode: String?
    /// Authorisation response code (8A), two characters.
    public var responseCode: String?
    /// With which configuration the reader took the card: data for support, on no paper.
    public var configuration: Configuration.Identity?

    package init(
        kind: Kind, result: Result, total: Money, merchant: Merchant, moment: LocalTime, applicationIdentifier: String
    ) {
        self.kind = kind
        self.result = result
        self.total = total
        self.merchant = merchant
        self.moment = moment
        self.applicationIdentifier = applicationIdentifier
        lines = []
    }

    /// What is to be paid by another means, where only a part was approved.
    public var amountDue: Money? {
        guard let approvedAmount, approvedAmount.currency == total.currency,
            approvedAmount.minorUnits < total.minorUnits
        else { return nil }
        return Money(minorUnits: total.minorUnits - approvedAmount.minorUnits, currency: total.currency)
    }

    /// Names of the application are the card's: one that could hide an account number or a printer command is cleaned.
    public mutating func setApplicationLabel(_ label: String?) {
        applicationLabel = label.map { PrintableText.cleaned($0) }
    }

}

#if !hasFeature(Embedded)
extension Receipt {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        merchant = try container.decode(Merchant.self, forKey: .merchant)
        kind = try container.decode(Kind.self, forKey: .kind)
        result = try container.decode(Result.self, forKey: .result)
        total = try container.decode(Money.self, forKey: .total)
        approvedAmount = try container.decodeIfPresent(Money.self, forKey: .approvedAmount)
        balance = try container.decodeIfPresent(Money.self, forKey: .balance)
        cashBack = try container.decodeIfPresent(Money.self, forKey: .cashBack)
        lines = try container.decodeIfPresent([LineItem].self, forKey: .lines) ?? []
        later = try container.decodeIfPresent(DueLater.self, forKey: .later)
        note = try container.decodeIfPresent(TextKey.self, forKey: .note)
        moment = try container.decode(LocalTime.self, forKey: .moment)
        terminal = try container.decodeIfPresent(String.self, forKey: .terminal)
        counter = try container.decodeIfPresent(UInt32.self, forKey: .counter)
        reference = try container.decodeIfPresent(String.self, forKey: .reference)
        original = try container.decodeIfPresent(String.self, forKey: .original)
        card = try container.decodeIfPresent(MaskedPAN.self, forKey: .card)?.lastFourOnly
        cardSequence = try container.decodeIfPresent(String.self, forKey: .cardSequence)
        applicationIdentifier = try container.decode(String.self, forKey: .applicationIdentifier)
        applicationLabel = try container.decodeIfPresent(String.self, forKey: .applicationLabel).map {
            PrintableText.cleaned($0)
        }
        cryptogram = try container.decodeIfPresent(Cryptogram.self, forKey: .cryptogram)
        transactionCounter = try container.decodeIfPresent(Int.self, forKey: .transactionCounter)
        verificationResults = try container.decodeIfPresent(String.self, forKey: .verificationResults)
        statusInformation = try container.decodeIfPresent(String.self, forKey: .statusInformation)
        verification = try container.decodeIfPresent(Outcome.CVM.self, forKey: .verification)
        authorizationCode = try container.decodeIfPresent(String.self, forKey: .authorizationCode)
        responseCode = try container.decodeIfPresent(String.self, forKey: .responseCode)
        configuration = try container.decodeIfPresent(Configuration.Identity.self, forKey: .configuration)
    }
}
#endif

extension PrintableText {
    /// No control character, and no mark that turns the direction, reaches a printer or a page, whoever wrote it.
    static func undirected(_ text: String) -> String {
        String(
            TextDirection.unmarked(text).map { character in
                character.unicodeScalars.contains {
                    [.control, .lineSeparator, .paragraphSeparator].contains($0.properties.generalCategory)
                } ? " " : character
            })
    }

    /// At most sixteen characters on one line; where there are so many digits that they could be an account number,
    /// only the last four stay.
    package static func cleaned(_ text: String) -> String {
        let printable = text.unicodeScalars.filter {
            switch $0.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate, .unassigned: false
            default: true
            }
        }
        var line = String(String.UnicodeScalarView(printable)).drop { $0.isWhitespace }.prefix(16)
        while line.last?.isWhitespace == true { line.removeLast() }
        // Scalars, not Characters: a digit after a scalar that prepends is a digit all the same.
        let digits = line.unicodeScalars.count { $0.properties.numericType != nil }
        guard digits >= 8 else { return String(line) }
        var hidden = digits - 4
        let shown = line.unicodeScalars.map { scalar -> Unicode.Scalar in
            guard scalar.properties.numericType != nil, hidden > 0 else { return scalar }
            hidden -= 1
            return "*"
        }
        return String(String.UnicodeScalarView(shown))
    }
}

extension Receipt.Kind {
    public init(_ kind: PaymentRequest.Kind) {
        self =
            switch kind {
            case .purchase: .purchase
            case .cash: .cash
            case .cashBack: .cashBack
            case .refund: .refund
            }
    }
}
