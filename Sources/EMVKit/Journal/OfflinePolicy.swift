// SPDX-License-Identifier: Apache-2.0
/// Allows payments that no host has seen. The merchant bears the risk, and the acquirer has to permit it.
///
/// A card may approve by itself, up to the floor limits of the configuration. A payment may also be **deferred** if the
/// card asked for the issuer and the host could not be reached. ``limits`` apply to both.
public struct OfflinePolicy: Sendable, Hashable {
    public var limits: OfflineLimits
    /// Payments may be deferred; with `false` only cards approve.
    public var defers: Bool
    /// Applications whose cards are never deferred: identifiers, or prefixes of them.
    public var neverDefer: [Bytes]
    /// Also defers payments whose card data or cardholder verification the kernel doubts (``Findings/doubtful``).
    /// Nobody has checked a deferred card's cryptogram, so a device without any key can make such a payment.
    public var defersDoubtful: Bool

    public init(
        limits: OfflineLimits, defers: Bool = true, neverDefer: [Bytes] = [], defersDoubtful: Bool = false
    ) {
        self.limits = limits
        self.defers = defers
        self.neverDefer = neverDefer
        self.defersDoubtful = defersDoubtful
    }
}

extension Findings {
    /// The card's data contradict each other, or the cardholder verification is not proved. Only an issuer can resolve
    /// these findings.
    public static let doubtful: Findings = [
        .cdcvmUnauthenticated, .limitNeedsAuthenticatedCDCVM, .brandMismatch, .unsolicitedSDAD, .odaTamper,
        .cidIADMismatch, .panMismatch, .odaStripped, .cvmFromPlainData, .recordRepeated, .certificateExpired,
        .certificateRevoked, .modeDowngrade, .unboundObject, .listUnsigned,
    ]
}

/// Limits for payments that the host does not know yet. The acquirer's rules have priority; these values only keep a
/// POS from exceeding them by mistake.
public struct OfflineLimits: Sendable, Hashable {
    /// The limits of one currency; payments in a currency without limits are not accepted offline.
    public struct Amounts: Sendable, Hashable {
        public var perTap: Money
        public var perCard: UInt64
        public var total: UInt64

        /// - Parameters:
        ///   - perTap: the limit of one payment.
        ///   - perCard: the limit of all waiting payments of one account, in minor units.
        ///   - total: the limit of all waiting payments, in minor units.
        public init(perTap: Money, perCard: UInt64, total: UInt64) {
            self.perTap = perTap
            self.perCard = perCard
            self.total = total
        }
    }

    public enum Rule: String, Sendable, Hashable, CaseIterable {
        case currency, perTap, perCardAmount, perCardCount, total, count, oldest, sinceHost
        /// The account is not sealed, so no host could decide later.
        case unsealed
        /// Payments of the same account cannot be recognised.
        case fingerprint
        /// A deferred payment of the account was declined, less than a day ago.
        case declinedBefore

        /// The problem code that the display shows for this rule.
        public var code: Problem.Code {
            switch self {
            case .perTap: .offlineAmountAboveLimit
            case .perCardAmount, .perCardCount, .declinedBefore: .offlineCardLimitReached
            case .oldest, .sinceHost: .offlineTooLong
            case .total, .count, .currency, .unsealed, .fingerprint: .offlineLimitReached
            }
        }
    }

    public var amounts: [Amounts]
    /// The number of waiting payments of one account.
    public var countPerCard: Int
    /// The number of waiting payments.
    public var count: Int
    /// Age of the oldest waiting payment.
    public var oldest: Duration
    /// Age from which ``SettlementEvent/ageing(_:)`` warns.
    public var warning: Duration
    /// The time since the host's last answer. Before its first answer nothing is accepted, because the address may be
    /// wrong. `nil` means no limit, also for a host that never answered.
    public var sinceHost: Duration?

    public init(
        amounts: [Amounts], countPerCard: Int = 2, count: Int = 50, oldest: Duration = .seconds(86_400),
        warning: Duration = .seconds(72_000), sinceHost: Duration? = .seconds(86_400)
    ) {
        self.amounts = amounts
        self.countPerCard = countPerCard
        self.count = count
        self.oldest = oldest
        self.warning = warning
        self.sinceHost = sinceHost
    }

    func amounts(_ currency: Currency) -> Amounts? { amounts.first { $0.perTap.currency == currency } }

    /// Returns the rule that keeps one more payment of this amount from waiting, for any card; `nil` if no rule does.
    public func stops(_ amount: Money, at standing: JournalStanding) -> Rule? {
        guard let amounts = amounts(amount.currency) else { return .currency }
        if amount.minorUnits > amounts.perTap.minorUnits { return .perTap }
        let waiting = [standing.deferred, standing.unreported]
        if waiting.reduce(0, { $0 + $1.count }) >= count { return .count }
        let sum = waiting.reduce(UInt64(0)) { OfflineLimits.sum($0, $1.amounts[amount.currency] ?? 0) }
        if OfflineLimits.sum(sum, amount.minorUnits) > amounts.total { return .total }
        if let age = standing.oldest, age >= oldest { return .oldest }
        if let sinceHost, standing.sinceHost.map({ $0 > sinceHost }) ?? true { return .sinceHost }
        return nil
    }

    /// Returns the rule that keeps one more payment of this card from waiting, as ``stops(_:at:)`` does for all cards.
    ///
    /// - Parameter waiting: payments of this account that the host is still owed.
    func stops(_ amount: Money, waiting: [JournaledTap]) -> Rule? {
        guard let amounts = amounts(amount.currency) else { return .currency }
        if waiting.count >= countPerCard { return .perCardCount }
        let sum = waiting.filter { $0.amount.currency == amount.currency }.reduce(amount.minorUnits) {
            OfflineLimits.sum($0, $1.amount.minorUnits)
        }
        return sum > amounts.perCard ? .perCardAmount : nil
    }

    private static func sum(_ one: UInt64, _ other: UInt64) -> UInt64 {
        let (sum, isOver) = one.addingReportingOverflow(other)
        return isOver ? .max : sum
    }
}

/// A payment that was accepted although no host has seen it. It is not an approval, and may be declined later.
public struct Deferred: Sendable, Hashable, Codable {
    public let key: ReconciliationKey
    public let amount: Money
    public let moment: LocalTime

    public init(key: ReconciliationKey, amount: Money, moment: LocalTime) {
        self.key = key
        self.amount = amount
        self.moment = moment
    }
}

/// The data, besides the limits, that decide whether a payment is deferred.
struct Deferral: Sendable, Hashable {
    /// Why nothing was authorised, in order.
    var problems: [Problem.Code]
    /// The number of requests of the tap, this one included.
    var attempts: Int
    var kind: Receipt.Kind
    var wantsPIN: Bool
    var hasPIN: Bool
    /// The issuer asked for a PIN.
    var isChallenged: Bool
    var application: Bytes
    var isSealed: Bool
    var hasFingerprint: Bool
    var findings: Findings

    /// Allows only a request that certainly was not sent, and that an issuer can decide later from the record alone.
    func isAllowed(by policy: OfflinePolicy?) -> Bool {
        guard let policy, policy.defers, problems.first == .hostUnreachable, attempts == 1, kind == .purchase else {
            return false
        }
        guard !wantsPIN, !hasPIN, !isChallenged, isSealed, hasFingerprint else { return false }
        guard policy.defersDoubtful || findings.isDisjoint(with: .doubtful) else { return false }
        return !policy.neverDefer.contains { application.starts(with: $0) }
    }
}
