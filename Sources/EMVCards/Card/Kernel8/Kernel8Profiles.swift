// SPDX-License-Identifier: Apache-2.0
/// The cards of Kernel 8 among the named cards.
extension CardProfile {
    static let kernel8: [CardProfile] =
        kernel8Ordinary + kernel8Verification + kernel8Channel + kernel8Chains + kernel8Failing

    /// Cards with applications for Kernel 8 and, after it, for the older kernel of their scheme.
    static let kernel8Beside: [CardProfile] = [
        beside("k8AndMastercard", "names Kernel 8 first, Kernel 2 second"),
        beside("k8FallsBack", "refuses Kernel 8 (6985); its second application is Kernel 2's") {
            $0.refusal = .conditionsNotSatisfied
        },
        beside("k8FallsBackVersion", "has a Card Qualifier of version 00; its second application is Kernel 2's") {
            $0.kernel8.version = 0
        },
    ]

    private static let kernel8Ordinary: [CardProfile] = [
        kernel8("k8Online", "goes online without local authentication"),
        kernel8("k8OnlineLocal", "goes online after local authentication", from: .kernel8Local),
        kernel8("k8Version1", "a card of version 1, approves offline", from: .kernel8Offline) {
            $0.kernel8.version = 1
        },
        kernel8("k8Offline", "approves offline up to 1,000.00, certificates over P-256", from: .kernel8Offline),
        kernel8("k8OfflineRSA", "approves offline, RSA certificates", from: .kernel8Offline) {
            $0.kernel8.certificates = .rsa
        },
        kernel8("k8OfflineLimit", "approves offline up to 10.00, goes online above", from: .kernel8Offline) {
            $0.disposition = .offline(upTo: 1000)
        },
        kernel8("k8Decline", "declines everything", from: .kernel8Local) { $0.disposition = .decline },
        kernel8("k8OffsetOfCard", "says itself where the IAD-MAC goes", from: .kernel8Offline) {
            $0.kernel8.issuerDataMAC = .cardOffset
            $0.kernel8.macOffset = 10
        },
        kernel8("k8MACApart", "leaves the IAD-MAC out of its data", from: .kernel8Offline) {
            $0.kernel8.issuerDataMAC = .apart
        },
        kernel8("k8ExtendedData", "its certificate covers data of the cryptogram's answer", from: .kernel8Offline) {
            $0.kernel8.authenticatedData = [0xDF, 0x01, 0x02, 0x01, 0x02]
            $0.kernel8.extendedTags = [0x8C, 0x9F8106, 0x9F24]
        },
        kernel8("k8SignedList", "has its data list in a signed record", from: .kernel8Offline) {
            $0.kernel8.extendedTags = []
            $0.kernel8.listIsSigned = true
        },
        kernel8("k8OpenList", "has a data list that nothing signs", from: .kernel8Offline) {
            $0.kernel8.extendedTags = []
        },
        kernel8("k8CardResults", "puts results of its own into the TVR", from: .kernel8Local) {
            $0.kernel8.results = [0x00, 0x20, 0x00, 0x00, 0x00]
        },
        kernel8("k8FieldOff", "wants the field off behind it") { $0.kernel8.detectsFieldOff = true },
    ]

    private static let kernel8Verification: [CardProfile] = [
        kernel8("k8Signature", "asks for a signature in every transaction", from: .kernel8Local) {
            $0.kernel8.verification = [.signature]
            $0.kernel8.alwaysVerifies = true
        },
        kernel8("k8OnlinePIN", "asks for an online PIN in every transaction", from: .kernel8Local) {
            $0.kernel8.verification = [.onlinePIN]
            $0.kernel8.alwaysVerifies = true
        },
        kernel8("k8CDCVM", "a watch that vouches for its holder at once", from: .kernel8Offline) {
            $0.kernel8.verification = [.consumerDeviceClaimed]
            $0.kernel8.alwaysVerifies = true
        },
        kernel8("k8CVMFailed", "has no way to verify its holder and goes without none", from: .kernel8Local) {
            $0.kernel8.verification = []
            $0.kernel8.alwaysVerifies = true
        },
        kernel8("k8CVMNotApplicable", "says that verification does not apply", from: .kernel8Local) {
            $0.kernel8.decision = 0x0F
        },
        kernel8("k8CVMUnknown", "says a verification that does not exist", from: .kernel8Local) {
            $0.kernel8.decision = 0x42
        },
        kernel8("k8Phone", "a phone: restarts where its holder has to confirm, then vouches", from: .kernel8Offline) {
            $0.kernel8.verification = [.consumerDevice]
        },
        kernel8("k8RestartForever", "restarts however often it is presented", from: .kernel8Local) {
            $0.kernel8.restart = [0x2F, 0x21]
        },
        kernel8("k8RestartOnce", "restarts once", from: .kernel8Local) {
            $0.kernel8.restart = [0x2F, 0x00]
            $0.kernel8.restarts = 1
        },
        kernel8("k8OtherInterface", "declines and points to the contact chip", from: .kernel8Local) {
            $0.kernel8.restart = [0x31, 0x18]
        },
    ]

