// SPDX-License-Identifier: Apache-2.0
// What the tests of Kernel 3 share: a card made of data objects, keys that sign, and a driver over the C session.
import CEMV
import CEMVInternals
import Foundation
import TestData
import TestKeys

typealias K3Bytes = [UInt8]

/// The primitive objects of a flat list, in order.
func k3Objects(_ list: K3Bytes) -> [(tag: UInt32, value: K3Bytes)] {
    var objects: [(UInt32, K3Bytes)] = []
    var at = 0
    while at < list.count {
        var tag = UInt32(list[at])
        if tag & 0x1F == 0x1F {
            repeat {
                at += 1
                tag = tag << 8 | UInt32(list[at])
            } while list[at] & 0x80 != 0
        }
        at += 1
        var length = Int(list[at])
        if length == 0x81 {
            at += 1
            length = Int(list[at])
        }
        objects.append((tag, K3Bytes(list[at + 1..<at + 1 + length])))
        at += 1 + length
    }
    return objects
}

// MARK: The card

/// Data objects in the order they are sent. Setting `nil` removes one.
struct K3Data {
    var objects: [(tag: UInt32, value: K3Bytes)] = []

    init(_ objects: [(UInt32, String)] = []) {
        self.objects = objects.map { ($0.0, hex($0.1)) }
    }

    subscript(tag: UInt32) -> K3Bytes? {
        get { objects.first { $0.tag == tag }?.value }
        set {
            let place = objects.firstIndex { $0.tag == tag }
            switch (place, newValue) {
            case (let place?, let value?): objects[place].value = value
            case (let place?, nil): objects.remove(at: place)
            case (nil, let value?): objects.append((tag, value))
            case (nil, nil): break
            }
        }
    }

    var encoded: K3Bytes { objects.flatMap { dataObject($0.tag, $0.value) } }
}

struct K3Record {
    var sfi: UInt8 = 2
    var number: UInt8 = 1
    var signed = false
    var data = K3Data()
    var status: UInt16 = 0x9000
    /// Sent instead of template 70 with the data.
    var raw: K3Bytes?

    var body: K3Bytes { raw ?? dataObject(0x70, data.encoded) }
}

/// A card that answers from a script: the same at every tap.
struct K3Card {
    var aid = hex("A0000000031010")
    /// In A5 of the FCI.
    var fci = K3Data([(0x50, "56495341"), (0x9F38, "9F66049F02065F2A029F3704")])
    var gpo = K3Data()
    var gpoStatus: UInt16 = 0x9000
    /// Sent instead of template 77 with the data.
    var gpoRaw: K3Bytes?
    var records: [K3Record] = []
    /// The locator, where it is not what the records make of it. Empty: an object without value.
    var locator: K3Bytes?
    var authenticateStatus: UInt16 = 0x9000
    /// Status words to script commands, in order; the last one stays.
    var scriptStatus: [UInt16] = [0x9000]
    var answeredScripts = 0

    /// Asks for an online authorisation, without a record.
    static var online: K3Card {
        var card = K3Card()
        card.gpo = K3Data([
            (0x82, "2000"), (0x9F27, "80"), (0x9F10, "06010A03A00000"), (0x57, "4761739001010119D30122010000012345"),
            (0x9F36, "0015"),
            (0x9F26, "B2EC180414DFA51A"), (0x5F34, "01"), (0x9F6C, "0000"),
        ])
        return card
    }

    /// Refuses.
    static var refusing: K3Card {
        var card = online
        card.gpo[0x9F27] = [0x00]
        card.gpo[0x9F10] = hex("06010A03800000")
        return card
    }

    /// Asks for an offline approval that no signature supports. One record: PAN, expiry, country.
    static var unsignedOffline: K3Card {
        var card = online
        card.gpo[0x9F27] = [0x40]
        card.gpo[0x9F10] = hex("06010A03900000")
        card.records = [K3Record(data: K3Data([(0x5A, "4761739001010119"), (0x5F24, "301231"), (0x5F28, "0276")]))]
        return card
    }

    /// Asks for an offline approval and signs it (fDDA). For other amounts or qualifiers, sign again.
    static let signedOffline: K3Card = {
        var card = unsignedOffline
        card.records[0].signed = true
        return card.signed()
    }()

