// SPDX-License-Identifier: Apache-2.0
import EMVDecoder
import EMVKit
import Foundation
import Testing

/// Logs in the formats of programs in the field. `Tests/Vectors/logs/shapes.py` writes one dialogue in every format.
@Suite struct CommandLogTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../Vectors/logs").standardizedFileURL

    private static func text(_ name: String) throws -> String {
        try String(contentsOf: folder.appendingPathComponent(name + ".txt"), encoding: .utf8)
    }

    /// The lines of `alternating.txt`: three commands, each followed by its response.
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
        ("masked-dots", "commands and answers by their words", 0),
        ("masked-bullets", "commands and answers by their words", 0),
        ("masked-questions", "commands and answers by their words", 0),
        ("arduino", "commands and answers by their words", 0), ("status-bar", "arrows", 0), ("json-lists", "JSON", 6),
        ("json-fields", "commands by their fields", 2), ("json-nested", "commands by their fields", 2),
        ("bare-blocks", "frames of a reader", 0),
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
            // Masks the account number's digits and the rest of the track.
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

    /// The exchanges read from short logs; `-` where the command or the response is missing.
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
        // GET DATA and its object in one line; a missing Lc; masked bytes; a status word after hidden data.
        ("80CA9F3600: 9F3602000E 9000", "80CA9F3600 9F3602000E9000"),
        (
            "CLA: 00\nINS: A4\nP1: 04\nP2: 00\nData: A0000000041010\nLe: 00\nData: 6F0384015A\nSW: 9000",
            "00A4040007A000000004101000 6F0384015A9000"
        ),
        ("> 0 B2 1 14 0\n< 6A 83", "00B2011400 6A83"), ("> 0x0 0xB2 0x1 0x0C 0x0\n< 6A 83", "00B2010C00 6A83"),
        ("> 00B2010C00\n< 70 08 5A 06 47 61 -- -- 01 19 90 00", "00B2010C00 70085A064761000001199000"),
        ("> 00B2010C00\n< 70 08 5A 06 47 61 nn nn 01 19 90 00", "00B2010C00 70085A064761000001199000"),
        ("> 00B2010C00\n< 70085A064761----01199000", "00B2010C00 70085A064761000001199000"),
        ("> 00B2010C00\n< 70085A064761____01199000", "00B2010C00 70085A064761000001199000"),
        ("> 00B2010C00\n< 70 0A 5A 08 <redacted> 90 00", "00B2010C00 700A5A089000"),
        (#"[{"cla": 0, "ins": 178, "p1": 1, "p2": 12, "le": 256, "sw": 27267}]"#, "00B2010C00 6A83"),
        (
            #"{"c": ["00B2010C00", "00B2020C00"], "r": [{"d": "6F0384015A", "sw": "9000"}, {"sw": "6A83"}]}"#,
            "00B2010C00 6F0384015A9000, 00B2020C00 6A83"
        ),
        (#"[{"c": "00B2010C00"}, {"c": "00B2020C00"}, {"r": "6A83"}]"#, "00B2010C00 -, 00B2020C00 6A83"),
        (#"{"commands": ["00B2010C00", "00B2020C00"], "responses": ["6A83"]}"#, "00B2010C00 6A83, 00B2020C00 -"),
    ])
    func shortLogs(text: String, expected: String) throws {
        let read = try CommandLog(text).exchanges.map { exchange in
            [exchange.command, exchange.response].map { $0.map { Hex.string($0) } ?? "-" }.joined(separator: " ")
        }
        #expect(read.joined(separator: ", ") == expected)
    }

    private static let read = "00B2010C00"
    private static let fci = "6F0A8408A000000003101001"

    /// Logs of other programs, each with a difficulty: characters after the bytes, a separate status word, numbers that
    /// are not data, lines that continue and lines that do not.
    @Test(arguments: [
        // opensc-tool -s: the status word comes first, then rows with characters.
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
        // scriptor explains the status word and echoes a command that was typed.
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
        // The tool's own lines after a response.
        ("C-APDU: \(read)\nR-APDU: 6F00 9000\n84 07 A0 00 00 00 03 10 10", "\(read) 6F009000"),
        ("C-APDU: \(read)\nR-APDU: 70 04 5A 02 61 23\n90 00", "\(read) 70045A0261239000"),
        // JCShell: characters after each row.
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
        // GPShell repeats each exchange as the secure channel wraps it.
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
        // Names for the two sides and for their data.
        ("Sent APDU: \(read)\nReceived APDU: \(fci)9000", "\(read) \(fci)9000"),
        ("Outgoing APDU: \(read)\nIncoming APDU: 6A83", "\(read) 6A83"),
        ("Command: \(read)\nResponse data: \(fci)\nSW: 9000", "\(read) \(fci)9000"),
        ("C-APDU: \(read)\nR-APDU: \(fci)\nStatus: 9000", "\(read) \(fci)9000"),
        ("C-APDU: \(read)\nR-APDU: 70045A029000\nStatus: 9000", "\(read) 70045A0290009000"),
        ("cmd = \"\(read)\"\nrsp = \"6A83\"", "\(read) 6A83"),
        ("TX [00 B2 01 0C 00]\nRX [6A 83]", "\(read) 6A83"),
        // Times, source locations and numbers.
        ("TX 12:00:01.300: \(read)\nRX 12:00:01.301: \(fci)9000", "\(read) \(fci)9000"),
        (
            ">> 0000: 00 B2 01 0C 00\n<< 0000: 6F 0A 84 08 A0 00 00 00\n   0008: 03 10 10 01 90 00",
            "\(read) \(fci)9000"
        ),
        ("tx \(read)\nreceived 1024 bytes\nrx 6A83\nsent 9000 bytes", "\(read) 6A83"),
        ("I/Net: sent 12345 bytes\n>> \(read)\n<< 6A83\nD/Net: received 12345", "\(read) 6A83"),
        // A pseudo-APDU for the reader; a command in two lines.
        (">> FF CA 00 00 00\n<< 04 A1 B2 C3 90 00", "FFCA000000 04A1B2C39000"),
        (">> FF 11 95 7B\n>> \(read)\n<< 6A83", "\(read) 6A83"),
        (
            ">> 80 A8 00 00 0A 83 08 01 02 03 04 05\n   06 07 08 00\n<< 6985",
            "80A800000A8308010203040506070800 6985"
        ),
        (">> 80 A8 00 00 02 83 00\n   00\n<< 6985", "80A8000002830000 6985"),
        // Arrows from the card's point of view: `<` is a command.
        ("< 00B2010C00\n> 6A83\n< 00B2020C00\n> 6F009000", "\(read) 6A83, 00B2020C00 6F009000"),
        // Android: packets to and from the controller, in parts; control packets are skipped.
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
        // A log that begins with an answer to reset, with a command for the reader, or in mid-dialogue.
        ("3B8880010073C8400000900062\n\(read)\n6A83", "\(read) 6A83"),
        ("FFCA000000\n04A1B2C39000\n\(read)\n6A83", "FFCA000000 04A1B2C39000, \(read) 6A83"),
        ("6F009000\n\(read)\n6A83", "- 6F009000, \(read) 6A83"),
        // Both sides in one line, in an XML element, in a program's arrays.
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
        // Fields in one line; blocks without checksums; sides recognised by their bytes alone.
        ("CLA:00 INS:B2 P1:01 P2:0C LE:00\nSW1:6A SW2:83", "\(read) 6A83"),
        ("Rdr: 02 00 b2 01 0c 00\nTag: 02 6a 83", "\(read) 6A83"),
        ("R: \(read)\nC: 6A83\nR: \(read)\nC: \(fci)9000", "\(read) 6A83, \(read) \(fci)9000"),
        ("Received: \(read)\nSent: 6A83", "\(read) 6A83"),
        // A response that is repeated; a command that was really sent twice.
        (">>>> \(read)\n<<<< 6A83\nAPDU response: 6A83 - Record not found", "\(read) 6A83"),
        (">> \(read)\n>> \(read)\n<< 6A83", "\(read) -, \(read) 6A83"),
        // A status word before and after the data, in brackets after the data, in the next line.
        ("send \(read)\nSW=9000 \(fci)9000", "\(read) \(fci)9000"),
        ("CAPDU=[\(read)]\nRAPDU=[\(fci)] SW=[90 00]", "\(read) \(fci)9000"),
        (">> \(read)\n<< \(fci)\n<< 9000", "\(read) \(fci)9000"),
        ("T->C \(read)\nC->T \(fci)9000\nT->C \(read)\nC->T 6A83", "\(read) \(fci)9000, \(read) 6A83"),
        ("| # | Command | Response |\n| 1 | \(read) | 6A83 |", "\(read) 6A83"),
        // Rows with offsets; the full response in rows below a truncated one.
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

    /// An unreadable part never rejects the log: it adds a remark to its exchange, or its line is listed with a reason.
    /// Neither shows bytes.
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
        // Trailing digits of a truncated response are not taken for a status word.
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
            "> \(read)\n< 70 0A 5A 08 [masked] 90 00",
            "\(read) 700A5A089000 [the log cuts this answer]"
        ),
        (
            "> 00 A4 04 00 07 A0 00 00 00 04 1G 10 00\n> \(read)\n< 6A83",
            "\(read) 6A83, line 1, column 34: expected a hex digit"
        ),
        (
            "> \(read)\n< 70085A064761O0001199000",
            "\(read) -, line 2, column 15: expected a hex digit"
        ),
        (
            "> \(read)\n< 70 04 5F 24 01 3",
            "\(read) -, line 2, column 18: an odd number of hex digits, expected pairs"
        ),
        (
            "> \(read)\n< 70 0A 5A 08 REDACTED 9000",
            "\(read) 700A5A089000 [the log cuts this answer]"
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

    private static let pdol = "9F38=9F66049F02069F37045F2A029A03", asked = "9F66 9F02 9F37 5F2A 9A"
    private static let cdol1 = "8C=9F02069F37049F7C149A03", cdol2 = "8D=8A029F3704"
    private static let noLe = "Le is missing (00 as the last byte)"

    private static let readings: [(String, String, String, String, String)] = [
        // GET PROCESSING OPTIONS with a PDOL: complete, empty, without tag 83, without Lc.
        ("\(pdol)", "80A80000158313{19}00", "", "\(asked)", ""),
        ("\(pdol)", "80A8000002830000", "", "", "PDOL asks for 19 bytes, the command brings none"),
        ("\(pdol)", "80A8000000", "", "", "PDOL asks for 19 bytes, the command brings none"),
        ("\(pdol)", "80A80000", "", "", "PDOL asks for 19 bytes, the command brings none; \(noLe)"),
        // Values cut off before an object and inside one, and surplus data.
        (
            "\(pdol)", "80A800000C830A{10}00", "", "9F66 9F02",
            "PDOL asks for 19 bytes, the command brings 10: the data end before 9F37"
        ),
        (
            "\(pdol)", "80A800000E830C{12}00", "", "9F66 9F02",
            "PDOL asks for 19 bytes, the command brings 12: the data end in 9F37, after 2 of its 4 bytes"
        ),
        ("\(pdol)", "80A8000016831400{19}00", "", "\(asked)", "PDOL asks for 19 bytes, the command brings 20"),
        // Tag 83 missing, and with a wrong length.
        ("\(pdol)", "80A8000013{19}00", "", "\(asked)", "the data lack tag 83"),
        (
            "\(pdol)", "80A80000158315{19}00", "", "\(asked)",
            "tag 83 has the length hex 15, but 19 bytes (hex 13) follow"
        ),
        (
            "\(pdol)", "80A800001683130000{18}00", "", "\(asked)",
            "tag 83 has the length hex 13, but 20 bytes (hex 14) follow; PDOL asks for 19 bytes, the command brings 20"
        ),
        (
            "\(pdol)", "80A800000183", "", "",
            "tag 83 has no length; PDOL asks for 19 bytes, the command brings none; \(noLe)"
        ),
        // The PDOL is unknown: only errors in the command itself are found.
        ("", "80A8000002830000", "", "", ""),
        ("", "80A8000000", "", "", "the command has no data, not even an empty tag 83"),
        ("", "80A80000048303010200", "", "", "Lc (the fifth byte) is hex 04, but the data are 5 bytes; \(noLe)"),
        ("", "80A8000005830301020300", "", "", ""),
        // The card has no PDOL.
        ("FCI", "80A8000002830000", "", "", ""),
        ("FCI", "80A80000048302000000", "", "", "the card has no PDOL, the command brings 2 bytes"),
        ("9F38=", "80A80000048302000000", "", "", "the card has no PDOL, the command brings 2 bytes"),
        // Lengths from 128; long and incomplete lists.
        ("9F38=9F027F9F3701", "80A8000083838180{128}00", "", "9F02 9F37", ""),
        (
            "9F38=9F027F9F3701", "80A80000828380{128}00", "", "9F02 9F37",
            "tag 83 has the length hex 80 in one byte; from hex 80 on a length has two, 81 80"
        ),
        (
            "9F38=9F02FF", "80A80000158313{19}00", "", "",
            "PDOL asks for 255 bytes, the command brings 19: the data end in 9F02, after 19 of its 255 bytes"
        ),
        ("9F38=9F66", "80A8000002830000", "", "", "PDOL breaks off before a length"),
        // Lc too small and too large, bytes after Le, no Le, an unusual Le, extended length.
        (
            "\(pdol)", "80A80000138313{19}00", "", "\(asked)",
            "Lc (the fifth byte) is hex 13, but the data are 21 bytes (hex 15)"
        ),
        (
            "\(pdol)", "80A80000168313{19}00", "", "\(asked)",
            "Lc (the fifth byte) is hex 16, but the data are 21 bytes (hex 15)"
        ),
        (
            "\(pdol)", "80A80000148313{19}", "", "\(asked)",
            "Lc (the fifth byte) is hex 14, but the data are 21 bytes (hex 15); \(noLe)"
        ),
        (
            "\(pdol)", "80A80000208313{19}00", "", "\(asked)",
            "Lc (the fifth byte) is hex 20, but the data are 21 bytes (hex 15)"
        ),
        ("\(pdol)", "80A80000158313{19}0000", "", "\(asked)", "1 byte follows Le"),
        ("\(pdol)", "80A80000158313{19}", "", "\(asked)", "\(noLe)"),
        ("\(pdol)", "80A80000158313{19}", "77009000", "\(asked)", ""),
        ("\(pdol)", "80A80000158313{19}F8", "6700", "\(asked)", "Le (the last byte) is F8; EMV's commands have 00"),
        (
            "\(pdol)", "80A800000000158313{19}0000", "", "\(asked)",
            "Lc has three bytes (extended length); EMV's commands have one"
        ),
        // CDOL1, its length read as decimal, a byte short, in tag 83, in place of CDOL2.
        ("\(cdol1)", "80AE800021{33}00", "", "9F02 9F37 9F7C 9A", ""),
        (
            "\(cdol1)", "80AE80001B{27}00", "", "9F02 9F37 9F7C 9A",
            "CDOL1 asks for 33 bytes, the command brings 27; 9F7C is 20 bytes (hex 14), 14 were given"
        ),
        (
            "\(cdol1)", "80AE800020{32}00", "", "9F02 9F37 9F7C",
            "CDOL1 asks for 33 bytes, the command brings 32: the data end in 9A, after 2 of its 3 bytes"
        ),
        (
            "\(cdol1)", "80AE8000238321{33}00", "", "9F02 9F37 9F7C 9A",
            "CDOL1 asks for 33 bytes, the command brings 35: only GET PROCESSING OPTIONS has its data in tag 83"
        ),
        (
            "\(cdol1) \(cdol2)", "80AE400006{6}00", "", "8A 9F37",
            "CDOL1 asks for 33 bytes, the command brings 6, as many as CDOL2 asks for"
        ),
        // Again a length of hex 14, and a length that the amounts contradict: a different object is missing.
        (
            "8C=9F02069A039F7C14", "80AE8000170000000012502611210102030405060708090A0B0C0D0E00", "", "9F02 9A 9F7C",
            "CDOL1 asks for 29 bytes, the command brings 23; 9F7C is 20 bytes (hex 14), 14 were given"
        ),
        (
            "8C=9F02069F03069A039F7C14", "80AE80001D000000001250261121{20}00", "", "9F02 9A 9F7C",
            "CDOL1 asks for 35 bytes, the command brings 29, as if 9F02 or 9F03 were left out"
        ),
        // The second GENERATE AC; one whose response is not in the log; data of Kernel 2's storage after CDOL1.
        ("\(cdol1) \(cdol2) AC", "80AE400006{6}00", "", "8A 9F37", ""),
        (
            "\(cdol1) \(cdol2) AC", "80AE400021{33}00", "", "9F02 9F37 9F7C 9A",
            "CDOL2 asks for 6 bytes, the command brings 33, as many as CDOL1 asks for"
        ),
        (
            "\(cdol1) \(cdol2) AC", "80AE400005{5}00", "", "8A",
            "CDOL2 asks for 6 bytes, the command brings 5: the data end in 9F37, after 3 of its 4 bytes"
        ),
        ("\(cdol1) \(cdol2) open", "80AE400006{6}00", "", "8A 9F37", ""),
        ("8C=9F02069F3704 9F5B=DF6002DF6108", "80AE800012{18}00", "", "9F02 9F37 DF60 DF61", ""),
        // An incomplete CDOL1, DDOL, UDOL, DRDOL, and the remarks for an unknown list.
        ("8C=9F06", "80AE800002{2}00", "", "", "CDOL1 breaks off before a length"),
        ("9F49=9F37049F0206", "008800000A{10}00", "", "9F37 9F02", ""),
        (
            "9F49=9F37049F0206", "0088000004{4}00", "", "9F37",
            "DDOL asks for 10 bytes, the command brings 4: the data end before 9F02"
        ),
        ("", "0088000004{4}00", "", "9F37", ""),
        ("9F69=9F6A049F0206", "802A8E800A{10}00", "", "9F6A 9F02", ""),
        (
            "9F69=9F6A049F0206", "802A8E8004{4}00", "", "9F6A",
            "UDOL asks for 10 bytes, the command brings 4: the data end before 9F02"
        ),
        ("", "802A8E8004{4}00", "", "9F6A", ""),
        ("9F51=9F3704", "80D0000004{4}00", "", "9F37", ""),
        ("", "80AE800021{33}00", "", "", ""), ("", "80EA000004{4}00", "", "DF8301", ""),
        // Commands without data, and Le in another position.
        ("", "00B2010C0000", "", "", "a sixth byte follows Le (the fifth byte); the command has no data"),
        ("", "80AE80000000", "", "", "a sixth byte follows Le (the fifth byte); the command has no data"),
        ("", "80CA9F17000000", "", "", "2 bytes follow Le (the fifth byte); the command has no data"),
        ("", "00B2010C", "6700", "", "\(noLe)"),
        ("", "00A4040007A0000000031010F8", "6700", "84", "Le (the last byte) is F8; EMV's commands have 00"),
        ("", "00A4040007A0000000031010", "6A82", "84", ""),
        ("", "80AE800021{33}", "6700", "", "\(noLe)"),
        ("GR", "80AE800021{33}", "6985", "", ""),
    ]

    /// A command checked against the lists that the card returned: the objects in it, and its errors.
    ///
    /// Lists are `tag=value`; `FCI`: a response to SELECT without a PDOL; `AC`: a GENERATE AC with its response;
    /// `open`: a GENERATE AC whose response is not in the log; `GR`: a GET RESPONSE. `{19}` stands for 19 bytes of a
    /// value.
    @Test(arguments: readings)
    func aCommandIsComparedWithTheCardsList(
        known: String, command: String, answer: String, objects: String, remarks: String
    ) throws {
        func object(_ tag: String, _ value: String) -> String {
            tag + Hex.string([UInt8(value.utf8.count / 2)]) + value
        }
        var lists = DataLists()
        for word in known.split(separator: " ").map(String.init) {
            let parts = word.split(separator: "=", omittingEmptySubsequences: false).map(String.init)
            let (sent, answered): (String, String?) =
                switch parts[0] {
                case "FCI": ("00A40400", object("6F", object("A5", "5000")) + "9000")
                case "AC": ("80AE80000000", object("77", "9F2700") + "9000")
                case "open": ("80AE80000000", nil)
                case "GR": ("00C0000002", "77009000")
                case "9F38": ("00A40400", object("6F", object("A5", object("9F38", parts[1]))) + "9000")
                default: ("00B2010C00", object("70", object(parts[0], parts[1])) + "9000")
                }
            lists.learn(try #require(Hex.bytes(sent)), try answered.map { try #require(Hex.bytes($0)) })
        }
        let pieces = command.split { $0 == "{" || $0 == "}" }
        let hex = pieces.enumerated().map { $0 % 2 == 0 ? String($1) : String(repeating: "00", count: Int($1) ?? 0) }
        let bytes = try #require(Hex.bytes(hex.joined()))
        let reading = lists.reading(of: bytes, answer: answer.isEmpty ? nil : Hex.bytes(answer))
        #expect(reading.objects.map { "\($0.tag)" }.joined(separator: " ") == objects)
        #expect(reading.remarks.joined(separator: "; ") == remarks)
        let values = reading.objects.flatMap(\.value)
        #expect(bytes[reading.start...].starts(with: values), "the values are where they begin")
    }

    /// A truncated name keeps its stated length.
    @Test(arguments: [("00A404000E3150", "840E3150"), ("00A4040002315000", "84023150")])
    func aCutNameIsShownAsCut(command: String, object: String) throws {
        #expect(Hex.string(DataLists().reading(of: try #require(Hex.bytes(command))).encoded) == object)
    }

    /// Commands cut short or with a changed header byte, and lists with a changed byte.
    @Test func damagedCommandsNeverTrap() throws {
        let command = try #require(Hex.bytes("80A80000158313" + String(repeating: "5A", count: 19) + "00"))
        var lists = DataLists()
        var isInside = true
        for value: UInt8 in [0x00, 0x01, 0x02, 0x13, 0x15, 0x16, 0x1F, 0x7F, 0x80, 0x81, 0x82, 0x83, 0x9F, 0xFE, 0xFF] {
            let list: Bytes = [value, value ^ 0x5A, value], answer = [0x70, 5, 0x8C, 3] + list + [0x90, 0x00]
            lists.learn([0x00, 0xB2, 0x01, 0x0C, 0x00], answer)
            for place in 0..<8 {
                for instruction: UInt8 in [0xA4, 0xA8, 0xAE, 0xB2, 0xCA, 0x2A] {
                    var changed = command
                    changed[1] = instruction
                    changed[place] = value
                    for count in 0...changed.count {
                        let reading = lists.reading(of: Bytes(changed[..<count]))
                        let end = reading.start + reading.objects.reduce(0) { $0 + $1.value.count }
                        isInside = isInside && (reading.objects.isEmpty || end <= count)
                    }
                }
            }
        }
        #expect(isInside)
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

    /// A frame with a parity or checksum error is dropped; the other frames are still read.
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
        // An object of three bytes, a response in format 1, an answer to reset, contradictory lengths.
        for bytes: Bytes in [
            [0x9F, 0x36, 0x02, 0x00, 0x15], [0x80, 0x0E, 0x3C, 0x00, 0x08], [0x3B, 0x88, 0x80, 0x01],
            [0x00, 0xA4, 0x04, 0x00, 0x05, 0x3F, 0x00],
        ] { #expect(!CommandLog.isKnownCommand(bytes)) }
    }

    /// Any pasted text gives exchanges or an error.
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