    private static let kernel8Channel: [CardProfile] = [
        kernel8("k8Relay", "takes part in relay resistance", from: .kernel8Offline) {
            $0.kernel8.relay = RelayResistance()
        },
        kernel8("k8RelayRetry", "answers late once, then in time", from: .kernel8Offline) {
            $0.kernel8.relay = RelayResistance(milliseconds: [40, 8])
        },
        kernel8("k8RelayLate", "answers late three times", from: .kernel8Offline) {
            $0.kernel8.relay = RelayResistance(milliseconds: [40])
        },
        kernel8("k8PlainRecords", "hides nothing but its blinding factor", from: .kernel8Offline) {
            $0.kernel8.encryption = .nothing
        },
        kernel8("k8PlainIssuer", "hides all but its issuer's certificate", from: .kernel8Offline) {
            $0.kernel8.encryption = .identifying
        },
        kernel8("k8Spread", "one data object a record", from: .kernel8Offline) { $0.layout = .spread },
        kernel8("k8Envelopes", "has three data envelopes", from: .kernel8Offline) {
            $0.kernel8.envelopes = [0x11: [1, 2, 3, 4], 0x12: [], 0x1A: [UInt8](repeating: 0xA5, count: 100)]
        },
        kernel8("k8EnvelopeMAC", "reads its envelopes with a wrong MAC", from: .kernel8Offline) {
            $0.kernel8.envelopes = [0x11: [1, 2, 3, 4]]
            $0.kernel8.defects = [.wrongEnvelopeMAC]
        },
        kernel8("k8WriteMAC", "answers what is written with a wrong MAC", from: .kernel8Offline) {
            $0.kernel8.envelopes = [0x11: [1, 2, 3, 4]]
            $0.kernel8.defects = [.wrongWriteMAC]
        },
    ]

    private static let kernel8Chains: [CardProfile] = [
        kernel8("k8Expired", "its issuer's certificate has expired", from: .kernel8Offline) {
            $0.issuerCertificateExpires = [0x12, 0x20]
        },
        kernel8("k8CardExpired", "its own certificate has expired", from: .kernel8Offline) {
            $0.cardCertificateExpires = [0x12, 0x20]
        },
        kernel8("k8Revoked", "its issuer's certificate has the serial number 00BAD1", from: .kernel8Offline) {
            $0.issuerSerial = [0x00, 0xBA, 0xD1]
        },
        kernel8("k8UnknownCA", "names an authority that nobody has", from: .kernel8Offline) {
            $0.flaws = [.unknownAuthority]
        },
        kernel8("k8OtherIssuer", "its issuer's certificate is for other accounts", from: .kernel8Offline) {
            $0.flaws = [.wrongIssuerIdentifier]
        },
        kernel8("k8IssuerSignature", "its issuer's certificate is signed by another", from: .kernel8Offline) {
            $0.kernel8.defects = [.wrongIssuerSignature]
        },
        kernel8("k8CardSignature", "its own certificate is signed by another", from: .kernel8Offline) {
            $0.kernel8.defects = [.wrongCardSignature]
        },
        kernel8("k8CardHash", "its own certificate covers other data", from: .kernel8Offline) {
            $0.flaws = [.wrongCardHash]
        },
        kernel8("k8ForeignBlinding", "sends another transaction's blinding factor", from: .kernel8Offline) {
            $0.kernel8.defects = [.foreignBlindingFactor]
        },
        kernel8("k8BlindingOne", "blinds with 1, and shows its key", from: .kernel8Offline) {
            $0.kernel8.defects = [.blindingFactorOne]
        },
        kernel8("k8BlindingRepeated", "blinds always alike", from: .kernel8Offline) {
            $0.kernel8.defects = [.repeatedBlindingFactor]
        },
        kernel8("k8UnsignedKey", "RSA certificates, its key in an unsigned record", from: .kernel8Offline) {
            $0.kernel8.certificates = .rsa
            $0.kernel8.defects = [.unsignedCardKey]
        },
        kernel8("k8NoIndex", "sends no authority index", from: .kernel8Offline) {
            $0.kernel8.defects = [.missingAuthorityIndex]
        },
        kernel8("k8NoIssuerCertificate", "sends no issuer certificate", from: .kernel8Offline) {
            $0.flaws = [.missingIssuerCertificate]
        },
        kernel8("k8NoCardCertificate", "sends no certificate of its own", from: .kernel8Offline) {
            $0.flaws = [.missingCardCertificate]
        },
        kernel8("k8NoKeys", "approves offline without local authentication", from: .kernel8Offline) { $0.keys = nil },
    ]

