// SPDX-License-Identifier: Apache-2.0
// Visa as a scheme. VisaApplication.swift implements the cards, VisaProfiles.swift the named cards, VisaIssuer.swift
// the issuer.
import EMVKernel

extension VisaBehaviour: QualifiedBehaviour {
    static var rid: [UInt8] { CardAuthority.visaRID }
    static let authorities = CardAuthority.authorities(rid: rid, firstIndex: 0xF1)
    static var profiles: [CardProfile] { CardProfile.visa }
    static var issuer: IssuerScheme { .visa }

    static func combinations(at terminal: SimulatedTerminal) -> [Combination] {
        [
            Combination(
                aid: [0xA0, 0, 0, 0, 0x03, 0x10, 0x10], kernel: 3, name: "Visa",
                transactionTypes: terminal.transactionTypes, limits: terminal.limits, ttq: terminal.ttq,
                data: terminal.data[3] ?? [:])
        ]
    }

    static func sharedChain(_ keys: KeySet) -> CardChain.Shared? {
        switch keys {
        case .standard: standardChain
        case .largest: largestChain
        case .largestF4: largestF4Chain
        case .smallF4: smallF4Chain
        case .withoutRemainders: withoutRemaindersChain
        case .mixedExponents: mixedExponentsChain
        }
    }

    private static let standardChain = CardChain.Shared(CardApplication(), .standard)
    private static let largestChain = CardChain.Shared(CardApplication(), .largest)
    private static let largestF4Chain = CardChain.Shared(CardApplication(), .largestF4)
    private static let smallF4Chain = CardChain.Shared(CardApplication(), .smallF4)
    private static let withoutRemaindersChain = CardChain.Shared(CardApplication(), .withoutRemainders)
    private static let mixedExponentsChain = CardChain.Shared(CardApplication(), .mixedExponents)

    func run(_ application: CardApplication) -> VisaApplication { VisaApplication(application) }

    /// Key index, version, Card Verification Results.
    func issuerData(_ type: CryptogramType) -> [UInt8] {
        if cryptogram == .cvn22 {
            let results: [UInt8] = [0x00, 0x80 | type.resultBits, 0x00, 0x00, 0x00]
            return [0x1F, cryptogram.rawValue, 0x01] + results + [UInt8](repeating: 0, count: 24)
        }
        return [0x06, 0x01, cryptogram.rawValue, 0x03, 0x80 | type.resultBits, 0x00, 0x00]
    }

    func cryptogram(
        of application: CardApplication, counter: UInt16, value: (UInt32, Int) -> [UInt8]
    ) -> [UInt8] {
        let data = ApplicationCryptogram.input(cryptogram, value: value)
        return ApplicationCryptogram(application).cryptogram(cryptogram, counter: counter, data: data)
    }

    /// Form Factor Indicator.
    func optionObjects(_ application: CardApplication) -> [DataObject] {
        application.formFactor.map { [DataObject(0x9F6E, $0)] } ?? []
    }
}

extension CardAuthority {
    /// Visa's RID; its indexes are F1 to F6.
    public static let visaRID: [UInt8] = [0xA0, 0x00, 0x00, 0x00, 0x03]
}

extension KeySet {
    /// Visa's authority key, for the configuration of a terminal.
    public var authorityKey: CAKeyMaterial { authorityKey(rid: CardAuthority.visaRID) }
}
