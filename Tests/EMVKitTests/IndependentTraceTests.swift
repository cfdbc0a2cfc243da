// SPDX-License-Identifier: Apache-2.0
import EMVFormats
import EMVKit
import Foundation
import TestData
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

    static func trace(_ name: String) throws -> Trace { try Trace(json: IndependentTraces.all.json(name)) }

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

    /// The dialogues of a kernel's independent implementation.
    private static func dialogues(_ kernel: Int) throws -> [Trace] {
        let all = IndependentTraces.dialogues(kernel: kernel)
        return try all.names.map { try Trace(json: all.json($0)) }
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

    @Test(
        .enabled(if: IndependentTraces.areDialoguesGenerated, "Scripts/independent makes the dialogues"),
        arguments: 4...8)
    func theDialoguesAreMet(kernel: Int) throws {
        let all = try IndependentTraceTests.dialogues(kernel)
        #expect(all.count >= (kernel == 8 ? 560 : 640))
        let unmet = Set(try all.filter { try !IndependentTraceTests.isMet($0) }.map(\.name))
        #expect(unmet.subtracting(IndependentTraceTests.exceptions) == [])
        let own = IndependentTraceTests.exceptions.filter { $0.hasPrefix("k\(kernel)-") }
        #expect(own.subtracting(unmet) == [], "met: remove it from the list in TESTING.md")
    }

    @Test func theFilesAreComplete() {
        let names = IndependentTraces.all.names
        #expect(names.count >= 333 && Set(names).count == names.count)
        #expect(names.filter { $0.contains("-clause-") }.count >= 43)
    }

    @Test(arguments: IndependentTraces.all.names)
    func theTraceIsMet(_ name: String) throws {
        let report = try TraceReplay(IndependentTraceTests.trace(name), secrets: testSecrets).run()
        if IndependentTraceTests.exceptions.contains(name) {
            #expect(!report.isMet, "the trace is met: remove it from the list in TESTING.md")
        } else {
            #expect(report.differences == [])
        }
    }

    @Test(.enabled(if: IndependentTraces.areDialoguesGenerated, "Scripts/independent makes the dialogues"))
    func everyListedTraceExistsOnceWithClauseAndReason() throws {
        let names =
            try IndependentTraces.all.names
            + [4, 5, 6, 7, 8].flatMap { try IndependentTraceTests.dialogues($0).map(\.name) }
        for row in IndependentTraceTests.listed { #expect(row.count == 3, "\(row)") }
        #expect(IndependentTraceTests.exceptions.subtracting(names) == [])
        #expect(IndependentTraceTests.exceptions.count == IndependentTraceTests.listed.count)
    }

    @Test(arguments: IndependentTraces.all.names)
    func theTraceIsWrittenAndReadBack(_ name: String) throws {
        let trace = try IndependentTraceTests.trace(name)
        #expect(try Trace(json: Array(trace.json.utf8)) == trace)
    }
}
