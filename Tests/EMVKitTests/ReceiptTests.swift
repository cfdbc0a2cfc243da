// SPDX-License-Identifier: Apache-2.0
import EMVSimulator
import Foundation
import Testing
@testable import EMVKernel
@testable import EMVKit
@testable import EMVPOS

/// Rows C8, G3 to G10, H12, H13.
@Suite struct ReceiptTests {
    static let pan = "4761739001010119"
    static let moment = LocalTime("2026-11-21T12:34:56")!

    static func read(
        _ authorization: CardRead.Authorization = .onlineRequired, cvm: Outcome.CVM = .signature, kernel: KernelID = 2,
        label: Bytes = Array("VISA DEBIT".utf8), extra: [(EMVKit.Tag, Bytes)] = []
    ) -> CardRead {
        var data = DataObjects(
            dictionaryLiteral: (0x9F26, [0xA1, 2, 3, 4, 5, 6, 7, 8]),
            (0x57, Hex.bytes("4761739001010119D30122011438825820000F")!),
            (0x5A, Hex.bytes(pan)!), (0x50, label), (0x9F36, [0x01, 0x15]), (0x95, [0, 0, 0x80, 0, 0]), (0x5F34, [0x01])
        )
        for (tag, value) in extra { data[tag] = value }
        return CardRead(
            authorization: authorization,
            outcome: Outcome(
                status: .onlineRequest, cvm: cvm, kernel: kernel, dataRecord: CardData(data.encoded),
                applicationName: [0xA0, 0, 0, 0, 3, 0x10, 0x10]))
    }

    static func full(_ result: Receipt.Result = .approved, cvm: Outcome.CVM = .signature) -> Receipt {
        var receipt = Receipt(
            read(cvm: cvm), kind: .cashBack, result: result, total: Money(minorUnits: 123_456, currency: .eur),
            merchant: Merchant("Café am Markt", via: "Pay Desk", city: "Köln", identifier: "526567081224"),
            moment: moment)
        receipt.lines = [
            LineItem("Coffee", minorUnits: 350),
            LineItem(
                "本日のコーヒーとケーキのセット、大きいサイズで店内用", minorUnits: 122_156),
            LineItem("A discount with a name that goes on for more than one line", minorUnits: -50, kind: .discount),
            LineItem("Cash", minorUnits: 1000), .pending("Delivery"),
        ]
        receipt.cashBack = Money(minorUnits: 1000, currency: .eur)
        receipt.terminal = "12345678"
        receipt.counter = 42
        receipt.reference = "0123456789ABCDEF0123456789ABCDEF"
        receipt.authorizationCode = "123456"
        receipt.responseCode = result == .declined ? "51" : "00"
        return receipt
    }

    /// Paper has plain spaces.
    static func printed(_ amount: String) -> String {
        amount.replacingOccurrences(of: "\u{A0}", with: " ").replacingOccurrences(of: "\u{202F}", with: " ")
    }

    /// Without an issuer's answer the receipt shows the card's own decision, or no decision if the issuer is yet to be
    /// asked.
    @Test func aReceiptOfTheCardsOwnDecision() {
        let merchant = Merchant("Shop")
        let cases: [(CardRead.Authorization, Outcome.Status, Receipt.Result?)] = [
            (.approvedOffline, .approved, .approvedOffline), (.declined, .declined, .declined),
            (.onlineRequired, .onlineRequest, nil),
        ]
        for (authorization, status, result) in cases {
            let read = CardRead(
                authorization: authorization, outcome: Sample.outcome(status), tap: Sample.record())
            #expect(Receipt(read, merchant: merchant)?.result == result, "\(authorization)")
        }
    }

    @Test func anApprovalsCodeStandsOnTheReceiptWhereThereIsOne() async throws {
        let read = try #require(await tapReader(SimulatedReader(.online)).read(PaymentRequest(amount: eur(1250))).read)
        let merchant = Merchant("Market hall")
        for code in ["123456", ""] {
            let receipt = try #require(Receipt(read, .approved(Approval(code: code)), merchant: merchant))
            #expect(receipt.authorizationCode == (code.isEmpty ? nil : code))
        }
    }

