// SPDX-License-Identifier: Apache-2.0
import EMVKernel

/// A recorded or minted exchange with a card, and what is expected of it: `emv-trace/1`.
public struct Trace: Sendable, Hashable {
    /// The name of the format.
    public static let formatName = "emv-trace/1"

    /// How commands are compared.
    public enum Match: String, Sendable, Hashable, CaseIterable {
        /// Byte for byte, in order.
        case exact
        /// CLA INS P1 P2, and the name for SELECT.
        case header
    }

    /// What happened, in order of time.
    public enum Item: Sendable, Hashable {
        case exchange(command: Bytes, response: Bytes, elapsed: Duration?)
        case fault(command: Bytes, LinkFault)
        /// A new presentment; 2 for the second.
        case tap(Int)
        case collision
        /// The issuer's answer, which may bring no data objects; `nil`: the issuer could not be reached.
        case online(DataObjects?)
        /// PIN entry has ended, where an outcome asked for an online PIN.
        case pin(captured: Bool)
        /// Data of the terminal that a kernel asked for.
        case terminalData(DataObjects)
        /// What the kernel sent to the terminal in one data exchange: Data To Send by tag; a Data Needed that is not
        /// empty is the list under DF8106. Stands behind the exchange of the command that went out with it.
        case dataExchange(DataObjects)
        /// The terminal stops the transaction. A command that is under way is not counted.
        case stop
        /// The time in which a question of the kernel is to be answered has passed.
        case deadline
        /// The card has left the field.
        case removed
        /// A dialogue before the kernel's, in the presentment whose commands follow: exchanges and faults alone. They
        /// count as no commands of the kernel, which never sees them.
        case prelude([Item])
        /// A further transaction at the same reader, which keeps its memory. What is expected is said of the last
        /// transaction.
        case sale(Transaction)
    }

    /// What a message shows beside its text.
    public enum ValueQualifier: String, Sendable, Hashable, CaseIterable {
        case none, amount, balance
    }

    /// What is expected; `nil` compares nothing.
    public struct Expectation: Sendable, Hashable {
        public var tap: TapName?
        public var outcome: Outcome.Status?
        public var cvm: Outcome.CVM?
        /// Of the final outcome.
        public var message: Message?
        /// Of the whole trace, in order.
        public var messages: [Message]?
        /// Commands of all presentments.
        public var apdus: Int?
        /// Tag DF8115.
        public var errorIndication: Bytes?
        /// Of the data record; a `nil` value means absent.
        public var data: [Datum]
        /// Of the discretionary data.
        public var discretionary: [Datum] = []
        public var findings: Findings?
        public var start: Outcome.Start?
        public var alternateInterface: Outcome.Interface?
        public var receipt: Bool?
        /// In units of 100 ms.
        public var removalTimeout: Int?
        /// `.some(nil)`: no request; zero: the field goes off.
        public var fieldOff: Duration?? = nil
        /// Of the message on outcome; `.some(nil)`: there is none.
        public var hold: Duration?? = nil
        public var valueQualifier: ValueQualifier?
        /// Minor units; `.some(nil)`: there is none.
        public var value: UInt64?? = nil
        /// Of the message on restart; `.some(nil)`: there is none.
        public var restartMessage: Message?? = nil
        /// What becomes of the passes that are asked for: the word for an outcome, by a programme's id.
        public var loyalty: [String: String] = [:]

        public init(
            tap: TapName? = nil, outcome: Outcome.Status? = nil, cvm: Outcome.CVM? = nil, message: Message? = nil,
            messages: [Message]? = nil, apdus: Int? = nil, errorIndication: Bytes? = nil, data: [Datum] = []
        ) {
            self.tap = tap
            self.outcome = outcome
            self.cvm = cvm
            self.message = message
            self.messages = messages
            self.apdus = apdus
            self.errorIndication = errorIndication
            self.data = data
        }
    }

    public struct Datum: Sendable, Hashable {
        public var tag: Tag
        /// `nil`: absent. Empty: present and empty.
        public var value: Bytes?

        public init(tag: Tag, value: Bytes?) {
            self.tag = tag
            self.value = value
        }
    }

    /// How a replay of a trace went before the trace was masked. What is left does not tell: signatures over what is
    /// masked do not verify, so another replay may end otherwise.
    public struct Recorded: Sendable, Hashable {
        public var tap: TapName
        /// `nil`: there was none.
        public var outcome: Outcome.Status?
        public var cvm: Outcome.CVM?
        /// From what was expected, with masked texts.
        public var differences: [ReplayReport.Difference]

        public init(
            tap: TapName, outcome: Outcome.Status? = nil, cvm: Outcome.CVM? = nil,
            differences: [ReplayReport.Difference] = []
        ) {
            self.tap = tap
            self.outcome = outcome
            self.cvm = cvm
            self.differences = differences.map { $0.asMasked }
        }

        public init(_ report: ReplayReport) {
            let status = report.outcome.status
            self.init(
                tap: report.tap, outcome: status == .none ? nil : status,
                cvm: status == .none ? nil : report.outcome.cvm, differences: report.differences)
        }
    }

    public var name: String
    public var source: String
    public var configuration: Configuration
    public var transaction: Transaction
    public var match: Match
    public var items: [Item]
    public var expectation: Expectation
    /// A document of `emv-loyalty/1`, as JSON: which passes the preludes ask for. The product EMVLoyalty reads it.
    public var loyalty: String?
    /// Account number and track data, or what a pass says, were masked: it replays for shape, not for signatures.
    public var isRedacted: Bool = false
    /// Of a masked trace; `nil`: not known.
    public var recorded: Recorded?

    public init(
        name: String = "", source: String = "", configuration: Configuration, transaction: Transaction,
        match: Match = .exact, items: [Item] = [], expectation: Expectation = Expectation(), loyalty: String? = nil
    ) {
        self.name = name
        self.source = source
        self.configuration = configuration
        self.transaction = transaction
        self.match = match
        self.items = items
        self.expectation = expectation
        self.loyalty = loyalty
    }
}

extension Trace: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "trace \(name) (\(items.count) items)" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}

extension Trace.Item: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Never what a card said.
    public var description: String {
        switch self {
        case .exchange(let command, let response, _):
            "command \(Hex.string(command)), response of \(response.count) bytes"
        case .fault(let command, let fault): "command \(Hex.string(command)), fault \(fault.rawValue)"
        case .tap(let number): "tap \(number)"
        case .collision: "collision"
        case .online(nil): "unable to go online"
        case .online: "the issuer's answer"
        case .pin(let captured): captured ? "the PIN is captured" : "no PIN is captured"
        case .terminalData: "terminal data"
        case .dataExchange(let data): "data exchange \(data)"
        case .stop: "stop"
        case .deadline: "the deadline has passed"
        case .removed: "the card is removed"
        case .prelude(let items): "prelude of \(items.count) exchanges"
        case .sale: "a further transaction"
        }
    }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .enum) }
}

extension Trace.Datum: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "\(tag): " + (value.map { "\($0.count) bytes" } ?? "absent") }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}
