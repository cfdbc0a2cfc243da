// SPDX-License-Identifier: Apache-2.0
import EMVFormats
import EMVKit
import EMVPage
import EMVSimulator
import Foundation
import TestData
import Testing

/// The page's requests and their answers. Scripts/web --compare checks that the module gives equal answers.
@Suite struct PageEngineTests {
    /// - Parameter keys: keys of the request in addition to `call`, as JSON.
    private static func answer(_ call: String, _ keys: [String: Any] = [:]) throws -> [String: Any] {
        var request = keys
        request["call"] = call
        let text = PageEngine.answer(Bytes(try JSONSerialization.data(withJSONObject: request)))
        return try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    }

    private static func replay(_ answer: [String: Any]) throws -> [String: Any] {
        let report = try #require(answer["report"] as? [String: Any], "\(answer["error"] ?? "")")
        return try #require((report["replays"] as? [[String: Any]])?.first)
    }

    private static func names(_ key: String) throws -> [String] {
        try #require(try answer("catalog")[key] as? [[String: Any]]).compactMap { $0["name"] as? String }
    }

    // MARK: Taps

    /// Every fifth card; `EMV_CARD_STEP=1`: all of them (`Scripts/nightly`).
    @Test func aTapOfEveryCardIsATraceThatReplays() throws {
        let names = try Self.names("profiles")
        #expect(Set(names) == Set(CardProfile.profiles.keys))
        let step = ProcessInfo.processInfo.environment["EMV_CARD_STEP"].flatMap { Int($0) } ?? 5
        for index in stride(from: 0, to: names.count, by: step) {
            let name = names[index]
            let tap = try Self.answer("tap", ["profile": name, "amount": "12.50"])
            #expect(try Self.replay(tap)["met"] as? Bool == true, "\(name)")
            let saved = try #require(tap["trace"] as? String)
            let again = try Self.replay(Self.answer("replay", ["trace": saved]))
            #expect(again["met"] as? Bool == true, "\(name)")
            #expect(again["tap"] as? String == (try Self.replay(tap)["tap"] as? String), "\(name)")
        }
    }

    @Test func everyScenarioEndsAsItMust() throws {
        for name in try Self.names("scenarios") {
            let replay = try Self.replay(Self.answer("scenario", ["name": name]))
            #expect(replay["met"] as? Bool == true, "\(name)")
        }
    }

    /// Checked in every fault plan.
    @Test func noAnswerShowsAnAccountNumberUnlessItIsAskedFor() throws {
        let pan = try #require(CardProfile.named("fdda")).application.pan
        for plan in try Self.names("plans") {
            for shows in [false, true] {
                var tap = try Self.answer(
                    "tap", ["profile": "fdda", "amount": "12.50", "plan": plan, "showsPAN": shows])
                tap["trace"] = nil
                let text = String(decoding: try JSONSerialization.data(withJSONObject: tap), as: UTF8.self)
                #expect(shows ? text.contains(pan) || plan != "none" : !text.contains(pan), "\(plan)")
            }
        }
    }

    @Test func aRecordedTraceIsSavedWithoutItsAccountNumberUnlessItIsAskedFor() throws {
        let pan = try #require(CardProfile.named("fdda")).application.pan
        let tap = try Self.answer("tap", ["profile": "fdda", "amount": "12.50"])
        let trace = try #require(tap["trace"] as? String)
        let masked = try #require(try Self.answer("replay", ["trace": trace])["trace"] as? String)
        #expect(trace.contains(pan) && !masked.contains(pan))
        #expect(try Trace(json: Bytes(masked.utf8)).isRedacted)
        let whole = try #require(try Self.answer("replay", ["trace": trace, "showsPAN": true])["trace"] as? String)
        #expect(whole.contains(pan))
    }

    /// The cryptogram's inputs are the data that the card received, so its issuer accepts it.
    @Test func theInputsOfACryptogramAreThoseThatItsIssuerVerifies() throws {
        for name in ["online", "mcOnline", "dpasOnline", "upOnline"] {
            guard let profile = CardProfile.named(name) else { continue }
            let tap = try Self.answer("tap", ["profile": name, "amount": "12.34"])
            let cryptogram = try #require(tap["cryptogram"] as? [String: Any], "\(name)")
            let inputs = try #require(cryptogram["inputs"] as? [[String: Any]])
            let amount = inputs.first { $0["tag"] as? String == "9F02" }
            #expect(amount?["value"] as? String == "000000001234", "\(name)")
            var record: [UInt32: [UInt8]] = [0x9F26: Self.bytes(cryptogram["value"])]
            for input in inputs {
                let tag = try #require((input["tag"] as? String).flatMap { UInt32($0, radix: 16) })
                record[tag] = Self.bytes(input["value"])
            }
            #expect(SimulatedIssuer(profile.application).accepts(record), "\(name)")
        }
    }

