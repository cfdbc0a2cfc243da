// SPDX-License-Identifier: Apache-2.0
/// One contactless reader: takes cards one at a time and tells what happens.
///
/// ```swift
/// let reader = TapReader(transport, configuration: configuration)
/// let session = try await reader.prepare()
/// let outcome = await session.read(PaymentRequest(amount: Money(minorUnits: 1250, currency: .eur)))
/// ```
///
/// It can be made in any state of the hardware: a ``read(_:)-(PaymentRequest)`` that comes before the reader is prepared waits until it is.
public actor TapReader {
    let transport: any CardTransport
    /// Runs the reader too: the executor of this actor is unowned, so the actor is kept.
    private nonisolated let home: any Actor
    /// That of the transport where it offers one.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe home.unownedExecutor }
    let configuration: Configuration
    let options: Options
    nonisolated let hub = EventHub()

    // Preparing
    var checked: CheckedConfiguration?
    var preparation: Preparation?
    /// Grows with every preparation; 0 while the reader is not prepared.
    var generation = 0
    var preparations = 0
    /// Grows whenever the reader or the app went away: a preparation that was under way then is void.
    var departures = 0

    // What is under way: a tap, or an authorisation. Nothing else touches the antenna meanwhile.
    var activity: Activity?
    var cancelReason: CancelReason?

    // The tap
    let memory = SessionMemory()
    let remembered = ReaderMemory(remembersIssuerKeys: true)
    var session: KernelSession?
    var tap = TapState()
    var counter: UInt32
    /// Counts taps, so that what comes late knows that it does.
    var tapNumber = 0
    var usedKeys = UsedKeys()

    // The authorisation
    var settled: Settled?
    var openChallenge: Conversation?

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

    /// Takes one card, after having prepared the reader where that is needed. Never throws: what a card did and the loss of the reader are
    /// outcomes. Cancelling the task ends the tap with ``TapOutcome/cancelled(_:)``.
    public func read(_ request: PaymentRequest) async -> TapOutcome {
        await perform(.payment(request), generation: nil)
    }

    /// Reads a card without an amount; it never yields an approval.
    public func read(_ request: VerificationRequest) async -> TapOutcome {
        await perform(.verification(request), generation: nil)
    }

    /// Ends what is under way and returns when the reader is idle; at once where nothing is. A tap that waits for its issuer is abandoned;
    /// a payment that may have reached the host is reversed first.
    public func cancel() async {
        await end(.requested)
    }

    /// The app leaves the foreground, or the machine goes to sleep: ends what is under way; the next preparation opens the reader anew.
    public func suspend() async {
        await end(.suspended)
        departures += 1
        guard generation != 0 else { return }
        generation = 0
        hub.publish(.notReady)
    }

    // MARK: - One thing at a time

    struct Activity {
        let cancel: @Sendable () -> Void
        let finished: @Sendable () async -> Void
    }

    /// Runs one tap or authorisation by itself: whoever waits for it may be cancelled, and the reader is idle again when it returns.
    func occupy<Result: Sendable>(_ body: @escaping @Sendable () async -> Result) async -> Result {
        cancelReason = nil
        let task = Task {
            let result = await body()
            self.activity = nil
            return result
        }
        activity = Activity(cancel: { task.cancel() }, finished: { _ = await task.value })
        return await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
    }

    func end(_ reason: CancelReason) async {
        guard let activity else {
            guard tap.keepsField || openChallenge != nil else { return abandon() }
            await occupy {
                await self.release()
                await self.giveUpOpenChallenge()
            }
            return
        }
        cancelReason = cancelReason ?? reason
        activity.cancel()
        await activity.finished()
    }

    /// Why what is under way must end; `nil` while it may go on.
    var interruption: CancelReason? {
        Task.isCancelled ? cancelReason ?? .taskCancelled : nil
    }
}

/// An executor for a reader whose transport offers none.
private actor Home {}
