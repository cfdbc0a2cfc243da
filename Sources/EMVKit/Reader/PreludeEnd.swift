// SPDX-License-Identifier: Apache-2.0
/// The step after a prelude.
public struct PreludeEnd: Sendable, Hashable {
    public enum Next: Sendable, Hashable, CaseIterable {
        /// The kernel gets the card.
        case payment
        /// The card is to be removed and presented once more; then the kernel gets it.
        case presentAgain
        /// The tap ends without a payment: ``TapOutcome/cancelled(_:)`` with ``CancelReason/requested``.
        case stop
    }

    public var next: Next
    /// The display's text in that case; `nil` means no text, or the text of the message. It is not shown before a
    /// payment that follows at once.
    public var text: TextKey?
    /// A new total for the payment that follows; `nil` means the amount of the request. The checks of ``AmountChange``
    /// apply: the total must be in the request's currency and at most ``PaymentRequest/mostAmount``, otherwise the
    /// amount of the request is used. The kernel restarts with the new total, so the limits are checked against it;
    /// display, receipt, host and journal use it too.
    public var total: AmountChange.Total?

    public init(_ next: Next, text: TextKey? = nil, total: AmountChange.Total? = nil) {
        self.next = next
        self.text = text
        self.total = total
    }
}

/// The result of one command of a ``Prelude``.
public enum PreludeAnswer: Sendable, Hashable {
    /// Body and status word.
    case response(Bytes)
    /// No further command can be sent.
    case fault(LinkFault)
    /// The command was not sent: the time is up, the tap is over, or another command is in progress.
    case over
}

extension PreludeAnswer: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Describes the answer without its data.
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

/// The result of a prelude without a payment.
public enum PreludeOutcome: Sendable, Hashable {
    /// The prelude was held; it knows its own result.
    case held
    /// The card could not be activated.
    case linkFailed(LinkFault)
    case cancelled(CancelReason)
    case failed(TapFailure)
}
