// SPDX-License-Identifier: Apache-2.0
/// The Mastercards among the named cards. Their names begin with "mc".
extension CardProfile {
    static let mastercard: [CardProfile] =
        mastercardOrdinary + mastercardStripe + mastercardRelay + mastercardTorn + mastercardDevices
        + mastercardStorage + mastercardVerification + mastercardShapes + mastercardFlaws

    /// Derives an application from an ordinary Mastercard; `change` also receives its Mastercard part.
    @inline(never)
    private static func mc(
        _ name: String, _ summary: String, from base: CardApplication = .ordinaryMastercard,
        _ change: (inout CardApplication, inout MastercardBehaviour) -> Void = { _, _ in }
    ) -> CardProfile {
        card(name, summary, from: base) {
            var own = $0.mastercard
            change(&$0, &own)
            $0.mastercard = own
        }
    }

    private static let mastercardOrdinary: [CardProfile] = [
        mc("mcOnline", "goes online with a combined signature"),
        mc("mcOffline", "approves offline with a combined signature", from: .offlineMastercard),
        mc("mcOnlineMax", "goes online, signed with the largest keys, exponents 3") { card, _ in card.keys = .largest },
        mc("mcOfflineMax", "approves offline with the largest keys, exponents 3", from: .offlineMastercard) { card, _ in
            card.keys = .largest
        },
        mc("mcOfflineSmallF4", "approves offline, keys of 1152 bits, exponents 65537", from: .offlineMastercard) {
            card, _ in card.keys = .smallF4
        },
        mc("mcNoCDA", "goes online and has no keys to sign with") { card, _ in card.keys = nil },
        mc("mcWithoutCDA", "has its certificates, for other methods than combined signatures") { card, _ in
            card.interchangeProfile = [0x78, 0x80]
        },
        mc("mcNoCDAOffline", "approves offline and has no keys to sign with", from: .offlineMastercard) { card, _ in
            card.keys = nil
        },
        mc("mcLimit", "approves offline up to 10.00, goes online above", from: .offlineMastercard) { card, _ in
            card.disposition = .offline(upTo: 1000)
        },
        mc("mcDecline", "declines everything") { card, _ in card.disposition = .decline },
        mc("mcDeclineSigned", "declines everything and signs that where the reader asks") { card, own in
            card.disposition = .decline
            own.capabilities.signsDeclines = true
        },
        mc("mcDeclineDevice", "declines everything and is no card but a ring") { card, _ in
            card.disposition = .decline
            card.formFactor = [0x02, 0x76, 0x00, 0x00, 0x30, 0x39]
        },
        mc("mcBalance", "approves offline, counts down 123.45 and shows it", from: .offlineMastercard) { card, own in
            card.offlineBalance = 12345
            own.capabilities.readsBalance = true
        },
        mc("mcFieldOff", "wants the field off before the next application") { _, own in
            own.capabilities.detectsFieldOff = true
        },
        mc("mcMaestro", "is a Maestro card: online, with an online PIN where the reader has it") { card, own in
            card.aid = [0xA0, 0x00, 0x00, 0x00, 0x04, 0x30, 0x60]
            card.label = "MAESTRO"
            card.pan = "6759649826438453"
            own.verificationList = .rules([0x42, 0x03, 0x1F, 0x03])
        },
    ]

