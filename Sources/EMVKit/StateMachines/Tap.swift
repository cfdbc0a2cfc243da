// SPDX-License-Identifier: Apache-2.0
/// What is known of a tap under way, or of a parked one.
struct Tap: Sendable, Equatable {
    /// Whether the cardholder was sent to the phone.
    enum PhonePrompt: Sendable, Equatable {
        case none
        /// In the presentment before this one.
        case before
        /// In this presentment.
        case shown
    }

    var record: TapRecord
    /// How long to wait for a card.
    var timeout: Duration?
    /// What the card said to everybody.
    var presented = Presented()
    var lastFault: LinkFault?
    /// Why the card that is there cannot be had; `nil`: none is there, or it can.
    var held: ReaderFault?
    /// What the display shows.
    var shown: Message?
    var phonePrompt = PhonePrompt.none
    /// How long the last message is shown at least.
    var hold = Duration.zero
    /// Presentments after which another one was asked for.
    var announcedTaps = 0
    /// As the app asked for it.
    let request: PaymentRequest?
    /// What holds until an application is selected and the app says otherwise: as asked for, or what a prelude made of
    /// it.
    private(set) var base: PaymentRequest?
    /// The application for which the app was asked for the amount.
    var priced: Bytes?

    init(_ record: TapRecord, timeout: Duration? = nil) {
        self.record = record
        self.timeout = timeout
        request = record.request
        base = record.request
    }

    /// Another total, before the kernel gets a card.
    mutating func pay(_ changed: PaymentRequest) {
        var base = changed
        base.amountChange = request?.amountChange
        self.base = base
        record = record.paying(base)
    }

    var key: ReconciliationKey { record.key }

    /// What the amount became; `nil`: it is that of the request.
    var changedAmount: Money? { record.request?.amount == request?.amount ? nil : record.request?.amount }

    /// A message that is about to be shown.
    mutating func note(_ message: UIRequest) -> UIRequest {
        var request = message
        if request.message == .unchanged { request.message = shown ?? .presentCard }
        shown = request.message
        if request.message == .oneCardOnly { request.hold = max(request.hold, Tap.oneCardOnlyHold) }
        hold = request.hold
        if request.message == .seePhone { phonePrompt = .shown }
        return request
    }

    /// "One card only", while it is shown: the kernel shows it when two cards come (Book B 3.2.1.4) and again when one
    /// is left (3.2.1.5), in the same words.
    func repeats(_ message: UIRequest) -> Bool { message.message == .oneCardOnly && shown == .oneCardOnly }

    /// Long enough to be read, also where one of the cards goes at once.
    static let oneCardOnlyHold = Duration.milliseconds(500)

    /// A card of a country that is not taken is left as soon as it says so.
    var refusedCountry: TapOutcome? {
        guard let supported = record.supportedIssuerCountries, let country = Country(ofIssuer: presented.objects),
            !supported.countries.contains(country)
        else { return nil }
        return .unsupportedNetwork(NetworkMismatch(.issuerCountry(country), offered: presented.names))
    }

    /// How the tap ends with a kernel's outcome.
    ///
    /// - Parameter limit: the rule to name where the amount was not allowed.
    func ending(_ outcome: Outcome, limit: LimitRule, hasPINPad: Bool) -> TapOutcome {
        let ended: TapOutcome =
            switch record.purpose {
            case .payment: TapOutcome(outcome: outcome, hasPINPad: hasPINPad, limit: limit, tap: record)
            case .verification(let request):
                TapOutcome(verifying: outcome, request.reason, limit: limit, tap: record)
            }
        switch ended {
        case .success, .verified, .onlinePINRequired, .onlinePINUnavailable:
            return refusal(of: CardSummary(outcome, record.presented).issuerCountry) ?? ended
        case .unreadable(var failure):
            failure.linkFault = lastFault
            // The phone was shown the last time, too, and there are no more presentments to ask for.
            failure.deviceLocked =
                phonePrompt == .shown
                || (phonePrompt == .before && failure.reason == .tooManyTaps && lastFault == nil)
            return .unreadable(failure)
        default: return ended
        }
    }

    private func refusal(of country: Country?) -> TapOutcome? {
        guard let supported = record.supportedIssuerCountries else { return nil }
        switch country {
        case let country? where !supported.countries.contains(country):
            return .unsupportedNetwork(NetworkMismatch(.issuerCountry(country), offered: presented.names))
        case nil where supported.unknown == .refuse:
            return .unsupportedNetwork(NetworkMismatch(.issuerCountryUnknown, offered: presented.names))
        default: return nil
        }
    }
}

/// A tap whose kernel gave an outcome and waits: for the issuer's answer, or for a PIN (Start B or D).
struct ParkedTap: Sendable, Equatable {
    var tap: Tap
    let status: Outcome.Status
    let onlineResponse: Outcome.OnlineResponse
    /// The field is on: the card may stay until the issuer has answered (Book A, Table 6-2).
    let keepsField: Bool
    /// The removal time-out passed before the answer came (Book A 8.1.1.21).
    var removalTimedOut = false

    var key: ReconciliationKey { tap.key }

    /// The kernel goes on with such an answer; `nil`: no answer came (Book A 8.1.1.22, 8.1.1.24).
    func goesOn(with data: DataObjects?) -> Bool {
        switch onlineResponse {
        case .any: true
        case .emvData: [Tag(integerLiteral: 0x91), 0x71, 0x72].contains { data?[$0] != nil }
        case .notApplicable: false
        }
    }
}

/// The kernel at work on a tap.
struct KernelRun: Sendable, Equatable {
    enum Purpose: Sendable, Equatable {
        /// A read, or its completion: what the kernel comes to is how the tap ends.
        case tap
        /// The kernel takes what came of the online request.
        case issuer(Conversation, OnlineResult)
    }

    var tap: Tap
    let purpose: Purpose
    /// Messages of the last step, while what they say is not journalled.
    var held: [UIRequest] = []
    /// With a journal: the approval is in it, and may be shown.
    var isApprovalWritten = false
}

/// A kernel that came to its end, or was left on its way.
struct KernelEnd: Sendable, Equatable {
    var run: KernelRun
    var outcome: TapOutcome
    /// The kernel's own; `nil`: it came to none.
    let kernel: Outcome?
    let isParked: Bool
    let keepsField: Bool
}
