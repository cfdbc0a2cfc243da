// SPDX-License-Identifier: Apache-2.0
/// A request to the issuer. ``kind`` decides in which direction the money goes: an adapter sends another message for a
/// refund than for a purchase.
public struct AuthorizationRequest: Sendable, Hashable {
    public let key: ReconciliationKey
    public let kind: PaymentRequest.Kind
    /// The amount that the card has signed. For a refund, the amount to give back.
    public let amount: Money
    /// Date and time of the tap.
    public let moment: LocalTime
    /// 1 for the first request of a tap; one more after every PIN that the issuer asked for.
    public let attempt: Int
    public let read: CardRead
    public let pin: EncryptedPINBlock?
    /// The challenge this request answers.
    public let challenge: PINChallenge?

    /// Returns `nil` for a read without a payment request, which cannot be authorised.
    public init?(
        _ read: CardRead, attempt: Int = 1, pin: EncryptedPINBlock? = nil, challenge: PINChallenge? = nil
    ) {
        guard let tap = read.tap, let request = tap.request else { return nil }
        self.init(tap, request, read, attempt: attempt, pin: pin, challenge: challenge)
    }

    init(
        _ tap: TapRecord, _ request: PaymentRequest, _ read: CardRead, attempt: Int, pin: EncryptedPINBlock?,
        challenge: PINChallenge?
    ) {
        key = tap.key
        kind = request.kind
        amount = request.amount
        moment = tap.moment
        self.attempt = attempt
        self.read = read
        self.pin = pin
        self.challenge = challenge
    }
}

/// The issuer's answer, as the authoriser received it.
public enum IssuerDecision: Sendable, Hashable {
    case approved(Approval)
    case declined(Decline)
    /// The issuer wants a PIN before it decides (strong customer authentication).
    case pinRequested(PINChallenge)
    /// Declined as sent: the issuer wants the chip (strong customer authentication). Nothing is held at the host. The
    /// payment ends as declined with ``Decline/Reason-swift.enum/chipRequested``; the customer pays again by chip, with
    /// a new key.
    case chipRequested(responseCode: String?, issuerData: DataObjects = [:])
    /// Nothing was authorised and this request left nothing open at the host: it was not sent, or was refused before it
    /// reached the issuer. If an earlier request of the same key left something open because the issuer wanted a PIN,
    /// that is reversed.
    case failed([Problem])
}

/// The effect of one call on a payment. It says nothing about the sale.
public enum PaymentEffect: String, Sendable, Hashable, CaseIterable, Codable {
    /// Nothing left this device.
    case nothingSent
    /// A request left, and nothing is booked: the host declined it, or has confirmed its reversal.
    case nothingBooked
    /// The payment may be booked now or later: there was no answer, the issuer awaits a PIN, or the host is notified
    /// later.
    case mayBeBooked
    case booked
}

/// The result of an authorisation: its ending, its effect, and the standing of the sale.
public struct AuthorizationResult: Sendable, Hashable {
    /// How an authorisation ends. The cases are complete: there is no other ending, and nothing is left open silently.
    public enum Ending: Sendable, Hashable {
        case approved(Approval)
        case declined(Decline)
        /// No host was reached, and the merchant accepts the risk (``OfflinePolicy``). This is not an approval.
        /// ``Settlement`` reports the final result.
        case accepted(Deferred)
        /// The issuer wants a PIN and no PIN pad was given: collect one and continue with
        /// ``ReaderSession/authorize(_:answering:with:)``, or ``ReaderSession/giveUp(_:)``.
        case pinRequested(PINChallenge)
        /// Nothing left this device. The problems are in order; an empty array ends the payment without a message.
        case failed([Problem])
        /// A request left, and nothing is booked: its reversal is confirmed, or the issuer declined and the card wants
        /// another interface. The problems are in order.
        case reversed([Problem])
        /// There is neither an answer nor a confirmed reversal, or another call is about to get one: ask the host by
        /// this key before anything else. With a journal, ``Settlement`` does so and reports the result.
        case unknown(ReconciliationKey)
    }

    public let ending: Ending
    /// The standing of the sale when the call ended.
    public let sale: SaleStanding

