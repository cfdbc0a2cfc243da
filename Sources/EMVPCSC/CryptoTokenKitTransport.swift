// SPDX-License-Identifier: Apache-2.0
import EMVKit

/// A reader over CryptoTokenKit, Apple's API for smart cards: for apps that may not load PCSC.framework, and for
/// iPadOS, which does not have that framework. It can be created only on Apple's systems, and **it has never been run
/// on one**: the part that calls CryptoTokenKit is written from its documentation, and the rest is tested with
/// simulated slots.
///
/// The app needs the entitlement `com.apple.security.smartcard`. Cards are exclusive during a tap, and reset at its
/// end.
public actor CryptoTokenKitTransport: CardTransport {
    public struct Options: Sendable, Hashable {
        /// The longest exchange with a card. A card that has not answered by then has timed out.
        public var exchangeLimit: Duration
        /// The longest wait for another program to release the card before the session is requested again, and the
        /// longest wait for the state of a slot.
        public var sessionLimit: Duration
        /// How long all readers may be absent during a wait before the tap ends with the reader detached.
        public var patience: Duration

        public init(
            exchangeLimit: Duration = .seconds(5), sessionLimit: Duration = .seconds(2),
            patience: Duration = .seconds(3)
        ) {
            self.exchangeLimit = exchangeLimit
            self.sessionLimit = sessionLimit
            self.patience = patience
        }
    }

    private let slots: any SmartCardSlots
    private let choice: PCSCTransport.Choice
    private let options: Options
    private let now: @Sendable () -> ContinuousClock.Instant
    private let sleep: @Sendable (Duration) async -> Void
    private var session: (any SmartCardSession)?
    private var candidates: [ReaderCandidate] = []
    private var restsUntil: ContinuousClock.Instant?
    /// Whether the current tap has had a card: a removal is then the removal of that card. Before that, every watched
    /// reader has to be empty.
    private var hasTakenCard = false

    /// The reader of the last card; before the first card, the first candidate; `nil` without a candidate.
    public private(set) var name: String?

    /// The number of requests that the service has not answered. A task waits for each.
    private(set) var unanswered = 0
    /// Slots with an unanswered request, and its number. They get no further request until the answer arrives or the
    /// reader is opened again, so that a silent service costs one task and not one for each poll.
    private var silent: [String: Int] = [:]
    private var questions = 0

    /// The pause between two polls of the slots.
    static let pause = Duration.milliseconds(100)
    /// The number of unanswered requests above which ``open()`` reports that the service does not respond, and sends no
    /// request.
    static let mostUnanswered = 8

    #if canImport(CryptoTokenKit)
    public init(_ choice: PCSCTransport.Choice = .contactless, options: Options = Options()) {
        self.init(
            choice, options: options, slots: SystemSlots(), now: { ContinuousClock.now },
            sleep: { try? await Task.sleep(for: $0) })
    }
    #endif

    init(
        _ choice: PCSCTransport.Choice, options: Options, slots: any SmartCardSlots,
        now: @escaping @Sendable () -> ContinuousClock.Instant, sleep: @escaping @Sendable (Duration) async -> Void
    ) {
        self.slots = slots
        self.choice = choice
        self.options = options
        self.now = now
        self.sleep = sleep
    }

    public func open() async -> ReaderFault? {
        endSession()
        guard unanswered < CryptoTokenKitTransport.mostUnanswered else {
            return ReaderFault(
                .failed, "The smart card service does not answer. Restart it: sudo killall com.apple.ctkpcscd")
        }
        silent = [:]
        return findReaders()
    }

    private func findReaders() -> ReaderFault? {
        guard let names = slots.names else {
            return ReaderFault(
                .unsupported, "This app may not use smart cards. Give it the entitlement com.apple.security.smartcard")
        }
        switch ReaderCandidate.candidates(choice, from: names) {
        case .success(let found):
            candidates = found
            if !found.contains(where: { $0.name == name }) { name = found.first?.name }
            return nil
        case .failure(let failure):
            candidates = []
            name = nil
            return failure.fault
        }
    }

    public func begin(_ tap: TapRecord) async { hasTakenCard = false }

    public func waitForCard(_ poll: Poll) async -> CardEvent {
        let deadline = poll.timeout.map { now().advanced(by: $0) }
        if let hold = poll.fieldOff { await fieldOff(for: hold) }
        if let rest = restsUntil {
            let left = now().duration(to: rest)
            if left > .zero { await sleep(left) }
            guard !Task.isCancelled else { return .nothing }
            restsUntil = nil
        }
        endSession()
        let last = name
        var awaySince: ContinuousClock.Instant?
        while !Task.isCancelled, deadline.map({ now() < $0 }) ?? true {
            if findReaders() == nil {
                awaySince = nil
                if poll.removalFirst {
                    let watched = hasTakenCard ? candidates.filter { $0.name == last } : candidates
                    if await areEmpty(watched) { return .removed }
                } else if await take() {
                    return .card
                }
            } else {
                let since = awaySince ?? now()
                awaySince = since
                if now() >= since.advanced(by: options.patience) { return .readerGone }
            }
            await sleep(CryptoTokenKitTransport.pause)
        }
        return .nothing
    }

    /// Whether the watched slots are empty. A card that was just reset is polled again; a silent service gives no
    /// information.
    private func areEmpty(_ watched: [ReaderCandidate]) async -> Bool {
        for candidate in watched {
            switch await state(of: candidate.name) {
            case .missing, .empty: continue
            // A chip card left in a combined reader does not belong to a tap.
            case .valid(let atr) where !hasTakenCard:
                if candidate.counts(ReaderState(name: candidate.name, atr: atr)) { return false }
            case .mute where !hasTakenCard: if candidate.reason != .byCard { return false }
            case .probing, .mute, .valid, nil: return false
            }
        }
        return true
    }

    /// `nil` if the service does not answer.
    private func state(of name: String) async -> SmartCardSlotState? {
        await ask(name) { [slots] in await slots.state(of: name) }
    }

    /// Sends the service a request about a slot. `nil` if it does not answer, or if an earlier request about this slot
    /// is unanswered.
    private func ask<Result: Sendable>(
        _ name: String, late: @escaping @Sendable (Result) -> Void = { _ in },
        _ body: @escaping @Sendable () async -> Result
    ) async -> Result? {
        guard silent[name] == nil else { return nil }
        questions += 1
        unanswered += 1
        silent[name] = questions
        let number = questions
        let result = await limited(
            options.sessionLimit,
            late: { [weak self] in
                late($0)
                await self?.answered(name, number)
            }, body)
        if result != nil { answered(name, number) }
        return result
    }

    private func answered(_ name: String, _ number: Int) {
        unanswered -= 1
        if silent[name] == number { silent[name] = nil }
    }

    /// Takes the first card with which a session can be opened.
    private func take() async -> Bool {
        for candidate in candidates {
            guard case .valid(let atr)? = await state(of: candidate.name),
                candidate.counts(ReaderState(name: candidate.name, atr: atr))
            else { continue }
            let began = await ask(candidate.name, late: { $0?.end() }) { [slots] in
                await slots.beginSession(in: candidate.name)
            }
            guard !Task.isCancelled, let session = began ?? nil else {
                (began ?? nil)?.end()
                continue
            }
            self.session = session
            hasTakenCard = true
            name = candidate.name
            return true
        }
        return false
    }

    public func transceive(_ command: Bytes) async -> Exchange {
        guard let session else { return name == nil ? .readerGone : .fault(.removed) }
        let began = now()
        switch await limited(options.exchangeLimit, { await session.transmit(command) }) {
        case .success(let response)?:
            guard response.count >= 2 else { return .fault(.transmission) }
            return .response(response, elapsed: began.duration(to: now()))
        case .failure(let fault)?:
            if fault == .removed { endSession() }
            return .fault(fault)
        case nil:
            // A late answer is discarded.
            endSession()
            return .fault(.timeout)
        }
    }

    public func fieldOff() { endSession() }

    public func fieldOff(for hold: Duration) async {
        endSession()
        guard hold > .zero else { return }
        let end = now().advanced(by: hold)
        restsUntil = restsUntil.map { max($0, end) } ?? end
    }

    private func endSession() {
        session?.end()
        session = nil
    }

    /// `nil` if the limit is over or the task is cancelled first; a later result is passed to `late`.
    private func limited<Result: Sendable>(
        _ limit: Duration, late: @escaping @Sendable (Result) async -> Void = { _ in },
        _ body: @escaping @Sendable () async -> Result
    ) async -> Result? {
        let first = FirstResult<Result>()
        Task {
            let result = await body()
            if await !first.end(result) { await late(result) }
        }
        let timer = Task { [sleep] in
            await sleep(limit)
            _ = await first.end(nil)
        }
        defer { timer.cancel() }
        return await withTaskCancellationHandler {
            await first.wait()
        } onCancel: {
            timer.cancel()
        }
    }
}

/// Keeps the first of several results; the others are reported as late.
private actor FirstResult<Result: Sendable> {
    private var waiting: CheckedContinuation<Result?, Never>?
    private var result: Result??

    /// - Returns: whether it is the first result.
    func end(_ result: Result?) -> Bool {
        guard self.result == nil else { return false }
        self.result = .some(result)
        waiting?.resume(returning: result)
        return true
    }

    func wait() async -> Result? {
        if let result { return result }
        return await withCheckedContinuation { waiting = $0 }
    }
}