    /// Signs an online request, as cards in the field do.
    static let signedOnline: K3Card = {
        var card = online
        card.records = [
            K3Record(signed: true, data: K3Data([(0x5A, "4761739001010119"), (0x5F24, "301231"), (0x5F28, "0276")]))
        ]
        return card.signed(format: 0x95)
    }()

    /// Certificates over the signed records as they are now, 9F69 as it is or with the present qualifiers, and the
    /// signature in 9F4B.
    func signed(
        format: UInt8 = 0x05, amount: UInt64 = K3Sale.amount, number: K3Bytes = K3Sale.numbers[0],
        related given: K3Bytes? = nil
    )
        -> K3Card
    {
        var card = self
        let related = given ?? ([0x01, 0xC1, 0xC2, 0xC3, 0xC4] + (gpo[0x9F6C] ?? [0, 0]))
        let statics =
            card.records.filter { $0.signed }.flatMap { $0.sfi > 10 ? $0.body : $0.data.encoded }
            + (card.records.compactMap { $0.data[0x9F4A] }.first == [0x82] ? card.gpo[0x82]! : [])
        card.records.append(contentsOf: K3Keys.records(pan: "4761739001010119", statics: statics))
        card.records.append(K3Record(sfi: 3, number: 3, data: K3Data([(0x9F69, hexText(related))])))
        card.gpo[0x9F4B] = K3Keys.signature(
            format: format, counter: gpo[0x9F36]!, over: number + K3Sale.bcd(amount) + hex("0978") + related)
        return card
    }

    var afl: K3Bytes? {
        if let locator { return locator }
        return records.isEmpty ? nil : records.flatMap { [$0.sfi << 3, $0.number, $0.number, $0.signed ? 1 : 0] }
    }

    private static func status(_ word: UInt16) -> K3Bytes { [UInt8(word >> 8), UInt8(word & 0xFF)] }

    var directory: K3Bytes {
        dataObject(
            0x6F,
            dataObject(0x84, K3Bytes("2PAY.SYS.DDF01".utf8))
                + dataObject(0xA5, dataObject(0xBF0C, dataObject(0x61, dataObject(0x4F, aid) + dataObject(0x87, [1])))))
            + [0x90, 0x00]
    }

    mutating func answer(_ command: K3Bytes) -> K3Bytes {
        switch (command[0], command[1]) {
        case (0x00, 0xA4) where command[4] == 14: return directory
        case (0x00, 0xA4):
            return dataObject(0x6F, dataObject(0x84, aid) + dataObject(0xA5, fci.encoded)) + [0x90, 0x00]
        case (0x80, 0xA8):
            if gpoStatus != 0x9000 { return Self.status(gpoStatus) }
            if let gpoRaw { return gpoRaw + [0x90, 0x00] }
            var data = gpo
            if let afl { data.objects.insert((0x94, afl), at: min(1, data.objects.count)) }
            return dataObject(0x77, data.encoded) + [0x90, 0x00]
        case (0x00, 0xB2):
            guard let record = records.first(where: { $0.number == command[2] && $0.sfi == command[3] >> 3 }) else {
                return [0x6A, 0x83]
            }
            return record.status == 0x9000 ? record.body + [0x90, 0x00] : Self.status(record.status)
        case (0x00, 0x82): return Self.status(authenticateStatus)
        default:
            answeredScripts += 1
            return Self.status(scriptStatus[min(answeredScripts, scriptStatus.count) - 1])
        }
    }
}

// MARK: Keys

/// Small RSA keys, made for these tests, with exponent 3.
enum K3Keys {
    static let authority = SigningKey(
        "DECA93D84E0F1EB269FF13D53A8EDFA47F77CE9903D8A6610D12EC335F8DAE610E8A8F77445DE00D222B0FE214117799",
        "E771AF88055C787ACFFB79E637DD5617B66635106A70957A0461FD41851398E1884A7755EB73E904001EAF1DB11AC283")
    static let issuer = SigningKey(
        "FF7FB26DDD62BD6DE6877080A8887A37D9BE7BB47AE090B67DDE53400D74A5D7",
        "C8F9DD21BCD1C557BB231F2D20C765E0EAC40980C3D722BDFCE4D08B4E592E7B")
    static let card = SigningKey(
        "EB0B64926B8FBA9DFE58C21D3AAD9BFCCCC9248A07F3C7EDC1FD32C23EB84F03",
        "C767497A411101DE15BA4B987D22156093B612027787060C249C0EF071F28315")
    static let index: UInt8 = 0xE7

