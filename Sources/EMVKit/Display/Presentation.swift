// SPDX-License-Identifier: Apache-2.0
/// Where and how an ending is shown: a pure function of what came of a payment, of a problem and of the field it is
/// shown at.
///
/// | outcome | problem | headline | ends the session | alert |
/// |---|---|---|---|---|
/// | approved, verified | none | its own | yes | no |
/// | approved, verified | any | unknown: a success has no problem, so one of the two is wrong | no | yes |
/// | accepted | none | its own | yes | no |
/// | authorising | none | its own | no | no |
/// | PIN required | none | PIN required | no | no |
/// | unknown | any or none | unknown | no | yes |
/// | a failure | none | declined or not completed | yes | no |
/// | a failure | result unknown | unknown | no | yes |
/// | a failure | for the merchant only | declined, and nothing else | yes | no |
/// | a failure | fatal | declined, set-up required or not completed | yes | some |
/// | a failure | recoverable | what resolves it first | no | some |
///
/// Where outcome and problem disagree, the problem wins, being the more precise; but nothing wins over *unknown*,
/// because money may have moved. The field decides the region; a problem without one is shown at the status.
public struct Presentation: Sendable, Hashable {
    /// What is to be shown.
    public enum Ending: String, Sendable, Hashable, CaseIterable {
        case approved
        /// Approved once the receipt is signed.
        case approvedWithSignature
        /// A card read without an amount.
        case verified
        /// Accepted at the merchant's risk: not an approval.
        case accepted
        case authorizing
        case declined, unreadable, unsupportedNetwork, limitExceeded, pinRequired, pinUnavailable, tryAnotherInterface
        case cancelled, failed
        /// Neither an answer nor a confirmed reversal.
        case unknown
    }

    /// A part of the POS's screen.
    public enum Region: String, Sendable, Hashable, CaseIterable {
        case amount, card, pin, status
        /// Where the next step is chosen.
        case action
    }

    public let headline: TextKey
    /// What exactly is wrong; `nil` where nothing is, or where the customer is not told.
    public let detail: TextKey?
    public let region: Region
    /// The payment is over; otherwise the POS stays on this screen and offers what comes next.
    public let endsSession: Bool
    /// To be confirmed by a person, besides being shown.
    public let alert: Bool

    /// - Parameter field: where the problem is shown; `nil`: the app has no place for its field.
    public init(_ ending: Ending, problem: Problem? = nil, field: Problem.Field? = nil) {
        if ending == .unknown || problem?.code == .reversalFailed || problem != nil && ending.isSuccess {
            self.init("unknown", detail: problem, .action, ends: false, alert: true)
        } else if let problem {
            self.init(problem, ending, Region(field))
        } else {
            self.init(
                ending.headline, detail: nil, ending == .pinRequired ? .pin : .status, ends: ending.endsAlone,
                alert: false)
        }
    }

    private init(_ problem: Problem, _ ending: Ending, _ region: Region) {
        if problem.audience == .merchant {
            self.init("declined", detail: nil, .status, ends: true, alert: false)
            return
        }
        let alert = Presentation.alerts.contains(problem.code)
        switch problem.severity {
        case .fatal:
            self.init(Presentation.fatal(problem, ending), detail: problem, region, ends: true, alert: alert)
        case .recoverable(let actions):
            self.init(actions.first?.headline ?? "notCompleted", detail: problem, region, ends: false, alert: alert)
        }
    }

    private init(_ headline: String, detail: Problem?, _ region: Region, ends: Bool, alert: Bool) {
        self.headline = TextKey("headline.\(headline)")
        self.detail = detail.flatMap { $0.audience == .everyone ? $0.textKey : nil }
        self.region = region
        endsSession = ends
        self.alert = alert
    }

    /// Refusals say so; what keeps the POS from working at all asks for its set-up.
    private static func fatal(_ problem: Problem, _ ending: Ending) -> String {
        switch problem.field {
        case .configuration, .enrollment: "setUp"
        case .authorizer: "declined"
        default: ending == .declined || problem.code == .cardDeclined ? "declined" : "notCompleted"
        }
    }

