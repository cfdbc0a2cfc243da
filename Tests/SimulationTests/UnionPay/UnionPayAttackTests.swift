// SPDX-License-Identifier: Apache-2.0
import EMVKit
import Testing

@testable import EMVCards
@testable import EMVSimulator

/// The rows of Kernel 7 in Conformance/attacks.md: relays that
/// modify, and cards that no honest issuer made, in the three profiles.
@Suite struct UnionPayAttackTests {
    private static var scene: AttackScene { AttackScene { UnionPayTapTests.configuration($0) } }
    private static var aboveLimit: AttackScene {
        AttackScene(configuration: { UnionPayTapTests.configuration($0) }, amount: 6000)
    }

    private static let declined = "declined notApplicable"
    private static let elsewhere = "tryAnotherInterface notApplicable"
    private static let end = "endApplication notApplicable"

    private static func qualifiers(_ bytes: [UInt8]) -> CardEdit {
        CardEdit(.options, .response(.replace(0x9F6C, bytes)))
    }

    private static func signing(_ change: (inout CardApplication) -> Void = { _ in }) -> VirtualCard {
        AttackScene.card("upOnline") {
            $0.keys = .standard
            $0.unionPay.signing = .always
            change(&$0)
        }
    }

    /// A01: an ARQC's claim in the clear, and beside a signature over other qualifiers.
    @Test func aClaimIsReportedAndNotBelievedInStrict() throws {
        let claim = Self.qualifiers([0x00, 0x80])
        try Self.aboveLimit.leads(
            AttackScene.relay(AttackScene.card("upOnline"), claim), to: "onlineRequest cdcvm", "onlineRequest cdcvm",
            "onlineRequest onlinePIN", reporting: [.cdcvmUnauthenticated, .cdcvmUnauthenticated, []])
        // 9F69 that was signed says otherwise: the book declines by it.
        try Self.aboveLimit.leads(AttackScene.relay(Self.signing(), claim), to: Self.declined)
        // 9F69 stripped: by the book the claim is believed.
        let stripped = AttackScene.relay(Self.signing(), claim, CardEdit(.every, .response(.remove(0x9F69))))
        try Self.aboveLimit.leads(
            stripped, to: "onlineRequest cdcvm", "onlineRequest onlinePIN", Self.declined,
            reporting: [.cdcvmUnauthenticated, .odaTamper, .odaTamper])
    }

    /// A02: the higher limit is for a claim that a signature covers.
    @Test func theHigherLimitIsForProvenClaims() throws {
        func raise(_ combination: inout Combination) {
            combination.limits.transaction = 5_000
            combination.limits.cdcvmTransaction = 20_000
        }
        try Self.aboveLimit.leads(
            AttackScene.card("upCDCVMSigned"), to: Self.elsewhere, Self.elsewhere, "onlineRequest cdcvm",
            changing: raise)
        for name in ["upCDCVM", "upOnline"] {
            try Self.aboveLimit.leads(
                AttackScene.card(name), to: Self.elsewhere, Self.elsewhere, Self.end,
                reporting: [[], [], .limitNeedsAuthenticatedCDCVM], changing: raise)
        }
    }

    /// A17: another account.
    @Test func anotherAccountEndsTheTap() throws {
        let track: [UInt8] = [
            0x62, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x13, 0xD4, 0x91, 0x22, 0x01, 0x00, 0x00, 0x00, 0x00, 0x00, 0x0F,
        ]
        let other = CardEdit(.options, .response(.replace(0x57, track)))
        try Self.scene.leads(
            AttackScene.relay(AttackScene.card("upOnlineRecords"), other), to: "onlineRequest notApplicable", Self.end,
            reporting: [.panMismatch])
        // Not even behind a genuine signature.
        try Self.scene.leads(
            AttackScene.relay(AttackScene.card("upRegardless"), other), to: "approved notApplicable", Self.end,
            reporting: [.panMismatch])
    }

