// SPDX-License-Identifier: Apache-2.0
/// The amounts that the host has booked according to the journal, between two cut-offs, for reconciliation. They are
/// computed from the events alone.
///
/// A cut-off is the number of an event. The totals of the next period begin after ``number``:
/// `totals(after: day.number)`. An event counts in the period in which it was journalled, so the totals of all periods
/// add up to those of the whole journal.
public struct JournalTotals: Sendable, Hashable {
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        case purchase, cash, cashBack, refund
        /// An estimate that was authorised; it takes no money yet.
        case authorization
        case capture
        /// Raises an estimate that is on hold. An increment that the host accepted after a void or a reversal of its
        /// estimate raises nothing, and is not counted.
        case increment
        /// Takes a payment back, or releases an estimate, including the increments.
        case void
        /// Takes back a booking of this period or of an earlier one, including the increments.
        case reversal
    }

    public struct Line: Sendable, Hashable {
        public let kind: Kind
        public let currency: Currency

        public init(_ kind: Kind, _ currency: Currency) {
            self.kind = kind
            self.currency = currency
        }
    }

    public struct Sum: Sendable, Hashable {
        public fileprivate(set) var count = 0
        /// In minor units.
        public fileprivate(set) var amount: UInt64 = 0
    }

    public struct Difference: Sendable, Hashable {
        public let key: ReconciliationKey
        /// `nil` if the journal has no booking.
        public let journal: Money?
        public let host: Money?
    }

    /// The bookings of the period, by kind and currency. The amounts of these lines do not add up to ``net``: a void
    /// and a reversal may take back a purchase, a refund, or an estimate that took no money.
    public private(set) var lines: [Line: Sum] = [:]
    /// The merchant's net amount for the period, in minor units of each currency in which something was booked;
    /// negative if more was given back than taken. Purchases, cash and captures add, refunds subtract, voids and
    /// reversals undo the bookings that they take back. An estimate and its increments add nothing; its captures do.
    public private(set) var net: [Currency: Int64] = [:]
    /// The number of the last event of the period, or of the last event before it if the period is empty.
    public private(set) var number: UInt64
    /// The bookings of the period that are still valid at its end.
    public private(set) var booked: [ReconciliationKey: Money] = [:]

    /// - Parameters:
    ///   - entries: all entries of the journal, in order.
    ///   - first: the number of the last event before the period.
    ///   - last: the number of the period's last event.
    public init(
        _ entries: some Sequence<JournalEntry>, after first: UInt64 = 0, through last: UInt64 = .max
    ) throws(JournalError) {
        number = first
        var taps: [ReconciliationKey: JournaledTap] = [:]
        // The bookings of all periods, because the period may take back an earlier one.
        var bookings: [ReconciliationKey: Booking] = [:]
        for entry in entries where entry.number <= last {
            var context = JournalRules.Context()
            let before = taps[entry.key]
            context.tap = before
            let tap: JournaledTap
            do throws(JournalError) {
                tap = try JournalRules.folded([entry.event], to: entry.key, at: entry.moment, context)
            } catch {
                throw .damaged(at: entry.number)
            }
            taps[entry.key] = tap
            let isInPeriod = entry.number > first
            if isInPeriod { number = entry.number }
            note(tap, entry.event, &bookings, isInPeriod)
        }
    }

    /// The current booking under a key.
    private struct Booking {
        /// The amount that a reversal takes back, whatever amount was requested: the approved amount and its
        /// increments.
        var amount: UInt64
        /// The amount that the booking adds to the net.
        let net: Int64
        var isVoided = false
    }

    private mutating func note(
        _ tap: JournaledTap, _ event: JournalEvent, _ bookings: inout [ReconciliationKey: Booking], _ isInPeriod: Bool
    ) {
        switch event {
        case .answered(.approved), .forwarded(.approved):
            let amount = tap.approvedAmount, kind = tap.totalsKind
            if isInPeriod { booked[tap.key] = amount }
            var original = tap.intent.followUp.flatMap { bookings[$0.original] }
            if kind == .increment {
                guard original?.isVoided == false else { return }
                original?.amount += amount.minorUnits
            }
            if kind == .void { original?.isVoided = true }
            if let key = tap.intent.followUp?.original { bookings[key] = original }
            let net = JournalTotals.net(of: kind, amount, original)
            bookings[tap.key] = Booking(amount: amount.minorUnits, net: net)
            if isInPeriod { add(amount, net, to: kind) }
        case .reversed:
            // If nothing was booked, its reversal books nothing.
            guard let booking = bookings.removeValue(forKey: tap.key), isInPeriod else { return }
            booked[tap.key] = nil
            add(Money(minorUnits: booking.amount, currency: tap.amount.currency), -booking.net, to: .reversal)
        default: break
        }
    }

    /// Returns the amount that an approval adds to the net.
    ///
    /// - Parameter original: the payment that it follows.
    private static func net(of kind: Kind, _ amount: Money, _ original: Booking?) -> Int64 {
        // An amount has at most twelve digits.
        let amount = Int64(clamping: amount.minorUnits)
        return switch kind {
        case .purchase, .cash, .cashBack, .capture: amount
        case .refund: -amount
        case .authorization, .increment: 0
        case .void, .reversal: -(original?.net ?? 0)
        }
    }

    private mutating func add(_ amount: Money, _ part: Int64, to kind: Kind) {
        let line = Line(kind, amount.currency)
        var sum = lines[line] ?? Sum()
        sum.count += 1
        let (total, isOver) = sum.amount.addingReportingOverflow(amount.minorUnits)
        sum.amount = isOver ? .max : total
        lines[line] = sum
        let (balance, isFull) = net[amount.currency, default: 0].addingReportingOverflow(part)
        net[amount.currency] = isFull ? (part < 0 ? .min : .max) : balance
    }

    /// Returns the payments for which the host's booking differs, in order of the keys.
    ///
    /// - Parameter host: the amounts that the host has booked, by key.
    public func differences(from host: [ReconciliationKey: Money]) -> [Difference] {
        Set(booked.keys).union(host.keys).sorted { $0.rawValue < $1.rawValue }.compactMap { key in
            booked[key] == host[key] ? nil : Difference(key: key, journal: booked[key], host: host[key])
        }
    }
}

extension JournaledTap {
    fileprivate var totalsKind: JournalTotals.Kind {
        switch intent.followUp?.kind {
        case .capture?: .capture
        case .increment?: .increment
        case .void?: .void
        case .refund?: .refund
        case .deferredAuthorization?, .offlineApproval?, nil:
            switch intent.kind {
            case .purchase, .verification: intent.isEstimated ? .authorization : .purchase
            case .cash: .cash
            case .cashBack: .cashBack
            case .refund: .refund
            // These kinds exist only on receipts: a journal has the payment's kind here.
            case .capture: .capture
            case .increment: .increment
            case .void: .void
            }
        }
    }
}
