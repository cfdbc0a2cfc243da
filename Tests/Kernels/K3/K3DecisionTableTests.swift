// SPDX-License-Identifier: Apache-2.0
// The pure decisions of Kernel 3 over all their inputs, against the second implementation in Naive.
import CEMV
import CEMVInternals
import Testing

private let online = UInt8(K3_ONLINE.rawValue), decline = UInt8(K3_DECLINE.rawValue)
private let otherInterface = UInt8(K3_OTHER_INTERFACE.rawValue), contactChip = UInt8(K3_CONTACT_CHIP.rawValue)
private let protected = UInt8(K3_PROTECTION.rawValue)
private let flags = [false, true]
private let cryptograms: [UInt8] = [0, 1, 2, 3]

private func naive(_ cryptogram: UInt8) -> NaiveCryptogram {
    [NaiveCryptogram.aac, .tc, .arqc, .unidentifiable][Int(cryptogram)]
}

private func marks(_ naive: NaiveMarks) -> UInt8 {
    (naive.online ? online : 0) | (naive.decline ? decline : 0)
}

private func pair(_ ctq: NaiveCTQ?) -> k3_pair {
    ctq.map { k3_pair(present: true, byte: ($0.byte1, $0.byte2)) } ?? k3_pair()
}

private func ttq(
    onlinePIN: Bool = false, signature: Bool = false, contact: Bool = false, offlineOnly: Bool = false,
    cvmRequired: Bool = false
)
    -> NaiveTTQ
{
    let first: UInt8 =
        0x20 | (onlinePIN ? 0x04 : 0) | (signature ? 0x02 : 0) | (contact ? 0x10 : 0) | (offlineOnly ? 0x08 : 0)
    return NaiveTTQ(first, cvmRequired ? 0x40 : 0, 0x40, 0)
}

/// Absent, and every first byte with the second bytes given.
private func qualifiers(first: [UInt8] = Array(0...255), second: [UInt8] = [0]) -> [NaiveCTQ?] {
    [nil] + first.flatMap { one in second.map { NaiveCTQ(one, $0) } }
}

/// 5.7.1.2 reads these bits; the others ride along all set or all clear.
private let verificationQualifiers = qualifiers(
    first: (0..<16).flatMap { [UInt8($0 << 4), UInt8($0 << 4 | 0x0F)] }, second: [0x00, 0x80, 0x7F, 0xFF])

@Suite struct K3DecisionTableTests {
    @Test func cryptogramTypeIsTheCardsOrComesFromIssuerData() {
        var wrong = 0
        for size in 0...8 {
            for fifth in UInt8(0)...255 {
                var iad = K3Bytes(repeating: 0x30, count: size)
                if size > 4 { iad[4] = fifth }
                for cid in [nil] + [UInt8](0...255).map(Optional.some) {
                    let type = iad.withUnsafeBufferPointer {
                        k3_cryptogram_type(cid != nil, cid ?? 0, cemv_bytes(data: $0.baseAddress, size: size))
                    }
                    let expected = naiveCryptogram(
                        cid: naiveCID(cryptogramInformation: cid, issuerApplicationData: iad))
                    if naive(type) != expected { wrong += 1 }
                }
                if size < 5 { break }
            }
        }
        #expect(wrong == 0)
    }

    @Test func contradictionNeedsBothSources() {
        for cid in UInt8(0)...255 {
            for fifth in UInt8(0)...255 {
                let iad: K3Bytes = [6, 1, 10, 3, fifth]
                let (both, short) = iad.withUnsafeBufferPointer {
                    (
                        k3_cryptogram_contradicts(true, cid, cemv_bytes(data: $0.baseAddress, size: 5)),
                        k3_cryptogram_contradicts(true, cid, cemv_bytes(data: $0.baseAddress, size: 4))
                            || k3_cryptogram_contradicts(false, cid, cemv_bytes(data: $0.baseAddress, size: 5))
                    )
                }
                if both != (cid >> 6 != fifth >> 4 & 3) || short { Issue.record("cid \(cid), byte 5 \(fifth)") }
            }
        }
    }

