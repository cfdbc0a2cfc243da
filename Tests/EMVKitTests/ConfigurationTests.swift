// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestData
import Testing

@testable import EMVKernel
@testable import EMVKit
@testable import EMVPOS

/// A configuration that the kernel accepts.
func workingConfiguration() -> Configuration {
    Configuration(
        terminal: [
            0x9F1A: [0x02, 0x76], 0x9F35: [0x22], 0x9F33: [0xE0, 0xB8, 0xC8], 0x9F40: [0x60, 0x00, 0xB0, 0xA0, 0x01],
        ],
        combinations: [
            Combination(
                aid: [0xA0, 0, 0, 0, 3, 0x10, 0x10], kernel: 3, name: "Visa", transactionTypes: [.purchase, .refund],
                limits: Limits(transaction: 30000, floor: 0, cvmRequired: 5000), ttq: [0x36, 0, 0x40, 0])
        ])
}

let testDay = CalendarDate(year: 2026, month: 11, day: 21)!

@Suite struct ConfigurationTests {
    @Test func acceptsAWorkingConfiguration() throws {
        #expect(try CheckedConfiguration(workingConfiguration()).configuration == workingConfiguration())
    }

    @Test func namesRowAndFieldOfAShortAID() {
        var configuration = workingConfiguration()
        configuration.combinations.append(configuration.combinations[0])
        configuration.combinations[1].aid = [0xA0]
        let error = #expect(throws: ConfigurationError.self) { try CheckedConfiguration(configuration) }
        #expect(error?.section == .combination)
        #expect(error?.row == 1)
        #expect(error?.field == .aid)
        #expect(error?.description.hasPrefix("combinations[1] (Visa, A0), AID: ") == true)
    }

    @Test func namesTheKernelThatIsNotBuiltIn() {
        var configuration = workingConfiguration()
        configuration.combinations[0].kernel = 99
        let error = #expect(throws: ConfigurationError.self) { try CheckedConfiguration(configuration) }
        #expect(error?.field == .kernelID)
        #expect(error?.reason == .unknownKernel)
    }

    @Test func refusesACAKeyWithAWrongChecksumByName() {
        var configuration = workingConfiguration()
        configuration.caKeys = [
            CAKey(
                rid: [0xA0, 0, 0, 0, 3], index: 0x92, exponent: 3, modulus: Bytes(repeating: 0xC1, count: 176),
                sha1: Bytes(repeating: 0, count: 20))
        ]
        let error = #expect(throws: ConfigurationError.self) { try CheckedConfiguration(configuration) }
        #expect(error?.section == .caKey)
        #expect(error?.reason == .badChecksum)
    }

