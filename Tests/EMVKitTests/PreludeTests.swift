// SPDX-License-Identifier: Apache-2.0
import EMVSimulator
import TestWaiting
import Testing
@testable import EMVKernel
@testable import EMVKit
@testable import EMVPOS

/// Sends nothing, and lets the payment begin.
struct SilentPrelude: Prelude {
    var annotation: Bytes? { [0x6A, 0x01] }
    var limit: Duration { .milliseconds(300) }
    var invitation: TextKey? { nil }
    func hold(_ card: PreludeCard) async {}
    func end(after answers: [PreludeAnswer]) -> PreludeEnd { PreludeEnd(.payment) }
}

/// Sends its commands in order and records their results.
private actor ScriptedPrelude: Prelude {
    nonisolated let annotation: Bytes?
    nonisolated let limit: Duration
    nonisolated let invitation: TextKey?
    private let commands: [Bytes]
    private let next: PreludeEnd
    private(set) var answers: [PreludeAnswer] = []
    private(set) var isOver = false
    /// The answers that came with each question for the next step.
    private(set) var told: [[PreludeAnswer]] = []
    private let meanwhile: (@Sendable () async -> Void)?

    init(
        _ commands: [Bytes] = [PreludeTests.select], then next: PreludeEnd = PreludeEnd(.payment),
        limit: Duration = .milliseconds(300), annotation: Bytes? = nil, invitation: TextKey? = nil,
        meanwhile: (@Sendable () async -> Void)? = nil
    ) {
        self.commands = commands
        self.next = next
        self.limit = limit
        self.annotation = annotation
        self.invitation = invitation
        self.meanwhile = meanwhile
    }

    func hold(_ card: PreludeCard) async {
        for command in commands {
            answers.append(await card.send(command))
            await meanwhile?()
        }
        isOver = true
    }

    func end(after answers: [PreludeAnswer]) -> PreludeEnd {
        told.append(answers)
        return next
    }
}

/// A card with an additional application that is slow.
private struct CardWithApplication: CardPresentation {
    var card: VirtualCard
    var milliseconds = 1.0
    var reply: CardReply?

    mutating func poll() -> CardPresence { card.poll() }
    mutating func exchange(_ command: [UInt8]) -> CardReply {
        guard command == PreludeTests.select else { return card.exchange(command) }
        return reply ?? .response([0x6A, 0x82], milliseconds: milliseconds)
    }
    mutating func reset() { card.reset() }
}

/// Records commands, polls and field changes in order.
private actor FieldRecorder: CardTransport {
    private let reader: SimulatedReader
    nonisolated let sendsPollingFrames: Bool
    private(set) var log: [String] = []
    private(set) var commands: [Bytes] = []
    private(set) var polls: [Poll] = []

    init(_ reader: SimulatedReader, sendsPollingFrames: Bool = false) {
        self.reader = reader
        self.sendsPollingFrames = sendsPollingFrames
    }

    func open() async -> ReaderFault? { await reader.open() }
    func waitForCard(_ poll: Poll) async -> CardEvent {
        polls.append(poll)
        log.append(poll.removalFirst ? "removal" : "poll")
        return await reader.waitForCard(poll)
    }
    func transceive(_ command: Bytes) async -> Exchange {
        commands.append(command)
        log.append(Hex.string(command.prefix(2)))
        return await reader.transceive(command)
    }
    func fieldOff() async { log.append("off") }
    func fieldOff(for hold: Duration) async {
        log.append("off")
        await reader.fieldOff(for: hold)
    }
}

@Suite struct PreludeTests {
    static let select: Bytes = [0x00, 0xA4, 0x04, 0x00, 0x02, 0xAB, 0xCD, 0x00]

    private let request = PaymentRequest(amount: eur(1250))

    /// Time passes only when a test advances it, and other tasks take processor time.
    private func timelessReader(
        _ transport: any CardTransport, _ change: (inout TapReader.Options) -> Void = { _ in }
    ) -> TapReader {
        tapReader(transport) {
            $0.timer = SimulatedClock()
            change(&$0)
        }
    }

