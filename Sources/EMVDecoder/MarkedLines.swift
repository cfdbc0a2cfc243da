// SPDX-License-Identifier: Apache-2.0
import EMVKit

// Lines of a log in which a word or an arrow says who speaks. A command counts where its lengths agree with what is
// there, an answer where it ends in a status word or a line with one follows; either may go on in the next lines.

enum MarkedLines {
    private struct Marker {
        let text: StaticString
        var isCommand: Bool
        /// Alone on its line it announces the bytes of the next one.
        var announces = false
        var isStatus = false
        var shape: StaticString = "commands and answers by their words"

        var isArrow: Bool {
            text.withUTF8Buffer { letters in
                unsafe letters.allSatisfy { MarkedLines.isArrow($0) || $0 | 0x20 == 0x61 }
            }
        }
    }

    /// In lower case; of those at one place the longest counts, so that each stands before its beginning.
    private static let markers: [Marker] = [
        Marker(text: "a>>", isCommand: true, shape: "GlobalPlatformPro"),
        Marker(text: "a<<", isCommand: false, shape: "GlobalPlatformPro"),
        Marker(text: ">>>>", isCommand: true, shape: "Proxmark"),
        Marker(text: "<<<<", isCommand: false, shape: "Proxmark"),
        Marker(text: ">>>", isCommand: true, shape: ">> and <<"),
        Marker(text: "<<<", isCommand: false, shape: ">> and <<"),
        Marker(text: ">>", isCommand: true, announces: true, shape: ">> and <<"),
        Marker(text: "<<", isCommand: false, announces: true, shape: ">> and <<"),
        Marker(text: "-->", isCommand: true, shape: "arrows"), Marker(text: "<--", isCommand: false, shape: "arrows"),
        Marker(text: "==>", isCommand: true, shape: "arrows"), Marker(text: "<==", isCommand: false, shape: "arrows"),
        Marker(text: "->", isCommand: true, shape: "arrows"), Marker(text: "<-", isCommand: false, shape: "arrows"),
        Marker(text: "=>", isCommand: true, shape: "arrows"), Marker(text: "<=", isCommand: false, shape: "arrows"),
        Marker(text: ">", isCommand: true, shape: "> and <"), Marker(text: "<", isCommand: false, shape: "> and <"),
        Marker(text: "c-apdu", isCommand: true, announces: true, shape: "C-APDU and R-APDU"),
        Marker(text: "r-apdu", isCommand: false, announces: true, shape: "C-APDU and R-APDU"),
        Marker(text: "capdu", isCommand: true, announces: true, shape: "C-APDU and R-APDU"),
        Marker(text: "rapdu", isCommand: false, announces: true, shape: "C-APDU and R-APDU"),
        Marker(text: "command apdu", isCommand: true, announces: true),
        Marker(text: "sent apdu", isCommand: true, announces: true),
        Marker(text: "outgoing apdu", isCommand: true, announces: true),
        Marker(text: "response apdu", isCommand: false, announces: true),
        Marker(text: "received apdu", isCommand: false, announces: true),
        Marker(text: "answer apdu", isCommand: false, announces: true),
        Marker(text: "reply apdu", isCommand: false, announces: true),
        Marker(text: "incoming apdu", isCommand: false, announces: true),
        Marker(text: "command", isCommand: true, announces: true),
        Marker(text: "response", isCommand: false, announces: true),
        Marker(text: "request", isCommand: true, announces: true),
        Marker(text: "answer", isCommand: false, announces: true),
        Marker(text: "apdu", isCommand: true), Marker(text: "cmd", isCommand: true),
        Marker(text: "resp", isCommand: false),
        Marker(text: "rsp", isCommand: false), Marker(text: "send", isCommand: true),
        Marker(text: "sent", isCommand: true),
        Marker(text: "sending", isCommand: true), Marker(text: "transmit", isCommand: true),
        Marker(text: "received", isCommand: false), Marker(text: "recv", isCommand: false),
        Marker(text: "reply", isCommand: false), Marker(text: "tx", isCommand: true),
        Marker(text: "rx", isCommand: false),
        Marker(text: "status word", isCommand: false, isStatus: true),
        Marker(text: "status", isCommand: false, isStatus: true),
        Marker(text: "sw1sw2", isCommand: false, isStatus: true),
        Marker(text: "sw1-sw2", isCommand: false, isStatus: true),
        Marker(text: "sw12", isCommand: false, isStatus: true), Marker(text: "sw", isCommand: false, isStatus: true),
        Marker(text: "c:", isCommand: true), Marker(text: "r:", isCommand: false),
    ]

