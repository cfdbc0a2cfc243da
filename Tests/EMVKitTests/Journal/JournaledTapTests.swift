// SPDX-License-Identifier: Apache-2.0
import EMVSimulator
import Foundation
import TestData
import Testing
@testable import EMVKernel
@testable import EMVKit
@testable import EMVPOS

/// How events determine the state of a payment, and the checks of a journal before it writes.
@Suite(.everyJournal) struct JournaledTapTests {
    private static let moment = JournalMoment(wall: 0, boot: "boot", uptime: 0, elapsed: 0, run: "run")
    private static let intent = TapIntent(amount: eur(1250), counter: 1, moment: noon)
    private static let read = StoredRead(
        authorization: .onlineRequired, cvm: .none, maskedPAN: nil, clearRecord: CardData([]),
        payload: Sample.stored.payload, fingerprint: Sample.stored.fingerprint)
    private static let receipt = Receipt(
        Sample.read(), result: .approved, total: eur(1250), merchant: Merchant("Shop"), moment: noon)

    /// One event of each kind; all variants of an event that one state may accept in several ways.
    private static func events(for tap: JournaledTap) -> [JournalEvent] {
        let offline = StoredRead(
            authorization: .approvedOffline, cvm: .none, maskedPAN: nil, clearRecord: CardData([]),
            payload: Sample.stored.payload)
        return [
            .began(intent), .changed(eur(1250)), .read(read), .read(offline),
            .asking(attempt: tap.attempts + 1, deadline: .seconds(30)), .unsent, .challenged,
            .answered(.approved(Approval())), .answered(.declined(Decline(reason: .issuer))),
            .reversing(.timedOut), .reversed, .answeredLate(.approved(Approval())),
            .forwarding(attempt: tap.deliveries + 1), .forwarded(.approved(Approval())),
            .forwarded(.declined(Decline(reason: .issuer))), .setAside("reason"), .withdrawn,
            .writtenOff(by: "somebody", reason: "reason"), .acknowledged, .receipted(receipt), .closed,
            .erased(.payload), .erased(.fingerprint), .erased(.account), .clockJumped(seconds: 400),
            .restored,
        ] + FinancialRecord.Kind.allCases.map { .queued($0) }
    }

    private struct Edge: Hashable {
        let from: JournaledTap.State
        let event: JournalEvent.Name
        let to: JournaledTap.State
    }

    @Test("Declared edges are those that are observed, and no other")
    func declaredIsObserved() throws {
        var seen: Set<[String]> = [], observed: Set<Edge> = []
        let intents =
            [JournaledTapTests.intent]
            + FinancialRecord.Kind.allCases.compactMap { kind in
                let action: FollowUp.Action? =
                    switch kind {
                    case .capture: .capture(eur(1250), tip: nil)
                    case .increment: .increment(eur(1250))
                    case .refund: .refund(eur(1250))
                    case .void: .void
                    case .deferredAuthorization, .offlineApproval: nil
                    }
                return action.map {
                    TapIntent(
                        amount: eur(1250), counter: 0, moment: noon,
                        followUp: FollowUp($0, of: Sample.otherKey, key: Sample.key))
                }
            }
        var rest = intents.map { JournaledTap(Sample.key, $0, at: JournaledTapTests.moment) }
        while let tap = rest.popLast() {
            // The values on which the next state depends.
            let known = [
                tap.state.rawValue, "\(tap.attempts)", "\(tap.unsent)", "\(tap.deliveries)",
                tap.queuedAs?.rawValue ?? "", "\(tap.isAcknowledged)", tap.read?.authorization.rawValue ?? "",
                tap.intent.followUp?.kind.rawValue ?? "", "\(tap.isRestored)",
            ]
            guard tap.attempts < 3, tap.deliveries < 3, seen.insert(known).inserted else { continue }
            for event in JournaledTapTests.events(for: tap) {
                var next = tap
                do throws(JournalError) {
                    try next.apply(event, at: JournaledTapTests.moment)
                } catch {
                    #expect(error == .outOfOrder(tap.state))
                    #expect(next == tap, "a refused event changes nothing")
                    continue
                }
                observed.insert(Edge(from: tap.state, event: event.name, to: next.state))
                rest.append(next)
            }
        }
        var declared: Set<Edge> = []
        for (from, edges) in JournaledTap.edges {
            for (event, to) in edges {
                declared.insert(Edge(from: from, event: event, to: to))
                // The host's answer leads to one of two states.
                let isOfHost = event == .forwarded || event == .answered && (from == .asking || from == .challenged)
                if isOfHost { declared.insert(Edge(from: from, event: event, to: .declined)) }
            }
        }
        #expect(declared.subtracting(observed).isEmpty, "\(declared.subtracting(observed))")
        #expect(observed.subtracting(declared).isEmpty, "\(observed.subtracting(declared))")
        #expect(Set(observed.map(\.to)).union([.began]) == Set(JournaledTap.State.allCases))
    }

