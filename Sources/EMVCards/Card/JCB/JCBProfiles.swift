// SPDX-License-Identifier: Apache-2.0
/// The JCB cards among the named cards.
extension CardProfile {
    static let jcb: [CardProfile] = jcbOrdinary + jcbVerification + jcbTorn + jcbIssuer + jcbFailing

    private static let jcbOrdinary: [CardProfile] = [
        jcb("k5-online", "goes online with a combined signature"),
        jcb("k5-offline", "approves offline with a combined signature", from: .jcbOffline),
        jcb("k5-offline-max", "approves offline with the largest keys, exponents 3", from: .jcbOffline) {
            $0.keys = .largest
        },
        jcb("k5-offline-f4", "approves offline, keys of 1152 bits, exponents 65537", from: .jcbOffline) {
            $0.keys = .smallF4
        },
        jcb("k5-offline-spread", "approves offline, one data object a record", from: .jcbOffline) {
            $0.layout = .spread
        },
        jcb("k5-offline-file12", "approves offline, static data in file 12", from: .jcbOffline) {
            $0.layout = .proprietaryFile
        },
        jcb("k5-offline-limit", "approves offline up to 10.00, goes online above", from: .jcbOffline) {
            $0.disposition = .offline(upTo: 1000)
        },
        jcb("k5-decline", "declines everything") { $0.disposition = .decline },
        jcb("k5-online-no-cda", "goes online without keys: it never signs") { $0.keys = nil },
        jcb("k5-limit", "approves whatever it is asked, so that the reader's limits decide", from: .jcbOffline),
        jcb("k5-balance", "approves offline and shows its balance", from: .jcbOffline) {
            $0.offlineBalance = 12345
        },
        jcb("k5-format-1", "returns its interchange profile and locator in format 1") {
            $0.processingOptionsFormat = .format1
        },
        jcb("k5-long-lengths", "writes a length in two bytes, and signs it so", from: .jcbOffline) {
            $0.jcb.hasLongLengths = true
        },
        jcb("k5-device", "a phone that says what it is", from: .jcbOffline) {
            $0.formFactor = [0x23, 0x06, 0x00, 0x00]
            $0.jcb.partnerData = [0x01, 0x02, 0x03, 0x04]
        },
        jcb("k5-legacy", "has Legacy Mode alone", from: .ordinaryJCBLegacy),
        jcb("k5-legacy-pin", "has Legacy Mode and verifies by online PIN alone", from: .ordinaryJCBLegacy) {
            $0.jcb.verificationList = [0, 0, 0, 0, 0, 0, 0, 0, 0x02, 0x00]
        },
        jcb("k5-transit", "asks a gate for its transit data and approves offline", from: .jcbOffline) {
            $0.jcb.dataList = .jcbTransitCryptogram
        },
    ]

    private static let jcbVerification: [CardProfile] = [
        jcb("k5-cvm-none", "goes online, its holder never verified") { $0.jcb.verification = .stated(0x00) },
        jcb("k5-cvm-signature", "goes online with a signature in every transaction") {
            $0.jcb.verification = .stated(0x10)
        },
        jcb("k5-cvm-pin", "goes online with an online PIN in every transaction") {
            $0.jcb.verification = .stated(0x20)
        },
        jcb("k5-cvm-phone", "a phone whose holder has entered a code") { $0.jcb.verification = .stated(0x31) },
        jcb("k5-cvm-auto", "takes the first of device, PIN and signature that the reader offers") {
            $0.jcb.verification = .asked([.consumerDeviceClaimed, .onlinePIN, .signature])
        },
        jcb("k5-see-phone", "a phone that asks its holder in the first tap and vouches in the second") {
            $0.jcb.verification = .asked([.consumerDevice])
            $0.jcb.alwaysVerifies = true
        },
        jcb("k5-insert", "wants the contact chip when it is asked for a cryptogram (6984)") {
            $0.jcb.cryptogramRefusal = .useAnotherInterface
        },
    ]

    private static let jcbTorn: [CardProfile] = [
        jcb("k5-torn", "approves offline; repeats a torn answer to ECHO", from: .jcbOffline) {
            $0.offlineBalance = 50_000
        },
        jcb("k5-torn-online", "goes online; repeats a torn answer to ECHO"),
        jcb("k5-torn-no-cda", "goes online without a signature; repeats a torn answer to ECHO") { $0.keys = nil },
        jcb("k5-torn-no-echo", "approves offline and knows no ECHO (6985)", from: .jcbOffline) {
            $0.jcb.answersEcho = false
        },
    ]

