// SPDX-License-Identifier: Apache-2.0
// Kernel 3 by Book C-3 v2.10, plain and from the book, with the decisions of Conformance/interpretations.md. Entered by
// `run` once an application is selected; returns the outcome.

final class Kernel3 {
    let entryPoint: EntryPoint
    let row: Combination
    let ttq: Bytes
    let name: Bytes
    let information: [Object]
    let issuerData: Bytes?
    private var number: Bytes = []

    /// Data objects of the card by tag (5.2.1.3), and whether one was repeated (5.4.2.2).
    private var card: [UInt32: Bytes] = [:]
    private var redundant = false
    /// The signed part of the records; `nil`: a signed record is invalid (Book 3, 10.3).
    private var staticData: Bytes? = []

    private var online = false
    private var decline = false

    private var transaction: Transaction { entryPoint.transaction }

    init(
        entryPoint: EntryPoint, row: Combination, ttq: Bytes, name: Bytes, information: [Object], issuerData: Bytes?
    ) {
        self.entryPoint = entryPoint
        self.row = row
        self.ttq = ttq
        self.name = name
        self.information = information
        self.issuerData = issuerData
    }

    /// 4.1.1.2.
    private var linkFault: Outcome {
        var outcome = Outcome(.tryAgain)
        outcome.start = .b
        return outcome
    }

    /// 5.2.2.2, 5.5.1.3 and 5.5.1.4.
    private var otherInterface: Outcome {
        var outcome = Outcome(.tryAnotherInterface)
        outcome.onOutcome = Request(message: 0x18)
        return outcome
    }

    func run() throws(Ended) -> Outcome {
        number = try entryPoint.unpredictableNumber()
        if let issuerData { return try issuerUpdate(issuerData) }
        // 5.2
        guard let command = processingOptions(find(0x9F38, in: information) ?? []) else { return .endApplication }
        guard let answer = try entryPoint.send(command) else {
            at("4.1.1.2", "options")
            return linkFault
        }
        at("5.2.2.2", answer.status)
        switch answer.status {
        case 0x9000: break
        case 0x6984: return otherInterface
        case 0x6985:
            var outcome = Outcome(.selectNext)
            outcome.start = .c
            return outcome
        case 0x6986:
            var outcome = Outcome(.tryAgain)
            outcome.start = .b
            outcome.onOutcome = Request(message: 0x20, hold: 13)
            outcome.onRestart = Request(message: 0x20)
            outcome.fieldOff = 13
            return outcome
        default: return .endApplication
        }
        guard let outer = parseObjects(answer.body), outer.count == 1, outer[0].tag == 0x77,
            let objects = parseObjects(outer[0].value), store(objects)
        else {
            at("4.1.1.4", "options")
            return .endApplication
        }
        // 5.3
        if let locator = card[0x94] {
            guard let entries = fileLocator(locator) else {
                at("5.3.2.1", "locator")
                return .endApplication
            }
            for entry in entries {
                guard let record = try entryPoint.send([0x00, 0xB2, entry.record, entry.file << 3 | 0x04, 0x00]) else {
                    at("4.1.1.2", "record")
                    return linkFault
                }
                if record.status != 0x9000 || !take(record.body, entry) {
                    at("5.3.2.1", record.status == 0x9000, entry.file > 10, entry.signed)
                    return .endApplication
                }
            }
        }
        return decide()
    }

    private func at(_ clause: String, _ branch: Any...) { entryPoint.at("C-3:" + clause, branch) }

    // MARK: 5.2 and 5.3, data from the card

    /// 5.2.2.1; `nil`: the list cannot be answered.
    private func processingOptions(_ list: Bytes) -> Bytes? {
        guard let entries = parseList(list) else { return nil }
        var values: Bytes = []
        for entry in entries {
            let (value, format) = terminalObject(entry.tag)
            values += fit(value, entry.length, format)
        }
        let data = tlv(0x83, values)
        if data.count > 255 { return nil }
        return [0x80, 0xA8, 0x00, 0x00, UInt8(data.count)] + data + [0x00]
    }

