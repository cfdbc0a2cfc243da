// SPDX-License-Identifier: Apache-2.0
#if Kernel8
import EMVFormats
import EMVKit
import EMVSecureChannel
import TestData
import Testing

/// The examples and dialogues of Kernel 8's independent implementation, in EMVKit with swift-crypto. EMVKitTests
/// replays them with the test adapter in C.
@Suite struct SecureTraceTests {
    @Test(.enabled(if: IndependentTraces.areDialoguesGenerated, "Scripts/independent makes the dialogues"))
    func everyTraceAndDialogueIsMet() throws {
        let sources = [IndependentTraces.file("k8-traces"), .dialogues("kernel_8")]
        let traces = try sources.flatMap { all in try all.names.map { try Trace(json: all.json($0)) } }
        #expect(traces.count >= 572)
        for trace in traces {
            #expect(try TraceReplay(trace, secrets: .swiftCrypto).run().differences == [], "\(trace.name)")
        }
    }
}
#endif
