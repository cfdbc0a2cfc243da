// SPDX-License-Identifier: Apache-2.0
/// A payment from its request to its result, as ``TapReader/charge(_:with:pinPad:accessibility:)`` carries it out: a
/// state machine that an app shows. ``TapReader/charges()`` tells each of its states.
public struct Charge: Sendable, Hashable {
    public enum State: Sendable, Hashable {
        /// Accepted; the field is still off.
        case starting
        /// A card may be presented: once more, where it was there before.
        case waitingForCard(again: Bool)
        case reading
        /// The issuer is asked; how long it takes is not known.
        case authorizing
        /// Nothing may be shown from which the cardholder could be recognised.
        case enteringPIN
        case ended(ChargeResult)
    }

    /// A state without what it holds.
    public enum Phase: String, Sendable, Hashable, CaseIterable {
        case starting, waitingForCard, reading, authorizing, enteringPIN, ended
    }

    /// Known before the field is on: with it the payment can be settled later, whatever happens.
    public let key: ReconciliationKey
    /// As it is charged: with its key.
    public let request: PaymentRequest
    public private(set) var state = State.starting
    /// What the display shows; `nil`: nothing yet.
    public private(set) var prompt: Prompt?

    init(_ request: PaymentRequest, key: ReconciliationKey) {
        var request = request
        request.key = key
        self.key = key
        self.request = request
    }

    public var phase: Phase { state.phase }

    /// `nil` while it goes on.
    public var result: ChargeResult? { if case .ended(let result) = state { result } else { nil } }

    /// Where a phase may go. `ended` goes nowhere.
    public static let edges: [Phase: Set<Phase>] = [
        .starting: [.waitingForCard, .ended],
        .waitingForCard: [.reading, .enteringPIN, .ended],
        .reading: [.waitingForCard, .authorizing, .enteringPIN, .ended],
        .authorizing: [.waitingForCard, .enteringPIN, .ended],
        .enteringPIN: [.waitingForCard, .authorizing, .ended],
        .ended: [],
    ]

    /// - Returns: there is something new to show.
    mutating func note(_ event: TapEvent) -> Bool {
        let before = self
        guard phase != .ended else { return false }
        switch event {
        case .waitingForCard: state = .waitingForCard(again: phase != .starting)
        case .cardDetected: state = .reading
        case .authorizing: state = .authorizing
        case .pinEntry: state = .enteringPIN
        case .prompt(let prompt): self.prompt = prompt
        case .notReady, .preparing, .ready, .started, .severalCards, .cardRead, .presentAgain, .promptFinished,
            .finished, .pinEntryFinished, .authorized, .unresolved, .readerDetached, .adopted:
            break
        }
        return self != before
    }

    mutating func end(_ result: ChargeResult) { state = .ended(result) }
}

extension Charge.State {
    public var phase: Charge.Phase {
        switch self {
        case .starting: .starting
        case .waitingForCard: .waitingForCard
        case .reading: .reading
        case .authorizing: .authorizing
        case .enteringPIN: .enteringPIN
        case .ended: .ended
        }
    }
}

/// What came of a charge. ``isCertainlyNotApproved`` tells the endings after which the same sale may be tried again
/// from those after which the host has to be asked first.
public enum ChargeResult: Sendable, Hashable {
    case approved(Approval, CardRead)
    /// At the merchant's risk (``OfflinePolicy``): not an approval.
    case accepted(Deferred, CardRead)
    /// By the issuer, the card or the kernel.
    case declined(Decline, CardRead)
    /// The issuer wants a PIN and no PIN pad was given: go on with
    /// ``TapReader/authorize(_:answering:with:)``, or ``TapReader/giveUp(_:)``.
    case pinRequested(PINChallenge, CardRead)
    /// The tap gave nothing that could be authorised. Certainly not approved.
    case notRead(TapOutcome)
    /// In order; an empty array ends the payment without a message. Certainly not approved.
    case failed([Problem], CardRead)
    /// Neither an answer nor a confirmed reversal: ask the host by this key before anything else.
    case unknown(ReconciliationKey, CardRead)
    /// The key began a payment before: this call took nothing, and says nothing of that payment. The journal does.
    case keyUsed(ReconciliationKey)
    /// This call was cancelled; the charge goes on for others that wait for it.
    case running(ReconciliationKey)
}

