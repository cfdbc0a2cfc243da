// SPDX-License-Identifier: Apache-2.0
internal import CEMV

extension UnsafeMutableRawPointer {
    /// Overwrites secret bytes with zeros; no compiler optimises this away.
    package func wipe(_ count: Int) {
        unsafe cemv_wipe(self, count)
    }
}

extension Array where Element == UInt8 {
    /// Overwrites the bytes with zeros. If other code holds the array, its copy is not changed.
    package mutating func wipe() {
        unsafe withUnsafeMutableBytes { bytes in unsafe bytes.baseAddress?.wipe(bytes.count) }
    }
}

/// Memory of a session: allocated once, reused for any number of transactions, but only one at a time.
@safe
public final class SessionMemory {
    fileprivate private(set) var base: UnsafeMutableRawPointer
    fileprivate private(set) var size = Int(CEMV_SESSION_SIZE)
    // Objects that the session in this memory reads, kept alive as long as it exists. They are stored here and not in
    // the session because copying and destroying a session would otherwise go through the runtime's tables for each of
    // them.
    fileprivate var configuration: CheckedConfiguration?
    fileprivate var reader: ReaderMemory?
    fileprivate var data: StableBytes?
    fileprivate var preferred: StableBytes?
    fileprivate var presented: PresentedMemory?
    fileprivate var decisions: DecisionLog?
    fileprivate var isInUse: Bool { configuration != nil }

    public init() {
        unsafe base = SessionMemory.zeros(size)
    }

    deinit {
        unsafe base.wipe(size)
        unsafe base.deallocate()
    }

    /// Returns zeroed memory: a session does not use all of it, and the unused part must not hold earlier contents.
    private static func zeros(_ size: Int) -> UnsafeMutableRawPointer {
        let base = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: Int(CEMV_ALIGNMENT))
        unsafe base.initializeMemory(as: UInt8.self, repeating: 0, count: size)
        return unsafe base
    }

    /// Allocates the memory of a session whose kernels need more than the built-in ones. The memory holds no session
    /// yet.
    fileprivate func reserve(_ wanted: Int) {
        guard wanted > size else { return }
        unsafe base.wipe(size)
        unsafe base.deallocate()
        size = wanted
        unsafe base = SessionMemory.zeros(size)
    }

    /// Called when the session no longer exists.
    fileprivate func leave() {
        configuration = nil
        reader = nil
        data = nil
        preferred = nil
        presented = nil
        decisions = nil
    }

    /// Passes all of its bytes to `body`, for tests that look for remains of a tap.
    func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        unsafe body(UnsafeRawBufferPointer(start: base, count: size))
    }
}

/// A state of Entry Point or of a kernel, identified by its number there.
public struct KernelState: Sendable, Hashable {
    /// `nil`: Entry Point.
    public let kernel: KernelID?
    /// 1 to 31; 0: no state is waiting.
    public let number: Int
}

/// A decision of a kernel, with the clause of its book: for tools and laboratories. It changes nothing and holds no
/// card data.
public struct KernelDecision: Sendable, Hashable {
    /// The state in which the kernel decided.
    public let state: KernelState
    /// The core's number of the clause (`CEMV_CLAUSE`, `CEMV_STEP_OF`).
    let reference: UInt32
    /// The result: the number of the decision in the kernel's sources, or verification results (TVR), the first byte
    /// highest.
    public let value: UInt64

    /// The clause, `5.4.3.1`; for books that number states and steps (C-2 and C-8), `S456.36`.
    public var clause: String {
        guard reference >= 0x100_0000 else {
            let (states, step) = (reference >> 8, reference & 0xFF)
            // If several states of Book C-8 apply at once, each state has two digits.
            return "S" + String(states, radix: states >= 0x1000 ? 16 : 10) + ".\(step)"
        }
        var parts = [reference >> 24, reference >> 16 & 0xFF, reference >> 8 & 0xFF, reference & 0xFF]
        while parts.last == 0 { parts.removeLast() }
        return parts.map { "\($0)" }.joined(separator: ".")
    }
}

/// The end of Entry Point's or a kernel's part. This includes ends after which another application is selected or the
/// card is presented again: the last one is the session's outcome.
package struct NotedEnd: Sendable, Hashable {
    /// `nil`: Entry Point.
    package let kernel: KernelID?
    package let status: Outcome.Status
    package let reason: Outcome.Reason
}

