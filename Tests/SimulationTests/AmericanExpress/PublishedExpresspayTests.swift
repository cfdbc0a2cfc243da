// SPDX-License-Identifier: Apache-2.0
import EMVKit
import Foundation
import Testing

@testable import EMVCards
@testable import EMVSimulator

/// A published dialogue of a phone in mag-stripe mode, with its certificates. It is read from the third-party vectors
/// and never copied.
@Suite struct PublishedExpresspayTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../../shared/vectors").standardizedFileURL
    private static let name = "binaryfoo-amex-expresspay-magstripe-mobile"
    static let exists = FileManager.default.fileExists(atPath: folder.appending(path: "traces.json").path)

    private struct Traces: Decodable {
        struct Exchange: Decodable { let c, r: String? }
        struct Trace: Decodable {
            let id: String
            let exchanges: [Exchange]
        }
        let traces: [Trace]
    }

    private struct Keys: Decodable {
        struct Key: Decodable { let rid, index, modulus, exponent, computed_sha1: String }
        let keys: [Key]
    }

    private static func decoded<Value: Decodable>(_ file: String) throws -> Value {
        try JSONDecoder().decode(Value.self, from: Data(contentsOf: folder.appending(path: file)))
    }

    /// A reader of both modes on a day when card and certificates were valid. The number is November 2012, 24 months
    /// before the effective date.
    private static func session() throws -> KernelSession {
        let keys: Keys = try decoded("capk.json")
        let key = try #require(keys.keys.first { $0.rid == "A000000025" && $0.index == "97" })
        let configuration = Configuration(
            terminal: [
                0x9F1A: [0x02, 0x76], 0x9F33: [0xE0, 0xF8, 0xC8], 0x9F35: [0x22], 0x9F6D: [0xC0],
                0x9F6E: [0xDC, 0xE0, 0x00, 0x03], 0x9F09: [0x00, 0x01],
            ],
            combinations: [
                Combination(
                    aid: [0xA0, 0, 0, 0, 0x25, 0x01],
                    kernel: .americanExpress(.init(discretionaryDataObjectList: [0x95, 0x05])),
                    limits: Limits(transaction: 30_000, floor: 10_000, cvmRequired: 5_000))
            ],
            caKeys: [
                CAKey(
                    rid: [0xA0, 0, 0, 0, 0x25], index: 0x97, exponent: 3, modulus: [UInt8](hex: key.modulus),
                    sha1: [UInt8](hex: key.computed_sha1), expires: nil)
            ],
            protection: Protection(profile: .book))
        return try KernelSession(
            CheckedConfiguration(configuration),
            Transaction(
                amount: 100, currency: 978, date: CalendarDate(year: 2015, month: 6, day: 15)!, time: .midnight,
                random: .fixed([0x00, 0x00, 0x00, 0x18])))
    }

    /// Every command equals the published one; `change` alters the answers by number.
    private static func outcome(_ change: (Int, inout [UInt8]) -> Void = { _, _ in }) throws -> Outcome {
        let all: Traces = try decoded("traces.json")
        let exchanges = try #require(all.traces.first { $0.id == name }).exchanges
        var session = try session()
        var next = 0
        while session.kind != .done, session.kind != .parked, next <= exchanges.count {
            switch session.kind {
            case .poll: session.advance(.card)
            case .work: session.advance(.carryOn)
            case .send:
                try #require(next < exchanges.count)
                #expect(session.command == [UInt8](hex: exchanges[next].c ?? ""), "command \(next + 1)")
                var response = [UInt8](hex: exchanges[next].r ?? "")
                change(next, &response)
                next += 1
                session.advance(.response(response, elapsed: .milliseconds(8)))
            default: throw Unexpected()
            }
        }
        #expect(next == exchanges.count)
        return session.outcome
    }

    /// The session's next step has no answer in the dialogue.
    private struct Unexpected: Error {}

    @Test(.enabled(if: exists, "no third-party vectors")) func publishedTracesReplay() throws {
        let outcome = try Self.outcome()
        #expect(outcome.status == .onlineRequest && outcome.cvm == .none)
        #expect(outcome.findings.isDisjoint(with: [.odaTamper, .caKeyMissing]))
        #expect(outcome.discretionary?[0x95] == [0, 0, 0, 0, 0])
        let record = try #require(outcome.dataRecord)
        #expect(
            String(decoding: try #require(record[0x9F6B]), as: UTF8.self) == ";374245455400001=161172610113889000035?")
        // It goes online only because of the signature: one wrong bit in the signature, or in the data that it covers,
        // leads to a decline.
        for byte in [20, 60, 126, 134] {
            let changed = try Self.outcome { if $0 == 10 { $1[byte] ^= 0x01 } }
            #expect(changed.status == .declined, "byte \(byte)")
        }
    }
}
