// SPDX-License-Identifier: Apache-2.0
/// The part of an application that Visa's rules add.
public struct VisaBehaviour: Sendable, Hashable {
    /// Verification methods in order of preference. The card uses the first one that the reader offers.
    public var verification: [Verification] = [.onlinePIN, .signature]
    /// Requests verification even if the reader does not.
    public var alwaysVerifies = false
    public var withoutCommonVerification = NoCommonVerification.goOn
    /// Card Transaction Qualifiers that state the issuer's preferences: bits for online or another interface if
    /// authentication fails or the card has expired. The card adds the bits for cardholder verification. Nil leaves
    /// 9F6C out.
    public var qualifiers: [UInt8]? = [0x00, 0x00]
    public var signing = Signing.offline
    public var cryptogram = CryptogramVersion.cvn10
    /// Returns records (and an AFL) for an online transaction too.
    public var recordsOnline = false
    /// Returns Cryptogram Information Data (9F27). Without it the terminal reads the type from the issuer's data.
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

    /// The Visa part of an application. For an application of another scheme the getter returns the ordinary Visa
    /// behaviour; the setter changes the scheme to Visa.
    public var visa: VisaBehaviour {
        get { scheme.behaviour(as: VisaBehaviour.self) ?? VisaBehaviour() }
        set { scheme = .visa(newValue) }
    }
}

extension [DataRequest] {
    /// All data that a version 10 cryptogram covers.
    public static let full: [DataRequest] = [
        .init(0x9F66, 4), .init(0x9F02, 6), .init(0x9F03, 6), .init(0x9F1A, 2), .init(0x95, 5),
        .init(0x5F2A, 2), .init(0x9A, 3), .init(0x9C, 1), .init(0x9F37, 4),
    ]

    /// Only the data that a version 17 cryptogram and a dynamic signature cover.
    public static let short: [DataRequest] = [
        .init(0x9F66, 4), .init(0x9F02, 6), .init(0x5F2A, 2), .init(0x9F37, 4),
    ]

    /// `full` with one repeated tag, one unknown to terminals, one too long and one too short.
    public static let odd: [DataRequest] = [
        .init(0x9F66, 4), .init(0x9F02, 6), .init(0x9F03, 6), .init(0x9F1A, 2), .init(0x95, 5),
        .init(0x5F2A, 2), .init(0x9A, 3), .init(0x9C, 1), .init(0x9F37, 4),
        .init(0x9F02, 6), .init(0xDF7F, 3), .init(0x9F1A, 4), .init(0x9F37, 2), .init(0x9F4E, 0),
    ]
}
