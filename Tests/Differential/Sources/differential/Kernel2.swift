// SPDX-License-Identifier: Apache-2.0
// Kernel 2 by its engineering digest (Book C-2 cannot be read), Book C-8 of the same design and Books 2 to 4: plain,
// slow, with the digest's step numbers. Entered by `run` once an application is selected; returns the outcome. The
// decisions without a state are in Kernel2Rules.swift, the data objects in Kernel2Data.swift.

final class Kernel2 {
    /// An end of the kernel, thrown where it is reached.
    struct Finish: Error { var outcome: Outcome }

    enum Mode {
        case none, emv, stripe
    }
    enum Command {
        case readRecord, getData, none
    }
    struct Place {
        var file: UInt8
        var record: UInt8
        var signed: Bool
    }
    struct Answer {
        var body: Bytes
        var status: Int
        var micros: Int
    }

    let entryPoint: EntryPoint
    let row: Combination
    let memory: Memory2
    private let information: Bytes
    let name: Bytes

    var db: [UInt32: Bytes] = [:]
    var mode = Mode.none
    var error: Bytes = [0, 0, 0, 0, 0, 0xFF]
    var cvm = "notApplicable"
    var receipt = false
    var fieldOff: Int?

    var cda = false
    var type: UInt8 = 0x40
    var staticData: Bytes = []
    var restored: [UInt32: Bytes]?

    private var active: [Place] = []
    private var next = Command.none
    private var activeTag: UInt32 = 0
    private var limit: UInt64 = 0
    private var needed: [UInt32] = []
    private var toSend: [(UInt32, Bytes)] = []
    private var toRead: [UInt32] = []
    private var writeBefore: [(UInt32, Bytes)] = []
    private var writeAfter: [(UInt32, Bytes)] = []
    /// The template 77 of the cryptogram, for the transaction data hash.
    var cryptogramAnswer: Bytes = []
    private var digits = 0

    init(entryPoint: EntryPoint, row: Combination, name: Bytes, information: Bytes, memory: Memory2) {
        self.name = name
        self.entryPoint = entryPoint
        self.row = row
        self.information = information
        self.memory = memory
    }

    func run() throws(Ended) -> Outcome {
        do {
            return try start()
        } catch let finish as Finish {
            return finish.outcome
        } catch {
            throw Ended()
        }
    }

    // MARK: objects

    func has(_ tag: UInt32) -> Bool { !(db[tag] ?? []).isEmpty }
    func byte(_ tag: UInt32, _ index: Int) -> UInt8 {
        let value = db[tag] ?? []
        return index < value.count ? value[index] : 0
    }
    func isSet(_ tag: UInt32, _ index: Int, _ mask: UInt8) -> Bool { byte(tag, index) & mask != 0 }
    func mark(_ index: Int, _ mask: UInt8, line: Int = #line) {
        at("TVR", index + 1, mask, line)
        db[0x95]![index] |= mask
    }
    func at(_ step: String, _ branch: Any...) { entryPoint.at("C-2:" + step, branch) }

    /// Amount above a limit; an absent limit is never exceeded.
    func exceeds(_ tag: UInt32) -> Bool {
        let limit = amount(db[tag] ?? Bytes(repeating: 0x99, count: 6))
        entryPoint.at("C-2:2.2 " + hex(tagBytes(tag)), amount(db[0x9F02] ?? []), comparedWith: limit)
        return amount(db[0x9F02] ?? []) > limit
    }

    var onDevice: Bool { isSet(0x82, 0, 0x02) && isSet(0xDF811B, 0, 0x20) }
    var idsRead: Bool { isSet(0xDF8128, 0, 0x80) }
    var idsWrite: Bool { isSet(0xDF8128, 0, 0x40) }
    var relayPerformed: Bool { byte(0x95, 4) & 0x03 == 0x02 }
    var secondTap: Bool { has(0xDF4B) && (byte(0xDF4B, 1) & 0x03 != 0 || byte(0xDF4B, 2) & 0x0F != 0) }
    private var messageHold: Int { Int(amount(db[0xDF812D]!)) }

    /// Parse and store a response: one object of that template (1.1, rules 3 and 4).
    private func parse(_ body: Bytes, _ template: UInt32) -> Bool {
        guard let outer = parseObjects(body), outer.count == 1, outer[0].tag == template,
            let objects = Kernel2.primitives(outer[0].value)
        else { return false }
        return objects.allSatisfy { storeOne($0.tag, $0.value) }
    }

    /// Every primitive object, in any template; `nil` if not all of it can be read: then none is stored (Book C-8,
    /// 4.1.3, TLV Encoding Error).
    private static func primitives(_ bytes: Bytes) -> [Object]? {
        guard let objects = parseObjects(bytes) else { return nil }
        var out: [Object] = []
        for object in objects {
            guard object.isConstructed else {
                out.append(object)
                continue
            }
            guard let inner = primitives(object.value) else { return nil }
            out += inner
        }
        return out
    }

    private func storeOne(_ tag: UInt32, _ value: Bytes) -> Bool {
        let held = db[tag]
        if let lengths = Objects2.card[tag] {
            if let held, !held.isEmpty {
                at("1.1", "twice", held == value)
                return held == value
            }
            // As if it were absent (Conformance/interpretations.md); but an empty DS ODS Card means a free slot.
            if value.isEmpty {
                if tag == 0x9F54 { db[tag] = value }
                return true
            }
            if !lengths.contains(value.count) {
                at("1.1", "length", hex(tagBytes(tag)))
                return false
            }
            if tag == 0x94 && value.count % 4 != 0 { return false }
            db[tag] = value
            return true
        }
        at("1.1", Objects2.own.contains(tag), tagBytes(tag)[0] & 0xC0, held != nil)
        if Objects2.own.contains(tag) { return tagBytes(tag)[0] & 0xC0 == 0xC0 }
        if let held {
            if !held.isEmpty { return false }
            db[tag] = value
        }
        return true
    }

