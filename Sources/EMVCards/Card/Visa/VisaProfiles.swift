// SPDX-License-Identifier: Apache-2.0
/// The Visa cards among the named cards.
extension CardProfile {
    static let visa: [CardProfile] =
        ordinary + verification + refusals + restrictions + authentication + shapes + selection + malformed

    private static let ordinary: [CardProfile] = [
        card("online", "goes online, everything in one answer"),
        card("onlineRecords", "goes online and has a record to read") { $0.visa.recordsOnline = true },
        card("onlineCVN18", "goes online with a version 18 cryptogram") { $0.visa.cryptogram = .cvn18 },
        card("onlineCVN22", "goes online with a version 22 cryptogram") { $0.visa.cryptogram = .cvn22 },
        card("fdda", "approves offline with a signature", from: .offline),
        card("fddaMax", "approves offline with the largest keys, exponents 3", from: .offline) { $0.keys = .largest },
        card("fddaMaxF4", "approves offline with the largest keys, exponents 65537", from: .offline) {
            $0.keys = .largestF4
        },
        card("fddaSmallF4", "approves offline, keys of 1152 bits, exponents 65537", from: .offline) {
            $0.keys = .smallF4
        },
        card("fddaNoRemainder", "approves offline, whole keys in both certificates", from: .offline) {
            $0.keys = .withoutRemainders
        },
        card("fddaMixed", "approves offline, exponents 3 and 65537 in one chain", from: .offline) {
            $0.keys = .mixedExponents
        },
        card("fddaShortPDOL", "approves offline with a version 17 cryptogram and a short PDOL", from: .offline) {
            $0.pdol = .short
            $0.visa.cryptogram = .cvn17
        },
        card("fddaLimit", "approves offline up to 10.00, goes online above", from: .offline) {
            $0.disposition = .offline(upTo: 1000)
        },
        card("onlineODA", "signs online transactions where the reader asks (format 95)", from: .online) {
            $0.keys = .standard
            $0.visa.signing = .onlineWhenAsked
        },
        card("onlineODAAlways", "signs every online transaction unasked (format 95)", from: .online) {
            $0.keys = .standard
            $0.visa.signing = .always
        },
        card("decline", "declines everything") { $0.disposition = .decline },
        card("issuerUpdate", "goes online and takes the issuer's answer") { $0.visa.qualifiers = [0x00, 0x40] },
        card("issuerUpdateCVN22", "goes online with a version 22 cryptogram and takes the issuer's answer") {
            $0.visa.cryptogram = .cvn22
            $0.visa.qualifiers = [0x00, 0x40]
        },
        card("balance", "approves offline and shows its offline balance", from: .offline) {
            $0.offlineBalance = 12345
        },
        card("formFactor", "says what kind of device it is") { $0.formFactor = [0x20, 0x70, 0x00, 0x00] },
    ]

    private static let verification: [CardProfile] = [
        card("onlinePIN", "asks for an online PIN in every transaction") {
            $0.visa.verification = [.onlinePIN]
            $0.visa.alwaysVerifies = true
        },
        card("signature", "asks for a signature in every transaction") {
            $0.visa.verification = [.signature]
            $0.visa.alwaysVerifies = true
        },
        card("signatureOffline", "approves offline and asks for a signature", from: .offline) {
            $0.visa.verification = [.signature]
            $0.visa.alwaysVerifies = true
        },
        card("cdcvmPhone", "a phone: asks its holder where the reader wants verification, then vouches for it") {
            $0.visa.verification = [.consumerDevice]
        },
        card("cdcvmPhoneOffline", "a phone that approves offline and signs its qualifiers", from: .offline) {
            $0.visa.verification = [.consumerDevice]
        },
        card("phoneLocked", "a phone that wants to be unlocked for every payment") {
            $0.visa.verification = [.consumerDevice]
            $0.visa.alwaysVerifies = true
        },
        card("cdcvm", "a watch that vouches for its holder at once") {
            $0.visa.verification = [.consumerDeviceClaimed]
            $0.visa.alwaysVerifies = true
        },
        card("cdcvmSigned", "a watch that vouches at once and signs it online (format 95)") {
            $0.visa.verification = [.consumerDeviceClaimed]
            $0.visa.alwaysVerifies = true
            $0.keys = .standard
            $0.visa.signing = .always
        },
        card("cdcvmMismatch", "signs other qualifiers than it shows") {
            $0.visa.verification = [.consumerDeviceClaimed]
            $0.visa.alwaysVerifies = true
            $0.keys = .standard
            $0.visa.signing = .always
            $0.flaws = [.differingQualifiers]
        },
        card("noCVM", "has no way to verify its holder and says nothing about it") { $0.visa.verification = [] },
        card("noCVMContact", "has no way to verify its holder and sends the reader to the chip") {
            $0.visa.verification = []
            $0.visa.withoutCommonVerification = .useContact
        },
        card("ctqAbsent", "returns no Card Transaction Qualifiers") { $0.visa.qualifiers = nil },
        card("ctqAbsentOffline", "approves offline without Card Transaction Qualifiers", from: .offline) {
            $0.visa.qualifiers = nil
        },
    ]

