// SPDX-License-Identifier: Apache-2.0
import EMVKit

/// Commands and answers in the text of a log, as programs of the field print them: lines with `>>` and `<<`, `C-APDU:`
/// and `R-APDU:` or other words, pcsc-spy and pcscd of pcsc-lite, OpenSC, GlobalPlatformPro, pyscard, frames of
/// Proxmark's trace list, emv-bench's steps, or lines of hex that alternate.
///
/// It finds bytes and says nothing of what they mean. What is no command and no answer is left out and counted.
public struct CommandLog: Sendable, Hashable {
    public struct Exchange: Sendable, Hashable {
        /// `nil`: an answer whose command the log does not have.
        public var command: Bytes?
        /// With its status word; `nil`: no answer.
        public var response: Bytes?
        /// From 1, of the command, else of the answer.
        public var line: Int
        /// As the log says, from command to answer.
        public var milliseconds: Double?
    }

    /// Why a text is no log, or where one cannot be read. Shows nothing of the text.
    public struct Fault: Error, Sendable, Hashable, CustomStringConvertible {
        public var line: Int
        /// From 1; `nil`: the whole line.
        public var column: Int?
        public var message: String

        public var description: String { "line \(line)" + (column.map { ", column \($0)" } ?? "") + ": " + message }
    }

    /// The program or the form, for people.
    public private(set) var shape: String
    public private(set) var exchanges: [Exchange] = []
    /// Lines that are not blank and hold no byte of a command or an answer.
    public private(set) var skipped = 0
    /// Digits of the log are masked (`*`) and were read as 0.
    public private(set) var isMasked = false

    public init(_ text: String) throws(Fault) {
        let lines = LogLine.lines(of: text)
        var items: [LogItem]
        if let frames = FrameList.items(lines) {
            (shape, items) = ("Proxmark trace list", frames)
        } else if let buffers = PCSCSpy.items(lines) {
            (shape, items) = ("pcsc-spy", buffers)
        } else if let dumps = OpenSCDump.items(lines) {
            (shape, items) = ("OpenSC", dumps)
        } else if let packets = ControllerLines.items(lines) {
            (shape, items) = ("NCI packets", packets)
        } else if let (name, marked) = try MarkedLines.items(lines) {
            (shape, items) = (name, marked)
        } else {
            (shape, items) = ("alternating lines", try AlternatingLines.items(lines))
        }
        var used = Set<Int>()
        for item in items {
            append(item)
            for line in item.firstLine...item.lastLine { used.insert(line) }
        }
        skipped = lines.filter { !$0.isBlank && !used.contains($0.number) }.count
        guard !exchanges.isEmpty else {
            let line = lines.first { !$0.isBlank }?.number ?? 1
            throw Fault(line: line, message: "nothing that can be read; expected hex, an APDU log or a trace")
        }
    }

    private mutating func append(_ item: LogItem) {
        if item.isMasked { isMasked = true }
        guard !item.isCommand else {
            exchanges.append(Exchange(command: item.bytes, line: item.firstLine))
            return
        }
        guard let last = exchanges.indices.last, exchanges[last].command != nil || item.isStatusWord else {
            exchanges.append(Exchange(response: item.bytes, line: item.firstLine, milliseconds: item.milliseconds))
            return
        }
        guard let before = exchanges[last].response else {
            exchanges[last].response = item.bytes
            exchanges[last].milliseconds = item.milliseconds
            return
        }
        // A status word on a line of its own completes the answer, or repeats its end.
        if item.isStatusWord {
            let isRepeated = Bytes(before.suffix(2)) == item.bytes && !CommandLog.isTemplate(before)
            if !isRepeated { exchanges[last].response = before + item.bytes }
        } else {
            exchanges.append(Exchange(response: item.bytes, line: item.firstLine, milliseconds: item.milliseconds))
        }
    }

    // MARK: Commands

    /// Whether bytes have the form of a command (ISO/IEC 7816-4): a header and lengths that agree with what is there. A
    /// class as an answer to reset begins, or an instruction as a status word does, is none. Class FF is what readers
    /// themselves hear (PC/SC Part 3), unless it begins the choice of a protocol, whose bytes cancel out.
    public static func isCommand(_ bytes: Bytes) -> Bool {
        guard bytes.count >= 4, bytes[0] & 0xF0 != 0x30, bytes[1] & 0xF0 != 0x60, bytes[1] & 0xF0 != 0x90,
            bytes[0] != 0xFF || bytes.reduce(0, { $0 ^ $1 }) != 0
        else { return false }
        if bytes.count <= 5 { return true }
        let size = Int(bytes[4])
        if size == 0, bytes.count >= 7 {
            let long = Int(bytes[5]) << 8 | Int(bytes[6])
            return bytes.count == 7 || bytes.count == 7 + long || bytes.count == 9 + long
        }
        return bytes.count == 5 + size || bytes.count == 6 + size
    }

