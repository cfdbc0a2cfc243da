// SPDX-License-Identifier: Apache-2.0
/// The result of a payment as a screen shows it: a pure function of the payment's ending, the problem and the field
/// where the problem is shown. The order on the screen: ``mark``, ``headline``, ``total``, the details of the problem,
/// ``options``.
///
/// | outcome | problem | headline | ends the session | alert |
/// |---|---|---|---|---|
/// | approved, verified | none | its own | yes | no |
/// | approved, verified | any | unknown: a success has no problem, so one of the two is wrong | no | yes |
/// | approved in part | none | its own | no | yes |
/// | accepted | none | its own | yes | no |
/// | authorising | none | its own | no | no |
/// | PIN required | none | PIN required | no | no |
/// | unknown | any or none | unknown | no | yes |
/// | already paid | any or none | already paid | yes | yes |
/// | a failure | the sale is paid | already paid | yes | yes |
/// | a failure | none | declined or not completed | yes | no |
/// | a failure | result unknown, sale open, key used | unknown | no | yes |
/// | a failure | for the merchant only | declined, without details | yes | no |
/// | declined | fatal or recoverable | declined | if fatal | some |
/// | a failure | fatal | declined, set-up required or not completed | yes | some |
/// | a failure | recoverable | that of its first alternative; not completed if that is a new try | no | some |
///
/// If outcome and problem disagree, the problem wins, because it is more precise. Nothing overrides *unknown*, because
/// money may have moved. The problem's field decides the region; a problem without a field is shown at the status.
///
/// No headline asks for a card, because the reader does not poll while a result is shown. ``message`` is the text that
/// the cardholder's display shows at this time; the two never contradict each other.
public struct Presentation: Sendable, Hashable {
    /// The ending of the payment that is shown.
    public enum Ending: String, Sendable, Hashable, CaseIterable {
        case approved
        /// Approved once the receipt is signed.
        case approvedWithSignature
        /// A part is approved; the rest remains to be paid.
        case approvedInPart
        /// A card read without an amount.
        case verified
        /// Accepted at the merchant's risk: not an approval.
        case accepted
        case authorizing
        case declined, unreadable, unsupportedNetwork, limitExceeded, pinRequired, pinUnavailable, tryAnotherInterface
        case cancelled, failed
        /// The order was paid before: this call charged nothing.
        case alreadyPaid
        /// Neither an answer nor a confirmed reversal.
        case unknown
    }

    /// The symbol by which people recognise a result without reading it.
    public enum Mark: String, Sendable, Hashable, CaseIterable {
        case completed
        /// Certainly not approved, but nobody refused it.
        case notCompleted
        /// The card or the issuer refused.
        case declined
    }

    /// The person who has to act now. It decides where people look for the result: on the cardholder's display, or on
    /// the merchant's screen, where ``alert`` marks results that could be overlooked.
    public enum Party: String, Sendable, Hashable, CaseIterable {
        case customer, merchant, nobody
    }

    /// A part of the POS's screen.
    public enum Region: String, Sendable, Hashable, CaseIterable {
        case amount, card, pin, status
        /// The place where the next step is chosen.
        case action
    }

    /// `nil`: nothing is decided yet (authorisation in progress, PIN required), a part remains to be paid, or the
    /// result is not known.
    public let mark: Mark?
    public let headline: TextKey
    /// The amount that is paid or was requested; for a partial approval, the approved amount. `nil` if it is not known.
    public let total: Money?
    /// The amount that remains to be paid after a partial approval; otherwise `nil`.
    public let rest: Money?
    /// The exact problem; `nil` if there is no problem, or if the customer is not informed of it.
    public let detail: TextKey?
    /// The problem in the words of the host or the app, if they supplied a text (``Problem/message``): shown instead of
    /// ``detail``.
    public let hostMessage: PromptText?
    /// The possible next steps, the most promising first.
    public let options: [Alternative]
    /// Who acts next.
    public let party: Party
    public let region: Region
    /// The payment is over; otherwise the POS stays on this screen and offers the next steps.
    public let endsSession: Bool
    /// A person must confirm it, in addition to its being shown.
    public let alert: Bool
    /// The message on the cardholder's display at this time.
    public let message: Message

