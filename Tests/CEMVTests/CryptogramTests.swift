// SPDX-License-Identifier: Apache-2.0
import CEMV
import CEMVInternals
import Foundation
import TestData
import Testing

private let schemes = (0..<UInt32(CEMV_SCHEME_COUNT)).map { cemv_scheme($0) }

/// The name of the violated property, or nil.
private func violation(_ answer: UnsafePointer<CChar>?) -> String? { answer.map { String(cString: $0) } }

private func broken(_ bytes: [UInt8], _ scheme: cemv_scheme) -> String? {
    withBytes(bytes) {
        violation(fuzz_iad($0, scheme)) ?? violation(fuzz_tracks($0)) ?? violation(fuzz_form_factor($0, scheme))
    }
}

/// A data record with the tags and sizes of the books, values as they come; now and then with an unknown tag.
private func randomRecord(_ random: inout SeededRandom) -> [UInt8] {
    let sizes: [(UInt32, Int)] = [
        (0x57, 19), (0x5A, 8), (0x82, 2), (0x84, 7), (0x95, 5), (0x9A, 3), (0x9C, 1), (0x5F2A, 2), (0x5F34, 1),
        (0x5F24, 3), (0x9F02, 6),
        (0x9F03, 6), (0x9F10, 18), (0x9F1A, 2), (0x9F26, 8), (0x9F27, 1), (0x9F33, 3), (0x9F34, 3), (0x9F35, 1),
        (0x9F36, 2), (0x9F37, 4),
        (0x9F6E, 4), (0x9F6B, 19), (0x56, 40), (0x9F24, 29), (0x9F21, 3), (0xDF8129, 8), (0xC7, 5), (0x9F67, 3),
    ]
    let heads: [[UInt8]] = [
        hex("06010A03"), hex("1F220100"), hex("0110A000"), hex("07010103"), hex("07010404"), hex("01152088"),
        hex("0FA50100"),
    ]
    var bytes: [UInt8] = []
    for (tag, size) in sizes where random.next() % 8 != 0 {
        var value = random.bytes(random.next() % 8 == 0 ? Int(random.next() % 40) : size)
        if tag == 0x57 || tag == 0x9F6B, value.count == 19, random.next() % 2 == 0 {
            value = hex("4761739001010119D30122011438825820000F")
        }
        if tag == 0x9F10, value.count >= 4 { value.replaceSubrange(0..<4, with: heads[Int(random.next() % 7)]) }
        bytes +=
            tag > 0xFFFF
            ? [UInt8(tag >> 16), UInt8(tag >> 8 & 0xFF), UInt8(tag & 0xFF)]
            : tag > 0xFF ? [UInt8(tag >> 8), UInt8(tag & 0xFF)] : [UInt8(tag)]
        bytes += [UInt8(value.count)] + value
    }
    return bytes
}

@Suite("Cryptogram room")
struct CryptogramTests {
    // MARK: Totality

    @Test func everyInputOfUpToTwoBytesHasTheProperties() {
        var faults: Set<String> = []
        for scheme in schemes {
            faults.formUnion([broken([], scheme)].compactMap { $0 })
            for first in 0...255 as ClosedRange<UInt8> {
                faults.formUnion([broken([first], scheme)].compactMap { $0 })
                for second in 0...255 as ClosedRange<UInt8> {
                    faults.formUnion([broken([first, second], scheme)].compactMap { $0 })
                }
            }
        }
        #expect(faults.isEmpty, "\(faults)")
    }

    /// Up to the byte before a page that may not be touched.
    @Test func randomBytesHavePropertiesAndTheirEnd() {
        var random = SeededRandom(seed: 1)
        for _ in 0..<3000 {
            let bytes = random.bytes(Int(random.next() % 80))
            let scheme = schemes[Int(random.next() % 7)]
            let fault = withGuardedBytes(bytes) {
                violation(fuzz_iad($0, scheme)) ?? violation(fuzz_tracks($0)) ?? violation(fuzz_form_factor($0, scheme))
                    ?? violation(fuzz_cryptogram($0))
            }
            #expect(fault == nil, "\(bytes.hexText)")
        }
    }

