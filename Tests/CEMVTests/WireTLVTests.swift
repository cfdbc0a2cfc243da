// SPDX-License-Identifier: Apache-2.0
import CEMV
import TestData
import Testing

private struct Node {
    var tag: UInt32
    var value: [UInt8]
}

private func tree(_ bytes: [UInt8]) -> (nodes: [Node], error: cemv_wire_error) {
    withGuardedBytes(bytes) { lent in
        var walk = cemv_tlv_walk_open(lent)
        var object = cemv_tlv()
        var depth: UInt8 = 0
        var nodes: [Node] = []
        while cemv_tlv_walk_next(&walk, &object, &depth) {
            nodes.append(Node(tag: object.tag, value: [UInt8](object.value)))
        }
        return (nodes, walk.error)
    }
}

private func check(_ bytes: [UInt8]) -> cemv_wire_error {
    withGuardedBytes(bytes) { cemv_tlv_check($0, nil) }
}

@Suite("TLV vectors of other projects", .enabled(if: hasVectors("tlv.json"), "no third-party vectors"))
struct WireTLVVectorTests {
    private struct Vectors: Decodable {
        struct Entry: Decodable {
            var hex: String
            var mode: String?
            var expect: String
            var query_tag: String?
            var occurrences: Int?
            var decoded: [String: String]?
        }
        var ber: [Entry]
    }

    /// That parser refuses two vectors that are accepted here, because it requires exactly one object. One has no
    /// bytes, which here is an empty list of objects; the other has 00 after the last object, which Book 3, Annex B1
    /// permits.
    private static func isStricterThere(_ entry: Vectors.Entry) -> Bool {
        entry.hex.isEmpty || entry.hex == "6F1A840E315041592E5359532E4444463031A5088801025F2D02656E00"
    }

    @Test func agreesOnAcceptAndReject() throws {
        for entry in try loadVectors("tlv.json", as: Vectors.self).ber where !entry.expect.hasPrefix("see") {
            let accepted = check(hex(entry.hex)) == CEMV_WIRE_OK
            #expect(accepted == (entry.expect == "ok" || Self.isStricterThere(entry)), "\(entry.hex)")
        }
    }

    @Test func agreesOnValues() throws {
        for entry in try loadVectors("tlv.json", as: Vectors.self).ber where entry.expect == "ok" {
            let nodes = tree(hex(entry.hex)).nodes
            if let tag = entry.query_tag.flatMap({ UInt32($0, radix: 16) }), let occurrences = entry.occurrences {
                #expect(nodes.count(where: { $0.tag == tag }) == occurrences, "\(entry.hex)")
            }
            if let decoded = entry.decoded {
                let values = nodes.map { (String($0.tag, radix: 16, uppercase: true), $0.value.hexText) }
                #expect(Dictionary(values, uniquingKeysWith: { $1 }) == decoded, "\(entry.hex)")
            }
        }
    }

    /// Vectors without an expectation are mostly parts of hex dumps: they must only give one answer, and always that
    /// answer.
    @Test func anyVectorGivesADefinedAnswer() throws {
        for entry in try loadVectors("tlv.json", as: Vectors.self).ber {
            #expect(tree(hex(entry.hex)).error == check(hex(entry.hex)), "\(entry.hex)")
        }
    }
}
