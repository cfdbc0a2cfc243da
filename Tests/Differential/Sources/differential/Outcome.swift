// SPDX-License-Identifier: Apache-2.0
// Outcomes and their parameters (Book A, 6.2 and Table 6-2), and how the trace format says them.

struct Request: Equatable {
    /// `nil` if only the status changes.
    var message: UInt8?
    /// In units of 100 ms.
    var hold = 0
    /// The balance of the card (C-3, 4.3.1.1).
    var balance: UInt64?
}

struct Outcome {
    enum Status: String {
        case approved, declined, onlineRequest, tryAgain, selectNext, endApplication, tryAnotherInterface
    }
    enum Start: String {
        case b = "B"
        case c = "C"
        case none
    }

    var status: Status
    var start = Start.none
    /// Online Response Data: EMV Data, else N/A.
    var wantsIssuerData = false
    var cvm = "notApplicable"
    var onOutcome: Request?
    var onRestart: Request?
    var data: [(UInt32, Bytes)] = []
    var discretionary: [(UInt32, Bytes)] = []
    var contactPreferred = false
    /// In units of 100 ms; `nil`: N/A.
    var fieldOff: Int?
    var receipt = false
    /// Kernel 2: DF8115.
    var errorIndication: Bytes?
    /// The tap of the trace format, if it does not follow from the status.
    var tap: String?

    init(_ status: Status) { self.status = status }

    /// C-3, 4.2.1.1, and Book B, 3.3.2.7.
    static var endApplication: Outcome {
        var outcome = Outcome(.endApplication)
        outcome.onOutcome = Request(message: 0x1C)
        return outcome
    }

    private var tapName: String {
        if let tap { return tap }
        switch status {
        case .approved: return "success"
        case .onlineRequest: return cvm == "onlinePIN" ? "onlinePINRequired" : "success"
        case .declined: return "declined"
        case .tryAnotherInterface: return "tryAnotherInterface"
        default: return "unreadable"
        }
    }

    /// The data objects sorted by tag: their order is not prescribed.
    private static func list(_ objects: [(UInt32, Bytes)]) -> String {
        hex(objects.sorted { $0.0 < $1.0 }.flatMap { tlv($0.0, $0.0 == 0xFF8101 ? ordered($0.1) : $0.1) })
    }

    /// A torn record likewise.
    private static func ordered(_ record: Bytes) -> Bytes {
        (parseObjects(record) ?? []).sorted { $0.tag < $1.tag }.flatMap { tlv($0.tag, $0.value) }
    }

    var parameters: [Parameter] {
        func text(_ value: Int?) -> String { value.map(String.init) ?? "null" }
        func message(_ request: Request?) -> String { request?.message.map { hex([$0]) } ?? "null" }
        let indication = errorIndication.map { [Parameter(key: "errorIndication", value: hex($0))] } ?? []
        return [
            Parameter(key: "tap", value: tapName),
            Parameter(key: "outcome", value: status.rawValue),
            Parameter(key: "cvm", value: cvm),
            Parameter(key: "message", value: message(onOutcome)),
            Parameter(key: "alternateInterface", value: contactPreferred ? "contact" : "none"),
            Parameter(key: "start", value: start.rawValue),
            Parameter(key: "restartMessage", value: message(onRestart)),
            Parameter(key: "holdMs", value: text(onOutcome.map { $0.hold * 100 })),
            Parameter(key: "fieldOffMs", value: text(fieldOff.map { $0 * 100 })),
            Parameter(key: "removalTimeout", value: "0"),
            Parameter(key: "valueQualifier", value: onOutcome?.balance == nil ? "none" : "balance"),
            Parameter(key: "value", value: onOutcome?.balance.map { String($0) } ?? "null"),
            Parameter(key: "receipt", value: receipt ? "true" : "false"),
            Parameter(key: "data", value: Outcome.list(data)),
            Parameter(key: "discretionary", value: Outcome.list(discretionary)),
        ] + indication
    }
}
