// SPDX-License-Identifier: Apache-2.0
#if Kernel8
import EMVKit
import EMVSecureChannel
import EMVSimulator
import Foundation
import Testing

// EMVSecureChannel.md
func readerOfKernel8(_ transport: any CardTransport, _ configuration: Configuration) -> TapReader {
    TapReader(transport, configuration: configuration, secrets: .swiftCrypto)
}

/// The snippet of the article EMVSecureChannel taps a card.
@Suite struct Kernel8DocumentationTests {
    @Test func whatItShowsTakesACard() async throws {
        let card = try #require(CardProfile.named("k8Offline"))
        let reader = readerOfKernel8(SimulatedReader(card), .simulator(secrets: .swiftCrypto))
        let outcome = await (try reader.prepare()).read(
            PaymentRequest(amount: Money(minorUnits: 12_50, currency: .eur)))
        guard case .success(let read) = outcome else { Issue.record("\(outcome)"); return }
        #expect(read.authorization == .onlineRequired)
    }

    /// Every Kernel 8 card with swift-crypto and with the simulator's own port: equal commands, equal results.
    @Test(arguments: CardProfile.profiles.keys.filter { $0.hasPrefix("k8") }.sorted())
    func theSimulatorsPortIsAsGoodForACard(name: String) throws {
        let configuration = Configuration.simulator(secrets: .swiftCrypto)
        let taps = try [SecretCrypto.swiftCrypto, .simulatorVariableTime].map { secrets in
            try Self.tap(name, CheckedConfiguration(configuration, secrets: secrets))
        }
        #expect(taps[0].commands == taps[1].commands && !taps[0].commands.isEmpty)
        #expect(taps[0].outcome == taps[1].outcome)
    }

    private static func tap(
        _ name: String, _ configuration: CheckedConfiguration
    ) throws -> (commands: [Bytes], outcome: Outcome) {
        var card = VirtualCard(try #require(CardProfile.named(name)))
        let random = Bytes((0..<160).map { UInt8(truncatingIfNeeded: 0x51 &+ 0x25 &* $0) })
        var session = try KernelSession(
            configuration,
            Transaction(
                amount: 1250, currency: 978, date: CalendarDate("2026-11-21")!, time: TimeOfDay("12:00:00")!,
                random: .fixed(random)))
        var commands: [Bytes] = []
        var presented = 0
        while session.kind != .done {
            switch session.step {
            case .poll(let poll):
                if poll.removalFirst, session.takes(.removed) {
                    session.advance(.removed)
                    continue
                }
                presented += 1
                if presented > 3 { return (commands, session.outcome) }
                card.reset()
                session.advance(.card)
            case .send(let command):
                commands.append(command)
                guard case .response(let bytes, let milliseconds) = card.exchange(command) else {
                    return (commands, session.outcome)
                }
                session.advance(.response(bytes, elapsed: .microseconds(Int64(milliseconds * 1000))))
            case .work: session.advance(.carryOn)
            case .ask, .parked, .done: return (commands, session.outcome)
            }
        }
        return (commands, session.outcome)
    }
}
#endif
