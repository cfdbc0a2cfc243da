// SPDX-License-Identifier: Apache-2.0
import EMVKit
import TestWaiting
import Testing

/// A transport that follows a script, and can block a wait until it is released or its task is cancelled.
private actor Script: CardTransport {
    enum Line: Sendable {
        case event(CardEvent)
        /// Waits until the task is cancelled.
        case hold
    }

    private var lines: [Line]
    private let answer: Exchange
    private let fault: ReaderFault?
    private(set) var opened = 0
    private(set) var fieldsOff = 0
    private(set) var polls: [Poll] = []
    private(set) var isWaiting = false

    init(_ lines: [Line], answer: Exchange = .response([0x6A, 0x82], elapsed: nil), fault: ReaderFault? = nil) {
        self.lines = lines
        self.answer = answer
        self.fault = fault
    }

    func open() async -> ReaderFault? {
        opened += 1
        await Task.yield()
        return fault
    }

    func waitForCard(_ poll: Poll) async -> CardEvent {
        polls.append(poll)
        guard !lines.isEmpty else { return .nothing }
        switch lines.removeFirst() {
        case .event(let event): return event
        case .hold:
            isWaiting = true
            while !Task.isCancelled { await Task.yield() }
            isWaiting = false
            return .nothing
        }
    }

    func transceive(_ command: Bytes) async -> Exchange { answer }

    func fieldOff() async { fieldsOff += 1 }
}

