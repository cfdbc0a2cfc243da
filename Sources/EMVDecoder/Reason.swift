// SPDX-License-Identifier: Apache-2.0
import EMVKernel

/// Explains in words why a transaction ended as it did: the one source of the sentences of `emv-bench replay`,
/// `--steps`, `tap` and the page. It states only decisions of a kernel, and shows no account data.
package struct Reason: Sendable, Hashable {
    /// A whole sentence, with the deciding object and bits.
    package var sentence: String
    /// The deciding object; `nil`: no single object decided.
    package var object: Tag?
    /// In that object: `byte 1 bit 4`; empty: the whole value.
    package var bits = ""
    /// `Book C-3, 5.8.1.1`.
    package var clause = ""
    /// The change that would lead to another ending; empty if nothing went wrong.
    package var change = ""
    /// The parts of the Error Indication (DF8115) that are not zero, in words.
    package var error: [String] = []
    /// The last status word that is not 9000, with its command and meaning.
    package var status: String?

    init(_ sentence: String, _ object: Tag? = nil, _ bits: String = "", _ clause: String = "", change: String = "") {
        self.sentence = sentence
        self.object = object
        self.bits = bits
        self.clause = clause
        self.change = change
    }

    package init(_ ending: Ending) {
        self = Explanation(ending).reason
        error = Reason.words(ending.outcome.errorIndication)
        status = Reason.lastStatus(ending)
    }

    /// The reason for people: the sentence with its clause, then further details, one per line.
    package var lines: [String] {
        var lines = [sentence + (clause.isEmpty ? "" : " (\(clause))")]
        if !change.isEmpty { lines.append("To change it: " + change) }
        if let status { lines.append("Last status word: " + status) }
        if !error.isEmpty { lines.append("Error Indication: " + error.joined(separator: ", ")) }
        return lines
    }

    // MARK: Error Indication and status word

    /// The status word in it may be digits of an account number if the answer could not be read; ``status`` contains it
    /// only if this is ruled out.
    static func words(_ error: ErrorIndication) -> [String] {
        var words: [String] = []
        switch error.l1 {
        case 0: break
        case 1: words.append("L1 time-out")
        case 2: words.append("L1 transmission error")
        case 3: words.append("L1 protocol error")
        default: words.append("L1 \(error.l1)")
        }
        switch error.l2 {
        case 0: break
        case 1: words.append("L2 card data missing")
        case 2: words.append("L2 card authentication failed")
        case 3: words.append("L2 status bytes")
        case 4: words.append("L2 parsing error")
        case 5: words.append("L2 maximum limit exceeded")
        case 6: words.append("L2 card data error")
        case 7: words.append("L2 mag-stripe not supported")
        case 8: words.append("L2 no PPSE")
        case 9: words.append("L2 PPSE fault")
        case 10: words.append("L2 empty candidate list")
        case 11: words.append("L2 data storage read error")
        case 12: words.append("L2 data storage write error")
        case 13: words.append("L2 data storage data error")
        case 14: words.append("L2 data storage: no matching cryptogram")
        case 15: words.append("L2 terminal data error")
        case 16: words.append("L2 decryption failed")
        case 19: words.append("L2 EDA-MAC or IAD-MAC failed")
        default: words.append("L2 \(error.l2)")
        }
        switch error.l3 {
        case 0: break
        case 1: words.append("L3 time-out of the terminal")
        case 2: words.append("L3 stopped by the terminal")
        case 3: words.append("L3 amount not present")
        default: words.append("L3 \(error.l3)")
        }
        return words
    }

    static func lastStatus(_ ending: Ending) -> String? {
        let exchanges = ending.activations.flatMap { $0.exchanges }
        guard let last = exchanges.last(where: { $0.response != nil && $0.statusWord != 0x9000 }) else { return nil }
        return text(last)
    }

    /// `6985 to GET PROCESSING OPTIONS, conditions of use not satisfied`.
    static func text(_ exchange: Ending.Exchange) -> String {
        guard let word = exchange.statusWord else { return "hidden, because the answer to \(exchange.name) is cut" }
        return hex(word) + " to \(exchange.name), " + StatusWords.meaning(word)
    }

    static func hex(_ word: UInt16) -> String { Hex.string([UInt8(word >> 8), UInt8(word & 0xFF)]) }
}

/// Finds the reason for one ending.
struct Explanation {
    let ending: Ending
    let outcome: Outcome
    let activation: Ending.Activation
    let objects: DialogueObjects
    let kernel: Int
    let combination: Combination?
    let status: Outcome.Status
    let cause: Outcome.Reason

    init(_ ending: Ending) {
        self.init(
            ending, ending.current ?? Ending.Activation(name: []), ending.outcome.status, ending.outcome.reason,
            ending.outcome.kernel)
    }

    /// Explains an application that was tried before another.
    init(
        _ ending: Ending, _ activation: Ending.Activation, _ status: Outcome.Status, _ cause: Outcome.Reason,
        _ kernel: KernelID?
    ) {
        self.ending = ending
        self.activation = activation
        self.status = status
        self.cause = cause
        outcome = ending.outcome
        objects = DialogueObjects(activation)
        combination = ending.combination(activation, kernel)
        let id = kernel ?? activation.end?.kernel
        self.kernel = id.flatMap { id in (2...8).first { KernelID(number: UInt8($0)) == id } } ?? 0
    }

    // MARK: Values

