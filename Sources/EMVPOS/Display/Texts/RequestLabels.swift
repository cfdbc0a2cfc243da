// SPDX-License-Identifier: Apache-2.0
extension PaymentRequest {
    /// The text of the button that starts the request.
    public var labelKey: TextKey {
        switch kind {
        case .purchase: TextKey("label.payment")
        case .cash: TextKey("label.cash")
        case .cashBack: TextKey("label.cashBack")
        case .refund: TextKey("label.refund")
        }
    }
}

extension VerificationRequest.Reason {
    /// The text of the button that starts the request; it never speaks of paying.
    public var labelKey: TextKey { TextKey("label.\(rawValue)") }
}
