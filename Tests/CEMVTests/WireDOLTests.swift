// SPDX-License-Identifier: Apache-2.0
import CEMV
import TestData
import Testing

private struct Entry: Equatable {
    var tag: UInt32
    var length: UInt8
}

private func entries(_ dol: [UInt8]) -> (entries: [Entry], error: cemv_wire_error) {
    withGuardedBytes(dol) { lent in
        var cursor = cemv_dol_open(lent)
        var entry = cemv_dol_entry()
        var entries: [Entry] = []
        while cemv_dol_next(&cursor, &entry) {
            entries.append(Entry(tag: entry.tag, length: entry.length))
        }
        return (entries, cursor.error)
    }
}

private func valueSize(_ dol: [UInt8]) -> (size: Int, error: cemv_wire_error) {
    withGuardedBytes(dol) { lent in
        var error = CEMV_WIRE_OK
        return (cemv_dol_value_size(lent, &error), error)
    }
}

/// The fitted value; the byte after it is checked.
private func fit(_ value: [UInt8], _ length: UInt8, _ format: cemv_format) -> [UInt8] {
    var out = [UInt8](repeating: 0xEE, count: Int(length) + 1)
    withGuardedBytes(value) { cemv_dol_fit(&out, length, $0, format) }
    #expect(out.removeLast() == 0xEE)
    return out
}

@Suite("DOL vectors of other projects", .enabled(if: hasVectors("tlv.json"), "no third-party vectors"))
struct WireDOLVectorTests {
    private struct Vectors: Decodable {
        struct List: Decodable {
            /// A tag in hexadecimal and its length.
            struct Pair: Decodable {
                var tag: UInt32
                var length: UInt8

                init(from decoder: any Decoder) throws {
                    var pair = try decoder.unkeyedContainer()
                    tag = UInt32(try pair.decode(String.self), radix: 16) ?? 0
                    length = try pair.decode(UInt8.self)
                }
            }
            var dol: String
            var expect: String?
            var entries: [Pair]?
            var expected_total_length: Int?
            var source1_priority: [[String]]?
            var source2: [[String]]?
            var expected_data: String?
        }
        var dol: [List]
    }

    @Test func agreesOnEntriesAndLengths() throws {
        for list in try loadVectors("tlv.json", as: Vectors.self).dol {
            let found = entries(hex(list.dol))
            #expect((found.error == CEMV_WIRE_OK) == !(list.expect ?? "ok").hasPrefix("error"), "\(list.dol)")
            if let expected = list.entries {
                #expect(found.entries == expected.map { Entry(tag: $0.tag, length: $0.length) }, "\(list.dol)")
            }
            if let total = list.expected_total_length {
                #expect(valueSize(hex(list.dol)) == (total, CEMV_WIRE_OK))
            }
        }
    }

    @Test func agreesOnTheBuiltField() throws {
        for list in try loadVectors("tlv.json", as: Vectors.self).dol {
            guard let expected = list.expected_data else { continue }
            let data = (list.source1_priority ?? []) + (list.source2 ?? [])
            let field = entries(hex(list.dol)).entries.flatMap { entry in
                let value = data.first { UInt32($0[0], radix: 16) == entry.tag }.map { hex($0[1]) } ?? []
                return fit(value, entry.length, CEMV_FORMAT_B)
            }
            #expect(field == hex(expected))
        }
    }
}