    func card(_ tag: Tag) -> Bytes? { objects.card[tag] }
    /// The value that the card received, or else the configured one.
    func terminal(_ tag: Tag) -> Bytes? {
        objects.sent[tag] ?? (tag == 0x9F66 ? combination?.ttq : nil) ?? combination?.data[tag]
            ?? ending.configuration.terminal[tag]
    }
    func has(_ value: Bytes?, _ byte: Int, _ bit: Int) -> Bool {
        guard let value, value.count >= byte else { return false }
        return value[byte - 1] >> UInt8(bit - 1) & 1 != 0
    }
    func ttq(_ byte: Int, _ bit: Int) -> Bool { has(terminal(0x9F66), byte, bit) }
    func hex(_ value: Bytes?) -> String { value.map { Hex.string($0) } ?? "absent" }
    func book(_ clause: String) -> String {
        clause.isEmpty ? "" : kernel == 0 ? "Book B, \(clause)" : "Book C-\(kernel), \(clause)"
    }
    func amount(_ minor: UInt64) -> String {
        let transaction = ending.transaction
        let currency =
            Currency(numeric: transaction.currency)
            ?? Currency(code: "", numeric: transaction.currency, exponent: transaction.exponent)
        return Money(minorUnits: minor, currency: currency).description
    }
    var amountText: String { amount(ending.transaction.amount) }
    var isRefund: Bool { ending.transaction.type == .refund }

    static func date(_ value: Bytes?) -> CalendarDate? {
        guard let value, value.count == 3 else { return nil }
        let parts = value.map { Int($0 >> 4) * 10 + Int($0 & 0x0F) }
        guard value.allSatisfy({ $0 >> 4 <= 9 && $0 & 0x0F <= 9 }) else { return nil }
        return CalendarDate(year: parts[0] + (parts[0] < 50 ? 2000 : 1900), month: parts[1], day: parts[2])
    }
    var isExpired: Bool {
        guard let last = Explanation.date(card(0x5F24)) else { return false }
        return last < ending.transaction.date
    }
    func pdolAsks(_ tag: Tag) -> Bool {
        DataObjectList(card(0x9F38) ?? []).entries.contains { $0.tag == tag }
    }
    var cryptogram: String {
        guard let information = card(0x9F27)?.first else { return "no 9F27" }
        return "9F27 = " + Hex.string([information])
    }
    static func type(_ bits: UInt64) -> String {
        switch bits {
        case 0: "AAC (decline)"
        case 1, 0x40: "TC (offline approval)"
        case 2, 0x80: "ARQC (go online)"
        default: "of no known type"
        }
    }

    // MARK: The ending

    var reason: Reason {
        if case .pin(captured: false, _)? = ending.given, status == .declined {
            return Reason(
                "The transaction was declined because no PIN was entered.", nil, "", book("12.2"),
                change: "The cardholder enters the PIN.")
        }
        if case .online(let answer, _)? = ending.given, let reason = afterIssuer(answer) { return reason }
        if ending.isUpdated, let reason = afterUpdate { return reason }
        switch status {
        case .none where cause == .none: return unfinished
        case .approved: return approved
        case .onlineRequest, .requestOnlinePIN: return online
        default: break
        }
        switch cause {
        case .cardStatus: return refusal
        case .link: return link
        case .cardData, .storeFull: return cardData
        case .kernelLimit: return limit
        case .protection: return protection
        case .kernel, .none: return decision
        case .selectionExhausted: return exhausted
        default: return general
        }
    }

    private var unfinished: Reason {
        if let last = ending.last, last.response == nil { return link }
        return ending.activations.isEmpty
            ? Reason("No card was presented.", change: "Present a card.")
            : Reason(
                "The transaction did not end: the reader waits for the card or for the next answer.",
                change: "Present the card again, or complete the trace.")
    }

    private var approved: Reason {
        if case .online? = ending.given { return Reason("The issuer approved.", 0x8A) }
        return Reason(
            "Approved offline: the card returned a TC (\(cryptogram)) and nothing asked for the issuer.", 0x9F27)
    }

    /// Why the transaction goes to the issuer.
    private var online: Reason {
        if status == .requestOnlinePIN {
            return Reason("The issuer asks for an online PIN.", 0x8A, "", book("12.2.2"))
        }
        if outcome.cvm == .onlinePIN, card(0x9F27).map({ $0.first ?? 0 })?.leadingType == 1 {
            return Reason("Sent online: the cardholder is verified by an online PIN.")
        }
        if outcome.dataRecord?[0x9F27] == nil, card(0x9F27) == nil, card(0x9F10) == nil {
            return Reason("Sent online: the card was read in mag-stripe mode, which the issuer always decides.")
        }
        if let type = card(0x9F27)?.first?.leadingType, type < 2 {
            let oda = activation.decided("5.6")
            if kernel == 3, oda != nil, outcome.errorIndication.l2 == 2 {
                return unauthenticated(
                    oda == 3 ? 16 : oda, "5.6.1.2", " The card then asks to go online (CTQ byte 1 bit 6).")
            }
            let why =
                type == 0
                ? "an AAC only ends the card's part of a refund, and the host decides"
                : outcome.errorIndication.l2 == 2
                    ? "its signature is not good, and the card then asks to go online"
                    : isExpired
                        ? "it is expired, and then asks to go online"
                        : ttq(2, 8)
                            ? "the reader requires an online cryptogram" : "the reader does not approve this offline"
            return Reason("Sent online although the card returned no ARQC (\(cryptogram)): \(why).", 0x9F27)
        }
        return Reason("Sent online: the card returned an ARQC (\(cryptogram)), so the issuer decides.", 0x9F27)
    }

    /// The card was presented again with the issuer's answer.
    private var afterUpdate: Reason? {
        guard cause == .kernel else { return nil }
        switch status {
        case .endApplication where kernel == 5 && ending.issuerCode == nil:
            return Reason(
                "The issuer's answer has no response code (8A), so the second presentment ends without a second "
                    + "GENERATE AC, and nothing is decided by it.", 0x8A, "", book("3.10"),
                change: "The host returns 8A with its answer.")
        case .endApplication:
            return Reason(
                "The second presentment is done: the issuer's answer was passed on to the card, and nothing is "
                    + "decided by it.",
                nil, "", kernel == 3 ? book("6.2.1.3") : kernel == 6 ? book("3.10") : "")
        case .declined:
            return Reason(
                "Declined after the issuer's answer (8A = "
                    + "\(ending.issuerCode.map { Hex.string($0) } ?? "absent")): the card's "
                    + "last cryptogram is of type \(Explanation.type(UInt64(card(0x9F27)?.first ?? 0) & 0xC0)), "
                    + "\(cryptogram).", 0x9F27,
                "bits 8-7",
                kernel == 5 ? book("3.10.4") : "", change: "The issuer approves, and the card returns a TC.")
        default: return nil
        }
    }

