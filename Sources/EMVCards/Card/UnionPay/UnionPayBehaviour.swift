// SPDX-License-Identifier: Apache-2.0
/// The part of an application that UnionPay's rules add.
public struct UnionPayBehaviour: Sendable, Hashable {
    /// Verification methods in order of preference. The card uses the first one that the reader offers.
    public var verification: [CardVerification] = [.onlinePIN, .signature]
    /// Requests verification even if the reader does not.
    public var alwaysVerifies = false
    public var withoutCommonVerification = NoCommonVerification.goOn
    /// Card Transaction Qualifiers that state the issuer's preferences if authentication fails or the card has expired.
    /// The card adds the bits for cardholder verification. Nil leaves 9F6C out.
    public var qualifiers: [UInt8]? = [0x00, 0x00]
    public var signing = CardSigning.offline
    /// Returns records (and an AFL) for an online transaction too.
    public var recordsOnline = false
    /// Returns Cryptogram Information Data (9F27). Without it the terminal reads the type from the issuer's data.
    public var returnsCryptogramInformation = true
    /// Has the expiry date in a separate record before all others, so that a reader can stop after it if the card has
    /// expired.
    public var expiresFirst = false
    /// Byte 1 of DF61 in the answer to SELECT: bit 7 lets a transit reader ask for a signature online. Nil leaves the
    /// object out.
    public var transit: UInt8?
    /// Nil unless the card's number is a token for an account with another number.
    public var token: Token?

    /// A token's data about its account.
    public struct Token: Sendable, Hashable {
        /// Payment Account Reference (9F24), 29 characters.
        public var accountReference: String
        /// Last 4 Digits of PAN (9F25).
        public var lastDigits: String
        /// Token Requestor ID (9F19), 11 digits.
        public var requestor: String

        public init(accountReference: String, lastDigits: String, requestor: String) {
            self.accountReference = accountReference
            self.lastDigits = lastDigits
            self.requestor = requestor
        }
    }

    public init() {}
}

extension CardScheme {
    /// QuickPass (Book C-7).
    public static func unionPay(_ behaviour: UnionPayBehaviour) -> CardScheme { CardScheme(behaviour) }
}

extension CardApplication {
    /// An ordinary UnionPay credit card that goes online.
    public static let ordinaryUnionPay = CardApplication(
        .unionPay(UnionPayBehaviour()), aid: [0xA0, 0x00, 0x00, 0x03, 0x33, 0x01, 0x01, 0x02], label: "UNIONPAY",
        pan: "6200000000000005", pdol: .full, interchangeProfile: [0x20, 0x00])

    /// The UnionPay part of an application. For an application of another scheme the getter returns the ordinary
    /// UnionPay behaviour; the setter changes the scheme to UnionPay.
    public var unionPay: UnionPayBehaviour {
        get { scheme.behaviour(as: UnionPayBehaviour.self) ?? UnionPayBehaviour() }
        set { scheme = .unionPay(newValue) }
    }
}