/// Data that a reader keeps from tap to tap: torn transactions (Kernel 2), the number of failed magnetic-stripe
/// checksums, and issuer keys if requested. Use one for each reader. It may hold account numbers and is erased when it
/// is released.
@safe
public final class ReaderMemory {
    fileprivate let base: UnsafeMutablePointer<cemv_reader_memory>
    /// `nil`: issuer keys are not remembered.
    private let issuerKeys: UnsafeMutableRawPointer?

    /// - Parameter remembersIssuerKeys: if `true`, an issuer certificate (RSA or P-256) that was verified in an earlier
    ///   tap is not verified again, provided that it matches byte for byte, with its remainder, exponent and CA key.
    ///   Everything that depends on the card or the day is still checked, so outcomes do not change. Holds 8
    ///   certificates.
    public init(remembersIssuerKeys: Bool = false) {
        unsafe base = UnsafeMutablePointer<cemv_reader_memory>.allocate(capacity: 1)
        unsafe ReaderMemory.erase(base, MemoryLayout<cemv_reader_memory>.size)
        unsafe issuerKeys = remembersIssuerKeys ? ReaderMemory.allocateKeys() : nil
        unsafe base.pointee.issuer_keys = issuerKeys.map { OpaquePointer($0) }
    }

    fileprivate init(copying other: ReaderMemory) {
        unsafe base = UnsafeMutablePointer<cemv_reader_memory>.allocate(capacity: 1)
        unsafe UnsafeMutableRawPointer(base).copyMemory(
            from: other.base, byteCount: MemoryLayout<cemv_reader_memory>.size)
        if let keys = unsafe other.issuerKeys {
            let copy = unsafe ReaderMemory.allocateKeys()
            unsafe copy.copyMemory(from: keys, byteCount: Int(CEMV_ISSUER_KEYS_SIZE))
            unsafe issuerKeys = copy
        } else {
            unsafe issuerKeys = nil
        }
        unsafe base.pointee.issuer_keys = issuerKeys.map { OpaquePointer($0) }
    }

    deinit {
        unsafe UnsafeMutableRawPointer(base).wipe(MemoryLayout<cemv_reader_memory>.size)
        unsafe base.deallocate()
        unsafe issuerKeys?.deallocate()
    }

    private static func allocateKeys() -> UnsafeMutableRawPointer {
        let keys = UnsafeMutableRawPointer.allocate(
            byteCount: Int(CEMV_ISSUER_KEYS_SIZE), alignment: Int(CEMV_ALIGNMENT))
        unsafe erase(keys, Int(CEMV_ISSUER_KEYS_SIZE))
        return unsafe keys
    }

    private static func erase(_ memory: UnsafeMutableRawPointer, _ size: Int) {
        unsafe memory.initializeMemory(as: UInt8.self, repeating: 0, count: size)
    }

    /// Transactions that a later tap may recover.
    public var tornTransactions: Int { unsafe Int(base.pointee.torn_count) }

    /// Number of certificates that were found among the remembered ones.
    public var issuerKeysFound: Int {
        guard let keys = unsafe issuerKeys else { return 0 }
        return Int(unsafe cemv_issuer_keys_found(OpaquePointer(keys)))
    }

    /// A fixed latency of the link in microseconds, measured once, which is subtracted when a kernel times the card.
    /// Over a link with jitter this gives conformance, not protection against relays.
    public var linkLatency: UInt32 {
        get { unsafe base.pointee.link_latency_us }
        set { unsafe base.pointee.link_latency_us = newValue }
    }
}

/// Bytes at a fixed address for as long as a session may read them.
@safe
private final class StableBytes {
    let bytes: UnsafeMutableBufferPointer<UInt8>

    init(_ bytes: Bytes) {
        unsafe self.bytes = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: bytes.count)
        _ = unsafe self.bytes.initialize(from: bytes)
    }

    deinit {
        unsafe bytes.deallocate()
    }
}

/// The memory in which a session keeps the card's public data.
@safe
private final class PresentedMemory {
    let base: UnsafeMutablePointer<cemv_presented>
    // The names and objects that were read last. They are read again only after a change, because a reader asks for
    // them at every step.
    private var names = Bytes()
    private var objects = Bytes()
    private var read = Presented()

