// SPDX-License-Identifier: Apache-2.0
import EMVKit
import TestData
import Testing

@testable import EMVLoyalty

@Suite struct NDEFTests {
    private func records(_ bytes: Bytes) -> Result<[NDEFRecord], NDEFError> {
        do throws(NDEFError) { return .success(try NDEFReader.records(bytes)) } catch { return .failure(error) }
    }

    /// The header bytes are those of a trace that kormax/google-smart-tap publishes.
    @Test func aMessageOfThreeRecordsIsWrittenAsPhonesReadIt() {
        let published = hex("94030b6d6572d40305636c640401020304 140307736c72d40301737472005403057063724100000004")
        var writer = NDEFWriter(capacity: 0)
        writer.record("mer", [.first]) { writer in
            writer.record("cld", [.first, .last]) { writer in
                writer.bytes.append(0x04)
                writer.bytes.append(bigEndian: 0x0102_0304)
            }
        }
        writer.record("slr") { $0.record("str", [.first, .last]) { $0.bytes.append(0x00) } }
        writer.record("pcr", [.last]) { $0.bytes += [0x41, 0, 0, 0, 4] }
        #expect(writer.bytes == published)
        let records = [
            NDEFRecord("mer", [NDEFRecord("cld", [0x04, 1, 2, 3, 4])]), NDEFRecord("slr", [NDEFRecord("str", [0x00])]),
            NDEFRecord("pcr", [0x41, 0, 0, 0, 4]),
        ]
        #expect(NDEFRecord.message(records) == published)
    }

    /// A payload of 255 bytes is the longest that a short record has.
    @Test func aShortRecordHolds255Bytes() throws {
        var writer = NDEFWriter(capacity: 0)
        writer.record("r", [.first, .last]) { $0.bytes += Bytes(repeating: 7, count: 255) }
        #expect(try NDEFReader.records(writer.bytes) == [NDEFRecord("r", Bytes(repeating: 7, count: 255))])
    }

    @Test func whatIsWrittenIsRead() throws {
        var generator = SeededRandom(seed: 25)
        for _ in 0..<2_000 {
            let records = (0..<Int.random(in: 1...4, using: &generator)).map { _ in
                let size = [0, 1, 255, 256, 300].randomElement(using: &generator)!
                return NDEFRecord(
                    format: UInt8.random(in: 0...5, using: &generator),
                    type: generator.bytes(Int.random(in: 0...4, using: &generator)),
                    identifier: generator.bytes([0, 0, 1, 255].randomElement(using: &generator)!),
                    payload: generator.bytes(size))
            }
            #expect(try NDEFReader.records(NDEFRecord.message(records)) == records)
        }
    }

    @Test func everyTruncationIsRefused() {
        let message = NDEFRecord.message([NDEFRecord("a", [1, 2]), NDEFRecord("b", Bytes(repeating: 3, count: 256))])
        for count in 0..<message.count {
            #expect(records(Bytes(message.prefix(count))) == .failure(.truncated), "\(count)")
        }
        #expect((try? records(message).get())?.count == 2)
    }

    @Test(arguments: [
        ("f40301616263 00", NDEFError.chunked), ("d60000", .chunked), ("d70000", .unknownFormat),
        ("540301616263 00", .misplacedBegin), ("940000 d40000", .misplacedBegin), ("d40000 00", .trailing),
        ("d401ff61", .truncated), ("c40000", .truncated), ("c400ffffffff", .truncated), ("c4007fffffff", .truncated),
        ("dc0000ff", .truncated), ("", .truncated), ("940000", .truncated),
    ])
    func whatIsNoMessageIsNamed(_ bytes: String, _ error: NDEFError) {
        #expect(records(hex(bytes)) == .failure(error))
    }

    @Test func thirtyTwoRecordsFitAndOneMoreDoesNot() {
        func message(_ count: Int) -> Bytes {
            NDEFRecord.message((0..<count).map { NDEFRecord("r", [UInt8($0)]) })
        }
        #expect((try? records(message(NDEFReader.maximumRecords)).get())?.count == 32)
        #expect(records(message(NDEFReader.maximumRecords + 1)) == .failure(.tooManyRecords))
    }

    /// With TNF 1 the name is in the identifier, with TNF 4 in the type.
    @Test func theNameStandsWhereTheFormatPutsIt() {
        let text = NDEFRecord(format: 1, type: Bytes("T".utf8), identifier: Bytes("n".utf8), payload: [0])
        #expect(text.name == "n")
        #expect(NDEFRecord("n", [0]).name == "n")
        #expect(NDEFRecord(format: 2, type: Bytes("n".utf8), payload: []).name == nil)
        #expect(NDEFRecord(format: 4, type: [0xFF], payload: []).name == nil)
    }
}

@Suite struct PollingFrameTests {
    /// The third is published (kormax/apple-enhanced-contactless-polling); CRC_A is that of ISO/IEC 14443-3.
    @Test func theFramesAreThoseThatPhonesKnow() {
        let expected: [LoyaltyPurpose: String] = [
            .insteadOfPayment: "6A01000000F6F1", .andPayment: "6A010000017FE0", .passOnly: "6A01000002E4D2",
            .paymentOnly: "6A010000036DC3",
        ]
        for purpose in LoyaltyPurpose.allCases {
            #expect(Hex.string(PollingFrame.bytes(purpose)) == expected[purpose], "\(purpose)")
        }
    }
}