    private static let refusals: [CardProfile] = [
        card("tryAnotherInterface", "sends the reader to another interface (6984)") {
            $0.refusal = .useAnotherInterface
        },
        card("selectNext", "has one application and refuses it (6985)") { $0.refusal = .conditionsNotSatisfied },
        card("seePhoneForever", "answers 6986 however often it is presented") { $0.refusal = .seePhone },
        card("refusesOptions", "answers GET PROCESSING OPTIONS with 6A80") { $0.refusal = .wrongData },
    ]

    private static let restrictions: [CardProfile] = [
        card("expired", "approves offline though it has expired", from: .offline) { $0.expires = "201231" },
        card("expiredGoOnline", "has expired and prefers to go online (CTQ byte 1 bit 4)", from: .offline) {
            $0.expires = "201231"
            $0.visa.qualifiers = [0x08, 0x00]
        },
        card("expiredOnline", "has expired and goes online anyway") {
            $0.expires = "201231"
            $0.visa.recordsOnline = true
        },
        card("notYetEffective", "becomes effective in 2049", from: .offline) { $0.effective = "490101" },
        card("noCash", "allows no cash and no cash back") { $0.withUsage([0x3F, 0x00]) },
        card("noCashContact", "sends cash and cash back to another interface (CTQ byte 1 bits 3 and 2)") {
            $0.withUsage([0x3F, 0x00])
            $0.visa.qualifiers = [0x06, 0x00]
        },
        card("cash", "allows cash and cash back everywhere") { $0.withUsage([0xFF, 0xC0]) },
        card("domesticCash", "allows cash and cash back in its own country only") { $0.withUsage([0xBF, 0x80]) },
        card("foreign", "was issued in another country and allows international cash only") {
            $0.withUsage([0x7F, 0x40])
            $0.issuerCountry = [0x08, 0x40]
        },
    ]

