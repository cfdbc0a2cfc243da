// SPDX-License-Identifier: Apache-2.0
// The differential fuzzer: plays a random tap with the independent implementation, gives CEMV the same answers, and
// compares every command, every message and every parameter of an outcome. A difference is reduced and printed with the
// command that reproduces it.

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// CEMV behind the line protocol, as a process.
final class Process {
    private var input: Int32 = -1
    private var output: Int32 = -1
    private var buffer: [UInt8] = []
    private var at = 0

    init?(_ command: String) {
        var toChild: [Int32] = [0, 0]
        var fromChild: [Int32] = [0, 0]
        guard pipe(&toChild) == 0, pipe(&fromChild) == 0 else { return nil }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawn_file_actions_adddup2(&actions, toChild[0], 0)
        posix_spawn_file_actions_adddup2(&actions, fromChild[1], 1)
        for end in toChild + fromChild { posix_spawn_file_actions_addclose(&actions, end) }
        var child = pid_t()
        let line: [String] = ["/bin/sh", "-c", "exec " + command]
        var words: [UnsafeMutablePointer<CChar>?] = line.map { strdup($0) }
        words.append(nil)
        guard posix_spawn(&child, "/bin/sh", &actions, nil, words, environ) == 0 else { return nil }
        close(toChild[0])
        close(fromChild[1])
        signal(SIGPIPE, SIG_IGN)
        (input, output) = (toChild[1], fromChild[0])
    }

    func write(_ text: String) {
        var bytes = Array(text.utf8)
        while !bytes.isEmpty {
            let count = writeOnce(input, bytes)
            if count <= 0 { return }
            bytes.removeFirst(count)
        }
    }

    /// `nil` if the process has ended.
    func readLine() -> String? {
        var line: [UInt8] = []
        while true {
            if at == buffer.count {
                buffer = [UInt8](repeating: 0, count: 65536)
                let count = read(output, &buffer, buffer.count)
                if count <= 0 { return nil }
                buffer = Array(buffer[0..<count])
                at = 0
            }
            while at < buffer.count {
                let byte = buffer[at]
                at += 1
                if byte == 0x0A { return String(decoding: line, as: UTF8.self) }
                line.append(byte)
            }
        }
    }
}

private func writeOnce(_ file: Int32, _ bytes: [UInt8]) -> Int { write(file, bytes, bytes.count) }

/// The step that one side wanted where the two differ.
struct Difference {
    var place: String
    var independent: String
    var cemv: String
}

struct Tap {
    var world: World
    var difference: Difference?
    /// CEMV rejects the configuration or transaction, so there is nothing to compare.
    var refused: String?
}

final class Fuzzer {
    private let command: String
    private let subject: Subject
    private var cemv: Process

    init?(_ command: String, subject: Subject) {
        self.command = command
        self.subject = subject
        guard let process = Process(command) else { return nil }
        cemv = process
    }

    /// Words of a step and its parameters by key, with the messages that came before it.
    private struct Heard {
        var messages: [String] = []
        var sent = ""
        var word = ""
        var rest = ""
        var parameters: [String: String] = [:]
    }

    private func hear() -> Heard {
        var heard = Heard()
        while let line = cemv.readLine() {
            if line.hasPrefix("message ") {
                heard.messages.append(String(line.dropFirst(8)))
                continue
            }
            if line.hasPrefix("sent ") {
                heard.sent += line.dropFirst(5)
                continue
            }
            if line == "display" {
                cemv.write("continue\n")
                continue
            }
            let words = line.split(separator: " ")
            heard.word = String(words.first ?? "")
            heard.rest = words.dropFirst().joined(separator: " ")
            for word in words.dropFirst() {
                if let equals = word.firstIndex(of: "=") {
                    heard.parameters[String(word[..<equals])] = String(word[word.index(after: equals)...])
                }
            }
            return heard
        }
        heard.word = "(the process has gone)"
        cemv = Process(command) ?? cemv
        return heard
    }

