// SPDX-License-Identifier: Apache-2.0
import Dispatch
import EMVKit
import EMVSimulator
import Testing

/// Runs jobs one at a time on a queue, and counts them.
private final class CountingExecutor: SerialExecutor {
    private let queue = DispatchQueue(label: "counting")
    /// Accessed on the queue only.
    nonisolated(unsafe) private var jobs = 0

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async {
            self.jobs += 1
            job.runSynchronously(on: self.asUnownedSerialExecutor())
        }
    }

    /// Returns the number of jobs since the last call.
    func take() -> Int {
        queue.sync {
            defer { jobs = 0 }
            return jobs
        }
    }
}

/// A card in memory on the test's executor.
private actor CountingTransport: CardTransport {
    nonisolated let executor = CountingExecutor()
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
    nonisolated let offersItself: Bool
    nonisolated var isolation: (any Actor)? { offersItself ? self : nil }

    private var card: VirtualCard
    private(set) var exchanges = 0

    init(_ profile: CardProfile, offersItself: Bool) {
        card = VirtualCard(profile)
        self.offersItself = offersItself
    }

    func waitForCard(_ poll: Poll) async -> CardEvent { .card }
    func fieldOff() async {}

    func transceive(_ command: Bytes) async -> Exchange {
        exchanges += 1
        guard case .response(let bytes, _) = card.exchange(command) else { return .fault(.transmission) }
        return .response(bytes, elapsed: nil)
    }
}

/// The executor on which the reader runs.
@Suite(.timeLimit(.minutes(30))) struct IsolationTests {
    private func tap(_ profile: String, offersItself: Bool) async throws -> (exchanges: Int, jobs: Int) {
        let transport = CountingTransport(try #require(CardProfile.named(profile)), offersItself: offersItself)
        let session = try await TapReader(transport, configuration: .simulator(), options: .ofTools).prepare()
        let request = PaymentRequest(
            amount: Money(minorUnits: 1250, currency: .eur), moment: LocalTime(date: testDay, time: .midnight))
        _ = transport.executor.take()
        #expect(await session.read(request).name == .success)
        let jobs = transport.executor.take()
        return (await transport.exchanges, jobs)
    }

    @Test func exchangesOnTheTransportsExecutorEnqueueNothing() async throws {
        let short = try await tap("online", offersItself: true)
        let long = try await tap("onlineRecords", offersItself: true)
        #expect(short.exchanges < long.exchanges)
        #expect(short.jobs == long.jobs)
    }

    /// If there is certificate work during an exchange, the exchange runs as a separate task, which costs two jobs: its
    /// start and the return from it. In this tap two exchanges do: the one sent once the issuer's certificate has been
    /// read, and the one sent once the card's has.
    @Test func exchangesBesideWorkEnqueueTwoJobsEach() async throws {
        let short = try await tap("online", offersItself: true)
        let long = try await tap("fdda", offersItself: true)
        #expect(long.jobs > short.jobs)
        #expect(long.jobs <= short.jobs + 2 * 2)
    }

    @Test func aTransportKeepsItsExecutorToItselfByDefault() async throws {
        let short = try await tap("online", offersItself: false)
        let long = try await tap("onlineRecords", offersItself: false)
        #expect(long.jobs - short.jobs == long.exchanges - short.exchanges)
    }

    /// The executor is unowned: its jobs must not outlive the actor that owns it.
    @Test(arguments: [true, false]) func readersComeAndGo(offersItself: Bool) async throws {
        for _ in ModelSeeds.all(dividedBy: 20) {
            let taps = (0..<4).map { _ in Task { try await self.tap("online", offersItself: offersItself) } }
            for tap in taps { #expect(try await tap.value.exchanges > 0) }
        }
    }
}
