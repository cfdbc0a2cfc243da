// SPDX-License-Identifier: Apache-2.0
/// A payment from its request to its result, as ``TapReader/charge(_:with:pinPad:accessibility:)`` carries it out: a
/// state machine that an app shows. ``TapReader/charges()`` reports each of its states.
public struct Charge: Sendable, Hashable {
    public enum State: Sendable, Hashable {
        /// The charge was accepted; the field is still off.
        case starting
        /// A card may be presented; `again` if it was presented before.
        case waitingForCard(again: Bool)
        case reading
        /// The issuer is being asked; the duration is not known.
        case authorizing
        /// A PIN is being entered. The screen must not identify the cardholder.
        case enteringPIN
        case ended(ChargeResult)
    }

    /// The name of a state, without its values.
    public enum Phase: String, Sendable, Hashable, CaseIterable {
        case starting, waitingForCard, reading, authorizing, enteringPIN, ended
    }

    /// The key is known before the field is on: with it the payment can be settled later, whatever happens.
    public let key: ReconciliationKey
    /// The charged request, with its key.
    public let request: PaymentRequest
    public private(set) var state = State.starting
    /// The display's current message; `nil` before the first one.
    public private(set) var prompt: Prompt?

    init(_ request: PaymentRequest, key: ReconciliationKey) {
        var request = request
        request.key = key
        self.key = key
        self.request = request
    }

    public var phase: Phase { state.phase }

    /// `nil` while the charge is in progress.
    public var result: ChargeResult? { if case .ended(let result) = state { result } else { nil } }

    /// The allowed transitions between phases. `ended` has no successor.
    public static let edges: [Phase: Set<Phase>] = [
        .starting: [.waitingForCard, .ended],
        .waitingForCard: [.reading, .enteringPIN, .ended],
        .reading: [.waitingForCard, .authorizing, .enteringPIN, .ended],
        .authorizing: [.waitingForCard, .enteringPIN, .ended],
        .enteringPIN: [.waitingForCard, .authorizing, .ended],
        .ended: [],
    ]