    private static func isWordPart(_ byte: UInt8) -> Bool {
        (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte) || byte == 0x5F
    }
    private static func isArrow(_ byte: UInt8) -> Bool { byte == 0x3C || byte == 0x3E || byte == 0x3D || byte == 0x2D }

    private static func isMarkersFirst(_ byte: UInt8) -> Bool {
        isArrow(byte) || [0x61, 0x63, 0x69, 0x6F, 0x72, 0x73, 0x74].contains(byte)
    }

    /// The marker that stands at a place, with nothing of its kind around it.
    private static func marker(_ line: LogLine, at place: Int) -> Marker? {
        let text = line.text
        guard isMarkersFirst(text[place]) else { return nil }
        return markers.first { marker in
            guard line.hasPrefix(marker.text, at: place) else { return false }
            let end = place + marker.text.utf8CodeUnitCount
            let before = place > 0 ? text[place - 1] : 0x20
            let after = end < text.count ? text[end] : 0x20
            if isArrow(text[end - 1]) { return !isArrow(after) && !isArrow(before) && !isWordPart(before) }
            return !isWordPart(before) && (!isWordPart(after) || text[end - 1] == 0x3A) && before != 0x2D
        }
    }

    // MARK: Behind a marker

    /// Colons, equals signs, quotes, and what some write before the bytes: `(4+0014)`, `(23ms)`, `[]`, `T=1`, a time,
    /// the place `0000:`; behind a word `data`.
    private static func skip(
        _ line: LogLine, behind marker: Marker, at start: Int
    ) -> (place: Int, milliseconds: Double?) {
        let text = line.text
        var at = start + marker.text.utf8CodeUnitCount
        var milliseconds: Double?
        while at < text.count {
            if LogLine.isSpace(text[at]) || [0x3A, 0x3D, 0x7C, 0x22, 0x27].contains(text[at]) {
                at += 1
            } else if text[at] == 0x28 || text[at] == 0x5B,
                let close = text[at...].firstIndex(of: text[at] == 0x28 ? 0x29 : 0x5D)
            {
                if isBytes(line, from: at + 1, to: close) { return (at + 1, milliseconds) }
                milliseconds = number(text[(at + 1)..<close], unit: "ms") ?? milliseconds
                at = close + 1
            } else if line.hasPrefix("t=", at: at), let end = text[at...].firstIndex(where: LogLine.isSpace) {
                at = end
            } else if let end = LogLine.time(text, at: at) ?? offset(line, at: at, of: 0)
                ?? (marker.isArrow ? nil : word(line, at: at))
            {
                at = end
            } else {
                break
            }
        }
        return (at, milliseconds)
    }

    /// Whether brackets hold a command or an answer, and not a number.
    private static func isBytes(_ line: LogLine, from start: Int, to end: Int) -> Bool {
        guard let run = HexRun.whole(LogLine(number: 0, text: Bytes(line.text[start..<end]))) else { return false }
        return CommandLog.isCommand(run.bytes) || CommandLog.hasStatus(run.bytes)
    }

    private static func word(_ line: LogLine, at place: Int) -> Int? {
        for word: StaticString in ["data", "apdu", "bytes", "hex"] where line.hasPrefix(word, at: place) {
            let end = place + word.utf8CodeUnitCount
            if end == line.text.count || !isWordPart(line.text[end]) { return end }
        }
        return nil
    }

    /// Behind four to eight digits and a colon that say how many bytes stand before.
    private static func offset(_ line: LogLine, at place: Int, of count: Int) -> Int? {
        let digits = line.text[place...].prefix { HexRun.digit($0) != nil }
        guard (4...8).contains(digits.count), digits.endIndex < line.text.count, line.text[digits.endIndex] == 0x3A,
            HexRun.number(digits) == count
        else { return nil }
        return digits.endIndex + 1
    }

    /// `23ms`, without a fraction.
    private static func number(_ text: ArraySlice<UInt8>, unit: StaticString) -> Double? {
        let line = LogLine(number: 0, text: Bytes(text))
        let digits = line.text.prefix { (0x30...0x39).contains($0) }
        guard (1...7).contains(digits.count), line.hasPrefix(unit, at: digits.count),
            line.text.count == digits.count + unit.utf8CodeUnitCount
        else { return nil }
        return Double(digits.reduce(0) { $0 * 10 + Int($1 - 0x30) })
    }

