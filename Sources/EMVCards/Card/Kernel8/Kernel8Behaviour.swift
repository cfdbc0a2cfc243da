// SPDX-License-Identifier: Apache-2.0
/// What Book C-8 adds to an application: a private channel, certificates over P-256 or RSA, a card that decides how its
/// holder is verified, and data envelopes.
public struct Kernel8Behaviour: Sendable, Hashable {
    /// Card Qualifier byte 1: 1 keeps Issuer Application Data out of the IAD-MAC and authenticates them apart.
    public var version: UInt8 = 2
    /// Algorithm suites of the secure channel, most wanted first, up to three. 00 is the only one there is.
    public var channelSuites: [UInt8] = [0x00]
    public var detectsFieldOff = false
    public var certificates = Certificates.elliptic
    public var encryption = Encryption.records
    public var issuerDataMAC = IssuerDataMAC.terminalOffset
    /// Where the IAD-MAC stands in the Issuer Application Data that the cryptogram covers, from 0.
    public var macOffset = 24
    /// The ways to verify the cardholder, best first. The first that the reader offers is taken; without any the
    /// verification has failed.
    public var verification: [CardVerification] = [.onlinePIN, .signature]
    /// Verifies the holder even where the reader would go without.
    public var alwaysVerifies = false
    /// Says always this Cardholder Verification Decision (9F8102).
    public var decision: UInt8?
    /// Says this in a Card TVR (9F8104), beside what the terminal said and the card's own decision. 5 bytes.
    public var results: [UInt8] = [0, 0, 0, 0, 0]
    /// Restart Indicator (9F8108), 2 bytes, and how often; a card that has one declines.
    public var restart: [UInt8]?
    public var restarts = Int.max
    /// Nil is a card without relay resistance.
    public var relay: RelayResistance?
    /// Authenticated Application Data (9F8106) of the GENERATE AC answer.
    public var authenticatedData: [UInt8]?
    /// Extended SDA Tag List (9F810A): tags that the hash of static data covers beside the signed records. Without
    /// CDOL1 (8C) among them nothing that the card approves counts (attack A35), nor, above the reader's CVM limit, a
    /// verification weaker than an online PIN (A36), unless `listIsSigned`.
    public var extendedTags: [UInt32] = [0x8C]
    /// CDOL1 (8C) stands in a signed record as well.
    public var listIsSigned = false
    /// Data envelopes by the last byte of their tags, 9F8111 to 9F811A.
    public var envelopes: [UInt8: [UInt8]] = [:]
    /// GET PROCESSING OPTIONS goes as well, the other commands get this status.
    public var cryptogramRefusal: StatusWord?
    public var defects: Set<Kernel8Defect> = []

    public init() {}

    public enum Certificates: Sendable, Hashable {
        case elliptic
        /// Book 2's, with the card's key for the channel (9F810B) in a signed record.
        case rsa
    }

    /// Which records come in template DA.
    public enum Encryption: Sendable, Hashable {
        /// All of them.
        case records
        /// All but the issuer's certificate, which many cards share.
        case identifying
        /// None: nothing hides the card.
        case nothing
    }

    /// Where the IAD-MAC goes ("Copy IAD-MAC in IAD" of the interchange profile).
    public enum IssuerDataMAC: Sendable, Hashable {
        /// To the place that the terminal knows.
        case terminalOffset
        /// To the place that the card names (9F8107).
        case cardOffset
        /// Nowhere: it reaches the issuer apart (9F8109).
        case apart
    }
}

/// Something that no honest card of Kernel 8 does. What is common to schemes stands in `CardFlaw`.
public enum Kernel8Defect: String, Sendable, Hashable, CaseIterable {
    // The channel.
    /// The blinded key is no point of the curve.
    case blindedKeyOffCurve
    /// Card Key Data of 63 bytes.
    case shortCardKeyData
    /// The blinding factor is another transaction's.
    case foreignBlindingFactor
    /// The blinding factor is 1: the card shows its own key.
    case blindingFactorOne
    /// Every transaction has the same blinding factor.
    case repeatedBlindingFactor
    /// The second encrypted record has the counter of the first.
    case repeatedCounter
    /// A record's length doesn't fit what stands in it.
    case damagedRecord
    /// The answer to READ DATA has a wrong MAC.
    case wrongEnvelopeMAC
    /// The answer to WRITE DATA has a wrong MAC.
    case wrongWriteMAC

    // The chain.
    /// The issuer certificate's signature is another's.
    case wrongIssuerSignature
    /// The card certificate's signature is another's.
    case wrongCardSignature
    /// No certification authority index.
    case missingAuthorityIndex
    /// RSA: the card's key stands in no signed record.
    case unsignedCardKey

    // The cryptogram.
    case wrongAuthenticationMAC
    /// The IAD-MAC that the cryptogram covers is of another transaction.
    case foreignIssuerDataMAC
    /// The offset of the IAD-MAC runs past the Issuer Application Data.
    case wrongMACOffset
    /// No Cardholder Verification Decision.
    case missingDecision
    /// No Enhanced Data Authentication MAC.
    case missingAuthenticationMAC
    /// A terminal's object (9F37) in the answer.
    case terminalObject
    /// No primary account number in any record.
    case missingAccount
    /// An approval where the terminal asked for less.
    case approvesRegardless
}

extension CardScheme {
    /// Kernel 8 (Book C-8).
    public static func kernel8(_ behaviour: Kernel8Behaviour) -> CardScheme { CardScheme(behaviour) }
}

extension CardApplication {
    /// An ordinary application of Kernel 8 that goes online, without certificates.
    public static let ordinaryKernel8: CardApplication = {
        var application = CardApplication(
            .kernel8(Kernel8Behaviour()), aid: CardAuthority.kernel8RID + [0x01, 0x01], label: "KERNEL EIGHT",
            pan: "6788880000000018", pdol: .kernel8, interchangeProfile: [0x00, 0x00])
        application.kernelIdentifier = [0x08]
        application.derivation = .optionC
        return application
    }()

    /// An application of Kernel 8 beside an older one of the same card: a longer name, so that a reader of both finds
    /// the right one, and the same account. It comes first in the directory.
    public static func kernel8(beside older: CardApplication) -> CardApplication {
        var application = CardApplication.ordinaryKernel8
        application.aid = older.aid + [0x08]
        application.label = older.label
        application.pan = older.pan
        // Another sequence number: another key of the issuer's, and another account to it.
        application.sequence = older.sequence.map { ($0 + 1) % 100 } ?? 1
        application.expires = older.expires
        return application
    }

    /// A Kernel 8 application's own part. Reading it from another scheme's gives the ordinary one; setting it makes it
    /// Kernel 8's.
    public var kernel8: Kernel8Behaviour {
        get { scheme.behaviour(as: Kernel8Behaviour.self) ?? Kernel8Behaviour() }
        set { scheme = .kernel8(newValue) }
    }
}

extension [DataRequest] {
    /// Kernel Key Data and Kernel Qualifier: what every card of Kernel 8 must know.
    public static let kernel8: [DataRequest] = [.init(0x9E, 64), .init(0x9F2B, 8)]

    /// CDOL1 of the simulated cards: what the cryptogram covers, and what the card decides from.
    static let kernel8Cryptogram: [DataRequest] = [
        .init(0x9F02, 6), .init(0x9F03, 6), .init(0x9F1A, 2), .init(0x95, 5), .init(0x5F2A, 2), .init(0x9A, 3),
        .init(0x9C, 1), .init(0x9F37, 4), .init(0x9F35, 1), .init(0x9F1D, 8), .init(0x9F33, 3),
    ]
}
