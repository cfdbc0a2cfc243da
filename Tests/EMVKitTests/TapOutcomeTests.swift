// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestData
import Testing
@testable import EMVKernel
@testable import EMVKit
@testable import EMVPOS

@Suite struct TapOutcomeTests {
    /// The customer's other options if a card requires another interface, in the order in which they are offered.
    @Test(arguments: [
        (Outcome.Interface.contactChip, Alternative.OtherInterface.chip), (.magstripe, .swipe),
        (.notApplicable, .chipOrSwipe),
    ])
    func anotherInterfaceHasAlternatives(_ interface: Outcome.Interface, _ other: Alternative.OtherInterface) {
        let problems = TapOutcome.tryAnotherInterface(interface).problems
        #expect(problems.map(\.code) == [.otherInterfaceWanted])
        #expect(
            problems.first?.severity == .recoverable([.otherInterface(other), .anotherCard, .cash, .paymentLink]))
    }

    @Test func whoNamesNoInterfaceMeansEither() {
        #expect(Problem(nil as Outcome.Interface?) == Problem(Outcome.Interface.notApplicable))
        #expect(Problem(Outcome.Interface.contactChip) != Problem(Outcome.Interface.notApplicable))
    }

    @Test func anOutcomeOfItsStatusAloneAsksForNothing() {
        let outcome = Outcome(status: .endApplication)
        #expect(outcome.start == .notApplicable && outcome.onlineResponse == .notApplicable)
        #expect(outcome.cvm == .notApplicable && outcome.alternateInterface == .notApplicable && !outcome.receipt)
    }

    private static func outcome(
        _ status: Outcome.Status, _ reason: Outcome.Reason = .kernel, cvm: Outcome.CVM = .notApplicable
    ) -> Outcome {
        Outcome(status: status, cvm: cvm, reason: reason)
    }

    /// One row: outcome, PIN pad, expected name.
    static let rows: [(Outcome, Bool, TapName)] = {
        var rows: [(Outcome, Bool, TapName)] = []
        for cvm in Outcome.CVM.allCases {
            rows.append((outcome(.approved, cvm: cvm), true, .success))
            rows.append((outcome(.onlineRequest, cvm: cvm), true, cvm == .onlinePIN ? .onlinePINRequired : .success))
            rows.append(
                (outcome(.onlineRequest, cvm: cvm), false, cvm == .onlinePIN ? .onlinePINUnavailable : .success))
            rows.append((outcome(.requestOnlinePIN, cvm: cvm), true, .onlinePINRequired))
            rows.append((outcome(.requestOnlinePIN, cvm: cvm), false, .onlinePINUnavailable))
            rows.append((outcome(.declined, cvm: cvm), true, .declined))
        }
        for reason in Outcome.Reason.allCases {
            let fixed: TapName? =
                switch reason {
                case .notAllowed, .kernelLimit: .limitExceeded
                case .noCommonApplication: .unsupportedNetwork
                case .stopped, .abandoned: .cancelled
                case .noCombination, .random, .internal: .failed
                default: nil
                }
            rows.append((outcome(.tryAnotherInterface, reason), true, fixed ?? .tryAnotherInterface))
            rows.append((outcome(.endApplication, reason), true, fixed ?? .unreadable))
            rows.append((outcome(.selectNext, reason), true, fixed ?? .unreadable))
            rows.append((outcome(.tryAgain, reason), true, fixed ?? .unreadable))
            rows.append((outcome(.none, reason), true, fixed ?? .failed))
            rows.append((outcome(.declined, reason), true, .declined))
            rows.append((outcome(.approved, reason), true, .success))
        }
        return rows
    }()

    @Test(arguments: TapOutcomeTests.rows.indices)
    func tapFollowsFromOutcome(_ row: Int) {
        let (outcome, hasPINPad, name) = TapOutcomeTests.rows[row]
        #expect(TapOutcome(outcome: outcome, hasPINPad: hasPINPad).name == name, "\(outcome.status) \(outcome.reason)")
        #expect(TapName(outcome: outcome, hasPINPad: hasPINPad) == name)
    }

    /// The outcome names the particular failure.
    @Test func whatFailedIsNamed() {
        #expect(TapOutcome(outcome: Self.outcome(.endApplication, .random)) == .failed(.noRandom))
        #expect(TapOutcome(outcome: Self.outcome(.endApplication, .internal)) == .failed(.internal))
        #expect(TapOutcome(outcome: Self.outcome(.none, .cardData)) == .failed(.internal))
        let rows: [(TapFailure, Problem.Code)] = [
            (.noRandom, .randomMissing), (.internal, .kernelDefect), (.reader(ReaderFault(.inUse, "x")), .readerInUse),
            (.journal(.full), .journalFull),
        ]
        for (failure, code) in rows { #expect(TapOutcome.failed(failure).problems.map(\.code) == [code]) }
    }

    /// The request's moment and counter have precedence over the reader's.
    @Test func aRecordIsOfItsRequest() {
        let other = LocalTime(date: CalendarDate("2026-01-02")!, time: .midnight)
        let key = ReconciliationKey()
        let asked = with(PaymentRequest(amount: eur(100), key: key, moment: other)) { $0.counter = 9 }
        let tap = TapRecord(.payment(asked), counter: 4, moment: { noon })
        #expect(tap.moment == other && tap.counter == 9 && tap.key == key)
        let open = TapRecord(.payment(PaymentRequest(amount: eur(100))), counter: 4, moment: { noon })
        #expect(open.moment == noon && open.counter == 4 && open.key != key)
        let countries = SupportedCountries([Country(code: "DE")!])
        let paid = with(PaymentRequest(amount: eur(100))) { $0.supportedIssuerCountries = countries }
        #expect(TapRecord(.payment(paid), counter: 1, moment: { noon }).supportedIssuerCountries == countries)
        var looked = VerificationRequest(reason: .lookUp, currency: .eur)
        looked.supportedIssuerCountries = countries
        #expect(TapRecord(.verification(looked), counter: 1, moment: { noon }).supportedIssuerCountries == countries)
    }

    @Test func aTapThatWaitsSaysSeePhoneOrPresentAgain() {
        var outcome = Outcome(status: .tryAgain, start: .b)
        #expect(TapName(outcome: outcome, waiting: true) == .presentAgain)
        outcome.uiOnRestart = UIRequest(message: .presentAgain, status: .processingError)
        #expect(TapName(outcome: outcome, waiting: true) == .presentAgain)
        outcome.uiOnRestart = UIRequest(message: .seePhone, status: .processingError)
        #expect(TapName(outcome: outcome, waiting: true) == .seePhone)
        outcome.status = .endApplication
        #expect(TapName(outcome: outcome, waiting: true) == .seePhone)
    }

    @Test func theLimitIsNamed() {
        let outcome = Outcome(status: .tryAnotherInterface, reason: .notAllowed)
        #expect(
            TapOutcome(outcome: outcome, limit: .transactionLimit(Money(minorUnits: 5000, currency: .eur)))
                == .limitExceeded(.transactionLimit(Money(minorUnits: 5000, currency: .eur))))
    }

    @Test func namesAreThoseOfTheFormat() {
        #expect(
            TapName.allCases.map(\.rawValue) == [
                "success", "declined", "unreadable", "unsupportedNetwork", "limitExceeded", "onlinePINRequired",
                "onlinePINUnavailable", "tryAnotherInterface", "seePhone", "presentAgain", "cancelled", "failed",
                "verified",
            ])
    }

    @Test func findingsReadTheirOwnNames() {
        let all = Findings(rawValue: (1 << 18) - 1)
        #expect(all.names.count == 18)
        for name in all.names { #expect(Findings(name: name)?.names == [name]) }
    }
}