    @Test func anEmptyLabelHasNoLine() throws {
        let word = try #require(TextCatalogue.builtIn(.english)[TextKey("receipt.application")])
        for label in ["VISA DEBIT", ""] {
            let receipt = Receipt(
                Self.read(label: []), kind: .purchase, result: .approved, total: eur(100),
                merchant: Merchant("Market"), moment: Self.moment, label: label)
            #expect(receipt.text(.columns32, in: .english).contains(word) == !label.isEmpty)
        }
    }

    @Test(arguments: Receipt.Width.allCases, Language.builtIn)
    func noLineIsWiderThanThePaperAndNoAmountIsBroken(_ width: Receipt.Width, _ language: Language) {
        for result in Receipt.Result.allCases {
            for copy in Receipt.Copy.allCases {
                let receipt = ReceiptTests.full(result)
                let lines = receipt.lines(width, in: language, copy: copy)
                for line in lines {
                    #expect(DisplayWidth.columns(line) <= width.rawValue, "\(line)")
                    #expect(line.last != " ", "\(line)")
                }
                let text = lines.joined(separator: "\n")
                for amount in [receipt.total.text(in: language), receipt.cashBack!.text(in: language)] {
                    #expect(text.contains(ReceiptTests.printed(amount)))
                }
                for value in [
                    "A0000000031010", "ARQC A102030405060708", "0000800000", "277", "VISA DEBIT", "Pay Desk",
                    "12:34:56", "12345678",
                ] {
                    #expect(text.contains(value), "\(value)")
                }
                #expect(!text.contains("receipt."))
                #expect(!text.contains("amount."))
            }
        }
    }

    @Test(arguments: Language.builtIn)
    func theResultIsSaidInTheLanguage(_ language: Language) {
        var texts: Set<String> = []
        for result in Receipt.Result.allCases {
            for case .result(let text) in ReceiptTests.full(result).elements(in: language) { texts.insert(text) }
        }
        #expect(texts.count == Receipt.Result.allCases.count)
    }

    /// A label of several lines keeps its value on the last line if there is room for it.
    @Test func aLongLabelKeepsItsValueOnItsLastLine() throws {
        var receipt = ReceiptTests.full(.approved)
        receipt.lines = [LineItem("Sandwich with cheese and tomatoes, toasted", minorUnits: 350)]
        let lines = receipt.lines(.columns32)
        let first = try #require(lines.firstIndex(of: "Sandwich with cheese and"))
        #expect(lines[first + 1].hasPrefix("tomatoes, toasted ") && lines[first + 1].contains("3.50"))
    }

    @Test func whyAnIssuerRefusedIsForTheMerchantAlone() {
        let receipt = ReceiptTests.full(.declined)
        #expect(!receipt.text(copy: .customer).contains("Response code"))
        #expect(receipt.text(copy: .merchant).contains("Response code                 51"))
        #expect(receipt.verification == nil)
    }

    @Test func aLineToSignStandsOnTheMerchantsCopyOfAnApprovalOnly() {
        for result in Receipt.Result.allCases {
            for copy in Receipt.Copy.allCases {
                let signs = copy == .merchant && [.approved, .approvedOffline, .accepted].contains(result)
                #expect(ReceiptTests.full(result).text(copy: copy).contains("____") == signs, "\(result) \(copy)")
            }
        }
        #expect(!ReceiptTests.full(.approved, cvm: .onlinePIN).text(copy: .merchant).contains("____"))
    }

    @Test func aReceiptSurvivesCoding() throws {
        for result in Receipt.Result.allCases {
            let receipt = ReceiptTests.full(result)
            let data = try JSONEncoder().encode(receipt)
            #expect(try JSONDecoder().decode(Receipt.self, from: data) == receipt)
        }
    }

    private func holdsNoAccountNumber(_ text: String) -> Bool {
        !text.contains(ReceiptTests.pan) && !text.filter(\.isNumber).contains(ReceiptTests.pan.dropFirst(4).dropLast(4))
    }

