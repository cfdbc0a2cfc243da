// SPDX-License-Identifier: Apache-2.0
import EMVKernel

// Why a kernel declined, switched or ended by its own decision. Each kernel's steps are checked in the order of its
// book; the first one that explains the ending is the reason.
extension Explanation {
    var decision: Reason {
        if outcome.errorIndication.l3 != 0 { return ofTerminal }
        switch kernel {
        case 2: return ofKernel2
        case 3: return ofKernel3
        case 4: return ofKernel4
        case 5: return ofKernel5
        case 6: return ofKernel6
        case 7: return ofKernel7
        case 8: return ofKernel8
        default: return general
        }
    }

    private var ofTerminal: Reason {
        switch outcome.errorIndication.l3 {
        case 1:
            Reason(
                "The terminal did not send the data that the kernel asked for in time.",
                change: "Answer the data exchange before its time-out.")
        case 3:
            Reason(
                "The amount (9F02) is not known to the kernel.", 0x9F02,
                change: "Give the amount with the transaction or in the data exchange.")
        default: Reason("The terminal stopped the transaction.", change: "Begin again without stopping.")
        }
    }

    // MARK: Sentences that kernels share

    /// - Parameter asked: the cryptogram type that the reader requested, `nil` if the card alone decides.
    func declinedByCard(_ clause: String, asked: UInt64? = nil) -> Reason {
        let request = asked.map { ", although the reader asked for \(Explanation.type($0))" } ?? ""
        let code = card(0x9F27) == nil ? "its 9F10 says so in byte 5" : cryptogram
        return Reason(
            "The card itself declined\(request): it returned an AAC (\(code)).", card(0x9F27) == nil ? 0x9F10 : 0x9F27,
            "bits 8-7", book(clause),
            change: "Only the card's own limits and counters decide this; another card, or a lower amount.")
    }

    private func expired(_ clause: String, _ online: String) -> Reason {
        guard let last = Explanation.date(card(0x5F24)) else {
            return Reason(
                "The card has no readable expiration date (5F24), so it counts as expired.", 0x5F24, "",
                book(clause), change: "A card with 5F24.")
        }
        return Reason(
            "The card is expired: 5F24 is \(last), and the transaction is on \(ending.transaction.date).", 0x5F24, "",
            book(clause), change: "A transaction date up to \(last), or a card that is not expired" + online + ".")
    }

    /// An online request that the reader cannot make.
    private func offlineOnly(_ why: String, _ clause: String) -> Reason {
        Reason(
            "\(why), but the reader is offline-only: TTQ (9F66) byte 1 bit 4 is set in \(hex(terminal(0x9F66))).",
            0x9F66,
            "byte 1 bit 4", book(clause), change: "Clear TTQ byte 1 bit 4, so that the reader can go online.")
    }

    /// An ARQC, as part of a sentence that has another reason to go online.
    private var arqc: String {
        card(0x9F27)?.first.map { $0 >> 6 == 2 } ?? false
            ? ", and the card asks to go online (ARQC, \(cryptogram))" : ""
    }
    private var whyOnline: String {
        let type = card(0x9F27)?.first.map { $0 >> 6 }
        if type == 2 { return "The card asks to go online (ARQC, \(cryptogram))" }
        if ttq(2, 8) { return "The reader requires an online cryptogram (TTQ byte 2 bit 8)" }
        if isExpired {
            let place = kernel == 6 ? "9F71 byte 2" : "CTQ byte 1 bit 4"
            return "The card is expired (5F24) and asks to go online then (\(place))"
        }
        if card(0x9F27) == nil, card(0x9F10) != nil { return "The card asks to go online (9F10 byte 5)" }
        return "The transaction has to go online"
    }

    private func restricted(_ clause: String) -> Reason {
        let service = ending.transaction.type == .cash ? "cash" : "purchase with cash back"
        let country = card(0x5F28) == terminal(0x9F1A) ? "domestic" : "international"
        return Reason(
            "The card does not allow \(service) here: Application Usage Control (9F07) is \(hex(card(0x9F07))), the "
                + "transaction is \(country) (5F28 \(hex(card(0x5F28))), terminal 9F1A \(hex(terminal(0x9F1A)))).",
            0x9F07, "",
            book(clause), change: "A card whose 9F07 allows \(service), or a transaction of another type.")
    }

    private func listed(_ clause: String) -> Reason {
        Reason(
            "The card is on the exception list of the terminal.", 0x5A, "", book(clause),
            change: "Take the account off the exception list, or use another card.")
    }

