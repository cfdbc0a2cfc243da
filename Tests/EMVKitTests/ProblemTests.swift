// SPDX-License-Identifier: Apache-2.0
@testable import EMVKit
import Testing

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