    func list(_ tag: UInt32) -> [ListEntry] { parseList(db[tag] ?? []) ?? [] }

    /// One after the other, as far as the list can be read. Missing objects are looked for before a list is answered,
    /// and only the answer needs the whole list (S1.11, S4.28, S4.32).
    private func entries(_ tag: UInt32) -> [ListEntry] {
        var bytes = db[tag] ?? []
        while true {
            if let all = parseList(bytes) { return all }
            bytes.removeLast()
        }
    }

    /// Values of a list (1.1, rule 6). The card's own objects and the configuration's are answered with zeros.
    func related(_ entries: [ListEntry]) -> Bytes {
        var out: Bytes = []
        for entry in entries {
            let open = Kernel2.open(entry.tag)
            out += fit(open ? db[entry.tag] ?? [] : [], entry.length, Objects2.format(entry.tag))
        }
        return out
    }

    private static func open(_ tag: UInt32) -> Bool {
        if tag == 0xDF810C || tag == 0xDF810D || (0xDF8117...0xDF8137).contains(tag) { return false }
        return Objects2.card[tag] == nil || (0x9F70...0x9F79).contains(tag)
    }

    // MARK: ends (3.0)

    private func discretionary() -> [(UInt32, Bytes)] {
        db[0xDF8115] = error
        let tags: [UInt32]
        switch mode {
        case .none: tags = [0xDF8115]
        case .emv: tags = Objects2.discretionary
        case .stripe: tags = Objects2.stripeDiscretionary
        }
        // Book C-8, CreateDiscretionaryData: empty ones are left out.
        return tags.filter { has($0) }.map { ($0, db[$0]!) }
    }

    private func outcome(_ status: Outcome.Status) -> Outcome {
        var out = Outcome(status)
        out.cvm = cvm
        out.receipt = receipt
        out.fieldOff = fieldOff
        out.errorIndication = error
        out.discretionary = discretionary()
        return out
    }

    private func withRecord(_ outcome: Outcome) -> Outcome {
        var out = outcome
        let tags = mode == .emv ? Objects2.record : Objects2.stripeRecord
        out.data = tags.compactMap { tag in db[tag].map { (tag, $0) } }
        return out
    }

    private func stopped() -> Finish {
        error[2] = 0x02
        var out = outcome(.endApplication)
        out.tap = "cancelled"
        return Finish(outcome: out)
    }

    private func timedOut() -> Finish {
        error[2] = 0x01
        return Finish(outcome: outcome(.endApplication))
    }

    func otherCard(_ level2: UInt8, record: Bool = false, line: Int = #line) -> Finish {
        at("OTHERCARD", level2, record, line)
        error[1] = level2
        error[5] = 0x1C
        var out = outcome(.endApplication)
        out.onOutcome = Request(message: 0x1C, hold: messageHold)
        return Finish(outcome: record ? withRecord(out) : out)
    }

    private func status(_ answer: Answer) {
        error[3] = UInt8(answer.status >> 8)
        error[4] = UInt8(answer.status & 0xFF)
    }

    private func again(line: Int = #line) -> Finish {
        at("AGAIN", error[0], line)
        error[5] = 0x21
        var out = outcome(.endApplication)
        out.start = .b
        out.onRestart = Request(message: 0x21)
        return Finish(outcome: out)
    }

    private func nextApplication(_ level2: UInt8, line: Int = #line) -> Finish {
        at("NEXT", level2, line)
        error[1] = level2
        var out = outcome(.selectNext)
        out.start = .c
        out.fieldOff = nil
        return Finish(outcome: out)
    }

    // MARK: the card and the terminal

    /// `nil`: no answer, with its L1 code noted.
    private func transmit(_ command: Bytes, data: Bool = true, stop: Bool = true) throws -> Answer? {
        while true {
            switch try entryPoint.ask(.send(command)) {
            case .response(let bytes): return answer(bytes, 0)
            case .timed(let bytes, let micros): return answer(bytes, micros)
            case .fault(let kind):
                error[0] = kind == "transmission" ? 0x02 : kind == "protocol" ? 0x03 : 0x01
                return nil
            case .data(let bytes): if data { update(bytes) }
            case .stop: if stop { throw stopped() }
            default: throw Ended()
            }
        }
    }

    private func answer(_ bytes: Bytes, _ micros: Int) -> Answer? {
        if bytes.count < 2 || bytes.count > 258 {
            error[0] = 0x03
            return nil
        }
        return Answer(
            body: Array(bytes.dropLast(2)), status: number(Array(bytes.suffix(2))), micros: micros)
    }

    /// 1.1, rule 5.
    private func update(_ data: Bytes) {
        for object in parseObjects(data, filler: false) ?? [] where Objects2.terminal.contains(object.tag) {
            db[object.tag] = object.value
            at("1.1", "DET", hex(tagBytes(object.tag)))
            switch object.tag {
            case 0xDF8112: addTags(object.value)
            case 0xFF8102: add(&writeBefore, parseObjects(object.value) ?? [])
            case 0xFF8103: add(&writeAfter, parseObjects(object.value) ?? [])
            default: break
            }
        }
    }

    private func addTags(_ list: Bytes) {
        var at = 0
        while let (tag, end) = parseTag(list, at: at) {
            if !toRead.contains(tag) { toRead.append(tag) }
            at = end
        }
    }

    private func add(_ list: inout [(UInt32, Bytes)], _ objects: [Object]) {
        for object in objects { put(&list, object.tag, object.value) }
    }