    /// Whether bytes are a command as far as they go, with a length that asks for more of them.
    static func isBeginningOfCommand(_ bytes: Bytes) -> Bool {
        bytes.count >= 5 && isCommand(Bytes(bytes[..<4])) && bytes[4] > 0 && bytes.count < 5 + Int(bytes[4])
            && (instructions.contains(bytes[1]) || bytes[0] == 0xFF)
    }

    /// Whether the last two bytes are a status word: 6x or 9x.
    static func hasStatus(_ bytes: Bytes) -> Bool {
        bytes.count >= 2 && [0x60, 0x90].contains(bytes[bytes.count - 2] & 0xF0)
    }

    /// Whether an answer is whole: it ends in a status word, and not in the middle of a template.
    static func isWhole(_ bytes: Bytes) -> Bool {
        guard hasStatus(bytes) else { return false }
        guard bytes.count > 2, templates.contains(bytes[0]) else { return true }
        var reader = TLVReader(bytes.dropLast(2))
        _ = reader.next()
        return reader.error == nil
    }

    /// Whether bytes are one template of an answer, without a status word.
    static func isTemplate(_ bytes: Bytes) -> Bool {
        guard bytes.count > 2, templates.contains(bytes[0]) else { return false }
        var reader = TLVReader(bytes)
        return reader.next() != nil && reader.position == bytes.count
    }

    /// What the answers of cards begin with.
    static let templates: Set<UInt8> = [0x61, 0x6F, 0x70, 0x77, 0x80]

    /// Whether lines of hex are commands and answers in turn: a command that is known, or a reader's own, has its
    /// answer in the next line, or stands first.
    package static func isDialogue(_ lines: [Bytes]) -> Bool {
        guard lines.count > 1 else { return false }
        return lines.indices.contains { at in
            guard isKnownCommand(lines[at]) || lines[at][0] == 0xFF && isCommand(lines[at]) else { return false }
            return at + 1 < lines.count ? at == 0 || hasStatus(lines[at + 1]) : true
        }
    }

    /// Whether bytes are a command of EMV, and not data that look like one.
    public static func isKnownCommand(_ bytes: Bytes) -> Bool {
        isCommand(bytes) && [0x00, 0x04, 0x0C, 0x80, 0x84, 0x8C].contains(bytes[0]) && instructions.contains(bytes[1])
    }

    /// SELECT, READ RECORD, GET PROCESSING OPTIONS, GENERATE AC, GET DATA, … of EMV Book 3 and Books C-2 to C-8.
    private static let instructions: Set<UInt8> = [
        0x16, 0x18, 0x1E, 0x20, 0x24, 0x2A, 0x32, 0x34, 0x50, 0x82, 0x84, 0x88, 0xA4, 0xA8, 0xAE, 0xB0, 0xB2, 0xC0,
        0xCA, 0xD0, 0xDA, 0xDC, 0xEA,
    ]
}

/// One command or answer of a log.
struct LogItem {
    var isCommand: Bool
    var bytes: Bytes
    var firstLine: Int
    var lastLine: Int
    var isMasked = false
    /// Said to be the two bytes of a status word, alone.
    var isStatusWord = false
    var milliseconds: Double?

    init(isCommand: Bool, _ bytes: Bytes, line: Int, isMasked: Bool = false) {
        self.isCommand = isCommand
        self.bytes = bytes
        self.isMasked = isMasked
        firstLine = line
        lastLine = line
    }
}

/// A line without its end and without a terminal's colours.
struct LogLine {
    /// From 1.
    let number: Int
    let text: Bytes

    static func lines(of text: String) -> [LogLine] {
        var lines: [LogLine] = []
        var line = Bytes()
        var isEscape = false
        for byte in text.utf8 {
            switch byte {
            case 0x0A:
                lines.append(LogLine(number: lines.count + 1, text: line))
                line = []
                isEscape = false
            case 0x0D: break
            case 0x1B: isEscape = true
            // ESC [ … letter
            case _ where isEscape: isEscape = !(byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A)
            default: line.append(byte)
            }
        }
        lines.append(LogLine(number: lines.count + 1, text: line))
        return lines
    }