    @Test("From every open state an end can be reached, and a closed payment stays closed")
    func everyStateHasAnExit() {
        for state in JournaledTap.State.allCases {
            var reached: Set<JournaledTap.State> = [state]
            for _ in JournaledTap.State.allCases {
                for from in reached { reached.formUnion(JournaledTap.edges[from]?.values.map { $0 } ?? []) }
            }
            #expect(reached.contains(.closed), "\(state)")
        }
        #expect(Set(JournaledTap.edges[.closed]!.values) == [.closed])
    }

    @Test func amountsStayBelowTheCeiling() throws {
        let intent = with(TapIntent(amount: eur(1250), counter: 1, moment: noon)) { $0.ceiling = eur(2000) }
        var tap = JournaledTap(Sample.key, intent, at: JournaledTapTests.moment)
        try tap.apply(.changed(eur(2000)), at: JournaledTapTests.moment)
        #expect(tap.amount == eur(2000))
        #expect(throws: JournalError.outOfOrder(.began)) {
            try tap.apply(.changed(eur(2001)), at: JournaledTapTests.moment)
        }
        #expect(throws: JournalError.outOfOrder(.began)) {
            try tap.apply(.changed(Money(minorUnits: 1, currency: .usd)), at: JournaledTapTests.moment)
        }
    }

    @Test func anEventSurvivesItsEncoding() throws {
        let tap = JournaledTap(Sample.key, JournaledTapTests.intent, at: JournaledTapTests.moment)
        for event in JournaledTapTests.events(for: tap) {
            let entry = JournalEntry(number: 7, key: Sample.key, moment: JournaledTapTests.moment, event: event)
            let text = try JSONEncoder().encode(entry)
            #expect(try JSONDecoder().decode(JournalEntry.self, from: text) == entry, "\(event.name)")
        }
    }

    // MARK: Counters and clocks

    @Test("L6: 9F41 grows over 1,000 restarts, and wraps once")
    func countersContinue() async throws {
        var entries: [JournalEntry] = [], counters: [UInt32] = []
        // A file is opened at every start.
        let isFile = JournalKind.current == .file
        for start in 0..<(isFile ? 100 : 1_000) {
            let journal = try TestJournal(entries)
            for tap in 0..<2 {
                let counter = await journal.nextCounter(from: isFile ? 99_999_900 : 99_999_000)
                // This tap never begins.
                if start % 7 == 3 && tap == 1 { continue }
                counters.append(counter)
                let intent = TapIntent(amount: eur(1), counter: counter, moment: noon)
                try await journal.append([.began(intent)], to: ReconciliationKey())
            }
            // A closed payment is removed after its retention time.
            entries = try await journal.entries().suffix(20)
        }
        let drops = zip(counters, counters.dropFirst()).filter { $0 >= $1 }
        #expect(drops.count == 1 && drops.allSatisfy { $0.0 == 99_999_999 && $0.1 == 1 })
        #expect(Set(counters).count == counters.count)
    }

    @Test("L32: ages are measured by what nobody can turn", arguments: [-315_360_000, -86_400, 86_400, 315_360_000])
    func clocksAreTurned(_ seconds: Int64) async throws {
        let time = TestTime()
        let journal = TestJournal(clock: time.clock)
        let key = try await deferred(journal, eur(100), card: "one")
        await time.advance(seconds: 60)
        await time.turnWall(seconds: seconds)
        #expect(await journal.standing().oldest == .seconds(60))
        try await journal.append([.forwarding(attempt: 1)], to: key)
        #expect(try await journal.entries().map(\.event).contains(.clockJumped(seconds: seconds)))
        await time.advance(seconds: 60)
        #expect(await journal.standing().oldest == .seconds(120))
        // After a restart of the machine the wall clock counts, but only forwards.
        await time.restart(off: 30)
        #expect(await journal.standing().oldest == .seconds(90 + 60))
        await time.restart(off: 0, wall: -1_000_000)
        #expect(try #require(await journal.standing().oldest) >= .seconds(60))
        #expect(await journal.tap(key)?.state == .forwarding, "nothing expires by itself")
    }

    // MARK: Sales

    private func began(
        _ journal: TestJournal, _ amount: UInt64, _ sale: SaleReference, due: UInt64? = nil,
        kind: Receipt.Kind = .purchase
    ) async throws -> ReconciliationKey {
        let key = ReconciliationKey()
        let intent = TapIntent(
            sale: sale, kind: kind, amount: eur(amount), due: due.map { eur($0) }, counter: 1, moment: noon)
        try await journal.append([.began(intent)], to: key)
        return key
    }

    private func approved(_ journal: TestJournal, _ key: ReconciliationKey, part: UInt64? = nil) async throws {
        try await journal.append([.read(JournaledTapTests.read), .asking(attempt: 1, deadline: .zero)], to: key)
        let approval = Approval(approvedAmount: part.map { eur($0) })
        try await journal.append([.answered(.approved(approval)), .erased(.account)], to: key)
    }

    @Test("L2: a sale is paid once, in as many parts as its price has")
    func salesArePaidOnce() async throws {
        let journal = TestJournal()
        let whole = SaleReference.order(1)
        let first = try await began(journal, 1000, whole)
        // A double click.
        await #expect(throws: JournalError.saleOpen(first)) { try await began(journal, 1000, whole) }
        try await approved(journal, first)
        await #expect(throws: JournalError.saleSettled(whole)) { try await began(journal, 1000, whole) }
        // An approved part leaves the rest open.
        let parts = SaleReference.order(2)
        try await approved(journal, try await began(journal, 6000, parts, due: 10_000))
        await #expect(throws: JournalError.beyondSale(left: eur(4000))) {
            try await began(journal, 4001, parts, due: 10_000)
        }
        try await approved(journal, try await began(journal, 4000, parts, due: 10_000), part: 3000)
        let last = try await began(journal, 1000, parts, due: 10_000)
        await #expect(throws: JournalError.saleOpen(last)) { try await began(journal, 1, parts, due: 10_000) }
        // A payment that was not made leaves the whole amount open.
        let retried = SaleReference.order(3)
        try await journal.append([.closed], to: try await began(journal, 500, retried))
        _ = try await began(journal, 500, retried)
        // Refunds are counted separately.
        _ = try await began(journal, 1000, whole, kind: .refund)
        await #expect(throws: JournalError.self) { try await began(journal, 1000, whole, kind: .refund) }
    }

    @Test("L2: what may have been paid counts as paid")
    func unknownTapsBlock() async throws {
        let journal = TestJournal()
        let key = try await began(journal, 1000, .order(1))
        try await journal.append([.read(JournaledTapTests.read), .asking(attempt: 1, deadline: .zero)], to: key)
        try await journal.append([.reversing(.timedOut)], to: key)
        await #expect(throws: JournalError.saleOpen(key)) { try await began(journal, 1000, .order(1)) }
        try await journal.append([.reversed], to: key)
        _ = try await began(journal, 1000, .order(1))
    }

    // MARK: Offline

    private func deferred(_ journal: TestJournal, _ amount: Money, card: String) async throws -> ReconciliationKey {
        let key = ReconciliationKey()
        let read = StoredRead(
            authorization: .onlineRequired, cvm: .none, maskedPAN: nil, clearRecord: CardData([]),
            payload: Sample.stored.payload, fingerprint: Fingerprint(rawValue: card))
        try await journal.append([.began(TapIntent(amount: amount, counter: 1, moment: noon))], to: key)
        try await journal.append([.read(read), .asking(attempt: 1, deadline: .zero)], to: key)
        try await journal.append([.queued(.deferredAuthorization)], to: key, within: .ofTests)
        return key
    }

    private func refusal(
        _ journal: TestJournal, _ amount: Money, card: String = "new"
    ) async -> OfflineLimits.Rule? {
        do throws(JournalError) {
            do { _ = try await deferred(journal, amount, card: card) } catch let error as JournalError {
                throw error
            } catch { return nil }
            return nil
        } catch {
            if case .limit(let rule) = error { return rule }
            return nil
        }
    }

    @Test("L26: every limit is checked with the writing")
    func limitsAreChecked() async throws {
        let time = TestTime()
        let journal = TestJournal(clock: time.clock)
        #expect(await refusal(journal, eur(20_001)) == .perTap)
        #expect(await refusal(journal, Money(minorUnits: 1, currency: .usd)) == .currency)
        _ = try await deferred(journal, eur(20_000), card: "one")
        #expect(await refusal(journal, eur(10_001), card: "one") == .perCardAmount)
        _ = try await deferred(journal, eur(5_000), card: "one")
        #expect(await refusal(journal, eur(1), card: "one") == .perCardCount)
        for card in 2...4 { _ = try await deferred(journal, eur(20_000), card: "\(card)") }
        #expect(await refusal(journal, eur(15_001)) == .total)
        for card in 5...9 { _ = try await deferred(journal, eur(1), card: "\(card)") }
        #expect(await refusal(journal, eur(1)) == .count)
        #expect(await journal.standing().deferred.count == 10)
        await time.advance(seconds: 86_400)
        #expect(await refusal(journal, eur(1)) == .count)
    }

    @Test("L26: the age of the oldest, and of the last word of the host")
    func agesLimit() async throws {
        let time = TestTime()
        let journal = TestJournal(clock: time.clock)
        _ = try await deferred(journal, eur(1), card: "one")
        await time.advance(seconds: 86_399)
        _ = try await deferred(journal, eur(1), card: "two")
        await time.advance(seconds: 1)
        #expect(await refusal(journal, eur(1)) == .oldest)
        let other = TestJournal(clock: time.clock)
        let key = try await began(other, 100, .order(1))
        try await approved(other, key)
        var limits = OfflineLimits.ofTests
        limits.sinceHost = .seconds(86_400)
        #expect(limits.stops(eur(1), at: await other.standing()) == nil)
        await time.advance(seconds: 86_401)
        #expect(limits.stops(eur(1), at: await other.standing()) == .sinceHost)
        // The host has never answered: its address may be wrong.
        #expect(limits.stops(eur(1), at: JournalStanding()) == .sinceHost)
    }

    @Test("L26: two readers at one journal cannot go further together than one alone")
    func twoReadersShareTheLimit() async throws {
        let journal = TestJournal()
        await withTaskGroup(of: Void.self) { group in
            for reader in 0..<2 {
                group.addTask {
                    for tap in 0..<20 {
                        _ = try? await self.deferred(journal, eur(9_000), card: "\(reader)-\(tap)")
                    }
                }
            }
        }
        let deferred = await journal.standing().deferred
        #expect(deferred.count == 10 && deferred.amounts[.eur] == 90_000)
    }

    /// All combinations against a second implementation of the rule.
    @Test("L25: only what certainly did not leave, and what an issuer can decide on from the record, is deferred")
    func deferralTable() {
        let policy = OfflinePolicy(limits: .ofTests, neverDefer: [[0xA0, 0, 0, 0, 0x04]])
        var allowed = 0
        for number in 0..<2_048 {
            func bit(_ place: Int) -> Bool { number >> place & 1 == 1 }
            let given: [Problem.Code] = bit(0) ? [.hostUnreachable] : [.authorizationTimedOut, .hostUnreachable]
            let deferral = Deferral(
                problems: given, attempts: bit(1) ? 1 : 2, kind: bit(2) ? .purchase : .cashBack, wantsPIN: !bit(3),
                hasPIN: !bit(4), isChallenged: !bit(5), application: [0xA0, 0, 0, 0, bit(6) ? 0x03 : 0x04, 0x10],
                isSealed: bit(7), hasFingerprint: bit(8),
                findings: bit(10) ? [.testKey, .luhn] : [.testKey, .cdcvmUnauthenticated])
            #expect(deferral.isAllowed(by: bit(9) ? policy : nil) == (number == 2_047), "\(deferral)")
            allowed += deferral.isAllowed(by: policy) ? 1 : 0
        }
        #expect(allowed == 2)
        for kind in Receipt.Kind.allCases where kind != .purchase {
            let deferral = Deferral(
                problems: [.hostUnreachable], attempts: 1, kind: kind, wantsPIN: false, hasPIN: false,
                isChallenged: false, application: [], isSealed: true, hasFingerprint: true, findings: [])
            #expect(!deferral.isAllowed(by: policy))
        }
        for finding in Findings.doubtful.names.compactMap(Findings.init(name:)) {
            var deferral = Deferral(
                problems: [.hostUnreachable], attempts: 1, kind: .purchase, wantsPIN: false, hasPIN: false,
                isChallenged: false, application: [], isSealed: true, hasFingerprint: true, findings: finding)
            #expect(!deferral.isAllowed(by: policy))
            #expect(deferral.isAllowed(by: OfflinePolicy(limits: .ofTests, defersDoubtful: true)))
            deferral.findings = []
            #expect(deferral.isAllowed(by: policy))
        }
    }

    // MARK: Follow-ups

    /// Checked against a ledger of plain numbers.
    @Test("L36: captures stay within what was authorised and the tip, refunds within what was captured")
    func followUpsAddUp() async throws {
        for seed in 1...200 {
            var random = SeededRandom(seed: UInt64(seed))
            let isEstimated = Bool.random(using: &random), tip = UInt64.random(in: 0...300, using: &random)
            let journal = TestJournal(allowedTip: tip), original = ReconciliationKey()
            let intent = with(TapIntent(amount: eur(1_000), counter: 1, moment: noon)) { $0.isEstimated = isEstimated }
            try await journal.append([.began(intent)], to: original)
            try await approved(journal, original)
            var authorized = 1_000, captured = isEstimated ? 0 : 1_000, refunded = 0, tips = 0, isVoid = false
            for _ in 0..<12 {
                let amount = Int.random(in: 0...700, using: &random), part = Int.random(in: 0...200, using: &random)
                let action: FollowUp.Action, isRight: Bool
                switch Int.random(in: 0..<4, using: &random) {
                case 0:
                    action = .capture(eur(UInt64(amount)), tip: eur(UInt64(part)))
                    isRight =
                        isEstimated && amount > 0 && part <= amount
                        && captured + amount <= authorized + min(Int(tip), tips + part)
                case 1:
                    action = .increment(eur(UInt64(amount)))
                    isRight = isEstimated && captured == 0 && amount > 0
                case 2:
                    action = .refund(eur(UInt64(amount)))
                    isRight = amount > 0 && refunded + amount <= captured
                default:
                    action = .void
                    isRight = refunded == 0 && (!isEstimated || captured == 0)
                }
                let followUp = FollowUp(action, of: original)
                let settlement = Settlement(journal, with: SimulatedHost(), timer: StillClock())
                do throws(JournalError) {
                    try await settlement.submit(followUp, moment: noon)
                    #expect(isRight && !isVoid, "seed \(seed): \(action)")
                    // Submitting it again changes nothing.
                    try await settlement.submit(followUp, moment: noon)
                } catch {
                    #expect(!(isRight && !isVoid), "seed \(seed): \(action)")
                    let isKnown = FollowUp.Refusal.allCases.contains { error == .followUpRefused($0, of: original) }
                    #expect(isKnown && (error == .followUpRefused(.voided, of: original)) == isVoid, "seed \(seed)")
                    continue
                }
                _ = await settlement.forwardNow()
                switch action {
                case .capture:
                    captured += amount
                    tips += part
                case .increment: authorized += amount
                case .refund: refunded += amount
                case .void: isVoid = true
                }
            }
        }
    }
}
