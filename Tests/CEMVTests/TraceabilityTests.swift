import Foundation
import Testing

/// CONFORMANCE.md, the rows of the experience: every one has a test that exists, or a reason.
@Suite struct TraceabilityTests {
    private static let expected = [("A", 11), ("B", 11), ("C", 16), ("D", 6), ("E", 15), ("F", 8), ("G", 11), ("H", 17)]
        .flatMap { letter, count in (1...count).map { "\(letter)\($0)" } }

    @Test func everyRowNamesATestThatExists() throws {
        let text = try String(contentsOf: LayeringTests.root.appendingPathComponent("CONFORMANCE.md"), encoding: .utf8)
        let section = try #require(text.components(separatedBy: "## The experience, rows A to H").dropFirst().first)
        let table = section.components(separatedBy: "\n## ")[0].split(separator: "\n").filter { $0.hasPrefix("| ") }.dropFirst()
        let rows = table.map { $0.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) } }
        #expect(rows.map { $0[0] } == TraceabilityTests.expected)
        let files = LayeringTests.files(below: "Tests", ending: ["swift"]) + LayeringTests.files(below: "Examples/TapDemo/Tests", ending: ["swift"])
        let tests = try files.reduce(into: "") {
            $0 += try String(contentsOf: $1, encoding: .utf8)
        }
        for row in rows {
            if row[3] == "–" {
                #expect(row[2].hasPrefix("n/a: "), "\(row[0])")
                continue
            }
            for name in row[3].split(separator: ",") {
                let function = name.trimmingCharacters(in: CharacterSet(charactersIn: " `"))
                #expect(tests.contains("func \(function)("), "\(row[0]): \(function)")
            }
        }
    }
}
