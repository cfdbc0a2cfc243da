// SPDX-License-Identifier: Apache-2.0
import EMVKit
import EMVSimulator
import TestWaiting
import Testing

@testable import EMVLoyalty

#if Loyalty
extension TapOutcome {
    fileprivate var read: CardRead? { if case .success(let read) = self { read } else { nil } }
}

/// Row Y15: a price that depends on the pass, before the kernel's first command.
@Suite struct PriceTests {
    private static let club = programme("club", VASVectors.passType)
    private static let points = collector("points", SmartTapVectors.collector)
    private static let wallets: [any HandMadeWallet] = [PassTypeWallet.withPass, CollectorWallet()]

    private func eur(_ amount: UInt64) -> Money { Money(minorUnits: amount, currency: .eur) }

    private func context() throws -> LoyaltyContext {
        var keys = LoyaltyKeys()
        try keys.add(SecretBytes(VASVectors.privateKey), for: Self.club)
        try keys.add(SecretBytes(SmartTapVectors.longTermKey), for: Self.points)
        return LoyaltyContext(passKeys: keys, signer: keys, freshness: .unsafeUnlimited)
    }

    private func request() throws -> LoyaltyRequest { try LoyaltyRequest([Self.club, Self.points]) }

    /// The price for members, whose number is in the pass.
    private func price(_ total: AmountChange.Total?) -> LoyaltyPrice {
        { passes in
            let values = passes.entries.compactMap { if case .read(let value) = $0.outcome { value.text } else { nil } }
            return [VASVectors.message, "1234567890"].contains(values.first) ? total : nil
        }
    }

    /// An amount in the cards' format, n 12.
    private func numeric(_ amount: UInt64) -> Bytes {
        let digits = String(amount)
        return Hex.bytes(String(repeating: "0", count: 12 - digits.count) + digits)!
    }

    private func contains(_ commands: [Bytes], _ amount: UInt64) -> Bool {
        let bytes = numeric(amount)
        return commands.contains { command in
            command.indices.contains { command[$0...].starts(with: bytes) }
        }
    }

    private struct Case {
        let total: AmountChange.Total?
        var ceiling: UInt64?
        /// The amount paid.
        let paid: UInt64
    }

    private static let cases = [
        Case(total: .init(Money(minorUnits: 1000, currency: .eur)), paid: 1000),
        Case(total: .init(Money(minorUnits: 1250, currency: .eur)), paid: 1250),
        Case(total: nil, paid: 1250),
        Case(total: .init(Money(minorUnits: 1251, currency: .eur)), paid: 1250),
        Case(total: .init(Money(minorUnits: 1300, currency: .eur)), ceiling: 1300, paid: 1300),
        Case(total: .init(Money(minorUnits: 1301, currency: .eur)), ceiling: 1300, paid: 1250),
        Case(total: .init(Money(minorUnits: 0, currency: .eur)), ceiling: 1300, paid: 1250),
        Case(total: .init(Money(minorUnits: 1000, currency: .usd)), ceiling: 1300, paid: 1250),
    ]

    /// Lower, equal, higher with and without a ceiling, another currency: the amount on the card, at the host, on the
    /// receipt and in the journal.
    @Test(arguments: Self.cases.indices, Self.wallets.indices)
    func aTotalHoldsWhereAChangeWould(_ number: Int, _ wallet: Int) async throws {
        let one = Self.cases[number]
        let recorder = TapRecorder(Phone(Self.wallets[wallet])), host = SimulatedAuthorizer(), journal = MemoryJournal()
        let reader = reader(recorder) { $0.journal = journal }
        var payment = payment()
        if let ceiling = one.ceiling { payment.amountChange = AmountChange(upTo: eur(ceiling)) }
        let (charge, passes) = await reader.charge(
            payment, loyalty: try request(), .andPayment, context: try context(), price: price(one.total), with: host)
        #expect(passes.hasPass && charge?.name == .approved)
        let read = try #require(charge?.read)
        #expect(read.amount == eur(one.paid) && read.dataRecord[0x9F02] == numeric(one.paid))
        let commands = await recorder.paymentCommands
        #expect(contains(commands, one.paid))
        #expect(one.paid == 1250 || !contains(commands, 1250))
        #expect(await host.requests.map(\.read.amount) == [eur(one.paid)])
        let receipt = try #require(charge.flatMap { Receipt($0, merchant: Merchant("Shop")) })
        #expect(receipt.total == eur(one.paid))
        let change = LineItem(one.paid < 1250 ? .discount : .charge, minorUnits: Int64(one.paid) - 1250)
        #expect(receipt.lines == (one.paid == 1250 ? [] : [LineItem(.item, minorUnits: 1250), change]))
        let key = try #require(payment.key), entries = try await journal.entries(after: 0)
        let kept = try #require(await journal.tap(key))
        #expect(kept.intent.amount == eur(1250) && kept.intent.ceiling == one.ceiling.map(eur))
        #expect(kept.amount == eur(one.paid))
        let names = entries.map(\.event.name).prefix { $0 != .erased }
        let changed: [JournalEvent.Name] = one.paid == 1250 ? [] : [.changed]
        #expect(Array(names.prefix(3 + changed.count)) == [.began] + changed + [.read, .asking], "\(names)")
    }

