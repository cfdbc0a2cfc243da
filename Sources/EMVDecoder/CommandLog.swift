// SPDX-License-Identifier: Apache-2.0
import EMVKernel

/// Commands and answers in the text of a log. It finds their bytes and does not interpret them.
///
/// A text is read in one pass by the first reader of a table that recognises it. Each reader returns commands and
/// answers with the lines in which they were found:
///
/// 1. `FrameList`: Proxmark's list of frames.
/// 2. `PCSCSpy`, `OpenSCDump`, `ControllerLines`: dumps whose lines state how many bytes follow.
/// 3. `WrappedFrames`: lines with frames of ISO/IEC 14443-4, CCID or PN532 around commands, or only blocks in turn.
/// 4. `QuotedValues`: JSON, JSON lines, C tables. `FieldLines`: CLA, INS, P1, P2, one per line or as members.
/// 5. `MarkedLines`: all other lines. A table of words and arrows determines who sends; without such a word, the
///    bytes alone do. For arrows, letters and words that can be meant from either side, the bytes decide the direction.
///
/// A line that cannot be read does not reject the log. An incomplete command or answer has a remark. Bytes that are
/// neither are listed in ``unread`` with the reason, unless an exchange contains these bytes.
///
/// A command that contradicts its own lengths, or the list by which the card requested its data (PDOL, CDOL, DDOL,
/// UDOL), has a remark too.
public struct CommandLog: Sendable, Hashable {
    public struct Exchange: Sendable, Hashable {
        /// `nil`: the log lacks the command of this answer.
        public var command: Bytes?
        /// The answer, with its status word unless ``lacksStatus``; `nil`: the log lacks it.
        public var response: Bytes?
        /// Line of the command, or else of the answer, counted from 1.
        public var line: Int
        /// Time from command to answer, if the log states it.
        public var milliseconds: Double?
        /// The log has the answer's data without a status word.
        public var lacksStatus = false
        /// Errors of the command or the answer, one sentence each. They contain no byte of card data.
        public var remarks: [String] = []

        public init(
            command: Bytes? = nil, response: Bytes? = nil, line: Int, milliseconds: Double? = nil,
            lacksStatus: Bool = false, remarks: [String] = []
        ) {
            self.command = command
            self.response = response
            self.line = line
            self.milliseconds = milliseconds
            self.lacksStatus = lacksStatus
            self.remarks = remarks
        }

        /// The answer with a status word of two bytes, which are zeros if the log lacks them.
        package var answer: Bytes? { response.map { $0 + (lacksStatus ? [0, 0] : []) } }
    }

    /// Why a text is not a log, or why a line cannot be read. It contains no part of the text.
    public struct Fault: Error, Sendable, Hashable, CustomStringConvertible {
        public var line: Int
        /// Counted from 1; `nil`: the whole line.
        public var column: Int?
        public var message: String

        public var description: String { "line \(line)" + (column.map { ", column \($0)" } ?? "") + ": " + message }
    }

    /// The program or the format, as a text for people.
    public private(set) var shape: String
    public private(set) var exchanges: [Exchange] = []
    /// Lines with bytes that are neither a command nor an answer, in order.
    public private(set) var unread: [Fault] = []
    /// Number of lines that are not blank and contain no byte of a command or an answer, excluding those in ``unread``.
    public private(set) var skipped = 0
    /// True if digits of the log are masked (`*`, `X`, `#`, `?`, a bullet, a repeated sign); they were read as 0.
    public private(set) var isMasked = false

