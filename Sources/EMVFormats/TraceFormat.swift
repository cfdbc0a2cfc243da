// SPDX-License-Identifier: Apache-2.0
import EMVKernel

extension Trace {
    /// Reads a trace; `file` names it in errors.
    public init(json bytes: Bytes, file: String = "") throws(FormatError) {
        try self.init(Document(bytes, file: file).node())
    }

    init(_ node: Node) throws(FormatError) {
        let object = try node.object([
            "format", "name", "source", "configuration", "transaction", "match", "exchanges", "expect", "loyalty",
            "redacted", "recorded",
        ])
        try object.format(Trace.formatName, required: true)
        let configuration = try Configuration(object.required("configuration"), formatRequired: false)
        let transaction = try Trace.transaction(object.required("transaction"), configuration, after: nil)
        self.init(
            name: try object.value("name", or: "") { node throws(FormatError) in try node.name() },
            source: try object.value("source", or: "") { node throws(FormatError) in try node.name() },
            configuration: configuration,
            transaction: transaction,
            match: try object.value("match", or: .exact) { node throws(FormatError) in
                try node.choice(["exact": .exact, "header": .header])
            },
            items: try object.list("exchanges") { node throws(FormatError) in
                try Item(node) { node throws(FormatError) in
                    try Trace.transaction(node, configuration, after: transaction)
                }
            },
            expectation: try object.value("expect", or: Expectation()) { node throws(FormatError) in
                try Expectation(node)
            },
            loyalty: try object.optional("loyalty") { node throws(FormatError) -> String in
                guard case .object = node.json.value else { throw node.expected("a document of emv-loyalty/1") }
                return node.json.text()
            })
        isRedacted = try object.value("redacted", or: false) { node throws(FormatError) in try node.bool() }
        recorded = try object.optional("recorded") { node throws(FormatError) in try Recorded(node) }
    }
}

extension Trace.Recorded {
    init(_ node: Node) throws(FormatError) {
        let object = try node.object(["tap", "outcome", "cvm", "differences"])
        self.init(
            tap: try object.required("tap").name(TapName.self),
            outcome: try object.optional("outcome") { node throws(FormatError) in try node.status() },
            cvm: try object.optional("cvm") { node throws(FormatError) in try node.name(Outcome.CVM.self) },
            differences: try object.list("differences") { node throws(FormatError) in
                let object = try node.object(["place", "expected", "found"])
                return ReplayReport.Difference(
                    place: try object.required("place").string(), expected: try object.required("expected").string(),
                    found: try object.required("found").string())
            })
    }
}

extension Trace {
    /// A transaction at a reader with this configuration; further transactions use the first one's values for absent
    /// keys.
    private static func transaction(
        _ node: Node, _ configuration: Configuration, after first: Transaction?
    ) throws(FormatError) -> Transaction {
        var transaction = try Transaction(node, after: first)
        if let autorun = configuration.autorun {
            guard autorun.type == transaction.type, autorun.amount == transaction.amount else {
                throw node.expected("the type and the amount of \"autorun\"", found: "others")
            }
            transaction.startsAtB = true
        }
        return transaction
    }
}

extension Trace.Item {
    private static let special = [
        "tap", "collision", "online", "pin", "det", "dek", "stop", "deadline", "removed", "sale",
        "prelude",
    ]

    init(_ node: Node, sale: (Node) throws(FormatError) -> Transaction) throws(FormatError) {
        let members = try node.members()
        guard let member = members.first(where: { Trace.Item.special.contains($0.name) }) else {
            guard !members.isEmpty else {
                let names = Trace.Item.special.map { "\"\($0)\"" }.joined(separator: ", ")
                throw node.expected("\"c\" with \"r\" or \"fault\", or one of \(names)", found: "an empty object")
            }
            try self.init(exchange: node)
            return
        }
        guard members.count == 1 else {
            throw member.node.expected(
                "\"\(member.name)\" as the only key", found: "\(members.count) keys")
        }
        try self.init(member.name, member.node, sale)
    }

    private init(_ name: String, _ node: Node, _ sale: (Node) throws(FormatError) -> Transaction) throws(FormatError) {
        switch name {
        case "tap": self = .tap(Int(try node.integer(1...255, "the number of a tap")))
        case "online": self = .online(node.isNull ? nil : try node.answer())
        case "pin": self = .pin(captured: try node.choice(["captured": true, "notCaptured": false]))
        case "det": self = .terminalData(try node.dataObjects())
        case "dek": self = .dataExchange(try node.dataObjects())
        case "sale": self = .sale(try sale(node))
        case "prelude":
            var items: [Trace.Item] = []
            for element in try node.elements() { items.append(try Trace.Item(exchange: element)) }
            guard !items.isEmpty else { throw node.expected("an array of 1 exchange or more", found: "an empty one") }
            self = .prelude(items)
        default:
            guard case .bool(true) = node.json.value else { throw node.expected("true") }
            self = name == "collision" ? .collision : name == "stop" ? .stop : name == "deadline" ? .deadline : .removed
        }
    }

