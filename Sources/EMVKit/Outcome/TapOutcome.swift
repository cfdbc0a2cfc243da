// SPDX-License-Identifier: Apache-2.0
/// How a tap ended, for an app: total, and without an error to throw.
///
/// A success carries no problems, by its type; everything else has ``TapOutcome/problems`` and at least one of
/// ``TapOutcome/alternatives``. See phone and present again are handled inside a tap and are no case here; ``TapName``
/// has them for traces.
public enum TapOutcome: Sendable, Hashable {
    /// Approved offline, or the issuer is to be asked: ``CardRead/authorization`` says which.
    case success(CardRead)
    /// The card was read without an amount, for a ``VerificationRequest``: nothing was paid, and nothing can be
    /// authorised with it.
    case verified(CardVerification)
    /// The card or the kernel said no.
    case declined(CardRead)
    /// Could not be read after the allowed presentments.
    case unreadable(ReadFailure)
    /// No application in common, or a card of a country that is not taken.
    case unsupportedNetwork(NetworkMismatch)
    /// The amount is not allowed contactless: which limit, and whose.
    case limitExceeded(LimitRule)
    /// A PIN pad must collect an encrypted PIN.
    case onlinePINRequired(CardRead)
    /// A PIN is wanted and there is no PIN pad. What was read is enough to go on another way, and cannot be authorised.
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
    /// The last fault of the link, where that was the reason.
    public var linkFault: LinkFault?
    /// The cardholder was sent to the phone and came back without having unlocked it.
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
    /// Application identifiers the card listed, where they are known.
    public var offered: [Bytes]

    public init(_ cause: Cause = .noCommonApplication, offered: [Bytes] = []) {
        self.cause = cause
        self.offered = offered
    }
}

public enum CancelReason: String, Sendable, Hashable, CaseIterable {
    /// `cancel()` was called.
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
    /// `suspend()` was called: the app left the foreground, the machine goes to sleep.
    case suspended
    /// A later request took its place.
    case superseded
}

/// Why a tap could not take place. None of it is the card's doing.
public enum TapFailure: Sendable, Hashable {
    /// Another tap is under way on this reader.
    case busy
    /// The session is no longer prepared: call `prepare()` again.
    case notPrepared
    /// The reader could not be prepared.
    case preparation(PrepareError)
    /// The request contradicts itself; never empty.
    case invalid([Problem])
    /// The request is not carried out: its key is used, its sale is paid or open, or it is of more than is left.
    case refused(JournalError)
    /// The request cannot be made with this configuration.
    case invalidRequest(ConfigurationError)
    /// No combination takes the transaction type.
    case noCombination
    /// The issuer's answer was given, but no tap waits for it.
    case nothingToComplete
    /// No usable random number.
    case noRandom
    case reader(ReaderFault)
    /// The payment could not be journalled: nothing was sent, and nothing is taken.
    case journal(JournalError)
    /// A defect of the kernel; it ended closed.
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
    /// How a payment's tap follows from a final outcome (``TapName/init(outcome:waiting:hasPINPad:)``).
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

    /// How a verification's tap follows from a final outcome. Whatever the card would have agreed to, nothing is
    /// approved. A card that refuses is known all the same, which is enough to look it up.
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
