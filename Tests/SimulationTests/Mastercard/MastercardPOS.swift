// SPDX-License-Identifier: Apache-2.0
import EMVKit
import TestData

@testable import EMVCards
@testable import EMVSimulator

/// A POS that runs `KernelSession` with any card, presented as often as the kernel asks.
struct MastercardPOS {
    var configuration = Configuration.simulator()
    var transaction = MastercardPOS.sale()
    /// Answers to the kernel's questions, in order; after the last one the deadline passes.
    var answers: [DataObjects] = []
    /// The time that the reader's clock measures for the n-th EXCHANGE RELAY RESISTANCE DATA (from 0), given its real
    /// duration in milliseconds.
    var clock: (_ attempt: Int, _ milliseconds: Double) -> Duration? = { .microseconds(Int($1 * 1000)) }
    /// Gives up if the card is requested again after this number of presentments.
    var patience = Int.max

    static func sale(
        _ amount: UInt64 = 12_50, _ data: DataObjects = [:], type: TransactionType = .purchase
    ) -> Transaction {
        var random = SeededRandom(seed: 7)
        return with(
            Transaction(
                type: type, amount: amount, currency: 978, date: CalendarDate(year: 2026, month: 11, day: 21)!,
                time: TimeOfDay(hour: 12, minute: 0, second: 0)!,
                random: .fixed((0..<512).map { _ in .random(in: 0...255, using: &random) }))
        ) { $0.data = data }
    }

    init(_ profile: Protection.Profile = .guarded) {
        configuration = .simulator(protection: Protection(profile: profile))
    }

    /// The results of a tap.
    struct Tap {
        /// The last outcome; if the session was given up, the outcome that requested the card again.
        var outcome = Outcome(status: .none)
        var gaveUp = false
        var commands: [Bytes] = []
        var messages: [Message] = []
        /// The data sent in data exchange, in order.
        var exchanges: [Bytes] = []
        var questions: [Question] = []
        var presentments = 0

        /// "onlineRequest none", or the tap's name if no card was read.
        var summary: String {
            switch outcome.status {
            case .approved, .onlineRequest, .requestOnlinePIN: "\(outcome.status.rawValue) \(outcome.cvm.rawValue)"
            default: TapOutcome(outcome: outcome).name.rawValue
            }
        }

        subscript(_ tag: EMVKit.Tag) -> Bytes? { outcome.dataRecord?[tag] }
        var terminalVerification: Bytes? { self[0x95] }
        /// Instruction bytes, in order.
        var instructions: Bytes { commands.map { $0[1] } }
        func count(_ instruction: UInt8) -> Int { instructions.count { $0 == instruction } }
    }

    func tap<Card: CardPresentation>(_ card: inout Card, _ reader: ReaderMemory? = nil) throws -> Tap {
        var session = try KernelSession(checked(), transaction, reader: reader)
        var tap = Tap()
        var answered = 0
        while session.kind != .done {
            tap.messages += session.messages.map(\.message)
            if !session.exchange.isEmpty { tap.exchanges.append(session.exchange) }
            switch session.step {
            case .poll(let poll):
                if poll.removalFirst, session.takes(.removed) {
                    session.advance(.removed)
                    continue
                }
                if tap.presentments >= patience {
                    tap.gaveUp = true
                    tap.outcome = session.outcome
                    return tap
                }
                tap.presentments += 1
                card.reset()
                _ = card.poll()
                session.advance(.card)
            case .send(let command):
                tap.commands.append(command)
                session.advance(reply(card.exchange(command), to: command, tap.count(0xEA)))
            case .ask(let question):
                tap.questions.append(question)
                if answered == answers.count {
                    session.advance(.deadlinePassed)
                } else {
                    session.advance(.data(answers[answered].encoded))
                    answered += 1
                }
            case .work: session.advance(.carryOn)
            case .parked: session.advance(.abandon)
            case .done: break
            }
        }
        tap.messages += session.messages.map(\.message)
        tap.outcome = session.outcome
        return tap
    }

    private func reply(_ reply: CardReply, to command: Bytes, _ attempts: Int) -> Reply {
        switch reply {
        case .response(let bytes, let milliseconds):
            .response(bytes, elapsed: command[1] == 0xEA ? clock(attempts - 1, milliseconds) : .milliseconds(1))
        case .timeout: .fault(.timeout)
        case .transmissionError: .fault(.transmission)
        case .protocolError: .fault(.protocol)
        case .removed: .fault(.removed)
        }
    }

    /// Checks the configuration once, and again only after a change.
    func checked() throws -> CheckedConfiguration {
        if let held = cache.held, held.configuration == configuration { return held }
        let checked = try CheckedConfiguration(configuration)
        cache.held = checked
        return checked
    }

    private final class Cache { var held: CheckedConfiguration? }
    private let cache = Cache()

    /// A new card of this name; its certificates are shared.
    static func card(_ name: String) -> VirtualCard { cards[name] ?? VirtualCard(CardProfile.named(name)!) }

    private static let cards: [String: VirtualCard] = Dictionary(
        uniqueKeysWithValues: names.map { name in
            var card = VirtualCard(CardProfile.named(name)!)
            _ = PlainKernel2().open(&card)
            card.reset()
            return (name, card)
        })

    /// Taps a new card once.
    func tap(_ name: String, _ edits: [CardEdit] = []) throws -> Tap {
        var card = ManInTheMiddle(Self.card(name), edits)
        return try tap(&card)
    }

    static let names = CardProfile.profiles.keys.filter { $0.hasPrefix("mc") }.sorted()
}

/// Sits between a fault and a card, and records the cryptograms that the card really generated.
struct Witness<Card: CardPresentation>: CardPresentation {
    private(set) var card: Card
    /// Counter and type (bits 8-7 of 9F27) of every cryptogram from GENERATE AC.
    private(set) var given: [(counter: Bytes, type: UInt8)] = []
    private(set) var recoveries = 0

    init(_ card: Card) { self.card = card }

    var approvals: [Bytes] { given.filter { $0.type == 0x40 }.map(\.counter) }

    mutating func poll() -> CardPresence { card.poll() }
    mutating func reset() { card.reset() }

    mutating func exchange(_ command: [UInt8]) -> CardReply {
        let reply = card.exchange(command)
        guard case .response(let bytes, _) = reply, bytes.suffix(2) == [0x90, 0x00], command.count > 1 else {
            return reply
        }
        if command[1] == 0xAE, let shown = Self.shown(Array(bytes.dropLast(2))) { given.append(shown) }
        if command[1] == 0xD0 { recoveries += 1 }
        return reply
    }

    private static func shown(_ body: [UInt8]) -> (counter: Bytes, type: UInt8)? {
        if body.first == 0x80, body.count > 5 { return (Array(body[3..<5]), body[2] & 0xC0) }
        guard let inner = PlainTerminal.find(0x77, in: body), let objects = DataObject.parse(inner) else { return nil }
        guard let type = objects.first(where: { $0.tag == 0x9F27 })?.value.first else { return nil }
        return (objects.first { $0.tag == 0x9F36 }?.value ?? [], type & 0xC0)
    }
}
