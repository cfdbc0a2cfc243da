// SPDX-License-Identifier: Apache-2.0
import EMVFormats
import EMVPOS
import EMVCards

/// Presents a virtual card to a session, and records the events as the items of a trace.
///
/// It ends with the transaction, at a parked outcome (nobody answers for the issuer), when no card comes, or after a
/// maximum number of presentments.
struct SimulatedSession {
    private let configuration: CheckedConfiguration
    private let transaction: Transaction
    private let presentments: Int

    init(_ trace: Trace, presentments: Int) throws(ReplayError) {
        do throws(ConfigurationError) {
            configuration = try CheckedConfiguration(trace.configuration, secrets: .simulatorVariableTime)
        } catch {
            throw .configuration(error)
        }
        transaction = trace.transaction
        self.presentments = presentments
    }

    func record<Card: CardPresentation>(_ card: Card, into trace: inout Trace) throws(ReplayError) {
        var card = card
        var presented = 0
        var isAnnounced = false
        var session = try begin()
        while true {
            switch session.step {
            case .poll(let poll):
                if presented > 0 || poll.removalFirst, !isAnnounced {
                    guard presented < presentments else { return }
                    trace.items.append(.tap(presented + 1))
                    isAnnounced = true
                }
                if presented > 0 || poll.removalFirst, session.takes(.removed) {
                    session.advance(.removed)
                    continue
                }
                card.reset()
                switch card.poll() {
                case .none: return
                case .collision:
                    trace.items.append(.collision)
                    session.advance(.collision)
                    if session.takes(.collisionCleared) { session.advance(.collisionCleared) }
                case .one:
                    presented += 1
                    isAnnounced = false
                    session.advance(.card)
                }
            case .send(let command):
                let item = SimulatedSession.item(command, card.exchange(command))
                trace.items.append(item)
                if case .exchange(_, let response, let elapsed) = item {
                    session.advance(.response(response, elapsed: elapsed))
                } else if case .fault(_, let fault) = item {
                    session.advance(.fault(fault))
                }
            case .work: session.advance(.carryOn)
            case .ask(let question):
                guard question.kind != .random else { throw .randomExhausted }
                session.advance(.deadlinePassed)
            case .parked, .done: return
            }
        }
    }

    private func begin() throws(ReplayError) -> KernelSession {
        do throws(ConfigurationError) {
            return try KernelSession(configuration, transaction, reader: ReaderMemory())
        } catch {
            throw .configuration(error)
        }
    }

    private static func item(_ command: Bytes, _ reply: CardReply) -> Trace.Item {
        switch reply {
        case .response(let bytes, let milliseconds):
            let elapsed = Int64((milliseconds * 1000).rounded())
            return .exchange(command: command, response: bytes, elapsed: elapsed > 0 ? .microseconds(elapsed) : nil)
        case .timeout: return .fault(command: command, .timeout)
        case .transmissionError: return .fault(command: command, .transmission)
        case .protocolError: return .fault(command: command, .protocol)
        case .removed: return .fault(command: command, .removed)
        }
    }
}
