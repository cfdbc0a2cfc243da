// SPDX-License-Identifier: Apache-2.0
import EMVSimulator
import TestWaiting
import Testing
@testable import EMVKernel
@testable import EMVKit
@testable import EMVPOS

/// Single rules of the settlement at their limits.
@Suite(.everyJournal, .timeLimit(.minutes(30))) struct SettlementRuleTests {
    private func settlement(_ journal: any Journal, _ host: any DeliveringAuthorizer) -> Settlement {
        Settlement(journal, with: host, policy: SettlementPolicy(jitter: 0), timer: StillClock())
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

    @Test("Whoever asks for a settlement while one goes on waits for it: each reversal is sent once")
    func oneAtATime() async throws {
        let journal = TestJournal(), host = SimulatedHost()
        let shop = try await Shop(journal, .online)
        for _ in 0..<4 {
            await host.meet([.loseAnswer, .loseRequest, .loseRequest])
            #expect(try await shop.pay(with: host).result.name == .unknown)
        }
        let counter = CountingHost(host), settlement = settlement(journal, counter)
        await withTaskGroup { group in
            for _ in 0..<3 { group.addTask { _ = await settlement.forwardNow() } }
        }
        #expect(await counter.mostAtOnce == 1)
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

    private func deferred(_ journal: TestJournal, card: String) async throws -> ReconciliationKey {
        let key = ReconciliationKey()
        let read = StoredRead(
            authorization: .onlineRequired, cvm: .none, maskedPAN: nil, clearRecord: CardData([]),
            payload: Sample.stored.payload, fingerprint: Fingerprint(rawValue: card))
        try await journal.append([.began(TapIntent(amount: eur(100), counter: 1, moment: noon))], to: key)
        try await journal.append([.read(read), .asking(attempt: 1, deadline: .zero)], to: key)
        try await journal.append([.queued(.deferredAuthorization)], to: key)
        return key
    }

    /// A host that records deferred payments, and returns their state on request.
    private actor Notebook: DeliveringAuthorizer {
        nonisolated var acceptsSimulatedReads: Bool { true }
        /// The keys that were recorded and those that were looked up.
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

    @Test("L26: what the host cannot take says nothing about the host: others may wait for it")
    func whatIsSetAsideStopsNobody() async throws {
        let time = TestTime(), journal = TestJournal(clock: time.clock), host = SimulatedHost()
        let key = try await deferred(journal, card: "one")
        await host.answer(.malformed("field 4"), to: key)
        let settlement = settlement(journal, host)
        #expect(await settlement.forwardNow().setAside.count == 1)
        await time.advance(seconds: 40 * 86_400)
        let standing = await journal.standing()
        #expect(standing.oldest == nil && standing.setAside.count == 1 && !standing.isSettled)
        let limits = OfflineLimits(amounts: OfflineLimits.ofTests.amounts, sinceHost: .seconds(365 * 86_400))
        #expect(limits.stops(eur(100), at: standing) == nil)
    }

    @Test("L10: no number of a host's text can be that of an account, however it is grouped")
    func textsHoldNoAccount() async throws {
        let texts = [
            "card 4761 7390 0101 0119", "4761-7390-0101-0119", "4761,7390,0101,0119", "4 7 6 1 7 3 9 0 0 1 0 1 0 1 1 9",
            "4761\u{A0}7390\u{A0}0101\u{A0}0119", "4761739001010119D28122010", "(4761) 739001/010119",
        ]
        for text in texts {
            for isRefusal in [false, true] {
                let journal = TestJournal(), host = SimulatedHost()
                let key = try await Shop(journal, card: CardProfile.named("fdda")).pay(with: host).key
                let refused = Delivery.refused(Decline(reason: .issuer, responseCode: text))
                await host.answer(isRefusal ? refused : .malformed(text), to: key)
                _ = await settlement(journal, host).forwardNow()
                let reason = try #require(await journal.tap(key)?.setAsideReason)
                #expect(reason.filter(\.isNumber).count <= (text.contains("D2") ? 12 : 6), "\(reason)")
                #expect(!reason.filter(\.isNumber).contains("47617390"))
            }
        }
    }

    @Test("L21: a host that always says at once is asked again after the first pause, not without end")
    func atOnceIsAfterThePause() async throws {
        let journal = TestJournal(), host = SimulatedHost(), clock = LeapingClock()
        let key = try await deferred(journal, card: "one")
        await host.answer(.retryLater(after: .zero), to: key)
        let settlement = Settlement(journal, with: host, policy: SettlementPolicy(jitter: 0), timer: clock)
        let running = Task { await settlement.run() }
        try await waitUntil("a minute to pass") { clock.total >= .seconds(60) }
        running.cancel()
        await running.value
        #expect(clock.shortest == .seconds(1), "the first pause")
    }

    @Test("What a reader that is gone has read is closed after an hour; a PIN that nobody enters, as a request is")
    func aReaderThatIsGone() async throws {
        let time = TestTime(), journal = TestJournal(clock: time.clock), host = SimulatedHost()
        let read = ReconciliationKey(), asked = ReconciliationKey()
        for key in [read, asked] {
            try await journal.append([.began(TapIntent(amount: eur(100), counter: 1, moment: noon))], to: key)
            try await journal.append([.read(Sample.stored)], to: key)
        }
        try await journal.append([.asking(attempt: 1, deadline: .seconds(30)), .challenged], to: asked)
        let settlement = settlement(journal, host)
        await time.advance(seconds: 660)
        _ = await settlement.forwardNow()
        #expect(await journal.tap(asked)?.state == .challenged)
        await time.advance(seconds: 1)
        _ = await settlement.forwardNow()
        #expect(await journal.tap(asked)?.state == .reversed)
        #expect(await journal.tap(read)?.state == .read)
        await time.advance(seconds: 2_940)
        _ = await settlement.forwardNow()
        #expect(await journal.tap(read)?.state == .closed)
        #expect(await journal.tap(read)?.read?.payload == nil)
    }

    /// A host whose answers wait until the test releases them.
    private actor Gate: DeliveringAuthorizer {
        nonisolated var acceptsSimulatedReads: Bool { true }
        private let host: SimulatedHost
        private var waiting: CheckedContinuation<Void, Never>?
        var isAsked: Bool { waiting != nil }

        init(_ host: SimulatedHost) { self.host = host }

        func letGo() {
            waiting?.resume()
            waiting = nil
        }

        func authorize(_ request: AuthorizationRequest) async throws -> IssuerDecision {
            try await host.authorize(request)
        }

        func reverse(_ reversal: Reversal) async throws { try await host.reverse(reversal) }

        func deliver(_ record: FinancialRecord) async throws -> Delivery {
            await withCheckedContinuation { waiting = $0 }
            return try await host.deliver(record)
        }
    }

    @Test("Whoever gives a payment up while the host is told of it learns that the host has it")
    func givenUpWhileItIsTold() async throws {
        let journal = TestJournal(), host = SimulatedHost(), gate = Gate(host)
        let key = try await deferred(journal, card: "one"), settlement = settlement(journal, gate)
        let forwarding = Task { _ = await settlement.forwardNow() }
        try await waitUntil("the host to be told") { await gate.isAsked }
        let person = Operator(id: "7", role: .administrator)
        let givingUp = Task { () async -> JournalError? in
            do throws(JournalError) {
                try await settlement.writeOff(key, by: person, reason: "too long")
                return nil
            } catch {
                return error
            }
        }
        // Acknowledging does not wait for a host.
        try await settlement.acknowledge(try #require(try await settlement.settled(key)))
        for _ in 0..<50 { await Task.yield() }
        await gate.letGo()
        #expect(await givingUp.value == .outOfOrder(.approved))
        await forwarding.value
        #expect(try await journal.totals().differences(from: host.booked) == [])
        #expect(await journal.tap(key)?.isAcknowledged == false, "accepted was known, approved is not")
    }
}
