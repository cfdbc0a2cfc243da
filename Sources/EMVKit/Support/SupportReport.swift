// SPDX-License-Identifier: Apache-2.0
/// What support needs to know of a tap that went wrong: codes, states and versions, and nothing of the card or the
/// cardholder.
public struct SupportReport: Sendable, Hashable, Codable {
    public struct Entry: Sendable, Hashable, Codable {
        public let code: Problem.Code
        /// Of a cause of the app's own; `nil`: the code says it.
        public let name: String?
        public let field: Problem.Field
        public let detail: String?
        public let helpAnchor: String
    }

    /// Word of the outcome.
    public let tap: TapName
    /// Word of the authorisation, where there was one.
    public let authorization: AuthorizationName?
    /// Word of what came of it later, where a ``Settlement`` has told.
    public let settlement: Settled.Name?
    /// In order, each followed by what led to it.
    public let problems: [Entry]
    /// Error indication (DF8115) in hex, and findings; of the kernel, where it had the last word.
    public let errorIndication: String?
    public let findings: [String]
    /// For the host to find the payment by.
    public let key: ReconciliationKey?
    /// `2026-11-21T12:00:00`, of the tap.
    public let moment: String?
    /// Version of EMVKit, and of the app where it gave one.
    public let versions: [String]
    /// Name of the reader, as its transport knows it.
    public let reader: String?
    /// The configuration's own version; `nil`: it has none.
    public let configurationVersion: String?
    /// ``Configuration/fingerprint``.
    public let configuration: String?

    /// The version of EMVKit: here, and in the first heading of CHANGELOG.
    public static let libraryVersion = "EMVKit 1.0.0-rc.1"

    /// ``TapReader/supportReport(_:authorization:settled:version:)`` knows the reader and its last tap, too.
    ///
    /// - Parameters:
    ///   - tap: of which the outcome is, where that does not know it.
    ///   - version: name and version of the app.
    ///   - reader: its name.
    ///   - configuration: that of the reader, where the tap does not say which one it was taken with.
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
        // A reader may have adopted another one since.
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

    /// Of a charge that came to its end.
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
