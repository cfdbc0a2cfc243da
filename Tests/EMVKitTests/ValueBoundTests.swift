// SPDX-License-Identifier: Apache-2.0
import Testing
@testable import EMVKernel
@testable import EMVKit
@testable import EMVPOS

/// Each bound of a value: one below, at it, one above.
@Suite struct ValueBoundTests {
    @Test func aCurrencyHasThreeDigitsAndUpToFourDecimals() {
        func isTaken(_ numeric: UInt16, _ exponent: UInt8) -> Bool {
            Problem.ofCurrency(Currency(code: "XXX", numeric: numeric, exponent: exponent)).isEmpty
        }
        #expect(!isTaken(0, 2) && isTaken(1, 2) && isTaken(999, 2) && !isTaken(1000, 2))
        #expect(isTaken(978, 0) && isTaken(978, 4) && !isTaken(978, 5))
    }

    /// The defaults that TapReader.Options documents.
    @Test func aReaderHasDeadlinesByDefault() {
        let options = TapReader.Options()
        #expect(options.openDeadline == .seconds(20) && options.enrollmentDeadline == .seconds(10))
        #expect(options.authorizationDeadline == .seconds(30) && options.pinDeadline == .seconds(55))
        #expect(options.maximumPINRequests == 3 && options.reversalAttempts == 2)
        #expect(options.offline == nil && !options.takesCardApprovals && !options.hasPINPad && !options.keepsApprovals)
        #expect(options.issuerUpdateTimeout == .seconds(10))
    }

    /// 1 to 64 characters of printable ASCII without the space.
    @Test func aKeyHasOneToSixtyFourPrintableCharacters() {
        func isKey(_ text: String) -> Bool { ReconciliationKey(rawValue: text)?.rawValue == text }
        #expect(!isKey("") && isKey("a"))
        #expect(isKey(String(repeating: "a", count: 64)) && !isKey(String(repeating: "a", count: 65)))
        for byte in UInt8(0)...127 {
            #expect(isKey(String(UnicodeScalar(byte))) == ((0x21...0x7E) ~= byte), "\(byte)")
        }
        #expect(!isKey("é"))
    }

    /// Big-endian, the first number first: 128 bits in 32 hex digits.
    @Test func aNewKeyIsOneHundredTwentyEightBitsInHex() {
        let key = ReconciliationKey(random: (0x0123_4567_89AB_CDEF, 0xFEDC_BA98_7654_3210))
        #expect(key.rawValue == "0123456789ABCDEFFEDCBA9876543210" && key.description == key.rawValue)
        let made = (0..<8).map { _ in ReconciliationKey() }
        #expect(Set(made).count == 8)
        #expect(made.allSatisfy { $0.rawValue.utf8.count == 32 && $0.rawValue.allSatisfy(\.isHexDigit) })
    }

    /// ISO 9564-1: formats 0, 1 and 3 are blocks of eight bytes, format 4 of sixteen.
    @Test(arguments: EncryptedPINBlock.Format.allCases)
    func aPINBlockHasTheLengthOfItsFormat(_ format: EncryptedPINBlock.Format) {
        for length in 0...20 {
            let block = EncryptedPINBlock(Bytes(repeating: 0x5A, count: length), format: format)
            #expect((block != nil) == (length == (format == .iso4 ? 16 : 8)), "\(length)")
            #expect(block.map { "\($0)" } ?? "PIN block (\(format.rawValue))" == "PIN block (\(format.rawValue))")
        }
    }

