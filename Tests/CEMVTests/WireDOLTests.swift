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

/// The fitted value, with the byte after it watched.
private func fit(_ value: [UInt8], _ length: UInt8, _ format: cemv_format) -> [UInt8] {
    var out = [UInt8](repeating: 0xEE, count: Int(length) + 1)
    withGuardedBytes(value) { cemv_dol_fit(&out, length, $0, format) }
    #expect(out.removeLast() == 0xEE)
    return out
}

@Suite("Data object lists")
struct WireDOLTests {
    private static let dol = hex("9F0206 9F0306 9F1A02 9505 5F2A02 9A03 9C01 9F3704 DF812901")

    @Test func readsTagsAndOneByteLengths() {
        let found = entries(Self.dol)
        #expect(found.error == CEMV_WIRE_OK)
        #expect(found.entries.map(\.tag) == [0x9F02, 0x9F03, 0x9F1A, 0x95, 0x5F2A, 0x9A, 0x9C, 0x9F37, 0xDF8129])
        #expect(found.entries.map(\.length) == [6, 6, 2, 5, 2, 3, 1, 4, 1])
        #expect(valueSize(Self.dol) == (30, CEMV_WIRE_OK))
    }

    @Test func lengthBytesAbove7FAreLengths() {
        #expect(entries(hex("9F4B81 9580 9AFF")).entries.map(\.length) == [0x81, 0x80, 0xFF])
        #expect(valueSize(hex("9F4B81 9580 9AFF")) == (0x200, CEMV_WIRE_OK))
    }

    @Test func anEmptyListAsksForNothing() {
        #expect(entries([]) == ([], CEMV_WIRE_OK))
        #expect(valueSize([]) == (0, CEMV_WIRE_OK))
        #expect(cemv_dol_value_size(cemv_bytes(data: nil, size: 0), nil) == 0)
    }

    @Test func listsHaveNoFiller() {
        #expect(entries(hex("0000 9A03")).entries == [Entry(tag: 0, length: 0), Entry(tag: 0x9A, length: 3)])
    }

    @Test(arguments: [
        ("9F", CEMV_WIRE_TRUNCATED_TAG), ("9A03 DF81", CEMV_WIRE_TRUNCATED_TAG), ("95", CEMV_WIRE_TRUNCATED_LENGTH),
        ("9F02", CEMV_WIRE_TRUNCATED_LENGTH), ("DF81818101 01", CEMV_WIRE_LONG_TAG),
    ])
    func namesTheFault(dol: String, error: cemv_wire_error) {
        #expect(entries(hex(dol)).error == error)
        #expect(valueSize(hex(dol)).error == error)
    }

    @Test func rejectsEveryTruncationThatIsNoShorterList() {
        let all = entries(Self.dol).entries
        var ends = [0]
        for entry in all { ends.append(ends[ends.count - 1] + cemv_tag_size(entry.tag) + 1) }
        for size in 0...Self.dol.count {
            let found = entries(Array(Self.dol.prefix(size)))
            #expect((found.error == CEMV_WIRE_OK) == ends.contains(size))
            #expect(found.entries == Array(all.prefix(found.entries.count)))
        }
    }

    @Test func numericKeepsTheRightAndPadsTheLeft() {
        #expect(fit(hex("000000012345"), 3, CEMV_FORMAT_N) == hex("012345"))
        #expect(fit(hex("0978"), 4, CEMV_FORMAT_N) == hex("00000978"))
        #expect(fit(hex("0978"), 2, CEMV_FORMAT_N) == hex("0978"))
    }

    @Test func compressedNumericKeepsTheLeftAndPadsWithF() {
        #expect(fit(hex("1234567F"), 2, CEMV_FORMAT_CN) == hex("1234"))
        #expect(fit(hex("1234567F"), 6, CEMV_FORMAT_CN) == hex("1234567FFFFF"))
    }

    @Test(arguments: [CEMV_FORMAT_B, CEMV_FORMAT_AN, CEMV_FORMAT_ANS, CEMV_FORMAT_A, CEMV_FORMAT_VAR])
    func otherFormatsKeepTheLeftAndPadTheRightWithZeros(format: cemv_format) {
        #expect(fit(hex("01020304"), 2, format) == hex("0102"))
        #expect(fit(hex("0102"), 4, format) == hex("01020000"))
    }

    @Test(arguments: [
        CEMV_FORMAT_B, CEMV_FORMAT_N, CEMV_FORMAT_CN, CEMV_FORMAT_AN, CEMV_FORMAT_ANS, CEMV_FORMAT_A, CEMV_FORMAT_VAR,
    ])
    func writesExactlyTheAskedLength(format: cemv_format) {
        for length in [0, 1, 2, 127, 128, 255] as [UInt8] {
            #expect(fit([], length, format) == [UInt8](repeating: 0, count: Int(length)), "absent gives zeros")
            for size in [1, 2, 3, 255, 256, 1000] {
                let value = [UInt8](repeating: 0x11, count: size)
                #expect(fit(value, length, format).count(where: { $0 == 0x11 }) == min(size, Int(length)))
            }
        }
    }
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
