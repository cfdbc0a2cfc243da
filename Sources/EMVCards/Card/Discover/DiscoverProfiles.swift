// SPDX-License-Identifier: Apache-2.0
/// The Discover cards among the named cards.
extension CardProfile {
    static let discover: [CardProfile] = discoverOrdinary + discoverVerification + discoverStripe + discoverFailing

    private static let discoverOrdinary: [CardProfile] = [
        discover("dpasOnline", "goes online, everything in one answer"),
        discover("dpasOnlineResults", "goes online; its cryptogram covers the results alone") {
            $0.discover.cryptogram = .resultsOnly
        },
        discover("dpasOnlineRecords", "goes online and has a record to read") { $0.discover.recordsOnline = true },
        discover("dpasOffline", "approves offline with a combined signature", from: .dpasOffline),
        discover("dpasOfflineMax", "approves offline with the largest keys, exponents 3", from: .dpasOffline) {
            $0.keys = .largest
        },
        discover("dpasOfflineF4", "approves offline, keys of 1152 bits, exponents 65537", from: .dpasOffline) {
            $0.keys = .smallF4
        },
        discover("dpasOfflineSpread", "approves offline, one data object a record", from: .dpasOffline) {
            $0.layout = .spread
        },
        discover("dpasOfflineFile12", "approves offline, static data in file 12", from: .dpasOffline) {
            $0.layout = .proprietaryFile
        },
        discover("dpasOfflineLimit", "approves offline up to 10.00, goes online above", from: .dpasOffline) {
            $0.disposition = .offline(upTo: 1000)
        },
        discover("dpasDecline", "declines everything") { $0.disposition = .decline },
        discover("dpasBalance", "approves offline and shows its balance", from: .dpasOffline) {
            $0.offlineBalance = 12345
        },
        discover("dpasDiners", "a Diners Club card with an account of 14 digits") {
            $0.label = "DINERS CLUB"
            $0.pan = "36227206271667"
        },
        discover("dpasUpdate", "goes online and takes the issuer's scripts when it comes back") {
            $0.discover.requirements = [0x00, 0x10]
            $0.discover.takesScripts = true
        },
    ]

    private static let discoverVerification: [CardProfile] = [
        discover("dpasOnlinePIN", "asks for an online PIN in every transaction") {
            $0.discover.verification = [.onlinePIN]
            $0.discover.alwaysVerifies = true
        },
        discover("dpasSignature", "asks for a signature in every transaction") {
            $0.discover.verification = [.signature]
            $0.discover.alwaysVerifies = true
        },
        discover("dpasNoCVM", "has no way to verify its holder and allows to go without") {
            $0.discover.verification = []
            $0.discover.requirements = [0x00, 0x01]
        },
        discover("dpasNoCVMOffline", "approves offline and allows to go without verification", from: .dpasOffline) {
            $0.discover.verification = []
            $0.discover.requirements = [0x00, 0x01]
        },
        discover("dpasNoCommonCVM", "has no way to verify its holder and allows none") {
            $0.discover.verification = []
        },
        discover("dpasCDCVM", "a watch that vouches for its holder at once") {
            $0.discover.verification = [.consumerDeviceClaimed]
            $0.discover.alwaysVerifies = true
        },
        discover("dpasCDCVMFailed", "a watch whose code was wrong; falls back to a signature") {
            $0.discover.verification = [.consumerDeviceClaimed]
            $0.discover.alwaysVerifies = true
            $0.discover.confirmationCodeFails = true
            $0.discover.requirements = [0x00, 0x02]
        },
        discover("dpasPhone", "a phone: asks its holder where the reader wants verification, then vouches for it") {
            $0.discover.verification = [.consumerDevice]
        },
        discover("dpasPhoneForever", "answers 6986 however often it is presented") { $0.refusal = .seePhone },
    ]

