// SPDX-License-Identifier: Apache-2.0
import CEMV
import CEMVInternals
import TestData
import Testing

/// The decision tables of Kernel 2, whole, against the naive second implementation.
@Suite struct K2DecisionTableTests {
    private static let types: [UInt8] = [0x00, 0x01, 0x09, 0x17, 0x20]

    @Test func processingRestrictionsAgree() {
        for one in UInt8.min...UInt8.max {
            for two in [0x00, 0x40, 0x80, 0xC0] as [UInt8] {
                for (country, atm) in [
                    ([UInt8]?.none, false), ([0x02, 0x76], false), ([0x08, 0x40], false), ([0x02, 0x76], true),
                    ([0x08, 0x40], true),
                ] {
                    for type in Self.types {
                        for other in [0, 1] {
                            let naive = NaiveK2Restrictions(
                                usage: [one, two], terminalType: atm ? 0x14 : 0x22, cashMachine: atm,
                                issuerCountry: country, type: type, other: other)
                            var input = k2_restrictions_in()
                            input.has_usage_control = true
                            input.usage_control = (one, two)
                            input.atm = atm
                            input.has_country = country != nil
                            input.domestic = country == [0x02, 0x76]
                            input.type = type
                            input.cashback_amount = other != 0
                            #expect(k2_restrictions(&input) >> 24 & 0xFF == UInt64(naive.verification))
                        }
                    }
                }
            }
        }
    }

    @Test func datesAndVersionsAgree() {
        for version in [nil, [0x00, 0x02], [0x00, 0x01]] as [[UInt8]?] {
            for effective in [nil, 261120, 261121, 261122, 491231, 500101, 991231] as [Int?] {
                for expiry in [261120, 261121, 261122, 491231, 500101, 991231] {
                    let naive = NaiveK2Restrictions(cardVersion: version, effective: effective, expiry: expiry)
                    func days(_ date: Int) -> UInt32 {
                        let parts: [Int] = [date / 10000, date / 100 % 100, date % 100]
                        let bytes: [UInt8] = parts.map { (part: Int) -> UInt8 in UInt8(part / 10 * 16 + part % 10) }
                        var day: UInt32 = 0
                        bytes.withUnsafeBufferPointer {
                            #expect(cemv_date_read(cemv_bytes(data: $0.baseAddress, size: 3), &day))
                        }
                        return day
                    }
                    var input = k2_restrictions_in()
                    input.versions_differ = version != nil && version != [0x00, 0x02]
                    input.not_yet_effective = effective.map { days(261121) < days($0) } ?? false
                    input.expired = days(261121) > days(expiry)
                    #expect(k2_restrictions(&input) >> 24 & 0xFF == UInt64(naive.verification))
                }
            }
        }
    }

    @Test func theChoiceOfGenerateACAgrees() {
        var seen: Set<UInt8> = []
        for flags in 0..<128 {
            func flag(_ bit: Int) -> Bool { flags >> bit & 1 == 1 }
            for type in [0x00, 0x40, 0x80] as [UInt8] {
                for dsType in [nil, 0x00, 0x40, 0x80, 0xC0, 0x4F] as [UInt8?] {
                    for reader in [nil, 0x00, 0x04, 0x20, 0x24, 0x40, 0x44, 0x60, 0x80, 0x84, 0xE0, 0xE4, 0xFF]
                        as [UInt8?]
                    {
                        let naive = NaiveK2GenerateAC(
                            idsRead: flag(0), odaCDA: flag(1), cdaFailed: flag(2), onDevice: flag(3), odsInfo: flag(4),
                            dsdol: flag(5), dsType: dsType,
                            odsInfoForReader: reader, type: type, cdaOverAAC: flag(6))
                        var input = k2_ac_in()
                        input.ids_read = flag(0)
                        input.cda = flag(1)
                        input.cda_failed = flag(2)
                        input.on_device = flag(3)
                        input.storage_asked = flag(4) && flag(5)
                        input.storage_answered = dsType != nil && reader != nil
                        input.type = type
                        input.storage_type = dsType ?? 0
                        input.storage_use = reader ?? 0
                        input.cda_over_aac = flag(6)
                        let ac = k2_ac(&input)
                        let choice: NaiveK2GenerateAC.Choice =
                            switch UInt32(ac.kind) {
                            case K2_AC_PLAIN.rawValue: .send(ac.control)
                            case K2_AC_WRITE.rawValue: .write(ac.control)
                            case K2_AC_DATA_ERROR.rawValue: .dataError
                            default: .noMatch
                            }
                        #expect(choice == naive.choice, "\(naive)")
                        if choice == .send(ac.control) || choice == .write(ac.control) {
                            seen.insert(ac.control)
                            #expect(ac.type == ac.control & 0xC0)
                        }
                    }
                }
            }
        }
        #expect(seen == [0x00, 0x10, 0x40, 0x50, 0x80, 0x90], "no other value is sent")
    }

