// SPDX-License-Identifier: Apache-2.0
/// Response codes of hosts (field 39 of ISO 8583): their meaning, whether they decide, and the next step. They are one
/// table, ordered from specific to general: the acquirer's rows, the network's rows, the common rows. A code that no
/// row lists decides nothing: the payment may or may not exist at the host, so the host has to be asked or sent a
/// reversal.
///
/// No network's full specification was at hand (HostFields lists the sources). An acquirer's own specification has
/// priority over this table: pass it as ``ResponseCodeTable/rows``.
public enum ResponseCode {
    /// The network whose dialect a code is in.
    public enum Network: String, Sendable, Hashable, CaseIterable {
        case visa, mastercard, amex, discover, jcb, unionPay
        /// Cartes Bancaires, in France.
        case cartesBancaires
        /// girocard, in Germany.
        case girocard

        /// Creates the network of an application identifier from its registered provider; `nil` for any other.
        public init?(aid: Bytes) {
            switch PaymentScheme(aid: aid) {
            case .visa: self = .visa
            case .mastercard: self = .mastercard
            case .amex: self = .amex
            case .discover: self = .discover
            case .jcb: self = .jcb
            case .unionPay: self = .unionPay
            case nil:
                switch Hex.string(Bytes(aid.prefix(5))) {
                case "A000000042": self = .cartesBancaires
                case "A000000359", "D276000025": self = .girocard
                default: return nil
                }
            }
        }
    }

    /// The kind of message that the host answers.
    public enum Message: String, Sendable, Hashable, CaseIterable {
        case payment, refund, reversal
    }

    /// The decision that a code means.
    public enum Decision: Sendable, Hashable {
        case approved
        /// Approved once the cardholder is identified or has signed. If nobody checks that, the payment is reversed.
        case approvedOnCondition
        /// The answer states the amount.
        case approvedInPart
        /// The reason determines whether the same card may work later (``Decline/mayRetry``).
        case declined(Decline.Reason)
        /// Declined as sent: the issuer wants the PIN, or the chip if no PIN can be entered on the same tap.
        case pinRequested
        /// Declined as sent: the PIN was wrong, or missing.
        case pinWrong
        /// Declined as sent: the issuer wants the chip.
        case chipRequested
        /// Declined as sent: the issuer wants the cardholder authenticated, by PIN if the issuer's answer says so and a
        /// PIN may follow on the same tap, otherwise by chip.
        case authenticationRequested
        /// Nothing is decided: the payment may or may not exist.
        case open

        /// The reason for a decline if nothing follows on the same tap; `nil` if the code is not a decline.
        public var decline: Decline.Reason? {
            switch self {
            case .declined(let reason): reason
            case .pinWrong: .incorrectPIN
            case .pinRequested, .chipRequested, .authenticationRequested: .chipRequested
            case .approved, .approvedOnCondition, .approvedInPart, .open: nil
            }
        }

        /// The possible next steps, the most promising first.
        public var next: [Alternative] {
            switch self {
            case .approved: []
            case .approvedInPart: [.payRest]
            case .pinRequested: Problem(.pinRequired).alternatives
            case .declined(let reason): Problem(reason.code).alternatives
            case .pinWrong: Problem(.incorrectPIN).alternatives
            case .chipRequested, .authenticationRequested: Problem(.chipRequested).alternatives
            case .approvedOnCondition, .open: Problem(.reversalFailed).alternatives
            }
        }
    }

    /// The meaning of some codes in some dialects.
    public struct Row: Sendable, Hashable {
        public let codes: [String]
        public let decision: Decision
        /// For the log, in English.
        public let meaning: String
        /// The networks that the row applies to; empty means all, and unknown ones.
        public let networks: Set<Network>
        /// The messages that the row applies to. Reversals are not included by default: a code that confirms a reversal
        /// differs from one that approves a payment.
        public let messages: Set<Message>

        public init(
            _ codes: [String], _ decision: Decision, _ meaning: String = "", networks: Set<Network> = [],
            messages: Set<Message> = [.payment, .refund]
        ) {
            self.codes = codes
            self.decision = decision
            self.meaning = meaning
            self.networks = networks
            self.messages = messages
        }

        fileprivate func concerns(_ code: String, _ network: Network?, _ message: Message) -> Bool {
            let isOfNetwork = networks.isEmpty || network.map { networks.contains($0) } == true
            return isOfNetwork && messages.contains(message) && codes.contains(code)
        }
    }

