// SPDX-License-Identifier: Apache-2.0
@testable import EMVKit
import EMVSimulator
import Foundation
import Testing

/// A POS over several processes at one host: sales, double clicks, cancelled calls, PINs, estimates with captures,
/// increments, refunds and voids, crashes before and after every write, failing writes, lost, late and doubled
/// messages, clocks that are turned, payments without a host. The same for the same seed as far as the order of tasks
/// is.
private struct Life {
    let seed: UInt64
    private var random: SeededRandom
    private let host = SimulatedHost()
    private let time = TestTime()
    private var entries: [JournalEntry] = []
    private var nextSale = 0
    /// What the app was told, and may have given goods for.
    private var approved: Set<ReconciliationKey> = [], accepted: Set<ReconciliationKey> = []
    /// Seconds that the wall clock was turned back, all together.
    private var turnedBack: Int64 = 0
    private var crashes = 0

    /// Lives it, and how many crashes it had.
    static func crashes(of seed: UInt64) async -> Int {
        var life = Life(seed: seed)
        do {
            try await life.run()
        } catch {
            Issue.record("seed \(seed): \(error)")
        }
        return life.crashes
    }

    private init(seed: UInt64) {
        self.seed = seed
        random = SeededRandom(seed: seed)
    }

    private mutating func chance(_ one: Int) -> Bool { Int.random(in: 0..<one, using: &random) == 0 }

    private mutating func run() async throws {
        for _ in 0..<Int.random(in: 1...3, using: &random) { try await live() }
        await finish()
    }

    /// One process, to its end or its crash.
    private mutating func live() async throws {
        let memory = try TestJournal(entries, clock: time.clock)
        let number = Int.random(in: 1...14, using: &random)
        let stops: [WatchedJournal.Stop?] = [nil, .crashBefore(number), .crashAfter(number), .fail(number)]
        let journal = WatchedJournal(memory, stop: stops.randomElement(using: &random)!)
        var faults: [SimulatedHost.Fault] = []
        for _ in 0..<Int.random(in: 0...6, using: &random) {
            faults.append(SimulatedHost.Fault.allCases.randomElement(using: &random)!)
        }
        await host.meet(faults)
        let answers: [SimulatedHost.Answer] = [.approve, .approve, .decline("51"), .requestPIN, .approvePart(eur(100))]
        await host.answer((0..<3).map { _ in answers.randomElement(using: &random)! })
        let script = (0..<Int.random(in: 1...4, using: &random)).map { _ in step() }
        let host = host, policy = chance(3) ? nil : OfflinePolicy(limits: .ofTests)
        let isSealed = !chance(6)
        let rules = SettlementPolicy(keepsApprovals: chance(2), jitter: 0, captureWithin: .seconds(3_600))
        let process = Task { () -> [(ReconciliationKey, AuthorizationResult)] in
            var told: [(ReconciliationKey, AuthorizationResult)] = []
            let settlement = Settlement(journal, with: host, policy: rules, timer: StillClock())
            for settled in (try? await settlement.recover()) ?? [] { try? await settlement.acknowledge(settled) }
            for step in script {
                if let payment = await Life.sell(step, journal, host, isSealed, policy) {
                    told.append(payment)
                    if step.isAcknowledged { try? await settlement.acknowledge(payment.0, payment.1) }
                    for action in step.followUps {
                        try? await settlement.submit(FollowUp(action, of: payment.0), moment: noon)
                    }
                }
                if step.forwards { _ = await settlement.forwardNow() }
                if step.delivers { await host.deliverLate() }
            }
            return told
        }
        if await either({ _ = await process.value }, { await journal.crashed() }) {
            await note(process.value)
        } else {
            crashes += 1
        }
        entries = try await memory.entries()
        if chance(3) {
            let seconds = Int64.random(in: -100_000...100_000, using: &random)
            await time.turnWall(seconds: seconds)
            turnedBack += max(0, -seconds)
        }
        if chance(3) { await time.restart(off: 30) }
        await time.advance(seconds: Int64.random(in: 0...3_600, using: &random))
    }

