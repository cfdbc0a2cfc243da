// SPDX-License-Identifier: Apache-2.0
/// What the host has booked according to the journal, between two cut-offs: for reconciliation. From events alone.
///
/// A cut-off is the number of an event. The totals of the next period begin after ``number``:
/// `totals(after: day.number)`. An event counts in the period in which it was journalled, so the totals of all periods
/// add up to those of the whole journal.
public struct JournalTotals: Sendable, Hashable {
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        case purchase, cash, cashBack, refund
        /// An estimate that was authorised: nothing is taken by it.
        case authorization
        case capture
        /// Raises an estimate that is on hold; one that the host took after a void or a reversal of its estimate
        /// raises nothing, and is not counted.
        case increment
        /// Takes a payment back, or releases an estimate, with its increments.
        case void
        /// Takes a booking back, of this period or of an earlier one, with its increments.
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
        /// `nil`: not booked there.
        public let journal: Money?
        public let host: Money?
    }

    /// What was booked in the period, by kind and currency. The amounts of these lines do not add up to ``net``: a void
    /// and a reversal may take back a purchase, a refund, or an estimate by which nothing was taken.
    public private(set) var lines: [Line: Sum] = [:]
    /// What the merchant gets for the period, in minor units of each currency in which something was booked; negative
    /// if more was given back than taken. Purchases, cash and captures add, refunds subtract, voids and reversals undo
    /// what they take back. An estimate and its increments add nothing: its captures do.
    public private(set) var net: [Currency: Int64] = [:]
    /// The number of the last event of the period; of the last event before it where the period has none.
    public private(set) var number: UInt64
    /// What stands booked at the end of the period, of all that was booked in it.
    public private(set) var booked: [ReconciliationKey: Money] = [:]

    /// - Parameters:
    ///   - entries: all of the journal, in order.
    ///   - first: the number of the last event before the period.
    ///   - last: the number of its last event.
    public init(
        _ entries: some Sequence<JournalEntry>, after first: UInt64 = 0, through last: UInt64 = .max
    ) throws(JournalError) {
        number = first
        var taps: [ReconciliationKey: JournaledTap] = [:]
        // Whatever was booked at any time, since the period may take it back.
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

    /// What stands booked under a key.
    private struct Booking {
        /// What a reversal takes back, whatever was asked for: the approved amount, with increments of it.
        var amount: UInt64
        /// What it adds to the net.
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
            // A reversal of what was never booked books nothing.
            guard let booking = bookings.removeValue(forKey: tap.key), isInPeriod else { return }
            booked[tap.key] = nil
            add(Money(minorUnits: booking.amount, currency: tap.amount.currency), -booking.net, to: .reversal)
        default: break
        }
    }

    /// What an approval adds to the net.
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

    /// Where the host says otherwise; in order of the keys.
    ///
    /// - Parameter host: what it has booked under each key.
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
            // Kinds of receipts: a journal has the payment's here.
            case .capture: .capture
            case .increment: .increment
            case .void: .void
            }
        }
    }
}