    /// Bytes behind a marker, and whether the line says nothing else.
    private static func run(
        _ line: LogLine, from place: Int
    ) throws(CommandLog.Fault) -> (run: HexRun, isAlone: Bool)? {
        if let row = HexDump.rowWithText(line, from: place) { return (row, true) }
        let run = HexRun(line, from: place)
        let isClosed: (UInt8) -> Bool = { LogLine.isSpace($0) || [0x3B, 0x5D, 0x29, 0x22, 0x27, 0x7C].contains($0) }
        if let odd = run.oddAt {
            // Eight digits are a header; fewer are a number of something.
            if odd - place >= 8, line.text[odd...].allSatisfy(isClosed) {
                throw CommandLog.Fault(
                    line: line.number, column: odd, message: "an odd number of hex digits, expected pairs")
            }
            return nil
        }
        let rest = LogLine(number: 0, text: Bytes(line.text[run.end...].drop(while: isClosed)))
        for unit: StaticString in ["byte", "octet", "ms", "b ", "kb", "char", "packet"] {
            if rest.hasPrefix(unit, at: 0) { return nil }
        }
        return (run, rest.text.isEmpty || rest.text[0] == 0x3A || rest.text[0] == 0x28)
    }

    // MARK: Lines that go on

    /// What may still come of the last item.
    private struct Open {
        /// In the item's bytes, before a status word that was said first.
        var count = 0
        /// The status word was said first: rows of sixteen bytes follow, until a shorter one.
        var isDump = false
    }

    /// Bytes of a line that goes on with what stands before it.
    private static func more(_ line: LogLine, after count: Int) -> HexRun? {
        let start = offset(line, at: line.start, of: count) ?? line.start
        if let row = HexDump.rowWithText(line, from: start) { return row }
        let run = HexRun(line, from: start)
        let rest = line.text[run.end...].drop(while: LogLine.isSpace)
        // Some say in words what the status word means.
        return run.oddAt == nil && !run.bytes.isEmpty && (rest.isEmpty || rest.first == 0x3A) ? run : nil
    }

    /// Whether a line belongs to the last item.
    private static func continues(_ item: LogItem, _ open: Open, _ more: Bytes) -> Bool {
        if CommandLog.isKnownCommand(more) { return false }
        if open.isDump { return open.count % 16 == 0 }
        if item.isCommand {
            // A command that is whole but for its Le.
            if CommandLog.isCommand(item.bytes) { return more.count == 1 && CommandLog.isCommand(item.bytes + more) }
            return item.bytes.count > 4 && item.bytes.count + more.count <= 6 + Int(item.bytes[4])
        }
        return !item.isStatusWord && !CommandLog.isWhole(item.bytes)
    }

    /// The status word as `sw1=0x90, sw2=0x00`; where it stands.
    private static func statusPair(_ line: LogLine) -> (bytes: Bytes, place: Int)? {
        guard let first = line.place(of: "sw1="), let second = line.place(of: "sw2="), first < second else {
            return nil
        }
        let bytes = [first, second].compactMap { place -> UInt8? in
            let start = place + 4 + (line.hasPrefix("0x", at: place + 4) ? 2 : 0)
            guard start + 1 < line.text.count, let high = HexRun.digit(line.text[start]),
                let low = HexRun.digit(line.text[start + 1])
            else { return nil }
            return high << 4 | low
        }
        return bytes.count == 2 && CommandLog.hasStatus(bytes) ? (bytes, first) : nil
    }

    // MARK: Items

    private struct Reading {
        var items: [LogItem] = []
        var shape: String?
        var open = Open()
        var announced: (marker: Marker, line: Int)?
        let isDaemon: Bool
        let isReversed: Bool

        mutating func append(_ item: LogItem, _ shape: StaticString) {
            items.append(item)
            open = Open(count: item.bytes.count)
            self.shape = self.shape ?? (isDaemon ? "pcscd" : "\(shape)")
        }

        /// Whether the line goes on with the last item.
        mutating func goesOn(_ line: LogLine) -> Bool {
            guard let last = items.indices.last, items[last].lastLine == line.number - 1,
                let more = more(line, after: open.count), continues(items[last], open, more.bytes)
            else { return false }
            items[last].bytes.insert(contentsOf: more.bytes, at: open.count)
            open.count += more.bytes.count
            items[last].isMasked = items[last].isMasked || more.isMasked
            items[last].lastLine = line.number
            return true
        }

        /// Whether the line has the bytes that the line before announced.
        mutating func isAnnounced(_ line: LogLine) -> Bool {
            guard let (marker, number) = announced else { return false }
            announced = nil
            guard let run = more(line, after: 0) else { return false }
            var item = LogItem(isCommand: marker.isCommand, run.bytes, line: number, isMasked: run.isMasked)
            item.lastLine = line.number
            append(item, marker.shape)
            return true
        }

