// SPDX-License-Identifier: Apache-2.0
import TestData
import Testing
@testable import EMVKernel
@testable import EMVKit
@testable import EMVPOS

/// An independent implementation of the event reduction: every property is looked up in the list of events, and a
/// separate table lists the events that each state accepts. Shares only the names of states with `JournaledTap`.
struct NaiveTap {
    let intent: TapIntent
    private(set) var state = JournaledTap.State.began
    private(set) var events: [(event: JournalEvent, moment: JournalMoment)] = []

    init(_ intent: TapIntent) { self.intent = intent }

    // swift-format-ignore
    /// A state, then each event that it accepts, with the next state if it differs.
    private static let table = """
        began: changed read>read queued>queued closed>closed clockJumped
        read: changed asking>asking queued>queued answered>declined closed>closed clockJumped
        asking: unsent>read challenged>challenged answered>? reversing>reversing queued>queued receipted \
        writtenOff>writtenOff clockJumped restored
        challenged: asking>asking answered>? reversing>reversing writtenOff>writtenOff receipted clockJumped restored
        approved: reversing>reversing acknowledged receipted closed>closed erased clockJumped restored
        declined: acknowledged receipted closed>closed erased clockJumped
        reversing: reversing reversed>reversed answeredLate writtenOff>writtenOff receipted clockJumped restored
        reversed: answeredLate answered>declined queued>queued acknowledged receipted closed>closed erased clockJumped
        queued: changed forwarding>forwarding withdrawn>withdrawn writtenOff>writtenOff acknowledged receipted \
        clockJumped
        forwarding: changed forwarding forwarded>? setAside>setAside reversing>reversing writtenOff>writtenOff \
        acknowledged receipted clockJumped
        setAside: forwarding>forwarding writtenOff>writtenOff acknowledged receipted clockJumped
        withdrawn: acknowledged receipted closed>closed erased clockJumped
        writtenOff: acknowledged receipted closed>closed erased clockJumped
        closed: erased answeredLate clockJumped
        """

    /// The next state by state and event; `?`: the host's answer decides.
    static let edges: [String: [String: String]] = {
        var edges: [String: [String: String]] = [:]
        for line in table.split(separator: "\n") {
            let parts = line.split(separator: ":"), from = String(parts[0])
            for word in parts[1].split(separator: " ") {
                let ends = word.split(separator: ">")
                edges[from, default: [:]][String(ends[0])] = ends.count > 1 ? String(ends[1]) : from
            }
        }
        return edges
    }()

    /// - Returns: whether the event is accepted.
    mutating func take(_ event: JournalEvent, at moment: JournalMoment) -> Bool {
        guard let next = NaiveTap.edges[state.rawValue]?[event.name.rawValue], isAllowed(event) else { return false }
        if next == "?" {
            state = isApproval(event) ? .approved : .declined
        } else {
            state = JournaledTap.State(rawValue: next)!
        }
        events.append((event, moment))
        return true
    }

    private func isApproval(_ event: JournalEvent) -> Bool {
        switch event {
        case .answered(.approved), .forwarded(.approved): true
        default: false
        }
    }

    private func isAllowed(_ event: JournalEvent) -> Bool {
        switch event {
        case .changed(let amount):
            if state == .queued || state == .forwarding {
                return intent.followUp?.action == .void && amount.currency == intent.amount.currency
            }
            let ceiling = intent.ceiling ?? intent.amount
            return amount.currency == ceiling.currency && amount.minorUnits <= ceiling.minorUnits
        // No reader works on a payment of a restored journal, so the host's answer or a person ends it.
        case .answered where state == .challenged, .reversing where state == .reversing,
            .writtenOff where state == .asking || state == .challenged:
            return isRestored
        // A card that declines cannot lead to an approval.
        case .answered: return state == .asking || !isApproval(event)
        case .asking(let attempt, _): return attempt == attempts + 1
        case .forwarding(let attempt): return attempt == deliveries + 1
        case .queued(.deferredAuthorization):
            return state == .asking && attempts - unsent == 1 || state == .read && attempts == 0 && isUndecided
        case .queued(.offlineApproval):
            let approved = if case .approvedOffline? = read?.authorization { !isUndecided } else { false }
            return state == .reversed || state == .read && (approved || attempts > 0)
        case .queued(let kind): return state == .began && intent.followUp?.kind == kind
        // A message cannot reverse a payment that the card has approved.
        case .reversing: return state != .forwarding || queuedAs == .deferredAuthorization
        case .read: return read == nil
        case .acknowledged: return !isAcknowledged
        case .erased: return state == .closed || read != nil
        default: return true
        }
    }

