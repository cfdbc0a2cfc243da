// SPDX-License-Identifier: Apache-2.0
/// The data objects of a Mastercard application that no transaction changes, and the records they stand in.
struct MastercardData: Sendable {
    let application: CardApplication
    let behaviour: MastercardBehaviour

    init(_ application: CardApplication) {
        self.application = application
        behaviour = application.mastercard
    }

    /// In EMV mode the record of mag-stripe mode comes first; a reader that knows it by its place skips it.
    func file(chain: CardChain?) -> CardFile {
        var file = CardFile()
        if let stripe = behaviour.magneticStripe { file.append([stripe.objects(of: application)], file: 1) }
        guard behaviour.supportsEMV else { return file }
        appendCertified(to: &file)
        if let chain {
            file.append(application.issuerGroups(chain), file: 3)
            file.append(application.cardGroups(chain), file: 4)
        }
        file.damage(as: application)
        return file
    }

    /// What the card's certificate covers: signed records, then the interchange profile that 9F4A names.
    var certifiedData: [UInt8] {
        var file = CardFile()
        appendCertified(to: &file)
        return file.staticData + application.profileBytes
    }

    private func appendCertified(to file: inout CardFile) {
        let groups = CardFile.pack(certifiedObjects, spread: application.layout == .spread)
        let signed = application.keys == nil ? 0 : groups.count
        file.append(groups, file: application.layout == .proprietaryFile ? 12 : 2, signed: signed)
    }

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
