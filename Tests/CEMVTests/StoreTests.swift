// SPDX-License-Identifier: Apache-2.0
import CEMV
import CEMVInternals
import Foundation
import TestData
import Testing

/// A tag store in memory of its own, dirty before it is cleared.
final class TestStore {
    let raw: UnsafeMutablePointer<cemv_store>

    /// Of Kernel 2, which has the most tags of its own.
    init(rules: cemv_reading...) {
        raw = .allocate(capacity: 1)
        memset(raw, 0xA5, MemoryLayout<cemv_store>.size)
        cemv_store_clear(raw, tags_of(2), rules.reduce(0) { $0 | UInt8($1.rawValue) })
    }

    deinit { raw.deallocate() }

    @discardableResult
    func put(_ tag: UInt32, _ value: [UInt8], _ provenance: cemv_provenance = CEMV_FROM_TERMINAL) -> Bool {
        withGuardedBytes(value) { cemv_store_put(raw, slot(tag), $0, UInt8(provenance.rawValue)) }
    }

    func putList(_ list: [UInt8], _ provenance: cemv_provenance = CEMV_FROM_TERMINAL) -> cemv_store_error {
        withGuardedBytes(list) { cemv_store_put_list(raw, $0, UInt8(provenance.rawValue)) }
    }

    func template(_ tag: UInt32, _ body: [UInt8]) -> cemv_store_error {
        withGuardedBytes(body) { cemv_store_template(raw, tag, $0) }
    }

    func record(_ body: [UInt8], signed: Bool = false, whole: Bool = false) -> cemv_store_error {
        withGuardedBytes(body) { cemv_store_record(raw, $0, signed, whole) }
    }

    func card(_ tag: UInt32, _ value: [UInt8]) -> cemv_store_error {
        withGuardedBytes(value) { cemv_store_card(raw, slot(tag), $0) }
    }

    func value(_ tag: UInt32) -> [UInt8]? {
        cemv_store_has(raw, slot(tag)) ? [UInt8](cemv_store_value(raw, slot(tag))) : nil
    }

    func provenance(_ tag: UInt32) -> UInt32 {
        UInt32(cemv_store_provenance(raw, slot(tag)))
    }

    var signed: [[UInt8]] {
        var pieces = [cemv_bytes](repeating: cemv_bytes(), count: Int(CEMV_STORE_SPANS))
        let count = cemv_store_signed(raw, &pieces)
        return pieces.prefix(count).map { [UInt8]($0) }
    }

    var isFlagged: Bool { raw.pointee.terminal_tag_from_card }
    var count: Int { Int(raw.pointee.count) }
    var used: Int { Int(raw.pointee.used) }

    /// Everything the store answers with.
    var contents: [UInt32: [UInt8]] {
        var contents: [UInt32: [UInt8]] = [:]
        for row in rows { contents[row.number] = value(row.number) }
        return contents
    }

    /// The index and the entries name each other, and nothing lies outside the used arena.
    var isConsistent: Bool {
        guard used <= Int(CEMV_STORE_ARENA), count <= Int(CEMV_STORE_ENTRIES),
            raw.pointee.span_count <= UInt8(CEMV_STORE_SPANS)
        else { return false }
        var held = 0
        for slot in 0..<UInt16(CEMV_SLOT_COUNT.rawValue) + UInt16(CEMV_KERNEL_TAGS_MAX) {
            guard let entry = cemv_store_find(raw, slot) else { continue }
            held += 1
            guard entry.pointee.slot == slot, entry.pointee.size > 0, (1...5).contains(entry.pointee.provenance) else {
                return false
            }
            guard Int(entry.pointee.offset) + Int(entry.pointee.size) <= used else { return false }
        }
        return held == count && signed.reduce(0) { $0 + $1.count } <= used
    }
}

private func slot(_ tag: UInt32) -> UInt16 { cemv_slot_of(tags_of(2), tag) }

private let rows: [cemv_tag_row] = (0..<UInt16(CEMV_SLOT_COUNT.rawValue) + tags_of(2)!.pointee.count).map {
    cemv_tag_row_at(tags_of(2), $0).pointee
}

private extension cemv_tag_row {
    var isFromCard: Bool { source & UInt8(CEMV_SOURCE_CARD.rawValue) != 0 }
    var isPrimitive: Bool { !cemv_tag_is_constructed(number) }
    var onlyConfigures: Bool { source == UInt8(CEMV_SOURCE_CONFIGURATION.rawValue) }
    var isPrivate: Bool { tagBytes(number)[0] & 0xC0 == 0xC0 }
    /// Book 3, 7.5: a wrong format never ends a transaction.
    var isFormatFree: Bool { [0x42, 0x5F20, 0x5F50, 0x9F0B, 0x9F0C, 0x9F1F, 0x9F4D, 0x9F4F].contains(number) }
}

private func tagBytes(_ tag: UInt32) -> [UInt8] {
    let bytes = withUnsafeBytes(of: tag.bigEndian) { Array($0) }
    return Array(bytes.drop { $0 == 0 })
}

/// One data object with the shortest length.
private func object(_ tag: UInt32, _ value: [UInt8]) -> [UInt8] {
    let size = value.count
    let length =
        size < 0x80
        ? [UInt8(size)] : size < 0x100 ? [0x81, UInt8(size)] : [0x82, UInt8(size >> 8), UInt8(size & 0xFF)]
    return tagBytes(tag) + length + value
}

