// SPDX-License-Identifier: Apache-2.0
import EMVKernel

/// One step of a replay: the waiting state, the reply, and the result.
public struct ReplayStep: Sendable, Hashable {
    /// The state and the step in which a session waits.
    public struct Wait: Sendable, Hashable {
        public var state: KernelState
        public var kind: Step.Kind
        /// The command of `Step.send(_:)`; empty at any other step.
        public var command: Bytes

        init(_ session: borrowing KernelSession) {
            state = session.state
            kind = session.kind
            command = session.command
        }
    }

    /// `nil`: a transaction begins.
    public var reply: Reply?
    /// The state that received the reply; `nil` at the start of a transaction.
    public var wait: Wait?
    /// The kernel's decisions during this step, in order.
    public var decisions: [KernelDecision]
    /// The parts that ended during this step, in order: Entry Point's or a kernel's.
    package var ends: [NotedEnd]
    /// The messages shown with the next step, in order.
    public var messages: [UIRequest]
    /// The data that the kernel sends to the terminal with the next step, as TLV.
    public var exchange: Bytes
    /// The state that waits now.
    public var next: Wait
    /// The last outcome, if one is parked or the transaction is done; otherwise `nil`.
    public var outcome: Outcome?

    /// - Parameter brings: false if the step did not change, so that its messages were already reported.
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
    /// Contains no data of the card.
    public var description: String { "step of a replay, \(decisions.count) decisions, \(messages.count) messages" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}

extension ReplayStep.Wait: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "state \(state.number), command of \(command.count) bytes" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}
