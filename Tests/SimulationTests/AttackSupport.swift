// SPDX-License-Identifier: Apache-2.0
import EMVKit
import Testing

@testable import EMVCards
@testable import EMVSimulator

/// An attack played in the three profiles at one POS, and what each of them ends with. Knows no scheme: what the POS
/// accepts is the caller's. The attacks are the rows of Conformance/attacks.md.
struct AttackScene {
    /// The POS of a profile.
    var configuration: (Protection.Profile) -> Configuration
    /// Of the transaction, in minor units of the euro.
    var amount: UInt64 = 1250
    var type = TransactionType.purchase

    /// The named card with changes of its own: no honest issuer made it.
    static func card(_ name: String, _ change: (inout CardApplication) -> Void = { _ in }) -> VirtualCard {
        var profile = CardProfile.named(name)!
        change(&profile.application)
        return VirtualCard(profile)
    }

    static func relay(_ card: VirtualCard, _ edits: CardEdit...) -> ManInTheMiddle<VirtualCard> {
        ManInTheMiddle(card, edits)
    }

    /// Plays the attack and compares.
    ///
    /// - Parameters:
    ///   - expected: status and CVM of the outcome by profile, in the order book, guarded, strict; the last one stands
    ///     for those that follow.
    ///   - findings: what must be reported by profile, likewise.
    func leads(
        _ card: any CardPresentation, to expected: String..., reporting findings: [Findings] = [],
        changing change: (inout Combination) -> Void = { _ in }, line: SourceLocation = #_sourceLocation
    ) throws {
        for (place, profile) in AmericanExpressTapTests.profiles.enumerated() {
            var configuration = configuration(profile)
            for combination in configuration.combinations.indices { change(&configuration.combinations[combination]) }
            let outcome = try AmericanExpressTapTests.lead(card, configuration, amount: amount, type: type)
            #expect(
                AmericanExpressTapTests.words(outcome) == expected[min(place, expected.count - 1)], "\(profile)",
                sourceLocation: line)
            guard !findings.isEmpty else { continue }
            #expect(
                outcome.findings.isSuperset(of: findings[min(place, findings.count - 1)]),
                "\(profile): \(outcome.findings)", sourceLocation: line)
        }
    }
}
