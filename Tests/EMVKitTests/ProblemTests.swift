// SPDX-License-Identifier: Apache-2.0
import Testing
@testable import EMVKernel
@testable import EMVKit
@testable import EMVPOS

@Suite struct ProblemTests {
    @Test func everyCodeHasItsRow() {
        #expect(Set(ProblemTable.codes) == Set(Problem.Code.allCases))
    }

    @Test(arguments: Problem.Code.allCases)
    func everyProblemSaysWhatItIsAndWhatHelps(code: Problem.Code) {
        let problem = Problem(code)
        for text in [problem.description, problem.recoverySuggestion] {
            #expect(PromptText.flaw(of: text) == nil, "\(text)")
            #expect(text.first?.isUppercase == true)
        }
        #expect(!problem.alternatives.isEmpty)
        #expect(Set(problem.alternatives).count == problem.alternatives.count)
        #expect(problem.helpAnchor.hasSuffix(code.rawValue))
    }

    @Test func aProblemWithoutActionsIsFatal() {
        #expect(Problem(.linkTimedOut, severity: .recoverable([])).severity == .fatal)
        #expect(!Problem(.linkTimedOut, severity: .recoverable([])).alternatives.isEmpty)
    }

    @Test func theLimitStandsInTheText() {
        let problem = Problem(.amountAboveLimit, amount: Money(minorUnits: 5000, currency: .eur))
        #expect(problem.description == "Amount above contactless limit: 50.00 EUR")
    }

    @Test func countriesAreFoundByEveryCode() {
        for country in Country.all {
            #expect(Country(code: country.code.lowercased()) == country)
            #expect(Country(code: country.code3) == country)
            #expect(Country(numeric: country.numeric) == country)
        }
        #expect(Country.all.count == 249)
        #expect(Country(ofIssuer: [0x5F28: [0x02, 0x76]])?.code == "DE")
        #expect(Country(ofIssuer: [0x5F55: Array("DE".utf8)])?.numeric == 276)
        #expect(Country(ofIssuer: [0x5F56: Array("DEU".utf8)])?.code == "DE")
        #expect(Country(ofIssuer: [0x5F28: [0x0A, 0xBC]]) == nil)
        #expect(Country(ofIssuer: [:]) == nil)
    }
}

/// A second statement of where each problem is shown and which options it offers (C6, C9).
@Suite struct ProblemRowTests {
    private static let actions: [Character: Alternative] = [
        "r": .retry, "c": .anotherCard, "i": .otherInterface(.chipOrSwipe), "I": .otherInterface(.chip), "e": .enterPIN,
        "w": .waitAndRetry, "h": .askHost, "k": .checkReader, "q": .correctRequest, "n": .startAgain,
        "a": .administrator, "u": .update,
        "$": .cash, "l": .paymentLink, "?": .help,
    ]