    /// Returns the first row that lists the code, of `rows`, then of ``table``; `nil` if no row does.
    public static func row(
        _ code: String, of network: Network?, to message: Message, before rows: [Row] = []
    ) -> Row? {
        rows.first { $0.concerns(code, network, message) } ?? table.first { $0.concerns(code, network, message) }
    }

    /// Returns the decision that a code means: `open` if no row lists it.
    ///
    /// - Parameters:
    ///   - code: the response code, as the host sent it.
    ///   - network: of the card; `nil` if unknown, then only the common rows apply.
    ///   - message: the kind of message that the host answered.
    ///   - rows: the acquirer's own table.
    public static func decision(
        _ code: String, of network: Network?, to message: Message = .payment, before rows: [Row] = []
    ) -> Decision {
        row(code, of: network, to: message, before: rows)?.decision ?? .open
    }
}

extension ResponseCode {
    /// EMVKit's own rows, the specific ones before the common ones.
    public static let table: [Row] = reversals + refunds + visa + mastercard + amex + others + common

    private static func row(
        _ codes: String, _ decision: Decision, _ meaning: String, _ networks: Set<Network> = [],
        to messages: Set<Message> = [.payment, .refund]
    ) -> Row {
        Row(codes.split(separator: " ").map { String($0) }, decision, meaning, networks: networks, messages: messages)
    }

    /// After a reversal that was not accepted, or that found no payment, the result of the payment is open.
    private static let reversals = [
        row("00 400", .approved, "Reversed", to: [.reversal]),
        row("900", .approved, "Accepted", [.amex], to: [.reversal]),
        row("79", .approved, "Already reversed", [.visa], to: [.reversal]),
    ]

    private static let refunds = [
        row("85", .approved, "No reason to decline", [.visa], to: [.refund]),
        row("10", .open, "Approved in part", to: [.refund]),
    ]

    private static let visa = [
        row("08", .open, "Not in use", [.visa]),
        row("1A", .chipRequested, "Authentication required", [.visa]),
        row("70", .pinRequested, "PIN required", [.visa, .mastercard]),
        row("82 Q1", .declined(.suspectedFraud), "Card authentication failed", [.visa]),
        row("64", .declined(.cardNotPermitted), "Money laundering law", [.visa]),
        row("5C 9G", .declined(.cardNotPermitted), "Blocked", [.visa]),
        row("78", .declined(.cardNotPermitted), "Card not activated", [.visa]),
        row("B1 B2", .declined(.issuer), "Surcharge not allowed", [.visa]),
        row("N3 N4 N8", .declined(.issuer), "Cash, or above pre-authorisation", [.visa]),
        row("R0 R1 R2 R3", .declined(.cardNotPermitted), "Stop order", [.visa]),
        row("N7 6P", .declined(.issuer), "Verification data wrong", [.visa]),
    ]

    private static let mastercard = [
        row("65", .authenticationRequested, "Authentication required", [.mastercard]),
        row("79 82", .declined(.issuer), "Life cycle, policy", [.mastercard]),
        row("83", .declined(.suspectedFraud), "Fraud, security", [.mastercard]),
    ]

    /// Action codes have three digits.
    private static let amex = [
        row("1A", .authenticationRequested, "Authentication required", [.amex]),
        row("000 001", .approved, "Approved", [.amex]),
        row("002", .approvedInPart, "Approved in part", [.amex], to: [.payment]),
        row("100 122 125 187 189 200", .declined(.issuer), "Declined", [.amex]),
        row("101", .declined(.cardExpired), "Expired card", [.amex]),
        row("106", .declined(.pinAttemptsExceeded), "PIN tries exceeded", [.amex]),
        row("107", .declined(.issuer), "Call issuer", [.amex]),
        row("109", .declined(.merchantNotPermitted), "Merchant not allowed", [.amex]),
        row("110 111 115 181 183", .declined(.issuer), "Request invalid", [.amex]),
        row("117", .pinWrong, "Incorrect PIN", [.amex]),
        row("119", .declined(.cardNotPermitted), "Not permitted", [.amex]),
        row("909", .open, "Malfunction", [.amex]),
        row("912", .declined(.issuerUnavailable), "Issuer not reachable", [.amex]),
    ]

    private static let others = [
        row("1A", .chipRequested, "Authentication required", [.unionPay]),
        row("45", .chipRequested, "Chip required", [.unionPay]),
        row("80 81", .chipRequested, "Contactless not accepted", [.cartesBancaires]),
        row("38", .declined(.cardExpired), "Expired card", [.cartesBancaires]),
        row("19", .chipRequested, "Contactless not accepted", [.girocard]),
        row("13", .declined(.insufficientFunds), "Available amount exceeded", [.girocard]),
        row("85", .declined(.issuer), "Declined", [.girocard]),
    ]

