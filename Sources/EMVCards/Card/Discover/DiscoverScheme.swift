// SPDX-License-Identifier: Apache-2.0
// Discover as a scheme: D-PAS and its predecessor, Zip. DiscoverApplication.swift implements the cards,
// DPASMagneticStripe.swift their tracks, DiscoverProfiles.swift the named cards, DiscoverIssuer.swift the issuer.
import EMVKernel

extension DiscoverBehaviour: SchemeBehaviour {
    static var rid: [UInt8] { CardAuthority.discoverRID }
    static let authorities = CardAuthority.authorities(rid: rid, firstIndex: 0xD1)
    static var profiles: [CardProfile] { CardProfile.discover }
    static var issuer: IssuerScheme { .discover }

    /// D-PAS in EMV mode. Terminal qualifiers that Book C-6 does not define (Table 4-16) are cleared.
    static func combinations(at terminal: SimulatedTerminal) -> [Combination] {
        let wanted = terminal.ttq
        var data: DataObjects = [0x9F09: [0x00, 0x01], 0x9F1E: Array("SIMULATE".utf8)]
        for own in terminal.data[6]?.elements ?? [] { data[own.tag] = own.value }
        return [
            Combination(
                aid: [0xA0, 0, 0, 0x01, 0x52, 0x30, 0x10], kernel: .discover(), name: "Discover",
                transactionTypes: terminal.transactionTypes, limits: terminal.limits,
                ttq: [wanted[0] & 0xBE, wanted[1] & 0xC0, wanted[2] & 0xE0, 0x00], data: data)
        ]
    }

    static func sharedChain(_ keys: KeySet) -> CardChain.Shared? { keys == .standard ? standardChain : nil }

    private static let standardChain = CardChain.Shared(.ordinaryDiscover, .standard)

    func run(_ application: CardApplication) -> DiscoverApplication { DiscoverApplication(application) }

    /// Contactless Payment Application Version Number: reports that the card supports MS Mode.
    func discretionaryObjects(_ application: CardApplication) -> [DataObject] {
        magneticStripe == nil ? [] : [DataObject(0x9F7D, [0x01, 0x00])]
    }

    func certifiedData(_ application: CardApplication) -> [UInt8] {
        DiscoverTransaction.certifiedData(application)
    }

    var trackVerifier: TrackCheck? { magneticStripe.map { TrackCheck($0) } }
}

extension CardAuthority {
    /// Discover's RID; its indexes are D1 to D6.
    public static let discoverRID: [UInt8] = [0xA0, 0x00, 0x00, 0x01, 0x52]
}
