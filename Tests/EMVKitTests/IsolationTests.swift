// SPDX-License-Identifier: Apache-2.0
import Dispatch
import EMVKit
import EMVSimulator
import Testing

/// Runs jobs one after the other on a queue, and counts them.
private final class CountingExecutor: SerialExecutor {
    private let queue = DispatchQueue(label: "counting")
    /// Touched on the queue only.
    nonisolated(unsafe) private var jobs = 0

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async {
            self.jobs += 1
            job.runSynchronously(on: self.asUnownedSerialExecutor())
        }
    }

    /// Since the last question.
    func take() -> Int {
        queue.sync {
            defer { jobs = 0 }
            return jobs
        }
    }
}

/// A card in memory on an executor of the test's.
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

/// Where the reader runs.
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

    /// An exchange beside which there is certificate work is a task of its own: its beginning and the return from it.
    /// Here that is what is sent when the issuer's certificate is there, and what is sent when the card's is.
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

    /// The executor is unowned: what runs on it must not outlive the actor it belongs to.
    @Test(arguments: [true, false]) func readersComeAndGo(offersItself: Bool) async throws {
        for _ in ModelSeeds.all(dividedBy: 20) {
            let taps = (0..<4).map { _ in Task { try await self.tap("online", offersItself: offersItself) } }
            for tap in taps { #expect(try await tap.value.exchanges > 0) }
        }
    }
}
