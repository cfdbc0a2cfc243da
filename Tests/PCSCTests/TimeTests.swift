// SPDX-License-Identifier: Apache-2.0
import EMVKit
import EMVSimulator
import TestWaiting
import Testing

@testable import EMVPCSC

/// The waits of the transport, their durations and the number of wake-ups, with a service and a clock controlled by the
/// test.
@Suite(.timeLimit(.minutes(30))) struct TimeTests {
    private static let picc = ReaderState(name: "ACS ACR1252 Dual Reader [PICC] 00 00", rawValue: ReaderState.empty)
    private static let dual = ReaderState(name: "HID Global OMNIKEY 5422 Smartcard Reader 00 00", rawValue: 0x10)
    private static let day = Duration.seconds(86_400)

    private func card(_ reader: ReaderState, atr: Bytes = CardServer.contactless) -> ReaderState {
        ReaderState(name: reader.name, rawValue: 0x1_0020, atr: atr)
    }

    private func transport(
        _ service: FakeService, _ options: PCSCTransport.Options = .init()
    ) async throws -> PCSCTransport {
        let transport = PCSCTransport(.contactless, options: options, functions: service.functions)
        if let fault = await transport.open() { throw fault }
        return transport
    }

    // MARK: Idle

    /// A day of waiting for a card. At 50 µs per call, 0.1 % of a core would be 1,728,000 calls.
    @Test func aDayOfWaitingWakesUpOnceAMinute() async throws {
        let service = FakeService([TimeTests.picc, TimeTests.dual])
        let transport = try await transport(service)
        #expect(await transport.waitForCard(Poll(timeout: TimeTests.day)) == .nothing)
        #expect((1_000...1_500).contains(service.count("statusChange")))
        #expect(service.count("listReaders") < 10 && service.count("establish") <= 2)
    }

    /// A wait stays on the transport's threads. It does not run in the pool that all tasks share, in which an app's
    /// work would delay its steps.
    @Test func aBusyPoolDoesNotDelayAWait() async throws {
        let service = FakeService([TimeTests.picc])
        let transport = try await transport(service)
        let crowd = (0..<8).map { _ in
            Task.detached {
                var turns = 0
                while !Task.isCancelled {
                    turns += 1
                    for _ in 0..<20 { _ = (0...255).reduce(Bytes()) { $0 + [UInt8($1)] } }
                    await Task.yield()
                }
                return turns
            }
        }
        #expect(await transport.waitForCard(Poll(timeout: TimeTests.day)) == .nothing)
        for task in crowd { task.cancel() }
        #expect(await crowd[0].value < service.count("statusChange") / 2)
    }

    /// If pcscd reports a slot as empty right after a card was powered down, it may be wrong until it checks again: the
    /// reader is asked after 600 and 1,200 ms, 2.4 and 4.8 s, and then believed.
    @Test(arguments: [(0.5, 0), (1, 1), (2, 2), (4, 3), (60, 4)])
    func aSlotThatIsCalledEmptyIsAskedAgain(_ seconds: Double, _ resets: Int) async throws {
        let service = FakeService([card(TimeTests.picc)])
        let transport = try await transport(service)
        #expect(await transport.waitForCard(Poll(timeout: .seconds(1))) == .card)
        service.change { $0.readers = [TimeTests.picc] }
        await transport.fieldOff()
        #expect(await transport.waitForCard(Poll(timeout: .seconds(seconds))) == .nothing)
        let (unpower, reset) = (CardConnection.Disposition.unpower.rawValue, CardConnection.Disposition.reset.rawValue)
        #expect(service.change { $0.disconnected } == [unpower] + Array(repeating: reset, count: resets))
        // A card is detected at once, and ends the wait.
        service.change { $0.readers = [card(TimeTests.picc)] }
        #expect(await transport.waitForCard(Poll(timeout: .seconds(1))) == .card)
        service.change { $0.readers = [TimeTests.picc] }
        #expect(await transport.waitForCard(Poll(timeout: .seconds(60))) == .nothing)
        #expect(service.change { $0.disconnected }.count == 1 + resets + 1)
    }

    /// PC/SC without arrival notifications: the list of readers is checked once a second.
    @Test func withoutNotificationsAnHourCostsACallASecond() async throws {
        let service = FakeService([TimeTests.picc])
        service.change { $0.knowsArrivals = false }
        let transport = try await transport(service)
        #expect(await transport.waitForCard(Poll(timeout: .seconds(3600))) == .nothing)
        #expect(service.count("statusChange") <= 3_650 && service.count("listReaders") <= 3_650)
    }

    /// A listed reader that cannot be used: no busy loop, for the duration of the transport's patience.
    @Test func aReaderThatIsListedAndUnavailableCostsNothing() async throws {
        let away = ReaderState(name: TimeTests.picc.name, rawValue: ReaderState.unavailable)
        let service = FakeService([away])
        let transport = try await transport(service, .init(patience: TimeTests.day * 2))
        #expect(await transport.waitForCard(Poll(timeout: TimeTests.day)) == .nothing)
        #expect(service.count("statusChange") <= 1_500 && service.count("listReaders") < 10)
        // The wait ends with the patience.
        let impatient = try await self.transport(service, .init(patience: .seconds(3)))
        #expect(await impatient.waitForCard(Poll(timeout: TimeTests.day)) == .readerGone)
        // The reader is back: a card on it counts.
        let again = FakeService([away])
        again.change { $0.later = (.seconds(3600), [card(TimeTests.picc)]) }
        let waiting = try await self.transport(again, .init(patience: TimeTests.day))
        #expect(await waiting.waitForCard(Poll(timeout: TimeTests.day)) == .card)
        #expect(again.count("statusChange") < 100)
    }

    @Test func aDayOfDiscoveryWakesUpOnceAMinute() async {
        let service = FakeService([TimeTests.picc])
        service.change { $0.later = (TimeTests.day, [card(TimeTests.picc)]) }
        let monitor = ReaderMonitor(service.functions)
        #expect(await monitor.next()?.readers.map(\.card) == [ReaderDescription.Card.none])
        #expect(await monitor.next()?.readers.map(\.card) == [.present(atr: CardServer.contactless)])
        // Two for a minute: the wait, and the check after it.
        #expect((2_000...3_000).contains(service.count("statusChange")))
    }

    /// A card that another program holds for ten minutes.
    @Test func aCardThatAnotherProgramKeepsIsAskedForFourTimesASecond() async throws {
        var held = card(TimeTests.picc)
        held.rawValue |= ReaderState.exclusive
        let service = FakeService([held])
        let transport = try await transport(service)
        let began = service.change { $0.now }
        /// P12: this is reported once after some seconds, and again when the time is up.
        for (timeout, after) in [
            (Duration.seconds(600), 5.0...6.0), (.seconds(600), 604...607), (.seconds(1), 605...609),
        ] {
            guard case .inUse(let fault) = await transport.waitForCard(Poll(timeout: timeout)) else {
                Issue.record("who has the card is not said")
                continue
            }
            #expect(fault.code == .inUse && fault.explanation.contains(TimeTests.picc.name))
            #expect(after.contains(began.duration(to: service.change { $0.now }) / .seconds(1)))
        }
        #expect(await transport.lastError?.meaning == .reader(.inUse))
        #expect(service.count("statusChange") < 2_500)
        // The next tap reports it again; a released card is used, and a card that leaves is ignored.
        await transport.begin(TimeTests.sale)
        guard case .inUse = await transport.waitForCard(Poll(timeout: .seconds(60))) else {
            Issue.record("not said anew")
            return
        }
        service.change { $0.readers = [TimeTests.picc] }
        #expect(await transport.waitForCard(Poll(timeout: .seconds(1))) == .nothing)
        service.change { $0.readers = [card(TimeTests.picc)] }
        #expect(await transport.waitForCard(Poll(timeout: .seconds(1))) == .card)
    }

    // MARK: An empty field

    private static let removal = Poll(removalFirst: true, timeout: .seconds(60))

    private static let sale = TapRecord(
        key: ReconciliationKey(),
        purpose: .payment(PaymentRequest(amount: Money(minorUnits: 1250, currency: .eur))),
        moment: LocalTime(date: CalendarDate("2026-11-21")!, time: .midnight))

    /// P7: before a payment every watched reader must be empty; a chip card in a combined reader does not count. During
    /// a tap only its own card must leave.
    @Test func everyWatchedReaderIsToBeEmptyBeforeAPayment() async throws {
        let contact = card(TimeTests.dual, atr: [0x3B, 0x65, 0x00, 0x00, 1, 2, 3, 4, 5])
        for (second, event) in [
            (TimeTests.dual, CardEvent.removed), (contact, .removed), (card(TimeTests.dual), .nothing),
        ] {
            let transport = try await transport(FakeService([TimeTests.picc, second]))
            await transport.begin(TimeTests.sale)
            #expect(await transport.waitForCard(TimeTests.removal) == event)
        }
        let service = FakeService([card(TimeTests.picc), TimeTests.dual])
        let transport = try await transport(service)
        await transport.begin(TimeTests.sale)
        #expect(await transport.waitForCard(Poll(timeout: .seconds(1))) == .card)
        service.change { $0.readers = [TimeTests.picc, card(TimeTests.dual)] }
        #expect(await transport.waitForCard(TimeTests.removal) == .removed)
    }

    /// P7: a reader that was just powered down may report itself empty before it has found its card again.
    @Test func aReaderThatFindsItsCardAgainIsNotEmpty() async throws {
        for finds in [true, false] {
            let service = FakeService([card(TimeTests.picc)])
            let transport = try await transport(service)
            #expect(await transport.waitForCard(Poll(timeout: .seconds(1))) == .card)
            await transport.fieldOff()
            service.change { state in
                state.began = state.now
                state.readers = [TimeTests.picc]
            }
            await transport.begin(TimeTests.sale)
            // The clock advances while the transport sleeps.
            let found = card(TimeTests.picc), began = service.change { $0.now }
            if finds { service.change { $0.whenAsleep = { $0.readers = [found] } } }
            #expect(await transport.waitForCard(TimeTests.removal) == (finds ? .nothing : .removed))
            let passed = began.duration(to: service.change { $0.now })
            #expect(finds ? passed >= .seconds(60) : passed < .seconds(1))
        }
    }

    // MARK: All readers at once

    @Test(arguments: [0, 1]) func theFirstCardWins(on index: Int) async throws {
        let readers = [TimeTests.picc, TimeTests.dual]
        var then = readers
        then[index] = card(readers[index])
        let service = FakeService(readers)
        service.change { $0.later = (.seconds(600), then) }
        let transport = try await transport(service)
        #expect(await transport.candidates.map(\.name) == readers.map(\.name))
        #expect(await transport.waitForCard(Poll(timeout: TimeTests.day)) == .card)
        #expect(await transport.readerName == readers[index].name)
        #expect(await transport.candidate?.reason == (index == 0 ? .contactless : .byCard))
        #expect(service.count("connect") == 1)
    }

    /// A chip card that is left in a combined reader does not start a tap.
    @Test func aContactCardInACombinedReaderNeverWins() async throws {
        let service = FakeService([TimeTests.picc, card(TimeTests.dual, atr: [0x3B, 0x65, 0x00, 0x00, 1, 2, 3, 4, 5])])
        let transport = try await transport(service)
        #expect(await transport.waitForCard(Poll(timeout: .seconds(3600))) == .nothing)
        #expect(service.count("connect") == 0 && service.count("statusChange") < 100)
        // It is used if the reader is selected by name.
        let named = PCSCTransport(.named("5422"), options: .init(), functions: service.functions)
        #expect(await named.open() == nil)
        #expect(await named.waitForCard(Poll(timeout: .seconds(3600))) == .card)
    }

    @Test func aReaderThatIsPluggedInLaterJoins() async throws {
        let service = FakeService([TimeTests.dual])
        service.change {
            $0.later = (.seconds(60), [TimeTests.dual, card(TimeTests.picc)])
            $0.knowsArrivals = false
        }
        let transport = try await transport(service)
        #expect(await transport.waitForCard(Poll(timeout: .seconds(3600))) == .card)
        #expect(await transport.readerName == TimeTests.picc.name)
    }

    // MARK: Limits

    private static let short = PCSCTransport.Options(
        exchangeLimit: .milliseconds(50), serviceLimit: .milliseconds(50))

    /// The link has timed out; the reader is not used until the call returns, and then everything is released.
    @Test func aCardThatNeverAnswersIsALinkThatTimedOut() async throws {
        let service = FakeService([card(TimeTests.picc)])
        let transport = try await transport(service, TimeTests.short)
        #expect(await transport.waitForCard(Poll(timeout: .seconds(10))) == .card)
        service.change { $0.blocked = ["transmit"] }
        let exchange = Task { await transport.transceive([0, 0xA4, 4, 0]) }
        try await service.until("transmit", 1)
        // The transport answers meanwhile.
        #expect(await transport.readerName == TimeTests.picc.name)
        #expect(await exchange.value == .fault(.timeout))
        #expect(await transport.transceive([0, 0xA4, 4, 0]) == .readerGone)
        let fault = await transport.open()
        #expect(fault?.code == .failed && fault?.explanation.contains(TimeTests.picc.name) == true)
        #expect(service.count("transmit") == 1 && service.count("disconnect") == 0)
        let released = service.count("release")
        service.unblock()
        try await service.until("release", released + 1)
        #expect(service.count("disconnect") == 1)
        try await waitUntil("the reader to open") { await transport.open() == nil }
        #expect(await transport.waitForCard(Poll(timeout: .seconds(10))) == .card)
        #expect(await transport.transceive([0, 0xA4, 4, 0]).bytes == [0x90, 0x00])
    }

    /// A whole tap ends, and the app can cancel, ask and begin again.
    @Test func aTapWithACardThatNeverAnswersEnds() async throws {
        let service = FakeService([card(TimeTests.picc)])
        service.change { $0.blocked = ["transmit"] }
        let reader = TapReader(
            PCSCTransport(.contactless, options: TimeTests.short, functions: service.functions),
            configuration: .simulator(), options: .cardIsThere)
        let session = try await reader.prepare()
        let tap = Task { await session.read(StackTests.request()) }
        try await service.until("transmit", 1)
        await reader.cancel()
        #expect(await tap.value.name == .cancelled)
        service.unblock()
    }

    @Test func otherReadersGoOnWhileOneHangs() async throws {
        let service = FakeService([card(TimeTests.picc), TimeTests.dual])
        let transport = try await transport(service, TimeTests.short)
        #expect(await transport.waitForCard(Poll(timeout: .seconds(10))) == .card)
        service.change { $0.blocked = ["transmit"] }
        #expect(await transport.transceive([0, 0xA4, 4, 0]) == .fault(.timeout))
        service.change {
            $0.blocked = []
            $0.readers[1] = card(TimeTests.dual)
        }
        #expect(await transport.open() == nil)
        #expect(await transport.waitForCard(Poll(timeout: .seconds(10))) == .card)
        #expect(await transport.readerName == TimeTests.dual.name)
        service.unblock()
    }

    /// One thread is lost to the service, not one for each attempt.
    @Test(arguments: ["establish", "listReaders"]) func aServiceThatHangsIsAFault(call: String) async throws {
        let service = FakeService([TimeTests.picc])
        service.change { $0.blocked = [call] }
        let transport = PCSCTransport(.contactless, options: TimeTests.short, functions: service.functions)
        for _ in 0..<5 {
            let fault = await transport.open()
            #expect(fault?.code == .failed && fault?.explanation.contains("pcscd does not answer") == true)
        }
        #expect(service.count(call) == 1)
        service.unblock()
        try await waitUntil("the reader to open") { await transport.open() == nil }
        #expect(await transport.readerName == TimeTests.picc.name)
    }

    /// Neither the wait nor its cancellation is answered.
    @Test func aWaitThatHangsCanBeCancelled() async throws {
        let service = FakeService([TimeTests.picc])
        let transport = try await transport(service)
        service.change { $0.blocked = ["statusChange", "cancel"] }
        let waiting = Task { await transport.waitForCard(Poll()) }
        try await service.until("statusChange", 1)
        waiting.cancel()
        #expect(await waiting.value == .nothing)
        service.unblock(2)
    }
}
