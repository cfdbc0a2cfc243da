// SPDX-License-Identifier: Apache-2.0
import EMVSimulator
import Foundation
import TestWaiting
import Testing
@testable import EMVKernel
@testable import EMVKit
@testable import EMVPOS

/// The connection from a POS to its host, with the events that an adapter faces besides lost messages.
private actor Line: DeliveringAuthorizer {
    enum Turn: Sendable {
        /// A response code that leaves the decision open, whether or not the host has booked.
        case code(String, isBooked: Bool)
        case insertCard
        /// The response comes after the deadline.
        case late
    }

    nonisolated let acceptsSimulatedReads = true
    private let host: SimulatedHost
    private let clock: DeadlineClock
    private var turn: Turn?

    init(_ host: SimulatedHost, _ clock: DeadlineClock) {
        self.host = host
        self.clock = clock
    }

    /// Sets the event for the next request.
    func meet(_ turn: Turn?) { self.turn = turn }

    func authorize(_ request: AuthorizationRequest) async throws -> IssuerDecision {
        defer { turn = nil }
        switch turn {
        case nil: return try await host.authorize(request)
        case .code(let code, let isBooked):
            if isBooked { _ = try await host.authorize(request) }
            return try ResponseCodeTable().decision(HostAnswer(responseCode: code), to: request)
        case .insertCard: return .chipRequested(responseCode: "1A")
        case .late:
            let decision = try await host.authorize(request)
            await clock.letDeadlinePass()
            try? await Task.sleep(for: .seconds(3_600))
            return decision
        }
    }

    func reverse(_ reversal: Reversal) async throws { try await host.reverse(reversal) }
    func status(of key: ReconciliationKey) async throws -> HostStatus { try await host.status(of: key) }
    func deliver(_ record: FinancialRecord) async throws -> Delivery { try await host.deliver(record) }
}

/// The parts of one POS process: two readers, the connection to the host, and a settlement.
private struct Till: Sendable {
    let journal: WatchedJournal
    let readers: [TapReader]
    let transports = [SimulatedReader(EmptyField()), SimulatedReader(EmptyField())]
    let line: Line
    let settlement: Settlement

    init(
        _ journal: WatchedJournal, _ host: SimulatedHost, _ policy: SettlementPolicy, _ offline: OfflinePolicy?,
        isSealed: Bool
    ) {
        let clock = DeadlineClock(), line = Line(host, clock)
        self.journal = journal
        self.line = line
        settlement = Settlement(journal, with: line, policy: policy, timer: StillClock())
        readers = transports.map { transport in
            tapReader(transport, configuration: Till.configuration) {
                $0.journal = journal
                $0.sealer = isSealed ? SimulatedSealer() : nil
                $0.fingerprints = isSealed ? SimulatedSealer() : nil
                $0.offline = offline
                $0.keepsApprovals = policy.keepsApprovals
                $0.timer = clock
                $0.cardTimeout = .seconds(1)
            }
        }
    }

    func charge(_ request: PaymentRequest, at reader: Int, _ pad: SimulatedPINPad?) async -> ChargeResult {
        await readers[reader].charge(request, with: line, pinPad: pad)
    }

    /// All these cards share one scheme, because each reader checks and hashes the whole configuration.
    private static let configuration: Configuration = {
        var configuration = Configuration.simulator()
        configuration.combinations.removeAll { $0.kernel.id != 3 }
        configuration.caKeys.removeAll { $0.rid != [0xA0, 0x00, 0x00, 0x00, 0x03] }
        return configuration
    }()
}

