// SPDX-License-Identifier: Apache-2.0
/// The standing of a sale, from all payments, refunds and follow-ups that the journal has under its reference.
public enum SaleStanding: Sendable, Hashable {
    /// This amount is left to pay, and nothing is in doubt. It is the full price if nothing was paid or everything was
    /// refunded.
    case open(Money)
    /// Nothing is left to pay. An estimate on hold and a payment accepted at the merchant's risk count as paid.
    case paid
    /// A payment, a refund or a void is in progress, or its result is unknown. A result stays unknown if a person has
    /// written the payment off.
    case unknown
    /// The request has no ``SaleReference``, the reader has no journal, or the price of the sale is not known.
    case notTracked
}

/// The account of a sale: captured less refunded. While the result of a payment is unknown, the account is a range.
/// Each check uses the safe end of it: a new payment is checked against the largest sum that may have been paid, a
/// refund against the smallest.
struct SaleAccount {
    /// A range of amounts in minor units.
    struct Range: Hashable {
        var least: UInt64 = 0
        var most: UInt64 = 0

        static func += (one: inout Range, other: Range) {
            one.least = SaleAccount.sum(one.least, other.least)
            one.most = SaleAccount.sum(one.most, other.most)
        }
    }

    /// Captured amounts, or approved final amounts, less voided ones; `most` includes amounts on hold.
    private(set) var taken = Range()
    /// The part of ``taken`` that the host certainly has: without card approvals and captures that it still has to
    /// accept.
    private var confirmed: UInt64 = 0
    /// Refunded, with the card or without.
    private(set) var givenBack = Range()
    /// On hold, or accepted at the merchant's risk: not captured, but not in doubt.
    private var covered: UInt64 = 0
    /// The price of the sale according to its requests; `nil` if no payment counts.
    private(set) var price: Money?
    /// The largest amount that the sale's requests allow.
    private var limit: UInt64 = 0
    private var isPriceStated = false
    /// The amount that voided payments asked for: the price if no other payment states it.
    private var voidedPrice: Money?
    /// A payment that is neither refused nor approved yet; or a refund or void that the host has not accepted yet.
    private(set) var open: ReconciliationKey?
    private(set) var currencies: Set<Currency> = []
    /// A person has given up one of the payments; the host's booking of it is not known.
    private let isWrittenOff: Bool

    /// - Parameter taps: all payments of the sale, in the order in which they began.
    init(_ taps: [JournaledTap]) {
        var followUps: [ReconciliationKey: [JournaledTap]] = [:]
        isWrittenOff = taps.contains { $0.isWrittenOff }
        for tap in taps { if let key = tap.intent.followUp?.original { followUps[key, default: []].append(tap) } }
        for tap in taps where tap.countsAsPaid {
            currencies.insert(tap.amount.currency)
            if tap.isInDoubt || tap.givesBack && !tap.isAccepted, open == nil { open = tap.key }
            switch (tap.intent.followUp?.kind, tap.intent.kind) {
            case (.refund?, _), (nil, .refund):
                let amount = tap.approvedAmount.minorUnits
                givenBack += Range(least: tap.isAccepted ? amount : 0, most: amount)
            case (nil, .purchase), (nil, .cash), (nil, .cashBack): count(tap, followUps[tap.key] ?? [])
            case (nil, .verification), (nil, .capture), (nil, .increment), (nil, .void), (_?, _): break
            }
        }
    }

