// SPDX-License-Identifier: Apache-2.0
// Entry Point by Books A and B v2.10, plain and from the books, with the decisions of Conformance/interpretations.md.
// It plays the terminal for one transaction: `run` returns after the last outcome. Kernels 2 and 3 are in separate
// files.

/// The pre-processing indicators of a combination (Book A, Table 5-3).
struct Indicators {
    var notAllowed = false
    var zeroAmount = false
    var statusCheckRequested = false
    var floorLimitExceeded = false
    var cvmRequiredLimitExceeded = false
    var ttq: Bytes = []
}

/// An entry of the candidate list (Book B, 3.3.2.5 E).
struct Candidate {
    var row: Int
    /// Place of the directory entry in the FCI.
    var entry: Int
    /// Low nibble of 87; 0: no priority.
    var priority: Int
    /// The ADF name, extended if 3.3.3.3 requires it.
    var selectName: Bytes
}

/// The data objects of Book 3 and of Book B that come from the terminal.
final class EntryPoint {
    let configuration: Configuration
    let transaction: Transaction
    let terminal: any Terminal
    private var messages: [UInt8] = []
    /// Data objects for the terminal, of a kernel with data exchange.
    var sent: Bytes = []
    /// The objects that the terminal sees before the next step begins.
    var sentBefore: Bytes = []
    private let memory: Memory2
    /// A kernel's limit removed the last candidate.
    private var limitExceeded = false
    private var random: Bytes = []

    private var indicators: [Indicators?] = []
    private var candidates: [Candidate] = []
    private var directoryHadCandidates = false
    /// The issuer's answer for the second presentment, and the combination that asked for it.
    private var issuerData: Bytes?
    private var asked: Candidate?
    private var issuerDecided = false
    /// The UI request on restart of the last final outcome (Book A, 8.1.1.19).
    private var retained: Request?
    private var presentments = 0
    private var restarts = 0
    private var collisions = 0
    /// The clauses that the transaction went through, each with its branch. Dialogues are selected by them.
    private(set) var clauses: [String] = []

    static let pool = 32
    static let maxCandidates = 16
    static let maxRestarts = 3
    static let maxCollisions = 16

    init(
        _ configuration: Configuration, _ transaction: Transaction, _ terminal: any Terminal,
        memory: Memory2 = Memory2()
    ) {
        self.memory = memory
        self.configuration = configuration
        self.transaction = transaction
        self.terminal = terminal
        random = Array(transaction.random.prefix(EntryPoint.pool))
    }

    /// Notes a decision: its clause, and the values it depended on.
    func at(_ clause: String, _ branch: [Any]) {
        clauses.append(clause + " " + branch.map { "\($0)" }.joined(separator: " "))
    }
    private func at(_ clause: String, _ branch: Any...) { at(clause.hasPrefix("A:") ? clause : "B:" + clause, branch) }

    /// Notes how an amount compares with a limit.
    func at(_ clause: String, _ amount: UInt64, comparedWith limit: UInt64) {
        at(clause, [amount < limit ? "below" : amount == limit ? "equal" : "above"])
    }

    // MARK: the terminal

    func show(_ request: Request?) {
        if let message = request?.message { messages.append(message) }
    }

    func ask(_ step: Step) throws(Ended) -> Reply {
        let reply = terminal.answer(Turn(messages: messages, sentBefore: sentBefore, sent: sent, step: step))
        messages = []
        sentBefore = []
        sent = []
        if case .end = reply { throw Ended() }
        return reply
    }

    /// `nil`: the link failed.
    func send(_ command: Bytes) throws(Ended) -> (body: Bytes, status: Int)? {
        let bytes: Bytes
        switch try ask(.send(command)) {
        case .response(let given): bytes = given
        case .timed(let given, _): bytes = given
        default: return nil
        }
        if bytes.count < 2 || bytes.count > 258 { return nil }
        let status = Int(bytes[bytes.count - 2]) << 8 | Int(bytes[bytes.count - 1])
        return (Array(bytes.dropLast(2)), status)
    }

    /// Four bytes of the stream of random bytes, in order.
    func unpredictableNumber() throws(Ended) -> Bytes {
        if random.count < 4 {
            if case .random(let bytes) = try ask(.askRandom) { random += bytes }
        }
        let number = Array(random.prefix(4))
        random = Array(random.dropFirst(4))
        return number
    }

    // MARK: 3.1 Pre-processing

