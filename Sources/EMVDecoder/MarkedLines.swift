// SPDX-License-Identifier: Apache-2.0
import EMVKernel

// Reads a log line by line. A word or an arrow of the table determines the sender; in a line without one, the bytes
// alone do. Commands and answers may continue in the next lines. Nothing here fails: a line that cannot be read is
// returned with the reason.

enum MarkedLines {
    /// All markers of a kind are swapped together if the bytes require it, because some logs are written from the
    /// card's side. Words such as "command" have only one direction.
    private enum Kind { case fixed, arrow, letter, way }

    private struct Marker {
        let text: StaticString
        var isCommand: Bool
        /// If it is alone on its line, the bytes are on the next line.
        var announces = false
        var isStatus = false
        var shape: StaticString = "commands and answers by their words"
        var kind = Kind.fixed
        /// Index in the table, counted from 1.
        var number = 0

        var isArrow: Bool { kind == .arrow }
    }

    private static func pair(
        _ command: StaticString, _ answer: StaticString, _ kind: Kind = .fixed,
        _ shape: StaticString = "commands and answers by their words", announces: Bool = true
    ) -> [Marker] {
        [
            Marker(text: command, isCommand: true, announces: announces, shape: shape, kind: kind),
            Marker(text: answer, isCommand: false, announces: announces, shape: shape, kind: kind),
        ]
    }

    /// In lower case. The first match counts, so each marker precedes its own prefixes.
    private static let markers: [Marker] = {
        var table: [Marker] =
            pair("a>>", "a<<", .fixed, "GlobalPlatformPro", announces: false)
            + pair(">>>>", "<<<<", .arrow, "Proxmark", announces: false)
            + pair(">>>", "<<<", .arrow, ">> and <<", announces: false) + pair(">>", "<<", .arrow, ">> and <<")
            + pair("-->", "<--", .arrow, "arrows", announces: false)
            + pair("==>", "<==", .arrow, "arrows", announces: false)
            + pair("->", "<-", .arrow, "arrows", announces: false)
            + pair("=>", "<=", .arrow, "arrows", announces: false)
            + pair("\u{2192}", "\u{2190}", .arrow, "arrows", announces: false)
            + pair(">", "<", .arrow, "> and <", announces: false)
            + pair("c-apdu", "r-apdu", .fixed, "C-APDU and R-APDU")
            + pair("capdu", "rapdu", .fixed, "C-APDU and R-APDU")
            + pair("c_apdu", "r_apdu", .fixed, "C-APDU and R-APDU")
            + pair("command apdu", "response apdu") + pair("sent apdu", "received apdu", .way)
            + pair("outgoing apdu", "incoming apdu", .way) + pair("request apdu", "answer apdu")
            + pair("apdu command", "apdu response") + pair("command", "response") + pair("request", "answer")
            + pair("apdu", "reply apdu") + pair("cmd", "resp") + pair("sending", "received", .way)
            + pair("send", "recv", .way) + pair("sent", "receive", .way) + pair("transmit", "reply", .way)
            + pair("tx", "rx", .way) + pair("in:", "out:", .way) + pair("in=", "out=", .way)
            + pair("pcd:", "picc:", .letter) + pair("reader:", "card:", .letter) + pair("terminal:", "icc:", .letter)
            + pair("req", "rsp") + pair("query", "returned")
            + pair("c:", "r:", .letter) + pair("c-", "r-", .letter) + pair("c", "r", .letter, announces: false)
        for word: StaticString in ["status word", "status", "sw1sw2", "sw1 sw2", "sw1-sw2", "sw1/sw2", "sw12", "sw"] {
            table.append(Marker(text: word, isCommand: false, isStatus: true))
        }
        for place in table.indices { table[place].number = place + 1 }
        return table
    }()

    private static func isWordPart(_ byte: UInt8) -> Bool {
        (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte) || byte == 0x5F
    }
    private static func isArrow(_ byte: UInt8) -> Bool { byte == 0x3C || byte == 0x3E || byte == 0x3D || byte == 0x2D }

