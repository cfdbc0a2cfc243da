// SPDX-License-Identifier: Apache-2.0
import EMVSimulator
import Foundation
import TestData
import Testing
@testable import EMVKernel
@testable import EMVKit
@testable import EMVPOS

/// Row I12: the app changes the total when it knows the card, before the card signs it.
@Suite struct AmountChangeTests {
    private static let debit: Bytes = [0x00, 0x01, 0x05, 0x01, 0, 0, 0, 0]

    private func profile(_ name: String, _ change: (inout CardApplication) -> Void = { _ in }) throws -> CardProfile {
        var profile = try #require(CardProfile.named(name))
        for index in profile.applications.indices { change(&profile.applications[index]) }
        return profile
    }

    private func request(
        _ amount: UInt64 = 1250, upTo ceiling: Money? = eur(2000), within deadline: Duration = .seconds(30),
        _ decide: @escaping @Sendable (AmountChange.Question) async -> AmountChange.Total?
    ) -> PaymentRequest {
        with(PaymentRequest(amount: eur(amount), timeout: .seconds(1))) {
            $0.amountChange = AmountChange(upTo: ceiling, within: deadline, decide)
        }
    }

    /// The amount that the card received and signed.
    private func signed(_ read: CardRead?) -> Bytes? { read?.dataRecord[0x9F02] }

    @Test("a surcharge and a discount are what the card signs, what the host is asked for and what is shown")
    func theTotalIsAnother() async throws {
        for total in [1275, 1000, 2000] as [UInt64] {
            let host = SimulatedAuthorizer(), reader = tapReader(SimulatedReader(try profile("online")))
            let heard = collect(reader.events(), until: isAuthorized)
            let request = request { _ in AmountChange.Total(eur(total)) }
            let result = await reader.charge(request, with: host)
            #expect(result.name == .approved)
            #expect(result.read?.amount == eur(total))
            #expect(signed(result.read) == eur(total).numeric)
            #expect(await host.requests.map(\.read.amount) == [eur(total)])
            #expect(Receipt(result, merchant: Merchant("Market hall"))?.total == eur(total))
            let prompts = await heard.value.compactMap { if case .prompt(let prompt) = $0 { prompt } else { nil } }
            #expect(prompts.first?.total == eur(1250))
            #expect(prompts.last?.total == eur(total))
            // The new total is shown before the display says that the card has been read.
            let changed = try #require(prompts.firstIndex { $0.total == eur(total) })
            let read = try #require(prompts.firstIndex { $0.message == .cardReadOK || $0.message == .approved })
            #expect(changed < read)
        }
    }

    @Test("the app is told what the card says of itself, by every network")
    func theQuestionSaysWhatTheCardSays() async throws {
        let names: [(String, PaymentScheme)] = [
            ("online", .visa), ("mcOnline", .mastercard), ("amexOnline", .amex), ("k5-online", .jcb),
            ("dpasOnline", .discover), ("upOnline", .unionPay),
        ]
        for (name, scheme) in names {
            let profile = try profile(name) {
                $0.registeredData = Self.debit
                $0.issuerNumber = "476173"
                $0.languages = "deen"
            }
            let asked = Asked()
            let reader = tapReader(SimulatedReader(profile))
            let request = request {
                await asked.ask($0)
                return nil
            }
            let outcome = await reader.read(request)
            #expect(outcome.read?.amount == eur(1250), "\(name): \(outcome)")
            let question = try #require(await asked.questions.first, "\(name)")
            #expect(question.scheme == scheme && question.product == .debit && question.issuerNumber == "476173")
            #expect(question.card.languages == ["de", "en"])
            #expect(question.application == outcome.read?.outcome.applicationName)
            #expect(question.request == request && question.key == outcome.read?.key)
        }
    }

    @Test("a card that says nothing of itself is of an unknown product")
    func unknownIsAValue() async throws {
        let asked = Asked()
        let reader = tapReader(SimulatedReader(try profile("online")))
        _ = await reader.read(
            request {
                await asked.ask($0)
                return nil
            })
        let question = try #require(await asked.questions.first)
        #expect(question.product == .unknown && question.issuerNumber == nil && question.card.languages.isEmpty)
    }