    private func put(_ list: inout [(UInt32, Bytes)], _ tag: UInt32, _ value: Bytes) {
        if let at = list.firstIndex(where: { $0.0 == tag }) {
            list[at].1 = value
        } else {
            list.append((tag, value))
        }
    }

    private func need(_ tag: UInt32) {
        if !needed.contains(tag) { needed.append(tag) }
    }

    private func spool() {
        for tag in toRead where has(tag) {
            put(&toSend, tag, db[tag]!)
            toRead.removeAll { $0 == tag }
        }
    }

    private func exchange() {
        at("2.5", "DEK", toSend.isEmpty, needed.isEmpty)
        for (tag, value) in toSend { at("2.5", "DEK", hex(tagBytes(tag)), value.isEmpty) }
        for tag in needed { at("2.5", "needed", hex(tagBytes(tag))) }
        entryPoint.sent += tlv(0xFF8104, toSend.flatMap { tlv($0.0, $0.1) })
        entryPoint.sent += tlv(0xDF8106, needed.flatMap { tagBytes($0) })
        toSend = []
        needed = []
    }

    private func exchangeIfNeeded() {
        if !needed.isEmpty || (!toSend.isEmpty && toRead.isEmpty) { exchange() }
    }

    /// Waits for terminal data (S2, S6, S8).
    private func waitForData() throws {
        switch try entryPoint.ask(.askData) {
        case .data(let bytes): update(bytes)
        case .deadline: throw timedOut()
        case .stop: throw stopped()
        default: throw Ended()
        }
    }

    // MARK: S1 and S2

    private func load() {
        for (tag, value) in Objects2.defaults { db[tag] = unhex(value)! }
        for (tag, value) in entryPoint.configuration.terminal where Objects2.isKnown(tag) { db[tag] = value }
        for (tag, value) in row.data { db[tag] = value }
        let limits: [(UInt32, UInt64?)] = [
            (0xDF8123, row.floorLimit), (0xDF8124, row.transactionLimit), (0xDF8125, row.onDeviceLimit),
            (0xDF8126, row.cvmRequiredLimit),
        ]
        for (tag, value) in limits where db[tag] == nil { db[tag] = decimal(value ?? 999_999_999_999, 6) }
        let transaction = entryPoint.transaction
        db[0x9F02] = decimal(transaction.amount, 6)
        db[0x9F03] = decimal(transaction.amountOther, 6)
        db[0x5F2A] = transaction.currency
        db[0x5F36] = [UInt8(transaction.exponent)]
        db[0x9A] = transaction.date
        db[0x9F21] = transaction.time
        db[0x9C] = [transaction.type]
        if db[0x9F06] == nil { db[0x9F06] = row.aid }
        for (tag, value) in transaction.data { db[tag] = value }
        db[0x9F33] = nil
    }

    private func start() throws -> Outcome {
        load()
        let unpredictable = try entryPoint.unpredictableNumber()  // at every activation (Book A, 8.1.1.8)
        guard parse(information, 0x6F) else { throw nextApplication(0x04) }
        if !has(0x84) { throw nextApplication(0x01) }
        at("S1.8", byte(0x9F5D, 1) & 0x04, byte(0xDF8130, 0) == 0xFF)
        if isSet(0x9F5D, 1, 0x04), byte(0xDF8130, 0) != 0xFF { fieldOff = Int(byte(0xDF8130, 0)) }
        db[0x9F34] = [0, 0, 0]
        db[0x95] = Bytes(repeating: 0, count: 5)
        db[0xDF8307] = [0]
        db[0x9F33] = [byte(0xDF8117, 0), 0x00, byte(0xDF811F, 0)]
        db[0x9F37] = unpredictable
        db[0x9F7E] = [0x01]
        if let tags = db[0xDF8112] {
            if tags.isEmpty { need(0xDF8112) } else { addTags(tags) }
        }
        let open = entries(0x9F38).filter { db[$0.tag]?.isEmpty == true && Objects2.terminal.contains($0.tag) }
        for entry in open { need(entry.tag) }
        spool()
        for tag in [0xDF8128, 0xDF810B, 0xDF810E, 0xDF810F] as [UInt32] { db[tag] = [0] }
        db[0xDF61] = nil
        if let objects = db[0xFF8102] {
            if objects.isEmpty { need(0xFF8102) } else { add(&writeBefore, parseObjects(objects) ?? []) }
        }
        if let objects = db[0xFF8103] {
            if objects.isEmpty { need(0xFF8103) } else { add(&writeAfter, parseObjects(objects) ?? []) }
        }
        if has(0xDF810D) && db[0x9F5C] != nil {  // S1.17
            at("S1.17", byte(0x9F5D, 0) & 0x0F, has(0x9F5E), has(0x9F5C))
            put(&toSend, 0x9F5E, db[0x9F5E] ?? [])
            put(&toSend, 0x9F5D, db[0x9F5D] ?? [])
            let version = byte(0x9F5D, 0) & 0x0F
            if (version == 1 || version == 2) && has(0x9F5E) { db[0xDF8128] = [0x80] }
        }
        if !open.isEmpty {  // S2
            at("S1.21")
            exchange()
            repeat { try waitForData() } while open.contains { db[$0.tag]?.isEmpty == true }
        }
        guard let pdol = parseList(db[0x9F38] ?? []) else { throw nextApplication(0x04) }
        db[0xDF8111] = tlv(0x83, related(pdol))
        return try processingOptions()
    }

    // MARK: S3

