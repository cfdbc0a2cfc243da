// SPDX-License-Identifier: Apache-2.0
import EMVKit
import EMVSimulator
import Foundation
import Testing

/// A reader with random events at any time; a seed reproduces them.
actor RestlessReader: CardTransport {
    static let cards =
        [
            "online", "online", "online", "decline", "onlinePIN", "phoneLocked", "issuerUpdate", "tryAnotherInterface",
            "unknownScheme",
        ]
        .compactMap { CardProfile.named($0) } + [CardProfile.named("fdda")!]
    static let checked = try! CheckedConfiguration(.simulator(ttq: [0x36, 0x00, 0xC0, 0x00]))

    private var random: SeededRandom
    private var card: VirtualCard
    private var isCalm = false
    private var isGone = false
    private var inCollision = false
    private var busy = 0
    /// Whether two calls used the antenna at once.
    private(set) var overlapped = false

    init(seed: UInt64, card: CardProfile) {
        random = SeededRandom(seed: seed)
        self.card = VirtualCard(card)
    }

    /// From now on there are no faults, and an ordinary card is present.
    func calm(_ profile: CardProfile) {
        isCalm = true
        isGone = false
        inCollision = false
        card = VirtualCard(profile)
    }

    /// Calms this reader and prepares the `TapReader` that uses it. An opening already in progress may still fail, and
    /// so may a preparation that joins it.
    nonisolated func calm(_ profile: CardProfile, preparing reader: TapReader) async {
        await calm(profile)
        for _ in 0..<10 where (try? await reader.prepare()) == nil {}
    }

    func unplug() { if !isCalm { isGone = true } }
    func plugIn() { isGone = false }

    private func pause() async {
        if isCalm { return }
        for _ in 0..<Int.random(in: 0...3, using: &random) { await Task.yield() }
    }

    func open() async -> ReaderFault? {
        await pause()
        if isCalm { return nil }
        if Int.random(in: 0..<20, using: &random) == 0 { return ReaderFault(.failed, "restless") }
        return isGone && Int.random(in: 0..<2, using: &random) == 0
            ? ReaderFault(.noReader, "restless")
            : {
                isGone = false; return nil
            }()
    }

    private func enter() { busy += 1; if busy > 1 { overlapped = true } }

    func waitForCard(_ poll: Poll) async -> CardEvent {
        enter()
        defer { busy -= 1 }
        await pause()
        if isGone { return .readerGone }
        if poll.removalFirst {
            card.reset()
            return .removed
        }
        if isCalm { return .card }
        if inCollision {
            inCollision = false
            return .collisionCleared
        }
        switch Int.random(in: 0..<40, using: &random) {
        case 0..<30: return .card
        case 30..<32:
            inCollision = true
            return .collision
        case 32: return .fault(LinkFault.allCases.randomElement(using: &random)!)
        case 33: return .nothing
        case 34:
            isGone = true
            return .readerGone
        default:
            // No card arrives for a while.
            for _ in 0..<Int.random(in: 1...60, using: &random) where !Task.isCancelled { await Task.yield() }
            return Task.isCancelled ? .nothing : .card
        }
    }

    func transceive(_ command: Bytes) async -> Exchange {
        enter()
        defer { busy -= 1 }
        await pause()
        if isGone { return .readerGone }
        if !isCalm {
            switch Int.random(in: 0..<60, using: &random) {
            case 0: return .fault(LinkFault.allCases.randomElement(using: &random)!)
            case 1:
                isGone = true
                return .readerGone
            case 2: return .response([0x6F, 0x00], elapsed: nil)
            default: break
            }
        }
        guard case .response(let bytes, _) = card.exchange(command) else { return .fault(.transmission) }
        return .response(bytes, elapsed: nil)
    }

    func fieldOff() async {
        await pause()
        card.reset()
    }

    /// No time passes during this call.
    func fieldOff(for hold: Duration) async { await fieldOff() }
}

private actor Count {
    private(set) var value = 0
    func add() { value += 1 }
}

/// A random history of a POS: a tap and its authorisation, with any event in between.
private struct Life {
    let seed: UInt64
    let transport: RestlessReader
    let reader: TapReader
    let host: SimulatedAuthorizer
    let pad: SimulatedPINPad?
    let purpose: Int
    let disturbances: [(kind: Int, after: Int)]
    let answersChallenge: Int
    let reads = Count()

    init(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        self.seed = seed
        transport = RestlessReader(
            seed: random.next(),
            card: RestlessReader.cards[Int.random(in: 0..<RestlessReader.cards.count, using: &random)])
        let clock = SimulatedClock(.afterYields(Int.random(in: 1...40, using: &random)))
        let isImmediate = Bool.random(using: &random), hasPINPad = Int.random(in: 0..<4, using: &random) != 0
        reader = TapReader(
            transport, checked: RestlessReader.checked,
            options: settings {
                $0.timer = clock
                $0.returnReadResultImmediately = isImmediate
                $0.hasPINPad = hasPINPad
            })
        let confirms = Int.random(in: 0..<4, using: &random) != 0
        let answers: [SimulatedAuthorizer.Answer] = [
            .approve, .approve, .approve, .decline("51"), .requestPIN(times: 1), .requestPIN(times: 9), .unreachable,
            .timeOut, .loseAnswer,
        ]
        host = SimulatedAuthorizer(
            answers[Int.random(in: 0..<answers.count, using: &random)], confirmsReversals: confirms)
        let entries: [SimulatedPINPad.Entry] = [
            .entered, .entered, .entered, .bypassed, .cancelled, .timedOut, .broken, .nobody,
        ]
        pad =
            Int.random(in: 0..<3, using: &random) == 0
            ? nil : SimulatedPINPad((0..<2).map { _ in entries[Int.random(in: 0..<entries.count, using: &random)] })
        purpose = Int.random(in: 0..<6, using: &random)
        disturbances = (0..<Int.random(in: 0...3, using: &random)).map { _ in
            (Int.random(in: 0..<6, using: &random), Int.random(in: 0...120, using: &random))
        }
        answersChallenge = Int.random(in: 0..<3, using: &random)
    }

