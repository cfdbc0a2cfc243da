// SPDX-License-Identifier: Apache-2.0
import CEMV
import TestData
import Testing

private func bcd(_ text: String) -> UInt64? {
    withGuardedBytes(hex(text)) { lent in
        var number: UInt64 = 0xDEAD
        guard cemv_bcd_read(lent, &number) else {
            #expect(number == 0xDEAD)
            return nil
        }
        return number
    }
}

private func bcd(_ number: UInt64, size: Int) -> [UInt8]? {
    var out = [UInt8](repeating: 0xEE, count: size + 1)
    guard cemv_bcd_write(&out, size, number) else {
        #expect(out == [UInt8](repeating: 0xEE, count: size + 1))
        return nil
    }
    #expect(out.removeLast() == 0xEE)
    return out
}

private func date(_ text: String) -> UInt32? {
    withGuardedBytes(hex(text)) { lent in
        var days: UInt32 = 0
        return cemv_date_read(lent, &days) ? days : nil
    }
}

private func digits(_ text: String) -> Int32 {
    withGuardedBytes(hex(text)) { cemv_cn_digits($0) }
}

private func same(_ a: String, _ b: String) -> Bool {
    withGuardedBytes(hex(a)) { first in withGuardedBytes(hex(b)) { cemv_cn_equal(first, $0) } }
}

private func fits(_ bytes: [UInt8], _ format: cemv_format) -> Bool {
    withGuardedBytes(bytes) { cemv_format_check($0, format) }
}

@Suite("Numbers")
struct WireNumbersTests {
    @Test(arguments: [
        ("", 0), ("00", 0), ("99", 99), ("000000012345", 12345), ("18446744073709551615", UInt64.max),
        ("000000000018446744073709551615", UInt64.max),
    ])
    func readsNumeric(text: String, number: UInt64) {
        #expect(bcd(text) == number)
    }

    @Test(arguments: [
        "0A", "A0", "12345F", "FF", "18446744073709551616", "18446744073709551700", "99999999999999999999",
        "0100000000000000000000",
    ])
    func refusesWhatIsNoNumberOrDoesNotFit(text: String) {
        #expect(bcd(text) == nil)
    }

    @Test func writesWhatItReads() {
        #expect(bcd(12345, size: 6) == hex("000000012345"))
        #expect(bcd(0, size: 0) == [])
        #expect(bcd(UInt64.max, size: 10) == hex("18446744073709551615"))
        #expect(bcd(UInt64.max, size: 12) == hex("000018446744073709551615"))
        var random = SeededRandom(seed: 99)
        for _ in 0..<500 {
            let number = random.next() >> UInt64.random(in: 0...63, using: &random)
            #expect(bcd((bcd(number, size: 10) ?? []).hexText) == number)
        }
    }

    @Test func refusesANumberThatDoesNotFit() {
        var limit: UInt64 = 1
        for size in 0...9 {
            #expect(bcd(limit, size: size) == nil)
            #expect(bcd(limit - 1, size: size) == [UInt8](repeating: 0x99, count: size))
            limit = size < 9 ? limit * 100 : limit
        }
        #expect(bcd(UInt64.max, size: 9) == nil)
    }

    @Test func countsEveryDayFrom1950To2049Once() {
        var expected: UInt32 = 0
        for year in 1950...2049 {
            let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
            let sizes = [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
            for month in 0...13 {
                for day in 0...32 {
                    let exists = (1...12).contains(month) && day >= 1 && day <= sizes[month - 1]
                    var yymmdd: [UInt8] = [0, 0, 0]
                    var days: UInt32 = 0
                    #expect(cemv_bcd_write(&yymmdd, 3, UInt64((year % 100) * 10000 + month * 100 + day)))
                    let read = withBytes(yymmdd) { cemv_date_read($0, &days) }
                    if read != exists || (exists && days != expected) { Issue.record("\(year)-\(month)-\(day)") }
                    if exists { expected += 1 }
                }
            }
        }
        #expect(expected == 36525)
    }

    @Test(arguments: ["", "2401", "20240101", "24010A", "2A0101", "FFFFFF", "249901", "240199"])
    func refusesWhatIsNoDate(text: String) {
        #expect(date(text) == nil)
    }

    @Test(arguments: [("", 0), ("FF", 0), ("1F", 1), ("12", 2), ("1234567890123FFF", 13), ("5413330089600119", 16)])
    func countsDigitsBeforeThePadding(text: String, count: Int32) {
        #expect(digits(text) == count)
    }

    @Test(arguments: ["F1", "1F1F", "12F3", "12A4", "FFFE", "D0"])
    func refusesOtherThanDigitsThenPadding(text: String) {
        #expect(digits(text) == -1)
        #expect(!same(text, text))
    }

    @Test func comparesDigitsWhateverThePadding() {
        #expect(same("5413330089600119", "5413330089600119FFFF"))
        #expect(same("123F", "123FFF"))
        #expect(same("", "FFFF"))
        #expect(!same("123F", "1230"))
        #expect(!same("123F", "124F"))
        #expect(!same("12", "123F"))
    }

    @Test func checksCharacters() {
        for byte in 0...255 as ClosedRange<UInt8> {
            let scalar = Character(Unicode.Scalar(byte))
            let letter = scalar.isASCII && scalar.isLetter
            let digit = scalar.isASCII && scalar.isNumber
            #expect(fits([byte], CEMV_FORMAT_A) == letter)
            #expect(fits([byte], CEMV_FORMAT_AN) == (letter || digit))
            #expect(fits([byte], CEMV_FORMAT_ANS) == (0x20...0x7E).contains(byte))
            #expect(fits([byte], CEMV_FORMAT_N) == (byte >> 4 < 10 && byte & 0x0F < 10))
            #expect(fits([byte], CEMV_FORMAT_CN) == (digits([byte].hexText) >= 0))
            #expect(fits([byte], CEMV_FORMAT_B))
            #expect(fits([byte], CEMV_FORMAT_VAR))
        }
    }

    @Test func oneWrongCharacterSpoilsTheValue() {
        #expect(fits(Array("VISA CREDIT".utf8), CEMV_FORMAT_ANS))
        #expect(!fits(Array("VISA CREDIT".utf8), CEMV_FORMAT_AN))
        #expect(!fits(hex("12 3A"), CEMV_FORMAT_N))
        #expect(!fits(hex("12 FF 34"), CEMV_FORMAT_CN))
        #expect(fits([], CEMV_FORMAT_A))
    }
}
