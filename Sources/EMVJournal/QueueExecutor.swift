// SPDX-License-Identifier: Apache-2.0
#if Journal
import Dispatch
import Foundation

/// An actor's executor with a separate queue, for calls that block until a disk has written.
final class QueueExecutor: SerialExecutor {
    private let queue: DispatchQueue

    init(_ label: String) { queue = DispatchQueue(label: label) }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { unsafe job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }

    func asUnownedSerialExecutor() -> UnownedSerialExecutor { unsafe UnownedSerialExecutor(ordinary: self) }
}

/// The number of readers that are talking to a card. It is updated outside the journal's queue, so that no card waits
/// for a disk.
final class CardCount: Sendable {
    private let lock = NSLock()
    private nonisolated(unsafe) var count = 0

    func note(_ isPresent: Bool) { lock.withLock { unsafe count += isPresent ? 1 : -1 } }
    var isThere: Bool { lock.withLock { unsafe count > 0 } }
}
#endif
