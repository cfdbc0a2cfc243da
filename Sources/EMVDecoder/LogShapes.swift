// SPDX-License-Identifier: Apache-2.0
import EMVKit

/// Lines in which a word or an arrow says who speaks.
enum MarkedLines {
    private struct Marker {
        let text: StaticString
        let isCommand: Bool
        /// Alone on its line it announces the bytes of the next one.
        var announces = false
        var isStatus = false
        var shape: StaticString = "commands and answers by their words"
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
        Marker(text: "response apdu", isCommand: false, announces: true),
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
        Marker(text: "sw1sw2", isCommand: false, isStatus: true),
        Marker(text: "sw1-sw2", isCommand: false, isStatus: true),
        Marker(text: "sw12", isCommand: false, isStatus: true), Marker(text: "sw", isCommand: false, isStatus: true),
        Marker(text: "c:", isCommand: true), Marker(text: "r:", isCommand: false),
    ]

    private static func isWordPart(_ byte: UInt8) -> Bool {
        (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte) || byte == 0x5F
    }
    private static func isArrow(_ byte: UInt8) -> Bool { byte == 0x3C || byte == 0x3E || byte == 0x3D || byte == 0x2D }

    /// The marker that stands at a place, with nothing of its kind around it.
    private static func marker(_ line: LogLine, at place: Int) -> Marker? {
        let text = line.text
        return markers.first { marker in
            guard line.hasPrefix(marker.text, at: place) else { return false }
            let end = place + marker.text.utf8CodeUnitCount
            let before = place > 0 ? text[place - 1] : 0x20
            let after = end < text.count ? text[end] : 0x20
            if isArrow(text[end - 1]) { return !isArrow(after) && !isArrow(before) && !isWordPart(before) }
            return !isWordPart(before) && (!isWordPart(after) || text[end - 1] == 0x3A) && before != 0x2D
        }
    }

