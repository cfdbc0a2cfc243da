// SPDX-License-Identifier: Apache-2.0
import EMVKernel

/// Bytes in quotes or in arrays of numbers: JSON, JSON lines, tables of C, Java, Dart. Member names are ignored; the
/// bytes decide which value is a command and which is its answer.
enum QuotedValues {
    private struct Value {
        var bytes: Bytes
        let line: Int
        var isMasked: Bool
        /// Number of the innermost pair of braces or brackets.
        let group: Int
    }

    /// `nil`: not such a text, or it contains no command.
    static func items(_ lines: [LogLine]) -> (shape: String, items: [LogItem], faults: [LogFault])? {
        guard let first = lines.first(where: { !$0.isBlank }), [0x7B, 0x5B].contains(first.text[first.start]) else {
            return nil
        }
        let (found, isJSON, faults) = values(lines)
        let values = inTurn(found)
        var items: [LogItem] = []
        var at = 0
        while at < values.count {
            let value = values[at]
            at += 1
            func append(_ isCommand: Bool, _ bytes: Bytes, to line: Int? = nil) {
                var item = LogItem(isCommand: isCommand, bytes, line: value.line, isMasked: value.isMasked)
                item.lastLine = max(value.line, line ?? 0)
                items.append(item)
            }
            let waits = items.last?.isCommand ?? false
            // A header, its data without their length, and the answer.
            if value.bytes.count == 4, CommandLog.isKnownCommand(value.bytes), at + 1 < values.count,
                values[at].group == value.group, values[at + 1].group == value.group, values[at].bytes.count < 256
            {
                let data = values[at].bytes
                let length: Bytes = data.isEmpty ? [] : [UInt8(data.count)]
                append(true, value.bytes + length + data, to: values[at].line)
                at += 1
            } else if value.bytes.isEmpty {
                continue
            } else if let (command, answer) = CommandLog.pair(value.bytes) {
                append(true, command)
                append(false, answer)
            } else if CommandLog.isKnownCommand(value.bytes) && !(waits && CommandLog.isWhole(value.bytes)) {
                append(true, value.bytes)
            } else if value.bytes.count == 1, at < values.count, values[at].bytes.count == 1,
                CommandLog.hasStatus(value.bytes + values[at].bytes)
            {
                // A status word given as two values.
                append(false, value.bytes + values[at].bytes, to: values[at].line)
                items[items.count - 1].isStatusWord = true
                at += 1
            } else if waits, CommandLog.hasStatus(value.bytes) || CommandLog.isObject(value.bytes) {
                append(false, value.bytes)
            } else if !waits, CommandLog.hasKnownHeader(value.bytes) {
                append(true, value.bytes)
            } else if value.bytes.count == 2, CommandLog.hasStatus(value.bytes), let last = items.last, !last.isCommand,
                !CommandLog.hasStatus(last.bytes)
            {
                append(false, value.bytes)
                items[items.count - 1].isStatusWord = true
            } else if CommandLog.hasStatus(value.bytes), value.bytes.count > 2, CommandLog.isWhole(value.bytes) {
                append(false, value.bytes)
            }
        }
        guard items.contains(where: { $0.isCommand }) else { return nil }
        return (isJSON ? "JSON" : "table of a program", items, faults)
    }

    /// Turns a list of commands followed by a list of answers into commands and answers in turn.
    private static func inTurn(_ values: [Value]) -> [Value] {
        let commands = values.prefix { CommandLog.isKnownCommand($0.bytes) && CommandLog.pair($0.bytes) == nil }
        var answers: [Value] = []
        for value in values[commands.endIndex...] {
            if value.bytes.count == 2, let last = answers.indices.last, !CommandLog.hasStatus(answers[last].bytes) {
                answers[last].bytes += value.bytes
            } else {
                answers.append(value)
            }
        }
        let list = commands.first?.group
        guard commands.allSatisfy({ $0.group == list }),
            values[commands.endIndex...].allSatisfy({ $0.group != list }), commands.count > 1, !answers.isEmpty,
            answers.count <= commands.count,
            answers.allSatisfy({ CommandLog.hasStatus($0.bytes) && !CommandLog.isKnownCommand($0.bytes) })
        else { return values }
        return commands.indices.flatMap { at -> [Value] in
            at < answers.count ? [values[at], answers[at]] : [values[at]]
        }
    }

