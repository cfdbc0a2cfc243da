// SPDX-License-Identifier: Apache-2.0
internal import CPCSC

/// A thread of its own for calls that block, as the executor of an actor. It ends when the last actor that runs on it
/// goes.
///
/// What crosses threads is the list of jobs, behind the door's lock.
final class ReaderThread: SerialExecutor, @unchecked Sendable {
    private let mailbox: Mailbox

    init() {
        mailbox = Mailbox()
        let retained = unsafe Unmanaged.passRetained(mailbox)
        let error = unsafe cpcsc_thread_start({ unsafe Mailbox.run($0) }, retained.toOpaque())
        precondition(error == 0, "the system has no thread left")
    }

    deinit {
        mailbox.close()
    }

    func enqueue(_ job: consuming ExecutorJob) {
        mailbox.put(UnownedJob(job), for: self)
    }

    func asUnownedSerialExecutor() -> UnownedSerialExecutor {
        unsafe UnownedSerialExecutor(ordinary: self)
    }

    /// Called on the thread itself: how long to watch for the next job before the thread sleeps.
    func watch(nanoseconds: UInt64) {
        mailbox.watch = nanoseconds
    }
}

@safe private final class Mailbox {
    private struct Letter {
        let job: UnownedJob
        /// Kept until its job has run.
        let executor: ReaderThread
    }

    private let door: OpaquePointer
    private var letters: [Letter] = []
    private var isClosed = false
    /// Belongs to the thread.
    var watch: UInt64 = 0

    init() {
        unsafe door = cpcsc_door_create()
        letters.reserveCapacity(8)
    }

    deinit {
        unsafe cpcsc_door_destroy(door)
    }

    func put(_ job: UnownedJob, for executor: ReaderThread) {
        unsafe cpcsc_door_lock(door)
        letters.append(Letter(job: job, executor: executor))
        unsafe cpcsc_door_ring_and_unlock(door)
    }

    func close() {
        unsafe cpcsc_door_lock(door)
        isClosed = true
        unsafe cpcsc_door_ring_and_unlock(door)
    }

    /// The life of the thread.
    static func run(_ argument: UnsafeMutableRawPointer?) {
        guard let argument = unsafe argument else { return }
        let mailbox = unsafe Unmanaged<Mailbox>.fromOpaque(argument).takeRetainedValue()
        while mailbox.work() {}
    }

    private func work() -> Bool {
        unsafe cpcsc_door_wait(door, watch)
        watch = 0
        while true {
            unsafe cpcsc_door_lock(door)
            let ends = isClosed && letters.isEmpty
            let letter = letters.isEmpty ? nil : letters.removeFirst()
            unsafe cpcsc_door_unlock(door)
            guard let letter else { return !ends }
            unsafe letter.job.runSynchronously(on: letter.executor.asUnownedSerialExecutor())
        }
    }
}
