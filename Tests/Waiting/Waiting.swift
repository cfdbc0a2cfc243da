// SPDX-License-Identifier: Apache-2.0
// How tests wait for what another task does: until a condition holds, and no longer than the test may run. It knows no
// clock, so that no slow machine fails a test.

/// What a test waited for did not come.
package struct NeverCame: Error, CustomStringConvertible {
    package let description: String
}

/// Far more than any wait takes that ends: some ten seconds of nothing else.
package let mostYields = 20_000_000

/// Lets other tasks run until the condition holds. Where it never does, it throws with what was waited for: after so
/// many looks, or as soon as the test is cancelled, as by the time limit of its suite.
package func waitUntil(
    _ what: String, yields: Int = mostYields, isolation: isolated (any Actor)? = #isolation,
    isThere: () async throws -> Bool
) async throws {
    for look in 0... {
        if try await isThere() { return }
        if Task.isCancelled { throw NeverCame(description: "cancelled while waiting for \(what), after \(look) looks") }
        if look == yields { throw NeverCame(description: "waited in vain for \(what): \(look) looks") }
        await Task.yield()
    }
}