    private func reader(
        _ card: CardWithApplication = CardWithApplication(card: VirtualCard(.named("online")!)),
        sendsPollingFrames: Bool = false
    ) -> (FieldRecorder, TapReader) {
        let recorder = FieldRecorder(SimulatedReader(card), sendsPollingFrames: sendsPollingFrames)
        return (recorder, timelessReader(recorder))
    }

    @Test func aDialogueComesBeforeThePaymentAndChangesNothingOfIt() async throws {
        let (plain, first) = reader()
        let without = await first.read(request)
        let (recorder, second) = reader()
        let prelude = ScriptedPrelude([PreludeTests.select, PreludeTests.select])
        let with = await second.read(request, after: prelude)
        #expect(with.name == .success && with.name == without.name)
        let commands = await recorder.commands, plainCommands = await plain.commands
        #expect(Array(commands.prefix(2)) == [PreludeTests.select, PreludeTests.select])
        #expect(commands.count == plainCommands.count + 2)
        // The unpredictable number differs in every tap.
        #expect(commands.dropFirst(2).map { $0.prefix(5) } == plainCommands.map { $0.prefix(5) })
        #expect(await prelude.answers == [.response([0x6A, 0x82]), .response([0x6A, 0x82])])
        #expect(await recorder.log == ["poll", "00A4", "00A4"] + plain.log.dropFirst())
    }

    @Test(arguments: LinkFault.allCases)
    func aBrokenLinkLeavesThePaymentAsItWouldBeAndTheFieldOn(_ fault: LinkFault) async throws {
        let reply: CardReply =
            switch fault {
            case .timeout: .timeout
            case .transmission: .transmissionError
            case .protocol: .protocolError
            case .removed: .removed
            }
        let card = CardWithApplication(card: VirtualCard(.named("online")!), reply: reply)
        let (recorder, reader) = reader(card)
        let prelude = ScriptedPrelude([PreludeTests.select, PreludeTests.select])
        let outcome = await reader.read(request, after: prelude)
        #expect(outcome.name == .success)
        #expect(await prelude.answers == [.fault(fault), .over])
        #expect(await Array(recorder.log.prefix(3)) == ["poll", "00A4", "00A4"])
    }

    /// Only the first presentment of a tap has a prelude: the next one is payment only.
    @Test func aFurtherPresentmentGoesToTheKernelAtOnce() async throws {
        let recorder = FieldRecorder(SimulatedReader(.seePhone))
        let reader = timelessReader(recorder)
        let outcome = await reader.read(request, after: ScriptedPrelude())
        #expect(outcome.name == .success)
        #expect(await recorder.commands.filter { $0 == PreludeTests.select }.count == 1)
        #expect(await recorder.polls.filter { !$0.removalFirst }.count == 2)
    }

    @Test func aPhoneThatIsNotReadyIsTakenAwayBeforeItPays() async throws {
        let (recorder, reader) = reader()
        let events = collect(reader.events(), until: isFinished)
        let text = TextKey("loyalty.label")
        let outcome = await reader.read(
            request, after: ScriptedPrelude(then: PreludeEnd(.presentAgain, text: text)))
        #expect(outcome.name == .success)
        #expect(await Array(recorder.log.prefix(5)) == ["poll", "00A4", "removal", "poll", "00A4"])
        let told = await events.value
        #expect(told.contains(.presentAgain))
        let prompts = told.compactMap { if case .prompt(let prompt) = $0 { prompt } else { nil } }
        #expect(prompts.contains { $0.text == TextCatalogue().text(text) && $0.message == .presentAgain })
    }

    @Test func aPreludeMayTakeThePlaceOfThePayment() async throws {
        let (recorder, reader) = reader()
        let events = collect(reader.events(), until: isFinished)
        let text = TextKey("loyalty.read")
        let outcome = await reader.read(request, after: ScriptedPrelude(then: PreludeEnd(.stop, text: text)))
        #expect(outcome == .cancelled(.requested))
        #expect(await recorder.commands == [PreludeTests.select])
        let prompts = await events.value.compactMap { if case .prompt(let prompt) = $0 { prompt } else { nil } }
        #expect(prompts.last?.text == TextCatalogue().text(text) && prompts.last?.cue == .cardRead)
        #expect(prompts.last?.total == nil)
        let charged = await reader.charge(
            request, after: ScriptedPrelude(then: PreludeEnd(.stop)), with: SimulatedAuthorizer())
        #expect(charged == .notRead(.cancelled(.requested)))
    }

