// SPDX-License-Identifier: Apache-2.0
/// How a ``Settlement`` works.
public struct SettlementPolicy: Sendable, Hashable {
    /// An approval whose answer was lost is kept where the host tells of it; otherwise it is reversed, since nobody
    /// gave anything for it.
    public var keepsApprovals: Bool
    /// After the first failure; doubled with each that follows.
    public var firstPause: Duration
    public var longestPause: Duration = .seconds(900)
    /// How far a pause may differ, as a part of it: 0 to 1.
    public var jitter: Double
    /// Failures after which ``SettlementEvent/unresolved(_:attempts:)`` tells a person; reversing goes on.
    public var attemptsUntilTold: Int
    /// How long one call of the authoriser may take.
    public var deadline: Duration
    /// How often the journal is looked at while nothing waits.
    public var interval: Duration
    /// An estimate of which nothing was captured for so long is reversed; `nil`: never.
    public var captureWithin: Duration?
    /// Age of the oldest waiting record from which ``SettlementEvent/ageing(_:)`` warns.
    public var warning: Duration
    /// How long it is remembered which account a deferred payment was of, after the host has decided.
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

    /// How long to wait for the next try.
    ///
    /// - Parameters:
    ///   - failures: in a row; at least 1.
    ///   - spread: -1 to 1, a random number of the caller: where in the jitter the pause is.
    func pause(after failures: Int, spread: Double) -> Duration {
        var pause = firstPause
        for _ in 1..<max(2, failures) where failures > 1 && pause < longestPause { pause *= 2 }
        return min(pause, longestPause) * (1 + max(0, jitter) * spread)
    }
}

public enum SettlementEvent: Sendable, Hashable {
    /// A payment came to an end, or to another one.
    case settled(Settled)
    /// So many reversals, or deliveries, have failed; a person should know.
    case unresolved(ReconciliationKey, attempts: Int)
    /// The payment was open when its journal was restored or copied, and the host does not tell what became of it. It
    /// is not reversed: a person decides (``Settlement/withdraw(_:)``, ``Settlement/writeOff(_:by:reason:)``). The host
    /// is asked again meanwhile.
    case restored(ReconciliationKey)
    /// The oldest record has been waiting for so long.
    case ageing(Duration)
    /// The journal could not be read or written.
    case journalFailed(JournalError)
}