/// One day of a shop, over several processes with one host: charges, double clicks, repeated orders and keys, cancelled
/// calls, PINs, part payments, estimates with captures and increments, refunds with and without the card, voids,
/// payments without a host, reports to the app and receipts; crashes before and after every write, failing writes,
/// lost, late and repeated messages, clocks that are set back. ``ShopLedger`` checks every step. A seed reproduces the
/// day, except for the scheduling of tasks.
private actor ShopDay {
    private let seed: UInt64
    private var random: SeededRandom
    private let host = SimulatedHost()
    private let time = TestTime()
    private var entries: [JournalEntry] = []
    private var books = ShopLedger()
    private var requests: [PaymentRequest] = []
    private var followUps: [FollowUp] = []
    /// The receipts that the app printed.
    private var receipts: [ReconciliationKey: Receipt] = [:]
    private var names = 0
    /// The total number of seconds by which the wall clock was set back.
    private var turnedBack: Int64 = 0
    private var process = 0
    private var crashes = 0
    private var history: [String] = []

    private static let merchant = Merchant("Our shop")
    private static let person = Operator(id: "7", role: .administrator)

    /// Runs the day and returns its number of crashes.
    static func crashes(of seed: UInt64) async -> Int { await ShopDay(seed: seed).run() }

    private init(seed: UInt64) {
        self.seed = seed
        random = SeededRandom(seed: seed)
    }

    private func chance(_ one: Int) -> Bool { Int.random(in: 0..<one, using: &random) == 0 }
    private func amount(_ range: ClosedRange<UInt64>) -> UInt64 { UInt64.random(in: range, using: &random) }
    private func one<Value>(of values: [Value]) -> Value { values.randomElement(using: &random)! }

    private func name() -> String {
        names += 1
        return "\(names)"
    }

    private func run() async -> Int {
        do {
            for count in one(of: [[8], [12], [20], [4, 6], [8, 8], [3, 3, 4], [6, 6, 8]]) { try await live(count) }
            try await close()
        } catch {
            Issue.record("seed \(seed): \(error)")
        }
        if !books.wrong.isEmpty {
            let wrong = books.wrong.joined(separator: "\n"), past = history.joined(separator: "\n    ")
            Issue.record("seed \(seed):\n\(wrong)\n    \(past)")
        }
        return crashes
    }

    // MARK: - Processes

    /// Runs one process until it ends or crashes.
    private func live(_ count: Int) async throws {
        process += 1
        let memory = try TestJournal(entries, clock: time.clock), number = Int.random(in: 1...30, using: &random)
        let stop = one(of: [nil, .crashBefore(number), .crashAfter(number), .fail(number)] as [WatchedJournal.Stop?])
        history.append("process \(process): \(stop.map { "\($0)" } ?? "no stop")")
        let journal = WatchedJournal(memory, stop: stop)
        let policy = SettlementPolicy(keepsApprovals: chance(2), jitter: 0, captureWithin: .seconds(3_600))
        let till = Till(
            journal, host, policy, chance(3) ? nil : OfflinePolicy(limits: .ofTests), isSealed: !chance(6))
        let current = process
        let work = Task { await self.work(till, count, current) }
        if await !either({ await work.value }, { await journal.crashed() }) {
            crashes += 1
            history.append("crash")
            books.crashed()
        }
        process += 1
        entries = try await memory.entries()
        if chance(3) {
            let seconds = Int64.random(in: -100_000...100_000, using: &random)
            await time.turnWall(seconds: seconds)
            turnedBack += max(0, -seconds)
        }
        if chance(3) { await time.restart(off: 30) }
        await time.advance(seconds: Int64.random(in: 0...3_600, using: &random))
    }

    private func work(_ till: Till, _ count: Int, _ number: Int) async {
        await recover(till.settlement)
        for _ in 0..<count where process == number {
            await host.calm()
            if chance(2) {
                let faults = SimulatedHost.Fault.allCases
                await host.meet((0...Int.random(in: 0...3, using: &random)).map { _ in one(of: faults) })
            }
            switch Int.random(in: 0..<20, using: &random) {
            case 0..<9: await sell(till)
            case 9: await refundCard(till)
            case 10..<14: await follow(till.settlement)
            case 14: await giveUp(till.settlement)
            case 15: await recover(till.settlement)
            case 16, 17: await forward(till.settlement)
            case 18: await tellAll(till.settlement)
            default:
                await host.deliverLate()
                await time.advance(seconds: Int64.random(in: 0...1_800, using: &random))
            }
            if process == number { await books.look(host.ledger) }
        }
    }

    // MARK: - Payments

    private func sell(_ till: Till) async {
        guard let request = payment() else { return }
        let answers: [SimulatedHost.Answer] = [
            .decline("51"), .decline("05"), .requestPIN, .approvePart(eur(max(1, request.amount.minorUnits / 2))),
        ]
        await host.answer(chance(3) ? [one(of: answers)] : chance(12) ? [.requestPIN, one(of: answers)] : [])
        await pay(request, till)
    }

    /// A payment of a new order, of an existing one, or a repeated request.
    private func payment() -> PaymentRequest? {
        if !requests.isEmpty, chance(6) {
            var request = one(of: requests)
            if chance(4) { request.data = [0x9F1D: [UInt8(0)]] }
            return request
        }
        let known = requests.compactMap(\.sale), sale = known.isEmpty || !chance(3) ? nil : one(of: known)
        var request: PaymentRequest
        if let sale, let order = books.orders[sale] {
            let rest = Int(order.price) - books.sums(of: sale).net
            let sum = chance(2) && rest > 0 ? UInt64(rest) : chance(2) ? order.price : amount(1...order.price)
            request = PaymentRequest(amount: eur(sum), sale: sale, due: order.isStated ? eur(order.price) : nil)
        } else {
            let price = chance(8) ? amount(5_000...9_000) : amount(200...4_000), isStated = chance(3)
            let sum = isStated && chance(2) ? amount(1...price) : price
            request = PaymentRequest(
                amount: eur(sum), sale: SaleReference(rawValue: "s" + name()), due: isStated ? eur(price) : nil)
        }
        let sum = request.amount.minorUnits
        request.key = ReconciliationKey(rawValue: "k" + name())
        request.acceptsPartialApproval = chance(3)
        if chance(4) { request.terms = .estimated } else if chance(8) { request.kind = .cashBack(eur((sum + 1) / 2)) }
        if chance(4) {
            let part = Int64(amount(1...sum))
            let lines = [LineItem("Tea", minorUnits: part), LineItem("Tax", minorUnits: Int64(sum) - part, kind: .tax)]
            request.bill = try? Bill(lines, currency: .eur)
        }
        requests.append(request)
        return request
    }

    private func ticket(_ request: PaymentRequest) -> ShopLedger.Ticket? {
        guard let key = request.key, let sale = request.sale else { return nil }
        let kind: ShopLedger.Kind =
            request.kind == .refund ? .refund : request.terms == .estimated ? .estimate : .payment
        return ShopLedger.Ticket(key: key, sale: sale, kind: kind, amount: request.amount.minorUnits)
    }

    private func refundCard(_ till: Till) async {
        guard let sale = requests.compactMap(\.sale).randomElement(using: &random) else { return }
        let captured = books.sums(of: sale).captured
        let sum = captured > 0 && !chance(3) ? amount(1...captured) : amount(1...3_000)
        var request = PaymentRequest(amount: eur(sum), kind: .refund, sale: sale)
        request.key = ReconciliationKey(rawValue: "r" + name())
        await pay(request, till)
    }

    private func pay(_ request: PaymentRequest, _ till: Till) async {
        guard let ticket = ticket(request) else { return }
        let isRepeated = books.tickets[ticket.key] != nil
        books.begins(
            ticket,
            ShopLedger.Order(price: (request.due ?? request.amount).minorUnits, isStated: request.due != nil))
        let taps: [SimulatedTap] = [
            .online, .online, .online, .online, .online, .online, .approve, .decline, .onlinePIN, .noCard, .removeEarly,
            .otherInterface, .readAtSecondTap,
        ]
        let tap = one(of: taps), turn = turn()
        await till.line.meet(turn)
        for transport in till.transports { await transport.present(tap.presentation) }
        let what = "\(tap)\(turn.map { " \($0)" } ?? "")"
        switch Int.random(in: 0..<10, using: &random) {
        case 0:
            let other = chance(2) ? 0 : 1, pads = [pad(), pad()]
            async let first = till.charge(request, at: 0, pads[0])
            async let second = till.charge(request, at: other, pads[1])
            let results = await [first, second]
            for result in results { learn(result, of: ticket.key) }
            for result in results {
                await judge(result, request, till, "\(what), twice", isRepeated: true, isLatest: false)
            }
        case 1:
            let other = renewed(request), pads = [pad(), pad()]
            if let ticket = self.ticket(other) { books.begins(ticket) }
            async let first = till.charge(request, at: 0, pads[0])
            async let second = till.charge(other, at: 1, pads[1])
            let results = await (first, second)
            learn(results.1, of: other.key ?? ticket.key)
            await judge(results.0, request, till, "\(what), beside", isRepeated: isRepeated, isLatest: false)
            await judge(results.1, other, till, "\(what), beside", isRepeated: false, isLatest: false)
        case 2:
            let pad = pad(), call = Task { await till.charge(request, at: 0, pad) }
            for _ in 0..<Int.random(in: 0..<200, using: &random) { await Task.yield() }
            call.cancel()
            await judge(await call.value, request, till, "\(what), cancelled", isRepeated: isRepeated)
        default:
            await judge(await till.charge(request, at: 0, pad()), request, till, what, isRepeated: isRepeated)
        }
    }

    private func turn() -> Line.Turn? {
        switch Int.random(in: 0..<16, using: &random) {
        case 0: .code(one(of: ["94", "68", "96", "25", "26", "06", "09", "ZZ"]), isBooked: chance(2))
        case 1: .late
        case 2: chance(2) ? .insertCard : nil
        default: nil
        }
    }

    private func pad() -> SimulatedPINPad? {
        let entries: [SimulatedPINPad.Entry] = [
            .entered, .entered, .entered, .cancelled, .timedOut, .bypassed, .broken,
        ]
        return chance(5) ? nil : SimulatedPINPad([one(of: entries)])
    }

    private func renewed(_ request: PaymentRequest) -> PaymentRequest {
        var other = request
        other.key = ReconciliationKey(rawValue: "k" + name())
        return other
    }

    // MARK: - Results that the app receives

    /// - Parameters:
    ///   - isRepeated: whether an earlier call may have begun the key.
    ///   - isLatest: whether nothing else has happened to the order since.
    private func judge(
        _ result: ChargeResult, _ request: PaymentRequest, _ till: Till, _ what: String, isRepeated: Bool,
        isLatest: Bool = true
    ) async {
        guard let ticket = ticket(request) else { return }
        books.look(await host.ledger)
        let name = "\(ticket) \(what): \(result.name.rawValue)"
        history.append("\(name) \(result.sale) \(result.problems.map(\.code.rawValue))")
        learn(result, of: ticket.key)
        let isOwn = result.read != nil || !isRepeated && result.name == .notRead
        if isOwn { books.reports(result.effect, of: ticket, name) }
        if isLatest { books.reports(result.sale, of: ticket.sale, name) }
        books.shows(Presentation(result, of: request), of: ticket, isOwn: isOwn, isLatest: isLatest)
        guard let read = result.read, var authorization = result.authorization else { return }
        print(Receipt(result, merchant: ShopDay.merchant), ticket)
        if case .pinRequested(let challenge) = authorization.ending, isLatest, !chance(3) {
            let reader = till.readers[0]
            if chance(2), let block = SimulatedPINPad.block() {
                authorization = await reader.authorize(read, answering: challenge, with: block)
            } else {
                authorization = await reader.giveUp(read)
            }
            books.look(await host.ledger)
            let name = "\(name), then \(authorization.name.rawValue)"
            history.append("\(name) \(authorization.sale)")
            books.reports(authorization.effect, of: ticket, name)
            if isLatest { books.reports(authorization.sale, of: ticket.sale, name) }
            books.shows(Presentation(authorization, of: read), of: ticket, isLatest: isLatest)
            print(Receipt(read, authorization, merchant: ShopDay.merchant), ticket)
        }
        guard chance(2) else { return }
        try? await till.settlement.acknowledge(ticket.key, authorization, receipt: receipts[ticket.key])
    }

    /// Records that the host has to book the payment later.
    private func learn(_ result: ChargeResult, of key: ReconciliationKey) {
        switch result.ending {
        case .approved(let approval, _) where approval.origin == .card: books.owes(key)
        case .accepted: books.owes(key, isAccepted: true)
        case .keyUsed(_, let settled?): note(settled)
        default: break
        }
    }

    private func print(_ receipt: Receipt?, _ ticket: ShopLedger.Ticket) {
        guard let receipt else { return }
        receipts[ticket.key] = receipt
        books.prints(receipt, of: ticket)
    }

    private func note(_ settled: Settled) {
        switch settled.ending {
        case .approved(let approval) where approval.origin == .card: books.owes(settled.key)
        case .accepted: books.owes(settled.key, isAccepted: settled.followUp == nil)
        case .writtenOff: books.givesUp(settled.key)
        case .approved, .declined, .notCompleted, .unknown, .setAside: break
        }
    }

    /// Reports the result of a payment as the app shows it.
    private func told(_ settled: Settled, _ how: String) {
        guard let ticket = books.tickets[settled.key] else { return }
        let name = "\(ticket) \(how): \(settled.ending.name.rawValue)"
        history.append("\(name) \(settled.sale)")
        note(settled)
        books.reports(settled.effect, of: ticket, name)
        books.reports(settled.sale, of: ticket.sale, name)
        books.shows(Presentation(settled), of: ticket)
        if let updated = receipts[settled.key]?.updated(by: settled) { books.prints(updated, of: ticket) }
        print(Receipt(settled, merchant: ShopDay.merchant), ticket)
    }

    private func recover(_ settlement: Settlement) async {
        guard let all = try? await settlement.recover() else { return history.append("recovery failed") }
        books.look(await host.ledger)
        for settled in all {
            told(settled, "recovered")
            if !chance(4) { try? await settlement.acknowledge(settled, receipt: receipts[settled.key]) }
        }
        books.recovered()
    }

    private func tellAll(_ settlement: Settlement) async {
        for key in books.keys where !chance(3) {
            guard let settled = try? await settlement.settled(key) else { continue }
            books.look(await host.ledger)
            told(settled, "asked for")
            if chance(3) { try? await settlement.acknowledge(settled) }
        }
    }

    private func forward(_ settlement: Settlement) async {
        history.append("forward")
        // The host may decline a payment that was accepted without it.
        if chance(3) { await host.answer([.decline("51")]) }
        _ = await settlement.forwardNow()
        books.look(await host.ledger)
        if chance(2) { await tellAll(settlement) }
    }

    // MARK: - Follow-ups

    private func follow(_ settlement: Settlement) async {
        let payments = books.keys.compactMap { books.tickets[$0] }.filter(\.isPayment)
        guard let payment = payments.last(where: { _ in !chance(3) }) ?? payments.last else { return }
        var followUp = FollowUp(action(of: payment), of: payment.key, key: ReconciliationKey(rawValue: "f" + name())!)
        if !followUps.isEmpty, chance(8) { followUp = one(of: followUps) }
        followUps.append(followUp)
        let kind: ShopLedger.Kind =
            switch followUp.action {
            case .capture: .capture
            case .increment: .increment
            case .void: .void
            case .refund: .refund
            }
        var sum = payment.amount
        switch followUp.action {
        case .capture(let amount, _), .increment(let amount), .refund(let amount): sum = amount.minorUnits
        case .void: break
        }
        let original = books.tickets[followUp.original] ?? payment
        let ticket = ShopLedger.Ticket(
            key: followUp.key, sale: original.sale, kind: kind, amount: sum, original: original.key)
        let isNew = books.tickets[ticket.key] == nil
        books.begins(ticket)
        if isNew, chance(8) { await host.answer(.malformed("cannot be read"), to: ticket.key) }
        if isNew, chance(10) { await host.answer(.refused(Decline(reason: .issuer)), to: ticket.key) }
        let name = "\(ticket.sale) \(ticket.key) \(kind) \(sum) of \(original.key)"
        do throws(JournalError) {
            try await settlement.submit(followUp, moment: noon)
            history.append("\(name): submitted")
            books.look(await host.ledger)
            if isNew { books.owes(ticket.key) }
        } catch {
            history.append("\(name): \(error)")
            books.look(await host.ledger)
            books.shows(
                Presentation(.failed, problem: error.problem, field: error.problem.field), of: ticket, isOwn: isNew)
        }
    }

    private func action(of payment: ShopLedger.Ticket) -> FollowUp.Action {
        let sum = chance(2) ? payment.amount : amount(1...payment.amount)
        return switch (Int.random(in: 0..<6, using: &random), payment.kind) {
        case (0...2, .estimate): .capture(eur(sum), tip: chance(2) ? nil : eur(amount(0...min(sum, 200))))
        case (3, .estimate): .increment(eur(amount(1...1_000)))
        case (0...2, _): .refund(eur(sum))
        case (3, _): chance(4) ? .capture(eur(sum), tip: nil) : .refund(eur(sum))
        case (4, _): .refund(eur(sum))
        default: .void
        }
    }

    /// Voids an accepted payment, sends the host again a payment that it could not accept, or writes it off.
    private func giveUp(_ settlement: Settlement) async {
        if let key = books.keys.filter({ books.accepted.contains($0) }).randomElement(using: &random), chance(2) {
            history.append("withdraw \(key)")
            books.withdraws(key)
            try? await settlement.withdraw(key)
        }
        for key in books.keys {
            guard let settled = try? await settlement.settled(key) else { continue }
            switch settled.ending {
            case .setAside where chance(3):
                history.append("retry \(key)")
                try? await settlement.retry(key)
            case .setAside where chance(3), .unknown where chance(12):
                history.append("write off \(key)")
                books.givesUp(key)
                try? await settlement.writeOff(key, by: ShopDay.person, reason: "test")
            default: break
            }
        }
    }

    // MARK: - The evening

    /// Nothing more happens: everything is settled, and host and journal agree.
    private func close() async throws {
        let journal = try TestJournal(entries, clock: time.clock)
        history.append("evening")
        await host.calm()
        await host.deliverLate()
        let policy = SettlementPolicy(jitter: 0, captureWithin: .seconds(3_600))
        let settlement = Settlement(journal, with: host, policy: policy, timer: StillClock())
        _ = try await settlement.recover()
        // A set-aside payment holds back its follow-ups.
        while true {
            _ = await settlement.forwardNow()
            let aside = await journal.open().filter { $0.state == .setAside }
            if aside.isEmpty { break }
            for tap in aside {
                books.givesUp(tap.key)
                try await settlement.writeOff(tap.key, by: ShopDay.person, reason: "test")
            }
        }
        for settled in try await settlement.recover() { try await settlement.acknowledge(settled) }
        // One day of the journal's time passes. If nothing was written since the machine started, the journal has only
        // the wall clock, which may have been set back.
        await time.advance(seconds: 86_400 + turnedBack)
        _ = await settlement.forwardNow()
        // Estimates without a capture are released.
        for settled in try await settlement.recover() { try await settlement.acknowledge(settled) }
        let standing = await journal.standing(), open = await journal.open()
        #expect(standing.isSettled && open.isEmpty, "seed \(seed): \(standing), \(open)")
        books.look(await host.ledger)
        books.recovered()
        for key in books.keys { if let settled = try await settlement.settled(key) { told(settled, "at last") } }
        books.closes(try await journal.totals())
        for entry in try await journal.entries() {
            #expect(entry.read?.payload == nil && entry.read?.fingerprint == nil, "seed \(seed)")
        }
    }
}

@Suite(.everyJournal) struct JournalLifeTests {
    // swift-format-ignore
    @Test(
        "L40: after any day, host, journal, receipts and screens agree, and no screen said otherwise at any time",
        .timeLimit(.minutes(30)))
    func livesEndInAgreement() async throws {
        // Each history opens several files.
        let seeds = ModelSeeds.all(dividedBy: JournalKind.current == .file ? 10 : 1)
        // One history at a time per processor.
        let crashes = await withTaskGroup(of: Int.self, returning: Int.self) { group in
            var crashes = 0
            for (number, seed) in seeds.enumerated() {
                if number >= ProcessInfo.processInfo.activeProcessorCount { crashes += await group.next() ?? 0 }
                group.addTask { await ShopDay.crashes(of: seed) }
            }
            for await more in group { crashes += more }
            return crashes
        }
        if seeds.count >= 1_000 { #expect(crashes > seeds.count / 4) }
    }
}