    /// The consequence of the issuer's answer, or of its absence.
    private func afterIssuer(_ answer: DataObjects?) -> Reason? {
        guard let answer else {
            return status == .approved
                ? nil
                : Reason(
                    "The issuer could not be reached, and without it the transaction is not approved.",
                    change: "A connection to the host, or limits and action codes that allow an offline approval.")
        }
        guard let code = answer[0x8A] else {
            return status == .declined
                ? Reason(
                    "The issuer's answer has no response code (8A).", 0x8A,
                    change: "The host returns 8A = 3030 where it approves.") : nil
        }
        let text = String(decoding: code, as: UTF8.self)
        switch status {
        case .approved: return Reason("The issuer approved (8A = \(text)).", 0x8A)
        case .declined, .tryAnotherInterface:
            return Reason(
                "The issuer did not approve: its response code 8A is \(text).", 0x8A,
                change: "The issuer decides; ask it, or use another card.")
        default:
            return Reason(
                "The issuer answered 8A = \(text); the card took its update, and nothing more is decided here.",
                0x8A)
        }
    }
}

extension UInt8 {
    /// Bits 8 and 7, which contain the type of a cryptogram.
    fileprivate var leadingType: UInt8 { self >> 6 }
}

// MARK: Endings without a kernel's decision

extension Explanation {
    /// The last command whose answer was not 9000.
    private var refused: Ending.Exchange? {
        activation.exchanges.last { $0.response != nil && $0.statusWord != 0x9000 } ?? activation.last
    }

    var refusal: Reason {
        guard let refused else { return general }
        let word = refused.statusWord
        let clause: String
        var change = "A card or application that answers \(refused.name) with 9000."
        switch (word, kernel) {
        case (0x6986?, _):
            change = "The cardholder unlocks the phone or confirms on it, then taps again."
        case (0x6984?, _): change = "Insert the card: it wants to be used by another interface."
        default: break
        }
        switch (refused.instruction, kernel) {
        case (0xA4, _): clause = "Book B, 3.3.3.5"
        case (_, 3): clause = book("5.2.2.2")
        case (0xA8, 7): clause = book("4.1.4.3")
        case (0xA8, 6): clause = book("3.2")
        case (0xA8, 2): clause = book("S3.8")
        case (0xB2, 2): clause = book("S4.9")
        case (0xAE, 2): clause = book("S910.50")
        default: clause = ""
        }
        let answer = word.map { "\(Reason.hex($0)): " + StatusWords.meaning($0) } ?? "an answer that is cut"
        return Reason("The card answered \(refused.name) with \(answer).", nil, "", clause, change: change)
    }

    var link: Reason {
        let exchange = ending.last
        let what = exchange.map { " during \($0.name)" } ?? ""
        let how: String
        switch (exchange?.fault, outcome.errorIndication.l1) {
        case (.removed?, _): how = "The card left the field"
        case (.timeout?, _), (nil, 1): how = "The card did not answer in time"
        case (.transmission?, _), (nil, 2): how = "The transmission to the card was disturbed"
        case (.protocol?, _), (nil, 3): how = "The card broke the transmission protocol"
        default: how = "The link to the card failed"
        }
        return Reason(
            "\(how)\(what).", nil, "", "Book B, 3.3.3.7",
            change: "Hold the card still on the reader until the tap ends, and try again.")
    }

    var limit: Reason {
        let limits = combination?.limits
        if kernel == 2 {
            let device = has(card(0x82), 1, 2) && has(terminal(0xDF811B), 1, 6)
            let tag: Tag = device ? 0xDF8125 : 0xDF8124
            return Reason(
                "The amount \(amountText) is above the reader contactless transaction limit \(tag)"
                    + (terminal(tag).map { " = " + Hex.string($0) } ?? "") + ", so this application is not used.",
                tag, "", book(has(card(0x82), 2, 8) ? "S456.16" : "S78.10"),
                change: "An amount below \(tag), or a higher limit.")
        }
        if outcome.findings.contains(.limitNeedsAuthenticatedCDCVM) {
            let text = limits?.transaction.map { " of " + amount($0) } ?? ""
            return Reason(
                "The amount \(amountText) reaches the transaction limit\(text); it may be paid only where the device "
                    + "verified its user, and nothing proves that.",
                0x9F6C, "byte 2 bit 8", "Conformance/attacks.md, A02",
                change: "A lower amount, a higher transaction limit, or a device whose verification is signed.")
        }
        return Reason(
            "The amount \(amountText) reaches the kernel's transaction limit for \(Hex.string(activation.name)).", nil,
            "",
            book(kernel == 5 ? "3.8.3" : kernel == 4 ? "7.2.1" : ""),
            change: "A lower amount, or a higher transaction limit"
                + (limits?.transaction.map { " than " + amount($0) } ?? "") + ".")
    }

    /// Every application was eliminated: the reason for each.
    var exhausted: Reason {
        let tried = ending.tried
        let single = tried.map { Explanation(ending, $0, .selectNext, $0.end?.reason ?? fallen($0), $0.end?.kernel) }
        guard let first = single.first else { return general }
        let only = first.fell
        guard single.count > 1 else {
            return Reason(
                "The card's only common application, \(Hex.string(first.activation.name)), fell away. "
                    + only.sentence, only.object, only.bits, only.clause, change: only.change)
        }
        let all = single.map { Hex.string($0.activation.name) + ": " + $0.fell.sentence }.joined(separator: " ")
        return Reason(
            "All \(single.count) common applications fell away. " + all, only.object, only.bits, only.clause,
            change: only.change)
    }

    private func fallen(_ activation: Ending.Activation) -> Outcome.Reason {
        activation.last?.statusWord == 0x9000 ? .cardData : .cardStatus
    }

