// SPDX-License-Identifier: Apache-2.0
/// What UnionPay's rules add to an application.
public struct UnionPayBehaviour: Sendable, Hashable {
    /// The ways to verify the cardholder, best first. The first that the reader offers is taken.
    public var verification: [CardVerification] = [.onlinePIN, .signature]
    /// Asks for verification even where the reader does not.
    public var alwaysVerifies = false
    public var withoutCommonVerification = NoCommonVerification.goOn
    /// Card Transaction Qualifiers that say what the issuer prefers when authentication fails or the card has expired.
    /// The card adds the bits for cardholder verification. Nil leaves 9F6C out.
    public var qualifiers: [UInt8]? = [0x00, 0x00]
    public var signing = CardSigning.offline
    /// Returns records (and an AFL) for an online transaction too.
    public var recordsOnline = false
    /// Returns Cryptogram Information Data (9F27). Without it the terminal looks into the issuer's data.
    public var returnsCryptogramInformation = true
    /// Has the expiry date in a record of its own, before all others, so that a reader need not read the rest of an
    /// expired card.
    public var expiresFirst = false
    /// Byte 1 of DF61 in the answer to SELECT: bit 7 lets a transit reader ask for a signature online. Nil leaves the
    /// object out.
    public var transit: UInt8?
    /// The application stands for an account of another number.
    public var token: Token?

    /// What a token says of its account.
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

    /// A UnionPay application's own part. Reading it from another scheme's gives the ordinary one; setting it makes it
    /// UnionPay's.
    public var unionPay: UnionPayBehaviour {
        get { scheme.behaviour(as: UnionPayBehaviour.self) ?? UnionPayBehaviour() }
        set { scheme = .unionPay(newValue) }
    }
}