    func preprocess(_ row: Combination) -> Indicators {
        var found = Indicators()
        let amount = transaction.amount
        if row.kernel == 2 {  // the kernel has its own limits, and no TTQ
            found.notAllowed = amount == 0 && row.zeroAmount == "notAllowed"
            at("3.1.1.4", "Kernel 2", found.notAllowed)
            return found
        }
        found.ttq = row.ttq
        found.ttq[1] &= 0x3F  // 3.1.1.2
        var unit: UInt64 = 1
        for _ in 0..<transaction.exponent { unit *= 10 }
        if row.statusCheck && amount == unit { found.statusCheckRequested = true }  // 3.1.1.3
        at("3.1.1.3", row.statusCheck, transaction.exponent, amount == unit)
        if amount == 0 { at("3.1.1.4", row.zeroAmount, found.ttq[0] & 0x08) }
        if amount == 0 && row.zeroAmount != "offlineAllowed" {  // 3.1.1.4
            if row.zeroAmount == "notAllowed" {
                found.notAllowed = true
            } else {
                found.zeroAmount = true
            }
        }
        if let limit = row.transactionLimit {
            at("B:3.1.1.5", amount, comparedWith: limit)
            if amount >= limit { found.notAllowed = true }  // 3.1.1.5
        }
        if let limit = row.floorLimit {
            at("B:3.1.1.6", amount, comparedWith: limit)
            if amount > limit { found.floorLimitExceeded = true }  // 3.1.1.6
        } else if let limit = row.terminalFloorLimit {
            at("B:3.1.1.7", amount, comparedWith: limit)
            if amount > limit { found.floorLimitExceeded = true }  // 3.1.1.7
        }
        if let limit = row.cvmRequiredLimit {
            at("B:3.1.1.8", amount, comparedWith: limit)
            if amount >= limit { found.cvmRequiredLimitExceeded = true }  // 3.1.1.8
        }
        if found.floorLimitExceeded { found.ttq[1] |= 0x80 }  // 3.1.1.9
        if found.statusCheckRequested { found.ttq[1] |= 0x80 }  // 3.1.1.10
        if found.zeroAmount {  // 3.1.1.11
            if found.ttq[0] & 0x08 == 0 {
                found.ttq[1] |= 0x80
            } else {
                found.notAllowed = true
            }
        }
        if found.cvmRequiredLimitExceeded { found.ttq[1] |= 0x40 }  // 3.1.1.12
        return found
    }

    // MARK: the transaction

    func run() throws(Ended) {
        var anyTaken = false
        for row in configuration.combinations {
            let taken = (row.types.isEmpty ? [0x00] : row.types).contains(transaction.type)  // absent: 00 alone
            anyTaken = anyTaken || taken
            at("3.1.1.1", row.types.isEmpty, taken)
            indicators.append(taken ? preprocess(row) : nil)
        }
        if !indicators.contains(where: { $0?.notAllowed == false }) {  // 3.1.1.13
            at("3.1.1.13", anyTaken ? "limits" : "type")
            var outcome = Outcome(.tryAnotherInterface)
            outcome.onOutcome = Request(message: 0x18)
            outcome.tap = anyTaken ? "limitExceeded" : "failed"
            return try finish(outcome)
        }
        try startB(shown: nil)
    }

    /// `shown`: the request of Try Again, for the one presentment that follows it (3.2.1.2).
    private func startB(shown first: Request?) throws(Ended) {
        var request = first
        var last = [Parameter]()
        while true {
            if presentments == configuration.maxTaps {
                at("3.5.1.3", "used-up", issuerDecided)
                return try finish(faultsUsedUp())
            }
            at("3.2.1.2", request != nil ? "request" : retained != nil ? "retained" : "15")
            show(request ?? retained ?? Request(message: 0x15))
            guard try activate(last) else {
                presentments += 1
                request = nil
                continue
            }
            presentments += 1
            last = []
            guard let outcome = try present() else {  // 3.3.3.7
                at("3.3.3.7", presentments, issuerData != nil)
                request = nil
                continue
            }
            at("3.5.1", outcome.status.rawValue, outcome.start.rawValue, presentments, issuerData != nil)
            switch outcome.status {
            case .tryAgain:  // 3.5.1.3
                show(outcome.onOutcome)
                request = outcome.onRestart
                last = outcome.parameters
            case .endApplication where outcome.start == .b:  // 8.1.1.23
                at("A:8.1.1.23", restarts)
                if restarts == EntryPoint.maxRestarts {
                    var last = outcome
                    last.start = .none
                    last.onRestart = nil
                    last.onOutcome = Request(message: 0x1C)
                    return try finish(last)
                }
                restarts += 1
                show(outcome.onOutcome)
                _ = try ask(.pollRemoval(outcome.parameters))
                retained = outcome.onRestart
                presentments = 0
                request = nil
                last = outcome.parameters
            case .onlineRequest where outcome.start == .b && restarts < EntryPoint.maxRestarts:
                guard try restart(outcome) else { return }
                request = nil
                last = []
            default: return try finish(outcome)
            }
        }
    }

