// SPDX-License-Identifier: Apache-2.0
/// The part of an application that Book C-8 adds: a secure channel, certificates over P-256 or RSA, a card that decides
/// how its holder is verified, and data envelopes.
public struct Kernel8Behaviour: Sendable, Hashable {
    /// Card Qualifier byte 1: version 1 excludes Issuer Application Data from the IAD-MAC and authenticates them
    /// separately.
    public var version: UInt8 = 2
    /// Algorithm suites of the secure channel, in order of preference, up to three. 00 is the only one defined.
    public var channelSuites: [UInt8] = [0x00]
    public var detectsFieldOff = false
    public var certificates = Certificates.elliptic
    public var encryption = Encryption.records
    public var issuerDataMAC = IssuerDataMAC.terminalOffset
    /// Position of the IAD-MAC in the Issuer Application Data that the cryptogram covers, from 0.
    public var macOffset = 24
    /// Verification methods in order of preference. The card uses the first one that the reader offers; if there is
    /// none, verification has failed.
    public var verification: [CardVerification] = [.onlinePIN, .signature]
    /// Verifies the holder even if the reader allows no verification.
    public var alwaysVerifies = false
    /// Always returns this Cardholder Verification Decision (9F8102).
    public var decision: UInt8?
    /// Bits of the Card TVR (9F8104), added to the terminal's bits and those of the card's own decision. 5 bytes.
    public var results: [UInt8] = [0, 0, 0, 0, 0]
    /// Restart Indicator (9F8108), 2 bytes, and the number of transactions that return it. Those transactions are
    /// declined.
    public var restart: [UInt8]?
    public var restarts = Int.max
    /// Nil for a card without relay resistance.
    public var relay: RelayResistance?
    /// Authenticated Application Data (9F8106) of the GENERATE AC answer.
    public var authenticatedData: [UInt8]?
    /// Extended SDA Tag List (9F810A): tags that the hash of static data covers in addition to the signed records.
    /// Without CDOL1 (8C) in it, a reader accepts neither an approval of the card (attack A35) nor, above the reader's
    /// CVM limit, a verification weaker than an online PIN (A36), unless `listIsSigned`.
    public var extendedTags: [UInt32] = [0x8C]
    /// CDOL1 (8C) is in a signed record as well.
    public var listIsSigned = false
    /// Data envelopes by the last byte of their tags, 9F8111 to 9F811A.
    public var envelopes: [UInt8: [UInt8]] = [:]
    /// GENERATE AC is answered with this status word alone; GET PROCESSING OPTIONS succeeds.
    public var cryptogramRefusal: StatusWord?
    public var defects: Set<Kernel8Defect> = []

    public init() {}

    public enum Certificates: String, Sendable, Hashable, CaseIterable {
        case elliptic
        /// RSA certificates of Book 2, with the card's key for the channel (9F810B) in a signed record.
        case rsa
    }

    /// The records that are enciphered in template DA.
    public enum Encryption: String, Sendable, Hashable, CaseIterable {
        /// All of them.
        case records
        /// All except the issuer's certificate, which many cards share.
        case identifying
        /// None: the card can be identified.
        case nothing
    }

    /// How the IAD-MAC reaches the issuer ("Copy IAD-MAC in IAD" of the interchange profile).
    public enum IssuerDataMAC: String, Sendable, Hashable, CaseIterable {
        /// At the offset that the terminal is configured with.
        case terminalOffset
        /// At the offset that the card returns (9F8107).
        case cardOffset
        /// Separately (9F8109); it is not copied.
        case apart
    }
}

/// Behaviour that no honest Kernel 8 card shows. Flaws common to all schemes are in `CardFlaw`.
public enum Kernel8Defect: String, Sendable, Hashable, CaseIterable {
    // The channel.
    /// The blinded key is not on the curve.
    case blindedKeyOffCurve
    /// Card Key Data of 63 bytes.
    case shortCardKeyData
    /// The blinding factor is another transaction's.
    case foreignBlindingFactor
    /// The blinding factor is 1, which reveals the card's key.
    case blindingFactorOne
    /// All transactions use one blinding factor.
    case repeatedBlindingFactor
    /// The second encrypted record uses the counter of the first.
    case repeatedCounter
    /// A record's length does not match its content.
    case damagedRecord
    /// The answer to READ DATA has a wrong MAC.
    case wrongEnvelopeMAC
    /// The answer to WRITE DATA has a wrong MAC.
    case wrongWriteMAC

    // The certificate chain.
    /// The issuer certificate has another key's signature.
    case wrongIssuerSignature
    /// The card certificate has another key's signature.
    case wrongCardSignature
    /// No certification authority index.
    case missingAuthorityIndex
    /// RSA: the card's key is not in a signed record.
    case unsignedCardKey

    // The cryptogram.
    case wrongAuthenticationMAC
    /// The IAD-MAC that the cryptogram covers belongs to another transaction.
    case foreignIssuerDataMAC
    /// The offset of the IAD-MAC runs past the Issuer Application Data.
    case wrongMACOffset
    /// No Cardholder Verification Decision.
    case missingDecision
    /// No Enhanced Data Authentication MAC.
    case missingAuthenticationMAC
    /// The answer contains a terminal's object (9F37).
    case terminalObject
    /// No primary account number in any record.
    case missingAccount
    /// The card approves although the terminal requested less.
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

    /// Returns a Kernel 8 application for a card that also has the `older` application: same account, with an AID that
    /// extends the older one's, so that a reader that supports both finds the right one. Put it first in the directory.
    public static func kernel8(beside older: CardApplication) -> CardApplication {
        var application = CardApplication.ordinaryKernel8
        application.aid = older.aid + [0x08]
        application.label = older.label
        application.pan = older.pan
        // With another sequence number the issuer derives another key and keeps a separate account.
        application.sequence = older.sequence.map { ($0 + 1) % 100 } ?? 1
        application.expires = older.expires
        return application
    }

    /// The Kernel 8 part of an application. For an application of another scheme the getter returns the ordinary Kernel
    /// 8 behaviour; the setter changes the scheme to Kernel 8.
    public var kernel8: Kernel8Behaviour {
        get { scheme.behaviour(as: Kernel8Behaviour.self) ?? Kernel8Behaviour() }
        set { scheme = .kernel8(newValue) }
    }
}

extension [DataRequest] {
    /// Kernel Key Data and Kernel Qualifier, which every Kernel 8 card requires.
    public static let kernel8: [DataRequest] = [.init(0x9E, 64), .init(0x9F2B, 8)]

    /// CDOL1 of the simulated cards: the objects that the cryptogram covers, and those that the card's decisions
    /// require.
    static let kernel8Cryptogram: [DataRequest] = [
        .init(0x9F02, 6), .init(0x9F03, 6), .init(0x9F1A, 2), .init(0x95, 5), .init(0x5F2A, 2), .init(0x9A, 3),
        .init(0x9C, 1), .init(0x9F37, 4), .init(0x9F35, 1), .init(0x9F1D, 8), .init(0x9F33, 3),
    ]
}
