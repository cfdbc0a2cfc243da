// SPDX-License-Identifier: Apache-2.0
import Testing
@testable import EMVKernel
@testable import EMVKit
@testable import EMVPOS

/// Rows E3 to E6: the length and the characters of an address.
@Suite struct ContactBoundTests {
    /// E.164: at most fifteen digits with the country code; no country code begins with 0.
    @Test func aTelephoneNumberHasEightToFifteenDigits() {
        for length in 1...18 {
            let national = String("123456789012345678".prefix(length))
            let isNumber = (8...15) ~= length + 2
            #expect(
                ReceiptDelivery.PhoneNumber(typed: "0" + national, region: .germany)?.description
                    == (isNumber ? "+49" + national : nil), "\(length)")
            #expect(
                (ReceiptDelivery.PhoneNumber(typed: "+" + national, region: .germany) != nil) == ((8...15) ~= length),
                "\(length)")
        }
        #expect(ReceiptDelivery.PhoneNumber(typed: "+01234567890", region: .germany) == nil)
        for character in ["x", ":", "\u{2F}0", "٣", "#", "*"] {
            let text = "+4930123456" + character
            #expect(
                (ReceiptDelivery.PhoneNumber(typed: text, region: .germany) != nil) == character.hasSuffix("0"),
                "\(character)")
        }
    }

    /// ITU-T E.164 country codes and the national trunk prefixes.
    @Test func everyRegionHasItsCallingCodeAndTrunkPrefix() {
        let rows: [(ReceiptDelivery.PhoneNumber.Region, String, String)] = [
            (.germany, "0301234567", "+49301234567"), (.france, "0123456789", "+33123456789"),
            (.unitedKingdom, "02079460958", "+442079460958"), (.netherlands, "0201234567", "+31201234567"),
            (.spain, "912345678", "+34912345678"), (.italy, "0612345678", "+390612345678"),
            (.japan, "0312345678", "+81312345678"), (.china, "01012345678", "+861012345678"),
            (.northAmerica, "12125550123", "+12125550123"),
        ]
        for (region, text, number) in rows {
            #expect(ReceiptDelivery.PhoneNumber(typed: text, region: region)?.description == number)
        }
        // A national number is also complete without its trunk prefix.
        #expect(ReceiptDelivery.PhoneNumber(typed: "301234567", region: .germany)?.description == "+49301234567")
        #expect(ReceiptDelivery.PhoneNumber(typed: "2125550123", region: .northAmerica)?.description == "+12125550123")
        // A bracketed trunk prefix after the region's own code, and a number without one.
        let odd = ReceiptDelivery.PhoneNumber.Region(callingCode: "7", trunkPrefix: "8")
        #expect(ReceiptDelivery.PhoneNumber(typed: "+7 (8) 495 123 45 67", region: odd)?.description == "+74951234567")
        #expect(ReceiptDelivery.PhoneNumber(typed: "+7 8 495 123 45 67", region: odd)?.description == "+784951234567")
        #expect(ReceiptDelivery.PhoneNumber(typed: "+49 (8) 495 123 45", region: odd)?.description == "+49849512345")
    }

    /// Every separator that people or keyboards put between digits.
    @Test func separatorsOfATelephoneNumberDoNotMatter() {
        for separator in [
            " ", "-", ".", "/", "(", ")", "\u{2010}", "\u{2011}", "\u{2012}", "\u{2013}", "\u{A0}", "\u{3000}",
            "\u{202F}",
            "\u{2212}", "\u{30FC}", "\u{FF0D}",
        ] {
            let text = "+49" + separator + "30" + separator + "1234567"
            #expect(
                ReceiptDelivery.PhoneNumber(typed: text, region: .japan)?.description == "+49301234567", "\(separator)")
        }
        #expect(
            ReceiptDelivery.PhoneNumber(typed: "0039 (0)6 1234 5678", region: .germany)?.description == "+390612345678")
    }

    @Test func aPostalCodeHasThreeToTenCharactersAndADigit() {
        for length in 1...12 {
            let code = String("1A2B3C4D5E6F".prefix(length))
            #expect(
                ReceiptDelivery.PostalCode(typed: code)?.description == ((3...10) ~= length ? code : nil), "\(length)")
        }
        #expect(
            ReceiptDelivery.PostalCode(typed: "AD-100")?.description == "AD-100"
                && ReceiptDelivery.PostalCode(typed: "ABC") == nil)
        for text in ["12345!", "12345é", "12_45", "12345٣"] {
            #expect(ReceiptDelivery.PostalCode(typed: text) == nil, "\(text)")
        }
        for length in 0...11 {
            let code = ReceiptDelivery.PostalCode.us(String("12345678901".prefix(length)))
            #expect(code?.description == (length == 5 || length == 9 ? "12345" : nil), "\(length)")
        }
        #expect(ReceiptDelivery.PostalCode.us("1234A") == nil && ReceiptDelivery.PostalCode.us("1234٥") == nil)
        #expect(ReceiptDelivery.PostalCode(typed: "1234567890")?.zip5 == "12345")
    }

    /// RFC 5321: 64 characters before the sign, 254 in all.
    @Test func aMailAddressHasItsLengths() {
        func isAddress(_ text: String) -> Bool { ReceiptDelivery.EmailAddress(typed: text)?.description == text }
        let label = String(repeating: "d", count: 60)
        for length in [1, 63, 64, 65] {
            #expect(isAddress(String(repeating: "a", count: length) + "@example.com") == (length <= 64), "\(length)")
        }
        // 60 a label and its dot: 4 × 61 + 2 for the last label is 246.
        let domain = String(repeating: label + ".", count: 4) + "de"
        for length in 6...10 {
            let text = String(repeating: "a", count: length) + "@" + domain
            #expect(isAddress(text) == (text.count <= 254), "\(text.count)")
        }
        for text in ["a@-b.de", "a@b-.de", "a@b.d_e", "a@b.de.", "a b@c.de@", "a,b@c.de", "a@b,c.de", "@b.de"] {
            #expect(ReceiptDelivery.EmailAddress(typed: text) == nil, "\(text)")
        }
        for text in ["a.!#$%&'*+/=?^_`{|}~-b@c-d.e1.de", "ä1@ö.de", "x@1.de"] { #expect(isAddress(text), "\(text)") }
        #expect(ReceiptDelivery.EmailAddress(typed: "MAILTO:x@b.de")?.description == "x@b.de")
    }

    /// Full-width forms are the ASCII characters from `!` to `~`, 0xFEE0 further on.
    @Test func fullWidthCharactersArePlainOnes() {
        for value in UInt32(0x21)...0x7E {
            let wide = String(Character(UnicodeScalar(value + 0xFEE0)!))
            #expect(TypedText.plain(wide) == String(Character(UnicodeScalar(value)!)))
        }
        #expect(TypedText.plain("\u{FF00}") == "\u{FF00}" && TypedText.plain("\u{FF5F}") == "\u{FF5F}")
        #expect(TypedText.plain("\u{FFE5}1\u{2212}\u{30FC}") == "¥1--")
        #expect(TypedText.plain(" \u{3000}a\u{A0}b\u{202F} \t") == "a b")
        #expect(TypedText.plain("") == "" && TypedText.plain("  ") == "")
    }
}

