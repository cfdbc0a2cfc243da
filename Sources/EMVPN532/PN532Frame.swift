// SPDX-License-Identifier: Apache-2.0
import EMVKit

/// A frame of the PN532 (UM0701-02, 6.2.1): preamble, start code 00 FF, length with checksum, direction, data with
/// checksum, postamble. This is the codec alone; it knows no command.
enum PN532Frame: Sendable, Hashable {
    /// The last frame has arrived; sent by the host, it also ends a running command.
    case ack
    /// The host asks the chip to repeat its last frame.
    case nack
    /// The chip did not understand a frame (an "error frame", 7F).
    case error
    /// Data from the chip, without the direction byte: at least the command's code.
    case data(Bytes)
    /// A frame whose length, checksum or direction is wrong.
    case damaged

    /// The direction bytes: from the host, and from the chip.
    static let toChip: UInt8 = 0xD4
    static let toHost: UInt8 = 0xD5
    /// Data bytes of the longest frame, without direction (6.2.1.2).
    static let longest = 264

    static let ackBytes: Bytes = [0x00, 0x00, 0xFF, 0x00, 0xFF, 0x00]
    static let nackBytes: Bytes = [0x00, 0x00, 0xFF, 0xFF, 0x00, 0x00]

    /// Encodes a command as a frame.
    ///
    /// - Parameter data: code and parameters, 1 to ``longest`` bytes.
    static func encode(_ data: Bytes, direction: UInt8 = toChip) -> Bytes {
        precondition((1...longest).contains(data.count), "a frame holds 1 to \(longest) bytes")
        let length = data.count + 1
        var frame: Bytes = [0x00, 0x00, 0xFF]
        if length <= 0xFF {
            frame += [UInt8(length), 0 &- UInt8(length)]
        } else {
            let (high, low) = (UInt8(length >> 8), UInt8(length & 0xFF))
            frame += [0xFF, 0xFF, high, low, 0 &- (high &+ low)]
        }
        frame.append(direction)
        frame += data
        frame += [0 &- data.reduce(direction, &+), 0x00]
        return frame
    }
}

/// Finds frames in a stream of bytes and ignores other bytes between them.
struct PN532FrameParser: Sendable {
    /// The bytes from the first one that may belong to a frame.
    private var pending: Bytes = []

    /// Whether a frame has begun and is not complete.
    var isInsideFrame: Bool { pending.count > 2 }

    mutating func append(_ bytes: Bytes) { pending += bytes }

    mutating func reset() { pending = [] }

    /// The number of kept bytes; at most those of the longest frame.
    var pendingCount: Int { pending.count }

    /// Returns the next frame, or `nil` until more bytes have arrived. Bytes outside frames are dropped.
    mutating func next() -> PN532Frame? {
        while let start = startCode() {
            pending.removeFirst(start)
            guard pending.count >= 4 else { return nil }
            switch (pending[2], pending[3]) {
            case (0x00, 0xFF): return take(4, .ack)
            case (0xFF, 0x00): return take(4, .nack)
            case (0xFF, 0xFF):
                guard pending.count >= 7 else { return nil }
                guard pending[4] &+ pending[5] &+ pending[6] == 0 else { return take(2, .damaged) }
                let length = Int(pending[4]) << 8 | Int(pending[5])
                guard (1...PN532Frame.longest + 1).contains(length) else { return take(2, .damaged) }
                return body(at: 7, length)
            case (let length, let check) where length > 0 && length &+ check == 0: return body(at: 4, Int(length))
            default:
                // The length is invalid: the start code may be the end of other data.
                return take(1, .damaged)
            }
        }
        // The last byte may be the first of a start code.
        if pending.count > 1 { pending.removeFirst(pending.count - (pending.last == 0 ? 1 : 0)) }
        if pending != [0] { pending = [] }
        return nil
    }

    private func startCode() -> Int? {
        guard pending.count >= 2 else { return nil }
        return (0..<pending.count - 1).first { pending[$0] == 0x00 && pending[$0 + 1] == 0xFF }
    }

    private mutating func take(_ count: Int, _ frame: PN532Frame) -> PN532Frame {
        pending.removeFirst(count)
        return frame
    }

    /// Parses direction, data and checksum; the postamble is skipped later.
    private mutating func body(at offset: Int, _ length: Int) -> PN532Frame? {
        let end = offset + length
        guard pending.count > end else { return nil }
        let content = Bytes(pending[offset..<end])
        let sum = content.reduce(0, &+) &+ pending[end]
        pending.removeFirst(end + 1)
        guard sum == 0 else { return .damaged }
        if content == [0x7F] { return .error }
        guard content.count > 1, content[0] == PN532Frame.toHost else { return .damaged }
        return .data(Bytes(content.dropFirst()))
    }
}
