// SPDX-License-Identifier: Apache-2.0
import EMVKit

/// A clock for deadlines and hold times in tests: time passes when ``advance(by:)`` says so, or at once.
public struct SimulatedClock: Clock {
    public struct Instant: InstantProtocol {
        let offset: Duration
        public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        public func duration(to other: Instant) -> Duration { other.offset - offset }
        public static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    /// Whether time passes by itself.
    public enum Pace: Sendable, Hashable {
        /// When ``SimulatedClock/advance(by:)`` is called.
        case manual
        /// Every sleep ends after its task has let others run so many times.
        case afterYields(Int)
    }

    private let pace: Pace
    private let sleepers = Sleepers()

    public init(_ pace: Pace = .manual) { self.pace = pace }

    /// Always the same: durations count from the moment a sleep begins.
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

    /// Lets time pass: whoever sleeps until then wakes up.
    public func advance(by duration: Duration) async { await sleepers.advance(by: duration) }

    /// How many sleep now.
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
