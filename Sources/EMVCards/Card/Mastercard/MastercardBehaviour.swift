// SPDX-License-Identifier: Apache-2.0
/// What Mastercard's rules add to an application. Every default is an ordinary card of EMV mode alone, without relay
/// resistance, torn recovery or data storage.
public struct MastercardBehaviour: Sendable, Hashable {

    // What it asks the terminal.

    /// CDOL1.
    public var dataList: [DataRequest] = .generateCryptogram
    /// DRDOL; nil is a card without recovery of torn transactions. Needs 9F37, by which the card knows them again.
    public var recoveryList: [DataRequest]?

    // What it says about itself.

    /// CVM List (8E): online PIN, else signature, else nothing, each where the terminal supports it. Nil leaves it out.
    public var verificationList: [UInt8]? = [0, 0, 0, 0, 0, 0, 0, 0, 0x42, 0x03, 0x5E, 0x03, 0x1F, 0x03]
    /// Issuer Action Codes Default, Denial and Online, 5 bytes each; nil leaves all three out.
    public var actionCodes: ActionCodes? = ActionCodes()
    /// Application Version Number (9F08).
    public var version: [UInt8] = [0x00, 0x02]
    /// Application Currency Code (9F42): the euro.
    public var currency: [UInt8] = [0x09, 0x78]
    /// Balance reading, CDA over an AAC, envelope sizes: bits of Application Capabilities Information (9F5D).
    public var capabilities = Capabilities()
    /// Whether the card does EMV mode. One of the two modes must be there.
    public var supportsEMV = true
    public var magneticStripe: MagneticStripe?
    public var relayResistance: RelayResistance?
    public var device: Device?
    public var storage: DataStorage?

    // How it signs.

    public var cryptogram = MChipCryptogramVersion.mchip
    /// Cryptogram and issuer's data as the Common Core Definitions have them, in place of M/Chip's: over AES where the
    /// card's `derivation` is option C, over triple DES otherwise.
    public var isCommonCore = false
    /// How GENERATE AC answers without a signature.
    public var cryptogramFormat = CardApplication.ProcessingOptionsFormat.format2

    public struct ActionCodes: Sendable, Hashable {
        public var byDefault: [UInt8]
        public var denial: [UInt8]
        public var online: [UInt8]

        /// By default a service that the card isn't for and failed verification are denied; failed authentication,
        /// dates, an online PIN, the floor limit and relay resistance go online.
        public init(
            byDefault: [UInt8] = [0xFC, 0x40, 0x20, 0x80, 0x0C], denial: [UInt8] = [0x00, 0x10, 0x80, 0x00, 0x00],
            online: [UInt8] = [0xFC, 0x60, 0x24, 0x80, 0x0C]
        ) {
            self.byDefault = byDefault
            self.denial = denial
            self.online = online
        }
    }

    public struct Capabilities: Sendable, Hashable {
        public var readsBalance = false
        /// Signs declines too, where the terminal asks for it.
        public var signsDeclines = false
        /// Asks for the field to go off before the next application.
        public var detectsFieldOff = false
        /// Scheme of the ten envelopes 9F70 to 9F79: 0 is none, 1 is 32 bytes each.
        public var envelopes: UInt8 = 0

        public init() {}
    }

    public init() {}
}

/// What a mag-stripe mode card carries (COMPUTE CRYPTOGRAPHIC CHECKSUM).
///
/// Bitmaps count digits of the discretionary data from the right: bit 1 is the last digit.
public struct MagneticStripe: Sendable, Hashable {
    /// Whether the card has Track 1 Data beside Track 2 Data.
    public var hasTrack1 = true
    /// Where the code's digits go: PCVC3 of Track 1, 6 bytes, and Track 2, 2 bytes.
    public var codeMap1: [UInt8] = [0x00, 0x00, 0x00, 0x00, 0x00, 0x3E]
    public var codeMap2: [UInt8] = [0x00, 0x0E]
    /// Where the terminal's number and the counter go: PUNATC of Track 1 and Track 2.
    public var numberMap1: [UInt8] = [0x00, 0x00, 0x00, 0x00, 0x1F, 0xC0]
    public var numberMap2: [UInt8] = [0x0E, 0xF0]
    /// Digits of the counter in a track: NATC. The rest of `numberMap1` and `numberMap2` are the terminal's number's.
    public var counterDigits: UInt8 = 3
    /// Discretionary data as the record has it.
    public var discretionaryData1 = "0000000000000000"
    public var discretionaryData2 = "9000990000000"
    public var cardholder = "SIMULATED/CARD"
    /// UDOL; nil leaves it to the terminal, which then sends its number alone.
    public var dataList: [DataRequest]? = .computeChecksum
    /// The issuer's master key for the code, 16 bytes. Test value.
    public var masterKey: [UInt8] = [
        0x01, 0x23, 0x45, 0x67, 0x89, 0x98, 0x76, 0x54, 0x32, 0x10, 0x01, 0x23, 0x45, 0x67, 0x89, 0x98,
    ]

