// SPDX-License-Identifier: Apache-2.0
/// How a ``Settlement`` works.
public struct SettlementPolicy: Sendable, Hashable {
    /// If the host reports an approval whose answer was lost, it is kept; otherwise it is reversed, because nobody
    /// handed over goods for it.
    public var keepsApprovals: Bool
    /// The pause after the first failure; doubled with each further failure.
    public var firstPause: Duration
    public var longestPause: Duration = .seconds(900)
    /// How far a pause may vary, as a fraction of it: 0 to 1.
    public var jitter: Double
    /// The number of failures after which ``SettlementEvent/unresolved(_:attempts:)`` informs a person; reversal
    /// attempts continue.
    public var attemptsUntilTold: Int
    /// How long one call of the authoriser may take.
    public var deadline: Duration
    /// How often the journal is checked while nothing waits.
    public var interval: Duration
    /// An estimate is reversed if nothing was captured for it within this time; `nil` means never.
    public var captureWithin: Duration?
    /// Age of the oldest waiting record from which ``SettlementEvent/ageing(_:)`` warns.
    public var warning: Duration
    /// How long the account of a deferred payment is remembered after the host has decided.
    public var fingerprintsKept: Duration = .seconds(86_400)

    public init(
        keepsApprovals: Bool = false, firstPause: Duration = .seconds(1), jitter: Double = 0.2,
        attemptsUntilTold: Int = 6, deadline: Duration = .seconds(30), interval: Duration = .seconds(5),
        captureWithin: Duration? = nil, warning: Duration = .seconds(72_000)
    ) {
        self.keepsApprovals = keepsApprovals
        self.firstPause = firstPause
        self.jitter = jitter
        self.attemptsUntilTold = attemptsUntilTold
        self.deadline = deadline
        self.interval = interval
        self.captureWithin = captureWithin
        self.warning = warning
    }

    /// Returns how long to wait before the next try.
    ///
    /// - Parameters:
    ///   - failures: in a row; at least 1.
    ///   - spread: a random number from the caller, -1 to 1, that chooses the pause within the jitter.
    func pause(after failures: Int, spread: Double) -> Duration {
        var pause = firstPause
        for _ in 1..<max(2, failures) where failures > 1 && pause < longestPause { pause *= 2 }
        return min(pause, longestPause) * (1 + max(0, jitter) * spread)
    }
}

public enum SettlementEvent: Sendable, Hashable {
    /// A payment has reached a final result, or its final result has changed.
    case settled(Settled)
    /// This number of reversals or deliveries have failed; a person should know.
    case unresolved(ReconciliationKey, attempts: Int)
    /// The payment was open when its journal was restored or copied, and the host does not report its result. It is not
    /// reversed: a person decides (``Settlement/withdraw(_:)``, ``Settlement/writeOff(_:by:reason:)``). The host is
    /// asked again meanwhile.
    case restored(ReconciliationKey)
    /// The age of the oldest waiting record.
    case ageing(Duration)
    /// The journal could not be read or written.
    case journalFailed(JournalError)
}
