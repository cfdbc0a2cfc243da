// SPDX-License-Identifier: Apache-2.0
import EMVKit
import Testing

@testable import EMVCards
@testable import EMVSimulator

/// The rows of Kernel 6 in Conformance/attacks.md: relays that modify, and cards that no honest issuer made, in the
/// three profiles.
@Suite struct DiscoverAttackTests {
    private static var scene: AttackScene { AttackScene { DiscoverTapTests.configuration($0) } }
    private static var aboveLimit: AttackScene {
        AttackScene(configuration: { DiscoverTapTests.configuration($0) }, amount: 6000)
    }

    private static let declined = "declined notApplicable"
    private static let elsewhere = "tryAnotherInterface notApplicable"
    private static let end = "endApplication notApplicable"

    private static func requirements(_ bytes: [UInt8]) -> CardEdit {
        CardEdit(.options, .response(.replace(0x9F71, bytes)))
    }

    /// A01, A08 and A32: the requirements of an ARQC are unprotected.
    @Test func requirementsThatNothingSignsTakeNoPINAway() throws {
        let card = AttackScene.card("dpasOnline")
        try Self.aboveLimit.leads(card, to: "onlineRequest onlinePIN")
        try Self.aboveLimit.leads(
            AttackScene.relay(card, Self.requirements([0x00, 0x01])), to: "onlineRequest none",
            "onlineRequest onlinePIN", reporting: [.cvmFromPlainData])
        try Self.aboveLimit.leads(
            AttackScene.relay(card, Self.requirements([0x40, 0x00])), to: "onlineRequest signature",
            "onlineRequest signature", "onlineRequest onlinePIN", reporting: [.cvmFromPlainData])
        // A reader without online PIN asks for the chip.
        try Self.aboveLimit.leads(
            AttackScene.relay(card, Self.requirements([0x00, 0x01])), to: "onlineRequest none", Self.elsewhere
        ) { $0.ttq?[0] &= ~0x04 }
    }

    /// A01: a device's unproven claim.
    @Test func aDevicesClaimIsReportedAndNotBelievedInStrict() throws {
        try Self.aboveLimit.leads(
            AttackScene.card("dpasCDCVM"), to: "onlineRequest cdcvm", "onlineRequest cdcvm", "onlineRequest onlinePIN",
            reporting: [.cdcvmUnauthenticated, .cdcvmUnauthenticated, .cvmFromPlainData])
    }

    /// A02 and A35: the higher limit for devices requires a claim that a signature covers, and strict accepts no TC if
    /// the PDOL is unsigned.
    @Test func theHigherLimitIsForNoClaim() throws {
        func raise(_ combination: inout Combination) {
            combination.limits.transaction = 5_000
            combination.limits.cdcvmTransaction = 20_000
        }
        let signed = AttackScene.card("dpasOffline") {
            $0.discover.verification = [.consumerDeviceClaimed]
            $0.disposition = .offlineRegardless
        }
        let configuration: (Protection.Profile) -> Configuration = { profile in
            var configuration = DiscoverTapTests.configuration(profile)
            configuration.protection.offline = .enforce
            return configuration
        }
        let scene = AttackScene(configuration: configuration, amount: 6000)
        try scene.leads(
            AttackScene.card("dpasCDCVM"), to: Self.elsewhere, Self.elsewhere, Self.end,
            reporting: [[], [], .limitNeedsAuthenticatedCDCVM], changing: raise)
        try scene.leads(
            signed, to: Self.elsewhere, Self.elsewhere, Self.declined,
            reporting: [[], [], .listUnsigned], changing: raise)
    }

