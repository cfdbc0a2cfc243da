// SPDX-License-Identifier: Apache-2.0
/// The description of a simulated card: its directory and its applications. A value; pass it to `VirtualCard` to get a
/// card that answers commands.
///
/// The named profiles are in `profiles`. Derive your own from any of them:
///
/// ```swift
/// var profile = CardProfile.named("fdda")!
/// profile.application.pan = "4000001234562345"
/// ```
public struct CardProfile: Sendable, Hashable {
    public var name: String
    /// One-line description of the card's behaviour.
    public var summary: String
    public var directory: Directory
    /// In the order of the directory.
    public var applications: [CardApplication]

    /// How the card answers SELECT of the Proximity Payment System Environment.
    public enum Directory: String, Sendable, Hashable, CaseIterable {
        /// Lists every application.
        case present
        /// 6A82.
        case absent
        /// 6A81.
        case cardBlocked
        /// 6283 after a complete answer.
        case invalidated
        /// An answer without any entry.
        case empty
        /// An answer whose inner length runs past its end.
        case malformed
    }

    @inline(never)
    public init(
        name: String, summary: String, directory: Directory = .present, applications: [CardApplication]
    ) {
        self.name = name
        self.summary = summary
        self.directory = directory
        self.applications = applications
    }

    /// The first application. Most cards have only one.
    public var application: CardApplication {
        get { applications.first ?? CardApplication() }
        set {
            if applications.isEmpty { applications = [newValue] } else { applications[0] = newValue }
        }
    }
}

/// One payment application on a simulated card. ``init()`` makes an ordinary Visa card that goes online; each scheme
/// has its own ordinary applications.
public struct CardApplication: Sendable, Hashable {

    // Data in the directory and the answer to SELECT.

    /// ADF name.
    public var aid: [UInt8]
    public var label: String
    /// Application Priority Indicator; nil leaves it out.
    public var priority: UInt8? = 1
    /// Kernel Identifier (9F2A) of the directory entry; nil leaves it out.
    public var kernelIdentifier: [UInt8]?
    /// Extended Selection (9F29) of the directory entry.
    public var extendedSelection: [UInt8]?
    public var selection = Selection.possible
    /// Nil answers SELECT without a PDOL.
    public var pdol: [DataRequest]?
    /// Language Preference (5F2D): up to four codes of two letters, such as "deen"; nil leaves it out.
    public var languages: String?
    /// Application Selection Registered Proprietary Data (9F0A), which reports the product type, such as 01 for debit
    /// in `[0x00, 0x01, 0x05, 0x01, 0, 0, 0, 0]`; nil leaves it out.
    public var registeredData: [UInt8]?
    /// Issuer Identification Number: six digits go into 42, eight into 9F0C; nil leaves it out.
    public var issuerNumber: String?

    /// How the application answers its SELECT.
    public enum Selection: String, Sendable, Hashable, CaseIterable {
        case possible
        /// 6A82, though the directory lists it.
        case notFound
        /// 6283 after a complete answer.
        case invalidated
        /// 6A81.
        case blocked
    }

    // The account.

    /// Digits only, up to 19.
    public var pan: String
    /// PAN Sequence Number (5F34), 0 to 99; nil leaves it out.
    public var sequence: UInt8? = 1
    /// Application Expiration Date, YYMMDD.
    public var expires = "491231"
    /// Application Effective Date, YYMMDD; nil leaves it out.
    public var effective: String?
    public var serviceCode = "201"
    /// Track 2 discretionary data, digits.
    public var discretionaryData = "0000012345"
    /// Issuer Country Code (5F28), numeric.
    public var issuerCountry: [UInt8]? = [0x02, 0x76]
    /// Application Usage Control (9F07), 2 bytes.
    public var usageControl: [UInt8]?
    /// Payment Account Reference (9F24), 29 characters; nil leaves it out.
    public var accountReference: String?
    /// The device type, for schemes with an object for it: 9F6E of Visa (Form Factor Indicator) and of Mastercard
    /// (Third Party Data).
    public var formFactor: [UInt8]?
    /// The amount still available offline, in minor units, for schemes whose cards count it.
    public var offlineBalance: UInt64?

