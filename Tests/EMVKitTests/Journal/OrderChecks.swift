// SPDX-License-Identifier: Apache-2.0
import EMVSimulator
import TestWaiting
import Testing
@testable import EMVKernel
@testable import EMVKit
@testable import EMVPOS

/// The order in which readers and settlements write, and their behaviour if they cannot. Each function returns the
/// problems found; an empty list if the order is right.
enum OrderChecks {
    static let answers: [SimulatedAuthorizer.Answer] = [
        .approve, .decline("51"), .requestPIN(times: 1), .unreachable, .timeOut, .loseAnswer,
    ]

    /// A second statement of a payment's order.
    private static func expected(
        _ tap: SimulatedTap, _ answer: SimulatedAuthorizer.Answer
    ) -> [[JournalEvent.Name]] {
        let asked: [[JournalEvent.Name]] = [[.began], [.read, .asking]]
        switch tap.expected {
        case .success where tap == .approve: return [[.began], [.read, .queued]]
        case .declined: return [[.began], [.read, .answered]]
        case .success, .onlinePINRequired:
            switch answer {
            case .approve, .decline: return asked + [[.answered, .erased]]
            case .requestPIN: return asked + [[.challenged], [.asking], [.answered, .erased]]
            case .unreachable: return asked + [[.unsent]]
            default: return asked + [[.reversing], [.reversed, .erased]]
            }
        default: return [[.began], [.closed]]
        }
    }

    /// A transport, an authoriser and a PIN pad that check the journal before each action.
    private actor Witness: CardTransport, Authorizer, PINPad {
        nonisolated var acceptsSimulatedReads: Bool { true }
        let reader: SimulatedReader, host: SimulatedAuthorizer, journal: WatchedJournal
        /// The reader's clock: the deadline passes while the host is silent.
        nonisolated let clock = DeadlineClock()
        private let isSilent: Bool
        let pad = SimulatedPINPad()
        nonisolated let supportsAccessibility = true
        private(set) var failures: [String] = []
        private(set) var announced = 0
        private var key: ReconciliationKey?
        /// The number of appends before the first command to a card.
        private var before: Int?

        init(_ tap: SimulatedTap, _ answer: SimulatedAuthorizer.Answer, _ journal: WatchedJournal) {
            reader = SimulatedReader(tap)
            host = SimulatedAuthorizer(answer)
            isSilent = answer == .timeOut
            self.journal = journal
        }

        private func expect(_ key: ReconciliationKey, _ states: [JournaledTap.State], _ what: String) async {
            let state = await journal.tap(key)?.state
            if !states.contains(where: { $0 == state }) { failures.append("\(what): \(state?.rawValue ?? "nothing")") }
        }

        func begin(_ tap: TapRecord) async {
            announced += 1
            key = tap.key
            await expect(tap.key, [.began], "field")
            await reader.begin(tap)
        }

        func open() async -> ReaderFault? { await reader.open() }
        func fieldOff() async { await reader.fieldOff() }
        func fieldOff(for hold: Duration) async { await reader.fieldOff(for: hold) }

        func waitForCard(_ poll: Poll) async -> CardEvent {
            if journal.cards.isThere { failures.append("a card that is awaited is there for the journal") }
            return await reader.waitForCard(poll)
        }

        func transceive(_ command: Bytes) async -> Exchange {
            if !journal.cards.isThere { failures.append("the journal does not know of the card") }
            if before == nil { before = await journal.count }
            let exchange = await reader.transceive(command)
            if await journal.count != before { failures.append("something is written while a card is talked to") }
            return exchange
        }

        func authorize(_ request: AuthorizationRequest) async throws -> IssuerDecision {
            await expect(request.key, [.asking], "request")
            if isSilent { await clock.letDeadlinePass() }
            return try await host.authorize(request)
        }

        func reverse(_ reversal: Reversal) async throws {
            // If the journal fails, the reversal is still sent.
            if await journal.failed == 0 { await expect(reversal.key, [.reversing], "reversal") }
            try await host.reverse(reversal)
        }

        func collectPIN(_ request: PINRequest) async -> PINEntry {
            if case .issuer = request.reason, let key { await expect(key, [.challenged], "PIN") }
            return await pad.collectPIN(request)
        }

        func note(_ failure: String) { failures.append(failure) }
    }