    /// The presentments were used up by faults.
    private func faultsUsedUp() -> Outcome {
        issuerDecided ? Outcome(.endApplication) : .endApplication
    }

    private func finish(_ outcome: Outcome) throws(Ended) {
        show(outcome.onOutcome)
        _ = try ask(.done(outcome.parameters))
    }

    /// Book A, 8.1.1.20 and 8.1.1.22. False: the transaction is over.
    private func restart(_ outcome: Outcome) throws(Ended) -> Bool {
        show(outcome.onOutcome)
        let reply = try ask(.parked(outcome.parameters))
        var answer: Bytes = []
        if case .online(let bytes?) = reply { answer = bytes }
        if answer.count > 256 { answer = [] }
        let objects = parseObjects(answer) ?? []
        let wanted = objects.contains { [0x91, 0x71, 0x72].contains($0.tag) }
        at("A:8.1.1.22", answer.isEmpty, wanted)
        if !wanted {
            _ = try ask(.done(outcome.parameters))
            return false
        }
        issuerData = answer
        issuerDecided = true
        asked = candidates.first
        retained = outcome.onRestart
        presentments = 0
        restarts += 1
        return true
    }

    /// Polls until one card is there. False: the link failed.
    private func activate(_ parameters: [Parameter]) throws(Ended) -> Bool {
        var clearing = false
        while true {
            let reply = try ask(clearing ? .pollClear : .poll(parameters))
            switch reply {
            case .card: return true
            case .collision:  // 3.2.1.4
                collisions += 1
                at("3.2.1.4", collisions > EntryPoint.maxCollisions)
                if collisions > EntryPoint.maxCollisions {
                    try finish(.endApplication)
                    throw Ended()
                }
                messages.append(0x19)
                clearing = true
            case .cleared:  // 3.2.1.5
                messages.append(0x19)
                clearing = false
            default: return false
            }
        }
    }

    // MARK: 3.3 Combination Selection

    /// One presentment up to its outcome; `nil`: the link failed in Entry Point.
    private func present() throws(Ended) -> Outcome? {
        if issuerData == nil {
            guard try buildCandidates() else { return nil }
        } else if let asked {
            candidates = [asked]
        }
        while true {
            guard let candidate = best() else {  // 3.3.2.7
                at("3.3.2.7", directoryHadCandidates, limitExceeded)
                var outcome = Outcome.endApplication
                outcome.tap =
                    !directoryHadCandidates ? "unsupportedNetwork" : limitExceeded ? "limitExceeded" : "unreadable"
                return outcome
            }
            guard
                let answer = try send(
                    [0x00, 0xA4, 0x04, 0x00, UInt8(candidate.selectName.count)] + candidate.selectName + [0x00])
            else { return nil }
            at("3.3.3.2", candidates.count, candidate.row, candidate.entry, candidate.priority)
            let row = configuration.combinations[candidate.row]
            let fci = answer.status == 0x9000 ? applicationInformation(answer.body) : nil
            let list = fci.flatMap { find(0x9F38, in: $0) }
            var usable = answer.status == 0x9000  // 3.3.3.5
            if usable && row.aid.starts(with: [0xA0, 0x00, 0x00, 0x00, 0x03]) {  // 3.3.3.6
                usable = list.map { EntryPoint.asksForQualifiers($0) } ?? false
            }
            at(answer.status == 0x9000 ? "3.3.3.6" : "3.3.3.5", list != nil, usable, candidates.count > 1)
            if !usable {
                if issuerData != nil { return .endApplication }
                candidates.removeAll { $0.row == candidate.row && $0.entry == candidate.entry }
                limitExceeded = false
                continue
            }
            // The best one comes first, for the next steps.
            candidates.removeAll { $0.row == candidate.row && $0.entry == candidate.entry }
            candidates.insert(candidate, at: 0)
            let outcome: Outcome
            if row.kernel == 2 {
                outcome = try Kernel2(
                    entryPoint: self, row: row, name: candidate.selectName, information: answer.body, memory: memory
                ).run()
            } else {
                let kernel = Kernel3(
                    entryPoint: self, row: row, ttq: indicators[candidate.row]!.ttq, name: candidate.selectName,
                    information: fci ?? [], issuerData: issuerData)
                outcome = try kernel.run()
            }
            limitExceeded = outcome.errorIndication.map { $0[1] == 0x05 } ?? false
            if outcome.status != .selectNext { return outcome }
            if issuerData != nil { return .endApplication }
            at("3.5.1.4", candidates.count)
            candidates.removeFirst()  // 3.5.1.4
        }
    }

