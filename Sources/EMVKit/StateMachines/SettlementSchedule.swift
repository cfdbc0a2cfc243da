// SPDX-License-Identifier: Apache-2.0
/// The memory of a settlement between its works: failures and their pauses, records that the host holds undecided, and
/// whether the host is reachable. A pure value without I/O, clock or task. It does not know how a payment is settled
/// (``SettlementStateMachine``).
struct SettlementSchedule: Sendable, Equatable {
    let policy: SettlementPolicy
    /// The number of failures in a row, by key.
    private(set) var failures: [ReconciliationKey: Int] = [:]
    /// The time until the next try, by key.
    private(set) var waiting: [ReconciliationKey: Duration] = [:]
    /// The host has these records and decides later.
    private(set) var undecided: Set<ReconciliationKey> = []
    /// The number of reversals and status requests in a row that failed.
    private(set) var silence = 0
    /// The app was warned of the oldest record that is waiting.
    private(set) var hasWarned = false
    /// The estimates were searched for one that is captured and still open.
    private(set) var hasSoughtCaptured = false

    init(_ policy: SettlementPolicy) { self.policy = policy }

    /// The number of failed calls in a row after which the host counts as absent.
    static let silenceOfAbsence = 3

    var isHostAbsent: Bool { silence >= SettlementSchedule.silenceOfAbsence }

    // MARK: - Waiting

    /// The time until the next pass.
    var pause: Duration { min(waiting.values.min() ?? policy.interval, policy.interval) }

    mutating func timePassed(_ pause: Duration) {
        for (key, rest) in waiting { waiting[key] = rest > pause ? rest - pause : nil }
    }

    /// Ends all pauses.
    mutating func hurry() { waiting = [:] }

    /// A recovery begins: it finds out by itself whether the host is reachable.
    mutating func recoveryBegan() { silence = 0 }

    /// - Parameters:
    ///   - wait: the time that the host requested; `nil` means the policy decides.
    ///   - spread: see ``SettlementPolicy/pause(after:spread:)``.
    /// - Returns: an event that informs a person, if due.
    mutating func failed(
        _ key: ReconciliationKey, wait: Duration? = nil, spread: Double
    ) -> SettlementEvent? {
        let count = failures[key, default: 0] + 1
        failures[key] = count
        // Even if the host always answers "at once", the calls have pauses.
        waiting[key] = wait.map { max($0, policy.firstPause) } ?? policy.pause(after: count, spread: spread)
        return count == policy.attemptsUntilTold ? .unresolved(key, attempts: count) : nil
    }

    mutating func succeeded(_ key: ReconciliationKey) {
        silence = 0
        failures[key] = nil
        waiting[key] = nil
        undecided.remove(key)
    }

    /// Notes whether a reversal or a status request was answered.
    mutating func hostAnswered(_ isThere: Bool) { silence = isThere ? 0 : silence + 1 }

    /// The host stored a record and decides later.
    mutating func isUndecided(_ key: ReconciliationKey) { undecided.insert(key) }

    /// The host does not have the record after all, so it is sent again.
    mutating func isUnknown(_ key: ReconciliationKey) { undecided.remove(key) }

    /// - Parameter isDone: if `false`, the next pass searches again.
    mutating func soughtCaptured(_ isDone: Bool) { hasSoughtCaptured = isDone }

    /// Warns the app once each time the queue grows too old.
    ///
    /// - Parameter oldest: age of the oldest waiting record; `nil` if no record waits.
    mutating func aged(_ oldest: Duration?) -> SettlementEvent? {
        guard let oldest, oldest >= policy.warning else {
            hasWarned = false
            return nil
        }
        defer { hasWarned = true }
        return hasWarned ? nil : .ageing(oldest)
    }

    // MARK: - Due work

    /// No reader of this process is working on the payment any more. A reversal continues where a reader gave it up;
    /// sending one twice does no harm.
    func isLeft(_ tap: JournaledTap, _ now: JournalMoment?) -> Bool {
        if tap.isHeld { return true }
        let isOfOtherRun = tap.changed.run != now?.run, age = now?.age(of: tap.changed) ?? .zero
        switch tap.state {
        case .reversing: return true
        case .began: return isOfOtherRun
        // A tap that was read is abandoned if its reader no longer exists.
        case .read: return isOfOtherRun || age > .seconds(3_600)
        case .asking, .challenged: return isOfOtherRun || age > (tap.deadline ?? .zero) * 2 + .seconds(600)
        case .approved, .declined, .reversed, .queued, .forwarding, .setAside, .withdrawn, .writtenOff, .closed:
            return false
        }
    }

    /// A recovery does not wait for an absent host for each payment.
    func isRecovered(_ tap: JournaledTap, _ now: JournalMoment?) -> Bool {
        isLeft(tap, now) && !(isHostAbsent && tap.isUnresolved)
    }

