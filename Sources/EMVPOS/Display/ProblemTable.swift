// SPDX-License-Identifier: Apache-2.0
/// The table behind ``Problem``: all properties of each code.
struct ProblemTable {
    struct Row {
        let code: Problem.Code
        let field: Problem.Field
        /// The actions that resolve it here and now; empty: it cannot be resolved here.
        let actions: [Alternative]
        /// Other ways to proceed if it cannot be resolved.
        let elsewhere: [Alternative]
        let audience: Problem.Audience
        let text: String
        let remedy: String

        init(
            _ code: Problem.Code, _ field: Problem.Field, _ actions: [Alternative], _ text: String, _ remedy: String,
            elsewhere: [Alternative] = ProblemTable.otherWays, audience: Problem.Audience = .everyone
        ) {
            self.code = code
            self.field = field
            self.actions = actions
            self.elsewhere = elsewhere
            self.audience = audience
            self.text = text
            self.remedy = remedy
        }
    }

    private static let otherWays: [Alternative] = [.anotherCard, .cash, .paymentLink]
    private static let cardAgain: [Alternative] = [
        .retry, .otherInterface(.chipOrSwipe), .anotherCard, .cash, .paymentLink,
    ]
    private static let otherCard: [Alternative] = [.anotherCard, .otherInterface(.chipOrSwipe), .cash, .paymentLink]
    private static let insert: [Alternative] = [.otherInterface(.chipOrSwipe), .anotherCard, .cash, .paymentLink]
    private static let again: [Alternative] = [.retry, .cash, .paymentLink]
    private static let anew: [Alternative] = [.startAgain, .cash, .paymentLink]
    private static let request: [Alternative] = [.correctRequest]
    /// Nobody at the POS can fix it: it is a defect of the app.
    private static let defect: [Alternative] = [.help]
    private static let reader: [Alternative] = [.checkReader, .otherInterface(.chipOrSwipe), .cash, .paymentLink]
    private static let support: [Alternative] = [.help, .cash, .paymentLink]

    private static let rows: [Problem.Code: Row] = Dictionary(
        uniqueKeysWithValues: (amount + card + network + pin + people + readers + configuration + enrollment + issuer
            + journal)
            .map { ($0.code, $0) })

    /// A code without a row would be a defect of this file, which a test looks for.
    static func row(_ code: Problem.Code) -> Row {
        guard let row = rows[code] else { preconditionFailure("no row for \(code.rawValue)") }
        return row
    }

    private static let amount: [Row] = [
        Row(
            .amountAboveLimit, .amount, insert, "Amount above contactless limit",
            "Chip or magnetic stripe of the card"),
        Row(
            .amountAboveKernelLimit, .amount, insert, "Amount above limit for this card",
            "Chip or magnetic stripe of the card"),
        Row(.amountZero, .amount, request, "Amount of zero not allowed", "An amount above zero"),
        Row(
            .amountNotAllowed, .amount, insert, "Amount not allowed contactless",
            "Chip or magnetic stripe of the card"),
        Row(.amountTooLarge, .amount, request, "Amount of more than 12 digits", "An amount of at most 12 digits"),
        Row(
            .currencyInvalid, .amount, defect, "Currency outside ISO 4217",
            "A numeric code up to 999, at most 4 decimals"),
        Row(.currencyConflict, .amount, defect, "Different currencies in one payment", "One currency for all amounts"),
        Row(
            .cashBackAboveAmount, .amount, request, "Cash back above total amount",
            "A total that includes the cash back"),
        Row(.cashBackZero, .amount, request, "Cash back of zero", "A cash back above zero, or a purchase"),
        Row(
            .lineItemsMismatch, .amount, defect, "Line items different from total",
            "Line items that add up to the total"),
        Row(
            .transactionTypeNotConfigured, .configuration, [], "Kind of payment not set up",
            "A combination for this kind of payment in the configuration"),
        Row(.currencyNotConfigured, .configuration, [.update], "Currency not set up", "A new configuration"),
        Row(
            .preferredApplicationInvalid, .network, defect, "Application identifier outside 5 to 16 bytes",
            "Identifiers of 5 to 16 bytes"),
        Row(
            .requestInvalid, .configuration, defect, "Request in conflict with configuration",
            "A request that fits the configuration"),
        Row(
            .keyUsed, .configuration, [.askHost, .help], "Key of an earlier payment", "A new key for every payment"),
        Row(.saleSettled, .amount, [], "Order already paid", "Receipt of the payment", elsewhere: [.askHost, .help]),
        Row(
            .saleOpen, .amount, [.askHost, .waitAndRetry, .help], "Earlier payment of this order still open",
            "End of the earlier payment"),
        Row(
            .amountAboveDue, .amount, request, "Amount above the price of the order",
            "An amount of at most the price"),
        Row(
            .refundAbovePaid, .amount, request, "Refund above the amount paid",
            "An amount up to the payment less refunds"),
        Row(
            .captureAboveAuthorized, .amount, request, "Amount above the authorized amount",
            "An amount up to the authorized amount"),
        Row(
            .alreadyVoided, .amount, [], "Payment already voided", "Receipt of the payment",
            elsewhere: [.askHost, .help]),
        Row(
            .followUpNotPossible, .amount, [], "Not possible for this payment", "Receipt of the payment",
            elsewhere: [.askHost, .help]),
    ]

