// SPDX-License-Identifier: Apache-2.0
import EMVKernel

/// Proxmark's list of frames (`hf 14a list`, `trace list`): blocks of ISO/IEC 14443-4, assembled into commands and
/// answers. Frames of activation, acknowledgements, requests for time and frames with errors contain no command or
/// answer.
enum FrameList {
    private struct Frame {
        let isReader: Bool
        var bytes: Bytes
        var isSound: Bool
        let firstLine: Int
        var lastLine: Int
    }

    /// `nil`: no line is a row of Proxmark's list.
    static func items(_ lines: [LogLine]) -> (items: [LogItem], faults: [LogFault])? {
        var frames: [Frame] = []
        var isOpen = false
        for line in lines {
            let cells = line.text.split(separator: 0x7C, maxSplits: 4, omittingEmptySubsequences: false)
            guard cells.count >= 4 else { continue }
            let sender = LogLine(number: 0, text: Bytes(cells[2].filter { !LogLine.isSpace($0) }))
            let isReader = sender.hasPrefix("Rdr", at: 0), isCard = sender.hasPrefix("Tag", at: 0)
            if sender.text.count == 3, isReader || isCard {
                let data = data(cells[3])
                frames.append(
                    Frame(
                        isReader: isReader, bytes: data ?? [], isSound: data != nil, firstLine: line.number,
                        lastLine: line.number))
                isOpen = true
            } else if isOpen, sender.text.isEmpty, (cells[0] + cells[1]).allSatisfy(LogLine.isSpace) {
                let data = data(cells[3])
                frames[frames.count - 1].bytes += data ?? []
                frames[frames.count - 1].isSound = frames[frames.count - 1].isSound && data != nil
                frames[frames.count - 1].lastLine = line.number
            } else {
                isOpen = false
            }
        }
        guard !frames.isEmpty else { return nil }
        var blocks = BlockReader()
        for frame in frames {
            if frame.isSound {
                blocks.take(frame.bytes, isReader: frame.isReader, lines: frame.firstLine...frame.lastLine)
            } else if lines[frame.firstLine - 1].place(of: "! ") != nil {
                blocks.refuse(frame.firstLine, "a frame with an error of parity")
            }
        }
        return (blocks.items, blocks.faults)
    }

    /// `nil` if the cell contains other text: a parity error (`!`), a frame of seven bits.
    private static func data(_ cell: ArraySlice<UInt8>) -> Bytes? {
        var bytes = Bytes()
        for word in cell.split(whereSeparator: LogLine.isSpace) {
            guard word.count == 2, let first = word.first, let last = word.last, let high = HexRun.digit(first),
                let low = HexRun.digit(last)
            else { return nil }
            bytes.append(high << 4 | low)
        }
        return bytes
    }
}

/// Assembles chained blocks (ISO/IEC 14443-4, 7).
private struct BlockReader {
    var items: [LogItem] = []
    private(set) var faults: [LogFault] = []
    private var open: LogItem?
    private var last: (block: Bytes, isReader: Bool)?

    /// Appends the checksum of type A.
    static func completed(_ bytes: Bytes) -> Bytes {
        let sum = crc(bytes[...], 0x6363)
        return bytes + [UInt8(truncatingIfNeeded: sum), UInt8(truncatingIfNeeded: sum >> 8)]
    }

    mutating func take(_ block: Bytes, isReader: Bool, lines: ClosedRange<Int>) {
        guard block.count >= 3, block[0] & 0xE2 == 0x02 else { return }
        guard BlockReader.isIntact(block) else {
            if block.count > 5 { refuse(lines.lowerBound, "a frame whose checksum is wrong") }
            return
        }
        // Repeated, because the other side did not receive it.
        if let last, last.isReader == isReader, last.block == block { return }
        last = (block, isReader)
        let control = block[0]
        let head = 1 + (control & 0x08 != 0 ? 1 : 0) + (control & 0x04 != 0 ? 1 : 0)
        guard block.count >= head + 2 else { return }
        let data = Bytes(block[head..<(block.count - 2)])
        if open?.isCommand == isReader {
            open?.bytes += data
            open?.lastLine = lines.upperBound
        } else {
            var item = LogItem(isCommand: isReader, data, line: lines.lowerBound)
            item.lastLine = lines.upperBound
            open = item
        }
        guard control & 0x10 == 0, let item = open else { return }
        open = nil
        if item.isCommand ? CommandLog.isCommand(item.bytes) : item.bytes.count >= 2 { items.append(item) }
    }

    mutating func refuse(_ line: Int, _ message: String) {
        faults.append((CommandLog.Fault(line: line, message: message), []))
    }

    /// Checks the checksum of type A or of type B (ISO/IEC 14443-3, annex B).
    private static func isIntact(_ block: Bytes) -> Bool {
        let data = block.dropLast(2)
        let sent = UInt16(block[block.count - 1]) << 8 | UInt16(block[block.count - 2])
        return crc(data, 0x6363) == sent || ~crc(data, 0xFFFF) == sent
    }