    private func processingOptions() throws -> Outcome {
        let data = db[0xDF8111]!
        if data.count > 255 { throw nextApplication(0x04) }
        guard let answer = try transmit([0x80, 0xA8, 0x00, 0x00, UInt8(data.count)] + data + [0x00]) else {
            var out = outcome(.tryAgain)
            out.start = .b
            throw Finish(outcome: out)
        }
        if answer.status != 0x9000 {
            status(answer)
            throw nextApplication(0x03)
        }
        at("S3.10", answer.body.first ?? 0)
        guard storeOptions(answer.body) else { throw otherCard(0x04) }
        if !has(0x82) || !has(0x94) { throw otherCard(0x01) }
        if places(db[0x94]!) == nil { throw otherCard(0x06) }  // 4.4.1, before anything else is done with it
        if byte(0xDF811B, 0) & 0x40 == 0 && isSet(0x82, 1, 0x80) {
            return try emvMode()
        }
        if byte(0xDF811B, 0) & 0x80 != 0 { throw otherCard(0x07) }
        return try stripeMode()
    }

    private func storeOptions(_ body: Bytes) -> Bool {
        if body.first != 0x80 { return parse(body, 0x77) }
        guard let outer = parseObjects(body), outer.count == 1 else { return false }
        let value = outer[0].value
        if value.count < 6 || (value.count - 2) % 4 != 0 || has(0x82) || has(0x94) { return false }
        db[0x82] = Array(value[0..<2])
        db[0x94] = Array(value[2...])
        return true
    }

    /// 4.4.1. `nil`: an invalid entry.
    private func places(_ locator: Bytes) -> [Place]? {
        var out: [Place] = []
        for i in stride(from: 0, to: locator.count, by: 4) {
            let file = locator[i] >> 3
            let first = Int(locator[i + 1])
            let last = Int(locator[i + 2])
            let signed = Int(locator[i + 3])
            if file == 0 || file == 31 || first == 0 || last < first || signed > last - first + 1 { return nil }
            for record in first...last {
                out.append(Place(file: file, record: UInt8(record), signed: record - first < signed))
            }
        }
        return out.count > entryPoint.configuration.maxRecords ? nil : out
    }

    private func chooseLimit() { limit = amount(db[onDevice ? 0xDF8125 : 0xDF8124]!) }

    private func emvMode() throws -> Outcome {
        var locator = db[0x94]!
        if locator.starts(with: [0x08, 0x01, 0x01, 0x00]) && byte(0xDF811B, 0) & 0x80 == 0 {
            locator = Array(locator.dropFirst(4))
        }
        guard let list = places(locator) else { throw otherCard(0x06) }
        at("S3.30", list.count < places(db[0x94]!)!.count, onDevice)
        active = list
        mode = .emv
        chooseLimit()
        if isSet(0x82, 1, 0x01) && isSet(0xDF811B, 0, 0x10) {
            try relay()
        } else {
            mark(4, 0x01)
        }
        try startReading()
        return try read()
    }

    // MARK: R1 (4.9)

    private func relay() throws {
        while true {
            db[0x9F37] = try entryPoint.unpredictableNumber()
            db[0xDF8301] = db[0x9F37]!
            guard let answer = try transmit([0x80, 0xEA, 0x00, 0x00, 0x04] + db[0x9F37]! + [0x00]) else {
                throw again()
            }
            if answer.status != 0x9000 {
                status(answer)
                throw otherCard(0x03)
            }
            let body = answer.body
            if body.count != 12 || body[0] != 0x80 || body[1] != 0x0A { throw otherCard(0x04) }
            db[0xDF8302] = Array(body[2..<6])
            db[0xDF8303] = Array(body[6..<8])
            db[0xDF8304] = Array(body[8..<10])
            db[0xDF8305] = Array(body[10..<12])
            let least = number(db[0xDF8303]!)
            let most = number(db[0xDF8304]!)
            let cardTime = number(db[0xDF8305]!)
            let readerTime = number(db[0xDF8135]!)
            let measured = max(0, answer.micros / 100 - number(db[0xDF8134]!) - min(cardTime, readerTime))
            let time = min(measured, 0xFFFF)
            db[0xDF8306] = [UInt8(time >> 8), UInt8(time & 0xFF)]
            if time < max(0, least - number(db[0xDF8132]!)) { throw otherCard(0x06) }
            let tooSlow = time > most + number(db[0xDF8133]!)
            if tooSlow && byte(0xDF8307, 0) < 2 {
                db[0xDF8307] = [byte(0xDF8307, 0) + 1]
                continue
            }
            at("SR1.18", byte(0xDF8307, 0), tooSlow, time == most + number(db[0xDF8133]!), time == 0)
            if tooSlow { mark(4, 0x04) }
            let percent = number(db[0xDF8137]!)
            var differ = max(0, time - least) > number(db[0xDF8136]!)
            if cardTime > 0 && readerTime > 0 {
                if cardTime * 100 / readerTime < percent || readerTime * 100 / cardTime < percent { differ = true }
            }
            at("SR1.25", differ, time - least == number(db[0xDF8136]!), cardTime == 0, readerTime == 0)
            if differ { mark(4, 0x08) }
            mark(4, 0x02)
            return
        }
    }

    // MARK: S3R1, S4, S5, S6, S456

    private func chooseNext() {
        if let at = toRead.firstIndex(where: { Objects2.isReadByCommand($0) }) {
            activeTag = toRead.remove(at: at)
            next = .getData
        } else {
            next = active.isEmpty ? .none : .readRecord
        }
    }

