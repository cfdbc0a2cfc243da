// SPDX-License-Identifier: Apache-2.0
import EMVKit
import EMVPage
import EMVSimulator

/// The commands and responses of a scenario, recorded once with a virtual card.
struct Dialogue: Sendable {
    struct Exchange: Sendable, Equatable {
        let command: Bytes
        /// Empty if the response was lost.
        let response: Bytes
        /// The time measured by the reader's clock; 0 if nothing was measured.
        let microseconds: UInt32

        var reply: Reply {
            if response.isEmpty { return .fault(.timeout) }
            return .response(response, elapsed: microseconds == 0 ? nil : .microseconds(Int(microseconds)))
        }
    }

    let scenario: Scenario
    let exchanges: [Exchange]
    let result: Scenario.Expectation

    var bytesSent: Int { exchanges.reduce(0) { $0 + $1.command.count } }
    var bytesReceived: Int { exchanges.reduce(0) { $0 + $1.response.count } }

    /// Runs the scenario against its card and checks that it ends as expected.
    init(recording scenario: Scenario, _ configuration: CheckedConfiguration) throws {
        guard let profile = CardProfile.named(scenario.profile) else {
            throw BenchFailure("\(scenario.name): the simulator has no profile \(scenario.profile)")
        }
        var card = VirtualCard(profile)
        var exchanges: [Exchange] = []
        var session = try KernelSession(configuration, scenario.transaction, reader: ReaderMemory())
        var loses = scenario.loses
        while session.kind != .done {
            switch session.step {
            case .poll(let poll):
                card.reset()
                session.advance(poll.removalFirst && session.takes(.removed) ? .removed : .card)
            case .send(let command):
                guard case .response(var response, let milliseconds) = card.exchange(command) else {
                    throw BenchFailure("\(scenario.name): the card does not answer")
                }
                if let lost = loses, command.count > 1, command[1] == lost {
                    response = []
                    loses = nil
                }
                let exchange = Exchange(command: command, response: response, microseconds: UInt32(milliseconds * 1000))
                exchanges.append(exchange)
                session.advance(exchange.reply)
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

    package var description: String { "\(tap.rawValue) (\(outcome.rawValue), CVM \(cvm.rawValue))" }
}

/// A failure that makes the figures of a run worthless.
struct BenchFailure: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}
