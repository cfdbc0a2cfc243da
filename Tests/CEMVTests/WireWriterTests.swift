// SPDX-License-Identifier: Apache-2.0
import CEMV
import TestData
import Testing

/// Runs `body` on a writer over `capacity` bytes; what it wrote, or nil after an error, and the error.
private func write(
    capacity: Int = 4096, _ body: (inout cemv_writer) -> Void
) -> (bytes: [UInt8]?, error: cemv_wire_error) {
    var memory = [UInt8](repeating: 0xEE, count: capacity + 1)
    return memory.withUnsafeMutableBytes { buffer in
        var writer = cemv_writer_open(buffer.baseAddress, capacity)
        body(&writer)
        let finished = cemv_writer_finish(&writer)
        #expect(buffer[capacity] == 0xEE, "wrote past the capacity")
        #expect((finished.data == nil) == (writer.error != CEMV_WIRE_OK))
        return (writer.error == CEMV_WIRE_OK ? [UInt8](finished) : nil, writer.error)
    }
}

private func put(_ writer: inout cemv_writer, _ tag: UInt32, _ value: [UInt8]) {
    withBytes(value) { cemv_writer_put_tlv(&writer, tag, $0) }
}

/// A tree to write and to read back.
private indirect enum Tree: Equatable {
    case primitive(UInt32, [UInt8])
    case constructed(UInt32, [Tree])

    static func random(depth: Int, using random: inout SeededRandom) -> Tree {
        let constructed: [UInt32] = [0x61, 0x6F, 0x70, 0x77, 0xA5, 0xBF0C, 0xBF8101, 0x7FA0_8101]
        let primitive: [UInt32] = [0x4F, 0x50, 0x57, 0x9F02, 0x9F38, 0x5F2D, 0xDF8129, 0xDFA0_8101]
        if depth < Int(CEMV_TLV_MAX_DEPTH), Int.random(in: 0..<3, using: &random) > 0 {
            let children = (0..<Int.random(in: 0...4, using: &random)).map { _ in
                Tree.random(depth: depth + 1, using: &random)
            }
            return .constructed(constructed.randomElement(using: &random) ?? 0x70, children)
        }
        let size = [0, 1, 5, 0x7F, 0x80, 0xFF, 0x100, 300].randomElement(using: &random) ?? 0
        return .primitive(primitive.randomElement(using: &random) ?? 0x50, random.bytes(size))
    }

    func write(_ writer: inout cemv_writer) {
        switch self {
        case .primitive(let tag, let value): put(&writer, tag, value)
        case .constructed(let tag, let children):
            cemv_writer_open_tlv(&writer, tag)
            for child in children { child.write(&writer) }
            cemv_writer_close_tlv(&writer)
        }
    }

    static func read(_ bytes: cemv_bytes) -> [Tree]? {
        var cursor = cemv_tlv_open(bytes)
        var object = cemv_tlv()
        var trees: [Tree] = []
        while cemv_tlv_next(&cursor, &object) {
            if object.constructed {
                guard let children = read(object.value) else { return nil }
                trees.append(.constructed(object.tag, children))
            } else {
                trees.append(.primitive(object.tag, [UInt8](object.value)))
            }
        }
        return cursor.error == CEMV_WIRE_OK ? trees : nil
    }
}

@Suite("TLV writing")
struct WireWriterTests {
    @Test func writesBytesAsGiven() {
        let written = write { writer in
            cemv_writer_put_byte(&writer, 0x01)
            withBytes([2, 3]) { cemv_writer_put_bytes(&writer, $0) }
            withBytes([]) { cemv_writer_put_bytes(&writer, $0) }
        }
        #expect(written.bytes == [1, 2, 3])
    }

    @Test(arguments: [
        (0, "00"), (1, "01"), (0x7F, "7F"), (0x80, "8180"), (0xFF, "81FF"), (0x100, "820100"), (0xFFFF, "82FFFF"),
        (0x10000, "83010000"),
    ])
    func writesTheShortestLength(size: Int, length: String) {
        let value = [UInt8](repeating: 0x5C, count: size)
        let whole = hex("70" + length) + value
        #expect(write(capacity: whole.count) { put(&$0, 0x70, value) }.bytes == whole)
        let opened = write(capacity: whole.count) { writer in
            cemv_writer_open_tlv(&writer, 0x70)
            withBytes(value) { cemv_writer_put_bytes(&writer, $0) }
            cemv_writer_close_tlv(&writer)
        }
        #expect(opened.bytes == whole)
    }