    public init(_ text: String) throws(Fault) {
        let lines = LogLine.lines(of: text)
        var items: [LogItem]
        var faults: [LogFault] = []
        if let (frames, refused) = FrameList.items(lines) {
            (shape, items, faults) = ("Proxmark trace list", frames, refused)
        } else if let buffers = PCSCSpy.items(lines) {
            (shape, items) = ("pcsc-spy", buffers)
        } else if let dumps = OpenSCDump.items(lines) {
            (shape, items) = ("OpenSC", dumps)
        } else if let packets = ControllerLines.items(lines) {
            (shape, items) = ("NCI packets", packets)
        } else if let (frames, refused) = WrappedFrames.items(lines) {
            (shape, items, faults) = ("frames of a reader", frames, refused)
        } else if let (name, values, refused) = QuotedValues.items(lines) {
            (shape, items, faults) = (name, values, refused)
        } else {
            (shape, items, faults) = MarkedLines.items(lines)
            if !items.contains(where: { $0.isCommand }), let fields = FieldLines.items(lines) {
                (shape, items, faults) = ("commands by their fields", fields, [])
            }
        }
        var used = Set<Int>()
        for (at, item) in items.enumerated() {
            append(item, next: at + 1 < items.count ? items[at + 1] : nil)
            for line in item.firstLine...item.lastLine { used.insert(line) }
        }
        for (fault, bytes) in faults where (bytes.isEmpty || !used.contains(fault.line)) && !isShown(bytes) {
            unread.append(fault)
            used.insert(fault.line)
        }
        skipped = lines.filter { !$0.isBlank && !used.contains($0.number) }.count
        compareWithLists()
        guard !exchanges.isEmpty else {
            let line = lines.first { !$0.isBlank }?.number ?? 1
            throw unread.first
                ?? Fault(line: line, message: "nothing that can be read; expected hex, an APDU log or a trace")
        }
    }

    /// Returns true if an exchange contains the bytes, because programs print parts of an answer a second time.
    private func isShown(_ bytes: Bytes) -> Bool {
        !bytes.isEmpty
            && exchanges.contains {
                CommandLog.contains($0.command ?? [], bytes) || CommandLog.contains($0.response ?? [], bytes)
            }
    }

    private static func contains(_ bytes: Bytes, _ part: Bytes) -> Bool {
        guard part.count <= bytes.count else { return false }
        return (0...(bytes.count - part.count)).contains { bytes[$0] == part[0] && bytes[$0...].starts(with: part) }
    }

    private mutating func append(_ item: LogItem, next: LogItem?) {
        if item.isMasked { isMasked = true }
        if item.isCommand { return append(command: item) }
        let last = exchanges.indices.last
        if let last, let before = exchanges[last].response {
            // A repetition in another form, with or without its status word.
            if !item.isStatusWord, item.source != source, before == item.bytes || before.dropLast(2) == item.bytes[...]
            {
                return
            }
            if exchanges[last].lacksStatus, !item.isStatusWord, item.bytes.count == 2, CommandLog.hasStatus(item.bytes)
            {
                exchanges[last].response = before + item.bytes
                exchanges[last].lacksStatus = false
                return
            }
            // A status word on a separate line completes the answer, or repeats its end.
            if item.isStatusWord {
                let isRepeated =
                    Bytes(before.suffix(2)) == item.bytes && !exchanges[last].lacksStatus
                    && !CommandLog.isTemplate(before)
                if !isRepeated { exchanges[last].response = before + item.bytes }
                exchanges[last].lacksStatus = false
                return
            }
        }
        source = item.source
        let isStatus = next.map { $0.isStatusWord || $0.bytes.count == 2 && CommandLog.hasStatus($0.bytes) } ?? false
        let completes = isStatus && next?.isCommand == false
        var remarks: [String] = []
        // If a template is incomplete, its last two data bytes are not taken for a status word. After 61xx, GET
        // RESPONSE fetches the rest.
        let goesOn =
            item.bytes.dropLast().last == 0x61 && next?.isCommand == true && next?.bytes.dropFirst().first == 0xC0
        let breaksOff =
            !goesOn && CommandLog.templates.contains(item.bytes.first ?? 0) && !CommandLog.isWhole(item.bytes)
            && Bytes(item.bytes.suffix(2)) != [0x90, 0x00]
        let lacksStatus =
            !CommandLog.hasStatus(item.bytes) && !completes || item.isCut && !item.hasOwnStatus
            || breaksOff && !completes && !item.isCut
        // The next line has the status word.
        let isOpen = completes && !CommandLog.hasStatus(item.bytes)
        if item.isCut {
            remarks.append("the log cuts this answer")
        } else if lacksStatus, CommandLog.hasStatus(item.bytes) {
            remarks.append("the answer breaks off before its status word")
        } else if lacksStatus {
            remarks.append(
                CommandLog.isTemplate(item.bytes)
                    ? "the log gives no status word"
                    : "the answer has no status word and is not one whole template")
        }
        if let last, exchanges[last].response == nil {
            // VERIFY, EXTERNAL AUTHENTICATE and GET CHALLENGE are contact commands (Book 3, 6.5).
            if item.bytes == [0x6D, 0x00], let command = exchanges[last].command, command.count > 1,
                [0x20, 0x82, 0x84].contains(command[1])
            {
                remarks.append("no contactless kernel sends this command")
            }
            exchanges[last].response = item.bytes
            exchanges[last].milliseconds = item.milliseconds
            exchanges[last].lacksStatus = lacksStatus || isOpen
            exchanges[last].remarks += remarks
        } else {
            exchanges.append(
                Exchange(
                    response: item.bytes, line: item.firstLine, milliseconds: item.milliseconds,
                    lacksStatus: lacksStatus || isOpen, remarks: remarks))
        }
    }