    private static func sha1(_ bytes: K3Bytes) -> K3Bytes {
        var digest = K3Bytes(repeating: 0, count: 20)
        bytes.withUnsafeBufferPointer { buffer in
            var piece = cemv_bytes(data: buffer.baseAddress, size: buffer.count)
            cemv_crypto_builtin.sha1(&digest, &piece, 1)
        }
        return digest
    }

    private static let issuerCertificate: K3Bytes = {
        let room = authority.modulus.count - 36
        let head =
            [0x02] + hex("47617390") + hex("1230") + hex("000001") + [0x01, 0x01, UInt8(issuer.modulus.count), 1]
        let hash = sha1(head + issuer.modulus + [3])
        return authority.sign([0x6A] + head + issuer.modulus.prefix(room) + hash + [0xBC], exponent: 3)
    }()
    private static let issuerRemainder = K3Bytes(issuer.modulus.dropFirst(authority.modulus.count - 36))

    /// SFI 3, records 1 and 2: the chain. The card's certificate covers `statics`.
    static func records(pan: String, statics: K3Bytes) -> [K3Record] {
        let room = issuer.modulus.count - 42
        let head =
            [0x04] + hex(pan + "FFFF") + hex("1230") + hex("000002") + [0x01, 0x01, UInt8(card.modulus.count), 1]
        let hash = sha1(head + card.modulus + [3] + statics)
        let certificate = issuer.sign([0x6A] + head + card.modulus.prefix(room) + hash + [0xBC], exponent: 3)
        let first = K3Data([
            (0x8F, hexText([index])), (0x90, hexText(issuerCertificate)), (0x92, hexText(issuerRemainder)),
            (0x9F32, "03"),
        ])
        let second = K3Data([
            (0x9F46, hexText(certificate)), (0x9F47, "03"), (0x9F48, hexText(card.modulus.dropFirst(room))),
        ])
        return [K3Record(sfi: 3, number: 1, data: first), K3Record(sfi: 3, number: 2, data: second)]
    }

    static func signature(format: UInt8, counter: K3Bytes, over terminal: K3Bytes) -> K3Bytes {
        let head = [format, 0x01, UInt8(counter.count + 1), UInt8(counter.count)] + counter
        let padding = K3Bytes(repeating: 0xBB, count: card.modulus.count - 22 - head.count)
        return card.sign([0x6A] + head + padding + sha1(head + padding + terminal) + [0xBC], exponent: 3)
    }
}

// MARK: The reader

/// The sale and the reader of one test, with defaults: 12.50 EUR, below the CVM limit of 200.00 and the floor limit of
/// 100.00.
struct K3Sale {
    static let amount: UInt64 = 1250
    /// Unpredictable numbers of the first presentments.
    static let numbers: [K3Bytes] = [hex("01234567"), hex("89ABCDEF"), hex("0F1E2D3C"), hex("4B5A6978")]

    static func bcd(_ amount: UInt64) -> K3Bytes {
        let digits = String(amount)
        return hex(String(repeating: "0", count: 12 - digits.count) + digits)
    }

    /// Of the combination.
    var aid = hex("A0000000031010")
    var type: UInt8 = 0x00
    var amount = K3Sale.amount
    var amountOther: UInt64 = 0
    var date: K3Bytes = [0x26, 0x11, 0x21]
    var startB = false

    var limits: [cemv_limit: UInt64] = [
        CEMV_LIMIT_TRANSACTION: 30000, CEMV_LIMIT_FLOOR: 10000, CEMV_LIMIT_CVM_REQUIRED: 20000,
    ]
    var ttq = hex("36004000")
    var zeroAmount = CEMV_ZERO_AMOUNT_ONLINE
    var format1 = false
    var usageControlOff = false
    var terminal = "9F1A020276 9F350122 9F4E0A546573742053746F7265"
    var data = ""
    var dynamicLimits:
        [(program: String, limits: [cemv_limit: UInt64], zeroAmount: cemv_zero_amount, statusCheck: Bool)] = []
    var exceptions: [(pan: String, sequence: UInt8?)] = []
    var hasKey = true
    var keyExpires: K3Bytes = [0x35, 0x12, 0x31]
    var revokedSerial: K3Bytes?
    /// Instead of our own key.
    var otherKeys: [(index: UInt8, exponent: UInt32, modulus: K3Bytes)] = []
    var random = K3Sale.numbers.flatMap { $0 }
    var protection = cemv_protection()