    /// True if 9F66 is in the list, whatever follows it: the kernel handles entries that cannot be read.
    private static func asksForQualifiers(_ list: Bytes) -> Bool {
        var at = 0
        while let (tag, end) = parseTag(list, at: at), end < list.count {
            if tag == 0x9F66 { return true }
            at = end + 1
        }
        return false
    }

    /// Steps 1 to 2. False: the link failed.
    private func buildCandidates() throws(Ended) -> Bool {
        candidates = []
        directoryHadCandidates = false
        let name = Bytes("2PAY.SYS.DDF01".utf8)
        guard let answer = try send([0x00, 0xA4, 0x04, 0x00, UInt8(name.count)] + name + [0x00]) else { return false }
        at("3.3.2.3", answer.status == 0x9000)
        if answer.status != 0x9000 { return true }
        guard var directory = discretionaryData(answer.body) else {
            at("3.3.2.4", "no-directory")
            return true
        }
        if let command = terminalInformation(directory) {
            at("3.3.2.3a", command.count)
            if command.isEmpty { return true }
            guard let second = try send(command) else { return false }
            at("3.3.2.3b", second.status == 0x9000, discretionaryData(second.body) != nil)
            if second.status != 0x9000 { return true }
            guard let other = discretionaryData(second.body) else { return true }
            directory = other
        }
        let entries = directory.filter { $0.tag == 0x61 }
        // A directory with an entry that does not parse counts as empty (interpretation of 3.3.2.4).
        if entries.contains(where: { parseObjects($0.value) == nil }) {
            at("3.3.2.4", "entry")
            return true
        }
        for (c, row) in configuration.combinations.enumerated() where indicators[c]?.notAllowed == false {
            for (e, entry) in entries.enumerated() {
                if let candidate = candidate(row, c, entry, e) { candidates.append(candidate) }
            }
        }
        at("3.3.2.5", "candidates", candidates.count)
        while candidates.count > EntryPoint.maxCandidates {
            let worst = candidates.max { EntryPoint.precedes($0, $1) }!
            candidates.removeAll { $0.row == worst.row && $0.entry == worst.entry }
        }
        directoryHadCandidates = !candidates.isEmpty
        return true
    }

    /// The objects of BF0C in A5 in 6F (Book B, Table 3-2).
    private func discretionaryData(_ body: Bytes) -> [Object]? {
        guard let outer = parseObjects(body), let fci = find(0x6F, in: outer).flatMap({ parseObjects($0) }),
            let own = find(0xA5, in: fci).flatMap({ parseObjects($0) })
        else { return nil }
        return find(0xBF0C, in: own).flatMap { parseObjects($0) }
    }

    /// The objects of A5 and of BF0C in it: the kernel's data of the FCI.
    private func applicationInformation(_ body: Bytes) -> [Object]? {
        guard let outer = parseObjects(body), let fci = find(0x6F, in: outer).flatMap({ parseObjects($0) }) else {
            return nil
        }
        return find(0xA5, in: fci).flatMap { parseObjects($0) }
    }

