// SPDX-License-Identifier: Apache-2.0
import EMVKernel

/// Runs one transaction of a trace: passes the items to the session, in order, and records its commands and messages.
///
/// It ends with the trace, with the first difference, or at a further transaction, which ``TraceReplay`` begins.
struct TraceRun: ~Copyable {
    let trace: Trace
    /// Index of the next item.
    private(set) var next: Int
    /// The transaction of the item before `next`, if the trace continues with one.
    private(set) var further: Transaction?
    private var session: KernelSession
    private var messages: [Message] = []
    /// Number of commands that were answered or lost.
    private var commands = 0
    private var presentments = 0
    /// Number of presentments whose card never reached the kernel, because a prelude ended them.
    private var heldApart = 0
    /// A `{ "tap" }` item was read for the next presentment.
    private var tapAnnounced = false
    private var differences: [ReplayReport.Difference] = []
    private var isWaiting = false
    /// The issuer's next answer comes after the removal time-out.
    private var removalTimedOut = false
    /// Data exchanges since the last command or answer of the terminal that have not been compared with an item.
    private var sent: [DataObjects] = []
    private let observer: ((ReplayStep) -> Void)?

    init(
        trace: Trace, from next: Int, session: consuming KernelSession, observer: ((ReplayStep) -> Void)? = nil
    ) {
        self.trace = trace
        self.next = next
        self.session = session
        self.observer = observer
    }

    private var item: Trace.Item? {
        next < trace.items.count ? trace.items[next] : nil
    }

    mutating func report() throws(ReplayError) -> ReplayReport {
        note()
        observer?(ReplayStep(reply: nil, to: nil, session))
        while differences.isEmpty, try answer() {}
        let outcome = session.outcome
        var tap = TapName(outcome: outcome, waiting: isWaiting)
        if isWaiting, presentments == 0 { tap = .cancelled }
        var report = ReplayReport(
            tap: tap, outcome: outcome, messages: messages, commands: commands, differences: differences)
        var expectation = trace.expectation
        if trace.isRedacted {
            report.leaveOutMasked()
            expectation.findings?.subtract(.ofMaskedData)
        }
        if differences.isEmpty, further == nil { report.differences = expectation.differences(report) }
        if !report.differences.isEmpty {
            let mask = AccountMask(trace, outcome)
            report.differences = report.differences.map(mask.difference)
        }
        return report
    }

    // MARK: - Replies

    /// Passes a reply to the session and records the messages of the next step. This is the only place that does so, so
    /// that a step that waits for several items of the trace reports its messages once. Data for a kernel that waits
    /// for the card, and a stop that the kernel ignores, do not change the step.
    private mutating func advance(_ reply: Reply) {
        let before = (session.kind, session.commands)
        let wait = observer == nil ? nil : ReplayStep.Wait(session)
        session.advance(reply)
        let staysPut =
            switch reply {
            case .data: before.0 == .send
            case .stop: before == (session.kind, session.commands)
            default: false
            }
        if !staysPut { note() }
        if let observer, let wait { observer(ReplayStep(reply: reply, to: wait, session, brings: !staysPut)) }
    }

    /// A data exchange that accompanies a command is recorded when the command's item is read.
    private mutating func note() {
        messages += session.messages.map { $0.message }.filter { $0 != .unchanged }
        if session.kind != .send { sent += DataExchange.records(session.exchange) }
    }

    /// Answers one step; returns false at the end.
    private mutating func answer() throws(ReplayError) -> Bool {
        let kind = session.kind
        if kind == .ask, session.question.kind == .random { throw .randomExhausted }
        if let goesOn = answerAtAnyStep(kind) { return goesOn }
        switch session.step {
        case .poll(let poll):
            return present(poll)
        case .send(let command):
            if item == nil, holdsByCommands { return false }
            send(command)
        case .ask:
            sent = []
            if case .terminalData(let data)? = item {
                next += 1
                advance(.data(data.encoded))
            } else {
                advance(.deadlinePassed)
            }
        case .work:
            advance(.carryOn)
        case .parked:
            return resume()
        case .done:
            return end()
        }
        return true
    }

    /// A trace without expectations that ends with a command passes if its commands match.
    private var holdsByCommands: Bool {
        guard trace.expectation == Trace.Expectation() else { return false }
        switch trace.items.last {
        case .exchange?, .fault?: return true
        default: return false
        }
    }

    /// Handles items that may come at several kinds of step; `nil`: the item is of another kind, or the kernel has
    /// something to show first.
    private mutating func answerAtAnyStep(_ kind: Step.Kind) -> Bool? {
        switch item {
        case .dataExchange(let expected)?:
            guard !sent.isEmpty else { return kind == .work ? nil : differ("nothing is sent to the terminal") }
            compare(expected, sent.removeFirst())
            next += 1
            return true
        case .stop?: return give(.stop, kind)
        case .deadline? where kind == .parked:
            removalTimedOut = true  // the card's removal time-out (Book A, 8.1.1.21)
            next += 1
            return true
        case .deadline?:
            sent = []
            return give(.deadlinePassed, kind)
        case .removed?:
            // If the kernel only waits for the next presentment, a removal is not reported.
            guard kind == .poll, presentments > 0, !session.takes(.removed) else { return give(.removed, kind) }
            next += 1
            return true
        case .sale(let transaction)?:
            guard kind == .poll || kind == .parked || kind == .done else {
                return kind == .work ? nil : differ(waiting(kind))
            }
            next += 1
            further = transaction
            return false
        default: return nil
        }
    }