    private mutating func count(_ payment: JournaledTap, _ followUps: [JournaledTap]) {
        let sums = FollowUp.Sums(payment, followUps), range = SaleAccount.range(payment, sums, followUps)
        taken += range
        if payment.isAccepted {
            let accepted = followUps.filter { $0.intent.followUp?.kind != .capture || $0.isAccepted }
            let certain = SaleAccount.range(payment, FollowUp.Sums(payment, accepted), accepted).least
            confirmed = SaleAccount.sum(confirmed, certain)
        }
        let isWaiting = payment.isOwed && payment.queuedAs == .deferredAuthorization && payment.state != .setAside
        let isOnHold = payment.isAccepted && sums.isEstimated && !sums.isVoid
        if isWaiting || isOnHold { covered = SaleAccount.sum(covered, range.most - range.least) }
        // A voided payment no longer asks for an amount, nor does the rest of an estimate.
        let isVoided = followUps.contains { $0.intent.followUp?.kind == .void && $0.isAccepted }
        let asked = isVoided ? 0 : max(payment.amount.minorUnits, sums.authorized)
        limit = max(limit, asked)
        if let due = payment.intent.due {
            price = due
            isPriceStated = true
        } else if isVoided {
            let most = max(voidedPrice?.minorUnits ?? 0, payment.amount.minorUnits)
            voidedPrice = Money(minorUnits: most, currency: payment.amount.currency)
        } else if !isPriceStated {
            let isCaptured = sums.isEstimated && sums.captured > 0
            let amount = isCaptured ? sums.captured : asked
            price = Money(minorUnits: max(price?.minorUnits ?? 0, amount), currency: payment.amount.currency)
        }
    }

    /// Returns the range that a payment has taken. Approval captures a final amount. An estimate has taken its
    /// captures; until the host accepts one, everything on hold may still be captured.
    private static func range(
        _ payment: JournaledTap, _ sums: FollowUp.Sums, _ followUps: [JournaledTap]
    ) -> Range {
        let voids = followUps.filter { $0.intent.followUp?.kind == .void && $0.countsAsPaid }
        if voids.contains(where: { $0.isAccepted }) { return Range() }
        var range: Range
        if payment.isTaken {
            let isFinal = !sums.isEstimated || followUps.contains { $0.endsOriginal }
            range = Range(least: sums.captured, most: isFinal ? sums.captured : max(sums.captured, sums.authorized))
        } else {
            let isBefore = payment.state == .began || payment.state == .read
            let ceiling = isBefore ? payment.intent.ceiling?.minorUnits ?? 0 : 0
            range = Range(least: 0, most: max(payment.amount.minorUnits, ceiling))
        }
        if !voids.isEmpty { range.least = 0 }
        return range
    }

    private static func sum(_ one: UInt64, _ other: UInt64) -> UInt64 {
        let (sum, isOver) = one.addingReportingOverflow(other)
        return isOver ? .max : sum
    }

    /// - Parameters:
    ///   - taps: all payments of the sale. A tap that sent nothing is ignored.
    ///   - request: the payment that is, or was, to be made now; a refund's amount does not state the price.
    static func standing(of taps: [JournaledTap], _ request: PaymentRequest? = nil) -> SaleStanding {
        SaleAccount(taps.filter { $0.state != .began && $0.state != .read }).standing(request)
    }

    private func standing(_ request: PaymentRequest?) -> SaleStanding {
        guard currencies.count <= 1 else { return .unknown }
        let certain = SaleAccount.sum(taken.least, covered), most = taken.most
        guard open == nil, certain == most, givenBack.least == givenBack.most, givenBack.most <= most else {
            return .unknown
        }
        let paid = most - givenBack.most
        var price = price
        if let request, request.kind != .refund {
            if let due = request.due { price = due } else { price = price ?? request.amount }
        }
        guard let price = price ?? voidedPrice else { return isWrittenOff ? .unknown : .notTracked }
        guard price.minorUnits > paid else { return .paid }
        guard !isWrittenOff else { return .unknown }
        return .open(Money(minorUnits: price.minorUnits - paid, currency: price.currency))
    }

    /// Returns whether everything that its payments took is voided or given back, and nothing is on hold.
    ///
    /// - Parameter taps: all payments of the sale, or a payment with its follow-ups; at least one payment is approved.
    static func isGivenBack(_ taps: [JournaledTap]) -> Bool {
        let account = SaleAccount(taps)
        return account.covered == 0 && account.taken.most <= account.givenBack.least
    }

