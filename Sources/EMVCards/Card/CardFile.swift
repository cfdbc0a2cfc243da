// SPDX-License-Identifier: Apache-2.0
/// The records that one transaction offers, and the locator that names them.
struct CardFile: Sendable {
    /// The content of each record, by file and record number.
    private(set) var records: [RecordNumber: [UInt8]] = [:]
    /// Application File Locator; empty while there are no records.
    private(set) var locator: [UInt8] = []
    /// The objects that the application has or lacks in addition to its scheme's.
    private let changes: [RecordNumber: [CardObjects.Change]]

    /// The number of a record: its file (SFI) and its number in the file.
    typealias RecordNumber = CardObjects.Record

    init(of application: CardApplication) { changes = application.objects.records }

    /// A record of a file is 254 bytes at most (EMV Book 3, 7.1).
    static let longestRecord = 254

    /// Packs the objects into as few records as possible, in their order; one object per record if `spread`.
    static func pack(_ objects: [DataObject], spread: Bool) -> [[DataObject]] {
        var groups: [[DataObject]] = []
        for object in objects {
            let joined = (groups.last ?? []) + [object]
            if groups.isEmpty || spread || DataObject(0x70, joined).bytes.count > longestRecord {
                groups.append([object])
            } else {
                groups[groups.count - 1] = joined
            }
        }
        return groups
    }

    /// Appends records to a file, and an entry to the locator.
    ///
    /// - Parameter signed: how many of them offline data authentication covers.
    mutating func append(_ groups: [[DataObject]], file: UInt8, signed: Int = 0) {
        let first = UInt8(1 + records.keys.filter { $0.file == file }.count)
        for (index, group) in groups.enumerated() {
            let number = RecordNumber(file: file, record: first + UInt8(index))
            records[number] = DataObject(0x70, group.changed(changes[number] ?? [])).bytes
        }
        guard !groups.isEmpty else { return }
        locator += [file << 3, first, first + UInt8(groups.count) - 1, UInt8(min(signed, groups.count))]
    }

    /// Appends the records that the card's certificate covers: to `file`, or to a proprietary file if the layout of the
    /// application has one.
    mutating func append(
        certified groups: [[DataObject]], file: UInt8, isSigned: Bool, of application: CardApplication
    ) {
        let number = application.layout == .proprietaryFile ? 12 : file
        append(groups, file: number, signed: isSigned ? groups.count : 0)
    }

    /// The static data contributed by the locator's signed records (EMV Book 3, 10.3).
    var staticData: [UInt8] {
        stride(from: 0, to: locator.count, by: 4).flatMap { entry -> [UInt8] in
            let file = locator[entry] >> 3
            return (0..<locator[entry + 3]).flatMap { offset -> [UInt8] in
                let number = RecordNumber(file: file, record: locator[entry + 1] + offset)
                guard let record = records[number] else { return [] }
                return file <= 10 ? DataObject.parse(record)?.first?.value ?? [] : record
            }
        }
    }

    mutating func replace(_ number: RecordNumber, with bytes: [UInt8]) { records[number] = bytes }

    mutating func overrideLocator(_ bytes: [UInt8]) { locator = bytes }
}
