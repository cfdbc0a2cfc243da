// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
@testable import EMVKernel
@testable import EMVKit
@testable import EMVPOS

/// Row I10: right-to-left receipts and receipts in wide characters, line by line.
@Suite struct ReceiptDirectionTests {
    static func receipt(_ language: Language) -> Receipt {
        let isArabic = language == .arabic
        var receipt = Receipt(
            ReceiptTests.read(cvm: .onlinePIN), kind: .cashBack, result: .approved,
            total: Money(minorUnits: 123_456, currency: Currency(code: isArabic ? "SAR" : "TWD")!),
            merchant: Merchant(
                isArabic ? "مقهى السوق" : "市場咖啡館", via: "Pay Desk",
                city: isArabic ? "الرياض" : "台北",
                identifier: "526567081224"),
            moment: ReceiptTests.moment)
        receipt.lines = [
            LineItem(isArabic ? "قهوة" : "咖啡", minorUnits: 122_456),
            LineItem("Tip", minorUnits: 1000, kind: .tip),
        ]
        receipt.cashBack = Money(minorUnits: 1000, currency: receipt.total.currency)
        receipt.terminal = "12345678"
        receipt.authorizationCode = "123456"
        receipt.verification = .onlinePIN
        receipt.responseCode = "00"
        return receipt
    }

    @Test(arguments: Receipt.Width.allCases, [Language.arabic, .traditionalChinese])
    func theReceiptIsTheRecordedOne(_ width: Receipt.Width, _ language: Language) throws {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../Vectors/receipts/\(language)-\(width.rawValue).txt").standardizedFileURL
        let recorded = String(decoding: try Data(contentsOf: file), as: UTF8.self)
        let text = ReceiptDirectionTests.receipt(language).text(width, in: language)
        #expect(text.split(separator: "\n") == recorded.split(separator: "\n"))
        #expect(text == recorded)
    }

    /// However the printer orders letters, each value stays complete and in sequence.
    @Test(arguments: Receipt.Width.allCases)
    func valuesStandInIsolatesAndEveryLineSaysItsDirection(_ width: Receipt.Width) {
        let lines = ReceiptDirectionTests.receipt(.arabic).lines(width, in: .arabic)
        for value in [
            "1,234.56 SAR", "10.00 SAR", "************0119", "A0000000031010", "ARQC A102030405060708", "12:34:56",
            "21/11/2026", "123456", "Tip", "Pay Desk",
        ] {
            #expect(lines.contains { $0.contains("\u{2066}\(value)\u{2069}") }, "\(value)")
        }
        for line in lines where line.contains(where: \.isLetter) {
            #expect(line.hasPrefix("\u{200F}"))
            let opened = line.unicodeScalars.filter { $0.value == 0x2066 }.count
            #expect(opened == line.unicodeScalars.filter { $0.value == 0x2069 }.count)
        }
    }

    @Test func marksInSomebodyElsesTextDoNotReachThePrinter() {
        var receipt = ReceiptDirectionTests.receipt(.arabic)
        receipt.lines = [LineItem("A\u{202E}B\u{2067}C\u{061C}", minorUnits: 123_456)]
        let text = receipt.text(in: .english)
        #expect(text.contains("ABC "))
        #expect(!text.unicodeScalars.contains { [0x202E, 0x2067, 0x061C].contains($0.value) })
    }

    @Test func directionFollowsLanguageAndScript() {
        for tag in ["ar", "ar-EG", "he", "iw", "fa", "ur-PK", "az-Arab"] {
            #expect(Language(rawValue: tag).isRightToLeft)
        }
        for language in Language.builtIn where language != .arabic { #expect(!language.isRightToLeft) }
        #expect(!Language(rawValue: "ur-Latn").isRightToLeft)
    }
}