        /// Whether the line says a status word in two parts.
        mutating func isStatusPair(_ line: LogLine) -> Bool {
            guard let (bytes, place) = statusPair(line) else { return false }
            var item = LogItem(isCommand: false, bytes, line: line.number)
            let begins = (line.start..<place).contains { marker(line, at: $0).map { !$0.isStatus } ?? false }
            item.isStatusWord = !begins
            append(item, "commands and answers by their words")
            if begins { open = Open(count: 0, isDump: true) }
            return true
        }

        mutating func read(_ line: LogLine) throws(CommandLog.Fault) {
            var at = line.start
            while at < line.text.count {
                guard var marker = marker(line, at: at), !isDaemon || marker.isStatus || line.hasPrefix("apdu", at: at)
                else {
                    at += 1
                    continue
                }
                if isReversed, marker.isArrow { marker.isCommand.toggle() }
                let (place, milliseconds) = skip(line, behind: marker, at: at)
                if let (run, isAlone) = try run(line, from: place), isTaken(run.bytes, marker, isAlone) {
                    var item = LogItem(
                        isCommand: marker.isCommand, run.bytes, line: line.number, isMasked: run.isMasked)
                    item.isStatusWord = marker.isStatus && run.bytes.count == 2
                    item.milliseconds = milliseconds
                    append(item, marker.shape)
                    at = run.end
                } else {
                    if marker.announces, place >= line.text.count {
                        announced = (marker, line.number)
                        shape = shape ?? "\(marker.shape)"
                    }
                    at += 1
                }
            }
        }

        /// Whether bytes behind a marker are a command or an answer, or the beginning of one.
        private func isTaken(_ bytes: Bytes, _ marker: Marker, _ isAlone: Bool) -> Bool {
            if marker.isStatus, !isDaemon { return bytes.count == 2 && CommandLog.hasStatus(bytes) }
            if marker.isCommand {
                return CommandLog.isCommand(bytes) || isAlone && CommandLog.isBeginningOfCommand(bytes)
            }
            // An answer to reset is none.
            let isReset = bytes.first == 0x3B || bytes.first == 0x3F
            let fewest = marker.announces || marker.isArrow ? 2 : 3
            return CommandLog.hasStatus(bytes) || isAlone && bytes.count >= fewest && !isReset
        }
    }

    /// Commands behind `<` and answers behind `>`: some logs are the card's.
    private static func isReversed(_ lines: [LogLine]) -> Bool {
        var votes = 0
        for line in lines {
            guard let at = (line.start..<line.text.count).first(where: { isArrow(line.text[$0]) }),
                let marker = marker(line, at: at)
            else { continue }
            let bytes = HexRun(line, from: skip(line, behind: marker, at: at).place).bytes
            if CommandLog.isKnownCommand(bytes) {
                votes += marker.isCommand ? 1 : -1
            } else if CommandLog.hasStatus(bytes) {
                votes += marker.isCommand ? -1 : 1
            }
        }
        return votes < 0
    }

    /// `nil`: no line has a marker with bytes behind it.
    static func items(_ lines: [LogLine]) throws(CommandLog.Fault) -> (shape: String, items: [LogItem])? {
        let lower = lines.map { line in
            LogLine(number: line.number, text: line.text.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 })
        }
        // pcscd: its own lines count, those of the drivers below have arrows too.
        let isDaemon =
            lower.contains { $0.place(of: " apdu: ") != nil } && lower.contains { $0.place(of: " sw: ") != nil }
        var reading = Reading(isDaemon: isDaemon, isReversed: isReversed(lower))
        for line in lower where !line.isBlank {
            // GPShell shows each exchange a second time, as it is within a secure channel.
            if line.hasPrefix("wrapped ", at: line.start) || line.hasPrefix("unwrapped ", at: line.start) { continue }
            if reading.isAnnounced(line) || reading.goesOn(line) { continue }
            if reading.isStatusPair(line) { continue }
            try reading.read(line)
        }
        guard let shape = reading.shape, !reading.items.isEmpty else { return nil }
        return (shape, try complete(reading.items))
    }

    /// Answers that have their status word. A command that is cut is left out where nothing answers it.
    private static func complete(_ items: [LogItem]) throws(CommandLog.Fault) -> [LogItem] {
        var complete: [LogItem] = []
        for (at, item) in items.enumerated() {
            let next = at + 1 < items.count ? items[at + 1] : nil
            if item.isCommand {
                if CommandLog.isCommand(item.bytes) {
                    complete.append(item)
                } else if let next, !next.isCommand {
                    throw CommandLog.Fault(
                        line: item.firstLine, message: "a command that is shorter than its length says")
                }
            } else {
                guard CommandLog.hasStatus(item.bytes) || next?.isStatusWord == true else {
                    throw CommandLog.Fault(line: item.firstLine, message: "an answer without its status word")
                }
                complete.append(item)
            }
        }
        return complete
    }
}
