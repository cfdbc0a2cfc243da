// SPDX-License-Identifier: Apache-2.0
@testable import EMVKit
import EMVSimulator
import Testing

/// What a sale has paid, by a second implementation: it lists every world that may be true, in which each operation
/// that is not decided yet has happened or has not, and looks what holds in all of them.
private struct Worlds {
    enum Kind { case final, estimate, capture, increment, refund, void }

    struct Item {
        let kind: Kind
        let amount: Int
        var due: Int?
        /// The payment that it follows.
        var parent: Int?
        /// `nil`: it may have happened.
        var happened: Bool? = true
        /// It waits for the host and is meant to happen.
        var isQueued = false
        /// What was asked for, where less was approved.
        var whole: Int?
        var asked: Int { whole ?? amount }
    }

    var items: [Item] = []

    /// Of each world, for each payment: what it has captured, and what it may still take. And what was given back.
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
            // A refund also follows a payment that is void in this world: it was given back all the same.
            return (captured, most, back)
        }
    }

    /// What its requests allow to be taken at most; `nil`: none of them counts.
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

    func takes(refund amount: Int) -> Bool {
        worlds(queuedHappen: true).allSatisfy { amount + $0.back <= $0.captured }
    }
}

/// P1, P2 and P3: one account of a sale.
@Suite(.everyJournal) struct SaleAccountTests {
    private static let sale = SaleReference.order(1)

    enum Step: CaseIterable {
        case pay, payPart, payWithDue, payUnknown, payDeclined, estimate
        case capture, captureQueued, increment, refund, refundPart, refundQueued, void, voidQueued
        case refundCard, refundCardPart, refundCardUnknown
    }

    /// A journal and what a second implementation makes of the same steps.
    private struct Both {
        let journal = MemoryJournal()
        var worlds = Worlds()
        var keys: [ReconciliationKey?] = []

        /// - Returns: journal and worlds agree whether the step is taken.
        mutating func take(_ step: Step) async throws -> Bool {
            switch step {
            case .pay: return try await pay(2_000, .approved)
            case .payPart: return try await pay(2_000, .approved, part: 800)
            case .payWithDue: return try await pay(1_200, .approved, due: 2_000)
            case .payUnknown: return try await pay(2_000, .unknown)
            case .payDeclined: return try await pay(2_000, .declined)
            case .estimate: return try await pay(2_000, .approved, isEstimated: true)
            case .capture: return try await follow(.capture(eur(1_500), tip: nil), .capture, 1_500)
            case .captureQueued:
                return try await follow(.capture(eur(1_500), tip: nil), .capture, 1_500, isQueued: true)
            case .increment: return try await follow(.increment(eur(500)), .increment, 500)
            case .refund: return try await follow(.refund(eur(2_000)), .refund, 2_000)
            case .refundPart: return try await follow(.refund(eur(500)), .refund, 500)
            case .refundQueued: return try await follow(.refund(eur(500)), .refund, 500, isQueued: true)
            case .void: return try await follow(.void, .void, 0)
            case .voidQueued: return try await follow(.void, .void, 0, isQueued: true)
            case .refundCard: return try await pay(2_000, .approved, kind: .refund)
            case .refundCardPart: return try await pay(500, .approved, kind: .refund)
            case .refundCardUnknown: return try await pay(500, .unknown, kind: .refund)
            }
        }

        enum End { case approved, declined, unknown }

