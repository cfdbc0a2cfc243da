// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// TapDemo as a person meets it: typed in and read from a real terminal.
@Suite(.serialized, .timeLimit(.minutes(5))) struct PointOfSaleTests {
    private static let program: URL = {
        // Next to the test bundle; on macOS the test runner is elsewhere and names the bundle.
        let words = CommandLine.arguments
        var place = URL(fileURLWithPath: words[0])
        if let index = words.firstIndex(of: "--test-bundle-path"), words.indices.contains(index + 1) {
            place = URL(fileURLWithPath: words[index + 1])
            while place.pathExtension != "xctest" && place.path != "/" { place.deleteLastPathComponent() }
        }
        return place.deletingLastPathComponent().appendingPathComponent("TapDemo")
    }()

    private func open(_ arguments: String...) throws -> PseudoTerminal {
        let terminal = try PseudoTerminal(PointOfSaleTests.program, arguments)
        let lines = try #require(terminal.wait(for: "Amount in EUR"))
        #expect(lines[0] == "Market hall, via Pay Desk")
        return terminal
    }

    /// Types amount and card; the screen must show the invitation before the card is there.
    private func tap(
        _ terminal: PseudoTerminal, _ amount: String, _ card: String, invitation: String = "Card, phone or watch here"
    ) throws {
        let start = terminal.lineCount
        terminal.type(amount)
        try #require(terminal.wait(for: invitation, after: start) != nil, "\(terminal.lines)")
        try #require(terminal.wait(for: "Card (?", after: start) != nil)
        terminal.type(card)
    }

    private func quit(_ terminal: PseudoTerminal) throws {
        try #require(terminal.wait(for: "Amount in EUR", after: terminal.lineCount) != nil)
        terminal.type("q")
        #expect(terminal.ended() == 0)
        #expect(!terminal.seen.contains("4111111111111111"))
    }

    @Test func aSaleIsApprovedAndPrinted() throws {
        let terminal = try open()
        try tap(terminal, "12,50", "card")
        let lines = try #require(terminal.wait(for: "ARQC"), "\(terminal.lines)")
        #expect(terminal.seen.contains("Authorisation in progress"))
        #expect(lines.contains { $0.contains("✔ Approved") })
        try #require(terminal.wait(for: "Amount in EUR", after: lines.count - 1) != nil)
        let receipt = terminal.lines
        #expect(receipt.contains("Total                          12.50 EUR"))
        #expect(receipt.contains("Card                    ************1111"))
        #expect(receipt.contains("AID                       A0000000031010"))
        #expect(receipt.contains("Authorisation code                729114"))
        #expect(receipt.contains("                Approved"))
        #expect(receipt.contains { $0.contains("Card, phone or watch here   12.50\u{A0}EUR") })
        try quit(terminal)
    }

    @Test("L42: what a killed POS left open is settled at the next start")
    func whatAKilledPOSLeftOpenIsSettledAtTheNextStart() throws {
        let directory = FileManager.default.temporaryDirectory.appendingPathComponent("tapdemo-\(UUID())")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        let journal = directory.appendingPathComponent("journal").path
        let first = try open("--journal", journal)
        try tap(first, "12,50", "card")
        try #require(first.wait(for: "Authorisation in progress") != nil, "\(first.lines)")
        first.kill()
        let second = try open("--journal", journal)
        #expect(second.lines.contains { $0.contains("Left open: 12.50 EUR notCompleted") }, "\(second.lines)")
        try tap(second, "7", "card")
        try #require(second.wait(for: "ARQC") != nil, "\(second.lines)")
        try quit(second)
        // Acknowledged: nothing is reported again.
        let third = try open("--journal", journal)
        #expect(!third.lines.contains { $0.contains("Left open") }, "\(third.lines)")
        try quit(third)
    }

    @Test func aDeclineKeepsTheBanksReasonAndOffersWaysOut() throws {
        let terminal = try open()
        try tap(terminal, "20", "decline")
        try #require(terminal.wait(for: "Choice") != nil, "\(terminal.lines)")
        #expect(terminal.lines.contains("✘ Payment declined"))
        #expect(terminal.lines.contains("  1 Use another card"))
        #expect(terminal.lines.contains("                Declined"))
        #expect(!terminal.seen.contains("nsufficient"))
        #expect(!terminal.seen.contains("Response code"))
        terminal.type("1")
        try #require(terminal.wait(for: "Card (?", after: terminal.lineCount) != nil)
        terminal.type("card")
        try #require(terminal.wait(for: "✔ Approved") != nil, "\(terminal.lines)")
        try quit(terminal)
    }

    @Test func anAmountAboveTheLimitAsksForTheChip() throws {
        let terminal = try open()
        // Networks have their own limits, so a card is requested; this one's is 300.00.
        try tap(terminal, "300.01", "card")
        try #require(terminal.wait(for: "Choice") != nil, "\(terminal.lines)")
        #expect(terminal.lines.contains("✘ Insert or swipe card"))
        #expect(terminal.lines.contains("  Amount above contactless limit"))
        terminal.type("3")
        try #require(terminal.wait(for: "Cash: 300.01\u{A0}EUR") != nil, "\(terminal.lines)")
        try quit(terminal)
    }

    @Test func aPINIsAskedForAndNeverShown() throws {
        let terminal = try open()
        try tap(terminal, "60", "pin")
        try #require(terminal.wait(for: "PIN (Enter: cancel):") != nil, "\(terminal.lines)")
        try #require(terminal.wait(for: "Enter PIN") != nil, "\(terminal.lines)")
        terminal.type("1234")
        try #require(terminal.wait(for: "✔ Approved") != nil, "\(terminal.lines)")
        try #require(terminal.wait(for: "Verification", "PIN") != nil)
        #expect(!terminal.seen.contains("1234\n"))
        #expect(!terminal.seen.contains("cancel): 1"))
        try quit(terminal)
    }

    @Test func aBankThatWantsAPINIsAskedAgainWithIt() throws {
        let terminal = try open()
        try tap(terminal, "20", "sca")
        try #require(terminal.wait(for: "PIN (Enter: cancel):") != nil, "\(terminal.lines)")
        terminal.type("9999")
        var start = terminal.lineCount
        try #require(terminal.wait(for: "PIN (Enter: cancel):", after: start) != nil, "\(terminal.lines)")
        start = terminal.lineCount
        terminal.type("1234")
        try #require(terminal.wait(for: "✔ Approved", after: start) != nil, "\(terminal.lines)")
        try quit(terminal)
    }

    @Test func anUnreadableCardIsSaidToBeSo() throws {
        let terminal = try open()
        try tap(terminal, "5", "unreadable")
        try #require(terminal.wait(for: "Choice") != nil, "\(terminal.lines)")
        #expect(terminal.lines.contains("✘ Payment not completed"))
        #expect(terminal.lines.contains("  No answer from card"))
        terminal.type("1")
        try #require(terminal.wait(for: "Card (?", after: terminal.lineCount) != nil)
        terminal.type("card")
        try #require(terminal.wait(for: "✔ Approved") != nil, "\(terminal.lines)")
        try quit(terminal)
    }

    @Test func aLostAnswerIsReversedAndTheReceiptSaysSo() throws {
        let terminal = try open()
        try tap(terminal, "5", "lost")
        try #require(terminal.wait(for: "Choice") != nil, "\(terminal.lines)")
        #expect(terminal.lines.contains("  Answer of payment provider lost"))
        for text in ["Not completed", "Nothing charged"] {
            #expect(terminal.lines.contains { $0.contains(text) }, "\(text)")
        }
        terminal.type("")
        try quit(terminal)
    }

    @Test func aCancelledTapLeavesThePOSAsItWas() throws {
        let terminal = try open()
        try tap(terminal, "5", "c")
        try #require(terminal.wait(for: "Choice") != nil, "\(terminal.lines)")
        #expect(terminal.lines.contains("  Payment cancelled"))
        terminal.type("1")
        try #require(terminal.wait(for: "Card (?", after: terminal.lineCount) != nil)
        terminal.type("phone")
        try #require(terminal.wait(for: "✔ Approved") != nil, "\(terminal.lines)")
        try quit(terminal)
    }

    @Test func wrongAmountsAreExplained() throws {
        let terminal = try open()
        terminal.type("twelve")
        try #require(terminal.wait(for: "12.50, for example") != nil)
        terminal.type("0")
        try #require(terminal.wait(for: "Amount of zero not allowed") != nil, "\(terminal.lines)")
        try quit(terminal)
    }

    @Test func itSpeaksTheLanguageOfThePOS() throws {
        let terminal = try open("--language", "de", "--columns", "32")
        try tap(terminal, "1.234,50", "card", invitation: "Karte vorhalten   1.234,50\u{A0}EUR")
        try #require(terminal.wait(for: "Choice") != nil, "\(terminal.lines)")
        #expect(terminal.lines.contains("✘ Karte einstecken oder durchziehen"))
        #expect(terminal.lines.contains("  Betrag über der Kontaktlos-Grenze"))
        terminal.type("")
        try tap(terminal, "5", "foreign", invitation: "Karte vorhalten   5,00\u{A0}EUR")
        try #require(terminal.wait(for: "Choice", after: terminal.lineCount) != nil, "\(terminal.lines)")
        #expect(terminal.lines.contains("  Kartennetz nicht akzeptiert"))
        terminal.type("")
        try quit(terminal)
    }
}
