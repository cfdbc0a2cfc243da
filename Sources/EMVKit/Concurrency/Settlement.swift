// SPDX-License-Identifier: Apache-2.0
/// Settles the open payments of a journal: it asks the host by key, repeats reversals until they are confirmed, and
/// delivers the records that the host is owed. It needs no card, no reader and no data of the app. One settlement per
/// journal is enough.
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
    private let authorizer: any DeliveringAuthorizer
    private let deadline: Duration
    private let timer: any Clock<Duration>
    private nonisolated let hub = EventHub<SettlementEvent, SettlementEvent>()

    /// Serialises the work: one payment at a time, its host calls included.
    private var work = Turn()
    /// Serialises decisions: a decision made from the journal's state is written before the next one is made.
    private var decision = Turn()
    private var machine: SettlementStateMachine

    public init(
        _ journal: any Journal, with authorizer: any DeliveringAuthorizer,
        policy: SettlementPolicy = SettlementPolicy(),
        timer: any Clock<Duration> = ContinuousClock()
    ) {
        self.journal = journal
        self.authorizer = authorizer
        self.timer = timer
        deadline = policy.deadline
        machine = SettlementStateMachine(policy)
    }

    deinit { hub.finish() }

    /// Returns the events from now on, for any number of listeners.
    public nonisolated func events() -> AsyncStream<SettlementEvent> { hub.subscribe() }

    // MARK: - Calls of the app

    /// Settles the payments that an earlier process left open, or queues them. Call it after a start, before the first
    /// payment. If the host fails three times in a row it counts as absent, so that nobody waits for each payment: the
    /// rest is reported as unknown, and ``run()`` continues with it.
    ///
    /// - Returns: the results that the app has not acknowledged, in the order in which the payments began; they are
    ///   returned again until it acknowledges them.
    public func recover() async throws(JournalError) -> [Settled] {
        var told: [ReconciliationKey: Settled] = [:]
        let open = try await journal.open()
        let now = try await journal.standing().now
        machine.schedule.recoveryBegan()
        for tap in open where machine.schedule.isRecovered(tap, now) {
            if case .settled(let settled?) = await carryOut(.settle(tap.key)) { told[tap.key] = settled }
        }
        for tap in try await journal.open()
        where tap.isToTell || tap.isUnresolved && machine.schedule.isLeft(tap, now) {
            told[tap.key] = try await journal.settled(tap)
        }
        return open.compactMap { told[$0.key] }
    }

    /// Settles and forwards until its task is cancelled.
    public func run() async {
        while !Task.isCancelled {
            await pass()
            let pause = machine.schedule.pause
            do { try await timer.sleep(for: max(pause, .milliseconds(1))) } catch { return }
            machine.schedule.timePassed(pause)
        }
    }

    /// Tries everything at once, without waiting for the next scheduled attempt.
    public func forwardNow() async -> JournalStanding {
        machine.schedule.hurry()
        await pass()
        return (try? await journal.standing()) ?? JournalStanding()
    }

    /// Records that the app has stored the result that ``recover()``, ``settled(_:)`` or
    /// ``SettlementEvent/settled(_:)`` reported. If the result has changed since, the new one is not acknowledged but
    /// reported again.
    ///
    /// - Parameters:
    ///   - settled: the result that the app has stored.
    ///   - receipt: to be printed again later.
    public func acknowledge(_ settled: Settled, receipt: Receipt? = nil) async throws(JournalError) {
        try await acknowledge(settled.key, receipt) { Settled.Ending($0) == settled.ending }
    }

    /// Records that the app has stored the result of an authorisation. If the result has changed since, the new one is
    /// not acknowledged but reported again. An unknown result cannot be acknowledged; only its receipt is stored, and
    /// its final result is reported.
    ///
    /// - Parameters:
    ///   - key: of the payment.
    ///   - result: the result that the app has stored.
    ///   - receipt: to be printed again later.
    public func acknowledge(
        _ key: ReconciliationKey, _ result: AuthorizationResult, receipt: Receipt? = nil
    ) async throws(JournalError) {
        try await acknowledge(key, receipt) { result.isToldBy($0) }
    }

    /// Records that the app has stored the current result.
    ///
    /// - Parameters:
    ///   - key: of the payment.
    ///   - receipt: to be printed again later.
    public func acknowledge(_ key: ReconciliationKey, receipt: Receipt? = nil) async throws(JournalError) {
        try await acknowledge(key, receipt) { _ in true }
    }

    /// - Parameter isKnown: whether the app has this final result of the payment.
    private func acknowledge(
        _ key: ReconciliationKey, _ receipt: Receipt?, isKnown: @escaping @Sendable (JournaledTap) -> Bool
    ) async throws(JournalError) {
        try await decide { () async throws(JournalError) in
            guard let tap = try await self.journal.tap(key) else { throw .unknownKey(key) }
            let isKnown = isKnown(tap)
            let followUps = isKnown && tap.mayBeCaptured ? try await self.journal.followUps(of: key) : []
            let events = tap.acknowledging(receipt, isKnown: isKnown, followUps)
            if !events.isEmpty { try await self.journal.append(events, to: key) }
        }
    }

    /// Returns the result of a payment; `nil` while the payment is in progress, and for an unknown key.
    public func settled(_ key: ReconciliationKey) async throws(JournalError) -> Settled? {
        guard let tap = try await journal.tap(key) else { return nil }
        return try await journal.settled(tap)
    }

    /// Journals a follow-up of a payment; ``run()`` and ``forwardNow()`` send it. Submitting an equal follow-up again
    /// changes nothing.
    ///
    /// - Throws: ``JournalError/followUpRefused(_:of:)`` for a payment that is not approved or is being taken back, and
    ///   for more than the payment leaves.
    public func submit(_ followUp: FollowUp, moment: LocalTime = .now()) async throws(JournalError) {
        try await decide { () async throws(JournalError) in
            if let known = try await self.journal.tap(followUp.key) {
                guard known.intent.followUp == followUp else { throw .keyUsed(followUp.key) }
                return
            }
            guard let original = try await self.journal.tap(followUp.original) else {
                throw .unknownKey(followUp.original)
            }
            let others = followUp.kind == .void ? try await self.journal.followUps(of: original.key) : []
            let intent = TapIntent(
                sale: original.sale, kind: followUp.kind == .refund ? .refund : original.intent.kind,
                amount: followUp.amount(of: original, others), counter: 0, moment: moment, followUp: followUp)
            try await self.journal.append([.began(intent), .queued(followUp.kind)], to: followUp.key)
        }
    }

    /// Takes back a payment that was accepted without the host. If it was not sent yet, it is dropped without a trace
    /// at the host; otherwise it is reversed, even after the host has approved it. Also reverses a payment that was
    /// open when its journal was restored or copied, once a person has decided to do so. Returns once that is
    /// journalled.
    ///
    /// - Throws: ``JournalError/followUpRefused(_:of:)`` for a payment that is captured, voided or refunded by any
    ///   route, or is about to be.
    public func withdraw(_ key: ReconciliationKey) async throws(JournalError) {
        if case .failed(let error) = await carryOut(.withdraw(key)) { throw error }
    }

    /// Records that a person gives up a payment that the host does not settle: it counts as not paid, and nothing is
    /// reversed.
    public func writeOff(_ key: ReconciliationKey, by person: Operator, reason: String) async throws(JournalError) {
        let name = "\(person.role.rawValue) \(person.id)"
        // A delivery of this payment in progress finishes first.
        let error = await alone { () async -> JournalError? in
            do throws(JournalError) {
                try await self.journal.append([.writtenOff(by: name, reason: reason)], to: key)
                return nil
            } catch {
                return error
            }
        }
        if let error { throw error }
        if let settled = try? await settled(key) { hub.publish(.settled(settled)) }
    }

    /// Sends the host a rejected record once more, after the cause has been fixed there.
    ///
    /// - Throws: ``JournalError/followUpRefused(_:of:)`` for an increment of a payment that is taken back, or is about
    ///   to be.
    public func retry(_ key: ReconciliationKey) async throws(JournalError) {
        guard let tap = try await journal.tap(key) else { throw .unknownKey(key) }
        guard tap.state == .setAside else { throw .outOfOrder(tap.state) }
        if case .failed(let error) = await carryOut(.retry(key)) { throw error }
    }

    // MARK: - Another device

    /// Returns the payments that only a host can settle, each with all of its events, so that another device or the
    /// payment service can settle them too: the second one to do so only repeats. Nothing leaves this journal. Before
    /// it is handed over, a payment is marked as one that may have reached the host, so that from then on it is
    /// reversed rather than withdrawn.
    public func handOver() async throws(JournalError) -> [[JournalEntry]] {
        // Work in progress finishes first.
        let result = await alone { () async -> Result<[[JournalEntry]], JournalError> in
            do throws(JournalError) { return .success(try await self.handedOver()) } catch { return .failure(error) }
        }
        return try result.get()
    }

    private func handedOver() async throws(JournalError) -> [[JournalEntry]] {
        let now = try await journal.standing().now
        for tap in try await journal.open() {
            let events = tap.handingOver(isLeft: machine.schedule.isLeft(tap, now))
            if !events.isEmpty { try await journal.append(events, to: tap.key) }
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

    /// Takes over payments that another journal handed over; taking over equal payments again changes nothing.
    /// ``run()`` and ``forwardNow()`` settle them. Their ages restart at zero.
    ///
    /// - Throws: the journal's error. Payments that were taken over before the error are kept, and are recognised when
    ///   the call is repeated.
    public func takeOver(_ payments: [[JournalEntry]]) async throws(JournalError) -> Settlement.TakenOver {
        var result = Settlement.TakenOver()
        for entries in payments {
            guard let key = entries.first?.key else { continue }
            if let stray = entries.first(where: { $0.key != key }) {
                result.refused[key] = .unreadable("an event of \(stray.key) among those of \(key)")
                continue
            }
            do throws(JournalError) {
                if try await journal.tap(key) != nil { throw .keyUsed(key) }
                // Only payments that a host can settle are taken over: an approval in a file is not an approval here.
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

    /// Runs the task to its end, even if the caller is cancelled.
    private func alone<Value: Sendable>(_ task: @escaping @Sendable () async -> Value) async -> Value {
        await work.take(task).value
    }

    /// Reads the journal and writes the decision before another decision is made. It does not ask a host, because an
    /// app may wait for it.
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

    /// A payment that another caller changes at this moment does not hold up the others.
    private func unlessChanged(
        _ work: @escaping @Sendable () async throws(JournalError) -> Void
    ) async throws(JournalError) {
        do throws(JournalError) {
            try await decide(work)
        } catch {
            guard error.isOfPayment else { throw error }
        }
    }

    // MARK: - Carrying out the machine's decisions

    /// Carries out everything that is due, each once.
    private func pass() async {
        do throws(JournalError) {
            let open = try await journal.open()
            let now = try await journal.standing().now
            var pass = SettlementPass(open, now, machine.schedule)
            while let step = pass.next(&machine.schedule) {
                switch step {
                case .work(let work):
                    guard case .delivered(let isHostThere, let isSetAside) = await carryOut(work) else { continue }
                    pass.delivered(isHostThere: isHostThere, isSetAside: isSetAside, machine.schedule)
                case .forget(let key):
                    try await unlessChanged { () async throws(JournalError) in
                        try await self.journal.append([.erased(.fingerprint)], to: key)
                    }
                    try await closeIfOver(key)
                case .closeIfOver(let key): try await closeIfOver(key)
                case .closeIfCaptured(let key): try await closeIfCaptured(key)
                }
            }
            let oldest = try? await journal.standing().oldest
            if let event = machine.schedule.aged(oldest) { hub.publish(event) }
            try await journal.maintain()
        } catch {
            hub.publish(.journalFailed(error))
        }
    }

    /// Carries out one work from beginning to end, with no other work in between.
    private func carryOut(_ work: SettlementWork) async -> SettlementAction.Ending {
        await alone { await self.carriedOut(work) }
    }

    private func carriedOut(_ work: SettlementWork) async -> SettlementAction.Ending {
        var action = machine.requested(
            work, acceptsSimulatedReads: authorizer.acceptsSimulatedReads, spread: Double.random(in: -1...1))
        while true {
            for event in action.events { hub.publish(event) }
            if case .finish(let ending) = action.operation { return ending }
            action = await carryOut(action.operation)
        }
    }

    private func carryOut(_ operation: SettlementAction.Operation) async -> SettlementAction {
        do throws(JournalError) {
            switch operation {
            case .find(let key):
                let tap = try await journal.tap(key)
                return machine.found(tap)
            case .findSettled(let key):
                let settled = try await settled(key)
                return machine.settledFound(settled)
            case .findFollowUps(let key):
                let followUps = try await journal.followUps(of: key)
                return machine.followUpsFound(followUps)
            case .append(let events, let key):
                // Serialised with the app's acknowledgements.
                try await decide { () async throws(JournalError) in try await self.journal.append(events, to: key) }
                return machine.written()
            case .closeIfOver(let key):
                try await closeIfOver(key)
                return machine.closed()
            case .closeIfCaptured(let key):
                try await closeIfCaptured(key)
                return machine.closed()
            case .askStatus(let key):
                let status = await ask { try? await $0.status(of: key) }
                return machine.statusAnswered(status)
            case .reverse(let reversal):
                let isConfirmed = await ask { (try? await $0.reverse(reversal)) != nil }
                return machine.reversed(isConfirmed == true)
            case .deliver(let record):
                let delivery = await ask { try? await $0.deliver(record) }
                return machine.delivered(delivery)
            case .finish, .unexpected: throw .unavailable("the settlement is out of order")
            }
        } catch {
            return machine.failed(error)
        }
    }

    /// - Returns: `nil` if no answer came in time.
    private func ask<Answer: Sendable>(
        _ call: @escaping @Sendable (any DeliveringAuthorizer) async -> Answer?
    ) async -> Answer? {
        let authorizer = authorizer
        guard case .value(let answer) = await race(deadline, by: timer, { await call(authorizer) }) else { return nil }
        return answer
    }

    /// The app may already have closed it.
    private func closeIfOver(_ key: ReconciliationKey) async throws(JournalError) {
        try await unlessChanged { () async throws(JournalError) in
            guard let tap = try await self.journal.tap(key), tap.isAcknowledged, tap.isOver else { return }
            try await self.journal.append(tap.closing, to: key)
        }
    }

    /// A process may have ended, or a write may have failed, between the capture and the closing of its estimate.
    private func closeIfCaptured(_ key: ReconciliationKey) async throws(JournalError) {
        try await decide { () async throws(JournalError) in
            guard let tap = try await self.journal.tap(key), tap.isAcknowledged, tap.mayBeCaptured,
                try await self.journal.followUps(of: key).contains(where: \.endsOriginal)
            else { return }
            try await self.journal.append(tap.closing, to: key)
        }
    }
}

/// Runs tasks one after the other, in the order in which they arrive.
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

extension AuthorizationResult {
    /// Returns whether this result matches the payment's current state.
    fileprivate func isToldBy(_ tap: JournaledTap) -> Bool {
        switch (ending, Settled.Ending(tap)) {
        case (.approved, .approved?), (.declined, .declined?), (.accepted, .accepted?): true
        case (.failed, .notCompleted?), (.failed, .declined?), (.reversed, .notCompleted?), (.reversed, .declined?):
            true
        default: false
        }
    }
}