    private static let card: [Row] = [
        Row(.linkTimedOut, .card, cardAgain, "No answer from card", "Card held flat and still on the reader"),
        Row(.linkDisturbed, .card, cardAgain, "Disturbed connection to card", "Card held flat and still on the reader"),
        Row(
            .linkProtocolFailed, .card, otherCard, "Card outside the contactless protocol",
            "Chip of the card, or another card"),
        Row(.cardRemovedEarly, .card, cardAgain, "Card removed too early", "Card held on the reader until the signal"),
        Row(.cardDataInvalid, .card, otherCard, "Card data missing or wrong", "Chip of the card, or another card"),
        Row(
            .cardStatusUnexpected, .card, otherCard, "Unexpected answer from card",
            "Chip of the card, or another card"),
        Row(
            .cardDataTooLarge, .card, otherCard, "More data on card than the reader takes",
            "Chip of the card, or another card"),
        Row(.cardSwitched, .card, cardAgain, "Different cards during one payment", "The same card each time"),
        Row(
            .cardProtectionFailed, .card, otherCard, "Card data in conflict with each other",
            "Chip of the card, or another card"),
        Row(.severalCards, .card, cardAgain, "Several cards at the reader", "One card alone, out of the wallet"),
        Row(.tooManyPresentments, .card, otherCard, "Card presented too often", "Chip of the card, or another card"),
        Row(
            .applicationsExhausted, .card, otherCard, "No usable application on card",
            "Chip of the card, or another card"),
        Row(
            .deviceNotUnlocked, .card, [.retry, .anotherCard, .cash, .paymentLink], "Phone or watch still locked",
            "Instructions on the phone, then the phone once more"),
        Row(
            .otherInterfaceWanted, .card, insert, "Card without contactless for this payment",
            "Chip or magnetic stripe of the card"),
        Row(.cardDeclined, .card, [], "Payment declined by card", "Another card, or another way to pay"),
        Row(
            .insufficientOfflineBalance, .amount, [.anotherCard, .cash, .paymentLink], "Balance on card too low",
            "Another card, or another way to pay"),
        Row(
            .issuerAnswerRefused, .card, [], "Issuer answer refused by card", "Another card, or another way to pay",
            audience: .merchant),
    ]

    private static let network: [Row] = [
        Row(.networkUnsupported, .network, otherCard, "Card network not accepted", "A card of an accepted network"),
        Row(
            .preferredApplicationAbsent, .network, otherCard, "Chosen application not on card",
            "Another choice, or another card"),
        Row(
            .issuerCountryUnsupported, .network, [.anotherCard, .cash, .paymentLink], "Country of card not accepted",
            "A card of an accepted country"),
        Row(
            .issuerCountryUnknown, .network, [.anotherCard, .cash, .paymentLink], "Country of card unknown",
            "A card that names its country"),
    ]

    private static let pin: [Row] = [
        Row(
            .pinRequired, .pin, [.enterPIN, .anotherCard, .cash, .paymentLink], "PIN required",
            "PIN entry on the PIN pad"),
        Row(
            .pinPadMissing, .pin, [.otherInterface(.chip), .paymentLink, .anotherCard, .cash],
            "PIN required, no PIN pad", "Chip of the card, or a payment link"),
        Row(.pinCancelled, .pin, again, "PIN entry cancelled", "Another try, or another way to pay"),
        Row(.pinTimedOut, .pin, again, "No PIN in time", "Another try, or another way to pay"),
        Row(.pinBypassed, .pin, again, "PIN entry skipped", "Another try with PIN, or another way to pay"),
        Row(
            .pinPadFailed, .pin, [.otherInterface(.chip), .anotherCard, .cash, .paymentLink], "PIN pad out of order",
            "Connection of the PIN pad, or another way to pay"),
        Row(.pinAttemptsExceeded, .pin, [], "Too many PIN entries", "Another card, or another way to pay"),
        Row(
            .incorrectPIN, .pin, [.retry, .anotherCard, .cash, .paymentLink], "Incorrect PIN",
            "Another try with the right PIN"),
    ]