    @Test func damagedRecordsHaveTheProperties() {
        var random = SeededRandom(seed: 2)
        for _ in 0..<2000 {
            var bytes = randomRecord(&random)
            if random.next() % 2 == 0, !bytes.isEmpty {
                bytes[Int(random.next() % UInt64(bytes.count))] ^= 1 << UInt8(random.next() % 8)
            }
            if random.next() % 4 == 0 { bytes = Array(bytes.prefix(Int(random.next() % UInt64(bytes.count + 1)))) }
            let input = random.bytes(3) + bytes
            let fault = withGuardedBytes(input) { violation(fuzz_cryptogram($0)) }
            #expect(fault == nil, "\(input.hexText)")
        }
    }

    @Test(arguments: [
        "06010A03A4B8000F112233445566778899AABBCCDDEEFF", "0110A04203A40000000000000000000000FF00000000000000FF",
        "0701010460040280",
        "07010103A0A802010A010000000052856E2C9B", "01152088000000003800",
        "0FA501A800F0000000000000000000000F010000000000000000000000000000",
    ])
    func everyTruncationHasTheProperties(text: String) {
        let bytes = hex(text)
        for size in 0...bytes.count {
            for scheme in schemes {
                let fault = withGuardedBytes(Array(bytes.prefix(size))) { violation(fuzz_iad($0, scheme)) }
                #expect(fault == nil, "\(size) bytes of \(text)")
            }
        }
    }

    // MARK: Layouts

    @Test(arguments: [
        (CEMV_LAYOUT_NONE, 0), (CEMV_LAYOUT_CVR_VISA, 4), (CEMV_LAYOUT_CVR_VISA_MOBILE, 5), (CEMV_LAYOUT_CVR_MCHIP, 6),
        (CEMV_LAYOUT_CVR_CCD, 5),
        (CEMV_LAYOUT_CVR_DISCOVER, 8), (CEMV_LAYOUT_CVR_TYPES_FIRST, 6), (CEMV_LAYOUT_CVR_TYPES_SECOND, 5),
        (CEMV_LAYOUT_FORM_FACTOR_VISA, 4),
        (CEMV_LAYOUT_DEVICE_JCB, 4),
    ])
    func layoutsNameEveryBitOnce(layout: cemv_layout, size: Int) {
        let code = UInt8(layout.rawValue)
        #expect(cemv_layout_size(code) == size)
        for shown in 0...(size + 2) {
            var masks = [UInt8](repeating: 0, count: size)
            withGuardedBytes([UInt8](repeating: 0xFF, count: shown)) { lent in
                var cursor = cemv_field_open(code, lent)
                var field = cemv_field()
                while cemv_field_next(&cursor, &field) {
                    #expect(masks[Int(field.byte) - 1] & field.mask == 0)
                    #expect(Int(field.value) == (1 << field.mask.nonzeroBitCount) - 1, "all its bits are set")
                    masks[Int(field.byte) - 1] |= field.mask
                }
            }
            #expect(masks == (0..<size).map { $0 < shown ? 0xFF : 0 })
        }
        #expect(cemv_layout_size(UInt8(CEMV_LAYOUT_COUNT)) == 0 && cemv_layout_size(255) == 0)
    }

