// SPDX-License-Identifier: Apache-2.0
import EMVSimulator
import Foundation
import Testing
@testable import EMVKernel
@testable import EMVKit
@testable import EMVPOS

/// A journal that records its appends, and fails or stops where the test asks for it.
actor WatchedJournal: Journal {
    enum Stop: Sendable, Hashable {
        /// This append fails and writes nothing; counted from 1.
        case fail(Int)
        /// The process ends before this append, or right after it.
        case crashBefore(Int)
        case crashAfter(Int)
    }

    private let journal: TestJournal
    private let stop: Stop?
    private let openError: JournalError?
    private(set) var appends: [[JournalEvent.Name]] = []
    private(set) var count = 0
    /// The number of appends that failed on request.
    private(set) var failed = 0
    private var isDead = false
    /// What readers reported about cards.
    nonisolated let cards = Presence()
    private nonisolated let end = AsyncStream<Void>.makeStream()
    private nonisolated let never = AsyncStream<Void>.makeStream()

    init(_ journal: TestJournal = TestJournal(), stop: Stop? = nil, openError: JournalError? = nil) {
        self.journal = journal
        self.stop = stop
        self.openError = openError
    }

    /// Returns when the process has ended.
    nonisolated func crashed() async { for await _ in end.stream { return } }

    private func crash() async {
        isDead = true
        end.continuation.yield()
        await hang()
    }

    private func hang() async {
        // The call never returns, as in a process that was killed.
        await Task { for await _ in never.stream {} }.value
    }

    func open() async throws(JournalError) -> [JournaledTap] {
        if let openError { throw openError }
        return await journal.open()
    }

    func append(
        _ events: [JournalEvent], to key: ReconciliationKey, within limits: OfflineLimits?
    ) async throws(JournalError) {
        // Everything that the process has in progress ends with it.
        if isDead { await hang() }
        count += 1
        let number = count
        if stop == .fail(number) {
            failed += 1
            throw .unavailable("test")
        }
        if stop == .crashBefore(number) { await crash() }
        try await journal.append(events, to: key, within: limits)
        if isDead { await hang() }
        appends.append(events.map(\.name))
        if stop == .crashAfter(number) { await crash() }
    }

    nonisolated func cardIsPresent(_ isPresent: Bool) {
        cards.note(isPresent)
        journal.cardIsPresent(isPresent)
    }

    func tap(_ key: ReconciliationKey) async -> JournaledTap? { await journal.tap(key) }
    func taps(of sale: SaleReference) async -> [JournaledTap] { await journal.taps(of: sale) }
    func standing() async -> JournalStanding { await journal.standing() }
    func nextCounter(from first: UInt32) async -> UInt32 { await journal.nextCounter(from: first) }
    func entries(after number: UInt64, limit: Int) async -> [JournalEntry] {
        await journal.entries(after: number, limit: limit)
    }
}

/// Returns when one of the two returns; the other is abandoned, like the work of a killed process.
/// - Returns: whether it was the first.
func either(
    _ one: @escaping @Sendable () async -> Void, _ other: @escaping @Sendable () async -> Void
) async -> Bool {
    let (ends, first) = AsyncStream<Bool>.makeStream()
    Task {
        await one()
        first.yield(true)
    }
    Task {
        await other()
        first.yield(false)
    }
    for await isFirst in ends { return isFirst }
    return false
}

/// A host that counts its calls other than authorisations, and how many run at once.
actor CountingHost: DeliveringAuthorizer {
    nonisolated var acceptsSimulatedReads: Bool { true }
    private let host: SimulatedHost
    private var present = 0
    private(set) var mostAtOnce = 0
    private(set) var calls = 0, reversals = 0

    init(_ host: SimulatedHost) { self.host = host }

    /// Lets other tasks run during the call.
    private func begin() async {
        calls += 1
        present += 1
        mostAtOnce = max(mostAtOnce, present)
        for _ in 0..<500 { await Task.yield() }
    }

    func authorize(_ request: AuthorizationRequest) async throws -> IssuerDecision {
        try await host.authorize(request)
    }

    func reverse(_ reversal: Reversal) async throws {
        reversals += 1
        await begin()
        defer { present -= 1 }
        try await host.reverse(reversal)
    }

    func status(of key: ReconciliationKey) async throws -> HostStatus {
        await begin()
        defer { present -= 1 }
        return try await host.status(of: key)
    }

    func deliver(_ record: FinancialRecord) async throws -> Delivery {
        await begin()
        defer { present -= 1 }
        return try await host.deliver(record)
    }
}

/// Cards that readers reported.
final class Presence: Sendable {
    private let lock = NSLock()
    private nonisolated(unsafe) var present = 0, most = 0