    /// An array whose numbers are in the next lines.
    private static func numbers(_ lines: [LogLine], after line: LogLine) -> HexRun? {
        var text = Bytes()
        for next in lines[line.number...] {
            let isList = next.text.allSatisfy {
                LogLine.isSpace($0) || HexRun.digit($0) != nil || $0 == 0x2C || $0 == 0x2D
            }
            guard isList else { break }
            text += next.text + [0x20]
        }
        let run = HexRun(LogLine(number: line.number, text: text), from: 0)
        guard run.bytes.count > 3 || run.bytes.count == 2 && CommandLog.hasStatus(run.bytes) else { return nil }
        var found = HexRun(line, from: line.text.count)
        found.bytes = run.bytes
        return found
    }

    /// Strings of hex and arrays of numbers, in order, and whether there are names with a colon among them.
    private static func values(_ lines: [LogLine]) -> (values: [Value], isJSON: Bool, faults: [LogFault]) {
        var values: [Value] = []
        var faults: [LogFault] = []
        var isJSON = false
        var groups: [Int] = [0]
        var opened = 0
        for line in lines {
            let text = line.text
            var at = line.start
            while at < text.count {
                switch text[at] {
                case 0x22, 0x27:
                    let end = text[(at + 1)...].firstIndex(of: text[at]) ?? text.count
                    let inner = LogLine(number: line.number, text: Bytes(text[(at + 1)..<end]))
                    let next = text[min(end + 1, text.count)...].first { !LogLine.isSpace($0) }
                    if next == 0x3A {
                        isJSON = true
                    } else if inner.isBlank {
                        values.append(Value(bytes: [], line: line.number, isMasked: false, group: groups.last ?? 0))
                    } else if let run = HexRun.whole(inner) {
                        values.append(
                            Value(bytes: run.bytes, line: line.number, isMasked: run.isMasked, group: groups.last ?? 0))
                    }
                    if let odd = HexRun(inner, from: 0).oddAt, odd == inner.text.count, odd >= 8,
                        let head = HexRun.whole(LogLine(number: 0, text: Bytes(inner.text.prefix(8)))),
                        CommandLog.isKnownCommand(head.bytes) || CommandLog.templates.contains(head.bytes[0])
                    {
                        let message = "an odd number of hex digits, expected pairs"
                        faults.append((CommandLog.Fault(line: line.number, column: at + 1 + odd, message: message), []))
                    }
                    at = end + 1
                case 0x7B, 0x5B:
                    var run = HexRun(line, from: at + 1)
                    if text[(at + 1)...].allSatisfy(LogLine.isSpace), let list = numbers(lines, after: line) {
                        run = list
                    }
                    if run.bytes.count >= 2 {
                        values.append(
                            Value(bytes: run.bytes, line: line.number, isMasked: run.isMasked, group: groups.last ?? 0))
                        at = max(at + 1, run.end)
                        if at < text.count, text[at] == 0x5D || text[at] == 0x7D { at += 1 }
                    } else {
                        opened += 1
                        groups.append(opened)
                        at += 1
                    }
                case 0x7D, 0x5D:
                    if groups.count > 1 { groups.removeLast() }
                    at += 1
                // The rest of the line is a comment.
                case 0x2F where at + 1 < text.count && text[at + 1] == 0x2F: at = text.count
                default: at += 1
                }
            }
        }
        return (values, isJSON, faults)
    }
}

/// Commands given as fields: CLA, INS, P1, P2, Lc, data, Le, each on its own line or several on one.
enum FieldLines {
    private enum Field { case cla, ins, p1, p2, lc, le, data, sw1, sw2, sw }

    private static let names: [(StaticString, Field)] = [
        ("cla", .cla), ("ins", .ins), ("p1", .p1), ("p2", .p2), ("p3", .lc), ("lc", .lc), ("le", .le), ("data", .data),
        ("sw1", .sw1), ("sw2", .sw2), ("sw", .sw), ("status", .sw), ("sw1sw2", .sw), ("statusword", .sw),
        ("response", .data), ("responsedata", .data), ("rdata", .data), ("commanddata", .data),
    ]