    @Test func everyMeaningHasAName() {
        var names: Set<String> = []
        for meaning in 0..<UInt8(CEMV_MEANING_COUNT) {
            let name = String(cString: cemv_name_of_meaning(meaning))
            #expect(name != "Unknown" && names.insert(name).inserted, "\(meaning)")
        }
        #expect(String(cString: cemv_name_of_meaning(UInt8(CEMV_MEANING_COUNT))) == "Unknown")
        for meaning in 0...255 as ClosedRange<UInt8> {
            for value in [0, 1, 9, 13, 31, 255] as [UInt8] { #expect(cemv_name_of_value(0, meaning, value) != nil) }
        }
        #expect(String(cString: cemv_name_of_value(0, UInt8(CEMV_MEANS_FIRST_AC.rawValue), 2)) == "ARQC")
        #expect(String(cString: cemv_name_of_value(0, UInt8(CEMV_MEANS_CVM_TYPE.rawValue), 9)) == "Unknown")
        for code in 0...255 as ClosedRange<UInt8> {
            for name in [
                cemv_name_of_scheme(code), cemv_name_of_iad_format(code), cemv_name_of_iad_reason(code),
                cemv_name_of_session_key(code), cemv_name_of_track_error(code),
            ] {
                #expect(name != nil)
            }
        }
    }

    @Test(arguments: [
        ("A0000000031010", CEMV_SCHEME_VISA), ("A0000000980840", CEMV_SCHEME_VISA),
        ("A0000000041010", CEMV_SCHEME_MASTERCARD),
        ("A0000000050001", CEMV_SCHEME_MASTERCARD), ("A00000002501", CEMV_SCHEME_AMEX),
        ("A0000000651010", CEMV_SCHEME_JCB),
        ("A0000001523010", CEMV_SCHEME_DISCOVER), ("A0000003241010", CEMV_SCHEME_DISCOVER),
        ("A000000333010101", CEMV_SCHEME_UNIONPAY),
        ("A0000000", CEMV_SCHEME_UNKNOWN), ("A0000000991010", CEMV_SCHEME_UNKNOWN), ("", CEMV_SCHEME_UNKNOWN),
    ])
    func schemesAreToldByTheirProvider(aid: String, scheme: cemv_scheme) {
        #expect(withGuardedBytes(hex(aid)) { cemv_scheme_of_aid($0) } == scheme)
    }

    @Test func schemesAreToldByTheirKernel() {
        let expected = [
            CEMV_SCHEME_UNKNOWN, CEMV_SCHEME_UNKNOWN, CEMV_SCHEME_MASTERCARD, CEMV_SCHEME_VISA, CEMV_SCHEME_AMEX,
            CEMV_SCHEME_JCB, CEMV_SCHEME_DISCOVER, CEMV_SCHEME_UNIONPAY, CEMV_SCHEME_UNKNOWN,
        ]
        for (number, scheme) in expected.enumerated() {
            #expect(withBytes([UInt8(number)]) { cemv_scheme_of_kernel($0) } == scheme)
        }
        #expect(
            withBytes([]) { cemv_scheme_of_kernel($0) } == CEMV_SCHEME_UNKNOWN
                && withBytes([3, 3]) { cemv_scheme_of_kernel($0) } == CEMV_SCHEME_UNKNOWN)
    }

    // MARK: Tracks

    private static func fields(_ text: String) -> (error: UInt32, fields: [String]) {
        withGuardedBytes(hex(text)) { lent in
            var track = cemv_track2()
            let good = cemv_track2_read(lent, &track)
            #expect(good == (track.error == 0))
            let parts = [track.pan, track.expiry, track.service_code, track.discretionary].map { part in
                (0..<Int(part.count)).map { String(cemv_digit(part, $0), radix: 16) }.joined()
            }
            return (UInt32(track.error), parts)
        }
    }

    @Test(arguments: [
        ("4761739001010119D30122011438825820000F", ["4761739001010119", "3012", "201", "1438825820000"]),
        ("4761739001010119D3012201", ["4761739001010119", "3012", "201", ""]),
        ("476173900101011D30122011438825820000FF", ["476173900101011", "3012", "201", "1438825820000"]),
        ("1234567890123456789D301220123F", ["1234567890123456789", "3012", "201", "23"]),
        ("4761739001010119DD2011", ["4761739001010119", "", "201", "1"]),
        ("4761739001010119D3012D1F", ["4761739001010119", "3012", "", "1"]),
        ("4761739001010119DDDF", ["4761739001010119", "", "", ""]),
    ])
    func track2GivesItsFields(text: String, expected: [String]) {
        #expect(Self.fields(text).error == 0 && Self.fields(text).fields == expected)
    }

    @Test(arguments: [
        ("", CEMV_TRACK_EMPTY), (String(repeating: "11", count: 20), CEMV_TRACK_TOO_LONG),
        ("D3012201", CEMV_TRACK_BAD_PAN),
        ("12345678901234567890D3012201", CEMV_TRACK_BAD_PAN), ("A761739001010119D3012201", CEMV_TRACK_BAD_PAN),
        ("4761739001010119", CEMV_TRACK_NO_SEPARATOR),
        ("4761739001010119E3012201", CEMV_TRACK_BAD_PAN), ("4761739001010119D301", CEMV_TRACK_BAD_EXPIRY),
        ("4761739001010119D30A22011F", CEMV_TRACK_BAD_EXPIRY),
        ("4761739001010119D301220F", CEMV_TRACK_BAD_SERVICE_CODE),
        ("4761739001010119D30122011D2F", CEMV_TRACK_BAD_DISCRETIONARY),
        ("FFFF", CEMV_TRACK_BAD_PAN),
    ])
    func whatIsNoTrackHasItsReason(text: String, error: cemv_track_error) {
        #expect(Self.fields(text).error == error.rawValue)
    }