    @Test func cursorReadsWhatWasWritten() {
        for seed in 0..<300 as Range<UInt64> {
            var random = SeededRandom(seed: seed)
            let trees = (0..<3).map { _ in Tree.random(depth: 1, using: &random) }
            let written = write(capacity: 1 << 20) { writer in
                for tree in trees { tree.write(&writer) }
            }
            let bytes = written.bytes ?? []
            #expect(written.error == CEMV_WIRE_OK, "seed \(seed)")
            withGuardedBytes(bytes) { lent in
                #expect(cemv_tlv_check(lent, nil) == CEMV_WIRE_OK, "seed \(seed)")
                #expect(Tree.read(lent) == trees, "seed \(seed)")
            }
        }
    }

    @Test func tooSmallABufferIsAnErrorAtEverySize() {
        var random = SeededRandom(seed: 7)
        let tree = Tree.constructed(
            0x6F, [.primitive(0x9F38, random.bytes(200)), .constructed(0xA5, [.primitive(0x50, random.bytes(130))])])
        let whole = write { tree.write(&$0) }.bytes ?? []
        #expect(whole.count > 330)
        for capacity in 0..<whole.count {
            let written = write(capacity: capacity) { tree.write(&$0) }
            #expect(written.bytes == nil)
            #expect(written.error == CEMV_WIRE_NO_SPACE, "\(capacity) bytes")
        }
        #expect(write(capacity: whole.count) { tree.write(&$0) }.bytes == whole)
    }

    @Test func writesNothingAfterTheFirstError() {
        var memory = [UInt8](repeating: 0, count: 8)
        memory.withUnsafeMutableBytes { buffer in
            var writer = cemv_writer_open(buffer.baseAddress, buffer.count)
            cemv_writer_put_byte(&writer, 1)
            put(&writer, 0x5A, [UInt8](repeating: 9, count: 6))
            #expect(writer.error == CEMV_WIRE_NO_SPACE)
            cemv_writer_put_byte(&writer, 2)
            put(&writer, 0x5A, [])
            cemv_writer_open_tlv(&writer, 0x70)
            cemv_writer_close_tlv(&writer)
            #expect(writer.size == 1)
            #expect(writer.error == CEMV_WIRE_NO_SPACE)
            #expect(cemv_writer_finish(&writer).size == 0)
        }
        #expect(memory == [1, 0, 0, 0, 0, 0, 0, 0])
    }

    @Test(arguments: [0, 0x9F, 0x5A01, 0xDF81_8181] as [UInt32])
    func refusesNumbersThatAreNoTags(number: UInt32) {
        #expect(write { put(&$0, number, [1]) }.error == CEMV_WIRE_BAD_TAG)
        #expect(write { cemv_writer_open_tlv(&$0, number) }.error == CEMV_WIRE_BAD_TAG)
    }

    @Test func opensConstructedTagsOnly() {
        #expect(write { cemv_writer_open_tlv(&$0, 0x5A) }.error == CEMV_WIRE_BAD_TAG)
    }

    @Test func openAndCloseMustPair() {
        #expect(write { cemv_writer_open_tlv(&$0, 0x70) }.error == CEMV_WIRE_UNBALANCED)
        #expect(write { cemv_writer_close_tlv(&$0) }.error == CEMV_WIRE_UNBALANCED)
    }

    @Test func opensNoDeeperThanAWalkFollows() {
        func nest(_ count: Int) -> (bytes: [UInt8]?, error: cemv_wire_error) {
            write { writer in
                for _ in 0..<count { cemv_writer_open_tlv(&writer, 0x70) }
                put(&writer, 0x5A, [1])
                for _ in 0..<count { cemv_writer_close_tlv(&writer) }
            }
        }
        let deepest = nest(Int(CEMV_TLV_MAX_DEPTH) - 1)
        withBytes(deepest.bytes ?? []) { #expect(cemv_tlv_check($0, nil) == CEMV_WIRE_OK) }
        #expect(deepest.error == CEMV_WIRE_OK)
        #expect(nest(Int(CEMV_TLV_MAX_DEPTH)).error == CEMV_WIRE_TOO_DEEP)
    }

    @Test func acceptsNullWithoutCapacity() {
        var writer = cemv_writer_open(nil, 0)
        withBytes([]) { cemv_writer_put_bytes(&writer, $0) }
        #expect(writer.error == CEMV_WIRE_OK)
        #expect(cemv_writer_finish(&writer).size == 0)
        cemv_writer_put_byte(&writer, 0)
        #expect(writer.error == CEMV_WIRE_NO_SPACE)
    }
}