    private static func bytes(_ hex: Any?) -> [UInt8] { (hex as? String).flatMap { Hex.bytes($0) } ?? [] }

    // MARK: Pasted text

    @Test(arguments: [
        ("6F0A8408A000000003101001", "data"), (#"{ "format": "emv-trace/1", "name": "x" }"#, "trace"),
        (#"{"format":"emv-configuration/1"}"#, "configuration"),
        (">> 00A404000E325041592E5359532E444446303100\n<< 6A82", "log"),
        ("00A404000E325041592E5359532E444446303100\n6A82", "log"), ("00A404000E325041592E5359532E444446303100", "log"),
    ])
    func whatIsPastedIsToldApart(_ text: String, _ kind: String) throws {
        #expect(try Self.answer("read", ["text": text])["kind"] as? String == kind)
    }

    /// Data as programs print them, and logs that begin with something other than a command.
    @Test(arguments: [
        ("0x6F, 0x07, 0x84, 0x05, 0xA0, 0x00, 0x00, 0x00, 0x03", "data"), ("6F:07:84:05:A0:00:00:00:03", "data"),
        ("byte[] = no", ""), ("{ 0x6F, 0x07, 0x84, 0x05,\n  0xA0, 0x00, 0x00, 0x00, 0x03 };", "data"),
        ("00000000: 6f07 8405 a000 0000 03                   o........", "data"),
        ("00000000  6f 07 84 05 a0 00 00 00  03                       |o........|\n00000009\n", "data"),
        (
            """
            00000000: 6f12 8410 3150 4159 2e53 5953 2e44 4446  o...1PAY.SYS.DDF
            00000010: 3031 0102                                01..
            """,
            "data"
        ),
        ("\u{FEFF}6F07\n8405A000000003", "data"),
        ("\u{FFFD}\u{FFFD}6\0F\00\07\08\04\00\05\0A\00\00\00\00\00\00\00\00\03\0", "data"),
        ("\u{FEFF}>> 00B2010C00\n<< 6A83", "log"), ("3B8880010073C8400000900062\n00B2010C00\n6A83", "log"),
        ("FFCA000000\n04A1B2C39000", "log"), ("6F009000\n00B2010C00\n6A83", "log"),
        ("700E5A08\n4761739001010119\n9F360100", "data"),
        ("00B2010C00  6A83\n00B2020C00  6A83", "log"), (#"{"cmd": "00B2010C00", "resp": "6A83"}"#, "log"),
        ("{\"cmd\": \"00B2010C00\", \"resp\": \"6A83\"}\n{\"cmd\": \"00B2020C00\", \"resp\": \"6A83\"}", "log"),
        ("00B2010C00\n6A83\n00820000AE7D\n6D00", "log"), (#"{"format": "emv-trace/1", "a": "00B2010C00""#, ""),
    ])
    func dataAndLogsAreReadAsTheyAreCopied(_ text: String, _ kind: String) throws {
        let answer = try Self.answer("read", ["text": text])
        #expect(answer["kind"] as? String ?? "" == kind, "\(answer)")
        guard kind == "data" else { return }
        let tags = try #require(answer["objects"] as? [[String: Any]]).compactMap { $0["tag"] as? String }
        #expect(tags.first == "6F" || tags.first == "70")
        #expect(answer["fault"] is NSNull)
    }

    /// A value after its name or its tag has that tag.
    @Test(arguments: [
        ("IAD: 06 01 0A 03 A0 00 00", "9F10=06010A03A00000"), ("95: 8000048000\n82: 1980", "95=8000048000 82=1980"),
        ("9F34: 1F0302 (CVM Results)", "9F34=1F0302"), ("Terminal:\n9A: 261121", "9A=261121"),
        ("Tag 9F27 = 00", "9F27=00"), ("TVR (95): 80 00 04 80 00", "95=8000048000"),
        ("9F36: 02 0015", "9F36=0015"), ("0x9F02 amount: 000000001250", "9F02=000000001250"),
        ("TVR 8000048000", "95=8000048000"), ("AIP 1980\nAFL 08010100", "82=1980 94=08010100"),
        ("9F02 000000001250\n5F2A 0978", "9F02=000000001250 5F2A=0978"), ("9F36 020015", "9F36=0015"),
        ("6F: 8407A0000000031010", "6F="), ("5A: 476173******0119", "5A=476173******0119"),
        ("5A08476173******0119", "5A=476173******0119"), ("5A 08 47 61 73 -- -- -- 01 19", "5A=476173******0119"),
        ("5A08476173\u{2022}\u{2022}\u{2022}\u{2022}\u{2022}\u{2022}0119", "5A=476173******0119"),
    ])
    func aLabelledValueIsData(_ text: String, _ expected: String) throws {
        let answer = try Self.answer("read", ["text": text])
        let objects = try #require(answer["objects"] as? [[String: Any]], "\(answer)")
        let shown = objects.map { "\($0["tag"] as? String ?? "")=\($0["value"] as? String ?? "")" }
        #expect(shown.joined(separator: " ") == expected)
    }

    /// A status word is explained, alone and in a log; GET CHALLENGE returns no objects.
    @Test(arguments: [
        ("6985", ["status word 6985: conditions of use not satisfied"]), ("63C2", ["status word 63C2: 2 tries left"]),
        ("> 00B2010C00\n< 6985", ["      status word 6985: conditions of use not satisfied"]),
        ("> 0084000008\n< 70064A2B3C4D5E6F 9000", ["  < 70064A2B3C4D5E6F9000"]),
    ])
    func aStatusWordHasItsMeaning(_ text: String, _ last: [String]) {
        switch PastedText(text) {
        case .log(let log): #expect(Array(log.lines(showsPAN: false).suffix(1)) == last)
        case .data(let bytes, let isMasked):
            #expect(PastedText.tree(bytes, isMasked: isMasked, showsPAN: false).lines == last)
        default: Issue.record("neither data nor a log")
        }
    }

    /// Commands of issuer scripts have names, and the card's own name of its application is used.
    @Test func aLogNamesItsCommands() throws {
        let text = ">> 8416000000\n<< 9000\n>> 8418000000\n<< 9000\n>> 841E000000\n<< 9000\n"
        let select = ">> 00A4040005D999999999\n<< 6F098407A00000006510109000\n>> 80A8000002830000\n<< 800218809000"
        guard case .log(let log) = PastedText(text + select) else {
            Issue.record("no log")
            return
        }
        let lines = log.lines(showsPAN: false)
        for name in ["CARD BLOCK", "APPLICATION UNBLOCK", "APPLICATION BLOCK", "byte 2 bit 8: EMV mode supported"] {
            #expect(lines.contains { $0.hasSuffix(name) }, "\(lines)")
        }
    }

    /// An unreadable line is a separate row in its place; an answer without a status word is shown without one.
    @Test func aLineThatDoesNotReadIsARow() throws {
        let text = ">> 00B2010C00\n<< 6A83\n>> 00B2020C0\n>> 80CA9F3600\n<< 77059F36020001"
        let rows = try #require(try Self.answer("read", ["text": text])["exchanges"] as? [[String: Any]])
        #expect(rows.map { $0["line"] as? Int } == [1, 3, 4])
        #expect(rows[1]["command"] is NSNull && rows[1]["response"] is NSNull)
        #expect(rows[1]["remarks"] as? [String] == ["an odd number of hex digits, expected pairs"])
        let response = try #require(rows[2]["response"] as? [String: Any])
        #expect(response["status"] is NSNull && response["hex"] as? String == "77059F36020001")
        #expect(rows[2]["remarks"] as? [String] == ["the log gives no status word"])
    }

    /// A pass wallet answers in NDEF: its records are nodes of the tree.
    @Test func recordsOfAWalletAreNodes() throws {
        let bundle = "D40316617376D402116C79D9010B01546E0031323334353637383930"
        let records = try #require(try Self.answer("read", ["text": bundle])["records"] as? [[String: Any]])
        #expect(records.map { $0["tag"] as? String } == ["asv"])
        let pass = try #require((records.first?["children"] as? [[String: Any]])?.first)
        let number = try #require((pass["children"] as? [[String: Any]])?.first)
        #expect(number["value"] as? String == "(masked)" && number["masked"] as? Bool == true)
        let log = try Self.answer("read", ["text": ">> 9050000000\n<< \(bundle)9000"])
        let exchange = try #require((log["exchanges"] as? [[String: Any]])?.first?["response"] as? [String: Any])
        #expect((exchange["tree"] as? [[String: Any]])?.map { $0["tag"] as? String } == ["asv"])
        #expect(exchange["fault"] is NSNull)
    }

    @Test func theValuesOfACommandHaveTheirTags() throws {
        let log = """
            >> 00A4040007A000000003101000
            << 6F1A8407A0000000031010A50F500456495341 9F3806 9F0206 9F3704 9000
            >> 80A800000C830A00000000125001020304 00
            << 6985
            """
        let answer = try Self.answer("read", ["text": log])
        let exchanges = try #require(answer["exchanges"] as? [[String: Any]])
        let command = try #require(exchanges.last?["command"] as? [String: Any])
        let tree = try #require(command["tree"] as? [[String: Any]])
        #expect(tree.map { $0["tag"] as? String } == ["9F02", "9F37"])
        #expect(tree.map { $0["value"] as? String } == ["000000001250", "01020304"])
    }

    /// The page and `emv-bench decode` show the objects of a command, and name those that disagree with the card's
    /// list.
    @Test(arguments: [
        (
            ">> 80A8000002830000", "", ["PDOL asks for 10 bytes, the command brings none"]
        ),
        (
            ">> 80A800000A830800000000125001 02 00", "9F02=000000001250",
            ["PDOL asks for 10 bytes, the command brings 8: the data end in 9F37, after 2 of its 4 bytes"]
        ),
        (
            ">> 80A800000D830A00000000125001020304 00", "9F02=000000001250 9F37=01020304",
            ["Lc (the fifth byte) is hex 0D, but the data are 12 bytes (hex 0C)"]
        ),
    ])
    func aCommandThatDisagreesWithItsListSaysSo(command: String, objects: String, remarks: [String]) throws {
        let log = """
            >> 00A4040007A000000003101000
            << 6F1A8407A0000000031010A50F500456495341 9F3806 9F0206 9F3704 9000
            \(command)
            << 6700
            """
        let exchanges = try #require(try Self.answer("read", ["text": log])["exchanges"] as? [[String: Any]])
        let tree = try #require((exchanges.last?["command"] as? [String: Any])?["tree"] as? [[String: Any]])
        let shown = tree.map { "\($0["tag"] as? String ?? "")=\($0["value"] as? String ?? "")" }
        #expect(shown.joined(separator: " ") == objects)
        #expect(exchanges.map { $0["remarks"] as? [String] } == [[], remarks])
        guard case .log(let answer) = PastedText(log) else {
            Issue.record("no log")
            return
        }
        #expect(answer.lines(showsPAN: false).filter { $0.hasPrefix("  ! ") } == remarks.map { "  ! " + $0 })
    }

    /// A record of the transaction log contains values only, in the order of the Log Format (Book 3, annex D).
    @Test func recordsOfATransactionLogHaveTheTagsOfTheirFormat() throws {
        let log = """
            >> 00A4040007A000000003101000
            << 6F168407A0000000031010A50BBF0C08 9F4D020B0A 9F0A00 9000
            >> 00B2015C00
            << 250228000000001250 9000
            >> 80CA9F4F00
            << 9F4F059A039F0206 9000
            """
        let answer = try Self.answer("read", ["text": log])
        let exchanges = try #require(answer["exchanges"] as? [[String: Any]])
        let response = try #require(exchanges[1]["response"] as? [String: Any])
        let tree = try #require(response["tree"] as? [[String: Any]])
        #expect(tree.map { $0["tag"] as? String } == ["9A", "9F02"])
        #expect(response["fault"] is NSNull)
    }

    /// With a 32-bit Int these lengths are negative; the module is tested with them, too.
    @Test(arguments: ["84E090D151", "8484E090D151", "70068484FFFFFFFF"])
    func lengthsFromHalfOfTheRangeAreRefused(_ hex: String) throws {
        #expect(try Self.answer("decode", ["text": hex])["fault"] is [String: Any])
    }

    // MARK: Account numbers in pasted text

    private static let pan = "4761739001010119"

    private static func text(_ answer: [String: Any]) throws -> String {
        String(decoding: try JSONSerialization.data(withJSONObject: answer, options: .sortedKeys), as: UTF8.self)
    }

    /// In an object with another tag, in a command, at a half byte, as characters, in a truncated answer.
    @Test(arguments: [
        ("E1145A08\(pan)C108\(pan)", "data"), ("7F21165A08\(pan)9F7C090\(pan)0", "data"),
        ("E11D5A08\(pan)9F0210\(pan.map { "3\($0)" }.joined())", "data"), ("70815A5711\(pan)D3012201", "data"),
        (">> 80E200000C 7E0A 5A08\(pan) 00\n<< 9000", "log"),
        (">> 80E200000C 7E0A 5A08\(pan) 00\n<< C108\(pan) 9000", "log"),
        (">> 00B2010C00\n<< 70815A5711\(pan)D30122019000\n>> 80DA9F5008\(pan)\n<< 9000", "log"),
        // The card's list requests it.
        (">> 00B2010C00\n<< 70078C055A089F37049000\n>> 80AE80000C \(pan) 01020304 00\n<< 6985", "log"),
        (">> 00B2010C00\n<< 70048C02570D9000\n>> 80AE80000D \(pan)D301220100 00\n<< 6985", "log"),
        // The list is unknown; the number is text; the number is split between two answers.
        (">> 80A800000E830C36004000\(pan)00\n<< 6985", "log"),
        (">> 80AE800012 000000001250 \(pan) 01 D618AA00\n<< 6985", "log"),
        (">> 00D6000010\(pan.map { "3\($0)" }.joined())\n<< 9000", "log"),
        ("DF0210\(pan.map { "3\($0)" }.joined())", "data"), (split, "log"),
    ])
    func nothingThatIsPastedShowsAnAccountNumber(_ text: String, _ kind: String) throws {
        for shows in [false, true] {
            let answer = try Self.answer("read", ["text": text, "showsPAN": shows])
            #expect(answer["kind"] as? String == kind)
            let all = try Self.text(answer)
            let isShown = ["900101", "393030313031"].contains { all.contains($0) }
            #expect(isShown == shows || shows && text.hasPrefix("7081"), "\(all)")
        }
    }

    private static let split =
        ">> 00B2010C00\n<< 7019571347617390 6113\n>> 00C0000013\n<< 01010119D221220100001234500000 5F340101 9000"

    /// Parts of an account number left by a wrong length or split between two answers, and a PIN.
    @Test(arguments: [
        (split, ["010101", "12345", "****D"], ["476173******0119D", "6113", "5F340101"]),
        ("70105A0747617390010101195F24032412319000", ["0101"], ["476173********"]),
        ("5A47\(pan)", ["617390", "0119"], ["**************"]),
        (">> 80AE800013 000000001250 \(pan)D301220112 00\n<< 6985", ["2201"], ["0119D"]),
        // A TTQ and an amount are not account numbers.
        (">> 80A800000C830A36004000000000001250 00\n<< 6985", ["*"], ["36004000000000001250"]),
        (">> 0020008008241234FFFFFFFFFF\n<< 9000", ["1234"], ["0020008008****************"]),
    ])
    func partsOfASecretAreMasked(_ text: String, hidden: [String], shown: [String]) throws {
        let all = try Self.text(Self.answer("read", ["text": text]))
        for part in hidden { #expect(!all.contains(part), "\(all)") }
        for part in shown { #expect(all.contains(part), "\(all)") }
        guard text.contains("00200080") else { return }
        #expect(!(try Self.text(Self.answer("read", ["text": text, "showsPAN": true])).contains("1234")))
    }

    /// Names and the card's certificate are masked in the data view as in a log.
    @Test func theDataViewLeavesOutWhatALogLeavesOut() throws {
        let data = "70135F20044A4F484E9F46045A5A5A5A9F36020015"
        let asked = ">> 00B2010C00\n<< 700B8C095F20049F46049F3602 9000\n>> 80AE80000A 4A4F484E5A5A5A5A0015 00\n<< 6985"
        for (call, text) in [
            ("decode", data), ("read", data), ("read", ">> 00B2010C00\n<< \(data)9000"), ("read", asked),
        ] {
            let hidden = try Self.text(Self.answer(call, ["text": text]))
            #expect(!hidden.contains("4A4F484E") && !hidden.contains("JOHN") && !hidden.contains("5A5A5A5A"))
            #expect(hidden.contains("(masked)") && hidden.contains("0015"))
            let shown = try Self.text(Self.answer(call, ["text": text, "showsPAN": true]))
            #expect(shown.contains("4A4F484E") && shown.contains("5A5A5A5A") && !shown.contains("(masked)"))
        }
    }

    /// Digits of the account number at the end of a truncated answer are not taken for a status word, and do not reach
    /// the Error Indication.
    @Test func digitsInTheStatusWordAreMasked() throws {
        let tap = try Self.answer("tap", ["profile": "online", "amount": "12.50"])
        let pan = try #require(CardProfile.named("online")).application.pan
        let text = try #require(tap["trace"] as? String).replacingOccurrences(of: pan, with: MutatedTrace.marked(pan))
        var trace = try Trace(json: Bytes(text.utf8))
        let digits = try #require(Hex.bytes(String(pan.prefix(6)) + "5792"))
        var cut = 0
        for (place, item) in trace.items.enumerated() {
            guard case .exchange(let command, let response, let elapsed) = item, command[1] == 0xA8,
                let start = response.indices.first(where: { response[$0...].starts(with: digits) })
            else { continue }
            trace.items[place] = .exchange(
                command: command, response: Bytes(response[..<(start + 5)]), elapsed: elapsed)
            cut += 1
        }
        trace.expectation = Trace.Expectation()
        #expect(cut == 1)
        var answer = try Self.answer("replay", ["trace": trace.json])
        let outcome = try #require(answer["outcome"] as? [String: Any])
        #expect((outcome["error"] as? String)?.contains("****") == true)
        answer["transaction"] = nil
        let shown = try Self.text(answer)
        #expect(!shown.contains("5792"), "\(shown)")
    }

    /// Masked digits of a log are read as 0: a date, a code or a track made of them gets no remark.
    @Test func nothingIsSaidOfWhatALogMasks() throws {
        let text = ">> 00B2010C00\n<< 70115F240325XXXX9F1A02XXXX5F2503250101" + "9000"
        let masked = try Self.text(Self.answer("read", ["text": text]))
        #expect(!masked.contains("not a date") && !masked.contains("no country"), "\(masked)")
        let zeros = try Self.text(Self.answer("read", ["text": text.replacingOccurrences(of: "X", with: "0")]))
        #expect(zeros.contains("not a date") && zeros.contains("no country"), "\(zeros)")
    }

    // MARK: Two taps

    /// A tap as a request; the card's part is equal in two of them.
    private static func tap(_ amount: String, _ profile: String = "online") -> [String: Any] {
        ["call": "tap", "profile": profile, "amount": amount, "random": String(repeating: "A5", count: 1024)]
    }

    private static func steps(_ answer: Any?) throws -> [[String: Any]] {
        try #require((answer as? [String: Any])?["steps"] as? [[String: Any]])
    }

    @Test func twoTapsThatAreAlikeDifferInNothing() throws {
        let answer = try Self.answer("compare", ["a": Self.tap("12.50"), "b": Self.tap("12.50")])
        let differences = try Self.steps(answer), count = try Self.steps(answer["a"]).count
        #expect(differences.count > 3 && differences.count == count)
        #expect(differences.allSatisfy { $0["command"] is NSNull && $0["answer"] is NSNull })
        let texts = try ["a", "b"].map { try Self.text(["tap": try #require(answer[$0])]) }
        let areAlike = texts[0] == texts[1]
        #expect(areAlike)
    }

    /// The first difference is the amount's last byte, at its position in the trace.
    @Test func anotherAmountIsTheFirstDifference() throws {
        let answer = try Self.answer("compare", ["a": Self.tap("12.50"), "b": Self.tap("12.51")])
        let places = try Self.steps(answer).map { $0["command"] as? Int }
        let index = try #require(places.firstIndex { $0 != nil })
        let commands = try ["a", "b"].map { side in
            let command = try #require(try Self.steps(answer[side])[index]["command"] as? [String: Any])
            return Self.bytes(command["hex"])
        }
        let place = try #require(places[index])
        #expect(commands[0][place - 1] == 0x50 && commands[1][place - 1] == 0x51)
        #expect(commands[0].prefix(place - 1) == commands[1].prefix(place - 1))
    }

    /// Two cards with equal masks are still different cards.
    @Test func digitsThatBothSidesMaskAreCompared() throws {
        let pan = try #require(CardProfile.named("online")).application.pan
        let trace = try #require(try Self.answer("tap", Self.tap("12.50"))["trace"] as? String)
        let other = String(pan.prefix(7)) + (pan.dropFirst(7).first == "7" ? "8" : "7") + pan.dropFirst(8)
        let changed = trace.replacingOccurrences(of: pan, with: other)
        try #require(changed != trace)
        let sides = [trace, changed].map { ["call": "replay", "trace": $0] }
        let answer = try Self.answer("compare", ["a": sides[0], "b": sides[1]])
        let places = try Self.steps(answer).map { $0["answer"] as? Int }
        let index = try #require(places.firstIndex { $0 != nil })
        let shown = try ["a", "b"].map { try Self.text(try Self.steps(answer[$0])[index]) }
        let isMaskedAlike = shown[0] == shown[1]
        #expect(isMaskedAlike && places[index] != 0)
    }

    @Test(arguments: [
        (#"{"call":"compare","a":{"call":"catalog"},"b":{"call":"catalog"}}"#, "a: expected a request for a tap"),
        (#"{"call":"compare","a":{"call":"scenario","name":"k3-online"},"b":{}}"#, "b: expected a request for a tap"),
        (#"{"call":"compare","a":{"call":"scenario","name":"k3-online"}}"#, "expected the key \"b\""),
        (#"{"call":"compare","a":{"call":"compare"},"b":{"call":"compare"}}"#, "a: expected a request for a tap"),
        (#"{"call":"compare","a":{"call":"scenario","name":"x"},"b":{}}"#, "a.name: expected the name of a scenario"),
    ])
    func whatIsNoTapIsNotCompared(_ request: String, _ expected: String) throws {
        let text = PageEngine.answer(Bytes(request.utf8))
        let answer = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        let error = try #require(answer["error"] as? String)
        #expect(error.contains(expected), "\(error)")
    }

    // MARK: Data that do not come from the card

    /// The issuer's answer and the data that a POS gives the kernel are a tree in their step; no other step has such a
    /// tree.
    @Test(arguments: [
        ("k3-clause-issuer-update-fourth-tap-book", "online", ["8A", "91", "72"]),
        ("k2-clause-det-terminal-type", "data", ["9F35"]),
    ])
    func whatIsGivenIsATree(_ name: String, _ kind: String, _ tags: [String]) throws {
        let trace = String(decoding: IndependentTraces.all.json(name), as: UTF8.self)
        let answer = try Self.answer("replay", ["trace": trace])
        var found = 0
        for step in try Self.steps(answer) {
            let given = step["given"] as? [String: Any]
            #expect((given != nil) == (step["kind"] as? String == kind), "\(step["kind"] ?? "")")
            guard let tree = given?["tree"] as? [[String: Any]] else { continue }
            found += 1
            #expect(tree.map { $0["tag"] as? String ?? "" } == tags)
            #expect((given?["hex"] as? String)?.hasPrefix(tags[0]) == true)
        }
        #expect(found == 1)
    }

    // MARK: Requests

    @Test(arguments: [
        ("{", "request: "), ("[]", "expected an object"), ("{}", "expected the key \"call\""),
        (#"{"call":"pay"}"#, "expected one of \"catalog\""), (#"{"call":"catalog","x":1}"#, "the unknown key \"x\""),
        (#"{"call":"tap","profile":"fdda"}"#, "expected the key \"amount\""),
        (#"{"call":"tap","profile":"nobody","amount":"1.00"}"#, "expected the name of a profile"),
        (#"{"call":"tap","profile":"fdda","amount":"1.005"}"#, "expected an amount"),
        (#"{"call":"tap","profile":"fdda","amount":"1.00","faults":[{"at":1,"kind":"melt"}]}"#, "faults[0].kind"),
        (#"{"call":"tap","profile":"fdda","amount":"1.00","language":"xx"}"#, "language"),
        (#"{"call":"replay","trace":"{}"}"#, "expected the key"), (#"{"call":"decode","text":"4x"}"#, "character 2"),
    ])
    func aRequestThatCannotBeAnsweredSaysWhatWasExpected(_ request: String, _ expected: String) throws {
        let text = PageEngine.answer(Bytes(request.utf8))
        let answer = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        let error = try #require(answer["error"] as? String)
        #expect(error.contains(expected), "\(error)")
    }
}
