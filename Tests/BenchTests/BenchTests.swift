// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestData
import Testing

/// The command line is a contract: these tests run the built program and check what other programs see.
@Suite(.serialized)
struct BenchTests {
    // MARK: Running

    @Test func listsScenarios() throws {
        let run = try Program.run("--list")
        #expect(run.status == 0)
        #expect(run.errors.isEmpty)
        let kernel3 = [
            "k3-online", "k3-fdda", "k3-fdda-max", "k3-decline", "k3-limit", "k3-see-phone", "k3-online-pin",
        ]
        let kernel2 = [
            "k2-cda-online", "k2-cda-offline", "k2-cda-max", "k2-no-cda", "k2-magstripe", "k2-rrp", "k2-torn",
            "k2-phone", "k2-balance",
            "k2-decline", "k2-limit", "k2-online-pin", "k2-ids",
        ]
        for name in kernel3 + kernel2 {
            #expect(run.output.split(separator: "\n").contains { $0.hasPrefix(name + " ") })
        }
    }

    @Test("Without options: 24 lines of at most 79 columns, a row for each scheme, nothing on standard error in a pipe")
    func summarizesInAScreen() throws {
        let run = try Program.run("--taps", "5", "--warmup", "0")
        try #require(run.status == 0, "\(run.errors)")
        let lines = run.output.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        #expect(lines.count <= 24 && lines.allSatisfy { $0.count <= 79 }, "\(run.output)")
        #expect(!run.errors.contains("Tapping"))
        for row in ["Visa", "Visa, signed", "Mastercard", "Amex", "JCB", "Discover", "UnionPay", "Any, C-8"] {
            let columns = lines.first { $0.hasPrefix(row + "  ") }?.dropFirst(14).split(separator: " ") ?? []
            #expect(columns.count == 6 && columns.dropFirst().allSatisfy { Double($0) ?? 1 > 0 }, "\(row): \(columns)")
        }
        #expect(run.output.contains("All 8 ended as they must."))
        #expect(run.output.contains("C allocates nothing") || !run.output.contains("C allocates"))
        let json = try Report(Program.run("--json", "--taps", "2", "--warmup", "0"))
        #expect(Set(json.scenarios.compactMap { $0["name"] as? String }).count == 8 && json.micro.isEmpty)
        #expect(try Program.run("--full", "--scenario", "k3-online").status == 2)
    }

    @Test("The tables of --full fit 100 columns")
    func fitsAHundredColumns() throws {
        let run = try Program.run("--full", "--taps", "2", "--warmup", "0", "--function-time", "2")
        try #require(run.status == 0, "\(run.errors)")
        for line in run.output.split(separator: "\n") { #expect(line.count <= 100, "\(line)") }
        #expect(run.errors.contains("Preparing"))
    }

    @Test func passScenariosSayWhatADialogueCosts() throws {
        let run = try Program.run("--json", "--scenario", "vas-one", "vas-plain-card", "--taps", "10")
        #expect(run.status == 0, "\(run.errors)")
        let object = try #require(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
        let rows = try #require(object["passes"] as? [[String: Any]])
        #expect(rows.compactMap { $0["name"] as? String } == ["vas-plain-card", "vas-one"])
        #expect(rows.compactMap { $0["apdus"] as? Int } == [1, 2])
        let air = rows.compactMap { ($0["airtimeMs"] as? [String: Double])?["106"] }
        #expect(air.count == 2 && air[0] > 2 && air[0] < 3 && air[1] > 15 && air[1] < 25)
        #expect((object["scenarios"] as? [Any])?.isEmpty == true)
    }

    /// At most 40 allocations by our code in each exchange with a wallet, without cryptography, in a build without
    /// optimisation. In optimised builds Scripts/allocations compares the counts of whole dialogues.
    @Test func anExchangeWithAWalletAllocatesAtMost40Times() throws {
        var names = ["vas-plain-card", "vas-one", "vas-two", "vas-none", "vas-locked"]
        #if Loyalty
        names += ["smarttap-one", "smarttap-parts", "smarttap-none", "smarttap-choose", "smarttap-again"]
        #endif
        let run = try Program.run(["--json", "--taps", "3", "--scenario"] + names)
        try #require(run.status == 0, "\(run.errors)")
        let object = try #require(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
        let rows = try #require(object["passes"] as? [[String: Any]])
        #expect(rows.count == names.count)
        for row in rows {
            let name = try #require(row["name"] as? String), exchanges = try #require(row["apdus"] as? Int)
            let count = try #require(row["allocations"])
            // Allocations are not counted with this C library, or under a sanitizer.
            if count is NSNull { continue }
            #expect((count as? Int).map { $0 > 0 && $0 <= 40 * exchanges } == true, "\(name): \(count)")
        }
    }

    /// Each sealed pass of a scenario is opened with its key before a time is reported; without a pass no time is
    /// reported.
    @Test func passScenariosSayWhatOpeningCosts() throws {
        #if Loyalty
        let keys = ["smarttap-one": true, "vas-none": false, "vas-two": false], closed = ["smarttap-one", "vas-two"]
        #else
        let keys = ["vas-none": false, "vas-two": false], closed: [String] = []
        #endif
        let run = try Program.run(["--json", "--taps", "3", "--scenario"] + keys.keys.sorted())
        try #require(run.status == 0, "\(run.errors)")
        let object = try #require(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
        let rows = try #require(object["passes"] as? [[String: Any]])
        #expect(rows.count == keys.count)
        for row in rows {
            let name = try #require(row["name"] as? String)
            let opened = (row["cryptographyNs"] as? [String: Any])?["p50"] as? Int
            #expect(opened.map { $0 > 0 } == (closed.contains(name) ? true : nil), "\(name)")
            let key = (row["keyNs"] as? [String: Any])?["p50"] as? Int
            #expect(key.map { $0 > 0 } == (keys[name] == true ? true : nil), "\(name)")
        }
    }

    @Test func runsEveryScenarioAndFunctionInC() throws {
        let report = try Report(
            Program.run("--full", "--json", "--layer", "c", "--taps", "20", "--warmup", "2", "--function-time", "5"))
        #expect(report.scenarios.count >= 29)
        #expect(
            report.micro.compactMap { $0["name"] as? String } == [
                "tlv-walk-rec180", "tlv-walk-calls-rec180", "tlv-store-rec180", "dol-build", "dataset-extract",
                "rsa-1984-e3", "rsa-1984-e3-prepared",
                "rsa-1984-e65537", "oda-chain-3",
                "sha1-256", "sha256-256",
            ])
        for function in report.micro {
            #expect((function["ns"] as? Double).map { $0 > 0 } == true)
            try expectNoAllocation(function)
        }
        for scenario in report.scenarios {
            try expectNoAllocation(scenario)
            let phases = try #require(scenario["phases"] as? [String: Double])
            #expect(Set(phases.keys) == ["select", "options", "records", "authentication", "decision"])
        }
    }

