// SPDX-License-Identifier: Apache-2.0
internal import CEMV

extension UnsafeMutableRawPointer {
    /// Zeros over bytes that held a secret, in a way that no compiler leaves out.
    package func wipe(_ count: Int) {
        unsafe cemv_wipe(self, count)
    }
}

extension Array where Element == UInt8 {
    /// Zeros over the bytes. Where somebody else holds the array, theirs is left as it is.
    package mutating func wipe() {
        unsafe withUnsafeMutableBytes { bytes in unsafe bytes.baseAddress?.wipe(bytes.count) }
    }
}

/// Memory of a session: allocated once, reused for any number of transactions, one at a time.
@safe
public final class SessionMemory {
    fileprivate private(set) var base: UnsafeMutableRawPointer
    fileprivate private(set) var size = Int(CEMV_SESSION_SIZE)
    // What the session in this memory reads from, kept as long as it exists. They stand here and not in the session,
    // whose copies and end would go through the runtime's tables for each of them.
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

    /// Zeros: a session does not use all of it, and what it does not use holds nothing of what stood there before.
    private static func zeros(_ size: Int) -> UnsafeMutableRawPointer {
        let base = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: Int(CEMV_ALIGNMENT))
        unsafe base.initializeMemory(as: UInt8.self, repeating: 0, count: size)
        return unsafe base
    }

    /// The memory of a session whose kernels need more than the built-in ones. It holds no session yet.
    fileprivate func reserve(_ wanted: Int) {
        guard wanted > size else { return }
        unsafe base.wipe(size)
        unsafe base.deallocate()
        size = wanted
        unsafe base = SessionMemory.zeros(size)
    }

    /// The session is gone.
    fileprivate func leave() {
        configuration = nil
        reader = nil
        data = nil
        preferred = nil
        presented = nil
        decisions = nil
    }

    /// Every byte of it, for tests that look for what a tap left behind.
    func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        unsafe body(UnsafeRawBufferPointer(start: base, count: size))
    }
}

/// A state of Entry Point or of a kernel, by the number that it has there.
public struct KernelState: Sendable, Hashable {
    /// `nil`: Entry Point.
    public let kernel: KernelID?
    /// 1 to 31; 0: nothing waits.
    public let number: Int
}

/// What a kernel decided, and by which clause of its book: for tools and laboratories. It changes nothing, and holds no
/// card data.
public struct KernelDecision: Sendable, Hashable {
    /// Where the machine was when it decided.
    public let state: KernelState
    /// As the core numbers it (`CEMV_CLAUSE`, `CEMV_STEP_OF`).
    let reference: UInt32
    /// What came of it: a number that the decision has in the kernel's sources, or verification results (TVR), the
    /// first byte highest.
    public let value: UInt64

    /// The clause, `5.4.3.1`; where the book counts states and steps (Books C-2 and C-8), `S456.36`.
    public var clause: String {
        guard reference >= 0x100_0000 else {
            let (states, step) = (reference >> 8, reference & 0xFF)
            // Several states of Book C-8 at once are digits in pairs.
            return "S" + String(states, radix: states >= 0x1000 ? 16 : 10) + ".\(step)"
        }
        var parts = [reference >> 24, reference >> 16 & 0xFF, reference >> 8 & 0xFF, reference & 0xFF]
        while parts.last == 0 { parts.removeLast() }
        return parts.map { "\($0)" }.joined(separator: ".")
    }
}

/// The end of Entry Point's or a kernel's part, among them those after which another application is selected or the
/// card is presented again: the outcome of a session is the last of them.
package struct NotedEnd: Sendable, Hashable {
    /// `nil`: Entry Point.
    package let kernel: KernelID?
    package let status: Outcome.Status
    package let reason: Outcome.Reason
}

