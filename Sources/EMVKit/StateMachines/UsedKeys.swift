// SPDX-License-Identifier: Apache-2.0
/// The keys of the last taps. A key belongs to one tap only.
struct UsedKeys: Sendable, Equatable {
    static let limit = 10_000

    private var keys: Set<ReconciliationKey> = []
    private var ring: [ReconciliationKey] = []
    private var oldest = 0

    func contains(_ key: ReconciliationKey) -> Bool { keys.contains(key) }

    mutating func remove(_ key: ReconciliationKey) { keys.remove(key) }

    mutating func insert(_ key: ReconciliationKey) {
        guard keys.insert(key).inserted else { return }
        guard ring.count == UsedKeys.limit else { return ring.append(key) }
        keys.remove(ring[oldest])
        ring[oldest] = key
        oldest = (oldest + 1) % UsedKeys.limit
    }
}
