// SPDX-License-Identifier: Apache-2.0
import TestWaiting
import Testing

/// A wait for an event that never comes ends, and names the event.
@Suite struct WaitingTests {
    @Test func whatNeverComesIsNamed() async throws {
        let error = await #expect(throws: NeverCame.self) { try await waitUntil("rain", yields: 100) { false } }
        #expect(error?.description == "waited in vain for rain: 100 looks")
    }

    /// A suite's time limit cancels a test like this.
    @Test func aWaitEndsWithItsTest() async throws {
        let waiting = Task { try await waitUntil("rain", yields: .max) { false } }
        waiting.cancel()
        let error = await #expect(throws: NeverCame.self) { try await waiting.value }
        #expect(error?.description.hasPrefix("cancelled while waiting for rain") == true)
    }

    @Test func whatComesEndsTheWait() async throws {
        var looks = 0
        try await waitUntil("the third look", yields: 2) {
            looks += 1
            return looks == 3
        }
        #expect(looks == 3)
    }
}
