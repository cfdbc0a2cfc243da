// SPDX-License-Identifier: Apache-2.0
// What Kernel 3 does about known attacks, in each protection profile. The numbers are those of the project's catalogue
// of attacks.
import CEMV
import CEMVInternals
import TestData
import Testing

private let profiles = [CEMV_PROFILE_BOOK, CEMV_PROFILE_GUARDED, CEMV_PROFILE_STRICT]

/// How much an outcome gives: goods now, the host's decision (weaker verification first), nothing.
private func generosity(_ result: K3Result) -> Int {
    switch result.status {
    case CEMV_OUTCOME_APPROVED: 10
    case CEMV_OUTCOME_ONLINE_REQUEST: 1
    default: 0
    }
}

/// The same attack in all profiles; none accepts more than the one before.
private func taps(
    _ card: K3Card, _ sale: (cemv_profile) -> K3Sale = { K3Sale($0) }, location: SourceLocation = #_sourceLocation
) -> [K3Result] {
    let results = profiles.map { K3Reader(sale($0)).tap(card) }
    #expect(
        zip(results, results.dropFirst()).allSatisfy { generosity($0) >= generosity($1) },
        "a tighter profile accepts more", sourceLocation: location)
    return results
}

private func statuses(_ results: [K3Result]) -> [cemv_outcome_status] { results.map(\.status) }
private func methods(_ results: [K3Result]) -> [cemv_cvm] { results.map(\.cvm) }
private let request = CEMV_OUTCOME_ONLINE_REQUEST, declined = CEMV_OUTCOME_DECLINED, approved = CEMV_OUTCOME_APPROVED
private let ended = CEMV_OUTCOME_END_APPLICATION, elsewhere = CEMV_OUTCOME_TRY_ANOTHER_INTERFACE

@Suite struct K3ProtectionTests {
    @Test func honestCardsPassEveryProfileWithoutFindings() {
        for card in [K3Card.online, .refusing, .signedOffline] {
            for result in taps(card) { #expect(result.outcome.findings == 0) }
        }
        #expect(statuses(taps(.signedOffline)) == [approved, approved, request])  // strict approves nothing offline
        var pin = K3Card.online
        pin.gpo[0x9F6C] = [0x80, 0x00]
        for result in taps(pin, K3Sale.aboveCVMLimit) {
            #expect(result.cvm == CEMV_CVM_ONLINE_PIN && result.outcome.findings == 0)
        }
    }

    // MARK: A01, A02, A06: claims that the device verified its user

    private func claiming(_ card: K3Card) -> K3Card {
        var card = card
        card.gpo[0x9F6C] = [0x00, 0x80]
        return card
    }

    /// A01 a and d: no proof came, or it was stripped.
    @Test func bareClaimIsBelievedButReportedUntilStrict() {
        let results = taps(claiming(.online), K3Sale.aboveCVMLimit)
        #expect(statuses(results) == [request, request, request])
        #expect(methods(results) == [CEMV_CVM_CDCVM, CEMV_CVM_CDCVM, CEMV_CVM_ONLINE_PIN])
        #expect(
            results[0].found(CEMV_FINDING_CDCVM_UNAUTHENTICATED) && results[1].found(CEMV_FINDING_CDCVM_UNAUTHENTICATED)
        )
        #expect(results[2].gpoCommand.map { $0[7] } == 0x37)  // the reader asks for a signature
    }

    /// A01 b: the claim contradicts the related data.
    @Test func claimAgainstTheRelatedDataIsDeclined() {
        #expect(statuses(taps(claiming(.signedOnline), K3Sale.aboveCVMLimit)) == [declined, declined, declined])
    }

    /// A01 c: the related data was edited as well, so the signature is stale.
    @Test func claimUnderAStaleSignatureIsNoClaim() {
        var card = claiming(.signedOnline)
        card.records[3].data[0x9F69] = hex("01C1C2C3C40080")
        let results = taps(card, K3Sale.aboveCVMLimit)
        #expect(methods(results)[0...1] == [CEMV_CVM_CDCVM, CEMV_CVM_ONLINE_PIN])
        #expect(results[1].status == request && results[2].status == declined)
        #expect(results[1].found(CEMV_FINDING_ODA_TAMPER))
    }