    /// An independent implementation, over text and without regard to speed.
    private static func naiveTrack(_ bytes: [UInt8]) -> [String]? {
        guard (1...19).contains(bytes.count) else { return nil }
        var text = bytes.hexText[...]
        while text.last == "F" { text = text.dropLast() }
        let pan = text.prefix { $0.isNumber }
        guard (1...19).contains(pan.count), text.dropFirst(pan.count).first == "D" else { return nil }
        var rest = text.dropFirst(pan.count + 1)
        var fields = [String(pan)]
        for size in [4, 3] {
            if rest.first == "D" {
                fields.append("")
                rest = rest.dropFirst()
            } else {
                guard rest.count >= size, rest.prefix(size).allSatisfy(\.isNumber) else { return nil }
                fields.append(String(rest.prefix(size)))
                rest = rest.dropFirst(size)
            }
        }
        guard rest.allSatisfy(\.isNumber) else { return nil }
        return fields + [String(rest)]
    }

    @Test func tracksReadAsTheNaiveReadingSays() {
        var random = SeededRandom(seed: 4)
        var good = 0
        for _ in 0..<20000 {
            let count = 1 + Int(random.next() % 20)
            let separator = Int(random.next() % UInt64(2 * count))
            let nibbles = (0..<(2 * count)).map { place -> UInt8 in
                place == separator || random.next() % 40 == 0
                    ? 0xD : random.next() % 60 == 0 ? UInt8(random.next() % 16) : UInt8(random.next() % 10)
            }
            var bytes = (0..<count).map { nibbles[2 * $0] << 4 | nibbles[2 * $0 + 1] }
            if random.next() % 3 == 0 { bytes[count - 1] |= 0x0F }
            let read = Self.fields(bytes.hexText)
            let naive = Self.naiveTrack(bytes)
            #expect((read.error == 0) == (naive != nil), "\(bytes.hexText)")
            if let naive { #expect(read.fields == naive, "\(bytes.hexText)") }
            good += naive == nil ? 0 : 1
        }
        #expect(good > 1000)
    }

    @Test(arguments: [
        ("B4761739001010119^NAME/ANY^30122011438825", CEMV_TRACK_OK), ("B4761739001010119^NA^^^", CEMV_TRACK_OK),
        ("", CEMV_TRACK_EMPTY),
        ("A4761739001010119^NAME/ANY^3012201", CEMV_TRACK_BAD_START), ("B^NAME^3012201", CEMV_TRACK_BAD_PAN),
        ("B47617390010101191234^NAME^3012201", CEMV_TRACK_BAD_PAN),
        ("B4761739001010119", CEMV_TRACK_NO_SEPARATOR), ("B4761739001010119^N^3012201", CEMV_TRACK_BAD_NAME),
        ("B4761739001010119^NAME", CEMV_TRACK_BAD_NAME),
        ("B4761739001010119^ABCDEFGHIJKLMNOPQRSTUVWXYZA^3012201", CEMV_TRACK_BAD_NAME),
        ("B4761739001010119^NAME^301", CEMV_TRACK_BAD_EXPIRY),
        ("B4761739001010119^NAME^301220", CEMV_TRACK_BAD_SERVICE_CODE),
        ("B4761739001010119^NAME^3012201a", CEMV_TRACK_BAD_DISCRETIONARY),
        ("B4761739001010119^NAME^3012201" + String(repeating: "1", count: 47), CEMV_TRACK_TOO_LONG),
    ])
    func track1HasItsReason(text: String, error: cemv_track_error) {
        let read = withGuardedBytes(Array(text.utf8)) { lent -> UInt8 in
            var track = cemv_track1()
            #expect(cemv_track1_read(lent, &track) == (track.error == 0))
            return track.error
        }
        #expect(UInt32(read) == error.rawValue)
    }

    @Test func checkDigitsAreThoseOfISO7812() {
        for (text, good) in [
            ("4761739001010119", true), ("4761739001010118", false), ("374245455400001F", true),
            ("476173900101011A", false), ("", false),
        ] {
            let valid = withBytes(hex(text)) { cemv_digits_luhn(cemv_digits_of_cn($0)) }
            #expect(valid == good, "\(text)")
        }
    }

    // MARK: The data of one read

    @Test func objectsBeyondTheLimitAreToldAndLeftOut() {
        for count in [95, 96, 97] {
            var bytes: [UInt8] = []
            for number in 0..<count { bytes += [0xDF, 0x81, UInt8(number & 0x7F), 0x01, UInt8(number)] }
            withGuardedBytes(bytes) { lent in
                var chip = cemv_chip()
                cemv_chip_clear(&chip)
                #expect(cemv_chip_add(&chip, lent))
                #expect(Int(chip.count) == min(count, 96) && chip.overflowed == (count > 96))
                for number in 0..<count {
                    #expect(
                        [UInt8](cemv_chip_value(&chip, 0xDF_8100 + UInt32(number & 0x7F)))
                            == (number < 96 ? [UInt8(number)] : []))
                }
            }
        }
    }

