// SPDX-License-Identifier: Apache-2.0
import EMVFormats
import EMVKit
import Foundation
import TestSecrets
import Testing

/// The secret part of the crypto port in plain C: what computes for Kernel 8 in tests of the default build.
let testSecrets = unsafe withUnsafePointer(to: test_secrets) { unsafe SecretCrypto(table: UnsafeRawPointer($0)) }

/// Replays every trace of Tests/Independent: cards, readers and issuers of another implementation, readings of single
/// clauses, and the dialogues of the kernels that were written twice. One that is not met stands in TESTING.md with its
/// clause, and leaves that list when it is met.
@Suite struct IndependentTraceTests {
    static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../..")
        .standardizedFileURL

    /// Paths below Tests/Independent.
    static let files: [String] = [
        "traces", "clauses", "kernels/k4", "kernels/k5", "kernels/k6", "kernels/k7", "kernels/k8",
    ].flatMap { folder in
        let all = (try? FileManager.default.contentsOfDirectory(atPath: path(folder))) ?? []
        return all.filter { $0.hasSuffix(".json") }.sorted().map { "\(folder)/\($0)" }
    }

    static func path(_ file: String) -> String { root.appendingPathComponent("Tests/Independent/\(file)").path }

    /// What Scripts/independent generates. Only Scripts/test makes sure that it is there and current.
    static let generated = root.appendingPathComponent(".build-independent")
    static let areGenerated = FileManager.default.fileExists(
        atPath: generated.appendingPathComponent("kernel_8.taps").path)

    static func trace(_ file: String) throws -> Trace { try Trace(contentsOf: path(file)) }

    static func name(_ file: String) -> String { URL(fileURLWithPath: file).deletingPathExtension().lastPathComponent }

    /// Rows of the tables under "Independent traces" and "Independent dialogues" in TESTING.md: the cells of each.
    static let listed: [[String]] = {
        let text = (try? String(contentsOf: root.appendingPathComponent("TESTING.md"), encoding: .utf8)) ?? ""
        let section = text.components(separatedBy: "\n## ").filter { $0.hasPrefix("Independent ") }.joined(
            separator: "\n")
        return section.split(separator: "\n").filter { $0.hasPrefix("| `") }.map { row in
            row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
        }
    }()

    static let exceptions = Set(listed.compactMap { $0.first?.trimmingCharacters(in: CharacterSet(charactersIn: "`")) })

    /// The dialogues of a kernel's independent implementation, one in each line.
    private static func dialogues(_ kernel: Int) throws -> [Trace] {
        let text = try String(contentsOf: generated.appendingPathComponent("kernel_\(kernel).taps"), encoding: .utf8)
        return try text.split(separator: "\n").map { try Trace(json: Array($0.utf8)) }
    }

    /// A transaction that is refused before the tap is not met either.
    private static func isMet(_ trace: Trace) throws -> Bool {
        let replay = try TraceReplay(trace, secrets: testSecrets)
        do throws(ReplayError) {
            return try replay.run().isMet
        } catch {
            guard case .configuration = error else { throw error }
            return false
        }
    }

    @Test(.enabled(if: IndependentTraceTests.areGenerated, "Scripts/independent makes the dialogues"), arguments: 4...8)
    func theDialoguesAreMet(kernel: Int) throws {
        let all = try IndependentTraceTests.dialogues(kernel)
        #expect(all.count >= (kernel == 8 ? 560 : 640))
        let unmet = Set(try all.filter { try !IndependentTraceTests.isMet($0) }.map(\.name))
        #expect(unmet.subtracting(IndependentTraceTests.exceptions) == [])
        let own = IndependentTraceTests.exceptions.filter { $0.hasPrefix("k\(kernel)-") }
        #expect(own.subtracting(unmet) == [], "met: remove it from the list in TESTING.md")
    }

    @Test func theFoldersAreComplete() {
        #expect(IndependentTraceTests.files.filter { $0.hasPrefix("traces/") }.count >= 230)
        #expect(IndependentTraceTests.files.filter { $0.hasPrefix("clauses/") }.count >= 43)
    }

    @Test(arguments: IndependentTraceTests.files)
    func theTraceIsMet(_ file: String) throws {
        let report = try TraceReplay(IndependentTraceTests.trace(file), secrets: testSecrets).run()
        if IndependentTraceTests.exceptions.contains(IndependentTraceTests.name(file)) {
            #expect(!report.isMet, "the trace is met: remove it from the list in TESTING.md")
        } else {
            #expect(report.differences == [])
        }
    }

    @Test(.enabled(if: IndependentTraceTests.areGenerated, "Scripts/independent makes the dialogues"))
    func everyListedTraceExistsOnceWithClauseAndReason() throws {
        let names =
            try IndependentTraceTests.files.map(IndependentTraceTests.name)
            + [4, 5, 6, 7, 8].flatMap { try IndependentTraceTests.dialogues($0).map(\.name) }
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