    /// 8 to 19 digits; from 14 digits the first six and last four are visible, below 14 only the last four.
    @Test func anAccountNumberShowsAtMostTheFirstSixAndTheLastFour() {
        for length in 1...20 {
            let digits = String("1234567890123456789012".prefix(length))
            let pan = Hex.bytes(length % 2 == 0 ? digits : digits + "F")!
            let track = Hex.bytes(length % 2 == 0 ? digits + "D2512" + "F" : digits + "D2512")!
            let hidden = length >= 14 ? length - 10 : length - 4
            let masked =
                (8...19) ~= length
                ? (length >= 14 ? String(digits.prefix(6)) : "") + String(repeating: "*", count: hidden)
                    + digits.suffix(4) : nil
            #expect(MaskedPAN(pan: pan[...])?.description == masked, "\(length)")
            #expect(MaskedPAN(track2: track[...])?.description == masked, "\(length)")
            guard let masked else { continue }
            #expect(MaskedPAN(masked)?.description == masked && MaskedPAN(masked)?.lastFour == String(digits.suffix(4)))
            let four = String(repeating: "*", count: length - 4) + digits.suffix(4)
            #expect(MaskedPAN(masked)?.lastFourOnly.description == four)
            #expect(MaskedPAN(digits) == nil)
            // One more visible digit than allowed, at either end of the hidden part.
            #expect(MaskedPAN("1" + four.dropFirst()) == nil)
            if length >= 14 { #expect(MaskedPAN(digits.prefix(7) + masked.dropFirst(7)) == nil) }
            #expect(MaskedPAN(masked.dropLast(5) + digits.suffix(5)) == nil)
        }
        #expect(MaskedPAN(pan: [0x12, 0x34, 0x56, 0x78, 0x9A]) == nil)
        #expect(MaskedPAN("***1234") == nil && MaskedPAN(String(repeating: "*", count: 16) + "1234") == nil)
        #expect(MaskedPAN("47617x****0101") == nil && MaskedPAN("476173****010x") == nil)
    }

    /// Track 2 has precedence over the account number; a magnetic stripe's track 2 counts, too.
    @Test func aCardIsMaskedByItsTrackOrItsAccountNumber() {
        let track: Bytes = [0x57, 0x08, 0x47, 0x61, 0x73, 0x90, 0x01, 0x01, 0xD2, 0x51]
        let stripe: Bytes = [0x9F, 0x6B, 0x08, 0x51, 0x61, 0x73, 0x90, 0x01, 0x02, 0xD2, 0x51]
        let pan: Bytes = [0x5A, 0x06, 0x35, 0x61, 0x73, 0x90, 0x01, 0x03]
        #expect(CardData(track + stripe + pan).maskedPAN?.lastFour == "0101")
        #expect(CardData(stripe + pan).maskedPAN?.lastFour == "0102")
        #expect(CardData(pan).maskedPAN?.lastFour == "0103")
        #expect(CardData([0x57, 0x01, 0x47] + pan).maskedPAN?.lastFour == "0103")
        #expect(CardData([]).maskedPAN == nil)
        #expect(CardData(stripe + pan).description == "[9F6B: 8 bytes, 5A: 6 bytes]")
        #expect(CardData(stripe + pan).tags == [0x9F6B, 0x5A])
    }
}

@Suite struct DeclineTests {
    @Test func theResponseCodeIsForTheLog() {
        let decline = Decline(responseCode: "51", issuerData: [0x91: [1]])
        #expect(decline == Decline(reason: .insufficientFunds, responseCode: "51", issuerData: [0x91: [1]]))
        #expect(decline?.problem == Problem(.insufficientFunds, detail: "response code 51"))
    }

    /// Funds, limits, hosts and mistyped PINs change; a declined card stays declined.
    @Test func onlyWhatPassesMayBeTriedAgain() {
        let passing: Set<Decline.Reason> = [.insufficientFunds, .limitExceeded, .issuerUnavailable, .incorrectPIN]
        for reason in Decline.Reason.allCases {
            let decline = Decline(reason: reason)
            #expect(decline.mayRetry == passing.contains(reason), "\(reason)")
            #expect(decline.responseCode == nil && decline.problem.detail == nil)
            #expect(decline.customerDescription == decline.problem.description || decline.problem.audience != .everyone)
        }
        // A thief must not read the reason.
        for reason in [Decline.Reason.suspectedFraud, .cardLostOrStolen] {
            #expect(Decline(reason: reason).customerDescription == Problem(.issuerDeclined).description)
        }
    }

    /// Each reason and its problem share a name, except for names that problems of a request already use.
    @Test func everyReasonHasItsOwnProblem() {
        let others: [Decline.Reason: Problem.Code] = [
            .card: .cardDeclined, .issuer: .issuerDeclined, .limitExceeded: .issuerLimitExceeded,
            .expired: .issuerDeclined, .merchantNotPermitted: .hostRejected,
        ]
        for reason in Decline.Reason.allCases {
            #expect(reason.code == others[reason] ?? Problem.Code(rawValue: reason.rawValue), "\(reason)")
        }
    }

