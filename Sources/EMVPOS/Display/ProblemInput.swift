// SPDX-License-Identifier: Apache-2.0
extension Problem {
    /// What of a request is to be corrected, so that a form goes back to the one wrong field and keeps all others
    /// (row I13). Requests are values: what was right in one is right in its copy.
    public enum Input: Hashable, Sendable {
        case amount, currency, cashBack, due
        /// What the amount may become (``AmountChange/ceiling``).
        case ceiling
        case installment, later
        /// The bill.
        case lines
        case sale, key
        /// Counted from 0.
        case preferredApplication(Int)
    }

    /// `nil`: nothing of the request is wrong, or it is not known what.
    public var input: Input? { named ?? Input(code) }
}

extension Problem.Input {
    /// Where a code says it alone.
    fileprivate init?(_ code: Problem.Code) {
        switch code {
        case .amountAboveLimit, .amountAboveKernelLimit, .amountNotAllowed, .amountZero, .amountTooLarge,
            .amountAboveDue, .refundAbovePaid, .captureAboveAuthorized:
            self = .amount
        case .currencyInvalid: self = .currency
        case .cashBackAboveAmount, .cashBackZero: self = .cashBack
        case .lineItemsMismatch: self = .lines
        case .keyUsed: self = .key
        case .saleSettled, .saleOpen: self = .sale
        default: return nil
        }
    }
}

extension BillError {
    /// The line to correct, counted from 0; `nil`: their sum is wrong.
    public var line: Int? {
        switch self {
        case .emptyLabel(let line), .positiveDiscount(let line): line
        case .sum, .negative, .overflow: nil
        }
    }
}