    // MARK: - Time

    /// The limit is checked before each command, and the last command is allowed to finish. The only time that passes
    /// is the time the card reports.
    @Test func aDialogueOverItsTimeGivesWayToThePayment() async throws {
        let card = CardWithApplication(card: VirtualCard(.named("online")!), milliseconds: 100)
        for (limit, count) in [(250, 3), (200, 2), (99, 1), (0, 0)] {
            let recorder = FieldRecorder(SimulatedReader(card))
            let reader = timelessReader(recorder)
            let prelude = ScriptedPrelude(
                Array(repeating: PreludeTests.select, count: 9), limit: .milliseconds(limit))
            #expect(await reader.read(request, after: prelude).name == .success)
            #expect(await recorder.commands.filter { $0 == PreludeTests.select }.count == count, "\(limit)")
            #expect(await prelude.answers.filter { $0 == .over }.count == 9 - count)
        }
    }

    /// A prelude that never returns is abandoned when its time is up.
    @Test func aDialogueThatHangsIsLeft() async throws {
        let (recorder, _) = reader()
        let clock = SimulatedClock(), gate = Latch()
        let reader = tapReader(recorder) { $0.timer = clock }
        let prelude = ScriptedPrelude([PreludeTests.select, PreludeTests.select]) { await gate.pass() }
        async let outcome = reader.read(request, after: prelude)
        try await waitUntil("the prelude to wait") { await gate.count > 0 }
        try await waitUntilSomeoneSleeps(clock)
        await clock.advance(by: .milliseconds(300))
        #expect(await outcome.name == .success)
        #expect(await recorder.commands.filter { $0 == PreludeTests.select }.count == 1)
        #expect(await !prelude.isOver)
        await gate.open()
        try await waitUntil("the prelude to end") { await prelude.isOver }
        // Its later commands are not sent.
        #expect(await prelude.answers == [.response([0x6A, 0x82]), .over])
        #expect(await recorder.commands.filter { $0 == PreludeTests.select }.count == 1)
    }

    @Test func cancellingEndsADialogue() async throws {
        let (recorder, _) = reader()
        let gate = Latch()
        let reader = timelessReader(recorder)
        let prelude = ScriptedPrelude([PreludeTests.select, PreludeTests.select]) { await gate.pass() }
        async let outcome = reader.read(request, after: prelude)
        try await waitUntil("the prelude to wait") { await gate.count > 0 }
        await reader.cancel()
        #expect(await outcome == .cancelled(.requested))
        await gate.open()
        #expect(await recorder.commands == [PreludeTests.select])
    }

    @Test func aReaderThatGoesEndsTheTap() async throws {
        let simulated = SimulatedReader(CardWithApplication(card: VirtualCard(.named("online")!)))
        let reader = timelessReader(simulated)
        let prelude = ScriptedPrelude([PreludeTests.select, PreludeTests.select]) { await simulated.detach() }
        #expect(await reader.read(request, after: prelude) == .cancelled(.readerDetached))
        await simulated.attach()
        let alone = ScriptedPrelude([PreludeTests.select, PreludeTests.select]) { await simulated.detach() }
        #expect(await reader.hold(alone) == .cancelled(.readerDetached))
    }

    /// If a command is being sent when the time is up, its answer comes with the question for the next step, because
    /// the prelude may not have seen it yet. No command follows.
    @Test func theLastAnswerComesWithTheQuestion() async throws {
        for isGone in [false, true] {
            let clock = SimulatedClock(), gate = Latch()
            let card = CardWithApplication(card: VirtualCard(.named("online")!))
            let transport = LateReader(SimulatedReader(card), gate, isGone: isGone)
            let reader = tapReader(transport) { $0.timer = clock }
            let prelude = ScriptedPrelude([PreludeTests.select, PreludeTests.select])
            let outcome = Task { await reader.read(request, after: prelude) }
            try await waitUntil("a command to be out") { await gate.count > 0 }
            try await waitUntilSomeoneSleeps(clock)
            await clock.advance(by: .milliseconds(300))
            try await waitUntil("the time to be up") { await reader.lending?.isOpen == false }
            #expect(await prelude.told.isEmpty)
            await gate.open()
            let last: PreludeAnswer = isGone ? .over : .response([0x6A, 0x82])
            if isGone {
                #expect(await outcome.value == .cancelled(.readerDetached))
            } else {
                #expect(await outcome.value.name == .success)
            }
            #expect(await prelude.told == [[last]])
            try await waitUntil("the prelude to end") { await prelude.isOver }
            #expect(await prelude.answers == [last, .over])
        }
        // A command that was not sent has no answer.
        let (_, reader) = reader(CardWithApplication(card: VirtualCard(.named("online")!), milliseconds: 200))
        let prelude = ScriptedPrelude(Array(repeating: PreludeTests.select, count: 3))
        _ = await reader.read(request, after: prelude)
        let answer = PreludeAnswer.response([0x6A, 0x82])
        #expect(await prelude.told == [[answer, answer]])
        #expect(await prelude.answers == [answer, answer, .over])
    }

