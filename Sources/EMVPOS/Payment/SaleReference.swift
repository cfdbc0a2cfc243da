// SPDX-License-Identifier: Apache-2.0
/// The app's own name for an order: any number of taps may pay for it, but together no more than its price.
///
/// It differs from a ``ReconciliationKey``, which names a single tap.
public struct SaleReference: RawRepresentable, Sendable, Hashable, Codable, CustomStringConvertible {
    public let rawValue: String

    /// 1 to 64 characters of printable ASCII, without spaces.
    public init?(rawValue: String) {
        guard (1...64).contains(rawValue.utf8.count), rawValue.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            return nil
        }
        self.rawValue = rawValue
    }

    public var description: String { rawValue }
}
