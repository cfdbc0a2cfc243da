// SPDX-License-Identifier: Apache-2.0
import EMVFormats
import EMVKit
import Foundation
import TestData
import Testing

/// No message about a file, and no difference of a replay, shows an account number.
@Suite struct FormatPrivacyTests {
    private static let account = "4761739001010119"

    /// Account numbers, alone or surrounded by other data, in place of other values.
    private static let values = [
        "\"\(account)\"", account, "\(account).5", "-\(account)", "\"\(account)F\"", "\"PAN \(account)\"",
        "\"B\(account)^X\"", "[\(account)]",
        "{ \"\(account)\": 1 }", "{ \"PAN\(account)\": 1 }", "{ \"\(account)\": 1, \"\(account)\": 2 }",
        "[{ \"5A\": \"\(account)\" }]",
    ]

    private static func shows(_ error: any Error) -> Bool {
        let text = "\(error) \(String(reflecting: error)) \(error.localizedDescription)"
        return (0...(account.utf8.count - 5)).contains { text.contains(account.dropFirst($0).prefix(5)) }
    }

    /// The ranges of JSON tokens: names and values.
    private static func tokens(_ text: String) -> [Range<String.Index>] {
        var ranges: [Range<String.Index>] = []
        var at = text.startIndex
        while at < text.endIndex {
            let start = at
            if text[at] == "\"" {
                at = text.index(after: text[text.index(after: at)...].firstIndex(of: "\"")!)
                ranges.append(start..<at)
            } else if text[at].isNumber || text[at].isLetter {
                at = text[at...].firstIndex { !$0.isNumber && !$0.isLetter } ?? text.endIndex
                ranges.append(start..<at)
            } else {
                at = text.index(after: at)
            }
        }
        return ranges
    }

    private static let configuration = """
        { "format": "emv-configuration/1", "version": "7", "validFrom": "2026-11-21", "terminal": { "9F1A": "0276" },
          "combinations": [
            { "aid": "A0000000031010", "kernel": 3, "name": "Visa", "transactionTypes": ["00"], \
        "limits": { "floor": 0 }, "statusCheck": true,
              "zeroAmount": "online", "extendedSelection": true, "ttq": "36004000", "data": { "DF811B": "30" }, \
        "usageControl": false,
              "dynamicLimits": [ { "program": "3102", "limits": { "floor": 7 } } ], \
        "protection": { "profile": "strict" } },
            { "aid": "A0000000041010", "kernelId": "02" } ],
          "caKeys": [ { "rid": "A000000003", "index": "92", "exponent": "03", "modulus": "996A", "sha1": "00", \
        "expires": "2028-12-31", "test": true } ],
          "revoked": [ { "rid": "A000000003", "index": "92", "serial": "000001" } ], \
        "exceptions": [ { "pan": "5413330000000019", "sequence": "01" } ],
          "autorun": { "type": "00", "amount": 500 }, "protection": { "profile": "book", "luhn": "end", \
        "minCaBits": 1024 } }
        """

    private static let trace = """
        { "format": "emv-trace/1", "name": "x", "configuration": { "combinations": [ { "aid": "A0000000031010", \
        "kernel": 3, "ttq": "36004000" } ] },
          "transaction": { "type": "00", "amount": 1, "currency": "0978", "date": "2026-11-21", "time": "12:00:00", \
        "random": "00000000" }, "match": "exact",
          "exchanges": [ { "c": "00A40400", "r": "9000", "ms": 1 }, { "c": "00A40400", "fault": "timeout" }, \
        { "tap": 2 }, { "collision": true },
            { "online": { "71": ["8600"] } }, { "pin": "captured" }, { "det": { "9F02": "00" } }, \
        { "dek": { "5A": "00" } }, { "stop": true },
            { "sale": { "date": "2026-11-21", "time": "12:00:00", "counter": 1, "random": "00" } } ],
          "expect": { "tap": "success", "cvm": "none", "message": "03", "messages": ["15"], "apdus": 1, \
        "data": { "9F26": "00" }, "findings": ["LUHN"],
            "errorIndication": "000000000000", "start": "B", "restartMessage": "21", "holdMs": 0, \
        "valueQualifier": "amount", "receipt": true } }
        """

