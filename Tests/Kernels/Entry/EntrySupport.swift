// SPDX-License-Identifier: Apache-2.0
// What the tests of Entry Point and the session share: configurations and cards in a few words, and a driver that
// writes down all it is asked.
import CEMV
import CEMVInternals
import TestData
import Testing

/// Entry Point, outcome and session tests run one at a time: the scripted kernel is one for the process.
@Suite(.serialized) enum EntryPoint {}

// MARK: - Bytes

func entryBytes(_ bytes: cemv_bytes) -> [UInt8] {
    [UInt8](UnsafeBufferPointer(start: bytes.data, count: bytes.size))
}

// MARK: - Cards

enum EntryCard {
    static let visa = hex("A0000000031010")
    static let mastercard = hex("A0000000041010")
    static let own = hex("F000000001")
    static let ppseCommand = "00A404000E325041592E5359532E444446303100"

    static func entry(
        _ name: [UInt8]?, priority: UInt8? = nil, kernel: [UInt8]? = nil, extended: [UInt8]? = nil, more: [UInt8] = []
    ) -> [UInt8] {
        var bytes: [UInt8] = []
        if let name { bytes += dataObject(0x4F, name) }
        if let priority { bytes += dataObject(0x87, [priority]) }
        if let kernel { bytes += dataObject(0x9F2A, kernel) }
        if let extended { bytes += dataObject(0x9F29, extended) }
        return dataObject(0x61, bytes + more)
    }

    static func ppse(_ entries: [UInt8]...) -> [UInt8] {
        dataObject(
            0x6F,
            dataObject(0x84, Array("2PAY.SYS.DDF01".utf8))
                + dataObject(0xA5, dataObject(0xBF0C, entries.flatMap { $0 }))) + [
                0x90, 0x00,
            ]
    }

    static func fci(_ name: [UInt8], pdol: [UInt8]? = hex("9F6604")) -> [UInt8] {
        dataObject(0x6F, dataObject(0x84, name) + dataObject(0xA5, pdol.map { dataObject(0x9F38, $0) } ?? [])) + [
            0x90, 0x00,
        ]
    }

    static func select(_ name: [UInt8]) -> String {
        "send " + hexText(hex("00A40400") + [UInt8(name.count)] + name + [0x00])
    }
}

// MARK: - Configuration

struct EntryRow {
    var aid = EntryCard.own
    var kernel: [UInt8] = [0x21]
    var extendedSelection = false
    var statusCheck = false
    var zeroAmount = CEMV_ZERO_AMOUNT_ONLINE
    var types: [UInt8] = []
    var limits: [(cemv_limit, UInt64)] = []
    var ttq: [UInt8] = []
    var data: [UInt8] = []
    var protection: cemv_protection?
}

/// A configuration whose bytes live as long as it does.
final class EntryConfiguration {
    var c = cemv_configuration()
    private var blocks: [UnsafeMutableRawPointer] = []

    init(
        _ rows: [EntryRow], terminal: [UInt8] = hex("9F1A020276 9F350122"), poi: [UInt8] = [],
        kernels: [[UInt8]]? = nil,
        protection: cemv_protection = cemv_protection()
    ) {
        c.combinations = UnsafePointer(array(rows.map(combination)))
        c.combination_count = rows.count
        var ids: [[UInt8]] = kernels ?? []
        if kernels == nil { for row in rows where !ids.contains(row.kernel) { ids.append(row.kernel) } }
        // Kernel 3 is played too, but demands what it does.
        var visa = third_party_kernel
        visa.demands = cemv_kernel_3.demands
        visa.demand_count = cemv_kernel_3.demand_count
        let modules = UnsafePointer(array([third_party_kernel, visa]))
        c.kernels = UnsafePointer(
            array(
                ids.map { id in
                    var row = cemv_kernel_row()
                    put(id, into: &row.id)
                    row.id_size = UInt8(id.count)
                    row.module = id == [3] ? modules + 1 : modules
                    return row
                }))
        c.kernel_count = ids.count
        c.terminal_data = bytes(terminal)
        c.poi_information = bytes(poi)
        c.protection = protection
    }

    deinit { for block in blocks { block.deallocate() } }

    private func put<Field>(_ bytes: [UInt8], into field: inout Field) {
        withUnsafeMutableBytes(of: &field) { $0.copyBytes(from: bytes.prefix($0.count)) }
    }

    func array<Element>(_ elements: [Element]) -> UnsafeMutablePointer<Element> {
        let memory = UnsafeMutablePointer<Element>.allocate(capacity: max(elements.count, 1))
        memory.initialize(from: elements, count: elements.count)
        blocks.append(memory)
        return memory
    }

    func bytes(_ bytes: [UInt8]) -> cemv_bytes {
        bytes.isEmpty ? cemv_bytes() : cemv_bytes(data: array(bytes), size: bytes.count)
    }

