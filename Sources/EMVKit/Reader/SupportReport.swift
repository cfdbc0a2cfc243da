// SPDX-License-Identifier: Apache-2.0
/// What support needs to know of a tap that went wrong: codes, states and versions, and nothing of the card or the
/// cardholder.
public struct SupportReport: Sendable, Hashable, Codable {
    public struct Entry: Sendable, Hashable, Codable {
        public let code: Problem.Code
        public let field: Problem.Field
        public let detail: String?
        public let helpAnchor: String
    }

    /// Word of the outcome.
    public let tap: TapName
    /// Word of the authorisation, where there was one.
    public let authorization: AuthorizationName?
    /// Word of what came of it later, where a ``Settlement`` has told.
    public let settlement: SettledName?
    /// In order, each followed by what led to it.
    public let problems: [Entry]
    /// Error indication (DF8115) in hex, and findings; of the kernel, where it had the last word.
    public let errorIndication: String?
    public let findings: [String]
    /// For the host to find the payment by.
    public let key: ReconciliationKey?
    /// `2026-11-21T12:00:00`, of the tap.
    public let moment: String?

    public init(_ outcome: TapOutcome, authorization: AuthorizationResult? = nil, settled: Settled? = nil) {
        var tap: TapRecord?
        var kernel: (error: ErrorIndication, findings: Findings)?
        switch outcome {
        case .success(let read), .declined(let read), .onlinePINRequired(let read):
            tap = read.tap
            kernel = (read.outcome.errorIndication, read.outcome.findings)
        case .verified(let card):
            tap = card.tap
            kernel = (card.outcome.errorIndication, card.outcome.findings)
        case .onlinePINUnavailable(let fallback): tap = fallback.tap
        case .unreadable(let failure): kernel = (failure.errorIndication, failure.findings)
        case .unsupportedNetwork, .limitExceeded, .tryAnotherInterface, .cancelled, .failed: break
        }
        self.tap = outcome.name
        self.authorization = authorization?.name
        settlement = settled?.ending.name
        problems = SupportReport.entries(outcome.problems + (authorization?.problems ?? []))
        errorIndication = kernel.map { Hex.string($0.error.bytes) }
        findings = kernel?.findings.names ?? []
        key = tap?.key
        moment = tap.map { "\($0.moment.date)T\($0.moment.time)" }
    }

    private static func entries(_ problems: [Problem]) -> [Entry] {
        var rest = problems
        var entries: [Entry] = []
        while !rest.isEmpty {
            let problem = rest.removeFirst()
            entries.append(
                Entry(code: problem.code, field: problem.field, detail: problem.detail, helpAnchor: problem.helpAnchor))
            rest = problem.underlying + rest
        }
        return entries
    }
}
