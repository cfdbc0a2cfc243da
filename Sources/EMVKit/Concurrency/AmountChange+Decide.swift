// SPDX-License-Identifier: Apache-2.0
extension AmountChange {
    /// Creates a ceiling without a decision, for a total that a ``Prelude`` gives: nothing is asked once the card is
    /// known.
    public init(upTo ceiling: Money) { self.init(upTo: ceiling) { _ in nil } }

    func decide(_ question: Question) async -> Total? { await decision.decide(question) }
}