@Suite(.timeLimit(.minutes(30))) struct TapReaderTests {
    private static let request = request(1250)

    private static func request(_ amount: UInt64) -> PaymentRequest {
        PaymentRequest(
            amount: Money(minorUnits: amount, currency: .eur), moment: LocalTime(date: testDay, time: .midnight))
    }

    private func prepared(_ script: Script) async throws -> (TapReader, ReaderSession) {
        let reader = TapReader(
            script, configuration: workingConfiguration(), options: .init(waitsForEmptyField: false))
        return (reader, try await reader.prepare())
    }

    private func waits(_ script: Script) async throws {
        try await waitUntil("the script to hold") { await script.isWaiting }
    }

    /// A transport with a single function; the rest is the protocol's default.
    private actor Plain: CardTransport {
        private(set) var offs = 0
        func open() async -> ReaderFault? { nil }
        func waitForCard(_ poll: Poll) async -> CardEvent { .nothing }
        func transceive(_ command: Bytes) async -> Exchange { .readerGone }
        func fieldOff() async { offs += 1 }
    }

    @Test func aFieldOffRequestLastsItsTime() async {
        let plain = Plain(), clock = ContinuousClock(), began = clock.now
        await plain.fieldOff(for: .milliseconds(30))
        #expect(clock.now - began >= .milliseconds(30))
        await plain.fieldOff(for: .zero)
        #expect(await plain.offs == 2)
    }

    @Test func preparingTwiceOpensOnce() async throws {
        let script = Script([])
        let reader = TapReader(script, configuration: workingConfiguration())
        async let first = reader.prepare()
        async let second = reader.prepare()
        _ = try await (first, second)
        _ = try await reader.prepare()
        #expect(await script.opened == 1)
    }

    @Test func preparingThrowsWhatIsWrong() async {
        var configuration = workingConfiguration()
        configuration.combinations[0].kernel = 99
        let wrong = TapReader(Script([]), configuration: configuration)
        let error = await #expect(throws: PrepareError.self) { try await wrong.prepare() }
        guard case .configuration(let reason)? = error else { Issue.record("\(String(describing: error))"); return }
        #expect(reason.reason == .unknownKernel)

        let fault = ReaderFault(.noReader, "No reader is connected")
        let none = TapReader(Script([], fault: fault), configuration: workingConfiguration())
        await #expect(throws: PrepareError.reader(fault)) { try await none.prepare() }
    }

    @Test func aCardWithoutOurApplicationIsUnsupported() async throws {
        let directory = "6F2A840E325041592E5359532E4444463031A518BF0C1561134F08A000000025010901500450415353870101"
        let script = Script([.event(.card)], answer: .response(Hex.bytes(directory + "9000")!, elapsed: nil))
        let (_, session) = try await prepared(script)
        let outcome = await session.read(TapReaderTests.request)
        #expect(outcome == .unsupportedNetwork(NetworkMismatch(offered: [Hex.bytes("A000000025010901")!])))
        #expect(await script.fieldsOff == 1)
    }

    @Test func anAmountOverTheLimitNeverPolls() async throws {
        let script = Script([])
        let (_, session) = try await prepared(script)
        let limit = Money(minorUnits: 30000, currency: .eur)
        #expect(await session.read(TapReaderTests.request(30000)) == .limitExceeded(.transactionLimit(limit)))
        #expect(await script.polls.isEmpty)
    }

    @Test func aSecondTapIsRefusedWhileOneIsUnderWay() async throws {
        let script = Script([.hold])
        let (reader, session) = try await prepared(script)
        let first = Task { await session.read(TapReaderTests.request) }
        try await waits(script)
        #expect(await session.read(TapReaderTests.request) == .failed(.busy))
        await reader.cancel()
        #expect(await first.value == .cancelled(.requested))
    }

    @Test func cancelReturnsWhenTheReaderIsIdle() async throws {
        let script = Script([.hold, .event(.card)])
        let (reader, session) = try await prepared(script)
        let first = Task { await session.read(TapReaderTests.request) }
        try await waits(script)
        await reader.cancel()
        #expect(await script.fieldsOff == 1)
        #expect(await session.read(TapReaderTests.request).name == .unsupportedNetwork)
        #expect(await first.value == .cancelled(.requested))
        await reader.cancel()
    }

    @Test func cancellingTheTaskEndsTheTapAsAValue() async throws {
        let script = Script([.hold])
        let (_, session) = try await prepared(script)
        let tap = Task { await session.read(TapReaderTests.request) }
        try await waits(script)
        tap.cancel()
        #expect(await tap.value == .cancelled(.taskCancelled))
    }

    @Test func nobodyInTimeIsAValue() async throws {
        let script = Script([.event(.nothing)])
        let (_, session) = try await prepared(script)
        var request = TapReaderTests.request
        request.timeout = .seconds(5)
        #expect(await session.read(request) == .cancelled(.timedOut))
        #expect(await script.polls.map(\.timeout) == [.seconds(5)])
    }

    @Test func losingTheReaderEndsTheSession() async throws {
        let script = Script([.event(.readerGone), .event(.card)])
        let (reader, session) = try await prepared(script)
        #expect(await session.read(TapReaderTests.request) == .cancelled(.readerDetached))
        #expect(await session.read(TapReaderTests.request) == .failed(.notPrepared))
        #expect(try await reader.prepare().read(TapReaderTests.request).name == .unsupportedNetwork)
    }

    @Test func collisionsAndFaultsEndInOneOutcome() async throws {
        let lines: [Script.Line] = [.event(.collision), .event(.collisionCleared), .event(.card)]
        let script = Script(
            lines + Array(repeating: .event(.removed), count: 1) + [.event(.card), .event(.removed), .event(.card)],
            answer: .fault(.timeout))
        let (_, session) = try await prepared(script)
        let outcome = await session.read(TapReaderTests.request)
        #expect([.unreadable, .cancelled].contains(outcome.name))
    }

    @Test func aRequestThatContradictsItselfIsAValue() async throws {
        let (_, session) = try await prepared(Script([]))
        var request = TapReaderTests.request
        request.kind = .cashBack(Money(minorUnits: 1, currency: .usd))
        #expect(await session.read(request) == .failed(.invalid([Problem(.currencyConflict, input: .cashBack)])))
    }

    @Test func anAnswerNobodyWaitsForIsAValue() async throws {
        let (_, session) = try await prepared(Script([]))
        #expect(await session.complete(.unableToGoOnline) == .failed(.nothingToComplete))
    }

    @Test func everyListenerBeginsWithTheLatestEvent() async throws {
        let script = Script([.event(.card)])
        let reader = TapReader(script, configuration: workingConfiguration())
        var early = reader.events().makeAsyncIterator()
        #expect(await early.next() == .notReady)
        let session = try await reader.prepare()
        var events: [TapEvent] = []
        while events.last != .ready, let event = await early.next() { events.append(event) }
        #expect(events == [.preparing(fraction: 0), .preparing(fraction: 0.5), .ready])

        var late = reader.events().makeAsyncIterator()
        #expect(await late.next() == .ready)
        _ = await session.read(TapReaderTests.request)
        events = []
        while events.last != .ready, let event = await late.next() { events.append(event) }
        #expect(events.contains(.waitingForCard))
        #expect(events.contains(.cardDetected))
        #expect(events.suffix(2) == [.finished(.unsupportedNetwork), .ready])
        let prompts = events.compactMap { if case .prompt(let prompt) = $0 { prompt.message } else { nil } }
        #expect(prompts.first == .presentCard)
        #expect(prompts.last == .tryAnotherCard)
    }
}
