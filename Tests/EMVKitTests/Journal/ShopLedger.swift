// SPDX-License-Identifier: Apache-2.0
@testable import EMVCards
@testable import EMVKernel
@testable import EMVKit
@testable import EMVPOS
@testable import EMVSimulator

/// Checks against the host's ledger what a POS shows, prints and reports. It knows the app's requests and the host's
/// bookings; it does not know the journal, its rules or its account of a sale.
struct ShopLedger {
    enum Kind { case payment, estimate, refund, capture, increment, void }

    /// The app's request under a key.
    struct Ticket: CustomStringConvertible {
        let key: ReconciliationKey
        let sale: SaleReference
        let kind: Kind
        let amount: UInt64
        /// The original payment, for a follow-up.
        var original: ReconciliationKey?
        var isPayment: Bool { kind == .payment || kind == .estimate }
        var description: String { "\(sale) \(key) \(kind) \(amount)" }
    }

    struct Order {
        let price: UInt64
        /// Whether each request of the order states the price as ``PaymentRequest/due``.
        let isStated: Bool
    }

    /// What a screen claims about the money.
    private enum Claim { case paid, part, accepted, alreadyPaid, unpaid, nothing }

    /// The host's bookings at the last check.
    var bookings: [ReconciliationKey: SimulatedHost.Booking] = [:]
    private(set) var tickets: [ReconciliationKey: Ticket] = [:]
    private(set) var orders: [SaleReference: Order] = [:]
    /// The keys in the order in which they began.
    private(set) var keys: [ReconciliationKey] = []
    /// Keys shown or reported as not paid, with the wording.
    private(set) var unpaid: [ReconciliationKey: String] = [:]
    /// Keys shown as paid.
    private(set) var paid: Set<ReconciliationKey> = []
    /// Keys that the host has to book later: approved by the card, accepted at the merchant's risk, a capture.
    private(set) var owed: Set<ReconciliationKey> = []
    /// Keys accepted at the merchant's risk.
    private(set) var accepted: Set<ReconciliationKey> = []
    /// Keys that a person wrote off or withdrew: the host's booking may differ from the journal.
    private(set) var givenUp: Set<ReconciliationKey> = [], withdrawn: Set<ReconciliationKey> = []
    /// Orders whose result the app has not received, because a process ended during the payment.
    private(set) var uninformed: Set<SaleReference> = []
    private(set) var wrong: [String] = []

    // MARK: - Actions of the app

    mutating func begins(_ ticket: Ticket, _ order: Order? = nil) {
        if let order, orders[ticket.sale] == nil { orders[ticket.sale] = order }
        if tickets.updateValue(tickets[ticket.key] ?? ticket, forKey: ticket.key) == nil { keys.append(ticket.key) }
        // A key that was refused earlier may begin; a key that began earlier is refused now. Earlier statements apply
        // up to this point.
        if let what = unpaid.removeValue(forKey: ticket.key), booked(ticket.key) != nil {
            note(ticket, "\(what), and booked")
        }
    }

    mutating func owes(_ key: ReconciliationKey, isAccepted: Bool = false) {
        owed.insert(key)
        if isAccepted { accepted.insert(key) }
    }

    mutating func withdraws(_ key: ReconciliationKey) {
        withdrawn.insert(key)
        owed.remove(key)
    }

    mutating func givesUp(_ key: ReconciliationKey) {
        givenUp.insert(key)
        owed.remove(key)
    }

    mutating func crashed() { uninformed = Set(orders.keys) }
    mutating func recovered() { uninformed = [] }

    // MARK: - Bookings of the host

    /// The booked amount in minor units; `nil`: not booked.
    func booked(_ key: ReconciliationKey) -> UInt64? {
        guard let booking = bookings[key], booking.state == .approved else { return nil }
        return (booking.approval?.approvedAmount ?? booking.amount).minorUnits
    }

    struct Sums {
        var captured: UInt64 = 0, held: UInt64 = 0, back: UInt64 = 0, increments: UInt64 = 0
        var net: Int { Int(captured + held) - Int(back) }
    }

