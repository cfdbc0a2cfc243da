// SPDX-License-Identifier: Apache-2.0
import TestData
import Testing
@testable import EMVKernel
@testable import EMVKit
@testable import EMVPOS

/// Which payment is settled next, which ones wait, and which are due. The test needs no journal, host or clock.
@Suite struct SettlementScheduleTests {
    private static func moment(_ seconds: Int64, run: String = "run") -> JournalMoment {
        JournalMoment(wall: 0, boot: "boot", uptime: 0, elapsed: seconds * 1_000, run: run)
    }

    private func tap(
        _ name: String, _ events: [JournalEvent], at seconds: Int64 = 0, isEstimated: Bool = false,
        _ followUp: FollowUp.Action? = nil, of original: String = "original"
    ) -> JournaledTap {
        let key = ReconciliationKey(rawValue: name)!, moment = SettlementScheduleTests.moment(seconds)
        let intent = with(
            TapIntent(
                amount: eur(1_000), counter: 1, moment: noon,
                followUp: followUp.map { FollowUp($0, of: ReconciliationKey(rawValue: original)!, key: key) })
        ) { $0.isEstimated = isEstimated }
        var tap = JournaledTap(key, intent, at: moment)
        for event in events { try! tap.apply(event, at: moment) }
        return tap
    }

    private func deferred(_ name: String, card: String, counter: UInt8? = nil, at seconds: Int64) -> JournaledTap {
        let record: DataObjects = counter.map { [0x9F36: [0, $0]] } ?? [:]
        let read = StoredRead(
            authorization: .onlineRequired, cvm: .none, maskedPAN: nil, clearRecord: CardData(record.encoded),
            payload: Sample.stored.payload, fingerprint: Fingerprint(rawValue: card))
        return tap(
            name, [.read(read), .asking(attempt: 1, deadline: .zero), .queued(.deferredAuthorization)], at: seconds)
    }

    /// The keys that a pass delivers.
    ///
    /// - Parameter answers: results by key; the host accepts every other key.
    private func delivered(
        _ open: [JournaledTap], _ answers: [String: (isHostThere: Bool, isSetAside: Bool)] = [:],
        _ schedule: SettlementSchedule = SettlementSchedule(SettlementPolicy())
    ) -> [String] {
        var schedule = schedule, keys: [String] = []
        var pass = SettlementPass(open, SettlementScheduleTests.moment(0), schedule)
        while let step = pass.next(&schedule) {
            guard case .work(.deliver(let key)) = step else { continue }
            keys.append(key.rawValue)
            let (isHostThere, isSetAside) = answers[key.rawValue] ?? (true, false)
            if !isHostThere { _ = schedule.failed(key, spread: 0) }
            pass.delivered(isHostThere: isHostThere, isSetAside: isSetAside, schedule)
        }
        return keys
    }

    @Test("Of one card, payments are delivered by its counter; one without a counter goes first")
    func oneCardGoesByItsCounter() {
        let open = [
            deferred("late", card: "one", counter: 2, at: 0), deferred("other", card: "two", at: 1),
            deferred("early", card: "one", counter: 1, at: 2), deferred("none", card: "one", at: 3),
        ]
        #expect(delivered(open) == ["none", "other", "early", "late"])
        // The payment that fails holds back only the later ones of its card.
        #expect(delivered(open, ["none": (false, false)]) == ["none", "other"])
        #expect(delivered(open, ["none": (true, true)]) == ["none", "other", "early", "late"])
        var schedule = SettlementSchedule(SettlementPolicy())
        _ = schedule.failed(open[2].key, spread: 0)
        #expect(delivered(open, [:], schedule) == ["none", "other"])
        schedule.hurry()
        #expect(delivered(open, [:], schedule).count == 4)
    }

    @Test("Follow-ups of one payment go in order: what fails, waits or is set aside holds back the later ones")
    func followUpsGoInOrder() {
        let capture = tap("capture", [.queued(.capture)], .capture(eur(900), tip: nil))
        let refund = tap("refund", [.queued(.refund)], at: 1, .refund(eur(100)))
        let other = tap("other", [.queued(.capture)], at: 2, .capture(eur(900), tip: nil), of: "another")
        let open = [capture, refund, other]
        #expect(delivered(open) == ["capture", "refund", "other"])
        for answer in [(isHostThere: false, isSetAside: false), (true, true)] {
            #expect(delivered(open, ["capture": answer]) == ["capture", "other"])
        }
        var schedule = SettlementSchedule(SettlementPolicy())
        _ = schedule.failed(capture.key, spread: 0)
        #expect(delivered(open, [:], schedule) == ["other"])
        let aside = tap(
            "capture", [.queued(.capture), .forwarding(attempt: 1), .setAside("x")], .capture(eur(900), tip: nil))
        #expect(delivered([aside, refund, other]) == ["other"])
        // A void does not wait for a person to resolve a set-aside increment, but it does wait for an increment that is
        // being sent.
        let void = tap("void", [.queued(.void)], at: 1, .void)
        let sent: [JournalEvent] = [.queued(.increment), .forwarding(attempt: 1)]
        #expect(delivered([tap("increment", sent + [.setAside("x")], .increment(eur(1))), void]) == ["void"])
        let increment = tap("increment", sent, .increment(eur(1)))
        #expect(delivered([increment, void], ["increment": (false, false)]) == ["increment"])
        #expect(delivered([increment, void], ["increment": (true, true)]) == ["increment", "void"])
    }

    @Test("After three deliveries in a row without the host, a pass ends")
    func aPassEndsWithoutTheHost() {
        let open = (0..<6).map { deferred("\($0)", card: "\($0)", at: Int64($0)) }
        let absent = (isHostThere: false, isSetAside: false)
        #expect(delivered(open, ["0": absent, "1": absent, "2": absent]) == ["0", "1", "2"])
        #expect(delivered(open, ["0": absent, "1": absent, "3": absent, "4": absent]).count == 6)
    }

