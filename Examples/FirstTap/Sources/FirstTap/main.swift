// SPDX-License-Identifier: Apache-2.0
import EMVKit
import EMVSimulator

// A purchase of 12.50 on a simulated reader with a simulated card on it.
let card = CardProfile.named("online")!
let reader = TapReader(SimulatedReader(card), configuration: .simulator())
let session = try await reader.prepare()

switch await session.read(PaymentRequest(amount: Money(minorUnits: 12_50, currency: .eur))) {
case .success(let read):
    print(
        "Read \(read.maskedPAN?.description ?? "a card"), \(read.dataRecord.tags.count) data objects, "
            + "\(read.authorization.rawValue)"
    )
case let other:
    print("Ended as \(other.name.rawValue)")
}
