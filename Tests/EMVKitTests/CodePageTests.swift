// SPDX-License-Identifier: Apache-2.0
import Testing
@testable import EMVKernel
@testable import EMVKit
@testable import EMVPOS

/// Receipts for printers that accept bytes of a code page.
@Suite struct CodePageTests {
    private static let pages: [(name: String, page: CodePage)] = [
        ("ascii", .ascii), ("437", .pc437), ("850", .pc850), ("852", .pc852), ("858", .pc858), ("860", .pc860),
        ("863", .pc863), ("865", .pc865), ("866", .pc866), ("1252", .windows1252),
    ]

    @Test("P13: every receipt is printed in characters of the page, one byte a column", arguments: 0..<pages.count)
    func everyLineIsPrinted(_ index: Int) {
        let (name, page) = CodePageTests.pages[index]
        for language in Language.builtIn + ["de-CH", "it-CH", "fr-CH"].map(Language.init(rawValue:)) {
            var receipt = ReceiptTests.full()
            receipt.lines[1] = LineItem("Kaffee “groß” – 2 × …", minorUnits: 122_156)
            receipt.total = Money(minorUnits: 123_456_789, currency: .eur)
            receipt.balance = receipt.total
            for copy in Receipt.Copy.allCases {
                for width in Receipt.Width.allCases {
                    for line in receipt.lines(width, in: language, copy: copy, codePage: page) {
                        #expect(!line.contains("?"), "\(name) \(language): \(line)")
                        #expect(page.prints(line) && page.text(line) == line, "\(name) \(language): \(line)")
                        #expect(page.encoded(line).count == DisplayWidth.columns(line), "\(name): \(line)")
                        #expect(DisplayWidth.columns(line) <= width.rawValue, "\(line)")
                    }
                }
            }
        }
    }

    @Test("P13: the separator of de-CH and it-CH is an apostrophe where the page has no other")
    func theSwissSeparatorIsPrinted() {
        for tag in ["de-CH", "it-CH"] {
            let text = Money(minorUnits: 123_456, currency: Currency(code: "CHF")!).text(in: Language(rawValue: tag))
            for (name, page) in CodePageTests.pages {
                let bytes = page.encoded(text)
                #expect(bytes.prefix(3).elementsEqual("CHF".utf8) && bytes.suffix(6).elementsEqual("234.56".utf8))
                #expect(bytes.count == 12 && bytes[5] == (name == "1252" ? 0x92 : 0x27), "\(name)")
            }
        }
    }

    @Test("P13: a language that the page cannot print is printed in English")
    func otherScriptsArePrintedInEnglish() {
        let receipt = ReceiptTests.full()
        for language in [Language.arabic, .japanese, .chinese, .traditionalChinese] {
            for (_, page) in CodePageTests.pages {
                #expect(receipt.lines(in: language, codePage: page) == receipt.lines(in: .english, codePage: page))
            }
        }
        var shop = receipt
        shop.merchant = Merchant("喫茶店", latinName: "Kissaten")
        #expect(shop.lines(in: .german, codePage: .pc858)[0].hasSuffix(" Kissaten"))
        shop.merchant = Merchant("喫茶店")
        #expect(shop.lines(in: .german, codePage: .pc858)[0].hasSuffix(" ???"))
        #expect(shop.lines(in: .german)[0].hasSuffix("喫茶店"))
    }

    @Test func everyCharacterHasItsFallback() {
        let rows: [(String, String, String)] = [
            ("’‘‚“”„–—…−‑", "'''\"\"\"--...--", "’‘‚“”„–—…--"),
            ("€ × ·", "EUR x *", "€ × ·"),
            ("a\u{A0}b\u{202F}c\u{2009}d\u{3000}e", "a b c d e", "a\u{A0}b c d e"),
            ("Łódź Žižka Ğüş", "Lodz Zizka Gues", "Lódz Žižka Güs"), ("e\u{301}o\u{328}", "eo", "éo"),
            ("\u{2066}1\u{2069}\u{200F}2\n3\u{1B}", "12 3 ", "12 3 "), ("喫Ж☕", "???", "???"),
            ("\u{600}1", "1", "1"),
        ]
        for (text, ascii, windows) in rows {
            #expect(CodePage.ascii.text(text) == ascii)
            #expect(CodePage.windows1252.text(text) == windows)
        }
        #expect(CodePage.pc858.encoded("12 €") == [0x31, 0x32, 0x20, 0xD5])
        #expect(CodePage.pc437.encoded("ä€") == [0x84, 0x45, 0x55, 0x52] && CodePage.pc866.encoded("Ж") == [0x86])
        #expect(CodePage(upperHalf: "\u{FFFD}€").encoded("€") == [0x81])
        #expect(CodePage.ascii.encoded("Ж") == [0x3F])
    }
}