    @Test func rejectedClaimAsksForTheContactChipOrNothing() {
        for (ttq, expected) in [("32004000", elsewhere), ("22004000", declined)] {
            let results = taps(claiming(.online)) { profile in
                var sale = K3Sale.aboveCVMLimit(profile)
                sale.ttq = hex(ttq)
                return sale
            }
            #expect(statuses(results) == [request, request, expected])
            #expect(results[2].reason == CEMV_REASON_PROTECTION)
        }
    }

    @Test func provenClaimIsBelievedInEveryProfile() {
        var card = claiming(.online)
        card.records = K3Card.signedOnline.records.prefix(1).map { $0 }
        let results = taps(card.signed(format: 0x95, amount: 25000), K3Sale.aboveCVMLimit)
        #expect(methods(results) == [CEMV_CVM_CDCVM, CEMV_CVM_CDCVM, CEMV_CVM_CDCVM])
        // Profile book does not look.
        #expect(results.map { $0.found(CEMV_FINDING_CDCVM_UNAUTHENTICATED) } == [true, false, false])
    }

    @Test func withoutTheKeyAClaimIsTheBooksAffairUntilStrict() {
        var card = claiming(.online)
        card.records = K3Card.signedOnline.records.prefix(1).map { $0 }
        let results = taps(card.signed(format: 0x95, amount: 25000)) { profile in
            var sale = K3Sale.aboveCVMLimit(profile)
            sale.hasKey = false
            return sale
        }
        #expect(methods(results) == [CEMV_CVM_CDCVM, CEMV_CVM_CDCVM, CEMV_CVM_ONLINE_PIN])
        #expect(results[1].found(CEMV_FINDING_CA_KEY_MISSING) && results[1].found(CEMV_FINDING_CDCVM_UNAUTHENTICATED))
    }

    /// A06: a signature the reader never asked for, over qualifiers that say otherwise.
    @Test func unaskedSignatureOverOtherQualifiersIsDeclined() {
        var card = K3Card.signedOnline
        card.gpo[0x9F6C] = [0x40, 0x00]
        let results = taps(card)
        #expect(statuses(results) == [request, declined, declined])
        #expect(results.allSatisfy { $0.found(CEMV_FINDING_UNSOLICITED_SDAD) })
        #expect(results[1].reason == CEMV_REASON_PROTECTION)
        let stripped = taps(claiming(.online))  // below the limit: the issuer's affair
        #expect(statuses(stripped) == [request, request, request])
    }

    // MARK: A32: online PIN downgraded to signature

    /// Asks for online PIN; signs the online request if told to.
    private func askingForPIN(signs: Bool) -> K3Card {
        var card = K3Card.online.with(0x9F6C, [0x80, 0x00])
        guard signs else { return card }
        card.records = K3Card.signedOnline.records.prefix(1).map { $0 }
        return card.signed(format: 0x95, amount: 25000)
    }

    private func expectPlain(_ results: [K3Result], _ expected: [Bool], location: SourceLocation = #_sourceLocation) {
        #expect(results.map { $0.found(CEMV_FINDING_CVM_FROM_PLAIN_DATA) } == expected, sourceLocation: location)
    }