    /// Data of earlier answers that an answer to GET RESPONSE continues (61xx); empty for any other answer.
    package func dataBefore(_ at: Int) -> Bytes {
        var first = at
        while first > 0, at - first < 64, continues(first - 1) { first -= 1 }
        return exchanges[first..<at].flatMap { ($0.response ?? []).dropLast(2) }
    }

    /// Returns true if an answer ends in 61xx and GET RESPONSE fetches the rest.
    package func continues(_ at: Int) -> Bool {
        guard at + 1 < exchanges.count, let next = exchanges[at + 1].command, next.count > 1, next[1] == 0xC0,
            let answer = exchanges[at].response, !exchanges[at].lacksStatus, answer.count > 1
        else { return false }
        return answer[answer.count - 2] == 0x61
    }

    private static let cutCommand = "the log cuts this command"

    /// Compares each command with its own lengths and with the lists that the card returned earlier.
    private mutating func compareWithLists() {
        var lists = DataLists()
        for at in exchanges.indices {
            let command = exchanges[at].command ?? [], answer = exchanges[at].answer
            if exchanges[at].remarks.first != CommandLog.cutCommand {
                exchanges[at].remarks = lists.reading(of: command, answer: answer).remarks + exchanges[at].remarks
            }
            lists.learn(command, answer.map { dataBefore(at) + $0 })
        }
    }

    /// The reader or the marker of the last command or answer.
    private var source = 0

    private mutating func append(command item: LogItem) {
        if let last = exchanges.last, last.response == nil, last.command == item.bytes, item.source != source { return }
        source = item.source
        var exchange = Exchange(command: item.bytes, line: item.firstLine)
        if item.isCut { exchange.remarks.append(CommandLog.cutCommand) }
        exchanges.append(exchange)
    }

    // MARK: Commands

    /// Returns true if bytes have the form of a command (ISO/IEC 7816-4): a header, and lengths that match the bytes
    /// present. Bytes are not a command if the class is the first byte of an answer to reset, or the instruction that
    /// of a status word. Class FF is for commands to the reader itself (PC/SC Part 3), unless it starts a protocol
    /// selection, whose bytes XOR to zero.
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

    /// Returns true if bytes are the start of a command whose length requires more bytes.
    static func isBeginningOfCommand(_ bytes: Bytes) -> Bool {
        bytes.count >= 5 && isCommand(Bytes(bytes[..<4])) && bytes[4] > 0 && bytes.count < 5 + Int(bytes[4])
            && (instructions.contains(bytes[1]) || bytes[0] == 0xFF)
    }

    /// Returns true if bytes have the header of an EMV command, regardless of their length byte.
    static func hasKnownHeader(_ bytes: Bytes) -> Bool {
        bytes.count >= 5 && isKnownCommand(Bytes(bytes[..<4]))
    }

    /// Returns true if the last two bytes are a status word: 6x or 9x.
    static func hasStatus(_ bytes: Bytes) -> Bool {
        bytes.count >= 2 && [0x60, 0x90].contains(bytes[bytes.count - 2] & 0xF0)
    }

    /// Returns true if an answer is complete: it ends in a status word, and not in the middle of a template.
    static func isWhole(_ bytes: Bytes) -> Bool {
        guard hasStatus(bytes) else { return false }
        guard bytes.count > 2, templates.contains(bytes[0]) else { return true }
        var reader = TLVReader(bytes.dropLast(2))
        _ = reader.next()
        return reader.error == nil
    }

