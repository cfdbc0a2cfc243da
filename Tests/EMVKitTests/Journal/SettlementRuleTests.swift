// SPDX-License-Identifier: Apache-2.0
@testable import EMVKit
import EMVSimulator
import TestWaiting
import Testing

/// Single rules of the settlement, at their edges.
@Suite(.everyJournal, .timeLimit(.minutes(30))) struct SettlementRuleTests {
    private func settlement(_ journal: any Journal, _ host: any Authorizer) -> Settlement {
        Settlement(journal, with: host, policy: SettlementPolicy(jitter: 0), timer: StillClock())
    }

    @Test("A request of this process is left to its reader for twice its deadline and ten minutes more")
    func aRequestIsLeftToItsReader() async throws {
        let time = TestTime(), journal = TestJournal(clock: time.clock), key = ReconciliationKey()
        try await journal.append([.began(TapIntent(amount: eur(100), counter: 1, moment: noon))], to: key)
        try await journal.append([.read(Sample.stored), .asking(attempt: 1, deadline: .seconds(30))], to: key)
        await time.advance(seconds: 660)
        #expect(try await settlement(journal, SimulatedHost()).recover() == [])
        #expect(await journal.tap(key)?.state == .asking)
        await time.advance(seconds: 1)
        #expect(try await settlement(journal, SimulatedHost()).recover().map(\.key) == [key])
        #expect(await journal.tap(key)?.state != .asking)
    }

    @Test("A payment that waits for its PIN when its process ends is reversed for that")
    func aChallengeIsReversedForItsPIN() async throws {
        let memory = TestJournal(), host = SimulatedHost()
        await host.answer([.requestPIN])
        let journal = WatchedJournal(memory, stop: .crashAfter(3))
        let shop = try await Shop(journal, .online)
        let read = try #require(await shop.read().read)
        let sale = Task { await shop.session.authorize(read, with: host) }
        await journal.crashed()
        let later = try TestJournal(try await memory.entries())
        #expect(try await settlement(later, host).recover().map(\.ending.name) == [.notCompleted])
        #expect(await host.reversals.map(\.reason) == [.pinMissing])
        sale.cancel()
    }

    @Test("A refund is one in the journal; any other follow-up is of the kind that it follows")
    func aRefundIsNoPurchase() async throws {
        let journal = TestJournal(), host = SimulatedHost()
        let shop = try await Shop(journal, .online)
        let settlement = settlement(journal, host)
        let kinds: [(FollowUp.Action, Receipt.Kind)] = [
            (.refund(eur(500)), .refund), (.void, .purchase), (.increment(eur(100)), .purchase),
        ]
        for (action, kind) in kinds {
            let paid = try await shop.pay(with: host) { if kind != .refund { $0.terms = .estimated } }
            let followUp = FollowUp(action, of: paid.key)
            try await settlement.submit(followUp, moment: noon)
            #expect(await journal.tap(followUp.key)?.intent.kind == kind, "\\(followUp.kind)")
        }
    }

    @Test("What the host only takes down is approved by whoever approved it: the card, or the issuer before")
    func whatIsReceivedIsApprovedByItsOrigin() async throws {
        let journal = TestJournal(), host = SimulatedHost()
        let settlement = settlement(journal, host)
        let offline = try await Shop(journal, card: CardProfile.named("fdda")).pay(with: host)
        let estimated = try await Shop(journal, .online).pay(with: host) { $0.terms = .estimated }
        let capture = FollowUp(.capture(eur(900), tip: nil), of: estimated.key)
        try await settlement.submit(capture, moment: noon)
        for key in [offline.key, capture.key] { await host.answer(.received, to: key) }
        _ = await settlement.forwardNow()
        #expect(await journal.tap(offline.key)?.result == .approved(Approval(origin: .card, responseCode: "Y1")))
        #expect(await journal.tap(capture.key)?.result == .approved(Approval(origin: .issuer, responseCode: "00")))
    }

    /// A host that counts who asks it at the same time.
    private actor Counter: Authorizer {
        nonisolated var acceptsSimulatedReads: Bool { true }
        let host: SimulatedHost
        private var present = 0
        private(set) var most = 0
        private(set) var reversals = 0

        init(_ host: SimulatedHost) { self.host = host }

        func authorize(_ request: AuthorizationRequest) async throws -> IssuerDecision {
            try await host.authorize(request)
        }

        func reverse(_ reversal: Reversal) async throws {
            present += 1
            most = max(most, present)
            reversals += 1
            for _ in 0..<500 { await Task.yield() }
            try await host.reverse(reversal)
            present -= 1
        }
    }

    @Test("Whoever asks for a settlement while one goes on waits for it: each reversal is sent once")
    func oneAtATime() async throws {
        let journal = TestJournal(), host = SimulatedHost()
        let shop = try await Shop(journal, .online)
        for _ in 0..<4 {
            await host.meet([.loseAnswer, .loseRequest, .loseRequest])
            #expect(try await shop.pay(with: host).result.name == .unknown)
        }
        let counter = Counter(host), settlement = settlement(journal, counter)
        await withTaskGroup { group in
            for _ in 0..<3 { group.addTask { _ = await settlement.forwardNow() } }
        }
        #expect(await counter.most == 1)
        #expect(await counter.reversals == 4)
        #expect(await host.booked.isEmpty)
    }

    @Test("What its host is not to settle is not taken over, and its state is named")
    func whatIsOpenIsNotTakenOver() async throws {
        let source = TestJournal(), target = TestJournal(), key = ReconciliationKey()
        try await source.append([.began(TapIntent(amount: eur(100), counter: 1, moment: noon))], to: key)
        let result = try await settlement(target, SimulatedHost()).takeOver([try await source.entries()])
        #expect(result.taken == [] && result.refused == [key: .outOfOrder(.began)])
        #expect(await target.tap(key) == nil)
    }

    @Test("Events of two payments in one are taken over as neither, and both are named")
    func strayEventsAreRefused() async throws {
        let source = TestJournal(), target = TestJournal()
        let one = try await deferred(source, card: "one"), other = try await deferred(source, card: "other")
        let entries = try await source.entries()
        let own = entries.filter { $0.key == one }, others = entries.filter { $0.key == other }
        let result = try await settlement(target, SimulatedHost()).takeOver([own + others.suffix(1), [], others])
        #expect(result.taken == [other] && result.known.isEmpty)
        #expect(result.refused == [one: .unreadable("an event of \(other) among those of \(one)")])
        #expect(await target.tap(one) == nil)
    }

    @Test("A journal that fails has refused nothing: it is thrown, and the rest is taken over when it is tried again")
    func aFailedTakeOverIsTriedAgain() async throws {
        let source = TestJournal(), target = TestJournal()
        var payments: [[JournalEntry]] = []
        for card in ["one", "two", "three"] {
            let key = try await deferred(source, card: card)
            payments.append(try await source.entries().filter { $0.key == key })
        }
        let keys = payments.map { $0[0].key }
        let settlement = settlement(WatchedJournal(target, stop: .fail(2)), SimulatedHost())
        await #expect(throws: JournalError.unavailable("test")) { _ = try await settlement.takeOver(payments) }
        let again = try await settlement.takeOver(payments)
        #expect(again.known == [keys[0]] && again.taken == [keys[1], keys[2]] && again.refused.isEmpty)
    }

    private func deferred(_ journal: TestJournal, card: String, record: Bytes = []) async throws -> ReconciliationKey {
        let key = ReconciliationKey()
        let read = StoredRead(
            authorization: .onlineRequired, cvm: .none, maskedPAN: nil, clearRecord: CardData(record),
            payload: Sample.stored.payload, fingerprint: Fingerprint(rawValue: card))
        try await journal.append([.began(TapIntent(amount: eur(100), counter: 1, moment: noon))], to: key)
        try await journal.append([.read(read), .asking(attempt: 1, deadline: .zero)], to: key)
        try await journal.append([.queued(.deferredAuthorization)], to: key)
        return key
    }

    @Test("Of one card, payments are forwarded by its counter; one without a counter goes first")
    func oneCardGoesByItsCounter() async throws {
        let time = TestTime(), journal = TestJournal(clock: time.clock)
        var keys: [ReconciliationKey] = []
        for record in [[0x9F, 0x36, 0x02, 0x00, 0x02], [0x9F, 0x36, 0x02, 0x00, 0x01], []] as [Bytes] {
            keys.append(try await deferred(journal, card: "one", record: record))
            await time.advance(seconds: 1)
        }
        #expect(Settlement.inOrder(await journal.open()).map(\.key) == keys.reversed())
    }

    /// A host that takes deferred payments down, and says what became of them when it is asked.
    private actor Notebook: Authorizer {
        nonisolated var acceptsSimulatedReads: Bool { true }
        /// Told of, and asked for.
        private(set) var seen: (noted: [ReconciliationKey], asked: [ReconciliationKey]) = ([], [])

        func authorize(_ request: AuthorizationRequest) async throws -> IssuerDecision {
            .failed([Problem(.hostUnreachable)])
        }

        func reverse(_ reversal: Reversal) async throws {}

        func deliver(_ record: FinancialRecord) async throws -> Delivery {
            seen.noted.append(record.key)
            return .received
        }

        func status(of key: ReconciliationKey) async throws -> HostStatus {
            seen.asked.append(key)
            return .approved(Approval())
        }
    }

    @Test("A host that has taken deferred payments down is asked for each, and none is told twice")
    func whatWasTakenDownIsAskedFor() async throws {
        let journal = TestJournal(), host = Notebook(), settlement = settlement(journal, host)
        var keys: [ReconciliationKey] = []
        for card in ["one", "two", "three", "four"] { keys.append(try await deferred(journal, card: card)) }
        _ = await settlement.forwardNow()
        #expect(await host.seen == (keys, []))
        _ = await settlement.forwardNow()
        #expect(await host.seen == (keys, keys))
        for key in keys { #expect(await journal.tap(key)?.result == .approved(Approval())) }
    }
}