@_disfavoredOverload
private func object(_ tag: UInt32, _ children: [[UInt8]]) -> [UInt8] {
    object(tag, Array(children.joined()))
}

private func filled(_ byte: UInt8, _ count: some BinaryInteger) -> [UInt8] {
    [UInt8](repeating: byte, count: Int(count))
}

/// The book's record of a card, with every kind of length and a nested template.
private let sampleRecord = object(
    0x70,
    [
        object(0x5A, hex("4761739001010010")), object(0x57, hex("4761739001010010D22122011143804400000F")),
        object(0x5F24, hex("221231")),
        object(0x5F20, Array("SURNAME/NAME".utf8)), object(0x9F07, hex("FF00")),
        object(0x8C, hex("9F02069F03069F1A0295055F2A029A039C019F3704")),
        object(0x90, filled(0x6D, 0x90)), object(0xBF0C, [object(0x9F6E, hex("0840000030")), object(0xC1, hex("00"))]),
        object(0x9F32, hex("03")),
    ])

@Suite("The store: card data")
struct StoreCardTests {
    @Test func everyPrimitiveCardDatumIsKeptInPlace() {
        for row in rows where row.isFromCard && row.isPrimitive {
            let store = TestStore()
            let value = filled(0x31, row.max)
            #expect(store.record(object(0x70, [object(row.number, value)])) == CEMV_STORE_OK)
            #expect(store.value(row.number) == value)
            #expect(store.provenance(row.number) == CEMV_FROM_CARD.rawValue)
            #expect(store.count == 1 && store.isConsistent && !store.isFlagged)
        }
    }

    @Test func aSampleRecordIsIndexed() {
        let store = TestStore()
        #expect(store.record(sampleRecord) == CEMV_STORE_OK)
        #expect(store.value(0x5A) == hex("4761739001010010"))
        #expect(store.value(0x9F6E) == hex("0840000030"))
        #expect(store.value(0x90) == filled(0x6D, 0x90))
        #expect(store.value(0x9F32) == hex("03"))
        #expect(store.value(0xBF0C) == nil && store.value(0x9F02) == nil)
        #expect(store.count == 9 && store.isConsistent)
    }

