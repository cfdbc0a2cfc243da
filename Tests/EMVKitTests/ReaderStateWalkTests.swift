// SPDX-License-Identifier: Apache-2.0
import EMVSimulator
import Foundation
import Testing
@testable import EMVKernel
@testable import EMVKit
@testable import EMVPOS

/// A random walk over the reader's state machine: app, antenna, kernel, PIN pad and host may do anything at any time,
/// and invariants are checked after every event. A seed reproduces the walk; no step waits.
private struct Walk {
    /// The states and operations that a walk has reached, to prove that the invariants were exercised.
    struct Coverage {
        var states: Set<String> = []
        var operations: Set<String> = []
    }

    let seed: UInt64
    private var random: SeededRandom
    private var machine: ReaderStateMachine
    private(set) var coverage = Coverage()
    private var event = ""

    /// The operation that the activity waits for; `nil`: there is no activity.
    private var pending: ReaderAction.Operation?

    // The environment
    private var hasSession = false
    private var isFieldOn = false
    /// The kernel's outcome while it is parked.
    private var parkedOutcome: Outcome?
    private var mayResumeAtOnce = false
    private var presentations = 0
    private var removalTimer: ReconciliationKey?
    private var promptTimers: [Int] = []

    // Calls and their results
    private var reads = 0, finished = 0
    private var isTapUnderWay = false
    private var nextKey = 0
    private var known: [CardRead] = []
    private var challenges: [(CardRead, PINChallenge)] = []
    private var asked: Set<ReconciliationKey> = []
    /// Requests that the host may have booked.
    private var open: Set<ReconciliationKey> = []
    private var unresolved: Set<ReconciliationKey> = []
    private var approved: Set<ReconciliationKey> = []

    // The journal
    private var book = JournalBook()
    private let hasJournal: Bool
    /// Payments for which a write failed.
    private var incomplete: Set<ReconciliationKey> = []

    init(seed: UInt64) {
        self.seed = seed
        var random = SeededRandom(seed: seed)
        let hasJournal = Bool.random(using: &random)
        self.hasJournal = hasJournal
        machine = Sample.machine {
            $0.hasJournal = hasJournal
            $0.hasSealer = Int.random(in: 0..<4, using: &random) != 0
            if Bool.random(using: &random) {
                let amounts = OfflineLimits.Amounts(perTap: eur(5_000), perCard: 5_000, total: 10_000)
                $0.offline = OfflinePolicy(limits: OfflineLimits(amounts: [amounts], countPerCard: 3, sinceHost: nil))
            }
            $0.takesCardApprovals = Int.random(in: 0..<4, using: &random) != 0
            $0.waitsForEmptyField = Bool.random(using: &random)
            $0.returnsImmediately = Bool.random(using: &random)
            $0.hasPINPad = Int.random(in: 0..<4, using: &random) != 0
            $0.maximumPINRequests = Int.random(in: 0...2, using: &random)
            $0.keepsApprovals = Bool.random(using: &random)
            $0.reversalAttempts = Int.random(in: 0...2, using: &random)
        }
        self.random = random
    }

    private mutating func chance(_ one: Int) -> Bool { Int.random(in: 0..<one, using: &random) == 0 }
    private mutating func any<Element>(_ elements: [Element]) -> Element { elements.randomElement(using: &random)! }

    private func check(_ holds: Bool, _ rule: Comment) {
        if !holds { Issue.record("seed \(seed), \(event) in \(machine.state): \(rule)") }
    }

    mutating func run() {
        for _ in 0..<120 { step() }
        // In the end every question is answered, and cancel() leaves nothing.
        drain()
        give("cancel()") { $0.endRequested(.requested) }
        drain()
        check(machine.parked == nil && machine.challenge == nil && machine.isIdle, "cancel() leaves nothing")
        check(!hasSession && !isFieldOn && removalTimer == nil, "no session, no field, no timer at rest")
        check(finished == reads, "one outcome for each read")
        check(open.isSubset(of: approved.union(unresolved)), "nothing is left open silently")
    }

    private mutating func drain() {
        for _ in 0..<2_000 where pending != nil { answer() }
        check(pending == nil, "an activity comes to its end")
    }

    private mutating func step() {
        if pending != nil, !chance(5) { answer() } else { request() }
    }

    // MARK: Requests

