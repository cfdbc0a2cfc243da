// SPDX-License-Identifier: Apache-2.0
import EMVSimulator
import TestData
import TestWaiting
import Testing
@testable import EMVKernel
@testable import EMVKit
@testable import EMVPOS

@Suite(.timeLimit(.minutes(30))) struct ReadingTests {
    private func request(_ tap: SimulatedTap, _ change: (inout PaymentRequest) -> Void = { _ in }) -> PaymentRequest {
        var request = PaymentRequest(amount: eur(tap.amount), timeout: .seconds(60))
        change(&request)
        return request
    }

    // MARK: Outcomes

    @Test(
        "A8, C9, C10, E1: every way a tap can end is simulated by a card, with problems and alternatives",
        arguments: SimulatedTap.allCases)
    func everyTapByItsCard(_ tap: SimulatedTap) async throws {
        let outcome = await tapReader(SimulatedReader(tap)).read(request(tap))
        #expect(outcome.name == tap.expected, "\(outcome)")
        try check(outcome, tap)
    }

    @Test("A8: and by its amount", arguments: SimulatedTap.allCases)
    func everyTapByItsAmount(_ tap: SimulatedTap) async throws {
        let reader = tapReader(SimulatedReader.byAmount())
        let outcome = await reader.read(request(tap))
        #expect(outcome.name == tap.expected, "\(outcome)")
        try check(outcome, tap)
        #expect(
            await tapReader(SimulatedReader.byAmount()).read(PaymentRequest(amount: eur(1250))).read?.authorization
                == .onlineRequired)
    }

    private func check(_ outcome: TapOutcome, _ tap: SimulatedTap) throws {
        let isSuccess = outcome.name == .success
        #expect(outcome.problems.isEmpty == isSuccess)
        #expect(outcome.alternatives.isEmpty == isSuccess)
        let code: Problem.Code? =
            switch tap {
            case .approve, .online, .issuerPIN, .readAtSecondTap, .seePhone, .collision: nil
            case .decline: .cardDeclined
            case .unreadable: .linkTimedOut
            case .unsupportedNetwork: .networkUnsupported
            case .overLimit: .amountAboveLimit
            case .onlinePIN: .pinRequired
            case .phoneStaysLocked: .deviceNotUnlocked
            case .collisionStays: .severalCards
            case .removeEarly: .cardRemovedEarly
            case .otherInterface: .otherInterfaceWanted
            case .wrongTLV: .cardDataInvalid
            case .noCard: .cardTimedOut
            case .readerLost: .readerDetached
            }
        let codes = outcome.problems.map(\.code)
        #expect(code == nil ? codes.isEmpty : codes.contains(code!), "\(codes)")
        if tap == .approve { #expect(outcome.read?.authorization == .approvedOffline) }
        if tap == .online { #expect(outcome.read?.authorization == .onlineRequired) }
        if tap == .overLimit {
            #expect(outcome.problems.first?.description == "Amount above contactless limit: 300.00 EUR")
        }
    }

    @Test("C9: unreadable, unsupported, over the limit and without a PIN pad are four outcomes")
    func failuresAreToldApart() async {
        var names: Set<TapName> = []
        for tap in [SimulatedTap.unreadable, .unsupportedNetwork, .overLimit, .onlinePIN] {
            names.insert(await tapReader(SimulatedReader(tap)) { $0.hasPINPad = false }.read(request(tap)).name)
        }
        #expect(names == [.unreadable, .unsupportedNetwork, .limitExceeded, .onlinePINUnavailable])
    }

    @Test("E14: after every ending the next read works at once", arguments: SimulatedTap.allCases)
    func nextReadWorksAtOnce(_ tap: SimulatedTap) async {
        let transport = SimulatedReader(tap)
        let reader = tapReader(transport)
        _ = await reader.read(request(tap))
        await transport.attach()
        await transport.present(VirtualCard(SimulatedTap.online.profile))
        #expect(await reader.read(PaymentRequest(amount: eur(1250))).name == .success)
    }

    // MARK: The request

    @Test("B10, E2: what contradicts itself is found before anybody is asked for a card")
    func requestsAreValidated() async {
        func codes(_ request: PaymentRequest) -> [Problem.Code] { request.validate().map(\.code) }
        #expect(codes(PaymentRequest(amount: eur(1250))).isEmpty)
        #expect(codes(PaymentRequest(amount: eur(0))) == [.amountZero])
        #expect(codes(PaymentRequest(amount: eur(1_000_000_000_000))) == [.amountTooLarge])
        #expect(codes(PaymentRequest(amount: eur(999_999_999_999))).isEmpty)
        #expect(codes(PaymentRequest(amount: eur(100), kind: .cashBack(eur(101)))) == [.cashBackAboveAmount])
        #expect(codes(PaymentRequest(amount: eur(100), kind: .cashBack(eur(0)))) == [.cashBackZero])
        #expect(
            codes(PaymentRequest(amount: eur(100), kind: .cashBack(Money(minorUnits: 1, currency: .usd)))) == [
                .currencyConflict
            ])
        #expect(
            codes(
                PaymentRequest(amount: Money(minorUnits: 1, currency: Currency(code: "?", numeric: 1000, exponent: 2))))
                == [.currencyInvalid])
        #expect(
            codes(
                PaymentRequest(amount: Money(minorUnits: 1, currency: Currency(code: "?", numeric: 978, exponent: 5))))
                == [.currencyInvalid])
        #expect(
            codes(
                with(PaymentRequest(amount: eur(1))) {
                    $0.preferredApplications = [[1, 2, 3, 4], [UInt8](repeating: 1, count: 17)]
                })
                == [.preferredApplicationInvalid, .preferredApplicationInvalid])
        let recorder = Recorder(SimulatedReader(.online))
        #expect(
            await tapReader(recorder).read(PaymentRequest(amount: eur(0))) == .failed(.invalid([Problem(.amountZero)])))
        #expect(await recorder.polls.isEmpty)
    }

    @Test("B10: the card signs the amount, the part that is cash, and the kind of the request")
    func amountGoesToTheCard() async throws {
        func record(_ request: PaymentRequest) async throws -> CardData {
            try #require(await tapReader(SimulatedReader(.online)).read(request).read).dataRecord
        }
        let purchase = try await record(PaymentRequest(amount: eur(1250), terms: .estimated))
        #expect(purchase[0x9F02] == [0, 0, 0, 0, 0x12, 0x50])
        #expect(purchase[0x9C] == [0x00])
        let cashBack = try await record(PaymentRequest(amount: eur(3000), kind: .cashBack(eur(1000))))
        #expect(cashBack[0x9F02] == [0, 0, 0, 0, 0x30, 0x00])
        #expect(cashBack[0x9F03] == [0, 0, 0, 0, 0x10, 0x00])
        // Visa's purchases have type 00, with cash back and without (Book C-3, 3.4.1.1); Mastercard has a separate type
        // for cash back.
        #expect(cashBack[0x9C] == [0x00])
        let card = try #require(CardProfile.named("mcOnline"))
        let other = await tapReader(SimulatedReader(card)).read(
            PaymentRequest(amount: eur(3000), kind: .cashBack(eur(1000))))
        #expect(try #require(other.read).dataRecord[0x9C] == [0x09])
    }

    @Test("B10: a refund and cash reach the card as what they are")
    func refundsAndCashReachTheCard() async {
        for (kind, type) in [(PaymentRequest.Kind.refund, UInt8(0x20)), (.cash, 0x01)] {
            let recorder = Recorder(SimulatedReader(.online))
            let outcome = await tapReader(recorder).read(PaymentRequest(amount: eur(1250), kind: kind))
            #expect([.success, .declined, .onlinePINRequired].contains(outcome.name), "\(outcome)")
            if let record = outcome.read?.dataRecord { #expect(record[0x9C] == [type]) }
        }
    }

    @Test("B11: preferred applications go before the order of the card; those it lacks are passed over")
    func preferredApplicationsGoFirst() async throws {
        let credit: Bytes = [0xA0, 0, 0, 0, 3, 0x10, 0x10]
        let debit = credit + [0x02]
        func chosen(_ preferred: [Bytes]) async throws -> Bytes {
            let reader = tapReader(SimulatedReader(try #require(CardProfile.named("twoApplications"))))
            let outcome = await reader.read(
                with(PaymentRequest(amount: eur(1250))) { $0.preferredApplications = preferred })
            return try #require(outcome.read).outcome.applicationName
        }
        #expect(try await chosen([]) == credit)
        #expect(try await chosen([debit]) == debit)
        #expect(try await chosen([[0xA0, 0, 0, 0, 4], debit]) == debit)
        #expect(try await chosen([credit, debit]) == credit)  // both begin with it: the card's order decides
        #expect(try await chosen([[0xA0, 0, 0, 0, 4]]) == credit)
    }

    @Test("H9, H10, H11: countries are compared by code; a card that does not say is for the policy")
    func issuerCountriesAreHeeded() async throws {
        let germany = try #require(Country(code: "DE")), america = try #require(Country(code: "US"))
        func outcome(_ profile: String, _ supported: SupportedCountries) async throws -> TapOutcome {
            let reader = tapReader(SimulatedReader(try #require(CardProfile.named(profile))))
            return await reader.read(
                with(PaymentRequest(amount: eur(1250))) { $0.supportedIssuerCountries = supported })
        }
        #expect(try await outcome("onlineRecords", SupportedCountries([germany])).name == .success)
        #expect(try await outcome("onlineRecords", SupportedCountries([germany])).read?.card.issuerCountry == germany)
        let refused = try await outcome("onlineRecords", SupportedCountries([america]))
        #expect(refused.problems.map(\.code) == [.issuerCountryUnsupported])
        #expect(refused.problems.first?.detail == "DE")
        #expect(try await outcome("online", SupportedCountries([america])).name == .success)
        let unknown = try await outcome("online", SupportedCountries([america], unknown: .refuse))
        #expect(unknown.problems.map(\.code) == [.issuerCountryUnknown])
        #expect(!unknown.alternatives.isEmpty)
    }

    @Test("H14: a balance below the amount is told apart from a card that declines without a reason")
    func insufficientBalanceIsTold() {
        let tap = TapRecord(
            key: ReconciliationKey(), purpose: .payment(PaymentRequest(amount: eur(1250))), moment: noon)
        var outcome = Outcome(status: .declined)
        #expect(TapOutcome(outcome: outcome, tap: tap).problems.map(\.code) == [.cardDeclined])
        outcome.uiOnOutcome = UIRequest(
            message: .notAuthorised, status: .idle,
            value: UIRequest.Value(qualifier: .balance, amount: 1249, currency: 978))
        #expect(
            TapOutcome(outcome: outcome, tap: tap).problems == [Problem(.insufficientOfflineBalance, amount: eur(1249))]
        )
        outcome.uiOnOutcome?.value?.amount = 1250
        #expect(TapOutcome(outcome: outcome, tap: tap).problems.map(\.code) == [.cardDeclined])
    }

    @Test("I14: the balance is not compared with an estimate, of which less may be taken")
    func aPendingTotalIsNotComparedWithTheBalance() {
        let estimate = PaymentRequest(amount: eur(1250), terms: .estimated)
        let tap = TapRecord(key: ReconciliationKey(), purpose: .payment(estimate), moment: noon)
        let balance = UIRequest.Value(qualifier: .balance, amount: 1249, currency: 978)
        let outcome = Outcome(
            status: .declined, uiOnOutcome: UIRequest(message: .notAuthorised, status: .idle, value: balance))
        #expect(TapOutcome(outcome: outcome, tap: tap).problems.map(\.code) == [.cardDeclined])
    }

    @Test("H15, G10: before the authorisation an app sees what may be shown")
    func summaryMayBeShown() async throws {
        let read = try #require(await tapReader(SimulatedReader(.online)).read(PaymentRequest(amount: eur(1250))).read)
        #expect(read.card.label == "VISA")
        #expect(read.card.application == [0xA0, 0, 0, 0, 3, 0x10, 0x10])
        let pan = try #require(read.card.maskedPAN)
        #expect(pan.description.filter { $0 == "*" }.count == 6)
        #expect(pan.lastFour.count == 4)
    }

    // MARK: Verification

    @Test(
        "D1: a read without an amount never yields an approval, whatever the card",
        arguments: CardProfile.profiles.keys.sorted())
    func verificationNeverApproves(_ name: String) async throws {
        let profile = try #require(CardProfile.named(name))
        for reason in VerificationRequest.Reason.allCases.prefix(name == "online" ? 5 : 1) {
            let outcome = await tapReader(SimulatedReader(profile)).read(
                VerificationRequest(reason: reason, currency: .eur, timeout: .seconds(60)))
            switch outcome {
            case .success, .onlinePINRequired, .onlinePINUnavailable: Issue.record("\(name): \(outcome)")
            case .verified(let card): #expect(card.reason == reason)
            default: #expect(!outcome.alternatives.isEmpty)
            }
        }
    }

    @Test(
        "D1, D2: a card read without an amount has its masked number and cannot be authorised"
    )
    func verificationKnowsTheCard() async throws {
        for reason in VerificationRequest.Reason.allCases {
            let outcome = await tapReader(SimulatedReader(.online)).read(
                VerificationRequest(reason: reason, currency: .eur))
            guard case .verified(let card) = outcome else { Issue.record("\(outcome)"); continue }
            #expect(card.card.maskedPAN != nil)
            #expect(card.dataRecord[0x9F02] == [0, 0, 0, 0, 0, 0])
            // A CardRead that an app builds itself is not authorised.
            let forged = CardRead(authorization: .approvedOffline, outcome: card.outcome, tap: card.tap)
            let session = try await tapReader(SimulatedReader(.online)).prepare()
            #expect(
                await session.authorize(forged, with: SimulatedAuthorizer())
                    == .failed([Problem(.authorizationNotPossible)]))
        }
    }

    // MARK: Events

    /// Each way in which a read ends before its field is on.
    enum EarlyReturn: CaseIterable, Sendable {
        case invalid, busy, notPrepared, expired, preparationFailed, readerLost, cancelled, cancelledWhilePreparing,
            nothingToComplete
    }

    @Test(
        "Every call of read publishes one finished event, even if it ends at once; then the idle state",
        arguments: EarlyReturn.allCases)
    func everyReadSaysOnceThatItFinished(_ way: EarlyReturn) async throws {
        let good = PaymentRequest(amount: eur(1250))
        let gate = Gate(.online, isOpen: way != .cancelledWhilePreparing)
        let transport: any CardTransport =
            switch way {
            case .cancelledWhilePreparing: gate
            case .busy: SimulatedReader(EmptyField())
            case .readerLost: SimulatedReader(.readerLost)
            default: SimulatedReader(.online)
            }
        if way == .preparationFailed, let reader = transport as? SimulatedReader { await reader.detach() }
        let reader = tapReader(transport) {
            if way == .expired { $0.configurationLastDay = CalendarDate(year: 2026, month: 11, day: 20) }
        }
        let needsSession: Set<EarlyReturn> = [.notPrepared, .nothingToComplete]
        let session = needsSession.contains(way) ? try await reader.prepare() : nil
        if way == .notPrepared { await reader.suspend() }
        var occupying: Task<TapOutcome, Never>?
        if way == .busy {
            let listening = reader.events()
            occupying = Task { await reader.read(good) }
            for await event in listening where event == .waitingForCard { break }
        }

        // All events until a mark that follows the call, whatever the call published.
        let events = reader.events()
        let outcome: TapOutcome
        switch way {
        case .invalid: outcome = await reader.read(PaymentRequest(amount: eur(0)))
        case .notPrepared: outcome = await session!.read(good)
        case .nothingToComplete: outcome = await session!.complete(.unableToGoOnline)
        case .busy, .expired, .preparationFailed, .readerLost: outcome = await reader.read(good)
        case .cancelled:
            outcome = await Task {
                while !Task.isCancelled { await Task.yield() }
                return await reader.read(good)
            }.cancelledAtOnce.value
        case .cancelledWhilePreparing:
            let read = Task { await reader.read(good) }
            try await waitUntil("the reader to be opened") { await gate.openings > 0 }
            read.cancel()
            outcome = await read.value
            await gate.letGo()
        }
        #expect([.failed, .cancelled].contains(outcome.name), "\(outcome)")
        reader.hub.publish(.event(.unresolved(ReadingTests.mark)))
        var seen: [TapEvent] = []
        for await event in events.dropFirst() {
            if event == .unresolved(ReadingTests.mark) { break }
            seen.append(event)
        }
        #expect(seen.filter(isFinished) == [.finished(outcome.name)], "\(seen)")
        if way != .busy, way != .nothingToComplete {
            let after = try #require(seen.lastIndex(where: isFinished))
            #expect(seen[(after + 1)...].contains { [.ready, .notReady, .readerDetached].contains($0) }, "\(seen)")
        }
        // A tap in progress is not reported as finished.
        if let occupying {
            #expect(!seen.contains(.ready))
            await reader.cancel()
            #expect(await occupying.value == .cancelled(.requested))
        }
        var late = reader.events().makeAsyncIterator()
        let latest = await late.next()
        #expect(latest.map { !isFinished($0) } == true)
    }

    private static let mark = ReconciliationKey(rawValue: "mark")!

    @Test("Every authorisation says once how it ended, also where nobody is asked")
    func everyAuthorizationSaysOnceHowItEnded() async throws {
        let reader = tapReader(SimulatedReader(.online))
        let session = try await reader.prepare()
        let read = try #require(await session.read(PaymentRequest(amount: eur(1250))).read)
        let host = SimulatedAuthorizer(.requestPIN(times: 1))
        let stranger = CardRead(authorization: .onlineRequired, outcome: read.outcome)
        let events = reader.events()
        var results: [AuthorizationName] = []
        results.append(await session.authorize(stranger, with: host).name)
        results.append(await session.authorize(read, with: host).name)
        results.append(await session.authorize(read, with: host).name)
        results.append(
            await session.authorize(read, answering: PINChallenge(id: "other"), with: SimulatedPINPad.block()!).name)
        results.append(await session.giveUp(read).name)
        results.append(await session.giveUp(read).name)
        results.append(await session.authorize(read, with: host).name)
        reader.hub.publish(.event(.unresolved(ReadingTests.mark)))
        var said: [AuthorizationName] = []
        for await event in events {
            if event == .unresolved(ReadingTests.mark) { break }
            if case .authorized(let name) = event { said.append(name) }
        }
        #expect(said == results)
        #expect(results == [.failed, .pinRequested, .pinRequested, .pinRequested, .reversed, .failed, .reversed])
    }

    @Test(
        "C1, C3: with immediate results a read returns before its last message was shown for its time; otherwise after")
    func holdTimesAreKept() async throws {
        let card = try #require(CardProfile.named("mcDecline"))
        for isImmediate in [true, false] {
            let clock = SimulatedClock()
            let reader = tapReader(SimulatedReader(card), configuration: .simulator()) {
                $0.returnReadResultImmediately = isImmediate
                $0.timer = clock
            }
            let events = collect(reader.events()) { $0 == .promptFinished }
            let read = Task { await reader.read(PaymentRequest(amount: eur(1250))) }
            if isImmediate { #expect(await read.value.name == .tryAnotherInterface) }
            try await waitUntil("somebody to sleep") { await clock.sleeperCount > 0 }
            await clock.advance(by: .milliseconds(1299))
            #expect(await clock.sleeperCount == 1)
            await clock.advance(by: .milliseconds(1))
            #expect(await read.value.name == .tryAnotherInterface)
            let seen = await events.value
            #expect(seen.contains(.finished(.tryAnotherInterface)) == isImmediate)
            #expect(
                seen.compactMap { if case .prompt(let prompt) = $0 { prompt.hold } else { nil } }.last
                    == .milliseconds(1300))
        }
    }

    @Test("C5: messages come to a display no sooner than the one before was shown for its time")
    func promptsAreHeld() async throws {
        let clock = SimulatedClock(.afterYields(2))
        let reader = tapReader(SimulatedReader(.seePhone)) { $0.timer = clock }
        var prompts = reader.prompts().makeAsyncIterator()
        let outcome = await reader.read(PaymentRequest(amount: eur(4001)))
        #expect(outcome.name == .success)
        var seen: [Message] = []
        while seen.last != .authorising, let prompt = await prompts.next() { seen.append(prompt.message) }
        #expect(seen.contains(.seePhone))
        #expect(seen.first == .presentCard)
    }

    @Test("Whoever stops watching the messages leaves nobody asleep for the time of one")
    func nobodySleepsForADisplayThatIsGone() async throws {
        let clock = SimulatedClock(), reader = tapReader(SimulatedReader(.seePhone)) { $0.timer = clock }
        let watched = Task { [prompts = reader.prompts()] in
            for await prompt in prompts where prompt.hold > .zero { return }
        }
        let reading = Task { await reader.read(PaymentRequest(amount: eur(4001))) }
        await watched.value
        reading.cancel()
        _ = await reading.value
        try await waitUntil("nobody to sleep") { await clock.sleeperCount == 0 }
    }

    @Test("The key of a tap is known before the field is on, and is the one of its result")
    func keyComesBeforeTheField() async throws {
        let reader = tapReader(SimulatedReader(.online))
        let events = collect(reader.events(), until: isFinished)
        let key = try #require(ReconciliationKey(rawValue: "order-4711"))
        let outcome = await reader.read(PaymentRequest(amount: eur(1250), key: key))
        #expect(outcome.read?.key == key)
        let seen = await events.value
        let started = try #require(seen.firstIndex(of: .started(key)))
        let field = try #require(seen.firstIndex(of: .waitingForCard))
        #expect(started < field)
        #expect(ReconciliationKey(rawValue: "") == nil)
        #expect(ReconciliationKey(rawValue: "with space") == nil)
        #expect(ReconciliationKey() != ReconciliationKey())
    }

    @Test("A key is one tap: a second read with it fails before the field is on, and the host sees nothing of it")
    func keyIsOneTap() async throws {
        let recorder = Recorder(SimulatedReader(.online))
        let reader = tapReader(recorder)
        let session = try await reader.prepare()
        let key = try #require(ReconciliationKey(rawValue: "order-1")), host = SimulatedAuthorizer()
        // A payment that never began does not use up its key.
        #expect(await session.read(PaymentRequest(amount: eur(0), key: key)).problems.map(\.code) == [.amountZero])
        let small = try #require(await session.read(PaymentRequest(amount: eur(100), key: key)).read)
        #expect(await session.authorize(small, with: host).name == .approved)
        let polls = await recorder.polls.count
        for request in [PaymentRequest(amount: eur(4999), key: key), PaymentRequest(amount: eur(100), key: key)] {
            let again = await session.read(request)
            #expect(again.name == .failed && again.problems.map(\.code) == [.keyUsed])
        }
        #expect(await session.read(VerificationRequest(reason: .verify, currency: .eur, key: key)).name == .failed)
        #expect(await recorder.polls.count == polls)
        // Another read with this key does not get the settled result, whether its amount is larger or its card
        // declined.
        for status in [Outcome.Status.onlineRequest, .declined] {
            let tap = TapRecord(key: key, purpose: .payment(PaymentRequest(amount: eur(4999), key: key)), moment: noon)
            let forged = CardRead(
                authorization: status == .declined ? .declined : .onlineRequired, outcome: Outcome(status: status),
                tap: tap)
            #expect(await session.authorize(forged, with: host) == .failed([Problem(.authorizationNotPossible)]))
        }
        #expect(await host.requests.count == 1)
        #expect(await session.authorize(small, with: host).name == .approved)
        #expect(await host.requests.count == 1)
        // A key that the reader generated identifies a tap, too.
        let own = try #require(await session.read(PaymentRequest(amount: eur(100))).read?.key)
        #expect(await session.read(PaymentRequest(amount: eur(100), key: own)).name == .failed)
    }

    @Test("The keys of the last 10,000 taps are known")
    func keysAreRemembered() throws {
        var used = UsedKeys()
        let keys = try (0...UsedKeys.limit).map { try #require(ReconciliationKey(rawValue: "key-\($0)")) }
        for key in keys.dropLast() { used.insert(key) }
        used.insert(keys[0])
        #expect(keys.dropLast().allSatisfy(used.contains) && !used.contains(keys[UsedKeys.limit]))
        used.insert(keys[UsedKeys.limit])
        #expect(!used.contains(keys[0]) && keys.dropFirst().allSatisfy(used.contains))
    }

    @Test("9F41 counts taps from its first value to 99,999,999, and then from 1")
    func counterWraps() async throws {
        let reader = tapReader(SimulatedReader(.online)) { $0.firstCounter = 99_999_998 }
        var counters: [UInt32?] = []
        for _ in 0..<4 { counters.append(await reader.read(PaymentRequest(amount: eur(1250))).read?.tap?.counter) }
        #expect(counters == [99_999_998, 99_999_999, 1, 2])
    }

    @Test("Leading digits show of an account number of 14 digits or more, never of a shorter one")
    func shortAccountNumbersShowTheirEndOnly() throws {
        #expect(MaskedPAN(pan: Hex.bytes("476173900101")![...])?.description == "********0101")
        #expect(MaskedPAN(pan: Hex.bytes("4761739001019F")![...])?.description == "*********1019")
        #expect(MaskedPAN(pan: Hex.bytes("47617390010191")![...])?.description == "476173****0191")
        #expect(
            MaskedPAN("476173***1019") == nil && MaskedPAN("*********1019") != nil && MaskedPAN("476173****0191") != nil
        )
    }

    @Test("A label with eight digits or more could be an account number: its last four stay")
    func labelsHideAccountNumbers() {
        func label(_ text: String) -> String { CardSummary(Outcome(status: .approved), [0x50: Array(text.utf8)]).label }
        #expect(label("CARD 1234567") == "CARD 1234567")
        #expect(label("CARD 12345678") == "CARD ****5678")
        #expect(label("4761 7390 0101") == "**** **** 0101")
    }

    @Test("What an application said that fell away is not said of the next one")
    func nextApplicationSpeaksForItself() async throws {
        let card = try #require(CardProfile.named("nextApplication"))
        let read = try #require(await tapReader(SimulatedReader(card)).read(PaymentRequest(amount: eur(1250))).read)
        #expect(read.card.label == "VISA DEBIT")
    }

    @Test("I2: a tap that is left takes its invitation off the display, and keeps total and merchant on it")
    func nothingInvitesWhenATapIsLeft() async throws {
        let reader = tapReader(SimulatedReader(EmptyField())) { $0.payee = Merchant("Market hall") }
        let all = collect(reader.events(), until: isFinished)
        let listening = reader.events()
        let read = Task { await reader.read(PaymentRequest(amount: eur(1250))) }
        for await event in listening where event == .waitingForCard { break }
        await reader.cancel()
        _ = await read.value
        let prompts = await all.value.compactMap { if case .prompt(let prompt) = $0 { prompt } else { nil } }
        #expect(prompts.map(\.message) == [.presentCard, .clearDisplay])
        #expect(prompts.last?.text == nil)
        #expect(prompts.last?.total == eur(1250) && prompts.last?.merchant == "Market hall")
    }

    @Test("E15: who ended a tap stands in its outcome")
    func cancellationsNameTheirReason() async throws {
        func ended(_ end: @Sendable (TapReader, Task<TapOutcome, Never>) async -> Void) async -> TapOutcome {
            let reader = tapReader(SimulatedReader(EmptyField()))
            let listening = reader.events()
            let read = Task { await reader.read(PaymentRequest(amount: eur(1250))) }
            for await event in listening where event == .waitingForCard { break }
            await end(reader, read)
            return await read.value
        }
        #expect(await ended { reader, _ in await reader.cancel() } == .cancelled(.requested))
        #expect(await ended { reader, _ in await reader.suspend() } == .cancelled(.suspended))
        #expect(await ended { _, read in read.cancel() } == .cancelled(.taskCancelled))
        #expect(await tapReader(SimulatedReader(.noCard)).read(request(.noCard)) == .cancelled(.timedOut))
        #expect(await tapReader(SimulatedReader(.readerLost)).read(request(.readerLost)) == .cancelled(.readerDetached))
        let transport = SimulatedReader(EmptyField())
        let session = try await tapReader(transport).prepare()
        let listening = session.events
        let first = Task { await session.read(PaymentRequest(amount: eur(1250))) }
        for await event in listening where event == .waitingForCard { break }
        let second = Task { await session.read(PaymentRequest(amount: eur(1250)), superseding: true) }
        #expect(await first.value == .cancelled(.superseded))
        await transport.present(VirtualCard(SimulatedTap.online.profile))
        #expect(await second.value.name == .success)
        for reason in CancelReason.allCases { #expect(!TapOutcome.cancelled(reason).alternatives.isEmpty) }
    }
}

extension Task where Failure == Never {
    /// The current task, cancelled before it can do anything except wait.
    fileprivate var cancelledAtOnce: Task { cancel(); return self }
}