    @Test func lengthsAreBoundedByTheDictionary() {
        for row in rows where row.isFromCard && row.isPrimitive {
            for length in Set([Int(row.min) - 1, Int(row.min), Int(row.max), Int(row.max) + 1]) where length > 0 {
                let fits = length >= Int(row.min) && (length <= Int(row.max) || row.max == 255)
                for rules in [CEMV_READING_STRICT_DUPLICATES, CEMV_READING_IDENTICAL_DUPLICATES] {
                    let store = TestStore(rules: rules)
                    let error = store.record(object(0x70, [object(row.number, filled(1, length))]))
                    let isForgiven = row.isFormatFree && rules == CEMV_READING_STRICT_DUPLICATES
                    #expect(
                        error == (fits || isForgiven ? CEMV_STORE_OK : CEMV_STORE_BAD_LENGTH),
                        "\(tagBytes(row.number).hexText) of \(length)")
                    #expect(store.value(row.number) == (fits ? filled(1, length) : nil))
                    #expect(store.isConsistent)
                }
            }
        }
    }

    @Test func anEmptyValueIsAbsentAndNoDuplicate() {
        let store = TestStore()
        #expect(
            store.record(
                object(0x70, [object(0x5A, []), object(0x5A, hex("12")), object(0x5A, []), object(0x9F02, [])]))
                == CEMV_STORE_OK)
        #expect(store.value(0x5A) == hex("12") && store.count == 1 && !store.isFlagged)
        for row in rows where row.isPrimitive {
            let store = TestStore()
            #expect(store.template(0x77, object(0x77, [object(row.number, [])])) == CEMV_STORE_OK)
            #expect(store.card(row.number, []) == CEMV_STORE_OK)
            #expect(store.count == 0)
        }
    }

    @Test func everyTruncationIsRefusedAndLeavesNothing() {
        let store = TestStore()
        #expect(store.record(object(0x70, [object(0x9F08, hex("0001"))]), signed: true) == CEMV_STORE_OK)
        let before = (store.contents, store.used, store.signed)
        for size in 0..<sampleRecord.count {
            let part = Array(sampleRecord.prefix(size))
            #expect(store.record(part, signed: true) == CEMV_STORE_MALFORMED, "\(size) bytes")
            #expect(store.template(0x70, part) == CEMV_STORE_MALFORMED, "\(size) bytes")
            #expect(store.contents == before.0 && store.used == before.1 && store.signed == before.2)
        }
    }

    /// The outer length is right and the cut lies inside: refused wherever it is not between two objects.
    @Test func everyTruncationInsideATemplateIsRefused() {
        let whole = Array(sampleRecord.dropFirst(3))
        for size in 0..<whole.count {
            let part = Array(whole.prefix(size))
            let isWellFormed = withBytes(part) { cemv_tlv_check($0, nil) } == CEMV_WIRE_OK
            let store = TestStore()
            #expect(
                store.record(object(0x70, part)) == (isWellFormed ? CEMV_STORE_OK : CEMV_STORE_MALFORMED),
                "\(size) bytes")
            #expect(store.isConsistent && (isWellFormed || store.count == 0))
        }
    }

    @Test func aRefusedResponseLeavesTheStoreAsItWas() {
        let refused: [([UInt8], cemv_store_error)] = [
            (object(0x9F07, hex("00")), CEMV_STORE_BAD_LENGTH), (object(0x5A, hex("12")), CEMV_STORE_DUPLICATE),
            (hex("9F0702AB"), CEMV_STORE_MALFORMED),
            (hex("E1028201"), CEMV_STORE_MALFORMED), (object(0x9F37, hex("00000000")), CEMV_STORE_TERMINAL_TAG),
        ]
        for (bad, error) in refused {
            let store = TestStore(rules: CEMV_READING_REFUSE_TERMINAL_TAGS)
            #expect(store.record(object(0x70, [object(0x5A, hex("4761739001010010"))]), signed: true) == CEMV_STORE_OK)
            let before = (store.contents, store.used, store.signed)
            let body = [object(0x57, hex("47D221")), object(0x82, hex("1980")), bad]
            #expect(store.record(object(0x70, body), signed: true) == error)
            #expect(store.template(0x77, object(0x77, body)) == error)
            #expect(store.contents == before.0 && store.used == before.1 && store.signed == before.2)
            #expect(store.isConsistent)
        }
    }

    @Test func noMutationOfARecordBreaksTheStore() {
        var random = SeededRandom(seed: 1)
        for _ in 0..<1000 {
            let store = TestStore(
                rules: random.next() & 1 == 0 ? CEMV_READING_STRICT_DUPLICATES : CEMV_READING_REFUSE_TERMINAL_TAGS)
            store.put(0x9F02, hex("000000000100"))
            for _ in 0..<3 {
                var body = sampleRecord
                for _ in 0..<Int.random(in: 1...3, using: &random) {
                    let at = Int.random(in: 0..<body.count, using: &random)
                    switch Int.random(in: 0..<3, using: &random) {
                    case 0: body[at] = UInt8(truncatingIfNeeded: random.next())
                    case 1: body.remove(at: at)
                    default: body.insert(UInt8(truncatingIfNeeded: random.next()), at: at)
                    }
                }
                let held = store.contents
                let error =
                    random.next() & 1 == 0
                    ? store.template(0x70, body) : store.record(body, signed: random.next() & 1 == 0)
                #expect(store.isConsistent)
                if error != CEMV_STORE_OK { #expect(store.contents == held) }
                for (tag, value) in held { #expect(store.value(tag) == value) }
            }
        }
    }

    @Test func aDatumByPositionFollowsTheSameRules() {
        let store = TestStore()
        #expect(store.card(0x82, hex("1980")) == CEMV_STORE_OK)
        #expect(store.card(0x94, hex("08010100")) == CEMV_STORE_OK)
        #expect(store.value(0x82) == hex("1980") && store.value(0x94) == hex("08010100"))
        let used = store.used
        #expect(store.card(0x82, hex("1980")) == CEMV_STORE_DUPLICATE)
        #expect(store.card(0x9F36, hex("00")) == CEMV_STORE_BAD_LENGTH)
        #expect(store.card(0x9F37, hex("00000000")) == CEMV_STORE_OK && store.isFlagged && store.value(0x9F37) == nil)
        #expect(store.used == used && store.count == 2 && store.isConsistent)
    }
}

@Suite("The store: templates")
struct StoreTemplateTests {
    @Test func theBodyIsOneObjectWithTheTagAskedFor() {
        let inner = object(0x50, Array("CARD".utf8))
        let cases: [(String, cemv_store_error)] = [
            ("", CEMV_STORE_MALFORMED), ("00", CEMV_STORE_MALFORMED), ("FFFF", CEMV_STORE_MALFORMED),
            ("6F", CEMV_STORE_MALFORMED), ("6F00", CEMV_STORE_OK),
            ("6F00 00FF00", CEMV_STORE_OK), ("0000 6F00", CEMV_STORE_OK), ("6F00 6F00", CEMV_STORE_MALFORMED),
            ("6F00 9000", CEMV_STORE_MALFORMED),
            ("6F00 90", CEMV_STORE_MALFORMED), ("7700", CEMV_STORE_MALFORMED), ("7000", CEMV_STORE_MALFORMED),
            ("4F00", CEMV_STORE_MALFORMED),
            ("6F80 0000", CEMV_STORE_MALFORMED), ("6F8100", CEMV_STORE_OK), ("6F820000", CEMV_STORE_OK),
            ("6F85000000000000", CEMV_STORE_MALFORMED),
        ]
        for (text, error) in cases {
            let store = TestStore()
            #expect(store.template(0x6F, hex(text)) == error, "\(text)")
            #expect(store.isConsistent && store.count == 0)
        }
        for body in ["", "00", "7700", "7000 7000", "7000 C30100", "7000 C3", "8000", "DA00"] {
            #expect(TestStore().record(hex(body)) == CEMV_STORE_MALFORMED, "\(body) as a record")
        }
        for header in ["6F06", "6F8106", "6F820006", "6F83000006", "6F8400000006"] {
            let store = TestStore()
            #expect(store.template(0x6F, hex(header) + inner) == CEMV_STORE_OK)
            #expect(store.value(0x50) == Array("CARD".utf8))
        }
    }

    @Test func aBareListHasNoOutermostTemplate() {
        let store = TestStore()
        #expect(store.template(0, []) == CEMV_STORE_OK)
        #expect(store.template(0, hex("8202 1980 00 9404 08010100")) == CEMV_STORE_OK)
        #expect(store.value(0x82) == hex("1980") && store.value(0x94) == hex("08010100"))
        #expect(store.template(0, hex("9F3602")) == CEMV_STORE_MALFORMED)
        #expect(store.isConsistent)
    }

    @Test func nestedTemplatesAreWalkedExceptDirectoryEntries() {
        let store = TestStore()
        let entry = object(0x61, [object(0x4F, hex("A0000000031010")), object(0x73, [object(0x9F0A, hex("01"))])])
        let fci = object(
            0x6F,
            [
                object(0x84, hex("A0000000031010")),
                object(
                    0xA5,
                    [
                        object(0x50, Array("VISA".utf8)), entry, object(0x73, hex("9F")),
                        object(0xBF0C, [object(0x9F4D, hex("0B0A")), entry]),
                    ]),
            ])
        #expect(store.template(0x6F, fci) == CEMV_STORE_OK)
        #expect(
            store.value(0x84) == hex("A0000000031010") && store.value(0x50) == Array("VISA".utf8)
                && store.value(0x9F4D) == hex("0B0A"))
        #expect(store.value(0x4F) == nil && store.value(0x9F0A) == nil && store.count == 3)
        #expect(store.template(0x61, entry) == CEMV_STORE_OK, "asked for, it is walked")
        #expect(store.value(0x4F) == hex("A0000000031010") && store.value(0x9F0A) == nil)
    }

    @Test func theResponseStandsWholeInTheArena() {
        let store = TestStore()
        store.put(0x9C, hex("00"))
        let at = store.used
        let body = object(0x6F, [object(0x84, hex("A0000000031010"))])
        #expect(store.template(0x6F, body) == CEMV_STORE_OK)
        let arena = UnsafeRawPointer(store.raw) + MemoryLayout<cemv_store>.offset(of: \cemv_store.arena)! + at
        #expect(
            [UInt8](UnsafeRawBufferPointer(start: arena, count: body.count)) == body && store.used == at + body.count)
    }

    @Test func unknownObjectsAreSkippedButWellFormed() {
        let store = TestStore()
        #expect(
            store.template(0x77, object(0x77, [hex("C30100 DF9F1F02AABB E203C50111"), object(0x82, hex("1980"))]))
                == CEMV_STORE_OK)
        #expect(store.count == 1 && store.value(0x82) == hex("1980"))
        for bad in ["C302AA", "E202C501", "E203C50211", "1F818181810100", "C380", "C385000000000000"] {
            #expect(store.template(0x77, object(0x77, hex(bad))) == CEMV_STORE_MALFORMED, "\(bad)")
        }
        #expect(store.count == 1 && store.isConsistent)
    }

    @Test func depthIsLimited() {
        for levels in 1...12 {
            var body = object(0x82, hex("1980"))
            for _ in 1..<levels { body = object(0xE1, body) }
            let store = TestStore()
            let fits = levels + 1 <= Int(CEMV_TLV_MAX_DEPTH)
            #expect(
                store.template(0x77, object(0x77, body)) == (fits ? CEMV_STORE_OK : CEMV_STORE_MALFORMED),
                "\(levels) levels in the template")
            #expect(store.value(0x82) == (fits ? hex("1980") : nil))
            let bare = TestStore()
            let fitsBare = levels <= Int(CEMV_TLV_MAX_DEPTH)
            #expect(bare.template(0, body) == (fitsBare ? CEMV_STORE_OK : CEMV_STORE_MALFORMED))
            #expect(
                withBytes(object(0x77, body)) { cemv_tlv_check($0, nil) == CEMV_WIRE_OK } == fits, "as the codec says")
        }
    }
}

