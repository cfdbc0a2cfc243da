// SPDX-License-Identifier: Apache-2.0
import EMVSimulator
import Testing
@testable import EMVKernel
@testable import EMVKit
@testable import EMVPOS

/// The statements of a receipt agree with the payment.
@Suite struct ReceiptFactsTests {
    private func row(_ key: String, _ receipt: Receipt, _ copy: Receipt.Copy = .customer) -> String? {
        let label = TextCatalogue().text(TextKey(key))?.description ?? key
        for element in receipt.elements(copy: copy) {
            switch element {
            case .row(label, let value), .total(label, let value): return value
            default: continue
            }
        }
        return nil
    }

    private func says(_ key: String, _ receipt: Receipt) -> Bool {
        receipt.elements().contains(.centered(TextCatalogue().text(TextKey(key))?.description ?? key))
    }

    private func charge(
        _ tap: SimulatedTap, _ answer: SimulatedAuthorizer.Answer = .approve, pinPad: SimulatedPINPad? = nil,
        _ change: (inout PaymentRequest) -> Void = { _ in }
    ) async throws -> Receipt {
        var request = PaymentRequest(amount: eur(1250))
        change(&request)
        let result = await tapReader(SimulatedReader(tap)).charge(
            request, with: SimulatedAuthorizer(answer), pinPad: pinPad)
        return try #require(Receipt(result, merchant: Merchant("Market hall")), "\(result)")
    }

    // MARK: P6

    @Test("P6: a PIN that the issuer asked for, entered and approved, is the verification")
    func theIssuersPINIsPrinted() async throws {
        for tap in [SimulatedTap.online, .onlinePIN] {
            for times in [1, 2] {
                let receipt = try await charge(tap, .requestPIN(times: times), pinPad: SimulatedPINPad())
                #expect(receipt.result == .approved && receipt.verification == .onlinePIN, "\(tap)")
                #expect(row("receipt.verified", receipt) == "PIN")
            }
        }
        let receipt = try await charge(.onlinePIN, pinPad: SimulatedPINPad())
        #expect(receipt.verification == .onlinePIN && row("receipt.verified", receipt) == "PIN")
    }

    @Test("P6: a PIN that the app brings is the verification")
    func aBroughtPINIsPrinted() async throws {
        let reader = tapReader(SimulatedReader(.online)), host = SimulatedAuthorizer(.requestPIN(times: 1))
        let result = await reader.charge(PaymentRequest(amount: eur(1250)), with: host)
        guard case .pinRequested(let challenge, let read) = result.ending else { Issue.record("\(result)"); return }
        let block = try #require(SimulatedPINPad.block())
        let authorized = await reader.authorize(read, answering: challenge, with: block)
        let receipt = try #require(Receipt(read, authorized, merchant: Merchant("Market hall")))
        #expect(receipt.result == .approved && receipt.verification == .onlinePIN)
    }

    @Test("P6: a PIN that was never entered, or declined, leaves no line")
    func noPINLeavesNoLine() async throws {
        for tap in [SimulatedTap.online, .onlinePIN] {
            for entry in [SimulatedPINPad.Entry.bypassed, .cancelled, .timedOut, .broken] {
                let receipt = try await charge(tap, .requestPIN(times: 1), pinPad: SimulatedPINPad([entry]))
                #expect(receipt.result == .notCompleted && receipt.verification == nil, "\(tap) \(entry)")
                #expect(row("receipt.verified", receipt) == nil)
            }
            for answer in [SimulatedAuthorizer.Answer.decline("55"), .inTurn([.requestPIN(times: 1), .decline("55")])] {
                let receipt = try await charge(tap, answer, pinPad: SimulatedPINPad())
                #expect(receipt.result == .declined && receipt.verification == nil)
            }
            let lost = try await charge(tap, .loseAnswer, pinPad: SimulatedPINPad())
            #expect(lost.result == .notCompleted && lost.verification == nil)
        }
        let padless = await tapReader(SimulatedReader(.onlinePIN)).charge(
            PaymentRequest(amount: eur(1250)), with: SimulatedAuthorizer())
        #expect(Receipt(padless, merchant: Merchant("Market hall"))?.verification == nil, "no PIN pad")
        for copy in Receipt.Copy.allCases {
            #expect(try await row("receipt.verified", charge(.online), copy) == nil, "nothing was asked for")
        }
    }