    private func unverified(_ clause: String) -> Reason {
        if has(card(0x9F6C), 2, 8), [3, 7].contains(kernel) {
            return Reason(
                "The card says that the device verified its user (CTQ 9F6C byte 2 bit 8, \(hex(card(0x9F6C)))), but "
                    + (card(0x9F69) == nil
                        ? "without an ARQC that is not accepted." : "the CTQ in 9F69 is another one."),
                0x9F6C,
                "byte 2 bit 8", book(clause),
                change: "A card that returns an ARQC, or the same CTQ in 9F6C and in 9F69.")
        }
        if kernel == 5, let answer = card(0x9F50)?.first, answer > 0x3F || answer < 0x30 && answer & 0x0F != 0 {
            return Reason(
                "The card's Cardholder Verification Status (9F50 = \(hex(card(0x9F50)))) is not one that the book "
                    + "knows.",
                0x9F50, "", book(clause), change: "A card whose 9F50 names a known method.")
        }
        let most = combination?.limits.cvmRequired
        let limit = most.map { $0 > ending.transaction.amount ? "" : " (limit \(amount($0)))" } ?? ""
        var offers: [String] = []
        if ttq(1, 3) { offers.append("online PIN") }
        if ttq(1, 2) { offers.append("signature") }
        let offer =
            [3, 6, 7].contains(kernel)
            ? "the reader offers \(offers.isEmpty ? "none" : offers.joined(separator: " and ")) (TTQ "
                + "\(hex(terminal(0x9F66))))"
            : "the reader performs none of the card's methods that apply here"
        var wishes: [String] = []
        if has(card(0x9F6C), 1, 8) { wishes.append("online PIN") }
        if has(card(0x9F6C), 1, 7) { wishes.append("signature") }
        let asked = wishes.isEmpty ? "none" : wishes.joined(separator: " and ")
        let wish =
            [3, 7].contains(kernel) ? ", the card asks for \(asked) (CTQ \(hex(card(0x9F6C))))" : ""
        return Reason(
            "The cardholder has to be verified for \(amountText)\(limit), but there is no common method: "
                + "\(offer)\(wish).", [3, 6, 7].contains(kernel) ? 0x9F66 : 0x8E, "byte 2 bit 7", book(clause),
            change:
                "A method that both have (TTQ byte 1 bit 3 online PIN, bit 2 signature), or an amount below the "
                + "CVM limit."
        )
    }

    /// The result of offline data authentication. `code`: as the kernel noted it, `nil` if it only noted the failure.
    func unauthenticated(_ code: UInt64?, _ clause: String, _ consequence: String = "") -> Reason {
        let findings = outcome.findings
        let rid = Hex.string(activation.name.prefix(5))
        let key =
            card(0x8F).map { "CA key \(Hex.string($0)) of \(rid)" }
            ?? "CA key of \(rid) with the index that the card named"
            + (kernel == 8 ? " in an enciphered record (8F)" : "")
        func reason(_ text: String, _ tag: Tag?, _ change: String) -> Reason {
            Reason(text + consequence, tag, "", book(clause), change: change)
        }
        if code == 1 || findings.contains(.caKeyMissing) {
            return reason(
                "The card's signature cannot be checked: the reader has no \(key).", 0x8F,
                "This CA key in the configuration.")
        }
        if findings.contains(.caKeyExpired) {
            return reason(
                "The card's signature cannot be checked: the \(key) is expired.", 0x8F,
                "A CA key that is still valid on \(ending.transaction.date).")
        }
        if code == 3 { return reason("The \(key) cannot be used.", 0x8F, "A sound CA key.") }
        let fault = chain.fault
        let part = fault.map { Explanation.part($0.object) } ?? ""
        if code == 7 || findings.contains(.certificateExpired) || (code ?? 16) == 16 && fault?.code == 7 {
            return reason(
                (fault?.code == 7 ? "The card's \(part)" : "A certificate of the card")
                    + " is expired on \(ending.transaction.date).", fault?.code == 7 ? fault?.object : 0x9F46,
                "A transaction date within the certificates, or a card with newer ones.")
        }
        if code == 8 || findings.contains(.certificateRevoked) {
            return reason(
                "The issuer's certificate is on the revocation list.", 0x90, "A card with another certificate.")
        }
        let needed: [Tag] = [0x8F, 0x90, 0x9F32, 0x9F46, 0x9F47, 0x9F4B]
        let missing =
            needed.filter { card($0) == nil } + ([3, 7].contains(kernel) && card(0x9F69) == nil ? [0x9F69] : [])
        if !has(card(0x82), 1, 6), [3, 7].contains(kernel), code != nil && code != 0 && !findings.contains(.odaTamper) {
            return reason(
                "The card does not support the signature that an offline approval needs: AIP (82) \(hex(card(0x82))) "
                    + "byte 1 bit 6 is 0.", 0x82, "A card with DDA, or a card that goes online.")
        }
        if !findings.contains(.odaTamper), code == 4 || code == 2 || code == nil, let first = missing.first {
            let names = missing.map { "\($0)" + Explanation.name($0) }.joined(separator: ", ")
            return reason(
                "The card's signature cannot be checked: the card did not return \(names).", first,
                "A card that returns \(first).")
        }
        if (code ?? 4) <= 16, fault?.code == 4 {
            let remainder: Tag = fault?.object == 0x90 ? 0x92 : 0x9F48
            return reason(
                "The card's \(part) cannot be used: the remainder of its key (\(remainder)) is missing.", remainder,
                "A card that returns \(remainder).")
        }
        if code == 9 {
            return reason(
                "The card signs by a version of fDDA that is not 01 (9F69 byte 1).", 0x9F69, "A card with version 01.")
        }
        // A number that the kernel noted identifies the check; the chain identifies the object.
        let isNoted = code.map { $0 > 16 } ?? false
        let change = "A genuine card read without change; the right \(key)."
        if let fault, !isNoted || fault.code == code,
            let text = Explanation.signatureFault(fault.code, fault.object, isFast: [3, 7].contains(kernel))
        {
            return reason("The card's \(part) does not verify: \(text).", fault.object, change)
        }
        let detail = code.flatMap { Explanation.signatureFault($0, nil, isFast: false) }.map { ": " + $0 } ?? ""
        return reason(
            "The card's signature (9F4B) or one of its certificates does not verify\(detail).", 0x9F4B, change)
    }

