// SPDX-License-Identifier: Apache-2.0
import Testing
@testable import EMVKernel
@testable import EMVKit
@testable import EMVPOS

/// The texts for each outcome of a tap; the tables follow Conformance/pos.md.
@Suite struct OutcomeTableTests {
    /// Problems by the reason why a card could not be read; a link fault is its own problem.
    @Test func whyACardCouldNotBeReadHasItsProblem() {
        let codes: [Outcome.Reason: Problem.Code] = [
            .link: .linkDisturbed, .tooManyTaps: .tooManyPresentments, .collision: .severalCards,
            .cardStatus: .cardStatusUnexpected, .cardSwitched: .cardSwitched, .storeFull: .cardDataTooLarge,
            .protection: .cardProtectionFailed, .selectionExhausted: .applicationsExhausted,
            .noCommonApplication: .applicationsExhausted, .none: .cardDataInvalid, .kernel: .cardDataInvalid,
            .cardData: .cardDataInvalid, .notAllowed: .amountNotAllowed, .kernelLimit: .amountAboveKernelLimit,
            .noCombination: .transactionTypeNotConfigured, .stopped: .stoppedByTerminal, .abandoned: .stoppedByTerminal,
            .random: .randomMissing, .internal: .kernelDefect,
        ]
        for reason in Outcome.Reason.allCases {
            let plain = ReadFailure(reason: reason)
            #expect(plain.problems.map(\.code) == [codes[reason]], "\(reason)")
            #expect(plain.problems.first?.detail == nil)
            let found = ReadFailure(reason: reason, findings: [.luhn, .panMismatch])
            #expect(found.problems.first?.detail == "PAN_MISMATCH, LUHN", "\(reason)")
            let locked = ReadFailure(reason: reason, deviceLocked: true).problems.map(\.code)
            #expect(
                locked == [.deviceNotUnlocked] + (reason == .tooManyTaps ? [.tooManyPresentments] : []), "\(reason)")
        }
        let faults: [LinkFault: Problem.Code] = [
            .timeout: .linkTimedOut, .transmission: .linkDisturbed, .protocol: .linkProtocolFailed,
            .removed: .cardRemovedEarly,
        ]
        for (fault, code) in faults {
            #expect(ReadFailure(reason: .link, linkFault: fault).problems.map(\.code) == [code])
            #expect(ReadFailure(reason: .cardData, linkFault: fault).problems.map(\.code) == [.cardDataInvalid])
            let often = ReadFailure(reason: .tooManyTaps, linkFault: fault).problems.map(\.code)
            #expect(often == [.tooManyPresentments, code])
        }
    }

    @Test func whyATapWasCancelledHasItsProblem() {
        let codes: [CancelReason: Problem.Code] = [
            .requested: .cancelledByPerson, .taskCancelled: .cancelledByProgram, .timedOut: .cardTimedOut,
            .cardLeft: .cardNotRemoved,
            .readerDetached: .readerDetached, .stopped: .stoppedByTerminal, .suspended: .suspended,
            .superseded: .superseded,
        ]
        for reason in CancelReason.allCases {
            #expect(TapOutcome.cancelled(reason).problems.map(\.code) == [codes[reason]], "\(reason)")
        }
    }

    @Test func whatEndedATapHasItsProblem() {
        let germany = Country(code: "DE")!
        let rows: [(TapOutcome, Problem)] = [
            (.unsupportedNetwork(NetworkMismatch(.noCommonApplication)), Problem(.networkUnsupported)),
            (
                .unsupportedNetwork(NetworkMismatch(.issuerCountry(germany))),
                Problem(.issuerCountryUnsupported, detail: "DE")
            ),
            (.unsupportedNetwork(NetworkMismatch(.issuerCountryUnknown)), Problem(.issuerCountryUnknown)),
            (.limitExceeded(.transactionLimit(eur(5000))), Problem(.amountAboveLimit, amount: eur(5000))),
            (.limitExceeded(.transactionLimit(nil)), Problem(.amountAboveLimit)),
            (.limitExceeded(.zeroAmount), Problem(.amountZero)),
            (.limitExceeded(.kernelLimit), Problem(.amountAboveKernelLimit)),
            (.limitExceeded(.other), Problem(.amountNotAllowed)),
            (.failed(.busy), Problem(.readerBusy)), (.failed(.notPrepared), Problem(.notPrepared)),
            (.failed(.preparation(.busy)), Problem(.readerBusy)),
            (.failed(.preparation(.cancelled)), Problem(.preparationCancelled)),
            (
                .failed(.preparation(.configurationExpired(testDay))),
                Problem(.configurationExpired, detail: "last day \(testDay)")
            ),
            (
                .failed(.preparation(.caKeysMissing([[0xA0, 0, 0, 0, 3], [0xA0, 0, 0, 0, 4]]))),
                Problem(.caKeysMissing, detail: "A000000003, A000000004")
            ),
            (.failed(.invalid([])), Problem(.requestInvalid)),
            (.failed(.invalid([Problem(.amountZero)])), Problem(.amountZero)),
            (.failed(.noCombination), Problem(.transactionTypeNotConfigured)),
            (.failed(.nothingToComplete), Problem(.nothingToComplete)), (.failed(.noRandom), Problem(.randomMissing)),
            (.failed(.internal), Problem(.kernelDefect)), (.failed(.journal(.full)), JournalError.full.problem),
        ]
        for (outcome, problem) in rows {
            #expect(outcome.problems == [problem], "\(outcome)")
            #expect(outcome.alternatives == Alternative.inOrder([problem]))
        }
        let faults: [ReaderFault.Code: Problem.Code] = [
            .noReader: .readerMissing, .noService: .readerServiceMissing, .inUse: .readerInUse,
            .unsupported: .readerUnsupported, .failed: .readerFailed,
        ]
        for code in ReaderFault.Code.allCases {
            let fault = ReaderFault(code, "out of order")
            #expect(fault.problem.code == faults[code] && fault.problem.detail == "out of order")
            #expect(TapOutcome.failed(.reader(fault)).problems == [fault.problem])
            #expect(PrepareError.reader(fault).problems == [fault.problem])
        }
    }

    /// Message identifiers of user interface requests (EMV Book A).
    @Test func messagesHaveTheNumbersOfTheBooks() {
        let numbers: [(Message, UInt8)] = [
            (.unchanged, 0x00), (.approved, 0x03), (.notAuthorised, 0x07), (.enterPIN, 0x09), (.processingError, 0x0F),
            (.removeCard, 0x10), (.welcome, 0x14), (.presentCard, 0x15), (.processing, 0x16), (.cardReadOK, 0x17),
            (.insertOrSwipe, 0x18), (.oneCardOnly, 0x19), (.approvedSign, 0x1A), (.authorising, 0x1B),
            (.tryAnotherCard, 0x1C), (.insertCard, 0x1D), (.clearDisplay, 0x1E), (.seePhone, 0x20),
            (.presentAgain, 0x21),
        ]
        for (message, number) in numbers { #expect(message.rawValue == number) }
    }

    /// The bit of a finding and its name in traces agree.
    @Test func aFindingHasTheBitOfItsName() {
        let named: [(Findings, String)] = [
            (.cdcvmUnauthenticated, "CDCVM_UNAUTHENTICATED"),
            (.limitNeedsAuthenticatedCDCVM, "LIMIT_NEEDS_AUTHENTICATED_CDCVM"), (.brandMismatch, "BRAND_MISMATCH"),
            (.unsolicitedSDAD, "UNSOLICITED_SDAD"), (.odaTamper, "ODA_TAMPER"), (.cidIADMismatch, "CID_IAD_MISMATCH"),
            (.terminalTagFromCard, "TERMINAL_TAG_FROM_CARD"), (.panMismatch, "PAN_MISMATCH"),
            (.expiryMismatch, "EXPIRY_MISMATCH"), (.luhn, "LUHN"), (.testKey, "TEST_KEY"),
            (.rngSuspect, "RNG_SUSPECT"), (.dfNameMismatch, "DF_NAME_MISMATCH"), (.odaStripped, "ODA_STRIPPED"),
            (.cvmFromPlainData, "CVM_FROM_PLAIN_DATA"), (.recordRepeated, "RECORD_REPEATED"),
            (.candidatesDropped, "CANDIDATES_DROPPED"), (.caKeyMissing, "CA_KEY_MISSING"),
            (.caKeyExpired, "CA_KEY_EXPIRED"), (.certificateExpired, "CERTIFICATE_EXPIRED"),
            (.certificateRevoked, "CERTIFICATE_REVOKED"), (.modeDowngrade, "MODE_DOWNGRADE"),
            (.acBindingNotSent, "AC_BINDING_NOT_SENT"), (.cardKeyExposed, "CARD_KEY_EXPOSED"),
            (.cardKeyRepeated, "CARD_KEY_REPEATED"), (.unboundObject, "UNBOUND_OBJECT"),
            (.listUnsigned, "LIST_UNSIGNED"), (.kernelFallback, "KERNEL_FALLBACK"),
        ]
        for (finding, name) in named {
            #expect(finding.names == [name] && Findings(name: name) == finding)
        }
        #expect(Findings(named.map(\.0)).names == named.map(\.1) && named.count == Findings.known.count)
        #expect(Findings(rawValue: 1 << 31).names == ["FINDING_31"] && Findings(name: "FINDING_31") == nil)
        #expect(Findings([.brandMismatch, .luhn]).description == "[BRAND_MISMATCH, LUHN]")
        #expect(Findings().names == [])
    }

    /// Tag DF8115: L1, L2, L3, status word, message on error.
    @Test func anErrorIndicationHasSixBytes() {
        let indication = ErrorIndication(l1: 1, l2: 2, l3: 3, statusWord: 0x6985, messageOnError: 0x1C)
        #expect(indication.bytes == [1, 2, 3, 0x69, 0x85, 0x1C])
        #expect(ErrorIndication().bytes == [0, 0, 0, 0, 0, 0])
    }

    /// A charge reports its authorisation's result, or why there was no authorisation.
    @Test func aChargeSaysWhatBecameOfIt() {
        let key = ReconciliationKey()
        let tap = TapRecord(key: key, purpose: .payment(PaymentRequest(amount: eur(1250))), moment: noon)
        let read = CardRead(authorization: .onlineRequired, outcome: Outcome(status: .onlineRequest), tap: tap)
        let refused = CardRead(authorization: .declined, outcome: Outcome(status: .declined), tap: tap)
        let results: [(AuthorizationResult.Ending, ChargeResult.Name, PaymentEffect)] = [
            (.approved(Approval()), .approved, .booked),
            (.declined(Decline(reason: .issuer)), .declined, .nothingBooked),
            (.accepted(Deferred(key: key, amount: eur(1250), moment: noon)), .accepted, .mayBeBooked),
            (.pinRequested(PINChallenge(id: "1")), .pinRequested, .mayBeBooked),
            (.failed([Problem(.hostUnreachable)]), .failed, .nothingSent),
            (.reversed([Problem(.authorizationTimedOut)]), .reversed, .nothingBooked),
            (.unknown(key), .unknown, .mayBeBooked),
        ]
        for (result, name, effect) in results {
            let charge = ChargeResult(ChargeResult.Ending(result, read), sale: .paid)
            #expect(charge.name == name && charge.effect == effect && charge.sale == .paid, "\(name)")
            #expect(charge.authorization == AuthorizationResult(result, sale: .paid) && charge.read == read)
            #expect(charge.problems == result.problems && charge.alternatives == result.alternatives)
        }
        let unread = ChargeResult.Ending(unread: .cancelled(.timedOut))
        #expect(unread == .notRead(.cancelled(.timedOut)) && unread.name == .notRead)
        #expect(unread.effect == .nothingSent && unread.read == nil && unread.authorization == nil)
        #expect(unread.problems == [Problem(.cardTimedOut)] && !unread.alternatives.isEmpty)
        let declined = ChargeResult.Ending(unread: .declined(refused))
        #expect(declined == .declined(Decline(reason: .card), refused))
        let sale = SaleReference.order(1)
        for (error, ending) in [
            (.keyUsed(key), .keyUsed(key, nil)), (.saleSettled(sale), .saleSettled(sale)),
            (.saleOpen(key), .saleOpen(key)),
        ] as [(JournalError, ChargeResult.Ending)] {
            let refused = TapOutcome.failed(.refused(error))
            #expect(ChargeResult.Ending(unread: refused) == ending && ending.effect == .nothingSent)
            #expect(ending.problems == refused.problems && ending.read == nil && ending.authorization == nil)
        }
        #expect(ChargeResult.keyUsed(key).problems == [Problem(.keyUsed, detail: key.rawValue)])
        #expect(ChargeResult.keyUsed(key).alternatives == [.askHost, .help])
        #expect(ChargeResult.running(key).effect == .mayBeBooked)
        #expect(ChargeResult.running(key).problems == [] && ChargeResult.running(key).alternatives == [])
        #expect(ChargeResult.keyUsed(key).name == .keyUsed && ChargeResult.running(key).name == .running)
        let request = PaymentRequest(amount: eur(1250))
        #expect(Presentation(ChargeResult.keyUsed(key), of: request) == Presentation(.unknown, total: eur(1250)))
        #expect(Presentation(ChargeResult.running(key), of: request) == Presentation(.authorizing, total: eur(1250)))
        #expect(Receipt(ChargeResult.keyUsed(key), merchant: Merchant("Market hall")) == nil)
    }

    /// A card that declines because its offline balance is too low reports so, and only then (Kernel 3, 9F5D).
    @Test func aBalanceBelowTheAmountIsTheReasonOfADecline() {
        func decline(
            _ qualifier: UIRequest.Qualifier, _ balance: UInt64, currency: UInt16 = 978,
            terms: PaymentRequest.Terms = .final
        ) -> Decline.Reason {
            var outcome = Outcome(status: .declined)
            outcome.uiOnOutcome = UIRequest(
                message: .notAuthorised, status: .cardRead,
                value: UIRequest.Value(qualifier: qualifier, amount: balance, currency: currency))
            let tap = TapRecord(
                key: ReconciliationKey(), purpose: .payment(PaymentRequest(amount: eur(1250), terms: terms)),
                moment: noon)
            let read = CardRead(authorization: .declined, outcome: outcome, tap: tap)
            let problem = TapOutcome.declined(read).problems.first
            if read.declineReason == .insufficientOfflineBalance {
                #expect(problem == Problem(.insufficientOfflineBalance, amount: eur(balance)))
            } else {
                #expect(problem == Problem(.cardDeclined))
            }
            return read.declineReason
        }
        #expect(decline(.balance, 1249) == .insufficientOfflineBalance && decline(.balance, 1250) == .card)
        #expect(decline(.balance, 0) == .insufficientOfflineBalance && decline(.amount, 0) == .card)
        #expect(decline(.balance, 0, currency: 840) == .card && decline(.balance, 0, terms: .estimated) == .card)
    }
}
