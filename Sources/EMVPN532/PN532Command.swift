// SPDX-License-Identifier: Apache-2.0
import EMVKit

/// The commands of the PN532 that a payment reader needs, and their answers (UM0701-02, 7). It converts between bytes
/// and values, and uses neither a stream nor a clock.
struct PN532Command: Sendable, Hashable {
    /// Code and parameters.
    let bytes: Bytes
    /// Whether the command may be repeated if it is unknown whether it arrived: no card notices the repetition.
    let isRepeatable: Bool

    private init(_ bytes: Bytes, isRepeatable: Bool = true) {
        self.bytes = bytes
        self.isRepeatable = isRepeatable
    }

    /// The first byte of the chip's answer.
    var answerCode: UInt8 { bytes[0] &+ 1 }

    /// 7.2.2
    static let firmwareVersion = PN532Command([0x02])
    /// 7.2.10: normal mode, no security module, no interrupt line. It also ends the sleep after power-on.
    static let normalMode = PN532Command([0x14, 0x01, 0x00, 0x00])
    /// 7.2.9: the chip activates ISO-DEP by itself.
    static let automaticActivation = PN532Command([0x12, 0x14])
    /// 7.3.1, item 1.
    static func field(on: Bool) -> PN532Command { PN532Command([0x32, 0x01, on ? 0x01 : 0x00]) }
    /// 7.3.1, item 5: looks for a card once and repeats once, so that an empty field is reported soon.
    static let fewAttempts = PN532Command([0x32, 0x05, 0xFF, 0x01, 0x01])
    /// 7.3.1, item 2: 102.4 ms for answers to RATS and the like, 51.2 ms for bare frames (as after power-on).
    static let timeouts = PN532Command([0x32, 0x02, 0x00, 0x0B, 0x0A])

    /// 7.3.5. The chip forgets its earlier targets.
    static func list(_ type: PN532CardType, atMost count: UInt8) -> PN532Command {
        switch type {
        case .a: PN532Command([0x4A, count, 0x00])
        // Application family 00: every card answers.
        case .b: PN532Command([0x4A, count, 0x03, 0x00])
        }
    }

    /// 7.3.8: a part of a command APDU, or a request for the rest of the answer.
    static func exchange(_ target: UInt8, _ part: ArraySlice<UInt8>, hasMore: Bool) -> PN532Command {
        PN532Command([0x40, target | (hasMore ? PN532Command.more : 0)] + part, isRepeatable: false)
    }

    /// 7.3.9: a raw frame, including its checksum.
    static func frame(_ bytes: Bytes) -> PN532Command { PN532Command([0x42] + bytes) }

    /// The number of bytes of a card's command in one frame.
    static let part = PN532Frame.longest - 2
    /// The bit, in the target's number and in a status, for data that continues in another frame.
    static let more: UInt8 = 0x40
    /// The bits of a status that hold the error.
    static let errorBits: UInt8 = 0x3F
}

/// A type of modulation of cards; both types run at 106 kbit/s.
public enum PN532CardType: String, Sendable, Hashable, CaseIterable {
    case a, b
}

/// A card that the chip activated.
struct PN532Target: Sendable, Hashable {
    let number: UInt8
    /// Whether the card supports ISO/IEC 14443-4.
    let isISODEP: Bool

    /// Parses the answer to `list`, after its code: a count, and that many targets; `nil` if it is malformed.
    static func targets(_ answer: ArraySlice<UInt8>, _ type: PN532CardType) -> [PN532Target]? {
        guard let count = answer.first, count <= 2 else { return nil }
        var rest = answer.dropFirst()
        var targets: [PN532Target] = []
        for _ in 0..<count {
            guard let target = type == .a ? typeA(&rest) : typeB(&rest) else { return nil }
            targets.append(target)
        }
        return rest.isEmpty && Set(targets.map(\.number)).count == targets.count ? targets : nil
    }

    private static func take(_ count: Int, _ rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard rest.count >= count else { return nil }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }

    /// Number, SENS_RES, SEL_RES, UID with its length; after it the answer to RATS, whose first byte is its length.
    private static func typeA(_ rest: inout ArraySlice<UInt8>) -> PN532Target? {
        guard let head = take(5, &rest).map(Bytes.init), [4, 7, 10].contains(head[4]),
            take(Int(head[4]), &rest) != nil
        else { return nil }
        let isISODEP = head[3] & 0x20 != 0
        if isISODEP {
            guard let length = rest.first, length > 0, take(Int(length), &rest) != nil else { return nil }
        }
        return isNumber(head[0]) ? PN532Target(number: head[0], isISODEP: isISODEP) : nil
    }

    /// Number, ATQB of 12 bytes, answer to ATTRIB with its length. Protocol type: bit 1 of byte 11.
    private static func typeB(_ rest: inout ArraySlice<UInt8>) -> PN532Target? {
        guard let head = take(13, &rest).map(Bytes.init), head[1] == 0x50, let length = take(1, &rest)?.first,
            take(Int(length), &rest) != nil
        else { return nil }
        return isNumber(head[0]) ? PN532Target(number: head[0], isISODEP: head[11] & 0x01 != 0) : nil
    }

    private static func isNumber(_ number: UInt8) -> Bool { (1...2).contains(number) }
}
