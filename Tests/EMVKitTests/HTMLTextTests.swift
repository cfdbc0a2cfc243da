// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
@testable import EMVKernel
@testable import EMVKit
@testable import EMVPOS

/// Escaping, checked by an independent HTML parser: Python's `html.parser`.
@Suite struct HTMLTextTests {
    /// Prints the tags of a page, and the texts of its `bdi` and `script` elements, as JSON.
    private static let parser = """
        import html.parser, json, sys

        class Page(html.parser.HTMLParser):
            def __init__(self):
                super().__init__()
                self.tags, self.attributes, self.texts, self.inside = {}, [], [], 0
            def handle_starttag(self, tag, attributes):
                self.tags[tag] = self.tags.get(tag, 0) + 1
                self.attributes += [name for name, _ in attributes]
                if tag in ("bdi", "script"):
                    self.texts.append("")
                    self.inside += 1
            def handle_endtag(self, tag):
                self.inside -= tag in ("bdi", "script")
            def handle_data(self, data):
                if self.inside:
                    self.texts[-1] += data

        page = Page()
        page.feed(sys.stdin.buffer.read().decode())
        page.close()
        print(json.dumps({"tags": page.tags, "attributes": sorted(set(page.attributes)), "texts": page.texts}))
        """

    private struct Page: Decodable {
        var tags: [String: Int]
        var attributes: [String]
        var texts: [String]
    }

    /// `nil` if Python is not installed.
    private func parsed(_ html: String) throws -> Page? {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("page.html")
        try Data(html.utf8).write(to: file)
        let process = Process(), output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["python3", "-c", HTMLTextTests.parser]
        process.standardInput = try FileHandle(forReadingFrom: file)
        process.standardOutput = output
        try process.run()
        let text = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus != 127 else {
            #expect(ProcessInfo.processInfo.environment["CI"] == nil, "no python3, which parses the page")
            print("skipped: no python3, which parses the page")
            return nil
        }
        return try JSONDecoder().decode(Page.self, from: text)
    }

    /// Scalars that form one Character with `<`, before and after it: Grapheme_Cluster_Break Prepend; Extend,
    /// SpacingMark and ZWJ.
    private static let joining: (before: [Unicode.Scalar], after: [Unicode.Scalar]) = {
        // No other planes have such scalars (Unicode 16).
        let scalars = [UInt32(0)..<0x20000, 0xE0000..<0xE1000].flatMap { $0.compactMap { Unicode.Scalar($0) } }
        return (
            scalars.filter { "\($0)<".count == 1 }, scalars.filter { $0.value != 0x0A && "<\($0)".count == 1 }
        )
    }()

    @Test("Point 10: no scalar that prepends or extends lets a tag through a receipt's page")
    func noScalarOpensATag() throws {
        let (before, after) = HTMLTextTests.joining
        for value: UInt32 in [0x0600, 0x06DD, 0x0D4E, 0x110BD] { #expect(before.contains { $0.value == value }) }
        for value: UInt32 in [0x0301, 0x0903, 0x200D, 0xFE0F] { #expect(after.contains { $0.value == value }) }
        let hostile =
            before.map { "\($0)</bdi>\($0)<script>alert(1)\($0)</script>\($0)\" a=\($0)'\($0)&lt;" }
            + after.map { "<\($0)/bdi><\($0)script>&\($0)amp;\"\($0)'\($0)" }
        var receipt = ReceiptTests.full()
        receipt.merchant.name = hostile[0]
        receipt.lines = hostile.map { LineItem($0, minorUnits: 1) }
        let html = receipt.html()
        #expect(!html.unicodeScalars.isEmpty && html.contains("</html>"))
        guard let page = try parsed(html) else { return }
        #expect(
            Set(page.tags.keys)
                == ["html", "head", "meta", "title", "body", "table", "tr", "td", "bdi", "hr"])
        #expect(page.attributes.filter { $0.hasPrefix("a") || $0.hasPrefix("on") } == [])
        let shown = Set(page.texts.map { Array($0.unicodeScalars) })
        for text in hostile.map({ PrintableText.undirected($0) }) {
            let scalars = Array(text.unicodeScalars)
            #expect(shown.contains(scalars), "\(scalars.map { String($0.value, radix: 16) })")
        }
    }

    @Test("Point 10: no scalar ends a script element that holds JSON")
    func noScalarEndsAScript() throws {
        let (before, after) = HTMLTextTests.joining
        let strings =
            before.map { "\($0)</script>\($0)<img src=x>" } + after.map { "<\($0)/script><\($0)img>" }
            + ["</script><img src=x>", "<!--<script>"]
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        let json = String(decoding: try encoder.encode(strings), as: UTF8.self)
        let escaped = HTMLText.escaped(json: json)
        #expect(!escaped.unicodeScalars.contains("<"))
        #expect(try JSONDecoder().decode([String].self, from: Data(escaped.utf8)) == strings)
        guard let page = try parsed("<script type=\"application/json\" id=\"tap\">\(escaped)</script><p></p>") else {
            return
        }
        #expect(page.tags == ["script": 1, "p": 1])
        #expect(page.texts.map { Array($0.unicodeScalars) } == [Array(escaped.unicodeScalars)])
    }

    @Test("Point 10: no scalar hides a digit of an account number in a label")
    func noScalarHidesADigit() {
        for scalar in HTMLTextTests.joining.before {
            let label = PrintableText.cleaned(ReceiptTests.pan.map { "\(scalar)\($0)" }.joined())
            #expect(label.unicodeScalars.count { $0.properties.numericType != nil } <= 4, "\(scalar.value)")
        }
    }
}
