// SPDX-License-Identifier: Apache-2.0
import EMVSimulator
import Testing
@testable import EMVKernel
@testable import EMVKit
@testable import EMVPOS

/// Results that the app acknowledges, and results that are reported again: the journal never assumes that the app knows
/// more than was reported to it.
@Suite(.everyJournal, .timeLimit(.minutes(30))) struct AcknowledgementTests {
    private static let merchant = Merchant("Shop")

    private func settlement(_ journal: any Journal, _ host: any DeliveringAuthorizer) -> Settlement {
        Settlement(journal, with: host, policy: SettlementPolicy(jitter: 0), timer: StillClock())
    }

    @Test("L7, L31: who acknowledges what was accepted is told of the decline that came meanwhile")
    func aLateDeclineIsTold() async throws {
        let journal = TestJournal(), host = SimulatedHost()
        let shop = try await Shop(journal, .online, offline: OfflinePolicy(limits: .ofTests))
        await host.meet([.unreachable])
        let payment = try await shop.pay(with: host), settlement = settlement(journal, host)
        #expect(payment.result.name == .accepted)
        let told = try #require(try await settlement.settled(payment.key))
        await host.answer([.decline("51")])
        _ = await settlement.forwardNow()
        try await settlement.acknowledge(payment.key, payment.result)
        try await settlement.acknowledge(told)
        #expect(await journal.tap(payment.key)?.isAcknowledged == false)
        #expect(await journal.standing().untold == 1)
        #expect(await !journal.standing().isSettled, "a loss that nobody was told of")
        let again = try await settlement.recover()
        #expect(again.map(\.key) == [payment.key] && again.map(\.ending.name) == [.declined])
        for settled in again { try await settlement.acknowledge(settled) }
        #expect(try await settlement.recover() == [])
        #expect(await journal.standing().untold == 0)
    }

    @Test("L7: the result of an authorisation is acknowledged as it stands, whatever it was")
    func resultsAreAcknowledged() async throws {
        for answer in [SimulatedHost.Answer.approve, .decline("51")] {
            let journal = TestJournal(), host = SimulatedHost()
            await host.answer([answer])
            let payment = try await Shop(journal, .online).pay(with: host), settlement = settlement(journal, host)
            try await settlement.acknowledge(payment.key, payment.result)
            #expect(await journal.tap(payment.key)?.state == .closed, "\(answer)")
        }
        let journal = TestJournal(), host = SimulatedHost()
        await host.meet([.loseAnswer])
        let payment = try await Shop(journal, .online).pay(with: host)
        #expect(payment.result.name == .reversed)
        try await settlement(journal, host).acknowledge(payment.key, payment.result)
        #expect(await journal.tap(payment.key)?.state == .closed)
        let card = try await Shop(journal, card: CardProfile.named("fdda")).pay(with: host)
        try await settlement(journal, host).acknowledge(card.key, card.result)
        #expect(await journal.tap(card.key)?.isAcknowledged == true)
    }

    @Test("L18, L23: a shop opens without its host, and the receipt of an unknown payment is kept for its end")
    func aShopOpensInAnOutage() async throws {
        let memory = TestJournal(), host = SimulatedHost()
        let shop = try await Shop(memory, .online)
        var receipts: [ReconciliationKey: Receipt] = [:]
        for _ in 0..<12 {
            await host.meet([.loseAnswer, .loseRequest, .loseRequest])
            let read = try #require(await shop.read().read), key = try #require(read.key)
            let result = await shop.session.authorize(read, with: host)
            #expect(result == .unknown(key))
            let receipt = try #require(Receipt(read, result, merchant: AcknowledgementTests.merchant))
            try await settlement(memory, host).acknowledge(key, result, receipt: receipt)
            receipts[key] = receipt
        }
        await host.meetAlways(.loseRequest)
        let later = try TestJournal(try await memory.entries()), counter = CountingHost(host)
        let settlement = settlement(later, counter), told = try await settlement.recover()
        #expect(told.count == 12 && told.allSatisfy { $0.ending == .unknown })
        for settled in told { try await settlement.acknowledge(settled) }
        for settled in told { try await settlement.acknowledge(settled.key) }
        #expect(await counter.calls == 3, "a host that is not there is not waited for payment by payment")
        #expect(await later.standing().unresolved.count == 12)
        await host.meetAlways(.none)
        _ = await settlement.forwardNow()
        let ends = try await settlement.recover()
        #expect(ends.count == 12 && ends.allSatisfy { $0.ending == .notCompleted })
        for settled in ends {
            #expect(settled.receipt == receipts[settled.key])
            #expect(settled.receipt?.updated(by: settled)?.result == .notCompleted)
        }
    }

    @Test("L1: a payment that is over and acknowledged is told again as what it was, also after others")
    func whatIsClosedIsToldAgain() async throws {
        for answer in [SimulatedHost.Answer.approve, .decline("51")] {
            let journal = TestJournal(), host = SimulatedHost()
            await host.answer([answer])
            let shop = try await Shop(journal, .online), settlement = settlement(journal, host)
            let read = try #require(await shop.read().read), key = try #require(read.key)
            let first = await shop.session.authorize(read, with: host)
            try await settlement.acknowledge(key, first)
            #expect(await journal.tap(key)?.state == .closed)
            for _ in 0..<2 { _ = try await shop.pay(with: host) }
            let again = await shop.session.authorize(read, with: host)
            #expect(again.name == first.name && again.name == (answer == .approve ? .approved : .declined))
            #expect(await host.requests.count == 3)
        }
    }

    @Test("L1: what a person gave up is unknown, also once it is closed")
    func whatWasWrittenOffIsUnknown() async throws {
        let journal = TestJournal(), host = SimulatedHost()
        let shop = try await Shop(journal, .online), settlement = settlement(journal, host)
        await host.meet([.loseAnswer, .loseRequest, .loseRequest])
        let read = try #require(await shop.read().read), key = try #require(read.key)
        _ = await shop.session.authorize(read, with: host)
        try await settlement.writeOff(key, by: Operator(id: "7", role: .administrator), reason: "the host is gone")
        try await settlement.acknowledge(try #require(try await settlement.settled(key)))
        #expect(await journal.tap(key)?.state == .closed)
        for _ in 0..<2 { _ = try await shop.pay(with: host) }
        #expect(await shop.session.authorize(read, with: host) == .unknown(key))
    }
}