    @Test func honestCardsKeepTheirVerificationBelowStrict() {
        for signs in [false, true] {
            let results = taps(askingForPIN(signs: signs), K3Sale.aboveCVMLimit)
            #expect(methods(results) == [CEMV_CVM_ONLINE_PIN, CEMV_CVM_ONLINE_PIN, CEMV_CVM_ONLINE_PIN])
            expectPlain(results, [false, false, false])
        }
        // A signature card without an online signature; below the limit, and where the reader has no online PIN,
        // nothing is lost.
        let signature = K3Card.online.with(0x9F6C, [0x40, 0x00])
        let results = taps(signature, K3Sale.aboveCVMLimit)
        #expect(statuses(results) == [request, request, request])
        #expect(methods(results) == [CEMV_CVM_SIGNATURE, CEMV_CVM_SIGNATURE, CEMV_CVM_ONLINE_PIN])
        expectPlain(results, [true, true, true])
        expectPlain(taps(signature), [false, false, false])
        let withoutPIN = taps(signature) { profile in
            var sale = K3Sale.aboveCVMLimit(profile)
            sale.ttq = hex("32004000")
            return sale
        }
        #expect(methods(withoutPIN) == [CEMV_CVM_SIGNATURE, CEMV_CVM_SIGNATURE, CEMV_CVM_SIGNATURE])
        expectPlain(withoutPIN, [false, false, false])
    }

    /// The relay edits 9F6C, or removes it. Where the card signed, the signed qualifiers decide.
    @Test(arguments: [[0x40, 0x00], nil] as [K3Bytes?])
    func editedQualifiersDowngradeNothingInStrict(ctq: K3Bytes?) {
        let unsigned = taps(askingForPIN(signs: false).with(0x9F6C, ctq), K3Sale.aboveCVMLimit)
        #expect(statuses(unsigned) == [request, request, request])
        #expect(methods(unsigned) == [CEMV_CVM_SIGNATURE, CEMV_CVM_SIGNATURE, CEMV_CVM_ONLINE_PIN])
        expectPlain(unsigned, [true, true, true])
        let signed = taps(askingForPIN(signs: true).with(0x9F6C, ctq), K3Sale.aboveCVMLimit)
        if ctq == nil {
            #expect(statuses(signed) == [request, request, request])
            #expect(methods(signed) == [CEMV_CVM_SIGNATURE, CEMV_CVM_ONLINE_PIN, CEMV_CVM_ONLINE_PIN])
            expectPlain(signed, [true, false, false])
        } else {
            #expect(statuses(signed) == [request, declined, declined])  // A06: contradicted by the signature
            #expect(signed[0].cvm == CEMV_CVM_SIGNATURE)
            expectPlain(signed, [true, false, false])
        }
    }

    /// The relay strips the signature and the file locator, so that nothing is covered.
    @Test func strippedSignatureDowngradesNothingInStrict() {
        for ctq in [[0x40, 0x00], nil] as [K3Bytes?] {
            var card = askingForPIN(signs: true).with(0x9F6C, ctq)
            card.gpo[0x9F4B] = nil
            card.records = []
            let results = taps(card, K3Sale.aboveCVMLimit)
            #expect(statuses(results) == [request, request, request])
            #expect(methods(results) == [CEMV_CVM_SIGNATURE, CEMV_CVM_SIGNATURE, CEMV_CVM_ONLINE_PIN])
            expectPlain(results, [true, true, true])
        }
    }

    /// The relay strips 9F69 from its record: a signature without it counts as a failed one.
    @Test func signatureWithoutRelatedDataIsAFailedOne() {
        for ctq in [[0x40, 0x00], [0x00, 0x80], nil] as [K3Bytes?] {
            var card = askingForPIN(signs: true).with(0x9F6C, ctq)
            card.records[3].data[0x9F69] = nil
            let results = taps(card, K3Sale.aboveCVMLimit)
            #expect(statuses(results) == [request, request, declined])
            #expect(methods(results)[1] == CEMV_CVM_ONLINE_PIN)
            #expect(results.map { $0.found(CEMV_FINDING_ODA_TAMPER) } == [false, true, true])
            if ctq?[1] != 0x80 { expectPlain(results, [true, true, false]) }
        }
    }

    /// The same at an offline approval: the signed qualifiers ask for online PIN, those in the clear for a signature.
    @Test func signedQualifiersDecideOfflineToo() {
        var card = K3Card.unsignedOffline.with(0x9F6C, [0x80, 0x00])
        card.records[0].signed = true
        card = card.signed(amount: 25000).with(0x9F6C, [0x40, 0x00])
        let results = taps(card, K3Sale.aboveCVMLimit)
        #expect(statuses(results) == [approved, request, request])
        #expect(methods(results) == [CEMV_CVM_SIGNATURE, CEMV_CVM_ONLINE_PIN, CEMV_CVM_ONLINE_PIN])
        expectPlain(results, [true, false, false])
    }