    private static func part(_ object: Tag) -> String {
        object == 0x90
            ? "issuer certificate (90)" : object == 0x9F46 ? "card certificate (9F46)" : "dynamic signature (9F4B)"
    }

    /// The check for a number in the kernels' results (Book 2, 5.3, 6.3, 6.4, 6.5.2, 6.6.2).
    static func signatureFault(_ code: UInt64, _ object: Tag?, isFast: Bool) -> String? {
        switch code {
        case 16: return object == nil ? nil : "the key that opens it is too short"
        case 17: return "its length is not that of the key"
        case 18: return "it is not below the modulus of the key"
        case 19, 20: return "what was recovered has not the right form (6A … BC), so another key made it"
        case 21: return "its format byte is wrong"
        case 22: return "its hash algorithm is not known"
        case 23:
            switch object {
            case 0x9F46?: return "its hash differs from the data (the key, the signed records and the AIP)"
            case 0x9F4B? where isFast: return "its hash differs from the data (9F37, 9F02, 5F2A and 9F69)"
            case 0x9F4B?: return "its hash differs from the data (its own fields and 9F37)"
            default: return "its hash differs from the data"
            }
        case 24: return "the length of the key in it is not allowed"
        case 25: return "the card returned a remainder of its key, and the certificate holds the whole key"
        case 26: return "the remainder of its key has the wrong length"
        case 27: return "its padding is wrong"
        case 28, 29: return "the issuer identifier in it is not that of the account number"
        case 30, 31: return "the account number in it is not that of the card (5A)"
        case 32: return "the date in it is malformed"
        case 33: return "its public key algorithm is not known"
        case 34: return "the length of the exponent in it is not that of the exponent"
        case 35: return "the exponent of its key is neither 3 nor 65537"
        case 36: return "the key in it is not usable"
        case 37: return "the Static Data Authentication Tag List (9F4A) is not 82 alone"
        case 38: return "the length of the dynamic data in it is not allowed"
        case 39: return "the ICC Dynamic Number in it has a length that is not allowed"
        case 40: return "9F69 has a length or a version that is not allowed"
        case 41: return "the cryptogram information in it is not the 9F27 of the answer"
        case 42:
            return "the hash over the transaction's data in it differs from what was sent (PDOL, CDOL1) and answered"
        default: return nil
        }
    }

    /// A bit of the TVR: its meaning, and the object behind it.
    private struct Verification {
        let byte: Int, bit: Int
        let sentence: String
        let object: Tag?
        let change: String
    }

    private var verifications: [Verification] {
        let today = ending.transaction.date
        let last = Explanation.date(card(0x5F24)).map { "\($0)" } ?? "not readable"
        let first = Explanation.date(card(0x5F25)).map { "\($0)" } ?? "not readable"
        return [
            Verification(
                byte: 1, bit: 5, sentence: "the card is on the exception list", object: 0x5A,
                change: "Take the account off the exception list."),
            Verification(
                byte: 2, bit: 7, sentence: "the card is expired: 5F24 is \(last), the transaction is on \(today)",
                object: 0x5F24, change: "A transaction date up to \(last), or another card."),
            Verification(
                byte: 2, bit: 6,
                sentence: "the card is not yet effective: 5F25 is \(first), the transaction is on \(today)",
                object: 0x5F25,
                change: "A transaction date from \(first) on."),
            Verification(
                byte: 2, bit: 5,
                sentence:
                    "the card does not allow this service: 9F07 is \(hex(card(0x9F07))), 5F28 \(hex(card(0x5F28))), "
                    + "terminal country \(hex(terminal(0x9F1A)))",
                object: 0x9F07, change: "A card whose 9F07 allows this type of transaction in this country."),
            Verification(
                byte: 1, bit: 3,
                sentence: kernel == 8
                    ? "local authentication failed" : "combined data authentication (CDA) failed", object: 0x9F4B,
                change: "A card whose signature verifies, and its CA key in the configuration."),
            Verification(
                byte: 1, bit: 4, sentence: "dynamic data authentication (DDA) failed", object: 0x9F4B,
                change: "A card whose signature verifies."),
            Verification(
                byte: 1, bit: 7, sentence: "static data authentication (SDA) failed", object: 0x93,
                change: "A card whose signature verifies."),
            Verification(
                byte: 1, bit: 6, sentence: "data for the card's authentication are missing", object: 0x9F46,
                change: "A card that returns its certificates."),
            Verification(
                byte: 3, bit: 8, sentence: "cardholder verification was not successful", object: 0x8E,
                change: "A method that card and reader both have, or an amount below the CVM limit."),
            Verification(
                byte: 3, bit: 6, sentence: "the PIN try limit is exceeded", object: nil, change: "Another card."),
            Verification(
                byte: 3, bit: 5, sentence: "a PIN is required, and there is no working PIN pad", object: 0x9F33,
                change: "A reader with a PIN pad."),
            Verification(
                byte: 3, bit: 4, sentence: "a PIN is required, and none was entered", object: nil,
                change: "The cardholder enters the PIN."),
            Verification(
                byte: 5, bit: 4, sentence: "the relay resistance threshold is exceeded: the card answered late",
                object: 0x95, change: "A card that answers in the time it states, closer to the reader."),
            Verification(
                byte: 5, bit: 3,
                sentence: "the relay resistance time limits are exceeded: the card answered outside "
                    + "the time it states", object: 0x95, change: "A card that answers in the time it states."),
            Verification(
                byte: 4, bit: 8, sentence: "the amount \(amountText) exceeds the floor limit", object: 0x9F02,
                change: "A lower amount, a higher floor limit, or a reader that can go online."),
            Verification(
                byte: 1, bit: 8,
                sentence: (kernel == 8 ? "local" : "offline data")
                    + " authentication was not performed (AIP 82 is \(hex(card(0x82))))", object: 0x82,
                change: "A card that supports it, and a reader that asks for it."),
            Verification(
                byte: 2, bit: 8, sentence: "card and terminal have different application versions (9F08, 9F09)",
                object: 0x9F08, change: "The card's version in 9F09."),
            Verification(
                byte: 5, bit: 1, sentence: "the relay resistance protocol was not performed", object: 0x82,
                change: "A card and a reader that support it."),
        ]
    }

