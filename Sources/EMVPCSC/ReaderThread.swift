// SPDX-License-Identifier: Apache-2.0
internal import CPCSC

/// The executor of an actor whose calls block: it has separate threads, and a time limit for each of these calls.
///
/// One thread runs the actor's jobs and its PC/SC calls, so that an exchange does not switch threads. The second thread
/// is a standby. It runs the actor's jobs while a call blocks the first, and replaces the first for good when a call
/// times out. The first thread is then abandoned: when its call returns, it undoes the call's effect and ends. Both
/// threads end when the last actor that runs on them is released.
///
/// All data that several threads use is protected by the door's lock: jobs, calls, and the abandoned state.
final class ReaderThread: SerialExecutor, @unchecked Sendable {
    private let mailbox: Mailbox
    /// The ``NearExecutor``, if the system supports one.
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

    /// Sets how long the thread spins for the next job before it sleeps. Call it on the thread itself.
    func watch(nanoseconds: UInt64) {
        mailbox.watch = nanoseconds
    }

    // MARK: - Calls

    /// Allows a waiting call to be ended early.
    final class Token: @unchecked Sendable {
        /// Protected by the door's lock.
        fileprivate var isHurried = false
        fileprivate var call: Call?
    }

    /// The result of a call.
    enum Ending<Result: Sendable>: Sendable {
        case done(Result)
        /// The call did not return in time.
        case givenUp
        /// The call's token was hurried before the call began.
        case refused
    }

    /// Runs `body` on the thread, after the calls before it. If it does not return within `limit`, `late` undoes its
    /// effect when it does.
    ///
    /// - Parameter subject: the party that can keep a call waiting, for ``isStuck(_:)``: the name of a reader; empty
    ///   for the service.
    func call<Result: Sendable>(
        _ subject: String, limit: Duration, token: Token? = nil, isolation: isolated (any Actor)? = #isolation,
        late: @escaping @Sendable (Result) -> Void = { _ in }, _ body: @escaping @Sendable () -> Result
    ) async -> Ending<Result> {
        // A continuation resumes its task through the shared pool, whose threads would have to wake up for each call;
        // with this preference the task stays on this thread.
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

    /// Runs `body` on the thread at a later time; nothing waits for it.
    func post(_ subject: String, limit: Duration, _ body: @escaping @Sendable () -> Void) {
        mailbox.put(Call(subject: subject, limit: limit, body: body, end: { _ in }, late: {}), nil)
    }

    /// Gives the call of this token one more second, or prevents it from beginning. Returns `true` if it runs.
    func hurry(_ token: Token) -> Bool { mailbox.hurry(token) }

    /// Whether the call of this token still runs.
    func isRunning(_ token: Token) -> Bool { mailbox.isRunning(token) }

    /// Whether a call with this subject was abandoned and has not returned.
    func isStuck(_ subject: String) -> Bool { mailbox.isStuck(subject) }

    /// The return value of a call; written by the thread that runs it, read after it has run.
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
        /// The deadline by cpcsc_now(); 0 before the call begins.
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

    /// The buffer that a call writes to; the owner allocates a new one when the call is abandoned.
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

/// Runs jobs that belong to no actor on the same thread: the steps of a task between its call and its actor.
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

    /// Its lock guards everything here; the first thread waits on it.
    private let door: OpaquePointer
    /// The second thread waits on it.
    private let side: OpaquePointer
    private var letters: [Letter] = []
    private var calls: [Call] = []
    private var running: Call?
    /// Whether a thread is running a job.
    private var isWorking = false
    private var hasSecond = false
    /// Whether the second thread checks the running call by itself: it wakes up when a call may have timed out.
    private var isArmed = false
    private var stuck: [String] = []
    private var isClosed = false
    /// Used only by the thread that runs jobs.
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

    /// Adds a job, in one critical section. The runtime does not retain an executor, and the caller holds no reference
    /// either: as soon as the lock is released the job may run, and its actor, the executor and both doors may be
    /// released. Nothing is accessed after that.
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

    /// The loop of the first thread: it runs jobs and calls until a call is abandoned or the executor is released.
    static func lead(_ mailbox: Mailbox) {
        repeat {
            while mailbox.runJob(alone: true) || mailbox.hasNextCall() {
                if mailbox.lostItsCall() { return }
            }
        } while mailbox.waitForWork()
    }

    /// Runs the next job. `alone` is for the first thread, which runs jobs only while no call runs.
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

    /// Runs the next call if no job is left; returns whether the call was abandoned meanwhile.
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

    /// Returns `false` when the thread has to end.
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
