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

    private func authorization(_ outcome: TapOutcome) -> CardRead.Authorization? {
        if case .success(let read) = outcome { read.authorization } else { nil }
    }

    @Test func itsOptionDecidesWhatStaysOffline() async throws {
        #expect(authorization(try await tap(4999)) == .approvedOffline)
        #expect(authorization(try await tap(5000)) == .onlineRequired)
        #expect(authorization(try await tap(1, offlineLimit: 0)) == .onlineRequired)
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