    /// L3: events come in the order of the table, each before its effect is visible.
    static func order(_ tap: SimulatedTap, _ answer: SimulatedAuthorizer.Answer) async throws -> [String] {
        let journal = WatchedJournal()
        let witness = Witness(tap, answer, journal)
        let reader = tapReader(witness) {
            $0.journal = journal
            $0.sealer = SimulatedSealer()
            $0.timer = witness.clock
        }
        let events = reader.events()
        let display = Task {
            var key: ReconciliationKey?
            for await event in events {
                switch event {
                case .started(let started):
                    key = started
                    if await journal.tap(started) == nil { await witness.note("started") }
                case .prompt(let prompt) where prompt.message == .approved || prompt.message == .approvedSign:
                    let state = if let key { await journal.tap(key)?.state } else { JournaledTap.State?.none }
                    if state != .approved && state != .queued { await witness.note("approved is shown") }
                default: break
                }
            }
        }
        var problems: [String] = []
        let session = try await reader.prepare()
        let outcome = await session.read(PaymentRequest(amount: eur(tap.amount), timeout: .seconds(1)))
        if outcome.name != tap.expected { problems.append("ends as \(outcome)") }
        if journal.cards.isThere { problems.append("a card is left behind") }
        if let read = outcome.read, let key = read.key {
            let result = await session.authorize(read, with: witness, pinPad: witness)
            let state = await journal.tap(key)?.state
            if result.name == .approved, state != .approved, state != .queued {
                problems.append("approved in state \(state?.rawValue ?? "-")")
            }
        }
        let appends = await journal.appends
        if appends != expected(tap, answer) { problems.append("writes \(appends)") }
        display.cancel()
        problems += await witness.failures
        return problems.map { "\(tap) \(answer): \($0)" }
    }

    /// L4: the n-th append fails.
    static func failing(
        _ tap: SimulatedTap, _ answer: SimulatedAuthorizer.Answer, _ number: Int
    ) async throws -> [String] {
        let journal = WatchedJournal(stop: .fail(number))
        let witness = Witness(tap, answer, journal)
        let host = witness.host
        let reader = tapReader(witness) {
            $0.journal = journal
            $0.sealer = SimulatedSealer()
            $0.timer = witness.clock
        }
        let session = try await reader.prepare()
        let outcome = await session.read(PaymentRequest(amount: eur(1250), timeout: .seconds(1)))
        var problems: [String] = []
        func expect(_ holds: Bool, _ what: String) {
            if !holds { problems.append("\(tap) \(answer) \(number): \(what)") }
        }
        if number == 1 {
            expect(outcome == .failed(.journal(.unavailable("test"))), "ends as \(outcome.name)")
            expect(await witness.announced == 0, "the field goes on")
        }
        if tap == .approve, number == 2 {
            expect(outcome == .failed(.journal(.unavailable("test"))), "ends as \(outcome.name)")
            expect(outcome.prompt.message == .processingError, "shows \(outcome.prompt.message)")
            expect(outcome.problems.map(\.code) == [.journalFailed], "says \(outcome.problems)")
        }
        guard let read = outcome.read, let key = read.key else { return problems }
        let result = await session.authorize(read, with: witness, pinPad: witness)
        let stored = await journal.tap(key), booked = await host.ledger[key]
        let said = "\(result), \(stored?.state.rawValue ?? "-")"
        switch result.ending {
        case .approved(let approval):
            expect(stored?.state == (approval.origin == .card ? .queued : .approved), said)
        case .failed, .reversed, .declined: expect(booked != .approved && booked != .open, said)
        case .unknown, .pinRequested, .accepted: expect(false, said)
        }
        if number == 2, tap != .approve, tap != .decline { expect(await host.requests.isEmpty, said) }
        problems += await witness.failures.map { "\(tap) \(answer) \(number): \($0)" }
        return problems
    }

    /// Answers when the test releases it, whether or not a caller still waits.
    actor SlowHost: Authorizer {
        nonisolated var acceptsSimulatedReads: Bool { true }
        let host = SimulatedHost()
        private nonisolated let gate = AsyncStream<Void>.makeStream()
        private(set) var isAsked = false

        nonisolated func answerNow() { gate.continuation.finish() }

        func authorize(_ request: AuthorizationRequest) async throws -> IssuerDecision {
            isAsked = true
            let decision = try await host.authorize(request)
            // Ignores that the caller no longer waits.
            await Task { for await _ in gate.stream {} }.value
            return decision
        }

        func reverse(_ reversal: Reversal) async throws { try await host.reverse(reversal) }
    }

