// SPDX-License-Identifier: Apache-2.0
import EMVSimulator
import Foundation
import Testing
@testable import EMVKernel
@testable import EMVKit
@testable import EMVPOS

/// Row I3: the choice of a receipt after the result, and receipts that are not printed.
@Suite struct ReceiptDeliveryTests {
    private func receipt(
        _ tap: SimulatedTap = .online, _ answer: SimulatedAuthorizer.Answer = .approve, bill: Bill? = nil,
        merchant: Merchant = Merchant("Market hall")
    ) async throws -> Receipt {
        let reader = tapReader(SimulatedReader(tap))
        let request = bill.map { PaymentRequest($0) } ?? PaymentRequest(amount: eur(1250))
        let result = await reader.charge(request, with: SimulatedAuthorizer(answer))
        return try #require(Receipt(result, merchant: merchant))
    }

    // MARK: The choice

    @Test("A choice describes itself without what was typed")
    func noDescriptionHasAnAddress() async throws {
        var choice = ReceiptDelivery(try await receipt(), region: .germany)
        #expect("\(choice)" == "receipt: choosing")
        choice.choose(.mail)
        choice.enter("nobody")
        #expect("\(choice)" == "receipt: mail, an address is typed")
        choice.enter("anna@example.com")
        #expect("\(choice)" == "receipt: mail, to be delivered" && Mirror(reflecting: choice).children.isEmpty)
        choice.delivered(true)
        #expect("\(choice)" == "receipt: mail")
    }

    @Test("I3: every way leads to an end, of an approval and of a decline")
    func everyWayEnds() async throws {
        for receipt in [try await receipt(), try await receipt(.decline), try await receipt(.online, .decline("51"))] {
            for way in ReceiptDelivery.Way.allCases {
                var choice = ReceiptDelivery(receipt, region: .germany)
                #expect(choice.state == .choosing(failed: nil) && choice.ways == ReceiptDelivery.Way.allCases)
                choice.choose(way)
                if case .typing(way, "", false) = choice.state {
                    choice.enter(way == .mail ? "anna@example.com" : "0151 2345678")
                }
                if way == .none {
                    #expect(choice.state == .ended(.none))
                } else {
                    guard case .deliver(let destination) = choice.state else { Issue.record("\(choice)"); return }
                    #expect(destination.way == way)
                    var failing = choice
                    failing.delivered(false)
                    #expect(failing.state == .choosing(failed: way))
                    choice.delivered(true)
                    #expect(choice.state == .ended(way))
                }
                let ended = choice
                for other in ReceiptDelivery.Way.allCases { choice.choose(other) }
                choice.enter("x")
                choice.back(keeping: "x")
                choice.delivered(false)
                choice.giveUp()
                #expect(choice == ended)
            }
        }
    }

    @Test("I13: a wrong address stays in its field, and what was typed is not lost")
    func aWrongAddressStays() async throws {
        var choice = ReceiptDelivery(try await receipt(), ways: [.mail, .message], region: .germany)
        #expect(choice.ways == [.mail, .message, .none])
        choice.choose(.print)
        #expect(choice.state == .choosing(failed: nil))
        choice.choose(.mail)
        choice.enter("anna@example")
        #expect(choice.state == .typing(.mail, text: "anna@example", isWrong: true))
        choice.choose(.message)
        choice.enter("12")
        #expect(choice.state == .typing(.message, text: "12", isWrong: true))
        choice.choose(.mail)
        #expect(choice.state == .typing(.mail, text: "anna@example", isWrong: false))
        choice.back(keeping: "anna@example.c")
        choice.choose(.mail)
        #expect(choice.state == .typing(.mail, text: "anna@example.c", isWrong: false))
        choice.enter("anna@example.com")
        choice.delivered(false)
        choice.choose(.mail)
        #expect(choice.state == .typing(.mail, text: "anna@example.com", isWrong: false))
        #expect(!"\(choice)".contains("anna") && Mirror(reflecting: choice).children.isEmpty)
        choice.giveUp()
        #expect(choice.state == .ended(.none))
    }

    @Test("a signature needs the merchant's copy, whatever the customer chooses")
    func aSignatureNeedsACopy() async throws {
        var receipt = try await receipt()
        #expect(!ReceiptDelivery(receipt, region: .germany).needsMerchantCopy)
        receipt.verification = .signature
        #expect(ReceiptDelivery(receipt, region: .germany).needsMerchantCopy)
        receipt.result = .declined
        #expect(!ReceiptDelivery(receipt, region: .germany).needsMerchantCopy)
    }