    @Test func noReceiptHoldsTheAccountNumber() throws {
        for label in [ReceiptTests.pan, "4761 7390 0101 0119", "A4761739001010119", "\u{1B}@4761739001010119"] {
            let receipt = Receipt(
                ReceiptTests.read(label: Array(label.utf8)), result: .approved,
                total: Money(minorUnits: 1, currency: .eur),
                merchant: Merchant("Shop"), moment: ReceiptTests.moment, label: label)
            var dumped = ""
            dump(receipt, to: &dumped)
            let json = String(decoding: try JSONEncoder().encode(receipt), as: UTF8.self)
            for text in [receipt.text(), receipt.text(copy: .merchant), dumped, json] {
                #expect(holdsNoAccountNumber(text), "\(label)")
                #expect(text.contains("0119"))
            }
        }
    }

    @Test func aStoredReceiptWithAFullAccountNumberIsRefused() throws {
        let data = try JSONEncoder().encode(ReceiptTests.full())
        let forged = String(decoding: data, as: UTF8.self).replacingOccurrences(
            of: "************0119", with: ReceiptTests.pan)
        #expect(forged.contains(ReceiptTests.pan))
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(Receipt.self, from: Data(forged.utf8)) }
        let six = String(decoding: data, as: UTF8.self).replacingOccurrences(
            of: "************0119", with: "476173******0119")
        #expect(try JSONDecoder().decode(Receipt.self, from: Data(six.utf8)).card?.description == "************0119")
    }

    @Test func maskedNumbersReadOnlyWhatMayShow() {
        for text in ["476173******0119", "************0119", "*****6789", "*********6789", "412345****1234"] {
            #expect(MaskedPAN(text)?.description == text)
        }
        for text in [
            "", "4761739001010119", "47617390****0119", "4761*******0119", "476173*****00119", "1234567", "*****678",
            "12345678901*3456", "476173**1***0119", "******0119******0119",
        ] {
            #expect(MaskedPAN(text) == nil, "\(text)")
        }
    }

    @Test func noPrinterCommandComesThroughACardOrALabel() {
        let receipt = Receipt(
            ReceiptTests.read(label: [0x1B, 0x40, 0x0A, 0x9B, 0x41, 0x42]), result: .approved,
            total: Money(minorUnits: 1, currency: .eur), merchant: Merchant("Shop\u{1B}[2J\nFake"),
            moment: ReceiptTests.moment)
        #expect(receipt.applicationLabel == "@AB")
        let text = receipt.text(copy: .merchant)
        #expect(!text.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" || (0x7F...0x9F).contains($0.value) })
        #expect(text.contains("Shop [2J Fake"))
    }

    @Test func thePreferredNameGoesBeforeTheLabelWhereItsTableIsKnown() {
        let name: Bytes = Array("CB D".utf8) + [0xE9] + Array("bit".utf8)
        func label(_ table: UInt8) -> String? {
            Receipt(
                ReceiptTests.read(extra: [(0x9F12, name), (0x9F11, [table])]), result: .approved,
                total: Money(minorUnits: 1, currency: .eur), merchant: Merchant("Shop"), moment: ReceiptTests.moment
            ).applicationLabel
        }
        #expect(label(1) == "CB Débit")
        #expect(label(5) == "VISA DEBIT")
    }

    /// EMV Book 4, table 35, and the cryptogram that each decision rests on.
    @Test(arguments: [
        (
            CardRead.Authorization.approvedOffline, Receipt.Result.approvedOffline, "Y1" as String?,
            Receipt.Cryptogram.Kind.tc
        ),
        (.onlineRequired, .approved, nil, .arqc), (.declined, .declined, "Z1", .aac),
        (.onlineRequired, .declined, nil, .arqc),
        (.onlineRequired, .unknown, nil, .arqc),
    ])
    func theResponseCodeOfAnOfflineDecisionIsTheTerminals(
        _ authorization: CardRead.Authorization, _ result: Receipt.Result, _ code: String?,
        _ cryptogram: Receipt.Cryptogram.Kind
    ) {
        let receipt = Receipt(
            ReceiptTests.read(authorization), result: result, total: Money(minorUnits: 1, currency: .eur),
            merchant: Merchant("Shop"),
            moment: ReceiptTests.moment)
        #expect(receipt.responseCode == code)
        #expect(receipt.cryptogram?.kind == cryptogram)
    }

    /// Book C-3 B.1.1: five zero bytes carry no information.
    @Test func theResultsOfKernel3AreNotPrinted() {
        for kernel in [KernelID(2), 3] {
            let receipt = Receipt(
                ReceiptTests.read(kernel: kernel), result: .approved, total: Money(minorUnits: 1, currency: .eur),
                merchant: Merchant("Shop"), moment: ReceiptTests.moment)
            #expect((receipt.verificationResults == nil) == (kernel == 3))
        }
    }

    @Test func wideCharactersTakeTwoColumns() {
        #expect(DisplayWidth.columns("Card") == 4)
        #expect(DisplayWidth.columns("カード") == 6)
        #expect(DisplayWidth.columns("ｶｰﾄﾞ") == 4)
        #expect(DisplayWidth.columns("处理中") == 6)
        #expect(DisplayWidth.columns("e\u{301}") == 1)
        #expect(DisplayWidth.columns("，。") == 4)
        #expect(DisplayWidth.columns("👩‍👩‍👧‍👦") == 2)
        #expect(DisplayWidth.columns("\u{1112}\u{1161}\u{11AB}") == 2)
        for text in [
            "a bc def ghij klmno", "処理中です処理中です処理中です",
            "Ein sehrlangeswortohneleerzeichen hier", "",
        ] {
            for limit in 2...12 {
                let lines = DisplayWidth.wrapped(text, columns: limit)
                #expect(lines.allSatisfy { DisplayWidth.columns($0) <= limit }, "\(text) \(limit)")
                #expect(lines.joined().filter { $0 != " " } == text.filter { $0 != " " })
            }
        }
    }
}