    /// - Returns: whether there is something new to show.
    mutating func note(_ event: TapEvent) -> Bool {
        let before = self
        guard phase != .ended else { return false }
        switch event {
        case .waitingForCard: state = .waitingForCard(again: phase != .starting)
        case .cardDetected: state = .reading
        case .authorizing: state = .authorizing
        case .pinEntry: state = .enteringPIN
        case .prompt(let prompt): self.prompt = prompt
        case .notReady, .preparing, .ready, .started, .severalCards, .cardInUse, .cardRead, .presentAgain,
            .promptFinished, .finished, .pinEntryFinished, .authorized, .unresolved, .readerDetached, .adopted:
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

/// The result of a charge: its ending, the effect of this call, and the standing of the sale. Effect and sale are
/// separate: even if a call took no money, the order may be paid.
public struct ChargeResult: Sendable, Hashable {
    public enum Ending: Sendable, Hashable {
        case approved(Approval, CardRead)
        /// Accepted at the merchant's risk (``OfflinePolicy``). This is not an approval.
        case accepted(Deferred, CardRead)
        /// Declined by the issuer, the card or the kernel.
        case declined(Decline, CardRead)
        /// The issuer wants a PIN and no PIN pad was given: continue with ``TapReader/authorize(_:answering:with:)``,
        /// or ``TapReader/giveUp(_:)``.
        case pinRequested(PINChallenge, CardRead)
        /// The tap gave no read that could be authorised.
        case notRead(TapOutcome)
        /// Nothing left this device. The problems are in order; an empty array ends the payment without a message.
        case failed([Problem], CardRead)
        /// A request left, and nothing is booked (``AuthorizationResult/Ending/reversed(_:)``).
        case reversed([Problem], CardRead)
        /// There is neither an answer nor a confirmed reversal: ask the host by this key before anything else.
        case unknown(ReconciliationKey, CardRead)
        /// The key began a payment before, so this call took no money. With a journal it contains the result of that
        /// payment, or `nil` while the payment is in progress; without a journal `nil`.
        case keyUsed(ReconciliationKey, Settled?)
        /// The sale is already paid: this call took no money.
        case saleSettled(SaleReference)
        /// The sale has a payment with this key that is not over and may be booked, or a refund or void with this key
        /// that is not over: this call took no money.
        case saleOpen(ReconciliationKey)
        /// This call was cancelled; the charge continues for other calls that wait for it.
        case running(ReconciliationKey)
    }

    public let ending: Ending
    /// The standing of the sale when the call ended.
    public let sale: SaleStanding

    public init(_ ending: Ending, sale: SaleStanding = .notTracked) {
        self.ending = ending
        self.sale = sale
    }

    public var effect: PaymentEffect { ending.effect }
    public var name: ChargeResult.Name { ending.name }
    public var read: CardRead? { ending.read }
    /// The problems in order, the decisive one first; empty for an approval, an accepted payment, and a charge in
    /// progress.
    public var problems: [Problem] { ending.problems }
    /// The possible next steps, the most promising first.
    public var alternatives: [Alternative] { ending.alternatives }
    /// `nil` if nothing was authorised.
    public var authorization: AuthorizationResult? {
        ending.authorization.map { AuthorizationResult($0, sale: sale) }
    }
}

extension ChargeResult {
    /// The name of a charge's ending, in logs.
    public enum Name: String, Sendable, Hashable, CaseIterable, Codable {
        case approved, accepted, declined, pinRequested, notRead, failed, reversed, unknown, keyUsed, saleSettled,
            saleOpen
        case running
    }
}

extension ChargeResult.Ending {
    public var name: ChargeResult.Name {
        switch self {
        case .approved: .approved
        case .accepted: .accepted
        case .declined: .declined
        case .pinRequested: .pinRequested
        case .notRead: .notRead
        case .failed: .failed
        case .reversed: .reversed
        case .unknown: .unknown
        case .keyUsed: .keyUsed
        case .saleSettled: .saleSettled
        case .saleOpen: .saleOpen
        case .running: .running
        }
    }

    public var effect: PaymentEffect {
        switch self {
        case .notRead, .keyUsed, .saleSettled, .saleOpen: .nothingSent
        case .running: .mayBeBooked
        case .approved, .accepted, .declined, .pinRequested, .failed, .reversed, .unknown:
            authorization?.effect ?? .mayBeBooked
        }
    }

    public var read: CardRead? {
        switch self {
        case .approved(_, let read), .accepted(_, let read), .declined(_, let read), .pinRequested(_, let read),
            .failed(_, let read), .reversed(_, let read), .unknown(_, let read):
            read
        case .notRead, .keyUsed, .saleSettled, .saleOpen, .running: nil
        }
    }

    /// `nil` if nothing was authorised.
    public var authorization: AuthorizationResult.Ending? {
        switch self {
        case .approved(let approval, _): .approved(approval)
        case .accepted(let deferred, _): .accepted(deferred)
        case .declined(let decline, _): .declined(decline)
        case .pinRequested(let challenge, _): .pinRequested(challenge)
        case .failed(let problems, _): .failed(problems)
        case .reversed(let problems, _): .reversed(problems)
        case .unknown(let key, _): .unknown(key)
        case .notRead, .keyUsed, .saleSettled, .saleOpen, .running: nil
        }
    }

    /// The problems in order, the decisive one first; empty for an approval, an accepted payment, and a charge in
    /// progress.
    public var problems: [Problem] {
        switch self {
        case .notRead(let outcome): outcome.problems
        case .keyUsed(let key, _): [Problem(.keyUsed, detail: key.description)]
        case .saleSettled(let sale): [JournalError.saleSettled(sale).problem]
        case .saleOpen(let key): [JournalError.saleOpen(key).problem]
        case .running: []
        case .approved, .accepted, .declined, .pinRequested, .failed, .reversed, .unknown:
            authorization?.problems ?? []
        }
    }

    /// The possible next steps, the most promising first.
    public var alternatives: [Alternative] {
        switch self {
        case .notRead(let outcome): outcome.alternatives
        case .keyUsed(_, let settled): settled?.alternatives ?? [.askHost, .help]
        case .saleSettled, .saleOpen: Alternative.inOrder(problems)
        case .running: []
        case .approved, .accepted, .declined, .pinRequested, .failed, .reversed, .unknown:
            authorization?.alternatives ?? []
        }
    }

    /// Creates the ending of a charge from its authorisation and its read.
    init(_ result: AuthorizationResult.Ending, _ read: CardRead) {
        self =
            switch result {
            case .approved(let approval): .approved(approval, read)
            case .declined(let decline): .declined(decline, read)
            case .accepted(let deferred): .accepted(deferred, read)
            case .pinRequested(let challenge): .pinRequested(challenge, read)
            case .failed(let problems): .failed(problems, read)
            case .reversed(let problems): .reversed(problems, read)
            case .unknown(let key): .unknown(key, read)
            }
    }

    /// Creates the ending of a charge whose tap gave no read to authorise.
    ///
    /// - Parameter settled: the result of the payment that used the key.
    init(unread outcome: TapOutcome, _ settled: Settled? = nil) {
        self =
            switch outcome {
            case .failed(.refused(.keyUsed(let key))): .keyUsed(key, settled)
            case .failed(.refused(.saleSettled(let sale))): .saleSettled(sale)
            case .failed(.refused(.saleOpen(let key))): .saleOpen(key)
            case .declined(let read): .declined(Decline(reason: read.declineReason), read)
            default: .notRead(outcome)
            }
    }
}

extension Presentation {
    /// Creates the presentation of a charge's ending.
    ///
    /// - Parameters:
    ///   - result: the result of the charge.
    ///   - request: the payment to make.
    public init(_ result: ChargeResult, of request: PaymentRequest) {
        if result.sale == .paid, result.effect.isCertainlyNothing, request.kind != .refund {
            // This call took no money, and nothing is left to pay.
            self.init(.alreadyPaid, total: request.amount)
            return
        }
        switch result.ending {
        // Nothing was authorised, and another payment of the order may be booked.
        case .notRead where result.sale == .unknown && request.kind != .refund:
            self.init(.unknown, total: request.amount)
        case .approved(_, let read), .accepted(_, let read), .declined(_, let read), .pinRequested(_, let read),
            .failed(_, let read), .reversed(_, let read), .unknown(_, let read):
            self.init(result.authorization ?? AuthorizationResult(.failed([])), of: read)
        case .notRead(let outcome): self.init(outcome, of: request)
        case .keyUsed(_, let settled?): self.init(settled)
        // As far as is known here, the payment is neither paid nor unpaid.
        case .keyUsed(_, nil), .saleOpen: self.init(.unknown, total: request.amount)
        case .saleSettled: self.init(.alreadyPaid, total: request.amount)
        case .running: self.init(.authorizing, total: request.amount)
        }
    }

    /// Creates the presentation of an earlier payment's result. For a payment it shows how much the order still needs,
    /// because something may have been paid or given back after it; a refund, a void or a capture shows its own result.
    public init(_ settled: Settled) {
        let isPayment = settled.followUp == nil && settled.kind != .refund
        switch settled.ending {
        case .approved where !isPayment: self.init(.approved, total: settled.amount)
        case .approved: self.init(approved: settled)
        case .accepted: self.init(.accepted, total: settled.amount)
        case .declined, .notCompleted:
            switch settled.sale {
            case .paid where isPayment: self.init(.alreadyPaid, total: settled.amount)
            case .unknown where isPayment: self.init(.unknown, total: settled.amount)
            case .paid, .unknown, .open, .notTracked: self.init(failed: settled)
            }
        case .unknown, .setAside, .writtenOff: self.init(.unknown, total: settled.amount)
        }
    }

    private init(failed settled: Settled) {
        if case .declined(let decline) = settled.ending {
            let problem = decline.problem
            self.init(.declined, problem: problem, field: problem.field, total: settled.amount)
        } else {
            self.init(.failed, total: settled.amount)
        }
    }

    private init(approved settled: Settled) {
        let part = settled.journaled?.amountDue
        switch settled.sale {
        case .open where settled.isGivenBack, .notTracked where settled.isGivenBack:
            self.init(.failed, total: settled.amount)
        case .open(let rest): self.init(.approvedInPart, total: settled.amount, rest: rest)
        case .notTracked where part != nil: self.init(.approvedInPart, total: settled.amount, rest: part)
        case .paid, .notTracked: self.init(.alreadyPaid, total: settled.amount)
        case .unknown: self.init(.unknown, total: settled.amount)
        }
    }
}

extension Receipt {
    /// Creates the receipt of a charge; `nil` if no card was read, while the payment is in progress, and if no payee is
    /// named.
    public init?(_ result: ChargeResult, merchant: Merchant? = nil, label: String? = nil) {
        guard let read = result.read else { return nil }
        self.init(read, result.authorization, merchant: merchant, label: label)
    }
}