    /// Of the one scheme that all these cards have: each reader checks and hashes it anew.
    private static let configuration: Configuration = {
        var configuration = Configuration.simulator()
        configuration.combinations.removeAll { $0.kernel.id != 3 }
        configuration.caKeys.removeAll { $0.rid != [0xA0, 0x00, 0x00, 0x00, 0x03] }
        return configuration
    }()

    private struct Step {
        let tap: SimulatedTap
        let amount: UInt64
        let sale: SaleReference
        let isDoubled: Bool
        let isCancelled: Bool
        let isEstimated: Bool
        let followUps: [FollowUp.Action]
        let isAcknowledged: Bool
        let takesPart: Bool
        let forwards: Bool
        let delivers: Bool
    }

    private mutating func step() -> Step {
        // Sometimes an order is tried again.
        if !chance(3) { nextSale += 1 }
        let taps: [SimulatedTap] = [.online, .online, .online, .approve, .decline, .onlinePIN, .noCard]
        let followUps = (0..<max(0, Int.random(in: -2...3, using: &random))).map { _ in followUp() }
        return Step(
            tap: taps.randomElement(using: &random)!, amount: UInt64.random(in: 200...4_000, using: &random),
            sale: .order(nextSale), isDoubled: chance(5), isCancelled: chance(8), isEstimated: chance(3),
            followUps: followUps, isAcknowledged: Bool.random(using: &random), takesPart: chance(3),
            forwards: chance(3), delivers: chance(3))
    }

    private mutating func followUp() -> FollowUp.Action {
        let amount = eur(UInt64.random(in: 1...3_000, using: &random))
        return switch Int.random(in: 0..<6, using: &random) {
        case 0...2: .capture(amount, tip: chance(2) ? nil : eur(UInt64.random(in: 0...200, using: &random)))
        case 3: .increment(amount)
        case 4: .refund(amount)
        default: .void
        }
    }

    private static func sell(
        _ step: Step, _ journal: WatchedJournal, _ host: SimulatedHost, _ isSealed: Bool, _ policy: OfflinePolicy?
    ) async -> (ReconciliationKey, AuthorizationResult)? {
        func pay() async -> (ReconciliationKey, AuthorizationResult)? {
            guard
                let shop = try? await Shop(
                    journal, step.tap, configuration: configuration, isSealed: isSealed, offline: policy)
            else { return nil }
            let outcome = await shop.read(step.amount) {
                $0.sale = step.sale
                $0.acceptsPartialApproval = step.takesPart
                if step.isEstimated { $0.terms = .estimated }
            }
            guard let read = outcome.read, let key = read.key else { return nil }
            return (key, await shop.session.authorize(read, with: host, pinPad: SimulatedPINPad()))
        }
        if step.isCancelled {
            // Somewhere on its way.
            let call = Task { await pay() }
            for _ in 0..<(step.amount % 97) { await Task.yield() }
            call.cancel()
            return await call.value
        }
        guard step.isDoubled else { return await pay() }
        async let one = pay()
        async let other = pay()
        let both = await [one, other].compactMap { $0 }
        return both.first { $0.1.name == .approved || $0.1.name == .accepted } ?? both.first
    }

    private mutating func note(_ payments: [(ReconciliationKey, AuthorizationResult)]) {
        for (key, result) in payments {
            switch result.ending {
            case .approved: approved.insert(key)
            case .accepted: accepted.insert(key)
            case .declined, .failed, .reversed, .pinRequested, .unknown: break
            }
        }
    }

