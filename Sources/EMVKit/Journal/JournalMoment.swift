// SPDX-License-Identifier: Apache-2.0
/// What a journal measures time by: the wall clock, which people and networks may turn, and the time since the machine
/// was started, which nobody can.
public struct JournalClock: Sendable {
    public struct Reading: Sendable, Hashable {
        /// Seconds since 1970 in UTC.
        public var wall: Int64
        /// Names the start of the machine that `uptime` counts from.
        public var boot: String
        /// Milliseconds.
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

/// When an event was journalled.
public struct JournalMoment: Sendable, Hashable, Codable {
    /// Seconds since 1970 in UTC, as the wall clock said.
    public let wall: Int64
    /// See ``JournalClock/Reading``.
    public let boot: String
    /// Milliseconds since the machine was started.
    public let uptime: Int64
    /// Milliseconds of the journal's own time, which never goes back: within a start of the machine by `uptime`, from
    /// one to the next by the wall clock where that went forward. Ages are measured by it.
    public let elapsed: Int64
    /// Names the opening of the journal in which it was written: taps of an earlier one have no reader any more.
    public let run: String

    public init(wall: Int64, boot: String, uptime: Int64, elapsed: Int64, run: String) {
        self.wall = wall
        self.boot = boot
        self.uptime = uptime
        self.elapsed = elapsed
        self.run = run
    }

    /// Follows `last`, the latest moment of the journal.
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

    /// From an earlier moment to this one.
    public func age(of earlier: JournalMoment) -> Duration {
        .milliseconds(max(0, elapsed - earlier.elapsed))
    }

    /// Seconds by which the wall clock was turned since an earlier moment of the same start of the machine: positive
    /// forward; `nil` up to five minutes, and where it cannot be known.
    package func clockJump(since earlier: JournalMoment?) -> Int64? {
        guard let earlier, earlier.boot == boot, uptime >= earlier.uptime else { return nil }
        let jump = (wall - earlier.wall) - (uptime - earlier.uptime) / 1000
        return abs(jump) > 300 ? jump : nil
    }
}