    func combination(_ row: EntryRow) -> cemv_combination {
        var combination = cemv_combination()
        combination.aid = bytes(row.aid)
        put(row.kernel, into: &combination.kernel_id)
        combination.kernel_id_size = UInt8(row.kernel.count)
        combination.extended_selection = row.extendedSelection
        combination.status_check = row.statusCheck
        combination.zero_amount = UInt8(row.zeroAmount.rawValue)
        combination.transaction_types = bytes(row.types)
        for (limit, amount) in row.limits {
            combination.limits.present |= 1 << UInt8(limit.rawValue)
            withUnsafeMutableBytes(of: &combination.limits.amount) {
                $0.storeBytes(of: amount, toByteOffset: 8 * Int(limit.rawValue), as: UInt64.self)
            }
        }
        combination.ttq = bytes(row.ttq)
        combination.data = bytes(row.data)
        if let protection = row.protection {
            combination.own_protection = true
            combination.protection = protection
        }
        return combination
    }

    struct Refusal: Equatable, CustomStringConvertible {
        var status: cemv_status, section: cemv_config_section, row: Int, field: cemv_config_field, tag: UInt32
        init(
            _ status: cemv_status, _ section: cemv_config_section, _ row: Int, _ field: cemv_config_field,
            tag: UInt32 = 0
        ) {
            (self.status, self.section, self.row, self.field, self.tag) = (status, section, row, field, tag)
        }
        init(_ status: cemv_status, _ error: cemv_config_error) {
            self.init(
                status, cemv_config_section(UInt32(error.section)), Int(error.row),
                cemv_config_field(UInt32(error.field)), tag: error.tag)
        }
        var description: String {
            "status \(status.rawValue) section \(section.rawValue) row \(row) field \(field.rawValue) "
                + "tag \(String(tag, radix: 16))"
        }
    }

    private(set) var size = 0
    func check() -> (UnsafePointer<cemv_checked>?, Refusal) {
        size = cemv_checked_size(&c)
        let memory = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: Int(CEMV_ALIGNMENT))
        blocks.append(memory)
        var checked: UnsafePointer<cemv_checked>?
        var error = cemv_config_error()
        let status = cemv_configuration_check(&c, memory, size, &checked, &error)
        return (checked, Refusal(status, error))
    }

    private(set) lazy var checked: UnsafePointer<cemv_checked> = check().0!
}

func entrySale(_ amount: UInt64 = 1000, type: UInt8 = 0, exponent: UInt8 = 2, startB: Bool = false) -> cemv_transaction
{
    var sale = cemv_transaction()
    sale.type = type
    sale.amount = amount
    sale.currency = 0x0978
    sale.exponent = exponent
    sale.date = (0x26, 0x11, 0x21)
    sale.time = (0x12, 0x34, 0x56)
    sale.counter = 7
    sale.start_b = startB
    return sale
}

// MARK: - The scripted kernel

func entryOutcome(
    _ status: cemv_outcome_status, start: cemv_start = CEMV_START_NA,
    answer: cemv_online_response = CEMV_ONLINE_RESPONSE_NA
) -> cemv_outcome {
    var outcome = cemv_outcome_of(UInt8(status.rawValue), UInt8(CEMV_REASON_NONE.rawValue))
    outcome.start = UInt8(start.rawValue)
    outcome.online_response = UInt8(answer.rawValue)
    return outcome
}

final class EntryScript {
    let c = UnsafeMutablePointer<third_party_kernel_script>.allocate(capacity: 1)

    init(_ outcomes: cemv_outcome..., commands: UInt8 = 1) {
        c.initialize(to: third_party_kernel_script())
        c.pointee.commands = commands
        for place in 0..<4 where !outcomes.isEmpty {
            withUnsafeMutableBytes(of: &c.pointee.outcome) {
                $0.storeBytes(
                    of: outcomes[min(place, outcomes.count - 1)],
                    toByteOffset: place * MemoryLayout<cemv_outcome>.stride, as: cemv_outcome.self)
            }
        }
        Self.current = self
        third_party_kernel_set(c)
    }

    /// Lives until the next one is set. Tests of one process come one after the other.
    nonisolated(unsafe) private static var current: EntryScript?

    deinit { c.deallocate() }

    var activations: Int { Int(c.pointee.activations) }

    private func element<Field, Element>(_ field: inout Field, _ place: Int, as: Element.Type) -> Element {
        withUnsafeBytes(of: &field) { $0.load(fromByteOffset: place * MemoryLayout<Element>.stride, as: Element.self) }
    }
    func seen(_ place: Int) -> cemv_activation { element(&c.pointee.seen, place, as: cemv_activation.self) }
    func remembered(_ place: Int) -> Int { Int(element(&c.pointee.remembered, place, as: UInt8.self)) }
    func fci(_ place: Int) -> [UInt8] {
        let size = Int(element(&c.pointee.fci_size, place, as: UInt8.self))
        return withUnsafeBytes(of: &c.pointee.fci) { Array($0[256 * place..<256 * place + size]) }
    }
    func online(_ place: Int) -> [UInt8] {
        let size = Int(element(&c.pointee.online_size, place, as: UInt8.self))
        return withUnsafeBytes(of: &c.pointee.online) { Array($0[256 * place..<256 * place + size]) }
    }
    func value(_ place: Int) -> [UInt8] {
        let size = Int(element(&c.pointee.value_size, place, as: UInt8.self))
        return withUnsafeBytes(of: &c.pointee.value) { Array($0[32 * place..<32 * place + size]) }
    }
    func number(_ place: Int) -> [UInt8] {
        let number = seen(place).unpredictable_number
        return [number.0, number.1, number.2, number.3]
    }
}