@Suite struct BillTests {
    private static func eur(_ minorUnits: UInt64) -> Money { Money(minorUnits: minorUnits, currency: .eur) }

    @Test func linesThatAddUpMakeABill() throws {
        let lines = [LineItem("Coffee", minorUnits: 350), LineItem("Regular guest", minorUnits: -50, kind: .discount)]
        #expect(try Bill(lines, total: BillTests.eur(300)).total.minorUnits == 300)
        #expect(try Bill(lines, currency: .eur).total.minorUnits == 300)
        #expect(try !Bill(lines, currency: .eur).isPending)
    }

    @Test func linesThatDoNotAddUpMakeNone() {
        let coffee = LineItem("Coffee", minorUnits: 350)
        #expect(throws: BillError.sum(350, total: 351)) { try Bill([coffee], total: BillTests.eur(351)) }
        #expect(throws: BillError.sum(350, total: 349)) { try Bill([coffee], total: BillTests.eur(349)) }
        #expect(throws: BillError.sum(0, total: 1)) { try Bill([], total: BillTests.eur(1)) }
        #expect(throws: BillError.negative(sum: -1)) {
            try Bill([LineItem("Voucher", minorUnits: -1, kind: .discount)], currency: .eur)
        }
        #expect(throws: BillError.emptyLabel(line: 1)) {
            try Bill([coffee, LineItem(" ", minorUnits: 0)], currency: .eur)
        }
        #expect(throws: BillError.positiveDiscount(line: 0)) {
            try Bill([LineItem("Voucher", minorUnits: 1, kind: .discount)], currency: .eur)
        }
        #expect(throws: BillError.overflow) {
            try Bill([LineItem("A", minorUnits: .max), LineItem("B", minorUnits: 1)], currency: .eur)
        }
        #expect(throws: BillError.overflow) { try Bill([LineItem("A", minorUnits: 1_000_000_000_000)], currency: .eur) }
    }

    /// Rows G7 and H13: with a pending line the total may exceed the sum of the known lines, but not fall below it.
    @Test func aPendingLineLeavesRoomAboveTheKnownLines() throws {
        let lines = [LineItem("Ride", minorUnits: 900), .pending("Tolls")]
        #expect(try Bill(lines, total: BillTests.eur(1500)).isPending)
        #expect(try Bill(lines, total: BillTests.eur(900)).isPending)
        #expect(try Bill(lines, currency: .eur).total == BillTests.eur(900))
        #expect(lines[1].kind == .item && lines[1].isEstimate)
        #expect(PaymentRequest(try Bill(lines, currency: .eur)).terms == .estimated)
        #expect(PaymentRequest(try Bill([lines[0]], currency: .eur)).terms == .final)
        #expect(throws: BillError.sum(900, total: 899)) { try Bill(lines, total: BillTests.eur(899)) }
        #expect(try Bill([LineItem("Room", minorUnits: 900, isEstimate: true)], total: BillTests.eur(1000)).isPending)
    }

    /// Row G4.
    @Test func aLabelThatDoesNotFitOneLineIsNoted() {
        #expect(LineItem(String(repeating: "a", count: 40), minorUnits: 1).advice == nil)
        #expect(LineItem(String(repeating: "a", count: 41), minorUnits: 1).advice == .longLabel(41))
        #expect(LineItem(String(repeating: "卡", count: 21), minorUnits: 1).advice == .longLabel(42))
    }

    @Test("I6: lines are what the total is made of, not a list of goods")
    func aListOfGoodsIsNoted() throws {
        let eur = Currency.eur
        let charges = [LineItem("Subtotal", minorUnits: 900), LineItem("Service", minorUnits: 90, kind: .charge)]
        #expect(try Bill(charges, currency: eur).advice == [])
        let goods = [
            LineItem("Coffee", minorUnits: 350), LineItem("Tip", minorUnits: 50, kind: .tip),
            LineItem("Cake", minorUnits: 400),
        ]
        #expect(try Bill(goods, currency: eur).advice == [.goods(lines: [0, 2])])
    }

    @Test("I8: only a higher total, or another currency, needs a new tap")
    func onlyAHigherTotalNeedsANewTap() {
        let request = PaymentRequest(amount: BillTests.eur(1000))
        #expect(!request.needsNewTap(for: BillTests.eur(1000)) && !request.needsNewTap(for: BillTests.eur(0)))
        #expect(request.needsNewTap(for: BillTests.eur(1001)))
        #expect(request.needsNewTap(for: Money(minorUnits: 1, currency: .usd)))
    }

    @Test("I9: suggested amounts begin with none and end with another one")
    func suggestedAmountsAreValues() {
        let price = BillTests.eur(1234)
        let tips = SuggestedAmounts(percentages: [10, 15, 20, 0, 200], of: price, roundedTo: 10)
        #expect(
            tips.choices == [
                .none, .amount(BillTests.eur(120), percent: 10), .amount(BillTests.eur(190), percent: 15),
                .amount(BillTests.eur(250), percent: 20), .other,
            ])
        // A percentage that rounds to zero is not offered, and equal amounts are offered once.
        #expect(
            SuggestedAmounts(percentages: [1, 10, 11], of: BillTests.eur(30), roundedTo: 10).choices == [.none, .other])
        let most = SuggestedAmounts(percentages: [100], of: BillTests.eur(999_999_999_999))
        #expect(most.choices == [.none, .amount(BillTests.eur(999_999_999_999), percent: 100), .other])
        let gifts = SuggestedAmounts([
            BillTests.eur(100), BillTests.eur(100), BillTests.eur(0), Money(minorUnits: 5, currency: .usd),
        ])
        #expect(gifts.choices == [.none, .amount(BillTests.eur(100), percent: nil), .other])
        #expect(SuggestedAmounts([]).choices == [.none, .other])
    }

    @Test func aStoredBillIsCheckedAgain() throws {
        let bill = try Bill([LineItem("Coffee", minorUnits: 350)], currency: .eur)
        let data = try JSONEncoder().encode(bill)
        #expect(try JSONDecoder().decode(Bill.self, from: data) == bill)
        let forged = String(decoding: data, as: UTF8.self).replacingOccurrences(of: "350", with: "35", range: nil)
        #expect(try JSONDecoder().decode(Bill.self, from: Data(forged.utf8)).total.minorUnits == 35)
        let wrong = try JSONSerialization.data(withJSONObject: [
            "lines": [["label": "Coffee", "kind": "item", "minorUnits": 350, "isEstimate": false]],
            "total": ["minorUnits": 35, "currency": "EUR"],
        ])
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(Bill.self, from: wrong) }
    }

    @Test func moneySurvivesCodingWithItsExponent() throws {
        for currency in Currency.all + [Currency(code: "XTS", numeric: 963, exponent: 4)] {
            let money = Money(minorUnits: 12_345, currency: currency)
            #expect(try JSONDecoder().decode(Money.self, from: JSONEncoder().encode(money)) == money)
        }
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(Money.self, from: Data(#"{"minorUnits":1,"currency":"XXX"}"#.utf8))
        }
    }

    @Test func amountsAreWrittenAsALanguageWritesThem() {
        let money = Money(minorUnits: 123_456_789, currency: .eur)
        #expect(money.text(in: .english) == "1,234,567.89\u{A0}EUR")
        #expect(Money(minorUnits: 5, currency: .eur).text(in: .english) == "0.05\u{A0}EUR")
        #expect(Money(minorUnits: 1234, currency: .jpy).text(in: .japanese) == "1,234\u{A0}JPY")
        #expect(Money(minorUnits: 1234, currency: Currency(code: "BHD")!).text(in: .english) == "1.234\u{A0}BHD")
        #expect(MoneyFormat.of(.german).number(-50, exponent: 2) == "-0,50")
    }

    /// Rows E3, E4 and H8.
    @Test func amountsAreReadAsPeopleTypeThem() {
        for (text, minorUnits) in [
            ("12.50", 1250), ("12,50", 1250), ("€12,50", 1250), ("12.50 EUR", 1250), ("eur 12", 1200),
            ("1.234,50", 123_450), ("1,234.50", 123_450),
            ("1 234,50 €", 123_450), ("1'234.50", 123_450), ("1.234.567", 123_456_700),
            ("１２．５０", 1250), (" 7 ", 700), ("0.5", 50),
        ] {
            #expect(Money(typed: text, currency: .eur)?.minorUnits == UInt64(minorUnits), "\(text)")
        }
        for text in ["", "abc", "12.345,6.7", "1,23,456", "12..50", "-5", "0,500", "12,5,0", "12 USD", "1.2345"] {
            #expect(Money(typed: text, currency: .eur) == nil, "\(text)")
        }
        #expect(Money(typed: "¥1,250", currency: .jpy)?.minorUnits == 1250)
        // One separator followed by three digits is ambiguous unless the typist's language is known.
        for text in ["12.505", "12,505", "1,250", "1.250"] {
            #expect(Money(typed: text, currency: .eur) == nil, "\(text)")
            #expect(Money(typed: text, currency: Currency(code: "BHD")!) == nil, "\(text)")
        }
        #expect(Money(typed: "12.505", currency: .eur, language: .german)?.minorUnits == 1_250_500)
        #expect(Money(typed: "12.505", currency: .eur, language: .english) == nil)
        #expect(Money(typed: "12,505", currency: .eur, language: .english)?.minorUnits == 1_250_500)
        #expect(Money(typed: "1.250", currency: Currency(code: "BHD")!, language: .english)?.minorUnits == 1250)
        #expect(Money(typed: "1.250", currency: Currency(code: "BHD")!, language: .german)?.minorUnits == 1_250_000)
    }
}