    private var fell: Reason {
        switch cause {
        case .cardStatus: return refusal
        case .kernelLimit: return limit
        case .protection: return protection
        case .cardData where activation.exchanges.count == 1 && kernel == 0:
            return Reason(
                "The answer to SELECT has no PDOL (9F38) that asks for the TTQ (9F66), which its kernel demands.",
                0x9F38, "", "Book B, 3.3.3.6", change: "A card whose PDOL asks for 9F66.")
        case .cardData: return cardData
        default: return decision
        }
    }

    /// A sentence for each reason code.
    var general: Reason {
        switch cause {
        case .notAllowed: return notAllowed
        case .noCombination:
            return Reason(
                "No configured combination takes a transaction of type \(ending.transaction.type).", 0x9C, "",
                "Book B, 3.1.1.13", change: "A combination whose transaction types include this one.")
        case .noCommonApplication: return noCommonApplication
        case .tooManyTaps:
            return Reason(
                "The card was presented as often as allowed. The last time: " + lastTime.sentence, lastTime.object, "",
                "Book B, 3.5.1.3", change: lastTime.change.isEmpty ? "A new transaction." : lastTime.change)
        case .stopped: return Reason("The terminal stopped the transaction.", change: "Begin again without stopping.")
        case .abandoned: return Reason("The transaction was abandoned.", change: "Begin again.")
        case .cardSwitched:
            return Reason(
                "Another card was presented for the second tap: its application name (84) or its data are not "
                    + "those of the first tap.", 0x84, "", "Conformance/attacks.md, A29",
                change: "The same card in both taps.")
        case .random:
            return Reason(
                "The terminal gave no usable random number.", 0x9F37,
                change: "A random source that returns enough bytes.")
        case .collision:
            return Reason(
                "More than one card was in the field, too often.", nil, "", "Book B, 3.2.1",
                change: "Present one card only.")
        case .internal:
            return Reason("The kernel ended for a defect of its own; it failed safe.", change: "Report the trace.")
        case .storeFull: return cardData
        default: return Reason("\(EngineNames.kernel(outcome.kernel)) ended the transaction.")
        }
    }

    /// Why the last presentment was not sufficient.
    private var lastTime: Reason {
        guard let end = activation.end else { return link }
        switch end.reason {
        case .link: return link
        case .cardStatus: return refusal
        case .kernel: return decision
        default: return Reason("The last command was \(activation.last?.name ?? "none").")
        }
    }

    private var notAllowed: Reason {
        let rows = ending.configuration.combinations
        let value = ending.transaction.amount
        let limits = rows.compactMap { $0.limits.transaction }
        if value == 0 {
            let offline = rows.contains { has($0.ttq, 1, 4) }
            return Reason(
                "An amount of zero is not allowed by any combination"
                    + (offline
                        ? ", or asks for an online cryptogram, which an offline-only reader (TTQ byte 1 bit 4) has not."
                        : "."),
                0x9F02, "", "Book B, 3.1.1.4",
                change: "An amount above zero, or a combination that allows zero.")
        }
        if let most = limits.max(), value >= most {
            return Reason(
                "The amount \(amountText) reaches the contactless transaction limit of every combination, at most "
                    + "\(amount(most)): no card is asked.",
                0x9F02, "", "Book B, 3.1.1.5 and 3.1.1.13", change: "A lower amount, or a higher transaction limit.")
        }
        return Reason(
            "Pre-processing allows no combination: the amount \(amountText) reaches the transaction limit, or is "
                + "not allowed as zero.", 0x9F02, "", "Book B, 3.1.1.13", change: "A lower amount, or other limits.")
    }

    private var noCommonApplication: Reason {
        let answers = ending.activations.last { $0.isDirectory }?.exchanges ?? []
        if answers.count > 1, let last = answers.last, last.statusWord != 0x9000 {
            return Reason(
                "The card did not answer what the reader states about itself: \(Reason.text(last)).", 0x8B, "",
                "Book B, annex C", change: "A card that answers \(last.name) with 9000.")
        }
        let directory = answers.last
        guard let directory, directory.statusWord == 0x9000 else {
            let what = directory.map { Reason.text($0) } ?? "no answer"
            return Reason(
                "The card has no contactless payment directory: \(what).", nil, "", "Book B, 3.3.2",
                change: "A contactless payment card, with a PPSE that answers 9000.")
        }
        var names: [String] = []
        var tree = TLVTree(directory.body)
        while let (object, _) = tree.next() {
            if object.tag == 0x4F { names.append(Hex.string(object.value)) }
        }
        guard tree.error == nil else {
            return Reason(
                "The card's directory (PPSE) cannot be read as TLV.", 0x6F, "", "Book B, 3.3.2.3",
                change: "A card whose directory is well formed.")
        }
        let listed = names.isEmpty ? "lists no application" : "lists only " + names.joined(separator: ", ")
        return Reason(
            "The card \(listed), and the reader has no combination for it that this amount and type allow.", 0x4F,
            "", "Book B, 3.3.2.7", change: "A combination with this AID and the kernel that the card names (9F2A).")
    }

    // MARK: Card data

    /// The objects that the kernel needs after the last command and the card did not return.
    private var missing: [Tag] {
        let instruction = activation.last?.instruction
        let needed: [Tag]
        switch (kernel, instruction) {
        case (3, _): needed = [0x9F26, 0x82, 0x9F36, 0x9F10, 0x57, 0x9F38]
        case (7, _):
            let afterRecords = card(0x9F27).map { ($0.first ?? 0) >> 6 == 1 } ?? false
            needed = [0x82, 0x9F36, 0x9F10, 0x9F26] + (afterRecords ? [0x94] : [0x57])
        case (6, 0xA8):
            let isSigned = card(0x9F27).map { ($0.first ?? 0) >> 6 == 1 } ?? false
            needed =
                [0x82, 0x9F36, 0x9F10, 0x9F27, 0x9F71]
                + (isSigned
                    ? [0x9F4B, 0x94] : [0x9F26] + (card(0x94) == nil ? [0x57, 0x5F34, 0x9F07, 0x5F25, 0x9F08] : []))
        case (5, 0xAE):
            needed =
                [0x9F27, 0x9F36, 0x9F10] + (ending.isUpdated ? [] : [0x9F50]) + (card(0x9F4B) == nil ? [0x9F26] : [])
        case (8, 0xAE):
            // 5A is in an enciphered record; it counts as absent only if the kernel found data missing.
            needed =
                [0x9F36, 0x9F27, 0x9F26, 0x9F8102, 0x9F8105, 0x9F10] + (outcome.errorIndication.l2 == 1 ? [0x5A] : [])
        case (8, 0xA8): needed = [0x94, 0x82, 0x9F8103, 0x8C]
        case (_, 0xA8): needed = [0x82, 0x94]
        case (_, 0xAE): needed = [0x9F27, 0x9F36] + (card(0x9F4B) == nil ? [0x9F26] : [])
        case (2, 0x2A): needed = card(0xDF4B) != nil ? [0x9F36] : [0x9F61, 0x9F36, 0x9F60]
        default:
            needed = card(0x9F6B) != nil && kernel == 2 ? [0x9F66, 0x9F65, 0x9F67] : [0x5A, 0x5F24, 0x8C]
        }
        return needed.filter { (card($0) ?? []).isEmpty }
    }