    private func startReading() throws {
        chooseNext()
        if next == .none {
            mode = .none
            throw otherCard(0x06)
        }
        if idsRead {
            for tag in [0x9F5F, 0x9F7D, 0x9F7F, 0x9F6F] as [UInt32] where has(tag) { put(&toSend, tag, db[tag]!) }
            if let stored = db[0x9F54] { put(&toSend, 0x9F54, stored) }
            put(&toSend, 0x9F37, db[0x9F37]!)
            let fresh = has(0x9F5F) && has(0x9F7D) && has(0x9F7F) && db[0x9F54] == nil
            let kept = has(0x9F7D) && db[0x9F54] != nil
            at("S3R1.10", fresh, kept, has(0x9F54), has(0x9F7F), has(0x9F5F))
            if !fresh && !kept { db[0xDF8128] = [byte(0xDF8128, 0) & 0x7F] }
        }
        spool()
        exchangeIfNeeded()
        if (isSet(0x82, 0, 0x01) && isSet(0x9F33, 2, 0x08)) || idsRead {
            cda = true
        } else {
            mark(0, 0x80)
        }
    }

    private func read() throws -> Outcome {
        while true {
            switch next {
            case .readRecord:
                try readRecord()
                chooseNext()
                if next == .readRecord {
                    spool()
                    if !toSend.isEmpty && toRead.isEmpty { exchange() }
                }
            case .getData:
                try getData()
                chooseNext()
                if next == .readRecord {
                    spool()
                    if !toSend.isEmpty && toRead.isEmpty { exchange() }
                }
            case .none:
                let flag = db[0xDF8110]
                at("S456.5", flag.map { hex($0) } ?? "absent")
                if let flag, flag.isEmpty { need(0xDF8110) }
                if let flag, flag.isEmpty || flag[0] == 0 {
                    spool()
                    exchangeIfNeeded()
                    try waitForData()
                    if let at = toRead.firstIndex(where: { Objects2.isReadByCommand($0) }) {
                        activeTag = toRead.remove(at: at)
                        next = .getData
                    }
                    continue
                }
                return try afterReading()
            }
        }
    }

    private func readRecord() throws {
        let place = active[0]
        guard let answer = try transmit([0x00, 0xB2, place.record, place.file << 3 | 0x04, 0x00]) else { throw again() }
        if answer.status != 0x9000 {
            status(answer)
            throw otherCard(0x03)
        }
        active.removeFirst()
        let hadList = has(0x8C)
        let hadStorageList = has(0x9F5B)
        let body = answer.body
        var template: Object?
        if let outer = parseObjects(body), outer.count == 1, outer[0].tag == 0x70 { template = outer[0] }
        // The first object decides, with or without filler before it (Book 3, Annex B1).
        if place.file <= 10 || body.first(where: { $0 != 0x00 && $0 != 0xFF }) == 0x70 {
            if !parse(body, 0x70) { throw otherCard(0x04) }
        }
        if !hadList && has(0x8C) { needOpen(0x8C) }
        if !hadStorageList && has(0x9F5B) && idsRead && !isSet(0x9F6F, 0, 0x10) { needOpen(0x9F5B) }
        at("S4.24", place.file > 10, template != nil, place.signed && cda)
        if place.signed && cda {
            if let template {
                // Book 3, 10.3: in files 1 to 10, tag and length of 70 are excluded; everything else is included.
                staticData +=
                    place.file <= 10
                    ? Array(body[0..<template.start]) + template.value + Array(body[template.end...]) : body
                if staticData.count > 2048 { mark(0, 0x04) }
            } else {
                mark(0, 0x04)
            }
        }
        let enough: [UInt32] = [
            0x5F24, 0x5A, 0x5F34, 0x9F07, 0x8E, 0x9F0D, 0x9F0E, 0x9F0F, 0x5F28, 0x57, 0x8C,
        ]
        if byte(0xDF811B, 0) & 0x04 == 0 && !cda && enough.allSatisfy({ has($0) }) {
            at("S4.36", active.isEmpty)
            active = []
        }
    }

    private func needOpen(_ tag: UInt32) {
        for entry in entries(tag) where db[entry.tag]?.isEmpty == true && Objects2.terminal.contains(entry.tag) {
            need(entry.tag)
        }
    }

    private func getData() throws {
        let tag = activeTag
        guard let answer = try transmit([0x80, 0xCA, UInt8(tag >> 8), UInt8(tag & 0xFF), 0x00]) else { throw again() }
        var value: Bytes = []
        if answer.status == 0x9000, let objects = parseObjects(answer.body), objects.count == 1, objects[0].tag == tag,
            storeOne(tag, objects[0].value)
        {
            value = objects[0].value
        }
        at("S5", answer.status == 0x9000, value.isEmpty, answer.body.count)
        put(&toSend, tag, value)
    }

    private func answerRest() {
        for tag in toRead {
            if let value = db[tag] {
                put(&toSend, tag, value)
            } else if Objects2.isKnown(tag) {
                put(&toSend, tag, [])
            }
        }
        toRead = []
        if toSend.isEmpty { return }
        exchange()
        entryPoint.sentBefore += entryPoint.sent
        entryPoint.sent = []
    }

