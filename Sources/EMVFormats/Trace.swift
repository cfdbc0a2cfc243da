// SPDX-License-Identifier: Apache-2.0
import EMVKernel

/// A recorded or generated exchange with a card, and the expected result: `emv-trace/1`.
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

    /// The events of a trace, in chronological order.
    public enum Item: Sendable, Hashable {
        case exchange(command: Bytes, response: Bytes, elapsed: Duration?)
        case fault(command: Bytes, LinkFault)
        /// A new presentment; 2 for the second.
        case tap(Int)
        case collision
        /// The issuer's answer, possibly without data objects; `nil`: the issuer could not be reached.
        case online(DataObjects?)
        /// PIN entry has ended, after an outcome that asked for an online PIN.
        case pin(captured: Bool)
        /// Data of the terminal that a kernel requested.
        case terminalData(DataObjects)
        /// The data that the kernel sent to the terminal in one data exchange: Data To Send by tag; a Data Needed that
        /// is not empty is the list under DF8106. It is listed after the exchange of the command that was sent with it.
        case dataExchange(DataObjects)
        /// The terminal stops the transaction. A command in progress is not counted.
        case stop
        /// The deadline of a question of the kernel has passed.
        case deadline
        /// The card has left the field.
        case removed
        /// A dialogue before the kernel's, in the presentment of the following commands: only exchanges and faults.
        /// They do not count as commands of the kernel, which never sees them.
        case prelude([Item])
        /// A further transaction at this reader, which keeps its memory. The expectation applies to the last
        /// transaction.
        case sale(Transaction)
    }

    /// The value that a message shows in addition to its text.
    public enum ValueQualifier: String, Sendable, Hashable, CaseIterable {
        case none, amount, balance
    }

    /// The expected result; members that are `nil` are not compared.
    public struct Expectation: Sendable, Hashable {
        public var tap: TapName?
        public var outcome: Outcome.Status?
        public var cvm: Outcome.CVM?
        /// The message of the final outcome.
        public var message: Message?
        /// The messages of the whole trace, in order.
        public var messages: [Message]?
        /// Number of commands in all presentments.
        public var apdus: Int?
        /// Tag DF8115.
        public var errorIndication: Bytes?
        /// Objects of the data record; a `nil` value means absent.
        public var data: [Datum]
        /// Objects of the discretionary data.
        public var discretionary: [Datum] = []
        public var findings: Findings?
        public var start: Outcome.Start?
        public var alternateInterface: Outcome.Interface?
        public var receipt: Bool?
        /// In units of 100 ms.
        public var removalTimeout: Int?
        /// `.some(nil)`: no request; zero: the field goes off.
        public var fieldOff: Duration?? = nil
        /// Hold time of the message on outcome; `.some(nil)`: no message.
        public var hold: Duration?? = nil
        public var valueQualifier: ValueQualifier?
        /// Minor units; `.some(nil)`: no value.
        public var value: UInt64?? = nil
        /// The message on restart; `.some(nil)`: no message.
        public var restartMessage: Message?? = nil
        /// The result for each requested pass: the word for an outcome, by a programme's id.
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

    /// The result of a replay before the trace was masked. The masked trace cannot reproduce it: signatures over masked
    /// data do not verify, so another replay may end differently.
    public struct Recorded: Sendable, Hashable {
        public var tap: TapName
        /// `nil`: there was no outcome.
        public var outcome: Outcome.Status?
        public var cvm: Outcome.CVM?
        /// Differences from the expected result, with masked texts.
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
    /// A document of `emv-loyalty/1`, as JSON: the passes that the preludes request. The product EMVLoyalty reads it.
    public var loyalty: String?
    /// True if account number and track data, or data of a pass, were masked: it can be replayed for its shape, but not
    /// for signatures.
    public var isRedacted: Bool = false
    /// The recorded result of a masked trace; `nil`: not known.
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
    /// Contains no data of the card.
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