    var cardData: Reason {
        let last = activation.last?.name ?? "the last command"
        if cause == .storeFull {
            return Reason(
                "The card sent more data than a presentment may bring, the last of it in answer to \(last).",
                change: "A card with less data; the limit is the store's size.")
        }
        if let broken = objects.broken {
            return Reason(
                "The answer to \(broken.name) is not sound TLV: a length does not fit.", nil, "",
                "Book 3, annex B", change: "A card that returns whole data objects.")
        }
        if activation.exchanges.count == 1, activation.last?.instruction == 0xA4 { return directory }
        switch outcome.errorIndication.l2 {
        case 11...14: return ofStorage
        case 15:
            return Reason(
                "The terminal's data are wrong: an object that the terminal gave or wants to write does not fit.", nil,
                "",
                "", change: "Correct the data that the terminal gives in the data exchange.")
        case 16:
            return Reason(
                "The secure channel failed at \(last): what the card enciphered cannot be deciphered, or its key "
                    + "is not a "
                    + "point of the curve.", 0x9F8103, "", "Book C-8, 8", change: "A genuine card, read without change."
            )
        case 19:
            return Reason(
                "The secure channel failed at \(last): the MAC over the card's answer (EDA-MAC or IAD-MAC, "
                    + "9F8105 and 9F10) "
                    + "does not verify.", 0x9F8105, "", "Book C-8, S28", change: "A genuine card, read without change.")
        default: break
        }
        if let fault = templateFault { return fault }
        if kernel == 8, let reason = ofKernel8Data { return reason }
        if kernel == 4, activation.exchanges.contains(where: { $0.instruction == 0xCA }) {
            if activation.last?.instruction == 0xCA { return ofMagstripe }
            if let counter = card(0x9F36), let given = objects.given[0x9F36], counter != given {
                return Reason(
                    "The transaction counter (9F36) of \(last) is \(hex(counter)), and GET DATA returned "
                        + "\(hex(given)) before: mag-stripe mode needs the same.", 0x9F36, "", book("12.2.1"),
                    change: "A card that returns the same counter in both answers.")
            }
        }
        if kernel == 6, activation.last?.instruction == 0xA8, let reason = ofKernel6Answer { return reason }
        // Kernel 8 accepts a repeated object if both values are equal (Book C-8, 4.1.3).
        if let twice = kernel == 8 ? objects.contradicted : objects.repeated, outcome.errorIndication.l2 != 1 {
            return Reason(
                "The card returned \(twice)\(Explanation.name(twice)) twice.", twice, "",
                kernel == 3 ? book("5.4.2.2") : "Book 3, 7.5", change: "A card that returns each object once.")
        }
        let missing = self.missing
        if let first = missing.first,
            outcome.errorIndication.l2 != 6 && outcome.errorIndication.l2 != 4
                || [0xA8, 0xAE].contains(activation.last?.instruction) && kernel != 3 && kernel != 7
                    && wrongLength == nil
        {
            let names = missing.map { "\($0)" + Explanation.name($0) }.joined(separator: ", ")
            return Reason(
                "The card did not return what the kernel needs: \(names) \(missing.count == 1 ? "is" : "are") "
                    + "missing after \(last).", first, "", clauseOfMissing, change: "A card that returns \(first).")
        }
        if outcome.errorIndication.l2 == 1, kernel == 7, activation.last?.instruction == 0xA4 || card(0x5F24) != nil,
            card(0x57) == nil
        {
            return Reason(
                "The card did not return track 2 (57), and without it the transaction cannot go online.", 0x57, "",
                book("3.2.5.1"), change: "A card that returns 57.")
        }
        if outcome.errorIndication.l2 == 1 {
            return Reason(
                "An object that the kernel needs is missing, empty or in the wrong template after \(last).", nil, "",
                clauseOfMissing, change: "A card that returns every mandatory object.")
        }
        return wrongValue(last)
    }

    /// Data storage of Kernel 2.
    private var ofStorage: Reason {
        switch outcome.errorIndication.l2 {
        case 11:
            Reason(
                "Data storage: the summary that the card signed (DF8101) is not the one that was read (9F7D).", 0x9F7D,
                "",
                book("S910.10"), change: "The same card, whose stored data nobody changed in between.")
        case 12:
            Reason(
                "Data storage: the card did not write, its summary (DF8102) is as before.", 0xDF8102, "",
                book("S910.16"),
                change: "A card that writes, or DF810A byte 1 bit 2 clear.")
        case 13:
            Reason(
                "Data storage: the terminal's data are missing or do not fit (DF8108, DF8109, DF810A).", 0xDF8108, "",
                book("GAC"), change: "The terminal gives the objects that its storage needs.")
        default:
            Reason(
                "Data storage: the terminal's cryptogram type (DF8108) does not match that of the transaction.",
                0xDF8108, "",
                book("GAC"), change: "Another DF8108, or DF810A that allows the type.")
        }
    }