    private static func crc(_ data: ArraySlice<UInt8>, _ start: UInt16) -> UInt16 {
        data.reduce(start) { crc, byte in
            var low = byte ^ UInt8(truncatingIfNeeded: crc)
            low ^= low << 4
            let wide = UInt16(low)
            return crc >> 8 ^ wide << 8 ^ wide << 3 ^ wide >> 4
        }
    }
}

/// Lines with frames around commands: blocks of ISO/IEC 14443-4 with or without their checksum, CCID messages, PN532
/// frames (InDataExchange, InCommunicateThru), also inside a command to the reader itself. The text before its bytes
/// identifies a line's sender: the one whose frames contain known commands is the reader.
enum WrappedFrames {
    private struct Frame {
        var label: Bytes
        var bytes: Bytes
        let firstLine: Int
        var lastLine: Int
    }

    /// `nil`: no line has a frame around a known command, or a line has such a command without a frame.
    static func items(_ lines: [LogLine]) -> (items: [LogItem], faults: [LogFault])? {
        if let blocks = bareBlocks(lines) { return blocks }
        let frames = frames(lines)
        guard !frames.contains(where: { CommandLog.isKnownCommand($0.bytes) }) else { return nil }
        if let blocks = blocks(frames, { $0 }) ?? blocks(frames, BlockReader.completed) { return blocks }
        var items: [LogItem] = []
        for frame in frames {
            guard let (isCommand, bytes) = unwrapped(frame.bytes),
                isCommand ? CommandLog.isCommand(bytes) : bytes.count >= 2
            else { continue }
            var item = LogItem(isCommand: isCommand, bytes, line: frame.firstLine)
            item.lastLine = frame.lastLine
            items.append(item)
        }
        return items.contains { $0.isCommand && CommandLog.isKnownCommand($0.bytes) } ? (items, []) : nil
    }

    /// Returns true if lines of hex are blocks around commands and answers in turn.
    static func areBlocks(_ lines: [Bytes]) -> Bool {
        let numbered = lines.indices.map { (number: $0 + 1, bytes: lines[$0]) }
        return (inTurn(numbered) { $0 } ?? inTurn(numbered, BlockReader.completed)) != nil
    }

    /// Only blocks, one per line; `nil`: other lines.
    private static func bareBlocks(_ lines: [LogLine]) -> (items: [LogItem], faults: [LogFault])? {
        var bare: [(number: Int, bytes: Bytes)] = []
        for line in lines where !line.isBlank {
            guard let run = HexRun.whole(line), !run.isCut else { return nil }
            bare.append((line.number, run.bytes))
        }
        return inTurn(bare) { $0 } ?? inTurn(bare, BlockReader.completed)
    }

    /// Blocks of data in turn, starting with the reader's: after the last block of a chain it is the other side's turn.
    /// Frames without a block of data are left out.
    private static func inTurn(
        _ lines: [(number: Int, bytes: Bytes)], _ change: (Bytes) -> Bytes
    ) -> (items: [LogItem], faults: [LogFault])? {
        var blocks = BlockReader()
        var isReader = true
        for line in lines {
            let block = change(line.bytes)
            guard block.count > 3, block[0] & 0xE2 == 0x02 else { continue }
            let count = blocks.items.count
            blocks.take(block, isReader: isReader, lines: line.number...line.number)
            if blocks.items.count > count { isReader.toggle() }
        }
        guard !lines.contains(where: { CommandLog.isKnownCommand($0.bytes) }), let first = blocks.items.first,
            CommandLog.isKnownCommand(first.bytes), blocks.items.count > 1,
            blocks.items.allSatisfy({ $0.isCommand || CommandLog.hasStatus($0.bytes) })
        else { return nil }
        return (blocks.items, blocks.faults)
    }

    /// Blocks by their labels, after applying `change` to each of them.
    private static func blocks(_ frames: [Frame], _ change: (Bytes) -> Bytes) -> (items: [LogItem], faults: [LogFault])?
    {
        var readers = Set<Bytes>()
        for frame in frames {
            var one = BlockReader()
            one.take(change(frame.bytes), isReader: true, lines: frame.firstLine...frame.lastLine)
            if let item = one.items.first, CommandLog.isKnownCommand(item.bytes) { readers.insert(frame.label) }
        }
        guard !readers.isEmpty else { return nil }
        var blocks = BlockReader()
        for frame in frames {
            blocks.take(
                change(frame.bytes), isReader: readers.contains(frame.label), lines: frame.firstLine...frame.lastLine)
        }
        return (blocks.items, blocks.faults)
    }

