// SPDX-License-Identifier: Apache-2.0
/// The word for a tap in traces and logs.
public enum TapName: String, Sendable, Hashable, CaseIterable, Codable {
    case success, declined, unreadable, unsupportedNetwork, limitExceeded, onlinePINRequired, onlinePINUnavailable
    case tryAnotherInterface, seePhone, presentAgain, cancelled, failed, verified
}

extension TapName {
    /// Derives the tap's name from an outcome. No other code decides it.
    ///
    /// - Parameters:
    ///   - outcome: the last outcome of the session.
    ///   - waiting: the session polls again; the outcome is not final.
    ///   - hasPINPad: an encrypted PIN can be collected.
    public init(outcome: Outcome, waiting: Bool = false, hasPINPad: Bool = true) {
        if waiting {
            let messages = [outcome.uiOnRestart?.message, outcome.uiOnOutcome?.message]
            self = messages.contains(.seePhone) ? .seePhone : .presentAgain
            return
        }
        switch outcome.status {
        case .approved: self = .success
        case .onlineRequest where outcome.cvm != .onlinePIN: self = .success
        case .onlineRequest, .requestOnlinePIN: self = hasPINPad ? .onlinePINRequired : .onlinePINUnavailable
        case .declined: self = .declined
        case .tryAnotherInterface, .endApplication, .selectNext, .tryAgain, .none: self = TapName(unread: outcome)
        }
    }

    /// No card was read: the reason decides, then the status.
    private init(unread outcome: Outcome) {
        switch outcome.reason {
        case .notAllowed, .kernelLimit: self = .limitExceeded
        case .noCommonApplication: self = .unsupportedNetwork
        case .noCombination, .random, .internal: self = .failed
        case .stopped, .abandoned: self = .cancelled
        case .none, .kernel, .selectionExhausted, .cardData, .cardStatus, .link, .tooManyTaps, .cardSwitched,
            .storeFull, .protection, .collision:
            switch outcome.status {
            case .tryAnotherInterface: self = .tryAnotherInterface
            case .none: self = .failed
            case .approved, .declined, .onlineRequest, .requestOnlinePIN, .endApplication, .selectNext, .tryAgain:
                self = .unreadable
            }
        }
    }
}

/// The limit that stopped a contactless payment: the reader's or the kernel's.
public enum LimitRule: Sendable, Hashable {
    /// The reader's contactless transaction limit, if known.
    case transactionLimit(Money?)
    /// A zero amount is not allowed.
    case zeroAmount
    /// A limit of the kernel.
    case kernelLimit
    /// Another rule of pre-processing, or several at once.
    case other
}
