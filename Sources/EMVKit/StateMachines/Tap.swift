// SPDX-License-Identifier: Apache-2.0
/// The state of a tap in progress, or of a parked one.
struct Tap: Sendable, Equatable {
    /// Whether the cardholder was asked to look at the phone.
    enum PhonePrompt: Sendable, Equatable {
        case none
        /// In the previous presentment.
        case before
        /// In this presentment.
        case shown
    }

    var record: TapRecord
    /// How long to wait for a card.
    var timeout: Duration?
    /// The data that the card has sent in the clear.
    var presented = Presented()
    var lastFault: LinkFault?
    /// Why the present card cannot be used; `nil` if there is no card, or it can be used.
    var held: ReaderFault?
    /// The display's current message.
    var shown: Message?
    var phonePrompt = PhonePrompt.none
    /// The minimum time for which the last message is shown.
    var hold = Duration.zero
    /// The number of presentments that ended with a request for another one.
    var announcedTaps = 0
    /// The request as the app passed it.
    var request: PaymentRequest? { asked.request }
    private let asked: TapRecord.Purpose
    /// The payment that is valid until an application is selected and the app changes the amount: the app's request, or
    /// the one that a prelude changed.
    var base: PaymentRequest? { basis.request }
    private var basis: TapRecord.Purpose
    /// The application for which the app was asked about the amount.
    var priced: Bytes?

    init(_ record: TapRecord, timeout: Duration? = nil) {
        self.record = record
        self.timeout = timeout
        asked = record.purpose
        basis = record.purpose
    }

    /// Sets another total before the kernel gets a card.
    mutating func pay(_ changed: PaymentRequest) {
        var base = changed
        base.amountChange = request?.amountChange
        record = record.paying(base)
        basis = record.purpose
    }

    var key: ReconciliationKey { record.key }

    /// The changed amount; `nil` if it is the request's amount.
    var changedAmount: Money? { record.request?.amount == request?.amount ? nil : record.request?.amount }

    /// Notes a message that is about to be shown.
    mutating func note(_ message: UIRequest) -> UIRequest {
        var request = message
        if request.message == .unchanged { request.message = shown ?? .presentCard }
        shown = request.message
        if request.message == .oneCardOnly { request.hold = max(request.hold, Tap.oneCardOnlyHold) }
        hold = request.hold
        if request.message == .seePhone { phonePrompt = .shown }
        return request
    }

    /// Returns whether the message repeats "one card only" while that is shown: the kernel requests it when two cards
    /// arrive (Book B 3.2.1.4) and again when one of them is left (3.2.1.5), with identical text.
    func repeats(_ message: UIRequest) -> Bool { message.message == .oneCardOnly && shown == .oneCardOnly }

    /// Long enough to be read, even if one of the cards is removed at once.
    static let oneCardOnlyHold = Duration.milliseconds(500)

    /// The ending for a card of a country that is not accepted. The tap ends as soon as the card names its country.
    var refusedCountry: TapOutcome? {
        guard let supported = record.supportedIssuerCountries, let country = Country(ofIssuer: presented.objects),
            !supported.countries.contains(country)
        else { return nil }
        return .unsupportedNetwork(NetworkMismatch(.issuerCountry(country), offered: presented.names))
    }

    /// Returns the ending of the tap for a kernel's outcome.
    ///
    /// - Parameter limit: the rule to name if the amount was not allowed.
    func ending(_ outcome: Outcome, limit: LimitRule, hasPINPad: Bool) -> TapOutcome {
        let ended: TapOutcome =
            switch record.purpose {
            case .payment: TapOutcome(outcome: outcome, hasPINPad: hasPINPad, limit: limit, tap: record)
            case .verification(let request):
                TapOutcome(verifying: outcome, request.reason, limit: limit, tap: record)
            }
        switch ended {
        case .success, .verified, .onlinePINRequired, .onlinePINUnavailable:
            return refusal(outcome) ?? ended
        case .unreadable(var failure):
            failure.linkFault = lastFault
            // The previous presentment also asked for the phone, and no more presentments are allowed.
            failure.deviceLocked =
                phonePrompt == .shown
                || (phonePrompt == .before && failure.reason == .tooManyTaps && lastFault == nil)
            return .unreadable(failure)
        default: return ended
        }
    }

    private func refusal(_ outcome: Outcome) -> TapOutcome? {
        guard let supported = record.supportedIssuerCountries else { return nil }
        switch CardSummary(outcome, record.presented).issuerCountry {
        case let country? where !supported.countries.contains(country):
            return .unsupportedNetwork(NetworkMismatch(.issuerCountry(country), offered: presented.names))
        case nil where supported.unknown == .refuse:
            return .unsupportedNetwork(NetworkMismatch(.issuerCountryUnknown, offered: presented.names))
        default: return nil
        }
    }
}

/// A tap whose kernel reached an outcome and waits for the issuer's answer or a PIN (Start B or D).
struct ParkedTap: Sendable, Equatable {
    var tap: Tap
    let status: Outcome.Status
    let onlineResponse: Outcome.OnlineResponse
    /// The field stays on: the card may stay until the issuer has answered (Book A, Table 6-2).
    let keepsField: Bool
    /// The removal time-out passed before the answer came (Book A 8.1.1.21).
    var removalTimedOut = false

    var key: ReconciliationKey { tap.key }

    /// Returns whether the kernel continues with this answer; `nil` means that no answer came (Book A 8.1.1.22,
    /// 8.1.1.24).
    func goesOn(with data: DataObjects?) -> Bool {
        switch onlineResponse {
        case .any: true
        case .emvData: [Tag(integerLiteral: 0x91), 0x71, 0x72].contains { data?[$0] != nil }
        case .notApplicable: false
        }
    }
}

/// A kernel that is running on a tap.
struct KernelRun: Sendable, Equatable {
    enum Purpose: Sendable, Equatable {
        /// A read, or its completion: the kernel's outcome ends the tap.
        case tap
        /// The kernel receives the result of the online request.
        indirect case issuer(Conversation, OnlineResult)
    }

    var tap: Tap
    let purpose: Purpose
    /// Messages of the last step, held until the events that they announce are journalled.
    var held: [UIRequest] = []
    /// With a journal, the approval is written to it and may be shown.
    var isApprovalWritten = false

    var isOfTap: Bool { if case .tap = purpose { true } else { false } }
}

/// A kernel that has ended, or was abandoned.
struct KernelEnd: Sendable, Equatable {
    var run: KernelRun
    var outcome: TapOutcome
    /// The kernel's own outcome; `nil` if it reached no outcome.
    let kernel: Outcome?
    let isParked: Bool
    let keepsField: Bool
}