@Suite struct RedactionTests {
    private static let pan = "4761739001010119"

    private var read: CardRead {
        let record = DataObjects(
            dictionaryLiteral: (0x57, Hex.bytes("4761739001010119D30122011438825820000F")!),
            (0x5A, Hex.bytes(RedactionTests.pan)!), (0x9F26, [1, 2, 3, 4, 5, 6, 7, 8]))
        let data = CardData(record.encoded)
        return CardRead(
            authorization: .onlineRequired,
            outcome: with(Outcome(status: .onlineRequest, dataRecord: data)) { $0.discretionary = data })
    }

    /// Every way in which a value may accidentally become text.
    private func texts(_ value: some Sendable & Hashable) -> [String] {
        var dumped = ""
        dump(value, to: &dumped)
        return [
            "\(value)", String(describing: value), String(reflecting: value), dumped,
            Mirror(reflecting: value).children.map { "\($0.label ?? "") \($0.value)" }.joined(),
        ]
    }

    private func holdsNoAccountNumber(_ text: String) -> Bool {
        let digits = text.filter(\.isNumber)
        let decimal = Hex.bytes(RedactionTests.pan)!.map { "\($0)" }.joined(separator: ", ")
        return !text.contains(RedactionTests.pan) && !text.contains(decimal)
            && !digits.contains(RedactionTests.pan.dropFirst(6).dropLast(4))
    }

