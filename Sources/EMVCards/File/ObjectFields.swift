// SPDX-License-Identifier: Apache-2.0
import EMVFormats
import EMVKernel

extension CardObjects: CardFielded {
    static func visit(
        _ fields: inout CardFields, _ value: inout CardObjects, _ base: CardObjects
    ) throws(FormatError) {
        try fields("directory", &value.directory, base.directory, .changes())
        try fields("fci", &value.fci, base.fci, .changes(besides: [0x9F38: "pdol"]))
        try fields("options", &value.options, base.options, .changes())
        try fields("records", &value.records, base.records, .records)
    }
}

extension CardValue where Value == [CardObjects.Change] {
    /// Values by tag; `null` leaves an object out.
    ///
    /// - Parameter others: tags that a key of the application sets, since the card itself depends on the value.
    fileprivate static func changes(besides others: [UInt32: String] = [:]) -> CardValue {
        CardValue(
            read: { node throws(FormatError) in
                var changes: Value = []
                for (name, member) in try node.members() {
                    let tag = try member.tag(name) { tag in !changes.contains { $0.tag == tag.rawValue } }
                    if let key = others[tag.rawValue] {
                        throw member.expected("the key \"\(key)\" of the application instead", found: "\(tag)")
                    }
                    let value: [UInt8]? = member.isNull ? nil : try member.hex(0...252)
                    changes.append(CardObjects.Change(tag.rawValue, value))
                }
                return changes
            },
            write: { changes in
                var object = ObjectWriter()
                for change in changes {
                    let value = change.value.map { JSON(.string(Hex.string($0))) } ?? JSON(.null)
                    object.put(Hex.string(DataObject.tagBytes(change.tag)), value)
                }
                return object.json
            })
    }
}

extension CardValue where Value == [CardObjects.Record: [CardObjects.Change]] {
    /// Changes by file and record, `"2.1"`.
    fileprivate static var records: CardValue {
        let changes = CardValue<[CardObjects.Change]>.changes()
        return CardValue(
            read: { node throws(FormatError) in
                var records: Value = [:]
                for (name, member) in try node.members() {
                    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
                    guard parts.count == 2, let file = UInt8(parts[0]), let record = UInt8(parts[1]),
                        (1...30).contains(file), (1...254).contains(record), name == "\(file).\(record)"
                    else {
                        throw member.expected(
                            "file and record as the key, like \"2.1\"", found: "another key")
                    }
                    records[CardObjects.Record(file: file, record: record)] = try changes.read(member)
                }
                return records
            },
            write: { records in
                var object = ObjectWriter()
                for (record, list) in records.sorted(by: { ($0.key.file, $0.key.record) < ($1.key.file, $1.key.record) }
                ) {
                    object.put("\(record.file).\(record.record)", changes.write(list))
                }
                return object.json
            })
    }
}
