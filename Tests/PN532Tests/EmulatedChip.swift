// SPDX-License-Identifier: Apache-2.0
import EMVSimulator

/// A PN532 with cards in its field, written from its manual and independent of the tested codec: bytes in, bytes out.
struct EmulatedChip {
    enum Kind { case a, b }

    struct Slot {
        let kind: Kind
        var card: any CardPresentation
        var isISODEP = true
        var isThere = true
    }

    /// A deviation from the normal response to a matching command.
    enum Fault: Equatable {
        /// The command is neither acknowledged nor executed.
        case lostCommand
        case lostAcknowledgement
        case lostAnswer
        /// The answer is damaged this number of times, including the first transmission.
        case damagedAnswer(times: Int)
        /// The answer is cut off this number of times.
        case cutAnswer(times: Int)
        case garbage([UInt8])
        case errorFrame
        /// An answer to another command comes first.
        case otherAnswer
        case empty
        case status(UInt8)
        /// These bytes replace the parameters.
        case answer([UInt8])
        /// Announces more data, without an end.
        case endless([UInt8])
        case slow(milliseconds: Int)
        case unplugged
    }

    enum Output: Equatable {
        case bytes([UInt8])
        case pause(milliseconds: Int)
        case hangUp
    }

    var slots: [Slot] = []
    /// Faults by command code, with the affected occurrence, counted from 0.
    var faults: [(code: UInt8, at: Int, fault: Fault)] = []
    /// The number of polls (InListPassiveTarget) after which the second card is removed.
    var secondLeavesAfter: Int?
    private(set) var commands: [[UInt8]] = []
    private(set) var isFieldOn = false
    private(set) var aborts = 0
    private(set) var nacks = 0
    private var seen: [UInt8: Int] = [:]
    private var input: [UInt8] = []
    private var isAwake = false
    private var targets: [Int] = []
    private var silent: Set<Int> = []
    private var chained: [UInt8] = []
    private var rest: [UInt8] = []
    private var last: [UInt8] = []
    private var spoiled = 0
    private var cut = 0
    private static let ack: [UInt8] = [0, 0, 0xFF, 0, 0xFF, 0]

    /// Receives bytes that the host wrote.
    mutating func receive(_ bytes: [UInt8]) -> [Output] {
        input += bytes
        var outputs: [Output] = []
        while true {
            guard let start = (0..<max(0, input.count - 2)).first(where: { Array(input[$0..<$0 + 3]) == [0, 0, 0xFF] })
            else { return outputs }
            if input[..<start].contains(0x55) { isAwake = true }
            let head = Array(input[(start + 3)...])
            guard head.count >= 2 else { return outputs }
            if head[0] == 0, head[1] == 0xFF {
                input.removeFirst(start + 5)
                aborts += 1
            } else if head[0] == 0xFF, head[1] == 0 {
                input.removeFirst(start + 5)
                nacks += 1
                outputs += sendLast()
            } else {
                let isLong = head[0] == 0xFF && head[1] == 0xFF
                guard head.count >= (isLong ? 5 : 2) else { return outputs }
                let length = isLong ? Int(head[2]) * 256 + Int(head[3]) : Int(head[0])
                let body = isLong ? 5 : 2
                guard head.count > body + length else { return outputs }
                let data = Array(head[body..<body + length])
                let sum = data.reduce(0) { $0 + Int($1) } + Int(head[body + length])
                input.removeFirst(start + 3 + body + length + 1)
                precondition(sum % 256 == 0 && data[0] == 0xD4, "the host's frame is malformed")
                outputs += obey(Array(data.dropFirst()))
            }
        }
    }

    private mutating func obey(_ command: [UInt8]) -> [Output] {
        guard isAwake else { return [] }
        commands.append(command)
        let occurrence = seen[command[0], default: 0]
        seen[command[0]] = occurrence + 1
        let hits = faults.filter { $0.code == command[0] && $0.at == occurrence }.map(\.fault)
        if hits.contains(.lostCommand) { return [] }
        if hits.contains(.unplugged) { return [.hangUp] }
        var outputs: [Output] = hits.contains(.lostAcknowledgement) ? [] : [.bytes(EmulatedChip.ack)]
        var answer = [command[0] + 1] + perform(command)
        for hit in hits {
            switch hit {
            case .errorFrame:
                last = [0, 0, 0xFF, 1, 0xFF, 0x7F, 0x81, 0]
                return outputs + [.bytes(last)]
            case .lostAnswer: return outputs
            case .garbage(let bytes): outputs = [.bytes(bytes)] + outputs + [.bytes(bytes)]
            case .otherAnswer: outputs.append(.bytes(EmulatedChip.frame([0x0D, 1, 2, 3, 4])))
            case .empty: answer = [answer[0]]
            case .status(let code): answer = [answer[0], code]
            case .answer(let bytes): answer = [answer[0]] + bytes
            case .endless(let bytes):
                answer = [answer[0], 0x40] + bytes
                faults.append((command[0], occurrence + 1, .endless(bytes)))
            case .slow(let milliseconds): outputs.append(.pause(milliseconds: milliseconds))
            case .damagedAnswer(let times): spoiled = times
            case .cutAnswer(let times): cut = times
            case .lostCommand, .lostAcknowledgement, .unplugged: break
            }
        }
        last = EmulatedChip.frame(answer)
        return outputs + sendLast()
    }

