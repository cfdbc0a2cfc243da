/// The data objects of an application that no transaction changes.
extension CardApplication {
    var panObject: DataObject { DataObject(0x5A, [UInt8](digits: pan, count: (pan.utf8.count + 1) / 2)) }

    var sequenceObject: DataObject? { sequence.map { DataObject(0x5F34, [$0 / 10 << 4 | $0 % 10]) } }

    /// Track 2 Equivalent Data: PAN, separator D, expiry, service code, discretionary data.
    var track2Object: DataObject {
        let tail = expires.prefix(4) + serviceCode + discretionaryData
        let nibbles = pan.utf8.map { $0 & 0xF } + [0xD] + tail.utf8.map { $0 & 0xF }
        return DataObject(0x57, [UInt8](nibbles: nibbles))
    }

    var profileBytes: [UInt8] {
        var bytes = interchangeProfile
        if keys == nil || flaws.contains(.profileWithoutDDA) { bytes[0] &= ~0x20 }
        return bytes
    }

    /// What stands in the record that the card's certificate covers.
    var staticObjects: [DataObject] {
        var objects = [panObject, DataObject(0x5F24, [UInt8](digits: expires, count: 3))]
        if let effective { objects.append(DataObject(0x5F25, [UInt8](digits: effective, count: 3))) }
        if let sequenceObject { objects.append(sequenceObject) }
        if let issuerCountry { objects.append(DataObject(0x5F28, issuerCountry)) }
        if let usageControl { objects.append(DataObject(0x9F07, usageControl)) }
        if keys != nil {
            objects.append(DataObject(0x9F4A, flaws.contains(.wrongTagList) ? [0x82, 0x5A] : [0x82]))
        }
        return objects
    }

    /// The name that SELECT finds: extended selection is part of it.
    var selectionName: [UInt8] { aid + (extendedSelection ?? []) }

    var directoryEntry: DataObject {
        var objects = [DataObject(0x4F, aid), DataObject(0x50, Array(label.utf8))]
        if let priority { objects.append(DataObject(0x87, [priority])) }
        if let kernelIdentifier { objects.append(DataObject(0x9F2A, kernelIdentifier)) }
        if let extendedSelection { objects.append(DataObject(0x9F29, extendedSelection)) }
        return DataObject(0x61, objects)
    }

    /// The answer to SELECT.
    var controlInformation: DataObject {
        var objects = [DataObject(0x50, Array(label.utf8))]
        if let priority { objects.append(DataObject(0x87, [priority])) }
        if let pdol {
            let list = pdol.flatMap { DataObject.tagBytes($0.tag) + [$0.length] }
            objects.append(DataObject(0x9F38, list))
        }
        return DataObject(0x6F, [DataObject(0x84, selectionName), DataObject(0xA5, objects)])
    }
}
