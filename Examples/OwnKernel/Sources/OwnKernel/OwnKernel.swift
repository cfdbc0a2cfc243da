// SPDX-License-Identifier: Apache-2.0
import EMVKit
import EMVSimulator

/// 60.00 with a card of a scheme that CEMV has never heard of, and with no other kernel linked.
@main
struct OwnKernel {
    static func main() async throws {
        let reader = TapReader(
            SimulatedReader(Nine.card(verdict: 1)), configuration: Nine.configuration(), kernels: [Nine.kernel])
        let session = try await reader.prepare()
        let outcome = await session.read(PaymentRequest(amount: Money(minorUnits: 60_00, currency: .eur)))
        print("Ended as \(outcome.name.rawValue)")
    }
}
