// SPDX-License-Identifier: Apache-2.0
internal import CPCSC

/// Threads of their own for calls that block, as the executor of an actor, and a time limit for each of these calls.
///
/// One thread runs the actor's jobs and its calls of PC/SC, so that an exchange changes no thread. A second one sleeps:
/// it runs jobs that arrive while a call blocks the first, and takes over for good when a call lasts too long. Then the
/// first is given up: it ends when its call returns, after undoing what the call did. Both end when the last actor that
/// runs on them goes.
///
/// What crosses threads is behind the door's lock: jobs, calls, and what is given up.
final class ReaderThread: SerialExecutor, @unchecked Sendable {
    private let mailbox: Mailbox
    /// The ``NearExecutor``, where the system has such.
    private let near: AnyObject?

    init() {
        mailbox = Mailbox()
        if #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) {
            near = NearExecutor(mailbox)
        } else {
            near = nil
        }
        mailbox.startThread { Mailbox.lead($0) }
    }

    deinit {
        mailbox.close()
    }

    func enqueue(_ job: consuming ExecutorJob) {
        mailbox.put(UnownedJob(job), for: self, isNear: false)
    }

    func asUnownedSerialExecutor() -> UnownedSerialExecutor {
        unsafe UnownedSerialExecutor(ordinary: self)
    }

    /// Called on the thread itself: how long to watch for the next job before the thread sleeps.
    func watch(nanoseconds: UInt64) {
        mailbox.watch = nanoseconds
    }

    // MARK: - Calls

    /// Lets a call that waits end before its time.
    final class Token: @unchecked Sendable {
        /// Behind the door's lock.
        fileprivate var isHurried = false
        fileprivate var call: Call?
    }

    /// How a call ended.
    enum Ending<Result: Sendable>: Sendable {
        case done(Result)
        /// It did not return in time.
        case givenUp
        /// Its token was hurried before it began.
        case refused
    }

    /// Runs `body` on the thread, after the calls before it. If it does not return within `limit`, `late` undoes it
    /// when it does.
    ///
    /// - Parameter subject: who keeps a call waiting, for ``isStuck(_:)``: the name of a reader; empty: the service.
    func call<Result: Sendable>(
        _ subject: String, limit: Duration, token: Token? = nil, isolation: isolated (any Actor)? = #isolation,
        late: @escaping @Sendable (Result) -> Void = { _ in }, _ body: @escaping @Sendable () -> Result
    ) async -> Ending<Result> {
        // A continuation resumes its task by way of the shared pool, whose threads would have to wake up for each call;
        // with this preference it stays here.
        if #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *), let near = near as? NearExecutor {
            return await withTaskExecutorPreference(near) {
                await self.suspended(subject, limit, token, isolation: isolation, late, body)
            }
        }
        return await suspended(subject, limit, token, isolation: isolation, late, body)
    }

    private func suspended<Result: Sendable>(
        _ subject: String, _ limit: Duration, _ token: Token?, isolation: isolated (any Actor)?,
        _ late: @escaping @Sendable (Result) -> Void, _ body: @escaping @Sendable () -> Result
    ) async -> Ending<Result> {
        let slot = Slot<Result>()
        return unsafe await withUnsafeContinuation { (waiting: UnsafeContinuation<Ending<Result>, Never>) in
            let call = Call(
                subject: subject, limit: limit, body: { slot.value = body() },
                end: { end in
                    let value = end == .done ? slot.value : nil
                    let ending: Ending<Result> = value.map { .done($0) } ?? (end == .refused ? .refused : .givenUp)
                    unsafe waiting.resume(returning: ending)
                },
                late: { if let value = slot.value { late(value) } })
            mailbox.put(call, token)
        }
    }

    /// Runs `body` on the thread, sooner or later; nobody waits for it.
    func post(_ subject: String, limit: Duration, _ body: @escaping @Sendable () -> Void) {
        mailbox.put(Call(subject: subject, limit: limit, body: body, end: { _ in }, late: {}), nil)
    }

    /// Gives the call of this token one second more, or keeps it from beginning. `true`: it runs.
    func hurry(_ token: Token) -> Bool { mailbox.hurry(token) }

    /// Whether the call of this token still runs.
    func isRunning(_ token: Token) -> Bool { mailbox.isRunning(token) }

    /// A call about `subject` was given up and has not returned.
    func isStuck(_ subject: String) -> Bool { mailbox.isStuck(subject) }

    /// What a call returned; written by the thread that runs it, read after it has run.
    private final class Slot<Value>: @unchecked Sendable {
        var value: Value?
    }

    fileprivate enum End {
        case done, givenUp, refused
    }

    fileprivate final class Call {
        let subject: String
        let limit: UInt64
        let body: () -> Void
        let end: (End) -> Void
        let late: () -> Void
        /// By cpcsc_now(); 0 before it begins.
        var deadline: UInt64 = 0
        var isGivenUp = false

        init(
            subject: String, limit: Duration, body: @escaping () -> Void, end: @escaping (End) -> Void,
            late: @escaping () -> Void
        ) {
            self.subject = subject
            self.limit = UInt64(max(1, limit / .nanoseconds(1)))
            self.body = body
            self.end = end
            self.late = late
        }
    }

    /// Bytes that a call writes; the owner takes new ones when the call is given up.
    @safe final class Room: @unchecked Sendable {
        let bytes: UnsafeMutableBufferPointer<UInt8>

        init(count: Int) {
            unsafe bytes = .allocate(capacity: count)
            unsafe bytes.initialize(repeating: 0)
        }

        deinit {
            unsafe bytes.update(repeating: 0)
            unsafe bytes.deallocate()
        }
    }
}