    /// The fault of a list of tags and lengths that breaks off, or requests more than a command holds; `nil`: no fault.
    private func listFault(_ list: Bytes) -> String? {
        let list = DataObjectList(list)
        if let fault = list.fault { return fault }
        let total = list.total
        return total > 252 ? "asks for \(total) bytes, more than a command holds" : nil
    }

    /// The templates that the book allows for the last answer; empty: any.
    private var templates: [UInt8] {
        switch (activation.last?.instruction, kernel) {
        case (0xA8?, 8), (0xAE?, 8): [0x77]
        case (0xAE?, 5) where pdolAsks(0x9F52): [0x77]  // EMV Mode
        case (0xA8?, _), (0xAE?, _), (0xD0?, _): [0x77, 0x80]
        case (0xB2?, 8): [0x70, 0xDA]
        case (0xB2?, _): [0x70]
        case (0x2A?, _), (0xDF?, _): [0x77]
        case (0xEA?, _): [0x80]
        default: []
        }
    }

    /// An answer that is empty, begins with another template, or has extra bytes after its template.
    private var templateFault: Reason? {
        let l2 = outcome.errorIndication.l2
        guard l2 == 0 || l2 == 4 || l2 == 6 && kernel == 5, let last = activation.last, last.statusWord == 0x9000,
            !templates.isEmpty
        else { return nil }
        let change = "A card that answers \(last.name) in the right template."
        guard let first = last.body.first else {
            return Reason(
                "The card answered \(last.name) with 9000 and no data: the answer is empty.", nil, "", "Book 3, 6.5",
                change: "A card that returns its data.")
        }
        let names = templates.map { Hex.string([$0]) }.joined(separator: " or ")
        guard templates.contains(first) else {
            return Reason(
                "The answer to \(last.name) begins with \(Hex.string([first])), and the book demands template "
                    + "\(names).",
                Tag(rawValue: UInt32(first)), "", "Book 3, 6.5", change: change)
        }
        var reader = TLVReader(last.body)
        guard reader.next() != nil, let second = reader.next() else { return nil }
        return Reason(
            "Another object (\(second.tag)) follows template \(Hex.string([first])) in the answer to "
                + "\(last.name), which has to be the template alone.", second.tag, "", "Book 3, 6.5", change: change)
    }

    /// Faults of the answer to GET PROCESSING OPTIONS of Kernel 6, other than missing data (Book C-6, 3.2).
    private var ofKernel6Answer: Reason? {
        if let list = card(0x94), list.count % 4 != 0 {
            return Reason(
                "The Application File Locator (94) is malformed: its length is \(list.count) bytes, no multiple "
                    + "of four.",
                0x94, "", "Book 3, 7.5 and 10.2", change: "A card with a sound file locator.")
        }
        guard card(0x9F26) != nil, card(0x9F4B) != nil, missing.isEmpty else { return nil }
        let isTC = card(0x9F27).map { ($0.first ?? 0) >> 6 == 1 } ?? false
        return Reason(
            isTC
                ? "The answer with a TC (\(cryptogram)) has the cryptogram 9F26 in the clear besides the signature "
                    + "(9F4B), which alone has to hold it."
                : "The card returned a signature (9F4B) with a cryptogram that is not a TC (\(cryptogram)).",
            isTC ? 0x9F26 : 0x9F4B, "", book("3.2"),
            change: isTC ? "A card that returns 9F4B without 9F26." : "A card that signs a TC only.")
    }

    /// Faults that a kernel finds in the answer to SELECT before it sends a command.
    private var directory: Reason {
        let list = card(0x9F38)
        if let list, let fault = listFault(list) {
            return Reason(
                "The PDOL (9F38) \(fault): \(hex(list)).", 0x9F38, "", "Book 3, 5.4",
                change: "A card whose PDOL is sound.")
        }
        let entries = list.map { DataObjectList($0).entries } ?? []
        func asks(_ tag: Tag, _ length: Int) -> Bool { entries.contains { $0.tag == tag && $0.length == length } }
        if kernel == 6, let list {
            for (tag, length): (Tag, Int) in [
                (0x9F66, 4), (0x9F02, 6), (0x9F03, 6), (0x9F1A, 2), (0x5F2A, 2), (0x9A, 3), (0x9C, 1), (0x9F37, 4),
            ] where !asks(tag, length) {
                return Reason(
                    "The PDOL (9F38) does not ask for \(tag) with \(length) bytes, which the kernel demands: "
                        + "\(hex(list)).", 0x9F38, "", book("3.1"), change: "A card whose PDOL asks for \(tag).")
            }
        }
        if let reason = ofSelection { return reason }
        let needed: [Tag] = kernel == 6 ? [0x84, 0x50, 0x9F38] : kernel == 8 ? [0x84, 0x9F2C] : [0x84]
        let missing = needed.filter { card($0) == nil }
        let asksForTTQ = asks(0x9F66, 4)
        switch kernel {
        case 3 where !asksForTTQ, 6 where !asksForTTQ, 7 where !asksForTTQ:
            return Reason(
                "The answer to SELECT has no sound PDOL (9F38) that asks for the TTQ (9F66): PDOL "
                    + "\(hex(list)).", 0x9F38, "", book(kernel == 7 ? "4.1.4.1" : kernel == 6 ? "3.1" : ""),
                change: "A card whose PDOL asks for 9F66.")
        default:
            return Reason(
                "The answer to SELECT is not what the kernel needs: "
                    + (missing.isEmpty
                        ? objects.repeated.map { "\($0) is there twice" }
                            ?? "an object or an entry of its PDOL has a wrong length (PDOL \(hex(list)))"
                        : missing.map { "\($0)" }.joined(separator: ", ") + " missing") + ".", missing.first ?? 0x6F,
                "", "Book 3, 7.5",
                change: "A card with a sound answer to SELECT.")
        }
    }