    /// C.1: SEND POI INFORMATION, `nil` if not requested, empty if it cannot be sent.
    private func terminalInformation(_ directory: [Object]) -> Bytes? {
        let list = find(0x9F3F, in: directory)
        let own = configuration.terminal[0x8B] ?? []
        var category: Bytes?
        var others: Bytes = []
        var at = 0
        while at + 3 <= own.count {
            let length = Int(own[at + 2])
            if at + 3 + length > own.count { break }
            if own[at] == 0x00 && own[at + 1] == 0x01 && length == 2 {
                category = Array(own[at + 3..<at + 5])
            } else {
                others += own[at..<at + 3 + length]
            }
            at += 3 + length
        }
        var listed = false
        if let category, let categories = find(0x9F3E, in: directory) {
            for i in stride(from: 0, to: categories.count - 1, by: 2) where Array(categories[i...i + 1]) == category {
                listed = true
            }
        }
        if list == nil && !listed { return nil }
        var values: Bytes = []
        if let list {
            guard let entries = parseList(list) else { return [] }
            for entry in entries {
                switch entry.tag {
                case 0x9F02: values += fit(decimal(transaction.amount, 6), entry.length, .numeric)
                case 0x8B: values += fit(own, entry.length, .other)
                case 0x9F1A: values += fit(configuration.terminal[0x9F1A] ?? [], entry.length, .numeric)
                case 0x5F2A: values += fit(transaction.currency, entry.length, .numeric)
                default: values += Bytes(repeating: 0, count: entry.length)
                }
            }
        }
        if listed, let category { values += [0x00, 0x01, 0x02] + category + others }
        let data = tlv(0x83, values)
        if data.count > 255 { return [] }
        return [0x80, 0x1A, 0x00, 0x00, UInt8(data.count)] + data + [0x00]
    }

    /// 3.3.2.5 A to E.
    private func candidate(_ row: Combination, _ c: Int, _ entry: Object, _ e: Int) -> Candidate? {
        guard let objects = parseObjects(entry.value), let name = find(0x4F, in: objects) else { return nil }
        if name.count < 5 || name.count > 16 || !name.starts(with: row.aid) {
            at("3.3.2.5", "A", name.count < 5, name.count > 16)
            return nil
        }
        let identifier = find(0x9F2A, in: objects) ?? []
        at("3.3.2.5", "C", row.kernel, hex(Array(identifier.prefix(3))), identifier.count)
        var requested: Bytes
        if identifier.isEmpty || identifier == [0x00] {
            requested = [EntryPoint.defaultKernel(row.aid)]
            at("3.3.2.5", "Table 3-6", requested[0], row.kernel)
        } else if identifier[0] & 0x80 == 0 {
            requested = [identifier[0]]
        } else {
            if identifier.count < 3 || identifier[0] & 0x3F == 0 { return nil }
            requested = Array(identifier[0..<3])
        }
        if identifier.count > 8 { return nil }
        if requested != [0x00] && requested != [row.kernel] { return nil }
        var selectName = name
        if row.extendedSelection, let more = find(0x9F29, in: objects) {
            selectName += more
            at("3.3.3.3", "extended", selectName.count)
            if selectName.count > 16 { return nil }
        }
        let priority = find(0x87, in: objects)?.first ?? 0
        at("3.3.2.5", "E", priority)
        return Candidate(row: c, entry: e, priority: Int(priority & 0x0F), selectName: selectName)
    }

    /// Table 3-6.
    private static func defaultKernel(_ aid: Bytes) -> UInt8 {
        switch Array(aid.prefix(5)) {
        case [0xA0, 0x00, 0x00, 0x00, 0x03]: return 3
        case [0xA0, 0x00, 0x00, 0x00, 0x04]: return 2
        case [0xA0, 0x00, 0x00, 0x00, 0x25]: return 4
        case [0xA0, 0x00, 0x00, 0x00, 0x65]: return 5
        case [0xA0, 0x00, 0x00, 0x01, 0x52], [0xA0, 0x00, 0x00, 0x03, 0x24]: return 6
        case [0xA0, 0x00, 0x00, 0x03, 0x33]: return 7
        default: return 0
        }
    }

    /// 3.3.3.2: no priority equals 15; then the order is the place in the PPSE, then that in the configuration.
    private static func precedes(_ a: Candidate, _ b: Candidate) -> Bool {
        let first = a.priority == 0 ? 15 : a.priority
        let second = b.priority == 0 ? 15 : b.priority
        if first != second { return first < second }
        if a.entry != b.entry { return a.entry < b.entry }
        return a.row < b.row
    }

    private func best() -> Candidate? {
        candidates.min { EntryPoint.precedes($0, $1) }
    }
}

/// How a value is cut or filled for a data object list (Book 3, 5.4).
enum Format {
    case numeric
    case compressed
    case other
}

func fit(_ value: Bytes, _ length: Int, _ format: Format) -> Bytes {
    if value.count >= length {
        return format == .numeric ? Array(value.suffix(length)) : Array(value.prefix(length))
    }
    let missing = length - value.count
    switch format {
    case .numeric: return Bytes(repeating: 0x00, count: missing) + value
    case .compressed: return value + Bytes(repeating: 0xFF, count: missing)
    case .other: return value + Bytes(repeating: 0x00, count: missing)
    }
}