    // MARK: - Checks

    /// Refuses a payment of more than is left, assuming that every payment in doubt was taken.
    func check(payment intent: TapIntent, of sale: SaleReference) throws(JournalError) {
        guard price != nil || voidedPrice != nil else { return }
        let most = max(intent.amount.minorUnits, intent.ceiling?.minorUnits ?? 0)
        let stated = intent.due ?? (isPriceStated ? price : nil)
        let limit = stated?.minorUnits ?? max(limit, most)
        let paid = taken.most - min(taken.most, givenBack.least)
        let isOneCurrency = currencies.allSatisfy { $0 == intent.amount.currency }
        if isOneCurrency, SaleAccount.sum(paid, most) <= limit { return }
        if let open { throw .saleOpen(open) }
        guard isOneCurrency, paid < limit else { throw .saleSettled(sale) }
        throw .beyondSale(left: Money(minorUnits: limit - paid, currency: intent.amount.currency))
    }

    /// Refuses a refund of more than was certainly taken.
    ///
    /// - Parameter withCard: the host is asked at once. A refund without the card is sent after the captures that were
    ///   journalled before it, and never without them.
    func check(refund amount: Money, withCard: Bool) throws(JournalError) {
        let certain = withCard ? confirmed : taken.least
        let rest = certain - min(certain, givenBack.most)
        guard currencies.allSatisfy({ $0 == amount.currency }), amount.minorUnits <= rest else {
            throw .beyondPaid(left: Money(minorUnits: rest, currency: amount.currency))
        }
    }

    /// Refuses a capture of an amount that an earlier capture released, if it was paid another way since.
    ///
    /// - Parameter allowedTip: in minor units, in addition to the authorised amount.
    func check(
        capture amount: Money, tip: Money?, of payment: JournaledTap, _ followUps: [JournaledTap], allowedTip: UInt64
    ) throws(JournalError) {
        let sums = FollowUp.Sums(payment, followUps)
        let range = SaleAccount.range(payment, sums, followUps)
        let captured = SaleAccount.sum(sums.captured, amount.minorUnits)
        // This amount is still on hold.
        guard captured > range.most else { return }
        let others = taken.most - min(taken.most, range.most)
        let paid = SaleAccount.sum(others, captured) - min(others, givenBack.least)
        let tips = min(allowedTip, SaleAccount.sum(sums.tips, tip?.minorUnits ?? 0))
        let most = SaleAccount.sum(isPriceStated ? price?.minorUnits ?? 0 : limit, tips)
        guard paid <= most else {
            let left = most - min(most, paid - amount.minorUnits)
            throw .beyondSale(left: Money(minorUnits: left, currency: amount.currency))
        }
    }

    /// Returns whether a payment can be voided or reversed: the other payments must have taken at least the amount that
    /// was given back of the sale.
    func admits(takingBack payment: JournaledTap, _ followUps: [JournaledTap]) -> Bool {
        let range = SaleAccount.range(payment, FollowUp.Sums(payment, followUps), followUps)
        return range.least == 0 || taken.least - min(taken.least, range.least) >= givenBack.most
    }
}

extension JournaledTap {
    /// The card or the issuer has approved it, and nothing has taken it back.
    fileprivate var isTaken: Bool { isAccepted || queuedAs == .offlineApproval && isOwed }

    /// A refund, with the card or without, or a void.
    fileprivate var givesBack: Bool {
        switch intent.followUp?.kind {
        case nil: intent.kind == .refund
        case .refund?, .void?: true
        case .capture?, .increment?, .deferredAuthorization?, .offlineApproval?: false
        }
    }

    /// The result is not known yet.
    fileprivate var isInDoubt: Bool {
        switch state {
        case .began, .read, .asking, .challenged, .reversing, .setAside: true
        case .approved, .declined, .reversed, .queued, .forwarding, .withdrawn, .writtenOff, .closed: false
        }
    }
}
