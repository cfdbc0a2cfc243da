// SPDX-License-Identifier: Apache-2.0
/// How a tap ended, for an app. The cases are complete, and no error is thrown.
///
/// A success carries no problems, by its type; every other case has ``TapOutcome/problems`` and at least one of
/// ``TapOutcome/alternatives``. "See phone" and "present again" are handled inside a tap and have no case here;
/// ``TapName`` has them for traces.
public enum TapOutcome: Sendable, Hashable {
    /// Approved offline, or the issuer must be asked: see ``CardRead/authorization``.
    case success(CardRead)
    /// The card was read without an amount, for a ``VerificationRequest``: nothing was paid, and the read cannot
    /// authorise anything.
    case verified(CardVerification)
    /// The card or the kernel declined.
    case declined(CardRead)
    /// The card could not be read after the allowed presentments.
    case unreadable(ReadFailure)
    /// Card and reader have no application in common, or the card is from a country that is not accepted.
    case unsupportedNetwork(NetworkMismatch)
    /// The amount is not allowed contactless; the rule states which limit, and whose.
    case limitExceeded(LimitRule)
    /// A PIN pad must collect an encrypted PIN.
    case onlinePINRequired(CardRead)
    /// A PIN is required and there is no PIN pad. The read is enough to continue another way, and cannot be authorised.
    case onlinePINUnavailable(PINFallbackRead)
    /// Insert or swipe.
    case tryAnotherInterface(Outcome.Interface)
    case cancelled(CancelReason)
    case failed(TapFailure)
}

public struct ReadFailure: Sendable, Hashable {
    public var reason: Outcome.Reason
    public var errorIndication: ErrorIndication
    public var findings: Findings
    /// The last fault of the link, if that was the reason.
    public var linkFault: LinkFault?
    /// The cardholder was asked to unlock the phone and presented it again without doing so.
    public var deviceLocked: Bool

    public init(
        reason: Outcome.Reason, errorIndication: ErrorIndication = ErrorIndication(), findings: Findings = [],
        linkFault: LinkFault? = nil, deviceLocked: Bool = false
    ) {
        self.reason = reason
        self.errorIndication = errorIndication
        self.findings = findings
        self.linkFault = linkFault
        self.deviceLocked = deviceLocked
    }
}

public struct NetworkMismatch: Sendable, Hashable {
    public enum Cause: Sendable, Hashable {
        case noCommonApplication
        case issuerCountry(Country)
        /// The card does not name a country, and the request refuses such cards.
        case issuerCountryUnknown
    }

    public var cause: Cause
    /// Application identifiers that the card listed, if they are known.
    public var offered: [Bytes]

    public init(_ cause: Cause = .noCommonApplication, offered: [Bytes] = []) {
        self.cause = cause
        self.offered = offered
    }
}

public enum CancelReason: String, Sendable, Hashable, CaseIterable {
    /// The app called `cancel()`.
    case requested
    /// The task that read was cancelled.
    case taskCancelled
    /// No card came in time.
    case timedOut
    /// The card of an earlier payment was not taken away in time.
    case cardLeft
    case readerDetached
    /// The terminal stopped the transaction.
    case stopped
    /// The app called `suspend()`: it left the foreground, or the machine goes to sleep.
    case suspended
    /// A later request replaced it.
    case superseded
}

/// Why a tap could not be carried out. None of the reasons is caused by the card.
public enum TapFailure: Sendable, Hashable {
    /// Another tap is in progress on this reader.
    case busy
    /// The session is no longer prepared: call `prepare()` again.
    case notPrepared
    /// The reader could not be prepared.
    case preparation(PrepareError)
    /// The request contradicts itself; never empty.
    case invalid([Problem])
    /// The request is refused: its key is used, its sale is paid or open, or its amount is more than is left.
    case refused(JournalError)
    /// The request cannot be made with this configuration.
    case invalidRequest(ConfigurationError)
    /// No combination supports the transaction type.
    case noCombination
    /// The issuer's answer was given, but no tap waits for it.
    case nothingToComplete
    /// No usable random number was available.
    case noRandom
    case reader(ReaderFault)
    /// The payment could not be journalled: nothing was sent, and no money is taken.
    case journal(JournalError)
    /// A defect of the kernel; it failed safe.
    case `internal`
}

extension TapOutcome {
    public var name: TapName {
        switch self {
        case .success: .success
        case .verified: .verified
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

extension TapOutcome {
    /// Creates a payment's tap outcome from a final kernel outcome (``TapName/init(outcome:waiting:hasPINPad:)``).
    public init(outcome: Outcome, hasPINPad: Bool = true, limit: LimitRule = .other, tap: TapRecord? = nil) {
        func read(_ authorization: CardRead.Authorization) -> CardRead {
            CardRead(authorization: authorization, outcome: outcome, tap: tap)
        }
        switch TapName(outcome: outcome, hasPINPad: hasPINPad) {
        case .success: self = .success(read(outcome.status == .approved ? .approvedOffline : .onlineRequired))
        case .onlinePINRequired: self = .onlinePINRequired(read(.onlineRequired))
        case .onlinePINUnavailable: self = .onlinePINUnavailable(PINFallbackRead(read(.onlineRequired)))
        case .declined: self = .declined(read(.declined))
        case .limitExceeded: self = .limitExceeded(outcome.reason == .kernelLimit ? .kernelLimit : limit)
        case .unsupportedNetwork: self = .unsupportedNetwork(NetworkMismatch())
        case .tryAnotherInterface: self = .tryAnotherInterface(outcome.alternateInterface)
        case .cancelled: self = .cancelled(.stopped)
        case .unreadable:
            self = .unreadable(
                ReadFailure(
                    reason: outcome.reason, errorIndication: outcome.errorIndication, findings: outcome.findings))
        case .failed, .verified, .seePhone, .presentAgain:
            switch outcome.reason {
            case .noCombination: self = .failed(.noCombination)
            case .random: self = .failed(.noRandom)
            default: self = .failed(.internal)
            }
        }
    }

    /// Creates a verification's tap outcome from a final kernel outcome. Nothing is approved, even if the card would
    /// have agreed. A card that refuses is still identified, which is enough to look it up.
    init(verifying outcome: Outcome, _ reason: VerificationRequest.Reason, limit: LimitRule, tap: TapRecord) {
        switch outcome.status {
        case .approved, .onlineRequest, .requestOnlinePIN:
            self = .verified(CardVerification(reason: reason, tap: tap, outcome: outcome))
        case .declined where reason == .lookUp && outcome.dataRecord?.maskedPAN != nil:
            self = .verified(CardVerification(reason: reason, tap: tap, outcome: outcome))
        case .declined, .tryAnotherInterface, .endApplication, .selectNext, .tryAgain, .none:
            self = TapOutcome(outcome: outcome, limit: limit, tap: tap)
        }
    }
}