    /// A02: the higher limit is for authenticated claims alone.
    @Test func higherLimitIsForProvenClaimsOnly() {
        func tap(_ card: K3Card, _ profile: cemv_profile) -> K3Result {
            var sale = K3Sale.aboveCVMLimit(profile)
            sale.limits[CEMV_LIMIT_TRANSACTION] = 22000
            sale.limits[CEMV_LIMIT_CDCVM_TRANSACTION] = 30000
            return k3Tap(card, sale)
        }
        var proven = claiming(.online)
        proven.records = K3Card.signedOnline.records.prefix(1).map { $0 }
        proven = proven.signed(format: 0x95, amount: 25000)
        for profile in [CEMV_PROFILE_BOOK, CEMV_PROFILE_GUARDED] {
            let result = tap(proven, profile)
            #expect(result.reason == CEMV_REASON_NOT_ALLOWED && result.commands.isEmpty)
        }
        let accepted = tap(proven, CEMV_PROFILE_STRICT)
        #expect(accepted.status == request && accepted.cvm == CEMV_CVM_CDCVM)
        for card in [claiming(.online), K3Card.online.with(0x9F6C, [0x80, 0x00]), K3Card.online.with(0x9F6C, nil)] {
            let result = tap(card, CEMV_PROFILE_STRICT)
            #expect(result.reason == CEMV_REASON_KERNEL_LIMIT)
            #expect(result.found(CEMV_FINDING_LIMIT_NEEDS_AUTHENTICATED_CDCVM))
            #expect(result.record.isEmpty)
        }
    }

    @Test func rulesStandBesideTheProfile() {
        var sale = K3Sale.aboveCVMLimit(CEMV_PROFILE_GUARDED)
        sale.protection.cdcvm_trust = UInt8(CEMV_CDCVM_AUTHENTICATED.rawValue)
        #expect(k3Tap(claiming(.online), sale).cvm == CEMV_CVM_ONLINE_PIN)
        var ignoring = K3Sale(CEMV_PROFILE_GUARDED)
        ignoring.protection.unsolicited_sdad = UInt8(CEMV_RULE_OFF.rawValue)
        #expect(!k3Tap(.signedOnline, ignoring).found(CEMV_FINDING_UNSOLICITED_SDAD))
    }

    // MARK: A03: a card of another brand behind our name

    @Test func accountOfAnotherBrandIsDeclined() {
        var card = K3Card.online
        card.gpo[0x57] = hex("5413330089010434D30122010000012345")
        let results = taps(card)
        #expect(statuses(results) == [request, declined, declined])
        #expect(results.allSatisfy { $0.found(CEMV_FINDING_BRAND_MISMATCH) })
        var off = K3Sale(CEMV_PROFILE_GUARDED)
        off.protection.brand_check = UInt8(CEMV_RULE_REPORT.rawValue)
        #expect(k3Tap(card, off).status == request)
    }

    /// A33: the row is configured for the provider alone, and the card names an application that the table does not
    /// list.
    @Test(arguments: ["A0000000033010", "A0000000038010", "A000000003999999"])
    func siblingNameEvadesNoBrandCheck(name: String) {
        var card = K3Card.online
        card.aid = hex(name)
        let honest = taps(card) { Self.partial($0) }
        #expect(statuses(honest) == [request, request, request] && honest.allSatisfy { $0.outcome.findings == 0 })
        card.gpo[0x57] = hex("5413330089010434D30122010000012345")
        let results = taps(card) { Self.partial($0) }
        #expect(statuses(results) == [request, declined, declined])
        #expect(results.allSatisfy { $0.found(CEMV_FINDING_BRAND_MISMATCH) })
    }

