// SPDX-License-Identifier: Apache-2.0
import TestData
import Testing
@testable import EMVKernel
@testable import EMVKit
@testable import EMVPOS

/// A second statement of the rows of ``Presentation``: F2, F4 to F8, C6, C7, C9.
///
/// Each line is a problem: the screen's headline, whether the payment is over, whether a person has to confirm. `-` is
/// the headline of a decline without a reason.
@Suite struct PresentationTests {
    private static let table: [(Problem.Code, String, ends: Bool, alert: Bool)] = [
        (.amountAboveLimit, "otherInterface", false, false), (.amountAboveKernelLimit, "otherInterface", false, false),
        (.amountZero, "request", false, false), (.amountNotAllowed, "otherInterface", false, false),
        (.amountTooLarge, "request", false, false), (.currencyInvalid, "notCompleted", false, false),
        (.currencyConflict, "notCompleted", false, false), (.cashBackAboveAmount, "request", false, false),
        (.cashBackZero, "request", false, false), (.lineItemsMismatch, "notCompleted", false, false),
        (.transactionTypeNotConfigured, "setUp", true, false), (.currencyNotConfigured, "setUp", false, false),
        (.preferredApplicationInvalid, "notCompleted", false, false), (.requestInvalid, "notCompleted", false, false),
        (.keyUsed, "unknown", false, true),
        (.saleSettled, "paid", true, true), (.saleOpen, "unknown", false, true),
        (.amountAboveDue, "request", false, false), (.refundAbovePaid, "request", false, false),
        (.captureAboveAuthorized, "request", false, false), (.alreadyVoided, "notCompleted", true, false),
        (.followUpNotPossible, "notCompleted", true, false),
        (.linkTimedOut, "notCompleted", false, false), (.linkDisturbed, "notCompleted", false, false),
        (.linkProtocolFailed, "otherCard", false, false), (.cardRemovedEarly, "notCompleted", false, false),
        (.cardDataInvalid, "otherCard", false, false), (.cardStatusUnexpected, "otherCard", false, false),
        (.cardDataTooLarge, "otherCard", false, false), (.cardSwitched, "notCompleted", false, false),
        (.cardProtectionFailed, "otherCard", false, false), (.severalCards, "notCompleted", false, false),
        (.tooManyPresentments, "otherCard", false, false), (.applicationsExhausted, "otherCard", false, false),
        (.deviceNotUnlocked, "notCompleted", false, false), (.otherInterfaceWanted, "otherInterface", false, false),
        (.cardDeclined, "declined", true, false), (.insufficientOfflineBalance, "otherCard", false, false),
        (.issuerAnswerRefused, "-", true, false),
        (.networkUnsupported, "otherCard", false, true), (.preferredApplicationAbsent, "otherCard", false, false),
        (.issuerCountryUnsupported, "otherCard", false, true), (.issuerCountryUnknown, "otherCard", false, true),
        (.pinRequired, "pin", false, false), (.pinPadMissing, "chip", false, false),
        (.pinCancelled, "notCompleted", false, false),
        (.pinTimedOut, "notCompleted", false, false), (.pinBypassed, "notCompleted", false, false),
        (.pinPadFailed, "chip", false, false),
        (.pinAttemptsExceeded, "notCompleted", true, false), (.incorrectPIN, "notCompleted", false, false),
        (.cancelledByPerson, "notCompleted", false, false), (.cancelledByProgram, "notCompleted", false, false),
        (.cardTimedOut, "notCompleted", false, false), (.cardNotRemoved, "notCompleted", false, false),
        (.stoppedByTerminal, "notCompleted", false, false), (.suspended, "notCompleted", false, false),
        (.superseded, "notCompleted", false, false),
        (.readerDetached, "reader", false, true), (.readerMissing, "reader", false, false),
        (.readerServiceMissing, "reader", false, false), (.readerInUse, "reader", false, false),
        (.readerUnsupported, "reader", false, false), (.readerFailed, "reader", false, false),
        (.readerBusy, "wait", false, false),
        (.notPrepared, "wait", false, false), (.preparationCancelled, "wait", false, false),
        (.nothingToComplete, "notCompleted", false, false), (.randomMissing, "notCompleted", true, false),
        (.kernelDefect, "notCompleted", true, true),
        (.configurationInvalid, "setUp", true, true), (.configurationExpired, "setUp", true, true),
        (.configurationExpiresSoon, "setUp", false, false), (.caKeysMissing, "setUp", false, false),
        (.caKeyExpired, "setUp", false, false), (.testKeys, "setUp", false, false),
        (.enrollmentRequired, "setUp", false, false), (.enrollmentRevoked, "setUp", true, true),
        (.enrollmentOutdated, "setUp", false, false), (.administratorRequired, "setUp", false, false),
        (.enrollmentSignatureInvalid, "setUp", true, true), (.enrollmentStoreFailed, "wait", false, false),
        (.enrollmentUnanswered, "wait", false, false),
        (.issuerDeclined, "declined", true, false), (.insufficientFunds, "-", true, false),
        (.suspectedFraud, "-", true, false),
        (.cardExpired, "-", true, false), (.cardLostOrStolen, "-", true, false),
        (.cardNotPermitted, "-", true, false),
        (.issuerLimitExceeded, "-", true, false), (.issuerUnavailable, "wait", false, false),
        (.hostUnreachable, "wait", false, false), (.hostRejected, "notCompleted", false, false),
        (.authorizationTimedOut, "notCompleted", false, false),
        (.authorizationInterrupted, "notCompleted", false, false),
        (.authorizationAnswerLost, "notCompleted", false, false), (.reversalFailed, "unknown", false, true),
        (.authorizationNotPossible, "notCompleted", false, false),
        (.simulatedRead, "notCompleted", false, false), (.approvedInPart, "otherCard", false, false),
        (.offlineLimitReached, "wait", false, false),
        (.offlineAmountAboveLimit, "wait", false, false), (.offlineCardLimitReached, "wait", false, false),
        (.offlineTooLong, "wait", false, false), (.issuerDataTooLong, "notCompleted", false, false),
        (.chipRequested, "chip", false, false),
        (.journalFailed, "notCompleted", true, false),
        (.journalFull, "notCompleted", true, false), (.journalInUse, "wait", false, false),
        (.journalDamaged, "notCompleted", true, false), (.journalRestored, "notCompleted", true, false),
        (.own, "declined", true, false),
    ]