    private func positions(_ map: UInt64) -> [Int] { (1...48).filter { map >> ($0 - 1) & 1 == 1 } }

    private func check(
        _ digits: Int, code: UInt64, number: UInt64, counterDigits: Int, cvc3: UInt16, counter: UInt16, value: UInt32
    ) {
        let places = positions(number)
        guard let own = NaiveK2Track.numberDigits(places.count, counterDigits: counterDigits) else { return }
        let shown = (own + 5) % 10
        let expected = NaiveK2Track(
            digits: [UInt8](repeating: 9, count: digits), codePositions: positions(code), numberPositions: places,
            counterDigits: counterDigits,
            code: Int(cvc3), counter: Int(counter), number: Int(value), shown: shown
        ).filled
        let maps = [code, number].flatMap { map in
            (0..<6).reversed().map { UInt8(truncatingIfNeeded: map >> (8 * UInt64($0))) }
        }
        var nibbles = [UInt8](repeating: 0x99, count: 8 + digits / 2),
            characters = [UInt8](repeating: 0x39, count: 8 + digits)
        maps.withUnsafeBufferPointer { maps in
            var fill = k2_fill(
                cvc3_positions: cemv_bytes(data: maps.baseAddress, size: 6),
                number_positions: cemv_bytes(data: maps.baseAddress! + 6, size: 6),
                counter_digits: UInt8(counterDigits), cvc3: cvc3, counter: counter, number: value,
                number_digits: UInt8(own), shown_digits: UInt8(shown))
            k2_fill_track_2(&nibbles, 5, digits, &fill)
            k2_fill_track_1(&characters, 3, digits, &fill)
        }
        let filled = nibbles.flatMap { [$0 >> 4, $0 & 15] }
        let good =
            Array(filled[5..<(5 + digits)]) == expected && characters[3..<(3 + digits)].map { $0 &- 0x30 } == expected
            && filled[..<5].allSatisfy { $0 == 9 } && filled[(5 + digits)...].allSatisfy { $0 == 9 }
        #expect(good, "\(digits) digits, code \(code), number \(number), counter of \(counterDigits)")
    }

    /// Every bitmap for the number in 13 digits, with every share of the counter.
    @Test func everyNumberBitmapIsFilled() {
        for number in UInt64(0)..<8192 {
            for counterDigits in 0...number.nonzeroBitCount {
                check(
                    13, code: 0x0E, number: number, counterDigits: counterDigits, cvc3: 0xA2C4, counter: 0xFFFE,
                    value: 86_400_975)
            }
        }
    }

    /// Every bitmap for the code, and every length of the discretionary data.
    @Test func everyCodeBitmapIsFilled() {
        for code in UInt64(0)..<8192 {
            check(13, code: code, number: 0x0E70, counterDigits: 3, cvc3: 0xFFFF, counter: 1017, value: 8)
        }
        for digits in 1...48 {
            let all = UInt64(1) << UInt64(digits) - 1
            check(
                digits, code: all, number: all & 0xFF, counterDigits: min(digits, 3), cvc3: 501, counter: 11,
                value: 99_999_999)
            check(digits, code: 1 << UInt64(digits - 1), number: 0, counterDigits: 0, cvc3: 9, counter: 0, value: 0)
        }
    }

