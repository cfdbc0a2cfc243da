// SPDX-License-Identifier: Apache-2.0
/// A clock by which no busy machine makes anything late: pauses pass at once, and a deadline passes when
/// ``letDeadlinePass()`` says that nothing else will come. Each call lets one pass.
package actor DeadlineClock: Clock {
    package struct Instant: InstantProtocol {
        let offset: Duration
        package func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        package func duration(to other: Instant) -> Duration { other.offset - offset }
        package static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    private let isPause: @Sendable (Duration) -> Bool
    /// Deadlines that may pass now.
    private var due = 0

    /// - Parameter isPause: what is no deadline, but a time that a kernel or a display waits; by default up to five
    ///   seconds.
    package init(isPause: @escaping @Sendable (Duration) -> Bool = { $0 <= .seconds(5) }) { self.isPause = isPause }

    /// Always the same: durations count from the moment a sleep begins.
    package nonisolated var now: Instant { Instant(offset: .zero) }
    package nonisolated var minimumResolution: Duration { .zero }

    package func letDeadlinePass() { due += 1 }

    package func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        guard !isPause(deadline.offset) else {
            try Task.checkCancellation()
            return await Task.yield()
        }
        while due == 0 { try await Task.sleep(for: .milliseconds(1)) }
        try Task.checkCancellation()
        due -= 1
    }
}
