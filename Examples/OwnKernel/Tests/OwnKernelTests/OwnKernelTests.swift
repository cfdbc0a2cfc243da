// SPDX-License-Identifier: Apache-2.0
import EMVKit
import EMVSimulator
import Testing

@testable import OwnKernel

@Suite struct OwnKernelTests {
    private func tap(_ cents: UInt64, verdict: UInt8 = 1, offlineLimit: UInt32 = 5000) async throws -> TapOutcome {
        let reader = TapReader(
            SimulatedReader(Nine.card(verdict: verdict)), configuration: Nine.configuration(offlineLimit: offlineLimit),
            kernels: [Nine.kernel])
        return await (try await reader.prepare()).read(
            PaymentRequest(amount: Money(minorUnits: cents, currency: .eur)))
    }

    /// The kernel alone: a reader lets a card approve only where payments offline are declared.
    private func decision(_ cents: UInt64, offlineLimit: UInt32 = 5000) throws -> Outcome.Status? {
        let checked = try CheckedConfiguration(
            Nine.configuration(offlineLimit: offlineLimit), kernels: [Nine.kernel])
        let transaction = Transaction(
            amount: cents, currency: 978, date: CalendarDate("2026-11-28")!, time: .midnight,
            random: .fixed(Bytes(repeating: 7, count: 64)))
        var session = try KernelSession(checked, transaction)
        var card = Nine.card(verdict: 1)
        for _ in 0..<20 {
            switch session.step {
            case .poll: session.advance(.card)
            case .send(let command):
                guard case .response(let bytes, _) = card.exchange(command) else { return nil }
                session.advance(.response(bytes))
            case .work: session.advance(.carryOn)
            case .done(let outcome): return outcome.status
            case .ask, .parked: return nil
            }
        }
        return nil
    }

    @Test func itsOptionDecidesWhatStaysOffline() throws {
        #expect(try decision(4999) == .approved)
        #expect(try decision(5000) == .onlineRequest)
        #expect(try decision(1, offlineLimit: 0) == .onlineRequest)
    }

    @Test func aReaderSendsItToItsIssuer() async throws {
        guard case .success(let read) = try await tap(5000) else { Issue.record("no read"); return }
        #expect(read.authorization == .onlineRequired)
        guard case .failed(.journal) = try await tap(4999) else { Issue.record("approved, and nobody is told"); return }
    }

    @Test func theCardsVerdictIsHeard() async throws {
        #expect(try await tap(4999, verdict: 0).name == .declined)
    }

    @Test func aWrongOptionIsNamedByRow() {
        #expect {
            try CheckedConfiguration(Nine.configuration(offlineLimit: 10_001), kernels: [Nine.kernel])
        } throws: { error in
            let error = error as? ConfigurationError
            return error?.section == .combination && error?.row == 0 && error?.field == .options
                && error?.reason == .badValue
        }
    }

    /// Its own tags may be configured where it is listed, with their length, and nowhere else.
    @Test func itsTagsAreItsOwn() throws {
        _ = try CheckedConfiguration(Nine.configuration(), kernels: [Nine.kernel])
        var short = Nine.configuration()
        short.combinations[0].data = [Nine.shop: [42]]
        #expect(throws: ConfigurationError.self) { try CheckedConfiguration(short, kernels: [Nine.kernel]) }
        var alone = Nine.configuration()
        alone.combinations[0].kernel = .visa()
        #expect(throws: ConfigurationError.self) { try CheckedConfiguration(alone, kernels: [.visa]) }
    }
}
