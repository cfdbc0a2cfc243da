// SPDX-License-Identifier: Apache-2.0
/// One contactless reader: takes cards one at a time and tells what happens.
///
/// ```swift
/// let reader = TapReader(transport, configuration: configuration)
/// let session = try await reader.prepare()
/// let outcome = await session.read(PaymentRequest(amount: Money(minorUnits: 1250, currency: .eur)))
/// ```
///
/// It can be made in any state of the hardware: a ``read(_:)-(PaymentRequest)`` that comes before the reader is
/// prepared waits until it is.
public actor TapReader {
    let transport: any CardTransport
    /// Runs the reader too: the executor of this actor is unowned, so the actor is kept.
    private nonisolated let home: any Actor
    /// That of the transport where it offers one.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe home.unownedExecutor }
    /// The configuration of the last tap, or the one that was taken last.
    var current: HeldConfiguration
    /// The reader's other ones, each in a currency of its own.
    var others: [HeldConfiguration] = []
    /// Adopted, and not taken yet: at most one in each currency.
    var staged: [HeldConfiguration] = []
    let options: Options
    nonisolated let hub = EventHub<TapEvent>(.notReady) { $0.isState }
    nonisolated let chargeHub = EventHub<Charge> { _ in true }

    /// Everything that decides what happens next. The rest of this actor carries it out.
    var machine: ReaderStateMachine

    // What the actions work with
    let kernels: [Kernel]
    /// Whichever kernels a configuration names, they are built in.
    let hasEveryKernel: Bool
    let secrets: SecretCrypto?
    /// Of the session.
    var inUse: CheckedConfiguration?
    let memory = SessionMemory()
    let remembered = ReaderMemory(remembersIssuerKeys: true)
    var session: KernelSession?
    /// Of the last exchange, until the kernel has read it.
    var response = Bytes()
    /// The one the session was begun with.
    var transaction: Transaction?
    /// The last one that was begun, for reports.
    var lastTap: TapRecord?

    // What runs beside the callers
    var preparation: Task<PreparationStateMachine.End, Never>?
    /// Under way, though its preparation may have given it up.
    var opening: Task<ReaderFault?, Never>?
    var activity: Task<ReaderAction.Ending, Never>?
    var removalTimer: Task<Void, Never>?
    var charging: RunningCharge?
    /// So far.
    var chargeCount = 0
    /// `nil`: nobody counts.
    var meter: TapMeter?
    var lending: Lending?
    /// The journal was told that a card is there.
    var hasCard = false
    /// So far.
    var lendings = 0
    /// Counts what the issuer was asked, so that an answer that comes late is known.
    var requests = 0
    var awaited: Int?

    /// A reader with every built-in kernel; with Kernel 8 where a combination names it.
    ///
    /// - Parameter secrets: for Kernel 8 alone, which cannot be prepared without it.
    public init(
        _ transport: any CardTransport, configuration: Configuration, secrets: SecretCrypto? = nil,
        options: Options = Options()
    ) {
        self.init(
            transport, configuration: configuration, kernels: nil, secrets: secrets, options: options,
            checked: nil)
    }

    /// A reader with these kernels alone.
    public init(
        _ transport: any CardTransport, configuration: Configuration, kernels: [Kernel], secrets: SecretCrypto? = nil,
        options: Options = Options()
    ) {
        self.init(
            transport, configuration: configuration, kernels: kernels, secrets: secrets, options: options, checked: nil)
    }

    /// With a configuration that is checked already and may be shared with other readers.
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

    /// What happens at this reader from now on, beginning with the latest event. Any number may listen.
    public nonisolated func events() -> AsyncStream<TapEvent> {
        hub.subscribe()
    }

    /// The messages for a display, each no sooner than the one before was shown for its time.
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

    /// Takes one card, after having prepared the reader where that is needed. Never throws: what a card did and the
    /// loss of the reader are outcomes. Cancelling the task ends the tap with ``TapOutcome/cancelled(_:)``.
    public func read(_ request: PaymentRequest) async -> TapOutcome {
        await perform(.payment(request), generation: nil)
    }

    /// Reads a card without an amount; it never yields an approval.
    public func read(_ request: VerificationRequest) async -> TapOutcome {
        await perform(.verification(request), generation: nil)
    }

    /// Ends what is under way and returns when the reader is idle; at once where nothing is. A tap that waits for its
    /// issuer is abandoned; a payment that may have reached the host is reversed first.
    public func cancel() async {
        await end(.requested)
    }

    /// The app leaves the foreground, or the machine goes to sleep: ends what is under way; the next preparation opens
    /// the reader anew.
    public func suspend() async {
        await end(.suspended)
        carryOut(machine.departed(.notReady).effects)
    }
}

/// An executor for a reader whose transport offers none.
private actor Home {}
