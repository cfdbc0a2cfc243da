// SPDX-License-Identifier: Apache-2.0
import EMVKernel

// Kernel 8 (Book C-8). Its card's records are enciphered, and only the kernel has the keys, so their objects are not
// visible here. A reason states the kernel's notes, which objects the records' lengths allow, and the possible faults.
extension Explanation {
    var ofKernel8: Reason {
        let first = activation.decided("S25.21"), second = activation.decided("S29.43"),
            local = activation.decided("S28.8"), end = activation.decided("S2930.2")
        if end == 5 {
            return Reason(
                "The card asks for another presentment (9F8108, restart indicator).", 0x9F8108, "", book("S2930"),
                change: "Tap again.")
        }
        if status == .tryAnotherInterface {
            return Reason(
                "The card asks for another interface (9F8108 \(hex(card(0x9F8108)))).", 0x9F8108, "", book("S2930"),
                change: "Insert or swipe the card.")
        }
        if first == 0 {
            // The list was filled with the results by which the reader decided.
            let reason = deniedByReader(objects.sent[0x95] ?? tvr, terminal(0x9F820B), "9F820B", "S25.21")
            return end == 4 ? notDeclined(reason) : reason
        }
        if local == 1 { return locallyFailed }
        if type == 0 {
            let reason = declinedByCard("S2930.2", asked: first == 2 ? 0x80 : 0x40)
            return end == 4 ? notDeclined(reason) : reason
        }
        if second == 0 { return deniedByReader(tvr, terminal(0x9F820B), "9F820B", "S29.43") }
        if terminalIsOfflineOnly {
            return Reason(
                "The card asks to go online (ARQC, \(cryptogram)), but the reader cannot: its type 9F35 is "
                    + "\(hex(terminal(0x9F35))), offline only.", 0x9F35, "", book("S2930"),
                change: "A reader that can go online (9F35).")
        }
        if cause == .protection, type == 0x80 || second == 2 { return withoutMethod }
        return Reason(
            "The card's answer (\(cryptogram)) is not accepted: nothing vouches for the account that it approves.",
            0x9F27,
            "", book("S2930"), change: "A card whose local authentication holds, or that goes online.")
    }

    /// Above the CVM limit, outside profile `book`.
    private var withoutMethod: Reason {
        let decision = card(0x9F8102)?.first
        let what =
            switch decision {
            case 0x00?: "no method"
            case 0x01?: "a signature"
            case 0x02?: "an online PIN"
            case 0x03?: "verification by the device"
            case 0x0F?: "that none is applicable"
            default: "that cardholder verification failed"
            }
        let isOffered = [0x00, 0x01, 0x02, 0x03].contains(decision ?? 0xFF)
        return Reason(
            "The card states \(what) (9F8102 = \(hex(card(0x9F8102))))"
                + (isOffered ? ", which the reader does not offer" : "")
                + ", but above the CVM limit the cardholder has to be verified (\(amountText)), and the reader has no "
                + "online PIN (9F1D \(hex(terminal(0x9F1D)))).", 0x9F8102, "", "Conformance/attacks.md, A36",
            change: "A card or device that verifies its user, a reader with online PIN, or an amount below the limit.")
    }

    // MARK: Local authentication

    private static let whereAsked = "S28.8"
    private var keys: [CAKey] {
        let index = card(0x8F)?.first
        return ending.configuration.caKeys.filter {
            $0.rid.elementsEqual(activation.name.prefix(5)) && (index == nil || $0.index == index)
        }
    }
    private var usesCurve: Bool { !keys.isEmpty && keys.allSatisfy { $0.curve != nil } }
    private var usesRSA: Bool { !keys.isEmpty && keys.allSatisfy { $0.curve == nil } }

    var locallyFailed: Reason {
        let known: Findings = [.caKeyMissing, .caKeyExpired, .certificateExpired, .certificateRevoked]
        if !outcome.findings.isDisjoint(with: known) {
            return unauthenticated(16, Explanation.whereAsked)
        }
        let rid = Hex.string(activation.name.prefix(5))
        let suites = keys.compactMap { $0.curve?.suite }
        if !suites.isEmpty, suites.count == keys.count, !suites.contains(0x10) {
            return Reason(
                "Local authentication of the card failed: the CA key of \(rid) in the configuration is of suite "
                    + "\(Hex.string(suites.prefix(1))), and Kernel 8 knows suite 10 (P-256) alone, so the key counts "
                    + "as missing.", 0x8F, "", book(Explanation.whereAsked),
                change: "The CA key of \(rid) on P-256 in the configuration.")
        }
        if usesRSA, !has(terminal(0x9F8209), 1, 6) {
            return Reason(
                "Local authentication of the card failed: its CA key is of RSA, and the reader does not support RSA "
                    + "certificates (9F8209 byte 1 bit 6 is 0).", 0x9F8209, "byte 1 bit 6",
                book(Explanation.whereAsked), change: "9F8209 byte 1 bit 6 set, or a card with keys on P-256.")
        }
        let issuer = usesCurve ? "format byte, dates or signature" : "format byte, dates, hash or remainder 92"
        let own =
            usesCurve
            ? "format byte, dates, hash over the signed records or signature"
            : "format byte, dates, hash, or a remainder 9F48 that is missing"
        return Reason(
            "Local authentication of the card failed. One of these does not hold: the issuer certificate (90: "
                + "\(issuer)), the card certificate (9F46: \(own)), or the card's key\(usesCurve ? "" : " (9F810B)"), "
                + "which is no point of the curve, or does not fit the blinded key (9F8103)."
                + (suites.contains { $0 != 0x10 }
                    ? " A CA key of another suite than 10 (P-256) counts as missing, and the configuration has one."
                    : "")
                + unsignedRecords, nil, "", book(Explanation.whereAsked),
            change: "A genuine card read without change, and its CA key of \(rid) in the configuration.")
    }

