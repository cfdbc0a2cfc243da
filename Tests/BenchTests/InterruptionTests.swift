// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import TestWaiting

@testable import emv_bench

#if Tools && os(Linux)
/// Signals to this process, while other tests tap in it.
@Suite(.timeLimit(.minutes(2))) struct InterruptionTests {
    private func isIgnored(_ number: Int32) throws -> Bool {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("SigIgn:") })
        let mask = try #require(line.split(separator: "\t").last.flatMap { UInt64($0, radix: 16) })
        return mask >> UInt64(number - 1) & 1 == 1
    }

    /// After the tap Ctrl-C ends the program again, and the programs that it starts do not ignore such signals.
    @Test func afterATapTheProcessCanBeEnded() async throws {
        Interruption {}.end()
        try await waitUntil("no tap to take signals") { try !isIgnored(SIGINT) && !isIgnored(SIGTERM) }
    }
}
#endif
