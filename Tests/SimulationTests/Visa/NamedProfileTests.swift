// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import EMVCards
@testable import EMVSimulator

/// The result of every Visa card, from an independent implementation of Books B and C-3 (`NaiveKernel3`).
@Suite struct NamedProfileTests {
    /// A reader for 12.50 with TTQ 36004000: capable of everything offline, nothing required.
    static let plain: [String: [String]] = [
        "approved none": [
            "balance", "cdcvmPhoneOffline", "ctqAbsentOffline", "fdda", "fddaMax", "fddaMaxF4", "fddaMixed",
            "fddaNoRemainder", "fddaShortPDOL", "fddaSmallF4", "longPAN", "notYetEffective", "proprietaryFile",
            "shortAuthenticationData", "spreadRecords", "stubbornOffline", "withoutCID",
        ],
        "approved signature": ["signatureOffline"],
        "onlineRequest none": [
            "cash", "cdcvmPhone", "contradictingCryptogram", "ctqAbsent", "domesticCash", "equalPriorities",
            "expiredGoOnline", "expiredOnline", "extendedSelection", "fddaLimit", "foreign", "formFactor",
            "issuerUpdate", "issuerUpdateCVN22", "kernel3", "nextAfterInvalidated", "nextApplication", "noCVM",
            "noCVMContact", "noCash",
            "noCashContact", "noPriority", "odaFailBoth", "odaFailOnline", "oddPDOL", "online", "onlineCVN18",
            "onlineCVN22",
            "onlineODA", "onlineODAAlways", "onlineRecords", "onlineWithoutCID", "repeatedEntry", "track2Only",
            "twoApplications", "unknownObjects",
        ],
        "onlineRequest onlinePIN": ["onlinePIN"],
        "onlineRequest signature": ["signature"],
        "onlineRequest cdcvm": ["cdcvm", "cdcvmSigned"],
        "declined notApplicable": [
            "cdcvmMismatch", "decline", "expired", "expiredCertificate", "expiredIssuer", "fddaVersion2",
            "missingAuthenticationData", "missingCertificate", "missingIssuerCertificate", "missingIssuerExponent",
            "missingRemainder", "missingSignature", "noKeys", "profileWithoutDDA", "replayedSignature",
            "revokedIssuer", "undefinedCryptogram", "unknownCA", "wrongCardHash", "wrongCertifiedPAN", "wrongHash",
            "wrongIssuerIdentifier", "wrongSignature", "wrongSignatureFormat", "wrongStaticData", "wrongTagList",
        ],
        "tryAnotherInterface notApplicable": ["odaFailSwitch", "tryAnotherInterface"],
        "tryAgain notApplicable": ["phoneLocked", "seePhoneForever"],
        "endApplication notApplicable": [
            "absentRecord", "blocked", "blockedApplication", "duplicateData", "electron", "emptyAFL", "emptyPPSE",
            "gpoFormat1", "invalidatedPPSE", "malformedPPSE", "missingApplication", "missingCounter",
            "missingCryptogram", "missingInterchangeProfile", "missingIssuerData", "missingTrack2", "noPDOL", "noPPSE",
            "otherKernel", "pdolWithoutTTQ", "recordWithoutTemplate", "refusesOptions", "selectNext",
            "truncatedOptions", "unevenAFL", "unknownScheme",
        ],
    ]

    private func lead(
        _ name: String, qualifiers: String = "36004000", type: String = "00", presentments: Int = 1
    ) -> String {
        var card = VirtualCard(CardProfile.named(name)!)
        var kernel = NaiveKernel3()
        kernel.terminal.qualifiers = qualifiers
        kernel.terminal.type = type
        var result = kernel.tap(&card)
        for _ in 1..<presentments {
            card.reset()
            result = kernel.tap(&card)
        }
        return "\(result.outcome) \(result.cvm)"
    }

    @Test func everyProfileLeadsSomewhere() {
        let names = VisaBehaviour.profiles.map(\.name).sorted()
        #expect(Self.plain.values.flatMap(\.self).sorted() == names)
    }

    @Test(arguments: plain.keys.sorted())
    func profilesLeadWhereTheTableSays(outcome: String) {
        for name in Self.plain[outcome]! { #expect(lead(name) == outcome, "\(name)") }
    }

    @Test(arguments: [
        ("online", "onlineRequest onlinePIN"), ("fdda", "onlineRequest onlinePIN"),
        ("decline", "declined notApplicable"),
        ("signatureOffline", "approved signature"), ("cdcvmPhone", "tryAgain notApplicable"),
        ("noCVM", "declined notApplicable"), ("noCVMContact", "tryAnotherInterface notApplicable"),
        ("ctqAbsent", "onlineRequest signature"), ("cdcvm", "onlineRequest cdcvm"),
    ])
    func verificationRequiredLeadsElsewhere(name: String, outcome: String) {
        #expect(lead(name, qualifiers: "36404000") == outcome)
    }

    @Test func unlockedPhonesPayInTheirSecondTap() {
        #expect(lead("cdcvmPhone", qualifiers: "36404000", presentments: 2) == "onlineRequest cdcvm")
        #expect(lead("cdcvmPhoneOffline", qualifiers: "36404000", presentments: 2) == "approved cdcvm")
        #expect(lead("phoneLocked", presentments: 2) == "onlineRequest cdcvm")
        #expect(lead("seePhoneForever", presentments: 3) == "tryAgain notApplicable")
    }

    @Test func onlineRequiredBringsEveryApprovalOnline() {
        for name in Self.plain["approved none"]! {
            #expect(lead(name, qualifiers: "36804000").hasPrefix("onlineRequest"), "\(name)")
        }
    }

    @Test(arguments: [
        ("cash", "onlineRequest none", "onlineRequest none"),
        ("domesticCash", "onlineRequest none", "onlineRequest none"),
        ("foreign", "onlineRequest none", "onlineRequest none"),
        ("noCash", "declined notApplicable", "declined notApplicable"),
        ("noCashContact", "tryAnotherInterface notApplicable", "tryAnotherInterface notApplicable"),
        ("online", "declined notApplicable", "declined notApplicable"),
    ])
    func usageControlDecidesCashAndCashBack(name: String, cash: String, cashBack: String) {
        #expect(lead(name, type: "01") == cash)
        #expect(lead(name, type: "09") == cashBack)
    }
}
