// SPDX-License-Identifier: Apache-2.0
@testable import EMVKit
import Testing

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

    /// Whatever a kernel answers, also a third-party one, and whichever row it names.
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

    /// What a card presents is kept where the session was begun so; a fork keeps its own.
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
