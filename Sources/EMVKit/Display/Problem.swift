// SPDX-License-Identifier: Apache-2.0
/// One cause, known by its own code. An outcome that is no success carries its problems in order, the decisive one
/// first; a success has no place for any.
public struct Problem: Error, Sendable, Hashable {
    /// What a problem is about.
    public enum Field: String, Sendable, Hashable, CaseIterable, Codable {
        case amount, card, network, pin, reader, configuration, enrollment, authorizer, journal, loyalty
    }

    public enum Severity: Sendable, Hashable {
        /// It cannot be resolved at the POS with this payment.
        case fatal
        /// It can be resolved: by these actions, the most promising first; never empty.
        case recoverable([Alternative])
    }

    public enum Audience: Sendable, Hashable, CaseIterable {
        case everyone
        /// For the merchant and the log only; the customer is told that the payment was not authorised, and no more.
        case merchant
    }

    public let code: Code
    public let field: Field
    public let severity: Severity
    /// The limit or the balance it is about.
    public let amount: Money?
    /// For the log: the issuer's response code, the row of a configuration. Never card data.
    public let detail: String?
    /// What led to it, in order.
    public let underlying: [Problem]

    public init(
        _ code: Code, field: Field? = nil, severity: Severity? = nil, amount: Money? = nil, detail: String? = nil,
        underlying: [Problem] = []
    ) {
        let row = ProblemTable.row(code)
        self.code = code
        self.field = field ?? row.field
        let usual: Severity = row.actions.isEmpty ? .fatal : .recoverable(row.actions)
        self.severity = severity == .recoverable([]) ? .fatal : severity ?? usual
        self.amount = amount
        self.detail = detail
        self.underlying = underlying
    }

    public var audience: Audience { ProblemTable.row(code).audience }
    /// What may be done; for a fatal problem another way to pay, or whom to ask. Never empty.
    public var alternatives: [Alternative] {
        switch severity {
        case .fatal: ProblemTable.row(code).elsewhere
        case .recoverable(let actions): actions
        }
    }
    /// In English: a noun phrase of at most 128 characters, without final punctuation.
    public var recoverySuggestion: String { ProblemTable.row(code).remedy }
    /// Where the documentation explains it.
    public var helpAnchor: String { "problem-\(code.rawValue)" }
}

extension Problem: CustomStringConvertible {
    /// In English: a noun phrase of at most 128 characters, without final punctuation. Names the limit or balance where
    /// it is known.
    public var description: String {
        let text = ProblemTable.row(code).text
        return amount.map { "\(text): \($0)" } ?? text
    }
}

extension Problem {
    /// One code for each known cause.
    public enum Code: String, Sendable, Hashable, CaseIterable, Codable {
        // The amount and the request
        case amountAboveLimit, amountAboveKernelLimit, amountZero, amountNotAllowed, amountTooLarge
        case currencyInvalid, currencyConflict, cashBackAboveAmount, cashBackZero, lineItemsMismatch
        case transactionTypeNotConfigured, preferredApplicationInvalid, requestInvalid
        case keyUsed, saleSettled, saleOpen, amountAboveDue

        // The card
        case linkTimedOut, linkDisturbed, linkProtocolFailed, cardRemovedEarly
        case cardDataInvalid, cardStatusUnexpected, cardDataTooLarge, cardSwitched, cardProtectionFailed
        case severalCards, tooManyPresentments, applicationsExhausted, deviceNotUnlocked
        case otherInterfaceWanted, cardDeclined, insufficientOfflineBalance, issuerAnswerRefused

        // The network
        case networkUnsupported, preferredApplicationAbsent, issuerCountryUnsupported, issuerCountryUnknown

        // The PIN
        case pinRequired, pinPadMissing, pinCancelled, pinTimedOut, pinBypassed, pinPadFailed, pinAttemptsExceeded,
            incorrectPIN

        // What people and programs do
        case cancelledByPerson, cancelledByProgram, cardTimedOut, stoppedByTerminal, suspended, superseded

        // The reader
        case readerDetached, readerMissing, readerServiceMissing, readerInUse, readerUnsupported, readerFailed
        case readerBusy, notPrepared, preparationCancelled, nothingToComplete, randomMissing, kernelDefect

        // The configuration
        case configurationInvalid, configurationExpired, configurationExpiresSoon, caKeysMissing, caKeyExpired, testKeys

        // The enrolment
        case enrollmentRequired, enrollmentRevoked, enrollmentOutdated, administratorRequired,
            enrollmentSignatureInvalid
        case enrollmentStoreFailed

        // The issuer and the way there
        case issuerDeclined, insufficientFunds, suspectedFraud, cardExpired, cardLostOrStolen, cardNotPermitted,
            issuerLimitExceeded
        case issuerUnavailable, hostUnreachable, hostRejected, authorizationTimedOut, authorizationInterrupted
        case authorizationAnswerLost, reversalFailed, authorizationNotPossible
        case approvedInPart, offlineLimitReached, issuerDataTooLong

        // The journal
        case journalFailed, journalFull, journalInUse, journalDamaged
    }
}