/// Rows G5, G6 and H16.
@Suite struct MerchantTests {
    private func field(_ merchant: Merchant) -> String? {
        merchant.nameAndLocation.map { String(decoding: $0, as: UTF8.self) }
    }

    @Test func theNameGoesToTheCardInPrintableASCII() {
        #expect(field(Merchant("Market Hall")) == "Market Hall")
        #expect(
            field(Merchant("Café Übergröße", via: "Pay Desk", city: "Köln"))
                == "Pay Desk*Cafe Uebergroesse Koeln")
        #expect(field(Merchant("Łódź Żabka")) == "Lodz Zabka")
        #expect(field(Merchant("喫茶店")) == nil)
        #expect(field(Merchant("喫茶店", latinName: "Kissaten")) == "Kissaten")
        #expect(field(Merchant("A\u{1B}[2J\nB")) == "A[2J B")
    }

    @Test func itNeverExceedsFortyBytesAndKeepsBothNames() {
        let long = String(repeating: "Name ", count: 20)
        let bytes = Merchant(long, via: String(repeating: "via", count: 20), city: "Town").nameAndLocation!
        #expect(bytes.count == 40)
        #expect(bytes.starts(with: Array("viaviaviavia*Name Name".utf8)))
        #expect(bytes.allSatisfy { (0x20...0x7E).contains($0) })
    }

    @Test func aPromptNamesBothMerchants() {
        #expect(Merchant("Market hall", via: "Pay Desk").displayName == "Market hall, via Pay Desk")
        #expect(Merchant("Market hall").displayName == "Market hall")
    }
}

