// SPDX-License-Identifier: Apache-2.0
import EMVSimulator
import Foundation
import TestWaiting
import Testing
@testable import EMVKernel
@testable import EMVKit
@testable import EMVPOS

/// The metrics of a fleet.
@Suite(.timeLimit(.minutes(30))) struct MetricsTests {
    private final class Collector: MetricsSink {
        private let lock = NSLock()
        nonisolated(unsafe) private var kept: [TapMetric] = []
        func record(_ metric: TapMetric) { lock.withLock { kept.append(metric) } }
        var metrics: [TapMetric] { lock.withLock { kept } }
    }

    @Test("Every tap and every authorisation is told once, with its counts and times, and with nothing of the card")
    func everyEndingIsTold() async throws {
        let collector = Collector()
        let reader = tapReader(SimulatedReader(.online)) { $0.metrics = collector }
        let result = await reader.charge(PaymentRequest(amount: eur(1250)), with: SimulatedAuthorizer())
        #expect(result.name == .approved)
        let metrics = collector.metrics
        #expect(metrics.map { "\($0.kind.rawValue).\($0.ending)" } == ["tap.success", "authorization.approved"])
        let tap = try #require(metrics.first), issuer = try #require(metrics.last)
        #expect(tap.presentments == 1 && tap.commands >= 3 && tap.kernel == "3" && tap.scheme == "visa")
        #expect(tap.isSimulated && tap.problems.isEmpty && tap.configuration?.count == 64)
        #expect(tap.times.total != nil && tap.times.card != nil && tap.times.waiting != nil && tap.times.issuer == nil)
        #expect(issuer.times.issuer != nil && issuer.times.total == nil && issuer.commands == 0)
        #expect(issuer.kernel == "3" && issuer.scheme == "visa")
        let text = String(decoding: try JSONEncoder().encode(metrics), as: UTF8.self)
        let read = try #require(result.read)
        let digits = try #require(read.maskedPAN).lastFour
        let key = try #require(read.key).rawValue
        #expect(!text.contains(digits) && !text.contains(key))
    }

    @Test("A call that is refused while a tap runs is told without times, and takes none of the tap's")
    func refusedCallsAreTold() async throws {
        let collector = Collector(), gate = Gate(.online)
        let reader = tapReader(gate) { $0.metrics = collector }
        let running = Task { await reader.read(PaymentRequest(amount: eur(1250))) }
        try await waitUntil("the reader to be opened") { await gate.openings > 0 }
        #expect(await reader.read(PaymentRequest(amount: eur(1250))) == .failed(.busy))
        await gate.letGo()
        #expect(await running.value.name == .success)
        let metrics = collector.metrics
        #expect(metrics.map(\.ending) == ["failed", "success"])
        #expect(metrics[0].problems == ["readerBusy"] && metrics[0].times == TapMetric.Times())
        #expect(metrics[0].presentments == 0 && metrics[0].commands == 0 && !metrics[0].isSimulated)
        #expect(metrics[1].presentments == 1 && metrics[1].times.total != nil)
    }

    @Test("A charge that two callers await is told once: its tap and its authorisation")
    func aSharedChargeIsToldOnce() async throws {
        let collector = Collector(), gate = Gate(.online), host = SimulatedAuthorizer()
        let reader = tapReader(gate) { $0.metrics = collector }
        let request = PaymentRequest(amount: eur(1250), key: ReconciliationKey())
        let first = Task { await reader.charge(request, with: host) }
        try await waitUntil("the reader to be opened") { await gate.openings > 0 }
        let second = Task { await reader.charge(request, with: host) }
        try await waitUntil("two calls that wait") { await reader.waitingCalls >= 2 }
        await gate.letGo()
        let results = await [first.value, second.value]
        #expect(results.map(\.name) == [.approved, .approved])
        #expect(collector.metrics.map(\.kind) == [.tap, .authorization])
    }

    @Test("A tap that is completed with the issuer's answer is counted as one tap")
    func aCompletedTapIsOneTap() async throws {
        let collector = Collector()
        let reader = tapReader(SimulatedReader(CardProfile.named("issuerUpdate")!)) { $0.metrics = collector }
        let session = try await reader.prepare()
        #expect(await session.read(PaymentRequest(amount: eur(1250))).name == .success)
        _ = await session.complete(.response([0x8A: [0x30, 0x30]]))
        #expect(collector.metrics.map(\.kind) == [.tap, .authorization])
    }

    @Test("PIN entries count, and so do findings, kernels and problems over many taps")
    func statisticsFoldThem() async throws {
        let collector = Collector()
        let reader = tapReader(SimulatedReader(.onlinePIN)) { $0.metrics = collector }
        let request = PaymentRequest(amount: eur(SimulatedTap.onlinePIN.amount))
        _ = await reader.charge(request, with: SimulatedAuthorizer(.decline("51")), pinPad: SimulatedPINPad())
        #expect(collector.metrics.last?.entries == 1)
        var statistics = TapStatistics()
        for metric in collector.metrics + collector.metrics { statistics.add(metric) }
        #expect(statistics.endings == ["tap.onlinePINRequired": 2, "authorization.declined": 2])
        #expect(statistics.kernels == ["3": 2] && statistics.problems["insufficientFunds"] == 2)
        #expect(statistics.card.count == 2 && statistics.card.most >= statistics.card.least)
        let copy = try JSONDecoder().decode(TapStatistics.self, from: JSONEncoder().encode(statistics))
        #expect(copy == statistics)
    }

    /// A clock that only the test advances; `sleep` returns at once.
    private final class Hands: Clock {
        struct Instant: InstantProtocol {
            var offset: Duration
            func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
            func duration(to other: Instant) -> Duration { other.offset - offset }
            static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
        }

        private let lock = NSLock()
        nonisolated(unsafe) private var offset = Duration.seconds(7)
        var now: Instant { lock.withLock { Instant(offset: offset) } }
        var minimumResolution: Duration { .zero }
        func sleep(until deadline: Instant, tolerance: Duration?) async throws {}
        func advance(by duration: Duration) { lock.withLock { offset += duration } }
    }

    @Test("Times are milliseconds between the events that they are named after")
    func timesAreMilliseconds() throws {
        let collector = Collector(), clock = Hands()
        var meter = TapMeter(collector, clock: clock)
        meter.note(.started(ReconciliationKey()))
        clock.advance(by: .milliseconds(1_500))
        meter.note(.waitingForCard)
        clock.advance(by: .milliseconds(12_250))
        meter.note(.cardDetected)
        clock.advance(by: .microseconds(300_500))
        meter.note(.cardRead)
        clock.advance(by: .seconds(3))
        meter.ended(.cancelled(.timedOut), tap: nil, isCompletion: false, isRun: true)
        let times = try #require(collector.metrics.first).times
        #expect(times == TapMetric.Times(total: 17_050.5, waiting: 12_250, card: 300.5))
    }

    @Test("A spread has the least, the most, the sum and the mean of what was added, and zeros of nothing")
    func spreadsAreExact() {
        var statistics = TapStatistics()
        #expect(statistics.total.mean == 0 && statistics.total.count == 0)
        for (total, waiting) in [(30.0, 0.5), (10, nil), (80, nil)] {
            statistics.add(
                TapMetric(
                    kind: .tap, ending: "success", problems: [], findings: ["x"], presentments: 1, commands: 1,
                    entries: 0, times: TapMetric.Times(total: total, waiting: waiting), isSimulated: true))
        }
        let spread = statistics.total
        #expect(spread.count == 3 && spread.least == 10 && spread.most == 80 && spread.sum == 120)
        #expect(spread.mean == 40 && statistics.waiting.count == 1 && statistics.waiting.least == 0.5)
        #expect(statistics.findings == ["x": 3] && statistics.issuer.count == 0)
    }

    @Test("Times are of what they measure: the total of taps alone, the issuer's of whoever asked one")
    func statisticsKeepTheirTimes() {
        func metric(_ kind: TapMetric.Kind, _ times: TapMetric.Times) -> TapMetric {
            TapMetric(
                kind: kind, ending: "approved", problems: ["pinRequired"], kernel: "3", scheme: nil,
                findings: ["LUHN"], presentments: 1, commands: 1, entries: 0, times: times, configuration: nil,
                isSimulated: true)
        }
        var all = TapStatistics()
        all.add(metric(.tap, TapMetric.Times(total: 10, waiting: 2, card: 3)))
        all.add(metric(.authorization, TapMetric.Times(total: 99, issuer: 40)))
        all.add(metric(.authorization, TapMetric.Times(issuer: 60)))
        #expect(all.total.count == 1 && all.total.sum == 10)
        #expect(all.waiting.sum == 2 && all.card.sum == 3)
        #expect(all.issuer.count == 2 && all.issuer.least == 40 && all.issuer.most == 60 && all.issuer.mean == 50)
        #expect(all.kernels == ["3": 1] && all.endings == ["tap.approved": 1, "authorization.approved": 2])
        #expect(all.problems == ["pinRequired": 3] && all.findings == ["LUHN": 3])
    }
}