    init(_ profile: cemv_profile = CEMV_PROFILE_BOOK) {
        protection.profile = UInt8(profile.rawValue)
        protection.min_ca_bits = 512
    }

    /// An amount at which the reader requires a CVM, with no floor limit in the way.
    static func aboveCVMLimit(_ profile: cemv_profile = CEMV_PROFILE_BOOK) -> K3Sale {
        var sale = K3Sale(profile)
        sale.amount = 25000
        sale.limits[CEMV_LIMIT_FLOOR] = 29000
        return sale
    }
}

extension cemv_limit: @retroactive Hashable {}

struct K3UI: Equatable, CustomStringConvertible {
    var message: UInt8
    var status: UInt8
    var description: String { hexText([message]) + "/" + hexText([status]) }
}

/// What one tap led to.
struct K3Result {
    var outcome = cemv_outcome()
    var record: [(tag: UInt32, value: K3Bytes)] = []
    var discretionary: [(tag: UInt32, value: K3Bytes)] = []
    var commands: [K3Bytes] = []
    var answers: [K3Bytes] = []
    var messages: [K3UI] = []
    var polls: [cemv_poll] = []
    var steps = 0
    var parked = false
    /// The session still holds the card's account number or one of its certificates though the outcome exports none.
    var leaks = false

    var status: cemv_outcome_status { cemv_outcome_status(UInt32(outcome.status)) }
    var cvm: cemv_cvm { cemv_cvm(UInt32(outcome.cvm)) }
    var reason: cemv_reason { cemv_reason(UInt32(outcome.reason)) }
    func found(_ finding: cemv_finding) -> Bool { outcome.findings >> finding.rawValue & 1 != 0 }
    func value(_ tag: UInt32) -> K3Bytes? { record.first { $0.tag == tag }?.value }
    /// Commands by their first bytes: INS alone.
    var instructions: K3Bytes { commands.map { $0[1] } }
    var gpoCommand: K3Bytes? { commands.last { $0[0] == 0x80 && $0[1] == 0xA8 } }
    /// The error indication's second byte.
    var l2: UInt8 { outcome.error_indication.1 }
}

enum K3Answer {
    case response(K3Bytes)
    case fault(cemv_reply_kind)
}

/// A checked configuration that owns what it points to, and the memory of one session.
final class K3Reader {
    private var blocks: [UnsafeMutableRawPointer] = []
    private let session = UnsafeMutableRawPointer.allocate(
        byteCount: Int(CEMV_SESSION_SIZE), alignment: Int(CEMV_ALIGNMENT))
    private(set) var checked: UnsafePointer<cemv_checked>?
    private let sale: K3Sale

