// SPDX-License-Identifier: Apache-2.0
// The code of the article Passes, word for word: PassesArticleTests compares.
#if Loyalty
import EMVKit
import EMVLoyalty
import EMVSimulator

func programmes() throws(LoyaltyRequestError) -> LoyaltyRequest {
    try LoyaltyRequest([
        LoyaltyProgramme(
            id: "club", name: "Club", wallet: .passType("pass.com.example.club"),
            signUp: SignUpURL("https://club.example/join")),
        LoyaltyProgramme(
            id: "points", name: "Points", wallet: .collector(20_180_608, keyVersion: 1, kinds: [.loyalty])),
    ])
}

func readPass(_ reader: TapReader, _ context: LoyaltyContext) async throws -> String? {
    switch await reader.read(try programmes(), with: context) {
    case .finished(let result):
        for entry in result.entries {
            if case .read(let pass) = entry.outcome { return pass.text }
        }
        return nil
    case .cancelled, .failed: return nil
    }
}

func chargeWithPass(
    _ reader: TapReader, _ context: LoyaltyContext, _ amount: Money, _ authorizer: some Authorizer
) async throws -> (charge: ChargeResult?, loyalty: LoyaltyResult) {
    await reader.charge(
        PaymentRequest(amount: amount), loyalty: try programmes(), .andPayment, context: context, with: authorizer)
}

func chargeMembers(
    _ reader: TapReader, _ context: LoyaltyContext, _ authorizer: some Authorizer
) async throws -> (charge: ChargeResult?, loyalty: LoyaltyResult) {
    let price = Money(minorUnits: 12_50, currency: .eur), forMembers = Money(minorUnits: 11_00, currency: .eur)
    return await reader.charge(
        PaymentRequest(amount: price), loyalty: try programmes(), .andPayment, context: context,
        price: { passes in
            guard case .read? = passes["club"] else { return nil }
            return AmountChange.Total(forMembers)
        }, with: authorizer)
}

func passContext(_ clubKey: String, _ pointsKey: String) async throws -> LoyaltyContext {
    let request = try programmes()
    var keys = LoyaltyKeys()
    try keys.add(pem: clubKey, for: request.programmes[0])
    try keys.add(pem: pointsKey, for: request.programmes[1])
    let context = LoyaltyContext(passKeys: keys, signer: keys)
    for error in await context.check(request) { print(error) }
    return context
}

func simulatedPhone() -> TapReader {
    let wallet = VASWallet(
        [.init("pass.com.example.club", "member 12345", for: SimulatedPassKey(name: "club"))], clock: .system)
    let phone = WalletPhone(.vas(wallet), card: VirtualCard(CardProfile.named("online")!))
    // A clock that stands: a busy machine cuts no dialogue short.
    return TapReader(
        SimulatedReader(phone), configuration: .simulator(), options: TapReader.Options(timer: SimulatedClock()))
}
#endif