    /// The terminal's value for a tag; empty if absent, and a list then fills it with zeros.
    private func terminalObject(_ tag: UInt32) -> (Bytes, Format) {
        switch tag {
        case 0x9F66: return (ttq, .other)
        case 0x9F02: return (decimal(transaction.amount, 6), .numeric)
        case 0x9F03: return (decimal(transaction.amountOther, 6), .numeric)
        case 0x9F37: return (number, .other)
        case 0x5F2A: return (transaction.currency, .numeric)
        case 0x5F36: return ([UInt8(transaction.exponent)], .numeric)
        case 0x9A: return (transaction.date, .numeric)
        case 0x9F21: return (transaction.time, .numeric)
        case 0x9C: return ([type], .numeric)
        case 0x9F41: return (decimal(transaction.counter, 4), .numeric)
        case 0x95: return (Bytes(repeating: 0, count: 5), .other)
        default: break
        }
        let value = transaction.data[tag] ?? row.data[tag] ?? entryPoint.configuration.terminal[tag]
        switch tag {
        case 0x9F06: return (value ?? row.aid, .other)
        case 0x9F1B:
            let limit = min(row.terminalFloorLimit ?? 0, 0xFFFF_FFFF)
            return ([24, 16, 8, 0].map { UInt8(limit >> UInt64($0) & 0xFF) }, .other)
        case 0x9F1A, 0x9F35, 0x9F15, 0x9F01: return (value ?? [], .numeric)
        case 0x9F33, 0x9F40, 0x9F4E, 0x9F16, 0x9F1C, 0x9F1E, 0x9F09: return (value ?? [], .other)
        default: return ([], .other)
        }
    }

    /// Cashback is a purchase for the card (3.4.1.1).
    private var type: UInt8 { transaction.type == 0x09 ? 0x00 : transaction.type }

    /// Lengths by Table A-1 and by Annex A of Book 3.
    private static let lengths: [UInt32: ClosedRange<Int>] = [
        0x42: 0...255, 0x4F: 5...16, 0x50: 1...16, 0x56: 0...76, 0x57: 1...19, 0x5A: 1...10, 0x82: 2...2, 0x84: 5...16,
        0x87: 1...1, 0x88: 1...1, 0x8C: 0...252, 0x8D: 0...252, 0x8E: 10...252, 0x8F: 1...1, 0x90: 0...255,
        0x92: 0...255, 0x93: 0...255, 0x94: 0...252, 0x97: 0...252, 0x5F20: 0...255, 0x5F24: 3...3, 0x5F25: 3...3,
        0x5F28: 2...2, 0x5F2D: 2...8, 0x5F30: 2...2, 0x5F34: 1...1, 0x9F05: 1...32, 0x9F07: 2...2, 0x9F08: 2...2,
        0x9F0B: 0...255, 0x9F0D: 5...5, 0x9F0E: 5...5, 0x9F0F: 5...5, 0x9F10: 1...32, 0x9F11: 1...1, 0x9F12: 1...16,
        0x9F13: 2...2, 0x9F14: 1...1, 0x9F17: 1...1, 0x9F1F: 0...255, 0x9F20: 0...255, 0x9F23: 1...1, 0x9F24: 29...29,
        0x9F26: 8...8, 0x9F27: 1...1, 0x9F32: 1...3, 0x9F36: 2...2, 0x9F38: 0...255, 0x9F42: 2...2, 0x9F44: 1...1,
        0x9F45: 2...2, 0x9F46: 0...255, 0x9F47: 1...3, 0x9F48: 0...255, 0x9F49: 0...252, 0x9F4A: 0...255,
        0x9F4B: 0...255, 0x9F4C: 2...8, 0x9F4D: 0...255, 0x9F4F: 0...255, 0x9F5A: 1...16, 0x9F5D: 6...6,
        0x9F69: 5...16, 0x9F6B: 0...19, 0x9F6C: 2...2, 0x9F6E: 4...4, 0x9F7C: 1...32,
    ]