    private func tickets(of sale: SaleReference) -> [Ticket] { tickets.values.filter { $0.sale == sale } }

    private func followUps(of key: ReconciliationKey, _ kind: Kind) -> [Ticket] {
        tickets.values.filter { $0.original == key && $0.kind == kind }
    }

    private func sum(_ tickets: [Ticket]) -> UInt64 { tickets.reduce(0) { $0 + (booked($1.key) ?? 0) } }

    func isVoid(_ key: ReconciliationKey) -> Bool {
        followUps(of: key, .void).contains { booked($0.key) != nil }
    }

    /// A capture releases the rest of its estimate.
    func sums(of sale: SaleReference) -> Sums {
        var sums = Sums()
        for ticket in tickets(of: sale) {
            guard let amount = booked(ticket.key) else { continue }
            switch ticket.kind {
            case .payment, .estimate:
                if isVoid(ticket.key) { continue }
                let captured = sum(followUps(of: ticket.key, .capture))
                let increments = sum(followUps(of: ticket.key, .increment))
                sums.increments += increments
                if ticket.kind == .payment {
                    sums.captured += amount
                } else if captured > 0 {
                    sums.captured += captured
                } else {
                    sums.held += amount + increments
                }
            case .refund: sums.back += amount
            case .capture, .increment, .void: break
            }
        }
        return sums
    }

    /// The amount that will be booked, as far as the app knows. Until a first capture is booked, the whole estimate
    /// counts.
    private func owed(of sale: SaleReference) -> UInt64 {
        tickets(of: sale).filter { ticket in
            guard owed.contains(ticket.key), booked(ticket.key) == nil else { return false }
            if let original = ticket.original {
                return ticket.kind == .capture && sum(followUps(of: original, .capture)) > 0
            }
            return ticket.isPayment
        }
        .reduce(0) { $0 + $1.amount }
    }

    /// The smallest amount that pays the order: without a stated price, the amount that its payments requested or
    /// captured.
    private func least(_ sale: SaleReference) -> UInt64? {
        if let order = orders[sale], order.isStated { return order.price }
        return tickets(of: sale).compactMap { ticket -> UInt64? in
            guard ticket.isPayment, booked(ticket.key) != nil || owed.contains(ticket.key), !isVoid(ticket.key) else {
                return nil
            }
            // A capture states the order's final amount, even before the host has booked it.
            let captures = followUps(of: ticket.key, .capture)
            let captured = captures.reduce(0) { $0 + (booked($1.key) ?? (owed.contains($1.key) ? $1.amount : 0)) }
            return ticket.kind == .estimate && captured > 0 ? captured : ticket.amount
        }.max()
    }

    private func isPaid(_ sale: SaleReference) -> Bool {
        guard let least = least(sale) else { return false }
        return sums(of: sale).net + Int(owed(of: sale)) >= Int(least)
    }

    /// A person has written off one of its payments, so the host's booking of it is unknown.
    private func isMurky(_ sale: SaleReference) -> Bool { tickets(of: sale).contains { givenUp.contains($0.key) } }

    // MARK: - Invariants at any time

    /// These invariants also apply while bookings are in doubt.
    mutating func look(_ ledger: [ReconciliationKey: SimulatedHost.Booking]) {
        bookings = ledger
        for (key, what) in unpaid where booked(key) != nil {
            guard let ticket = tickets[key], !givenUp.contains(key) else { continue }
            unpaid[key] = nil
            note(ticket, "\(what), and booked later")
        }
        for (sale, order) in orders where !isMurky(sale) {
            let sums = sums(of: sale)
            if sums.back > sums.captured { wrong.append("\(sale): \(sums.back) given back of \(sums.captured)") }
            if sums.net > Int(order.price + sums.increments) {
                wrong.append("\(sale): \(sums.net) taken for a price of \(order.price)")
            }
        }
        for ticket in tickets.values where booked(ticket.key) != nil {
            guard let original = ticket.original, ticket.kind != .increment, !givenUp.contains(original) else {
                continue
            }
            if booked(original) == nil { note(ticket, "follows what is not booked") }
        }
    }

    // MARK: - Statements of the POS

