// SPDX-License-Identifier: Apache-2.0
// American Express as a scheme: Expresspay in EMV and mag-stripe mode. AmericanExpressApplication.swift and
// AmericanExpressTransaction.swift implement the cards, AmericanExpressData.swift their records,
// AmericanExpressProfiles.swift the named cards, AmericanExpressIssuer.swift and AmericanExpressTracks.swift the
// issuer. This file configures the reader.
import EMVKernel

extension AmericanExpressBehaviour: SchemeBehaviour {
    static var rid: [UInt8] { CardAuthority.americanExpressRID }
    static let authorities = CardAuthority.authorities(rid: rid, firstIndex: 0xB1)
    static var profiles: [CardProfile] { CardProfile.americanExpress }
    static var issuer: IssuerScheme { .americanExpress }

    /// Translates the reader's qualifiers into Kernel 4's own objects: interfaces, modes, verification methods.
    static func combinations(at terminal: SimulatedTerminal) -> [Combination] {
        var data = Configuration.americanExpressReader(ttq: terminal.ttq)
        for own in terminal.data[4]?.elements ?? [] { data[own.tag] = own.value }
        return [
            Combination(
                aid: [0xA0, 0, 0, 0, 0x25, 0x01],
                kernel: .americanExpress(Configuration.americanExpressOptions(terminal.limits)),
                name: "American Express", transactionTypes: terminal.transactionTypes, limits: terminal.limits,
                data: data)
        ]
    }

    static func sharedChain(_ keys: KeySet) -> CardChain.Shared? { keys == .standard ? standardChain : nil }

    private static let standardChain = CardChain.Shared(.ordinaryAmericanExpress, .standard)

    func run(_ application: CardApplication) -> AmericanExpressApplication { AmericanExpressApplication(application) }

    /// Sets byte 2: EMV mode, contactless mobile (Book C-4, Table 5-2). Static signatures replace combined ones.
    func interchangeProfile(_ application: CardApplication) -> [UInt8] {
        var bytes = application.interchangeProfile
        bytes[1] = bytes[1] & 0x3F | (modes == .magneticStripe ? 0x00 : 0x80) | (mobile == nil ? 0x00 : 0x40)
        if signsStatically { bytes[0] = bytes[0] & ~0x01 | (application.keys == nil ? 0x00 : 0x40) }
        return bytes
    }

    var cryptogramList: [DataRequest] { modes == .magneticStripe ? [] : dataList }

    func certifiedData(_ application: CardApplication) -> [UInt8] { AmericanExpressData.certifiedData(application) }

    var trackVerifier: TrackCheck? { modes == .emv ? nil : TrackCheck(AmericanExpressTracks()) }
}

extension CardAuthority {
    /// American Express's RID; its indexes are B1 to B6.
    public static let americanExpressRID: [UInt8] = [0xA0, 0x00, 0x00, 0x00, 0x25]
}

extension Configuration {
    /// Enhanced Contactless Reader Capabilities (Book C-4, Table 4-4) of a reader with these qualifiers. Contact chip,
    /// mag-stripe mode, online PIN and signature follow the qualifiers; EMV mode, phones and Mobile CVM are always
    /// supported.
    static func americanExpressReader(ttq: Bytes) -> DataObjects {
        let hasContact = ttq[0] & 0x10 != 0, hasStripe = ttq[0] & 0x80 != 0
        let first: UInt8 = 0x18 | (hasContact ? 0x84 : 0x00) | (hasStripe ? 0x40 : 0x00)
        let second: UInt8 = 0x80 | (ttq[0] & 0x04 != 0 ? 0x40 : 0x00) | (ttq[0] & 0x02 != 0 ? 0x20 : 0x00)
        return [0x9F09: [0x00, 0x01], 0x9F6D: [0xC0], 0x9F6E: [first, second, 0x00, 0x03]]
    }

    /// Returns the kernel options. The action codes send online: failed or missing authentication, expired
    /// applications, every PIN and amounts above the floor limit. They decline a service that the card does not allow.
    /// Cards of limit set 3 pay up to 10.00; cards of set 1 require verification from 10.00.
    static func americanExpressOptions(_ limits: Limits) -> CombinationKernel.AmericanExpressOptions {
        var verified = limits, bounded = limits
        verified.cvmRequired = 1000
        bounded.transaction = 1000
        return CombinationKernel.AmericanExpressOptions(
            tacDenial: [0x00, 0x10, 0x00, 0x00, 0x00], tacOnline: [0xDC, 0x50, 0xFC, 0x98, 0x00],
            tacDefault: [0xDC, 0x50, 0xFC, 0x98, 0x00], discretionaryDataObjectList: membershipList,
            dynamicLimits: .init(standard: limits, numbered: [1: verified, 3: bounded]))
    }

    /// Verification and CVM Results, Mobile CVM Results, membership: objects sent in addition to the data record.
    private static let membershipList: Bytes = [
        0x95, 0x05, 0x9F, 0x34, 0x03, 0x9F, 0x71, 0x03, 0x9F, 0x5A, 0x08, 0x9F, 0x5B, 0x20,
    ]
}