    init() {
        unsafe base = UnsafeMutablePointer<cemv_presented>.allocate(capacity: 1)
        unsafe base.initialize(to: cemv_presented_none())
    }

    init(copying other: PresentedMemory) {
        unsafe base = UnsafeMutablePointer<cemv_presented>.allocate(capacity: 1)
        unsafe base.initialize(to: other.base.pointee)
    }

    deinit { unsafe base.deallocate() }

    var presented: Presented {
        let changedNames = unsafe withUnsafeBytes(of: &base.pointee.names) { all -> Bytes? in
            let names = unsafe all.prefix(Int(base.pointee.names_size))
            return unsafe names.elementsEqual(self.names) ? nil : Bytes(names)
        }
        if let changedNames {
            names = changedNames
            read.names = []
            var rest = names[...]
            while let size = rest.popFirst() {
                read.names.append(Bytes(rest.prefix(Int(size))))
                rest = rest.dropFirst(Int(size))
            }
        }
        let changedObjects = unsafe withUnsafeBytes(of: &base.pointee.objects) { all -> Bytes? in
            let objects = unsafe all.prefix(Int(base.pointee.objects_size))
            return unsafe objects.elementsEqual(self.objects) ? nil : Bytes(objects)
        }
        if let changedObjects {
            objects = changedObjects
            read.objects = [:]
            for node in TLVTree(objects) { read.objects[node.object.tag] = Bytes(node.object.value) }
        }
        return read
    }
}

/// The memory in which a session notes its kernel's decisions.
@safe
private final class DecisionLog {
    let base: UnsafeMutablePointer<cemv_log>
    var decisions: [KernelDecision]
    var ends: [NotedEnd] = []

    init(_ decisions: [KernelDecision] = []) {
        self.decisions = decisions
        unsafe base = UnsafeMutablePointer<cemv_log>.allocate(capacity: 1)
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        unsafe base.initialize(
            to: cemv_log(
                note: { context, state, clause, value in
                    guard let context = unsafe context, clause != CEMV_NOTE_WAITS else { return }
                    let log = unsafe Unmanaged<DecisionLog>.fromOpaque(context).takeUnretainedValue()
                    let state = unsafe KernelState(state)
                    guard clause != CEMV_NOTE_ENDS else {
                        log.ends.append(NotedEnd(state.kernel, noted: value))
                        return
                    }
                    log.decisions.append(KernelDecision(state: state, reference: clause, value: value))
                }, context: context))
    }

    deinit { unsafe base.deallocate() }
}

extension KernelState {
    fileprivate init(_ state: cemv_state) {
        if let row = unsafe state.kernel?.pointee {
            kernel = unsafe KernelID(withUnsafeBytes(of: row.id) { unsafe Array($0.prefix(Int(row.id_size))) })
        } else {
            kernel = nil
        }
        number = unsafe Int(state.number)
    }
}

/// One transaction as a pure machine: it asks with a ``Step`` and receives a ``Reply``. No I/O, no clock, no
/// suspension.
///
/// ```swift
/// var session = try KernelSession(configuration, transaction)
/// var step = session.step
/// while true {
///     switch step {
///     case .poll: step = session.reply(.card)
///     case .send(let command): step = session.reply(.response(card.answer(command)))
///     case .done(let outcome): return outcome
///     ...
/// ```
@safe
public struct KernelSession: ~Copyable {
    private let memory: SessionMemory
    private let session: OpaquePointer
    private var random: RandomSource
    private var randomUsed = 0
    /// Number of random bytes drawn at a time.
    private let pool: Int

