// SPDX-License-Identifier: Apache-2.0
/// One contactless reader: it reads cards one at a time and reports events.
///
/// ```swift
/// let reader = TapReader(transport, configuration: configuration)
/// let session = try await reader.prepare()
/// let outcome = await session.read(PaymentRequest(amount: Money(minorUnits: 1250, currency: .eur)))
/// ```
///
/// It can be created whatever the state of the hardware: a ``read(_:)-(PaymentRequest)`` that is called before the
/// reader is prepared waits until it is.
public actor TapReader {
    let transport: any CardTransport
    /// The actor whose executor runs the reader. This actor's executor reference is unowned, so the reader keeps the
    /// actor alive.
    private nonisolated let home: any Actor
    /// The transport's executor, if it offers one.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe home.unownedExecutor }
    /// The configuration of the last tap, or the one that was activated last.
    var current: HeldConfiguration
    /// The reader's other configurations, each in a different currency.
    var others: [HeldConfiguration] = []
    /// Adopted configurations that are not active yet: at most one per currency.
    var staged: [HeldConfiguration] = []
    let options: Options
    nonisolated let hub: EventHub<TapNotice, TapEvent>
    nonisolated let chargeHub = EventHub<Charge, Charge> { _ in true }

    /// Decides every next step. The rest of this actor carries the decisions out.
    var machine: ReaderStateMachine

    // Parts that the actions work with
    let kernels: [Kernel]
    /// All kernels that a configuration may name are built in.
    let hasEveryKernel: Bool
    let secrets: SecretCrypto?
    /// The configuration of the session.
    var inUse: CheckedConfiguration?
    let memory = SessionMemory()
    let remembered = ReaderMemory(remembersIssuerKeys: true)
    var session: KernelSession?
    /// The response of the last exchange, until the kernel has read it.
    var response = Bytes()
    /// The transaction with which the session began.
    var transaction: Transaction?
    /// The last tap that began, for reports.
    var lastTap: TapRecord?

    // Tasks that run independently of the callers
    var preparation: Task<PreparationStateMachine.End, Never>?
    /// The opening in progress, even if its preparation may have abandoned it.
    var opening: Task<ReaderFault?, Never>?
    var activity: Task<ReaderAction.Ending, Never>?
    var removalTimer: Task<Void, Never>?
    var charging: RunningCharge?
    /// The number of charges begun.
    var chargeCount = 0
    /// `nil` if nothing is counted.
    var meter: TapMeter?
    var lending: Lending?
    /// The journal was notified that a card is present.
    var hasCard = false
    /// The number of preludes that were lent a card.
    var lendings = 0
    /// Numbers the requests to the issuer, so that a late answer is recognised.
    var requests = 0
    var awaited: Int?

    /// Creates a reader with every built-in kernel; Kernel 8 is included if a combination names it.
    ///
    /// - Parameters:
    ///   - transport: the connection to the reader's hardware.
    ///   - configuration: the first configuration; ``adopt(_:lastDay:)`` accepts later ones.
    ///   - secrets: for Kernel 8 only, which cannot be prepared without it.
    ///   - options: time limits, journal, texts and other settings.
    public init(
        _ transport: any CardTransport, configuration: Configuration, secrets: SecretCrypto? = nil,
        options: Options = Options()
    ) {
        self.init(
            transport, configuration: configuration, kernels: nil, secrets: secrets, options: options,
            checked: nil)
    }

    /// Creates a reader with only these kernels.
    public init(
        _ transport: any CardTransport, configuration: Configuration, kernels: [Kernel], secrets: SecretCrypto? = nil,
        options: Options = Options()
    ) {
        self.init(
            transport, configuration: configuration, kernels: kernels, secrets: secrets, options: options, checked: nil)
    }

    /// Creates a reader with a configuration that is already checked and may be shared with other readers.
    public init(_ transport: any CardTransport, checked: CheckedConfiguration, options: Options = Options()) {
        self.init(
            transport, configuration: checked.configuration, kernels: [], secrets: nil, options: options,
            checked: checked)
    }

    private init(
        _ transport: any CardTransport, configuration: Configuration, kernels: [Kernel]?, secrets: SecretCrypto?,
        options: Options, checked: CheckedConfiguration?
    ) {
        self.transport = transport
        home = transport.isolation ?? Home()
        current = HeldConfiguration(configuration, checked: checked, lastDay: options.configurationLastDay)
        self.kernels = kernels ?? .all(for: configuration)
        hasEveryKernel = kernels == nil
        meter = options.metrics.map { TapMeter($0, clock: options.timer) }
        self.secrets = secrets
        self.options = options
        let texts = options.texts
        hub = EventHub(.event(.notReady), isState: { $0.isState }, event: { $0.event(texts) })
        let preparation = PreparationStateMachine(
            requiresCAKeys: options.requiresCAKeys, hasEnrollment: options.enrollment != nil,
            hasJournal: options.journal != nil)
        machine = ReaderStateMachine(
            policy: ReaderStateMachine.Policy(options), preparation: preparation, firstCounter: options.firstCounter)
    }

    deinit {
        hub.finish()
        chargeHub.finish()
    }

    /// Returns the events of this reader from now on, beginning with the latest event, for any number of listeners.
    public nonisolated func events() -> AsyncStream<TapEvent> {
        hub.subscribe()
    }

    /// Returns the messages for a display, each no sooner than the previous one was shown for its time.
    public nonisolated func prompts() -> AsyncStream<Prompt> {
        let events = events(), timer = options.timer
        let (prompts, display) = AsyncStream.makeStream(of: Prompt.self)
        let task = Task {
            for await event in events {
                guard case .prompt(let prompt) = event else { continue }
                display.yield(prompt)
                if prompt.hold > .zero { try? await timer.sleep(for: prompt.hold) }
            }
            display.finish()
        }
        display.onTermination = { _ in task.cancel() }
        return prompts
    }

    // MARK: - Reading

    /// Reads one card, after preparing the reader if needed. Never throws: the card's result and the loss of the reader
    /// are outcomes. Cancelling the task ends the tap with ``TapOutcome/cancelled(_:)``.
    public func read(_ request: PaymentRequest) async -> TapOutcome {
        await perform(.payment(request), generation: nil)
    }

    /// Reads a card without an amount; it never yields an approval.
    public func read(_ request: VerificationRequest) async -> TapOutcome {
        await perform(.verification(request), generation: nil)
    }

    /// Ends the current activity and returns when the reader is idle; returns at once if there is no activity. A tap
    /// that waits for its issuer is abandoned; a payment that may have reached the host is reversed first.
    public func cancel() async {
        await end(.requested)
    }

    /// Ends the current activity because the app leaves the foreground or the machine goes to sleep. The next
    /// preparation opens the reader again.
    public func suspend() async {
        await end(.suspended)
        carryOut(machine.departed(.notReady).effects)
    }
}

/// Provides an executor for a reader whose transport offers no executor.
private actor Home {}
