// SPDX-License-Identifier: Apache-2.0
import EMVDecoder
import EMVKit
import Foundation
import Testing

@Suite struct DecoderTests {
    /// Responses of virtual cards, and single objects; what emv-bench printed of each before its decoder was a library.
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

    /// The walk of EMVKit is the reference: the same objects in the same order, those of an answer in format 1 aside.
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

    /// Every digit behind the sixth and before the last four of an account number, in whatever object it stands.
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
        #expect(hidden.objects.map(\.isMasked) == [true, true, true, false])
        #expect(hidden.objects[0].value == "411111******1111")
        let shown = DataObjectDecoder(showsPAN: true).decode(bytes)
        #expect(everything(shown).contains(number))
        #expect(shown.objects.allSatisfy { !$0.isMasked })
    }

    @Test func aFaultKeepsWhatWasReadBeforeIt() throws {
        let decoded = DataObjectDecoder().decode([0x70, 0x06, 0x9F, 0x27, 0x01, 0x80, 0x5A, 0x09])
        #expect(decoded.fault?.position == 9)
        #expect(decoded.objects.map(\.tag) == [0x70])
        #expect(decoded.objects[0].children.map(\.tag) == [0x9F27])
        #expect(decoded.issuer.isEmpty && decoded.statusWord == nil)
    }

    @Test(arguments: [
        ("9F2701801", "character 9"), ("9F 27 0g", "character 8"), ("", "no hex"), (" \n", "no hex"),
    ])
    func hexTextSaysWhereItIsWrong(text: String, place: String) {
        #expect { try HexText.bytes(text) } throws: { "\($0)".hasPrefix(place) }
    }
}