    private mutating func give(_ reply: Reply, _ kind: Step.Kind) -> Bool? {
        guard session.takes(reply) else { return kind == .work ? nil : differ(waiting(kind)) }
        next += 1
        advance(reply)
        return true
    }

    private func waiting(_ kind: Step.Kind) -> String {
        switch kind {
        case .poll: "the kernel waits for a card"
        case .send: "the kernel waits for a response"
        case .ask: "the kernel waits for the terminal"
        case .work: "the kernel shows a message"
        case .parked: "the kernel waits for the issuer"
        case .done: "the end of the transaction"
        }
    }

    private mutating func resume() -> Bool {
        let reply: Reply
        switch item {
        case .online(let data)?:
            reply = .online(data, removalTimedOut: removalTimedOut)
            removalTimedOut = false
        case .pin(let captured)?: reply = .pin(captured: captured)
        default: return end()
        }
        next += 1
        advance(reply)
        return true
    }

    private mutating func end() -> Bool {
        if item != nil { differ("the end of the transaction") }
        return false
    }

    // MARK: - Presentments

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
            guard presentments + heldApart == 0 || tapAnnounced else {
                return differ("the card is to be presented again", expected: "a command of the same presentment")
            }
            arrive()
        case .prelude?:
            next += 1
            if case .tap? = item { heldApart += 1 }
        case .tap?:
            return announceTap()
        case nil:
            guard tapAnnounced else {
                isWaiting = true
                return false
            }
            arrive()
        default:
            return differ(waiting(.poll))
        }
        return true
    }

    /// Reads `{ "tap": n }`; returns false if the trace ends here or has another item.
    private mutating func announceTap() -> Bool {
        if tapAnnounced { return true }
        guard case .tap(let number)? = item else {
            isWaiting = item == nil
            return isWaiting ? false : differ("the card is to be presented again")
        }
        guard number == presentments + heldApart + 1 else {
            return differ("tap \(presentments + heldApart + 1)", expected: "tap \(number)")
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

    // MARK: - Commands

    private mutating func send(_ command: Bytes) {
        switch item {
        case .exchange(let expected, let response, let elapsed)? where trace.match.accepts(expected, command):
            // A zero in a trace is a measured time, but a session treats zero as not measured.
            answer(.response(response, elapsed: elapsed == .zero ? .microseconds(1) : elapsed))
        case .fault(let expected, let fault)? where trace.match.accepts(expected, command):
            answer(.fault(fault))
        case .exchange(let expected, _, _)?, .fault(let expected, _)?:
            differ(Hex.string(command), expected: Hex.string(expected), member: ".c")
        case .terminalData(let data)? where session.takes(.data([])):
            next += 1
            advance(.data(data.encoded))
        default:
            differ("command \(Hex.string(command))", expected: item == nil ? "the end of the trace" : nil)
        }
    }

    /// Passes the card's reaction to the command.
    private mutating func answer(_ reply: Reply) {
        next += 1
        commands += 1
        sent = DataExchange.records(session.exchange)
        advance(reply)
    }

    // MARK: - Differences

    private mutating func compare(_ expected: DataObjects, _ found: DataObjects) {
        func text(_ value: Bytes?) -> String { value.map { Hex.string($0) } ?? "absent" }
        let tags = expected.elements.map { $0.tag } + found.elements.map { $0.tag }.filter { expected[$0] == nil }
        for tag in tags where expected[tag] != found[tag] {
            differences.append(
                ReplayReport.Difference(
                    place: "exchanges[\(next)].dek.\(tag)", expected: text(expected[tag]), found: text(found[tag])))
        }
    }

    /// Returns false: the run ends.
    @discardableResult
    private mutating func differ(_ found: String, expected: String? = nil, member: String = "") -> Bool {
        differences.append(
            ReplayReport.Difference(
                place: "exchanges[\(next)]" + member, expected: expected ?? item.map { "\($0)" } ?? "", found: found))
        return false
    }
}

/// The data that a kernel sends to the terminal. Kernel 2: for each data exchange FF8104 (Data To Send) and DF8106
/// (Data Needed); a TLV reader treats FF at the start of a tag as filler, so the two are read by position. Kernel 8:
/// 9F8201 (Data Needed) if it needs data, then the objects themselves.
enum DataExchange {
    /// Returns each data exchange: the objects of Data To Send, and the list of needed tags, if any. All data that
    /// Kernel 8 sends with one step are one exchange.
    static func records(_ bytes: Bytes) -> [DataObjects] {
        guard bytes.isEmpty || bytes.starts(with: [0xFF, 0x81, 0x04]) else {
            var record = DataObjects()
            for object in TLVReader(bytes) { record[object.tag] = Bytes(object.value) }
            return [record]
        }
        var records: [DataObjects] = []
        var rest = bytes[...]
        while let objects = value(&rest, [0xFF, 0x81, 0x04]), let needed = value(&rest, [0xDF, 0x81, 0x06]) {
            var record = DataObjects()
            for object in TLVReader(objects) { record.put(object.tag, Bytes(object.value)) }
            if !needed.isEmpty { record[0xDF8106] = Bytes(needed) }
            records.append(record)
        }
        return records
    }

    /// The value of the object with which the bytes begin, if it has this tag.
    private static func value(_ rest: inout ArraySlice<UInt8>, _ tag: Bytes) -> ArraySlice<UInt8>? {
        // The length is read as that of an object with another tag.
        guard rest.starts(with: tag) else { return nil }
        var reader = TLVReader([0x04] + rest.dropFirst(tag.count))
        guard let object = reader.next() else { return nil }
        rest = rest.dropFirst(tag.count + object.whole.count - 1)
        return object.value
    }
}