    @Test(arguments: ["c", "swift", "reader"])
    func writesTheDocumentedKeys(layer: String) throws {
        let report = try Report(
            Program.run(
                "--json", "--layer", layer, "--taps", "5", "--warmup", "0", "--scenario", "k3-online", "k3-see-phone"))
        #expect(report.scenarios.compactMap { $0["name"] as? String } == ["k3-online", "k3-see-phone"])
        #expect(report.micro.isEmpty)
        #expect(report.sessionBytes > 0 && report.sessionBytes <= 8192)
        for scenario in report.scenarios {
            #expect(
                Set(scenario.keys) == [
                    "name", "kernel", "layer", "tap", "outcome", "taps", "ns", "apdus", "bytesSent", "bytesReceived",
                    "allocations", "phases", "airtimeMs", "fewestApdus", "aheadNs", "tariffsMs",
                ])
            #expect(scenario["kernel"] as? String == "k3")
            #expect(scenario["layer"] as? String == layer)
            #expect(scenario["tap"] as? String == "success")
            #expect(scenario["outcome"] as? String == "onlineRequest")
            #expect(scenario["taps"] as? Int == 5)
            let times = try #require(scenario["ns"] as? [String: Int])
            let order = try ["min", "p50", "p90", "p99", "p999", "max"].map { try #require(times[$0]) }
            #expect(times.count == order.count && order == order.sorted())
            let air = try #require(scenario["airtimeMs"] as? [String: Double])
            let rates = try ["106", "424", "848"].map { try #require(air[$0]) }
            #expect(air.count == rates.count && rates == rates.sorted(by: >))
        }
        #expect(report.scenarios[0]["apdus"] as? Int == 3)
        #expect(report.scenarios[1]["apdus"] as? Int == 6)
    }

    /// Every layer ends every Kernel 2 tap as the scenario requires, including relay resistance, lost answers and data
    /// objects.
    @Test(arguments: ["swift", "reader"])
    func runsKernel2InEveryLayer(layer: String) throws {
        let names = [
            "k2-cda-online", "k2-rrp", "k2-torn", "k2-phone", "k2-balance", "k2-limit", "k2-ids", "k2-magstripe",
        ]
        let report = try Report(
            Program.run(["--json", "--layer", layer, "--taps", "3", "--warmup", "1", "--scenario"] + names))
        #expect(Set(report.scenarios.compactMap { $0["name"] as? String }) == Set(names))
        #expect(report.scenarios.allSatisfy { $0["kernel"] as? String == "k2" })
    }

    /// Kernel 8 uses the simulator's port: its scenarios have no C layer, and end as required in the others.
    @Test(arguments: ["swift", "reader"])
    func runsEveryScenarioOfKernel8(layer: String) throws {
        let names = try Program.run("--list").output.split(separator: "\n").filter { $0.hasPrefix("k8-") }
            .map { String($0.prefix { $0 != " " }) }
        #expect(names.count >= 17)
        let report = try Report(
            Program.run(["--json", "--layer", layer, "--taps", "2", "--warmup", "0", "--scenario"] + names))
        #expect(report.scenarios.compactMap { $0["name"] as? String } == names)
        #expect(report.scenarios.allSatisfy { $0["kernel"] as? String == "k8" && $0["layer"] as? String == layer })
        let inC = try Report(
            Program.run(["--json", "--layer", "c", "--taps", "1", "--warmup", "0", "--scenario", "k3-online"] + names))
        #expect(inC.scenarios.compactMap { $0["name"] as? String } == ["k3-online"])
    }

    @Test func replaysTracesOfKernel8() throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("emv-bench-\(UUID().uuidString).json")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data(IndependentTraces.all.json("k8-offline-rsa")).write(to: file)
        let met = try Program.run("replay", file.path)
        #expect(met.status == 0 && met.output.contains(": as expected: success (approved)"))
    }

