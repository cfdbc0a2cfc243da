// SPDX-License-Identifier: Apache-2.0
/// A clock for which a busy machine is never late: pauses pass at once, and a deadline passes when
/// ``letDeadlinePass()`` states that nothing else will come. Each call lets one deadline pass.
package actor DeadlineClock: Clock {
    package typealias Instant = ContinuousClock.Instant

    private let isPause: @Sendable (Duration) -> Bool
    /// The number of deadlines that may pass as soon as a task waits for one.
    private var due = 0
    private var nextID = 0
    private var waiting: [(id: Int, continuation: CheckedContinuation<Void, any Error>)] = []

    /// - Parameter isPause: recognises the pauses of a kernel or a display, which are not deadlines; by default
    ///   durations up to five seconds.
    package init(isPause: @escaping @Sendable (Duration) -> Bool = { $0 <= .seconds(5) }) { self.isPause = isPause }

    /// Constant: durations are counted from the start of a sleep.
    package nonisolated let now = ContinuousClock.now
    package nonisolated var minimumResolution: Duration { .zero }

    package func letDeadlinePass() {
        if waiting.isEmpty {
            due += 1
        } else {
            waiting.removeFirst().continuation.resume()
        }
    }

    package func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        try Task.checkCancellation()
        guard !isPause(now.duration(to: deadline)) else { return await Task.yield() }
        if due > 0 {
            due -= 1
        } else {
            try await wait()
        }
        // A cancelled task leaves the deadline to another one.
        if Task.isCancelled {
            letDeadlinePass()
            throw CancellationError()
        }
    }

    private func wait() async throws {
        let id = nextID
        nextID += 1
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                if Task.isCancelled {
                    continuation.resume(throwing: CancellationError())
                } else {
                    waiting.append((id, continuation))
                }
            }
        } onCancel: {
            Task { await self.cancel(id) }
        }
    }

    private func cancel(_ id: Int) {
        guard let index = waiting.firstIndex(where: { $0.id == id }) else { return }
        waiting.remove(at: index).continuation.resume(throwing: CancellationError())
    }
}
