// SPDX-License-Identifier: Apache-2.0
/// Delivers events to any number of listeners, in order. Each listener first receives the latest event that describes
/// the current state.
///
/// Subscriptions and events pass through one queue, so a listener misses no event that is published after `subscribe()`
/// returns.
struct EventHub<Event: Sendable>: Sendable {
    private enum Letter: Sendable {
        case listener(AsyncStream<Event>.Continuation)
        case event(Event)
    }

    private let inbox: AsyncStream<Letter>.Continuation

    /// - Parameters:
    ///   - first: the current state.
    ///   - isState: whether the event describes the current state, so that later listeners receive it too.
    init(_ first: Event? = nil, isState: @escaping @Sendable (Event) -> Bool = { _ in false }) {
        let (letters, inbox) = AsyncStream.makeStream(of: Letter.self)
        self.inbox = inbox
        Task.detached {
            var latest = first
            var listeners: [AsyncStream<Event>.Continuation] = []
            for await letter in letters {
                switch letter {
                case .listener(let listener):
                    if let latest { listener.yield(latest) }
                    listeners.append(listener)
                case .event(let event):
                    if isState(event) { latest = event }
                    listeners.removeAll { if case .terminated = $0.yield(event) { true } else { false } }
                }
            }
            for listener in listeners { listener.finish() }
        }
    }

    func publish(_ event: Event) {
        inbox.yield(.event(event))
    }

    /// A listener that falls behind loses the oldest events first.
    func subscribe() -> AsyncStream<Event> {
        let (stream, listener) = AsyncStream.makeStream(of: Event.self, bufferingPolicy: .bufferingNewest(256))
        inbox.yield(.listener(listener))
        return stream
    }

    func finish() {
        inbox.finish()
    }
}