    /// Returns true if bytes are one template of an answer, without a status word.
    static func isTemplate(_ bytes: some Collection<UInt8>) -> Bool {
        guard bytes.count > 2, let first = bytes.first, templates.contains(first) else { return false }
        return isObject(Bytes(bytes))
    }

    /// Returns true if bytes are one data object.
    static func isObject(_ bytes: Bytes) -> Bool {
        guard bytes.count > 2 else { return false }
        var reader = TLVReader(bytes)
        return reader.next() != nil && reader.position == bytes.count
    }

    /// The first bytes of cards' answers.
    static let templates: Set<UInt8> = [0x61, 0x6F, 0x70, 0x77, 0x80]

    /// Returns true if lines of hex are commands and answers in turn: a known command, or one to the reader itself, has
    /// its answer in the next line or on its own line, or it comes first.
    package static func isDialogue(_ lines: [Bytes]) -> Bool {
        if lines.contains(where: { pair($0) != nil }) || WrappedFrames.areBlocks(lines) { return true }
        guard lines.count > 1 else { return false }
        return lines.indices.contains { at in
            let isKnown = isKnownCommand(lines[at]) || at > 0 && hasKnownHeader(lines[at]) && hasStatus(lines[at - 1])
            guard isKnown || lines[at][0] == 0xFF && isCommand(lines[at]) else { return false }
            return at + 1 < lines.count ? at == 0 || hasStatus(lines[at + 1]) : true
        }
    }

    /// Splits a command and its answer in one run of bytes; `nil`: other bytes.
    static func pair(_ bytes: Bytes) -> (command: Bytes, answer: Bytes)? {
        guard bytes.count >= 7, hasKnownHeader(bytes), !isCommand(bytes) else { return nil }
        let size = Int(bytes[4])
        for end in [6 + size, 5 + size, 5, 4] where end + 2 <= bytes.count {
            let (command, answer) = (Bytes(bytes[..<end]), Bytes(bytes[end...]))
            guard isKnownCommand(command) else { continue }
            if isAnswer(answer, toGetData: command) { return (command, answer) }
            guard hasStatus(answer) || isTemplate(answer) else { continue }
            if answer.count == 2 || isTemplate(answer) || isTemplate(answer.dropLast(2)) { return (command, answer) }
        }
        return nil
    }

    /// Returns true if an answer is the object that GET DATA requests, with or without a status word.
    private static func isAnswer(_ answer: Bytes, toGetData command: Bytes) -> Bool {
        let tag = command[2] == 0 ? command[3...3] : command[2...3]
        guard command[1] == 0xCA, answer.starts(with: tag) else { return false }
        return isObject(answer) || hasStatus(answer) && isObject(Bytes(answer.dropLast(2)))
    }

    /// Returns true if bytes are an EMV command, and not data that look like one.
    public static func isKnownCommand(_ bytes: Bytes) -> Bool {
        isCommand(bytes) && [0x00, 0x04, 0x0C, 0x80, 0x84, 0x8C].contains(bytes[0]) && instructions.contains(bytes[1])
    }

    /// Instructions of EMV Book 3 and Books C-2 to C-8: SELECT, READ RECORD, GET PROCESSING OPTIONS, GENERATE AC, GET
    /// DATA, …
    private static let instructions: Set<UInt8> = [
        0x16, 0x18, 0x1E, 0x20, 0x24, 0x2A, 0x32, 0x34, 0x50, 0x82, 0x84, 0x88, 0xA4, 0xA8, 0xAE, 0xB0, 0xB2, 0xC0,
        0xCA, 0xD0, 0xDA, 0xDC, 0xEA,
    ]
}

/// Why a line cannot be read, with its bytes: the fault is not reported if an exchange contains them.
typealias LogFault = (fault: CommandLog.Fault, bytes: Bytes)

/// One command or answer of a log.
struct LogItem {
    var isCommand: Bool
    var bytes: Bytes
    var firstLine: Int
    var lastLine: Int
    var isMasked = false
    /// The log marks it as a status word of two bytes, without data.
    var isStatusWord = false
    /// The log states that more bytes follow: `(...)`.
    var isCut = false
    /// A status word follows the data, even if these are cut.
    var hasOwnStatus = false
    var milliseconds: Double?
    /// The reader or the marker of the item, by which a repeated item is recognised.
    var source = 0

