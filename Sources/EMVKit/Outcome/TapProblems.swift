// SPDX-License-Identifier: Apache-2.0
extension TapOutcome {
    /// Why the tap was not a success, in order, the decisive problem first. Empty only for a success and a verified
    /// card.
    public var problems: [Problem] {
        switch self {
        case .success, .verified: []
        case .declined(let read): [read.declineProblem]
        case .unreadable(let failure): failure.problems
        case .unsupportedNetwork(let mismatch): [mismatch.problem]
        case .limitExceeded(let rule): [rule.problem]
        case .onlinePINRequired: [Problem(.pinRequired)]
        case .onlinePINUnavailable: [Problem(.pinPadMissing)]
        case .tryAnotherInterface(let interface):
            [
                Problem(
                    .otherInterfaceWanted,
                    severity: .recoverable([.otherInterface(.init(interface)), .anotherCard, .cash, .paymentLink]))
            ]
        case .cancelled(let reason): [Problem(reason.code)]
        case .failed(let failure): failure.problems
        }
    }

    /// The possible next steps, the most promising first. At least one for every tap that was not a success.
    public var alternatives: [Alternative] {
        switch self {
        case .success, .verified: []
        default: Alternative.inOrder(problems)
        }
    }

    /// The display's message at the end: the one that the kernel requested, or the one that belongs to the outcome.
    public var prompt: Prompt { prompt() }

    /// Returns the display's message at the end.
    ///
    /// - Parameters:
    ///   - texts: the catalogue that supplies the message's text.
    ///   - request: the payment to make, if the tap ended without a read that contains it: the prompt keeps its total
    ///     and merchant.
    public func prompt(texts: TextCatalogue = TextCatalogue(), of request: PaymentRequest? = nil) -> Prompt {
        var message = lastRequest
        switch self {
        case .success(let read), .declined(let read), .onlinePINRequired(let read):
            message = message.preferring(read.tap?.presented[0x5F2D])
        case .onlinePINUnavailable(let read): message = message.preferring(read.tap?.presented[0x5F2D])
        case .verified(let card): message = message.preferring(card.tap.presented[0x5F2D])
        case .unreadable, .unsupportedNetwork, .limitExceeded, .tryAnotherInterface, .cancelled, .failed: break
        }
        let kept: VerificationRequest? = if case .verified(let card) = self { card.tap.verification } else { nil }
        return Prompt(message, texts: texts, payment: paid ?? request, verification: kept)
    }

    /// The kernel's own request, unless it differs from the headline of the outcome.
    var lastRequest: UIRequest {
        let shown = Presentation(self)
        if let request = kernelRequest, shown.agrees(with: request.message) { return request }
        return UIRequest(message: shown.message, status: status)
    }

    private var kernelRequest: UIRequest? {
        switch self {
        case .success(let read), .declined(let read), .onlinePINRequired(let read): read.outcome.uiOnOutcome
        case .verified, .unreadable, .unsupportedNetwork, .limitExceeded, .onlinePINUnavailable, .tryAnotherInterface,
            .cancelled, .failed:
            nil
        }
    }

    private var status: UIRequest.Status {
        switch self {
        case .success, .declined, .onlinePINRequired, .cancelled: .idle
        case .verified: .cardRead
        case .unreadable, .unsupportedNetwork, .limitExceeded, .onlinePINUnavailable, .tryAnotherInterface:
            .processingError
        case .failed: .notReady
        }
    }
}

extension CardRead {
    /// The card gives only one reason: a balance below the amount. An estimate is not compared with the balance,
    /// because the final amount is not known yet.
    var declineReason: Decline.Reason {
        guard tap?.request?.terms != .estimated, let value = outcome.uiOnOutcome?.value, value.qualifier == .balance,
            let amount,
            value.currency == amount.currency.numeric, value.amount < amount.minorUnits
        else { return .card }
        return .insufficientOfflineBalance
    }

    fileprivate var declineProblem: Problem {
        guard declineReason == .insufficientOfflineBalance, let value = outcome.uiOnOutcome?.value, let amount else {
            return Problem(.cardDeclined)
        }
        return Problem(.insufficientOfflineBalance, amount: Money(minorUnits: value.amount, currency: amount.currency))
    }
}

extension ReadFailure {
    public var problems: [Problem] {
        if deviceLocked {
            return [Problem(.deviceNotUnlocked)] + (reason == .tooManyTaps ? [Problem(.tooManyPresentments)] : [])
        }
        let names = findings.names.isEmpty ? nil : findings.names.joined(separator: ", ")
        let code: Problem.Code =
            switch reason {
            case .link: linkFault.code
            case .tooManyTaps: .tooManyPresentments
            case .collision: .severalCards
            case .cardStatus: .cardStatusUnexpected
            case .cardSwitched: .cardSwitched
            case .storeFull: .cardDataTooLarge
            case .protection: .cardProtectionFailed
            case .selectionExhausted, .noCommonApplication: .applicationsExhausted
            case .none, .kernel, .cardData: .cardDataInvalid
            case .notAllowed: .amountNotAllowed
            case .kernelLimit: .amountAboveKernelLimit
            case .noCombination: .transactionTypeNotConfigured
            case .stopped, .abandoned: .stoppedByTerminal
            case .random: .randomMissing
            case .internal: .kernelDefect
            }
        let first = Problem(code, detail: names)
        return reason == .tooManyTaps && linkFault != nil ? [first, Problem(linkFault.code)] : [first]
    }
}

extension NetworkMismatch {
    public var problem: Problem {
        switch cause {
        case .noCommonApplication: Problem(.networkUnsupported)
        case .issuerCountry(let country): Problem(.issuerCountryUnsupported, detail: country.code)
        case .issuerCountryUnknown: Problem(.issuerCountryUnknown)
        }
    }
}

extension LimitRule {
    public var problem: Problem {
        switch self {
        case .transactionLimit(let limit): Problem(.amountAboveLimit, amount: limit)
        case .zeroAmount: Problem(.amountZero)
        case .kernelLimit: Problem(.amountAboveKernelLimit)
        case .other: Problem(.amountNotAllowed)
        }
    }
}

extension CancelReason {
    public var code: Problem.Code {
        switch self {
        case .requested: .cancelledByPerson
        case .taskCancelled: .cancelledByProgram
        case .timedOut: .cardTimedOut
        case .cardLeft: .cardNotRemoved
        case .readerDetached: .readerDetached
        case .stopped: .stoppedByTerminal
        case .suspended: .suspended
        case .superseded: .superseded
        }
    }
}

extension TapFailure {
    public var problems: [Problem] {
        switch self {
        case .busy: [Problem(.readerBusy)]
        case .notPrepared: [Problem(.notPrepared)]
        case .preparation(let error): error.problems
        case .invalid(let problems): problems.isEmpty ? [Problem(.requestInvalid)] : problems
        case .refused(let error): [error.problem]
        case .invalidRequest(let error): [Problem(.requestInvalid, detail: error.description)]
        case .noCombination: [Problem(.transactionTypeNotConfigured)]
        case .nothingToComplete: [Problem(.nothingToComplete)]
        case .noRandom: [Problem(.randomMissing)]
        case .reader(let fault): [fault.problem]
        case .journal(let error): [error.problem]
        case .internal: [Problem(.kernelDefect)]
        }
    }
}
