// SPDX-License-Identifier: Apache-2.0
import EMVKernel

/// pcsc-spy of pcsc-lite: the buffers of SCardTransmit, on one line or as a dump.
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

    /// `  0000 00 A4 04 00 … text`: four digits of the offset, up to sixteen bytes, then their characters.
    private static func dump(_ line: LogLine, from place: Int) -> Bytes? {
        let text = line.text
        guard let at = text[place...].firstIndex(where: { !LogLine.isSpace($0) }), at + 5 < text.count,
            text[at..<(at + 4)].allSatisfy({ HexRun.digit($0) != nil }), text[at + 4] == 0x20
        else { return nil }
        return HexDump.row(line, from: at + 5, most: 16)
    }
}

enum HexDump {
    /// A row of a dump followed by the characters of its bytes; `nil`: there are no characters, or others.
    static func rowWithText(_ line: LogLine, from place: Int) -> HexRun? {
        let text = line.text
        guard let start = text[place...].firstIndex(where: { !LogLine.isSpace($0) }) else { return nil }
        let bytes = row(line, from: start, most: 16)
        let end = start + bytes.count * 3 - 1
        guard !bytes.isEmpty, end + 1 < text.count, LogLine.isSpace(text[end]) else { return nil }
        // Shorter rows are padded, so that the characters are aligned.
        guard bytes.count == 16 || LogLine.isSpace(text[end + 1]) else { return nil }
        let shown = trimmed(text[end...]), expected = trimmed(bytes.map { isPrintable($0) ? $0 : 0x2E }[...])
        guard shown.count == expected.count, !shown.isEmpty else { return nil }
        for (one, other) in zip(shown, expected) where other != 0x2E && lower(one) != lower(other) { return nil }
        var run = HexRun(line, from: text.count)
        run.bytes = bytes
        run.isMasked = text[start..<end].contains(where: HexRun.isMask)
        return run
    }

    private static func isPrintable(_ byte: UInt8) -> Bool { (0x20...0x7E).contains(byte) }
    private static func lower(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte | 0x20 : byte }

    /// Removes spaces around it, and the bars that some dumps have there.
    private static func trimmed(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var text = text.drop(while: LogLine.isSpace)
        while let last = text.last, LogLine.isSpace(last) { text.removeLast() }
        if text.count > 2, text.first == 0x7C, text.last == 0x7C {
            text = text.dropFirst().dropLast().drop(while: LogLine.isSpace)
            while let last = text.last, LogLine.isSpace(last) { text.removeLast() }
        }
        return text
    }

    /// Pairs of digits with one space between them, at most `most`: characters follow them.
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

/// OpenSC's log: it announces a number of bytes, then dumps them, sixteen per line.
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
        let digits = line.text[(open + 1)...].drop(while: LogLine.isSpace).prefix { (0x30...0x39).contains($0) }
        guard (1...5).contains(digits.count) else { return nil }
        let count = digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
        return count == 0 ? nil : (LogItem(isCommand: isCommand, [], line: line.number), count)
    }
}

/// Packets between a phone and its controller (NCI 2.0), as Android's log has them: `NxpNciX : len = 7 > 0000…`. Data
/// packets hold the payload of ISO/IEC 14443-4, split into parts if it is long.
enum ControllerLines {
    private struct Packet {
        var isSent: Bool
        var bytes: Bytes
        var firstLine: Int
        var lastLine: Int
    }

    /// `nil`: not its output.
    static func items(_ lines: [LogLine]) -> [LogItem]? {
        var packets: [Packet] = []
        var isPartial = [false, false]
        for line in lines {
            guard let (isSent, bytes) = packet(line) else { continue }
            // For data packets: the header, which states whether more parts follow, and the length of the rest.
            guard bytes.count >= 3, bytes[0] & 0xE0 == 0, bytes.count == 3 + Int(bytes[2]) else { continue }
            let side = isSent ? 1 : 0
            if isPartial[side], let last = packets.lastIndex(where: { $0.isSent == isSent }) {
                packets[last].bytes += bytes[3...]
                packets[last].lastLine = line.number
            } else {
                packets.append(
                    Packet(isSent: isSent, bytes: Bytes(bytes[3...]), firstLine: line.number, lastLine: line.number))
            }
            isPartial[side] = bytes[0] & 0x10 != 0
        }
        guard !packets.isEmpty else { return nil }
        // The phone is the reader, unless it acts as the card: then it receives the commands.
        let votes = packets.reduce(0) { $0 + (CommandLog.isKnownCommand($1.bytes) ? $1.isSent ? 1 : -1 : 0) }
        let isReader = votes >= 0
        let items = packets.map { packet -> LogItem in
            var item = LogItem(isCommand: packet.isSent == isReader, packet.bytes, line: packet.firstLine)
            item.lastLine = packet.lastLine
            return item
        }
        return items.filter {
            $0.isCommand ? CommandLog.isCommand($0.bytes) : CommandLog.hasStatus($0.bytes)
        }
    }

    private static func packet(_ line: LogLine) -> (isSent: Bool, bytes: Bytes)? {
        let isSent = line.place(of: "NxpNciX") != nil
        guard isSent || line.place(of: "NxpNciR") != nil,
            let arrow = line.text.lastIndex(where: { $0 == 0x3E || $0 == 0x3C })
        else { return nil }
        return HexRun.whole(LogLine(number: 0, text: Bytes(line.text[(arrow + 1)...]))).map { (isSent, $0.bytes) }
    }
}