    private static func bytes(_ tvr: UInt64) -> Bytes {
        (0..<5).map { UInt8(truncatingIfNeeded: tvr >> UInt64(32 - 8 * $0)) }
    }

    /// The reader requested a decline: the bits of the TVR that led to it. `code`: the denial codes of reader and
    /// issuer combined, if they are known.
    func deniedByReader(_ tvr: Bytes, _ code: Bytes?, _ codes: String, _ clause: String) -> Reason {
        func found(_ mask: Bytes?) -> [Verification] {
            // Byte 5 bit 1 belongs to the kernels with relay resistance, and has no effect unless a code has it.
            verifications.filter { one in
                has(tvr, one.byte, one.bit) && (mask == nil || has(mask, one.byte, one.bit))
                    && (one.byte != 5 || one.bit != 1 || mask != nil && [2, 8].contains(kernel))
            }
        }
        let denied = code.map { found($0) } ?? []
        let all = denied.isEmpty ? found(nil) : denied
        if denied.isEmpty, let why = unsignedList {
            return Reason(
                "The reader asked the card for a decline (AAC), because it cannot go online, and nothing may be "
                    + "approved offline: \(why).", 0x8C, "", "Conformance/attacks.md, A35",
                change: "A card with a signed CDOL1 that asks for amount, type and unpredictable number.")
        }
        guard let first = all.first else {
            return Reason(
                "The reader asked the card for a decline (AAC): it cannot go online, and the terminal action codes "
                    + "do not allow an offline approval (TVR \(Hex.string(tvr))).", 0x95, "", book(clause),
                change: "A reader that can go online (9F35), or other action codes.")
        }
        let sentences = all.prefix(denied.isEmpty ? 3 : 5).map { $0.sentence }.joined(separator: "; ")
        let through =
            denied.isEmpty
            ? "the reader cannot go online, and the default action codes refuse an offline approval"
            : "the denial action codes (\(codes)) have this bit"
        var reason = Reason(
            "The reader asked the card for a decline (AAC), because \(sentences) (TVR \(Hex.string(tvr)) byte "
                + "\(first.byte) bit \(first.bit)): \(through).", first.object ?? 0x95,
            "TVR byte \(first.byte) bit \(first.bit)",
            book(clause), change: first.change)
        if all.prefix(denied.isEmpty ? 3 : 5).contains(where: { $0.byte == 1 && [3, 4, 6, 7].contains($0.bit) }) {
            let why = kernel == 8 ? locallyFailed : unauthenticated(signatureResult, clause)
            reason.sentence += " " + why.sentence
            if first.byte == 1, first.bit != 5 { reason.change = why.change }
        }
        return reason
    }

    /// Why the card's signed data are not tied to this transaction by its list (CDOL1).
    var unsignedList: String? {
        guard outcome.findings.contains(.listUnsigned), kernel != 6, let list = card(0x8C) else { return nil }
        let entries = DataObjectList(list).entries
        for (tag, length, name): (Tag, Int, String) in [
            (0x9F37, 4, "unpredictable number"), (0x9F02, 6, "amount"), (0x9C, 1, "type"),
        ] where !entries.contains(where: { $0.tag == tag && $0.length == length }) {
            return "the card's list CDOL1 (8C) does not ask for the \(name) (\(tag)), so its cryptogram is not tied to "
                + "this transaction"
        }
        return "the card's list CDOL1 (8C) is in no signed record"
    }

    /// An AAC of a transaction that is neither purchase nor cash ends the application.
    func notDeclined(_ reason: Reason) -> Reason {
        var reason = reason
        reason.sentence +=
            " For a transaction of type \(ending.transaction.type), which is neither purchase nor cash, an AAC ends "
            + "the application."
        return reason
    }

    private func or(_ left: Bytes?, _ right: Bytes?) -> Bytes? {
        guard let left, left.count == 5 else { return right.flatMap { $0.count == 5 ? $0 : nil } }
        guard let right, right.count == 5 else { return left }
        return (0..<5).map { left[$0] | right[$0] }
    }

    /// The value in the outcome, or else the value sent.
    var tvr: Bytes { outcome.dataRecord?[0x95].map { Bytes($0) } ?? objects.sent[0x95] ?? [] }
    var type: UInt64? { card(0x9F27)?.first.map { UInt64($0 & 0xC0) } }

    // MARK: Kernel 3

