// SPDX-License-Identifier: Apache-2.0
import EMVFormats
import EMVKit
import Foundation
import Testing

/// Replays every trace of Tests/Independent: cards, readers and issuers of another implementation, and readings of single clauses. A trace
/// that is not met stands in TESTING.md with its clause, and leaves that list when it is met.
@Suite struct IndependentTraceTests {
    static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../..")
        .standardizedFileURL

    /// Paths below Tests/Independent.
    static let files: [String] = ["traces", "clauses"].flatMap { folder in
        let all = (try? FileManager.default.contentsOfDirectory(atPath: path(folder))) ?? []
        return all.filter { $0.hasSuffix(".json") }.sorted().map { "\(folder)/\($0)" }
    }

    static func path(_ file: String) -> String { root.appendingPathComponent("Tests/Independent/\(file)").path }

    static func trace(_ file: String) throws -> Trace { try Trace(contentsOf: path(file)) }

    static func name(_ file: String) -> String { URL(fileURLWithPath: file).deletingPathExtension().lastPathComponent }

    /// Rows of the table under "Independent traces" in TESTING.md: the cells of each.
    static let listed: [[String]] = {
        let text = (try? String(contentsOf: root.appendingPathComponent("TESTING.md"), encoding: .utf8)) ?? ""
        let section = text.components(separatedBy: "\n## ").first { $0.hasPrefix("Independent traces\n") } ?? ""
        return section.split(separator: "\n").filter { $0.hasPrefix("| `") }.map { row in
            row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
        }
    }()

    static let exceptions = Set(listed.compactMap { $0.first?.trimmingCharacters(in: CharacterSet(charactersIn: "`")) })

    @Test func bothFoldersAreComplete() {
        #expect(IndependentTraceTests.files.filter { $0.hasPrefix("traces/") }.count >= 230)
        #expect(IndependentTraceTests.files.filter { $0.hasPrefix("clauses/") }.count >= 43)
    }

    @Test(arguments: IndependentTraceTests.files)
    func theTraceIsMet(_ file: String) throws {
        let report = try TraceReplay(IndependentTraceTests.trace(file)).run()
        if IndependentTraceTests.exceptions.contains(IndependentTraceTests.name(file)) {
            #expect(!report.isMet, "the trace is met: remove it from the list in TESTING.md")
        } else {
            #expect(report.differences == [])
        }
    }

    @Test func everyListedTraceExistsOnceWithClauseAndReason() {
        let names = IndependentTraceTests.files.map(IndependentTraceTests.name)
        for row in IndependentTraceTests.listed { #expect(row.count == 3, "\(row)") }
        #expect(IndependentTraceTests.exceptions.subtracting(names) == [])
        #expect(IndependentTraceTests.exceptions.count == IndependentTraceTests.listed.count)
    }

    @Test(arguments: IndependentTraceTests.files)
    func theTraceIsWrittenAndReadBack(_ file: String) throws {
        let trace = try IndependentTraceTests.trace(file)
        #expect(try Trace(json: Array(trace.json.utf8)) == trace)
    }
}