@Suite("The store: whose datum it is")
struct StoreOwnershipTests {
    /// Attack A22, for every tag, every response, and by position.
    @Test func aCardNeverChangesWhatIsTheTerminals() {
        for row in rows where row.isPrimitive {
            let ours = filled(0x11, row.min), theirs = filled(0x22, row.min)
            for owner in [CEMV_FROM_TERMINAL, CEMV_FROM_ISSUER] {
                for outer in [UInt32(0), 0x6F, 0x70, 0x77] {
                    let store = TestStore()
                    #expect(store.put(row.number, ours, owner))
                    let body = object(row.number, theirs) + object(row.number, ours)
                    #expect(store.template(outer, outer == 0 ? body : object(outer, body)) == CEMV_STORE_OK)
                    #expect(store.record(object(0x70, body), signed: true) == CEMV_STORE_OK)
                    #expect(store.card(row.number, theirs) == CEMV_STORE_OK)
                    cemv_store_vouch_static(store.raw)
                    #expect(store.value(row.number) == ours && store.provenance(row.number) == owner.rawValue)
                    #expect(store.isFlagged && store.isConsistent)
                }
            }
        }
    }

    @Test func aTerminalTagOfACardIsIgnoredAndNoted() {
        for row in rows where row.isPrimitive && !row.isFromCard {
            let store = TestStore()
            #expect(store.template(0x77, object(0x77, [object(row.number, filled(0x22, row.min))])) == CEMV_STORE_OK)
            #expect(store.value(row.number) == nil && store.isFlagged && store.count == 0)
        }
    }