    @Test func aDataSetStaysInItsBuffer() {
        withGuardedBytes(hex("9F3602000C82021980")) { lent in
            var chip = cemv_chip()
            cemv_chip_clear(&chip)
            #expect(cemv_chip_add(&chip, lent))
            let entries = [cemv_data_set_entry(tag: 0x82, presence: 0), cemv_data_set_entry(tag: 0x9F36, presence: 1)]
            entries.withUnsafeBufferPointer { rows in
                for leaveOut in [false, true] {
                    var set = cemv_data_set(entries: rows.baseAddress, count: 2, limit: 0, leave_out: leaveOut)
                    for capacity in 0...10 {
                        var out = [UInt8](repeating: 0xEE, count: 12)
                        let result = cemv_data_set_write(&chip, &set, &out, capacity)
                        let expected =
                            capacity >= 9
                            ? hex("820219809F3602000C") : leaveOut && capacity >= 5 ? hex("9F3602000C") : []
                        #expect(
                            result.error
                                == UInt8((expected.isEmpty ? CEMV_DATA_SET_NO_SPACE : CEMV_DATA_SET_OK).rawValue),
                            "\(capacity)")
                        #expect(expected.isEmpty || out.starts(with: expected) && result.size == expected.count)
                        #expect(out[capacity...].allSatisfy { $0 == 0xEE })
                    }
                }
            }
        }
    }

    @Test func contradictionsBetweenAccountAndTrackAreTold() {
        for (text, pan, expiry) in [
            ("57104761739001010119D3012201143882555A084761739001010119", false, false),
            ("57104761739001010119D3012201143882555A084761739001010127", true, false),
            ("57104761739001010119D3012201143882555F2403301231", false, false),
            ("57104761739001010119D3012201143882555F2403301131", false, true),
        ] {
            withGuardedBytes(hex(text)) { lent in
                var chip = cemv_chip()
                var extract = cemv_extract()
                cemv_chip_clear(&chip)
                #expect(cemv_chip_add(&chip, lent))
                cemv_chip_extract(&chip, CEMV_SCHEME_UNKNOWN, &extract)
                #expect(extract.pan_mismatch == pan && extract.expiry_mismatch == expiry, "\(text)")
            }
        }
    }

    /// C-3, 5.4.3.1 and C-7, 4.1.4.4: only these two schemes may leave 9F27 out.
    @Test func theTypeComesFromTheIssuerDataForVisaAndUnionPayOnly() {
        for scheme in schemes {
            withGuardedBytes(hex("9F100706010A03900000")) { lent in
                var chip = cemv_chip()
                var extract = cemv_extract()
                cemv_chip_clear(&chip)
                #expect(cemv_chip_add(&chip, lent))
                cemv_chip_extract(&chip, scheme, &extract)
                let known = scheme == CEMV_SCHEME_VISA || scheme == CEMV_SCHEME_UNIONPAY
                #expect(
                    extract.type_known == known && UInt32(extract.type) == (known ? CEMV_AC_TC.rawValue : 0)
                        && !extract.cid_present)
            }
        }
    }

    /// Kernel 2 sends the torn record FF8101 among the discretionary data: its first byte is no filler.
    @Test func privateTemplatesAreObjects() {
        withGuardedBytes(hex("FF81010482021980" + "9F360200FF")) { lent in
            var chip = cemv_chip()
            cemv_chip_clear(&chip)
            #expect(cemv_chip_add(&chip, lent) && chip.count == 2)
            #expect(
                [UInt8](cemv_chip_value(&chip, 0xFF8101)) == hex("82021980") && cemv_chip_value(&chip, 0x82).size == 0)
        }
    }
}
