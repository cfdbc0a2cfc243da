// SPDX-License-Identifier: Apache-2.0
extension Presentation {
    /// Creates the presentation of a tap's ending. The decisive problem is shown at the field that it names.
    ///
    /// - Parameters:
    ///   - outcome: the outcome of the tap.
    ///   - request: the payment to make, if the tap ended without a read that contains it.
    public init(_ outcome: TapOutcome, of request: PaymentRequest? = nil) {
        let problem = outcome.problems.first
        self.init(
            Ending(outcome), problem, field: problem?.field, options: outcome.alternatives,
            total: outcome.paid?.amount ?? request?.amount)
    }

    /// Creates the presentation of an authorisation's ending. The decisive problem is shown at the field that it names.
    ///
    /// - Parameters:
    ///   - result: the result of the authorisation.
    ///   - read: the authorised read: it determines whether a receipt has to be signed.
    public init(_ result: AuthorizationResult, of read: CardRead) {
        if result.sale == .paid, result.effect.isCertainlyNothing, let request = read.tap?.request,
            request.kind != .refund
        {
            // This call took no money, and nothing is left to pay.
            self.init(.alreadyPaid, total: request.amount)
        } else {
            self.init(ending: result.ending, of: read)
        }
    }

    init(ending result: AuthorizationResult.Ending, of read: CardRead) {
        let problem = result.problems.first
        var total = read.amount, rest: Money?, isSigned = false
        if case .approved(let approval) = result, let part = approval.approvedAmount {
            isSigned = read.cvm == .signature && !approval.isPINVerified
            if let total, total.currency == part.currency, total.minorUnits > part.minorUnits {
                rest = Money(minorUnits: total.minorUnits - part.minorUnits, currency: total.currency)
            }
            total = part
        }
        self.init(
            Ending(result, read), problem, field: problem?.field, options: result.alternatives, total: total,
            rest: rest, isSigned: isSigned)
    }
}

extension TapOutcome {
    /// The requested payment, if the read contains it.
    var paid: PaymentRequest? {
        switch self {
        case .success(let read), .declined(let read), .onlinePINRequired(let read): read.tap?.request
        case .onlinePINUnavailable(let read): read.tap?.request
        case .verified, .unreadable, .unsupportedNetwork, .limitExceeded, .tryAnotherInterface, .cancelled, .failed:
            nil
        }
    }
}

extension Presentation.Ending {
    public init(_ outcome: TapOutcome) {
        self =
            switch outcome {
            case .success(let read) where read.isDelayed: .accepted
            case .success(let read) where read.authorization == .approvedOffline:
                read.cvm == .signature ? .approvedWithSignature : .approved
            case .success: .authorizing
            case .verified: .verified
            case .declined: .declined
            case .unreadable: .unreadable
            case .unsupportedNetwork: .unsupportedNetwork
            case .limitExceeded: .limitExceeded
            case .onlinePINRequired: .pinRequired
            case .onlinePINUnavailable: .pinUnavailable
            case .tryAnotherInterface: .tryAnotherInterface
            case .cancelled: .cancelled
            case .failed: .failed
            }
    }

    public init(_ result: AuthorizationResult.Ending, _ read: CardRead) {
        self =
            switch result {
            case .approved(let approval) where approval.approvedAmount != nil: .approvedInPart
            case .approved(let approval):
                read.cvm == .signature && !approval.isPINVerified ? .approvedWithSignature : .approved
            case .accepted: .accepted
            case .declined(let decline) where decline.reason == .chipRequested: .tryAnotherInterface
            case .declined: .declined
            case .pinRequested: .pinRequired
            case .failed, .reversed: .failed
            case .unknown: .unknown
            }
    }
}
