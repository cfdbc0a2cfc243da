// SPDX-License-Identifier: Apache-2.0
/// Whose rules an application follows, and what they add to it.
public enum CardScheme: Sendable, Hashable {
    /// qVSDC (Book C-3).
    case visa(VisaBehaviour)
    /// M/Chip with mag-stripe mode (Kernel 2).
    case mastercard(MastercardBehaviour)
}

extension CardApplication {
    /// A Visa application's own part. Reading it from another scheme's gives the ordinary one; setting it makes it
    /// Visa's.
    public var visa: VisaBehaviour {
        get { if case .visa(let behaviour) = scheme { behaviour } else { VisaBehaviour() } }
        set { scheme = .visa(newValue) }
    }

    /// A Mastercard application's own part. Reading it from another scheme's gives the ordinary one; setting it makes
    /// it Mastercard's.
    public var mastercard: MastercardBehaviour {
        get { if case .mastercard(let behaviour) = scheme { behaviour } else { MastercardBehaviour() } }
        set { scheme = .mastercard(newValue) }
    }

    /// Registered Application Provider Identifier of the scheme: whose authorities certify the card.
    var authorityRID: [UInt8] {
        switch scheme {
        case .visa: CardAuthority.visaRID
        case .mastercard: CardAuthority.mastercardRID
        }
    }

    /// What the card's certificate covers beside its own key.
    var certifiedData: [UInt8] {
        switch scheme {
        case .visa: VisaTransaction.staticData(self)
        case .mastercard: MastercardData(self).certifiedData
        }
    }
}

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

    public enum Verification: Sendable, Hashable {
        case onlinePIN
        case signature
        /// The cardholder unlocks the device. Until then the card answers 6986.
        case consumerDevice
        /// The device claims verification without asking anybody.
        case consumerDeviceClaimed
    }

    /// What the card does when the reader wants a verification that the card doesn't have.
    public enum NoCommonVerification: Sendable, Hashable {
        /// Answers as if nothing had been asked.
        case goOn
        /// 6984, or an AAC where the reader has no contact interface.
        case useContact
        /// An AAC.
        case decline
    }

    /// When the card returns Signed Dynamic Application Data.
    public enum Signing: Sendable, Hashable {
        /// With a TC (format 05).
        case offline
        /// With a TC, and with an ARQC (format 95) where the reader asks for it in TTQ byte 1 bit 1.
        case onlineWhenAsked
        /// With a TC, and with every ARQC (format 95).
        case always
    }

    public init() {}
}