    private static let mastercardStripe: [CardProfile] = [
        mc("mcStripe", "mag-stripe mode alone, both tracks", from: .stripeMastercard),
        mc("mcStripeTrack2", "mag-stripe mode alone, without Track 1", from: .stripeMastercard) { _, own in
            own.magneticStripe?.hasTrack1 = false
        },
        mc("mcStripeDefaultUDOL", "mag-stripe mode alone, without a UDOL", from: .stripeMastercard) { _, own in
            own.magneticStripe?.dataList = nil
        },
        mc(
            "mcStripeNoNumber", "mag-stripe mode with neither number nor counter in its tracks",
            from: .stripeMastercard
        ) { _, own in
            own.magneticStripe?.numberMap1 = [0, 0, 0, 0, 0, 0]
            own.magneticStripe?.numberMap2 = [0, 0]
            own.magneticStripe?.counterDigits = 0
        },
        mc(
            "mcStripeWide", "mag-stripe mode with a counter of 5 digits", from: .stripeMastercard
        ) { _, own in
            own.magneticStripe?.numberMap1 = [0x00, 0x00, 0x00, 0x00, 0x7F, 0xC0]
            own.magneticStripe?.numberMap2 = [0x1F, 0xF0]
            own.magneticStripe?.counterDigits = 5
        },
        mc("mcStripeShort", "mag-stripe mode with a number of 3 digits only", from: .stripeMastercard) { _, own in
            own.magneticStripe?.numberMap1 = [0x00, 0x00, 0x00, 0x00, 0x0F, 0xC0]
            own.magneticStripe?.numberMap2 = [0x0E, 0x70]
        },
        mc(
            "mcStripeMismatch", "mag-stripe mode whose tracks want numbers of different lengths",
            from: .stripeMastercard
        ) { _, own in
            own.magneticStripe?.numberMap1 = [0x00, 0x00, 0x00, 0x00, 0x07, 0xC0]
        },
        mc("mcStripeDecline", "mag-stripe mode that refuses its codes", from: .stripeMastercard) { card, _ in
            card.disposition = .decline
        },
        mc(
            "mcStripePhone", "a phone in mag-stripe mode: asks its holder where the reader wants it",
            from: .stripeMastercard
        ) { _, own in
            own.device = Device()
        },
        mc("mcStripeWatch", "a watch in mag-stripe mode that vouches at once", from: .stripeMastercard) { _, own in
            own.device = Device(.claimed)
        },
        mc("mcBothModes", "both modes: the mag-stripe record comes first", from: .offlineMastercard) { _, own in
            own.magneticStripe = MagneticStripe()
        },
    ]

    private static let mastercardRelay: [CardProfile] = [
        relay("mcRelay", "answers relay resistance in time", RelayResistance()),
        relay("mcRelaySlowOnce", "is too slow once, then in time", RelayResistance(milliseconds: [21, 8])),
        relay("mcRelaySlow", "is always too slow, as through a relay", RelayResistance(milliseconds: [40])),
        relay("mcRelayLate", "is always a little late", RelayResistance(milliseconds: [21])),
        relay("mcRelayFast", "answers faster than it can", RelayResistance(milliseconds: [3])),
        relay(
            "mcRelayMismatch", "expects another transmission time than the reader",
            RelayResistance(transmissionTime: 4, milliseconds: [6])),
        mc("mcRelayNoCDA", "answers in time and goes online without a signature") { card, own in
            card.keys = nil
            own.relayResistance = RelayResistance()
        },
        mc("mcRelayOnline", "answers in time and goes online with a signature") { _, own in
            own.relayResistance = RelayResistance()
        },
    ]

    @inline(never)
    private static func relay(_ name: String, _ summary: String, _ resistance: RelayResistance) -> CardProfile {
        mc(name, summary, from: .offlineMastercard) { _, own in own.relayResistance = resistance }
    }

    private static let mastercardTorn: [CardProfile] = [
        mc("mcTorn", "approves offline and remembers its last cryptogram", from: .offlineMastercard) { _, own in
            own.recoveryList = .recoverCryptogram
        },
        mc("mcTornOnline", "goes online and remembers its last cryptogram") { _, own in
            own.recoveryList = .recoverCryptogram
        },
        mc("mcTornNoCDA", "goes online without a signature and remembers its last cryptogram") { card, own in
            card.keys = nil
            own.recoveryList = .recoverCryptogram
        },
        mc("mcTornRelay", "relay resistance and recovery together", from: .offlineMastercard) { _, own in
            own.recoveryList = .recoverCryptogram
            own.relayResistance = RelayResistance()
        },
        mc("mcTornBalance", "recovery and an offline balance of 123.45", from: .offlineMastercard) { card, own in
            own.recoveryList = .recoverCryptogram
            card.offlineBalance = 12345
            own.capabilities.readsBalance = true
        },
    ]

    private static let mastercardDevices: [CardProfile] = [
        device("mcPhone", "a phone: asks its holder where the reader wants verification", Device()),
        device("mcPhoneOffline", "a phone that approves offline", Device(), from: .offlineMastercard),
        device("mcPhoneAlways", "a phone that wants to be unlocked for every payment", Device(.always)),
        device("mcWatch", "a watch that vouches for its holder at once", Device(.claimed)),
        device("mcPhoneConflict", "a phone with another payment in its way", Device(interaction: [0x00, 0x08, 0x00])),
        device("mcPhonePIN", "a phone whose PIN has to be changed", Device(interaction: [0x00, 0x04, 0x00])),
        device(
            "mcPhoneAcknowledge", "a phone that wants to be confirmed, however often it is presented",
            Device(interaction: [0x00, 0x02, 0x00])),
        device(
            "mcPhoneWallet", "a wallet that wants a second tap, however often it is presented",
            Device(interaction: [0x00, 0x00, 0x01])),
    ]

