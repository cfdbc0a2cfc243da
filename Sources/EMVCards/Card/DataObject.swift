// SPDX-License-Identifier: Apache-2.0
/// One BER-TLV data object as the simulator writes it: the tag as a number, the length in its shortest form.
struct DataObject: Sendable, Hashable {
    var tag: UInt32
    var value: [UInt8]

    init(_ tag: UInt32, _ value: [UInt8]) {
        self.tag = tag
        self.value = value
    }

    /// Makes a template that contains other data objects.
    init(_ tag: UInt32, _ objects: [DataObject]) {
        self.init(tag, objects.flatMap { $0.bytes })
    }

    var bytes: [UInt8] { Self.tagBytes(tag) + Self.lengthBytes(value.count) + value }

    static func tagBytes(_ tag: UInt32) -> [UInt8] {
        let bytes = (0..<4).map { UInt8(truncatingIfNeeded: tag >> UInt32(24 - 8 * $0)) }
        return Array(bytes.drop { $0 == 0 })
    }

    static func lengthBytes(_ count: Int) -> [UInt8] {
        switch count {
        case ..<0x80: [UInt8(count)]
        case ..<0x100: [0x81, UInt8(count)]
        default: [0x82, UInt8(truncatingIfNeeded: count >> 8), UInt8(truncatingIfNeeded: count)]
        }
    }
}

extension DataObject {
    /// Returns the consecutive data objects in `bytes`, or nil if they are malformed. Zeros between objects are
    /// skipped.
    static func parse(_ bytes: [UInt8]) -> [DataObject]? {
        var objects: [DataObject] = []
        var at = 0
        while at < bytes.count {
            if bytes[at] == 0 {
                at += 1
                continue
            }
            guard let (tag, lengthAt) = parseTag(bytes, at), let (count, valueAt) = parseLength(bytes, lengthAt),
                count <= bytes.count - valueAt
            else { return nil }
            objects.append(DataObject(tag, Array(bytes[valueAt..<valueAt + count])))
            at = valueAt + count
        }
        return objects
    }

    var isTemplate: Bool { Self.tagBytes(tag).first.map { $0 & 0x20 != 0 } ?? false }

    private static func parseTag(_ bytes: [UInt8], _ start: Int) -> (UInt32, Int)? {
        var tag = UInt32(bytes[start])
        var at = start + 1
        if bytes[start] & 0x1F == 0x1F {
            repeat {
                guard at < bytes.count, at - start < 4 else { return nil }
                tag = tag << 8 | UInt32(bytes[at])
                at += 1
            } while bytes[at - 1] & 0x80 != 0
        }
        return (tag, at)
    }

    private static func parseLength(_ bytes: [UInt8], _ start: Int) -> (Int, Int)? {
        guard start < bytes.count else { return nil }
        let first = bytes[start]
        if first < 0x80 { return (Int(first), start + 1) }
        let more = Int(first & 0x7F)
        guard more >= 1, more <= 2, start + more < bytes.count else { return nil }
        let count = bytes[start + 1...start + more].reduce(0) { $0 << 8 | Int($1) }
        return (count, start + 1 + more)
    }
}
