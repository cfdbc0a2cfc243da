// SPDX-License-Identifier: Apache-2.0
import EMVKernel

/// Reads data objects for people: it shows every complete object, reports a wrong length at its own byte, and tries to
/// continue after it. A kernel stops at the first fault, and never reads FF as a tag (`wire/tlv.c`).
///
/// By Book 3, annex B, FF begins a private tag of several bytes, as Kernel 2's FF8106 does; cards also use it as
/// filler. FF counts as a tag if an object fits there, and as filler otherwise.
struct TolerantTree {
    struct Node {
        let tag: Tag
        let isConstructed: Bool
        /// The length in the length field; ``value`` has fewer bytes if the object is cut.
        let length: Int
        let value: ArraySlice<UInt8>
        var children: [Node]
    }

    private(set) var nodes: [Node] = []
    private(set) var faults: [DecodedData.Fault] = []
    private(set) var statusWord: Bytes?

    private let bytes: Bytes

    /// - Parameter bytes: data objects, or a response with its status word.
    init(_ bytes: Bytes) {
        self.bytes = bytes
        var end = bytes.count
        if hasStatusWord {
            statusWord = Bytes(bytes.suffix(2))
            end -= 2
        }
        nodes = read(0..<end, limit: end, in: nil, depth: 1).nodes
    }

    /// Every primitive object, inside any template; for a repeated tag the last one.
    var primitives: DataObjects {
        var objects = DataObjects()
        TolerantTree.collect(nodes, into: &objects)
        return objects
    }

    private static func collect(_ nodes: [Node], into objects: inout DataObjects) {
        for node in nodes {
            if !node.isConstructed { objects[node.tag] = Bytes(node.value) }
            if node.tag == 0x80 {
                for (tag, value) in FormatOne.objects(Bytes(node.value)) { objects[tag] = value }
            }
            collect(node.children, into: &objects)
        }
    }

    /// Returns true if these are the objects that Kernel 2 returns (Book C-2, annex A): FF8105, FF8106, DF8129, DF8115.
    var hasKernel2Outcome: Bool {
        TolerantTree.contains(nodes) { [0xFF8101, 0xFF8105, 0xFF8106, 0xDF8129, 0xDF8115].contains($0.tag.rawValue) }
    }

    /// True if there are objects that only Kernel 8 has (Book C-8, annex A).
    var hasKernel8Objects: Bool {
        TolerantTree.contains(nodes) { (0x9F8101...0x9F827F).contains($0.tag.rawValue) }
    }

    /// True if these are the entries of GlobalPlatform's GET STATUS: E3 with a life cycle state.
    var isOfSecurityDomain: Bool {
        !nodes.isEmpty && nodes.allSatisfy { $0.tag == 0xE3 && $0.children.contains { $0.tag == 0x9F70 } }
    }

    private static func contains(_ nodes: [Node], _ isWanted: (Node) -> Bool) -> Bool {
        nodes.contains { isWanted($0) || contains($0.children, isWanted) }
    }

    // MARK: The status word

    /// One template with two bytes after it, or a template whose wrong length reaches into 9000 or beyond it.
    private var hasStatusWord: Bool {
        let end = bytes.count - 2
        guard end > 0, let first = header(at: 0, end: bytes.count).header,
            first.isConstructed || first.tag == 0x80
        else { return false }
        let (one, two) = (bytes[end], bytes[end + 1])
        if first.length == end - first.valueAt { return one == 0x90 || one & 0xF0 == 0x60 }
        guard one == 0x90, two == 0x00, first.isConstructed, first.valueAt <= end else { return false }
        let length = first.length
        if length > bytes.count - first.valueAt { return true }
        return length > end - first.valueAt
            && (isSound(first.valueAt..<end) || !isSound(first.valueAt..<first.valueAt + length))
    }

    // MARK: Siblings

    private mutating func fault(_ message: String, at index: Int) {
        faults.append(DecodedData.Fault(position: min(index + 1, bytes.count), message: message))
    }