    /// A06: a signature that nobody asked for, over other qualifiers than those in the clear.
    @Test func anUnaskedSignatureOverOtherQualifiersIsDeclined() throws {
        try Self.scene.leads(Self.signing(), to: "onlineRequest notApplicable", reporting: [.unsolicitedSDAD])
        try Self.scene.leads(
            AttackScene.relay(Self.signing(), Self.qualifiers([0x08, 0x00])), to: "onlineRequest notApplicable",
            Self.declined, reporting: [.unsolicitedSDAD])
    }

    /// A09 and A10: a TC where an online cryptogram was asked for, or without a floor limit.
    @Test func anOnlineCryptogramThatWasRequiredIsNeverApproved() throws {
        let card = AttackScene.card("upRegardless")
        try Self.scene.leads(card, to: "approved notApplicable", Self.declined) { $0.limits.floor = nil }
        try Self.scene.leads(card, to: "approved notApplicable", Self.declined) { $0.limits.floor = 1000 }
        // The card that says of itself that it may go online does.
        let willing = AttackScene.card("upRegardless") { $0.unionPay.qualifiers = [0x20, 0x00] }
        try Self.scene.leads(willing, to: "approved notApplicable", "onlineRequest notApplicable") {
            $0.limits.floor = 1000
        }
    }

    /// A10: 9F27 unlike 9F10.
    @Test func aTypeUnlikeTheIssuersDataIsReportedAndDeclinedInStrict() throws {
        let shown = AttackScene.relay(
            AttackScene.card("upDecline"), CardEdit(.options, .response(.replace(0x9F27, [0x80]))))
        try Self.scene.leads(
            shown, to: "onlineRequest notApplicable", "onlineRequest notApplicable", Self.declined,
            reporting: [.cidIADMismatch])
        // No signature, no approval.
        let approved = AttackScene.relay(
            AttackScene.card("upOnlineRecords"), CardEdit(.options, .response(.replace(0x9F27, [0x40]))))
        try Self.scene.leads(approved, to: Self.declined, reporting: [.cidIADMismatch])
    }

    /// A11: a broken signature turned into an online request by the qualifiers.
    @Test func aBrokenSignatureGoesOnlineByTheBookOnly() throws {
        try Self.scene.leads(
            AttackScene.card("upWrongSignatureOnline"), to: "onlineRequest notApplicable", Self.declined,
            reporting: [.odaTamper])
        // What cannot be checked is no tampering: as the card prefers.
        let unknown = AttackScene.card("upUnknownCA") { $0.unionPay.qualifiers = [0x20, 0x00] }
        try Self.scene.leads(unknown, to: "onlineRequest notApplicable")
    }

    /// A11: the counter that was signed is the counter that is shown (Table 4-9).
    @Test func anotherCounterBesideASignatureIsNoApproval() throws {
        let card = AttackScene.relay(
            AttackScene.card("upRegardless"), CardEdit(.options, .response(.replace(0x9F36, [0x77, 0x77]))))
        try Self.scene.leads(card, to: "approved notApplicable", Self.declined, reporting: [.odaTamper])
    }

    /// A12 and A19: a signature over another tap, or over what the card was told instead.
    @Test(arguments: [
        CardEdit.CommandChange.replace(0x9F02, [0, 0, 0, 0, 0, 1]), .replace(0x5F2A, [0x08, 0x40]),
        .replace(0x9F37, [0, 0, 0, 0]),
    ])
    func whatTheCardWasToldInsteadDoesNotVerify(edit: CardEdit.CommandChange) throws {
        let card = AttackScene.card("upRegardless")
        try Self.scene.leads(
            AttackScene.relay(card, CardEdit(.options, .command(edit))), to: Self.declined, reporting: [.odaTamper])
    }

    /// A19: the type is not signed; cash, cash back and refunds are not approved by a card.
    @Test(arguments: [TransactionType.cash, .cashBack, .refund])
    func cashCashbackAndRefundAreNeverApprovedOffline(type: TransactionType) throws {
        var scene = Self.scene
        scene.type = type
        try scene.leads(AttackScene.card("upRegardless"), to: "approved notApplicable", Self.declined)
    }