    /// Requirements of single kernels on the answer to SELECT, or on data kept from an earlier presentment.
    private var ofSelection: Reason? {
        if kernel == 6, let body = activation.last?.body {
            // 84 below 6F, 50, 87 and 9F38 below A5 (Book C-6, 3.1.2).
            var tree = TLVTree(body)
            while let (object, depth) = tree.next() {
                let place = object.tag == 0x84 ? 2 : [0x50, 0x87, 0x9F38].contains(object.tag) ? 3 : depth
                if depth != place {
                    return Reason(
                        "\(object.tag)\(Explanation.name(object.tag)) in the answer to SELECT is not where it belongs: "
                            + "it has to be in \(place == 3 ? "template A5" : "template 6F itself").", object.tag, "",
                        book("3.1.2"), change: "A card with each object in its template.")
                }
            }
        }
        guard kernel == 5 else { return nil }
        if ending.isUpdatePresented {
            let earlier = ending.activations.last { $0.exchanges.contains { $0.instruction == 0xAE } }
            let list = earlier.flatMap { DialogueObjects($0).card[0x8D] }
            guard let fault = list.map({ listFault($0) }) ?? "is missing" else { return nil }
            return Reason(
                "The second GENERATE AC cannot be made: CDOL2 (8D) of the first presentment \(fault).", 0x8D, "",
                book("3.10.3"), change: "A card whose CDOL2 is sound.")
        }
        guard !pdolAsks(0x9F52), ending.wasTorn else { return nil }
        return Reason(
            "The card that came back after the interrupted GENERATE AC has Legacy Mode only: its PDOL (9F38) does "
                + "not ask for the Terminal Compatibility Indicator (9F52), so nothing can be recovered from it.",
            0x9F38, "",
            book("3.13.1"), change: "The same card, whose PDOL asks for 9F52.")
    }

    /// Lengths of objects that kernels reject in other ways (Book 3, annex A; Books C-2 to C-8, annex A).
    private var wrongLength: (tag: Tag, length: Int, allowed: ClosedRange<Int>)? {
        for (tag, allowed): (Tag, ClosedRange<Int>) in [
            (0x82, 2...2), (0x9F36, 2...2), (0x9F27, 1...1), (0x9F26, 8...8), (0x5F24, 3...3), (0x5F25, 3...3),
            (0x5F28, 2...2), (0x9F07, 2...2), (0x57, 1...19), (0x5A, 1...10), (0x5F34, 1...1), (0x9F08, 2...2),
            (0x9F0D, 5...5), (0x9F0E, 5...5), (0x9F0F, 5...5), (0x9F42, 2...2), (0x9F44, 1...1), (0x8F, 1...1),
            (0x9F10, kernel == 8 ? 1...255 : 1...32), (0x5F20, 2...26), (0x9F6C, 2...2), (0x9F5D, 1...6),
            (0x9F6E, kernel == 3 ? 4...4 : kernel == 2 ? 5...32 : 1...32), (0x9F7C, 1...32),
            (0x9F70, kernel == 4 ? 2...2 : 1...255), (0x9F71, kernel == 4 ? 3...3 : kernel == 6 ? 2...2 : 1...255),
            (0xD1, kernel == 6 ? 6...6 : 1...255), (0x9F4C, 2...8), (0x9F24, 29...29), (0x8E, 10...252),
            (0x94, 4...252), (0x9F1F, 1...255),
        ] {
            if let value = card(tag), !value.isEmpty, !allowed.contains(value.count) {
                return (tag, value.count, allowed)
            }
        }
        return nil
    }

    private var clauseOfMissing: String {
        switch kernel {
        case 2: activation.last?.instruction == 0xB2 ? book("S456.19") : "Book 3, 7.2"
        case 3: book("5.4.2.1")
        case 4: book("5.3")
        case 7: book("4.1.4.7")
        default: "Book 3, 7.2"
        }
    }

