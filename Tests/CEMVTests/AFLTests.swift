// SPDX-License-Identifier: Apache-2.0
import CEMV
import CEMVInternals
import TestData
import Testing

private struct Record: Equatable {
    var sfi: UInt8, number: UInt8, isSigned: Bool
}

private struct Reading: Equatable {
    var records: [Record], isRepeated: Bool
}

private func read(_ afl: [UInt8], limit: UInt8 = 64) -> Reading? {
    let store = TestStore()
    store.put(0x94, afl, CEMV_FROM_CARD)
    var cursor = cemv_afl(), id = cemv_record_id(), isRepeated = true
    guard cemv_afl_open(&cursor, store.raw, limit, &isRepeated) else {
        #expect(!isRepeated && !cemv_afl_next(&cursor, store.raw, &id), "a refused list names no record")
        return nil
    }
    var records: [Record] = []
    while cemv_afl_next(&cursor, store.raw, &id) {
        records.append(Record(sfi: id.sfi, number: id.number, isSigned: id.is_signed))
        guard records.count <= 255 else { break }
    }
    #expect(!cemv_afl_next(&cursor, store.raw, &id), "the end stays the end")
    return Reading(records: records, isRepeated: isRepeated)
}

/// The same from the book's words (Book 3, 10.2 and 7.5), with a list where the kernel has a cursor.
private func naive(_ afl: [UInt8], limit: Int) -> Reading? {
    guard !afl.isEmpty, afl.count.isMultiple(of: 4) else { return nil }
    var records: [Record] = []
    for at in stride(from: 0, to: afl.count, by: 4) {
        let sfi = afl[at] >> 3, first = Int(afl[at + 1]), last = Int(afl[at + 2]), count = Int(afl[at + 3])
        if sfi == 0 || sfi == 31 || first == 0 || last < first || count > last - first + 1 { return nil }
        for number in first...last {
            records.append(Record(sfi: sfi, number: UInt8(number), isSigned: number - first < count))
        }
    }
    if records.count > limit { return nil }
    let distinct = Set(records.map { Int($0.sfi) << 8 | Int($0.number) })
    return Reading(records: records, isRepeated: distinct.count < records.count)
}

@Suite("The application file locator")
struct AFLTests {
    @Test func recordsComeInTheOrderOfTheList() {
        #expect(
            read(hex("08010200 10030501 18020201"))
                == Reading(
                    records: [
                        Record(sfi: 1, number: 1, isSigned: false), Record(sfi: 1, number: 2, isSigned: false),
                        Record(sfi: 2, number: 3, isSigned: true),
                        Record(sfi: 2, number: 4, isSigned: false), Record(sfi: 2, number: 5, isSigned: false),
                        Record(sfi: 3, number: 2, isSigned: true),
                    ], isRepeated: false))
    }

    @Test func anAbsentOrEmptyListIsRefused() {
        #expect(read([]) == nil)
    }

    @Test func everyTruncationOfAnEntryIsRefused() {
        let afl = hex("08010100 10010100 18010100")
        for size in 0...afl.count {
            #expect((read(Array(afl.prefix(size))) != nil) == (size > 0 && size % 4 == 0), "\(size) bytes")
        }
    }

    @Test(arguments: [
        ("00010100", "SFI 0"), ("07010100", "SFI 0 under RFU bits"), ("F8010100", "SFI 31"), ("08000100", "record 0"),
        ("08000000", "record 0 to 0"),
        ("08020100", "last below first"), ("08010102", "more signed than read"), ("080205FF", "more signed than read"),
        ("08010100 10010100 00010100", "a later entry"),
    ])
    func invalidEntriesAreRefused(_ afl: String, _ why: String) {
        #expect(read(hex(afl)) == nil, "\(why)")
    }

    @Test func everyEntryByteAtItsBounds() {
        for sfi in UInt8(0)...31 {
            #expect((read([sfi << 3, 1, 1, 1]) != nil) == (1...30).contains(sfi))
            #expect(read([sfi << 3 | 7, 1, 1, 1])?.records == read([sfi << 3, 1, 1, 1])?.records, "RFU bits")
        }
        for count in UInt8(0)...5 { #expect((read([0x08, 3, 6, count]) != nil) == (count <= 4)) }
        #expect(read([0x08, 255, 255, 1])?.records == [Record(sfi: 1, number: 255, isSigned: true)])
        #expect(read([0x08, 1, 255, 255], limit: 255)?.records.count == 255)
    }

    @Test func theNumberOfRecordsIsLimited() {
        for last in UInt8(63)...65 { #expect((read([0x08, 1, last, 0]) != nil) == (last <= 64)) }
        #expect(read([0x08, 1, 32, 0, 0x10, 1, 32, 0]) != nil && read([0x08, 1, 32, 0, 0x10, 1, 33, 0]) == nil)
        let longest = (UInt8(1)...63).flatMap { number -> [UInt8] in [0x08, number, number, 0] }
        #expect(longest.count == 252 && read(longest)?.records.count == 63 && read(longest, limit: 62) == nil)
        let most = (0..<63).flatMap { _ -> [UInt8] in [0x08, 1, 255, 255] }
        #expect(read(most, limit: 255) == nil, "16,065 records")
        #expect(read([0x08, 1, 1, 0], limit: 0) == nil)
    }

    @Test func repetitionsAreNoted() {
        #expect(read(hex("08010300 08030400"))?.isRepeated == true)
        #expect(read(hex("08010200 08030400"))?.isRepeated == false)
        #expect(read(hex("08010300 10010300"))?.isRepeated == false)
        #expect(read(hex("08020200 10010100 08010300"))?.isRepeated == true)
        #expect(read(hex("08010100 0F010100"))?.isRepeated == true, "the SFI alone counts")
    }

    @Test func agreesWithTheBooksWords() {
        var random = SeededRandom(seed: 94)
        var accepted = 0
        for _ in 0..<20_000 {
            var afl: [UInt8] = []
            for _ in 0..<Int.random(in: 0...6, using: &random) {
                let first = UInt8.random(in: 0...9, using: &random)
                let last = UInt8.random(in: (first > 0 ? first - 1 : 0)...first + 8, using: &random)
                let sfi =
                    Int.random(in: 0..<20, using: &random) == 0
                    ? UInt8.random(in: 0...31, using: &random) : UInt8.random(in: 1...4, using: &random)
                afl += [
                    sfi << 3, first, last,
                    UInt8.random(in: 0...6, using: &random) % (last &- first &+ 2 == 0 ? 1 : last &- first &+ 2),
                ]
            }
            if Int.random(in: 0..<30, using: &random) == 0 {
                afl += random.bytes(Int.random(in: 1...3, using: &random))
            }
            let limit = UInt8.random(in: 10...64, using: &random)
            let expected = naive(afl, limit: Int(limit))
            #expect(read(afl, limit: limit) == expected, "\(afl.hexText)")
            accepted += expected == nil ? 0 : 1
        }
        #expect(accepted > 2000)
    }
}
