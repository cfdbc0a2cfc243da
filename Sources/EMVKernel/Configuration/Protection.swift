// SPDX-License-Identifier: Apache-2.0
/// How far the kernel goes beyond the specification: a profile, and single rules that override it.
public struct Protection: Sendable, Hashable {
    public enum Profile: String, Sendable, Hashable, CaseIterable {
        /// Rules that honest cards are not known to fail.
        case guarded
        /// Exactly the specification; findings are only reported.
        case book
        /// Rules that may cost acceptance.
        case strict
    }

    /// A single rule.
    public enum Rule: Sendable, Hashable, CaseIterable {
        /// As the profile defines.
        case profile
        case off
        case report
        case enforce
    }

    /// When a card's claim that its device verified the cardholder is believed.
    public enum CDCVMTrust: Sendable, Hashable, CaseIterable {
        case profile
        case book
        case verifyIfPresent
        case authenticated
    }

    /// Relay resistance of Kernel 2.
    public enum Relay: Sendable, Hashable, CaseIterable {
        /// As the action codes decide; in `strict` as ``declined``.
        case profile
        /// Never requested.
        case off
        /// As the action codes decide.
        case book
        /// A late card is declined even if the action codes allow it.
        case declined
        /// As ``declined``; above the CVM limit a card without relay resistance, or without a signature over it, is
        /// declined too.
        case required
    }

    /// Which torn transaction is recovered. Kernel 5 recovers only within a transaction: it treats all values except
    /// `off` alike.
    public enum Torn: Sendable, Hashable, CaseIterable {
        /// ``sameSale``; in `book` as ``book``.
        case profile
        /// Nothing is recovered or remembered.
        case off
        /// The card's last torn transaction, whatever its amount, currency and type.
        case book
        /// Only one whose amounts, currency and type match.
        case sameSale
    }

    public var profile: Profile
    public var cdcvmTrust: CDCVMTrust = .profile
    /// A signature that was not requested: `enforce` verifies it and declines on a contradiction.
    public var unsolicitedSDAD: Rule = .profile
    /// Data whose authentication fails: `enforce` declines, and never sends them online.
    public var odaTamper: Rule = .profile
    /// Cryptogram information (9F27) is compared with the issuer application data.
    public var cidMismatch: Rule = .profile
    /// The application is compared with the account number, by a negative table.
    public var brandCheck: Rule = .profile
    /// The expiry date of track 2 is compared with 5F24.
    public var expiryMismatch: Rule = .profile
    /// The check digit of the account number is verified.
    public var luhn: Rule = .profile
    /// `off`: no offline approvals.
    public var offline: Rule
    /// CA keys marked as test keys are accepted alongside production keys.
    public var allowTestKeys: Bool = false
    /// Minimum length of a CA key in bits, in every profile; `nil`: 1152, and none in profile `book`.
    public var minCABits: UInt16?
    /// Maximum number of presentments in a transaction, and again after each restart by the reader; `nil`: 3.
    public var maxTaps: UInt8?
    /// Maximum number of READ RECORD commands in a presentment; `nil`: 64.
    public var maxRecords: UInt8?
    /// `off` disables mag-stripe mode even if the kernel is configured for it. `strict` disables it too, unless the
    /// combination's own protection sets this rule to `report` or `enforce`.
    public var magStripeMode: Rule = .profile
    /// `off` disables Legacy Mode of Kernel 5 even if the combination's options allow it; otherwise these options
    /// decide.
    public var legacyMode: Rule = .profile
    /// Applies to an application that the card offered both to Kernel 8 and to an older kernel. `enforce` ends the tap
    /// with "try another interface" before the older kernel runs; otherwise it runs, and a finding is reported. In
    /// `strict` the default is `enforce`.
    public var kernelFallback: Rule = .profile
    /// Digits that an unpredictable number must have in mag-stripe mode, up to 8; `nil`: 4. Not in `book`.
    public var minUNDigits: UInt8?
    public var torn: Torn
    /// Seconds; `nil`: 120. The shorter of this and the kernel's own lifetime applies; not in `book`.
    public var tornLifetime: UInt16?
    public var relay: Relay
    /// Maximum processing time that a card may claim, in milliseconds; `nil`: 30. Not in `book`.
    public var relayMaxCardTime: UInt8?
    /// Latency of the link in microseconds, subtracted when a kernel times the card, unless the ``ReaderMemory`` has a
    /// latency.
    ///
    /// A reader on USB answers later than a card's bounds allow. With its latency subtracted relay resistance conforms,
    /// but a relay can use the link's jitter. This gives conformance, not protection against relays.
    public var relayLatency: UInt32?

    public init(
        profile: Profile = .guarded, offline: Rule = .profile, minUNDigits: UInt8? = nil, torn: Torn = .profile,
        tornLifetime: UInt16? = nil, relay: Relay = .profile, relayMaxCardTime: UInt8? = nil,
        relayLatency: UInt32? = nil
    ) {
        self.profile = profile
        self.offline = offline
        self.minUNDigits = minUNDigits
        self.torn = torn
        self.tornLifetime = tornLifetime
        self.relay = relay
        self.relayMaxCardTime = relayMaxCardTime
        self.relayLatency = relayLatency
    }
}
