// SPDX-License-Identifier: Apache-2.0
import EMVKit
import EMVSimulator
import Foundation
import TestWaiting
import Testing

/// Calls into the app that may exceed their deadline: opening a reader, and an enrolment.
@Suite(.timeLimit(.minutes(30))) struct DeadlineTests {
    private actor SilentBook: Enrollment {
        private var waiting: [CheckedContinuation<Void, Never>] = []
        private var answers = false

        func answer() {
            answers = true
            for continuation in waiting { continuation.resume() }
            waiting = []
        }

        func status(of merchant: MerchantID) async -> EnrollmentStatus {
            if !answers { await withCheckedContinuation { waiting.append($0) } }
            return .revoked
        }
        func accept(
            for merchant: MerchantID, by person: Operator, at moment: LocalTime
        ) async throws(EnrollmentError) -> EnrollmentRecord { throw .revoked }
        func adopt(_ record: EnrollmentRecord) async throws(EnrollmentError) {}
    }

    /// Runs jobs one at a time, or holds them until released.
    private final class HeldExecutor: SerialExecutor, @unchecked Sendable {
        private let queue = DispatchQueue(label: "held"), lock = NSLock()
        private var held: [UnownedJob] = []
        private var holds = false

        var heldCount: Int { lock.withLock { held.count } }

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            let isHeld = lock.withLock {
                if holds { held.append(job) }
                return holds
            }
            if !isHeld { run(job) }
        }

        func hold() { lock.withLock { holds = true } }

        func letGo() {
            let jobs = lock.withLock {
                defer { (holds, held) = (false, []) }
                return held
            }
            for job in jobs { run(job) }
        }

        private func run(_ job: UnownedJob) {
            queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
        }
    }

    /// A transport that opens when the test releases it, on the reader's executor.
    private actor Held: CardTransport {
        private let executor: HeldExecutor
        private let orders: AsyncStream<Void>
        private let order: AsyncStream<Void>.Continuation

        init(_ executor: HeldExecutor) {
            self.executor = executor
            (orders, order) = AsyncStream.makeStream()
        }

        nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
        nonisolated var isolation: (any Actor)? { self }
        nonisolated func letOpen() { order.yield() }

        func open() async -> ReaderFault? {
            for await _ in orders { break }
            return nil
        }
        func waitForCard(_ poll: Poll) async -> CardEvent { .nothing }
        func transceive(_ command: Bytes) async -> Exchange { .fault(.removed) }
        func fieldOff() async {}
    }

    @Test("A reader that does not open in time is a fault; the next preparation waits for the same opening")
    func anOpeningHasADeadline() async throws {
        let clock = SimulatedClock(), gate = Gate(.online)
        let reader = tapReader(gate) {
            $0.timer = clock
            $0.openDeadline = .seconds(20)
        }
        let first = Task { try await reader.prepare() }
        try await waitUntilSomeoneSleeps(clock)
        await clock.advance(by: .milliseconds(19_999))
        #expect(await clock.sleeperCount == 1)
        await clock.advance(by: .milliseconds(1))
        let error = await #expect(throws: PrepareError.self) { try await first.value }
        #expect(error?.problems.map(\.code) == [.readerFailed])
        #expect(await gate.openings == 1)

        let second = Task { try await reader.prepare() }
        try await waitUntilSomeoneSleeps(clock)
        await gate.letGo()
        _ = try await second.value
        #expect(await gate.openings == 1)
        // The opening that was given up leaves no trace.
        await reader.suspend()
        _ = try await reader.prepare()
        #expect(await gate.openings == 2)
    }

    /// The reader's next job is queued behind the end of the opening, so both have happened when it checks.
    @Test("A reader that is open when its deadline passes is not late")
    func whatIsOpenIsNotLate() async throws {
        let clock = SimulatedClock(), executor = HeldExecutor(), transport = Held(executor)
        let reader = tapReader(transport) {
            $0.timer = clock
            $0.openDeadline = .seconds(20)
        }
        let preparing = Task { try await reader.prepare() }
        try await waitUntilSomeoneSleeps(clock)
        executor.hold()
        transport.letOpen()
        try await waitUntil("the end of the opening") { executor.heldCount == 1 }
        await clock.advance(by: .seconds(20))
        try await waitUntil("the end of the deadline") { executor.heldCount == 2 }
        executor.letGo()
        _ = try await preparing.value
    }

    @Test("An enrolment that does not answer in time is no refusal and no acceptance")
    func anEnrolmentHasADeadline() async throws {
        let clock = SimulatedClock(), book = SilentBook()
        let reader = tapReader(SimulatedReader(.online)) {
            $0.timer = clock
            $0.enrollment = book
            $0.enrollmentDeadline = .seconds(10)
        }
        let preparing = Task { try await reader.prepare() }
        try await waitUntilSomeoneSleeps(clock)
        await clock.advance(by: .seconds(10))
        await #expect(throws: PrepareError.enrollment(.unanswered)) { try await preparing.value }
        #expect(EnrollmentStatus.unanswered.problems.map(\.code) == [.enrollmentUnanswered])
        await book.answer()
        await #expect(throws: PrepareError.enrollment(.revoked)) { try await reader.prepare() }
    }
}