    private static let authentication: [CardProfile] = [
        flawed("unknownCA", "names an authority that nobody has", .unknownAuthority),
        flawed("wrongHash", "its issuer's certificate does not hash", .wrongIssuerHash),
        flawed("wrongCardHash", "its own certificate does not hash", .wrongCardHash),
        flawed("wrongIssuerIdentifier", "its issuer's certificate is another bank's", .wrongIssuerIdentifier),
        flawed("wrongCertifiedPAN", "its certificate is another card's", .wrongCertifiedPAN),
        flawed("wrongStaticData", "its record was changed after it was certified", .changedStaticData),
        flawed("wrongTagList", "its static data tag list is not allowed", .wrongTagList),
        flawed("wrongSignature", "its signature does not recover", .corruptSignature),
        flawed("replayedSignature", "its signature is over another number", .signatureOverOtherNumber),
        flawed("wrongSignatureFormat", "approves with a signature of format 95", .swappedSignatureFormat),
        flawed("missingSignature", "approves without a signature", .missingSignature),
        flawed("missingCertificate", "approves without its certificate", .missingCardCertificate),
        flawed("missingIssuerCertificate", "approves without its issuer's certificate", .missingIssuerCertificate),
        flawed("missingIssuerExponent", "approves without its issuer's exponent", .missingIssuerExponent),
        flawed("missingRemainder", "approves without the rest of its key", .missingCardRemainder),
        flawed("missingAuthenticationData", "approves without 9F69", .missingAuthenticationData),
        flawed("fddaVersion2", "approves with fDDA version 02", .unknownAuthenticationVersion),
        flawed("shortAuthenticationData", "approves with a 9F69 of five bytes", .shortAuthenticationData),
        flawed("profileWithoutDDA", "approves with a profile that denies DDA", .profileWithoutDDA),
        card("revokedIssuer", "its issuer's certificate has serial number 0000AA", from: .offline) {
            $0.issuerSerial = [0x00, 0x00, 0xAA]
        },
        card("expiredIssuer", "its issuer's certificate expired in December 2020", from: .offline) {
            $0.issuerCertificateExpires = [0x12, 0x20]
        },
        card("expiredCertificate", "its own certificate expired in December 2020", from: .offline) {
            $0.cardCertificateExpires = [0x12, 0x20]
        },
        card("odaFailOnline", "fails authentication and prefers to go online (CTQ byte 1 bit 6)", from: .offline) {
            $0.flaws = [.corruptSignature]
            $0.visa.qualifiers = [0x20, 0x00]
        },
        card("odaFailSwitch", "fails authentication and prefers the chip (CTQ byte 1 bit 5)", from: .offline) {
            $0.flaws = [.corruptSignature]
            $0.visa.qualifiers = [0x10, 0x00]
        },
        card("odaFailBoth", "fails authentication and prefers online, then the chip", from: .offline) {
            $0.flaws = [.corruptSignature]
            $0.visa.qualifiers = [0x30, 0x00]
        },
        card("noKeys", "approves offline and has no keys to sign with", from: .offline) { $0.keys = nil },
        card("stubbornOffline", "approves offline whatever the reader asks", from: .offline) {
            $0.disposition = .offlineRegardless
        },
    ]

    private static let shapes: [CardProfile] = [
        card("gpoFormat1", "answers GET PROCESSING OPTIONS in format 1", from: .offline) {
            $0.processingOptionsFormat = .format1
        },
        card("spreadRecords", "approves offline, one data object a record", from: .offline) { $0.layout = .spread },
        card("proprietaryFile", "approves offline, static data in file 12", from: .offline) {
            $0.layout = .proprietaryFile
        },
        card("track2Only", "returns Track 2 as its only account data") { $0.sequence = nil },
        card("longPAN", "has a PAN of 19 digits", from: .offline) {
            $0.pan = "4111111111111111110"
            $0.discretionaryData = "00001"
        },
        card("withoutCID", "leaves the type of its cryptogram to the issuer's data", from: .offline) {
            $0.visa.returnsCryptogramInformation = false
        },
        card("onlineWithoutCID", "goes online, type of its cryptogram in the issuer's data only") {
            $0.visa.returnsCryptogramInformation = false
        },
        card("oddPDOL", "asks for tags twice, unknown tags and odd lengths") { $0.pdol = .odd },
        card("unknownObjects", "returns data objects that no terminal knows") { $0.flaws = [.unknownObjects] },
    ]

    private static let selection: [CardProfile] = [
        card("noPPSE", "has no directory (6A82)", directory: .absent),
        card("blocked", "is blocked (6A81 to every SELECT)", directory: .cardBlocked),
        card("invalidatedPPSE", "has an invalidated directory (6283)", directory: .invalidated),
        card("emptyPPSE", "has a directory without entries", directory: .empty),
        card("malformedPPSE", "has a malformed directory", directory: .malformed),
        card("blockedApplication", "its application is invalidated (6283)") { $0.selection = .invalidated },
        card("missingApplication", "its directory names an application that is not there") { $0.selection = .notFound },
        card("noPDOL", "answers SELECT without a PDOL") { $0.pdol = nil },
        card("pdolWithoutTTQ", "does not ask for Terminal Transaction Qualifiers") {
            $0.pdol = Array([DataRequest].full.dropFirst())
        },
        card("unknownScheme", "has an application of another scheme") {
            $0.aid = [0xA0, 0x00, 0x00, 0x09, 0x99, 0x10, 0x10]
            $0.label = "OTHER"
        },
        card("electron", "is a Visa Electron card") {
            $0.aid = [0xA0, 0x00, 0x00, 0x00, 0x03, 0x20, 0x10]
            $0.label = "VISA ELECTRON"
        },
        card("kernel3", "names Kernel 3 in its directory") { $0.kernelIdentifier = [0x03] },
        card("otherKernel", "names a kernel that nobody has") { $0.kernelIdentifier = [0x2A] },
        card("noPriority", "gives its application no priority") { $0.priority = nil },
        CardProfile(
            name: "twoApplications", summary: "has Visa Debit first and Visa Credit with a better priority",
            applications: [.debit(priority: 2), .online]),
        CardProfile(
            name: "equalPriorities", summary: "has two applications of one priority: the directory's order counts",
            applications: [.debit(priority: 1), .online]),
        CardProfile(
            name: "nextApplication", summary: "refuses its first application (6985) and offers a second",
            applications: [.refusing(.conditionsNotSatisfied), .debit(priority: 2)]),
        CardProfile(
            name: "nextAfterInvalidated", summary: "its first application is invalidated (6283), the second works",
            applications: [.invalidated, .debit(priority: 2)]),
        CardProfile(
            name: "extendedSelection", summary: "has two applications of one AID, told apart by extended selection",
            applications: [.extended(0x01, priority: 2), .extended(0x02, priority: 1)]),
        CardProfile(
            name: "repeatedEntry", summary: "lists one application twice",
            applications: [.online, .online]),
    ]

