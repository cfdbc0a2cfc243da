// SPDX-License-Identifier: Apache-2.0
import TestData
import Testing
@testable import EMVKernel
@testable import EMVKit
@testable import EMVPOS

/// The texts for the two people at the counter for one ending, and the display with it.
private struct Row {
    let mark: Presentation.Mark?
    let headline: String
    let message: Message
    let first: Alternative?

    init(_ mark: Presentation.Mark?, _ headline: String, _ message: Message, _ first: Alternative?) {
        self.mark = mark
        self.headline = headline
        self.message = message
        self.first = first
    }
}

/// Every possible ending, generated from the enumerations. The rows are exhaustive switches, so a new ending without a
/// row does not compile.
private enum Endings {
    static let amount = eur(1250)
    static let request = with(PaymentRequest(amount: amount)) { $0.merchant = Merchant("Market hall", via: "Pay Desk") }

    static func read(_ authorization: CardRead.Authorization, _ cvm: Outcome.CVM = .none) -> CardRead {
        let status: Outcome.Status =
            switch authorization {
            case .approvedOffline: .approved
            case .onlineRequired: .onlineRequest
            case .declined: .declined
            }
        let tap = TapRecord(key: ReconciliationKey(), purpose: .payment(request), moment: noon)
        return CardRead(authorization: authorization, outcome: Outcome(status: status, cvm: cvm), tap: tap)
    }

    static let limits: [LimitRule] = [
        .transactionLimit(eur(5000)), .transactionLimit(nil), .zeroAmount, .kernelLimit, .other,
    ]

    static let prepareErrors: [PrepareError] = [
        .configuration(ConfigurationError(section: .terminal, reason: .missing, expected: "a value", found: "none")),
        .configurationExpired(testDay), .caKeysMissing([[0xA0, 0, 0, 0, 3]]), .enrollment(.required(termsVersion: "1")),
        .enrollment(.revoked), .reader(ReaderFault(.noReader, "none")), .journal(.full), .busy, .cancelled,
    ]

    static let failures: [TapFailure] =
        [
            .busy, .notPrepared, .invalid([Problem(.amountZero)]), .invalid([]),
            .refused(.saleSettled(.order(1))), .refused(.saleOpen(ReconciliationKey())),
            .refused(.keyUsed(ReconciliationKey())), .refused(.beyondSale(left: amount)),
            .invalidRequest(
                ConfigurationError(section: .transaction, reason: .badValue, expected: "1", found: "2")),
            .noCombination, .nothingToComplete, .noRandom, .journal(.full), .internal,
        ] + prepareErrors.map { .preparation($0) } + ReaderFault.Code.allCases.map { .reader(ReaderFault($0, "")) }

    static let unreadable: [ReadFailure] = Outcome.Reason.allCases.flatMap { reason in
        [nil, .timeout, .transmission, .protocol, .removed].flatMap { (fault: LinkFault?) in
            [false, true].map { ReadFailure(reason: reason, linkFault: fault, deviceLocked: $0) }
        }
    }

    static let taps: [TapOutcome] = TapName.allCases.flatMap { name -> [TapOutcome] in
        switch name {
        case .success:
            return Outcome.CVM.allCases.flatMap {
                [.success(read(.approvedOffline, $0)), .success(read(.onlineRequired, $0))]
            }
        case .verified:
            let tap = TapRecord(
                key: ReconciliationKey(), purpose: .verification(VerificationRequest(reason: .verify, currency: .eur)),
                moment: noon)
            return [.verified(CardVerification(reason: .verify, tap: tap, outcome: Outcome(status: .onlineRequest)))]
        case .declined: return [.declined(read(.declined))]
        case .unreadable: return unreadable.map { .unreadable($0) }
        case .unsupportedNetwork:
            return [.noCommonApplication, .issuerCountry(Country(code: "DE")!), .issuerCountryUnknown].map {
                .unsupportedNetwork(NetworkMismatch($0))
            }
        case .limitExceeded: return limits.map { .limitExceeded($0) }
        case .onlinePINRequired: return [.onlinePINRequired(read(.onlineRequired, .onlinePIN))]
        case .onlinePINUnavailable: return [.onlinePINUnavailable(PINFallbackRead(read(.onlineRequired, .onlinePIN)))]
        case .tryAnotherInterface: return Outcome.Interface.allCases.map { .tryAnotherInterface($0) }
        case .cancelled: return CancelReason.allCases.map { .cancelled($0) }
        case .failed: return failures.map { .failed($0) }
        // These occur within a tap and never end it.
        case .seePhone, .presentAgain: return []
        }
    }

    static let problems: [[Problem]] = [[]] + Problem.Code.allCases.map { [Problem($0)] }