    /// Throws for errors of the caller, never for a card's behaviour. `memory` must not be in use by another session;
    /// `reader` serves one session at a time too. Without `reader` nothing is remembered, and no torn transaction is
    /// recovered.
    ///
    /// - Parameters:
    ///   - keepsPresented: ``presented`` returns the card's public data.
    ///   - keepsDecisions: ``decisions`` returns the kernel's decisions.
    public init(
        _ configuration: borrowing CheckedConfiguration, _ transaction: borrowing Transaction,
        memory: borrowing SessionMemory = SessionMemory(), reader: borrowing ReaderMemory? = nil,
        keepsPresented: Bool = false, keepsDecisions: Bool = false
    ) throws(ConfigurationError) {
        precondition(!memory.isInUse, "the memory belongs to a session that still lives")
        // Limits are amounts in one currency.
        if let own = configuration.currency, own != transaction.currency {
            throw ConfigurationError(
                section: .transaction, field: .currency, reason: .conflict,
                expected: "\(own), the currency of the configuration's limits",
                found: shownNumber(transaction.currency))
        }
        unsafe memory.reserve(cemv_session_size(configuration.checked))
        var error = cemv_config_error()
        var session: OpaquePointer?
        var used = 0
        var status = CEMV_OK
        let data = transaction.data.isEmpty ? nil : StableBytes(transaction.data.encoded)
        var row = unsafe cemv_transaction(transaction)
        if let data { unsafe row.data = cemv_bytes(UnsafeBufferPointer(data.bytes)) }
        // The check rejects a name that is too long for its length byte in either case.
        let preferred =
            transaction.preferredApplications.isEmpty
            ? nil : StableBytes(transaction.preferredApplications.flatMap { [UInt8(clamping: $0.count)] + $0 })
        if let preferred { unsafe row.preferred = cemv_bytes(UnsafeBufferPointer(preferred.bytes)) }
        let kept = copy reader
        if let kept { unsafe row.reader = kept.base }
        let presented = keepsPresented ? PresentedMemory() : nil
        if let presented { unsafe row.presented = presented.base }
        let decisions = keepsDecisions ? DecisionLog() : nil
        if let decisions { unsafe row.log = UnsafePointer(decisions.base) }
        let pool = unsafe KernelSession.pool(cemv_session_size(configuration.checked))
        used = unsafe KernelSession.withRandom(transaction.random, from: 0, pool) { pool in
            status = unsafe cemv_session_begin(
                memory.base, memory.size, configuration.checked, &row, pool, &session, &error)
        }
        guard status == CEMV_OK, let begun = unsafe session else {
            throw ConfigurationError(
                status: status, error: error, configuration: configuration.configuration,
                kernels: configuration.kernels, transaction: copy transaction)
        }
        memory.configuration = copy configuration
        memory.reader = kept
        memory.data = data
        memory.preferred = preferred
        memory.presented = presented
        memory.decisions = decisions
        self.memory = copy memory
        unsafe self.session = begun
        random = transaction.random
        randomUsed = used
        self.pool = pool
        if unsafe cemv_session_step(begun) == CEMV_STEP_ASK { answerRandom() }
    }

    private init(copying other: borrowing KernelSession) {
        memory = SessionMemory()
        memory.reserve(other.memory.size)
        unsafe memory.base.copyMemory(from: other.memory.base, byteCount: other.memory.size)
        let offset = unsafe UnsafeRawPointer(other.session) - UnsafeRawPointer(other.memory.base)
        unsafe session = OpaquePointer(memory.base + offset)
        random = other.random
        randomUsed = other.randomUsed
        pool = other.pool
        let reader = other.memory.reader.map { ReaderMemory(copying: $0) }
        memory.configuration = other.memory.configuration
        memory.reader = reader
        memory.data = other.memory.data
        memory.preferred = other.memory.preferred
        if let reader { unsafe cemv_session_set_reader(session, reader.base) }
        if let presented = other.memory.presented {
            let copy = PresentedMemory(copying: presented)
            memory.presented = copy
            unsafe cemv_session_set_presented(session, copy.base)
        }
        if let decisions = other.memory.decisions {
            let copy = DecisionLog(decisions.decisions)
            memory.decisions = copy
            unsafe cemv_session_set_log(session, copy.base)
        }
    }

    /// A session that is released before its end is abandoned first, so that the reader's memory keeps a cryptogram in
    /// progress.
    deinit {
        if unsafe cemv_session_step(session) != CEMV_STEP_DONE {
            var abandon = unsafe cemv_reply(
                kind: UInt8(CEMV_REPLY_ABANDON.rawValue), removal_timed_out: false, unable_to_go_online: false,
                pin_not_captured: false, elapsed_us: 0, bytes: cemv_bytes(data: nil, size: 0))
            _ = unsafe cemv_session_reply(session, &abandon)
        }
        unsafe cemv_session_wipe(session)
        memory.leave()
    }

    /// Returns a second session in exactly this state, in separate memory.
    public borrowing func fork() -> KernelSession {
        KernelSession(copying: self)
    }

    // MARK: - Steps