    /// The field, the options in order, `!` if nothing resolves the problem, and the codes.
    private static let rows: [(Problem.Field, String, String)] = [
        (.amount, "ic$l", "amountAboveLimit amountAboveKernelLimit amountNotAllowed"),
        (
            .amount, "q",
            "amountZero amountTooLarge cashBackAboveAmount cashBackZero amountAboveDue refundAbovePaid "
                + "captureAboveAuthorized"
        ),
        (.amount, "?", "currencyInvalid currencyConflict lineItemsMismatch"),
        (.amount, "w$l", "offlineAmountAboveLimit"), (.card, "wc$l", "offlineCardLimitReached"),
        (.amount, "c$l", "insufficientOfflineBalance approvedInPart"), (.amount, "hw?", "saleOpen"),
        (.amount, "!h?", "saleSettled alreadyVoided followUpNotPossible"),
        (.card, "ric$l", "linkTimedOut linkDisturbed cardRemovedEarly cardSwitched severalCards"),
        (
            .card, "ci$l",
            "linkProtocolFailed cardDataInvalid cardStatusUnexpected cardDataTooLarge cardProtectionFailed "
                + "tooManyPresentments applicationsExhausted"
        ),
        (.card, "rc$l", "deviceNotUnlocked"), (.card, "ic$l", "otherInterfaceWanted"),
        (.card, "n$l", "cardTimedOut cardNotRemoved"),
        (.card, "Ic$l", "chipRequested"),
        (.card, "!c$l", "cardDeclined issuerAnswerRefused"),
        (.network, "ci$l", "networkUnsupported preferredApplicationAbsent"),
        (.network, "c$l", "issuerCountryUnsupported issuerCountryUnknown"),
        (.network, "?", "preferredApplicationInvalid"),
        (.pin, "ec$l", "pinRequired"), (.pin, "Ilc$", "pinPadMissing"), (.pin, "Ic$l", "pinPadFailed"),
        (.pin, "r$l", "pinCancelled pinTimedOut pinBypassed"), (.pin, "rc$l", "incorrectPIN"),
        (.pin, "!c$l", "pinAttemptsExceeded"),
        (.reader, "n$l", "cancelledByPerson cancelledByProgram stoppedByTerminal suspended superseded"),
        (
            .reader, "ki$l",
            "readerDetached readerMissing readerServiceMissing readerInUse readerUnsupported readerFailed"
        ),
        (.reader, "w", "readerBusy preparationCancelled"), (.reader, "wk", "notPrepared"),
        (.reader, "!?$l", "randomMissing kernelDefect"),
        (.configuration, "?", "requestInvalid"), (.configuration, "h?", "keyUsed"),
        (.configuration, "!c$l", "transactionTypeNotConfigured"),
        (.configuration, "u", "currencyNotConfigured configurationExpiresSoon caKeysMissing caKeyExpired testKeys"),
        (.configuration, "!u?", "configurationInvalid configurationExpired"),
        (.enrollment, "a", "enrollmentRequired enrollmentOutdated administratorRequired"),
        (.enrollment, "!a?", "enrollmentRevoked enrollmentSignatureInvalid"),
        (.enrollment, "w?", "enrollmentStoreFailed enrollmentUnanswered"),
        (
            .authorizer, "!c$l",
            "issuerDeclined insufficientFunds suspectedFraud cardExpired cardLostOrStolen cardNotPermitted "
                + "issuerLimitExceeded"
        ),
        (.authorizer, "wc$l", "issuerUnavailable"),
        (
            .authorizer, "w$l",
            "hostUnreachable offlineLimitReached offlineTooLong"
        ),
        (.authorizer, "?$l", "hostRejected issuerDataTooLong"),
        (.authorizer, "n$l", "authorizationTimedOut authorizationAnswerLost authorizationInterrupted"),
        (.authorizer, "h?", "reversalFailed"),
        (.authorizer, "?", "nothingToComplete authorizationNotPossible simulatedRead"),
        (.authorizer, "!?$l", "own"),
        (.journal, "!?$l", "journalFailed journalFull journalDamaged"), (.journal, "w?", "journalInUse"),
        (.journal, "!h?", "journalRestored"),
    ]

    private static let forTheMerchant: Set<Problem.Code> = [
        .issuerAnswerRefused, .insufficientFunds, .suspectedFraud, .cardLostOrStolen, .cardNotPermitted,
        .issuerLimitExceeded, .cardExpired,
    ]

    @Test func everyCodeHasItsFieldAndItsActions() throws {
        var seen: [Problem.Code] = []
        for (field, letters, codes) in Self.rows {
            for name in codes.split(separator: " ") {
                let problem = Problem(try #require(Problem.Code(rawValue: String(name)), "\(name)"))
                seen.append(problem.code)
                #expect(problem.field == field, "\(name)")
                #expect(problem.alternatives == letters.compactMap { Self.actions[$0] }, "\(name)")
                #expect((problem.severity == .fatal) == letters.hasPrefix("!"), "\(name)")
                let audience: Problem.Audience = Self.forTheMerchant.contains(problem.code) ? .merchant : .everyone
                #expect(problem.audience == audience, "\(name)")
            }
        }
        #expect(seen.count == Problem.Code.allCases.count && Set(seen) == Set(Problem.Code.allCases))
    }
}