    private mutating func request() {
        switch Int.random(in: 0..<15, using: &random) {
        case 0..<4: requestRead()
        case 13:
            let run = PreludeRun(handle: Sample.prelude), isCancelled = chance(12)
            let generation = chance(2) ? machine.preparation.generation : nil
            give("hold") { $0.preludeRequested(run, generation: generation, isCancelled: isCancelled) }
        case 4..<7:
            guard let read = known.randomElement(using: &random) else { return requestRead() }
            let means = chance(3) ? Sample.meansWithoutPad : Sample.means, isCancelled = chance(12)
            give("authorize") { $0.authorizationRequested(read, means, isCancelled: isCancelled) }
        case 7:
            guard let (read, challenge) = challenges.randomElement(using: &random) else { return }
            give("pinBrought") { $0.pinBrought(read, challenge, Sample.pin) }
        case 8:
            guard let (read, _) = challenges.randomElement(using: &random) else { return }
            give("giveUp") { $0.giveUpRequested(read) }
        case 9: complete()
        case 10:
            let reason = any([CancelReason.requested, .superseded, .readerDetached])
            if chance(3) { give("cancel()") { $0.endRequested(reason) } }
        case 11:
            if chance(2) { depart() } else { prepareReader() }
        case 12:
            machine.taskCancelled()
        default:
            let key = removalTimer ?? Sample.key
            give("removalTimePassed") { $0.removalTimePassed(key) }
            guard let tap = promptTimers.popLast() else { return }
            give("promptTimePassed") { $0.promptTimePassed(tap) }
        }
    }

    private mutating func requestRead() {
        nextKey += 1
        let number = chance(10) ? max(1, nextKey - 1) : nextKey
        let change = chance(2) ? nil : AmountChange(upTo: eur(2000)) { _ in nil }
        let record = Sample.record(ReconciliationKey(rawValue: "key-\(number)")!, change: change)
        reads += 1
        let isCancelled = chance(12)
        let generation = chance(2) ? machine.preparation.generation : nil
        let prelude = chance(3) ? Sample.prelude : nil
        give("read") {
            $0.readRequested(record, generation: generation, isCancelled: isCancelled, prelude: prelude)
        }
    }

    private mutating func complete() {
        let answer = any([IssuerAnswer.response([:]), .unableToGoOnline, .pinNotCaptured])
        let reply = machine.completion(answer, removalTimedOut: false)
        let isTaken = !chance(8), generation = machine.preparation.generation ?? 0
        reads += 1
        give("complete") { $0.completionRequested(reply, isTaken: isTaken, generation: generation) }
    }

    /// Like `suspend()`: the current activity ends first.
    private mutating func depart() {
        give("cancel()") { $0.endRequested(.suspended) }
        drain()
        give("departed") { $0.departed(.notReady) }
    }

    private mutating func prepareReader() {
        guard machine.preparation.generation == nil else { return }
        _ = machine.preparation.began(isChecked: true)
        _ = machine.preparation.configurationChecked(nil, isNew: false)
        _ = machine.preparation.readerOpened(nil)
    }

    // MARK: Answers

