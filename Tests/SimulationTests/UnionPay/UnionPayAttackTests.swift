// SPDX-License-Identifier: Apache-2.0
import EMVKit
import Testing

@testable import EMVCards
@testable import EMVSimulator

/// The rows of Kernel 7 in Conformance/attacks.md: relays that modify, and cards that no honest issuer made, in the
/// three profiles.
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

    /// A01: an ARQC's unprotected claim, alone and next to a signature over other qualifiers.
    @Test func aClaimIsReportedAndNotBelievedInStrict() throws {
        let claim = Self.qualifiers([0x00, 0x80])
        try Self.aboveLimit.leads(
            AttackScene.relay(AttackScene.card("upOnline"), claim), to: "onlineRequest cdcvm", "onlineRequest cdcvm",
            "onlineRequest onlinePIN", reporting: [.cdcvmUnauthenticated, .cdcvmUnauthenticated, []])
        // The signed 9F69 differs: the book profile declines for that reason.
        try Self.aboveLimit.leads(AttackScene.relay(Self.signing(), claim), to: Self.declined)
        // 9F69 is removed: the book profile accepts the claim.
        let stripped = AttackScene.relay(Self.signing(), claim, CardEdit(.every, .response(.remove(0x9F69))))
        try Self.aboveLimit.leads(
            stripped, to: "onlineRequest cdcvm", "onlineRequest onlinePIN", Self.declined,
            reporting: [.cdcvmUnauthenticated, .odaTamper, .odaTamper])
    }

    /// A02: the higher limit requires a claim that a signature covers.
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
        // A genuine signature does not change that.
        try Self.scene.leads(
            AttackScene.relay(AttackScene.card("upRegardless"), other), to: "approved notApplicable", Self.end,
            reporting: [.panMismatch])
    }

    /// A06: an unrequested signature, over qualifiers that differ from the unprotected ones.
    @Test func anUnaskedSignatureOverOtherQualifiersIsDeclined() throws {
        try Self.scene.leads(Self.signing(), to: "onlineRequest notApplicable", reporting: [.unsolicitedSDAD])
        try Self.scene.leads(
            AttackScene.relay(Self.signing(), Self.qualifiers([0x08, 0x00])), to: "onlineRequest notApplicable",
            Self.declined, reporting: [.unsolicitedSDAD])
    }

    /// A09 and A10: a TC although an online cryptogram was requested, or without a floor limit.
    @Test func anOnlineCryptogramThatWasRequiredIsNeverApproved() throws {
        let card = AttackScene.card("upRegardless")
        try Self.scene.leads(card, to: "approved notApplicable", Self.declined) { $0.limits.floor = nil }
        try Self.scene.leads(card, to: "approved notApplicable", Self.declined) { $0.limits.floor = 1000 }
        // A card that states that it may go online does.
        let willing = AttackScene.card("upRegardless") { $0.unionPay.qualifiers = [0x20, 0x00] }
        try Self.scene.leads(willing, to: "approved notApplicable", "onlineRequest notApplicable") {
            $0.limits.floor = 1000
        }
    }

    /// A10: 9F27 differs from 9F10.
    @Test func aTypeUnlikeTheIssuersDataIsReportedAndDeclinedInStrict() throws {
        let shown = AttackScene.relay(
            AttackScene.card("upDecline"), CardEdit(.options, .response(.replace(0x9F27, [0x80]))))
        try Self.scene.leads(
            shown, to: "onlineRequest notApplicable", "onlineRequest notApplicable", Self.declined,
            reporting: [.cidIADMismatch])
        // Without a signature there is no approval.
        let approved = AttackScene.relay(
            AttackScene.card("upOnlineRecords"), CardEdit(.options, .response(.replace(0x9F27, [0x40]))))
        try Self.scene.leads(approved, to: Self.declined, reporting: [.cidIADMismatch])
    }

    /// A11: a broken signature becomes an online request because of the qualifiers.
    @Test func aBrokenSignatureGoesOnlineByTheBookOnly() throws {
        try Self.scene.leads(
            AttackScene.card("upWrongSignatureOnline"), to: "onlineRequest notApplicable", Self.declined,
            reporting: [.odaTamper])
        // A signature that cannot be verified does not count as tampering: the card's preference applies.
        let unknown = AttackScene.card("upUnknownCA") { $0.unionPay.qualifiers = [0x20, 0x00] }
        try Self.scene.leads(unknown, to: "onlineRequest notApplicable")
    }

    /// A11: the signed counter must equal the counter shown (Table 4-9).
    @Test func anotherCounterBesideASignatureIsNoApproval() throws {
        let card = AttackScene.relay(
            AttackScene.card("upRegardless"), CardEdit(.options, .response(.replace(0x9F36, [0x77, 0x77]))))
        try Self.scene.leads(card, to: "approved notApplicable", Self.declined, reporting: [.odaTamper])
    }

    /// A12 and A19: a signature over another tap, or over data that a relay sent to the card.
    @Test(arguments: [
        CardEdit.CommandChange.replace(0x9F02, [0, 0, 0, 0, 0, 1]), .replace(0x5F2A, [0x08, 0x40]),
        .replace(0x9F37, [0, 0, 0, 0]),
    ])
    func whatTheCardWasToldInsteadDoesNotVerify(edit: CardEdit.CommandChange) throws {
        let card = AttackScene.card("upRegardless")
        try Self.scene.leads(
            AttackScene.relay(card, CardEdit(.options, .command(edit))), to: Self.declined, reporting: [.odaTamper])
    }

    /// A19: the type is not signed; a card cannot approve cash, cash back and refunds.
    @Test(arguments: [TransactionType.cash, .cashBack, .refund])
    func cashCashbackAndRefundAreNeverApprovedOffline(type: TransactionType) throws {
        var scene = Self.scene
        scene.type = type
        try scene.leads(AttackScene.card("upRegardless"), to: "approved notApplicable", Self.declined)
    }

    /// A18: a record is listed twice.
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

    /// A27: the certificate bit of a transit card is cleared, and a transit reader's DF61 is removed: there is no other
    /// flow to which the tap could be moved.
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

    /// A32: online PIN is changed to a signature; the qualifiers are removed.
    @Test func editedQualifiersDowngradeNothingInStrict() throws {
        for change in [CardEdit.ResponseChange.replace(0x9F6C, [0x40, 0x00]), .remove(0x9F6C)] {
            let edit = CardEdit(.options, .response(change))
            try Self.aboveLimit.leads(
                AttackScene.relay(AttackScene.card("upOnline"), edit), to: "onlineRequest signature",
                "onlineRequest signature", "onlineRequest onlinePIN", reporting: [.cvmFromPlainData])
        }
        // A signed value decides: if it differs from the one shown, the tap is declined; if it is the only one, it
        // applies.
        try Self.aboveLimit.leads(
            AttackScene.relay(Self.signing(), Self.qualifiers([0x40, 0x00])), to: "onlineRequest signature",
            Self.declined)
        try Self.aboveLimit.leads(
            AttackScene.relay(Self.signing(), CardEdit(.options, .response(.remove(0x9F6C)))),
            to: "onlineRequest signature", "onlineRequest onlinePIN")
    }

    /// A later expiry date in an unsigned record: the genuine one follows, and the repetition ends the tap; if the
    /// genuine one is removed, nothing is approved.
    @Test func anExpiryDateThatNothingSignsApprovesNothing() throws {
        let later = AttackScene.relay(
            AttackScene.card("upExpired"), CardEdit(.options, .response(.insert(0x5F24, [0x49, 0x12, 0x31]))))
        for profile in AmericanExpressTapTests.profiles {
            let outcome = try AmericanExpressTapTests.lead(later, UnionPayTapTests.configuration(profile))
            #expect(outcome.status != .approved && outcome.status != .onlineRequest, "\(profile)")
        }
    }
}