    private static let people: [Row] = [
        Row(.cancelledByPerson, .reader, anew, "Payment cancelled", "A new payment"),
        Row(.cancelledByProgram, .reader, anew, "Payment cancelled by app", "A new payment"),
        Row(.cardTimedOut, .card, anew, "No card in time", "Another try"),
        Row(
            .cardNotRemoved, .card, anew, "Earlier card still on the reader", "Card taken away, then a new payment"),
        Row(.stoppedByTerminal, .reader, anew, "Payment stopped by terminal", "A new payment"),
        Row(.suspended, .reader, anew, "App in background", "A new payment in the foreground"),
        Row(.superseded, .reader, anew, "Payment replaced by a later one", "The later payment"),
    ]

    private static let readers: [Row] = [
        Row(.readerDetached, .reader, reader, "Reader disconnected", "Cable or pairing of the reader"),
        Row(.readerMissing, .reader, reader, "No reader connected", "Cable or pairing of the reader"),
        Row(.readerServiceMissing, .reader, reader, "Card reader service not running", "Start of the reader service"),
        Row(.readerInUse, .reader, reader, "Reader in use by another program", "End of the other program"),
        Row(.readerUnsupported, .reader, reader, "Reader without the functions needed", "A contactless reader"),
        Row(.readerFailed, .reader, reader, "Reader out of order", "Reader unplugged and plugged in again"),
        Row(.readerBusy, .reader, [.waitAndRetry], "Another payment at this reader", "End of the other payment"),
        Row(.notPrepared, .reader, [.waitAndRetry, .checkReader], "Reader not prepared", "Preparation of the reader"),
        Row(.preparationCancelled, .reader, [.waitAndRetry], "Preparation cancelled", "A new preparation"),
        Row(.nothingToComplete, .authorizer, defect, "No payment waiting for an answer", "A new payment"),
        Row(.randomMissing, .reader, [], "No usable random number", "Restart of the device", elsewhere: support),
        Row(.kernelDefect, .reader, [], "Defect of the payment kernel", "A report to support", elsewhere: support),
    ]

    private static let configuration: [Row] = [
        Row(
            .configurationInvalid, .configuration, [], "Configuration invalid", "A corrected configuration",
            elsewhere: [.update, .help]),
        Row(
            .configurationExpired, .configuration, [], "Configuration expired", "A new configuration",
            elsewhere: [.update, .help]),
        Row(
            .configurationExpiresSoon, .configuration, [.update], "Configuration about to expire", "A new configuration"
        ),
        Row(
            .caKeysMissing, .configuration, [.update], "No authority key for a network",
            "A configuration with the keys of the network"),
        Row(.caKeyExpired, .configuration, [.update], "Authority key expired", "A configuration with present keys"),
        Row(
            .testKeys, .configuration, [.update], "Test keys in the configuration",
            "Keys of the networks before live payments"),
    ]

    private static let enrollment: [Row] = [
        Row(
            .enrollmentRequired, .enrollment, [.administrator], "Terms not accepted yet",
            "Acceptance by an administrator"),
        Row(
            .enrollmentRevoked, .enrollment, [], "Acceptance of terms revoked", "Contact with the payment provider",
            elsewhere: [.administrator, .help]),
        Row(
            .enrollmentOutdated, .enrollment, [.administrator], "New terms not accepted yet",
            "Acceptance by an administrator"),
        Row(
            .administratorRequired, .enrollment, [.administrator], "Administrator access required",
            "Sign-in as an administrator"),
        Row(
            .enrollmentSignatureInvalid, .enrollment, [], "Acceptance record not genuine",
            "A record of the payment provider", elsewhere: [.administrator, .help]),
        Row(
            .enrollmentStoreFailed, .enrollment, [.waitAndRetry, .help], "Acceptance record not stored",
            "Storage of the device"),
        Row(
            .enrollmentUnanswered, .enrollment, [.waitAndRetry, .help], "No answer about the terms in time",
            "Network connection of the device"),
    ]