    /// Bitmaps of track 1, six bytes wide.
    @Test func wideBitmapsAreFilled() {
        var random = SeededRandom(seed: 11)
        for _ in 0..<20_000 {
            let digits = 1 + Int(random.next() % 48), mask = UInt64(1) << UInt64(digits) - 1
            let number = random.next() & random.next() & random.next() & mask
            check(
                digits, code: random.next() & random.next() & mask, number: number,
                counterDigits: Int(random.next() % 6) % (number.nonzeroBitCount + 1),
                cvc3: UInt16(truncatingIfNeeded: random.next()), counter: UInt16(truncatingIfNeeded: random.next()),
                value: UInt32(random.next() % 100_000_000))
        }
    }

    /// Positions beyond the discretionary data, and numbers that cannot be, are refused before anything is filled.
    @Test func impossibleBitmapsAreRefused() {
        for bit in 0..<16 {
            for digits in 0...16 {
                let map: [UInt8] = [UInt8(truncatingIfNeeded: (1 << bit) >> 8), UInt8(truncatingIfNeeded: 1 << bit)]
                map.withUnsafeBufferPointer {
                    #expect(k2_positions_fit(cemv_bytes(data: $0.baseAddress, size: 2), digits) == (bit < digits))
                }
            }
        }
        for count in 0...16 {
            let map = UInt16(truncatingIfNeeded: (1 << count) - 1)
            let bytes = [UInt8(map >> 8), UInt8(map & 0xFF)]
            for counterDigits in UInt8.min...UInt8.max {
                let digits = bytes.withUnsafeBufferPointer {
                    k2_number_digits(cemv_bytes(data: $0.baseAddress, size: 2), counterDigits)
                }
                let naive = NaiveK2Track.numberDigits(count, counterDigits: Int(counterDigits))
                #expect(((0...8).contains(digits) ? Int(digits) : nil) == naive)
            }
        }
    }

    @Test func track2AfterRelayResistanceAgrees() {
        for length in 1...20 {
            for (index, retries) in [(nil, 0), (5, 1), (9, 2), (10, 0), (255, 2)] as [(Int?, Int)] {
                for measured in [0, 9, 10, 168, 9989, 9990, 65535] {
                    for tail in ["4912201", "49122010000012345", "491220"] {
                        let entropy: [UInt8] = [0x11, 0x22, 0x33, UInt8(truncatingIfNeeded: length * 37)]
                        var text =
                            String("4137894711755904137".prefix(length))
                            + String(repeating: "7", count: max(0, length - 19)) + "D" + tail
                        let naive = naiveK2RelayTrack(
                            text, index: index, retries: retries, entropy: entropy, measured: measured)
                        if text.count % 2 == 1 { text += "F" }
                        let track = hex(text)
                        var out = [UInt8](repeating: 0, count: 19), size = 0
                        let made = track.withUnsafeBufferPointer { track in
                            var input = k2_relay_track_in(
                                ca_index: UInt8(index ?? 0), retries: UInt8(retries),
                                entropy: (entropy[0], entropy[1], entropy[2], entropy[3]),
                                measured: UInt16(measured))
                            return k2_relay_track(
                                cemv_bytes(data: track.baseAddress, size: track.count), &input, &out, &size)
                        }
                        #expect((made ? hexText(out.prefix(size)) : nil) == naive, "\(length) digits, \(tail)")
                    }
                }
            }
        }
    }