    public init(_ ending: Ending, sale: SaleStanding = .notTracked) {
        self.ending = ending
        self.sale = sale
    }

    public var effect: PaymentEffect { ending.effect }
    public var name: AuthorizationName { ending.name }
    public var problems: [Problem] { ending.problems }
    public var alternatives: [Alternative] { ending.alternatives }
}

extension AuthorizationResult.Ending {
    public var name: AuthorizationName {
        switch self {
        case .approved: .approved
        case .declined: .declined
        case .accepted: .accepted
        case .pinRequested: .pinRequested
        case .failed: .failed
        case .reversed: .reversed
        case .unknown: .unknown
        }
    }

    public var effect: PaymentEffect {
        switch self {
        case .approved: .booked
        case .declined(let decline): decline.reason.isOfCard ? .nothingSent : .nothingBooked
        case .failed: .nothingSent
        case .reversed: .nothingBooked
        case .accepted, .pinRequested, .unknown: .mayBeBooked
        }
    }

    /// The problems in order, the decisive one first; empty for an approval and for an accepted payment.
    public var problems: [Problem] {
        switch self {
        case .approved, .accepted: []
        case .declined(let decline): [decline.problem]
        case .pinRequested: [Problem(.pinRequired)]
        case .failed(let problems), .reversed(let problems): problems
        case .unknown(let key): [Problem(.reversalFailed, detail: key.description)]
        }
    }

    /// What may be done next; at least one unless approved in full or accepted.
    public var alternatives: [Alternative] {
        switch self {
        case .approved(let approval): approval.approvedAmount == nil ? [] : [.payRest]
        case .accepted: []
        case .declined, .pinRequested, .failed, .reversed, .unknown: Alternative.inOrder(problems)
        }
    }
}

extension PaymentEffect {
    /// Returns whether this call certainly booked nothing.
    var isCertainlyNothing: Bool { self == .nothingSent || self == .nothingBooked }
}

public struct Approval: Sendable, Hashable {
    public enum Origin: String, Sendable, Hashable, CaseIterable, Codable {
        case issuer
        /// The card and the kernel, offline: the host is notified later.
        case card
    }

    public let origin: Origin
    /// Authorisation code (8A's companion, tag 89): up to 6 characters; empty if the host sent no code.
    public let code: String
    /// Authorisation response code, as the host sent it: two or three characters. It is `00`, or offline `Y1`, or `Y3`
    /// if no answer came.
    public let responseCode: String
    /// The issuer's data objects for the card: 8A, 91, 71, 72. Empty if the answer had no data objects.
    public let issuerData: DataObjects
    /// The approved part of the requested amount (response code `10`); `nil` if all of it was approved. The rest is to
    /// be paid by another means.
    public internal(set) var approvedAmount: Money?
    /// Data for the host: the card's answer to the issuer's data, script results (9F5B), or the kernel's data record if
    /// it approved after no answer came (`Y3`). `nil` if the kernel received nothing.
    public var cardAnswer: CardData?
    /// The balance left on a prepaid card, if the host sends it; for the customer alone.
    public var balance: Money?
    /// The approved request carried a PIN, which the issuer has verified. The reader sets it.
    public var isPINVerified = false

    public init(
        origin: Origin = .issuer, code: String = "", responseCode: String = "00", issuerData: DataObjects = [:],
        approvedAmount: Money? = nil, balance: Money? = nil
    ) {
        self.origin = origin
        self.code = code
        self.responseCode = responseCode
        self.issuerData = issuerData
        self.approvedAmount = approvedAmount
        self.balance = balance
    }
}

/// A refusal: precise for the log and the merchant, vague for the customer.
public struct Decline: Sendable, Hashable {
    public enum Reason: String, Sendable, Hashable, CaseIterable, Codable {
        /// The card, or the kernel.
        case card
        /// The issuer, without stating a reason.
        case issuer
        case insufficientFunds, suspectedFraud, incorrectPIN, pinAttemptsExceeded, cardExpired, cardLostOrStolen,
            cardNotPermitted
        /// The issuer wants the chip: the payment may continue there.
        case chipRequested
        /// The host does not accept such payments from this merchant or terminal.
        case merchantNotPermitted
        case limitExceeded, issuerUnavailable
        /// The issuer approved, but the card refused its answer.
        case issuerAnswerRefused
        case insufficientOfflineBalance
        /// A deferred payment, or a follow-up of one, reached the host too late.
        case expired
    }

