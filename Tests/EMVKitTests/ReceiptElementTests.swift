// SPDX-License-Identifier: Apache-2.0
import Testing
@testable import EMVKernel
@testable import EMVKit
@testable import EMVPOS

/// The elements of a receipt, their order, and the copy on which they appear (EMV Book 4, 11.4).
@Suite struct ReceiptElementTests {
    private static func text(_ key: String) -> String { TextCatalogue().text(TextKey(key))?.description ?? key }

    private static func read(
        _ objects: DataObjects, _ authorization: CardRead.Authorization = .onlineRequired,
        cvm: Outcome.CVM = .signature, kernel: KernelID? = nil
    ) -> CardRead {
        let status: Outcome.Status = authorization == .declined ? .declined : .onlineRequest
        var outcome = Outcome(status: status, cvm: cvm, dataRecord: CardData(objects.encoded))
        outcome.kernel = kernel
        return CardRead(authorization: authorization, outcome: outcome)
    }

    private static let card: DataObjects = [
        0x5A: [0x47, 0x61, 0x73, 0x90, 0x01, 0x01, 0x01, 0x19], 0x5F34: [0x02],
        0x84: [0xA0, 0, 0, 0, 0x03, 0x10, 0x10],
        0x50: Array("VISA DEBIT".utf8), 0x9F26: [1, 2, 3, 4, 5, 6, 7, 8], 0x9F27: [0x80], 0x9F36: [0x02, 0xAB],
        0x95: [0x80, 0, 0, 0, 1], 0x9B: [0xE8, 0x00],
    ]

    private static func receipt(_ result: Receipt.Result = .approved) -> Receipt {
        let merchant = Merchant("Market hall", via: "Pay Desk", city: "Bonn", identifier: "4711")
        var receipt = Receipt(read(card), result: result, total: eur(1250), merchant: merchant, moment: noon)
        receipt.lines = [LineItem("Tea", minorUnits: 1350), LineItem("Voucher", minorUnits: -100, kind: .discount)]
        receipt.lines.append(.pending("Bar"))
        receipt.cashBack = eur(300)
        receipt.later = DueLater(eur(500), on: testDay)
        receipt.terminal = "12345678"
        receipt.counter = 42
        receipt.reference = "order-1"
        receipt.authorizationCode = "123456"
        receipt.responseCode = "00"
        return receipt
    }

