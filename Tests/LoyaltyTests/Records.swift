// SPDX-License-Identifier: Apache-2.0
import EMVKit

#if !FUZZING
@testable import EMVLoyalty
#endif

/// Messages in the form that phones write: any format, any length, nested records. The reader writes its own commands
/// with `NDEFWriter`.
extension NDEFRecord {
    /// An external record of a type of ASCII letters.
    init(_ type: String, _ payload: Bytes) {
        self.init(format: NDEFRecord.external, type: Bytes(type.utf8), payload: payload)
    }

    /// An external record that contains records.
    init(_ type: String, after prefix: Bytes = [], _ records: [NDEFRecord]) {
        self.init(type, prefix + NDEFRecord.message(records))
    }

    /// A message of these records; short records have the short form. Without records it is empty.
    static func message(_ records: [NDEFRecord]) -> Bytes {
        var bytes = Bytes()
        for (index, record) in records.enumerated() {
            precondition(record.type.count < 256 && record.identifier.count < 256, "a name longer than a byte says")
            let isShort = record.payload.count < 256
            var header = record.format
            if index == 0 { header |= 0x80 }
            if index == records.count - 1 { header |= 0x40 }
            if isShort { header |= 0x10 }
            if !record.identifier.isEmpty { header |= 0x08 }
            bytes += [header, UInt8(record.type.count)]
            let places: [Int] = isShort ? [0] : [24, 16, 8, 0]
            bytes += places.map { UInt8(truncatingIfNeeded: record.payload.count >> $0) }
            if !record.identifier.isEmpty { bytes.append(UInt8(record.identifier.count)) }
            bytes += record.type + record.identifier + record.payload
        }
        return bytes
    }
}

extension [NDEFRecord] {
    /// For a command, in which each name occurs once.
    func first(_ name: String) -> NDEFRecord? { first { $0.name == name } }
}