    /// Reads the objects of one template.
    ///
    /// - Parameters:
    ///   - limit: the end of the data around this template.
    ///   - template: the template; `nil` for the outermost objects.
    /// - Returns: the objects, and the place of the next object after the template: later than `range` ends if the
    ///   template's own length turns out to be too short.
    private mutating func read(
        _ range: Range<Int>, limit: Int, in template: Header?, depth: Int
    ) -> (nodes: [Node], end: Int) {
        var nodes: [Node] = []
        var (at, end) = (range.lowerBound, range.upperBound)
        while at < end {
            if bytes[at] == 0x00 || bytes[at] == 0xFF && isFiller(at, end) {
                at += 1
                continue
            }
            // After several objects too, not only after one template.
            if depth == 1, !faults.isEmpty || !nodes.isEmpty, end - at == 2, statusWord == nil, bytes[at] == 0x90,
                bytes[at + 1] == 0x00
            {
                statusWord = [0x90, 0x00]
                break
            }
            if let template, let later = extended(template, at, end, limit) { end = later }
            let found = header(at: at, end: end)
            guard let header = found.header else {
                fault(TolerantTree.explain(found.error, found.tag), at: found.at)
                break
            }
            var valueEnd = end
            if let error = found.error {
                fault(TolerantTree.explain(error, header.tag), at: found.at)
            } else if header.length <= end - header.valueAt {
                valueEnd = header.valueAt + header.length
            } else {
                let left = end - header.valueAt
                fault(
                    "\(header.tag): length \(header.length), "
                        + (left == 0 ? "nothing is" : left == 1 ? "only 1 byte is" : "only \(left) bytes are") + " left"
                        + (template.map { " in \($0.tag)" } ?? ""), at: header.lengthAt)
                if !header.isConstructed, let next = resumption(header, end) { valueEnd = next }
            }
            var node = Node(
                tag: header.tag, isConstructed: header.isConstructed,
                length: found.error == nil ? header.length : valueEnd - header.valueAt,
                value: bytes[header.valueAt..<valueEnd], children: [])
            if header.isConstructed, header.valueAt < valueEnd {
                if depth < TLVReader.maximumDepth {
                    let inner = read(
                        header.valueAt..<valueEnd, limit: end, in: header, depth: depth + 1)
                    node.children = inner.nodes
                    valueEnd = inner.end
                } else {
                    fault(TolerantTree.explain(.tooDeep, header.tag), at: header.valueAt)
                }
            }
            nodes.append(node)
            at = valueEnd
        }
        return (nodes, end)
    }

    /// The end of a template whose own length is too short: an object begins inside it and ends after it, and the data
    /// after that object can be read but those after the template cannot, or the object is the last one. `nil`: the
    /// length is right, or nothing shows that it is wrong.
    private mutating func extended(_ template: Header, _ at: Int, _ end: Int, _ limit: Int) -> Int? {
        guard end < limit, let object = header(at: at, end: limit).header, header(at: at, end: limit).error == nil,
            object.length <= limit - object.valueAt
        else { return nil }
        let wanted = object.valueAt + object.length
        guard wanted > end, isReadable(wanted..<limit) else { return nil }
        // With the longer length the template covers all the data: one wrong length explains everything.
        let isAll = wanted == limit || limit - wanted == 2 && bytes[wanted] == 0x90 && bytes[wanted + 1] == 0x00
        guard isAll || !isReadable(end..<limit) else { return nil }
        let missing = wanted - end
        fault(
            "\(template.tag): length \(template.length) is \(missing) too short, \(object.tag) ends behind it",
            at: template.lengthAt)
        return wanted
    }

    /// Returns true if these bytes are one or more data objects without a fault.
    private func isSound(_ range: Range<Int>) -> Bool {
        var reader = TLVReader(bytes[range])
        var count = 0
        while reader.next() != nil { count += 1 }
        return count > 0 && reader.error == nil
    }

    /// Returns true if the data can be read from here: nothing, a status word, or data objects with or without a status
    /// word after them.
    private func isReadable(_ range: Range<Int>) -> Bool {
        if range.isEmpty { return true }
        let last = range.upperBound - 2
        guard range.count >= 2, bytes[last] == 0x90, bytes[last + 1] == 0x00 else { return isSound(range) }
        return range.count == 2 || isSound(range.lowerBound..<last)
    }