    /// False: an object is malformed (4.1.1.4).
    private func store(_ objects: [Object]) -> Bool {
        // Once an object was repeated, the transaction fails when the card is read (5.4.2.2). The answer is not checked
        // further, because no requirement says which of two faults ends it.
        var repeated = false
        for object in objects where !object.isConstructed {
            guard let length = Kernel3.lengths[object.tag] else { continue }
            // Empty is absent, but an AFL without entries is a fault (Book 3, 7.5).
            if object.value.isEmpty && object.tag != 0x94 { continue }
            if !length.contains(object.value.count) {
                if repeated { continue }
                at("4.1.1.4", hex(tagBytes(object.tag)))
                return false
            }
            if card[object.tag] == nil {
                card[object.tag] = object.value
            } else {
                at("5.4.2.2", hex(tagBytes(object.tag)))
                repeated = true
            }
        }
        redundant = redundant || repeated
        return true
    }

    private struct RecordPlace {
        var file: UInt8
        var record: UInt8
        var signed: Bool
    }

    /// Book 3, 10.2 and 7.5.
    private func fileLocator(_ locator: Bytes) -> [RecordPlace]? {
        if locator.isEmpty || locator.count % 4 != 0 { return nil }
        var places: [RecordPlace] = []
        for i in stride(from: 0, to: locator.count, by: 4) {
            let file = locator[i] >> 3
            let first = Int(locator[i + 1])
            let last = Int(locator[i + 2])
            let signed = Int(locator[i + 3])
            if file == 0 || file == 31 || first == 0 || last < first || signed > last - first + 1 { return nil }
            for record in first...last {
                places.append(RecordPlace(file: file, record: UInt8(record), signed: record - first < signed))
            }
        }
        if places.count > entryPoint.configuration.maxRecords { return nil }
        return places
    }

    /// One record (Book 3, 6.5.11.4 and 10.3). False: malformed.
    private func take(_ body: Bytes, _ place: RecordPlace) -> Bool {
        guard let outer = parseObjects(body), outer.count == 1, outer[0].tag == 0x70 else {
            // A template 70 that does not parse is malformed in every file (Book 3, 7.5), behind filler too (Annex B1).
            if place.file <= 10 || body.first(where: { $0 != 0x00 && $0 != 0xFF }) == 0x70 { return false }
            if place.signed { staticData = nil }
            return true
        }
        if place.signed {
            let template = outer[0]
            let signed =
                place.file > 10
                ? body : Array(body[0..<template.start]) + template.value + Array(body[template.end...])
            staticData = staticData.map { $0 + signed }
        }
        guard let objects = parseObjects(outer[0].value) else { return false }
        return store(objects)
    }

    // MARK: 5.4 to 5.9

    private enum Cryptogram {
        case aac, tc, arqc, unknown
    }

    /// The account number of track 2; `nil` if absent.
    private var trackAccount: [UInt8]? {
        guard let track = card[0x57] else { return nil }
        var digits: [UInt8] = []
        for nibble in nibbles(track) {
            if nibble == 0x0D { return digits.isEmpty ? nil : digits }
            if nibble > 9 { return nil }
            digits.append(nibble)
        }
        return nil
    }

