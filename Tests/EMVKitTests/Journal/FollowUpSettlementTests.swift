// SPDX-License-Identifier: Apache-2.0
import EMVSimulator
import Testing
@testable import EMVKernel
@testable import EMVKit
@testable import EMVPOS

/// Follow-ups of a payment are sent in order, stay within its sums, and never conflict.
@Suite(.everyJournal, .timeLimit(.minutes(30))) struct FollowUpSettlementTests {
    private static let hour = SettlementPolicy(jitter: 0, captureWithin: .seconds(3_600))

    private func settlement(
        _ journal: any Journal, _ host: any DeliveringAuthorizer, _ policy: SettlementPolicy = hour
    ) -> Settlement {
        Settlement(journal, with: host, policy: policy, timer: StillClock())
    }

    private func estimate(_ journal: any Journal, _ host: SimulatedHost) async throws -> ReconciliationKey {
        let payment = try await Shop(journal, .online).pay(1_000, with: host) { $0.terms = .estimated }
        #expect(payment.result.name == .approved)
        return payment.key
    }

    @Test("L36: a captured payment is never reversed, whenever its app acknowledges it")
    func capturedIsCaptured() async throws {
        for isAcknowledgedFirst in [true, false] {
            let time = TestTime(), journal = TestJournal(clock: time.clock), host = SimulatedHost()
            let key = try await estimate(journal, host), settlement = settlement(journal, host)
            if isAcknowledgedFirst { try await settlement.acknowledge(key) }
            let capture = FollowUp(.capture(eur(900), tip: nil), of: key)
            try await settlement.submit(capture, moment: noon)
            _ = await settlement.forwardNow()
            for key in [capture.key, key] { try await settlement.acknowledge(key) }
            #expect(await journal.tap(key)?.state == .closed, "acknowledged first: \(isAcknowledgedFirst)")
            await time.advance(seconds: 7_200)
            _ = await settlement.forwardNow()
            #expect(await host.reversals.isEmpty)
            #expect(await host.booked.count == 2)
        }
    }

    @Test("L36: a process that ends right after the capture leaves an estimate that is closed, not reversed")
    func aCrashAfterTheCapture() async throws {
        // The stops fall on: began and queued; forwarding; forwarded; closed.
        for number in 3...8 {
            let time = TestTime(), memory = TestJournal(clock: time.clock), host = SimulatedHost()
            let key = try await estimate(memory, host)
            try await settlement(memory, host).acknowledge(key)
            let journal = WatchedJournal(memory, stop: .crashAfter(number - 2))
            let first = settlement(journal, host)
            let work = Task {
                try? await first.submit(FollowUp(.capture(eur(900), tip: nil), of: key), moment: noon)
                _ = await first.forwardNow()
            }
            if number < 7 { await journal.crashed() } else { await work.value }
            await time.advance(seconds: 7_200)
            let later = try TestJournal(try await memory.entries(), clock: time.clock)
            let settlement = settlement(later, host)
            _ = try await settlement.recover()
            _ = await settlement.forwardNow()
            #expect(await host.reversals.isEmpty, "\(number)")
            #expect(await later.tap(key)?.state == .closed, "\(number)")
            #expect(try await later.totals().differences(from: host.booked) == [], "\(number)")
            work.cancel()
        }
    }

    @Test("L36: the journal refuses to give an estimate up that is captured, or is about to be")
    func theJournalKeepsWhatIsCaptured() async throws {
        let journal = TestJournal(), host = SimulatedHost()
        let key = try await estimate(journal, host), settlement = settlement(journal, host)
        let capture = FollowUp(.capture(eur(900), tip: nil), of: key)
        try await settlement.submit(capture, moment: noon)
        await #expect(throws: JournalError.followUpRefused(.notPossible, of: key)) {
            try await journal.append([.reversing(.notCaptured)], to: key)
        }
        await host.answer(.refused(Decline(reason: .issuer, responseCode: "05")), to: capture.key)
        _ = await settlement.forwardNow()
        #expect(await journal.followUps(of: key).map(\.key) == [capture.key])
        #expect(await journal.followUps(of: capture.key) == [])
        // The host captured none of it.
        try await journal.append([.reversing(.notCaptured)], to: key)
        await #expect(throws: JournalError.followUpRefused(.notPossible, of: key)) {
            try await settlement.submit(FollowUp(.capture(eur(900), tip: nil), of: key), moment: noon)
        }
    }

    @Test("A journal that does not look follow-ups up finds them among its events")
    func followUpsAreFound() async throws {
        let memory = TestJournal(), journal = WatchedJournal(memory), host = SimulatedHost()
        let key = try await estimate(memory, host), settlement = settlement(memory, host)
        let captures = [300, 400].map { FollowUp(.capture(eur($0), tip: nil), of: key) }
        for capture in captures { try await settlement.submit(capture, moment: noon) }
        #expect(try await journal.followUps(of: key).map(\.key) == captures.map(\.key))
        #expect(try await journal.followUps(of: key) == memory.followUps(of: key))
    }

    @Test("L36, L30: a refund waits for the capture that it takes back, and is not sent where the host refuses that")
    func refundsFollowTheirCapture() async throws {
        for isRefused in [true, false] {
            let journal = TestJournal(), host = SimulatedHost()
            let key = try await estimate(journal, host), settlement = settlement(journal, host)
            let other = try await estimate(journal, host)
            let capture = FollowUp(.capture(eur(900), tip: nil), of: key)
            let refund = FollowUp(.refund(eur(200)), of: key)
            let elsewhere = FollowUp(.capture(eur(500), tip: nil), of: other)
            await host.answer(.retryLater(after: .seconds(60)), to: capture.key)
            for followUp in [capture, refund, elsewhere] { try await settlement.submit(followUp, moment: noon) }
            _ = await settlement.forwardNow()
            #expect(await host.records.map(\.key) == [capture.key, elsewhere.key], "nobody else is held up")
            await host.answer(
                isRefused ? .refused(Decline(reason: .issuer, responseCode: "05")) : .received, to: capture.key)
            _ = await settlement.forwardNow()
            #expect(await host.records.map(\.key).contains(refund.key) == !isRefused)
            #expect(await journal.tap(refund.key)?.state == (isRefused ? .setAside : .approved))
            if isRefused { #expect(await journal.tap(refund.key)?.setAsideReason == "more than was captured") }
        }
    }

    @Test("L36: behind a capture that the host cannot take, a refund of it waits; told once more, both go")
    func aSetAsideCaptureHoldsItsRefund() async throws {
        let journal = TestJournal(), host = SimulatedHost()
        let key = try await estimate(journal, host), settlement = settlement(journal, host)
        let capture = FollowUp(.capture(eur(900), tip: nil), of: key)
        let refund = FollowUp(.refund(eur(200)), of: key)
        await host.answer(.malformed("field 54"), to: capture.key)
        for followUp in [capture, refund] { try await settlement.submit(followUp, moment: noon) }
        for _ in 0..<2 { _ = await settlement.forwardNow() }
        #expect(await journal.tap(capture.key)?.state == .setAside)
        #expect(await host.records.map(\.key) == [capture.key])
        await #expect(throws: JournalError.outOfOrder(.queued)) { try await settlement.retry(refund.key) }
        await #expect(throws: JournalError.unknownKey(ReconciliationKey(rawValue: "none")!)) {
            try await settlement.retry(ReconciliationKey(rawValue: "none")!)
        }
        await host.answer(.received, to: capture.key)
        try await settlement.retry(capture.key)
        #expect(await journal.tap(capture.key)?.state == .approved)
        #expect(await host.records.last?.isRepeat == true)
        _ = await settlement.forwardNow()
        #expect(await journal.tap(refund.key)?.state == .approved)
    }

    @Test("L36: amounts beyond what money can be are refused, and no sum overflows")
    func amountsHaveAMaximum() async throws {
        let journal = TestJournal(allowedTip: .max), host = SimulatedHost()
        let key = try await estimate(journal, host), settlement = settlement(journal, host)
        for amount in [UInt64.max, Money.maximum + 1] {
            for action in [
                FollowUp.Action.increment(eur(amount)), .capture(eur(amount), tip: nil),
                .capture(eur(amount), tip: eur(amount)), .refund(eur(amount)),
            ] {
                await #expect(throws: JournalError.followUpRefused(.notPossible, of: key)) {
                    try await settlement.submit(FollowUp(action, of: key), moment: noon)
                }
            }
        }
        await #expect(throws: JournalError.followUpRefused(.notPossible, of: key)) {
            try await settlement.submit(FollowUp(.increment(eur(Money.maximum)), of: key), moment: noon)
        }
        try await settlement.submit(FollowUp(.increment(eur(Money.maximum - 1_000)), of: key), moment: noon)
    }

    @Test("L29: only what was accepted without the host is withdrawn, and not what was refunded in part")
    func withdrawnIsWhatWasAccepted() async throws {
        let journal = TestJournal(), host = SimulatedHost()
        let shop = try await Shop(journal, .online, offline: OfflinePolicy(limits: .ofTests))
        let settlement = settlement(journal, host)
        let paid = try await shop.pay(with: host)
        await #expect(throws: JournalError.outOfOrder(.approved)) { try await settlement.withdraw(paid.key) }
        await host.meet([.unreachable])
        let accepted = try await shop.pay(with: host)
        #expect(accepted.result.name == .accepted)
        _ = await settlement.forwardNow()
        try await settlement.submit(FollowUp(.refund(eur(100)), of: accepted.key), moment: noon)
        await #expect(throws: JournalError.followUpRefused(.notPossible, of: accepted.key)) {
            try await settlement.withdraw(accepted.key)
        }
        #expect(await host.reversals.isEmpty)
    }

    // MARK: Races

    /// A journal in which another writer gets ahead once, right before an event is written.
    private actor Overtaken: Journal {
        private let journal: TestJournal
        private let event: JournalEvent.Name
        private var other: (@Sendable () async -> Void)?

        init(_ journal: TestJournal, before event: JournalEvent.Name, _ other: @escaping @Sendable () async -> Void) {
            self.journal = journal
            self.event = event
            self.other = other
        }

        func append(
            _ events: [JournalEvent], to key: ReconciliationKey, within limits: OfflineLimits?
        ) async throws(JournalError) {
            if let other, events.contains(where: { $0.name == event }) {
                self.other = nil
                await other()
            }
            try await journal.append(events, to: key, within: limits)
        }

        func open() async -> [JournaledTap] { await journal.open() }
        func tap(_ key: ReconciliationKey) async -> JournaledTap? { await journal.tap(key) }
        func taps(of sale: SaleReference) async -> [JournaledTap] { await journal.taps(of: sale) }
        func followUps(of key: ReconciliationKey) async -> [JournaledTap] { await journal.followUps(of: key) }
        func standing() async -> JournalStanding { await journal.standing() }
        func nextCounter(from first: UInt32) async -> UInt32 { await journal.nextCounter(from: first) }
        func entries(after number: UInt64, limit: Int) async -> [JournalEntry] {
            await journal.entries(after: number, limit: limit)
        }
    }

    /// A payment of 10.00 that was accepted without the host and that the host has approved later.
    private func acceptedAndApproved(_ journal: TestJournal, _ host: SimulatedHost) async throws -> ReconciliationKey {
        await host.meet([.unreachable])
        let shop = try await Shop(journal, .online, offline: OfflinePolicy(limits: .ofTests))
        let payment = try await shop.pay(1_000, with: host)
        #expect(payment.result.name == .accepted)
        _ = await settlement(journal, host).forwardNow()
        #expect(await journal.tap(payment.key)?.state == .approved)
        return payment.key
    }

    @Test("L29: of a refund and a withdrawal at the same time only the first counts", arguments: [true, false])
    func withdrawalsRaceWithRefunds(_ isRefundFirst: Bool) async throws {
        let journal = TestJournal(), host = SimulatedHost()
        let key = try await acceptedAndApproved(journal, host), direct = settlement(journal, host)
        let refund = FollowUp(.refund(eur(1_000)), of: key)
        if isRefundFirst {
            let overtaken = Overtaken(journal, before: .reversing) { try? await direct.submit(refund, moment: noon) }
            await #expect(throws: JournalError.followUpRefused(.notPossible, of: key)) {
                try await settlement(overtaken, host).withdraw(key)
            }
        } else {
            let overtaken = Overtaken(journal, before: .began) { try? await direct.withdraw(key) }
            await #expect(throws: JournalError.followUpRefused(.notPossible, of: key)) {
                try await settlement(overtaken, host).submit(refund, moment: noon)
            }
        }
        _ = await direct.forwardNow()
        let refunds = await host.records.filter { $0.kind == .refund }.map(\.amount)
        #expect(refunds == (isRefundFirst ? [eur(1_000)] : []))
        #expect(await host.reversals.map(\.amount) == (isRefundFirst ? [] : [eur(1_000)]))
        #expect(await journal.tap(key)?.state == (isRefundFirst ? .approved : .reversed))
        #expect(try await journal.totals().differences(from: host.booked) == [])
    }

    @Test("The journal reverses no approved payment that is followed up, for no reason")
    func followedUpPaymentsAreNotReversed() async throws {
        let journal = TestJournal(), host = SimulatedHost(), settlement = settlement(journal, host)
        let actions: [FollowUp.Action] = [
            .capture(eur(900), tip: nil), .increment(eur(500)), .void, .refund(eur(100)),
        ]
        for action in actions {
            let isRefund = action == .refund(eur(100))
            let paid = try await Shop(journal, .online).pay(1_000, with: host) {
                if !isRefund { $0.terms = .estimated }
            }
            let followUp = FollowUp(action, of: paid.key)
            try await settlement.submit(followUp, moment: noon)
            func isRefused(_ reason: Reversal.Reason) async -> Bool {
                do throws(JournalError) {
                    try await journal.append([.reversing(reason)], to: paid.key)
                    return false
                } catch {
                    return error == .followUpRefused(.notPossible, of: paid.key)
                }
            }
            for reason in Reversal.Reason.allCases { #expect(await isRefused(reason), "\(action) \(reason)") }
            _ = await settlement.forwardNow()
            #expect(await journal.tap(followUp.key)?.isAccepted == true)
            // An increment that the host has accepted is reversed together with its payment.
            let isIncrement = action == .increment(eur(500))
            #expect(await isRefused(.notCaptured) == !isIncrement, "\(action)")
        }
    }

    // MARK: Increments and their reversal

    @Test("L36: a void after an increment of 5.00 on 10.00 names 15.00", arguments: [true, false])
    func voidsNameWhatIsAuthorized(_ isAcceptedBefore: Bool) async throws {
        let journal = TestJournal(), host = SimulatedHost()
        let key = try await estimate(journal, host), settlement = settlement(journal, host)
        let increment = FollowUp(.increment(eur(500)), of: key), void = FollowUp(.void, of: key)
        try await settlement.submit(increment, moment: noon)
        if !isAcceptedBefore { await host.meet([.loseRequest]) }
        if isAcceptedBefore { _ = await settlement.forwardNow() }
        let wrong = isAcceptedBefore ? eur(1_000) : eur(1_500)
        await #expect(throws: JournalError.followUpRefused(.notPossible, of: key)) {
            let intent = TapIntent(amount: wrong, counter: 0, moment: noon, followUp: void)
            try await journal.append([.began(intent), .queued(.void)], to: void.key)
        }
        try await settlement.submit(void, moment: noon)
        #expect(await journal.tap(void.key)?.amount == eur(isAcceptedBefore ? 1_500 : 1_000))
        _ = await settlement.forwardNow()
        // The void waits for an increment that is being sent.
        if !isAcceptedBefore { #expect(await journal.tap(void.key)?.state == .queued) }
        _ = await settlement.forwardNow()
        #expect(await host.records.map(\.kind) == [.increment, .void])
        #expect(await host.records.last?.amount == eur(1_500))
        #expect(try await settlement.settled(void.key)?.amount == eur(1_500))
        #expect(try await journal.totals().differences(from: host.booked) == [])
    }

    @Test("L36: an estimate of 10.00 that is reversed after an increment of 5.00 is reversed at 15.00, each time")
    func reversalsNameWhatIsAuthorized() async throws {
        let time = TestTime(), journal = TestJournal(clock: time.clock), host = SimulatedHost()
        let key = try await estimate(journal, host), settlement = settlement(journal, host)
        try await settlement.submit(FollowUp(.increment(eur(500)), of: key), moment: noon)
        _ = await settlement.forwardNow()
        await time.advance(seconds: 3_600)
        await host.meet([.loseAnswer])
        for _ in 0..<2 { _ = await settlement.forwardNow() }
        #expect(await host.reversals.map(\.amount) == [eur(1_500), eur(1_500)])
        #expect(await journal.tap(key)?.state == .reversed)
    }

    @Test("L36: a void does not wait for an increment that the host could not take, which is not retried")
    func voidsEndSetAsideIncrements() async throws {
        for isRefused in [false, true] {
            let journal = TestJournal(), host = SimulatedHost()
            let key = try await estimate(journal, host), settlement = settlement(journal, host)
            let increment = FollowUp(.increment(eur(500)), of: key), void = FollowUp(.void, of: key)
            await host.answer(.malformed("field 4"), to: increment.key)
            try await settlement.submit(increment, moment: noon)
            _ = await settlement.forwardNow()
            #expect(await journal.tap(increment.key)?.state == .setAside)
            try await settlement.submit(void, moment: noon)
            await host.answer(.received, to: increment.key)
            await #expect(throws: JournalError.followUpRefused(.voided, of: key)) {
                try await settlement.retry(increment.key)
            }
            if isRefused { await host.answer(.refused(Decline(reason: .issuer, responseCode: "05")), to: void.key) }
            _ = await settlement.forwardNow()
            #expect(await host.records.map(\.kind) == [.increment, .void])
            #expect(await host.records.last?.amount == eur(1_000))
            if isRefused {
                // The payment is no longer being voided: it may grow again.
                try await settlement.retry(increment.key)
                #expect(await journal.tap(increment.key)?.state == .approved)
            } else {
                await #expect(throws: JournalError.followUpRefused(.voided, of: key)) {
                    try await settlement.retry(increment.key)
                }
                #expect(await journal.tap(increment.key)?.state == .setAside)
            }
        }
    }

    @Test("L36: an estimate expires beside an increment that the host could not take, which is not retried")
    func estimatesExpireBesideSetAsideIncrements() async throws {
        let time = TestTime(), journal = TestJournal(clock: time.clock), host = SimulatedHost()
        let key = try await estimate(journal, host), settlement = settlement(journal, host)
        let increment = FollowUp(.increment(eur(500)), of: key)
        await host.answer(.malformed("field 4"), to: increment.key)
        try await settlement.submit(increment, moment: noon)
        _ = await settlement.forwardNow()
        await time.advance(seconds: 3_600)
        _ = await settlement.forwardNow()
        #expect(await host.reversals.map(\.amount) == [eur(1_000)])
        await #expect(throws: JournalError.followUpRefused(.notPossible, of: key)) {
            try await settlement.retry(increment.key)
        }
        #expect(await host.records.count == 1)
    }

    @Test("L36: a void that comes while an increment is retried names that increment, too")
    func voidsRaceWithRetries() async throws {
        let journal = TestJournal(), host = SimulatedHost()
        let key = try await estimate(journal, host), direct = settlement(journal, host)
        let increment = FollowUp(.increment(eur(500)), of: key), void = FollowUp(.void, of: key)
        await host.answer(.malformed("field 4"), to: increment.key)
        try await direct.submit(increment, moment: noon)
        _ = await direct.forwardNow()
        await host.answer(.received, to: increment.key)
        let overtaken = Overtaken(journal, before: .forwarding) { try? await direct.submit(void, moment: noon) }
        try await settlement(overtaken, host).retry(increment.key)
        #expect(await journal.tap(increment.key)?.state == .approved)
        _ = await direct.forwardNow()
        #expect(await host.records.map(\.kind) == [.increment, .increment, .void])
        #expect(await host.records.last?.amount == eur(1_500))
    }

    @Test("L2: a sale whose payment was taken back may be paid again, once the host has that")
    func aVoidedSaleIsPaidAgain() async throws {
        let journal = TestJournal(), host = SimulatedHost(), settlement = settlement(journal, host)
        let shop = try await Shop(journal, .online)
        let paid = try await shop.pay(with: host) { $0.sale = .order(1) }
        let void = FollowUp(.void, of: paid.key)
        await host.answer(.retryLater(after: nil), to: void.key)
        try await settlement.submit(void, moment: noon)
        _ = await settlement.forwardNow()
        // The order is neither paid nor open, because the void is being sent.
        #expect(await shop.read(1250) { $0.sale = .order(1) }.problems.map(\.code) == [.saleOpen])
        await host.answer(.received, to: void.key)
        _ = await settlement.forwardNow()
        #expect(try await shop.pay(with: host) { $0.sale = .order(1) }.result.name == .approved)
        #expect(await shop.read(1250) { $0.sale = .order(1) }.problems.map(\.code) == [.saleSettled])
    }

    @Test("L38: the reversal of a part, booked before the cut, takes back that part")
    func aPartIsTakenBackAsOne() async throws {
        let journal = TestJournal(), host = SimulatedHost()
        await host.answer([.approvePart(eur(600))])
        let payment = try await Shop(journal, .online).pay(1_000, with: host) { $0.acceptsPartialApproval = true }
        #expect(payment.result.name == .approved)
        let cut = try #require(try await journal.entries().last?.number)
        try await journal.append([.reversing(.answerLost)], to: payment.key)
        _ = await settlement(journal, host).forwardNow()
        let next = try await journal.totals(after: cut)
        #expect(next.lines.map { "\($0.key.kind) \($0.value.count) \($0.value.amount)" } == ["reversal 1 600"])
        #expect(next.booked.isEmpty)
        let whole = try await journal.totals()
        #expect(whole.lines.values.map(\.amount) == [600, 600])
        #expect(whole.differences(from: await host.booked) == [])
    }

    @Test("L37, L18: a part that the host tells of after a crash is reversed: nobody is there to say that it is enough")
    func aPartIsNotKeptUnasked() async throws {
        for part in [nil, eur(1_000), eur(600), Money(minorUnits: 1_000, currency: .usd), eur(0), eur(2_000)] {
            let memory = TestJournal(), host = SimulatedHost()
            await host.answer([part.map { .approvePart($0) } ?? .approve])
            let journal = WatchedJournal(memory, stop: .crashBefore(3)), shop = try await Shop(journal, .online)
            let read = try #require(await shop.read(1_000).read), key = try #require(read.key)
            let sale = Task { await shop.session.authorize(read, with: host) }
            await journal.crashed()
            let later = try TestJournal(try await memory.entries())
            let policy = SettlementPolicy(keepsApprovals: true, jitter: 0)
            let told = try await settlement(later, host, policy).recover()
            let isWhole = part.map { $0 == eur(1_000) } ?? true
            #expect(told.map(\.ending.name) == [isWhole ? .approved : .notCompleted], "\(String(describing: part))")
            #expect(await host.booked[key] == (isWhole ? eur(1_000) : nil))
            sale.cancel()
        }
    }

    @Test("L31: a host that says that a record came too late has expired it; no amount that cannot be is booked")
    func recordsExpire() async throws {
        let journal = TestJournal(), host = SimulatedHost(), settlement = settlement(journal, host)
        let shop = try await Shop(journal, .online, offline: OfflinePolicy(limits: .ofTests))
        let part = Delivery.accepted(Approval(approvedAmount: eur(600)))
        let more = Delivery.accepted(Approval(approvedAmount: eur(2_000)))
        let answers: [(Delivery, Settled.Name, UInt64)] = [
            (part, .approved, 600), (more, .setAside, 1_250), (.expired, .declined, 1_250),
        ]
        for (delivery, name, amount) in answers {
            await host.meet([.unreachable])
            let key = try await shop.pay(with: host).key
            await host.answer(delivery, to: key)
            _ = await settlement.forwardNow()
            let settled = try #require(try await settlement.settled(key))
            #expect(settled.ending.name == name && settled.amount == eur(amount), "\(delivery)")
            #expect(settled.isAfterTheFact)
            if case .declined(let decline) = settled.ending {
                #expect(decline.reason == .expired && !decline.mayRetry)
            }
        }
        let card = try await Shop(journal, card: CardProfile.named("fdda")).pay(with: host)
        await host.answer(.expired, to: card.key)
        _ = await settlement.forwardNow()
        #expect(try await settlement.settled(card.key)?.ending == .setAside("expired"))
    }
}