/// Rows E3 to E6 and H8.
@Suite struct ContactTests {
    @Test func telephoneNumbersAreReadInAnyShape() {
        for text in [
            "030 1234567", "(030) 123-45 67", "+49 30 1234567", "0049301234567", "+49 (0)30 1234567", "030/1234567",
            "０３０１２３４５６７", "tel:+49-30-1234567",
        ] {
            #expect(
                ReceiptDelivery.PhoneNumber(typed: text, region: .germany)?.description == "+49301234567", "\(text)")
        }
        for text in ["(212) 555-0123", "212.555.0123", "1 212 555 0123", "+1 212-555-0123"] {
            #expect(
                ReceiptDelivery.PhoneNumber(typed: text, region: .northAmerica)?.description == "+12125550123",
                "\(text)")
        }
        #expect(ReceiptDelivery.PhoneNumber(typed: "06 1234 5678", region: .italy)?.description == "+390612345678")
        #expect(
            ReceiptDelivery.PhoneNumber(typed: "+33 1 23 45 67 89", region: .germany)?.description == "+33123456789")
        // The result does not depend on where the number is typed or how it is bracketed.
        for text in ["+44 (0)20 7946 0958", "0044 (0)20 7946 0958", "+44(0) 20-7946-0958", "+44 20 7946 0958"] {
            for region in [ReceiptDelivery.PhoneNumber.Region.germany, .unitedKingdom, .northAmerica, .italy] {
                #expect(
                    ReceiptDelivery.PhoneNumber(typed: text, region: region)?.description == "+442079460958", "\(text)")
            }
        }
        // In Italy the 0 belongs to the number.
        #expect(ReceiptDelivery.PhoneNumber(typed: "(0)6 1234 5678", region: .italy)?.description == "+390612345678")
        #expect(
            ReceiptDelivery.PhoneNumber(typed: "+39 (0)6 1234 5678", region: .germany)?.description == "+390612345678")
        for text in ["(+39) (0)6 1234 5678", "0039 (0)6 1234 5678", "00 39 (0)6 1234 5678", " +39(0)6-1234-5678"] {
            #expect(
                ReceiptDelivery.PhoneNumber(typed: text, region: .germany)?.description == "+390612345678", "\(text)")
        }
        for text in ["", "12", "phone", "+0 123456789", "1234567890123456"] {
            #expect(ReceiptDelivery.PhoneNumber(typed: text, region: .germany) == nil, "\(text)")
        }
    }

    @Test func theLastFourDigitsOfAPostalCodeDoNotMatter() {
        #expect(ReceiptDelivery.PostalCode.us("02199-1234")?.zip5 == "02199")
        #expect(ReceiptDelivery.PostalCode.us(" 02199 ")?.description == "02199")
        #expect(ReceiptDelivery.PostalCode.us("021991234")?.zip5 == "02199")
        #expect(ReceiptDelivery.PostalCode.us("0219") == nil)
        #expect(ReceiptDelivery.PostalCode(typed: "sw1a  1aa")?.description == "SW1A 1AA")
        #expect(ReceiptDelivery.PostalCode(typed: "１００-0001")?.description == "100-0001")
        #expect(ReceiptDelivery.PostalCode(typed: "Berlin") == nil)
    }

    @Test func mailAddressesAreTidied() {
        for text in ["Anna@Example.COM", " mailto:Anna@example.com ", "Ａnna＠example.com", "Anna @ example.com"] {
            #expect(ReceiptDelivery.EmailAddress(typed: text)?.description == "Anna@example.com", "\(text)")
        }
        for text in ["", "anna", "anna@", "@example.com", "a@b@c.de", "a@b", "a@.de", "a@b..de", "a(b)@c.de"] {
            #expect(ReceiptDelivery.EmailAddress(typed: text) == nil, "\(text)")
        }
    }
}
