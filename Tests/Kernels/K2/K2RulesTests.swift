// SPDX-License-Identifier: Apache-2.0
import CEMV
import CEMVInternals
import TestData
import Testing

/// The decisions of Kernel 2 against a second, naive implementation.
@Suite struct K2RulesTests {
    @Test func aCardMayOnlyGoDown() {
        let rank: [UInt8: Int] = [0x00: 0, 0x80: 1, 0x40: 2]
        for asked in [UInt8(0x00), 0x40, 0x80] {
            for given in [UInt8(0x00), 0x40, 0x80, 0xC0] {
                let allowed = rank[given].map { $0 <= rank[asked]! } ?? false
                #expect(cemv_rules_cryptogram_allowed(asked | 0x10, given | 0x08) == allowed)
            }
        }
    }

    @Test func relayTimesOfTheDigest() {
        func relay(_ elapsed: UInt32, _ retries: UInt8) -> cemv_relay_times {
            var input = cemv_relay_in(
                elapsed_us: elapsed, retries: retries, card_min: 40, card_max: 100, card_transmission: 24,
                min_grace: 20, max_grace: 50,
                command_transmission: 18, response_transmission: 24, accuracy: 300, mismatch: 50)
            return cemv_relay_evaluate(&input)
        }
        #expect(relay(8000, 0).tvr == 0x02)
        #expect(relay(8000, 0).measured == 38)
        #expect(relay(3000, 0).verdict == UInt8(CEMV_RELAY_TOO_FAST.rawValue))
        #expect(relay(21000, 0).verdict == UInt8(CEMV_RELAY_AGAIN.rawValue))
        #expect(relay(21000, 1).verdict == UInt8(CEMV_RELAY_AGAIN.rawValue))
        #expect(relay(21000, 2).tvr == 0x06)
        #expect(relay(40000, 2).tvr == 0x0E)
        #expect(relay(.max, 2).measured == .max, "a clock that jumps saturates")
        #expect(
            relay(0, 0).verdict == UInt8(CEMV_RELAY_TOO_FAST.rawValue), "a time that was not measured passes for none")
    }

    @Test func relayAgreesWithTheFormula() {
        var random = SeededRandom(seed: 2)
        for _ in 0..<20_000 {
            var input = cemv_relay_in(
                elapsed_us: UInt32(random.next() % 60_000), retries: UInt8(random.next() % 3),
                card_min: UInt16(random.next() % 400),
                card_max: UInt16(random.next() % 500), card_transmission: UInt16(random.next() % 60),
                min_grace: UInt16(random.next() % 60),
                max_grace: UInt16(random.next() % 60), command_transmission: UInt16(random.next() % 40),
                response_transmission: UInt16(random.next() % 60), accuracy: UInt16(random.next() % 400),
                mismatch: UInt8(random.next() % 101))
            let out = cemv_relay_evaluate(&input)
            let card = Int(input.card_transmission), ours = Int(input.response_transmission)
            let measured = max(0, Int(input.elapsed_us) / 100 - Int(input.command_transmission) - min(card, ours))
            // Both subtractions saturate.
            let saturated = max(
                0, max(0, Int(input.elapsed_us) / 100 - Int(input.command_transmission)) - min(card, ours))
            #expect(saturated == measured && Int(out.measured) == measured)
            let late = measured > Int(input.card_max) + Int(input.max_grace)
            if measured < max(0, Int(input.card_min) - Int(input.min_grace)) {
                #expect(out.verdict == UInt8(CEMV_RELAY_TOO_FAST.rawValue))
            } else if late && input.retries < 2 {
                #expect(out.verdict == UInt8(CEMV_RELAY_AGAIN.rawValue))
            } else {
                let differs =
                    card > 0 && ours > 0
                    && (card * 100 / ours < Int(input.mismatch) || ours * 100 / card < Int(input.mismatch))
                let far = max(0, measured - Int(input.card_min)) > Int(input.accuracy)
                #expect(out.verdict == UInt8(CEMV_RELAY_PASSED.rawValue))
                #expect(out.tvr == 0x02 | (late ? 0x04 : 0) | (differs || far ? 0x08 : 0))
            }
        }
    }

    @Test func actionAnalysisAgrees() {
        var random = SeededRandom(seed: 3)
        let types: [UInt8] = [
            0x11, 0x12, 0x13, 0x14, 0x15, 0x16, 0x21, 0x22, 0x23, 0x24, 0x25, 0x26, 0x34, 0x35, 0x36, 0x00,
        ]
        for _ in 0..<20_000 {
            func code() -> UInt64 { random.next() & random.next() & random.next() & random.next() & 0xFF_FFFF_FFFF }
            let flags = random.next()
            var input = k2_action_in(
                tvr: flags & 8 == 0 ? code() : 0, terminal_default: code(), terminal_denial: code(),
                terminal_online: code(), issuer_default: code(),
                issuer_denial: code(), issuer_online: code(), has_issuer_default: flags & 1 != 0,
                has_issuer_denial: flags & 2 != 0,
                has_issuer_online: flags & 4 != 0, terminal_type: types[Int(flags >> 8) % types.count])
            #expect(k2_action(&input) == naiveAction(input))
        }
    }

    private func naiveAction(_ input: k2_action_in) -> UInt8 {
        func hit(_ terminal: UInt64, _ issuer: UInt64, _ present: Bool) -> Bool {
            present ? (0..<40).contains { (terminal >> $0 | issuer >> $0) & input.tvr >> $0 & 1 == 1 } : input.tvr != 0
        }
        if (0..<40).contains(where: {
            (input.terminal_denial >> $0 | (input.has_issuer_denial ? input.issuer_denial >> $0 : 0)) & input.tvr >> $0
                & 1 == 1
        }) {
            return 0x00
        }
        switch input.terminal_type {
        case 0x11, 0x14, 0x21, 0x24, 0x34: return 0x80
        case 0x13, 0x16, 0x23, 0x26, 0x36:
            return hit(input.terminal_default, input.issuer_default, input.has_issuer_default) ? 0x00 : 0x40
        default: return hit(input.terminal_online, input.issuer_online, input.has_issuer_online) ? 0x80 : 0x40
        }
    }

    @Test func relayNotPerformedCountsWhereTheIssuerHasNoCode() {
        var input = k2_action_in()
        input.tvr = 0x01
        input.terminal_type = 0x22
        #expect(k2_action(&input) == 0x80)
        input.has_issuer_online = true
        #expect(k2_action(&input) == 0x40)
    }

    @Test func cvmSelectionAgrees() {
        var random = SeededRandom(seed: 4)
        for _ in 0..<30_000 {
            let flags = random.next()
            let rules = (0..<Int(random.next() % 4)).flatMap { _ in
                [
                    [UInt8(0x1F), 0x5E, 0x1E, 0x42, 0x02, 0x01, 0x40, 0x00, 0x60, 0x3F, 0x1F, 0x04][
                        Int(random.next() % 12)], UInt8(random.next() % 12),
                ]
            }
            let list: [UInt8] = [0, 0, 0x10, 0, 0, 0, 0x20, 0] + rules
            list.withUnsafeBufferPointer { list in
                var input = k2_cvm_in(
                    on_device: flags & 15 == 0, card_verifies: flags & 0x70 != 0, above_limit: flags & 0x80 != 0,
                    list: cemv_bytes(data: list.baseAddress, size: list.count),
                    capability: UInt8(truncatingIfNeeded: flags >> 8) & 0x68,
                    type: [0x00, 0x01, 0x09, 0x17, 0x20][Int(flags >> 16) % 5],
                    terminal_type: [0x22, 0x14, 0x25][Int(flags >> 24) % 3],
                    amount: [0x0FFF, 0x1000, 0x1001, 0x2000, 0x2001][Int(flags >> 32) % 5],
                    same_currency: flags >> 40 & 1 == 1,
                    currency_known: flags >> 41 & 1 == 1)
                let cvm = k2_cvm(&input)
                let naive = naiveCVM(input, rules)
                #expect(cvm.cvm == naive.cvm && cvm.receipt == naive.receipt && cvm.tvr == naive.tvr)
                #expect([cvm.results.0, cvm.results.1, cvm.results.2] == naive.results)
            }
        }
    }

    private struct NaiveCVM: Equatable {
        var cvm: UInt8 = 0x00
        var results: [UInt8] = [0x3F, 0, 0]
        var receipt = false
        var tvr: UInt64 = 0
    }

    private func naiveCVM(_ input: k2_cvm_in, _ rules: [UInt8]) -> NaiveCVM {
        if input.on_device {
            return input.above_limit ? NaiveCVM(cvm: 0x30, results: [1, 0, 2]) : NaiveCVM(results: [0x3F, 0, 2])
        }
        if !input.card_verifies { return NaiveCVM() }
        if rules.isEmpty { return NaiveCVM(tvr: 0x20_0000_0000) }
        let alone = input.terminal_type != 0x22
        let cash = input.type == 0x01 || input.type == 0x17
        let can: [UInt8: Bool] = [
            0x02: input.capability & 0x40 != 0, 0x1E: input.capability & 0x20 != 0, 0x1F: input.capability & 0x08 != 0,
        ]
        var tvr: UInt64 = 0
        for place in stride(from: 0, to: rules.count, by: 2) {
            let (rule, condition) = (rules[place], rules[place + 1])
            let code = rule & 0x3F
            let money = input.currency_known && input.same_currency
            let met: Bool =
                switch condition {
                case 0: true
                case 1: alone && input.type == 0x01
                case 2: !(alone && input.type == 0x01) && !(!alone && cash) && input.type != 0x09
                case 3: code == 0 || can[code] ?? false  // Book 4, 6.3.4
                case 4: !alone && cash
                case 5: input.type == 0x09
                case 6: money && input.amount < 0x1000
                case 7: money && input.amount > 0x1000
                case 8: money && input.amount < 0x2000
                case 9: money && input.amount > 0x2000
                default: false
                }
            guard met else { continue }
            if !([0, 1, 2, 3, 4, 5, 0x1E, 0x1F] as [UInt8]).contains(code) { tvr |= 0x40_0000 }
            if can[code] ?? false {
                switch code {
                case 0x02: return NaiveCVM(cvm: 0x20, results: [rule, condition, 0], tvr: tvr | 0x04_0000)
                case 0x1E: return NaiveCVM(cvm: 0x10, results: [rule, condition, 0], receipt: true, tvr: tvr)
                default: return NaiveCVM(results: [rule, condition, 2], tvr: tvr)
                }
            }
            if rule & 0x40 != 0 && code != 0 && place + 2 < rules.count { continue }
            return NaiveCVM(results: code == 0 ? [rule, condition, 1] : [0x3F, 0, 1], tvr: tvr | 0x80_0000)
        }
        return NaiveCVM(results: [0x3F, 0, 1], tvr: tvr | 0x80_0000)
    }

    /// Tracks as strings of digits, filled in the words of the rule.
    @Test func tracksAreFilledAsTheRuleSays() {
        var random = SeededRandom(seed: 5)
        for _ in 0..<20_000 {
            let digits = 1 + Int(random.next() % 13)
            let mask = UInt16((1 << digits) - 1)
            let cvc3Positions = UInt16(truncatingIfNeeded: random.next()) & mask,
                numberPositions = UInt16(truncatingIfNeeded: random.next()) & mask
            let counterDigits = Int(random.next() % UInt64(numberPositions.nonzeroBitCount + 1))
            let numberDigits = numberPositions.nonzeroBitCount - counterDigits
            guard numberDigits <= 8 else { continue }
            let number = UInt32(random.next() % 100_000_000), cvc3 = UInt16(truncatingIfNeeded: random.next()),
                counter = UInt16(truncatingIfNeeded: random.next())
            var expected = [UInt8](repeating: 9, count: digits)
            func place(_ positions: [Int], _ value: Int) {
                var left = value
                for position in positions {
                    expected[digits - position] = UInt8(left % 10)
                    left /= 10
                }
            }
            func positions(_ map: UInt16) -> [Int] { (1...16).filter { map >> ($0 - 1) & 1 == 1 } }
            place(positions(cvc3Positions), Int(cvc3))
            place(Array(positions(numberPositions).prefix(numberDigits)), Int(number))
            place(Array(positions(numberPositions).dropFirst(numberDigits)), Int(counter))
            expected[digits - 1] = UInt8(numberDigits)

            let maps: [UInt8] = [cvc3Positions, numberPositions].flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
            var track = [UInt8](repeating: 0x99, count: 10)
            var characters = [UInt8](repeating: 0x39, count: 20)
            maps.withUnsafeBufferPointer { maps in
                var fill = k2_fill(
                    cvc3_positions: cemv_bytes(data: maps.baseAddress, size: 2),
                    number_positions: cemv_bytes(data: maps.baseAddress! + 2, size: 2),
                    counter_digits: UInt8(counterDigits), cvc3: cvc3, counter: counter, number: number,
                    number_digits: UInt8(numberDigits),
                    shown_digits: UInt8(numberDigits))
                #expect(Int(k2_number_digits(fill.number_positions, fill.counter_digits)) == numberDigits)
                k2_fill_track_2(&track, 3, digits, &fill)
                k2_fill_track_1(&characters, 5, digits, &fill)
            }
            let nibbles = track.flatMap { [$0 >> 4, $0 & 0x0F] }
            #expect(Array(nibbles[3..<(3 + digits)]) == expected)
            #expect(characters[5..<(5 + digits)].map { $0 - 0x30 } == expected)
            #expect(nibbles[..<3].allSatisfy { $0 == 9 } && nibbles[(3 + digits)...].allSatisfy { $0 == 9 })
        }
    }

    /// The published dialogue `dhu-mock-msc-ms-mode`.
    @Test func publishedTrackIsFilled() {
        var track: [UInt8] = [
            0x54, 0x13, 0x33, 0x90, 0x00, 0x00, 0x15, 0x13, 0xD4, 0x91, 0x21, 0x01, 0x90, 0x00, 0x99, 0x00, 0x00, 0x00,
            0x0F,
        ]
        let maps: [UInt8] = [0x00, 0x0E, 0x0E, 0x70]
        var first = 0, digits = 0
        #expect(
            track.withUnsafeBufferPointer {
                k2_track_2_discretionary(cemv_bytes(data: $0.baseAddress, size: $0.count), &first, &digits)
            })
        maps.withUnsafeBufferPointer { maps in
            var fill = k2_fill(
                cvc3_positions: cemv_bytes(data: maps.baseAddress, size: 2),
                number_positions: cemv_bytes(data: maps.baseAddress! + 2, size: 2),
                counter_digits: 3, cvc3: 0xA2C4, counter: 0x03F9, number: 8_680_008, number_digits: 3, shown_digits: 3)
            k2_fill_track_2(&track, first, digits, &fill)
        }
        #expect(Array(track.suffix(7)) == [0x90, 0x17, 0x99, 0x00, 0x86, 0x68, 0x3F])
    }

    @Test func numericNumbersAreUnbiased() {
        var number: UInt32 = 7
        #expect(k2_numeric([0xFF, 0xFF, 0xFF, 0xFF], 3, &number) == false)
        #expect(number == 7)
        #expect(k2_numeric([0x00, 0x00, 0x04, 0xD2], 3, &number))
        #expect(number == 234)
        #expect(k2_numeric([0xFF, 0xFF, 0xFF, 0xFF], 0, &number))
        #expect(number == 0)
    }

    /// Values computed from the description of the one-way functions, and the ciphers' own published example.
    @Test func storageDigests() {
        let input: [UInt8] = [0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88],
            operatorID: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 8]
        let id: [UInt8] = [0x54, 0x13, 0x33, 0x00, 0x89, 0x02, 0x00, 0x29, 0x00]
        var one = [UInt8](repeating: 0, count: 8), two = one
        id.withUnsafeBufferPointer { id in
            let id = cemv_bytes(data: id.baseAddress, size: id.count)
            k2_owhf2(input, id, operatorID, &one)
            k2_owhf2_aes(input, id, operatorID, &two)
        }
        #expect(one == [0xCA, 0x1A, 0x72, 0x5C, 0xEE, 0xA3, 0x19, 0xA1])
        #expect(two == [0x2B, 0x8C, 0xDD, 0x27, 0x5C, 0x43, 0xD8, 0xD6])
        var block = (0..<16).map { UInt8($0 * 0x11) }
        cemv_aes128_encrypt((0..<16).map { UInt8($0) }, &block)
        #expect(
            block == [0x69, 0xC4, 0xE0, 0xD8, 0x6A, 0x7B, 0x04, 0x30, 0xD8, 0xCD, 0xB7, 0x80, 0x70, 0xB4, 0xC5, 0x5A])
    }
}