    /// `nil`: no command is given as fields.
    static func items(_ lines: [LogLine]) -> [LogItem]? {
        var items: [LogItem] = []
        var isInCommand = false
        var isAnswerOpen = false
        for line in lines {
            let lower = LogLine(
                number: line.number, text: line.text.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 })
            for (field, run) in fields(lower) where !run.bytes.isEmpty {
                if field == .cla {
                    items.append(LogItem(isCommand: true, run.bytes, line: line.number, isMasked: run.isMasked))
                    (isInCommand, isAnswerOpen) = (true, false)
                    continue
                }
                guard let last = items.indices.last else { continue }
                let bytes = items[last].bytes
                let isFull = bytes.count > 4 && bytes.count >= 5 + Int(bytes[4])
                switch field {
                case .cla: break
                case .ins, .p1, .p2, .lc, .le:
                    guard isInCommand else { continue }
                    items[last].bytes += run.bytes.prefix(field == .le || field == .lc ? run.bytes.count : 1)
                case .data where isInCommand && bytes.count > 4 && !isFull: items[last].bytes += run.bytes
                // The command has no Lc.
                case .data where isInCommand && bytes.count == 4 && run.bytes.count < 256 && !isAnswer(run, bytes):
                    items[last].bytes += [UInt8(run.bytes.count)] + run.bytes
                case .data, .sw1, .sw2, .sw:
                    if isAnswerOpen {
                        items[last].bytes += run.bytes
                    } else {
                        items.append(LogItem(isCommand: false, run.bytes, line: line.number, isMasked: run.isMasked))
                        (isInCommand, isAnswerOpen) = (false, true)
                    }
                    if field == .sw2 || field == .sw { isAnswerOpen = false }
                }
                items[items.count - 1].lastLine = line.number
                if run.isMasked { items[items.count - 1].isMasked = true }
            }
        }
        return items.contains { $0.isCommand && CommandLog.hasKnownHeader($0.bytes + [0]) } ? items : nil
    }

    /// Returns true if the data after a header are the answer: the command has no data, or they begin like an answer.
    private static func isAnswer(_ run: HexRun, _ header: Bytes) -> Bool {
        [0x84, 0xB0, 0xB2, 0xC0, 0xCA].contains(header[1])
            || CommandLog.isTemplate(run.bytes) || CommandLog.isTemplate(run.bytes.dropLast(2))
    }

    /// Names with a colon or an equals sign, and the bytes after each. A quoted name is JSON.
    private static func fields(_ line: LogLine) -> [(Field, HexRun)] {
        var found: [(Field, HexRun)] = []
        let text = line.text
        for at in line.start..<max(line.start, text.count) {
            if at > 0, isLetter(text[at - 1]) { continue }
            for (name, field) in names where line.hasPrefix(name, at: at) {
                var place = at + name.utf8CodeUnitCount
                let isQuoted = place < text.count && (text[place] == 0x22 || text[place] == 0x27)
                if isQuoted { place += 1 }
                while place < text.count, LogLine.isSpace(text[place]) { place += 1 }
                guard place < text.count, text[place] == 0x3A || text[place] == 0x3D else { continue }
                place += 1
                while place < text.count, LogLine.isSpace(text[place]) { place += 1 }
                if isQuoted, let numbers = numbers(text, from: place, field) {
                    var run = HexRun(line, from: text.count)
                    run.bytes = numbers
                    found.append((field, run))
                    break
                }
                if place < text.count, text[place] == 0x22 || text[place] == 0x27 { place += 1 }
                found.append((field, HexRun(line, from: place)))
                break
            }
        }
        return found
    }

    /// A JSON number or an array of numbers, in decimal; a status word has two bytes, and Le may be 256. `nil`: another
    /// value.
    private static func numbers(_ text: Bytes, from place: Int, _ field: Field) -> Bytes? {
        var at = place
        let isArray = at < text.count && text[at] == 0x5B
        if isArray { at += 1 }
        var bytes = Bytes()
        while at < text.count {
            while at < text.count, LogLine.isSpace(text[at]) || isArray && text[at] == 0x2C { at += 1 }
            let digits = text[min(at, text.count)...].prefix { (0x30...0x39).contains($0) }
            guard (1...5).contains(digits.count) else { break }
            let value = digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
            at = digits.endIndex
            // A letter follows: this is hex without quotes.
            guard value < 0x10000, at == text.count || !isLetter(text[at]) else { return nil }
            if field == .sw { bytes.append(UInt8(truncatingIfNeeded: value >> 8)) }
            guard field == .sw || field == .le || value < 256 else { return nil }
            bytes.append(UInt8(truncatingIfNeeded: value))
            if !isArray { break }
        }
        return bytes.isEmpty ? nil : bytes
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || byte == 0x5F
    }
}
