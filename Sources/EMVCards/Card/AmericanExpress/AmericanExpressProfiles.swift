// SPDX-License-Identifier: Apache-2.0
/// The American Express cards among the named cards.
extension CardProfile {
    static let americanExpress: [CardProfile] = amexOrdinary + amexVerification + amexStripe + amexFailing

    private static let amexOrdinary: [CardProfile] = [
        amex("amexOnline", "goes online with a combined signature", from: .amexSigned) {
            $0.processingOptionsFormat = .format1
        },
        amex("amexOnlinePlain", "goes online without a signature"),
        amex("amexOnlineFormat1", "goes online without a signature, cryptogram in format 1") {
            $0.americanExpress.cryptogramFormat = .format1
        },
        amex("amexEnhanced", "asks for Enhanced Contactless Reader Capabilities alone", from: .amexSigned) {
            $0.pdol = [.init(0x9F6E, 4)]
        },
        amex("amexEnhancedAndType", "asks for both objects that describe the reader", from: .amexSigned) {
            $0.pdol = [.init(0x9F35, 1), .init(0x9F6E, 4), .init(0x9F37, 4)]
        },
        amex("amexOffline", "approves offline with a combined signature", from: .amexOffline),
        amex("amexOfflineSDA", "approves offline with static data that its issuer signed", from: .amexOffline) {
            $0.americanExpress.signsStatically = true
        },
        amex("amexOfflineMax", "approves offline with the largest keys, exponents 3", from: .amexOffline) {
            $0.keys = .largest
        },
        amex("amexOfflineF4", "approves offline, keys of 1152 bits, exponents 65537", from: .amexOffline) {
            $0.keys = .smallF4
        },
        amex("amexOfflineSpread", "approves offline, one data object a record", from: .amexOffline) {
            $0.layout = .spread
        },
        amex("amexOfflineFile12", "approves offline, static data in file 12", from: .amexOffline) {
            $0.layout = .proprietaryFile
        },
        amex("amexOfflineLimit", "approves offline up to 10.00, goes online above", from: .amexOffline) {
            $0.disposition = .offline(upTo: 1000)
        },
        amex("amexDecline", "declines everything; has a contact chip", from: .amexSigned) { $0.disposition = .decline },
        amex("amexDeclineNoContact", "declines everything; has no other interface", from: .amexSigned) {
            $0.disposition = .decline
            $0.americanExpress.capabilities = [0x00, 0x00]
        },
        amex("amexLimit", "names the set of limits that pays up to 10.00", from: .amexSigned) {
            $0.americanExpress.capabilities = [0xFC, 0x03]
        },
        amex("amexLimitNoContact", "as amexLimit, without a contact chip", from: .amexSigned) {
            $0.americanExpress.capabilities = [0x1C, 0x03]
        },
        amex("amexVerifiedSet", "names the set of limits that verifies from 10.00", from: .amexSigned) {
            $0.americanExpress.capabilities = [0xFC, 0x01]
        },
        amex("amexNoDelay", "allows delayed authorisation abroad alone", from: .amexSigned) {
            $0.americanExpress.capabilities = [0xFC, 0xA0]
        },
        amex("amexMember", "is also a membership card", from: .amexSigned) {
            $0.americanExpress.membership = .init(product: "CLUB", number: "M-0001234567")
        },
    ]

