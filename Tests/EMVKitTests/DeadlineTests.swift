// SPDX-License-Identifier: Apache-2.0
import EMVKit
import EMVSimulator
import Testing

/// What of the app's parts may take too long: the opening of a reader, and an enrolment.
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

    /// Opens without waiting, on the reader's own executor.
    private actor Ready: CardTransport {
        nonisolated var isolation: (any Actor)? { self }
        func open() async -> ReaderFault? { nil }
        func waitForCard(_ poll: Poll) async -> CardEvent { .nothing }
        func transceive(_ command: Bytes) async -> Exchange { .fault(.removed) }
        func fieldOff() async {}
    }

    private func waitUntilSomeoneSleeps(_ clock: SimulatedClock) async {
        while await clock.sleeperCount == 0 { await Task.yield() }
    }

    @Test("A reader that does not open in time is a fault; the next preparation waits for the same opening")
    func anOpeningHasADeadline() async throws {
        let clock = SimulatedClock(), gate = Gate(.online)
        let reader = tapReader(gate) {
            $0.timer = clock
            $0.openDeadline = .seconds(20)
        }
        let first = Task { try await reader.prepare() }
        await waitUntilSomeoneSleeps(clock)
        await clock.advance(by: .milliseconds(19_999))
        #expect(await clock.sleeperCount == 1)
        await clock.advance(by: .milliseconds(1))
        let error = await #expect(throws: PrepareError.self) { try await first.value }
        #expect(error?.problems.map(\.code) == [.readerFailed])
        #expect(await gate.openings == 1)

        let second = Task { try await reader.prepare() }
        await waitUntilSomeoneSleeps(clock)
        await gate.letGo()
        _ = try await second.value
        #expect(await gate.openings == 1)
        // The one that was given up leaves nothing behind.
        await reader.suspend()
        _ = try await reader.prepare()
        #expect(await gate.openings == 2)
    }

    @Test("A reader that is open when its deadline passes is not late, even by a clock that passes at once")
    func whatIsOpenIsNotLate() async throws {
        for _ in 0..<300 {
            let reader = tapReader(Ready()) {
                $0.timer = SimulatedClock(.afterYields(0))
                $0.openDeadline = .seconds(20)
            }
            _ = try await reader.prepare()
        }
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
        await waitUntilSomeoneSleeps(clock)
        await clock.advance(by: .seconds(10))
        await #expect(throws: PrepareError.enrollment(.unanswered)) { try await preparing.value }
        #expect(EnrollmentStatus.unanswered.problems.map(\.code) == [.enrollmentUnanswered])
        await book.answer()
        await #expect(throws: PrepareError.enrollment(.revoked)) { try await reader.prepare() }
    }
}
