// SPDX-License-Identifier: Apache-2.0
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
    private let authorizer: any DeliveringAuthorizer
    private let deadline: Duration
    private let timer: any Clock<Duration>
    private nonisolated let hub = EventHub<SettlementEvent>()

    /// One payment is worked on at a time, its host included.
    private var work = Turn()
    /// What is decided by what a journal says is written before another decision is taken.
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

    /// Tries everything at once, whatever it waits for.
    public func forwardNow() async -> JournalStanding {
        machine.schedule.hurry()
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
            let isKnown = isKnown(tap)
            let followUps = isKnown && tap.mayBeCaptured ? try await self.journal.followUps(of: key) : []
            let events = tap.acknowledging(receipt, isKnown: isKnown, followUps)
            if !events.isEmpty { try await self.journal.append(events, to: key) }
        }
    }

    /// How a payment stands; `nil` while it goes on, and for a key that is not known.
    public func settled(_ key: ReconciliationKey) async throws(JournalError) -> Settled? {
        guard let tap = try await journal.tap(key) else { return nil }
        return try await journal.settled(tap)
    }

    /// Journals what follows a payment; ``run()`` and ``forwardNow()`` send it. The same one again changes nothing.
    ///
    /// - Throws: ``JournalError/followUpRefused(_:of:)`` for a payment that is not approved or is being taken back,
    ///   and for more than the payment leaves.
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

    /// Takes back a payment that was accepted without the host: as if it had never been where it was not sent yet, else
    /// by a reversal, also after the host has approved it. Also reverses a payment that was open when its journal was
    /// restored or copied, once a person has decided so. Returns once that is journalled.
    ///
    /// - Throws: ``JournalError/followUpRefused(_:of:)`` for a payment that is captured, voided or refunded, or is
    ///   about to be, in whatever way.
    public func withdraw(_ key: ReconciliationKey) async throws(JournalError) {
        if case .failed(let error) = await carryOut(.withdraw(key)) { throw error }
    }

    /// A person gives a payment up that the host does not settle: it counts as not paid, and nothing is reversed.
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
        if let settled = try? await settled(key) { hub.publish(.settled(settled)) }
    }

    /// Tells the host once more what it could not take, after whatever was wrong has been put right there.
    ///
    /// - Throws: ``JournalError/followUpRefused(_:of:)`` for an increment of a payment that is taken back, or is
    ///   about to be.
    public func retry(_ key: ReconciliationKey) async throws(JournalError) {
        guard let tap = try await journal.tap(key) else { throw .unknownKey(key) }
        guard tap.state == .setAside else { throw .outOfOrder(tap.state) }
        if case .failed(let error) = await carryOut(.retry(key)) { throw error }
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

    /// Takes payments over that another journal handed over; the same ones again change nothing. ``run()`` and
    /// ``forwardNow()`` settle them. Their ages begin anew.
    ///
    /// - Throws: what the journal failed of. What was taken over before that stays, and is known when it is tried
    ///   again.
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

    // MARK: - What the machine decides

    /// Everything that is due, each once.
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

    /// One work from its beginning to its end, alone.
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
                // Between an app's acknowledgements.
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

    /// - Returns: `nil`: no answer came in time.
    private func ask<Answer: Sendable>(
        _ call: @escaping @Sendable (any DeliveringAuthorizer) async -> Answer?
    ) async -> Answer? {
        let authorizer = authorizer
        guard case .value(let answer) = await race(deadline, by: timer, { await call(authorizer) }) else { return nil }
        return answer
    }

    /// The app may have closed it by now.
    private func closeIfOver(_ key: ReconciliationKey) async throws(JournalError) {
        try await unlessChanged { () async throws(JournalError) in
            guard let tap = try await self.journal.tap(key), tap.isAcknowledged, tap.isOver else { return }
            try await self.journal.append(tap.closing, to: key)
        }
    }

    /// A process may have ended, or a write failed, between the capture and the end of its estimate.
    private func closeIfCaptured(_ key: ReconciliationKey) async throws(JournalError) {
        try await decide { () async throws(JournalError) in
            guard let tap = try await self.journal.tap(key), tap.isAcknowledged, tap.mayBeCaptured,
                try await self.journal.followUps(of: key).contains(where: \.endsOriginal)
            else { return }
            try await self.journal.append(tap.closing, to: key)
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
