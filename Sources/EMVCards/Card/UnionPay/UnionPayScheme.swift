// SPDX-License-Identifier: Apache-2.0
// UnionPay as a scheme: QuickPass cards with dynamic signatures. UnionPayProfiles.swift contains the named cards,
// UnionPayIssuer.swift the issuer. Book C-7 defines neither issuer update nor mag-stripe mode, so the cards have
// neither.
import EMVKernel

extension UnionPayBehaviour: QualifiedBehaviour {
    static var rid: [UInt8] { CardAuthority.unionPayRID }
    static let authorities = CardAuthority.authorities(rid: rid, firstIndex: 0xC1)
    static var profiles: [CardProfile] { CardProfile.unionPay }
    static var issuer: IssuerScheme { .unionPay }

    /// Debit, credit and quasi-credit. Terminal qualifiers that Book C-7 does not define (Table 3-1) are cleared; a
    /// signature for online transactions makes the reader a transit reader.
    static func combinations(at terminal: SimulatedTerminal) -> [Combination] {
        let wanted = terminal.ttq
        let signsOnline = wanted[0] & 0x01 != 0
        let ttq: Bytes = [wanted[0] & 0x1F | 0x20, wanted[1] & 0xC0, 0x40, 0x00]
        return (1...3).map { kind in
            Combination(
                aid: [0xA0, 0, 0, 0x03, 0x33, 0x01, 0x01, kind],
                kernel: .unionPay(.init(odaForOnline: signsOnline)), name: "UnionPay",
                transactionTypes: terminal.transactionTypes, limits: terminal.limits, ttq: ttq,
                data: terminal.data[7] ?? [:])
        }
    }

    static func sharedChain(_ keys: KeySet) -> CardChain.Shared? { keys == .standard ? standardChain : nil }

    private static let standardChain = CardChain.Shared(.ordinaryUnionPay, .standard)

    func run(_ application: CardApplication) -> UnionPayApplication { UnionPayApplication(application) }

    func discretionaryObjects(_ application: CardApplication) -> [DataObject] {
        transit.map { [DataObject(0xDF61, [$0])] } ?? []
    }

    /// Length, key index, version, Card Verification Results, algorithm (triple DES).
    func issuerData(_ type: CryptogramType) -> [UInt8] {
        [0x07, 0x01, 0x01, 0x03, 0x80 | type.resultBits, 0x00, 0x00, 0x01]
    }

    func cryptogram(
        of application: CardApplication, counter: UInt16, value: (UInt32, Int) -> [UInt8]
    ) -> [UInt8] {
        let data = ApplicationCryptogram.recommendedInput(value: value) + value(0x9F10, 0).dropFirst(3).prefix(4)
        return ApplicationCryptogram(application).unionPayCryptogram(counter: counter, data: data)
    }

    /// The byte after the qualifiers in 9F69 is reserved.
    var authenticationDataEnd: [UInt8] { [0x00] }

    func optionObjects(_ application: CardApplication) -> [DataObject] {
        // A reader that stops at the expiry date reads no other record.
        var objects = expiresFirst ? [application.sequenceObject].compactMap { $0 } : []
        guard let token else { return objects }
        objects += [
            DataObject(0x9F24, Array(token.accountReference.utf8)),
            DataObject(0x9F25, [UInt8](digits: token.lastDigits, count: 2)),
            DataObject(0x9F19, [UInt8](digits: "0" + token.requestor, count: 6)),
        ]
        return objects
    }

    func certifiedRecords(_ application: CardApplication) -> [[DataObject]] {
        let objects = application.certifiedObjects
        guard expiresFirst else { return application.records(objects) }
        let own = objects.filter { $0.tag == 0x5F24 }
        return [own] + objects.filter { $0.tag != 0x5F24 && $0.tag != 0x5F34 }.map { [$0] }
    }
}

extension CardAuthority {
    /// UnionPay's RID; its indexes are C1 to C6.
    public static let unionPayRID: [UInt8] = [0xA0, 0x00, 0x00, 0x03, 0x33]
}

/// A UnionPay application in operation. Besides READ RECORD it supports only GET PROCESSING OPTIONS.
struct UnionPayApplication: RunningApplication {
    private var application: CardApplication

    init(_ application: CardApplication) { self.application = application }

    func respond(to command: CommandAPDU, _ memory: inout CardMemory) -> [UInt8]? {
        guard (command.instructionClass, command.instruction) == (0x80, 0xA8) else { return nil }
        return application.unionPay.processOptions(command, for: application, &memory).answer
    }

    mutating func become(_ other: CardApplication) { application = other }

    func endTransaction() {}
}