    /// Air time of `k3-online`, computed by hand: 74 and 162 bytes in six frames, with three additional bytes per
    /// frame, nine bits per byte and two per frame; three delays of 1172 carrier periods and one of 6780.
    @Test func modelsAirTime() throws {
        let report = try Report(
            Program.run("--json", "--layer", "c", "--taps", "1", "--warmup", "0", "--scenario", "k3-online"))
        let scenario = try #require(report.scenarios.first)
        let sent = try #require(scenario["bytesSent"] as? Int)
        let received = try #require(scenario["bytesReceived"] as? Int)
        let air = try #require(scenario["airtimeMs"] as? [String: Double])
        for (rate, periods) in [("106", 128.0), ("424", 32.0), ("848", 16.0)] {
            let bits = Double((sent + received + 6 * 3) * 9 + 6 * 2)
            let expected = (bits * periods + 3 * (1172 + 6780)) / 13560
            #expect(abs(try #require(air[rate]) - expected) < 0.001)
        }
    }

    /// Book A leaves the card half a second minus all known times, for each presentment: no card time is assumed.
    @Test func assumesNoTimeOfACard() throws {
        let report = try Report(
            Program.run(
                "--json", "--layer", "c", "--taps", "1", "--warmup", "0", "--scenario", "k3-online", "k3-see-phone"))
        for (scenario, presentments) in zip(report.scenarios, [1, 2]) {
            let tariffs = try #require(scenario["tariffsMs"] as? [String: [[String: Double]]])
            #expect(Set(tariffs.keys) == ["106", "424", "848"])
            for rate in tariffs.values {
                #expect(rate.count == presentments)
                for parts in rate {
                    #expect(Set(parts.keys) == ["commands", "card", "responses", "reader", "afterLast", "leftToCard"])
                    let whole: Double = parts.values.reduce(0, +)
                    #expect(abs(whole - 500) < 0.01)
                    // Three exchanges, each with the shortest delay of 1172 carrier periods.
                    let delays: Double = 3 * 1172 / 13560
                    let card = try #require(parts["card"])
                    #expect(abs(card - delays) < 0.001)
                }
            }
        }
    }

    /// The reader sends no command that the specifications allow it to omit.
    @Test func sendsNoAvoidableCommand() throws {
        let report = try Report(
            Program.run(
                "--full", "--json", "--layer", "c", "--taps", "1", "--warmup", "0", "--function-time", "0"))
        #expect(report.scenarios.count >= 29 && report.micro.isEmpty)
        for scenario in report.scenarios {
            #expect(scenario["apdus"] as? Int == scenario["fewestApdus"] as? Int, "\(scenario["name"] ?? "")")
        }
    }

    /// The data record, the block that overwrites it, the application name; Kernel 2 adds discretionary data.
    @Test func aTapThroughKernelSessionAllocatesThreeTimes() throws {
        let expected = [
            "k2-cda-online": 5, "k3-online": 3, "k3-fdda": 3, "k4-cda-online": 3, "k5-cda-online": 3, "k6-online": 3,
            "k7-online": 3,
        ]
        let report = try Report(
            Program.run(
                ["--json", "--layer", "swift", "--taps", "3", "--warmup", "0", "--scenario"] + expected.keys.sorted()))
        #expect(report.scenarios.count == expected.count)
        for scenario in report.scenarios {
            let name = try #require(scenario["name"] as? String), count = try #require(scenario["allocations"])
            #expect(count is NSNull || count as? Int == expected[name], "\(name): \(count)")
        }
    }

