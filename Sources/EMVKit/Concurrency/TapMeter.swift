// SPDX-License-Identifier: Apache-2.0
/// Counts and times the activity of a reader, for its ``MetricsSink``. It sees events and endings, and no card data.
struct TapMeter {
    private let sink: any MetricsSink
    /// The time since this meter was made.
    private let time: @Sendable () -> Duration
    /// Commands of the current tap.
    var commands = 0
    private var presentments = 0
    private var began: Duration?
    private var fieldOn: Duration?
    private var firstCard: Duration?
    private var cardRead: Duration?
    // State of the current authorisation.
    private var asked: Duration?
    private var entries = 0

    init(_ sink: any MetricsSink, clock: any Clock<Duration>) {
        self.sink = sink
        time = TapMeter.stopwatch(clock)
    }

    private static func stopwatch<Timer: Clock>(_ clock: Timer) -> @Sendable () -> Duration
    where Timer.Duration == Duration {
        let start = clock.now
        return { start.duration(to: clock.now) }
    }

    mutating func note(_ event: TapEvent) {
        switch event {
        case .started:
            (commands, presentments) = (0, 0)
            (fieldOn, firstCard, cardRead) = (nil, nil, nil)
            began = time()
        case .waitingForCard: fieldOn = fieldOn ?? time()
        case .cardDetected:
            presentments += 1
            firstCard = firstCard ?? time()
        case .cardRead: cardRead = cardRead ?? time()
        case .authorizing: asked = asked ?? time()
        case .pinEntry:
            asked = asked ?? time()
            entries += 1
        case .notReady, .preparing, .ready, .severalCards, .cardInUse, .prompt, .presentAgain, .promptFinished,
            .finished,
            .pinEntryFinished, .authorized, .unresolved, .readerDetached, .adopted:
            break
        }
    }

    /// - Parameters:
    ///   - isCompletion: the issuer's answer was given to a tap that has already been counted.
    ///   - isRun: `false` for a call that was refused at once, while another one may be in progress.
    mutating func ended(_ outcome: TapOutcome, tap: TapRecord?, isCompletion: Bool, isRun: Bool) {
        let now = time()
        var metric = TapMetric(
            kind: isCompletion ? .authorization : .tap, ending: outcome.name.rawValue,
            problems: outcome.problems.map(\.name), findings: outcome.kernelFindings,
            presentments: isRun ? presentments : 0, commands: isRun ? commands : 0, entries: 0,
            times: TapMetric.Times(), configuration: tap?.configuration?.fingerprint,
            isSimulated: tap?.isSimulated ?? false)
        metric.name(outcome.kernelOutcome)
        if isRun {
            metric.times.total = TapMeter.milliseconds(began, now)
            metric.times.waiting = TapMeter.milliseconds(fieldOn, firstCard)
            metric.times.card = TapMeter.milliseconds(firstCard, cardRead ?? now)
            (began, fieldOn, firstCard, cardRead) = (nil, nil, nil, nil)
        }
        sink.record(metric)
    }

    mutating func ended(_ result: AuthorizationResult.Ending, of read: CardRead, isRun: Bool) {
        var metric = TapMetric(
            kind: .authorization, ending: result.name.rawValue, problems: result.problems.map(\.name), findings: [],
            presentments: 0, commands: 0, entries: isRun ? entries : 0, times: TapMetric.Times(),
            configuration: read.tap?.configuration?.fingerprint, isSimulated: read.isSimulated)
        metric.name(read.outcome)
        if isRun {
            metric.times.issuer = TapMeter.milliseconds(asked, time())
            (asked, entries) = (nil, 0)
        }
        sink.record(metric)
    }

    private static func milliseconds(_ start: Duration?, _ end: Duration?) -> Double? {
        guard let start, let end else { return nil }
        let (seconds, attoseconds) = (end - start).components
        return Double(seconds) * 1_000 + Double(attoseconds) / 1e15
    }
}

extension TapMetric {
    fileprivate mutating func name(_ outcome: Outcome?) {
        guard let outcome, let kernel = outcome.kernel else { return }
        self.kernel = "\(kernel)"
        scheme = (PaymentScheme(aid: outcome.applicationName) ?? PaymentScheme(kernel: kernel))?.rawValue
    }
}

extension TapOutcome {
    fileprivate var kernelOutcome: Outcome? {
        switch self {
        case .success(let read), .declined(let read), .onlinePINRequired(let read): read.outcome
        case .verified(let card): card.outcome
        case .onlinePINUnavailable, .unreadable, .unsupportedNetwork, .limitExceeded, .tryAnotherInterface, .cancelled,
            .failed:
            nil
        }
    }

    fileprivate var kernelFindings: [String] {
        if case .unreadable(let failure) = self { return failure.findings.names }
        return kernelOutcome?.findings.names ?? []
    }
}