    static let results: [AuthorizationResult] = AuthorizationName.allCases.flatMap { name -> [AuthorizationResult] in
        switch name {
        case .approved: [.approved(Approval()), .approved(Approval(responseCode: "10", approvedAmount: eur(700)))]
        case .declined: Decline.Reason.allCases.map { .declined(Decline(reason: $0)) }
        case .accepted: [.accepted(Deferred(key: ReconciliationKey(), amount: amount, moment: noon))]
        case .pinRequested: [.pinRequested(PINChallenge(id: "1"))]
        case .failed: problems.map { .failed($0) }
        case .reversed: problems.map { .reversed($0) }
        case .unknown: [.unknown(ReconciliationKey())]
        }
    }

    // MARK: - The rows

    static func row(_ outcome: TapOutcome) -> Row {
        switch outcome {
        case .success(let read):
            switch (read.authorization, read.cvm) {
            case (.approvedOffline, .signature): Row(.completed, "signature", .approvedSign, nil)
            case (.approvedOffline, _): Row(.completed, "approved", .approved, nil)
            case (.onlineRequired, _), (.declined, _): Row(nil, "authorizing", .authorising, nil)
            }
        case .verified: Row(.completed, "verified", .cardReadOK, nil)
        case .declined: Row(.declined, "declined", .notAuthorised, .anotherCard)
        case .unreadable(let failure): row(failure)
        case .unsupportedNetwork: Row(.notCompleted, "otherCard", .tryAnotherCard, .anotherCard)
        case .limitExceeded(let rule):
            switch rule {
            case .transactionLimit, .kernelLimit, .other:
                Row(.notCompleted, "otherInterface", .insertOrSwipe, .otherInterface(.chipOrSwipe))
            case .zeroAmount: Row(.notCompleted, "request", .processingError, .correctRequest)
            }
        case .onlinePINRequired: Row(nil, "pin", .enterPIN, .enterPIN)
        case .onlinePINUnavailable: Row(.notCompleted, "chip", .insertCard, .otherInterface(.chip))
        case .tryAnotherInterface(let interface):
            switch interface {
            case .contactChip: Row(.notCompleted, "chip", .insertCard, .otherInterface(.chip))
            case .magstripe: Row(.notCompleted, "otherInterface", .insertOrSwipe, .otherInterface(.swipe))
            case .notApplicable: Row(.notCompleted, "otherInterface", .insertOrSwipe, .otherInterface(.chipOrSwipe))
            }
        case .cancelled(let reason):
            switch reason {
            case .requested, .taskCancelled, .timedOut, .cardLeft, .stopped, .suspended, .superseded:
                Row(.notCompleted, "notCompleted", .clearDisplay, .startAgain)
            case .readerDetached: Row(.notCompleted, "reader", .clearDisplay, .checkReader)
            }
        case .failed(let failure): row(failure)
        }
    }

    private static func row(_ failure: ReadFailure) -> Row {
        let again = Row(.notCompleted, "notCompleted", .tryAnotherCard, .retry)
        let other = Row(.notCompleted, "otherCard", .tryAnotherCard, .anotherCard)
        if failure.deviceLocked { return again }
        switch failure.reason {
        case .link:
            switch failure.linkFault {
            case .timeout, .transmission, .removed, nil: return again
            case .protocol: return other
            }
        case .collision, .cardSwitched: return again
        case .tooManyTaps, .cardStatus, .storeFull, .protection, .selectionExhausted, .noCommonApplication, .none,
            .kernel, .cardData:
            return other
        // No tap ends as unreadable for these reasons; see TapOutcomeTests.
        case .notAllowed, .kernelLimit:
            return Row(.notCompleted, "otherInterface", .insertOrSwipe, .otherInterface(.chipOrSwipe))
        case .noCombination: return Row(.notCompleted, "setUp", .processingError, .anotherCard)
        case .stopped, .abandoned: return Row(.notCompleted, "notCompleted", .tryAnotherCard, .startAgain)
        case .random, .internal: return Row(.notCompleted, "notCompleted", .tryAnotherCard, .help)
        }
    }