    @Test func dispositionOfEveryCryptogram() {
        for cryptogram in cryptograms {
            for required in flags {
                for refund in flags {
                    let terminal = NaiveTTQ(0x20, required ? 0x80 : 0, 0x40, 0)
                    let expected = naiveDisposition(
                        naive(cryptogram), ttq: terminal, transactionType: refund ? 0x20 : 0x00)
                    #expect(k3_disposition(cryptogram, required, refund) == marks(expected))
                }
            }
        }
    }

    @Test func restrictionsAgree() {
        var wrong = 0, seen = 0
        let controls: [K3Bytes?] = [nil, [0, 0], [0x80, 0x80], [0x40, 0x40], [0xC0, 0], [0, 0xC0], [0x3F, 0x3F]]
        let countries: [K3Bytes?] = [nil, [0x02, 0x76], [0x08, 0x40]]
        for cryptogram in cryptograms {
            for (usage, type) in [(K3_USAGE_UNCHECKED, UInt8(0x00)), (K3_USAGE_CASH, 0x01), (K3_USAGE_CASHBACK, 0x09)] {
                for expired in flags {
                    for listed in flags {
                        for control in controls {
                            for country in countries {
                                for ctq in qualifiers() {
                                    let in_ = k3_restrictions_in(
                                        cryptogram: cryptogram, usage: UInt8(usage.rawValue), expired: expired,
                                        on_exception_list: listed,
                                        countries_known: country != nil, domestic: country == [0x02, 0x76],
                                        usage_control: control.map { k3_pair(present: true, byte: ($0[0], $0[1])) }
                                            ?? k3_pair(), ctq: pair(ctq))
                                    let input = NaiveRestrictionInput(
                                        cryptogram: naive(cryptogram), ctq: ctq,
                                        transactionDate: NaiveDate(0x26, 0x11, 0x21),
                                        expirationDate: expired ? nil : NaiveDate(0x30, 0x12, 0x31),
                                        panOnExceptionFile: listed,
                                        transactionType: type, amountOther: type == 0x09 ? 100 : 0,
                                        usageControl: control, issuerCountry: country)
                                    let got = withUnsafePointer(to: in_) { k3_restrictions($0) }
                                    switch naiveRestrictions(input, marks: NaiveMarks()) {
                                    case .tryAnotherInterface: if got & otherInterface == 0 { wrong += 1 }
                                    case .goOn(let after): if got != marks(after) { wrong += 1 }
                                    }
                                    seen += 1
                                }
                            }
                        }
                    }
                }
            }
        }
        #expect(wrong == 0)
        #expect(seen == 4 * 3 * 2 * 2 * 7 * 3 * 257)
    }

    @Test func signatureIsVerifiedWhereTheBookAsksForIt() {
        for cryptogram in cryptograms {
            for before in UInt8(0)..<4 {
                for (sdad, related) in [(false, false), (false, true), (true, false), (true, true)] {
                    for special in flags {
                        let in_ = k3_signature_in(
                            cryptogram: cryptogram, marks: before, sdad: sdad, related_data: related,
                            oda_for_online: special,
                            verify_if_present: false)
                        let expected = naiveODAKind(
                            marks: NaiveMarks(online: before & online != 0, decline: before & decline != 0),
                            cryptogram: naive(cryptogram),
                            signaturePresent: sdad, fddaForOnline: special)
                        let format: UInt8 = expected == .offline ? 0x05 : expected == .forOnline ? 0x95 : 0
                        #expect(withUnsafePointer(to: in_) { k3_signature_wanted($0) } == format)
                        // Beyond the book: a signature that is there is verified as if the reader had asked for it.
                        var present = in_, asked = in_
                        present.verify_if_present = true
                        asked.oda_for_online = special || related
                        #expect(k3_signature_wanted(&present) == k3_signature_wanted(&asked))
                    }
                }
            }
        }
    }