    private static let jcbIssuer: [CardProfile] = [
        jcb("k5-two-presentments", "comes back for its issuer's answer", from: .jcbUpdate) {
            $0.jcb.update = .twoPresentments
        },
        jcb("k5-hold", "stays in the field for its issuer's answer", from: .jcbUpdate) { $0.jcb.update = .hold },
        jcb("k5-hold-pin", "stays in the field and asks for an online PIN", from: .jcbUpdate) {
            $0.jcb.update = .hold
            $0.jcb.verification = .stated(0x20)
        },
    ]

    private static let jcbFailing: [CardProfile] = [
        jcb("k5-expired", "would approve though it has expired", from: .jcbOffline) { $0.expires = "201231" },
        jcb("k5-future", "becomes effective in 2049", from: .jcbOffline) { $0.effective = "490101" },
        jcb("k5-auc", "was issued abroad and may be used there only", from: .jcbOffline) {
            $0.usageControl = [0xAB, 0x00]
            $0.issuerCountry = [0x03, 0x92]
        },
        jcb("k5-wrong-signature", "signs wrongly", from: .jcbOffline) { $0.flaws = [.corruptSignature] },
        jcb("k5-wrong-signature-online", "goes online and signs wrongly") { $0.flaws = [.corruptSignature] },
        jcb("k5-other-data", "signs another transaction's data", from: .jcbOffline) {
            $0.flaws = [.differingTransactionData]
        },
        jcb("k5-other-number", "signs another unpredictable number", from: .jcbOffline) {
            $0.flaws = [.signatureOverOtherNumber]
        },
        jcb("k5-other-type", "signs another type of cryptogram than it shows", from: .jcbOffline) {
            $0.flaws = [.differingCryptogramType]
        },
        jcb("k5-unsigned", "approves and leaves the signature out", from: .jcbOffline) {
            $0.flaws = [.missingSignature]
        },
        jcb("k5-unknown-ca", "names an authority that nobody has", from: .jcbOffline) {
            $0.flaws = [.unknownAuthority]
        },
        jcb("k5-no-certificate", "says that it signs and has no certificate", from: .jcbOffline) {
            $0.flaws = [.missingCardCertificate]
        },
        jcb("k5-unsigned-list", "has CDOL1 in a record that its certificate does not cover", from: .jcbOffline) {
            $0.jcb.hasUnsignedList = true
        },
        jcb("k5-downgraded", "shows itself in Legacy Mode, though its profile says EMV Mode", from: .ordinaryJCBLegacy)
        {
            $0.interchangeProfile = [0x18, 0x80]
            $0.jcb.verificationList = [0, 0, 0, 0, 0, 0, 0, 0, 0x1E, 0x03, 0x02, 0x03]
        },
        jcb("k5-regardless", "approves offline whatever the reader asks", from: .jcbOffline) {
            $0.disposition = .offlineRegardless
        },
        jcb("k5-undefined-type", "returns a cryptogram type that does not exist") {
            $0.flaws = [.undefinedCryptogramType]
        },
        jcb("k5-refuses", "refuses GET PROCESSING OPTIONS (6985)") { $0.refusal = .conditionsNotSatisfied },
        jcb("k5-no-pdol", "has no PDOL") { $0.pdol = nil },
        jcb("k5-no-track", "has no Track 2") { $0.flaws = [.missingTrack2] },
        jcb("k5-repeated", "sends Track 2 twice") { $0.flaws = [.repeatedTrack2] },
    ]

    @inline(never)
    private static func jcb(
        _ name: String, _ summary: String, from base: CardApplication = .ordinaryJCB,
        _ change: (inout CardApplication) -> Void = { _ in }
    ) -> CardProfile {
        card(name, summary, from: base, change)
    }
}

extension CardApplication {
    /// Approves up to 1,000.00 and signs.
    fileprivate static let jcbOffline: CardApplication = {
        var application = CardApplication.ordinaryJCB
        application.disposition = .offline(upTo: 100_000)
        return application
    }()

    /// Goes online and accepts its issuer's answer, scripts included.
    fileprivate static let jcbUpdate: CardApplication = {
        var application = CardApplication.ordinaryJCB
        application.jcb.secondDataList = .jcbSecondCryptogram
        application.offlineBalance = 0
        return application
    }()
}
