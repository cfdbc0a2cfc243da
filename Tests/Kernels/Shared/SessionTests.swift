// SPDX-License-Identifier: Apache-2.0
// Memory, configuration and transaction checks, forks and wiping: what a session owes its owner.
import CEMV
import CEMVInternals
import TestData
import Testing

private typealias Refusal = EntryConfiguration.Refusal

private func configuration(
    _ rows: [EntryRow] = [EntryRow()], terminal: [UInt8] = [], poi: [UInt8] = [], kernels: [[UInt8]]? = nil,
    change: (EntryConfiguration) -> Void = { _ in }
) -> EntryConfiguration {
    let configuration = EntryConfiguration(rows, terminal: terminal, poi: poi, kernels: kernels)
    change(configuration)
    return configuration
}

private func caKey(
    _ configuration: EntryConfiguration, index: UInt8 = 1,
    modulus: [UInt8] = [0x80] + Array(repeating: 0x55, count: 142) + [0x01], exponent: UInt32 = 3
) -> cemv_ca_key {
    var key = cemv_ca_key()
    key.rid = (0xA0, 0, 0, 0, 3)
    key.index = index
    key.exponent = exponent
    key.modulus = configuration.bytes(modulus)
    return key
}

private func keys(_ change: @escaping (EntryConfiguration) -> [cemv_ca_key]) -> (EntryConfiguration) -> Void {
    { configuration in
        let keys = change(configuration)
        configuration.c.ca_keys = UnsafePointer(configuration.array(keys))
        configuration.c.ca_key_count = keys.count
    }
}

private func limits(_ set: @escaping (inout cemv_limits) -> Void) -> (EntryConfiguration) -> Void {
    { configuration in set(&UnsafeMutablePointer(mutating: configuration.c.combinations!).pointee.limits) }
}

private func row(_ set: @escaping (inout cemv_combination, EntryConfiguration) -> Void) -> (EntryConfiguration) -> Void
{
    { configuration in set(&UnsafeMutablePointer(mutating: configuration.c.combinations!).pointee, configuration) }
}

private func protection(_ set: (inout cemv_protection) -> Void) -> cemv_protection {
    var protection = cemv_protection()
    set(&protection)
    return protection
}

private func begin(
    _ sale: cemv_transaction, random: [UInt8] = EntrySession.pool, offset: Int = 0, size: Int = Int(CEMV_SESSION_SIZE)
) -> Refusal {
    let configuration = EntryConfiguration([EntryRow()])
    let memory = UnsafeMutableRawPointer.allocate(
        byteCount: Int(CEMV_SESSION_SIZE) + 16, alignment: Int(CEMV_ALIGNMENT))
    defer { memory.deallocate() }
    var sale = sale, error = cemv_config_error()
    var session: UnsafeMutablePointer<cemv_session>?
    let checked = configuration.checked
    let status = random.withUnsafeBufferPointer {
        cemv_session_begin(
            memory + offset, size, checked, &sale, cemv_bytes(data: $0.baseAddress, size: $0.count), &session, &error)
    }
    #expect((session == nil) == (status != CEMV_OK))
    return Refusal(status, error)
}

private func sale(_ set: (inout cemv_transaction) -> Void) -> cemv_transaction {
    var sale = entrySale()
    set(&sale)
    return sale
}

private let pan = hex("4761739001010119")

extension [UInt8] {
    fileprivate func holds(_ bytes: [UInt8]) -> Bool {
        guard count >= bytes.count else { return false }
        return (0...(count - bytes.count)).contains {
            self[$0] == bytes[0] && Array(self[$0..<$0 + bytes.count]) == bytes
        }
    }
}

extension EntryPoint {
    @Suite struct SessionTests {
        // MARK: memory

        @Test func sessionFitsItsPublishedSize() {
            #expect(MemoryLayout<cemv_session>.size <= Int(CEMV_SESSION_SIZE) && Int(CEMV_SESSION_SIZE) <= 8192)
            #expect(
                Int(CEMV_SESSION_SIZE).isMultiple(of: Int(CEMV_ALIGNMENT))
                    && MemoryLayout<cemv_session>.alignment <= Int(CEMV_ALIGNMENT))
        }

