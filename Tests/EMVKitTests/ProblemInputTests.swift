// SPDX-License-Identifier: Apache-2.0
import EMVKit
import TestData
import Testing

/// Row I13: a problem of a request names the one wrong input; correcting that input alone makes the request valid.
@Suite struct ProblemInputTests {
    private typealias Change = (inout PaymentRequest) -> Void
    private static let dollars = Money(minorUnits: 1, currency: .usd)
    private static let odd = Currency(code: "XXX", numeric: 0, exponent: 2)

    private func right() throws -> PaymentRequest {
        try with(PaymentRequest(amount: eur(1250), kind: .cashBack(eur(100)), due: eur(2000))) {
            $0.preferredApplications = [Self.aid, Self.aid]
            $0.bill = try Bill([LineItem("Order", minorUnits: 1250)], currency: .eur)
            $0.amountChange = AmountChange(upTo: eur(1500)) { _ in nil }
        }
    }

    private static let aid: Bytes = [0xA0, 0, 0, 0, 3, 0x10, 0x10]

    @Test func theWrongInputIsNamed() throws {
        let right = try right()
        #expect(right.validate().isEmpty)
        let other = try Bill([LineItem("Order", minorUnits: 1)], currency: .eur)
        let cases: [(Problem.Input, Change, Change)] = [
            (.cashBack, { $0.kind = .cashBack(eur(0)) }, { $0.kind = right.kind }),
            (.cashBack, { $0.kind = .cashBack(eur(1251)) }, { $0.kind = right.kind }),
            (.cashBack, { $0.kind = .cashBack(Self.dollars) }, { $0.kind = right.kind }),
            (.due, { $0.due = Self.dollars }, { $0.due = right.due }),
            (.ceiling, { $0.amountChange?.ceiling = Self.dollars }, { $0.amountChange = right.amountChange }),
            (.ceiling, { $0.amountChange?.ceiling = eur(2001) }, { $0.amountChange = right.amountChange }),
            (.lines, { $0.bill = other }, { $0.bill = right.bill }),
            (
                .installment, { $0.terms = .installment(.monthly, amount: Self.dollars, payments: 3) },
                { $0.terms = .final }
            ),
            (
                .preferredApplication(1), { $0.preferredApplications[1] = [1] },
                { $0.preferredApplications[1] = Self.aid }
            ),
        ]
        for (input, spoil, correct) in cases {
            var request = right
            spoil(&request)
            let problems = request.validate()
            #expect(!problems.isEmpty && problems.allSatisfy { $0.input == input }, "\(input): \(problems)")
            correct(&request)
            #expect(request == right && request.validate().isEmpty)
        }
    }

    /// A request's amount cannot be changed: a form makes a new request.
    @Test func theAmountIsNamed() {
        for (amount, input) in [
            (eur(0), .amount), (eur(1_000_000_000_000), .amount),
            (Money(minorUnits: 1, currency: Self.odd), .currency),
        ] as [(Money, Problem.Input)] {
            #expect(PaymentRequest(amount: amount).validate().map(\.input) == [input])
        }
        #expect(PaymentRequest(amount: eur(2), due: eur(1)).validate().map(\.input) == [.amount])
        let later = VerificationRequest(reason: .storeCard, currency: .eur, later: DueLater(eur(0)))
        #expect(later.validate().map(\.input) == [.later])
    }

    @Test func whatIsNotOfTheRequestNamesNoInput() {
        for code in [Problem.Code.cardDeclined, .readerBusy, .hostUnreachable, .pinRequired] {
            #expect(Problem(code).input == nil)
        }
        #expect(Problem(.keyUsed).input == .key && Problem(.saleSettled).input == .sale)
    }

    @Test func theWrongLineIsNamed() {
        let lines = [LineItem("Coffee", minorUnits: 300), LineItem(" ", minorUnits: 100)]
        let discount = [LineItem("Coffee", minorUnits: 300), LineItem("Discount", minorUnits: 100, kind: .discount)]
        for (lines, line) in [(lines, 1), (discount, 1), ([LineItem("Refund", minorUnits: -5)], nil)]
            as [([LineItem], Int?)]
        {
            do {
                _ = try Bill(lines, currency: .eur)
                Issue.record("a bill")
            } catch {
                #expect(error.line == line)
            }
        }
    }
}
