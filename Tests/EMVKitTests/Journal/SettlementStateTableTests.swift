// SPDX-License-Identifier: Apache-2.0
import TestData
import Testing
@testable import EMVKernel
@testable import EMVKit
@testable import EMVPOS

/// The decisions of a settlement as tables: each kind of work in each state of a payment, each state of the machine
/// with each event, each answer of a host. The test needs no journal, host or clock.
@Suite struct SettlementStateTableTests {
    private typealias Machine = SettlementStateMachine
    private typealias Operation = SettlementAction.Operation

    private static let key = ReconciliationKey(rawValue: "payment")!
    private static let otherKey = ReconciliationKey(rawValue: "other")!
    private static let moment = JournalMoment(wall: 0, boot: "boot", uptime: 0, elapsed: 0, run: "run")
    private static let approval = Approval(code: "123456")

    private static func tap(
        _ events: [JournalEvent], isEstimated: Bool = false, _ followUp: FollowUp? = nil,
        at moment: JournalMoment = moment
    ) -> JournaledTap {
        let intent = with(TapIntent(amount: eur(1_000), counter: 1, moment: noon, followUp: followUp)) {
            $0.isEstimated = isEstimated
        }
        var tap = JournaledTap(followUp?.key ?? key, intent, at: moment)
        for event in events { try! tap.apply(event, at: moment) }
        return tap
    }

    private static let asked: [JournalEvent] = [.read(Sample.stored), .asking(attempt: 1, deadline: .seconds(30))]
    private static let queued = asked + [.queued(.deferredAuthorization)]
    private static let approved = asked + [.answered(.approved(approval))]

    /// A payment in each state. Deliberately exhaustive: a new state must be added here and below.
    private static func tap(in state: JournaledTap.State) -> JournaledTap {
        switch state {
        case .began: tap([])
        case .read: tap([.read(Sample.stored)])
        case .asking: tap(asked)
        case .challenged: tap(asked + [.challenged])
        case .approved: tap(approved)
        case .declined: tap(asked + [.answered(.declined(Decline(reason: .issuer)))])
        case .reversing: tap(asked + [.reversing(.timedOut)])
        case .reversed: tap(asked + [.reversing(.timedOut), .reversed])
        case .queued: tap(queued)
        case .forwarding: tap(queued + [.forwarding(attempt: 1)])
        case .setAside: tap(queued + [.forwarding(attempt: 1), .setAside("field 4")])
        case .withdrawn: tap(queued + [.withdrawn])
        case .writtenOff: tap(queued + [.writtenOff(by: "administrator 7", reason: "lost")])
        case .closed: tap([.closed])
        }
    }

    private static func refund(_ amount: UInt64) -> JournaledTap {
        let followUp = FollowUp(.refund(eur(amount)), of: key, key: otherKey)
        return tap([.queued(.refund)], followUp)
    }

    private func reversal(_ reason: Reversal.Reason, attempt: Int = 1) -> Reversal {
        Reversal(
            key: SettlementStateTableTests.key, reason: reason, amount: eur(1_000), moment: noon, attempt: attempt,
            read: Sample.stored)
    }

    private func machine(
        _ work: SettlementWork? = nil, _ state: Machine.State = .idle, _ policy: SettlementPolicy = SettlementPolicy()
    ) -> Machine {
        var machine = Machine(policy)
        machine.work = work
        machine.state = state
        return machine
    }

    // MARK: The start of each kind of work

    private func begins(_ work: SettlementWork, _ state: JournaledTap.State) -> Operation {
        let key = SettlementStateTableTests.key
        switch (work, state) {
        case (.settle, .began): return .append([.closed], key)
        case (.settle, .read): return .append([.closed, .erased(.account)], key)
        case (.settle, .asking): return .askStatus(key)
        case (.settle, .challenged): return .append([.reversing(.pinMissing)], key)
        case (.settle, .reversing): return .reverse(reversal(.timedOut, attempt: 2))
        case (.deliver, .queued), (.retry, .queued): return .append([.forwarding(attempt: 1)], key)
        case (.deliver, .forwarding), (.retry, .forwarding), (.retry, .setAside):
            return .append([.forwarding(attempt: 2)], key)
        case (.deliver, _), (.retry, _):
            return .finish(.delivered(isHostThere: true, isSetAside: state == .setAside))
        case (.withdraw, .queued): return .append([.withdrawn, .erased(.account)], key)
        case (.withdraw, .forwarding): return .append([.reversing(.withdrawn)], key)
        case (.withdraw, _): return .finish(.failed(.outOfOrder(state)))
        case (.expire, .approved): return .findFollowUps(key)
        case (.settle, _), (.expire, _): return .finish(.settled(nil))
        }
    }