    private mutating func answer() {
        guard let operation = pending else { return }
        switch operation {
        case .run: give("started") { $0.started() }
        case .prepare:
            let fails = chance(12)
            if !fails { prepareReader() }
            give("prepared") { $0.prepared(fails ? .cancelled : nil) }
        case .beginSession:
            let fails = chance(15)
            if !fails {
                hasSession = true
                presentations = 0
            }
            give("sessionBegan") { $0.sessionBegan(fails ? Walk.refusal : nil) }
        case .announce:
            let report = report(chance(12) ? .done(Outcome(status: .endApplication, reason: .notAllowed)) : poll())
            give("tapAnnounced") { $0.tapAnnounced(report) }
        case .waitForCard:
            isFieldOn = true
            let event = any(
                [CardEvent.card, .card, .card, .card, .card, .collision, .collisionCleared, .removed]
                    + [.fault(.protocol), .nothing, .readerGone])
            if event == .card { presentations += 1 }
            give("cardArrived") { $0.cardArrived(event) }
        case .exchange:
            check(isFieldOn, "nothing is sent without a field")
            let response = Exchange.response([0x90, 0x00], elapsed: nil)
            let exchange = any([response, response, response, response, .fault(.timeout), .readerGone])
            give("exchanged") { $0.exchanged(exchange) }
        case .holdPrelude:
            check(isFieldOn, "nothing is said without a field")
            let total = chance(3) ? AmountChange.Total(eur(any([1, 1000, 1250, 2000, 2001, 0]))) : nil
            let end = PreludeEnd(any(PreludeEnd.Next.allCases), total: total), isReaderGone = chance(12)
            if chance(12) { machine.taskCancelled() }
            give("preludeHeld") { $0.preludeHeld(end, isReaderGone: isReaderGone) }
        case .beginAgain:
            presentations = 0
            let report = report(chance(12) ? .done(Outcome(status: .endApplication, reason: .notAllowed)) : poll())
            let fails = chance(15)
            give("begunAgain") { $0.begunAgain(fails ? .failure(Walk.refusal) : .success(report)) }
        case .consultJournal, .seal, .append, .lookUp: answerOfJournal(operation)
        case .sleep: give("timePassed") { $0.timePassed() }
        case .fieldOff:
            isFieldOn = false
            give("fieldSwitchedOff") { $0.fieldSwitchedOff() }
        case .findLimit:
            let rule: LimitRule? = chance(2) ? .kernelLimit : nil
            give("limitFound") { $0.limitFound(rule) }
        case .reply, .replyIfTaken, .replyCard, .resume, .giveAmount: compute(operation)
        case .askAmount(_, let question): changeAmount(question)
        case .askIssuer(let request, _): decide(request)
        case .askStatus(let key, _): tellStatus(of: key)
        case .collectPIN:
            let entry = any(
                [Race<PINEntry>.value(.entered(Sample.pin)), .value(.entered(Sample.pin))]
                    + [.value(.bypassed), .value(.failed([])), .deadlinePassed, .cancelled])
            if case .cancelled = entry { machine.taskCancelled() }
            give("pinCollected") { $0.pinCollected(entry) }
        case .reverse(let reversal, _):
            let isConfirmed = !chance(3)
            check(asked.contains(reversal.key), "only what may have left is reversed")
            if isConfirmed { open.remove(reversal.key) }
            give("reversed") { $0.reversed(isConfirmed) }
        case .none, .finish, .cancelActivity, .unexpected: check(false, "no operation of an activity")
        }
    }

    private mutating func changeAmount(_ question: AmountChange.Question) {
        check(
            question.request.amount == machine.run?.tap.base?.amount, "the app is asked from the amount of the request")
        let totals = [1, 1000, 1250, 1999, 2000, 2001, 0].map { AmountChange.Total(eur($0)) }
        let answer = any(
            totals.map { Race<AmountChange.Total?>.value($0) }
                + [.value(AmountChange.Total(Money(minorUnits: 5, currency: .usd))), .value(nil), .deadlinePassed]
                + [.cancelled])
        if case .cancelled = answer { machine.taskCancelled() }
        give("amountAnswered") { $0.amountAnswered(answer) }
    }

    private mutating func answerOfJournal(_ operation: ReaderAction.Operation) {
        switch operation {
        case .consultJournal:
            let consultation = ReaderStateMachine.Consultation(
                counter: book.nextCounter(from: 1), isOnlineOnly: chance(2))
            let fails = chance(20)
            give("consulted") { $0.journalConsulted(fails ? .failure(.unavailable("walk")) : .success(consultation)) }
        case .seal(let read):
            let stored = StoredRead(
                authorization: read.authorization, cvm: read.cvm, maskedPAN: nil, clearRecord: read.clearRecord,
                payload: Sample.stored.payload, fingerprint: Sample.stored.fingerprint)
            let fails = chance(15)
            give("sealed") { $0.sealed(fails ? nil : stored) }
        case .append(let events, let key, let limits):
            let error: JournalError? = chance(15) ? .full : nil
            if error == nil {
                let reading = JournalClock.Reading(wall: 0, boot: "walk", uptime: 0)
                do throws(JournalError) {
                    try book.append(events, to: key, at: reading, within: limits)
                } catch {
                    refused(error, key, events)
                    give("journaled") { $0.journaled(error) }
                    return
                }
            } else {
                incomplete.insert(key)
            }
            give("journaled") { $0.journaled(error) }
        case .lookUp(let key):
            let found = book.taps[key], fails = chance(20)
            give("tapFound") { $0.tapFound(fails ? .failure(.unavailable("walk")) : .success(found)) }
        default: check(false, "no operation of a journal")
        }
    }

    /// Every event that a reader writes is valid after its earlier events, unless one of these could not be written.
    private mutating func refused(_ error: JournalError, _ key: ReconciliationKey, _ events: [JournalEvent]) {
        switch error {
        case .limit: break
        case .keyUsed: check(events.first?.name == .began, "a key begins once")
        default: check(incomplete.contains(key), "\(events.map(\.name)) after \(book.taps[key]?.state.rawValue ?? "-")")
        }
        incomplete.insert(key)
    }