    /// A17: another account.
    @Test func anotherAccountEndsTheTap() throws {
        let account = CardEdit(.every, .response(.insert(0x5A, [0x60, 0x11, 0x00, 0x09, 0x90, 0x13, 0x94, 0x24])))
        let records = AttackScene.relay(
            AttackScene.card("dpasOnlineRecords"),
            CardEdit(.every, .response(.replace(0x5A, [0x60, 0x11, 0x00, 0x09, 0x90, 0x13, 0x94, 0x24]))))
        try Self.scene.leads(records, to: "onlineRequest none", Self.end, reporting: [.panMismatch])
        let answer = AttackScene.relay(
            AttackScene.card("dpasOnline"), CardEdit(.options, account.action))
        try Self.scene.leads(answer, to: "onlineRequest none", Self.end, reporting: [.panMismatch])
    }

    /// A08 and A11: if a card's signature failed, its preferences are unproven.
    @Test func aFailedSignatureGoesNowhereOnline() throws {
        let cards: [any CardPresentation] = [
            AttackScene.relay(AttackScene.card("dpasRegardless"), Self.requirements([0x00, 0x40])),
            AttackScene.card("dpasWrongSignatureOnline") { $0.disposition = .offlineRegardless },
        ]
        for card in cards {
            try Self.scene.leads(card, to: "onlineRequest none", Self.declined, reporting: [.odaTamper])
        }
        // The certificates are damaged so that no key is found: the result is a decline, too.
        let spoilt = AttackScene.relay(
            AttackScene.card("dpasRegardless"), CardEdit(.every, .response(.replace(0x8F, [0x77]))))
        try Self.scene.leads(spoilt, to: Self.declined)
    }

    /// A09 and A30: no floor limit, a refund; a card that approves regardless is refused.
    @Test func approvalsThatNobodyConfiguredAreNotGiven() throws {
        let card = AttackScene.card("dpasRegardless")
        try Self.scene.leads(card, to: "approved none", Self.declined) { $0.limits.floor = nil }
        var refund = Self.scene
        refund.type = .refund
        try refund.leads(card, to: "approved none", Self.declined)
    }

    /// A10: the cryptogram's type is changed.
    @Test func aTypeThatWasNotSignedIsNoApproval() throws {
        func shown(_ name: String, as type: UInt8) -> ManInTheMiddle<VirtualCard> {
            AttackScene.relay(AttackScene.card(name), CardEdit(.options, .response(.replace(0x9F27, [type]))))
        }
        // A TC requires 9F4B, an ARQC requires 9F26.
        try Self.scene.leads(shown("dpasOnlineRecords", as: 0x40), to: Self.end)
        try Self.scene.leads(shown("dpasOffline", as: 0x80), to: Self.end, Self.end, "onlineRequest none")
        try Self.scene.leads(
            shown("dpasDecline", as: 0x80), to: "onlineRequest none", reporting: [.cidIADMismatch])
    }

    /// A12 and A19: a signature over another tap, or over data that a relay sent to the card.
    @Test func whatTheCardWasToldInsteadDoesNotVerify() throws {
        let edits: [CardEdit.CommandChange] = [
            .replace(0x9F02, [0, 0, 0, 0, 0, 1]), .replace(0x5F2A, [0x08, 0x40]), .replace(0x9F37, [0, 0, 0, 0]),
            .replace(0x9C, [0x20]), .clearBits(0x9F66, [0x00, 0x40]),
        ]
        let card = AttackScene.card("dpasNoCVMOffline") { $0.disposition = .offlineRegardless }
        for edit in edits.prefix(4) {
            try Self.scene.leads(
                AttackScene.relay(card, CardEdit(.options, .command(edit))), to: Self.declined)
        }
        try Self.aboveLimit.leads(
            AttackScene.relay(card, CardEdit(.options, .command(edits[4]))), to: Self.declined)
        // A changed response does not verify, either: type, counter, issuer's data, requirements.
        for tag: UInt32 in [0x9F36, 0x9F10, 0x9F71, 0x9F4B] {
            let edit = CardEdit(.options, .response(.setBits(tag, [0xFF, 0xFF])))
            let outcome = try AmericanExpressTapTests.lead(
                AttackScene.relay(card, edit), DiscoverTapTests.configuration(.guarded))
            #expect(outcome.status != .approved, "\(tag)")
        }
    }