    public init() {}
}

/// What makes a card a phone: it returns POS Cardholder Interaction Information (DF4B).
public struct Device: Sendable, Hashable {
    public var verification: Verification
    /// Says no to everything and shows these bits of DF4B, until it is presented with another profile.
    public var interaction: [UInt8]?

    public enum Verification: Sendable, Hashable {
        /// Where the terminal asks. The holder is asked then, and the next tap vouches for it.
        case whenAsked
        /// Before every payment.
        case always
        /// Claims it without asking anybody.
        case claimed
    }

    public init(_ verification: Verification = .whenAsked, interaction: [UInt8]? = nil) {
        self.verification = verification
        self.interaction = interaction
    }
}

/// Integrated data storage, version 1: one slot that an operator's terminals write in GENERATE AC.
public struct DataStorage: Sendable, Hashable {
    /// DSDOL.
    public var dataList: [DataRequest] = .storeData
    /// Whose the slot is at first; nil is a free slot.
    public var operatorID: [UInt8]?
    /// What is stored at first.
    public var stored: [UInt8] = []
    /// DS Slot Management Control (9F6F): a permanent slot.
    public var slotControl: UInt8 = 0x80
    /// Takes no writing: DS Summary stays as it is.
    public var isReadOnly = false

    public init() {}
}

extension CardScheme {
    /// M/Chip with mag-stripe mode (Kernel 2).
    public static func mastercard(_ behaviour: MastercardBehaviour) -> CardScheme { CardScheme(behaviour) }
}

extension CardApplication {
    /// A Mastercard application's own part. Reading it from another scheme's gives the ordinary one; setting it makes
    /// it Mastercard's.
    public var mastercard: MastercardBehaviour {
        get { scheme.behaviour(as: MastercardBehaviour.self) ?? MastercardBehaviour() }
        set { scheme = .mastercard(newValue) }
    }
}

extension [DataRequest] {
    /// CDOL1 with everything that an M/Chip cryptogram covers, terminal type and CVM Results.
    public static let generateCryptogram: [DataRequest] = [
        .init(0x9F02, 6), .init(0x9F03, 6), .init(0x9F1A, 2), .init(0x95, 5), .init(0x5F2A, 2), .init(0x9A, 3),
        .init(0x9C, 1), .init(0x9F37, 4), .init(0x9F35, 1), .init(0x9F45, 2), .init(0x9F4C, 8), .init(0x9F34, 3),
        .init(0x9F21, 3), .init(0x9F7C, 20),
    ]

    /// DRDOL with the terminal's number.
    public static let recoverCryptogram: [DataRequest] = [.init(0x9F37, 4)]

    /// UDOL with the terminal's number, what the reader wants of a phone, and the amount.
    public static let computeChecksum: [DataRequest] = [
        .init(0x9F6A, 4), .init(0x9F7E, 1), .init(0x9F02, 6), .init(0x5F2A, 2), .init(0x9F1A, 2),
    ]

    /// DSDOL: proof, next lock, slot and data.
    public static let storeData: [DataRequest] = [
        .init(0xDF60, 8), .init(0xDF61, 8), .init(0xDF62, 1), .init(0xDF63, 160),
    ]

    /// PDOL with the operator of data storage and the terminal's capabilities.
    public static let storageOptions: [DataRequest] = [.init(0x9F5C, 8), .init(0x9F40, 5)]

    /// PDOL with the amount and the terminal's capabilities.
    public static let mastercardOptions: [DataRequest] = [.init(0x9F02, 6), .init(0x9F33, 3)]
}