    /// All is quiet: everything comes to its end, and both sides say the same.
    private func finish() async {
        do {
            let journal = try TestJournal(entries, clock: time.clock)
            await host.calm()
            await host.deliverLate()
            let policy = SettlementPolicy(jitter: 0, captureWithin: .seconds(3_600))
            let settlement = Settlement(journal, with: host, policy: policy, timer: StillClock())
            _ = try await settlement.recover()
            _ = await settlement.forwardNow()
            for settled in try await settlement.recover() { try await settlement.acknowledge(settled) }
            // A day of the journal's time. Where nothing was written since the machine started, it has the wall clock
            // alone to go by, which may have been turned back.
            await time.advance(seconds: 86_400 + turnedBack)
            _ = await settlement.forwardNow()
            // Estimates of which nothing was captured.
            for settled in try await settlement.recover() { try await settlement.acknowledge(settled) }
            let standing = await journal.standing(), booked = await host.booked
            #expect(standing.isSettled, "seed \(seed): \(standing)")
            let open = await journal.open()
            #expect(open.isEmpty, "seed \(seed): \(open)")
            let totals = try await journal.totals()
            for difference in totals.differences(from: booked) {
                let life = try await journal.entries().filter { $0.key == difference.key }.map(\.event.name.rawValue)
                Issue.record("seed \(seed): \(difference), \(life.joined(separator: " "))")
            }
            var estimates: Set<ReconciliationKey> = []
            for key in booked.keys where await journal.tap(key)?.intent.isEstimated == true { estimates.insert(key) }
            let net = await host.net(estimates: estimates, refunds: [])
            #expect(totals.net[.eur, default: 0] == net, "seed \(seed)")
            for key in approved where booked[key] == nil {
                let tap = try #require(await journal.tap(key)), followUps = await journal.followUps(of: key)
                let isGivenUp = tap.intent.isEstimated && tap.reversalReason == .notCaptured
                #expect(isGivenUp, "seed \(seed): \(key) was approved and is not booked")
                let isCaptured = followUps.contains { $0.endsOriginal }
                #expect(!isCaptured, "seed \(seed): \(key) was captured and reversed")
            }
            for key in accepted { #expect(await journal.tap(key)?.decided != nil, "seed \(seed): \(key)") }
            // No order takes more than its price; and no more is captured or refunded than there was.
            var paid: [SaleReference: UInt64] = [:], price: [SaleReference: UInt64] = [:]
            for key in booked.keys {
                guard let tap = await journal.tap(key) else { continue }
                if let original = tap.intent.followUp?.original, tap.intent.followUp?.kind != .increment {
                    #expect(booked[original] != nil, "seed \(seed): \(key) follows what is not booked")
                }
                guard let sale = tap.sale, tap.intent.followUp == nil else { continue }
                price[sale] = max(price[sale] ?? 0, tap.amount.minorUnits)
                let sums = FollowUp.Sums(tap, await journal.followUps(of: key).filter(\.isAccepted))
                #expect(sums.captured <= sums.authorized && sums.refunded <= sums.captured, "seed \(seed): \(key)")
                let taken = sums.isEstimated && sums.captured == 0 ? sums.authorized : sums.captured
                if !sums.isVoid { paid[sale, default: 0] += taken - sums.refunded }
            }
            for (sale, paid) in paid { #expect(paid <= price[sale] ?? 0, "seed \(seed): \(sale)") }
            for entry in try await journal.entries() {
                #expect(entry.read?.payload == nil && entry.read?.fingerprint == nil, "seed \(seed)")
            }
        } catch {
            Issue.record("seed \(seed): \(error)")
        }
    }
}

@Suite(.everyJournal) struct JournalLifeTests {
    // swift-format-ignore
    @Test(
        "L40: after any life, host bookings equal the journal, per key and in total",
        .timeLimit(.minutes(30)))
    func livesEndInAgreement() async throws {
        // Over files each of them opens some.
        let seeds = ModelSeeds.all(dividedBy: JournalKind.current == .file ? 10 : 1)
        // One at a time on each processor.
        let crashes = await withTaskGroup(of: Int.self, returning: Int.self) { group in
            var crashes = 0
            for (number, seed) in seeds.enumerated() {
                if number >= ProcessInfo.processInfo.activeProcessorCount { crashes += await group.next() ?? 0 }
                group.addTask { await Life.crashes(of: seed) }
            }
            for await more in group { crashes += more }
            return crashes
        }
        if seeds.count >= 1_000 { #expect(crashes > seeds.count / 4) }
    }
}