    /// The results of a sale: how the tap ended, and the payment if there was one.
    private func sell() async -> (TapOutcome, CardRead?, AuthorizationResult?) {
        let request = PaymentRequest(amount: eur(1250))
        let outcome: TapOutcome
        switch purpose {
        case 0:
            await reads.add()
            outcome = await reader.read(VerificationRequest(reason: .verify, currency: .eur))
        case 1:
            await reads.add()
            outcome = await reader.read(request)
        default:
            guard let session = try? await reader.prepare() else { return (.failed(.notPrepared), nil, nil) }
            await reads.add()
            outcome = await session.read(request)
            guard let read = outcome.read else { return (outcome, nil, nil) }
            var result = await session.authorize(read, with: host, pinPad: pad)
            if case .pinRequested(let challenge) = result.ending, let block = SimulatedPINPad.block() {
                switch answersChallenge {
                case 0: result = await session.authorize(read, answering: challenge, with: block)
                case 1: result = await session.giveUp(read)
                default: break
                }
            }
            return (outcome, read, result)
        }
        return (outcome, outcome.read, nil)
    }

    private func disturb(
        _ kind: Int, after yields: Int, _ sale: Task<(TapOutcome, CardRead?, AuthorizationResult?), Never>
    ) async {
        for _ in 0..<yields { await Task.yield() }
        switch kind {
        case 0: await reader.cancel()
        case 1: sale.cancel()
        case 2: await reader.suspend()
        case 3: await transport.unplug()
        case 4:
            await reads.add()
            _ = await reader.read(PaymentRequest(amount: eur(700)))
        default:
            if let session = try? await reader.prepare() {
                await reads.add()
                _ = await session.read(PaymentRequest(amount: eur(800)), superseding: true)
            }
        }
    }

    func run() async {
        let listening = reader.events()
        let sale = Task { await sell() }
        await withTaskGroup(of: Void.self) { group in
            for (kind, after) in disturbances { group.addTask { await disturb(kind, after: after, sale) } }
        }
        let (outcome, read, result) = await sale.value
        await reader.cancel()
        await check(outcome, read, result)
        await transport.calm(RestlessReader.cards[0], preparing: reader)
        await reads.add()
        let last = await reader.read(PaymentRequest(amount: eur(900)))
        #expect(last.name == .success, "seed \(seed): \(last)")
        #expect(await !transport.overlapped, "seed \(seed)")
        await checkEvents(listening, until: last.read?.key)
    }

    private func check(_ outcome: TapOutcome, _ read: CardRead?, _ result: AuthorizationResult?) async {
        if purpose == 0 {
            #expect(![.success, .onlinePINRequired, .onlinePINUnavailable].contains(outcome.name), "seed \(seed)")
        }
        if ![.success, .verified].contains(outcome.name) {
            #expect(!outcome.problems.isEmpty && !outcome.alternatives.isEmpty, "seed \(seed): \(outcome)")
        }
        guard let read, let key = read.key, let result else { return }
        let booked = await host.ledger[key]
        switch result.ending {
        case .approved(let approval) where approval.origin == .card:
            #expect(read.outcome.status == .approved, "seed \(seed)")
        case .approved: #expect(booked == .approved, "seed \(seed)")
        case .declined, .pinRequested, .accepted: #expect(booked != .approved, "seed \(seed)")
        case .failed, .reversed: #expect(booked != .approved && booked != .open, "seed \(seed): \(result)")
        // This includes a host whose confirmation came after the deadline.
        case .unknown(let unsettled): #expect(unsettled == key, "seed \(seed)")
        }
        #expect(result.name == .approved || !result.alternatives.isEmpty, "seed \(seed)")
    }

    /// Every call of `read` publishes its end exactly once, and no tap begins before the previous one has ended.
    private func checkEvents(_ events: AsyncStream<TapEvent>, until last: ReconciliationKey?) async {
        guard let last else { return }
        var started = 0, finished = 0, isLast = false
        for await event in events {
            switch event {
            case .started(let key):
                #expect(finished >= started, "seed \(seed)")
                started += 1
                isLast = key == last
            case .finished: finished += 1
            default: break
            }
            if isLast, event == .ready { break }
        }
        let called = await reads.value
        #expect(finished == called, "seed \(seed)")
    }
}

@Suite struct TapModelTests {
    // swift-format-ignore
    @Test(
        "E13, E14: every tap ends in one value with the reader idle, and nothing approved is left unbooked",
        .timeLimit(.minutes(30)))
    func anyInterleavingEndsWell() async {
        for seed in ModelSeeds.all() { await Life(seed: seed).run() }
    }
}
