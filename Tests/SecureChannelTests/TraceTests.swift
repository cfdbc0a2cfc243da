// SPDX-License-Identifier: Apache-2.0
#if Kernel8
import EMVFormats
import EMVKit
import EMVSecureChannel
import Foundation
import TestData
import Testing

/// The examples and dialogues of Kernel 8's independent implementation, through EMVKit over swift-crypto. What is not
/// met stands in TESTING.md; EMVKitTests replays the same over the test adapter in C.
@Suite struct SecureTraceTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
        "../.."
    )
    .standardizedFileURL

    private static func path(_ file: String) -> String { root.appendingPathComponent(file).path }

    /// Names in the first column of the table under "Independent dialogues".
    private static func exceptions() throws -> Set<String> {
        let text = try String(contentsOfFile: path("TESTING.md"), encoding: .utf8)
        return Set(
            text.split(separator: "\n").filter { $0.hasPrefix("| `k8-") }.compactMap {
                $0.split(separator: "`", omittingEmptySubsequences: false).dropFirst().first.map(String.init)
            })
    }

    private static func isMet(_ trace: Trace) throws -> Bool {
        let replay = try TraceReplay(trace, secrets: .swiftCrypto)
        do throws(ReplayError) {
            return try replay.run().isMet
        } catch {
            guard case .configuration = error else { throw error }
            return false
        }
    }

    @Test(.enabled(if: IndependentTraces.areDialoguesGenerated, "Scripts/independent makes the dialogues"))
    func everyTraceAndDialogueIsMetButThoseListed() throws {
        let sources = [IndependentTraces.file("k8-traces"), .dialogues(kernel: 8)]
        let traces = try sources.flatMap { all in try all.names.map { try Trace(json: all.json($0)) } }
        #expect(traces.count >= 572)
        let unmet = Set(try traces.filter { try !SecureTraceTests.isMet($0) }.map(\.name))
        #expect(try unmet == SecureTraceTests.exceptions())
    }
}
#endif
