// SPDX-License-Identifier: Apache-2.0
/// Date and time of day at the place of the reader.
public struct LocalTime: Sendable, Hashable {
    public var date: CalendarDate
    public var time: TimeOfDay
    /// Minutes by which it is ahead of UTC, −840 to 840. Certificates of Kernel 8 are in UTC.
    public var utcOffset: Int

    public init(date: CalendarDate, time: TimeOfDay, utcOffset: Int = 0) {
        self.date = date
        self.time = time
        self.utcOffset = utcOffset
    }
}

extension LocalTime: CustomStringConvertible {
    /// `2026-11-21T12:34:56`.
    public var description: String { "\(date)T\(time)" }
}