    @Test func everythingStandsInItsOrder() {
        func text(_ key: String) -> String { ReceiptElementTests.text(key) }
        let elements = ReceiptElementTests.receipt().elements(copy: .merchant)
        let space = "\u{A0}"
        let expected: [Receipt.Element] = [
            .heading("Market hall"), .centered("Bonn"), .row(text("receipt.via"), "Pay Desk"), .blank,
            .centered(text("receipt.purchase")), .centered(text("receipt.merchantCopy")),
            .row("\(testDay)", "\(noon.time)"), .row(text("receipt.merchant"), "4711"),
            .row(text("receipt.terminal"), "12345678"), .row(text("receipt.sequence"), "42"),
            .row(text("receipt.reference"), "order-1"), .rule, .row("Tea", "13.50\(space)EUR"),
            .row("Voucher", "-1.00\(space)EUR"), .row("Bar", text("amount.pending")),
            .row(text("amount.cashBack"), "3.00\(space)EUR"), .total(text("amount.total"), "12.50\(space)EUR"),
            .row(text("amount.later"), "5.00\(space)EUR"), .row(text("amount.later.day"), "\(testDay)"), .rule,
            .row(text("receipt.card"), "************0119"), .row(text("receipt.cardSequence"), "02"),
            .row(text("receipt.entry"), text("receipt.contactless")), .row(text("receipt.application"), "VISA DEBIT"),
            .detail("AID", "A0000000031010"), .detail("TVR", "8000000001"), .detail("TSI", "E800"),
            .detail("ATC", "683"), .detail(text("receipt.cryptogram"), "ARQC 0102030405060708"),
            .row(text("receipt.verified"), text("receipt.cvm.signature")),
            .row(text("receipt.authorizationCode"), "123456"), .row(text("receipt.responseCode"), "00"), .blank,
            .result(text("receipt.approved")), .signature(text("receipt.signature")),
        ]
        #expect(elements == expected)
        let customer = ReceiptElementTests.receipt().elements(copy: .customer)
        #expect(
            customer
                == expected.dropLast().map { element in
                    element == .centered(text("receipt.merchantCopy"))
                        ? .centered(text("receipt.customerCopy")) : element
                })
    }

    @Test func whatIsAbsentLeavesNoLine() {
        func text(_ key: String) -> String { ReceiptElementTests.text(key) }
        let receipt = Receipt(
            ReceiptElementTests.read([:], cvm: .notApplicable), result: .notCompleted, total: eur(0),
            merchant: Merchant("Market hall"), moment: noon)
        #expect(
            receipt.elements() == [
                .heading("Market hall"), .blank, .centered(text("receipt.purchase")),
                .centered(text("receipt.customerCopy")), .row("\(testDay)", "\(noon.time)"), .rule,
                .total(text("amount.total"), "0.00\u{A0}EUR"), .rule,
                .row(text("receipt.entry"), text("receipt.contactless")), .blank,
                .result(text("receipt.notCompleted")), .centered(text("receipt.nothingCharged")),
            ])
        #expect(receipt.verification == nil && receipt.cryptogram == nil && receipt.transactionCounter == nil)
        #expect(receipt.responseCode == nil && receipt.card == nil && receipt.applicationIdentifier.isEmpty)
    }

    /// Only a cardholder who is present and is charged signs.
    @Test func onlyWhatIsAcceptedIsSigned() {
        for result in Receipt.Result.allCases {
            let elements = ReceiptElementTests.receipt(result).elements(copy: .merchant)
            let isSigned = [.approved, .approvedOffline, .accepted].contains(result)
            #expect(
                (elements.last == .signature(ReceiptElementTests.text("receipt.signature"))) == isSigned, "\(result)")
            let key = result == .verified ? "receipt.verifiedCard" : "receipt.\(result.rawValue)"
            #expect(elements.contains(.result(ReceiptElementTests.text(key))), "\(result)")
            // The issuer's reason for a decline is for the merchant only.
            let code = Receipt.Element.row(ReceiptElementTests.text("receipt.responseCode"), "00")
            #expect(elements.contains(code))
            let isOpen = ![.declined, .declinedLater].contains(result)
            #expect(ReceiptElementTests.receipt(result).elements(copy: .customer).contains(code) == isOpen, "\(result)")
        }
        for method in Outcome.CVM.allCases {
            var receipt = ReceiptElementTests.receipt()
            receipt.verification = method
            let label = ReceiptElementTests.text("receipt.verified")
            let rows = receipt.elements(copy: .merchant).filter { if case .row(label, _) = $0 { true } else { false } }
            #expect(rows.isEmpty == [.none, .notApplicable].contains(method), "\(method)")
            let ends = receipt.elements(copy: .merchant).contains { if case .signature = $0 { true } else { false } }
            #expect(ends == (method == .signature), "\(method)")
        }
    }

    /// 9F27, bits 8 and 7 (EMV Book 3, table 15); without it, the decision determines the name.
    @Test func theCryptogramIsNamedByItsInformation() {
        for information in UInt8.min...UInt8.max {
            let receipt = Receipt(
                ReceiptElementTests.read([0x9F26: [1, 2], 0x9F27: [information]]), result: .approved, total: eur(1),
                merchant: Merchant("M"), moment: noon)
            let kinds: [UInt8: Receipt.Cryptogram.Kind] = [0x00: .aac, 0x40: .tc, 0x80: .arqc, 0xC0: .arqc]
            #expect(receipt.cryptogram == Receipt.Cryptogram(kind: kinds[information & 0xC0]!, value: "0102"))
        }
        let rows: [(CardRead.Authorization, Receipt.Cryptogram.Kind)] = [
            (.approvedOffline, .tc), (.onlineRequired, .arqc), (.declined, .aac),
        ]
        for (authorization, kind) in rows {
            let receipt = Receipt(
                ReceiptElementTests.read([0x9F26: [1]], authorization), result: .approved, total: eur(1),
                merchant: Merchant("M"), moment: noon)
            #expect(receipt.cryptogram?.kind == kind)
        }
    }

    /// At most sixteen characters; eight digits and more could be an account number.
    @Test func namesOfApplicationsHoldNoAccountNumber() {
        func cleaned(_ text: String) -> String { PrintableText.cleaned(text) }
        #expect(cleaned("  VISA  ") == "VISA" && cleaned("VISA DEBIT CARD 12") == "VISA DEBIT CARD")
        #expect(cleaned("ABCDEFGHIJKLMNOPQ") == "ABCDEFGHIJKLMNOP" && cleaned("") == "" && cleaned(" ") == "")
        #expect(cleaned("1234567") == "1234567" && cleaned("12345678") == "****5678")
        #expect(cleaned("A1B2C3D4E5F6G7H8") == "A*B*C*D*E5F6G7H8" && cleaned("1234567890123456") == "************3456")
        #expect(cleaned("A\u{1B}@B\u{200B}C\u{2028}D\u{E000}E\u{202E}F") == "A@BCDEF")
        var receipt = ReceiptElementTests.receipt()
        receipt.setApplicationLabel("4761739001010119")
        #expect(receipt.applicationLabel == "************0119")
        receipt.setApplicationLabel(nil)
        #expect(receipt.applicationLabel == nil)
        #expect(PrintableText.undirected("a\u{202E}b\u{1B}c\u{2028}d\ne") == "ab c d e")
    }

    /// A date in digits, in each language's own order; ISO 8601 if a language has no order of its own.
    @Test(arguments: [
        ("de", "21.11.2026"), ("pl", "21.11.2026"), ("cs", "21.11.2026"), ("fi", "21.11.2026"), ("nb", "21.11.2026"),
        ("da", "21.11.2026"), ("tr", "21.11.2026"), ("fr", "21/11/2026"), ("es", "21/11/2026"), ("it", "21/11/2026"),
        ("pt", "21/11/2026"), ("pt-BR", "21/11/2026"), ("ar", "21/11/2026"), ("nl", "21-11-2026"),
        ("ja", "2026/11/21"), ("zh", "2026/11/21"), ("zh-TW", "2026/11/21"), ("en", "2026-11-21"), ("sv", "2026-11-21"),
        ("de-CH", "21.11.2026"), ("hu", "2026-11-21"),
    ])
    func aDayIsWrittenAsInItsLanguage(_ tag: String, _ text: String) {
        #expect(testDay.text(in: Language(rawValue: tag)) == text)
    }
}