    /// S456.12 to S456.46.
    private func afterReading() throws -> Outcome {
        if !has(0x9F02) {
            error[2] = 0x03
            throw Finish(outcome: outcome(.endApplication))
        }
        entryPoint.at("C-2:S456.14", amount(db[0x9F02]!), comparedWith: limit)
        if amount(db[0x9F02]!) > limit { throw nextApplication(0x05) }
        if !has(0x5F24) || !has(0x5A) || !has(0x8C) { throw otherCard(0x01) }
        if idsRead && db[0x9F5E] != storageIdentifier() { throw otherCard(0x06) }
        answerRest()
        if cda {
            let wanted: [UInt32] = [0x8F, 0x90, 0x9F32, 0x9F46, 0x9F47, 0x9F4A]
            if !wanted.allSatisfy({ has($0) }) { mark(0, 0x24) }
            at("S456.25", wanted.filter { !has($0) })
            if authority() == nil { mark(0, 0x04) }
            if db[0x9F4A] != [0x82] { throw otherCard(0x06) }
            staticData += db[0x82]!
            if staticData.count > 2048 { mark(0, 0x04) }
        }
        if exceeds(0xDF8126) {
            receipt = true
            db[0x9F33]![1] = byte(0xDF8118, 0)
        } else {
            db[0x9F33]![1] = byte(0xDF8119, 0)
        }
        if isSet(0x9F5D, 1, 0x02) && db[0xDF8104] != nil {  // S16
            at("S16")
            guard let answer = try transmit([0x80, 0xCA, 0x9F, 0x50, 0x00], data: false) else { throw again() }
            if let value = balance(answer) { db[0xDF8104] = value }
        }
        restrict()
        try selectCvm()
        if exceeds(0xDF8123) { mark(3, 0x80) }
        analyze()
        if !writeBefore.isEmpty { try writeBeforeCryptogram() }
        if has(0x9F51) && number(db[0xDF811D]!) != 0, let entry = tornEntry() {
            restored = memory.torn[entry]
            return try recover(entry)
        }
        return try generate(after: nil)
    }

    private func balance(_ answer: Answer) -> Bytes? {
        if answer.status != 0x9000 || answer.body.count != 9 || !answer.body.starts(with: [0x9F, 0x50, 0x06]) {
            return nil
        }
        return Array(answer.body[3...])
    }

    private func putData(_ object: (UInt32, Bytes), stop: Bool) throws -> Answer? {
        let (tag, value) = object
        return try transmit(
            [0x80, 0xDA, UInt8(tag >> 8), UInt8(tag & 0xFF), UInt8(value.count)] + value, data: false, stop: stop)
    }

    private func writeBeforeCryptogram() throws {
        while !writeBefore.isEmpty {
            guard let answer = try putData(writeBefore.removeFirst(), stop: true) else { throw again() }
            at("S12", answer.status == 0x9000, writeBefore.isEmpty)
            if answer.status != 0x9000 { return }
        }
        db[0xDF810F] = [0x80]
    }

    private func tornEntry() -> Int? {
        memory.torn.lastIndex {
            $0[0x5A] == db[0x5A] && ($0[0x5F34] ?? []) == (db[0x5F34] ?? [])
        }
    }

    // MARK: S9, S10, S11

    private func tornRecord() -> [UInt32: Bytes] {
        db[0xDF8113] = related(list(0x9F51))
        var record: [UInt32: Bytes] = [:]
        for tag in Objects2.torn where has(tag) { record[tag] = db[tag]! }
        return record
    }

    static func list(_ record: [UInt32: Bytes]) -> Bytes {
        Objects2.torn.flatMap { tag in record[tag].map { tlv(tag, $0) } ?? [] }
    }

    private func keep(_ record: [UInt32: Bytes]) {
        at("4.8", memory.torn.count, number(db[0xDF811D]!), record.count)
        if memory.torn.count >= number(db[0xDF811D]!) {
            db[0xFF8101] = Kernel2.list(memory.torn.removeFirst())
        }
        memory.torn.append(record)
    }

    /// `after`: the entry of the log whose recovery failed (S11), `nil` in S9.
    private func generate(after entry: Int?) throws -> Outcome {
        let data = try cryptogramCommand()
        let answer = try transmit(
            [0x80, 0xAE, byte(0xDF8114, 0), 0x00, UInt8(data.count)] + data + [0x00], data: false, stop: false)
        at("S9", byte(0xDF8114, 0), answer == nil, entry != nil, idsWrite, has(0x9F51), number(db[0xDF811D]!))
        guard let answer else {
            if let entry {
                if restored![0xDF8128].map({ $0[0] & 0x40 }) ?? 0 == 0 { memory.torn.remove(at: entry) }
                keep(tornRecord())
                throw again()
            }
            if number(db[0xDF811D]!) > 0 && has(0x9F51) {
                keep(tornRecord())
                throw again()
            }
            if idsWrite { throw otherCard(error[1], record: true) }
            throw again()
        }
        if let entry { memory.torn.remove(at: entry) }
        if answer.status != 0x9000 {
            status(answer)
            throw invalid(0x03)
        }
        if !storeCryptogram(answer.body) { throw invalid(0x04) }
        return try cryptogramGiven()
    }

    private func recover(_ entry: Int) throws -> Outcome {
        let data = restored![0xDF8113] ?? []
        guard
            let answer = try transmit(
                [0x80, 0xD0, 0x00, 0x00, UInt8(data.count)] + data + [0x00], data: false, stop: false)
        else { throw again() }
        at("S10", answer.status == 0x9000)
        if answer.status != 0x9000 { return try generate(after: entry) }
        memory.torn.remove(at: entry)
        for (tag, value) in restored! { db[tag] = value }
        restored = nil
        cryptogramAnswer = answer.body
        if !parse(answer.body, 0x77) { throw invalid(0x04) }
        return try cryptogramGiven()
    }

    private func storeCryptogram(_ body: Bytes) -> Bool {
        cryptogramAnswer = body
        if body.first != 0x80 { return parse(body, 0x77) }
        guard let outer = parseObjects(body), outer.count == 1 else { return false }
        let value = outer[0].value
        if value.count < 11 || value.count > 43 { return false }
        if has(0x9F27) || has(0x9F36) || has(0x9F26) || (value.count > 11 && has(0x9F10)) { return false }
        db[0x9F27] = [value[0]]
        db[0x9F36] = Array(value[1..<3])
        db[0x9F26] = Array(value[3..<11])
        if value.count > 11 { db[0x9F10] = Array(value[11...]) }
        return true
    }

