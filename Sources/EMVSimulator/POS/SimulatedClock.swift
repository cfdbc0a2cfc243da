// SPDX-License-Identifier: Apache-2.0
import EMVKit

/// A clock for deadlines and hold times in tests: time passes by ``advance(by:)`` only, or every sleep ends after a few
/// yields.
public struct SimulatedClock: Clock {
    public struct Instant: InstantProtocol {
        let offset: Duration
        public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        public func duration(to other: Instant) -> Duration { other.offset - offset }
        public static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    /// Whether time passes by itself.
    public enum Pace: Sendable, Hashable {
        /// Time passes only when ``SimulatedClock/advance(by:)`` is called.
        case manual
        /// Every sleep ends after its task has yielded this number of times.
        case afterYields(Int)
    }

    private let pace: Pace
    private let sleepers = Sleepers()

    public init(_ pace: Pace = .manual) { self.pace = pace }

    /// Constant: durations count from the beginning of a sleep.
    public var now: Instant { Instant(offset: .zero) }
    public var minimumResolution: Duration { .zero }

    public func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        guard case .afterYields(let count) = pace else { return try await sleepers.sleep(for: deadline.offset) }
        for _ in 0..<count {
            try Task.checkCancellation()
            await Task.yield()
        }
        try Task.checkCancellation()
    }

    /// Advances the time and wakes the tasks whose sleep ends by then.
    public func advance(by duration: Duration) async { await sleepers.advance(by: duration) }

    /// Number of sleeping tasks.
    public var sleeperCount: Int { get async { await sleepers.count } }
}

private actor Sleepers {
    private var elapsed = Duration.zero
    private var nextID = 0
    private var asleep: [Int: (wakesAt: Duration, continuation: CheckedContinuation<Void, any Error>)] = [:]

    var count: Int { asleep.count }

    func sleep(for duration: Duration) async throws {
        let id = nextID
        nextID += 1
        let wakesAt = elapsed + duration
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                if Task.isCancelled {
                    continuation.resume(throwing: CancellationError())
                } else if wakesAt <= elapsed {
                    continuation.resume()
                } else {
                    asleep[id] = (wakesAt, continuation)
                }
            }
        } onCancel: {
            Task { await self.cancel(id) }
        }
    }

    func advance(by duration: Duration) {
        elapsed += duration
        let due = asleep.filter { $0.value.wakesAt <= elapsed }.sorted { $0.value.wakesAt < $1.value.wakesAt }
        for (id, sleeper) in due {
            asleep[id] = nil
            sleeper.continuation.resume()
        }
    }

    private func cancel(_ id: Int) {
        asleep.removeValue(forKey: id)?.continuation.resume(throwing: CancellationError())
    }
}
