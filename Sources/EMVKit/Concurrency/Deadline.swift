// SPDX-License-Identifier: Apache-2.0
/// Waits for an operation until the deadline, measured by this clock. A late operation is cancelled and not awaited, so
/// an operation that ignores its cancellation does not delay the caller.
package func race<Value: Sendable>(
    _ deadline: Duration?, by clock: any Clock<Duration>, _ operation: @escaping @Sendable () async -> Value
) async -> Race<Value> {
    let (finishes, first) = AsyncStream.makeStream(of: Race<Value>.self, bufferingPolicy: .bufferingOldest(1))
    let work = Task { first.yield(.value(await operation())) }
    let timer = deadline.map { deadline in
        Task {
            do {
                try await clock.sleep(for: deadline)
                first.yield(.deadlinePassed)
            } catch {}
        }
    }
    var finish = finishes.makeAsyncIterator()
    let result = await finish.next() ?? .cancelled
    work.cancel()
    timer?.cancel()
    return result
}