    private static let amexVerification: [CardProfile] = [
        amex("amexOnlinePIN", "online PIN, else signature, nothing else", from: .amexSigned) {
            $0.americanExpress.verificationList = list(0x42, 0x03, 0x1E, 0x03)
        },
        amex("amexOnlinePINOffline", "approves offline; online PIN alone", from: .amexOffline) {
            $0.americanExpress.verificationList = list(0x02, 0x03)
        },
        amex("amexSignature", "signature alone", from: .amexSigned) {
            $0.americanExpress.verificationList = list(0x1E, 0x03)
        },
        amex("amexSignatureOffline", "approves offline; signature alone", from: .amexOffline) {
            $0.americanExpress.verificationList = list(0x1E, 0x03)
        },
        amex("amexSignatureUnsigned", "signature alone, in a list that no signature covers", from: .amexSigned) {
            $0.americanExpress.verificationList = list(0x1E, 0x03)
            $0.americanExpress.listIsUnsigned = true
        },
        amex("amexNoCVM", "no verification alone", from: .amexSigned) {
            $0.americanExpress.verificationList = list(0x1F, 0x00)
        },
        amex("amexNoList", "has no CVM List", from: .amexSigned) { $0.americanExpress.verificationList = nil },
        amex("amexFailCVM", "fails verification wherever it is asked for", from: .amexSigned) {
            $0.americanExpress.verificationList = list(0x00, 0x03)
        },
        amex("amexOddList", "has a CVM List of an odd length", from: .amexSigned) {
            $0.americanExpress.verificationList = list(0x1E, 0x03) + [0x1F]
        },
        amex("amexWatch", "a watch that vouches for its holder at once", from: .amexPhone) {
            $0.americanExpress.mobile = .init(.claimed)
            $0.americanExpress.verificationList = list(0x41, 0x03, 0x1E, 0x03)
        },
        amex("amexWatchPlain", "a watch that vouches for its holder and signs nothing", from: .amexPhone) {
            $0.keys = nil
            $0.americanExpress.mobile = .init(.claimed)
            $0.americanExpress.verificationList = list(0x41, 0x03, 0x1E, 0x03)
        },
        amex(
            "amexPhone", "a phone: asks its holder where the reader wants verification, then vouches for it",
            from: .amexPhone),
        amex("amexPhoneOffline", "a phone that approves offline", from: .amexPhone) {
            $0.disposition = .offline(upTo: 100_000)
        },
        amex("amexPhone6984", "a phone that answers GENERATE AC with 6984 until it is unlocked", from: .amexPhone) {
            $0.americanExpress.mobile = .init(refusesLocked: true)
        },
        amex("amexPhoneFailed", "a phone whose code was wrong; falls back to a signature", from: .amexPhone) {
            $0.americanExpress.mobile = .init(.failed)
        },
        amex("amexPhoneBlocked", "a phone whose code was wrong too often; falls back to a signature", from: .amexPhone)
        {
            $0.americanExpress.mobile = .init(.blocked)
        },
    ]

    private static let amexStripe: [CardProfile] = [
        amex("amexStripe", "has mag-stripe mode alone, without a signature", from: .amexStripe),
        amex("amexStripeSigned", "has mag-stripe mode alone and signs its cryptogram", from: .amexSigned) {
            $0.americanExpress.modes = .magneticStripe
            $0.americanExpress.capabilities = [0xE0, 0x00]
        },
        amex("amexStripePhone", "a phone of mag-stripe mode alone that signs its cryptogram", from: .amexPhone) {
            $0.aid = [0xA0, 0x00, 0x00, 0x00, 0x25, 0x01, 0x09, 0x01]
            $0.americanExpress.modes = .magneticStripe
            $0.americanExpress.mobile = .init(.claimed)
            $0.americanExpress.capabilities = [0x18, 0x00]
        },
        amex("amexBoth", "has both modes", from: .amexSigned) {
            $0.americanExpress.modes = .both
            $0.americanExpress.capabilities = [0xF8, 0x00]
        },
        amex(
            "amexStripeOtherCounter", "mag-stripe mode: GENERATE AC counts one further than GET DATA", from: .amexStripe
        ) {
            $0.americanExpress.flaws = [.differingCounter]
        },
        amex("amexStripeNoName", "mag-stripe mode without a name", from: .amexStripe) {
            $0.americanExpress.flaws = [.missingName]
        },
        amex("amexStripeLongPAN", "mag-stripe mode with an account of 16 digits", from: .amexStripe) {
            $0.pan = "3700000000000002"
        },
        amex("amexStripeRegardless", "mag-stripe mode: approves offline whatever the reader asks", from: .amexStripe) {
            $0.disposition = .offlineRegardless
        },
        amex("amexStripeDecline", "mag-stripe mode: declines everything", from: .amexStripe) {
            $0.disposition = .decline
        },
    ]

