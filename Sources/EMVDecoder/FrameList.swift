// SPDX-License-Identifier: Apache-2.0
import EMVKit

/// Proxmark's list of frames (`hf 14a list`, `trace list`): blocks of ISO/IEC 14443-4, put together to commands and
/// answers. Frames of activation, acknowledgements, requests for time, frames with errors hold none.
enum FrameList {
    private struct Frame {
        let isReader: Bool
        var bytes: Bytes
        var isSound: Bool
        let firstLine: Int
        var lastLine: Int
    }

    /// `nil`: no line is a row of such a list.
    static func items(_ lines: [LogLine]) -> [LogItem]? {
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
        for frame in frames where frame.isSound {
            blocks.take(frame.bytes, isReader: frame.isReader, lines: frame.firstLine...frame.lastLine)
        }
        return blocks.items
    }

    /// `nil` where something else stands among the bytes: an error of parity (`!`), a frame of seven bits.
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

/// Puts chained blocks together (ISO/IEC 14443-4, 7).
private struct BlockReader {
    var items: [LogItem] = []
    private var open: LogItem?
    private var last: (block: Bytes, isReader: Bool)?

    mutating func take(_ block: Bytes, isReader: Bool, lines: ClosedRange<Int>) {
        guard block.count >= 3, BlockReader.isIntact(block), block[0] & 0xE2 == 0x02 else { return }
        // Sent again, because the other side did not hear it.
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

    /// The checksum of type A or of type B (ISO/IEC 14443-3, annex B).
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