    /// Bytes of each line, with the letters and signs before them. A line with only bytes continues the line before.
    private static func frames(_ lines: [LogLine]) -> [Frame] {
        var frames: [Frame] = []
        for line in lines where !line.isBlank {
            let text = line.text
            var at = line.start
            var found: (start: Int, run: HexRun)?
            while at < text.count {
                let before = at > 0 ? text[at - 1] : 0x20
                let isStart = LogLine.isSpace(before) || [0x3A, 0x3D, 0x3E, 0x3C, 0x5B, 0x7C].contains(before)
                guard isStart, HexRun.digit(text[at]) != nil else {
                    at += 1
                    continue
                }
                let run = HexRun(line, from: at)
                if !run.bytes.isEmpty, run.bytes.count >= found?.run.bytes.count ?? 1 { found = (at, run) }
                at = max(at + 1, run.end)
            }
            guard let (start, run) = found else { continue }
            let label = Bytes(text[..<start].filter { !LogLine.isSpace($0) && !(0x30...0x3A).contains($0) }.suffix(16))
            if label.isEmpty, let last = frames.indices.last, frames[last].lastLine == line.number - 1 {
                frames[last].bytes += run.bytes
                frames[last].lastLine = line.number
            } else if let last = frames.indices.last, frames[last].label == label, isBeginning(frames[last].bytes) {
                // libnfc reads a frame of PN532 in parts.
                frames[last].bytes += run.bytes
                frames[last].lastLine = line.number
            } else {
                frames.append(
                    Frame(label: label, bytes: run.bytes, firstLine: line.number, lastLine: line.number))
            }
        }
        return frames
    }

    /// Whether more of a frame of PN532 must follow (its manual, 6.2.1): 00 00 FF, length, its complement, data.
    private static func isBeginning(_ bytes: Bytes) -> Bool {
        guard let start = frameStart(bytes), start + 1 < bytes.count, bytes[start] != 0 else { return false }
        return bytes[start] &+ bytes[start + 1] == 0 && bytes.count < start + 2 + Int(bytes[start])
    }

    private static func frameStart(_ bytes: Bytes) -> Int? {
        let zeros = bytes.prefix { $0 == 0 }.count
        return (1...3).contains(zeros) && zeros < bytes.count && bytes[zeros] == 0xFF ? zeros + 1 : nil
    }

    /// The content of a frame, and whether it is sent to the card; `nil`: another frame.
    private static func unwrapped(_ bytes: Bytes) -> (isCommand: Bool, bytes: Bytes)? {
        // CCID, 6.1.4 and 6.2.1: the kind, the length, seven bytes in all of slot, number and state.
        if bytes.count > 10, bytes[0] == 0x6F || bytes[0] == 0x80, bytes[3] == 0, bytes[4] == 0,
            Int(bytes[1]) | Int(bytes[2]) << 8 == bytes.count - 10
        {
            let isCommand = bytes[0] == 0x6F
            let data = Bytes(bytes[10...])
            if let inner = unwrapped(data) { return inner }
            return (isCommand, block(ofT1: data) ?? data)
        }
        // A command to the reader itself around a PN532 frame.
        if bytes.count > 7, bytes[0..<4] == [0xFF, 0x00, 0x00, 0x00], bytes.count >= 5 + Int(bytes[4]), bytes[5] == 0xD4
        {
            return unwrapped(Bytes(bytes[5..<(5 + Int(bytes[4]))]))
        }
        if let start = frameStart(bytes), start + 2 < bytes.count, bytes[start] &+ bytes[start + 1] == 0,
            bytes.count >= start + 2 + Int(bytes[start])
        {
            return unwrapped(Bytes(bytes[(start + 2)..<(start + 2 + Int(bytes[start]))]))
        }
        guard bytes.count > 4 else { return nil }
        switch (bytes[0], bytes[1]) {
        case (0xD4, 0x40): return (true, Bytes(bytes[3...]))
        case (0xD4, 0x42): return (true, inner(Bytes(bytes[2...])))
        case (0xD5, 0x41), (0xD5, 0x43):
            guard bytes[2] == 0 else { return nil }
            var data = bytes[1] == 0x41 ? Bytes(bytes[3...]) : inner(Bytes(bytes[3...]))
            // The reader's own status word follows the card's.
            if data.count >= 4, data.suffix(2) == [0x90, 0x00], CommandLog.hasStatus(data.dropLast(2)) {
                data.removeLast(2)
            }
            return (false, data)
        default: return nil
        }
    }

    /// The data of a block of ISO/IEC 14443-4 without a checksum, or else the bytes.
    private static func inner(_ bytes: Bytes) -> Bytes {
        bytes.count > 2 && bytes[0] & 0xEE == 0x02 ? Bytes(bytes[1...]) : bytes
    }

    /// The data of a T=1 block (ISO/IEC 7816-3, 11.3); `nil`: the bytes are not such a block.
    private static func block(ofT1 bytes: Bytes) -> Bytes? {
        guard bytes.count > 4, bytes[0] == 0, bytes[1] & 0xBF == 0, Int(bytes[2]) == bytes.count - 4,
            bytes.reduce(0, { $0 ^ $1 }) == 0
        else { return nil }
        return Bytes(bytes[3..<(bytes.count - 1)])
    }
}
