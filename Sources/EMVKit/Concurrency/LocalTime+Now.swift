// SPDX-License-Identifier: Apache-2.0
#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

extension LocalTime {
    /// The date used if the clock is outside 1950 to 2049: every certificate has expired or is not yet valid.
    private static let unknownDate = CalendarDate(year: 1950, month: 1, day: 1)!

    /// The system's clock in the system's time zone.
    public static func now() -> LocalTime {
        var seconds = time_t()
        clock(&seconds)
        var parts = unsafe tm()
        unsafe localtime_r(&seconds, &parts)
        let date = unsafe CalendarDate(
            year: Int(parts.tm_year) + 1900, month: Int(parts.tm_mon) + 1, day: Int(parts.tm_mday))
        let time = unsafe TimeOfDay(
            hour: Int(parts.tm_hour), minute: Int(parts.tm_min), second: min(Int(parts.tm_sec), 59))
        return unsafe LocalTime(
            date: date ?? LocalTime.unknownDate, time: time ?? .midnight, utcOffset: Int(parts.tm_gmtoff) / 60)
    }
}

/// Calls `time` under another name, because the type's own property would hide it.
private func clock(_ seconds: inout time_t) {
    unsafe _ = time(&seconds)
}