    @Test("what may not be taken leaves the amount of the request")
    func theAmountHolds() async throws {
        let mixed = try Bill([LineItem("Coffee", minorUnits: 1000)], currency: .eur)
        var untrue = AmountChange.Total(mixed)
        untrue.amount = eur(1100)
        let answers: [(Money?, AmountChange.Total?)] = [
            (eur(2000), nil), (eur(2000), .init(eur(2001))), (nil, .init(eur(1251))), (eur(2000), .init(eur(0))),
            (eur(2000), .init(Money(minorUnits: 1000, currency: .usd))), (eur(2000), untrue),
            (eur(2000), .init(eur(.max))),
        ]
        for (ceiling, answer) in answers {
            let reader = tapReader(SimulatedReader(try profile("online")))
            let read = await reader.read(request(upTo: ceiling) { _ in answer }).read
            #expect(read?.amount == eur(1250) && signed(read) == eur(1250).numeric, "\(String(describing: answer))")
        }
        // A total below the cash back in it.
        let reader = tapReader(SimulatedReader(try profile("online")))
        var withCash = request { _ in AmountChange.Total(eur(900)) }
        withCash.kind = .cashBack(eur(1000))
        let outcome = await reader.read(withCash)
        if let read = outcome.read { #expect(read.amount == eur(1250)) }
        #expect(withCash.changed(to: .init(eur(900))) == nil && withCash.changed(to: .init(eur(1000))) != nil)
    }

    @Test("an answer that comes late is none; a tap that is cancelled meanwhile ends")
    func lateAndCancelled() async throws {
        let clock = LeapingClock()
        let late = tapReader(SimulatedReader(try profile("online"))) { $0.timer = clock }
        let never = AsyncStream<Void>.makeStream()
        let read = await late.read(
            request(within: .milliseconds(150)) { _ in
                for await _ in never.stream {}
                return AmountChange.Total(eur(1300))
            }
        ).read
        #expect(read?.amount == eur(1250) && signed(read) == eur(1250).numeric)

        // A second stream: the first one ended with the call that was too late.
        let asked = AsyncStream<Void>.makeStream(), silent = AsyncStream<Void>.makeStream()
        let reader = tapReader(SimulatedReader(try profile("online"))) { $0.timer = StillClock() }
        let request = request { _ in
            asked.continuation.yield()
            for await _ in silent.stream {}
            return nil
        }
        let tap = Task { await reader.read(request) }
        for await _ in asked.stream { break }
        await reader.cancel()
        #expect(await tap.value == .cancelled(.requested))
    }

    @Test("a total that the limits do not allow ends the tap, and the limit is that of the card's application")
    func theLimitIsJudgedAgain() async throws {
        let reader = tapReader(SimulatedReader(try profile("online")))
        let outcome = await reader.read(request(upTo: eur(90_000)) { _ in AmountChange.Total(eur(90_000)) })
        guard case .limitExceeded(.transactionLimit(let limit?)) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(limit.currency == .eur && limit.minorUnits <= 90_000)
        // The reader is idle, and the next payment has the amount of its request.
        #expect(await reader.read(PaymentRequest(amount: eur(1250))).read?.amount == eur(1250))
    }

    @Test("a bill that goes with the total is on the receipt; without one the difference is a line")
    func theLinesFollow() async throws {
        let coffee = LineItem("Coffee", minorUnits: 1250), price = LineItem(.item, minorUnits: 1250)
        let before = try Bill([coffee], currency: .eur)
        let after = try Bill([coffee, LineItem("Card fee", minorUnits: 25, kind: .charge)], currency: .eur)
        let fee = LineItem(.charge, minorUnits: 25), less = LineItem(.discount, minorUnits: -250)
        let cases: [(PaymentRequest, AmountChange.Total, [LineItem])] = [
            (PaymentRequest(before), AmountChange.Total(after), after.lines),
            (PaymentRequest(before), AmountChange.Total(eur(1275)), [coffee, fee]),
            (PaymentRequest(before), AmountChange.Total(eur(1000)), [coffee, less]),
            (PaymentRequest(amount: eur(1250)), AmountChange.Total(eur(1275)), [price, fee]),
            (PaymentRequest(amount: eur(1250)), AmountChange.Total(eur(1000)), [price, less]),
            (PaymentRequest(before), AmountChange.Total(eur(1250)), [coffee]),
        ]
        for (request, total, lines) in cases {
            let reader = tapReader(SimulatedReader(try profile("online")))
            var request = request
            request.amountChange = AmountChange(upTo: eur(1275), within: .seconds(30)) { _ in total }
            let result = await reader.charge(request, with: SimulatedAuthorizer())
            #expect(result.read?.amount == total.amount)
            let receipt = try #require(Receipt(result, merchant: Merchant("Shop")))
            #expect(receipt.lines == lines && receipt.total == total.amount)
        }
    }

    @Test("a line that is called by its kind is a text of the receipt's language")
    func lineLabelsAreTexts() throws {
        var receipt = Receipt(
            ReceiptTests.read(), result: .approved, total: eur(1000), merchant: Merchant("Shop"),
            moment: ReceiptTests.moment)
        func labels(_ language: Language, _ texts: TextCatalogue = TextCatalogue()) -> [String] {
            receipt.elements(in: language, texts: texts).compactMap { element -> String? in
                if case .row(let label, _) = element { label } else { nil }
            }
        }
        for kind in LineItem.Kind.allCases {
            for language in Language.builtIn {
                let text = try #require(
                    language.fallbacks.lazy.compactMap { TextCatalogue.builtIn($0)[kind.textKey] }.first)
                receipt.lines = [LineItem(kind, minorUnits: 0)]
                #expect(labels(language).contains(text), "\(kind) \(language)")
            }
        }
        let own = TextKey("shop.guest")
        var texts = TextCatalogue()
        texts[own, .german] = try PromptText("Stammgast")
        receipt.lines = [LineItem(own, minorUnits: -50, kind: .discount), LineItem("Tea", minorUnits: 350)]
        #expect(labels(.german, texts).contains("Stammgast") && labels(.german, texts).contains("Tea"))
        #expect(labels(.german).contains("shop.guest"))
        let coded = try JSONDecoder().decode([LineItem].self, from: JSONEncoder().encode(receipt.lines))
        #expect(coded == receipt.lines)
    }

