// SPDX-License-Identifier: Apache-2.0
#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

extension JournalClock {
    /// The machine's clock. It keeps running while the machine sleeps.
    public static let system = JournalClock { [boot = bootIdentifier()] in
        #if canImport(Darwin)
        let goesOn = CLOCK_MONOTONIC
        #else
        // Linux's monotonic clock stops in suspend.
        let goesOn = CLOCK_BOOTTIME
        #endif
        var wall = timespec(), uptime = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &wall)
        unsafe clock_gettime(goesOn, &uptime)
        let milliseconds = Int64(uptime.tv_sec) * 1000 + Int64(uptime.tv_nsec) / 1_000_000
        return Reading(wall: Int64(wall.tv_sec), boot: boot, uptime: milliseconds)
    }

    /// Empty if the system does not report it: then every process counts as a separate start.
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