    /// Invalid 1 (S910.50, S11.90).
    private func invalid(_ level2: UInt8) -> Finish {
        if let restored, restored[0xDF8128].map({ $0[0] & 0x40 }) ?? 0 != 0 {
            db[0xFF8101] = Kernel2.list(restored)
        }
        return otherCard(level2, record: idsWrite)
    }

    private func cryptogramGiven() throws -> Outcome {
        if !has(0x9F36) || !has(0x9F27) { throw invalid(0x01) }
        let kind = byte(0x9F27, 0) & 0xC0
        let requested = byte(0xDF8114, 0) & 0xC0
        at("S9.22", kind, byte(0xDF8114, 0), has(0x9F4B), writeAfter.isEmpty)
        switch kind {
        case 0x40 where requested == 0x40, 0x00: break
        case 0x80 where requested != 0x00: break
        default: throw invalid(0x06)
        }
        if isSet(0x9F5D, 1, 0x02) && db[0xDF8105] != nil {  // S17
            at("S17")
            if let answer = try transmit([0x80, 0xCA, 0x9F, 0x50, 0x00], data: false, stop: false) {
                if let value = balance(answer) { db[0xDF8105] = value }
            } else {
                error[0] = 0x00
            }
        }
        if writeAfter.isEmpty { entryPoint.show(Request(message: 0x1E)) }
        if has(0x9F4B) { try checkSigned() } else { try checkUnsigned(kind) }
        return try valid(kind)
    }

    /// S910, part A.
    private func checkSigned() throws {
        guard verifySignature() else {
            mark(0, 0x04)
            throw invalid(0x02)
        }
        at("S910.8", idsRead, idsWrite, db[0x9F7D] == db[0xDF8101], db[0xDF8101] == db[0xDF8102])
        if !idsRead { return }
        if db[0xDF8101] == nil { throw invalid(0x01) }
        if db[0x9F7D] != db[0xDF8101] { throw invalid(0x0B) }
        if let restored, restored[0xDF8128].map({ $0[0] & 0x40 }) ?? 0 != 0, restored[0x9F7D] != db[0x9F7D] {
            throw invalid(0x0B)
        }
        db[0xDF810B]![0] |= 0x80
        if !idsWrite { return }
        if db[0xDF8102] == nil { throw invalid(0x01) }
        if db[0xDF8101] != db[0xDF8102] {
            db[0xDF810B]![0] |= 0x40
        } else if isSet(0xDF810A, 0, 0x02) {
            throw otherCard(0x0C)
        }
    }

    /// S910, part B.
    private func checkUnsigned(_ kind: UInt8) throws {
        if !has(0x9F26) { throw invalid(0x01) }
        let requested = byte(0xDF8114, 0)
        at("S910.32", kind, requested, idsRead, relayPerformed)
        if kind == 0x00 {
            if idsRead || requested == 0x10 { throw invalid(0x06) }
            return
        }
        if requested & 0x10 != 0 { throw invalid(0x06) }
        if relayPerformed { rewriteTrack() }
    }

    private func phoneMessage() -> (message: UInt8, status: UInt8) {
        let indicator = db[0xDF4B]!
        let table = db[0xDF8131]!
        for i in stride(from: 0, to: table.count - 7, by: 8) {
            var matches = true
            for k in 0..<3 where indicator[k] & table[i + k] != table[i + 3 + k] { matches = false }
            if matches { return (table[i + 6], table[i + 7]) }
        }
        return (0x07, 0x00)
    }

    /// S910, part E.
    private func valid(_ kind: UInt8) throws -> Outcome {
        let second = secondTap
        at("S910.71", kind, second, writeAfter.isEmpty)
        if second { at("S910.73", hex([phoneMessage().message])) }
        var end: Outcome
        if second {
            end = withRecord(outcome(.endApplication))
            end.start = .b
            end.onRestart = Request(message: phoneMessage().message)
        } else {
            end = conclude(kind)
        }
        if writeAfter.isEmpty {
            if second { entryPoint.show(Request(message: phoneMessage().message)) }
            return end
        }
        while true {  // S15
            let answer = try putData(writeAfter.removeFirst(), stop: false)
            at("S15", answer?.status == 0x9000, writeAfter.isEmpty)
            if answer == nil || answer!.status != 0x9000 { break }
            if writeAfter.isEmpty {
                db[0xDF810E] = [0x80]
                break
            }
        }
        error[0] = 0x00
        entryPoint.show(Request(message: second ? phoneMessage().message : 0x1E))
        end.discretionary = discretionary()
        return end
    }

    private func conclude(_ kind: UInt8) -> Outcome {
        var end: Outcome
        at("S910.74", kind, cvm, byte(0x9C, 0), has(0xDF8105), has(0x9F6E), byte(0x9F33, 0) & 0x20)
        switch kind {
        case 0x40:
            end = outcome(.approved)
            end.onOutcome = Request(message: cvm == "signature" ? 0x1A : 0x03, hold: messageHold)
            if has(0xDF8105) { end.onOutcome!.balance = amount(db[0xDF8105]!) }
        case 0x80:
            end = outcome(.onlineRequest)
            end.onOutcome = Request(message: 0x1B, hold: 0)
        default:
            if [0x00, 0x01, 0x09, 0x17].contains(byte(0x9C, 0)) {
                let device = db[0x9F6E] ?? []
                let noCard = device.count >= 6 && device[2] & 0x80 == 0 && Array(device[4...5]) != [0x30, 0x30]
                if noCard || byte(0x9F33, 0) & 0x20 == 0 {
                    end = outcome(.declined)
                    end.onOutcome = Request(message: 0x07, hold: messageHold)
                } else {
                    end = outcome(.tryAnotherInterface)
                    end.onOutcome = Request(message: 0x1D, hold: messageHold)
                }
            } else {
                end = outcome(.endApplication)
                end.onOutcome = Request(message: 0x1E, hold: 0)
            }
        }
        return withRecord(end)
    }

