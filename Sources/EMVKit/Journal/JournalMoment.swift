// SPDX-License-Identifier: Apache-2.0
/// The clock of a journal: the wall clock, which people and networks may change, and the time since the machine was
/// started, which nobody can change.
public struct JournalClock: Sendable {
    public struct Reading: Sendable, Hashable {
        /// Seconds since 1970 in UTC.
        public var wall: Int64
        /// Identifies the start of the machine from which `uptime` counts.
        public var boot: String
        /// Milliseconds since the machine was started.
        public var uptime: Int64

        public init(wall: Int64, boot: String, uptime: Int64) {
            self.wall = wall
            self.boot = boot
            self.uptime = uptime
        }
    }

    public let now: @Sendable () -> Reading

    public init(_ now: @escaping @Sendable () -> Reading) { self.now = now }
}

/// The time at which an event was journalled.
public struct JournalMoment: Sendable, Hashable, Codable {
    /// Seconds since 1970 in UTC, according to the wall clock.
    public let wall: Int64
    /// See ``JournalClock/Reading``.
    public let boot: String
    /// Milliseconds since the machine was started.
    public let uptime: Int64
    /// Milliseconds of the journal's own time, which never decreases. Within one start of the machine it follows
    /// `uptime`; between two starts it follows the wall clock if that moved forward. Ages are measured by it.
    public let elapsed: Int64
    /// Identifies the opening of the journal in which the event was written: taps of an earlier opening no longer have
    /// a reader.
    public let run: String

    public init(wall: Int64, boot: String, uptime: Int64, elapsed: Int64, run: String) {
        self.wall = wall
        self.boot = boot
        self.uptime = uptime
        self.elapsed = elapsed
        self.run = run
    }

    /// Creates the moment that follows `last`, the latest moment of the journal.
    package init(_ reading: JournalClock.Reading, after last: JournalMoment?, run: String) {
        let passed: Int64 =
            switch last {
            case nil: 0
            case let last? where last.boot == reading.boot: max(0, reading.uptime - last.uptime)
            case let last?: max(0, reading.wall.subtractingReportingOverflow(last.wall).partialValue) * 1000
            }
        self.init(
            wall: reading.wall, boot: reading.boot, uptime: reading.uptime, elapsed: (last?.elapsed ?? 0) + passed,
            run: run)
    }

    /// Returns the time from an earlier moment to this one.
    public func age(of earlier: JournalMoment) -> Duration {
        .milliseconds(max(0, elapsed - earlier.elapsed))
    }

    /// Returns the seconds by which the wall clock was changed since an earlier moment of the current start of the
    /// machine, positive if it was moved forward; `nil` for up to five minutes, and if it cannot be known.
    package func clockJump(since earlier: JournalMoment?) -> Int64? {
        guard let earlier, earlier.boot == boot, uptime >= earlier.uptime else { return nil }
        let jump = (wall - earlier.wall) - (uptime - earlier.uptime) / 1000
        return abs(jump) > 300 ? jump : nil
    }
}
