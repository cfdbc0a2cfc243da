// SPDX-License-Identifier: Apache-2.0
/// The UnionPay cards among the named cards.
extension CardProfile {
    static let unionPay: [CardProfile] = unionPayOrdinary + unionPayVerification + unionPayFailing

    private static let unionPayOrdinary: [CardProfile] = [
        unionPay("upOnline", "goes online, everything in one answer"),
        unionPay("upOnlineRecords", "goes online and has a record to read") { $0.unionPay.recordsOnline = true },
        unionPay("upOnlineODA", "signs online transactions (format 95) and has records") {
            $0.keys = .standard
            $0.unionPay.signing = .always
        },
        unionPay("upOffline", "approves offline with a signature and shows its balance", from: .unionPayOffline) {
            $0.offlineBalance = 12345
        },
        unionPay("upOfflineMax", "approves offline with the largest keys, exponents 3", from: .unionPayOffline) {
            $0.keys = .largest
        },
        unionPay("upOfflineF4", "approves offline, keys of 1152 bits, exponents 65537", from: .unionPayOffline) {
            $0.keys = .smallF4
        },
        unionPay("upOfflineSpread", "approves offline, one data object a record", from: .unionPayOffline) {
            $0.layout = .spread
        },
        unionPay("upOfflineLimit", "approves offline up to 10.00, goes online above", from: .unionPayOffline) {
            $0.disposition = .offline(upTo: 1000)
        },
        unionPay("upDecline", "declines everything") { $0.disposition = .decline },
        unionPay("upDebit", "a debit card that goes online") { $0.aid[7] = 0x01 },
        unionPay("upQuasiCredit", "a quasi-credit card that goes online") { $0.aid[7] = 0x03 },
        unionPay("upNoType", "leaves the cryptogram's type to the issuer's data") {
            $0.unionPay.returnsCryptogramInformation = false
        },
        unionPay("upTransit", "lets a transit reader ask for a signature online (DF61)") {
            $0.keys = .standard
            $0.unionPay.signing = .onlineWhenAsked
            $0.unionPay.transit = 0x40
        },
        unionPay("upToken", "a token on a phone's account") {
            $0.unionPay.token = UnionPayBehaviour.Token(
                accountReference: "V0010013019125912345678901234", lastDigits: "0005", requestor: "40010030273")
        },
    ]

    private static let unionPayVerification: [CardProfile] = [
        unionPay("upOnlinePIN", "asks for an online PIN in every transaction") {
            $0.unionPay.verification = [.onlinePIN]
            $0.unionPay.alwaysVerifies = true
        },
        unionPay("upSignature", "asks for a signature in every transaction") {
            $0.unionPay.verification = [.signature]
            $0.unionPay.alwaysVerifies = true
        },
        unionPay("upCDCVM", "a watch that vouches for its holder at once") {
            $0.unionPay.verification = [.consumerDeviceClaimed]
            $0.unionPay.alwaysVerifies = true
        },
        unionPay("upCDCVMSigned", "a watch that vouches at once and signs it online (format 95)") {
            $0.unionPay.verification = [.consumerDeviceClaimed]
            $0.unionPay.alwaysVerifies = true
            $0.keys = .standard
            $0.unionPay.signing = .always
        },
        unionPay("upCDCVMDiffers", "signs other qualifiers than it shows", from: .unionPayOffline) {
            $0.unionPay.verification = [.consumerDeviceClaimed]
            $0.unionPay.alwaysVerifies = true
            $0.flaws = [.differingQualifiers]
        },
        unionPay("upPhone", "a phone: asks its holder where the reader wants verification, then vouches for it") {
            $0.unionPay.verification = [.consumerDevice]
        },
        unionPay("upPhoneForever", "answers 6986 however often it is presented") { $0.refusal = .seePhone },
        unionPay("upNoCVM", "has no way to verify its holder") { $0.unionPay.verification = [] },
        unionPay("upNoQualifiers", "returns no Card Transaction Qualifiers") { $0.unionPay.qualifiers = nil },
    ]

    private static let unionPayFailing: [CardProfile] = [
        unionPay("upExpired", "has expired, and says so in its first record", from: .unionPayOffline) {
            $0.expires = "201231"
            $0.unionPay.expiresFirst = true
        },
        unionPay("upExpiredOnline", "has expired and prefers to go online (CTQ byte 1 bit 4)", from: .unionPayOffline) {
            $0.expires = "201231"
            $0.unionPay.expiresFirst = true
            $0.unionPay.qualifiers = [0x08, 0x00]
        },
        unionPay("upWrongSignature", "signs wrongly and prefers nothing", from: .unionPayOffline) {
            $0.flaws = [.corruptSignature]
        },
        unionPay("upWrongSignatureOnline", "signs wrongly and prefers to go online", from: .unionPayOffline) {
            $0.flaws = [.corruptSignature]
            $0.unionPay.qualifiers = [0x20, 0x00]
        },
        unionPay("upWrongSignatureContact", "signs wrongly and prefers the contact chip", from: .unionPayOffline) {
            $0.flaws = [.corruptSignature]
            $0.unionPay.qualifiers = [0x10, 0x00]
        },
        unionPay("upUnknownCA", "names an authority that nobody has", from: .unionPayOffline) {
            $0.flaws = [.unknownAuthority]
        },
        unionPay("upUnsigned", "approves offline without a signature", from: .unionPayOffline) {
            $0.keys = nil
            $0.unionPay.recordsOnline = true
        },
        unionPay("upRegardless", "approves offline whatever the reader asks", from: .unionPayOffline) {
            $0.disposition = .offlineRegardless
        },
        unionPay("upOtherInterface", "refuses GET PROCESSING OPTIONS (6985)") {
            $0.refusal = .conditionsNotSatisfied
        },
        unionPay("upNoPDOL", "has no PDOL") { $0.pdol = nil },
        unionPay("upRepeated", "sends Track 2 twice") {
            $0.unionPay.recordsOnline = true
            $0.flaws = [.repeatedTrack2]
        },
        unionPay("upUndefinedType", "returns a cryptogram type that does not exist") {
            $0.flaws = [.undefinedCryptogramType]
        },
    ]

    @inline(never)
    private static func unionPay(
        _ name: String, _ summary: String, from base: CardApplication = .ordinaryUnionPay,
        _ change: (inout CardApplication) -> Void = { _ in }
    ) -> CardProfile {
        card(name, summary, from: base, change)
    }
}

extension CardApplication {
    /// Approves up to 1,000.00 and signs.
    fileprivate static let unionPayOffline: CardApplication = {
        var application = CardApplication.ordinaryUnionPay
        application.keys = .standard
        application.disposition = .offline(upTo: 100_000)
        return application
    }()
}