    private init(exchange node: Node) throws(FormatError) {
        let object = try node.object(["c", "r", "ms", "fault"])
        let command = try object.required("c").hex(4...65544)
        let elapsed = try object.optional("ms") { node throws(FormatError) -> Duration in
            let milliseconds = try node.number(upTo: 3_600_000, "a time in milliseconds")
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
            throw node.expected(
                "either \"r\" or \"fault\" in addition to \"c\"", found: object["r"] == nil ? "neither" : "both")
        }
    }
}

extension Trace.Expectation {
    init(_ node: Node) throws(FormatError) {
        let object = try node.object([
            "tap", "outcome", "cvm", "message", "messages", "apdus", "data", "findings", "errorIndication",
            "discretionary",
            "alternateInterface", "start", "restartMessage", "holdMs", "fieldOffMs", "removalTimeout", "valueQualifier",
            "value", "receipt", "loyalty",
        ])
        func message(_ node: Node) throws(FormatError) -> Message { Message(rawValue: try node.byte()) }
        self.init(
            tap: try object.optional("tap") { node throws(FormatError) in try node.name(TapName.self) },
            outcome: try object.optional("outcome") { node throws(FormatError) in try node.status() },
            cvm: try object.optional("cvm") { node throws(FormatError) in try node.name(Outcome.CVM.self) },
            message: try object.optional("message", message),
            messages: try object.optional("messages") { node throws(FormatError) in
                var messages: [Message] = []
                for element in try node.elements() { messages.append(try message(element)) }
                return messages
            },
            apdus: try object.optional("apdus") { node throws(FormatError) in
                Int(try node.integer(0...100_000, "a number of commands"))
            },
            errorIndication: try object.optional("errorIndication") { node throws(FormatError) in try node.hex(6...6) },
            data: try object.value("data", or: []) { node throws(FormatError) in try node.data() })
        discretionary = try object.value("discretionary", or: []) { node throws(FormatError) in try node.data() }
        findings = try object.optional("findings") { node throws(FormatError) in try node.findings() }
        start = try object.optional("start") { node throws(FormatError) in try node.choice(Outcome.Start.names) }
        alternateInterface = try object.optional("alternateInterface") { node throws(FormatError) in
            try node.choice(Outcome.Interface.names)
        }
        receipt = try object.optional("receipt") { node throws(FormatError) in try node.bool() }
        removalTimeout = try object.optional("removalTimeout") { node throws(FormatError) in
            Int(try node.integer(0...65535, "a time in units of 100 ms"))
        }
        fieldOff = try object.optional("fieldOffMs") { node throws(FormatError) -> Duration? in
            node.isNull ? nil : .milliseconds(try node.integer(0...6_553_500, "a time in milliseconds"))
        }
        hold = try object.optional("holdMs") { node throws(FormatError) -> Duration? in
            node.isNull ? nil : .milliseconds(try node.integer(0...4_294_967_295, "a time in milliseconds"))
        }
        valueQualifier = try object.optional("valueQualifier") { node throws(FormatError) in
            try node.name(Trace.ValueQualifier.self)
        }
        value = try object.optional("value") { node throws(FormatError) -> UInt64? in
            node.isNull ? nil : try node.integer(0...largestAmount, anAmount)
        }
        restartMessage = try object.optional("restartMessage") { node throws(FormatError) -> Message? in
            node.isNull ? nil : try message(node)
        }
        loyalty = try object.value("loyalty", or: [:]) { node throws(FormatError) in try node.passes() }
    }
}

extension Node {
    /// EMVLoyalty's words for the result of a pass.
    private static let passOutcomes = [
        "read", "sealed", "none", "locked", "chooseOnDevice", "signUpOffered", "refused", "unreadable", "notAsked",
    ]

    fileprivate func passes() throws(FormatError) -> [String: String] {
        var outcomes: [String: String] = [:]
        for (id, node) in try members() {
            let name = try node.string()
            guard Node.passOutcomes.contains(name) else {
                throw node.expected("one of " + Node.passOutcomes.joined(separator: ", "))
            }
            outcomes[id] = name
        }
        return outcomes
    }
}

extension Outcome.Start {
    /// Names of the starts, as in Book A.
    static let names: KeyValuePairs<String, Outcome.Start> = [
        "A": .a, "B": .b, "C": .c, "D": .d, "none": .notApplicable,
    ]
    var name: String { Outcome.Start.names.first { $0.value == self }?.key ?? "" }
}

extension Outcome.Interface {
    static let names: KeyValuePairs<String, Outcome.Interface> = [
        "contact": .contactChip, "magstripe": .magstripe, "none": .notApplicable,
    ]
    var name: String { Outcome.Interface.names.first { $0.value == self }?.key ?? "" }
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
            let tag = try node.tag(name) { _ in true }
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