    /// Behind a time of day at a place: `12:00:01.301`, `9:05:00,2`; `nil`: none stands there.
    static func time(_ text: Bytes, at place: Int) -> Int? {
        func digits(_ at: Int, _ counts: ClosedRange<Int>) -> Int? {
            let count = text[min(at, text.count)...].prefix { (0x30...0x39).contains($0) }.count
            return counts.contains(count) ? at + count : nil
        }
        guard let hour = digits(place, 1...2), hour < text.count, text[hour] == 0x3A,
            let minute = digits(hour + 1, 2...2), minute < text.count, text[minute] == 0x3A,
            let second = digits(minute + 1, 2...2), second < text.count
        else { return nil }
        guard text[second] == 0x2E || text[second] == 0x2C else {
            return isSpace(text[second]) || text[second] == 0x5D ? second : nil
        }
        return digits(second + 1, 1...9)
    }

    static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    var isBlank: Bool { text.allSatisfy(LogLine.isSpace) }

    /// Where the text begins.
    var start: Int { text.firstIndex { !LogLine.isSpace($0) } ?? text.count }

    func hasPrefix(_ word: StaticString, at place: Int) -> Bool {
        guard place >= 0, place + word.utf8CodeUnitCount <= text.count else { return false }
        return word.withUTF8Buffer { letters in
            for at in 0..<letters.count where unsafe letters[at] != text[place + at] { return false }
            return true
        }
    }

    /// Where a word stands.
    func place(of word: StaticString) -> Int? {
        (0..<max(0, text.count - word.utf8CodeUnitCount + 1)).first { hasPrefix(word, at: $0) }
    }
}

/// Hex digits from a place of a line on: pairs or longer runs, with what people put between them.
struct HexRun {
    var bytes = Bytes()
    var isMasked = false
    /// Where it ends.
    var end: Int
    /// A run of an odd number of digits that would belong to it, by its place.
    var oddAt: Int?

    static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x37
        case 0x61...0x66: byte - 0x57
        case 0x2A: 0
        default: nil
        }
    }

    /// Of up to eight digits.
    static func number(_ digits: some Sequence<UInt8>) -> Int {
        Int(clamping: digits.reduce(UInt32(0)) { $0 << 4 | UInt32(digit($1) ?? 0) })
    }

    private static func isBetween(_ byte: UInt8) -> Bool {
        // space, tab, comma, colon, hyphen
        LogLine.isSpace(byte) || byte == 0x2C || byte == 0x3A || byte == 0x2D
    }

    private static func isAfter(_ byte: UInt8) -> Bool {
        // what may stand right behind the last digit: also ; ] ) " ' |
        isBetween(byte) || [0x3B, 0x5D, 0x29, 0x22, 0x27, 0x7C].contains(byte)
    }

    init(_ line: LogLine, from place: Int) {
        let text = line.text
        var at = place
        var arePairs = true
        end = place
        while at < text.count {
            while at < text.count, HexRun.isBetween(text[at]) {
                // What stands behind a colon with a space before it is said about the bytes.
                if text[at] == 0x3A, at > place, LogLine.isSpace(text[at - 1]) { return }
                at += 1
            }
            var first = at
            if at + 1 < text.count, text[at] == 0x30, text[at + 1] | 0x20 == 0x78 { first += 2 }
            var last = first
            while last < text.count, HexRun.digit(text[last]) != nil { last += 1 }
            guard last > first, last == text.count || HexRun.isAfter(text[last]) else { return }
            let count = last - first
            // pyscard writes a byte below 16 as one digit.
            guard count % 2 == 0 || count == 1 && arePairs && !bytes.isEmpty else {
                if count > 3 { oddAt = last }
                return
            }
            arePairs = arePairs && count <= 2
            var value: UInt8 = 0
            for place in first..<last {
                if text[place] == 0x2A { isMasked = true }
                value = value << 4 | (HexRun.digit(text[place]) ?? 0)
                if (place - first) % 2 == 1 || count == 1 {
                    bytes.append(value)
                    value = 0
                }
            }
            at = last
            end = last
        }
    }

    /// Nothing but hex stands in the line.
    static func whole(_ line: LogLine) -> HexRun? {
        let run = HexRun(line, from: line.start)
        guard !run.bytes.isEmpty, line.text[run.end...].allSatisfy(LogLine.isSpace) else { return nil }
        return run
    }
}
