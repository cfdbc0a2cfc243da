// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import EMVCards
@testable import EMVSimulator

/// Dialogues of an independent card and reader, opened with the reader's private key: the simulator's channel reads
/// every record, recomputes every MAC and verifies every certificate over P-256.
@Suite struct Kernel8TraceTests {
    @Test func thereAreTraces() { #expect(Kernel8Vectors.traces.count >= 12) }

    @Test(arguments: Kernel8Vectors.traces)
    func aForeignDialogueOpens(name: String) throws {
        let trace = try Kernel8Vectors.trace(name)
        let authority = try #require(trace.authorities.first { $0["suite"] == "10" })
        let point = [UInt8](hex: (authority["x"] ?? "") + (authority["y"] ?? ""))
        var listener = Kernel8Listener(
            scalar: Number256(Array(trace.random.prefix(32))), authority: try #require(P256.Point(point)))
        for exchange in trace.exchanges { listener.hear(exchange.command, exchange.response) }

        let own = try #require(P256.generator.multiplied(by: listener.scalar))
        #expect(Array(listener.pdolValues.prefix(64)) == own.bytes)
        switch name {
        case "k8-iad-mac-differs":
            // The card received other data, so there is no data record.
            #expect(listener.findings == [.authenticationMAC] && trace.data.isEmpty)
            return
        case "k8-tag-mapping":
            #expect(listener.issuerDataMAC.hex == trace.data["DF7E"])
        default:
            #expect(listener.issuerDataMAC.hex == trace.data["9F8109"])
            #expect(listener.issuerData.hex == trace.data["9F10"])
            #expect(listener.objects[0x5A]?.hex == trace.data["5A"])
        }
        // A key that no signed record contains cannot be recovered (C.39).
        #expect(listener.findings == (name == "k8-rsa-no-key-in-signed" ? [.blindingFactor] : []))
    }
}
