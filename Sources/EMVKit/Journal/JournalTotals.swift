// SPDX-License-Identifier: Apache-2.0
/// What the host has booked according to the journal, between two cut-offs: for reconciliation. From events alone.
public struct JournalTotals: Sendable, Hashable {
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        case purchase, cash, cashBack, refund
        /// An estimate that was authorised: nothing is taken by it.
        case authorization
        case capture, increment, void
        /// Takes a booking back, of this period or of an earlier one.
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

    public private(set) var lines: [Line: Sum] = [:]
    /// What stands booked at the end of the period, of all that was booked in it.
    public private(set) var booked: [ReconciliationKey: Money] = [:]

    /// - Parameters:
    ///   - entries: all of the journal, in order.
    ///   - first: the number of the last event before the period.
    ///   - last: the number of its last event.
    public init(
        _ entries: some Sequence<JournalEntry>, after first: UInt64 = 0, through last: UInt64 = .max
    ) throws(JournalError) {
        var taps: [ReconciliationKey: JournaledTap] = [:]
        // Of what was booked at any time: a reversal takes back that much, whatever was asked for.
        var amounts: [ReconciliationKey: Money] = [:]
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
            note(tap, entry.event, &amounts, isInPeriod: entry.number > first)
        }
    }

    private mutating func note(
        _ tap: JournaledTap, _ event: JournalEvent, _ amounts: inout [ReconciliationKey: Money], isInPeriod: Bool
    ) {
        switch event {
        case .answered(.approved), .forwarded(.approved):
            amounts[tap.key] = tap.approvedAmount
            guard isInPeriod else { return }
            booked[tap.key] = tap.approvedAmount
            add(tap.approvedAmount, to: tap.totalsKind)
        case .reversed:
            // A reversal of what was never booked books nothing.
            guard let amount = amounts.removeValue(forKey: tap.key), isInPeriod else { return }
            booked[tap.key] = nil
            add(amount, to: .reversal)
        default: break
        }
    }

    private mutating func add(_ amount: Money, to kind: Kind) {
        let line = Line(kind, amount.currency)
        var sum = lines[line] ?? Sum()
        sum.count += 1
        let (total, isOver) = sum.amount.addingReportingOverflow(amount.minorUnits)
        sum.amount = isOver ? .max : total
        lines[line] = sum
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
            }
        }
    }
}
