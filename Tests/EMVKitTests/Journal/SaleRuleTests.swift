// SPDX-License-Identifier: Apache-2.0
import EMVSimulator
import TestData
import Testing
@testable import EMVKernel
@testable import EMVKit
@testable import EMVPOS

/// Errors in the account of a sale that random shop days found.
@Suite(.everyJournal, .timeLimit(.minutes(10))) struct SaleRuleTests {
    private static let sale = SaleReference.order(1)

    /// An approved payment, or a follow-up that the host has accepted.
    private func take(
        _ amount: UInt64, into journal: TestJournal, isEstimated: Bool = false, _ action: FollowUp.Action? = nil,
        of original: ReconciliationKey? = nil
    ) async throws -> ReconciliationKey {
        let followUp = try action.map { FollowUp($0, of: try #require(original)) }
        let key = followUp?.key ?? ReconciliationKey()
        let intent = with(
            TapIntent(
                sale: SaleRuleTests.sale, kind: .purchase, amount: eur(amount), counter: 1, moment: noon,
                followUp: followUp)
        ) { $0.isEstimated = isEstimated }
        if let followUp {
            try await journal.append([.began(intent), .queued(followUp.kind)], to: key)
            try await journal.append([.forwarding(attempt: 1), .forwarded(.approved(Approval()))], to: key)
        } else {
            try await journal.append([.began(intent)], to: key)
            try await journal.append([.read(Sample.stored), .asking(attempt: 1, deadline: .zero)], to: key)
            try await journal.append([.answered(.approved(Approval()))], to: key)
        }
        return key
    }

    private func standing(_ journal: TestJournal) async -> SaleStanding {
        SaleAccount.standing(of: await journal.taps(of: SaleRuleTests.sale))
    }

    @Test("P3: a voided payment leaves its order open, and says nothing of the price once another one does")
    func aVoidLeavesTheOrderOpen() async throws {
        let journal = TestJournal()
        let payment = try await take(2_000, into: journal)
        #expect(await standing(journal) == .paid)
        _ = try await take(2_000, into: journal, .void, of: payment)
        #expect(await standing(journal) == .open(eur(2_000)))
        let retry = PaymentRequest(amount: eur(1_500), sale: SaleRuleTests.sale)
        let taps = await journal.taps(of: SaleRuleTests.sale)
        #expect(SaleAccount.standing(of: taps, retry) == .open(eur(1_500)))
        _ = try await take(1_500, into: journal)
        #expect(await standing(journal) == .paid)
    }

    @Test("L40: a payment that a person gave up leaves its order in doubt, not open, until another one pays it")
    func aPaymentGivenUpLeavesDoubt() async throws {
        let journal = TestJournal()
        let intent = TapIntent(
            sale: SaleRuleTests.sale, kind: .purchase, amount: eur(2_000), counter: 0, moment: noon)
        let key = ReconciliationKey()
        try await journal.append([.began(intent)], to: key)
        try await journal.append([.read(Sample.stored), .asking(attempt: 1, deadline: .zero)], to: key)
        try await journal.append([.reversing(.timedOut), .writtenOff(by: "person", reason: "lost")], to: key)
        #expect(await standing(journal) == .unknown)
        try await journal.append([.closed], to: key)
        #expect(await standing(journal) == .unknown)
        _ = try await take(2_000, into: journal)
        #expect(await standing(journal) == .paid)
    }

    @Test("P2: no card is given back what rests on a capture that the host may still refuse")
    func aCardRefundWaitsForTheCapture() async throws {
        let journal = TestJournal()
        let estimate = try await take(2_000, into: journal, isEstimated: true)
        let capture = FollowUp(.capture(eur(1_500), tip: nil), of: estimate)
        let intent = TapIntent(
            sale: SaleRuleTests.sale, kind: .purchase, amount: eur(1_500), counter: 0, moment: noon,
            followUp: capture)
        try await journal.append([.began(intent), .queued(.capture)], to: capture.key)
        let refund = TapIntent(
            sale: SaleRuleTests.sale, kind: .refund, amount: eur(500), counter: 2, moment: noon)
        await #expect(throws: JournalError.beyondPaid(left: eur(0))) {
            try await journal.append([.began(refund)], to: ReconciliationKey())
        }
        try await journal.append([.forwarding(attempt: 1), .forwarded(.approved(Approval()))], to: capture.key)
        try await journal.append([.began(refund)], to: ReconciliationKey())
    }

    @Test("P2: what was refunded with the card is not taken back by a withdrawal, too")
    func aRefundKeepsItsPayment() async throws {
        let journal = TestJournal(), host = SimulatedHost()
        await host.meet([.unreachable])
        let shop = try await Shop(journal, .online, offline: OfflinePolicy(limits: .ofTests))
        let payment = try await shop.pay(2_000, with: host) { $0.sale = SaleRuleTests.sale }
        #expect(payment.result.name == .accepted)
        let settlement = Settlement(journal, with: host, policy: SettlementPolicy(jitter: 0), timer: StillClock())
        _ = await settlement.forwardNow()
        let refund = try await shop.pay(500, with: host) {
            $0.sale = SaleRuleTests.sale
            $0.kind = .refund
        }
        #expect(refund.result.name == .approved)
        await #expect(throws: JournalError.followUpRefused(.abovePaid, of: payment.key)) {
            try await settlement.withdraw(payment.key)
        }
        #expect(await host.booked[payment.key] == eur(2_000))
    }

    @Test("P1: an order that is about to be given back is not called paid")
    func whatIsBeingGivenBackIsNotPaid() async throws {
        for action in [FollowUp.Action.refund(eur(500)), .void] {
            let journal = TestJournal(), payment = try await take(2_000, into: journal)
            let back = FollowUp(action, of: payment), sum = action == .void ? 2_000 : 500 as UInt64
            let intent = TapIntent(
                sale: SaleRuleTests.sale, kind: action == .void ? .purchase : .refund, amount: eur(sum), counter: 0,
                moment: noon, followUp: back)
            try await journal.append([.began(intent), .queued(back.kind)], to: back.key)
            let again = TapIntent(
                sale: SaleRuleTests.sale, kind: .purchase, amount: eur(2_000), counter: 2, moment: noon)
            #expect(await standing(journal) == .unknown)
            await #expect(throws: JournalError.saleOpen(back.key)) {
                try await journal.append([.began(again)], to: ReconciliationKey())
            }
        }
    }

    @Test("P3: what an estimate released, and another payment has paid since, is not captured any more")
    func releasedIsNotCaptured() async throws {
        let journal = TestJournal()
        let estimate = try await take(4_000, into: journal, isEstimated: true)
        _ = try await take(2_500, into: journal, .capture(eur(2_500), tip: nil), of: estimate)
        _ = try await take(1_000, into: journal)
        await #expect(throws: JournalError.beyondSale(left: eur(500))) {
            try await take(1_500, into: journal, .capture(eur(1_500), tip: nil), of: estimate)
        }
        _ = try await take(500, into: journal, .capture(eur(500), tip: nil), of: estimate)
        #expect(await standing(journal) == .paid)
    }
}