    private func decide() -> Outcome {
        entryPoint.show(Request(message: 0x17))  // 5.4.1.1
        for tag in [0x9F26, 0x82, 0x9F36, 0x9F10, 0x57] as [UInt32] where card[tag] == nil {
            at("5.4.2.1", hex(tagBytes(tag)))
            return .endApplication
        }
        if find(0x9F38, in: information) == nil || redundant { return .endApplication }
        guard let account = trackAccount else {
            at("5.4.2.1", "track")
            return .endApplication
        }
        if let own = card[0x5A], compressed(own) != account {  // A.2, 5A
            at("A.2", "5A")
            return .endApplication
        }
        let qualifiers = card[0x9F6C]

        // 5.4.3
        var information = card[0x9F27]?.first
        if information == nil, let issuer = card[0x9F10], issuer.count >= 5 { information = issuer[4] << 2 & 0xC0 }
        var cryptogram = Cryptogram.unknown
        if let information { cryptogram = [.aac, .tc, .arqc, .unknown][Int(information >> 6)] }
        let refund = transaction.type == 0x20
        let refundDone = refund && cryptogram == .aac
        at("5.4.3.1", cryptogram, card[0x9F27] == nil, refund, ttq[1] & 0x80)
        if cryptogram == .aac {
            if refund { online = true } else { decline = true }
        }
        if cryptogram == .arqc || ttq[1] & 0x80 != 0 { online = true }
        if cryptogram == .unknown { decline = true }

        // 5.5.1.1
        if cryptogram == .tc {
            var expired = true
            if let expiry = card[0x5F24] {
                guard let last = Date3(expiry), let today = Date3(transaction.date) else { return .endApplication }
                expired = last < today
            }
            at("5.5.1.1", card[0x5F24] == nil, expired, (qualifiers?[0] ?? 0) & 0x08)
            if card[0x5F24] == transaction.date { at("5.5.1.1", "today") }
            if expired { mark(online: qualifiers.map { $0[0] & 0x08 != 0 } ?? false) }
        }
        // 5.5.1.2
        if cryptogram == .tc && isException(account) {
            at("5.5.1.2")
            decline = true
        }
        // 5.5.1.3, 5.5.1.4
        if row.usageControl {
            if transaction.type == 0x01 || cashback {
                let country = card[0x5F28] == (row.data[0x9F1A] ?? entryPoint.configuration.terminal[0x9F1A])
                at("5.5.1.3", transaction.type, usageAllowed(0), usageAllowed(1), country, (qualifiers?[0] ?? 0) & 0x06)
            }
            if transaction.type == 0x01 && !usageAllowed(0) {
                if let qualifiers, qualifiers[0] & 0x04 != 0 { return otherInterface }
                decline = true
            }
            if cashback && !usageAllowed(1) {
                if let qualifiers, qualifiers[0] & 0x02 != 0 { return otherInterface }
                decline = true
            }
        }

        // 5.6.1
        let isSigned = online || decline || signatureHolds(format: 0x05)
        if !online && !decline { at("5.6.1.2", isSigned, (qualifiers?[0] ?? 0) & 0x30, ttq[0] & 0x18) }
        if !isSigned {
            if let qualifiers, qualifiers[0] & 0x20 != 0, ttq[0] & 0x08 == 0 {
                online = true
            } else if let qualifiers, qualifiers[0] & 0x10 != 0, ttq[0] & 0x10 != 0 {
                var outcome = Outcome(.tryAnotherInterface)
                outcome.onOutcome = Request(message: 0x1D)
                outcome.contactPreferred = true
                return outcome
            } else {
                decline = true
            }
        }

        // 5.7
        var cvm = "none"
        if !decline && !refund { cvm = verification(qualifiers, cryptogram) }

        return conclude(cvm, qualifiers, refundDone: refundDone)
    }

    private func mark(online toOnline: Bool) {
        if toOnline { online = true } else { decline = true }
    }

    private var cashback: Bool {
        transaction.type == 0x09 || (transaction.type == 0x00 && transaction.amountOther > 0)
    }

    private func usageAllowed(_ byte: Int) -> Bool {
        guard let control = card[0x9F07], let country = card[0x5F28] else { return false }
        let own = row.data[0x9F1A] ?? entryPoint.configuration.terminal[0x9F1A]
        return control[byte] & (country == own ? 0x80 : 0x40) != 0
    }

    private func isException(_ account: [UInt8]) -> Bool {
        let text = account.map { String($0) }.joined()
        for entry in entryPoint.configuration.exceptions where entry.pan == text {
            guard let sequence = entry.sequence else { return true }
            if card[0x5F34] == [sequence] { return true }
        }
        return false
    }