    // Decisions.

    /// Application Interchange Profile. Functions that the card lacks are removed, such as DDA and CDA without keys;
    /// functions that the scheme's own part adds, such as relay resistance, are set.
    public var interchangeProfile: [UInt8]
    public var disposition = Disposition.online
    /// GET PROCESSING OPTIONS is always answered with this status word alone.
    public var refusal: StatusWord?
    /// The part of the application that the rules of its scheme add.
    public var scheme: CardScheme

    public enum Disposition: Sendable, Hashable {
        /// Always an ARQC; an AAC if the reader is offline only.
        case online
        /// A TC up to this amount in minor units, unless the reader asks for an online cryptogram.
        case offline(upTo: UInt64)
        /// Always an AAC.
        case decline
        /// A TC regardless of the reader's request: no honest card does this.
        case offlineRegardless
    }

    // Keys and signatures.

    /// Nil is a card without keys: it never returns a signature.
    public var keys: KeySet?
    /// The issuer's master key for cryptograms, 16 bytes; 16, 24 or 32 for `derivation` option C. Test value.
    public var masterKey: [UInt8] = [
        0x01, 0x23, 0x45, 0x67, 0x89, 0xAB, 0xCD, 0xEF, 0xFE, 0xDC, 0xBA, 0x98, 0x76, 0x54, 0x32, 0x10,
    ]
    /// The issuer's master key for MACs of script commands, as long as `masterKey`. Test value.
    public var integrityMasterKey: [UInt8] = [
        0xFE, 0xDC, 0xBA, 0x98, 0x76, 0x54, 0x32, 0x10, 0x01, 0x23, 0x45, 0x67, 0x89, 0xAB, 0xCD, 0xEF,
    ]
    /// The issuer's master key for enciphered data of script commands, as long as `masterKey`. Test value.
    public var confidentialityMasterKey: [UInt8] = [
        0x89, 0xAB, 0xCD, 0xEF, 0x01, 0x23, 0x45, 0x67, 0x76, 0x54, 0x32, 0x10, 0xFE, 0xDC, 0xBA, 0x98,
    ]
    /// How the card's own keys are derived from the issuer's. Option C is AES, which only the Common Core Definitions
    /// use.
    public var derivation = KeyDerivation.optionA
    /// Serial number of the issuer's certificate, 3 bytes, as a revocation list contains it.
    public var issuerSerial: [UInt8] = [0x00, 0x00, 0x01]
    /// Month and year, 2 bytes MMYY.
    public var issuerCertificateExpires: [UInt8] = [0x12, 0x49]
    /// Month and year, 2 bytes MMYY.
    public var cardCertificateExpires: [UInt8] = [0x12, 0x49]

    // Layout of answers and records.

    public var processingOptionsFormat = ProcessingOptionsFormat.format2
    public var layout = RecordLayout.packed
    public var flaws: Set<CardFlaw> = []
    /// Data objects that the card has or lacks in addition to those of its scheme.
    public var objects = CardObjects()
    /// Other behaviour under conditions. The first case whose condition is met applies to a transaction.
    public var cases: [CardCase] = []

    public enum ProcessingOptionsFormat: String, Sendable, Hashable, CaseIterable {
        /// Template 80 with AIP and AFL only; all other objects are in records.
        case format1
        /// Template 77.
        case format2
    }

    public enum RecordLayout: String, Sendable, Hashable, CaseIterable {
        /// As few records as 254 bytes per record allow, in two files.
        case packed
        /// One data object per record, in three files.
        case spread
        /// Static data in a proprietary file (SFI 12), which is authenticated with its template.
        case proprietaryFile
    }

