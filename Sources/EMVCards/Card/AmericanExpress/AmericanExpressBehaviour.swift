// SPDX-License-Identifier: Apache-2.0
/// The part of an application that American Express's rules add.
public struct AmericanExpressBehaviour: Sendable, Hashable {

    // Data object lists.

    /// CDOL1 of EMV mode. In mag-stripe mode the card asks for the unpredictable number alone.
    public var dataList: [DataRequest] = .expresspay
    /// CDOL2, for a terminal that returns the issuer's answer to the card. Readers of Book C-4 never do.
    public var secondDataList: [DataRequest] = .expresspaySecond

    // Data that the card reports about itself.

    public var modes = Modes.emv
    /// CVM List (8E): online PIN, else signature, else no CVM if the terminal has no limit to enforce. Nil leaves it
    /// out.
    public var verificationList: [UInt8]? = [0, 0, 0, 0, 0, 0, 0, 0, 0x42, 0x03, 0x5E, 0x03, 0x1F, 0x03]
    /// The CVM List is in a record that no signature covers.
    public var listIsUnsigned = false
    /// CDOL1 (8C) is in a record that no signature covers.
    public var dataListIsUnsigned = false
    /// Issuer Action Codes Default, Denial and Online, 5 bytes each; nil leaves all three out.
    public var actionCodes: ActionCodes? = ActionCodes()
    /// Application Version Number (9F08).
    public var version: [UInt8] = [0x00, 0x01]
    /// Application Currency Code (9F42): the euro.
    public var currency: [UInt8] = [0x09, 0x78]
    /// Card Interface and Payment Capabilities (9F70), 2 bytes: interfaces, delayed authorisation, and in the last four
    /// bits the number of a set of limits. Nil leaves it out.
    public var capabilities: [UInt8]? = [0xFC, 0x00]
    /// Cardholder Name (5F20).
    public var cardholder = "SIMULATED/CARD"
    /// Nil for a plastic card: it returns no Mobile CVM Results.
    public var mobile: Mobile?
    /// The card is also a membership card.
    public var membership: Membership?

    // Signatures and answer format.

    /// Signed Static Application Data (93) in place of combined signatures.
    public var signsStatically = false
    /// Format of the GENERATE AC answer without a signature.
    public var cryptogramFormat = CardApplication.ProcessingOptionsFormat.format2
    public var flaws: Set<Flaw> = []

    /// The modes of Book C-4 that a card supports (1.3, 2.1).
    public enum Modes: String, Sendable, Hashable, CaseIterable {
        case emv
        case magneticStripe
        /// EMV mode if the reader supports it, else mag-stripe mode.
        case both
    }

    public struct ActionCodes: Sendable, Hashable {
        public var byDefault: [UInt8]
        public var denial: [UInt8]
        public var online: [UInt8]

        /// Creates a behaviour. By default the action codes are those of published test cards: nothing is denied;
        /// failed authentication, dates, an online PIN and the floor limit go online.
        public init(
            byDefault: [UInt8] = [0xF8, 0x50, 0xEC, 0xA0, 0x00], denial: [UInt8] = [0x00, 0x00, 0x00, 0x00, 0x00],
            online: [UInt8] = [0xF0, 0x78, 0xFC, 0xF8, 0x00]
        ) {
            self.byDefault = byDefault
            self.denial = denial
            self.online = online
        }
    }

    /// A phone or a watch (Book C-4, 4.3.8 and 8.2.4).
    public struct Mobile: Sendable, Hashable {
        public var verification: Verification
        /// GENERATE AC is answered with 6984 until the holder has unlocked the device.
        public var refusesLocked: Bool

        public enum Verification: String, Sendable, Hashable, CaseIterable {
            /// The holder is asked if the reader requires verification. The device reports the verification in the next
            /// tap.
            case whenAsked
            /// Reports verification at once, without asking the holder.
            case claimed
            /// The code was wrong.
            case failed
            /// The code was wrong too often.
            case blocked
        }

        public init(_ verification: Verification = .whenAsked, refusesLocked: Bool = false) {
            self.verification = verification
            self.refusesLocked = refusesLocked
        }
    }

    /// Membership Product Identifier (9F5A) and Product Membership Number (9F5B).
    public struct Membership: Sendable, Hashable {
        /// 1 to 8 characters.
        public var product: String
        /// 1 to 32 characters.
        public var number: String

        public init(product: String, number: String) {
            self.product = product
            self.number = number
        }
    }

    /// Behaviour that no honest American Express card shows, in addition to the flaws of every scheme in `CardFlaw`.
    public enum Flaw: String, Sendable, Hashable, CaseIterable {
        /// Mag-stripe mode: the counter of GENERATE AC is one higher than the one that GET DATA returned.
        case differingCounter
        /// The answer to GENERATE AC is in template 70.
        case answerWithoutTemplate
        /// No 5A.
        case missingAccount
        /// No 5F20.
        case missingName
        /// The signed static data are another card's.
        case wrongStaticSignature
    }

    public init() {}
}

extension CardScheme {
    /// Expresspay (Book C-4).
    public static func americanExpress(_ behaviour: AmericanExpressBehaviour) -> CardScheme { CardScheme(behaviour) }
}

extension CardApplication {
    /// An ordinary American Express card of EMV mode without keys, that goes online.
    public static let ordinaryAmericanExpress: CardApplication = {
        var application = CardApplication(
            .americanExpress(AmericanExpressBehaviour()), aid: [0xA0, 0x00, 0x00, 0x00, 0x25, 0x01, 0x04, 0x02],
            label: "AMERICAN EXPRESS", pan: "378282246310005", pdol: [.init(0x9F35, 1)],
            interchangeProfile: [0x19, 0x00])
        application.effective = "150101"
        return application
    }()

    /// The American Express part of an application. For an application of another scheme the getter returns the
    /// ordinary American Express behaviour; the setter changes the scheme to American Express.
    public var americanExpress: AmericanExpressBehaviour {
        get { scheme.behaviour(as: AmericanExpressBehaviour.self) ?? AmericanExpressBehaviour() }
        set { scheme = .americanExpress(newValue) }
    }
}

extension [DataRequest] {
    /// CDOL1 of EMV mode: the data that cryptogram version 01 covers.
    public static let expresspay: [DataRequest] = [
        .init(0x9F02, 6), .init(0x9F03, 6), .init(0x9F1A, 2), .init(0x95, 5), .init(0x5F2A, 2), .init(0x9A, 3),
        .init(0x9C, 1), .init(0x9F37, 4),
    ]

    /// CDOL2: the issuer's answer, followed by the objects of CDOL1.
    public static let expresspaySecond: [DataRequest] = [.init(0x8A, 2), .init(0x91, 10)] + .expresspay
}
