// SPDX-License-Identifier: Apache-2.0
import EMVKit
import EMVSimulator
import Foundation
import Testing

/// Reads by the simulator are marked, and a live host is never asked about them.
@Suite(.timeLimit(.minutes(30))) struct SimulatedReadTests {
    /// A host as an app writes it: it states nothing about simulated reads.
    private actor LiveHost: DeliveringAuthorizer {
        private(set) var calls = 0
        func authorize(_ request: AuthorizationRequest) async throws -> IssuerDecision {
            calls += 1
            return .approved(Approval())
        }
        func reverse(_ reversal: Reversal) async throws { calls += 1 }
        func deliver(_ record: FinancialRecord) async throws -> Delivery {
            calls += 1
            return .accepted(Approval())
        }
    }

    /// A simulated card behind a transport that claims to be real.
    private struct Disguise: CardTransport {
        let reader: SimulatedReader
        func waitForCard(_ poll: Poll) async -> CardEvent { await reader.waitForCard(poll) }
        func transceive(_ command: Bytes) async -> Exchange { await reader.transceive(command) }
        func fieldOff() async { await reader.fieldOff() }
    }

    @Test("A8: a simulated card is never approved by a live host, whether it goes online or approves by itself")
    func aLiveHostIsNotAsked() async throws {
        for card in ["online", "fdda"] {
            let host = LiveHost()
            let reader = tapReader(SimulatedReader(try #require(CardProfile.named(card))))
            let result = await reader.charge(PaymentRequest(amount: eur(1250)), with: host)
            guard case .failed(let problems, let read) = result.ending else { Issue.record("\(result.name)"); return }
            #expect(problems.map(\.code) == [.simulatedRead] && read.isSimulated && result.effect == .nothingSent)
            #expect(await host.calls == 0)
            #expect(
                await reader.charge(PaymentRequest(amount: eur(1250)), with: SimulatedAuthorizer()).name == .approved)
        }
        let host = LiveHost()
        let real = tapReader(Disguise(reader: SimulatedReader(.online)))
        #expect(await real.charge(PaymentRequest(amount: eur(1250)), with: host).name == .approved)
        #expect(await host.calls == 1)
    }

    @Test("With a journal: what a simulated card approved is set aside instead of being delivered to a live host")
    func aLiveHostIsToldNothing() async throws {
        let journal = TestJournal(), host = LiveHost()
        let reader = tapReader(SimulatedReader(try #require(CardProfile.named("fdda")))) {
            $0.journal = journal
            $0.sealer = SimulatedSealer()
        }
        let key = ReconciliationKey()
        let outcome = await reader.read(PaymentRequest(amount: eur(1250), key: key))
        #expect(outcome.read?.authorization == .approvedOffline)
        let read = try #require(outcome.read)
        #expect(await reader.authorize(read, with: host).problems.map(\.code) == [.simulatedRead])
        let settlement = Settlement(journal, with: host)
        _ = try await settlement.recover()
        _ = await settlement.forwardNow()
        #expect(await host.calls == 0)
        let tap = try #require(await journal.tap(key))
        #expect(tap.read?.isSimulated == true)
        if tap.queuedAs != nil { #expect(tap.state == .setAside && tap.setAsideReason == "simulated card") }
    }

    @Test("After a restart no live host is told of a simulated card either", .everyJournal)
    func noLiveHostIsToldLater() async throws {
        let journal = TestJournal(), host = LiveHost(), key = ReconciliationKey()
        let reader = tapReader(SimulatedReader(try #require(CardProfile.named("fdda")))) {
            $0.journal = journal
            $0.sealer = SimulatedSealer()
        }
        _ = await reader.read(PaymentRequest(amount: eur(1250), key: key))
        #expect(await journal.tap(key)?.state == .queued)
        let later = try TestJournal(try await journal.entries()), settlement = Settlement(later, with: host)
        _ = try await settlement.recover()
        _ = await settlement.forwardNow()
        #expect(await host.calls == 0)
        #expect(await later.tap(key)?.state == .setAside)
    }

    @Test func theMarkSurvivesCoding() throws {
        let stored = StoredRead(
            authorization: .approvedOffline, cvm: .none, maskedPAN: nil, clearRecord: CardData([]), isSimulated: true)
        let copy = try JSONDecoder().decode(StoredRead.self, from: JSONEncoder().encode(stored))
        #expect(copy == stored && copy.isSimulated)
        let real = StoredRead(authorization: .declined, cvm: .none, maskedPAN: nil, clearRecord: CardData([]))
        let text = String(decoding: try JSONEncoder().encode(real), as: UTF8.self)
        #expect(!text.contains("isSimulated"))
    }

    @Test("Whatever was read can be sealed: a payment, a card looked up, a card whose PIN cannot be entered")
    func everyReadCanBeSealed() async throws {
        let sealer = SimulatedSealer()
        let looked = await tapReader(SimulatedReader(.online)).read(
            VerificationRequest(reason: .lookUp, currency: .eur))
        guard case .verified(let card) = looked else { Issue.record("\(looked.name)"); return }
        let pinless = await tapReader(SimulatedReader(.onlinePIN)) { $0.hasPINPad = false }
            .read(PaymentRequest(amount: eur(SimulatedTap.onlinePIN.amount)))
        guard case .onlinePINUnavailable(let fallback) = pinless else { Issue.record("\(pinless.name)"); return }
        let both = [
            (try await card.sealed(by: sealer), card.card.maskedPAN, card.dataRecord),
            (try await fallback.sealed(by: sealer), fallback.maskedPAN, fallback.partialData),
        ]
        for (sealed, shown, record) in both {
            #expect(sealed.maskedPAN == shown && shown != nil)
            #expect(SensitivePayload.tags.isDisjoint(with: sealed.dataRecord.tags))
            let opened = try #require(sealer.open(sealed.payload, context: sealed.context))
            #expect(CardData(opened).tags.allSatisfy { SensitivePayload.tags.contains($0) })
            #expect(CardData(opened).maskedPAN == record.maskedPAN)
        }
    }
}