    private static let firsts: Set<UInt8> = Set(
        markers.map { marker in marker.text.withUTF8Buffer { letters in unsafe letters[0] } })

    /// The marker at a place, if it is not part of a longer word or arrow.
    private static func marker(_ line: LogLine, at place: Int) -> Marker? {
        let text = line.text
        guard firsts.contains(text[place]), place == 0 || !isWordPart(text[place]) || !isWordPart(text[place - 1])
        else {
            return nil
        }
        return markers.first { marker in
            guard line.hasPrefix(marker.text, at: place) else { return false }
            let end = place + marker.text.utf8CodeUnitCount
            let before = place > 0 ? text[place - 1] : 0x20
            let after = end < text.count ? text[end] : 0x20
            if marker.isArrow { return !isArrow(after) && !isArrow(before) && !isWordPart(before) }
            // A single letter must be a separate column.
            if end == place + 1 {
                return LogLine.isSpace(after) && LogLine.isSpace(before) && end < text.count
            }
            return !isWordPart(before) && (!isWordPart(after) || !isWordPart(text[end - 1])) && before != 0x2D
        }
    }

    // MARK: After a marker

    /// Skips colons, equals signs, quotes, and annotations before the bytes: `(4+0014)`, `(23ms)`, `[]`, `T=1`, a time,
    /// the offset `0000:`; after a word also `data`.
    private static func skip(
        _ line: LogLine, behind marker: Marker, at start: Int
    ) -> (place: Int, milliseconds: Double?) {
        let text = line.text
        var at = start + marker.text.utf8CodeUnitCount
        var milliseconds: Double?
        // The limit keeps a line that consists of arrows from being searched again from each of them.
        let most = min(text.count, start + 256)
        while at < most {
            if LogLine.isSpace(text[at]) || [0x3A, 0x3D, 0x7C, 0x22, 0x27, 0x2C, 0x3E, 0x7B].contains(text[at]) {
                at += 1
            } else if text[at] == 0x28 || text[at] == 0x5B,
                let close = text[at...].firstIndex(of: text[at] == 0x28 ? 0x29 : 0x5D)
            {
                if isBytes(line, from: at + 1, to: close) { return (at + 1, milliseconds) }
                milliseconds = number(text[(at + 1)..<close], unit: "ms") ?? milliseconds
                at = close + 1
            } else if !marker.isArrow, let end = size(line, at: at) {
                at = end
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

    /// Returns true if brackets contain a command or an answer, and not a number.
    private static func isBytes(_ line: LogLine, from start: Int, to end: Int) -> Bool {
        guard let run = HexRun.whole(LogLine(number: 0, text: Bytes(line.text[start..<end]))) else { return false }
        return CommandLog.isCommand(run.bytes) || CommandLog.hasStatus(run.bytes) || CommandLog.isTemplate(run.bytes)
    }

    private static func word(_ line: LogLine, at place: Int) -> Int? {
        for word: StaticString in ["data", "apdu", "bytes", "hex", "raw", "buffer", "from card", "to card", "the card"]
        where line.hasPrefix(word, at: place) {
            let end = place + word.utf8CodeUnitCount
            if end == line.text.count || !isWordPart(line.text[end]) { return end }
        }
        return nil
    }

    /// Returns the place after a number of bytes: `length 20`, `len=20`, `20 bytes:`.
    private static func size(_ line: LogLine, at place: Int) -> Int? {
        let text = line.text
        func digits(_ start: Int) -> Int? {
            let start =
                start
                + text[min(start, text.count)...].prefix { LogLine.isSpace($0) || [0x3A, 0x3D].contains($0) }.count
            let count = text[min(start, text.count)...].prefix { (0x30...0x39).contains($0) }.count
            let end = start + count
            return (1...5).contains(count) && (end == text.count || !isWordPart(text[end])) ? end : nil
        }
        for word: StaticString in ["length", "len", "size"] where line.hasPrefix(word, at: place) {
            if let end = digits(place + word.utf8CodeUnitCount) { return end }
        }
        guard var end = digits(place) else { return nil }
        while end < text.count, LogLine.isSpace(text[end]) { end += 1 }
        for unit: StaticString in ["bytes", "byte"] where line.hasPrefix(unit, at: end) {
            end += unit.utf8CodeUnitCount
            return end < text.count && text[end] == 0x3A || end == text.count ? end : nil
        }
        return nil
    }

    /// Returns the place after four to eight digits and a colon that state the number of preceding bytes.
    private static func offset(_ line: LogLine, at place: Int, of count: Int) -> Int? {
        let digits = line.text[place...].prefix { HexRun.digit($0) != nil }
        let end = digits.endIndex
        guard (4...8).contains(digits.count), end + 1 < line.text.count, HexRun.number(digits) == count,
            line.text[end] == 0x3A || LogLine.isSpace(line.text[end]) && LogLine.isSpace(line.text[end + 1])
        else { return nil }
        return end + 1
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

    private static func isClosed(_ byte: UInt8) -> Bool {
        LogLine.isSpace(byte) || [0x3B, 0x5D, 0x29, 0x22, 0x27, 0x7C, 0x7D].contains(byte)
    }

    /// The bytes after a marker, and whether the line contains only them.
    private static func run(_ line: LogLine, from place: Int) -> (run: HexRun, isAlone: Bool)? {
        if let row = HexDump.rowWithText(line, from: place) { return (row, true) }
        var run = HexRun(line, from: place)
        if run.oddAt != nil { return nil }
        if run.bytes.count == 2, CommandLog.hasStatus(run.bytes), let data = dataBehindBar(line, at: run.end) {
            run.bytes += data.bytes
            run.isMasked = run.isMasked || data.isMasked
            (run.firstWord, run.isCut, run.end) = (4, data.isCut, data.end)
        }
        let rest = LogLine(number: 0, text: Bytes(line.text[run.end...].drop(while: isClosed)))
        for unit: StaticString in ["byte", "octet", "ms", "b ", "kb", "char", "packet"] {
            if rest.hasPrefix(unit, at: 0) { return nil }
        }
        let closes: [UInt8] = [0x3A, 0x28, 0x5B, 0x2C, 0x7B]
        return (
            run,
            rest.text.isEmpty || closes.contains(rest.text[0]) || rest.hasPrefix("- ", at: 0)
                || rest.hasPrefix("sw", at: 0)
        )
    }

    /// The data of an answer that follow its status word and a bar: `90 00 | 6F 1F …`.
    private static func dataBehindBar(_ line: LogLine, at place: Int) -> HexRun? {
        let bar = place + line.text[place...].prefix(while: LogLine.isSpace).count
        guard bar < line.text.count, line.text[bar] == 0x7C else { return nil }
        let data = HexRun(line, from: bar + 1 + line.text[(bar + 1)...].prefix(while: LogLine.isSpace).count)
        let isCut = data.isCut && data.bytes.first.map { CommandLog.templates.contains($0) } ?? false
        return isCut || CommandLog.isTemplate(data.bytes) ? data : nil
    }

    /// A letter instead of a hex digit, after at least four bytes: in a pair, or in a word of digits that continues
    /// after it.
    private static func letterFault(_ line: LogLine, from place: Int) -> CommandLog.Fault? {
        let text = line.text
        var (at, word, digits) = (place, place, 0)
        while at < text.count, HexRun.digit(text[at]) != nil || LogLine.isSpace(text[at]) {
            if LogLine.isSpace(text[at]) { word = at + 1 } else { digits += 1 }
            at += 1
        }
        guard at < text.count, digits >= 8, (0x67...0x7A).contains(text[at] | 0x20) else { return nil }
        let end = text[at...].firstIndex { !isWordPart($0) } ?? text.count
        let behind = text[(at + 1)..<end]
        let isPair =
            end - word == 2 && text[word..<end].contains { (0x30...0x39).contains($0) }
            && HexRun(line, from: end).firstWord == 2
        let isInside = at - word >= 8 && !behind.isEmpty && behind.allSatisfy { HexRun.digit($0) != nil }
        guard isPair || isInside else { return nil }
        return CommandLog.Fault(line: line.number, column: at + 1, message: "expected a hex digit")
    }

    /// A line that ends in an odd number of digits, at least eight, the length of a header.
    private static func oddFault(_ line: LogLine, from place: Int) -> CommandLog.Fault? {
        guard let odd = HexRun(line, from: place).oddAt, odd - place >= 8 || place == line.start,
            line.text[odd...].allSatisfy(isClosed)
        else { return nil }
        return CommandLog.Fault(
            line: line.number, column: odd, message: "an odd number of hex digits, expected pairs")
    }

    // MARK: Continued lines

    /// How the last item may continue.
    private struct Open {
        /// The place of the next bytes in the item's bytes: before a status word that came first.
        var count = 0
        /// Number of bytes before those that the rows count: the header of a command, if it has a separate line.
        var base = 0
        /// Le, which follows the data of such a command.
        var expected: UInt8?
        /// The status word came first: rows of sixteen bytes follow, up to a shorter one.
        var isDump = false
        /// Only the status word came first: the rows of one template may follow.
        var isStatusFirst = false
    }

    /// The bytes of a line that continues the previous one.
    private static func more(_ line: LogLine, after count: Int) -> HexRun? {
        let start = offset(line, at: line.start, of: count) ?? line.start
        if let row = HexDump.rowWithText(line, from: start) { return row }
        let run = HexRun(line, from: start)
        let rest = line.text[run.end...].drop(while: isClosed)
        // Some logs add the meaning of the status word in words.
        return run.oddAt == nil && !run.bytes.isEmpty && (rest.isEmpty || rest.first == 0x3A) ? run : nil
    }

    /// Returns true if a line belongs to the last item.
    private static func continues(_ item: LogItem, _ open: Open, _ more: Bytes) -> Bool {
        if CommandLog.isKnownCommand(more) { return false }
        if open.isStatusFirst {
            let data = item.bytes.prefix(open.count)
            return data.isEmpty ? CommandLog.templates.contains(more[0]) : !CommandLog.isTemplate(data)
        }
        if open.isDump { return open.count % 16 == 0 }
        if item.isCommand {
            if open.base > 0 { return item.bytes.count + more.count <= open.base + Int(item.bytes[4]) }
            // A command that is complete except for its Le.
            if CommandLog.isCommand(item.bytes) { return more.count == 1 && CommandLog.isCommand(item.bytes + more) }
            if more.count == 2, CommandLog.hasStatus(more), !CommandLog.isCommand(item.bytes + more) { return false }
            return item.bytes.count > 4 && item.bytes.count + more.count <= 6 + Int(item.bytes[4])
        }
        return !item.isStatusWord && !CommandLog.isWhole(item.bytes)
    }

    /// The status word as `sw1=0x90, sw2=0x00`, and its place.
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
        var faults: [LogFault] = []
        let isDaemon: Bool
        let reversed: [Kind]

        /// True if the last command has no answer yet.
        var waits: Bool { items.last?.isCommand ?? false }

        mutating func append(_ item: LogItem, _ shape: StaticString?) {
            items.append(item)
            open = Open(count: item.bytes.count)
            if let shape { self.shape = self.shape ?? (isDaemon ? "pcscd" : "\(shape)") }
        }

        /// Adds the line to the last item if it continues it; returns whether it does.
        mutating func goesOn(_ line: LogLine) -> Bool {
            guard let last = items.indices.last, items[last].lastLine == line.number - 1,
                let more = more(line, after: open.count - open.base)
            else { return false }
            if items[last].isCut, !items[last].isCommand, more.bytes.count > 3,
                items[last].bytes.starts(with: more.bytes.prefix(4))
            {
                // The rows below repeat in full the bytes that the line before cuts off.
                let status = items[last].hasOwnStatus ? Bytes(items[last].bytes.suffix(2)) : []
                items[last].bytes = status
                items[last].isCut = false
                open = Open(count: 0, isStatusFirst: true)
            } else if !continues(items[last], open, more.bytes) {
                return false
            }
            items[last].bytes.insert(contentsOf: more.bytes, at: open.count)
            open.count += more.bytes.count
            items[last].isMasked = items[last].isMasked || more.isMasked
            items[last].lastLine = line.number
            if let expected = open.expected, items[last].bytes.count == open.base + Int(items[last].bytes[4]) {
                items[last].bytes.append(expected)
                open.expected = nil
            }
            return true
        }

        /// Handles a line with the Le of a command whose data were in rows; returns false for any other line.
        mutating func isExpectedLength(_ line: LogLine) -> Bool {
            guard let last = items.indices.last, open.base > 0, line.hasPrefix("le=", at: line.start),
                items[last].bytes.count == open.base + Int(items[last].bytes[4]), let size = size(line, "le=")
            else { return false }
            items[last].bytes.append(size)
            items[last].lastLine = line.number
            return true
        }

        /// Handles a line with the bytes that the previous line announced; returns false for any other line.
        mutating func isAnnounced(_ line: LogLine) -> Bool {
            guard let (marker, number) = announced else { return false }
            announced = nil
            guard let run = more(line, after: 0) else { return false }
            var item = item(run, marker, line)
            item.firstLine = number
            append(item, marker.shape)
            return true
        }

        /// Handles a line with a status word in two parts; returns false for any other line.
        mutating func isStatusPair(_ line: LogLine) -> Bool {
            guard let (bytes, place) = statusPair(line) else { return false }
            var item = LogItem(isCommand: false, bytes, line: line.number)
            let begins = (line.start..<place).contains { marker(line, at: $0).map { !$0.isStatus } ?? false }
            item.isStatusWord = !begins
            append(item, "commands and answers by their words")
            if begins { open = Open(count: 0, isDump: true) }
            return true
        }

        /// Bytes after a marker. A status word that comes first is moved after the data.
        private func item(_ run: HexRun, _ marker: Marker, _ line: LogLine) -> LogItem {
            var item = LogItem(isCommand: marker.isCommand, run.bytes, line: line.number, isMasked: run.isMasked)
            item.source = marker.number
            (item.isCut, item.hasOwnStatus) = (run.isCut, run.endsInStatus)
            if !marker.isCommand, !run.endsInStatus, let turned = statusFirst(run) {
                (item.bytes, item.hasOwnStatus) = turned
            }
            return item
        }

        /// An answer whose status word comes first, with the status word moved after the data; `nil`: another answer.
        private func statusFirst(_ run: HexRun) -> (bytes: Bytes, hasOwnStatus: Bool)? {
            let status = Bytes(run.bytes.prefix(2)), rest = Bytes(run.bytes.dropFirst(2))
            guard run.firstWord == 4, rest.count > 2, CommandLog.hasStatus(status) else { return nil }
            // The status word is printed both before and after the data.
            if rest.count > 4, Bytes(rest.suffix(2)) == status, CommandLog.isObject(Bytes(rest.dropLast(2))) {
                return (rest, true)
            }
            return run.isCut || !CommandLog.hasStatus(rest) || CommandLog.isObject(rest) ? (rest + status, true) : nil
        }

        mutating func read(_ line: LogLine) {
            var at = line.start
            var found = false
            var end = line.text.count
            while at < line.text.count {
                guard var marker = marker(line, at: at), !isDaemon || marker.isStatus || line.hasPrefix("apdu", at: at)
                else {
                    at += 1
                    continue
                }
                if reversed.contains(marker.kind) { marker.isCommand.toggle() }
                let (place, milliseconds) = skip(line, behind: marker, at: at)
                let fault = oddFault(line, from: place) ?? letterFault(line, from: place)
                if !found, let fault, !marker.isStatus {
                    faults.append((fault, []))
                    return
                }
                guard let (run, isAlone) = run(line, from: place), isTaken(run, marker, isAlone, line) else {
                    if marker.announces, place >= line.text.count {
                        announced = (marker, line.number)
                        shape = shape ?? "\(marker.shape)"
                        found = true
                    }
                    at += 1
                    continue
                }
                let start = at
                found = true
                at = run.end
                end = run.end
                if marker.isCommand, let (command, answer) = CommandLog.pair(run.bytes) {
                    append(LogItem(isCommand: true, command, line: line.number, isMasked: run.isMasked), marker.shape)
                    append(LogItem(isCommand: false, answer, line: line.number, isMasked: run.isMasked), nil)
                    continue
                }
                // The answered command precedes the arrow.
                if !marker.isCommand, !waits, at > line.start {
                    readBare(LogLine(number: line.number, text: Bytes(line.text[..<start])), takes: .commands)
                }
                var item = item(run, marker, line)
                item.isStatusWord = marker.isStatus && run.bytes.count == 2
                item.milliseconds = milliseconds
                if marker.isCommand, item.bytes.count == 4, let header = header(line, item.bytes) {
                    item.bytes = header
                    append(item, marker.shape)
                    guard size(line, "lc=") != nil else { continue }
                    open.base = 5
                    open.expected = size(line, "le=")
                    continue
                }
                // Smart Card Shell: the length of the data follows, then their rows.
                let hasRows = line.place(of: "lr=") != nil
                if hasRows { item.isStatusWord = false }
                let isFirst =
                    !item.isCommand && !item.isStatusWord && item.bytes.count == 2 && CommandLog.hasStatus(item.bytes)
                append(item, marker.shape)
                if isFirst {
                    open = Open(count: 0, isDump: hasRows, isStatusFirst: !hasRows)
                }
            }
            if isDaemon { return }
            if !found {
                readBare(line)
            } else if announced == nil, waits, items[items.count - 1].lastLine == line.number, at <= line.text.count,
                end < line.text.count
            {
                readBare(line, from: end, takes: .answers)
            }
        }

        private enum Side { case commands, answers }

        /// A header whose length follows in words: `80 AE 40 00 - GENERATE AC Lc=37`, in decimal; `nil`: there is no
        /// length.
        private func header(_ line: LogLine, _ bytes: Bytes) -> Bytes? {
            (size(line, "lc=") ?? size(line, "le=")).map { bytes + [$0] }
        }

        private func size(_ line: LogLine, _ word: StaticString) -> UInt8? {
            guard let place = line.place(of: word) else { return nil }
            let digits = line.text[(place + word.utf8CodeUnitCount)...].prefix { (0x30...0x39).contains($0) }
            guard (1...3).contains(digits.count) else { return nil }
            return UInt8(truncatingIfNeeded: digits.reduce(0) { $0 * 10 + Int($1 - 0x30) })
        }

        /// Returns true if bytes after a marker are a command or an answer, or the start of one.
        private func isTaken(_ run: HexRun, _ marker: Marker, _ isAlone: Bool, _ line: LogLine) -> Bool {
            let bytes = run.bytes
            if marker.isStatus, !isDaemon { return bytes.count == 2 && CommandLog.hasStatus(bytes) }
            if marker.isCommand {
                if CommandLog.isCommand(bytes) { return bytes.count > 3 && (marker.kind != .letter || isEMV(bytes)) }
                return isAlone && (CommandLog.isBeginningOfCommand(bytes) || CommandLog.hasKnownHeader(bytes))
                    || CommandLog.pair(bytes) != nil
            }
            // An answer to reset is neither.
            guard bytes.first != 0x3B, bytes.first != 0x3F else { return false }
            if CommandLog.hasStatus(bytes) { return marker.text.utf8CodeUnitCount > 1 || bytes.count == 2 || isAlone }
            if run.isCut { return bytes.count > 2 }
            guard isAlone else { return false }
            if marker.announces || marker.isArrow { return bytes.count >= 2 }
            return bytes.count >= (waits ? 3 : 8) || CommandLog.isTemplate(bytes)
        }

        private func isEMV(_ bytes: Bytes) -> Bool { CommandLog.hasKnownHeader(bytes + [0]) || bytes[0] == 0xFF }

        // MARK: Lines without a marker

        /// Reads bytes without a marker that can be recognised: a known command anywhere in the line, the expected
        /// answer, or lines that contain only hex, in turn.
        private mutating func readBare(_ line: LogLine, from start: Int? = nil, takes side: Side? = nil) {
            let isWhole =
                side == nil && HexRun.whole(line) != nil
                || side == nil && HexDump.rowWithText(line, from: line.start) != nil
            let fault = oddFault(line, from: line.start) ?? letterFault(line, from: line.start)
            if !isWhole, side == nil, let fault {
                faults.append((fault, []))
                return
            }
            var at = start ?? line.start
            var tries = 0
            while at < line.text.count {
                let isStart = at == line.start || !isWordPart(line.text[at - 1]) && line.text[at - 1] != 0x2E
                guard isStart, HexRun.digit(line.text[at]) != nil else {
                    at += 1
                    continue
                }
                let run = HexDump.rowWithText(line, from: at) ?? HexRun(line, from: at)
                guard run.bytes.count >= 2 else {
                    at = max(at + 1, run.end)
                    continue
                }
                if side == .commands, !CommandLog.isKnownCommand(run.bytes) || CommandLog.hasStatus(run.bytes) && waits
                {
                    at = max(at + 1, run.end)
                    continue
                }
                if side == .answers, !waits || !CommandLog.hasStatus(run.bytes) { return }
                let isSaid =
                    at > line.start
                    && [0x3A, 0x3D, 0x22, 0x27, 0x7B, 0x5B, 0x28, 0x3E, 0x3B, 0x7C, 0x2C].contains(
                        line.text[..<at].last { !LogLine.isSpace($0) } ?? 0)
                if isBare(run, line, isWhole, isSaid) {
                    (at, tries) = (max(run.end, at + 1), 0)
                } else {
                    // Up to a few numbers may precede a command.
                    tries += 1
                    at = tries < 4 ? at + 1 : max(run.end, at + 1)
                }
            }
        }

        /// Adds a run without a marker if it is a command or an answer; returns whether it is.
        private mutating func isBare(_ run: HexRun, _ line: LogLine, _ isWhole: Bool, _ isSaid: Bool) -> Bool {
            var bytes = run.bytes
            if let (turned, _) = statusFirst(run), CommandLog.isTemplate(turned.dropLast(2)) { bytes = turned }
            func item(_ isCommand: Bool, _ bytes: Bytes) -> LogItem {
                var item = LogItem(isCommand: isCommand, bytes, line: line.number, isMasked: run.isMasked)
                (item.isCut, item.hasOwnStatus) = (run.isCut, run.endsInStatus)
                return item
            }
            if let (command, answer) = CommandLog.pair(bytes), !(waits && CommandLog.isWhole(bytes)) {
                append(item(true, command), nil)
                append(item(false, answer), nil)
                return true
            }
            let ends = CommandLog.hasStatus(bytes)
            if CommandLog.isKnownCommand(bytes), !(isWhole && waits && ends) {
                append(item(true, bytes), nil)
                return true
            }
            if waits, ends,
                isWhole || isSaid || bytes.count == 2 && (isFirst(line, run) || isNext(line, run))
                    || bytes.count > 2 && CommandLog.isTemplate(bytes.dropLast(2))
            {
                append(item(false, bytes), nil)
                return true
            }
            // An answer without a status word, or one that is cut off.
            if waits, isWhole || isSaid,
                CommandLog.isTemplate(bytes) || run.isCut && CommandLog.templates.contains(bytes[0])
            {
                append(item(false, bytes), nil)
                return true
            }
            guard isWhole || isSaid && CommandLog.hasKnownHeader(bytes) && run.isCut else { return false }
            // An answer to reset.
            if !waits, [0x3B, 0x3F].contains(bytes[0]), bytes.count > 2 { return true }
            // A log that starts in the middle of a dialogue.
            let isFirst =
                items.isEmpty && ends
                && (!CommandLog.isCommand(bytes) || CommandLog.templates.contains(bytes[0]))
            if isFirst || items.last.map({ !$0.isCommand && !CommandLog.hasStatus($0.bytes) }) == true && ends {
                var item = item(false, bytes)
                item.isStatusWord = !isFirst && bytes.count == 2
                if isFirst || item.isStatusWord {
                    append(item, nil)
                    return true
                }
            }
            let isUnknown = shape == nil && !run.isMasked && CommandLog.isCommand(bytes)
            if isUnknown || CommandLog.hasKnownHeader(bytes) {
                append(item(true, bytes), nil)
                return true
            }
            let message = "neither a command nor an answer with its status word; expected them in turn"
            faults.append((CommandLog.Fault(line: line.number, message: message), bytes))
            return true
        }

        /// Returns true if a run ends the line below the command.
        private func isNext(_ line: LogLine, _ run: HexRun) -> Bool {
            items.last?.lastLine == line.number - 1 && line.text[run.end...].allSatisfy(isClosed)
        }

        private func isFirst(_ line: LogLine, _ run: HexRun) -> Bool {
            HexRun(line, from: line.start).bytes == run.bytes
        }
    }

    /// Kinds of markers that this log uses in the opposite direction.
    private static func reversed(_ lines: [LogLine]) -> [Kind] {
        var votes: [(kind: Kind, sum: Int)] = [(.arrow, 0), (.letter, 0), (.way, 0)]
        for line in lines {
            var isVoted = [false, false, false]
            for at in line.start..<max(line.start, line.text.count) {
                guard let marker = marker(line, at: at), let row = votes.firstIndex(where: { $0.kind == marker.kind }),
                    !isVoted[row]
                else { continue }
                let bytes = HexRun(line, from: skip(line, behind: marker, at: at).place).bytes
                guard bytes.count >= 2 else { continue }
                isVoted[row] = true
                if CommandLog.isKnownCommand(bytes) || CommandLog.isBeginningOfCommand(bytes) {
                    votes[row].sum += marker.isCommand ? 1 : -1
                } else if CommandLog.hasStatus(bytes) {
                    votes[row].sum += marker.isCommand ? -1 : 1
                }
            }
        }
        return votes.filter { $0.sum < 0 }.map { $0.kind }
    }

    static func items(
        _ lines: [LogLine]
    ) -> (shape: String, items: [LogItem], faults: [LogFault]) {
        let lower = lines.map { line in
            LogLine(number: line.number, text: line.text.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 })
        }
        // pcscd: only its own lines count, because the drivers' lines below have arrows too.
        let isDaemon =
            lower.contains { $0.place(of: " apdu: ") != nil } && lower.contains { $0.place(of: " sw: ") != nil }
        var reading = Reading(isDaemon: isDaemon, reversed: reversed(lower))
        for line in lower where !line.isBlank {
            // GPShell prints each exchange a second time, as it is inside a secure channel.
            if line.hasPrefix("wrapped ", at: line.start) || line.hasPrefix("unwrapped ", at: line.start) { continue }
            if reading.isAnnounced(line) || reading.goesOn(line) { continue }
            if reading.isExpectedLength(line) || reading.isStatusPair(line) { continue }
            reading.read(line)
        }
        return (reading.shape ?? "alternating lines", reading.items, reading.faults)
    }
}
