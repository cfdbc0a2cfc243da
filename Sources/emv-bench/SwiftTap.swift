// SPDX-License-Identifier: Apache-2.0
import EMVKit

/// Runs one tap: begins, answers to the end, reads the outcome and wipes.
@inline(never)
func swiftTap(
    _ configuration: CheckedConfiguration, _ transaction: Transaction, _ replies: [Reply], _ memory: SessionMemory,
    _ reader: ReaderMemory
) throws -> Outcome {
    var session = try KernelSession(configuration, transaction, memory: memory, reader: reader)
    var answered = 0
    while true {
        switch session.kind {
        case .poll: session.advance(session.poll.removalFirst && session.takes(.removed) ? .removed : .card)
        case .send:
            let size = session.withCommand { $0.count }
            guard size > 0, answered < replies.count else { throw BenchFailure("more commands than were recorded") }
            session.advance(replies.span[answered])
            answered += 1
        case .work: session.advance(.carryOn)
        case .parked: session.advance(.abandon)
        case .ask: throw BenchFailure("the kernel asks for what no scenario has")
        case .done: return session.outcome
        }
    }
}