    /// - Parameters:
    ///   - field: where the problem is shown; `nil`: the app has no place for its field.
    ///   - total: the amount that is paid or was requested.
    ///   - rest: the amount that remains to be paid after a partial approval.
    public init(
        _ ending: Ending, problem: Problem? = nil, field: Problem.Field? = nil, total: Money? = nil, rest: Money? = nil
    ) {
        self.init(ending, problem, field: field, options: nil, total: total, rest: rest)
    }

    /// - Parameters:
    ///   - options: the options of all problems; `nil`: those of this problem.
    ///   - isSigned: the receipt has to be signed, even for a partial approval.
    package init(
        _ ending: Ending, _ problem: Problem?, field: Problem.Field?, options: [Alternative]?, total: Money?,
        rest: Money? = nil, isSigned: Bool = false
    ) {
        let look = Look(ending, problem, Region(field))
        headline = look.headline.key
        mark = look.headline.mark
        message = look.headline == .part && isSigned ? .approvedSign : look.headline.message(ending)
        region = look.region
        endsSession = look.ends
        alert = look.alert
        detail = look.isDetailed ? problem.flatMap { $0.audience == .everyone ? $0.textKey : nil } : nil
        hostMessage = look.isDetailed ? problem.flatMap { $0.audience == .everyone ? $0.message : nil } : nil
        self.options = options ?? problem?.alternatives ?? ending.usualOptions
        party = look.headline.party(problem, ending)
        self.total = total
        self.rest = rest
    }

    /// Returns true if a message agrees with this headline or does not contradict it.
    package func agrees(with message: Message) -> Bool { Headline(headline).map { $0.agrees(with: message) } ?? false }

    /// Problems that a merchant could overlook in a region of the screen, so that the next customer would run into them
    /// too.
    fileprivate static let alerts: Set<Problem.Code> = [
        .networkUnsupported, .issuerCountryUnsupported, .issuerCountryUnknown, .readerDetached, .kernelDefect,
        .configurationInvalid, .configurationExpired, .enrollmentRevoked, .enrollmentSignatureInvalid,
    ]
}

/// All headlines of results.
private enum Headline: CaseIterable {
    case approved, signature, part, accepted, verified, authorizing, declined, notCompleted, otherCard, otherInterface
    case insertCard, pin, wait, request, reader, setUp, alreadyPaid, unknown

    init?(_ key: TextKey) {
        guard let headline = Headline.allCases.first(where: { $0.key == key }) else { return nil }
        self = headline
    }

    /// The headline for the action that resolves a problem first. A new try is not a headline: it would make people
    /// hold the card to a reader that is not polling.
    init(_ action: Alternative?) {
        self =
            switch action {
            case .retry, .startAgain, .payRest, .cash, .paymentLink, .help, nil: .notCompleted
            case .anotherCard: .otherCard
            case .otherInterface(.chip): .insertCard
            case .otherInterface(.swipe), .otherInterface(.chipOrSwipe): .otherInterface
            case .enterPIN: .pin
            case .waitAndRetry: .wait
            case .askHost: .unknown
            case .checkReader: .reader
            case .correctRequest: .request
            case .administrator, .update: .setUp
            }
    }

    var key: TextKey {
        switch self {
        case .approved: TextKey("headline.approved")
        case .signature: TextKey("headline.signature")
        case .part: TextKey("headline.part")
        case .accepted: TextKey("headline.accepted")
        case .verified: TextKey("headline.verified")
        case .authorizing: TextKey("headline.authorizing")
        case .declined: TextKey("headline.declined")
        case .notCompleted: TextKey("headline.notCompleted")
        case .otherCard: TextKey("headline.otherCard")
        case .otherInterface: TextKey("headline.otherInterface")
        case .insertCard: Alternative.otherInterface(.chip).textKey
        case .pin: TextKey("headline.pin")
        case .wait: TextKey("headline.wait")
        case .request: TextKey("headline.request")
        case .reader: TextKey("headline.reader")
        case .setUp: TextKey("headline.setUp")
        case .alreadyPaid: Problem(.saleSettled).textKey
        case .unknown: TextKey("headline.unknown")
        }
    }