    private var ofKernel3: Reason {
        let card = activation.decided("5.4.3.1"), marks = activation.decided("5.5.1") ?? 0
        let oda = activation.decided("5.6"), cvm = activation.decided("5.7.1")
        if status == .tryAnotherInterface {
            return outcome.errorIndication.l2 == 2
                ? unauthenticated(
                    oda == 3 ? 16 : oda, "5.6.1.2", " The card then asks for the contact chip (CTQ byte 1 bit 5).")
                : restricted(ending.transaction.type == .cash ? "5.5.1.3" : "5.5.1.4")
        }
        if status == .endApplication {
            return Reason(
                "The card's second presentment is done: the issuer's update was passed on, and nothing is decided.",
                nil, "", book("6.2.1.3"))
        }
        if card == 0, !isRefund { return declinedByCard("5.4.3.2") }
        if card == 3 {
            return Reason(
                "The type of the card's cryptogram is not known: \(cryptogram).", 0x9F27,
                "bits 8-7", book("5.4.3.1"), change: "A card that returns 9F27 of a known type.")
        }
        if marks & 2 != 0 {
            if card == 1, isExpired || self.card(0x5F24) == nil {
                return expired("5.5.1.1", ", or a card whose CTQ (9F6C) has byte 1 bit 4 (go online if expired)")
            }
            if ending.transaction.type == .cash { return restricted("5.5.1.3") }
            if ending.transaction.amountOther != 0 || ending.transaction.type == .cashBack {
                return restricted("5.5.1.4")
            }
            return listed("5.5.1.2")
        }
        if cvm == nil {
            return unauthenticated(
                oda == 3 ? 16 : oda, "5.6.1.2",
                " The card's CTQ (\(hex(self.card(0x9F6C)))) does not ask to go "
                    + "online then.")
        }
        let wanted = ttq(2, 7) || has(self.card(0x9F6C), 2, 8)
        if cvm == 0, wanted, !isRefund { return unverified("5.7.1") }
        let failed = outcome.errorIndication.l2 == 2
        let why =
            failed
            ? "The card's signature is not good, and its CTQ (9F6C byte 1 bit 6) then asks to go online"
            : cvm == 0x20 ? "The cardholder has to be verified by an online PIN" + arqc : whyOnline
        return offlineOnly(why, "5.8.1.1 and 5.9.1.2")
    }

    // MARK: Kernel 7

    private var ofKernel7: Reason {
        let type = activation.decided("4.1.4.4"), oda = activation.decided("4.3.2"), way = activation.decided("4.3.2.5")
        let cvm = activation.decided("4.4")
        if status == .tryAnotherInterface {
            return unauthenticated(oda, "4.3.2.5", " The card then asks for the contact chip (CTQ byte 1 bit 5).")
        }
        if activation.decided("4.1.4.7") == 1 {
            return type == 0
                ? declinedByCard("4.1.4.7")
                : Reason(
                    "The type of the card's cryptogram is not known: \(cryptogram).", 0x9F27, "bits 8-7",
                    book("4.1.4.4"),
                    change: "A card that returns 9F27 of a known type.")
        }
        if oda == nil, cvm == nil, isExpired || card(0x5F24) != nil && Explanation.date(card(0x5F24)) == nil {
            return has(card(0x9F6C), 1, 4) && ttq(1, 4)
                ? offlineOnly(whyOnline, "3.2.5")
                : expired(
                    "4.2.4.5",
                    ", or a card whose CTQ (9F6C, now \(hex(card(0x9F6C)))) has byte 1 bit 4 (go online if expired)")
        }
        if way == 2 {
            return oda == 0
                ? Reason(
                    "An offline approval was not asked for or is not covered by the signature, so the card's TC is "
                        + "declined.", 0x9F27, "", book("4.3.2.5"), change: "A card that returns an ARQC.")
                : unauthenticated(
                    oda, "4.3.2.5", " The card's CTQ (\(hex(card(0x9F6C)))) does not ask to go online then.")
        }
        if cvm == 4 { return unverified("4.4.2") }
        if ttq(1, 4), type == 2 || way == 0 || cvm == 2 {
            return offlineOnly(cvm == 2 ? "The cardholder has to be verified by an online PIN" : whyOnline, "3.2.5")
        }
        return listed("4.2.4.7")
    }

    // MARK: Kernel 6

    private var ofKernel6: Reason {
        let type = activation.decided("3.2"), oda = activation.decided("3.4"), cvm = activation.decided("3.5")
        guard let noted = activation.decided("3.6") else {
            if cvm != nil { return unverified("3.5") }
            return cardData
        }
        let results = Explanation.bytes(noted)
        if status == .tryAnotherInterface {
            return has(results, 1, 3)
                ? unauthenticated(oda, "3.7", " The card then asks for another interface (9F71 byte 2).")
                : Reason(
                    "The card asks for another interface where the reader cannot go online (9F71 "
                        + "\(hex(card(0x9F71)))).",
                    0x9F71, "byte 2", book("3.7"), change: "A reader that can go online (TTQ byte 1 bit 4 clear).")
        }
        if type == 0 { return declinedByCard("3.7") }
        if type == 3 {
            return Reason(
                "The type of the card's cryptogram is not known: \(cryptogram).", 0x9F27, "bits 8-7", book("3.7"),
                change: "A card that returns 9F27 of a known type.")
        }
        for (byte, bit) in [(2, 5), (1, 5)] where has(results, byte, bit) {
            return declinedFor(results, byte, bit, "3.7")
        }
        if has(results, 1, 3), oda != nil { return unauthenticated(oda, "3.7") }
        if has(results, 2, 7), has(card(0x9F71), 2, 3) {
            var reason = declinedFor(results, 2, 7, "3.7")
            reason.sentence += " The card asks for a decline then (9F71 \(hex(card(0x9F71))) byte 2 bit 3)."
            return reason
        }
        if has(results, 2, 7), !ttq(1, 4) || type == 1 { return declinedFor(results, 2, 7, "3.7") }
        if ttq(1, 4) { return offlineOnly(whyOnline, "3.7") }
        if has(results, 2, 6) { return declinedFor(results, 2, 6, "3.7") }
        if type == 1, ttq(2, 8) {
            return Reason(
                "The reader required an online cryptogram (TTQ byte 2 bit 8), and the card returned a TC "
                    + "(\(cryptogram)).", 0x9F66, "byte 2 bit 8", book("3.7"),
                change: "A card that returns an ARQC when asked.")
        }
        return unverified("3.5")
    }