    /// An estimate whose time is up. Its follow-ups decide whether it is reversed. A restored journal may lack them.
    func isExpired(_ tap: JournaledTap, _ now: JournalMoment) -> Bool {
        guard let limit = policy.captureWithin, let decided = tap.decided, tap.mayBeCaptured, !tap.isRestored else {
            return false
        }
        return now.age(of: decided) >= limit
    }

    /// A deferred payment whose account has been remembered for long enough after the host's decision.
    func isForgotten(_ tap: JournaledTap, _ now: JournalMoment) -> Bool {
        guard tap.read?.fingerprint != nil, tap.state == .approved || tap.state == .declined,
            let decided = tap.decided
        else { return false }
        return now.age(of: decided) >= policy.fingerprintsKept
    }
}

/// One pass over all open payments: it selects the next payment and its work. A pure value; ``next(_:)`` is called
/// until it returns nil, and each delivery is reported to it.
///
/// Records are delivered in the order in which they were accepted, and records of one card in the order of its counter.
/// A record that fails or waits holds back only later records of its card, and the later follow-ups of its original. A
/// follow-up that was set aside also holds back the later ones, except a void, which must not depend on a person. After
/// three failures in a row the host counts as absent.
struct SettlementPass: Sendable, Equatable {
    enum Step: Sendable, Hashable {
        case work(SettlementWork)
        /// Erases the fingerprint, then closes the payment if it is over.
        case forget(ReconciliationKey)
        case closeIfOver(ReconciliationKey)
        case closeIfCaptured(ReconciliationKey)
    }

    /// The steps before the deliveries.
    private var steps: ArraySlice<Step>
    private var seeksCaptured: Bool
    private var owed: ArraySlice<JournaledTap>
    private var delivering: JournaledTap?
    private var heldCards: Set<Fingerprint> = []
    /// Payments whose follow-ups wait, because they are sent in order: a refund never comes before the capture that it
    /// takes back.
    private var heldOriginals: Set<ReconciliationKey> = []
    /// Payments that have a follow-up that was set aside.
    private var asideOriginals: Set<ReconciliationKey>
    private var failures = 0

    /// - Parameter now: if `nil`, nothing that depends on an age is done.
    init(_ open: [JournaledTap], _ now: JournalMoment?, _ schedule: SettlementSchedule) {
        var steps: [Step] = open.filter { !$0.isOwed && schedule.isLeft($0, now) }.map { .work(.settle($0.key)) }
        seeksCaptured = now != nil && !schedule.hasSoughtCaptured
        if let now {
            steps += open.filter { schedule.isExpired($0, now) }.map { .work(.expire($0.key)) }
            steps += open.filter { schedule.isForgotten($0, now) }.map { .forget($0.key) }
            // A process may have ended just before closing these.
            steps += open.filter { $0.isAcknowledged && $0.isOver }.map { .closeIfOver($0.key) }
            if seeksCaptured { steps += open.filter(\.isAcknowledged).map { .closeIfCaptured($0.key) } }
        }
        self.steps = steps[...]
        owed = SettlementPass.inOrder(open.filter { $0.state == .queued || $0.state == .forwarding })[...]
        asideOriginals = Set(open.filter { $0.state == .setAside }.compactMap { $0.intent.followUp?.original })
    }

    /// - Returns: `nil` if the pass is over.
    mutating func next(_ schedule: inout SettlementSchedule) -> Step? {
        while let step = steps.popFirst() {
            if case .work(.settle(let key)) = step, schedule.waiting[key] != nil { continue }
            return step
        }
        if seeksCaptured { schedule.soughtCaptured(true) }
        seeksCaptured = false
        while let tap = owed.popFirst() {
            if isHeld(tap) { continue }
            guard schedule.waiting[tap.key] == nil else {
                hold(tap, isWaiting: true)
                continue
            }
            delivering = tap
            return .work(.deliver(tap.key))
        }
        return nil
    }

    /// The delivery that ``next(_:)`` asked for has ended.
    mutating func delivered(isHostThere: Bool, isSetAside: Bool, _ schedule: SettlementSchedule) {
        guard let tap = delivering else { return }
        delivering = nil
        failures = isHostThere ? 0 : failures + 1
        if failures == SettlementSchedule.silenceOfAbsence { owed = [] }
        let isWaiting = schedule.waiting[tap.key] != nil
        if isWaiting || isSetAside { hold(tap, isWaiting: isWaiting) }
    }

    private func isHeld(_ tap: JournaledTap) -> Bool {
        if let card = tap.read?.fingerprint, heldCards.contains(card) { return true }
        guard let followUp = tap.intent.followUp else { return false }
        return heldOriginals.contains(followUp.original)
            || followUp.kind != .void && asideOriginals.contains(followUp.original)
    }

    private mutating func hold(_ tap: JournaledTap, isWaiting: Bool) {
        if isWaiting, let card = tap.read?.fingerprint { heldCards.insert(card) }
        guard let original = tap.intent.followUp?.original else { return }
        if isWaiting { heldOriginals.insert(original) } else { asideOriginals.insert(original) }
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
}