    init(isCommand: Bool, _ bytes: Bytes, line: Int, isMasked: Bool = false) {
        self.isCommand = isCommand
        self.bytes = bytes
        self.isMasked = isMasked
        firstLine = line
        lastLine = line
    }
}

/// A line without its line end and without a terminal's colour codes.
struct LogLine {
    /// Counted from 1.
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
        return lines.map { LogLine(number: $0.number, text: $0.withoutBullets().withoutCasts().withoutHead()) }
    }

    private static let bullets: [StaticString] = [
        "\u{2022}", "\u{25CF}", "\u{2588}", "\u{25A0}", "\u{2219}", "\u{B7}", "\u{D7}",
    ]

    /// Replaces bullets and blocks, which some logs print instead of digits, by asterisks.
    private func withoutBullets() -> LogLine {
        guard text.contains(where: { $0 >= 0x80 }) else { return self }
        var kept = Bytes()
        var at = 0
        while at < text.count {
            if let bullet = LogLine.bullets.first(where: { hasPrefix($0, at: at) }) {
                kept.append(0x2A)
                at += bullet.utf8CodeUnitCount
            } else {
                kept.append(text[at])
                at += 1
            }
        }
        return LogLine(number: number, text: kept)
    }

    /// Removes the `(byte)` that Java puts before each number.
    private func withoutCasts() -> LogLine {
        guard place(of: "(byte)") != nil else { return self }
        var kept = Bytes()
        var at = 0
        while at < text.count {
            if hasPrefix("(byte)", at: at) {
                at += 6
                if at < text.count, LogLine.isSpace(text[at]) { at += 1 }
            } else {
                kept.append(text[at])
                at += 1
            }
        }
        return LogLine(number: number, text: kept)
    }

    /// Removes the text that programs write before each line: `#db# `, or Android's date, time, process, level and
    /// name.
    private func withoutHead() -> Bytes {
        if hasPrefix("#db#", at: start) { return Bytes(text[(start + 4)...]) }
        if hasPrefix("[#]", at: start) { return Bytes(text[(start + 3)...]) }
        // 01-31 12:00:00.000  1234  5678 D Name: …
        let words = text.split(whereSeparator: LogLine.isSpace)
        func isNumber(_ word: ArraySlice<UInt8>) -> Bool { word.allSatisfy { (0x30...0x39).contains($0) } }
        func isLevel(_ byte: UInt8) -> Bool { [0x56, 0x44, 0x49, 0x57, 0x45, 0x46].contains(byte) }
        if words.count > 5, words[0].count == 5, isNumber(words[0].prefix(2)),
            words[0][words[0].startIndex + 2] == 0x2D,
            LogLine.time(text, at: words[1].startIndex) != nil, isNumber(words[2]), isNumber(words[3]),
            words[4].count == 1, isLevel(words[4][words[4].startIndex]),
            let colon = text[words[5].startIndex...].firstIndex(of: 0x3A)
        {
            return Bytes(text[(colon + 1)...])
        }
        // D/Name(1234): … or D/Name: …
        if let first = words.first, first.count > 3, isLevel(first[first.startIndex]),
            first[first.startIndex + 1] == 0x2F,
            let colon = text[first.startIndex...].firstIndex(of: 0x3A)
        {
            return Bytes(text[(colon + 1)...])
        }
        return text
    }

    /// Returns the place after a time of day at `place`: `12:00:01.301`, `9:05:00,2`; `nil`: there is no time.
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

    /// The place of the first character that is not a space.
    var start: Int { text.firstIndex { !LogLine.isSpace($0) } ?? text.count }

    func hasPrefix(_ word: StaticString, at place: Int) -> Bool {
        guard place >= 0, place + word.utf8CodeUnitCount <= text.count else { return false }
        return word.withUTF8Buffer { letters in
            for at in 0..<letters.count where unsafe letters[at] != text[place + at] { return false }
            return true
        }
    }

    /// The place of a word.
    func place(of word: StaticString) -> Int? {
        (0..<max(0, text.count - word.utf8CodeUnitCount + 1)).first { hasPrefix(word, at: $0) }
    }
}

