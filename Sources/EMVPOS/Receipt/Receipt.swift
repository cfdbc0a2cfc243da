// SPDX-License-Identifier: Apache-2.0
/// The content of a receipt, for approvals and declines: everything that EMV requires (Book 4, 11.4; Book A, 5.5.7),
/// never a full account number.
///
/// ```swift
/// let receipt = Receipt(read, total: amount, approval: approval, merchant: merchant, moment: .now())
/// print(receipt.text(.columns32, in: .german))
/// ```
public struct Receipt: Sendable, Hashable, Codable {
    public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
        case purchase, cash, cashBack, refund, verification
        /// A later operation on a payment without the card, the ``FollowUp`` of that name; a refund can be one too.
        case capture, increment, void
    }

    public enum Result: String, Sendable, Hashable, Codable, CaseIterable {
        case approved, approvedOffline, declined
        /// Accepted although no host has approved it: not an approval.
        case accepted
        /// The later result of an accepted payment.
        case approvedLater, declinedLater
        /// Never sent, or reversed after its answer was lost: nothing is charged.
        case notCompleted
        /// Neither an answer nor a confirmed reversal.
        case unknown
        /// A card read without an amount.
        case verified
    }

    /// The card's cryptogram and its type.
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
    /// The requested amount. All of it is charged, reserved or refunded, unless ``approvedAmount`` is only a part of
    /// it.
    public var total: Money
    /// The part that was approved; `nil`: the whole total.
    public var approvedAmount: Money?
    /// The remaining balance of a prepaid card: for the customer's copy.
    public var balance: Money?
    public var cashBack: Money?
    public var lines: [LineItem]
    /// The amount to be paid on another day, in addition to the total.
    public var later: DueLater?
    /// A note on a total that is not final: pending, preauthorised, or recurring.
    public var note: TextKey?
    public var moment: LocalTime
    /// Identifier of the terminal at the acquirer (9F1C).
    public var terminal: String?
    /// Transaction sequence counter (9F41).
    public var counter: UInt32?
    /// The host's reference, or the key that identifies the payment.
    public var reference: String?
    /// The ``reference`` of the payment to which this receipt belongs: for a refund, a void, a capture or an increment.
    /// The card data are then those of that payment. `nil`: the card was present.
    public var original: String?
    /// The last four digits of the account number; asterisks replace the others.
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
    /// Terminal Verification Results (95), hex digits; `nil` if the kernel does not set them.
    public var verificationResults: String?
    /// Transaction Status Information (9B), hex digits, if present.
    public var statusInformation: String?
    /// How the cardholder was verified; `nil`: not verified, as with a decline. It is a PIN only if a PIN was entered
    /// and the issuer approved it, whether the card, the kernel or the issuer requested it.
    public var verification: Outcome.CVM?
    public var authorizationCode: String?
    /// Authorisation response code (8A), two characters.
    public var responseCode: String?
    /// The configuration with which the reader read the card: data for support, never printed.
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

    /// The amount to be paid by another means, if only a part was approved.
    public var amountDue: Money? {
        guard let approvedAmount, approvedAmount.currency == total.currency,
            approvedAmount.minorUnits < total.minorUnits
        else { return nil }
        return Money(minorUnits: total.minorUnits - approvedAmount.minorUnits, currency: total.currency)
    }

    /// Sets the application's name. It comes from the card, so it is cleaned if it could hide an account number or a
    /// printer command.
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
    /// Removes control characters and marks that change the direction, so that none reaches a printer or a page.
    static func undirected(_ text: String) -> String {
        String(
            TextDirection.unmarked(text).map { character in
                character.unicodeScalars.contains {
                    [.control, .lineSeparator, .paragraphSeparator].contains($0.properties.generalCategory)
                } ? " " : character
            })
    }

    /// Returns at most sixteen characters on one line. If there are enough digits for an account number, only the last
    /// four are kept.
    package static func cleaned(_ text: String) -> String {
        let printable = text.unicodeScalars.filter {
            switch $0.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate, .unassigned: false
            default: true
            }
        }
        var line = String(String.UnicodeScalarView(printable)).drop { $0.isWhitespace }.prefix(16)
        while line.last?.isWhitespace == true { line.removeLast() }
        // Counts scalars, not Characters: a digit after a scalar that prepends still counts as a digit.
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
