/// How a tap ended, for an app: total, and without an error to throw.
///
/// See phone and present again are handled inside a tap and are no case here; ``TapName`` has them for traces.
public enum TapOutcome: Sendable, Hashable {
    /// Approved offline, or the issuer is to be asked: ``CardRead/authorization`` says which.
    case success(CardRead)
    /// The card or the kernel said no.
    case declined(CardRead)
    /// Could not be read after the allowed presentments.
    case unreadable(ReadFailure)
    /// No application in common.
    case unsupportedNetwork(NetworkMismatch)
    /// The amount is not allowed contactless: which limit, and whose.
    case limitExceeded(LimitRule)
    /// A PIN pad must collect an encrypted PIN.
    case onlinePINRequired(CardRead)
    /// A PIN is wanted and there is no PIN pad.
    case onlinePINUnavailable(CardRead)
    /// Insert or swipe.
    case tryAnotherInterface(Outcome.Interface)
    case cancelled(CancelReason)
    case failed(TapFailure)
}

/// What a read brought. Card data redact themselves in descriptions, mirrors and encoders.
public struct CardRead: Sendable, Hashable {
    public enum Authorization: String, Sendable, Hashable, CaseIterable {
        case approvedOffline
        /// The issuer is to be asked.
        case onlineRequired
        case declined
    }

    public let authorization: Authorization
    public let outcome: Outcome

    public init(authorization: Authorization, outcome: Outcome) {
        self.authorization = authorization
        self.outcome = outcome
    }

    public var cvm: Outcome.CVM { outcome.cvm }
    /// Data objects for the issuer.
    public var dataRecord: CardData { outcome.dataRecord ?? CardData([]) }
    public var discretionary: CardData { outcome.discretionary ?? CardData([]) }
    public var maskedPAN: MaskedPAN? { dataRecord.maskedPAN }
    public var receiptRequested: Bool { outcome.receipt }
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

public struct ReadFailure: Sendable, Hashable {
    public var reason: Outcome.Reason
    public var errorIndication: ErrorIndication
    public var findings: Findings

    public init(reason: Outcome.Reason, errorIndication: ErrorIndication = ErrorIndication(), findings: Findings = []) {
        self.reason = reason
        self.errorIndication = errorIndication
        self.findings = findings
    }
}

public struct NetworkMismatch: Sendable, Hashable {
    /// Application identifiers the card listed, where they are known.
    public var offered: [Bytes]

    public init(offered: [Bytes] = []) {
        self.offered = offered
    }
}

/// Which limit stopped a contactless payment, and whose.
public enum LimitRule: Sendable, Hashable {
    /// The reader's contactless transaction limit, in minor units where known.
    case transactionLimit(UInt64?)
    /// A zero amount is not allowed.
    case zeroAmount
    /// A limit of the kernel.
    case kernelLimit
    /// Another rule of pre-processing, or several at once.
    case other
}

public enum CancelReason: Sendable, Hashable, CaseIterable {
    /// `cancel()` was called.
    case requested
    /// The task that read was cancelled.
    case taskCancelled
    /// No card came in time.
    case timedOut
    case readerDetached
    /// The terminal stopped the transaction.
    case stopped
}

/// Why a tap could not take place. None of it is the card's doing.
public enum TapFailure: Sendable, Hashable {
    /// Another tap is under way on this reader.
    case busy
    /// The session is no longer prepared: call `prepare()` again.
    case notPrepared
    /// The request cannot be made with this configuration.
    case invalidRequest(ConfigurationError)
    /// No combination takes the transaction type.
    case noCombination
    /// The issuer's answer was given, but no tap waits for it.
    case nothingToComplete
    /// No usable random number.
    case noRandom
    case reader(ReaderFault)
    /// A defect of the kernel; it ended closed.
    case `internal`
}

/// The word for a tap in traces and logs.
public enum TapName: String, Sendable, Hashable, CaseIterable {
    case success, declined, unreadable, unsupportedNetwork, limitExceeded, onlinePINRequired, onlinePINUnavailable
    case tryAnotherInterface, seePhone, presentAgain, cancelled, failed
}

extension TapOutcome {
    public var name: TapName {
        switch self {
        case .success: .success
        case .declined: .declined
        case .unreadable: .unreadable
        case .unsupportedNetwork: .unsupportedNetwork
        case .limitExceeded: .limitExceeded
        case .onlinePINRequired: .onlinePINRequired
        case .onlinePINUnavailable: .onlinePINUnavailable
        case .tryAnotherInterface: .tryAnotherInterface
        case .cancelled: .cancelled
        case .failed: .failed
        }
    }
}

/// What an outcome means for the tap.
public enum TapResult: Sendable, Hashable {
    /// The tap is over.
    case final(TapOutcome)
    /// The cardholder is to look at the phone and present it again.
    case seePhone
    /// The card is to be presented again.
    case presentAgain