    /// A17, second form: an object of the signed response is repeated in an unsigned record.
    @Test func nothingIsReplacedByARecord() throws {
        for (tag, value) in [(0x9F71, [0x00, 0x01]), (0x9F10, [0x01, 0x15]), (0x9F27, [0x80]), (0x9F36, [0, 1])]
            as [(UInt32, [UInt8])]
        {
            let card = AttackScene.relay(
                AttackScene.card("dpasOnlineRecords"), CardEdit(.record(1), .response(.insert(tag, value))))
            try Self.scene.leads(card, to: Self.end)
        }
    }

    /// A18: a record is listed twice.
    @Test func aRecordListedTwiceEndsUnlessByTheBook() throws {
        let locator = CardEdit(
            .options, .response(.replace(0x94, [0x18, 0x01, 0x01, 0x01, 0x18, 0x01, 0x01, 0x00])))
        for profile in [Protection.Profile.guarded, .strict] {
            let outcome = try AmericanExpressTapTests.lead(
                AttackScene.relay(AttackScene.card("dpasOnlineRecords"), locator),
                DiscoverTapTests.configuration(profile))
            #expect(outcome.status == .endApplication && outcome.findings.contains(.recordRepeated), "\(profile)")
        }
    }

    /// A22
    @Test func whatTheCardSaysOfTheReaderIsIgnored() throws {
        let card = AttackScene.relay(
            AttackScene.card("dpasOnlineRecords"),
            CardEdit(.record(1), .response(.insert(0x9F66, [0x36, 0x00, 0x00, 0x00]))))
        try Self.scene.leads(card, to: "onlineRequest none", reporting: [.terminalTagFromCard])
    }

    /// A26 and A27: 9F7D put into the answer to SELECT moves a chip tap to MS Mode.
    @Test func msModeIsNoWayAround() throws {
        let both: (Protection.Profile) -> Configuration = {
            DiscoverTapTests.configuration($0, ttq: [0xB6, 0x00, 0x40, 0x00])
        }
        // A chip card without tracks appears to have them.
        let moved = CardEdit(
            .selection, .response(.insert(0xBF0C, [0x9F, 0x7D, 0x02, 0x01, 0x00])))
        let chip = AttackScene.relay(AttackScene.card("dpasOnline"), moved)
        for profile in AmericanExpressTapTests.profiles {
            let outcome = try AmericanExpressTapTests.lead(chip, both(profile))
            #expect(outcome.status != .approved, "\(profile)")
        }
        // A card with both modes: strict does not use its tracks at a reader that has the chip mode, too.
        let card = AttackScene.card("dpasStripeCode")
        for profile in AmericanExpressTapTests.profiles {
            let outcome = try AmericanExpressTapTests.lead(card, both(profile))
            #expect((outcome.status == .onlineRequest) == (profile != .strict), "\(profile)")
            #expect(outcome.dataRecord?[0x9F26] == nil)
            let single = try AmericanExpressTapTests.lead(card, DiscoverTapTests.configuration(profile))
            #expect(single.status == .onlineRequest && single.dataRecord?[0x9F26] != nil)
        }
    }

    /// A26: static tracks can be copied by anyone.
    @Test func strippedCodesAreSeenInStrict() throws {
        let zip = AttackScene { profile in
            var configuration = DiscoverTapTests.configuration(profile, ttq: [0x96, 0x00, 0x40, 0x00])
            configuration.combinations.removeFirst()
            return configuration
        }
        try zip.leads(AttackScene.card("zip"), to: "onlineRequest notApplicable")
        let stripped = AttackScene.relay(AttackScene.card("zip"), CardEdit(.every, .response(.remove(0x9F7E))))
        try zip.leads(stripped, to: "onlineRequest notApplicable", "onlineRequest notApplicable", Self.end)
    }
}