    init(_ sale: K3Sale) {
        self.sale = sale
        var configuration = cemv_configuration()
        configuration.terminal_data = bytes(hex(sale.terminal))
        configuration.combinations = array([combination()])
        configuration.combination_count = 1
        let own =
            sale.hasKey && sale.otherKeys.isEmpty
            ? [(index: K3Keys.index, exponent: 3 as UInt32, modulus: K3Keys.authority.modulus)] : []
        let keys = (own + sale.otherKeys).map { given in
            var key = cemv_ca_key()
            withUnsafeMutableBytes(of: &key.rid) { $0.copyBytes(from: hex("A000000003")) }
            withUnsafeMutableBytes(of: &key.expires) { $0.copyBytes(from: sale.keyExpires) }
            key.index = given.index
            key.exponent = given.exponent
            key.modulus = bytes(given.modulus)
            return key
        }
        configuration.ca_keys = array(keys)
        configuration.ca_key_count = keys.count
        if let serial = sale.revokedSerial {
            var row = cemv_revocation()
            withUnsafeMutableBytes(of: &row.rid) { $0.copyBytes(from: hex("A000000003")) }
            row.index = K3Keys.index
            withUnsafeMutableBytes(of: &row.serial) { $0.copyBytes(from: serial) }
            configuration.revocations = array([row])
            configuration.revocation_count = 1
        }
        configuration.exceptions = array(
            sale.exceptions.map {
                cemv_exception(pan: bytes(hex($0.pan)), sequence: $0.sequence ?? 0, any_sequence: $0.sequence == nil)
            })
        configuration.exception_count = sale.exceptions.count
        var kernel = cemv_kernel_row()
        kernel.id.0 = 3
        kernel.id_size = 1
        kernel.module = array([cemv_kernel_3])
        configuration.kernels = array([kernel])
        configuration.kernel_count = 1
        configuration.protection = sale.protection

        let kept: UnsafePointer<cemv_configuration> = array([configuration])
        let size = cemv_checked_size(kept)
        let memory = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: Int(CEMV_ALIGNMENT))
        blocks.append(memory)
        var error = cemv_config_error()
        let status = cemv_configuration_check(kept, memory, size, &checked, &error)
        precondition(status == CEMV_OK, "configuration refused: \(status), \(error)")
    }

    deinit {
        blocks.forEach { $0.deallocate() }
        session.deallocate()
    }

    private func bytes(_ bytes: K3Bytes) -> cemv_bytes {
        cemv_bytes(data: array(bytes), size: bytes.count)
    }

    private func array<Element: BitwiseCopyable>(_ elements: [Element]) -> UnsafePointer<Element> {
        let block = UnsafeMutablePointer<Element>.allocate(capacity: max(elements.count, 1))
        block.initialize(from: elements, count: elements.count)
        blocks.append(UnsafeMutableRawPointer(block))
        return UnsafePointer(block)
    }

    private func limits(_ given: [cemv_limit: UInt64]) -> cemv_limits {
        var limits = cemv_limits()
        withUnsafeMutableBytes(of: &limits.amount) { raw in
            for (limit, amount) in given {
                raw.storeBytes(of: amount, toByteOffset: 8 * Int(limit.rawValue), as: UInt64.self)
            }
        }
        limits.present = given.keys.reduce(0) { $0 | 1 << UInt8($1.rawValue) }
        return limits
    }

    private func combination() -> cemv_combination {
        var row = cemv_combination()
        row.aid = bytes(sale.aid)
        row.kernel_id.0 = 3
        row.kernel_id_size = 1
        row.zero_amount = UInt8(sale.zeroAmount.rawValue)
        row.transaction_types = bytes([0x00, 0x01, 0x09, 0x20])
        row.limits = limits(sale.limits)
        row.ttq = bytes(sale.ttq)
        row.data = bytes(hex(sale.data))
        var options = cemv_kernel_3_options()
        options.gpo_format_1 = sale.format1
        options.usage_control_off = sale.usageControlOff
        options.dynamic_limits = array(
            sale.dynamicLimits.map {
                cemv_dynamic_limit(
                    program: bytes(hex($0.program)), limits: limits($0.limits),
                    zero_amount: UInt8($0.zeroAmount.rawValue),
                    status_check: $0.statusCheck)
            })
        options.dynamic_limit_count = sale.dynamicLimits.count
        row.options = UnsafeRawPointer(array([options]) as UnsafePointer)
        return row
    }

    /// Taps `card`; `online` is given where the session parks. `pull` answers instead of the card.
    func tap(
        _ given: K3Card, online: K3Bytes? = nil, pull: (Int, K3Bytes) -> cemv_reply_kind? = { _, _ in nil }
    ) -> K3Result {
        var card = given
        return run(online: online) { index, command in
            if let fault = pull(index, command) { return .fault(fault) }
            return .response(card.answer(command))
        }
    }

    func run(online: K3Bytes? = nil, _ respond: (Int, K3Bytes) -> K3Answer) -> K3Result {
        session.initializeMemory(as: UInt8.self, repeating: 0xA5, count: Int(CEMV_SESSION_SIZE))
        var transaction = cemv_transaction()
        transaction.type = sale.type
        transaction.amount = sale.amount
        transaction.amount_other = sale.amountOther
        transaction.currency = 0x0978
        transaction.exponent = 2
        transaction.date = (sale.date[0], sale.date[1], sale.date[2])
        transaction.start_b = sale.startB
        var s: UnsafeMutablePointer<cemv_session>?
        var error = cemv_config_error()
        let status = sale.random.withUnsafeBufferPointer {
            cemv_session_begin(
                session, Int(CEMV_SESSION_SIZE), checked, &transaction,
                cemv_bytes(data: $0.baseAddress, size: $0.count), &s, &error)
        }
        precondition(status == CEMV_OK, "begin refused: \(status)")
        return drive(s!, online: online, respond)
    }

    private func drive(
        _ s: UnsafeMutablePointer<cemv_session>, online: K3Bytes?, _ respond: (Int, K3Bytes) -> K3Answer
    ) -> K3Result {
        var result = K3Result()
        var answer = online
        while result.steps < 400 {
            result.steps += 1
            for i in 0..<cemv_session_ui_count(s) {
                let request = cemv_session_ui(s, i)
                result.messages.append(K3UI(message: request.message, status: request.status))
            }
            switch cemv_session_step(s) {
            case CEMV_STEP_POLL:
                let poll = cemv_session_poll(s)
                result.polls.append(poll)
                reply(
                    s,
                    poll.removal_first && cemv_session_takes(s, UInt8(CEMV_REPLY_REMOVED.rawValue))
                        ? CEMV_REPLY_REMOVED : CEMV_REPLY_CARD)
            case CEMV_STEP_SEND:
                let command = cemv_session_command(s)
                result.commands.append(K3Bytes(UnsafeBufferPointer(start: command.data, count: command.size)))
                switch respond(result.commands.count - 1, result.commands.last!) {
                case .response(let bytes):
                    result.answers.append(bytes)
                    reply(s, CEMV_REPLY_RESPONSE, bytes)
                case .fault(let kind): reply(s, kind)
                }
            case CEMV_STEP_ASK:
                reply(s, CEMV_REPLY_DATA, (0..<32).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ result.steps) })
            case CEMV_STEP_WORK: reply(s, CEMV_REPLY_CONTINUE)
            case CEMV_STEP_PARKED:
                result.parked = true
                guard let given = answer else {
                    gather(s, &result)
                    reply(s, CEMV_REPLY_ABANDON)
                    return result
                }
                answer = nil
                reply(s, CEMV_REPLY_ONLINE, given)
            default:
                gather(s, &result)
                return result
            }
        }
        preconditionFailure("a tap without end")
    }

    private func reply(_ s: UnsafeMutablePointer<cemv_session>, _ kind: cemv_reply_kind, _ bytes: K3Bytes = []) {
        bytes.withUnsafeBufferPointer { buffer in
            var reply = cemv_reply()
            reply.kind = UInt8(kind.rawValue)
            reply.bytes = cemv_bytes(data: buffer.isEmpty ? nil : buffer.baseAddress, size: buffer.count)
            cemv_session_reply(s, &reply)
        }
    }

    private func gather(_ s: UnsafeMutablePointer<cemv_session>, _ result: inout K3Result) {
        func copy(_ bytes: cemv_bytes) -> K3Bytes { K3Bytes(UnsafeBufferPointer(start: bytes.data, count: bytes.size)) }
        result.outcome = cemv_session_outcome(s)
        result.record = k3Objects(copy(cemv_session_data_record(s)))
        result.discretionary = k3Objects(copy(cemv_session_discretionary(s)))
        let needles = [hex("4761739001010119"), K3Bytes(K3Keys.card.modulus.suffix(12)), hex("B2EC180414DFA51A")]
        let exported = result.record.isEmpty ? needles : [needles[1]]
        result.leaks = exported.contains { needle in
            holds(needle)
        }
    }
}

extension K3Reader {
    private func holds(_ needle: K3Bytes) -> Bool {
        let memory = UnsafeRawBufferPointer(start: session, count: Int(CEMV_SESSION_SIZE))
        var at = 0
        while let found = memchr(memory.baseAddress! + at, Int32(needle[0]), memory.count - at) {
            at = found - UnsafeMutableRawPointer(mutating: memory.baseAddress!)
            if memory.count - at < needle.count { return false }
            if memcmp(found, needle, needle.count) == 0 { return true }
            at += 1
        }
        return false
    }
}

func k3Tap(_ card: K3Card, _ sale: K3Sale = K3Sale(), online: K3Bytes? = nil) -> K3Result {
    K3Reader(sale).tap(card, online: online)
}
