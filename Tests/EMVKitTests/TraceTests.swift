// SPDX-License-Identifier: Apache-2.0
import EMVFormats
import EMVKit
import Foundation
import Testing

/// Replays the trace examples in the directory next to the package, if it exists.
@Suite struct TraceTests {
    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../../shared/vectors/traces").standardizedFileURL

    static var files: [String] {
        let all = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return all.filter { $0.hasSuffix(".json") }.sorted()
    }

    @Test(arguments: TraceTests.files)
    func publishedTraceReplays(_ file: String) throws {
        let trace = try Trace(contentsOf: TraceTests.folder.appendingPathComponent(file).path)
        let report = try TraceReplay(trace).run()
        #expect(report.differences == [])
    }

    @Test(arguments: TraceTests.files)
    func guardedAcceptsWhatTheBookAccepts(_ file: String) throws {
        let trace = try Trace(contentsOf: TraceTests.folder.appendingPathComponent(file).path)
        if let report = try IndependentTraceTests.guardedReport(trace) {
            #expect(IndependentTraceTests.isAccepted(report), "\(report)")
        }
    }

    @Test(arguments: TraceTests.files)
    func writtenTraceReadsBack(_ file: String) throws {
        let trace = try Trace(contentsOf: TraceTests.folder.appendingPathComponent(file).path)
        #expect(try Trace(json: Array(trace.json.utf8)) == trace)
    }

    @Test(arguments: TraceTests.files)
    func redactedTraceHoldsNoAccountNumber(_ file: String) throws {
        let trace = try Trace(contentsOf: TraceTests.folder.appendingPathComponent(file).path)
        #expect(!trace.redacted().json.contains("4761739001010"))
        #expect(trace.redacted().isRedacted)
        #expect(try Trace(json: Array(trace.redacted().json.utf8)) == trace.redacted())
    }

    @Test(.enabled(if: TraceTests.files.contains("k3-gpo-6986-see-phone-cdcvm.json"), "no third-party vectors"))
    func randomBytesThatRunOutAreAnError() throws {
        let path = TraceTests.folder.appendingPathComponent("k3-gpo-6986-see-phone-cdcvm.json").path
        var trace = try Trace(contentsOf: path)
        guard case .fixed(let stream) = trace.transaction.random else { Issue.record("no random bytes"); return }
        trace.transaction.random = .fixed(Array(stream.prefix(7)))
        #expect(throws: ReplayError.randomExhausted) { try TraceReplay(trace).run() }
    }

    @Test(.enabled(if: TraceTests.files.contains("k3-gpo-6986-see-phone-cdcvm.json"), "no third-party vectors"))
    func aTraceThatStopsAtThePhoneSaysSeePhone() throws {
        let path = TraceTests.folder.appendingPathComponent("k3-gpo-6986-see-phone-cdcvm.json").path
        var trace = try Trace(contentsOf: path)
        trace.items = Array(trace.items.prefix { $0 != .tap(2) })
        trace.expectation = Trace.Expectation(tap: .seePhone, outcome: .tryAgain)
        #expect(try TraceReplay(trace).run().tap == .seePhone)
    }

    @Test(arguments: TraceTests.files)
    func aForkAtEveryStepEndsAsTheOriginal(_ file: String) throws {
        let trace = try Trace(contentsOf: TraceTests.folder.appendingPathComponent(file).path)
        let responses = trace.items.compactMap { item -> Reply? in
            switch item {
            case .exchange(_, let response, _): .response(response)
            case .fault(_, let fault): .fault(fault)
            default: nil
            }
        }
        var session = try KernelSession(CheckedConfiguration(trace.configuration), trace.transaction)
        var next = 0
        func reply(_ step: Step) -> Reply? {
            switch step {
            case .poll(let poll): return poll.removalFirst ? .removed : .card
            case .send where next < responses.count:
                next += 1
                return responses[next - 1]
            case .work: return .carryOn
            default: return nil
            }
        }
        while let answer = reply(session.step) {
            var fork = session.fork()
            let ahead = fork.reply(answer)
            let same = session.reply(answer)
            #expect(ahead == same)
        }
    }
}
