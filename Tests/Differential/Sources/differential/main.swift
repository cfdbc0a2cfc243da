// SPDX-License-Identifier: Apache-2.0
// The command: see `usage`.

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

let usage = """
    usage: differential serve
           differential dialogues DIRECTORY [--seed S] [--taps N] [--repeats N]
           differential run --cemv COMMAND [--kernel 2|3|entry] [--taps N] [--seconds S] [--seed S] [--first TAP]
                            [--write FILE] [--all] [--whole] [--open]
           differential run --cemv COMMAND [--kernel 2|3|entry] --choices N,N,… [--write FILE] [--show]
    """

func flush() { fflush(stdout) }

func fail(_ text: String) -> Never {
    print(text)
    flush()
    exit(2)
}

func option(_ name: String) -> String? {
    let words = CommandLine.arguments
    guard let at = words.firstIndex(of: name) else { return nil }
    if at + 1 >= words.count { fail(usage) }
    return words[at + 1]
}

func has(_ name: String) -> Bool { CommandLine.arguments.contains(name) }

func number(_ name: String, _ otherwise: UInt64) -> UInt64 {
    guard let text = option(name) else { return otherwise }
    guard let value = UInt64(text) else { fail(usage) }
    return value
}

func subject() -> Subject {
    guard let subject = Subject(rawValue: option("--kernel") ?? "3") else { fail(usage) }
    return subject
}

func write(_ lines: [String], _ file: String) {
    guard let stream = fopen(file, "w") else { fail("cannot write " + file) }
    for line in lines { fputs(line + "\n", stream) }
    if fclose(stream) != 0 { fail("cannot write " + file) }
}

func save(_ world: World, _ name: String) {
    guard let file = option("--write") else { return }
    guard let json = trace(world, name: name, source: "a random tap that differed") else {
        print("not written: emv-trace/1 cannot express this tap (Trace.swift)")
        return
    }
    write([json.line], file)
}

func dialogues() {
    guard CommandLine.arguments.count > 2 else { fail(usage) }
    let directory = CommandLine.arguments[2]
    for var dialogues in Dialogues.all {
        dialogues.seed = number("--seed", dialogues.seed)
        dialogues.taps = number("--taps", dialogues.taps)
        dialogues.repeats = Int(number("--repeats", UInt64(dialogues.repeats)))
        let lines = dialogues.lines()
        write(lines, directory + "/" + dialogues.file)
        print("\(dialogues.file): \(lines.count) of \(dialogues.taps) random taps")
    }
}

func describe(_ tap: Tap, show: Bool) {
    if show {
        print(tap.world.reader.configuration.line)
        print(tap.world.reader.transaction.line)
        for (turn, reply) in tap.world.passed { print(turn.lines.joined(separator: "\n") + "\n    " + reply.line) }
    }
    if let difference = tap.difference {
        print("difference at \(difference.place)")
        print("  independent \(difference.independent)")
        print("  CEMV        \(difference.cemv)")
    }
}

func run() -> Int32 {
    guard let command = option("--cemv") else { fail(usage) }
    let subject = subject()
    let kernel = subject.rawValue
    guard let fuzzer = Fuzzer(command, subject: subject) else { fail("cannot start CEMV") }
    if let text = option("--choices") {
        let tap = fuzzer.play(Choices(text.split(separator: ",").compactMap { Int($0) }))
        save(tap.world, "differential")
        describe(tap, show: has("--show"))
        if let reason = tap.refused { print("CEMV does not take it: \(reason)") }
        if tap.difference == nil { print("no difference") }
        return tap.difference == nil ? 0 : 1
    }
    let seed = number("--seed", 1)
    let taps = number("--taps", 10000)
    let seconds = number("--seconds", 0)
    let began = time(nil)
    var played: UInt64 = 0
    var refused: [String: Int] = [:]
    var ends: [String: Int] = [:]
    var kinds: Set<String> = []
    var found: [Finding: Int] = [:]
    var commands = 0
    var tap = number("--first", 1)
    while seconds > 0 ? time(nil) - began < Int(seconds) : played < taps {
        let result = fuzzer.play(Choices(seed: seed, tap: tap))
        played += 1
        tap += 1
        commands +=
            result.world.passed.filter { if case .send = $0.turn.step { return true } else { return false } }.count
        if let reason = result.refused { refused[reason, default: 0] += 1 }
        if case .done(let parameters)? = result.world.passed.last?.turn.step {
            let word = parameters[1].value
            ends[word, default: 0] += 1
        }
        guard let difference = result.difference else { continue }
        if !has("--open"), let finding = Finding.open.first(where: { $0.shows(result.world) }) {
            found[finding, default: 0] += 1
            continue
        }
        let kind = Fuzzer.kind(difference)
        if !kinds.insert(kind).inserted { continue }
        let drawn = result.world.choices.drawn
        let list = has("--whole") ? drawn : fuzzer.shrink(drawn, kind)
        let small = fuzzer.play(Choices(list))
        print("tap \(tap - 1) of seed \(seed)")
        describe(small, show: true)
        print(
            "again: Scripts/differential --kernel \(kernel) --choices \(list.map { String($0) }.joined(separator: ","))"
        )
        save(small.world, "differential-\(seed)-\(tap - 1)")
        flush()
        if !has("--all") { return 1 }
    }
    let figures = ends.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
    let counts = "\(played) taps, \(commands) commands, \(kinds.count) differences"
    print(
        "differential: \(subject == .entry ? "Entry Point" : "Kernel " + kernel), seed \(seed), \(counts); \(figures)")
    for (reason, count) in refused { print("  \(count) configurations that CEMV does not take: \(reason)") }
    for (finding, count) in found.sorted(by: { $0.key.name < $1.key.name }) {
        print("  \(count) taps with an open finding: \(finding.name)")
    }
    return kinds.isEmpty ? 0 : 1
}

setvbuf(stdout, nil, _IOFBF, 1 << 16)
switch CommandLine.arguments.dropFirst().first {
case "serve": serve()
case "dialogues":
    dialogues()
    flush()
case "run":
    let status = run()
    flush()
    exit(status)
default: fail(usage)
}
