// SPDX-License-Identifier: Apache-2.0
import CEMV
import EMVKit
import TestData
import Testing

@Suite struct TLVTests {
    @Test func readsTagsLengthsAndNesting() {
        var tree = TLVTree([0x6F, 0x08, 0x84, 0x02, 0xA0, 0x00, 0xA5, 0x02, 0x50, 0x00, 0x9F, 0x02, 0x81, 0x01, 0x07])
        var seen: [String] = []
        while let (object, depth) = tree.next() { seen.append("\(depth) \(object.tag) \(Hex.string(object.value))") }
        #expect(tree.error == nil)
        #expect(seen == ["1 6F 8402A000A5025000", "2 84 A000", "2 A5 5000", "3 50 ", "1 9F02 07"])
    }

    @Test func skipsPaddingBetweenObjects() {
        let tags = TLVReader([0x00, 0xFF, 0x5A, 0x00, 0xFF, 0x00, 0x57, 0x00, 0x00]).map(\.tag)
        #expect(tags == [0x5A, 0x57])
    }

    @Test(
        arguments: [
            ([0x9F], TLVError.truncatedTag), ([0x9F, 0x80, 0x80, 0x80, 0x01, 0x00], .longTag),
            ([0x5A], .truncatedLength),
            ([0x5A, 0x80], .indefiniteLength), ([0x5A, 0x85, 0, 0, 0, 0, 0], .longLength),
            ([0x5A, 0x82, 0x01], .truncatedLength),
            ([0x5A, 0x02, 0x00], .truncatedValue), ([0x5A, 0x84, 0xFF, 0xFF, 0xFF, 0xFF], .truncatedValue),
        ] as [(Bytes, TLVError)])
    func rejects(_ bytes: Bytes, _ error: TLVError) {
        #expect(throws: error) { try TLVTree.check(bytes) }
    }

    @Test func rejectsNestingBelowDepthEight() throws {
        func nested(_ depth: Int) -> Bytes {
            (1..<depth).reduce([0x70, 0x02, 0x5A, 0x00]) { inner, _ in [0x70, UInt8(inner.count)] + inner }
        }
        try TLVTree.check(nested(7))
        #expect(throws: TLVError.tooDeep) { try TLVTree.check(nested(8)) }
    }

    @Test func agreesWithTheCodecOfTheKernelOnRandomBytes() {
        var generator = SeededRandom(seed: 20261121)
        for _ in 0..<20_000 {
            let bytes = generator.tlvLikeBytes()
            #expect(nodes(bytes) == codecNodes(bytes), "\(Hex.string(bytes))")
        }
    }

    @Test func tagReadsItsOwnDescription() {
        for number in [0x82, 0x9F02, 0xDF8129, 0x6F, 0x1F8001] as [UInt32] {
            let tag = Tag(rawValue: number)
            #expect(tag != nil)
            #expect(tag.flatMap { Tag($0.description) } == tag)
        }
        for number in [0, 0x9F, 0x9F80, 0x8202, 0x1FFFFFFF] as [UInt32] { #expect(Tag(rawValue: number) == nil) }
        for text in ["", "9F", "9F0", "009F02", "9F0G", "9F028101FF"] { #expect(Tag(text) == nil) }
    }

    @Test func dataObjectsReadTheirOwnEncoding() throws {
        let objects: DataObjects = [0x9F02: [1, 2, 3], 0x5F2A: Bytes(repeating: 7, count: 300), 0x84: []]
        #expect(try DataObjects(tlv: objects.encoded) == objects)
    }

    private func nodes(_ bytes: Bytes) -> [String] {
        var tree = TLVTree(bytes)
        var nodes: [String] = []
        while let (object, depth) = tree.next() {
            nodes.append(
                "\(depth) \(object.tag.rawValue) \(object.isConstructed) \(object.value.startIndex) "
                    + "\(object.value.count) \(object.whole.startIndex) \(object.whole.count)"
            )
        }
        nodes.append(tree.error.map(name) ?? "0")
        return nodes
    }

    private func codecNodes(_ bytes: Bytes) -> [String] {
        bytes.withUnsafeBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return ["0"] }
            var walk = cemv_tlv_walk_open(cemv_bytes(data: base, size: buffer.count))
            var object = cemv_tlv()
            var depth: UInt8 = 0
            var nodes: [String] = []
            while cemv_tlv_walk_next(&walk, &object, &depth) {
                let value = object.value.data.map { $0 - base } ?? 0
                let whole = object.whole.data.map { $0 - base } ?? 0
                nodes.append(
                    "\(depth) \(object.tag) \(object.constructed) \(value) "
                        + "\(object.value.size) \(whole) \(object.whole.size)"
                )
            }
            nodes.append("\(walk.error.rawValue)")
            return nodes
        }
    }

    private func name(_ error: TLVError) -> String {
        let all: [TLVError] = [
            .truncatedTag, .longTag, .truncatedLength, .indefiniteLength, .longLength, .truncatedValue, .tooDeep,
        ]
        return "\((all.firstIndex(of: error) ?? -2) + 1)"
    }
}

extension SeededRandom {
    /// Bytes that are often well-formed: nested objects, occasionally with one byte changed.
    mutating func tlvLikeBytes() -> Bytes {
        var bytes = objects(depth: Int.random(in: 0...9, using: &self))
        if !bytes.isEmpty, Bool.random(using: &self) {
            bytes[Int.random(in: bytes.indices, using: &self)] = UInt8.random(in: 0...255, using: &self)
        }
        if Int.random(in: 0..<4, using: &self) == 0 {
            bytes = Bytes(bytes.prefix(Int.random(in: 0...bytes.count, using: &self)))
        }
        return bytes
    }

    private mutating func objects(depth: Int) -> Bytes {
        var bytes = Bytes()
        for _ in 0..<Int.random(in: 0...2, using: &self) {
            let constructed = depth > 0
            let tags: [Bytes] =
                constructed
                ? [[0x6F], [0x70], [0xA5], [0xBF, 0x0C]]
                : [[0x5A], [0x9F, 0x02], [0xDF, 0x81, 0x29], [0x1F, 0x81, 0x82, 0x03]]
            let tag = tags.randomElement(using: &self) ?? []
            let value =
                constructed
                ? objects(depth: depth - 1) : Bytes(repeating: 0, count: Int.random(in: 0...3, using: &self))
            let forms: [Bytes] =
                value.count < 128
                ? [[UInt8(value.count)], [0x81, UInt8(value.count)], [0x84, 0, 0, 0, UInt8(value.count)]]
                : [[0x82, UInt8(value.count >> 8), UInt8(value.count & 0xFF)]]
            bytes += tag + (forms.randomElement(using: &self) ?? []) + value
            if Int.random(in: 0..<5, using: &self) == 0 { bytes.append(Bool.random(using: &self) ? 0 : 0xFF) }
        }
        return bytes
    }
}