/// What a reader remembers from tap to tap: transactions whose answer was lost (Kernel 2), how often a magnetic-stripe
/// checksum failed, and issuer keys if asked to. One for each reader. It may hold account numbers and is erased when it
/// goes.
@safe
public final class ReaderMemory {
    fileprivate let base: UnsafeMutablePointer<cemv_reader_memory>
    /// `nil`: issuer keys are not remembered.
    private let issuerKeys: UnsafeMutableRawPointer?

    /// - Parameter remembersIssuerKeys: a certificate of an issuer that was verified in an earlier tap, byte for byte
    ///   with its remainder, exponent and CA key, is not recovered again. All that depends on the card or the day is
    ///   still checked: outcomes are the same. Holds 8 of them.
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

    /// How often a certificate was found among the remembered ones.
    public var issuerKeysFound: Int {
        guard let keys = unsafe issuerKeys else { return 0 }
        return Int(unsafe cemv_issuer_keys_found(OpaquePointer(keys)))
    }

    /// A fixed latency of the link in microseconds, measured once, that is subtracted where a kernel times the card.
    /// Over a link that jitters this gives conformance, not protection against relays.
    public var linkLatency: UInt32 {
        get { unsafe base.pointee.link_latency_us }
        set { unsafe base.pointee.link_latency_us = newValue }
    }
}

/// Bytes that stay where they are as long as a session may read them.
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

/// Where a session keeps what the card presents.
@safe
private final class PresentedMemory {
    let base: UnsafeMutablePointer<cemv_presented>

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
        let names = unsafe withUnsafeBytes(of: &base.pointee.names) {
            unsafe Bytes($0.prefix(Int(base.pointee.names_size)))
        }
        let objects = unsafe withUnsafeBytes(of: &base.pointee.objects) {
            unsafe Bytes($0.prefix(Int(base.pointee.objects_size)))
        }
        var presented = Presented()
        var rest = names[...]
        while let size = rest.popFirst() {
            presented.names.append(Bytes(rest.prefix(Int(size))))
            rest = rest.dropFirst(Int(size))
        }
        for node in TLVTree(objects) { presented.objects[node.object.tag] = Bytes(node.object.value) }
        return presented
    }
}

/// Where a session notes what its kernel decides.
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