    /// C-8, 4.1.3: refused, but for the private class.
    @Test func aTerminalTagOfACardIsRefusedWhereTheRuleSaysSo() {
        for row in rows where row.isPrimitive {
            let store = TestStore(rules: CEMV_READING_IDENTICAL_DUPLICATES, CEMV_READING_REFUSE_TERMINAL_TAGS)
            store.put(row.number, filled(0x11, row.min))
            let body = object(0x77, [object(row.number, filled(0x22, row.min))])
            #expect(store.template(0x77, body) == (row.isPrivate ? CEMV_STORE_OK : CEMV_STORE_TERMINAL_TAG))
            #expect(store.value(row.number) == filled(0x11, row.min) && store.isFlagged)
        }
    }

    @Test func repeatedDataEnd() {
        let pan = object(0x5A, hex("4761")), other = object(0x5A, hex("4762"))
        for second in [pan, other] {
            let store = TestStore()
            #expect(store.record(object(0x70, [pan, second])) == CEMV_STORE_DUPLICATE)
            #expect(store.count == 0)
            #expect(store.template(0x77, object(0x77, [pan])) == CEMV_STORE_OK)
            #expect(store.record(object(0x70, [second])) == CEMV_STORE_DUPLICATE)
            #expect(store.card(0x5A, hex("4761")) == CEMV_STORE_DUPLICATE)
            #expect(store.value(0x5A) == hex("4761") && store.isConsistent)
        }
    }

    @Test func identicalRepetitionsAreAcceptedWhereTheRuleSaysSo() {
        let pan = object(0x5A, hex("4761")), other = object(0x5A, hex("4762")), longer = object(0x5A, hex("476100"))
        let store = TestStore(rules: CEMV_READING_IDENTICAL_DUPLICATES)
        #expect(store.record(object(0x70, [pan, pan])) == CEMV_STORE_OK)
        #expect(store.record(object(0x70, [pan])) == CEMV_STORE_OK)
        #expect(store.record(object(0x70, [other])) == CEMV_STORE_DUPLICATE)
        #expect(store.record(object(0x70, [longer])) == CEMV_STORE_DUPLICATE)
        #expect(store.value(0x5A) == hex("4761") && store.count == 1 && store.isConsistent)
    }

    @Test func unknownRepetitionsAreNotTheStoresAffair() {
        #expect(TestStore().record(object(0x70, hex("C30100 C30101 C30100"))) == CEMV_STORE_OK)
    }
}

@Suite("The store: signed records")
struct StoreSpanTests {
    private let first = object(0x9F07, hex("FF00")), second = object(0x9F08, hex("0001"))

    @Test func adjacentSignedRecordsAreOneRun() {
        let store = TestStore()
        #expect(store.record(object(0x70, [first]), signed: true) == CEMV_STORE_OK)
        #expect(store.record(object(0x70, [second]), signed: true) == CEMV_STORE_OK)
        #expect(store.signed == [first + second])
        #expect(store.record(object(0x70, [object(0x5A, hex("47"))])) == CEMV_STORE_OK)
        #expect(store.record(object(0x70, [object(0x9F32, hex("03"))]), signed: true) == CEMV_STORE_OK)
        #expect(store.signed == [first + second, object(0x9F32, hex("03"))])
    }

    /// Book 3, 10.3: SFI 1-10 without tag 70 and its length, SFI 11-30 with both, as they were sent.
    @Test func higherFilesKeepTagAndLengthAsReceived() {
        let store = TestStore()
        #expect(store.record(object(0x70, [first]), signed: true, whole: false) == CEMV_STORE_OK)
        #expect(store.record(hex("70820005") + second, signed: true, whole: true) == CEMV_STORE_OK)
        #expect(store.signed == [first + hex("70820005") + second])
        #expect(store.value(0x9F08) == hex("0001") && store.isConsistent)
    }