    // MARK: - Another total

    private func total(_ amount: UInt64) -> PreludeEnd { PreludeEnd(.payment, total: AmountChange.Total(eur(amount))) }

    /// The rules of row I12 apply.
    @Test func aTotalHoldsWhereAChangeWould() async throws {
        let usd = AmountChange.Total(Money(minorUnits: 1000, currency: .usd))
        for (end, ceiling, paid) in [
            (total(1000), nil, 1000), (total(1251), nil, 1250), (total(1300), 1300, 1300), (total(1301), 1300, 1250),
            (total(0), 1300, 1250), (PreludeEnd(.payment, total: usd), 1300, 1250), (total(1250), 1300, 1250),
        ] as [(PreludeEnd, UInt64?, UInt64)] {
            let (recorder, reader) = reader()
            var request = request
            if let ceiling { request.amountChange = AmountChange(upTo: eur(ceiling)) }
            let read = await reader.read(request, after: ScriptedPrelude(then: end)).read
            #expect(read?.amount == eur(paid) && read?.dataRecord[0x9F02] == eur(paid).numeric, "\(end)")
            #expect(await recorder.log.prefix(3) == ["poll", "00A4", "00A4"])
            // The next payment has the amount of its request.
            #expect(await reader.read(PaymentRequest(amount: eur(1250))).read?.amount == eur(1250))
        }
    }

    /// A change by the card's application starts from the prelude's total, and has the same ceiling.
    @Test func aChangeByTheCardBeginsFromThePreludesTotal() async throws {
        for (answer, paid) in [(nil, 1000), (1400, 1400), (1600, 1000)] as [(UInt64?, UInt64)] {
            let (_, reader) = reader()
            var request = request
            request.amountChange = AmountChange(upTo: eur(1500), within: .seconds(30)) { question in
                question.request.amount == eur(1000) ? answer.map { AmountChange.Total(eur($0)) } : nil
            }
            let read = await reader.read(request, after: ScriptedPrelude(then: total(1000))).read
            #expect(read?.amount == eur(paid) && read?.dataRecord[0x9F02] == eur(paid).numeric)
        }
    }

    @Test func aTotalBeyondTheLimitsEndsTheTapBeforeTheCardIsAskedToPay() async throws {
        let (recorder, reader) = reader()
        var request = request
        request.amountChange = AmountChange(upTo: eur(90_000))
        let outcome = await reader.read(request, after: ScriptedPrelude(then: total(90_000)))
        guard case .limitExceeded = outcome else { Issue.record("\(outcome)"); return }
        #expect(await !recorder.commands.contains { $0.starts(with: [0x80, 0xA8]) })
        #expect(await reader.read(PaymentRequest(amount: eur(1250))).read?.amount == eur(1250))
    }

