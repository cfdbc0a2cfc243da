// SPDX-License-Identifier: Apache-2.0
import EMVDecoder
import EMVFormats
import EMVPOS

/// The steps of a replay for people and programs, with account numbers and track data masked.
package struct ReplayStory {
    private let steps: [Told]

    /// One step, as text.
    private struct Told {
        /// The waiting state; `nil` at the start of a transaction.
        var state: String?
        var command: String?
        var reply: String
        var decisions: [KernelDecision]
        var exchange: String?
        var messages: [Message]
        var outcome: Outcome.Status?
    }

    package init(_ steps: [ReplayStep], _ mask: AccountMask) {
        var lists = DataLists()
        self.steps = steps.map { step in
            let state = step.wait.map { EngineNames.kernel($0.state.kernel) + ": " + EngineNames.state($0.state) }
            let command = step.wait?.command ?? []
            let reading = lists.reading(of: command)
            if case .response(let answer, _)? = step.reply { lists.learn(command, answer) }
            return Told(
                state: state, command: command.isEmpty ? nil : mask.command(command, reading),
                reply: ReplayStory.text(step.reply, mask), decisions: step.decisions,
                exchange: step.exchange.isEmpty ? nil : mask.objects(step.exchange),
                messages: step.messages.map { $0.message }.filter { $0 != .unchanged }, outcome: step.outcome?.status)
        }
    }

    private static func text(_ reply: Reply?, _ mask: AccountMask) -> String {
        switch reply {
        case .response(let bytes, _)?: mask.answer(bytes)
        case .data(let data)?: "data " + mask.objects(data)
        case .online(let data?, _)?: "online " + mask.objects(data.encoded)
        case let other?: "\(other)"
        case nil: "begin"
        }
    }

    private static func clause(_ decision: KernelDecision) -> String {
        EngineNames.kernel(decision.state.kernel) + ", " + decision.clause
    }

    /// The meaning of the number, or the number itself.
    private static func value(_ decision: KernelDecision) -> String {
        decision.words.isEmpty ? String(decision.value, radix: 16) : decision.words
    }

    /// A message, and its text.
    private static func text(_ message: Message) -> String {
        let text = message == .clearDisplay ? "display cleared" : message.text
        return "\(message)" + (text.isEmpty ? "" : " " + text)
    }

    package var lines: [String] {
        steps.flatMap { step in
            var lines = step.state.map { [$0] } ?? []
            if let command = step.command { lines.append("  > " + command) }
            lines.append("  < " + step.reply)
            lines += step.decisions.map { "  decides: \(ReplayStory.clause($0)): \(ReplayStory.value($0))" }
            if let exchange = step.exchange { lines.append("  sends to the terminal: " + exchange) }
            lines += step.messages.map { "  shows: " + ReplayStory.text($0) }
            if let outcome = step.outcome, outcome != .none { lines.append("  outcome: \(outcome.rawValue)") }
            return lines
        }
    }

    package var json: OutputJSON {
        .array(
            steps.map { step in
                .object([
                    ("state", step.state.map { .string($0) } ?? .null),
                    ("command", step.command.map { .string($0) } ?? .null), ("reply", .string(step.reply)),
                    (
                        "decisions",
                        .array(
                            step.decisions.map {
                                .object([
                                    ("clause", .string(ReplayStory.clause($0))),
                                    ("value", .string(String($0.value, radix: 16))), ("text", .string($0.words)),
                                ])
                            })
                    ),
                    ("exchange", step.exchange.map { .string($0) } ?? .null),
                    ("messages", .array(step.messages.map { .string("\($0)") })),
                    ("outcome", step.outcome.map { .string($0.rawValue) } ?? .null),
                ])
            })
    }
}