    private static let common = [
        row("00 11 16", .approved, "Approved"),
        row("08", .approvedOnCondition, "Approved after identification or signature"),
        row("10", .approvedInPart, "Approved in part", to: [.payment]),
        row("01 02", .declined(.issuer), "Refer to issuer"),
        row("03 58", .declined(.merchantNotPermitted), "Merchant or terminal not allowed"),
        row("04 41 43", .declined(.cardLostOrStolen), "Pick up, lost or stolen"),
        row("07 34 59 63", .declined(.suspectedFraud), "Fraud, security"),
        row("33 54", .declined(.cardExpired), "Expired card"),
        row("05 35 37", .declined(.issuer), "Declined"),
        row("36 57 62 93", .declined(.cardNotPermitted), "Not permitted"),
        row("38 75", .declined(.pinAttemptsExceeded), "PIN tries exceeded"),
        row("12 13 14 15 30 31", .declined(.issuer), "Transaction, amount, number, issuer or format invalid"),
        row("19", .declined(.issuerUnavailable), "Enter again"),
        row("39 45 46 52 53", .declined(.issuer), "No such account, or closed"),
        row("51", .declined(.insufficientFunds), "Insufficient funds"),
        row("55", .pinWrong, "Incorrect PIN"),
        row("61 65", .declined(.limitExceeded), "Limit exceeded"),
        row("70", .declined(.issuer), "Contact issuer"),
        row("86", .declined(.issuer), "PIN cannot be checked"),
        row("90", .declined(.issuerUnavailable), "Cut-off"),
        row("91 92", .declined(.issuerUnavailable), "Issuer not reachable"),
        row("06 20 22 28 96", .open, "Error"),
        row("09", .open, "In progress"),
        row("21 25", .open, "Nothing done, original not found"),
        row("26 50 94", .open, "Duplicate"),
        row("68 97 98 99", .open, "Late, timed out"),
        row("76", .open, "Of a reversal, or blocked"),
        row("85", .open, "No reason to decline"),
    ]
}

/// A host's answer as it was received, without interpretation.
public struct HostAnswer: Sendable, Hashable {
    /// Field 39, as the host sent it.
    public var responseCode: String
    /// Field 38; empty if the answer has no such field.
    public var authorizationCode: String
    /// The approved amount, if the host states one.
    public var approvedAmount: Money?
    /// The balance left on a prepaid card, if the host states it.
    public var balance: Money?
    /// The issuer's chip data (field 55): 8A, 91, 71, 72. They contain only objects that the host sent in that field:
    /// field 39 is not 8A.
    public var chip: DataObjects
    /// The issuer's flag that a PIN may follow on the same tap (Mastercard).
    public var requestsPIN: Bool

    public init(
        responseCode: String, authorizationCode: String = "", approvedAmount: Money? = nil, balance: Money? = nil,
        chip: DataObjects = [:], requestsPIN: Bool = false
    ) {
        self.responseCode = responseCode
        self.authorizationCode = authorizationCode
        self.approvedAmount = approvedAmount
        self.balance = balance
        self.chip = chip
        self.requestsPIN = requestsPIN
    }
}

/// A code that decides nothing: the payment may or may not exist at the host. An ``Authorizer`` that throws this error
/// requests a reversal.
public struct UndecidedAnswer: Error, Sendable, Hashable, CustomStringConvertible {
    public let responseCode: String
    public let network: ResponseCode.Network?

    public var description: String {
        "Response code \(responseCode) of \(network?.rawValue ?? "unknown network") decides nothing"
    }
}

/// Turns a host's answer into an issuer's decision.
public struct ResponseCodeTable: Sendable, Hashable {
    /// The acquirer's own table, which has priority over ``ResponseCode/table``.
    public var rows: [ResponseCode.Row]
    /// The requests state that a PIN may follow on the same tap (single tap), and there is a PIN pad.
    public var takesPINOnSameTap: Bool
    /// A card can be inserted. If not, a request for the chip is a decline.
    public var hasChipReader: Bool

    public init(rows: [ResponseCode.Row] = [], takesPINOnSameTap: Bool = false, hasChipReader: Bool = true) {
        self.rows = rows
        self.takesPINOnSameTap = takesPINOnSameTap
        self.hasChipReader = hasChipReader
    }