    /// An effect of a payment is visible only after its event was written.
    private func checkWritten(_ operation: ReaderAction.Operation) {
        guard hasJournal else { return }
        switch operation {
        case .announce(let record): check(book.taps[record.key]?.state == .began, "a tap has begun before the field")
        case .askIssuer(let request, _):
            check(book.taps[request.key]?.state == .asking, "a request is journalled before it leaves")
        case .reverse(let reversal, _) where !incomplete.contains(reversal.key):
            check(book.taps[reversal.key]?.state == .reversing, "a reversal is journalled before it leaves")
        default: break
        }
    }

    private func isApprovedInBook(_ key: ReconciliationKey) -> Bool {
        guard let tap = book.taps[key] else { return false }
        if case .approved = tap.result { return true }
        return tap.queuedAs == .offlineApproval
    }

    private mutating func tellStatus(of key: ReconciliationKey) {
        check(open.contains(key), "a host is asked about what has left")
        let answers: [Race<HostStatus?>] =
            [.approved(Sample.approval), .declined(Decline(reason: .issuer)), .reversed, .neverSeen].map { .value($0) }
            + [.value(.inProgress), .value(.unsupported), .value(nil), .deadlinePassed, .cancelled]
        let answer = any(answers)
        switch answer {
        case .value(.declined): open.remove(key)
        case .cancelled: machine.taskCancelled()
        default: break
        }
        give("statusAnswered") { $0.statusAnswered(answer) }
    }

    private mutating func decide(_ request: AuthorizationRequest) {
        asked.insert(request.key)
        open.insert(request.key)
        let answers: [Race<IssuerDecision?>] = [
            .value(.approved(Sample.approval)), .value(.approved(Approval())),
            .value(.declined(Decline(reason: .issuer))), .value(.chipRequested(responseCode: "1A")),
            .value(.pinRequested(PINChallenge(id: "1"))),
            .value(.pinRequested(PINChallenge(id: "2", issuerData: [0x8A: [0x31, 0x33]]))),
            .value(.failed([Problem(.hostUnreachable)])), .value(nil), .deadlinePassed, .cancelled,
        ]
        let answer = any(answers)
        switch answer {
        case .value(.declined), .value(.chipRequested): open.remove(request.key)
        case .value(.failed) where request.attempt == 1: open.remove(request.key)
        case .cancelled: machine.taskCancelled()
        default: break
        }
        give("issuerAnswered") { $0.issuerAnswered(answer) }
    }

    // MARK: The kernel

    private mutating func poll() -> Step {
        .poll(Poll(removalFirst: chance(6), fieldOff: chance(6) ? .milliseconds(1300) : nil))
    }

    private mutating func report(_ step: Step) -> KernelReport {
        var report = KernelReport(step: step, presentations: presentations)
        if chance(4) {
            let message = any([Message.seePhone, .presentAgain, .cardReadOK, .approved])
            let hold = chance(2) ? Duration.milliseconds(300) : .zero
            report.messages = [UIRequest(message: message, status: any([.idle, .cardRead]), hold: hold)]
        }
        switch step {
        case .poll(let poll): report.fieldOff = poll.fieldOff
        case .parked, .done: if chance(3) { report.fieldOff = .milliseconds(500) }
        case .send, .ask, .work: break
        }
        if case .parked(let outcome) = step {
            parkedOutcome = outcome
            mayResumeAtOnce = outcome.start == .d && report.fieldOff == nil
        }
        return report
    }

    private mutating func compute(_ operation: ReaderAction.Operation) {
        check(hasSession, "a reply goes to a session")
        let step: Step
        switch operation {
        case .resume:
            check(parkedOutcome != nil, "only a parked kernel goes on")
            parkedOutcome = nil
            // At D the card is still present; at B it has to be presented again.
            step = mayResumeAtOnce ? .send(Sample.select) : poll()
        case .reply(.response), .reply(.carryOn): step = next()
        case .replyCard: step = .send(Sample.select)
        case .reply(.deadlinePassed): step = .send(Sample.select)
        case .giveAmount(let amount):
            check(amount == machine.run?.tap.record.request?.amount, "the kernel has the amount that is shown")
            check(amount.minorUnits <= 2000 && amount.currency == .eur, "no total is above the ceiling")
            step = .send(Sample.select)
        default: step = poll()
        }
        let report = report(step)
        give("stepTaken") { $0.stepTaken(report) }
    }