/// One transaction as a pure machine: it asks with a ``Step`` and is given a ``Reply``. No I/O, no clock, no
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
    /// How many bytes are drawn at a time.
    private let pool: Int

    /// Throws for what the caller got wrong; what a card does never throws. `memory` must not be in use by another
    /// session; `reader` serves one session at a time too. Without it nothing is remembered, and no torn transaction
    /// recovered.
    ///
    /// - Parameters:
    ///   - keepsPresented: ``presented`` says what the card says of itself.
    ///   - keepsDecisions: ``decisions`` says what the kernel decided.
    public init(
        _ configuration: borrowing CheckedConfiguration, _ transaction: borrowing Transaction,
        memory: borrowing SessionMemory = SessionMemory(), reader: borrowing ReaderMemory? = nil,
        keepsPresented: Bool = false, keepsDecisions: Bool = false
    ) throws(ConfigurationError) {
        precondition(!memory.isInUse, "the memory belongs to a session that still lives")
        // Limits are amounts of one currency.
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
        // A name too long for its length byte is refused by the check either way.
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

    /// A session dropped on its way is abandoned first: the reader's memory keeps a cryptogram that was under way.
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

    /// A second session in exactly this state, in memory of its own.
    public borrowing func fork() -> KernelSession {
        KernelSession(copying: self)
    }

    // MARK: - Steps

    /// What the kernel sends to the terminal with this step (data exchange), as TLV: `FF8104` and `DF8106` from Kernel
    /// 2; `9F8201`, if it asks, and the objects themselves from Kernel 8; empty where there is nothing.
    public var exchange: Bytes { unsafe Bytes(cemv_session_exchange(session)) }

    /// What is asked for, without its particulars: allocates nothing.
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

    /// What is asked for.
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

    /// The field goes off with this step and stays off for so long, in a later step or transaction too; `nil`: nothing
    /// is requested. A Field Off Request (Book B 3.5.1.2) comes with exactly one step: parked, done, or the poll of a
    /// restart, whose ``Poll/fieldOff`` is the same.
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

    /// The last outcome; status `none` before there is one.
    public var outcome: Outcome {
        unsafe Outcome.of(
            cemv_session_outcome(session), record: cemv_session_data_record(session).buffer,
            discretionary: cemv_session_discretionary(session).buffer, name: cemv_session_df_name(session).buffer)
    }

    /// Requests of the user interface that came with the present step, in order; gone with the next reply.
    public var messages: [UIRequest] {
        let count = unsafe cemv_session_ui_count(session)
        guard count > 0 else { return [] }
        return (0..<count).map { UIRequest(unsafe cemv_session_ui(session, $0)) }
    }

    /// What the card says of itself to everybody; empty in a session that was begun without `keepsPresented`.
    public var presented: Presented { memory.presented?.presented ?? Presented() }

    /// Presentments so far; 1 at the first card.
    public var taps: Int { Int(unsafe cemv_session_taps(session)) }
    /// Commands sent in all presentments.
    public var commands: Int { Int(unsafe cemv_session_commands(session)) }
    /// What waits, for tests and tools.
    public var state: KernelState {
        unsafe KernelState(cemv_session_state(session))
    }
    /// What the kernel decided since the last reply, in order; empty in a session that was begun without
    /// `keepsDecisions`.
    public var decisions: [KernelDecision] { memory.decisions?.decisions ?? [] }
    /// The ends since the last reply, in order; empty in a session that was begun without `keepsDecisions`.
    package var ends: [NotedEnd] { memory.decisions?.ends ?? [] }

    // MARK: - Replies

    /// The longest answer of an issuer that a parked session takes: bytes of its data objects, tags and lengths
    /// counted.
    public static let issuerDataLimit = Int(CEMV_MAX_ISSUER_DATA)

    /// True if the present step takes a reply of this kind, and this one is no answer of more than
    /// ``issuerDataLimit`` bytes.
    public borrowing func takes(_ reply: Reply) -> Bool {
        let size = reply.issuerData?.encoded.count ?? 0
        return unsafe cemv_session_takes(session, reply.code) && size <= KernelSession.issuerDataLimit
    }

    /// Gives the reply the step waits for, and answers the next step. Any other reply, and a longer answer of the
    /// issuer than ``issuerDataLimit``, changes nothing.
    @discardableResult
    public mutating func reply(_ reply: Reply) -> Step {
        advance(reply)
        return step
    }

    /// As ``reply(_:)``, without building a ``Step``; with ``kind`` and ``withCommand(_:)`` the way that allocates
    /// nothing.
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

    /// There is something for ``work()`` to do.
    public borrowing func hasWork() -> Bool { unsafe cemv_session_has_work(session) }

    /// At ``Step/send(_:)``, while the card works on the command: one public-key operation whose operands are there
    /// already. `false`: there is none, now. Optional; changes no outcome, no step and no command.
    @discardableResult
    public mutating func work() -> Bool { unsafe cemv_session_work(session) }

    // MARK: - Random bytes

    /// Answers the session's request for random bytes while the source has any.
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

    /// A session of Kernel 8, which its size tells, may take two private keys of 32 bytes and a number at once; eight
    /// numbers do for the others.
    private static func pool(_ sessionSize: Int) -> Int {
        sessionSize > Int(CEMV_SESSION_SIZE) ? Int(CEMV_RANDOM_POOL) : 32
    }

    /// Calls with up to `pool` bytes, a multiple of four of them, and answers how many. The system's, from which a
    /// private key may come, are wiped.
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
    /// Everything but the data objects, which are borrowed.
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
        // Out of range stays out of range: the check names it.
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

/// At least one: to the core, zero is no deadline.
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