    /// Data that the kernel sends to the terminal with this step (data exchange), as TLV: `FF8104` and `DF8106` from
    /// Kernel 2; from Kernel 8 `9F8201`, if it asks, and the objects themselves; empty if there are none.
    public var exchange: Bytes { unsafe Bytes(cemv_session_exchange(session)) }

    /// The kind of the present step, without its details: allocates nothing.
    public var kind: Step.Kind {
        switch unsafe cemv_session_step(session) {
        case CEMV_STEP_POLL: .poll
        case CEMV_STEP_SEND: .send
        case CEMV_STEP_ASK: .ask
        case CEMV_STEP_WORK: .work
        case CEMV_STEP_PARKED: .parked
        default: .done
        }
    }

    /// The present step.
    public var step: Step {
        switch kind {
        case .poll: .poll(poll)
        case .send: unsafe .send(Bytes(unsafe cemv_session_command(session)))
        case .ask: .ask(question)
        case .work: .work
        case .parked: .parked(outcome)
        case .done: .done(outcome)
        }
    }

    /// The command at ``Step/send(_:)``; empty at any other step.
    public var command: Bytes { unsafe Bytes(unsafe cemv_session_command(session)) }

    /// The bytes of the command at ``Step/send(_:)``, in place; empty at any other step.
    public borrowing func withCommand<Result>(_ body: (Span<UInt8>) -> Result) -> Result {
        let buffer = unsafe cemv_session_command(session).buffer
        return unsafe body(buffer.span)
    }

    public var poll: Poll {
        let poll = unsafe cemv_session_poll(session)
        let keep = poll.field_off_ms == UInt32.max
        return Poll(removalFirst: poll.removal_first, fieldOff: keep ? nil : .milliseconds(poll.field_off_ms))
    }

    /// The field goes off with this step and stays off for this long, even into a later step or transaction; `nil`: no
    /// request. A Field Off Request (Book B 3.5.1.2) comes with exactly one step: parked, done, or the poll of a
    /// restart, whose ``Poll/fieldOff`` has this value too.
    public var fieldOff: Duration? {
        let hold = unsafe cemv_session_field_off(session)
        return hold == UInt32.max ? nil : .milliseconds(hold)
    }

    public var question: Question {
        let question = unsafe cemv_session_question(session)
        let kind: Question.Kind =
            switch unsafe UInt32(question.kind) {
            case CEMV_ASK_RANDOM.rawValue: .random
            case CEMV_ASK_AMOUNT.rawValue: .amount
            default: .kernel
            }
        return unsafe Question(
            kind: kind, bytes: Bytes(question.bytes),
            deadline: question.deadline_ms == 0 ? nil : .milliseconds(question.deadline_ms), isRunning: question.running
        )
    }

    /// The last outcome; its status is `none` before the first.
    public var outcome: Outcome {
        unsafe Outcome.of(
            cemv_session_outcome(session), record: cemv_session_data_record(session).buffer,
            discretionary: cemv_session_discretionary(session).buffer, name: cemv_session_df_name(session).buffer)
    }

    /// Requests of the user interface that came with the present step, in order; the next reply clears them.
    public var messages: [UIRequest] {
        let count = unsafe cemv_session_ui_count(session)
        guard count > 0 else { return [] }
        return (0..<count).map { UIRequest(unsafe cemv_session_ui(session, $0)) }
    }

    /// Data that the card gives to any reader; empty in a session without `keepsPresented`.
    public var presented: Presented { memory.presented?.presented ?? Presented() }

    /// Number of presentments; 1 at the first card.
    public var taps: Int { Int(unsafe cemv_session_taps(session)) }
    /// Number of commands sent in all presentments.
    public var commands: Int { Int(unsafe cemv_session_commands(session)) }
    /// The state that is waiting, for tests and tools.
    public var state: KernelState {
        unsafe KernelState(cemv_session_state(session))
    }
    /// The kernel's decisions since the last reply, in order; empty in a session without `keepsDecisions`.
    public var decisions: [KernelDecision] { memory.decisions?.decisions ?? [] }
    /// The ends since the last reply, in order; empty in a session without `keepsDecisions`.
    package var ends: [NotedEnd] { memory.decisions?.ends ?? [] }

    // MARK: - Replies