    private mutating func next() -> Step {
        switch Int.random(in: 0..<10, using: &random) {
        case 0..<4: return .send(Sample.select)
        case 4: return .work
        case 5:
            if chance(2) { return .ask(Question(kind: .amount, bytes: [0x4F, 0x01, 0xA0], deadline: .seconds(1))) }
            return .ask(Question(kind: .kernel, deadline: chance(2) ? .seconds(1) : nil))
        case 6: return poll()
        case 7:
            let status = any([Outcome.Status.onlineRequest, .onlineRequest, .requestOnlinePIN])
            let timeout: Duration? = chance(2) ? .seconds(5) : nil
            return .parked(
                Sample.outcome(
                    status, start: any([.b, .d]), on: any([.any, .emvData, .notApplicable]), removalTimeout: timeout))
        default:
            let reason = any([Outcome.Reason.kernel, .noCommonApplication, .notAllowed, .link])
            let status = any(
                [Outcome.Status.approved, .declined, .onlineRequest, .endApplication, .tryAnotherInterface])
            return .done(Outcome(status: status, cvm: any([.none, .onlinePIN, .signature]), reason: reason))
        }
    }

    private static let refusal = ConfigurationError(
        section: .transaction, field: .amount, reason: .missing, expected: "an amount", found: "none")

    // MARK: Actions

    private mutating func give(_ name: String, _ happen: (inout ReaderStateMachine) -> ReaderAction) {
        event = name
        let before = machine
        let action = happen(&machine)
        coverage.states.insert(Walk.name(machine.state))
        coverage.operations.insert(Walk.name(action.operation))
        checkParked(before)
        for effect in action.effects { take(effect) }
        check(action.operation != .unexpected, "every answer is one that was waited for")
        switch action.operation {
        case .finish(let ending):
            take(ending)
            // A call that is answered at once does not affect the current activity.
            if !before.isIdle, machine.isIdle { pending = nil }
        case .none, .cancelActivity: break
        case .run:
            check(pending == nil, "one activity at a time")
            pending = .run
        default: take(action.operation)
        }
        check(machine.isIdle == (pending == nil), "idle is that nothing is under way")
        check(machine.parked == nil || hasSession, "a parked tap has its session")
        check(removalTimer == nil || removalTimer == machine.parked?.key, "the removal timer is of the parked tap")
        let waitsAtD = machine.parked != nil && mayResumeAtOnce
        check(!machine.isIdle || isFieldOn == waitsAtD, "the field stays on at rest for D alone")
    }

    private mutating func take(_ operation: ReaderAction.Operation) {
        pending = operation
        checkWritten(operation)
        switch operation {
        case .beginSession: check(!hasSession, "one session at a time")
        case .beginAgain(let record):
            check(hasSession && isFieldOn, "a kernel begins anew in place of another, with the card there")
            check(
                record.request.map { $0.amount != eur(1250) && $0.amount.minorUnits <= $0.mostAmount.minorUnits }
                    == true,
                "with another amount that may be taken")
        case .waitForCard where machine.run == nil, .holdPrelude where machine.run == nil:
            check(!hasSession && machine.challenge == nil, "a prelude without a payment meets none")
        case .waitForCard, .exchange, .holdPrelude:
            check(hasSession && machine.parked == nil, "a parked kernel uses no antenna")
        case .fieldOff, .sleep, .prepare, .announce, .findLimit, .askAmount, .giveAmount, .reply, .replyIfTaken,
            .replyCard, .resume,
            .askIssuer, .askStatus, .collectPIN, .reverse, .none, .finish, .run, .cancelActivity, .unexpected,
            .consultJournal, .seal, .append, .lookUp:
            break
        }
    }

    private mutating func take(_ effect: ReaderAction.Effect) {
        switch effect {
        case .show(let draft) where hasJournal && [.approved, .approvedSign].contains(draft.request.message):
            // A message of a running kernel does not belong to an outcome.
            let isOfOutcome = event == "journaled" || event == "tapFound"
            let key = machine.run?.tap.key ?? machine.settled?.key ?? Sample.key
            if isOfOutcome { check(isApprovedInBook(key), "an approval is journalled before it is shown") }
        case .publish(.started):
            check(!isTapUnderWay, "two taps never interleave")
            check(machine.challenge == nil, "a payment that waits for its PIN is given up before a tap begins")
            isTapUnderWay = true
        case .publish(.finished):
            finished += 1
            if machine.isIdle { isTapUnderWay = false }
        case .publish(.unresolved(let key)): unresolved.insert(key)
        case .publish, .show: break
        case .dropSession:
            hasSession = false
            removalTimer = nil
            parkedOutcome = nil
        case .startRemovalTimer(let key, _): removalTimer = key
        case .stopRemovalTimer: removalTimer = nil
        case .startPromptTimer(let tap, _): promptTimers.append(tap)
        }
    }

