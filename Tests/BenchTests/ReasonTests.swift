// SPDX-License-Identifier: Apache-2.0
import EMVKit
import EMVPage
import Foundation
import TestData
import Testing

/// The reasons for the results of taps: the reason table, tested with independent traces.
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

    /// The trace, and the required parts of its sentence.
    private static let sentences: KeyValuePairs<String, [String]> = [
        "ep-no-common-application": ["lists only A0000000041010", "no combination"],
        "ep-ppse-6a82": ["no contactless payment directory", "6A82 to SELECT PPSE"],
        "ep-limit-transaction-equal": ["50.00 EUR", "transaction limit", "no card is asked"],
        "ep-spi-fails": ["6A81 to SEND POI INFORMATION"],
        "k2-gpo-6985": ["fell away", "GET PROCESSING OPTIONS with 6985", "conditions of use"],
        "k2-declined-aac": ["The card itself declined", "9F27 = 00"],
        "k2-declined-cda-over-aac": ["expired", "5F24 is 2025-12-31", "TVR 0040000001 byte 2 bit 7"],
        "k2-cda-static-data": ["card certificate (9F46)", "does not verify", "hash", "signed records"],
        "k2-cda-wrong-signature": ["dynamic signature (9F4B)", "another key"],
        "k2-cda-signature-short": ["dynamic signature (9F4B)", "length is not that of the key"],
        "k2-aac-signature-missing": ["no 9F4B", "AAC"],
        "k2-no-cda-default-tac": ["not performed", "AIP 82 is 1880", "840000000C"],
        "k2-gac-template": ["GENERATE AC begins with", "template 77 or 80"],
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
        "k3-oda-sdad-length": ["dynamic signature (9F4B)", "length is not that of the key"],
        "k3-oda-issuer-identifier": ["issuer certificate (90)", "issuer identifier"],
        "k3-oda-issuer-certificate-expired": ["issuer certificate (90)", "expired"],
        "k3-oda-icc-certificate-expired": ["card certificate (9F46)", "expired"],
        "k3-oda-static-data-changed": ["card certificate (9F46)", "hash"],
        "k3-gpo-empty": ["9000 and no data", "GET PROCESSING OPTIONS"],
        "k3-gpo-6986-one-tap": ["6986", "phone"],
        "k3-gpo-6985-only-application": ["fell away", "6985"],
        "k3-missing-aip": ["82 (AIP)", "missing"],
        "k3-record-truncated": ["not sound TLV"],
        "k3-afl-backwards": ["(94)", "records 2 to 1"],
        "k4-denial-iac": ["expired", "TAC-Denial"],
        "k4-mag-emv-only-reader": ["no common mode"],
        "k4-cda-wrong-tc": ["dynamic signature (9F4B)", "hash"],
        "k5-gac-6984": ["6984", "another interface"],
        "k5-tc-no-cda": ["TC", "without a signature (9F4B)"],
        "k6-cda-format": ["dynamic signature (9F4B)", "format byte"],
        "k6-pdol-without-5f2a": ["PDOL", "5F2A"],
        "k6-declined-aac": ["The card itself declined"],
        "k6-cvm-pin-unsupported-switch": ["no common method"],
        "k7-cdcvm-tc-differs": ["9F6C byte 2 bit 8", "9F69"],
        "k7-fdda-issuer-hash": ["issuer certificate (90)", "does not verify", "hash"],
        "k7-fdda-format": ["dynamic signature (9F4B)", "format byte"],
        "k8-iad-mac-differs": ["MAC"],
        "k8-rsa-no-key-in-signed": ["Local authentication", "9F48", "9F810B", "not signed"],
    ]

    /// A changed trace, and the required parts of its sentence.
    private struct Changed {
        let name: String
        var changes: KeyValuePairs<String, String> = [:]
        /// A command, and its answer.
        var answer: (command: String, text: String)?
        let parts: [String]

        func trace() throws -> String {
            var trace = ReasonTests.trace(name)
            for (old, new) in changes {
                #expect(trace.contains(old), "\(name): \(old)")
                trace = trace.replacingOccurrences(of: old, with: new)
            }
            guard let answer else { return trace }
            let start = try #require(trace.range(of: "\"c\":\"\(answer.command)\",\"r\":\"")).upperBound
            let end = try #require(trace.range(of: "\"", range: start..<trace.endIndex)).lowerBound
            return trace.replacingCharacters(in: start..<end, with: answer.text)
        }
    }

    /// For a Kernel 8 card: the length of its answer to GENERATE AC, and the end of that answer.
    private static let answer8 = (head: "77489F2701409F36020043", tail: "641456720EB586E29000")
    /// For a Kernel 4 card: the bytes after its AIP for mag-stripe mode. The reader supports that mode.
    private static let stripe = (old: "800E18000801010008020200100101009000\"}", reader: "9CE00003")
    private static func magstripe(track2: String, counter: String) -> KeyValuePairs<String, String> {
        func exchange(_ command: String, _ answer: String) -> String { ",{\"c\":\"\(command)\",\"r\":\"\(answer)\"}" }
        let track = "57" + track2, name = "5F200E5445535420434152442F414D4558"
        let size = String((track.count + name.count) / 2, radix: 16, uppercase: true)
        let card =
            "5A08374245001741007F5F24033012315F25032001155F280202765F3401009F0702FF009F080200018E0E00000000000000004203"
            + "1E031F009F420209789F7002FA009F0D05F850ECA0009F0E0500000000009F0F05F078FCF8009F4A01828C039F3704"
        let cardSize = String(card.count / 2, radix: 16, uppercase: true)
        return [
            stripe.reader: "DCE00003",
            stripe.old: "800A180008010100080202009000\"}"
                + exchange("00B2010C00", "70\(size)\(track)\(name)9000")
                + exchange("00B2020C00", "70\(cardSize)\(card)9000") + exchange("80CA9F3600", counter + "9000"),
        ]
    }

    private static let changed = [
        Changed(
            name: "k2-no-cda-default-tac",
            changes: ["\"type\":\"00\"": "\"type\":\"30\"", "97826112100": "97826112130", "[\"00\"": "[\"30\""],
            parts: ["asked the card for a decline", "neither purchase nor cash", "ends the application"]),
        Changed(
            name: "k4-mag-emv-only-reader",
            changes: magstripe(track2: "0C37424500174100D3012201FF", counter: "9F36020001"),
            parts: ["track 2 (57)", "shape"]),
        Changed(
            name: "k4-mag-emv-only-reader",
            changes: magstripe(track2: "13374245001741007D301220110123450000001F", counter: "77059F36020001"),
            parts: ["GET DATA", "9F36", "inside template 77"]),
        Changed(
            name: "k5-online-floor", changes: ["77819C9F270180": "70819C9F270180"],
            parts: ["begins with 70", "demands template 77"]),
        Changed(
            name: "k5-legacy-online", changes: ["80061800100101009000": "8006180010010100DF0101009000"],
            parts: ["DF01", "follows template 80"]),
        Changed(
            name: "k5-legacy-online", changes: ["\"combinationOptions\":\"2300\"": "\"combinationOptions\":\"2200\""],
            parts: ["Legacy Mode only", "does not take"]),
        Changed(
            name: "k5-online-oda-off", changes: ["9F500100": "9F500140"],
            parts: ["9F50 = 40", "not one that the book"]),
        Changed(
            name: "k5-torn-recovered-online",
            changes: [
                "9F380C9F52019F53039F02065F2A029000\"},{\"c\":\"80DF000000\"":
                    "9F380C9F1A029F35019F4E089F41049000\"},{\"c\":\"80DF000000\""
            ], parts: ["came back after the interrupted GENERATE AC", "9F52"]),
        Changed(
            name: "k5-update-gac-no-ac", changes: ["\"8A\":\"3030\",": ""],
            parts: ["no response code (8A)", "nothing is decided"]),
        Changed(
            name: "k6-cvm-signature",
            changes: [
                "6F2E8407A0000001523010A5235008444953434F5645529F38":
                    "6F2E8407A00000015230105008444953434F564552A5199F38"
            ], parts: ["50", "not where it belongs", "A5"]),
        Changed(
            name: "k6-cda-format",
            changes: ["7781AD8202": "7781B88202", "9F360200219F4B": "9F360200219F260801020304050607089F4B"],
            parts: ["with a TC", "9F26 in the clear"]),
        Changed(
            name: "k6-cvm-signature", changes: ["775682021900": "775D8202190094050801010100"],
            parts: ["(94)", "5 bytes", "no multiple of four"]),
        Changed(
            name: "k7-approved-fdda",
            changes: [
                "\"floor\":10000": "\"floor\":0", "8321360040": "8321368040",
                "\"profile\":\"book\"": "\"profile\":\"guarded\"",
            ], parts: ["demanded an online cryptogram", "byte 2 bit 8", "returned a TC"]),
        Changed(
            name: "k7-approved-fdda",
            changes: [
                "\"type\":\"00\"": "\"type\":\"01\"", "9782611210033": "9782611210133",
                "\"profile\":\"book\"": "\"profile\":\"guarded\"",
            ], parts: ["type 01", "not approved offline", "does not cover the type"]),
        Changed(
            name: "k8-cvm-limit-equal", changes: ["BF0C0A9F2C070200FFFF000000": "BF0C0A9F2D070200FFFF000000"],
            parts: ["9F2C missing"]),
        Changed(
            name: "k8-cvm-limit-equal", answer: ("00B2031400", "DA009000"),
            parts: ["Local authentication is not possible", "9F46 (card certificate)", "enciphered", "122, 0"]),
        Changed(
            name: "k8-offline-rsa", answer: ("00B2011400", "DA029F459000"),
            parts: ["does not decipher to sound TLV", "same keys"]),
        Changed(
            name: "k8-cvm-limit-equal",
            changes: [answer8.head: "774C9F2701409F36020043", answer8.tail: "641456720EB586E29F8107009000"],
            parts: ["9F8107", "is empty"]),
        Changed(
            name: "k8-cvm-limit-equal",
            changes: [answer8.head: "774E9F2701409F36020043", answer8.tail: "641456720EB586E2DF81810101009000"],
            parts: ["tag of four bytes", "DF818101"]),
        Changed(
            name: "k8-cvm-limit-equal",
            changes: [
                "8202010A": "8202010C", answer8.head: "774D9F2701409F36020043",
                answer8.tail: "641456720EB586E29F810701199000",
            ], parts: ["9F8107", "25", "past its end"]),
        Changed(
            name: "k8-cvm-limit-equal",
            changes: [
                "\"suite\":\"10\"": "\"suite\":\"11\"",
                "\"sha256\":\"CA476035383B4EB581B33EA14CC794AC327A36D325F99E50798275BDFBD60F8E\",": "",
            ],
            parts: ["Local authentication", "another suite", "counts as missing"]),
    ]

    @Test func aChangedTraceHasItsOwnReason() throws {
        for one in Self.changed {
            let why = try Self.why(one.trace())
            for part in one.parts { #expect(why.sentence.contains(part), "\(one.name): \(why.sentence)") }
            #expect(!why.change.isEmpty, "\(one.name)")
        }
    }

    @Test func theSentenceNamesTheCause() throws {
        for (name, parts) in Self.sentences {
            let why = try Self.why(Self.trace(name))
            for part in parts { #expect(why.sentence.contains(part), "\(name): \(why.sentence)") }
        }
    }

    /// For an unsuccessful result the sentence states the necessary change, and no sentence shows an account number.
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

    /// After Select Next: the outcome is selectionExhausted and its Error Indication zero; the card returned 6985.
    @Test func aStatusWordSurvivesAnEmptyList() throws {
        let why = try Self.why(Self.trace("k3-gpo-6985-only-application"))
        #expect(why.status == "6985 to GET PROCESSING OPTIONS, conditions of use not satisfied")
        #expect(try Self.why(Self.trace("k2-gac-no-atc")).error == ["L2 card data missing"])
    }
}