        @Test func memoryTooSmallOrAskewIsRefused() {
            let refused = Refusal(CEMV_NO_MEMORY, CEMV_SECTION_TRANSACTION, 0, CEMV_FIELD_MEMORY)
            #expect(
                begin(entrySale(), size: 0) == refused
                    && begin(entrySale(), size: MemoryLayout<cemv_session>.size - 1) == refused)
            for offset in 1..<16 { #expect(begin(entrySale(), offset: offset) == refused) }
            #expect(begin(entrySale(), offset: 16).status == CEMV_OK)
        }

        @Test func memoryOfTheConfigurationTooSmallOrAskewIsRefused() {
            let refused = Refusal(CEMV_NO_MEMORY, CEMV_SECTION_TERMINAL, 0, CEMV_FIELD_MEMORY)
            let configuration = EntryConfiguration([EntryRow()])
            let size = cemv_checked_size(&configuration.c)
            let memory = UnsafeMutableRawPointer.allocate(byteCount: size + 16, alignment: Int(CEMV_ALIGNMENT))
            defer { memory.deallocate() }
            for (place, given) in [
                (memory, size - 1), (memory, 0), (memory + 1, size), (memory + 8, size), (nil, size),
            ] as [(UnsafeMutableRawPointer?, Int)] {
                var checked: UnsafePointer<cemv_checked>?
                var error = cemv_config_error()
                let status = cemv_configuration_check(&configuration.c, place, given, &checked, &error)
                #expect(Refusal(status, error) == refused && checked == nil)
            }
        }

        // MARK: configuration

