// SPDX-License-Identifier: Apache-2.0
/// How far the kernel goes beyond the books: a profile, and single rules set beside it.
public struct Protection: Sendable, Hashable {
    public enum Profile: String, Sendable, Hashable, CaseIterable {
        /// Rules that no honest card is known to fail.
        case guarded
        /// Exactly the books; findings are only reported.
        case book
        /// Rules that may cost acceptance.
        case strict
    }

    /// A single rule.
    public enum Rule: Sendable, Hashable, CaseIterable {
        /// As the profile says.
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
        /// As the action codes say; in `strict` as ``declined``.
        case profile
        /// Never asked for.
        case off
        /// As the action codes say.
        case book
        /// A card that is late is declined whatever the action codes say.
        case declined
        /// As ``declined``; above the CVM limit a card without relay resistance, or without a signature over it, is
        /// declined too.
        case required
    }

    /// Which torn transaction is recovered. Kernel 5 recovers only within a transaction: to it all but `off` are one.
    public enum Torn: Sendable, Hashable, CaseIterable {
        /// ``sameSale``; in `book` as ``book``.
        case profile
        /// None, and none is remembered.
        case off
        /// The last of the same card, whatever it was for.
        case book
        /// Only one of the same amounts, currency and type.
        case sameSale
    }

    public var profile: Profile
    public var cdcvmTrust: CDCVMTrust = .profile
    /// An unrequested signature: `enforce` verifies it and declines on a contradiction.
    public var unsolicitedSDAD: Rule = .profile
    /// Data that verify wrong: `enforce` declines, and never sends them online.
    public var odaTamper: Rule = .profile
    /// Cryptogram information (9F27) against issuer application data.
    public var cidMismatch: Rule = .profile
    /// Application against account number, by a negative table.
    public var brandCheck: Rule = .profile
    /// Expiry of track 2 against 5F24.
    public var expiryMismatch: Rule = .profile
    /// Check digit of the account number.
    public var luhn: Rule = .profile
    /// `off`: no offline approval at all.
    public var offline: Rule
    /// CA keys marked as test keys may stand beside live ones.
    public var allowTestKeys: Bool = false
    /// `nil`: 1152.
    public var minCABits: UInt16?
    /// Presentments of a transaction, and as many again after each restart by the reader; `nil`: 3.
    public var maxTaps: UInt8?
    /// READ RECORD commands of a presentment; `nil`: 64.
    public var maxRecords: UInt8?
    /// `off`: no mag-stripe mode, whatever the kernel is configured for. In `strict` there is none either, unless the
    /// combination's own protection sets this to `report` or `enforce`.
    public var magStripeMode: Rule = .profile
    /// `off`: no Legacy Mode of Kernel 5, whatever its combination options say; else they decide.
    public var legacyMode: Rule = .profile
    /// An application that the card offered to Kernel 8 and to an older kernel: `enforce` ends the tap with "try
    /// another interface" before the older one runs; otherwise it runs, and that is reported. In `strict` the default
    /// is `enforce`.
    public var kernelFallback: Rule = .profile
    /// Digits that an unpredictable number must have in mag-stripe mode, up to 8; `nil`: 4. Not in `book`.
    public var minUNDigits: UInt8?
    public var torn: Torn
    /// Seconds; `nil`: 120. The shorter of it and the kernel's own counts; not in `book`.
    public var tornLifetime: UInt16?
    public var relay: Relay
    /// Milliseconds that a card may claim to need at most; `nil`: 30. Not in `book`.
    public var relayMaxCardTime: UInt8?
    /// Microseconds that the link itself takes, subtracted where a kernel times the card, unless the ``ReaderMemory``
    /// has a latency of its own.
    ///
    /// A reader on USB answers later than a card's bounds allow: with its latency subtracted relay resistance conforms,
    /// but what the link jitters a relay may use. That is conformance, not protection against relays.
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
