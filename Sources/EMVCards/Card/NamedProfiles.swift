// SPDX-License-Identifier: Apache-2.0
/// The cards that tests, benches and the command line select by name: those of each scheme, and those with applications
/// of several schemes.
extension CardProfile {
    /// Every named profile.
    public static let profiles: [String: CardProfile] = Dictionary(
        uniqueKeysWithValues: (Schemes.cards.flatMap { $0.profiles } + mixed).map { ($0.name, $0) })

    /// Returns the profile with this name, or nil; `profiles.keys` lists the names.
    public static func named(_ name: String) -> CardProfile? { profiles[name] }

    /// Makes a profile with one application, derived from an ordinary one.
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
