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
    public private(set) var amount: Money?
    /// For the log: the issuer's response code, the row of a configuration. Never card data.
    public let detail: String?
    /// In the words of the host or the app, for a person; shown instead of the code's own text.
    public let message: PromptText?
    /// What led to it, in order.
    public let underlying: [Problem]
    private let own: Own?
    /// Where the code does not say it alone.
    private(set) var named: Input?

    /// Of a cause that EMVKit does not know.
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

    /// A cause of the app or of its host, which EMVKit has no code for: its ``code-swift.property`` is
    /// ``Code-swift.enum/own``, and ``name`` tells it from others.
    ///
    /// - Parameters:
    ///   - name: for logs and support, for example `till.locked`; of A–Z a–z 0–9 . _ - at most 40 are kept.
    ///   - message: what is wrong, in the POS's language.
    ///   - remedy: what resolves it; `nil`: support.
    ///   - actions: what may be done here and now; empty: it is fatal.
    public init(
        own name: String, message: PromptText, remedy: PromptText? = nil, field: Field = .authorizer,
        actions: [Alternative] = [], audience: Audience = .everyone, detail: String? = nil, underlying: [Problem] = []
    ) {
        self.init(
            .own, field: field, severity: .recoverable(actions), detail: detail, message: message,
            underlying: underlying, own: Own(name: Problem.kept(name), remedy: remedy, audience: audience))
    }

    /// No name carries an account number into a log: more than seven digits of it are not kept.
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

    /// The code's, or that of a cause of the app's own.
    public var name: String { own?.name ?? code.rawValue }
    public var audience: Audience { own?.audience ?? ProblemTable.row(code).audience }
    /// What may be done; for a fatal problem another way to pay, or whom to ask. Never empty.
    public var alternatives: [Alternative] {
        switch severity {
        case .fatal: ProblemTable.row(code).elsewhere
        case .recoverable(let actions): actions
        }
    }
    /// In English: a noun phrase of at most 128 characters, without final punctuation.
    public var recoverySuggestion: String { own?.remedy?.description ?? ProblemTable.row(code).remedy }
    /// Where the documentation explains it.
    public var helpAnchor: String { "problem-\(code.rawValue)" }
}

extension Problem: CustomStringConvertible {
    /// In English, or as its ``message`` says it: a noun phrase of at most 128 characters, without final punctuation.
    /// Names the limit or balance where it is known.
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

        // What people and programs do
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

        // The issuer and the way there
        case issuerDeclined, insufficientFunds, suspectedFraud, cardExpired, cardLostOrStolen, cardNotPermitted,
            issuerLimitExceeded
        case issuerUnavailable, hostUnreachable, hostRejected, authorizationTimedOut, authorizationInterrupted
        case authorizationAnswerLost, reversalFailed, authorizationNotPossible, simulatedRead
        case approvedInPart, offlineLimitReached, offlineAmountAboveLimit, offlineCardLimitReached, offlineTooLong
        case issuerDataTooLong, chipRequested

        // The journal
        case journalFailed, journalFull, journalInUse, journalDamaged, journalRestored

        // What EMVKit does not know
        /// A cause of the app or its host: ``Problem/name``.
        case own
    }
}

extension Problem: ExplainedError {}
