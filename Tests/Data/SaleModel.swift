// SPDX-License-Identifier: Apache-2.0
import EMVKit

/// An independent computation of the amounts paid for a sale. It lists every possible world, in which each undecided
/// operation has or has not happened, and determines what is true in all of them.
private struct Worlds {
    enum Kind { case final, estimate, capture, increment, refund, void }

    struct Item {
        let kind: Kind
        let amount: Int
        var due: Int?
        /// The payment to which a follow-up belongs.
        var parent: Int?
        /// `nil`: it may have happened.
        var happened: Bool? = true
        /// It waits for the host and is meant to happen.
        var isQueued = false
        /// The requested amount, if less was approved.
        var whole: Int?
        var asked: Int { whole ?? amount }
    }

    var items: [Item] = []

    /// For each world and payment: the captured amount, the maximum that may still be captured, and the refunded
    /// amount.
    private func worlds(queuedHappen: Bool) -> [(captured: Int, most: Int, back: Int)] {
        let open = items.indices.filter { items[$0].happened == nil && !(queuedHappen && items[$0].isQueued) }
        return (0..<(1 << open.count)).map { mask in
            func isReal(_ index: Int) -> Bool {
                guard let place = open.firstIndex(of: index) else { return items[index].happened ?? true }
                return mask >> place & 1 == 1
            }
            var captured = 0, most = 0, back = 0
            for index in items.indices where isReal(index) {
                let item = items[index]
                let after = items.indices.filter { items[$0].parent == index && isReal($0) }.map { items[$0] }
                if after.contains(where: { $0.kind == .void }) { continue }
                let parts = after.filter { $0.kind == .capture }.map(\.amount).reduce(0, +)
                let held = item.amount + after.filter { $0.kind == .increment }.map(\.amount).reduce(0, +)
                switch item.kind {
                case .final:
                    captured += item.amount
                    most += item.amount
                case .estimate:
                    captured += parts
                    most += parts > 0 ? parts : held
                case .refund: back += item.amount
                case .capture, .increment, .void: break
                }
            }
            // A refund may also follow a payment that is void in this world: the money was returned nevertheless.
            return (captured, most, back)
        }
    }

    /// The maximum amount that its requests permit; `nil`: none counts.
    private var limit: (amount: Int, isStated: Bool)? {
        let payments = items.indices.filter {
            [.final, .estimate].contains(items[$0].kind) && items[$0].happened != false
        }
        if let due = payments.compactMap({ items[$0].due }).last { return (due, true) }
        guard !payments.isEmpty else { return nil }
        let asked = payments.map { index -> Int in
            let after = items.filter { $0.parent == index && $0.happened == true }
            if after.contains(where: { $0.kind == .void }) { return 0 }
            return items[index].asked + after.filter { $0.kind == .increment }.map(\.amount).reduce(0, +)
        }
        return (asked.max() ?? 0, false)
    }

    func takes(payment amount: Int, due: Int?) -> Bool {
        guard let limit else { return true }
        let most = due ?? (limit.isStated ? limit.amount : max(limit.amount, amount))
        return worlds(queuedHappen: false).allSatisfy { $0.most - $0.back + amount <= most }
    }

    /// - Parameter isSentAfter: sent after everything that is already queued.
    func takes(refund amount: Int, isSentAfter: Bool) -> Bool {
        worlds(queuedHappen: isSentAfter).allSatisfy { amount + $0.back <= $0.captured }
    }