    private mutating func note(_ ticket: Ticket, _ what: String) {
        wrong.append("\(ticket): \(what)")
    }

    private func claim(_ screen: Presentation) -> Claim {
        switch screen.headline {
        case TextKey("headline.approved"), TextKey("headline.signature"): .paid
        case TextKey("headline.part"): .part
        case TextKey("headline.accepted"): .accepted
        case Problem(.saleSettled).textKey: .alreadyPaid
        default: screen.mark == .notCompleted || screen.mark == .declined ? .unpaid : .nothing
        }
    }

    /// Next steps that take the money in another way.
    private static let otherWays: Set<Alternative> = [.retry, .anotherCard, .cash, .paymentLink]

    /// - Parameters:
    ///   - isOwn: whether the screen belongs to the key's payment; otherwise the call was refused before a payment
    ///     began.
    ///   - isLatest: whether nothing else has happened to the order since.
    mutating func shows(_ screen: Presentation, of ticket: Ticket, isOwn: Bool = true, isLatest: Bool = true) {
        let key = ticket.key, claim = claim(screen), said = "shown as \(screen.headline)"
        let amount = booked(key)
        if (screen.mark == .completed) != (claim == .paid || claim == .accepted) { note(ticket, "\(said): its mark") }
        switch claim {
        case .paid, .part:
            let isBooked = amount != nil && amount == screen.total?.minorUnits
            let isOwed = owed.contains(key) && screen.total?.minorUnits == ticket.amount
            if !isBooked, !isOwed { note(ticket, "\(said), booked: \(amount ?? 0)") }
            if claim == .part, isLatest { checkRest(screen, ticket, said) }
            if ticket.isPayment, isVoid(key) { note(ticket, "\(said), and voided") }
            if isOwn { paid.insert(key) }
        case .accepted: if !owed.contains(key) { note(ticket, said) }
        case .alreadyPaid:
            let isKnown = !isMurky(ticket.sale) && !uninformed.contains(ticket.sale)
            if isKnown, !isPaid(ticket.sale) { note(ticket, "\(said), and is not") }
        case .unpaid:
            if isOwn { saysUnpaid(ticket, said) }
            let isPaid = orders[ticket.sale].map { sums(of: ticket.sale).net >= Int($0.price) } == true
            if ticket.isPayment, isLatest, isPaid {
                note(ticket, "\(said), and the order is paid")
            }
        case .nothing:
            let ways = screen.options.filter { ShopLedger.otherWays.contains($0) }
            if amount != nil, !ways.isEmpty { note(ticket, "\(said) with \(ways), and booked") }
        }
    }

    /// Checks the amount still to be paid for the payment, or for its order.
    private mutating func checkRest(_ screen: Presentation, _ ticket: Ticket, _ said: String) {
        guard let order = orders[ticket.sale] else { return }
        let sums = sums(of: ticket.sale), rest = Int(screen.rest?.minorUnits ?? 0)
        let isOfPayment = rest == Int(ticket.amount) - Int(booked(ticket.key) ?? ticket.amount)
        let isOfOrder = rest <= Int(order.price + sums.increments) - sums.net
        if rest == 0 || !isOfPayment && !isOfOrder { note(ticket, "\(said): a rest of \(rest)") }
    }

    private mutating func saysUnpaid(_ ticket: Ticket, _ said: String) {
        if booked(ticket.key) != nil {
            // The whole amount may have been refunded since.
            let isGivenBack = ticket.isPayment && (isVoid(ticket.key) || sums(of: ticket.sale).net <= 0)
            if !isGivenBack, !givenUp.contains(ticket.key) { note(ticket, "\(said), and booked") }
            return
        }
        owed.remove(ticket.key)
        unpaid[ticket.key] = said
    }

    /// Checks the effect that a result of this key reports.
    mutating func reports(_ effect: PaymentEffect, of ticket: Ticket, _ name: String) {
        switch effect {
        case .nothingSent, .nothingBooked: saysUnpaid(ticket, name)
        case .booked: if booked(ticket.key) == nil, !owed.contains(ticket.key) { note(ticket, "\(name): not booked") }
        case .mayBeBooked: break
        }
    }