    /// Returns the issuer's decision. Throws if the code decides nothing, if a partial approval states no amount, and
    /// if an approval has a condition that nobody checks.
    public func decision(
        _ answer: HostAnswer, to request: AuthorizationRequest
    ) throws(UndecidedAnswer) -> IssuerDecision {
        let code = answer.responseCode, network = ResponseCode.Network(request.read)
        let message: ResponseCode.Message = request.kind == .refund ? .refund : .payment
        let undecided = UndecidedAnswer(responseCode: code, network: network)
        let decision = ResponseCode.decision(code, of: network, to: message, before: rows)
        switch decision {
        case .approved, .approvedInPart:
            if decision == .approvedInPart, answer.approvedAmount == nil { throw undecided }
            let part = answer.approvedAmount == request.amount ? nil : answer.approvedAmount
            return .approved(
                Approval(
                    code: answer.authorizationCode, responseCode: code, issuerData: answer.chip, approvedAmount: part,
                    balance: answer.balance))
        case .approvedOnCondition, .open: throw undecided
        case .pinRequested, .pinWrong, .authenticationRequested:
            let isPIN = decision != .authenticationRequested || answer.wantsPIN(network)
            guard takesPINOnSameTap, isPIN else { return decline(decision, answer, request) }
            // Kernel 4 reads in the issuer's data that a PIN is needed. Other kernels would treat the data as the final
            // answer.
            let chip = network == .amex ? answer.chip : [:]
            return .pinRequested(
                PINChallenge(id: request.key.rawValue, isRepeated: request.pin != nil, issuerData: chip))
        case .declined, .chipRequested: return decline(decision, answer, request)
        }
    }

    /// Throws if the host has not confirmed that a payment is reversed.
    public func confirmReversal(
        _ responseCode: String, of network: ResponseCode.Network? = nil
    ) throws(UndecidedAnswer) {
        guard ResponseCode.decision(responseCode, of: network, to: .reversal, before: rows) == .approved else {
            throw UndecidedAnswer(responseCode: responseCode, network: network)
        }
    }

    private func decline(
        _ decision: ResponseCode.Decision, _ answer: HostAnswer, _ request: AuthorizationRequest
    ) -> IssuerDecision {
        let reason = decision.decline ?? .issuer
        guard reason == .chipRequested else {
            return .declined(Decline(reason: reason, responseCode: answer.responseCode, issuerData: answer.chip))
        }
        // A phone cannot be inserted.
        guard hasChipReader, request.read.cvm != .cdcvm else {
            return .declined(Decline(reason: .issuer, responseCode: answer.responseCode, issuerData: answer.chip))
        }
        return .chipRequested(responseCode: answer.responseCode, issuerData: answer.chip)
    }
}

extension ResponseCode.Network {
    /// Creates the network of the application that the card was read with.
    init?(_ read: CardRead) {
        self.init(aid: read.card.application)
    }
}

extension HostAnswer {
    fileprivate func wantsPIN(_ network: ResponseCode.Network?) -> Bool {
        requestsPIN || chip.responseCode(ofAmericanExpress: network == .amex) == Array("13".utf8)
    }
}

extension DataObjects {
    /// The issuer's authorisation response code: 8A, or for American Express the last two bytes of 91.
    func responseCode(ofAmericanExpress isAmericanExpress: Bool) -> Bytes? {
        if let code = self[0x8A] { return code }
        guard isAmericanExpress, let data = self[0x91], data.count == 10 else { return nil }
        return Bytes(data.suffix(2))
    }

    /// Returns the data objects of the issuer's answer for the kernel. If the issuer sent no response code, one is made
    /// from its decision, so that a kernel that decides by the code (Kernels 4 and 5) keeps an approval as an approval
    /// and a decline as a decline.
    ///
    /// - Parameter isApproved: `nil` if the issuer has not decided; then no response code is made.
    func forKernel(_ read: CardRead, isApproved: Bool?) -> DataObjects {
        guard self[0x8A] == nil else { return self }
        var data = self
        let isAmericanExpress = PaymentScheme(aid: read.card.application) == .amex
        data[0x8A] =
            responseCode(ofAmericanExpress: isAmericanExpress) ?? isApproved.map { Array(($0 ? "00" : "05").utf8) }
        return data
    }
}

extension UndecidedAnswer: ExplainedError {
    public var recoverySuggestion: String { Problem(.authorizationAnswerLost).recoverySuggestion }
}
