// SPDX-License-Identifier: Apache-2.0
/// One tap: what was asked for, when, and what the card said of itself in the clear.
public struct TapRecord: Sendable, Hashable {
    public enum Purpose: Sendable, Hashable {
        case payment(PaymentRequest)
        case verification(VerificationRequest)
    }

    public let key: ReconciliationKey
    public internal(set) var purpose: Purpose
    public let moment: LocalTime
    /// Tag 9F41.
    public internal(set) var counter: UInt32
    /// What directory, application and records said to everybody: 50, 5F2D, 9F11, 9F12, 5F28, 5F55, 5F56. Not
    /// authenticated.
    public internal(set) var presented: DataObjects
    /// Which configuration it was taken with; `nil`: not a reader's tap.
    public internal(set) var configuration: Configuration.Identity?
    /// The card was none that a bank issued (``CardTransport/isSimulated``).
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
    public var request: PaymentRequest? {
        if case .payment(let request) = purpose { request } else { nil }
    }

    /// `nil` for a payment.
    public var verification: VerificationRequest? {
        if case .verification(let request) = purpose { request } else { nil }
    }
}

/// What a payment's tap brought. Card data redact themselves in descriptions, mirrors and encoders; ``CardRead/card``
/// may be shown.
public struct CardRead: Sendable, Hashable {
    public enum Authorization: String, Sendable, Hashable, CaseIterable, Codable {
        case approvedOffline
        /// The issuer is to be asked.
        case onlineRequired
        case declined
    }

    public let authorization: Authorization
    public let outcome: Outcome
    /// `nil` where an outcome was not a reader's.
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
    /// The reader approved what the card only asked for: a delayed authorisation terminal (Book C-4, 2.2.4). The issuer
    /// decides later; until then it is accepted, at the merchant's risk.
    public var isDelayed: Bool {
        authorization == .approvedOffline && dataRecord[0x9F27]?.first.map { $0 & 0xC0 } == 0x80
    }
    /// Of a simulated card: only an authoriser that ``Authorizer/acceptsSimulatedReads`` is asked about it.
    public var isSimulated: Bool { tap?.isSimulated ?? false }
    /// What may be shown before the payment is authorised.
    public var card: CardSummary { CardSummary(outcome, tap?.presented ?? [:]) }
}

/// What a read without an amount brought. There is no way from here to an approval: nothing authorises it.
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
    /// For the host: who keeps or looks up a card does it there.
    public var dataRecord: CardData { outcome.dataRecord ?? CardData([]) }
    public var discretionary: CardData { outcome.discretionary ?? CardData([]) }
    /// Payment Account Reference (9F24): the same for every card and device of one account, and no account number.
    public var accountReference: String? {
        (discretionary[0x9F24] ?? dataRecord[0x9F24]).map { String(decoding: $0, as: UTF8.self) }
    }
}

/// What is left of a read where the PIN it needs cannot be entered: enough to go on with a payment link. Not a
/// ``CardRead``, so that nothing can authorise it, and without a cryptogram, so that no host can either.
public struct PINFallbackRead: Sendable, Hashable {
    public let card: CardSummary
    public let tap: TapRecord?
    /// Account and application without cryptogram, issuer data and track: 5A, 5F34, 5F24, 84, 9F24 as far as they are
    /// there.
    public let partialData: CardData

    init(_ read: CardRead) {
        card = read.card
        tap = read.tap
        var kept = Bytes()
        // At once: an array that grows leaves its old places behind.
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
    /// Never encodes card data: the authorisation, the CVM and the masked account number.
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
    ///   - read: what the tap ended with.
    ///   - terminal: what the terminal adds for the issuer and the data record does not have, such as 9F1E or 9F41.
    public init(_ read: CardRead, terminal: DataObjects = DataObjects()) {
        self.init(read.outcome, terminal: terminal)
    }
}
