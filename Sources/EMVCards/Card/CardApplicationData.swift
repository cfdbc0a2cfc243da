// SPDX-License-Identifier: Apache-2.0
/// The data objects of an application that are constant over transactions.
extension CardApplication {
    var panObject: DataObject { DataObject(0x5A, [UInt8](digits: pan, count: (pan.utf8.count + 1) / 2)) }

    var sequenceObject: DataObject? { sequence.map { DataObject(0x5F34, [($0 / 10) << 4 | $0 % 10]) } }

    /// Track 2 Equivalent Data: PAN, separator D, expiry, service code, discretionary data.
    var track2Object: DataObject {
        let tail = expires.prefix(4) + serviceCode + discretionaryData
        let nibbles = pan.utf8.map { $0 & 0xF } + [0xD] + tail.utf8.map { $0 & 0xF }
        return DataObject(0x57, [UInt8](nibbles: nibbles))
    }

    /// The sequence number for key derivation: 00 if the card has no sequence number.
    var sequenceByte: UInt8 { sequenceObject?.value[0] ?? 0 }

    /// Application Interchange Profile as the card returns it.
    var profileBytes: [UInt8] {
        var bytes = scheme.behaviour.interchangeProfile(self)
        if keys == nil { bytes[0] &= ~0x21 }
        if flaws.contains(.profileWithoutDDA) { bytes[0] &= ~0x20 }
        if let own = objects.options.last(where: { $0.tag == 0x82 })?.value, own.count == 2 { bytes = own }
        return bytes
    }

    /// The objects that every scheme puts into the records that the card's certificate covers.
    var certifiedObjects: [DataObject] {
        var objects = [panObject, DataObject(0x5F24, [UInt8](digits: expires, count: 3))]
        if let effective { objects.append(DataObject(0x5F25, [UInt8](digits: effective, count: 3))) }
        if let sequenceObject { objects.append(sequenceObject) }
        if let issuerCountry { objects.append(DataObject(0x5F28, issuerCountry)) }
        if let usageControl { objects.append(DataObject(0x9F07, usageControl)) }
        if let accountReference { objects.append(DataObject(0x9F24, Array(accountReference.utf8))) }
        if keys != nil {
            objects.append(DataObject(0x9F4A, flaws.contains(.wrongTagList) ? [0x82, 0x5A] : [0x82]))
        }
        return objects
    }

    /// The objects as records of this card.
    func records(_ objects: [DataObject]) -> [[DataObject]] { CardFile.pack(objects, spread: layout == .spread) }

    /// The data that the card's certificate covers: these records of `file`, if the card signs, then the interchange
    /// profile, which 9F4A names.
    func certifiedData(_ records: [[DataObject]], file: UInt8) -> [UInt8] {
        var data = CardFile(of: self)
        data.append(certified: records, file: file, isSigned: keys != nil, of: self)
        return data.staticData + profileBytes
    }

    /// The name by which SELECT finds the application, extended selection included.
    var selectionName: [UInt8] { aid + (extendedSelection ?? []) }

    var directoryEntry: DataObject {
        var objects = [DataObject(0x4F, aid), DataObject(0x50, Array(label.utf8))]
        if let priority { objects.append(DataObject(0x87, [priority])) }
        if let kernelIdentifier { objects.append(DataObject(0x9F2A, kernelIdentifier)) }
        if let extendedSelection { objects.append(DataObject(0x9F29, extendedSelection)) }
        return DataObject(0x61, objects.changed(self.objects.directory))
    }

    /// The answer to SELECT.
    var controlInformation: DataObject {
        var objects = [DataObject(0x50, Array(label.utf8))]
        if let priority { objects.append(DataObject(0x87, [priority])) }
        if let pdol { objects.append(DataObject(0x9F38, pdol.bytes)) }
        if let languages { objects.append(DataObject(0x5F2D, Array(languages.utf8))) }
        let changes = self.objects.fci
        let discretionary = (issuerObjects + scheme.behaviour.discretionaryObjects(self))
            .changed(changes.filter { $0.place == .issuer })
        if !discretionary.isEmpty { objects.append(DataObject(0xBF0C, discretionary)) }
        objects = objects.changed(changes.filter { $0.place == .proprietary })
        let outer = [DataObject(0x84, selectionName), DataObject(0xA5, objects)]
        return DataObject(0x6F, outer.changed(changes.filter { $0.place == .outer }))
    }
}

