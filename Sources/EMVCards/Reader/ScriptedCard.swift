// SPDX-License-Identifier: Apache-2.0
/// A card that replays one dialogue and reports where the reader deviates from it.
public struct ScriptedCard: CardPresentation {
    private let script: [Line]
    private let match: Match
    private var position = 0
    /// The reader's first deviation from the script; nil if there was none so far.
    public private(set) var difference: Difference?

    /// One line of the script, in chronological order.
    public enum Line: Sendable, Hashable {
        case exchange(command: [UInt8], reply: CardReply)
        /// A new presentment: the field was off before it.
        case presentment
        /// The next polling finds two cards.
        case collision
    }

    /// How strictly commands are compared.
    public enum Match: Sendable, Hashable {
        /// Byte for byte.
        case exact
        /// Class, instruction and parameters, and the name in SELECT.
        case header
    }

    /// The first command that differs from the script's.
    public struct Difference: Error, Sendable, Hashable {
        /// Line of the script, from 0.
        public let line: Int
        /// Nil if the script has ended.
        public let expected: [UInt8]?
        public let received: [UInt8]
        /// Index of the first byte that differs, from 0.
        public let offset: Int
    }

    public init(_ script: [Line], match: Match = .exact) {
        self.script = script
        self.match = match
        if script.first == .presentment { position = 1 }
    }

    /// Whether every line was played, without a deviation.
    public var isComplete: Bool { difference == nil && position == script.count }

    /// Number of the script's commands that were not sent yet.
    public var remaining: Int {
        script[min(position, script.count)...].count { if case .exchange = $0 { true } else { false } }
    }

    public mutating func poll() -> CardPresence {
        guard position < script.count, script[position] == .collision else { return .one }
        position += 1
        return .collision
    }

    public mutating func exchange(_ command: [UInt8]) -> CardReply {
        guard difference == nil else { return .response(StatusWord.noPreciseDiagnosis.bytes, milliseconds: 0) }
        guard position < script.count, case .exchange(let expected, let reply) = script[position],
            agrees(command, expected)
        else {
            difference = missed(command)
            return .response(StatusWord.noPreciseDiagnosis.bytes, milliseconds: 0)
        }
        position += 1
        return reply
    }

    /// The field goes off. If the script's next line is a presentment, the script continues after it.
    public mutating func reset() {
        if position < script.count, script[position] == .presentment { position += 1 }
    }

    private func agrees(_ command: [UInt8], _ expected: [UInt8]) -> Bool {
        if match == .exact || command.count < 4 || expected.count < 4 { return command == expected }
        guard command.prefix(4) == expected.prefix(4) else { return false }
        return expected[1] != 0xA4 || CommandAPDU(command)?.data == CommandAPDU(expected)?.data
    }

    private func missed(_ command: [UInt8]) -> Difference {
        var expected: [UInt8]?
        if position < script.count, case .exchange(let bytes, _) = script[position] { expected = bytes }
        let same = zip(command, expected ?? []).prefix { $0 == $1 }.count
        return Difference(line: position, expected: expected, received: command, offset: same)
    }
}
