// SPDX-License-Identifier: Apache-2.0
import EMVKit
import Testing

@testable import EMVCards
@testable import EMVSimulator

/// The guarded profile rejects no card that the book profile accepts. Going online instead of approving offline counts
/// as accepting.
@Suite struct HonestCardTests {
    /// Cards that the guarded profile rejects, by reason.
    static let refused: [(reason: String, cards: Set<String>)] = [
        ("answers a request for an ARQC with a TC", ["dpasRegardless", "k5-regardless"]),
        ("its signature does not hold (A11)", ["dpasWrongSignatureOnline", "upWrongSignatureOnline"]),
        ("asks for a number that is too short to be fresh (A21)", ["mcStripeNoNumber", "mcStripeShort"]),
    ]

    @Test func guardedAcceptsWhatTheBookAccepts() throws {
        var refused: Set<String> = []
        for profile in CardProfile.profiles.values.sorted(by: { $0.name < $1.name }) {
            let card = AnsweredCard(VirtualCard(profile))
            for amount in Sweep.amounts {
                let book = try Sweep.outcome(.book, amount, card)
                let guarded = try Sweep.outcome(.guarded, amount, card)
                guard Sweep.accepts(book), !Sweep.accepts(guarded) else { continue }
                refused.insert(profile.name)
                let name = profile.name
                #expect(
                    Self.refused.contains { $0.cards.contains(name) },
                    "\(name), \(amount): \(SweepGain.words(guarded)) \(guarded.findings)")
            }
        }
        #expect(refused == Self.refused.reduce(into: []) { $0.formUnion($1.cards) })
    }
}