        @Test func configurationErrorsNameTheirPlace() {
            let combination = CEMV_SECTION_COMBINATION, two = [EntryRow(), EntryRow(aid: EntryCard.visa)]
            let cases: [(String, EntryConfiguration, Refusal)] = [
                ("no combination", configuration([]), Refusal(CEMV_MISSING, combination, 0, CEMV_FIELD_NONE)),
                (
                    "65 combinations", configuration((0..<65).map { EntryRow(aid: EntryCard.own + [UInt8($0)]) }),
                    Refusal(CEMV_TOO_MANY, combination, 0, CEMV_FIELD_NONE)
                ),
                (
                    "AID of 4", configuration([EntryRow(), EntryRow(aid: [1, 2, 3, 4])]),
                    Refusal(CEMV_BAD_LENGTH, combination, 1, CEMV_FIELD_AID)
                ),
                (
                    "AID of 17", configuration([EntryRow(aid: Array(repeating: 1, count: 17))]),
                    Refusal(CEMV_BAD_LENGTH, combination, 0, CEMV_FIELD_AID)
                ),
                (
                    "kernel id of 0", configuration(change: row { row, _ in row.kernel_id_size = 0 }),
                    Refusal(CEMV_BAD_LENGTH, combination, 0, CEMV_FIELD_KERNEL_ID)
                ),
                (
                    "kernel id of 9", configuration(change: row { row, _ in row.kernel_id_size = 9 }),
                    Refusal(CEMV_BAD_LENGTH, combination, 0, CEMV_FIELD_KERNEL_ID)
                ),
                (
                    "kernel not in the table", configuration(two + [EntryRow(kernel: [9])], kernels: [[0x21]]),
                    Refusal(CEMV_UNKNOWN_KERNEL, combination, 2, CEMV_FIELD_KERNEL_ID)
                ),
                (
                    "kernel by its whole id",
                    configuration([EntryRow(kernel: [0x81, 1])], kernels: [[0x81], [0x81, 1, 2]]),
                    Refusal(CEMV_UNKNOWN_KERNEL, combination, 0, CEMV_FIELD_KERNEL_ID)
                ),
                (
                    "TTQ of 3", configuration([EntryRow(ttq: [1, 2, 3])]),
                    Refusal(CEMV_BAD_LENGTH, combination, 0, CEMV_FIELD_TTQ)
                ),
                (
                    "TTQ of 5", configuration([EntryRow(ttq: [1, 2, 3, 4, 5])]),
                    Refusal(CEMV_BAD_LENGTH, combination, 0, CEMV_FIELD_TTQ)
                ),
                (
                    "zero amount", configuration(change: row { row, _ in row.zero_amount = 3 }),
                    Refusal(CEMV_BAD_VALUE, combination, 0, CEMV_FIELD_ZERO_AMOUNT)
                ),
                (
                    "limit unknown", configuration(change: limits { $0.present = 0x20 }),
                    Refusal(CEMV_BAD_VALUE, combination, 0, CEMV_FIELD_LIMITS)
                ),
                (
                    "limit of 13 digits",
                    configuration(
                        change: limits {
                            $0.present = 1; $0.amount.0 = 1_000_000_000_000
                        }), Refusal(CEMV_BAD_VALUE, combination, 0, CEMV_FIELD_LIMITS)
                ),
                (
                    "same twice", configuration(two + [EntryRow(types: [0x20, 0x00])]),
                    Refusal(CEMV_DUPLICATE, combination, 2, CEMV_FIELD_TRANSACTION_TYPES)
                ),
                (
                    "own protection", configuration([EntryRow(protection: protection { $0.luhn = 4 })]),
                    Refusal(CEMV_BAD_VALUE, combination, 0, CEMV_FIELD_PROTECTION)
                ),

                (
                    "data cut off", configuration([EntryRow(data: hex("9F1503"))]),
                    Refusal(CEMV_BAD_TLV, combination, 0, CEMV_FIELD_DATA)
                ),
                (
                    "data unknown", configuration([EntryRow(data: hex("DF7E0101"))]),
                    Refusal(CEMV_UNKNOWN_TAG, combination, 0, CEMV_FIELD_DATA, tag: 0xDF7E)
                ),
                (
                    "data of the card", configuration([EntryRow(data: hex("57021122"))]),
                    Refusal(CEMV_NOT_CONFIGURABLE, combination, 0, CEMV_FIELD_DATA, tag: 0x57)
                ),
                (
                    "data computed", configuration([EntryRow(data: hex("9F3704AABBCCDD"))]),
                    Refusal(CEMV_NOT_CONFIGURABLE, combination, 0, CEMV_FIELD_DATA, tag: 0x9F37)
                ),
                (
                    "data too short", configuration([EntryRow(data: hex("9F150111"))]),
                    Refusal(CEMV_BAD_LENGTH, combination, 0, CEMV_FIELD_DATA, tag: 0x9F15)
                ),
                (
                    "data not numeric", configuration([EntryRow(data: hex("9F1502 1A11"))]),
                    Refusal(CEMV_BAD_VALUE, combination, 0, CEMV_FIELD_DATA, tag: 0x9F15)
                ),
                (
                    "data twice", configuration([EntryRow(data: hex("9F15021111 9F15021111"))]),
                    Refusal(CEMV_DUPLICATE, combination, 0, CEMV_FIELD_DATA, tag: 0x9F15)
                ),
                (
                    "terminal data twice", configuration(terminal: hex("9F1A020276 9F1A020276")),
                    Refusal(CEMV_DUPLICATE, CEMV_SECTION_TERMINAL, 0, CEMV_FIELD_DATA, tag: 0x9F1A)
                ),
                (
                    "terminal data malformed", configuration(terminal: [0x9F]),
                    Refusal(CEMV_BAD_TLV, CEMV_SECTION_TERMINAL, 0, CEMV_FIELD_DATA)
                ),
                (
                    "POI list malformed", configuration(poi: hex("00010300")),
                    Refusal(CEMV_BAD_VALUE, CEMV_SECTION_TERMINAL, 0, CEMV_FIELD_DATA, tag: 0x8B)
                ),
                (
                    "POI list of 65", configuration(poi: hex("12343E") + Array(repeating: 0, count: 62)),
                    Refusal(CEMV_BAD_LENGTH, CEMV_SECTION_TERMINAL, 0, CEMV_FIELD_DATA, tag: 0x8B)
                ),

                (
                    "kernel twice", configuration(kernels: [[0x21], [3], [0x21]]),
                    Refusal(CEMV_DUPLICATE, CEMV_SECTION_KERNEL, 2, CEMV_FIELD_KERNEL_ID)
                ),
                (
                    "kernel without an id", configuration(kernels: [[0x21], []]),
                    Refusal(CEMV_BAD_LENGTH, CEMV_SECTION_KERNEL, 1, CEMV_FIELD_KERNEL_ID)
                ),
                (
                    "kernel without a module",
                    configuration { UnsafeMutablePointer(mutating: $0.c.kernels!).pointee.module = nil },
                    Refusal(CEMV_MISSING, CEMV_SECTION_KERNEL, 0, CEMV_FIELD_MODULE)
                ),
                (
                    "kernel without a start",
                    configuration {
                        var module = cemv_kernel_module()
                        module.reply = third_party_kernel.reply
                        UnsafeMutablePointer(mutating: $0.c.kernels!).pointee.module = UnsafePointer(
                            $0.array([module]))
                    }, Refusal(CEMV_MISSING, CEMV_SECTION_KERNEL, 0, CEMV_FIELD_MODULE)
                ),

                (
                    "rule", configuration { $0.c.protection.oda_tamper = 4 },
                    Refusal(CEMV_BAD_VALUE, CEMV_SECTION_PROTECTION, 0, CEMV_FIELD_PROTECTION)
                ),
                (
                    "profile", configuration { $0.c.protection.profile = 3 },
                    Refusal(CEMV_BAD_VALUE, CEMV_SECTION_PROTECTION, 0, CEMV_FIELD_PROTECTION)
                ),
                (
                    "trust", configuration { $0.c.protection.cdcvm_trust = 4 },
                    Refusal(CEMV_BAD_VALUE, CEMV_SECTION_PROTECTION, 0, CEMV_FIELD_PROTECTION)
                ),
                (
                    "records", configuration { $0.c.protection.max_records = 65 },
                    Refusal(CEMV_BAD_VALUE, CEMV_SECTION_PROTECTION, 0, CEMV_FIELD_PROTECTION)
                ),

                (
                    "key exponent", configuration(change: keys { [caKey($0), caKey($0, index: 2, exponent: 17)] }),
                    Refusal(CEMV_BAD_VALUE, CEMV_SECTION_CA_KEY, 1, CEMV_FIELD_EXPONENT)
                ),
                (
                    "key of 63 bytes",
                    configuration(change: keys { [caKey($0, modulus: Array(repeating: 0xFF, count: 63))] }),
                    Refusal(CEMV_BAD_LENGTH, CEMV_SECTION_CA_KEY, 0, CEMV_FIELD_MODULUS)
                ),
                (
                    "key of 249 bytes",
                    configuration(change: keys { [caKey($0, modulus: Array(repeating: 0xFF, count: 249))] }),
                    Refusal(CEMV_BAD_LENGTH, CEMV_SECTION_CA_KEY, 0, CEMV_FIELD_MODULUS)
                ),
                (
                    "even key",
                    configuration(change: keys { [caKey($0, modulus: Array(repeating: 0xFE, count: 144))] }),
                    Refusal(CEMV_BAD_VALUE, CEMV_SECTION_CA_KEY, 0, CEMV_FIELD_MODULUS)
                ),
                (
                    "weak key",
                    configuration(change: keys { [caKey($0, modulus: Array(repeating: 0xFF, count: 128))] }),
                    Refusal(CEMV_WEAK_KEY, CEMV_SECTION_CA_KEY, 0, CEMV_FIELD_MODULUS)
                ),
                (
                    "checksum of 19",
                    configuration(
                        change: keys { own in
                            var key = caKey(own); key.sha1 = own.bytes(Array(repeating: 0, count: 19)); return [key]
                        }), Refusal(CEMV_BAD_LENGTH, CEMV_SECTION_CA_KEY, 0, CEMV_FIELD_CHECKSUM)
                ),
                (
                    "checksum wrong",
                    configuration(
                        change: keys { own in
                            var key = caKey(own); key.sha1 = own.bytes(Array(repeating: 0, count: 20)); return [key]
                        }), Refusal(CEMV_BAD_CHECKSUM, CEMV_SECTION_CA_KEY, 0, CEMV_FIELD_CHECKSUM)
                ),
                (
                    "key expiry",
                    configuration(
                        change: keys { own in
                            var key = caKey(own); key.expires = (0x30, 0x02, 0x30); return [key]
                        }), Refusal(CEMV_BAD_VALUE, CEMV_SECTION_CA_KEY, 0, CEMV_FIELD_EXPIRY)
                ),
                (
                    "test beside live",
                    configuration(
                        change: keys { own in
                            var key = caKey(own, index: 2); key.test = true; return [caKey(own), key]
                        }), Refusal(CEMV_CONFLICT, CEMV_SECTION_CA_KEY, 1, CEMV_FIELD_INDEX)
                ),
                (
                    "key twice", configuration(change: keys { [caKey($0), caKey($0, index: 2), caKey($0)] }),
                    Refusal(CEMV_DUPLICATE, CEMV_SECTION_CA_KEY, 2, CEMV_FIELD_INDEX)
                ),
                (
                    "257 keys", configuration(change: keys { own in Array(repeating: caKey(own), count: 257) }),
                    Refusal(CEMV_TOO_MANY, CEMV_SECTION_CA_KEY, 0, CEMV_FIELD_NONE)
                ),

                (
                    "exception of 7 digits",
                    configuration { own in
                        var row = cemv_exception(); row.pan = own.bytes(hex("4761739F")); row.any_sequence = true
                        own.c.exceptions = UnsafePointer(own.array([row])); own.c.exception_count = 1
                    }, Refusal(CEMV_BAD_VALUE, CEMV_SECTION_EXCEPTION, 0, CEMV_FIELD_PAN)
                ),
                (
                    "exception's sequence",
                    configuration { own in
                        var row = cemv_exception(); row.pan = own.bytes(pan); row.sequence = 0x0A
                        own.c.exceptions = UnsafePointer(own.array([row])); own.c.exception_count = 1
                    }, Refusal(CEMV_BAD_VALUE, CEMV_SECTION_EXCEPTION, 0, CEMV_FIELD_SEQUENCE)
                ),
            ]
            for (name, configuration, expected) in cases {
                let (checked, found) = configuration.check()
                #expect(found == expected && checked == nil, "\(name)")
            }
        }