    @Test("every presentment is asked about anew, from the amount of the request")
    func aSecondTapIsAskedAgain() async throws {
        let asked = Asked()
        let reader = tapReader(SimulatedReader(.seePhone))
        // The first total is never signed, because the phone was locked.
        let request = request { question in
            let number = await asked.ask(question)
            return number == 1 ? AmountChange.Total(eur(1100)) : nil
        }
        let read = await reader.read(request).read
        let questions = await asked.questions
        #expect(questions.count == 2 && questions.allSatisfy { $0.request.amount == eur(1250) })
        #expect(read?.amount == eur(1250) && signed(read) == eur(1250).numeric)
    }

    @Test("a request whose ceiling contradicts it is refused before the field is on")
    func theCeilingIsChecked() {
        func problems(_ change: (inout PaymentRequest) -> Void) -> [Problem.Code] {
            var request = request { _ in nil }
            change(&request)
            return request.validate().map(\.code)
        }
        #expect(problems { _ in } == [])
        #expect(problems { $0.amountChange?.ceiling = eur(1_000_000_000_000) } == [.amountTooLarge])
        #expect(problems { $0.due = eur(1999) } == [.amountAboveDue])
        #expect(problems { $0.due = eur(2000) } == [])
        #expect(
            problems { $0.amountChange?.ceiling = Money(minorUnits: 1, currency: .usd) } == [.currencyConflict])
    }

    @Test("a value equals its copies, not another with the same limits")
    func equality() {
        let one = AmountChange { _ in nil }, other = AmountChange { _ in nil }
        var copy = one
        #expect(one == copy && one.hashValue == copy.hashValue && one != other)
        copy.ceiling = eur(1)
        #expect(one != copy)
    }

    @Test("the product is read from the list of 9F0A, and a damaged list says nothing")
    func products() {
        let cases: [(Bytes, CardProduct)] = [
            ([], .unknown), ([0, 1, 5, 1, 0, 0, 0, 0], .debit), ([0, 1, 1, 2], .credit),
            ([0, 1, 5, 3, 0, 0, 0, 0], .commercial),
            ([0, 1, 5, 4, 0, 0, 0, 0], .prepaid), ([0, 1, 5, 9, 0, 0, 0, 0], .unknown), ([0, 1, 0], .unknown),
            ([0, 2, 1, 1], .unknown), ([0, 2, 2, 1, 1, 0, 1, 1, 2], .credit), ([0, 1, 5, 1, 0], .unknown),
            ([0, 1, 1, 1, 0], .unknown), ([0, 1, 1, 1, 0, 1, 1, 2], .debit),
        ]
        for (bytes, product) in cases { #expect(CardProduct(registered: bytes) == product, "\(bytes)") }
    }

    @Test("the most that is taken is a ceiling above the amount, in its currency")
    func theCeilingIsOfTheAmount() {
        func most(_ ceiling: Money?) -> Money {
            with(PaymentRequest(amount: eur(1000))) {
                $0.amountChange = ceiling.map { AmountChange(upTo: $0) { _ in nil } }
            }.mostAmount
        }
        #expect(most(nil) == eur(1000) && most(eur(1200)) == eur(1200) && most(eur(900)) == eur(1000))
        #expect(most(Money(minorUnits: 1200, currency: Currency(code: "USD")!)) == eur(1000))
    }

    @Test("amounts are n 12")
    func numeric() {
        #expect(eur(0).numeric == [0, 0, 0, 0, 0, 0])
        #expect(eur(123_456_789_012).numeric == [0x12, 0x34, 0x56, 0x78, 0x90, 0x12])
    }
}