    @Test("every button and field has its text in every language")
    func everyButtonHasItsText() {
        for language in Language.builtIn {
            for way in ReceiptDelivery.Way.allCases {
                #expect(TextCatalogue().text(way.textKey, in: language) != nil, "\(way) \(language)")
                if let key = way.addressKey { #expect(TextCatalogue().text(key, in: language) != nil) }
            }
            #expect(TextCatalogue().text(TextKey("delivery.title"), in: language) != nil)
        }
    }

    // MARK: The forms

    private static let bill = try? Bill(
        [LineItem("Coffee & <cake>", minorUnits: 1000), LineItem("Tip", minorUnits: 250, kind: .tip)], currency: .eur)

    /// Every label and value on the paper receipt also appears in the other forms.
    @Test("mail, message and page say what the paper says", arguments: [Language.english, .german, .arabic, .japanese])
    func formsAgree(language: Language) async throws {
        for tap in [SimulatedTap.online, .decline] {
            let receipt = try await receipt(tap, bill: Self.bill)
            for copy in Receipt.Copy.allCases {
                // The customer's copy is the default.
                if copy == .customer {
                    #expect(receipt.html(in: language) == receipt.html(in: language, copy: copy))
                    #expect(receipt.message(in: language) == receipt.message(in: language, copy: copy))
                }
                let message = receipt.message(in: language, copy: copy)
                let page = receipt.html(in: language, copy: copy)
                for element in receipt.elements(in: language, copy: copy) {
                    let texts: [String] =
                        switch element {
                        case .heading(let text), .centered(let text), .result(let text): [text]
                        case .row(let label, let value), .total(let label, let value), .detail(let label, let value):
                            [label, value]
                        case .signature, .blank, .rule: []
                        }
                    for text in texts {
                        #expect(message.contains(text), "\(text)")
                        let escaped = PrintableText.undirected(text).replacingOccurrences(of: "&", with: "&amp;")
                            .replacingOccurrences(
                                of: "<", with: "&lt;"
                            ).replacingOccurrences(of: ">", with: "&gt;").replacingOccurrences(of: "'", with: "&#39;")
                        #expect(page.contains(escaped), "\(text)")
                    }
                }
                #expect(page.contains("lang=\"\(language.rawValue)\""))
                #expect(page.contains(language == .arabic ? "dir=\"rtl\"" : "dir=\"ltr\""))
            }
        }
    }

    @Test("whatever was written stays text on a page, and a page fetches nothing")
    func nothingOnAPageRuns() async throws {
        let hostile = "</td><script src=\"https://x\">alert('1')</script>&\u{202E}\u{07}"
        var receipt = try await receipt(merchant: Merchant(hostile))
        receipt.terminal = hostile
        receipt.reference = hostile
        receipt.lines = [LineItem(hostile, minorUnits: 1)]
        let page = receipt.html()
        for word in ["<script", "src=\"", "href", "<img", "url(", "@import", "\u{202E}", "\u{07}"] {
            #expect(!page.contains(word), "\(word)")
        }
        // Every open tag is closed, and only these tags occur.
        let tags = page.split(separator: "<").dropFirst().compactMap { $0.split(separator: ">").first }.map {
            String($0.prefix { $0 != " " })
        }
        let known: Set = [
            "!DOCTYPE", "html", "head", "meta", "title", "body", "table", "tr", "td", "bdi", "hr", "/html", "/head",
            "/title", "/body", "/table", "/tr", "/td", "/bdi",
        ]
        #expect(Set(tags).isSubset(of: known))
        for tag in ["html", "head", "title", "body", "table", "tr", "td", "bdi"] {
            #expect(tags.filter { $0 == tag }.count == tags.filter { $0 == "/" + tag }.count, "\(tag)")
        }
    }

    @Test("a code has the whole receipt where it fits, then less, then none")
    func aCodeIsShortened() async throws {
        var receipt = try await receipt(bill: Self.bill)
        let whole = try #require(receipt.codeText(limit: 4_000))
        #expect(whole == receipt.message() && whole.contains("AID") && whole.contains("Coffee"))
        let short = try #require(receipt.codeText(limit: whole.utf8.count - 1))
        #expect(!short.contains("AID") && short.contains("Coffee"))
        let shorter = try #require(receipt.codeText(limit: short.utf8.count - 1))
        #expect(!shorter.contains("Coffee") && shorter.contains("12.50") && shorter.contains("Approved"))
        #expect(receipt.codeText(limit: shorter.utf8.count - 1) == nil)
        receipt.lines = (0..<200).map { LineItem("Line \($0)", minorUnits: 1) }
        #expect(try #require(receipt.codeText()).utf8.count <= 1_200)
    }

    @Test("a card without a label is named by its network, not by its identifier")
    func theNetworkNamesTheApplication() async throws {
        var profile = try #require(CardProfile.named("online"))
        profile.applications[0].label = ""
        let result = await tapReader(SimulatedReader(profile)).charge(
            PaymentRequest(amount: eur(1250)), with: SimulatedAuthorizer())
        let receipt = try #require(Receipt(result, merchant: Merchant("Market hall")))
        #expect(receipt.applicationLabel == "Visa")
    }

    // MARK: I7

    @Test("I7: nothing is due now: total zero, what is due later and when on display and receipt")
    func dueLater() async throws {
        let day = try #require(CalendarDate(year: 2027, month: 1, day: 15))
        let reader = tapReader(SimulatedReader(.online))
        let events = collect(reader.events(), until: isFinished)
        let request = VerificationRequest(
            reason: .storeCard, currency: .eur, later: DueLater(eur(9_900), on: day))
        #expect(request.validate().isEmpty)
        let outcome = await reader.read(request)
        guard case .verified(let card) = outcome else { Issue.record("\(outcome)"); return }
        let prompts = await events.value.compactMap { if case .prompt(let prompt) = $0 { prompt } else { nil } }
        #expect(!prompts.isEmpty)
        for prompt in prompts + [outcome.prompt] {
            #expect(prompt.total == eur(0) && prompt.later == request.later && prompt.note?.description == "Due later")
        }
        #expect(card.dataRecord[0x9F02].map { $0 == eur(0).numeric } != false)
        let receipt = Receipt(card, merchant: Merchant("Market hall"))
        let lines = receipt.lines(.columns40, in: .german).joined(separator: "\n")
        #expect(lines.contains("Fällig am") && lines.contains("15.01.2027") && lines.contains("99,00"))
        #expect(lines.contains("0,00"))
        let kept = try JSONDecoder().decode(Receipt.self, from: JSONEncoder().encode(receipt))
        #expect(kept == receipt)

        var wrong = request
        wrong.later = DueLater(Money(minorUnits: 1, currency: .usd))
        #expect(wrong.validate().map(\.code) == [.currencyConflict])
        wrong.later = DueLater(eur(0))
        #expect(wrong.validate().map(\.code) == [.amountZero])
    }
}
