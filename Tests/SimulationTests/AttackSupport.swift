// SPDX-License-Identifier: Apache-2.0
import EMVKit
import Testing

@testable import EMVCards
@testable import EMVSimulator

/// Plays an attack at one POS in the three profiles, and compares the results. It is independent of the scheme: the
/// caller supplies the configuration. The attacks are the rows of Conformance/attacks.md.
struct AttackScene {
    /// The configuration of the POS for a profile.
    var configuration: (Protection.Profile) -> Configuration
    /// The transaction's amount in euro cents.
    var amount: UInt64 = 1250
    var type = TransactionType.purchase

    /// The named card with changes that no honest issuer would make.
    static func card(_ name: String, _ change: (inout CardApplication) -> Void = { _ in }) -> VirtualCard {
        var profile = CardProfile.named(name)!
        change(&profile.application)
        return VirtualCard(profile)
    }

    static func relay(_ card: VirtualCard, _ edits: CardEdit...) -> ManInTheMiddle<VirtualCard> {
        ManInTheMiddle(card, edits)
    }

    /// Plays the attack and compares the results.
    ///
    /// - Parameters:
    ///   - expected: status and CVM of the outcome by profile, in the order book, guarded, strict; the last value
    ///     applies to the remaining profiles.
    ///   - findings: the findings that must be reported, by profile in this order.
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
