// SPDX-License-Identifier: Apache-2.0
import EMVDecoder
import EMVKit
import Foundation
import Testing

@Suite struct DecoderTests {
    /// Responses of virtual cards, and single objects, with the lines that the decoder prints for each.
    private struct Case: Decodable {
        let hex: String
        let showsPAN: Bool
        let lines: [String]
        let fault: String?
    }

    private static let cases: [Case] = {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../Vectors/decoded.json").standardizedFileURL
        return try! JSONDecoder().decode([Case].self, from: Data(contentsOf: file))
    }()

    @Test func printsWhatItPrinted() throws {
        #expect(Self.cases.count > 80 && Self.cases.contains { $0.fault != nil } && Self.cases.contains { $0.showsPAN })
        for test in Self.cases {
            let decoded = DataObjectDecoder(showsPAN: test.showsPAN).decode(try HexText.bytes(test.hex))
            #expect(decoded.lines == test.lines, "\(test.hex)")
            #expect(decoded.fault?.description == test.fault, "\(test.hex)")
        }
    }

    private func flat(_ objects: [DecodedObject]) -> [DecodedObject] {
        objects.flatMap { [$0] + flat($0.children) }
    }

    /// EMVKit's TLV walk is the reference: both find equal objects in equal order, except in a format 1 response.
    @Test func theTreeHasEveryObjectOnce() throws {
        for test in Self.cases where test.fault == nil {
            let bytes = try HexText.bytes(test.hex)
            let decoded = DataObjectDecoder(showsPAN: true).decode(bytes)
            var objects = decoded.objects
            for index in objects.indices where objects[index].tag == 0x80 { objects[index].children = [] }
            let found = flat(objects)
            let walked = TLVTree(Bytes(bytes.dropLast(decoded.statusWord?.count ?? 0))).map(\.object)
            #expect(found.map(\.tag) == walked.map(\.tag), "\(test.hex)")
            #expect(found.map(\.length) == walked.map(\.value.count), "\(test.hex)")
            for (object, node) in zip(found, walked) {
                #expect(object.isConstructed == node.isConstructed)
                #expect(object.value == (node.isConstructed ? "" : Hex.string(node.value)), "\(test.hex)")
                #expect(!object.isMasked)
            }
        }
    }

    /// An account number's digits after the sixth and before the last four never appear, in any object; nor does the
    /// name.
    @Test func nothingShowsAnAccountNumberUnlessAsked() throws {
        let number = "4111112345671111"
        let account = try HexText.bytes("5A08" + number)
        let track = try HexText.bytes("5713" + number + "D28122011234567890123F")
        let first = Bytes("B\(number)^TEST/CARD^2812201".utf8)
        let name = try HexText.bytes("5F2009544553542F43415244")
        let bytes = account + track + [0x56, UInt8(first.count)] + first + name
        func everything(_ decoded: DecodedData) -> String {
            let objects = flat(decoded.objects)
            return (objects.map(\.value) + objects.compactMap(\.text) + objects.flatMap(\.meanings) + decoded.issuer)
                .joined(separator: "\n")
        }
        let hidden = DataObjectDecoder().decode(bytes)
        #expect(!everything(hidden).contains("234567"))
        #expect(!everything(hidden).contains(Hex.string(Bytes("234567".utf8))))
        #expect(hidden.objects.allSatisfy(\.isMasked) && !everything(hidden).contains("54455354"))
        #expect(hidden.objects[0].value == "411111******1111")
        let shown = DataObjectDecoder(showsPAN: true).decode(bytes)
        #expect(everything(shown).contains(number))
        #expect(shown.objects.allSatisfy { !$0.isMasked })
    }

    @Test func aFaultKeepsWhatWasReadBeforeIt() throws {
        let decoded = DataObjectDecoder().decode([0x70, 0x06, 0x9F, 0x27, 0x01, 0x80, 0x5A, 0x09])
        #expect(decoded.fault?.position == 8)
        #expect(decoded.objects.map(\.tag) == [0x70])
        #expect(decoded.objects[0].children.map(\.tag) == [0x9F27, 0x5A])
        #expect(decoded.objects[0].children.map(\.available) == [1, 0])
        #expect(decoded.issuer.isEmpty && decoded.statusWord == nil)
    }

    private func tags(_ objects: [DecodedObject]) -> String {
        objects.map { $0.children.isEmpty ? $0.tag.description : "\($0.tag)(\(tags($0.children)))" }
            .joined(separator: " ")
    }

