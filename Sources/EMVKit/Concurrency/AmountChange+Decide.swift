// SPDX-License-Identifier: Apache-2.0
extension AmountChange {
    func decide(_ question: Question) async -> Total? { await decision.decide(question) }
}