    /// The published example of the rule.
    @Test func track2OfTheExample() {
        #expect(
            naiveK2RelayTrack(
                "5413330089020029D49122010000000000000", index: 5, retries: 1, entropy: [0x11, 0x22, 0x33, 0x44],
                measured: 168)
                == "5413330089020029D49122015113124034016F")
    }

    @Test func theEndAgrees() {
        for cid in UInt8.min...UInt8.max {
            for type in Self.types {
                for (signature, device) in [(false, false), (true, false), (false, true), (true, true)] {
                    var input = k2_end_in(cryptogram: cid, type: type, signature: signature, device: device)
                    let end = k2_end(&input)
                    let purchase = type != 0x20
                    let expected: (UInt32, UInt32, Bool) =
                        switch cid & 0xC0 {
                        case 0x40: (0x10, signature ? 0x1A : 0x03, true)
                        case 0x80: (0x30, 0x1B, false)
                        default: purchase ? (device ? (0x20, 0x07, true) : (0x60, 0x1D, true)) : (0x40, 0x1E, false)
                        }
                    #expect((UInt32(end.status), UInt32(end.message), end.hold) == expected)
                }
            }
        }
    }

    @Test func devicesAndSecondTapsAgree() {
        for third in [
            [], [2, 0x76, 0, 0, 0x30], [2, 0x76, 0, 0, 0x30, 0x30], [2, 0x76, 0, 0, 0x30, 0x31],
            [2, 0x76, 0x80, 0, 0x30, 0x31], [2, 0x76, 0, 0, 0x31, 0x30, 1],
        ]
            as [[UInt8]]
        {
            let naive = third.count >= 6 && third[2] & 0x80 == 0 && third[4...5] != [0x30, 0x30]
            #expect(
                third.withUnsafeBufferPointer { k2_is_device(cemv_bytes(data: $0.baseAddress, size: $0.count)) }
                    == naive)
        }
        for two in UInt8.min...UInt8.max {
            for three in UInt8.min...UInt8.max {
                let bytes: [UInt8] = [0, two, three]
                let mask = UInt32(two) << 8 | UInt32(three)
                #expect(
                    bytes.withUnsafeBufferPointer { k2_second_tap(cemv_bytes(data: $0.baseAddress, size: 3)) }
                        == (mask & 0x030F != 0))
            }
        }
    }

    /// The phone message table, entry by entry; the last one takes what is left.
    @Test func phoneMessagesAgree() {
        let rows: [(UInt32, UInt8)] = [
            (0x000001, 0x20), (0x000800, 0x20), (0x000400, 0x20), (0x000100, 0x20), (0x000200, 0x20), (0, 0x07),
        ]
        let table = withUnsafeBytes(of: k2_phone_table) { [UInt8]($0) }
        for value in stride(from: UInt32(0), to: 0x10000, by: 1) {
            let bytes: [UInt8] = [0, UInt8(value >> 8), UInt8(value & 0xFF)]
            let naive = rows.first { value & $0.0 == $0.0 }!.1
            let found = table.withUnsafeBufferPointer { table in
                bytes.withUnsafeBufferPointer {
                    k2_phone_message(
                        cemv_bytes(data: table.baseAddress, size: table.count),
                        cemv_bytes(data: $0.baseAddress, size: 3))
                }
            }
            #expect(found.message == naive && found.status == 0)
        }
    }

    @Test func storageIdentifiersAgree() {
        for length in 8...19 {
            for sequence in [0x00, 0x01, 0x99] as [UInt8] {
                let digits = String("5413339000001513477".prefix(length))
                var text = digits + hexText([sequence])
                if text.count % 2 == 1 { text = "0" + text }
                while text.count < 16 { text = "00" + text }
                let pan = hex(length % 2 == 0 ? digits : digits + "F")
                var out = [UInt8](repeating: 0xAA, count: 11)
                let size = pan.withUnsafeBufferPointer {
                    k2_storage_id(cemv_bytes(data: $0.baseAddress, size: $0.count), sequence, &out)
                }
                #expect(hexText(out.prefix(size)) == text)
            }
        }
    }
}
