// SPDX-License-Identifier: Apache-2.0
/// Why a reader could not be prepared.
public enum PrepareError: Error, Sendable, Hashable {
    case configuration(ConfigurationError)
    /// The last day on which the configuration may be used has passed.
    case configurationExpired(CalendarDate)
    /// Registered application providers (5 bytes) whose cards approve offline here, but that have no authority key.
    case caKeysMissing([Bytes])
    /// The merchant has not accepted the current terms.
    case enrollment(EnrollmentStatus)
    case reader(ReaderFault)
    /// The journal of the options cannot be opened; without it no payment is accepted.
    case journal(JournalError)
    /// ``TapReader/Options/offline`` needs a journal, a sealer and fingerprints.
    case offlineUnjournaled
    /// ``TapReader/Options/offline`` needs an authoriser that delivers accepted payments (``DeliveringAuthorizer``).
    case offlineUndelivered
    /// A tap is in progress.
    case busy
    case cancelled
}

extension PrepareError {
    /// The problems in order, the decisive one first; never empty.
    public var problems: [Problem] {
        switch self {
        case .configuration(let error): [Problem(.configurationInvalid, detail: error.description)]
        case .configurationExpired(let day): [Problem(.configurationExpired, detail: "last day \(day)")]
        case .caKeysMissing(let providers):
            [Problem(.caKeysMissing, detail: providers.map { Hex.string($0) }.joined(separator: ", "))]
        case .enrollment(let status): status.problems.isEmpty ? [Problem(.enrollmentRequired)] : status.problems
        case .reader(let fault): [fault.problem]
        case .journal(let error): [error.problem]
        case .offlineUnjournaled, .offlineUndelivered: [Problem(.configurationInvalid, detail: description)]
        case .busy: [Problem(.readerBusy)]
        case .cancelled: [Problem(.preparationCancelled)]
        }
    }
}

extension PrepareError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .configuration(let error): error.description
        case .configurationExpired(let day): "The configuration expired: its last day was \(day)"
        case .caKeysMissing(let providers):
            "The configuration has no authority key of \(providers.map { Hex.string($0) }.joined(separator: ", "))"
        case .enrollment(.unanswered): "Whether the merchant has accepted the terms was not answered in time"
        case .enrollment: "The merchant has not accepted the present terms"
        case .reader(let fault): fault.description
        case .journal(let error): error.description
        case .offlineUnjournaled:
            "Payments offline need a journal, a sealer and fingerprints; the options of the reader lack one of them"
        case .offlineUndelivered: "Payments offline need a DeliveringAuthorizer; this authoriser delivers nothing"
        case .busy: "A tap is under way on this reader"
        case .cancelled: "The preparation was cancelled"
        }
    }
}

extension ReaderFault {
    public var problem: Problem {
        let code: Problem.Code =
            switch self.code {
            case .noReader: .readerMissing
            case .noService: .readerServiceMissing
            case .inUse: .readerInUse
            case .unsupported: .readerUnsupported
            case .failed: .readerFailed
            }
        return Problem(code, detail: explanation)
    }
}

extension PrepareError: ExplainedError {
    /// The suggestion of the decisive problem.
    public var recoverySuggestion: String { (problems.first ?? Problem(.notPrepared)).recoverySuggestion }
}
