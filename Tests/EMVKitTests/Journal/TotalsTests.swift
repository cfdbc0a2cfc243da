// SPDX-License-Identifier: Apache-2.0
import EMVSimulator
import TestData
import Testing
@testable import EMVKernel
@testable import EMVKit
@testable import EMVPOS

extension SimulatedHost {
    /// The merchant's net amount, computed from the host's ledger alone.
    ///
    /// - Parameters:
    ///   - estimates: payments that only hold an amount.
    ///   - refunds: refunds to a card that was present.
    func net(estimates: Set<ReconciliationKey>, refunds: Set<ReconciliationKey>) -> Int64 {
        var sum: Int64 = 0
        for (key, amount) in booked {
            let amount = Int64(amount.minorUnits)
            switch ledger[key]?.kind {
            case .capture?: sum += amount
            case .refund?: sum -= amount
            case .increment?: break
            case .void?:
                guard let original = ledger[key]?.original, !estimates.contains(original) else { break }
                sum -= Int64(booked[original]?.minorUnits ?? 0)
            case .deferredAuthorization?, .offlineApproval?, nil:
                if !estimates.contains(key) { sum += refunds.contains(key) ? -amount : amount }
            }
        }
        return sum
    }
}

/// L38: totals add up to the merchant's net amount.
@Suite(.everyJournal, .timeLimit(.minutes(30))) struct TotalsTests {
    private static let policy = SettlementPolicy(jitter: 0, captureWithin: .seconds(3_600))

    /// Some days of a shop. Each ends when the host has booked everything.
    private struct Days {
        private var random: SeededRandom
        private let time = TestTime(), host = SimulatedHost()
        private let journal: TestJournal, settlement: Settlement, shop: Shop
        private var payments: [ReconciliationKey] = []
        private var estimates: Set<ReconciliationKey> = [], refunds: Set<ReconciliationKey> = []
        /// The kinds that occurred in any of these histories.
        var kinds: Set<JournalTotals.Kind> = []

        init(seed: UInt64) async throws {
            random = SeededRandom(seed: seed)
            journal = TestJournal(clock: time.clock)
            settlement = Settlement(journal, with: host, policy: TotalsTests.policy, timer: StillClock())
            shop = try await Shop(journal, .online)
        }

        private mutating func chance(_ one: Int) -> Bool { Int.random(in: 0..<one, using: &random) == 0 }

        private mutating func pay() async throws {
            let amount = UInt64.random(in: 200...4_000, using: &random)
            let faults: [SimulatedHost.Fault] = [.none, .none, .none, .loseAnswer, .late, .twice]
            await host.meet([faults.randomElement(using: &random)!])
            let answers: [SimulatedHost.Answer] = [.approve, .approve, .decline("51"), .approvePart(eur(amount / 2))]
            await host.answer([answers.randomElement(using: &random)!])
            let isEstimated = chance(2), isRefund = !isEstimated && chance(4)
            let key = try await shop.pay(amount, with: host) {
                $0.acceptsPartialApproval = !isRefund
                if isEstimated { $0.terms = .estimated }
                if isRefund { $0.kind = .refund }
            }.key
            payments.append(key)
            if isEstimated { estimates.insert(key) }
            if isRefund { refunds.insert(key) }
        }

        /// Follow-ups that do not fit are refused.
        private mutating func follow() async {
            guard let original = payments.randomElement(using: &random) else { return }
            let amount = eur(UInt64.random(in: 1...1_500, using: &random))
            let action: FollowUp.Action =
                switch Int.random(in: 0..<8, using: &random) {
                case 0...2: .capture(amount, tip: nil)
                case 3: .increment(amount)
                case 4...5: .refund(amount)
                default: .void
                }
            try? await settlement.submit(FollowUp(action, of: original), moment: noon)
        }

        mutating func pass() async throws {
            var last: UInt64 = 0, before: Int64 = 0, sum: Int64 = 0
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                for _ in 0..<Int.random(in: 1...6, using: &random) {
                    if chance(2) { try await pay() } else { await follow() }
                    if chance(5), let key = payments.randomElement(using: &random) {
                        try? await journal.append([.reversing(.answerLost)], to: key)
                    }
                    if chance(3) { _ = await settlement.forwardNow() }
                }
                for key in payments where chance(2) { try? await settlement.acknowledge(key) }
                if chance(2) { await time.advance(seconds: 7_200) }
                await host.calm()
                await host.deliverLate()
                for _ in 0..<3 { _ = await settlement.forwardNow() }
                let day = try await journal.totals(after: last), now = await net()
                #expect(day.net[.eur, default: 0] == now - before)
                #expect(try await (journal.entries().last?.number ?? 0) == day.number)
                #expect(try await journal.totals(after: day.number).lines.isEmpty)
                sum += day.net[.eur, default: 0]
                (last, before) = (day.number, now)
                kinds.formUnion(day.lines.keys.map(\.kind))
            }
            let whole = try await journal.totals()
            #expect(whole.net[.eur, default: 0] == sum && whole.number == last)
            #expect(whole.differences(from: await host.booked) == [])
            // A cut at any entry, even while a payment is in progress.
            let cut = UInt64.random(in: 0...last, using: &random)
            let first = try await journal.totals(through: cut), rest = try await journal.totals(after: cut)
            #expect(first.number == cut && first.net[.eur, default: 0] + rest.net[.eur, default: 0] == sum)
        }

        private func net() async -> Int64 { await host.net(estimates: estimates, refunds: refunds) }
    }

    @Test("L38: at each cut-off the net is what the host's ledger adds up to")
    func theNetIsTheHosts() async throws {
        var kinds: Set<JournalTotals.Kind> = []
        let seeds = ModelSeeds.all(dividedBy: JournalKind.current == .file ? 100 : 10)
        for seed in seeds {
            var days = try await Days(seed: seed)
            do { try await days.pass() } catch { Issue.record("seed \(seed): \(error)") }
            kinds.formUnion(days.kinds)
        }
        let wanted: Set<JournalTotals.Kind> = [
            .purchase, .refund, .authorization, .capture, .increment, .void, .reversal,
        ]
        if seeds.count >= 100 { #expect(kinds.isSuperset(of: wanted), "\(kinds)") }
    }

    /// Events of one payment and its follow-ups, each approved.
    private struct Book {
        var entries: [JournalEntry] = []

        mutating func add(_ events: [JournalEvent], to key: ReconciliationKey) {
            let moment = JournalMoment(wall: 0, boot: "one", uptime: 0, elapsed: 0, run: "one")
            for event in events {
                entries.append(
                    JournalEntry(number: UInt64(entries.count + 1), key: key, moment: moment, event: event))
            }
        }

        @discardableResult
        mutating func pay(
            _ amount: UInt64, kind: Receipt.Kind = .purchase, isEstimated: Bool = false
        ) -> ReconciliationKey {
            let key = ReconciliationKey()
            let intent = with(TapIntent(kind: kind, amount: eur(amount), counter: 1, moment: noon)) {
                $0.isEstimated = isEstimated
            }
            add(
                [
                    .began(intent), .read(Sample.stored), .asking(attempt: 1, deadline: .zero),
                    .answered(.approved(Approval())),
                ], to: key)
            return key
        }

        mutating func follow(_ action: FollowUp.Action, _ amount: UInt64, of original: ReconciliationKey) {
            let followUp = FollowUp(action, of: original)
            let intent = TapIntent(amount: eur(amount), counter: 0, moment: noon, followUp: followUp)
            add(
                [
                    .began(intent), .queued(followUp.kind), .forwarding(attempt: 1),
                    .forwarded(.approved(Approval())),
                ], to: followUp.key)
        }

        mutating func reverse(_ key: ReconciliationKey) { add([.reversing(.notCaptured), .reversed], to: key) }

        func net() throws -> Int64? { try JournalTotals(entries).net[.eur] }

        func line(_ kind: JournalTotals.Kind) throws -> UInt64? {
            try JournalTotals(entries).lines[JournalTotals.Line(kind, .eur)]?.amount
        }
    }

    @Test("L38: an estimate and its capture count once; what takes back an estimate takes nothing of the net")
    func estimatesCountOnce() throws {
        var book = Book()
        #expect(try book.net() == nil)
        let paid = book.pay(4_000, isEstimated: true)
        #expect(try book.net() == 0)
        book.follow(.increment(eur(500)), 500, of: paid)
        #expect(try book.net() == 0)
        book.follow(.capture(eur(4_500), tip: nil), 4_500, of: paid)
        #expect(try book.net() == 4_500)
        book.follow(.refund(eur(4_600)), 4_600, of: paid)
        #expect(try book.net() == -100)

        for isVoid in [true, false] {
            var book = Book()
            book.pay(1_000)
            let left = book.pay(4_000, isEstimated: true)
            book.follow(.increment(eur(500)), 500, of: left)
            if isVoid { book.follow(.void, 4_500, of: left) } else { book.reverse(left) }
            #expect(try book.net() == 1_000)
            #expect(try book.line(isVoid ? .void : .reversal) == 4_500)
            // A later increment raises nothing.
            book.follow(.increment(eur(700)), 700, of: left)
            #expect(try book.net() == 1_000 && book.line(.increment) == 500)
        }
    }

    @Test("L38: a void and a reversal take back what was taken, in the period in which they come")
    func whatIsTakenBackIsSubtracted() throws {
        for isVoid in [true, false] {
            var book = Book()
            let paid = book.pay(1_000)
            book.pay(300)
            let cut = try JournalTotals(book.entries)
            #expect(cut.net == [.eur: 1_300] && cut.number == UInt64(book.entries.count))
            if isVoid { book.follow(.void, 1_000, of: paid) } else { book.reverse(paid) }
            let next = try JournalTotals(book.entries, after: cut.number)
            #expect(next.net == [.eur: -1_000])
            #expect(try book.net() == 300)
            #expect(try JournalTotals(book.entries, after: next.number).net.isEmpty)
        }
        // Each kind of payment and its reversal.
        for kind in [Receipt.Kind.purchase, .cash, .cashBack, .refund] {
            var book = Book()
            let key = book.pay(700, kind: kind)
            #expect(try book.net() == (kind == .refund ? -700 : 700))
            book.reverse(key)
            #expect(try book.net() == 0 && book.line(.reversal) == 700)
        }
    }
}