    @Test("P6: a signature is of a payment that was taken; a device has verified its user before the tap")
    func othersAreWhatHappened() {
        for result in Receipt.Result.allCases {
            let signed = ReceiptTests.full(result, cvm: .signature).verification
            #expect((signed == .signature) == ![.declined, .notCompleted, .unknown].contains(result), "\(result)")
            #expect((ReceiptTests.full(result, cvm: .cdcvm).verification == .cdcvm) == (result != .declined))
            for cvm in [Outcome.CVM.none, .onlinePIN, .notApplicable] {
                #expect(ReceiptTests.full(result, cvm: cvm).verification == nil, "\(result) \(cvm)")
            }
        }
        // A cardholder who has entered a PIN need not sign.
        let signing = ReceiptTests.read(cvm: .signature)
        var approval = Approval()
        #expect(Presentation.Ending(.approved(approval), signing) == .approvedWithSignature)
        approval.isPINVerified = true
        #expect(Presentation.Ending(.approved(approval), signing) == .approved)
    }

    // MARK: P4, P13

    @Test("P4: the lines of a partial approval add up")
    func aPartialApprovalAddsUp() async throws {
        let bill = try Bill(
            [LineItem("Dinner", minorUnits: 3500), LineItem("Tip", minorUnits: 500, kind: .tip)], currency: .eur)
        let approval = Approval(code: "123456", responseCode: "10", approvedAmount: eur(2000), balance: eur(0))
        let receipt = try await charge(.online, .decision(.approved(approval))) {
            $0 = PaymentRequest(bill)
            $0.acceptsPartialApproval = true
        }
        #expect(receipt.result == .approved && receipt.total == eur(4000) && receipt.approvedAmount == eur(2000))
        #expect(receipt.amountDue == eur(2000))
        #expect(row("amount.total", receipt) == eur(4000).text(in: .english))
        #expect(row("amount.approved", receipt) == eur(2000).text(in: .english))
        #expect(row("amount.due", receipt) == eur(2000).text(in: .english))
        #expect(row("amount.balance", receipt) == eur(0).text(in: .english))
        #expect(row("amount.balance", receipt, .merchant) == nil, "what is left on the card is the customer's")
        let whole = try await charge(.online, .decision(.approved(Approval(approvedAmount: eur(1250)))))
        #expect(whole.approvedAmount == nil && whole.amountDue == nil && row("amount.due", whole) == nil)
        #expect(row("amount.balance", whole) == nil)
    }

    @Test("P13: a balance that the card shows is on the customer's copy")
    func theCardsBalanceIsPrinted() async throws {
        let profile = try #require(CardProfile.named("balance"))
        let result = await tapReader(SimulatedReader(profile)).charge(
            PaymentRequest(amount: eur(1250)), with: SimulatedAuthorizer())
        let value = try #require(result.read?.outcome.uiOnOutcome?.value)
        let receipt = try #require(Receipt(result, merchant: Merchant("Market hall")))
        #expect(value.qualifier == .balance && receipt.balance == eur(value.amount))
        #expect(row("amount.balance", receipt) == eur(value.amount).text(in: .english))
        #expect(row("amount.balance", receipt, .merchant) == nil)
    }

    @Test("P13: a decline says that nothing was charged, and a refused refund that nothing was refunded")
    func aDeclineSaysWhatItMeans() async throws {
        for (tap, answer) in [
            (SimulatedTap.online, SimulatedAuthorizer.Answer.decline("51")), (.decline, .approve),
            (.online, .loseAnswer), (.online, .unreachable),
        ] {
            // A Kernel 3 card does not decline a refund.
            for kind in [PaymentRequest.Kind.purchase, .refund] where tap != .decline || kind == .purchase {
                let receipt = try await charge(tap, answer) { $0.kind = kind }
                #expect([.declined, .notCompleted].contains(receipt.result))
                #expect(says("receipt.nothingCharged", receipt) == (kind == .purchase), "\(tap) \(answer)")
                #expect(says("receipt.nothingRefunded", receipt) == (kind == .refund), "\(tap) \(answer)")
            }
        }
        for result in Receipt.Result.allCases {
            let isCertain = [.declined, .declinedLater, .notCompleted].contains(result)
            #expect(says("receipt.nothingCharged", ReceiptTests.full(result)) == isCertain, "\(result)")
        }
    }

    @Test("Point 4: an estimate that is approved is not charged yet")
    func anEstimateIsNotChargedYet() async throws {
        for terms in [PaymentRequest.Terms.final, .estimated, .membership(.monthly)] {
            let receipt = try await charge(.online) { $0.terms = terms }
            #expect(says("receipt.notYetCharged", receipt) == (terms == .estimated))
        }
        let declined = try await charge(.online, .decline("51")) { $0.terms = .estimated }
        #expect(!says("receipt.notYetCharged", declined) && says("receipt.nothingCharged", declined))
    }
}