    @Test("A pass settles, expires, forgets and closes, then delivers; what waits is left")
    func stepsOfAPass() {
        let day: Int64 = 86_400
        let left = [tap("left", [.read(Sample.stored)]), tap("waits", [.read(Sample.stored)])]
        let asked: [JournalEvent] = [.read(Sample.stored), .asking(attempt: 1, deadline: .zero)]
        let approved = asked + [.answered(.approved(Approval()))]
        let estimate = tap("estimate", approved + [.acknowledged], isEstimated: true)
        let over = tap("over", approved + [.erased(.account), .acknowledged])
        let owed = deferred("owed", card: "one", at: 0)
        let open = left + [estimate, over, owed, tap("new", asked, at: day)]
        var schedule = SettlementSchedule(SettlementPolicy(captureWithin: .seconds(3_600)))
        _ = schedule.failed(left[1].key, spread: 0)
        func steps(_ now: JournalMoment?) -> [SettlementPass.Step] {
            var pass = SettlementPass(open, now, schedule), steps: [SettlementPass.Step] = []
            while let step = pass.next(&schedule) { steps.append(step) }
            return steps
        }
        let now = SettlementScheduleTests.moment(day)
        let first: [SettlementPass.Step] = [
            .work(.settle(left[0].key)), .work(.expire(estimate.key)), .forget(estimate.key), .closeIfOver(over.key),
        ]
        let captured: [SettlementPass.Step] = [.closeIfCaptured(estimate.key), .closeIfCaptured(over.key)]
        let last: [SettlementPass.Step] = [.work(.deliver(owed.key))]
        #expect(steps(now) == first + captured + last)
        #expect(schedule.hasSoughtCaptured)
        #expect(steps(now) == first + last)
        schedule.soughtCaptured(false)
        // Without a time only payments that no reader of this process works on are settled.
        let settled: [SettlementPass.Step] = ["left", "new"].map { .work(.settle(ReconciliationKey(rawValue: $0)!)) }
        #expect(steps(nil) == settled + last)
        #expect(!schedule.hasSoughtCaptured)
    }

    @Test("What a reader of this process may still work on is left to it")
    func whatIsLeft() {
        let schedule = SettlementSchedule(SettlementPolicy())
        let asked: [JournalEvent] = [.read(Sample.stored), .asking(attempt: 1, deadline: .seconds(30))]
        // Seconds after which its reader has abandoned it; nil: never.
        let table: [([JournalEvent], Int64?)] = [
            ([], nil), ([.read(Sample.stored)], 3_600), (asked, 660), (asked + [.challenged], 660),
        ]
        for (events, seconds) in table {
            let tap = tap("key", events)
            for age in [0, (seconds ?? 1_000_000), (seconds ?? 1_000_000) + 1] {
                let isLeft = seconds.map { age > $0 } ?? false
                #expect(schedule.isLeft(tap, SettlementScheduleTests.moment(age)) == isLeft, "\(tap.state) \(age)")
            }
            #expect(schedule.isLeft(tap, SettlementScheduleTests.moment(0, run: "next")))
            #expect(schedule.isLeft(tap, nil))
        }
        #expect(schedule.isLeft(tap("key", asked + [.reversing(.timedOut)]), SettlementScheduleTests.moment(0)))
        #expect(!schedule.isLeft(tap("key", asked + [.queued(.deferredAuthorization)]), nil))
    }

    @Test("After three silent calls a recovery asks the host no more, and closes what needs no host")
    func recoveryWithoutTheHost() {
        var schedule = SettlementSchedule(SettlementPolicy())
        let read = tap("read", [.read(Sample.stored)])
        let asking = tap("asking", [.read(Sample.stored), .asking(attempt: 1, deadline: .zero)])
        for number in 0..<4 {
            #expect(schedule.isRecovered(asking, nil) == (number < 3))
            #expect(schedule.isRecovered(read, nil))
            schedule.hostAnswered(false)
        }
        schedule.recoveryBegan()
        #expect(schedule.isRecovered(asking, nil))
    }

    @Test("The next pass comes when the first failure has waited, and after the interval at the latest")
    func pauses() {
        var schedule = SettlementSchedule(SettlementPolicy(interval: .seconds(3)))
        let one = ReconciliationKey(rawValue: "one")!, other = ReconciliationKey(rawValue: "other")!
        #expect(schedule.pause == .seconds(3))
        _ = schedule.failed(one, spread: 0)
        _ = schedule.failed(other, wait: .seconds(10), spread: 0)
        #expect(schedule.pause == .seconds(1))
        schedule.timePassed(.seconds(1))
        #expect(schedule.waiting == [other: .seconds(9)] && schedule.pause == .seconds(3))
        _ = schedule.failed(one, wait: .zero, spread: 0)
        #expect(schedule.waiting[one] == .seconds(1), "a host that says at once is not asked without end")
        schedule.succeeded(one)
        #expect(schedule.failures == [other: 1] && schedule.waiting == [other: .seconds(9)])
    }

    @Test("L31: each time that the queue grows old it is warned of once")
    func ageingIsWarnedOf() {
        var schedule = SettlementSchedule(SettlementPolicy(warning: .seconds(72_000)))
        let ages: [Duration?] = [nil, .seconds(71_999), .seconds(72_000), .seconds(80_000), nil, .seconds(72_000)]
        #expect(
            ages.map { schedule.aged($0) }
                == [nil, nil, .ageing(.seconds(72_000)), nil, nil, .ageing(.seconds(72_000))])
    }
}
