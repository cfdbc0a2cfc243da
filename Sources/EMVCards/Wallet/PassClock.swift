// SPDX-License-Identifier: Apache-2.0
#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The current time of a simulated wallet, in seconds since 2001-01-01 00:00:00 UTC.
public enum PassClock: Sendable, Hashable {
    case fixed(UInt32)
    #if !hasFeature(Embedded)
    /// The system clock.
    case system
    #endif

    /// Seconds from 1970-01-01 to 2001-01-01.
    static let epoch = 978_307_200

    public var seconds: UInt32 {
        switch self {
        case .fixed(let seconds): seconds
        #if !hasFeature(Embedded)
        case .system: UInt32(truncatingIfNeeded: time(nil) - Self.epoch)
        #endif
        }
    }
}
