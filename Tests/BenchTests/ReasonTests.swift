// SPDX-License-Identifier: Apache-2.0
import EMVKit
import EMVPage
import Foundation
import TestData
import Testing

/// Why a tap ended as it did: the reason table, over traces of other authors.
@Suite struct ReasonTests {
    private struct Why {
        let outcome: String
        let sentence: String
        let change: String
        let status: String?
        let error: [String]
    }

    private static func why(_ trace: String) throws -> Why {
        let request = try JSONSerialization.data(withJSONObject: ["call": "replay", "trace": trace])
        let text = PageEngine.answer(Bytes(request))
        let answer = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        let report = try #require(answer["report"] as? [String: Any])
        let replay = try #require((report["replays"] as? [[String: Any]])?.first)
        let why = try #require(replay["why"] as? [String: Any])
        return Why(
            outcome: try #require(replay["outcome"] as? String), sentence: try #require(why["sentence"] as? String),
            change: try #require(why["change"] as? String), status: why["status"] as? String,
            error: try #require(why["error"] as? [String]))
    }

    private static func trace(_ name: String) -> String {
        String(decoding: IndependentTraces.all.json(name), as: UTF8.self)
    }

    /// The trace, and what its sentence must say.
    private static let sentences: KeyValuePairs<String, [String]> = [
        "ep-no-common-application": ["lists only A0000000041010", "no combination"],
        "ep-ppse-6a82": ["no contactless payment directory", "6A82 to SELECT PPSE"],
        "ep-limit-transaction-equal": ["50.00 EUR", "transaction limit", "no card is asked"],
        "ep-spi-fails": ["6A81 to SEND POI INFORMATION"],
        "k2-gpo-6985": ["fell away", "GET PROCESSING OPTIONS with 6985", "conditions of use"],
        "k2-declined-aac": ["The card itself declined", "9F27 = 00"],
        "k2-declined-cda-over-aac": ["expired", "5F24 is 2025-12-31", "TVR 0040000001 byte 2 bit 7"],
        "k2-cda-static-data": ["9F4B", "does not verify", "hash"],
        "k2-cda-no-tag-list": ["9F4A", "absent"],
        "k2-gac-tc-for-arqc": ["not allowed", "9F27 = 40"],
        "k2-gac-fault": ["did not answer in time during GENERATE AC"],
        "k2-limit-above": ["12.50 EUR", "DF8124"],
        "k2-record-twice": ["5F24", "twice"],
        "k2-rrp-too-fast": ["Relay resistance", "faster"],
        "k2-mag-not-supported": ["mag-stripe mode only", "byte 2 bit 8"],
        "k2-phone-see-phone": ["phone", "tap again"],
        "k3-declined-offline-only-reader": ["ARQC", "offline-only", "TTQ (9F66) byte 1 bit 4"],
        "k3-expired-online-but-offline-only": ["expired", "offline-only"],
        "k3-cvm-reader-supports-none": ["no common method", "200.00 EUR"],
        "k3-oda-unknown-ca": ["no CA key 77"],
        "k3-oda-revoked": ["revocation list"],
        "k3-oda-no-9f69": ["cannot be checked", "9F69"],
        "k3-gpo-6986-one-tap": ["6986", "phone"],
        "k3-gpo-6985-only-application": ["fell away", "6985"],
        "k3-missing-aip": ["82 (AIP)", "missing"],
        "k3-record-truncated": ["not sound TLV"],
        "k3-afl-backwards": ["(94)", "records 2 to 1"],
        "k4-denial-iac": ["expired", "TAC-Denial"],
        "k4-mag-emv-only-reader": ["no common mode"],
        "k5-gac-6984": ["6984", "another interface"],
        "k6-pdol-without-5f2a": ["PDOL", "5F2A"],
        "k6-declined-aac": ["The card itself declined"],
        "k6-cvm-pin-unsupported-switch": ["no common method"],
        "k7-cdcvm-tc-differs": ["9F6C byte 2 bit 8", "9F69"],
        "k7-fdda-issuer-hash": ["does not verify", "hash"],
        "k8-iad-mac-differs": ["MAC"],
    ]

    @Test func theSentenceNamesTheCause() throws {
        for (name, parts) in Self.sentences {
            let why = try Self.why(Self.trace(name))
            for part in parts { #expect(why.sentence.contains(part), "\(name): \(why.sentence)") }
        }
    }

    /// An ending that is no success says what would have to change, and no sentence shows an account number.
    @Test func everyTraceHasASentence() throws {
        let accounts = ["4761739001010119", "5413330089604111", "374245001751006"]
        for name in IndependentTraces.all.names {
            let why = try Self.why(Self.trace(name))
            #expect(why.sentence.hasSuffix("."), "\(name): \(why.sentence)")
            for account in accounts { #expect(!why.sentence.contains(account), "\(name)") }
            let succeeds = ["approved", "onlineRequest", "requestOnlinePIN"].contains(why.outcome)
            let isDone = why.sentence.contains("nothing is decided") || why.sentence.contains("nothing more is decided")
            if !succeeds, !isDone { #expect(!why.change.isEmpty, "\(name): \(why.sentence)") }
        }
    }

    /// Through Select Next: the outcome is selectionExhausted and its Error Indication zero; the card said 6985.
    @Test func aStatusWordSurvivesAnEmptyList() throws {
        let why = try Self.why(Self.trace("k3-gpo-6985-only-application"))
        #expect(why.status == "6985 to GET PROCESSING OPTIONS, conditions of use not satisfied")
        #expect(try Self.why(Self.trace("k2-gac-no-atc")).error == ["L2 card data missing"])
    }
}