    /// Maximum size of an issuer's answer that a parked session accepts: bytes of its data objects, including tags and
    /// lengths.
    public static let issuerDataLimit = Int(CEMV_MAX_ISSUER_DATA)

    /// True if the present step accepts this kind of reply, and an issuer's answer has at most ``issuerDataLimit``
    /// bytes.
    public borrowing func takes(_ reply: Reply) -> Bool {
        let size = reply.issuerData?.encoded.count ?? 0
        return unsafe cemv_session_takes(session, reply.code) && size <= KernelSession.issuerDataLimit
    }

    /// Passes the reply that the step waits for, and returns the next step. Any other reply, or an issuer's answer
    /// longer than ``issuerDataLimit``, is ignored.
    @discardableResult
    public mutating func reply(_ reply: Reply) -> Step {
        advance(reply)
        return step
    }

    /// Like ``reply(_:)``, but builds no ``Step``; with ``kind`` and ``withCommand(_:)`` it allocates nothing.
    public mutating func advance(_ reply: Reply) {
        switch reply {
        case .response(let bytes, let elapsed):
            give(reply.code, bytes, elapsed: elapsed.map(microseconds) ?? 0)
        case .online(let data, let removalTimedOut):
            give(reply.code, data?.encoded ?? [], removalTimedOut: removalTimedOut, unableToGoOnline: data == nil)
        case .pin(let captured, let data):
            give(reply.code, data.encoded, pinNotCaptured: !captured)
        case .data(let bytes):
            give(reply.code, bytes)
        case .fault, .card, .collision, .collisionCleared, .removed, .deadlinePassed, .stop, .carryOn, .abandon:
            give(reply.code, [])
        }
    }

    private mutating func give(
        _ kind: UInt8, _ bytes: Bytes, elapsed: UInt32 = 0, removalTimedOut: Bool = false,
        unableToGoOnline: Bool = false, pinNotCaptured: Bool = false
    ) {
        memory.decisions?.decisions = []
        memory.decisions?.ends = []
        let step = unsafe bytes.withUnsafeBufferPointer { bytes in
            var reply = unsafe cemv_reply(
                kind: kind, removal_timed_out: removalTimedOut, unable_to_go_online: unableToGoOnline,
                pin_not_captured: pinNotCaptured, elapsed_us: elapsed, bytes: cemv_bytes(bytes))
            return unsafe cemv_session_reply(session, &reply)
        }
        if step == CEMV_STEP_ASK { answerRandom() }
    }

    /// True if ``work()`` has something to do.
    public borrowing func hasWork() -> Bool { unsafe cemv_session_has_work(session) }

    /// Performs one public-key operation whose operands are already available, at ``Step/send(_:)``, while the card
    /// works on the command. Returns `false` if there is none at present. Calling it is optional; it changes no
    /// outcome, step or command.
    @discardableResult
    public mutating func work() -> Bool { unsafe cemv_session_work(session) }

    // MARK: - Random bytes

    /// Answers the session's request for random bytes while the source has some left.
    private mutating func answerRandom() {
        while unsafe cemv_session_step(session) == CEMV_STEP_ASK,
            unsafe UInt32(cemv_session_question(session).kind) == CEMV_ASK_RANDOM.rawValue
        {
            if case .fixed(let stream) = random, stream.count - randomUsed < 4 { return }
            let session = unsafe session
            let used = unsafe KernelSession.withRandom(random, from: randomUsed, pool) { pool in
                var reply = unsafe cemv_reply(
                    kind: UInt8(CEMV_REPLY_DATA.rawValue), removal_timed_out: false, unable_to_go_online: false,
                    pin_not_captured: false, elapsed_us: 0, bytes: pool)
                _ = unsafe cemv_session_reply(session, &reply)
            }
            randomUsed += used
        }
    }

    /// Returns the number of random bytes to draw at once. A session of Kernel 8, recognised by its size, may request
    /// two private keys of 32 bytes and a number at once; eight numbers are enough for the others.
    private static func pool(_ sessionSize: Int) -> Int {
        sessionSize > Int(CEMV_SESSION_SIZE) ? Int(CEMV_RANDOM_POOL) : 32
    }