    /// The reader has approved offline, but the card's cryptogram is an ARQC.
    private var isUndecided: Bool {
        guard case .approvedOffline? = read?.authorization, let kind = read?.clearRecord[0x9F27]?.first else {
            return false
        }
        return kind >> 6 == 2
    }

    // MARK: - Properties found in the list of events

    private func last<Value>(_ value: (JournalEvent) -> Value?) -> (value: Value, place: Int)? {
        for place in events.indices.reversed() {
            if let value = value(events[place].event) { return (value, place) }
        }
        return nil
    }

    private func place(_ names: JournalEvent.Name...) -> Int? {
        events.lastIndex { names.contains($0.event.name) }
    }

    var changed: JournalMoment? { events.last?.moment }
    var amount: Money { last { if case .changed(let amount) = $0 { amount } else { nil } }?.value ?? intent.amount }
    var attempts: Int { last { if case .asking(let number, _) = $0 { number } else { nil } }?.value ?? 0 }
    var deadline: Duration? { last { if case .asking(_, let deadline) = $0 { deadline } else { nil } }?.value }
    var unsent: Int { events.count { $0.event.name == .unsent } }
    var deliveries: Int { last { if case .forwarding(let number) = $0 { number } else { nil } }?.value ?? 0 }
    var queuedAs: FinancialRecord.Kind? { last { if case .queued(let kind) = $0 { kind } else { nil } }?.value }
    var queuedAt: JournalMoment? { place(.queued).map { events[$0].moment } }
    var setAsideReason: String? { last { if case .setAside(let reason) = $0 { reason } else { nil } }?.value }
    var reversalReason: Reversal.Reason? { last { if case .reversing(let reason) = $0 { reason } else { nil } }?.value }
    var lateResult: JournaledTap.StoredResult? {
        last { if case .answeredLate(let result) = $0 { result } else { nil } }?.value
    }
    var receipt: Receipt? { last { if case .receipted(let receipt) = $0 { receipt } else { nil } }?.value }
    var wasApproved: Bool { events.contains { isApproval($0.event) } }
    var decided: JournalMoment? { place(.answered, .forwarded).map { events[$0].moment } }

    var isRestored: Bool { place(.restored) ?? -1 > place(.reversing) ?? -1 }
    var isWrittenOff: Bool { events.contains { $0.event.name == .writtenOff } }

    /// A reversal removes the result.
    var result: JournaledTap.StoredResult? {
        let found = last {
            switch $0 {
            case .answered(let result), .forwarded(let result): result
            default: nil
            }
        }
        guard let found, found.place > place(.reversing) ?? -1 else { return nil }
        return found.value
    }

    /// The app knows of everything that has happened.
    var isAcknowledged: Bool {
        guard let told = place(.acknowledged) else { return false }
        return events[(told + 1)...].allSatisfy { event, _ in
            switch event.name {
            case .forwarded: isApproval(event) && queuedAs == .offlineApproval
            case .answered, .reversing, .reversed, .setAside, .withdrawn, .writtenOff: false
            default: true
            }
        }
    }

    /// The card as it was read.
    private var read: StoredRead? { last { if case .read(let read) = $0 { read } else { nil } }?.value }

    private func isErased(_ part: JournalEvent.Erasure) -> Bool {
        events.contains {
            if case .erased(let erased) = $0.event { erased == part || erased == .account } else { false }
        }
    }

    /// The properties in which `tap` differs.
    func differences(from tap: JournaledTap) -> [String] {
        let payload = isErased(.payload) ? nil : read?.payload
        let fingerprint = isErased(.fingerprint) ? nil : read?.fingerprint
        let same: [(String, Bool)] = [
            ("state", tap.state == state), ("changed", changed.map { tap.changed == $0 } ?? true),
            ("amount", tap.amount == amount), ("attempts", tap.attempts == attempts),
            ("deadline", tap.deadline == deadline), ("unsent", tap.unsent == unsent),
            ("deliveries", tap.deliveries == deliveries), ("queuedAs", tap.queuedAs == queuedAs),
            ("queuedAt", tap.queuedAt == queuedAt), ("setAsideReason", tap.setAsideReason == setAsideReason),
            ("reversalReason", tap.reversalReason == reversalReason), ("lateResult", tap.lateResult == lateResult),
            ("receipt", tap.receipt == receipt), ("wasApproved", tap.wasApproved == wasApproved),
            ("decided", tap.decided == decided), ("result", tap.result == result),
            ("isWrittenOff", tap.isWrittenOff == isWrittenOff), ("isRestored", tap.isRestored == isRestored),
            ("isAcknowledged", tap.isAcknowledged == isAcknowledged),
            ("read", tap.read?.clearRecord == read?.clearRecord && (tap.read == nil) == (read == nil)),
            ("payload", tap.read?.payload == payload), ("fingerprint", tap.read?.fingerprint == fingerprint),
        ]
        return same.filter { !$0.1 }.map(\.0)
    }
}

