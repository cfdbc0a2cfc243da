// SPDX-License-Identifier: Apache-2.0
extension Problem {
    /// The part of a request to correct, so that a form returns to the one wrong field and keeps all others (row I13).
    /// Requests are values: fields that were right in one are right in its copy.
    public enum Input: Hashable, Sendable {
        case amount, currency, cashBack, due
        /// The maximum of a changed amount (``AmountChange/ceiling``).
        case ceiling
        case installment, later
        /// The bill.
        case lines
        case sale, key
        /// Index, counted from 0.
        case preferredApplication(Int)
    }

    /// `nil`: the request is right, or the wrong part is not known.
    public var input: Input? { named ?? Input(code) }
}

extension Problem.Input {
    /// Returns the input if the code alone determines it.
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