    /// A18: the same record twice.
    @Test func aRecordListedTwiceEndsUnlessByTheBook() throws {
        let locator = CardEdit(
            .options, .response(.replace(0x94, [0x18, 0x01, 0x01, 0x00, 0x18, 0x01, 0x01, 0x00])))
        for profile in [Protection.Profile.guarded, .strict] {
            let outcome = try AmericanExpressTapTests.lead(
                AttackScene.relay(AttackScene.card("upOnlineRecords"), locator),
                UnionPayTapTests.configuration(profile))
            #expect(outcome.status == .endApplication && outcome.findings.contains(.recordRepeated), "\(profile)")
        }
    }

    /// A22
    @Test func whatTheCardSaysOfTheReaderIsIgnored() throws {
        let card = AttackScene.relay(
            AttackScene.card("upOnlineRecords"),
            CardEdit(.record(1), .response(.insert(0x9F66, [0x36, 0x00, 0x00, 0x00]))))
        try Self.scene.leads(card, to: "onlineRequest notApplicable", reporting: [.terminalTagFromCard])
    }

    /// A27: a card for transit whose certificates' bit is cleared, and a reader of transit whose DF61 is taken away:
    /// there is no other flow to be moved to.
    @Test func anEditedSelectionLeadsNowhere() throws {
        let stripped = AttackScene.relay(
            AttackScene.card("upRegardless"), CardEdit(.options, .response(.clearBits(0x82, [0x20]))))
        try Self.scene.leads(stripped, to: Self.declined, reporting: [.odaStripped])
        let transit = AttackScene { UnionPayTapTests.configuration($0, ttq: [0x37, 0x00, 0x40, 0x00]) }
        let card = AttackScene.card("upTransit")
        try transit.leads(
            AttackScene.relay(card, CardEdit(.selection, .response(.remove(0xDF61)))), to: Self.end)
        try transit.leads(
            AttackScene.relay(card, CardEdit(.selection, .response(.replace(0xDF61, [0x00])))), to: Self.end)
    }

    /// A32: online PIN turned into a signature; the qualifiers removed.
    @Test func editedQualifiersDowngradeNothingInStrict() throws {
        for change in [CardEdit.ResponseChange.replace(0x9F6C, [0x40, 0x00]), .remove(0x9F6C)] {
            let edit = CardEdit(.options, .response(change))
            try Self.aboveLimit.leads(
                AttackScene.relay(AttackScene.card("upOnline"), edit), to: "onlineRequest signature",
                "onlineRequest signature", "onlineRequest onlinePIN", reporting: [.cvmFromPlainData])
        }
        // A signed one decides: where it is unlike the one shown the tap is declined, by itself it rules.
        try Self.aboveLimit.leads(
            AttackScene.relay(Self.signing(), Self.qualifiers([0x40, 0x00])), to: "onlineRequest signature",
            Self.declined)
        try Self.aboveLimit.leads(
            AttackScene.relay(Self.signing(), CardEdit(.options, .response(.remove(0x9F6C)))),
            to: "onlineRequest signature", "onlineRequest onlinePIN")
    }

    /// A later expiry date in a record that nothing signs: the genuine one follows, and twice ends the tap; without it
    /// nothing is approved.
    @Test func anExpiryDateThatNothingSignsApprovesNothing() throws {
        let later = AttackScene.relay(
            AttackScene.card("upExpired"), CardEdit(.options, .response(.insert(0x5F24, [0x49, 0x12, 0x31]))))
        for profile in AmericanExpressTapTests.profiles {
            let outcome = try AmericanExpressTapTests.lead(later, UnionPayTapTests.configuration(profile))
            #expect(outcome.status != .approved && outcome.status != .onlineRequest, "\(profile)")
        }
    }
}