    @Test func onlyFillerMayStandBesideTheTemplate() {
        for whole in [false, true] {
            let store = TestStore()
            #expect(store.record(object(0x70, [first]) + hex("00FF00"), signed: true, whole: whole) == CEMV_STORE_OK)
            #expect(
                store.signed == [(whole ? object(0x70, [first]) : first) + hex("00FF00")],
                "filler is hashed (Book 3, 10.3)")
            #expect(
                store.record(object(0x70, [second]) + hex("9F0A0101"), signed: true, whole: whole)
                    == CEMV_STORE_MALFORMED)
            #expect(
                store.record(object(0x70, [second]) + hex("01"), signed: true, whole: whole) == CEMV_STORE_MALFORMED)
            #expect(store.signed.count == 1 && store.isConsistent)
        }
    }

    @Test func fillerInsideTheTemplateIsHashed() {
        let store = TestStore()
        #expect(store.record(object(0x70, hex("00") + first + hex("FF00")), signed: true) == CEMV_STORE_OK)
        #expect(store.signed == [hex("00") + first + hex("FF00")])
    }

    @Test func anEmptyRecordAddsNothingButItsHeader() {
        let store = TestStore()
        #expect(store.record(hex("7000"), signed: true, whole: false) == CEMV_STORE_OK)
        #expect(store.signed == [])
        #expect(store.record(hex("7000"), signed: true, whole: true) == CEMV_STORE_OK)
        #expect(store.signed == [hex("7000")])
    }

    @Test func onlyCoveredCardDataAreVouchedFor() {
        let store = TestStore()
        store.put(0x9F02, hex("000000000100"))
        #expect(store.template(0x77, object(0x77, [object(0x82, hex("1980"))])) == CEMV_STORE_OK)
        #expect(store.record(object(0x70, [first]), signed: true) == CEMV_STORE_OK)
        #expect(store.record(object(0x70, [object(0x9F69, filled(1, 5))]), signed: true) == CEMV_STORE_OK)
        #expect(store.record(object(0x70, [second])) == CEMV_STORE_OK)
        cemv_store_set_provenance(store.raw, slot(0x9F69), UInt8(CEMV_FROM_CARD_DYNAMIC.rawValue))
        cemv_store_vouch_static(store.raw)
        #expect(store.provenance(0x9F07) == CEMV_FROM_CARD_STATIC.rawValue)
        #expect(store.provenance(0x9F69) == CEMV_FROM_CARD_DYNAMIC.rawValue, "never lowered")
        #expect(
            store.provenance(0x9F08) == CEMV_FROM_CARD.rawValue && store.provenance(0x82) == CEMV_FROM_CARD.rawValue)
        #expect(store.provenance(0x9F02) == CEMV_FROM_TERMINAL.rawValue && store.provenance(0x95) == 0)
    }

    @Test func tooManyRunsAreNotedAndNothingIsVouchedFor() {
        let store = TestStore()
        #expect(store.record(object(0x70, [first]), signed: true) == CEMV_STORE_OK)
        for run in 1...Int(CEMV_STORE_SPANS) {
            #expect(!store.raw.pointee.spans_overflowed && store.signed.count == run)
            #expect(store.record(object(0x70, hex("C30100"))) == CEMV_STORE_OK)
            #expect(store.record(object(0x70, hex("C30101")), signed: true) == CEMV_STORE_OK)
        }
        #expect(store.raw.pointee.spans_overflowed && store.signed.count == Int(CEMV_STORE_SPANS))
        cemv_store_vouch_static(store.raw)
        #expect(store.provenance(0x9F07) == CEMV_FROM_CARD.rawValue && store.isConsistent)
    }

    @Test func terminalDataNeverChangeSignedBytes() {
        let store = TestStore()
        #expect(store.record(object(0x70, [first, second]), signed: true) == CEMV_STORE_OK)
        #expect(
            store.put(0x9F07, hex("0000"), CEMV_FROM_TERMINAL) && store.put(0x9F08, hex("77"), CEMV_FROM_CARD_DYNAMIC))
        #expect(store.put(0x9F07, hex("1111")) && store.put(0x9F08, []))
        #expect(store.signed == [first + second])
        #expect(store.value(0x9F07) == hex("1111") && store.value(0x9F08) == nil && store.isConsistent)
    }
}