    /// A key from a record that is not signed is ignored (Book C-8, C.38).
    private var unsignedRecords: String {
        guard let locator = card(0x94), locator.count % 4 == 0 else { return "" }
        let entries = stride(from: 0, to: locator.count, by: 4)
        let count = entries.reduce(0) { $0 + Int(locator[$1 + 2]) - Int(locator[$1 + 1]) + 1 - Int(locator[$1 + 3]) }
        let signed = entries.reduce(0) { $0 + Int(locator[$1 + 3]) }
        return count > 0 && signed > 0
            ? " By the file locator (94) \(count) of its records \(count == 1 ? "is" : "are") not signed; a key in one "
                + "of these does not count."
            : ""
    }

    // MARK: Data that Kernel 8 refuses

    /// `nil`: the fault can also occur with other kernels.
    var ofKernel8Data: Reason? {
        guard let last = activation.last else { return nil }
        let l2 = outcome.errorIndication.l2
        func reason(_ text: String, _ tag: Tag?, _ clause: String, _ change: String) -> Reason {
            Reason(text, tag, "", book(clause), change: change)
        }
        if last.instruction == 0xB2, last.body.first == 0xDA, l2 == 4 {
            let asks = DataObjectList(card(0x9F38) ?? []).entries.contains { $0.tag == 0x9E }
            return reason(
                "The record that the card enciphered (DA) does not decipher to sound TLV: "
                    + (asks
                        ? "card and kernel do not have the same keys, or the record was changed."
                        : "the card never got the kernel's key (9E), for it "
                            + (card(0x9F38) == nil
                                ? "has no PDOL (9F38)." : "does not ask for it in its PDOL (9F38).")),
                asks ? nil : 0x9F38, "S22", "A genuine card whose PDOL asks for 9E.")
        }
        var tree = TLVTree(last.body)
        while let (object, _) = tree.next() {
            let isEmpty = object.value.isEmpty && !object.isConstructed
            if l2 == 6, object.tag.rawValue > 0xFF_FFFF {
                return reason(
                    "The answer to \(last.name) has a tag of four bytes (\(object.tag)), and tags have three at most.",
                    object.tag, "4.7.1", "A card whose tags have at most three bytes.")
            }
            if l2 == 4, isEmpty, object.tag.rawValue >> 8 == 0x9F81 {
                return reason(
                    "\(object.tag) in the answer to \(last.name) is empty.", object.tag, "4.1.3",
                    "A card that returns \(object.tag) with its value.")
            }
        }
        guard last.instruction == 0xAE, l2 == 6 else { return nil }
        guard let local = activation.decided(Explanation.whereAsked) else { return unboundIAD }
        return local == 2 ? dataMissing : nil
    }

    /// The destination of the IAD-MAC (AIP byte 2, bits 3 and 2).
    private var unboundIAD: Reason? {
        let isOwn = has(card(0x82), 2, 3) && !has(card(0x82), 2, 2)
        guard isOwn || has(card(0x82), 2, 2) && !has(card(0x82), 2, 3) else { return nil }
        let tag: Tag = isOwn ? 0x9F8107 : 0x9F821E
        let size = card(0x9F10)?.count ?? 0
        guard let offset = isOwn ? card(tag)?.first : terminal(tag)?.first else {
            return Reason(
                "The card's AIP (82) says that the card states the offset of the IAD-MAC, and 9F8107 is missing.",
                tag, "", book("2627.12"), change: "A card that returns 9F8107.")
        }
        guard Int(offset) + 8 > size || size > 32 else { return nil }
        return Reason(
            "The IAD-MAC does not fit into the issuer application data: its offset (\(tag)) is \(offset), and 9F10 "
                + "has \(size) bytes, so that the 8 bytes of the MAC reach past its end.", tag, "", book("2627.12"),
            change: "An offset of at most the length of 9F10 less 8.")
    }

    /// Objects of local authentication. A certificate on P-256 has a fixed length (Book C-8, annex B), so a card
    /// without a record of that length has no certificate.
    private var dataMissing: Reason {
        let sizes = activation.exchanges.filter { $0.instruction == 0xB2 }.map { read -> Int in
            var reader = TLVReader(read.body)
            return reader.next().map { $0.value.count } ?? 0
        }
        let isEnciphered = activation.exchanges.contains { $0.instruction == 0xB2 && $0.body.first == 0xDA }
        var wanted: [Tag] = [0x8F, 0x90, 0x9F46] + (usesCurve ? [] : [0x9F32, 0x9F47])
        var why = ""
        if !isEnciphered {
            let missing = wanted.filter { (card($0) ?? []).isEmpty }
            if !missing.isEmpty { wanted = missing }
        } else if usesCurve {
            let tooLong = [(0x90 as Tag, 117 + 2), (0x9F46, 145 + 4)].filter { one in !sizes.contains { $0 >= one.1 } }
            if !tooLong.isEmpty {
                wanted = tooLong.map { $0.0 }
                why = ": no record is long enough to hold it"
            }
        }
        let names = wanted.map { "\($0)" + Explanation.name($0) }.joined(separator: ", ")
        let isKnown = !isEnciphered || !why.isEmpty
        let text =
            isKnown
            ? "the card did not return \(names)\(why)"
            : "one of \(names) is missing from the card's records, which are enciphered (lengths "
                + "\(sizes.map { "\($0)" }.joined(separator: ", ")))"
        return Reason(
            "Local authentication is not possible: \(text).", isKnown ? wanted.first : nil, "",
            book(Explanation.whereAsked), change: "A card that returns all its certificates.")
    }
}