    @Test func refusesARIDOfTheWrongLength() {
        var configuration = workingConfiguration()
        configuration.revoked = [Revocation(rid: [1, 2], index: 0, serial: [0, 0, 1])]
        let error = #expect(throws: ConfigurationError.self) { try CheckedConfiguration(configuration) }
        #expect(
            error
                == ConfigurationError(
                    section: .revocation, row: 0, field: .rid, reason: .badLength, expected: "5 bytes",
                    found: "2 bytes"))
    }

    @Test func refusesATransactionThatCannotBeCoded() throws {
        let configuration = try CheckedConfiguration(workingConfiguration())
        let transaction = Transaction(amount: 1_000_000_000_000, currency: 978, date: testDay)
        let error = #expect(throws: ConfigurationError.self) { _ = try KernelSession(configuration, transaction) }
        #expect(error?.section == .transaction)
        #expect(error?.field == .amount)
    }

    // MARK: The full text of each error that only a program can cause, not a file

    private static let modulus = Bytes(repeating: 0xC1, count: 176)

    private static func key(_ rid: Bytes = [0xA0, 0, 0, 0, 3], sha1: Bytes? = nil) -> CAKey {
        CAKey(rid: rid, index: 0x92, exponent: 3, modulus: modulus, sha1: sha1)
    }

    private static func curve(x: Int = 32, sha256: Int? = nil) -> CAKey {
        CAKey(
            rid: [0xA0, 0, 0, 0, 3], index: 0x92,
            curve: CAKey.Curve(
                x: Bytes(repeating: 1, count: x), y: Bytes(repeating: 1, count: 32),
                sha256: sha256.map { Bytes(repeating: 0, count: $0) }))
    }

    private static let refusals: [(text: String, change: @Sendable (inout Configuration) -> Void)] = [
        ("combinations: expected 1 to 64 combinations, found none", { $0.combinations = [] }),
        (
            "combinations: expected at most 64 combinations, found 65",
            { $0.combinations = Array(repeating: $0.combinations[0], count: 65) }
        ),
        ("combinations[0] (Visa, A0), AID: expected 5 to 16 bytes, found 1 byte", { $0.combinations[0].aid = [0xA0] }),
        ("@, TTQ: expected 4 bytes, found 3 bytes", { $0.combinations[0].ttq = [0x36, 0, 0x40] }),
        (
            "@, limits: expected limits.floor in minor units from 0 to 999999999999, found a number of 13 digits",
            { $0.combinations[0].limits.floor = 1_000_000_000_000 }
        ),
        (
            "@, limits: expected limits.transaction in minor units from 0 to 999999999999, found a number of 13 digits",
            {
                $0.combinations[0] = Combination(
                    aid: $0.combinations[0].aid, kernel: 2, name: "Visa", limits: Limits(transaction: 1_000_000_000_000)
                )
            }
        ),
        (
            "@, limits: expected no limits.terminalFloor with Kernel 5, found one",
            { become(&$0, 5, Limits(terminalFloor: 1)) }
        ),
        (
            "@, kernel4.tacDenial: expected 5 bytes, found 1 byte",
            { become(&$0, .americanExpress(.init(tacDenial: [0]))) }
        ),
        (
            "@, kernel4.unpredictableNumberRange: expected 60 to 65535 numbers, found 5",
            { become(&$0, .americanExpress(.init(unpredictableNumberRange: 5))) }
        ),
        (
            "@, kernel4.discretionaryDataObjectList: "
                + "expected at most 252 bytes of tags, each with a length of 1 byte, found 253 bytes",
            {
                let list = Bytes(repeating: 0, count: 253)
                become(&$0, .americanExpress(.init(discretionaryDataObjectList: list)))
            }
        ),
        (
            "@, kernel4.dynamicLimits: expected sets of the numbers 1 to 15, found 16",
            {
                let sets = CombinationKernel.AmericanExpressOptions.LimitSets(
                    standard: Limits(), numbered: [16: Limits()])
                become(&$0, .americanExpress(.init(dynamicLimits: sets)))
            }
        ),
        (
            "@, kernel4.dynamicLimits: "
                + "expected sets.2.floor in minor units from 0 to 999999999999, found a number of 13 digits",
            {
                let high = Limits(floor: 1_000_000_000_000)
                let sets = CombinationKernel.AmericanExpressOptions.LimitSets(standard: Limits(), numbered: [2: high])
                become(&$0, .americanExpress(.init(dynamicLimits: sets)))
            }
        ),
        (
            "@, kernel5.combinationOptions: expected 2 bytes, found 1 byte",
            { become(&$0, .jcb(.init(combinationOptions: [0x22]))) }
        ),
        (
            "@, data.DF83: expected 16 bytes, found 1 byte",
            { become(&$0, .jcb(with(.init()) { $0.transitAgent = [1] })) }
        ),
        (
            "@, kernel5.removalTimeout: expected 0 to 9999 units of 100 ms, found a number of 5 digits",
            { become(&$0, .jcb(.init(removalTimeout: 10_000))) }
        ),
        (
            "@, kernel6.cvrOffset: expected a position in 9F10 from 0 to 24, in bytes, found 25",
            {
                $0.terminal[0x9F09] = [0, 1]
                $0.terminal[0x9F1E] = Bytes("12345678".utf8)
                $0.combinations[0].kernel = .discover(.init(cvrOffset: 25))
            }
        ),
        (
            "@, dynamic limits: expected at most 4 sets, found 5",
            { $0.combinations[0].kernel = visa(DynamicLimit(program: [1], limits: Limits()), times: 5) }
        ),
        (
            "@, dynamic limits: expected dynamicLimits[0].program of 1 to 16 bytes, found 0 bytes",
            { $0.combinations[0].kernel = visa(DynamicLimit(program: [], limits: Limits())) }
        ),
        (
            "@, dynamic limits: "
                + "expected dynamicLimits[0].limits.floor in minor units from 0 to 999999999999, "
                + "found a number of 13 digits",
            {
                let high = Limits(floor: 1_000_000_000_000)
                $0.combinations[0].kernel = visa(DynamicLimit(program: [1], limits: high))
            }
        ),
        (
            "@, protection: expected minUnDigits from 1 to 8 digits, found 9",
            { $0.combinations[0].protection = Protection(minUNDigits: 9) }
        ),
        ("protection: expected maxRecords from 1 to 64 records, found 65", { $0.protection.maxRecords = 65 }),
        (
            "caKeys: expected at most 256 CA keys of RSA, found 257",
            { $0.caKeys = Array(repeating: key(), count: 257) }
        ),
        ("caKeys[0] (RID 01, index 92), RID: expected 5 bytes, found 1 byte", { $0.caKeys = [key([1])] }),
        (
            "caKeys[0] (RID A000000003, index 92), SHA-1: expected 20 bytes, found 1 byte",
            { $0.caKeys = [key(sha1: [1])] }
        ),
        (
            "caKeys[0] (RID A000000003, index 92), SHA-1: "
                + "expected the SHA-1 of RID, index, modulus and exponent, found another one",
            { $0.caKeys = [key(sha1: Bytes(repeating: 0, count: 20))] }
        ),
        (
            "caKeys[0] (RID A000000003, index 92), SHA-256: expected 32 bytes, found 1 byte",
            { $0.caKeys = [curve(sha256: 1)] }
        ),
        (
            "caKeys[0] (RID A000000003, index 92), point: expected x and y of 32 bytes each, found 31 and 32 bytes",
            { $0.caKeys = [curve(x: 31)] }
        ),
        (
            "revoked[0], RID: expected 5 bytes, found 2 bytes",
            { $0.revoked = [Revocation(rid: [1, 2], index: 0, serial: [0, 0, 1])] }
        ),
        (
            "revoked[0], serial number: expected 3 bytes, found 0 bytes",
            { $0.revoked = [Revocation(rid: [1, 2, 3, 4, 5], index: 0, serial: [])] }
        ),
        (
            "exceptions[0], account number: "
                + "expected 8 to 19 digits, and F only to fill the last byte, found 22 digits in 11 bytes",
            { $0.exceptions = [ExceptionEntry(pan: Bytes(repeating: 0x47, count: 11))] }
        ),
        (
            "terminal, data, tag 8B: expected at most 64 bytes of POI information, found 65 bytes",
            { $0.poiInformation = Bytes(repeating: 0, count: 65) }
        ),
        (
            "terminal, data, tag 8B: expected one value, as 8B or as POI information, found two that differ",
            {
                $0.terminal[0x8B] = [0, 1, 0]
                $0.poiInformation = [0, 2, 0]
            }
        ),
    ]

    private static func become(
        _ configuration: inout Configuration, _ kernel: CombinationKernel, _ limits: Limits = Limits()
    ) {
        configuration.combinations[0].kernel = kernel
        configuration.combinations[0].ttq = nil
        configuration.combinations[0].limits = limits
    }

    private static func visa(_ limit: DynamicLimit, times: Int = 1) -> CombinationKernel {
        .visa(.init(dynamicLimits: Array(repeating: limit, count: times)))
    }

    /// `@` is the only combination.
    @Test func everyRefusedConfigurationHasItsWholeText() {
        for (text, change) in Self.refusals {
            var configuration = workingConfiguration()
            change(&configuration)
            let whole = text.replacingOccurrences(of: "@", with: "combinations[0] (Visa, A0000000031010)")
            let error = #expect(throws: ConfigurationError.self, "\(text)") { try CheckedConfiguration(configuration) }
            #expect(error?.description == whole)
        }
    }

    @Test func everyRefusedListOfKernelsHasItsWholeText() {
        func text(_ kernels: [Kernel]) -> String? {
            #expect(throws: ConfigurationError.self) {
                try CheckedConfiguration(workingConfiguration(), kernels: kernels)
            }?.description
        }
        #expect(
            text([.visa, .visa])
                == "kernels[1], kernel identifier: expected each kernel once, found Kernel 3 again")
        #expect(text(Array(repeating: .visa, count: 33)) == "kernels: expected at most 32 kernels, found 33")
        #expect(
            text([.mastercard])
                == "combinations[0] (Visa, A0000000031010), kernel identifier: "
                + "expected a kernel that the reader has: 2, found Kernel 3")
    }

    private static let transactions: [(text: String, change: @Sendable (inout Transaction) -> Void)] = [
        (
            "amount: expected amount in minor units from 0 to 999999999999, found a number of 13 digits",
            { $0.amount = 1_000_000_000_000 }
        ),
        (
            "amount: expected amountOther in minor units from 0 to 999999999999, found a number of 13 digits",
            { $0.amountOther = 1_000_000_000_000 }
        ),
        (
            "type: expected two decimal digits, 00 to 99, found a digit A to F",
            { $0.type = TransactionType(rawValue: 0x1A) }
        ),
        ("currency: expected an ISO 4217 number from 0 to 999, found 1000", { $0.currency = 1000 }),
        ("currency exponent: expected 0 to 4 decimals, found 5", { $0.exponent = 5 }),
        ("counter: expected 0 to 99999999, found a number of 9 digits", { $0.counter = 100_000_000 }),
        (
            "time: expected a time from 00:00:00 to 23:59:59, ahead of UTC by -840 to 840 minutes, found 841 minutes",
            { $0.utcOffset = 841 }
        ),
        ("AID: expected preferred AIDs of 5 to 16 bytes, found 1 byte", { $0.preferredApplications = [[1]] }),
        (
            "random: expected at least 4 random bytes, one unpredictable number, found 3 bytes",
            { $0.random = .fixed([1, 2, 3]) }
        ),
        (
            "data, tag 9F26: expected no 9F26 here: the card supplies it, found 8 bytes",
            { $0.data[0x9F26] = Bytes(repeating: 0, count: 8) }
        ),
    ]

    @Test func everyRefusedTransactionHasItsWholeText() throws {
        let checked = try CheckedConfiguration(workingConfiguration())
        for (text, change) in Self.transactions {
            var transaction = Transaction(amount: 1, currency: 978, date: testDay)
            change(&transaction)
            let error = #expect(throws: ConfigurationError.self, "\(text)") {
                _ = try KernelSession(checked, transaction)
            }
            #expect(error?.description == "transaction, " + text)
        }
        var configuration = workingConfiguration()
        configuration.combinations[0].currency = 978
        let other = try CheckedConfiguration(configuration)
        let error = #expect(throws: ConfigurationError.self) {
            _ = try KernelSession(other, Transaction(amount: 1, currency: 840, date: testDay))
        }
        #expect(
            error?.description
                == "transaction, currency: expected 978, the currency of the configuration's limits, found 840")
    }

    /// Any rejection by a kernel, third-party ones included, and for any row that it names.
    @Test func everyRefusalSaysWhatWasExpectedAndFound() {
        var configuration = workingConfiguration()
        configuration.exceptions = [ExceptionEntry(pan: [1])]
        configuration.caKeys = [CAKey(rid: [1], index: 1, exponent: 1, modulus: [])]
        let transaction = Transaction(amount: 1, currency: 978, date: testDay)
        for number in UInt8(2)...9 {
            configuration.combinations[0].kernel = CombinationKernel(id: KernelID(number: number))
            for section in ConfigurationError.Section.allCases {
                for field in ConfigurationError.Field.allCases {
                    for reason in ConfigurationError.Reason.allCases {
                        for (row, option) in [(0, UInt32(1)), (0, 2), (0, 9), (9, 0)] {
                            let fault = CheckFault(
                                section: section, row: row, field: field, tag: option == 1 ? 0x9F1A : nil,
                                reason: reason, option: option, configuration: configuration, kernels: .all,
                                transaction: row == 0 ? transaction : nil)
                            let expectation = fault.expectation
                            #expect(!expectation.expected.isEmpty && !expectation.found.isEmpty)
                        }
                    }
                }
            }
        }
    }

    @Test func readsDatesOfTheCalendarOnly() {
        #expect(CalendarDate("2024-02-29")?.description == "2024-02-29")
        for text in ["2023-02-29", "2026-13-01", "2026-1-01", "26-01-01", "2026-01-01 ", "2050-01-01", "+026-01-01"] {
            #expect(CalendarDate(text) == nil)
        }
        #expect(TimeOfDay("23:59:59")?.description == "23:59:59")
        for text in ["24:00:00", "12:60:00", "12:00", "12:00:00.0"] { #expect(TimeOfDay(text) == nil) }
    }
}