    // MARK: S7, S8, S78, S13, S14

    private func stripeMode() throws -> Outcome {
        var locator = db[0x94]!
        if locator.starts(with: [0x08, 0x01, 0x01, 0x00]) { locator = Array(locator.prefix(4)) }
        guard let list = places(locator) else { throw otherCard(0x06) }
        at("S3.70", locator.count < db[0x94]!.count, onDevice)
        active = list
        mode = .stripe
        chooseLimit()
        spool()
        exchangeIfNeeded()
        while !active.isEmpty {
            let place = active.removeFirst()
            guard let answer = try transmit([0x00, 0xB2, place.record, place.file << 3 | 0x04, 0x00]) else {
                throw again()
            }
            if answer.status != 0x9000 {
                status(answer)
                throw otherCard(0x03)
            }
            let had = has(0x9F69)
            if !parse(answer.body, 0x70) { throw otherCard(0x04) }
            if !had && has(0x9F69) { needOpen(0x9F69) }
        }
        if ![0x9F6B, 0x9F66, 0x9F65, 0x9F67].allSatisfy({ has($0) }) { throw otherCard(0x01) }
        guard let count = stripeDigits() else { throw otherCard(0x06) }
        digits = count
        return try stripeData()
    }

    private func stripeData() throws -> Outcome {
        while true {
            let flag = db[0xDF8110]
            if let flag, flag.isEmpty { need(0xDF8110) }
            guard let flag, flag.isEmpty || flag[0] == 0 else { break }
            spool()
            exchangeIfNeeded()
            try waitForData()
        }
        if !has(0x9F02) {
            error[2] = 0x03
            throw Finish(outcome: outcome(.endApplication))
        }
        entryPoint.at("C-2:S78.10", amount(db[0x9F02]!), comparedWith: limit)
        if amount(db[0x9F02]!) > limit { throw nextApplication(0x05) }
        answerRest()
        at("S78.15", digits, onDevice, has(0x9F69))
        db[0x9F6A] = decimal(try drawDigits(digits), 4)
        if onDevice && exceeds(0xDF8126) {
            db[0x9F7E] = [0x03]
            cvm = "cdcvm"
        }
        // C-8, 4.7.2: a list that does not parse, or requests more than a command holds.
        guard let list = parseList(has(0x9F69) ? db[0x9F69]! : db[0xDF811A]!) else { throw otherCard(0x06) }
        let data = related(list)
        if data.count > 255 { throw otherCard(0x06) }
        guard
            let answer = try transmit(
                [0x80, 0x2A, 0x8E, 0x80, UInt8(data.count)] + data + [0x00], data: false, stop: false)
        else {
            try wait()
            throw again()
        }
        if answer.status != 0x9000 {
            status(answer)
            throw try refused(0x03)
        }
        if !parse(answer.body, 0x77) { throw try refused(0x04) }
        entryPoint.show(Request(message: 0x1E))
        return try checksum()
    }

    /// 4.12. The duration is not observable here.
    private func wait() throws { _ = try entryPoint.ask(.wait) }

    private func refused(_ level2: UInt8) throws -> Finish {
        try wait()
        return otherCard(level2)
    }

    /// 4.11.1.
    private func drawDigits(_ count: Int) throws -> UInt64 {
        var bound: UInt64 = 1
        for _ in 0..<count { bound *= 10 }
        let top = (UInt64(1) << 32) / bound * bound
        while true {
            let value = UInt64(number(try entryPoint.unpredictableNumber()))
            if value < top { return value % bound }
        }
    }

    private func checksum() throws -> Outcome {
        if !has(0x9F36) { throw try refused(0x01) }
        at("S13.14", onDevice, has(0xDF4B), has(0x9F61), has(0x56), has(0x9F60), secondTap)
        if onDevice && !has(0xDF4B) { throw try refused(0x01) }
        if !has(0x9F61) {
            if !has(0xDF4B) { throw try refused(0x01) }
            if secondTap {
                let message = phoneMessage().message
                entryPoint.show(Request(message: message))
                try wait()
                var end = withRecord(outcome(.endApplication))
                end.start = .b
                end.onRestart = Request(message: message)
                return end
            }
            try wait()
            var end = withRecord(outcome(.declined))
            end.onOutcome = Request(message: 0x07, hold: messageHold)
            return end
        }
        if has(0x56) && !has(0x9F60) { throw try refused(0x01) }
        let verified = isSet(0xDF4B, 1, 0x10)
        if onDevice && !verified && exceeds(0xDF8126) { throw try refused(0x06) }
        fillTracks(digits, verified ? (digits + 5) % 10 : digits)
        at("S13.24", onDevice, verified, exceeds(0xDF8126), byte(0xDF811E, 0), byte(0xDF812C, 0))
        if onDevice {
            cvm = verified ? "cdcvm" : "none"
            if verified { receipt = exceeds(0xDF8126) }
        } else {
            let capability = byte(exceeds(0xDF8126) ? 0xDF811E : 0xDF812C, 0) >> 4
            switch capability {
            case 0: cvm = "none"
            case 1: cvm = "signature"
            case 2: cvm = "onlinePIN"
            default: cvm = "notApplicable"
            }
            receipt = exceeds(0xDF8126) || capability == 1
        }
        return withRecord(outcome(.onlineRequest))
    }
}