    /// If no application accepts the total, the kernel ends before it polls for a card: no command follows, and the
    /// customer is not asked to tap again in vain.
    @Test(arguments: [PreludeEnd.Next.payment, .presentAgain])
    func aTotalThatNoApplicationTakesEndsTheTapAtOnce(_ next: PreludeEnd.Next) async throws {
        var configuration = Configuration.simulator()
        configuration.combinations.removeAll { $0.kernel.id != 3 }
        let recorder = FieldRecorder(SimulatedReader(CardWithApplication(card: VirtualCard(.named("online")!))))
        let reader = tapReader(recorder, configuration: configuration) { $0.timer = SimulatedClock() }
        var request = request
        request.amountChange = AmountChange(upTo: eur(90_000))
        let end = PreludeEnd(next, total: AmountChange.Total(eur(90_000)))
        let outcome = await reader.read(request, after: ScriptedPrelude(then: end))
        guard case .limitExceeded = outcome else { Issue.record("\(outcome)"); return }
        let log = await recorder.log
        #expect(Array(log.prefix { $0 != "off" }) == ["poll", "00A4"], "\(log)")
        #expect(await recorder.polls.count == 1)
    }

    @Test func aKernelThatCannotBeginAnewEndsTheTap() {
        let refusal = ConfigurationError(
            section: .transaction, field: .amount, reason: .missing, expected: "an amount", found: "none")
        var machine = Sample.machine()
        machine.state = .pricing(Sample.run(), total(1000))
        #expect(machine.begunAgain(.failure(refusal)).operation == .fieldOff(.zero))
        #expect(machine.fieldSwitchedOff().operation == .finish(.tap(.failed(.invalidRequest(refusal)))))
        machine.state = .pricing(Sample.run(), total(1000))
        machine.interruption = .requested
        _ = machine.begunAgain(.success(KernelReport(step: .poll(Poll()))))
        #expect(machine.fieldSwitchedOff().operation == .finish(.tap(.cancelled(.requested))))
    }

    // MARK: - Polling frames

    @Test func aFrameIsAskedForWhereTheReaderSendsItAndOnlyUntilTheCardComes() async throws {
        let frame: Bytes = [0x6A, 0x01, 0x00, 0x00, 0x01, 0x7F, 0xE0]
        for sends in [true, false] {
            let recorder = FieldRecorder(SimulatedReader(.seePhone), sendsPollingFrames: sends)
            let reader = timelessReader(recorder)
            _ = await reader.read(request, after: ScriptedPrelude(annotation: frame))
            let polls = await recorder.polls
            #expect(polls.first?.annotation == (sends ? frame : nil))
            #expect(polls.dropFirst().allSatisfy { $0.annotation == nil })
            _ = await reader.read(request)
            #expect(await recorder.polls.last?.annotation == nil)
        }
        let simulated = SimulatedReader(.online)
        let reader = timelessReader(simulated)
        _ = await reader.hold(ScriptedPrelude(annotation: frame))
        #expect(await simulated.pollingFrames == [frame])
        #expect(SimulatedReader(.online).sendsPollingFrames)
    }

    // MARK: - Without a payment