/// Histories of a payment, each event of which is applied by both implementations.
enum FoldChecks {
    private static let key = ReconciliationKey(rawValue: "key")!
    private static let amount = eur(1250)
    private static let read = StoredRead(
        authorization: .onlineRequired, cvm: .none, maskedPAN: nil, clearRecord: CardData([]),
        payload: Sample.stored.payload, fingerprint: Sample.stored.fingerprint)
    private static let offline = StoredRead(
        authorization: .approvedOffline, cvm: .none, maskedPAN: nil, clearRecord: CardData([]),
        payload: Sample.stored.payload, fingerprint: Sample.stored.fingerprint)
    private static let delayed = StoredRead(
        authorization: .approvedOffline, cvm: .none, maskedPAN: nil, clearRecord: CardData([0x9F, 0x27, 1, 0x80]),
        payload: Sample.stored.payload, fingerprint: Sample.stored.fingerprint)
    private static let receipt = Receipt(
        Sample.read(), result: .approved, total: eur(1250), merchant: Merchant("Shop"), moment: noon)
    private static let yes = JournaledTap.StoredResult.approved(Approval(code: "1"))
    private static let no = JournaledTap.StoredResult.declined(Decline(reason: .issuer))

    private static let tap = TapIntent(amount: amount, counter: 1, moment: noon)
    private static let withCeiling = with(TapIntent(amount: amount, counter: 1, moment: noon)) {
        $0.ceiling = eur(2000)
    }

    private static func following(_ action: FollowUp.Action) -> TapIntent {
        TapIntent(
            amount: amount, counter: 0, moment: noon,
            followUp: FollowUp(action, of: ReconciliationKey(rawValue: "other")!, key: key))
    }

    private static let ask = [JournalEvent.read(read), .asking(attempt: 1, deadline: .seconds(30))]
    private static let deferred = ask + [.queued(.deferredAuthorization)]
    private static let unreported = [JournalEvent.read(offline), .queued(.offlineApproval)]

    /// Histories that reach every state in every way that matters.
    static let lives: [(TapIntent, [JournalEvent])] = [
        (tap, []), (withCeiling, [.changed(eur(2000))]), (tap, [.read(read)]), (tap, [.read(offline)]), (tap, ask),
        (tap, ask + [.unsent]), (tap, ask + [.unsent, .asking(attempt: 2, deadline: .seconds(5))]),
        (tap, ask + [.challenged]), (tap, ask + [.challenged, .asking(attempt: 2, deadline: .seconds(5))]),
        (tap, ask + [.answered(yes)]), (tap, ask + [.answered(yes), .acknowledged]),
        (tap, ask + [.answered(no), .acknowledged]), (tap, ask + [.answered(yes), .acknowledged, .closed]),
        (tap, ask + [.answered(yes), .acknowledged, .reversing(.withdrawn)]), (tap, [.closed]),
        (tap, ask + [.restored]), (tap, ask + [.challenged, .restored]), (tap, ask + [.answered(yes), .restored]),
        (tap, ask + [.challenged, .restored, .answered(yes)]), (tap, ask + [.reversing(.timedOut), .restored]),
        (tap, ask + [.reversing(.timedOut), .restored, .reversing(.withdrawn)]),
        (tap, ask + [.reversing(.timedOut)]), (tap, ask + [.reversing(.timedOut), .reversed, .acknowledged]),
        (tap, ask + [.reversing(.timedOut), .reversed, .answered(no), .acknowledged]),
        (tap, ask + [.reversing(.timedOut), .reversed, .queued(.offlineApproval)]), (tap, unreported),
        (tap, deferred), (tap, deferred + [.acknowledged, .forwarding(attempt: 1)]),
        (tap, deferred + [.acknowledged, .withdrawn]),
        (tap, deferred + [.acknowledged, .writtenOff(by: "a", reason: "b")]),
        (tap, deferred + [.forwarding(attempt: 1), .acknowledged, .setAside("reason")]),
        (tap, deferred + [.forwarding(attempt: 1), .setAside("reason"), .acknowledged]),
        (tap, deferred + [.forwarding(attempt: 1), .acknowledged, .forwarded(yes)]),
        (tap, unreported + [.acknowledged, .forwarding(attempt: 1)]),
        (tap, unreported + [.acknowledged, .forwarding(attempt: 1), .forwarded(yes)]),
        (tap, unreported + [.acknowledged, .forwarding(attempt: 1), .setAside("reason")]),
        (tap, deferred + [.withdrawn, .acknowledged]), (tap, [.read(delayed)]),
        (tap, [.read(delayed), .queued(.deferredAuthorization)]),
        (tap, ask + [.reversing(.timedOut), .writtenOff(by: "a", reason: "b"), .acknowledged, .closed]),
        (tap, deferred + [.writtenOff(by: "a", reason: "b"), .acknowledged]),
        (following(.capture(amount, tip: nil)), []), (following(.increment(amount)), []),
        (following(.refund(amount)), []), (following(.void), []), (following(.void), [.queued(.void)]),
        (following(.void), [.queued(.void), .withdrawn]),
        (following(.refund(amount)), [.queued(.refund), .forwarding(attempt: 1), .forwarded(yes)]),
    ]