    private static let malformed: [CardProfile] = [
        flawed("missingTrack2", "goes online without Track 2", .missingTrack2, from: .online),
        flawed("missingCryptogram", "goes online without a cryptogram", .missingCryptogram, from: .online),
        flawed("missingIssuerData", "goes online without issuer application data", .missingIssuerData, from: .online),
        flawed("missingCounter", "goes online without its counter", .missingCounter, from: .online),
        flawed(
            "missingInterchangeProfile", "goes online without an interchange profile", .missingInterchangeProfile,
            from: .online),
        flawed("duplicateData", "returns Track 2 twice", .repeatedTrack2, from: .online),
        flawed("undefinedCryptogram", "returns a cryptogram of no known type", .undefinedCryptogramType, from: .online),
        flawed(
            "contradictingCryptogram", "shows an online cryptogram, its issuer's data say approved",
            .contradictingCryptogramType, from: .online),
        flawed("emptyAFL", "returns an AFL of no bytes", .emptyFileLocator, from: .online),
        flawed("unevenAFL", "returns an AFL that is no multiple of four", .unevenFileLocator),
        flawed("absentRecord", "names a record that is not there", .absentRecord),
        flawed("recordWithoutTemplate", "returns records of another template", .recordWithoutTemplate),
        flawed("truncatedOptions", "cuts its answer short", .truncatedOptions, from: .online),
    ]

    @inline(never)
    private static func flawed(
        _ name: String, _ summary: String, _ flaw: CardFlaw, from base: CardApplication = .offline
    ) -> CardProfile {
        card(name, summary, from: base) { $0.flaws = [flaw] }
    }
}

extension CardApplication {
    fileprivate static let online = CardApplication()

    /// Approves up to 1,000.00 and signs.
    fileprivate static let offline: CardApplication = {
        var application = CardApplication()
        application.keys = .standard
        application.disposition = .offline(upTo: 100_000)
        return application
    }()

    fileprivate static let invalidated: CardApplication = {
        var application = CardApplication()
        application.selection = .invalidated
        return application
    }()

    @inline(never)
    fileprivate static func refusing(_ status: StatusWord) -> CardApplication {
        var application = CardApplication()
        application.refusal = status
        return application
    }

    /// An AID that extends Visa's, so that a terminal configured only with Visa's AID accepts it too.
    @inline(never)
    fileprivate static func debit(priority: UInt8) -> CardApplication {
        var application = CardApplication()
        application.aid += [0x02]
        application.label = "VISA DEBIT"
        application.priority = priority
        return application
    }

    @inline(never)
    fileprivate static func extended(_ number: UInt8, priority: UInt8) -> CardApplication {
        var application = CardApplication()
        application.extendedSelection = [number]
        application.label = "VISA \(number)"
        application.priority = priority
        application.sequence = number
        return application
    }

    /// Sets the usage control, and returns records online so that the terminal can read it.
    fileprivate mutating func withUsage(_ bytes: [UInt8]) {
        usageControl = bytes
        visa.recordsOnline = true
    }
}
