/// One contactless reader: takes cards one at a time and tells what happens.
///
/// ```swift
/// let reader = TapReader(transport, configuration: configuration)
/// let session = try await reader.prepare()
/// let outcome = await session.read(PaymentRequest(amount: Money(minorUnits: 1250, currency: .eur)))
/// ```
public actor TapReader {
    public struct Options: Sendable {
        /// Return as soon as the outcome is known, without waiting until the last message was shown for its time.
        public var returnReadResultImmediately: Bool
        /// An encrypted PIN can be collected.
        public var hasPINPad: Bool
        /// How long to wait for a card where a request does not say.
        public var cardTimeout: Duration?
        /// Tag 9F41 of the first tap.
        public var firstCounter: UInt32
        public var random: RandomSource
        public var clock: @Sendable () -> LocalTime

        public init(
            returnReadResultImmediately: Bool = true, hasPINPad: Bool = true, cardTimeout: Duration? = nil,
            firstCounter: UInt32 = 1, random: RandomSource = .system,
            clock: @escaping @Sendable () -> LocalTime = { LocalTime.now() }
        ) {
            self.returnReadResultImmediately = returnReadResultImmediately
            self.hasPINPad = hasPINPad
            self.cardTimeout = cardTimeout
            self.firstCounter = firstCounter
            self.random = random
            self.clock = clock
        }
    }

    private let transport: any CardTransport
    /// Runs the reader too: the executor of this actor is unowned, so the actor is kept.
    private nonisolated let home: any Actor
    /// That of the transport where it offers one.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe home.unownedExecutor }
    private let configuration: Configuration
    private let options: Options
    private nonisolated let hub = EventHub()

    private var checked: CheckedConfiguration?
    private var preparation: Task<PrepareError?, Never>?
    /// Grows with every preparation; 0 while the reader is not prepared.
    private var generation = 0
    private var preparations = 0

    /// The busy flag: a tap is under way as long as this is set.
    private var running: Task<TapOutcome, Never>?
    private var cancelReason: CancelReason?
    private let memory = SessionMemory()
    private let remembered = ReaderMemory(remembersIssuerKeys: true)
    private var session: KernelSession?
    private var transaction: Transaction?
    private var timeout: Duration?
    private var isParked = false
    private var counter: UInt32
    /// First answer of the present presentment: the directory, should no application be in common.
    private var directory: Bytes?
    private var lastHold = Duration.zero
    /// Presentments after which another one was asked for.
    private var announcedTaps = 0

    public init(_ transport: any CardTransport, configuration: Configuration, options: Options = Options()) {
        self.transport = transport
        home = transport.isolation ?? Home()
        self.configuration = configuration
        self.options = options
        counter = options.firstCounter
    }

    /// With a configuration that is checked already and may be shared with other readers.
    public init(_ transport: any CardTransport, checked: CheckedConfiguration, options: Options = Options()) {
        self.init(transport, configuration: checked.configuration, options: options, checked: checked)
    }

    private init(
        _ transport: any CardTransport, configuration: Configuration, options: Options, checked: CheckedConfiguration
    ) {
        self.transport = transport
        home = transport.isolation ?? Home()
        self.configuration = configuration
        self.options = options
        self.checked = checked
        counter = options.firstCounter
    }

    deinit {
        hub.finish()
    }

    /// What happens at this reader from now on, beginning with the latest event.
    public nonisolated func events() -> AsyncStream<TapEvent> {
        hub.subscribe()
    }

    // MARK: - Preparing

    /// Checks the configuration and opens the reader. Calls at the same time share one preparation; a prepared reader answers
    /// at once.
    public func prepare() async throws(PrepareError) -> ReaderSession {
        if generation == 0 {
            let preparation = preparation ?? Task { await self.open() }
            self.preparation = preparation
            if let error = await preparation.value { throw error }
        }
        guard !Task.isCancelled else { throw .cancelled }
        guard generation != 0 else { throw .reader(ReaderFault(.noReader, "The reader went away while it was prepared")) }
        return ReaderSession(reader: self, generation: generation)
    }

    private func open() async -> PrepareError? {
        defer { preparation = nil }
        hub.publish(.preparing(fraction: checked == nil ? 0 : 0.5))
        if checked == nil {
            do throws(ConfigurationError) {
                checked = try CheckedConfiguration(configuration)
            } catch {
                hub.publish(.notReady)
                return .configuration(error)
            }
            hub.publish(.preparing(fraction: 0.5))
        }
        if let fault = await transport.open() {
            hub.publish(.notReady)
            return .reader(fault)
        }
        preparations += 1
        generation = preparations
        hub.publish(.ready)
        return nil
    }

    // MARK: - Taps

    /// Ends the tap under way and returns when the reader is idle; at once where there is none. A parked tap is abandoned.
    public func cancel() async {
        guard let running else {
            abandon()
            return
        }
        cancelReason = cancelReason ?? .requested
        running.cancel()
        _ = await running.value
    }

    func read(_ request: PaymentRequest, generation: Int) async -> TapOutcome {
        guard running == nil else { return .failed(.busy) }
        guard generation == self.generation, let checked else { return .failed(.notPrepared) }
        guard !Task.isCancelled else { return .cancelled(.taskCancelled) }
        abandon()
        let record = TapRecord(
            key: request.key ?? ReconciliationKey(), purpose: .payment(request), moment: request.moment ?? options.clock(),
            counter: request.counter ?? counter)
        let problems = record.requestProblems
        guard problems.isEmpty else { return .failed(.invalid(problems)) }
        do throws(ConfigurationError) {
            let transaction = record.transaction(random: options.random)
            session = try KernelSession(checked, transaction, memory: memory, reader: remembered)
            self.transaction = transaction
        } catch {
            return .failed(.invalidRequest(error))
        }
        counter = counter >= 99_999_999 ? 1 : counter + 1
        timeout = request.timeout ?? options.cardTimeout
        return await run()
    }

    func complete(_ answer: IssuerAnswer, removalTimedOut: Bool, generation: Int) async -> TapOutcome {
        guard running == nil else { return .failed(.busy) }
        guard generation == self.generation else { return .failed(.notPrepared) }
        guard isParked else { return .failed(.nothingToComplete) }
        let reply: Reply =
            switch answer {
            case .response(let data): .online(data, removalTimedOut: removalTimedOut)
            case .unableToGoOnline: .online([:], removalTimedOut: removalTimedOut)
            case .pinCaptured: .pin([:])
            }
        guard session?.takes(reply) == true else { return .failed(.nothingToComplete) }
        isParked = false
        session?.advance(reply)
        return await run()
    }

    private func run() async -> TapOutcome {
        cancelReason = nil
        let task = Task { await self.tap() }
        running = task
        return await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
    }

    /// The whole of a tap, from the first step to an idle reader.
    private func tap() async -> TapOutcome {
        let outcome = await drive()
        if outcome != .cancelled(.readerDetached), !keepsField { await transport.fieldOff() }
        if !options.returnReadResultImmediately, lastHold > .zero, !Task.isCancelled {
            try? await Task.sleep(for: lastHold)
        }
        if !isParked { abandon() }
        running = nil
        hub.publish(.finished(outcome.name))
        hub.publish(outcome == .cancelled(.readerDetached) ? .readerDetached : .ready)
        return outcome
    }

    /// The card may stay in the field until the issuer has answered.
    private var keepsField: Bool {
        isParked && session?.outcome.removalTimeout != nil
    }

    private func drive() async -> TapOutcome {
        while let kind = session?.kind {
            if let reason = interruption { return .cancelled(reason) }
            show()
            switch kind {
            case .poll:
                if let ended = await poll() { return ended }
            case .send:
                if let ended = await send() { return ended }
            case .ask:
                guard let question = session?.question, question.kind == .kernel else { return .failed(.noRandom) }
                // Nothing asked: a time to wait for (Kernel 2, after a failed checksum). A question nobody here can answer is not waited for.
                if question.bytes.isEmpty, let deadline = question.deadline { try? await Task.sleep(for: deadline) }
                if let reason = interruption { return .cancelled(reason) }
                give(.deadlinePassed)
            case .work:
                give(.carryOn)
            case .parked:
                isParked = true
                return result()
            case .done:
                return result()
            }
        }
        return .failed(.internal)
    }

    private func poll() async -> TapOutcome? {
        guard var poll = session?.poll else { return .failed(.internal) }
        poll.timeout = timeout
        directory = nil
        if let taps = session?.taps, taps > announcedTaps {
            announcedTaps = taps
            hub.publish(.presentAgain)
        }
        if !poll.removalFirst { hub.publish(.waitingForCard) }
        let event = await transport.waitForCard(poll)
        if let reason = interruption { return .cancelled(reason) }
        switch event {
        case .card:
            hub.publish(.cardDetected)
            for before in [Reply.removed, .collisionCleared] where session?.takes(before) == true { give(before) }
            give(.card)
        case .collision:
            hub.publish(.severalCards)
            give(.collision)
        case .collisionCleared:
            if session?.takes(.collisionCleared) == true { give(.collisionCleared) }
        case .removed:
            if session?.takes(.removed) == true { give(.removed) }
        case .fault(let fault):
            give(.fault(fault))
        case .nothing:
            return .cancelled(.timedOut)
        case .readerGone:
            return detached()
        }
        return nil
    }

    private func send() async -> TapOutcome? {
        guard let command = session?.command else { return .failed(.internal) }
        let exchange = await exchangeAndWork(command)
        if let reason = interruption { return .cancelled(reason) }
        switch exchange {
        case .response(let bytes, let elapsed):
            if directory == nil { directory = bytes }
            give(.response(bytes, elapsed: elapsed))
        case .fault(let fault):
            give(.fault(fault))
        case .readerGone:
            return detached()
        }
        return nil
    }

    /// Certificates are worked on while the card is.
    private func exchangeAndWork(_ command: Bytes) async -> Exchange {
        guard session?.hasWork() == true else { return await transport.transceive(command) }
        async let exchange = transport.transceive(command)
        while session?.work() == true {}
        return await exchange
    }

    /// A reply that the step does not take would leave the session where it is for ever: it is abandoned instead.
    private func give(_ reply: Reply) {
        let taken = session?.takes(reply) == true
        session?.advance(taken ? reply : .abandon)
    }

    private func show() {
        guard let messages = session?.messages else { return }
        for request in messages {
            lastHold = request.hold
            hub.publish(.prompt(Prompt(request)))
            if request.status == .cardRead { hub.publish(.cardRead) }
        }
    }

    private func result() -> TapOutcome {
        guard let outcome = session?.outcome else { return .failed(.internal) }
        var rule = LimitRule.other
        if outcome.reason == .notAllowed, let transaction, let checked { rule = checked.limitRule(for: transaction) }
        let tap = TapOutcome(outcome: outcome, hasPINPad: options.hasPINPad, limit: rule)
        if case .unsupportedNetwork = tap { return .unsupportedNetwork(NetworkMismatch(offered: offeredApplications)) }
        return tap
    }

    private var offeredApplications: [Bytes] {
        guard let directory, directory.count > 2 else { return [] }
        let objects = TLVTree(directory.dropLast(2)).map { $0.object }
        return objects.filter { $0.tag == 0x4F }.map { Bytes($0.value) }
    }

    private var interruption: CancelReason? {
        Task.isCancelled ? cancelReason ?? .taskCancelled : nil
    }

    private func detached() -> TapOutcome {
        generation = 0
        return .cancelled(.readerDetached)
    }

    /// Wipes the session, if there is one.
    private func abandon() {
        session = nil
        transaction = nil
        directory = nil
        isParked = false
        lastHold = .zero
        announcedTaps = 0
    }
}

/// An executor for a reader whose transport offers none.
private actor Home {}

/// A prepared reader.
public struct ReaderSession: Sendable {
    let reader: TapReader
    let generation: Int

    /// Takes one card. Never throws: what a card did and the loss of the reader are outcomes.
    /// Cancelling the task ends the tap with ``TapOutcome/cancelled(_:)``.
    public func read(_ request: PaymentRequest) async -> TapOutcome {
        await reader.read(request, generation: generation)
    }

    /// Goes on with a tap that waits for the issuer (Start B or D); `failed(.nothingToComplete)` where none waits.
    ///
    /// - Parameter removalTimedOut: the removal time-out of the outcome passed before the answer came.
    public func complete(_ answer: IssuerAnswer, removalTimedOut: Bool = false) async -> TapOutcome {
        await reader.complete(answer, removalTimedOut: removalTimedOut, generation: generation)
    }

    /// Ends the tap under way and returns when the reader is idle.
    public func cancel() async {
        await reader.cancel()
    }
}
