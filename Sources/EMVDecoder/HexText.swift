// SPDX-License-Identifier: Apache-2.0
import EMVKernel

/// Reads pasted hex digits.
public enum HexText {
    /// Why a text is not hex; it contains no digit of the text.
    public struct Fault: Error, Sendable, Hashable, CustomStringConvertible {
        public var description: String
    }

    /// Pairs of hex digits, with white space anywhere between digits; the place of a fault counts characters from 1. If
    /// every group has one or two digits, as C's `%x` prints bytes, a group of one is a byte.
    public static func bytes(_ text: String) throws(Fault) -> Bytes {
        if let printed = printed(text) { return printed }
        var bytes = Bytes()
        var high: UInt8?
        var position = 0
        for character in text {
            position += 1
            if character.isWhitespace { continue }
            guard character.isASCII, let digit = character.hexDigitValue else {
                throw Fault(description: "character \(position), \"\(character)\": expected a hex digit")
            }
            if let upper = high {
                bytes.append(upper << 4 | UInt8(digit))
                high = nil
            } else {
                high = UInt8(digit)
            }
        }
        guard high == nil else {
            throw Fault(description: "character \(position): an odd number of hex digits, expected pairs")
        }
        guard !bytes.isEmpty else { throw Fault(description: "no hex digits given") }
        return bytes
    }

    /// Bytes, and whether some of their digits are masked and were read as 0.
    package typealias Read = (bytes: Bytes, isMasked: Bool)

    /// Hex digits, or data copied from programs.
    package static func data(_ text: String) throws(Fault) -> Read {
        do throws(Fault) { return (try bytes(text), false) } catch {
            // A digit without its other half is not completed.
            let isHex = text.allSatisfy { $0.isWhitespace || $0.isASCII && $0.hexDigitValue != nil }
            if !isHex, let pasted = pasted(text) { return pasted }
            throw error
        }
    }

    /// Bytes printed without leading zeros; `nil` unless there are groups of one digit, groups of two without a leading
    /// zero, and no others.
    private static func printed(_ text: String) -> Bytes? {
        var bytes = Bytes()
        var (digits, value) = (0, UInt8(0))
        var (ones, twos) = (0, 0)
        for character in text + " " {
            if character.isWhitespace {
                if digits == 0 { continue }
                bytes.append(value)
                if digits == 1 { ones += 1 } else { twos += 1 }
                (digits, value) = (0, 0)
            } else {
                guard digits < 2, character.isASCII, let digit = character.hexDigitValue, digits == 0 || value > 0
                else { return nil }
                value = value << 4 | UInt8(digit)
                digits += 1
            }
        }
        return ones > 0 && twos > 0 ? bytes : nil
    }

    /// Data copied from programs: with `0x`, commas or colons between bytes, or as a dump of `xxd` or `hexdump -C`.
    /// `nil`: the text contains something else.
    package static func pasted(_ text: String) -> Read? {
        var bytes = Bytes()
        var isMasked = false
        for line in LogLine.lines(of: text) where !line.isBlank {
            if let row = dumped(line, at: bytes.count) {
                bytes += row
            } else {
                var inner = line.text.drop(while: isAround)
                while let last = inner.last, isAround(last) { inner.removeLast() }
                if inner.isEmpty { continue }
                guard let first = inner.first, !HexRun.isMask(first),
                    let run = HexRun.whole(LogLine(number: line.number, text: Bytes(inner))), !run.isCut
                else { return nil }
                // A single masked digit is an error.
                if run.isMasked, inner.filter(HexRun.isMask).count == 1 { return nil }
                bytes += run.bytes
                isMasked = isMasked || run.isMasked
            }
        }
        return bytes.isEmpty ? nil : (bytes, isMasked)
    }

    /// Data after their common name, `IAD: 06 01 …`, or after their tag, `95: 80 00 …`, one per line. A value that
    /// does not already include its tag gets the tag of its name. `nil`: there is another kind of line, or an unknown
    /// name.
    ///
    /// - Parameters:
    ///   - isStrict: each line must have a tag or the name of a tag.
    ///   - bySpace: a space alone may separate a tag and its value.
    package static func labelled(_ text: String, isStrict: Bool = false, bySpace: Bool = false) -> Read? {
        var bytes = Bytes()
        var isMasked = false
        for line in LogLine.lines(of: text) where !line.isBlank {
            guard let (label, value) = parts(line, bySpace) else { return nil }
            // A heading has no value.
            if isStrict, value.isEmpty { continue }
            guard let run = HexRun.whole(LogLine(number: 0, text: value)), !run.isCut else { return nil }
            isMasked = isMasked || run.isMasked
            let name = label.map { (0x61...0x7A).contains($0) ? $0 & 0xDF : $0 }
            let hasColon = value.contains(0x3A) || value.contains(0x3D)
            let named = labels.first { name.elementsEqual($0.name.utf8) }?.tag
            if let tag = named ?? (hasColon ? nil : self.tag(ofLabel: name)) {
                // A template and its length are two words too.
                if isStrict, CommandLog.isKnownCommand(run.bytes) || bySpace && tag.isConstructed { return nil }
                if CommandLog.isObject(run.bytes), run.bytes.starts(with: tag.bytes) {
                    bytes += run.bytes
                } else if named == nil, run.firstWord == 2, run.bytes.count > 1,
                    CommandLog.isObject(tag.bytes + run.bytes)
                {
                    // The value already includes its length.
                    bytes += tag.bytes + run.bytes
                } else {
                    bytes += ([tag: run.bytes] as DataObjects).encoded
                }
            } else if !isStrict, CommandLog.isObject(run.bytes) {
                bytes += run.bytes
            } else {
                return nil
            }
        }
        return bytes.isEmpty ? nil : (bytes, isMasked)
    }