    /// The place where objects begin again in the value of a primitive object whose length is too long: the first place
    /// from which objects with known names fill the template. An account number is never split.
    private func resumption(_ header: Header, _ end: Int) -> Int? {
        let least: Int =
            switch header.tag.rawValue {
            case 0x5A: 8
            case 0x56, 0x57, 0x9F6B, 0x9F1F, 0x9F20: 11
            default: 1
            }
        guard header.valueAt + least < end else { return nil }
        return (header.valueAt + least..<end).first { place in
            guard bytes[place] != 0x00, bytes[place] != 0xFF else { return false }
            var reader = TLVReader(bytes[place..<end])
            var count = 0
            while let object = reader.next() {
                if object.value.isEmpty || Names.tags(object.tag).isEmpty { return false }
                count += 1
            }
            return count > 0 && reader.error == nil
        }
    }

    // MARK: FF

    /// Returns true if FF at this place is filler: no object fits, or the object is less plausible than the one after
    /// the filler.
    private func isFiller(_ at: Int, _ end: Int) -> Bool {
        guard at + 1 < end, bytes[at + 1] != 0x00, bytes[at + 1] != 0xFF else { return true }
        let found = header(at: at, end: end)
        guard found.error == nil, let object = found.header else { return true }
        let isNamed = !Names.tags(object.tag).isEmpty
        guard object.length <= end - object.valueAt else { return !isNamed || isSound(at + 1..<end) }
        if isNamed || isSound(object.valueAt..<object.valueAt + object.length) { return false }
        if at > 0, bytes[at - 1] == 0xFF { return true }
        let behind = header(at: at + 1, end: end)
        guard behind.error == nil, let next = behind.header, next.length <= end - next.valueAt else { return false }
        // Low bits 11111 start a tag of several bytes; they are rare in the second byte of a tag that begins with FF.
        return bytes[at + 1] & 0x1F == 0x1F || !Names.tags(next.tag).isEmpty
    }

    // MARK: Tag and length

    private struct Header {
        let tag: Tag
        let isConstructed: Bool
        let length: Int
        let lengthAt: Int
        let valueAt: Int
    }

    /// The header at a place. If the length is invalid, the tag and the place of the value are still set.
    private struct Found {
        var header: Header?
        var tag: Tag?
        var error: TLVError?
        /// The place of the error.
        var at = 0
    }

    private func header(at start: Int, end: Int) -> Found {
        var at = start
        var number = UInt32(bytes[at])
        at += 1
        if number & 0x1F == 0x1F {
            repeat {
                guard at - start < 4 else { return Found(error: .longTag, at: start) }
                guard at < end else { return Found(error: .truncatedTag, at: start) }
                number = number << 8 | UInt32(bytes[at])
                at += 1
            } while number & 0x80 != 0
        }
        guard let tag = Tag(rawValue: number) else { return Found(error: .longTag, at: start) }
        guard at < end else { return Found(tag: tag, error: .truncatedLength, at: at - 1) }
        let lengthAt = at
        var (length, error) = (Int(bytes[at]), TLVError?.none)
        at += 1
        if length >= 0x80 {
            let count = length & 0x7F
            length = 0
            if count == 0 {
                error = .indefiniteLength
            } else if count > 4 {
                error = .longLength
            } else if count > end - at {
                return Found(tag: tag, error: .truncatedLength, at: lengthAt)
            } else {
                length = Int(clamping: bytes[at..<at + count].reduce(UInt32(0)) { $0 << 8 | UInt32($1) })
                at += count
            }
        }
        let header = Header(
            tag: tag, isConstructed: bytes[start] & 0x20 != 0, length: length, lengthAt: lengthAt, valueAt: at)
        return Found(header: header, tag: tag, error: error, at: lengthAt)
    }

    private static func explain(_ error: TLVError?, _ tag: Tag?) -> String {
        let name = tag.map { "\($0): " } ?? ""
        return switch error {
        case .truncatedTag: "the bytes end inside a tag"
        case .longTag: "a tag of more than four bytes"
        case .truncatedLength: name + "the bytes end before or inside the length"
        case .indefiniteLength: name + "an indefinite length, which EMV does not allow"
        case .longLength: name + "a length of more than four bytes"
        case .tooDeep: name + "nested too deep"
        case .truncatedValue, nil: name + "the value is longer than the bytes that are left"
        }
    }
}
