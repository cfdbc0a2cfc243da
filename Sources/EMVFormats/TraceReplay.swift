import EMVKit

/// Drives a session over a trace, and compares.
public struct TraceReplay: Sendable {
    public let trace: Trace
    public let configuration: CheckedConfiguration

    /// Throws where the trace's configuration is not right.
    public init(_ trace: Trace) throws(ConfigurationError) {
        self.trace = trace
        configuration = try CheckedConfiguration(trace.configuration)
    }

    /// Throws where the trace cannot be used; what the kernel did differently is in the report.
    ///
    /// One reader memory serves the whole trace and is gone with it: a transaction torn in one presentment recovers in the next.
    public func run(memory: SessionMemory = SessionMemory()) throws(ReplayError) -> ReplayReport {
        var run = Run(trace: trace, session: try begin(memory, ReaderMemory()))
        return try run.report()
    }

    private func begin(_ memory: SessionMemory, _ reader: ReaderMemory) throws(ReplayError) -> KernelSession {
        do throws(ConfigurationError) {
            return try KernelSession(configuration, trace.transaction, memory: memory, reader: reader)
        } catch {
            throw .configuration(error)
        }
    }
}

public enum ReplayError: Error, Sendable, Hashable {
    case configuration(ConfigurationError)
    /// The bytes of `transaction.random` ran out.
    case randomExhausted
}

extension ReplayError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .configuration(let error): error.description
        case .randomExhausted: "transaction.random: expected four more bytes for another unpredictable number"
        }
    }
}

/// How a replay went.
public struct ReplayReport: Sendable, Hashable {
    public var tap: TapName
    /// The last outcome; status `none` where there was none.
    public var outcome: Outcome
    public var messages: [Message]
    /// Commands of all presentments.
    public var commands: Int
    /// Empty where everything was as expected.
    public var differences: [Difference]

    public var isMet: Bool { differences.isEmpty }

    /// One thing that was not as expected.
    public struct Difference: Sendable, Hashable, CustomStringConvertible {
        /// `exchanges[3].c`, `expect.data.9F26`
        public var place: String
        public var expected: String
        public var found: String

        public init(place: String, expected: String, found: String) {
            self.place = place
            self.expected = expected
            self.found = found
        }

        public var description: String { "\(place)\n  expected \(expected)\n  found    \(found)" }
    }
}

/// One run over a trace.
private struct Run: ~Copyable {
    let trace: Trace
    var session: KernelSession
    var next = 0
    var messages: [Message] = []
    var commands = 0
    var presentments = 0
    /// A `{ "tap" }` item was read for the presentment that is awaited.
    var tapAnnounced = false
    var difference: ReplayReport.Difference?
    var isWaiting = false

    init(trace: Trace, session: consuming KernelSession) {
        self.trace = trace
        self.session = session
    }

    private var item: Trace.Item? {
        next < trace.items.count ? trace.items[next] : nil
    }

    private var place: String { "exchanges[\(next)]" }

    mutating func report() throws(ReplayError) -> ReplayReport {
        messages = session.messages.map(\.message)
        while difference == nil, try answer() {}
        let outcome = session.outcome
        var tap = TapResult(outcome: outcome, waiting: isWaiting).name
        if isWaiting, presentments == 0 { tap = .cancelled }
        var report = ReplayReport(
            tap: tap, outcome: outcome, messages: messages, commands: commands, differences: difference.map { [$0] } ?? [])
        if difference == nil { report.differences = trace.expectation.differences(report) }
        return report
    }

    /// Gives a reply that the step takes, and notes the messages of the step that follows. Only here: a step that waits for several items
    /// of the trace brings its messages once.
    private mutating func advance(_ reply: Reply) {
        session.advance(reply)
        messages += session.messages.map(\.message)
    }

    /// Answers one step; false at the end.
    private mutating func answer() throws(ReplayError) -> Bool {
        switch session.step {
        case .poll(let poll):
            return present(poll)
        case .send(let command):
            // A trace that expects nothing holds by its commands alone.
            if item == nil, next > 0, trace.expectation == Trace.Expectation() { return false }
            send(command)
        case .ask(let question):
            guard question.kind == .kernel else { throw .randomExhausted }
            if case .terminalData(let data)? = item {
                next += 1
                advance(.data(data.encoded))
            } else {
                advance(.deadlinePassed)
            }
        case .work:
            advance(.carryOn)
        case .parked:
            guard case .online(let data)? = item else { return end() }
            next += 1
            advance(.online(data))
        case .done:
            return end()
        }
        return true
    }

    private mutating func end() -> Bool {
        if let item { differ(expected: "\(item)", found: "the end of the transaction") }
        return false
    }