    /// Each ending without a problem.
    private static let alone: [(Presentation.Ending, String, Presentation.Region, ends: Bool, alert: Bool)] = [
        (.approved, "approved", .status, true, false), (.approvedWithSignature, "signature", .status, true, false),
        (.approvedInPart, "part", .action, false, true),
        (.verified, "verified", .status, true, false), (.accepted, "accepted", .status, true, false),
        (.authorizing, "authorizing", .status, false, false),
        (.declined, "declined", .status, true, false), (.unreadable, "notCompleted", .status, true, false),
        (.unsupportedNetwork, "notCompleted", .status, true, false),
        (.limitExceeded, "notCompleted", .status, true, false),
        (.pinRequired, "pin", .pin, false, false), (.pinUnavailable, "notCompleted", .status, true, false),
        (.tryAnotherInterface, "notCompleted", .status, true, false),
        (.cancelled, "notCompleted", .status, true, false),
        (.failed, "notCompleted", .status, true, false), (.alreadyPaid, "paid", .status, true, true),
        (.unknown, "unknown", .action, false, true),
    ]

    private static let regions: [Problem.Field: Presentation.Region] = [
        .amount: .amount, .card: .card, .network: .card, .loyalty: .card, .pin: .pin, .reader: .status,
        .configuration: .status,
        .enrollment: .status, .authorizer: .status, .journal: .status,
    ]

    private static func key(_ headline: String) -> TextKey {
        switch headline {
        case "chip": TextKey("alternative.otherInterface.chip")
        case "paid": TextKey("problem.saleSettled")
        default: TextKey("headline.\(headline)")
        }
    }

    /// The mark of each headline; the other headlines mean that the payment was not completed.
    private static func mark(_ headline: String) -> Presentation.Mark? {
        switch headline {
        case "approved", "signature", "accepted", "verified": .completed
        case "declined": .declined
        case "part", "authorizing", "pin", "paid", "unknown": nil
        default: .notCompleted
        }
    }

    @Test func theTableIsWhole() {
        #expect(PresentationTests.table.map(\.0) == Problem.Code.allCases)
        #expect(PresentationTests.alone.map(\.0) == Presentation.Ending.allCases)
        #expect(Set(PresentationTests.regions.keys) == Set(Problem.Field.allCases))
    }