    private static func partial(_ profile: cemv_profile) -> K3Sale {
        var sale = K3Sale(profile)
        sale.aid = hex("A000000003")
        return sale
    }

    // MARK: A07, A09, A13, A19: offline approvals

    @Test func withoutADynamicSignatureNothingIsApproved() {
        var clone = K3Card.signedOffline  // A13: static data only
        clone.gpo[0x82] = [0x40, 0x00]
        clone.gpo[0x9F4B] = nil
        for card in [clone, K3Card.unsignedOffline] {
            #expect(statuses(taps(card)) == [declined, declined, declined])
        }
        #expect(taps(clone).allSatisfy { $0.found(CEMV_FINDING_ODA_STRIPPED) })
    }

    /// A09: annex C signs no cryptogram. Without a floor limit no offline approvals are wanted.
    @Test func withoutAFloorLimitApprovalsGoOnline() {
        var card = K3Card.signedOffline
        card.gpo[0x9F26]![0] ^= 1
        let results = taps(card) { profile in
            var sale = K3Sale(profile)
            sale.limits[CEMV_LIMIT_FLOOR] = nil
            return sale
        }
        #expect(statuses(results) == [approved, request, request])
        #expect(statuses(taps(card)) == [approved, approved, request])
    }

    /// The floor limit of the card's program counts where one was chosen.
    @Test func programWithoutAFloorLimitApprovesNothingOffline() {
        var card = K3Card.signedOffline
        card.fci.objects.append((0xBF0C, dataObject(0x9F5A, hex("3108400840"))))
        for (limits, expected) in [
            ([:], [approved, request, request]), ([CEMV_LIMIT_FLOOR: 10000], [approved, approved, request]),
        ]
            as [([cemv_limit: UInt64], [cemv_outcome_status])]
        {
            let results = taps(card) { profile in
                var sale = K3Sale(profile)
                sale.dynamicLimits = [("31", limits, CEMV_ZERO_AMOUNT_ONLINE, false)]
                return sale
            }
            #expect(statuses(results) == expected)
        }
    }

    /// A19: annex C signs neither type nor country nor date.
    @Test(arguments: [(0x01, 0), (0x09, 500), (0x20, 0), (0x00, 500)] as [(UInt8, UInt64)])
    func cashCashbackAndRefundAreNeverApprovedOffline(type: UInt8, other: UInt64) {
        var card = K3Card.signedOffline
        card.gpo[0x9F07] = [0xFF, 0xFF]
        let results = taps(card) { profile in
            var sale = K3Sale(profile)
            sale.type = type
            sale.amountOther = other
            return sale
        }
        #expect(statuses(results) == [approved, request, request])
        let offline = taps(card) { profile in
            var sale = K3Sale(profile)
            sale.type = type
            sale.amountOther = other
            sale.ttq = hex("3E004000")
            return sale
        }
        #expect(statuses(offline) == [approved, declined, declined])
    }

    @Test func valuesThatTheCardSawChangedDoNotVerify() {
        let forged = K3Card.signedOffline.resigned(amount: 100)
        #expect(statuses(taps(forged)) == [declined, declined, declined])
        #expect(taps(forged).allSatisfy { $0.found(CEMV_FINDING_ODA_TAMPER) })
    }

    // MARK: A10: the cryptogram's type

    @Test func typeAgainstIssuerDataIsReportedAndDeclinedInStrict() {
        var asApproval = K3Card.online
        asApproval.gpo[0x9F27] = [0x40]
        var asRequest = K3Card.unsignedOffline
        asRequest.gpo[0x9F27] = [0x80]
        var fromRefusal = K3Card.refusing
        fromRefusal.gpo[0x9F27] = [0x80]
        #expect(statuses(taps(asApproval)) == [declined, declined, declined])
        for card in [asRequest, fromRefusal] {
            let results = taps(card)
            #expect(statuses(results) == [request, request, declined])
            #expect(results.allSatisfy { $0.found(CEMV_FINDING_CID_IAD_MISMATCH) })
        }
    }