    private static let works: [SettlementWork] = [
        .settle(key), .deliver(key), .retry(key), .withdraw(key), .expire(key),
    ]

    @Test("Each work begins with what each state of a payment needs", arguments: works)
    func worksBegin(_ work: SettlementWork) {
        for state in JournaledTap.State.allCases {
            var machine = machine()
            let first = machine.requested(work, acceptsSimulatedReads: false, spread: 0)
            #expect(first == SettlementAction(operation: .find(work.key)))
            let tap = SettlementStateTableTests.tap(in: state)
            #expect(tap.state == state)
            let action = machine.found(tap)
            #expect(action == SettlementAction(operation: begins(work, state)), "\(work) \(state)")
            if case .finish = action.operation { #expect(machine.state == .idle && machine.work == nil) }
        }
    }

    @Test("A payment that is not in the journal is left alone")
    func unknownPayments() {
        let endings: [SettlementAction.Ending] = [
            .settled(nil), .delivered(isHostThere: true, isSetAside: false),
            .delivered(isHostThere: true, isSetAside: false), .failed(.unknownKey(SettlementStateTableTests.key)),
            .settled(nil),
        ]
        for (work, ending) in zip(SettlementStateTableTests.works, endings) {
            var machine = machine(work, .finding)
            #expect(machine.found(nil).operation == .finish(ending), "\(work)")
        }
    }

    // MARK: Each state with each event

    private enum Event: CaseIterable {
        case requested, found, settledFound, followUpsFound, written, closed, statusAnswered, reversed, delivered

        func happen(to machine: inout Machine) -> SettlementAction {
            switch self {
            case .requested:
                machine.requested(.settle(SettlementStateTableTests.key), acceptsSimulatedReads: false, spread: 0)
            case .found: machine.found(nil)
            case .settledFound: machine.settledFound(nil)
            case .followUpsFound: machine.followUpsFound([])
            case .written: machine.written()
            case .closed: machine.closed()
            case .statusAnswered: machine.statusAnswered(nil)
            case .reversed: machine.reversed(true)
            case .delivered: machine.delivered(nil)
            }
        }
    }

    private func awaited(in state: Machine.State) -> Event {
        switch state {
        case .idle: .requested
        case .finding, .findingOriginal: .found
        case .telling: .settledFound
        case .findingSiblings, .findingFollowUps: .followUpsFound
        case .askingStatus: .statusAnswered
        case .writing: .written
        case .reversing: .reversed
        case .delivering: .delivered
        case .closing, .closingOriginal: .closed
        }
    }

    private static let states: [(SettlementWork, Machine.State)] = {
        let asking = tap(in: .asking), held = tap(asked + [.restored])
        let forwarding = tap(in: .forwarding), record = forwarding.record(attempt: 2)!
        let reversal = Reversal(key: key, reason: .timedOut, amount: eur(1_000), moment: noon)
        let accepted = JournalEvent.forwarded(.approved(approval)), refund = SettlementStateTableTests.refund(100)
        return [
            (.settle(key), .finding), (.settle(key), .askingStatus(asking)), (.settle(key), .reversing(asking)),
            (.settle(key), .askingStatus(held)), (.withdraw(key), .writing(.reverse(held, reversal))),
            (.settle(key), .writing(.reverse(asking, reversal))), (.settle(key), .writing(.tell)),
            (.settle(key), .telling(.settled)), (.withdraw(key), .finding), (.withdraw(key), .telling(.settled)),
            (.withdraw(key), .findingFollowUps(tap(in: .approved))), (.withdraw(key), .reversing(asking)),
            (.expire(key), .findingFollowUps(tap(in: .approved))), (.expire(key), .telling(.settled)),
            (.deliver(otherKey), .findingOriginal(refund)),
            (.deliver(otherKey), .findingSiblings(refund, of: tap(approved, isEstimated: true))),
            (.deliver(key), .askingStatus(forwarding)), (.deliver(key), .writing(.deliver(forwarding, record))),
            (.deliver(key), .writing(.end(forwarding, .setAside("x")))),
            (.deliver(key), .writing(.close(forwarding, accepted))), (.deliver(key), .delivering(forwarding)),
            (.deliver(key), .closing(forwarding, accepted)),
            (.deliver(key), .telling(.delivered(isSetAside: true))), (.deliver(otherKey), .telling(.followed(key))),
            (.deliver(otherKey), .closingOriginal), (.retry(key), .finding),
        ]
    }()

    @Test("A state takes what it waits for and nothing else")
    func statesAndEvents() {
        for (work, state) in SettlementStateTableTests.states + [(.settle(SettlementStateTableTests.key), .idle)] {
            for event in Event.allCases {
                var machine = machine(state == .idle ? nil : work, state)
                let before = machine
                let action = event.happen(to: &machine)
                if event == awaited(in: state) {
                    #expect(action.operation != .unexpected && machine != before, "\(state) \(event)")
                } else {
                    #expect(action == SettlementAction(operation: .unexpected), "\(state) \(event)")
                    #expect(machine == before, "\(state) \(event)")
                }
            }
        }
    }

    @Test("Where the journal fails, the work ends; the failure is published, or thrown to who asked")
    func journalFailures() {
        let error = JournalError.unavailable("test")
        for (work, state) in SettlementStateTableTests.states {
            var machine = machine(work, state)
            let action = machine.failed(error)
            let isTelling = if case .telling = state { true } else { false }
            var published: [SettlementEvent] = [.journalFailed(error)]
            let operation: Operation
            switch work {
            case .settle: operation = .finish(.settled(nil))
            case .withdraw:
                published = []
                operation = .finish(isTelling ? .settled(nil) : .failed(error))
            case .expire:
                if isTelling { published = [] }
                operation = .finish(.settled(nil))
            case .deliver, .retry:
                if isTelling { published = [] } else { #expect(machine.schedule.waiting[work.key] != nil) }
                operation =
                    switch state {
                    case .telling(.followed(let original)): .closeIfCaptured(original)
                    case .telling(.delivered(let isSetAside)):
                        .finish(.delivered(isHostThere: true, isSetAside: isSetAside))
                    default: .finish(.delivered(isHostThere: true, isSetAside: false))
                    }
            }
            #expect(action == SettlementAction(events: published, operation: operation), "\(work) \(state)")
        }
        var machine = machine(.expire(SettlementStateTableTests.key), .writing(.tell))
        #expect(
            machine.failed(.followUpRefused(.notPossible, of: SettlementStateTableTests.key))
                == SettlementAction(operation: .finish(.settled(nil))), "it is captured")
    }

    // MARK: Answers of the host

    @Test("What the host says of a request whose answer was lost", arguments: [false, true])
    func statusOfRequests(_ keeps: Bool) {
        let key = SettlementStateTableTests.key, tap = SettlementStateTableTests.tap(in: .asking)
        let approval = SettlementStateTableTests.approval, decline = Decline(reason: .issuer)
        let reverse = Operation.append([.reversing(.answerLost)], key)
        let kept = Operation.append([.answered(.approved(approval)), .erased(.account)], key)
        let answers: [(HostStatus?, Operation)] = [
            (nil, reverse), (.neverSeen, reverse), (.inProgress, reverse), (.unsupported, reverse),
            (.approved(approval), keeps ? kept : reverse),
            (.approved(Approval(approvedAmount: eur(600))), reverse),
            (.declined(decline), .append([.answered(.declined(decline)), .erased(.account)], key)),
            (.reversed, .append([.reversing(.answerLost), .reversed, .erased(.account)], key)),
        ]
        for (status, operation) in answers {
            var machine = machine(.settle(key), .askingStatus(tap), SettlementPolicy(keepsApprovals: keeps))
            #expect(machine.statusAnswered(status) == SettlementAction(operation: operation), "\(status as Any)")
            #expect(machine.schedule.silence == (status == nil ? 1 : 0))
        }
    }

    /// Payments in a restored journal whose result is unknown.
    private static let held: [JournaledTap] = [
        tap(asked + [.restored]), tap(asked + [.challenged, .restored]),
        tap(asked + [.reversing(.timedOut), .restored]),
    ]

    @Test("The host is asked for a payment of a restored journal, and nothing is reversed", arguments: [false, true])
    func statusOfHeldPayments(_ keeps: Bool) {
        let key = SettlementStateTableTests.key, approval = SettlementStateTableTests.approval
        let part = Approval(approvedAmount: eur(600)), decline = Decline(reason: .issuer)
        let answers: [(HostStatus?, asked: [JournalEvent]?, reversing: [JournalEvent]?)] = [
            (nil, nil, nil), (.neverSeen, nil, nil), (.inProgress, nil, nil), (.unsupported, nil, nil),
            (.approved(approval), [.answered(.approved(approval))], nil),
            (.approved(part), [.answered(.approved(part))], nil),
            (.approved(Approval(approvedAmount: eur(1_001))), nil, nil),
            (.declined(decline), [.answered(.declined(decline))], [.reversed]),
            (.reversed, [.reversing(.answerLost), .reversed], [.reversed]),
        ]
        for tap in SettlementStateTableTests.held {
            for (status, asked, reversing) in answers {
                var machine = machine(nil, .idle, SettlementPolicy(keepsApprovals: keeps, attemptsUntilTold: 2))
                var told: [[SettlementEvent]] = []
                // Repeated: a person is told of the restored journal the first time only, and of the failures later.
                for _ in 1...3 {
                    _ = machine.requested(.settle(key), acceptsSimulatedReads: false, spread: 0)
                    #expect(machine.found(tap).operation == .askStatus(key))
                    let action = machine.statusAnswered(status)
                    let end = tap.state == .reversing ? reversing : asked
                    if let end {
                        #expect(action == SettlementAction(operation: .append(end + [.erased(.account)], key)))
                        #expect(machine.schedule.waiting[key] == nil)
                        var ended = tap
                        for event in end { try! ended.apply(event, at: SettlementStateTableTests.moment) }
                        #expect(!ended.isUnresolved, "\(tap.state) \(status as Any)")
                        break
                    }
                    told.append(action.events)
                    #expect(action.operation == .findSettled(key), "\(tap.state) \(status as Any)")
                    #expect(machine.schedule.waiting[key] != nil && machine.state == .telling(.settled))
                    _ = machine.settledFound(Settled(tap, related: []))
                }
                if !told.isEmpty { #expect(told == [[.restored(key)], [.unresolved(key, attempts: 2)], []]) }
            }
        }
    }

    @Test("A person decides what the host does not tell: from then on the payment is reversed as any other")
    func heldPaymentsAreWithdrawn() throws {
        let key = SettlementStateTableTests.key
        for tap in SettlementStateTableTests.held {
            var machine = machine()
            _ = machine.schedule.failed(key, spread: 0)
            _ = machine.requested(.withdraw(key), acceptsSimulatedReads: false, spread: 0)
            #expect(machine.found(tap).operation == .append([.reversing(.withdrawn)], key))
            #expect(machine.written().operation == .reverse(reversal(.withdrawn)))
            _ = machine.reversed(false)
            _ = machine.settledFound(nil)
            var begun = tap
            try begun.apply(.reversing(.withdrawn), at: SettlementStateTableTests.moment)
            _ = machine.requested(.settle(key), acceptsSimulatedReads: false, spread: 0)
            #expect(machine.found(begun).operation == .reverse(reversal(.withdrawn, attempt: 2)))
            // No other work starts it.
            for work in [SettlementWork.deliver(key), .retry(key)] {
                machine = self.machine(work, .finding)
                #expect(machine.found(tap).operation == .finish(.delivered(isHostThere: true, isSetAside: false)))
            }
            #expect(tap.handingOver(isLeft: true) == [])
            let schedule = SettlementSchedule(SettlementPolicy())
            #expect(schedule.isLeft(tap, SettlementStateTableTests.moment), "of whatever opening of the journal")
        }
        let estimate = SettlementStateTableTests.tap(SettlementStateTableTests.approved, isEstimated: true)
        var restored = estimate
        try restored.apply(.restored, at: SettlementStateTableTests.moment)
        let schedule = SettlementSchedule(SettlementPolicy(captureWithin: .zero))
        #expect(schedule.isExpired(estimate, SettlementStateTableTests.moment))
        #expect(!schedule.isExpired(restored, SettlementStateTableTests.moment), "it may be captured")
    }

    @Test("What the host says of a record that it took down")
    func statusOfRecords() {
        let key = SettlementStateTableTests.key, tap = SettlementStateTableTests.tap(in: .forwarding)
        let approval = SettlementStateTableTests.approval, decline = Decline(reason: .issuer)
        let again = Operation.append([.forwarding(attempt: 2)], key)
        let answers: [(HostStatus?, Operation)] = [
            (nil, .finish(.delivered(isHostThere: false, isSetAside: false))),
            (.inProgress, .finish(.delivered(isHostThere: true, isSetAside: false))),
            (.neverSeen, again), (.reversed, again), (.unsupported, again),
            (.approved(approval), .append([.forwarded(.approved(approval)), .erased(.payload)], key)),
            (.declined(decline), .append([.forwarded(.declined(decline)), .erased(.payload)], key)),
        ]
        for (status, operation) in answers {
            var machine = machine()
            machine.schedule.isUndecided(key)
            _ = machine.requested(.deliver(key), acceptsSimulatedReads: false, spread: 0)
            #expect(machine.found(tap).operation == .askStatus(key))
            #expect(machine.statusAnswered(status).operation == operation, "\(status as Any)")
            let isWaiting = status == nil || status == .inProgress
            #expect((machine.schedule.waiting[key] != nil) == isWaiting)
            #expect(machine.schedule.undecided.contains(key) == isWaiting)
        }
    }

    @Test("What the host makes of a record, by the kind of the record")
    func deliveries() {
        let decline = Decline(reason: .issuer, responseCode: "05"), approval = SettlementStateTableTests.approval
        let capture = FollowUp(
            .capture(eur(1_000), tip: nil), of: SettlementStateTableTests.key, key: SettlementStateTableTests.otherKey)
        let byCard = StoredRead(
            authorization: .approvedOffline, cvm: .none, maskedPAN: nil, clearRecord: CardData([]),
            payload: Sample.stored.payload)
        let taps = [
            SettlementStateTableTests.tap(in: .forwarding),
            SettlementStateTableTests.tap(
                [.read(byCard), .queued(.offlineApproval), .forwarding(attempt: 1)]),
            SettlementStateTableTests.tap([.queued(.capture), .forwarding(attempt: 1)], capture),
        ]
        let expired = JournaledTap.StoredResult.declined(Decline(reason: .expired))
        // By delivery, the events written for a deferred payment, an approval of the card and a capture; nil: it waits.
        let table: [(Delivery, [JournalEvent?])] = [
            (.accepted(approval), Array(repeating: .forwarded(.approved(approval)), count: 3)),
            (
                .accepted(Approval(approvedAmount: eur(1_001))),
                Array(repeating: .setAside("approved: \(eur(1_001))"), count: 3)
            ),
            (
                .refused(decline),
                [.forwarded(.declined(decline)), .setAside("refused, 05"), .forwarded(.declined(decline))]
            ),
            (
                .received,
                [
                    nil, .forwarded(.approved(Approval(origin: .card, responseCode: "Y1"))),
                    .forwarded(.approved(Approval())),
                ]
            ),
            (.expired, [.forwarded(expired), .setAside("expired"), .forwarded(expired)]),
            (.retryLater(after: .seconds(7)), [nil, nil, nil]),
            (.malformed("field 4"), Array(repeating: .setAside("field 4"), count: 3)),
        ]
        let erased: [[JournalEvent]] = [[.erased(.payload)], [.erased(.account)], []]
        for (delivery, ends) in table {
            for (number, tap) in taps.enumerated() {
                var machine = machine(.deliver(tap.key), .delivering(tap))
                let operation = machine.delivered(delivery).operation
                if let end = ends[number] {
                    let events = [end] + (end.name == .forwarded ? erased[number] : [])
                    #expect(operation == .append(events, tap.key), "\(delivery) \(number)")
                } else {
                    #expect(operation == .finish(.delivered(isHostThere: true, isSetAside: false)))
                    #expect(machine.schedule.waiting[tap.key] != nil)
                    #expect(machine.schedule.undecided.contains(tap.key) == (delivery == .received))
                }
            }
        }
        var machine = machine(.deliver(taps[0].key), .delivering(taps[0]))
        #expect(machine.delivered(nil).operation == .finish(.delivered(isHostThere: false, isSetAside: false)))
    }

    @Test("A record of a simulated card is set aside unless the host accepts such", arguments: [false, true])
    func simulatedReads(_ isAccepted: Bool) {
        let key = SettlementStateTableTests.key
        let read = StoredRead(
            authorization: .approvedOffline, cvm: .none, maskedPAN: nil, clearRecord: CardData([]), isSimulated: true)
        let tap = SettlementStateTableTests.tap([.read(read), .queued(.offlineApproval)])
        var machine = machine()
        _ = machine.requested(.deliver(key), acceptsSimulatedReads: isAccepted, spread: 0)
        #expect(machine.found(tap).operation == .append([.forwarding(attempt: 1)], key))
        let next = machine.written().operation
        #expect(next == (isAccepted ? .deliver(tap.record(attempt: 1)!) : .append([.setAside("simulated card")], key)))
    }

    @Test("A reversal that is confirmed is written; one that is not waits, and a person is told once")
    func reversals() {
        let key = SettlementStateTableTests.key, tap = SettlementStateTableTests.tap(in: .reversing)
        let state = Machine.State.reversing(tap), policy = SettlementPolicy(jitter: 0.5, attemptsUntilTold: 2)
        var machine = machine(.settle(key), state, policy)
        #expect(machine.reversed(true).operation == .append([.reversed, .erased(.account)], key))
        var events: [[SettlementEvent]] = []
        for attempt in 1...3 {
            machine = self.machine(nil, .idle, policy)
            for _ in 1..<attempt { _ = machine.schedule.failed(key, spread: 0) }
            _ = machine.requested(.settle(key), acceptsSimulatedReads: false, spread: 1)
            let asked = machine.found(tap).operation
            #expect(asked == .reverse(reversal(.timedOut, attempt: max(2, attempt))))
            let action = machine.reversed(false)
            #expect(action.operation == .findSettled(key) && machine.state == .telling(.settled))
            #expect(machine.schedule.waiting[key] == policy.pause(after: attempt, spread: 1))
            events.append(action.events)
            // A result that is still unknown is not reported again.
            let settled = Settled(tap, related: [])
            #expect(machine.settledFound(settled) == SettlementAction(operation: .finish(.settled(settled))))
        }
        #expect(events == [[], [.unresolved(key, attempts: 2)], []])
    }

    @Test("A refund of more than the host has captured is set aside", arguments: [100, 101] as [UInt64])
    func refundsBeyondCaptures(_ amount: UInt64) {
        let key = SettlementStateTableTests.key, refund = SettlementStateTableTests.refund(amount)
        let original = SettlementStateTableTests.tap(SettlementStateTableTests.approved, isEstimated: true)
        let followUp = FollowUp(.capture(eur(100), tip: nil), of: key)
        let intent = TapIntent(amount: eur(100), counter: 0, moment: noon, followUp: followUp)
        var capture = JournaledTap(followUp.key, intent, at: SettlementStateTableTests.moment)
        for event in [
            JournalEvent.queued(.capture), .forwarding(attempt: 1), .forwarded(.approved(Approval())),
        ] {
            try! capture.apply(event, at: SettlementStateTableTests.moment)
        }
        var machine = machine()
        _ = machine.requested(.deliver(refund.key), acceptsSimulatedReads: false, spread: 0)
        #expect(machine.found(refund).operation == .find(key))
        #expect(machine.found(original).operation == .findFollowUps(key))
        #expect(machine.followUpsFound([capture, refund]).operation == .append([.forwarding(attempt: 1)], refund.key))
        let next = machine.written().operation
        let aside = Operation.append([.setAside("more than was captured")], refund.key)
        #expect(next == (amount == 100 ? .deliver(refund.record(attempt: 1)!) : aside))
    }

    @Test("A void names what is authorised when it is first sent, and ends the retries of an increment")
    func voidsAndIncrements() {
        let key = SettlementStateTableTests.key
        let original = SettlementStateTableTests.tap(SettlementStateTableTests.approved, isEstimated: true)
        func tap(_ action: FollowUp.Action, _ name: String, _ events: [JournalEvent]) -> JournaledTap {
            let followUp = FollowUp(action, of: key, key: ReconciliationKey(rawValue: name)!)
            let amount = action == .void ? eur(1_000) : eur(500)
            let intent = TapIntent(amount: amount, counter: 0, moment: noon, followUp: followUp)
            var tap = JournaledTap(followUp.key, intent, at: SettlementStateTableTests.moment)
            for event in [JournalEvent.queued(followUp.kind)] + events {
                try! tap.apply(event, at: SettlementStateTableTests.moment)
            }
            return tap
        }
        func siblings(_ tap: JournaledTap, _ work: SettlementWork, _ others: [JournaledTap]) -> (Machine, Operation) {
            var machine = self.machine(work, .finding)
            #expect(machine.found(tap).operation == .find(key))
            #expect(machine.found(original).operation == .findFollowUps(key))
            let operation = machine.followUpsFound(others + [tap]).operation
            return (machine, operation)
        }
        let sent = JournalEvent.forwarding(attempt: 1)
        let accepted = tap(.increment(eur(500)), "accepted", [sent, .forwarded(.approved(Approval()))])
        let aside = tap(.increment(eur(500)), "aside", [sent, .setAside("x")])
        let void = tap(.void, "void", [])
        #expect(siblings(void, .deliver(void.key), [aside]).1 == .append([sent], void.key))
        var (machine, operation) = siblings(void, .deliver(void.key), [accepted, aside])
        #expect(operation == .append([.changed(eur(1_500)), sent], void.key))
        guard case .deliver(let record) = machine.written().operation else { Issue.record("not sent"); return }
        #expect(record.amount == eur(1_500))
        // The host approves that amount.
        operation = machine.delivered(.accepted(Approval(approvedAmount: eur(1_500)))).operation
        #expect(operation == .append([.forwarded(.approved(Approval(approvedAmount: eur(1_500))))], void.key))
        // An amount that was sent is kept.
        let repeated = tap(.void, "void", [.changed(eur(1_500)), sent])
        #expect(siblings(repeated, .deliver(void.key), [accepted]).1 == .append([.forwarding(attempt: 2)], void.key))
        let again = Operation.append([.forwarding(attempt: 2)], aside.key)
        #expect(siblings(aside, .retry(aside.key), [accepted]).1 == again)
        #expect(
            siblings(aside, .retry(aside.key), [void]).1 == .finish(.failed(.followUpRefused(.voided, of: key))))
        let refused = tap(.void, "void", [sent, .forwarded(.declined(Decline(reason: .issuer)))])
        #expect(siblings(aside, .retry(aside.key), [refused]).1 == again)
    }

    @Test("Once the host has a follow-up, its payment is looked at, and is looked at again where that fails")
    func capturesCloseTheirEstimate() {
        let followUp = FollowUp(
            .capture(eur(1_000), tip: nil), of: SettlementStateTableTests.key, key: SettlementStateTableTests.otherKey)
        let tap = SettlementStateTableTests.tap([.queued(.capture), .forwarding(attempt: 1)], followUp)
        let event = JournalEvent.forwarded(.approved(SettlementStateTableTests.approval))
        for isFailing in [false, true] {
            var machine = machine(.deliver(tap.key), .writing(.close(tap, event)))
            machine.schedule.soughtCaptured(true)
            #expect(machine.written().operation == .closeIfOver(tap.key))
            #expect(machine.closed().operation == .findSettled(tap.key))
            var accepted = tap
            try! accepted.apply(event, at: SettlementStateTableTests.moment)
            let settled = Settled(accepted, related: [])
            let close = Operation.closeIfCaptured(SettlementStateTableTests.key)
            let told = SettlementAction(events: [.settled(settled!)], operation: close)
            #expect(machine.settledFound(settled) == told)
            let end = isFailing ? machine.failed(.full) : machine.closed()
            #expect(end.operation == .finish(.delivered(isHostThere: true, isSetAside: false)))
            #expect(machine.schedule.hasSoughtCaptured == !isFailing)
        }
    }
}
