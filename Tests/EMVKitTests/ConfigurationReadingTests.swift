// SPDX-License-Identifier: Apache-2.0
import EMVFormats
import EMVKit
import EMVSimulator
import Foundation
import Testing

/// Files with several errors, and valid configurations that are probably mistakes.
@Suite struct ConfigurationReadingTests {
    private static let key = """
        { "rid": "A000000003", "index": "\(index)", "exponent": "03", "modulus": "\(modulus)" }
        """
    private static let index = "92"
    private static let modulus = String(repeating: "C1", count: 176)

    /// A file with these members of its combination and these keys.
    private static func file(_ members: String = "", keys: String = "", terminal: String = "") -> Bytes {
        Bytes(
            """
            { "format": "emv-configuration/1",
              "terminal": { "9F1A": "0276", "9F35": "22", "9F33": "E0B8C8", "9F40": "6000B0A001"\(terminal) },
              "combinations": [
                { "aid": "A0000000031010", "kernel": 3, "name": "Visa", "ttq": "36004000"\(members) } ],
              "caKeys": [ \(keys) ] }
            """.utf8)
    }

    @Test func aRightFileIsReadAsBefore() throws {
        let bytes = Self.file(#", "limits": { "floor": 0 }"#, keys: Self.key)
        let reading = Configuration.reading(json: bytes, file: "a.json")
        #expect(reading.errors.isEmpty)
        #expect(reading.configuration == (try Configuration(json: bytes)))
        #expect(reading.configuration?.caKeys.count == 1)
    }

    @Test func everyErrorIsToldInTheOrderOfTheFile() {
        let reading = Configuration.reading(
            json: Self.file(
                #", "limits": { "floor": -1, "ceiling": 2 }, "statusCheck": 1, "data": { "9F53": "0", "XX": "00" }"#,
                keys: Self.key + #", { "rid": "A0", "index": "93", "exponent": "03", "modulus": "00" }"#,
                terminal: #", "9F1A00": "0276""#),
            file: "shop.json")
        #expect(reading.configuration == nil)
        let paths = reading.errors.map(\.path)
        #expect(
            paths == [
                "terminal.(key of 6 bytes)", "combinations[0].limits.floor", "combinations[0].limits.ceiling",
                "combinations[0].statusCheck", "combinations[0].data.9F53", "combinations[0].data.XX",
                "caKeys[1].rid",
            ], "\(reading.errors)")
        #expect(reading.errors.allSatisfy { $0.file == "shop.json" && $0.line > 1 })
    }

    /// A name is displayed: it must not change the writing direction or control a terminal.
    @Test(arguments: ["\u{202E}", "\u{2066}", "\u{1B}[2J", "\u{85}", "\u{2028}"])
    func aNameIsOneLineOfText(mark: String) throws {
        let escaped = mark.unicodeScalars.first == "\u{1B}" ? #"\u001B[2J"# : mark
        for (member, place) in [("Visa", "combinations[0].name"), ("5.1", "version")] {
            let text = String(decoding: Self.file(), as: UTF8.self)
                .replacingOccurrences(of: "\"Visa\"", with: "\"Vi\(member == "Visa" ? escaped : "")sa\"")
                .replacingOccurrences(
                    of: "\"terminal\"", with: "\"version\": \"5.1\(member == "Visa" ? "" : escaped)\", \"terminal\"")
            let error = try #require(Configuration.reading(json: Bytes(text.utf8)).errors.first)
            #expect(error.path == place)
            #expect(error.message.contains("U+"), "\(error)")
        }
        let key = String(decoding: Self.file(#", "a\#(escaped)b": 1"#), as: UTF8.self)
        for error in Configuration.reading(json: Bytes(key.utf8)).errors {
            #expect(!"\(error)".unicodeScalars.contains { $0 == mark.unicodeScalars.first }, "\(error)")
        }
        let row = Combination(aid: [0xA0, 0, 0, 0, 0x03, 0x10, 0x10], kernel: 3, name: "Vi\(mark)sa", ttq: [0x36])
        let refused = #expect(throws: ConfigurationError.self) {
            try CheckedConfiguration(Configuration(combinations: [row]))
        }
        #expect(refused?.description.contains("U+") == true)
    }

    @Test func whatOnlyFollowsIsNotTold() {
        // The AID is wrong. The combination then lacks an AID, which is not reported as a second error.
        let text = String(decoding: Self.file(), as: UTF8.self)
            .replacingOccurrences(of: #""aid": "A0000000031010""#, with: #""aid": "A0""#)
        let reading = Configuration.reading(json: Bytes(text.utf8))
        #expect(reading.errors.map(\.path) == ["combinations[0].aid"])
    }

    @Test func whatTheKernelRefusesHasItsPlaceInTheFile() throws {
        let reading = Configuration.reading(
            json: Self.file(#", "data": { "9F26": "0000000000000000", "95": "0000000000" }"#))
        #expect(reading.errors.map(\.path) == ["combinations[0].data.9F26", "combinations[0].data.95"])
        #expect(reading.errors.first?.message == "expected no 9F26 here: the card supplies it, found 8 bytes")
        #expect(reading.errors.first?.line == 4)
    }

    @Test func rowsAreCountedAsInTheFile() {
        // The first row is skipped because of its shape; the kernel then rejects the row that it receives as row 0.
        let short = #"{ "rid": "A0", "index": "90" }"#
        let wrong = """
            { "rid": "A000000003", "index": "94", "exponent": "03", "modulus": "\(Self.modulus)",
              "sha1": "0000000000000000000000000000000000000000" }
            """
        let reading = Configuration.reading(json: Self.file(keys: [short, wrong, Self.key].joined(separator: ", ")))
        #expect(reading.errors.map(\.path) == ["caKeys[0].rid", "caKeys[1].sha1"])
        let lenient = Configuration.reading(
            json: Self.file(keys: [short, wrong, Self.key].joined(separator: ", ")), leavingOutBadCAKeys: true)
        #expect(lenient.errors.isEmpty)
        #expect(lenient.leftOut.map(\.name) == ["caKeys[0]", "A000000003 94"])
        #expect(lenient.configuration?.caKeys.map(\.index) == [0x92])
    }

    @Test func onlyKeysMayBeLeftOut() {
        let reading = Configuration.reading(
            json: Self.file(#", "statusCheck": 1"#, keys: #"{ "rid": "A0" }"#), leavingOutBadCAKeys: true)
        #expect(reading.configuration == nil)
        #expect(reading.errors.map(\.path) == ["combinations[0].statusCheck"])
        #expect(reading.leftOut.map(\.name) == ["caKeys[0]"])
    }

    // MARK: The full text of each error

    /// Marks the place of the error in a file; it is removed before the file is read.
    private static let mark: Unicode.Scalar = "▸"

    /// Reads a file with one error at the mark and compares the error's full text.
    private func expect(
        _ marked: String, _ path: String, _ text: String, location: SourceLocation = #_sourceLocation
    ) {
        let scalars = marked.unicodeScalars
        guard let place = scalars.firstIndex(of: Self.mark) else {
            Issue.record("no mark in \(marked)", sourceLocation: location)
            return
        }
        let before = String(scalars[..<place]), after = String(scalars[scalars.index(after: place)...])
        let line = before.split(separator: "\n", omittingEmptySubsequences: false)
        let position = "\(line.count):\((line.last?.utf8.count ?? 0) + 1)"
        let reading = Configuration.reading(json: Bytes((before + after).utf8), file: "a.json")
        #expect(
            reading.errors.map(\.description) == ["a.json:\(position):\(path.isEmpty ? "" : " \(path):") \(text)"],
            sourceLocation: location)
    }

    private static let terminal = #""9F1A": "0276", "9F35": "22", "9F33": "E0B8C8""#
    private static let visa = #"{ "aid": "A0000000031010", "kernel": 3, "ttq": "36004000" }"#

    /// A file with these rows.
    private static func document(
        terminal: String = "", combinations: String = visa, keys: String = "", rest: String = ""
    ) -> String {
        """
        { "format": "emv-configuration/1",
          "terminal": { \(Self.terminal)\(terminal) },
          "combinations": [ \(combinations) ],
          "caKeys": [ \(keys) ]\(rest) }
        """
    }

    private static let amount = "expected an amount in minor units, a whole number from 0 to 999999999999, found "

    /// Members of a Kernel 3 combination, the path below it and the error text.
    private static let ofACombination: [(String, String, String)] = [
        (#""limits": { "floor": ▸-1 }"#, "limits.floor", "\(amount)a negative number of 1 digit"),
        (#""limits": { "floor": ▸0.5 }"#, "limits.floor", "\(amount)a number with a point or an exponent"),
        (#""limits": { "floor": ▸1000000000000 }"#, "limits.floor", "\(amount)a number of 13 digits"),
        (#""limits": { "floor": ▸null }"#, "limits.floor", "\(amount)null"),
        (
            #""limits": { ▸"ceiling": 2 }"#, "limits.ceiling",
            #"""
            expected one of the keys "transaction", "floor", "terminalFloor", "cvmRequired", "cdcvmTransaction", \#
            found the unknown key "ceiling"
            """#
        ),
        (#""limits": ▸[]"#, "limits", "expected an object, found an array"),
        (#""name": ▸1"#, "name", "expected a string, found a number of 1 digit"),
        (#""name": ▸"a\u001Bb""#, "name", "expected one line of text, found U+001B in it"),
        (#""statusCheck": ▸1"#, "statusCheck", "expected true or false, found a number of 1 digit"),
        (
            #""zeroAmount": ▸"never""#, "zeroAmount",
            #"expected one of "online", "notAllowed", "offlineAllowed", found a string of 5 bytes"#
        ),
        (#""transactionTypes": ▸"00""#, "transactionTypes", "expected an array, found a string of 2 bytes"),
        (
            #""transactionTypes": ["00", ▸"000"]"#, "transactionTypes[1]",
            "expected hex of 1 byte (2 digits), found an odd number of digits, 3"
        ),
        (
            #""currency": ▸978"#, "currency",
            #"expected four digits of ISO 4217 like "0978", found a number of 3 digits"#
        ),
        (#""currency": ▸"1000""#, "currency", "expected an ISO 4217 number from 0 to 999, found 1000"),
        (
            #""data": { "9F53": ▸"0" }"#, "data.9F53",
            "expected hex of 0 to 65535 bytes (0 to 131070 digits), found an odd number of digits, 1"
        ),
        (
            #""data": { "XX": ▸"00" }"#, "data.XX",
            #"expected a tag of 1 to 4 bytes in hex as the key, found a key "XX""#
        ),
        (#""data": { "9f15": "5999", "9F15": ▸"5999" }"#, "data.9F15", "expected each tag once, found 9F15 again"),
        (#""kernelId": ▸"03""#, "kernelId", #"expected "kernel" or "kernelId", found both"#),
        (#""kernel4": ▸{}"#, "kernel4", "expected a combination of Kernel 4, found one of Kernel 3"),
        (
            #""dynamicLimits": [ { "program": ▸"" } ]"#, "dynamicLimits[0].program",
            "expected hex of 1 to 16 bytes (2 to 32 digits), found 0 bytes"
        ),
        (
            #""dynamicLimits": [ ▸{} ]"#, "dynamicLimits[0]",
            #"expected the key "program", found an object without it"#
        ),
        (
            #""protection": { "profile": ▸"lax" }"#, "protection.profile",
            #"expected one of "book", "guarded", "strict", found a string of 3 bytes"#
        ),
        (
            #""protection": { "minCaBits": ▸4096 }"#, "protection.minCaBits",
            "expected the length of a modulus in bits, a whole number from 1 to 2048, found a number of 4 digits"
        ),
        (
            #""protection": { "maxTaps": ▸256 }"#, "protection.maxTaps",
            "expected a number of taps, a whole number from 1 to 255, found a number of 3 digits"
        ),
        (
            #""protection": { "maxRecords": ▸65 }"#, "protection.maxRecords",
            "expected a number of records, a whole number from 1 to 64, found a number of 2 digits"
        ),
        (
            #""protection": { "minUnDigits": ▸9 }"#, "protection.minUnDigits",
            "expected a number of digits, a whole number from 1 to 8, found a number of 1 digit"
        ),
        (
            #""protection": { "tornLifetime_s": ▸0 }"#, "protection.tornLifetime_s",
            "expected a time in seconds, a whole number from 1 to 65535, found a number of 1 digit"
        ),
        (
            #""protection": { "relay.maxCardTime_ms": ▸256 }"#, "protection.relay.maxCardTime_ms",
            "expected a time in milliseconds, a whole number from 1 to 255, found a number of 3 digits"
        ),
        (
            #""protection": { "relay.latency_us": ▸1000001 }"#, "protection.relay.latency_us",
            "expected a time in microseconds, a whole number from 0 to 1000000, found a number of 7 digits"
        ),
        // Members that the kernels' own check rejects.
        (
            #""data": { "9F26": ▸"0000000000000000" }"#, "data.9F26",
            "expected no 9F26 here: the card supplies it, found 8 bytes"
        ),
        (
            #""data": { "95": ▸"0000000000" }"#, "data.95",
            "expected no 95 here: the kernel computes it, found 5 bytes"
        ),
        (
            #""data": { "9F02": ▸"000000000001" }"#, "data.9F02",
            #"expected no 9F02 here: "amount" of the transaction supplies it, found 6 bytes"#
        ),
        (
            #""data": { "9F1B": ▸"00000001" }"#, "data.9F1B",
            #"expected no 9F1B here: "limits.terminalFloor" supplies it, found 4 bytes"#
        ),
        (
            #""data": { "9F66": ▸"36004000" }"#, "data.9F66",
            #"expected no 9F66 here: "ttq" supplies it, found 4 bytes"#
        ),
        (
            #""data": { "8B": ▸"000100" }"#, "data.8B",
            "expected no 8B here: only the terminal's data may have it, found 3 bytes"
        ),
        (#""data": { "70": ▸"" }"#, "data.70", "expected no 70 here: a template holds other objects, found 0 bytes"),
        (
            #""data": { "DF8479": ▸"00" }"#, "data.DF8479",
            """
            expected a data object that EMV Book 3 or a kernel of the reader (2, 3, 4, 5, 6, 7) defines, \
            found an unknown tag
            """
        ),
        (#""data": { "9F1A": ▸"02" }"#, "data.9F1A", "expected 2 bytes, found 1 byte"),
        (
            #""data": { "9F1A": ▸"02AB" }"#, "data.9F1A",
            "expected decimal digits, two a byte (format n), found other characters in 2 bytes"
        ),
        (
            #""data": { "9F1E": ▸"3132333435363707" }"#, "data.9F1E",
            "expected letters and digits (format an), found other characters in 8 bytes"
        ),
        (
            #""data": { "9F4E": ▸"07" }"#, "data.9F4E",
            "expected printable characters (format ans), found other characters in 1 byte"
        ),
    ]

    @Test(arguments: ofACombination)
    func everyErrorOfACombinationHasItsWholeText(_ members: String, _ path: String, _ text: String) {
        let row = #"{ "aid": "A0000000031010", "kernel": 3, "ttq": "36004000", \#(members) }"#
        expect(Self.document(combinations: row), "combinations[0].\(path)", text)
    }

    /// Whole combinations.
    private static let ofARow: [(String, String, String)] = [
        (#"▸{ "kernel": 3, "ttq": "36004000" }"#, "[0]", #"expected the key "aid", found an object without it"#),
        (
            #"▸{ "aid": "A0000000031010" }"#, "[0]",
            #"expected the key "kernel" or "kernelId", found an object without it"#
        ),
        (
            #"{ "aid": ▸"A0", "kernel": 3, "ttq": "36004000" }"#, "[0].aid",
            "expected hex of 5 to 16 bytes (10 to 32 digits), found 1 byte"
        ),
        (
            #"{ "aid": ▸"A0 00", "kernel": 3, "ttq": "36004000" }"#, "[0].aid",
            """
            expected hex of 5 to 16 bytes (10 to 32 digits), \
            found a string of 5 bytes with other characters than hex digits
            """
        ),
        (
            #"{ "aid": "A0000000031010", "kernel": ▸300, "ttq": "36004000" }"#, "[0].kernel",
            "expected the number of a kernel, a whole number from 1 to 255, found a number of 3 digits"
        ),
        (
            #"{ "aid": "A0000000031010", "kernel": ▸9 }"#, "[0].kernel",
            "expected a kernel that the reader has: 2, 3, 4, 5, 6, 7, found Kernel 9"
        ),
        (
            #"{ "aid": "A0000000031010", "kernelId": ▸"0900" }"#, "[0].kernelId",
            "expected a kernel that the reader has: 2, 3, 4, 5, 6, 7, found a kernel with an identifier of 2 bytes"
        ),
        (
            #"\#(visa), { "aid": "A0000000031010", "kernel": 3, "ttq": "36004000", "transactionTypes": ▸["00"] }"#,
            "[1].transactionTypes",
            "expected each AID and kernel once for a transaction type, found those of combinations[0] again"
        ),
        (
            #"""
            { "aid": "A0000000031010", "kernel": 3, "ttq": "36004000", "currency": "0978" }, \#
            { "aid": "A0000000032010", "kernel": 3, "ttq": "36004000", "currency": ▸"0756" }
            """#,
            "[1].currency", "expected 978, the currency of the combinations before it, found 756"
        ),
        (
            #"▸{ "aid": "A0000000031010", "kernel": 3 }"#, "[0].ttq",
            "expected Terminal Transaction Qualifiers (9F66) of 4 bytes, which Kernel 3 requires, found none"
        ),
        (
            #"{ "aid": "A0000000031010", "kernel": 3, "ttq": ▸"3600" }"#, "[0].ttq",
            "expected hex of 4 bytes (8 digits), found 2 bytes"
        ),
        (
            #"{ "aid": "A0000000031010", "kernel": 3, "ttq": ▸"B6004000" }"#, "[0].ttq",
            "expected 0 in byte 1 bit 8 (mag-stripe mode), found 1"
        ),
        (
            #"▸{ "aid": "A0000000031010", "kernel": 8 }"#, "[0]",
            "expected a SecretCrypto, which Kernel 8 requires, found none"
        ),
        (
            #"{ "aid": "A0000000031010", "kernel": 8, "kernel8": { "relayLatencyMicroseconds": ▸4294967296 } }"#,
            "[0].kernel8.relayLatencyMicroseconds",
            "expected a time in microseconds, a whole number from 0 to 4294967295, found a number of 10 digits"
        ),
    ]

    @Test(arguments: ofARow)
    func everyErrorOfARowHasItsWholeText(_ rows: String, _ path: String, _ text: String) {
        expect(Self.document(combinations: rows), "combinations\(path)", text)
    }

    /// Members of a combination of each kernel.
    private static let ofAKernel: [(Int, String, String, String)] = [
        (
            2, #""data": { "DF811B": ▸"C0" }"#, "data.DF811B",
            "expected 0 in byte 1 bit 8 (no mag-stripe mode) or bit 7 (no EMV mode), found 1 in both"
        ),
        (
            2, #""data": { "DF811A": ▸"9F3704" }"#, "data.DF811A",
            "expected 9F6A04, the unpredictable number alone, found another list of 3 bytes"
        ),
        (2, #""data": { "DF811D": ▸"05" }"#, "data.DF811D", "expected 0 to 4 torn transactions, found 5"),
        (
            2, #""data": { "DF8118": ▸"E0" }"#, "data.DF8118",
            "expected 0 in byte 1 bit 8 (plaintext offline PIN), found 1"
        ),
        (
            2, #""data": { "DF8119": ▸"18" }"#, "data.DF8119",
            "expected 0 in byte 1 bit 5 (enciphered offline PIN), found 1"
        ),
        (
            2, #""data": { "DF811E": ▸"30" }"#, "data.DF811E",
            """
            expected in bits 8 to 5 one of 0 (no method), 1 (signature), 2 (online PIN) and F (not applicable), \
            found 3
            """
        ),
        (
            2, #""data": { "DF8131": ▸"000000000000200007" }"#, "data.DF8131",
            "expected rows of 8 bytes, the last of which begins with 6 bytes 00, found 9 bytes"
        ),
        (
            2, #""data": { "DF8131": ▸"0008000008002000" }"#, "data.DF8131",
            "expected rows of 8 bytes, the last of which begins with 6 bytes 00, found another last row"
        ),
        (
            2, #""protection": { "profile": "strict" }, "data": { "DF811F": "08", "DF8121": ▸"0000000000" }"#,
            "data.DF8121", "expected 1 in byte 1 bit 3 (CDA failed) in profile strict, found 0"
        ),
        (2, #""data": { "DF8120": ▸"0000" }"#, "data.DF8120", "expected 5 bytes, found 2 bytes"),
        (
            2, #""data": { "FF8102": ▸"9F" }"#, "data.FF8102",
            "expected a list of whole data objects: tag, length, value, found 1 byte"
        ),
        (
            2, #""limits": { "floor": 1 }, "data": { "DF8123": ▸"000000000001" }"#, "data.DF8123",
            #"expected this limit once, in "limits" or as DF8123 in "data", found both"#
        ),
        (4, #""ttq": ▸"36004000""#, "ttq", #"expected no "ttq" with Kernel 4, found a string of 8 bytes"#),
        (2, #""usageControl": ▸true"#, "usageControl", #"expected no "usageControl" with Kernel 2, found true"#),
        (4, #""usageControl": ▸true"#, "usageControl", #"expected no "usageControl" with Kernel 4, found true"#),
        (
            4, #""kernel4": { "tacDenial": ▸"00" }"#, "kernel4.tacDenial",
            "expected hex of 5 bytes (10 digits), found 1 byte"
        ),
        (
            4, #""kernel4": { "unpredictableNumberRange": ▸59 }"#, "kernel4.unpredictableNumberRange",
            "expected a count of numbers, a whole number from 60 to 65535, found a number of 2 digits"
        ),
        (
            4, #""kernel4": { "discretionaryDataObjectList": ▸"9F" }"#, "kernel4.discretionaryDataObjectList",
            "expected at most 252 bytes of tags, each with a length of 1 byte, found other bytes"
        ),
        (
            4, #""kernel4": { "dynamicLimits": ▸{} }"#, "kernel4.dynamicLimits",
            #"expected the key "default", found an object without it"#
        ),
        (
            5, #""limits": { "terminalFloor": ▸1 }"#, "limits.terminalFloor",
            #"expected no "terminalFloor" with Kernel 5, found a number of 1 digit"#
        ),
        (
            5, #""kernel5": { "removalTimeout": ▸10000 }"#, "kernel5.removalTimeout",
            "expected a time in units of 100 ms, a whole number from 0 to 9999, found a number of 5 digits"
        ),
        (
            5, #""kernel5": { "combinationOptions": ▸"2000" }"#, "kernel5.combinationOptions",
            "expected 1 in byte 1 bit 2 (EMV mode), found 0"
        ),
        (
            5, #""kernel5": { "combinationOptions": ▸"2600" }"#, "kernel5.combinationOptions",
            "expected 0 in byte 1 bit 3 (mag-stripe mode), found 1"
        ),
        (
            5, #""kernel5": { "terminalInterchangeProfile": ▸"800000" }"#, "kernel5.terminalInterchangeProfile",
            "expected 0 in byte 1 bit 8 (cardholder verification required), found 1"
        ),
        (
            5, #""kernel5": ▸{ "combinationOptions": "2A00" }"#, "kernel5.randomSelection",
            """
            expected a random selection, since byte 1 bit 4 of combinationOptions (random selection) is 1, \
            found none
            """
        ),
        (
            5,
            #"""
            "limits": { "floor": 100 }, \#
            "kernel5": { "randomSelection": ▸{ "threshold": 100, "target": 10, "maximumTarget": 20 } }
            """#,
            "kernel5.randomSelection", "expected a threshold below limits.floor, 100 minor units, found 100"
        ),
        (
            5, #""kernel5": { "randomSelection": ▸{ "threshold": 1, "target": 30, "maximumTarget": 20 } }"#,
            "kernel5.randomSelection",
            """
            expected a target and a maximumTarget from 0 to 99 percent, the target not above the other, \
            found 30 and 20
            """
        ),
        (
            5, #""kernel5": { "randomSelection": { "threshold": 1, "target": ▸100, "maximumTarget": 20 } }"#,
            "kernel5.randomSelection.target",
            "expected a share in percent, a whole number from 0 to 99, found a number of 3 digits"
        ),
        (
            5, #""data": { "9F53": ▸"700000" }"#, "data.9F53",
            "expected no 9F53 here: kernel5.terminalInterchangeProfile supplies it, found 3 bytes"
        ),
        (
            6, #""ttq": ▸"76004000""#, "ttq", "expected 0 in byte 1 bit 7 (full contactless flow), found 1"
        ),
        (
            6, #""ttq": ▸"37004000""#, "ttq",
            "expected 0 in byte 1 bit 1 (offline data authentication for online), found 1"
        ),
        (
            6, #""ttq": ▸"16004000""#, "ttq",
            "expected 1 in byte 1 bit 8 (mag-stripe mode) or bit 6 (EMV mode), found 0 in both"
        ),
        (
            6, #""ttq": "36004000", "kernel6": { "mode": ▸"x" }"#, "kernel6.mode",
            #"expected one of "auto", "emv", "ms", "legacy", found a string of 1 byte"#
        ),
        (
            6, #""ttq": "36004000", "kernel6": { "cvrOffset": ▸25 }"#, "kernel6.cvrOffset",
            "expected a position in 9F10, in bytes from 0, a whole number from 0 to 24, found a number of 2 digits"
        ),
        (
            6, #""ttq": "36004000", "kernel6": { "track1Tag": ▸"9F" }"#, "kernel6.track1Tag",
            "expected a tag of 1 to 4 bytes in hex, found bytes that are not one tag"
        ),
        (
            6, #""ttq": "36004000", "kernel6": { "track1Tag": ▸"9F26" }"#, "kernel6.track1Tag",
            "expected 56 or a primitive tag that neither EMV Book 3 nor Kernel 6 defines, found 9F26"
        ),
        (
            6, #""ttq": "36004000", "kernel6": { "otherInterfaces": [▸"nfc"] }"#, "kernel6.otherInterfaces[0]",
            #"expected one of "contact", "magstripe", found a string of 3 bytes"#
        ),
        (7, #""ttq": ▸"B6004000""#, "ttq", "expected 0 in byte 1 bit 8 (reserved), found 1"),
        (7, #""ttq": ▸"36204000""#, "ttq", "expected 0 in byte 2 bit 6 (reserved), found 1"),
        (7, #""ttq": ▸"36004001""#, "ttq", "expected 0 in byte 4 bit 1 (reserved), found 1"),
        (7, #""ttq": ▸"76004000""#, "ttq", "expected 0 in byte 1 bit 7 (full contactless flow), found 1"),
        (7, #""ttq": ▸"16004000""#, "ttq", "expected 1 in byte 1 bit 6 (EMV mode), found 0"),
        (
            7, #""ttq": ▸"36000000""#, "ttq",
            "expected 1 in byte 3 bit 7 (verification on the consumer's device), found 0"
        ),
        (
            7, #""ttq": ▸"37004000""#, "ttq",
            """
            expected 0 in byte 1 bit 1 (offline data authentication for online), or true in kernel7.odaForOnline, \
            found 1 and false
            """
        ),
    ]

    @Test(arguments: ofAKernel)
    func everyErrorOfAKernelHasItsWholeText(_ kernel: Int, _ members: String, _ path: String, _ text: String) {
        let row = #"{ "aid": "A0000000031010", "kernel": \#(kernel), \#(members) }"#
        let more = kernel == 6 ? #", "9F09": "0001", "9F1E": "3132333435363738""# : ""
        expect(Self.document(terminal: more, combinations: row), "combinations[0].\(path)", text)
    }

    /// An object that a kernel requires of the terminal is named if a combination lacks it.
    @Test func aMissingDataObjectIsNamed() {
        expect(
            Self.document(combinations: #"▸{ "aid": "A0000000031010", "kernel": 6, "ttq": "36004000" }"#),
            "combinations[0].data.9F09",
            #"expected 9F09 (Application Version Number, 2 bytes) in "data" or "terminal", found none"#)
    }

    /// A modulus that contains the mark.
    private static func marked(_ head: String, _ count: Int, _ tail: String) -> String {
        "▸\"" + head + String(repeating: "C1", count: count) + tail + "\""
    }

    private static func key(_ change: (member: String, value: String), more: String = "") -> String {
        var members = ["rid": #""A000000003""#, "index": #""92""#, "exponent": #""03""#, "modulus": "\"\(modulus)\""]
        members[change.member] = change.value
        let texts = members.keys.sorted().map { "\"\($0)\": \(members[$0] ?? "")" }
        return "{ \(texts.joined(separator: ", "))\(more) }"
    }

    /// A member of a CA key, its value, and the text.
    private static let ofAKey: [(String, String, String)] = [
        ("rid", #"▸"A0""#, "expected hex of 5 bytes (10 digits), found 1 byte"),
        ("index", #"▸"9""#, "expected hex of 1 byte (2 digits), found an odd number of digits, 1"),
        ("exponent", #"▸"05""#, "expected 3 or 65537, found 5"),
        ("modulus", #"▸"C1C1""#, "expected 64 to 248 bytes, found 2 bytes"),
        ("modulus", marked("", 249, ""), "expected 64 to 248 bytes, found 249 bytes"),
        (
            "modulus", marked("", 257, ""),
            "expected hex of 1 to 256 bytes (2 to 512 digits), found 257 bytes"
        ),
        (
            "modulus", marked("", 64, ""),
            "expected at least 1152 bits, protection.minCaBits, found 512"
        ),
        (
            "modulus", marked("00", 175, ""),
            "expected an odd number that does not begin with a byte 00, found one that does"
        ),
        (
            "modulus", marked("", 175, "C0"),
            "expected an odd number that does not begin with a byte 00, found an even one"
        ),
        (
            "sha1", #"▸"0000000000000000000000000000000000000000""#,
            "expected the SHA-1 of RID, index, modulus and exponent, found another one"
        ),
        ("sha1", #"▸"00""#, "expected hex of 20 bytes (40 digits), found 1 byte"),
        (
            "expires", #"▸"2028-02-30""#,
            #"expected a date, year, month and day like "2026-11-21", found a string of 10 bytes"#
        ),
        ("hashAlgorithm", #"▸"02""#, #"expected one of "01", found a string of 2 bytes"#),
        ("test", "▸0", "expected true or false, found a number of 1 digit"),
    ]

    @Test(arguments: ofAKey)
    func everyErrorOfAKeyHasItsWholeText(_ member: String, _ value: String, _ text: String) {
        expect(Self.document(keys: Self.key((member, value))), "caKeys[0].\(member)", text)
    }

    @Test func everyErrorOfASecondKeyHasItsWholeText() {
        let first = Self.key(("index", #""92""#)) + ", "
        expect(
            Self.document(keys: first + Self.key(("index", #"▸"92""#))), "caKeys[1].index",
            "expected each RID and index once, found those of caKeys[0] again")
        expect(
            Self.document(keys: first + Self.key(("index", #"▸"93""#), more: #", "test": true"#)), "caKeys[1].index",
            "expected only test keys, only live keys, or true in protection.allowTestKeys, found both kinds")
        expect(
            Self.document(
                keys: first + #"{ "rid": "A000000003", "index": "93", "suite": "10", "x": ▸"00", "y": "00" }"#),
            "caKeys[1].x", "expected hex of 32 bytes (64 digits), found 1 byte")
    }

    /// Members of the document, and the terminal's data objects.
    private static let ofADocument: [(String, String, String)] = [
        (
            #""revoked": [ { "rid": "A000000003", "index": "92", "serial": ▸"0001" } ]"#, "revoked[0].serial",
            "expected hex of 3 bytes (6 digits), found 2 bytes"
        ),
        (
            #""exceptions": [ { "pan": ▸"4761" } ]"#, "exceptions[0].pan",
            "expected 8 to 19 digits of an account number, found a string of 4 bytes"
        ),
        (
            #""exceptions": [ { "pan": ▸"4761739F" } ]"#, "exceptions[0].pan",
            "expected 8 to 19 digits, and F only to fill the last byte, found 7 digits in 4 bytes"
        ),
        (
            #""exceptions": [ { "pan": ▸"47617390A1" } ]"#, "exceptions[0].pan",
            "expected 8 to 19 digits, and F only to fill the last byte, found other digits than 0 to 9 in it"
        ),
        (
            #""exceptions": [ { "pan": "4761739001010119", "sequence": ▸"0A" } ]"#, "exceptions[0].sequence",
            "expected two decimal digits, 00 to 99, found a digit A to F"
        ),
        (#""autorun": ▸{}"#, "autorun", #"expected the key "amount", found an object without it"#),
        (#""version": ▸1"#, "version", "expected a string, found a number of 1 digit"),
        (
            #""validFrom": ▸"2026-13-01""#, "validFrom",
            #"expected a date, year, month and day like "2026-11-21", found a string of 10 bytes"#
        ),
        (#""protection": ▸[]"#, "protection", "expected an object, found an array"),
    ]

    @Test(arguments: ofADocument)
    func everyErrorOfADocumentHasItsWholeText(_ member: String, _ path: String, _ text: String) {
        expect(Self.document(rest: ", " + member), path, text)
    }

    @Test func everyErrorOfTheTerminalHasItsWholeText() {
        expect(
            Self.document(terminal: #", "9F1A00": ▸"0276""#), "terminal.(key of 6 bytes)",
            "expected a tag of 1 to 4 bytes in hex as the key, found a key of 6 bytes")
        expect(
            Self.document(terminal: #", "9F15": ▸"59""#), "terminal.9F15", "expected 2 bytes, found 1 byte")
        expect(
            Self.document(terminal: #", "8B": ▸"0001""#), "terminal.8B",
            "expected fields of identifier (2 bytes), length (1 byte) and value, found other bytes")
        expect("▸{}", "", #"expected the key "format" with "emv-configuration/1", found an object without it"#)
        expect(
            #"{ "format": ▸"emv-configuration/2" }"#, "format",
            #"expected "emv-configuration/1", found a string of 19 bytes"#)
        expect(
            #"▸{ "format": "emv-configuration/1" }"#, "combinations", "expected 1 to 64 combinations, found none")
    }

    /// A bad row hides no other error, even if the faulty member is needed elsewhere.
    @Test func aRefusedMemberHidesNoFurtherError() {
        let rows = ["B6004000", "36004000", "B6004000"].enumerated().map { index, ttq in
            #"{ "aid": "A00000000310\#(index)0", "kernel": 3, "ttq": "\#(ttq)" }"#
        }
        let reading = Configuration.reading(
            json: Bytes(Self.document(combinations: rows.joined(separator: ", ")).utf8))
        #expect(reading.errors.map(\.path) == ["combinations[0].ttq", "combinations[2].ttq"])
    }

    // MARK: Text that is not JSON

    private static let ofJSON: [(String, String)] = [
        ("▸", "\(aValue)the end of the document"), ("▸\u{FEFF}{}", "\(aValue)a character outside ASCII"),
        ("[1,▸]", "\(aValue)\"]\""), ("▸nul", "\(aValue)another word"),
        ("{▸", "expected a name in double quotes, found the end of the document"),
        ("{▸'a':1}", "expected a name in double quotes, found \"'\""),
        ("{} ▸x", "expected the end of the document, found a letter"),
        (#"{"a" ▸1}"#, #"expected ":" after a name, found a digit"#),
        (#"{"a":1 ▸"b":2}"#, #"expected "," or "}", found a double quote"#),
        ("[1 ▸2]", #"expected "," or "]", found a digit"#),
        ("0▸1", "expected a number without leading zeros, found one with them"),
        ("-▸", "expected a digit, found the end of the document"),
        ("1.▸", "expected a digit after the point, found the end of the document"),
        ("1e▸x", "expected a digit in the exponent, found a letter"),
        (#""a▸"#, "expected the closing quote of a string, found the end of the document"),
        ("\"▸\u{1}\"", "expected a string without control characters, found a control character"),
        (#""\▸x""#, #"expected one of \", \\, \/, \b, \f, \n, \r, \t and \u, found a letter"#),
        (#""\▸"#, #"expected a character after "\", found the end of the document"#),
        (#""\u▸12""#, #"expected four hex digits after \u, found the end of the document"#),
        (#""\u▸12xy""#, #"expected four hex digits after \u, found another character"#),
        (
            #""\ud800▸""#, #"expected a pair of surrogates, \uD800 to \uDBFF and \uDC00 to \uDFFF, found half of one"#
        ),
        (#"{"a":1,▸"a":2}"#, #"expected each name once, found the key "a" again"#),
        (
            "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[▸[",
            "expected at most 32 levels of nesting, found one more"
        ),
    ]

    @Test(arguments: ofJSON)
    func everyErrorOfJSONHasItsWholeText(_ marked: String, _ text: String) {
        expect(marked, "", text)
    }

    private static let aValue =
        "expected a value: an object, an array, a string, a number, true, false or null, found "

    @Test func bytesThatAreNotUTF8AreNamed() {
        let errors = Configuration.reading(json: [0x22, 0xC0, 0x80, 0x22], file: "a.json").errors
        #expect(errors.map(\.description) == ["a.json:1:2: expected text in UTF-8, found a byte that is not"])
    }

    @Test(arguments: ["", "[]", "{}", "{", #"{"format":"emv-configuration/2"}"#, #"{"format":"emv-configuration/1"}"#])
    func whatIsNoConfigurationEnds(_ text: String) {
        let reading = Configuration.reading(json: Bytes(text.utf8))
        #expect((reading.configuration == nil) == !reading.errors.isEmpty)
    }

    /// One byte of a file is changed: reading ends, and finds an error wherever the ordinary reader does.
    @Test func damagedFilesEnd() {
        let bytes = Self.file(#", "limits": { "floor": 0 }, "data": { "9F53": "00" }"#, keys: Self.key)
        for index in bytes.indices {
            for byte in [UInt8(ascii: "0"), UInt8(ascii: "\""), UInt8(ascii: "}"), UInt8(ascii: "x")] {
                var damaged = bytes
                damaged[index] = byte
                let reading = Configuration.reading(json: damaged)
                #expect((reading.configuration == nil) == !reading.errors.isEmpty)
                if (try? Configuration(json: damaged)) == nil { #expect(!reading.errors.isEmpty, "byte \(index)") }
            }
        }
    }

    // MARK: Review

    private static func codes(_ change: (inout Configuration) -> Void) -> Set<Configuration.Review.Remark.Code> {
        var configuration = workingConfiguration()
        configuration.combinations[0].currency = 978
        configuration.caKeys = [
            CAKey(rid: [0xA0, 0, 0, 0, 3], index: 0x92, exponent: 3, modulus: Bytes(repeating: 0xC1, count: 176))
        ]
        change(&configuration)
        return Set(configuration.review(on: testDay).remarks.map(\.code))
    }

    @Test func aUsualConfigurationHasNoRemark() {
        #expect(Self.codes { _ in } == [])
    }

    @Test func whatCanHardlyBeMeantIsRemarked() {
        #expect(Self.codes { $0.combinations[0].limits.transaction = 0 } == [.noAmountAllowed])
        // An offline-only terminal, and a floor limit of zero, above which nothing is approved offline.
        #expect(Self.codes { $0.terminal[0x9F35] = [0x23] } == [.neverGoesOnline, .neverApproves])
        let offlineOnly: [(inout Configuration) -> Void] = [
            { $0.terminal[0x9F35] = [0x23] }, { $0.combinations[0].data[0x9F35] = [0x26] },
            { $0.combinations[0].ttq = [0x3E, 0, 0x40, 0] },
        ]
        for change in offlineOnly {
            let codes = Self.codes {
                $0.combinations[0].limits.floor = 100
                change(&$0)
            }
            #expect(codes == [.neverGoesOnline, .approvalsNeedAJournal])
        }
        #expect(
            Self.codes {
                $0.terminal[0x9F35] = [0x23]
                $0.combinations[0].limits.floor = 100
                $0.caKeys = []
            } == [.neverGoesOnline, .neverApproves])
        #expect(Self.codes { $0.combinations[0].limits.floor = 100 } == [.approvalsNeedAJournal])
        #expect(Self.codes { $0.combinations[0].limits.floor = nil } == [])
        #expect(
            Self.codes {
                $0.combinations[0].limits.floor = nil
                $0.protection.profile = .book
            } == [.approvalsNeedAJournal])
        #expect(
            Self.codes {
                $0.combinations[0].limits.floor = 100
                $0.caKeys = []
            } == [.noUsableKey])
        #expect(
            Self.codes { $0.combinations[0].limits.floor = 30_000 } == [.approvalsNeedAJournal, .floorAboveTransaction])
        #expect(Self.codes { $0.combinations[0].ttq = [0x30, 0, 0, 0] } == [.noVerificationMethod])
        #expect(Self.codes { $0.caKeys[0].isTest = true } == [.testKey])
        #expect(Self.codes { $0.caKeys[0].expires = CalendarDate(year: 2026, month: 11, day: 20) } == [.expiredKey])
        #expect(Self.codes { $0.caKeys[0].expires = testDay } == [])
        #expect(Self.codes { $0.caKeys[0].rid[4] = 4 } == [.keyWithoutNetwork])
        #expect(Self.codes { $0.validFrom = CalendarDate(year: 2026, month: 11, day: 22) } == [.notYetValid])
        #expect(Self.codes { $0.validFrom = testDay } == [])
        #expect(
            Self.codes {
                $0.combinations[0].kernel = 8
                $0.combinations[0].ttq = nil
            } == [.secretsNeeded])
        #expect(Self.codes { $0.combinations[0].currency = nil } == [.currencyNotStated])
    }

    @Test func networksAreReviewedAsTheirKernelsTakeThem() {
        func offline(_ change: (inout Configuration) -> Void) -> Configuration.Review.OfflineAmounts? {
            var configuration = workingConfiguration()
            change(&configuration)
            return configuration.review().networks.first?.offline
        }
        #expect(offline { _ in } == Configuration.Review.OfflineAmounts.none)
        #expect(offline { $0.combinations[0].limits.floor = 500 } == .upTo(500))
        #expect(offline { $0.combinations[0].limits.floor = nil } == Configuration.Review.OfflineAmounts.none)
        #expect(
            offline {
                $0.combinations[0].limits.floor = nil
                $0.combinations[0].protection = Protection(profile: .book)
            } == .all)
        for rule in [Protection(profile: .strict), Protection(offline: .off)] {
            #expect(
                offline {
                    $0.combinations[0].limits.floor = 500
                    $0.protection = rule
                } == Configuration.Review.OfflineAmounts.none)
        }
        #expect(
            offline {
                $0.combinations[0].limits.floor = 500
                $0.terminal[0x9F35] = [0x21]
            } == Configuration.Review.OfflineAmounts.none)
        // Kernel 5 treats an amount equal to the limit as above it (Book C-5, 3.4.1); Kernel 2 also has its limit as a
        // data object.
        #expect(
            offline {
                $0.combinations[0].kernel = 5
                $0.combinations[0].limits.floor = 500
            } == .upTo(499))
        #expect(
            offline {
                $0.combinations[0].kernel = 2
                $0.combinations[0].limits.floor = nil
                $0.combinations[0].data[0xDF8123] = [0, 0, 0, 0, 0x12, 0x34]
            } == .upTo(1234))
    }

    /// The review's statement about approvals without an issuer agrees with the kernel's behaviour.
    @Test(arguments: [UInt64?.none, 0, 1_250, 1_249])
    func theReviewAgreesWithTheReader(_ floor: UInt64?) async throws {
        var configuration = Configuration.simulator(limits: Limits(transaction: 30_000, floor: floor))
        configuration.combinations.removeAll { $0.kernel.id != 3 }
        let review = configuration.review()
        let session = try await TapReader(
            SimulatedReader(try #require(CardProfile.named("fdda"))), configuration: configuration, options: .ofTools
        ).prepare()
        let outcome = await session.read(PaymentRequest(amount: Money(minorUnits: 1_250, currency: .eur)))
        guard case .success(let read) = outcome else {
            Issue.record("\(outcome.name)")
            return
        }
        let allowed =
            switch try #require(review.networks.first).offline {
            case .none: false
            case .all: true
            case .upTo(let most): most >= 1_250
            }
        #expect((read.authorization == .approvedOffline) == allowed)
    }
}
