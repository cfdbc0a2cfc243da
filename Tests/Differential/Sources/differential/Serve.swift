// SPDX-License-Identifier: Apache-2.0
// The independent implementation on standard input and output: the kernel's side of the line protocol.

private final class Lines: Terminal {
    /// A line that begins the next transaction ends this one.
    var waiting: String?

    func answer(_ turn: Turn) -> Reply {
        say(turn)
        guard let line = readLine() else { return .end }
        guard let reply = Reply(line: line) else {
            if line.hasPrefix("configuration") || line.hasPrefix("transaction") { waiting = line }
            return .end
        }
        return reply
    }

    func say(_ turn: Turn) {
        for line in turn.lines { print(line) }
        flush()
    }
}

func serve() {
    let lines = Lines()
    var configuration: Configuration?
    var reason = "a configuration first"
    var memory = Memory2()
    while let line = lines.waiting ?? readLine() {
        lines.waiting = nil
        if line.hasPrefix("configuration ") {
            memory = Memory2()
            (configuration, reason) =
                readJSON(String(line.dropFirst(14))).map { Configuration.read($0) } ?? (nil, "JSON")
        } else if line.hasPrefix("transaction ") {
            let transaction = readJSON(String(line.dropFirst(12))).flatMap { Transaction($0) }
            guard let configuration, let transaction else {
                lines.say(Turn(step: .refused(reason)))
                continue
            }
            try? EntryPoint(configuration, transaction, lines, memory: memory).run()
        }
    }
}
