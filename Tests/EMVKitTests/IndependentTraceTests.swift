// SPDX-License-Identifier: Apache-2.0
import EMVFormats
import EMVKit
import Foundation
import TestData
import TestSecrets
import Testing

/// The secret part of the crypto port in plain C, which computes for Kernel 8 in tests of the default build.
let testSecrets = unsafe withUnsafePointer(to: test_secrets) { unsafe SecretCrypto(table: UnsafeRawPointer($0)) }

/// Replays every trace of Tests/Independent: cards, readers and issuers of an independent implementation, traces of
/// single clauses, and the dialogues of the kernels that have an independent implementation. Every trace is met.
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

    /// The guarded profile rejects no card that the book profile accepts. Going online instead of approving offline
    /// counts as accepting. The only rejected cards contradict themselves or are in mag-stripe mode with a number too
    /// short to be fresh (A26).
    @Test func guardedAcceptsWhatTheBookAccepts() throws {
        let contradictions: Findings = [.panMismatch, .odaTamper, .rngSuspect]
        var compared = 0
        for name in IndependentTraces.all.names {
            guard let report = try Self.guardedReport(Self.trace(name)) else { continue }
            compared += 1
            let isMagStripe = name.hasPrefix("k2-mag-") || name == "k2-then-k3-mag-limit"
            let contradicts = !report.outcome.findings.isDisjoint(with: contradictions)
            #expect(isMagStripe || contradicts || Self.isAccepted(report), "\(name): \(report)")
        }
        #expect(compared >= 100)
    }

    /// Replays a trace in the guarded profile; nil if the book profile does not accept the card, or the guarded profile
    /// rejects the configuration.
    static func guardedReport(_ trace: Trace) throws -> ReplayReport? {
        var trace = trace
        guard trace.configuration.protection.profile == .book,
            accepts(try TraceReplay(trace, secrets: testSecrets).run().outcome)
        else { return nil }
        trace.configuration.protection.profile = .guarded
        return try? TraceReplay(trace, secrets: testSecrets).run()
    }

    /// The outcome is an approval or an online request, or the differing command requests one of these.
    static func isAccepted(_ report: ReplayReport) -> Bool { accepts(report.outcome) || asksOnline(report) }

    private static func accepts(_ outcome: Outcome) -> Bool {
        [.approved, .onlineRequest, .requestOnlinePIN].contains(outcome.status)
    }

    /// The differing command requests an ARQC.
    private static func asksOnline(_ report: ReplayReport) -> Bool {
        guard let found = report.differences.first?.found, let command = Hex.bytes(found), command.count > 2 else {
            return false
        }
        return command[1] == 0xA8 || command[1] == 0xAE && command[2] & 0xC0 == 0x80
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