    @Test func withoutAPaymentNoKernelRuns() async throws {
        let (recorder, reader) = reader()
        let events = collect(reader.events()) { if case .cardRead = $0 { true } else { false } }
        let prelude = ScriptedPrelude(
            then: PreludeEnd(.payment, text: TextKey("loyalty.read")), invitation: TextKey("loyalty.label"))
        #expect(await reader.hold(prelude) == .held)
        #expect(await recorder.commands == [PreludeTests.select])
        #expect(await recorder.log == ["poll", "00A4", "off"])
        let told = await events.value
        let prompts = told.compactMap { if case .prompt(let prompt) = $0 { prompt } else { nil } }
        #expect(
            prompts.map(\.text)
                == [TextKey("loyalty.label"), TextKey("loyalty.read")].map { TextCatalogue().text($0) })
        #expect(prompts.allSatisfy { $0.total == nil && $0.merchant == nil })
        #expect(!told.contains { if case .started = $0 { true } else { false } })
        // The number of transactions is unchanged.
        guard case .success(let read) = await reader.read(request) else { Issue.record("not read"); return }
        #expect(read.tap?.counter == 1)
    }

    @Test func nobodyWaitsForEver() async throws {
        let reader = tapReader(SimulatedReader(.noCard))
        #expect(await reader.hold(SilentPrelude(), timeout: .milliseconds(1)) == .cancelled(.timedOut))
        var machine = Sample.machine()
        _ = machine.preludeRequested(PreludeRun(handle: Sample.prelude))
        _ = machine.started()
        _ = machine.prepared()
        for _ in 1..<ReaderStateMachine.maximumActivationFaults {
            _ = machine.cardArrived(.collision)
            guard case .waitForCard = machine.cardArrived(.fault(.transmission)).operation else {
                Issue.record("not waited for"); return
            }
        }
        #expect(machine.cardArrived(.fault(.transmission)).operation == .fieldOff(.zero))
        #expect(machine.fieldSwitchedOff().operation == .finish(.prelude(.linkFailed(.transmission))))
    }

    @Test func aPaymentThatWaitsIsNotDisturbed() {
        var machine = Sample.machine()
        let run = PreludeRun(handle: Sample.prelude), busy = ReaderAction(then: .finish(.prelude(.failed(.busy))))
        machine.parked = Sample.parked()
        #expect(machine.preludeRequested(run) == busy)
        machine.parked = nil
        machine.challenge = Sample.conversation()
        #expect(machine.preludeRequested(run) == busy)
        machine.challenge = nil
        machine.isReserved = true
        #expect(machine.preludeRequested(run) == busy)
        machine.isReserved = false
        #expect(machine.preludeRequested(run, generation: 99).operation == .finish(.prelude(.failed(.notPrepared))))
        #expect(
            machine.preludeRequested(run, isCancelled: true).operation
                == .finish(.prelude(.cancelled(.taskCancelled))))
        #expect(machine.preludeRequested(run).operation == .run)
        #expect(machine.endRequested(.requested).operation == .cancelActivity)
        #expect(machine.started().operation == .finish(.prelude(.cancelled(.requested))))
    }

    @Test func aReaderThatCannotBePreparedSaysSo() async throws {
        let simulated = SimulatedReader(.online)
        await simulated.detach()
        let reader = timelessReader(simulated)
        guard case .failed(.preparation) = await reader.hold(SilentPrelude()) else { Issue.record("held"); return }
    }

    /// The prelude ends with its tap, even if no card arrived.
    @Test func aPreludeBelongsToOneTap() async throws {
        let recorder = FieldRecorder(SimulatedReader(.noCard), sendsPollingFrames: true)
        let reader = timelessReader(recorder) { $0.cardTimeout = .milliseconds(1) }
        #expect(await reader.read(request, after: SilentPrelude()) == .cancelled(.timedOut))
        #expect(await reader.read(request) == .cancelled(.timedOut))
        #expect(await recorder.polls.map(\.annotation) == [[0x6A, 0x01], nil])
    }

    @Test func whatWasSaidStandsInNoDescription() {
        let answer = PreludeAnswer.response([0xCA, 0xFE])
        var dumped = ""
        dump(answer, to: &dumped)
        for text in ["\(answer)", String(reflecting: answer), dumped] {
            #expect(!text.contains("202") && !text.contains("CAFE"), "\(text)")
        }
        let faults = LinkFault.allCases.map { "\(PreludeAnswer.fault($0))" }
        #expect("\(answer)" == "response (2 bytes)" && "\(PreludeAnswer.over)" == "over")
        #expect(faults == LinkFault.allCases.map { "fault \($0.rawValue)" })
        let exchanged = Exchange.response([0xCA, 0xFE, 0x90, 0x00], elapsed: .milliseconds(3))
        #expect("\(exchanged)" == "response (4 bytes)" && "\(Exchange.readerGone)" == "reader gone")
        #expect(LinkFault.allCases.map { "\(Exchange.fault($0))" } == faults)
    }
}

/// Delays the answer to a prelude's command, or has disconnected by then.
private actor LateReader: CardTransport {
    private let reader: SimulatedReader
    private let gate: Latch
    private let isGone: Bool

    init(_ reader: SimulatedReader, _ gate: Latch, isGone: Bool) {
        self.reader = reader
        self.gate = gate
        self.isGone = isGone
    }

    func open() async -> ReaderFault? { await reader.open() }
    func waitForCard(_ poll: Poll) async -> CardEvent { await reader.waitForCard(poll) }
    func transceive(_ command: Bytes) async -> Exchange {
        guard command == PreludeTests.select else { return await reader.transceive(command) }
        await gate.pass()
        return isGone ? .readerGone : await reader.transceive(command)
    }
    func fieldOff() async { await reader.fieldOff() }
    func fieldOff(for hold: Duration) async { await reader.fieldOff(for: hold) }
}