    /// - Parameters:
    ///   - aid: ADF name.
    ///   - pdol: nil leaves the PDOL out of the answer to SELECT.
    ///   - interchangeProfile: 2 bytes.
    @inline(never)
    init(
        _ scheme: CardScheme, aid: [UInt8], label: String, pan: String, pdol: [DataRequest]?,
        interchangeProfile: [UInt8]
    ) {
        self.scheme = scheme
        self.aid = aid
        self.label = label
        self.pan = pan
        self.pdol = pdol
        self.interchangeProfile = interchangeProfile
    }
}

/// One entry of a data object list: a tag that the card requests, and its length in bytes.
public struct DataRequest: Sendable, Hashable {
    public var tag: UInt32
    public var length: UInt8

    public init(_ tag: UInt32, _ length: UInt8) {
        self.tag = tag
        self.length = length
    }
}

/// Behaviour that no honest card shows. Several flaws may be combined. Flaws that only one scheme has are in its part
/// of the application, except those of Visa and Mastercard, which are listed here.
public enum CardFlaw: String, Sendable, Hashable, CaseIterable {
    // The certificate chain.
    /// The certificates name an unknown authority.
    case unknownAuthority
    /// The issuer's certificate recovers, but its hash is wrong.
    case wrongIssuerHash
    /// The card's certificate recovers, but its hash is wrong.
    case wrongCardHash
    /// The issuer's certificate names digits that no PAN of the issuer begins with.
    case wrongIssuerIdentifier
    /// The card's certificate names another PAN.
    case wrongCertifiedPAN
    /// A record that the certificate covers was changed afterwards.
    case changedStaticData
    case missingIssuerCertificate
    case missingIssuerExponent
    case missingCardCertificate
    case missingCardRemainder

    // The signature.
    /// The signature does not recover.
    case corruptSignature
    /// The signature recovers, but covers another unpredictable number.
    case signatureOverOtherNumber
    /// Format 95 instead of 05 (a TC, a combined signature), 05 instead of 95.
    case swappedSignatureFormat
    /// No 9F4B.
    case missingSignature
    /// No 9F69.
    case missingAuthenticationData
    /// 9F69 of version 02.
    case unknownAuthenticationVersion
    /// 9F69 of 5 bytes, without qualifiers.
    case shortAuthenticationData
    /// 9F69 signs qualifiers that differ from 9F6C.
    case differingQualifiers
    /// The combined signature covers another transaction's data.
    case differingTransactionData
    /// The combined signature contains another cryptogram type than the answer.
    case differingCryptogramType
    /// The combined signature contains other relay resistance times than the card returned.
    case differingRelayData
    /// The combined signature contains another Data Storage Summary than the card returned.
    case differingStorageSummary
    /// The interchange profile denies DDA.
    case profileWithoutDDA
    /// The static data tag list names more than the interchange profile.
    case wrongTagList

    // The answer to SELECT.
    /// The PDOL is missing after the card was presented again following a transaction.
    case missingPDOLLater

    // The answer to GET PROCESSING OPTIONS, and the records.
    case missingTrack2
    case missingCryptogram
    case missingIssuerData
    case missingCounter
    case missingInterchangeProfile
    /// Track 2 in the answer and in a record.
    case repeatedTrack2
    /// Cryptogram Information Data of a type that does not exist.
    case undefinedCryptogramType
    /// An online cryptogram whose issuer data state an approval.
    case contradictingCryptogramType
    /// An AFL of no bytes.
    case emptyFileLocator
    /// An AFL of five bytes.
    case unevenFileLocator
    /// The AFL names a record that does not exist.
    case absentRecord
    /// A record that is not a template 70.
    case recordWithoutTemplate
    /// An answer whose inner length runs past its end.
    case truncatedOptions
    /// Data objects unknown to terminals, among the others.
    case unknownObjects
}
