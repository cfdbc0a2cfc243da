// SPDX-License-Identifier: Apache-2.0
import EMVKit
import Testing

@testable import EMVCards
@testable import EMVSimulator

/// The rows of Kernel 4 in Conformance/attacks.md: relays that modify, and cards that no honest issuer made, in the
/// three profiles.
@Suite struct AmericanExpressAttackTests {
    typealias Taps = AmericanExpressTapTests

    /// The named card with changes.
    private static func card(_ name: String, _ change: (inout CardApplication) -> Void) -> VirtualCard {
        var profile = CardProfile.named(name)!
        change(&profile.application)
        return VirtualCard(profile)
    }

    private static func relay(_ card: VirtualCard, _ edits: CardEdit...) -> ManInTheMiddle<VirtualCard> {
        ManInTheMiddle(card, edits)
    }

    /// The result of each of the three profiles, in order; a single result if they agree.
    private func check(
        _ card: any CardPresentation, _ expected: String..., amount: UInt64 = 1250, taps: Int = 1,
        type: TransactionType = .purchase, finding: [Findings] = [],
        at configuration: (Protection.Profile) -> Configuration = { Taps.configuration($0) },
        line: SourceLocation = #_sourceLocation
    ) throws {
        for (place, profile) in Taps.profiles.enumerated() {
            let outcome = try Taps.lead(card, configuration(profile), amount: amount, type: type, taps: taps)
            let words = expected[min(place, expected.count - 1)]
            #expect(Taps.words(outcome) == words, "\(profile)", sourceLocation: line)
            if let wanted = finding.isEmpty ? nil : finding[min(place, finding.count - 1)] {
                #expect(
                    outcome.findings.isSuperset(of: wanted), "\(profile): \(outcome.findings)", sourceLocation: line)
            }
        }
    }

    private static let claim = CardEdit(.options, .response(.replace(0x9F71, [0x01, 0x03, 0x02])))
    private static let noContact = "tryAnotherInterface notApplicable"
    private static let end = "endApplication notApplicable"

    /// A01: 9F71 is in the response to GET PROCESSING OPTIONS, which no signature covers.
    @Test func aPhonesClaimCountsOnlyWhereAChainProvesThePhone() throws {
        let signed = Self.relay(Taps.card("amexPhone"), Self.claim)
        try check(
            signed, "onlineRequest cdcvm", "onlineRequest cdcvm", "onlineRequest signature", amount: 6000,
            finding: [.cdcvmUnauthenticated, .cdcvmUnauthenticated, []])
        let unsigned = Self.relay(Self.card("amexPhone") { $0.keys = nil }, Self.claim)
        try check(
            unsigned, "onlineRequest cdcvm", "onlineRequest onlinePIN", Self.noContact, amount: 6000,
            finding: [.cdcvmUnauthenticated, .cvmFromPlainData, []])
        // A relay cannot turn a card into a phone: the profile is signed.
        let called = Self.relay(
            Taps.card("amexOnlinePIN"), CardEdit(.options, .response(.setBits(0x82, [0x00, 0x40]))),
            CardEdit(.options, .response(.insert(0x9F71, [0x01, 0x03, 0x02]))))
        try check(called, Self.noContact, amount: 6000)
    }

    /// A02: a claim in the response to GET PROCESSING OPTIONS never raises a limit, whatever the device.
    @Test func aClaimRaisesNoLimit() throws {
        func raised(_ profile: Protection.Profile) -> Configuration {
            var configuration = Taps.configuration(profile)
            configuration.combinations[0].limits.transaction = 5_000
            configuration.combinations[0].limits.cdcvmTransaction = 20_000
            return configuration
        }
        let relay = Self.relay(Taps.card("amexPhone"), Self.claim)
        for card in [relay, Self.relay(Taps.card("amexWatch")), Self.relay(Taps.card("amexOnline"))] {
            for (profile, wanted) in zip(Taps.profiles, [[], [], .limitNeedsAuthenticatedCDCVM] as [Findings]) {
                let outcome = try Taps.lead(card, raised(profile), amount: 6000)
                #expect(outcome.status != .approved && outcome.status != .onlineRequest, "\(profile)")
                #expect(outcome.findings == wanted || profile == .strict, "\(profile)")
                #expect(outcome.findings.isSuperset(of: wanted), "\(profile): \(outcome.findings)")
                #expect(outcome.dataRecord?[0x9F26] == nil)
                // Nothing changes below the plain limit.
                #expect(try Taps.lead(card, raised(profile), amount: 1250).status == .onlineRequest, "\(profile)")
            }
        }
    }

    /// A03 and A17: another account, or another brand's.
    @Test func anotherAccountEndsTheTap() throws {
        let account: [UInt8] = [0x37, 0x14, 0x49, 0x63, 0x53, 0x98, 0x43, 0x1F]
        let other = Self.relay(Taps.card("amexOnlinePlain"), CardEdit(.every, .response(.replace(0x5A, account))))
        try check(other, "onlineRequest none", Self.end, Self.end, finding: [.panMismatch])
        let visa = Self.card("amexOnlinePlain") { $0.pan = "4111111111111111" }
        try check(visa, "onlineRequest none", Self.end, Self.end, finding: [.brandMismatch])
    }

    /// A04 and A05: a list that no signature covers is rewritten or removed.
    @Test func aRewrittenListGivesNoEasierVerification() throws {
        let card = Self.card("amexSignatureUnsigned") {
            $0.americanExpress.verificationList = [0, 0, 0, 0, 0, 0, 0, 0, 0x42, 0x03, 0x1E, 0x03]
        }
        try check(card, "onlineRequest onlinePIN", amount: 6000)
        let list: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0x1E, 0x03]
        try check(
            Self.relay(card, CardEdit(.every, .response(.replace(0x8E, list)))), "onlineRequest signature",
            "onlineRequest onlinePIN", amount: 6000, finding: [.cvmFromPlainData])
        try check(
            Self.relay(card, CardEdit(.every, .response(.remove(0x8E)))), "onlineRequest none",
            "onlineRequest onlinePIN", amount: 6000, finding: [.cvmFromPlainData])
        // In a signed record this edit breaks the signature.
        try check(
            Self.relay(Taps.card("amexOnline"), CardEdit(.every, .response(.replace(0x8E, list)))), Self.noContact,
            amount: 6000)
    }

    /// A04: certificates are damaged so that no signature is requested.
    @Test(arguments: [
        CardEdit.ResponseChange.replace(0x8F, [0x77]), .remove(0x9F46), .remove(0x90), .replace(0x9F32, [0x02]),
    ])
    func aSpoiltCertificateLeadsNowhere(change: CardEdit.ResponseChange) throws {
        for name in ["amexOnline", "amexOffline", "amexRegardless"] {
            let card = Self.relay(Taps.card(name), CardEdit(.every, .response(change)))
            let expected = name == "amexRegardless" ? "declined notApplicable" : Self.noContact
            try check(card, expected)
        }
    }

    /// A07 and A13: data that can be copied approve nothing beyond the book.
    @Test func copiedDataApproveNothing() throws {
        let clone = Self.card("amexOfflineSDA") { $0.disposition = .offlineRegardless }
        try check(clone, "approved none", "declined notApplicable", "declined notApplicable")
        // There is no common method, and no action code that requires one.
        let bare = Self.card("amexRegardlessUnsigned") {
            $0.americanExpress.actionCodes = .init(online: [0, 0, 0, 0, 0])
        }
        try check(bare, "approved none", "declined notApplicable", "declined notApplicable") { profile in
            var configuration = Taps.configuration(profile)
            configuration.combinations[0].kernel.americanExpress?.tacOnline = [0, 0, 0, 0, 0]
            return configuration
        }
    }

    /// A09 and A30: no floor limit, and a refund.
    @Test func approvalsThatNobodyConfiguredAreNotGiven() throws {
        let card = Taps.card("amexRegardless")
        try check(card, "approved none", "declined notApplicable") { profile in
            var configuration = Taps.configuration(profile)
            configuration.combinations[0].limits.floor = nil
            configuration.combinations[0].kernel.americanExpress?.dynamicLimits = nil
            return configuration
        }
        try check(card, "approved none", "declined notApplicable", type: .refund)
    }

    /// A10: the signed type must equal the type shown, and a type above the requested one leads to a decline.
    @Test func aTypeThatWasNotSignedIsNoApproval() throws {
        func shown(_ name: String, as type: UInt8) -> ManInTheMiddle<VirtualCard> {
            Self.relay(Taps.card(name), CardEdit(.cryptogram, .response(.replace(0x9F27, [type]))))
        }
        try check(shown("amexOnline", as: 0x40), Self.noContact, Self.noContact, "declined notApplicable")
        try check(shown("amexDeclineNoContact", as: 0x40), "declined notApplicable")
        try check(shown("amexDecline", as: 0x80), Self.noContact)
        // The type is not signed: the issuer detects it, and the terminal reports the difference from 9F10.
        let plain = Self.relay(
            Self.card("amexDecline") { $0.keys = nil }, CardEdit(.cryptogram, .response(.replace(0x9F27, [0x80]))))
        try check(plain, "onlineRequest none", finding: [.cidIADMismatch])
    }

    /// A22: 9F6E belongs to the reader in this kernel, and to the card in others.
    @Test func whatTheCardSaysOfTheReaderIsIgnored() throws {
        let card = Self.relay(
            Taps.card("amexOnlinePlain"), CardEdit(.record(1), .response(.insert(0x9F6E, [0xDC, 0xE0, 0x00, 0x43]))))
        try check(card, "onlineRequest none", finding: [.terminalTagFromCard])
    }

    /// A26 and A27: mag-stripe mode.
    @Test func magStripeModeIsNoWayAround() throws {
        // Strict supports the mode only if the combination itself enables it.
        try check(Taps.card("amexStripe"), "onlineRequest none", "onlineRequest none", Self.noContact) {
            Taps.configuration($0, ttq: [0xB6, 0x00, 0x40, 0x00])
        }
        // The profile of an EMV mode card is changed on the way: its signature does not verify; strict detects earlier
        // that 9F70 denies the mode.
        let down = CardEdit(.options, .response(.clearBits(0x82, [0x00, 0x80])))
        try check(Self.relay(Taps.card("amexOnlinePIN"), down), Self.noContact, Self.noContact, Self.end) {
            Taps.striped($0)
        }
        // A card without a signature goes online in the book profile; strict detects that 9F70 denies the mode.
        try check(
            Self.relay(Taps.card("amexOnlinePlain"), down), "onlineRequest none", "onlineRequest none", Self.end
        ) { Taps.striped($0) }
        // The card is told that the reader has mag-stripe mode only. Its list is signed, and so are the data that it
        // received.
        let told = CardEdit(.options, .command(.clearBits(0x9F35, [0x80])))
        try check(Self.relay(Taps.card("amexStripeSigned"), told), Self.noContact) { Taps.striped($0) }
    }

    /// There are 61 numbers: an attacker who collects all responses can answer any reader that has the mode.
    @Test func harvestedNumbersAnswerAnyReader() throws {
        let clone = Taps.card("amexStripe")
        let first = try Taps.lead(clone, Taps.striped(.guarded))
        let second = try Taps.lead(clone, Taps.striped(.guarded))
        #expect(first.dataRecord?[0x9F6B] != nil && first.dataRecord?[0x9F6B] == second.dataRecord?[0x9F6B])
    }

    /// 9F70 from an unsigned record cannot select higher limits; if it is removed, the default set applies.
    @Test func anUnprovenSetIsBoundedByTheDefault() throws {
        let card = Self.card("amexOnlinePlain") { $0.americanExpress.capabilities = [0xFC, 0x05] }
        func generous(_ profile: Protection.Profile) -> Configuration {
            var configuration = Taps.configuration(profile)
            var limits = configuration.combinations[0].limits
            limits.cvmRequired = 20_000
            configuration.combinations[0].kernel.americanExpress?.dynamicLimits?.numbered[5] = limits
            return configuration
        }
        try check(card, "onlineRequest none", "onlineRequest onlinePIN", Self.noContact, amount: 6000, at: generous)
        let without = Self.relay(card, CardEdit(.every, .response(.remove(0x9F70))))
        try check(
            without, "onlineRequest onlinePIN", "onlineRequest onlinePIN", Self.noContact, amount: 6000, at: generous)
        // If 9F70 is signed, the card's set applies.
        let signed = Self.card("amexOnline") { $0.americanExpress.capabilities = [0xFC, 0x05] }
        try check(signed, "onlineRequest none", amount: 6000, at: generous)
        // An edit can also deny the chip interface; there is no defence against it.
        let bare = Self.relay(
            Taps.card("amexDecline"), CardEdit(.every, .response(.replace(0x9F70, [0x00, 0x00]))))
        try check(bare, "declined notApplicable")
    }

    /// Delayed authorisation approves before the issuer sees the payment. It therefore requires a combined signature,
    /// and in mag-stripe mode an amount below the CVM limit.
    @Test func delayedApprovalsNeedACombinedSignature() throws {
        let sda = Self.card("amexOfflineSDA") { $0.disposition = .online }
        try check(sda, "approved none", Self.noContact, "declined notApplicable") { Taps.delayed($0) }
        let stripe = Taps.card("amexStripeSigned")
        let expected = ["approved none", "approved none", "declined notApplicable"]
        for (profile, ends) in zip(Taps.profiles, expected) {
            var configuration = Taps.striped(profile)
            configuration.combinations[0].data[0x9F6E] = [0xDC, 0xE0, 0x00, 0x43]
            #expect(Taps.words(try Taps.lead(stripe, configuration)) == ends, "\(profile)")
        }
        var above = Taps.striped(.guarded)
        above.combinations[0].data[0x9F6E] = [0xDC, 0xE0, 0x00, 0x43]
        let verified = Self.card("amexStripeSigned") {
            $0.americanExpress.verificationList = [0, 0, 0, 0, 0, 0, 0, 0, 0x1E, 0x03]
        }
        #expect(Taps.words(try Taps.lead(verified, above, amount: 6000)) == Self.noContact)
        above.protection = Protection(profile: .book)
        #expect(Taps.words(try Taps.lead(verified, above, amount: 6000)) == "approved signature")
    }

    /// R12: a restart is requested by the phone, by 6984, or by both, and happens once in all.
    @Test func tryAgainComesOnce() throws {
        let refuses = Self.relay(Taps.card("amexPhone"), CardEdit(.cryptogram, .answer([0x69, 0x84])))
        try check(refuses, "tryAgain notApplicable")
        try check(refuses, Self.end, taps: 2)
        // The phone has already asked.
        try check(
            Self.relay(Taps.card("amexPhone"), CardEdit(.cryptogram, .answer([0x69, 0x84]))), Self.end, Self.end,
            Self.end, amount: 6000, taps: 2)
        // A phone that never verifies its holder is verified in another way.
        let never = Self.relay(
            Taps.card("amexPhone"), CardEdit(.options, .response(.replace(0x9F71, [0x3F, 0x03, 0x00]))))
        try check(never, "onlineRequest signature", amount: 6000, taps: 2)
    }
}