    private static let discoverStripe: [CardProfile] = [
        discover("dpasStripe", "has MS Mode beside EMV mode, without a dynamic code") {
            $0.discover.magneticStripe = DPASMagneticStripe()
            $0.discover.magneticStripe?.hasCode = false
        },
        discover("dpasStripeCode", "has MS Mode beside EMV mode, with a dynamic code") {
            $0.discover.magneticStripe = DPASMagneticStripe()
        },
        discover("dpasStripeTrack2", "has MS Mode beside EMV mode, with Track 2 alone") {
            $0.discover.magneticStripe = DPASMagneticStripe()
            $0.discover.magneticStripe?.hasTrack1 = false
        },
        discover("zip", "has Legacy MS Mode", from: .ordinaryZip),
        discover("zipStatic", "has Legacy MS Mode without a dynamic code", from: .ordinaryZip) {
            $0.discover.magneticStripe?.hasCode = false
        },
    ]

    private static let discoverFailing: [CardProfile] = [
        discover("dpasExpired", "approves offline though it has expired; prefers nothing", from: .dpasOffline) {
            $0.expires = "201231"
        },
        discover("dpasExpiredDecline", "has expired and wants that declined", from: .dpasOffline) {
            $0.expires = "201231"
            $0.discover.requirements = [0x00, 0x04]
        },
        discover("dpasExpiredOnline", "has expired and wants to go online", from: .dpasOffline) {
            $0.expires = "201231"
            $0.discover.requirements = [0x00, 0x08]
        },
        discover("dpasFuture", "becomes effective in 2049", from: .dpasOffline) { $0.effective = "490101" },
        discover("dpasNoCash", "allows goods and services alone, in its own country", from: .dpasOffline) {
            $0.usageControl = [0x2B, 0x00]
        },
        discover("dpasForeign", "was issued abroad and may be used there only", from: .dpasOffline) {
            $0.usageControl = [0xAB, 0x00]
            $0.issuerCountry = [0x08, 0x40]
        },
        discover("dpasWrongSignature", "signs wrongly and prefers nothing", from: .dpasOffline) {
            $0.flaws = [.corruptSignature]
        },
        discover("dpasWrongSignatureOnline", "signs wrongly and prefers to go online", from: .dpasOffline) {
            $0.flaws = [.corruptSignature]
            $0.discover.requirements = [0x00, 0x40]
        },
        discover("dpasWrongSignatureContact", "signs wrongly and prefers the contact chip", from: .dpasOffline) {
            $0.flaws = [.corruptSignature]
            $0.discover.requirements = [0x00, 0x20]
        },
        discover("dpasOtherData", "signs another transaction's data", from: .dpasOffline) {
            $0.flaws = [.differingTransactionData]
        },
        discover("dpasUnknownCA", "names an authority that nobody has", from: .dpasOffline) {
            $0.flaws = [.unknownAuthority]
        },
        discover("dpasUnsigned", "approves offline without a signature", from: .dpasOffline) { $0.keys = nil },
        discover("dpasRegardless", "approves offline whatever the reader asks", from: .dpasOffline) {
            $0.disposition = .offlineRegardless
        },
        discover("dpasRefuses", "refuses GET PROCESSING OPTIONS (6985)") { $0.refusal = .conditionsNotSatisfied },
        discover("dpasNoPDOL", "has no PDOL") { $0.pdol = nil },
        discover("dpasShortPDOL", "asks for less than D-PAS cards must") { $0.pdol = .short },
        discover("dpasRepeated", "sends Track 2 twice") {
            $0.discover.recordsOnline = true
            $0.flaws = [.repeatedTrack2]
        },
        discover("dpasUndefinedType", "returns a cryptogram type that does not exist") {
            $0.flaws = [.undefinedCryptogramType]
        },
    ]

    @inline(never)
    private static func discover(
        _ name: String, _ summary: String, from base: CardApplication = .ordinaryDiscover,
        _ change: (inout CardApplication) -> Void = { _ in }
    ) -> CardProfile {
        card(name, summary, from: base, change)
    }
}

extension CardApplication {
    /// Approves up to 1,000.00 and signs.
    fileprivate static let dpasOffline: CardApplication = {
        var application = CardApplication.ordinaryDiscover
        application.keys = .standard
        application.disposition = .offline(upTo: 100_000)
        application.usageControl = [0xFF, 0xC0]
        return application
    }()
}