extension CardApplication {
    /// Issuer and product data, for readers that evaluate them before the payment.
    private var issuerObjects: [DataObject] {
        var objects: [DataObject] = []
        if let registeredData { objects.append(DataObject(0x9F0A, registeredData)) }
        if let issuerNumber {
            let isLong = issuerNumber.utf8.count > 6
            objects.append(DataObject(isLong ? 0x9F0C : 0x42, [UInt8](digits: issuerNumber, count: isLong ? 4 : 3)))
        }
        return objects
    }
}

extension [DataRequest] {
    /// The list as a data object's value.
    var bytes: [UInt8] { flatMap { DataObject.tagBytes($0.tag) + [$0.length] } }

    /// Number of bytes that a terminal sends for the list.
    var dataLength: Int { reduce(0) { $0 + Int($1.length) } }
}

// MARK: What GET PROCESSING OPTIONS and the records share

/// The answer to GET PROCESSING OPTIONS.
struct OptionsAnswer: Sendable {
    /// Without the status word.
    var options: [UInt8]
    var records: [CardFile.RecordNumber: [UInt8]]
}

extension CardApplication {
    /// Registered Application Provider Identifier of the scheme whose authorities certify the card.
    var authorityRID: [UInt8] { scheme.behaviour.rid }

    /// Interchange profile and locator.
    func optionHead(_ file: CardFile) -> [DataObject] {
        var head: [DataObject] = []
        if !flaws.contains(.missingInterchangeProfile) { head.append(DataObject(0x82, profileBytes)) }
        if !file.locator.isEmpty || flaws.contains(.emptyFileLocator) { head.append(DataObject(0x94, file.locator)) }
        return head
    }

    /// The issuer's certificate, as records.
    func issuerGroups(_ chain: CardChain) -> [[DataObject]] {
        guard let keys else { return [] }
        let authority = keys.authorityKey(rid: authorityRID)
        let index = flaws.contains(.unknownAuthority) ? 0xEE : authority.index
        var objects = [DataObject(0x8F, [index])]
        if !flaws.contains(.missingIssuerExponent) { objects.append(DataObject(0x9F32, keys.issuer.exponentBytes)) }
        if !chain.issuer.remainder.isEmpty { objects.append(DataObject(0x92, chain.issuer.remainder)) }
        if !flaws.contains(.missingIssuerCertificate) { objects.append(DataObject(0x90, chain.issuer.certificate)) }
        return records(objects)
    }

    /// The card's own certificate, as records.
    func cardGroups(_ chain: CardChain) -> [[DataObject]] {
        guard let keys else { return [] }
        var objects = [DataObject(0x9F47, keys.card.exponentBytes)]
        if !chain.card.remainder.isEmpty, !flaws.contains(.missingCardRemainder) {
            objects.append(DataObject(0x9F48, chain.card.remainder))
        }
        if !flaws.contains(.missingCardCertificate) { objects.append(DataObject(0x9F46, chain.card.certificate)) }
        return records(objects)
    }
}

extension CardFile {
    /// Applies the flaws that concern the records and their locator.
    mutating func damage(as application: CardApplication) {
        let flaws = application.flaws
        if flaws.contains(.changedStaticData) {
            for (number, record) in records { replace(number, with: Self.changingExpiry(record)) }
        }
        if flaws.contains(.repeatedTrack2) { append([[application.track2Object]], file: 5) }
        if flaws.contains(.recordWithoutTemplate) {
            for (number, record) in records { replace(number, with: [0x71] + record.dropFirst()) }
        }
        if flaws.contains(.absentRecord) { overrideLocator(locator + [0x30, 0x01, 0x01, 0x00]) }
        if flaws.contains(.unevenFileLocator) { overrideLocator(locator + [0x30]) }
        if flaws.contains(.emptyFileLocator) { overrideLocator([]) }
    }

    /// Returns the record with its expiry, if it has one, a day earlier.
    private static func changingExpiry(_ record: [UInt8]) -> [UInt8] {
        guard let template = DataObject.parse(record)?.first, var objects = DataObject.parse(template.value) else {
            return record
        }
        for index in objects.indices where objects[index].tag == 0x5F24 && objects[index].value.count > 2 {
            objects[index].value[2] ^= 0x01
        }
        return DataObject(0x70, objects).bytes
    }
}

extension [UInt8] {
    /// Minor units as n12.
    init(amount: UInt64) {
        var rest = amount
        self = []
        for _ in 0..<6 {
            insert(UInt8(rest / 10 % 10) << 4 | UInt8(rest % 10), at: 0)
            rest /= 100
        }
    }
}
