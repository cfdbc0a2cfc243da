// SPDX-License-Identifier: Apache-2.0
/// The standing of a sale, from all payments, refunds and follow-ups that the journal has under its reference.
public enum SaleStanding: Sendable, Hashable {
    /// This amount is left to pay, and nothing is in doubt. It is the full price if nothing was paid or everything was
    /// refunded.
    case open(Money)
    /// Nothing is left to pay. An estimate on hold and a payment accepted at the merchant's risk count as paid.
    case paid
    /// A payment, a refund or a void is under way, or its result is not known yet.
    case unknown
    /// The request has no ``SaleReference``, the reader no journal, or nothing says what the sale costs.
    case notTracked
}

/// The account of a sale: captured less refunded. While the result of a payment is unknown, the account is a range.
/// Each check uses the safe end of it: a new payment is checked against the largest sum that may have been paid, a
/// refund against the smallest.
struct SaleAccount {
    /// In minor units.
    struct Range: Hashable {
        var least: UInt64 = 0
        var most: UInt64 = 0

        static func += (one: inout Range, other: Range) {
            one.least = SaleAccount.sum(one.least, other.least)
            one.most = SaleAccount.sum(one.most, other.most)
        }
    }

    /// Captured, or approved as a final amount, less what was voided; at most with what is on hold.
    private(set) var taken = Range()
    /// Refunded, with the card or without.
    private(set) var givenBack = Range()
    /// On hold, or accepted at the merchant's risk: not captured, but not in doubt.
    private var covered: UInt64 = 0
    /// The price of the sale according to its requests; `nil` if no payment counts.
    private(set) var price: Money?
    /// The largest amount that its requests allow.
    private var limit: UInt64 = 0
    private var isPriceStated = false
    /// A payment that is not refused, and not approved yet.
    private(set) var open: ReconciliationKey?
    private(set) var currencies: Set<Currency> = []

    /// - Parameter taps: all of the sale, in order of beginning.
    init(_ taps: [JournaledTap]) {
        var followUps: [ReconciliationKey: [JournaledTap]] = [:]
        for tap in taps { if let key = tap.intent.followUp?.original { followUps[key, default: []].append(tap) } }
        for tap in taps where tap.countsAsPaid {
            currencies.insert(tap.amount.currency)
            if tap.isInDoubt, open == nil { open = tap.key }
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
        let isWaiting = payment.isOwed && payment.queuedAs == .deferredAuthorization && payment.state != .setAside
        let isOnHold = payment.isAccepted && sums.isEstimated && !sums.isVoid
        if isWaiting || isOnHold { covered = SaleAccount.sum(covered, range.most - range.least) }
        // A payment that is voided asks for nothing any more, nor does the rest of an estimate.
        let isVoided = followUps.contains { $0.intent.followUp?.kind == .void && $0.isAccepted }
        let asked = isVoided ? 0 : max(payment.amount.minorUnits, sums.authorized)
        limit = max(limit, asked)
        if let due = payment.intent.due {
            price = due
            isPriceStated = true
        } else if !isPriceStated {
            let isCaptured = sums.isEstimated && sums.captured > 0
            let amount = isCaptured ? sums.captured : asked
            price = Money(minorUnits: max(price?.minorUnits ?? 0, amount), currency: payment.amount.currency)
        }
    }

    /// Returns what a payment has taken. Approval captures a final amount. An estimate has taken its captures; until
    /// the host accepts one, everything on hold may still be captured.
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
    ///   - taps: all of the sale. A tap of which nothing was sent counts for nothing.
    ///   - request: what is, or was, to be paid now; a refund's amount says nothing of the price.
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
        guard let price else { return .notTracked }
        guard price.minorUnits > paid else { return .paid }
        return .open(Money(minorUnits: price.minorUnits - paid, currency: price.currency))
    }

    // MARK: - What it admits

    /// Refuses a payment of more than is left, assuming that every payment in doubt was taken.
    func check(payment intent: TapIntent, of sale: SaleReference) throws(JournalError) {
        guard price != nil else { return }
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

    /// Refuses a refund of more than was certainly taken, with the card or without.
    func check(refund amount: Money) throws(JournalError) {
        let rest = taken.least - min(taken.least, givenBack.most)
        guard currencies.allSatisfy({ $0 == amount.currency }), amount.minorUnits <= rest else {
            throw .beyondPaid(left: Money(minorUnits: rest, currency: amount.currency))
        }
    }

    /// Refuses a void of a payment that was refunded in part. A void takes back the whole payment.
    func check(voidOf payment: JournaledTap, _ followUps: [JournaledTap]) throws(JournalError) {
        let sums = FollowUp.Sums(payment, followUps)
        let range = SaleAccount.range(payment, sums, followUps)
        guard taken.least - min(taken.least, range.least) >= givenBack.most else {
            throw .beyondPaid(left: Money(minorUnits: 0, currency: payment.amount.currency))
        }
    }
}

extension JournaledTap {
    /// The card or the issuer has approved it, and nothing has taken it back.
    fileprivate var isTaken: Bool { isAccepted || queuedAs == .offlineApproval && isOwed }

    /// The result is not known yet.
    fileprivate var isInDoubt: Bool {
        switch state {
        case .began, .read, .asking, .challenged, .reversing, .setAside: true
        case .approved, .declined, .reversed, .queued, .forwarding, .withdrawn, .writtenOff, .closed: false
        }
    }
}