    /// 5.7.1.
    private func verification(_ qualifiers: Bytes?, _ cryptogram: Cryptogram) -> String {
        let required = ttq[1] & 0x40 != 0
        at("5.7.1", required, ttq[0] & 0x06, qualifiers.map { [$0[0] & 0xC0, $0[1] & 0x80] } ?? [])
        var cvm = "none"
        if let qualifiers {
            if qualifiers[0] & 0x80 != 0 && ttq[0] & 0x04 != 0 {
                cvm = "onlinePIN"
                online = true
            } else if qualifiers[1] & 0x80 != 0 {
                var holds = cryptogram == .arqc
                if let related = card[0x9F69] {
                    holds = related.count >= 7 && Array(related[5...6]) == qualifiers
                }
                at("5.7.1.2", holds, card[0x9F69]?.count ?? 0, cryptogram)
                if holds { cvm = "cdcvm" } else { decline = true }
            } else if qualifiers[0] & 0x40 != 0 && ttq[0] & 0x02 != 0 {
                cvm = "signature"
            }
        } else if required {
            if ttq[0] & 0x02 != 0 {
                cvm = "signature"
            } else if ttq[0] & 0x04 != 0 {
                cvm = "onlinePIN"
                online = true
            } else {
                decline = true
            }
        }
        if required && cvm == "none" {
            at("5.7.1.3")
            decline = true
        }
        return cvm
    }

    /// 5.8 and 5.9.
    private func conclude(_ cvm: String, _ qualifiers: Bytes?, refundDone: Bool) -> Outcome {
        let offlineOnly = ttq[0] & 0x08 != 0 && !refundDone
        at("5.9.1.2", decline, online, offlineOnly, (qualifiers?[1] ?? 0) & 0x40, ttq[2] & 0x80)
        var outcome: Outcome
        if decline || (online && offlineOnly) {
            outcome = Outcome(.declined)
            outcome.cvm = "none"
            outcome.onOutcome = Request(message: 0x07)
        } else if online {
            outcome = Outcome(.onlineRequest)
            outcome.cvm = cvm
            outcome.onOutcome = Request(message: 0x1B)
            if let qualifiers, qualifiers[1] & 0x40 != 0, ttq[2] & 0x80 != 0 {  // 5.8.1.2
                outcome.start = .b
                outcome.wantsIssuerData = true
                outcome.onRestart = Request(message: 0x21)
                outcome.fieldOff = 0
            }
        } else {
            outcome = Outcome(.approved)
            outcome.cvm = cvm
            outcome.onOutcome = Request(message: 0x03)
        }
        if let balance = card[0x9F5D], isDecimal(balance) {  // 4.3.1.1; a balance must be n 12
            outcome.onOutcome?.balance = UInt64(hex(balance))
            outcome.discretionary.append((0x9F5D, balance))
        }
        if let reference = card[0x9F24] { outcome.discretionary.append((0x9F24, reference)) }
        outcome.data = dataRecord()
        return outcome
    }

    /// The objects that an outcome may export.
    static let record: [UInt32] = [
        0x9F02, 0x9F1A, 0x95, 0x5F2A, 0x9A, 0x9C, 0x9F37, 0x9F03, 0x9F26, 0x82, 0x9F36, 0x9F10, 0x57, 0x5F34, 0x9F7C,
        0x9F6E,
    ]
    static let discretionary: [UInt32] = [0x9F5D, 0x9F24, 0x9F5B]

    /// Table B-1.
    private func dataRecord() -> [(UInt32, Bytes)] {
        var record: [(UInt32, Bytes)] = []
        for tag in [0x9F02, 0x9F1A, 0x95, 0x5F2A, 0x9A, 0x9C, 0x9F37] as [UInt32] {
            record.append((tag, terminalObject(tag).0))
        }
        // A cash back of zero counts as one (interpretation of 3.4.1.1).
        if transaction.amountOther > 0 || transaction.type == 0x09 { record.append((0x9F03, terminalObject(0x9F03).0)) }
        for tag in [0x9F26, 0x82, 0x9F36, 0x9F10, 0x57, 0x5F34, 0x9F7C] as [UInt32] {
            if let value = card[tag] { record.append((tag, value)) }
        }
        if var factor = card[0x9F6E] {
            factor[3] &= 0xF0  // 4.1.1.1
            at("4.1.1.1")
            record.append((0x9F6E, factor))
        }
        return record
    }

    // MARK: Annex C

