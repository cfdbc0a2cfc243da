// SPDX-License-Identifier: Apache-2.0
import EMVKit
import EMVSimulator
import Testing

/// Certificate work done while the card answers, and issuer keys remembered from earlier taps: both shorten a tap and
/// change nothing else.
@Suite struct AheadOfTimeTests {
    /// Everything that a driver can observe of a tap.
    private struct Course: Equatable {
        var commands: [Bytes] = []
        var messages: [[UIRequest]] = []
        var outcome: Outcome?
        var work = 0
    }

    private func course(of name: String, works: Bool, reader: ReaderMemory?) throws -> Course {
        var card = VirtualCard(CardProfile.named(name)!)
        let configuration = Configuration.simulator()
        let transaction = Transaction(
            type: .purchase, amount: 12_50, currency: 978, exponent: 2, date: CalendarDate("2026-11-21")!,
            time: TimeOfDay("12:00:00")!,
            counter: 1, random: .fixed((0..<32).map { UInt8($0) &* 37 &+ 11 }))
        var session = try KernelSession(try CheckedConfiguration(configuration), transaction, reader: reader)
        var course = Course()
        while session.kind != .done {
            course.messages.append(session.messages)
            switch session.kind {
            case .poll:
                card.reset()
                session.advance(session.poll.removalFirst && session.takes(.removed) ? .removed : .card)
            case .send:
                course.commands.append(session.command)
                while works, session.hasWork(), session.work() { course.work += 1 }
                session.advance(.response(card.respond(to: session.command)))
            case .ask: session.advance(.deadlinePassed)
            case .work: session.advance(.carryOn)
            case .parked, .done: session.advance(.abandon)
            }
        }
        course.outcome = session.outcome
        return course
    }

    @Test func everyCardEndsTheSameWithWorkAheadAndWithRememberedKeys() throws {
        var worked = 0, found = 0
        for name in CardProfile.profiles.keys.sorted() {
            let plain = try course(of: name, works: false, reader: ReaderMemory())
            var ahead = try course(of: name, works: true, reader: ReaderMemory())
            worked += ahead.work
            ahead.work = 0
            #expect(ahead == plain, "\(name), work ahead")

            let reader = ReaderMemory(remembersIssuerKeys: true)
            for tap in 1...2 {
                // The second tap recovers a torn transaction of the first: it is another tap, with or without keys.
                guard tap == 1 || reader.tornTransactions == 0 else { break }
                var remembering = try course(of: name, works: tap == 2, reader: reader)
                remembering.work = 0
                #expect(remembering == plain, "\(name), tap \(tap) with remembered keys")
            }
            found += reader.issuerKeysFound
        }
        #expect(worked > 20 && found > 10)
    }

    @Test func aForgottenKeyIsRecoveredAgainAndKeysOfManyIssuersKeepTheirPlace() throws {
        let reader = ReaderMemory(remembersIssuerKeys: true)
        let first = try course(of: "fdda", works: false, reader: reader)
        #expect(reader.issuerKeysFound == 0)
        for other in ["fddaMax", "fddaMixed", "fddaMaxF4", "fddaNoRemainder"] {
            _ = try course(of: other, works: false, reader: reader)
        }
        #expect(try course(of: "fdda", works: false, reader: reader) == first)
        #expect(reader.issuerKeysFound > 0)
    }

    /// The certificate of a card that can authenticate is found again; an issuer's certificate revoked since then is
    /// still refused.
    @Test func aRememberedKeyThatWasRevokedIsRefused() throws {
        let reader = ReaderMemory(remembersIssuerKeys: true)
        for revoked in [false, true] {
            var configuration = Configuration.simulator()
            if revoked {
                configuration.revoked = [
                    Revocation(rid: CardAuthority.visaRID, index: 0xF3, serial: [0x00, 0x00, 0xAA])
                ]
            }
            var card = VirtualCard(CardProfile.named("revokedIssuer")!)
            let transaction = Transaction(
                type: .purchase, amount: 12_50, currency: 978, exponent: 2, date: CalendarDate("2026-11-21")!,
                time: TimeOfDay("12:00:00")!,
                counter: 1, random: .fixed((0..<32).map { UInt8($0) }))
            var session = try KernelSession(try CheckedConfiguration(configuration), transaction, reader: reader)
            while session.kind != .done {
                switch session.kind {
                case .poll: session.advance(.card)
                case .send: session.advance(.response(card.respond(to: session.command)))
                default: session.advance(session.takes(.carryOn) ? .carryOn : .abandon)
                }
            }
            #expect(session.outcome.status == (revoked ? .declined : .approved))
            #expect(reader.issuerKeysFound == (revoked ? 1 : 0))
        }
    }

    @Test func aForkRemembersKeysOfItsOwn() throws {
        let reader = ReaderMemory(remembersIssuerKeys: true)
        let configuration = try CheckedConfiguration(.simulator())
        let transaction = Transaction(
            type: .purchase, amount: 12_50, currency: 978, exponent: 2, date: CalendarDate("2026-11-21")!,
            time: TimeOfDay("12:00:00")!,
            counter: 1, random: .fixed((0..<32).map { UInt8($0) }))
        let session = try KernelSession(configuration, transaction, reader: reader)
        var fork = session.fork()
        var card = VirtualCard(CardProfile.named("fdda")!)
        while fork.kind != .done {
            switch fork.kind {
            case .poll: fork.advance(.card)
            case .send: fork.advance(.response(card.respond(to: fork.command)))
            default: fork.advance(fork.takes(.carryOn) ? .carryOn : .abandon)
            }
        }
        #expect(fork.outcome.status == .approved)
        _ = try course(of: "fdda", works: false, reader: ReaderMemory())
        #expect(reader.issuerKeysFound == 0 && session.kind == .poll)
    }
}