    private static func row(_ failure: TapFailure) -> Row {
        func row(_ headline: String, _ first: Alternative) -> Row {
            Row(.notCompleted, headline, .processingError, first)
        }
        switch failure {
        case .busy: return row("wait", .waitAndRetry)
        case .notPrepared: return row("wait", .waitAndRetry)
        case .preparation(let error):
            switch error {
            case .configuration, .configurationExpired: return row("setUp", .update)
            case .caKeysMissing: return row("setUp", .update)
            case .enrollment: return row("setUp", .administrator)
            case .reader: return row("reader", .checkReader)
            case .journal: return row("notCompleted", .help)
            case .offlineUnjournaled, .offlineUndelivered: return row("setUp", .update)
            case .busy, .cancelled: return row("wait", .waitAndRetry)
            }
        case .invalid([]): return row("notCompleted", .help)
        case .invalid: return row("request", .correctRequest)
        case .refused(.saleSettled): return Row(nil, "paid", .clearDisplay, .askHost)
        case .refused(.saleOpen): return Row(nil, "unknown", .processingError, .askHost)
        case .refused(.keyUsed): return Row(nil, "unknown", .processingError, .askHost)
        case .refused: return row("request", .correctRequest)
        case .invalidRequest: return row("notCompleted", .help)
        case .noCombination: return row("setUp", .anotherCard)
        case .nothingToComplete: return row("notCompleted", .help)
        case .noRandom, .internal: return row("notCompleted", .help)
        case .reader: return row("reader", .checkReader)
        case .journal: return row("notCompleted", .help)
        }
    }

    /// The row of a failure, only if it differs from the table of problems (``PresentationTests``).
    static func row(_ result: AuthorizationResult) -> Row? {
        switch result.ending {
        case .approved(let approval) where approval.approvedAmount != nil:
            Row(nil, "part", .approved, .payRest)
        case .approved: Row(.completed, "approved", .approved, nil)
        case .accepted: Row(.completed, "accepted", .authorising, nil)
        case .declined(let decline) where decline.reason == .chipRequested:
            Row(.notCompleted, "chip", .insertCard, .otherInterface(.chip))
        case .declined(let decline):
            Row(.declined, "declined", .notAuthorised, decline.problem.alternatives.first)
        case .pinRequested: Row(nil, "pin", .enterPIN, .enterPIN)
        case .unknown: Row(nil, "unknown", .processingError, .askHost)
        case .failed(let problems), .reversed(let problems):
            problems.isEmpty ? Row(.notCompleted, "notCompleted", .processingError, .retry) : nil
        }
    }
}

/// Rows I2, I4 and I11: every ending × every text.
@Suite struct EndingTableTests {
    /// With the field off, a screen must not end with one of these.
    private static let invitations: Set<Message> = [.presentCard, .presentAgain, .seePhone, .oneCardOnly, .welcome]

