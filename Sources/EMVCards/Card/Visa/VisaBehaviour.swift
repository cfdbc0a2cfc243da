// SPDX-License-Identifier: Apache-2.0
/// What Visa's rules add to an application.
public struct VisaBehaviour: Sendable, Hashable {
    /// The ways to verify the cardholder, best first. The first that the reader offers is taken.
    public var verification: [Verification] = [.onlinePIN, .signature]
    /// Asks for verification even where the reader does not.
    public var alwaysVerifies = false
    public var withoutCommonVerification = NoCommonVerification.goOn
    /// Card Transaction Qualifiers that say what the issuer prefers: bits for online or another interface when
    /// authentication fails or the card has expired. The card adds the bits for cardholder verification.
    /// Nil leaves 9F6C out.
    public var qualifiers: [UInt8]? = [0x00, 0x00]
    public var signing = Signing.offline
    public var cryptogram = CryptogramVersion.cvn10
    /// Returns records (and an AFL) for an online transaction too.
    public var recordsOnline = false
    /// Returns Cryptogram Information Data (9F27). Without it the terminal looks into the issuer's data.
    public var returnsCryptogramInformation = true

    public typealias Verification = CardVerification
    public typealias NoCommonVerification = EMVCards.NoCommonVerification
    public typealias Signing = CardSigning

    public init() {}
}

extension CardScheme {
    /// qVSDC (Book C-3).
    public static func visa(_ behaviour: VisaBehaviour) -> CardScheme { CardScheme(behaviour) }
}

extension CardApplication {
    /// An ordinary Visa card that goes online.
    public init() {
        self.init(
            .visa(VisaBehaviour()), aid: [0xA0, 0x00, 0x00, 0x00, 0x03, 0x10, 0x10], label: "VISA",
            pan: "4111111111111111", pdol: .full, interchangeProfile: [0x20, 0x00])
    }

    /// A Visa application's own part. Reading it from another scheme's gives the ordinary one; setting it makes it
    /// Visa's.
    public var visa: VisaBehaviour {
        get { scheme.behaviour(as: VisaBehaviour.self) ?? VisaBehaviour() }
        set { scheme = .visa(newValue) }
    }
}

extension [DataRequest] {
    /// Everything a version 10 cryptogram covers.
    public static let full: [DataRequest] = [
        .init(0x9F66, 4), .init(0x9F02, 6), .init(0x9F03, 6), .init(0x9F1A, 2), .init(0x95, 5),
        .init(0x5F2A, 2), .init(0x9A, 3), .init(0x9C, 1), .init(0x9F37, 4),
    ]

    /// Only what a version 17 cryptogram and a dynamic signature cover.
    public static let short: [DataRequest] = [
        .init(0x9F66, 4), .init(0x9F02, 6), .init(0x5F2A, 2), .init(0x9F37, 4),
    ]

    /// `full` with one tag twice, one that no terminal knows, one too long and one too short.
    public static let odd: [DataRequest] = [
        .init(0x9F66, 4), .init(0x9F02, 6), .init(0x9F03, 6), .init(0x9F1A, 2), .init(0x95, 5),
        .init(0x5F2A, 2), .init(0x9A, 3), .init(0x9C, 1), .init(0x9F37, 4),
        .init(0x9F02, 6), .init(0xDF7F, 3), .init(0x9F1A, 4), .init(0x9F37, 2), .init(0x9F4E, 0),
    ]
}