    /// Behind a marker: colons, equals signs, and what some write before the bytes: `(4+0014)`, `(23ms)`, `[]`, `T=1`.
    private static func skip(_ line: LogLine, from place: Int) -> (place: Int, milliseconds: Double?) {
        let text = line.text
        var at = place
        var milliseconds: Double?
        while at < text.count {
            if LogLine.isSpace(text[at]) || [0x3A, 0x3D, 0x7C].contains(text[at]) {
                at += 1
            } else if text[at] == 0x28 || text[at] == 0x5B,
                let close = text[at...].firstIndex(of: text[at] == 0x28 ? 0x29 : 0x5D)
            {
                milliseconds = number(text[(at + 1)..<close], unit: "ms") ?? milliseconds
                at = close + 1
            } else if line.hasPrefix("t=", at: at), let end = text[at...].firstIndex(where: LogLine.isSpace) {
                at = end
            } else {
                break
            }
        }
        return (at, milliseconds)
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

    /// `nil`: no line has a marker with bytes behind it.
    static func items(_ lines: [LogLine]) throws(CommandLog.Fault) -> (shape: String, items: [LogItem])? {
        let lower = lines.map { line in
            LogLine(number: line.number, text: line.text.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 })
        }
        // pcscd: its own lines count, those of the drivers below have arrows too.
        let isDaemon =
            lower.contains { $0.place(of: " apdu: ") != nil } && lower.contains { $0.place(of: " sw: ") != nil }
        var items: [LogItem] = []
        var shape: String?
        var announced: (marker: Marker, line: Int)?
        for line in lower where !line.isBlank {
            if let open = announced, let run = HexRun.whole(line) {
                var item = LogItem(isCommand: open.marker.isCommand, run.bytes, line: open.line, isMasked: run.isMasked)
                item.lastLine = line.number
                items.append(item)
                announced = nil
                continue
            }
            // Long bytes that go on in the next line.
            if let last = items.indices.last, items[last].lastLine == line.number - 1, let run = HexRun.whole(line),
                !(items[last].isCommand && CommandLog.isCommand(items[last].bytes))
            {
                items[last].bytes += run.bytes
                items[last].lastLine = line.number
                continue
            }
            announced = nil
            var at = line.start
            while at < line.text.count {
                guard let marker = marker(line, at: at), !isDaemon || marker.isStatus || line.hasPrefix("apdu", at: at)
                else {
                    at += 1
                    continue
                }
                let (place, milliseconds) = skip(line, from: at + marker.text.utf8CodeUnitCount)
                let run = HexRun(line, from: place)
                if let odd = run.oddAt, run.bytes.isEmpty || marker.isCommand {
                    throw CommandLog.Fault(
                        line: line.number, column: odd, message: "an odd number of hex digits, expected pairs")
                }
                if run.bytes.count >= 2, !marker.isCommand || CommandLog.isCommand(run.bytes) {
                    var item = LogItem(
                        isCommand: marker.isCommand, run.bytes, line: line.number, isMasked: run.isMasked)
                    item.isStatusWord = marker.isStatus && run.bytes.count == 2
                    item.milliseconds = milliseconds
                    items.append(item)
                    shape = shape ?? (isDaemon ? "pcscd" : "\(marker.shape)")
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
        guard let shape, !items.isEmpty else { return nil }
        return (shape, items)
    }
}

/// Lines of hex alone: a command, its answer, and so on.
enum AlternatingLines {
    static func items(_ lines: [LogLine]) throws(CommandLog.Fault) -> [LogItem] {
        var items: [LogItem] = []
        for line in lines where !line.isBlank {
            guard let run = HexRun.whole(line) else {
                let run = HexRun(line, from: line.start)
                if let odd = run.oddAt, line.text[odd...].allSatisfy(LogLine.isSpace) {
                    throw CommandLog.Fault(
                        line: line.number, column: odd, message: "an odd number of hex digits, expected pairs")
                }
                continue
            }
            let waits = items.last?.isCommand ?? false
            let bytes = run.bytes
            let ends =
                bytes.count >= 2 && (bytes[bytes.count - 2] & 0xF0 == 0x60 || bytes[bytes.count - 2] & 0xF0 == 0x90)
            guard waits && ends || CommandLog.isCommand(bytes) else {
                throw CommandLog.Fault(
                    line: line.number,
                    message: "neither a command nor an answer with its status word; expected them in turn")
            }
            items.append(LogItem(isCommand: !(waits && ends), bytes, line: line.number, isMasked: run.isMasked))
        }
        return items
    }
}

/// pcsc-spy of pcsc-lite: the buffers of SCardTransmit, in one line or as a dump.
enum PCSCSpy {
    /// `nil`: not its output.
    static func items(_ lines: [LogLine]) -> [LogItem]? {
        guard lines.contains(where: { $0.hasPrefix("SCardTransmit", at: $0.start) }),
            lines.contains(where: { $0.place(of: "bSendBuffer") != nil })
        else { return nil }
        var items: [LogItem] = []
        var isTransmit = false
        var open: LogItem?
        func close() {
            if let item = open, item.bytes.count >= 2 { items.append(item) }
            open = nil
        }
        for line in lines where !line.isBlank {
            let start = line.start
            let isIn = line.hasPrefix("i ", at: start), isOut = line.hasPrefix("o ", at: start)
            if line.hasPrefix("SCard", at: start) {
                close()
                isTransmit = line.hasPrefix("SCardTransmit", at: start)
            } else if isTransmit,
                line.hasPrefix("i bSendBuffer", at: start) || line.hasPrefix("o bRecvBuffer", at: start)
            {
                close()
                let run = HexRun(line, from: start + 13)
                open = LogItem(isCommand: isIn, run.bytes, line: line.number)
            } else if isIn || isOut, open != nil, let bytes = dump(line, from: start + 1) {
                open?.bytes += bytes
                open?.lastLine = line.number
            } else {
                close()
            }
        }
        close()
        return items
    }

    /// `  0000 00 A4 04 00 … text`: four digits of the place, up to sixteen bytes, then their characters.
    private static func dump(_ line: LogLine, from place: Int) -> Bytes? {
        let text = line.text
        guard let at = text[place...].firstIndex(where: { !LogLine.isSpace($0) }), at + 5 < text.count,
            text[at..<(at + 4)].allSatisfy({ HexRun.digit($0) != nil }), text[at + 4] == 0x20
        else { return nil }
        return HexDump.row(line, from: at + 5, most: 16)
    }
}

enum HexDump {
    /// Pairs of digits with one space between them, not more than `most`: what stands behind are characters.
    static func row(_ line: LogLine, from place: Int, most: Int) -> Bytes {
        let text = line.text
        var bytes = Bytes()
        var at = place
        while bytes.count < most, at + 1 < text.count, let high = HexRun.digit(text[at]),
            let low = HexRun.digit(text[at + 1]),
            at + 2 == text.count || text[at + 2] == 0x20
        {
            bytes.append(high << 4 | low)
            at += 3
        }
        return bytes
    }
}

/// OpenSC's log: so many bytes are announced, then dumped sixteen a line.
enum OpenSCDump {
    /// `nil`: not its output.
    static func items(_ lines: [LogLine]) -> [LogItem]? {
        var items: [LogItem] = []
        var open: (item: LogItem, left: Int)?
        for line in lines {
            if let announced = announcement(line) {
                open = announced
            } else if var now = open {
                let bytes = HexDump.row(line, from: line.start, most: min(16, now.left))
                now.item.bytes += bytes
                now.item.lastLine = line.number
                now.left -= bytes.count
                open = bytes.isEmpty ? nil : now
                if now.left == 0 {
                    items.append(now.item)
                    open = nil
                }
            }
        }
        return items.isEmpty ? nil : items
    }

    private static func announcement(_ line: LogLine) -> (LogItem, Int)? {
        let isCommand = line.place(of: "Outgoing APDU") != nil
        guard isCommand || line.place(of: "Incoming APDU") != nil,
            let open = line.text.firstIndex(where: { $0 == 0x28 || $0 == 0x5B })
        else { return nil }
        let digits = line.text[(open + 1)...].prefix { (0x30...0x39).contains($0) }
        guard (1...5).contains(digits.count) else { return nil }
        let count = digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
        return count == 0 ? nil : (LogItem(isCommand: isCommand, [], line: line.number), count)
    }
}