    @inline(never)
    private static func device(
        _ name: String, _ summary: String, _ device: Device, from base: CardApplication = .ordinaryMastercard
    ) -> CardProfile {
        mc(name, summary, from: base) { card, own in
            card.formFactor = [0x02, 0x76, 0x00, 0x00, 0x30, 0x31]
            own.device = device
        }
    }

    private static let mastercardStorage: [CardProfile] = [
        storage("mcStorage", "data storage with a free slot") { _, _ in },
        storage("mcStorageUsed", "data storage with a slot of operator 0102030405060708") { _, own in
            own.storage?.operatorID = [1, 2, 3, 4, 5, 6, 7, 8]
            own.storage?.stored = [0xCA, 0xFE]
        },
        storage("mcStorageReadOnly", "data storage that takes no writing") { _, own in
            own.storage?.isReadOnly = true
        },
        storage("mcStorageRelay", "data storage and relay resistance") { _, own in
            own.relayResistance = RelayResistance()
        },
        storage("mcStorageTorn", "data storage and recovery") { _, own in
            own.recoveryList = .recoverCryptogram
        },
        storage("mcStorageDiffering", "data storage whose signature tells of other data") { card, _ in
            card.flaws = [.differingStorageSummary]
        },
        mc("mcEnvelopes", "has envelopes of 32 bytes that terminals write") { _, own in
            own.capabilities.envelopes = 1
        },
    ]

    @inline(never)
    private static func storage(
        _ name: String, _ summary: String,
        _ change: (inout CardApplication, inout MastercardBehaviour) -> Void
    ) -> CardProfile {
        mc(name, summary, from: .offlineMastercard) { card, own in
            card.pdol = .storageOptions
            own.storage = DataStorage()
            own.capabilities.signsDeclines = true
            change(&card, &own)
        }
    }

    private static let mastercardVerification: [CardProfile] = [
        verifying("mcOnlinePIN", "asks for an online PIN in every transaction", [0x02, 0x00]),
        verifying("mcSignature", "asks for a signature in every transaction", [0x1E, 0x00]),
        verifying("mcNoCVM", "never verifies its holder", [0x1F, 0x00]),
        verifying("mcFailCVM", "lets every verification fail", [0x00, 0x00]),
        mc("mcNoCVMList", "has no CVM List") { _, own in own.verificationList = nil },
        mc("mcNoVerification", "says that it doesn't know verification") { card, _ in
            card.interchangeProfile = [0x09, 0x80]
        },
    ]

    @inline(never)
    private static func verifying(_ name: String, _ summary: String, _ rules: [UInt8]) -> CardProfile {
        mc(name, summary) { _, own in own.verificationList = .rules(rules) }
    }

    private static let mastercardShapes: [CardProfile] = [
        mc("mcFormat1", "answers in format 1, without a signature") { card, own in
            card.keys = nil
            card.processingOptionsFormat = .format1
            own.cryptogramFormat = .format1
        },
        mc("mcCounters", "its cryptogram covers its offline counters") { _, own in
            own.cryptogram = .mchipWithCounters
        },
        mc("mcCommonKey", "its cryptogram has EMV's common session key") { _, own in own.cryptogram = .common },
        mc("mcCommonKeyCounters", "EMV's common session key, offline counters covered") { _, own in
            own.cryptogram = .commonWithCounters
        },
        mc("mcCommonCore", "its cryptogram is that of the Common Core Definitions, over triple DES") { card, own in
            card.derivation = .optionB
            own.isCommonCore = true
        },
        mc("mcCommonCoreAES", "its cryptogram is that of the Common Core Definitions, over AES") { card, own in
            card.derivation = .optionC
            own.isCommonCore = true
        },
        mc("mcPDOL", "asks for amount and capabilities in its PDOL", from: .offlineMastercard) { card, _ in
            card.pdol = .mastercardOptions
        },
        mc("mcSpread", "approves offline, one data object a record", from: .offlineMastercard) { card, _ in
            card.layout = .spread
        },
        mc("mcProprietaryFile", "approves offline, static data in file 12", from: .offlineMastercard) { card, _ in
            card.layout = .proprietaryFile
        },
        mc("mcLongPAN", "has a PAN of 19 digits", from: .offlineMastercard) { card, _ in
            card.pan = "5555555555554444006"
            card.discretionaryData = "00001"
        },
        mc("mcExpired", "approves offline though it has expired", from: .offlineMastercard) { card, _ in
            card.expires = "201231"
        },
        mc("mcNotYetEffective", "becomes effective in 2049", from: .offlineMastercard) { card, _ in
            card.effective = "490101"
        },
        mc("mcDomestic", "may be used in its own country only", from: .offlineMastercard) { card, _ in
            card.usageControl = [0xAB, 0x80]
            card.issuerCountry = [0x08, 0x40]
        },
        mc("mcSelectNext", "has one application and refuses it (6985)") { card, _ in
            card.refusal = .conditionsNotSatisfied
        },
    ]

