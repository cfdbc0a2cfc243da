// SPDX-License-Identifier: Apache-2.0
import EMVSimulator
import Foundation
import TestWaiting
import Testing
@testable import EMVKernel
@testable import EMVKit
@testable import EMVPOS

/// Every open payment in a journal is settled, and the host has booked what the journal states.
@Suite(.everyJournal, .timeLimit(.minutes(30))) struct SettlementTests {
    private static let policy = SettlementPolicy(jitter: 0)
    private static let merchant = Merchant("Shop")

    private func settlement(
        _ journal: any Journal, _ host: any DeliveringAuthorizer, timer: any Clock<Duration> = StillClock(),
        _ policy: SettlementPolicy = policy
    ) -> Settlement {
        Settlement(journal, with: host, policy: policy, timer: timer)
    }

    private func restarted(_ journal: any Journal, _ clock: JournalClock = .system) async throws -> TestJournal {
        try TestJournal(try await journal.entries(), clock: clock)
    }

    /// - Returns: keys, in order.
    @discardableResult
    private func deferPayments(
        _ count: Int, _ journal: any Journal, _ host: SimulatedHost, cards: Int = 100
    ) async throws -> [ReconciliationKey] {
        var keys: [ReconciliationKey] = []
        for number in 0..<count {
            let key = ReconciliationKey()
            let counter = 1_000 - number
            let clear = CardData(
                ([
                    0x9F26: [UInt8(number >> 8), UInt8(number & 0xFF)],
                    0x9F36: [UInt8(counter >> 8), UInt8(counter & 0xFF)],
                ]
                    as DataObjects).encoded)
            let read = StoredRead(
                authorization: .onlineRequired, cvm: .none, maskedPAN: nil, clearRecord: clear,
                payload: Sample.stored.payload, fingerprint: Fingerprint(rawValue: "\(number % cards)"))
            let intent = TapIntent(amount: eur(UInt64(100 + number)), counter: UInt32(number + 1), moment: noon)
            try await journal.append([.began(intent)], to: key)
            try await journal.append([.read(read), .asking(attempt: 1, deadline: .seconds(30))], to: key)
            try await journal.append([.queued(.deferredAuthorization)], to: key)
            keys.append(key)
        }
        return keys
    }

    /// A journal in which a payment advances at the very moment when a settlement closes it.
    private actor Overtaken: Journal {
        let journal: TestJournal
        let key: ReconciliationKey

        init(_ journal: TestJournal, _ key: ReconciliationKey) {
            self.journal = journal
            self.key = key
        }

        func append(
            _ events: [JournalEvent], to key: ReconciliationKey, within limits: OfflineLimits?
        ) async throws(JournalError) {
            let isClosing = events.contains { $0.name == .closed || $0.name == .erased }
            if key == self.key, isClosing { throw .outOfOrder(.closed) }
            try await journal.append(events, to: key, within: limits)
        }

        func open() async -> [JournaledTap] { await journal.open() }
        func tap(_ key: ReconciliationKey) async -> JournaledTap? { await journal.tap(key) }
        func taps(of sale: SaleReference) async -> [JournaledTap] { await journal.taps(of: sale) }
        func standing() async -> JournalStanding { await journal.standing() }
        func nextCounter(from first: UInt32) async -> UInt32 { await journal.nextCounter(from: first) }
        func entries(after number: UInt64, limit: Int) async -> [JournalEntry] {
            await journal.entries(after: number, limit: limit)
        }
    }

    @Test("L30: a payment that somebody closes meanwhile holds up nothing", arguments: [true, false])
    func overtakenPaymentsHoldUpNothing(_ isRemembered: Bool) async throws {
        let time = TestTime(), journal = TestJournal(clock: time.clock), host = SimulatedHost()
        let key = ReconciliationKey()
        let read = StoredRead(
            authorization: .onlineRequired, cvm: .none, maskedPAN: nil, clearRecord: CardData([]),
            fingerprint: isRemembered ? Fingerprint(rawValue: "card") : nil)
        try await journal.append([.began(TapIntent(amount: eur(5), counter: 7, moment: noon))], to: key)
        try await journal.append([.read(read), .asking(attempt: 1, deadline: .seconds(30))], to: key)
        try await journal.append([.answered(.approved(Approval())), .acknowledged], to: key)
        await time.advance(seconds: 86_400)
        let waiting = try await deferPayments(3, journal, host)
        let settlement = settlement(Overtaken(journal, key), host)
        _ = await settlement.forwardNow()
        #expect(Set(await host.records.map(\.key)) == Set(waiting))
    }

    // MARK: Recovery

    private static let taps: [(SimulatedTap, [SimulatedHost.Answer], [SimulatedHost.Fault])] = [
        (.approve, [], []), (.decline, [], []), (.noCard, [], []), (.online, [.approve], []),
        (.online, [.decline("51")], []), (.online, [.requestPIN, .approve], []), (.online, [], [.unreachable]),
        (.online, [], [.loseAnswer]), (.online, [], [.loseRequest]), (.online, [], [.late]),
        (.onlinePIN, [.approve], []), (.online, [], [.loseAnswer, .loseRequest, .loseAnswer]),
        (.online, [], [.twice, .twice]),
    ]

    /// The process ends before, or right after, each append; the next process recovers without card, reader or app.
    @Test("L18, L20: wherever the process ends, host and journal agree after recovery", arguments: 0..<taps.count)
    func crashesAreRecovered(_ index: Int) async throws {
        let (tap, answers, faults) = SettlementTests.taps[index]
        for number in 1...8 {
            for stop in [WatchedJournal.Stop.crashBefore(number), .crashAfter(number)] {
                let memory = TestJournal(), journal = WatchedJournal(memory, stop: stop), host = SimulatedHost()
                await host.answer(answers)
                await host.meet(faults)
                let shop = try await Shop(journal, tap, offline: OfflinePolicy(limits: .ofTests))
                let sale = Task {
                    guard let read = await shop.read().read else { return AuthorizationResult?.none }
                    return await shop.session.authorize(read, with: host, pinPad: SimulatedPINPad())
                }
                _ = await either({ _ = await sale.value }, { await journal.crashed() })
                let label: Comment = "\(tap) \(answers) \(faults) \(stop)"
                let later = try await restarted(memory)
                let settlement = settlement(later, host)
                let told = try await settlement.recover()
                await host.deliverLate()
                // A transfer that fails at first succeeds later.
                var standing = await settlement.forwardNow()
                for _ in faults { standing = await settlement.forwardNow() }
                #expect(
                    standing.unresolved.count == 0 && standing.deferred.count == 0 && standing.unreported.count == 0,
                    label)
                #expect(try await later.totals().differences(from: host.booked) == [], label)
                for settled in told where settled.ending.name == .approved {
                    #expect(await host.booked[settled.key] != nil, label)
                }
                for settled in told { try await settlement.acknowledge(settled.key) }
                for tap in await later.open() where tap.isToTell { try await settlement.acknowledge(tap.key) }
                #expect(await later.standing().isSettled, label)
            }
        }
    }

    @Test("L18: what the host says of a lost answer counts, by policy", arguments: [false, true])
    func statusDecides(_ keeps: Bool) async throws {
        for answer in [SimulatedHost.Answer.approve, .decline("51")] {
            let memory = TestJournal(), host = SimulatedHost()
            await host.answer([answer])
            // The answer never reaches the journal.
            let journal = WatchedJournal(memory, stop: .crashBefore(3))
            let shop = try await Shop(journal, .online)
            let read = try #require(await shop.read().read), key = try #require(read.key)
            let sale = Task { await shop.session.authorize(read, with: host) }
            await journal.crashed()
            let later = try await restarted(memory)
            let told = try await settlement(
                later, host, SettlementPolicy(keepsApprovals: keeps, jitter: 0)
            ).recover()
            let ending = try #require(told.first?.ending.name)
            #expect(told.map(\.key) == [key])
            switch answer {
            case .approve: #expect(ending == (keeps ? .approved : .notCompleted))
            default: #expect(ending == .declined)
            }
            #expect(try await later.totals().differences(from: host.booked) == [])
            #expect(await host.reversals.count == (answer == .approve && !keeps ? 1 : 0))
            sale.cancel()
        }
    }

    @Test("L19: a request that arrives after its reversal is never booked", arguments: [true, false])
    func reversalsAreTombstones(_ offersStatus: Bool) async throws {
        let memory = TestJournal(), host = SimulatedHost(offersStatus: offersStatus)
        await host.meet([.late])
        let journal = WatchedJournal(memory, stop: .crashBefore(3))
        let shop = try await Shop(journal, .online)
        let read = try #require(await shop.read().read)
        let sale = Task { await shop.session.authorize(read, with: host) }
        await journal.crashed()
        let later = try await restarted(memory)
        #expect(try await settlement(later, host).recover().map(\.ending.name) == [.notCompleted])
        #expect(await host.reversals.count == 1)
        #expect(await host.lateCount == 1)
        await host.deliverLate()
        #expect(await host.booked.isEmpty)
        sale.cancel()
    }

    @Test("L21: reversals are repeated without end, and a person is told after six failures")
    func reversalsGoOn() async throws {
        let time = TestTime(), clock = LeapingClock(time), host = SimulatedHost()
        let journal = TestJournal(clock: time.clock)
        await host.meet([.loseAnswer])
        await host.meetAlways(.loseRequest)
        let payment = try await Shop(journal, .online).pay(with: host)
        #expect(payment.result == .unknown(payment.key))
        let policy = SettlementPolicy(jitter: 0, interval: .seconds(900))
        let settlement = settlement(journal, host, timer: clock, policy)
        let events = settlement.events()
        let told = Task {
            var all: [SettlementEvent] = []
            for await event in events {
                all.append(event)
                if case .settled = event { break }
            }
            return all
        }
        let running = Task { await settlement.run() }
        try await waitUntil("three days to pass") { clock.total >= .seconds(3 * 86_400) }
        let before = await host.reversals.count
        #expect(before == 0 && clock.total >= .seconds(3 * 86_400))
        #expect(await journal.tap(payment.key)?.state == .reversing)
        await host.meetAlways(.none)
        let heard = await told.value
        running.cancel()
        #expect(heard.first == .unresolved(payment.key, attempts: 6))
        guard case .settled(let settled)? = heard.last else { Issue.record("\(heard)"); return }
        #expect(settled.ending == .notCompleted)
        #expect(await host.booked.isEmpty)
        #expect(await host.reversals.last?.isRepeat == true)
    }

    @Test("L21: pauses between reversals double up to their longest")
    func pausesGrow() {
        let pauses = (1...12).map { SettlementTests.policy.pause(after: $0, spread: 1) }
        #expect(pauses.prefix(4) == [.seconds(1), .seconds(2), .seconds(4), .seconds(8)])
        #expect(pauses.last == .seconds(900) && zip(pauses, pauses.dropFirst()).allSatisfy { $0 <= $1 })
        for failures in 1...12 {
            let plain = SettlementTests.policy.pause(after: failures, spread: 0)
            for (spread, part) in [(-1, 0.8), (0, 1), (1, 1.2)] as [(Double, Double)] {
                #expect(SettlementPolicy(jitter: 0.2).pause(after: failures, spread: spread) == plain * part)
            }
        }
    }

    @Test("L23: a result that was unknown has an end, in the receipt and in the report to support, too")
    func unknownHasAnEnd() async throws {
        let journal = TestJournal(), host = SimulatedHost()
        await host.meet([.loseAnswer, .loseRequest, .loseRequest])
        let shop = try await Shop(journal, .online)
        let outcome = await shop.read(), read = try #require(outcome.read)
        let result = await shop.session.authorize(read, with: host)
        let receipt = try #require(Receipt(read, result, merchant: SettlementTests.merchant))
        #expect(result.name == .unknown && receipt.result == .unknown)
        let settlement = settlement(journal, host)
        _ = await settlement.forwardNow()
        let key = try #require(read.key)
        let settled = try #require(try await settlement.settled(key))
        #expect(settled.ending == .notCompleted)
        #expect(receipt.updated(by: settled)?.result == .notCompleted)
        #expect(SupportReport(outcome, authorization: result, settled: settled).settlement == .notCompleted)
    }

    // MARK: Restored journals

    @Test("P9: of a restored journal nothing is reversed until a person decides; the host tells, if it can be asked")
    func restoredPaymentsAreHeld() async throws {
        let journal = TestJournal(), host = SimulatedHost()
        var keys: [ReconciliationKey] = []
        await host.answer([.approve, .approve, .decline("51")])
        for number in 0..<4 {
            let shop = try await Shop(journal, .online)
            // Nothing about the last payment arrives, not even the reader's reversal.
            if number == 3 { await host.meetAlways(.loseRequest) }
            keys.append(try await shop.pay(1250, with: host).key)
        }
        await host.calm()
        // The entries as in a backup that was made before the answers.
        var entries: [JournalEntry] = []
        for entry in try await journal.entries() {
            guard [.began, .read, .asking].contains(entry.event.name) else { continue }
            let number = UInt64(entries.count + 1)
            entries.append(JournalEntry(number: number, key: entry.key, moment: entry.moment, event: entry.event))
        }
        let restored = try TestJournal(entries)
        for key in keys { try await restored.append([.restored], to: key) }
        #expect(await restored.standing().restored.count == 4)
        #expect(await restored.standing().restored.amounts == [.eur: 5_000])
        let before = await host.booked
        #expect(before.count == 2)

        let deaf = SimulatedHost(ledger: await host.ledger, offersStatus: false)
        let alone = settlement(restored, deaf), events = alone.events()
        #expect(try await alone.recover().map(\.ending) == Array(repeating: .unknown, count: 4))
        for _ in 0..<8 { _ = await alone.forwardNow() }
        #expect(await deaf.reversals.isEmpty)
        #expect(await deaf.booked == before)
        var told: [SettlementEvent] = []
        for await event in events {
            if case .restored = event { told.append(event) }
            if told.count == 4 { break }
        }
        #expect(told == keys.map { .restored($0) })
        // A later start knows it, too.
        let later = try await restarted(restored), settlement = settlement(later, host)
        let settled = try await settlement.recover()
        #expect(settled.map(\.key) == keys)
        #expect(settled.map(\.effect) == [.booked, .booked, .nothingBooked, .mayBeBooked])
        #expect(await host.reversals.isEmpty)
        #expect(await host.booked == before)
        #expect(await later.standing().restored.count == 1)
        // The host does not know the last payment: a person decides, and the request may have arrived meanwhile.
        try await settlement.withdraw(keys[3])
        #expect(await host.reversals.map(\.key) == [keys[3]])
        #expect(await host.booked == before)
        #expect(try await settlement.settled(keys[3])?.ending == .notCompleted)
        #expect(await later.standing().restored.count == 0)
        #expect(try await later.totals().differences(from: before) == [])
        // Or the person writes it off.
        let person = Operator(id: "7", role: .administrator)
        try await alone.writeOff(keys[3], by: person, reason: "not known to the provider")
        #expect(try await alone.settled(keys[3])?.ending == .writtenOff)
        #expect(await restored.standing().restored.count == 3)
    }

    // MARK: Payments that the host has yet to book

    @Test("L20: while forwarding and selling at once, with answers lost, every key is booked once")
    func everyKeyIsBookedOnce() async throws {
        var random = SeededRandom(seed: 20)
        let journal = TestJournal(), host = SimulatedHost()
        try await deferPayments(50, journal, host)
        let faults = (0..<400).map { _ in
            Int.random(in: 0..<3, using: &random) > 0
                ? SimulatedHost.Fault.none : [.loseAnswer, .loseRequest, .twice].randomElement(using: &random)!
        }
        await host.meet(faults)
        let settlement = settlement(journal, host)
        let shop = try await Shop(journal, .online)
        async let draining: Void = {
            for _ in 0..<200 {
                guard await settlement.forwardNow().deferred.count > 0 else { return }
                await Task.yield()
            }
        }()
        for _ in 0..<20 { _ = try await shop.pay(with: host) }
        await draining
        await host.meetAlways(.none)
        let standing = await settlement.forwardNow()
        #expect(standing.deferred.count == 0 && standing.unresolved.count == 0)
        #expect(try await journal.totals().differences(from: host.booked) == [])
        #expect(await host.records.contains { $0.isRepeat }, "a repeat is marked")
        #expect(Set(await host.records.map(\.key)).count == 50)
    }

    @Test("L30: by acceptance, of one card by its counter; one that is refused or malformed holds up nobody")
    func forwardingIsInOrder() async throws {
        let journal = TestJournal(), host = SimulatedHost()
        let keys = try await deferPayments(100, journal, host, cards: 40)
        await host.answer(.malformed("field 4, 4761739001010119"), to: keys[0])
        let settlement = settlement(journal, host)
        let standing = await settlement.forwardNow()
        #expect(standing.deferred.count == 0 && standing.setAside.count == 1)
        let sent = await host.records
        #expect(sent.count == 100)
        var counters: [Fingerprint: [Int]] = [:]
        for record in sent {
            counters[try #require(record.read?.fingerprint), default: []].append(record.read?.transactionCounter ?? 0)
        }
        // The counters were made to decrease, so the order of acceptance differs from that of the counters.
        #expect(counters.values.allSatisfy { $0 == $0.sorted() } && counters.values.contains { $0.count == 3 })
        let poison = try #require(try await settlement.settled(keys[0]))
        #expect(poison.ending == .setAside("field 4, 47617***********"))
        // A person writes it off.
        try await settlement.writeOff(keys[0], by: Operator(id: "7", role: .administrator), reason: "host refuses it")
        let settled = try #require(try await settlement.settled(keys[0]))
        #expect(settled.ending == .writtenOff)
        // The host's booking of it is unknown, now and after it is closed.
        try await settlement.acknowledge(settled)
        #expect(try await journal.tap(keys[0])?.state == .closed)
        #expect(try await settlement.settled(keys[0])?.ending == .writtenOff)
    }

    @Test("L30: a record that waits holds back later ones of its card, and no other")
    func waitingHoldsBackItsCard() async throws {
        let journal = TestJournal(), host = SimulatedHost()
        let keys = try await deferPayments(4, journal, host, cards: 2)
        // Of card 0 the later payment has the lower counter, so it is sent first.
        await host.answer(.retryLater(after: .seconds(60)), to: keys[2])
        let settlement = settlement(journal, host)
        let standing = await settlement.forwardNow()
        #expect(standing.deferred.count == 2)
        #expect(await host.records.map(\.key) == [keys[2], keys[3], keys[1]])
    }

    @Test("L29: a deferred payment is withdrawn before it is sent, and reversed afterwards")
    func withdrawnBeforeAndAfterSending() async throws {
        let journal = TestJournal(), host = SimulatedHost()
        let keys = try await deferPayments(3, journal, host)
        let settlement = settlement(journal, host)
        try await settlement.withdraw(keys[0])
        #expect(await journal.tap(keys[0])?.state == .withdrawn)
        let withdrawn = await journal.tap(keys[0])?.read
        #expect(withdrawn?.payload == nil && withdrawn?.fingerprint == nil)
        #expect(await host.records.isEmpty)
        // The request may have reached the host.
        await host.meet([.loseAnswer, .loseRequest])
        _ = await settlement.forwardNow()
        #expect(await journal.tap(keys[1])?.state == .forwarding)
        try await settlement.withdraw(keys[1])
        #expect(await journal.tap(keys[1])?.state == .reversed)
        #expect(await host.booked.isEmpty)
        // The host has booked it.
        _ = await settlement.forwardNow()
        #expect(await host.booked.count == 1)
        try await settlement.withdraw(keys[2])
        #expect(await host.booked.isEmpty)
        #expect(try await journal.totals().differences(from: host.booked) == [])
        await #expect(throws: JournalError.outOfOrder(.withdrawn)) { try await settlement.withdraw(keys[0]) }
    }

    @Test("L31: each result is told for its payment, however late")
    func resultsAreTold() async throws {
        let time = TestTime(), journal = TestJournal(clock: time.clock), host = SimulatedHost()
        let keys = try await deferPayments(3, journal, host)
        let settlement = settlement(journal, host)
        for key in keys { try await settlement.acknowledge(key) }
        await time.advance(seconds: 2 * 86_400)
        await host.answer([.approve, .decline("51"), .decline("43")])
        let events = settlement.events()
        let heard = Task {
            var settled: [Settled] = [], ages = 0
            for await event in events {
                if case .settled(let ending) = event { settled.append(ending) }
                if case .ageing = event { ages += 1 }
                if settled.count == 3 { break }
            }
            return settled
        }
        let standing = await settlement.forwardNow()
        #expect(standing.unacknowledged.count == 1)
        let told = await heard.value
        #expect(told.map(\.key) == keys && told.map(\.ending.name) == [.approved, .declined, .declined])
        #expect(told.allSatisfy { $0.isAfterTheFact })
        let retries = told.compactMap { if case .declined(let decline) = $0.ending { decline.mayRetry } else { nil } }
        #expect(retries == [true, false])
        let later = try await restarted(journal, time.clock)
        #expect(try await self.settlement(later, host).recover().map(\.key) == keys)
    }

    @Test("L31: a queue that ages is warned of once")
    func ageingIsWarnedOf() async throws {
        let time = TestTime(), journal = TestJournal(clock: time.clock), host = SimulatedHost()
        try await deferPayments(1, journal, host)
        await host.meetAlways(.loseRequest)
        let settlement = settlement(journal, host)
        let events = settlement.events()
        await time.advance(seconds: 72_000)
        for _ in 0..<3 { _ = await settlement.forwardNow() }
        await host.meetAlways(.none)
        _ = await settlement.forwardNow()
        var ages: [Duration] = []
        for await event in events {
            if case .ageing(let age) = event { ages.append(age) }
            if case .settled = event { break }
        }
        #expect(ages == [.seconds(72_000)])
    }

    @Test("Every event of a long journal is read once and in order, from any number on")
    func longJournalsAreRead() async throws {
        let journal = TestJournal(), host = SimulatedHost()
        try await deferPayments(300, journal, host)
        let all = try await journal.entries()
        #expect(all.map(\.number) == Array(1...1_200))
        for after in [0, 1, 199, 200, 201, 1_199, 1_200] as [UInt64] {
            #expect(try await journal.entries(after: after).map(\.number) == Array((after + 1)..<1_201))
        }
    }

    #if os(Linux)
    @Test("The clock of the machine tells this start of the machine, the time of day and the time since")
    func theMachinesClock() throws {
        func read() -> (wall: Int64, uptime: Int64) {
            (Int64(Date().timeIntervalSince1970), Int64(ProcessInfo.processInfo.systemUptime * 1000))
        }
        let before = read(), now = JournalClock.system.now(), after = read()
        let boot = try String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8)
        #expect(now.boot == boot.trimmingCharacters(in: .whitespacesAndNewlines))
        #expect((before.wall...after.wall).contains(now.wall) && (before.uptime...after.uptime).contains(now.uptime))
        #expect(JournalClock.system.now().boot == now.boot)
    }
    #endif

    @Test("L11, L27: account and fingerprint are erased once the host has decided, the fingerprint a day later")
    func accountsAreErased() async throws {
        let time = TestTime(), journal = TestJournal(clock: time.clock), host = SimulatedHost()
        let shop = try await Shop(journal, .online, offline: OfflinePolicy(limits: .ofTests))
        _ = try await shop.pay(with: host)
        #expect(try await journal.entries().allSatisfy { $0.read?.payload == nil && $0.read?.fingerprint == nil })
        await host.meet([.unreachable])
        let key = try await shop.pay(with: host).key
        #expect(await journal.tap(key)?.read?.payload != nil)
        let settlement = settlement(journal, host)
        _ = await settlement.forwardNow()
        try await settlement.acknowledge(key)
        #expect(await journal.tap(key)?.read?.payload == nil)
        #expect(await journal.tap(key)?.read?.fingerprint != nil)
        await time.advance(seconds: 86_400)
        _ = await settlement.forwardNow()
        #expect(await journal.tap(key)?.state == .closed)
        #expect(try await journal.entries().allSatisfy { $0.read?.payload == nil && $0.read?.fingerprint == nil })
    }

    @Test("L27: payments of one account are counted together, by its reference or its fingerprint")
    func accountsAreTold() async throws {
        func read(_ number: Bytes, _ reference: String?) -> CardRead {
            var record: DataObjects = [0x57: number]
            if let reference { record[0x9F24] = Bytes(reference.utf8) }
            let outcome = Outcome(status: .onlineRequest, dataRecord: CardData(record.encoded))
            return CardRead(authorization: .onlineRequired, outcome: outcome)
        }
        func print(_ read: CardRead, isKeyed: Bool = true) async throws -> Fingerprint? {
            try await StoredRead.of(read, sealer: nil, fingerprints: isKeyed ? SimulatedSealer() : nil).fingerprint
        }
        let one: Bytes = [0x47, 0x61, 0x73, 0x90, 0x01, 0x01, 0x01, 0x19, 0xD2, 0x81, 0x22, 0x01]
        let other: Bytes = [0x47, 0x61, 0x73, 0x90, 0x01, 0x01, 0x02, 0x00, 0xD2, 0x81, 0x22, 0x01]
        let tokens = [try await print(read(one, "V123")), try await print(read(other, "V123"))]
        #expect(tokens[0] != nil && tokens[0] == tokens[1])
        let first = try await print(read(one, nil)), again = try await print(read(one, nil))
        let second = try await print(read(other, nil))
        #expect(first == again && first != second)
        #expect(try await print(read(one, nil), isKeyed: false) == nil)
        let name = try #require(try await print(read(one, nil)))
        #expect("\(name)" == "fingerprint" && !name.rawValue.contains("4761739001010119"))
    }

    @Test("L33: with keys rotated and 100 payments in the queue, each payload names the key that opens it")
    func keysInUseAreTold() async throws {
        let journal = TestJournal(), host = SimulatedHost(), names = ["first", "second", "third", "fourth"]
        let limits = OfflineLimits(
            amounts: [OfflineLimits.Amounts(perTap: eur(20_000), perCard: 1_000_000, total: 1_000_000)],
            countPerCard: 101, count: 101, sinceHost: nil)
        await host.meetAlways(.unreachable)
        for (number, name) in names.enumerated() {
            let shop = try await Shop(journal, .online, offline: OfflinePolicy(limits: limits)) {
                $0.sealer = SimulatedSealer(name: name)
            }
            for payment in 0..<25 { _ = try await shop.pay(UInt64(100 + 25 * number + payment), with: host) }
        }
        #expect(await journal.standing().deferred.count == 100)
        #expect(await journal.standing().keysInUse == Set(names.map { Bytes($0.utf8) }))
        // No key exists, so nothing can be sealed and nothing more waits.
        let keyless = try await Shop(journal, .online, isSealed: false)
        #expect(try await keyless.pay(100, with: host).result.name == .failed)
        await host.calm()
        _ = await settlement(journal, host).forwardNow()
        let records = await host.records
        #expect(records.count == 100)
        for record in records {
            let payload = try #require(record.read?.payload), clear = try #require(record.read?.clearRecord)
            let name = names[Int(record.amount.minorUnits - 100) / 25]
            #expect(payload.keyIdentifier == Bytes(name.utf8))
            for other in names {
                let isOpened = SimulatedSealer(name: other).open(payload, context: clear.bytes) != nil
                #expect(isOpened == (other == name))
            }
        }
        #expect(await journal.standing().keysInUse.isEmpty)
    }

    @Test("L35: the issuer recomputes the certificate of an offline approval from the record alone")
    func offlineApprovalsReachTheHost() async throws {
        let journal = TestJournal(), host = SimulatedHost()
        let card = try #require(CardProfile.named("fdda"))
        let payment = try await Shop(journal, card: card).pay(with: host)
        #expect(payment.result == .approved(Approval(origin: .card, responseCode: "Y1")))
        #expect(await journal.standing().unreported.count == 1)
        let settlement = settlement(journal, host)
        await host.meet([.loseAnswer])
        _ = await settlement.forwardNow()
        _ = await settlement.forwardNow()
        let records = await host.records
        #expect(records.count == 2 && records.map(\.isRepeat) == [false, true])
        let record = try #require(records.first), read = try #require(record.read)
        #expect(record.kind == .offlineApproval && record.responseCode == "Y1" && record.amount == eur(1250))
        let payload = try #require(read.payload)
        let account = try #require(SimulatedSealer().open(payload, context: read.clearRecord.bytes))
        let all = CardData(read.clearRecord.bytes + account)
        let objects = Dictionary(all.tags.map { ($0.rawValue, all[$0] ?? []) }, uniquingKeysWith: { first, _ in first })
        #expect(SimulatedIssuer(card.application).accepts(objects))
        for tag in [0x9F26, 0x9F27, 0x9F10, 0x9F37, 0x9F36, 0x95, 0x9A, 0x9C, 0x9F02, 0x5F2A, 0x82, 0x9F1A]
            as [EMVKit.Tag]
        {
            #expect(tag == 0x9F27 || all[tag] != nil, "\(tag)")
        }
        #expect(await journal.standing().unreported.count == 0)
    }

    @Test("L35: an offline approval that the host refuses is for a person, not a decline")
    func refusedAdvicesAreSetAside() async throws {
        let journal = TestJournal(), host = SimulatedHost()
        let payment = try await Shop(journal, card: CardProfile.named("fdda")).pay(with: host)
        await host.answer(.refused(Decline(reason: .issuer, responseCode: "05")), to: payment.key)
        #expect(await settlement(journal, host).forwardNow().setAside.count == 1)
    }

    // MARK: Follow-ups and totals

    @Test("L36: an estimate that is never captured is reversed after its time, and told")
    func estimatesExpire() async throws {
        let time = TestTime(), journal = TestJournal(clock: time.clock), host = SimulatedHost()
        let shop = try await Shop(journal, .online)
        let kept = try await shop.pay(1_000, with: host) { $0.terms = .estimated }
        let left = try await shop.pay(2_000, with: host) { $0.terms = .estimated }
        let settlement = settlement(journal, host, SettlementPolicy(jitter: 0, captureWithin: .seconds(3_600)))
        for payment in [kept, left] { try await settlement.acknowledge(payment.key) }
        try await settlement.submit(FollowUp(.capture(eur(900), tip: nil), of: kept.key), moment: noon)
        await time.advance(seconds: 3_600)
        _ = await settlement.forwardNow()
        #expect(await journal.tap(left.key)?.state == .reversed)
        #expect(await journal.tap(kept.key)?.state == .closed)
        #expect(await host.reversals.map(\.reason) == [.notCaptured])
        #expect(try await settlement.recover().map(\.key).contains(left.key))
        #expect(try await journal.totals().differences(from: host.booked) == [])
    }

    @Test("L38: totals by kind and currency; a booking that the host dropped is named by its key")
    func totalsNameDifferences() async throws {
        let journal = TestJournal(), host = SimulatedHost()
        let shop = try await Shop(journal, .online)
        let first = try await shop.pay(1_000, with: host).key
        _ = try await shop.pay(2_000, with: host)
        await host.meet([.loseAnswer])
        _ = try await shop.pay(4_000, with: host)
        let cut = try #require(try await journal.entries().last?.number)
        let settlement = settlement(journal, host)
        try await settlement.submit(FollowUp(.refund(eur(300)), of: first), moment: noon)
        _ = await settlement.forwardNow()
        let day = try await journal.totals(through: cut)
        #expect(day.lines.map { "\($0.key.kind) \($0.value.count) \($0.value.amount)" } == ["purchase 2 3000"])
        let next = try await journal.totals(after: cut)
        #expect(next.lines.map { "\($0.key.kind) \($0.value.count) \($0.value.amount)" } == ["refund 1 300"])
        var booked = await host.booked
        #expect(try await journal.totals().differences(from: booked) == [])
        booked[first] = nil
        #expect(
            try await journal.totals().differences(from: booked) == [
                JournalTotals.Difference(key: first, journal: eur(1_000), host: nil)
            ])
    }

    // MARK: Receipts

    @Test("L34: a deferred payment is never called approved, and has a second receipt", arguments: Language.builtIn)
    func receiptsOfDeferredPayments(_ language: Language) async throws {
        let journal = TestJournal(), host = SimulatedHost()
        let shop = try await Shop(journal, .online, offline: OfflinePolicy(limits: .ofTests))
        await host.meet([.unreachable, .unreachable])
        let settlement = settlement(journal, host)
        var first: [Receipt] = []
        for amount in [1_000, 2_000] as [UInt64] {
            let read = try #require(await shop.read(amount).read)
            let result = await shop.session.authorize(read, with: host)
            let receipt = try #require(Receipt(read, result, merchant: SettlementTests.merchant))
            try await settlement.acknowledge(try #require(read.key), receipt: receipt)
            first.append(receipt)
        }
        await host.answer([.approve, .decline("51")])
        _ = await settlement.forwardNow()
        var second: [Receipt] = []
        for receipt in first {
            let key = try #require(receipt.reference.flatMap { ReconciliationKey(rawValue: $0) })
            let settled = try #require(try await settlement.settled(key))
            #expect(settled.receipt == receipt)
            second.append(try #require(receipt.updated(by: settled)))
            #expect(second.last?.updated(by: settled) == nil)
        }
        #expect(second.map(\.result) == [.approvedLater, .declinedLater])
        let table = TextCatalogue.builtIn(language)
        for width in Receipt.Width.allCases {
            let texts = (first + second).map { $0.text(width, in: language) }
            for (text, key) in zip(texts, ["accepted", "accepted", "approvedLater", "declinedLater"]) {
                let wanted = try #require(table[TextKey("receipt.\(key)")])
                let joined = text.split(separator: "\n").map { $0.trimmingPrefix(while: \.isWhitespace) }
                #expect(joined.joined(separator: " ").contains(wanted) || joined.joined().contains(wanted), "\(text)")
                let approved = try #require(table[TextKey("receipt.approved")])
                if key == "accepted" { #expect(!text.contains(approved), "\(text)") }
                #expect(text.split(separator: "\n").allSatisfy { DisplayWidth.columns(String($0)) <= width.rawValue })
            }
            #expect(Set(texts).count == 4)
        }
    }
}
