// SPDX-License-Identifier: Apache-2.0
import EMVFormats
import EMVPOS
import EMVCards

/// The request `tap`: a virtual card at the simulated POS, with optional faults.
struct VirtualTap {
    private let profile: CardProfile
    private let money: Money
    private let type: TransactionType
    private let protection: Protection.Profile
    private let plan: FaultPlan
    private let date: CalendarDate
    private let time: TimeOfDay
    private let presentments: Int
    private let isOnline: Bool
    private let random: Bytes
    private let language: Language?
    private let showsPAN: Bool

    /// Number of random bytes for a tap, with a margin: Kernel 8 needs 32 bytes for a key in each activation.
    private static let randomSize = 1024

    init(_ node: Node) throws(FormatError) {
        let object = try node.object([
            "call", "profile", "amount", "currency", "type", "protection", "plan", "faults", "collisions", "moment",
            "presentments", "online", "random", "language", "showsPAN",
        ])
        let name = try object.required("profile")
        guard let profile = CardProfile.named(try name.string()) else {
            throw name.expected("the name of a profile of the catalog", found: "another name")
        }
        self.profile = profile
        money = try VirtualTap.money(object)
        type = try object.value("type", or: TransactionType.purchase) { node throws(FormatError) in
            try node.choice(["purchase": .purchase, "cash": .cash, "cashBack": .cashBack, "refund": .refund])
        }
        protection = try object.value("protection", or: Protection.Profile.guarded) { node throws(FormatError) in
            try node.choice(["guarded": .guarded, "book": .book, "strict": .strict])
        }
        plan = try VirtualTap.plan(object)
        let moment = try VirtualTap.moment(object)
        date = moment.date
        time = moment.time
        presentments = Int(
            try object.value("presentments", or: 2) { node throws(FormatError) in
                try node.integer(1...8, "a number of presentments")
            })
        isOnline = try object.value("online", or: true) { node throws(FormatError) in try node.bool() }
        random = try object["random"]?.hex(4...65536) ?? VirtualTap.randomBytes()
        language = try PageEngine.language(object)
        showsPAN = try PageEngine.showsPAN(object)
    }

    private static func randomBytes() -> Bytes {
        var generator = SystemRandomNumberGenerator()
        return (0..<randomSize).map { _ in UInt8.random(in: 0...255, using: &generator) }
    }

    private static func money(_ object: ObjectNode) throws(FormatError) -> Money {
        let currency = try object.value("currency", or: Currency.eur) { node throws(FormatError) -> Currency in
            guard let currency = Currency(code: try node.string()) else {
                throw node.expected("three letters of ISO 4217 like \"EUR\"")
            }
            return currency
        }
        let amount = try object.required("amount")
        guard let money = Money(try amount.string(), currency: currency) else {
            throw amount.expected(
                "an amount in \(currency.code) with at most \(currency.exponent) decimals like \"12.50\"")
        }
        return money
    }

    /// Local time, `2026-11-21T12:00:00`; a fixed time if the request has none, because a module has no clock.
    private static func moment(_ object: ObjectNode) throws(FormatError) -> (date: CalendarDate, time: TimeOfDay) {
        guard let node = object["moment"] else {
            guard let date = CalendarDate("2026-11-21"), let time = TimeOfDay("12:00:00") else {
                preconditionFailure("the fixed date is a date")
            }
            return (date, time)
        }
        let parts = try node.string().split(separator: "T").map { String($0) }
        guard parts.count == 2, let date = CalendarDate(parts[0]), let time = TimeOfDay(parts[1]) else {
            throw node.expected("a local time like \"2026-11-21T12:00:00\"")
        }
        return (date, time)
    }

    // MARK: Faults

    private static func plan(_ object: ObjectNode) throws(FormatError) -> FaultPlan {
        var plan = FaultPlan()
        if let node = object["plan"] {
            let name = try node.string()
            guard let named = NamedPlan.all.first(where: { $0.name == name }) else {
                throw node.expected("the name of a plan of the catalog", found: "another name")
            }
            plan = named.plan
        }
        for fault in try object.list("faults", { node throws(FormatError) in try VirtualTap.fault(node) }) {
            plan.faults[fault.at, default: []].append(fault.fault)
        }
        let polls = try object.list("collisions") { node throws(FormatError) in
            try node.integer(1...64, "the number of a poll")
        }
        for poll in polls { plan.collisions.insert(Int(poll)) }
        return plan
    }