    /// The text before and after a colon or an equals sign, or after a known name; without quotes.
    private static func parts(_ line: LogLine, _ bySpace: Bool) -> (label: Bytes, value: Bytes)? {
        func trimmed(_ text: ArraySlice<UInt8>) -> Bytes {
            func isAround(_ byte: UInt8) -> Bool { LogLine.isSpace(byte) || [0x22, 0x27, 0x2C, 0x3B].contains(byte) }
            var text = text.drop(while: isAround)
            while let last = text.last, isAround(last) { text.removeLast() }
            return Bytes(text)
        }
        if let end = line.text.firstIndex(where: { $0 == 0x3A || $0 == 0x3D }) {
            var value = trimmed(line.text[(end + 1)...])
            // A comment in brackets.
            if value.last == 0x29, let bracket = value.firstIndex(of: 0x28) { value = trimmed(value[..<bracket]) }
            return (trimmed(line.text[..<end]), value)
        }
        let text = line.text[line.start...]
        let name = text.map { (0x61...0x7A).contains($0) ? $0 & 0xDF : $0 }
        var count = 0
        for label in labels where name.starts(with: label.name.utf8) && label.name.utf8.count > count {
            let end = label.name.utf8.count
            if end < name.count, LogLine.isSpace(name[end]) { count = end }
        }
        if count > 0 { return (trimmed(text.prefix(count)), trimmed(text.dropFirst(count))) }
        let words = text.split(whereSeparator: LogLine.isSpace)
        return bySpace && words.count == 2 ? (trimmed(words[0]), trimmed(words[1])) : nil
    }

    /// The tag of a label in upper case: `95`, `0x95`, `TAG 95`, `95 TVR`, `TVR (95)`.
    private static func tag(ofLabel label: Bytes) -> Tag? {
        func isSign(_ byte: UInt8) -> Bool { LogLine.isSpace(byte) || [0x28, 0x29, 0x3C, 0x3E].contains(byte) }
        var words = label.split(whereSeparator: isSign)
        if words.first?.elementsEqual("TAG".utf8) ?? false { words.removeFirst() }
        func tag(_ word: ArraySlice<UInt8>?) -> Tag? {
            guard var digits = word else { return nil }
            if digits.starts(with: "0X".utf8) { digits = digits.dropFirst(2) }
            let isHex = digits.allSatisfy { HexRun.digit($0) != nil && !HexRun.isMask($0) }
            guard isHex, [2, 4, 6, 8].contains(digits.count) else { return nil }
            // The offset of a dump, such as 00000010, is not a tag.
            return Tag(rawValue: UInt32(HexRun.number(digits))).flatMap { 2 * $0.size == digits.count ? $0 : nil }
        }
        // Labels are not hex: a line of bytes that contains a colon has no label.
        func isWord(_ word: ArraySlice<UInt8>) -> Bool { !word.allSatisfy { HexRun.digit($0) != nil } }
        if let first = tag(words.first) { return words.dropFirst().first.map(isWord) ?? true ? first : nil }
        return label.last == 0x29 && words.dropLast().allSatisfy(isWord) ? tag(words.last) : nil
    }

    private static let labels: [(name: String, tag: Tag)] = [
        ("IAD", 0x9F10), ("AIP", 0x82), ("AFL", 0x94), ("ATC", 0x9F36), ("TVR", 0x95), ("TSI", 0x9B), ("CID", 0x9F27),
        ("AC", 0x9F26), ("ARQC", 0x9F26), ("TC", 0x9F26), ("AAC", 0x9F26), ("CVMR", 0x9F34), ("CVM RESULTS", 0x9F34),
        ("CVM LIST", 0x8E), ("TTQ", 0x9F66), ("CTQ", 0x9F6C), ("PDOL", 0x9F38), ("CDOL1", 0x8C), ("CDOL2", 0x8D),
        ("UN", 0x9F37), ("AID", 0x4F), ("PAN", 0x5A), ("TRACK2", 0x57), ("TRACK 2", 0x57), ("AUC", 0x9F07),
    ]

    /// Spaces, brackets, a comma or a semicolon, which surround a line in a program's list.
    private static func isAround(_ byte: UInt8) -> Bool {
        LogLine.isSpace(byte) || [0x7B, 0x7D, 0x5B, 0x5D, 0x2C, 0x3B].contains(byte)
    }

    /// `00000010: 6f07 8405 …  o...` or `00000010  6f 07 84 05 …  |o...|`: the offset in eight digits, up to
    /// sixteen bytes, their characters. The last line may consist of the offset only.
    private static func dumped(_ line: LogLine, at count: Int) -> Bytes? {
        let text = line.text
        let place = text.prefix { HexRun.digit($0) != nil }
        guard place.count == 8, HexRun.number(place) == count else { return nil }
        var rest = text[place.endIndex...]
        if rest.allSatisfy(LogLine.isSpace) { return count > 0 ? [] : nil }
        if rest.first == 0x3A {
            rest = rest.dropFirst().drop(while: LogLine.isSpace)
            if let gap = rest.indices.dropLast().first(where: { rest[$0] == 0x20 && rest[$0 + 1] == 0x20 }) {
                rest = rest[..<gap]
            }
        } else if let bar = rest.firstIndex(of: 0x7C), LogLine.isSpace(rest[rest.startIndex]) {
            rest = rest[..<bar]
        } else {
            return nil
        }
        let run = HexRun.whole(LogLine(number: line.number, text: Bytes(rest)))
        return run.flatMap { $0.bytes.count <= 16 && !$0.isMasked ? $0.bytes : nil }
    }
}