    public var name: TapName {
        switch self {
        case .final(let outcome): outcome.name
        case .seePhone: .seePhone
        case .presentAgain: .presentAgain
        }
    }

    /// The one place that knows how a tap follows from an outcome.
    ///
    /// - Parameters:
    ///   - outcome: the last outcome of the session.
    ///   - waiting: the session polls again; the outcome is not final.
    ///   - hasPINPad: an encrypted PIN can be collected.
    ///   - limit: the rule to name where a limit was exceeded.
    public init(outcome: Outcome, waiting: Bool = false, hasPINPad: Bool = true, limit: LimitRule = .other) {
        if waiting {
            let messages = [outcome.uiOnRestart?.message, outcome.uiOnOutcome?.message]
            self = messages.contains(.seePhone) ? .seePhone : .presentAgain
        } else {
            self = .final(TapOutcome(outcome: outcome, hasPINPad: hasPINPad, limit: limit))
        }
    }
}

extension TapOutcome {
    /// How a tap follows from a final outcome.
    public init(outcome: Outcome, hasPINPad: Bool = true, limit: LimitRule = .other) {
        switch outcome.status {
        case .approved:
            self = .success(CardRead(authorization: .approvedOffline, outcome: outcome))
        case .onlineRequest where outcome.cvm != .onlinePIN:
            self = .success(CardRead(authorization: .onlineRequired, outcome: outcome))
        case .onlineRequest, .requestOnlinePIN:
            let read = CardRead(authorization: .onlineRequired, outcome: outcome)
            self = hasPINPad ? .onlinePINRequired(read) : .onlinePINUnavailable(read)
        case .declined:
            self = .declined(CardRead(authorization: .declined, outcome: outcome))
        case .tryAnotherInterface, .endApplication, .selectNext, .tryAgain, .none:
            self = TapOutcome(unread: outcome, limit: limit)
        }
    }

    /// No card was read: the reason decides, then the status.
    private init(unread outcome: Outcome, limit: LimitRule) {
        switch outcome.reason {
        case .notAllowed:
            self = .limitExceeded(limit)
        case .kernelLimit:
            self = .limitExceeded(.kernelLimit)
        case .noCommonApplication:
            self = .unsupportedNetwork(NetworkMismatch())
        case .noCombination:
            self = .failed(.noCombination)
        case .stopped, .abandoned:
            self = .cancelled(.stopped)
        case .random:
            self = .failed(.noRandom)
        case .internal:
            self = .failed(.internal)
        case .none, .kernel, .selectionExhausted, .cardData, .cardStatus, .link, .tooManyTaps, .cardSwitched, .storeFull,
            .protection, .collision:
            switch outcome.status {
            case .tryAnotherInterface:
                self = .tryAnotherInterface(outcome.alternateInterface)
            case .none:
                self = .failed(.internal)
            default:
                self = .unreadable(
                    ReadFailure(
                        reason: outcome.reason, errorIndication: outcome.errorIndication, findings: outcome.findings))
            }
        }
    }
}
