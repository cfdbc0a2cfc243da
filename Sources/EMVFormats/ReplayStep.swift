// SPDX-License-Identifier: Apache-2.0
import EMVKernel

/// One step of a replay: what waited, what it was given, and what came of it.
public struct ReplayStep: Sendable, Hashable {
    /// What a session waits for.
    public struct Wait: Sendable, Hashable {
        public var state: KernelState
        public var kind: Step.Kind
        /// Of ``Step/send(_:)``; empty at any other step.
        public var command: Bytes

        init(_ session: borrowing KernelSession) {
            state = session.state
            kind = session.kind
            command = session.command
        }
    }

    /// `nil`: a transaction begins.
    public var reply: Reply?
    /// What the reply was given to; `nil` where a transaction begins.
    public var wait: Wait?
    /// What the kernel decided with it, in order.
    public var decisions: [KernelDecision]
    /// What ended with it, in order: Entry Point's part or kernels.
    package var ends: [NotedEnd]
    /// What is shown with the step that follows, in order.
    public var messages: [UIRequest]
    /// What the kernel sends to the terminal with the step that follows, as TLV.
    public var exchange: Bytes
    /// What waits now.
    public var next: Wait
    /// The last outcome, where one is parked or the transaction is done; else `nil`.
    public var outcome: Outcome?

    /// - Parameter brings: false where the step has stayed as it was, and its messages with it.
    init(reply: Reply?, to wait: Wait?, _ session: borrowing KernelSession, brings: Bool = true) {
        self.reply = reply
        self.wait = wait
        decisions = session.decisions
        ends = session.ends
        messages = brings ? session.messages : []
        exchange = brings ? session.exchange : []
        next = Wait(session)
        outcome = next.kind == .parked || next.kind == .done ? session.outcome : nil
    }
}

extension ReplayStep: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Without what the card said.
    public var description: String { "step of a replay, \(decisions.count) decisions, \(messages.count) messages" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}

extension ReplayStep.Wait: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "state \(state.number), command of \(command.count) bytes" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}