    /// Possible next events, valid and invalid.
    private static func next(_ naive: NaiveTap) -> [JournalEvent] {
        let asked = naive.attempts, sent = naive.deliveries
        return [
            .began(tap), .changed(eur(1000)), .changed(eur(1251)), .changed(eur(2001)),
            .changed(Money(minorUnits: 1, currency: .usd)), .read(read), .read(offline),
            .asking(attempt: asked + 1, deadline: .seconds(7)), .asking(attempt: asked + 2, deadline: .seconds(7)),
            .asking(attempt: asked, deadline: .seconds(7)), .unsent, .challenged, .answered(yes), .answered(no),
            .reversing(.timedOut), .reversed, .answeredLate(yes), .forwarding(attempt: sent + 1),
            .forwarding(attempt: sent + 2), .forwarding(attempt: sent), .forwarded(yes), .forwarded(no),
            .setAside("other"), .withdrawn, .writtenOff(by: "somebody", reason: "reason"), .acknowledged,
            .receipted(receipt), .closed, .erased(.payload), .erased(.fingerprint), .erased(.account),
            .clockJumped(seconds: 400), .restored,
        ] + FinancialRecord.Kind.allCases.map { .queued($0) }
    }

    private static func moment(_ number: Int) -> JournalMoment {
        JournalMoment(wall: Int64(number), boot: "boot", uptime: Int64(number), elapsed: Int64(number), run: "run")
    }

    /// Every difference between the two implementations.
    static func problems() -> [String] {
        var problems: [String] = []
        for (intent, life) in lives {
            var naive = NaiveTap(intent), fold = JournaledTap(key, intent, at: moment(0))
            for (place, event) in life.enumerated() {
                let isTaken = naive.take(event, at: moment(place + 1))
                guard isTaken, (try? fold.apply(event, at: moment(place + 1))) != nil else {
                    problems.append("\(life.map(\.name)): \(event.name) is not taken")
                    break
                }
            }
            for event in next(naive) {
                var one = naive, other = fold
                let isTaken = one.take(event, at: moment(50)), before = other
                let isApplied = (try? other.apply(event, at: moment(50))) != nil
                let label = "\(fold.state) after \(life.map(\.name)): \(event)"
                if isTaken != isApplied { problems.append("\(label) is \(isApplied ? "taken" : "refused")") }
                if !isApplied, other != before { problems.append("\(label) is refused and changes something") }
                let differences = isTaken && isApplied ? one.differences(from: other) : []
                if !differences.isEmpty { problems.append("\(label): \(differences.joined(separator: ", "))") }
            }
        }
        return problems
    }
}

@Suite struct FoldTests {
    @Test("The fold, and a second implementation of it that looks everything up in the list of events, agree")
    func twoFoldsAgree() {
        #expect(FoldChecks.problems() == [])
        #expect(Set(FoldChecks.lives.map(\.1.last?.name)).count > 15)
    }
}
