// SPDX-License-Identifier: Apache-2.0
// Kernel 8 among the schemes. It is no payment scheme but a kernel for all of them: its own cards carry an invented
// RID, and any scheme's card may have an application of it beside the older one. What its cards do stands in
// Kernel8Application.swift and Kernel8Transaction.swift, their channel in Kernel8Channel.swift, what they hold in
// Kernel8Data.swift and Kernel8Certificate.swift, what they are in Kernel8Profiles.swift, what their issuer does in
// Kernel8Issuer.swift.
import EMVKernel
internal import EMVTripleDES

extension Kernel8Behaviour: SchemeBehaviour {
    static var rid: [UInt8] { CardAuthority.kernel8RID }
    static let authorities = CardAuthority.authorities(rid: rid, firstIndex: 0x81)
    static var profiles: [CardProfile] { CardProfile.kernel8 }
    static var issuer: IssuerScheme { .kernel8 }

    /// Its own cards', and Kernel 8 beside the kernel of each other application that the POS takes. None at a POS
    /// without anything that computes with secrets.
    static func combinations(at terminal: SimulatedTerminal) -> [Combination] {
        guard terminal.hasSecrets else { return [] }
        let others = Schemes.cards.filter { $0.rid != rid }.flatMap { $0.combinations(at: terminal) }
        var data = reader(terminal)
        for element in (terminal.data[8] ?? [:]).elements { data[element.tag] = element.value }
        var limits = terminal.limits
        // Book C-8 knows neither.
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

    /// RSA certificates too, relay resistance, local authentication, whose failure is not reported: the issuer gets the
    /// TVR that the cryptogram covers. The verification that the terminal's qualifiers name, and none below the limit.
    private static func reader(_ terminal: SimulatedTerminal) -> DataObjects {
        let methods: [(byte: Int, bit: UInt8, method: UInt8)] = [(0, 0x04, 0x40), (0, 0x02, 0x20), (2, 0x40, 0x04)]
        let offered = methods.reduce(UInt8(0)) { $0 | (terminal.ttq[$1.byte] & $1.bit != 0 ? $1.method : 0) }
        return [
            0x9F8206: [0xE0], 0x9F8207: [offered], 0x9F8208: [offered | 0x08], 0x9F8209: [0x30, 0x00],
            0x9F820A: [0x10], 0x9F821E: [0x18], 0x9F821F: [0x9F, 0x82, 0x04, 0x9F, 0x81, 0x0C],
        ]
    }

    func run(_ application: CardApplication) -> Kernel8Application { Kernel8Application(application) }

    /// Coded by Book C-8, Table A.1: local authentication (with keys), offline capable, where the IAD-MAC goes, relay
    /// resistance.
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
    /// Invented: of the cards that have no application but Kernel 8's. RSA indexes are E1 to E6, the elliptic key's EC.
    public static let kernel8RID: [UInt8] = [0xF0, 0x00, 0x00, 0x08, 0x08]

    /// The elliptic keys to configure for Kernel 8: one for each scheme's RID, all the same key.
    public static var ellipticKeys: [EllipticCAKeyMaterial] {
        Schemes.cards.map { Kernel8Authority.publicKey(rid: $0.rid) }
    }
}
