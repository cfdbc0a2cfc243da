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
    public internal(set) var configuration: ConfigurationIdentity?
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

/// What may be shown of a card.
public struct CardSummary: Sendable, Hashable {
    public let maskedPAN: MaskedPAN?
    /// Application identifier as selected; empty where unknown.
    public let application: Bytes
    /// Label of the application (50), or its preferred name (9F12) where its character set is Latin 1 (9F11 = 1); empty
    /// where unknown.
    public let label: String
    /// Language preference (5F2D): ISO 639 codes in order, for example `["de", "en"]`.
    public let languages: [String]
    public let issuerCountry: Country?

    public init(
        maskedPAN: MaskedPAN? = nil, application: Bytes = [], label: String = "", languages: [String] = [],
        issuerCountry: Country? = nil
    ) {
        self.maskedPAN = maskedPAN
        self.application = application
        self.label = label
        self.languages = languages
        self.issuerCountry = issuerCountry
    }

    init(_ outcome: Outcome, _ presented: DataObjects) {
        var said = presented
        for data in [outcome.dataRecord, outcome.discretionary].compactMap({ $0 }) {
            for tag in CardSummary.tags where said[tag] == nil { said[tag] = data[tag] }
        }
        self.init(
            maskedPAN: outcome.dataRecord?.maskedPAN, application: outcome.applicationName,
            label: CardSummary.label(said),
            languages: CardSummary.languages(said[0x5F2D] ?? Array((outcome.uiOnOutcome?.language ?? "").utf8)),
            issuerCountry: Country(ofIssuer: said))
    }

    /// A card's public data, which identifies no account.
    static let tags: [Tag] = [0x50, 0x5F2D, 0x9F11, 0x9F12, 0x5F28, 0x5F55, 0x5F56]

    private static func label(_ said: DataObjects) -> String {
        if said[0x9F11] == [0x01], let name = said[0x9F12], !name.isEmpty { return latin(name) }
        return latin(said[0x50] ?? [])
    }

    /// ISO 8859-1 fit to be shown: a card could put its account number there, or a command for a printer.
    private static func latin(_ bytes: Bytes) -> String {
        PrintableText.cleaned(String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) })))
    }

    private static func languages(_ bytes: Bytes) -> [String] {
        let codes = stride(from: 0, to: bytes.count - 1, by: 2).prefix(4).map { bytes[$0..<($0 + 2)].map { $0 | 0x20 } }
        return codes.filter { $0.allSatisfy { (0x61...0x7A).contains($0) } }.map { String(decoding: $0, as: UTF8.self) }
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
