// SPDX-License-Identifier: Apache-2.0
/// Identifies one tap, from before the card is present until the host has settled it: send it to the host with the
/// authorisation, and query the host with it if the answer is lost. The host must treat two requests with one key as
/// one, so a second tap needs a second key. A read fails before the field is on if its key belongs to an earlier tap:
/// any tap in the journal, or without a journal one of this reader's last 10,000.
public struct ReconciliationKey: RawRepresentable, Sendable, Hashable, Codable, CustomStringConvertible {
    public let rawValue: String

    /// The app's own key, a new one for every tap: 1 to 64 characters of printable ASCII. An order, which may need
    /// several taps, is a ``SaleReference``.
    public init?(rawValue: String) {
        guard (1...64).contains(rawValue.utf8.count), rawValue.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            return nil
        }
        self.rawValue = rawValue
    }

    /// Creates a new key: 128 bits of the system's generator, 32 hex digits.
    public init() {
        var generator = SystemRandomNumberGenerator()
        self.init(random: (generator.next(), generator.next()))
    }

    /// Creates a key from random numbers of the caller.
    init(random: (UInt64, UInt64)) {
        rawValue = Hex.string(random)
    }

    public var description: String { rawValue }
}