    @Test func anEndingWithoutAProblem() {
        for (ending, headline, region, ends, alert) in PresentationTests.alone {
            for field in [nil] + Problem.Field.allCases.map(Optional.init) {
                let shown = Presentation(ending, field: field)
                #expect(shown.headline == PresentationTests.key(headline), "\(ending)")
                #expect(shown.mark == PresentationTests.mark(headline), "\(ending)")
                #expect(
                    shown.detail == nil && shown.region == region && shown.endsSession == ends && shown.alert == alert,
                    "\(ending)")
            }
        }
    }

    /// Who acts next, the options offered and the cardholder's display, if no reason is given.
    @Test func anEndingWithoutAProblemSaysWhatIsNext() {
        let general: [Alternative] = [.retry, .anotherCard, .cash, .paymentLink]
        let rows: [(Presentation.Ending, Presentation.Party, [Alternative], Message)] = [
            (.approved, .nobody, [], .approved), (.approvedWithSignature, .customer, [], .approvedSign),
            (.approvedInPart, .merchant, [.payRest], .approved),
            (.verified, .nobody, [], .cardReadOK), (.accepted, .nobody, [], .authorising),
            (.authorizing, .nobody, [], .authorising), (.declined, .customer, general, .notAuthorised),
            (.unreadable, .nobody, general, .tryAnotherCard), (.unsupportedNetwork, .nobody, general, .processingError),
            (.limitExceeded, .nobody, general, .processingError),
            (.pinRequired, .customer, Problem(.pinRequired).alternatives, .enterPIN),
            (.pinUnavailable, .nobody, general, .processingError),
            (.tryAnotherInterface, .nobody, general, .processingError), (.cancelled, .nobody, general, .clearDisplay),
            (.failed, .nobody, general, .processingError),
            (.alreadyPaid, .merchant, Problem(.saleSettled).alternatives, .clearDisplay),
            (.unknown, .merchant, Problem(.reversalFailed).alternatives, .processingError),
        ]
        #expect(rows.map(\.0) == Presentation.Ending.allCases)
        #expect(!Problem(.pinRequired).alternatives.isEmpty && !Problem(.reversalFailed).alternatives.isEmpty)
        for (ending, party, options, message) in rows {
            let shown = Presentation(ending, total: RequestAmountTests.eur)
            #expect(shown.party == party && shown.options == options && shown.message == message, "\(ending)")
            #expect(shown.total == RequestAmountTests.eur && shown.hostMessage == nil, "\(ending)")
        }
    }

    /// The customer tries again if a card, its network or a PIN is at fault; otherwise the merchant does.
    @Test func aNewTryIsWhosePartItIs() {
        let customers: Set<Problem.Field> = [.card, .network, .pin]
        for code in Problem.Code.allCases {
            let problem = Problem(code)
            guard problem.alternatives.first == .retry, problem.audience == .everyone else { continue }
            let shown = Presentation(.failed, problem: problem)
            guard shown.headline == TextKey("headline.notCompleted") else { continue }
            #expect(shown.party == (customers.contains(problem.field) ? .customer : .merchant), "\(code)")
        }
    }

    @Test func outcomesAndResultsHaveTheirEnding() {
        let read = CardRead(authorization: .onlineRequired, outcome: Outcome(status: .onlineRequest))
        #expect(Presentation.Ending(.onlinePINRequired(read)) == .pinRequired)
        #expect(Presentation.Ending(.onlinePINUnavailable(PINFallbackRead(read))) == .pinUnavailable)
        #expect(Presentation.Ending(.tryAnotherInterface(.notApplicable)) == .tryAnotherInterface)
        #expect(Presentation.Ending(.unreadable(ReadFailure(reason: .link))) == .unreadable)
        #expect(Presentation.Ending(.cancelled(.requested)) == .cancelled)
        #expect(Presentation.Ending(.failed(.internal)) == .failed)
        #expect(Presentation.Ending(.declined(read)) == .declined)
        let offline = CardRead(authorization: .approvedOffline, outcome: Outcome(status: .approved))
        #expect(Presentation.Ending(.success(offline)) == .approved)
        #expect(Presentation.Ending(.approved(Approval()), read) == .approved)
        #expect(Presentation.Ending(.failed([]), read) == .failed)
    }

    /// Every ending shows the amount due: the read's amount first, and the amount of a part approval.
    @Test func theTotalIsThatOfTheRead() {
        let request = PaymentRequest(amount: RequestAmountTests.eur)
        let tap = TapRecord(key: ReconciliationKey(), purpose: .payment(request), moment: noon)
        let read = CardRead(authorization: .onlineRequired, outcome: Outcome(status: .onlineRequest), tap: tap)
        let other = PaymentRequest(amount: Money(minorUnits: 7, currency: .eur))
        let outcomes: [TapOutcome] = [
            .success(read), .declined(read), .onlinePINRequired(read), .onlinePINUnavailable(PINFallbackRead(read)),
        ]
        for outcome in outcomes {
            #expect(Presentation(outcome, of: other).total == request.amount, "\(outcome.name)")
        }
        #expect(Presentation(.cancelled(.requested), of: other).total == other.amount)
        #expect(Presentation(.cancelled(.requested)).total == nil)
        #expect(Presentation(.approved(Approval()), of: read).total == request.amount)
        let part = Approval(approvedAmount: other.amount)
        let shown = Presentation(.approved(part), of: read)
        #expect(shown.total == other.amount)
        #expect(shown.rest?.minorUnits == request.amount.minorUnits - other.amount.minorUnits)
        var signed = read.outcome
        signed.cvm = .signature
        let withSignature = CardRead(authorization: .onlineRequired, outcome: signed, tap: tap)
        #expect(Presentation(.approved(part), of: withSignature).message == .approvedSign)
        var verified = part
        verified.isPINVerified = true
        #expect(Presentation(.approved(verified), of: withSignature).message == .approved)
        #expect(Presentation(.approved(Approval()), of: read).rest == nil)
    }

    @Test(arguments: Presentation.Ending.allCases)
    func anEndingWithAProblemAtAField(_ ending: Presentation.Ending) {
        let successes: Set<Presentation.Ending> = [.approved, .approvedWithSignature, .approvedInPart, .verified]
        for (code, wanted, ends, alert) in PresentationTests.table {
            for field in [nil] + Problem.Field.allCases.map(Optional.init) {
                let shown = Presentation(ending, problem: Problem(code), field: field)
                let isOpen = [.reversalFailed, .saleOpen, .keyUsed].contains(code)
                let isUnknown = successes.contains(ending) || ending == .unknown || isOpen
                let isPaid = !isUnknown && (ending == .alreadyPaid || code == .saleSettled)
                let isSecret = wanted == "-"
                var headline = isUnknown ? "unknown" : isSecret ? "declined" : wanted
                if !isUnknown, ending == .declined { headline = "declined" }
                if isPaid { headline = "paid" }
                let label = "\(ending) \(code) \(field.map { "\($0)" } ?? "-")"
                #expect(shown.headline == PresentationTests.key(headline), "\(label)")
                #expect(shown.mark == PresentationTests.mark(headline), "\(label)")
                #expect(shown.options == Problem(code).alternatives, "\(label)")
                #expect(shown.endsSession == (!isUnknown && (ends || isPaid)), "\(label)")
                #expect(shown.alert == (isUnknown || isPaid || alert), "\(label)")
                #expect(shown.detail?.rawValue == (isSecret || isPaid ? nil : "problem.\(code.rawValue)"), "\(label)")
                let region: Presentation.Region =
                    isUnknown
                    ? .action : isSecret || isPaid ? .status : field.map { PresentationTests.regions[$0]! } ?? .status
                #expect(shown.region == region, "\(label)")
            }
        }
    }

    /// A problem that the app made fatal, or gave other actions, is displayed accordingly.
    @Test func theSeverityOfTheProblemItselfDecides() {
        let fatal = Problem(.linkTimedOut, severity: .fatal)
        #expect(Presentation(.unreadable, problem: fatal, field: .card).endsSession)
        #expect(Presentation(.unreadable, problem: fatal, field: .card).headline == TextKey("headline.notCompleted"))
        let stripe = Problem(.otherInterfaceWanted, severity: .recoverable([.cash]))
        #expect(!Presentation(.tryAnotherInterface, problem: stripe).endsSession)
        #expect(Presentation(.tryAnotherInterface, problem: stripe).headline == TextKey("headline.notCompleted"))
    }

    @Test func everyHeadlineHasATextAndEveryTextAHeadline() {
        var used: Set<TextKey> = Set(
            PresentationTests.alone.filter { $0.1 != "paid" }.map { TextKey("headline.\($0.1)") })
        for (_, headline, _, _) in PresentationTests.table where !["-", "chip", "paid"].contains(headline) {
            used.insert(TextKey("headline.\(headline)"))
        }
        #expect(used == Set(TextCatalogue.keys.filter { $0.rawValue.hasPrefix("headline.") }))
    }

    @Test func everyAlternativeHasAText() {
        #expect(
            Set(Alternative.all.map(\.textKey))
                == Set(TextCatalogue.keys.filter { $0.rawValue.hasPrefix("alternative.") }))
    }

    @Test func outcomesAreShownWithTheirDecisiveProblem() {
        let read = CardRead(authorization: .onlineRequired, outcome: Outcome(status: .onlineRequest, cvm: .signature))
        let limit = Presentation(.limitExceeded(.transactionLimit(nil)))
        #expect(limit.headline == TextKey("headline.otherInterface") && limit.region == .amount && !limit.endsSession)
        #expect(limit.detail == TextKey("problem.amountAboveLimit"))
        #expect(Presentation(TapOutcome.success(read)).headline == TextKey("headline.authorizing"))
        let signed = CardRead(authorization: .approvedOffline, outcome: Outcome(status: .approved, cvm: .signature))
        #expect(Presentation(.success(signed)).headline == TextKey("headline.signature"))
        #expect(Presentation(.approved(Approval()), of: read).headline == TextKey("headline.signature"))
        #expect(Presentation(.failed([]), of: read).endsSession)
        #expect(Presentation(.unknown(ReconciliationKey()), of: read).alert)
        let fraud = Presentation(.declined(Decline(reason: .suspectedFraud)), of: read)
        #expect(fraud.headline == TextKey("headline.declined") && fraud.detail == nil)
        #expect(Presentation(.pinRequested(PINChallenge(id: "1")), of: read).region == .pin)
        #expect(Presentation(.unsupportedNetwork(NetworkMismatch())).alert)
        #expect(Presentation(.cancelled(.readerDetached)).headline == TextKey("headline.reader"))
    }
}