    /// One bit of the TVR declines by itself.
    private func declinedFor(_ tvr: Bytes, _ byte: Int, _ bit: Int, _ clause: String) -> Reason {
        guard let one = verifications.first(where: { $0.byte == byte && $0.bit == bit }) else { return general }
        return Reason(
            "Declined, because " + one.sentence + " (TVR \(Hex.string(tvr)) byte \(byte) bit \(bit)).", one.object,
            "TVR byte \(byte) bit \(bit)", book(clause), change: one.change)
    }

    // MARK: Kernels 4, 5, 2

    private var ofKernel4: Reason {
        let asked = activation.decided("10.2"), oda = activation.decided("6.2"),
            options = combination?.kernel.americanExpress
        if asked == nil {
            if activation.decided("8.2") == nil, status == .tryAgain {
                return Reason(
                    "The cardholder has to verify on the phone first (9F71 \(hex(card(0x9F71)))).", 0x9F71, "",
                    book("8.2"),
                    change: "The cardholder unlocks the phone or confirms on it, then taps again.")
            }
            if activation.last?.instruction == 0xA8 || activation.exchanges.count < 3 {
                return Reason(
                    "Reader and card have no common mode: AIP (82) \(hex(card(0x82))), reader 9F6E "
                        + "\(hex(terminal(0x9F6E))).",
                    0x82, "", book("4.3.7"), change: "A reader that takes the card's mode, EMV or mag-stripe.")
            }
            return unverified("8.2")
        }
        if asked == 0 {
            return deniedByReader(tvr, or(options?.tacDenial, card(0x9F0E)), "TAC-Denial, 9F0E", "10.2")
        }
        if outcome.errorIndication.l2 == 2 { return unauthenticated(oda == 0 ? 16 : oda, "11.2.4 and 11.2.6") }
        if type == 0 { return declinedByCard("11.2.5", asked: asked) }
        if type == 0xC0 || asked == 0x80 && type == 0x40 {
            return Reason(
                "The card returned a cryptogram that was not allowed: the reader asked for "
                    + "\(Explanation.type(asked ?? 0)), the card returned \(cryptogram).", 0x9F27, "bits 8-7",
                book("11.2.2"),
                change: "A card that returns what it was asked for, or less.")
        }
        if type == 0x40 || card(0x9F27) == nil {
            return Reason(
                "The card's TC (\(cryptogram)) is not accepted: an offline approval needs a signature that holds.",
                0x9F27, "", book("11.2.4"), change: "A card with CDA or SDA, and its CA key in the configuration.")
        }
        if !ending.transaction.onlineAvailable || terminalIsOfflineOnly {
            return Reason(
                "The card asks to go online (ARQC, \(cryptogram)), but the reader cannot: "
                    + (terminalIsOfflineOnly
                        ? "its type 9F35 is \(hex(terminal(0x9F35))), offline only."
                        : "the host cannot be "
                            + "reached."),
                terminalIsOfflineOnly ? 0x9F35 : nil, "", book("11.2.6.2"),
                change: "A reader that can go online (9F35), with a connection to its host.")
        }
        return Reason(
            "The card's ARQC (\(cryptogram)) cannot be sent online.", 0x9F27, "", book("11.2.6"),
            change: "A reader that can go online.")
    }

    var terminalIsOfflineOnly: Bool {
        guard let type = terminal(0x9F35)?.first else { return false }
        return [3, 6].contains(type & 0x0F)
    }

    private var ofKernel5: Reason {
        let asked = activation.decided("3.7.1"), answered = activation.decided("3.8.1")
        let options = combination?.kernel.jcb
        if activation.exchanges.count == 1, !pdolAsks(0x9F52) {
            return Reason(
                "The card has Legacy Mode only (its PDOL 9F38 does not ask for 9F52), and the reader does not take "
                    + "Legacy Mode.", 0x9F38, "", book("3.2.1.10"),
                change: "A card in EMV Mode, or Legacy Mode in the reader's options and its protection profile.")
        }
        if outcome.errorIndication.l2 == 2 { return unauthenticated(nil, "3.8.2") }
        if asked == 0 {
            let code = or(options?.tacDenial ?? [0x04, 0x10, 0, 0, 0], card(0x9F0E))
            return deniedByReader(tvr, code, "TAC-Denial, 9F0E", "3.7.1")
        }
        if answered == 0 || type == 0 { return declinedByCard("3.8.1.9", asked: asked) }
        if let answered, let asked, asked == 0x80 && answered == 0x40 {
            return Reason(
                "The card returned a TC (\(cryptogram)) although it was asked to go online.", 0x9F27, "bits 8-7",
                book("3.8.1.11"), change: "A card that returns what it was asked for, or less.")
        }
        if answered != nil, card(0x9F4B) == nil,
            activation.exchanges.last(where: { $0.instruction == 0xAE })?.command
                .dropFirst(2).first.map({ $0 & 0x10 != 0 }) ?? false
        {
            return Reason(
                "The reader asked for a signature with the cryptogram (CDA), and the card returned no 9F4B.", 0x9F4B,
                "",
                book("3.8.1.12"), change: "A card that signs, or a reader without CDA.")
        }
        if answered == nil, type == 0x40 {
            return Reason(
                "A card in Legacy Mode has to go online, and this one returned a TC (\(cryptogram)).", 0x9F27,
                "bits 8-7", book("3.9.1"), change: "A card that returns an ARQC.")
        }
        return unverified(answered == nil ? "3.9.2" : "3.8.3")
    }