    @Test func onlineCryptogramThatWasRequiredIsNeverApproved() {
        for cid in UInt8(0)...255 where cid % 5 == 0 {
            var card = K3Card.signedOffline
            card.gpo[0x9F27] = [cid]
            for result in taps(
                card,
                { profile in
                    var sale = K3Sale(profile)
                    sale.limits[CEMV_LIMIT_FLOOR] = 0
                    return sale
                })
            { #expect(result.status != approved) }
        }
    }

    // MARK: A11, A12: signatures

    private static let tampered: [@Sendable (inout K3Card) -> Void] = [
        { $0.gpo[0x9F4B]![7] ^= 0x40 }, { $0.records[1].data[0x90]![40] ^= 2 },
        { $0.records[2].data[0x9F46]![33] ^= 1 },
        { $0.records[3].data[0x9F69]![2] ^= 1 }, { $0.records[0].data[0x5F28] = [0x08, 0x40] },
    ]

    @Test(arguments: tampered.indices)
    func wrongSignatureIsTamperingAndStrictDeclines(row: Int) {
        var card = K3Card.signedOffline
        card.gpo[0x9F6C] = [0x20, 0x00]
        Self.tampered[row](&card)
        let results = taps(card)
        #expect(statuses(results) == [request, request, declined])
        #expect(results.allSatisfy { $0.found(CEMV_FINDING_ODA_TAMPER) })
        #expect(results.allSatisfy { $0.value(0x95) == [0, 0, 0, 0, 0] })
    }

    @Test func signatureThatCannotBeCheckedIsNoTampering() {
        var card = K3Card.signedOffline
        card.gpo[0x9F6C] = [0x20, 0x00]
        let results = taps(card) { profile in
            var sale = K3Sale(profile)
            sale.hasKey = false
            return sale
        }
        #expect(statuses(results) == [request, request, request])
        #expect(results.allSatisfy { $0.found(CEMV_FINDING_CA_KEY_MISSING) && !$0.found(CEMV_FINDING_ODA_TAMPER) })
    }

    @Test func counterThatTheSignatureDoesNotNameIsTampering() {
        var card = K3Card.signedOffline
        card.gpo[0x9F36] = [0x00, 0x16]
        let results = taps(card)
        #expect(statuses(results) == [approved, declined, declined])
        #expect(results.allSatisfy { $0.found(CEMV_FINDING_ODA_TAMPER) })
    }

    @Test func signatureOfAnotherTapOrFormatFails() {
        for card in [
            K3Card.signedOffline.resigned(number: K3Sale.numbers[3]), K3Card.signedOffline.resigned(format: 0x95),
        ] {
            #expect(statuses(taps(card)) == [declined, declined, declined])
        }
        let online = K3Card.signedOnline.resigned(format: 0x05)
        #expect(statuses(taps(online)) == [request, request, declined])
    }

    // MARK: A17, A18: account and coverage

    @Test func everyAccountNumberMustBeTheSame() {
        var track2 = K3Card.signedOffline
        track2.gpo[0x57] = hex("4761739001010127D30122010000012345")
        var record = K3Card.online
        record.records = [K3Record(data: K3Data([(0x5A, "4761739001010127")]))]
        for card in [track2, record] { #expect(statuses(taps(card)) == [ended, ended, ended]) }
        for (tag, value) in [(0x9F6B, "4761739001010127D3012F"), (0x56, hexText("B4761739001010127^X/Y^3012201".utf8))]
            as [(UInt32, String)]
        {
            var card = K3Card.online
            card.records = [K3Record(data: K3Data([(tag, value)]))]
            let results = taps(card)
            #expect(statuses(results) == [request, ended, ended])
            #expect(results.allSatisfy { $0.found(CEMV_FINDING_PAN_MISMATCH) })
        }
    }

    @Test func expiryUnlikeTrack2AndCheckDigitAreReportedAndEndInStrict() {
        var expiry = K3Card.online
        expiry.records = [K3Record(data: K3Data([(0x5F24, "311231")]))]
        var digit = K3Card.online
        digit.gpo[0x57] = hex("4761739001010118D30122010000012345")
        for (card, finding) in [(expiry, CEMV_FINDING_EXPIRY_MISMATCH), (digit, CEMV_FINDING_LUHN)] {
            let results = taps(card)
            #expect(statuses(results) == [request, request, ended])
            #expect(results.allSatisfy { $0.found(finding) })
        }
    }

    @Test func recordListedTwiceEndsUnlessByTheBook() {
        var card = K3Card.online
        card.records = [K3Record(data: K3Data([(0xDF7F, "00")]))]
        card.locator = hex("10010100 10010100")
        let results = taps(card)
        #expect(statuses(results) == [request, ended, ended])
        #expect(results.allSatisfy { $0.found(CEMV_FINDING_RECORD_REPEATED) })
    }

    @Test(arguments: [
        "10010101 18010100 18020200 18030300", "10010101 18010101 18020200 18030300",
        "10010100 18010100 18020201 18030300",
    ])
    func otherCoverageThanTheIssuersFails(locator: String) {
        var card = K3Card.signedOffline
        card.locator = hex(locator)
        #expect(
            statuses(taps(card))
                == (locator.hasPrefix("10010101 18010100")
                    ? [approved, approved, request] : [declined, declined, declined]))
    }

    @Test func recordsAreBounded() {
        for (count, expected) in [(64, request), (65, ended)] {
            var card = K3Card.online
            card.locator = [0x10, 1, UInt8(count), 0]
            card.records = (1...count).map { K3Record(number: UInt8($0)) }
            #expect(Set(statuses(taps(card)).map(\.rawValue)) == [expected.rawValue])
        }
        var sale = K3Sale()
        sale.protection.max_records = 2
        var card = K3Card.online
        card.records = (1...3).map { K3Record(number: UInt8($0)) }
        #expect(k3Tap(card, sale).status == ended)
    }

    // MARK: A22, A23: whose data

    private static let terminals: [(UInt32, String)] = [
        (0x9F02, "000000000001"), (0x9F37, "FFFFFFFF"), (0x5F2A, "0840"), (0x9F1A, "0840"), (0x9A, "200101"),
        (0x9C, "20"), (0x9F66, "00000000"),
        (0x95, "FFFFFFFFFF"), (0x9F03, "000000000001"), (0x9F35, "11"), (0x9F33, "000000"), (0x9F5B, "2000000000"),
    ]

    @Test(arguments: terminals.indices)
    func terminalDataFromTheCardAreIgnoredAndReported(row: Int) {
        let (tag, value) = Self.terminals[row]
        var inAnswer = K3Card.online
        inAnswer.gpo[tag] = hex(value)
        var inRecord = K3Card.online
        inRecord.records = [K3Record(data: K3Data([(tag, value)]))]
        let honest = k3Tap(.online)
        for card in [inAnswer, inRecord] {
            for result in taps(card) {
                #expect(result.status == request)
                #expect(result.found(CEMV_FINDING_TERMINAL_TAG_FROM_CARD))
                #expect(result.record.map { hexText($0.value) } == honest.record.map { hexText($0.value) })
            }
        }
    }

    /// A23: two cards, the second of which asks for everything.
    @Test func processingOptionsListGetsNoCardData() {
        let asked: [UInt32] = [
            0x5A, 0x57, 0x9F4B, 0x9F26, 0x9F36, 0x82, 0x5F24, 0x9F10, 0x9F46, 0x8F, 0x9F6C, 0x9F27, 0x5F34, 0x84, 0x50,
            0xDF8118,
        ]
        var greedy = K3Card.online
        greedy.fci[0x9F38] = hex("9F6604") + asked.flatMap { dataObject($0, []).dropLast() + [8] }
        var first = K3Card.signedOffline
        let result = K3Reader(K3Sale()).run { index, command in
            if index == 6 { return .fault(CEMV_REPLY_TRANSMISSION) }
            return .response(index < 6 ? first.answer(command) : greedy.answer(command))
        }
        #expect(
            result.gpoCommand.map { K3Bytes($0[12...].dropLast()) } == K3Bytes(repeating: 0, count: 8 * asked.count))
    }

