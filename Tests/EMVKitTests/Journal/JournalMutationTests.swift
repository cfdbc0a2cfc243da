// SPDX-License-Identifier: Apache-2.0
#if DEBUG
@testable import EMVKit
import EMVSimulator
import Foundation
import Testing

/// How many deliberate faults of the fold, and of the order of writing, the checks of the journal detect. They are
/// chosen at run time (`JournalMutation`), so that nothing is built again: every fifth, or all with `EMV_MUTANTS=all`.
@Suite(.timeLimit(.minutes(60))) struct JournalMutationTests {
    private static let isWhole = ProcessInfo.processInfo.environment["EMV_MUTANTS"] == "all"

    /// Every fifth, of which the edges of a state and the faults of an event are no multiple.
    private static func chosen(_ all: [JournalMutation]) -> [JournalMutation] {
        isWhole ? all : all.enumerated().filter { $0.offset % 5 == 0 }.map(\.element)
    }

    /// Faults that change nothing that anybody could see, and why.
    private static let equivalent: [JournalMutation: String] = [
        .unguarded(.read): "the table takes it in `began` alone, where nothing was read before",
        .unnoted(.reversed): "what a reversal makes unknown to the app became so with its beginning",
        .write(.unsent, .unchecked): "the request did not leave; the reader says so whether that is journalled or not",
        .write(.answeredLate, .unchecked): "a late answer changes nothing, and nobody is told of it",
    ]

    private struct Score {
        var detected = 0, equivalent = 0
        var survivors: [JournalMutation] = []

        mutating func add(_ mutation: JournalMutation, _ isDetected: Bool) {
            let reason = JournalMutationTests.equivalent[mutation]
            if isDetected {
                detected += 1
                #expect(reason == nil, "\(mutation) is detected, and counted as equivalent")
            } else if reason != nil {
                equivalent += 1
            } else {
                survivors.append(mutation)
            }
        }

        func check(_ name: String, most: Int) {
            let all = detected + survivors.count
            print("mutants of the \(name): \(detected) of \(all) detected, \(equivalent) equivalent")
            #expect(survivors.count <= most && all > 0, "left: \(survivors)")
        }
    }

    // MARK: - The fold

    private static func foldMutations() -> [JournalMutation] {
        let states = JournaledTap.State.allCases
        var all: [JournalMutation] = []
        for state in states {
            for name in JournalEvent.Name.allCases {
                let next = NaiveTap.edges[state.rawValue]?[name.rawValue]
                if let next {
                    all.append(.withoutEdge(state, name))
                    for other in states where other.rawValue != next {
                        let isUsual = other == (next == state.rawValue ? (state == .closed ? .began : .closed) : state)
                        if isWhole || isUsual { all.append(.edge(state, name, to: other)) }
                    }
                } else {
                    all.append(.edge(state, name, to: state))
                }
            }
        }
        let guarded: [JournalEvent.Name] = [
            .changed, .read, .asking, .answered, .forwarded, .queued, .forwarding, .reversing, .acknowledged, .erased,
        ]
        let silent: Set<JournalEvent.Name> = [.began, .challenged, .closed, .clockJumped]
        all += guarded.map { .unguarded($0) }
        all += JournalEvent.Name.allCases.filter { !silent.contains($0) }.map { .unnoted($0) }
        return all
    }

    @Test("The fold, and a second implementation of it that looks everything up in the list of events, agree")
    func twoFoldsAgree() {
        #expect(FoldChecks.problems() == [])
        #expect(Set(FoldChecks.lives.map(\.1.last?.name)).count > 15)
    }

    @Test("L41: faults in the fold of events are detected")
    func foldMutants() {
        var score = Score()
        for mutation in JournalMutationTests.chosen(JournalMutationTests.foldMutations()) {
            let problems = JournalMutation.$current.withValue(mutation) { FoldChecks.problems(isShort: true) }
            score.add(mutation, !problems.isEmpty)
        }
        score.check("fold", most: 0)
    }

    // MARK: - The order of writing

    private static let written: [JournalEvent.Name] = [
        .began, .asking, .unsent, .challenged, .answered, .reversing, .reversed, .answeredLate, .queued, .forwarding,
        .forwarded, .setAside, .withdrawn, .writtenOff, .acknowledged, .closed, .erased,
    ]

    private static func orderMutations() -> [JournalMutation] {
        var all: [JournalMutation] = [.write(.queued, .unlimited)]
        for name in written {
            for order in [JournalMutation.Order.omitted, .delayed, .unchecked] { all.append(.write(name, order)) }
        }
        for name in [JournalEvent.Name.asking, .answered, .reversed, .queued, .forwarded, .withdrawn, .acknowledged] {
            all.append(.write(name, .divided))
        }
        return all
    }

    private static let taps: [SimulatedTap] = [.online, .approve, .decline, .noCard, .onlinePIN]

    /// Quick ones first; each says what is wrong.
    private static let checks: [@Sendable () async throws -> [String]] = {
        var checks: [@Sendable () async throws -> [String]] = [{ try await OrderChecks.settlement() }]
        for tap in taps {
            for answer in OrderChecks.answers { checks.append { try await OrderChecks.order(tap, answer) } }
        }
        for tap in taps {
            for answer in OrderChecks.answers {
                for number in 1...5 { checks.append { try await OrderChecks.failing(tap, answer, number) } }
            }
        }
        for number in 1...31 { checks.append { try await OrderChecks.settlement(.fail(number)) } }
        checks.append { try await OrderChecks.late() }
        checks.append { try await OrderChecks.limits() }
        return checks
    }()

    /// A fault can leave somebody waiting for ever; that is noticed, too.
    private static func detects(_ check: @escaping @Sendable () async throws -> [String]) async -> Bool {
        let (ends, first) = AsyncStream<Bool>.makeStream()
        let work = Task {
            do { first.yield(try await !check().isEmpty) } catch { first.yield(true) }
        }
        let timer = Task {
            try await Task.sleep(for: .seconds(60))
            first.yield(true)
        }
        defer {
            work.cancel()
            timer.cancel()
        }
        for await isDetected in ends { return isDetected }
        return true
    }

    @Test("L3, L18: what a settlement does is written before, and a write that fails is told")
    func settlementsWriteFirst() async throws {
        #expect(try await OrderChecks.settlement() == [])
        for number in 1...31 {
            for stop in [WatchedJournal.Stop.fail(number), .crashBefore(number), .crashAfter(number)] {
                #expect(try await OrderChecks.settlement(stop) == [])
            }
        }
    }

    @Test("L41: faults in the order of writing are detected")
    func orderMutants() async {
        var score = Score()
        for mutation in JournalMutationTests.chosen(JournalMutationTests.orderMutations()) {
            let isDetected = await JournalMutation.$current.withValue(mutation) {
                for check in JournalMutationTests.checks {
                    let isDetected = await JournalMutation.$delayed.withValue(JournalMutation.DelayedWrites()) {
                        await JournalMutationTests.detects(check)
                    }
                    if isDetected { return true }
                }
                return false
            }
            score.add(mutation, isDetected)
        }
        score.check("order of writing", most: 0)
    }
}
#endif
