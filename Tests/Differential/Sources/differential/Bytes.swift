// SPDX-License-Identifier: Apache-2.0
// Bytes, hex and BER-TLV of the independent implementation (EMV Book 3, Annex B). Entered by `parseObjects`; knows no
// tags and no kernel.

typealias Bytes = [UInt8]

func hex(_ bytes: Bytes) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var out: [UInt8] = []
    out.reserveCapacity(bytes.count * 2)
    for byte in bytes {
        out.append(digits[Int(byte >> 4)])
        out.append(digits[Int(byte & 0x0F)])
    }
    return String(decoding: out, as: UTF8.self)
}

func unhex(_ text: some StringProtocol) -> Bytes? {
    var out: Bytes = []
    var high: UInt8?
    for c in text.utf8 {
        let value: UInt8
        switch c {
        case 0x30...0x39: value = c - 0x30
        case 0x41...0x46: value = c - 0x41 + 10
        case 0x61...0x66: value = c - 0x61 + 10
        default: return nil
        }
        if let h = high {
            out.append(h << 4 | value)
            high = nil
        } else {
            high = value
        }
    }
    return high == nil ? out : nil
}

/// A data object. `start` and `end` are its position in the parsed bytes.
struct Object {
    var tag: UInt32
    var value: Bytes
    var start = 0
    var end = 0

    /// Bit 6 of the first byte of the tag (Book 3, B1).
    var isConstructed: Bool {
        var first = tag
        while first > 0xFF { first >>= 8 }
        return first & 0x20 != 0
    }
}

/// All objects of one level. Filler bytes 00 and FF between them are skipped; objects of a terminal have no filler, but
/// may have tags that begin with FF. `nil` if the bytes do not parse.
func parseObjects(_ bytes: Bytes, filler: Bool = true) -> [Object]? {
    var objects: [Object] = []
    var at = 0
    while at < bytes.count {
        if filler && (bytes[at] == 0x00 || bytes[at] == 0xFF) {
            at += 1
            continue
        }
        guard let object = parseObject(bytes, at: at) else { return nil }
        objects.append(object)
        at = object.end
    }
    return objects
}

/// The object that begins at `at`.
func parseObject(_ bytes: Bytes, at start: Int) -> Object? {
    guard let (tag, afterTag) = parseTag(bytes, at: start) else { return nil }
    var at = afterTag
    if at >= bytes.count { return nil }
    var length = Int(bytes[at])
    at += 1
    if length > 0x7F {
        let count = length & 0x7F
        if count == 0 || count > 3 || at + count > bytes.count { return nil }
        length = 0
        for _ in 0..<count {
            length = length << 8 | Int(bytes[at])
            at += 1
        }
    }
    if at + length > bytes.count { return nil }
    return Object(tag: tag, value: Array(bytes[at..<at + length]), start: start, end: at + length)
}

/// A tag of up to four bytes, and its end (Book 3, B1).
func parseTag(_ bytes: Bytes, at start: Int) -> (tag: UInt32, end: Int)? {
    if start >= bytes.count { return nil }
    var at = start
    var tag = UInt32(bytes[at])
    at += 1
    if tag & 0x1F == 0x1F {
        var more = true
        while more {
            if at >= bytes.count || at - start >= 4 { return nil }
            tag = tag << 8 | UInt32(bytes[at])
            more = bytes[at] & 0x80 != 0
            at += 1
        }
    }
    return (tag, at)
}

/// The first object of that tag.
func find(_ tag: UInt32, in objects: [Object]) -> Bytes? {
    for object in objects where object.tag == tag { return object.value }
    return nil
}

func tagBytes(_ tag: UInt32) -> Bytes {
    var out: Bytes = []
    for shift in [24, 16, 8, 0] {
        let byte = UInt8(tag >> UInt32(shift) & 0xFF)
        if byte != 0 || !out.isEmpty { out.append(byte) }
    }
    return out
}

func lengthBytes(_ length: Int) -> Bytes {
    if length < 0x80 { return [UInt8(length)] }
    if length < 0x100 { return [0x81, UInt8(length)] }
    return [0x82, UInt8(length >> 8), UInt8(length & 0xFF)]
}

func tlv(_ tag: UInt32, _ value: Bytes) -> Bytes {
    tagBytes(tag) + lengthBytes(value.count) + value
}

/// An entry of a data object list (Book 3, 5.4).
struct ListEntry {
    var tag: UInt32
    var length: Int
}

/// `nil` if the list does not parse: a tag without its length.
func parseList(_ bytes: Bytes) -> [ListEntry]? {
    var entries: [ListEntry] = []
    var at = 0
    while at < bytes.count {
        guard let (tag, end) = parseTag(bytes, at: at), end < bytes.count else { return nil }
        entries.append(ListEntry(tag: tag, length: Int(bytes[end])))
        at = end + 1
    }
    return entries
}

/// `count` bytes of packed decimal digits.
func decimal(_ value: UInt64, _ count: Int) -> Bytes {
    var rest = value
    var out = Bytes(repeating: 0, count: count)
    for i in stride(from: count - 1, through: 0, by: -1) {
        out[i] = UInt8(rest % 10) | UInt8(rest / 10 % 10) << 4
        rest /= 100
    }
    return out
}

func isDecimal(_ bytes: Bytes) -> Bool {
    for byte in bytes where byte >> 4 > 9 || byte & 0x0F > 9 { return false }
    return true
}

func nibbles(_ bytes: Bytes) -> [UInt8] {
    var out: [UInt8] = []
    for byte in bytes {
        out.append(byte >> 4)
        out.append(byte & 0x0F)
    }
    return out
}