    private static let mastercardFlaws: [CardProfile] = [
        flawedMC("mcUnknownCA", "names an authority that nobody has", .unknownAuthority),
        flawedMC("mcWrongHash", "its issuer's certificate does not hash", .wrongIssuerHash),
        flawedMC("mcWrongCardHash", "its own certificate does not hash", .wrongCardHash),
        flawedMC("mcWrongStaticData", "its record was changed after it was certified", .changedStaticData),
        flawedMC("mcWrongTagList", "its static data tag list is not allowed", .wrongTagList),
        flawedMC("mcMissingCertificate", "approves without its certificate", .missingCardCertificate),
        flawedMC("mcWrongSignature", "its signature does not recover", .corruptSignature),
        flawedMC("mcReplayedSignature", "its signature is over another number", .signatureOverOtherNumber),
        flawedMC("mcWrongSignatureFormat", "its signature has format 95", .swappedSignatureFormat),
        flawedMC("mcMissingSignature", "approves without the signature it was asked for", .missingSignature),
        flawedMC("mcDifferingData", "its signature is over another transaction", .differingTransactionData),
        flawedMC("mcDifferingType", "signs another type than it shows", .differingCryptogramType),
        flawedMC("mcMissingCounter", "approves without its counter", .missingCounter),
        flawedMC("mcUndefinedCryptogram", "returns a cryptogram of no known type", .undefinedCryptogramType),
        flawedMC("mcEmptyAFL", "returns an AFL of no bytes", .emptyFileLocator),
        flawedMC("mcUnevenAFL", "returns an AFL that is no multiple of four", .unevenFileLocator),
        flawedMC("mcAbsentRecord", "names a record that is not there", .absentRecord),
        flawedMC("mcRecordWithoutTemplate", "returns records of another template", .recordWithoutTemplate),
        flawedMC("mcTruncatedOptions", "cuts its answer short", .truncatedOptions),
        flawedMC("mcUnknownObjects", "returns data objects that no terminal knows", .unknownObjects),
        flawedMC("mcDuplicateData", "returns Track 2 twice", .repeatedTrack2),
        mc("mcDifferingRelay", "signs other relay resistance times than it told", from: .offlineMastercard) {
            card, own in
            own.relayResistance = RelayResistance()
            card.flaws = [.differingRelayData]
        },
        mc("mcMissingCryptogram", "goes online without a cryptogram or a signature") { card, _ in
            card.keys = nil
            card.flaws = [.missingCryptogram]
        },
        mc("mcStubbornOffline", "approves offline whatever the reader asks", from: .offlineMastercard) { card, _ in
            card.disposition = .offlineRegardless
        },
    ]

    @inline(never)
    private static func flawedMC(_ name: String, _ summary: String, _ flaw: CardFlaw) -> CardProfile {
        mc(name, summary, from: .offlineMastercard) { card, _ in card.flaws = [flaw] }
    }
}

extension CardApplication {
    /// Goes online with a combined signature.
    public static let ordinaryMastercard: CardApplication = {
        var application = CardApplication(
            .mastercard(MastercardBehaviour()), aid: [0xA0, 0x00, 0x00, 0x00, 0x04, 0x10, 0x10], label: "MASTERCARD",
            pan: "5555555555554444", pdol: nil, interchangeProfile: [0x19, 0x80])
        application.usageControl = [0xFF, 0xC0]
        application.keys = .standard
        return application
    }()

    /// Approves up to 1,000.00.
    fileprivate static let offlineMastercard: CardApplication = {
        var application = ordinaryMastercard
        application.disposition = .offline(upTo: 100_000)
        return application
    }()

    /// Supports mag-stripe mode only.
    fileprivate static let stripeMastercard: CardApplication = {
        var application = ordinaryMastercard
        application.keys = nil
        application.mastercard.supportsEMV = false
        application.mastercard.magneticStripe = MagneticStripe()
        return application
    }()
}

extension [UInt8] {
    /// A CVM List of these rules with zero amounts.
    @inline(never)
    fileprivate static func rules(_ rules: [UInt8]) -> [UInt8] { [0, 0, 0, 0, 0, 0, 0, 0] + rules }
}
