// SPDX-License-Identifier: Apache-2.0
/// How a ``Settlement`` works.
public struct SettlementPolicy: Sendable, Hashable {
    /// An approval whose answer was lost is kept where the host tells of it; otherwise it is reversed, since nobody
    /// gave anything for it.
    public var keepsApprovals: Bool
    /// After the first failure; doubled with each that follows.
    public var firstPause: Duration
    public var longestPause: Duration
    /// How far a pause may differ, as a part of it: 0 to 1.
    public var jitter: Double
    /// Failures after which ``SettlementEvent/unresolved(_:attempts:)`` tells a person; reversing goes on.
    public var attemptsUntilTold: Int
    /// How long one call of the authoriser may take.
    public var deadline: Duration
    /// How often the journal is looked at while nothing waits.
    public var interval: Duration
    /// An estimate of which nothing was captured for so long is reversed; `nil`: never.
    public var captureWithin: Duration?
    /// Age of the oldest waiting record from which ``SettlementEvent/ageing(_:)`` warns.
    public var warning: Duration
    /// How long it is remembered which account a deferred payment was of, after the host has decided.
    public var fingerprintsKept: Duration

    public init(
        keepsApprovals: Bool = false, firstPause: Duration = .seconds(1), longestPause: Duration = .seconds(900),
        jitter: Double = 0.2, attemptsUntilTold: Int = 6, deadline: Duration = .seconds(30),
        interval: Duration = .seconds(5), captureWithin: Duration? = nil, warning: Duration = .seconds(72_000),
        fingerprintsKept: Duration = .seconds(86_400)
    ) {
        self.keepsApprovals = keepsApprovals
        self.firstPause = firstPause
        self.longestPause = longestPause
        self.jitter = jitter
        self.attemptsUntilTold = attemptsUntilTold
        self.deadline = deadline
        self.interval = interval
        self.captureWithin = captureWithin
        self.warning = warning
        self.fingerprintsKept = fingerprintsKept
    }

    /// - Parameter failures: in a row; at least 1.
    func pause(after failures: Int) -> Duration {
        var pause = firstPause
        for _ in 1..<max(2, failures) where failures > 1 && pause < longestPause { pause *= 2 }
        let spread = jitter > 0 ? Double.random(in: -jitter...jitter) : 0
        return min(pause, longestPause) * (1 + spread)
    }
}

public enum SettlementEvent: Sendable, Hashable {
    /// A payment came to an end, or to another one.
    case settled(Settled)
    /// So many reversals, or deliveries, have failed; a person should know.
    case unresolved(ReconciliationKey, attempts: Int)
    /// The oldest record has been waiting for so long.
    case ageing(Duration)
    /// The journal could not be read or written.
    case journalFailed(JournalError)
}