/// Runs what no actor owns on the same thread: the steps of a task between its call and its actor.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
private final class NearExecutor: TaskExecutor {
    private let mailbox: Mailbox

    init(_ mailbox: Mailbox) { self.mailbox = mailbox }

    func enqueue(_ job: consuming ExecutorJob) {
        mailbox.put(UnownedJob(job), for: self, isNear: true)
    }
}

@safe private final class Mailbox: @unchecked Sendable {
    fileprivate typealias Call = ReaderThread.Call

    private struct Letter {
        let job: UnownedJob
        /// A ``ReaderThread`` or a ``NearExecutor``, kept until its job has run.
        let executor: AnyObject
        let isNear: Bool

        func run() {
            if isNear {
                if #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) {
                    let near = unsafe unsafeDowncast(executor, to: NearExecutor.self)
                    unsafe job.runSynchronously(on: near.asUnownedTaskExecutor())
                }
            } else {
                let thread = unsafe unsafeDowncast(executor, to: ReaderThread.self)
                unsafe job.runSynchronously(on: thread.asUnownedSerialExecutor())
            }
        }
    }

    /// Its lock guards everything here; the first thread waits at it.
    private let door: OpaquePointer
    /// The second thread waits at it.
    private let side: OpaquePointer
    private var letters: [Letter] = []
    private var calls: [Call] = []
    private var running: Call?
    /// A thread runs a job.
    private var isWorking = false
    private var hasSecond = false
    /// The second thread looks at the running call by itself: it wakes up when a call may have run out of time.
    private var isArmed = false
    private var stuck: [String] = []
    private var isClosed = false
    /// Belongs to the thread that runs jobs.
    var watch: UInt64 = 0

    init() {
        unsafe door = cpcsc_door_create()
        unsafe side = cpcsc_door_create()
        letters.reserveCapacity(8)
    }

    deinit {
        unsafe cpcsc_door_destroy(door)
        unsafe cpcsc_door_destroy(side)
    }

    private func locked<Result>(_ body: () -> Result) -> Result {
        unsafe cpcsc_door_lock(door)
        defer { unsafe cpcsc_door_unlock(door) }
        return body()
    }

    private func ring(_ door: OpaquePointer) {
        unsafe cpcsc_door_lock(door)
        unsafe cpcsc_door_ring_and_unlock(door)
    }

    // MARK: From any thread

    /// In one critical section. The runtime does not keep an executor, so the caller holds nothing of this: as soon as
    /// the lock is open the job may run, and with its actor the executor and both doors may go. Nothing is touched
    /// after that.
    func put(_ job: UnownedJob, for executor: AnyObject, isNear: Bool) {
        unsafe cpcsc_door_lock(door)
        letters.append(Letter(job: job, executor: executor, isNear: isNear))
        if running != nil { unsafe ring(side) }
        unsafe cpcsc_door_ring_and_unlock(door)
    }

    func put(_ call: Call, _ token: ReaderThread.Token?) {
        let isRefused = locked {
            if token?.isHurried == true { return true }
            token?.call = call
            calls.append(call)
            return false
        }
        if isRefused { return call.end(.refused) }
        unsafe ring(door)
    }

    func hurry(_ token: ReaderThread.Token) -> Bool {
        let (runs, refused): (Bool, Call?) = locked {
            token.isHurried = true
            guard let call = token.call else { return (false, nil) }
            if call === running {
                call.deadline = min(call.deadline, cpcsc_now() + 1_000_000_000)
                return (true, nil)
            }
            guard let index = calls.firstIndex(where: { $0 === call }) else { return (false, nil) }
            return (false, calls.remove(at: index))
        }
        refused?.end(.refused)
        if runs { unsafe ring(side) }
        return runs
    }

    func isRunning(_ token: ReaderThread.Token) -> Bool {
        locked { token.call.map { $0 === running } ?? false }
    }

    func isStuck(_ subject: String) -> Bool { locked { stuck.contains(subject) } }

    func close() {
        locked { isClosed = true }
        unsafe ring(door)
        unsafe ring(side)
    }

    func startThread(_ body: @escaping (Mailbox) -> Void) {
        final class Start {
            let mailbox: Mailbox
            let body: (Mailbox) -> Void
            init(_ mailbox: Mailbox, _ body: @escaping (Mailbox) -> Void) {
                self.mailbox = mailbox
                self.body = body
            }
        }
        let start = unsafe Unmanaged.passRetained(Start(self, body))
        let error = unsafe cpcsc_thread_start(
            { argument in
                guard let argument = unsafe argument else { return }
                let start = unsafe Unmanaged<Start>.fromOpaque(argument).takeRetainedValue()
                start.body(start.mailbox)
            }, start.toOpaque())
        precondition(error == 0, "the system has no thread left")
    }

    // MARK: The first thread

    /// Its life: jobs and calls, until a call is given up or the executor goes.
    static func lead(_ mailbox: Mailbox) {
        repeat {
            while mailbox.runJob(alone: true) || mailbox.hasNextCall() {
                if mailbox.lostItsCall() { return }
            }
        } while mailbox.waitForWork()
    }

    /// Runs the next job. `alone`: for the first thread, which runs them while no call runs.
    private func runJob(alone: Bool) -> Bool {
        let letter: Letter? = locked {
            guard !isWorking, !letters.isEmpty, alone || running != nil else { return nil }
            isWorking = true
            return letters.removeFirst()
        }
        guard let letter else { return false }
        letter.run()
        let isLeft = locked {
            isWorking = false
            return !alone && running == nil && !letters.isEmpty
        }
        if isLeft { unsafe ring(door) }
        return true
    }

    private func hasNextCall() -> Bool { locked { !calls.isEmpty } }

    /// Runs the next call, where no job is left; whether it was given up meanwhile.
    private func lostItsCall() -> Bool {
        let (call, mustStart, mustArm): (Call?, Bool, Bool) = locked {
            guard letters.isEmpty || isWorking, !calls.isEmpty else { return (nil, false, false) }
            let call = calls.removeFirst()
            call.deadline = cpcsc_now() &+ call.limit
            running = call
            defer { (hasSecond, isArmed) = (true, true) }
            return (call, !hasSecond, hasSecond && !isArmed)
        }
        guard let call else { return false }
        if mustStart { startThread { Mailbox.standBy($0) } }
        if mustArm { unsafe ring(side) }
        call.body()
        let isLost = locked {
            guard call.isGivenUp else {
                running = nil
                return false
            }
            return true
        }
        guard isLost else {
            call.end(.done)
            return false
        }
        call.late()
        locked { if let index = stuck.firstIndex(of: call.subject) { stuck.remove(at: index) } }
        return true
    }

    /// `false` at the end.
    private func waitForWork() -> Bool {
        let isOver = locked { isClosed && letters.isEmpty && calls.isEmpty && !isWorking }
        if isOver {
            unsafe ring(side)
            return false
        }
        let spin = watch
        watch = 0
        unsafe cpcsc_door_wait(door, spin, 0)
        return true
    }

    // MARK: The second thread

    static func standBy(_ mailbox: Mailbox) {
        while true {
            while mailbox.runJob(alone: false) {}
            switch mailbox.overdue() {
            case .givenUp(let call):
                call.end(.givenUp)
                return lead(mailbox)
            case .over: return
            case .sleep(let until): unsafe cpcsc_door_wait(mailbox.side, 0, until)
            }
        }
    }

    private enum Watch {
        case givenUp(Call)
        case sleep(until: UInt64)
        case over
    }

    private func overdue() -> Watch {
        locked {
            guard let call = running else {
                if isClosed, letters.isEmpty, calls.isEmpty { return .over }
                isArmed = false
                return .sleep(until: 0)
            }
            guard cpcsc_now() >= call.deadline else { return .sleep(until: call.deadline) }
            call.isGivenUp = true
            stuck.append(call.subject)
            running = nil
            (hasSecond, isArmed) = (false, false)
            return .givenUp(call)
        }
    }
}
