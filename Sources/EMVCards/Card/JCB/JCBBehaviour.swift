// SPDX-License-Identifier: Apache-2.0
/// The part of an application that JCB's rules add (J/Speedy, Book C-5). The defaults describe an ordinary card of EMV
/// Mode that answers ECHO after a torn tap and does not require its issuer's answer.
public struct JCBBehaviour: Sendable, Hashable {

    // Data object lists.

    /// CDOL1.
    public var dataList: [DataRequest] = .jcbCryptogram
    /// CDOL2, for a card that accepts its issuer's answer; nil leaves it out.
    public var secondDataList: [DataRequest]?

    // Data that the card reports about itself.

    /// Has no EMV Mode: its PDOL does not contain the Terminal Compatibility Indicator (9F52), and its cryptogram has
    /// format 1.
    public var isLegacy = false
    /// CVM List (8E), used in Legacy Mode only; nil leaves it out.
    public var verificationList: [UInt8]?
    /// Issuer Action Codes Default, Denial and Online, 5 bytes each; nil leaves all three out.
    public var actionCodes: ActionCodes? = ActionCodes()
    /// Application Version Number (9F08).
    public var version: [UInt8] = [0x00, 0x01]
    /// Partner Discretionary Data (9F7C), up to 32 bytes; nil leaves it out.
    public var partnerData: [UInt8]?

    // Cardholder verification and answers.

    /// The value of Cardholder Verification Status (9F50).
    public var verification = Verification.asked([.onlinePIN, .signature])
    /// Requests verification even if the reader does not.
    public var alwaysVerifies = false
    /// Every GENERATE AC is answered with this status word alone.
    public var cryptogramRefusal: StatusWord?
    /// Repeats the last cryptogram once, in response to ECHO in the next presentment.
    public var answersEcho = true
    /// How the card wants its issuer's answer delivered (Issuer Update Parameter, 9F60).
    public var update: Update?
    /// Codes the length of its Issuer Application Data in two bytes (81 08), which is legal, and signs it in this form.
    public var hasLongLengths = false
    /// Has CDOL1 in a record that its certificate does not cover: no honest card does this.
    public var hasUnsignedList = false

    public enum Verification: Sendable, Hashable {
        /// If the reader requires verification, the first of these methods that it offers; no method if it offers none
        /// of them.
        case asked([CardVerification])
        /// This status in every transaction, whatever the reader offers.
        case stated(UInt8)
    }

    /// 9F60.
    public enum Update: UInt8, Sendable, Hashable {
        case none = 0x00
        /// The card stays in the field until the issuer has answered.
        case hold = 0x01
        /// The card is presented again.
        case twoPresentments = 0x02
    }

    public struct ActionCodes: Sendable, Hashable {
        public var byDefault: [UInt8]
        public var denial: [UInt8]
        public var online: [UInt8]

        /// Creates a behaviour. By default the card denies nothing in addition to the reader; failed authentication,
        /// dates and the floor limit go online.
        public init(
            byDefault: [UInt8] = [0xFC, 0x40, 0x00, 0x80, 0x00], denial: [UInt8] = [0, 0, 0, 0, 0],
            online: [UInt8] = [0xFC, 0x60, 0x00, 0x90, 0x00]
        ) {
            self.byDefault = byDefault
            self.denial = denial
            self.online = online
        }
    }

    public init() {}
}

extension CardScheme {
    /// J/Speedy (Book C-5).
    public static func jcb(_ behaviour: JCBBehaviour) -> CardScheme { CardScheme(behaviour) }
}

extension CardApplication {
    /// An ordinary JCB card of EMV Mode that goes online and signs.
    public static let ordinaryJCB: CardApplication = {
        var application = CardApplication(
            .jcb(JCBBehaviour()), aid: [0xA0, 0x00, 0x00, 0x00, 0x65, 0x10, 0x10], label: "JCB",
            pan: "3530111333300000", pdol: .jcbOptions, interchangeProfile: [0x19, 0x80])
        application.keys = .standard
        return application
    }()

    /// An ordinary card of Legacy Mode: online PIN, else signature, if the reader requires verification.
    public static let ordinaryJCBLegacy: CardApplication = {
        var behaviour = JCBBehaviour()
        behaviour.isLegacy = true
        behaviour.answersEcho = false
        behaviour.dataList = .jcbLegacyCryptogram
        behaviour.verificationList = [0, 0, 0, 0, 0, 0, 0, 0, 0x42, 0x03, 0x1E, 0x03, 0x1F, 0x03]
        return CardApplication(
            .jcb(behaviour), aid: [0xA0, 0x00, 0x00, 0x00, 0x65, 0x10, 0x10], label: "JCB",
            pan: "3566002020360505", pdol: .jcbLegacyOptions, interchangeProfile: [0x18, 0x00])
    }()

    /// The JCB part of an application. For an application of another scheme the getter returns the ordinary JCB
    /// behaviour; the setter changes the scheme to JCB.
    public var jcb: JCBBehaviour {
        get { scheme.behaviour(as: JCBBehaviour.self) ?? JCBBehaviour() }
        set { scheme = .jcb(newValue) }
    }
}

extension [DataRequest] {
    /// PDOL of EMV Mode: the indicator that enables the mode (9F52), the reader's capabilities (9F53), amount, currency
    /// and number.
    public static let jcbOptions: [DataRequest] = [
        .init(0x9F52, 1), .init(0x9F53, 3), .init(0x9F02, 6), .init(0x5F2A, 2), .init(0x9F37, 4),
    ]

    /// PDOL of Legacy Mode, without 9F52.
    public static let jcbLegacyOptions: [DataRequest] = [.init(0x9F1A, 2), .init(0x9F37, 4)]

    /// CDOL1 of EMV Mode: the objects that the cryptogram covers, terminal type, and the reader's capabilities with its
    /// current requirements.
    public static let jcbCryptogram: [DataRequest] =
        jcbLegacyCryptogram + [.init(0x9F35, 1), .init(0x9F53, 3)]

    /// CDOL1 of Legacy Mode: the terminal's objects that the cryptogram covers.
    public static let jcbLegacyCryptogram: [DataRequest] = [
        .init(0x9F02, 6), .init(0x9F03, 6), .init(0x9F1A, 2), .init(0x95, 5), .init(0x5F2A, 2), .init(0x9A, 3),
        .init(0x9C, 1), .init(0x9F37, 4),
    ]

    /// CDOL2: the issuer's code and data, then the objects that the second cryptogram covers.
    public static let jcbSecondCryptogram: [DataRequest] =
        [.init(0x8A, 2), .init(0x91, 10)] + jcbLegacyCryptogram

    /// CDOL1 of a transit card. It adds Transit Agent ID and Transit Related Data, whose numbers are not valid tags
    /// (Book C-5, Annex B).
    public static let jcbTransitCryptogram: [DataRequest] =
        jcbCryptogram + [.init(0xDF83, 16), .init(0xDF84, 50)]
}