    public let reason: Reason
    /// Authorisation response code, as the host sent it, if any. For the log.
    public let responseCode: String?
    /// The issuer's data objects for the card: 8A, 91, 71, 72.
    public let issuerData: DataObjects

    public init(reason: Reason, responseCode: String? = nil, issuerData: DataObjects = [:]) {
        self.reason = reason
        self.responseCode = responseCode
        self.issuerData = issuerData
    }

    /// Creates the decline that a response code means; `nil` for a code that approves or decides nothing
    /// (``ResponseCode``).
    ///
    /// - Parameters:
    ///   - responseCode: as the host sent it, for example `51`.
    ///   - network: of the card, if it is known.
    ///   - rows: the acquirer's own table.
    ///   - issuerData: the issuer's data objects for the card: 8A, 91, 71, 72.
    public init?(
        responseCode: String, of network: ResponseCode.Network? = nil, before rows: [ResponseCode.Row] = [],
        issuerData: DataObjects = [:]
    ) {
        guard let reason = ResponseCode.decision(responseCode, of: network, before: rows).decline else { return nil }
        self.init(reason: reason, responseCode: responseCode, issuerData: issuerData)
    }

    /// A later try with the same card may succeed, because the reason is temporary.
    public var mayRetry: Bool {
        switch reason {
        case .insufficientFunds, .limitExceeded, .issuerUnavailable, .incorrectPIN: true
        case .card, .issuer, .suspectedFraud, .pinAttemptsExceeded, .cardExpired, .cardLostOrStolen,
            .cardNotPermitted, .chipRequested, .merchantNotPermitted, .issuerAnswerRefused, .insufficientOfflineBalance,
            .expired:
            false
        }
    }

    /// For the merchant and the log.
    public var problem: Problem {
        Problem(reason.code, detail: responseCode.map { "response code \($0)" })
    }

    /// The text for the customer. It never gives a reason of the issuer that others should not read.
    public var customerDescription: String {
        problem.audience == .everyone ? problem.description : Problem(.issuerDeclined).description
    }
}

extension Decline.Reason {
    /// The card or the kernel refused before any host was asked.
    var isOfCard: Bool { self == .card || self == .insufficientOfflineBalance }

    public var code: Problem.Code {
        switch self {
        case .card: .cardDeclined
        case .issuer, .expired: .issuerDeclined
        case .insufficientFunds: .insufficientFunds
        case .suspectedFraud: .suspectedFraud
        case .incorrectPIN: .incorrectPIN
        case .pinAttemptsExceeded: .pinAttemptsExceeded
        case .cardExpired: .cardExpired
        case .cardLostOrStolen: .cardLostOrStolen
        case .cardNotPermitted: .cardNotPermitted
        case .chipRequested: .chipRequested
        case .merchantNotPermitted: .hostRejected
        case .limitExceeded: .issuerLimitExceeded
        case .issuerUnavailable: .issuerUnavailable
        case .issuerAnswerRefused: .issuerAnswerRefused
        case .insufficientOfflineBalance: .insufficientOfflineBalance
        }
    }
}

/// The issuer requests a PIN, after it has seen the payment.
public struct PINChallenge: Sendable, Hashable {
    /// The host's name for the challenge; empty if the kernel asks for the PIN and not the host (Request Online PIN).
    public let id: String
    /// How long the host waits for the PIN; `nil` means the session's own deadline.
    public let deadline: Duration?
    /// The PIN entered before was wrong.
    public let isRepeated: Bool
    /// Data objects that came with the challenge, for a kernel that decides by them (8A). By default there are no
    /// objects, and the kernel is not notified.
    public let issuerData: DataObjects

    public init(id: String, deadline: Duration? = nil, isRepeated: Bool = false, issuerData: DataObjects = [:]) {
        self.id = id
        self.deadline = deadline
        self.isRepeated = isRepeated
        self.issuerData = issuerData
    }
}