    func note(_ isPresent: Bool) {
        lock.withLock {
            present += isPresent ? 1 : -1
            most = max(most, present)
        }
    }

    var isThere: Bool { lock.withLock { present > 0 } }
    /// Whether a card was present.
    var wasThere: Bool { lock.withLock { most > 0 } }
}

/// A journal's time, set by the test.
actor TestTime {
    nonisolated let clock: JournalClock
    private let box: Box

    final class Box: @unchecked Sendable {
        // Written only between calls of the journal.
        nonisolated(unsafe) var reading = JournalClock.Reading(wall: 1_700_000_000, boot: "one", uptime: 1_000)
    }

    init() {
        let box = Box()
        self.box = box
        clock = JournalClock { box.reading }
    }

    func advance(seconds: Int64) {
        box.reading.wall += seconds
        box.reading.uptime += seconds * 1000
    }

    func turnWall(seconds: Int64) { box.reading.wall += seconds }

    func restart(off seconds: Int64, wall: Int64 = 0) {
        box.reading.wall += seconds + wall
        box.reading.uptime = 500
        box.reading.boot += "+"
    }
}

/// A clock on which every sleep passes at once, and which adds the sleeps up.
final class LeapingClock: Clock, @unchecked Sendable {
    typealias Instant = ContinuousClock.Instant
    private let start = ContinuousClock.now
    private let sum: TestTime?
    private nonisolated(unsafe) var passed = Duration.zero
    /// The shortest of all sleeps.
    private(set) nonisolated(unsafe) var shortest: Duration?

    init(_ time: TestTime? = nil) { sum = time }

    var now: Instant { start.advanced(by: passed) }
    var minimumResolution: Duration { .zero }
    var total: Duration { passed }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        try Task.checkCancellation()
        let pause = now.duration(to: deadline)
        passed += pause
        shortest = min(shortest ?? pause, pause)
        await sum?.advance(seconds: Int64(pause.components.seconds))
        await Task.yield()
    }
}

/// A clock that never advances.
struct StillClock: Clock {
    typealias Instant = ContinuousClock.Instant
    var now: Instant { ContinuousClock.now }
    var minimumResolution: Duration { .zero }
    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        while true { try await Task.sleep(for: .seconds(3600)) }
    }
}

extension OfflineLimits {
    static let ofTests = OfflineLimits(
        amounts: [Amounts(perTap: eur(20_000), perCard: 30_000, total: 100_000)], countPerCard: 2, count: 10,
        sinceHost: nil)
}

/// A POS with a journal and a host.
struct Shop {
    let transport: SimulatedReader
    let reader: TapReader
    let session: ReaderSession

    init(
        _ journal: any Journal, _ tap: SimulatedTap? = nil, card: CardProfile? = nil,
        configuration: Configuration = .simulator(), timer: any Clock<Duration> = StillClock(), isSealed: Bool = true,
        offline: OfflinePolicy? = nil, _ change: (inout TapReader.Options) -> Void = { _ in }
    ) async throws {
        let transport: SimulatedReader =
            tap.map { SimulatedReader($0) } ?? card.map { SimulatedReader($0) } ?? .byAmount()
        self.transport = transport
        reader = tapReader(transport, configuration: configuration) {
            $0.journal = journal
            $0.sealer = isSealed ? SimulatedSealer() : nil
            $0.fingerprints = isSealed ? SimulatedSealer() : nil
            $0.offline = offline
            $0.timer = timer
            change(&$0)
        }
        session = try await reader.prepare()
    }

    func read(_ amount: UInt64 = 1250, _ change: (inout PaymentRequest) -> Void = { _ in }) async -> TapOutcome {
        var request = PaymentRequest(amount: eur(amount), timeout: .seconds(1))
        change(&request)
        return await session.read(request)
    }

    /// Runs the payment from the tap to its result.
    func pay(
        _ amount: UInt64 = 1250, with host: any Authorizer, _ change: (inout PaymentRequest) -> Void = { _ in }
    ) async throws -> (key: ReconciliationKey, result: AuthorizationResult) {
        let outcome = await read(amount, change)
        let read = try #require(outcome.read, "\(outcome)")
        return (try #require(read.key), await session.authorize(read, with: host, pinPad: SimulatedPINPad()))
    }
}

extension SaleReference {
    static func order(_ number: Int) -> SaleReference { SaleReference(rawValue: "order-\(number)")! }
}

extension JournalEntry {
    /// The stored read of a `read` entry, as it is in memory.
    var read: StoredRead? { if case .read(let read) = event { read } else { nil } }
}