    /// The display shows it before the kernel's first command.
    @Test func theDisplayShowsTheTotalFirst() async throws {
        let gate = Latch(), recorder = TapRecorder(Phone(PassTypeWallet.withPass))
        let reader = reader(GatedReader(recorder, gate) { !TapRecorder.isOfWallet($0) })
        let events = reader.events()
        let shown = Task {
            var shown: [Money] = []
            for await event in events {
                if case .prompt(let prompt) = event, let total = prompt.total { shown.append(total) }
                if shown.count == 2 { break }
            }
            return shown
        }
        let context = try context(), request = try request(), price = price(.init(eur(1000)))
        let call = Task {
            await reader.read(payment(), loyalty: request, .andPayment, with: context, price: price)
        }
        try await waitUntil("the kernel's first command") { await gate.count == 1 }
        #expect(await shown.value == [eur(1250), eur(1000)])
        await gate.open()
        #expect(await call.value.payment?.name == .success)
    }

    /// An answer that does not arrive during the dialogue is ignored, and so is a later one.
    @Test func aSlowPriceLeavesTheAmount() async throws {
        let recorder = TapRecorder(Phone(PassTypeWallet.withPass)), gate = Latch(), clock = SimulatedClock()
        let reader = reader(recorder) { $0.timer = clock }
        let context = try context(), request = try request(), lower = AmountChange.Total(eur(1000))
        let call = Task {
            await reader.read(payment(), loyalty: request, .andPayment, with: context) { _ in
                await gate.pass()
                return lower
            }
        }
        try await waitUntil("the price to be asked for") { await gate.count > 0 }
        #expect(await recorder.paymentCommands.isEmpty)
        await clock.advance(by: .milliseconds(300))
        let (outcome, passes) = await call.value
        await gate.open()
        #expect(outcome?.read?.amount == eur(1250) && passes.hasPass)
        let commands = await recorder.paymentCommands
        #expect(contains(commands, 1250))
    }

    /// Without a pass, and if a pass replaces the payment, the price is not requested.
    @Test func aPriceIsAskedForOnlyWithAPassBeforeAPayment() async throws {
        for (wallet, rule) in [
            (PassTypeWallet(0x6A83), .andPayment), (NoWallet(), .andPayment),
            (PassTypeWallet(0x6A83), .insteadOfPayment),
            (PassTypeWallet.withPass, .insteadOfPayment),
        ] as [(any HandMadeWallet, LoyaltyRule)] {
            let asked = Mutexed(0)
            let lower = AmountChange.Total(eur(1000))
            let (outcome, _) = await reader(TapRecorder(Phone(wallet))).read(
                payment(), loyalty: try request(), rule, with: try context()
            ) { _ in
                await asked.set(1)
                return lower
            }
            #expect(await asked.value == 0)
            if let outcome { #expect(outcome.read?.amount == eur(1250)) }
        }
    }

    /// A phone that is not ready to pay is removed first, and receives the new total.
    @Test func theTotalHoldsForThePresentmentThatFollows() async throws {
        let recorder = TapRecorder(Phone(CollectorWallet(status: [0x91, 0x01])))
        let (outcome, _) = await reader(recorder).read(
            payment(), loyalty: try request(), .andPayment, with: try context(), price: price(.init(eur(1000))))
        #expect(outcome?.read?.amount == eur(1000))
        #expect(await recorder.log[5...].starts(with: ["removal", "poll"]))
        let commands = await recorder.paymentCommands
        #expect(contains(commands, 1000) && !contains(commands, 1250))
    }
}
#endif