/// A request to undo a payment at the host, whatever its result was.
public struct Reversal: Sendable, Hashable {
    public enum Reason: String, Sendable, Hashable, CaseIterable, Codable {
        /// No answer within the deadline.
        case timedOut
        /// The authoriser failed after the request may have left.
        case answerLost
        /// The merchant, the app or the system interrupted it.
        case interrupted
        /// The issuer approved, but the card refused its answer.
        case cardRefused
        /// The PIN that the issuer wanted was not entered.
        case pinMissing
        /// The issuer approved less than was asked for.
        case approvedInPart
        /// The approval could not be journalled.
        case notJournaled
        /// Nothing was captured for an estimate in time.
        case notCaptured
        /// A deferred payment that was taken back after it may have been sent.
        case withdrawn
    }

    public let key: ReconciliationKey
    public let reason: Reason
    /// The amount of the payment that is reversed, with the increments that the host has accepted.
    public let amount: Money
    public let moment: LocalTime
    /// 1 for the first attempt; each repeat adds one.
    public let attempt: Int
    /// The journalled data of the card; `nil` without a journal, and if they are erased. The key alone is enough.
    public let read: StoredRead?

    public init(
        key: ReconciliationKey, reason: Reason, amount: Money, moment: LocalTime, attempt: Int = 1,
        read: StoredRead? = nil
    ) {
        self.key = key
        self.reason = reason
        self.amount = amount
        self.moment = moment
        self.attempt = attempt
        self.read = read
    }

    /// The host may already have it.
    public var isRepeat: Bool { attempt > 1 }
}

extension Approval: Codable {
    private enum Key: String, CodingKey {
        case origin, code, responseCode, issuerData, approvedAmount, cardAnswer, balance, isPINVerified
    }

    /// Encodes bytes as hexadecimal text, and the card's answer without its sealed part.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(origin, forKey: .origin)
        try container.encode(code, forKey: .code)
        try container.encode(responseCode, forKey: .responseCode)
        try container.encode(Hex.string(issuerData.encoded), forKey: .issuerData)
        try container.encodeIfPresent(approvedAmount, forKey: .approvedAmount)
        let answer = cardAnswer.map { Hex.string($0.withoutSensitiveData.bytes) }
        try container.encodeIfPresent(answer, forKey: .cardAnswer)
        try container.encodeIfPresent(balance, forKey: .balance)
        if isPINVerified { try container.encode(true, forKey: .isPINVerified) }
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        self.init(
            origin: try container.decode(Origin.self, forKey: .origin),
            code: try container.decode(String.self, forKey: .code),
            responseCode: try container.decode(String.self, forKey: .responseCode),
            issuerData: try DataObjects(hex: container.decode(String.self, forKey: .issuerData), in: decoder),
            approvedAmount: try container.decodeIfPresent(Money.self, forKey: .approvedAmount),
            balance: try container.decodeIfPresent(Money.self, forKey: .balance))
        cardAnswer = try container.decodeIfPresent(String.self, forKey: .cardAnswer).map {
            CardData(try DataObjects(hex: $0, in: decoder).encoded)
        }
        isPINVerified = try container.decodeIfPresent(Bool.self, forKey: .isPINVerified) ?? false
    }
}

extension DataObjects {
    fileprivate init(hex text: String, in decoder: any Decoder) throws {
        guard let bytes = Hex.bytes(text), let objects = try? DataObjects(tlv: bytes) else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "expected data objects in hexadecimal digits"))
        }
        self = objects
    }
}

extension Decline: Codable {
    private enum Key: String, CodingKey {
        case reason, responseCode, issuerData
    }

    /// Encodes bytes as hexadecimal text.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(reason, forKey: .reason)
        try container.encodeIfPresent(responseCode, forKey: .responseCode)
        try container.encode(Hex.string(issuerData.encoded), forKey: .issuerData)
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        self.init(
            reason: try container.decode(Reason.self, forKey: .reason),
            responseCode: try container.decodeIfPresent(String.self, forKey: .responseCode),
            issuerData: try DataObjects(hex: container.decode(String.self, forKey: .issuerData), in: decoder))
    }
}
