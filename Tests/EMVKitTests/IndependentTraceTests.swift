// SPDX-License-Identifier: Apache-2.0
import EMVFormats
import EMVKit
import Foundation
import TestData
import TestSecrets
import Testing

/// The secret part of the crypto port in plain C: what computes for Kernel 8 in tests of the default build.
let testSecrets = unsafe withUnsafePointer(to: test_secrets) { unsafe SecretCrypto(table: UnsafeRawPointer($0)) }

/// Replays every trace of Tests/Independent: cards, readers and issuers of another implementation, and readings of
/// single clauses; and the dialogues of the kernels that were written twice. Each is met.
@Suite struct IndependentTraceTests {
    static func trace(_ name: String) throws -> Trace { try Trace(json: IndependentTraces.all.json(name)) }

    /// The dialogues of one file of an independent implementation.
    private static func dialogues(_ file: String) throws -> [Trace] {
        let all = IndependentTraces.dialogues(file)
        return try all.names.map { try Trace(json: all.json($0)) }
    }

    @Test(
        .enabled(if: IndependentTraces.areDialoguesGenerated, "Scripts/independent makes the dialogues"),
        arguments: (4...8).map { "kernel_\($0)" })
    func theDialoguesAreMet(file: String) throws {
        let all = try IndependentTraceTests.dialogues(file)
        #expect(all.count >= 300)
        for trace in all {
            #expect(try TraceReplay(trace, secrets: testSecrets).run().differences == [], "\(trace.name)")
        }
    }

    @Test func theFilesAreComplete() {
        let names = IndependentTraces.all.names
        #expect(names.count >= 332 && Set(names).count == names.count)
        #expect(names.filter { $0.contains("-clause-") }.count >= 42)
    }

    @Test(arguments: IndependentTraces.all.names)
    func theTraceIsMet(_ name: String) throws {
        let report = try TraceReplay(IndependentTraceTests.trace(name), secrets: testSecrets).run()
        #expect(report.differences == [])
    }

    @Test(arguments: IndependentTraces.all.names)
    func theTraceIsWrittenAndReadBack(_ name: String) throws {
        let trace = try IndependentTraceTests.trace(name)
        #expect(try Trace(json: Array(trace.json.utf8)) == trace)
    }
}