    @Test func noTextHoldsTheAccountNumber() {
        let outcome = TapOutcome.success(read)
        let values: [[String]] = [
            texts(read), texts(outcome), texts(read.outcome), texts(read.dataRecord), texts(Step.done(read.outcome)),
            texts(Reply.response(read.dataRecord.bytes)), texts(Exchange.response(read.dataRecord.bytes, elapsed: nil)),
            texts(Reply.online([0x57: read.dataRecord.bytes])),
            texts(ExceptionEntry(pan: Hex.bytes(RedactionTests.pan)!)),
        ]
        for text in values.joined() { #expect(holdsNoAccountNumber(text), "\(text.prefix(80))") }
    }

    @Test func encodersSeeTheMaskedNumberOnly() throws {
        let text = String(decoding: try JSONEncoder().encode(read), as: UTF8.self)
        #expect(holdsNoAccountNumber(text))
        #expect(text.contains("476173******0119"))
        let data = String(decoding: try JSONEncoder().encode(read.dataRecord), as: UTF8.self)
        #expect(holdsNoAccountNumber(data))
        #expect(data.contains("\"5A\":8"))
    }

    @Test func whoeverAsksGetsTheData() {
        #expect(read.dataRecord[0x5A] == Hex.bytes(RedactionTests.pan))
        #expect(read.maskedPAN?.lastFour == "0119")
        #expect(CardData([0x5A, 0x05, 0x12, 0x34, 0x56, 0x78, 0x9F]).maskedPAN?.description == "*****6789")
        #expect(CardData([0x5A, 0x02, 0x12, 0x3F]).maskedPAN == nil)
    }
}

@Suite struct MoneyTests {
    @Test func currenciesAreFoundByCodeAndNumber() {
        for currency in Currency.all {
            #expect(Currency(code: currency.code.lowercased()) == currency)
            #expect(Currency(numeric: currency.numeric) == currency)
            #expect(currency.exponent <= 4)
        }
        #expect(Currency.all.count > 150)
        for currency in [Currency.eur, .usd, .gbp, .jpy] { #expect(Currency(code: currency.code) == currency) }
        #expect(Currency(code: "BHD")?.exponent == 3)
        #expect(Currency(code: "ISK")?.exponent == 0)
        #expect(Currency(code: "XXX") == nil)
    }

    @Test func moneyReadsItsOwnText() {
        #expect(Money("12.50", currency: .eur) == Money(minorUnits: 1250, currency: .eur))
        #expect(Money("12", currency: .eur)?.minorUnits == 1200)
        #expect(Money("12.5", currency: .eur)?.minorUnits == 1250)
        #expect(Money("0.05", currency: .eur)?.description == "0.05 EUR")
        #expect(Money("500", currency: .jpy)?.description == "500 JPY")
        #expect(Money(minorUnits: 0, currency: .eur).description == "0.00 EUR")
        for text in ["", ".", "1.", ".5", "-1", "1.234", "1,5", "1 ", "+1", "10000000000", "9999999999999"] {
            #expect(Money(text, currency: .eur) == nil, "\(text)")
        }
        #expect(Money("1.5", currency: .jpy) == nil)
    }
}