    private func signatureHolds(format: UInt8) -> Bool {
        guard card[0x82]![0] & 0x20 != 0 else { return false }
        at("C", card[0x9F69] != nil, card[0x9F4B] != nil)
        guard let related = card[0x9F69], related[0] == 0x01, let signature = card[0x9F4B] else { return false }
        guard let key = cardKey() else { return false }
        guard let plain = key.recover(signature), plain.count >= 25, plain[0] == 0x6A, plain.last == 0xBC else {
            return false
        }
        if plain[1] != format || plain[2] != 0x01 { return false }
        if Int(plain[3]) > plain.count - 25 { return false }
        let signed = Array(plain[1..<plain.count - 21])
        let terminal = number + decimal(transaction.amount, 6) + transaction.currency + related
        return sha1(signed + terminal) == Array(plain[plain.count - 21..<plain.count - 1])
    }

    private func cardKey() -> PublicKey? {
        guard var covered = staticData else { return nil }
        if let list = card[0x9F4A] {
            at("C", "9F4A", list == [0x82])
            if list != [0x82] { return nil }
            covered += card[0x82]!
        }
        return recoverCardKey(
            card: card, rid: Array(name.prefix(5)), covered: covered, configuration: entryPoint.configuration,
            today: transaction.date)
    }

    // MARK: 6, issuer update

    private func issuerUpdate(_ data: Bytes) throws(Ended) -> Outcome {
        let objects = parseObjects(data) ?? []
        if let authentication = find(0x91, in: objects), (8...16).contains(authentication.count) {  // 6.2.1.1
            at("6.2.1.1")
            let command: Bytes = [0x00, 0x82, 0x00, 0x00, UInt8(authentication.count)] + authentication
            if try entryPoint.send(command) == nil { return linkFault }
        }
        var results: Bytes = []
        var scripts = 0
        var stopped = false
        // A result for each template processed (A.2, 9F5B): none after a refused command, none for an empty one.
        for object in objects where [0x71, 0x72].contains(object.tag) && !object.value.isEmpty && !stopped {
            scripts += 1
            guard let result = try script(object.value, &stopped) else { return linkFault }
            at("6.2.1.2", scripts, result[0], object.tag)
            results += result
        }
        var outcome = Outcome(.endApplication)  // 6.2.1.3
        if scripts > 0 { outcome.discretionary.append((0x9F5B, results)) }
        return outcome
    }

    /// One template: its result, `nil` if the link failed. It is read to its end before a command is sent (Book 3, E2
    /// advises against doing both at once). One that cannot be read is not performed (Book 3, E1, scenario 3; Book 4,
    /// 12.2.4), and the others continue: C-3, 6.2.1.2 ends all scripts for a status word only.
    private func script(_ body: Bytes, _ stopped: inout Bool) throws(Ended) -> Bytes? {
        var identifier = Bytes(repeating: 0, count: 4)
        var commands: [Bytes] = []
        var at = 0
        while at < body.count {
            if body[at] == 0x00 || body[at] == 0xFF {
                at += 1
                continue
            }
            guard let object = parseObject(body, at: at), object.tag != 0x86 || object.value.count >= 4 else {
                return [0x00] + identifier
            }
            at = object.end
            if object.tag == 0x9F18 && object.value.count == 4 { identifier = object.value }
            if object.tag == 0x86 { commands.append(object.value) }
        }
        for (index, command) in commands.enumerated() {
            guard let answer = try entryPoint.send(command) else { return nil }
            if answer.status != 0x9000 && ![0x62, 0x63].contains(answer.status >> 8) {
                stopped = true
                return [0x10 | UInt8(min(index + 1, 15))] + identifier
            }
        }
        return [0x20] + identifier
    }
}

/// A date of three packed bytes, with the century of Book 4, 6.7.3; `nil` where there is no such day.
struct Date3 {
    var year: Int
    var month: Int
    var day: Int

    init?(_ bytes: Bytes) {
        if !isDecimal(bytes) { return nil }
        let parts = bytes.map { Int($0 >> 4) * 10 + Int($0 & 0x0F) }
        year = (parts[0] >= 50 ? 1900 : 2000) + parts[0]
        month = parts[1]
        day = parts[2]
        if month < 1 || month > 12 || day < 1 { return nil }
        let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        let days = [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        if day > days[month - 1] { return nil }
    }

    static func < (a: Date3, b: Date3) -> Bool { (a.year, a.month, a.day) < (b.year, b.month, b.day) }
}
