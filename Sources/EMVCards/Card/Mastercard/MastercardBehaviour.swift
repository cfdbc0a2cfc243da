// SPDX-License-Identifier: Apache-2.0
/// The part of an application that Mastercard's rules add. The defaults describe an ordinary card with EMV mode only,
/// without relay resistance, torn recovery or data storage.
public struct MastercardBehaviour: Sendable, Hashable {

    // Data object lists.

    /// CDOL1.
    public var dataList: [DataRequest] = .generateCryptogram
    /// DRDOL; nil for a card without recovery of torn transactions. It must contain 9F37, by which the card recognises
    /// the transaction.
    public var recoveryList: [DataRequest]?

    // Data that the card reports about itself.

    /// CVM List (8E): online PIN, else signature, else no CVM, each if the terminal supports it. Nil leaves it out.
    public var verificationList: [UInt8]? = [0, 0, 0, 0, 0, 0, 0, 0, 0x42, 0x03, 0x5E, 0x03, 0x1F, 0x03]
    /// Issuer Action Codes Default, Denial and Online, 5 bytes each; nil leaves all three out.
    public var actionCodes: ActionCodes? = ActionCodes()
    /// Application Version Number (9F08).
    public var version: [UInt8] = [0x00, 0x02]
    /// Application Currency Code (9F42): the euro.
    public var currency: [UInt8] = [0x09, 0x78]
    /// Balance reading, CDA over an AAC, envelope sizes: bits of Application Capabilities Information (9F5D).
    public var capabilities = Capabilities()
    /// Whether the card supports EMV mode. It must support at least one of the two modes.
    public var supportsEMV = true
    public var magneticStripe: MagneticStripe?
    public var relayResistance: RelayResistance?
    public var device: Device?
    public var storage: DataStorage?

    // Cryptogram and signatures.

    public var cryptogram = MChipCryptogramVersion.mchip
    /// Cryptogram and issuer's data follow the Common Core Definitions instead of M/Chip: over AES if the card's
    /// `derivation` is option C, else over triple DES.
    public var isCommonCore = false
    /// Format of the GENERATE AC answer without a signature.
    public var cryptogramFormat = CardApplication.ProcessingOptionsFormat.format2

    public struct ActionCodes: Sendable, Hashable {
        public var byDefault: [UInt8]
        public var denial: [UInt8]
        public var online: [UInt8]

        /// Creates a behaviour. By default a service that the card does not allow and failed verification are denied;
        /// failed authentication, dates, an online PIN, the floor limit and relay resistance go online.
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
        /// Signs an AAC too, if the terminal requests it.
        public var signsDeclines = false
        /// Requests that the field go off before the next application.
        public var detectsFieldOff = false
        /// Scheme of the ten envelopes 9F70 to 9F79: 0 for none, 1 for 32 bytes each.
        public var envelopes: UInt8 = 0

        public init() {}
    }

    public init() {}
}

/// The data of a mag-stripe mode card (COMPUTE CRYPTOGRAPHIC CHECKSUM).
///
/// Bitmaps count digits of the discretionary data from the right: bit 1 is the last digit.
public struct MagneticStripe: Sendable, Hashable {
    /// Whether the card has Track 1 Data in addition to Track 2 Data.
    public var hasTrack1 = true
    /// Positions of the code's digits: PCVC3 of Track 1, 6 bytes, and Track 2, 2 bytes.
    public var codeMap1: [UInt8] = [0x00, 0x00, 0x00, 0x00, 0x00, 0x3E]
    public var codeMap2: [UInt8] = [0x00, 0x0E]
    /// Positions of the terminal's number and the counter: PUNATC of Track 1 and Track 2.
    public var numberMap1: [UInt8] = [0x00, 0x00, 0x00, 0x00, 0x1F, 0xC0]
    public var numberMap2: [UInt8] = [0x0E, 0xF0]
    /// Number of the counter's digits in a track: NATC. The other bits of `numberMap1` and `numberMap2` are for the
    /// terminal's number.
    public var counterDigits: UInt8 = 3
    /// Discretionary data as in the record.
    public var discretionaryData1 = "0000000000000000"
    public var discretionaryData2 = "9000990000000"
    public var cardholder = "SIMULATED/CARD"
    /// UDOL; if nil, the terminal uses its default and sends its number alone.
    public var dataList: [DataRequest]? = .computeChecksum
    /// The issuer's master key for the code, 16 bytes. Test value.
    public var masterKey: [UInt8] = [
        0x01, 0x23, 0x45, 0x67, 0x89, 0x98, 0x76, 0x54, 0x32, 0x10, 0x01, 0x23, 0x45, 0x67, 0x89, 0x98,
    ]

    public init() {}
}

/// Makes the card a phone, which returns POS Cardholder Interaction Information (DF4B).
public struct Device: Sendable, Hashable {
    public var verification: Verification
    /// Refuses every payment and returns these bits of DF4B, until another profile is presented.
    public var interaction: [UInt8]?

    public enum Verification: String, Sendable, Hashable, CaseIterable {
        /// Verification if the terminal requests it. The holder is asked, and the device reports the verification in
        /// the next tap.
        case whenAsked
        /// Before every payment.
        case always
        /// Reports verification without asking the holder.
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
    /// The slot's first operator; nil for a free slot.
    public var operatorID: [UInt8]?
    /// The slot's first content.
    public var stored: [UInt8] = []
    /// DS Slot Management Control (9F6F): a permanent slot.
    public var slotControl: UInt8 = 0x80
    /// Rejects every write: DS Summary does not change.
    public var isReadOnly = false

    public init() {}
}

extension CardScheme {
    /// M/Chip with mag-stripe mode (Kernel 2).
    public static func mastercard(_ behaviour: MastercardBehaviour) -> CardScheme { CardScheme(behaviour) }
}

extension CardApplication {
    /// The Mastercard part of an application. For an application of another scheme the getter returns the ordinary
    /// Mastercard behaviour; the setter changes the scheme to Mastercard.
    public var mastercard: MastercardBehaviour {
        get { scheme.behaviour(as: MastercardBehaviour.self) ?? MastercardBehaviour() }
        set { scheme = .mastercard(newValue) }
    }
}

extension [DataRequest] {
    /// CDOL1 with all data that an M/Chip cryptogram covers, terminal type and CVM Results.
    public static let generateCryptogram: [DataRequest] = [
        .init(0x9F02, 6), .init(0x9F03, 6), .init(0x9F1A, 2), .init(0x95, 5), .init(0x5F2A, 2), .init(0x9A, 3),
        .init(0x9C, 1), .init(0x9F37, 4), .init(0x9F35, 1), .init(0x9F45, 2), .init(0x9F4C, 8), .init(0x9F34, 3),
        .init(0x9F21, 3), .init(0x9F7C, 20),
    ]

    /// DRDOL with the terminal's number.
    public static let recoverCryptogram: [DataRequest] = [.init(0x9F37, 4)]

    /// UDOL with the terminal's number, the reader's requests to a phone, and the amount.
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
