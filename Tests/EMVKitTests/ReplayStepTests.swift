// SPDX-License-Identifier: Apache-2.0
import EMVDecoder
import EMVFormats
import EMVKit
import EMVSimulator
import Testing

@Suite struct ReplayStepTests {
    private static let random = Bytes(repeating: 0xAB, count: 32)

    private static func transaction() throws -> Transaction {
        Transaction(
            amount: 1250, currency: 978, date: try #require(CalendarDate("2026-11-21")), random: .fixed(random))
    }

    /// A tap of a virtual card, recorded.
    private static func trace(_ profile: String) throws -> Trace {
        var card = VirtualCard(try #require(CardProfile.named(profile)))
        let configuration = Configuration.simulator()
        var session = try KernelSession(CheckedConfiguration(configuration), transaction())
        var trace = Trace(configuration: configuration, transaction: try transaction())
        while session.kind != .done {
            switch session.step {
            case .poll: session.advance(session.poll.removalFirst && session.takes(.removed) ? .removed : .card)
            case .send(let command):
                let response = card.respond(to: command)
                trace.items.append(.exchange(command: command, response: response, elapsed: nil))
                session.advance(.response(response))
            case .work: session.advance(.carryOn)
            default: session.advance(.abandon)
            }
        }
        trace.expectation = Trace.Expectation(outcome: session.outcome.status)
        return trace
    }

    @Test(arguments: ["fdda", "online", "decline"])
    func theObserverSeesWhatTheReportSums(profile: String) throws {
        let trace = try Self.trace(profile)
        var steps: [ReplayStep] = []
        let report = try TraceReplay(trace).run(observer: { steps.append($0) })
        #expect(report.differences == [])
        #expect(try TraceReplay(trace).run() == report, "an observer changes nothing")
        let commands = trace.items.compactMap { item -> Bytes? in
            if case .exchange(let command, _, _) = item { command } else { nil }
        }
        #expect(steps.compactMap { $0.wait?.kind == .send ? $0.wait?.command : nil } == commands)
        #expect(steps.flatMap(\.messages).map(\.message).filter { $0 != .unchanged } == report.messages)
        #expect(
            steps.first?.reply == nil && steps.first?.wait == nil && steps.dropFirst().allSatisfy { $0.wait != nil })
        #expect(steps.last?.outcome == report.outcome)
        #expect(
            zip(steps, steps.dropFirst()).allSatisfy { $0.next == $1.wait }, "each step begins where the last ended")
    }

    /// Kernel 3 decides by the card's answer (5.4.3.1) and authenticates a card that approves offline (5.6).
    @Test func theObserverSeesDecisionsWithTheirClauses() throws {
        let trace = try Self.trace("fdda")
        var steps: [ReplayStep] = []
        _ = try TraceReplay(trace).run(observer: { steps.append($0) })
        let decisions = steps.flatMap(\.decisions)
        #expect(decisions.map(\.clause).starts(with: ["5.4.3.1"]))
        #expect(decisions.contains { $0.clause == "5.6" })
        #expect(decisions.allSatisfy { EngineNames.kernel($0.state.kernel) == "Kernel 3" })
        let states = steps.compactMap { $0.wait.map { EngineNames.state($0.state) } }
        #expect(states.starts(with: ["waiting for a card", "SELECT PPSE", "final SELECT", "GET PROCESSING OPTIONS"]))
    }

    @Test func booksThatCountStepsAreCitedByThem() throws {
        var steps: [ReplayStep] = []
        let trace = try Self.trace("mcOnline")
        _ = try TraceReplay(trace).run(observer: { steps.append($0) })
        let clauses = steps.flatMap(\.decisions).map(\.clause)
        #expect(clauses.contains("S456.36") && clauses.contains("S456.39"), "\(clauses)")
    }

    @Test func aForkNotesItsOwnDecisions() throws {
        let trace = try Self.trace("fdda")
        let checked = try CheckedConfiguration(trace.configuration)
        var session = try KernelSession(checked, Self.transaction(), keepsDecisions: true)
        session.advance(.card)
        for item in trace.items {
            guard case .exchange(_, let response, _) = item else { continue }
            var fork = session.fork()
            #expect(fork.decisions == session.decisions)
            let before = session.decisions
            fork.advance(.response(response))
            #expect(session.decisions == before, "the original's stay")
            session.advance(.response(response))
            #expect(session.decisions == fork.decisions)
        }
        #expect(!session.decisions.isEmpty)
        let silent = try KernelSession(checked, Self.transaction())
        #expect(silent.decisions.isEmpty)
    }

    @Test func stepsDescribeThemselvesWithoutCardData() throws {
        let trace = try Self.trace("fdda")
        var steps: [ReplayStep] = []
        _ = try TraceReplay(trace).run(observer: { steps.append($0) })
        let account = try #require(
            trace.items.compactMap { item -> String? in
                guard case .exchange(_, let response, _) = item else { return nil }
                return TLVTree(Bytes(response.dropLast(2))).first { $0.object.tag == 0x57 }
                    .map { String(Hex.string($0.object.value).prefix { $0.isNumber }) }
            }.first)
        var text = ""
        for step in steps {
            text += "\(step)" + String(reflecting: step)
            dump(step, to: &text)
        }
        #expect(!text.contains(account))
        let mask = AccountMask(trace)
        for case .exchange(let command, let response, _) in trace.items {
            #expect(!mask.objects(response.dropLast(2)).contains(account))
            #expect(!mask.text(Hex.string(command)).contains(account))
        }
    }

    @Test func namesOfThirdPartyKernelsAreTheirNumbers() throws {
        let kernel = try #require(KernelID([0x03, 0x00, 0x01]))
        #expect(EngineNames.kernel(kernel) == "kernel 030001")
        #expect(EngineNames.kernel(nil) == "Entry Point")
        #expect(EngineNames.kernel(33) == "kernel 33")
    }
}