    /// Calls `body` with up to `pool` bytes, a multiple of four, and returns their number. Bytes from the system, which
    /// may become a private key, are wiped.
    private static func withRandom(
        _ source: RandomSource, from start: Int, _ pool: Int, _ body: (cemv_bytes) -> Void
    ) -> Int {
        switch source {
        case .system:
            var generator = SystemRandomNumberGenerator()
            let words = (pool + 7) / 8
            unsafe withUnsafeTemporaryAllocation(of: UInt64.self, capacity: words) { drawn in
                for word in 0..<words { unsafe drawn[word] = generator.next() }
                let bytes = UnsafeMutableRawBufferPointer(drawn)
                unsafe body(cemv_bytes(UnsafeBufferPointer(rebasing: bytes.bindMemory(to: UInt8.self)[..<pool])))
                unsafe bytes.baseAddress?.wipe(bytes.count)
            }
            return pool
        case .fixed(let stream):
            let count = min(stream.count - start, pool) / 4 * 4
            unsafe stream[start..<(start + count)].withUnsafeBufferPointer { unsafe body(cemv_bytes($0)) }
            return count
        }
    }
}

// MARK: - Between Swift and C

extension cemv_bytes {
    fileprivate init(_ buffer: UnsafeBufferPointer<UInt8>) {
        unsafe self.init(data: buffer.baseAddress, size: buffer.count)
    }

    fileprivate var buffer: UnsafeBufferPointer<UInt8> {
        unsafe UnsafeBufferPointer(start: data, count: data == nil ? 0 : size)
    }
}

extension Bytes {
    fileprivate init(_ bytes: cemv_bytes) {
        unsafe self.init(bytes.buffer)
    }
}

extension cemv_transaction {
    /// Sets every member except the data objects, which are borrowed.
    init(_ transaction: borrowing Transaction) {
        unsafe self.init()
        unsafe type = transaction.type.rawValue
        unsafe amount = transaction.amount
        unsafe amount_other = transaction.amountOther
        unsafe currency = bcd(transaction.currency)
        unsafe exponent = transaction.exponent
        unsafe date = transaction.date.bcd
        unsafe time = transaction.time.bcd
        unsafe counter = transaction.counter
        // An out-of-range value stays out of range, so that the check reports it.
        unsafe utc_offset_minutes = Int16(clamping: transaction.utcOffset)
        unsafe start_b = transaction.startsAtB
        unsafe cannot_go_online = !transaction.onlineAvailable
        if let deadline = transaction.amountDeadline {
            unsafe cemv_transaction_asks_amount(&self, milliseconds(deadline))
        }
    }
}

/// Four BCD digits; a number above 9999 becomes FFFF, which the kernel refuses.
private func bcd(_ number: UInt16) -> UInt16 {
    guard number <= 9999 else { return 0xFFFF }
    return (number / 1000) << 12 | (number / 100 % 10) << 8 | (number / 10 % 10) << 4 | number % 10
}

/// Returns at least 1, because the core reads zero as no deadline.
private func milliseconds(_ duration: Duration) -> UInt32 { max(1, microseconds(duration) / 1_000) }

private func microseconds(_ duration: Duration) -> UInt32 {
    let (seconds, attoseconds) = duration.components
    guard seconds >= 0, attoseconds >= 0 else { return 0 }
    guard seconds < 4000 else { return UInt32.max }
    return UInt32(seconds) * 1_000_000 + UInt32(attoseconds / 1_000_000_000_000)
}

extension Reply {
    fileprivate var code: UInt8 {
        let kind =
            switch self {
            case .response: CEMV_REPLY_RESPONSE
            case .fault(.timeout): CEMV_REPLY_TIMEOUT
            case .fault(.transmission): CEMV_REPLY_TRANSMISSION
            case .fault(.protocol): CEMV_REPLY_PROTOCOL
            case .fault(.removed), .removed: CEMV_REPLY_REMOVED
            case .card: CEMV_REPLY_CARD
            case .collision: CEMV_REPLY_COLLISION
            case .collisionCleared: CEMV_REPLY_COLLISION_CLEARED
            case .data: CEMV_REPLY_DATA
            case .deadlinePassed: CEMV_REPLY_DEADLINE
            case .stop: CEMV_REPLY_STOP
            case .carryOn: CEMV_REPLY_CONTINUE
            case .online: CEMV_REPLY_ONLINE
            case .pin: CEMV_REPLY_PIN
            case .abandon: CEMV_REPLY_ABANDON
            }
        return UInt8(kind.rawValue)
    }
}