        private mutating func pay(
            _ amount: Int, _ end: End, part: Int? = nil, due: Int? = nil, isEstimated: Bool = false,
            kind: Receipt.Kind = .purchase
        ) async throws -> Bool {
            let key = ReconciliationKey()
            let intent = TapIntent(
                sale: SaleAccountTests.sale, kind: kind, amount: eur(UInt64(amount)), due: due.map { eur(UInt64($0)) },
                isEstimated: isEstimated, counter: 1, moment: noon)
            let isTaken = kind == .refund ? worlds.takes(refund: amount) : worlds.takes(payment: amount, due: due)
            do { try await journal.append([.began(intent)], to: key) } catch { return !isTaken }
            guard isTaken else { return false }
            try await journal.append([.read(Sample.stored), .asking(attempt: 1, deadline: .zero)], to: key)
            switch end {
            case .approved:
                let approval = Approval(approvedAmount: part.map { eur(UInt64($0)) })
                try await journal.append([.answered(.approved(approval))], to: key)
            case .declined: try await journal.append([.answered(.declined(Decline(reason: .issuer)))], to: key)
            case .unknown: try await journal.append([.reversing(.timedOut)], to: key)
            }
            var item = Worlds.Item(
                kind: kind == .refund ? .refund : isEstimated ? .estimate : .final, amount: part ?? amount, due: due,
                happened: end == .unknown ? nil : end == .approved)
            item.whole = amount
            worlds.items.append(item)
            keys.append(key)
            return true
        }

        /// Of the last payment.
        private mutating func follow(
            _ action: FollowUp.Action, _ kind: Worlds.Kind, _ amount: Int, isQueued: Bool = false
        ) async throws -> Bool {
            let payments = worlds.items.indices.filter { [.final, .estimate].contains(worlds.items[$0].kind) }
            guard let parent = payments.last, let original = keys[parent] else { return true }
            let followUp = FollowUp(action, of: original), tap = try #require(await journal.tap(original))
            let before = try await journal.followUps(of: original)
            let intent = TapIntent(
                sale: SaleAccountTests.sale, kind: kind == .refund ? .refund : .purchase,
                amount: followUp.amount(of: tap, before), counter: 0, moment: noon, followUp: followUp)
            let isTaken = takes(kind, amount, parent)
            do {
                try await journal.append([.began(intent), .queued(followUp.kind)], to: followUp.key)
            } catch {
                return !isTaken
            }
            guard isTaken else { return false }
            if !isQueued {
                try await journal.append(
                    [.forwarding(attempt: 1), .forwarded(.approved(Approval()))], to: followUp.key)
            }
            worlds.items.append(
                Worlds.Item(
                    kind: kind, amount: amount, parent: parent, happened: isQueued ? nil : true, isQueued: isQueued))
            keys.append(followUp.key)
            return true
        }

        /// What the payment alone allows, then the sale.
        private func takes(_ kind: Worlds.Kind, _ amount: Int, _ parent: Int) -> Bool {
            let payment = worlds.items[parent],
                after = worlds.items.filter { $0.parent == parent && $0.happened != false }
            func sum(_ kind: Worlds.Kind) -> Int { after.filter { $0.kind == kind }.map(\.amount).reduce(0, +) }
            guard payment.happened == true, !after.contains(where: { $0.kind == .void }) else { return false }
            let isEstimate = payment.kind == .estimate, held = payment.amount + sum(.increment)
            let captured = isEstimate ? sum(.capture) : payment.amount
            switch kind {
            case .capture: return isEstimate && captured + amount <= held
            case .increment: return isEstimate && captured == 0
            case .refund: return sum(.refund) + amount <= captured && worlds.takes(refund: amount)
            case .void:
                guard sum(.refund) == 0, !isEstimate || captured == 0 else { return false }
                var without = worlds
                without.items[parent].happened = false
                return without.takes(refund: 0)
            case .final, .estimate: return false
            }
        }
    }

    @Test("P2, P3: every order of three operations is admitted or refused as all that may be true requires")
    func ordersOfThree() async throws {
        guard JournalKind.current == .memory else { return }
        for one in Step.allCases {
            for two in Step.allCases {
                for three in Step.allCases {
                    var both = Both()
                    for step in [one, two, three] {
                        let agrees = try await both.take(step)
                        #expect(agrees, "\(one), \(two), \(three): \(step)")
                        if !agrees { break }
                    }
                }
            }
        }
    }
}
