// SPDX-License-Identifier: Apache-2.0
import EMVDecoder
import EMVKit
import Foundation
import Testing

/// Logs as programs of the field print them. `Tests/Vectors/logs/shapes.py` writes one dialogue in every shape.
@Suite struct CommandLogTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../Vectors/logs").standardizedFileURL

    private static func text(_ name: String) throws -> String {
        try String(contentsOf: folder.appendingPathComponent(name + ".txt"), encoding: .utf8)
    }

    /// Three commands, each with its answer: the lines of `alternating.txt`.
    private static func dialogue() throws -> [Bytes] {
        try text("alternating").split(separator: "\n").map { try #require(Hex.bytes($0)) }
    }

    private static let shapes = [
        ("alternating", "alternating lines", 0), ("alternating-spaced", "alternating lines", 0),
        ("double-arrows", ">> and <<", 0), ("long-arrows", "arrows", 0), ("c-apdu", "C-APDU and R-APDU", 0),
        ("c-apdu-own-lines", "C-APDU and R-APDU", 0), ("command-response", "commands and answers by their words", 0),
        ("pcsc-spy", "pcsc-spy", 28), ("pcsc-spy-coloured", "pcsc-spy", 28), ("pcscd", "pcscd", 6),
        ("opensc", "OpenSC", 6), ("proxmark-list", "Proxmark trace list", 27),
        ("proxmark-list-chained", "Proxmark trace list", 52), ("proxmark-emv", "Proxmark", 8),
        ("globalplatformpro", "GlobalPlatformPro", 2), ("pyscard", "> and <", 1), ("emv-bench", "> and <", 11),
    ]

    @Test(arguments: shapes)
    func theDialogueIsReadFromEveryShape(name: String, shape: String, skipped: Int) throws {
        var dialogue = try Self.dialogue()
        if name == "emv-bench" {
            // Masked there: digits of the account number and what follows it on the track.
            let hex = Hex.string(dialogue[5]).replacingOccurrences(
                of: "4761739001010119D30122010000012345",
                with: "4761730000000119D00000000000000000")
            dialogue[5] = try #require(Hex.bytes(hex))
        }
        let log = try CommandLog(Self.text(name))
        #expect(log.exchanges.flatMap { [$0.command, $0.response] } == dialogue.map { $0 })
        #expect(log.shape == shape)
        #expect(log.skipped == skipped)
        #expect(log.isMasked == (name == "emv-bench"))
        #expect(log.exchanges.allSatisfy { ($0.milliseconds == 23) == (name == "globalplatformpro") })
        let lines = log.exchanges.map(\.line)
        #expect(lines == lines.sorted() && lines.allSatisfy { $0 >= 1 })
    }

    @Test func everyFileIsRead() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path).filter {
            $0.hasSuffix(".txt")
        }
        #expect(Set(files) == Set(Self.shapes.map { $0.0 + ".txt" }))
    }

    /// What is read of short logs, exchange by exchange; `-` where a side is missing.
    @Test(arguments: [
        ("> 00 A4 04 00 02 3F 00\n< 6A 82", "00A40400023F00 6A82"),
        ("C-APDU: 00B2010C00\nR-APDU: 7003\n5A0100\nSW: 9000", "00B2010C00 70035A01009000"),
        ("R-APDU: 70009000\nSW: 9000", "- 70009000"),
        ("C-APDU: 00B2010C00\nSW: 6A83", "00B2010C00 6A83"),
        ("C-APDU: 00B2010C00 R-APDU: 6A83", "00B2010C00 6A83"),
        (">> 00B2010C00\n>> 00B2020C00\n<< 6A83", "00B2010C00 -, 00B2020C00 6A83"),
        ("tx: 0x00, 0xB2, 0x01, 0x0C, 0x00\nrx: 6a:83", "00B2010C00 6A83"),
        (
            "SCardConnect(\"R\", T=*) -> T=1, 3B8880010073\nA>> T=1 (4+0000) 00B2010C 00\nA<< (0000+2) (7ms) 6A83",
            "00B2010C00 6A83"
        ),
        ("00A40400023F00", "00A40400023F00 -"),
    ])
    func shortLogs(text: String, expected: String) throws {
        let read = try CommandLog(text).exchanges.map { exchange in
            [exchange.command, exchange.response].map { $0.map { Hex.string($0) } ?? "-" }.joined(separator: " ")
        }
        #expect(read.joined(separator: ", ") == expected)
    }

    @Test(arguments: [
        ("", "line 1: nothing that can be read; expected hex, an APDU log or a trace"),
        ("\n\nThe card said no.\n", "line 3: nothing that can be read; expected hex, an APDU log or a trace"),
        ("C-APDU: 00A40400E", "line 1, column 17: an odd number of hex digits, expected pairs"),
        ("9F27018\n", "line 1, column 7: an odd number of hex digits, expected pairs"),
        ("00B2010C00\n1234", "line 2: neither a command nor an answer with its status word; expected them in turn"),
    ])
    func aFaultSaysWhereAndWhatWasExpected(text: String, message: String) {
        let fault = #expect(throws: CommandLog.Fault.self) { try CommandLog(text) }
        #expect(fault?.description == message)
    }

    /// A frame with an error of parity or of its checksum holds nothing; what is left is still read.
    @Test(arguments: [("02  00  a4", "02! 00  a4"), ("02  00  a4", "02  01  a4")])
    func aDamagedFrameIsLeftOut(sound: String, damaged: String) throws {
        let text = try Self.text("proxmark-list").replacingOccurrences(of: sound, with: damaged)
        let exchanges = try CommandLog(text).exchanges
        let dialogue = try Self.dialogue()
        #expect(exchanges.map(\.command) == [nil, dialogue[2], dialogue[4]])
        #expect(exchanges.map(\.response) == [dialogue[1], dialogue[3], dialogue[5]])
    }

    @Test func dataThatLookLikeACommandAreNone() throws {
        #expect(CommandLog.isKnownCommand([0x00, 0xA4, 0x04, 0x00, 0x02, 0x3F, 0x00]))
        #expect(CommandLog.isKnownCommand([0x80, 0xA8, 0x00, 0x00, 0x02, 0x83, 0x00, 0x00]))
        // An object of three bytes, an answer in format 1, an answer to reset, lengths that disagree.
        for bytes: Bytes in [
            [0x9F, 0x36, 0x02, 0x00, 0x15], [0x80, 0x0E, 0x3C, 0x00, 0x08], [0x3B, 0x88, 0x80, 0x01],
            [0x00, 0xA4, 0x04, 0x00, 0x05, 0x3F, 0x00],
        ] { #expect(!CommandLog.isKnownCommand(bytes)) }
    }

    /// Whatever is pasted ends in exchanges or in a fault.
    @Test func damagedLogsNeverTrap() throws {
        let texts = try Self.shapes.map { Array(try Self.text($0.0).utf8) }
        var random = SystemRandomNumberGenerator()
        var read = 0
        for round in 0..<3400 {
            var text = texts[round % texts.count]
            for _ in 0..<Int.random(in: 1...12, using: &random) {
                let at = Int.random(in: 0..<text.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: text[at] = UInt8.random(in: 0...127, using: &random)
                case 1: text.remove(at: at)
                default: text.insert(Array("0A*<>| \n:".utf8).randomElement(using: &random)!, at: at)
                }
            }
            if Bool.random(using: &random) { text.removeLast(Int.random(in: 0..<text.count, using: &random)) }
            if let log = try? CommandLog(String(decoding: text, as: UTF8.self)) {
                read += 1
                #expect(log.exchanges.allSatisfy { $0.command != nil || $0.response != nil })
            }
        }
        #expect(read > 1000)
    }
}