    private func wrongValue(_ last: String) -> Reason {
        if let (tag, length, allowed) = wrongLength {
            let expected =
                allowed.count == 1 ? "\(allowed.lowerBound)" : "\(allowed.lowerBound) to \(allowed.upperBound)"
            return Reason(
                "\(tag)\(Explanation.name(tag)) has \(length) \(length == 1 ? "byte" : "bytes"), expected \(expected).",
                tag, "", "Book 3, 7.5",
                change: "A card whose \(tag) has \(expected) bytes.")
        }
        if activation.last?.instruction == 0xEA, outcome.errorIndication.l2 == 6 {
            return Reason(
                "Relay resistance: the card answered faster than the shortest time that it states itself.", 0x95, "",
                book(kernel == 8 ? "S21" : "SR1"), change: "A card that states its true times.")
        }
        for tag: Tag in [0x9F38, 0x8C, 0x8D, 0x9F49] {
            if let list = card(tag), let fault = listFault(list) {
                return Reason(
                    "\(tag)\(Explanation.name(tag)) \(fault): \(hex(list)).", tag, "", "Book 3, 5.4",
                    change: "A card whose list is sound.")
            }
        }
        if kernel == 5, activation.last?.instruction == 0xA8, !has(card(0x82), 2, 8) {
            return Reason(
                "The card does not support EMV mode: AIP (82) is \(hex(card(0x82))), byte 2 bit 8 is 0, and "
                    + "Legacy Mode is not "
                    + "taken here.", 0x82, "byte 2 bit 8", "Book C-5, 3.4", change: "A card in EMV mode.")
        }
        if kernel == 2, card(0x9F4A) != [0x82], has(card(0x82), 1, 1), activation.last?.instruction == 0xB2 {
            return Reason(
                "The Static Data Authentication Tag List (9F4A) is \(hex(card(0x9F4A))), and CDA needs exactly 82.",
                0x9F4A, "",
                book("S456.28"), change: "A card whose 9F4A is 82.")
        }
        if kernel == 2, card(0x9F65) != nil || card(0x9F62) != nil {
            return Reason(
                "The mag-stripe data of the card do not fit together: the positions for checksum, counter and "
                    + "unpredictable "
                    + "number (9F62 \(hex(card(0x9F62))), 9F63 \(hex(card(0x9F63))), 9F65 \(hex(card(0x9F65))), 9F66 "
                    + "\(hex(card(0x9F66)))) and the number of counter digits (9F64, 9F67).", 0x9F66, "", book("S78"),
                change: "A card whose position maps and digit counts agree.")
        }
        if let list = card(0x94), list.count % 4 != 0 || list.isEmpty || locatorFault(list) != nil {
            return Reason(
                "The Application File Locator (94) is malformed: "
                    + (locatorFault(list) ?? "its length is "
                        + "\(list.count) bytes") + ".", 0x94, "", "Book 3, 7.5 and 10.2",
                change: "A card with a sound file locator.")
        }
        for tag: Tag in [0x5F24, 0x5F25] {
            if let value = card(tag), Explanation.date(value) == nil {
                return Reason(
                    "\(tag)\(Explanation.name(tag)) is not a date.", tag, "", "Book 3, 7.5",
                    change: "A card whose dates are YYMMDD.")
            }
        }
        if let asked = activation.exchanges.last(where: { $0.instruction == 0xAE })?.command.dropFirst(2).first,
            let information = card(0x9F27)?.first
        {
            if information >> 6 == 3 || asked >> 6 == 0 && information >> 6 != 0
                || asked >> 6 == 2 && information >> 6 == 1
            {
                return Reason(
                    "The card returned a cryptogram that was not allowed: the reader asked for "
                        + "\(Explanation.type(UInt64(asked & 0xC0))), the card returned \(cryptogram).", 0x9F27,
                    "bits 8-7",
                    "Book 3, 9.3", change: "A card that returns what it was asked for, or less.")
            }
            if kernel == 5, asked & 0x10 == 0, information >> 6 == 1, card(0x9F4B) == nil {
                return Reason(
                    "The card returned a TC (\(cryptogram)) without a signature (9F4B), and only CDA allows an offline "
                        + "approval.", 0x9F4B, "", book("3.8.1.8"),
                    change: "A card with CDA, and a reader that asks for it.")
            }
            if asked & 0x10 != 0, card(0x9F4B) == nil {
                return Reason(
                    "The reader asked for a signature with the cryptogram (CDA), and the card returned no 9F4B "
                        + "with its \(Explanation.type(UInt64(information & 0xC0))).",
                    0x9F4B, "", "Book 2, 6.6", change: "A card that signs, or a reader that does not ask for CDA.")
            }
        }
        if let list = card(0x8E), list.count < 8 || list.count % 2 != 0 {
            return Reason(
                "The CVM List (8E) is malformed: \(list.count) bytes.", 0x8E, "", "Book 3, 7.5",
                change: "A card whose CVM List has 8 bytes and whole rules.")
        }
        if let track = card(0x57), !track.contains(where: { $0 >> 4 == 0xD || $0 & 0xF == 0xD }) {
            return Reason(
                "Track 2 (57) has no separator, so it holds no account number that can be used.", 0x57, "",
                kernel == 3 ? book("4.1.1.4") : "Book 3, 7.5", change: "A card whose track 2 is well formed.")
        }
        return Reason(
            "An object in the answer to \(last) has a value or a length that the book does not allow.", nil, "",
            "Book 3, 7.5", change: "A card whose data follow the book.")
    }

    /// Mag-stripe mode of Kernel 4: the tracks are built from the card's data.
    private var ofMagstripe: Reason {
        let answer = activation.exchanges.last { $0.instruction == 0xCA }
        if objects.given[0x9F36] == nil, let answer {
            let isWrapped = answer.body.first == 0x77
            return Reason(
                "GET DATA did not return the transaction counter (9F36)"
                    + (isWrapped ? " as a plain object: it is inside template 77." : "."), 0x9F36, "", book("7.2.4.1"),
                change: "A card that answers GET DATA with 9F36 alone.")
        }
        let missing = ([0x57, 0x5F20, 0x5F25] as [Tag]).filter { (card($0) ?? []).isEmpty }
        let what =
            missing.isEmpty
            ? objects.given[0x9F36]?.count == 2
                ? "track 2 (57) has not the shape that mag-stripe mode needs: account number, separator, then enough "
                    + "digits"
                : "the counter (9F36) has not two bytes"
            : missing.map { "\($0)" + Explanation.name($0) }.joined(separator: ", ") + " missing"
        return Reason(
            "The tracks of mag-stripe mode cannot be made: \(what).", missing.first ?? 0x57, "", book("14"),
            change: "A card with sound mag-stripe data.")
    }

    private func locatorFault(_ list: Bytes) -> String? {
        guard list.count % 4 == 0 else { return nil }
        for at in stride(from: 0, to: list.count, by: 4) {
            let (file, first, end, signed) = (list[at] >> 3, list[at + 1], list[at + 2], list[at + 3])
            if file == 0 || file == 31 || list[at] & 7 != 0 { return "the file of entry \(at / 4 + 1) is \(file)" }
            if first == 0 || end < first { return "entry \(at / 4 + 1) names records \(first) to \(end)" }
            if Int(signed) > Int(end) - Int(first) + 1 { return "entry \(at / 4 + 1) signs more records than it has" }
        }
        return nil
    }

    /// The name in brackets, for the objects that reasons mention.
    static func name(_ tag: Tag) -> String {
        switch tag.rawValue {
        case 0x57: " (track 2)"
        case 0x5A: " (account number)"
        case 0x5F24: " (expiration date)"
        case 0x5F25: " (effective date)"
        case 0x82: " (AIP)"
        case 0x8C: " (CDOL1)"
        case 0x8E: " (CVM List)"
        case 0x8F: " (CA key index)"
        case 0x90: " (issuer certificate)"
        case 0x92: " (issuer key remainder)"
        case 0x94: " (AFL)"
        case 0x9F10: " (issuer application data)"
        case 0x9F26: " (cryptogram)"
        case 0x9F27: " (cryptogram information)"
        case 0x9F32: " (issuer key exponent)"
        case 0x9F36: " (transaction counter)"
        case 0x9F38: " (PDOL)"
        case 0x9F46: " (card certificate)"
        case 0x9F47: " (card key exponent)"
        case 0x9F4B: " (signature)"
        case 0x9F69: " (card authentication data)"
        case 0x93: " (signed static data)"
        default: ""
        }
    }
}