    private static let kernel8Failing: [CardProfile] = [
        failing("k8OffCurve", "its blinded key is no point", .blindedKeyOffCurve),
        failing("k8ShortKeyData", "its Card Key Data is too short", .shortCardKeyData),
        failing("k8RepeatedCounter", "uses a counter twice", .repeatedCounter),
        failing("k8DamagedRecord", "sends records a byte short", .damagedRecord),
        failing("k8WrongEDAMAC", "authenticates wrongly", .wrongAuthenticationMAC),
        failing("k8WrongIADMAC", "computed the IAD-MAC over other data", .foreignIssuerDataMAC),
        failing("k8NoDecision", "decides nothing of its holder", .missingDecision),
        failing("k8NoEDAMAC", "authenticates nothing", .missingAuthenticationMAC),
        failing("k8TerminalObject", "sends an object of the terminal's", .terminalObject),
        failing("k8NoAccount", "sends no account number", .missingAccount),
        failing("k8Regardless", "approves offline whatever the terminal asks", .approvesRegardless),
        kernel8("k8WrongOffset", "names an offset past the end of its data", from: .kernel8Offline) {
            $0.kernel8.issuerDataMAC = .cardOffset
            $0.kernel8.defects = [.wrongMACOffset]
        },
        kernel8("k8NoSuite", "supports no known secure channel") { $0.kernel8.channelSuites = [0x01] },
        kernel8("k8Version0", "has a Card Qualifier of version 00") { $0.kernel8.version = 0 },
        kernel8("k8Refuses", "refuses GET PROCESSING OPTIONS (6985)") { $0.refusal = .conditionsNotSatisfied },
        kernel8("k8RefusesCryptogram", "refuses GENERATE AC (6985)") {
            $0.kernel8.cryptogramRefusal = .conditionsNotSatisfied
        },
        kernel8("k8UndefinedType", "returns a cryptogram type that does not exist") {
            $0.flaws = [.undefinedCryptogramType]
        },
        kernel8("k8NoCryptogram", "returns no cryptogram") { $0.flaws = [.missingCryptogram] },
        kernel8("k8NoIssuerData", "returns no issuer data") { $0.flaws = [.missingIssuerData] },
        kernel8("k8NoTemplate", "sends records in no template") { $0.flaws = [.recordWithoutTemplate] },
        kernel8("k8NoAIP", "has no interchange profile") { $0.flaws = [.missingInterchangeProfile] },
        kernel8("k8UnevenAFL", "has a locator of uneven length") { $0.flaws = [.unevenFileLocator] },
    ]

    @inline(never)
    private static func kernel8(
        _ name: String, _ summary: String, from base: CardApplication = .ordinaryKernel8,
        _ change: (inout CardApplication) -> Void = { _ in }
    ) -> CardProfile {
        card(name, summary, from: base, change)
    }

    @inline(never)
    private static func failing(_ name: String, _ summary: String, _ defect: Kernel8Defect) -> CardProfile {
        kernel8(name, summary, from: .kernel8Offline) { $0.kernel8.defects = [defect] }
    }

    @inline(never)
    private static func beside(
        _ name: String, _ summary: String, _ change: (inout CardApplication) -> Void = { _ in }
    ) -> CardProfile {
        var older = CardApplication.ordinaryMastercard
        older.priority = 2
        var application = CardApplication.kernel8(beside: older)
        change(&application)
        return CardProfile(name: name, summary: summary, applications: [application, older])
    }
}

extension CardApplication {
    /// Goes online, with certificates.
    fileprivate static let kernel8Local: CardApplication = {
        var application = CardApplication.ordinaryKernel8
        application.keys = .standard
        application.usageControl = [0xFF, 0xC0]
        return application
    }()

    /// Approves up to 1,000.00, with certificates.
    fileprivate static let kernel8Offline: CardApplication = {
        var application = CardApplication.kernel8Local
        application.disposition = .offline(upTo: 100_000)
        return application
    }()
}
