// SPDX-License-Identifier: Apache-2.0
// Kernel 8 as a scheme. It is not a payment scheme but a kernel for all of them: its own cards have an invented RID,
// and a card of any scheme may have a Kernel 8 application in addition to the older one. Kernel8Application.swift and
// Kernel8Transaction.swift implement the cards, Kernel8Channel.swift their channel, Kernel8Data.swift and
// Kernel8Certificate.swift their data, Kernel8Profiles.swift the named cards, Kernel8Issuer.swift the issuer.
import EMVKernel
internal import EMVTripleDES

extension Kernel8Behaviour: SchemeBehaviour {
    static var rid: [UInt8] { CardAuthority.kernel8RID }
    static let authorities = CardAuthority.authorities(rid: rid, firstIndex: 0x81)
    static var profiles: [CardProfile] { CardProfile.kernel8 }
    static var issuer: IssuerScheme { .kernel8 }

    /// Returns the combinations for Kernel 8's own cards and for every other AID that the POS accepts. Empty if the POS
    /// has no implementation of the secret cryptography.
    static func combinations(at terminal: SimulatedTerminal) -> [Combination] {
        guard terminal.hasSecrets else { return [] }
        let others = Schemes.cards.filter { $0.rid != rid }.flatMap { $0.combinations(at: terminal) }
        var data = reader(terminal)
        for element in (terminal.data[8] ?? [:]).elements { data[element.tag] = element.value }
        var limits = terminal.limits
        // Book C-8 defines neither limit.
        limits.terminalFloor = nil
        limits.cdcvmTransaction = nil
        var names: [(aid: Bytes, name: String)] = [(CardApplication.ordinaryKernel8.aid, "Kernel 8")]
        for other in others where !names.contains(where: { $0.aid == other.aid }) {
            names.append((other.aid, other.name))
        }
        return names.map {
            Combination(
                aid: $0.aid, kernel: .kernel8(), name: $0.name, transactionTypes: terminal.transactionTypes,
                limits: limits, data: data)
        }
    }

    /// The reader supports RSA certificates, relay resistance and local authentication. A failed local authentication
    /// is not reported to the issuer, which gets the TVR that the cryptogram covers. The verification methods are those
    /// in the terminal's qualifiers; below the limit, no verification is required.
    private static func reader(_ terminal: SimulatedTerminal) -> DataObjects {
        let methods: [(byte: Int, bit: UInt8, method: UInt8)] = [(0, 0x04, 0x40), (0, 0x02, 0x20), (2, 0x40, 0x04)]
        let offered = methods.reduce(UInt8(0)) { $0 | (terminal.ttq[$1.byte] & $1.bit != 0 ? $1.method : 0) }
        return [
            0x9F8206: [0xE0], 0x9F8207: [offered], 0x9F8208: [offered | 0x08], 0x9F8209: [0x30, 0x00],
            0x9F820A: [0x10], 0x9F821E: [0x18], 0x9F821F: [0x9F, 0x82, 0x04, 0x9F, 0x81, 0x0C],
        ]
    }

    func run(_ application: CardApplication) -> Kernel8Application { Kernel8Application(application) }

    /// Coded as in Book C-8, Table A.1: local authentication (with keys), offline capable, position of the IAD-MAC,
    /// relay resistance.
    func interchangeProfile(_ application: CardApplication) -> [UInt8] {
        var bytes = application.interchangeProfile
        bytes[0] |= 0x01
        switch application.disposition {
        case .offline, .offlineRegardless: bytes[1] |= 0x08
        case .online, .decline: break
        }
        switch issuerDataMAC {
        case .terminalOffset: bytes[1] |= 0x02
        case .cardOffset: bytes[1] |= 0x04
        case .apart: break
        }
        if relay != nil { bytes[1] |= 0x01 }
        return bytes
    }

    /// Card Qualifier.
    func discretionaryObjects(_ application: CardApplication) -> [DataObject] {
        let suites = (channelSuites + [0xFF, 0xFF, 0xFF]).prefix(3)
        return [DataObject(0x9F2C, [version] + suites + [detectsFieldOff ? 0x80 : 0x00, 0x00, 0x00])]
    }

    var cryptogramList: [DataRequest] { .kernel8Cryptogram }

    func certifiedData(_ application: CardApplication) -> [UInt8] { Kernel8Data(application).staticData }

    func authenticationData(
        for application: CardApplication, cryptogram: [UInt8], counter: UInt16, responseCode: String
    ) -> [UInt8] {
        let key = application.cardKeys.cryptogram.sessionKey(diversifiedBy: counter.bigEndianBytes)
        let update: [UInt8] = [0x00, responseCode == "00" ? 0x80 : 0x00, 0x00, 0x00]
        return ResponseMethod.second(key, cryptogram, update: update, more: []) + update
    }
}

extension CardAuthority {
    /// Invented RID for cards that have only a Kernel 8 application. The indexes are E1 to E6 for RSA and EC for the
    /// elliptic key.
    public static let kernel8RID: [UInt8] = [0xF0, 0x00, 0x00, 0x08, 0x08]

    /// The elliptic keys to configure for Kernel 8: the same key once for each scheme's RID.
    public static var ellipticKeys: [EllipticCAKeyMaterial] {
        Schemes.cards.map { Kernel8Authority.publicKey(rid: $0.rid) }
    }
}
