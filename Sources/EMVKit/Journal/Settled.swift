// SPDX-License-Identifier: Apache-2.0
/// The result of a payment, for the app: reported until the app acknowledges it.
public struct Settled: Sendable, Hashable {
    public enum Ending: Sendable, Hashable {
        case approved(Approval)
        /// Nothing is charged. A deferred payment that is declined is the merchant's loss.
        case declined(Decline)
        /// The payment waits for the host.
        case accepted(Deferred)
        /// Nothing is charged: the payment never reached the host, was reversed or was taken back.
        case notCompleted
        /// There is neither an answer nor a confirmed reversal yet; reversal attempts continue.
        case unknown
        /// The host rejects the record; the text gives the reason.
        case setAside(String)
        /// A person gave the payment up.
        case writtenOff
    }

    public let key: ReconciliationKey
    /// The order to which the payment belongs.
    public let reference: SaleReference?
    public let kind: Receipt.Kind
    public let amount: Money
    public let moment: LocalTime
    /// The follow-up, if it follows another payment.
    public let followUp: FollowUp?
    public let ending: Ending
    /// The standing of the order when this was reported.
    public let sale: SaleStanding
    /// The payment was accepted before any host was asked; this is its later result.
    public let isAfterTheFact: Bool
    /// The receipt as the app stored it.
    public let receipt: Receipt?
    /// The journal's data for a receipt, without the payee.
    let journaled: Receipt?
    /// Approved, and all of it voided or given back since, alone or with the rest of its order.
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

    /// Returns `nil` while the payment is in progress.
    ///
    /// - Parameters:
    ///   - related: all payments and follow-ups of its sale; without a sale the payment and its follow-ups.
    ///   - original: the payment that it follows.
    init?(_ tap: JournaledTap, related: [JournaledTap], of original: JournaledTap? = nil) {
        guard let ending = Ending(tap) else { return nil }
        self.init(tap, ending, related, original)
    }

    /// The possible next steps, the most promising first, according to the standing of the order.
    public var alternatives: [Alternative] { Presentation(self).options }

    /// Whether the payment is booked.
    public var effect: PaymentEffect { ending.effect }
}

extension Settled.Ending {
    /// Returns `nil` while the payment is in progress.
    init?(_ tap: JournaledTap) {
        switch (tap.state, tap.result) {
        case (.approved, .approved(let approval)?), (.closed, .approved(let approval)?): self = .approved(approval)
        case (.declined, .declined(let decline)?), (.closed, .declined(let decline)?): self = .declined(decline)
        case (.queued, _), (.forwarding, _):
            switch tap.queuedAs {
            case .offlineApproval: self = .approved(Approval(origin: .card, responseCode: tap.offlineResponse))
            default: self = .accepted(Deferred(key: tap.key, amount: tap.amount, moment: tap.intent.moment))
            }
        // Closed without a result: a person gave it up, or nothing was sent.
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
    /// The name of a result, in logs.
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

    /// The possible next steps, the most promising first; empty if the payment succeeded.
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
    /// The response code of an approval by the card (EMV Book 4, Annex A6).
    var offlineResponse: String { read?.authorization == .approvedOffline ? "Y1" : "Y3" }
}

extension Receipt {
    /// Returns this receipt of an open payment, completed with the final result; `nil` if the receipt already states
    /// it, or belongs to another payment.
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
    /// The result of taking over payments that another journal handed over.
    public struct TakenOver: Sendable, Hashable {
        public internal(set) var taken: [ReconciliationKey] = []
        /// Payments that were already in this journal.
        public internal(set) var known: [ReconciliationKey] = []
        /// The device that handed them over has to settle these: a follow-up whose payment is not here, a tap of a sale
        /// that is paid here, a payment that a host need not settle, and mixed events of two payments (under the key of
        /// the first event).
        public internal(set) var refused: [ReconciliationKey: JournalError] = [:]

        public init() {}
    }
}