    /// FF begins a tag where an object fits (Book 3, annex B), and is filler otherwise.
    @Test(arguments: [
        ("FF8106 08 DF811501009F4200", "FF8106(DF8115 9F42)", 0), ("FF8104 03 9F0200", "FF8104(9F02)", 0),
        ("FFEE01 04 DF300100", "FFEE01(DF30)", 0), ("FF01 01 4C", "FF01", 1), ("FF01 03 5A0142", "FF01(5A)", 0),
        ("700C 5F340101 FFFFFF 9F57020840 9000", "70(5F34 9F57)", 0),
        ("700A 5F340101 FF 9F57020840 9000", "70(5F34 9F57)", 0), ("9F270180 FFFF", "9F27", 0), ("FF", "", 0),
        ("9F270180 FF 8204", "9F27 82", 1),
    ])
    func aTagMayBeginWithFF(hex: String, tree: String, faults: Int) throws {
        let decoded = DataObjectDecoder().decode(try HexText.bytes(hex))
        #expect(tags(decoded.objects) == tree, "\(decoded.lines)")
        #expect(decoded.faults.count == faults, "\(decoded.faults)")
    }

    /// A wrong length is marked at its own byte, and reading continues after it.
    @Test(arguments: [
        ("7081A3 5713 4242009900112237D25122011143804400000F 5F340101", "70(57 5F34)", [2], false),
        ("7081A3 9F270180 5F340101 9000", "70(9F27 5F34)", [2], true),
        ("7009 9F270180 5F340101 9000", "70(9F27 5F34)", [2], true),
        ("7007 9F270180 5F340101 9000", "70(9F27 5F34)", [2], true),
        ("6F0B 8407A0000000031010 A504 50025649 9000", "6F(84 A5(50))", [2], true),
        ("7008 9F2706805F340101", "70(9F27 5F34)", [5], false),
        ("DF9A03 00 17 36", "DF9A03 17", [6], false), ("6F80 8405A000000003", "6F(84)", [2], false),
        ("9F27", "", [2], false), ("1F", "", [1], false), ("70005F", "70", [3], false),
    ])
    func aWrongLengthIsMarkedAtItsByte(hex: String, tree: String, positions: [Int], hasStatus: Bool) throws {
        let bytes = try HexText.bytes(hex)
        let decoded = DataObjectDecoder().decode(bytes)
        #expect(tags(decoded.objects) == tree, "\(decoded.lines)")
        #expect(decoded.faults.map(\.position) == positions, "\(decoded.faults)")
        #expect((decoded.statusWord == [0x90, 0x00]) == hasStatus)
    }

    /// Every response cut at every byte, and with every byte changed: no position is beyond the end.
    @Test func noFaultIsBeyondTheEnd() throws {
        for test in Self.cases.prefix(30) {
            let bytes = try HexText.bytes(test.hex)
            for place in bytes.indices.prefix(120) {
                var changed = bytes
                changed[place] ^= 0x11
                for data in [Bytes(bytes.prefix(place + 1)), changed] {
                    for fault in DataObjectDecoder().decode(data).faults {
                        #expect((1...data.count).contains(fault.position), "\(Hex.string(data))")
                    }
                }
            }
        }
    }

    /// After a wrong length, an unnamed object may contain part of the account number.
    @Test func digitsBehindAFaultAreMasked() throws {
        let decoded = DataObjectDecoder().decode(try HexText.bytes("7018 5702 4242 00 0203 112233"))
        #expect(decoded.fault != nil)
        #expect(!decoded.lines.joined().contains("112233"))
    }

    /// The AID's network, the template, the neighbouring objects and the length select one name or none at all.
    @Test(arguments: [
        ("8408A000000025010801 9F6E04D8B04003", "9F6E Enhanced Contactless Reader Capabilities [4]: D8B04003"),
        ("8408A000000025010801 9F710200F0", "9F71 Mobile CVM Results [2]: 00F0"),
        ("8407A0000000651010 9F6E0430310000", "9F6E Device Information [4]"),
        ("8407A0000000651010 9F5D03010000", "9F5D Unknown [3]"),
        ("8407A0000001523010 9F71028000", "9F71 Card Processing Requirements (CPR) [2]: 8000"),
        ("8408A000000333010101 9F6303010203", "9F63 Product Identification Information [3]"),
        ("8408A000000333010101 9F6E0420700000", "9F6E Unknown [4]"),
        ("8407A0000000031010 9F52028000", "9F52 Application Default Action (ADA) [2]: 8000"),
        ("8407A0000000031010 9F500100", "9F50 Unknown [1]"),
        ("8407A0000005241010 9F6E0412340000", "9F6E Unknown [4]"),
        ("9F52028000", "9F52 Unknown [2]"), ("9F520102", "9F52 Terminal Compatibility Indicator [1]: 02"),
        ("6F108408A000000151000000A5049F6501FF", "9F65 Maximum Length of Data in a Command [1]: FF"),
        ("E30E4F08A0000001510000009F7001 0F", "9F70 Life Cycle State [1]: 0F"),
        ("FF8106 0A 9F6E0705660000303000", "9F6E Third Party Data [7]"),
        (
            "6113 4F07A0000000041010 9F6E0705660000303000 6111 4F08A000000025010801 9F6E04D8B04003",
            "9F6E Enhanced Contactless Reader Capabilities [4]"
        ),
    ])
    func aNameIsThatOfTheNetwork(hex: String, line: String) throws {
        let decoded = DataObjectDecoder().decode(try HexText.bytes(hex))
        #expect(decoded.lines.contains { $0.contains(line) }, "\(decoded.lines)")
    }