    private mutating func sendLast() -> [Output] {
        guard !last.isEmpty else { return [] }
        var frame = last
        if spoiled > 0 {
            spoiled -= 1
            frame[frame.count - 2] ^= 0x20
        }
        if cut > 0 {
            cut -= 1
            frame = Array(frame.prefix(frame.count / 2))
        }
        return [.bytes(frame)]
    }

    static func frame(_ data: [UInt8]) -> [UInt8] {
        let body = [0xD5] + data
        let sum = body.reduce(UInt8(0), &-)
        let head: [UInt8]
        if body.count < 256 {
            head = [UInt8(body.count), UInt8((256 - body.count) % 256)]
        } else {
            let (high, low) = (body.count / 256, body.count % 256)
            head = [0xFF, 0xFF, UInt8(high), UInt8(low), UInt8((512 - high - low) % 256)]
        }
        return [0, 0, 0xFF] + head + body + [sum, 0]
    }

    /// Returns the parameters of the answer.
    private mutating func perform(_ command: [UInt8]) -> [UInt8] {
        switch command[0] {
        case 0x02: return [0x32, 1, 6, 7]
        case 0x32 where command[1] == 1:
            isFieldOn = command[2] & 1 == 1
            if !isFieldOn {
                (targets, silent) = ([], [])
                for index in slots.indices { slots[index].card.reset() }
            }
            return []
        case 0x4A: return list(command)
        case 0x40: return exchange(command)
        case 0x42: return [0x01]
        default: return []
        }
    }

    private mutating func list(_ command: [UInt8]) -> [UInt8] {
        if let left = secondLeavesAfter {
            if left == 0, slots.count > 1 { slots[1].isThere = false }
            secondLeavesAfter = left - 1
        }
        targets = []
        (chained, rest) = ([], [])
        let kind: Kind = command[2] == 0 ? .a : .b
        guard isFieldOn else { return [0] }
        for index in slots.indices
        where slots[index].kind == kind && slots[index].isThere && !silent.contains(index)
            && targets.count < Int(command[1])
        {
            guard slots[index].card.poll() != .none else { continue }
            targets.append(index)
            silent.insert(index)
        }
        return [UInt8(targets.count)]
            + targets.enumerated().flatMap { place, index -> [UInt8] in
                let number = UInt8(place + 1)
                guard kind == .a else { return [number, 0x50, 1, 2, 3, 4, 0, 0, 0, 0, 0, 0x81, 0xE0, 1, 0] }
                let isISODEP = slots[index].isISODEP
                return [number, 0x00, 0x04, isISODEP ? 0x20 : 0x08, 4, 8, 1, 2, UInt8(index)]
                    + (isISODEP ? [0x05, 0x78, 0x80, 0x70, 0x02] : [])
            }
    }

    private mutating func exchange(_ command: [UInt8]) -> [UInt8] {
        let number = Int(command[1] & 0x3F)
        guard targets.indices.contains(number - 1) else { return [0x27] }
        let index = targets[number - 1]
        guard slots[index].isThere else { return [0x01] }
        if command[1] & 0x40 != 0 {
            chained += command.dropFirst(2)
            return [0]
        }
        if rest.isEmpty {
            let whole = chained + command.dropFirst(2)
            chained = []
            switch slots[index].card.exchange(whole) {
            case .response(let bytes, _): rest = bytes
            case .timeout: return [0x01]
            case .transmissionError: return [0x02]
            case .protocolError: return [0x0B]
            case .removed: return [0x2B]
            }
        }
        let part = rest.prefix(262)
        rest.removeFirst(part.count)
        return [rest.isEmpty ? 0 : 0x40] + part
    }
}

/// Answers each command with the result of a function.
struct FunctionCard: SimulatedCard {
    let answer: @Sendable ([UInt8]) -> [UInt8]
    func respond(to command: [UInt8]) -> [UInt8] { answer(command) }
    mutating func reset() {}
}