    private static let amexFailing: [CardProfile] = [
        amex("amexExpired", "approves offline though it has expired", from: .amexOffline) { $0.expires = "201231" },
        amex("amexFuture", "becomes effective in 2049", from: .amexOffline) { $0.effective = "490101" },
        amex("amexForeign", "was issued abroad and may be used there only", from: .amexOffline) {
            $0.usageControl = [0xAB, 0x00]
            $0.issuerCountry = [0x08, 0x40]
        },
        amex("amexWrongSignature", "signs wrongly and goes online", from: .amexSigned) {
            $0.flaws = [.corruptSignature]
        },
        amex("amexWrongSignatureOffline", "signs wrongly and approves", from: .amexOffline) {
            $0.flaws = [.corruptSignature]
            $0.americanExpress.capabilities = [0x00, 0x00]
        },
        amex("amexWrongStatic", "approves offline with another card's signed static data", from: .amexOffline) {
            $0.americanExpress.signsStatically = true
            $0.americanExpress.flaws = [.wrongStaticSignature]
            $0.americanExpress.capabilities = [0x00, 0x00]
        },
        amex("amexOtherData", "signs another transaction's data", from: .amexSigned) {
            $0.flaws = [.differingTransactionData]
        },
        amex("amexOtherType", "signs another cryptogram type than it shows", from: .amexSigned) {
            $0.flaws = [.differingCryptogramType]
        },
        amex("amexNoSignature", "leaves out the signature that was asked for", from: .amexSigned) {
            $0.flaws = [.missingSignature]
        },
        amex("amexUnknownCA", "names an authority that nobody has", from: .amexOffline) {
            $0.flaws = [.unknownAuthority]
        },
        amex("amexUnsigned", "approves offline without a signature", from: .amexOffline) { $0.keys = nil },
        amex("amexRegardless", "approves offline whatever the reader asks", from: .amexSigned) {
            $0.disposition = .offlineRegardless
        },
        amex("amexRegardlessUnsigned", "approves offline whatever the reader asks, without a signature") {
            $0.disposition = .offlineRegardless
        },
        amex("amexWrongFormat", "answers GENERATE AC in another template") {
            $0.americanExpress.flaws = [.answerWithoutTemplate]
        },
        amex("amexWrongFormatNoContact", "answers GENERATE AC in another template; has no other interface") {
            $0.americanExpress.flaws = [.answerWithoutTemplate]
            $0.americanExpress.capabilities = [0x00, 0x00]
        },
        amex("amexUndefinedType", "returns a cryptogram type that does not exist") {
            $0.flaws = [.undefinedCryptogramType]
        },
        amex("amexNoCryptogram", "returns no cryptogram") { $0.flaws = [.missingCryptogram] },
        amex("amexNoAccount", "has no account number in its records", from: .amexSigned) {
            $0.americanExpress.flaws = [.missingAccount]
        },
        amex("amexNoPDOL", "has no PDOL: nobody tells it of EMV mode") { $0.pdol = nil },
        amex("amexRefuses", "refuses GET PROCESSING OPTIONS (6985)") { $0.refusal = .conditionsNotSatisfied },
        amex("amexRepeated", "sends Track 2 twice") { $0.flaws = [.repeatedTrack2] },
        amex("amexAbsentRecord", "names a record that is not there") { $0.flaws = [.absentRecord] },
    ]

    /// A CVM List without amounts.
    @inline(never)
    private static func list(_ rules: UInt8...) -> [UInt8] { [0, 0, 0, 0, 0, 0, 0, 0] + rules }

    @inline(never)
    private static func amex(
        _ name: String, _ summary: String, from base: CardApplication = .ordinaryAmericanExpress,
        _ change: (inout CardApplication) -> Void = { _ in }
    ) -> CardProfile {
        card(name, summary, from: base, change)
    }
}

extension CardApplication {
    /// Goes online and signs.
    fileprivate static let amexSigned: CardApplication = {
        var application = CardApplication.ordinaryAmericanExpress
        application.keys = .standard
        return application
    }()

    /// Approves up to 1,000.00 and signs.
    fileprivate static let amexOffline: CardApplication = {
        var application = amexSigned
        application.disposition = .offline(upTo: 100_000)
        return application
    }()

    /// Verifies its holder on the device, else asks for a signature.
    fileprivate static let amexPhone: CardApplication = {
        var application = amexSigned
        application.americanExpress.mobile = .init()
        application.americanExpress.verificationList = [0, 0, 0, 0, 0, 0, 0, 0, 0x41, 0x03, 0x1E, 0x03, 0x1F, 0x03]
        return application
    }()

    /// Supports mag-stripe mode only and has no keys.
    fileprivate static let amexStripe: CardApplication = {
        var application = CardApplication.ordinaryAmericanExpress
        application.americanExpress.modes = .magneticStripe
        application.americanExpress.capabilities = [0xE0, 0x00]
        return application
    }()
}
