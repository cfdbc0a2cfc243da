// SPDX-License-Identifier: Apache-2.0
// Mastercard as a scheme. MastercardApplication.swift implements the cards, MastercardProfiles.swift the named cards,
// MastercardIssuer.swift the issuer, MastercardReader.swift the reader's configuration.
import EMVKernel

extension MastercardBehaviour: SchemeBehaviour {
    static var rid: [UInt8] { CardAuthority.mastercardRID }
    static let authorities = CardAuthority.authorities(rid: rid, firstIndex: 0xE1)
    static var profiles: [CardProfile] { CardProfile.mastercard }
    static var issuer: IssuerScheme { .mastercard }

    static func sharedChain(_ keys: KeySet) -> CardChain.Shared? { keys == .standard ? standardChain : nil }

    private static let standardChain = CardChain.Shared(.ordinaryMastercard, .standard)

    func run(_ application: CardApplication) -> MastercardApplication { MastercardApplication(application, self) }

    func interchangeProfile(_ application: CardApplication) -> [UInt8] {
        var bytes = supportsEMV ? application.interchangeProfile : [0x00, 0x00]
        if device != nil { bytes[0] |= 0x02 }
        if relayResistance != nil { bytes[1] |= 0x01 }
        return bytes
    }

    var cryptogramList: [DataRequest] { supportsEMV ? dataList : [] }

    func certifiedData(_ application: CardApplication) -> [UInt8] { MastercardData(application).certifiedData }

    var trackVerifier: TrackCheck? { magneticStripe.map { TrackCheck($0) } }
}

extension CardAuthority {
    /// Mastercard's RID; its indexes are E1 to E6.
    public static let mastercardRID: [UInt8] = [0xA0, 0x00, 0x00, 0x00, 0x04]
}
