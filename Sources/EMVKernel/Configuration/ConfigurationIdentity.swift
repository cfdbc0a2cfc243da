// SPDX-License-Identifier: Apache-2.0
extension Configuration {
    /// Identifies the configuration of a tap: its version, and a hash over all of its content.
    public struct Identity: Sendable, Hashable, Codable {
        /// ``Configuration/version``; `nil` if it is empty.
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
    /// When a reader starts to use a configuration that it received while running.
    public enum Adoption: Sendable, Hashable {
        /// The reader uses it now, from the next tap on.
        case taken
        /// A tap is in progress; the reader uses it from the next tap on.
        case afterThisTap
        /// Its `validFrom` is in the future; the reader uses it from the first tap of that day on.
        case from(CalendarDate)
    }
}
