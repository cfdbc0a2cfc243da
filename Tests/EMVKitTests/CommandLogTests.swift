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
        ("proxmark-list-chained", "Proxmark trace list", 52), ("proxmark-emv", "Proxmark", 5),
        ("globalplatformpro", "GlobalPlatformPro", 2), ("pyscard", "> and <", 1), ("emv-bench", "> and <", 11),
        ("masked-x", "commands and answers by their words", 0),
        ("masked-hash", "commands and answers by their words", 0),
        ("cardpeek", "commands and answers by their words", 2),
        ("cardpeek-cut", "commands and answers by their words", 2),
        ("cardpeek-saved", "commands and answers by their words", 2),
        ("javaemvreader", "commands and answers by their words", 15),
        ("smart-card-shell", "commands and answers by their words", 0),
        ("transceive", "commands and answers by their words", 3), ("libnfc-acr122", "frames of a reader", 0),
        ("libnfc-pcsc", "frames of a reader", 0), ("libnfc-uart", "frames of a reader", 6),
        ("sniffer", "frames of a reader", 5), ("returned", "commands and answers by their words", 0),
        ("send-length", "commands and answers by their words", 6),
        ("named-lengths", "commands and answers by their words", 0),
        ("card-is-c", "commands and answers by their words", 0),
        ("card-receives", "commands and answers by their words", 0),
        ("columns", "commands and answers by their words", 0), ("pairs", "alternating lines", 0),
        ("pairs-semicolon", "alternating lines", 0), ("decimals", "commands and answers by their words", 0),
        ("decimals-signed", "commands and answers by their words", 0), ("json", "JSON", 2), ("json-lines", "JSON", 0),
        ("json-decimals", "JSON", 0), ("c-table", "table of a program", 5), ("fields", "commands by their fields", 6),
        ("db-rows", ">> and <<", 0), ("logcat", "commands and answers by their words", 0),
        ("answer-twice", "Proxmark", 1), ("no-status", "arrows", 0), ("0x", "commands and answers by their words", 0),
        ("colons", "commands and answers by their words", 0),
        ("reader-to-card", "commands and answers by their words", 0),
    ]

    @Test(arguments: shapes)
    func theDialogueIsReadFromEveryShape(name: String, shape: String, skipped: Int) throws {
        var dialogue = try Self.dialogue()
        let isMasked = name == "emv-bench" || name.hasPrefix("masked")
        if isMasked {
            // Digits of the account number and what follows it on the track.
            let hex = Hex.string(dialogue[5]).replacingOccurrences(
                of: "4761739001010119D30122010000012345",
                with: "4761730000000119D00000000000000000")
            dialogue[5] = try #require(Hex.bytes(hex))
        }
        for at in dialogue.indices {
            if name == "no-status", at % 2 == 1 { dialogue[at].removeLast(2) }
            // A table has no Le.
            if name == "c-table", at % 2 == 0 { dialogue[at].removeLast() }
            if name == "cardpeek-cut", dialogue[at].count > 18 {
                dialogue[at] = Bytes(dialogue[at].prefix(16)) + (at % 2 == 1 ? [0x90, 0x00] : [])
            }
        }
        let log = try CommandLog(Self.text(name))
        #expect(log.exchanges.flatMap { [$0.command, $0.response] } == dialogue.map { $0 })
        #expect(log.shape == shape)
        #expect(log.skipped == skipped)
        #expect(log.unread.isEmpty)
        #expect(log.isMasked == isMasked)
        #expect(log.exchanges.allSatisfy { $0.lacksStatus == (name == "no-status") })
        #expect(log.exchanges.allSatisfy { $0.remarks.isEmpty != ["no-status", "cardpeek-cut"].contains(name) })
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

    private static let read = "00B2010C00"
    private static let fci = "6F0A8408A000000003101001"

    /// Logs of other programs, each with a trap: characters behind bytes, a status word in a place of its own, numbers
    /// that are no bytes, lines that go on and lines that do not.
    @Test(arguments: [
        // opensc-tool -s: the status word first, then rows with characters.
        (
            """
            Sending: 00 A4 04 00 02 3F 00
            Received (SW1=0x90, SW2=0x00):
            6F 12 84 10 31 50 41 59 2E 53 59 53 2E 44 44 46 o...1PAY.SYS.DDF
            30 31 00 01                                     01..
            Sending: 00 B2 01 0C 00
            Received (SW1=0x6A, SW2=0x83)
            """,
            "00A40400023F00 6F128410315041592E5359532E444446303100019000, 00B2010C00 6A83"
        ),
        ("APDU: 00B2010C00\nSW1=0x6A, SW2=0x83", "00B2010C00 6A83"),
        // scriptor: what a status word means; a command that is typed stands a second time.
        (
            "> 00 A4 04 00 00\n< 61 1E : 0x1E bytes of response still available.",
            "00A4040000 611E"
        ),
        (
            """
            > 00 B2 01 0C 00
            < 6A 82 : File not found
            00 B2 02 0C 00
            > 00 B2 02 0C 00
            < 6A 83 : Record not found
            """,
            "00B2010C00 6A82, 00B2020C00 6A83"
        ),
        (
            "> 00 A4 04 00 00\n< 6F 0A 84 08 A0 00 00 00\n03 10 10 01 90 00 : Normal processing.",
            "00A4040000 \(fci)9000"
        ),
        // A tool's own lines behind an answer.
        ("C-APDU: \(read)\nR-APDU: 6F00 9000\n84 07 A0 00 00 00 03 10 10", "\(read) 6F009000"),
        ("C-APDU: \(read)\nR-APDU: 70 04 5A 02 61 23\n90 00", "\(read) 70045A0261239000"),
        // JCShell: characters behind each row.
        (
            """
            => 00 A4 04 00 08 A0 00 00 00 03 10 10 01 00          ..............
            (42 msec)
            <= 6F 12 84 10 31 50 41 59 2E 53 59 53 2E 44 44 46    o...1PAY.SYS.DDF
                30 31 00 01 90 00                                  01....
            Status: No Error
            """,
            "00A4040008A00000000310100100 6F128410315041592E5359532E444446303100019000"
        ),
        // GPShell: each exchange a second time, as a secure channel wraps it.
        (
            """
            Command --> 00B2010C00
            Wrapped command --> 04B2010C0801020304050607080
            Response <-- 6A83
            Unwrapped response <-- 6A83
            Command --> 00B2020C00
            Wrapped command --> 00B2020C00
            Response <-- 6F009000
            Unwrapped response <-- 6F009000
            """,
            "\(read) 6A83, 00B2020C00 6F009000"
        ),
        // Words for the sides, and for what they bring.
        ("Sent APDU: \(read)\nReceived APDU: \(fci)9000", "\(read) \(fci)9000"),
        ("Outgoing APDU: \(read)\nIncoming APDU: 6A83", "\(read) 6A83"),
        ("Command: \(read)\nResponse data: \(fci)\nSW: 9000", "\(read) \(fci)9000"),
        ("C-APDU: \(read)\nR-APDU: \(fci)\nStatus: 9000", "\(read) \(fci)9000"),
        ("C-APDU: \(read)\nR-APDU: 70045A029000\nStatus: 9000", "\(read) 70045A0290009000"),
        ("cmd = \"\(read)\"\nrsp = \"6A83\"", "\(read) 6A83"),
        ("TX [00 B2 01 0C 00]\nRX [6A 83]", "\(read) 6A83"),
        // Times, places, numbers.
        ("TX 12:00:01.300: \(read)\nRX 12:00:01.301: \(fci)9000", "\(read) \(fci)9000"),
        (
            ">> 0000: 00 B2 01 0C 00\n<< 0000: 6F 0A 84 08 A0 00 00 00\n   0008: 03 10 10 01 90 00",
            "\(read) \(fci)9000"
        ),
        ("tx \(read)\nreceived 1024 bytes\nrx 6A83\nsent 9000 bytes", "\(read) 6A83"),
        ("I/Net: sent 12345 bytes\n>> \(read)\n<< 6A83\nD/Net: received 12345", "\(read) 6A83"),
        // What a reader itself hears; a command in two lines.
        (">> FF CA 00 00 00\n<< 04 A1 B2 C3 90 00", "FFCA000000 04A1B2C39000"),
        (">> FF 11 95 7B\n>> \(read)\n<< 6A83", "\(read) 6A83"),
        (
            ">> 80 A8 00 00 0A 83 08 01 02 03 04 05\n   06 07 08 00\n<< 6985",
            "80A800000A8308010203040506070800 6985"
        ),
        (">> 80 A8 00 00 02 83 00\n   00\n<< 6985", "80A8000002830000 6985"),
        // The arrows of a card, which hears commands.
        ("< 00B2010C00\n> 6A83\n< 00B2020C00\n> 6F009000", "\(read) 6A83, 00B2020C00 6F009000"),
        // Android: packets to and from the controller, in parts; control packets are none.
        (
            """
            NxpNciX : len =   4 > 20000101
            NxpNciR : len =   3 > 400000
            NxpNciX : len =   8 > 00000500B2010C00
            NxpNciR : len =   6 > 60060301
            NxpNciR : len =   9 > 1000066F0A8408A000
            NxpNciR : len =  11 > 0000080000031010019000
            """,
            "\(read) \(fci)9000"
        ),
        ("NxpNciR : len = 8 > 00000500B2010C00\nNxpNciX : len = 5 > 0000026A83", "\(read) 6A83"),
        // OpenSC before 0.20: spaces before the count.
        (
            """
            Outgoing APDU data [    5 bytes] =====
            00 B2 01 0C 00 .....
            Incoming APDU data [    2 bytes] =====
            6A 83 j.
            """,
            "\(read) 6A83"
        ),
        // A log that begins with an answer to reset, with a reader's own command, or in the middle.
        ("3B8880010073C8400000900062\n\(read)\n6A83", "\(read) 6A83"),
        ("FFCA000000\n04A1B2C39000\n\(read)\n6A83", "FFCA000000 04A1B2C39000, \(read) 6A83"),
        ("6F009000\n\(read)\n6A83", "- 6F009000, \(read) 6A83"),
        // Both in one line, in an element of XML, in arrays of a program.
        ("transmit(\(read)) = 6A83\nprint(\"\(read)\") => 6A82", "\(read) 6A83, \(read) 6A82"),
        ("<command>\(read)</command><response>6A83</response>", "\(read) 6A83"),
        (
            """
            byte[] cmd = new byte[] { (byte) 0x00, (byte)0xB2, 0x01, 0x0C, 0x00 };
            byte[] resp = { 0x6A, (byte)0x83 };
            """,
            "\(read) 6A83"
        ),
        ("[{\n\"a\": [\n0,\n178,\n1,\n12,\n0\n],\n\"b\": [\n106,\n131\n]}]", "\(read) 6A83"),
        ("{\"command\": \"\(read)\", \"data\": \"\(fci)\", \"sw1\": \"90\", \"sw2\": \"00\"}", "\(read) \(fci)9000"),
        // Fields in one line; blocks without their checksums; who is who by the bytes.
        ("CLA:00 INS:B2 P1:01 P2:0C LE:00\nSW1:6A SW2:83", "\(read) 6A83"),
        ("Rdr: 02 00 b2 01 0c 00\nTag: 02 6a 83", "\(read) 6A83"),
        ("R: \(read)\nC: 6A83\nR: \(read)\nC: \(fci)9000", "\(read) 6A83, \(read) \(fci)9000"),
        ("Received: \(read)\nSent: 6A83", "\(read) 6A83"),
        // An answer that is said again; a command that was really sent twice.
        (">>>> \(read)\n<<<< 6A83\nAPDU response: 6A83 - Record not found", "\(read) 6A83"),
        (">> \(read)\n>> \(read)\n<< 6A83", "\(read) -, \(read) 6A83"),
        // A status word before the data and behind them, in brackets behind the data, in the next line.
        ("send \(read)\nSW=9000 \(fci)9000", "\(read) \(fci)9000"),
        ("CAPDU=[\(read)]\nRAPDU=[\(fci)] SW=[90 00]", "\(read) \(fci)9000"),
        (">> \(read)\n<< \(fci)\n<< 9000", "\(read) \(fci)9000"),
        ("T->C \(read)\nC->T \(fci)9000\nT->C \(read)\nC->T 6A83", "\(read) \(fci)9000, \(read) 6A83"),
        ("| # | Command | Response |\n| 1 | \(read) | 6A83 |", "\(read) 6A83"),
        // Rows with a place below; the whole answer in rows below one that is cut.
        (
            """
            C: 00 84 00 00 - GET CHALLENGE Le=8
            R: SW1/SW2=9000 (Normal processing: No error) Lr=8
               0000  1A 2B 3C 4D 5E 6F 70 81                            .+<M^op.
            """,
            "0084000008 1A2B3C4D5E6F70819000"
        ),
        (
            "send: \(read)\nRecv: 9000 6F0A8408A0(...)\n  6F 0A 84 08 A0 00 00 00\n  03 10 10 01",
            "\(read) \(fci)9000"
        ),
        ("send: \(read)\nRecv: 9000\n  6F 0A 84 08 A0 00 00 00\n  03 10 10 01", "\(read) \(fci)9000"),
    ])
    func logsWithTraps(text: String, expected: String) throws {
        let read = try CommandLog(text).exchanges.map { exchange in
            [exchange.command, exchange.response].map { $0.map { Hex.string($0) } ?? "-" }.joined(separator: " ")
        }
        #expect(read.joined(separator: ", ") == expected)
    }

    /// What does not read refuses nothing: a remark on its exchange, or its line with the reason. Neither shows bytes.
    @Test(arguments: [
        (
            ">> \(read)\n<< 6F0A8408A000000003101001\n>> \(read)\n<< 6A83",
            "\(read) \(fci) [the log gives no status word], \(read) 6A83"
        ),
        (
            "C-APDU: \(read)\nR-APDU: 70035A0101\nC-APDU: \(read)\nR-APDU: 6A83",
            "\(read) 70035A0101 [the log gives no status word], \(read) 6A83"
        ),
        (
            ">> 80 A8 00 00 0A 83 08 01\nand so on\n<< 6985",
            "80A800000A830801 6985 [Lc (the fifth byte) says 10 bytes of data; 3 bytes follow it]"
        ),
        (
            "Sending 00A4040007A0000000041010FF00\nReceived 6700",
            "00A4040007A0000000041010FF00 6700 [Lc (the fifth byte) says 7 bytes of data; 9 bytes follow it]"
        ),
        (
            "\(read)\n6A83\n00 82 00 00 AE 7D 66 E4 50 15 D5 A4 02 10\n6D 00",
            "\(read) 6A83, 00820000AE7D66E45015D5A40210 6D00 "
                + "[Lc (the fifth byte) says 174 bytes of data; 9 bytes follow it] "
                + "[no contactless kernel sends this command]"
        ),
        (
            "> \(read)\n< 70 1B 57 11 (...)\n> \(read)\n< 6A83",
            "\(read) 701B5711 [the log cuts this answer], \(read) 6A83"
        ),
        // Digits that a cut moves to the end are no status word.
        (
            ">> \(read)\n<< 70155711476173900101",
            "\(read) 70155711476173900101 [the answer has no status word and is not one whole template]"
        ),
        (
            ">> \(read)\n<< 7015571147617390017001",
            "\(read) 7015571147617390017001 [the answer has no status word and is not one whole template]"
        ),
        (
            ">> \(read)\n<< 70155711476173900190",
            "\(read) 70155711476173900190 [the answer has no status word and is not one whole template]"
        ),
        (
            ">> \(read)\n<< 7015571147617390019001",
            "\(read) 7015571147617390019001 [the answer breaks off before its status word]"
        ),
        (
            "--> \(read)\n<-- 6A83\n--> 00B2010C0\n<-- 6A82",
            "\(read) 6A83, - 6A82, line 3, column 13: an odd number of hex digits, expected pairs"
        ),
        (
            "\(read)\n6A83\n1234",
            "\(read) 6A83, line 3: neither a command nor an answer with its status word; expected them in turn"
        ),
    ])
    func whatDoesNotReadIsShownWithItsReason(text: String, expected: String) throws {
        let log = try CommandLog(text)
        let read = log.exchanges.map { exchange in
            ([exchange.command, exchange.response].map { $0.map { Hex.string($0) } ?? "-" }
                + exchange.remarks.map { "[\($0)]" }).joined(separator: " ")
        }
        #expect((read + log.unread.map(\.description)).joined(separator: ", ") == expected)
    }

    @Test(arguments: [
        ("", "line 1: nothing that can be read; expected hex, an APDU log or a trace"),
        ("\n\nThe card said no.\n", "line 3: nothing that can be read; expected hex, an APDU log or a trace"),
        ("C-APDU: 00A40400E", "line 1, column 17: an odd number of hex digits, expected pairs"),
        ("9F27018\n", "line 1, column 7: an odd number of hex digits, expected pairs"),
    ])
    func aFaultSaysWhereAndWhatWasExpected(text: String, message: String) {
        let fault = #expect(throws: CommandLog.Fault.self) { try CommandLog(text) }
        #expect(fault?.description == message)
    }

    /// A frame with an error of parity or of its checksum holds nothing; what is left is still read.
    @Test(arguments: [
        ("02! 00  a4", "a frame with an error of parity"), ("02  01  a4", "a frame whose checksum is wrong"),
    ])
    func aDamagedFrameIsLeftOut(damaged: String, reason: String) throws {
        let text = try Self.text("proxmark-list").replacingOccurrences(of: "02  00  a4", with: damaged)
        let log = try CommandLog(text)
        let exchanges = log.exchanges
        #expect(log.unread.map(\.message) == [reason])
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