    /// What a merchant could overlook in a region of the screen: the next customer would meet it again.
    private static let alerts: Set<Problem.Code> = [
        .networkUnsupported, .issuerCountryUnsupported, .issuerCountryUnknown, .readerDetached, .kernelDefect,
        .configurationInvalid, .configurationExpired, .enrollmentRevoked, .enrollmentSignatureInvalid,
    ]
}

extension Presentation.Region {
    init(_ field: Problem.Field?) {
        self =
            switch field {
            case .amount: .amount
            case .card, .network, .loyalty: .card
            case .pin: .pin
            case .reader, .configuration, .enrollment, .authorizer, .journal, nil: .status
            }
    }
}

extension Presentation.Ending {
    fileprivate var isSuccess: Bool {
        switch self {
        case .approved, .approvedWithSignature, .verified: true
        default: false
        }
    }

    fileprivate var endsAlone: Bool {
        switch self {
        case .authorizing, .pinRequired, .unknown: false
        default: true
        }
    }

    fileprivate var headline: String {
        switch self {
        case .approved: "approved"
        case .approvedWithSignature: "signature"
        case .accepted: "accepted"
        case .verified: "verified"
        case .authorizing: "authorizing"
        case .declined: "declined"
        case .pinRequired: "pin"
        case .unknown: "unknown"
        case .unreadable, .unsupportedNetwork, .limitExceeded, .pinUnavailable, .tryAnotherInterface, .cancelled,
            .failed:
            "notCompleted"
        }
    }
}

extension Alternative {
    fileprivate var headline: String {
        switch self {
        case .retry: "again"
        case .anotherCard: "otherCard"
        case .otherInterface: "otherInterface"
        case .enterPIN: "pin"
        case .waitAndRetry: "wait"
        case .askHost: "unknown"
        case .checkReader: "reader"
        case .correctRequest: "request"
        case .administrator, .update: "setUp"
        case .cash, .paymentLink, .help: "notCompleted"
        }
    }

    /// The text of a button.
    public var textKey: TextKey {
        let name =
            switch self {
            case .retry: "retry"
            case .anotherCard: "anotherCard"
            case .otherInterface(let interface): "otherInterface.\(interface.rawValue)"
            case .enterPIN: "enterPIN"
            case .waitAndRetry: "waitAndRetry"
            case .askHost: "askHost"
            case .checkReader: "checkReader"
            case .correctRequest: "correctRequest"
            case .administrator: "administrator"
            case .update: "update"
            case .cash: "cash"
            case .paymentLink: "paymentLink"
            case .help: "help"
            }
        return TextKey("alternative.\(name)")
    }
}

extension Presentation {
    /// How a tap's ending is shown, with its decisive problem at its own field.
    public init(_ outcome: TapOutcome) {
        let problem = outcome.problems.first
        self.init(Ending(outcome), problem: problem, field: problem?.field)
    }

    /// How an authorisation's ending is shown, with its decisive problem at its own field.
    ///
    /// - Parameter read: what was authorised: it says whether a receipt has to be signed.
    public init(_ result: AuthorizationResult, of read: CardRead) {
        let problem = result.problems.first
        self.init(Ending(result, read), problem: problem, field: problem?.field)
    }
}

extension Presentation.Ending {
    public init(_ outcome: TapOutcome) {
        self =
            switch outcome {
            case .success(let read) where read.authorization == .approvedOffline:
                read.cvm == .signature ? .approvedWithSignature : .approved
            case .success: .authorizing
            case .verified: .verified
            case .declined: .declined
            case .unreadable: .unreadable
            case .unsupportedNetwork: .unsupportedNetwork
            case .limitExceeded: .limitExceeded
            case .onlinePINRequired: .pinRequired
            case .onlinePINUnavailable: .pinUnavailable
            case .tryAnotherInterface: .tryAnotherInterface
            case .cancelled: .cancelled
            case .failed: .failed
            }
    }

    public init(_ result: AuthorizationResult, _ read: CardRead) {
        self =
            switch result {
            case .approved: read.cvm == .signature ? .approvedWithSignature : .approved
            case .accepted: .accepted
            case .declined: .declined
            case .pinRequested: .pinRequired
            case .failed: .failed
            case .unknown: .unknown
            }
    }
}
