// SPDX-License-Identifier: Apache-2.0
// JCB as a scheme: J/Speedy in EMV Mode and in Legacy Mode. JCBApplication.swift and JCBTransaction.swift implement the
// cards, JCBProfiles.swift the named cards, JCBIssuer.swift the issuer.
import EMVKernel

extension JCBBehaviour: SchemeBehaviour {
    static var rid: [UInt8] { CardAuthority.jcbRID }
    static let authorities = CardAuthority.authorities(rid: rid, firstIndex: 0x61)
    static var profiles: [CardProfile] { CardProfile.jcb }
    static var issuer: IssuerScheme { .jcb }

    /// J/Speedy. This kernel has no qualifiers. The verification and interface bits of the terminal's qualifiers are
    /// translated to its interchange profile (Book C-5, A.9). Mag-stripe mode enables Legacy Mode; a signature for
    /// online transactions makes the reader a transit reader.
    static func combinations(at terminal: SimulatedTerminal) -> [Combination] {
        let wanted = terminal.ttq
        var limits = terminal.limits
        limits.terminalFloor = nil
        var options = CombinationKernel.JCBOptions()
        if wanted[0] & 0x80 != 0 { options.combinationOptions[0] |= 0x01 }
        options.terminalInterchangeProfile = interchangeProfile(of: wanted)
        return [
            Combination(
                aid: [0xA0, 0, 0, 0, 0x65, 0x10, 0x10], kernel: .jcb(options), name: "JCB",
                transactionTypes: terminal.transactionTypes, limits: limits, data: terminal.data[5] ?? [:])
        ]
    }

    /// Translates Terminal Transaction Qualifiers to the bits of 9F53.
    private static func interchangeProfile(of qualifiers: Bytes) -> Bytes {
        let bits: [(byte: Int, bit: UInt8, profile: UInt8)] = [
            (0, 0x02, 0x40), (0, 0x04, 0x20), (2, 0x40, 0x10), (0, 0x01, 0x04), (0, 0x10, 0x02),
        ]
        let first = bits.reduce(UInt8(0)) { $0 | (qualifiers[$1.byte] & $1.bit != 0 ? $1.profile : 0) }
        return [first, qualifiers[2] & 0x80, 0x00]
    }

    static func sharedChain(_ keys: KeySet) -> CardChain.Shared? { keys == .standard ? standardChain : nil }

    private static let standardChain = CardChain.Shared(.ordinaryJCB, .standard)

    func run(_ application: CardApplication) -> JCBApplication { JCBApplication(application, self) }

    var cryptogramList: [DataRequest] { dataList }

    func certifiedData(_ application: CardApplication) -> [UInt8] { JCBData(application).certifiedData }
}

extension CardAuthority {
    /// JCB's RID; its indexes are 61 to 66.
    public static let jcbRID: [UInt8] = [0xA0, 0x00, 0x00, 0x00, 0x65]
}
