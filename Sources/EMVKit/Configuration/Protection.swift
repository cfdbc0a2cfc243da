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

    public var profile: Profile
    public var cdcvmTrust: CDCVMTrust
    /// A signature nobody asked for: `enforce` verifies it and declines on a contradiction.
    public var unsolicitedSDAD: Rule
    /// Data that verify wrong: `enforce` declines, and never sends them online.
    public var odaTamper: Rule
    /// Cryptogram information (9F27) against issuer application data.
    public var cidMismatch: Rule
    /// Application against account number, by a negative table.
    public var brandCheck: Rule
    /// Expiry of track 2 against 5F24.
    public var expiryMismatch: Rule
    /// Check digit of the account number.
    public var luhn: Rule
    /// `off`: no offline approval at all.
    public var offline: Rule
    /// CA keys marked as test keys may stand beside live ones.
    public var allowTestKeys: Bool
    /// `nil`: 1152.
    public var minCABits: UInt16?
    /// Presentments of a transaction; `nil`: 3.
    public var maxTaps: UInt8?
    /// READ RECORD commands of a presentment; `nil`: 64.
    public var maxRecords: UInt8?

    public init(
        profile: Profile = .guarded,
        cdcvmTrust: CDCVMTrust = .profile,
        unsolicitedSDAD: Rule = .profile,
        odaTamper: Rule = .profile,
        cidMismatch: Rule = .profile,
        brandCheck: Rule = .profile,
        expiryMismatch: Rule = .profile,
        luhn: Rule = .profile,
        offline: Rule = .profile,
        allowTestKeys: Bool = false,
        minCABits: UInt16? = nil,
        maxTaps: UInt8? = nil,
        maxRecords: UInt8? = nil
    ) {
        self.profile = profile
        self.cdcvmTrust = cdcvmTrust
        self.unsolicitedSDAD = unsolicitedSDAD
        self.odaTamper = odaTamper
        self.cidMismatch = cidMismatch
        self.brandCheck = brandCheck
        self.expiryMismatch = expiryMismatch
        self.luhn = luhn
        self.offline = offline
        self.allowTestKeys = allowTestKeys
        self.minCABits = minCABits
        self.maxTaps = maxTaps
        self.maxRecords = maxRecords
    }
}