private actor Asked {
    private(set) var questions: [AmountChange.Question] = []

    @discardableResult
    func ask(_ question: AmountChange.Question) -> Int {
        questions.append(question)
        return questions.count
    }
}

/// How a journal records a changed amount.
@Suite(.everyJournal) struct JournaledAmountChangeTests {
    private func change(_ total: UInt64, upTo ceiling: UInt64? = nil) -> AmountChange {
        AmountChange(upTo: ceiling.map { eur($0) }, within: .seconds(30)) { _ in AmountChange.Total(eur(total)) }
    }

    @Test("W1 has the ceiling; the change is written with the read, before a request leaves")
    func theChangeIsWritten() async throws {
        for (tap, answer) in [(SimulatedTap.online, "asking"), (.approve, "queued"), (.decline, "answered")] {
            let journal = TestJournal(), watched = WatchedJournal(journal)
            let shop = try await Shop(watched, tap), host = SimulatedAuthorizer()
            let key = ReconciliationKey()
            let outcome = await shop.read(1250) {
                $0.key = key
                $0.amountChange = change(1300, upTo: 1500)
            }
            let read = try #require(outcome.read)
            if tap == .online { _ = await shop.session.authorize(read, with: host) }
            let kept = try #require(await journal.tap(key))
            #expect(kept.intent.amount == eur(1250) && kept.intent.ceiling == eur(1500))
            #expect(kept.amount == eur(1300))
            let appends = await watched.appends.map { $0.map(\.rawValue) }
            #expect(appends.first == ["began"] && appends[1] == ["changed", "read", answer])
        }
    }

    @Test("an unreachable host and a second request: the change is written once")
    func onceOnly() async throws {
        let journal = TestJournal(), watched = WatchedJournal(journal)
        let shop = try await Shop(watched, .online)
        let read = try #require(
            await shop.read(1250) { $0.amountChange = change(1000) }.read)
        #expect(await shop.session.authorize(read, with: SimulatedAuthorizer(.unreachable)).name == .failed)
        let host = SimulatedAuthorizer()
        #expect(await shop.session.authorize(read, with: host).name == .approved)
        #expect(await host.requests.map(\.read.amount) == [eur(1000)])
        #expect(await watched.appends.joined().count { $0 == .changed } == 1)
    }

    @Test("offline limits are checked against what the amount may become")
    func theCeilingCountsOffline() async throws {
        // A tap may be worth at most 200.00 offline.
        for (ceiling, isOffline) in [(20_000, true), (20_001, false)] as [(UInt64, Bool)] {
            let shop = try await Shop(TestJournal(), .approve, offline: OfflinePolicy(limits: .ofTests))
            let read = await shop.read(1250) { $0.amountChange = change(1300, upTo: ceiling) }.read
            #expect((read?.authorization == .approvedOffline) == isOffline)
        }
    }

    @Test("a sale that is paid in parts is not overpaid by a change")
    func theSaleIsNotOverpaid() async throws {
        let journal = TestJournal(), shop = try await Shop(journal, .online), host = SimulatedAuthorizer()
        func part(_ amount: UInt64, _ ceiling: UInt64) async throws -> TapOutcome {
            await shop.read(amount) {
                $0.sale = .order(1)
                $0.due = eur(3000)
                $0.amountChange = change(amount, upTo: ceiling)
            }
        }
        let first = try #require(try await part(1250, 1250).read)
        #expect(await shop.session.authorize(first, with: host).name == .approved)
        #expect(try await part(1000, 1751).problems.map(\.code) == [.amountAboveDue])
        #expect(try await part(1000, 1750).read != nil)
    }
}
