// SPDX-License-Identifier: Apache-2.0
/// What follows a prelude.
public struct PreludeEnd: Sendable, Hashable {
    public enum Next: Sendable, Hashable, CaseIterable {
        /// The kernel gets the card.
        case payment
        /// The card is to be taken away and presented once more; the kernel gets it then.
        case presentAgain
        /// The tap ends without a payment: ``TapOutcome/cancelled(_:)`` with ``CancelReason/requested``.
        case stop
    }

    public var next: Next
    /// What the display says then; `nil`: nothing, or the text of the message. Not shown before a payment that follows
    /// at once.
    public var text: TextKey?
    /// What the payment that follows is to cost instead; `nil`: the amount of the request. It holds where an answer of
    /// ``AmountChange`` would: in the same currency, at most ``PaymentRequest/mostAmount``; otherwise the amount of the
    /// request does. The kernel begins anew with it, so the limits are judged by it; display, receipt, host and journal
    /// have it.
    public var total: AmountChange.Total?

    public init(_ next: Next, text: TextKey? = nil, total: AmountChange.Total? = nil) {
        self.next = next
        self.text = text
        self.total = total
    }
}

/// What came of one command of a ``Prelude``.
public enum PreludeAnswer: Sendable, Hashable {
    /// Body and status word.
    case response(Bytes)
    /// Nothing can be sent any more.
    case fault(LinkFault)
    /// Not sent: the time is up, the tap is over, or another command is out.
    case over
}

extension PreludeAnswer: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Never what was said.
    public var description: String {
        switch self {
        case .response(let bytes): "response (\(bytes.count) bytes)"
        case .fault(let fault): "fault \(fault.rawValue)"
        case .over: "over"
        }
    }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .enum) }
}

/// What came of a prelude without a payment.
public enum PreludeOutcome: Sendable, Hashable {
    /// It was held; the prelude knows what came of it.
    case held
    /// The card could not be activated.
    case linkFailed(LinkFault)
    case cancelled(CancelReason)
    case failed(TapFailure)
}
