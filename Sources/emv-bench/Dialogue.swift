import EMVKit
import EMVSimulator

/// What reader and card say to each other in a scenario, recorded once with a virtual card.
struct Dialogue: Sendable {
    struct Exchange: Sendable {
        let command: Bytes
        let response: Bytes
    }

    let scenario: Scenario
    let exchanges: [Exchange]
    let result: Scenario.Expectation

    var bytesSent: Int { exchanges.reduce(0) { $0 + $1.command.count } }
    var bytesReceived: Int { exchanges.reduce(0) { $0 + $1.response.count } }

    /// Runs the scenario against its card and checks that it ends as it must.
    init(recording scenario: Scenario, _ configuration: CheckedConfiguration) throws {
        guard let profile = CardProfile.named(scenario.profile) else {
            throw BenchFailure("\(scenario.name): the simulator has no profile \(scenario.profile)")
        }
        var card = VirtualCard(profile)
        var exchanges: [Exchange] = []
        var session = try KernelSession(configuration, scenario.transaction)
        while session.kind != .done {
            switch session.step {
            case .poll(let poll):
                card.reset()
                session.advance(poll.removalFirst && session.takes(.removed) ? .removed : .card)
            case .send(let command):
                let response = card.respond(to: command)
                exchanges.append(Exchange(command: command, response: response))
                session.advance(.response(response))
            case .work: session.advance(.carryOn)
            case .parked: session.advance(.abandon)
            case .ask, .done: throw BenchFailure("\(scenario.name): the kernel asks for what no scenario has")
            }
        }
        let outcome = session.outcome
        self.scenario = scenario
        self.exchanges = exchanges
        result = Scenario.Expectation(outcome)
        try scenario.check(result)
    }
}

extension Scenario {
    func check(_ result: Expectation) throws {
        guard result == expected else {
            throw BenchFailure("\(name): ended as \(result), expected \(expected)")
        }
    }
}

extension Scenario.Expectation: CustomStringConvertible {
    init(_ outcome: Outcome) {
        self.init(tap: TapOutcome(outcome: outcome).name, outcome: outcome.status, cvm: outcome.cvm)
    }

    var description: String { "\(tap.rawValue) (\(outcome.rawValue), CVM \(cvm.rawValue))" }
}

/// Something that makes the figures of a run worthless.
struct BenchFailure: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}