@Suite struct KernelSessionTests {
    private func session(amount: UInt64, random: RandomSource = .fixed([1, 2, 3, 4])) throws -> KernelSession {
        try KernelSession(
            CheckedConfiguration(workingConfiguration()),
            Transaction(amount: amount, currency: 978, date: testDay, random: random))
    }

    @Test func firstCommandSelectsTheDirectory() throws {
        var session = try session(amount: 1250)
        #expect(session.kind == .poll)
        #expect(session.messages.map(\.message) == [.presentCard])
        let step = session.reply(.card)
        let size = session.withCommand { $0.count }
        #expect(step == .send(Hex.bytes("00A404000E325041592E5359532E444446303100")!))
        #expect(size == 20)
    }

    @Test func aReplyNobodyWaitsForChangesNothing() throws {
        var session = try session(amount: 1250)
        let before = session.step
        let taken = session.takes(.response([0x90, 0x00]))
        let after = session.reply(.response([0x90, 0x00]))
        #expect(!taken)
        #expect(after == before)
    }

    @Test func aForkGoesItsOwnWay() throws {
        var first = try session(amount: 1250)
        first.advance(.card)
        var second = first.fork()
        first.advance(.abandon)
        #expect(first.kind == .done)
        #expect(second.kind == .send)
        second.advance(.fault(.timeout))
        #expect(second.kind == .poll)
    }