    var mark: Presentation.Mark? {
        switch self {
        case .approved, .signature, .accepted, .verified: .completed
        case .declined: .declined
        case .part, .authorizing, .pin, .alreadyPaid, .unknown: nil
        case .notCompleted, .otherCard, .otherInterface, .insertCard, .wait, .request, .reader, .setUp: .notCompleted
        }
    }

    func message(_ ending: Presentation.Ending) -> Message {
        switch self {
        case .approved, .part: .approved
        case .signature: .approvedSign
        case .accepted, .authorizing: .authorising
        case .verified: .cardReadOK
        case .declined: .notAuthorised
        case .pin: .enterPIN
        case .otherCard: .tryAnotherCard
        case .otherInterface: .insertOrSwipe
        case .insertCard: .insertCard
        case .notCompleted where ending == .unreadable: .tryAnotherCard
        case .notCompleted, .reader, .wait, .request, .setUp:
            ending == .cancelled ? .clearDisplay : .processingError
        case .alreadyPaid: .clearDisplay
        case .unknown: .processingError
        }
    }

    func agrees(with message: Message) -> Bool {
        switch self {
        case .approved: [.approved, .cardReadOK, .removeCard].contains(message)
        case .signature: message == .approvedSign
        case .part: [.approved, .approvedSign, .cardReadOK, .removeCard].contains(message)
        case .accepted, .authorizing: [.authorising, .processing, .cardReadOK, .removeCard].contains(message)
        case .verified: [.cardReadOK, .removeCard].contains(message)
        case .declined: message == .notAuthorised
        case .pin: message == .enterPIN
        case .otherCard: [.tryAnotherCard, .processingError, .clearDisplay].contains(message)
        case .otherInterface: [.insertOrSwipe, .insertCard, .tryAnotherCard].contains(message)
        case .insertCard: [.insertCard, .insertOrSwipe, .tryAnotherCard].contains(message)
        case .notCompleted: [.tryAnotherCard, .processingError, .clearDisplay].contains(message)
        case .wait, .request, .reader, .setUp, .alreadyPaid, .unknown:
            [.processingError, .clearDisplay].contains(message)
        }
    }

    /// - Parameter problem: the problem under this headline, if any.
    func party(_ problem: Problem?, _ ending: Presentation.Ending) -> Presentation.Party {
        switch self {
        case .approved, .accepted, .verified, .authorizing: .nobody
        case .signature, .pin, .otherCard, .otherInterface, .insertCard: .customer
        case .part, .wait, .request, .reader, .setUp, .alreadyPaid, .unknown: .merchant
        case .declined, .notCompleted:
            switch problem?.alternatives.first {
            case .anotherCard, .otherInterface, .enterPIN, .cash, .paymentLink: .customer
            // A card has to be held better; in all other cases the merchant acts first.
            case .retry: [.card, .network, .pin].contains(problem?.field) ? .customer : .merchant
            case .startAgain, .payRest, .waitAndRetry, .askHost, .checkReader, .correctRequest, .administrator, .update,
                .help:
                .merchant
            case nil: ending == .declined ? .customer : .nobody
            }
        }
    }
}

/// The appearance of an ending, before texts are chosen.
private struct Look {
    let headline: Headline
    let region: Presentation.Region
    let ends: Bool
    let alert: Bool
    var isDetailed = true

