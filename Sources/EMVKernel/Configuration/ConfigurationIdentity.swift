// SPDX-License-Identifier: Apache-2.0
extension Configuration {
    /// Which configuration a tap was taken with: what it calls itself, and a hash of all that it says.
    public struct Identity: Sendable, Hashable, Codable {
        /// ``Configuration/version``; `nil`: it has none.
        public let version: String?
        /// ``Configuration/fingerprint``: 64 hexadecimal digits.
        public let fingerprint: String

        public init(version: String?, fingerprint: String) {
            self.version = version
            self.fingerprint = fingerprint
        }
    }
}

extension Configuration.Identity: CustomStringConvertible {
    public var description: String { "\(version ?? "configuration") \(fingerprint.prefix(16))" }
}

extension Configuration {
    /// When a reader takes a configuration that was given to it while it was at work.
    public enum Adoption: Sendable, Hashable {
        /// It is in use: the next tap is taken with it.
        case taken
        /// A tap is under way; the next one is taken with it.
        case afterThisTap
        /// Its `validFrom` is to come: the first tap of that day is taken with it.
        case from(CalendarDate)
    }
}