    // MARK: - Settlement

    /// An authoriser that checks the journal before it books.
    private actor HostWitness: DeliveringAuthorizer {
        nonisolated var acceptsSimulatedReads: Bool { true }
        let host: SimulatedHost, journal: WatchedJournal
        private(set) var failures: [String] = []

        init(_ host: SimulatedHost, _ journal: WatchedJournal) {
            self.host = host
            self.journal = journal
        }

        private func expect(_ key: ReconciliationKey, _ states: Set<JournaledTap.State>, _ what: String) async {
            let tap = await journal.tap(key)
            if let tap, states.contains(tap.state) { return }
            failures.append("\(what) in state \(tap?.state.rawValue ?? "-")")
        }

        func authorize(_ request: AuthorizationRequest) async throws -> IssuerDecision {
            try await host.authorize(request)
        }

        func reverse(_ reversal: Reversal) async throws {
            await expect(reversal.key, [.reversing], "reversal")
            try await host.reverse(reversal)
        }

        func status(of key: ReconciliationKey) async throws -> HostStatus {
            await expect(key, [.asking, .forwarding], "status")
            return try await host.status(of: key)
        }

        func deliver(_ record: FinancialRecord) async throws -> Delivery {
            await expect(record.key, [.forwarding], "delivery")
            if await journal.tap(record.key)?.deliveries != record.attempt { failures.append("attempt is not written") }
            return try await host.deliver(record)
        }
    }

    private enum Left: String, CaseIterable {
        case begun, asked, unheard, challenged, accepted, declined, malformed, withdrawn, late, byCard
        var key: ReconciliationKey { ReconciliationKey(rawValue: rawValue)! }
    }

    /// The remains of an earlier process: one payment in each state that a settlement works on.
    private static func left(_ clock: JournalClock) async throws -> TestJournal {
        let journal = TestJournal(clock: clock)
        for (number, left) in Left.allCases.enumerated() {
            let key = left.key
            func read(_ authorization: CardRead.Authorization) -> JournalEvent {
                .read(
                    StoredRead(
                        authorization: authorization, cvm: .none, maskedPAN: nil,
                        clearRecord: CardData([0x9F, 0x26, 0x01, UInt8(number)]), payload: Sample.stored.payload,
                        fingerprint: Fingerprint(rawValue: "\(number)")))
            }
            let ask = [read(.onlineRequired), .asking(attempt: 1, deadline: .seconds(30))]
            let intent = TapIntent(amount: eur(UInt64(100 + number)), counter: UInt32(number + 1), moment: noon)
            try await journal.append([.began(intent)], to: key)
            switch left {
            case .begun: break
            case .asked, .unheard: try await journal.append(ask, to: key)
            case .challenged:
                try await journal.append(ask, to: key)
                try await journal.append([.challenged], to: key)
            case .byCard: try await journal.append([read(.approvedOffline), .queued(.offlineApproval)], to: key)
            default:
                try await journal.append(ask, to: key)
                try await journal.append([.queued(.deferredAuthorization)], to: key)
            }
        }
        return try TestJournal(try await journal.entries(), clock: clock)
    }

    private struct Wrong: Sendable {
        var problems: [String] = []
        var errors = 0
    }

