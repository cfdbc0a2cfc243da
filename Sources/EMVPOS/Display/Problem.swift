// SPDX-License-Identifier: Apache-2.0
/// One cause, identified by its code. An unsuccessful outcome carries its problems in order, the decisive one first; a
/// success has no problems.
public struct Problem: Error, Sendable, Hashable {
    /// The subject of a problem.
    public enum Field: String, Sendable, Hashable, CaseIterable, Codable {
        case amount, card, network, pin, reader, configuration, enrollment, authorizer, journal, loyalty
    }

    public enum Severity: Sendable, Hashable {
        /// It cannot be resolved at the POS for this payment.
        case fatal
        /// It can be resolved by these actions, the most promising first; never empty.
        case recoverable([Alternative])
    }

    public enum Audience: Sendable, Hashable, CaseIterable {
        case everyone
        /// Only for the merchant and the log; the customer only learns that the payment was not authorised.
        case merchant
    }

    public let code: Code
    public let field: Field
    public let severity: Severity
    /// The limit or the balance concerned.
    public private(set) var amount: Money?
    /// For the log: for example the issuer's response code or the row of a configuration. Never card data.
    public let detail: String?
    /// A text of the host or the app, for a person; shown instead of the code's own text.
    public let message: PromptText?
    /// The underlying problems, in order.
    public let underlying: [Problem]
    private let own: Own?
    /// The input to correct, if the code alone does not determine it.
    private(set) var named: Input?

    /// A cause that EMVKit does not know.
    private struct Own: Sendable, Hashable {
        let name: String
        let remedy: PromptText?
        let audience: Audience
    }

    public init(
        _ code: Code, field: Field? = nil, severity: Severity? = nil, amount: Money? = nil, detail: String? = nil,
        message: PromptText? = nil, underlying: [Problem] = [], input: Input? = nil
    ) {
        self.init(
            code, field: field, severity: severity, detail: detail, message: message, underlying: underlying, own: nil)
        self.amount = amount
        named = input
    }

    /// A cause from the app or its host for which EMVKit has no code: its ``code-swift.property`` is
    /// ``Code-swift.enum/own``, and ``name`` distinguishes it from others.
    ///
    /// - Parameters:
    ///   - name: for logs and support, for example `till.locked`; of A–Z a–z 0–9 . _ - at most 40 are kept.
    ///   - message: describes the problem in the POS's language, as a noun phrase.
    ///   - remedy: the next step in the POS's language, as an imperative; `nil`: report the problem to support.
    ///   - actions: actions that are possible here and now; empty: the problem is fatal.
    public init(
        own name: String, message: PromptText, remedy: PromptText? = nil, field: Field = .authorizer,
        actions: [Alternative] = [], audience: Audience = .everyone, detail: String? = nil, underlying: [Problem] = []
    ) {
        self.init(
            .own, field: field, severity: .recoverable(actions), detail: detail, message: message,
            underlying: underlying, own: Own(name: Problem.kept(name), remedy: remedy, audience: audience))
    }

    /// Keeps at most seven digits of a name, so that no name carries an account number into a log.
    private static func kept(_ name: String) -> String {
        var digits = 0
        let plain = name.filter { character in
            guard character.isASCII, character.isLetter || character.isNumber || "._-".contains(character) else {
                return false
            }
            if character.isNumber { digits += 1 }
            return !character.isNumber || digits <= 7
        }
        return plain.isEmpty ? Code.own.rawValue : String(plain.prefix(40))
    }

    private init(
        _ code: Code, field: Field?, severity: Severity?, detail: String?, message: PromptText?,
        underlying: [Problem], own: Own?
    ) {
        let row = ProblemTable.row(code)
        self.code = code
        self.field = field ?? row.field
        let usual: Severity = row.actions.isEmpty ? .fatal : .recoverable(row.actions)
        self.severity = severity == .recoverable([]) ? .fatal : severity ?? usual
        self.detail = detail
        self.message = message
        self.underlying = underlying
        self.own = own
    }

    /// The code's name, or that of the app's own cause.
    public var name: String { own?.name ?? code.rawValue }
    public var audience: Audience { own?.audience ?? ProblemTable.row(code).audience }
    /// The possible next steps; for a fatal problem another way to pay, or the people to ask. Never empty.
    public var alternatives: [Alternative] {
        switch severity {
        case .fatal: ProblemTable.row(code).elsewhere
        case .recoverable(let actions): actions
        }
    }
    /// In English: the next step as an imperative of at most 128 characters, without final punctuation.
    public var recoverySuggestion: String { own?.remedy?.description ?? ProblemTable.row(code).remedy }
    /// The anchor of its explanation in the documentation.
    public var helpAnchor: String { "problem-\(code.rawValue)" }
}

extension Problem: CustomStringConvertible {
    /// In English, or its ``message``: a noun phrase of at most 128 characters, without final punctuation. States the
    /// limit or balance if it is known.
    public var description: String {
        let text = message?.description ?? ProblemTable.row(code).text
        return amount.map { "\(text): \($0)" } ?? text
    }
}

extension Problem {
    /// One code for each known cause.
    public enum Code: String, Sendable, Hashable, CaseIterable, Codable {
        // The amount and the request
        case amountAboveLimit, amountAboveKernelLimit, amountZero, amountNotAllowed, amountTooLarge
        case currencyInvalid, currencyConflict, cashBackAboveAmount, cashBackZero, lineItemsMismatch
        case transactionTypeNotConfigured, currencyNotConfigured, preferredApplicationInvalid, requestInvalid
        case keyUsed, saleSettled, saleOpen, amountAboveDue
        case refundAbovePaid, captureAboveAuthorized, alreadyVoided, followUpNotPossible

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

        // Actions of people and programs
        case cancelledByPerson, cancelledByProgram, cardTimedOut, cardNotRemoved, stoppedByTerminal, suspended,
            superseded

        // The reader
        case readerDetached, readerMissing, readerServiceMissing, readerInUse, readerUnsupported, readerFailed
        case readerBusy, notPrepared, preparationCancelled, nothingToComplete, randomMissing, kernelDefect

        // The configuration
        case configurationInvalid, configurationExpired, configurationExpiresSoon, caKeysMissing, caKeyExpired, testKeys

        // The enrolment
        case enrollmentRequired, enrollmentRevoked, enrollmentOutdated, administratorRequired,
            enrollmentSignatureInvalid
        case enrollmentStoreFailed, enrollmentUnanswered

        // The issuer and the connection to it
        case issuerDeclined, insufficientFunds, suspectedFraud, cardExpired, cardLostOrStolen, cardNotPermitted,
            issuerLimitExceeded
        case issuerUnavailable, hostUnreachable, hostRejected, authorizationTimedOut, authorizationInterrupted
        case authorizationAnswerLost, reversalFailed, authorizationNotPossible, simulatedRead
        case approvedInPart, offlineLimitReached, offlineAmountAboveLimit, offlineCardLimitReached, offlineTooLong
        case issuerDataTooLong, chipRequested

        // The journal
        case journalFailed, journalFull, journalInUse, journalDamaged, journalRestored

        // Causes that EMVKit does not know
        /// A cause of the app or its host: ``Problem/name``.
        case own
    }
}

extension Problem: ExplainedError {}