@Suite("The store: terminal data and limits")
struct StoreTerminalTests {
    @Test func puttingReplaces() {
        let store = TestStore()
        #expect(store.put(0x95, hex("0000000000")))
        let used = store.used
        #expect(store.put(0x95, hex("0102030405")) && store.used == used, "in place")
        #expect(store.put(0x9F10, hex("06")) && store.put(0x9F10, hex("060102")) && store.put(0x9F10, hex("0607")))
        #expect(store.value(0x95) == hex("0102030405") && store.value(0x9F10) == hex("0607"))
        #expect(
            store.put(0x95, []) && store.value(0x95) == nil && store.value(0x9F10) == hex("0607"), "empty is absent")
        #expect(store.put(0x95, []) && store.count == 1 && store.isConsistent)
        #expect(cemv_store_put_u8(store.raw, slot(0x9C), 0x20) && store.value(0x9C) == hex("20"))
        #expect(store.provenance(0x9C) == CEMV_FROM_TERMINAL.rawValue)
        #expect(!store.put(0xC3, hex("00")) && !store.put(0xC3, []), "no slot")
    }

    @Test func aListOfTheTerminalIsPutItemByItem() {
        let store = TestStore()
        #expect(store.putList(hex("9F1A020840 C30100 9F3303E0F8C8 00 5F2A00 9F1A020826")) == CEMV_STORE_OK)
        #expect(store.value(0x9F1A) == hex("0826") && store.value(0x9F33) == hex("E0F8C8") && store.count == 2)
        #expect(store.putList(hex("9F1A0108")) == CEMV_STORE_OK, "another kernel's, if its length is")
        #expect(store.value(0x9F1A) == hex("0826"))
        #expect(store.putList(hex("9F1A02")) == CEMV_STORE_MALFORMED)
        #expect(store.isConsistent && store.value(0x9F1A) == hex("0826"))
    }

    @Test func anIssuerGivesOnlyWhatIsTheIssuers() {
        let store = TestStore()
        store.put(0x9F02, hex("000000000100"))
        #expect(
            store.putList(hex("8A023030 910A00112233445566778899 9F0206000000000001 5A0147"), CEMV_FROM_ISSUER)
                == CEMV_STORE_OK)
        #expect(store.value(0x8A) == hex("3030") && store.value(0x91) == hex("00112233445566778899"))
        #expect(store.value(0x9F02) == hex("000000000100") && store.value(0x5A) == nil)
    }

    @Test func theArenaEndsWhereItEnds() {
        for room in [9, 10, 11] {
            let store = TestStore()
            store.raw.pointee.used = UInt16(Int(CEMV_STORE_ARENA) - room)
            let body = object(0x77, [object(0x9F36, hex("0001")), hex("C301AA")])
            #expect(body.count == 10)
            #expect(store.template(0x77, body) == (room < 10 ? CEMV_STORE_FULL : CEMV_STORE_OK))
            #expect(store.isConsistent && store.used <= Int(CEMV_STORE_ARENA))

            store.raw.pointee.used = UInt16(Int(CEMV_STORE_ARENA) - room)
            #expect(store.put(0x9F1E, filled(1, 10)) == (room >= 10))
            let record = object(0x70, [object(0x5F20, filled(0x41, 7))])
            store.raw.pointee.used = UInt16(Int(CEMV_STORE_ARENA) - room)
            #expect(store.record(record) == (room < 10 ? CEMV_STORE_FULL : CEMV_STORE_OK), "the value alone is kept")
            store.raw.pointee.used = UInt16(Int(CEMV_STORE_ARENA) - room)
            #expect(
                store.card(0x9F26, filled(1, 8)) == (room < 11 ? CEMV_STORE_FULL : CEMV_STORE_OK), "with tag and length"
            )
        }
    }

    @Test func noSizeWrapsTheArena() {
        let store = TestStore()
        for size in [Int(CEMV_STORE_ARENA), 0xFFF0, 0x10000, 0x11170] {
            let length = withUnsafeBytes(of: UInt32(size).bigEndian) { [UInt8]($0) }
            let body = [0x70, 0x84] + length + filled(0, size)
            #expect(store.template(0x70, body) == CEMV_STORE_FULL)
            #expect(store.record(body, signed: true, whole: true) == CEMV_STORE_FULL)
            #expect(store.used == 0 && store.signed == [])
        }
        #expect(!store.put(0x9F1E, filled(0, 65_536)) && !store.put(0x9F1E, filled(0, Int(CEMV_STORE_ARENA) + 1)))
        #expect(store.card(0x9F26, filled(0, 65_544)) == CEMV_STORE_FULL)
        #expect(store.used == 0 && store.put(0x9F1E, filled(0, CEMV_STORE_ARENA)) && !store.put(0x9C, hex("00")))
        #expect(store.isConsistent)
    }

    @Test func theIndexEndsWhereItEnds() {
        let all = rows.filter(\.isPrimitive)
        let card = all.filter { !$0.isFromCard } + all.filter(\.isFromCard)
        let limit = Int(CEMV_STORE_ENTRIES)
        #expect(card.count > limit)
        let store = TestStore()
        for row in card.prefix(limit) { #expect(store.put(row.number, filled(1, row.min), CEMV_FROM_CARD)) }
        let extra = card[card.count - 1]
        let before = store.used
        #expect(store.record(object(0x70, object(extra.tag, filled(1, extra.min)))) == CEMV_STORE_FULL)
        #expect(store.card(extra.tag, filled(1, extra.min)) == CEMV_STORE_FULL)
        #expect(!store.put(extra.tag, filled(1, extra.min)))
        #expect(store.used == before && store.count == limit && store.isConsistent)
        #expect(store.put(card[0].tag, filled(2, card[0].min)) && store.put(card[1].tag, []))
        #expect(
            store.card(extra.tag, filled(1, extra.min)) == CEMV_STORE_OK && store.count == limit && store.isConsistent)
    }

    @Test func clearingLeavesNothing() {
        let store = TestStore()
        store.put(0x9F02, hex("000000000100"))
        #expect(store.record(sampleRecord, signed: true) == CEMV_STORE_OK)
        #expect(store.card(0x9F37, filled(1, 4)) == CEMV_STORE_OK)
        cemv_store_clear(store.raw, tags_of(2), UInt8(CEMV_READING_IDENTICAL_DUPLICATES.rawValue))
        #expect(store.contents.isEmpty && store.count == 0 && store.used == 0 && store.signed == [] && !store.isFlagged)
        #expect(store.raw.pointee.reading == UInt8(CEMV_READING_IDENTICAL_DUPLICATES.rawValue))
    }

    @Test func aCopyOfTheMemoryIsAStore() {
        let store = TestStore(), copy = TestStore()
        #expect(store.record(sampleRecord, signed: true) == CEMV_STORE_OK)
        memcpy(copy.raw, store.raw, MemoryLayout<cemv_store>.size)
        #expect(copy.contents == store.contents && copy.signed == store.signed)
        copy.put(0x5A, hex("99"))
        #expect(store.value(0x5A) == hex("4761739001010010"))
    }
}