    mutating func reports(_ standing: SaleStanding, of sale: SaleReference, _ name: String) {
        guard let order = orders[sale] else { return }
        let isMurky = isMurky(sale)
        let sums = sums(of: sale)
        switch standing {
        case .unknown: break
        // This is right only if no payment counts.
        case .notTracked:
            if sums.net != 0, !isMurky { wrong.append("\(sale) after \(name): not tracked, \(sums.net) booked") }
        case .open(let rest):
            let most = Int(order.price + sums.increments), open = Int(rest.minorUnits)
            if sums.net > most - open, !isMurky {
                wrong.append("\(sale) after \(name): open \(open) of \(most), \(sums.net) booked")
            }
            let least = Int(order.price) - sums.net - Int(owed(of: sale))
            if order.isStated, open < least, !isMurky, !uninformed.contains(sale) {
                wrong.append("\(sale) after \(name): open \(open), \(least) not booked")
            }
        case .paid:
            if !isPaid(sale), !isMurky, !uninformed.contains(sale) {
                wrong.append("\(sale) after \(name): paid, \(sums.net) booked of \(order.price)")
            }
        }
    }

    // MARK: - Receipts

    mutating func prints(_ receipt: Receipt, of ticket: Ticket) {
        let charged = (receipt.approvedAmount ?? receipt.total).minorUnits, said = "receipt \(receipt.result)"
        if receipt.reference != ticket.key.rawValue { note(ticket, "\(said) of \(receipt.reference ?? "nothing")") }
        // A void reverses increments, too.
        if receipt.total.minorUnits != ticket.amount, ticket.kind != .void {
            note(ticket, "\(said): total \(receipt.total)")
        }
        if charged + (receipt.amountDue?.minorUnits ?? 0) != receipt.total.minorUnits {
            note(ticket, "\(said): \(charged) and \(receipt.amountDue?.minorUnits ?? 0) of \(receipt.total)")
        }
        let lines = receipt.lines.compactMap(\.minorUnits).reduce(0, +)
        if !receipt.lines.isEmpty, lines != Int64(receipt.total.minorUnits) {
            note(ticket, "\(said): lines of \(lines)")
        }
        switch receipt.result {
        case .approved, .approvedLater:
            if booked(ticket.key) != charged { note(ticket, "\(said) \(charged), booked \(booked(ticket.key) ?? 0)") }
        case .approvedOffline, .accepted:
            let isThere = owed.contains(ticket.key) || booked(ticket.key) == charged || givenUp.contains(ticket.key)
            if !isThere { note(ticket, "\(said): nobody is to book it") }
        case .declined, .declinedLater, .notCompleted: saysUnpaid(ticket, said)
        case .unknown: break
        case .verified: note(ticket, said)
        }
    }

    // MARK: - At the end of the day

    /// Checks the end of the day, when nothing is pending.
    ///
    /// - Parameter totals: the totals of the whole journal.
    mutating func closes(_ totals: JournalTotals) {
        for ticket in tickets.values where !givenUp.contains(ticket.key) {
            let key = ticket.key, amount = booked(key)
            if totals.booked[key]?.minorUnits != amount {
                note(ticket, "journal \(totals.booked[key]?.minorUnits ?? 0), host \(amount ?? 0)")
            }
            // An estimate without a capture in time is released.
            let isReleased = ticket.kind == .estimate && sum(followUps(of: key, .capture)) == 0
            if paid.contains(key), amount == nil, !isReleased, !withdrawn.contains(key) {
                note(ticket, "shown as paid, and not booked")
            }
            if accepted.contains(key), !isReleased, !withdrawn.contains(key), bookings[key]?.state != .declined,
                amount == nil
            {
                note(ticket, "accepted, and not decided")
            }
        }
        guard givenUp.isEmpty else { return }
        let net = orders.keys.reduce(0) { $0 + Int(sums(of: $1).captured) - Int(sums(of: $1).back) }
        let total = totals.net[.eur, default: 0]
        if total != Int64(net) { wrong.append("totals of \(total), \(net) booked") }
    }
}
