// SPDX-License-Identifier: Apache-2.0
// Random taps as a file. The independent implementation plays taps by itself and keeps those that show a feature which
// the kept ones have not shown often enough: a clause with a branch, an outcome, a status word, a fault. Equal seeds
// give equal bytes on every machine.

struct Dialogues {
    let file: String
    let subject: Subject
    /// The prefix of the traces' names.
    let prefix: String
    /// How many random taps are played.
    var taps: UInt64
    /// A feature is a reason to keep a tap until this many kept taps have it.
    var repeats: Int
    var seed: UInt64 = 20_261_128

    static let all = [
        Dialogues(file: "kernel_2.taps", subject: .kernel2, prefix: "k2", taps: 3000, repeats: 1),
        Dialogues(file: "kernel_3.taps", subject: .kernel3, prefix: "k3", taps: 3000, repeats: 1),
        Dialogues(file: "entry.taps", subject: .entry, prefix: "ep", taps: 3000, repeats: 1),
    ]

    /// The lines of the file.
    func lines() -> [String] {
        var lines: [String] = []
        var seen: [String: Int] = [:]
        for tap in 1...taps {
            let world = World(Choices(seed: seed, tap: tap), subject)
            if let reason = world.play() { fail(reason) }
            if Finding.open.contains(where: { $0.shows(world) }) { continue }
            if skipsAStop(world) { continue }
            let features = features(of: world)
            let reasons = features.filter { seen[$0, default: 0] < repeats }
            if reasons.isEmpty { continue }
            let number = String(lines.count + 1)
            let name = prefix + "-random-" + String(repeating: "0", count: max(0, 4 - number.count)) + number
            guard let trace = trace(world, name: name, source: source(of: world, reasons)) else { continue }
            for feature in features { seen[feature, default: 0] += 1 }
            lines.append(trace.line)
        }
        return lines
    }

    /// The kernel ignores a stop while it waits for data and sends the next command. Replay by EMVFormats ends there.
    private func skipsAStop(_ world: World) -> Bool {
        zip(world.passed, world.passed.dropFirst()).contains { before, after in
            if case .stop = before.reply, case .send = after.turn.step { true } else { false }
        }
    }

    /// The clauses for which the tap was kept.
    private func source(of world: World, _ reasons: Set<String>) -> String {
        var names: [String] = []
        for clause in clauses(of: world) where reasons.contains(clause) {
            let name = clause.prefix { $0 != " " }.map { $0 == ":" ? " " : String($0) }.joined()
            if !names.contains(name) { names.append(name) }
        }
        return names.isEmpty ? "random" : "random: " + names.joined(separator: ", ")
    }

    /// The clauses of the books that the file is about.
    private func clauses(of world: World) -> [String] {
        switch subject {
        case .kernel2: world.clauses.filter { $0.hasPrefix("C-2") }
        case .kernel3: world.clauses.filter { $0.hasPrefix("C-3") }
        case .entry: world.clauses.filter { !$0.hasPrefix("C-") }
        }
    }

    private func features(of world: World) -> Set<String> {
        var out: Set<String> = []
        var end: [String: String] = [:]
        var messages = ""
        var before = ""
        for (turn, reply) in world.passed {
            messages += hex(turn.messages)
            var step = ""
            switch turn.step {
            case .send(let command): step = hex([command[1]])
            case .poll: step = "poll"
            case .askData: step = "ask"
            case .parked: step = "parked"
            case .done(let parameters):
                for parameter in parameters { end[parameter.key] = parameter.value }
            default: continue
            }
            switch reply {
            case .response(let bytes), .timed(let bytes, _): step += " " + hex(Array(bytes.suffix(2)))
            default: step += " " + String(reply.line.prefix { $0 != " " || reply.line.hasPrefix("fault") })
            }
            if subject == .entry && !["A4", "1A", "po", "pa"].contains(String(step.prefix(2))) { continue }
            out.insert(before + " > " + step)
            before = step
        }
        let status = end["outcome"] ?? ""
        for clause in clauses(of: world) { out.formUnion([clause, clause.prefix { $0 != " " } + " > " + status]) }
        let keys = ["tap", "outcome", "cvm", "message", "start", "restartMessage", "alternateInterface", "receipt"]
        out.insert(keys.map { end[$0] ?? "" }.joined(separator: " "))
        out.insert("messages " + messages)
        if subject == .entry { return out }
        for key in ["errorIndication", "fieldOffMs", "holdMs"] { out.insert(key + " " + (end[key] ?? "")) }
        out.insert("defect \(world.defect) > \(status)")
        for key in ["data", "discretionary"] {
            for object in parseObjects(unhex(end[key] ?? "") ?? [], filler: false) ?? [] {
                out.insert(key + " " + hex(tagBytes(object.tag)))
            }
        }
        return out
    }
}
