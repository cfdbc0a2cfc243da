// SPDX-License-Identifier: Apache-2.0
import Testing
@testable import EMVKernel
@testable import EMVKit
@testable import EMVPOS

/// Amounts at their bounds: twelve digits (9F02 is n 12), the decimals of the currency, groups of three.
@Suite struct MoneyBoundTests {
    private static let yen = Currency.jpy, euro = Currency.eur, dinar = Currency(code: "BHD")!
    private static let unidad = Currency(code: "UYW")!

    private func units(_ text: String, _ currency: Currency = euro) -> UInt64? {
        Money(text, currency: currency)?.minorUnits
    }

    @Test func anAmountIsReadWithAtMostTheDecimalsOfItsCurrency() {
        #expect(units("12") == 1200 && units("12.5") == 1250 && units("12.50") == 1250 && units("12.505") == nil)
        #expect(units("0") == 0 && units("0.01") == 1 && units("007") == 700)
        #expect(units("12", MoneyBoundTests.yen) == 12 && units("12.5", MoneyBoundTests.yen) == nil)
        #expect(units("1.234", MoneyBoundTests.dinar) == 1234 && units("1.2", MoneyBoundTests.dinar) == 1200)
        #expect(units("1.2345", MoneyBoundTests.unidad) == 12345 && units("1.23456", MoneyBoundTests.unidad) == nil)
        for text in ["", ".", ".5", "1.", "1.2.3", "-1", "+1", "1,2", " 1", "1 ", "a", "1a", "1.a", "/", ":", "٣"] {
            #expect(units(text) == nil, "\(text)")
        }
    }

