// SPDX-License-Identifier: Apache-2.0
/// The part of an application that Discover's rules add.
public struct DiscoverBehaviour: Sendable, Hashable {
    /// Verification methods in order of preference. The card uses the first one that the reader offers.
    public var verification: [CardVerification] = [.onlinePIN, .signature]
    /// Requests verification even if the reader does not.
    public var alwaysVerifies = false
    /// The holder entered a wrong confirmation code on the device.
    public var confirmationCodeFails = false
    /// Card Processing Requirements (9F71), 2 bytes, without the bits of cardholder verification, which the card adds.
    /// They define the consequence of an expiry, a failed signature or a reader that cannot go online, and the allowed
    /// fallback.
    public var requirements: [UInt8] = [0x00, 0x00]
    public var cryptogram = DPASCryptogramVersion.whole
    /// Returns records (and an AFL) for an online transaction too.
    public var recordsOnline = false
    /// Nil for a card that has only EMV mode.
    public var magneticStripe: DPASMagneticStripe?
    /// Has no EMV mode ("Zip").
    public var isLegacy = false
    /// Accepts the commands of an issuer's script on its next presentment.
    public var takesScripts = false

    public init() {}
}

/// The part of the Issuer Application Data that a D-PAS cryptogram covers (Book C-6, D.3).
public enum DPASCryptogramVersion: UInt8, Sendable, Hashable, CaseIterable {
    case whole = 0x15
    /// Only the Card Verification Results.
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

    /// The Discover part of an application. For an application of another scheme the getter returns the ordinary
    /// Discover behaviour; the setter changes the scheme to Discover.
    public var discover: DiscoverBehaviour {
        get { scheme.behaviour(as: DiscoverBehaviour.self) ?? DiscoverBehaviour() }
        set { scheme = .discover(newValue) }
    }
}

extension [DataRequest] {
    /// The PDOL of every D-PAS card (Book C-6, F3-4).
    public static let dpas: [DataRequest] = [
        .init(0x9F66, 4), .init(0x9F02, 6), .init(0x9F03, 6), .init(0x9F1A, 2), .init(0x5F2A, 2), .init(0x9A, 3),
        .init(0x9C, 1), .init(0x9F37, 4),
    ]
}