    @Test func failedSignatureGoesWhereTheQualifiersSay() {
        for oda in UInt8(0)..<4 {
            for onlineReader in flags {
                for contact in flags {
                    for ctq in qualifiers() {
                        let in_ = k3_oda_in(
                            oda: oda, online_reader: onlineReader, contact_reader: contact, decline_wrong: false,
                            ctq: pair(ctq))
                        let got = withUnsafePointer(to: in_) { k3_after_oda($0) }
                        let reader = ttq(contact: contact, offlineOnly: !onlineReader)
                        switch naiveAfterODA(
                            passed: oda == UInt8(K3_ODA_GOOD.rawValue), ctq: ctq, ttq: reader, marks: NaiveMarks())
                        {
                        case .insertCard: #expect(got == contactChip)
                        case .goOn(let after): #expect(got == marks(after))
                        }
                    }
                }
            }
        }
    }

    @Test func wrongSignatureIsDeclinedWhereTheRuleIsEnforced() {
        for ctq in qualifiers() {
            var in_ = k3_oda_in(
                oda: UInt8(K3_ODA_WRONG.rawValue), online_reader: true, contact_reader: true, decline_wrong: true,
                ctq: pair(ctq))
            #expect(k3_after_oda(&in_) == decline | protected)
            in_.oda = UInt8(K3_ODA_IMPOSSIBLE.rawValue)
            #expect(k3_after_oda(&in_) & protected == 0)
        }
    }

    /// Every input of 5.7.1, the four states of 9F69 and of the signature included.
    private func everyVerification(_ body: (k3_cvm_in, NaiveCVMResult) -> Void) {
        for cryptogram in cryptograms {
            for oda in UInt8(0)..<4 {
                for reader in 0..<16 {
                    let (required, pin, signature, contact) = (
                        reader & 1 != 0, reader & 2 != 0, reader & 4 != 0, reader & 8 != 0
                    )
                    let terminal = ttq(onlinePIN: pin, signature: signature, contact: contact, cvmRequired: required)
                    for ctq in verificationQualifiers {
                        for related in 0..<4 {
                            let matching: K3Bytes = [1, 0xA, 0xB, 0xC, 0xD, ctq?.byte1 ?? 0, ctq?.byte2 ?? 0]
                            let data: K3Bytes? = [
                                nil, matching, Array(matching.prefix(6)), Array(matching.prefix(6)) + [~matching[6]],
                            ][related]
                            let in_ = k3_cvm_in(
                                cryptogram: cryptogram, oda: oda, trust: UInt8(CEMV_CDCVM_BOOK.rawValue),
                                cvm_required: required, online_pin: pin,
                                signature: signature, contact_reader: contact, related_data: data != nil,
                                related_matches: ctq != nil && related == 1,
                                ctq_signed: oda == UInt8(K3_ODA_GOOD.rawValue) && ctq != nil && related == 1,
                                distrust_plain: false, ctq: pair(ctq))
                            body(
                                in_,
                                naiveCVM(
                                    ttq: terminal, ctq: ctq, cardAuthentication: data, cryptogram: naive(cryptogram),
                                    marks: NaiveMarks()))
                        }
                    }
                }
            }
        }
    }

    private func method(_ cvm: NaiveCVM) -> UInt8 {
        switch cvm {
        case .none: UInt8(CEMV_CVM_NONE.rawValue)
        case .signature: UInt8(CEMV_CVM_SIGNATURE.rawValue)
        case .onlinePIN: UInt8(CEMV_CVM_ONLINE_PIN.rawValue)
        case .cdcvm: UInt8(CEMV_CVM_CDCVM.rawValue)
        case .notApplicable: UInt8(CEMV_CVM_NA.rawValue)
        }
    }