/// East Asian Width (Unicode Standard Annex 11): wide and full-width characters take two columns.
@Suite struct DisplayWidthTests {
    @Test(
        arguments: [
            (0x1100, 0x115F), (0x2E80, 0x2E99), (0x3041, 0x3096), (0x33FF, 0x33FF), (0x3400, 0x4DBF), (0x4E00, 0x9FFF),
            (0xA000, 0xA48C), (0xA960, 0xA97C), (0xAC00, 0xD7A3), (0xF900, 0xFA6D), (0xFE10, 0xFE19), (0xFE30, 0xFE52),
            (0xFF01, 0xFF60), (0xFFE0, 0xFFE6), (0x1F300, 0x1F320), (0x1F64F, 0x1F64F), (0x1F680, 0x1F6C5),
            (0x1F90C, 0x1F93A), (0x1F9FF, 0x1F9FF), (0x20000, 0x2A6DF), (0x3FFFD, 0x3FFFD),
        ] as [(UInt32, UInt32)])
    func wideCharactersTakeTwoColumns(_ first: UInt32, _ last: UInt32) throws {
        for value in [first, (first + last) / 2, last] {
            let scalar = try #require(UnicodeScalar(value))
            #expect(DisplayWidth.columns(Character(scalar)) == 2, "\(String(value, radix: 16))")
        }
    }

    @Test(
        arguments: [
            0x20, 0x41, 0x7E, 0xE9, 0x430, 0x5D0, 0x10FF, 0x1200, 0x2E7F, 0x303F, 0xA4D0, 0xA95F, 0xD7B0,
            0xFB00,
            0xFE1A, 0xFE70, 0xFF00, 0xFF61, 0xFFDC, 0xFFE8, 0x1F2FF, 0x1F650, 0x1F700, 0x1F7FF, 0x1FA00,
        ] as [UInt32])
    func othersTakeOne(_ value: UInt32) throws {
        #expect(DisplayWidth.columns(Character(try #require(UnicodeScalar(value)))) == 1, "\(String(value, radix: 16))")
    }

    @Test func marksTakeNone() {
        for value in [0x300, 0x20DD, 0x200B, 0x7F, 0x1160, 0x11FF] as [UInt32] {
            #expect(DisplayWidth.columns(Character(UnicodeScalar(value)!)) == 0, "\(String(value, radix: 16))")
        }
        #expect(DisplayWidth.columns("") == 0)
        #expect(DisplayWidth.columns("a字é") == 4)
        // A flag is two letters, and no wider than one picture.
        #expect(DisplayWidth.columns("❤️") <= 2 && DisplayWidth.columns("👍🏽") == 2)
    }

    @Test func asMuchAsFitsIsKept() {
        #expect(DisplayWidth.prefix("abcdef", columns: 3) == "abc" && DisplayWidth.prefix("ab", columns: 3) == "ab")
        #expect(DisplayWidth.prefix("字字字", columns: 3) == "字")
        #expect(DisplayWidth.prefix("字字", columns: 4) == "字字")
        #expect(DisplayWidth.prefix("a", columns: 0) == "")
    }

    @Test func linesBreakAtSpacesAndBetweenWideCharacters() {
        #expect(DisplayWidth.wrapped("one two three", columns: 7) == ["one two", "three"])
        #expect(DisplayWidth.wrapped("one two three", columns: 6) == ["one", "two", "three"])
        #expect(DisplayWidth.wrapped("字字字", columns: 4) == ["字字", "字"])
        #expect(DisplayWidth.wrapped("a字b", columns: 3) == ["a字", "b"])
        #expect(DisplayWidth.wrapped("abcdefgh", columns: 3) == ["abc", "def", "gh"])
        #expect(DisplayWidth.wrapped("x abcdef", columns: 3) == ["x", "abc", "def"])
        #expect(DisplayWidth.wrapped("", columns: 3) == [""])
        #expect(DisplayWidth.wrapped("字ab cd", columns: 4) == ["字ab", "cd"])
    }
}