/// The word for a charge's ending in logs.
public enum ChargeName: String, Sendable, Hashable, CaseIterable, Codable {
    case approved, accepted, declined, pinRequested, notRead, failed, unknown, keyUsed, running
}

extension ChargeResult {
    public var name: ChargeName {
        switch self {
        case .approved: .approved
        case .accepted: .accepted
        case .declined: .declined
        case .pinRequested: .pinRequested
        case .notRead: .notRead
        case .failed: .failed
        case .unknown: .unknown
        case .keyUsed: .keyUsed
        case .running: .running
        }
    }

    /// Nothing is taken, and nothing is open at a host: the sale may be tried again with a new key.
    public var isCertainlyNotApproved: Bool {
        switch self {
        case .declined, .notRead, .failed: true
        case .approved, .accepted, .pinRequested, .unknown, .keyUsed, .running: false
        }
    }

    public var read: CardRead? {
        switch self {
        case .approved(_, let read), .accepted(_, let read), .declined(_, let read), .pinRequested(_, let read),
            .failed(_, let read), .unknown(_, let read):
            read
        case .notRead, .keyUsed, .running: nil
        }
    }

    /// `nil` where nothing was authorised.
    public var authorization: AuthorizationResult? {
        switch self {
        case .approved(let approval, _): .approved(approval)
        case .accepted(let deferred, _): .accepted(deferred)
        case .declined(let decline, _): .declined(decline)
        case .pinRequested(let challenge, _): .pinRequested(challenge)
        case .failed(let problems, _): .failed(problems)
        case .unknown(let key, _): .unknown(key)
        case .notRead, .keyUsed, .running: nil
        }
    }

    /// In order, the decisive one first; none for an approval, an accepted payment, and a charge that goes on.
    public var problems: [Problem] {
        switch self {
        case .notRead(let outcome): outcome.problems
        case .keyUsed(let key): [Problem(.keyUsed, detail: key.description)]
        case .running: []
        case .approved, .accepted, .declined, .pinRequested, .failed, .unknown: authorization?.problems ?? []
        }
    }

    /// What may be done next, the most promising first. After `keyUsed` the result of the earlier payment is asked for.
    public var alternatives: [Alternative] {
        switch self {
        case .notRead(let outcome): outcome.alternatives
        case .keyUsed: [.askHost, .correctRequest]
        case .running: []
        case .approved, .accepted, .declined, .pinRequested, .failed, .unknown: authorization?.alternatives ?? []
        }
    }

    /// What is authorised of a read.
    init(_ result: AuthorizationResult, _ read: CardRead) {
        self =
            switch result {
            case .approved(let approval): .approved(approval, read)
            case .declined(let decline): .declined(decline, read)
            case .accepted(let deferred): .accepted(deferred, read)
            case .pinRequested(let challenge): .pinRequested(challenge, read)
            case .failed(let problems): .failed(problems, read)
            case .unknown(let key): .unknown(key, read)
            }
    }

    /// A tap that gave nothing to authorise.
    init(unread outcome: TapOutcome, key: ReconciliationKey?) {
        if let key, case .failed(.invalid(let problems)) = outcome, problems.map({ $0.code }) == [.keyUsed] {
            self = .keyUsed(key)
        } else if case .declined(let read) = outcome {
            self = .declined(Decline(reason: read.declineReason), read)
        } else {
            self = .notRead(outcome)
        }
    }
}

extension Presentation {
    /// How a charge's ending is shown.
    ///
    /// - Parameter request: what was to be paid.
    public init(_ result: ChargeResult, of request: PaymentRequest) {
        if let authorization = result.authorization, let read = result.read {
            self.init(authorization, of: read)
        } else if case .notRead(let outcome) = result {
            self.init(outcome, of: request)
        } else if case .keyUsed = result {
            // Neither paid nor not paid by what this call knows.
            self.init(.unknown, total: request.amount)
        } else {
            self.init(.authorizing, total: request.amount)
        }
    }
}

extension Receipt {
    /// The receipt of a charge; `nil` where no card was read, while the payment goes on, and where no payee is named.
    public init?(_ result: ChargeResult, merchant: Merchant? = nil, label: String? = nil) {
        guard let read = result.read else { return nil }
        self.init(read, result.authorization, merchant: merchant, label: label)
    }
}