    private var ofKernel2: Reason {
        let asked = activation.decided("S456.39"), oda = activation.decided("S910.1")
        switch outcome.errorIndication.l2 {
        case 2 where status != .selectNext: return unauthenticated(oda, "S910.1")
        case 7:
            return Reason(
                "The card supports mag-stripe mode only (AIP 82 \(hex(card(0x82))) byte 2 bit 8 is 0), and the reader "
                    + "does not take it here.", 0x82, "byte 2 bit 8", book("S3.70"),
                change: "A reader with mag-stripe mode (DF811B byte 1 bit 8 clear), or a chip card.")
        case 11:
            return Reason(
                "Data storage: what the card says it holds differs from what was read.", 0x9F7D, "", book("S910.10"))
        case 12: return Reason("Data storage: the card did not write.", 0xDF8102, "", book("S910.16"))
        case 13, 14:
            return Reason("Data storage: the terminal's data do not allow this cryptogram.", 0xDF8108, "", book("GAC"))
        default: break
        }
        let isOtherType = activation.end?.status == .endApplication && outcome.start != .b && card(0xDF4B) == nil
        if outcome.start == .b
            || activation.end?.status == .endApplication && outcome.errorIndication.l2 == 0 && !isOtherType
        {
            return Reason(
                "The phone asks its user to act (9F27 and DF4B), then to tap again.", 0xDF4B, "", book("S910.72"),
                change: "The cardholder acts on the phone and taps again.")
        }
        if asked == 0 {
            let noted = activation.decided("S456.38").map { Explanation.bytes($0) } ?? tvr
            // Book C-2, A.1: the default if the terminal does not configure it.
            let code = terminal(0xDF8121) ?? [0x84, 0, 0, 0, 0x0C]
            let reason = deniedByReader(
                tvr.isEmpty ? noted : tvr, or(code, card(0x9F0E)), "DF8121 \(hex(code)), 9F0E \(hex(card(0x9F0E)))",
                "S456.39")
            return isOtherType ? notDeclined(reason) : reason
        }
        if isOtherType, type == 0 { return notDeclined(declinedByCard("S910.74", asked: asked)) }
        if type == 0 { return declinedByCard("S910.74", asked: asked) }
        return asked == nil
            ? Reason(
                "The card's mag-stripe answer declines: it returned no checksum (9F61), only a request for the "
                    + "phone (DF4B).",
                0xDF4B, "", book("S13"), change: "The cardholder acts on the phone and taps again.")
            : declinedByCard("S910.74", asked: asked)
    }

    // MARK: Rules beyond the specification