/// Settles what is open in a journal: asks the host by key, reverses until that is confirmed, and tells it what it is
/// owed. It needs no card, no reader and no data of the app. One for each journal is enough.
///
/// ```swift
/// let settlement = Settlement(journal, with: authorizer)
/// for settled in try await settlement.recover() {
///     store(settled)
///     try await settlement.acknowledge(settled)
/// }
/// let running = Task { await settlement.run() }
/// ```
public actor Settlement {
    private let journal: any Journal
    private let authorizer: any Authorizer
    private let policy: SettlementPolicy
    private let timer: any Clock<Duration>
    private nonisolated let hub = EventHub<SettlementEvent>()

    /// One payment is worked on at a time, its host included.
    private var work = Turn()
    /// What is decided by what a journal says is written before another decision is taken.
    private var decision = Turn()
    /// Failures in a row, by key.
    private var failures: [ReconciliationKey: Int] = [:]
    /// Until the next try.
    private var waiting: [ReconciliationKey: Duration] = [:]
    /// The host has these and decides later.
    private var undecided: Set<ReconciliationKey> = []
    /// Calls of the authoriser in a row that came to nothing.
    private var silence = 0
    private var hasWarned = false
    /// Estimates were looked through for one that was captured and is still open.
    private var hasSoughtCaptured = false

    public init(
        _ journal: any Journal, with authorizer: any Authorizer, policy: SettlementPolicy = SettlementPolicy(),
        timer: any Clock<Duration> = ContinuousClock()
    ) {
        self.journal = journal
        self.authorizer = authorizer
        self.policy = policy
        self.timer = timer
    }

    deinit { hub.finish() }

    /// What happens from now on. Any number may listen.
    public nonisolated func events() -> AsyncStream<SettlementEvent> { hub.subscribe() }

    // MARK: - What an app calls

    /// After a start, before the first payment: whatever an earlier process left open is settled, or is in the queue.
    /// A host that fails three times in a row counts as not there, so that nobody waits for each payment: the rest is
    /// told as unknown, and ``run()`` goes on with it.
    ///
    /// - Returns: what the app has not acknowledged, in order of beginning; told again until it does.
    public func recover() async throws(JournalError) -> [Settled] {
        var told: [ReconciliationKey: Settled] = [:]
        let open = try await journal.open()
        let now = try await journal.standing().now
        silence = 0
        for tap in open where isLeft(tap, now) && !tap.isOwed {
            if silence >= Settlement.silenceOfAbsence, tap.isUnresolved { continue }
            if let settled = await alone({ await self.settle(tap.key) }) { told[tap.key] = settled }
        }
        for tap in try await journal.open() where tap.isToTell || tap.isUnresolved && isLeft(tap, now) {
            told[tap.key] = try await journal.settled(tap)
        }
        return open.compactMap { told[$0.key] }
    }

    /// Settles and forwards until its task is cancelled.
    public func run() async {
        while !Task.isCancelled {
            await pass()
            let pause = min(waiting.values.min() ?? policy.interval, policy.interval)
            do { try await timer.sleep(for: max(pause, .milliseconds(1))) } catch { return }
            for (key, rest) in waiting { waiting[key] = rest > pause ? rest - pause : nil }
        }
    }

    /// Tries everything at once, whatever it waits for.
    public func forwardNow() async -> JournalStanding {
        waiting = [:]
        await pass()
        return (try? await journal.standing()) ?? JournalStanding()
    }

    /// The app has stored what ``recover()``, ``settled(_:)`` or ``SettlementEvent/settled(_:)`` told. What came of the
    /// payment since then is not acknowledged with it: it is told again.
    ///
    /// - Parameter receipt: to be printed again later.
    public func acknowledge(_ settled: Settled, receipt: Receipt? = nil) async throws(JournalError) {
        try await acknowledge(settled.key, receipt) { Settled.Ending($0) == settled.ending }
    }

    /// The app has stored the result of an authorisation. What came of the payment since then is not acknowledged with
    /// it: it is told again. One that is unknown cannot be acknowledged, only its receipt kept: its end is told.
    ///
    /// - Parameter receipt: to be printed again later.
    public func acknowledge(
        _ key: ReconciliationKey, _ result: AuthorizationResult, receipt: Receipt? = nil
    ) async throws(JournalError) {
        try await acknowledge(key, receipt) { result.isToldBy($0) }
    }

    /// The app has stored the result, as it stands now.
    ///
    /// - Parameter receipt: to be printed again later.
    public func acknowledge(_ key: ReconciliationKey, receipt: Receipt? = nil) async throws(JournalError) {
        try await acknowledge(key, receipt) { _ in true }
    }

    /// - Parameter isKnown: the app has this end of the payment.
    private func acknowledge(
        _ key: ReconciliationKey, _ receipt: Receipt?, isKnown: @escaping @Sendable (JournaledTap) -> Bool
    ) async throws(JournalError) {
        try await decide { () async throws(JournalError) in
            guard let tap = try await self.journal.tap(key) else { throw .unknownKey(key) }
            let events = try await self.acknowledging(tap, receipt, isKnown(tap))
            if !events.isEmpty { try await self.journal.append(events, to: key) }
        }
    }

    private func acknowledging(
        _ tap: JournaledTap, _ receipt: Receipt?, _ isKnown: Bool
    ) async throws(JournalError) -> [JournalEvent] {
        let kept: [JournalEvent] = receipt.map { [.receipted($0)] } ?? []
        switch tap.state {
        case .closed: return []
        // Nothing was sent.
        case .began, .read: return Settlement.closing(tap)
        // Not an end: that is told when it comes.
        case .asking, .challenged, .reversing: return kept
        case .approved, .declined, .reversed, .queued, .forwarding, .setAside, .withdrawn, .writtenOff:
            guard isKnown else { return kept }
            let isLast = isOver(tap) ? true : try await isCaptured(tap)
            return kept + (tap.isAcknowledged ? [] : [.acknowledged]) + (isLast ? Settlement.closing(tap) : [])
        }
    }

    /// How a payment stands; `nil` while it goes on, and for a key that is not known.
    public func settled(_ key: ReconciliationKey) async throws(JournalError) -> Settled? {
        guard let tap = try await journal.tap(key) else { return nil }
        return try await journal.settled(tap)
    }

    /// Journals what follows a payment; ``run()`` and ``forwardNow()`` send it. The same one again changes nothing.
    public func submit(_ followUp: FollowUp, moment: LocalTime = .now()) async throws(JournalError) {
        if let known = try await journal.tap(followUp.key) {
            guard known.intent.followUp == followUp else { throw .keyUsed(followUp.key) }
            return
        }
        guard let original = try await journal.tap(followUp.original) else { throw .unknownKey(followUp.original) }
        let intent = TapIntent(
            sale: original.sale, kind: followUp.kind == .refund ? .refund : original.intent.kind,
            amount: followUp.amount(of: original), counter: 0, moment: moment, followUp: followUp)
        try await journal.append([.began(intent), .queued(followUp.kind)], to: followUp.key)
    }

    /// Takes back a payment that was accepted without the host: as if it had never been where it was not sent yet, else
    /// by a reversal, also after the host has approved it, as long as nothing was refunded. Returns once that is
    /// journalled.
    public func withdraw(_ key: ReconciliationKey) async throws(JournalError) {
        let error = await alone { await self.withdrawn(key) }
        if let error { throw error }
    }

    /// A person gives a payment up that the host does not settle.
    public func writeOff(_ key: ReconciliationKey, by person: Operator, reason: String) async throws(JournalError) {
        let name = "\(person.role.rawValue) \(person.id)"
        // Whoever is telling the host of it comes to an end first.
        let error = await alone { () async -> JournalError? in
            do throws(JournalError) {
                try await self.journal.append([.writtenOff(by: name, reason: reason)], to: key)
                return nil
            } catch {
                return error
            }
        }
        if let error { throw error }
        await tell(key)
    }

    /// Tells the host once more what it could not take, after whatever was wrong has been put right there.
    public func retry(_ key: ReconciliationKey) async throws(JournalError) {
        guard let tap = try await journal.tap(key) else { throw .unknownKey(key) }
        guard tap.state == .setAside else { throw .outOfOrder(tap.state) }
        _ = await alone { await self.deliver(key, isRetry: true) }
    }

    // MARK: - Another device

    /// What only a host can settle, each payment with all of its events, for another device or the payment service to
    /// settle too: whoever comes second repeats. Nothing leaves this journal; before it is handed over, a payment is
    /// marked as one that may have reached the host, so that from then on it is reversed rather than withdrawn.
    public func handOver() async throws(JournalError) -> [[JournalEntry]] {
        // What is under way comes to an end first.
        let result = await alone { () async -> Result<[[JournalEntry]], JournalError> in
            do throws(JournalError) { return .success(try await self.handedOver()) } catch { return .failure(error) }
        }
        return try result.get()
    }

    private func handedOver() async throws(JournalError) -> [[JournalEntry]] {
        let now = try await journal.standing().now
        for tap in try await journal.open() where isLeft(tap, now) || tap.state == .queued {
            switch tap.state {
            case .queued: try await journal.append([.forwarding(attempt: tap.deliveries + 1)], to: tap.key)
            case .asking: try await journal.append([.reversing(.answerLost)], to: tap.key)
            case .challenged: try await journal.append([.reversing(.pinMissing)], to: tap.key)
            default: break
            }
        }
        let keys = try await journal.open().filter { $0.state == .reversing || $0.isOwed }.map(\.key)
        var entries = Dictionary(keys.map { ($0, [JournalEntry]()) }, uniquingKeysWith: { one, _ in one })
        var last: UInt64 = 0
        while !keys.isEmpty {
            let next = try await journal.entries(after: last, limit: 1_000)
            for entry in next { entries[entry.key]?.append(entry) }
            guard let end = next.last, next.count == 1_000 else { break }
            last = end.number
        }
        return keys.compactMap { entries[$0] }
    }

    /// Takes payments over that another journal handed over; the same ones again change nothing. ``run()`` and
    /// ``forwardNow()`` settle them. Their ages begin anew.
    ///
    /// - Throws: what the journal failed of. What was taken over before that stays, and is known when it is tried
    ///   again.
    public func takeOver(_ payments: [[JournalEntry]]) async throws(JournalError) -> TakenOver {
        var result = TakenOver()
        for entries in payments {
            guard let key = entries.first?.key else { continue }
            if let stray = entries.first(where: { $0.key != key }) {
                result.refused[key] = .unreadable("an event of \(stray.key) among those of \(key)")
                continue
            }
            do throws(JournalError) {
                if try await journal.tap(key) != nil { throw .keyUsed(key) }
                // Only what a host is to settle: an approval in a file is no approval here.
                var tap: JournaledTap?
                for entry in entries {
                    var context = JournalRules.Context()
                    context.tap = tap
                    tap = try JournalRules.folded([entry.event], to: key, at: entry.moment, context)
                }
                guard let tap, tap.state == .reversing || tap.isOwed else { throw .outOfOrder(tap?.state ?? .closed) }
                try await journal.append(entries.map(\.event), to: key)
                result.taken.append(key)
            } catch .keyUsed {
                result.known.append(key)
            } catch {
                guard error.isOfPayment else { throw error }
                result.refused[key] = error
            }
        }
        return result
    }

    // MARK: - One at a time

    /// Whoever is cancelled: what is begun is brought to its end.
    private func alone<Value: Sendable>(_ task: @escaping @Sendable () async -> Value) async -> Value {
        await work.take(task).value
    }

    /// Looks, and writes what follows from that, before anything else is decided. Asks no host: an app may wait for it.
    private func decide(
        _ task: @escaping @Sendable () async throws(JournalError) -> Void
    ) async throws(JournalError) {
        let error = await decision.take { () async -> JournalError? in
            do throws(JournalError) {
                try await task()
                return nil
            } catch {
                return error
            }
        }.value
        if let error { throw error }
    }

    /// What came of a payment, between an app's acknowledgements.
    private func write(_ events: [JournalEvent], to key: ReconciliationKey) async throws(JournalError) {
        try await decide { () async throws(JournalError) in try await self.journal.append(events, to: key) }
    }

    /// Everything that is due, each once.
    private func pass() async {
        do throws(JournalError) {
            let open = try await journal.open()
            let standing = try await journal.standing()
            for tap in open where !tap.isOwed && isLeft(tap, standing.now) && waiting[tap.key] == nil {
                await settleAlone(tap.key)
            }
            if let now = standing.now {
                for tap in open where isUncaptured(tap, now) { await reverseUncaptured(tap.key) }
                for tap in open where isRemembered(tap, now) {
                    try await unlessChanged { () async throws(JournalError) in
                        try await self.journal.append([.erased(.fingerprint)], to: tap.key)
                    }
                    try await closeOver(tap.key)
                }
                // A process that ended just before.
                for tap in open where tap.isAcknowledged && isOver(tap) { try await closeOver(tap.key) }
                try await closeCaptured(open)
            }
            await forward(open)
            await warn()
            try await journal.maintain()
        } catch {
            hub.publish(.journalFailed(error))
        }
    }

    private func settleAlone(_ key: ReconciliationKey) async {
        _ = await alone { await self.settle(key) }
    }

    /// A payment that somebody brings further at this very moment holds up nobody else.
    private func unlessChanged(
        _ work: @escaping @Sendable () async throws(JournalError) -> Void
    ) async throws(JournalError) {
        do throws(JournalError) {
            try await decide(work)
        } catch {
            guard error.isOfPayment else { throw error }
        }
    }

    private func warn() async {
        guard let oldest = try? await journal.standing().oldest, oldest >= policy.warning else {
            hasWarned = false
            return
        }
        if !hasWarned { hub.publish(.ageing(oldest)) }
        hasWarned = true
    }

    private func tell(_ key: ReconciliationKey) async {
        guard let settled = try? await settled(key) else { return }
        hub.publish(.settled(settled))
    }

    // MARK: - Abandoned payments

    /// A reader of this process still works on what is not left. Reversals are taken up where a reader gives them up;
    /// twice at once does no harm.
    private func isLeft(_ tap: JournaledTap, _ now: JournalMoment?) -> Bool {
        switch tap.state {
        case .reversing: true
        case .began: tap.changed.run != now?.run
        // A reader that is gone leaves these.
        case .read: tap.changed.run != now?.run || (now?.age(of: tap.changed) ?? .zero) > .seconds(3_600)
        case .asking, .challenged:
            tap.changed.run != now?.run
                || (now?.age(of: tap.changed) ?? .zero) > (tap.deadline ?? .zero) * 2 + .seconds(600)
        case .approved, .declined, .reversed, .queued, .forwarding, .setAside, .withdrawn, .writtenOff, .closed: false
        }
    }

    /// An estimate that is due. What follows it decides.
    private func isUncaptured(_ tap: JournaledTap, _ now: JournalMoment) -> Bool {
        guard let limit = policy.captureWithin, let decided = tap.decided, tap.state == .approved,
            tap.intent.isEstimated, tap.intent.followUp == nil
        else { return false }
        return now.age(of: decided) >= limit
    }

    /// The journal refuses it where the estimate was captured, or is about to be.
    private func reverseUncaptured(_ key: ReconciliationKey) async {
        await alone {
            do throws(JournalError) {
                guard let tap = try await self.journal.tap(key), tap.state == .approved,
                    try await !self.journal.followUps(of: key).contains(where: \.keepsOriginal)
                else { return }
                try await self.reverse(tap, .notCaptured)
                await self.tell(key)
            } catch .followUpRefused {
            } catch {
                self.hub.publish(.journalFailed(error))
            }
        }
    }

    /// An estimate is over once it is captured, or taken back.
    private func isCaptured(_ tap: JournaledTap) async throws(JournalError) -> Bool {
        guard tap.state == .approved, tap.intent.isEstimated, tap.intent.followUp == nil else { return false }
        return try await journal.followUps(of: tap.key).contains(where: \.endsOriginal)
    }

    /// Where a process ended, or a write failed, between the capture and the end of its estimate.
    private func closeCaptured(_ open: [JournaledTap]) async throws(JournalError) {
        guard !hasSoughtCaptured else { return }
        for tap in open where tap.isAcknowledged { try await closeCaptured(tap.key) }
        hasSoughtCaptured = true
    }

    private func closeCaptured(_ key: ReconciliationKey) async throws(JournalError) {
        try await decide { () async throws(JournalError) in
            guard let tap = try await self.journal.tap(key), tap.isAcknowledged, try await self.isCaptured(tap)
            else { return }
            try await self.journal.append(Settlement.closing(tap), to: key)
        }
    }

    /// The account of a deferred payment, for long enough after the host has decided.
    private func isRemembered(_ tap: JournaledTap, _ now: JournalMoment) -> Bool {
        guard tap.read?.fingerprint != nil, tap.state == .approved || tap.state == .declined,
            let decided = tap.decided
        else { return false }
        return now.age(of: decided) >= policy.fingerprintsKept
    }

    /// The app may have closed it by now.
    private func closeOver(_ key: ReconciliationKey) async throws(JournalError) {
        try await unlessChanged { () async throws(JournalError) in
            guard let tap = try await self.journal.tap(key), tap.isAcknowledged, await self.isOver(tap) else { return }
            try await self.journal.append(Settlement.closing(tap), to: key)
        }
    }

    /// - Returns: what it came to, if that is new.
    private func settle(_ key: ReconciliationKey) async -> Settled? {
        do throws(JournalError) {
            guard let tap = try await journal.tap(key) else { return nil }
            switch tap.state {
            case .began, .read: try await write(Settlement.closing(tap), to: key)
            case .asking: try await resolve(tap)
            case .challenged: try await reverse(tap, .pinMissing)
            case .reversing: try await reverse(tap, tap.reversalReason ?? .answerLost)
            case .approved, .declined, .reversed, .queued, .forwarding, .setAside, .withdrawn, .writtenOff, .closed:
                return nil
            }
            guard let settled = try await settled(key) else { return nil }
            if settled.ending != .unknown { hub.publish(.settled(settled)) }
            return settled
        } catch {
            hub.publish(.journalFailed(error))
            return nil
        }
    }

    /// A request whose answer nobody has. That a host has not seen it is no safety: it may be late.
    private func resolve(_ tap: JournaledTap) async throws(JournalError) {
        guard let status = await status(of: tap.key) else { return try await reverse(tap, .answerLost) }
        let key = tap.key
        switch status {
        // Nobody is there to say whether a part is enough.
        case .approved(let approval) where policy.keepsApprovals && approval.isOf(tap.amount):
            try await write([.answered(.approved(approval)), .erased(.account)], to: key)
        case .declined(let decline):
            try await write([.answered(.declined(decline)), .erased(.account)], to: key)
        case .reversed:
            try await write([.reversing(.answerLost), .reversed, .erased(.account)], to: key)
        case .approved, .neverSeen, .inProgress, .unsupported: try await reverse(tap, .answerLost)
        }
    }

    private func reverse(_ tap: JournaledTap, _ reason: Reversal.Reason) async throws(JournalError) {
        if tap.state != .reversing { try await write([.reversing(reason)], to: tap.key) }
        let attempt = failures[tap.key, default: tap.state == .reversing ? 1 : 0] + 1
        let reversal = Reversal(
            key: tap.key, reason: reason, amount: tap.amount, moment: tap.intent.moment, attempt: attempt,
            read: tap.read)
        let authorizer = authorizer
        let answer = await race(policy.deadline, by: timer) {
            do {
                try await authorizer.reverse(reversal)
                return true
            } catch {
                return false
            }
        }
        guard case .value(true) = answer else {
            silence += 1
            return failed(tap.key)
        }
        succeeded(tap.key)
        try await write([.reversed] + Settlement.closing(tap).dropFirst(), to: tap.key)
    }

    private func failed(_ key: ReconciliationKey, wait: Duration? = nil) {
        let count = failures[key, default: 0] + 1
        failures[key] = count
        // A host that always says "at once" is not asked without end.
        waiting[key] = wait.map { max($0, policy.firstPause) } ?? policy.pause(after: count)
        if count == policy.attemptsUntilTold { hub.publish(.unresolved(key, attempts: count)) }
    }

    private func succeeded(_ key: ReconciliationKey) {
        silence = 0
        failures[key] = nil
        waiting[key] = nil
        undecided.remove(key)
    }

    /// Nothing follows, and nothing of the account is needed any more.
    private static func closing(_ tap: JournaledTap) -> [JournalEvent] {
        let hasAccount = tap.read?.payload != nil || tap.read?.fingerprint != nil
        return hasAccount ? [.closed, .erased(.account)] : [.closed]
    }

    /// Nothing follows once the app has it.
    private func isOver(_ tap: JournaledTap) -> Bool {
        switch tap.state {
        case .approved: !tap.intent.isEstimated && tap.read?.fingerprint == nil
        case .declined, .reversed: tap.read?.fingerprint == nil
        case .withdrawn, .writtenOff: true
        default: false
        }
    }

    // MARK: - What the host is owed

    /// By acceptance, and of one card by its counter. What fails or waits holds back later ones of its card alone.
    /// After three failures in a row the host counts as not there.
    private func forward(_ open: [JournaledTap]) async {
        let owed = open.filter { $0.state == .queued || $0.state == .forwarding }
        var held: Set<Fingerprint> = [], failed = 0
        // What follows a payment follows in order: a refund never comes before the capture that it takes back.
        var heldOriginals = Set(open.filter { $0.state == .setAside }.compactMap { $0.intent.followUp?.original })
        for tap in Settlement.inOrder(owed) {
            let card = tap.read?.fingerprint, original = tap.intent.followUp?.original
            if let card, held.contains(card) { continue }
            if let original, heldOriginals.contains(original) { continue }
            if waiting[tap.key] == nil {
                let isDone = await alone { await self.deliver(tap.key) }
                failed = isDone ? 0 : failed + 1
                if failed == Settlement.silenceOfAbsence { return }
            }
            let isHeld = waiting[tap.key] != nil
            if isHeld, let card { held.insert(card) }
            if let original {
                let isSetAside = try? await journal.tap(tap.key)?.state == .setAside
                if isHeld || isSetAside != false { heldOriginals.insert(original) }
            }
        }
    }

    /// Calls in a row that come to nothing, after which the host counts as not there.
    private static let silenceOfAbsence = 3

    static func inOrder(_ owed: [JournaledTap]) -> [JournaledTap] {
        var ordered = owed.sorted { ($0.queuedAt?.elapsed ?? 0) < ($1.queuedAt?.elapsed ?? 0) }
        let places = Dictionary(grouping: ordered.indices) { ordered[$0].read?.fingerprint }
        for (card, places) in places where card != nil {
            let taps = places.map { ordered[$0] }.sorted {
                ($0.read?.transactionCounter ?? 0) < ($1.read?.transactionCounter ?? 0)
            }
            for (place, tap) in zip(places, taps) { ordered[place] = tap }
        }
        return ordered
    }

    /// - Parameter isRetry: also what the host could not take.
    /// - Returns: the host was there.
    private func deliver(_ key: ReconciliationKey, isRetry: Bool = false) async -> Bool {
        do throws(JournalError) {
            guard let tap = try await journal.tap(key),
                tap.state == .queued || tap.state == .forwarding || isRetry && tap.state == .setAside
            else { return true }
            if try await isBeyondCaptures(tap) {
                try await write([.forwarding(attempt: tap.deliveries + 1)], to: key)
                try await end(tap, .setAside("more than was captured"))
                return true
            }
            if undecided.contains(key), let isDone = try await decided(tap) { return isDone }
            let attempt = tap.deliveries + 1
            guard let record = tap.record(attempt: attempt) else { return true }
            try await write([.forwarding(attempt: attempt)], to: key)
            let authorizer = authorizer
            guard tap.read?.isSimulated != true || authorizer.acceptsSimulatedReads else {
                try await end(tap, .setAside("simulated card"))
                return true
            }
            let answer = await race(policy.deadline, by: timer) { try? await authorizer.deliver(record) }
            guard case .value(let delivery?) = answer else {
                failed(key)
                return false
            }
            try await take(delivery, of: tap)
            return true
        } catch {
            hub.publish(.journalFailed(error))
            failed(key)
            return true
        }
    }

    /// A host that has a record without having decided is asked before it is told again.
    private func decided(_ tap: JournaledTap) async throws(JournalError) -> Bool? {
        let key = tap.key
        guard let status = await status(of: key) else {
            failed(key)
            return false
        }
        switch status {
        case .approved(let approval): try await take(.accepted(approval), of: tap)
        case .declined(let decline): try await take(.refused(decline), of: tap)
        case .inProgress: failed(key)
        case .neverSeen, .reversed, .unsupported:
            undecided.remove(key)
            return nil
        }
        return true
    }

    private func status(of key: ReconciliationKey) async -> HostStatus? {
        let authorizer = authorizer
        let answer = await race(policy.deadline, by: timer) { try? await authorizer.status(of: key) }
        guard case .value(let status?) = answer else {
            silence += 1
            return nil
        }
        silence = 0
        return status
    }

    /// A refund of an estimate of which the host has not taken so much: a capture that it refused after the refund was
    /// written down.
    private func isBeyondCaptures(_ tap: JournaledTap) async throws(JournalError) -> Bool {
        guard case .refund(let amount)? = tap.intent.followUp?.action,
            let key = tap.intent.followUp?.original, let original = try await journal.tap(key),
            original.intent.isEstimated
        else { return false }
        let others = try await journal.followUps(of: key).filter { $0.key != tap.key && $0.isAccepted }
        let sums = FollowUp.Sums(original, others)
        return sums.refusal(of: FollowUp(.refund(amount), of: key, key: tap.key), allowedTip: 0) != nil
    }

    private func take(_ delivery: Delivery, of tap: JournaledTap) async throws(JournalError) {
        let key = tap.key
        switch delivery {
        case .accepted(let approval):
            if let part = approval.approvedAmount, !approval.isWithin(tap.amount) {
                return try await end(tap, .setAside("approved: \(part)"))
            }
            try await end(tap, .forwarded(.approved(approval)))
        case .expired:
            guard tap.queuedAs != .offlineApproval else { return try await end(tap, .setAside("expired")) }
            try await end(tap, .forwarded(.declined(Decline(reason: .expired))))
        case .received:
            guard tap.queuedAs != .deferredAuthorization else {
                undecided.insert(key)
                return failed(key)
            }
            let code = tap.queuedAs == .offlineApproval ? tap.offlineResponse : "00"
            let origin: Approval.Origin = tap.queuedAs == .offlineApproval ? .card : .issuer
            try await end(tap, .forwarded(.approved(Approval(origin: origin, responseCode: code))))
        case .refused(let decline):
            // What the card approved was given away: a person has to look at it.
            guard tap.queuedAs != .offlineApproval else {
                let code = decline.responseCode.map { ", " + Settlement.cleaned($0) } ?? ""
                return try await end(tap, .setAside("refused" + code))
            }
            try await end(tap, .forwarded(.declined(decline)))
        case .retryLater(let after): failed(key, wait: after)
        case .malformed(let reason): try await end(tap, .setAside(Settlement.cleaned(reason)))
        }
    }

    /// Also of a payment whose account the host needs no more.
    private func end(_ tap: JournaledTap, _ event: JournalEvent) async throws(JournalError) {
        succeeded(tap.key)
        var events = [event]
        if event.name == .forwarded, tap.read != nil {
            events.append(.erased(tap.queuedAs == .deferredAuthorization ? .payload : .account))
        }
        try await write(events, to: tap.key)
        try await closeOver(tap.key)
        await tell(tap.key)
        guard case .forwarded(.approved) = event, let followUp = tap.intent.followUp else { return }
        // Sought again where this fails.
        hasSoughtCaptured = false
        try await closeCaptured(followUp.original)
        hasSoughtCaptured = true
    }

    /// No number of a host's message can be that of an account, in groups neither: only letters end one.
    private static func cleaned(_ text: String) -> String {
        var shown = "", digits = 0
        for character in text.prefix(128) {
            if character.isLetter { digits = 0 }
            if character.isNumber { digits += 1 }
            shown.append(character.isNumber && digits > 6 ? "*" : character)
        }
        return shown
    }

    private func withdrawn(_ key: ReconciliationKey) async -> JournalError? {
        do throws(JournalError) {
            guard let tap = try await journal.tap(key) else { throw .unknownKey(key) }
            switch tap.state {
            case .queued where tap.queuedAs != .offlineApproval:
                try await write([.withdrawn] + (tap.read == nil ? [] : [.erased(.account)]), to: key)
            case .forwarding where tap.queuedAs == .deferredAuthorization: try await reverse(tap, .withdrawn)
            case .approved where tap.queuedAs == .deferredAuthorization:
                guard try await !journal.followUps(of: key).contains(where: \.countsAsPaid) else {
                    throw .followUpRefused(.notPossible, of: key)
                }
                try await reverse(tap, .withdrawn)
            default: throw .outOfOrder(tap.state)
            }
            await tell(key)
            return nil
        } catch {
            return error
        }
    }
}

/// One after the other, in the order in which they come.
private struct Turn {
    private var last: Task<Void, Never>?

    mutating func take<Value: Sendable>(_ work: @escaping @Sendable () async -> Value) -> Task<Value, Never> {
        let before = last
        let task = Task {
            await before?.value
            return await work()
        }
        last = Task { _ = await task.value }
        return task
    }
}

extension Approval {
    /// Of all that was asked for.
    fileprivate func isOf(_ amount: Money) -> Bool { approvedAmount.map { $0 == amount } ?? true }

    /// Of no more than was asked for, and of something.
    fileprivate func isWithin(_ amount: Money) -> Bool {
        guard let part = approvedAmount else { return true }
        return part.currency == amount.currency && (1...max(1, amount.minorUnits)).contains(part.minorUnits)
    }
}

extension AuthorizationResult {
    /// A payment stands as this says.
    fileprivate func isToldBy(_ tap: JournaledTap) -> Bool {
        switch (ending, Settled.Ending(tap)) {
        case (.approved, .approved?), (.declined, .declined?), (.accepted, .accepted?): true
        case (.failed, .notCompleted?), (.failed, .declined?), (.reversed, .notCompleted?), (.reversed, .declined?):
            true
        default: false
        }
    }
}
