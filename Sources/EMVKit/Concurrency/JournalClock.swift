// SPDX-License-Identifier: Apache-2.0
#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

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

    /// That of the machine.
    public static let system = JournalClock { [boot = bootIdentifier()] in
        var wall = timespec(), uptime = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &wall)
        unsafe clock_gettime(CLOCK_MONOTONIC, &uptime)
        let milliseconds = Int64(uptime.tv_sec) * 1000 + Int64(uptime.tv_nsec) / 1_000_000
        return Reading(wall: Int64(wall.tv_sec), boot: boot, uptime: milliseconds)
    }

    /// Empty where the system does not tell: every process counts as a start of its own then.
    private static func bootIdentifier() -> String {
        var text = [UInt8](repeating: 0, count: 64)
        #if canImport(Darwin)
        var size = text.count
        let failed = unsafe sysctlbyname("kern.bootsessionuuid", &text, &size, nil, 0) != 0
        let count = failed ? 0 : size
        #else
        let file = unsafe open("/proc/sys/kernel/random/boot_id", O_RDONLY)
        guard file >= 0 else { return ReconciliationKey().rawValue }
        let count = unsafe read(file, &text, text.count)
        close(file)
        #endif
        let name = text.prefix(max(0, count)).filter { (0x21...0x7E).contains($0) }
        return name.isEmpty ? ReconciliationKey().rawValue : String(decoding: name, as: UTF8.self)
    }
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