    @Test(arguments: [configuration, trace])
    func noErrorShowsAnAccountNumber(_ text: String) {
        var refused = 0
        for range in FormatPrivacyTests.tokens(text) {
            for value in FormatPrivacyTests.values {
                let damaged = Array(text.replacingCharacters(in: range, with: value).utf8)
                do {
                    if text == FormatPrivacyTests.trace {
                        _ = try TraceReplay(Trace(json: damaged))
                    } else {
                        _ = try CheckedConfiguration(Configuration(json: damaged, file: "shop.json"))
                    }
                } catch {
                    refused += 1
                    #expect(!FormatPrivacyTests.shows(error), "at \(text[range])")
                }
            }
        }
        #expect(refused > 1000)
    }

    @Test(arguments: [
        ("flor", "flor"), ("A.b_c-4761", "A.b_c-4761"), ("9F1A", "9F1A"), ("4761739001010119", "(key of 16 bytes)"),
        ("PAN47617", "(key of 8 bytes)"),
        ("4flor", "(key of 5 bytes)"), ("flör", "(key of 5 bytes)"), ("", "(key of 0 bytes)"),
        ("a b", "(key of 3 bytes)"),
        (String(repeating: "a", count: 40), String(repeating: "a", count: 40)),
        (String(repeating: "a", count: 41), "(key of 41 bytes)"),
    ])
    func aKeyIsNamedWhereItCanBeNoAccountNumber(_ key: String, _ shown: String) {
        let error = #expect(throws: FormatError.self) {
            try Configuration(json: Array("{ \"terminal\": {}, \"\(key)\": 1 }".utf8))
        }
        #expect(error?.path == shown)
        #expect(
            error?.found == "the unknown key \(key == shown ? "\"\(key)\"" : "of \(key.utf8.count) bytes")")
        #expect(error?.expected.hasPrefix("one of the keys \"format\", \"terminal\"") == true)
    }

    @Test func aValueIsDescribedByKindAndLength() {
        func message(_ value: String) -> String? {
            #expect(throws: FormatError.self) {
                try Configuration(json: Array("{ \"format\": \"emv-configuration/1\", \"version\": \(value) }".utf8))
            }?.message
        }
        #expect(message("4761739001010119") == "expected a string, found a number of 16 digits")
        #expect(message("true") == "expected a string, found true")
        #expect(message("{}") == "expected a string, found an object")
    }

    @Test func aRowIsNotCalledByAnAccountNumber() {
        for (name, aid) in [("Shop 4761739001010119", "A0000000031010"), ("Visa", "4761739001010119")] {
            let row = Combination(aid: Hex.bytes(aid)!, kernel: 9, name: name)
            let error = #expect(throws: ConfigurationError.self) {
                try CheckedConfiguration(Configuration(combinations: [row]))
            }
            #expect(error.map(FormatPrivacyTests.shows) == false)
        }
    }

    @Test func aRedactedTraceIsMaskedInTemplatesToo() throws {
        var trace = try IndependentTraceTests.trace("k2-torn-recovered")
        let track = "57135413339000001513D30122010000012345678F"
        let record = Hex.bytes("5A085413339000001513" + track)!
        trace.expectation.discretionary = [Trace.Datum(tag: 0xFF8101, value: record)]
        trace.items.append(.dataExchange([0xFF8101: record, 0x57: Bytes(record[12...])]))
        let text = trace.redacted().json
        #expect(
            !text.contains("5413339000001513") && !text.contains("12345678") && text.contains("5A085413330000001513"))
        #expect(try Trace(json: Array(text.utf8)) == trace.redacted())
    }

    /// A replay difference shows only masked digits of an account number: each expected value wrong, each command
    /// wrong, values in templates, in another object, in text, at a half byte.
    @Test func noDifferenceShowsAnAccountNumber() throws {
        let account = "5413339000001513"
        let ascii = account.map { "3\($0)" }.joined()
        var trace = try IndependentTraceTests.trace("k2-torn-recovered")
        let shift = "0" + account + "0"
        trace.expectation.discretionary += [
            "5A08\(account)", "700F5A08\(account)9F1F023030", "5713\(account)D30122010000000000000F",
            "9F10090\(account)0", "9F7C10\(ascii)",
        ].map { Trace.Datum(tag: 0xFF8101, value: Hex.bytes($0.count % 2 == 0 ? $0 : $0 + "0")!) }
        trace.expectation.data += [
            Trace.Datum(tag: 0x5A, value: Hex.bytes(account + "00")!),
            Trace.Datum(tag: 0x57, value: Hex.bytes(account + "D301220100")!),
            Trace.Datum(tag: 0x9F10, value: Hex.bytes(shift)!), Trace.Datum(tag: 0x9F7C, value: Hex.bytes(ascii)!),
            Trace.Datum(tag: 0x56, value: Hex.bytes("42" + ascii + "5E")!),
        ]
        var texts = try TraceReplay(trace).run().differences
        #expect(texts.count >= 8)
        for (place, item) in trace.items.enumerated() {
            guard case .exchange(let command, let response, let elapsed) = item else { continue }
            var wrong = trace
            wrong.items[place] = .exchange(command: command + Hex.bytes(shift)!, response: response, elapsed: elapsed)
            texts += try TraceReplay(wrong).run().differences
            wrong.items.insert(.terminalData([0x5A: Hex.bytes(account)!]), at: place)
            texts += try TraceReplay(wrong).run().differences
        }
        for difference in texts {
            for text in [
                difference.maskedExpected, difference.maskedFound, difference.description,
                String(reflecting: difference),
            ] {
                #expect(
                    !text.contains(account.dropFirst(6).prefix(7)) && !text.contains(ascii.dropFirst(12).prefix(14)),
                    "\(difference.place)")
            }
        }
        let five = try #require(texts.first { $0.place == "expect.data.5A" })
        #expect(five.expected == account + "00" && five.maskedFound == "541333******1513")
        let nested = try #require(texts.first { $0.place == "expect.discretionary.FF8101" })
        #expect(nested.maskedExpected == "5A08541333******1513")
    }

    // MARK: Truncated traces

    /// A trace with these responses to READ RECORD.
    private static func trace(_ answers: [String], command: String = "00B2010C00") throws -> Trace {
        var trace = try Trace(json: Array(Self.trace.utf8))
        trace.expectation = Trace.Expectation()
        trace.items = try answers.map {
            .exchange(
                command: try #require(Hex.bytes(command)), response: try #require(Hex.bytes($0)), elapsed: nil)
        }
        return trace
    }

    private static let pan = "4761739001010119"
    private static let record = "70" + "22" + "5711" + pan + "D30122010000012345" + "5A08" + pan + "9F36020015"

    /// Whether the trace shows hidden digits of the account number, packed at any digit or as text, or the end of the
    /// track.
    private static func shows(_ trace: Trace) -> Bool {
        let text = trace.json
        return ["900101", "393030313031", "012345"].contains { text.contains($0) }
    }

    /// A record is cut at every byte, with and without an adjusted length.
    @Test func everyPrefixOfARecordIsMasked() throws {
        let record = try #require(Hex.bytes(Self.record))
        #expect(Self.shows(try Self.trace([Self.record + "9000"])))
        for count in 0...record.count {
            for length in [record[1], 0x81] {
                var cut = Bytes(record.prefix(count))
                if length == 0x81, count > 1 { cut.replaceSubrange(1...1, with: [0x81, 0x5A]) }
                let redacted = try Self.trace([Hex.string(cut) + "9000"]).redacted()
                #expect(!Self.shows(redacted), "\(count) bytes")
                guard case .exchange(_, let response, _)? = redacted.items.first else { continue }
                #expect(response.count == cut.count + 2)
                var error: TLVError?
                do throws(TLVError) { try TLVTree.check(cut) } catch let found { error = found }
                var still: TLVError?
                do throws(TLVError) { try TLVTree.check(Bytes(response.dropLast(2))) } catch let found { still = found }
                #expect(error == still, "\(count) bytes: it breaks off as it did")
            }
        }
    }

    /// One byte of the record is changed, at every position.
    @Test func aRecordWithAWrongByteIsMasked() throws {
        let record = try #require(Hex.bytes(Self.record))
        for place in record.indices {
            for wrong: UInt8 in [0x00, 0x01, 0x1F, 0x3F, 0x5A, 0x7F, 0x80, 0x81, 0x84, 0x85, 0xE0, 0xFF] {
                var damaged = record
                damaged[place] = wrong
                let text = try Self.trace([Hex.string(damaged) + "9000"]).redacted().json
                #expect(!text.contains("900101"), "byte \(place) is \(wrong)")
            }
        }
    }

    /// An account number found in a truncated record is masked in other responses and commands, too.
    @Test func anAccountNumberIsKnownFromARecordThatBreaksOff() throws {
        let cut = "70815A" + "5711" + Self.pan + "D301220100000123459000"
        let text = "9F7C10" + Self.pan.map { "3\($0)" }.joined() + "9000"
        let shifted = "9F10090" + Self.pan + "0" + "9000"
        #expect(try Self.shows(Self.trace([text])) && Self.shows(Self.trace([shifted])))
        #expect(!Self.shows(try Self.trace([cut, text, shifted]).redacted()))
        // After a template with an error inside: read, masked and known.
        let behind = "7003" + "5A0847" + "5A08" + Self.pan + "9000"
        #expect(!Self.shows(try Self.trace([behind, text, shifted]).redacted()))
        #expect(!Self.shows(try Self.trace([cut], command: "80E200000B0" + Self.pan + "00000").redacted()))
        #expect(!Self.shows(try Self.trace(["9000"], command: "80E200000A5A08" + Self.pan + "00").redacted()))
    }

    @Test func whatIsNestedTooDeepIsMasked() throws {
        for (tag, known) in [("5A08", true), ("C108", false)] {
            var nested = tag + Self.pan
            for depth in 2...12 {
                nested = "70" + Hex.string([UInt8(nested.utf8.count / 2)]) + nested
                guard known || depth > TLVReader.maximumDepth else { continue }
                let trace = try Self.trace([nested + "9000"])
                #expect(Self.shows(trace) && !Self.shows(trace.redacted()), "depth \(depth)")
                #expect(!AccountMask(trace).objects(Hex.bytes(nested)!).contains("900101"), "depth \(depth)")
            }
        }
    }

    /// Data objects inside an object that should be primitive: a relay has made a template primitive, and may have cut
    /// it with its length.
    @Test(arguments: ["80", "50", "C1", "9F7F", "DF51"])
    func whatStandsInAPrimitiveObjectIsMasked(_ tag: String) throws {
        for account in ["5A08" + Self.pan, "5711" + Self.pan + "D30122010000012345"] {
            let list = try #require(Hex.bytes("82022000" + account + "5F340101"))
            for count in 0...list.count {
                let object = tag + Hex.string([UInt8(count)]) + Hex.string(list.prefix(count))
                let around = "70" + Hex.string([UInt8(object.utf8.count / 2)]) + object
                for hex in [object, around] {
                    let trace = try Self.trace([hex + "9000"])
                    let shown = AccountMask().objects(try #require(Hex.bytes(hex)))
                    for text in [trace.redacted().json, shown] {
                        #expect(
                            !["900101", "012345"].contains { text.contains($0) }, "\(tag), \(count) bytes: \(text)")
                    }
                }
            }
            // It is recognised in other places, too.
            let text = "9F7C10" + Self.pan.map { "3\($0)" }.joined() + "9000"
            let object = tag + Hex.string([UInt8(list.count)]) + Hex.string(list) + "9000"
            #expect(!Self.shows(try Self.trace([object, text]).redacted()))
        }
    }

    /// An account number or a track under a wrong tag is recognised by its digits.
    @Test(arguments: [
        ("55084761739001010119", "5508476173******0119"), ("550A4761739001010119FFFF", "550A476173******0119FFFF"),
        ("55114761739001010119D30122010000012345", "5511476173******0119D*****************"),
        ("9F5E09476173900101011901", "9F5E09476173********1901"), ("9F5E03000102", "9F5E03000102"),
        // As text, also with padding; a number outside every network's range is left.
        ("DF021034373631373339303031303130313139", "DF0210********************************"),
        ("DF021234373631373339303031303130313139FFFF", "DF0212************************************"),
        ("DF021039393939393939393939393939393939", "DF021039393939393939393939393939393939"),
        // A wrong check digit, an impossible month, or too few digits: the data are something else.
        ("55084761739001010118", "55084761739001010118"), ("550B4761739001010119D30132", "550B4761739001010119D30132"),
        ("5506476173900101", "5506476173900101"),
    ])
    func digitsAreKnownWithoutTheirTag(_ hex: String, _ shown: String) throws {
        let bytes = try #require(Hex.bytes(hex.utf8.count % 2 == 0 ? hex : hex + "0"))
        #expect(AccountMask(data: bytes).objects(bytes).hasPrefix(shown))
    }

    /// The last two bytes of a truncated response may be account digits: no tool treats them as a status word.
    @Test func digitsInTheStatusWordAreMasked() throws {
        let answer = "773E820220009F2701809F100706010A03A0000057114761739001"
        var trace = try Self.trace([answer])
        trace.expectation.errorIndication = Hex.bytes("000400900103")
        let mask = AccountMask(trace)
        let object = try #require(Hex.bytes("DF8115060004009001030000"))
        #expect(mask.answer(try #require(Hex.bytes(answer))).allSatisfy { $0 == "*" })
        #expect(mask.errorIndication([0, 4, 0, 0x90, 0x01, 3]) == "000400****03")
        #expect(mask.objects(object.prefix(10)) == "DF811506000400****03")
        #expect(!trace.redacted().json.contains("9001"))
        // A complete response keeps its status word.
        let whole = try #require(Hex.bytes("7003820100" + "6283"))
        #expect(
            mask.answer(whole) == "70038201006283" && mask.errorIndication([0, 3, 0, 0x62, 0x83, 0]) == "000300628300")
    }

    /// A PIN of any length is neither shown nor stored.
    @Test(arguments: [
        ("0020008008241234FFFFFFFFFF", 5), ("8C24000008241234FFFFFFFFFF", 5), ("002C000008241234FFFFFFFFFF", 5),
        ("00200080081234", 4), ("00200080123456", 4),
    ])
    func aPINIsMasked(_ command: String, _ head: Int) throws {
        let bytes = try #require(Hex.bytes(command))
        let shown = AccountMask().command(bytes)
        #expect(shown.hasPrefix(String(command.prefix(2 * head))))
        #expect(shown.dropFirst(2 * head).allSatisfy { $0 == "*" })
        let redacted = try Self.trace(["9000"], command: command).redacted()
        guard case .exchange(let kept, _, _)? = redacted.items.first else { return }
        #expect(kept.count == bytes.count && kept.dropFirst(head).allSatisfy { $0 == 0 })
    }

    /// Masking never adds findings to a trace because of its zeros.
    @Test func aRedactedTraceHasNoFindingOfItsOwn() throws {
        let names = IndependentTraces.all.names
        var leftOut: Findings = []
        for index in stride(from: 0, to: names.count, by: 6) {
            let trace = try IndependentTraceTests.trace(names[index])
            let whole = try TraceReplay(trace, secrets: testSecrets).run()
            let masked = try TraceReplay(trace.redacted(after: whole), secrets: testSecrets).run()
            #expect(masked.outcome.findings.subtracting(whole.outcome.findings) == [], "\(trace.name)")
            leftOut.formUnion(masked.leftOut)
            #expect(whole.leftOut == [])
        }
        #expect(leftOut.isSuperset(of: [.luhn, .odaTamper]))
    }

    // MARK: Truncated passes

    /// A part cut anywhere, a malformed message, a response with truncated objects: nothing of the pass is kept.
    @Test func everyPartOfAPassIsMasked() throws {
        let pass = String(repeating: "C7", count: 24)
        let session = "94030A736573" + "01020304050607080101"
        let bundle = "54031972656201" + pass
        let message = try #require(Hex.bytes("D4032F737273" + session + bundle))
        func masked(_ exchanges: [(String, Bytes)]) throws -> [Bytes] {
            var trace = try Self.trace([])
            trace.items = [
                .prelude(
                    try exchanges.map {
                        .exchange(command: try #require(Hex.bytes($0.0)), response: $0.1 + [0x90, 0], elapsed: nil)
                    })
            ]
            guard case .prelude(let items)? = trace.withoutPasses().items.first else { return [] }
            return items.map { if case .exchange(_, let response, _) = $0 { Bytes(response.dropLast(2)) } else { [] } }
        }
        let whole = try masked([("9050000000", message)])[0]
        #expect(Hex.string(whole) == "D4032F737273" + session + "54031972656201" + String(repeating: "00", count: 24))
        for first in 0...message.count {
            for second in [first, (first + message.count) / 2] {
                let parts = [message[..<first], message[first..<second], message[second...]].map { Bytes($0) }
                let found = try masked([("9050000000", parts[0]), ("90C0000000", parts[1]), ("90C0000000", parts[2])])
                #expect(found.map(\.count) == parts.map(\.count) && Bytes(found.joined()) == whole, "\(first)")
            }
            // The message ends or begins there.
            #expect(try !masked([("9050000000", Bytes(message[..<first]))])[0].contains(0xC7), "\(first)")
            guard first > 0 else { continue }
            #expect(try !masked([("90C0000000", Bytes(message[first...]))])[0].contains(0xC7), "\(first)")
        }
        let vas = try #require(Hex.bytes("70259F2A04C7C7C7C79F271B" + String(repeating: "C7", count: 27)))
        for count in 0...vas.count {
            #expect(try !masked([("80CA010100", Bytes(vas.prefix(count)))])[0].contains(0xC7), "\(count)")
        }
    }
}
