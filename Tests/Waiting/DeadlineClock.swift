// SPDX-License-Identifier: Apache-2.0
/// A clock by which no busy machine makes anything late: pauses pass at once, and a deadline passes when
/// ``letDeadlinePass()`` says that nothing else will come. Each call lets one pass.
package actor DeadlineClock: Clock {
    package typealias Instant = ContinuousClock.Instant

    private let isPause: @Sendable (Duration) -> Bool
    /// Deadlines that may pass as soon as somebody waits for one.
    private var due = 0
    private var nextID = 0
    private var waiting: [(id: Int, continuation: CheckedContinuation<Void, any Error>)] = []

    /// - Parameter isPause: what is no deadline, but a time that a kernel or a display waits; by default up to five
    ///   seconds.
    package init(isPause: @escaping @Sendable (Duration) -> Bool = { $0 <= .seconds(5) }) { self.isPause = isPause }

    /// Always the same: durations count from the moment a sleep begins.
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
        // Whoever is not waited for any more leaves it to another.
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
