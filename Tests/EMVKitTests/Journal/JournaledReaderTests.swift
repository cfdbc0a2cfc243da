// SPDX-License-Identifier: Apache-2.0
import EMVSimulator
import Foundation
import TestData
import TestWaiting
import Testing
@testable import EMVKernel
@testable import EMVKit
@testable import EMVPOS

/// The events that a reader writes, their order, and its behaviour if it cannot write.
@Suite(.everyJournal, .timeLimit(.minutes(30))) struct JournaledReaderTests {
    @Test(
        "L3, L43: events come in the order of the table, each before its effect is seen, none while a card is there",
        arguments: SimulatedTap.allCases)
    func eventsComeFirst(_ tap: SimulatedTap) async throws {
        for answer in OrderChecks.answers { #expect(try await OrderChecks.order(tap, answer) == []) }
    }

    // MARK: L4

    @Test("L4: fail the n-th append: nothing is approved that nobody would remember")
    func aFailingJournalApprovesNothing() async throws {
        for tap in [SimulatedTap.approve, .online, .onlinePIN, .decline, .noCard, .readerLost] {
            for answer in OrderChecks.answers {
                for number in 1...7 { #expect(try await OrderChecks.failing(tap, answer, number) == []) }
            }
        }
    }

    @Test("L4: a journal that fails at the answer lets recovery reverse what the reader has reversed")
    func theDiskStillSaysAsking() async throws {
        let memory = TestJournal()
        let journal = WatchedJournal(memory, stop: .fail(3))
        let host = SimulatedHost()
        let payment = try await Shop(journal, .online).pay(with: host)
        #expect(payment.result == .reversed([JournalError.unavailable("test").problem]))
        #expect(await host.reversals.map(\.reason) == [.notJournaled])
        #expect(await memory.tap(payment.key)?.state == .reversed)
    }

    // MARK: L1

    @Test("P1: an order that is paid, or may be, is never shown as not paid")
    func aPaidOrderIsShownAsPaid() async throws {
        let journal = TestJournal(), host = SimulatedHost()
        let shop = try await Shop(journal, .online)
        var order = PaymentRequest(amount: eur(1250), timeout: .seconds(1))
        order.sale = .order(1)
        let paid = await shop.reader.charge(order, with: host)
        #expect(paid.name == .approved && paid.effect == .booked && paid.sale == .paid)
        let again = await shop.reader.charge(order, with: host)
        #expect(again.ending == .saleSettled(.order(1)) && again.effect == .nothingSent && again.sale == .paid)
        let shown = Presentation(again, of: order)
        #expect(shown.headline == Problem(.saleSettled).textKey && shown.alert && shown.mark == nil)

        order.sale = .order(2)
        await host.meet([.loseAnswer, .loseRequest, .loseRequest])
        let lost = await shop.reader.charge(order, with: host)
        #expect(lost.name == .unknown && lost.effect == .mayBeBooked && lost.sale == .unknown)
        let open = await shop.reader.charge(order, with: host)
        #expect(open.ending == .saleOpen(try #require(lost.read?.key)) && open.sale == .unknown)
        #expect(Presentation(open, of: order) == Presentation(.unknown, total: order.amount))
        #expect(Presentation(.failed(.refused(.saleOpen(ReconciliationKey())))).headline.rawValue == "headline.unknown")

        // A declined payment leaves the whole amount open, a part approval leaves the rest.
        order.sale = .order(3)
        order.acceptsPartialApproval = true
        await host.answer([.decline("51"), .approvePart(eur(800))])
        let declined = await shop.reader.charge(order, with: host)
        #expect(declined.effect == .nothingBooked && declined.sale == .open(eur(1250)))
        let part = await shop.reader.charge(order, with: host)
        #expect(part.effect == .booked && part.sale == .open(eur(450)))
        let rest = PaymentRequest(amount: eur(450), sale: .order(3), timeout: .seconds(1))
        #expect(await shop.reader.charge(rest, with: host).sale == .paid)
    }

    @Test("P8: a used key brings what became of its payment")
    func aUsedKeyTellsItsPayment() async throws {
        let journal = TestJournal(), host = SimulatedHost()
        let shop = try await Shop(journal, .online)
        var order = PaymentRequest(amount: eur(1250), key: ReconciliationKey(), timeout: .seconds(1))
        let paid = await shop.reader.charge(order, with: host)
        let again = await shop.reader.charge(order, with: host)
        guard case .keyUsed(order.key, let settled?) = again.ending else { Issue.record("\(again.ending)"); return }
        #expect(paid.name == .approved && settled.ending.name == .approved && settled.effect == .booked)
        #expect(Presentation(again, of: order).headline == Problem(.saleSettled).textKey)
        order.key = ReconciliationKey()
        await host.meet([.loseRequest])
        #expect(await shop.reader.charge(order, with: host).effect == .nothingBooked)
        let failed = await shop.reader.charge(order, with: host), shown = Presentation(failed, of: order)
        guard case .keyUsed(order.key, let end?) = failed.ending else { Issue.record("\(failed.ending)"); return }
        #expect(end.ending == .notCompleted && end.effect == .nothingBooked)
        #expect(shown.headline.rawValue == "headline.notCompleted" && !shown.alert)
        #expect(shown.options == failed.alternatives)
    }

    @Test("P1, P8: the screen of an earlier payment says what its order needs now")
    func anEarlierPaymentIsShownAsTheOrderStands() async throws {
        let journal = TestJournal(), host = SimulatedHost()
        let shop = try await Shop(journal, .online)
        let settlement = Settlement(journal, with: host, policy: SettlementPolicy(jitter: 0), timer: StillClock())
        func shown(_ key: ReconciliationKey) async throws -> Presentation {
            let settled = try #require(try await settlement.settled(key)), shown = Presentation(settled)
            #expect(settled.alternatives == shown.options)
            return shown
        }
        func pay(_ amount: UInt64, _ sale: SaleReference?, due: UInt64? = nil) async throws -> ReconciliationKey {
            let key = ReconciliationKey()
            let request = PaymentRequest(
                amount: eur(amount), key: key, sale: sale, due: due.map { eur($0) }, timeout: .seconds(1))
            _ = await shop.reader.charge(request, with: host)
            return key
        }
        let paid = Problem(.saleSettled).textKey
        // A part payment, then the rest.
        let part = try await pay(800, .order(1), due: 2_000), one = try await shown(part)
        #expect(one.headline.rawValue == "headline.part" && one.total == eur(800) && one.rest == eur(1_200))
        #expect(one.options == [.payRest])
        await host.answer([.decline("51")])
        let declined = try await pay(1_200, .order(1), due: 2_000)
        #expect(try await shown(declined).mark == .declined)
        await host.meet([.loseAnswer, .loseRequest, .loseRequest])
        _ = try await pay(1_200, .order(1), due: 2_000)
        #expect(try await shown(declined).headline.rawValue == "headline.unknown")
        _ = await settlement.forwardNow()
        _ = try await pay(1_200, .order(1), due: 2_000)
        #expect(try await shown(declined).headline == paid)
        #expect(try await shown(part).headline == paid)
        // Refunds with an order and without one.
        for sale in [SaleReference.order(2), nil] {
            for action in [FollowUp.Action.refund(eur(500)), .void] {
                let payment = try await pay(500, sale), back = FollowUp(action, of: payment)
                #expect(try await shown(payment).headline == paid)
                try await settlement.submit(back, moment: noon)
                #expect(try await shown(back.key).headline.rawValue == "headline.accepted")
                _ = await settlement.forwardNow()
                let done = try await shown(back.key)
                #expect(done.headline.rawValue == "headline.approved" && done.mark == .completed)
                #expect(try await shown(payment).mark == .notCompleted)
            }
        }
    }

    @Test("L1: a key begins one tap, in this process and in the next, with a journal and without")
    func aKeyBeginsOneTap() async throws {
        let key = try #require(ReconciliationKey(rawValue: "one-tap"))
        for journal in [TestJournal(), nil] {
            let host = SimulatedHost()
            let reader = tapReader(SimulatedReader(.online)) {
                $0.journal = journal
                $0.sealer = SimulatedSealer()
            }
            let session = try await reader.prepare()
            let first = await session.read(PaymentRequest(amount: eur(100), key: key))
            let read = try #require(first.read)
            #expect(await session.authorize(read, with: host).name == .approved)
            for amount in [100, 90_000] as [UInt64] {
                let again = await session.read(PaymentRequest(amount: eur(amount), key: key))
                #expect(again.problems.map(\.code) == [.keyUsed])
                guard case .failed(.refused) = again else { Issue.record("\(again)"); return }
            }
            #expect(await session.authorize(read, with: host).name == .approved, "the same read has the same result")
            #expect(await host.requests.count == 1)
            guard let journal else { continue }
            let later = try TestJournal(try await journal.entries())
            let next = try await Shop(later, .online)
            let refused = await next.read(90_000) { $0.key = key }
            #expect(refused.problems.map(\.code) == [.keyUsed])
            // Another read that claims this key gets nothing from it.
            let other = try #require(await next.read(200).read)
            let forged = CardRead(
                authorization: .onlineRequired, outcome: other.outcome, tap: read.tap)
            #expect(
                await next.session.authorize(forged, with: host) == .failed([Problem(.authorizationNotPossible)]))
            #expect(await host.requests.count == 1)
        }
    }

    @Test("L1: a key that was refused before the tap began is free, a request without one gets a new one at every read")
    func refusedKeysAreFree() async throws {
        let journal = TestJournal(), key = ReconciliationKey()
        let shop = try await Shop(journal, .online)
        #expect(await shop.read(0) { $0.key = key }.name == .failed)
        #expect(await shop.read { $0.key = key }.name == .success)
        #expect(await shop.read { $0.key = key }.name == .failed)
        let request = PaymentRequest(amount: eur(100))
        let one = await shop.session.read(request).read?.key, two = await shop.session.read(request).read?.key
        #expect(one != nil && one != two)
        #expect(request.renewed().key != request.renewed().key)
    }

    @Test("L1: an older read is answered from the journal, and a tap that was left is not authorised any more")
    func olderReadsAreAnswered() async throws {
        let journal = TestJournal(), host = SimulatedHost()
        let shop = try await Shop(journal, .online)
        let first = try #require(await shop.read(100).read), result = await shop.session.authorize(first, with: host)
        #expect(try await shop.pay(200, with: host).result.name == .approved)
        #expect(await shop.session.authorize(first, with: host) == result)
        #expect(await host.requests.count == 2)
        let left = try #require(await shop.read(300).read)
        #expect(await shop.read(400).name == .success)
        #expect(await shop.session.authorize(left, with: host) == .failed([Problem(.authorizationNotPossible)]))
        #expect(await host.requests.count == 2)
    }

    @Test("L2: a double click on two readers takes the money once")
    func doubleClick() async throws {
        let journal = TestJournal(), host = SimulatedHost()
        let one = try await Shop(journal, .online), two = try await Shop(journal, .online)
        func sell(_ shop: Shop) async -> AuthorizationResult? {
            guard let read = await shop.read(1250, { $0.sale = .order(1) }).read else { return nil }
            return await shop.session.authorize(read, with: host)
        }
        async let first = sell(one)
        async let second = sell(two)
        let results = await [first, second].compactMap { $0?.name }
        #expect(results == [.approved])
        #expect(await host.booked.count == 1)
        let again = await one.read { $0.sale = .order(1) }
        #expect(again.problems.map(\.code) == [.saleSettled])
        #expect(await one.read(1250, { $0.due = eur(1) }).problems.map(\.code) == [.amountAboveDue])
    }

    @Test(
        "L5: a journal that cannot be opened keeps the reader from being prepared",
        arguments: [
            JournalError.damaged(at: 7), .full, .inUse(by: "12"), .newerSchema(9), .restored,
        ])
    func noJournalNoPayments(_ error: JournalError) async throws {
        let reader = tapReader(SimulatedReader(.online)) { $0.journal = WatchedJournal(openError: error) }
        await #expect(throws: PrepareError.journal(error)) { try await reader.prepare() }
        let outcome = await reader.read(PaymentRequest(amount: eur(100)))
        #expect(outcome == .failed(.preparation(.journal(error))))
        #expect(!error.problem.alternatives.isEmpty && !error.description.isEmpty)
    }

    @Test("L7: verifications are not journalled, refunds are")
    func onlyPaymentsAreJournaled() async throws {
        let journal = TestJournal()
        let shop = try await Shop(journal, .online)
        #expect(await shop.session.read(VerificationRequest(reason: .verify, currency: .eur)).name == .verified)
        #expect(try await journal.entries().isEmpty)
        _ = await shop.read { $0.kind = .refund }
        let first = try #require(try await journal.entries().first)
        guard case .began(let intent) = first.event else { Issue.record("\(first)"); return }
        #expect(intent.kind == .refund)
    }

    @Test("L7: an approval that the app has not acknowledged is told at every start")
    func approvalsAreToldAgain() async throws {
        let journal = TestJournal(), host = SimulatedHost()
        let payment = try await Shop(journal, .online).pay(with: host)
        #expect(await journal.standing().unacknowledged.count == 1)
        for _ in 0..<2 {
            let later = try TestJournal(try await journal.entries())
            let told = try await Settlement(later, with: host, timer: StillClock()).recover()
            #expect(told.map(\.key) == [payment.key] && told.first?.ending.name == .approved)
        }
        let later = try TestJournal(try await journal.entries())
        let settlement = Settlement(later, with: host, timer: StillClock())
        try await settlement.acknowledge(payment.key)
        #expect(await later.standing().isSettled)
        #expect(try await settlement.recover().isEmpty)
    }

    @Test("L10: nothing of an account is kept but what is sealed")
    func nothingOfAnAccountIsKept() async throws {
        let journal = TestJournal(), host = SimulatedHost()
        let names = ["online", "fdda", "decline", "issuerUpdate", "onlinePIN"]
        for name in names {
            let card = try #require(CardProfile.named(name))
            let shop = try await Shop(journal, card: card, offline: OfflinePolicy(limits: .ofTests))
            for _ in 0..<4 { _ = try await shop.pay(with: host) }
            await host.meet([.unreachable])
            _ = try await shop.pay(with: host)
            let read = try #require(await shop.read().read)
            let digits = read.dataRecord[0x57].map { Hex.string($0) } ?? Hex.string(read.dataRecord[0x5A] ?? [])
            let number = String(digits.prefix { $0 != "D" && $0 != "F" })
            #expect(number.count >= 12)
            let text = String(decoding: try JSONEncoder().encode(try await journal.entries()), as: UTF8.self)
            #expect(!text.contains(number), "\(name)")
            #expect(!text.contains(Hex.string(Bytes(number.utf8))), "\(name)")
            if let holder = read.dataRecord[0x5F20] { #expect(!text.contains(Hex.string(holder)), "\(name)") }
        }
        #expect(try await journal.entries().contains { $0.read?.payload != nil }, "something is sealed")
    }

    @Test("L10, L28: without a sealer every card is asked to go online, and nothing is deferred")
    func withoutASealerEverythingGoesOnline() async throws {
        let card = try #require(CardProfile.named("fdda"))
        let open = TestJournal(), host = SimulatedHost()
        let sealed = try await Shop(TestJournal(), card: card)
        #expect(await sealed.read().read?.authorization == .approvedOffline)
        let shop = try await Shop(open, card: card, isSealed: false)
        let read = try #require(await shop.read().read)
        #expect(read.authorization == .onlineRequired)
        await host.meet([.unreachable])
        #expect(await shop.session.authorize(read, with: host) == .failed([Problem(.hostUnreachable)]))
        #expect(await shop.session.authorize(read, with: host).name == .approved)
        #expect(try await open.entries().allSatisfy { $0.read?.payload == nil })
    }

    @Test("L28: where the host is owed as much as it may be, cards are asked to go online")
    func limitsSendCardsOnline() async throws {
        let card = try #require(CardProfile.named("fdda"))
        var limits = OfflineLimits.ofTests
        limits.count = 2
        let journal = TestJournal()
        let shop = try await Shop(journal, card: card, offline: OfflinePolicy(limits: limits))
        var kinds: [CardRead.Authorization?] = []
        for _ in 0..<3 { kinds.append(await shop.read().read?.authorization) }
        #expect(kinds == [.approvedOffline, .approvedOffline, .onlineRequired])
        let standing = await journal.standing()
        #expect(standing.unreported.count == 2 && standing.unacknowledged.count == 2)
    }

    @Test("L28: with every floor limit at zero Mastercards ask for their issuer, too")
    func bothKernelsGoOnline() async throws {
        for (name, card) in CardProfile.profiles where card.name == name {
            // Some kernels wait; this clock skips the pauses.
            let shop = try await Shop(TestJournal(), card: card, timer: LeapingClock())
            guard case .success(let read) = await shop.read(), read.authorization == .approvedOffline else { continue }
            let online = try await Shop(TestJournal(), card: card, timer: LeapingClock(), isSealed: false)
            let outcome = await online.read()
            #expect(outcome.read?.authorization != .approvedOffline, "\(name): \(outcome.name)")
        }
    }

    // MARK: Payments offline

    @Test("A card approves nothing by itself unless payments offline are declared", arguments: [true, false])
    func everyCardIsSentToItsIssuer(hasJournal: Bool) async throws {
        let options = TapReader.Options(
            waitsForEmptyField: false, timer: LeapingClock(), journal: hasJournal ? MemoryJournal() : nil,
            sealer: SimulatedSealer(), fingerprints: SimulatedSealer())
        var declared = options
        declared.journal = MemoryJournal()
        declared.offline = OfflinePolicy(limits: .ofTests)
        var approved: Set<String> = []
        for (_, card) in CardProfile.profiles {
            func tap(_ options: TapReader.Options) async -> TapOutcome {
                await TapReader(SimulatedReader(card), configuration: .simulator(), options: options)
                    .read(PaymentRequest(amount: eur(1250)))
            }
            if case .success(let read) = await tap(declared), read.authorization == .approvedOffline {
                approved.insert(card.name)
                let outcome = await tap(options)
                #expect(outcome.read?.authorization != .approvedOffline, "\(card.name): \(outcome.name)")
            }
        }
        #expect(approved.count > 5, "\(approved)")
    }

    @Test func offlineNeedsAJournalASealerAndAnAuthorizerThatDelivers() async throws {
        let policy = OfflinePolicy(limits: .ofTests)
        let incomplete = [
            TapReader.Options(sealer: SimulatedSealer(), fingerprints: SimulatedSealer(), offline: policy),
            TapReader.Options(journal: MemoryJournal(), fingerprints: SimulatedSealer(), offline: policy),
            TapReader.Options(journal: MemoryJournal(), sealer: SimulatedSealer(), offline: policy),
        ]
        for options in incomplete {
            let reader = TapReader(SimulatedReader(.online), configuration: .simulator(), options: options)
            await #expect(throws: PrepareError.offlineUnjournaled) { _ = try await reader.prepare() }
            #expect(await reader.readiness().blocking.map(\.code) == [.configurationInvalid])
        }
        let reader = TapReader(
            SimulatedReader(.online), configuration: .simulator(),
            options: TapReader.Options(
                waitsForEmptyField: false, journal: MemoryJournal(), sealer: SimulatedSealer(),
                fingerprints: SimulatedSealer(), offline: policy))
        let request = PaymentRequest(amount: eur(1250))
        let result = await reader.charge(request, with: SimulatedAuthorizer())
        #expect(result.ending == .notRead(.failed(.preparation(.offlineUndelivered))))
        #expect(await reader.charge(request, with: SimulatedHost()).name == .approved)
    }

    @Test("A host that never answered is told nothing later: its address may be wrong")
    func nothingIsAcceptedBeforeTheFirstAnswer() async throws {
        var limits = OfflineLimits.ofTests
        limits.sinceHost = .seconds(60)
        let host = SimulatedHost()
        let shop = try await Shop(TestJournal(), .online, offline: OfflinePolicy(limits: limits))
        await host.meet([.unreachable])
        let refused = try await shop.pay(with: host).result
        #expect(refused.problems.map(\.code) == [.offlineTooLong, .hostUnreachable], "\(refused)")
        #expect(try await shop.pay(with: host).result.name == .approved)
        await host.meet([.unreachable])
        #expect(try await shop.pay(with: host).result.name == .accepted)
    }

    @Test func aPINPadOfTheChargeIsEnough() async throws {
        let options = TapReader.Options(waitsForEmptyField: false)
        func charge(_ pad: SimulatedPINPad?) async -> ChargeResult {
            await TapReader(SimulatedReader(.onlinePIN), configuration: .simulator(), options: options)
                .charge(PaymentRequest(amount: eur(1250)), with: SimulatedAuthorizer(), pinPad: pad)
        }
        #expect(await charge(SimulatedPINPad()).name == .approved)
        let without = await charge(nil)
        #expect(without.alternatives.first == .otherInterface(.chip), "\(without)")
        guard case .notRead(.onlinePINUnavailable) = without.ending else { Issue.record("\(without)"); return }
    }

    // MARK: L22, L24, L37

    @Test("L24: a payment that was deferred is accepted, and is no approval")
    func deferredIsNoApproval() async throws {
        let journal = TestJournal(), host = SimulatedHost()
        let shop = try await Shop(journal, .online, offline: OfflinePolicy(limits: .ofTests))
        let prompts = collect(shop.reader.events(), until: isAuthorized)
        await host.meet([.unreachable])
        let read = try #require(await shop.read().read)
        let result = await shop.session.authorize(read, with: host)
        guard case .accepted(let deferred) = result.ending else { Issue.record("\(result)"); return }
        #expect(deferred.key == read.key && deferred.amount == eur(1250))
        #expect(result.problems.isEmpty && result.alternatives.isEmpty && result.name == .accepted)
        #expect(Presentation(result, of: read).headline == TextKey("headline.accepted"))
        #expect(Receipt(read, result, merchant: Merchant("Shop"))?.result == .accepted)
        for event in await prompts.value {
            if case .prompt(let prompt) = event { #expect(prompt.message != .approved) }
        }
        #expect(await shop.session.authorize(read, with: host) == result)
        #expect(await host.requests.isEmpty)
        let standing = await journal.standing()
        #expect(standing.deferred.count == 1 && standing.unacknowledged.count == 0 && !standing.isSettled)
        #expect(standing.keysInUse == [Bytes("simulator".utf8)])
        // After a time-out the payment is not deferred but reversed.
        await host.meet([.loseRequest])
        #expect(try await shop.pay(with: host).result == .reversed([Problem(.authorizationAnswerLost)]))
        // Beyond a limit the reader reports which limit it was.
        await host.meet([.unreachable])
        _ = try await shop.pay(1_000, with: host)
        await host.meet([.unreachable])
        let beyond = try await shop.pay(1_000, with: host).result
        #expect(beyond.problems.map(\.code) == [.offlineCardLimitReached, .hostUnreachable], "\(beyond)")
        #expect(beyond.problems.first?.detail == OfflineLimits.Rule.perCardCount.rawValue)
    }

    @Test("L22: an answer that comes after its reversal changes nothing")
    func lateAnswersChangeNothing() async throws {
        let journal = TestJournal(), clock = SimulatedClock(), host = OrderChecks.SlowHost()
        let shop = try await Shop(journal, .online, timer: clock)
        let read = try #require(await shop.read().read), key = try #require(read.key)
        let result = Task { await shop.session.authorize(read, with: host) }
        try await waitUntil("the host to be asked") { await host.isAsked }
        try await waitUntil("somebody to sleep") { await clock.sleeperCount > 0 }
        await clock.advance(by: .seconds(30))
        #expect(await result.value == .reversed([Problem(.authorizationTimedOut)]))
        host.answerNow()
        try await waitUntil("the late answer in the journal") { await journal.tap(key)?.lateResult != nil }
        let tap = try #require(await journal.tap(key))
        #expect(tap.state == .reversed && tap.result == nil)
        #expect(Receipt(read, await result.value, merchant: Merchant("Shop"))?.result == .notCompleted)
        #expect(await host.host.booked.isEmpty)
    }

    @Test("L37: an approval of a part is reversed unless the app takes it")
    func partsAreTakenOnRequest() async throws {
        for journal in [TestJournal(), nil] {
            let host = SimulatedHost()
            let reader = tapReader(SimulatedReader(.online)) {
                $0.journal = journal
                $0.sealer = SimulatedSealer()
            }
            let session = try await reader.prepare()
            await host.answer([.approvePart(eur(6_000)), .approvePart(eur(6_000)), .approvePart(eur(20_000))])
            for takes in [false, true, true] {
                let request = with(
                    PaymentRequest(amount: eur(10_000), sale: takes ? .order(2) : nil, due: takes ? eur(20_000) : nil)
                ) { $0.acceptsPartialApproval = takes }
                let read = try #require(await session.read(request).read)
                let result = await session.authorize(read, with: host, pinPad: SimulatedPINPad())
                let booked = await host.booked[try #require(read.key)]
                if case .approved(let approval) = result.ending {
                    #expect(takes && approval.approvedAmount == eur(6_000) && booked == eur(6_000))
                    let receipt = Receipt(read, result, merchant: Merchant("Shop"))
                    #expect(receipt?.total == eur(10_000) && receipt?.approvedAmount == eur(6_000))
                } else {
                    #expect(result.problems.map(\.code) == [.approvedInPart] && booked == nil)
                }
            }
            #expect(await host.booked.count == 1, "more than was asked for is no approval")
            guard let journal else { continue }
            #expect(await journal.taps(of: .order(2)).map(\.approvedAmount).first == eur(6_000))
        }
    }

    @Test("With a journal, only an authoriser answers a card that waits")
    func completionIsRefused() async throws {
        let card = try #require(CardProfile.named("issuerUpdate"))
        let shop = try await Shop(TestJournal(), card: card)
        _ = await shop.read()
        #expect(await shop.session.complete(.response([:])) == .failed(.nothingToComplete))
    }
}