    private mutating func take(_ ending: ReaderAction.Ending) {
        switch ending {
        case .tap(.success(let read)), .tap(.onlinePINRequired(let read)): known.append(read)
        // The field is switched off when the reader disconnects.
        case .tap(.cancelled(.readerDetached)): isFieldOn = isFieldOn && machine.parked != nil
        case .prelude(.cancelled(.readerDetached)): isFieldOn = false
        case .tap, .prelude, .released: break
        case .authorization(.approved) where hasJournal && event == "journaled":
            check(machine.settled.map { isApprovedInBook($0.key) } == true, "an approval is journalled first")
            if let settled = machine.settled { take(settled.result) }
        case .authorization(let result): take(result)
        }
    }

    /// An authorisation's result agrees with the host's bookings.
    private mutating func take(_ result: AuthorizationResult.Ending) {
        guard !["authorize", "pinBrought", "giveUp", "tapFound"].contains(event), let settled = machine.settled else {
            if case .pinRequested(let challenge) = result, let read = machine.challenge?.read {
                challenges.append((read, challenge))
            }
            return
        }
        switch result {
        case .approved(let approval):
            check(
                open.contains(settled.key) == (approval.origin == .issuer), "an approval is the issuer's or the card's")
            if approval.origin == .issuer { approved.insert(settled.key) }
        case .accepted: check(!open.contains(settled.key), "what was deferred does not stand at the host")
        case .declined: check(!open.contains(settled.key), "what is declined does not stand at the host")
        case .failed where settled.result == result, .reversed where settled.result == result:
            check(!open.contains(settled.key), "what failed does not stand at the host")
        case .unknown(let key):
            check(open.contains(key), "what is unknown may stand at the host")
            unresolved.insert(key)
        case .pinRequested(let challenge):
            if let read = machine.challenge?.read { challenges.append((read, challenge)) }
        case .failed, .reversed: break
        }
    }

    /// A parked tap ends only with a new read, its completion, its own authorisation, or `cancel()`.
    private func checkParked(_ before: ReaderStateMachine) {
        guard let parked = before.parked, machine.parked?.key != parked.key else { return }
        let isMeant =
            switch before.state {
            case .preparing, .releasingField, .starting(.complete), .starting(.release): true
            case .idle: event == "cancel()"
            default: before.conversation?.key == parked.key
            }
        check(isMeant, "the parked tap is given up for a reason")
    }

    /// The name of an enumeration case without its associated values.
    private static func name(_ value: Any) -> String {
        Mirror(reflecting: value).children.first?.label ?? String(describing: value)
    }
}

@Suite struct ReaderStateWalkTests {
    @Test("L3: events in any order keep the invariants of the machine")
    func anyOrderOfEventsKeepsTheInvariants() {
        let seeds = ModelSeeds.all()
        var states: Set<String> = [], operations: Set<String> = []
        for seed in seeds {
            var walk = Walk(seed: seed)
            walk.run()
            states.formUnion(walk.coverage.states)
            operations.formUnion(walk.coverage.operations)
        }
        guard seeds.count >= 1_000 else { return }
        #expect(
            states == [
                "idle", "starting", "preparing", "beginningSession", "announcing", "emptyingField", "computing",
                "waitingForCard",
                "exchanging", "pausing", "leavingPoll", "findingLimit", "settlingField", "showing", "collectingPIN",
                "askingIssuer", "askingStatus", "changingAmount", "reversing", "releasingField", "consultingJournal",
                "sealing",
                "writing", "lookingUp",
                "preparingPrelude", "waitingForPrelude", "holdingPrelude", "leavingCard", "closingPrelude",
                "pricing",
            ])
        #expect(
            operations == [
                "none", "finish", "run", "cancelActivity", "prepare", "beginSession", "announce", "waitForCard",
                "exchange", "sleep", "fieldOff", "findLimit", "askAmount", "giveAmount", "reply", "replyIfTaken",
                "replyCard", "resume",
                "askIssuer", "askStatus", "collectPIN", "reverse", "consultJournal", "seal", "append", "lookUp",
                "holdPrelude",
                "beginAgain",
            ])
    }
}
