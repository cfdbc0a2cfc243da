// SPDX-License-Identifier: Apache-2.0
#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Delivers events to any number of listeners, in order. Each listener first receives the latest event that describes
/// the current state.
///
/// An event is published as a notice, and built only if somebody listens. A lock orders subscriptions and notices, so a
/// listener misses no event that is published after `subscribe()` returns, and without a listener a notice costs a
/// comparison and a copy.
final class EventHub<Notice: Sendable, Event: Sendable>: Sendable {
    private let lock = Lock()
    private let isState: @Sendable (Notice) -> Bool
    private let event: @Sendable (Notice) -> Event
    // Only read and written under the lock.
    nonisolated(unsafe) private var latest: Notice?
    nonisolated(unsafe) private var listeners: [AsyncStream<Event>.Continuation] = []

    /// - Parameters:
    ///   - first: the current state.
    ///   - isState: whether the notice describes the current state, so that later listeners receive it too.
    ///   - event: builds the event of a notice.
    init(
        _ first: Notice?, isState: @escaping @Sendable (Notice) -> Bool, event: @escaping @Sendable (Notice) -> Event
    ) {
        unsafe latest = first
        self.isState = isState
        self.event = event
    }

    func publish(_ notice: Notice) {
        let keeps = isState(notice)
        lock.lock()
        defer { lock.unlock() }
        if keeps { unsafe latest = notice }
        guard unsafe !listeners.isEmpty else { return }
        let event = event(notice)
        unsafe listeners.removeAll { if case .terminated = $0.yield(event) { true } else { false } }
    }

    /// A listener that falls behind loses the oldest events first.
    func subscribe() -> AsyncStream<Event> {
        let (stream, listener) = AsyncStream.makeStream(of: Event.self, bufferingPolicy: .bufferingNewest(256))
        lock.lock()
        defer { lock.unlock() }
        if let latest = unsafe latest { listener.yield(event(latest)) }
        unsafe listeners.append(listener)
        return stream
    }

    /// Ends the streams of all listeners. Their termination handlers run outside the lock.
    func finish() {
        lock.lock()
        let ended = unsafe listeners
        unsafe listeners = []
        lock.unlock()
        for listener in ended { listener.finish() }
    }
}

extension EventHub where Notice == Event {
    convenience init(_ first: Event? = nil, isState: @escaping @Sendable (Event) -> Bool = { _ in false }) {
        self.init(first, isState: isState) { $0 }
    }
}

/// A mutex of the C library: Swift's own needs macOS 15.
@safe
private final class Lock: Sendable {
    nonisolated(unsafe) private let mutex: UnsafeMutablePointer<pthread_mutex_t>

    init() {
        unsafe mutex = .allocate(capacity: 1)
        unsafe mutex.initialize(to: pthread_mutex_t())
        unsafe pthread_mutex_init(mutex, nil)
    }

    deinit {
        unsafe pthread_mutex_destroy(mutex)
        unsafe mutex.deinitialize(count: 1)
        unsafe mutex.deallocate()
    }

    func lock() { unsafe pthread_mutex_lock(mutex) }
    func unlock() { unsafe pthread_mutex_unlock(mutex) }
}