        @Test func goodConfigurationsLeaveNoError() {
            for good in [
                configuration(), configuration((0..<64).map { EntryRow(aid: EntryCard.own + [UInt8($0)]) }),
                configuration([EntryRow(), EntryRow(types: [0x20]), EntryRow(kernel: [0x22])]),
                configuration([EntryRow(aid: Array(repeating: 1, count: 16), ttq: [1, 2, 3, 4])]),
                configuration(poi: hex("0001020001 12340103")),
                configuration(change: keys { [caKey($0), caKey($0, index: 2, exponent: 65537)] }),
                configuration([EntryRow()]) { own in
                    own.c.protection.profile = UInt8(CEMV_PROFILE_BOOK.rawValue)
                    keys { [caKey($0, modulus: Array(repeating: 0xFF, count: 128))] }(own)
                },
            ] {
                let (checked, found) = good.check()
                #expect(checked != nil && found == Refusal(CEMV_OK, CEMV_SECTION_TERMINAL, 0, CEMV_FIELD_NONE))
            }
        }

        // MARK: transaction

        @Test func transactionErrorsNameTheirField() {
            let section = CEMV_SECTION_TRANSACTION
            let good = EntryConfiguration([EntryRow()])
            let cases: [(cemv_transaction, Refusal)] = [
                (sale { $0.amount = 1_000_000_000_000 }, Refusal(CEMV_BAD_VALUE, section, 0, CEMV_FIELD_AMOUNT)),
                (sale { $0.amount_other = 1_000_000_000_000 }, Refusal(CEMV_BAD_VALUE, section, 0, CEMV_FIELD_AMOUNT)),
                (sale { $0.type = 0x0A }, Refusal(CEMV_BAD_VALUE, section, 0, CEMV_FIELD_TYPE)),
                (sale { $0.currency = 0x09A8 }, Refusal(CEMV_BAD_VALUE, section, 0, CEMV_FIELD_CURRENCY)),
                (sale { $0.currency = 0x1000 }, Refusal(CEMV_BAD_VALUE, section, 0, CEMV_FIELD_CURRENCY)),
                (sale { $0.exponent = 5 }, Refusal(CEMV_BAD_VALUE, section, 0, CEMV_FIELD_EXPONENT_OF_CURRENCY)),
                (sale { $0.date = (0x26, 0x13, 0x01) }, Refusal(CEMV_BAD_VALUE, section, 0, CEMV_FIELD_DATE)),
                (sale { $0.date = (0x26, 0x02, 0x29) }, Refusal(CEMV_BAD_VALUE, section, 0, CEMV_FIELD_DATE)),
                (sale { $0.time = (0x24, 0, 0) }, Refusal(CEMV_BAD_VALUE, section, 0, CEMV_FIELD_TIME)),
                (sale { $0.time = (0x23, 0x60, 0) }, Refusal(CEMV_BAD_VALUE, section, 0, CEMV_FIELD_TIME)),
                (sale { $0.time = (0x23, 0x59, 0x60) }, Refusal(CEMV_BAD_VALUE, section, 0, CEMV_FIELD_TIME)),
                (sale { $0.time = (0x0A, 0, 0) }, Refusal(CEMV_BAD_VALUE, section, 0, CEMV_FIELD_TIME)),
                (sale { $0.counter = 100_000_000 }, Refusal(CEMV_BAD_VALUE, section, 0, CEMV_FIELD_COUNTER)),
                (sale { $0.data = good.bytes(hex("9F1503")) }, Refusal(CEMV_BAD_TLV, section, 0, CEMV_FIELD_DATA)),
                (
                    sale { $0.data = good.bytes(hex("9F0206000000000001")) },
                    Refusal(CEMV_NOT_CONFIGURABLE, section, 0, CEMV_FIELD_DATA, tag: 0x9F02)
                ),
                (
                    sale { $0.data = good.bytes(hex("9F150111")) },
                    Refusal(CEMV_BAD_LENGTH, section, 0, CEMV_FIELD_DATA, tag: 0x9F15)
                ),
            ]
            for (sale, expected) in cases { #expect(begin(sale) == expected) }
            #expect(
                begin(
                    sale {
                        $0.time = (0x23, 0x59, 0x59); $0.date = (0x28, 0x02, 0x29); $0.counter = 99_999_999;
                        $0.amount = 999_999_999_999
                    }
                ).status == CEMV_OK)
            withExtendedLifetime(good) {}
        }