    /// First the payment's own limit, then the sale's.
    func takes(_ kind: Kind, _ amount: Int, after parent: Int) -> Bool {
        let payment = items[parent], after = items.filter { $0.parent == parent && $0.happened != false }
        func sum(_ kind: Kind) -> Int { after.filter { $0.kind == kind }.map(\.amount).reduce(0, +) }
        guard payment.happened == true, !after.contains(where: { $0.kind == .void }) else { return false }
        let isEstimate = payment.kind == .estimate, held = payment.amount + sum(.increment)
        let captured = isEstimate ? sum(.capture) : payment.amount
        switch kind {
        case .capture: return isEstimate && captured + amount <= held
        case .increment: return isEstimate && captured == 0
        case .refund: return sum(.refund) + amount <= captured && takes(refund: amount, isSentAfter: true)
        case .void:
            guard sum(.refund) == 0, !isEstimate || captured == 0 else { return false }
            var without = self
            without.items[parent].happened = false
            return without.takes(refund: 0, isSentAfter: true)
        case .final, .estimate: return false
        }
    }

    /// The payment with all increments.
    func held(_ parent: Int) -> Int {
        items.filter { $0.parent == parent && $0.kind == .increment && $0.happened == true }
            .reduce(items[parent].amount) { $0 + $1.amount }
    }
}