/// Rows G3, G5 to G9 and H16: the data for the card and the prompt.
@Suite struct RequestAmountTests {
    static let eur = Money(minorUnits: 300, currency: .eur)

    @Test func aBillThatIsNotTheAmountIsAProblem() throws {
        let bill = try Bill([LineItem("Coffee", minorUnits: 300)], currency: .eur)
        #expect(PaymentRequest(bill).validate() == [])
        #expect(with(PaymentRequest(amount: RequestAmountTests.eur)) { $0.bill = bill }.validate() == [])
        let more = with(PaymentRequest(amount: Money(minorUnits: 301, currency: .eur))) { $0.bill = bill }
        #expect(more.validate().map(\.code) == [.lineItemsMismatch])
        let dollars = with(PaymentRequest(amount: Money(minorUnits: 300, currency: .usd))) { $0.bill = bill }
        #expect(dollars.validate().map(\.code) == [.currencyConflict, .lineItemsMismatch])
    }

    @Test func aPendingLineMakesAnEstimate() throws {
        let bill = try Bill([LineItem("Ride", minorUnits: 200), .pending("Tolls")], total: RequestAmountTests.eur)
        let request = PaymentRequest(bill)
        #expect(request.terms == .estimated && request.validate() == [])
        #expect(
            with(PaymentRequest(amount: RequestAmountTests.eur)) { $0.bill = bill }.validate().map(\.code) == [
                .lineItemsMismatch
            ])
        #expect(request.noteKey == TextKey("amount.pending"))
        #expect(
            PaymentRequest(amount: RequestAmountTests.eur, terms: .estimated).noteKey
                == TextKey("amount.preauthorization"))
    }

    @Test func thePromptShowsAmountNoteAndBothMerchants() {
        let request = with(PaymentRequest(amount: RequestAmountTests.eur, terms: .membership(.monthly))) {
            $0.merchant = Merchant("Market hall", via: "Pay Desk")
        }
        let prompt = Prompt(UIRequest(message: .presentCard, status: .readyToRead), payment: request)
        #expect(prompt.total == RequestAmountTests.eur)
        #expect(prompt.note?.description == "Every month")
        #expect(prompt.merchant == "Market hall, via Pay Desk")
        #expect(prompt.text?.description == "Present card")
        for cycle in PaymentRequest.PaymentCycle.allCases {
            for terms in [
                PaymentRequest.Terms.membership(cycle),
                .installment(cycle, amount: RequestAmountTests.eur, payments: 3),
            ] {
                let key = PaymentRequest(amount: RequestAmountTests.eur, terms: terms).noteKey
                #expect(key.flatMap { TextCatalogue().text($0) } != nil, "\(terms)")
            }
        }
    }

    @Test func aPromptSpeaksTheLanguageOfTheCard() {
        let request = UIRequest(message: .removeCard, status: .cardRead, language: "jaen")
        #expect(Prompt(request).language == .japanese)
        #expect(Prompt(request).text == TextCatalogue().text(.message(.removeCard), in: .japanese))
        #expect(
            Prompt(UIRequest(message: .removeCard, status: .cardRead), texts: TextCatalogue(language: .dutch)).language
                == .dutch)
        #expect(Prompt(UIRequest(message: .clearDisplay, status: .idle)).text == nil)
    }
}