    @Test func anAmountHasAtMostTwelveDigits() {
        #expect(units("9999999999.99") == 999_999_999_999 && units("10000000000.00") == nil)
        #expect(units("10000000000") == nil && units("9999999999") == 999_999_999_900)
        #expect(units("999999999999", MoneyBoundTests.yen) == 999_999_999_999)
        #expect(
            units("1000000000000", MoneyBoundTests.yen) == nil && units("0000000000001", MoneyBoundTests.yen) == nil)
        #expect(units("000000000001", MoneyBoundTests.yen) == 1)
    }

    @Test func aDescriptionHasTheDecimalsOfItsCurrency() {
        func text(_ minorUnits: UInt64, _ currency: Currency) -> String {
            Money(minorUnits: minorUnits, currency: currency).description
        }
        #expect(text(0, .eur) == "0.00 EUR" && text(5, .eur) == "0.05 EUR" && text(50, .eur) == "0.50 EUR")
        #expect(text(100, .eur) == "1.00 EUR" && text(123_456, .eur) == "1234.56 EUR")
        #expect(text(0, .jpy) == "0 JPY" && text(12, .jpy) == "12 JPY")
        #expect(text(1, MoneyBoundTests.dinar) == "0.001 BHD" && text(12_345, MoneyBoundTests.dinar) == "12.345 BHD")
        #expect(text(12_345, MoneyBoundTests.unidad) == "1.2345 UYW")
        #expect(eur(1250).text(in: .english) == "12.50\u{A0}EUR" && eur(5).text(in: .german) == "0,05\u{A0}EUR")
    }

    /// ISO 8583 and EMV: numeric, two digits a byte.
    @Test func anAmountIsTwelveDigitsInSixBytes() {
        #expect(eur(999_999_999_999).numeric == Bytes(repeating: 0x99, count: 6))
        #expect(eur(12).numeric == [0, 0, 0, 0, 0, 0x12] && eur(123_456).numeric == [0, 0, 0, 0x12, 0x34, 0x56])
    }

    @Test func typedAmountsAreGroupedInThreesOrNotAtAll() {
        func typed(_ text: String, _ currency: Currency = .eur, _ language: Language? = nil) -> UInt64? {
            Money(typed: text, currency: currency, language: language)?.minorUnits
        }
        #expect(typed("1,234.56") == 123_456 && typed("1.234,56") == 123_456 && typed("1,234,567.89") == 123_456_789)
        #expect(typed("123,456.78") == 12_345_678 && typed("12,34.56") == nil && typed("1234,567.89") == nil)
        #expect(typed("1.234.567") == 123_456_700 && typed("1.23.456") == nil && typed("0.123.456") == nil)
        #expect(typed(",234.56") == nil && typed("1,2345.67") == nil && typed("1.234,5.6") == nil)
        #expect(typed("1,5") == 150 && typed("1.5") == 150 && typed("1,50") == 150 && typed("1,505") == nil)
        #expect(typed("1,234", .jpy) == 1234 && typed("1.234", .jpy) == 1234 && typed("1,23", .jpy) == nil)
        #expect(typed("1,234", .eur, .english) == 123_400 && typed("1,234", .eur, .german) == nil)
        #expect(typed("1,234", MoneyBoundTests.dinar, .german) == 1234)
        #expect(typed("1,234", MoneyBoundTests.dinar, .english) == 1_234_000)
        #expect(typed("EUR 1.50") == 150 && typed("1.50 eur") == 150)
        #expect(typed("€1.50") == 150 && typed("1,50€") == 150)
        #expect(typed("1'234.50") == 123_450 && typed("1’234.50") == 123_450 && typed("EUR") == nil)
        #expect(
            typed("1,50 USD") == nil && typed("$5") == nil && typed("$5", .usd) == 500 && typed("US$5", .usd) == 500)
    }

    /// Rounded to the nearest step, halves up; each amount is offered once; no tip and another amount are always
    /// offered.
    @Test func percentagesAreRoundedToTheNearestStep() {
        func parts(_ percentages: [Int], _ price: UInt64, _ step: UInt64 = 1) -> [String] {
            SuggestedAmounts(percentages: percentages, of: eur(price), roundedTo: step).choices.map { choice in
                switch choice {
                case .none: "none"
                case .other: "other"
                case .amount(let money, let percent): "\(percent ?? 0):\(money.minorUnits)"
                }
            }
        }
        #expect(parts([10], 1250) == ["none", "10:125", "other"])
        #expect(
            parts([10], 1250, 10) == ["none", "10:130", "other"]
                && parts([10], 1249, 10) == ["none", "10:120", "other"])
        #expect(parts([1], 150) == ["none", "1:2", "other"] && parts([1], 149) == ["none", "1:1", "other"])
        #expect(parts([1], 49) == ["none", "other"] && parts([1], 50) == ["none", "1:1", "other"])
        #expect(parts([-1, 0, 1, 100, 101], 1000) == ["none", "1:10", "100:1000", "other"])
        #expect(parts([10, 10, 11], 1000, 50) == ["none", "10:100", "other"])
        #expect(parts([10], 1000, 0) == ["none", "other"])
        #expect(parts([10], 999_999_999_999) == ["none", "10:100000000000", "other"])
        #expect(parts([10], 1_000_000_000_000) == ["none", "other"] && parts([100], .max) == ["none", "other"])
        #expect(parts([10], 1000, 999_999_999_999) == ["none", "other"])
        #expect(
            parts([10], 1000, 1_000_000_000_000) == ["none", "other"] && parts([10], 1000, .max) == ["none", "other"])
        let usd = Money(minorUnits: 500, currency: .usd)
        let given = SuggestedAmounts([eur(500), eur(0), eur(500), usd, eur(1000)]).choices
        #expect(given == [.none, .amount(eur(500), percent: nil), .amount(eur(1000), percent: nil), .other])
    }

    /// A bill's lines add up to its total, or stay below it if a line is an estimate.
    @Test func aBillAddsUp() throws {
        func flaw(_ lines: [LineItem], _ total: UInt64) -> BillError? {
            do throws(BillError) { _ = try Bill(lines, total: eur(total)) } catch { return error }
            return nil
        }
        let tea = LineItem("Tea", minorUnits: 300), less = LineItem("Voucher", minorUnits: -100, kind: .discount)
        let open = LineItem("Taxi", minorUnits: 500, isEstimate: true), pending = LineItem.pending("Bar")
        #expect(flaw([tea, less], 200) == nil && flaw([tea, less], 201) == .sum(200, total: 201))
        #expect(flaw([tea, less], 199) == .sum(200, total: 199) && flaw([less], 0) == .negative(sum: -100))
        #expect(flaw([tea, open], 800) == nil && flaw([tea, open], 900) == nil && flaw([tea, open], 799) != nil)
        #expect(flaw([tea, pending], 300) == nil && pending.isEstimate && pending.minorUnits == nil)
        #expect(flaw([tea, LineItem(" ", minorUnits: 0)], 300) == .emptyLabel(line: 1))
        #expect(flaw([LineItem("", minorUnits: 0)], 0) == .emptyLabel(line: 0))
        #expect(flaw([tea, LineItem("Off", minorUnits: 1, kind: .discount)], 301) == .positiveDiscount(line: 1))
        #expect(flaw([tea, LineItem("Off", minorUnits: 0, kind: .discount)], 300) == nil)
        #expect(flaw([LineItem("A", minorUnits: .max), LineItem("B", minorUnits: 1)], 0) == .overflow)
        #expect(flaw([LineItem("A", minorUnits: 999_999_999_999)], 999_999_999_999) == nil)
        #expect(flaw([LineItem("A", minorUnits: 1_000_000_000_000)], 1_000_000_000_000) == .overflow)
        #expect(flaw([], 0) == nil)
        #expect(try Bill([tea, less], currency: .eur).total == eur(200))
        #expect(throws: BillError.negative(sum: -100)) { try Bill([less], currency: .eur) }
        #expect(throws: BillError.overflow) {
            try Bill([LineItem("A", minorUnits: .max), LineItem("B", minorUnits: 1)], currency: .eur)
        }
        #expect(try Bill([tea, open], total: eur(800)).isPending && !Bill([tea], total: eur(300)).isPending)
        #expect(try Bill([tea, less, tea], total: eur(500)).advice == [.goods(lines: [0, 2])])
        #expect(try Bill([tea, less], total: eur(200)).advice == [])
        #expect(LineItem(String(repeating: "a", count: 40), minorUnits: 0).advice == nil)
        #expect(LineItem(String(repeating: "a", count: 41), minorUnits: 0).advice == .longLabel(41))
        #expect(BillError.emptyLabel(line: 1).description == "Line 2 has no label")
        #expect(BillError.positiveDiscount(line: 0).description.hasPrefix("Line 1 is a discount"))
    }
}
