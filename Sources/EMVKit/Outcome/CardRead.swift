// SPDX-License-Identifier: Apache-2.0
/// One tap: its request, its time, and the data that the card sent in the clear.
public struct TapRecord: Sendable, Hashable {
    public indirect enum Purpose: Sendable, Hashable {
        case payment(PaymentRequest)
        case verification(VerificationRequest)

        var request: PaymentRequest? { if case .payment(let request) = self { request } else { nil } }
    }

    public let key: ReconciliationKey
    public internal(set) var purpose: Purpose
    public let moment: LocalTime
    /// Tag 9F41.
    public internal(set) var counter: UInt32
    /// The data that directory, application and records send to any reader: 50, 5F2D, 9F11, 9F12, 5F28, 5F55, 5F56.
    /// They are not authenticated.
    public internal(set) var presented: DataObjects
    /// The configuration that the tap used; `nil` if the tap did not come from a reader.
    public internal(set) var configuration: Configuration.Identity?
    /// The card was not issued by a bank (``CardTransport/isSimulated``).
    public internal(set) var isSimulated = false

    public init(
        key: ReconciliationKey, purpose: Purpose, moment: LocalTime, counter: UInt32 = 1, presented: DataObjects = [:]
    ) {
        self.key = key
        self.purpose = purpose
        self.moment = moment
        self.counter = counter
        self.presented = presented
    }

    /// `nil` for a verification.
    public var request: PaymentRequest? { purpose.request }

    var isPayment: Bool { if case .payment = purpose { true } else { false } }

    /// `nil` for a payment.
    public var verification: VerificationRequest? {
        if case .verification(let request) = purpose { request } else { nil }
    }
}

/// The result of a payment's tap. Card data redact themselves in descriptions, mirrors and encoders; ``CardRead/card``
/// may be shown.
public struct CardRead: Sendable, Hashable {
    public enum Authorization: String, Sendable, Hashable, CaseIterable, Codable {
        case approvedOffline
        /// The issuer must be asked.
        case onlineRequired
        case declined
    }

    public let authorization: Authorization
    public let outcome: Outcome
    /// `nil` if the outcome did not come from a reader.
    public let tap: TapRecord?

    public init(authorization: Authorization, outcome: Outcome, tap: TapRecord? = nil) {
        self.authorization = authorization
        self.outcome = outcome
        self.tap = tap
    }

    public var cvm: Outcome.CVM { outcome.cvm }
    /// Data objects for the issuer.
    public var dataRecord: CardData { outcome.dataRecord ?? CardData([]) }
    public var discretionary: CardData { outcome.discretionary ?? CardData([]) }
    public var maskedPAN: MaskedPAN? { dataRecord.maskedPAN }
    public var receiptRequested: Bool { outcome.receipt }
    public var key: ReconciliationKey? { tap?.key }
    public var amount: Money? { tap?.request?.amount }
    /// The reader approved the card's online request as a delayed authorisation terminal (Book C-4, 2.2.4). The issuer
    /// decides later; until then the payment is accepted at the merchant's risk.
    public var isDelayed: Bool {
        authorization == .approvedOffline && dataRecord[0x9F27]?.first.map { $0 & 0xC0 } == 0x80
    }
    /// The card was simulated: only an authoriser whose ``Authorizer/acceptsSimulatedReads`` is `true` receives the
    /// read.
    public var isSimulated: Bool { tap?.isSimulated ?? false }
    /// The card data that may be shown before the payment is authorised.
    public var card: CardSummary { CardSummary(outcome, tap?.presented ?? [:]) }
}

/// The result of a read without an amount. It can never become an approval: nothing authorises it.
public struct CardVerification: Sendable, Hashable {
    public let reason: VerificationRequest.Reason
    public let tap: TapRecord
    public let outcome: Outcome

    init(reason: VerificationRequest.Reason, tap: TapRecord, outcome: Outcome) {
        self.reason = reason
        self.tap = tap
        self.outcome = outcome
    }

    public var card: CardSummary { CardSummary(outcome, tap.presented) }
    /// Data for the host: cards are stored and looked up there.
    public var dataRecord: CardData { outcome.dataRecord ?? CardData([]) }
    public var discretionary: CardData { outcome.discretionary ?? CardData([]) }
    /// Payment Account Reference (9F24): identical for every card and device of one account; it is not an account
    /// number.
    public var accountReference: String? {
        (discretionary[0x9F24] ?? dataRecord[0x9F24]).map { String(decoding: $0, as: UTF8.self) }
    }
}

/// The rest of a read whose PIN cannot be entered: enough to continue with a payment link. It is not a ``CardRead``, so
/// that nothing can authorise it, and has no cryptogram, so that no host can either.
public struct PINFallbackRead: Sendable, Hashable {
    public let card: CardSummary
    public let tap: TapRecord?
    /// Account and application without cryptogram, issuer data and track: those of 5A, 5F34, 5F24, 84 and 9F24 that are
    /// present.
    public let partialData: CardData

    init(_ read: CardRead) {
        card = read.card
        tap = read.tap
        var kept = Bytes()
        // The capacity is reserved at once, because a growing array leaves copies in freed memory.
        kept.reserveCapacity(read.dataRecord.bytes.count + read.discretionary.bytes.count)
        for tag in [Tag(integerLiteral: 0x5A), 0x5F34, 0x5F24, 0x84, 0x9F24] {
            let object = TLVReader(read.dataRecord.bytes).first(tag) ?? TLVReader(read.discretionary.bytes).first(tag)
            if let object { kept += object.whole }
        }
        partialData = CardData(kept)
    }

    public var maskedPAN: MaskedPAN? { card.maskedPAN }
}

extension CardRead: Encodable {
    /// Encodes the authorisation, the CVM and the masked account number, and never card data.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(authorization.rawValue, forKey: .authorization)
        try container.encode(cvm.rawValue, forKey: .cvm)
        try container.encodeIfPresent(maskedPAN, forKey: .maskedPAN)
    }

    private enum Key: String, CodingKey {
        case authorization, cvm, maskedPAN
    }
}

extension ChipData {
    /// - Parameters:
    ///   - read: the result of the tap.
    ///   - terminal: objects that the terminal adds for the issuer and that the data record does not have, such as 9F1E
    ///     or 9F41.
    public init(_ read: CardRead, terminal: DataObjects = DataObjects()) {
        self.init(read.outcome, terminal: terminal)
    }
}
