// SPDX-License-Identifier: Apache-2.0
import EMVKit
import TestData
import TestSecrets

@testable import EMVCards
@testable import EMVSimulator

/// A POS for Kernel 8 cards. Its kernel uses the test adapter in C, which shares no code with the cards. It presents
/// the card as often as the kernel asks.
struct Kernel8POS {
    static let secrets = unsafe withUnsafePointer(to: test_secrets) { unsafe SecretCrypto(table: UnsafeRawPointer($0)) }

    var configuration: Configuration
    var amount: UInt64
    var type = TransactionType.purchase
    /// The number of presentments before it gives up.
    var patience = 12
    /// Another seed gives the kernel another key and another number.
    var seed: UInt8 = 1
    /// The transaction's data.
    var data: DataObjects = [:]
    /// Answers to the kernel's questions, in order; after the last one the deadline passes.
    var answers: [Bytes] = []
    /// Whether the session computes ahead while the card works.
    var worksAhead = false

    init(
        _ profile: Protection.Profile = .book, amount: UInt64 = 12_50, ttq: Bytes = [0x36, 0x00, 0x40, 0x00],
        only: Bool = true, _ change: (inout Combination) -> Void = { _ in }
    ) {
        configuration = .simulator(
            ttq: ttq, protection: Protection(profile: profile), secrets: Self.secrets)
        if only { configuration.combinations.removeAll { $0.kernel.id != 8 } }
        configuration.revoked = [
            Revocation(rid: CardAuthority.kernel8RID, index: 0xEC, serial: [0x00, 0xBA, 0xD1])
        ]
        for row in configuration.combinations.indices where configuration.combinations[row].kernel.id == 8 {
            change(&configuration.combinations[row])
        }
        self.amount = amount
    }

    /// The results of a tap.
    struct Tap {
        var outcome = Outcome(status: .none)
        /// The exchanges of the last presentment.
        var exchanges: [(command: Bytes, response: Bytes)] = []
        var messages: [Message] = []
        /// The messages shown during the tap, each with the instruction of the preceding command.
        var early: [(messages: [UIRequest], after: UInt8?)] = []
        var presentments = 0
        /// Each data exchange that the kernel sent to the terminal.
        var sent: [Bytes] = []

        /// "approved none", or the tap's name if no card was read.
        var summary: String {
            switch outcome.status {
            case .approved, .onlineRequest: "\(outcome.status.rawValue) \(outcome.cvm.rawValue)"
            default: TapOutcome(outcome: outcome).name.rawValue
            }
        }
        subscript(_ tag: EMVKit.Tag) -> Bytes? { outcome.dataRecord?[tag] }
        func commands(_ instruction: UInt8) -> [Bytes] { exchanges.map(\.command).filter { $0[1] == instruction } }
        func count(_ instruction: UInt8) -> Int { commands(instruction).count }
        /// Error Indication: L1, L2, L3, status word, message.
        var error: Bytes { outcome.discretionary?[0x9F8204] ?? [] }
    }

    var transaction: Transaction {
        let random = (0..<16).flatMap { block in SHA256.hash([seed, UInt8(block)]) }
        return with(
            Transaction(
                type: type, amount: amount, currency: 978, date: TapThroughTests.moment.date,
                time: TapThroughTests.moment.time, random: .fixed(random))
        ) { $0.data = data }
    }

    func tap<Card: CardPresentation>(_ card: inout Card, _ memory: ReaderMemory = ReaderMemory()) throws -> Tap {
        var session = try KernelSession(
            CheckedConfiguration(configuration, secrets: Self.secrets), transaction, reader: memory)
        var tap = Tap()
        var asked = 0
        for _ in 0..<400 where session.kind != .done {
            tap.messages += session.messages.map(\.message)
            if !session.exchange.isEmpty { tap.sent.append(session.exchange) }
            switch session.step {
            case .poll(let poll):
                if poll.removalFirst, session.takes(.removed) {
                    session.advance(.removed)
                    continue
                }
                guard tap.presentments < patience else {
                    tap.outcome = session.outcome
                    return tap
                }
                tap.presentments += 1
                tap.exchanges = []
                card.reset()
                _ = card.poll()
                session.advance(.card)
            case .send(let command):
                if worksAhead { while session.work() {} }
                let reply = card.exchange(command)
                if case .response(let bytes, _) = reply { tap.exchanges.append((command, bytes)) }
                session.advance(Self.reply(reply))
            case .ask:
                session.advance(asked < answers.count ? .data(answers[asked]) : .deadlinePassed)
                asked += 1
            case .work:
                tap.early.append((session.messages, tap.exchanges.last?.command[1]))
                session.advance(.carryOn)
            case .parked:
                tap.outcome = session.outcome
                return tap
            case .done: break
            }
        }
        tap.messages += session.messages.map(\.message)
        tap.outcome = session.outcome
        return tap
    }

    private static func reply(_ reply: CardReply) -> Reply {
        switch reply {
        case .response(let bytes, let milliseconds):
            .response(bytes, elapsed: .microseconds(Int64(milliseconds * 1000)))
        case .timeout: .fault(.timeout)
        case .transmissionError: .fault(.transmission)
        case .protocolError: .fault(.protocol)
        case .removed: .fault(.removed)
        }
    }

    /// Taps a new card of this name through a relay.
    func tap(_ name: String, _ edits: [CardEdit] = []) throws -> Tap {
        var card = ManInTheMiddle(VirtualCard(CardProfile.named(name)!), edits)
        return try tap(&card)
    }

    /// Taps a card made from a named one.
    func tap(_ name: String, changed change: (inout CardApplication) -> Void) throws -> Tap {
        var profile = CardProfile.named(name)!
        change(&profile.application)
        var card = VirtualCard(profile)
        return try tap(&card)
    }
}
