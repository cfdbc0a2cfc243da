import EMVKit

extension Trace {
    /// Reads a trace; `file` names it in errors.
    public init(json bytes: Bytes, file: String = "") throws(FormatError) {
        try self.init(Document(bytes, file: file).node())
    }

    /// Reads a file.
    public init(contentsOf path: String) throws(FormatError) {
        try self.init(json: readFile(path), file: path)
    }

    init(_ node: Node) throws(FormatError) {
        let object = try node.object([
            "format", "name", "source", "configuration", "transaction", "match", "exchanges", "expect", "redacted",
        ])
        try object.format(Trace.formatName, required: true)
        let configuration = try Configuration(object.required("configuration"), formatRequired: false)
        let sale = try object.required("transaction")
        var transaction = try Transaction(sale)
        if let autorun = configuration.autorun {
            guard autorun.type == transaction.type, autorun.amount == transaction.amount else {
                throw sale.error("expected the type and the amount of \"autorun\"")
            }
            transaction.startsAtB = true
        }
        self.init(
            name: try object.value("name", or: "") { node throws(FormatError) in try node.string() },
            source: try object.value("source", or: "") { node throws(FormatError) in try node.string() },
            configuration: configuration,
            transaction: transaction,
            match: try object.value("match", or: .exact) { node throws(FormatError) in
                try node.choice(["exact": .exact, "header": .header])
            },
            items: try object.list("exchanges") { node throws(FormatError) in try Item(node) },
            expectation: try object.value("expect", or: Expectation()) { node throws(FormatError) in try Expectation(node) },
            isRedacted: try object.value("redacted", or: false) { node throws(FormatError) in try node.bool() })
    }
}

extension Trace.Item {
    init(_ node: Node) throws(FormatError) {
        let members = try node.members()
        switch members.first?.name {
        case "tap" where members.count == 1:
            self = .tap(Int(try members[0].node.integer(1...255)))
        case "collision" where members.count == 1:
            guard try members[0].node.bool() else { throw members[0].node.expected("true") }
            self = .collision
        case "online" where members.count == 1:
            self = .online(try members[0].node.dataObjects())
        case "det" where members.count == 1:
            self = .terminalData(try members[0].node.dataObjects())
        case nil:
            throw node.error("expected \"c\" with \"r\" or \"fault\", or one of \"tap\", \"collision\", \"online\", \"det\"")
        default:
            try self.init(exchange: node)
        }
    }

    private init(exchange node: Node) throws(FormatError) {
        let special = ["tap", "collision", "online", "det"]
        if let member = try node.members().first(where: { special.contains($0.name) }) {
            throw member.node.error("expected \"\(member.name)\" to stand alone")
        }
        let object = try node.object(["c", "r", "ms", "fault"])
        let command = try object.required("c").hex(4...65544)
        let elapsed = try object.optional("ms") { node throws(FormatError) -> Duration in
            let milliseconds = try node.number()
            guard milliseconds <= 3_600_000 else { throw node.expected("at most 3600000 milliseconds") }
            return .microseconds(Int64((milliseconds * 1000).rounded()))
        }
        switch (object["r"], object["fault"]) {
        case (let response?, nil):
            self = .exchange(command: command, response: try response.hex(0...65538), elapsed: elapsed)
        case (nil, let fault?):
            self = .fault(
                command: command,
                try fault.choice([
                    "timeout": .timeout, "transmission": .transmission, "protocol": .protocol, "removed": .removed,
                ]))
        default:
            throw node.error("expected either \"r\" or \"fault\" beside \"c\"")
        }
    }
}

extension Trace.Expectation {
    init(_ node: Node) throws(FormatError) {
        let object = try node.object([
            "tap", "outcome", "cvm", "message", "messages", "apdus", "data", "findings", "errorIndication", "discretionary",
        ])
        self.init(
            tap: try object.optional("tap") { node throws(FormatError) in try node.name(TapName.self) },
            outcome: try object.optional("outcome") { node throws(FormatError) in try node.status() },
            cvm: try object.optional("cvm") { node throws(FormatError) in try node.name(Outcome.CVM.self) },
            message: try object.optional("message") { node throws(FormatError) in Message(rawValue: try node.byte()) },
            messages: try object.optional("messages") { node throws(FormatError) in
                var messages: [Message] = []
                for element in try node.elements() { messages.append(Message(rawValue: try element.byte())) }
                return messages
            },
            apdus: try object.optional("apdus") { node throws(FormatError) in Int(try node.integer(0...100_000)) },
            errorIndication: try object.optional("errorIndication") { node throws(FormatError) in try node.hex(6...6) },
            data: try object.value("data", or: []) { node throws(FormatError) in try node.data() },
            discretionary: try object.value("discretionary", or: []) { node throws(FormatError) in try node.data() },
            findings: try object.optional("findings") { node throws(FormatError) in try node.findings() })
    }
}

extension Node {
    fileprivate func name<Name: RawRepresentable & CaseIterable>(
        _ type: Name.Type
    ) throws(FormatError) -> Name where Name.RawValue == String {
        guard case .string(let text) = json.value, let name = Name(rawValue: text) else {
            throw expected("one of " + Name.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", "))
        }
        return name
    }

    fileprivate func status() throws(FormatError) -> Outcome.Status {
        let statuses = Outcome.Status.allCases.filter { $0 != .none }
        guard case .string(let text) = json.value, let status = statuses.first(where: { $0.rawValue == text }) else {
            throw expected("one of " + statuses.map { "\"\($0.rawValue)\"" }.joined(separator: ", "))
        }
        return status
    }

    fileprivate func data() throws(FormatError) -> [Trace.Datum] {
        var data: [Trace.Datum] = []
        for (name, node) in try members() {
            guard let tag = Tag(name) else { throw node.error("expected a tag of one to four bytes in hex as the key") }
            data.append(Trace.Datum(tag: tag, value: node.isNull ? nil : try node.hex(0...65535)))
        }
        return data
    }

    fileprivate func findings() throws(FormatError) -> Findings {
        var findings: Findings = []
        for element in try elements() {
            guard let finding = Findings(name: try element.string()) else {
                throw element.expected("the name of a finding like \"BRAND_MISMATCH\"")
            }
            findings.insert(finding)
        }
        return findings
    }
}
