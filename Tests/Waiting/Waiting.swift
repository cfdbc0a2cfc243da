// SPDX-License-Identifier: Apache-2.0
// How tests wait for another task: until a condition holds, and at most until the test's time limit. No clock is used,
// so a slow machine never fails a test.

/// The event for which a test waited did not occur.
package struct NeverCame: Error, CustomStringConvertible {
    package let description: String
}

/// Far more than a successful wait needs: about ten seconds without other work.
package let mostYields = 20_000_000

/// Lets other tasks run until the condition holds. If it does not hold after that number of checks, or as soon as the
/// test is cancelled (for example by its suite's time limit), it throws an error that names the event.
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