    private static let issuer: [Row] = [
        Row(.issuerDeclined, .authorizer, [], "Payment declined by issuer", "Another card, or another way to pay"),
        Row(
            .insufficientFunds, .authorizer, [], "Insufficient funds", "Another card, or another way to pay",
            audience: .merchant),
        Row(
            .suspectedFraud, .authorizer, [], "Suspicion of fraud at issuer", "Another way to pay",
            audience: .merchant),
        Row(
            .cardExpired, .authorizer, [], "Expired card", "Another card, or another way to pay", audience: .merchant),
        Row(
            .cardLostOrStolen, .authorizer, [], "Card reported lost or stolen", "Another way to pay",
            audience: .merchant),
        Row(
            .cardNotPermitted, .authorizer, [], "Kind of payment not permitted to card",
            "Another card, or another way to pay", audience: .merchant),
        Row(
            .issuerLimitExceeded, .authorizer, [], "Limit of the account exceeded",
            "Another card, or another way to pay", audience: .merchant),
        Row(
            .issuerUnavailable, .authorizer, [.waitAndRetry, .anotherCard, .cash, .paymentLink], "Issuer not reachable",
            "Another try later, or another card"),
        Row(
            .hostUnreachable, .authorizer, [.waitAndRetry, .cash, .paymentLink], "No connection to payment provider",
            "Network connection of the device"),
        Row(
            .hostRejected, .authorizer, [.help, .cash, .paymentLink], "Request refused by payment provider",
            "Settings of the merchant account"),
        Row(
            .authorizationTimedOut, .authorizer, anew,
            "No answer from payment provider in time", "Nothing charged, a new payment"),
        Row(
            .authorizationInterrupted, .authorizer, anew, "Authorisation interrupted",
            "Nothing charged, a new payment"),
        Row(
            .authorizationAnswerLost, .authorizer, anew,
            "Answer of payment provider lost", "Nothing charged, a new payment"),
        Row(
            .reversalFailed, .authorizer, [.askHost, .help], "Result of payment unknown",
            "A look-up of the payment at the provider before a new one"),
        Row(
            .authorizationNotPossible, .authorizer, defect, "Nothing to authorise in this read",
            "A payment read"),
        Row(
            .simulatedRead, .authorizer, defect, "Simulated card at a live payment provider",
            "A real card, or acceptsSimulatedReads of a test host"),
        Row(
            .approvedInPart, .amount, [.anotherCard, .cash, .paymentLink], "Only a part of the amount approved",
            "Another card, or another way to pay"),
        Row(
            .offlineLimitReached, .authorizer, [.waitAndRetry, .cash, .paymentLink],
            "Limit of payments without connection reached", "Network connection of the device"),
        Row(
            .offlineAmountAboveLimit, .amount, [.waitAndRetry, .cash, .paymentLink],
            "Amount above limit without connection", "Network connection of the device"),
        Row(
            .offlineCardLimitReached, .card, [.waitAndRetry, .anotherCard, .cash, .paymentLink],
            "Card limit without connection reached", "Network connection of the device"),
        Row(
            .offlineTooLong, .authorizer, [.waitAndRetry, .cash, .paymentLink], "Too long without connection",
            "Network connection of the device"),
        Row(
            .issuerDataTooLong, .authorizer, [.help, .cash, .paymentLink], "Issuer data too long for a card",
            "Nothing charged, a new payment"),
        Row(
            .chipRequested, .card, [.otherInterface(.chip), .anotherCard, .cash, .paymentLink],
            "Chip of the card requested by issuer", "Chip of the card, or another card"),
    ]

    private static let journal: [Row] = [
        Row(
            .journalFailed, .journal, [], "Payment not recorded", "Storage of the device", elsewhere: support),
        Row(
            .journalFull, .journal, [], "Storage for payments full", "Free space on the device",
            elsewhere: [.help, .cash, .paymentLink]),
        Row(
            .journalInUse, .journal, [.waitAndRetry, .help], "Payment records in use by another program",
            "End of the other program"),
        Row(
            .journalDamaged, .journal, [], "Payment records damaged", "A report to support",
            elsewhere: [.help, .cash, .paymentLink]),
        Row(
            .journalRestored, .journal, [], "Payment records restored from a backup",
            "A look-up of the payment at the provider before a new one", elsewhere: [.askHost, .help]),
        Row(.own, .authorizer, [], "Another cause", "A report to support", elsewhere: support),
    ]

    /// All codes with a row, for the test that no code lacks one.
    static var codes: [Problem.Code] { rows.keys.sorted { $0.rawValue < $1.rawValue } }
}

extension LinkFault: ExplainedError {
    public var description: String { problem.description }
    public var recoverySuggestion: String { problem.recoverySuggestion }

    public var problem: Problem { Problem(LinkFault?.some(self).code) }
}

extension LinkFault? {
    package var code: Problem.Code {
        switch self {
        case .timeout: .linkTimedOut
        case .transmission, nil: .linkDisturbed
        case .protocol: .linkProtocolFailed
        case .removed: .cardRemovedEarly
        }
    }
}