/// Bytes of a line, starting at a place: pairs or longer runs of hex digits with common separators, or a list of
/// decimal numbers.
struct HexRun {
    var bytes = Bytes()
    var isMasked = false
    /// The place after the run.
    var end: Int
    /// The place of a run with an odd number of digits that would belong to it.
    var oddAt: Int?
    /// True if dots after the run show that the log omits the rest, or a word in brackets that it hides bytes.
    var isCut = false
    /// True if the status word follows the hidden bytes.
    var endsInStatus = false
    /// Number of digits in its first word.
    var firstWord = 0

    static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x37
        case 0x61...0x66: byte - 0x57
        default: isMask(byte) ? 0 : nil
        }
    }

    /// The number of up to eight hex digits.
    static func number(_ digits: some Sequence<UInt8>) -> Int {
        Int(clamping: digits.reduce(UInt32(0)) { $0 << 4 | UInt32(digit($1) ?? 0) })
    }

    /// An asterisk, #, X, ? or _ instead of a digit.
    static func isMask(_ byte: UInt8) -> Bool { [0x2A, 0x23, 0x58, 0x78, 0x3F, 0x5F].contains(byte) }

    /// A sign that hides digits only if it is repeated: a dot, a hyphen, a letter.
    private static func isPlaceholder(_ byte: UInt8) -> Bool {
        // . - ~ + @ % $
        [0x2E, 0x2D, 0x7E, 0x2B, 0x40, 0x25, 0x24].contains(byte) || isLetter(byte) && digit(byte) == nil
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }

    /// Returns the place after a repeated sign in a word of digits, as in `476173......0119` and `476173nnnnnn0119`;
    /// `nil`: there is no such sign. Three dots mean that bytes are omitted.
    private static func hidden(_ text: Bytes, in word: Int, at place: Int) -> Int? {
        guard place - word >= 4, isPlaceholder(text[place]) else { return nil }
        var end = place
        while end < text.count, text[end] == text[place] { end += 1 }
        guard end - place >= (isLetter(text[place]) ? 4 : 2), text[place] != 0x2E || end - place != 3,
            end < text.count, digit(text[end]) != nil
        else { return nil }
        return end
    }

    /// Returns true if a doubled sign between spaces hides a byte: `--`, `..`, `nn`, followed by bytes.
    private static func isHiddenByte(_ text: Bytes, at place: Int) -> Bool {
        func isPair(_ at: Int) -> Bool {
            at > 0 && at + 1 < text.count && text[at] == text[at + 1] && LogLine.isSpace(text[at - 1])
                && (at + 2 == text.count || LogLine.isSpace(text[at + 2]))
        }
        guard place < text.count, isPlaceholder(text[place]), isPair(place) else { return false }
        let sign = text[place]
        var at = place
        while at < text.count, at - place < 128, text[at] == sign && isPair(at) || LogLine.isSpace(text[at]) {
            at += text[at] == sign ? 2 : 1
        }
        guard at + 1 < text.count, digit(text[at]) != nil, digit(text[at + 1]) != nil else { return false }
        return at + 2 == text.count || LogLine.isSpace(text[at + 2])
    }

    private static func isBetween(_ byte: UInt8) -> Bool {
        // space, tab, comma, colon, hyphen
        LogLine.isSpace(byte) || byte == 0x2C || byte == 0x3A || byte == 0x2D
    }

    private static func isAfter(_ byte: UInt8) -> Bool {
        // characters allowed directly after the last digit: also ; ] ) } " ' | = <
        isBetween(byte) || [0x3B, 0x5D, 0x29, 0x7D, 0x22, 0x27, 0x7C, 0x3D, 0x3C].contains(byte)
    }

    /// Returns the place after `<redacted>`, or after `[masked]` or `hidden` if bytes follow; `nil`: other text.
    private static func redaction(_ line: LogLine, at place: Int) -> Int? {
        let text = line.text
        guard place < text.count else { return nil }
        let isWord = isLetter(text[place])
        guard isWord || [0x28, 0x3C, 0x5B, 0x7B].contains(text[place]) else { return nil }
        let close: (UInt8) -> Bool = { isWord ? !isLetter($0) : [0x29, 0x3E, 0x5D, 0x7D].contains($0) }
        guard let last = text[place...].prefix(40).firstIndex(where: close) else { return nil }
        let end = isWord ? last : last + 1
        let next = text[end...].first { !LogLine.isSpace($0) }
        guard text[place] == 0x3C || next.map({ digit($0) != nil }) ?? false else { return nil }
        let word = LogLine(number: 0, text: text[place..<last].map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 })
        for part: StaticString in ["mask", "redact", "hidden", "remov", "secret", "omit", "censor", "snip"]
        where word.place(of: part) != nil {
            return end
        }
        return nil
    }

    /// Returns the place after `...`, `(...)`, `[...]`, an ellipsis or a word in brackets; `nil`: other text.
    private static func cut(_ line: LogLine, at place: Int) -> Int? {
        if let end = redaction(line, at: place) { return end }
        for dots: StaticString in ["(...)", "[...]", "(\u{2026})", "\u{2026}", "..."]
        where line.hasPrefix(dots, at: place) {
            let end = place + dots.utf8CodeUnitCount
            return end < line.text.count && line.text[end] == 0x2E ? nil : end
        }
        return nil
    }

    init(_ line: LogLine, from place: Int) {
        let text = line.text
        end = place
        // A list is not read from its middle.
        let isInside = place > 0 && text[..<place].last { !LogLine.isSpace($0) } == 0x2C
        if !isInside, let list = HexRun.decimals(text, from: place) {
            (bytes, end) = list
            return
        }
        var at = place
        var (arePairs, hasZero) = (true, false)
        while at < text.count {
            while at < text.count, HexRun.isBetween(text[at]) {
                if text[at] == 0x2D, !bytes.isEmpty, HexRun.isHiddenByte(text, at: at) { break }
                // Text after a colon with a space before it is a comment on the bytes.
                if text[at] == 0x3A, at > place, LogLine.isSpace(text[at - 1]) { return }
                at += 1
            }
            if !bytes.isEmpty, arePairs, HexRun.isHiddenByte(text, at: at) {
                bytes.append(0)
                at += 2
                (isMasked, end) = (true, at)
                continue
            }
            if !bytes.isEmpty, let dots = HexRun.cut(line, at: at) {
                cut(line, at: dots)
                return
            }
            var first = at
            if at + 1 < text.count, text[at] == 0x30, text[at + 1] | 0x20 == 0x78 { first += 2 }
            var last = first
            while last < text.count {
                if HexRun.digit(text[last]) != nil {
                    last += 1
                } else if let end = HexRun.hidden(text, in: first, at: last) {
                    last = end
                } else {
                    break
                }
            }
            // The question mark at the end of a sentence.
            if (last - first) % 2 == 1, text[last - 1] == 0x3F { last -= 1 }
            let dots = HexRun.cut(line, at: last)
            guard last > first, last == text.count || HexRun.isAfter(text[last]) || text[last] == 0x3F || dots != nil
            else { return }
            // Only mask characters are not bytes.
            if bytes.isEmpty, text[first..<last].allSatisfy(HexRun.isMask) { return }
            if dots != nil, (last - first) % 2 == 1 { last -= 1 }
            let count = last - first
            // pyscard and Arduino write a byte below 16 as one digit.
            let isByte = count == 1 && arePairs && !HexRun.isMask(text[first])
            let isInside = !bytes.isEmpty || first != at
            guard count % 2 == 0 || isByte && (isInside || HexRun.isPrinted(text, behind: last)) else {
                if count > 3 { oddAt = last }
                return
            }
            // If bytes below 16 are printed with both digits, a single digit has lost its other half, unless it ends a
            // status word.
            if count == 1, hasZero, first == at, !HexRun.isEndOfStatus(text, last, bytes) {
                oddAt = last
                return
            }
            hasZero = hasZero || count == 2 && first == at && text[first] == 0x30
            arePairs = arePairs && count <= 2
            if bytes.isEmpty { firstWord = count }
            var value: UInt8 = 0
            for place in first..<last {
                if HexRun.isMask(text[place]) || HexRun.digit(text[place]) == nil { isMasked = true }
                value = value << 4 | (HexRun.digit(text[place]) ?? 0)
                if (place - first) % 2 == 1 || count == 1 {
                    bytes.append(value)
                    value = 0
                }
            }
            at = last
            end = last
            if let dots {
                cut(line, at: dots)
                return
            }
        }
    }

    /// Returns true if a single digit before this place is the second byte of a status word, as pyscard writes 90 0.
    private static func isEndOfStatus(_ text: Bytes, _ place: Int, _ bytes: Bytes) -> Bool {
        guard let last = bytes.last, last & 0xF0 == 0x60 || last & 0xF0 == 0x90 else { return false }
        return text[place...].first { !LogLine.isSpace($0) }.map { digit($0) == nil } ?? true
    }

    /// The log omits the rest, except possibly a status word at its end.
    private mutating func cut(_ line: LogLine, at place: Int) {
        (isCut, end) = (true, place)
        let before = line.text[place - 1]
        guard HexRun.isLetter(before) || [0x29, 0x3E, 0x5D, 0x7D].contains(before), line.text[place...].first == 0x20
        else { return }
        let rest = line.text[place...].prefix { LogLine.isSpace($0) || HexRun.digit($0) != nil && !HexRun.isMask($0) }
        let digits = rest.filter { !LogLine.isSpace($0) }
        guard digits.count >= 4, digits.count % 2 == 0 else { return }
        let status = HexRun.number(digits.suffix(4)), last = [UInt8(status >> 8), UInt8(status & 0xFF)]
        guard CommandLog.hasStatus(last) else { return }
        bytes += last
        (endsInStatus, end) = (true, rest.endIndex)
    }

    /// Returns true if at least four bytes of one or two digits follow without a leading zero, as printed by a program
    /// that never writes one.
    private static func isPrinted(_ text: Bytes, behind place: Int) -> Bool {
        var at = place
        var count = 0
        while at < text.count, LogLine.isSpace(text[at]) {
            while at < text.count, LogLine.isSpace(text[at]) { at += 1 }
            let group = text[at...].prefix { digit($0) != nil && !isMask($0) }
            guard (1...2).contains(group.count), group.count == 1 || group.first != 0x30 else { break }
            count += 1
            at = group.endIndex
        }
        // A group of two digits with a leading zero, or a longer word, means another kind of text.
        return count >= 4 && text[at...].first { !LogLine.isSpace($0) }.map { digit($0) == nil } ?? true
    }

    /// Reads `0, 164, 4, 0`, also with Java's negative numbers, but only if one of the numbers is impossible in hex.
    private static func decimals(_ text: Bytes, from place: Int) -> (bytes: Bytes, end: Int)? {
        var bytes = Bytes()
        var (at, end, isDecimal) = (place, place, false)
        while true {
            while at < text.count, LogLine.isSpace(text[at]) || text[at] == 0x5B || text[at] == 0x7B { at += 1 }
            let isNegative = at < text.count && text[at] == 0x2D
            if isNegative { at += 1 }
            let digits = text[min(at, text.count)...].prefix { (0x30...0x39).contains($0) }
            let value = digits.prefix(4).reduce(0) { $0 * 10 + Int($1 - 0x30) }
            guard (1...3).contains(digits.count), digits.count == 1 || digits.first != 0x30,
                value <= (isNegative ? 128 : 255)
            else { return nil }
            if isNegative || digits.count == 3 { isDecimal = true }
            bytes.append(UInt8(truncatingIfNeeded: isNegative ? -value : value))
            end = digits.endIndex
            at = end
            while at < text.count, LogLine.isSpace(text[at]) { at += 1 }
            guard at < text.count, text[at] == 0x2C else { break }
            at += 1
            if text[at...].allSatisfy(LogLine.isSpace) { break }
        }
        return isDecimal && bytes.count >= 2 ? (bytes, end) : nil
    }

    /// Returns the run if the line contains only hex.
    static func whole(_ line: LogLine) -> HexRun? {
        let run = HexRun(line, from: line.start)
        let isClosing: (UInt8) -> Bool = { LogLine.isSpace($0) || [0x5D, 0x7D, 0x3B, 0x2C].contains($0) }
        guard !run.bytes.isEmpty, line.text[run.end...].allSatisfy(isClosing) else { return nil }
        return run
    }
}
