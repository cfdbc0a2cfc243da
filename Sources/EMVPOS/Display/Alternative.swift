// SPDX-License-Identifier: Apache-2.0
/// A next step for the people at the POS. The alternatives of an outcome are in order, the most promising first. Its
/// text is an imperative, or names a means: cash, a payment link, help.
public enum Alternative: Sendable, Hashable, Codable {
    /// Present this card, or this device, once more.
    case retry
    /// A new payment of the same amount, begun at the POS: the reader does not wait for a card.
    case startAgain
    case anotherCard
    case otherInterface(OtherInterface)
    /// Enter the PIN on the PIN pad.
    case enterPIN
    /// Wait a moment, and try again.
    case waitAndRetry
    /// Ask the host for the payment's result before trying anything else.
    case askHost
    /// Plug the reader in, choose it, or choose another one.
    case checkReader
    /// Enter the amount, or the request, again.
    case correctRequest
    /// Somebody with administrator access is needed.
    case administrator
    /// The reader's data must be updated.
    case update
    /// Pay the rest of a partly approved payment with another card or another means.
    case payRest
    case cash
    case paymentLink
    case help

    public enum OtherInterface: String, Sendable, Hashable, Codable, CaseIterable {
        case chip, swipe
        /// Either chip or magnetic stripe.
        case chipOrSwipe
    }

    /// All alternatives.
    public static let all: [Alternative] =
        [.retry, .startAgain, .anotherCard] + OtherInterface.allCases.map { .otherInterface($0) } + [
            .enterPIN, .waitAndRetry, .askHost, .checkReader, .correctRequest, .administrator, .update, .payRest,
            .cash, .paymentLink, .help,
        ]
}

extension Alternative.OtherInterface {
    /// The interface that an outcome names; either if it names none of them.
    public init(_ interface: Outcome.Interface) {
        switch interface {
        case .contactChip: self = .chip
        case .magstripe: self = .swipe
        case .notApplicable: self = .chipOrSwipe
        }
    }
}

extension Alternative {
    /// Returns the alternatives of the first problem, then those that the others add; without a problem, another try.
    package static func inOrder(_ problems: [Problem]) -> [Alternative] {
        var all: [Alternative] = []
        for alternative in problems.flatMap({ $0.alternatives }) where !all.contains(alternative) {
            all.append(alternative)
        }
        return all.isEmpty ? [.retry, .anotherCard, .cash, .paymentLink] : all
    }
}