    private func check(_ shown: Presentation, _ row: Row?, _ prompt: Prompt, _ label: String) {
        if let row {
            let own = ["chip": "alternative.otherInterface.chip", "paid": "problem.saleSettled"]
            let key = own[row.headline] ?? "headline.\(row.headline)"
            #expect(shown.headline.rawValue == key, "\(label)")
            #expect(shown.mark == row.mark, "\(label)")
            #expect(shown.message == row.message, "\(label)")
            #expect(shown.options.first == row.first, "\(label)")
        }
        // Headline and prompt agree, and neither invites a card.
        #expect(prompt.message == shown.message, "\(label)")
        #expect(shown.agrees(with: prompt.message), "\(label)")
        #expect(!EndingTableTests.invitations.contains(prompt.message), "\(label)")
        // Total and merchant stay on every screen of a payment.
        #expect(prompt.total == Endings.amount && prompt.merchant == "Market hall, via Pay Desk", "\(label)")
        #expect(shown.total != nil, "\(label)")
        // An unsuccessful ending offers a next step; a success offers nothing.
        #expect((shown.mark == .completed) == shown.options.isEmpty || shown.mark == nil, "\(label)")
        for language in Language.builtIn {
            let table = TextCatalogue.builtIn(language)
            for key in [shown.headline, shown.detail].compactMap({ $0 }) + shown.options.map(\.textKey) {
                #expect(table[key] != nil, "\(label): \(language) \(key)")
            }
            let spoken = shown.spoken(in: language)
            #expect(
                spoken.hasPrefix(table[shown.headline] ?? "?")
                    && spoken.contains(shown.total?.spoken(in: language) ?? "?"),
                "\(label): \(spoken)")
        }
        #expect((prompt.text == nil) == (prompt.message == .clearDisplay), "\(label)")
        #expect((prompt.spoken == nil) == (prompt.text == nil), "\(label)")
    }

    @Test func everyEndingOfATapAgreesWithItsPrompt() {
        #expect(Set(Endings.taps.map(\.name)) == Set(TapName.allCases).subtracting([.seePhone, .presentAgain]))
        for outcome in Endings.taps where outcome.name != .verified {
            check(
                Presentation(outcome, of: Endings.request), Endings.row(outcome), outcome.prompt(of: Endings.request),
                "\(outcome.name) \(outcome.problems.map(\.code))")
        }
        let verified = Endings.taps.filter { $0.name == .verified }
        for outcome in verified {
            let shown = Presentation(outcome), row = Endings.row(outcome)
            #expect(shown.mark == row.mark && shown.message == row.message && shown.total == nil)
            #expect(outcome.prompt.message == row.message)
        }
    }

    @Test func everyEndingOfAnAuthorisationAgreesWithItsPrompt() {
        let read = Endings.read(.onlineRequired)
        for result in Endings.results {
            let shown = Presentation(result, of: read)
            check(shown, Endings.row(result), result.prompt(for: read), "\(result.name) \(result.problems.map(\.code))")
            #expect(shown.options == result.alternatives)
        }
        let part = AuthorizationResult.approved(Approval(responseCode: "10", approvedAmount: eur(700)))
        #expect(Presentation(part, of: read).total == eur(700))
        let signed = Endings.read(.onlineRequired, .signature)
        #expect(AuthorizationResult.approved(Approval()).prompt(for: signed).message == .approvedSign)
    }

    /// If a kernel requests a message other than the outcome's, the request is ignored.
    @Test func aKernelThatInvitesAtTheEndIsNotFollowed() {
        var read = Endings.read(.declined)
        for message in [Message.presentAgain, .approved, .clearDisplay] {
            let outcome = Outcome(status: .declined, uiOnOutcome: UIRequest(message: message, status: .idle))
            read = CardRead(authorization: .declined, outcome: outcome, tap: read.tap)
            #expect(TapOutcome.declined(read).prompt.message == .notAuthorised)
        }
    }

    /// If a kernel requests the outcome's own message, all of its request is honoured.
    @Test func aKernelThatAgreesIsFollowed() {
        let rows: [(CardRead.Authorization, Message, (CardRead) -> TapOutcome)] = [
            (.approvedOffline, .approved, { .success($0) }), (.onlineRequired, .authorising, { .success($0) }),
            (.declined, .notAuthorised, { .declined($0) }), (.onlineRequired, .enterPIN, { .onlinePINRequired($0) }),
        ]
        for (authorization, message, ending) in rows {
            let asked = UIRequest(message: message, status: .processing, hold: .milliseconds(777))
            let outcome = Outcome(status: .onlineRequest, uiOnOutcome: asked)
            let read = CardRead(authorization: authorization, outcome: outcome, tap: Endings.read(authorization).tap)
            let prompt = ending(read).prompt
            #expect(prompt.message == message && prompt.hold == .milliseconds(777), "\(message)")
        }
    }

    /// I4: the text addresses the person who acts next.
    @Test func whoActsIsNamed() {
        let read = Endings.read(.onlineRequired)
        let rows: [(Presentation, Presentation.Party)] = [
            (Presentation(.approved(Approval()), of: read), .nobody),
            (Presentation(.approved(Approval()), of: Endings.read(.onlineRequired, .signature)), .customer),
            (Presentation(.unknown(ReconciliationKey()), of: read), .merchant),
            (Presentation(.failed([]), of: read), .nobody),
            (Presentation(.failed([Problem(.hostUnreachable)]), of: read), .merchant),
            (Presentation(.declined(Decline(reason: .insufficientFunds)), of: read), .customer),
            (Presentation(.cancelled(.requested)), .merchant), (Presentation(.cancelled(.timedOut)), .merchant),
            (Presentation(.cancelled(.readerDetached)), .merchant),
            (Presentation(.unreadable(ReadFailure(reason: .collision))), .customer),
            (Presentation(.limitExceeded(.kernelLimit)), .customer),
            (Presentation(.limitExceeded(.zeroAmount)), .merchant), (Presentation(.failed(.internal)), .merchant),
            (Presentation(.onlinePINRequired(read)), .customer),
        ]
        for (shown, party) in rows { #expect(shown.party == party, "\(shown.headline)") }
        // A problem that only the merchant can resolve is always shown to the merchant.
        for code in Problem.Code.allCases where Problem(code).severity == .fatal {
            #expect(Presentation(.failed, problem: Problem(code)).party != .nobody, "\(code)")
        }
    }

    @Test func thatACardMayBeRemovedIsAlwaysATone() {
        let statuses = UIRequest.Status.allCases
        for status in statuses {
            for message in [Message.cardReadOK, .removeCard] {
                let isLeft = message == .removeCard && status == .notReady
                let cue = Prompt(UIRequest(message: message, status: status)).cue
                #expect(cue.hasTone && cue == (isLeft ? .alert : .cardRead), "\(message) \(status)")
            }
        }
        #expect(Prompt(UIRequest(message: .presentCard, status: .readyToRead)).cue == .ready)
        #expect(Prompt(UIRequest(message: .approved, status: .cardRead)).cue == .cardRead)
    }

    @Test func aResultIsSpokenInTheOrderOfTheScreen() {
        let shown = Presentation(.limitExceeded(.kernelLimit), of: Endings.request)
        #expect(shown.spoken() == "Insert or swipe card, 12.50 euros, Amount above limit for this card")
    }
}