    private static func fault(_ node: Node) throws(FormatError) -> (at: Int, fault: FaultPlan.Fault) {
        let object = try node.object(["at", "kind", "count", "byte", "bit", "hex", "ms"])
        let at = Int(try object.required("at").integer(1...255, "the number of a command"))
        let kind = try object.required("kind")
        let fault: FaultPlan.Fault
        switch try kind.string() {
        case "drop": fault = .drop
        case "loseResponse": fault = .loseResponse
        case "transmissionError": fault = .transmissionError
        case "protocolError": fault = .protocolError
        case "remove": fault = .remove
        case "removeAfter": fault = .removeAfter
        case "truncate": fault = .truncate(Int(try object.required("count").integer(0...65538, "a number of bytes")))
        case "flip":
            fault = .flip(
                byte: Int(try object.required("byte").integer(0...65537, "a position in bytes from 0")),
                bit: Int(try object.required("bit").integer(1...8, "the number of a bit")))
        case "replace": fault = .replace(try object.required("hex").hex(0...65538))
        case "delay":
            fault = .delay(
                milliseconds: Double(try object.required("ms").integer(0...3_600_000, "a time in milliseconds")))
        default: throw kind.expected("the name of a fault of the catalog", found: "another name")
        }
        return (at, fault)
    }

    // MARK: The tap

    func answer() -> ReplayAnswer.Told {
        var transaction = Transaction(
            type: type, amount: money.minorUnits, currency: money.currency.numeric, exponent: money.currency.exponent,
            date: date, time: time, random: .fixed(random))
        transaction.onlineAvailable = isOnline
        var trace = Trace(
            name: profile.name, source: "simulated card",
            configuration: .simulator(
                currency: money.currency, protection: Protection(profile: protection), secrets: .simulatorVariableTime),
            transaction: transaction)
        do throws(ReplayError) {
            try SimulatedSession(trace, presentments: presentments).record(
                FaultyCard(VirtualCard(profile), plan), into: &trace)
        } catch {
            return ReplayAnswer.unusable("tap", error.description)
        }
        return ReplayAnswer(trace: trace, file: "tap", language: language, showsPAN: showsPAN, savesAccount: true)
            .told(completing: true)
    }
}

/// A fault plan by its name.
struct NamedPlan {
    let name: String
    let summary: String
    let plan: FaultPlan

    /// Exchange 1 selects the directory, 2 the application, 3 has the processing options.
    static let all = [
        NamedPlan(name: "none", summary: "nothing goes wrong", plan: FaultPlan()),
        NamedPlan(name: "noise", summary: "the first command is disturbed", plan: FaultPlan(at: 1, .transmissionError)),
        NamedPlan(name: "silent", summary: "the card does not hear its selection", plan: FaultPlan(at: 2, .drop)),
        NamedPlan(
            name: "lostOptions", summary: "the answer to GET PROCESSING OPTIONS is lost",
            plan: FaultPlan(at: 3, .loseResponse)),
        NamedPlan(
            name: "cutOptions", summary: "the answer to GET PROCESSING OPTIONS is cut after 16 bytes",
            plan: FaultPlan(at: 3, .truncate(16))),
        NamedPlan(
            name: "wrongBit", summary: "one bit of the answer to GET PROCESSING OPTIONS is wrong",
            plan: FaultPlan(at: 3, .flip(byte: 20, bit: 1))),
        NamedPlan(
            name: "removedEarly", summary: "the card leaves before its selection", plan: FaultPlan(at: 2, .remove)),
        NamedPlan(
            name: "removedLate", summary: "the card leaves once it has heard GET PROCESSING OPTIONS",
            plan: FaultPlan(at: 3, .removeAfter)),
        NamedPlan(
            name: "slow", summary: "the card takes a second longer",
            plan: FaultPlan(at: 3, .delay(milliseconds: 1000))),
        NamedPlan(name: "twoCards", summary: "two cards at first", plan: FaultPlan(collisions: [1])),
    ]
}
