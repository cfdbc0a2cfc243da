// SPDX-License-Identifier: Apache-2.0
import EMVKit

@testable import EMVCards
@testable import EMVSimulator

/// A POS that accepts JCB cards only: it presents the card as often as the kernel asks, and passes the issuer's answer
/// to a kernel that waits for it.
struct JCBPOS {
    var configuration: Configuration
    var amount: UInt64 = 12_50
    var type = TransactionType.purchase
    /// The number of presentments before it gives up.
    var patience = 6
    /// Makes the issuer's answer from the waiting outcome; nil gives up there.
    var issuer: ((Outcome) -> DataObjects?)?

    /// - Parameter ttq: as ``EMVKit/Configuration/simulator(limits:ttq:data:protection:)`` turns them into the options
    ///   of Kernel 5: by default EMV Mode alone, every verification, no issuer update.
    init(
        _ profile: Protection.Profile = .book, ttq: Bytes = [0x36, 0x00, 0x40, 0x00], amount: UInt64 = 12_50,
        offline: Protection.Rule = .profile, _ change: (inout Combination) -> Void = { _ in }
    ) {
        configuration = .simulator(ttq: ttq, protection: Protection(profile: profile, offline: offline))
        configuration.combinations.removeAll { $0.kernel.id != 5 }
        for row in configuration.combinations.indices { change(&configuration.combinations[row]) }
        self.amount = amount
    }

    /// The results of a tap.
    struct Tap {
        var outcome = Outcome(status: .none)
        /// All commands, in order.
        var commands: [Bytes] = []
        var messages: [Message] = []
        var presentments = 0

        /// "approved none", or the tap's name if no card was read.
        var summary: String {
            switch outcome.status {
            case .approved, .onlineRequest: "\(outcome.status.rawValue) \(outcome.cvm.rawValue)"
            default: TapOutcome(outcome: outcome).name.rawValue
            }
        }
        subscript(_ tag: EMVKit.Tag) -> Bytes? { outcome.dataRecord?[tag] }
        var instructions: Bytes { commands.map { $0[1] } }
        func count(_ instruction: UInt8) -> Int { instructions.count { $0 == instruction } }
    }

    var transaction: Transaction {
        Transaction(
            type: type, amount: amount, currency: 978, date: TapThroughTests.moment.date,
            time: TapThroughTests.moment.time, random: .fixed((0..<64).map { UInt8(truncatingIfNeeded: $0 * 5 + 1) }))
    }

    func tap<Card: CardPresentation>(_ card: inout Card, _ memory: ReaderMemory = ReaderMemory()) throws -> Tap {
        var session = try KernelSession(CheckedConfiguration(configuration), transaction, reader: memory)
        var tap = Tap()
        var shown = 0
        while session.kind != .done, shown < 400 {
            shown += 1
            tap.messages += session.messages.map(\.message)
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
                card.reset()
                _ = card.poll()
                session.advance(.card)
            case .send(let command):
                tap.commands.append(command)
                switch card.exchange(command) {
                case .response(let bytes, _): session.advance(.response(bytes, elapsed: .milliseconds(8)))
                case .timeout: session.advance(.fault(.timeout))
                case .transmissionError: session.advance(.fault(.transmission))
                case .protocolError: session.advance(.fault(.protocol))
                case .removed: session.advance(.fault(.removed))
                }
            case .ask: session.advance(.deadlinePassed)
            case .work: session.advance(.carryOn)
            case .parked:
                guard let answer = issuer?(session.outcome) else {
                    tap.outcome = session.outcome
                    return tap
                }
                session.advance(.online(answer))
            case .done: break
            }
        }
        tap.messages += session.messages.map(\.message)
        tap.outcome = session.outcome
        return tap
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

    /// The position of the first GENERATE AC among the exchanges, counted from 1.
    func cryptogramExchange(of name: String) throws -> Int {
        let place = try tap(name).instructions.firstIndex(of: 0xAE)
        return (place ?? -1) + 1
    }
}