    @Test func cardholderVerificationAgrees() {
        var wrong = 0
        everyVerification { in_, expected in
            let got = withUnsafePointer(to: in_) { k3_cvm($0) }
            if got.cvm != method(expected.cvm) || got.marks != marks(expected.marks) { wrong += 1 }
            let proven = in_.oda == UInt8(K3_ODA_GOOD.rawValue) && in_.related_data
            if got.unauthenticated != (expected.cvm == .cdcvm && !proven) { wrong += 1 }
            let downgraded = in_.cvm_required && in_.online_pin && expected.cvm == .signature
            if got.plain != (downgraded && !in_.ctq_signed) { wrong += 1 }
        }
        #expect(wrong == 0)
    }

    /// SECURITY.md, A32: no CTQ that nothing proves replaces the reader's online PIN, and nothing else changes.
    @Test func distrustedQualifiersReplaceNoOnlinePIN() {
        var wrong = 0, replaced = 0
        everyVerification { in_, _ in
            var strict = in_
            strict.distrust_plain = true
            let trusting = withUnsafePointer(to: in_) { k3_cvm($0) }
            let got = k3_cvm(&strict)
            if trusting.plain {
                replaced += 1
                if got.cvm != UInt8(CEMV_CVM_ONLINE_PIN.rawValue) || got.marks != online | protected || !got.plain {
                    wrong += 1
                }
            } else if got.cvm != trusting.cvm || got.marks != trusting.marks || got.plain {
                wrong += 1
            }
        }
        #expect(wrong == 0 && replaced > 0)
    }

    /// Book believes whatever the rule allows; the others believe less, never more, and never replace a CDCVM by a
    /// signature of the card's choice.
    @Test func tighterTrustNeverAcceptsMore() {
        var wrong = 0
        everyVerification { in_, _ in
            let results = [CEMV_CDCVM_BOOK, CEMV_CDCVM_VERIFY_IF_PRESENT, CEMV_CDCVM_AUTHENTICATED].map { trust in
                var tighter = in_
                tighter.trust = UInt8(trust.rawValue)
                return k3_cvm(&tighter)
            }
            for (looser, tighter) in zip(results, results.dropFirst()) {
                if looser.marks & decline != 0 && tighter.marks & (decline | contactChip) == 0 { wrong += 1 }
                if tighter.cvm == UInt8(CEMV_CVM_CDCVM.rawValue) && looser.cvm != tighter.cvm { wrong += 1 }
                if tighter.cvm != looser.cvm && in_.cvm_required
                    && tighter.cvm == UInt8(CEMV_CVM_SIGNATURE.rawValue)
                {
                    wrong += 1
                }
                if in_.cvm_required && tighter.marks & (decline | contactChip) == 0
                    && tighter.cvm == UInt8(CEMV_CVM_NONE.rawValue)
                {
                    wrong += 1
                }
                if tighter.cvm != looser.cvm && tighter.marks & protected == 0 { wrong += 1 }
            }
        }
        #expect(wrong == 0)
    }

    @Test func marksDecideTheOutcome() {
        for all in UInt8(0)..<32 {
            for onlineReader in flags {
                var in_ = k3_decide_in(marks: all, online_reader: onlineReader, offline_allowed: true)
                let expected = naiveFinalOutcome(
                    marks: NaiveMarks(online: all & online != 0, decline: all & decline != 0), cvm: .none,
                    ttq: ttq(offlineOnly: !onlineReader),
                    ctq: nil)
                let kind: NaiveOutcomeKind =
                    switch k3_decide(&in_) {
                    case UInt8(K3_APPROVED.rawValue): .approved
                    case UInt8(K3_DECLINED.rawValue): .declined
                    default: .onlineRequest
                    }
                #expect(kind == expected.kind)
                in_.offline_allowed = false
                #expect(k3_decide(&in_) != UInt8(K3_APPROVED.rawValue))
            }
        }
    }
}
