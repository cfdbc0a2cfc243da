import EMVKit

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
        /// The issuer's answer; no data objects: unable to go online.
        case online(DataObjects)
        /// Data of the terminal that a kernel asked for.
        case terminalData(DataObjects)
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
        public var discretionary: [Datum]
        public var findings: Findings?

        public init(
            tap: TapName? = nil, outcome: Outcome.Status? = nil, cvm: Outcome.CVM? = nil, message: Message? = nil,
            messages: [Message]? = nil, apdus: Int? = nil, errorIndication: Bytes? = nil, data: [Datum] = [],
            discretionary: [Datum] = [], findings: Findings? = nil
        ) {
            self.tap = tap
            self.outcome = outcome
            self.cvm = cvm
            self.message = message
            self.messages = messages
            self.apdus = apdus
            self.errorIndication = errorIndication
            self.data = data
            self.discretionary = discretionary
            self.findings = findings
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

    public var name: String
    public var source: String
    public var configuration: Configuration
    public var transaction: Transaction
    public var match: Match
    public var items: [Item]
    public var expectation: Expectation
    /// Account number and track data were masked: it replays for shape, not for signatures.
    public var isRedacted: Bool

    public init(
        name: String = "", source: String = "", configuration: Configuration, transaction: Transaction,
        match: Match = .exact, items: [Item] = [], expectation: Expectation = Expectation(), isRedacted: Bool = false
    ) {
        self.name = name
        self.source = source
        self.configuration = configuration
        self.transaction = transaction
        self.match = match
        self.items = items
        self.expectation = expectation
        self.isRedacted = isRedacted
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
        case .exchange(let command, let response, _): "command \(Hex.string(command)), response of \(response.count) bytes"
        case .fault(let command, let fault): "command \(Hex.string(command)), fault \(fault.rawValue)"
        case .tap(let number): "tap \(number)"
        case .collision: "collision"
        case .online: "the issuer's answer"
        case .terminalData: "terminal data"
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