    /// The order in which a settlement writes, step by step. With a stop, the checks are that no action precedes its
    /// event in the journal, and that a later process finishes everything.
    static func settlement(_ stop: WatchedJournal.Stop? = nil) async throws -> [String] {
        let time = TestTime(), memory = try await left(time.clock), host = SimulatedHost()
        let journal = WatchedJournal(memory, stop: stop), witness = HostWitness(host, journal)
        await host.answer(.malformed("cannot be read"), to: Left.malformed.key)
        await host.answer(.refused(Decline(reason: .issuer, responseCode: "51")), to: Left.declined.key)
        let settlement = Settlement(
            journal, with: witness, policy: SettlementPolicy(keepsApprovals: true, jitter: 0), timer: StillClock())
        let said = settlement.events()
        let failures = Task {
            var count = 0
            for await event in said { if case .journalFailed = event { count += 1 } }
            return count
        }
        let script = Task { () -> Wrong in
            var wrong = Wrong()
            func step(
                _ name: String, _ expected: [[JournalEvent.Name]], _ work: () async throws -> Void
            ) async {
                let before = await journal.appends.count
                do { try await work() } catch { wrong.errors += 1 }
                guard stop == nil else { return }
                let written = Array(await journal.appends.dropFirst(before))
                if written != expected { wrong.problems.append("\(name) writes \(written)") }
            }
            let reversal: [[JournalEvent.Name]] = [[.reversing], [.reversed, .erased]]
            let sent: [[JournalEvent.Name]] = [[.forwarding], [.forwarded, .erased]]
            await step("recover", [[.closed]] + reversal + reversal + reversal) { _ = try await settlement.recover() }
            await step("withdraw", [[.withdrawn, .erased]]) { try await settlement.withdraw(Left.withdrawn.key) }
            await step("forward", sent + sent + [[.forwarding], [.setAside]] + sent + sent) {
                _ = await settlement.forwardNow()
            }
            await step("withdraw later", reversal) { try await settlement.withdraw(Left.late.key) }
            await step("write off", [[.writtenOff]]) {
                try await settlement.writeOff(
                    Left.malformed.key, by: Operator(id: "7", role: .administrator), reason: "cannot be read")
            }
            let acknowledged: [JournalEvent.Name] = [.acknowledged], over = acknowledged + [.closed]
            for (left, expected) in [
                (Left.asked, [over]), (.challenged, [over]), (.accepted, [acknowledged]),
                (.malformed, [over + [.erased]]), (.withdrawn, [over]), (.late, [over]), (.byCard, [over]),
            ] {
                await step("acknowledge \(left)", expected) { try await settlement.acknowledge(left.key) }
            }
            await time.advance(seconds: 86_400)
            await step("forget", [[.erased], [.closed], [.erased]]) { _ = await settlement.forwardNow() }
            return wrong
        }
        let (ends, first) = AsyncStream<Wrong?>.makeStream()
        Task { first.yield(await script.value) }
        Task {
            await journal.crashed()
            first.yield(nil)
        }
        var problems: [String] = [], errors = 0
        for await wrong in ends {
            problems += wrong?.problems ?? []
            errors += wrong?.errors ?? 0
            break
        }
        problems += await witness.failures
        // A failing write is reported.
        for _ in 0..<20 { await Task.yield() }
        failures.cancel()
        errors += await failures.value
        if await journal.failed > 0, errors == 0 { problems.append("a write failed, and nobody was told") }
        problems += try await agreement(memory, host, time)
        return problems.map { "\(stop.map { "\($0)" } ?? "settlement"): \($0)" }
    }

    /// Everything is settled, and host and journal agree.
    static func agreement(_ memory: TestJournal, _ host: SimulatedHost, _ time: TestTime) async throws -> [String] {
        let journal = try TestJournal(try await memory.entries(), clock: time.clock)
        let settlement = Settlement(
            journal, with: host, policy: SettlementPolicy(keepsApprovals: true, jitter: 0), timer: StillClock())
        _ = try await settlement.recover()
        for _ in 0..<3 { _ = await settlement.forwardNow() }
        for tap in await journal.open() {
            if tap.state == .setAside {
                try await settlement.writeOff(tap.key, by: Operator(id: "7", role: .administrator), reason: "test")
            }
            if await journal.tap(tap.key)?.isToTell == true { try await settlement.acknowledge(tap.key) }
        }
        await time.advance(seconds: 86_400)
        _ = await settlement.forwardNow()
        var problems = try await journal.totals().differences(from: host.booked).map { "\($0)" }
        let open = await journal.open(), standing = await journal.standing()
        if !open.isEmpty { problems.append("open: \(open)") }
        if !standing.isSettled { problems.append("not settled") }
        for entry in try await journal.entries() where entry.read?.payload != nil { problems.append("not erased") }
        return problems
    }
}

@Suite(.timeLimit(.minutes(30))) struct SettlementOrderTests {
    @Test("L3, L18: what a settlement does is written before, and a write that fails is told")
    func settlementsWriteFirst() async throws {
        #expect(try await OrderChecks.settlement() == [])
        for number in 1...31 {
            for stop in [WatchedJournal.Stop.fail(number), .crashBefore(number), .crashAfter(number)] {
                #expect(try await OrderChecks.settlement(stop) == [])
            }
        }
    }
}