    var protection: Reason {
        let findings = outcome.findings
        func reason(_ text: String, _ tag: Tag?, _ change: String, _ bits: String = "") -> Reason {
            Reason(text, tag, bits, "a rule of the protection profile, SECURITY.md", change: change)
        }
        if findings.contains(.kernelFallback) {
            return reason(
                "The card offers this application to Kernel 8 too, and an older kernel is not used in its place.",
                0x9F2A,
                "Use Kernel 8, or set the rule for a fallback off.")
        }
        if findings.contains(.brandMismatch) {
            return reason(
                "The account number is of another network than the application that was selected.", 0x84,
                "A card whose account number belongs to its application.")
        }
        if findings.contains(.panMismatch) {
            return reason("The card returned two different account numbers.", 0x5A, "A card with one account number.")
        }
        if findings.contains(.expiryMismatch) {
            return reason(
                "The card returned two different expiration dates.", 0x5F24, "A card with one expiration date.")
        }
        if findings.contains(.luhn) {
            return reason(
                "The check digit of the account number is wrong.", 0x5A, "A card with a sound account number.")
        }
        if let asked = activation.exchanges.last(where: { $0.instruction == 0xAE })?.command.dropFirst(2).first,
            asked >> 6 == 0, let type, type != 0
        {
            return reason(
                "The reader asked for an AAC, and the card returned a cryptogram of type \(Explanation.type(type)) all "
                    + "the same (\(cryptogram))"
                    + (unsignedList.map { "; an AAC was asked for because \($0)" } ?? "") + ".", 0x9F27,
                "A card that returns what it was asked for, or less.", "bits 8-7")
        }
        if findings.contains(.cidIADMismatch) {
            return reason(
                "9F27 and 9F10 name different types of cryptogram (\(cryptogram)).", 0x9F27,
                "A card whose 9F27 and 9F10 agree.", "bits 8-7")
        }
        if findings.contains(.recordRepeated) {
            return reason("The file locator (94) names a record twice.", 0x94, "A card that names each record once.")
        }
        if findings.contains(.modeDowngrade) {
            return reason(
                "The card can do more than the weaker mode in which it came.", 0x82, "A card that comes in EMV mode.")
        }
        if findings.contains(.limitNeedsAuthenticatedCDCVM) { return limit }
        if status == .tryAnotherInterface, outcome.errorIndication.l2 == 0 {
            return reason(
                "The cardholder verification that the card or device states is not believed, because nothing "
                    + "proves it, and "
                    + "the reader has no online PIN: the contact chip is to be used.", 0x9F6C,
                "A reader with online PIN (TTQ byte 1 bit 3), or a card whose signature covers its verification.")
        }
        let isUnsigned = signatureResult.map { $0 != 0 } ?? false || findings.contains(.caKeyMissing)
        if findings.contains(.odaTamper) || outcome.errorIndication.l2 == 2 && isUnsigned {
            return unauthenticated(signatureResult, "")
        }
        if findings.contains(.unsolicitedSDAD) {
            return reason(
                "The card signed another CTQ than the one it returned in the clear.", 0x9F6C,
                "A card whose signature covers the same CTQ.")
        }
        if findings.contains(.cdcvmUnauthenticated) {
            return reason(
                "The device says that it verified its user, and nothing proves it.", 0x9F6C,
                "A device whose signature covers the verification.")
        }
        if findings.contains(.cvmFromPlainData) {
            return reason(
                "The card asks for a weaker verification in data that nothing proves.", 0x8E,
                "A card whose signature covers its method, or online PIN.")
        }
        if findings.contains(.listUnsigned), kernel == 6, type == 0x40 {
            let device = activation.decided("3.5") == 0x30 ? " together with verification by the device" : ""
            return reason(
                "The reader demanded an online cryptogram"
                    + (ttq(2, 7) ? " for an amount above the CVM limit (\(amountText))" : "")
                    + ", because nobody signs the PDOL by which the card was told the amount, and the card returned a "
                    + "TC (\(cryptogram))\(device).", 0x9F38,
                "A card that returns an ARQC when asked, or a lower amount.")
        }
        if findings.contains(.listUnsigned) {
            return reason(
                "What the card signed has a meaning only by a list that nobody signed.", 0x8C,
                "A card with a signed list.")
        }
        if findings.contains(.acBindingNotSent) {
            return reason(
                "The card did not ask for what ties its signature to this transaction.", 0x8C,
                "A card whose list asks for number and amount.")
        }
        if kernel == 7, activation.decided("4.3.2.5") == 2, let result = signatureResult, result != 0 {
            return unauthenticated(result, "4.3.2.5")
        }
        if outcome.errorIndication.l2 == 2 { return unauthenticated(nil, "") }
        if type == 0x40, let why = notOffline { return why }
        let limits = combination?.limits
        if type == 0x40, limits?.floor == nil, limits?.terminalFloor == nil {
            return reason(
                "The card approved offline, but without a floor limit nothing allows offline approvals.", 0x9F27,
                "A floor limit in the configuration.")
        }
        if type == 0x40 {
            return reason(
                "The card approved offline (\(cryptogram)), which this transaction may not be.", 0x9F27,
                "A reader that can go online, or a profile that allows this.")
        }
        if kernel == 5, card(0x5A) == nil, activation.last?.instruction == 0xB2 {
            return reason(
                "The card's records have no account number (5A).", 0x5A, "A card that returns 5A.")
        }
        if status == .tryAnotherInterface || status == .endApplication {
            return reason(
                "The account, the file locator or the cardholder verification that the card states is not believed.",
                nil, "A card whose data are consistent and signed.")
        }
        let book = decision
        return Reason(
            book.sentence, book.object, book.bits, "a rule of the protection profile, SECURITY.md", change: book.change)
    }

    /// Why a TC of Kernel 7 may not approve even if its signature is valid (attacks.md, A10, A19).
    private var notOffline: Reason? {
        guard kernel == 7 else { return nil }
        let clause = "a rule of the protection profile, SECURITY.md"
        if ttq(2, 8) {
            return Reason(
                "The reader demanded an online cryptogram (TTQ 9F66 \(hex(terminal(0x9F66))) byte 2 bit 8), and the "
                    + "card returned a TC (\(cryptogram)).", 0x9F66, "byte 2 bit 8", clause,
                change: "A card that returns an ARQC when asked.")
        }
        let transaction = ending.transaction
        if [.cash, .cashBack, .refund].contains(transaction.type) || transaction.amountOther != 0 {
            let other = transaction.amountOther == 0 ? "" : " with cash back"
            return Reason(
                "A transaction of type \(transaction.type)\(other) is not approved offline, because the card's "
                    + "signature does not cover the type, and the card returned a TC (\(cryptogram)).", 0x9C, "",
                clause,
                change: "A purchase, or a card that goes online.")
        }
        if card(0x5F24) == nil || !isInSignedRecord(0x5F24) {
            return Reason(
                "The card returned a TC (\(cryptogram)), but its expiration date (5F24) is "
                    + (card(0x5F24) == nil ? "missing" : "only in a record that is not signed")
                    + ", so nothing proves it and nothing is approved offline.", 0x5F24, "", clause,
                change: "A card whose 5F24 is in a signed record.")
        }
        return nil
    }

    private var signatureResult: UInt64? {
        switch kernel {
        case 2: activation.decided("S910.1")
        case 3: activation.decided("5.6").map { $0 == 3 ? 16 : $0 == 1 ? 0 : $0 }
        case 4: activation.decided("6.2")
        case 6: activation.decided("3.4")
        case 7: activation.decided("4.3.2")
        default: nil
        }
    }
}
