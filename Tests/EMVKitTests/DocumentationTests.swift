// SPDX-License-Identifier: Apache-2.0
import EMVKit
import EMVSimulator
import Foundation
import TestData
import Testing

/// Snippets in the documentation compile, because each is an excerpt of DocumentationSnippets.swift, and the tests here
/// run them.
@Suite struct DocumentationTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
        "../.."
    ).standardizedFileURL

    /// Each article of EMVKit, and README.
    private static func articles() throws -> [URL] {
        let folder = root.appendingPathComponent("Sources/EMVKit/EMVKit.docc")
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        return files.filter { $0.pathExtension == "md" } + [root.appendingPathComponent("README.md")]
    }

    /// Every article of every product, and README.
    private static func allArticles() throws -> [URL] {
        let sources = root.appendingPathComponent("Sources")
        let files = FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil)
        let articles = (files?.compactMap { $0 as? URL } ?? []).filter {
            $0.pathExtension == "md" && $0.deletingLastPathComponent().pathExtension == "docc"
        }
        return articles + [root.appendingPathComponent("README.md")]
    }

    /// The file of the tests that compiles the snippets which begin with "```swift" and this word.
    private static let compiledBy = [
        "": "Tests/EMVKitTests/DocumentationSnippets.swift",
        "loyalty": "Tests/LoyaltyTests/PassesArticle.swift",
        "kernel8": "Tests/SecureChannelTests/DocumentationTests.swift",
        "sealing": "Tests/SealingTests/SealerTests.swift",
        "journal": "Tests/JournalTests/Support.swift",
    ]

    /// Code without white space and imports, so that a snippet may break its lines differently.
    private static func plain(_ lines: [String]) -> String {
        lines.filter { !$0.hasPrefix("import ") }.joined().filter { !$0.isWhitespace }
    }

    /// The snippets of an article, each with the word after "```swift".
    private static func snippets(_ text: String) -> [(word: String, code: String)] {
        var snippets: [(String, String)] = []
        var current: (word: String, lines: [String])?
        for line in text.components(separatedBy: "\n") {
            if let open = current {
                if line == "```" {
                    snippets.append((open.word, plain(open.lines)))
                    current = nil
                } else {
                    current?.lines.append(line)
                }
            } else if line == "```swift" || line.hasPrefix("```swift ") {
                current = (String(line.dropFirst(9)), [])
            }
        }
        return snippets
    }

    @Test("L42: every snippet of an article is compiled code of the tests")
    func everySnippetIsCompiled() throws {
        let compiled = try DocumentationTests.compiledBy.mapValues { path in
            let file = DocumentationTests.root.appendingPathComponent(path)
            return DocumentationTests.plain(
                try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n"))
        }
        var words: [String: Int] = [:]
        for article in try DocumentationTests.allArticles() {
            for (word, code) in DocumentationTests.snippets(try String(contentsOf: article, encoding: .utf8)) {
                words[word, default: 0] += 1
                // A part of a manifest, which the packages of Examples show whole.
                if word == "manifest" { continue }
                let text = compiled[word, default: ""]
                #expect(!code.isEmpty && text.contains(code), "\(article.lastPathComponent), \(word): \(code)")
            }
        }
        #expect(Set(words.keys) == Set(compiled.keys).union(["manifest"]) && words["", default: 0] >= 24)
    }

    @Test func thereIsAnArticleForEveryTaskAndEachIsLinked() throws {
        let names = Set(try DocumentationTests.articles().map { $0.deletingPathExtension().lastPathComponent })
        let main = try String(
            contentsOf: DocumentationTests.root.appendingPathComponent("Sources/EMVKit/EMVKit.docc/EMVKit.md"),
            encoding: .utf8)
        for task in [
            "FirstTap", "ADayAtATill", "OwnTransport", "TestingWithoutHardware", "ShowingResults", "PINAndSCA",
            "NothingIsLost",
            "ChangingTheTotal", "ConfiguringAReader", "FieldsForAHost", "FleetMetrics", "AccountDataInMemory",
        ] {
            #expect(names.contains(task))
            #expect(main.contains("<doc:\(task)>"))
        }
    }

    @Test func whatTheProjectIsNotIsSaid() throws {
        for file in ["README.md", "Sources/EMVKit/EMVKit.docc/EMVKit.md"] {
            let text = try String(contentsOf: DocumentationTests.root.appendingPathComponent(file), encoding: .utf8)
            for word in ["EMVCo Level 2", "PCI P2PE", "SRED", "MPoC", "PCI DSS"] {
                #expect(text.contains(word), "\(file): \(word)")
            }
        }
    }

    @Test func theFirstTapIsReadAndWhatFollowsIsNamed() async throws {
        let outcome = try await takePayment()
        #expect(whatNext(outcome) == "ask the issuer")
        #expect(whatNext(.limitExceeded(.zeroAmount)) == "offer Correct the amount")
        let reader = TapReader(SimulatedReader(.online), configuration: .simulator())
        #expect(await sell(reader, to: SimulatedAuthorizer()).name == .approved)
        #expect(await askTheIssuer(reader, SimulatedAuthorizer())?.name == .approved)
        #expect(await whatIsMissing(reader).contains("Testschlüssel in der Konfiguration"))
    }

    @Test("A shop's tip, refund, result and receipt are as the articles say")
    func aShopSellsAsTheArticlesSay() async throws {
        let reader = ourReader(SimulatedReader(.online), .simulator())
        let price = try #require(typedAmount("3,40"))
        let choice = try #require(SuggestedAmounts(percentages: [10], of: price).choices.dropFirst().first)
        let request = try withTip(price, choice)
        #expect(request.amount == Money(minorUnits: 374, currency: .eur))
        let texts = TextCatalogue(language: .portuguese)
        let result = await reader.charge(request, with: SimulatedAuthorizer())
        #expect(lines(result, of: request, texts) == ["Aprovado"])
        #expect(receipt(result)?.contains("Gorjeta") == true && receipt(result)?.contains("Tip") == false)
        #expect(await refund(price, reader, SimulatedAuthorizer()).name == .approved)
        #expect(await refund(price, reader, SimulatedAuthorizer(.decline("51"))).name == .declined)
    }

    @Test("A day at the till of the article: every booking of the host is in its totals, and each ending is answered")
    func aDayAtTheTillAddsUp() async throws {
        let host = SimulatedHost(), cards = SimulatedReader(.online)
        let till = MarketTill(cards, host, marketLimits())
        #expect(try await till.open().isEmpty)
        let sale = try await till.sell(12_50, order: "order-1")
        #expect(whatTheCashierDoes(sale) == "hand over the goods" && sale.sale == .paid)
        #expect(whatTheCashierDoes(try await till.sell(12_50, order: "order-1")).hasSuffix("already paid"))
        await host.answer([.approvePart(Money(minorUnits: 4_00, currency: .eur))])
        #expect(whatTheCashierDoes(try await till.sell(10_00, order: "order-2")) == "take the rest by another means")
        await host.answer([.decline("51")])
        #expect(whatTheCashierDoes(try await till.sell(7_00, order: "order-3")) == "offer another card or cash")
        // Neither the answer nor the reversal arrives; later the host is there again.
        await host.meetAlways(.loseAnswer)
        let lost = try await till.sell(9_00, order: "order-4")
        guard case .unknown(let key, _) = lost.ending else { Issue.record("\(lost.name)"); return }
        await host.calm()
        let settled = try #require(try await till.lookUp(key))
        #expect(settled.ending == .notCompleted && settled.effect == .nothingBooked)
        let paid = try #require(sale.read?.key)
        #expect(try await till.refund(2_50, of: paid)?.contains("2.50") == true)
        await #expect(throws: JournalError.followUpRefused(.abovePaid, of: paid)) {
            _ = try await till.refund(10_01, of: paid)
        }
        let second = try #require(try await till.sell(3_00, order: "order-5").read?.key)
        #expect(try await till.void(second) != nil)
        let tab = try #require(try await till.openTab(30_00))
        #expect(try await till.closeTab(tab, total: 38_00, tip: 3_00, rounds: 5_00)?.contains("38.00") == true)
        try await till.acceptDollars()
        let day = try await till.closeDay(after: 0, host: await host.booked)
        #expect(try await till.journal.totals().differences(from: await host.booked) == [])
        #expect(day.net == 12_50 + 4_00 - 2_50 + 38_00 && day.open == 0)
        #expect(try await till.closeDay(after: day.next, host: await host.booked).net == 0)
    }

    private struct SimulatedDriver: Driver {
        let reader = SimulatedReader(CardProfile.named("online")!)
        func connect() async -> Bool { true }
        func poll(for milliseconds: Int) async -> Int? {
            await reader.waitForCard(Poll(timeout: .milliseconds(milliseconds))) == .card ? 1 : 0
        }
        func send(_ command: [UInt8]) async -> [UInt8]? {
            if case .response(let bytes, _) = await reader.transceive(command) { bytes } else { nil }
        }
        func field(on: Bool) async { if !on { await reader.fieldOff() } }
    }

    @Test func theTransportOfTheArticleTakesACard() async throws {
        let reader = TapReader(DriverTransport(SimulatedDriver()), configuration: .simulator())
        #expect(await reader.read(PaymentRequest(amount: Money(minorUnits: 500, currency: .eur))).name == .success)
    }

    @Test(.timeLimit(.minutes(30))) func theSimulatorDoesWhatTheArticleSays() async throws {
        #expect(try await everyOutcome() == SimulatedTap.allCases.map(\.expected))
        #expect(try await aLostAnswerIsReversed())
        let (reader, issuer) = demonstration()
        #expect(await reader.read(PaymentRequest(amount: Money(minorUnits: 4003, currency: .eur))).name == .declined)
        let session = try await reader.prepare()
        guard
            case .success(let read) = await session.read(
                PaymentRequest(amount: Money(minorUnits: 4151, currency: .eur)))
        else {
            Issue.record("not read")
            return
        }
        #expect(
            await session.authorize(read, with: issuer)
                == .declined(Decline(reason: .insufficientFunds, responseCode: "51")))
    }

    @Test func resultsAreShownAsTheArticleSays() async throws {
        #expect(
            lines(.limitExceeded(.transactionLimit(nil)), TextCatalogue()).prefix(2) == [
                "Insert or swipe card", "Amount above contactless limit",
            ])
        #expect(try ownTexts().text(.message(.presentCard))?.description == "Carte, téléphone ou montre ici")
        #expect(try issuesOfOurTexts() == [])
        #expect(try bill().validate() == [] && bill().amount.minorUnits == 300)
        let reader = TapReader(SimulatedReader(.online), configuration: .simulator())
        let session = try await reader.prepare()
        guard case .success(let read) = await session.read(try bill()) else { Issue.record("not read"); return }
        let result = await session.authorize(read, with: SimulatedAuthorizer())
        #expect(receipt(read, result)?.contains("Approved") == true)
    }

    @Test("L42: the article's shop sells once, and has nothing left to settle")
    func aShopOpensAsTheArticleSays() async throws {
        let journal = MemoryJournal(), host = SimulatedHost()
        let (session, settlement) = try await openTheShop(
            SimulatedReader(.online), journal, SimulatedSealer(), host)
        #expect(try await sellOnce(session, settlement, host))
        #expect(try await sellOnce(session, settlement, host), "the order is paid, by the first call")
        #expect(await journal.standing().isSettled)
        #expect(await host.booked.count == 1)
    }

    @Test func aPINIsCollectedAsTheArticleSays() async throws {
        let reader = TapReader(
            SimulatedReader(.onlinePIN), configuration: .simulator(), options: with(.init()) { $0.hasPINPad = true })
        let session = try await reader.prepare()
        guard case .onlinePINRequired(let read) = await session.read(try bill()) else { Issue.record("no PIN"); return }
        let issuer = SimulatedAuthorizer(.requestPIN(times: 1))
        #expect(await authorizeWithPIN(session, read, issuer, blind: true).name == .approved)
        #expect(await issuer.requests.allSatisfy { $0.pin != nil })

        let other = try await TapReader(SimulatedReader(.online), configuration: .simulator()).prepare()
        guard case .success(let second) = await other.read(try bill()) else { Issue.record("not read"); return }
        #expect(await authorizeByHand(other, second, SimulatedAuthorizer(.requestPIN(times: 1))).name == .approved)

        let without = TapReader(SimulatedReader(.onlinePIN), configuration: .simulator())
        #expect(withoutPINPad(await without.read(try bill()))?.hasPrefix("payment link for ") == true)
    }
}