/// Operations on one sale, and which of them a journal has to admit. The events depend only on the previous operations:
/// a process that was killed continues at the same place.
package struct SaleModel: Sendable {
    package enum Step: CaseIterable, Sendable {
        case pay, payPart, payWithDue, payUnknown, payDeclined, estimate
        case capture, captureQueued, increment, refund, refundPart, refundQueued, void, voidQueued
        case refundCard, refundCardPart, refundCardUnknown
    }

    /// All sequences of three operations.
    package static let orders: [[Step]] = Step.allCases.flatMap { one in
        Step.allCases.flatMap { two in Step.allCases.map { [one, two, $0] } }
    }

    private struct Plan {
        let key: ReconciliationKey
        let isAdmitted: Bool
        /// Events that are written together, in order; the first write is the one that is admitted or refused.
        let writes: [[JournalEvent]]
    }

    private static let moment = LocalTime.now()
    private static let read = StoredRead(
        authorization: .onlineRequired, cvm: .none, maskedPAN: nil, clearRecord: CardData([]))

    package let sale: SaleReference
    private var worlds = Worlds()
    private var keys: [ReconciliationKey] = []
    private var count = 0

    package init(_ sale: SaleReference) { self.sale = sale }

    // MARK: - Operations

    /// Continues as if the journal had admitted the step.
    package mutating func pass(_ step: Step) { _ = plan(step) }

    /// - Returns: the journal admits or refuses the step as the model does.
    package mutating func take(_ step: Step, _ journal: any Journal) async throws(JournalError) -> Bool {
        guard let plan = plan(step) else { return true }
        for (number, events) in plan.writes.enumerated() {
            do throws(JournalError) {
                try await journal.append(events, to: plan.key)
            } catch {
                switch error {
                case .saleSettled, .saleOpen, .beyondSale, .beyondPaid, .followUpRefused:
                    return number == 0 && !plan.isAdmitted
                default: throw error
                }
            }
            if !plan.isAdmitted { return false }
        }
        return true
    }

    /// `nil`: there is no payment to follow up.
    private mutating func plan(_ step: Step) -> Plan? {
        switch step {
        case .pay: return pay(2_000, .approved)
        case .payPart: return pay(2_000, .approved, part: 800)
        case .payWithDue: return pay(1_200, .approved, due: 2_000)
        case .payUnknown: return pay(2_000, .unknown)
        case .payDeclined: return pay(2_000, .declined)
        case .estimate: return pay(2_000, .approved, isEstimated: true)
        case .capture: return follow(.capture(euro(1_500), tip: nil), .capture, 1_500)
        case .captureQueued: return follow(.capture(euro(1_500), tip: nil), .capture, 1_500, isQueued: true)
        case .increment: return follow(.increment(euro(500)), .increment, 500)
        case .refund: return follow(.refund(euro(2_000)), .refund, 2_000)
        case .refundPart: return follow(.refund(euro(500)), .refund, 500)
        case .refundQueued: return follow(.refund(euro(500)), .refund, 500, isQueued: true)
        case .void: return follow(.void, .void, 0)
        case .voidQueued: return follow(.void, .void, 0, isQueued: true)
        case .refundCard: return pay(2_000, .approved, kind: .refund)
        case .refundCardPart: return pay(500, .approved, kind: .refund)
        case .refundCardUnknown: return pay(500, .unknown, kind: .refund)
        }
    }

    private enum End { case approved, declined, unknown }

    private func euro(_ amount: Int) -> Money { Money(minorUnits: UInt64(amount), currency: .eur) }

    private mutating func nextKey() -> ReconciliationKey {
        count += 1
        return ReconciliationKey(rawValue: "\(sale.rawValue)-\(count)")!
    }

    private mutating func pay(
        _ amount: Int, _ end: End, part: Int? = nil, due: Int? = nil, isEstimated: Bool = false,
        kind: Receipt.Kind = .purchase
    ) -> Plan {
        let key = nextKey()
        let intent = with(
            TapIntent(
                sale: sale, kind: kind, amount: euro(amount), due: due.map { euro($0) }, counter: 1,
                moment: SaleModel.moment)
        ) { $0.isEstimated = isEstimated }
        let isAdmitted =
            kind == .refund ? worlds.takes(refund: amount, isSentAfter: false) : worlds.takes(payment: amount, due: due)
        let last: JournalEvent =
            switch end {
            case .approved: .answered(.approved(Approval(approvedAmount: part.map { euro($0) })))
            case .declined: .answered(.declined(Decline(reason: .issuer)))
            case .unknown: .reversing(.timedOut)
            }
        if isAdmitted {
            var item = Worlds.Item(
                kind: kind == .refund ? .refund : isEstimated ? .estimate : .final, amount: part ?? amount, due: due,
                happened: end == .unknown ? nil : end == .approved)
            item.whole = amount
            worlds.items.append(item)
            keys.append(key)
        }
        return Plan(
            key: key, isAdmitted: isAdmitted,
            writes: [[.began(intent)], [.read(SaleModel.read), .asking(attempt: 1, deadline: .zero)], [last]])
    }

    /// A follow-up of the last payment.
    private mutating func follow(
        _ action: FollowUp.Action, _ kind: Worlds.Kind, _ amount: Int, isQueued: Bool = false
    ) -> Plan? {
        let payments = worlds.items.indices.filter { [.final, .estimate].contains(worlds.items[$0].kind) }
        guard let parent = payments.last else { return nil }
        let followUp = FollowUp(action, of: keys[parent], key: nextKey())
        let intent = TapIntent(
            sale: sale, kind: kind == .refund ? .refund : .purchase,
            amount: euro(kind == .void ? worlds.held(parent) : amount), counter: 0, moment: SaleModel.moment,
            followUp: followUp)
        let isAdmitted = worlds.takes(kind, amount, after: parent)
        if isAdmitted {
            worlds.items.append(
                Worlds.Item(
                    kind: kind, amount: amount, parent: parent, happened: isQueued ? nil : true, isQueued: isQueued))
            keys.append(followUp.key)
        }
        let sent: [[JournalEvent]] = isQueued ? [] : [[.forwarding(attempt: 1), .forwarded(.approved(Approval()))]]
        return Plan(
            key: followUp.key, isAdmitted: isAdmitted, writes: [[.began(intent), .queued(followUp.kind)]] + sent)
    }

    // MARK: - Accounts

    /// The journal's account of the sale, without times.
    package func account(_ journal: any Journal) async throws(JournalError) -> [String] {
        try await journal.taps(of: sale).map { "\($0) \($0.amount) \($0.approvedAmount) \($0.countsAsPaid)" }
    }

    /// Performs these steps over another journal.
    ///
    /// - Returns: its account afterwards.
    package static func account(
        _ sale: SaleReference, after steps: [Step], _ journal: any Journal
    ) async throws(JournalError) -> [String] {
        var model = SaleModel(sale)
        for step in steps { _ = try await model.take(step, journal) }
        return try await model.account(journal)
    }
}
