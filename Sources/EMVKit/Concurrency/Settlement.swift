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
///     try await settlement.acknowledge(settled.key)
/// }
/// let running = Task { await settlement.run() }
/// ```
public actor Settlement {
    private let journal: any Journal
    private let authorizer: any Authorizer
    private let policy: SettlementPolicy
    private let timer: any Clock<Duration>
    private nonisolated let hub = EventHub<SettlementEvent>()

    /// What was begun last: one payment is worked on at a time.
    private var last: Task<Void, Never>?
    /// Failures in a row, by key.
    private var failures: [ReconciliationKey: Int] = [:]
    /// Until the next try.
    private var waiting: [ReconciliationKey: Duration] = [:]
    /// The host has these and decides later.
    private var undecided: Set<ReconciliationKey> = []
    private var hasWarned = false

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
    ///
    /// - Returns: what the app has not acknowledged, in order of beginning; told again until it does.
    public func recover() async throws(JournalError) -> [Settled] {
        var told: [ReconciliationKey: Settled] = [:]
        let open = try await journal.open()
        let now = try await journal.standing().now
        for tap in open where isLeft(tap, now) && !tap.isOwed {
            if let settled = await alone({ await self.settle(tap.key) }) { told[tap.key] = settled }
        }
        for tap in try await journal.open() where tap.isToTell || tap.isUnresolved && isLeft(tap, now) {
            told[tap.key] = Settled(tap)
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

    /// The app has stored the result.
    ///
    /// - Parameter receipt: to be printed again later.
    public func acknowledge(_ key: ReconciliationKey, receipt: Receipt? = nil) async throws(JournalError) {
        guard let tap = try await journal.tap(key) else { throw .unknownKey(key) }
        if tap.state == .closed { return }
        var events: [JournalEvent] = receipt.map { [.receipted($0)] } ?? []
        switch tap.state {
        // Nothing was sent.
        case .began, .read: events = Settlement.closing(tap)
        default:
            if !tap.isAcknowledged { events.append(.acknowledged) }
            if isOver(tap) { events += Settlement.closing(tap) }
        }
        guard !events.isEmpty else { return }
        try await journal.write(events, to: key)
    }

    /// How a payment stands; `nil` while it goes on, and for a key that is not known.
    public func settled(_ key: ReconciliationKey) async throws(JournalError) -> Settled? {
        try await journal.tap(key).flatMap { Settled($0) }
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
        try await journal.write([.began(intent), .queued(followUp.kind)], to: followUp.key)
    }

    /// Takes back a payment that waits for the host: as if it had never been where it was not sent yet, else by a
    /// reversal. Returns once that is journalled.
    public func withdraw(_ key: ReconciliationKey) async throws(JournalError) {
        let error = await alone { await self.withdrawn(key) }
        if let error { throw error }
    }

    /// A person gives a payment up that the host does not settle.
    public func writeOff(_ key: ReconciliationKey, by person: Operator, reason: String) async throws(JournalError) {
        let name = "\(person.role.rawValue) \(person.id)"
        try await journal.write([.writtenOff(by: name, reason: reason)], to: key)
        await tell(key)
    }

    // MARK: - Another device

    /// What only a host can settle, each payment with all of its events, for another device or the payment service to
    /// settle too: whoever comes second repeats. Nothing leaves this journal; before it is handed over, a payment is
    /// marked as one that may have reached the host, so that from then on it is reversed rather than withdrawn.
    public func handOver() async throws(JournalError) -> [[JournalEntry]] {
        let now = try await journal.standing().now
        for tap in try await journal.open() where isLeft(tap, now) || tap.state == .queued {
            switch tap.state {
            case .queued: try await journal.write([.forwarding(attempt: tap.deliveries + 1)], to: tap.key)
            case .asking: try await journal.write([.reversing(.answerLost)], to: tap.key)
            case .challenged: try await journal.write([.reversing(.pinMissing)], to: tap.key)
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
                try await journal.write(entries.map(\.event), to: key)
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
    private func alone<Value: Sendable>(_ work: @escaping @Sendable () async -> Value) async -> Value {
        let before = last
        let task = Task {
            await before?.value
            return await work()
        }
        last = Task { _ = await task.value }
        return await task.value
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
                for tap in open where isUncaptured(tap, now, open) { await reverseUncaptured(tap.key) }
                for tap in open where isRemembered(tap, now) { try await forget(tap) }
                // A process that ended just before.
                for tap in open where tap.isAcknowledged && isOver(tap) { try await closeOver(tap.key) }
            }
            await forward(open.filter { $0.state == .queued || $0.state == .forwarding })
            await warn()
            try await journal.maintain()
        } catch {
            hub.publish(.journalFailed(error))
        }
    }

    private func settleAlone(_ key: ReconciliationKey) async {
        _ = await alone { await self.settle(key) }
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
        guard let tap = try? await journal.tap(key), let settled = Settled(tap) else { return }
        hub.publish(.settled(settled))
    }

    // MARK: - Abandoned payments

    /// A reader of this process still works on what is not left. Reversals are taken up where a reader gives them up;
    /// twice at once does no harm.
    private func isLeft(_ tap: JournaledTap, _ now: JournalMoment?) -> Bool {
        switch tap.state {
        case .reversing: true
        case .began, .read, .challenged: tap.changed.run != now?.run
        case .asking:
            tap.changed.run != now?.run
                || (now?.age(of: tap.changed) ?? .zero) > (tap.deadline ?? .zero) * 2 + .seconds(600)
        case .approved, .declined, .reversed, .queued, .forwarding, .setAside, .withdrawn, .writtenOff, .closed: false
        }
    }

    /// An estimate without a follow-up.
    private func isUncaptured(_ tap: JournaledTap, _ now: JournalMoment, _ open: [JournaledTap]) -> Bool {
        guard let limit = policy.captureWithin, let decided = tap.decided, tap.state == .approved,
            tap.intent.isEstimated, tap.intent.followUp == nil, now.age(of: decided) >= limit
        else { return false }
        return !open.contains { $0.intent.followUp?.original == tap.key }
    }

    private func reverseUncaptured(_ key: ReconciliationKey) async {
        await alone {
            do throws(JournalError) {
                guard let tap = try await self.journal.tap(key), tap.state == .approved else { return }
                try await self.reverse(tap, .notCaptured)
                await self.tell(key)
            } catch {
                self.hub.publish(.journalFailed(error))
            }
        }
    }

    /// The account of a deferred payment, for long enough after the host has decided.
    private func isRemembered(_ tap: JournaledTap, _ now: JournalMoment) -> Bool {
        guard tap.read?.fingerprint != nil, tap.state == .approved || tap.state == .declined,
            let decided = tap.decided
        else { return false }
        return now.age(of: decided) >= policy.fingerprintsKept
    }

    private func forget(_ tap: JournaledTap) async throws(JournalError) {
        try await journal.write([.erased(.fingerprint)], to: tap.key)
        try await closeOver(tap.key)
    }

    /// The app may have closed it by now.
    private func closeOver(_ key: ReconciliationKey) async throws(JournalError) {
        guard let tap = try await journal.tap(key), tap.isAcknowledged, isOver(tap) else { return }
        try await journal.write(Settlement.closing(tap), to: key)
    }

    /// - Returns: what it came to, if that is new.
    private func settle(_ key: ReconciliationKey) async -> Settled? {
        do throws(JournalError) {
            guard let tap = try await journal.tap(key) else { return nil }
            switch tap.state {
            case .began, .read: try await journal.write(Settlement.closing(tap), to: key)
            case .asking: try await resolve(tap)
            case .challenged: try await reverse(tap, .pinMissing)
            case .reversing: try await reverse(tap, tap.reversalReason ?? .answerLost)
            case .approved, .declined, .reversed, .queued, .forwarding, .setAside, .withdrawn, .writtenOff, .closed:
                return nil
            }
            guard let settled = try await journal.tap(key).flatMap({ Settled($0) }) else { return nil }
            if settled.ending != .unknown { hub.publish(.settled(settled)) }
            return settled
        } catch {
            hub.publish(.journalFailed(error))
            return nil
        }
    }

    /// A request whose answer nobody has. That a host has not seen it is no safety: it may be late.
    private func resolve(_ tap: JournaledTap) async throws(JournalError) {
        let authorizer = authorizer, key = tap.key
        let answer = await race(policy.deadline, by: timer) { try? await authorizer.status(of: key) }
        guard case .value(let status?) = answer else { return try await reverse(tap, .answerLost) }
        switch status {
        case .approved(let approval) where policy.keepsApprovals:
            try await journal.write([.answered(.approved(approval)), .erased(.account)], to: key)
        case .declined(let decline):
            try await journal.write([.answered(.declined(decline)), .erased(.account)], to: key)
        case .reversed:
            try await journal.write([.reversing(.answerLost), .reversed, .erased(.account)], to: key)
        case .approved, .neverSeen, .inProgress, .unsupported: try await reverse(tap, .answerLost)
        }
    }

    private func reverse(_ tap: JournaledTap, _ reason: Reversal.Reason) async throws(JournalError) {
        if tap.state != .reversing { try await journal.write([.reversing(reason)], to: tap.key) }
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
        guard case .value(true) = answer else { return failed(tap.key) }
        succeeded(tap.key)
        try await journal.write([.reversed] + Settlement.closing(tap).dropFirst(), to: tap.key)
    }

    private func failed(_ key: ReconciliationKey, wait: Duration? = nil) {
        let count = failures[key, default: 0] + 1
        failures[key] = count
        waiting[key] = wait ?? policy.pause(after: count)
        if count == policy.attemptsUntilTold { hub.publish(.unresolved(key, attempts: count)) }
    }

    private func succeeded(_ key: ReconciliationKey) {
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
    private func forward(_ owed: [JournaledTap]) async {
        var held: Set<Fingerprint> = [], failed = 0
        for tap in Settlement.inOrder(owed) {
            if let card = tap.read?.fingerprint, held.contains(card) { continue }
            if waiting[tap.key] == nil {
                let isDone = await alone { await self.deliver(tap.key) }
                failed = isDone ? 0 : failed + 1
                if failed == 3 { return }
            }
            if waiting[tap.key] != nil, let card = tap.read?.fingerprint { held.insert(card) }
        }
    }

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

    /// - Returns: the host was there.
    private func deliver(_ key: ReconciliationKey) async -> Bool {
        do throws(JournalError) {
            guard let tap = try await journal.tap(key), tap.state == .queued || tap.state == .forwarding else {
                return true
            }
            if undecided.contains(key), let isDone = try await decided(tap) { return isDone }
            let attempt = tap.deliveries + 1
            guard let record = tap.record(attempt: attempt) else { return true }
            try await journal.write([.forwarding(attempt: attempt)], to: key)
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
        let authorizer = authorizer, key = tap.key
        let answer = await race(policy.deadline, by: timer) { try? await authorizer.status(of: key) }
        guard case .value(let status?) = answer else {
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

    private func take(_ delivery: Delivery, of tap: JournaledTap) async throws(JournalError) {
        let key = tap.key
        switch delivery {
        case .accepted(let approval): try await end(tap, .forwarded(.approved(approval)))
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
                return try await end(tap, .setAside("refused" + (decline.responseCode.map { ", \($0)" } ?? "")))
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
        try await journal.write(events, to: tap.key)
        try await closeOver(tap.key)
        await tell(tap.key)
        guard case .forwarded(.approved) = event, let followUp = tap.intent.followUp else { return }
        try await closeOriginal(followUp)
    }

    /// An estimate is over once it is captured, or taken back.
    private func closeOriginal(_ followUp: FollowUp) async throws(JournalError) {
        guard followUp.kind == .capture || followUp.kind == .void,
            let original = try await journal.tap(followUp.original), original.state == .approved,
            original.isAcknowledged, original.intent.isEstimated
        else { return }
        try await journal.write([.closed], to: original.key)
    }

    /// No number of a host's message can be that of an account.
    private static func cleaned(_ text: String) -> String {
        var shown = "", digits = 0
        for character in text.prefix(128) {
            digits = character.isNumber ? digits + 1 : 0
            shown.append(digits > 6 ? "*" : character)
        }
        return shown
    }

    private func withdrawn(_ key: ReconciliationKey) async -> JournalError? {
        do throws(JournalError) {
            guard let tap = try await journal.tap(key) else { throw .unknownKey(key) }
            switch tap.state {
            case .queued where tap.queuedAs != .offlineApproval:
                try await journal.write([.withdrawn] + (tap.read == nil ? [] : [.erased(.account)]), to: key)
            case .forwarding, .approved: try await reverse(tap, .withdrawn)
            default: throw .outOfOrder(tap.state)
            }
            await tell(key)
            return nil
        } catch {
            return error
        }
    }
}
