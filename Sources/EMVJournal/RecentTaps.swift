// SPDX-License-Identifier: Apache-2.0
#if Journal
import EMVKit
import GRDB

/// Payments whose events are in the table `recentEvents`: the rows of each, and its search keys. They are kept in
/// memory, so that a commit writes no index.
struct RecentTaps {
    struct Tap {
        let key: ReconciliationKey
        /// The sale, read from the first event.
        let sale: String?
        let original: String?
        /// The numbers of its events, in order.
        fileprivate(set) var numbers: [UInt64] = []
        /// The time of the last event.
        fileprivate(set) var elapsed: Int64 = 0
    }

    private(set) var taps: [Int64: Tap] = [:]
    private(set) var count = 0
    private var byKey: [ReconciliationKey: Int64] = [:]
    private var bySale: [String: [Int64]] = [:]
    private var byOriginal: [String: [Int64]] = [:]

    /// Creates an empty list.
    init() {}

    /// Reads all recent payments.
    init(_ db: Database) throws {
        let rows = try GRDB.Row.fetchCursor(
            db.cachedStatement(
                sql: "SELECT number, tap, elapsed, key, sale, original FROM recentEvents ORDER BY number"))
        while let row = try rows.next() {
            guard let number = row.safe("number", Int64.self).flatMap({ UInt64(exactly: $0) }) else {
                throw JournalError.unreadable("table recentEvents: a row without a number")
            }
            guard let key = row.safe("key", String.self).flatMap({ ReconciliationKey(rawValue: $0) }),
                let tap = row.safe("tap", Int64.self), let elapsed = row.safe("elapsed", Int64.self)
            else { throw JournalError.damaged(at: number) }
            add(
                number, to: tap, elapsed,
                Tap(key: key, sale: row.safe("sale", String.self), original: row.safe("original", String.self)))
        }
    }

    /// - Parameter first: the payment; used if this is its first event.
    mutating func add(_ number: UInt64, to identifier: Int64, _ elapsed: Int64, _ first: @autoclosure () -> Tap) {
        if taps[identifier] == nil {
            let tap = first()
            taps[identifier] = tap
            byKey[tap.key] = identifier
            if let sale = tap.sale { bySale[sale, default: []].append(identifier) }
            if let original = tap.original { byOriginal[original, default: []].append(identifier) }
        }
        taps[identifier]?.numbers.append(number)
        taps[identifier]?.elapsed = elapsed
        count += 1
    }

    mutating func remove(_ identifier: Int64) {
        guard let tap = taps.removeValue(forKey: identifier) else { return }
        count -= tap.numbers.count
        byKey[tap.key] = nil
        if let sale = tap.sale { RecentTaps.drop(identifier, from: &bySale, sale) }
        if let original = tap.original { RecentTaps.drop(identifier, from: &byOriginal, original) }
    }

    private static func drop(_ identifier: Int64, from all: inout [String: [Int64]], _ name: String) {
        all[name]?.removeAll { $0 == identifier }
        if all[name]?.isEmpty == true { all[name] = nil }
    }

    func identifier(_ key: ReconciliationKey) -> Int64? { byKey[key] }
    func ofSale(_ sale: String) -> [Int64] { bySale[sale] ?? [] }
    func after(_ original: String) -> [Int64] { byOriginal[original] ?? [] }
}
#endif