    /// Bits, fields and codes; a remark on an impossible value.
    @Test(arguments: [
        ("8408A000000025010801 820218E0", "byte 2 bit 8: EMV and mag-stripe modes supported"),
        ("8407A0000000031010 820200A0", "byte 2 bit 8: mag-stripe mode supported"),
        ("8407A0000000031010 820200A0", "byte 2 bit 6: contactless transaction"),
        ("8407A0000000041010 82020081", "byte 2 bit 1: relay resistance supported"),
        ("8407A0000000651010 82020080", "byte 2 bit 8: EMV mode supported"),
        ("9F3303E0B8C8", "byte 2 bit 6: signature"), ("9F40056000B0A001", "byte 5 bit 1: code table 1"),
        ("9F350122", "attended, offline with online capability, operated by the merchant"),
        ("9F350199", "no terminal type"), ("9F0E050008006000", "byte 2 bit 4: new card"),
        ("DF8129 08 30F0F000B0F0FF00", "outcome: online request"), ("DF8115 06 0003006985FF", "L2: status bytes"),
        ("DF8115 06 0003006985FF", "status word: 6985, conditions of use not satisfied"),
        ("DF8116 16 1E04000013656E667200000000000000000000000000", "hold time: 1300 ms"),
        ("DF811B 01 B0", "byte 1 bit 6: on-device CVM supported"), ("9F5D03010000", "data storage version 1"),
        ("DF4B03001000", "on-device CVM verification successful"),
        ("9F1D086CFF000000000000", "byte 1 bit 7: contactless: enciphered PIN, online"),
        ("9F500131", "on-device CVM"), ("9F1A020276", "Germany (DE)"),
        ("9F1A020978", "no country has the number 978; this is the currency euro (EUR)"),
        ("5F2A020276", "this is the country Germany (DE)"), ("9F420209 7A", "not three decimal digits"),
        ("5F2D04656E6465", "English"), ("5F2403251331", "there is no month 13"),
        ("9A03250230", "month 2 has no day 30"), ("950180", "unexpected length: 1 byte, not 5"),
        ("9F51039F3704", "9F37 Unpredictable Number [4]"),
        ("8407A0000000651010 9F6E0440310000", "byte 2 bits 5-1: where the application lives: code"),
    ])
    func aValueIsExplained(hex: String, line: String) throws {
        let decoded = DataObjectDecoder().decode(try HexText.bytes(hex))
        #expect(decoded.lines.contains { $0.contains(line) }, "\(decoded.lines)")
    }

    /// A chip card's record has a track, too.
    @Test func aChipRecordAloneIsNoMagStripeMode() throws {
        let record = "7016 5710 4242009900112237D25122011143800F 9F070100"
        #expect(DataObjectDecoder().decode(try HexText.bytes(record)).issuer.isEmpty)
    }

    /// The format of C's `%x`.
    @Test func bytesWithoutTheirLeadingZeroAreRead() throws {
        let expected: Bytes = [0x80, 0x0A, 0x1C, 0x00, 0x08, 0x01]
        #expect(try HexText.bytes("80 a 1c 0 8 1") == expected)
        #expect(try HexText.bytes("9F540600000001000 0").count == 9)
    }

    /// Bytes with a leading zero come from a program that writes it; 9000 after objects; a template without objects.
    @Test(arguments: [
        ("9F3602000E9000", "status word 9000"), ("FF01014C", "FF01 Unknown [1]: 4C"),
        ("BF0C06FFEE0102DF01", "FFEE01 Unknown [2]: DF01"), ("8407A0000005241010 9F6C020280", "9F6C Unknown [2]: 0280"),
    ])
    func nothingIsLost(hex: String, line: String) throws {
        let lines = DataObjectDecoder().decode(try HexText.bytes(hex)).lines
        #expect(lines.last?.hasSuffix(line) ?? false, "\(lines)")
    }

    @Test(arguments: [
        ("9F2701801", "character 9"), ("5F 24 03 24 12 3", "character 16"), ("9F 27 0g", "character 8"), ("", "no hex"),
        (" \n", "no hex"),
    ])
    func hexTextSaysWhereItIsWrong(text: String, place: String) {
        #expect { try HexText.bytes(text) } throws: { "\($0)".hasPrefix(place) }
    }
}
