// SPDX-License-Identifier: Apache-2.0
/// The data objects of a Mastercard application that are constant over transactions, and their records.
struct MastercardData: Sendable {
    let application: CardApplication
    let behaviour: MastercardBehaviour

    init(_ application: CardApplication) {
        self.application = application
        behaviour = application.mastercard
    }

    /// In EMV mode the record of mag-stripe mode comes first; a reader that recognises it by its position skips it.
    func file(chain: CardChain?) -> CardFile {
        var file = CardFile(of: application)
        if let stripe = behaviour.magneticStripe { file.append([stripe.objects(of: application)], file: 1) }
        guard behaviour.supportsEMV else { return file }
        file.append(
            certified: certifiedRecords, file: Self.certifiedFile, isSigned: application.keys != nil, of: application)
        if let chain {
            file.append(application.issuerGroups(chain), file: 3)
            file.append(application.cardGroups(chain), file: 4)
        }
        file.damage(as: application)
        return file
    }

    var certifiedData: [UInt8] { application.certifiedData(certifiedRecords, file: Self.certifiedFile) }

    private static let certifiedFile: UInt8 = 2

    private var certifiedRecords: [[DataObject]] { application.records(certifiedObjects) }

    private var certifiedObjects: [DataObject] {
        var objects = application.certifiedObjects
        if !application.flaws.contains(.missingTrack2) { objects.append(application.track2Object) }
        objects.append(DataObject(0x8C, behaviour.dataList.bytes))
        if let list = behaviour.verificationList { objects.append(DataObject(0x8E, list)) }
        objects.append(DataObject(0x9F08, behaviour.version))
        if let codes = behaviour.actionCodes {
            objects.append(DataObject(0x9F0D, codes.byDefault))
            objects.append(DataObject(0x9F0E, codes.denial))
            objects.append(DataObject(0x9F0F, codes.online))
        }
        objects.append(DataObject(0x9F42, behaviour.currency))
        if let list = behaviour.recoveryList { objects.append(DataObject(0x9F51, list.bytes)) }
        if let storage = behaviour.storage { objects.append(DataObject(0x9F5B, storage.dataList.bytes)) }
        return objects
    }
}

extension MastercardBehaviour {
    func discretionaryObjects(_ application: CardApplication) -> [DataObject] {
        var objects: [DataObject] = []
        let bytes = capabilityBytes
        if bytes != [0x00, 0x00, 0x00] { objects.append(DataObject(0x9F5D, bytes)) }
        if storage != nil { objects.append(DataObject(0x9F5E, application.storageIdentifier)) }
        if let formFactor = application.formFactor { objects.append(DataObject(0x9F6E, formFactor)) }
        return objects
    }

    /// Application Capabilities Information (9F5D).
    var capabilityBytes: [UInt8] {
        var second: UInt8 = 0
        if capabilities.detectsFieldOff { second |= 0x04 }
        if capabilities.readsBalance { second |= 0x02 }
        if capabilities.signsDeclines { second |= 0x01 }
        return [storage == nil ? 0x00 : 0x01, second, capabilities.envelopes]
    }
}

extension CardApplication {
    /// DS ID (9F5E): PAN and sequence number, at least 8 bytes.
    var storageIdentifier: [UInt8] {
        var digits = pan.utf8.map { $0 & 0xF } + [sequenceByte >> 4, sequenceByte & 0xF]
        while !digits.count.isMultiple(of: 2) || digits.count < 16 { digits.insert(0, at: 0) }
        return [UInt8](nibbles: digits)
    }
}
