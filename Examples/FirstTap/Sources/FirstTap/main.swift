// SPDX-License-Identifier: Apache-2.0
import EMVKit
import EMVSimulator

// A purchase of 12.50 on a simulated reader with a simulated card on it, and a simulated issuer.
let card = CardProfile.named("online")!
let reader = TapReader(
    SimulatedReader(card), configuration: .simulator(),
    // A card may take 90 seconds to come, and one that is left on the reader does not pay the next sale.
    options: .init(cardTimeout: .seconds(90), waitsForEmptyField: true, journal: MemoryJournal()))

let amount = Money(minorUnits: 12_50, currency: .eur)
// With its reference and a journal an order is paid once, however often somebody presses the button.
let request = PaymentRequest(amount: amount, sale: SaleReference(rawValue: "order-1"))
let result = await reader.charge(request, with: SimulatedAuthorizer())
switch result.ending {
case .approved(let approval, let read): print("Approved: \(approval.code), card \(read.maskedPAN?.lastFour ?? "?")")
default: print("\(result.name), \(result.effect): \(result.problems.first?.description ?? "")")
}