    /// The card's data are kept if the session was begun with that option; a fork keeps its own copy.
    @Test func whatACardPresentsIsKeptWhereItIsWanted() throws {
        let configuration = try CheckedConfiguration(workingConfiguration())
        let transaction = Transaction(amount: 1250, currency: 978, date: testDay)
        let name = configuration.configuration.combinations[0].aid
        func tlv(_ tag: Bytes, _ value: Bytes) -> Bytes { tag + [UInt8(value.count)] + value }
        let entries = tlv([0x61], tlv([0x4F], name) + [0x87, 0x01, 0x01])
        let directory = tlv(
            [0x6F],
            tlv([0x84], Bytes("2PAY.SYS.DDF01".utf8)) + tlv([0xA5], tlv([0xBF, 0x0C], entries)))
        let pdol: Bytes = [0x9F, 0x38, 0x06, 0x9F, 0x66, 0x04, 0x9F, 0x37, 0x04]
        func fci(_ language: String) -> Bytes {
            let own = tlv([0x50], Bytes("CARD".utf8)) + pdol + tlv([0x5F, 0x2D], Bytes(language.utf8))
            return tlv([0x6F], tlv([0x84], name) + tlv([0xA5], own))
        }
        for keeps in [true, false] {
            var session = try KernelSession(configuration, transaction, keepsPresented: keeps)
            session.advance(.card)
            #expect(session.presented == Presented())
            session.advance(.response(directory + [0x90, 0x00]))
            #expect(session.presented == Presented(names: keeps ? [name] : []))
            var fork = session.fork()
            session.advance(.response(fci("de") + [0x90, 0x00]))
            fork.advance(.response(fci("fr") + [0x90, 0x00]))
            func presented(_ language: String) -> Presented {
                let objects: DataObjects = [0x50: Bytes("CARD".utf8), 0x5F2D: Bytes(language.utf8)]
                return keeps ? Presented(names: [name], objects: objects) : Presented()
            }
            #expect(session.presented == presented("de"))
            #expect(fork.presented == presented("fr"))
        }
    }

    @Test func memoryServesOneTransactionAfterAnother() throws {
        let configuration = try CheckedConfiguration(workingConfiguration())
        let memory = SessionMemory()
        for _ in 0..<3 {
            var session = try KernelSession(
                configuration, Transaction(amount: 1, currency: 978, date: testDay), memory: memory)
            session.advance(.card)
            #expect(session.kind == .send)
        }
    }

    @Test func tooFewRandomBytesAreRefused() throws {
        let error = #expect(throws: ConfigurationError.self) { _ = try session(amount: 1, random: .fixed([1, 2, 3])) }
        #expect(error?.reason == .noRandom)
    }

    @Test func limitRuleNamesTheLimit() throws {
        let configuration = try CheckedConfiguration(workingConfiguration())
        let rule = configuration.limitRule(for: Transaction(amount: 30000, currency: 978, date: testDay))
        #expect(rule == .transactionLimit(Money(minorUnits: 30000, currency: .eur)))
        let session = try session(amount: 30000)
        #expect(session.kind == .done)
        #expect(
            TapOutcome(outcome: session.outcome, limit: rule)
                == .limitExceeded(.transactionLimit(Money(minorUnits: 30000, currency: .eur))))
    }
}