    private mutating func present(_ poll: Poll) -> Bool {
        if presentments > 0 || poll.removalFirst, session.takes(.removed) {
            guard announceTap() else { return false }
            advance(.removed)
            return true
        }
        switch item {
        case .collision?:
            next += 1
            advance(.collision)
            if session.takes(.collisionCleared) { advance(.collisionCleared) }
        case .exchange?, .fault?:
            if presentments > 0, !tapAnnounced {
                differ(expected: "a command of the same presentment", found: "the card is to be presented again")
                return false
            }
            arrive()
        case .tap?:
            return announceTap()
        case .online?, .terminalData?:
            differ(expected: item.map { "\($0)" } ?? "", found: "the kernel waits for a card")
            return false
        case nil:
            guard tapAnnounced else {
                isWaiting = true
                return false
            }
            arrive()
        }
        return true
    }

    /// Reads `{ "tap": n }`; false where the trace ends or goes on differently.
    private mutating func announceTap() -> Bool {
        if tapAnnounced { return true }
        guard case .tap(let number)? = item else {
            isWaiting = item == nil
            if let item { differ(expected: "\(item)", found: "the card is to be presented again") }
            return false
        }
        guard number == presentments + 1 else {
            differ(expected: "tap \(number)", found: "tap \(presentments + 1)")
            return false
        }
        next += 1
        tapAnnounced = true
        return true
    }

    private mutating func arrive() {
        presentments += 1
        tapAnnounced = false
        advance(.card)
    }

    private mutating func send(_ command: Bytes) {
        commands += 1
        switch item {
        case .exchange(let expected, let response, let elapsed)? where trace.match.accepts(expected, command):
            next += 1
            advance(.response(response, elapsed: elapsed))
        case .fault(let expected, let fault)? where trace.match.accepts(expected, command):
            next += 1
            advance(.fault(fault))
        case .exchange(let expected, _, _)?, .fault(let expected, _)?:
            differ(".c", expected: Hex.string(expected), found: Hex.string(command))
        case .terminalData(let data)? where session.takes(.data([])):
            next += 1
            commands -= 1
            advance(.data(data.encoded))
        case .tap?, .collision?, .online?, .terminalData?:
            differ(expected: item.map { "\($0)" } ?? "", found: "command \(Hex.string(command))")
        case nil:
            differ(expected: "the end of the trace", found: "command \(Hex.string(command))")
        }
    }

    private mutating func differ(_ member: String = "", expected: String, found: String) {
        difference = ReplayReport.Difference(place: place + member, expected: expected, found: found)
    }
}

extension Trace.Match {
    /// True if the kernel's command is the one of the trace.
    func accepts(_ expected: Bytes, _ found: Bytes) -> Bool {
        switch self {
        case .exact:
            return expected == found
        case .header:
            guard expected.count >= 4, found.count >= 4, expected[..<4] == found[..<4] else { return false }
            return expected[1] != 0xA4 || Trace.Match.data(expected) == Trace.Match.data(found)
        }
    }

    /// The data field of a short command.
    private static func data(_ command: Bytes) -> ArraySlice<UInt8> {
        guard command.count > 5 else { return [] }
        return command.dropFirst(5).prefix(Int(command[4]))
    }
}

extension Trace.Expectation {
    func differences(_ report: ReplayReport) -> [ReplayReport.Difference] {
        var differences: [ReplayReport.Difference] = []
        func compare(_ key: String, _ expected: String?, _ found: String) {
            guard let expected, expected != found else { return }
            differences.append(ReplayReport.Difference(place: "expect.\(key)", expected: expected, found: found))
        }
        func compare(_ key: String, _ data: [Trace.Datum], _ found: CardData?) {
            for datum in data {
                let expected = datum.value.map { Hex.string($0) } ?? "absent"
                compare("\(key).\(datum.tag)", expected, found?[datum.tag].map { Hex.string($0) } ?? "absent")
            }
        }
        func list(_ messages: [Message]) -> String { messages.map(\.description).joined(separator: " ") }

        compare("tap", tap?.rawValue, report.tap.rawValue)
        compare("outcome", outcome?.rawValue, report.outcome.status.rawValue)
        compare("cvm", cvm?.rawValue, report.outcome.cvm.rawValue)
        compare("message", message?.description, report.outcome.uiOnOutcome?.message.description ?? "none")
        compare("messages", messages.map(list), list(report.messages))
        compare("apdus", apdus.map { "\($0)" }, "\(report.commands)")
        compare("errorIndication", errorIndication.map { Hex.string($0) }, Hex.string(report.outcome.errorIndication.bytes))
        compare("data", data, report.outcome.dataRecord)
        compare("discretionary", discretionary, report.outcome.discretionary)
        compare("findings", findings?.description, report.outcome.findings.description)
        return differences
    }
}