    @Test func tellsARealChangeFromAFasterMachine() throws {
        let arguments =
            ["--json", "--layer", "c", "--taps", "20", "--warmup", "2", "--scenario"] + [
                "k3-online", "k3-fdda", "k3-decline",
            ]
        let now = try Program.run(arguments)
        var object = try #require(try JSONSerialization.jsonObject(with: Data(now.output.utf8)) as? [String: Any])
        var rows = try #require(object["scenarios"] as? [[String: Any]])
        for index in rows.indices {
            var times = try #require(rows[index]["ns"] as? [String: Any])
            // The earlier times are 0.001 ns for k3-fdda and 1 ns for the others, so only k3-fdda became slower.
            times["min"] = rows[index]["name"] as? String == "k3-fdda" ? 0.001 : 1.0
            rows[index]["ns"] = times
        }
        object["scenarios"] = rows
        let earlier = try Scratch(String(decoding: JSONSerialization.data(withJSONObject: object), as: UTF8.self))
        let run = try Program.run([
            "--layer", "c", "--taps", "20", "--warmup", "2", "--compare", earlier.path, "--scenario", "k3-online",
            "k3-fdda", "k3-decline",
        ])
        #expect(run.status == 1)
        #expect(run.output.split(separator: "\n").contains { $0.hasPrefix("k3-fdda, c") && $0.hasSuffix("SLOWER") })
        #expect(
            try Program.run("--compare", earlier.path + ".absent", "--scenario", "k3-online", "--taps", "1").status == 2
        )
    }

    @Test func writesOnePageForABrowser() throws {
        let page = FileManager.default.temporaryDirectory.appendingPathComponent("emv-bench-\(UUID().uuidString).html")
        defer { try? FileManager.default.removeItem(at: page) }
        #expect(
            try Program.run(
                "--layer", "c", "--taps", "20", "--warmup", "0", "--scenario", "k3-fdda", "--html", page.path
            ).status == 0)
        let html = try String(contentsOf: page, encoding: .utf8)
        #expect(html.hasPrefix("<!DOCTYPE html>") && html.contains("</html>"))
        for part in [
            "id=\"k3-fdda\"", "aria-label=\"timeline\"", "aria-label=\"histogram\"", "aria-label=\"budget\"",
            "READ RECORD",
        ] {
            #expect(html.contains(part))
        }
        #expect(!html.contains("http://") && !html.contains("https://") && !html.contains("<script"))
        #expect(!html.contains("NaN") && !html.contains("nan"))
    }

    @Test func showsNoProgressInAPipe() throws {
        let run = try Program.run("--layer", "c", "--taps", "5", "--warmup", "0", "--scenario", "k3-online")
        #expect(run.status == 0)
        #expect(run.output.contains("k3-online"))
        #expect(!run.output.contains("\u{1B}") && !run.errors.contains("\u{1B}"))
    }

    @Test(arguments: [
        (["--scenario", "k3-onlin"], "did you mean \"k3-online\""),
        (["--scenario", "zzzzzz"], "nothing is named like it"), (["--layer", "java"], "reader"),
        (["--taps", "0"], "--taps"),
        (["--function-time", "60001"], "60000"),
        (["compare"], "did you mean run --compare FILE?"), (["replya", "x"], "did you mean \"replay\"?"),
        (["--taps", "many"], "--taps"), (["--unknown"], "--unknown"), (["replay"], "file"), (["decode"], "hex"),
    ])
    func refusesMistakesInTheCall(arguments: [String], names: String) throws {
        let run = try Program.run(arguments)
        #expect(run.status == 2)
        #expect(run.output.isEmpty)
        #expect(run.errors.contains(names))
    }

    // MARK: Replaying

    @Test func replayEndsWithZeroWhereAllIsMet() throws {
        let file = try Scratch(Traces.noCommonApplication(tap: "unsupportedNetwork"))
        let run = try Program.run("replay", file.path)
        #expect(run.status == 0)
        #expect(run.errors.isEmpty)
        #expect(run.output.contains(": as expected: unsupportedNetwork"))
    }

    @Test("A file that is missing, a folder, a page or another format is named, with the command for it")
    func namesOtherFiles() throws {
        let page = try Scratch("\n<!DOCTYPE html><html></html>")
        let trace = try Scratch(Traces.noCommonApplication(tap: "success"))
        for (arguments, words) in [
            (["replay", page.path], ["no emv-trace/1 (it begins \"<!DOCTYPE html\")", "opens in a browser"]),
            (["replay", "/nonexistent.json"], ["/nonexistent.json: no such file"]),
            (["replay", "/tmp"], ["found a folder"]),
            (["configuration", "check", trace.path], ["is an emv-trace/1", "use replay"]),
            (["configuration", "check", "/nonexistent"], ["/nonexistent: no such file"]),
            (["--compare", page.path, "--taps", "1", "--scenario", "k3-online"], ["expected JSON"]),
        ] {
            let run = try Program.run(arguments)
            #expect(run.status == 2, "\(arguments)")
            for word in words { #expect(run.errors.contains(word), "\(arguments): \(run.errors)") }
        }
    }

    @Test func replayShowsTheFirstDifference() throws {
        let met = try Scratch(Traces.noCommonApplication(tap: "unsupportedNetwork"))
        let missed = try Scratch(Traces.noCommonApplication(tap: "success"))
        let run = try Program.run("replay", met.path, missed.path)
        #expect(run.status == 1)
        #expect(run.output.contains("expect.tap"))
        #expect(run.output.contains("expected  success"))
        #expect(run.output.contains("found     unsupportedNetwork"))
    }

    @Test(arguments: ["{", #"{ "format": "emv-trace/1", "surprise": 1 }"#, #"{ "format": "emv-trace/2" }"#])
    func replayNamesWhatIsUnusable(text: String) throws {
        let met = try Scratch(Traces.noCommonApplication(tap: "unsupportedNetwork"))
        let unusable = try Scratch(text)
        let run = try Program.run("replay", met.path, unusable.path)
        #expect(run.status == 2)
        #expect(run.errors.contains(unusable.path))
        if text.contains("surprise") { #expect(run.errors.contains("surprise")) }
        #expect(try Program.run("replay", unusable.path + ".absent").status == 2)
    }

    @Test func replayTellsItsSteps() throws {
        let file = try Scratch(Traces.noCommonApplication(tap: "unsupportedNetwork"))
        let run = try Program.run("replay", "--steps", file.path)
        #expect(run.status == 0)
        let lines = run.output.split(separator: "\n").map { $0.drop { $0 == " " } }
        let command = try #require(lines.firstIndex { $0.hasPrefix("> 00A40400") })
        #expect(lines[command - 1] == "Entry Point: SELECT PPSE" && lines[command + 1].hasPrefix("< "))
        #expect(lines.contains("outcome: endApplication"))
        let json = try Program.run("replay", "--steps", "--json", file.path)
        let object = try #require(try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any])
        let steps = try #require((object["replays"] as? [[String: Any]])?.first?["steps"] as? [[String: Any]])
        #expect(steps.compactMap { $0["command"] as? String }.count == 1)
        #expect(steps.last?["outcome"] as? String == "endApplication")
        let plain = try Program.run("replay", "--json", file.path)
        #expect(!plain.output.contains("steps"))
    }

    @Test func replayWritesOneObject() throws {
        let missed = try Scratch(Traces.noCommonApplication(tap: "success"))
        let run = try Program.run("replay", "--json", "--taps", "3", missed.path)
        #expect(run.status == 1)
        let object = try #require(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
        let replay = try #require((object["replays"] as? [[String: Any]])?.first)
        #expect(replay["met"] as? Bool == false)
        #expect(replay["tap"] as? String == "unsupportedNetwork")
        let difference = try #require((replay["differences"] as? [[String: String]])?.first)
        #expect(difference == ["place": "expect.tap", "expected": "success", "found": "unsupportedNetwork"])
        #expect((replay["ns"] as? [String: Int])?.count == 6)
    }

    // MARK: Decoding

    @Test func decodeMasksAccountNumbers() throws {
        let track = "57114111111111111111D30122010000012345"
        let run = try Program.run("decode", BenchTests.tree("5A084111111111111111" + track))
        #expect(run.status == 0)
        #expect(!run.output.contains("4111111111111111"))
        #expect(!run.output.contains("30122010000012345"))
        #expect(run.output.contains("411111******1111"))

        let shown = try Program.run("decode", "--show-pan", BenchTests.tree("5A084111111111111111" + track))
        #expect(shown.output.contains("5A Application Primary Account Number (PAN) [8]: 4111111111111111"))
        #expect(shown.output.contains("30122010000012345"))
    }

    /// The command line and the page read and mask equal data.
    @Test func decodeReadsColonsAndMasksNames() throws {
        let run = try Program.run("decode", "70:0e:5f:20:07:54:45:53:54:2f:4d:52:9f:36:00:00")
        #expect(run.status == 0)
        #expect(run.output.contains("5F20 Cardholder Name [7]: (masked)") && !run.output.contains("54455354"))
        let cut = try Program.run("decode", "7081A39F2701805F340101")
        #expect(cut.status == 2 && cut.output.contains("[163, 8 there]") && cut.output.contains("5F34"))
        #expect(cut.errors.contains("byte 2: 70: length 163, only 8 bytes are left"))
    }

    @Test func decodeExplainsBits() throws {
        let run = try Program.run("decode", "9505 8000008000  9F270180", "9F66 04 36004000")
        #expect(run.status == 0)
        #expect(run.output.contains("byte 1 bit 8: offline data authentication was not performed"))
        #expect(run.output.contains("byte 4 bit 8: transaction exceeds floor limit"))
        #expect(run.output.contains("ARQC"))
        #expect(run.output.contains("byte 1 bit 3: online PIN supported"))
    }

    /// The response of a published test card, with its scheme's meaning of every bit, and the message built from it.
    @Test func decodeShowsWhatGoesToTheIssuer() throws {
        let answer =
            "9F2701809F360200419F26084573436B1E4B95DD9F10120110A00009248400000000000000000029FF8407A0000000041010"
        let track = "57105413330000001513D25122010123456F5F340101"
        let run = try Program.run("decode", BenchTests.tree(answer + track))
        #expect(run.status == 0)
        for line in [
            "format: M/Chip 4", "byte 1 bits 6-5: cryptogram of GET PROCESSING OPTIONS or the first GENERATE AC: ARQC",
            "byte 4 bit 3: international transaction", "offline amount 0, consecutive transactions 41",
            "mastercard, EMV mode, arqc",
            "field 2, account number: 541333******1513", "field 14, expiry: ****", "field 22, entry mode: 070",
            "field 23, sequence number: 001",
        ] {
            #expect(run.output.contains(line), "\(line)")
        }
        for secret in ["5413330000001513", "2512", "0123456", "is missing"] { #expect(!run.output.contains(secret)) }
        let amount = try Program.run("decode", BenchTests.tree(answer + track + "9F0206000000001250"))
        #expect(amount.output.contains("field 55: 5F2A is missing"))
        let shown = try Program.run("decode", "--show-pan", BenchTests.tree(answer + track))
        #expect(shown.output.contains("field 35, track 2: 5413330000001513=2512201012345"))
        let visa = try Program.run("decode", BenchTests.tree("8407A00000000310109F100706011103900000"))
        #expect(
            visa.output.contains("format: Visa, format 1")
                && visa.output.contains("session key: none, the card's own key"))
        let unknown = try Program.run("decode", BenchTests.tree("8407A00000000310109F100706011A23804004"))
        #expect(unknown.output.contains("format unknown: a length inside contradicts the format"))
    }

    /// A mag-stripe mode record without an application name: its objects identify the kernel.
    @Test func decodeNamesMagStripeRecordsByKernel2() throws {
        let record = "9F6C0200019F62060000000000389F63060000000003C69F6401039F650200389F660203C69F6701039F680400005E03"
        let size = String(record.count / 2, radix: 16)
        let run = try Program.run("decode", "70" + size + record)
        #expect(run.status == 0)
        for line in [
            "9F6C Mag-stripe Application Version Number (Card) [2]: 0001", "9F63 PUNATC (Track1) [6]",
            "9F66 PUNATC (Track2) [2]: 03C6", "9F67 NATC (Track2) [1]", "9F68 Mag-stripe CVM List [4]",
        ] {
            #expect(run.output.contains(line), "\(line)")
        }
        #expect(!run.output.contains("byte 2 bit 1") && !run.output.contains("unexpected length"))
    }

    /// These tags in the responses of a Visa card, and without an identified scheme.
    @Test func decodeNamesQualifiersByTheScheme() throws {
        let visa = try Program.run("decode", BenchTests.tree("8407A00000000310109F6C0280009F680410F0F000"))
        #expect(visa.output.contains("9F6C Card Transaction Qualifiers (CTQ) [2]: 8000"))
        #expect(visa.output.contains("9F68 Card Additional Processes [4]") && visa.output.contains("byte 1 bit 8"))
        let mastercard = try Program.run("decode", BenchTests.tree("8407A00000000410109F6C0200019F69039F6A04"))
        #expect(mastercard.output.contains("9F6C Mag-stripe Application Version Number (Card)"))
        #expect(mastercard.output.contains("9F69 UDOL [3]: 9F6A04"))
        #expect(mastercard.output.contains("9F6A Unpredictable Number (Numeric) [4]"))
        let unknown = try Program.run("decode", "9F6C028000", "9F6804000000FF")
        #expect(unknown.output.contains("9F6C Card Transaction Qualifiers (CTQ) / Mag-stripe Application Version"))
        #expect(unknown.output.contains("9F68 Mag-stripe CVM List / Card Additional Processes [4]"))
    }

    /// Format 1 responses are split according to their commands.
    @Test(arguments: [
        (
            "800E 1980 08010100 10010301 18010200",
            ["82 Application Interchange Profile", "94 Application File Locator", "[12]"]
        ),
        ("8002 3900", ["  82 Application Interchange Profile (AIP) [2]: 3900"]),
        (
            "800A 11223344 0010 0020 0030",
            ["  DF8302 Device Relay Resistance Entropy [4]: 11223344", "DF8304", "DF8305"]
        ),
        (
            "8012 80 0015 4573436B1E4B95DD 06010A03A0B800 9000",
            [
                "  9F27 Cryptogram Information Data [1]: 80", "ARQC",
                "9F36 Application Transaction Counter (ATC) [2]: 0015",
                "9F26 Application Cryptogram [8]: 4573436B1E4B95DD", "9F10 Issuer Application Data (IAD) [7]",
                "status word 9000",
            ]
        ),
        ("800B 40 0015 4573436B1E4B95DD", ["TC", "9F26 Application Cryptogram [8]"]),
    ])
    func decodeSplitsFormatOne(hex: String, lines: [String]) throws {
        let run = try Program.run("decode", hex)
        #expect(run.status == 0)
        for line in lines { #expect(run.output.contains(line), "\(line)") }
        // A response that is too short for every format is left unsplit.
        let short = try Program.run("decode", "8003 010203")
        #expect(short.output == "80 Response Message Template Format 1 [3]: 010203\n")
    }

    /// The signature of INTERNAL AUTHENTICATE is a single object.
    @Test func decodeTakesALongAnswerInFormatOneForASignature() throws {
        let signed = try Program.run("decode", "808170" + String(repeating: "6A", count: 0x70))
        #expect(signed.output.contains("  9F4B Signed Dynamic Application Data [112]: 6A6A"))
    }

    @Test func decodeReadsStandardInput() throws {
        let run = try Program.run(["decode", "-"], input: BenchTests.tree("9F270140") + "9000\n")
        #expect(run.status == 0)
        #expect(run.output.contains("TC: approved offline"))
        #expect(run.output.contains("status word 9000"))
    }

    @Test(arguments: [
        ("9F27018", "character 7"), ("9F2x0180", "character 4"), ("9F270280", "byte 3"), ("9F2780", "byte 3"),
        ("", "hex"),
    ])
    func decodeSaysWhereInputIsWrong(hex: String, place: String) throws {
        let run = try Program.run("decode", hex)
        #expect(run.status == 2)
        #expect(run.errors.contains(place))
    }

    /// decode reads everything that the page reads: data with colons, a log on standard input and in a file.
    @Test func decodeReadsWhatThePageReads() throws {
        let colons = try Program.run(["decode", "-"], input: "70:03:5f:20:00\n")
        #expect(colons.status == 0 && colons.output.hasPrefix("70 "))
        let name = try Program.run("decode", BenchTests.tree("5F2004544553549F360200019F0B0454455354"))
        #expect(!name.output.contains("54455354") && !name.output.contains("TEST") && name.output.contains("0001"))
        let text = ">> 00B2010C00\n<< 700A5A0847617390010101199000\nC-APDU: 00B2020C0\n>> 00B2030C00\n<< 6A83\n"
        let log = try Program.run(["decode", "-"], input: text)
        #expect(log.status == 0)
        for line in [
            "1. line 1: READ RECORD 1/1", "5A Application Primary Account Number (PAN) [8]: 476173******0119",
            "2. line 3: line not read", "  ! an odd number of hex digits, expected pairs", "3. line 4: READ RECORD 1/3",
            "  < 6A83",
        ] {
            #expect(log.output.contains(line), "\(line)")
        }
        #expect(!log.output.contains("4761739001010119"))
        let folder = try BenchTests.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("tap.log")
        try text.write(to: file, atomically: false, encoding: .utf8)
        #expect(try Program.run("decode", file.path).output == log.output)
        let trace = try Program.run(["decode", "-"], input: #"{"format": "emv-trace/1", "name": "x"}"#)
        #expect(trace.status == 2 && trace.errors.contains("replay"))
    }

    // MARK: Output

    private static let quick = ["--layer", "c", "--taps", "2", "--warmup", "0", "--scenario", "k3-online"]

    /// A directory for one test.
    private static func folder() throws -> URL {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("emv-bench-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        return folder
    }

    @Test(
        .enabled(if: FileManager.default.fileExists(atPath: "/dev/full"), "no /dev/full"),
        arguments: [["--list"], ["decode", "9F270140"], ["--help"]])
    func lostOutputIsAnError(arguments: [String]) throws {
        let run = try Program.shell("exec \"$0\" \"$@\" >/dev/full", arguments)
        #expect(run.status == 2)
        #expect(run.errors.contains("standard output"))
        #expect(try Program.shell("exec \"$0\" \"$@\" >&-", arguments).status == 2)
    }

    /// A program that reads as much as it wants and then exits, like `head`.
    @Test func aReaderThatHasEnoughIsNoError() throws {
        let run = try Program.shell("(trap '' PIPE; sleep 0.3; \"$0\" \"$@\"; echo status $? >&2) | true", ["--list"])
        #expect(run.errors == "status 0")
    }

    @Test func aPageThatDoesNotFitLeavesTheOldOne() throws {
        let folder = try BenchTests.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let page = folder.appendingPathComponent("page.html")
        try "the old page".write(to: page, atomically: false, encoding: .utf8)
        let run = try Program.shell(
            "trap '' XFSZ; ulimit -f 4; exec \"$0\" \"$@\"", BenchTests.quick + ["--html", page.path])
        #expect(run.status == 2)
        #expect(run.errors.contains(page.path) && run.errors.contains("cannot be written"))
        #expect(try String(contentsOf: page, encoding: .utf8) == "the old page")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["page.html"])
        #expect(try Program.run(BenchTests.quick + ["--html", page.path]).status == 0)
        #expect(try String(contentsOf: page, encoding: .utf8).hasPrefix("<!DOCTYPE html>"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["page.html"])
    }

    /// The page is written through a link and keeps the old page's permissions; a device stays a device.
    @Test func aPageKeepsItsPlace() throws {
        let folder = try BenchTests.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let (page, link) = (folder.appendingPathComponent("page.html"), folder.appendingPathComponent("link.html"))
        try "old".write(to: page, atomically: false, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: page.path)
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: page)
        #expect(try Program.run(BenchTests.quick + ["--html", link.path]).status == 0)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link.path) == page.path)
        #expect(try String(contentsOf: page, encoding: .utf8).hasPrefix("<!DOCTYPE html>"))
        #expect(try FileManager.default.attributesOfItem(atPath: page.path)[.posixPermissions] as? Int == 0o640)
        #expect(try Program.run(BenchTests.quick + ["--html", "/dev/null"]).status == 0)
        #expect(
            try FileManager.default.attributesOfItem(atPath: "/dev/null")[.type] as? FileAttributeType
                == .typeCharacterSpecial)
    }

    /// The error comes before any measurement: standard output is empty.
    @Test(arguments: ["--html", "--compare"])
    func pathsAreTriedBeforeTheMeasurement(option: String) throws {
        let folder = try BenchTests.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        for path in [folder.path + "/absent/file", folder.path] {
            let run = try Program.run(BenchTests.quick + [option, path])
            #expect(run.status == 2 && run.output.isEmpty)
            #expect(run.errors.contains(path))
        }
        let scratch = try Scratch("{")
        guard option == "--compare" else { return }
        let run = try Program.run(BenchTests.quick + [option, scratch.path])
        #expect(run.status == 2 && run.output.isEmpty && run.errors.contains(scratch.path + ": expected JSON"))
    }

    @Test func theTraceOfATapIsTriedBeforeTheReader() throws {
        let run = try Program.run("tap", "--amount", "1", "--record", "/no/such/folder/tap.json")
        #expect(run.status == 2)
        #expect(run.errors.contains("/no/such/folder/tap.json: cannot be written"))
    }

    /// The error comes before the search for a reader.
    @Test(arguments: [#""kernel": 9"#, #""kernel": 3, "flor": 1"#])
    func aConfigurationThatCannotBeUsedIsNamed(rest: String) throws {
        let file = try Scratch(
            #"{ "format": "emv-configuration/1", "terminal": { "9F1A": "0276" }, "#
                + #""combinations": [ { "aid": "A0000000031010", \#(rest) } ] }"#
        )
        let run = try Program.run("tap", "--amount", "1", "--config", file.path)
        #expect(run.status == 2)
        #expect(
            run.errors.contains(file.path) && run.errors.contains("combinations[0]")
                && !run.errors.contains("emv-bench readers"))
    }

    @Test func aMistakeInTheCallShowsNoAccountNumber() throws {
        for arguments in [
            ["4761739001010119"], ["tap", "--amount", "4761739001010119x"],
            ["replay", "--taps", "4761739001010119x", "x"],
        ] {
            let run = try Program.run(arguments)
            #expect(run.status == 2 && !run.errors.contains("4761739001010119") && run.errors.contains("(16 digits)"))
        }
    }

    /// Template 77 around data objects of less than 128 bytes.
    private static func tree(_ inner: String) -> String {
        let size = String(inner.count / 2, radix: 16)
        return "77" + (size.count == 1 ? "0" : "") + size + inner
    }

    private func expectNoAllocation(_ row: [String: Any]) throws {
        let count = try #require(row["allocations"])
        #expect(count is NSNull || count as? Int == 0)
    }
}

/// A run as `emv-bench/1` describes it.
private struct Report {
    let scenarios: [[String: Any]]
    let micro: [[String: Any]]
    let sessionBytes: Int

    init(_ run: Program.Result) throws {
        try #require(run.status == 0, "\(run.errors)")
        let object = try #require(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
        try #require(Set(object.keys) == ["format", "scenarios", "passes", "micro", "peers", "session"])
        try #require(object["format"] as? String == "emv-bench/1")
        scenarios = try #require(object["scenarios"] as? [[String: Any]])
        micro = try #require(object["micro"] as? [[String: Any]])
        sessionBytes = try #require((object["session"] as? [String: Int])?["bytes"])
    }
}

private enum Traces {
    /// One SELECT; the card lists an application that the reader does not support.
    static func noCommonApplication(tap: String) -> String {
        """
        { "format": "emv-trace/1",
          "configuration": { "format": "emv-configuration/1",
            "terminal": { "9F1A": "0276", "9F35": "22" },
            "combinations": [ { "aid": "A0000000031010", "kernel": 3, "ttq": "36004000" } ] },
          "transaction": { "type": "00", "amount": 1250, "currency": "0978", "exponent": 2, "date": "2026-11-21",
            "time": "12:00:00", "counter": 1, "random": "0102030405060708" },
          "match": "exact",
          "exchanges": [ { "c": "00A404000E325041592E5359532E444446303100",
            "r": "6F23840E325041592E5359532E4444463031A511BF0C0E610C4F07A00000099910108701019000" } ],
          "expect": { "tap": "\(tap)", "outcome": "endApplication", "apdus": 1 } }
        """
    }
}

/// A file that is removed with its last reference.
private final class Scratch {
    let path: String

    init(_ text: String) throws {
        path = FileManager.default.temporaryDirectory.appendingPathComponent("emv-bench-\(UUID().uuidString).json").path
        try text.write(toFile: path, atomically: true, encoding: .utf8)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }
}

/// The program under test, in the directory of the test bundle.
enum Program {
    struct Result {
        let status: Int32
        let output: String
        let errors: String
    }

    struct Absent: Error, CustomStringConvertible {
        let description = "emv-bench does not stand beside the tests"
    }

    static func run(_ arguments: String...) throws -> Result { try run(arguments) }

    static func run(_ arguments: [String], input: String = "") throws -> Result {
        guard let location else { throw Absent() }
        return try run(location, arguments, input: input)
    }

    private static func run(_ program: URL, _ arguments: [String], input: String) throws -> Result {
        let process = Process()
        let (standardInput, output) = (Pipe(), Pipe())
        let errors = FileManager.default.temporaryDirectory.appendingPathComponent("emv-bench-\(UUID().uuidString).txt")
        try #require(FileManager.default.createFile(atPath: errors.path, contents: nil))
        defer { try? FileManager.default.removeItem(at: errors) }
        process.executableURL = program
        process.arguments = arguments
        process.standardInput = standardInput
        process.standardOutput = output
        process.standardError = try FileHandle(forWritingTo: errors)
        try process.run()
        try standardInput.fileHandleForWriting.write(contentsOf: Data(input.utf8))
        try standardInput.fileHandleForWriting.close()
        let text = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        // A debug build reports on standard error that its figures are meaningless.
        let complaints = try String(contentsOf: errors, encoding: .utf8).split(separator: "\n")
            .filter { !$0.hasPrefix("Note:") }.joined(separator: "\n")
        return Result(
            status: process.terminationStatus, output: String(decoding: text, as: UTF8.self), errors: complaints)
    }

    /// Runs a shell line with the program as `$0`, and with arguments.
    static func shell(_ line: String, _ arguments: [String]) throws -> Result {
        guard let location else { throw Absent() }
        return try run(URL(fileURLWithPath: "/bin/sh"), ["-c", line, location.path] + arguments, input: "")
    }

    private static let location: URL? = {
        var places = Bundle.allBundles.filter { $0.bundleURL.pathExtension == "xctest" }
            .map { $0.bundleURL.deletingLastPathComponent() }
        places += [Bundle.main.executableURL, URL(fileURLWithPath: CommandLine.arguments[0])].compactMap {
            $0?.deletingLastPathComponent()
        }
        places.append(Bundle.main.bundleURL)
        return places.map { $0.appendingPathComponent("emv-bench") }
            .first { FileManager.default.isExecutableFile(atPath: $0.path) }
    }()
}
