// SPDX-License-Identifier: Apache-2.0
/// The data objects of an American Express application that are constant over transactions, and their records. Tracks
/// and lists are in file 1, the data that the issuer signed in file 5, as on published cards. CDOL1 is in file 5 too,
/// although published cards have it in file 1: a reader accepts an approval offline only if CDOL1 is signed (attack
/// A35).
struct AmericanExpressData: Sendable {
    let application: CardApplication
    let behaviour: AmericanExpressBehaviour
    let usesEMV: Bool

    init(_ application: CardApplication, usesEMV: Bool) {
        self.application = application
        behaviour = application.americanExpress
        self.usesEMV = usesEMV
    }

    /// Application Interchange Profile of the mode. A card with both modes signs in EMV mode only, because its issuer
    /// certified the profile of that mode.
    var profile: [UInt8] {
        var bytes = application.profileBytes
        if behaviour.modes == .both, !usesEMV {
            bytes[0] &= ~0x41
            bytes[1] &= ~0x80
        }
        return bytes
    }

    /// Whether the records of this mode contain the issuer's signature.
    var isSigned: Bool { application.keys != nil && (usesEMV || behaviour.modes == .magneticStripe) }

    /// CDOL1 of the mode (Book C-4, 2.1.2).
    var dataList: [DataRequest] { usesEMV ? behaviour.dataList : [.init(0x9F37, 4)] }

    func file(_ memory: inout CardMemory) -> CardFile {
        var file = CardFile(of: application)
        var first: [DataObject] = []
        if !application.flaws.contains(.missingTrack2) { first.append(application.track2Object) }
        if !behaviour.flaws.contains(.missingName) {
            first.append(DataObject(0x5F20, Array(behaviour.cardholder.utf8)))
        }
        var lists = [DataObject(0x9F08, behaviour.version)]
        if usesEMV { lists.insert(DataObject(0x8D, behaviour.secondDataList.bytes), at: 0) }
        if behaviour.dataListIsUnsigned { lists.insert(DataObject(0x8C, dataList.bytes), at: 0) }
        if behaviour.listIsUnsigned, let list = behaviour.verificationList { lists.append(DataObject(0x8E, list)) }
        if let club = behaviour.membership {
            lists += [DataObject(0x9F5A, Array(club.product.utf8)), DataObject(0x9F5B, Array(club.number.utf8))]
        }
        if application.flaws.contains(.unknownObjects) { lists.append(DataObject(0xDF7E, [0x01, 0x02, 0x03])) }
        file.append([first, lists].filter { !$0.isEmpty }, file: 1)
        file.append(certified: certifiedRecords, file: Self.certifiedFile, isSigned: isSigned, of: application)
        if isSigned, let chain = memory.chain(of: application) {
            var certificates = application.issuerGroups(chain)
            if behaviour.signsStatically {
                certificates.append([DataObject(0x93, staticSignature(&memory))])
            } else {
                certificates += application.cardGroups(chain)
            }
            file.append(certificates, file: 6)
        }
        file.damage(as: application)
        return file
    }

    /// Returns the data that the certificate or the static signature covers.
    static func certifiedData(_ application: CardApplication) -> [UInt8] {
        let data = AmericanExpressData(application, usesEMV: application.americanExpress.modes != .magneticStripe)
        return application.certifiedData(data.certifiedRecords, file: certifiedFile)
    }

    private static let certifiedFile: UInt8 = 5

    private var certifiedRecords: [[DataObject]] { application.records(certifiedObjects) }

    private var certifiedObjects: [DataObject] {
        var objects = application.certifiedObjects
        if behaviour.flaws.contains(.missingAccount) { objects.removeAll { $0.tag == 0x5A } }
        if !behaviour.dataListIsUnsigned { objects.append(DataObject(0x8C, dataList.bytes)) }
        if !behaviour.listIsUnsigned, let list = behaviour.verificationList { objects.append(DataObject(0x8E, list)) }
        if let codes = behaviour.actionCodes {
            objects.append(DataObject(0x9F0D, codes.byDefault))
            objects.append(DataObject(0x9F0E, codes.denial))
            objects.append(DataObject(0x9F0F, codes.online))
        }
        objects.append(DataObject(0x9F42, behaviour.currency))
        if let capabilities = behaviour.capabilities { objects.append(DataObject(0x9F70, capabilities)) }
        return objects
    }

    /// Signed Static Application Data (Book 2, 5.4). It is computed once in the card's life.
    private func staticSignature(_ memory: inout CardMemory) -> [UInt8] {
        guard let keys = application.keys else { return [] }
        var covered = Self.certifiedData(application)
        if behaviour.flaws.contains(.wrongStaticSignature) { covered[0] ^= 0x01 }
        let block = Certificate.staticBlock(code: [0xDA, 0xC1], data: covered, length: keys.issuer.modulus.count)
        return memory.sign(block, for: application, with: keys.issuer)
    }
}
