// SPDX-License-Identifier: Apache-2.0
import EMVKit
import EMVPCSC
import EMVSimulator
import Foundation
import TestData
import Testing

/// The real pcscd, its virtual reader, and a virtual card over TCP.
@Suite(.serialized, .enabled(if: Sandbox.isThere, Sandbox.missing), .timeLimit(.minutes(10)))
struct StackTests {
    // MARK: Taps

    /// - Parameter key: for taps at different readers that are compared.
    static func request(_ amount: UInt64 = 1250, key: ReconciliationKey? = nil) -> PaymentRequest {
        with(
            PaymentRequest(
                amount: Money(minorUnits: amount, currency: .eur), key: key, timeout: .seconds(10),
                moment: CalendarDate("2026-11-21").map { LocalTime(date: $0, time: .midnight) })
        ) { $0.counter = 7 }
    }

    private static func tap(_ transport: any CardTransport) async throws -> TapOutcome {
        let options = TapReader.Options(waitsForEmptyField: false, random: .fixed((0..<64).map { 0x51 &+ 0x25 &* $0 }))
        let session = try await TapReader(transport, configuration: .simulator(), options: options).prepare()
        return await session.read(request(key: ReconciliationKey(rawValue: "stack")))
    }

    @Test(arguments: [
        "online", "onlineRecords", "fdda", "fddaMax", "decline", "nextApplication", "unknownScheme", "cdcvmPhone",
        "mcOnline", "mcOffline", "mcOfflineMax", "mcDecline", "mcStripe",
    ])
    func tapsLikeACardInMemory(profile: String) async throws {
        let card = VirtualCard(try #require(CardProfile.named(profile)))
        let expected = try await StackTests.tap(Unmarked(card))
        try await Sandbox.settle()
        let (found, visit) = try await Sandbox.with(card) {
            try await StackTests.tap(PCSCTransport(.named(Sandbox.reader)))
        }
        #expect(found == expected)
        #expect(visit.commands > 0)
        if ["mcOnline", "mcOffline", "mcOfflineMax", "mcStripe"].contains(profile) { #expect(found.name == .success) }
    }

    @Test("P7: a card that is left on the reader pays once, in another process too; one that returns pays again")
    func aCardThatIsLeftPaysOnce() async throws {
        try await Sandbox.settle()
        let host = SimulatedAuthorizer(), card = VirtualCard(try #require(CardProfile.named("online")))
        func reader() -> TapReader {
            TapReader(PCSCTransport(.named(Sandbox.reader)), configuration: .simulator())
        }
        func request(_ timeout: Duration) -> PaymentRequest {
            PaymentRequest(amount: Money(minorUnits: 1250, currency: .eur), timeout: timeout)
        }
        func booked() async -> Int { await host.ledger.values.count { $0 == .approved } }
        let first = reader(), waiting = first.events()
        let sale = Task { await first.charge(request(.seconds(20)), with: host) }
        for await event in waiting where event == .waitingForCard { break }
        _ = try await Sandbox.with(card) {
            #expect(await sale.value.name == .approved)
            // The button is pressed again after "Approved"; then another process is started.
            for again in [first, reader()] {
                let result = await again.charge(request(.seconds(2)), with: host)
                #expect(result.ending == .notRead(.cancelled(.cardLeft)))
            }
        }
        #expect(await booked() == 1)
        let events = first.events()
        let next = Task { await first.charge(request(.seconds(20)), with: host) }
        for await event in events where event == .waitingForCard { break }
        _ = try await Sandbox.with(card) { #expect(await next.value.name == .approved) }
        #expect(await booked() == 2)
    }

    // MARK: Faults of the card

    /// SELECT, GET PROCESSING OPTIONS, records: the card is removed during each of these commands.
    @Test(arguments: 1...6) func cardDiesDuringAnExchange(at command: Int) async throws {
        let card = VirtualCard(try #require(CardProfile.named("fdda")))
        try await Sandbox.settle()
        let transport = try await Sandbox.transport()
        let session = try await TapReader(transport, configuration: .simulator(), options: .cardIsThere).prepare()
        let (outcome, visit) = try await Sandbox.with(card, CardServer(diesAt: command)) {
            var request = StackTests.request()
            request.timeout = .seconds(2)
            return await session.read(request)
        }
        if visit.commands == command, visit.end == .left {
            // The kernel requests the card again, and it is not presented.
            #expect(outcome == .cancelled(.timedOut))
        } else {
            #expect(command > 1 && visit.commands < command)
        }
        try await expectUsable(transport)
    }

    @Test(arguments: 1...6) func cardLeavesBetweenExchanges(after command: Int) async throws {
        let card = VirtualCard(try #require(CardProfile.named("fdda")))
        try await Sandbox.settle()
        let transport = try await Sandbox.transport()
        let session = try await TapReader(transport, configuration: .simulator(), options: .cardIsThere).prepare()
        let (outcome, visit) = try await Sandbox.with(card, CardServer(leavesAfter: command)) {
            var request = StackTests.request()
            request.timeout = .seconds(2)
            return await session.read(request)
        }
        // After its last answer a card may leave.
        #expect(visit.commands <= command)
        if visit.commands == command, outcome.name != .success { #expect(outcome == .cancelled(.timedOut)) }
        try await expectUsable(transport)
    }

    @Test func exchangesTellWhatHappenedToTheCard() async throws {
        try await Sandbox.settle()
        let transport = try await Sandbox.transport()
        _ = try await Sandbox.with(lengthCard, CardServer(diesAt: 2)) {
            #expect(await transport.waitForCard(Poll(timeout: .seconds(10))) == .card)
            #expect(await transport.transceive(ask(2)).bytes == [0x90, 0x00])
            let fault = await transport.transceive(ask(2))
            #expect(fault == .fault(.transmission) || fault == .fault(.removed))
            // Further commands fail, too.
            for _ in 0..<3 {
                guard case .fault = await transport.transceive(ask(2)) else {
                    Issue.record("a card that is gone answers")
                    return
                }
            }
        }
        try await expectUsable(transport)
    }

    /// The first card is removed when it is powered down, and the next one is present before pcscd checks.
    @Test func noticesACardThatFollowsAtOnce() async throws {
        try await Sandbox.settle()
        let transport = try await Sandbox.transport()
        for _ in 0..<3 {
            _ = try await Sandbox.with(lengthCard) {
                #expect(await transport.waitForCard(Poll(timeout: .seconds(10))) == .card)
                #expect(await transport.transceive(ask(2)).bytes == [0x90, 0x00])
            }
            await transport.fieldOff()
        }
        await transport.close()
        // The next test begins with a reader that is known to be empty.
        try await Task.sleep(for: .milliseconds(600))
    }

    private func expectUsable(_ transport: PCSCTransport) async throws {
        await transport.fieldOff()
        try await Sandbox.settle()
        _ = try await Sandbox.with(lengthCard) {
            let event = await transport.waitForCard(Poll(timeout: .seconds(10)))
            let error = await transport.lastError
            #expect(event == .card, "\(String(describing: error))")
            #expect(await transport.transceive(ask(4)).bytes?.count == 4)
            await transport.fieldOff()
        }
    }

    // MARK: Lengths

    @Test func responsesOfEveryEdge() async throws {
        try await Sandbox.settle()
        _ = try await Sandbox.with(lengthCard) {
            let transport = try await Sandbox.connected()
            for length in [2, 3, 255, 256, 257, 258, 259, 4096, 32767, 32768, 65534, 65535] {
                guard case .response(let bytes, let elapsed) = await transport.transceive(ask(length)) else {
                    Issue.record("no response of \(length) bytes")
                    continue
                }
                #expect(bytes.count == length && bytes.suffix(2) == [0x90, 0x00])
                #expect(elapsed.map { $0 > .zero } == true)
            }
            await transport.close()
        }
    }

    /// A successful call with fewer bytes than a status word is not a response.
    @Test func responsesTooShort() async throws {
        try await Sandbox.settle()
        let transport = try await Sandbox.transport()
        _ = try await Sandbox.with(lengthCard) {
            #expect(await transport.waitForCard(Poll(timeout: .seconds(10))) == .card)
            #expect(await transport.transceive(ask(1)) == .fault(.transmission))
            await transport.fieldOff()
        }
        try await expectUsable(transport)
    }

    @Test func commandsOfEveryEdge() async throws {
        let echo = FunctionCard { [UInt8($0.count >> 8), UInt8($0.count & 0xFF), 0x90, 0x00] }
        try await Sandbox.settle()
        _ = try await Sandbox.with(echo) {
            let transport = try await Sandbox.connected()
            for length in [4, 5, 260, 261, 262, 4096, 32768, 65535] {
                let command = [0x00, 0xDA, 0x00, 0x00] + Bytes(repeating: 0x55, count: length - 4)
                #expect(
                    await transport.transceive(command).bytes
                        == [UInt8(length >> 8), UInt8(length & 0xFF), 0x90, 0x00])
            }
            // Longer than PC/SC accepts.
            #expect(await transport.transceive(Bytes(repeating: 0, count: 70000)) == .fault(.protocol))
            #expect(await transport.transceive([0, 0xB0, 0, 0]).bytes?.count == 4)
            await transport.close()
        }
    }

    /// The time measured by relay resistance is at least the card's time and at most the caller's.
    @Test func elapsedTimesCoverTheCardsWork() async throws {
        try await Sandbox.settle()
        let delay = Duration.milliseconds(20)
        _ = try await Sandbox.with(lengthCard, CardServer(delay: delay)) {
            let transport = try await Sandbox.connected()
            for _ in 0..<5 {
                let begin = ContinuousClock.now
                let exchange = await transport.transceive(ask(8))
                let whole = ContinuousClock.now - begin
                guard case .response(_, let elapsed?) = exchange else {
                    Issue.record("\(exchange)")
                    break
                }
                #expect(elapsed >= delay && elapsed <= whole)
            }
            await transport.close()
        }
    }

    // MARK: T=0 and T=1

    private static let procedural = FunctionCard { command in
        switch command[1] {
        case 0xC0: Bytes(repeating: 0xAA, count: Int(command[4])) + (command[4] == 5 ? [0x61, 0x03] : [0x90, 0x00])
        case 0xA4: [0x61, 0x05]
        case 0xB2: command[4] == 7 ? Bytes(repeating: 0xBB, count: 7) + [0x90, 0x00] : [0x6C, 0x07]
        default: [0x6D, 0x00]
        }
    }

    @Test func fetchesResponsesOverT0() async throws {
        try await Sandbox.settle()
        _ = try await Sandbox.with(StackTests.procedural, CardServer(answerToReset: [0x3B, 0x00])) {
            let transport = try await Sandbox.connected()
            let select = await transport.transceive([0x00, 0xA4, 0x04, 0x00, 0x02, 0x3F, 0x00, 0x00])
            #expect(select.bytes == Bytes(repeating: 0xAA, count: 8) + [0x90, 0x00])
            let read = await transport.transceive([0x00, 0xB2, 0x01, 0x0C, 0x00])
            #expect(read.bytes == Bytes(repeating: 0xBB, count: 7) + [0x90, 0x00])
            await transport.close()
        }
    }

    @Test func leavesStatusWordsAloneOverT1() async throws {
        try await Sandbox.settle()
        _ = try await Sandbox.with(StackTests.procedural) {
            let transport = try await Sandbox.connected()
            #expect(
                await transport.transceive([0x00, 0xA4, 0x04, 0x00, 0x02, 0x3F, 0x00, 0x00]).bytes == [0x61, 0x05])
            #expect(await transport.transceive([0x00, 0xB2, 0x01, 0x0C, 0x00]).bytes == [0x6C, 0x07])
            await transport.close()
        }
    }

    // MARK: Cancellation

    /// Cancels at 50 random moments, mostly during a wait. These waits have no time limit, so only the cancellation
    /// ends them. If each cancellation took another slice of the wait, the test would still meet the suite's limit; if
    /// each took seconds, it would not.
    @Test func cancelledWaitsEnd() async throws {
        try await Sandbox.settle()
        let transport = try await Sandbox.transport()
        var random = SeededRandom(seed: 4)
        var times: [Duration] = []
        for _ in 0..<50 {
            let task = Task { await transport.waitForCard(Poll()) }
            try await Task.sleep(for: .microseconds(Int.random(in: 0...60000, using: &random)))
            let begin = ContinuousClock.now
            task.cancel()
            #expect(await task.value == .nothing)
            times.append(ContinuousClock.now - begin)
        }
        times.sort()
        print("cancelled waits: median \(times[25]), longest \(times[49])")
        try await expectUsable(transport)
    }

    /// A wait blocks a separate thread: twenty questions are answered during one wait of a second.
    @Test func answersWhileItWaits() async throws {
        try await Sandbox.settle()
        let transport = try await Sandbox.transport()
        let waiting = Task {
            #expect(await transport.waitForCard(Poll(timeout: .seconds(1))) == .nothing)
            return ContinuousClock.now
        }
        try await Task.sleep(for: .milliseconds(100))
        for _ in 0..<20 { #expect(await transport.readerName == Sandbox.reader) }
        let answered = ContinuousClock.now
        #expect(await waiting.value > answered)
    }

    /// Cancelled by the reader, which runs on the transport's executor.
    @Test func cancelledReadersAreIdleAtOnce() async throws {
        try await Sandbox.settle()
        let reader = TapReader(try await Sandbox.transport(), configuration: .simulator(), options: .cardIsThere)
        let session = try await reader.prepare()
        var random = SeededRandom(seed: 6)
        var longest = Duration.zero
        for _ in 0..<20 {
            let tap = Task { await session.read(StackTests.request()) }
            try await Task.sleep(for: .microseconds(Int.random(in: 5000...60000, using: &random)))
            let begin = ContinuousClock.now
            await reader.cancel()
            longest = max(longest, ContinuousClock.now - begin)
            #expect(await tap.value == .cancelled(.requested))
        }
        print("cancelled readers: longest \(longest)")
        _ = try await Sandbox.with(VirtualCard(try #require(CardProfile.named("online")))) {
            #expect(await session.read(StackTests.request()).name == .success)
        }
    }

    /// Cancels at 50 random moments of a whole tap. A tap that is not cancelled continues until its time limit, and
    /// reports it.
    @Test func cancelledTapsEndAndLeaveTheReaderUsable() async throws {
        try await Sandbox.settle()
        let card = VirtualCard(try #require(CardProfile.named("fdda")))
        let transport = try await Sandbox.transport()
        var random = SeededRandom(seed: 5)
        var ended: [TapName: Int] = [:]
        var longest = Duration.zero
        _ = try await Sandbox.with(card, CardServer(delay: .milliseconds(5))) {
            let session = try await TapReader(transport, configuration: .simulator(), options: .cardIsThere).prepare()
            for _ in 0..<50 {
                let task = Task { await session.read(StackTests.request()) }
                try await Task.sleep(for: .microseconds(Int.random(in: 0...60000, using: &random)))
                let begin = ContinuousClock.now
                task.cancel()
                let outcome = await task.value
                longest = max(longest, ContinuousClock.now - begin)
                ended[outcome.name, default: 0] += 1
                #expect(outcome == .cancelled(.taskCancelled) || outcome.name == .success)
            }
            #expect(await session.read(StackTests.request()).name == .success)
        }
        print(
            "cancelled taps: \(ended.map { "\($0.value) \($0.key.rawValue)" }.sorted().joined(separator: ", ")), "
                + "longest \(longest)"
        )
    }

    // MARK: The service

    @Test func survivesAKilledDaemon() async throws {
        try await Sandbox.settle()
        let transport = try await Sandbox.transport()
        for verb in ["kill", "stop"] {
            _ = try await Sandbox.with(lengthCard) {
                #expect(await transport.waitForCard(Poll(timeout: .seconds(10))) == .card)
                #expect(await transport.transceive(ask(2)).bytes != nil)
                try Sandbox.daemon(verb)
                #expect(await transport.transceive(ask(2)) == .readerGone)
            }
            #expect(await transport.open()?.code == .noService)
            #expect(await transport.transceive(ask(2)) == .readerGone)
            try Sandbox.daemon("start")
            #expect(await transport.open() == nil)
            try await expectUsable(transport)
        }
    }

    @Test func aDaemonKilledDuringAnExchangeDetachesTheReader() async throws {
        try await Sandbox.settle()
        let card = VirtualCard(try #require(CardProfile.named("online")))
        let reader = TapReader(try await Sandbox.transport(), configuration: .simulator(), options: .cardIsThere)
        let session = try await reader.prepare()
        let events = reader.events()
        let (_, visit) = try await Sandbox.with(card, CardServer(delay: .milliseconds(500))) {
            let tap = Task { await session.read(StackTests.request()) }
            for await event in events where event == .cardDetected { break }
            try await Task.sleep(for: .milliseconds(100))
            try Sandbox.daemon("kill")
            #expect(await tap.value == .cancelled(.readerDetached))
            try Sandbox.daemon("start")
        }
        #expect(visit.commands == 1)
        _ = try await Sandbox.with(card) {
            let again = try await reader.prepare()
            #expect(await again.read(StackTests.request()).name == .success)
        }
    }

    @Test func waitsThroughARestartOfTheDaemon() async throws {
        try await Sandbox.settle()
        let transport = try await Sandbox.transport(.init(patience: .seconds(20)))
        let waiting = Task { await transport.waitForCard(Poll(timeout: .seconds(30))) }
        try await Task.sleep(for: .milliseconds(50))
        try Sandbox.daemon("kill")
        try await Task.sleep(for: .milliseconds(300))
        try Sandbox.daemon("start")
        _ = try await Sandbox.with(lengthCard) {
            #expect(await waiting.value == .card)
            #expect(await transport.transceive(ask(3)).bytes?.count == 3)
            await transport.close()
        }
    }

    @Test func endsAWaitWhenTheDaemonStaysAway() async throws {
        try await Sandbox.settle()
        let transport = try await Sandbox.transport(.init(patience: .milliseconds(300)))
        let reader = TapReader(transport, configuration: .simulator(), options: .cardIsThere)
        let session = try await reader.prepare()
        let tap = Task { await session.read(StackTests.request()) }
        try await Task.sleep(for: .milliseconds(100))
        try Sandbox.daemon("kill")
        #expect(await tap.value == .cancelled(.readerDetached))
        await #expect(throws: PrepareError.self) { _ = try await reader.prepare() }
        #expect(await PCSCTransport().open()?.code == .noService)
        let list = await ReaderDiscovery.now()
        #expect(list.readers.isEmpty && list.error?.meaning == .reader(.noService))
        let diagnosis = await ReaderDiagnosis.examine()
        #expect(diagnosis.findings.map(\.code) == [.serviceStopped])
        try Sandbox.daemon("start")
        _ = try await Sandbox.with(VirtualCard(try #require(CardProfile.named("online")))) {
            let again = try await reader.prepare()
            #expect(await again.read(StackTests.request()).name == .success)
        }
    }

    // MARK: Readers

    @Test func refusesAReaderThatIsNotThere() async throws {
        #expect(await PCSCTransport(.named("no such reader")).open()?.code == .noReader)
        // A part of the name is sufficient if only one reader matches.
        let transport = PCSCTransport(.named("pcd 00 01"))
        #expect(await transport.open() == nil)
        #expect(await transport.readerName == "Virtual PCD 00 01")
        #expect(await PCSCTransport(.named("virtual")).open()?.code == .noReader)
    }

    @Test func discoversCardsAndTheService() async throws {
        try await Sandbox.settle()
        var lists = ReaderDiscovery().makeAsyncIterator()
        func until(_ condition: (ReaderList) -> Bool) async throws {
            for _ in 0..<20 where condition(try #require(await lists.next())) { return }
            Issue.record("discovery never told")
        }
        func isPresent(_ list: ReaderList) -> Bool {
            list.readers.contains {
                $0.name == Sandbox.reader && $0.card == .present(atr: CardServer.contactless) && $0.isContactless
            }
        }
        try await until { $0.readers.count == 2 && !isPresent($0) }
        _ = try await Sandbox.with(lengthCard) { try await until(isPresent) }
        try await until { !isPresent($0) }
        try Sandbox.daemon("kill")
        try await until { $0.error != nil && $0.readers.isEmpty }
        try Sandbox.daemon("start")
        try await until { $0.error == nil && $0.readers.count == 2 }
        let cancelled = Task { () -> ReaderList? in
            var quiet = ReaderDiscovery().makeAsyncIterator()
            _ = await quiet.next()
            return await quiet.next()
        }
        try await Task.sleep(for: .milliseconds(100))
        cancelled.cancel()
        #expect(await cancelled.value == nil)
    }

    @Test func aHealthyReaderHasNoFindings() async throws {
        try await Sandbox.settle()
        _ = try await Sandbox.with(lengthCard) {
            let transport = try await Sandbox.connected()
            await transport.fieldOff()
            #expect(await ReaderDiagnosis.examine().findings.filter { $0.code != .kernelModule } == [])
            #expect(await transport.waitForCard(Poll(timeout: .seconds(10))) == .card)
            #expect(await ReaderDiagnosis.examine().findings.map(\.code) == [.cardInUse])
            await transport.close()
        }
    }

    // MARK: Two programs

    /// Another context of this process holds the card in place of a second program.
    @Test func waitsForACardThatAnotherHolds() async throws {
        try await Sandbox.settle()
        _ = try await Sandbox.with(lengthCard) {
            let first = try await Sandbox.connected()
            let second = try await Sandbox.transport()
            guard case .inUse = await second.waitForCard(Poll(timeout: .milliseconds(400))) else {
                Issue.record("nobody says that the card is held")
                return
            }
            #expect(await second.lastError?.meaning == .reader(.inUse))
            let waiting = Task { await second.waitForCard(Poll(timeout: .seconds(20))) }
            try await Task.sleep(for: .milliseconds(100))
            #expect(await first.transceive(ask(2)).bytes == [0x90, 0x00])
            await first.fieldOff()
            #expect(await waiting.value == .card)
            #expect(await second.transceive(ask(2)).bytes == [0x90, 0x00])
            await second.close()
            await first.close()
        }
    }

    /// The holder is a separate process, which is killed while it holds the card.
    @Test func takesACardOverFromAKilledProgram() async throws {
        let other = try Sandbox.bench()
        try await Sandbox.settle()
        _ = try await Sandbox.with(lengthCard, CardServer(delay: .milliseconds(300))) {
            let process = Process()
            process.executableURL = other
            process.arguments = ["tap", "--amount", "12.50", "--currency", "EUR", "--reader", Sandbox.reader, "--json"]
            process.standardOutput = FileHandle.nullDevice
            process.standardError = FileHandle.nullDevice
            try process.run()
            let watcher = try await Sandbox.transport()
            while process.isRunning {
                let list = await ReaderDiscovery.now()
                if list.readers.contains(where: { $0.isInUse }) { break }
                try await Task.sleep(for: .milliseconds(10))
            }
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
            #expect(await watcher.waitForCard(Poll(timeout: .seconds(20))) == .card)
            #expect(await watcher.transceive(ask(2)).bytes == [0x90, 0x00])
            await watcher.close()
        }
    }

    @Test func sharesByTransaction() async throws {
        try await Sandbox.settle()
        _ = try await Sandbox.with(lengthCard) {
            let first = try await Sandbox.connected(.init(sharing: .transaction))
            #expect(await first.transceive(ask(2)).bytes == [0x90, 0x00])
            #expect(await ReaderDiscovery.now().readers.contains { $0.isInUse })
            #expect(await ReaderDiagnosis.examine().findings.filter { $0.code == .cardInUse } == [])
            await first.fieldOff()
            // pcscd retries the doctor's connections, which waited for the transaction, every 100 ms. They must be over
            // before the next card arrives: if two of vpcd's threads detect it at once, one waits in accept() for ever.
            try await Task.sleep(for: .milliseconds(500))
            await first.close()
        }
    }

    // MARK: Leaks

    @Test func tenThousandRoundsLeakNothing() async throws {
        try await Sandbox.settle()
        _ = try await Sandbox.with(lengthCard) {
            let transport = try await Sandbox.transport()
            // The first round without a card ends the test, because every further one would wait as long.
            func rounds(_ count: Int) async throws {
                for round in 0..<count {
                    let event = await transport.waitForCard(Poll(timeout: .seconds(30)))
                    let readers = event == .card ? [] : await ReaderDiscovery.now().readers
                    try #require(event == .card, "round \(round): \(readers)")
                    await transport.fieldOff()
                }
            }
            func lives(_ count: Int) async throws {
                for _ in 0..<count {
                    let other = try await Sandbox.transport()
                    _ = await other.waitForCard(Poll(timeout: .seconds(10)))
                    if Bool.random() { await other.close() }
                }
            }
            try await rounds(200)
            try await lives(100)
            let before = try Footprint()
            try await rounds(9000)
            try await lives(1000)
            try await Task.sleep(for: .milliseconds(500))
            let after = try Footprint()
            print("10,000 rounds: \(before) before, \(after) after")
            #expect(after.files <= before.files + 2)
            #expect(after.threads <= before.threads + 2)
            #expect(after.kilobytes <= before.kilobytes + 4096)
        }
    }
}

/// The system resources of this process.
private struct Footprint: CustomStringConvertible {
    let files: Int
    let threads: Int
    let kilobytes: Int

    init() throws {
        files = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
        threads = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") } ?? ""
        kilobytes = Int(line.filter(\.isNumber)) ?? 0
    }

    var description: String { "\(files) files, \(threads) threads, \(kilobytes) kB" }
}

/// A card in memory that is not marked as simulated, for comparing its taps with those of other readers.
struct Unmarked: CardTransport {
    private let reader: SimulatedReader

    init(_ card: VirtualCard) { reader = SimulatedReader(card) }

    func open() async -> ReaderFault? { await reader.open() }
    func waitForCard(_ poll: Poll) async -> CardEvent { await reader.waitForCard(poll) }
    func transceive(_ command: Bytes) async -> Exchange { await reader.transceive(command) }
    func fieldOff() async { await reader.fieldOff() }
    func fieldOff(for hold: Duration) async { await reader.fieldOff(for: hold) }
}
