// SPDX-License-Identifier: Apache-2.0
#if Loyalty
import EMVKit
import EMVLoyalty
import EMVSimulator
import Testing

/// The code of the article Passes does what the article says.
@Suite struct PassesArticleTests {
    @Test func theCodeReadsThePassOfASimulatedPhone() async throws {
        var keys = LoyaltyKeys()
        let request = try programmes()
        try keys.add(SecretBytes(SimulatedPassKey(name: "club").privateKey), for: request.programmes[0])
        let context = LoyaltyContext(passKeys: keys)
        // A single phone: two with equal seeds would make equal cryptograms in one second, and a cryptogram is accepted
        // only once.
        let phone = simulatedPhone()
        #expect(try await readPass(phone, context) == "member 12345")
        let amount = Money(minorUnits: 12_50, currency: .eur)
        let both = try await chargeWithPass(phone, context, amount, SimulatedAuthorizer())
        #expect(both.charge?.name == .approved && both.loyalty.hasPass)
        let members = try await chargeMembers(simulatedPhone(), anyTime(keys), SimulatedAuthorizer())
        #expect(members.charge?.read?.amount == Money(minorUnits: 11_00, currency: .eur) && members.loyalty.hasPass)
    }
}
#endif
