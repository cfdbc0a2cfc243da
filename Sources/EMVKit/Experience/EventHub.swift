// SPDX-License-Identifier: Apache-2.0
/// Hands events to any number of listeners, in order, each beginning with the latest.
///
/// Subscriptions and events pass through one queue, so a listener misses nothing that is published after `subscribe()` returns.
struct EventHub: Sendable {
    private enum Letter: Sendable {
        case listener(AsyncStream<TapEvent>.Continuation)
        case event(TapEvent)
    }

    private let inbox: AsyncStream<Letter>.Continuation

    init() {
        let (letters, inbox) = AsyncStream.makeStream(of: Letter.self)
        self.inbox = inbox
        Task.detached {
            var latest = TapEvent.notReady
            var listeners: [AsyncStream<TapEvent>.Continuation] = []
            for await letter in letters {
                switch letter {
                case .listener(let listener):
                    listener.yield(latest)
                    listeners.append(listener)
                case .event(let event):
                    if event.isState { latest = event }
                    listeners.removeAll { if case .terminated = $0.yield(event) { true } else { false } }
                }
            }
            for listener in listeners { listener.finish() }
        }
    }

    func publish(_ event: TapEvent) {
        inbox.yield(.event(event))
    }

    /// A listener that falls behind loses the oldest events first.
    func subscribe() -> AsyncStream<TapEvent> {
        let (stream, listener) = AsyncStream.makeStream(of: TapEvent.self, bufferingPolicy: .bufferingNewest(256))
        inbox.yield(.listener(listener))
        return stream
    }

    func finish() {
        inbox.finish()
    }
}
