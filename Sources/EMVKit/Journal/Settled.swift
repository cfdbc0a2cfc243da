// SPDX-License-Identifier: Apache-2.0
/// How a payment stands, for the app: told until the app acknowledges it.
public struct Settled: Sendable, Hashable {
    public enum Ending: Sendable, Hashable {
        case approved(Approval)
        /// Nothing is charged. A deferred payment that is declined is the merchant's loss.
        case declined(Decline)
        /// Waits for the host.
        case accepted(Deferred)
        /// Nothing is charged: it never reached the host, was reversed or withdrawn.
        case notCompleted
        /// Neither an answer nor a confirmed reversal yet; reversing goes on.
        case unknown
        /// The host cannot take the record: why.
        case setAside(String)
        /// A person gave it up.
        case writtenOff
    }

    public let key: ReconciliationKey
    /// The order that the payment is of.
    public let reference: SaleReference?
    public let kind: Receipt.Kind
    public let amount: Money
    public let moment: LocalTime
    /// It follows another payment.
    public let followUp: FollowUp?
    public let ending: Ending
    /// The standing of the order when this was reported.
    public let sale: SaleStanding
    /// The payment was accepted before anybody was asked; this is what came of it.
    public let isAfterTheFact: Bool
    /// As the app kept it.
    public let receipt: Receipt?
    /// What the journal knows for a receipt, without the payee.
    let journaled: Receipt?
    /// Approved, and all of it voided or given back since: by itself, or with the rest of its order.
    let isGivenBack: Bool

    private init(
        _ tap: JournaledTap, _ ending: Ending, _ related: [JournaledTap], _ original: JournaledTap?
    ) {
        key = tap.key
        reference = tap.sale
        sale = tap.sale == nil ? .notTracked : SaleAccount.standing(of: related)
        kind = tap.intent.kind
        amount = tap.approvedAmount
        moment = tap.intent.moment
        followUp = tap.intent.followUp
        self.ending = ending
        isAfterTheFact = tap.queuedAs == .deferredAuthorization
        receipt = tap.receipt
        journaled = Receipt(tap, ending, of: original)
        let isVoided = related.contains {
            $0.isCountingVoid && $0.isAccepted && $0.intent.followUp?.original == tap.key
        }
        let isPayment = followUp == nil && kind != .refund
        isGivenBack = isPayment && tap.isAccepted && (isVoided || SaleAccount.isGivenBack(related))
    }

    /// `nil` while the payment goes on.
    ///
    /// - Parameters:
    ///   - related: all payments and follow-ups of its sale; without a sale the payment and its follow-ups.
    ///   - original: the payment that it follows.
    init?(_ tap: JournaledTap, related: [JournaledTap], of original: JournaledTap? = nil) {
        guard let ending = Ending(tap) else { return nil }
        self.init(tap, ending, related, original)
    }

    /// What may be done next, the most promising first, as the order stands.
    public var alternatives: [Alternative] { Presentation(self).options }

    /// Whether the payment is booked.
    public var effect: PaymentEffect { ending.effect }
}

extension Settled.Ending {
    /// `nil` while the payment goes on.
    init?(_ tap: JournaledTap) {
        switch (tap.state, tap.result) {
        case (.approved, .approved(let approval)?), (.closed, .approved(let approval)?): self = .approved(approval)
        case (.declined, .declined(let decline)?), (.closed, .declined(let decline)?): self = .declined(decline)
        case (.queued, _), (.forwarding, _):
            switch tap.queuedAs {
            case .offlineApproval: self = .approved(Approval(origin: .card, responseCode: tap.offlineResponse))
            default: self = .accepted(Deferred(key: tap.key, amount: tap.amount, moment: tap.intent.moment))
            }
        // Closed without a result: given up by a person, or nothing came of it.
        case (.closed, nil): self = tap.isWrittenOff ? .writtenOff : .notCompleted
        case (.reversed, _), (.withdrawn, _): self = .notCompleted
        case (.asking, _), (.challenged, _), (.reversing, _): self = .unknown
        case (.setAside, _): self = .setAside(tap.setAsideReason ?? "")
        case (.writtenOff, _): self = .writtenOff
        case (.began, _), (.read, _), (.approved, _), (.declined, _): return nil
        }
    }
}

extension Settled {
    /// The word for how a payment stands, in logs.
    public enum Name: String, Sendable, Hashable, CaseIterable, Codable {
        case approved, declined, accepted, notCompleted, unknown, setAside, writtenOff
    }
}

extension Settled.Ending {
    /// Whether the payment is booked.
    public var effect: PaymentEffect {
        switch self {
        case .approved: .booked
        case .declined, .notCompleted: .nothingBooked
        case .accepted, .unknown, .setAside, .writtenOff: .mayBeBooked
        }
    }

    /// What may be done next, the most promising first; nothing where the payment came about.
    public var alternatives: [Alternative] {
        switch self {
        case .approved, .accepted: []
        case .declined(let decline): Alternative.inOrder([decline.problem])
        case .notCompleted: Alternative.inOrder([])
        case .unknown, .setAside, .writtenOff: [.askHost, .help]
        }
    }

    public var name: Settled.Name {
        switch self {
        case .approved: .approved
        case .declined: .declined
        case .accepted: .accepted
        case .notCompleted: .notCompleted
        case .unknown: .unknown
        case .setAside: .setAside
        case .writtenOff: .writtenOff
        }
    }
}

extension JournaledTap {
    /// EMV Book 4, Annex A6: of an approval by the card.
    var offlineResponse: String { read?.authorization == .approvedOffline ? "Y1" : "Y3" }
}

extension Receipt {
    /// The receipt of a payment whose end was not known yet, with what came of it; `nil` where it says that already, or
    /// belongs to another payment.
    public func updated(by settled: Settled) -> Receipt? {
        guard reference == settled.key.rawValue, result == .accepted || result == .unknown else { return nil }
        var receipt = self
        switch settled.ending {
        case .approved(let approval):
            receipt.result = result == .accepted && original == nil ? .approvedLater : .approved
            if approval.approvedAmount == nil { receipt.total = settled.amount }
            receipt.verification = settled.journaled?.verification ?? receipt.verification
            receipt.add(approval)
        case .declined(let decline):
            receipt.result = result == .accepted && original == nil ? .declinedLater : .declined
            receipt.responseCode = decline.responseCode ?? responseCode
            if result == .unknown { receipt.verification = nil }
        case .notCompleted: receipt.result = .notCompleted
        case .accepted, .unknown, .setAside, .writtenOff: return nil
        }
        return receipt
    }
}

extension Settlement {
    /// What became of payments that another journal handed over.
    public struct TakenOver: Sendable, Hashable {
        public internal(set) var taken: [ReconciliationKey] = []
        /// They were here before.
        public internal(set) var known: [ReconciliationKey] = []
        /// The device that handed them over has to settle these: a follow-up whose payment is not here, a tap of a sale
        /// that is paid here, what is not to be settled, events of two payments in one (under the key of the first
        /// event).
        public internal(set) var refused: [ReconciliationKey: JournalError] = [:]

        public init() {}
    }
}
