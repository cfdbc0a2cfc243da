// SPDX-License-Identifier: Apache-2.0
/// The checks of every journal before it writes, as pure functions. A journal looks up the values that they need, and
/// writes the events that they return.
package enum JournalRules {
    /// The data that the checks need before events are written.
    package struct Context: Sendable {
        /// The payment, if its key has begun.
        package var tap: JournaledTap?
        /// All payments of the sale that begins here, or whose approved payment is about to be reversed.
        package var ofSale: [JournaledTap] = []
        /// The payment that is followed up here, and all its follow-ups.
        package var original: JournaledTap?
        package var followUps: [JournaledTap] = []
        /// All payments that are not closed.
        package var open: [JournaledTap] = []
        package var standing = JournalStanding()
        /// Tips in addition to the authorised amount, in minor units.
        package var allowedTip: UInt64 = 0

        package init() {}
    }

    /// Returns the payment after these events.
    package static func applied(
        _ events: [JournalEvent], to key: ReconciliationKey, at moment: JournalMoment, within limits: OfflineLimits?,
        _ context: Context
    ) throws(JournalError) -> JournaledTap {
        if case .began(let intent)? = events.first, context.tap == nil {
            if context.standing.isFull { throw .full }
            if let followUp = intent.followUp {
                try check(followUp, intent, context)
            } else {
                try checkSale(intent, context.ofSale)
            }
        }
        let tap = try folded(events, to: key, at: moment, context)
        // Checked in the same step as the write: of a reversal and a follow-up or a refund, only the first is written.
        if let payment = context.tap, takesBack(events, payment) {
            if context.followUps.contains(where: { $0.keepsOriginal }) { throw .followUpRefused(.notPossible, of: key) }
            if payment.sale != nil, !SaleAccount(context.ofSale).admits(takingBack: payment, context.followUps) {
                throw .followUpRefused(.abovePaid, of: key)
            }
        }
        if let limits, events.contains(where: { $0.name == .queued }) { try check(limits, tap, context) }
        return tap
    }

    /// Returns the original whose follow-ups must be known: that of the follow-up that begins, or an approved payment
    /// that is about to be reversed.
    ///
    /// - Parameter tap: the payment before these events, if its key has begun.
    package static func original(
        _ events: [JournalEvent], _ key: ReconciliationKey, _ tap: JournaledTap?
    ) -> ReconciliationKey? {
        if case .began(let intent)? = events.first { return intent.followUp?.original }
        return takesBack(events, tap) ? key : nil
    }

    /// Returns the sale whose payments must be known: that of the payment that begins, or of an approved payment that
    /// is about to be reversed.
    package static func sale(_ events: [JournalEvent], _ tap: JournaledTap?) -> SaleReference? {
        if case .began(let intent)? = events.first { return intent.sale }
        return takesBack(events, tap) ? tap?.sale : nil
    }

    private static func takesBack(_ events: [JournalEvent], _ tap: JournaledTap?) -> Bool {
        tap?.state == .approved && events.contains { $0.name == .reversing }
    }

    /// Returns the payment after events that were written before. It does not check again whether they were allowed.
    package static func folded(
        _ events: [JournalEvent], to key: ReconciliationKey, at moment: JournalMoment, _ context: Context
    ) throws(JournalError) -> JournaledTap {
        var rest = events[...]
        var tap: JournaledTap
        if case .began(let intent)? = rest.first {
            if context.tap != nil { throw .keyUsed(key) }
            tap = JournaledTap(key, intent, at: moment)
            rest = rest.dropFirst()
        } else if let known = context.tap {
            tap = known
        } else {
            throw .unknownKey(key)
        }
        for event in rest { try tap.apply(event, at: moment) }
        return tap
    }

    /// Checks that a payment of a sale is for no more than is left to pay, and a refund for no more than was paid. This
    /// journal knows its own payments and those it took over from another one, and none that it has already deleted.
    private static func checkSale(_ intent: TapIntent, _ taps: [JournaledTap]) throws(JournalError) {
        guard let sale = intent.sale else { return }
        let account = SaleAccount(taps)
        if intent.kind == .refund {
            try account.check(refund: intent.amount, withCard: true)
        } else {
            try account.check(payment: intent, of: sale)
        }
    }

    private static func check(_ followUp: FollowUp, _ intent: TapIntent, _ context: Context) throws(JournalError) {
        guard let original = context.original, case .approved = original.result, original.intent.followUp == nil,
            original.intent.kind != .refund, original.amount.currency == intent.amount.currency,
            intent.amount == followUp.amount(of: original, context.followUps)
        else { throw .followUpRefused(.notPossible, of: followUp.original) }
        let sums = FollowUp.Sums(original, context.followUps)
        if let refusal = sums.refusal(of: followUp, allowedTip: context.allowedTip) {
            throw .followUpRefused(refusal, of: followUp.original)
        }
        guard intent.sale != nil else { return }
        let account = SaleAccount(context.ofSale)
        switch followUp.action {
        case .refund(let amount): try account.check(refund: amount, withCard: false)
        case .void:
            guard account.admits(takingBack: original, context.followUps) else {
                throw .beyondPaid(left: Money(minorUnits: 0, currency: intent.amount.currency))
            }
        case .capture(let amount, let tip):
            try account.check(
                capture: amount, tip: tip, of: original, context.followUps, allowedTip: context.allowedTip)
        case .increment: break
        }
    }

    /// Checks the limits here, so that two readers with one journal together stay within the limits of one.
    private static func check(
        _ limits: OfflineLimits, _ tap: JournaledTap, _ context: Context
    ) throws(JournalError) {
        if let rule = limits.stops(tap.amount, at: context.standing) { throw .limit(rule) }
        guard tap.queuedAs == .deferredAuthorization else { return }
        guard tap.read?.payload != nil else { throw .limit(.unsealed) }
        guard let fingerprint = tap.read?.fingerprint else { throw .limit(.fingerprint) }
        let ofCard = context.open.filter { $0.key != tap.key && $0.read?.fingerprint == fingerprint }
        if ofCard.contains(where: { $0.state == .declined }) { throw .limit(.declinedBefore) }
        let waiting = ofCard.filter { $0.queuedAs == .deferredAuthorization && $0.isOwed }
        if let rule = limits.stops(tap.amount, waiting: waiting) { throw .limit(rule) }
    }

    /// Returns the standing that results from open payments.
    ///
    /// - Parameter lastContact: when the host last answered.
    package static func standing(
        of open: [JournaledTap], now: JournalMoment, lastContact: JournalMoment?
    ) -> JournalStanding {
        var standing = JournalStanding()
        standing.now = now
        standing.sinceHost = lastContact.map { now.age(of: $0) }
        for tap in open {
            if tap.isUnresolved { standing.unresolved.add(tap.amount) }
            if tap.isHeld { standing.restored.add(tap.amount) }
            if tap.state == .setAside { standing.setAside.add(tap.amount) }
            if tap.state == .queued || tap.state == .forwarding {
                if tap.queuedAs == .deferredAuthorization {
                    standing.deferred.add(tap.amount)
                } else {
                    standing.unreported.add(tap.amount)
                }
            }
            if tap.isToTell { standing.untold += 1 }
            // A record that the host rejects waits for a person: it gives no information about the host.
            if tap.state == .queued || tap.state == .forwarding, let since = tap.queuedAt {
                let age = now.age(of: since)
                standing.oldest = max(standing.oldest ?? age, age)
            }
            let isApproval = tap.state == .approved || tap.queuedAs == .offlineApproval
            if isApproval, tap.isToTell, tap.intent.followUp == nil { standing.unacknowledged.add(tap.amount) }
            if let identifier = tap.read?.payload?.keyIdentifier { standing.keysInUse.insert(identifier) }
        }
        return standing
    }

    package static let lastCounter: UInt32 = 99_999_999

    package static func counter(after last: UInt32) -> UInt32 { last >= lastCounter ? 1 : last + 1 }

    /// Returns the later of two counters, which restart at 1 after the largest value.
    package static func later(_ one: UInt32, _ other: UInt32) -> UInt32 {
        guard one > 0, other > 0 else { return max(one, other) }
        let distance = one >= other ? one - other : lastCounter - other + one
        return distance < lastCounter / 2 ? one : other
    }

    /// Returns whether the event proves that the host was reachable.
    package static func isContact(_ event: JournalEvent) -> Bool {
        switch event {
        case .answered(let result):
            if case .declined(let decline) = result {
                decline.reason != .card && decline.reason != .insufficientOfflineBalance
            } else {
                true
            }
        case .challenged, .reversed, .answeredLate, .forwarded, .setAside: true
        default: false
        }
    }
}