        @Test func fewerThanFourRandomBytesAreRefused() {
            for size in 0..<4 {
                #expect(
                    begin(entrySale(), random: Array(EntrySession.pool.prefix(size)))
                        == Refusal(CEMV_NO_RANDOM, CEMV_SECTION_TRANSACTION, 0, CEMV_FIELD_RANDOM))
            }
        }

        // MARK: forks and sharing

        @Test func forksHaveIdenticalFutures() {
            let outcome = entryOutcome(
                CEMV_OUTCOME_ONLINE_REQUEST, start: CEMV_START_B, answer: CEMV_ONLINE_RESPONSE_ANY)
            let replies: [(cemv_reply_kind, [UInt8])] = [
                (CEMV_REPLY_COLLISION, []), (CEMV_REPLY_COLLISION_CLEARED, []), (CEMV_REPLY_CARD, []),
                (CEMV_REPLY_TIMEOUT, []), (CEMV_REPLY_CARD, []),
                (CEMV_REPLY_RESPONSE, EntryCard.ppse(EntryCard.entry(EntryCard.own))),
                (CEMV_REPLY_RESPONSE, EntryCard.fci(EntryCard.own)), (CEMV_REPLY_RESPONSE, [0x90, 0x00]),
                (CEMV_REPLY_ONLINE, hex("8A023030")), (CEMV_REPLY_CARD, []), (CEMV_REPLY_RESPONSE, [0x6A, 0x82]),
            ]
            for place in replies.indices {
                _ = EntryScript(outcome)
                let first = EntrySession(EntryConfiguration([EntryRow()]))
                for (kind, bytes) in replies[..<place] { first.reply(kind, bytes) }
                let second = first.fork()
                for (kind, bytes) in replies[place...] {
                    _ = EntryScript(outcome)
                    let expected = first.reply(kind, bytes)
                    _ = EntryScript(outcome)
                    #expect(second.reply(kind, bytes) == expected && second.everything == first.everything)
                }
                #expect(first.step == CEMV_STEP_DONE && first.log == second.log)
            }
        }

        @Test func checkedConfigurationIsNeverWritten() {
            let configuration = EntryConfiguration(
                [EntryRow(limits: [(CEMV_LIMIT_FLOOR, 0)], ttq: [0x36, 0, 0x40, 0x80])], poi: hex("0001020001"))
            func bytes() -> [UInt8] {
                Array(UnsafeRawBufferPointer(start: configuration.checked, count: configuration.size))
            }
            func rows() -> [UInt8] {
                Array(
                    UnsafeRawBufferPointer(
                        start: configuration.c.combinations, count: MemoryLayout<cemv_combination>.size))
            }
            let before = (bytes(), rows())
            for outcome in [CEMV_OUTCOME_APPROVED, CEMV_OUTCOME_TRY_AGAIN, CEMV_OUTCOME_SELECT_NEXT] {
                _ = EntryScript(entryOutcome(outcome))
                let session = EntrySession(configuration)
                session.card()
                session.answer(EntryCard.ppse(dataObject(0x9F3F, hex("8B05")), EntryCard.entry(EntryCard.own)))
                session.answer(EntryCard.ppse(EntryCard.entry(EntryCard.own)))
                session.answer(EntryCard.fci(EntryCard.own))
                session.answer("9000")
                session.reply(CEMV_REPLY_ABANDON)
            }
            #expect(bytes() == before.0 && rows() == before.1)
        }

        // MARK: wiping

        @Test func finishedSessionHoldsNoCardDataAndNoRandomBytes() {
            let record = dataObject(0x70, dataObject(0x5A, pan)) + [0x90, 0x00]
            let secret: [UInt8] = [0xC7, 0x5E, 0xD1, 0x3B], pool = [1, 2, 3, 4] + secret + secret.reversed()
            for end in [CEMV_REPLY_RESPONSE, CEMV_REPLY_STOP, CEMV_REPLY_ABANDON] {
                _ = EntryScript(entryOutcome(CEMV_OUTCOME_APPROVED))
                let session = EntrySession(EntryConfiguration([EntryRow()]), random: pool)
                session.card()
                session.answer(EntryCard.ppse(EntryCard.entry(EntryCard.own)))
                session.answer(EntryCard.fci(EntryCard.own).dropLast(2) + dataObject(0xDF01, pan) + [0x90, 0x00])
                #expect(session.everything.holds(pan) && session.everything.holds(secret))
                session.reply(end, end == CEMV_REPLY_RESPONSE ? record : [])
                #expect(session.step == CEMV_STEP_DONE)
                #expect(withUnsafeBytes(of: session.session.pointee.kernel.memory) { $0.allSatisfy { $0 == 0 } })
                #expect(
                    !session.everything.holds(pan) && !session.everything.holds(secret)
                        && !session.everything.holds(secret.reversed()) && !session.everything.holds([1, 2, 3, 4]))
            }
        }

        @Test func earlierPresentmentLeavesNothingBehind() {
            // The second presentment is shorter than the first, whose bytes reach further into the memory.
            _ = EntryScript(entryOutcome(CEMV_OUTCOME_TRY_AGAIN))
            let session = EntrySession(EntryConfiguration([EntryRow()]))
            session.card()
            session.answer(EntryCard.ppse(EntryCard.entry(EntryCard.own)))
            session.answer(
                EntryCard.fci(EntryCard.own).dropLast(2) + dataObject(0xDF01, Array(repeating: 0, count: 150) + pan) + [
                    0x90, 0x00,
                ])
            session.answer("9000")
            #expect(session.everything.holds(pan))
            session.activate()
            session.reply(CEMV_REPLY_STOP)
            #expect(session.step == CEMV_STEP_DONE && !session.everything.holds(pan))
        }

        @Test func parkedSessionHoldsOnlyItsOutcome() {
            _ = EntryScript(
                entryOutcome(CEMV_OUTCOME_ONLINE_REQUEST, start: CEMV_START_B, answer: CEMV_ONLINE_RESPONSE_ANY))
            let session = EntrySession(EntryConfiguration([EntryRow()]))
            session.card()
            session.answer(EntryCard.ppse(EntryCard.entry(EntryCard.own)))
            session.answer(EntryCard.fci(EntryCard.own).dropLast(2) + dataObject(0xDF01, pan) + [0x90, 0x00])
            session.answer("9000")
            #expect(session.step == CEMV_STEP_PARKED && !session.everything.holds(pan))
            session.reply(CEMV_REPLY_ONLINE, dataObject(0x91, pan))
            #expect(session.everything.holds(pan))
            session.reply(CEMV_REPLY_STOP)
            #expect(!session.everything.holds(pan))
        }

        @Test func recordsThatAreNoLongerTheOutcomeAreWiped() {
            _ = EntryScript(
                entryOutcome(CEMV_OUTCOME_ONLINE_REQUEST, start: CEMV_START_B, answer: CEMV_ONLINE_RESPONSE_ANY))
            let session = EntrySession(EntryConfiguration([EntryRow()]))
            session.activate()
            session.answer("9000")
            #expect(session.everything.holds(hex("9C0100DF811506")))
            session.reply(CEMV_REPLY_ONLINE)
            session.reply(CEMV_REPLY_STOP)
            #expect(!session.everything.holds(hex("9C0100DF811506")))
        }
    }
}