@Suite("The store: values for a DOL")
struct StoreDOLTests {
    private func build(_ store: TestStore, _ dol: String, cardToo: Bool = false, capacity: Int = 252) -> [UInt8]? {
        var out = filled(0xEE, capacity + 1)
        var size = 0
        let isBuilt = withGuardedBytes(hex(dol)) { cemv_store_build_dol(store.raw, $0, cardToo, &out, capacity, &size) }
        #expect(out[capacity] == 0xEE)
        return isBuilt ? Array(out.prefix(size)) : nil
    }

    /// Book 3, 5.4: numeric on the left, everything else on the right, compressed numeric with F.
    @Test func valuesAreFittedByTheirFormat() {
        let store = TestStore()
        store.put(0x9F02, hex("000000012345"))
        store.put(0x95, hex("0102030405"))
        store.put(0x9F1C, Array("TERMINAL".utf8))
        store.put(0x9F20, hex("1234"))
        store.put(0x9F4E, Array("SHOP".utf8))
        store.put(0x5F55, Array("FR".utf8))
        #expect(build(store, "9F0206") == hex("000000012345"))
        #expect(build(store, "9F0202") == hex("2345"))
        #expect(build(store, "9F0208") == hex("0000000000012345"))
        #expect(build(store, "9502") == hex("0102") && build(store, "9507") == hex("01020304050000"))
        #expect(build(store, "9F1C04") == Array("TERM".utf8) && build(store, "9F1C09") == Array("TERMINAL\0".utf8))
        #expect(build(store, "9F2001") == hex("12") && build(store, "9F2004") == hex("1234FFFF"))
        #expect(build(store, "9F4E06") == Array("SHOP\0\0".utf8) && build(store, "5F5503") == Array("FR\0".utf8))
    }

    @Test func whatIsUnknownAbsentOrConstructedIsZeros() {
        let store = TestStore()
        store.put(0x9F37, hex("01020304"))
        store.put(0xBF60, hex("9F370401020304"))
        #expect(build(store, "C302") == hex("0000") && build(store, "9F3504") == hex("00000000"))
        #expect(build(store, "BF6004") == hex("00000000") && build(store, "7002") == hex("0000"))
        #expect(build(store, "5A01 9F370C") == hex("00 010203040000000000000000"))
        #expect(build(store, "9F2003") == hex("000000"), "not F where there is no value")
    }

    @Test func repetitionsAndEmptyEntriesAreLegal() {
        let store = TestStore()
        store.put(0x9F37, hex("01020304"))
        #expect(build(store, "9F3704 9F3700 9F3702") == hex("010203040102"))
        #expect(build(store, "") == [])
        #expect(build(store, "9F3700", capacity: 0) == [])
    }

    /// Attack A23: what only configures a kernel is never a card's business.
    @Test func aCardIsNotToldHowAKernelIsConfigured() {
        let configuring = rows.filter { $0.isPrimitive && $0.onlyConfigures }
        #expect(!configuring.isEmpty)
        for row in configuring {
            let store = TestStore()
            store.put(row.number, filled(0x77, row.min))
            #expect(
                build(store, (tagBytes(row.number) + [row.min]).hexText, cardToo: true, capacity: 255)
                    == filled(0, row.min))
        }
    }

    /// Attack A23.
    @Test func aCardIsNotToldWhatACardSaid() {
        for row in rows where row.isPrimitive && !row.onlyConfigures {
            let store = TestStore()
            let value = filled(0x77, row.min), length = [row.min]
            for provenance in [CEMV_FROM_CARD, CEMV_FROM_CARD_STATIC, CEMV_FROM_CARD_DYNAMIC, CEMV_FROM_ISSUER] {
                store.put(row.number, value, provenance)
                #expect(build(store, (tagBytes(row.number) + length).hexText, capacity: 255) == filled(0, row.min))
                #expect(build(store, (tagBytes(row.number) + length).hexText, cardToo: true, capacity: 255) == value)
            }
            store.put(row.number, value)
            #expect(build(store, (tagBytes(row.number) + length).hexText, capacity: 255) == value)
        }
    }

    @Test func theSumIsBoundedByTheCapacity() {
        let store = TestStore()
        #expect(
            build(store, "9AFC") == filled(0, 252) && build(store, "9AFD") == nil
                && build(store, "9AFF 9BFF 9CFF") == nil)
        #expect(build(store, "9A03 9C01", capacity: 4) == filled(0, 4) && build(store, "9A03 9C01", capacity: 3) == nil)
        #expect(build(store, "9A01", capacity: 0) == nil)
    }

    @Test func aMalformedListIsRefused() {
        for dol in ["9A", "9A03 9F", "9A03 9F37", "9A03 1F8181818101"] {
            #expect(build(TestStore(), dol) == nil, "\(dol)")
        }
    }

    @Test func exportWritesWhatIsPresent() {
        let store = TestStore()
        store.put(0x9F37, hex("01020304"))
        var buffer = filled(0xEE, 32)
        let written = buffer.withUnsafeMutableBytes { memory in
            var writer = cemv_writer_open(memory.baseAddress, memory.count)
            cemv_store_export(store.raw, slot(0x9F37), &writer)
            cemv_store_export(store.raw, slot(0x9F02), &writer)
            cemv_store_export(store.raw, UInt16(CEMV_SLOT_NONE), &writer)
            return [UInt8](cemv_writer_finish(&writer))
        }
        #expect(written == hex("9F370401020304"))
    }
}
