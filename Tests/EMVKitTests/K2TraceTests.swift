// SPDX-License-Identifier: Apache-2.0
import EMVFormats
import EMVKit
import Foundation
import TestData
import Testing

private enum Dialogues {
    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../../shared/vectors").standardizedFileURL
    static var areThere: Bool {
        FileManager.default.fileExists(atPath: folder.appendingPathComponent("traces.json").path)
    }
}

/// Published dialogues of Mastercard cards, read from a directory next to the package.
@Suite(.enabled(if: Dialogues.areThere, "no third-party vectors")) struct K2TraceTests {
    private struct File: Decodable {
        struct Dialogue: Decodable {
            struct Exchange: Decodable { let c, r: String? }
            let id: String
            let exchanges: [Exchange]
        }
        let traces: [Dialogue]
    }
    private struct Keys: Decodable {
        struct Key: Decodable { let rid, index, modulus, exponent, computed_sha1: String }
        let keys: [Key]
    }

    private static func hex(_ text: String) -> Bytes { EMVKit.Hex.bytes(text.filter { $0 != " " })! }

    private func exchanges(_ id: String) throws -> [Trace.Item] {
        let file = try JSONDecoder().decode(
            File.self, from: Data(contentsOf: Dialogues.folder.appendingPathComponent("traces.json")))
        let dialogue = try #require(file.traces.first { $0.id == id })
        return dialogue.exchanges.map {
            .exchange(command: Self.hex($0.c ?? ""), response: Self.hex($0.r ?? ""), elapsed: nil)
        }
    }

    private func key(_ index: String) throws -> CAKey {
        let file = try JSONDecoder().decode(
            Keys.self, from: Data(contentsOf: Dialogues.folder.appendingPathComponent("capk.json")))
        // Of several keys with one index, the longest verified key is used.
        let key = try #require(
            file.keys.filter { $0.rid == "A000000004" && $0.index == index }.max { $0.modulus.count < $1.modulus.count }
        )
        return CAKey(
            rid: Self.hex(key.rid), index: Self.hex(key.index)[0], exponent: UInt32(key.exponent, radix: 16)!,
            modulus: Self.hex(key.modulus),
            sha1: Self.hex(key.computed_sha1), isTest: true)
    }

    /// A directory with one entry, for dialogues that were published without one.
    private static let directory = Trace.Item.exchange(
        command: hex("00A404000E325041592E5359532E444446303100"),
        response: hex("6F20840E325041592E5359532E4444463031A50EBF0C0B61094F07A0000000041010 9000"), elapsed: nil)

    private func configuration(
        _ terminal: DataObjects, _ data: DataObjects, limits: Limits, keys: [CAKey]
    ) -> Configuration {
        Configuration(
            terminal: terminal,
            combinations: [Combination(aid: Self.hex("A0000000041010"), kernel: 2, limits: limits, data: data)],
            caKeys: keys,
            protection: Protection(profile: .book))
    }

    private func transaction(
        _ amount: UInt64, currency: UInt16 = 978, date: String = "2019-08-19", random: String, data: DataObjects = [:]
    ) -> Transaction {
        let sale = Transaction(
            amount: amount, currency: currency, date: CalendarDate(date)!, time: .midnight,
            random: .fixed(Self.hex(random)))
        return with(sale) { $0.data = data }
    }

    private func datum(_ tag: EMVKit.Tag, _ value: String?) -> Trace.Datum {
        Trace.Datum(tag: tag, value: value.map(Self.hex))
    }

    private func expectMet(_ report: ReplayReport) {
        let differences = report.differences.map(\.description)
        #expect(differences == [])
    }

    /// Every command byte for byte: TC with CDA at an offline-only terminal without relay resistance.
    private func offline() throws -> Trace {
        Trace(
            name: "dhu-mock-msc-offline",
            configuration: configuration(
                [0x9F1A: [0x00, 0x56], 0x9F35: [0x26], 0x9F40: Self.hex("6000F00001")],
                [0xDF8118: [0x60], 0xDF8119: [0x08], 0xDF811B: [0x20], 0xDF811F: [0x08]],
                limits: Limits(transaction: 30_000, floor: 10_000, cvmRequired: 1_000), keys: [try key("F3")]),
            transaction: transaction(1, random: "33BCA47D"), items: try exchanges("dhu-mock-msc-offline"),
            expectation: with(
                Trace.Expectation(
                    tap: .success, outcome: .approved, cvm: Outcome.CVM.none, message: .approved,
                    messages: [.presentCard, .clearDisplay, .approved], apdus: 9,
                    errorIndication: Self.hex("0000000000FF"),
                    data: [
                        datum(0x9F26, "49C27A9F8E4BF538"), datum(0x9F27, "40"), datum(0x9F36, "02E0"),
                        datum(0x95, "0000000001"), datum(0x9F34, "1F0302"),
                        datum(0x9F02, "000000000001"), datum(0x9F37, "33BCA47D"), datum(0x5A, "5413339000001513"),
                        datum(0x5F34, "01"),
                        datum(0x57, "5413339000001513D2012201000000000000"), datum(0x82, "5980"),
                        datum(0x84, "A0000000041010"), datum(0x9F33, "000808"),
                        datum(0x9F10, "2210904203A400000000000000024355FFFF00000000000000FF"),
                        datum(0x50, "4D617374657243617264"), datum(0x9F6B, nil),
                    ])
            ) { $0.discretionary = [datum(0x9F5D, "010100"), datum(0xDF810B, "00"), datum(0x9F42, "0978")] })
    }

    @Test func offlineDialogueReplaysByteForByte() throws {
        let trace = try offline()
        #expect(trace.match == .exact)
        expectMet(try TraceReplay(trace).run())
        let guarded = try #require(try IndependentTraceTests.guardedReport(trace))
        #expect(IndependentTraceTests.isAccepted(guarded), "\(guarded)")
    }

    /// After a change of any byte in the card's records or cryptogram the kernel must not approve.
    @Test func aChangedDialogueIsNotApproved() throws {
        let trace = try offline()
        for (place, item) in trace.items.enumerated() where place >= 3 {
            guard case .exchange(let command, let response, _) = item else { continue }
            for byte in stride(from: 4, to: response.count - 2, by: 7) {
                // Records also hold issuer scripts and the like: bytes that are not signed, or not checked, may change.
                guard place == 3 || place == 8 || [4, 5, 7].contains(place) else { continue }
                var changed = trace
                var bytes = response
                bytes[byte] ^= 0x01
                changed.items[place] = .exchange(command: command, response: bytes, elapsed: nil)
                changed.match = .header
                let report = try TraceReplay(changed).run()
                let unused = place == 5  // SDA, which this kernel does not support
                #expect(report.outcome.status != .approved || unused, "exchange \(place), byte \(byte)")
            }
        }
    }

    @Test func magStripeDialogueReplaysByHeader() throws {
        let trace = Trace(
            name: "dhu-mock-msc-ms-mode",
            configuration: configuration(
                [0x9F1A: [0x00, 0x56], 0x9F35: [0x22]], [0xDF811B: [0x20], 0xDF811E: [0x10], 0xDF812C: [0x00]],
                limits: Limits(transaction: 30_000, floor: 10_000, cvmRequired: 1_000), keys: []),
            // The published terminal used 008 as its number; the digits before it have no meaning.
            transaction: transaction(1500, random: "33BCA47D00000008"), match: .header,
            items: try exchanges("dhu-mock-msc-ms-mode"),
            expectation: with(
                Trace.Expectation(
                    tap: .success, outcome: .onlineRequest, cvm: .signature, messages: [.presentCard, .clearDisplay],
                    apdus: 5,
                    data: [
                        datum(0x9F6B, "5413339000001513D49121019017990086683F"), datum(0x84, "A0000000041010"),
                        datum(0x50, "4D617374657243617264"),
                        datum(0x9F11, "01"), datum(0x9F6D, "0001"), datum(0x56, nil), datum(0x9F26, nil),
                        datum(0x57, nil),
                    ])
            ) {
                $0.discretionary = [
                    datum(0x9F5D, "000000"), datum(0xDF812B, "9000990000000F"), datum(0xDF812A, nil),
                    datum(0xDF8115, "0000000000FF"),
                ]
            })
        expectMet(try TraceReplay(trace).run())
    }

    /// Both tracks, no UDOL, no digit of a number: the Default UDOL asks for eight zeros.
    @Test func magStripeDialogueWithBothTracksReplaysByteForByte() throws {
        let trace = Trace(
            name: "binaryfoo-mastercard-magstripe-ccc",
            configuration: configuration(
                [0x9F1A: [0x00, 0x56], 0x9F35: [0x22]], [0xDF811B: [0x20]], limits: Limits(transaction: 30_000),
                keys: []),
            transaction: transaction(1000, random: "33BCA47D00000008"),
            items: [Self.directory] + (try exchanges("binaryfoo-mastercard-magstripe-ccc")),
            expectation: with(
                Trace.Expectation(
                    tap: .success, outcome: .onlineRequest, cvm: .notApplicable, apdus: 5,
                    data: [
                        datum(0x9F6B, "5413330056003511D1412101067750500F"),
                        datum(
                            0x56,
                            """
                            42353431333333303035363030333531315E4355535420494D50204D43203335312F5E\
                            313431323130313036373735303530 30
                            """
                        ),
                    ])
            ) { $0.discretionary = [datum(0xDF812B, "067750500F"), datum(0xDF812A, "3036373735303530 30")] })
        expectMet(try TraceReplay(trace).run())
    }

    /// Record 3.2 was not published; this kernel needs nothing from it. Every byte is as published except one: the TVR
    /// of that reader did not have relay resistance. The signature covers that TVR, so this kernel refuses it;
    /// `oda.json` verifies it over the published bytes.
    @Test func combinedSignatureDialogueReplaysButForTheTVR() throws {
        var items = [Self.directory] + (try exchanges("binaryfoo-mastercard-mchip-cda-tc"))
        items.insert(.exchange(command: Self.hex("00B2021C00"), response: Self.hex("70009000"), elapsed: nil), at: 5)
        var trace = Trace(
            name: "binaryfoo-mastercard-mchip-cda-tc",
            configuration: configuration(
                [0x9F1A: [0x00, 0x36], 0x9F35: [0x22]],
                [0xDF8118: [0x20], 0xDF8119: [0x08], 0xDF811B: [0x20], 0xDF811F: [0x08]],
                limits: Limits(transaction: 30_000, cvmRequired: 5_000), keys: [try key("EF")]),
            transaction: transaction(10_001, currency: 36, date: "2012-03-15", random: "000EEC85"), items: items)
        guard case .exchange(let published, _, _) = items[8] else { return }
        var ours = published
        #expect(published[19..<24] == [0, 0, 0, 0, 0])
        ours[23] = 0x01
        let difference = try #require(try TraceReplay(trace).run().differences.first)
        #expect(difference.place == "exchanges[8].c")
        #expect(difference.found == EMVKit.Hex.string(ours))
        trace.match = .header
        trace.expectation = Trace.Expectation(
            outcome: .endApplication, apdus: 9, errorIndication: Self.hex("00020000001C"))
        expectMet(try TraceReplay(trace).run())
    }
}
