// SPDX-License-Identifier: Apache-2.0
import EMVKernel

/// Runs a session over a trace and compares the results.
public struct TraceReplay: Sendable {
    public let trace: Trace
    public let configuration: CheckedConfiguration

    /// Throws if the trace's configuration is wrong.
    ///
    /// - Parameters:
    ///   - trace: the recorded dialogue with its configuration.
    ///   - secrets: for traces of Kernel 8, which cannot be replayed without it.
    public init(_ trace: Trace, secrets: SecretCrypto? = nil) throws(ConfigurationError) {
        self.trace = trace
        configuration = try CheckedConfiguration(trace.configuration, secrets: secrets)
    }

    /// Throws if the trace cannot be used; differences in the kernel's behaviour are listed in the report.
    ///
    /// One reader memory serves the whole trace and is released with it: a transaction torn in one presentment is
    /// recovered in the next, and in the next sale. The report is about the last sale.
    ///
    /// - Parameters:
    ///   - memory: memory of the sessions; several replays may use it, one at a time.
    ///   - observer: called for each step in order, including the start of each sale.
    public func run(
        memory: SessionMemory = SessionMemory(), observer: ((ReplayStep) -> Void)? = nil
    ) throws(ReplayError) -> ReplayReport {
        let reader = ReaderMemory()
        var transaction = trace.transaction
        var next = 0
        while true {
            let session = try begin(transaction, memory, reader, keepsDecisions: observer != nil)
            var run = TraceRun(trace: trace, from: next, session: session, observer: observer)
            let report = try run.report()
            guard let further = run.further else { return report }
            (transaction, next) = (further, run.next)
        }
    }

    private func begin(
        _ transaction: Transaction, _ memory: SessionMemory, _ reader: ReaderMemory, keepsDecisions: Bool
    ) throws(ReplayError) -> KernelSession {
        do throws(ConfigurationError) {
            return try KernelSession(
                configuration, transaction, memory: memory, reader: reader, keepsDecisions: keepsDecisions)
        } catch {
            throw .configuration(error)
        }
    }
}

public enum ReplayError: Error, Sendable, Hashable {
    case configuration(ConfigurationError)
    /// The random bytes of a transaction ran out.
    case randomExhausted
}

extension ReplayError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .configuration(let error): error.description
        case .randomExhausted: "random: expected four more bytes for another unpredictable number"
        }
    }
}

/// The result of a replay.
public struct ReplayReport: Sendable, Hashable {
    public var tap: TapName
    /// The last outcome; its status is `none` if there was no outcome.
    public var outcome: Outcome
    public var messages: [Message]
    /// Commands of all presentments of the last transaction that were answered or lost.
    public var commands: Int
    /// Empty if everything was as expected.
    public var differences: [Difference]
    /// Findings that are omitted from ``outcome`` because the trace is masked: its zeros cause them.
    package private(set) var leftOut: Findings = []

    public var isMet: Bool { differences.isEmpty }

    /// Omits findings that a masked trace cannot reproduce.
    mutating func leaveOutMasked() {
        leftOut = outcome.findings.intersection(.ofMaskedData)
        outcome.findings.subtract(.ofMaskedData)
    }

    /// One difference from the expected result.
    public struct Difference: Sendable, Hashable, CustomStringConvertible, CustomDebugStringConvertible,
        CustomReflectable
    {
        /// `exchanges[3].c`, `expect.data.9F26`
        public var place: String
        /// Unmasked: the texts may hold an account number.
        public var expected: String
        public var found: String
        /// Without account numbers, track data and names: for people and logs.
        public internal(set) var maskedExpected: String
        public internal(set) var maskedFound: String

        public init(place: String, expected: String, found: String) {
            self.place = place
            self.expected = expected
            self.found = found
            maskedExpected = "(masked)"
            maskedFound = "(masked)"
            self = AccountMask().difference(self)
        }

        /// A copy that has only the masked texts.
        var asMasked: Difference { Difference(place: place, expected: maskedExpected, found: maskedFound) }

        /// Shows the masked texts.
        public var description: String { "\(place)\n  expected \(maskedExpected)\n  found    \(maskedFound)" }
        public var debugDescription: String { description }
        public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
    }
}

extension Findings {
    /// Findings about account numbers, tracks and the card's certificate, or about signatures over them: in a masked
    /// trace these data are zeros.
    static let ofMaskedData: Findings = [
        .brandMismatch, .panMismatch, .expiryMismatch, .luhn, .odaTamper, .cdcvmUnauthenticated,
        .limitNeedsAuthenticatedCDCVM, .cvmFromPlainData,
    ]
}

extension Trace.Match {
    /// True if the kernel's command matches the one in the trace.
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
        func list(_ messages: [Message]) -> String { messages.map { $0.description }.joined(separator: " ") }

        compare("tap", tap?.rawValue, report.tap.rawValue)
        compare("outcome", outcome?.rawValue, report.outcome.status.rawValue)
        compare("cvm", cvm?.rawValue, report.outcome.cvm.rawValue)
        compare("message", message?.description, report.outcome.uiOnOutcome.messageName)
        compare("messages", messages.map(list), list(report.messages))
        compare("apdus", apdus.map { "\($0)" }, "\(report.commands)")
        compare(
            "errorIndication", errorIndication.map { Hex.string($0) }, Hex.string(report.outcome.errorIndication.bytes))
        compareParameters(of: report.outcome, compare)
        compare("data", data, report.outcome.dataRecord)
        compare("discretionary", discretionary, report.outcome.discretionary)
        compare("findings", findings?.description, report.outcome.findings.description)
        return differences
    }

    /// Compares the outcome's parameters other than its status (Book A, Table 6-2), and its messages (Table 7-1).
    private func compareParameters(
        of outcome: Outcome, _ compare: (_ key: String, _ expected: String?, _ found: String) -> Void
    ) {
        func milliseconds(_ duration: Duration?) -> String {
            duration.map { "\($0 / .milliseconds(1))" } ?? "none"
        }
        let shown = outcome.uiOnOutcome
        compare("start", start?.name, outcome.start.name)
        compare(
            "restartMessage", restartMessage.map { $0?.description ?? "none" },
            outcome.uiOnRestart.messageName)
        compare("alternateInterface", alternateInterface?.name, outcome.alternateInterface.name)
        compare("receipt", receipt.map { "\($0)" }, "\(outcome.receipt)")
        compare(
            "removalTimeout", removalTimeout.map { "\($0)" },
            "\(Int((outcome.removalTimeout ?? .zero) / .milliseconds(100)))")
        compare("fieldOffMs", fieldOff.map(milliseconds), milliseconds(outcome.fieldOff))
        compare("holdMs", hold.map(milliseconds), milliseconds(shown?.hold))
        let qualifier: Trace.ValueQualifier = shown?.value.map { $0.qualifier == .amount ? .amount : .balance } ?? .none
        compare("valueQualifier", valueQualifier?.rawValue, qualifier.rawValue)
        compare("value", value.map { $0.map { "\($0)" } ?? "none" }, shown?.value.map { "\($0.amount)" } ?? "none")
    }
}

extension UIRequest? {
    /// `none` for a request that leaves the message unchanged.
    fileprivate var messageName: String {
        guard let message = self?.message, message != .unchanged else { return "none" }
        return message.description
    }
}
