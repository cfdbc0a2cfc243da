// SPDX-License-Identifier: Apache-2.0
import EMVFormats
import EMVKit
import EMVPage
import EMVSimulator
import Foundation
import Testing

@testable import emv_bench

/// `--html`: the page with a tap inside.
@Suite struct TapPageTests {
    private static let empty = #"<script type="application/json" id="tap"></script>"#

    /// A folder that is gone afterwards.
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

    /// What stands in the element, read again.
    private static func inside(_ page: String) throws -> Trace {
        let parts = page.components(separatedBy: #"<script type="application/json" id="tap">"#)
        #expect(parts.count == 2)
        let text = try #require(parts.last?.components(separatedBy: "</script>").first)
        return try Trace(json: Bytes(text.utf8))
    }

    /// A text that would close the element does not.
    @Test(arguments: ["tap", "</script><script>alert(1)</script>", "<!-- \\u003c & \u{2028} \""])
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
            #expect(written == (includesPAN ? trace : trace.redacted()))
        }
    }

    @Test func aPageHoldsOneTrace() {
        #expect(throws: (any Error).self) { try Replay.parse(["one.json", "two.json", "--html", "x.html"]) }
        #expect(throws: (any Error).self) { try Replay.parse(["one.json", "--include-pan"]) }
    }
}
