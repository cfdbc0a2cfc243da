// SPDX-License-Identifier: Apache-2.0
import EMVFormats
import EMVKit
import Foundation
import TestData
import Testing

@Suite struct FormatTests {
    private static let minimal = """
        { "format": "emv-configuration/1", "terminal": { "9F1A": "0276" },
          "combinations": [ { "aid": "A0000000031010", "kernel": 3, "limits": { "floor": 0 }, "ttq": "36004000" } ] }
        """

    private func error(_ text: String) -> FormatError? {
        #expect(throws: FormatError.self) { try Configuration(json: Array(text.utf8), file: "shop.json") }
    }

    @Test func readsEveryKeyOfAConfiguration() throws {
        let text = """
            { "format": "emv-configuration/1",
              "terminal": { "9F1A": "0276", "9F4E": "4d79" },
              "combinations": [
                { "aid": "A0000000031010", "kernel": 3, "name": "Visa", "transactionTypes": ["00", "20"],
                  "limits": { "transaction": 30000, "floor": 0, "terminalFloor": 1, "cvmRequired": 5000, \
            "cdcvmTransaction": 50000 },
                  "statusCheck": true, "zeroAmount": "offlineAllowed", "extendedSelection": true, "ttq": "36004000",
                  "data": { "DF811B": "30" }, "usageControl": false,
                  "dynamicLimits": [ { "program": "3102", "limits": { "floor": 7 } } ], \
            "protection": { "profile": "strict" } },
                { "aid": "A0000000041010", "kernelId": "03000102" } ],
              "caKeys": [ { "rid": "A000000003", "index": "92", "exponent": "010001", "modulus": "996A", \
            "sha1": "429C954A3859CEF91295F663C963E582ED6EB253", "expires": "2028-12-31" } ],
              "revoked": [ { "rid": "A000000003", "index": "92", "serial": "000001" } ],
              "exceptions": [ { "pan": "4761739001010119", "sequence": "01" }, { "pan": "476173900101011" } ],
              "autorun": { "type": "00", "amount": 500 },
              "protection": { "profile": "book", "cdcvmTrust": "authenticated", "brandCheck": "report", "luhn": "end", \
            "minCaBits": 1024, "maxTaps": 5 } }
            """
        let configuration = try Configuration(json: Array(text.utf8))
        #expect(configuration.terminal[0x9F4E] == [0x4D, 0x79])
        let visa = configuration.combinations[0]
        #expect(visa.kernel.id == 3)
        #expect(visa.transactionTypes == [.purchase, .refund])
        #expect(
            visa.limits
                == Limits(transaction: 30000, floor: 0, terminalFloor: 1, cvmRequired: 5000, cdcvmTransaction: 50000))
        #expect(visa.statusCheck && visa.extendedSelection && visa.kernel.visa?.usageControl == false)
        #expect(visa.zeroAmount == .offlineAllowed)
        #expect(visa.kernel.visa?.dynamicLimits == [DynamicLimit(program: [0x31, 0x02], limits: Limits(floor: 7))])
        #expect(visa.protection == Protection(profile: .strict))
        #expect(configuration.combinations[1].kernel.id == KernelID([3, 0, 1, 2]))
        #expect(configuration.combinations[1].limits == Limits())
        #expect(configuration.caKeys[0].exponent == 65537)
        #expect(configuration.caKeys[0].expires == CalendarDate(year: 2028, month: 12, day: 31))
        #expect(configuration.exceptions[1] == ExceptionEntry(pan: Hex.bytes("476173900101011F")!, sequence: nil))
        #expect(configuration.autorun == Autorun(amount: 500))
        #expect(configuration.protection.cdcvmTrust == .authenticated)
        #expect(configuration.protection.brandCheck == .report)
        #expect(configuration.protection.luhn == .enforce)
        #expect(configuration.protection.minCABits == 1024)
        #expect(try Configuration(json: Array(configuration.json.utf8)) == configuration)
    }

    @Test func unknownKeyIsNamedWithItsPlace() {
        let error = error(FormatTests.minimal.replacingOccurrences(of: "\"floor\"", with: "\"flor\""))
        #expect(error?.path == "combinations[0].limits.flor")
        #expect(
            error?.message == """
                expected one of the keys "transaction", "floor", "terminalFloor", "cvmRequired", "cdcvmTransaction", \
                found the unknown key "flor"
                """)
        #expect(error?.description.hasPrefix("shop.json:2:") == true)
    }

    @Test func repeatedKeyIsRefused() {
        let error = error(
            FormatTests.minimal.replacingOccurrences(of: "\"kernel\": 3", with: "\"kernel\": 3, \"kernel\": 3"))
        #expect(error?.message == "expected each name once, found the key \"kernel\" again")
    }

    @Test(arguments: [
        ("\"floor\": 0", "\"floor\": 0.0", "combinations[0].limits.floor"),
        ("\"floor\": 0", "\"floor\": -1", "combinations[0].limits.floor"),
        ("\"floor\": 0", "\"floor\": 1e2", "combinations[0].limits.floor"),
        ("\"floor\": 0", "\"floor\": 1000000000000", "combinations[0].limits.floor"),
        ("\"floor\": 0", "\"floor\": null", "combinations[0].limits.floor"),
        ("\"kernel\": 3", "\"kernel\": 300", "combinations[0].kernel"),
        ("\"kernel\": 3", "\"kernel\": \"3\"", "combinations[0].kernel"),
        ("\"kernel\": 3", "\"kernel\": 3, \"kernelId\": \"03\"", "combinations[0].kernelId"),
        ("\"kernel\": 3", "\"name\": \"x\"", "combinations[0]"),
        ("A0000000031010", "A000000003101", "combinations[0].aid"),
        ("A0000000031010", "A0 00 00 00 03", "combinations[0].aid"),
        ("A0000000031010", "A0000000", "combinations[0].aid"),
        ("\"9F1A\"", "\"9F\"", "terminal.(key of 2 bytes)"),
        ("emv-configuration/1", "emv-configuration/2", "format"),
    ])
    func everyErrorNamesItsPlace(_ old: String, _ new: String, _ path: String) {
        let error = error(FormatTests.minimal.replacingOccurrences(of: old, with: new))
        #expect(error?.path == path)
        #expect(error?.message.contains("expected") == true)
    }

    @Test(arguments: [
        "", " ", "{", "{} x", "[1,]", "{\"a\":1,}", "{'a':1}", "{\"a\" 1}", "nul", "01", "-", "1.", "1e", "\"a",
        "\"\\x\"", "\"\\ud800\"",
        "\"\\ud800\\u0041\"", "\"\u{1}\"", "[1 2]", "\u{FEFF}{}", "NaN", "+1", "// x", "{\"a\":1,\"a\":2}",
        "{\"a\":1,\"\\u0061\":2}",
    ])
    func refusesWhatIsNotJSON(_ text: String) {
        #expect(throws: FormatError.self) { try Configuration(json: Array(text.utf8)) }
    }

    @Test func readerIsTotalOnAnyBytes() {
        var generator = SeededRandom(seed: 7)
        let seed = Array(FormatTests.minimal.utf8)
        for _ in 0..<5_000 {
            var bytes = seed
            for _ in 0..<3 {
                bytes[Int.random(in: bytes.indices, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
            }
            _ = try? Configuration(json: bytes)
        }
        _ = try? Configuration(json: Array(repeating: UInt8(ascii: "["), count: 100_000))
        #expect(throws: FormatError.self) { try Configuration(json: [0x22, 0xC0, 0x80, 0x22]) }
    }

    @Test func missingFileIsNamed() {
        let error = #expect(throws: FormatError.self) { try Trace(contentsOf: "no/such/file.json") }
        #expect(error?.file == "no/such/file.json")
        #expect(error?.localizedDescription.hasPrefix("no/such/file.json:") == true)
    }

    @Test func readsATransaction() throws {
        let text = """
            { "type": "20", "amount": 1250, "amountOther": 5, "currency": "0978", "exponent": 2, "date": "2026-11-21",
              "time": "12:00:01", "counter": 9, "random": "ABABABAB", "data": { "9F7C": "01" } }
            """
        let transaction = try Transaction(json: Array(text.utf8))
        #expect(
            transaction
                == with(
                    Transaction(
                        type: .refund, amount: 1250, currency: 978, exponent: 2, date: CalendarDate("2026-11-21")!,
                        time: TimeOfDay("12:00:01")!, counter: 9, random: .fixed([0xAB, 0xAB, 0xAB, 0xAB]))
                ) {
                    $0.amountOther = 5
                    $0.data = [0x9F7C: [1]]
                })
        let error = #expect(throws: FormatError.self) {
            try Transaction(json: Array(text.replacingOccurrences(of: "0978", with: "EUR").utf8))
        }
        #expect(error?.path == "currency")
    }

    private static func trace(_ exchanges: String, _ expect: String = "{}") -> String {
        """
        { "format": "emv-trace/1", "configuration": { "terminal": { "9F1A": "0276" },
          "combinations": [ { "aid": "A0000000031010", "kernel": 3, "ttq": "36004000" } ] },
          "transaction": { "amount": 1250, "currency": "0978", "date": "2026-11-21", "random": "ABABABAB" },
          "exchanges": [ \(exchanges) ], "expect": \(expect) }
        """
    }

    private static let select = "00A404000E325041592E5359532E444446303100"

    /// An item, the path below it and the whole text.
    private static let unclearItems: [(String, String, String)] = [
        (
            "{ }", "",
            """
            expected "c" with "r" or "fault", or one of "tap", "collision", "online", "pin", "det", "dek", "stop", \
            "deadline", "removed", "sale", "prelude", found an empty object
            """
        ),
        ("3", "", "expected an object, found a number of 1 digit"),
        (
            #"{ "c": "00A40400" }"#, "",
            #"expected either "r" or "fault" in addition to "c", found neither"#
        ),
        (
            #"{ "c": "00A40400", "r": "9000", "fault": "timeout" }"#, "",
            #"expected either "r" or "fault" in addition to "c", found both"#
        ),
        (
            #"{ "c": "00A40400", "fault": "slow" }"#, ".fault",
            #"expected one of "timeout", "transmission", "protocol", "removed", found a string of 4 bytes"#
        ),
        (#"{ "tap": 2, "collision": true }"#, ".tap", #"expected "tap" as the only key, found 2 keys"#),
        (
            #"{ "c": "00A40400", "r": "9000", "tap": 2 }"#, ".tap",
            #"expected "tap" as the only key, found 3 keys"#
        ),
        (
            #"{ "tap": 0 }"#, ".tap",
            "expected the number of a tap, a whole number from 1 to 255, found a number of 1 digit"
        ),
        (#"{ "collision": false }"#, ".collision", "expected true, found false"),
        (
            #"{ "c": "00", "r": "9000" }"#, ".c",
            "expected hex of 4 to 65544 bytes (8 to 131088 digits), found 1 byte"
        ),
        (
            #"{ "c": "00A40400", "r": "9000", "ms": -1 }"#, ".ms",
            "expected a time in milliseconds, a number from 0 to 3600000, found a negative number of 1 digit"
        ),
        (
            #"{ "c": "00A40400", "r": "9000", "ms": 3600001 }"#, ".ms",
            "expected a time in milliseconds, a number from 0 to 3600000, found a number of 7 digits"
        ),
        (#"{ "pin": 1 }"#, ".pin", #"expected one of "captured", "notCaptured", found a number of 1 digit"#),
        (
            #"{ "online": { "8": "" } }"#, ".online.(key of 1 byte)",
            "expected a tag of 1 to 4 bytes in hex as the key, found a key of 1 byte"
        ),
        (
            #"{ "online": { "71": [] } }"#, ".online.71",
            "expected an array of 1 value or more, found an empty one"
        ),
        (
            #"{ "online": { "8A": ["3030"] } }"#, ".online.8A",
            "expected one value in hex: only the tags 71 and 72 may have an array of them, found an array"
        ),
        (#"{ "prelude": [] }"#, ".prelude", "expected an array of 1 exchange or more, found an empty one"),
    ]

    @Test(arguments: unclearItems)
    func refusesUnclearItems(_ item: String, _ path: String, _ text: String) {
        let error = #expect(throws: FormatError.self) { try Trace(json: Array(FormatTests.trace(item).utf8)) }
        #expect(error?.path == "exchanges[0]" + path)
        #expect(error?.message == text)
    }

    /// A member of a transaction and the whole text.
    private static let unclearTransactions: [(String, String)] = [
        (
            #""amount": -1"#,
            """
            expected an amount in minor units, a whole number from 0 to 999999999999, \
            found a negative number of 1 digit
            """
        ),
        (#""exponent": 5"#, "expected a number of decimals, a whole number from 0 to 4, found a number of 1 digit"),
        (
            #""time": "25:00:00""#,
            #"expected a time, hours, minutes and seconds like "12:00:00", found a string of 8 bytes"#
        ),
        (
            #""counter": 100000000"#,
            "expected a counter, a whole number from 0 to 99999999, found a number of 9 digits"
        ),
        (
            #""utcOffset": 841"#,
            "expected a difference from UTC in minutes, a whole number from -840 to 840, found a number of 3 digits"
        ),
        (#""type": "0""#, "expected hex of 1 byte (2 digits), found an odd number of digits, 1"),
        (#""random": 1"#, "expected hex of 0 to 65536 bytes (0 to 131072 digits), found a number of 1 digit"),
    ]

    @Test(arguments: unclearTransactions)
    func refusesUnclearTransactions(_ member: String, _ text: String) {
        let amount = member.contains("amount") ? "" : #""amount": 1, "#
        let json = "{ \(amount)\"currency\": \"0978\", \"date\": \"2026-11-21\", \(member) }"
        let error = #expect(throws: FormatError.self) { try Transaction(json: Array(json.utf8)) }
        #expect(error?.message == text)
    }

    private func replay(_ exchanges: String, _ expect: String = "{}") throws -> ReplayReport {
        try TraceReplay(Trace(json: Array(FormatTests.trace(exchanges, expect).utf8))).run()
    }

    @Test func replayReportsTheFirstDifferentCommand() throws {
        let report = try replay("{ \"c\": \"00A404000E325041592E5359532E444446303101\", \"r\": \"6A82\" }")
        #expect(report.differences.map(\.place) == ["exchanges[0].c"])
        #expect(report.differences.first?.found == FormatTests.select)
    }

    @Test func replayReportsWhatIsMissingAndWhatIsLeft() throws {
        #expect(try replay("{ \"collision\": true }, { \"tap\": 1 }").differences.first?.place == "exchanges[2]")
        let left = try replay(
            "{ \"c\": \"\(FormatTests.select)\", \"r\": \"6A82\" }, { \"c\": \"00B2010C00\", \"r\": \"9000\" }")
        #expect(left.differences.count == 1)
    }

    @Test func replayComparesEveryExpectation() throws {
        let report = try replay(
            "{ \"c\": \"\(FormatTests.select)\", \"r\": \"6A82\" }",
            """
            { "tap": "success", "outcome": "approved", "cvm": "signature", "message": "03", "messages": ["03"], \
            "apdus": 9,
              "errorIndication": "FFFFFFFFFFFF", "data": { "9F26": "00", "57": null }, \
            "discretionary": { "DF8129": "" },
              "findings": ["BRAND_MISMATCH"] }
            """)
        #expect(report.commands >= 1)
        #expect(report.differences.map(\.place).contains("expect.tap"))
        for key in [
            "outcome", "cvm", "message", "messages", "apdus", "errorIndication", "data.9F26", "discretionary.DF8129",
            "findings",
        ] {
            #expect(report.differences.map(\.place).contains("expect.\(key)"), "\(key)")
        }
        #expect(!report.differences.map(\.place).contains("expect.data.57"))
    }

    @Test func eachMessageCountsOnceHoweverManyItemsTheStepTakes() throws {
        let report = try replay(
            "{ \"c\": \"\(FormatTests.select)\", \"fault\": \"timeout\" }, { \"tap\": 2 }, "
                + "{ \"c\": \"\(FormatTests.select)\", \"r\": \"6A82\" }",
            "{ \"messages\": [\"15\", \"15\", \"1C\"] }")
        #expect(report.differences == [])
    }

    @Test func aTraceThatStopsBeforeTheCardComesBackSaysSo() throws {
        let report = try replay(
            "{ \"c\": \"\(FormatTests.select)\", \"fault\": \"timeout\" }", "{ \"tap\": \"presentAgain\" }")
        #expect(report.differences == [])
        #expect(report.tap == .presentAgain)
    }
}
