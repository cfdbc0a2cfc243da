// SPDX-License-Identifier: Apache-2.0
/// The data that support needs about a failed tap: codes, states and versions, and nothing of the card or the
/// cardholder.
public struct SupportReport: Sendable, Hashable, Codable {
    public struct Entry: Sendable, Hashable, Codable {
        public let code: Problem.Code
        /// The name of a cause that the app defined; `nil` if the code identifies the cause.
        public let name: String?
        public let field: Problem.Field
        public let detail: String?
        public let helpAnchor: String
    }

    /// The name of the tap's outcome.
    public let tap: TapName
    /// The name of the authorisation's result, if there was an authorisation.
    public let authorization: AuthorizationName?
    /// The name of the later result, if a ``Settlement`` has reported one.
    public let settlement: Settled.Name?
    /// The problems in order, each followed by its causes.
    public let problems: [Entry]
    /// Error indication (DF8115) in hex, and the findings of the kernel, if the kernel decided the outcome.
    public let errorIndication: String?
    public let findings: [String]
    /// The key by which the host can find the payment.
    public let key: ReconciliationKey?
    /// The time of the tap, such as `2026-11-21T12:00:00`.
    public let moment: String?
    /// The version of EMVKit, and the app's if it gave one.
    public let versions: [String]
    /// The name of the reader, as its transport reports it.
    public let reader: String?
    /// The configuration's own version; `nil` if it has no version.
    public let configurationVersion: String?
    /// ``Configuration/fingerprint``.
    public let configuration: String?

    /// The version of EMVKit, here and in the first heading of CHANGELOG.
    public static let libraryVersion = "EMVKit 1.0.0-rc.1"

    /// Creates a report. ``TapReader/supportReport(_:authorization:settled:version:)`` also adds the reader and its
    /// last tap.
    ///
    /// - Parameters:
    ///   - outcome: the outcome of the tap.
    ///   - authorization: the result of its authorisation, if there was one.
    ///   - settled: the result that ``Settlement`` reported later, if any.
    ///   - record: the tap of the outcome, if the outcome does not contain it.
    ///   - version: name and version of the app.
    ///   - reader: its name.
    ///   - configuration: that of the reader, if the tap does not state which one it used.
    public init(
        _ outcome: TapOutcome, authorization: AuthorizationResult? = nil, settled: Settled? = nil,
        tap record: TapRecord? = nil, version: String? = nil, reader: String? = nil, configuration: Configuration? = nil
    ) {
        versions = [SupportReport.libraryVersion] + (version.map { [$0] } ?? [])
        self.reader = reader
        var tap = record
        var kernel: (error: ErrorIndication, findings: Findings)?
        switch outcome {
        case .success(let read), .declined(let read), .onlinePINRequired(let read):
            tap = read.tap ?? record
            kernel = (read.outcome.errorIndication, read.outcome.findings)
        case .verified(let card):
            tap = card.tap
            kernel = (card.outcome.errorIndication, card.outcome.findings)
        case .onlinePINUnavailable(let fallback): tap = fallback.tap ?? record
        case .unreadable(let failure): kernel = (failure.errorIndication, failure.findings)
        case .unsupportedNetwork, .limitExceeded, .tryAnotherInterface, .cancelled, .failed: break
        }
        // A reader may have adopted another configuration since.
        let identity = tap?.configuration ?? configuration.map { Configuration.Identity($0) }
        configurationVersion = identity?.version
        self.configuration = identity?.fingerprint
        self.tap = outcome.name
        self.authorization = authorization?.name
        settlement = settled?.ending.name
        problems = SupportReport.entries(outcome.problems + (authorization?.problems ?? []))
        errorIndication = kernel.map { Hex.string($0.error.bytes) }
        findings = kernel?.findings.names ?? []
        key = tap?.key
        moment = tap.map { "\($0.moment.date)T\($0.moment.time)" }
    }

    /// Creates a report of a charge that has ended.
    public init(
        _ result: ChargeResult, settled: Settled? = nil, tap record: TapRecord? = nil, version: String? = nil,
        reader: String? = nil, configuration: Configuration? = nil
    ) {
        let outcome: TapOutcome =
            switch result.ending {
            case .notRead(let outcome): outcome
            case .declined(_, let read) where read.authorization == .declined: .declined(read)
            case .approved(_, let read), .accepted(_, let read), .declined(_, let read), .pinRequested(_, let read),
                .failed(_, let read), .reversed(_, let read), .unknown(_, let read):
                .success(read)
            case .keyUsed, .saleSettled, .saleOpen, .running: .failed(.invalid(result.problems))
            }
        self.init(
            outcome, authorization: result.authorization, settled: settled, tap: record, version: version,
            reader: reader, configuration: configuration)
    }

    private static func entries(_ problems: [Problem]) -> [Entry] {
        var rest = problems
        var entries: [Entry] = []
        while !rest.isEmpty {
            let problem = rest.removeFirst()
            entries.append(
                Entry(
                    code: problem.code, name: problem.name == problem.code.rawValue ? nil : problem.name,
                    field: problem.field, detail: problem.detail, helpAnchor: problem.helpAnchor))
            rest = problem.underlying + rest
        }
        return entries
    }
}
