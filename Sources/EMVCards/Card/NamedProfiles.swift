// SPDX-License-Identifier: Apache-2.0
/// The cards that tests, benches and the command line know by name: each scheme's, and those with applications of
/// several.
extension CardProfile {
    /// Every named profile.
    public static let profiles: [String: CardProfile] = Dictionary(
        uniqueKeysWithValues: (Schemes.cards.flatMap { $0.profiles } + mixed).map { ($0.name, $0) })

    /// Nil where there is no profile of this name; `profiles.keys` has them.
    public static func named(_ name: String) -> CardProfile? { profiles[name] }

    /// A profile of one application, made from an ordinary one.
    @inline(never)
    static func card(
        _ name: String, _ summary: String, directory: Directory = .present,
        from base: CardApplication = CardApplication(), _ change: (inout CardApplication) -> Void = { _ in }
    ) -> CardProfile {
        var application = base
        change(&application)
        return CardProfile(name: name, summary: summary, directory: directory, applications: [application])
    }

    private static var mixed: [CardProfile] {
        var second = CardApplication()
        second.priority = 2
        return [
            CardProfile(
                name: "mcAndVisa", summary: "has a Mastercard application first, a Visa application second",
                applications: [.ordinaryMastercard, second])
        ] + kernel8Beside
    }
}