    // MARK: A30: refunds and zero amounts

    @Test(arguments: [0x00, 0x01, 0x09, 0x20] as [UInt8], [0, 1250] as [UInt64])
    func zeroAndRefundAreNeverApprovedUnlessAllowed(type: UInt8, amount: UInt64) {
        for var card in [K3Card.online, .refusing, K3Card.signedOffline.resigned(amount: amount)] {
            card.gpo[0x9F07] = [0xFF, 0xFF]
            card.gpo[0x5F28] = card.records.isEmpty ? [0x02, 0x76] : nil
            let results = taps(card) { profile in
                var sale = K3Sale(profile)
                sale.type = type
                sale.amount = amount
                return sale
            }
            if amount == 0 { #expect(!statuses(results).contains(approved)) }
            if type != 0 { #expect(results[1].status != approved && results[2].status != approved) }
            if type == 0x20 { #expect(results.dropFirst().allSatisfy { $0.status == request }) }
        }
    }

    @Test func zeroAmountIsApprovedOfflineOnlyWhereConfigured() {
        let results = taps(K3Card.signedOffline.resigned(amount: 0)) { profile in
            var sale = K3Sale(profile)
            sale.amount = 0
            sale.zeroAmount = CEMV_ZERO_AMOUNT_OFFLINE_ALLOWED
            return sale
        }
        #expect(statuses(results) == [approved, approved, request])
    }

    // MARK: A29: another card at the second presentment

    @Test func scriptsReachOnlyTheApplicationTheyWereMeantFor() {
        for (profile, sent) in [(CEMV_PROFILE_BOOK, true), (CEMV_PROFILE_GUARDED, false), (CEMV_PROFILE_STRICT, false)]
        {
            var sale = K3Sale(profile)
            sale.ttq = hex("3600C000")
            var card = K3Card.online
            card.gpo[0x9F6C] = [0x00, 0x40]
            let other =
                dataObject(0x6F, dataObject(0x84, hex("A0000000032010")) + dataObject(0xA5, card.fci.encoded)) + [
                    0x90, 0x00,
                ]
            let result = K3Reader(sale).run(online: hex("72098607 8416000002AABB")) { index, command in
                .response(index == 3 ? other : card.answer(command))
            }
            #expect(result.instructions.contains(0x16) == sent)
            #expect(result.found(CEMV_FINDING_DF_NAME_MISMATCH))
        }
    }

    // MARK: The property over everything

    /// Seeded readers and cards: no profile accepts what the one before refused, and no approval without its
    /// conditions.
    @Test(arguments: 0..<4)
    func noProfileAcceptsMoreThanTheBook(seed: Int) {
        var random = SeededRandom(seed: UInt64(seed) &* 0x9E37_79B9 &+ 11)
        for _ in 0..<25 {
            let (sale, card, input) = K3Comparison.scene(&random)
            let results = taps(card) { profile in
                var same = sale
                same.protection.profile = UInt8(profile.rawValue)
                return same
            }
            for result in results where result.status == approved {
                #expect(input.fdda == NaiveFDDAFacts(), "approved without a signature")
                #expect(
                    result.gpoCommand.map { $0[8] & 0x80 } == 0, "approved though an online cryptogram was required")
            }
            #expect(results[2].status != approved)
        }
    }
}

extension K3Card {
    func with(_ tag: UInt32, _ value: K3Bytes?) -> K3Card {
        var card = self
        card.gpo[tag] = value
        return card
    }

    /// The same card signing other values.
    func resigned(format: UInt8 = 0x05, amount: UInt64 = K3Sale.amount, number: K3Bytes = K3Sale.numbers[0]) -> K3Card {
        var card = self
        card.records.removeLast(3)
        return card.signed(format: format, amount: amount, number: number)
    }
}