// MARK: - The driver

/// A session in memory of its own. `log` holds all it asked and showed, in order; `new` what the last reply brought.
final class EntrySession {
    static let pool: [UInt8] = Array(1...32)

    let configuration: EntryConfiguration
    let memory = UnsafeMutableRawPointer.allocate(byteCount: Int(CEMV_SESSION_SIZE), alignment: Int(CEMV_ALIGNMENT))
    private(set) var session: UnsafeMutablePointer<cemv_session>
    private(set) var log: [String] = []
    private(set) var new: [String] = []

    init(
        _ configuration: EntryConfiguration, _ sale: cemv_transaction = entrySale(), random: [UInt8] = EntrySession.pool
    ) {
        self.configuration = configuration
        memory.initializeMemory(as: UInt8.self, repeating: 0, count: Int(CEMV_SESSION_SIZE))
        var sale = sale, error = cemv_config_error()
        var begun: UnsafeMutablePointer<cemv_session>?
        let checked = configuration.checked, place = memory
        let status = random.withUnsafeBufferPointer {
            cemv_session_begin(
                place, Int(CEMV_SESSION_SIZE), checked, &sale, cemv_bytes(data: $0.baseAddress, size: $0.count), &begun,
                &error)
        }
        precondition(status == CEMV_OK, "\(EntryConfiguration.Refusal(status, error))")
        session = begun!
        note()
    }

    private init(fork: EntrySession) {
        configuration = fork.configuration
        memory.copyMemory(from: fork.memory, byteCount: Int(CEMV_SESSION_SIZE))
        session = memory.assumingMemoryBound(to: cemv_session.self)
        (log, new) = (fork.log, fork.new)
    }

    deinit { memory.deallocate() }

    func fork() -> EntrySession { EntrySession(fork: self) }

    var step: cemv_step { cemv_session_step(session) }
    var outcome: cemv_outcome { cemv_session_outcome(session) }
    var status: cemv_outcome_status { cemv_outcome_status(UInt32(outcome.status)) }
    var reason: cemv_reason { cemv_reason(UInt32(outcome.reason)) }
    var everything: [UInt8] { Array(UnsafeRawBufferPointer(start: memory, count: Int(CEMV_SESSION_SIZE))) }
    func found(_ finding: cemv_finding) -> Bool { outcome.findings >> finding.rawValue & 1 == 1 }
    var commands: [String] { log.compactMap { $0.hasPrefix("send ") ? String($0.dropFirst(5)) : nil } }

    @discardableResult
    func reply(_ kind: cemv_reply_kind, _ bytes: [UInt8] = [], timedOut: Bool = false, unable: Bool = false) -> [String]
    {
        var reply = cemv_reply()
        reply.kind = UInt8(kind.rawValue)
        reply.removal_timed_out = timedOut
        reply.unable_to_go_online = unable
        bytes.withUnsafeBufferPointer {
            reply.bytes = cemv_bytes(data: $0.baseAddress, size: $0.count)
            _ = cemv_session_reply(session, &reply)
        }
        note()
        return new
    }

    @discardableResult
    func card() -> [String] { reply(CEMV_REPLY_CARD) }
    @discardableResult
    func answer(_ bytes: [UInt8]) -> [String] { reply(CEMV_REPLY_RESPONSE, bytes) }
    @discardableResult
    func answer(_ text: String) -> [String] { reply(CEMV_REPLY_RESPONSE, hex(text)) }

    /// Presents a card with one application and brings its kernel to life.
    @discardableResult
    func activate(_ aid: [UInt8] = EntryCard.own) -> [String] {
        card()
        answer(EntryCard.ppse(EntryCard.entry(aid)))
        return answer(EntryCard.fci(aid))
    }

    func takes(_ kind: UInt8) -> Bool { cemv_session_takes(session, kind) }

    private func note() {
        new = (0..<cemv_session_ui_count(session)).map { index in
            let request = cemv_session_ui(session, index)
            return "ui \(hexText([request.message])) \(request.status)"
                + (request.hold_ms == 0 ? "" : " hold \(request.hold_ms)")
        }
        switch step {
        case CEMV_STEP_POLL:
            let poll = cemv_session_poll(session)
            new.append(
                "poll " + (poll.field_off_ms == UInt32.max ? "keep" : "\(poll.field_off_ms)")
                    + (poll.removal_first ? " removal" : ""))
        case CEMV_STEP_SEND: new.append("send " + hexText(entryBytes(cemv_session_command(session))))
        case CEMV_STEP_ASK: new.append("ask \(cemv_session_question(session).kind)")
        case CEMV_STEP_WORK: new.append("work")
        case CEMV_STEP_PARKED: new.append("parked")
        case CEMV_STEP_DONE: new.append("done")
        default: new.append("step \(step.rawValue)")
        }
        log += new
    }
}