    init(_ ending: Presentation.Ending, _ problem: Problem?, _ field: Presentation.Region) {
        if ending == .unknown || problem.map({ Look.open.contains($0.code) }) == true
            || problem != nil && ending.isSuccess
        {
            self.init(.unknown, .action, ends: false, alert: true)
        } else if ending == .alreadyPaid || problem?.code == .saleSettled {
            self.init(.alreadyPaid, .status, ends: true, alert: true)
            isDetailed = false
        } else if let problem {
            self.init(problem, ending, field)
        } else {
            let region: Presentation.Region =
                switch ending {
                case .pinRequired: .pin
                case .approvedInPart: .action
                default: .status
                }
            self.init(ending.headline, region, ends: ending.endsAlone, alert: ending == .approvedInPart)
        }
    }

    /// A payment may be booked: this one, or an earlier one with this key or for this sale.
    private static let open: Set<Problem.Code> = [.reversalFailed, .saleOpen, .keyUsed]

    private init(_ problem: Problem, _ ending: Presentation.Ending, _ field: Presentation.Region) {
        if problem.audience == .merchant {
            self.init(.declined, .status, ends: true, alert: false)
            isDetailed = false
            return
        }
        let alert = Presentation.alerts.contains(problem.code)
        switch problem.severity {
        case .fatal: self.init(Look.fatal(problem, ending), field, ends: true, alert: alert)
        case .recoverable(let actions):
            let headline = ending == .declined ? .declined : Headline(actions.first)
            self.init(headline, field, ends: false, alert: alert)
        }
    }

    private init(_ headline: Headline, _ region: Presentation.Region, ends: Bool, alert: Bool) {
        self.headline = headline
        self.region = region
        self.ends = ends
        self.alert = alert
    }

    /// Refusals are shown as such; a problem that keeps the POS from working at all asks for its set-up.
    private static func fatal(_ problem: Problem, _ ending: Presentation.Ending) -> Headline {
        switch problem.field {
        case _ where ending == .declined: .declined
        case .configuration, .enrollment: .setUp
        case .authorizer: .declined
        default: problem.code == .cardDeclined ? .declined : .notCompleted
        }
    }
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
        case .approved, .approvedWithSignature, .approvedInPart, .verified: true
        default: false
        }
    }

    fileprivate var endsAlone: Bool {
        switch self {
        case .approvedInPart, .authorizing, .pinRequired, .unknown: false
        default: true
        }
    }

    fileprivate var headline: Headline {
        switch self {
        case .approved: .approved
        case .approvedWithSignature: .signature
        case .approvedInPart: .part
        case .accepted: .accepted
        case .verified: .verified
        case .authorizing: .authorizing
        case .declined: .declined
        case .pinRequired: .pin
        case .alreadyPaid: .alreadyPaid
        case .unknown: .unknown
        case .unreadable, .unsupportedNetwork, .limitExceeded, .pinUnavailable, .tryAnotherInterface, .cancelled,
            .failed:
            .notCompleted
        }
    }

    /// The options of an ending without a problem.
    fileprivate var usualOptions: [Alternative] {
        switch self {
        case .approved, .approvedWithSignature, .verified, .accepted, .authorizing: []
        case .approvedInPart: [.payRest]
        case .pinRequired: Problem(.pinRequired).alternatives
        case .alreadyPaid: Problem(.saleSettled).alternatives
        case .unknown: Problem(.reversalFailed).alternatives
        case .declined, .unreadable, .unsupportedNetwork, .limitExceeded, .pinUnavailable, .tryAnotherInterface,
            .cancelled, .failed:
            Alternative.inOrder([])
        }
    }
}

extension Alternative {
    /// The text of a button.
    public var textKey: TextKey {
        let name =
            switch self {
            case .retry: "retry"
            case .startAgain: "startAgain"
            case .anotherCard: "anotherCard"
            case .otherInterface(let interface): "otherInterface.\(interface.rawValue)"
            case .enterPIN: "enterPIN"
            case .waitAndRetry: "waitAndRetry"
            case .askHost: "askHost"
            case .checkReader: "checkReader"
            case .correctRequest: "correctRequest"
            case .administrator: "administrator"
            case .update: "update"
            case .payRest: "payRest"
            case .cash: "cash"
            case .paymentLink: "paymentLink"
            case .help: "help"
            }
        return TextKey("alternative.\(name)")
    }
}
