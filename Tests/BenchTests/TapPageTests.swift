// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import EMVFormats
import EMVKit
import EMVPage
import EMVSimulator
import Foundation
import Testing

@testable import emv_bench

/// `--html`: the page with a tap in it.
@Suite struct TapPageTests {
    private static let empty = #"<script type="application/json" id="tap"></script>"#

    /// A directory that is removed afterwards.
    private static func inFolder<Result>(_ body: (URL) async throws -> Result) async throws -> Result {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("page-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        return try await body(folder)
    }

    private static func page(in folder: URL, _ text: String = "<html>\n\(empty)\n</html>\n") throws -> String {
        let file = folder.appendingPathComponent("emv.html")
        try Data(text.utf8).write(to: file)
        return file.path
    }

    /// A tap of a simulated card, with its account number.
    private static func tap(named name: String = "tap") throws -> Trace {
        let answer = PageEngine.answer(Bytes(#"{"call":"tap","profile":"fdda","amount":"12.50"}"#.utf8))
        let object = try #require(try JSONSerialization.jsonObject(with: Data(answer.utf8)) as? [String: Any])
        var trace = try Trace(json: Bytes(try #require(object["trace"] as? String).utf8))
        trace.name = name
        return trace
    }

    /// The element's trace, read again.
    private static func inside(_ page: String) throws -> Trace {
        let parts = page.components(separatedBy: #"<script type="application/json" id="tap">"#)
        #expect(parts.count == 2)
        let text = try #require(parts.last?.components(separatedBy: "</script>").first)
        return try Trace(json: Bytes(text.utf8))
    }

    /// A text that looks like the element's end tag does not close it.
    @Test(arguments: ["tap", "</script><script>alert(1)</script>", "<!-- \\u003c & \""])
    func theTraceInThePageIsTheTrace(_ name: String) async throws {
        try await Self.inFolder { folder in
            let trace = try Self.tap(named: name)
            let text = try TapPage(path: Self.page(in: folder)).text(trace)
            #expect(try Self.inside(text) == trace)
            #expect(text.hasPrefix("<html>\n") && text.hasSuffix("\n</html>\n"))
            #expect(text.components(separatedBy: "</script>").count == 2)
        }
    }

    @Test(arguments: [
        "", "<html></html>", "\(empty)\(empty)", #"<script type="application/json" id="tap">{}</script>"#,
    ])
    func onlyThePageWithoutATapIsTaken(_ text: String) async throws {
        try await Self.inFolder { folder in
            let path = try Self.page(in: folder, text)
            #expect(throws: BenchFailure.self) { try TapPage(path: path) }
        }
    }

    @Test func aPageThatWasNotBuiltSaysHowItIsBuilt() async throws {
        try await Self.inFolder { folder in
            let error = #expect(throws: BenchFailure.self) {
                try TapPage(path: folder.appendingPathComponent("none.html").path)
            }
            let text = try #require(error?.description)
            #expect(text.contains("Scripts/web") && text.contains("--page") && !text.contains("\n"))
        }
    }

    @Test(arguments: [false, true])
    func aReplayIsWrittenWithoutTheAccountNumberUnlessItIsAskedFor(_ includesPAN: Bool) async throws {
        try await Self.inFolder { folder in
            let trace = try Self.tap()
            let file = folder.appendingPathComponent("tap.json").path
            try Data(trace.json.utf8).write(to: URL(fileURLWithPath: file))
            let html = folder.appendingPathComponent("tap.html").path
            let page = try Self.page(in: folder)
            let replay = try #require(
                try Replay.parseAsRoot(
                    [file, "--html", html, "--page", page] + (includesPAN ? ["--include-pan"] : [])) as? Replay)
            try await replay.run()
            let written = try Self.inside(String(contentsOfFile: html, encoding: .utf8))
            let report = try TraceReplay(trace, secrets: .simulatorVariableTime).run()
            #expect(written == (includesPAN ? trace : trace.redacted(after: report)))
            #expect(written.recorded == (includesPAN ? nil : Trace.Recorded(report)))
        }
    }

    private static func replay(_ arguments: [String]) throws -> Replay {
        try #require(try Replay.parseAsRoot(arguments) as? Replay)
    }

    /// The trace expects a result that did not occur, and masking changes neither.
    @Test func aTraceThatFailsSaysHowItEndedAndWhatItExpects() async throws {
        try await Self.inFolder { folder in
            var trace = try Self.tap()
            trace.expectation.tap = .declined
            let file = folder.appendingPathComponent("tap.json").path
            try Data(trace.json.utf8).write(to: URL(fileURLWithPath: file))
            let html = folder.appendingPathComponent("tap.html").path
            let replay = try Self.replay([file, "--html", html, "--page", Self.page(in: folder)])
            await #expect(throws: ExitCode(1)) { try await replay.run() }
            let written = try Self.inside(String(contentsOfFile: html, encoding: .utf8))
            #expect(written.expectation.tap == .declined && written.recorded?.tap == .success)
            let difference = ReplayReport.Difference(place: "expect.tap", expected: "declined", found: "success")
            #expect(written.recorded?.differences == [difference])
            #expect(try Trace(json: Array(written.json.utf8)) == written)
            // The page shows the difference, and keeps it when the masked trace is saved again.
            let request = ["call": "replay", "trace": written.json]
            let text = PageEngine.answer(Bytes(try JSONSerialization.data(withJSONObject: request)))
            let answer = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
            let recorded = try #require(answer["recorded"] as? [String: Any])
            #expect(recorded["tap"] as? String == "success")
            #expect((recorded["differences"] as? [[String: String]])?.map { $0["place"] } == ["expect.tap"])
            #expect(try Trace(json: Bytes(try #require(answer["trace"] as? String).utf8)) == written)
        }
    }

    /// One line states the reason, and no page is written.
    @Test func aTraceThatCannotBeReplayedGivesNoPage() async throws {
        try await Self.inFolder { folder in
            var trace = try Self.tap()
            let file = folder.appendingPathComponent("tap.json").path
            trace.configuration.combinations[0].kernel = CombinationKernel(id: 99)
            try Data(trace.json.utf8).write(to: URL(fileURLWithPath: file))
            let html = folder.appendingPathComponent("tap.html").path
            let replay = try Self.replay([file, "--html", html, "--page", Self.page(in: folder)])
            await #expect(throws: ExitCode(2)) { try await replay.run() }
            #expect(!FileManager.default.fileExists(atPath: html))
        }
    }

    /// A page never overwrites an input file.
    @Test func aPageTakesNoOtherFilesPlace() async throws {
        try await Self.inFolder { folder in
            let page = try Self.page(in: folder)
            let file = folder.appendingPathComponent("tap.json").path
            try Data("{}".utf8).write(to: URL(fileURLWithPath: file))
            let link = folder.appendingPathComponent("link").path
            try FileManager.default.linkItem(atPath: page, toPath: link)
            let symbolic = folder.appendingPathComponent("symbolic").path
            try FileManager.default.createSymbolicLink(atPath: symbolic, withDestinationPath: file)
            let other = folder.appendingPathComponent("other.html").path
            for html in [page, link, symbolic, file, folder.path + "/./emv.html"] {
                #expect(throws: (any Error).self, "\(html)") {
                    try Replay.parse([file, "--page", page, "--html", html])
                }
            }
            #expect(throws: Never.self) { try Replay.parse([file, "--page", page, "--html", other]) }
            #expect(throws: (any Error).self) { try Replay.parse([file, "--page", page]) }
            #expect(throws: (any Error).self) { try Replay.parse([file, "--html", TapPage.usualPath]) }
            let amount = ["--amount", "1.00"]
            #expect(throws: (any Error).self) { try Tap.parse(amount + ["--page", page]) }
            for others in [["--page", page, "--html", page], ["--record", other, "--html", other]] {
                #expect(throws: (any Error).self) { try Tap.parse(amount + others) }
            }
            #expect(throws: Never.self) { try Tap.parse(amount + ["--record", file, "--html", other]) }
        }
    }

    @Test func aPageThatCannotBeReadIsNotCalledAbsent() async throws {
        try await Self.inFolder { folder in
            let error = #expect(throws: BenchFailure.self) { try TapPage(path: folder.path) }
            #expect(error?.description.hasSuffix("the page cannot be read") == true)
        }
    }

    @Test func aPageHoldsOneTrace() {
        #expect(throws: (any Error).self) { try Replay.parse(["one.json", "two.json", "--html", "x.html"]) }
        #expect(throws: (any Error).self) { try Replay.parse(["one.json", "--include-pan"]) }
        #expect(throws: (any Error).self) { try Replay.parse(["one.json", "--include-passes"]) }
    }
}