    @Test func anAuthorizationSaysWhetherAnythingIsTaken() {
        let key = ReconciliationKey()
        let results: [AuthorizationResult: (AuthorizationName, PaymentEffect, problems: [Problem.Code])] = [
            .approved(Approval()): (.approved, .booked, []),
            .declined(Decline(reason: .insufficientFunds)): (.declined, .nothingBooked, [.insufficientFunds]),
            .declined(Decline(reason: .card)): (.declined, .nothingSent, [.cardDeclined]),
            .accepted(Deferred(key: key, amount: eur(100), moment: noon)): (.accepted, .mayBeBooked, []),
            .pinRequested(PINChallenge(id: "1")): (.pinRequested, .mayBeBooked, [.pinRequired]),
            .failed([Problem(.cardDeclined), Problem(.pinTimedOut)]):
                (.failed, .nothingSent, [.cardDeclined, .pinTimedOut]),
            .failed([]): (.failed, .nothingSent, []),
            .reversed([Problem(.authorizationTimedOut)]): (.reversed, .nothingBooked, [.authorizationTimedOut]),
            .unknown(key): (.unknown, .mayBeBooked, [.reversalFailed]),
        ]
        for (result, (name, effect, problems)) in results {
            #expect(result.name == name && result.effect == effect && result.sale == .notTracked, "\(name)")
            #expect(result.problems.map(\.code) == problems)
            #expect(result.alternatives.isEmpty == [.approved, .accepted].contains(name))
        }
        #expect(AuthorizationResult.unknown(key).problems.first?.detail == key.rawValue)
        #expect(AuthorizationResult.failed([]).alternatives == [.retry, .anotherCard, .cash, .paymentLink])
        let twice = Alternative.inOrder([Problem(.cardDeclined), Problem(.cardDeclined)])
        #expect(twice == Problem(.cardDeclined).alternatives)
    }

    @Test func aReversalIsARepeatFromTheSecondOn() {
        for attempt in 1...3 {
            let reversal = Reversal(
                key: ReconciliationKey(), reason: .timedOut, amount: eur(100), moment: noon, attempt: attempt)
            #expect(reversal.isRepeat == (attempt > 1))
        }
        #expect(!Reversal(key: ReconciliationKey(), reason: .timedOut, amount: eur(1), moment: noon).isRepeat)
        #expect(Approval().responseCode == "00" && Approval().origin == .issuer && Approval().code.isEmpty)
        #expect(PINChallenge(id: "1").isRepeated == false)
    }

    @Test func aPINThatDoesNotComeHasItsProblem() throws {
        let block = try #require(EncryptedPINBlock(Bytes(repeating: 1, count: 8), format: .iso0))
        #expect(PINEntry.entered(block).problems == [])
        #expect(PINEntry.bypassed.problems == [Problem(.pinBypassed)])
        #expect(PINEntry.cancelled.problems == [Problem(.pinCancelled)])
        #expect(PINEntry.timedOut.problems == [Problem(.pinTimedOut)])
        let cause = Problem(.readerDetached)
        #expect(PINEntry.failed([cause]).problems == [Problem(.pinPadFailed, underlying: [cause])])
    }

    @Test func theFirstRequestIsAttemptOne() throws {
        let read = CardRead(authorization: .onlineRequired, outcome: Outcome(status: .onlineRequest))
        #expect(AuthorizationRequest(read) == nil)
        let paid = CardRead(
            authorization: .onlineRequired, outcome: Outcome(status: .onlineRequest),
            tap: TapRecord(
                key: ReconciliationKey(), purpose: .payment(PaymentRequest(amount: eur(1), kind: .refund)),
                moment: .now()))
        let refund = try #require(AuthorizationRequest(paid))
        #expect(refund.attempt == 1 && refund.kind == .refund && refund.amount == eur(1) && refund.key == paid.key)
        let request = PINRequest(reason: .card, amount: nil, timeout: .seconds(1), card: CardData([]))
        #expect(request.attempt == 1 && !request.accessibility)
    }
}

/// The description of a kernel's input never shows bytes from a card or an issuer.
@Suite struct ReplyDescriptionTests {
    @Test func aReplyNamesItsKindAndHowManyBytes() {
        let objects: DataObjects = [0x8A: [0x30, 0x35], 0x91: [0xFE, 0xED, 0xBE, 0xEF]]
        let rows: [(Reply, String)] = [
            (.response([0xFE, 0xED, 0xBE, 0xEF]), "response (4 bytes)"), (.card, "card"),
            (.fault(.removed), "fault removed"),
            (.collision, "collision"), (.collisionCleared, "collision cleared"), (.removed, "removed"),
            (.data([0xFE, 0xED]), "data (2 bytes)"), (.deadlinePassed, "deadline passed"), (.stop, "stop"),
            (.carryOn, "carry on"), (.online(objects), "online \(objects)"),
            (.online(nil), "unable to go online"), (.pin(captured: true, objects), "pin \(objects)"),
            (.pin(captured: false), "pin not captured"), (.abandon, "abandon"),
        ]
        for (reply, text) in rows {
            #expect(reply.description == text && reply.debugDescription == text)
            #expect(!text.uppercased().contains("FEED"))
            #expect(Mirror(reflecting: reply).children.isEmpty)
        }
    }
}
