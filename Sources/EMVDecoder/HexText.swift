// SPDX-License-Identifier: Apache-2.0
import EMVKit

/// Hex digits as people paste them.
public enum HexText {
    /// Why a text is no hex; it shows no digit of it.
    public struct Fault: Error, Sendable, Hashable, CustomStringConvertible {
        public var description: String
    }

    /// Pairs of hex digits, with white space anywhere between digits; the place of a fault counts characters from 1.
    /// Where every group has one or two digits, as C's `%x` prints bytes, a group of one is a byte.
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

    /// Hex digits, or data as people copy them out of programs.
    package static func data(_ text: String) throws(Fault) -> Bytes {
        do throws(Fault) { return try bytes(text) } catch {
            if let pasted = pasted(text) { return pasted }
            throw error
        }
    }

    /// Bytes without their leading zero; `nil` unless there are groups of one digit and groups of two, and no others.
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
                guard digits < 2, character.isASCII, let digit = character.hexDigitValue else { return nil }
                value = value << 4 | UInt8(digit)
                digits += 1
            }
        }
        return ones > 0 && twos > 0 ? bytes : nil
    }

    /// Data as people copy them out of programs: with `0x`, commas or colons between bytes, or as a dump of `xxd` or
    /// `hexdump -C`. `nil`: something else stands there.
    package static func pasted(_ text: String) -> Bytes? {
        var bytes = Bytes()
        for line in LogLine.lines(of: text) where !line.isBlank {
            if let row = dumped(line, at: bytes.count) {
                bytes += row
            } else {
                var inner = line.text.drop(while: isAround)
                while let last = inner.last, isAround(last) { inner.removeLast() }
                if inner.isEmpty { continue }
                guard let run = HexRun.whole(LogLine(number: line.number, text: Bytes(inner))), !run.isMasked else {
                    return nil
                }
                bytes += run.bytes
            }
        }
        return bytes.isEmpty ? nil : bytes
    }

    /// Data behind what people call them, `IAD: 06 01 …`, a line each. A value that is no data object itself has the
    /// tag of its name. `nil`: another line is there, or a name that is not known.
    package static func labelled(_ text: String) -> Bytes? {
        var bytes = Bytes()
        for line in LogLine.lines(of: text) where !line.isBlank {
            guard let end = line.text.firstIndex(where: { $0 == 0x3A || $0 == 0x3D }) else { return nil }
            let label = line.text[line.start..<end].map { (0x61...0x7A).contains($0) ? $0 & 0xDF : $0 }
            guard let run = HexRun.whole(LogLine(number: 0, text: Bytes(line.text[(end + 1)...]))), !run.isMasked else {
                return nil
            }
            if CommandLog.isObject(run.bytes) {
                bytes += run.bytes
            } else if let tag = labels.first(where: { label.elementsEqual($0.name.utf8) })?.tag, run.bytes.count < 128 {
                bytes += tag.bytes + [UInt8(run.bytes.count)] + run.bytes
            } else {
                return nil
            }
        }
        return bytes.isEmpty ? nil : bytes
    }

    private static let labels: [(name: String, tag: Tag)] = [
        ("IAD", 0x9F10), ("AIP", 0x82), ("AFL", 0x94), ("ATC", 0x9F36), ("TVR", 0x95), ("TSI", 0x9B), ("CID", 0x9F27),
        ("AC", 0x9F26), ("ARQC", 0x9F26), ("TC", 0x9F26), ("AAC", 0x9F26), ("CVMR", 0x9F34), ("CVM RESULTS", 0x9F34),
        ("CVM LIST", 0x8E), ("TTQ", 0x9F66), ("CTQ", 0x9F6C), ("PDOL", 0x9F38), ("CDOL1", 0x8C), ("CDOL2", 0x8D),
        ("UN", 0x9F37), ("AID", 0x4F), ("PAN", 0x5A), ("TRACK2", 0x57), ("TRACK 2", 0x57), ("AUC", 0x9F07),
    ]

    /// Spaces, brackets, a comma or a semicolon, as lists in a program have them around a line.
    private static func isAround(_ byte: UInt8) -> Bool {
        LogLine.isSpace(byte) || [0x7B, 0x7D, 0x5B, 0x5D, 0x2C, 0x3B].contains(byte)
    }

    /// `00000010: 6f07 8405 …  o...` or `00000010  6f 07 84 05 …  |o...|`: the place in eight digits, up to sixteen
    /// bytes, their characters. The last line may have the place alone.
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
