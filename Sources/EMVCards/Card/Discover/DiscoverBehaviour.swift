// SPDX-License-Identifier: Apache-2.0
/// What Discover's rules add to an application.
public struct DiscoverBehaviour: Sendable, Hashable {
    /// The ways to verify the cardholder, best first. The first that the reader offers is taken.
    public var verification: [CardVerification] = [.onlinePIN, .signature]
    /// Asks for verification even where the reader does not.
    public var alwaysVerifies = false
    /// The confirmation code on the device was entered, and was wrong.
    public var confirmationCodeFails = false
    /// Card Processing Requirements (9F71), 2 bytes, without the bits of cardholder verification that the card adds:
    /// what follows an expiry, a failed signature or a reader that cannot go online, and which fallback is allowed.
    public var requirements: [UInt8] = [0x00, 0x00]
    public var cryptogram = DPASCryptogramVersion.whole
    /// Returns records (and an AFL) for an online transaction too.
    public var recordsOnline = false
    /// Nil is a card that has EMV mode only.
    public var magneticStripe: DPASMagneticStripe?
    /// Has no EMV mode ("Zip").
    public var isLegacy = false
    /// Takes the commands of an issuer's script on its next presentment.
    public var takesScripts = false

    public init() {}
}

/// What the cryptogram of a D-PAS card covers of its Issuer Application Data (Book C-6, D.3).
public enum DPASCryptogramVersion: UInt8, Sendable, Hashable, CaseIterable {
    case whole = 0x15
    /// The Card Verification Results alone.
    case resultsOnly = 0x16
}

extension CardScheme {
    /// D-PAS (Book C-6).
    public static func discover(_ behaviour: DiscoverBehaviour) -> CardScheme { CardScheme(behaviour) }
}

extension CardApplication {
    /// An ordinary Discover card that goes online.
    public static let ordinaryDiscover = CardApplication(
        .discover(DiscoverBehaviour()), aid: [0xA0, 0x00, 0x00, 0x01, 0x52, 0x30, 0x10], label: "DISCOVER",
        pan: "6011111111111117", pdol: .dpas, interchangeProfile: [0x01, 0x00])

    /// An ordinary card of Legacy MS Mode: two tracks with a dynamic code.
    public static let ordinaryZip: CardApplication = {
        var behaviour = DiscoverBehaviour()
        behaviour.isLegacy = true
        behaviour.magneticStripe = DPASMagneticStripe()
        return CardApplication(
            .discover(behaviour), aid: [0xA0, 0x00, 0x00, 0x03, 0x24, 0x10, 0x10], label: "DISCOVER ZIP",
            pan: "6011000990139424", pdol: [.init(0x9F66, 4), .init(0x9F37, 4)], interchangeProfile: [0x00, 0x00])
    }()

    /// A Discover application's own part. Reading it from another scheme's gives the ordinary one; setting it makes it
    /// Discover's.
    public var discover: DiscoverBehaviour {
        get { scheme.behaviour(as: DiscoverBehaviour.self) ?? DiscoverBehaviour() }
        set { scheme = .discover(newValue) }
    }
}

extension [DataRequest] {
    /// What every D-PAS card asks for (Book C-6, F3-4).
    public static let dpas: [DataRequest] = [
        .init(0x9F66, 4), .init(0x9F02, 6), .init(0x9F03, 6), .init(0x9F1A, 2), .init(0x5F2A, 2), .init(0x9A, 3),
        .init(0x9C, 1), .init(0x9F37, 4),
    ]
}
