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
        /// The cause, as a noun phrase.
        let text: String
        /// The next step, as an imperative.
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
            "Use the chip or magnetic stripe of the card"),
        Row(
            .amountAboveKernelLimit, .amount, insert, "Amount above limit for this card",
            "Use the chip or magnetic stripe of the card"),
        Row(.amountZero, .amount, request, "Amount of zero not allowed", "Enter an amount above zero"),
        Row(
            .amountNotAllowed, .amount, insert, "Amount not allowed contactless",
            "Use the chip or magnetic stripe of the card"),
        Row(.amountTooLarge, .amount, request, "Amount of more than 12 digits", "Enter an amount of at most 12 digits"),
        Row(
            .currencyInvalid, .amount, defect, "Currency outside ISO 4217",
            "Use a numeric code up to 999 and at most 4 decimals"),
        Row(
            .currencyConflict, .amount, defect, "Different currencies in one payment",
            "Use one currency for all amounts"),
        Row(
            .cashBackAboveAmount, .amount, request, "Cash back above total amount",
            "Include the cash back in the total"),
        Row(.cashBackZero, .amount, request, "Cash back of zero", "Enter a cash back above zero, or choose a purchase"),
        Row(
            .lineItemsMismatch, .amount, defect, "Line items different from total",
            "Make the line items add up to the total"),
        Row(
            .transactionTypeNotConfigured, .configuration, [], "Kind of payment not set up",
            "Configure a combination for this kind of payment"),
        Row(.currencyNotConfigured, .configuration, [.update], "Currency not set up", "Load a new configuration"),
        Row(
            .preferredApplicationInvalid, .network, defect, "Application identifier outside 5 to 16 bytes",
            "Use identifiers of 5 to 16 bytes"),
        Row(
            .requestInvalid, .configuration, defect, "Request in conflict with configuration",
            "Change the request to fit the configuration"),
        Row(
            .keyUsed, .configuration, [.askHost, .help], "Key of an earlier payment",
            "Use a new key for every payment"),
        Row(
            .saleSettled, .amount, [], "Order already paid", "Check the receipt of the payment",
            elsewhere: [.askHost, .help]),
        Row(
            .saleOpen, .amount, [.askHost, .waitAndRetry, .help], "Earlier payment of this order still open",
            "Finish the earlier payment first"),
        Row(
            .amountAboveDue, .amount, request, "Amount above the price of the order",
            "Enter at most the price"),
        Row(
            .refundAbovePaid, .amount, request, "Refund above the amount paid",
            "Enter at most the payment less refunds"),
        Row(
            .captureAboveAuthorized, .amount, request, "Amount above the authorized amount",
            "Enter at most the authorized amount"),
        Row(
            .alreadyVoided, .amount, [], "Payment already voided", "Check the receipt of the payment",
            elsewhere: [.askHost, .help]),
        Row(
            .followUpNotPossible, .amount, [], "Not possible for this payment", "Check the receipt of the payment",
            elsewhere: [.askHost, .help]),
    ]

    private static let card: [Row] = [
        Row(.linkTimedOut, .card, cardAgain, "No answer from card", "Hold the card flat and still on the reader"),
        Row(
            .linkDisturbed, .card, cardAgain, "Disturbed connection to card",
            "Hold the card flat and still on the reader"),
        Row(
            .linkProtocolFailed, .card, otherCard, "Card outside the contactless protocol",
            "Use the chip of the card, or another card"),
        Row(
            .cardRemovedEarly, .card, cardAgain, "Card removed too early",
            "Hold the card on the reader until the signal"),
        Row(
            .cardDataInvalid, .card, otherCard, "Card data missing or wrong",
            "Use the chip of the card, or another card"),
        Row(
            .cardStatusUnexpected, .card, otherCard, "Unexpected answer from card",
            "Use the chip of the card, or another card"),
        Row(
            .cardDataTooLarge, .card, otherCard, "More data on card than the reader takes",
            "Use the chip of the card, or another card"),
        Row(.cardSwitched, .card, cardAgain, "Different cards during one payment", "Present the same card each time"),
        Row(
            .cardProtectionFailed, .card, otherCard, "Card data in conflict with each other",
            "Use the chip of the card, or another card"),
        Row(
            .severalCards, .card, cardAgain, "Several cards at the reader",
            "Take the card out of the wallet and present it alone"),
        Row(
            .tooManyPresentments, .card, otherCard, "Card presented too often",
            "Use the chip of the card, or another card"),
        Row(
            .applicationsExhausted, .card, otherCard, "No usable application on card",
            "Use the chip of the card, or another card"),
        Row(
            .deviceNotUnlocked, .card, [.retry, .anotherCard, .cash, .paymentLink], "Phone or watch still locked",
            "Follow the instructions on the phone, then present it again"),
        Row(
            .otherInterfaceWanted, .card, insert, "Card without contactless for this payment",
            "Use the chip or magnetic stripe of the card"),
        Row(.cardDeclined, .card, [], "Payment declined by card", "Use another card, or another way to pay"),
        Row(
            .insufficientOfflineBalance, .amount, [.anotherCard, .cash, .paymentLink], "Balance on card too low",
            "Use another card, or another way to pay"),
        Row(
            .issuerAnswerRefused, .card, [], "Issuer answer refused by card", "Use another card, or another way to pay",
            audience: .merchant),
    ]

    private static let network: [Row] = [
        Row(.networkUnsupported, .network, otherCard, "Card network not accepted", "Use a card of an accepted network"),
        Row(
            .preferredApplicationAbsent, .network, otherCard, "Chosen application not on card",
            "Make another choice, or use another card"),
        Row(
            .issuerCountryUnsupported, .network, [.anotherCard, .cash, .paymentLink], "Country of card not accepted",
            "Use a card of an accepted country"),
        Row(
            .issuerCountryUnknown, .network, [.anotherCard, .cash, .paymentLink], "Country of card unknown",
            "Use a card that names its country"),
    ]

    private static let pin: [Row] = [
        Row(
            .pinRequired, .pin, [.enterPIN, .anotherCard, .cash, .paymentLink], "PIN required",
            "Enter the PIN on the PIN pad"),
        Row(
            .pinPadMissing, .pin, [.otherInterface(.chip), .paymentLink, .anotherCard, .cash],
            "PIN required, no PIN pad", "Use the chip of the card, or a payment link"),
        Row(.pinCancelled, .pin, again, "PIN entry cancelled", "Try again, or use another way to pay"),
        Row(.pinTimedOut, .pin, again, "No PIN in time", "Try again, or use another way to pay"),
        Row(.pinBypassed, .pin, again, "PIN entry skipped", "Try again with PIN, or use another way to pay"),
        Row(
            .pinPadFailed, .pin, [.otherInterface(.chip), .anotherCard, .cash, .paymentLink], "PIN pad out of order",
            "Check the connection of the PIN pad, or pay another way"),
        Row(.pinAttemptsExceeded, .pin, [], "Too many PIN entries", "Use another card, or another way to pay"),
        Row(
            .incorrectPIN, .pin, [.retry, .anotherCard, .cash, .paymentLink], "Incorrect PIN",
            "Try again with the right PIN"),
    ]

    private static let people: [Row] = [
        Row(.cancelledByPerson, .reader, anew, "Payment cancelled", "Start a new payment"),
        Row(.cancelledByProgram, .reader, anew, "Payment cancelled by app", "Start a new payment"),
        Row(.cardTimedOut, .card, anew, "No card in time", "Try again"),
        Row(
            .cardNotRemoved, .card, anew, "Earlier card still on the reader",
            "Remove the card, then start a new payment"),
        Row(.stoppedByTerminal, .reader, anew, "Payment stopped by terminal", "Start a new payment"),
        Row(.suspended, .reader, anew, "App in background", "Start a new payment with the app in the foreground"),
        Row(.superseded, .reader, anew, "Payment replaced by a later one", "Continue with the later payment"),
    ]

    private static let readers: [Row] = [
        Row(.readerDetached, .reader, reader, "Reader disconnected", "Check the cable or pairing of the reader"),
        Row(.readerMissing, .reader, reader, "No reader connected", "Check the cable or pairing of the reader"),
        Row(.readerServiceMissing, .reader, reader, "Card reader service not running", "Start the reader service"),
        Row(.readerInUse, .reader, reader, "Reader in use by another program", "Close the other program"),
        Row(.readerUnsupported, .reader, reader, "Reader without the functions needed", "Use a contactless reader"),
        Row(.readerFailed, .reader, reader, "Reader out of order", "Unplug the reader and plug it in again"),
        Row(
            .readerBusy, .reader, [.waitAndRetry], "Another payment at this reader", "Wait for the other payment to end"
        ),
        Row(.notPrepared, .reader, [.waitAndRetry, .checkReader], "Reader not prepared", "Prepare the reader"),
        Row(.preparationCancelled, .reader, [.waitAndRetry], "Preparation cancelled", "Prepare the reader again"),
        Row(.nothingToComplete, .authorizer, defect, "No payment waiting for an answer", "Start a new payment"),
        Row(.randomMissing, .reader, [], "No usable random number", "Restart the device", elsewhere: support),
        Row(
            .kernelDefect, .reader, [], "Defect of the payment kernel", "Report the problem to support",
            elsewhere: support),
    ]

    private static let configuration: [Row] = [
        Row(
            .configurationInvalid, .configuration, [], "Configuration invalid", "Correct the configuration",
            elsewhere: [.update, .help]),
        Row(
            .configurationExpired, .configuration, [], "Configuration expired", "Load a new configuration",
            elsewhere: [.update, .help]),
        Row(
            .configurationExpiresSoon, .configuration, [.update], "Configuration about to expire",
            "Load a new configuration"
        ),
        Row(
            .caKeysMissing, .configuration, [.update], "No authority key for a network",
            "Load a configuration with the keys of the network"),
        Row(
            .caKeyExpired, .configuration, [.update], "Authority key expired",
            "Load a configuration with current keys"),
        Row(
            .testKeys, .configuration, [.update], "Test keys in the configuration",
            "Load the keys of the networks before live payments"),
    ]

    private static let enrollment: [Row] = [
        Row(
            .enrollmentRequired, .enrollment, [.administrator], "Terms not accepted yet",
            "Ask an administrator to accept the terms"),
        Row(
            .enrollmentRevoked, .enrollment, [], "Acceptance of terms revoked", "Contact the payment provider",
            elsewhere: [.administrator, .help]),
        Row(
            .enrollmentOutdated, .enrollment, [.administrator], "New terms not accepted yet",
            "Ask an administrator to accept the terms"),
        Row(
            .administratorRequired, .enrollment, [.administrator], "Administrator access required",
            "Sign in as an administrator"),
        Row(
            .enrollmentSignatureInvalid, .enrollment, [], "Acceptance record not genuine",
            "Request a genuine record from the payment provider", elsewhere: [.administrator, .help]),
        Row(
            .enrollmentStoreFailed, .enrollment, [.waitAndRetry, .help], "Acceptance record not stored",
            "Check the storage of the device"),
        Row(
            .enrollmentUnanswered, .enrollment, [.waitAndRetry, .help], "No answer about the terms in time",
            "Check the network connection of the device"),
    ]

    private static let issuer: [Row] = [
        Row(.issuerDeclined, .authorizer, [], "Payment declined by issuer", "Use another card, or another way to pay"),
        Row(
            .insufficientFunds, .authorizer, [], "Insufficient funds", "Use another card, or another way to pay",
            audience: .merchant),
        Row(
            .suspectedFraud, .authorizer, [], "Suspicion of fraud at issuer", "Use another way to pay",
            audience: .merchant),
        Row(
            .cardExpired, .authorizer, [], "Expired card", "Use another card, or another way to pay",
            audience: .merchant),
        Row(
            .cardLostOrStolen, .authorizer, [], "Card reported lost or stolen", "Use another way to pay",
            audience: .merchant),
        Row(
            .cardNotPermitted, .authorizer, [], "Kind of payment not permitted to card",
            "Use another card, or another way to pay", audience: .merchant),
        Row(
            .issuerLimitExceeded, .authorizer, [], "Limit of the account exceeded",
            "Use another card, or another way to pay", audience: .merchant),
        Row(
            .issuerUnavailable, .authorizer, [.waitAndRetry, .anotherCard, .cash, .paymentLink], "Issuer not reachable",
            "Try again later, or use another card"),
        Row(
            .hostUnreachable, .authorizer, [.waitAndRetry, .cash, .paymentLink], "No connection to payment provider",
            "Check the network connection of the device"),
        Row(
            .hostRejected, .authorizer, [.help, .cash, .paymentLink], "Request refused by payment provider",
            "Check the settings of the merchant account"),
        Row(
            .authorizationTimedOut, .authorizer, anew,
            "No answer from payment provider in time", "Nothing charged, start a new payment"),
        Row(
            .authorizationInterrupted, .authorizer, anew, "Authorisation interrupted",
            "Nothing charged, start a new payment"),
        Row(
            .authorizationAnswerLost, .authorizer, anew,
            "Answer of payment provider lost", "Nothing charged, start a new payment"),
        Row(
            .reversalFailed, .authorizer, [.askHost, .help], "Result of payment unknown",
            "Look up the payment at the provider before a new one"),
        Row(
            .authorizationNotPossible, .authorizer, defect, "Nothing to authorise in this read",
            "Read the card for a payment"),
        Row(
            .simulatedRead, .authorizer, defect, "Simulated card at a live payment provider",
            "Use a real card, or acceptsSimulatedReads of a test host"),
        Row(
            .approvedInPart, .amount, [.anotherCard, .cash, .paymentLink], "Only a part of the amount approved",
            "Use another card, or another way to pay"),
        Row(
            .offlineLimitReached, .authorizer, [.waitAndRetry, .cash, .paymentLink],
            "Limit of payments without connection reached", "Check the network connection of the device"),
        Row(
            .offlineAmountAboveLimit, .amount, [.waitAndRetry, .cash, .paymentLink],
            "Amount above limit without connection", "Check the network connection of the device"),
        Row(
            .offlineCardLimitReached, .card, [.waitAndRetry, .anotherCard, .cash, .paymentLink],
            "Card limit without connection reached", "Check the network connection of the device"),
        Row(
            .offlineTooLong, .authorizer, [.waitAndRetry, .cash, .paymentLink], "Too long without connection",
            "Check the network connection of the device"),
        Row(
            .issuerDataTooLong, .authorizer, [.help, .cash, .paymentLink], "Issuer data too long for a card",
            "Nothing charged, start a new payment"),
        Row(
            .chipRequested, .card, [.otherInterface(.chip), .anotherCard, .cash, .paymentLink],
            "Chip of the card requested by issuer", "Use the chip of the card, or another card"),
    ]

    private static let journal: [Row] = [
        Row(
            .journalFailed, .journal, [], "Payment not recorded",
            "Check the storage of the device", elsewhere: support),
        Row(
            .journalFull, .journal, [], "Storage for payments full", "Free up space on the device",
            elsewhere: [.help, .cash, .paymentLink]),
        Row(
            .journalInUse, .journal, [.waitAndRetry, .help], "Payment records in use by another program",
            "Close the other program"),
        Row(
            .journalDamaged, .journal, [], "Payment records damaged", "Report the problem to support",
            elsewhere: [.help, .cash, .paymentLink]),
        Row(
            .journalRestored, .journal, [], "Payment records restored from a backup",
            "Look up the payment at the provider before a new one", elsewhere: [.askHost, .help]),
        Row(.own, .authorizer, [], "Another cause", "Report the problem to support", elsewhere: support),
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
