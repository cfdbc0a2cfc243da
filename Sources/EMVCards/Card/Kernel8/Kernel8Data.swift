// SPDX-License-Identifier: Apache-2.0
// The data of a Kernel 8 application that are constant over transactions: records, their hash, certificates.

/// Keys and certificates of one application. They are issued once in a card's life.
struct Kernel8Chain: Sendable {
    let card: P256PrivateKey
    /// Certification Authority Public Key Index and the certificates, as records. Empty without local authentication.
    let issuerGroups: [[DataObject]]
    let cardGroups: [[DataObject]]

    init(_ application: CardApplication, _ memory: inout CardMemory) {
        card = Self.key(of: application)
        guard application.keys != nil else {
            (issuerGroups, cardGroups) = ([], [])
            return
        }
        switch application.kernel8.certificates {
        case .elliptic:
            issuerGroups = [Self.issuerObjects(application)]
            cardGroups = [Self.cardObjects(application, card)]
        case .rsa:
            let chain = memory.chain(of: application)
            issuerGroups = (chain.map { application.issuerGroups($0) } ?? []).map { group in
                group.filter { $0.tag != 0x8F || !application.kernel8.defects.contains(.missingAuthorityIndex) }
            }
            cardGroups = chain.map { application.cardGroups($0) } ?? []
        }
    }

    /// Returns the card's own key for the channel, which differs for each account.
    static func key(of application: CardApplication) -> P256PrivateKey {
        P256PrivateKey(name: "Kernel 8: card \(application.pan) \(application.sequenceByte)")
    }

    private static func issuerObjects(_ application: CardApplication) -> [DataObject] {
        let (flaws, defects) = (application.flaws, application.kernel8.defects)
        let index = flaws.contains(.unknownAuthority) ? 0xEE : Kernel8Authority.index
        let message = Kernel8Certificate.Issuer(
            identifier: flaws.contains(.wrongIssuerIdentifier) ? "999" : String(application.pan.prefix(8)),
            expires: application.issuerCertificateExpires.lastDay, serial: application.issuerSerial,
            rid: Array(application.aid.prefix(5)), authorityIndex: index, key: Kernel8Authority.issuer.point.x.bytes)
        let wrong = defects.contains(.wrongIssuerSignature)
        let signed = Kernel8Certificate.issue(
            message.message, by: wrong ? Kernel8Authority.issuer : Kernel8Authority.key)
        var objects: [DataObject] = []
        if !defects.contains(.missingAuthorityIndex) { objects.append(DataObject(0x8F, [index])) }
        if !flaws.contains(.missingIssuerCertificate) { objects.append(DataObject(0x90, signed)) }
        return objects
    }

    private static func cardObjects(_ application: CardApplication, _ key: P256PrivateKey) -> [DataObject] {
        var hash = SHA256.hash(Kernel8Data(application).staticData)
        if application.flaws.contains(.wrongCardHash) { hash[0] ^= 0x01 }
        let message = Kernel8Certificate.Card(
            expires: application.cardCertificateExpires.lastDay, expiryTime: "2359",
            serial: [0x00, 0x00, 0x00, 0x00, 0x00, 0x07], dataHash: hash, key: key.point.x.bytes)
        let wrong = application.kernel8.defects.contains(.wrongCardSignature)
        let signed = Kernel8Certificate.issue(
            message.message, by: wrong ? Kernel8Authority.key : Kernel8Authority.issuer)
        return application.flaws.contains(.missingCardCertificate) ? [] : [DataObject(0x9F46, signed)]
    }
}

/// The records of an application and the input of their hash.
struct Kernel8Data: Sendable {
    let application: CardApplication

    private var behaviour: Kernel8Behaviour { application.kernel8 }

    init(_ application: CardApplication) { self.application = application }

    /// The file of the records with the account, which are signed if the card has certificates. The certificates' files
    /// follow.
    static let accountFile: UInt8 = 2
    static let issuerFile: UInt8 = 3
    static let cardFile: UInt8 = 4

    func file(_ chain: Kernel8Chain) -> CardFile {
        var file = signedFile
        if behaviour.defects.contains(.unsignedCardKey), application.keys != nil, behaviour.certificates == .rsa {
            file.append([[cardKeyObject]], file: 5)
        }
        file.append(chain.issuerGroups.filter { !$0.isEmpty }, file: Self.issuerFile)
        file.append(chain.cardGroups.filter { !$0.isEmpty }, file: Self.cardFile)
        file.damage(as: application)
        return file
    }

    private var signedFile: CardFile {
        var file = CardFile(of: application)
        let groups = application.records(objects)
        file.append(groups, file: Self.accountFile, signed: application.keys == nil ? 0 : groups.count)
        return file
    }

    /// Signed Records, Extended SDA Tag List Related Data, Application Interchange Profile (Book C-8, 2627.8, C.36).
    var staticData: [UInt8] { signedFile.staticData + extendedData + application.profileBytes }

    private var listObject: DataObject { DataObject(0x8C, [DataRequest].kernel8Cryptogram.bytes) }

    private var extendedData: [UInt8] {
        let known = objects + authenticatedObjects + [listObject]
        return behaviour.extendedTags.flatMap { tag in
            (known.first { $0.tag == tag } ?? DataObject(tag, [UInt8]())).bytes
        }
    }

    var authenticatedObjects: [DataObject] { behaviour.authenticatedData.map { [DataObject(0x9F8106, $0)] } ?? [] }

    private var cardKeyObject: DataObject {
        DataObject(0x9F810B, Kernel8Chain.key(of: application).point.x.bytes)
    }

    private var objects: [DataObject] {
        var objects: [DataObject] = []
        if !application.flaws.contains(.missingTrack2) { objects.append(application.track2Object) }
        if !behaviour.defects.contains(.missingAccount) { objects.append(application.panObject) }
        objects.append(DataObject(0x5F24, [UInt8](digits: application.expires, count: 3)))
        if let sequence = application.sequenceObject { objects.append(sequence) }
        if let control = application.usageControl { objects.append(DataObject(0x9F07, control)) }
        objects.append(DataObject(0x9F810D, [0x30, 0x60]))
        if !behaviour.extendedTags.isEmpty {
            objects.append(DataObject(0x9F810A, behaviour.extendedTags.flatMap { DataObject.tagBytes($0) }))
        }
        if behaviour.listIsSigned { objects.append(listObject) }
        let isRSA = application.keys != nil && behaviour.certificates == .rsa
        if isRSA, !behaviour.defects.contains(.unsignedCardKey) { objects.append(cardKeyObject) }
        return objects
    }
}

extension [UInt8] {
    /// The last day of a month MMYY, as YYYYMMDD; always the 28th for February.
    fileprivate var lastDay: String {
        let month = String(hex.prefix(2))
        let day = ["04", "06", "09", "11"].contains(month) ? "30" : month == "02" ? "28" : "31"
        return "20\(hex.suffix(2))\(month)\(day)"
    }
}