    func play(_ choices: Choices) -> Tap {
        let world = World(choices, subject)
        if let reason = world.play() {
            return Tap(world: world, difference: Difference(place: "configuration", independent: reason, cemv: ""))
        }
        cemv.write("configuration " + world.reader.configuration.line + "\n")
        cemv.write("transaction " + world.reader.transaction.line + "\n")
        for (number, step) in world.passed.enumerated() {
            var heard = hear()
            if heard.word == "refused" && number == 0 { return Tap(world: world, refused: heard.rest) }
            // After data that the terminal pushed, or after an ignored stop, CEMV repeats its step, with the messages
            // and data that came with it.
            if number > 0, case .send = step.turn.step, step.turn.allSent.isEmpty {
                switch world.passed[number - 1].reply {
                case .data, .stop: heard.sent = ""
                default: break
                }
            }
            if let difference = compare(step.turn, heard, number) {
                cemv.write("end\n")
                return Tap(world: world, difference: difference)
            }
            cemv.write(step.reply.line + "\n")
        }
        return Tap(world: world)
    }

    private func compare(_ turn: Turn, _ heard: Heard, _ number: Int) -> Difference? {
        let messages = turn.messages.map { hex([$0]) }
        let own = turn.lines.last!
        let other = ([heard.word] + (heard.rest.isEmpty ? [] : [heard.rest])).joined(separator: " ")
        let place = "step \(number + 1)"
        let word = String(own.split(separator: " ")[0])
        if word != heard.word { return Difference(place: place, independent: own, cemv: other) }
        if messages != heard.messages {
            return Difference(
                place: place + ", messages before " + word, independent: messages.joined(separator: " "),
                cemv: heard.messages.joined(separator: " "))
        }
        if sorted(hex(turn.allSent)) != sorted(heard.sent) {
            return Difference(
                place: place + ", sent before " + word, independent: hex(turn.allSent), cemv: heard.sent)
        }
        switch turn.step {
        case .send, .pollClear, .askRandom, .askData, .wait:
            return own == other ? nil : Difference(place: place, independent: own, cemv: other)
        case .poll(let parameters), .pollRemoval(let parameters), .parked(let parameters), .done(let parameters):
            for parameter in parameters {
                guard var found = heard.parameters[parameter.key] else { continue }
                if parameter.key == "data" || parameter.key == "discretionary" { found = sorted(found) }
                if found != parameter.value {
                    return Difference(
                        place: "\(place), \(word), \(parameter.key)", independent: parameter.value, cemv: found)
                }
            }
            return nil
        case .refused: return nil
        }
    }

    private func sorted(_ list: String) -> String {
        guard let objects = unhex(list).flatMap({ parseObjects($0, filler: false) }) else { return list }
        // The order of objects in a torn record or in sent data is not prescribed, nor is that of needed tags.
        func ordered(_ object: Object) -> Bytes {
            switch object.tag {
            case 0xFF8101, 0xFF8104: return unhex(sorted(hex(object.value)))!
            case 0xDF8106: return World.tags(object.value).sorted().flatMap { tagBytes($0) }
            default: return object.value
            }
        }
        return hex(objects.sorted { $0.tag < $1.tag }.flatMap { tlv($0.tag, ordered($0)) })
    }

    // MARK: reducing a difference

    /// Tries shorter lists first, then smaller numbers, while the two still differ at a step of this kind.
    func shrink(_ first: [Int], _ kind: String) -> [Int] {
        var best = first
        var plays = 0
        func parts(_ list: [Int]) -> Bool {
            plays += 1
            let tap = play(Choices(list))
            return tap.difference.map { Fuzzer.kind($0) } == kind
        }
        var improved = true
        while improved && plays < 600 {
            improved = false
            var size = max(1, best.count / 2)
            while size >= 1 {
                var at = 0
                while at < best.count {
                    let end = min(at + size, best.count)
                    var zeroed = best
                    for i in at..<end { zeroed[i] = 0 }
                    while zeroed.last == 0 { zeroed.removeLast() }
                    var without = best
                    without.removeSubrange(at..<end)
                    if zeroed != best, parts(zeroed) {
                        best = zeroed
                        improved = true
                    } else if size <= 8, parts(without) {
                        best = without
                        improved = true
                    }
                    at += size
                }
                size /= 2
            }
        }
        return best
    }

    /// The compared step, without its number.
    static func kind(_ difference: Difference) -> String {
        let words = difference.place.split(separator: ",").dropFirst().joined(separator: ",")
        func word(_ text: String) -> String {
            // For a command, only the instruction.
            text.hasPrefix("send ") ? String(text.prefix(9)) : String(text.prefix { $0 != " " }.prefix(8))
        }
        return words + "|" + word(difference.independent) + "|" + word(difference.cemv)
    }
}
