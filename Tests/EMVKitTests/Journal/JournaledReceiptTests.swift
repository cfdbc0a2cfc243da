// SPDX-License-Identifier: Apache-2.0
import EMVSimulator
import Foundation
import Testing
@testable import EMVKernel
@testable import EMVKit
@testable import EMVPOS

/// Receipts created from a journal.
@Suite(.everyJournal, .timeLimit(.minutes(10))) struct JournaledReceiptTests {
    private let merchant = Merchant("Market hall")

    private func settlement(_ journal: any Journal, _ host: any DeliveringAuthorizer) -> Settlement {
        Settlement(journal, with: host, policy: SettlementPolicy(keepsApprovals: true, jitter: 0), timer: StillClock())
    }

    @Test("P10: the journal makes the receipt that the app would have made")
    func theJournalMakesTheSameReceipt() async throws {
        let part = eur(800)
        let cases: [(SimulatedTap, [SimulatedHost.Answer], [SimulatedHost.Fault])] = [
            (.approve, [], []), (.decline, [], []), (.online, [.approve], []), (.online, [.decline("51")], []),
            (.online, [.requestPIN, .approve], []), (.onlinePIN, [.approve], []), (.online, [.approvePart(part)], []),
            (.online, [], [.loseAnswer]), (.online, [], [.unreachable]),
        ]
        for (tap, answers, faults) in cases {
            let label: Comment = "\(tap) \(answers) \(faults)"
            let journal = TestJournal(), host = SimulatedHost()
            await host.answer(answers)
            await host.meet(faults)
            let shop = try await Shop(journal, tap, offline: OfflinePolicy(limits: .ofTests))
            let outcome = await shop.read { $0.acceptsPartialApproval = true }
            let read = try #require(outcome.read, label)
            let result = await shop.session.authorize(read, with: host, pinPad: SimulatedPINPad())
            let key = try #require(read.key)
            let settled = try #require(try await settlement(journal, host).settled(key), label)
            // Details that only the app knows.
            var expected = try #require(Receipt(read, result, merchant: merchant), label)
            expected.configuration = nil
            #expect(Receipt(settled, merchant: merchant) == expected, label)
        }
    }

    @Test("P10: a receipt after a crash has what a receipt must have, and no account number")
    func aCrashLeavesAReceipt() async throws {
        var made = 0
        for (tap, answers) in [
            (SimulatedTap.online, [SimulatedHost.Answer.approve]), (.online, [.requestPIN, .approve]), (.approve, []),
        ] {
            for number in 2...6 {
                let memory = TestJournal(), journal = WatchedJournal(memory, stop: .crashAfter(number))
                let host = SimulatedHost()
                await host.answer(answers)
                let shop = try await Shop(journal, tap, offline: OfflinePolicy(limits: .ofTests))
                let sale = Task {
                    guard let read = await shop.read().read else { return }
                    _ = await shop.session.authorize(read, with: host, pinPad: SimulatedPINPad())
                }
                _ = await either({ await sale.value }, { await journal.crashed() })
                let later = try TestJournal(try await memory.entries())
                let told = try await settlement(later, host).recover()
                let label: Comment = "\(tap) \(answers) \(number)"
                for settled in told {
                    let receipt = try #require(Receipt(settled, merchant: merchant), label)
                    made += 1
                    let text = receipt.text(copy: .merchant)
                    #expect(text.contains("A000000003") && text.contains("************"), label)
                    #expect(receipt.applicationLabel?.isEmpty == false && receipt.card != nil, label)
                    #expect(receipt.total == eur(1250) && receipt.reference == settled.key.rawValue, label)
                    let isApproved = settled.ending.name == .approved
                    #expect([.approved, .approvedOffline].contains(receipt.result) == isApproved, label)
                    #expect((receipt.verification == .onlinePIN) == (isApproved && answers.count == 2), label)
                }
                for entry in try await later.entries() {
                    let json = String(decoding: try JSONEncoder().encode(entry), as: UTF8.self)
                    #expect(!json.contains("4761739001010119"), label)
                }
            }
        }
        #expect(made > 5)
    }

    @Test("P10: an answer that recovery fetched tells of the PIN that was sent")
    func aFetchedAnswerTellsOfThePIN() async throws {
        // The appends are: began; read and asking; challenged; asking. Then the process ends before the answer is
        // written.
        let memory = TestJournal(), journal = WatchedJournal(memory, stop: .crashBefore(5)), host = SimulatedHost()
        await host.answer([.requestPIN, .approve])
        let shop = try await Shop(journal, .online)
        let sale = Task {
            guard let read = await shop.read().read else { return }
            _ = await shop.session.authorize(read, with: host, pinPad: SimulatedPINPad())
        }
        _ = await either({ await sale.value }, { await journal.crashed() })
        let later = try TestJournal(try await memory.entries())
        let told = try await settlement(later, host).recover()
        #expect(told.map(\.ending.name) == [.approved])
        let settled = try #require(told.first)
        let receipt = try #require(Receipt(settled, merchant: merchant))
        #expect(receipt.result == .approved && receipt.verification == .onlinePIN)
    }

    @Test("P10: the bill of a receipt that the app kept stays, and what became of the payment is said")
    func theKeptBillStays() async throws {
        let journal = TestJournal(), host = SimulatedHost()
        await host.meet([.unreachable])
        let shop = try await Shop(journal, .online, offline: OfflinePolicy(limits: .ofTests))
        let payment = try await shop.pay(with: host), settlement = settlement(journal, host)
        let first = try #require(try await settlement.settled(payment.key))
        var kept = try #require(Receipt(first, merchant: merchant))
        #expect(kept.result == .accepted)
        kept.lines = [LineItem("Tea", minorUnits: 1250)]
        kept.terminal = "12345678"
        try await settlement.acknowledge(payment.key, receipt: kept)
        _ = await settlement.forwardNow()
        let settled = try #require(try await settlement.settled(payment.key))
        let receipt = try #require(Receipt(settled, merchant: merchant))
        #expect(receipt.result == .approvedLater && receipt.lines == kept.lines && receipt.terminal == "12345678")
        #expect(receipt.verification == nil)
    }

    @Test("A follow-up has a receipt: its kind, its amount, the card and the reference of its payment")
    func followUpsHaveReceipts() async throws {
        let actions: [(FollowUp.Action, Receipt.Kind, UInt64)] = [
            (.capture(eur(900), tip: nil), .capture, 900), (.increment(eur(500)), .increment, 500),
            (.void, .void, 1_000), (.refund(eur(300)), .refund, 300),
        ]
        for (action, kind, amount) in actions {
            for isKept in [false, true] {
                let journal = TestJournal(), host = SimulatedHost(), settlement = settlement(journal, host)
                let paid = try await Shop(journal, .online).pay(1_000, with: host) {
                    if kind != .refund { $0.terms = .estimated }
                }
                let whole = try #require(try await settlement.settled(paid.key))
                var payment = try #require(Receipt(whole, merchant: merchant))
                payment.terminal = "12345678"
                if isKept { try await settlement.acknowledge(paid.key, receipt: payment) }
                let followUp = FollowUp(action, of: paid.key)
                try await settlement.submit(followUp, moment: noon)
                func receipt() async throws -> Receipt {
                    let settled = try await settlement.settled(followUp.key)
                    return try #require(settled.flatMap { Receipt($0, merchant: merchant) })
                }
                let waiting = try await receipt()
                #expect(waiting.result == .accepted && waiting.kind == kind)
                _ = await settlement.forwardNow()
                let made = try await receipt(), settled = try #require(try await settlement.settled(followUp.key))
                #expect(made.result == .approved && made.kind == kind && made.total == eur(amount))
                #expect(made.reference == followUp.key.rawValue && made.original == paid.key.rawValue)
                #expect(made.card == payment.card && made.card != nil && made.cardSequence == payment.cardSequence)
                #expect(made.applicationIdentifier == payment.applicationIdentifier)
                #expect(made.applicationLabel == payment.applicationLabel)
                #expect(made.terminal == (isKept ? "12345678" : nil))
                // The receipt has no data from the dialogue with the card.
                #expect(made.cryptogram == nil && made.counter == nil && made.verification == nil)
                #expect(made.transactionCounter == nil && made.verificationResults == nil)
                #expect(waiting.updated(by: settled) == made)
                for language in Language.builtIn {
                    let title = try #require(TextCatalogue().text(TextKey("receipt.\(kind)"), in: language)).description
                    let elements = made.elements(in: language)
                    #expect(elements.contains(.centered(title)) && made.html(in: language).contains(title))
                    let total = elements.contains {
                        if case .total(_, eur(amount).text(in: language)) = $0 { true } else { false }
                    }
                    #expect(total && made.message(in: language).contains(paid.key.rawValue))
                    for page in [CodePage.ascii, .pc437, .windows1252] {
                        let lines = made.lines(.columns32, in: language, codePage: page)
                        #expect(lines.allSatisfy { DisplayWidth.columns($0) <= 32 && !$0.contains("?") }, "\(lines)")
                    }
                }
                let decoded = try JSONDecoder().decode(Receipt.self, from: JSONEncoder().encode(made))
                #expect(decoded == made)
            }
        }
    }

    @Test("A capture with a tip shows it")
    func aTipIsShown() async throws {
        let journal = TestJournal(), host = SimulatedHost(), settlement = settlement(journal, host)
        let paid = try await Shop(journal, .online).pay(1_000, with: host) { $0.terms = .estimated }
        let capture = FollowUp(.capture(eur(900), tip: eur(100)), of: paid.key)
        try await settlement.submit(capture, moment: noon)
        let settled = try #require(try await settlement.settled(capture.key))
        let receipt = try #require(Receipt(settled, merchant: merchant))
        #expect(receipt.lines == [LineItem(.item, minorUnits: 800), LineItem(.tip, minorUnits: 100)])
        #expect(receipt.text(in: .german).contains("Trinkgeld"))
    }

    @Test("A follow-up that the host refuses says so, and what it means for the customer's money")
    func refusedFollowUpsHaveReceipts() async throws {
        let journal = TestJournal(), host = SimulatedHost(), settlement = settlement(journal, host)
        let shop = try await Shop(journal, .online)
        for (action, text) in [(FollowUp.Action.refund(eur(300)), "Nothing refunded"), (.void, nil)] {
            let followUp = FollowUp(action, of: try await shop.pay(1_000, with: host).key)
            try await settlement.submit(followUp, moment: noon)
            let settled = try #require(try await settlement.settled(followUp.key))
            let waiting = try #require(Receipt(settled, merchant: merchant))
            await host.answer(.refused(Decline(reason: .issuer, responseCode: "05")), to: followUp.key)
            _ = await settlement.forwardNow()
            let refused = try #require(try await settlement.settled(followUp.key))
            let receipt = try #require(Receipt(refused, merchant: merchant))
            #expect(receipt.result == .declined && waiting.updated(by: refused) == receipt)
            let said = receipt.text()
            #expect(said.contains("Nothing refunded") == (text != nil) && !said.contains("Nothing charged"))
        }
    }

    @Test("P10: a journal of an earlier version is read, and its receipts have what it kept")
    func anOlderJournalIsRead() throws {
        let stored = StoredRead(ReceiptTests.read())
        let whole = try JSONEncoder().encode(stored)
        #expect(try JSONDecoder().decode(StoredRead.self, from: whole) == stored)
        var members = try #require(try JSONSerialization.jsonObject(with: whole) as? [String: Any])
        #expect(members["application"] != nil)
        members["application"] = nil
        let older = try JSONDecoder().decode(
            StoredRead.self, from: JSONSerialization.data(withJSONObject: members))
        #expect(older.application == nil && older.clearRecord == stored.clearRecord)
    }

    @Test("P10: an identifier that holds the account number is neither kept nor printed")
    func noIdentifierHoldsTheAccount() throws {
        var outcome = ReceiptTests.read().outcome
        let account = try #require(Hex.bytes(ReceiptTests.pan))
        outcome.applicationName = [0xA0, 0, 0, 0, 3, 0x10, 0x10] + account
        let read = CardRead(authorization: .onlineRequired, outcome: outcome)
        #expect(StoredRead(read).application?.identifier == [])
        let receipt = Receipt(
            read, result: .approved, total: eur(1), merchant: merchant, moment: ReceiptTests.moment)
        #expect(receipt.applicationIdentifier.isEmpty && !receipt.text().contains(ReceiptTests.pan))
        #expect(StoredRead(ReceiptTests.read()).application?.identifier == [0xA0, 0, 0, 0, 3, 0x10, 0x10])
    }
}
